"""Plans, which state what is expected, and designs, the numbers of cases that follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

import numpy as np

from rocspace._base.cards import Card
from rocspace._base.checks import (
    check_choice,
    check_inside,
    check_level,
    check_positive,
    check_rng,
    check_times,
)
from rocspace._base.frozen import Result
from rocspace._base.text import general, interval
from rocspace.results.test import Alternative

P = TypeVar("P", bound="Plan")

N_SIM = 2500  # samples simulated for a number that is returned
_LEAST = 1e-6  # fewer positives than this count as none
_TINY = 1e-300


class _Cases(Result):
    """Numbers of cases of each class."""

    n_pos: float
    n_neg: float

    def screened(self, prevalence: float) -> float:
        """Return how many cases must be screened until both classes are large enough.

        Parameters
        ----------
        prevalence : float
            Share of positives among the screened cases, strictly between 0 and 1.

        Returns
        -------
        float
            The expected number: the larger of ``n_pos / prevalence`` and ``n_neg / (1 -
            prevalence)``.

        Raises
        ------
        ValueError
            If the prevalence is not strictly between 0 and 1.
        """
        share = check_inside("prevalence", prevalence)
        return max(self.n_pos / share, self.n_neg / (1 - share))


class Design(_Cases):
    """Numbers of cases, and the power that they have.

    Attributes
    ----------
    n_pos, n_neg : float
        Positives and negatives, not rounded: round up the numbers needed for a power.
    power : float
        Probability that the test rejects if the difference is as expected.
    significance : float
        Probability that it rejects if the null hypothesis is true.
    alternative : {"two-sided", "less", "greater"}
        The side that counts as extreme.
    difference : float
        Expected estimate minus its value under the null hypothesis.
    method : str
        Source of the variances.

    See Also
    --------
    Plan.for_power, Plan.for_cases, Plan.for_significance
    """

    power: float
    significance: float
    alternative: Alternative
    difference: float
    method: str


class Precision(_Cases):
    """Numbers of cases, and the width of the confidence interval that they give.

    Attributes
    ----------
    n_pos, n_neg : float
        Positives and negatives, not rounded.
    half_width : float
        Half of the expected width: z times the planned standard error. The default interval has
        this width to within 3 percent on average (docs, "Measured coverage", "widths of plans").
    level : float
        Confidence level.
    method : str
        Where the variance comes from.

    See Also
    --------
    Plan.for_width
    """

    half_width: float
    level: float
    method: str


class Plan(Result):
    """Expected difference of a study, and the variance of its estimate.

    Attributes
    ----------
    difference : float
        Expected estimate minus its value under the null hypothesis; nan if there is none.
    null_variance, variance : float
        Variance of the estimate times the number of positives, under the null hypothesis and for
        the expected difference, in large samples.
    ratio : float
        Negatives for each positive.
    method : str
        Source of the variances.
    null_small, small : float
        Addition to these variances in small samples, times the number of positives.
    limits : tuple of float or None
        Equivalence limits, if the study is to show that the difference lies between them.

    See Also
    --------
    plan_area, plan_difference, plan_from_pilot, plan_from_fit

    Notes
    -----
    A plan by a formula assumes that the estimate is Normal and its variance known. If the plan is
    simulated (the default of most plan functions), the methods below apply the test itself: they
    draw `n_sim` samples, so that a power of .8 has a Monte Carlo error of .008 (see
    `with_samples`), return integer numbers of cases, and `Design.power` is the power of these
    numbers. They take a few seconds. From 5000 cases on they use the formula.

    Examples
    --------
    >>> from rocspace.planning import plan_area
    >>> plan = plan_area(0.7, variance="obuchowski")
    >>> design = plan.for_power(0.9)
    >>> round(design.n_pos, 4)
    40.2137
    >>> round(plan.for_cases(41).power, 3)
    0.906
    """

    _meant: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("n", "n_pos", "n_neg", "n_cases", "sample_size"), "for_power(0.8).n_pos"),
        "power": "for_cases(40).power, of 40 positives",
        **dict.fromkeys(
            ("for_precision", "for_half_width", "for_ci", "precision"), "for_width(0.05)"
        ),
    }

    difference: float
    null_variance: float
    variance: float
    ratio: float
    method: str
    null_small: float = 0.0
    small: float = 0.0
    limits: tuple[float, float] | None = None

    def _card(self) -> Card:
        rows = {
            "Difference": general(self.difference),
            "Negatives per positive": general(self.ratio),
            "Method": self.method,
        }
        if np.isnan(self.difference):
            del rows["Difference"]
            return Card(rows=rows | {"Ask": "for_width(0.1)"})
        if self.limits is not None:
            rows["Limits"] = interval(*self.limits)
        return Card(rows=rows | {"Ask": "for_power(0.8), for_cases(100) or for_width(0.1)"})

    def with_samples(
        self, n_sim: int = N_SIM, *, rng: np.random.Generator | int | None = 0
    ) -> Plan:
        """Return the same plan, simulated with other samples.

        Parameters
        ----------
        n_sim : int, default 2500
            Number of samples to draw for a returned number; the search draws some more.
        rng : numpy.random.Generator, int or None, default 0
            Generator or seed; the same seed gives the same numbers, None a random seed.

        Returns
        -------
        Plan
            A plan by a formula draws no samples: it is returned as it is.

        Raises
        ------
        ValueError
            If the number is out of range.
        """
        check_times("n_sim", n_sim)
        check_rng(rng)
        return self

    def for_power(
        self,
        power: float = 0.8,
        *,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> Design:
        """Return the number of cases needed for a power.

        Parameters
        ----------
        power : float, default 0.8
            Desired probability of rejection, above the significance and below 1.
        significance : float, default 0.05
            Probability to reject if the null hypothesis is true, strictly between 0 and 1.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            The side that counts as extreme.

        Returns
        -------
        Design
            Infinitely many cases if no difference, or a difference on the other side, is expected;
            0 cases if a small power is exceeded even with the fewest.

        Raises
        ------
        ValueError
            If a probability is out of range.

        Notes
        -----
        ``n_pos = (z sqrt(V0) + z_power sqrt(V))^2 / difference^2``, z the upper quantile of the
        significance, of half of it if two-sided. Equivalence is two one-sided tests, whose
        power is ``Phi((high - d) sqrt(n_pos / V) - z) + Phi((d - low) sqrt(n_pos / V) - z) - 1``,
        d the expected difference and z one-sided.
        """
        z_power = power_quantile(power, significance)
        n_pos = self._ask(z_power, significance, alternative)
        return self._design(n_pos, power, significance, alternative)

    def for_cases(
        self,
        n_pos: float,
        *,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> Design:
        """Return the power of a number of cases.

        Parameters
        ----------
        n_pos : float
            Positives; there are `ratio` times as many negatives.
        significance, alternative
            As for `for_power`.

        Returns
        -------
        Design
            Its power is the probability to reject on the expected side.

        Raises
        ------
        ValueError
            If the number or the significance is out of range.

        Notes
        -----
        ``Phi((|difference| sqrt(n_pos) - z sqrt(V0)) / sqrt(V))``, as in pROC: `for_power` and
        `for_significance` invert it. A two-sided test may also reject on the wrong side; that
        does not count as power. Where no difference is expected this is half of the
        significance, and both sides together are all of it.
        """
        check_positive("n_pos", n_pos)
        power = ndtr(self._told(n_pos, significance, alternative))
        return self._design(float(n_pos), power, significance, alternative)

    def for_significance(
        self, n_pos: float, power: float, *, alternative: Alternative = "two-sided"
    ) -> Design:
        """Return the significance at which a number of cases has a power.

        Parameters
        ----------
        n_pos : float
            Positives; there are `ratio` times as many negatives.
        power : float
            Desired probability of rejection, strictly between 0 and 1.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            The side that counts as extreme.

        Returns
        -------
        Design
            Its significance may be close or equal to 1 if no smaller one reaches the power.

        Raises
        ------
        ValueError
            If the number or the power is out of range, or equivalence is planned.

        Examples
        --------
        >>> from rocspace.planning import plan_area
        >>> round(plan_area(0.7, variance="obuchowski").for_significance(41, 0.9).significance, 3)
        0.046
        """
        check_choice("alternative", alternative, Alternative)
        self._refuse_equivalence("for_significance")
        root = check_positive("n_pos", n_pos) ** 0.5
        null_sd, sd = self._spreads(n_pos)
        spare = self._gap(alternative) * root - ndtri(check_inside("power", power)) * sd
        tail = ndtr(-_in_units(spare, null_sd))
        significance = min(1.0, 2 * tail) if alternative == "two-sided" else tail
        return self._design(float(n_pos), power, significance, alternative)

    def detectable(
        self,
        n_pos: float,
        *,
        power: float = 0.8,
        significance: float = 0.05,
        alternative: Alternative = "two-sided",
    ) -> float:
        """Return the smallest difference that a number of cases detects, the variances as planned.

        Parameters
        ----------
        n_pos : float
            Positives; there are `ratio` times as many negatives.
        power, significance, alternative
            As for `for_power`.

        Returns
        -------
        float
            The absolute difference, 0 or more. Variances also change with the areas:
            `detectable_area` takes that into account for one curve.

        Raises
        ------
        ValueError
            If a number is out of range, or equivalence is planned.

        Examples
        --------
        >>> from rocspace.planning import plan_area
        >>> round(plan_area(0.7, variance="obuchowski").detectable(41, power=0.9), 3)
        0.198
        """
        self._refuse_equivalence("detectable")
        z, z_power = _quantile(significance, alternative), power_quantile(power, significance)
        root = check_positive("n_pos", n_pos) ** 0.5
        return float(max(self._needed(z, z_power, n_pos), 0.0) / root)

    def for_width(self, half_width: float, *, level: float = 0.95) -> Precision:
        """Return the number of cases needed for a confidence interval of a given width.

        Parameters
        ----------
        half_width : float
            Half of the wanted width, above 0.
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.

        Returns
        -------
        Precision
            ``n_pos = z^2 V / half_width^2``, V the variance in samples of that size.

        Raises
        ------
        ValueError
            If the width or the level is out of range.
        """
        z = _quantile(1 - check_level(level), "two-sided")
        # n = z^2 (V + small / n) / half_width^2, solved for n.
        half = z**2 / check_positive("half_width", half_width) ** 2 / 2
        n_pos = half * self.variance
        n_pos += (n_pos**2 + 2 * half * self.small) ** 0.5
        return self._precision(n_pos, half_width, level)

    def _ask(self, z_power: float, significance: float, alternative: Alternative) -> float:
        """Return how many positives a power needs, by the formula; 0 if the fewest have more."""
        from scipy.optimize import brentq

        gap = self._gap(alternative)
        if not gap > 0:
            return float("inf")
        z = _quantile(significance, alternative, self.limits)
        n_pos = (max(self._needed(z, z_power, float("inf")), 0.0) / gap) ** 2
        if not (self.null_small or self.small or self.limits):
            return n_pos

        def short(n: float) -> float:
            if self.limits is None:
                return self._needed(z, z_power, n) - gap * float(n**0.5)
            return z_power - self._told(n, significance, alternative)

        low = high = max(n_pos, _LEAST)
        while low > _LEAST and short(low) < 0:
            low = max(low / 2, _LEAST)
        while short(high) > 0:
            high *= 2
        return float(brentq(short, low, high, xtol=1e-12)) if short(low) > 0 else 0.0

    def _told(self, n_pos: float, significance: float, alternative: Alternative) -> float:
        """Return the Normal quantile of the power of some positives, by the formula."""
        z = _quantile(significance, alternative, self.limits)
        null_sd, sd = self._spreads(n_pos)
        root = n_pos**0.5
        if self.limits is None:
            return _in_units(self._gap(alternative) * root - z * null_sd, sd)
        low, high = (_in_units((end - self.difference) * root, sd) for end in self.limits)
        return ndtri(max(ndtr(high - z) - ndtr(low + z), _TINY))

    def _refuse_equivalence(self, name: str) -> None:
        if self.limits is not None:
            msg = (
                f"{name} is for a test of a difference, but equivalence is planned. Use for_cases."
            )
            raise ValueError(msg)

    def _refuse_without_null(self) -> None:
        if np.isnan(self.difference):
            msg = (
                "This plan has no null hypothesis, so there is nothing to test. Give null_rate=... "
                "to plan_rate, or ask for a width, for_width(0.05)."
            )
            raise ValueError(msg)

    def _spreads(self, n_pos: float) -> tuple[float, float]:
        """Return the square roots of both variances in samples of a size."""
        self._refuse_without_null()
        null = self.null_variance + self.null_small / n_pos
        return float(null**0.5), float((self.variance + self.small / n_pos) ** 0.5)

    def _needed(self, z: float, z_power: float, n_pos: float) -> float:
        null_sd, sd = self._spreads(n_pos)
        return z * null_sd + z_power * sd

    def _gap(self, alternative: str) -> float:
        """Return how far the expected estimate lies on the side of the alternative."""
        self._refuse_without_null()
        if self.limits is not None:
            return min(self.limits[1] - self.difference, self.difference - self.limits[0])
        if alternative == "two-sided":
            return abs(self.difference)
        return -self.difference if alternative == "less" else self.difference

    def _negatives(self, n_pos: float) -> float:
        return n_pos * self.ratio

    def _method(self, n_pos: float) -> str:
        return self.method

    def _precision(self, n_pos: float, half_width: float, level: float) -> Precision:
        return Precision(
            n_pos=n_pos,
            n_neg=self._negatives(n_pos),
            half_width=float(half_width),
            level=level,
            method=self._method(n_pos),
        )

    def _design(
        self, n_pos: float, power: float, significance: float, alternative: Alternative
    ) -> Design:
        return Design(
            n_pos=n_pos,
            n_neg=self._negatives(n_pos),
            power=power,
            significance=significance,
            alternative=alternative,
            difference=self.difference,
            method=self._method(n_pos),
        )


def more_of(plan: Plan, kind: type[P], **more: Any) -> P:
    """Return a plan of another kind with the same expectations and additional fields."""
    return kind(**{each.name: getattr(plan, each.name) for each in fields(plan)} | more)


def _in_units(spare: float, sd: float) -> float:
    """Divide by a standard deviation; if it is 0, a gap that is not above 0 never rejects."""
    if sd > 0:
        return spare / sd
    return float("inf") if spare > 0 else float("-inf")


def _quantile(
    significance: float, alternative: str, limits: tuple[float, float] | None = None
) -> float:
    check_choice("alternative", alternative, Alternative)
    if limits is not None and alternative != "two-sided":
        msg = f"alternative is {alternative!r}, but equivalence has two sides: leave it out."
        raise ValueError(msg)
    check_inside("significance", significance)
    return -ndtri(tail_of(significance, alternative, limits))


def tail_of(
    significance: float, alternative: str, limits: tuple[float, float] | None = None
) -> float:
    """Return the significance of one side; equivalence is two tests of one side each."""
    return significance / (2 if alternative == "two-sided" and limits is None else 1)


def ndtr(x: float) -> float:
    """Return the Normal distribution function of a number."""
    from scipy import special

    return float(special.ndtr(x))


def ndtri(share: float) -> float:
    """Return the Normal quantile of a share."""
    from scipy import special

    return float(special.ndtri(share))


def power_quantile(power: float, significance: float) -> float:
    """Return the Normal quantile of a power, which is above the significance."""
    if not significance < power < 1:
        msg = (
            f"power is {power}, but must lie strictly between the significance "
            f"({significance}) and 1, as 0.8 does."
        )
        raise ValueError(msg)
    return ndtri(power)
