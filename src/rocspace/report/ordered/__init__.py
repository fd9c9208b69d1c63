"""The sections of the report about classes that have an order, in the order of the page."""

from __future__ import annotations

from rocspace.report.classes import methods
from rocspace.report.ordered import compare, cuts, overview, volumes, warnings
from rocspace.report.section import Section

SCHEMA = "rocspace.ordered_summary/1"

SECTIONS: tuple[Section, ...] = (
    *(overview.SECTION, warnings.SECTION, volumes.SECTION, cuts.SECTION),
    *(compare.SECTION, methods.SECTION),
)
