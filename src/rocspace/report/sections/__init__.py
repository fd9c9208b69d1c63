"""The sections of the report, in the order of the page: one module and one template for each.

To add a section, write its module with a `SECTION` and its template, and list it here. The modules
are imported when `SECTIONS` is first asked for: who needs one of them does not pay for all.
"""

from __future__ import annotations

from importlib import import_module

from rocspace.report.section import Section

ORDER = (
    *("overview", "warnings", "areas", "explorer", "compare", "references"),
    *("calibration", "precision", "decisions", "uncertainty", "fits", "groups", "thresholds"),
    "methods",
)


def __getattr__(name: str) -> tuple[Section, ...]:
    """Import all sections when somebody asks for `SECTIONS`."""
    if name != "SECTIONS":
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    found = tuple(import_module(f"{__name__}.{each}").SECTION for each in ORDER)
    globals()["SECTIONS"] = found
    return found
