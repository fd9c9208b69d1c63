"""The binormal curve by the profile likelihood over all distributions of the scores."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace.counts.table import ScoreTable, of_table
from rocspace.models.binormal import binormal_fit
from rocspace.models.cells import Bordered, Cells, cells_of, climb_cells
from rocspace.models.fitting import errors_of, flag_ties, likelihood_of
from rocspace.models.maximum import climb
from rocspace.models.rating import binormal_edges, cuts_of, exact_of_counts, first_guess
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit

Errors: TypeAlias = Literal["squared-error", "observed", "bootstrap"]

_METHOD = "profile-likelihood"
_LEAST = 1e-13  # share of a score to begin with, where rounding leaves none
_FAR = 5.5  # the last cut from which shares below cuts are not near 1 to rounding


@of_table
def fit_profile_likelihood(
    table: ScoreTable, *, covariance: Errors = "squared-error", n_boot: int = 1000, rng: Rng = 0
) -> Fit:
    """Fit a binormal curve by the likelihood of both classes, over all distributions of negatives.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    covariance : {"squared-error", "observed", "bootstrap"}, default "squared-error"
        "observed" is from the observed information, with the distribution of the negatives
        eliminated; "squared-error" adds the squared distance from the exact maximum, see the notes;
        "bootstrap" is from replicates.
    n_boot : int, default 1000
        Replicates of "bootstrap".
    rng : numpy.random.Generator or int, default 0
        Generator or seed of "bootstrap".

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``, flagged as that of `fit_labroc`; "tied" if ties lower the
        area by up to more than a third of its standard error.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has weights, or the ranks do not determine two parameters.

    Notes
    -----
    Negatives have score k with probability p_k, positives with probability ``p_k g(u_k)``: u_k is
    the sum of p above k and half of p_k, and ``g(u) = b phi(a + b z) / phi(z)``, z the probit of u,
    the ratio of both densities. The log-likelihood is maximised over a, b and all p by Newton's
    steps, O(k) each. It is that of `fit_labroc` with each score as a cell, except that g is taken
    at the middle of a jump instead of its mean over the jump: both agree where there are many
    scores. All probabilities count as parameters; the likelihood is not comparable with that of any
    other model.

    That g is taken at the middle is an error where jumps are wide, as beyond the last negative. Its
    size is the distance from the maximum with the mean over each jump, of a and of ln b, whose
    square "squared-error" adds. Where 30 positives spread twice as widely as 30 negatives b is .67
    on average instead of .5, and its interval covers in 93 percent of samples; with "observed" in
    86 (``python -m benchmarks.constants.placed``). All other intervals cover in 93 percent or more.

    References
    ----------
    Cai and Moskowitz (2004), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_profile_likelihood(tabulate(data.y_true, data.y_score))
    >>> [round(value, 4) for value in (*fit.parameters.values(), fit.loglik)]
    [0.6239, 0.924, -58.873]
    """
    from scipy.special import ndtr, ndtri

    check_choice("covariance", covariance, Errors)
    cells = cells_of(table, runs=False)
    exact = exact_of_counts(_METHOD, table, cells)
    if exact is not None:
        return exact
    near = climb_cells(cells, binormal_edges, first_guess(cells), 2, near=1e-5)
    # Shares below cuts lose their digits near 1: where they do, the order is turned around.
    turned = bool(near.x[-1] > max(_FAR, -near.x[2]))
    at = partial(_Profile, _turned(cells) if turned else cells)
    x = np.concatenate([near.x[:2], -near.x[:1:-1]]) if turned else near.x
    found = climb(at, np.concatenate([[-x[0] if turned else x[0], x[1]], _apart(ndtr(x[2:]))]))
    cuts = ndtri(found.x[2:])

    def measured() -> Vector:
        try:
            spread = np.asarray(np.linalg.inv(at(found.x).information(exact=True).reduced()))
        except np.linalg.LinAlgError:  # no maximum was reached, as the flag says
            return np.full((2, 2), np.nan)
        sign = np.array([-1.0 if turned else 1.0, 1.0])
        spread *= np.outer(sign, sign)
        if covariance == "observed":
            return spread
        a, b = found.x[:2] * sign
        apart = np.array([a - near.x[0], b * np.log(b / near.x[1])])
        return spread + np.outer(apart, apart)

    again = partial(fit_profile_likelihood, covariance="observed")
    fit = binormal_fit(
        _METHOD,
        -found.x[0] if turned else found.x[0],
        found.x[1],
        flags=found.flags,
        cuts=cuts_of(table, cells, -cuts[::-1] if turned else cuts),
        **errors_of(table, covariance, again, measured, n_boot, rng),
        **likelihood_of(table, found.value, found.x.size),
    )
    return flag_ties(fit, table)


def _apart(below: Vector) -> Vector:
    """Return shares below cuts, moved where rounding makes neighbours equal."""
    chance = np.diff(np.concatenate([[0.0], below, [1.0]]))
    if (chance > 0).all():
        return below
    shares = np.cumsum(np.maximum(chance, _LEAST))
    return np.asarray(shares[:-1] / shares[-1])


def _turned(cells: Cells) -> Cells:
    """Return the same cells, the most positive first."""
    of = (cells.neg, cells.pos, cells.neg_w2, cells.pos_w2, cells.last)
    return Cells(*(each[::-1] for each in of))


class _Profile:
    """The log-likelihood at a, b and the distribution function of negatives between scores."""

    def __init__(self, cells: Cells, x: Vector) -> None:
        from scipy.special import ndtri

        self.value = float("-inf")
        self.cells, self.x = cells, x
        self.a, self.b = float(x[0]), float(x[1])
        below = np.concatenate([[0.0], x[2:], [1.0]])
        self.chance = np.diff(below)
        if not (self.b > 0 and (self.chance > 0).all()):
            return
        self.many = cells.neg + cells.pos
        self.z = -ndtri((below[1:] + below[:-1]) / 2)
        self.height = self.a + self.b * self.z
        ratio = np.log(self.b) + (self.z**2 - self.height**2) / 2
        self.value = float(self.many @ np.log(self.chance) + cells.pos @ ratio)
        self.rise = np.sqrt(2 * np.pi) * np.exp(self.z**2 / 2)  # of z with its rate

    @cached_property
    def gradient(self) -> Vector:
        """Derivatives by a, b and the distribution function."""
        pos, z, height = self.cells.pos, self.z, self.height
        tilt = pos * self.rise * (z - self.b * height) / 2
        each = self.many / self.chance
        first = [-(pos @ height), pos.sum() / self.b - pos @ (z * height)]
        return np.concatenate([first, (each - tilt)[:-1] - (each + tilt)[1:]])

    def information(self, *, exact: bool) -> Bordered:
        """Return minus the second derivatives, or a positive matrix near them."""
        pos, z, b = self.cells.pos, self.z, self.b
        whole = pos.sum()
        corner = np.array([[whole, pos @ z], [pos @ z, whole / b**2 + pos @ z**2]])
        by = pos * self.rise / 2 * np.array([-b + 0 * z, -self.a - 2 * b * z])
        border = by[:, :-1] + by[:, 1:]
        with np.errstate(all="ignore"):  # of a probability that is all but 0
            each = self.many / self.chance**2
            bent = np.zeros(z.size)
            if exact:
                bent = pos * self.rise**2 * (1 - b * b + z * (z - b * self.height)) / 4
            diagonal = (each - bent)[:-1] + (each - bent)[1:]
        return Bordered(corner, border, diagonal, -(each + bent)[1:-1])

    def ascent(self) -> Vector:
        """Return Newton's step, or one near it where there is no maximum nearby."""
        try:
            return self.information(exact=True).solve(self.gradient)
        except np.linalg.LinAlgError:
            return self.information(exact=False).solve(self.gradient)

    def reach(self, step: Vector) -> float:
        """Return the share of a step at which a probability would be 0."""
        change = np.diff(np.concatenate([[0.0], step[2:], [0.0]]))
        closing = change < 0
        return float((self.chance[closing] / -change[closing]).min(initial=np.inf))
