"""Binormal curves from the placements of positives among negatives: four rank-based methods.

The placement of a positive is the share of negatives that score as high or higher. Its
distribution is the ROC curve: a line in probits is fitted to that in four ways.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.checks import check_choice, check_fraction
from rocspace._base.text import brief
from rocspace.counts.table import ScoreTable, of_table
from rocspace.counts.weights import squares_of
from rocspace.models.binormal import binormal_fit
from rocspace.models.bivariate import bivariate_normal, normal_density
from rocspace.models.fitting import df_of, errors_of, flag_ties, limits_of, stepped
from rocspace.models.maximum import UNCONVERGED, climb, room_for
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit

Errors: TypeAlias = Literal["sandwich", "bootstrap"]

# A rule for integrals over (0, 1) whose nodes are dense at both ends, where probits are steep.
_POINTS, _SHARES = np.polynomial.legendre.leggauss(12)
_POINTS = (_POINTS + 1) / 2
_NODES = _POINTS**4 * (35 - 84 * _POINTS + 70 * _POINTS**2 - 20 * _POINTS**3)
_WEIGHTS = 70 * (_POINTS * (1 - _POINTS)) ** 3 * _SHARES
_STEPS = 100  # of iterations that converge in about ten
_DONE = 1e-12  # change of the parameters after which an iteration is over
_GRID = 50  # rates of a weighted table
_NEAR = 1e-15  # gain of squared distance below which a step is the last
_LEAST = 1e-8  # slope below which a curve is flat
_WIDEST = 5.0  # size of ln b beyond which it is not sought
_SEPARATED = (
    "At all rates, but one at most, all positives are placed below it or none: the likelihood has "
    "no maximum, and the parameters are those of Firth's penalised score, which always exist. Take "
    "the empirical area, auc_estimate(table)."
)
_BOUNDARY = (
    "The distance is least at the end of the range that is searched, b = {}: the shape is hardly "
    "determined. Take the empirical area, auc_estimate(table)."
)
_FLAT = (
    "The curve is {} {} between its ends: b is {} there, and parameters have no errors. "
    "Take the empirical area, auc_estimate(table)."
)


class _Placed:
    """The empirical curve by rows of a table, the most positive first.

    Attributes
    ----------
    at : ndarray, shape (k,)
        Share of negatives that score as high as a row or higher.
    inner : ndarray, shape (k,)
        The same with half of those of the row itself: where its negatives are placed.
    pos, neg : ndarray, shape (k,)
        Shares of both classes.
    """

    def __init__(self, table: ScoreTable) -> None:
        n0, n1 = float(table.n_neg), float(table.n_pos)
        self.table = table
        self.pos, self.neg = table.pos / n1, table.neg / n0
        self.at = np.cumsum(table.neg) / n0
        self.at[-1] = 1.0
        self.inner = self.at - self.neg / 2
        self._tpr = np.append(0.0, np.cumsum(table.pos) / n1)
        self._tpr[-1] = 1.0

    def tpr(self, rates: Vector) -> Vector:
        """Return the share of positives whose placement is not above a rate."""
        return self._tpr[np.searchsorted(self.at, rates, side="right")]

    def polygon(self) -> tuple[Ints, Vector, Vector]:
        """Return rows, placements and shares of positives spread over the tied negatives.

        A row of both classes is a slanted piece of the curve, given by points and weights of
        a rule for integrals.
        """
        tied = (self.pos > 0) & (self.neg > 0)
        plain, slanted = np.flatnonzero((self.pos > 0) & ~tied), np.flatnonzero(tied)
        low = (self.at - self.neg)[slanted]
        inside = np.clip(low[:, None] + np.outer(self.neg[slanted], _NODES), 0, 1)
        return (
            np.concatenate([plain, np.repeat(slanted, _NODES.size)]),
            np.concatenate([self.at[plain], inside.ravel()]),
            np.concatenate([self.pos[plain], np.outer(self.pos[slanted], _WEIGHTS).ravel()]),
        )

    def sandwich(self, pos: Vector, neg: Vector) -> Vector:
        """Return the covariance from the influence of a case of each row, by class."""
        total = np.zeros((len(pos), len(pos)))
        classes = ((pos, self.pos, self.table.n_pos), (neg, self.neg, self.table.n_neg))
        for (influence, share, n), square in zip(classes, squares_of(self.table), strict=True):
            there = share > 0
            gap = influence[:, there] - (influence[:, there] @ share[there])[:, None]
            total += (gap * square[there]) @ gap.T / float(n) ** 2
        return total

    def errors(
        self,
        how: Errors,
        influences: Callable[[], tuple[Vector, Vector]],
        again: Callable[[ScoreTable], Fit],
        n_boot: int,
        rng: Rng,
    ) -> dict[str, Any]:
        """Return the fields of a fit's errors, and its cuts."""

        def sandwich() -> Vector:
            return self.sandwich(*influences())

        errors = errors_of(self.table, how, again, sandwich, n_boot, rng)
        return errors | {"cuts": self.cuts()}

    def cuts(self) -> tuple[Vector, Vector]:
        """Return thresholds, most positive first, and their observed false positive rates."""
        none = np.inf if self.table.higher_is_positive else -np.inf
        return np.append(none, self.table.score.astype(np.float64)), np.append(0.0, self.at)

    def flat(self, method: str) -> Fit | None:
        """Return the fit without a shape where the empirical curve has one step, or none inside."""
        _, at, _ = self.polygon()
        inside = np.unique(at[at < 1])
        if inside.size == 1 and inside[0] > 0 and (at < 1).all():
            return degenerate(method, "fpr", float(inside[0]), df_of(self.table))
        if not (inside > 0).any():
            return degenerate(method, "tpr", float(self.tpr(np.zeros(1))[0]), df_of(self.table))
        return None


def degenerate(
    method: str,
    axis: Literal["fpr", "tpr"],
    at: float,
    df: float,
    flags: dict[str, str] | None = None,
) -> Fit:
    """Return the fit of a curve that stays at one rate."""
    where = ("at tpr", "0") if axis == "tpr" else ("upright at fpr", "infinite")
    text = _FLAT.format(where[0], brief(at), where[1])
    flags = {**(flags or {}), "degenerate": text}
    return stepped(method, limits_of(axis, at), axis, at, flags, df=df)


def _rates(name: str, rates: ArrayLike | None, usual: Vector) -> Vector:
    """Return rates inside (0, 1), each once, in order."""
    if rates is None:
        return usual
    found = np.unique(np.atleast_1d(check_fraction("rates", rates)))
    if not (found.size and found[0] > 0 and found[-1] < 1):
        msg = (
            f"{name} takes rates strictly between 0 and 1, but some are at an end, or none is "
            "given."
        )
        raise ValueError(msg)
    return np.asarray(found)


# --- least squares ------------------------------------------------------------------------------


@of_table
def fit_gls(table: ScoreTable, *, rates: ArrayLike | None = None) -> Fit:
    """Fit a line to points of the empirical curve on probit axes by generalised least squares.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    rates : array-like, optional
        False positive rates in (0, 1) of the points. By default j / (k + 1) for j = 1 to k,
        k the square root of the number of cases of the smaller class, from 2 to 9. Rates whose
        tpr is 0 or 1 are left out.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``; "degenerate" if all points have one tpr, "tied" if ties
        lower the area by more than a third of its standard error.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If fewer than two points have a tpr inside (0, 1), or a rate is not inside (0, 1).

    Notes
    -----
    The model is ``Phi^-1(tpr) = a + b Phi^-1(t) + error``; the errors at t_i <= t_j have the
    covariance ``R_i (1 - R_j) / (P phi(q_i) phi(q_j)) + b^2 t_i (1 - t_j) / (N phi(z_i) phi(z_j))``
    with z the probit of t, q = a + b z and R = Phi(q). It is recomputed from the latest a and b
    until they converge. O(k^3) for k rates. For weighted tables P and N are effective numbers of
    cases. Near an area of 1 few rates are left: rates and parts are covered in 92 percent of
    samples of 200 + 50 Normal scores of area .97, in 95 elsewhere.

    References
    ----------
    Hsieh and Turnbull (1996), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_gls(tabulate(data.y_true, data.y_score), rates=[0.2, 0.4, 0.6, 0.8])
    Fit(gls, a=0.659471, b=0.762763, improper)
    """
    from scipy.special import ndtri

    placed = _Placed(table)
    n0, n1 = (float(n) for n in table.n_eff[::-1])
    many = max(2, min(9, int(np.sqrt(min(n0, n1)))))
    at = _rates("fit_gls", rates, np.arange(1, many + 1) / (many + 1))
    tpr = placed.tpr(at)
    inside = (tpr > 0) & (tpr < 1)
    at, tpr = at[inside], tpr[inside]
    if at.size < 2:
        msg = (
            f"fit_gls needs two rates at which the empirical tpr is inside (0, 1), but here is "
            f"{at.size}. Give other rates=..., or take the empirical curve, roc_curve(table)."
        )
        raise ValueError(msg)
    if tpr[0] == tpr[-1]:
        return degenerate("gls", "tpr", float(tpr[0]), df_of(table))
    z, y = ndtri(at), ndtri(tpr)
    line = np.column_stack([np.ones(z.size), z])
    start = np.asarray(np.linalg.lstsq(line, y, rcond=None)[0], dtype=np.float64)
    theta, settled = start, False
    for _ in range(_STEPS):
        covariance = _errors_of_points(theta if theta[1] > 0 else start, at, z, (n0, n1))
        weighted = np.linalg.solve(covariance, line)
        spread = np.linalg.inv(line.T @ weighted)
        last, theta = theta, spread @ (weighted.T @ y)
        settled = bool(np.abs(theta - last).max() < _DONE * (1 + np.abs(theta).max()))
        if settled:
            break
    if not theta[1] > 0:
        theta, settled = start, False
    flags = {} if settled else UNCONVERGED
    fit = binormal_fit(
        "gls",
        *theta,
        covariance=spread,
        covariance_method="least squares",
        df=df_of(table),
        cuts=placed.cuts(),
        flags=flags,
    )
    return flag_ties(fit, table)


def _errors_of_points(theta: Vector, at: Vector, z: Vector, n: tuple[float, float]) -> Vector:
    """Return the covariance of the probits of the empirical tpr."""
    from scipy.special import ndtr

    q = theta[0] + theta[1] * z
    total = np.zeros((z.size, z.size))
    for share, probit, scale in ((at, z, theta[1] ** 2 / n[0]), (ndtr(q), q, 1 / n[1])):
        low = np.minimum.outer(share, share) - np.outer(share, share)
        total += scale * low / np.outer(normal_density(probit), normal_density(probit))
    return total


# --- least distance -----------------------------------------------------------------------------


@of_table
def fit_minimum_distance(
    table: ScoreTable, *, covariance: Errors = "sandwich", n_boot: int = 1000, rng: Rng = 0
) -> Fit:
    """Fit the binormal curve that is nearest to the empirical one, by its squared distance.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    covariance : {"sandwich", "bootstrap"}, default "sandwich"
        From the influence of each case on both parameters, or from replicates.
    n_boot : int, default 1000
        Replicates of "bootstrap", which needs counts.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of "bootstrap".

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``; "degenerate" if the empirical curve has one step or none
        inside (0, 1), "boundary" if the search ends at an end of its range.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an option does not suit the table.

    Notes
    -----
    The fit minimises the integral over t of ``(R(t) - Phi(a + b Phi^-1(t)))^2``, where R is the
    empirical curve, which is slanted where scores are tied. The integrals are bivariate Normal
    probabilities; over slanted pieces they are computed by a rule of 12 points. O(k) for each of
    some ten steps.

    The standard errors need classes that overlap: with 200 + 50 Normal scores of area .97 intervals
    cover the area in 93 percent of samples, the part of it up to fpr .2 in 83, the fpr at tpr .8 in
    78, a in 76 and b in 53; b is too small, .74 instead of 1 in the median. With 30 + 30 of area
    .85 all cover in 93 or more.

    References
    ----------
    Hsieh and Turnbull (1996), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_minimum_distance(tabulate(data.y_true, data.y_score))
    >>> {name: round(value, 4) for name, value in fit.parameters.items()}
    {'a': 0.5762, 'b': 0.7295}
    """
    check_choice("covariance", covariance, Errors)
    method, placed = "minimum distance", _Placed(table)
    flat = placed.flat(method)
    if flat is not None:
        return flat
    found = climb(partial(_Nearness, placed), _start(placed), near=_NEAR)
    a, b = float(found.x[0]), float(np.exp(found.x[1]))
    flags = found.flags
    if abs(found.x[1]) > 0.99 * _WIDEST:
        flags = {"boundary": _BOUNDARY.format(brief(b))}
    pulls = partial(_pulls, placed, a, b)
    errors = placed.errors(covariance, pulls, fit_minimum_distance, n_boot, rng)
    return binormal_fit(method, a, b, flags=flags, **errors)


def _start(placed: _Placed) -> Vector:
    """Return a and ln b by a line through the empirical curve at nine rates."""
    from scipy.special import ndtri

    at = np.arange(1, 10) / 10
    n1 = float(placed.table.n_eff[0])
    y = ndtri((placed.tpr(at) * n1 + 0.5) / (n1 + 1))
    b, a = np.polyfit(ndtri(at), y, 1)
    return np.array([a, np.log(np.clip(b, 0.1, 10.0))])


def _rises(z: Vector, a: float, b: float) -> Vector:
    """Return the integrals, up to the rates of z, of the curve's derivatives by a and b."""
    from scipy.special import ndtr

    root = np.hypot(1.0, b)
    u, c = root * z + a * b / root, a * b / root
    top = normal_density(np.asarray(a / root)) / root
    return np.array([top * ndtr(u), top / root * (-normal_density(u) - c * ndtr(u))])


class _Nearness:
    """Minus the squared distance at a and ln b, up to a constant, for Gauss and Newton's steps."""

    def __init__(self, placed: _Placed, x: Vector) -> None:
        from scipy.special import ndtr, ndtri

        self.x, self.value = x, float("-inf")
        if not abs(x[1]) < _WIDEST:
            return
        a, b = float(x[0]), float(np.exp(x[1]))
        root = np.hypot(1.0, b)
        q, s = a / root, b / root
        _, at, share = placed.polygon()
        z = ndtri(at)
        square = float(bivariate_normal(q, q, s * s))
        self.value = 2 * (float(ndtr(q)) - float(share @ bivariate_normal(z, q, -s))) - square
        cross = _rises(np.array(np.inf), a, b) - _rises(z, a, b) @ share
        middle = np.array(a / root**2 / np.hypot(1.0, s))
        top = float(normal_density(np.array(q))) / root
        bent = s / np.hypot(1.0, s) * float(normal_density(middle))
        level = float(ndtr(middle))
        own = np.array([top * level, top / root * (bent - a * b / root * level)])
        self._inner = np.array([1.0, b])
        self.gradient = 2 * (cross - own) * self._inner
        self._curvature = 2 * _steepness(a, b) * np.outer(self._inner, self._inner)

    def ascent(self) -> Vector:
        """Return the step of Gauss and Newton."""
        return np.asarray(np.linalg.solve(self._curvature, self.gradient))

    def reach(self, step: Vector) -> float:
        """Return the share of a step that stays in the range of b."""
        return room_for(self.x[1], step[1], _WIDEST)


def _steepness(a: float, b: float) -> Vector:
    """Return the integral of the products of the curve's derivatives by a and b."""
    precision = 1 + 2 * b * b
    mean = -2 * a * b / precision
    scale = np.exp(-a * a / precision) / (2 * np.pi * np.sqrt(precision))
    return np.asarray(scale * np.array([[1, mean], [mean, mean**2 + 1 / precision]]))


def _pulls(placed: _Placed, a: float, b: float) -> tuple[Vector, Vector]:
    """Return the influence of a positive and of a negative of each row on a and b."""
    from scipy.special import ndtr, ndtri

    rows, at, share = placed.polygon()
    weight = share / placed.pos[rows]
    pos = -np.array(
        [np.bincount(rows, weight * each, placed.at.size) for each in _rises(ndtri(at), a, b)]
    )
    y = a + b * ndtri(placed.inner)
    first = ndtr(-np.sqrt(2) * y) / (2 * np.sqrt(np.pi))
    neg = -np.array([first, (normal_density(y) ** 2 / 2 - a * first) / b])
    bread = np.linalg.inv(_steepness(a, b))
    return bread @ pos, bread @ neg


# --- pseudo-likelihood --------------------------------------------------------------------------


@of_table
def fit_pseudo_likelihood(
    table: ScoreTable, *, covariance: Errors = "sandwich", n_boot: int = 1000, rng: Rng = 0
) -> Fit:
    """Fit a binormal curve by the likelihood of placements, as if they were known exactly.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    covariance, n_boot, rng
        As for `fit_minimum_distance`; the influence of negatives is through the placements.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``; "degenerate" if all positives have one placement, "tied"
        if ties lower the area by more than a third of its standard error.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an option does not suit the table.

    Notes
    -----
    O(k). ``z_i = Phi^-1((number of negatives at or above positive i + 1/2) / (N + 1))`` would be
    N(-a / b, 1 / b^2), so that ``b = 1 / sd(z)`` and ``a = -mean(z) / sd(z)``, with divisor P.
    Reversing the scores, or exchanging the classes, gives another curve. For weighted tables N is
    the effective number.

    All positives above all negatives have one placement, 1 / (2 (N + 1)), so that sd(z) is too
    small and b too large: with 50 + 50 Normal scores of area .85 they are 24 percent of the
    positives, and b is 1.25 on average instead of 1. The area hardly changes, but partial areas at
    low rates are too small; up to fpr .2 they are too small by .6 standard errors, and their
    intervals cover in 89 percent (91 with 200 + 200, 93 with 50 + 500, 95 with 1000 + 1000). The
    standard errors are right. Where positives spread twice as widely (30 + 30, area .85) the rate
    at fpr .1 is covered in 59 percent, that part in 46, slope and b in none; where they spread half
    as widely, all in 97 or more. Prefer `fit_labroc`.

    References
    ----------
    Cai and Moskowitz (2004), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_pseudo_likelihood(tabulate(data.y_true, data.y_score))
    Fit(pseudo-likelihood, a=0.606731, b=1.09723)
    """
    from scipy.special import ndtri

    check_choice("covariance", covariance, Errors)
    method, placed = "pseudo-likelihood", _Placed(table)
    n0 = float(table.n_eff[1])
    at = (placed.at * n0 + 0.5) / (n0 + 1)
    there = np.unique(at[placed.pos > 0])
    if there.size == 1:
        return degenerate(method, "fpr", float(there[0]), df_of(table))
    z = ndtri(at)
    mean = float(placed.pos @ z)
    gap = z - mean
    sd = float(np.sqrt(placed.pos @ gap**2))

    def influences() -> tuple[Vector, Vector]:
        """Of the mean and the variance first, then of a and b."""
        moments = np.array([gap, gap**2])
        slopes = (
            np.array([np.ones(z.size), 2 * gap]) * (placed.pos / normal_density(z)) * n0 / (n0 + 1)
        )
        by_neg = np.cumsum(slopes[:, ::-1], axis=1)[:, ::-1]  # of positives that score no higher
        change = np.array([[-1 / sd, mean / (2 * sd**3)], [0, -1 / (2 * sd**3)]])
        return change @ moments, change @ by_neg

    errors = placed.errors(covariance, influences, fit_pseudo_likelihood, n_boot, rng)
    return flag_ties(binormal_fit(method, -mean / sd, 1 / sd, **errors), table)


# --- binary regression --------------------------------------------------------------------------


@of_table
def fit_roc_glm(
    table: ScoreTable,
    *,
    rates: ArrayLike | None = None,
    covariance: Errors = "sandwich",
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a binormal curve by probit regression of which positives are placed below which rate.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    rates : array-like, optional
        False positive rates in (0, 1). By default all j / N for 0 < j < N; j / 51 for j to 50 if
        the table has weights.
    covariance, n_boot, rng
        As for `fit_minimum_distance`; the influence of negatives is through the placements.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``. It is "separated" if, at all rates except at most one,
        either all or no positives are placed below the rate; Firth's score is then used. It is
        "degenerate" if the fitted curve is flat, and "tied" if ties lower the area by more than a
        third of its standard error.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no rate, as with one negative, or an option does not suit the table.

    Notes
    -----
    The indicator that positive i is placed at or below rate t has the probability ``Phi(a + b
    Phi^-1(t))``; all P m indicators of m rates are treated as independent, which the standard
    errors do not assume. The data are reduced to one count for each rate: O(k + m) for each of some
    ten steps. The sandwich is too small for few cases: b is covered in 89 percent of samples of 30
    + 30 Normal scores of area .85, the positives with twice the spread; other readings in 91 or
    more.

    References
    ----------
    Alonzo and Pepe (2002), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_roc_glm(tabulate(data.y_true, data.y_score), rates=[j / 10 for j in range(1, 10)])
    Fit(roc-glm, a=0.718693, b=0.712904, improper)
    """
    from scipy.special import ndtr, ndtri

    check_choice("covariance", covariance, Errors)
    method, placed = "roc-glm", _Placed(table)
    many = _GRID + 1 if table.is_weighted else int(table.n_neg)
    at = _rates("fit_roc_glm", rates, np.arange(1, many) / many)
    if at.size < 2:
        msg = (
            f"fit_roc_glm needs two rates for two parameters, but here is {at.size}. Give more "
            "with rates=..., or take the empirical curve, roc_curve(table)."
        )
        raise ValueError(msg)
    z, share, n1 = ndtri(at), placed.tpr(at), float(table.n_eff[0])
    separated = int(np.count_nonzero((share > 0) & (share < 1))) < 2
    theta, settled = _probit(z, share, n1, firth=separated)
    flags = {} if settled else dict(UNCONVERGED)
    if separated:
        flags["separated"] = _SEPARATED
    if not theta[1] > _LEAST:
        return degenerate(method, "tpr", float(ndtr(theta[0])), df_of(table), flags)

    def influences() -> tuple[Vector, Vector]:
        weight, information = _working(theta, z)
        line = np.array([np.ones(z.size), z])
        steps = np.linalg.solve(information, weight * line)
        q = theta[0] + theta[1] * z
        slope = theta[1] * normal_density(q) / normal_density(z)
        none = np.zeros((2, 1))
        pos, neg = (
            np.concatenate([np.cumsum(each[:, ::-1], axis=1)[:, ::-1], none], axis=1)
            for each in (steps, -steps * slope)
        )
        return (
            pos[:, np.searchsorted(at, placed.at, side="left")],
            neg[:, np.searchsorted(at, placed.inner, side="left")],
        )

    again = partial(fit_roc_glm, rates=rates)
    errors = placed.errors(covariance, influences, again, n_boot, rng)
    return flag_ties(binormal_fit(method, *theta, flags=flags, **errors), table)


def _working(theta: Vector, z: Vector) -> tuple[Vector, Vector]:
    """Return the weight of a residual at each rate, and the information of one positive."""
    from scipy.special import log_ndtr

    q = theta[0] + theta[1] * z
    weight = np.exp(-q * q / 2 - np.log(2 * np.pi) / 2 - log_ndtr(q) - log_ndtr(-q))
    line = np.array([np.ones(z.size), z])
    return weight, (line * weight * normal_density(q)) @ line.T


def _probit(z: Vector, share: Vector, n1: float, *, firth: bool) -> tuple[Vector, bool]:
    """Return a and b of the probit regression of shares of n1 cases, and whether it converged."""
    from scipy.special import ndtr, ndtri

    line = np.array([np.ones(z.size), z])
    theta = np.linalg.lstsq(line.T, ndtri((share * n1 + 0.5) / (n1 + 1)), rcond=None)[0]
    for _ in range(_STEPS):
        q = theta @ line
        weight, information = _working(theta, z)
        score = line @ (weight * (share - ndtr(q)))
        if firth:
            leverage = (
                weight * normal_density(q) * (line * np.linalg.solve(information, line)).sum(axis=0)
            )
            score = score - line @ (leverage * q) / (2 * n1)
        step = np.linalg.solve(information, score)
        size = float(np.abs(step).max())
        theta = theta + step * min(1.0, 1 / size if size > 0 else 1.0)
        if size < 1e-10 * (1 + float(np.abs(theta).max())):
            return theta, True
    return theta, False
