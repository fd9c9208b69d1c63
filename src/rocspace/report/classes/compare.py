"""The same cases, classifier against classifier."""

from __future__ import annotations

from collections.abc import Iterator

from rocspace.multiclass.several import compare_classifiers
from rocspace.report.classes.numbers import ranks_of
from rocspace.report.classes.shell import class_shell
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain_comparison
from rocspace.report.section import Section, Summary, View, Work
from rocspace.report.sections import compare

_WORDS = {
    "of": "classifier",
    "what": "Difference of areas",
    "area": "Hand and Till's area",
    "both": "areas",
}


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_of_classes
    if len(data.names) < 2:
        return {}
    reference = summary["explored"] if len(data.names) > compare.EVERY_PAIR else None
    found = compare_classifiers(data, reference=reference)
    return {"comparison": plain_comparison(found, work.level, reference)}


def _view(summary: Summary) -> View | None:
    found = summary.get("comparison")
    if not found:
        return None
    nothing = {"difference": None, "costs": None}
    level = summary["settings"]["level"]
    return compare.view_of({**found, **nothing}, ranks_of(summary), level) | _WORDS


_HOW = """
comparison: Differences of Hand and Till's areas
  Paired: the variance is that of the differences of each case's contributions to both areas.
  Interval and test are Student's t with the degrees of freedom of that variance.
  Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845, section 3
  Python: compare_classifiers(data)
  Shell: rocspace compare {of_classes}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    if "comparison" not in summary:
        return
    yield from entries(_HOW, shell, of_classes=class_shell(summary))


SECTION = Section("compare", _view, "Compare", of_all=_of_all, methods=_methods)
