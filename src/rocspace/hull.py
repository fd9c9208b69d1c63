"""The convex hull of ROC curves and points: which classifiers can be best, and for whom.

A point under the hull is beaten, at every class mix and every cost, by a vertex or by a
random mixture of two. A vertex is best for the iso-performance lines whose slope lies
between the slopes of its two edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace.confusion import ConfusionMatrix
from rocspace.curves import RocCurve, roc_curve
from rocspace.measures import measure
from rocspace.results import OperatingPoint
from rocspace.summary import SUMMARIES
from rocspace.table import ScoreTable, need

__all__ = [
    "HullPoint",
    "RocHull",
    "SlopeRange",
    "auch",
    "eer_hull",
    "roc_hull",
]

Classifier: TypeAlias = ScoreTable | RocCurve | OperatingPoint | ConfusionMatrix
"""What a hull can be made of: whole scores, or single points."""

_COMPILED = 1 << 15  # points from which on importing numba pays
_NEAR = 1e-12  # weighted points this near to a line are on it


@dataclass(frozen=True, slots=True, kw_only=True)
class HullPoint:
    """Where a vertex comes from.

    Attributes
    ----------
    name : str
        The classifier, as it was named; "never" and "always" are the two trivial ones.
    threshold : float
        Its threshold; nan for a classifier without one.
    """

    name: str
    threshold: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SlopeRange:
    """For which iso-performance lines a vertex is best.

    Attributes
    ----------
    vertex : int
        Index of the vertex.
    low, high : float
        Slopes in [0, inf]; at an end, the neighbour is as good.
    """

    vertex: int
    low: float
    high: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RocHull:
    """Upper convex hull in ROC space, from (0, 0) to (1, 1).

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (m,)
        The vertices, both rates non-decreasing.
    points : tuple of tuple of HullPoint
        ``points[i]``: every classifier and threshold that reaches vertex i.
    slopes : ndarray of float64, shape (m - 1,)
        Slopes of the edges, strictly decreasing (not increasing where collinear points
        were kept), inf for a vertical edge.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> hull = roc_hull({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])})
    >>> hull.fpr, hull.tpr, hull.slopes
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([inf,  1.,  0.]))
    """

    fpr: NDArray[np.float64]
    tpr: NDArray[np.float64]
    points: tuple[tuple[HullPoint, ...], ...]
    slopes: NDArray[np.float64]

    def __post_init__(self) -> None:
        for column in (self.fpr, self.tpr, self.slopes):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of vertices."""
        return int(self.fpr.size)

    def __repr__(self) -> str:
        names = sorted({point.name for points in self.points for point in points})
        return f"RocHull({len(self)} vertices of {', '.join(names)})"

    @cached_property
    def area(self) -> float:
        """Area under the hull, in [1/2, 1]."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def optimal(self, slope: float) -> tuple[int, ...]:
        """Return the vertices that an iso-performance line of this slope touches.

        Parameters
        ----------
        slope : float
            In [0, inf]: how many true positives per positive a false positive per
            negative must bring. See `rocspace.operating.Costs`.

        Returns
        -------
        tuple of int
            One vertex, or the ends of an edge of that slope (and what lies on it).

        Raises
        ------
        ValueError
            If the slope is negative or NaN.

        Notes
        -----
        O(log m).

        References
        ----------
        Provost and Fawcett (2001); Fawcett (2006), section 6.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> roc_hull({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])}).optimal(0.5)
        (2,)
        """
        if not slope >= 0:
            msg = f"slope is {slope}, but iso-performance lines rise: give zero or more."
            raise ValueError(msg)
        first = int(np.searchsorted(-self.slopes, -slope, "left"))
        last = int(np.searchsorted(-self.slopes, -slope, "right"))
        return tuple(range(first, last + 1))

    def ranges(self) -> tuple[SlopeRange, ...]:
        """Return for which slopes each vertex is best; together they tile [0, inf].

        Returns
        -------
        tuple of SlopeRange
            One for each vertex, from the most conservative (steep lines) on.

        References
        ----------
        Provost and Fawcett (2001).
        """
        ends = [np.inf, *self.slopes.tolist(), 0.0]
        return tuple(SlopeRange(vertex=i, low=ends[i + 1], high=ends[i]) for i in range(len(self)))


def roc_hull(
    classifiers: Mapping[str, Classifier | Sequence[Classifier]], *, keep_collinear: bool = False
) -> RocHull:
    """Return the convex hull of any number of scores, curves and single points.

    Parameters
    ----------
    classifiers : mapping of str to ScoreTable, RocCurve, OperatingPoint or ConfusionMatrix
        By name; a sequence under one name stands for one classifier with several
        settings. The trivial classifiers "never" at (0, 0) and "always" at (1, 1) always
        take part.
    keep_collinear : bool, default False
        Whether points inside an edge are kept.

    Returns
    -------
    RocHull
        Each vertex with all classifiers and thresholds that reach it.

    Raises
    ------
    SingleClassError
        If a class is missing somewhere.

    Notes
    -----
    O(k) for each curve, since its points are sorted, then O(h log h) for the hulls'
    vertices together. Counts are compared as integers or exact fractions; weighted points
    within 1e-12 of a line count as on it.

    References
    ----------
    Fawcett (2006), section 6; Fawcett (2004), Algorithm 3, for one curve.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> roc_hull({"rule": ConfusionMatrix(tp=6, fp=1, fn=4, tn=9)}).slopes
    array([6.        , 0.44444444])
    """
    corners = []
    for name, given in classifiers.items():
        for one in [given] if not isinstance(given, Sequence) else given:
            corners += _own_hull(name, one, keep_collinear)
    zero, one_ = Fraction(0), Fraction(1)
    corners += [(zero, zero, HullPoint(name="never", threshold=np.inf))]
    if not any(f == 1 and t == 1 for f, t, _ in corners):
        corners += [(one_, one_, HullPoint(name="always", threshold=-np.inf))]
    return _hull_of(corners, keep_collinear)


Corner: TypeAlias = tuple[Fraction, Fraction, HullPoint]


def _own_hull(name: str, classifier: Classifier, keep_collinear: bool) -> list[Corner]:
    """Return the vertices of one classifier's own hull as exact fractions."""
    if isinstance(classifier, ScoreTable):
        classifier = roc_curve(classifier)
    if not isinstance(classifier, RocCurve):
        return [_single(name, classifier)]
    kept = hull_indices(classifier.fp, classifier.tp, keep_collinear=keep_collinear)
    n_pos, n_neg = Fraction(classifier.n_pos), Fraction(classifier.n_neg)
    return [
        (
            Fraction(classifier.fp[i].item()) / n_neg,
            Fraction(classifier.tp[i].item()) / n_pos,
            HullPoint(name=name, threshold=classifier.threshold[i]),
        )
        for i in kept
        if i > 0  # reject-all is the trivial classifier
    ]


def _single(name: str, point: OperatingPoint | ConfusionMatrix) -> Corner:
    tp, fp, fn, tn = (Fraction(float(x)) for x in (point.tp, point.fp, point.fn, point.tn))
    if not (tp + fn and fp + tn):
        need(f"roc_hull of {name!r}", ScoreTable.from_counts([0], [int(tp + fn)], [int(fp + tn)]))
    threshold = getattr(point, "threshold", np.nan)
    return fp / (fp + tn), tp / (tp + fn), HullPoint(name=name, threshold=threshold)


def hull_indices(
    x: NDArray[Any], y: NDArray[Any], *, keep_collinear: bool = False
) -> NDArray[np.int64]:
    """Return which points of a curve, sorted by both coordinates, are on its upper hull."""
    if x.dtype.kind == "f":
        return _chain(x / x[-1], y / y[-1], keep_collinear, _NEAR)
    if int(x[-1]) * int(y[-1]) >= 2**62:
        return _chain(x.astype(object), y.astype(object), keep_collinear, 0)
    if x.size < _COMPILED:
        return _chain(x.tolist(), y.tolist(), keep_collinear, 0)
    from rocspace import _kernels

    kept = np.empty(x.size, dtype=np.int64)
    return kept[: _kernels.upper_hull(x, y, keep_collinear, kept)].copy()


def _chain(x: Any, y: Any, keep_collinear: bool, near: float) -> NDArray[np.int64]:
    """Scan sorted points once, dropping those that the next one shows to be under the hull."""
    kept: list[int] = []
    for i in range(len(x)):
        if kept and x[kept[-1]] == x[i] and y[kept[-1]] == y[i]:
            continue
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            cross = (x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a])
            if cross > near or (not keep_collinear and cross >= -near):
                kept.pop()
            else:
                break
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def _hull_of(corners: list[Corner], keep_collinear: bool) -> RocHull:
    reached: dict[tuple[Fraction, Fraction], list[HullPoint]] = {}
    for fpr, tpr, point in corners:
        reached.setdefault((fpr, tpr), []).append(point)
    vertices = sorted(reached)
    f, t = [v[0] for v in vertices], [v[1] for v in vertices]
    kept = [int(i) for i in _chain(f, t, keep_collinear, 0)]
    slopes = [
        float((t[b] - t[a]) / (f[b] - f[a])) if f[b] != f[a] else np.inf for a, b in pairwise(kept)
    ]
    return RocHull(
        fpr=np.array([float(f[i]) for i in kept]),
        tpr=np.array([float(t[i]) for i in kept]),
        points=tuple(tuple(reached[vertices[i]]) for i in kept),
        slopes=np.array(slopes),
    )


@measure(SUMMARIES, range=(0.5, 1), better="higher", uses_prevalence=False)
def auch(table: ScoreTable) -> float:
    """Area under the convex hull of the curve: what the best mixtures of its points reach.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [1/2, 1], at least `rocspace.auc`; higher is better. Optimistic on the data
        whose hull it is.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> auch(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.875
    """
    need("auch", table)
    curve = roc_curve(table)
    kept = hull_indices(curve.fp, curve.tp)
    # Doubled areas of trapezoids, as Python integers where these are counts.
    fp, tp = (column[kept].astype(object) for column in (curve.fp, curve.tp))
    twice = ((fp[1:] - fp[:-1]) * (tp[1:] + tp[:-1])).sum()
    return float(twice / (2 * table.n_pos * table.n_neg))


@measure(SUMMARIES, range=(0, 0.5), better="lower", uses_prevalence=False)
def eer_hull(table: ScoreTable) -> float:
    """Equal error rate of the convex hull, which mixtures of thresholds reach.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, 1/2], at most `rocspace.eer`.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> eer_hull(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.25
    """
    need("eer_hull", table)
    hull = roc_hull({"score": table})
    along = hull.fpr + hull.tpr
    i = int(np.searchsorted(along, 1.0, "left"))
    share = (1.0 - along[i - 1]) / (along[i] - along[i - 1])
    return float(hull.fpr[i - 1] + share * (hull.fpr[i] - hull.fpr[i - 1]))
