"""The gallery: every script of docs/gallery is run when a build starts, and shown with its code.

A script has a docstring, whose first line is the title and the rest the caption, and a
function ``draw()`` that returns a figure. Scripts that start with an underscore are helpers.
"""

from __future__ import annotations

import ast
import importlib
import sys
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = Path(__file__).parents[1] / "gallery"
MADE = "generated/gallery"  # below the folder of the pages; not committed


@dataclass(frozen=True, slots=True)
class Script:
    """A script as its source shows it."""

    path: Path
    title: str
    caption: str

    @property
    def name(self) -> str:
        return self.path.stem


def scripts(start: str = "") -> list[Script]:
    """The scripts whose names start so, in the order of their names."""
    found = sorted(FOLDER.glob(f"{start}*.py"))
    return [_read(path) for path in found if path.name[0] != "_"]


def _read(path: Path) -> Script:
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    title, _, caption = doc.partition("\n\n")
    return Script(path=path, title=title.strip().rstrip("."), caption=caption.strip())


def render(script: Script, folder: Path) -> Path:
    """Run a script and save its figure."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))  # they import each other
    module = importlib.import_module(script.name)
    figure = importlib.reload(module).draw()
    file = folder / f"{script.name}.png"
    figure.savefig(file, dpi=160)
    plt.close(figure)
    return file


def render_all(app: Sphinx) -> None:
    folder = Path(app.srcdir) / MADE
    folder.mkdir(parents=True, exist_ok=True)
    for script in scripts():
        render(script, folder)


def page(script: Script) -> str:
    """A section in MyST: the figure, its caption, and its code behind a click."""
    return f"""### {script.title}

```{{figure}} /{MADE}/{script.name}.png
:alt: {script.title}
:class: gallery

{script.caption}
```

```{{raw}} html
<details><summary>Code</summary>
```

```{{literalinclude}} /gallery/{script.path.name}
:language: python
```

```{{raw}} html
</details>
```
"""


class Gallery(SphinxDirective):
    """The figures whose scripts' names start with the argument, in the order of these names."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        text = "\n".join(page(script) for script in scripts(*self.arguments))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("gallery", Gallery)
    app.connect("builder-inited", render_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
