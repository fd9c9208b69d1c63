"""The same cases, marker against marker."""

from __future__ import annotations

from rocspace.report.classes.compare import comparison_by
from rocspace.report.ordered.numbers import by_volume, ordered_shell, ranks_of

SECTION = comparison_by(
    "vus",
    words={"of": "marker", "what": "Difference of volumes", "area": "Volume", "both": "volumes"},
    how="""
comparison: Differences of volumes
  Paired: the variance is that of the differences of each case's contributions to both volumes.
  Interval and test are Student's t with the degrees of freedom of that variance.
  Source: Nakas and Yiannoutsos (2004), Statistics in Medicine 23:3437-3449
  Python: compare_classifiers(data, measure="vus")
  Shell: rocspace compare {of_order}{at_level}
""",
    scores=lambda work: work.scores_in_order,
    best=lambda summary: str(by_volume(summary)[0]["name"]),
    ranks=ranks_of,
    shell=lambda summary: {"of_order": ordered_shell(summary)},
)
