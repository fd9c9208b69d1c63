"""Tables of the measures, read from the registries of the package."""

from __future__ import annotations

import math
from typing import Any

from docutils import nodes
from modules import list_table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

BETTER = {"higher": "higher", "lower": "lower", "neither": "–"}


def number(value: float) -> str:
    """Write an end of a range as people do."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:g}".replace("-", "−")


def table(registry: dict[str, Any]) -> str:
    """Write a registry as a table in MyST."""
    rows = [("Name", "Meaning", "Range", "Better", "Prevalence")]
    for name, fact in registry.items():
        link = f"{{py:func}}`{name} <{fact.home}.{name}>`"
        low, high = map(number, fact.range)
        uses = "matters" if fact.uses_prevalence else "–"
        rows.append((link, fact.meaning, f"{low} to {high}", BETTER[fact.better], uses))
    return list_table(rows, widths="26 42 12 10 10")


class Registry(SphinxDirective):
    """``{registry} MEASURES``: a table of one registry."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        import rocspace

        self.env.note_reread()
        return self.parse_text_to_nodes(table(getattr(rocspace, self.arguments[0])))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("registry", Registry)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
