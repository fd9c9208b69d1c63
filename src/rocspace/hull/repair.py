"""Repaired concavities: better decisions than a mixture's where a curve dips below its hull.

In a dip the scores rank in the wrong direction. Reversing the decisions between two
vertices of the hull turns that piece of the curve by half a circle, above the hull. Evaluate
a repair on other data: on the data that it was fitted to it always looks better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask
from rocspace._base.cases import complete_scores
from rocspace._base.frozen import Result
from rocspace._base.geometry import NEAR, hull_indices
from rocspace.counts.confusion import ConfusionMatrix, rows_called_positive
from rocspace.counts.table import ScoreTable, of_table, rescored


class PointRepair(Result):
    """A classifier made of three thresholds: A and B on the hull, C in the dip between them.

    Attributes
    ----------
    high, middle, low : float
        Thresholds of A, C and B, from the most conservative on; `high` is None where A calls
        nobody positive.
    matrix : ConfusionMatrix
        Counts on the table it was made from: A + B - C.
    higher_is_positive : bool
        Whether larger scores are more positive.

    See Also
    --------
    repair_point, repair_points
    """

    high: Any
    middle: Any
    low: Any
    matrix: ConfusionMatrix
    higher_is_positive: bool = True

    def _columns(self) -> dict[str, Any]:
        ends = {name: [getattr(self, name)] for name in ("high", "middle", "low")}
        return {**ends, **self.matrix._columns()}

    def decide(self, scores: ArrayLike) -> Mask:
        """Decide: positive if A calls a case positive, or if B does and C does not.

        Parameters
        ----------
        scores : array-like of numbers, shape (n,)
            Scores of new cases.

        Returns
        -------
        ndarray of bool, shape (n,)
            Which cases are called positive.

        Raises
        ------
        ValueError
            If a score is missing.
        """
        given = complete_scores(scores)

        def says(threshold: Any) -> Mask:
            return np.asarray(given >= threshold if self.higher_is_positive else given <= threshold)

        by_a = np.zeros(given.shape, dtype=bool) if self.high is None else says(self.high)
        return by_a | (says(self.low) & ~says(self.middle))


def _nobody(table: ScoreTable, threshold: float) -> bool:
    """Return whether a threshold calls no case positive, not even infinite scores."""
    return threshold == (math.inf if table.higher_is_positive else -math.inf)


@of_table
def repair_point(table: ScoreTable, *, high: float, middle: float, low: float) -> PointRepair:
    """Mirror a point below the line from A to B: positive by A, or by B and not by C.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    high, middle, low : float
        Thresholds of A, C and B, from the most conservative on. An infinite `high` (minus
        infinity where lower scores are more positive) calls no case positive.

    Returns
    -------
    PointRepair
        Its point is A + B - C: C mirrored through the middle of A and B, above the line
        just when C is below it.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the thresholds are not in order.

    References
    ----------
    Flach and Wu (2003), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
    >>> repair_point(table, high=6, middle=4, low=2).matrix
    ConfusionMatrix(tp=3, fp=0, fn=0, tn=3)
    """
    a, c, b = (int(rows_called_positive(table, t)) for t in (high, middle, low))
    top = None if _nobody(table, high) else high
    a = 0 if top is None else a
    if not a <= c <= b:
        msg = (
            f"Thresholds are {high}, {middle} and {low}, but must go from the most "
            "conservative to the most liberal."
        )
        raise ValueError(msg)
    return _mirrored(table, a, c, b, (top, middle, low))


def _mirrored(table: ScoreTable, a: int, c: int, b: int, thresholds: Sequence[Any]) -> PointRepair:
    """Make D of the numbers of rows that A, C and B call positive."""
    (tp_a, tp_c, tp_b), (fp_a, fp_c, fp_b) = (
        [column[row - 1].item() if row else 0 for row in (a, c, b)]
        for column in (table.tp, table.fp)
    )
    tp, fp = tp_a + tp_b - tp_c, fp_a + fp_b - fp_c
    return PointRepair(
        high=thresholds[0],
        middle=thresholds[1],
        low=thresholds[2],
        matrix=ConfusionMatrix(tp=tp, fp=fp, fn=table.n_pos - tp, tn=table.n_neg - fp),
        higher_is_positive=table.higher_is_positive,
    )


@of_table
def repair_points(table: ScoreTable) -> tuple[PointRepair, ...]:
    """Return the best repair by one point of every dip below the hull.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    tuple of PointRepair
        One for each edge of the hull with a point below it, from the most conservative on:
        C is the point farthest from the edge, the first of several.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k).

    References
    ----------
    Flach and Wu (2003), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> (repair,) = repair_points(tabulate([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1]))
    >>> repair.high, repair.middle, repair.low
    (6, 4, 2)
    """
    return tuple(
        _mirrored(table, *dip, tuple(_threshold(table, row) for row in dip)) for dip in _dips(table)
    )


def _threshold(table: ScoreTable, row: int) -> Any:
    return table.score[row - 1].item() if row else None


def _dips(table: ScoreTable) -> list[tuple[int, int, int]]:
    """Return (A, C, B) for every edge of the hull with points below, as numbers of rows."""
    fp, tp = table.fp_from_zero, table.tp_from_zero
    if table.is_weighted:
        fp, tp = fp / table.n_neg, tp / table.n_pos
    elif int(table.n_pos) * int(table.n_neg) >= 2**62:
        fp, tp = fp.astype(object), tp.astype(object)
    kept = hull_indices(fp, tp)
    found = []
    for a, b in pairwise(kept.tolist()):
        if b - a < 2:
            continue
        across, up = fp[b] - fp[a], tp[b] - tp[a]
        below = (fp[a + 1 : b] - fp[a]) * up - (tp[a + 1 : b] - tp[a]) * across
        c = int(below.argmax())
        if below[c] > (NEAR * (across + up) if table.is_weighted else 0):
            found.append((a, a + 1 + c, b))
    return found


class SectionRepair(Result):
    """A map of scores that reverses their order within sections, and nowhere else.

    Attributes
    ----------
    sections : tuple of ndarray
        The distinct scores of each section at fitting, least positive first. Their order is
        reversed: the first is exchanged with the last, and so on.
    tops : tuple of float or None
        The score above each section, which no longer belongs to it; None where there is none.
    higher_is_positive : bool
        Whether larger scores are more positive.

    See Also
    --------
    fit_section_repair
    """

    sections: tuple[Array, ...]
    tops: tuple[Any, ...]
    higher_is_positive: bool = True

    def _about(self) -> str:
        sizes = ", ".join(str(section.size) for section in self.sections)
        return f"{len(self.sections)} sections of {sizes or 'no'} scores"

    def _columns(self) -> dict[str, Any]:
        """Return the ends of each section, and the threshold above it."""
        low, high = ([section[i].item() for section in self.sections] for i in (0, -1))
        sizes = [section.size for section in self.sections]
        return {"low": low, "high": high, "n_scores": sizes, "top": list(self.tops)}

    def transform(self, scores: ArrayLike) -> Array:
        """Return repaired scores.

        Parameters
        ----------
        scores : array-like of numbers, shape (n,)
            Scores of any cases.

        Returns
        -------
        ndarray of float, shape (n,)
            A score of the fitting data in a section becomes its mirror image there;
            others between two of these are interpolated between the images, next to an
            infinite one take the image of the lower; above the last of a section they take
            its image. Outside all sections nothing changes.

        Raises
        ------
        ValueError
            If a score is missing.

        Notes
        -----
        O(n log k). Transforming the fitting data twice gives them back.
        """
        given = complete_scores(scores)
        kind = np.result_type(given, *self.sections, np.float16)
        result = given.astype(kind)
        if not self.sections:
            return result
        sign = 1 if self.higher_is_positive else -1
        key = sign * result
        first = [sign * section[0] for section in self.sections]
        rising = np.argsort(np.array(first, dtype=kind), kind="stable")
        sizes = np.array([self.sections[i].size for i in rising])
        values = np.concatenate([sign * self.sections[i].astype(kind) for i in rising])
        tops = np.array(
            [np.inf if (t := self.tops[i]) is None else sign * t for i in rising],
            dtype=np.result_type(kind, np.float64),  # thresholds may fall between floats
        )
        closed = np.array([self.tops[i] is None for i in rising])
        j = np.searchsorted(values, key, "right") - 1
        which = np.searchsorted(np.cumsum(sizes), np.maximum(j, 0), "right")
        inside = (j >= 0) & (closed[which] | (key < tops[which]))
        ends = np.cumsum(sizes)[which[inside]]
        image = _reversed(key[inside], values, j[inside], ends - sizes[which[inside]], ends - 1)
        result[inside] = sign * image
        return result

    def apply(self, table: ScoreTable) -> ScoreTable:
        """Return the table of the repaired scores, of the fitting data or any other.

        Parameters
        ----------
        table : ScoreTable
            Counts by distinct score, in the same direction.

        Returns
        -------
        ScoreTable
            Cases whose scores became equal are in one row.

        Examples
        --------
        >>> from rocspace import auc, tabulate
        >>> table = tabulate([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
        >>> auc(table), auc(fit_section_repair(table).apply(table))
        (0.5555555555555556, 1.0)
        """
        return rescored(table, self.transform(table.score))


def _reversed(
    key: Array,
    values: Array,
    j: Ints,
    first: Ints,
    last: Ints,
) -> Array:
    """Map scores by the decreasing map of values[first] to values[last]; values[j] <= key."""
    after = np.minimum(j + 1, last)
    lower, upper = values[j], values[after]
    image, following = values[first + last - j], values[first + last - after]
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        share = (key / 2 - lower / 2) / (upper / 2 - lower / 2)  # halves do not overflow
        between = np.clip(image * (1 - share) + following * share, following, image)
    steps = (key == lower) | (j == last) | ~np.isfinite(between)
    steps |= ~np.isfinite(upper) | ~np.isfinite(lower)
    return np.asarray(np.where(steps, image, between))


@of_table
def fit_section_repair(
    table: ScoreTable, *, sections: Sequence[tuple[float, float]] | None = None
) -> SectionRepair:
    """Fit a map of scores that turns pieces of the curve by half a circle.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present: training or validation data.
    sections : sequence of tuple of float, optional
        Thresholds (B, A) of each section, the liberal one first: scores from B up to, not
        including, A. An A of infinity (minus infinity where lower scores are more positive) calls
        no case positive: even infinite scores belong to the section. By default, every edge of the
        hull with points below it.

    Returns
    -------
    SectionRepair
        Has ``transform(scores)`` and ``apply(table)``. On the fitting data the area grows by
        twice the area between each chord and its piece of the curve.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the ends of a section are in the wrong order, a section contains no score, two overlap,
        or scores are integers beyond 2**53, which cannot be interpolated as floats.

    Notes
    -----
    O(k). No repair looks worse on the data that it was fitted to: evaluate it on other data.

    References
    ----------
    Flach and Wu (2003), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
    >>> fit_section_repair(table).transform([6, 5, 4, 3, 2, 1])
    array([6., 2., 3., 4., 5., 1.])
    """
    kind = table.score.dtype.kind
    if kind == "O" or (kind in "iu" and max(abs(int(s)) for s in table.score[[0, -1]]) > 2**53):
        msg = "Scores are integers beyond 2**53. Rank or scale them first, here and later alike."
        raise ValueError(msg)
    if sections is None:
        found = [(a, b, _threshold(table, a)) for a, _, b in _dips(table)]
    else:
        found = sorted(_rows(table, low, high) for low, high in sections)
    if any(b > a for (_, b, _), (a, _, _) in pairwise(found)):
        msg = f"Sections {list(sections or [])} overlap. Reverse each piece of the curve once."
        raise ValueError(msg)
    return SectionRepair(
        sections=tuple(table.score[a:b][::-1] for a, b, _ in found),
        tops=tuple(top for _, _, top in found),
        higher_is_positive=table.higher_is_positive,
    )


def _rows(table: ScoreTable, low: Any, high: Any) -> tuple[int, int, Any]:
    """Return where the rows of a section begin and end, and the threshold above it."""
    b, a = (int(rows_called_positive(table, threshold)) for threshold in (low, high))
    top = None if _nobody(table, high) else high
    a = 0 if top is None else a
    if a >= b:
        msg = f"The section ({low}, {high}) holds no score; the liberal threshold comes first."
        raise ValueError(msg)
    return a, b, top
