"""Families: printed areas, quadrature, scipy's fits, information by simulation, edges."""

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import rocspace as rs
from rocspace import datasets
from rocspace.models import check_curve, family_roc, fit_binormal, fit_family, fit_roc

GIVEN: dict[str, dict[str, float]] = {
    "exponential": {"scale1": 3, "scale0": 1},
    "weibull": {"shape": 1.7, "scale1": 2, "scale0": 1},
    "gamma": {"shape1": 2.3, "scale1": 1.4, "shape0": 1.2, "scale0": 0.9},
    "lognormal": {"mean1": 0.5, "sd1": 1.2, "mean0": -0.2, "sd0": 0.7},
    "logistic": {"mean1": 2, "mean0": 1.5, "scale": 1},
    "beta-scores": {"alpha1": 3, "beta1": 2, "alpha0": 1.5, "beta0": 2.5},
    "pareto": {"shape1": 1.5, "shape0": 2.5, "minimum": 2},
    "uniform": {"top1": 3, "top0": 2},
}
THEIRS: dict[str, tuple[Any, Any]] = {
    "exponential": (stats.expon(scale=3), stats.expon()),
    "weibull": (stats.weibull_min(1.7, scale=2), stats.weibull_min(1.7)),
    "gamma": (stats.gamma(2.3, scale=1.4), stats.gamma(1.2, scale=0.9)),
    "lognormal": (stats.lognorm(1.2, scale=np.exp(0.5)), stats.lognorm(0.7, scale=np.exp(-0.2))),
    "logistic": (stats.logistic(2), stats.logistic(1.5)),
    "beta-scores": (stats.beta(3, 2), stats.beta(1.5, 2.5)),
    "pareto": (stats.pareto(1.5, scale=2), stats.pareto(2.5, scale=2)),
    "uniform": (stats.uniform(scale=3), stats.uniform(scale=2)),
}
AT = np.array([0.001, 0.1, 0.5, 0.9, 0.999])


def drawn(family: str, n: int, seed: int = 1, sign: int = 1) -> rs.ScoreTable:
    rng = np.random.default_rng(seed)
    pos, neg = (each.rvs(size=n, random_state=rng) for each in THEIRS[family])
    return rs.tabulate_classes(sign * pos, sign * neg, higher_is_positive=sign == 1)


@pytest.mark.parametrize(
    ("family", "parameters", "area"),
    [
        ("gamma", GIVEN["gamma"], 0.8539141913),
        ("weibull", GIVEN["weibull"], 0.76465103693),
        ("pareto", GIVEN["pareto"], 0.625),
        ("logistic", GIVEN["logistic"], 0.5826450380),
        ("logistic", {"mean1": 2, "mean0": 0, "scale": 1}, 0.7944868123),
        ("logistic", {"mean1": 0, "mean0": 2, "scale": 1}, 1 - 0.7944868123),
        ("logistic", {"mean1": 1e-4, "mean0": 0, "scale": 1}, 0.5 + 1e-4 / 6),
        ("exponential", GIVEN["exponential"], 0.75),
        ("uniform", GIVEN["uniform"], 1 - 2 / 6),
        ("uniform", {"top1": 2, "top0": 3}, 2 / 6),
    ],
)
def test_printed_areas(family: Any, parameters: dict[str, float], area: float) -> None:
    assert family_roc(family, **parameters).auc == pytest.approx(area, abs=6e-11)
    turned = family_roc(family, higher_is_positive=False, **parameters)
    assert turned.auc == pytest.approx(1 - area, abs=6e-11)


@pytest.mark.parametrize("family", GIVEN)
def test_curve_by_its_definition(family: Any) -> None:
    pos, neg = THEIRS[family]
    curve = family_roc(family, **GIVEN[family])
    np.testing.assert_allclose(curve.tpr_at(AT), pos.sf(neg.isf(AT)), rtol=1e-9)
    np.testing.assert_allclose(curve.threshold_at(AT), neg.isf(AT), rtol=1e-9)
    ratio = pos.pdf(neg.isf(AT)) / neg.pdf(neg.isf(AT))
    np.testing.assert_allclose(curve.slope_at(AT), ratio, rtol=1e-8)
    area = integrate.quad(lambda f: pos.sf(neg.isf(f)), 0, 1, limit=200)[0]
    assert curve.auc == pytest.approx(area, abs=1e-6)
    assert check_curve(curve).problems == ()
    assert curve.tpr_at(0) == pytest.approx(pos.sf(neg.isf(0)), abs=1e-12)
    assert (curve.tpr_at(1), curve.fpr_at(0)) == (1, 0)
    # Calling low scores positive: each rate is one minus that of the other rule.
    low = family_roc(family, higher_is_positive=False, **GIVEN[family])
    np.testing.assert_allclose(low.tpr_at(AT), pos.cdf(neg.ppf(AT)), rtol=1e-8)
    assert check_curve(low).problems == ()


@pytest.mark.parametrize("family", [name for name in GIVEN if name not in {"uniform"}])
def test_fits_find_the_parameters_of_many_cases(family: Any) -> None:
    fit = fit_family(drawn(family, 20_000), family=family)
    assert fit.flags.keys() <= {"improper"}
    for name, value in fit.parameters.items():
        assert value == pytest.approx(GIVEN[family][name], abs=5 * fit.se[name])
        assert 0 < fit.se[name] < 0.1
    assert fit.auc == pytest.approx(family_roc(family, **GIVEN[family]).auc, abs=0.01)
    assert fit.loglik is not None
    assert fit.n_parameters == len(GIVEN[family])
    sandwich = fit_family(drawn(family, 20_000), family=family, covariance="sandwich")
    assert list(sandwich.se.values()) == pytest.approx(list(fit.se.values()), rel=0.1)


@pytest.mark.parametrize("family", [name for name in GIVEN if name not in {"uniform", "pareto"}])
def test_loglik_is_the_sum_of_log_densities_and_no_other_is_larger(family: Any) -> None:
    table = drawn(family, 30)
    fit = fit_family(table, family=family)
    makers = {
        "exponential": lambda p: (stats.expon(scale=p["scale1"]), stats.expon(scale=p["scale0"])),
        "weibull": lambda p: [
            stats.weibull_min(p["shape"], scale=p[s]) for s in ("scale1", "scale0")
        ],
        "gamma": lambda p: [stats.gamma(p["shape" + i], scale=p["scale" + i]) for i in "10"],
        "lognormal": lambda p: [
            stats.lognorm(p["sd" + i], scale=np.exp(p["mean" + i])) for i in "10"
        ],
        "logistic": lambda p: [stats.logistic(p["mean" + i], p["scale"]) for i in "10"],
        "beta-scores": lambda p: [stats.beta(p["alpha" + i], p["beta" + i]) for i in "10"],
    }

    def loglik(parameters: dict[str, float]) -> float:
        pos, neg = makers[family](parameters)
        return float(table.pos @ pos.logpdf(table.score) + table.neg @ neg.logpdf(table.score))

    best = loglik(dict(fit.parameters))
    assert fit.loglik == pytest.approx(best, abs=1e-7)
    for name in fit.parameters:
        for factor in (0.99, 1.01):
            moved = {**fit.parameters, name: fit.parameters[name] * factor}
            assert loglik(moved) < best


def test_closed_forms_by_hand() -> None:
    table = rs.tabulate_classes([2, 4, 9], [1, 2, 3, 6])
    fit = fit_family(table, family="exponential")
    # Means 5 and 3; variances of the means m^2 / n; area 5/8, d/dm1 m0 / (m1 + m0)^2.
    assert fit.parameters == pytest.approx({"scale1": 5, "scale0": 3})
    np.testing.assert_allclose(fit.covariance, np.diag([25 / 3, 9 / 4]), rtol=1e-5, atol=1e-8)
    exact = np.sqrt((3 / 64) ** 2 * 25 / 3 + (5 / 64) ** 2 * 9 / 4)
    assert fit.auc_estimate().se == pytest.approx(exact, rel=1e-5)
    pareto = fit_family(table, family="pareto")
    # The minimum is 1: shapes 3 / ln(2 * 4 * 9) and 4 / ln(2 * 3 * 6).
    assert pareto.parameters == pytest.approx(
        {"shape1": 3 / np.log(72), "shape0": 4 / np.log(36)}, rel=1e-6
    )
    top = fit_family(table, family="uniform")
    assert top.parameters == {"top1": 9, "top0": 6}
    assert top.loglik == pytest.approx(-3 * np.log(9) - 4 * np.log(6))
    assert np.isnan(top.auc_estimate().se)


def test_lognormal_is_binormal_of_the_logarithms() -> None:
    table = drawn("lognormal", 40)
    ours = fit_family(table, family="lognormal")
    logs = rs.ScoreTable.from_counts(np.log(table.score), table.pos, table.neg)
    other = fit_binormal(logs)
    assert ours.auc == pytest.approx(other.auc, rel=1e-8)
    assert ours.auc_estimate().se == pytest.approx(other.auc_estimate().se, rel=1e-4)
    np.testing.assert_allclose(ours.threshold_at(AT), np.exp(other.threshold_at(AT)), rtol=1e-7)
    assert ours.loglik is not None
    assert other.loglik is not None
    shift = float((table.pos + table.neg) @ np.log(table.score))
    assert ours.loglik == pytest.approx(other.loglik - shift, abs=1e-6)


@pytest.mark.parametrize("family", [name for name in GIVEN if name != "beta-scores"])
@pytest.mark.parametrize("unit", [1e-100, 3.0, 1e150])
def test_units_of_the_scores_do_not_matter(family: Any, unit: float) -> None:
    table = drawn(family, 25)
    scaled = rs.ScoreTable.from_counts(unit * table.score, table.pos, table.neg)
    one, two = fit_family(table, family=family), fit_family(scaled, family=family)
    assert two.flags == one.flags
    assert two.auc == pytest.approx(one.auc, rel=1e-6)
    if family != "uniform":
        assert two.auc_estimate().se == pytest.approx(one.auc_estimate().se, rel=1e-4)
    np.testing.assert_allclose(two.threshold_at(AT) / unit, one.threshold_at(AT), rtol=1e-5)
    assert two.loglik == pytest.approx(one.loglik - 50 * np.log(unit), rel=1e-8)


def test_low_scores_may_be_positive() -> None:
    table = drawn("logistic", 40, sign=-1)
    fit, same = (
        fit_family(table, family="logistic"),
        fit_family(drawn("logistic", 40), family="logistic"),
    )
    assert fit.auc == pytest.approx(same.auc, rel=1e-7)
    np.testing.assert_allclose(fit.tpr_at(AT), same.tpr_at(AT), rtol=1e-5)
    np.testing.assert_allclose(fit.threshold_at(AT), -same.threshold_at(AT), rtol=1e-5)


def test_weights_that_are_counts_repeat_cases() -> None:
    rng = np.random.default_rng(2)
    y, score = np.arange(40) % 2, rng.gamma(2, size=40)
    once = fit_family(rs.tabulate(y, score), covariance="sandwich")
    many = fit_family(rs.tabulate(y, score, sample_weight=np.full(40, 5.0)))
    assert many.covariance_method == "sandwich"
    np.testing.assert_allclose(many.covariance, once.covariance, rtol=1e-4)
    assert many.loglik is None


def test_errors_by_simulation() -> None:
    found = []
    for seed in range(120):
        fit = fit_family(drawn("gamma", 60, seed=seed), family="gamma")
        found.append((fit.auc, fit.auc_estimate().se))
    areas, errors = np.transpose(found)
    assert areas.mean() == pytest.approx(0.8539141913, abs=0.01)
    assert errors.mean() == pytest.approx(areas.std(), rel=0.2)


def test_hooks_are_named() -> None:
    fit = fit_family(drawn("lognormal", 500), family="lognormal")
    wide = fit_family(
        rs.tabulate_classes(np.exp([-4.0, -1, 1, 4]), np.exp([-0.4, -0.2, 0, 0.2])),
        family="lognormal",
    )
    assert "improper" not in fit.flags or check_curve(fit).below > 0
    assert "improper" in wide.flags


@pytest.mark.parametrize(
    ("family", "pos", "said"),
    [
        ("gamma", [0, 1], "takes scores above 0, but one is 0"),
        ("exponential", [-1, 1], "takes scores of 0 or more, but one is -1"),
        ("beta-scores", [0.5, 1.5], "strictly between 0 and 1, but one is 1.5"),
        ("logistic", [1, np.inf], "that are finite, but one is inf"),
        ("gamma", [0.5, 0.5], "of the positives do not vary enough for the family 'gamma'"),
        ("pareto", [0.2, 0.2], "of the positives do not vary enough"),
    ],
)
def test_scores_outside_the_support(family: Any, pos: list[float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fit_family(rs.tabulate_classes(pos, [0.3, 0.6]), family=family)


def test_given_parameters_are_checked() -> None:
    with pytest.raises(TypeError, match="has the parameters scale1, scale0; given are scale"):
        family_roc("exponential", scale=3)
    with pytest.raises(ValueError, match="scale0 is -1"):
        family_roc("exponential", scale1=3, scale0=-1)
    with pytest.raises(ValueError, match="family is 'normal'"):
        family_roc("normal", a=3)  # type: ignore[arg-type]


def test_bootstrap_covariance() -> None:
    table = drawn("exponential", 60)
    fit = fit_family(table, family="exponential", covariance="bootstrap", n_boot=80, rng=1)
    same = fit_family(table, family="exponential")
    assert fit.auc_estimate().se == pytest.approx(same.auc_estimate().se, rel=0.35)


def test_bundled_data() -> None:
    data = datasets.load("fawcett20")
    fit = fit_family(rs.tabulate(data.y_true, data.y_score), family="beta-scores")
    assert fit.auc == pytest.approx(0.68, abs=0.03)


def test_a_scale_is_above_zero() -> None:
    for scale in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match=r"scale1 is .*, but must be positive"):
            family_roc("exponential", scale1=scale, scale0=1)
    with pytest.raises(ValueError, match="scale0 is inf, but must be finite"):
        family_roc("exponential", scale1=1, scale0=float("inf"))
    assert family_roc("logistic", mean1=0, mean0=-1, scale=1).auc > 0.5


def test_a_slope_at_the_ends_is_that_of_a_chord() -> None:
    curve = family_roc("exponential", scale1=3, scale0=1)  # tpr = fpr^(1/3), of slope 1/3 at 1
    assert curve.slope_at(1) == pytest.approx(1 / 3, rel=1e-6)
    assert curve.slope_at(0) > 1e5


def test_the_interval_of_a_slope_by_hand() -> None:
    """Exponential: the slope is r u^(r - 1), greatest at r = -1 / ln u; ln r has a standard error.

    The interval of ln r contains that r, so that the upper limit is the greatest slope of all.
    """
    pos, neg = np.arange(1, 31) / 7, np.arange(1, 26) / 12
    fit = fit_family(rs.tabulate_classes(pos, neg), family="exponential")
    ratio, u = neg.mean() / pos.mean(), 0.1
    half = stats.t.ppf(0.975, 24) * (1 / 30 + 1 / 25) ** 0.5
    r = ratio * np.exp(np.linspace(-half, half, 20001))
    assert r[0] < -1 / np.log(u) < r[-1]
    low, high = fit.slope_estimate(u).interval()
    slopes = r * u ** (r - 1)
    assert (low, high) == pytest.approx((slopes.min(), slopes.max()), rel=2e-3)
    assert high == pytest.approx(1 / (-np.log(u) * np.e * u), rel=1e-7)
    low, high = fit.category_ratio_estimate(0.1, 0.3).interval(0.9)
    half = stats.t.ppf(0.95, 24) * (1 / 30 + 1 / 25) ** 0.5
    r = ratio * np.exp(np.linspace(-half, half, 20001))
    chords = (0.3**r - 0.1**r) / 0.2
    assert (low, high) == pytest.approx((chords.min(), chords.max()), rel=2e-3)


@pytest.mark.parametrize("family", ["weibull", "logistic", "pareto"])
def test_intervals_of_slopes_of_curves_of_one_parameter(family: str) -> None:
    """Where the slope falls with the area, the delta method finds nearly the same."""
    fit = fit_roc(drawn(family, 60), model=family)
    low, high = fit.slope_estimate(0.9).interval()
    assert low < fit.slope_at(0.9) < high
    ends = fit.estimate(lambda f: float(f.slope_at(0.9)), bounds=(0, np.inf)).interval()
    assert np.log([low, high]) == pytest.approx(np.log([ends.low, ends.high]), abs=0.3)
    assert np.log(high / low) == pytest.approx(np.log(ends.high / ends.low), rel=0.25)


def test_a_family_of_more_parameters_has_the_interval_of_the_delta_method() -> None:
    fit = fit_roc(drawn("gamma", 60), model="gamma")
    again = fit.estimate(lambda f: float(f.slope_at(0.2)), bounds=(0, np.inf)).interval()
    assert tuple(fit.slope_estimate(0.2).interval()) == tuple(again)
    given = family_roc("exponential", scale1=2, scale0=1)
    assert tuple(given.slope_estimate(0.2).interval()) == (0, np.inf)
