"""Power and sample size for areas, their differences, and rates.

A plan states the expected difference and the variance of its estimate; ask it for the cases
needed for a power, the power of a number of cases, the difference they detect, or the width of an
interval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from rocspace._base.checks import check_choice, check_inside, check_positive, check_range
from rocspace.counts.paired import PairedScores
from rocspace.inference.area import WeightType
from rocspace.inference.components import components, counted_weights, need_cases, score_columns
from rocspace.planning.area_variance import (
    Binormal,
    Planned,
    area_variance,
    covariance_of,
    variance_of,
)
from rocspace.planning.designs import Plan
from rocspace.results.test import Alternative

if TYPE_CHECKING:
    from rocspace.simulate.populations import PairedPopulation

Variance: TypeAlias = Literal["empirical", "exact", "obuchowski", "hanley-mcneil"]
Spread: TypeAlias = Literal["empirical", "exact", "obuchowski"]
Null: TypeAlias = Literal["alternative", "first"]
Range: TypeAlias = tuple[float, float]


# --- one curve --------------------------------------------------------------------------------


def plan_area(
    area: float,
    *,
    null_area: float = 0.5,
    sd_ratio: float = 1.0,
    fpr: Range | None = None,
    ratio: float = 1.0,
    variance: Variance = "empirical",
) -> Plan:
    """Plan a study of one curve: its area, or a part of it, against that of another curve.

    Parameters
    ----------
    area : float
        Expected area under the whole curve, strictly between 0 and 1.
    null_area : float, default 0.5
        The area under the null hypothesis, strictly between 0 and 1.
    sd_ratio : float, default 1
        Standard deviation of the positives over that of the negatives, for both curves.
    fpr : tuple of float, optional
        Plan for the area over this range of false positive rates.
    ratio : float, default 1
        Negatives for each positive.
    variance : {"empirical", "exact", "obuchowski", "hanley-mcneil"}, default "empirical"
        "empirical": of the empirical area (Mann-Whitney's) of Normal scores; exact in
        samples of any size, for parts of areas in large ones. "exact": of the area that a
        Normal model fitted by maximum likelihood has, in large samples. "obuchowski": the
        same without the covariance of the model's two parameters, as published and as in
        pROC. It is too large, by 13 percent at an area of 0.7, by 92 at 0.967.
        "hanley-mcneil": of the empirical area of exponential scores; whole areas only.

    Returns
    -------
    Plan
        Ask it for ``for_power(0.9)``, ``for_cases(40)`` or ``for_width(0.05)``.

    Raises
    ------
    ValueError
        If a number is out of range, or the variance is not defined for such areas.

    Notes
    -----
    With ``q = sqrt(2) Phi^-1(area)``, "obuchowski" is ``.0099 exp(-q^2 / 2) ((5 q^2 + 8) + (q^2 +
    8) / ratio) / n_pos``; "exact" has ``q^2 + 8`` twice, and 1 / (32 pi) for .0099. Whole areas
    of equal spread take .0099 and 1.414 literally, which reproduces pROC. "empirical" is
    ``(A (1 - A) + (n_neg - 1) c_pos + (n_pos - 1) c_neg) / (n_pos n_neg)``, c the covariance of
    two comparisons that share a positive, or a negative.

    Measured power is 78 to 82 percent where "empirical" predicts 80, from 20 positives on;
    `simulated_power_estimate` has a table.

    References
    ----------
    Obuchowski and McClish (1997), Table I; Obuchowski, Lieber and Wians (2004), equation 3, for
    "obuchowski"; Hanley and McNeil (1982), equations 1 and 2.

    Examples
    --------
    >>> round(plan_area(0.8).for_power(0.9).n_pos, 2)
    16.38
    >>> round(plan_area(0.8, variance="obuchowski").for_power(0.9).n_pos, 4)
    16.6192
    """
    check_inside("area", area)
    check_inside("null_area", null_area)
    check_positive("ratio", ratio)
    check_choice("variance", variance, Variance)
    made = [_one_curve(a, sd_ratio, fpr, ratio, variance) for a in (area, null_area)]
    (value, spread), (null_value, null_spread) = made
    return _plan(value - null_value, null_spread, spread, ratio, variance)


def _plan(gap: float, null: Planned, expected: Planned, ratio: float, method: str) -> Plan:
    return Plan(
        difference=gap,
        null_variance=null.large,
        variance=expected.large,
        null_small=null.small,
        small=expected.small,
        ratio=float(ratio),
        method=method,
    )


def _one_curve(
    area: float, sd_ratio: float, fpr: Range | None, ratio: float, variance: str
) -> tuple[float, Planned]:
    """Return an area, whole or in part, and its variance."""
    if fpr is None and sd_ratio == 1:
        return area, area_variance(area, ratio, variance)
    from scipy.special import ndtri

    b = 1 / check_positive("sd_ratio", sd_ratio)
    low, high = (0.0, 1.0) if fpr is None else check_range("fpr", fpr)
    if variance == "hanley-mcneil":
        msg = "variance='hanley-mcneil' is for whole areas of equal spread only: take 'empirical'."
        raise ValueError(msg)
    curve = Binormal(a=float(ndtri(area)) * (1 + b**2) ** 0.5, b=b, low=low, high=high)
    return curve.area, variance_of(curve, ratio, variance)


def detectable_area(
    n_pos: float,
    *,
    power: float = 0.8,
    null_area: float = 0.5,
    ratio: float = 1.0,
    significance: float = 0.05,
    alternative: Alternative = "two-sided",
    variance: Variance = "empirical",
) -> float:
    """Return the smallest area above the null area that a number of cases detects.

    Parameters
    ----------
    n_pos : float
        Positives; there are `ratio` times as many negatives.
    power : float, default 0.8
        Desired probability of rejection, above the significance and below 1.
    null_area, ratio, variance
        As for `plan_area`.
    significance, alternative
        As for `Plan.for_power`; with "less", the largest area below.

    Returns
    -------
    float
        In (0, 1); 1 (with "less" 0) if no area is detected with that power.

    Raises
    ------
    ValueError
        If a number is out of range.

    Examples
    --------
    >>> round(detectable_area(60, power=0.9), 4)
    0.6667
    """
    from scipy.optimize import brentq

    check_inside("null_area", null_area)
    less = alternative == "less"

    def short(area: float) -> float:
        plan = plan_area(area, null_area=null_area, ratio=ratio, variance=variance)
        return plan.detectable(
            n_pos, power=power, significance=significance, alternative=alternative
        ) - (-plan.difference if less else plan.difference)

    end = 1e-12 if less else 1 - 1e-12
    if short(end) > 0:
        return 0.0 if less else 1.0
    return float(brentq(short, null_area, end, xtol=1e-14))


# --- two curves -------------------------------------------------------------------------------


def plan_difference(
    first: float,
    second: float,
    *,
    correlation: float = 0.0,
    ratio: float = 1.0,
    variance: Variance = "empirical",
    null: Null = "alternative",
    null_difference: float = 0.0,
) -> Plan:
    """Plan a comparison of two areas, given only the areas and their correlation.

    Parameters
    ----------
    first, second : float
        Expected areas, strictly between 0 and 1.
    correlation : float, default 0
        Correlation of the two estimated areas, in (-1, 1]. 0 is two groups of cases, each
        of the size that is found.
    ratio, variance
        As for `plan_area`.
    null : {"alternative", "first"}, default "alternative"
        Variance if the null hypothesis holds: the same as expected, or twice that of the
        first curve (pROC). "first" depends on which curve comes first.
    null_difference : float, default 0
        First minus second under the null hypothesis; minus a margin for non-inferiority.

    Returns
    -------
    Plan
        For the first area minus the second.

    Raises
    ------
    ValueError
        If a number is out of range.

    Notes
    -----
    The variance of the difference is ``v1 + v2 - 2 r sqrt(v1 v2)``. To plan from correlations
    of scores instead see `plan_paired`.

    Examples
    --------
    >>> round(plan_difference(0.85, 0.8, correlation=0.5).for_power(0.8).n_pos, 1)
    262.0
    """
    for name, area in (("first", first), ("second", second)):
        check_inside(name, area)
    check_positive("ratio", ratio)
    check_choice("variance", variance, Variance)
    if not -1 < correlation <= 1:
        msg = f"correlation is {correlation}, but must be above -1 and at most 1."
        raise ValueError(msg)
    one, two = (area_variance(area, ratio, variance) for area in (first, second))
    shared = Planned(
        large=correlation * (one.large * two.large) ** 0.5,
        small=correlation * (one.small * two.small) ** 0.5,
    )
    gap = first - second - null_difference
    return _two_curves(gap, (one, two, shared), ratio, null, variance)


def _two_curves(
    gap: float, parts: tuple[Planned, Planned, Planned], ratio: float, null: str, method: str
) -> Plan:
    """Make a plan from two variances and their covariance."""
    check_choice("null", null, Null)
    one, two, shared = parts
    spread, null_spread = (
        Planned(
            large=max(one.large + other.large - 2 * shared.large, 0.0),
            small=max(one.small + other.small - 2 * shared.small, 0.0),
        )
        for other in (two, one if null == "first" else two)
    )
    return _plan(gap, null_spread, spread, ratio, f"{method}, null={null!r}")


def plan_paired(
    population: PairedPopulation,
    *,
    fpr: Range | None = None,
    difference: float | None = None,
    ratio: float = 1.0,
    variance: Spread = "empirical",
    null: Null = "alternative",
    null_difference: float = 0.0,
) -> Plan:
    """Plan a comparison of two scores of the same cases, from their Normal model.

    Parameters
    ----------
    population : PairedPopulation
        Two scores, from `rocspace.simulate.paired_binormal`; not cut to ratings. With
        correlations of 0 it is two groups of cases, each of the size that is found.
    fpr : tuple of float, optional
        Compare the areas over this range of false positive rates.
    difference : float, optional
        Expected difference; by default that of the population.
    ratio, variance, null, null_difference
        As for `plan_difference`.

    Returns
    -------
    Plan
        For the first area minus the second.

    Raises
    ------
    ValueError
        If there are not two scores, or they are ratings, or an option is out of range.

    Notes
    -----
    "obuchowski" and "exact" have the same covariance, Obuchowski and McClish's. It contains
    the terms that the variances of "obuchowski" omit, so that the variance of the difference
    is much too large: in the example below 407 cases of each class.

    A plan takes the estimate for Normal and its variance for known. The default test does not, so
    it has another power where areas are near 1 or few cases are planned. Measured (2000 samples,
    so +- 2) where "empirical" promises 80 to 82 percent, with as many negatives: areas .95 and .85,
    correlation .9, 26 positives: 85; .98 and .9, .5, 50: 84; .98 and .9, .9, 34: 89; .7 and .6,
    .9, 31: 77; .8 and .7, .3, 133: 80; .75 and .65, .6, 92: 79; .95 and .9, .6, 113: 81. With four
    negatives for each positive: .95 and .85, .9, 16 positives: 86; .98 and .9, .5, 31: 84; .75 and
    .65, .6, 58: 79. Ask `simulated_power_estimate` before you rely on fewer than 60 positives.

    References
    ----------
    Obuchowski and McClish (1997), Table I.

    Examples
    --------
    >>> from rocspace.simulate import paired_binormal
    >>> population = paired_binormal([0.85, 0.8], r_pos=0.6, r_neg=0.6)
    >>> round(plan_paired(population).for_power(0.8).n_pos, 1)
    239.3
    """
    if len(population.names) != 2 or population.cuts is not None:
        msg = (
            "plan_paired takes two scores that are not ratings: plan others by "
            "simulated_power_estimate."
        )
        raise ValueError(msg)
    check_positive("ratio", ratio)
    check_choice("variance", variance, Spread)
    low, high = (0.0, 1.0) if fpr is None else check_range("fpr", fpr)
    one, two = (
        Binormal(a=float(mean / sd), b=float(1 / sd), low=low, high=high)
        for mean, sd in zip(population.mean, population.sd, strict=True)
    )
    r_pos, r_neg = float(population.r_pos[0, 1]), float(population.r_neg[0, 1])
    shared = covariance_of(one, two, r_pos, r_neg, ratio, variance)
    parts = (variance_of(one, ratio, variance), variance_of(two, ratio, variance), shared)
    gap = one.area - two.area if difference is None else float(difference)
    return _two_curves(gap - null_difference, parts, ratio, null, variance)


def plan_from_pilot(
    data: PairedScores,
    first: str,
    second: str,
    *,
    fpr: Range | None = None,
    ratio: float | None = None,
    null: Null = "alternative",
    null_difference: float = 0.0,
    weight_type: WeightType = "importance",
) -> Plan:
    """Plan a comparison of two scores of the same cases, from a pilot study.

    Parameters
    ----------
    data : PairedScores
        The pilot study, without clusters; weights have to be frequencies.
    first, second : str
        Names of two scores.
    fpr : tuple of float, optional
        Compare the areas over this range of false positive rates.
    ratio : float, optional
        Negatives for each positive; by default as in the pilot study.
    null, null_difference
        As for `plan_difference`.
    weight_type : {"importance", "frequency"}, default "importance"
        What weights are: "frequency" if each is how many equal cases a row stands for. Importance
        weights do not carry over to the study.

    Returns
    -------
    Plan
        For the first area minus the second, as different as in the pilot study.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a name is unknown, a class has a single case, or there are clusters or importance
        weights.

    Notes
    -----
    DeLong's variances and covariance, split into what positives and negatives add: the
    share of the negatives is divided by `ratio`. (pROC keeps the pilot's sum, whatever the
    ratio.) The difference of a pilot study is uncertain, and too large where the study was
    chosen for it: look at its interval before you plan with it.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), by Sun and Xu (2014), Algorithm 2.

    Examples
    --------
    >>> from rocspace.simulate import paired_binormal
    >>> pilot = paired_binormal([0.9, 0.7]).draw(40, 60, rng=3)
    >>> plan = plan_from_pilot(pilot, "score_1", "score_2")
    >>> round(plan.difference, 4), plan.ratio
    (0.2604, 1.5)
    """
    need_cases("plan_from_pilot", data)
    if data.cluster is not None:
        msg = "plan_from_pilot counts independent cases, but these have clusters."
        raise ValueError(msg)
    if counted_weights(data, weight_type) is not None and weight_type == "importance":
        msg = (
            "plan_from_pilot counts cases, but these have importance weights. Use "
            'weight_type="frequency" if weights count equal cases.'
        )
        raise ValueError(msg)
    part = None if fpr is None else ("fpr", *check_range("fpr", fpr))
    columns = score_columns(data, (first, second))
    found = components(data, columns=columns, part=part, weight_type=weight_type)
    n_pos, n_neg = (int(n) for _, n in found.sizes)
    if min(n_pos, n_neg) < 2:
        msg = f"The pilot has {n_pos} positives and {n_neg} negatives: two of each are needed."
        raise ValueError(msg)
    ratio = n_neg / n_pos if ratio is None else check_positive("ratio", ratio)
    by_pos, by_neg = found.by_class
    v = n_pos * by_pos + n_neg / ratio * by_neg
    one, two, shared = (Planned(large=float(x)) for x in (v[0, 0], v[1, 1], v[0, 1]))
    gap = found.estimates[0].value - found.estimates[1].value - null_difference
    return _two_curves(gap, (one, two, shared), ratio, null, "pilot")


# --- one rate ---------------------------------------------------------------------------------


def plan_rate(
    rate: float,
    *,
    null_rate: float,
    of: Literal["positives", "negatives"] = "positives",
    ratio: float = 1.0,
) -> Plan:
    """Plan a study of a rate at a threshold that is fixed: tpr, or fpr.

    Parameters
    ----------
    rate : float
        Expected rate, strictly between 0 and 1.
    null_rate : float
        The rate under the null hypothesis, strictly between 0 and 1; only `Plan.for_width`
        does not use it.
    of : {"positives", "negatives"}, default "positives"
        Whose rate it is: that of positives is tpr, that of negatives fpr, or tnr.
    ratio : float, default 1
        Negatives for each positive.

    Returns
    -------
    Plan
        For the rate minus the null rate, by the Normal approximation.

    Raises
    ------
    ValueError
        If a number is out of range.

    Notes
    -----
    Variances ``p (1 - p)`` for each case of the class. Tests of shares are discrete: for the
    power of an exact test simulate, or sum binomial probabilities.

    Examples
    --------
    >>> plan = plan_rate(0.9, null_rate=0.8)
    >>> round(plan.for_power(0.8).n_pos, 1), round(plan.for_width(0.05).n_pos, 1)
    (107.4, 138.3)
    """
    check_inside("rate", rate)
    check_inside("null_rate", null_rate)
    check_positive("ratio", ratio)
    check_choice("of", of, ("positives", "negatives"))
    scale = 1.0 if of == "positives" else 1 / ratio
    null, spread = (Planned(large=scale * p * (1 - p)) for p in (null_rate, rate))
    return _plan(rate - null_rate, null, spread, ratio, f"binomial, {of}")
