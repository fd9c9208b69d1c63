"""Isometrics: closed forms against values, contours, slopes by differences, best points."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import measures as m
from rocspace.counts import ConfusionMatrix
from rocspace.curves import roc_curve
from rocspace.curves.roc import RocPoints
from rocspace.hull import (
    best_points,
    contour,
    effective_skew,
    isometric,
    roc_hull,
    value_grid,
)
from rocspace.measures import MEASURES, smoothed_ppv
from slow.data import F3, reference, samples

INF, NAN = float("inf"), float("nan")
LINEAR = sorted(name for name, fact in MEASURES.items() if fact.form)
BENT = {"maximin", "minimax", "prevalence_matching", "symmetry"}  # turn round inside the square
BENT |= {name for name in MEASURES if name.startswith("predictive_")}
CURVED = sorted(set(MEASURES) - set(LINEAR) - BENT - {"chi_square_corrected", "prevalence"})
rates = st.integers(1, 19).map(lambda k: k / 20)
sizes = st.sampled_from([(1.0, 1.0), (1.0, 4.0), (30.0, 10.0), (0.2, 0.8), (100.0, 400.0)])


def matrix(f, t, n_pos=1.0, n_neg=1.0):
    return ConfusionMatrix(tp=t * n_pos, fp=f * n_neg, fn=(1 - t) * n_pos, tn=(1 - f) * n_neg)


def function(name):
    return MEASURES[name].function


# --- printed ----------------------------------------------------------------------------------


def test_reference_at_one_to_one():
    accuracy, ppv, f = (isometric(name, 0.1, 0.5) for name in ("accuracy", "ppv", "f_score"))
    assert (accuracy.value, accuracy.slope, accuracy.pivot) == (0.7, 1, None)
    assert ppv.value == pytest.approx(0.8333333, abs=1e-7)
    assert ppv.slope == pytest.approx(5, rel=1e-14)
    assert ppv.pivot == (0, 0)
    assert f.value == 0.625
    assert f.slope == pytest.approx(0.4545455, abs=1e-7)
    assert f.pivot == (-1, 0)


@pytest.mark.parametrize("point", [(0.1, 0.5), (0.9, 0.5), (0.5, 0.1)])
def test_reference_at_one_to_four(point):
    expected = reference()["isometrics_c4"]
    values = expected[f"at_({point[0]:g},{point[1]:g})".replace("0.", ".")]
    for name, value in zip(("chi_square", "gini_gain", "mutual_information"), values, strict=True):
        # Chi-square per positive: one positive, four negatives.
        assert isometric(name, *point, n_neg=4).value == pytest.approx(value, rel=1e-13)


@pytest.mark.parametrize("b", [0.2, 0.5])
def test_reference_of_strong_priors(b):
    expected = reference()["m_estimate_slope_c4_m_inf"][f"b={b}".replace("0.", ".")]
    strong = partial(smoothed_ppv, strength=1e12, prior=b)
    assert effective_skew(strong, 0.1, 0.5, n_neg=4) == pytest.approx(expected, rel=1e-9)


# --- closed forms -----------------------------------------------------------------------------

PIVOTS = {
    "ppv": lambda P, N: (0, 0),
    "false_discovery_rate": lambda P, N: (0, 0),
    "lift": lambda P, N: (0, 0),
    "lr_positive": lambda P, N: (0, 0),
    "npv": lambda P, N: (1, 1),
    "false_omission_rate": lambda P, N: (1, 1),
    "lr_negative": lambda P, N: (1, 1),
    "f_score": lambda P, N: (-P / N, 0),
    "f_beta": lambda P, N: (-4 * P / N, 0),
    "smoothed_ppv": lambda P, N: (-1 / N, -1 / P),
    "kappa": lambda P, N: None if P == N else (-P / (N - P), -P / (N - P)),
}
SLOPES = {
    "tpr": lambda v, c: 0,
    "fpr": lambda v, c: INF,
    "tnr": lambda v, c: INF,
    "fnr": lambda v, c: 0,
    "informedness": lambda v, c: 1,
    "balanced_accuracy": lambda v, c: 1,
    "weighted_relative_accuracy": lambda v, c: 1,
    "predicted_positive_rate": lambda v, c: -c,
    "accuracy": lambda v, c: c,
    "error_rate": lambda v, c: c,
    "expected_cost": lambda v, c: c,
    "ppv": lambda v, c: c * v / (1 - v),
    "lift": lambda v, c: c * v / (1 + c - v),
    "npv": lambda v, c: c * (1 - v) / v,
    "f_score": lambda v, c: c * v / (2 - v),
    "f_beta": lambda v, c: c * v / (5 - v),
    "smoothed_ppv": lambda v, c: c * v / (1 - v),
    "lr_positive": lambda v, c: v,
    "lr_negative": lambda v, c: v,
}


@pytest.mark.parametrize("name", LINEAR)
@given(f=rates, t=rates, size=sizes)
@settings(max_examples=25)
def test_lines_keep_the_value(name, f, t, size):
    P, N = size
    line = isometric(name, f, t, n_pos=P, n_neg=N)
    assert line.value == pytest.approx(float(function(name)(matrix(f, t, P, N))), rel=1e-14)
    share = np.linspace(0, 1, 9)[1:-1]
    across, up = (x[0] + share * (x[1] - x[0]) for x in (line.fpr, line.tpr))
    assert across.size == 7
    values = function(name)(matrix(across, up, P, N))
    np.testing.assert_allclose(values, line.value, rtol=1e-9, atol=1e-12)
    # It goes from edge to edge of the square, through the point.
    ends = np.concatenate([line.fpr, line.tpr])
    assert ((ends >= -1e-12) & (ends <= 1 + 1e-12)).all()
    for x, y in zip(line.fpr, line.tpr, strict=True):
        assert min(abs(x), abs(1 - x), abs(y), abs(1 - y)) < 1e-9
    if name in SLOPES:
        assert line.slope == pytest.approx(SLOPES[name](line.value, N / P), rel=1e-9)
    pivot = PIVOTS[name](P, N) if name in PIVOTS else None
    assert line.pivot == (None if pivot is None else pytest.approx(pivot, rel=1e-12, abs=1e-15))


@pytest.mark.parametrize("name", LINEAR + CURVED)
@given(f=rates, t=rates, size=sizes)
@settings(max_examples=15)
def test_slopes_are_those_of_small_steps(name, f, t, size):
    if f == t and name in ("chi_square", "gini_gain", "mutual_information"):
        return  # a valley: no slope there
    P, N = size
    slope = effective_skew(name, f, t, n_pos=P, n_neg=N)
    h = 1e-7
    # A step along the isometric changes nothing.
    df, dt = (h, h * slope) if abs(slope) < 1e3 else (0.0, h)
    value = function(name)
    change = value(matrix(f + df, t + dt, P, N)) - value(matrix(f - df, t - dt, P, N))
    aside = value(matrix(f - dt, t + df, P, N)) - value(matrix(f + dt, t - df, P, N))
    assert abs(change) <= 1e-5 * abs(aside) + 1e-13 * max(1, abs(value(matrix(f, t, P, N))))


def test_options_have_their_own_lines():
    by_cost = partial(m.expected_cost, costs={"fp": 2, "fn": 3}, prevalence=0.25)
    assert effective_skew(by_cost, 0.3, 0.6) == pytest.approx(2 * 0.75 / (3 * 0.25), rel=1e-14)
    assert effective_skew(by_cost, 0.3, 0.6) == pytest.approx(
        rs.Costs(fp=2, fn=3).iso_performance_slope(0.25), rel=1e-14
    )
    line = isometric(partial(m.f_beta, beta=0.5), 0.1, 0.5, n_neg=4)
    assert line.pivot == (-0.25 / 4, 0)
    # A prior of the prevalence puts the pivot on the diagonal; no strength is ppv.
    prior = partial(smoothed_ppv, strength=10, prior=0.2)
    assert isometric(prior, 0.1, 0.5, n_pos=20, n_neg=80).pivot == pytest.approx((-0.1, -0.1))
    nothing = partial(smoothed_ppv, strength=0)
    assert isometric(nothing, 0.1, 0.5).slope == isometric("ppv", 0.1, 0.5).slope
    # A function that is only named like a measure is not taken for one.

    def accuracy(c):
        return m.g_mean(c)

    assert effective_skew(accuracy, 0.1, 0.5) == pytest.approx(0.5 / 0.9, rel=1e-8)


def test_vertical_level_and_undefined():
    assert isometric("fpr", 0.3, 0.6).fpr.tolist() == [0.3, 0.3]
    assert isometric("tpr", 0.3, 0.6).tpr.tolist() == [0.6, 0.6]
    nowhere = isometric("ppv", 0, 0)
    assert math.isnan(nowhere.value)
    assert math.isnan(nowhere.slope)
    assert nowhere.fpr.size == 0
    assert isometric("ppv", 0, 0.5).slope == INF
    assert isometric("lr_positive", 0, 0.5).value == INF
    assert isometric("lr_positive", 0, 0.5).slope == INF
    assert math.isnan(isometric("npv", 1, 1).value)


# --- contours ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CURVED)
@given(f=rates, t=rates, size=sizes)
@settings(max_examples=20)
def test_contours_keep_the_value(name, f, t, size):
    P, N = size
    found = isometric(name, f, t, n_pos=P, n_neg=N)
    assert found.pivot is None
    values = MEASURES[name].function(matrix(found.fpr, found.tpr, P, N))
    tolerance = 1e-9 * max(1, abs(found.value)) * max(1, P)
    inside = (found.tpr > 0) & (found.tpr < 1)
    assert np.abs(np.asarray(values)[inside] - found.value).max(initial=0) < tolerance
    # The point itself is on it.
    at = np.flatnonzero(found.fpr == f)
    assert at.size == 1
    assert found.tpr[at[0]] == pytest.approx(t, abs=1e-6)


def test_g_mean_is_a_hyperbola():
    points = contour("g_mean", 0.6, grid=101)
    inside = points.tpr < 1
    np.testing.assert_allclose(points.tpr[inside], (0.36 / (1 - points.fpr))[inside], rtol=1e-11)
    assert effective_skew("g_mean", 0.1, 0.5) == pytest.approx(0.5 / 0.9, rel=1e-9)


@given(f=rates, t=rates, size=sizes)
@settings(max_examples=40)
def test_symmetries_of_splits(f, t, size):
    P, N = size
    for name in ("chi_square", "gini_gain", "mutual_information"):
        value = MEASURES[name].function
        here = value(matrix(f, t, P, N))
        assert value(matrix(1 - f, 1 - t, P, N)) == pytest.approx(here, rel=1e-9, abs=1e-12)
        if P == N:
            assert value(matrix(t, f, P, N)) == pytest.approx(here, rel=1e-9, abs=1e-12)
        if f != t:
            there = effective_skew(name, 1 - f, 1 - t, n_pos=P, n_neg=N)
            assert effective_skew(name, f, t, n_pos=P, n_neg=N) == pytest.approx(there, rel=1e-6)


def test_below_the_diagonal():
    points = contour("mutual_information", 0.1, above=False, n_neg=4)
    assert (points.tpr < points.fpr).all()
    np.testing.assert_allclose(
        m.mutual_information(matrix(points.fpr, points.tpr, 1, 4)), 0.1, rtol=1e-9
    )


def test_contours_below_the_diagonal_are_those_above_turned_by_half_a_circle():
    above = contour("mutual_information", 0.1, n_neg=4, grid=11)
    below = contour("mutual_information", 0.1, above=False, n_neg=4, grid=11)
    assert above.fpr[0] == 0
    np.testing.assert_allclose(below.fpr, 1 - above.fpr[::-1], atol=1e-12)
    np.testing.assert_allclose(below.tpr, 1 - above.tpr[::-1], atol=1e-9)


# --- grids and best points --------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_grids_are_values(name):
    f, t = np.linspace(0, 1, 5), np.linspace(0, 1, 4)
    grid = value_grid(name, f, t, n_pos=3, n_neg=6)
    assert grid.shape == (4, 5)
    with np.errstate(all="ignore"):
        wanted = [[float(MEASURES[name].function(matrix(x, y, 3.0, 6.0))) for x in f] for y in t]
    np.testing.assert_allclose(grid, wanted, rtol=1e-14)


@pytest.mark.parametrize("name", sorted(set(MEASURES) - {"prevalence"}))
@given(sample=samples())
@settings(max_examples=15)
def test_best_points_by_trying_all(name, sample):
    curve = roc_curve(rs.tabulate(*sample))
    sign = -1 if MEASURES[name].better == "lower" else 1
    values = []
    for tp, fp in zip(curve.tp.tolist(), curve.fp.tolist(), strict=True):
        c = ConfusionMatrix(tp=tp, fp=fp, fn=curve.n_pos - tp, tn=curve.n_neg - fp)
        values.append(sign * float(MEASURES[name].function(c)))
    finite = [v for v in values if not math.isnan(v)]
    if not finite:
        with pytest.raises(ValueError, match="not defined"):
            best_points(curve, name)
        return
    best = max(finite)
    wanted = [i for i, v in enumerate(values) if v == best or abs(v - best) < 1e-12]
    assert best_points(curve, name).tolist() == wanted
    rising = {"predicted_positive_rate", "fpr", "tnr", "tpr", "fnr"}
    if name in LINEAR and name not in rising:
        hull = roc_hull(rs.tabulate(*sample))
        on_hull = hull.fpr[best_points(hull, name, n_pos=curve.n_pos, n_neg=curve.n_neg)]
        at = MEASURES[name].function(
            matrix(on_hull[0], hull.tpr[hull.fpr == on_hull[0]].max(), curve.n_pos, curve.n_neg)
        )
        assert sign * at == pytest.approx(best, rel=1e-12, abs=1e-12)


@given(sample=samples())
@settings(max_examples=20)
def test_accuracy_orders_as_youden_where_classes_are_even(sample):
    curve = roc_curve(rs.tabulate(*sample))
    even = best_points(curve, "accuracy", n_pos=1, n_neg=1).tolist()
    assert even == best_points(curve, "informedness").tolist()


def test_best_points_of_the_reference():
    curve = roc_curve(rs.tabulate(*F3))
    (best,) = best_points(curve, "accuracy")
    assert curve.threshold[best] == 0.54
    tied = best_points(roc_curve(rs.tabulate([1, 0], [1, 1]), ties="optimistic"), "accuracy")
    assert tied.tolist() == [0, 2]  # the corner at (0, 1) is reached by no threshold
    assert best_points(RocPoints(fpr=0.1, tpr=0.5), m.ppv).tolist() == [0]


def test_smoothed_precision():
    c = ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)
    assert smoothed_ppv(c) == 6 / 8
    assert smoothed_ppv(c, strength=0) == m.ppv(c)
    assert smoothed_ppv(c, strength=4, prior=0.25) == 6 / 10
    many = ConfusionMatrix(tp=np.array([0, 1]), fp=np.array([0, 0]), fn=1, tn=1)
    assert smoothed_ppv(many).tolist() == [0.5, 2 / 3]


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: isometric("acuracy", 0.1, 0.5), "Did you mean 'accuracy'"),
        (lambda: isometric("accuracy", 1.1, 0.5), "fpr is 1.1"),
        (lambda: value_grid("accuracy", [0, 2], [0]), "fpr is 2"),
        (lambda: effective_skew("accuracy", 0.1, 0.5, n_pos=0), "n_pos is 0"),
        (lambda: contour("g_mean", 0.5, n_neg=INF), "n_neg inf"),
        (lambda: best_points(RocPoints(fpr=[0], tpr=[0]), "ppv"), "ppv is not defined"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call()
