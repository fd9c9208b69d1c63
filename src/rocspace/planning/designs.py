"""Plans, which state what is expected, and designs, the numbers of cases that follow."""

from __future__ import annotations

from rocspace._base.checks import check_choice, check_inside, check_level, check_positive
from rocspace._base.frozen import Result
from rocspace.results.test import Alternative

_LEAST = 1e-6  # positives: fewer are none


class _Cases(Result):
    """Numbers of cases of each class."""

    n_pos: float
    n_neg: float

    def screened(self, prevalence: float) -> float:
        """Return how many cases must be seen until both classes are large enough.

        Parameters
        ----------
        prevalence : float
            Share of positives among the cases that come, strictly between 0 and 1.

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
        Positives and negatives, not rounded: round up what a power needs.
    power : float
        Chance that the test rejects if the difference is as expected.
    significance : float
        Chance that it rejects if the null hypothesis holds.
    alternative : {"two-sided", "less", "greater"}
        The side that counts as extreme.
    difference : float
        Expected estimate minus its value under the null hypothesis.
    method : str
        Where the variances come from.
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
        Half of the expected width of ``value +- z se``.
    level : float
        Confidence level.
    method : str
        Where the variance comes from.
    """

    half_width: float
    level: float
    method: str


class Plan(Result):
    """Expected difference of a study, and the variance of its estimate.

    Attributes
    ----------
    difference : float
        Expected estimate minus its value under the null hypothesis.
    null_variance, variance : float
        Variance of the estimate times the number of positives, if the null hypothesis
        holds, and if the difference is as expected, in large samples.
    ratio : float
        Negatives for each positive.
    method : str
        Where the variances come from.
    null_small, small : float
        What is added to these variances in small samples, times the number of positives.

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

    difference: float
    null_variance: float
    variance: float
    ratio: float
    method: str
    null_small: float = 0.0
    small: float = 0.0

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
            Chance to reject if the null hypothesis holds, strictly between 0 and 1.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            The side that counts as extreme.

        Returns
        -------
        Design
            Infinitely many cases where no difference is expected, or one on the other side;
            none where even the fewest have more than a small power.

        Raises
        ------
        ValueError
            If a chance is out of range.

        Notes
        -----
        ``n_pos = (z sqrt(V0) + z_power sqrt(V))^2 / difference^2``, z the upper quantile of the
        significance, of half of it if two-sided.
        """
        z, z_power = _quantile(significance, alternative), _power_quantile(power, significance)
        gap = self._gap(alternative)
        if not gap > 0:
            return self._design(float("inf"), power, significance, alternative)
        n_pos = (max(self._needed(z, z_power, float("inf")), 0.0) / gap) ** 2
        if self.null_small or self.small:
            from scipy.optimize import brentq

            def short(n: float) -> float:
                return self._needed(z, z_power, n) - gap * float(n**0.5)

            low = high = max(n_pos, _LEAST)
            while low > _LEAST and short(low) < 0:
                low = max(low / 2, _LEAST)
            while short(high) > 0:
                high *= 2
            n_pos = float(brentq(short, low, high, xtol=1e-12)) if short(low) > 0 else 0.0
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
            Its power is the chance to reject on the expected side.

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
        from scipy.special import ndtr

        root = check_positive("n_pos", n_pos) ** 0.5
        z = _quantile(significance, alternative)
        null_sd, sd = self._spreads(n_pos)
        power = float(ndtr(_in_units(self._gap(alternative) * root - z * null_sd, sd)))
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
            Its significance may be near or at 1, where no smaller one reaches the power.

        Raises
        ------
        ValueError
            If the number or the power is out of range.
        """
        from scipy.special import ndtr, ndtri

        check_choice("alternative", alternative, Alternative)
        root = check_positive("n_pos", n_pos) ** 0.5
        null_sd, sd = self._spreads(n_pos)
        spare = self._gap(alternative) * root - float(ndtri(check_inside("power", power))) * sd
        tail = float(ndtr(-_in_units(spare, null_sd)))
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
            The size of the difference, 0 or more. Variances change with the areas, too:
            `detectable_area` takes that into account for one curve.

        Raises
        ------
        ValueError
            If a number is out of range.
        """
        z, z_power = _quantile(significance, alternative), _power_quantile(power, significance)
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
        return Precision(
            n_pos=n_pos,
            n_neg=n_pos * self.ratio,
            half_width=float(half_width),
            level=level,
            method=self.method,
        )

    def _spreads(self, n_pos: float) -> tuple[float, float]:
        """Return the roots of both variances in samples of a size."""
        null = self.null_variance + self.null_small / n_pos
        return float(null**0.5), float((self.variance + self.small / n_pos) ** 0.5)

    def _needed(self, z: float, z_power: float, n_pos: float) -> float:
        null_sd, sd = self._spreads(n_pos)
        return z * null_sd + z_power * sd

    def _gap(self, alternative: str) -> float:
        """Return how far the expected estimate lies on the side of the alternative."""
        if alternative == "two-sided":
            return abs(self.difference)
        return -self.difference if alternative == "less" else self.difference

    def _design(
        self, n_pos: float, power: float, significance: float, alternative: Alternative
    ) -> Design:
        return Design(
            n_pos=n_pos,
            n_neg=n_pos * self.ratio,
            power=power,
            significance=significance,
            alternative=alternative,
            difference=self.difference,
            method=self.method,
        )


def _in_units(spare: float, sd: float) -> float:
    """Divide by a standard deviation; where it is 0, a gap that is not above 0 never rejects."""
    if sd > 0:
        return spare / sd
    return float("inf") if spare > 0 else float("-inf")


def _quantile(significance: float, alternative: str) -> float:
    from scipy.special import ndtri

    check_choice("alternative", alternative, Alternative)
    tail = check_inside("significance", significance) / (2 if alternative == "two-sided" else 1)
    return -float(ndtri(tail))


def _power_quantile(power: float, significance: float) -> float:
    from scipy.special import ndtri

    if not significance < power < 1:
        msg = (
            f"power is {power}, but must lie strictly between the significance "
            f"({significance}) and 1, as 0.8 does."
        )
        raise ValueError(msg)
    return float(ndtri(power))
