"""Curves of two distributions of one family, with closed forms, and their fits to scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_direction
from rocspace._base.words import shown
from rocspace.counts.table import ScoreTable, need
from rocspace.counts.weights import squares_of
from rocspace.models.densities import FAMILIES, Family
from rocspace.models.fitting import UNKNOWN, errors_of, floats_of, hook_of, likelihood_of
from rocspace.models.maximum import curvature, maximise
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit

FamilyName: TypeAlias = Literal[
    "exponential", "weibull", "gamma", "lognormal", "logistic", "beta-scores", "pareto", "uniform"
]

_ALIKE = ("exponential", "weibull", "logistic", "pareto")  # whose curves have one parameter
_FAR = np.sinh(np.linspace(-4.0, 4.0, 33))  # standard errors at which a path is read
_LARGEST = 300.0  # change of the logarithm of a parameter
_LEAST = 1e-12  # range of the scores of a class, beside their size, that is rounding
_WIDEST = 1e100  # ratio of positive scores
_WHERE = {
    "positive": "above 0",
    "zero": "of 0 or more",
    "unit": "strictly between 0 and 1",
    "real": "that are finite",
}


class FamilyFit(Fit):
    """The curve of two distributions of one family.

    Attributes
    ----------
    family : str
        Name of the family.
    higher_is_positive : bool
        Whether cases above the threshold are called positive.
    constants : mapping of str to float
        Parameters of the distributions that do not affect the curve.
    """

    family: str
    higher_is_positive: bool = True
    constants: Mapping[str, float]

    _kind = "Fit"

    def _range_of(self, symbol: str) -> tuple[float, float]:
        return super()._range_of(symbol) if symbol.startswith("mean") else (0.0, np.inf)

    @property
    def _range_of_scores(self) -> tuple[float, float]:
        support = FAMILIES[self.family].support
        if support == "real":
            return super()._range_of_scores
        return (0.0, 1.0 if support == "unit" else np.inf)

    @property
    def _of(self) -> tuple[Family, tuple[float, ...], tuple[float, ...]]:
        kind, all_of = FAMILIES[self.family], {**self.parameters, **self.constants}
        pos, neg = (tuple(all_of[name] for name in names) for names in (kind.pos, kind.neg))
        return kind, pos, neg

    @property
    def auc(self) -> float:
        """Area under the curve: P(X > Y), by its closed form where there is one."""
        kind, pos, neg = self._of
        area = kind.area(pos, neg)
        if area is None:
            return self._integral(0.0, 1.0)
        return float(area if self.higher_is_positive else 1 - area)

    def likelihood_ratio_at(self, threshold: Any) -> Any:
        """Return the density of the positives over that of the negatives at scores."""
        kind, pos, neg = self._of
        x = np.asarray(threshold, dtype=np.float64)
        flat = np.atleast_1d(x)
        with np.errstate(all="ignore"):
            first, second = (kind.log_density(flat, of)[0] for of in (pos, neg))
            return np.exp(first - second).reshape(x.shape)

    def at_score(self, threshold: float) -> Vector:
        """Return fpr, tpr and the log likelihood ratio at a threshold; nan where no scores are."""
        kind, pos, neg = self._of
        threshold = np.float64(threshold)  # which has no complex powers
        with np.errstate(all="ignore"):
            rates = [float(kind.tail(threshold, of, self.higher_is_positive)) for of in (neg, pos)]
            return np.array([*rates, np.log(self.likelihood_ratio_at(threshold))])

    def _tpr(self, at: Any) -> Any:
        kind, pos, _ = self._of
        with np.errstate(all="ignore"):
            found = kind.tail(self._threshold(at), pos, self.higher_is_positive)
        return np.where(np.asarray(at) == 1, 1.0, found)

    def _fpr(self, at: Any) -> Any:
        kind, pos, neg = self._of
        with np.errstate(all="ignore"):
            score = kind.quantile(at, pos, self.higher_is_positive)
            found = kind.tail(score, neg, self.higher_is_positive)
        return np.where(np.asarray(at) == 0, 0.0, found)

    def _slope(self, at: Any) -> Any:
        found = self.likelihood_ratio_at(self._threshold(at))
        inner = (np.asarray(at) > 0) & (np.asarray(at) < 1) & np.isfinite(found)
        return np.where(inner, found, super()._slope(np.asarray(at)))

    def _path(self, reading: Callable[[Self], float]) -> tuple[Vector, Vector] | None:
        """Return readings of other curves, up to many standard errors of the area away.

        The parameters move as they do, on average, with the area: those that are positive by their
        logarithms.
        """
        if self.family not in _ALIKE:
            return None
        slopes = self.gradient(lambda fit: fit.auc)
        with np.errstate(all="ignore"):
            steps = self.covariance @ slopes / np.sqrt(slopes @ self.covariance @ slopes)
        if not np.isfinite(steps).all():
            return None

        def at(far: float) -> float:
            moved = {
                name: value * np.exp(np.clip(far * step / value, -_LARGEST, _LARGEST))
                if self._range_of(name)[0] == 0
                else value + far * step
                for (name, value), step in zip(self.parameters.items(), steps, strict=True)
            }
            with np.errstate(all="ignore"):
                return float(reading(replace(self, parameters=moved)))

        ratio = np.array([at(far) for far in _FAR])
        rises = np.diff(ratio)
        bends = np.flatnonzero(rises[1:] * rises[:-1] < 0) + 1
        tops = [_top_of(at, _FAR[k - 1], _FAR[k + 1]) for k in bends]
        away, first = np.unique(np.append(_FAR, tops), return_index=True)
        found = np.append(ratio, [at(top) for top in tops])[first]
        return (away, found) if np.isfinite(found).all() else None

    def _threshold(self, at: Any) -> Vector:
        kind, _, neg = self._of
        with np.errstate(all="ignore"):
            return np.asarray(kind.quantile(at, neg, self.higher_is_positive))


def _top_of(at: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one bend between two points is farthest from its ends."""
    from scipy.optimize import minimize_scalar

    sign = np.sign(2 * at((low + high) / 2) - at(low) - at(high))
    found = minimize_scalar(lambda x: -sign * at(x), bounds=(low, high), method="bounded")
    return float(found.x)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        msg = f"{name} is {shown(value)}, but must be a number."
        raise TypeError(msg) from None


@explained
def family_roc(family: FamilyName, *, higher_is_positive: bool = True, **parameters: float) -> Fit:
    """Make the curve of two given distributions of one family.

    Parameters
    ----------
    family : str
        "exponential" (``scale1``, ``scale0``: the means), "weibull" (``shape``, ``scale1``,
        ``scale0``), "gamma" (``shape1``, ``scale1``, ``shape0``, ``scale0``), "lognormal"
        (``mean1``, ``sd1``, ``mean0``, ``sd0`` of the logarithms), "logistic" (``mean1``,
        ``mean0``, ``scale``), "beta-scores" (``alpha1``, ``beta1``, ``alpha0``, ``beta0``),
        "pareto" (``shape1``, ``shape0``, ``minimum``), "uniform" (``top1``, ``top0``, from 0 on). 1
        denotes the positives, 0 the negatives.
    higher_is_positive : bool, default True
        Whether cases above the threshold are called positive.
    **parameters : float
        All parameters of the family.

    Returns
    -------
    Fit
        A curve; its covariance is unknown.

    Raises
    ------
    TypeError
        If parameters are missing or unknown.
    ValueError
        If there is no such family, or a parameter other than a mean is not positive.

    Notes
    -----
    Areas, P(X > Y), in closed form: exponential ``s1 / (s1 + s0)``; Weibull ``s1^k / (s1^k +
    s0^k)``; gamma the incomplete beta function ``I(k0, k1; s1 / (s1 + s0))``; lognormal ``Phi((m1
    - m0) / sqrt(sd1^2 + sd0^2))``; logistic ``e^d (e^d - 1 - d) / (e^d - 1)^2`` with ``d = (m1 -
    m0) / s``; Pareto ``a0 / (a0 + a1)``; uniform ``1 - t0 / (2 t1)`` for ``t1 >= t0``; beta by
    quadrature.

    References
    ----------
    Constantine, Karson and Tse (1986), no numbered equation, for the gamma distribution.

    Examples
    --------
    >>> family_roc("exponential", scale1=3, scale0=1).auc
    0.75
    >>> round(family_roc("gamma", shape1=2.3, scale1=1.4, shape0=1.2, scale0=0.9).auc, 10)
    0.8539141913
    """
    check_choice("family", family, FamilyName)
    kind = FAMILIES[family]
    symbols = dict.fromkeys(kind.pos + kind.neg)
    if symbols.keys() != parameters.keys():
        msg = (
            f"The family {family!r} has the parameters {', '.join(symbols)}; "
            f"given are {', '.join(parameters) or 'none'}."
        )
        raise TypeError(msg)
    given = {name: _number(name, parameters[name]) for name in symbols}
    for name, value in given.items():
        if not (np.isfinite(value) and (value > 0 or name.startswith("mean"))):
            msg = f"{name} is {value}, but must be {'finite' if value > 0 else 'positive'}."
            raise ValueError(msg)
    shaping, constants = _split(family, given)
    size = len(shaping)
    return FamilyFit(
        method=family,
        parameters=shaping,
        covariance=np.full((size, size), np.nan),
        covariance_method=UNKNOWN,
        family=family,
        higher_is_positive=check_direction(higher_is_positive),
        constants=constants,
    )


@explained
def fit_family(
    table: ScoreTable,
    *,
    family: FamilyName = "gamma",
    covariance: Literal["observed", "sandwich", "bootstrap"] | None = None,
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit two distributions of one family to the scores of both classes by maximum likelihood.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present, inside the family's support.
    family : str, default "gamma"
        As for `family_roc`, with the same parameters.
    covariance : {"observed", "sandwich", "bootstrap"}, optional
        By default "observed" information for counts, "sandwich" for weights, and unknown for
        "uniform", whose estimates are not asymptotically Normal.
    n_boot : int, default 1000
        Replicates of "bootstrap", which needs counts.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of "bootstrap".

    Returns
    -------
    Fit
        Its parameters are those of `family_roc`. "improper" where it crosses the diagonal.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are outside the support, those of a class do not vary where the family needs it,
        or an option does not suit the table.

    Notes
    -----
    O(k) for each of some twenty steps over the logarithms of positive parameters. Classes share
    the shape of Weibull, the scale of logistic and the minimum of Pareto distributions, which is
    that of all scores. The curve changes when scores are transformed.

    References
    ----------
    As for `family_roc`.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> fit = fit_family(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]), family="exponential")
    >>> fit, round(fit.auc, 3)
    (Fit(exponential, scale1=5, scale0=3), 0.625)
    """
    need("fit_family", table)
    check_choice("family", family, FamilyName)
    how: str = covariance or ("sandwich" if table.is_weighted else "observed")
    check_choice("covariance", how, ("observed", "sandwich", "bootstrap"))
    sample, flags = _Sample(family, table), {}
    if family == "uniform":
        found, how, otherwise = sample.tops(), UNKNOWN, partial(np.full, (2, 2), np.nan)
        value = sample.loglik_of_tops(found)
    else:
        best = maximise(sample.objective, [sample.start()])
        found, flags, value = sample.named(best.x), best.flags, best.value * sample.n
        otherwise = partial(sample.covariance, best.x, how)
    shaping, constants = _split(family, {**found, **sample.constants})
    fit = FamilyFit(
        method=family,
        parameters=shaping,
        family=family,
        higher_is_positive=table.higher_is_positive,
        constants=constants,
        **errors_of(table, how, partial(_parameters, family), otherwise, n_boot, rng),
        **likelihood_of(table, value + sample.jacobian, len(shaping) + len(constants)),
    )
    return replace(fit, flags={**flags, **hook_of(fit)})


def _parameters(family: str, table: ScoreTable) -> Vector:
    """Return the parameters of the curve alone."""
    sample = _Sample(family, table)
    return np.array(list(sample.named(maximise(sample.objective, [sample.start()]).x).values()))


def _split(family: str, given: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the parameters that affect the curve, and those that do not."""
    fixed = {"minimum"} if family == "pareto" else set()
    shaping = {name: value for name, value in given.items() if name not in fixed}
    return shaping, {name: value for name, value in given.items() if name in fixed}


class _Sample:
    """Scores of both classes in a unit of their own size, and their likelihood."""

    def __init__(self, family: str, table: ScoreTable) -> None:
        self.kind = kind = FAMILIES[family]
        score = floats_of(table)
        _check_support(family, kind, score)
        self.shift, self.unit = 0.0, 1.0
        if kind.support != "unit":
            self.unit = float(np.ldexp(1.0, int(np.frexp(np.abs(score).max())[1])))
        score = score / self.unit
        if kind.support == "real":
            self.shift = float(np.median(score))
        self.score = score - self.shift
        self.weight = (table.pos.astype(np.float64), table.neg.astype(np.float64))
        self.square = squares_of(table)
        self.n = float(table.n_pos + table.n_neg)
        self.jacobian = -self.n * float(np.log(self.unit)) if kind.support != "unit" else 0.0
        self.constants: dict[str, float] = {}
        if family == "pareto":
            self.constants = {"minimum": float(score.min()) * self.unit}
        symbols = dict.fromkeys(kind.pos + kind.neg)
        self.symbols = [name for name in symbols if name not in self.constants]
        for name, many in zip(("positives", "negatives"), self.weight, strict=True):
            self._check_spread(family, name, self.score[many > 0])

    def _check_spread(self, family: str, name: str, there: Vector) -> None:
        size = 1.0 if self.kind.support == "real" else float(there.max())
        flat = np.ptp(there) <= _LEAST * size
        at_least = family == "pareto" and there.max() * self.unit == self.constants["minimum"]
        zero = self.kind.support == "zero" and there.max() == 0
        if (flat and self.kind.spread and family != "pareto") or at_least or zero:
            msg = (
                f"The scores of the {name} do not vary enough for the family {family!r}: its "
                "parameters would be infinite or 0. Take roc_curve(table), or a rank-based model."
            )
            raise ValueError(msg)

    def _is_log(self, name: str) -> bool:
        return not name.startswith("mean")

    def _values(self, t: Vector) -> dict[str, float]:
        """Return parameters in the unit of the sample."""
        pairs = zip(self.symbols, t, strict=True)
        found = {name: np.exp(x) if self._is_log(name) else x for name, x in pairs}
        return {**found, **{name: x / self.unit for name, x in self.constants.items()}}

    def named(self, t: Vector) -> dict[str, float]:
        """Return parameters in the unit of the scores."""
        found = self._values(t)
        for name in self.symbols:
            if name.startswith(("scale", "top")):
                found[name] *= self.unit
            elif not self._is_log(name):
                real = self.kind.support == "real"
                moved = (found[name] + self.shift) * self.unit
                found[name] = moved if real else found[name] + float(np.log(self.unit))
        return {name: float(found[name]) for name in self.symbols}

    def start(self) -> Vector:
        """Return a start from the moments of both classes; means of both for what they share."""
        found: dict[str, list[float]] = {name: [] for name in self.symbols}
        log = np.log(np.maximum(np.abs(self.score), 1e-300))
        for names, many in zip((self.kind.pos, self.kind.neg), self.weight, strict=True):
            share = many / many.sum()
            mean = float(share @ self.score)
            variance = max(float(share @ (self.score - mean) ** 2), 1e-12 * mean**2, 1e-300)
            begun = self.kind.start(mean, variance, float(share @ log))
            for name, value in zip(names, begun, strict=True):
                if name in found:
                    found[name].append(float(np.log(value)) if self._is_log(name) else value)
        return np.array([np.mean(each) for each in found.values()])

    def scores(self, t: Vector) -> list[tuple[Vector, Vector]]:
        """Return for each class log densities, and their derivatives by all of t."""
        of, found = self._values(t), []
        for names in (self.kind.pos, self.kind.neg):
            value, slopes = self.kind.log_density(self.score, tuple(of[name] for name in names))
            both = np.zeros((t.size, self.score.size))
            for name, slope in zip(names, slopes, strict=True):
                if name in self.symbols:
                    factor = of[name] if self._is_log(name) else 1.0
                    both[self.symbols.index(name)] += factor * slope
            found.append((value, both))
        return found

    def objective(self, t: Vector) -> tuple[float, Vector]:
        """Return the mean log-likelihood of a case, and its derivatives."""
        with np.errstate(all="ignore"):
            parts = list(zip(self.scores(t), self.weight, strict=True))
            value = float(sum(many @ each[0] for each, many in parts)) / self.n
            gradient = np.sum([each[1] @ many for each, many in parts], axis=0) / self.n
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            return -np.inf, np.zeros_like(t)
        return value, gradient

    def loglik_of_tops(self, tops: Mapping[str, float]) -> float:
        """Return the log-likelihood of uniform scores, in the unit of the sample."""
        sizes = (float(many.sum()) for many in self.weight)
        pairs = zip(tops.values(), sizes, strict=True)
        return -sum(n * float(np.log(top / self.unit)) for top, n in pairs)

    def tops(self) -> dict[str, float]:
        """Return the largest score of each class."""
        pairs = zip(self.symbols, self.weight, strict=True)
        return {name: float(self.score[many > 0].max()) * self.unit for name, many in pairs}

    def covariance(self, t: Vector, how: str) -> Vector:
        """Return the covariance of the named parameters: observed information, or a sandwich."""
        size, final = t.size, self.named(t)
        information = -self.n * curvature(lambda x: self.objective(x)[1], t)
        try:
            inverse = np.linalg.inv(information)
        except np.linalg.LinAlgError:
            return np.full((size, size), np.nan)
        if how == "sandwich":
            parts = zip(self.scores(t), self.square, strict=True)
            meat = np.sum([(slope * w2) @ slope.T for (_, slope), w2 in parts], axis=0)
            inverse = inverse @ meat @ inverse
        real = self.unit if self.kind.support == "real" else 1.0
        slope = np.array([final[x] if self._is_log(x) else real for x in self.symbols])
        with np.errstate(over="ignore", invalid="ignore"):  # of scores near the largest float
            return np.asarray(inverse * slope[:, np.newaxis] * slope)


def _check_support(family: str, kind: Family, score: Vector) -> None:
    low = {"positive": score > 0, "zero": score >= 0, "unit": (score > 0) & (score < 1)}
    good = low.get(kind.support, np.ones(score.size, dtype=bool)) & np.isfinite(score)
    lowest = {"positive": score.max() / _WIDEST, "unit": 1 / _WIDEST}.get(kind.support, -np.inf)
    if good.all() and score.min() < lowest:
        msg = (
            f"The scores range from {score.min():g} to {score.max():g}, which the family "
            f"{family!r} cannot resolve. Take their logarithms, or a rank-based model, such as "
            'model="labroc".'
        )
        raise ValueError(msg)
    if not good.all():
        msg = (
            f"The family {family!r} takes scores {_WHERE[kind.support]}, but one is "
            f'{score[~good][0]:g}. Take a rank-based model, such as model="labroc".'
        )
        raise ValueError(msg)
