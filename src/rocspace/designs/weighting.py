"""Weights of cases in both classes, by models of who was verified and of who is positive.

Influence values allow for the fitting of the models; the bootstrap fits them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Mask, Vector, as_block
from rocspace._base.cases import check_lengths, complete
from rocspace._base.checks import check_choice, check_rng
from rocspace._base.text import general, percent
from rocspace._base.words import warn
from rocspace.designs.corrected import Reading, freedom
from rocspace.designs.verified import VerifiedScores
from rocspace.models.density_ratio import Logistic
from rocspace.resampling.replicates import Rng

VerificationMethod: TypeAlias = Literal["doubly-robust", "ipw", "imputation", "mean-score"]
ErrorMethod: TypeAlias = Literal["influence", "bootstrap"]
Columns: TypeAlias = Mapping[str, Array]
Fits: TypeAlias = Callable[[Columns, Vector, Columns], ArrayLike]
Model: TypeAlias = Sequence[str] | ArrayLike | Fits | None

_HEAVY = 0.1  # a case is told that counts for so much of its class, and for 1 / so many others
_MANY = 0.25  # it is told if more cases than these were given a larger chance of verification
_STEEP = 700.0  # a logarithm of odds whose exponential is a number
_FEWEST = 20  # replicates that a standard error needs


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """Probabilities of all cases, and the influence values of the parameters if they were fitted.

    ``design`` has the columns of the model; variances are multiplied by ``inflation``; ``raised``
    says which probabilities were smaller than the least one allowed.
    """

    values: Vector
    design: Vector | None = None
    influence: Vector | None = None
    reached: bool = True
    inflation: float = 1.0
    raised: Mask | None = None

    def at_least(self, least: float) -> Chance:
        """Raise smaller probabilities to this one."""
        return replace(self, values=np.maximum(self.values, least), raised=self.values < least)

    def moved(self, slope: Vector) -> Vector:
        """Return a derivative by the log odds, on which raised probabilities do not depend."""
        return slope if self.raised is None else np.where(self.raised, 0.0, slope)


@dataclass(frozen=True, slots=True, eq=False)
class Fitter:
    """A function of the user that fits a model, and the columns that it is given."""

    function: Callable[..., Any]
    columns: Columns
    role: str

    def fitted(self, label: Vector, times: Vector) -> Chance:
        """Fit to cases that count so many times, and return the probabilities of all cases."""
        rows = np.repeat(np.arange(times.size), times.astype(np.intp))
        known = {name: column[rows] for name, column in self.columns.items()}
        given = np.asarray(self.function(known, label[rows], self.columns))
        if given.shape != (times.size,):
            msg = (
                f"The function of {self.role} returned the shape {given.shape}, but must return a "
                f"probability for each of all {times.size} cases, those of its third argument."
            )
            raise ValueError(msg)
        chance = np.asarray(checks.check_fraction(self.role, given), dtype=np.float64)
        return Chance(_usable(self.role, chance, label > 0))


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """Weights of all cases in both classes.

    ``slopes`` are the models, each with the derivatives of both weights by its log odds.
    """

    pos: Vector
    neg: Vector
    slopes: tuple[tuple[Chance, Vector, Vector], ...]

    def influence(self, reading: Reading) -> Vector:
        """Return the influence value of each case, which allows for fitted models."""
        found = self.pos * reading.by_pos + self.neg * reading.by_neg
        for model, of_pos, of_neg in self.slopes:
            if model.design is not None and model.influence is not None:
                by_odds = of_pos * reading.by_pos + of_neg * reading.by_neg
                found = found + model.influence @ (by_odds @ model.design / found.size)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What an estimator needs: who was verified, who is positive, and the models of both.

    A model is the columns of a logistic regression, or given probabilities. With a `tilt`,
    unverified cases have odds of being positive that are smaller by its exponential.
    """

    label: Vector
    verified: Vector
    method: VerificationMethod
    truth: Chance | Fitter | Vector
    verification: Chance | Fitter | Vector
    tilt: float = 0.0

    def solve(self, times: Vector | None = None) -> Solved:
        """Return the weights in both classes; `times` says how often each case counts."""
        d, v = self.label, self.verified
        if self.method == "ipw":
            chosen = self._chosen(times)
            fall = chosen.moved(-v * (1 - chosen.values) / chosen.values)
            weight = v / chosen.values
            return Solved(weight * d, weight * (1 - d), ((chosen, fall * d, fall * (1 - d)),))
        truth = _fitted(self.truth, d, v if times is None else times * v)
        rho = truth.values
        if self.method == "doubly-robust":
            chosen = self._chosen(times)
            pi = chosen.values
            of_truth = (1 - v / pi) * rho * (1 - rho)
            of_chosen = chosen.moved(-v * (d - rho) * (1 - pi) / pi)
            slopes = (truth, of_truth, -of_truth), (chosen, of_chosen, -of_chosen)
            pos = v * (d - rho) / pi + rho
            return Solved(pos, 1 - pos, slopes)
        if self.tilt:
            rho = rho / (rho + (1 - rho) * np.exp(np.clip(self.tilt, -_STEEP, _STEEP)))
        filled = np.ones(v.size) if self.method == "imputation" else 1 - v
        of_truth = filled * rho * (1 - rho)
        pos = (1 - filled) * d + filled * rho
        return Solved(pos, 1 - pos, ((truth, of_truth, -of_truth),))

    def _chosen(self, times: Vector | None) -> Chance:
        if self.verified.all():
            return Chance(np.ones(self.verified.size))
        every = np.ones(self.verified.size) if times is None else times
        found = _fitted(self.verification, self.verified, every)
        known = isinstance(self.verification, Chance)
        return found if known else found.at_least(self.least)

    @property
    def least(self) -> float:
        """The least fitted probability of verification, by the number of cases.

        Gruber, Phillips, Lee and van der Laan (2022); never more than half of the share verified.
        """
        n, share = self.verified.size, float(self.verified.mean())
        return min(5 / float(np.sqrt(n) * np.log(n)), share / 2)


def _fitted(model: Chance | Fitter | Vector, label: Vector, times: Vector) -> Chance:
    """Fit a logistic regression to cases that count so many times, unless all is known."""
    if isinstance(model, Chance):
        return model
    if isinstance(model, Fitter):
        return model.fitted(label, times)
    from scipy.special import expit

    total = float(times.sum())
    problem = Logistic(model, times / total, label)
    beta, reached = problem.solve()
    if not reached:
        beta = problem.solve(penalty=1 / total)[0]
    chance = np.asarray(expit(model @ beta))
    inverse = np.linalg.pinv(problem.newton(beta)[1])
    score = (times * (label - chance) * (label.size / total))[:, np.newaxis] * model
    few = max(total - model.shape[1], 1.0)
    return Chance(chance, model, score @ inverse, reached, total / few)


def model_of(data: VerifiedScores, given: Model, role: str) -> Chance | Fitter | Vector:
    """Return the columns of a model, or the probabilities that were given."""
    everything = (*data.names, *data.covariates)
    if given is None:
        return _design(data, everything)
    if callable(given):
        scores = {name: data.column(name) for name in data.names}
        return Fitter(given, {**scores, **data.covariates}, role)
    if isinstance(given, str):
        given = (given,)
    array, _ = as_block(given, role)
    if array.size == 0 or array.dtype.kind in "UO":
        for name in array.ravel().tolist():
            checks.check_known("column", name, everything)
        return _design(data, array.tolist())
    chance = np.asarray(checks.check_fraction(role, complete(given, role)))
    check_lengths({"y_true": len(data), role: chance.size})
    return Chance(_usable(role, chance, data.verified))


def _usable(role: str, chance: Vector, verified: Mask) -> Vector:
    """Return probabilities that can be divided by, those of verification."""
    if role != "verification":
        return chance
    if not chance[verified].all():
        at = int(np.flatnonzero(verified & (chance == 0))[0])
        msg = f"verification is 0 at index {at}, a case that was verified. Give its probability."
        raise ValueError(msg)
    return np.where(chance > 0, chance, 1.0)


def _design(data: VerifiedScores, names: Sequence[str]) -> Vector:
    """Return an intercept, standardised numbers, and indicators of categories."""
    columns = [np.ones(len(data))]
    for name in names:
        is_score = name in data.names
        values = data.column(name) if is_score else data.covariates[name]
        if values.dtype.kind in "iufb":
            number = values.astype(np.float64)
            spread = float(number.std())
            if spread > 0:
                columns.append((number - number.mean()) / spread)
        else:
            kinds = np.unique(values.astype(str))
            columns += [(values.astype(str) == kind).astype(np.float64) for kind in kinds[1:]]
    return np.column_stack(columns)


def problem_of(
    data: VerifiedScores, method: VerificationMethod, verification: Model, truth: Model
) -> Problem:
    """Check what an estimator needs, and put it together."""
    return Problem(
        label=data.label.astype(np.float64),
        verified=data.verified.astype(np.float64),
        method=method,
        truth=model_of(data, truth, "truth"),
        verification=model_of(data, verification, "verification"),
    )


# --- estimates ----------------------------------------------------------------------------------

Reader: TypeAlias = Callable[[Vector, Vector, Vector | None], Reading]


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Several numbers read from the same weights, with their covariance.

    ``model_se`` has the standard errors that the models of a doubly robust estimate expect, 0 for
    others; ``dfs`` the degrees of freedom of each number, of which ``df`` is the least.
    """

    values: Vector
    covariance: Vector
    dfs: Vector
    method: str
    model_se: Vector

    @property
    def df(self) -> float:
        """Degrees of freedom of all numbers together."""
        return float(self.dfs.min())

    def se(self, i: int) -> float:
        """Return the standard error of one of them."""
        return float(np.sqrt(max(self.covariance[i, i], 0.0)))


def read_all(
    problem: Problem, readers: Sequence[Reader], errors: ErrorMethod, n_boot: int, rng: Rng
) -> Read:
    """Read numbers from the weights of all cases, and estimate their errors.

    The variance of the influence values is multiplied by k / (k - 1), k being the smaller number of
    verified cases of a class, and for each fitted model by m / (m - p), p being the number of its
    columns, and m that of the cases it was fitted to.
    """
    check_choice("errors", errors, ErrorMethod)
    solved = problem.solve()
    warn_of(problem, solved)
    found = [reader(solved.pos, solved.neg, None) for reader in readers]
    values = np.array([reading.value for reading in found])
    n = problem.label.size
    known = min(float((problem.verified * each).sum()) for each in _sides(problem))
    influence = np.column_stack([solved.influence(reading) for reading in found])
    dfs = np.array([freedom(column, n - 1.0) for column in influence.T])
    if errors == "influence":
        scale = known / (known - 1) if known > 1 else np.nan
        for model, _, _ in solved.slopes:
            scale *= model.inflation
        covariance = influence.T @ influence / n**2 * scale
        expected = np.array([_expected(problem, solved, each) for each in found])
        return Read(values, covariance, dfs, problem.method, np.sqrt(expected / n * scale))
    covariance = _bootstrapped(problem, readers, n_boot, rng)
    none = np.zeros(values.size)
    return Read(values, covariance, dfs, f"{problem.method}, bootstrap", none)


def _expected(problem: Problem, solved: Solved, reading: Reading) -> float:
    """Return the mean square of the influence values that both models expect, given the columns.

    Of a doubly robust estimate whose models hold; unlike the observed one it does not depend on
    whether the few cases that would weigh much were verified.
    """
    if problem.method != "doubly-robust" or problem.verified.all():
        return 0.0
    (truth, _, _), (chosen, _, _) = solved.slopes
    rho, gap = truth.values, reading.by_pos - reading.by_neg
    known = (reading.by_neg + gap * rho) ** 2
    return float(np.mean(known + gap**2 * rho * (1 - rho) / chosen.values))


def _sides(problem: Problem) -> tuple[Vector, Vector]:
    return problem.label, 1 - problem.label


def _bootstrapped(problem: Problem, readers: Sequence[Reader], n_boot: int, rng: Rng) -> Vector:
    """Return the covariance of numbers over samples of the cases, with the models fitted anew."""
    drawn = []
    for times in samples_of(problem, n_boot, rng):
        solved = problem.solve(times)
        drawn.append([reader(solved.pos, solved.neg, times).value for reader in readers])
    return np.atleast_2d(np.cov(np.array(drawn), rowvar=False))


def samples_of(problem: Problem, n_boot: int, rng: Rng) -> list[Vector]:
    """Return how often each case is in each sample that has verified cases of both classes."""
    if n_boot < _FEWEST:
        msg = f"n_boot is {n_boot}, but a standard error needs at least {_FEWEST} replicates."
        raise ValueError(msg)
    generator, n = check_rng(rng), problem.label.size
    drawn = []
    for _ in range(n_boot):
        times = generator.multinomial(n, np.full(n, 1 / n)).astype(np.float64)
        if all(float(times @ (problem.verified * each)) > 0 for each in _sides(problem)):
            drawn.append(times)
    if len(drawn) < _FEWEST:
        msg = (
            f"Only {len(drawn)} of {n_boot} replicates have verified cases of both classes. "
            'Take errors from "influence".'
        )
        raise ValueError(msg)
    return drawn


def warn_of(problem: Problem, solved: Solved) -> None:
    """Warn of models that predict without error, and of cases that count for too much."""
    for model, _, _ in solved.slopes:
        if not model.reached:
            warn(
                "Logistic regression predicts without error who was verified, or who is positive, "
                "so that its coefficients would be infinite; Firth's penalised ones are used. If "
                "cases of some kind are never verified, no method corrects for it without a model "
                'of the truth: compare with "mean-score".'
            )
    if problem.method in ("ipw", "doubly-robust"):
        _warn_of_raised(problem, solved)
        for name, side in zip(("positives", "negatives"), _sides(problem), strict=True):
            weight = (solved.pos if name == "positives" else solved.neg) * problem.verified * side
            share = float(weight.max()) / max(float(np.abs(weight).sum()), 1e-300)
            if share > _HEAVY and share * float((problem.verified * side).sum()) > 1 / _HEAVY:
                warn(
                    f"One verified case counts for {percent(share)} of the {name}: hardly any "
                    'case like it was verified. Compare with "mean-score".'
                )
                return


def _warn_of_raised(problem: Problem, solved: Solved) -> None:
    """Warn if many cases, or much of the smaller class, had too small a chance of verification."""
    chosen = solved.slopes[-1][0]
    if chosen.raised is None or not chosen.reached:
        return
    cases, held = float(chosen.raised.mean()), 0.0
    who, then = f"{percent(cases)} of the cases", "that the area and rates lean to those verified"
    if problem.method == "doubly-robust":
        rho = solved.slopes[0][0].values
        name, side = ("positives", rho) if rho.mean() <= 1 / 2 else ("negatives", 1 - rho)
        held = float(side[chosen.raised].sum() / side.sum())
        who += f", with {percent(held)} of the {name}"
        then = "that only the model of the truth corrects for them"
    if cases > _MANY or held > _HEAVY:
        warn(
            f"{who}, have a fitted probability of verification below {general(problem.least)}. It "
            f'was raised to that, so {then}. Compare with "mean-score".'
        )
