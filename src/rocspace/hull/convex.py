"""The convex hull of ROC curves and points: which classifiers can be optimal, for which costs.

A point under the hull costs more, at every class mix and every cost, than a vertex or a
random mixture of two. A vertex is optimal for the iso-performance lines whose slope lies
between the slopes of its two edges.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, ClassVar, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows, picture
from rocspace._base.checks import check_inside, check_not_negative
from rocspace._base.frozen import Result
from rocspace._base.geometry import NEAR, ROUNDING, hull_indices, near_hull, straightened
from rocspace._base.text import interval, share
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.table import ScoreTable, need, of_table, refuse
from rocspace.curves.roc import RocCurve
from rocspace.curves.summaries import equal_error
from rocspace.measures.costs_of_errors import CostsLike, as_costs
from rocspace.results.curve import PolygonCurve
from rocspace.results.interval import Interval
from rocspace.results.point import OperatingPoint

Classifier: TypeAlias = ScoreTable | RocCurve | OperatingPoint | ConfusionMatrix
"""What a hull can be made of: whole scores, or single points."""

_MARGIN = 1e-9  # points this far below the hull in floating point are certainly below it

_MIXTURE = "rs.combine.mixture_at(rs.combine.path_of(hull), fpr=0.3)"


class HullPoint(Result):
    """The classifier and threshold of a vertex.

    Attributes
    ----------
    name : str
        The classifier, as it was named; "never" and "always" are the two trivial ones.
    threshold : float
        Its threshold; nan for a classifier without one. Infinite for the trivial ones, in the
        direction of the scores if that is the same for all.

    See Also
    --------
    roc_hull
    """

    name: str
    threshold: Any


class SlopeRange(Result):
    """The slopes of iso-performance lines for which a vertex is optimal.

    Attributes
    ----------
    vertex : int
        Index of the vertex.
    low, high : float
        Slopes in [0, inf]; at an end, the neighbour is optimal too.

    See Also
    --------
    RocHull.ranges
    """

    vertex: int
    low: float
    high: float

    def cost_ratios(self, prevalence: float) -> Interval:
        """Return the ratios of costs for which the vertex is optimal, at a known prevalence.

        Parameters
        ----------
        prevalence : float
            Share of positives where the classifier will be used, strictly inside (0, 1).

        Returns
        -------
        Interval
            Of the cost of a false positive over that of a false negative, in [0, inf].

        Raises
        ------
        ValueError
            If `prevalence` is not strictly inside (0, 1).

        References
        ----------
        Fawcett (2006), equation 1, after Provost and Fawcett (2001).
        """
        check_inside("prevalence", prevalence)
        odds = prevalence / (1 - prevalence)
        return Interval(low=self.low * odds, high=self.high * odds, method="cost_fp / cost_fn")

    def prevalences(self, costs: CostsLike | None = None) -> Interval:
        """Return the prevalences for which the vertex is optimal, at known costs.

        Parameters
        ----------
        costs : Costs or mapping, optional
            Costs of the errors, as in ``dict(fp=1, fn=20)``, both above 0. By default they are
            equal.

        Returns
        -------
        Interval
            In [0, 1]; steep lines belong to rare positives.

        Raises
        ------
        ValueError
            If an error costs nothing.

        References
        ----------
        Fawcett (2006), equation 1.

        Examples
        --------
        >>> from rocspace import roc_hull, tabulate
        >>> at = roc_hull(tabulate([0, 0, 1, 1], [1, 3, 2, 4])).ranges()[1]
        >>> at.prevalences(costs=dict(fp=1, fn=4))
        Interval(low=0.0, high=0.2, level=nan, method='prevalence')
        """
        given = as_costs(costs)
        of_fn, of_fp = map(float, given.net)
        if not (of_fp > 0 and of_fn > 0):
            msg = (
                f"At {given} one kind of error costs nothing, so the prevalence does not matter. "
                "Give both a cost."
            )
            raise ValueError(msg)
        low, high = (1 / (1 + slope * (of_fn / of_fp)) for slope in (self.high, self.low))
        return Interval(low=low, high=high, method="prevalence")


class Reached(Result):
    """Pairs of rates and the classifiers that reach them, of a hull or a cost curve.

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (m,)
        The rates, non-decreasing.
    points : tuple of tuple of HullPoint
        ``points[i]``: every classifier and threshold that reaches the i-th pair of rates.
    """

    fpr: Vector
    tpr: Vector
    points: tuple[tuple[HullPoint, ...], ...]

    _noun: ClassVar[str] = "points"

    def __len__(self) -> int:
        """Return the number of pairs of rates."""
        return int(self.fpr.size)

    def _about(self) -> str:
        names = sorted({point.name for points in self.points for point in points})
        return f"{len(self)} {self._noun} of {', '.join(names)}"

    def _columns(self) -> dict[str, Any]:
        return {
            "fpr": self.fpr,
            "tpr": self.tpr,
            "threshold": [points[0].threshold for points in self.points],
            "classifier": [", ".join({p.name: None for p in points}) for points in self.points],
        }


class RocHull(Reached, PolygonCurve):
    """Upper convex hull in ROC space, from (0, 0) to (1, 1): a `rocspace.results.Curve`.

    Attributes
    ----------
    fpr, tpr : ndarray of float64, shape (m,)
        The vertices, both rates non-decreasing.
    points : tuple of tuple of HullPoint
        ``points[i]``: every classifier and threshold that reaches vertex i.
    slopes : ndarray of float64, shape (m - 1,)
        Slopes of the edges, strictly decreasing (not increasing where collinear points
        were kept), inf for a vertical edge.
    auc : float
        Area under the hull, in [1/2, 1].

    See Also
    --------
    roc_hull

    Examples
    --------
    >>> from rocspace import tabulate
    >>> hull = roc_hull({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])})
    >>> hull.fpr, hull.tpr, hull.slopes
    (array([0. , 0. , 0.5, 1. ]), array([0. , 0.5, 1. , 1. ]), array([inf,  1.,  0.]))
    """

    slopes: Vector
    auc: float

    name: ClassVar[str] = "convex hull"
    _noun = "vertices"
    _meant: ClassVar[Mapping[str, str]] = {
        "vertices": "points, or fpr and tpr",
        "mixture": _MIXTURE,
        "mixture_at": _MIXTURE,
        "combine": _MIXTURE,
        "interpolate": _MIXTURE,
        "best": "points[hull.optimal(slope)[0]][0].name, or print(hull)",
        "owner": "points[i][0].name of vertex i, or to_frame()",
        "names": "points[i][0].name of vertex i, or to_frame()",
        "plot": "rs.plot.plot_hull(hull)",
    }

    def _card(self) -> Card:
        rows = {"Points": f"{len(self.points):,}", "Area": share(self.auc)}
        runs = self._runs()
        return Card(
            rows=rows,
            header=("Optimal", "Slopes", "Share of positives, equal costs"),
            table=first_rows(runs, len(runs)),
            image=picture([(self.fpr, self.tpr)], name="convex hull"),
        )

    def _runs(self) -> list[tuple[str, str, str]]:
        """Return for which slopes and prevalences each classifier is optimal, as text."""
        found: list[tuple[str, str, str]] = []
        ranges = self.ranges()
        names = [" or ".join(dict.fromkeys(p.name for p in points)) for points in self.points]
        for name, run in groupby(range(len(ranges)), key=names.__getitem__):
            vertices = list(run)
            steep, flat = ranges[vertices[0]].high, ranges[vertices[-1]].low
            if flat < steep:
                ends = (1 / (1 + steep), 1 / (1 + flat))
                found.append((name, interval(flat, steep), interval(*ends)))
        return found

    def _columns(self) -> dict[str, Any]:
        ranges = self.ranges()
        low, high = ([getattr(of, end) for of in ranges] for end in ("low", "high"))
        return {**super()._columns(), "slope_low": low, "slope_high": high}

    def optimal(self, slope: float) -> tuple[int, ...]:
        """Return the vertices that an iso-performance line of this slope touches.

        Parameters
        ----------
        slope : float
            In [0, inf]: how many true positives per positive a false positive per
            negative must bring. See `rocspace.operating.Costs.iso_performance_slope`.

        Returns
        -------
        tuple of int
            One vertex, or the ends of an edge of that slope (and points on it). Among vertices that
            cost the same because errors of one kind cost nothing (a slope of 0 or inf), only the
            one with the fewest of the other kind.

        Raises
        ------
        ValueError
            If the slope is negative or NaN.

        Notes
        -----
        O(log m). A slope within 1e-12 of an edge's is taken to be the same.

        References
        ----------
        Fawcett (2006), section 6, after Provost and Fawcett (2001).

        Examples
        --------
        >>> from rocspace import tabulate
        >>> hull = roc_hull({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])})
        >>> hull.optimal(0.5), hull.optimal(1)
        ((2,), (1, 2))
        """
        check_not_negative("slope", slope)
        falling = -self.slopes
        first = int(np.searchsorted(falling, -slope * (1 + NEAR), "left"))
        last = int(np.searchsorted(falling, -slope * (1 - NEAR), "right"))
        if slope in (0, math.inf):
            first = last = first if slope == 0 else last
        return tuple(range(first, last + 1))

    def ranges(self) -> tuple[SlopeRange, ...]:
        """Return the slopes for which each vertex is optimal; together they tile [0, inf].

        Returns
        -------
        tuple of SlopeRange
            One for each vertex, from the most conservative (steep lines) on.

        References
        ----------
        Fawcett (2006), section 6, after Provost and Fawcett (2001).

        Examples
        --------
        >>> from rocspace import tabulate
        >>> hull = roc_hull({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])})
        >>> hull.ranges()[2]
        SlopeRange(vertex=2, low=0.0, high=1.0)
        >>> low, high = hull.ranges()[2].cost_ratios(prevalence=0.2)
        >>> low, high
        (0.0, 0.25)
        """
        ends = [math.inf, *self.slopes.tolist(), 0.0]
        return tuple(SlopeRange(vertex=i, low=ends[i + 1], high=ends[i]) for i in range(len(self)))


# --- building -------------------------------------------------------------------------------


@explained
def roc_hull(
    classifiers: Classifier
    | Sequence[Classifier]
    | Mapping[str, Classifier | Sequence[Classifier]],
    *,
    keep_collinear: bool = False,
) -> RocHull:
    """Return the convex hull of any number of scores, curves and single points.

    Parameters
    ----------
    classifiers : mapping of str to ScoreTable, RocCurve, OperatingPoint or ConfusionMatrix
        By name; a sequence under one name stands for one classifier with several settings, and so
        does a matrix of many thresholds. A single classifier without a name is called "score",
        those of a sequence without names "score 1", "score 2" and so on. They may be tested on
        different cases. The trivial classifiers "never" at (0, 0) and "always" at (1, 1) take
        part.
    keep_collinear : bool, default False
        Whether points inside an edge are kept.

    Returns
    -------
    RocHull
        Each vertex with all classifiers and thresholds that reach it. Corners inside
        ties, which no threshold reaches, do not count.

    Raises
    ------
    SingleClassError
        If a class is missing somewhere.

    Notes
    -----
    O(k) for each curve, since its points are sorted, then O(h log h) for the vertices of
    these hulls together. Counts are compared exactly, whatever the numbers of cases;
    weighted points within 1e-12 of a line count as on it.

    References
    ----------
    Fawcett (2006), section 6; Fawcett (2004), Algorithm 3, for one curve.

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> roc_hull({"rule": ConfusionMatrix(tp=6, fp=1, fn=4, tn=9)}).slopes
    array([6.        , 0.44444444])
    """
    named: Mapping[str, Any] = {"score": classifiers}
    if isinstance(classifiers, Mapping):
        named = classifiers
    elif isinstance(classifiers, Sequence):
        named = {f"score {i}": one for i, one in enumerate(classifiers, 1)}
    parts = [
        part
        for name, given in named.items()
        for one in (given if isinstance(given, Sequence) else [given])
        for part in _parts(str(name), one, keep_collinear)
    ]
    lower = [not part.higher for part in parts if part.higher is not None]
    outer = -math.inf if lower and all(lower) else math.inf
    parts.insert(0, _corner("never", 0, outer))
    if not any(part.fp[-1] == part.n_neg and part.tp[-1] == part.n_pos for part in parts):
        parts.append(_corner("always", 1, -outer))
    if any(part.fp.dtype.kind == "f" for part in parts):
        return _weighted_hull(parts, keep_collinear)
    return _exact_hull(parts, keep_collinear)


@dataclass(frozen=True, slots=True)
class _Part:
    """Points of one classifier on one set of cases that may be vertices, without (0, 0)."""

    name: str
    fp: Array
    tp: Array
    n_neg: int | float
    n_pos: int | float
    threshold: Array
    higher: bool | None = None

    @property
    def rates(self) -> tuple[Vector, Vector]:
        return (self.fp / self.n_neg).astype(float), (self.tp / self.n_pos).astype(float)


def _corner(name: str, at: int, threshold: float) -> _Part:
    count = np.array([at])
    return _Part(name, count, count, 1, 1, np.array([threshold]))


def _parts(name: str, given: Classifier, keep_collinear: bool) -> Iterator[_Part]:
    if isinstance(given, ScoreTable):
        need(f"roc_hull of {name!r}", given)
        fp, tp, score = given.fp, given.tp, given.score
    elif isinstance(given, RocCurve):
        reached = np.flatnonzero(given.attainable[1:]) + 1  # reject-all is "never"
        fp, tp, score = (x[reached] for x in (given.fp, given.tp, given.threshold))
    else:
        yield from _single_points(name, given)
        return
    kept = hull_indices(fp, tp, keep_collinear=keep_collinear)
    columns = (fp[kept], tp[kept], given.n_neg, given.n_pos, score[kept])
    yield _Part(name, *columns, given.higher_is_positive)


def _single_points(name: str, point: OperatingPoint | ConfusionMatrix) -> Iterator[_Part]:
    threshold = getattr(point, "threshold", math.nan)
    columns = (point.tp, point.fp, point.fn, point.tn, threshold)
    for *counts, at in np.broadcast(*(np.asarray(x, dtype=object) for x in columns)):
        whole = all(x == int(x) for x in counts)
        tp, fp, fn, tn = (int(x) if whole else float(x) for x in counts)
        if not (tp + fn and fp + tn):
            refuse(f"roc_hull of {name!r}", tp + fn, fp + tn)
        there = np.array([at], dtype=object)
        yield _Part(name, np.array([fp]), np.array([tp]), fp + tn, tp + fn, there)


def _exact_hull(parts: list[_Part], keep_collinear: bool) -> RocHull:
    """Bring all counts to common denominators and compare integers."""
    wide, tall = (math.lcm(*(getattr(p, n) for p in parts)) for n in ("n_neg", "n_pos"))
    small = wide < 2**62 and tall < 2**62
    if not small:
        parts = _promising(parts)
    kind: Any = np.int64 if small else object
    f = np.concatenate([p.fp.astype(kind) * (wide // p.n_neg) for p in parts])
    t = np.concatenate([p.tp.astype(kind) * (tall // p.n_pos) for p in parts])
    order = (
        np.lexsort((t, f)) if small else np.array(sorted(range(f.size), key=lambda i: (f[i], t[i])))
    )
    f, t = f[order], t[order]
    kept = hull_indices(f, t, keep_collinear=keep_collinear)
    twins = np.flatnonzero(np.append((f[1:] != f[:-1]) | (t[1:] != t[:-1]), np.True_)) + 1
    ends = twins[np.searchsorted(twins, kept, "right")]  # of equal points the first is kept
    origin = _origins(parts)
    x, y = f[kept].tolist(), t[kept].tolist()
    steps = [(b - a, d - c) for (a, b), (c, d) in zip(pairwise(x), pairwise(y), strict=True)]
    twice = sum(dx * (c + d) for (dx, _), (c, d) in zip(steps, pairwise(y), strict=True))
    return RocHull(
        fpr=np.array([a / wide for a in x]),
        tpr=np.array([a / tall for a in y]),
        points=tuple(
            tuple(origin(order[j]) for j in range(i, end))
            for i, end in zip(kept.tolist(), ends.tolist(), strict=True)
        ),
        slopes=np.array([dy * wide / (dx * tall) if dx else math.inf for dx, dy in steps]),
        auc=twice / (2 * wide * tall),
    )


def _origins(parts: list[_Part]) -> Any:
    """Return a function that gives the classifier and threshold of the i-th point."""
    starts = np.cumsum([0, *(part.fp.size for part in parts)])

    def origin(i: int) -> HullPoint:
        part = int(np.searchsorted(starts, i, "right")) - 1
        threshold = parts[part].threshold[i - starts[part] :][:1].tolist()
        return HullPoint(name=parts[part].name, threshold=threshold[0])

    return origin


def _promising(parts: list[_Part]) -> list[_Part]:
    """Leave out points that are clearly under the hull, so that few large integers are compared."""
    f, t = (np.concatenate(rates) for rates in zip(*(p.rates for p in parts), strict=True))
    order = np.lexsort((t, f))
    top = order[near_hull(f[order], t[order], 0.0)]
    high = (f < _MARGIN) | (t >= np.interp(f, f[top], t[top]) - _MARGIN)
    chosen = np.split(high, np.cumsum([p.fp.size for p in parts])[:-1])
    return [
        _Part(p.name, p.fp[c], p.tp[c], p.n_neg, p.n_pos, p.threshold[c], p.higher)
        for p, c in zip(parts, chosen, strict=True)
    ]


def _weighted_hull(parts: list[_Part], keep_collinear: bool) -> RocHull:
    """Compare rates; what is within `NEAR` of a line is on it."""
    f, t = (np.concatenate(rates) for rates in zip(*(p.rates for p in parts), strict=True))
    order = np.lexsort((t, f))
    f, t = f[order], t[order]
    top = near_hull(f, t, ROUNDING)
    top = top[straightened(f[top], t[top])]
    along = f + t  # grows strictly along the hull
    edge = np.clip(np.searchsorted(along[top], along, "right") - 1, 0, top.size - 2)
    a, b = top[edge], top[edge + 1]
    length = along[b] - along[a]
    below = ((f - f[a]) * (t[b] - t[a]) - (t - t[a]) * (f[b] - f[a])) / length
    near_end = np.minimum(along - along[a], along[b] - along) <= NEAR
    on = np.flatnonzero((below <= NEAR) & (near_end | keep_collinear))
    on = on[np.argsort(along[on], kind="stable")]
    group = np.append(0, np.cumsum(np.diff(along[on]) > NEAR))  # points that are the same
    vertex_first = on[np.lexsort((~np.isin(on, top), group))]
    kept = vertex_first[np.searchsorted(group, np.arange(group[-1] + 1))]
    members = np.split(order[on], np.flatnonzero(np.diff(group)) + 1)
    origin = _origins(parts)
    with np.errstate(divide="ignore"):
        slopes = np.diff(t[kept]) / np.diff(f[kept])
    area = float(np.trapezoid(t[kept], f[kept]))
    return RocHull(
        fpr=f[kept],
        tpr=t[kept],
        points=tuple(tuple(map(origin, np.sort(each).tolist())) for each in members),
        slopes=np.minimum.accumulate(slopes),
        auc=min(max(area, 0.5), 1.0),
    )


# --- summaries ------------------------------------------------------------------------------


@of_table
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
        that the hull was made of.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). The hull of a sample lies above that of the population: for Normal scores of area .75 by
    .05 on average with 20 + 20 cases, and by .02 with 200 + 200. So does each resampled hull:
    percentiles of `rocspace.resampling.bootstrap` cover in as little as 77 percent of 200 samples,
    its default interval in 89. Where the curve of the population is concave, the area of its hull
    is its area: take the interval of `rocspace.delong`, which covers in 95.5 or more there, and in
    85 of a hooked curve.

    References
    ----------
    Fawcett (2006), section 6, after Provost and Fawcett (2001).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> auch(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.875
    """
    fp, tp = _own_vertices(table)
    twice = sum(
        (b - a) * (c + d) for (a, b), (c, d) in zip(pairwise(fp), pairwise(tp), strict=True)
    )
    return float(min(max(twice / (2 * table.n_pos * table.n_neg), 0.5), 1.0))


def _own_vertices(table: ScoreTable) -> tuple[list[Any], list[Any]]:
    """Return false and true positives at the vertices of one table's hull."""
    kept = hull_indices(table.fp, table.tp)
    fp, tp = ([0, *column[kept].tolist()] for column in (table.fp, table.tp))
    kind: Any = float if table.is_weighted else object
    again = hull_indices(np.array(fp, dtype=kind), np.array(tp, dtype=kind)).tolist()
    return [fp[i] for i in again], [tp[i] for i in again]


@of_table
def eer_hull(table: ScoreTable) -> float:
    """Equal error rate of the convex hull, which mixtures of thresholds reach.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    float
        In [0, 1/2], at most `rocspace.curves.eer`; lower is better.

    Raises
    ------
    SingleClassError
        If a class is missing.

    References
    ----------
    No source: a plain definition; the hull is that of Fawcett (2006), section 6.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> eer_hull(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    0.25
    """
    vertices = zip(*_own_vertices(table), strict=True)
    n_pos, n_neg = Fraction(table.n_pos), Fraction(table.n_neg)
    for one, two in pairwise((Fraction(f) / n_neg, Fraction(t) / n_pos) for f, t in vertices):
        if sum(two) >= 1:
            return min(equal_error(*one, *two), 0.5)
    return 0.5
