"""Which classifier costs less, and under which conditions: differences, superiority, LC index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_inside, check_known
from rocspace._base.frozen import Result
from rocspace._base.geometry import hull_indices
from rocspace._base.kinds import check_fields
from rocspace.costs.curves import CostCurve
from rocspace.counts.table import ScoreTable, refuse
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.hull.convex import Classifier
from rocspace.results.curve import plain
from rocspace.results.interval import Interval

_NEAR = 1e-12  # costs nearer than this are equal


# --- two classifiers --------------------------------------------------------------------------


class CostDifference(Result):
    """Cost of one classifier minus that of another, piecewise linear.

    Attributes
    ----------
    probability, difference : ndarray of float64, shape (m,)
        Its corners from 0 to 1, crossings among them.
    crossings : tuple of float
        Probability costs where the sign changes.
    first_better, second_better : tuple of Interval
        Ranges where the first, or the second, costs less; elsewhere they cost the same.

    See Also
    --------
    cost_difference
    """

    probability: Vector
    difference: Vector
    crossings: tuple[float, ...]
    first_better: tuple[Interval, ...]
    second_better: tuple[Interval, ...]

    def difference_at(self, probability: ArrayLike) -> Any:
        """Return the difference at probability costs in [0, 1].

        Parameters
        ----------
        probability : float or array-like of float
            Probability costs in [0, 1].

        Returns
        -------
        float or ndarray of that shape
            Negative where the first curve costs less.

        Raises
        ------
        ValueError
            If a probability cost is outside [0, 1].

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.costs import cost_curve
        >>> a = cost_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
        >>> b = cost_curve(tabulate([1, 0, 1, 1, 0], [1, 2, 3, 4, 1]))
        >>> cost_difference(a, b).difference_at([0.5, 0.8])
        array([ 0.08333333, -0.1       ])
        """
        where = check_fraction("probability", probability)
        return plain(np.interp(where, self.probability, self.difference))


@explained
def cost_difference(first: CostCurve, second: CostCurve) -> CostDifference:
    """Return where and by how much one cost curve lies below another.

    Parameters
    ----------
    first, second : CostCurve
        Two curves; negative differences favour the first.

    Returns
    -------
    CostDifference
        Exact: both curves are piecewise linear, so their difference is.

    Notes
    -----
    O(h log h) in their corners together. Costs within 1e-12 count as equal.

    References
    ----------
    Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.costs import cost_curve
    >>> a = cost_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> b = cost_curve(tabulate([1, 0, 1, 1, 0], [1, 2, 3, 4, 1]))
    >>> [(piece.low, piece.high) for piece in cost_difference(a, b).first_better]
    [(0.6, 1.0)]
    """
    x = np.union1d(first.probability, second.probability)
    y = first.cost_at(x) - second.cost_at(x)
    y[np.abs(y) < _NEAR] = 0.0
    between = np.flatnonzero(y[:-1] * y[1:] < 0)
    zero = x[between] + y[between] / (y[between] - y[between + 1]) * np.diff(x)[between]
    order = np.argsort(np.concatenate([x, zero]), kind="stable")
    x, y = (np.concatenate(pair)[order] for pair in ((x, zero), (y, np.zeros(zero.size))))
    sign = np.sign(y[:-1] + y[1:])  # of each piece, now that none crosses
    runs = _runs(sign)
    signed = [(s, x[end]) for s, _, end in runs if s]
    return CostDifference(
        probability=x,
        difference=y,
        crossings=tuple(float(at) for (s, at), (t, _) in pairwise(signed) if s != t),
        first_better=_pieces(x, runs, -1, "first costs less"),
        second_better=_pieces(x, runs, 1, "second costs less"),
    )


def _runs(sign: Vector) -> list[tuple[float, int, int]]:
    """Return each run of equal signs: the sign, its first corner and its last."""
    starts = [0, *(np.flatnonzero(np.diff(sign)) + 1).tolist(), sign.size]
    return [(float(sign[a]), a, b) for a, b in pairwise(starts)]


def _pieces(
    x: Vector, runs: list[tuple[float, int, int]], wanted: int, method: str
) -> tuple[Interval, ...]:
    return tuple(
        Interval(low=float(x[a]), high=float(x[b]), method=method)
        for sign, a, b in runs
        if sign == wanted
    )


# --- relative superiority ---------------------------------------------------------------------


class Triangle(Result):
    """Triangular density of the cost share of a false negative.

    Attributes
    ----------
    low, mode, high : float
        Least, most likely and greatest value, in [0, 1]. All three equal stand for
        certainty.

    References
    ----------
    Fawcett (2004), on relative superiority graphs, no numbered equation, after Adams and Hand
    (1999).

    Examples
    --------
    >>> Triangle(low=0.2, mode=0.4, high=1).cdf([0.2, 0.4, 1])
    array([0.  , 0.25, 1.  ])
    """

    low: float
    mode: float
    high: float

    def __post_init__(self) -> None:
        check_fields(self)
        if not 0 <= self.low <= self.mode <= self.high <= 1:
            msg = (
                f"low, mode and high are {self.low}, {self.mode} and {self.high}, "
                "but must not decrease, in [0, 1]."
            )
            raise ValueError(msg)

    def cdf(self, share: ArrayLike) -> Any:
        """Return the belief that the cost share is at most `share`.

        Parameters
        ----------
        share : float or array-like of float
            Cost shares.

        Returns
        -------
        float or ndarray of that shape
            In [0, 1].

        Examples
        --------
        >>> Triangle(low=0, mode=0.5, high=1).cdf(0.25)
        0.125
        """
        x, width = np.asarray(share, dtype=np.float64), self.high - self.low
        if width == 0:
            return plain(np.where(x >= self.low, 1.0, 0.0))
        left, right = self.mode - self.low, self.high - self.mode
        at = np.clip(x, self.low, self.high)
        rising = (at - self.low) ** 2 / (width * left) if left else np.zeros_like(at)
        falling = 1 - (self.high - at) ** 2 / (width * right) if right else np.ones_like(at)
        return plain(np.where((at <= self.mode) & (left > 0), rising, falling))


class Superiority(Result):
    """Which classifiers cost least, for every cost share of a false negative.

    Attributes
    ----------
    names : tuple of str
        All classifiers.
    share : ndarray of float64, shape (m + 1,)
        Cost shares where the best one changes, from 0 to 1.
    best : tuple of tuple of str, length m
        ``best[i]``: the classifiers that cost least from ``share[i]`` to ``share[i + 1]``;
        several if they cost the same there.
    prevalence : float
        Share of positives.

    See Also
    --------
    relative_superiority
    """

    names: tuple[str, ...]
    share: Vector
    best: tuple[tuple[str, ...], ...]
    prevalence: float

    def _columns(self) -> dict[str, Any]:
        ends = {"low": self.share[:-1], "high": self.share[1:]}
        return {**ends, "best": [", ".join(names) for names in self.best]}

    def where(self, name: str) -> tuple[Interval, ...]:
        """Return the ranges of the cost share for which a classifier costs least.

        Parameters
        ----------
        name : str
            One of `names`.

        Returns
        -------
        tuple of Interval
            The lines of the relative superiority graph, neighbours joined.

        Raises
        ------
        ValueError
            If there is no such name.
        """
        check_known("classifier", name, self.names)
        ends: list[list[float]] = []
        for (low, high), best in zip(pairwise(self.share.tolist()), self.best, strict=True):
            if name in best and ends and ends[-1][1] == low:
                ends[-1][1] = high
            elif name in best:
                ends.append([low, high])
        return tuple(Interval(low=low, high=high, method="least cost") for low, high in ends)

    def confidence(self, belief: Triangle) -> dict[str, float]:
        """Return the believed probability that each classifier costs least: its LC index.

        Parameters
        ----------
        belief : Triangle
            Distribution of the cost share.

        Returns
        -------
        dict of str to float
            Probabilities that add up to 1; classifiers that cost the same share their probability
            equally.

        Notes
        -----
        Exact, by the distribution function. It measures confidence in which classifier is
        optimal, not the size of the advantage.

        Examples
        --------
        >>> from rocspace import ConfusionMatrix
        >>> a = ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
        >>> b = ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
        >>> graph = relative_superiority({"a": a, "b": b}, prevalence=0.5)
        >>> belief = graph.confidence(Triangle(low=0.2, mode=0.4, high=0.6))
        >>> print({name: round(share, 3) for name, share in belief.items()})
        {'a': 0.633, 'b': 0.367}
        """
        if belief.low == belief.high:
            touched = (self.share[:-1] <= belief.low) & (belief.low <= self.share[1:])
            # At a corner all that meet there are as good.
            winners = {name for i in np.flatnonzero(touched) for name in self.best[i]}
            return {name: (name in winners) / len(winners) for name in self.names}
        found = dict.fromkeys(self.names, 0.0)
        for best, mass in zip(self.best, np.diff(belief.cdf(self.share)).tolist(), strict=True):
            for name in best:
                found[name] += mass / len(best)
        return found


@explained
def relative_superiority(
    classifiers: Mapping[str, Classifier | Sequence[Classifier]], *, prevalence: float
) -> Superiority:
    """Return which of several classifiers costs least, for every ratio of the two costs.

    Parameters
    ----------
    classifiers : mapping of str to ScoreTable, RocCurve, OperatingPoint or ConfusionMatrix
        By name. A table or curve uses its optimal threshold at each cost; a single point
        stays the same; a sequence under one name may choose among its members.
    prevalence : float
        Share of positives where the classifiers will be used, strictly between 0 and 1.

    Returns
    -------
    Superiority
        Ranges of the cost share; see `rocspace.operating.Costs.cost_share`.

    Raises
    ------
    SingleClassError
        If a class is missing somewhere.
    ValueError
        If there is no classifier, or the prevalence is not inside (0, 1).

    Notes
    -----
    With c the cost share of a false negative and pi the prevalence, the loss is ``c pi fnr +
    (1 - c) (1 - pi) fpr``. Rates are compared as exact fractions. O(k) for each curve,
    then O(h log h) for all vertices of their hulls.

    References
    ----------
    Fawcett (2004), on relative superiority graphs, no numbered equation, after Adams and Hand
    (1999).

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> a = ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
    >>> b = ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
    >>> graph = relative_superiority({"a": a, "b": b}, prevalence=0.5)
    >>> graph.best, graph.share.round(4)
    ((('a',), ('b',)), array([0.    , 0.4286, 1.    ]))
    """
    if not classifiers:
        msg = "relative_superiority needs at least one classifier."
        raise ValueError(msg)
    check_inside("prevalence", prevalence)
    owners: dict[Point, list[str]] = {}
    for name, given in classifiers.items():
        members = given if isinstance(given, Sequence) else [given]
        for point in {p for one in members for p in _points(name, one)}:
            owners.setdefault(point, []).append(name)
    vertices = _north_west(sorted(owners))
    # An edge of slope dT / dF joins lines that cross where c pi dT = (1 - c) (1 - pi) dF.
    exact = isinstance(prevalence, float | Decimal | Fraction)
    pi = Fraction(prevalence if exact else float(prevalence))
    cuts = [
        (1 - pi) * (b[0] - a[0]) / ((1 - pi) * (b[0] - a[0]) + pi * (b[1] - a[1]))
        for a, b in pairwise(vertices)
    ]
    ends = [Fraction(0), *cuts, Fraction(1)]
    long = [i for i in range(len(vertices)) if ends[i] < ends[i + 1]]
    return Superiority(
        names=tuple(classifiers),
        share=np.array([*(float(ends[i]) for i in long), 1.0]),
        best=tuple(tuple(owners[vertices[i]]) for i in long),
        prevalence=prevalence,
    )


Point: TypeAlias = tuple[Fraction, Fraction]


def _points(name: str, classifier: Classifier) -> list[Point]:
    """Return the vertices (fpr, tpr) with which a classifier can be optimal, as fractions."""
    if isinstance(classifier, ScoreTable):
        classifier = roc_curve(classifier)
    if isinstance(classifier, RocCurve):
        kept = hull_indices(classifier.fp, classifier.tp)
        columns = classifier.fp[kept].tolist(), classifier.tp[kept].tolist()
        n_pos, n_neg = Fraction(classifier.n_pos), Fraction(classifier.n_neg)
        return [(Fraction(f) / n_neg, Fraction(t) / n_pos) for f, t in zip(*columns, strict=True)]
    tp, fp, fn, tn = (
        Fraction(float(x)) for x in (classifier.tp, classifier.fp, classifier.fn, classifier.tn)
    )
    if not (tp + fn and fp + tn):
        refuse(f"relative_superiority of {name!r}", float(tp + fn), float(fp + tn))
    return [(fp / (fp + tn), tp / (tp + fn))]


def _north_west(points: list[Point]) -> list[Point]:
    """Return the part of the convex hull that lines of slopes from inf to 0 touch, in order."""
    kept: list[Point] = []
    for f, t in points:  # sorted by f, then t
        if kept and t <= kept[-1][1]:
            continue
        if kept and kept[-1][0] == f:
            kept.pop()
        while len(kept) > 1:
            (f0, t0), (f1, t1) = kept[-2], kept[-1]
            if (f1 - f0) * (t - t0) - (t1 - t0) * (f - f0) < 0:
                break
            kept.pop()
        kept.append((f, t))
    return kept


@explained
def lc_index(
    first: Classifier, second: Classifier, *, prevalence: float, belief: Triangle
) -> float:
    """LC index of two classifiers: the belief that the first costs less, minus the opposite.

    Parameters
    ----------
    first, second : ScoreTable, RocCurve, OperatingPoint or ConfusionMatrix
        As for `relative_superiority`.
    prevalence : float
        Share of positives, strictly between 0 and 1.
    belief : Triangle
        Distribution of the cost share of a false negative.

    Returns
    -------
    float
        In [-1, 1]: 1 if the first costs less wherever the belief reaches, 0 if they cost the
        same. It measures confidence, not how much less one costs.

    Raises
    ------
    SingleClassError, ValueError
        As `relative_superiority`.

    References
    ----------
    Fawcett (2004), on relative superiority graphs, no numbered equation, after Adams and Hand
    (1999).

    Examples
    --------
    >>> from rocspace import ConfusionMatrix
    >>> a = ConfusionMatrix(tp=5, fn=5, fp=1, tn=9)
    >>> b = ConfusionMatrix(tp=9, fn=1, fp=4, tn=6)
    >>> belief = Triangle(low=0.2, mode=0.4, high=0.8)
    >>> print(f"{lc_index(a, b, prevalence=0.5, belief=belief):.7f}")
    -0.1496599
    """
    found = relative_superiority({"first": first, "second": second}, prevalence=prevalence)
    confidence = found.confidence(belief)
    return confidence["first"] - confidence["second"]
