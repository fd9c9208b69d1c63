"""Studies planned by simulation: the power of the test itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.checks import check_rng, check_times
from rocspace._base.progress import Progress
from rocspace.compare.areas import auc_difference
from rocspace.compare.margins import equivalence_test, one_sided_test
from rocspace.compare.samples import SampledGaps, sampled_gaps
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.inference.area import auc_test, delong, partial_auc_estimate
from rocspace.planning.designs import (
    N_SIM,
    Design,
    Plan,
    Precision,
    more_of,
    ndtr,
    ndtri,
    power_quantile,
    tail_of,
)
from rocspace.results.estimates import AreaEstimate
from rocspace.results.limits import touching_pvalue
from rocspace.results.test import Alternative

# What these cost and bring is measured by benchmarks.constants.plan_search.
_FEW = 500  # samples of a step of the search
_STEPS = 8
_TRIES = 4  # numbers of cases that are looked at with all samples
_NEAR = 0.03  # Normal quantiles of a power that are one: .8 and .808
_LEAST = 2  # cases of a class
_MANY = 5_000  # cases from which on the formula is asked: its power is off by 2 points at most
_ALIKE = 0.01  # logarithms of widths that are one
_ROUNDING = 1e-9
_DIGITS = 12  # of a share that was made a quantile and back
_TOGETHER = 50  # samples that are drawn and read at once
_WIDTHS = 4  # widths vary less than powers: so many times fewer samples


# --- what is drawn, and how it is judged ------------------------------------------------------


Samples: TypeAlias = Sequence[Any]


class Drawn(Protocol):
    """Where samples come from: so many positives and negatives."""

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> Any:
        """Draw one sample."""


class Study(Protocol):
    """Samples of a study, and what its test and its interval say of them."""

    @property
    def population(self) -> Drawn:
        """Where samples come from."""

    def pvalues(self, samples: Samples, side: Alternative) -> Vector:
        """Return the one-sided p values; of equivalence those of both sides."""

    def rejects(self, samples: Samples, side: Alternative, tail: float) -> Array:
        """Tell whether the p values are at most `tail`, which may be faster than the p values."""

    def half_widths(self, samples: Samples, level: float) -> Vector:
        """Return half of the widths of the default intervals."""

    def farther(self, by: float) -> Study:
        """Return the same study against a null hypothesis that lies so much higher."""


@dataclass(frozen=True, kw_only=True)
class OneCurve:
    """An area, or a part of it, against a value."""

    population: Drawn
    null: float
    fpr: tuple[float, float] | None = None
    usual: bool = False

    def _estimate(self, sample: ScoreTable) -> AreaEstimate:
        return delong(sample) if self.fpr is None else partial_auc_estimate(sample, fpr=self.fpr)

    def pvalues(self, samples: Samples, side: Alternative) -> Vector:
        """Test the area against 1/2 as `auc_test`, else by the default interval."""
        if self.usual:
            return _each(samples, lambda x: auc_test(x, alternative=side).pvalue)
        return _each(samples, lambda x: touching_pvalue(self._estimate(x), self.null, side))

    def rejects(self, samples: Samples, side: Alternative, tail: float) -> Array:
        """Tell whether the default interval leaves the value out."""
        if self.usual or tail >= 0.5:
            return self.pvalues(samples, side) <= tail
        return _each(samples, lambda x: _leaves_out(self._estimate(x), self.null, side, tail))

    def half_widths(self, samples: Samples, level: float) -> Vector:
        """Return half of the widths of the default intervals."""
        return _each(samples, lambda x: self._estimate(x).interval(level).width / 2)

    def farther(self, by: float) -> OneCurve:
        """Return the same study against another area."""
        return replace(self, null=self.null + by, usual=False)


@dataclass(frozen=True, kw_only=True)
class TwoCurves:
    """A difference of two areas, of parts of them, against a value or within two limits."""

    population: Drawn
    null: float = 0.0
    fpr: tuple[float, float] | None = None
    limits: tuple[float, float] | None = None

    def _together(self, samples: Samples) -> SampledGaps | None:
        """Compare whole areas of the same cases in all samples at once."""
        if self.fpr is not None or not isinstance(samples[0], PairedScores):
            return None
        n_pos = int(np.count_nonzero(samples[0].label))
        return sampled_gaps(np.stack([sample.score for sample in samples]), n_pos)

    def _pvalue(self, sample: Any, side: Alternative) -> float:
        gap = auc_difference(sample, fpr=self.fpr)
        if self.limits is not None:
            return equivalence_test(gap, self.limits).pvalue
        if self.null == 0:
            return gap.test(alternative=side).pvalue
        return one_sided_test(gap, self.null, side, "interval").pvalue

    def pvalues(self, samples: Samples, side: Alternative) -> Vector:
        """Test the difference as `auc_difference`, `noninferiority_test`, `equivalence_test`."""
        gaps = self._together(samples)
        if gaps is None:
            return _each(samples, lambda x: self._pvalue(x, side))
        if self.limits is None:
            found = gaps.pvalues(self.null, side)
        else:
            both = gaps.pvalues(self.limits[0], "greater"), gaps.pvalues(self.limits[1], "less")
            found = np.maximum(*both)
        return _filled(found, samples, lambda x: self._pvalue(x, side))

    def rejects(self, samples: Samples, side: Alternative, tail: float) -> Array:
        """Tell whether it rejects; of two groups by the interval, which costs less there."""
        if isinstance(samples[0], PairedScores) or tail >= 0.5:
            return self.pvalues(samples, side) <= tail
        return _each(samples, lambda x: self._leaves_out(x, side, tail))

    def _leaves_out(self, sample: Any, side: Alternative, tail: float) -> bool:
        gap = auc_difference(sample)
        if self.limits is None:
            return _leaves_out(gap, self.null, side, tail)
        low, high = gap.interval(1 - 2 * tail)
        return self.limits[0] < low and high < self.limits[1]

    def half_widths(self, samples: Samples, level: float) -> Vector:
        """Return half of the widths of the default intervals."""

        def half(sample: Any) -> float:
            return auc_difference(sample, fpr=self.fpr).interval(level).width / 2

        gaps = self._together(samples)
        if gaps is None:
            return _each(samples, half)
        return _filled(gaps.half_widths(level), samples, half)

    def farther(self, by: float) -> TwoCurves:
        """Return the same study against another difference."""
        return replace(self, null=self.null + by)


def _each(samples: Samples, read: Callable[[Any], float]) -> Vector:
    return np.array([read(sample) for sample in samples], dtype=np.float64)


def _filled(found: Vector, samples: Samples, read: Callable[[Any], float]) -> Vector:
    """Read alone the samples of which there is nothing."""
    for i in np.flatnonzero(np.isnan(found)).tolist():
        found[i] = read(samples[i])
    return found


def _leaves_out(found: AreaEstimate, null: float, side: Alternative, tail: float) -> bool:
    low, high = found.interval(1 - 2 * tail)
    return high < null if side == "less" else low > null


@dataclass(frozen=True)
class TwoGroups:
    """Two groups of cases, each of the size that is asked for."""

    first: Drawn
    second: Drawn

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> Mapping[str, ScoreTable]:
        """Draw one sample of each."""
        groups = {"first": self.first, "second": self.second}
        return {name: group.draw(n_pos, n_neg, rng=rng) for name, group in groups.items()}


@dataclass(frozen=True)
class Pilot:
    """The cases of a pilot study, as if there were no others: drawn with replacement."""

    pos: Vector
    neg: Vector
    names: tuple[str, ...]

    @classmethod
    def of(cls, data: PairedScores, columns: tuple[int, ...], often: Ints | None) -> Pilot:
        """Take two scores; where weights are frequencies, each case as often as it says."""
        score = np.asarray(data.score)[:, columns].astype(np.float64)
        score *= [1.0 if data.rises(data.names[j]) else -1.0 for j in columns]
        label, names = data.label, tuple(data.names[j] for j in columns)
        if often is not None:
            label, score = label.repeat(often), score.repeat(often, axis=0)
        return cls(pos=score[label], neg=score[~label], names=names)

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> PairedScores:
        """Draw cases of each class."""
        sizes = ((self.pos, n_pos), (self.neg, n_neg))
        score = [own[rng.integers(len(own), size=n)] for own, n in sizes]
        return PairedScores(
            label=np.repeat([True, False], [n_pos, n_neg]),
            score=np.concatenate(score),
            names=self.names,
        )


# --- the plan ---------------------------------------------------------------------------------


class SimulatedPlan(Plan):
    """A plan whose numbers are those of its test and its interval, simulated.

    Attributes
    ----------
    n_sim, seed : int
        How many samples, and the seed they come from.
    formula : str
        Where the variances of the formula come from.
    """

    _kind: ClassVar[str] = "Plan"
    _study: Study
    formula: str
    n_sim: int = N_SIM
    seed: int = 0

    def with_samples(
        self, n_sim: int = N_SIM, *, rng: np.random.Generator | int | None = 0
    ) -> Plan:
        """Return the same plan with other samples."""
        check_times("n_sim", n_sim)
        seed = rng if isinstance(rng, int) else int(check_rng(rng).integers(2**63))
        return replace(self, n_sim=n_sim, seed=seed)

    def for_power(
        self,
        power: float = 0.8,
        *,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> Design:
        """Search for the number of cases."""
        target = power_quantile(power, significance)
        if self._is_large(self._ask(target, significance, alternative)):
            return super().for_power(power, significance=significance, alternative=alternative)
        search = Search(
            ask=lambda q: _whole(self._ask(q, significance, alternative)),
            told=lambda n: self._told(n, significance, alternative),
            measure=lambda n, runs: quantile_of(
                self._power(n, significance, alternative, runs), runs
            ),
            n_sim=self.n_sim,
        )
        found = search.reached(target)
        n = min(place for place in found if found[place] >= target)
        return self._design(n, round(ndtr(found[n]), _DIGITS), significance, alternative)

    def for_cases(
        self,
        n_pos: float,
        *,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> Design:
        """Simulate the power."""
        formula = super().for_cases(n_pos, significance=significance, alternative=alternative)
        if self._is_large(n_pos):
            return formula
        n = _whole(n_pos)
        power = self._power(n, significance, alternative, self.n_sim)
        return self._design(n, power, significance, alternative)

    def for_significance(
        self, n_pos: float, power: float, *, alternative: Alternative = "two-sided"
    ) -> Design:
        """Take a quantile of simulated p values."""
        formula = super().for_significance(n_pos, power, alternative=alternative)
        if self._is_large(n_pos):
            return formula
        n = _whole(n_pos)
        study, side = self._study, self._side(alternative)
        p = np.sort(self._of_samples(lambda samples: study.pvalues(samples, side), n, self.n_sim))
        tail = float(p[int(np.ceil(power * p.size)) - 1])
        sides = 2 if alternative == "two-sided" else 1
        return self._design(n, power, min(1.0, sides * tail), alternative)

    def detectable(
        self,
        n_pos: float,
        *,
        power: float = 0.8,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> float:
        """Search for the detectable difference."""
        options: dict[str, Any] = {"significance": significance, "alternative": alternative}
        guess = super().detectable(n_pos, power=power, **options)
        if self._is_large(n_pos) or not guess > 0:
            return guess
        n, side = _whole(n_pos), self._side(alternative)
        sign = -1 if side == "less" else 1
        z, tail = -ndtri(tail_of(significance, alternative)), tail_of(significance, alternative)

        def measure(gap: float, runs: int) -> float:
            study = self._study.farther(self.difference - sign * gap)
            return quantile_of(self._share(study, n, side, tail, runs), runs)

        target = power_quantile(power, significance)
        search = Search(
            ask=lambda q: max(self._needed(z, q, n), 0.0) / n**0.5,
            told=lambda gap: replace(self, difference=sign * gap)._told(n, **options),
            measure=measure,
            n_sim=self.n_sim,
        )
        found = search.near(target)
        return min(found, key=lambda gap: abs(found[gap] - target))

    def for_width(self, half_width: float, *, level: float = 0.95) -> Precision:
        """Search for the number of cases."""
        formula = super().for_width(half_width, level=level)
        if self._is_large(formula.n_pos):
            return formula
        z = -ndtri((1 - level) / 2)
        target = -float(np.log(half_width))
        search = Search(
            ask=lambda q: _whole(
                super(SimulatedPlan, self).for_width(np.exp(-q), level=level).n_pos
            ),
            told=lambda n: -float(np.log(z * self._spreads(n)[1] / n**0.5)),
            measure=lambda n, runs: -float(np.log(self._half_width(n, level, runs))),
            n_sim=self.n_sim,
            alike=_ALIKE,
        )
        found = search.reached(target)
        n = min(place for place in found if found[place] >= target)
        return self._precision(n, float(np.exp(-found[n])), level)

    # --- samples --------------------------------------------------------------------------

    def _is_large(self, n_pos: float) -> bool:
        return not n_pos * (1 + self.ratio) < _MANY

    def _negatives(self, n_pos: float) -> float:
        return n_pos * self.ratio if self._is_large(n_pos) else _whole(n_pos * self.ratio)

    def _method(self, n_pos: float) -> str:
        return self.formula if self._is_large(n_pos) else self.method

    def _side(self, alternative: Alternative) -> Alternative:
        """Return the side on which a rejection counts."""
        if alternative != "two-sided":
            return alternative
        return "less" if self.difference < 0 else "greater"

    def _power(self, n: float, significance: float, alternative: Alternative, runs: int) -> float:
        """Return the share of samples that reject."""
        tail = tail_of(significance, alternative, self.limits)
        return self._share(self._study, n, self._side(alternative), tail, runs)

    def _share(self, study: Study, n: float, side: Alternative, tail: float, runs: int) -> float:
        found = self._of_samples(lambda samples: study.rejects(samples, side, tail), n, runs)
        return float(found.mean())

    def _half_width(self, n: float, level: float, runs: int) -> float:
        runs = -(-runs // _WIDTHS)
        return float(self._of_samples(lambda x: self._study.half_widths(x, level), n, runs).mean())

    def _of_samples(self, read: Callable[[Samples], Array], n: float, runs: int) -> Array:
        """Read so many samples of n positives: the same ones whenever it is asked again."""
        rng = np.random.default_rng([self.seed, int(n)])
        draw, n_neg, found = self._study.population.draw, int(self._negatives(n)), []
        with Progress("simulation", runs) as shown, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of single samples
            for start in range(0, runs, _TOGETHER):
                samples = range(start, min(start + _TOGETHER, runs))
                found.append(read([draw(int(n), n_neg, rng=rng) for _ in samples]))
                shown.add(len(samples))
        return np.concatenate(found)


def simulated(plan: Plan, study: Study) -> SimulatedPlan:
    """Simulate a study, from what the plan of a formula says of it."""
    formula, method = plan.method, "simulated"
    return replace(more_of(plan, SimulatedPlan, _study=study, formula=formula), method=method)


# --- the search -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Search:
    """Find where a simulated quantity reaches its target.

    The formula, `told` and its inverse `ask`, has the right slope but is off by a shift that
    hardly varies nearby. `measure` simulates, of so many samples.
    """

    ask: Callable[[float], float]
    told: Callable[[float], float]
    measure: Callable[[float, int], float]
    n_sim: int = N_SIM
    alike: float = _NEAR

    def near(self, target: float) -> dict[float, float]:
        """Return all values by place that were simulated with all samples, near the target.

        The shift is measured with few samples until that moves nothing, and then with all of them:
        stochastic root finding with a known slope.
        """
        place = self.ask(target)
        for _ in range(_STEPS):
            before = place
            place = self.ask(target - self._shift(place, self.measure(place, self._few)))
            if abs(self.told(place) - self.told(before)) < 3 * self.alike:
                break
        found: dict[float, float] = {}
        while place not in found and len(found) < _TRIES:
            found[place] = self.measure(place, self.n_sim)
            shifts = [self._shift(*each) for each in found.items()]
            before, place = place, self.ask(target - float(np.mean(shifts)))
            if abs(self.told(place) - self.told(before)) < self.alike:
                break
        return found

    def reached(self, target: float) -> dict[float, float]:
        """Go on from the most cases that fall short, until as many reach the target as need be."""
        found = self.near(target)
        for tried in count():
            enough = min((place for place in found if found[place] >= target), default=np.inf)
            most = max((place for place in found if place < enough), default=None)
            done = enough < np.inf and (tried == _TRIES or found[enough] - target < self.alike)
            if most is None or done:
                break
            place = max(self.ask(target - self._shift(most, found[most])), most + 1)
            if place >= enough:
                break
            found[place] = self.measure(place, self.n_sim)
        return found

    @property
    def _few(self) -> int:
        return min(self.n_sim, _FEW)

    def _shift(self, place: float, measured: float) -> float:
        return measured - self.told(place)


def quantile_of(share: float, n_sim: int) -> float:
    """Return the Normal quantile of a share of samples, kept off 0 and 1 by half a sample."""
    half = 0.5 / n_sim
    return ndtri(min(max(share, half), 1 - half))


def _whole(n: float) -> float:
    """Return a number of cases that there can be."""
    return float(max(np.ceil(n - _ROUNDING), _LEAST))
