"""The same cases, classifier against classifier; for ordered classes, marker against marker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rocspace.multiclass.several import Measure, compare_classifiers
from rocspace.report.classes.numbers import ranks_of
from rocspace.report.classes.shell import class_shell
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain_comparison
from rocspace.report.section import Section, Summary, View, Work
from rocspace.report.sections import compare


def comparison_by(
    measure: Measure,
    *,
    words: View,
    how: str,
    scores: Callable[[Work], Any],
    best: Callable[[Summary], str],
    ranks: Callable[[Summary], dict[str, int]],
    shell: Callable[[Summary], dict[str, str]],
) -> Section:
    """Return the section that compares classifiers, or markers, by one measure.

    `best` names the one with which each other is compared where pairs are too many.
    """

    def of_all(summary: Summary, work: Work) -> View:
        data = scores(work)
        if len(data.names) < 2:
            return {}
        reference = best(summary) if len(data.names) > compare.EVERY_PAIR else None
        found = compare_classifiers(data, measure=measure, reference=reference)
        return {"comparison": plain_comparison(found, work.level, reference)}

    def view(summary: Summary) -> View | None:
        found = summary.get("comparison")
        if not found:
            return None
        nothing = {"difference": None, "costs": None}
        level = summary["settings"]["level"]
        return compare.view_of({**found, **nothing}, ranks(summary), level) | words

    def methods(summary: Summary, of_scores: Shell) -> Iterator[Entry]:
        if "comparison" in summary:
            yield from entries(how, of_scores, **shell(summary))

    return Section("compare", view, "Compare", of_all=of_all, methods=methods)


SECTION = comparison_by(
    "hand-till",
    words={
        "of": "classifier",
        "what": "Difference of areas",
        "area": "Hand and Till's area",
        "both": "areas",
    },
    how="""
comparison: Differences of Hand and Till's areas
  Paired: the variance is that of the differences of each case's contributions to both areas.
  Interval and test are Student's t with the degrees of freedom of that variance.
  Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845, section 3
  Python: compare_classifiers(data)
  Shell: rocspace compare {of_classes}{at_level}
""",
    scores=lambda work: work.scores_of_classes,
    best=lambda summary: str(summary["explored"]),
    ranks=ranks_of,
    shell=lambda summary: {"of_classes": class_shell(summary)},
)
