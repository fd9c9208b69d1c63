"""The sections of the report, in the order of the page: one module and one template for each.

To add a section, write its module with a `SECTION` and its template, and list it here.
"""

from __future__ import annotations

from rocspace.report.section import Section
from rocspace.report.sections import (
    areas,
    calibration,
    compare,
    decisions,
    explorer,
    fits,
    groups,
    methods,
    overview,
    precision,
    references,
    thresholds,
    uncertainty,
    warnings,
)

SECTIONS: tuple[Section, ...] = tuple(
    module.SECTION
    for module in (
        *(overview, warnings, areas, explorer, compare, references),
        *(calibration, precision, decisions, uncertainty, fits, groups, thresholds, methods),
    )
)
