"""The pictures on the page about plotting, drawn by docs/_figures/plots.py when a build starts."""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SOURCE = Path(__file__).parents[1] / "_figures" / "plots.py"
MADE = "generated/plots"  # below the folder of the pages; not committed


def drawings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("plots_to_show", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def draw_all(app: Sphinx) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    from rocspace.plot import style

    folder = Path(app.srcdir) / MADE
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in drawings().DRAWINGS.items():
        with style("single"):
            figure, ax = plt.subplots()
            draw(ax)
            figure.savefig(folder / f"{name}.png", dpi=160)
        plt.close(figure)


def card(name: str) -> str:
    """A picture, and the first line of what the function's documentation says."""
    from rocspace import plot

    line = inspect.getdoc(getattr(plot, name)).partition("\n")[0]  # type: ignore[union-attr]
    return f""":::{{figure}} /{MADE}/{name}.png
:alt: {name}

{{py:func}}`~rocspace.plot.{name}`: {line[0].lower()}{line[1:]}
:::
"""


class Plots(SphinxDirective):
    """Every plot that is drawn, one beside the other."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        cards = "\n".join(card(name) for name in drawings().DRAWINGS)
        return self.parse_text_to_nodes(f"::::{{container}} plots\n{cards}\n::::")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("plots", Plots)
    app.connect("builder-inited", draw_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
