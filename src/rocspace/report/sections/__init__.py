"""The sections of the report, in the order of the page: one module and one template for each.

To add a section, write its module with a `SECTION` and its template, and list it here. The modules
are imported when `sections_in_order` is called: who needs one of them does not pay for all.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from rocspace.report.section import Section

ORDER = (
    *("overview", "warnings", "areas", "explorer", "compare", "references"),
    *("calibration", "precision", "decisions", "uncertainty", "fits", "groups", "thresholds"),
    "methods",
)


@cache
def sections_in_order() -> tuple[Section, ...]:
    """Return all sections in the order of the page."""
    return tuple(import_module(f"{__name__}.{name}").SECTION for name in ORDER)
