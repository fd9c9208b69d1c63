"""The binormal curve by the exact probability of the order in which both classes rank."""

from __future__ import annotations

from functools import partial

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.models.binormal import binormal_fit
from rocspace.models.cells import cells_of, fit_cells
from rocspace.models.fitting import Information, errors_of, likelihood_of
from rocspace.models.maximum import climb, curvature, room_for
from rocspace.models.rating import binormal_edges, exact_of_counts, first_guess
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit
from rocspace.results.proportions import normal_density

_METHOD = "rank-likelihood"
_FINE = 0.01  # step of the grid of latent scores, in standard deviations, of few cases
_POINTS = 40_001  # most points that it has
_CASES = 500  # with more cases it takes minutes, and runs serve as well
_NEAR = 1e-13  # gain of the likelihood below which a step is the last
_WIDTH = 9.0  # standard deviations of each class that the grid covers
_WIDEST = 3.0  # size of ln b beyond which it is not sought
_BOUNDARY = (
    "The likelihood of the ranks is largest at an end of the range that is searched, b from 0.05 "
    "to 20: the shape is hardly determined. Take the empirical area, auc_estimate(table)."
)


@of_table
def fit_rank_likelihood(
    table: ScoreTable, *, covariance: Information = "observed", n_boot: int = 1000, rng: Rng = 0
) -> Fit:
    """Fit a binormal curve by the likelihood of the ranks alone, computed exactly.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; up to 500 cases.
    covariance, n_boot, rng
        As for `fit_profile_likelihood`.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``, flagged as that of `fit_labroc`; "boundary" if the search
        ends at an end of its range.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has weights, or more than 500 cases, or the ranks do not determine two
        parameters.

    Notes
    -----
    Some increasing function makes negatives N(0, 1) and positives N(a / b, 1 / b^2). The likelihood
    is the probability that latent scores rank as the classes did: with F_0 = 1 and g_k the density
    of the class of rank k, ``F_k(z)`` is the integral of ``g_k F_k-1`` up to z, on a grid of some
    thousand points, to sixth order. For a tied group of p positives and q negatives the probability
    is the sum over its orders; for the lowest group it is a product. O(n) integrals for n cases,
    O(p q) for a group but the lowest, in each of some ten evaluations by the steps of BFGS: 100
    cases take a fifth of a second, 500 up to 6 seconds. ``loglik`` leaves out the factor P! N! for
    the order of cases within the classes. No cuts are estimated: AIC counts 2.

    References
    ----------
    Zou and Hall (2000), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_rank_likelihood(tabulate(data.y_true, data.y_score))
    >>> [round(value, 4) for value in (*fit.parameters.values(), fit.loglik)]
    [0.5965, 0.8051, -41.181]
    """
    check_choice("covariance", covariance, Information)
    cells = cells_of(table, runs=True)
    exact = exact_of_counts(_METHOD, table, cells)
    if exact is not None:
        return exact
    if table.n_pos + table.n_neg > _CASES:
        msg = (
            f"fit_rank_likelihood takes up to {_CASES} cases, but here are "
            f"{table.n_pos + table.n_neg}. Take fit_labroc, which hardly differs for so many."
        )
        raise ValueError(msg)
    near, hill = fit_cells(cells, binormal_edges, first_guess(cells), 2)
    b = float(near.x[1])
    to_log = np.array([1.0, 1 / b])
    metric = hill.covariance(cells, "expected") * np.outer(to_log, to_log)
    start = np.array([near.x[0], np.clip(np.log(b), 1 - _WIDEST, _WIDEST - 1)])
    at = _on_grid(table, start, _Metric(metric))
    found = climb(at, start, near=_NEAR)
    a, b = float(found.x[0]), float(np.exp(found.x[1]))
    flags = {"boundary": _BOUNDARY} if abs(found.x[1]) > 0.99 * _WIDEST else found.flags

    def observed() -> Vector:
        by_log = np.array([1.0, b])
        return np.asarray(np.linalg.inv(at(found.x).information) * np.outer(by_log, by_log))

    curve = roc_curve(table)
    return binormal_fit(
        _METHOD,
        a,
        b,
        flags=flags,
        cuts=(curve.threshold.astype(np.float64), curve.fpr),
        **errors_of(table, covariance, fit_rank_likelihood, observed, n_boot, rng),
        **likelihood_of(table, found.value, 2),
    )


class _Metric:
    """An inverse information that learns from the slopes on the way, by the update of BFGS."""

    def __init__(self, covariance: Vector) -> None:
        self.covariance = covariance
        self.last: tuple[Vector, Vector] | None = None

    def step(self, x: Vector, gradient: Vector) -> Vector:
        """Return the step predicted at a point to which the last step led."""
        if self.last is not None:
            moved, fallen = x - self.last[0], self.last[1] - gradient
            along = float(moved @ fallen)
            if along > 0:  # the slope falls on the way, as it does towards a maximum
                across = np.eye(x.size) - np.outer(moved, fallen) / along
                learnt = np.outer(moved, moved) / along
                self.covariance = across @ self.covariance @ across.T + learnt
        self.last = x, gradient
        return np.asarray(self.covariance @ gradient)


def _on_grid(table: ScoreTable, x: Vector, metric: _Metric) -> partial[_Ranks]:
    """Return the likelihood on a grid that suits a and ln b, finer for more cases."""
    a, b = float(x[0]), float(np.exp(x[1]))
    low, high = min(-_WIDTH, (a - _WIDTH) / b), max(_WIDTH, (a + _WIDTH) / b)
    step = min(_FINE, 1 / float(table.n_pos + table.n_neg)) * min(1.0, 1 / b)
    points = int(min(_POINTS, 1 + np.ceil((high - low) / step)))
    return partial(_Ranks, table, np.linspace(low, high, points), metric)


class _Ranks:
    """The log-probability of the ranks at a and ln b, with its slopes."""

    def __init__(self, table: ScoreTable, grid: Vector, metric: _Metric, x: Vector) -> None:
        self.table, self.grid, self.metric, self.x = table, grid, metric, x
        self.value, self.gradient = float("-inf"), np.zeros(2)
        if not abs(x[1]) < _WIDEST:
            return
        b = float(np.exp(x[1]))
        u = b * grid - x[0]
        self.step = float(grid[1] - grid[0])
        self.neg = normal_density(grid)
        self.pos = b * normal_density(u)
        self.slopes = np.array([u, 1 - u * b * grid]) * self.pos
        # The least positive scores come first.
        counts = zip(table.pos[::-1].tolist(), table.neg[::-1].tolist(), strict=True)
        state, total = self._lowest(u, *next(counts))
        for p, q in counts:
            state, log_scale = self._group(state, int(p), int(q))
            total += log_scale
        if state[0, -1] > 0:
            self.value = total + float(np.log(state[0, -1]))
            self.gradient = state[1:, -1] / state[0, -1]

    def _lowest(self, u: Vector, p: int, q: int) -> tuple[Vector, float]:
        """Return the state after the lowest group: all of its cases are below, in any order.

        The state is the function, then its derivatives by a and ln b.
        """
        from scipy.special import gammaln, ndtr

        pos, neg = ndtr(u), ndtr(self.grid)
        state = np.zeros((3, u.size))
        state[0] = pos**p * neg**q
        if p:
            by = p * pos ** (p - 1) * neg**q * normal_density(u)
            state[1:] = -by, (u + self.x[0]) * by
        return state, -float(gammaln(p + 1) + gammaln(q + 1))

    def _group(self, state: Vector, p: int, q: int) -> tuple[Vector, float]:
        """Return the state after a group of tied cases, by how many positives are placed."""
        level, total = {0: state}, 0.0
        for placed in range(1, p + q + 1):
            new = {}
            for i in range(max(0, placed - q), min(p, placed) + 1):
                rate = np.zeros_like(state)
                if i > 0:
                    rate += self.pos * level[i - 1]
                    rate[1:] += self.slopes * level[i - 1][0]
                if placed > i:
                    rate += self.neg * level[i]
                new[i] = self._integral(rate)
            scale = max(float(each[0, -1]) for each in new.values())
            if not scale > 0:
                return np.zeros_like(state), total
            level = {i: each / scale for i, each in new.items()}
            total += float(np.log(scale))
        return level[p], total

    def _integral(self, rate: Vector) -> Vector:
        """Return the integral up to each point of the grid; what is integrated is 0 at its ends."""
        found = np.cumsum(rate, axis=1)
        found -= rate / 2
        slope = rate[:, 2:] - rate[:, :-2]
        found[:, 1:-1] -= slope / 24
        bend = slope[:, 2:] - 2 * slope[:, 1:-1] + slope[:, :-2]
        found[:, 2:-2] += bend * (11 / 1440)
        return np.asarray(self.step * found)

    @property
    def information(self) -> Vector:
        """Minus the second derivatives."""
        return -curvature(lambda x: _Ranks(self.table, self.grid, self.metric, x).gradient, self.x)

    def ascent(self) -> Vector:
        """Return the step predicted by the covariance of a fit to runs, and by the way so far."""
        return self.metric.step(self.x, self.gradient)

    def reach(self, step: Vector) -> float:
        """Return the share of a step that stays in the range of b."""
        return room_for(self.x[1], step[1], _WIDEST)
