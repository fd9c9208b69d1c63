"""The difference of two areas from the same cases: one statistic for its test and interval.

Our own combination (docs, "Our own methods"). DeLong's variance of the difference is a sum over the
two classes; it is taken as it would be if the areas differed by the hypothetical difference. In
each class two terms are added, because few cases may show too little variance: the excess of the
variance under a model of the scores, and the squared disagreement of the two scores in one unseen
case. The interval contains exactly the differences that the test does not reject.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import acos, copysign, cos, pi, sqrt

_TINY = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Constants chosen by simulation (`python -m benchmarks.constants.differences`).

    Attributes
    ----------
    credited : float
        Degrees of freedom credited to the two added terms.
    quantile_df : float
        How many of these the quantile of Student's t counts.
    step, apart : float
        Weights of two squared disagreements of the scores in an unseen case: one step to the next
        score of the sample, and the difference of two typical cases.
    reach : float
        Within how many standard errors of the estimate the variance is that under the hypothesis.
    least : float
        Share of the sample's variance below which no hypothesis takes it.
    """

    credited: float = 8.0
    quantile_df: float = 4.0
    step: float = 0.25
    apart: float = 1.0
    reach: float = 3.0
    least: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassGap:
    """Differences of the placements of one class between two scores.

    Attributes
    ----------
    n : float
        Number of cases.
    spread : float
        Variance of the differences of placements over the cases; 0 for a single case.
    df : float
        Degrees of freedom of that variance; 0 where no difference varies.
    spreads : tuple of float
        Variances of the placements in the first and in the second score.
    correlation : float
        Correlation of the placements under the two scores; 0 where one of them is constant.
    step : float
        Mean squared step from a case to the next score of the sample, in placements; the larger of
        the values for the two scores.
    apart : float
        Mean squared difference of two unequal placements; the larger of the values for the two
        scores.
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
    """The difference of two areas strictly inside (0, 1), with the data of each class.

    Attributes
    ----------
    areas : tuple of float
        Both areas.
    classes : tuple of ClassGap
        The positives and the negatives.
    constants : Constants
        Constants chosen by simulation.
    """

    areas: tuple[float, float]
    classes: tuple[ClassGap, ClassGap]
    constants: Constants = Constants()

    @cached_property
    def value(self) -> float:
        """The difference."""
        return self.areas[0] - self.areas[1]

    @cached_property
    def _followed(self) -> tuple[float, float]:
        """The range of hypotheses that the variance follows: at most half the way to -1 and 1."""
        reach = self.constants.reach * sqrt(sum(self._variances(self.areas)))
        below, above = (min(reach, (1 + x) / 2) for x in (self.value, -self.value))
        return self.value - below, self.value + above

    @cached_property
    def _models(self) -> tuple[float, float]:
        """The model's variances of placements for the areas observed."""
        return placement_variance(self.areas[0]), placement_variance(self.areas[1])

    def _variances(self, areas: tuple[float, float]) -> list[float]:
        """Return the variance that each class contributes if these are the areas."""
        models = placement_variance(areas[0]), placement_variance(areas[1])
        moved = models[0] / self._models[0], models[1] / self._models[1]
        return [_class_variance(c, models, moved, self.constants) for c in self.classes]

    def statistic(self, null: float) -> tuple[float, float]:
        """Return the statistic of a hypothetical difference, and its degrees of freedom."""
        low, high = self._followed
        near = min(max(null, low), high)
        areas = restricted_areas(*self.areas, near)
        parts = self._variances(areas)
        variance = sum(parts)
        known = zip(parts, self.classes, strict=True)
        few = sum(v * v / (c.df + self.constants.quantile_df) for v, c in known)
        df = max(variance * variance / max(few, _TINY), 1.0)
        if near != null:  # from there on, areas still end at 0 and 1
            variance *= _binomial(*restricted_areas(*self.areas, null)) / _binomial(*areas)
        return (self.value - null) / sqrt(max(variance, _TINY)), df

    def limits(self, level: float) -> tuple[float, float]:
        """Return the two differences whose two-sided p value is ``1 - level``."""
        from scipy.optimize import brentq
        from scipy.special import stdtrit

        def excess(null: float) -> float:
            statistic, df = self.statistic(null)
            quantile = -float(stdtrit(df, (1 - level) / 2))
            return abs(statistic) / (abs(statistic) + quantile) - 0.5  # bounded: fast search

        low, high = (
            float(brentq(excess, self.value, end, xtol=1e-15, rtol=1e-14)) for end in (-1.0, 1.0)
        )
        return low, high


def placement_variance(area: float) -> float:
    """Variance of a placement under the model of Hanley and McNeil (1982), mean of both classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def _class_variance(
    of: ClassGap, model: tuple[float, float], moved: tuple[float, float], chosen: Constants
) -> float:
    """Return the variance contributed by a class, given the model's variances of placements.

    `moved` are their ratios to those at the areas observed.
    """
    r = of.correlation
    one, two = of.spreads[0] * moved[0], of.spreads[1] * moved[1]
    spread = of.spread + _of_gap(one, two, r) - _of_gap(*of.spreads, r)
    spread = max(spread, chosen.least * of.spread)
    unseen = chosen.step * of.step + chosen.apart * sqrt(1 - r) * of.apart
    more = max(_of_gap(max(one, model[0]), max(two, model[1]), r) - spread, 0.0) + unseen / of.n
    return (spread + chosen.credited / (of.df + chosen.credited) * more) / of.n


def _of_gap(first: float, second: float, correlation: float) -> float:
    """Return the variance of a difference."""
    return first + second - 2 * correlation * sqrt(first * second)


def _binomial(a: float, b: float) -> float:
    return a * (1 - a) + b * (1 - b)


def restricted_areas(a: float, b: float, gap: float) -> tuple[float, float]:
    """Return the maximum likelihood estimates of two proportions with a given difference.

    The observed proportions are a and b. The solution is a root of a cubic in closed form, for
    samples of equal size (Miettinen and Nurminen 1985, appendix; Farrington and Manning 1990,
    appendix).
    """
    p3 = -(2 + a + b + 3 * gap)
    p2 = gap * gap + gap * (2 * a + 2) + a + b
    p1 = -a * gap * (1 + gap)
    v = p3**3 / 216 - p3 * p2 / 24 + p1 / 4
    u = copysign(sqrt(max(p3 * p3 / 36 - p2 / 6, 0.0)), v) or 1e-12
    first = 2 * u * cos((pi + acos(min(max(v / u**3, -1.0), 1.0))) / 3) - p3 / 6
    first = min(max(first, 0.0, gap), 1.0, 1 + gap)
    return first, first - gap
