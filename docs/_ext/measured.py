"""What the benchmarks wrote, on one page: every report of benchmarks/results."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


def report(text: str) -> str:
    """A report a level lower, with the facts of the machine behind a click."""
    text = re.sub(r"^((?:- [\w-][^\n]*: [^\n]*\n)+)", FOLDED, text, count=1, flags=re.MULTILINE)
    return re.sub(r"^#", "##", text, flags=re.MULTILINE)


FOLDED = """\
```{raw} html
<details><summary>Machine and versions</summary>
```

\\1
```{raw} html
</details>
```
"""


def name_heads(app: Sphinx, page: nodes.document) -> None:
    """Put a word into the empty first head of a table of times, for those who hear the page."""
    for head in page.findall(nodes.thead):
        first = next(head.findall(nodes.entry))
        if not first.astext().strip():
            first.children = [nodes.paragraph("", "call")]


class Benchmarks(SphinxDirective):
    """``{benchmarks} auc growth``: these reports first, then the others by name."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        first = self.arguments[0].split()
        others = sorted({path.stem for path in RESULTS.glob("*.md")} - {*first})
        parts = []
        for name in first + others:
            path = RESULTS / f"{name}.md"
            self.env.note_dependency(str(path))
            parts.append(report(path.read_text(encoding="utf-8")))
        return self.parse_text_to_nodes("\n".join(parts), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("benchmarks", Benchmarks)
    app.connect("doctree-read", name_heads)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
