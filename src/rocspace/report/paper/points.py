"""Tables of thresholds, and the cross tabulation that STARD asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.inference.rates import likelihood_ratio_interval, point_interval
from rocspace.measures.rates import fnr, fpr, tnr, tpr
from rocspace.report.paper.parts import PaperTable, Part, interval_name, table_of
from rocspace.results.point import OperatingPoint

_Counted: TypeAlias = OperatingPoint | ConfusionMatrix


_POINT = ("tpr", "tnr", "ppv", "npv")


_NAMES = {
    "tpr": "Sensitivity",
    "tnr": "Specificity",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
}


@explained
def points_table(points: Mapping[str, OperatingPoint], *, level: float = 0.95) -> PaperTable:
    """Tabulate thresholds: sensitivity, specificity and predictive values with intervals.

    Parameters
    ----------
    points : mapping of str to OperatingPoint
        By the name of what each was chosen for.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        One row for each point.

    Raises
    ------
    ValueError
        If the level is outside (0, 1).

    References
    ----------
    Bossuyt et al. (2015), STARD 2015, item 24.

    Examples
    --------
    >>> from rocspace import point_at, tabulate
    >>> point = point_at(tabulate([0, 0, 1, 1, 1], [1, 3, 2, 4, 5]), 3)
    >>> points_table({"at 3": point}).parts[0].rows[0][:3]
    ('at 3', '3', '0.667 (0.094 to 0.992)')
    """
    rows = []
    for name, point in points.items():
        texts = [" ".join(_rate(point, each, level)[1:]) for each in _POINT]
        rows.append((str(name), words.threshold(point.threshold, point.next_score), *texts))
    header = ("Point", "Threshold", *(_NAMES[each] for each in _POINT))
    note = f"{interval_name(level)} in brackets, for thresholds that were fixed beforehand."
    return table_of("Operating points", header, rows, note)


def _rate(point: _Counted, name: Any, level: float) -> tuple[str, str, str]:
    """Return a rate as a fraction of cases, as a number, and its interval in brackets."""
    cells = {
        "tpr": (point.tp, point.tp + point.fn),
        "tnr": (point.tn, point.tn + point.fp),
        "ppv": (point.tp, point.tp + point.fp),
        "npv": (point.tn, point.tn + point.fn),
    }
    part, whole = cells[name]
    fraction = f"{words.count(part)}/{words.count(whole)}"
    if not whole:
        return fraction, words.NOTHING, ""
    value, ends = words.estimate(part / whole, *point_interval(point, name, level=level))
    return fraction, value, f"({ends})"


@explained
def stard_table(point: OperatingPoint | ConfusionMatrix, *, level: float = 0.95) -> PaperTable:
    """Cross tabulation of test and truth with its rates, as STARD item 23 and 24 ask for.

    Parameters
    ----------
    point : OperatingPoint or ConfusionMatrix
        The counts at one threshold, or the four of any test, such as published ones.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        The 2 x 2 table with margins; below it sensitivity, specificity, predictive values
        and likelihood ratios with the counts they rest on and intervals.

    Raises
    ------
    ValueError
        If the level is outside (0, 1), or the counts are those of several thresholds.

    References
    ----------
    Bossuyt et al. (2015), STARD 2015, item 24.

    Examples
    --------
    >>> from rocspace import datasets, point_at, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = stard_table(point_at(tabulate(data.y_true, data.y_score), 0.54))
    >>> table.parts[0].rows[0], table.parts[1].rows[0]
    (('Test positive', '5', '1', '6'), ('Sensitivity', '5/10', '0.500', '0.187 to 0.813'))
    """
    if isinstance(point, ConfusionMatrix) and np.ndim(point.tp):
        msg = "The counts are of several thresholds. Take one: point_at(table, threshold)."
        raise ValueError(msg)
    tp, fp, fn, tn = point.tp, point.fp, point.fn, point.tn
    counts = (
        ("Test positive", tp, fp, tp + fp),
        ("Test negative", fn, tn, fn + tn),
        ("Total", tp + fn, fp + tn, tp + fp + fn + tn),
    )
    cells = tuple((name, *map(words.count, row)) for name, *row in counts)
    rates = [
        (_NAMES[name], fraction, value, ends.strip("()"))
        for name in _POINT
        for fraction, value, ends in [_rate(point, name, level)]
    ]
    return PaperTable(
        caption="Test against truth",
        parts=(
            Part(header=("", "Condition present", "Condition absent", "Total"), rows=cells),
            Part(
                header=("", "Cases", "Estimate", interval_name(level)),
                rows=(*rates, *_ratios(point, level)),
            ),
        ),
        note=_test_positive(point),
    )


def _test_positive(point: _Counted) -> str:
    """Say which scores are called positive, where that is known."""
    if isinstance(point, ConfusionMatrix):
        return ""
    sign = "at least" if point.next_score <= point.threshold else "at most"
    return f"Test positive: score {sign} {words.threshold(point.threshold, point.next_score)}."


def _ratios(point: _Counted, level: float) -> list[tuple[str, str, str, str]]:
    values = {"positive": (tpr(point), fpr(point)), "negative": (fnr(point), tnr(point))}
    rows = []
    for which, (above, below) in values.items():
        ends = likelihood_ratio_interval(point, which, level=level)  # type: ignore[arg-type]
        value = above / below if below else float("inf") if above > 0 else float("nan")
        said = words.ratio(value, ends.low, ends.high)
        rows.append((f"{which.capitalize()} likelihood ratio", "", *said))
    return rows
