"""The summary curve of studies: by hand, by least squares of another program, its symmetry."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from rocspace.models import SummaryRoc, fit_summary_roc

cells = st.integers(1, 60)
studies = st.lists(st.tuples(cells, cells, cells, cells), min_size=3, max_size=8)


def fitted(rows, **options):
    tp, fp, fn, tn = np.transpose(rows)
    try:
        return fit_summary_roc(tp, fp, fn, tn, **options)
    except ValueError as error:
        assume("the slope is undetermined" not in str(error))
        raise


def test_two_studies_by_hand():
    # Odds of a hit 4 and 9, of a false alarm 1/4 and 1: D = ln 16 and ln 9, S = 0 and ln 9.
    curve = fit_summary_roc(tp=[40, 90], fp=[10, 50], fn=[10, 10], tn=[40, 50])
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
    one, two = fitted(rows), fit_summary_roc(tp=tn, fp=fn, fn=fp, tn=tp)
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
    for correction, counts in (("single", half), ("all", every)):
        curve = fit_summary_roc(**some, correction=correction)
        hit = np.log(np.divide(counts["tp"], counts["fn"]))
        alarm = np.log(np.divide(counts["fp"], counts["tn"]))
        line = stats.linregress(hit + alarm, hit - alarm)
        assert curve.slope == pytest.approx(line.slope, rel=1e-12)
    whole = {name: values[1:] * 2 for name, values in some.items()}
    assert fit_summary_roc(**whole, correction="all") == fit_summary_roc(**whole)


def test_intervals_of_q_star():
    curve = fit_summary_roc(
        tp=[20, 45, 18, 30], fp=[5, 20, 1, 9], fn=[5, 5, 7, 4], tn=[45, 30, 49, 40]
    )
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
        fit_summary_roc(*np.transpose(rows))


def test_a_line_that_is_no_curve():
    # Odds of a hit 1 and 4, of a false alarm 1 and 1/2: D = 0 and ln 8, S = 0 and ln 2, so
    # the slope is 3: hits would fall where false alarms rise.
    curve = fit_summary_roc(tp=[50, 80], fp=[50, 20], fn=[50, 20], tn=[50, 40])
    assert curve.slope == pytest.approx(3, rel=1e-13)
    # The other class taken for the positives turns the slope round.
    turned = fit_summary_roc(tp=[50, 40], fp=[50, 20], fn=[50, 20], tn=[50, 80])
    assert turned.slope == pytest.approx(-3, rel=1e-13)
    # Odds of a hit 1 and 1/4, of a false alarm 1 and 8: D = 0 and -ln 32, S = 0 and ln 2.
    steep = fit_summary_roc(tp=[50, 10], fp=[50, 80], fn=[50, 40], tn=[50, 10])
    assert steep.slope == pytest.approx(-5, rel=1e-13)
    # A hit 1 and 1/2, a false alarm 1 and 128: D = 0 and -8 ln 2, S = 0 and 6 ln 2.
    near = fit_summary_roc(tp=[50, 10], fp=[50, 128], fn=[50, 20], tn=[50, 1])
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
