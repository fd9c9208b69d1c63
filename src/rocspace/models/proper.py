"""The proper binormal curve: two Normal distributions, ranked by their likelihood ratio."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.models.bivariate import bivariate_normal
from rocspace.models.cells import CellHill, Cells, Edge, Edges, cells_of, climb_cells
from rocspace.models.fitting import MEASURED, UNKNOWN, df_of, likelihood_of, stepped
from rocspace.models.maximum import Maximum
from rocspace.models.rating import cuts_of, saturated, separation
from rocspace.results.fit import Fit
from rocspace.results.proportions import normal_density

_SHAPES = (-0.7, -0.1, 0.1, 0.6)  # of c, to start from
_STRAIGHT = 1e-6  # size of c below which both standard deviations count as equal
_GRID = 2001  # points at which pooled shares are turned into cuts
_HALVINGS = 56  # of a bracket in which a cut is searched
_FEW = 50  # cells in which all starts are tried
_GAIN = 1e-6  # of the log-likelihood, below which a curve is as good as one on the boundary
_BOUNDARY = {
    "boundary": "The likelihood is largest where both classes have the same mean, d_a = 0, the "
    "boundary of the model, where the delta method gives no errors. Take those of a bootstrap "
    "of the area, or auc_estimate(table)."
}
_PERFECT = (
    "Every point has fpr 0 or tpr 1: the likelihood is largest for classes that do not overlap, "
    "where parameters have no errors. Take the interval of auc_estimate(table)."
)


class Proper(Fit):
    """The curve of the likelihood ratio of two Normal distributions, which never has a hook.

    Attributes
    ----------
    method, parameters, covariance, covariance_method, loglik, n_cases
        As for `rocspace.results.Fit`; the parameters are ``d_a`` and ``c``.
    """

    _kind = "Fit"

    @property
    def auc(self) -> float:
        """Area under the curve, Phi(d) + 2 P(X < -d, Y < 0) with d = d_a / sqrt(2)."""
        from scipy.special import ndtr

        d, c = abs(self.parameters["d_a"]) / np.sqrt(2), self.parameters["c"]
        if abs(c) < _STRAIGHT:
            return float(ndtr(d))
        rho = -(1 - c * c) / (1 + c * c)
        return float(min(ndtr(d) + 2 * bivariate_normal(-d, 0.0, rho), 1.0))

    def _tpr(self, at: Any) -> Any:
        return self._pair().tpr(np.asarray(at, dtype=np.float64))

    def _fpr(self, at: Any) -> Any:  # with the classes exchanged it is a true positive rate
        pair = self._pair()
        return 1 - Pair(pair.d_a, -pair.c).tpr(1 - np.asarray(at, dtype=np.float64))

    def _slope(self, at: Any) -> Any:
        pair, at = self._pair(), np.asarray(at, dtype=np.float64)
        return np.broadcast_to(pair.ratio(pair.cut(at)), at.shape)  # that of the diagonal is 1

    def _integral(self, low: float, high: float) -> float:
        pair = self._pair()
        return pair.below(high) - pair.below(low)

    def _pair(self) -> Pair:
        return Pair(abs(self.parameters["d_a"]), self.parameters["c"])


@dataclass(frozen=True, slots=True)
class Pair:
    """Both Normal distributions, called positive where the likelihood ratio is high.

    With ``s = d_a sqrt(1 + c^2)`` and a cut v, a case is positive from x = (1 - c) v + s / 2 on, in
    units of the negatives: up (and below the mirror image) for c < 0, up to the mirror image
    for c > 0. The ratio is ``b exp(v (s - 2 c v))``, its extreme value at v = s / (4 c).
    """

    d_a: float
    c: float

    @property
    def s(self) -> float:
        """Distance of both means, in units that change with c."""
        return float(self.d_a * np.hypot(1, self.c))

    @property
    def vertex(self) -> float:
        """The cut at which all or none are positive; infinite for equal standard deviations."""
        return self.s / (4 * self.c) if abs(self.c) >= _STRAIGHT else -np.inf

    @property
    def other(self) -> float:
        """What the probit of the other tail is more than its own part."""
        return self.s / (2 * self.c) if abs(self.c) >= _STRAIGHT else -np.inf

    def tails(self, cut: Vector) -> tuple[Vector, Vector]:
        """Return the probits of both tails of the negatives."""
        return self._both(cut, 1 - self.c, -self.s / 2)

    def _both(self, cut: Vector, rate: float, shift: float) -> tuple[Vector, Vector]:
        with np.errstate(invalid="ignore"):
            two = np.asarray(-rate * cut + self.other)
        return -rate * cut + shift, np.where(np.isnan(two), -np.inf, two)

    def rates(self, cut: Vector) -> tuple[Vector, Vector]:
        """Return the false and true positive rates of cuts."""
        pos = self._both(cut, 1 + self.c, self.s / 2)
        return self._rate(*self.tails(cut)), self._rate(*pos)

    def _rate(self, one: Vector, two: Vector) -> Vector:
        from scipy.special import ndtr

        return np.asarray(ndtr(one) + ndtr(two) if self.c < _STRAIGHT else ndtr(one) - ndtr(-two))

    def cut(self, fpr: Vector) -> Vector:
        """Return the cuts with false positive rates, by halving a bracket of the first tail."""
        from scipy.special import ndtri

        middle = self.s / 2 + self.other
        ends = (fpr / 2, fpr) if self.c < _STRAIGHT else (fpr, (1 + fpr) / 2)
        low, high = (np.clip(ndtri(end), -40.0, 40.0) for end in ends)
        for _ in range(_HALVINGS):
            probit = (low + high) / 2
            less = self._rate(probit, probit + middle) < fpr
            low, high = np.where(less, probit, low), np.where(less, high, probit)
        found = -(high + self.s / 2) / (1 - self.c)
        none, whole = (np.inf, self.vertex) if self.c < _STRAIGHT else (self.vertex, -np.inf)
        return np.where(fpr <= 0, none, np.where(fpr >= 1, whole, found))

    def tpr(self, fpr: Vector) -> Vector:
        """Return the true positive rates at false ones."""
        inner = np.clip(self.rates(self.cut(fpr))[1], fpr, 1.0)
        return np.where(fpr <= 0, 0.0, np.where(fpr >= 1, 1.0, inner))

    def ratio(self, cut: Vector) -> Vector:
        """Return the likelihood ratio at cuts, the slope of the curve."""
        with np.errstate(invalid="ignore", over="ignore"):
            power = (self.s * cut if self.s else 0.0) - (
                2 * self.c * cut**2 if abs(self.c) >= _STRAIGHT else 0.0
            )
            power = np.where(np.isnan(power), 0.0, power)  # one distribution, at the ends
            return np.asarray((1 + self.c) / (1 - self.c) * np.exp(power))

    def below(self, fpr: float) -> float:
        """Return the area below the curve up to a false positive rate, in closed form."""
        if fpr <= 0:
            return 0.0
        one, two = self.tails(self.cut(np.asarray(fpr)))
        if self.c < _STRAIGHT:
            return self._beyond(one, two)
        mirror = -self.vertex * (1 - self.c) - self.s / 2
        return fpr - self._beyond(mirror, -mirror) + self._beyond(-two, -one)

    def _beyond(self, one: Any, two: Any) -> float:
        """Return the probability that a negative lies in a tail, and a positive further out."""
        size = 1 + self.c**2
        k, slant = self.d_a / np.sqrt(2), -(1 + self.c) / np.sqrt(2 * size)
        far = -np.inf if self.other == -np.inf else self.other * np.sqrt(size / 2)
        parts = ((one, k), (one, far), (two, -k), (two, -far))
        return float(sum(bivariate_normal(x, y, slant) for x, y in parts))


# --- the fit ------------------------------------------------------------------------------------


@of_table
def fit_proper(
    table: ScoreTable,
    *,
    cells: Literal["runs", "scores"] = "runs",
    covariance: Literal["expected", "observed", "sandwich"] | None = None,
) -> Fit:
    """Fit the proper binormal curve by maximum likelihood, as Metz and Pan do.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by rating or score, both classes present. Only their order is used.
    cells : {"runs", "scores"}, default "runs"
        The definition of a cell of the likelihood: each run of neighbouring scores of one class, or
        each score. The curve is the same, but the likelihood differs.
    covariance : {"expected", "observed", "sandwich"}, optional
        By default "expected" information for counts, and "sandwich" for weights. A bootstrap
        covariance is not offered: replicates reach the boundary, where the area is not locally
        linear in the parameters.

    Returns
    -------
    Fit
        With parameters ``d_a``, at least 0, and ``c`` in (-1, 1). It is on the "boundary", without
        standard errors, if the likelihood is largest at d_a = 0; "degenerate" if every point of
        the curve has fpr 0 or tpr 1; "separated" as the fit of `fit_labroc`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the ranks do not determine two parameters, as with two scores, or an option does not
        suit the table.

    Notes
    -----
    This is the binormal model with ``a = d_a sqrt((1 + b^2) / 2)`` and ``b = (1 + c) / (1 - c)``,
    whose cases are ranked by the likelihood ratio of both Normal distributions: the curve is
    concave, never below the diagonal, and has at least the area of the binormal curve with the same
    a and b. The area is ``Phi(d) + 2 P(X < -d, Y < 0)`` with ``d = d_a / sqrt(2)`` and two standard
    Normal variables of correlation ``-(1 - c^2) / (1 + c^2)``; parts of it are sums of such
    probabilities.

    The likelihood is that of `fit_rating` with other distributions. It may have several local
    maxima. O(k) for each of some ten steps. Six starts, two of them on the boundary, are tried in
    at most 50 merged cells, and the best two are continued with all cells.

    References
    ----------
    Metz and Pan (1999), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_proper(tabulate(data.y_true, data.y_score))
    >>> fit
    Fit(proper, d_a=0, c=-0.288518, boundary)
    >>> round(fit.auc, 3)
    0.679
    """
    how = covariance or ("sandwich" if table.is_weighted else "expected")
    check_choice("covariance", how, ("expected", "observed", "sandwich"))
    check_choice("cells", cells, ("runs", "scores"))
    found_cells = cells_of(table, runs=cells == "runs")
    flags = separation("proper", found_cells)
    fpr, tpr = found_cells.points
    if ((fpr == 0) | (tpr == 1)).all():
        flags["degenerate"] = _PERFECT
        fields = likelihood_of(table, saturated(found_cells), fpr.size + 2)
        limits = {"d_a": np.inf, "c": np.nan}
        return stepped("proper", limits, "fpr", 0.0, flags, df=df_of(table), **fields)
    found = _best(found_cells, roc_curve(table).auc)
    spread = np.full((2, 2), np.nan)
    if found.x[0] == 0:
        flags = {**flags, **_BOUNDARY}
    else:
        spread = CellHill(found_cells, proper_edges, 2, found.x).covariance(found_cells, how)
    return Proper(
        method="proper",
        parameters={"d_a": float(found.x[0]), "c": float(found.x[1])},
        covariance=spread,
        covariance_method=UNKNOWN if found.x[0] == 0 else MEASURED.get(how, how),
        flags={**flags, **found.flags},
        df=df_of(table),
        cuts=cuts_of(table, found_cells, _probits(found.x)),
        **likelihood_of(table, found.value, found.x.size),
    )


def _best(cells: Cells, area: float) -> Maximum:
    """Return the highest maximum of several, inside and on the boundary."""
    from scipy.special import ndtri, xlogy

    d_a = float(np.sqrt(2) * ndtri(np.clip(area, 0.6, 0.995)))
    best = _highest(cells, proper_edges, [Pair(d_a, c) for c in _SHAPES], 2)
    edge = _highest(cells, _boundary_edges, [Pair(0.0, c) for c in (-0.6, 0.6)], 1)
    # The diagonal, both distributions being one, has no shape and needs no search.
    pooled = cells.neg + cells.pos
    chance = Maximum(
        np.concatenate([[0.0, 0.0], -ndtri(1 - np.cumsum(pooled)[:-1] / pooled.sum())]),
        float(xlogy(pooled, pooled / pooled.sum()).sum()),
        converged=True,
    )
    found = max((chance, edge), key=_rank)
    return best if _rank(best) > (found.converged, found.value + _GAIN) else found


def _rank(found: Maximum) -> tuple[bool, float]:
    return found.converged, found.value


def _highest(cells: Cells, edges: Edges, starts: list[Pair], size: int) -> Maximum:
    """Return the highest maximum; of many cells, that near the highest of few merged ones."""
    few = _merged(cells)
    found = max((_climbed(few, edges, start, size) for start in starts), key=_rank)
    return found if few is cells else _climbed(cells, edges, Pair(*found.x[:2]), size)


def _merged(cells: Cells) -> Cells:
    """Merge neighbouring cells into at most `_FEW` with about as many cases each."""
    if cells.neg.size <= _FEW:
        return cells
    share = np.cumsum(cells.neg + cells.pos) * (_FEW / (cells.neg + cells.pos).sum())
    first = np.unique(np.searchsorted(share, np.arange(_FEW), side="right"))
    neg, pos, neg_w2, pos_w2 = (
        np.add.reduceat(each, first) for each in (cells.neg, cells.pos, cells.neg_w2, cells.pos_w2)
    )
    return Cells(neg=neg, pos=pos, neg_w2=neg_w2, pos_w2=pos_w2, last=cells.last[first])


def _climbed(cells: Cells, edges: Edges, pair: Pair, size: int) -> Maximum:
    start = _start(cells, pair)
    found = climb_cells(cells, edges, start[2 - size :], size)
    x = np.concatenate([np.zeros(2 - size), found.x])
    if x[0] < 0:  # the mirror image has the same curve
        x[2:] -= Pair(x[0], x[1]).other
        x[0] = -x[0]
    return Maximum(x, found.value, found.converged)


def _start(cells: Cells, pair: Pair) -> Vector:
    """Return the parameters, and cuts that share out all cases."""
    low, high = (pair.vertex, 9.0) if pair.c < 0 else (-9.0, pair.vertex)
    grid = np.linspace(max(low, -9.0), min(high, 9.0), _GRID)[1:-1]
    fpr, tpr = pair.rates(grid)
    below = cells.neg.sum() * (1 - fpr) + cells.pos.sum() * (1 - tpr)
    cuts = np.interp(np.cumsum(cells.neg + cells.pos)[:-1], below, grid)
    if not (np.diff(cuts) > 0).all():
        cuts = cuts[0] + np.cumsum(np.append(0.0, np.maximum(np.diff(cuts), 1e-9)))
    return np.concatenate([[pair.d_a, pair.c], cuts])


def _probits(x: Vector) -> Vector:
    """Return cuts on the scale of the probits of the false positive rate."""
    from scipy.special import ndtri

    pair = Pair(x[0], x[1])
    return x[2:] if x[0] == x[1] == 0 else -ndtri(pair.rates(x[2:])[0])


def _boundary_edges(parameters: Vector, cuts: Vector) -> tuple[Edge, Edge] | None:
    """Return the distributions on the boundary, d_a = 0, by c alone."""
    found = proper_edges(np.array([0.0, parameters[0]]), cuts)
    if found is None:
        return None
    neg, pos = (
        replace(each, by=each.by[1:], at_by=each.at_by[1:], by_by=each.by_by[1:, 1:])
        for each in found
    )
    return neg, pos


def proper_edges(parameters: Vector, cuts: Vector) -> tuple[Edge, Edge] | None:
    """Return both distributions at cuts of the likelihood ratio."""
    d, c = parameters
    if not _STRAIGHT < abs(c) < 1:
        return None
    vertex = Pair(d, c).vertex
    if not (cuts[0] > vertex if c < 0 else cuts[-1] < vertex):
        return None
    root = np.hypot(1, c)
    # Of sqrt(1 + c^2) / 2 and sqrt(1 + c^2) / (2 c): themselves and two derivatives by c.
    half = np.array([root, c / root, root**-3]) / 2
    other = np.array([root / c, -1 / (c * c * root), 2 / (c**3 * root) + 1 / (c * root**3)]) / 2
    neg = _edge(c, cuts, d, (-(1 - c), 1.0), (-half, other))
    pos = _edge(c, cuts, d, (-(1 + c), -1.0), (half, other))
    return neg, pos


def _edge(
    c: float, cuts: Vector, d: float, steep: tuple[float, float], shifts: tuple[Vector, Vector]
) -> Edge:
    """Return a distribution of two tails, with probits ``steep v + d shift`` and derivatives."""
    from scipy.special import ndtr

    rate, by_c = steep
    at, at_at = np.zeros_like(cuts), np.zeros_like(cuts)
    by, at_by, by_by = (np.zeros((*size, cuts.size)) for size in ((2,), (2,), (2, 2)))
    probits = []
    for shift, slope, bend in shifts:
        u = rate * cuts + d * shift
        probits.append(u)
        density = normal_density(u)
        first = np.array([np.full(cuts.size, shift), by_c * cuts + d * slope])
        second = np.zeros((2, 2, cuts.size))
        second[0, 1] = second[1, 0] = slope
        second[1, 1] = d * bend
        at -= density * rate
        at_at += u * density * rate**2
        by -= density * first
        at_by -= density * (np.array([[0.0], [by_c]]) - u * rate * first)
        by_by -= density * (second - u * first[:, None] * first)
    one, two = probits
    if c < 0:
        below, above = ndtr(-one) - ndtr(two), ndtr(one) + ndtr(two)
    else:
        below, above = ndtr(-one) + ndtr(-two), ndtr(one) - ndtr(-two)
    return Edge(below, above, at, at_at, by, at_by, by_by)
