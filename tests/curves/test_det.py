"""The DET curve: by hand, by its definition, as printed, as scikit-learn has it."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import norm

import rocspace as rs
import slow.curves
import slow.data
from rocspace.counts import SingleClassError
from rocspace.curves import det_curve, det_position
from slow.data import F3, answer, assert_close, cases, reference, samples


def test_curve_by_hand():
    # Two of each class: rates 0, 1/2, 1; 0 and 1 are drawn at 1/4 and 3/4.
    curve = det_curve(rs.tabulate([0, 0, 1, 1], [1, 3, 2, 4]))
    assert curve.fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert curve.fnr.tolist() == [1, 0.5, 0.5, 0, 0]
    assert curve.margin == (0.25, 0.25)
    edge = norm.ppf(0.75)
    assert_close(curve.x, [-edge, -edge, 0, 0, edge], 14)
    assert_close(curve.y, [edge, 0, 0, -edge, -edge], 14)
    assert curve.threshold.tolist() == [np.inf, 4, 3, 2, 1]


def test_reference_point():
    table = rs.tabulate(*F3)
    point = det_curve(table).at_threshold(0.54)
    assert (point.fpr, point.fnr) == (0.1, 0.5)
    assert_close([point.x, point.y], reference()["det_.1_.5"], 14)
    assert rs.eer(table) == reference()["F3_eer"]["curve"]
    assert_close(rs.hull.eer_hull(table), reference()["F3_eer"]["hull"], 15)


@pytest.mark.parametrize(
    ("scale", "there"),
    [
        ("probit", norm.ppf),
        ("logit", lambda p: np.log(p / (1 - p))),
        ("log", np.log10),
    ],
)
@given(sample=samples())
@settings(max_examples=30)
def test_axes(scale, there, sample):
    table = rs.tabulate(*sample)
    clipped, dropped = (det_curve(table, scale=scale, limits=how) for how in ("clip", "drop"))
    for rate, place, n in ((clipped.fpr, "x", table.n_neg), (clipped.fnr, "y", table.n_pos)):
        inside = (rate > 0) & ((rate < 1) | (scale == "log"))
        edge = 1 / (2 * n)
        expected = there(np.clip(rate, edge, 1.0 if scale == "log" else 1 - edge))
        np.testing.assert_allclose(getattr(clipped, place), expected, rtol=1e-12, atol=1e-15)
        shown = getattr(dropped, place)
        np.testing.assert_array_equal(np.isnan(shown), ~inside)
        np.testing.assert_allclose(shown[inside], there(rate[inside]), rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(det_position(rate[inside], scale=scale), shown[inside])


@given(sample=samples())
@settings(max_examples=40)
def test_curve_is_that_of_the_definition(sample):
    label, score = sample
    curve = det_curve(rs.tabulate(label, score))
    for i, (f, t, threshold) in enumerate(slow.curves.points(label, score)):
        assert (curve.fpr[i], curve.fnr[i]) == (float(f), float(1 - t))
        found = curve.at_threshold(threshold)
        assert (found.fpr, found.fnr) == (curve.fpr[i], curve.fnr[i])
        assert (found.x, found.y) == (curve.x[i], curve.y[i])


@given(sample=samples())
@settings(max_examples=40)
def test_swapping_the_classes_swaps_the_axes(sample):
    label, score = (np.array(column) for column in sample)
    here = det_curve(rs.tabulate(label, score))
    there = det_curve(rs.tabulate(~label, -score))
    np.testing.assert_array_equal(here.fpr, there.fnr[::-1])
    np.testing.assert_array_equal(here.x, there.y[::-1])
    eer = rs.eer(rs.tabulate(label, score))
    assert rs.eer(rs.tabulate(~label, -score)) == pytest.approx(eer, rel=1e-14, abs=1e-15)


def test_normal_scores_give_a_straight_line():
    # Quantiles of N(1, 1) and N(0, 1.5^2): y = -(a + b x), a = 1, b = 1.5.
    q = (np.arange(4000) + 0.5) / 4000
    curve = det_curve(rs.tabulate_classes(norm.ppf(q, 1, 1), norm.ppf(q, 0, 1.5)))
    inside = (curve.fpr > 0.05) & (curve.fpr < 0.95) & (curve.fnr > 0.05) & (curve.fnr < 0.95)
    line = np.polyfit(curve.x[inside], curve.y[inside], 1)
    np.testing.assert_allclose(line, [-1.5, -1], atol=0.01)
    assert np.abs(np.polyval(line, curve.x[inside]) - curve.y[inside]).max() < 0.02


def test_weights_do_not_move_the_margin_beyond_a_case():
    table = rs.tabulate([0, 0, 1, 1], [1, 3, 2, 4], sample_weight=[1e-6] * 4)
    assert det_curve(table).margin == pytest.approx((0.25, 0.25))


def test_ends_of_the_axes():
    assert det_position([0.0, 1.0]).tolist() == [-np.inf, np.inf]
    assert det_position([0.0, 1.0], scale="log").tolist() == [-np.inf, 0]
    assert det_position(0.5, scale="logit") == 0


def test_bad_input_is_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(SingleClassError, match="det_curve needs"):
        det_curve(rs.tabulate([1], [1]))
    with pytest.raises(ValueError, match="scale is 'normal', but must be one of"):
        det_curve(table, scale="normal")
    with pytest.raises(ValueError, match="limits is 'cut'"):
        det_curve(table, limits="cut")
    with pytest.raises(ValueError, match=r"rate is 1\.5"):
        det_position(1.5)


SKLEARN = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
SKLEARN += ["asah_ndka", "asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn(name, request):
    # scikit-learn leaves out the repeated points at both ends; each that it keeps is here.
    found = answer(f"sklearn__{name}", request)["det_curve"]
    curve = det_curve(rs.tabulate(*cases(name, request)))
    points = curve.at_threshold(found["thresholds"])
    assert_close(points.fpr, found["fpr"], 15)
    assert_close(points.fnr, found["fnr"], 14)
