"""The binormal curve, and its fit to scores that are Normal in both classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any, Literal, Self

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import Axis, check_choice
from rocspace.counts.table import ScoreTable, of_table
from rocspace.counts.weights import squares_of
from rocspace.curves.roc import roc_curve
from rocspace.models.bivariate import bivariate_normal
from rocspace.models.fitting import (
    MEASURED,
    UNKNOWN,
    df_of,
    errors_of,
    floats_of,
    hook,
    stepped,
)
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit

_DRAWN = 4000  # fits whose parameters are drawn
_STEP = 6e-6  # share of a standard deviation by which the line of scores is moved

_FLAT = (
    "The scores of {} do not vary, so that the curve has no shape. Take the empirical curve, "
    "roc_curve(table), and its area with auc_estimate(table)."
)


class Normals(Fit):
    """The curve Phi(a + b Phi^-1(fpr)) of two Normal distributions.

    Attributes
    ----------
    method, parameters, covariance, covariance_method, loglik, n_cases
        As for `rocspace.results.Fit`; the parameters are ``a`` and ``b``.
    line_of_scores : tuple of float, optional
        The threshold at Phi^-1(fpr) = 0, and its change with Phi^-1(fpr): where the negatives
        lie on the scale of the scores.
    joint : ndarray of float64, shape (p + 2, p + 2), optional
        Covariance of the parameters and of the line of scores: of the first number divided by the
        second, and of the logarithm of the second. Standard errors of thresholds need it.
    """

    line_of_scores: tuple[float, float] | None = None
    joint: Vector | None = field(default=None, repr=False)

    _kind = "Fit"

    def _range_of(self, symbol: str) -> tuple[float, float]:
        return (0.0, np.inf) if symbol == "b" else super()._range_of(symbol)

    @property
    def a(self) -> float:
        """Difference of the means, in standard deviations of the positives."""
        return self.parameters["a"]

    @property
    def b(self) -> float:
        """Standard deviation of the negatives over that of the positives."""
        return self.parameters["b"]

    @property
    def auc(self) -> float:
        """Area under the curve, Phi(a / sqrt(1 + b^2))."""
        from scipy.special import ndtr

        return float(ndtr(self.a / np.hypot(1, self.b)))

    @property
    def crossing(self) -> float | None:
        """False positive rate at which the curve crosses the diagonal; None for b = 1."""
        from scipy.special import ndtr

        return None if self.b == 1 else float(ndtr(self.a / (1 - self.b)))

    def height(self, z: Vector) -> Vector:
        """Return a + b z, the probit of the true positive rate at that of the false one."""
        return self.a + self.b * z

    def sd(self, z: Vector) -> Vector:
        """Return the standard error of a + b z."""
        (var_a, cov), (_, var_b) = self.covariance[:2, :2]
        return np.asarray(np.sqrt(var_a + 2 * z * cov + z * z * var_b))

    def _tpr(self, at: Any) -> Any:
        from scipy.special import ndtr, ndtri

        return ndtr(self.height(ndtri(at)))

    def _fpr(self, at: Any) -> Any:
        from scipy.special import ndtr, ndtri

        return ndtr((ndtri(at) - self.a) / self.b)

    def _slope(self, at: Any) -> Any:
        from scipy.special import ndtri

        z = np.asarray(ndtri(at))
        with np.errstate(invalid="ignore", over="ignore"):
            gap = 0.0 if self.b == 1 else (1 - self.b) * z  # z - height(z) + a
            exponent = (gap - self.a) * ((1 + self.b) * z + self.a) / 2
            flat = (gap == 0) & (self.a == 0)  # at 0 and 1 too
            return np.asarray(self.b * np.exp(np.where(flat, 0.0, exponent)))

    def _area(self, low: float, high: float, axis: Axis) -> float:
        if axis == "tpr":  # with the classes swapped it is a range of fpr
            turned = replace(self, parameters={"a": self.a / self.b, "b": 1 / self.b})
            return turned._area(1 - high, 1 - low, "fpr")
        from scipy.special import ndtri

        root = np.hypot(1, self.b)
        ends = bivariate_normal(ndtri([low, high]), self.a / root, -self.b / root)
        return max(float(ends[1] - ends[0]), 0.0)  # rounding may leave less

    def _threshold(self, at: Vector) -> Vector:
        from scipy.special import ndtri

        if self.line_of_scores is None:
            return super()._threshold(at)
        level, step = self.line_of_scores
        with np.errstate(over="ignore"):  # beyond the largest double a threshold is infinite
            return self._scores_of(np.asarray(level + step * ndtri(at)), self.parameters)

    def _scores_of(self, value: Vector, parameters: Mapping[str, Any]) -> Vector:
        """Return scores from values on the scale on which both classes are Normal."""
        return value

    def drawn(self) -> tuple[dict[str, Vector], Callable[[Vector], Vector]] | None:
        """Draw parameters and lines of scores from the distribution of their estimates.

        Returns
        -------
        tuple or None
            4,000 values of each parameter, always the same ones, from Student's t distribution with
            the covariance `joint` and `df` degrees of freedom, of b by its logarithm; and what
            turns a probit of a false positive rate for each into thresholds. None where the
            covariance is unknown.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> parameters, thresholds = fit.drawn()
        >>> round(float(np.median(parameters["a"])), 2), round(fit.a, 2)
        (0.67, 0.68)
        """
        known = self.joint is not None and np.isfinite(self.joint).all() and self.df > 0
        if self.line_of_scores is None or not known:
            return None
        size, axes = np.linalg.eigh(np.asarray(self.joint))
        rng = np.random.default_rng(0)
        normal = rng.standard_normal((_DRAWN, size.size)) * np.sqrt(np.maximum(size, 0.0))
        far = 1.0 if np.isinf(self.df) else np.sqrt(self.df / rng.chisquare(self.df, _DRAWN))
        *moves, ahead, wider = (normal @ axes.T).T * far
        (level, step), with_b = self.line_of_scores, list(self.parameters).index("b")
        with np.errstate(over="ignore"):
            found = {
                name: value * np.exp(move / value) if i == with_b else value + move
                for i, ((name, value), move) in enumerate(
                    zip(self.parameters.items(), moves, strict=True)
                )
            }

        def thresholds(z: Vector) -> Vector:
            with np.errstate(over="ignore", invalid="ignore"):
                return self._scores_of(level + step * (ahead + np.exp(wider) * z), found)

        return found, thresholds

    def _drawn_at(self, fpr: float) -> Vector | None:
        from scipy.special import ndtri

        found = self.drawn()
        return None if found is None else found[1](np.full(_DRAWN, float(ndtri(fpr))))

    def _variance(self, reading: Callable[[Self], Any]) -> Vector:
        """Return the variance of a reading, which may depend on the line of scores."""
        if self.line_of_scores is None:
            return super()._variance(reading)
        level, step = self.line_of_scores
        slopes = []
        for ahead, wider in ((_STEP, 0.0), (0.0, _STEP)):
            lines = ((level + end * ahead * step, step * (1 + end * wider)) for end in (1, -1))
            ends = (reading(replace(self, line_of_scores=line)) for line in lines)
            slopes.append(np.subtract(*ends) / (2 * _STEP))
        if not np.any(slopes):
            return super()._variance(reading)
        both = np.concatenate([self.gradient(reading), slopes])
        joint = np.full((len(both), len(both)), np.nan) if self.joint is None else self.joint
        return np.asarray(np.einsum("i...,ij,j...->...", both, joint, both))


def binormal_fit(method: str, a: float, b: float, /, **fields: Any) -> Normals:
    """Make a binormal fit, flagged where its hook can be seen."""
    return with_hook(Normals(method=method, parameters={"a": float(a), "b": float(b)}, **fields))


def with_joint(errors: dict[str, Any], size: int) -> dict[str, Any]:
    """Tell the covariance of the parameters from that with the line of scores, if there is one."""
    whole = errors["covariance"]
    joint = whole if len(whole) == size + 2 else None
    return errors | {"covariance": whole[:size, :size], "joint": joint}


def with_hook(fit: Normals) -> Normals:
    """Flag a fit where its hook can be seen."""
    flags = {**fit.flags, **hook(fit.crossing)}
    return replace(fit, flags=flags) if flags != fit.flags else fit


# --- two Normal samples -----------------------------------------------------------------------


@of_table
def fit_binormal(
    table: ScoreTable,
    *,
    ddof: Literal[0, 1] = 0,
    covariance: Literal["expected", "sandwich", "bootstrap"] | None = None,
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a Normal distribution to the scores of each class: the binormal curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; scores finite.
    ddof : {0, 1}, default 0
        0 divides variances by n, the maximum of the likelihood, and 1 by n - 1.
    covariance : {"expected", "sandwich", "bootstrap"}, optional
        By default "expected" information for counts, the "sandwich" of weighted moments for
        weighted tables. Only "sandwich" and "bootstrap" are valid if scores are not Normal.
    n_boot : int, default 1000
        Replicates of "bootstrap", which needs counts.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of "bootstrap".

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``. If the scores of a class do not vary it is "degenerate".

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are infinite, or an option does not suit the table.

    Notes
    -----
    O(k). ``tpr = Phi(a + b Phi^-1(fpr))`` with ``a = (mean1 - mean0) / sd1`` and ``b = sd0 / sd1``;
    the area is ``Phi(a / sqrt(1 + b^2))``, and partial areas follow from the bivariate Normal
    distribution. The curve changes when scores are transformed; that of `fit_labroc` does not.
    Unless b is 1 the curve crosses the diagonal somewhere (``crossing``); the flag "improper" is
    set if that is between the rates 0.001 and 0.999.

    The likelihood is that of the scores, with four parameters.

    References
    ----------
    Ma and Hall (1993), no numbered equation, for the covariance.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_binormal(tabulate(data.y_true, data.y_score))
    >>> fit
    Fit(binormal, a=0.628162, b=0.817592)
    >>> round(fit.auc, 7), round(fit.threshold_at(0.1), 3)
    (0.6866268, 0.61)
    """
    if ddof not in (0, 1):
        msg = f"ddof is {ddof!r}, but variances divide by n, ddof=0, or by n - 1, ddof=1."
        raise ValueError(msg)
    covariance = covariance or ("sandwich" if table.is_weighted else "expected")
    check_choice("covariance", covariance, ("expected", "sandwich", "bootstrap"))
    moments = class_moments("fit_binormal", table, ddof)
    if not (moments.sd[0] > 0 and moments.sd[1] > 0):
        return without_spread("binormal", moments)
    errors = errors_of(
        table,
        covariance,
        lambda drawn: class_moments("fit_binormal", drawn, ddof).beside(moments),
        partial(moments.covariance, table, covariance),
        n_boot,
        rng,
    )
    return _of_moments(moments, table, errors)


def two_normals(name: str, table: ScoreTable) -> Normals:
    """Fit a Normal distribution to each class by maximum likelihood, for bands and slopes.

    Weights count as cases; scores that do not vary are refused.
    """
    moments = class_moments(name, table)
    if not (moments.sd[0] > 0 and moments.sd[1] > 0):
        msg = (
            f"{name} fits a Normal distribution to each class, but the scores of a class do not "
            'vary. Take a method without a model, such as "ks".'
        )
        raise ValueError(msg)
    spread = moments.covariance(table, "expected")
    errors = {"covariance": spread, "covariance_method": MEASURED["expected"]}
    return _of_moments(moments, table, {**errors, "df": df_of(table)})


class Moments:
    """Means and standard deviations of both classes, negatives first, and scores in a safe unit.

    Larger scores are more positive, and all below 1 in size: the unit is a power of two.
    """

    def __init__(self, score: Vector, unit: int, table: ScoreTable, ddof: int) -> None:
        self.score, self.unit = score, unit
        self.mean: list[float] = []
        self.sd: list[float] = []
        for many, n in ((table.neg, table.n_neg), (table.pos, table.n_pos)):
            share = many / n
            mean = float(share @ score)
            variance = float(share @ (score - mean) ** 2)
            there = score[many > 0]
            flat = there[0] == there[-1]  # where rounding would leave a nonzero standard deviation
            scale = n / (n - ddof) if n > ddof else 1.0
            self.mean.append(mean)
            self.sd.append(0.0 if flat else float(np.sqrt(variance * scale)))

    @property
    def a(self) -> float:
        """Difference of the means, in standard deviations of the positives."""
        return (self.mean[1] - self.mean[0]) / self.sd[1]

    @property
    def b(self) -> float:
        """Standard deviation of the negatives over that of the positives."""
        return self.sd[0] / self.sd[1]

    def beside(self, other: Moments) -> list[float]:
        """Return a, b and the line of scores, whose covariance is `Normals.joint`."""
        if not min(self.sd) > 0:
            return [np.nan] * 4
        mean, sd = np.ldexp([each[0] for each in (self.mean, self.sd)], self.unit - other.unit)
        line = [(other.mean[0] - mean) / other.sd[0], np.log(sd / other.sd[0])]
        return [self.a, self.b, *line]

    def covariance(self, table: ScoreTable, how: str) -> Vector:
        """Return the covariance of a, b and the line of scores, as `Normals.joint`.

        That of Normal scores if "expected", else from the influence of each case.
        """
        a, b = self.a, self.b
        squares = squares_of(table)[::-1]
        # Rows by the parameters, columns by mean and standard deviation in units of the latter.
        slopes = (
            np.array([[-b, 0], [0, b], [-1, 0], [0, 1]]),
            np.array([[1, -a], [0, -b], [0, 0], [0, 0]]),
        )
        found = np.zeros((4, 4))
        for i, (square, n) in enumerate(zip(squares, (table.n_neg, table.n_pos), strict=True)):
            if how == "expected":
                spread = np.diag([1 / float(n), 1 / (2 * float(n))])
            else:
                gap = (self.score - self.mean[i]) / self.sd[i]
                influence = np.array([gap, (gap**2 - 1) / 2])
                spread = (influence * square) @ influence.T / float(n) ** 2
            found += slopes[i] @ spread @ slopes[i].T
        return found


def class_moments(name: str, table: ScoreTable, ddof: int = 0) -> Moments:
    """Return the moments of both classes; scores must be finite."""
    return Moments(*oriented(name, table), table, ddof)


def _of_moments(moments: Moments, table: ScoreTable, errors: dict[str, Any]) -> Normals:
    n1, n0 = float(table.n_pos), float(table.n_neg)
    spreads = n1 * np.log(moments.sd[1]) + n0 * np.log(moments.sd[0])
    whole = (n1 + n0) * (moments.unit * np.log(2) + np.log(2 * np.pi) / 2 + 0.5)
    sign = 1.0 if table.higher_is_positive else -1.0
    level, step = np.ldexp([moments.mean[0], -moments.sd[0]], moments.unit) * sign
    return binormal_fit(
        "binormal",
        moments.a,
        moments.b,
        loglik=None if table.is_weighted else -float(spreads + whole),
        n_cases=None if table.is_weighted else n1 + n0,
        n_parameters=4,
        line_of_scores=(float(level), float(step)),
        **with_joint(errors, 2),
    )


def without_spread(method: str, moments: Moments) -> Fit:
    """Return the degenerate fit of a class whose scores do not vary."""
    from scipy.special import ndtr

    (mean0, mean1), (sd0, sd1) = moments.mean, moments.sd
    gap = mean1 - mean0
    if sd0 == sd1 == gap == 0:
        why = {"degenerate": "All scores are equal: the curve is the diagonal, without a model."}
        return Normals(
            method=method,
            parameters={"a": 0.0, "b": 1.0},
            covariance=np.full((2, 2), np.nan),
            covariance_method=UNKNOWN,
            flags=why,
        )
    if sd1 == 0 < sd0:
        why = {"degenerate": _FLAT.format("the positives")}
        limits = {"a": float(np.copysign(np.inf, gap)) if gap else np.nan, "b": np.inf}
        return stepped(method, limits, "fpr", float(ndtr(-gap / sd0)), why)
    why = {"degenerate": _FLAT.format("the negatives" if sd1 > 0 else "both classes")}
    a = float(gap / sd1 if sd1 > 0 else np.copysign(np.inf, gap))
    return stepped(method, {"a": a, "b": 0.0}, "tpr", float(ndtr(a)), why)


def oriented(name: str, table: ScoreTable, transformed: Vector | None = None) -> tuple[Vector, int]:
    """Return scores as floats below 1 in size, larger meaning more positive; and their unit.

    The scores, perhaps transformed, must be finite. The unit is a power of two, given by its
    exponent: it changes no curve and keeps squares from overflowing.
    """
    score = floats_of(table) if transformed is None else transformed
    if not np.isfinite(score).all():
        msg = f"{name} does arithmetic on scores, but some are infinite. Take a rank-based method."
        raise ValueError(msg)
    unit = int(np.frexp(np.abs(score).max())[1])
    score = np.ldexp(score, -unit)
    return score if table.higher_is_positive else -score, unit


# --- a line through the empirical points ------------------------------------------------------


@of_table
def fit_probit_line(table: ScoreTable) -> Fit:
    """Fit a straight line to the points of the empirical curve on probit axes.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.

    Returns
    -------
    Fit
        Its covariance is unknown: the points depend on each other.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If fewer than two points of the curve have both rates inside (0, 1), or the line would be
        decreasing or vertical.

    Notes
    -----
    O(k). The line is that of least squares of ``Phi^-1(1 - fpr)`` on ``Phi^-1(tpr)`` over all
    points inside the unit square, each counted once; its slope m and intercept q give ``a = -q /
    m`` and ``b = -1 / m``. This is what pROC calls "binormal"; it is offered for comparison. It has
    no statistical advantage over `fit_labroc`.

    References
    ----------
    Robin et al. (2011), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit_probit_line(tabulate(data.y_true, data.y_score))
    Fit(probit line, a=0.553067, b=0.789086, improper)
    """
    from scipy.special import ndtri

    curve = roc_curve(table)
    inside = (curve.fpr > 0) & (curve.fpr < 1) & (curve.tpr > 0) & (curve.tpr < 1)
    x, y = ndtri(curve.tpr[inside]), -ndtri(curve.fpr[inside])
    if x.size < 2 or not (np.ptp(x) > 0 and np.ptp(y) > 0):
        msg = (
            "fit_probit_line needs two points inside the unit square whose rates both differ; "
            f"here are {x.size} points inside. Take the empirical curve, roc_curve(table)."
        )
        raise ValueError(msg)
    slope = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean())))
    level = float(y.mean() - slope * x.mean())
    return binormal_fit(
        "probit line",
        -level / slope,
        -1 / slope,
        covariance=np.full((2, 2), np.nan),
        covariance_method=UNKNOWN,
        df=df_of(table),
        cuts=(curve.threshold.astype(np.float64), curve.fpr),
    )
