"""The difference of two areas from the same cases: one statistic for its test and interval.

Our own combination (docs, "Our own methods"). DeLong's variance of the difference is a sum over the
two classes; it is taken as it would be if the areas differed by the hypothetical difference. In
each class two terms are added, because few cases may show too little variance: the excess of the
variance under a model of the scores, and the squared disagreement of the two scores in one unseen
case. The interval contains exactly the differences that the test does not reject.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import acos, copysign, cos, pi, sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np

_TINY = 1e-300
_RARE = 1e-100  # SciPy has no quantile of much smaller chances
_SAME = 1e-12  # a smaller difference of areas is rounding
_EDGE = 1e-12  # the model has no curve of a share nearer to 0 or 1
_SMALL, _LARGE = 50, 30  # cases of a class that may lack rare cases, and of one that shows them
_UNEVEN, _FEW, _TIMES = 2.0, 100, 2.0  # a ratio of spreads; cases of a class, times as many
Number: TypeAlias = Any
"""A float, or an array with an entry for each of many samples."""


class Functions(NamedTuple):
    """What one formula needs of floats, or of arrays."""

    sqrt: Callable[[Number], Number]
    cos: Callable[[Number], Number]
    acos: Callable[[Number], Number]
    copysign: Callable[[Number, Number], Number]
    larger: Callable[[Number, Number], Number]
    smaller: Callable[[Number, Number], Number]
    any: Callable[[Number], bool]


SCALARS = Functions(sqrt, cos, acos, copysign, max, min, bool)
ARRAYS = Functions(np.sqrt, np.cos, np.arccos, np.copysign, np.maximum, np.minimum, np.any)


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
class AreaModel:
    """The model of Hanley and McNeil (1982) for areas over a range of rates.

    Areas and placements are shares of the width of the range, which over the whole range they are.

    Attributes
    ----------
    low, high : float
        The range of false positive rates.
    swapped : bool
        Whether it is one of true positive rates, which is one of false positive rates with the
        classes swapped.
    """

    low: float = 0.0
    high: float = 1.0
    swapped: bool = False

    @property
    def width(self) -> float:
        """The width of the range."""
        return self.high - self.low

    def variances(self, area: Number) -> tuple[Number, Number]:
        """Return the variances of a placement of a positive, and of one of a negative.

        `area` may be an array for the whole range only.
        """
        if self.width == 1:
            both = placement_variance(area)
            return both, both
        share = min(max(area, _EDGE), 1 - _EDGE)
        of_pos, of_neg, _ = part_variances(share, self.low, self.high)
        of_neg /= self.width**2
        return (of_neg, of_pos) if self.swapped else (of_pos, of_neg)


WHOLE = AreaModel()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassGap:
    """Differences of the placements of one class between two scores, of one sample or of many.

    Of parts of areas, placements are shares of the width of the range.

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
    spread: Number
    df: Number
    spreads: tuple[Number, Number]
    correlation: Number
    step: Number
    apart: Number


@dataclass(frozen=True, kw_only=True)
class AreaGap:
    """The difference of two areas strictly inside (0, 1), with the data of each class.

    Of parts the areas, their difference and all hypotheses are shares of the width of the range.

    Attributes
    ----------
    areas : tuple of float
        Both areas; arrays where there are many samples.
    classes : tuple of ClassGap
        The positives and the negatives.
    model : AreaModel
        The model of the variances of placements.
    constants : Constants
        Constants chosen by simulation.
    of : Functions
        `SCALARS`, or `ARRAYS` for many samples at once.
    """

    areas: tuple[Number, Number]
    classes: tuple[ClassGap, ClassGap]
    model: AreaModel = WHOLE
    constants: Constants = Constants()
    of: Functions = SCALARS

    @cached_property
    def value(self) -> Number:
        """The difference."""
        return self.areas[0] - self.areas[1]

    @cached_property
    def _followed(self) -> tuple[Number, Number]:
        """The range of hypotheses that the variance follows: at most half the way to -1 and 1."""
        reach = self.constants.reach * self.of.sqrt(sum(self._variances(self.areas)))
        below, above = (self.of.smaller(reach, (1 + x) / 2) for x in (self.value, -self.value))
        return self.value - below, self.value + above

    @cached_property
    def _dfs(self) -> list[Number]:
        """Degrees of freedom of each class's variance: the smaller one has no lower kurtosis.

        They are 2 n / (kurtosis - 1), and n cases cannot show a kurtosis above n.
        """
        found = []
        for own, other in (self.classes, self.classes[::-1]):
            df = own.df
            if own.n < other.n:  # nothing is lent by a class in which no difference varies
                lent = other.df * own.n / other.n + (other.df == 0) * df
                df = self.of.smaller(df, lent)
            found.append(df)
        return found

    @cached_property
    def _models(self) -> list[tuple[Number, Number]]:
        """For each class, the model's variances of placements for the areas observed."""
        return self._models_of(self.areas)

    def _models_of(self, areas: tuple[Number, Number]) -> list[tuple[Number, Number]]:
        first, second = (self.model.variances(area) for area in areas)
        return list(zip(first, second, strict=True))

    def _variances(self, areas: tuple[Number, Number]) -> list[Number]:
        """Return the variance that each class contributes if these are the areas."""
        found = []
        classes = zip(self.classes, self._dfs, self._models_of(areas), self._models, strict=True)
        for c, df, models, own in classes:
            moved = models[0] / own[0], models[1] / own[1]
            found.append(_class_variance(c, df, models, moved, self.constants, self.of))
        return found

    def statistic(self, null: float) -> tuple[Number, Number]:
        """Return the statistic of a hypothetical difference, and its degrees of freedom."""
        larger, (low, high) = self.of.larger, self._followed
        near = self.of.smaller(larger(null, low), high)
        areas = restricted_areas(*self.areas, near, self.of)
        parts = self._variances(areas)
        variance = sum(parts)
        known = zip(parts, self._dfs, strict=True)
        few = sum(v * v / (df + self.constants.quantile_df) for v, df in known)
        df = larger(variance * variance / larger(few, _TINY), 1.0)
        if self.of.any(near != null):  # from there on, areas still end at 0 and 1
            far = restricted_areas(*self.areas, null, self.of)
            variance = variance * (_binomial(*far) / _binomial(*areas))
        found = (self.value - null) / self.of.sqrt(larger(variance, _TINY))
        return self._with_alike(found, df, null), df

    def _with_alike(self, statistic: Number, df: Number, null: float) -> Number:
        """Return the statistic, bounded where both scores order all pairs alike.

        If the areas differ by x, at least a share |x| of the pairs of a positive and a negative are
        ordered otherwise. Even if pairs were independent, all of N would be ordered alike with a
        probability of up to ``(1 - |x|)^N``; no difference has a smaller one-sided p value. That
        holds of parts, too, whose difference x is not divided by the width of the range: no
        negatives of as large a share have a smaller part than those of the range.
        """
        one, two = self.classes
        n_pairs = one.n * two.n  # of a single pair, areas that differ may have been moved together
        alike = (one.df == 0) & (two.df == 0) & (abs(self.value) < _SAME) & (n_pairs > 1)
        if not self.of.any(alike):
            return statistic
        from scipy.special import stdtrit

        larger, smaller = self.of.larger, self.of.smaller
        chance = larger((1 - smaller(abs(null), 1.0) * self.model.width) ** n_pairs, _RARE)
        most = larger(-stdtrit(df, chance), 0.0)
        bounded = smaller(larger(statistic, -most), most)
        return float(bounded) if self.of is SCALARS else np.where(alike, bounded, statistic)

    def limits(self, level: float) -> tuple[float, float]:
        """Return the two differences whose two-sided p value is ``1 - level``, or -1 and 1."""
        from scipy.optimize import brentq
        from scipy.special import stdtrit

        def excess(null: float) -> float:
            statistic, df = self.statistic(null)
            quantile = -float(stdtrit(df, (1 - level) / 2))
            return float(abs(statistic) / (abs(statistic) + quantile) - 0.5)  # bounded: fast search

        low, high = (
            float(brentq(excess, self.value, end, xtol=1e-15, rtol=1e-14))
            if excess(end) > 0
            else end
            for end in (-1.0, 1.0)
        )
        return low, high


def rare_cases(own: ClassGap, other: ClassGap) -> float | None:
    """Return how many cases of a small class tell the scores apart, if it may have none of them.

    The other class, which is larger, shows in which share of cases the scores differ: the squared
    second moment of the differences divided by their fourth moment, which is at most 1. The number
    is below 1, and the class ranks its own cases more alike, or else the answer is None.
    """
    if not (own.n < _SMALL and other.n >= max(own.n, _LARGE) and other.df > 0):
        return None
    expected = own.n / (2 * other.n / other.df + 1)
    return expected if expected < 1 and own.correlation > other.correlation else None


def favoured(own: ClassGap, other: ClassGap) -> int | None:
    """Return the score, 0 or 1, that a small class may make look better than it is.

    In the other class, at least twice as large, its placements spread less than half as far as
    those of the other score, so that in the small class they spread farther: a small sample may
    lack the few cases which that score ranks worst.
    """
    if not (own.n < _FEW and other.n >= max(_TIMES * own.n, _LARGE)):
        return None
    least, most = sorted(other.spreads)
    uneven = most > _UNEVEN**2 * least and least > _SAME  # a constant score has no spread
    return other.spreads.index(least) if uneven else None


def placement_variance(area: Number) -> Number:
    """Variance of a placement under the model of Hanley and McNeil (1982), mean of both classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def part_variances(mean: float, low: float, high: float) -> tuple[float, float, float]:
    """Return variances of the contributions of cases to the area between two rates.

    Of a share `mean` of the range, strictly inside (0, 1), under the model of Hanley and McNeil
    (1982): positives lie beyond, inside and below the range as on the curve ``fpr ** shape`` with
    that area. The variance for a positive is in shares of the range, that for a negative is not;
    the last number is the mean square of the height of the curve within the range.
    """
    width = high - low
    shape = _shape(mean * width, low, high)
    beyond = low**shape if low > 0 else 0.0
    top = high**shape
    inside = top - beyond
    area = min(max((mean - beyond) / inside, 0.0), 1.0)
    own = placement_variance(area)  # within the range, of one case inside it, of either class
    # Sums of squared distances, as in differences of squares everything cancels near 0 and 1.
    of_pos = beyond * (1 - mean) ** 2 + inside * ((area - mean) ** 2 + own) + (1 - top) * mean**2
    # A negative above or below the range moves the cut, and so the partial area by the height
    # there.
    height = low * beyond + width * mean + (1 - high) * top
    of_neg = width * ((mean - height) ** 2 + inside**2 * own)
    of_neg += low * (beyond - height) ** 2 + (1 - high) * (top - height) ** 2
    return of_pos, of_neg, mean**2 + inside**2 * own


def _shape(part: float, low: float, high: float) -> float:
    """Find the curve ``fpr ** shape`` with this area between two rates."""
    from scipy.optimize import brentq

    def excess(shape: float) -> float:
        return float((high ** (shape + 1) - low ** (shape + 1)) / (shape + 1) - part)

    far = 1.0
    while excess(far) > 0:
        far *= 2
    return float(brentq(excess, 0.0, far, xtol=1e-20, rtol=1e-13))


def _class_variance(
    gap: ClassGap,
    df: Number,
    model: tuple[Number, Number],
    moved: tuple[Number, Number],
    chosen: Constants,
    of: Functions,
) -> Number:
    """Return the variance contributed by a class, given the model's variances of placements.

    `df` are the degrees of freedom of its own variance, `moved` the ratios of the model's to those
    at the areas observed.
    """
    r, larger = gap.correlation, of.larger
    one, two = gap.spreads[0] * moved[0], gap.spreads[1] * moved[1]
    spread = gap.spread + _of_gap(one, two, r, of) - _of_gap(*gap.spreads, r, of)
    spread = larger(spread, chosen.least * gap.spread)
    unseen = chosen.step * gap.step + chosen.apart * of.sqrt(1 - r) * gap.apart
    expected = _of_gap(larger(one, model[0]), larger(two, model[1]), r, of)
    more = larger(expected - spread, 0.0) + unseen / gap.n
    return (spread + chosen.credited / (df + chosen.credited) * more) / gap.n


def _of_gap(first: Number, second: Number, correlation: Number, of: Functions) -> Number:
    """Return the variance of a difference."""
    return first + second - 2 * correlation * of.sqrt(first * second)


def _binomial(a: Number, b: Number) -> Number:
    return a * (1 - a) + b * (1 - b)


def restricted_areas(
    a: Number, b: Number, gap: Number, of: Functions = SCALARS
) -> tuple[Number, Number]:
    """Return the maximum likelihood estimates of two proportions with a given difference.

    The observed proportions are a and b, of samples of one size. The solution is a root of a cubic
    in closed form (Miettinen and Nurminen 1985, appendix; Farrington and Manning 1990, appendix).
    """
    larger, smaller = of.larger, of.smaller
    p3 = -(2 + a + b + 3 * gap)
    p2 = gap * gap + gap * (2 * a + 2) + a + b
    p1 = -a * gap * (1 + gap)
    v = p3**3 / 216 - p3 * p2 / 24 + p1 / 4
    u = of.copysign(of.sqrt(larger(p3 * p3 / 36 - p2 / 6, 0.0)), v)
    u = u + (u == 0) * 1e-12
    angle = of.acos(smaller(larger(v / u**3, -1.0), 1.0))
    first = 2 * u * of.cos((pi + angle) / 3) - p3 / 6
    first = smaller(smaller(larger(larger(first, 0.0), gap), 1.0), 1 + gap)
    return first, first - gap
