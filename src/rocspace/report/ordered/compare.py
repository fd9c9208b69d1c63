"""The same cases, marker against marker."""

from __future__ import annotations

from collections.abc import Iterator

from rocspace.multiclass.several import compare_classifiers
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.ordered.numbers import by_volume, ordered_shell, ranks_of
from rocspace.report.plain import plain_comparison
from rocspace.report.section import Section, Summary, View, Work
from rocspace.report.sections import compare

_WORDS = {"of": "marker", "what": "Difference of volumes", "area": "Volume", "both": "volumes"}


def _of_all(summary: Summary, work: Work) -> View:
    data = work.scores_in_order
    if len(data.names) < 2:
        return {}
    best = by_volume(summary)[0]["name"]
    reference = best if len(data.names) > compare.EVERY_PAIR else None
    found = compare_classifiers(data, measure="vus", reference=reference)
    return {"comparison": plain_comparison(found, work.level, reference)}


def _view(summary: Summary) -> View | None:
    found = summary.get("comparison")
    if not found:
        return None
    nothing = {"difference": None, "costs": None}
    level = summary["settings"]["level"]
    return compare.view_of({**found, **nothing}, ranks_of(summary), level) | _WORDS


_HOW = """
comparison: Differences of volumes
  Paired: the variance is that of the differences of each case's contributions to both volumes.
  Interval and test are Student's t with the degrees of freedom of that variance.
  Source: Nakas and Yiannoutsos (2004), Statistics in Medicine 23:3437-3449
  Python: compare_classifiers(data, measure="vus")
  Shell: rocspace compare {of_order}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    if "comparison" in summary:
        yield from entries(_HOW, shell, of_order=ordered_shell(summary))


SECTION = Section("compare", _view, "Compare", of_all=_of_all, methods=_methods)
