"""Plans of a rate at a fixed threshold, by binomial sums: nothing is simulated or approximated."""

from __future__ import annotations

from bisect import bisect_left
from typing import ClassVar

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace.planning.designs import Design, Plan, Precision, power_quantile, tail_of
from rocspace.results.proportions import rate_limits
from rocspace.results.test import Alternative

_MANY = 100_000  # number of cases from which on the formula is used
_FURTHER, _SOME = 3, 60  # cases looked at: so many times those of the formula, and some
_ROUNDING = 1e-12  # a tail so small is none beside 1
_REACH = 9.0  # outcomes beyond this number of standard deviations are ignored


class ExactPlan(Plan):
    """A plan of a rate whose power is that of the exact test.

    Attributes
    ----------
    rate, null_rate : float
        The expected rate, and the rate under the null hypothesis; nan if there is none.
    each : float
        Cases of the class for each positive.
    """

    _kind: ClassVar[str] = "Plan"
    rate: float
    null_rate: float
    each: float

    def for_power(
        self,
        power: float = 0.8,
        *,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> Design:
        """Sum binomial probabilities for each number of cases."""
        z_power = power_quantile(power, significance)
        guess = self._ask(z_power, significance, alternative) * self.each
        while guess < _MANY:
            n = np.arange(1, int(_FURTHER * guess) + _SOME)
            has = self._powers(n, significance, alternative)
            i = int(np.flatnonzero(has < power).max(initial=-1)) + 1
            if i < n.size:
                found = float(n[i]) / self.each
                return self._design(found, float(has[i]), significance, alternative)
            guess = 2.0 * n.size
        return super().for_power(power, significance=significance, alternative=alternative)

    def for_cases(
        self,
        n_pos: float,
        *,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> Design:
        """Sum binomial probabilities."""
        formula = super().for_cases(n_pos, significance=significance, alternative=alternative)
        if n_pos * self.each >= _MANY:
            return formula
        power = float(self._powers(self._whole(n_pos), significance, alternative)[0])
        return self._design(float(n_pos), power, significance, alternative)

    def for_significance(
        self, n_pos: float, power: float, *, alternative: Alternative = "two-sided"
    ) -> Design:
        """Take the most cases that are exceeded often enough."""
        from scipy.stats import binom

        formula = super().for_significance(n_pos, power, alternative=alternative)
        if n_pos * self.each >= _MANY:
            return formula
        n, (null, rate) = self._whole(n_pos), self._rates(alternative)
        most = np.asarray(binom.isf(power, n, rate))
        most = most - (binom.sf(most, n, rate) < power)  # the most cases that are exceeded so often
        significance = min(
            1.0, float(np.asarray(binom.sf(most, n, null))[0]) / tail_of(1.0, alternative)
        )
        return self._design(float(n_pos), power, significance, alternative)

    def for_width(self, half_width: float, *, level: float = 0.95) -> Precision:
        """Average the interval over all outcomes."""
        formula = super().for_width(half_width, level=level)
        guess = formula.n_pos * self.each
        while guess < _MANY:
            sizes = range(1, int(_FURTHER * guess) + _SOME)
            i = bisect_left(sizes, -half_width, key=lambda n: -self._half_width(n, level))
            if i < len(sizes):
                n = sizes[i]
                return self._precision(n / self.each, self._half_width(n, level), level)
            guess = 2.0 * len(sizes)
        return formula

    def _half_width(self, n: int, level: float) -> float:
        """Return half of the expected width of the interval of Clopper and Pearson."""
        from scipy.stats import binom

        reach = _REACH * (n * self.rate * (1 - self.rate)) ** 0.5 + _REACH
        x = np.arange(max(int(n * self.rate - reach), 0), min(int(n * self.rate + reach), n) + 1.0)
        low, high = rate_limits(x, float(n), level, "clopper-pearson")
        return float(((high - low) / 2) @ binom.pmf(x, n, self.rate))

    def _whole(self, n_pos: float) -> Ints:
        return np.array([max(round(n_pos * self.each), 1)])

    def _rates(self, alternative: Alternative) -> tuple[float, float]:
        """Return both rates so that high ones are evidence."""
        side = self.rate < self.null_rate if alternative == "two-sided" else alternative == "less"
        rates = self.null_rate, self.rate
        return (1 - rates[0], 1 - rates[1]) if side else rates

    def _powers(self, n: Ints, significance: float, alternative: Alternative) -> Vector:
        """Return the power of numbers of cases: the probability to exclude the null hypothesis."""
        from scipy.stats import binom

        null, rate = self._rates(alternative)
        tail = tail_of(significance, alternative)
        # SciPy looks for an upper tail in 1 minus it, and finds none below rounding.
        most = binom.isf(tail, n, null) if tail > _ROUNDING else n - 1 - _in_tail(tail, n, 1 - null)
        return np.asarray(binom.sf(most, n, rate))


def _in_tail(tail: float, n: Ints, rate: float) -> Ints:
    """Return the largest outcomes that are, with all smaller ones, no more probable than a tail."""
    from scipy.stats import binom

    low, high = np.full_like(n, -1), n.copy()
    while (high - low > 1).any():
        middle = (low + high) // 2
        inside = binom.cdf(middle, n, rate) <= tail
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low
