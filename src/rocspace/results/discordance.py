"""The difference of two areas of the same cases: one statistic for its tests and its interval.

Our own combination (docs, "Our own methods"). DeLong's variance of the difference is a sum over
the two classes. Each class adds what its few cases may not show: the variance that a model of
the scores has more, and a disagreement of the two scores in a case that was not seen. The
statistic compares the difference with a hypothetical one on a scale that knows that areas end
at 0 and 1. Its interval holds just the differences that its test does not reject.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import acos, copysign, cos, pi, sqrt

_TINY = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """What was chosen by simulation (`python -m benchmarks.constants.differences`).

    Attributes
    ----------
    credited : float
        Degrees of freedom credited to what the sample may not show.
    quantile_df : float
        How many of them the quantile counts.
    step, apart : float
        Weights of two squared disagreements in a case that was not seen: of a step to the next
        score of the sample, and of two typical cases.
    reach : float
        How many standard errors from the estimate the model follows the hypothesis.
    """

    credited: float = 8.0
    quantile_df: float = 4.0
    step: float = 0.25
    apart: float = 1.0
    reach: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassGap:
    """How the placements of one class differ between two scores.

    Attributes
    ----------
    n : float
        Cases.
    spread : float
        Variance of the differences of placements, case by case; 0 for a single case.
    df : float
        Degrees of freedom of that variance; 0 where no difference varies.
    spreads : tuple of float
        Variances of the placements in the first and in the second score.
    correlation : float
        Of the placements in both scores; 0 where one does not vary.
    step : float
        Mean squared step of a case to the next score of the sample, in placements; the larger of
        both scores'.
    apart : float
        Mean squared difference of two placements that differ; the larger of both scores'.
    """

    n: float
    spread: float
    df: float
    spreads: tuple[float, float]
    correlation: float
    step: float
    apart: float


@dataclass(frozen=True, kw_only=True)
class AreaGap:
    """The difference of two areas strictly inside (0, 1), and what both classes tell of it.

    Attributes
    ----------
    areas : tuple of float
        Both areas.
    classes : tuple of ClassGap
        The positives and the negatives.
    constants : Constants
        What was chosen by simulation.
    """

    areas: tuple[float, float]
    classes: tuple[ClassGap, ClassGap]
    constants: Constants = Constants()

    @cached_property
    def value(self) -> float:
        """The difference."""
        return self.areas[0] - self.areas[1]

    @cached_property
    def _reach(self) -> float:
        """How far from the difference the model follows the hypothesis."""
        return self.constants.reach * sqrt(sum(self._variances(*self.areas)))

    def _variances(self, a: float, b: float) -> list[float]:
        """Return the variance by class if the model's areas are a and b."""
        own = placement_variance(a), placement_variance(b)
        return [_class_variance(c, own, self.constants) for c in self.classes]

    def statistic(self, null: float) -> tuple[float, float]:
        """Return the statistic of a hypothetical difference, and its degrees of freedom."""
        near = min(max(null, self.value - self._reach), self.value + self._reach)
        areas = restricted_areas(*self.areas, null)
        parts = self._variances(*(areas if near == null else restricted_areas(*self.areas, near)))
        variance = sum(parts)
        known = zip(parts, self.classes, strict=True)
        few = sum(v * v / (c.df + self.constants.quantile_df) for v, c in known)
        scale = _binomial(*areas) / _binomial(*self.areas)
        gap = (self.value - null) / sqrt(max(variance * scale, _TINY))
        return gap, max(variance * variance / max(few, _TINY), 1.0)

    def limits(self, level: float) -> tuple[float, float]:
        """Return the two differences whose two-sided p value is ``1 - level``."""
        from scipy.optimize import brentq
        from scipy.special import stdtrit

        def excess(null: float) -> float:
            statistic, df = self.statistic(null)
            quantile = -float(stdtrit(df, (1 - level) / 2))
            return abs(statistic) / (abs(statistic) + quantile) - 0.5  # bounded: it converges fast

        low, high = (
            float(brentq(excess, self.value, end, xtol=1e-15, rtol=1e-14)) for end in (-1.0, 1.0)
        )
        return low, high


def placement_variance(area: float) -> float:
    """Variance of a placement under the model of Hanley and McNeil (1982), mean of both classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def _class_variance(of: ClassGap, model: tuple[float, float], chosen: Constants) -> float:
    """Return what a class adds to the variance, given the model's variances of placements."""
    first, second = (max(pair) for pair in zip(of.spreads, model, strict=True))
    expected = first + second - 2 * of.correlation * sqrt(first * second)
    unseen = chosen.step * of.step + chosen.apart * sqrt(1 - of.correlation) * of.apart
    more = max(expected - of.spread, 0.0) + unseen / of.n
    return (of.spread + chosen.credited / (of.df + chosen.credited) * more) / of.n


def _binomial(a: float, b: float) -> float:
    return a * (1 - a) + b * (1 - b)


def restricted_areas(a: float, b: float, gap: float) -> tuple[float, float]:
    """Return the most likely two proportions with a given difference, if a and b were observed.

    The root of a cubic in closed form, for samples of equal size (Miettinen and Nurminen 1985,
    appendix; Farrington and Manning 1990, appendix).
    """
    p3 = -(2 + a + b + 3 * gap)
    p2 = gap * gap + gap * (2 * a + 2) + a + b
    p1 = -a * gap * (1 + gap)
    v = p3**3 / 216 - p3 * p2 / 24 + p1 / 4
    u = copysign(sqrt(max(p3 * p3 / 36 - p2 / 6, 0.0)), v) or 1e-12
    first = 2 * u * cos((pi + acos(min(max(v / u**3, -1.0), 1.0))) / 3) - p3 / 6
    first = min(max(first, 0.0, gap), 1.0, 1 + gap)
    return first, first - gap
