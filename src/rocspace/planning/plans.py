"""Power and sample size for areas, their differences, and rates.

A plan states the expected difference and the variance of its estimate; ask it for the number of
cases needed for a power, the power of a number of cases, the difference that they detect, or the
width of an interval.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.checks import (
    Ends,
    as_numbers,
    check_choice,
    check_inside,
    check_positive,
    check_range,
    two_names,
)
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import a_kind_of
from rocspace._base.words import counted, shown
from rocspace.counts.paired import PairedScores
from rocspace.inference.area import WeightType
from rocspace.inference.components import components, counted_weights, need_cases, score_columns
from rocspace.models.binormal import Normals
from rocspace.models.paired import PairedFit
from rocspace.planning.area_variance import (
    Binormal,
    Planned,
    area_variance,
    covariance_of,
    variance_of,
)
from rocspace.planning.designs import Plan, more_of, ndtri, power_quantile
from rocspace.planning.exact import ExactPlan
from rocspace.planning.fitted import CurvePart, Placed, PlacedPair, null_part, part_of
from rocspace.planning.studies import (
    Drawn,
    OneCurve,
    Pilot,
    Search,
    TwoCurves,
    TwoGroups,
    quantile_of,
    simulated,
)
from rocspace.results.fit import Fit
from rocspace.results.test import Alternative
from rocspace.simulate.models import binormal, paired_binormal

if TYPE_CHECKING:
    from rocspace.simulate.populations import PairedPopulation

Variance: TypeAlias = Literal["simulated", "empirical", "exact", "obuchowski", "hanley-mcneil"]
Spread: TypeAlias = Literal["simulated", "empirical", "exact", "obuchowski"]
Null: TypeAlias = Literal["alternative", "first"]
NullGap: TypeAlias = float | tuple[float, float]

_ALIKE = 0.9999  # scores that correlate by more hardly differ


# --- one curve --------------------------------------------------------------------------------


@explained
def plan_area(
    area: float,
    *,
    null_area: float = 0.5,
    sd_ratio: float = 1.0,
    fpr: Ends | None = None,
    ratio: float = 1.0,
    variance: Variance = "simulated",
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
    variance : {"simulated", "empirical", "exact", "obuchowski", "hanley-mcneil"}
        The default "simulated" draws samples of Normal scores and tests them by `rocspace.auc_test`
        if the null area is 1/2, else by the default interval. The others are formulas. "empirical":
        the variance of the empirical (Mann-Whitney) area of Normal scores; exact in samples of any
        size for whole areas, asymptotic for partial areas. "exact": that of the area of a Normal
        model fitted by maximum likelihood, in large samples. "obuchowski": the same without the
        covariance of the model's two parameters, as published and as in pROC. It is too large, by
        13 percent at an area of 0.7, by 92 at 0.967. "hanley-mcneil": that of the empirical area of
        exponential scores; whole areas only.

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
    of equal variance take .0099 and 1.414 literally, which reproduces pROC. "empirical" is
    ``(A (1 - A) + (n_neg - 1) c_pos + (n_pos - 1) c_neg) / (n_pos n_neg)``, c the covariance of
    two comparisons that share a positive, or a negative.

    The power of `Plan.for_power` is that of the test, to within its Monte Carlo error. Formulas
    assume that the estimate is Normal and its variance known: where "empirical" predicts a power of
    80 percent, that of the test is 77 to 86; see the table in `simulated_power_estimate`.

    References
    ----------
    Obuchowski and McClish (1997), Table I; Obuchowski, Lieber and Wians (2004), equation 3, for
    "obuchowski"; Hanley and McNeil (1982), equations 1 and 2.

    Examples
    --------
    >>> design = plan_area(0.8).for_power(0.9)
    >>> design.n_pos, design.n_neg, round(design.power, 2)
    (17.0, 17.0, 0.91)
    >>> round(plan_area(0.8, variance="empirical").for_power(0.9).n_pos, 2)
    16.38
    >>> round(plan_area(0.8, variance="obuchowski").for_power(0.9).n_pos, 4)
    16.6192
    """
    _refuse_fits("plan_area", area)
    check_inside("area", area)
    check_inside("null_area", null_area)
    check_positive("ratio", ratio)
    formula = _formula(variance)
    made = [_one_curve(a, sd_ratio, fpr, ratio, formula) for a in (area, null_area)]
    (value, spread), (null_value, null_spread) = made
    plan = _plan(value - null_value, null_spread, spread, ratio, formula)
    if variance != "simulated":
        return plan
    study = OneCurve(
        population=binormal(area, sd_ratio),
        null=null_value,
        fpr=fpr,
        usual=fpr is None and null_area == 0.5,
    )
    return simulated(plan, study)


def _formula(variance: Variance) -> Variance:
    """Return the formula that a simulation starts from."""
    return "empirical" if variance == "simulated" else variance


def _plan(
    gap: float,
    null: Planned,
    expected: Planned,
    ratio: float,
    method: str,
    limits: Ends | None = None,
) -> Plan:
    return Plan(
        limits=limits,
        difference=gap,
        null_variance=null.large,
        variance=expected.large,
        null_small=null.small,
        small=expected.small,
        ratio=float(ratio),
        method=method,
    )


def _one_curve(
    area: float, sd_ratio: float, fpr: Ends | None, ratio: float, variance: str
) -> tuple[float, Planned]:
    """Return an area, whole or in part, and its variance."""
    if fpr is None and sd_ratio == 1:
        return area, area_variance(area, ratio, variance)
    b = 1 / check_positive("sd_ratio", sd_ratio)
    low, high = (0.0, 1.0) if fpr is None else check_range("fpr", fpr)
    if variance == "hanley-mcneil":
        msg = "variance='hanley-mcneil' is for whole areas of equal spread only: take 'empirical'."
        raise ValueError(msg)
    curve = Binormal(a=ndtri(area) * (1 + b**2) ** 0.5, b=b, low=low, high=high)
    return curve.area, variance_of(curve, ratio, variance)


@explained
def detectable_area(
    n_pos: float,
    *,
    power: float = 0.8,
    null_area: float = 0.5,
    ratio: float = 1.0,
    significance: float = 0.05,
    alternative: Alternative = "two-sided",
    variance: Variance = "simulated",
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

    References
    ----------
    Obuchowski and McClish (1997), Table I, for the variance; the inversion is a plain definition.

    Examples
    --------
    >>> round(detectable_area(60, power=0.9), 2)
    0.67
    """
    from scipy.optimize import brentq

    check_inside("null_area", null_area)
    z_power, formula = power_quantile(power, significance), _formula(variance)
    check_positive("n_pos", n_pos)
    less = alternative == "less"
    end, none = (1e-12, 0.0) if less else (1 - 1e-12, 1.0)

    def power_of(area: float, variance: Variance, n_sim: int = 1) -> float:
        plan = plan_area(area, null_area=null_area, ratio=ratio, variance=variance)
        drawn = plan.with_samples(n_sim)
        return drawn.for_cases(n_pos, significance=significance, alternative=alternative).power

    def told(area: float) -> float:
        return ndtri(power_of(area, formula))

    def ask(quantile: float) -> float:
        if told(end) < quantile:
            return none
        return float(brentq(lambda area: told(area) - quantile, null_area, end, xtol=1e-14))

    def measure(area: float, n_sim: int) -> float:
        return quantile_of(power_of(area, variance, n_sim), n_sim)

    if variance != "simulated" or ask(z_power) == none:
        return ask(z_power)
    found = Search(ask=ask, told=told, measure=measure).near(z_power)
    return min(found, key=lambda area: abs(found[area] - z_power))


# --- two curves -------------------------------------------------------------------------------


@explained
def plan_difference(
    first: float,
    second: float,
    *,
    correlation: float = 0.0,
    ratio: float = 1.0,
    variance: Variance = "simulated",
    null: Null = "alternative",
    null_difference: NullGap = 0.0,
) -> Plan:
    """Plan a comparison of two areas, given only the areas and their correlation.

    Parameters
    ----------
    first, second : float
        Expected areas, strictly between 0 and 1.
    correlation : float, default 0
        Correlation of the two estimated areas, in (-1, 1]. 0 stands for two independent groups of
        cases, each with the returned numbers of cases.
    ratio, variance
        As for `plan_area`.
    null : {"alternative", "first"}, default "alternative"
        For a formula, the variance under the null hypothesis: equal to that under the alternative,
        or twice that of the first curve (as in pROC). "first" depends on which curve comes first.
    null_difference : float or tuple of float, default 0
        First minus second under the null hypothesis; minus a margin for non-inferiority. Two
        limits, a negative and a positive one, for equivalence: that it lies between them.

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
    If the correlation is 0, two independent samples are simulated, else Normal scores of the same
    cases whose areas have that correlation; if no such scores exist, the plan is that of
    "empirical". The variance of the difference is ``v1 + v2 - 2 r sqrt(v1 v2)``. To plan from
    correlations of scores instead see `plan_paired`.

    References
    ----------
    Hanley and McNeil (1983), Table I, for correlated areas; the simulation is our own.

    Examples
    --------
    >>> plan = plan_difference(0.85, 0.8, correlation=0.5, variance="empirical")
    >>> round(plan.for_power(0.8).n_pos, 1)
    262.0
    """
    _refuse_fits("plan_difference", first, second)
    for name, area in (("first", first), ("second", second)):
        check_inside(name, area)
    check_positive("ratio", ratio)
    if not -1 < correlation <= 1:
        msg = f"correlation is {correlation}, but must be above -1 and at most 1."
        raise ValueError(msg)
    one, two = (area_variance(area, ratio, _formula(variance)) for area in (first, second))
    shared = Planned(
        large=correlation * (one.large * two.large) ** 0.5,
        small=correlation * (one.small * two.small) ** 0.5,
    )
    parts = one, two, shared
    plan = _two_curves(first - second, null_difference, parts, ratio, null, variance)
    drawn = _correlated(first, second, parts, ratio) if variance == "simulated" else None
    return plan if drawn is None else _simulated(plan, drawn, null_difference)


def _correlated(
    first: float, second: float, parts: tuple[Planned, Planned, Planned], ratio: float
) -> Drawn | None:
    """Return Normal scores whose areas have a covariance; None where there are none."""
    from scipy.optimize import brentq

    *_, wanted = parts
    if wanted.large == 0:
        return TwoGroups(binormal(first), binormal(second))
    one, two = (Binormal(a=2**0.5 * ndtri(area), b=1.0) for area in (first, second))

    def excess(r: float) -> float:
        return covariance_of(one, two, r, r, ratio, "empirical").large - wanted.large

    if excess(_ALIKE) < 0 or excess(-_ALIKE) > 0:
        return None
    r = float(brentq(excess, -_ALIKE, _ALIKE, xtol=1e-9))
    return paired_binormal([first, second], r_pos=r, r_neg=r)


def _simulated(
    plan: Plan, population: Drawn, null: NullGap, fpr: Ends | None = None, beside: float = 0.0
) -> Plan:
    """Simulate a plan; what is expected is `beside` more than the population's difference."""
    null = _checked_gap(null)
    if isinstance(null, tuple):
        limits = null[0] - beside, null[1] - beside
        study = TwoCurves(population=population, fpr=fpr, limits=limits)
    else:
        study = TwoCurves(population=population, fpr=fpr, null=null - beside)
    return simulated(plan, study)


def _checked_gap(given: NullGap) -> NullGap:
    """Check the difference under the null hypothesis: a number, or limits around zero."""
    at = as_numbers("null_difference", given)
    if at.shape == () and np.isfinite(at):
        return float(at)
    if at.shape == (2,) and np.isfinite(at).all() and at[0] < 0 < at[1]:
        return float(at[0]), float(at[1])
    msg = f"null_difference is {shown(given)}, but must be a number, or two as (-0.05, 0.05)."
    raise ValueError(msg)


def _two_curves(
    expected: float,
    null_difference: NullGap,
    parts: tuple[Planned, Planned, Planned],
    ratio: float,
    null: str,
    method: str,
) -> Plan:
    """Make a plan from two variances and their covariance."""
    check_choice("null", null, Null)
    if null != "alternative" and method == "simulated":
        msg = f"null={null!r} is of a formula, and a simulation has none: name a variance."
        raise ValueError(msg)
    limits, gap, null_gap = None, expected, _checked_gap(null_difference)
    if isinstance(null_gap, tuple):
        limits = null_gap
    else:
        gap -= null_gap
    one, two, shared = parts
    spread, null_spread = (
        Planned(
            large=max(one.large + other.large - 2 * shared.large, 0.0),
            small=max(one.small + other.small - 2 * shared.small, 0.0),
        )
        for other in (two, one if null == "first" else two)
    )
    if method == "simulated":
        method = "empirical"
    return _plan(gap, null_spread, spread, ratio, f"{method}, null={null!r}", limits)


@explained
def plan_paired(
    population: PairedPopulation,
    *,
    fpr: Ends | None = None,
    difference: float | None = None,
    ratio: float = 1.0,
    variance: Spread = "simulated",
    null: Null = "alternative",
    null_difference: NullGap = 0.0,
) -> Plan:
    """Plan a comparison of two scores of the same cases, from their Normal model.

    Parameters
    ----------
    population : PairedPopulation
        Two scores, from `rocspace.simulate.paired_binormal`; not cut to ratings. Correlations of 0
        stand for two independent groups of cases, each with the returned numbers of cases.
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

    A formula assumes that the estimate is Normal and its variance known. The default test does not,
    so it has another power where areas are near 1 or few cases are planned. Where "empirical"
    predicts 80 to 82 percent, ``simulated_power_estimate(population, n, n, n_sim=2000, rng=1)``
    (so +- 2) has, with as many negatives: areas .95 and .85, correlation .9, 26 positives: 94; .98
    and .9, .5, 50: 88; .98 and .9, .9, 34: 96; .7 and .6, .9, 31: 79; .8 and .7, .3, 133: 81; .75
    and .65, .6, 92: 80; .95 and .9, .6, 113: 81. With four negatives for each positive: .95 and
    .85, .9, 16 positives: 94; .98 and .9, .5, 31: 85; .75 and .65, .6, 58: 80. "simulated" does not
    depend on that; it takes a few seconds.

    References
    ----------
    Obuchowski and McClish (1997), Table I.

    Examples
    --------
    >>> from rocspace.simulate import paired_binormal
    >>> population = paired_binormal([0.85, 0.8], r_pos=0.6, r_neg=0.6)
    >>> round(plan_paired(population, variance="empirical").for_power(0.8).n_pos, 1)
    239.3
    >>> plan_paired(population).with_samples(200).for_cases(240).power
    0.785
    """
    _refuse_fits("plan_paired", population)
    if len(population.names) != 2 or population.cuts is not None:
        msg = (
            "plan_paired takes two scores that are not ratings: plan others by "
            "simulated_power_estimate."
        )
        raise ValueError(msg)
    check_positive("ratio", ratio)
    low, high = (0.0, 1.0) if fpr is None else check_range("fpr", fpr)
    one, two = (
        Binormal(a=float(mean / sd), b=float(1 / sd), low=low, high=high)
        for mean, sd in zip(population.mean, population.sd, strict=True)
    )
    r_pos, r_neg = float(population.r_pos[0, 1]), float(population.r_neg[0, 1])
    formula, gap = _formula(variance), one.area - two.area
    shared = covariance_of(one, two, r_pos, r_neg, ratio, formula)
    parts = (variance_of(one, ratio, formula), variance_of(two, ratio, formula), shared)
    expected = gap if difference is None else float(difference)
    plan = _two_curves(expected, null_difference, parts, ratio, null, variance)
    if variance != "simulated":
        return plan
    return _simulated(plan, population, null_difference, fpr, expected - gap)


@explained
def plan_from_pilot(
    data: PairedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    fpr: Ends | None = None,
    ratio: float | None = None,
    variance: Literal["simulated", "delong"] = "simulated",
    null: Null = "alternative",
    null_difference: NullGap = 0.0,
    weight_type: WeightType = "importance",
) -> Plan:
    """Plan a comparison of two scores of the same cases, from a pilot study.

    Parameters
    ----------
    data : PairedScores
        The pilot study, without clusters; weights have to be frequencies.
    first, second : str, optional
        Names of two scores; not needed where there are only two.
    fpr : tuple of float, optional
        Compare the areas over this range of false positive rates.
    ratio : float, optional
        Negatives for each positive; by default as in the pilot study.
    variance : {"simulated", "delong"}, default "simulated"
        "simulated": studies are drawn from the pilot's cases, with replacement, and tested by
        `rocspace.compare.auc_difference`. "delong": by its variance.
    null, null_difference
        As for `plan_difference`.
    weight_type : {"importance", "frequency"}, default "importance"
        How weights are interpreted: "frequency" if each is the number of identical cases that a row
        represents. Importance weights do not carry over to the planned study.

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
    DeLong's variances and covariance, split into what positives and negatives add: the share of the
    negatives is divided by `ratio`. (pROC keeps the pilot's sum, whatever the ratio.) The
    difference of a pilot study is uncertain, and too large if the study was selected because of it:
    look at its interval before you plan with it.

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
    columns = score_columns(data, two_names("plan_from_pilot", data.names, first, second))
    found = components(data, columns=columns, part=part, weight_type=weight_type)
    n_pos, n_neg = (int(n) for _, n in found.sizes)
    if min(n_pos, n_neg) < 2:
        both = f"{counted(n_pos, 'positive')} and {counted(n_neg, 'negative')}"
        msg = f"The pilot has {both}: two of each are needed."
        raise ValueError(msg)
    ratio = n_neg / n_pos if ratio is None else check_positive("ratio", ratio)
    by_pos, by_neg = found.by_class
    v = n_pos * by_pos + n_neg / ratio * by_neg
    one, two, shared = (Planned(large=float(x)) for x in (v[0, 0], v[1, 1], v[0, 1]))
    gap = found.estimates[0].value - found.estimates[1].value
    plan = _two_curves(gap, null_difference, (one, two, shared), ratio, null, variance)
    plan = replace(plan, method=f"pilot, null={null!r}")
    if variance != "simulated" or plan.variance == 0:
        return plan
    cases = Pilot.of(data, columns, counted_weights(data, weight_type))
    return _simulated(plan, cases, null_difference, fpr)


# --- fitted curves ----------------------------------------------------------------------------


@explained
def plan_from_fit(
    fit: Fit,
    *,
    null_area: float = 0.5,
    fpr: Ends | None = None,
    rated: bool | None = None,
    ratio: float = 1.0,
    variance: Spread = "simulated",
) -> Plan:
    """Plan a study of one score, whose curve was fitted to a pilot study or is known otherwise.

    Parameters
    ----------
    fit : Fit
        Any fitted curve, from `rocspace.models.fit_roc`; the planned study is expected to have it.
    null_area : float, default 0.5
        The area under the null hypothesis, strictly between 0 and 1.
    fpr : tuple of float, optional
        Plan for the area over this range of false positive rates.
    rated : bool, optional
        Whether the planned study has the ratings that were fitted, so that its area is that of a
        polygon; otherwise its scores have no ties. By default for ``model="rating"`` only.
    ratio : float, default 1
        Negatives for each positive.
    variance : {"simulated", "empirical", "exact", "obuchowski"}
        As for `plan_area`; the last two are for binormal fits.

    Returns
    -------
    Plan
        For the area of the curve minus the null area.

    Raises
    ------
    TypeError
        If this is not a fit.
    ValueError
        If the fit is degenerate, a number is out of range, or an option does not suit the fit.

    Notes
    -----
    Areas depend on scores only through placements: the share of negatives above a case. It is
    uniform among negatives, and has the curve as its distribution function among positives, so
    samples are drawn from any curve. "empirical" is the variance of the Mann-Whitney area: with
    placements v and the curve R, ``Var(v) + Var(R(u)) / ratio``, and the term of small samples as
    in `plan_area`; the null hypothesis has that of Normal scores of equal variance.

    A fit is an estimate. If it is of few cases, plan for its lower limit as well:
    ``plan_area(fit.auc_estimate().interval(0.8).low)``.

    References
    ----------
    Pepe (2003), no numbered equation, for placements; the simulation is our own.

    Examples
    --------
    >>> from rocspace import simulate
    >>> from rocspace.models import fit_labroc
    >>> fit = fit_labroc(simulate.binormal(0.75).draw(40, 60, rng=2))
    >>> plan = plan_from_fit(fit, null_area=0.6, ratio=1.5)
    >>> round(plan.difference, 3)
    0.166
    >>> round(plan_from_fit(fit, null_area=0.6, variance="empirical").for_power(0.8).n_pos, 1)
    41.0
    """
    check_inside("null_area", null_area)
    check_positive("ratio", ratio)
    part = _part(fit, rated, fpr)
    null = null_part(part, null_area)
    formula = _formula(variance)
    spreads = (null.variance(ratio), part.variance(ratio))
    if formula != "empirical":
        spreads = (
            _one_curve(null_area, 1.0, fpr, ratio, formula)[1],
            variance_of(_binormal(fit, part, formula), ratio, formula),
        )
    null_value = null_area if fpr is None else null.area
    plan = _plan(part.area - null_value, *spreads, ratio, formula)
    if variance != "simulated" or plan.variance <= 0:
        return plan
    study = OneCurve(
        population=Placed(part.line, part.rated),
        null=null_value,
        fpr=fpr,
        usual=fpr is None and null_area == 0.5,
    )
    return simulated(plan, study)


@explained
def plan_from_fits(
    first: Fit,
    second: Fit,
    *,
    correlations: tuple[float, float] = (0.0, 0.0),
    fpr: Ends | None = None,
    rated: bool | None = None,
    ratio: float = 1.0,
    variance: Spread = "simulated",
    null_difference: NullGap = 0.0,
) -> Plan:
    """Plan a comparison of two scores, whose curves were fitted to a pilot study.

    Parameters
    ----------
    first, second : Fit
        Any fitted curves; the planned study is expected to have them.
    correlations : tuple of float, default (0, 0)
        Correlations of the two scores of a case among negatives, and among positives, on a scale on
        which they are Normal: ``fit_paired(data).correlations`` of `rocspace.models`. If both are
        0, the plan is for two independent groups, each with the returned numbers of cases.
    fpr, rated, ratio, variance
        As for `plan_from_fit`.
    null_difference
        As for `plan_difference`.

    Returns
    -------
    Plan
        For the first area minus the second.

    Raises
    ------
    TypeError
        If one of them is not a fit.
    ValueError
        If a fit is degenerate, a number is out of range, or an option does not suit the fits.

    Notes
    -----
    Each score has its fitted curve; in each class both are joined by the copula of a bivariate
    Normal distribution. For two binormal curves this is the model of `fit_paired`. Variances as in
    `plan_from_fit`; the covariance of two "empirical" areas is a sum over powers of the
    correlations, for large samples.

    References
    ----------
    Mehler (1866), no numbered equation, for the series; the simulation is our own.

    Examples
    --------
    >>> from rocspace import simulate
    >>> from rocspace.models import fit_labroc
    >>> first, second = (fit_labroc(simulate.binormal(a).draw(40, 60, rng=1)) for a in (0.9, 0.8))
    >>> plan = plan_from_fits(first, second, correlations=(0.5, 0.5), variance="empirical")
    >>> round(plan.difference, 3), round(plan.for_power(0.8).n_pos, 1)
    (0.073, 96.8)
    """
    check_positive("ratio", ratio)
    r_neg, r_pos = _checked_correlations(correlations)
    parts = [_part(fit, rated, fpr) for fit in (first, second)]
    one, two = parts
    formula = _formula(variance)
    if formula == "empirical":
        spreads = one.variance(ratio), two.variance(ratio)
        shared = one.covariance(two, (r_neg, r_pos), ratio)
    else:
        curves = [
            _binormal(fit, part, formula) for fit, part in zip((first, second), parts, strict=True)
        ]
        spreads = variance_of(curves[0], ratio, formula), variance_of(curves[1], ratio, formula)
        shared = covariance_of(curves[0], curves[1], r_pos, r_neg, ratio, formula)
    gap = one.area - two.area
    plan = _two_curves(gap, null_difference, (*spreads, shared), ratio, "alternative", variance)
    if variance != "simulated" or plan.variance <= 0:
        return plan
    drawn = [Placed(part.line, part.rated) for part in parts]
    pair = PlacedPair(drawn[0], drawn[1], correlations=(r_neg, r_pos))
    groups = TwoGroups(drawn[0], drawn[1])
    return _simulated(plan, pair if r_neg or r_pos else groups, null_difference, fpr)


def _part(fit: object, rated: bool | None, fpr: Ends | None) -> CurvePart:
    """Return what a study is about: a curve that was fitted, or a part of it."""
    if not isinstance(fit, Fit):
        _refuse_fits("plan_from_fit", fit)
        msg = (
            f"A plan needs a fitted curve, not {a_kind_of(fit)}: "
            'say plan_from_fit(fit_roc(table, model="labroc")), fit_roc from rocspace.models.'
        )
        raise TypeError(msg)
    if "degenerate" in fit.flags:
        msg = f"A degenerate fit tells nothing of studies to come. {fit.flags['degenerate']}"
        raise ValueError(msg)
    return part_of(fit, rated, (0.0, 1.0) if fpr is None else check_range("fpr", fpr))


def _refuse_fits(called: str, *given: object) -> None:
    """Answer a fit that was given to another function of this room with the line to write."""
    for each in given:
        if isinstance(each, PairedFit):
            msg = f"{called} does not take a PairedFit: say plan_paired(fit.population())."
            raise TypeError(msg)
        if isinstance(each, Fit):
            line = "plan_from_fit(fit)" if len(given) == 1 else "plan_from_fits(first, second)"
            msg = f"{called} does not take a fitted curve: say {line}."
            raise TypeError(msg)


def _binormal(fit: Fit, part: CurvePart, variance: str) -> Binormal:
    """Return the curve of a binormal fit."""
    if not isinstance(fit, Normals) or part.rated:
        kind = "ratings" if part.rated else fit.name
        raise ArgumentError(
            Argument("variance", variance),
            f" is for binormal fits of scores without ties, not for {kind}: take 'empirical'.",
        )
    return Binormal(a=fit.a, b=fit.b, low=part.low, high=part.high)


def _checked_correlations(given: tuple[float, float]) -> tuple[float, float]:
    found = np.asarray(given, dtype=np.float64)
    if found.shape != (2,) or not (np.abs(found) <= 1).all():
        msg = (
            f"correlations is {given}, but must be two numbers from -1 to 1: that among negatives "
            "and that among positives, as fit_paired(data).correlations has them."
        )
        raise ValueError(msg)
    return float(found[0]), float(found[1])


# --- one rate ---------------------------------------------------------------------------------


@explained
def plan_rate(
    rate: float,
    *,
    null_rate: float | None = None,
    of: Literal["positives", "negatives"] = "positives",
    ratio: float = 1.0,
    variance: Literal["exact", "normal"] = "exact",
) -> Plan:
    """Plan a study of a rate at a threshold that is fixed: tpr, or fpr.

    Parameters
    ----------
    rate : float
        Expected rate, strictly between 0 and 1.
    null_rate : float, optional
        The rate under the null hypothesis, strictly between 0 and 1. `Plan.for_width` does not use
        it; all else does.
    of : {"positives", "negatives"}, default "positives"
        The class that the rate refers to: tpr for positives, fpr or tnr for negatives.
    ratio : float, default 1
        Negatives for each positive.
    variance : {"exact", "normal"}, default "exact"
        "exact": binomial sums for the exact test, which rejects a rate outside the interval of
        Clopper and Pearson (`rocspace.inference.rate_interval`); nothing is simulated. "normal":
        variances ``p (1 - p)`` for each case of the class.

    Returns
    -------
    Plan
        For the rate minus the null rate.

    Raises
    ------
    ValueError
        If a number is out of range; from the plan, if a power is asked for without a null rate.

    Notes
    -----
    Tests of shares are discrete: power rises and falls as cases are added. `Plan.for_power` gives
    the smallest number from which on the power never falls below the requested one, and the power
    at that number. That test has the power that "exact" says, within .1 percent. Where "normal"
    plans 80 percent it has 77.8 to 89.2, and 81.5 to 91.7 where "normal" plans 90 (8 situations
    each, rates of .02 to .999; its intervals are 1 to 36 percent wider than planned in 7).

    References
    ----------
    No source: the binomial distribution, exactly.

    Examples
    --------
    >>> plan = plan_rate(0.9, null_rate=0.8)
    >>> plan.for_power(0.8).n_pos
    113.0
    >>> plan_rate(0.9).for_width(0.05).n_pos
    155.0
    >>> plan = plan_rate(0.9, null_rate=0.8, variance="normal")
    >>> round(plan.for_power(0.8).n_pos, 1), round(plan.for_width(0.05).n_pos, 1)
    (107.4, 138.3)
    """
    check_inside("rate", rate)
    at = float("nan") if null_rate is None else float(check_inside("null_rate", null_rate))
    check_positive("ratio", ratio)
    scale = 1.0 if of == "positives" else 1 / ratio
    null, spread = (Planned(large=scale * p * (1 - p)) for p in (at, rate))
    plan = _plan(rate - at, null, spread, ratio, f"binomial, {of}")
    if variance == "normal":
        return plan
    return more_of(plan, ExactPlan, rate=float(rate), null_rate=at, each=1 / scale)
