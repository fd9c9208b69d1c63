"""How each number was made: what all sections say of it."""

from __future__ import annotations

from rocspace.report.section import Section, Summary, View


def _view(summary: Summary) -> list[View]:
    return [{"coverage": "", **method} for method in summary["methods"]]


SECTION = Section("methods", _view, "Methods")
