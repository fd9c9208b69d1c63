"""What functions return: small frozen objects read by attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._checks import check_choice, check_level

__all__ = ["Alternative", "Estimate", "Interval", "OperatingPoint", "Scale", "TestResult"]

Alternative: TypeAlias = Literal["two-sided", "less", "greater"]
Scale: TypeAlias = Literal["logit", "identity", "hoeffding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Two ends that belong together; unpacks as ``low, high = interval``.

    Attributes
    ----------
    low, high : float
        The ends, both included.
    level : float
        Confidence level in (0, 1); nan for a certain bound.
    method : str
        How it was made.
    """

    low: float
    high: float
    level: float = float("nan")
    method: str = ""

    def __iter__(self) -> Iterator[float]:
        """Yield low, then high."""
        yield self.low
        yield self.high

    def __contains__(self, value: float) -> bool:
        """Tell whether a value lies between the ends, ends included."""
        return bool(self.low <= value <= self.high)

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with its standard error; ask it for an interval.

    Attributes
    ----------
    value : float
        The estimate.
    se : float
        Its standard error; nan where the sample is too small to tell.
    method : str
        How the standard error was made.
    n_pairs : float
        How many disjoint pairs of a positive and a negative there are: the smaller
        effective class size. The boundary-safe interval rests on it.
    range : tuple of float
        The values that the quantity can take.

    Examples
    --------
    >>> from rocspace import tabulate, delong
    >>> estimate = delong(tabulate([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5]))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.833 +- 0.192
    >>> low, high = estimate.interval(0.9)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.339 to 0.980
    """

    value: float
    se: float
    method: str
    n_pairs: float
    range: tuple[float, float] = (0.0, 1.0)

    def interval(self, level: float = 0.95, *, scale: Scale = "logit") -> Interval:
        """Return a confidence interval that stays inside the range and is never a point.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : {"logit", "identity", "hoeffding"}, default "logit"
            "logit" is symmetric on the log odds and stays inside the range by itself.
            "identity" is the textbook value +- z se, cut at the range. "hoeffding" uses
            no standard error: it holds at every sample size, and is wide.

        Returns
        -------
        Interval
            Its ``method`` says what was done. Where the standard error is zero or
            unknown (perfect separation, a single positive), every scale gives the
            "hoeffding" interval.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.

        Notes
        -----
        The boundary-safe interval holds all values a with ``m KL(value, a) <= ln(2 / (1 -
        level))``, m = ``n_pairs`` and KL the divergence of two Bernoulli laws: for a mean of
        m disjoint pairs, and for the area that averages such means over all pairings,
        the chance of a larger deviation is at most ``exp(-m KL)``. At a value of 1 it is
        ``[((1 - level) / 2) ** (1 / m), 1]``. For weighted tables m is the effective size,
        and the bound an approximation.

        References
        ----------
        Hoeffding (1963), Theorem 1 and section 5, for the bound; Pepe (2003) for the logit
        interval.
        """
        check_level(level)
        check_choice("scale", scale, ("logit", "identity", "hoeffding"))
        low, high = self.range
        x = (self.value - low) / (high - low)
        if not np.isfinite(x):
            return Interval(low=low, high=high, level=level, method="whole range")
        if scale == "hoeffding" or not self.se > 0 or not 0 < x < 1:
            ends = _hoeffding(x, self.n_pairs, level)
            method = "hoeffding"
        else:
            from scipy.special import expit, logit, ndtri

            z = float(ndtri((1 + level) / 2)) * self.se / (high - low)
            if scale == "identity":
                ends = (max(x - z, 0.0), min(x + z, 1.0))
            else:
                centre, half = logit(x), z / (x * (1 - x))
                ends = (float(expit(centre - half)), float(expit(centre + half)))
            method = f"{self.method}, {scale}"
        return Interval(
            low=low + ends[0] * (high - low),
            high=low + ends[1] * (high - low),
            level=level,
            method=method,
        )


def _hoeffding(x: float, m: float, level: float) -> tuple[float, float]:
    """Invert m KL(x, a) <= ln(2 / (1 - level)) for a, on either side of x."""
    from scipy.optimize import brentq
    from scipy.special import rel_entr

    if m <= 0:
        return 0.0, 1.0
    bound = float(np.log(2 / (1 - level))) / m
    x = min(max(x, 0.0), 1.0)

    def excess(a: float) -> float:
        return float(rel_entr(x, a) + rel_entr(1 - x, 1 - a)) - bound

    tiny = float(np.finfo(float).tiny)
    low = 0.0 if x == 0 else float(brentq(excess, tiny, x, xtol=1e-15)) if excess(tiny) > 0 else 0.0
    top = 1 - 2**-53
    high = 1.0 if x >= top or excess(top) <= 0 else float(brentq(excess, x, top, xtol=1e-15))
    return low, high


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """Outcome of a test.

    Attributes
    ----------
    statistic : float
        The test statistic.
    pvalue : float
        Chance of a statistic at least as extreme if the null hypothesis holds, in [0, 1].
    alternative : {"two-sided", "less", "greater"}
        The side that counts as extreme.
    method : str
        Name of the test.
    difference : float
        Estimate minus its value under the null hypothesis.
    """

    statistic: float
    pvalue: float
    alternative: Alternative
    method: str
    difference: float


TestResult.__test__ = False  # type: ignore[attr-defined]  # pytest: not a test class


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """What one threshold does to the cases.

    Attributes
    ----------
    threshold : float
        Cases with ``score >= threshold`` are called positive (``<=`` when lower scores are
        more positive). Infinite: nobody is.
    tp, fp, fn, tn : int or float
        True and false positives, false and true negatives; weights where weighted.
    next_score : float
        The next less positive score that occurs: any threshold between it (excluded)
        and ``threshold`` makes the same decisions.
    n_eff : tuple of float
        Effective numbers of positives and negatives, which intervals rest on.
    criterion : str
        Why this point was chosen.
    """

    threshold: Any
    tp: int | float
    fp: int | float
    fn: int | float
    tn: int | float
    next_score: Any
    n_eff: tuple[float, float]
    criterion: str = ""

    @property
    def tpr(self) -> float:
        """True positive rate in [0, 1], higher is better; nan without positives."""
        return self.tp / (self.tp + self.fn) if self.tp + self.fn else float("nan")

    @property
    def fpr(self) -> float:
        """False positive rate in [0, 1], lower is better; nan without negatives."""
        return self.fp / (self.fp + self.tn) if self.fp + self.tn else float("nan")
