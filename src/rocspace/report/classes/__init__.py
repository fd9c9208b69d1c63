"""The sections of the report about more than two classes, in the order of the page.

Those that are the same for two classes are taken from `rocspace.report.sections`, which then read
the tables of each class against the rest.
"""

from __future__ import annotations

from dataclasses import replace

from rocspace.report.classes import (
    areas,
    compare,
    confusion,
    explorer,
    methods,
    overview,
    pairs,
    warnings,
)
from rocspace.report.classes.numbers import (
    first_explored as first_explored,
)
from rocspace.report.classes.numbers import (
    others_explored as others_explored,
)
from rocspace.report.classes.numbers import (
    tables_against_the_rest as tables_against_the_rest,
)
from rocspace.report.section import Section
from rocspace.report.sections import areas as areas_of_two
from rocspace.report.sections import thresholds

SCHEMA = "rocspace.class_summary/1"

# Their numbers, of each class against the rest, without what they say of how these were made.
_AREAS_OF_TWO = replace(
    areas_of_two.SECTION, name="areas_of_two", view=lambda _: None, methods=lambda *_: ()
)
_THRESHOLDS = replace(thresholds.SECTION, methods=lambda *_: ())

SECTIONS: tuple[Section, ...] = (
    *(overview.SECTION, warnings.SECTION, areas.SECTION, pairs.SECTION, _AREAS_OF_TWO),
    *(explorer.SECTION, confusion.SECTION, compare.SECTION, _THRESHOLDS, methods.SECTION),
)
