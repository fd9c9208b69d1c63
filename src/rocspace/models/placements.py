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
from rocspace.models.binormal import binormal_fit
from rocspace.models.bivariate import bivariate_normal
from rocspace.models.fitting import (
    MEASURED,
    df_of,
    errors_of,
    flag_ties,
    larger,
    limits_of,
    placed_shares,
    sandwich_of,
    spread_under,
    stepped,
)
from rocspace.models.maximum import UNCONVERGED, climb, room_for
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit
from rocspace.results.proportions import normal_density

Errors: TypeAlias = Literal["larger", "sandwich", "bootstrap"]
Placements: TypeAlias = Literal["intervals", "midpoints"]

# A rule for integrals over (0, 1) whose nodes are dense at both ends, where probits are steep.
_POINTS, _SHARES = np.polynomial.legendre.leggauss(12)
_POINTS = (_POINTS + 1) / 2
_NODES = _POINTS**4 * (35 - 84 * _POINTS + 70 * _POINTS**2 - 20 * _POINTS**3)
_WEIGHTS = 70 * (_POINTS * (1 - _POINTS)) ** 3 * _SHARES
_PROBITS = np.linspace(-8.5, 8.5, 257)  # where means under a curve are summed
_CHANCE = normal_density(_PROBITS) * (_PROBITS[1] - _PROBITS[0])
_STEPS = 100  # of iterations that converge in about ten
_NONE = 1e-12  # of a rate: rounding
_DONE = 1e-12  # change of the parameters after which an iteration is over
_GRID = 50  # rates of a weighted table
_MOST = 20  # negatives whose rates tell within 5 percent as much of a and b as those of all
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

    def ranks(self) -> Vector:
        """Return the mean false positive rate of a cut just above the negatives of each score.

        Of N negatives the i-th highest is passed by i / (N + 1) on average, whatever their
        distribution is.
        """
        n0 = float(self.table.n_eff[1])
        above = (self.at - self.neg)[self.neg > 0]
        return np.asarray((above * n0 + 1) / (n0 + 1))

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

    def errors(
        self,
        how: Errors,
        influences: Callable[[], tuple[Vector, Vector]],
        expected: Callable[[], Vector],
        again: Callable[[ScoreTable], Fit],
        n_boot: int,
        rng: Rng,
    ) -> dict[str, Any]:
        """Return the fields of a fit's errors, and its cuts."""

        def measured() -> Vector:
            spread = sandwich_of(self.table, influences())
            return spread if how == "sandwich" else larger(spread, expected())

        errors = errors_of(self.table, how, again, measured, n_boot, rng)
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
def fit_gls(
    table: ScoreTable,
    *,
    rates: ArrayLike | None = None,
    covariance: Literal["squared-error", "expected"] = "squared-error",
) -> Fit:
    """Fit a line to points of the empirical curve on probit axes by generalised least squares.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    rates : array-like, optional
        False positive rates in (0, 1) of the points. By default those at the negatives, i / (N + 1)
        at the i-th highest; of more than 20 the ones nearest to 20 rates evenly spaced in probits.
        Rates whose tpr is 0 or 1 are left out.
    covariance : {"squared-error", "expected"}, default "squared-error"
        "expected" is that of least squares; "squared-error" adds the squared bias under the fitted
        curve.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``; "degenerate" if all points have one tpr, "tied" if ties
        may lower the area by more than a third of its standard error.

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
    cases.

    The paper leaves the rates to the user. The empirical tpr at a rate between i - 1 and i in N is
    that at the score of the i-th highest negative, which is passed by i / (N + 1) of all negatives
    on average: the default rates. Of tied negatives only the first counts, so that ratings give
    one point for each, with a rate that is too high by 1 / (N + 1) at most. 20 rates tell of a and
    b at least 95 percent of what all tell, by the area of their ellipse (``python -m
    benchmarks.constants.least_squares_rates``). At rates that do not depend on the scores, such as
    j / 8, the fit often has no two points near an area of 1, and its error is too small where b is.

    The bias of the points under the fitted curve is known, since the number of negatives above a
    positive is binomial. Of 30 + 30 to 50 + 200 and 200 + 50 Normal scores, areas .75 to .97, all
    intervals and bands cover in 94 percent of samples or more.

    References
    ----------
    Hsieh and Turnbull (1996), no numbered equation, for the fit; David and Nagaraja (2003), section
    3.1, for the mean rates.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_gls(tabulate(data.y_true, data.y_score), rates=[0.2, 0.4, 0.6, 0.8])
    Fit(gls, a=0.659471, b=0.762763, improper)
    """
    from scipy.special import ndtri

    check_choice("covariance", covariance, ("squared-error", "expected"))
    placed = _Placed(table)
    n0, n1 = (float(n) for n in table.n_eff[::-1])
    at = _rates("fit_gls", rates, _spaced(placed.ranks()))
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
    theta, spread, weighted, settled = _weighted_line(at, ndtri(at), ndtri(tpr), (n0, n1))
    how = "least squares"
    if covariance == "squared-error":
        how = MEASURED[covariance]
        bias = spread @ (weighted.T @ _bias_of_points(float(theta[0]), float(theta[1]), at, n0))
        spread = spread + np.outer(bias, bias)
    fit = binormal_fit(
        "gls",
        *theta,
        covariance=spread,
        covariance_method=how,
        df=df_of(table),
        cuts=placed.cuts(),
        flags={} if settled else UNCONVERGED,
    )
    return flag_ties(fit, table, fit.auc / (n0 + 1) if rates is None else np.inf)


def _weighted_line(
    at: Vector, z: Vector, y: Vector, n: tuple[float, float]
) -> tuple[Vector, Vector, Vector, bool]:
    """Fit a line to correlated points by generalized least squares, weighted anew at each step.

    Return intercept and slope, their covariance, the weights of the points, and whether the steps
    settled. Where they lead to a slope that is not positive, the line is that of least squares.
    """
    line = np.column_stack([np.ones(z.size), z])
    start = np.asarray(np.linalg.lstsq(line, y, rcond=None)[0], dtype=np.float64)
    theta, settled = start, False
    for _ in range(_STEPS):
        errors = _errors_of_points(theta if theta[1] > 0 else start, at, z, n)
        weighted = np.asarray(np.linalg.solve(errors, line), dtype=np.float64)
        spread = np.asarray(np.linalg.inv(line.T @ weighted), dtype=np.float64)
        last, theta = theta, spread @ (weighted.T @ y)
        settled = bool(np.abs(theta - last).max() < _DONE * (1 + np.abs(theta).max()))
        if settled:
            break
    if not theta[1] > 0:
        theta, settled = start, False
    return theta, spread, weighted, settled


def _spaced(rates: Vector) -> Vector:
    """Return those of increasing rates that are nearest to some evenly spaced in probits."""
    from scipy.special import ndtri

    if rates.size <= _MOST:
        return rates
    z = ndtri(rates)
    goals = np.linspace(z[0], z[-1], _MOST)
    return rates[np.unique(np.searchsorted((z[1:] + z[:-1]) / 2, goals))]


def _bias_of_points(a: float, b: float, at: Vector, n0: float) -> Vector:
    """Return the bias of the probits of the empirical tpr."""
    from scipy.special import ndtri

    return _bias_of_tpr(a, b, at, n0) / normal_density(a + b * ndtri(at))


def _bias_of_tpr(a: float, b: float, at: Vector, n0: float) -> Vector:
    """Return the bias of the empirical tpr at some rates."""
    from scipy.special import ndtr, ndtri

    placed, share, ratio = placed_shares(ndtr((_PROBITS - a) / b), _CHANCE, n0)
    seen = np.cumsum(share)[np.searchsorted(placed, at + _NONE, side="right") - 1]
    return np.asarray((seen - ndtr(a + b * ndtri(at))) * ratio)


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
    table: ScoreTable, *, covariance: Errors = "larger", n_boot: int = 1000, rng: Rng = 0
) -> Fit:
    """Fit the binormal curve that is nearest to the empirical one, by its squared distance.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    covariance : {"larger", "sandwich", "bootstrap"}, default "larger"
        "sandwich" is from the influence of each case on both parameters; "larger" the larger, in
        every direction, of that and of the mean squared error under the fitted curve; "bootstrap"
        from replicates.
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

    Positives above all negatives have the placement 0, whatever their false positive rate is: the
    expected empirical curve is flatter than the curve where that is steep, and so is the fit. Of
    200 + 50 Normal scores of area .97 b is .79 on average instead of 1, and the sandwich is half of
    its spread, since few placements are not 0. The mean squared error is that under the fitted
    curve less its own bias: the covariance of the influences and the squared bias, of placements
    among N negatives, which are binomial. With it all intervals cover in 94 percent of these
    samples or more, but that of the area up to fpr .2 in 92, with "sandwich" b in 50 (``python -m
    benchmarks.constants.placed``); with 30 + 30 and 50 + 200 of areas .85 and .75 all in 95 or
    more.

    References
    ----------
    Hsieh and Turnbull (1996), no numbered equation; Angrist and Pischke (2009), section 8.1, for
    the larger of two estimates. That the squared bias is added is ours.

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
    n = (float(table.n_eff[0]), float(table.n_eff[1]))
    expected = partial(_expected_nearness, a, b, n)
    again = partial(fit_minimum_distance, covariance="sandwich")
    errors = placed.errors(covariance, pulls, expected, again, n_boot, rng)
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
    from scipy.special import ndtri

    rows, at, share = placed.polygon()
    weight = share / placed.pos[rows]
    pos = -np.array(
        [np.bincount(rows, weight * each, placed.at.size) for each in _rises(ndtri(at), a, b)]
    )
    bread = np.linalg.inv(_steepness(a, b))
    return bread @ pos, bread @ _pulls_of_negatives(a + b * ndtri(placed.inner), a, b)


def _pulls_of_negatives(y: Vector, a: float, b: float) -> Vector:
    """Return the influence of negatives on the equations, from the probits of their heights."""
    from scipy.special import ndtr

    first = ndtr(-np.sqrt(2) * y) / (2 * np.sqrt(np.pi))
    return -np.array([first, (normal_density(y) ** 2 / 2 - a * first) / b])


def _expected_nearness(a: float, b: float, n: tuple[float, float]) -> Vector:
    """Return the mean squared error of a and b: under the curve less its own bias."""
    bias = _bias_of_nearness(a, b, n[1])
    a, b = a - bias[0], b * np.exp(-bias[1] / b)
    bias = _bias_of_nearness(a, b, n[1])
    bread = np.linalg.inv(_steepness(a, b))
    pos = -bread @ _rises((_PROBITS - a) / b, a, b)
    neg = bread @ _pulls_of_negatives(a + b * _PROBITS, a, b)
    return spread_under((pos, neg), (_CHANCE, _CHANCE), n) + np.outer(bias, bias)


def _bias_of_nearness(a: float, b: float, n0: float) -> Vector:
    bread = np.linalg.inv(_steepness(a, b))
    return _bias(lambda z: -bread @ _rises(z, a, b), a, b, n0)


# --- what is expected under a curve -------------------------------------------------------------


def _bias(pos: Callable[[Vector], Vector], a: float, b: float, n0: float) -> Vector:
    """Return the bias of a mean over positives, given by the probits of their placements."""
    from scipy.special import ndtr, ndtri

    z = (_PROBITS - a) / b
    placed, share, ratio = placed_shares(ndtr(z), _CHANCE, n0)
    return np.asarray((pos(ndtri(placed)) @ share - pos(z) @ _CHANCE) * ratio)


# --- pseudo-likelihood --------------------------------------------------------------------------


@of_table
def fit_pseudo_likelihood(
    table: ScoreTable,
    *,
    placements: Placements = "intervals",
    covariance: Errors = "larger",
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a binormal curve by the likelihood of placements, as if those were independent.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    placements : {"intervals", "midpoints"}, default "intervals"
        "midpoints" takes the false positive rate of a positive for known, which is biased; of
        "intervals" it is known between which negatives it lies.
    covariance, n_boot, rng
        As for `fit_minimum_distance`; the influence of negatives is through the placements.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``; "degenerate" if all positives lie in one interval or in two
        neighbouring ones, or in the first and the last alone, "tied" if ties lower the area by more
        than a third of its standard error.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an option does not suit the table.

    Notes
    -----
    Of a positive with j of N negatives at or above it the false positive rate is between ``j / (N +
    1)`` and ``(j + 1) / (N + 1)``, the means of the rates at both negatives. "intervals" maximises
    the sum of ``ln(Phi(a + b z'') - Phi(a + b z'))``, z' and z'' the probits of both ends: a probit
    model of groups with known limits, whose likelihood is concave. "midpoints" is the published
    form: the density in the middle, ``z = Phi^-1((j + 1/2) / (N + 1))``, would be N(-a / b, 1 /
    b^2), so that ``b = 1 / sd(z)`` and ``a = -mean(z) / sd(z)``, with divisor P. Both agree where
    all intervals are narrow. O(k + N). Reversing the scores, or exchanging the classes, gives
    another curve. For weighted tables N is the effective number.

    All positives above all negatives have one midpoint, 1 / (2 (N + 1)), so that sd(z) is too small
    and b too large: with 50 + 50 Normal scores of area .85 they are 24 percent of the positives,
    and b is 1.24 on average instead of 1; with 30 + 30, the positives with twice the spread, 1
    instead of .5. The "sandwich" of "midpoints" covers b in 1 percent of these samples, "larger" in
    39; of "intervals" b is 1.06 and .56 (``python -m benchmarks.constants.placed``), and all
    intervals cover in 94 percent of samples or more, from 30 + 30 to 200 + 50 cases and areas of
    .75 to .97.

    References
    ----------
    Cai and Moskowitz (2004), no numbered equation, for "midpoints".

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_pseudo_likelihood(tabulate(data.y_true, data.y_score))
    Fit(pseudo-likelihood, a=0.604601, b=0.999047)
    >>> fit_pseudo_likelihood(tabulate(data.y_true, data.y_score), placements="midpoints")
    Fit(pseudo-likelihood, a=0.606731, b=1.09723)
    """
    from scipy.special import ndtri

    check_choice("placements", placements, Placements)
    check_choice("covariance", covariance, Errors)
    method, placed = "pseudo-likelihood", _Placed(table)
    n = (float(table.n_eff[0]), float(table.n_eff[1]))
    n0 = n[1]
    low, high = placed.at * n0 / (n0 + 1), (placed.at * n0 + 1) / (n0 + 1)
    high[placed.at == 1] = 1.0
    there = placed.pos > 0
    flat = _between(method, low[there], high[there], placed.pos[there], placements, df_of(table))
    if flat is not None:
        return flat
    z = ndtri((low + high) / 2)
    mean = float(placed.pos @ z)
    sd = float(np.sqrt(placed.pos @ (z - mean) ** 2))
    again = partial(fit_pseudo_likelihood, placements=placements, covariance="sandwich")
    if placements == "midpoints":
        a, b, flags = -mean / sd, 1 / sd, {}
        influences = partial(_moments, placed, z, n0)
    else:
        ends = np.asarray(ndtri(np.array([low, high])), dtype=np.float64)
        found = climb(partial(_Between, ends, placed.pos), np.array([-mean / sd, 1 / sd]))
        (a, b), flags = found.x, found.flags
        influences = partial(_slides, placed, _Between(ends, placed.pos, found.x), n0)
    expected = partial(_expected_between, a, b, n)
    errors = placed.errors(covariance, influences, expected, again, n_boot, rng)
    return flag_ties(binormal_fit(method, a, b, flags=flags, **errors), table)


def _between(
    method: str, low: Vector, high: Vector, share: Vector, placements: Placements, df: float
) -> Fit | None:
    """Return the fit without a shape, where positives lie in too few intervals."""
    if placements == "midpoints":
        upright = bool((low == low[0]).all())
    else:
        if ((low == 0) | (high == 1)).all() and low.max() > 0 and high.min() < 1:
            return degenerate(method, "tpr", float(share[low == 0].sum()), df)
        upright = bool(low.max() <= high.min())
    return degenerate(method, "fpr", float(low.max() + high.min()) / 2, df) if upright else None


def _moments(placed: _Placed, z: Vector, n0: float) -> tuple[Vector, Vector]:
    """Return the influence of a case of each row on a and b of the midpoints z."""
    mean = float(placed.pos @ z)
    gap = z - mean
    sd = float(np.sqrt(placed.pos @ gap**2))
    moments = np.array([gap, gap**2])
    slopes = np.array([np.ones(z.size), 2 * gap]) * (placed.pos / normal_density(z)) * n0 / (n0 + 1)
    by_neg = np.cumsum(slopes[:, ::-1], axis=1)[:, ::-1]  # of positives that score no higher
    change = np.array([[-1 / sd, mean / (2 * sd**3)], [0, -1 / (2 * sd**3)]])
    return change @ moments, change @ by_neg


class _Between:
    """The log-likelihood at a and b of positives between two rates each, given by their probits.

    It is concave: both ends of ``a + b z`` are linear in a and b.
    """

    def __init__(self, ends: Vector, share: Vector, x: Vector) -> None:
        from scipy.special import log_ndtr

        self.value, self.x = float("-inf"), x
        if not x[1] > 0:
            return
        self.share, self.z = share, np.where(np.isfinite(ends), ends, 0.0)
        q = x[0] + x[1] * ends
        low, high = np.where(q[0] > 0, -q[::-1], q)  # the tail where digits are
        top = log_ndtr(high)
        self.log = top + np.log1p(-np.exp(log_ndtr(low) - top))
        self.value = float(share @ self.log)
        self.q = np.where(np.isfinite(ends), q, 0.0)
        height = np.exp(-(q**2) / 2 - np.log(2 * np.pi) / 2 - self.log)
        self.height = height * np.array([[-1.0], [1.0]])  # of the density, over the probability
        self.line = np.array([np.ones_like(self.z), self.z])
        self.score = (self.line * self.height).sum(axis=1)
        self.gradient = self.score @ share

    def information(self) -> Vector:
        """Return minus the mean second derivatives."""
        weight = self.share * self.q * self.height
        bent = np.einsum("iek,jek,ek->ij", self.line, self.line, weight)
        return np.asarray(bent + (self.score * self.share) @ self.score.T)

    def ascent(self) -> Vector:
        """Return Newton's step."""
        return np.asarray(np.linalg.solve(self.information(), self.gradient))

    def reach(self, step: Vector) -> float:
        """Return the share of a step at which b is 0."""
        return float(self.x[1] / -step[1]) if step[1] < 0 else np.inf

    def slides(self) -> Vector:
        """Return the derivatives of both scores by the rates of the ends: score, end, case."""
        b = self.x[1]
        bent = np.array([-b * self.q, 1 - b * self.z * self.q])
        slopes = (bent - b * self.score[:, np.newaxis]) * self.height
        return np.asarray(slopes / normal_density(self.z))


def _slides(placed: _Placed, found: _Between, n0: float) -> tuple[Vector, Vector]:
    """Return the influence of a case of each row on a and b of intervals.

    A negative raises the rates of all cuts at its row or below.
    """
    rows = np.arange(placed.at.size)
    following = np.append(rows[1:], rows[-1])
    negs = np.flatnonzero(placed.neg > 0)
    following = negs[np.minimum(np.searchsorted(negs, following), negs.size - 1)]
    slopes = found.slides() * placed.pos * n0 / (n0 + 1)
    at_row = slopes[:, 0] + np.array([np.bincount(following, s, rows.size) for s in slopes[:, 1]])
    by_neg = np.cumsum(at_row[:, ::-1], axis=1)[:, ::-1]
    bread = np.linalg.inv(found.information())
    return bread @ found.score, bread @ by_neg


def _intervals(a: float, b: float, many: int) -> _Between:
    """Return the intervals between many negatives, and the probits of their ends."""
    from scipy.special import ndtri

    z = ndtri(np.arange(many + 2) / (many + 1))
    return _Between(np.array([z[:-1], z[1:]]), np.ones(many + 1), np.array([a, b]))


def _expected_between(a: float, b: float, n: tuple[float, float]) -> Vector:
    """Return the mean squared error of a and b of intervals under the curve."""
    from scipy.special import ndtr

    _, share, ratio = placed_shares(ndtr((_PROBITS - a) / b), _CHANCE, n[1])
    found = _intervals(a, b, share.size - 1)
    chance = np.exp(found.log)
    bias = found.score @ (share - chance) * ratio
    if ratio < 1:
        found = _intervals(a, b, max(round(n[1]), 1))
        chance = np.exp(found.log)
    if chance.size < 3:  # two intervals have one share, which does not tell two parameters
        return np.full((2, 2), np.nan)
    information = (found.score * chance) @ found.score.T
    inner, many = found.z[1, :-1], chance.size
    rise = b * normal_density(a + b * inner) / normal_density(inner)
    by_cut = rise * (found.score[:, :-1] - found.score[:, 1:])
    by_gap = np.append(np.cumsum(by_cut[:, ::-1], axis=1)[:, ::-1], np.zeros((2, 1)), axis=1)
    by_gap -= by_gap.mean(axis=1, keepdims=True)
    meat = information / n[0] + by_gap @ by_gap.T / (many * (many + 1)) + np.outer(bias, bias)
    bread = np.linalg.inv(information)
    return np.asarray(bread @ meat @ bread)


# --- binary regression --------------------------------------------------------------------------


@of_table
def fit_roc_glm(
    table: ScoreTable,
    *,
    rates: ArrayLike | None = None,
    covariance: Errors = "larger",
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
    ten steps. With 30 + 30 to 200 + 50 Normal scores all intervals cover in 94 percent of samples
    or more; with "sandwich" that of b in 88, where 30 positives spread twice as widely as 30
    negatives.

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
    z, share = ndtri(at), placed.tpr(at)
    n = (float(table.n_eff[0]), float(table.n_eff[1]))
    separated = int(np.count_nonzero((share > 0) & (share < 1))) < 2
    theta, settled = _probit(z, share, n[0], firth=separated)
    flags = {} if settled else dict(UNCONVERGED)
    if separated:
        flags["separated"] = _SEPARATED
    if not theta[1] > _LEAST:
        return degenerate(method, "tpr", float(ndtr(theta[0])), df_of(table), flags)

    def influences() -> tuple[Vector, Vector]:
        pos, neg = _steps_of(theta, z)
        return (
            pos[:, np.searchsorted(at, placed.at, side="left")],
            neg[:, np.searchsorted(at, placed.inner, side="left")],
        )

    expected = partial(_expected_regression, float(theta[0]), float(theta[1]), at, n)
    again = partial(fit_roc_glm, rates=rates, covariance="sandwich")
    errors = placed.errors(covariance, influences, expected, again, n_boot, rng)
    return flag_ties(binormal_fit(method, *theta, flags=flags, **errors), table)


def _expected_regression(a: float, b: float, at: Vector, n: tuple[float, float]) -> Vector:
    """Return the mean squared error of a and b of the regression under the curve."""
    from scipy.special import ndtr, ndtri

    z = ndtri(at)
    pos, neg = _steps_of(np.array([a, b]), z)
    bias = pos @ np.diff(_bias_of_tpr(a, b, at, n[1]), prepend=0.0, append=0.0)
    chances = (_between_rates(ndtr(a + b * z)), _between_rates(at))
    return spread_under((pos, neg), chances, n) + np.outer(bias, bias)


def _between_rates(rates: Vector) -> Vector:
    return np.diff(np.concatenate([[0.0], rates, [1.0]]))


def _steps_of(theta: Vector, z: Vector) -> tuple[Vector, Vector]:
    """Return the influence of a positive and of a negative placed between neighbouring rates."""
    weight, information = _working(theta, z)
    steps = np.linalg.solve(information, weight * np.array([np.ones(z.size), z]))
    slope = theta[1] * normal_density(theta[0] + theta[1] * z) / normal_density(z)
    none = np.zeros((2, 1))
    pos, neg = (
        np.concatenate([np.cumsum(each[:, ::-1], axis=1)[:, ::-1], none], axis=1)
        for each in (steps, -steps * slope)
    )
    return pos, neg


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
