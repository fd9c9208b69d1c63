"""Statistics of differences of areas for many samples at once, for `differences.py`.

`rocspace.results.discordance` on arrays, an entry for each sample, with what was
tried in its place. `differences.py` compares it with the library in some samples of each situation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.special import ndtri, owens_t, stdtr, stdtrit

from rocspace.results.discordance import (
    ARRAYS,
    Constants,
    placement_variance,
    restricted_areas,
)

Floats = NDArray[np.float64]
SPREAD, DF, FIRST, SECOND, CORRELATION, STEP, APART, CUBE = range(8)  # columns of `Gaps.classes`
NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
HALVINGS = 22


# --- one pass over the samples ----------------------------------------------------------------


@njit(cache=True)
def _one_score(score, m, n, placed):  # type: ignore[no-untyped-def]
    """Write the placements of m positives and n negatives; return steps and ties by class."""
    order = np.argsort(score)
    row = np.zeros(m + n, np.int64)
    count = np.zeros((2, m + n))
    k = 0
    for t in range(m + n):
        i = order[t]
        if t > 0 and score[i] != score[order[t - 1]]:
            k += 1
        row[i] = k
        count[0 if i < m else 1, k] += 1
    k += 1
    below = np.zeros(2)
    value = np.zeros((2, k))
    for j in range(k):
        value[0, j] = (below[1] + count[1, j] / 2) / n
        value[1, j] = (m - below[0] - count[0, j] / 2) / m
        below += count[:, j]
    for i in range(m + n):
        placed[i] = value[0 if i < m else 1, row[i]]
    out = np.zeros(4)
    for c in range(2):
        own, other = count[c], count[1 - c]
        steps = ties = tied = before = 0.0
        for j in range(k):
            after = other[j] + other[j + 1] if j + 1 < k else 0.0
            far = max(before, after)
            steps += own[j] * far * far
            tied += own[j]
            if after > 0 or j + 1 == k:
                ties += tied * tied
                tied = 0.0
            before = after
        n_own, n_other = (m, n) if c == 0 else (n, m)
        out[2 * c] = steps / n_own / (2.0 * n_other) ** 2
        out[2 * c + 1] = ties / float(n_own) ** 2
    return out


@njit(cache=True)
def read_samples(scores, m, n, areas, classes):  # type: ignore[no-untyped-def]
    """Fill the areas (R, 2) and the data of both classes (R, 2, 8) of samples (R, 2, m + n)."""
    placed = np.zeros((2, m + n))
    for s in range(scores.shape[0]):
        one = _one_score(scores[s, 0], m, n, placed[0])
        two = _one_score(scores[s, 1], m, n, placed[1])
        a, b = placed[0, :m].mean(), placed[1, :m].mean()
        areas[s, 0], areas[s, 1] = a, b
        for c in range(2):
            x = (placed[0, :m] if c == 0 else placed[0, m:]) - a
            y = (placed[1, :m] if c == 0 else placed[1, m:]) - b
            k, d, out = x.size, x - y, classes[s, c]
            square = (d * d).sum()
            if square / k >= 1e-24:
                kurtosis = (d**4).sum() / k / (square / k) ** 2
                out[SPREAD] = square / (k - 1)
                out[DF] = 1 / max(1 / (k - 1), max(kurtosis - 1, 0.0) / k / 2)
                out[CUBE] = (d**3).sum() / k
            out[FIRST], out[SECOND] = (x * x).sum() / (k - 1), (y * y).sum() / (k - 1)
            scale = np.sqrt(out[FIRST] * out[SECOND])
            r = (x * y).sum() / (k - 1) / scale if scale > 1e-14 else 0.0
            out[CORRELATION] = 1.0 if r > 1 - 1e-12 else max(r, -1.0)
            out[STEP] = max(one[2 * c], two[2 * c])
            for v, ties in ((out[FIRST], one[2 * c + 1]), (out[SECOND], two[2 * c + 1])):
                if v > 1e-20:
                    out[APART] = max(out[APART], 2 * v * (k - 1) / k / (1 - ties))


@dataclass(frozen=True)
class Gaps:
    """What the statistics need of many samples of one size."""

    size: tuple[int, int]
    areas: Floats
    classes: Floats

    @classmethod
    def of(cls, size: tuple[int, int], scores: Floats) -> Gaps:
        areas, classes = np.zeros((len(scores), 2)), np.zeros((len(scores), 2, 8))
        read_samples(scores, *size, areas, classes)
        return cls(size, areas, classes)

    def __getitem__(self, rows: slice) -> Gaps:
        return Gaps(self.size, self.areas[rows], self.classes[rows])

    @property
    def perfect(self) -> NDArray[np.bool_]:
        return np.asarray((np.minimum(self.areas, 1 - self.areas) < 1e-12).all(axis=1))


# --- statistics -------------------------------------------------------------------------------


def of_gap(one: Floats, two: Floats, r: Floats) -> Floats:
    return np.asarray(one + two - 2 * r * np.sqrt(one * two))


def binomial(areas: tuple[Floats, Floats]) -> Floats:
    return np.asarray(sum(a * (1 - a) for a in areas))


@dataclass(frozen=True)
class Statistic:
    """The library's; the others change how the variance follows the hypothesis."""

    gaps: Gaps
    constants: Constants = field(default_factory=Constants)

    @cached_property
    def areas(self) -> tuple[Floats, Floats]:
        end = 0.5 / self.gaps.size[0] / self.gaps.size[1]
        first, second = (np.clip(a, end, 1 - end) for a in self.gaps.areas.T)
        return first, second

    @cached_property
    def value(self) -> Floats:
        return self.areas[0] - self.areas[1]

    def of(self, c: int, column: int) -> Floats:
        return np.asarray(self.gaps.classes[:, c, column])

    def df(self, c: int) -> Floats:
        """Return the degrees of freedom of a class: the smaller one's kurtosis is no lower."""
        own, n, others = self.of(c, DF), self.gaps.size[c], self.gaps.size[1 - c]
        lent = self.of(1 - c, DF) * n / others
        return np.where(lent > 0, np.minimum(own, lent), own) if n < others else own

    @cached_property
    def own(self) -> list[Floats]:
        return self.variances(self.areas)

    def correlation(self, c: int, areas: tuple[Floats, Floats]) -> Floats:
        return self.of(c, CORRELATION)

    def model(self, c: int, j: int, area: Floats) -> Floats:
        """Return the model's variance of the placements of a class in score j."""
        return np.asarray(placement_variance(area))

    def restricted(self, null: Floats) -> tuple[Floats, Floats]:
        """Return the areas under a hypothesis."""
        first, second = restricted_areas(*self.areas, null, ARRAYS)
        return first, second

    def change(self, c: int, moved: tuple[Floats, Floats], r: Floats, shift: Floats) -> Floats:
        """Return by how much the variance of the differences in a class changes."""
        spreads = self.of(c, FIRST), self.of(c, SECOND)
        return of_gap(*moved, r) - of_gap(*spreads, self.of(c, CORRELATION))

    def expected(
        self, c: int, models: tuple[Floats, Floats], r: Floats, areas: tuple[Floats, Floats]
    ) -> Floats:
        """Return the variance of the differences in a class that the model leads to expect."""
        return of_gap(*models, r)

    def variances(self, areas: tuple[Floats, Floats]) -> list[Floats]:
        chosen, found = self.constants, []
        shift = areas[0] - areas[1] - self.value
        for c, n in enumerate(self.gaps.size):
            spread, df = self.of(c, SPREAD), self.df(c)
            r = self.correlation(c, areas)
            known = zip((FIRST, SECOND), areas, self.areas, strict=True)
            one, two = (
                self.of(c, of) * placement_variance(a) / placement_variance(at)
                for of, a, at in known
            )
            now = spread + self.change(c, (one, two), r, shift)
            now = np.maximum(now, chosen.least * spread)
            unseen = chosen.step * self.of(c, STEP)
            unseen = unseen + chosen.apart * np.sqrt(1 - self.of(c, CORRELATION)) * self.of(
                c, APART
            )
            larger = (
                np.maximum(one, self.model(c, 0, areas[0])),
                np.maximum(two, self.model(c, 1, areas[1])),
            )
            more = np.maximum(self.expected(c, larger, r, areas) - now, 0) + unseen / n
            found.append((now + chosen.credited / (df + chosen.credited) * more) / n)
        return found

    def statistic(self, null: Floats) -> tuple[Floats, Floats]:
        reach = self.constants.reach * np.sqrt(sum(self.own))
        low, high = (np.minimum(reach, (1 + x) / 2) for x in (self.value, -self.value))
        near = np.clip(null, self.value - low, self.value + high)
        parts = self.variances(self.restricted(near))
        variance = sum(parts)
        dfs = (self.df(c) + self.constants.quantile_df for c in (0, 1))
        few = sum(v * v / df for v, df in zip(parts, dfs, strict=True))
        df = np.maximum(variance * variance / np.maximum(few, 1e-300), 1)
        far, at = (binomial(restricted_areas(*self.areas, x, ARRAYS)) for x in (null, near))
        variance = np.where(near != null, variance * (far / at), variance)
        found = (self.value - null) / np.sqrt(np.maximum(variance, 1e-300))
        return self.bounded(found, df, null), df

    def bounded(self, found: Floats, df: Floats, null: Floats) -> Floats:
        """Bound the statistic where both scores order all pairs alike."""
        none = (self.gaps.classes[:, :, DF] == 0).all(axis=1)
        alike = none & (np.abs(self.value) < 1e-12)
        chance = (1 - np.minimum(np.abs(null[alike]), 1)) ** np.prod(self.gaps.size)
        most = np.maximum(-stdtrit(df[alike], np.maximum(chance, 1e-100)), 0)
        out = found.copy()
        out[alike] = np.clip(found[alike], -most, most)
        return out

    def pvalue(self, null: float) -> Floats:
        """Return p against the alternative "greater"."""
        t, df = self.statistic(np.full(self.value.shape, null))
        return np.asarray(stdtr(df, -t))

    def width(self, level: float = 0.95) -> Floats:
        ends = []
        for end in (-1.0, 1.0):
            inner, outer = self.value.copy(), np.full(self.value.shape, end)
            for _ in range(HALVINGS):
                middle = (inner + outer) / 2
                t, df = self.statistic(middle)
                rejected = np.abs(t) > -stdtrit(df, (1 - level) / 2)
                outer = np.where(rejected, middle, outer)
                inner = np.where(rejected, inner, middle)
            ends.append(inner)
        return np.asarray(ends[1] - ends[0])


@dataclass(frozen=True)
class Tilted(Statistic):
    """The variance follows as the skewness of the sample says.

    If the cases of a class are tilted exponentially until their mean differs by m (Efron 1981),
    their variance changes by m times the ratio of the third moment to the variance, to first order.
    """

    share: float = 1.0

    def tilt(self, c: int, shift: Floats) -> Floats:
        by_class = [self.of(k, SPREAD) / n for k, n in enumerate(self.gaps.size)]
        spread = np.maximum(self.of(c, SPREAD), 1e-300)
        of_class = by_class[c] / np.maximum(sum(by_class), 1e-300)
        return np.asarray(self.share * self.of(c, CUBE) / spread * shift * of_class)

    def change(self, c: int, moved: tuple[Floats, Floats], r: Floats, shift: Floats) -> Floats:
        return self.tilt(c, shift)


def mean(by_model: Floats, by_sample: Floats, w: Floats) -> Floats:
    return (1 - w) * by_model + w * by_sample


def larger(by_model: Floats, by_sample: Floats, w: Floats) -> Floats:
    return np.maximum(by_model, w * by_sample)


def whole(by_model: Floats, by_sample: Floats, w: Floats) -> Floats:
    return np.maximum(by_model, by_sample)


@dataclass(frozen=True)
class Averaged(Tilted):
    """... as the model and the sample say, the sample as far as its degrees of freedom go.

    With three quarters of the change by tilting T has no skewness near the usual quantiles.
    """

    share: float = 0.75
    pick: Callable[[Floats, Floats, Floats], Floats] = mean

    def change(self, c: int, moved: tuple[Floats, Floats], r: Floats, shift: Floats) -> Floats:
        df = self.df(c)
        by_model = Statistic.change(self, c, moved, r, shift)
        return self.pick(by_model, self.tilt(c, shift), df / (df + self.constants.credited))


@dataclass(frozen=True)
class Own(Statistic):
    """Each class has the degrees of freedom of its own kurtosis; none is lent."""

    def df(self, c: int) -> Floats:
        return self.of(c, DF)


def density(a: Floats, b: Floats, top: Floats) -> Floats:
    """Return P(X < a, Y < b) of correlated Normal variables beyond that of independent ones."""
    t = top[:, None] * (NODES + 1) / 2
    a, b, rest = a[:, None], b[:, None], 1 - t * t
    f = np.exp(-(a * a - 2 * t * a * b + b * b) / 2 / rest) / 2 / np.pi / np.sqrt(rest)
    return np.asarray((f * WEIGHTS).sum(axis=1) * top / 2)


def binormal_correlation(areas: tuple[Floats, Floats], rho: Floats) -> Floats:
    """Return that of two placements of a case (Obuchowski and McClish 1997, equal variances)."""
    a, b = (ndtri(np.clip(x, 1e-9, 1 - 1e-9)) for x in areas)
    half = np.full(a.shape, 0.5)
    return density(a, b, rho / 2) / np.sqrt(density(a, a, half) * density(b, b, half))


@dataclass(frozen=True)
class Binormal(Statistic):
    """The correlation of the placements follows, too, as in the binormal model."""

    @cached_property
    def rho(self) -> list[Floats]:
        found = []
        for c in (0, 1):
            low, high = np.full(self.value.shape, -1.0), np.ones(self.value.shape)
            for _ in range(30):
                middle = (low + high) / 2
                more = binormal_correlation(self.areas, middle) < self.of(c, CORRELATION)
                low, high = np.where(more, middle, low), np.where(more, high, middle)
            found.append((low + high) / 2)
        return found

    @cached_property
    def at_sample(self) -> list[Floats]:
        return [binormal_correlation(self.areas, rho) for rho in self.rho]

    def correlation(self, c: int, areas: tuple[Floats, Floats]) -> Floats:
        more = binormal_correlation(areas, self.rho[c]) - self.at_sample[c]
        return np.clip(self.of(c, CORRELATION) + more, -1, 1)


def binormal_variance(area: Floats, part: Floats) -> Floats:
    """Return that of the placements of a class.

    `part` is the part of the class in the variance of the scores of a pair of both.
    """
    z = ndtri(np.clip(area, 1e-12, 1 - 1e-12))
    both = area - 2 * owens_t(z, np.sqrt((1 - part) / (1 + part)))
    return np.asarray(np.maximum(both - area * area, 0))


@dataclass(frozen=True)
class Lent(Statistic):
    """The smaller class's model is binormal, of the spread that the larger class shows.

    The model's variance is the larger of this one and the usual one.
    """

    @property
    def small(self) -> int:
        return int(self.gaps.size[0] > self.gaps.size[1])

    @property
    def lends(self) -> bool:
        return self.gaps.size[0] != self.gaps.size[1]

    @cached_property
    def part(self) -> list[Floats]:
        """The part of the smaller class in the variance of each score."""
        found = []
        for column, area in zip((FIRST, SECOND), self.areas, strict=True):
            low, high = np.zeros(area.shape), np.ones(area.shape)
            for _ in range(40):
                middle = (low + high) / 2
                more = binormal_variance(area, middle) < self.of(1 - self.small, column)
                low, high = np.where(more, middle, low), np.where(more, high, middle)
            found.append(1 - (low + high) / 2)
        return found

    def model(self, c: int, j: int, area: Floats) -> Floats:
        usual = Statistic.model(self, c, j, area)
        if not self.lends or c != self.small:
            return usual
        return np.maximum(usual, binormal_variance(area, self.part[j]))


@dataclass(frozen=True)
class Weighted(Lent):
    """... and the area of the larger variance under that model moves more to the hypothesis."""

    def restricted(self, null: Floats) -> tuple[Floats, Floats]:
        areas = Statistic.restricted(self, null)
        if not self.lends:
            return areas
        n, others = self.gaps.size[self.small], self.gaps.size[1 - self.small]
        one, two = (
            binormal_variance(a, part) / n + binormal_variance(a, 1 - part) / others + 1e-12
            for a, part in zip(areas, self.part, strict=True)
        )
        end = 0.5 / n / others
        first = self.areas[0] - one / (one + two) * (self.value - null)
        low, high = np.maximum(end, null + end), np.minimum(1 - end, 1 + null - end)
        first = np.where(low < high, np.clip(first, low, high), areas[0])
        return first, first - null


def halved(low: Floats, high: Floats, below: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
    """Return where `below`, true up to some point, becomes false."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        up = below(middle)
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    return np.asarray((low + high) / 2)


def binormal_covariance(areas: tuple[Floats, Floats], rho: Floats) -> Floats:
    """Return that of both placements of a case whose scores in pairs correlate by rho."""
    a, b = (ndtri(np.clip(x, 1e-9, 1 - 1e-9)) for x in areas)
    return density(a, b, np.clip(rho, -1 + 1e-6, 1 - 1e-6))


@dataclass(frozen=True)
class LentModel(Statistic):
    """Each class has the binormal model, spreads and correlation, that the other class shows.

    Of each score the variance of the other class's placements says which part of the variance of a
    pair's score is that class's; both parts and the correlation of its placements give that of the
    Normal variables, which is taken to be the same in both classes. The model's variance is that of
    the differences under it, if larger than the usual one. The areas under a hypothesis are those
    of generalized least squares, by the covariance matrix of this model.
    """

    @cached_property
    def lent(self) -> list[tuple[list[Floats], Floats]]:
        """For each class its part in the variance of each score, and the correlation."""
        found = []
        none, whole = np.zeros(self.value.shape), np.ones(self.value.shape)
        for other in (1, 0):
            shown = self.of(other, FIRST), self.of(other, SECOND)
            of_other = [
                halved(none, whole, partial(self._spreads_less, area, spread))
                for area, spread in zip(self.areas, shown, strict=True)
            ]
            one, two = (binormal_variance(a, x) for a, x in zip(self.areas, of_other, strict=True))
            both = self.of(other, CORRELATION) * np.sqrt(one * two)
            most = np.sqrt(of_other[0] * of_other[1])
            rho = halved(-most, most, partial(self._correlates_less, both))
            found.append(([1 - x for x in of_other], np.clip(rho / np.maximum(most, 1e-12), -1, 1)))
        return found

    def _spreads_less(self, area: Floats, spread: Floats, part: Floats) -> NDArray[np.bool_]:
        return np.asarray(binormal_variance(area, part) < spread)

    def _correlates_less(self, both: Floats, rho: Floats) -> NDArray[np.bool_]:
        return np.asarray(binormal_covariance(self.areas, rho) < both)

    def matrix(self, c: int, areas: tuple[Floats, Floats]) -> tuple[Floats, Floats, Floats]:
        """Return both variances of the placements of a class, and their covariance."""
        parts, rho = self.lent[c]
        one, two = (binormal_variance(a, part) for a, part in zip(areas, parts, strict=True))
        most = np.sqrt(one * two)
        covariance = binormal_covariance(areas, rho * np.sqrt(parts[0] * parts[1]))
        return one, two, np.clip(covariance, -most, most)

    def expected(
        self, c: int, models: tuple[Floats, Floats], r: Floats, areas: tuple[Floats, Floats]
    ) -> Floats:
        one, two, both = self.matrix(c, areas)
        return np.maximum(of_gap(*models, r), one + two - 2 * both)

    def restricted(self, null: Floats) -> tuple[Floats, Floats]:
        areas = Statistic.restricted(self, null)
        classes = [self.matrix(c, areas) for c in (0, 1)]
        one, two, both = (
            sum(v / n for v, n in zip(of, self.gaps.size, strict=True))
            for of in zip(*classes, strict=True)
        )
        share = np.clip((one - both + 1e-12) / (one + two - 2 * both + 2e-12), 0, 1)
        end = 0.5 / np.prod(self.gaps.size)
        low, high = np.maximum(end, null + end), np.minimum(1 - end, 1 + null - end)
        first = self.areas[0] - share * (self.value - null)
        first = np.where(low < high, np.clip(first, low, high), areas[0])
        return first, first - null


@dataclass(frozen=True)
class Student(Statistic):
    """DeLong's standard error, with Student's t."""

    normal: bool = False

    def statistic(self, null: Floats) -> tuple[Floats, Floats]:
        parts = [self.of(c, SPREAD) / n for c, n in enumerate(self.gaps.size)]
        variance = np.maximum(sum(parts), 1e-24)
        shares = [part / variance for part in parts]
        sizes = zip(shares, self.gaps.size, strict=True)
        welch = sum(share**2 / (n - 1) for share, n in sizes)
        noise = sum(share**2 / np.maximum(self.of(c, DF), 0.1) for c, share in enumerate(shares))
        df = 1 / np.maximum(np.maximum(welch, noise), 1e-9)
        return (self.value - null) / np.sqrt(variance), np.where(self.normal, np.inf, df)

    def pvalue(self, null: float) -> Floats:
        t, df = self.statistic(np.full(self.value.shape, null))
        return np.asarray(stdtr(np.minimum(df, 1e9), -t))

    def width(self, level: float = 0.95) -> Floats:
        se = self.statistic(self.value - 1.0)
        return np.asarray(-2 * stdtrit(np.minimum(se[1], 1e9), (1 - level) / 2) / se[0])


@dataclass(frozen=True)
class Welch(Student):
    """... with Satterthwaite's degrees of freedom, from the numbers of cases alone.

    The jackknife that leaves out a case at a time has DeLong's variance, and so the same interval.
    """

    def statistic(self, null: Floats) -> tuple[Floats, Floats]:
        parts = [self.of(c, SPREAD) / n for c, n in enumerate(self.gaps.size)]
        variance = np.maximum(sum(parts), 1e-24)
        few = sum(part**2 / (n - 1) for part, n in zip(parts, self.gaps.size, strict=True))
        df = variance**2 / np.maximum(few, 1e-300)
        return (self.value - null) / np.sqrt(variance), df


@dataclass(frozen=True)
class Hall(Student):
    """Student's t, its skewness removed by a monotone cubic (Hall 1992, equation 2.6)."""

    @cached_property
    def skewness(self) -> Floats:
        third = sum(self.of(c, CUBE) / n**2 for c, n in enumerate(self.gaps.size))
        square = sum(self.of(c, SPREAD) / n for c, n in enumerate(self.gaps.size))
        return np.where(square > 1e-24, third / np.maximum(square, 1e-24) ** 1.5, 0.0)

    def pvalue(self, null: float) -> Floats:
        t, df = self.statistic(np.full(self.value.shape, null))
        a = self.skewness
        return np.asarray(stdtr(df, -(t + a * t * t / 3 + a * a * t**3 / 27 + a / 6)))

    def width(self, level: float = 0.95) -> Floats:
        statistic, df = self.statistic(self.value - 1.0)  # the first is 1 / se
        q, a = -stdtrit(df, (1 - level) / 2), np.where(self.skewness == 0, 1e-9, self.skewness)
        ends = [3 / a * (np.cbrt(1 + a * (y - a / 6)) - 1) for y in (q, -q)]
        return np.asarray((ends[0] - ends[1]) / statistic)


METHODS: dict[str, Callable[[Gaps], Statistic]] = {
    "chosen": Statistic,
    **{
        name: partial(Statistic, constants=constants)
        for name, constants in {
            "credited 16": Constants(credited=16.0),
            "quantile_df 8": Constants(quantile_df=8.0),
            "step 0": Constants(step=0.0),
            "apart 2": Constants(apart=2.0),
            "apart 2, credited 12": Constants(apart=2.0, credited=12.0),
            "reach 0": Constants(reach=0.0),
            "least 1": Constants(least=1.0),
        }.items()
    },
    "tilted by the sample": Tilted,
    "model and sample, mean": Averaged,
    "model and sample, larger": partial(Averaged, pick=larger),
    "binormal correlation": Binormal,
    "model and sample, larger, whole": partial(Averaged, share=1.0, pick=whole),
    "lent spread": Lent,
    "lent spread, areas weighted": Weighted,
    "kurtosis of its own": Own,
    "its own, credited 16": partial(Own, constants=Constants(credited=16.0)),
    "its own, apart 2, credited 12": partial(Own, constants=Constants(apart=2.0, credited=12.0)),
    "t, skewness corrected": Hall,
    "t": Student,
    "identity": partial(Student, normal=True),
}
