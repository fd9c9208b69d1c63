"""The binormal curve of scores that a power transformation makes Normal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace._base.text import brief
from rocspace.counts.table import ScoreTable, of_table
from rocspace.counts.weights import squares_of
from rocspace.models.binormal import (
    Moments,
    Normals,
    class_moments,
    with_hook,
    with_joint,
    without_spread,
)
from rocspace.models.fitting import errors_of, floats_of, likelihood_of
from rocspace.models.maximum import curvature, maximise
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit

Power: TypeAlias = Literal["observed", "sandwich", "bootstrap"]

_MOST = 5.0  # size of lambda beyond which it is not sought
_EXPONENT = 340.0  # beyond, squares of transformed scores overflow
_NEAR_ZERO = 0.01  # of an exponent, below which a series keeps more digits
_LEAST = 1e-11  # standard deviation, in units of the largest score, that is rounding
_STARTS = (1.0, 0.0, -1.0)
_BOUNDARY = (
    "The likelihood is largest at lambda = {}, the end of the range that is searched: no power "
    "makes both classes Normal, and the errors take lambda as known. Take a rank-based model "
    '(model="labroc").'
)


class PowerNormals(Normals):
    """The binormal curve of transformed scores, with the inverse transformation.

    Attributes
    ----------
    method, parameters, covariance, covariance_method, loglik, n_cases
        As for `rocspace.results.Fit`; the parameters are ``a``, ``b`` and ``lambda``.
    centre : float
        Mean of the logarithms, which Box and Cox's transformation is taken about.
    shift : float
        What was added to the scores.
    two_sided : bool
        Whether the transformation is that of Yeo and Johnson, for scores of both signs.
    """

    centre: float
    shift: float
    two_sided: bool

    _kind = "Fit"

    @property
    def _range_of_scores(self) -> tuple[float, float]:
        positive = not self.two_sided and self.shift == 0
        return (0.0, np.inf) if positive else super()._range_of_scores

    def _scores_of(self, value: Vector, parameters: Mapping[str, Any]) -> Vector:
        power = np.broadcast_to(parameters["lambda"], value.shape)
        if self.two_sided:
            power = power - 2 * (value < 0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            z = np.where(power == 0, value, np.log1p(np.maximum(power * value, -1)) / power)
            if self.two_sided:
                return np.asarray(np.copysign(np.expm1(np.abs(z)), z))
            return np.asarray(np.exp(z + self.centre) - self.shift)


@of_table
def fit_box_cox(
    table: ScoreTable,
    *,
    shift: float = 0.0,
    covariance: Power | None = None,
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a binormal curve to scores that one power, or the logarithm, makes Normal.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present; scores finite and positive.
    shift : float, default 0
        Added to all scores, so that the smallest is positive.
    covariance : {"observed", "sandwich", "bootstrap"}, optional
        By default "observed" information for counts, "sandwich" for weights. All allow for the
        estimation of lambda.
    n_boot : int, default 1000
        Replicates of "bootstrap", which needs counts.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of "bootstrap".

    Returns
    -------
    Fit
        With parameters ``a``, ``b`` and ``lambda``. The flag "boundary" is set if lambda is at an
        end of its range; a class whose scores do not vary makes it "degenerate".

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a shifted score is not positive or not finite, or an option does not suit the table.

    Notes
    -----
    ``g(x) = (x^lambda - 1) / lambda``, ``ln x`` for lambda = 0, is Normal in both classes. The
    likelihood of the scores, ``-P ln s1(lambda) - N ln s0(lambda) + (lambda - 1) sum ln x`` without
    its constants, is maximised over lambda in [-5, 5]; O(k) for each of some twenty steps. The
    model has five parameters. The fit depends on a shift of the scores, not on their unit.

    References
    ----------
    Zou and Hall (2000), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_box_cox(tabulate(data.y_true, data.y_score))
    >>> {name: round(value, 4) for name, value in fit.parameters.items()}
    {'a': 0.6614, 'b': 0.9171, 'lambda': 0.7616}
    """
    if not np.isfinite(shift):
        msg = f"shift is {brief(shift)}, but it must be a finite number."
        raise ValueError(msg)
    _check_finite("fit_box_cox", table)
    score = table.score.astype(np.float64) + shift
    if not score.min() > 0:
        msg = (
            f"fit_box_cox needs positive scores, but the smallest is {brief(score.min())} with the "
            "shift. Add more with shift=..., or take fit_yeo_johnson."
        )
        raise ValueError(msg)
    z = np.log(score)
    share = (table.neg + table.pos) / (table.n_neg + table.n_pos)
    again = partial(fit_box_cox, shift=shift, covariance="sandwich")
    centre = float(share @ z)
    powers = _Powers("box-cox", table, z - centre, centre, shift, two_sided=False)
    return powers.fit(covariance, again, n_boot, rng)


@of_table
def fit_yeo_johnson(
    table: ScoreTable,
    *,
    covariance: Power | None = None,
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a binormal curve to scores of any sign that one power makes Normal.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present; scores finite.
    covariance, n_boot, rng
        As for `fit_box_cox`.

    Returns
    -------
    Fit
        With parameters ``a``, ``b`` and ``lambda``, flagged as that of `fit_box_cox`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are infinite, or so large that their powers overflow, or an option does not suit
        the table.

    Notes
    -----
    Yeo and Johnson's transformation is ``g(x) = ((1 + x)^lambda - 1) / lambda`` for x >= 0 (``ln(1
    + x)`` for lambda = 0), and ``-((1 - x)^(2 - lambda) - 1) / (2 - lambda)`` below (``-ln(1 - x)``
    for lambda = 2); lambda = 1 is `fit_binormal`. The likelihood has ``(lambda - 1) sum sign(x)
    ln(1 + |x|)`` in place of Box and Cox's term. The unit of the scores matters: choose it so that
    their standard deviation is of the order of 1. The cost is that of `fit_box_cox`.

    References
    ----------
    Zou and Hall (2000), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_yeo_johnson(tabulate(data.y_true, data.y_score))
    >>> {name: round(value, 4) for name, value in fit.parameters.items()}
    {'a': 0.6651, 'b': 0.94, 'lambda': -0.0347}
    """
    _check_finite("fit_yeo_johnson", table)
    score = floats_of(table)
    z = np.copysign(np.log1p(np.abs(score)), score)
    again = partial(fit_yeo_johnson, covariance="sandwich")
    powers = _Powers("yeo-johnson", table, z, 0.0, 0.0, two_sided=True)
    return powers.fit(covariance, again, n_boot, rng)


def _check_finite(name: str, table: ScoreTable) -> None:
    if not np.isfinite(table.score.astype(np.float64)).all():
        msg = f"{name} takes powers of scores, but some are infinite. Take a rank-based model."
        raise ValueError(msg)


class _Powers:
    """Scores as (signed) logarithms z, transformed to (e^(kz) - 1) / k with k from lambda."""

    def __init__(
        self,
        method: str,
        table: ScoreTable,
        z: Vector,
        centre: float,
        shift: float,
        two_sided: bool,
    ) -> None:
        self.method, self.table, self.z = method, table, z
        self.centre, self.shift, self.two_sided = centre, shift, two_sided
        self.sign = 1.0 if table.higher_is_positive else -1.0
        self.drop = np.where(z < 0, 2.0, 0.0) if two_sided else np.zeros(z.size)
        self.mean = float(table.neg @ z + table.pos @ z) / float(table.n_neg + table.n_pos)

    def range(self) -> tuple[float, float]:
        """Return the values of lambda that are searched, and whose powers do not overflow."""
        width = _EXPONENT / np.maximum(np.abs(self.z), _EXPONENT / (2 * _MOST))
        low = float(max(-_MOST, (self.drop - width).max()))
        high = float(min(_MOST, (self.drop + width).min()))
        if not low < high:
            msg = (
                f"The scores reach {brief(float(np.abs(self.table.score).max()))}, so that their "
                "powers overflow. Divide them by a unit of the order of their spread."
            )
            raise ValueError(msg)
        return low, high

    def values(self, power: float) -> tuple[Vector, Vector]:
        """Return the transformed scores, and their derivative by lambda."""
        k = power - self.drop
        t = k * self.z
        small = np.abs(t) < _NEAR_ZERO
        series = 1 / 2 + t * (1 / 3 + t * (1 / 8 + t * (1 / 30 + t / 144)))
        safe = np.where(small, 1.0, t)
        first = np.where(t == 0, 1.0, np.expm1(t) / np.where(t == 0, 1.0, t))
        second = np.where(small, series, (t * np.exp(t) - np.expm1(t)) / safe**2)
        return self.z * first, self.z**2 * second

    def moments(self, power: float) -> Moments:
        """Return means and standard deviations of the transformed scores."""
        return Moments(self.sign * self.values(power)[0], 0, self.table, 0)

    def profile(self, x: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood of a lambda per case, without constants, and its slope."""
        power = float(x[0])
        value, change = self.values(power)
        n1, n0 = float(self.table.n_pos), float(self.table.n_neg)
        total, slope = (power - 1) * self.mean, self.mean
        for many, n in ((self.table.neg, n0), (self.table.pos, n1)):
            share = many / n
            gap = value - share @ value
            variance = float(share @ gap**2)
            if not variance > (_LEAST * float(np.abs(value[many > 0]).max())) ** 2:
                return -np.inf, np.zeros(1)
            total -= n / (n1 + n0) * np.log(variance) / 2
            slope -= n / (n1 + n0) * float(share @ (gap * change)) / variance
        return total, np.array([slope])

    def fit(self, how: Power | None, again: Any, n_boot: int, rng: Rng) -> Fit:
        """Return the curve at the best lambda."""
        table = self.table
        how = how or ("sandwich" if table.is_weighted else "observed")
        check_choice("covariance", how, Power)
        plain = class_moments(f"fit_{self.method.replace('-', '_')}", table)
        if not (plain.sd[0] > 0 and plain.sd[1] > 0):
            return without_spread(self.method, plain)
        low, high = self.range()
        if not min(self.moments(float(np.clip(1.0, low, high))).sd) > 0:
            msg = (
                f"The scores of a class differ by so little beside 1, their largest size being "
                f"{brief(float(np.abs(self.table.score).max()))}, that their powers do not differ. "
                "Divide them by a unit of the order of their spread."
            )
            raise ValueError(msg)
        starts = [[np.clip(start, low, high)] for start in _STARTS]
        found = maximise(self.profile, starts, bounds=[(low, high)])
        power = float(found.x[0])
        at_end = power in (low, high)
        moments = self.moments(power)
        otherwise = partial(self.covariance, power, moments, how, known=at_end)
        errors = errors_of(table, how, again, otherwise, n_boot, rng)
        flags = dict(found.flags)
        if at_end:
            flags["boundary"] = _BOUNDARY.format(brief(power))
        n = float(table.n_pos + table.n_neg)
        loglik = n * (found.value - self.centre - np.log(2 * np.pi) / 2 - 0.5)
        fit = PowerNormals(
            method=self.method,
            parameters={"a": moments.a, "b": moments.b, "lambda": power},
            flags=flags,
            line_of_scores=(self.sign * moments.mean[0], -self.sign * moments.sd[0]),
            centre=self.centre,
            shift=self.shift,
            two_sided=self.two_sided,
            **with_joint(errors, 3),
            **likelihood_of(table, float(loglik), 5),
        )
        return with_hook(fit)

    def covariance(self, power: float, moments: Moments, how: Power, *, known: bool) -> Vector:
        """Return the covariance of a, b, lambda and the line of scores, as `Normals.joint`."""
        unit = moments.sd[1]
        middle = moments.mean[1]
        squares = squares_of(self.table)[::-1]
        counts = (self.table.neg, self.table.pos)

        def scores(x: Vector) -> list[Vector]:
            """Return the derivatives of each case's log-likelihood, by class."""
            value, change = (self.sign * each / unit for each in self.values(float(x[4])))
            value = value - middle / unit
            found = []
            for i in (0, 1):
                mean, sd = x[2 * i : 2 * i + 2]
                r = (value - mean) / sd
                each = np.zeros((5, value.size))
                each[2 * i], each[2 * i + 1] = r / sd, (r * r - 1) / sd
                each[4] = self.z - r * change / sd
                found.append(each)
            return found

        def gradient(x: Vector) -> Vector:
            return np.asarray(sum(each @ n for each, n in zip(scores(x), counts, strict=True)))

        b = moments.b
        x = np.array([-moments.a, b, 0.0, 1.0, power])
        free = slice(0, 4 if known else 5)
        inverse = np.zeros((5, 5))
        inverse[free, free] = np.linalg.inv(-curvature(gradient, x)[free, free])
        if how == "sandwich":
            meat = sum((each * n) @ each.T for each, n in zip(scores(x), squares, strict=True))
            inverse = inverse @ meat @ inverse
        slopes = np.zeros((5, 5))
        slopes[0, [0, 2, 3]] = -1, 1, -moments.a
        slopes[1, [1, 3]] = 1, -b
        slopes[2, 4] = 1
        slopes[3, 0], slopes[4, 1] = -1 / b, 1 / b  # the line of scores
        return slopes @ inverse @ slopes.T
