"""The density ratio model: the logarithm of the likelihood ratio is linear in the score."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace._base.text import brief
from rocspace.counts.table import ScoreTable, of_table
from rocspace.models.fitting import UNKNOWN
from rocspace.models.maximum import UNCONVERGED
from rocspace.models.sampled import Sample, SampleFit, sample_fields
from rocspace.results.curve import PolygonCurve
from rocspace.results.fit import Fit

_MOST = 200
_NEAR = 1e-10  # a step whose components are all below this is the last
_STEEP = 20.0  # log odds per standard deviation beyond which classes count as separated
_SEPARATED = {
    "separated": "The model can tell the classes apart without error, so that its parameters "
    "would be infinite; these are Firth's penalised ones, and their errors are unknown. Take "
    "the empirical curve, roc_curve(table)."
}


class DensityRatioFit(PolygonCurve, SampleFit):
    """A polygon whose slope at a score is exp(alpha + beta score + beta2 score^2).

    Attributes
    ----------
    prevalence : float
        Share of positives among all cases.
    """

    prevalence: float

    _kind = "Fit"

    @cached_property
    def fpr(self) -> Vector:
        """False positive rates of the vertices, by falling score."""
        return self._rates[0]

    @cached_property
    def tpr(self) -> Vector:
        """True positive rates of the vertices, by falling score."""
        return self._rates[1]

    @cached_property
    def _rates(self) -> tuple[Vector, Vector]:
        score, mass, _ = _pooled(self.pos, self.neg, self.prevalence)
        beta = np.array(list(self.parameters.values())) / self._scale
        chance = _chance(_powers(score, beta.size - 1) @ beta, self.prevalence)
        _, row = np.unique(-score, return_inverse=True)
        fpr, tpr = (
            np.append(0.0, np.cumsum(np.bincount(row, part / part.sum())))
            for part in (mass * (1 - chance), mass * chance)
        )
        return fpr / fpr[-1], tpr / tpr[-1]

    @property
    def auc(self) -> float:
        """Area under the curve, ties counted half."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def _threshold(self, at: Vector) -> Vector:
        row = np.searchsorted(self.fpr, at, side="right") - 1
        score = np.unique(np.concatenate([self.pos[0], self.neg[0]]))[::-1]
        return self.scores_of(np.append(np.inf, score)[row])

    def _moved(self, **samples: Any) -> Self:
        moved = replace(self, **samples)
        score, mass, label = _pooled(moved.pos, moved.neg, self.prevalence)
        beta = np.array(list(self.parameters.values())) / self._scale
        problem = _Powers(score, mass, label, beta.size - 1)
        step = problem.natural(problem.newton(problem.scaled(beta, self.prevalence))[0])
        step[0] -= np.log(self.prevalence / (1 - self.prevalence))
        values = (step * self._scale).tolist()
        return replace(moved, parameters=dict(zip(self.parameters, values, strict=True)))

    @property
    def _scale(self) -> Vector:
        return _scales(self.unit, self.higher_is_positive, len(self.parameters))


def _scales(unit: int, higher: bool, size: int) -> Vector:
    """Return the factors of parameters from the unit of a fit to that of the scores."""
    with np.errstate(over="ignore"):  # the parameters of tiny scores may be infinite
        return np.asarray((np.ldexp(1.0, -unit) * (1 if higher else -1)) ** np.arange(size))


def _pooled(pos: Sample, neg: Sample, prevalence: float) -> tuple[Vector, Vector, Vector]:
    """Return scores, shares and labels of all cases."""
    score = np.concatenate([pos[0], neg[0]])
    mass = np.concatenate([pos[1] * prevalence, neg[1] * (1 - prevalence)])
    return score, mass, np.repeat([1.0, 0.0], [pos[0].size, neg[0].size])


def _powers(x: Vector, degree: int) -> Vector:
    return np.stack([x**i for i in range(degree + 1)], axis=-1)


def _chance(log_ratio: Vector, prevalence: float) -> Vector:
    """Return the probability of a positive where the log likelihood ratio is given."""
    from scipy.special import expit, logit

    return np.asarray(expit(log_ratio + logit(prevalence)))


class Logistic:
    """Logistic regression of labels on the columns of a design."""

    def __init__(self, design: Vector, mass: Vector, label: Vector) -> None:
        self.design, self.mass, self.label = design, mass, label

    def newton(self, beta: Vector, penalty: float = 0.0) -> tuple[Vector, Vector]:
        """Return the parameters after a step, and the information; penalty 1 / n is Firth's."""
        from scipy.special import expit

        chance = expit(self.design @ beta)
        weight = self.mass * chance * (1 - chance)
        information = (self.design * weight[:, np.newaxis]).T @ self.design
        inverse = np.linalg.pinv(information)
        gap = self.mass * (self.label - chance)
        if penalty:
            lever = weight * np.einsum("ij,jk,ik->i", self.design, inverse, self.design)
            gap = gap + penalty * lever * (0.5 - chance)
        step = inverse @ (self.design.T @ gap)
        return beta + step / max(1.0, float(np.abs(step).max())), information

    def solve(self, penalty: float = 0.0) -> tuple[Vector, bool]:
        """Return the parameters, and whether they were reached."""
        beta = np.zeros(self.design.shape[1])
        for _ in range(_MOST):
            new = self.newton(beta, penalty)[0]
            if np.abs(new - beta).max() < _NEAR * max(1.0, float(np.abs(new).max())):
                return new, True
            if not penalty and np.abs(new).max() > _STEEP:
                return new, False
            beta = new
        return beta, False


class _Powers(Logistic):
    """Logistic regression on powers of a standardised score."""

    def __init__(self, score: Vector, mass: Vector, label: Vector, degree: int) -> None:
        self.mean = float(mass @ score)
        self.sd = float(np.sqrt(mass @ (score - self.mean) ** 2))
        super().__init__(_powers((score - self.mean) / self.sd, degree), mass, label)

    def natural(self, beta: Vector) -> Vector:
        """Return parameters by powers of the score itself."""
        return np.asarray(self._change() @ beta)

    def scaled(self, beta: Vector, prevalence: float) -> Vector:
        """Return the parameters of the log odds by the standardised score."""
        odds = beta.copy()
        odds[0] += np.log(prevalence / (1 - prevalence))
        return np.asarray(np.linalg.solve(self._change(), odds))

    def _change(self) -> Vector:
        m, s = self.mean, self.sd
        whole = np.array([[1, -m / s, (m / s) ** 2], [0, 1 / s, -2 * m / s**2], [0, 0, 1 / s**2]])
        return whole[: self.design.shape[1], : self.design.shape[1]]


@of_table
def fit_density_ratio(
    table: ScoreTable, *, terms: Literal["linear", "quadratic"] = "linear"
) -> Fit:
    """Fit the two distributions whose log likelihood ratio is linear, or quadratic, in the score.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present; scores finite.
    terms : {"linear", "quadratic"}, default "linear"
        "linear" holds for exponential families with one parameter; "quadratic" holds for Normal
        scores with unequal variances.

    Returns
    -------
    Fit
        With parameters ``alpha``, ``beta``, and for "quadratic" also ``beta2``: the log likelihood
        ratio is ``alpha + beta score + beta2 score^2``. Its curve is a polygon with a vertex at
        each distinct score. "separated" if the parameters would be infinite.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are infinite, or there are too few distinct ones.

    Notes
    -----
    O(k) for each of some ten steps. The parameters are those of a logistic regression of the class
    on the score, the intercept minus ln(P / N). Each of the n cases has the probability ``1 / (N (1
    + P / N exp(alpha + beta score)))`` in the distribution of the negatives, and that times the
    likelihood ratio in that of the positives: all cases contribute to both. If the model holds,
    areas and rates have a smaller variance than the empirical ones. The curve changes when scores
    are transformed.

    Standard errors are those of the infinitesimal jackknife, a sandwich: for the parameters, and
    for quantities read from the curve, which depend on the cases in addition to the parameters.

    References
    ----------
    Qin and Zhang (2003) and Zhang (2006), no numbered equation; Firth (1993), no numbered
    equation, for separated classes.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_density_ratio(tabulate(data.y_true, data.y_score))
    >>> fit, round(fit.auc, 6)
    (Fit(density ratio, alpha=-1.9509, beta=4.14866), 0.679782)
    """
    check_choice("terms", terms, ("linear", "quadratic"))
    degree = 1 + (terms == "quadratic")
    fields = sample_fields("fit_density_ratio", table, None)
    if len(table) <= degree:
        msg = (
            f'fit_density_ratio with terms="{terms}" needs more than {degree} distinct scores; '
            f"here are {len(table)}. Take the empirical curve, roc_curve(table)."
        )
        raise ValueError(msg)
    prevalence = table.prevalence
    score, mass, label = _pooled(fields["pos"], fields["neg"], prevalence)
    problem = _Powers(score, mass, label, degree)
    beta, converged = problem.solve()
    flags: dict[str, str] = {}
    names = ("alpha", "beta", "beta2")[: degree + 1]
    spread = np.full((len(names), len(names)), np.nan)
    if not converged:
        n = float(sum(table.n_eff))
        beta, reached = problem.solve(penalty=1 / n)
        flags = {**_SEPARATED, **({} if reached else UNCONVERGED)}
    else:
        variance = np.concatenate([fields["pos"][2], fields["neg"][2]])
        spread = _sandwich(problem, beta, prevalence, variance)
    scale = _scales(fields["unit"], table.higher_is_positive, degree + 1)
    with np.errstate(over="ignore", invalid="ignore"):
        values, spread = problem.natural(beta) * scale, spread * scale[:, np.newaxis] * scale
    if not np.isfinite(values).all():
        msg = (
            f"The scores are at most {brief(float(np.abs(table.score).max()))} in size, so that "
            "the change of the log likelihood ratio with the score overflows. "
            "Multiply all scores by a large constant."
        )
        raise ValueError(msg)
    values[0] -= np.log(prevalence / (1 - prevalence))
    return DensityRatioFit(
        method="density ratio",
        parameters=dict(zip(names, values.tolist(), strict=True)),
        covariance=spread,
        covariance_method=UNKNOWN if flags else "sandwich",
        flags=flags,
        prevalence=prevalence,
        **fields,
    )


def _sandwich(problem: _Powers, beta: Vector, prevalence: float, variance: Vector) -> Vector:
    """Return the covariance of the parameters, of samples with so many cases of each class."""
    from scipy.special import expit

    _, information = problem.newton(beta)
    gap = (problem.label - expit(problem.design @ beta))[:, np.newaxis] * problem.design
    meat = np.zeros_like(information)
    for side, share in ((1, prevalence), (0, 1 - prevalence)):
        rows = problem.label == side
        centred = gap[rows] - problem.mass[rows] @ gap[rows] / share
        meat += share**2 * (centred * variance[rows, np.newaxis]).T @ centred
    change = problem._change() @ np.linalg.pinv(information)
    return np.asarray(change @ meat @ change.T)
