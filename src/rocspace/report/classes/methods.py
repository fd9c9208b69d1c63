"""How each number was made, folded."""

from __future__ import annotations

from rocspace.report.section import Section
from rocspace.report.sections import methods

SECTION = Section("class_methods", methods.SECTION.view, "Methods")
