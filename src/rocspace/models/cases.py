"""Scores of one class, counted or weighted: scale estimates, kernel estimates, bandwidths.

The estimates are exact for few distinct scores; if there are many, neighbours are merged first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector

_Pairs: TypeAlias = tuple[Vector, Vector]  # distances and their shares
Rule: TypeAlias = Literal[
    "cdf", "silverman", "scott", "sheather-jones", "direct-plug-in", "cross-validated"
]

FEW = 2048  # distinct scores that are never merged
FAR = 9.0  # bandwidths from which the kernel is 0 or 1 to rounding
_BLOCK = 2**20  # pairs at once
_OUTSIDE = 40.0  # bandwidths beyond the outermost scores, where any share has been reached
_KNOTS = 257  # scores from which a threshold is bracketed
_MOST = 100  # steps to a threshold
_CLOSE = 1e-14  # bandwidths, or share of itself, to which a threshold is found
_PAIRED = 512  # distinct scores of which all pairs are taken
_LAGS = 2**14  # distances between more, at first,
_MOST_LAGS = 2**21  # and at most,
_STEPS = 8  # until there are so many in a bandwidth


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Scores of one class, ascending, with their shares, standard deviation and a robust scale.

    n is the number of cases; for weighted cases, the effective number.
    """

    score: Vector
    share: Vector
    sd: float
    spread: float
    n: float

    def bandwidth(self, rule: Rule) -> float:
        """Return the bandwidth of a rule: for the density, or (smaller) for the distribution."""
        if rule == "cross-validated":
            return self._of_pairs(self._cross_validated)
        if rule == "sheather-jones":
            return self._of_pairs(self._plugged_in)
        if rule == "direct-plug-in":
            return self._of_pairs(self._directly_plugged_in)
        if rule == "cdf":
            return float(4 ** (1 / 3) * self.sd * self.n ** (-1 / 3))
        return float((0.9 * self.spread if rule == "silverman" else 1.06 * self.sd) * self.n**-0.2)

    def above(self, at: Vector, h: float) -> Vector:
        """Return the share above thresholds, smoothed."""
        from scipy.special import ndtr

        return self._smoothed(ndtr, at, h, np.append(np.cumsum(self.share[::-1])[::-1], 0.0))

    def density(self, at: Vector, h: float) -> Vector:
        """Return the kernel density."""
        found = self._smoothed(lambda z: np.exp(-z * z / 2), at, h, np.zeros(self.score.size + 1))
        return np.asarray(found / (h * np.sqrt(2 * np.pi)))

    def _smoothed(self, kernel: Any, at: Vector, h: float, beyond: Vector) -> Vector:
        if at.size * self.score.size <= _BLOCK and self.score.size <= FEW:
            return np.asarray(kernel((self.score - at[:, np.newaxis]) / h) @ self.share)
        first, last = (np.searchsorted(self.score, at + end * h) for end in (-FAR, FAR))
        found = beyond[last]
        for i, (low, high) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
            found[i] += kernel((self.score[low:high] - at[i]) / h) @ self.share[low:high]
        return found

    def threshold(self, share: Vector, h: float, start: Vector | None = None) -> Vector:
        """Return the thresholds with shares, strictly between 0 and 1, above them, smoothed.

        Newton's steps on the probit scale, where tails are nearly straight, kept inside brackets;
        from `start` if that is near the thresholds.
        """
        from scipy.special import ndtri

        low, high = self._brackets(share, h) if start is None else self._around(share, h)
        x = (low + high) / 2 if start is None else start.copy()
        before, goal = high - low, ndtri(share)
        todo = np.arange(share.size)
        for _ in range(_MOST):
            at = x[todo]
            z = ndtri(np.minimum(self.above(at, h), 1.0))
            over = z > goal[todo]  # too many above: the threshold is higher
            low[todo], high[todo] = np.where(over, at, low[todo]), np.where(over, high[todo], at)
            with np.errstate(all="ignore"):
                fall = self.density(at, h) * np.sqrt(2 * np.pi) * np.exp(z * z / 2)
                step = (z - goal[todo]) / fall
                new = at + step
                good = (low[todo] <= new) & (new <= high[todo]) & (2 * abs(step) <= before[todo])
            x[todo] = np.where(good, new, (low[todo] + high[todo]) / 2)
            before[todo] = abs(x[todo] - at)
            todo = todo[before[todo] > _CLOSE * np.maximum(h, abs(x[todo]))]  # no finer than floats
            if not todo.size:
                break
        return x

    def _around(self, share: Vector, h: float) -> tuple[Vector, Vector]:
        """Return brackets that hold any threshold."""
        low, high = self.score[0] - _OUTSIDE * h, self.score[-1] + _OUTSIDE * h
        return np.full(share.shape, low), np.full(share.shape, high)

    def _brackets(self, share: Vector, h: float) -> tuple[Vector, Vector]:
        """Return brackets of thresholds between some of the scores."""
        ends = self.score[0] - _OUTSIDE * h, self.score[-1] + _OUTSIDE * h
        knots = self.score[np.linspace(0, self.score.size - 1, _KNOTS).astype(np.int64)]
        knots = np.unique(np.concatenate([[ends[0]], knots, [ends[1]]]))
        rising = np.maximum.accumulate(self.above(knots, h)[::-1])
        place = np.clip(np.searchsorted(rising, share), 1, knots.size - 1)
        return knots[-1 - place], knots[knots.size - place]

    def grouped(self, group: Vector) -> Cases:
        """Return each group of neighbours as one case at their mean."""
        first = np.flatnonzero(np.diff(group, prepend=-1))
        share = np.add.reduceat(self.share, first)
        score = np.add.reduceat(self.share * self.score, first) / share
        return replace(self, score=score, share=share)

    def _of_pairs(self, rule: Callable[[_Pairs], float]) -> float:
        """Return a bandwidth that rests on the distances of pairs of cases.

        Those of many scores are counted on a grid, which is made finer until a bandwidth has some
        steps of it: the scores of a heavy tail are far apart for all others.
        """
        lags, width = _LAGS, float(self.score[-1] - self.score[0])
        while True:
            h = rule(self._pairs(lags))
            fine = self.score.size <= _PAIRED or h >= _STEPS * width / lags
            if fine or lags >= _MOST_LAGS:
                break
            lags *= 8
        if np.isfinite(h):
            return h
        msg = (
            "The equation of Sheather and Jones has no solution for these scores, of which "
            'many may be tied. Take bandwidth="silverman".'
        )
        raise ValueError(msg)

    def _cross_validated(self, pairs: _Pairs) -> float:
        from scipy.optimize import minimize_scalar

        usual = self.bandwidth("cdf")
        gap, weight = pairs
        n = self.n

        def criterion(log: float) -> float:
            h = usual * float(np.exp(log))
            first, second = (n * float(weight @ _mean_distance(gap, s)) for s in (h, h * 2**0.5))
            none = _mean_distance(np.zeros(1), h)[0], _mean_distance(np.zeros(1), h * 2**0.5)[0]
            apart = (first - none[0]) / (n - 1)
            within = ((n - 2) * (second - none[1]) + (n - 1) * none[1]) / (n - 1) ** 2
            return float(apart - within / 2)

        tried = np.linspace(-4, 2, 13)  # there may be more than one minimum
        best = int(np.argmin([criterion(log) for log in tried]))
        ends = tried[max(best - 1, 0)], tried[min(best + 1, tried.size - 1)]
        found = minimize_scalar(criterion, bounds=ends, method="bounded", options={"xatol": 1e-5})
        return usual * float(np.exp(found.x))

    def _plugged_in(self, pairs: _Pairs) -> float:
        """Return the solution of Sheather and Jones's equation; nan where there is none."""
        from scipy.optimize import brentq

        n = self.n

        def roughness(order: int, s: float) -> float:
            return n / max(n - 1, 1e-9) * _roughness(pairs, order, s)

        scale = 1.34 / 1.349 * self.spread if self.spread < self.sd else self.sd
        fourth = roughness(4, 1.241 * scale * n ** (-1 / 7))
        sixth = -roughness(6, 1.230 * scale * n ** (-1 / 9))
        factor = 1.357 * (fourth / sixth) ** (1 / 7) if min(fourth, sixth) > 0 else np.nan

        def excess(log: float) -> float:
            found = roughness(4, factor * float(np.exp(log)) ** (5 / 7))
            return float(-np.log(2 * np.sqrt(np.pi) * n * max(found, 1e-300)) / 5 - log)

        middle = float(np.log(1.144 * scale * n**-0.2))
        if not excess(middle - 4) > 0 > excess(middle + 2):
            return float("nan")
        return float(np.exp(brentq(excess, middle - 4, middle + 2, xtol=1e-12)))

    def _directly_plugged_in(self, pairs: _Pairs) -> float:
        """Return the bandwidth of two stages: the sixth derivative, the fourth, the bandwidth.

        The eighth is that of Normal scores with this standard deviation. Each case is paired with
        itself, too, so that signs alternate whatever the scores are.
        """
        pairs = pairs[0] / self.sd, pairs[1]
        known = 105 / (32 * np.sqrt(np.pi))
        at_zero = {6: -15 / np.sqrt(2 * np.pi), 4: 3 / np.sqrt(2 * np.pi)}  # of the Normal density
        for order, peak in at_zero.items():
            pilot = float(-2 * peak / (known * self.n)) ** (1 / (order + 3))
            known = _roughness(pairs, order, pilot)
        return float((2 * np.sqrt(np.pi) * known * self.n) ** -0.2) * self.sd

    def _pairs(self, lags: int) -> _Pairs:
        """Return distances of pairs of cases, including each with itself, and their shares."""
        x, w = self.score, self.share
        if x.size <= _PAIRED:
            return np.abs(x[:, np.newaxis] - x).ravel(), np.outer(w, w).ravel()
        step = float(x[-1] - x[0]) / lags
        share = correlated(self, self, x[0], step, lags + 2)
        middle = share.size // 2  # each distance is there twice
        return np.arange(middle + 1.0) * step, np.append(share[middle], 2 * share[middle + 1 :])


def cases_of(name: str, score: Vector, count: Array, n: float | None = None) -> Cases:
    """Return the cases of one class: scores descending, counts or weights; they must vary."""
    there = count > 0
    x, many = score[there][::-1], count[there][::-1]  # ascending
    total = float(many.sum())
    n = total if n is None else n
    mean = float(many @ x) / total
    sd = float(np.sqrt(many @ (x - mean) ** 2 / total * (n / max(n - 1, 1e-9))))
    if x.size < 2 or not sd > 0:  # rounding may leave a nonzero sd for equal scores
        msg = (
            f"{name} smooths the scores of each class, but those of a class do not vary. "
            'Take a rank-based method, such as "likelihood".'
        )
        raise ValueError(msg)
    before = np.round((np.cumsum(many) - many) * (n / total), 9)
    quartile = [_quantile(x, before, n, q) for q in (0.25, 0.75)]
    iqr = (quartile[1] - quartile[0]) / 1.34
    return Cases(score=x, share=many / total, sd=sd, spread=min(sd, iqr) if iqr > 0 else sd, n=n)


def _quantile(x: Vector, before: Vector, n: float, q: float) -> float:
    """Return a quantile of repeated scores, linear between neighbours."""
    place = q * (n - 1)
    ends = [float(x[np.searchsorted(before, np.floor(place) + i, "right") - 1]) for i in (0, 1)]
    return float(ends[0] + (place - np.floor(place)) * (ends[1] - ends[0]))


def _roughness(pairs: _Pairs, order: int, s: float) -> float:
    """Return the mean over pairs of a derivative of the density of a Normal kernel of width s.

    It estimates the integral of the density and its derivative of that order, 4 or 6.
    """
    gap, weight = pairs
    z = np.minimum((gap / s) ** 2, 1e3)
    powers = ((z - 6) * z + 3) if order == 4 else (((z - 15) * z + 45) * z - 15)
    mean = float(weight @ (np.exp(-z / 2) * powers)) / float(np.sqrt(2 * np.pi))
    return float(mean / s ** (order + 1))


def _mean_distance(gap: Vector, s: float) -> Vector:
    """Return E |gap + s Z| for a standard Normal Z."""
    from scipy.special import erf

    z = gap / s
    return np.asarray(s * np.sqrt(2 / np.pi) * np.exp(-z * z / 2) + gap * erf(z / np.sqrt(2)))


def correlated(pos: Cases, neg: Cases, low: float, step: float, size: int) -> Vector:
    """Return the shares of pairs by distance, from -(size - 1) to size - 1 steps, by FFT.

    Each score is split linearly between the two nearest of `size` points, from `low` on.
    """
    grids = (gridded(cases, low, step, size) for cases in (pos, neg))
    length = 1 << int(2 * size - 2).bit_length()
    first, second = (np.fft.rfft(grid, length) for grid in grids)
    both = np.fft.irfft(first * np.conj(second), length)
    return np.append(both[1 - size :], both[:size])


def gridded(cases: Cases, low: float, step: float, size: int) -> Vector:
    """Return the shares of `size` points, from `low` on; scores are split between neighbours."""
    place = (cases.score - low) / step
    left = np.floor(place).astype(np.int64)
    part = place - left
    grid = np.bincount(left, cases.share * (1 - part), size)
    return np.asarray(grid + np.bincount(left + 1, cases.share * part, size))
