"""How each number was made: what all sections say of it."""

from __future__ import annotations

from rocspace.report.section import Section, Summary, View


def _view(summary: Summary) -> View:
    """Show them folded; the contents lead inside, which opens the fold."""
    found = [{"coverage": "", **method} for method in summary["methods"]]
    return {"anchor": "all-methods", "methods": found}


SECTION = Section("methods", _view, "Methods")
