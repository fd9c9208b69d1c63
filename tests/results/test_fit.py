"""What every fit answers: estimates by the delta method, thresholds, what it says of itself."""

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.models import fit_binormal, fit_roc, fit_summary_roc
from rocspace.results import Fit

TABLE = rs.tabulate_classes([1.0, 2.5, 2.0, 4.0, 1.2], [0.5, 1.0, -1.0, 1.5, 0.0, 2.2])


class Power(Fit):
    """The curve fpr^c, known for its closed forms."""

    @property
    def auc(self) -> float:
        return 1 / (1 + self.parameters["c"])

    def _tpr(self, at):  # type: ignore[no-untyped-def]
        return at ** self.parameters["c"]


POWER = Power(
    method="power",
    parameters={"c": 0.5},
    covariance=np.array([[0.01]]),
    covariance_method="assumed",
    loglik=-10.0,
    n_cases=40,
    df=19,
    cuts=(np.array([np.inf, 7.0, 4.0, 3.0]), np.array([0.0, 0.1, 0.4, 1.0])),
)


def test_delta_method_of_a_power() -> None:
    # d/dc 1 / (1 + c) = -(1 + c)^-2 = -4/9, se of c is 0.1; d/dc f^c = f^c ln f.
    assert POWER.auc_estimate().se == pytest.approx(0.1 * 4 / 9, rel=1e-8)
    assert POWER.auc_estimate().range == (0, 1)
    assert POWER.tpr_estimate(0.25).value == 0.5
    assert POWER.tpr_estimate(0.25).se == pytest.approx(0.1 * 0.5 * np.log(4), rel=1e-8)
    # The inverse is t^(1 / c): d/dc = -t^2 ln t / c^2.
    assert POWER.fpr_estimate(0.5).se == pytest.approx(0.1 * 0.25 * np.log(2) * 4, rel=1e-6)
    # Over fpr the part is x^1.5 / 1.5: d/dc x^(1 + c) / (1 + c).
    part = POWER.partial_auc_estimate(fpr=(0, 0.25))
    slope = 0.25**1.5 * (np.log(0.25) / 1.5 - 1 / 1.5**2)
    assert part.se == pytest.approx(0.1 * abs(slope), rel=1e-6)
    doubled = POWER.estimate(lambda fit: 2 * fit.parameters["c"], bounds=(0, 10))
    assert (doubled.value, doubled.se) == pytest.approx((1.0, 0.2))
    assert doubled.range == (0, 10)
    assert POWER.estimate(lambda fit: fit.parameters["c"]).range == (0, 1)


def test_interval_on_the_probit_scale() -> None:
    estimate = POWER.tpr_estimate(0.25)
    half = stats.t.ppf(0.95, 19) * estimate.se / stats.norm.pdf(0)
    ends = stats.norm.cdf([-half, half])
    assert tuple(estimate.interval(0.9)) == pytest.approx(tuple(ends))
    assert estimate.interval(0.9) == estimate.interval(0.9, scale="probit")
    assert estimate.interval(0.9).method == "power, assumed, probit"
    assert tuple(estimate.interval(0.9, scale="identity")) != pytest.approx(tuple(ends), abs=1e-4)


def test_standard_error_on_the_probit_scale() -> None:
    f = np.array([0.1, 0.25, 0.7])
    exact = 0.1 * np.sqrt(f) * -np.log(f) / stats.norm.pdf(stats.norm.ppf(np.sqrt(f)))
    np.testing.assert_allclose(POWER.probit_se(f), exact, rtol=1e-7)


def test_information_criteria_count_all_parameters() -> None:
    assert (POWER.aic, POWER.bic) == pytest.approx((22, np.log(40) + 20))
    four = fit_binormal(TABLE)
    assert four.loglik is not None
    assert four.aic == pytest.approx(8 - 2 * four.loglik)


def test_thresholds_of_ranks() -> None:
    # The least positive score whose fitted fpr is not above the rate.
    found = POWER.threshold_at([0, 0.05, 0.1, 0.39, 0.4, 0.9, 1])
    assert found.tolist() == [np.inf, np.inf, 7, 7, 4, 4, 3]
    assert POWER.threshold_at(0.2) == 7.0
    studies = fit_summary_roc(tp=[20, 45, 18], fp=[5, 20, 1], fn=[5, 5, 7], tn=[45, 30, 49])
    with pytest.raises(ValueError, match="knows no scores"):
        studies.threshold_at(0.1)


def test_every_fit_gives_estimates() -> None:
    studies = fit_summary_roc(tp=[20, 45, 18], fp=[5, 20, 1], fn=[5, 5, 7], tn=[45, 30, 49])
    estimate = studies.auc_estimate()
    assert 0 < estimate.se < 0.2
    assert estimate.value == studies.auc


def test_rates_are_checked() -> None:
    with pytest.raises(ValueError, match="fpr is 2"):
        POWER.tpr_estimate(2)
    with pytest.raises(ValueError, match="tpr is -1"):
        POWER.fpr_estimate(-1)
    with pytest.raises(ValueError, match="its first end must be the smaller"):
        POWER.partial_auc_estimate(fpr=(0.5, 0.1))


def log_limits(estimate, df):  # type: ignore[no-untyped-def]
    half = stats.t.ppf(0.975, df) * estimate.se / estimate.value
    return estimate.value * np.exp(np.array([-half, half]))


def test_intervals_of_positive_parameters_are_of_the_logarithm() -> None:
    normal = fit_binormal(TABLE)
    a, b = normal.parameter_estimate("a"), normal.parameter_estimate("b")
    assert tuple(b.interval()) == pytest.approx(tuple(log_limits(b, 4)))
    assert np.mean(tuple(a.interval())) == pytest.approx(a.value)
    beta = fit_roc(TABLE, model="beta")
    for symbol in ("alpha", "beta"):
        found = beta.parameter_estimate(symbol)
        assert tuple(found.interval()) == pytest.approx(tuple(log_limits(found, 4)))
    logistic = fit_roc(TABLE, model="logistic")
    scale, mean = (logistic.parameter_estimate(each) for each in ("scale", "mean0"))
    assert tuple(scale.interval()) == pytest.approx(tuple(log_limits(scale, 4)))
    assert np.mean(tuple(mean.interval())) == pytest.approx(mean.value)


def test_intervals_of_thresholds_stay_where_scores_are() -> None:
    positive = rs.tabulate_classes([1.0, 2.5, 2.0, 4.0, 1.2], [0.5, 1.0, 0.1, 1.5, 0.3, 2.2])
    gamma = fit_roc(positive, model="gamma").threshold_estimate(0.1)
    assert tuple(gamma.interval()) == pytest.approx(tuple(log_limits(gamma, 4)))
    box_cox = fit_roc(positive, model="box-cox").threshold_estimate(0.1).interval()
    assert 0 < box_cox.low < box_cox.high == np.inf  # 6 negatives may have a bounded power
    shares = rs.tabulate_classes([0.9, 0.7, 0.8, 0.95, 0.4], [0.5, 0.2, 0.1, 0.6, 0.3, 0.75])
    low, high = fit_roc(shares, model="beta-scores").threshold_estimate(0.01).interval()
    assert 0 < low < high < 1


def test_the_interval_of_a_threshold_is_of_drawn_lines_of_scores() -> None:
    rng = np.random.default_rng(4)
    table = rs.tabulate_classes(rng.normal(1, 1, 30), rng.normal(0, 1, 25))
    for model in ("binormal", "yeo-johnson"):
        fit = fit_roc(table, model=model)
        found = fit.threshold_estimate(0.1)
        old = found.interval(0.9, scale="t")
        assert np.mean(tuple(old)) == pytest.approx(found.value)
        _, thresholds = fit.drawn()
        drawn = np.sort(thresholds(np.full(4000, stats.norm.ppf(0.1))))
        assert tuple(found.interval(0.9)) == (drawn[200], drawn[-201])
        assert found.interval(0.9).high > old.high  # a large spread is more likely than it looks
    moved = rs.ScoreTable.from_counts(10 * table.score + 3, table.pos, table.neg)
    one, other = (fit_binormal(each).threshold_estimate(0.1).interval() for each in (table, moved))
    np.testing.assert_allclose(tuple(other), [10 * one.low + 3, 10 * one.high + 3])


def test_interval_of_a_category_is_of_the_logarithm() -> None:
    found = fit_binormal(TABLE).category_ratio_estimate(0.4, 0.6)
    low, high = log_limits(found, 4)
    assert tuple(found.interval()) == pytest.approx((low, min(high, 5.0)))
    assert tuple(found.interval(scale="probit")) != pytest.approx((low, high), rel=1e-3)
    assert fit_binormal(TABLE).category_ratio_estimate(0.0, 0.9).interval().high <= 1 / 0.9
