"""Gains and lift: by hand, by definition, as printed, as other programs have them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
from rocspace.counts import SingleClassError
from rocspace.curves import gains_curve, gains_table
from slow.data import F3, answer, assert_close, cases, reference, samples

thirds = st.integers(1, 9).map(lambda k: k / 3)
shares = st.integers(0, 24).map(lambda k: k / 24)


def assert_near(value, exact):
    assert value == pytest.approx(float(exact), rel=1e-12, abs=1e-14)


def test_curve_by_hand():
    # Four cases; the second and third tie, one of them positive.
    curve = gains_curve(rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    assert curve.depth.tolist() == [0, 0.25, 0.75, 1]
    assert curve.tpr.tolist() == [0, 0.5, 1, 1]
    assert curve.threshold.tolist() == [np.inf, 0.8, 0.4, 0.1]
    assert np.isnan(curve.lift[0])
    assert curve.lift[1:].tolist() == [2, 4 / 3, 1]
    assert curve.tpr_at(0.5) == 0.75  # half of the tie has half of its positive
    assert curve.lift_at([0.25, 0.5]).tolist() == [2, 1.5]
    assert np.isnan(curve.lift_at(0))
    # Trapezoids: .25 * .5 / 2 + .5 * (.5 + 1) / 2 + .25.
    assert curve.area == 0.6875
    assert curve.accuracy_ratio == 0.75


def test_reference_lift_and_gains():
    expected = reference()
    curve = gains_curve(rs.tabulate(*F3))
    assert_near(curve.lift_at(0.1), expected["F3_lift_top10pct"])
    assert_near(curve.tpr_at(0.3), expected["F3_gains_top30pct"])


@given(sample=samples(weights=thirds), at=shares)
@settings(max_examples=80)
def test_curve_is_that_of_the_definition(sample, at):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        curve = gains_curve(table)
        assert_near(curve.tpr_at(at), slow.curves.found_at_depth(label, score, at, w))
        corners = slow.counts.sweep(label, score, w)
        P, N, _ = corners[-1]
        polygon = [((tp + fp) / (P + N), tp / P) for tp, fp, _ in corners]
        assert_near(curve.area, slow.curves.trapezoids(polygon))
        assert curve.accuracy_ratio == rs.gini(table)
        assert_near((curve.area - 0.5) / ((1 - table.prevalence) / 2), rs.gini(table))
        assert (curve.depth[0], curve.depth[-1], curve.tpr[-1]) == (0, 1, 1)
        assert_near(curve.lift_at(1), 1)
        if at:
            most = min(1 / table.prevalence, 1 / at)
            assert curve.lift_at(at) <= most * (1 + 1e-12)


@given(sample=samples())
@settings(max_examples=40)
def test_thresholds_lead_to_points(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    curve = gains_curve(table)
    found = rs.evaluate(table, table.score)
    points = curve.at_threshold(table.score)
    np.testing.assert_array_equal(points.depth, (found.tp + found.fp) / len(label))
    np.testing.assert_array_equal(points.tpr, rs.measures.tpr(found))
    np.testing.assert_allclose(points.lift, rs.measures.lift(found), rtol=1e-14)
    assert curve.at_threshold(np.inf).depth == 0


@given(sample=samples(weights=thirds), parts=st.integers(1, 12))
@settings(max_examples=80)
def test_parts_are_differences_of_the_curve(sample, parts):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        rows = gains_table(table, parts=parts)
        assert_near(rows.size.sum(), table.n_pos + table.n_neg)
        assert_near(rows.pos.sum(), table.n_pos)
        for i, depth in enumerate(rows.depth):
            assert_near(
                rows.tpr[i], slow.curves.found_at_depth(label, score, Fraction(i + 1, parts), w)
            )
            assert_near(rows.cumulative_lift[i], rows.tpr[i] / depth)
        assert_near(rows.lift @ rows.size, rows.size.sum())
        assert rows.cumulative_response_rate[-1] == pytest.approx(table.prevalence)
        assert (np.diff(rows.threshold) <= 0).all()
        assert rows.threshold[-1] == min(score)


def test_parts_by_hand():
    rows = gains_table(rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), parts=[0.25, 1])
    assert len(rows) == 2
    assert rows.size.tolist() == [1, 3]
    assert rows.pos.tolist() == [1, 1]
    assert rows.response_rate.tolist() == [1, 1 / 3]
    assert rows.lift.tolist() == [2, 2 / 3]
    assert rows.threshold.tolist() == [0.8, 0.1]


def test_one_class():
    curve = gains_curve(rs.tabulate([1, 1], [1, 2]))
    assert curve.area == 0.5
    assert np.isnan(curve.accuracy_ratio)
    assert curve.lift[1:].tolist() == [1, 1]
    for function in (gains_curve, gains_table):
        with pytest.raises(SingleClassError, match="0 positives and 1 negative"):
            function(rs.tabulate([0], [1]))


def test_bad_depths_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match="depth is -1"):
        gains_curve(table).lift_at(-1)
    with pytest.raises(ValueError, match="parts is 0"):
        gains_table(table, parts=0)
    for parts in ([0.5, 0.4, 1], [0.5, 0.9], [0, 1], []):
        with pytest.raises(ValueError, match="parts must be depths that increase"):
            gains_table(table, parts=parts)


# --- other programs ---------------------------------------------------------------------------


ROCR = ["sonar_rf", "breast_w_knn15", "two_class_example", "vehicle_tree5"]
ROCR += ["asah_s100b", "rocr_simple", "suicide"]


@pytest.mark.parametrize("name", ROCR)
def test_rocr_depth_and_lift(name, request):
    found = answer(f"rocr__{name}", request)
    curve = gains_curve(rs.tabulate(*cases(name, request)))
    assert_close(curve.threshold, found["cutoffs"], 15)
    assert_close(curve.depth, found["measures"]["rpp"], 15)
    assert_close(curve.lift[1:], found["measures"]["lift"][1:], 15)


def test_rocit_gains_table(request):
    found = answer("rocit__rocr_simple", request)["gains"]
    rows = gains_table(rs.tabulate(*cases("rocr_simple", request)))
    columns = {
        "Depth": rows.depth,
        "Obs": rows.size,
        "Resp": rows.pos,
        "RespRate": rows.response_rate,
        "CRespRate": rows.cumulative_response_rate,
        "CCapRate": rows.tpr,
        "Lift": rows.lift,
        "CLift": rows.cumulative_lift,
    }
    for theirs, ours in columns.items():
        assert_close(ours, found[theirs], 13)


@pytest.mark.parametrize("name", ["asah_ndka", "asah_s100b", "suicide"])
def test_rocit_divides_ties_by_row_order(name, request):
    # ROCit cuts the sorted cases, so that a tie across a cut goes as the rows happen to lie;
    # ours shares it out. The two can differ by at most the positives and negatives tied there.
    found = answer(f"rocit__{name}", request)["gains"]
    table = rs.tabulate(*cases(name, request))
    curve = gains_curve(table)
    rows = gains_table(table, parts=found["Depth"])
    assert_close(rows.size, found["Obs"], 10)
    called = curve.tp + curve.fp
    for end, theirs, ours in zip(found["CObs"], found["CResp"], np.cumsum(rows.pos), strict=True):
        i = int(np.searchsorted(called, end))
        tied = 0 if called[i] == end else min(table.pos[i - 1], table.neg[i - 1])
        assert abs(theirs - ours) <= tied + 1e-9


@pytest.mark.parametrize("name", ["asah_ndka", "asah_s100b", "suicide", "rocr_simple"])
def test_rocit_ks(name, request):
    found = answer(f"rocit__{name}", request)
    table = rs.tabulate(*cases(name, request))
    assert_close(rs.ks(table), found["ks_stat"], 13)
    lifted = gains_curve(table).at_threshold(found["ks_cutoff"])
    fpr = (lifted.depth - table.prevalence * lifted.tpr) / (1 - table.prevalence)
    assert_close(lifted.tpr - fpr, found["ks_stat"], 13)
