"""The summary curves of studies: by hand, printed numbers, slow twins, their symmetry."""

import copy
import pickle
import re
from functools import partial
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from rocspace.models import BivariateRoc, SummaryRoc, check_curve, fit_summary_roc
from studies import counts, large

moses = partial(fit_summary_roc, method="moses-littenberg")
cell = st.integers(1, 60)
studies = st.lists(st.tuples(cell, cell, cell, cell), min_size=3, max_size=8)


def fitted(rows, **options):
    tp, fp, fn, tn = np.transpose(rows)
    try:
        return moses(tp, fp, fn, tn, **options)
    except ValueError as error:
        assume("the slope is undetermined" not in str(error))
        raise


def test_two_studies_by_hand():
    # Odds of a hit 4 and 9, of a false alarm 1/4 and 1: D = ln 16 and ln 9, S = 0 and ln 9.
    curve = moses(tp=[40, 90], fp=[10, 50], fn=[10, 10], tn=[40, 50])
    assert curve.slope == pytest.approx((log(9) - log(16)) / log(9), rel=1e-13)
    assert curve.intercept == pytest.approx(log(16), rel=1e-13)
    # A line through both studies: so is the curve. Q* is expit(ln(16) / 2) = 4 / 5.
    assert curve.tpr_at([0, 0.2, 0.5, 1]) == pytest.approx([0, 0.8, 0.9, 1], rel=1e-13)
    assert curve.q_star.value == pytest.approx(0.8, rel=1e-13)
    assert np.isnan(curve.q_star.se)
    assert (curve.n_studies, curve.fpr_range) == (2, (0.2, 0.5))


def test_area_of_one_odds_ratio_by_its_closed_form():
    for ratio in (1 / 3, 2.0, 9.0, 400.0):
        curve = SummaryRoc(
            method="Moses-Littenberg",
            parameters={"intercept": log(ratio), "slope": 0.0},
            covariance=np.eye(2) * 0.1**2,
            covariance_method="least squares",
            n_studies=9,
            fpr_range=(0.1, 0.3),
        )
        exact = ratio / (ratio - 1) ** 2 * (ratio - 1 - log(ratio))
        assert curve.auc == pytest.approx(exact, rel=1e-10)
        # Moses, Shapiro and Littenberg: se / (8 cosh(a / 4)^2).
        expected = 0.1 / (8 * np.cosh(log(ratio) / 4) ** 2)
        assert curve.q_star.se == pytest.approx(expected, rel=1e-12)


@given(rows=studies)
@settings(max_examples=40)
def test_line_is_that_of_linear_regression(rows):
    tp, fp, fn, tn = np.transpose(rows).astype(float)
    hit, alarm = np.log(tp / fn), np.log(fp / tn)
    assume(np.ptp(hit + alarm) > 1e-3)
    curve = fitted(rows)
    line = stats.linregress(hit + alarm, hit - alarm)
    near = {"rel": 1e-6, "abs": 1e-7}
    assert curve.slope == pytest.approx(line.slope, **near)
    assert curve.intercept == pytest.approx(line.intercept, **near)
    # Errors from residuals: those of linregress lose all digits where 1 - r^2 does.
    apart = hit + alarm - np.mean(hit + alarm)
    left = hit - alarm - line.intercept - line.slope * (hit + alarm)
    slope_se = np.sqrt((left @ left) / (tp.size - 2) / (apart @ apart))
    assert curve.slope_se == pytest.approx(slope_se, **near)
    level_se = slope_se * np.sqrt(np.mean((hit + alarm) ** 2))
    assert curve.intercept_se == pytest.approx(level_se, **near)
    # Normal equations: both parameters err together, by -mean(S) times the slope's variance.
    shared = -np.mean(hit + alarm) * slope_se**2
    assert curve.covariance[0, 1] == curve.covariance[1, 0] == pytest.approx(shared, **near)
    weighed = fitted(rows, weighting="inverse-variance")
    root = 1 / np.sqrt(1 / tp + 1 / fp + 1 / fn + 1 / tn)
    design = np.column_stack([np.ones(tp.size), hit + alarm]) * root[:, None]
    exact = np.linalg.lstsq(design, (hit - alarm) * root)[0]
    assert (weighed.intercept, weighed.slope) == pytest.approx(tuple(exact), **near)


@given(rows=studies)
@settings(max_examples=40)
def test_classes_may_be_swapped(rows):
    tp, fp, fn, tn = np.transpose(rows)
    assume(np.ptp(np.log(tp / fn) + np.log(fp / tn)) > 1e-3)
    one, two = fitted(rows), moses(tp=tn, fp=fn, fn=fp, tn=tp)
    assert two.intercept == pytest.approx(one.intercept, rel=1e-9, abs=1e-9)
    assert two.slope == pytest.approx(-one.slope, rel=1e-9, abs=1e-9)
    if abs(one.slope) < 0.9:
        assert two.auc == pytest.approx(one.auc, abs=1e-9)
        at = np.arange(1, 9) / 9
        tpr = one.tpr_at(at)
        inner = (tpr > 1e-4) & (tpr < 1 - 1e-4)  # nearer, 1 - tpr has lost its digits
        np.testing.assert_allclose(two.tpr_at(1 - tpr[inner]), 1 - at[inner], rtol=1e-8)
        steps = expit(np.linspace(-40, 40, 100_001))
        assert one.auc == pytest.approx(np.trapezoid(one.tpr_at(steps), steps), abs=1e-6)
        assert (np.diff(one.tpr_at(np.arange(11) / 10)) >= 0).all()


def test_empty_cells():
    some = {"tp": [20, 9, 15], "fp": [0, 4, 3], "fn": [5, 1, 7], "tn": [50, 30, 20]}
    half = {name: [values[0] + 0.5, *values[1:]] for name, values in some.items()}
    every = {name: np.array(values) + 0.5 for name, values in some.items()}
    for correction, mended in (("study", half), ("all", every)):
        curve = moses(**some, correction=correction)
        hit = np.log(np.divide(mended["tp"], mended["fn"]))
        alarm = np.log(np.divide(mended["fp"], mended["tn"]))
        line = stats.linregress(hit + alarm, hit - alarm)
        assert curve.slope == pytest.approx(line.slope, rel=1e-12)
    whole = {name: values[1:] * 2 for name, values in some.items()}
    assert moses(**whole, correction="all") == moses(**whole)


def test_intervals_of_q_star():
    curve = moses(tp=[20, 45, 18, 30], fp=[5, 20, 1, 9], fn=[5, 5, 7, 4], tn=[45, 30, 49, 40])
    low, high = curve.q_star.interval(scale="t")
    half = stats.t.ppf(0.975, 2) * curve.q_star.se
    centre = curve.q_star.value
    assert (low, high) == pytest.approx((centre - half, min(centre + half, 1)), rel=1e-12)
    assert curve.q_star.se == pytest.approx(
        curve.intercept_se * centre * (1 - centre) / 2, rel=1e-12
    )
    assert sqrt(centre / (1 - centre)) == pytest.approx(np.exp(curve.intercept / 4), rel=1e-12)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(1, 2, 3, 4)], "There are 1 studies"),
        ([(1, 2, 3, 4), (0, 2, 0, 4)], "Study 1 has cases of one class only"),
        ([(1, 2, 3, 4), (1, 2, 3, 4)], "the same S"),
        ([(1, 2, 3, -4), (1, 2, 3, 4)], "tn is -4"),
    ],
)
def test_messages(rows, message):
    with pytest.raises(ValueError, match=message):
        moses(*np.transpose(rows))


def test_a_line_that_is_no_curve():
    # Odds of a hit 1 and 4, of a false alarm 1 and 1/2: D = 0 and ln 8, S = 0 and ln 2, so
    # the slope is 3: hits would fall where false alarms rise.
    curve = moses(tp=[50, 80], fp=[50, 20], fn=[50, 20], tn=[50, 40])
    assert curve.slope == pytest.approx(3, rel=1e-13)
    # The other class taken for the positives turns the slope round.
    turned = moses(tp=[50, 40], fp=[50, 20], fn=[50, 20], tn=[50, 80])
    assert turned.slope == pytest.approx(-3, rel=1e-13)
    # Odds of a hit 1 and 1/4, of a false alarm 1 and 8: D = 0 and -ln 32, S = 0 and ln 2.
    steep = moses(tp=[50, 10], fp=[50, 80], fn=[50, 40], tn=[50, 10])
    assert steep.slope == pytest.approx(-5, rel=1e-13)
    # A hit 1 and 1/2, a false alarm 1 and 128: D = 0 and -8 ln 2, S = 0 and 6 ln 2.
    near = moses(tp=[50, 10], fp=[50, 128], fn=[50, 20], tn=[50, 1])
    with pytest.raises(ValueError, match=r"The slope is -1\.33333\. Only between"):
        _ = near.auc
    for each, slope in ((curve, "3"), (turned, "-3"), (steep, "-5")):
        with pytest.raises(ValueError, match=rf"The slope is {slope}\. Only between -1 and 1"):
            _ = each.auc


def test_lengths_and_options():
    with pytest.raises(ValueError, match="Lengths differ: tp has 2, fp has 1"):
        fit_summary_roc([1, 2], [1], [1, 2], [1, 2])
    with pytest.raises(ValueError, match="weighting is 'size'"):
        fit_summary_roc([1, 2], [1, 2], [1, 2], [1, 2], weighting="size")
    with pytest.raises(ValueError, match="correction is 'none'"):
        fit_summary_roc([1, 2], [1, 2], [1, 2], [1, 2], correction="none")


# --- the bivariate model ----------------------------------------------------------------------

METHODS = ["binomial", "reml", "ml"]


def test_printed_numbers_of_audit_c():
    fit = fit_summary_roc(**counts(), method="reml", correction="all")
    means, sds = (
        [fit.parameters[f"{kind}_{rate}"] for rate in ("tpr", "fpr")] for kind in ("logit", "sd")
    )
    assert means == pytest.approx([2.09974235, -1.26369093], abs=5e-9)
    assert sds == pytest.approx([1.174557, 0.638129], abs=5e-7)
    assert fit.correlation == pytest.approx(0.854275, abs=5e-7)
    study = fit_summary_roc(**counts(), method="reml")
    means, sds = (
        [study.parameters[f"{kind}_{rate}"] for rate in ("tpr", "fpr")] for kind in ("logit", "sd")
    )
    # The other program's search stopped in the eighth digit.
    assert means == pytest.approx([2.18751994, -1.26748139], abs=2e-8)
    assert sds == pytest.approx([1.25877052, 0.64096589], abs=3e-8)
    assert study.correlation == pytest.approx(0.847447747679299, abs=1e-8)
    line = moses(**counts(), correction="all")
    assert (line.intercept, line.slope) == pytest.approx((3.178922, 0.502029), abs=5e-7)


@pytest.mark.parametrize("method", METHODS)
def test_curve_by_hand(method):
    # Without sampling error: means 1.5 and -1.5, sums of squares 2 and 8, so that s2 = 2 s1.
    points = [(0.5, -3.5), (2.5, 0.5), (1.5, -1.5), (1.5, -1.5)]
    fit = fit_summary_roc(**large(points, 10**7), method=method)
    near = {"abs": 2e-5}
    assert (fit.accuracy, fit.asymmetry) == pytest.approx(
        (sqrt(2) * 1.5 + sqrt(0.5) * 1.5, log(2)), **near
    )
    assert (fit.intercept, fit.slope) == pytest.approx((3, -1 / 3), **near)
    assert fit.q_star.value == pytest.approx(expit(1.5), **near)
    # logit tpr = Lambda e^(-beta / 2) + e^-beta logit fpr = 2.25 + logit fpr / 2.
    assert fit.tpr_at([0.1, 0.5, 0.8]) == pytest.approx(
        expit([2.25 - log(9) / 2, 2.25, 2.25 + log(4) / 2]), **near
    )
    assert fit.tpr_at(expit(-1.5)) == pytest.approx(expit(1.5), **near)
    assert abs(fit.correlation) == pytest.approx(1, abs=1e-4)
    assert (fit.n_studies, fit.df) == (4, 2)


@pytest.mark.parametrize("method", METHODS)
def test_error_of_q_star_by_hand(method):
    fit = fit_summary_roc(**counts(), method=method)
    m1, m2, s1, s2 = fit.parameters.values()
    total = s1 + s2
    slopes = np.array([s2, -s1, -s2 * (m1 + m2) / total, s1 * (m1 + m2) / total]) / total
    q = fit.q_star
    error = np.sqrt(slopes @ fit.covariance @ slopes * fit.inflation)
    assert q.se == pytest.approx(error * q.value * (1 - q.value), rel=1e-7)
    assert fit.inflation == pytest.approx((13 if method == "reml" else 14) / 12)
    centre, half = (s2 * m1 - s1 * m2) / total, stats.t.ppf(0.95, 12) * error
    assert q.value == pytest.approx(expit(centre), rel=1e-12)
    assert tuple(q.interval(0.9)) == pytest.approx(
        tuple(expit([centre - half, centre + half])), rel=1e-7
    )
    assert fit.intercept_se == pytest.approx(2 * error / sqrt(fit.inflation), rel=1e-7)
    found = fit.parameter_estimate("sd_tpr")
    assert found.se == pytest.approx(fit.se["sd_tpr"] * sqrt(fit.inflation))
    ends = s1 * np.exp(np.array([-1, 1]) * stats.t.ppf(0.975, 12) * found.se / s1)
    assert tuple(found.interval()) == pytest.approx(tuple(ends))
    assert fit.slope_se == pytest.approx(
        np.sqrt(np.array([2 * s2, -2 * s1]) @ fit.covariance[2:, 2:] @ np.array([2 * s2, -2 * s1]))
        / total**2,
        rel=1e-7,
    )


@pytest.mark.parametrize("method", METHODS)
def test_classes_may_be_swapped_and_studies_reordered(method):
    cells = counts()
    fit = fit_summary_roc(**cells, method=method)
    swapped = fit_summary_roc(
        tp=cells["tn"], fp=cells["fn"], fn=cells["fp"], tn=cells["tp"], method=method
    )
    reverse = fit_summary_roc(**{k: v[::-1] for k, v in cells.items()}, method=method)
    near = {"rel": 1e-5}  # the triangular root is of the other order, and so are the nodes
    assert swapped.parameters["logit_tpr"] == pytest.approx(-fit.parameters["logit_fpr"], **near)
    assert swapped.parameters["sd_fpr"] == pytest.approx(fit.parameters["sd_tpr"], **near)
    assert swapped.correlation == pytest.approx(fit.correlation, **near)
    assert (swapped.intercept, swapped.slope) == pytest.approx((fit.intercept, -fit.slope), **near)
    assert (swapped.accuracy, swapped.asymmetry) == pytest.approx(
        (fit.accuracy, -fit.asymmetry), **near
    )
    for other in (swapped, reverse):
        assert other.auc == pytest.approx(fit.auc, **near)
        assert other.auc_estimate().se == pytest.approx(fit.auc_estimate().se, **near)
        assert other.q_star.value == pytest.approx(fit.q_star.value, **near)
        assert other.q_star.se == pytest.approx(fit.q_star.se, **near)
    assert reverse.parameters == pytest.approx(dict(fit.parameters), **near)
    assert swapped.tpr_at(1 - fit.tpr_at(0.2)) == pytest.approx(0.8, **near)
    assert check_curve(fit).problems == ()


def test_likelihoods():
    fits = {method: fit_summary_roc(**counts(), method=method) for method in METHODS}
    assert fits["reml"].loglik is None
    assert fits["reml"].bic is None
    assert fits["ml"].aic == pytest.approx(10 - 2 * fits["ml"].loglik)
    assert fits["binomial"].bic == pytest.approx(5 * log(14) - 2 * fits["binomial"].loglik)
    assert fit_summary_roc(**counts()) == fits["binomial"]


def test_studies_without_variance_between_them():
    alike = [(15, 5, 4, 36)] * 5
    tp, fn, fp, tn = np.transpose(alike)
    for method in METHODS:
        fit = fit_summary_roc(tp, fp, fn, tn, method=method)
        assert list(fit.flags) == ["boundary"]
        assert fit.summary_point.tpr == pytest.approx(0.75)
        assert tuple(fit.q_star.interval()) == (0, 1)
        assert np.isnan([fit.intercept, fit.slope, fit.correlation, fit.q_star.value]).all()
        assert not fit.summary_point.between.any()
        with pytest.raises(ValueError, match="A variance between studies is estimated as 0"):
            _ = fit.auc
        assert "Area" not in str(fit)
        assert "Boundary" in str(fit)
    one = fit_summary_roc([10, 30, 15, 3, 14], [5] * 5, [30, 15, 25, 25, 35], [50] * 5)
    assert list(one.flags) == ["boundary"]
    assert one.parameters["sd_fpr"] == 0 < one.parameters["sd_tpr"]
    assert tuple(one.q_star.interval()) == (0, 1)
    with pytest.raises(ValueError, match="A variance between studies is estimated as 0"):
        one.tpr_at(0.1)


def test_a_correlation_at_its_limit_is_flagged():
    fit = fit_summary_roc([20, 45, 18], [5, 20, 1], [5, 5, 7], [45, 30, 49])
    assert fit.correlation == 1
    assert "estimated as 1 or -1" in fit.flags["boundary"]
    assert np.isfinite(fit.covariance).all()
    assert pickle.loads(pickle.dumps(fit)) == copy.copy(fit) == fit
    assert fit.summary_point == pickle.loads(pickle.dumps(fit)).summary_point


def test_a_likelihood_without_a_maximum():
    with pytest.raises(ValueError, match="The tpr of every study is 0 or 1"):
        fit_summary_roc([20, 0, 30], [5, 6, 3], [0, 20, 0], [45, 40, 30])
    with pytest.raises(ValueError, match="The fpr of every study is 0 or 1"):
        fit_summary_roc([20, 10, 30], [0, 0, 0], [5, 6, 8], [45, 40, 30])
    assert fit_summary_roc([20, 10, 30], [0, 0, 0], [5, 6, 8], [45, 40, 30], method="reml")
    huge = [2 * 10**8, 10, 30]
    with pytest.raises(ValueError, match=r"Study 0 has 200,000,005 positives.*method=.reml."):
        fit_summary_roc(huge, [6, 5, 4], [5, 6, 8], [45, 40, 30])
    assert fit_summary_roc(huge, [6, 5, 4], [5, 6, 8], [45, 40, 30], method="reml")
    # Only one study keeps it from infinity: the sum of 15 nodes is too coarse so far out.
    far = fit_summary_roc([20, 0, 20, 10], [5, 3, 8, 9], [0, 20, 0, 10], [45, 40, 50, 60])
    assert "unconverged" in far.flags
    assert 'say method="reml"' in far.flags["unconverged"]


def test_options_that_do_not_fit():
    rows = {"tp": [20, 45], "fp": [5, 20], "fn": [5, 5], "tn": [45, 30]}
    with pytest.raises(ValueError, match=re.escape('A line through two is method="moses-litt')):
        fit_summary_roc(**rows)
    with pytest.raises(ValueError, match=r"weighting=.inverse-variance. is for method=.moses"):
        fit_summary_roc(**counts(), weighting="inverse-variance")
    with pytest.raises(ValueError, match=r"correction=.all. is for methods that need log odds"):
        fit_summary_roc(**counts(), correction="all")
    with pytest.raises(ValueError, match="method is 'hsroc'"):
        fit_summary_roc(**counts(), method="hsroc")
    assert isinstance(fit_summary_roc(**counts()), BivariateRoc)
    assert not isinstance(moses(**counts()), BivariateRoc)
