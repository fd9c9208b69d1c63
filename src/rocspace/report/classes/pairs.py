"""The areas of all pairs of classes, in both directions, the hardest first."""

from __future__ import annotations

from collections.abc import Iterator

from rocspace.report.classes.areas import name_of
from rocspace.report.classes.numbers import by_area
from rocspace.report.classes.shell import class_shell
from rocspace.report.drawing import drawn_interval, score_style, whisker_axis
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.section import Section, Summary, View

_ROWS = 30
_OTHERS = 4  # further classifiers that have a column


def _view(summary: Summary) -> View | None:
    found = by_area(summary)
    pairs = sorted(found[0]["pairs"], key=lambda pair: pair["value"])
    if len(pairs) < 2:
        return None
    ends = [pair["interval"][end] for pair in pairs[:_ROWS] for end in ("low", "high")]
    axis, x = whisker_axis(ends, 0.0, smallest=-3)
    others = found[1 : 1 + _OTHERS]
    areas = [{(p["first"], p["second"]): p["value"] for p in each["pairs"]} for each in others]
    return {
        **axis,
        "half": x(0.5) if axis["low"] <= 0.5 <= axis["high"] else None,
        "best": found[0]["name"],
        "others": [each["name"] for each in others],
        "rows": [
            {
                "pair": pair,
                "style": score_style(0),
                "others": [each[pair["first"], pair["second"]] for each in areas],
                **drawn_interval(pair, x),
            }
            for pair in pairs[:_ROWS]
        ],
        "untold": max(len(pairs) - _ROWS, 0),
    }


_HOW = """
pairs: Areas of pairs of classes
  In the column of each of two classes: the probability that a case of that class has a larger score
  than a case of the other. The area of the pair is the mean of both columns, with its interval. It
  does not depend on how frequent the classes are.
  Source: Hand and Till (2001), Machine Learning 45:171-186, equations 3 to 6
  Python: pairwise_areas(data{name})
  Shell: rocspace auc {of_classes}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    return entries(_HOW, shell, name=name_of(summary), of_classes=class_shell(summary))


SECTION = Section("class_pairs", _view, "Pairs", methods=_methods)
