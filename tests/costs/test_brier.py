"""The Brier score, its curve and its parts: by hand, by definition, as printed, as elsewhere."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

import rocspace as rs
import slow.costs
import slow.curves
import slow.data
from rocspace.costs import brier_curve, brier_parts, brier_score, cost_curve
from rocspace.counts import SingleClassError
from rocspace.operating import Costs
from slow.data import F3, F4, answer, assert_close, assert_near, cases, reference, samples

eighths = st.integers(0, 8).map(lambda k: k / 8)  # exact in binary
thirds = st.integers(1, 9).map(lambda k: k / 3)
grid = np.linspace(0, 1, 33)


# --- the score --------------------------------------------------------------------------------


def test_score_by_hand():
    # (1/2)^2 for the negative, (1/4)^2 for the positive.
    assert brier_score(rs.tabulate([0, 1], [0.5, 0.75])) == (0.25 + 0.0625) / 2
    assert brier_score(rs.tabulate([1, 1], [1, 1])) == 0
    assert brier_score(rs.tabulate([0, 0], [1, 1])) == 1


def test_reference_scores():
    expected = reference()
    assert_near(brier_score(rs.tabulate(*F3)), expected["F3_brier"])
    assert_near(brier_score(rs.tabulate(*F4)), expected["F4_brier"])
    curve = brier_curve(rs.tabulate(*F3))
    assert_near(curve.area, expected["F3_brier_curve_area"])
    assert_near(curve.best_area, expected["F3_pav_brier"])
    granular = rs.datasets.load("groc_table3")
    for column, key in (("a", "T3A"), ("b", "T3B")):
        table = rs.tabulate(granular.y_true, granular.columns[column])
        assert_near(brier_score(table), expected[key]["brier"])


@given(sample=samples(values=eighths, weights=thirds))
@settings(max_examples=60)
def test_score_is_that_of_the_definition(sample):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        assert_near(brier_score(table), slow.costs.brier(label, score, w))
        fitted = slow.costs.isotonic(label, score, w)
        best = slow.costs.brier(label, [fitted[s] for s in score], w)
        assert brier_curve(table).best_area == pytest.approx(float(best), rel=1e-11, abs=1e-14)
        assert brier_curve(table).best_area <= brier_score(table) + 1e-14
        pi = table.prevalence
        assert brier_curve(table).best_area <= pi * (1 - pi) + 1e-14


def test_rounding_never_makes_a_score_worse_than_wrong_in_every_case():
    rng = np.random.default_rng(9)
    label, score = [1] * 17 + [0], [*(1e-20 * np.arange(1, 18)), 1]
    for _ in range(40):
        table = rs.tabulate(label, score, sample_weight=rng.uniform(size=18))
        assert 1 - 1e-15 < brier_score(table) <= 1


def test_scores_must_be_probabilities():
    for function in (brier_score, brier_curve, brier_parts):
        with pytest.raises(ValueError, match=r"a score is 1\.5"):
            function(rs.tabulate([1, 0], [1.5, 0.5]))
        with pytest.raises(ValueError, match=r"a score is -0\.5"):
            function(rs.tabulate([1, 0], [0.5, -0.5]))
        with pytest.raises(ValueError, match="lower scores are positive"):
            function(rs.tabulate([1, 0], [0.5, 0.2], higher_is_positive=False))


# --- the curve --------------------------------------------------------------------------------


def loss_by_cases(label, score, c):
    """2 [c pi0 Pr0(s >= c) + (1 - c) pi1 Pr1(s < c)], case by case."""
    wrong = sum(c * (s >= c) if not y else (1 - c) * (s < c) for y, s in zip(label, score))  # noqa: B905
    return 2 * wrong / Fraction(len(label))


@given(sample=samples(values=eighths))
@settings(max_examples=60)
def test_curve_is_that_of_the_definition(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    curve = brier_curve(table)
    corners = [(float(f), float(t)) for f, t, _ in slow.curves.points(label, score)]
    pi = table.prevalence
    for c in grid:
        assert_near(curve.loss_at(c), loss_by_cases(label, score, Fraction(float(c))))
        lowest = min(2 * (c * (1 - pi) * f + (1 - c) * pi * (1 - t)) for f, t in corners)
        assert curve.best_at(c) == pytest.approx(lowest, rel=1e-12, abs=1e-14)
        assert curve.best_at(c) <= curve.loss_at(c) + 1e-14
        assert curve.at_threshold(c).loss == curve.loss_at(c)
        # The cost curve at the probability cost of these costs.
        if 0 < c < 1:
            x = Costs(fp=c, fn=1 - c).probability_cost(prevalence=pi)
            scale = 2 * (pi * (1 - c) + (1 - pi) * c)
            expected = scale * cost_curve(table).cost_at(x)
            assert curve.best_at(c) == pytest.approx(expected, rel=1e-11, abs=1e-14)


@given(sample=samples(values=eighths))
@settings(max_examples=40)
def test_areas_under_the_curves(sample):
    label, score = sample
    curve = brier_curve(rs.tabulate(label, score))
    # Linear between eighths, where it may jump: the middle of each piece is its mean.
    middles = (np.arange(8) + 0.5) / 8
    assert_near(np.mean(curve.loss_at(middles)), curve.area)
    assert curve.area == brier_score(rs.tabulate(label, score))
    # The best loss is continuous and linear between the shares of positives on hull edges.
    shares = {float(v) for v in slow.costs.isotonic(label, score).values()}
    ends = sorted(shares | {0.0, 1.0})
    whole = sum((b - a) * (curve.best_at(a) + curve.best_at(b)) / 2 for a, b in pairwise(ends))
    assert_near(whole, curve.best_area)


def test_both_areas_agree_where_the_classes_are_as_large():
    table = rs.tabulate(*F3)
    assert_near(cost_curve(table).area, brier_curve(table).best_area)


def test_thresholds_of_the_curve():
    table = rs.tabulate([0, 1, 1], [0.25, 0.5, 0.75])
    curve = brier_curve(table)
    points = curve.at_threshold([0.5, 0.5001], inclusive=True)
    assert points.share.tolist() == [0.5, 0.5001]
    assert points.loss == pytest.approx([0, 2 * 0.4999 / 3])
    assert curve.at_threshold(0.5, inclusive=False).loss == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="share is 2"):
        curve.loss_at(2)
    with pytest.raises(ValueError, match="share is -1"):
        curve.best_at(-1)
    alone = brier_curve(rs.tabulate([1, 1], [0.5, 0.25]))
    assert alone.best_area == 0
    assert alone.best_at([0, 0.5, 1]).tolist() == [0, 0, 0]


# --- the parts --------------------------------------------------------------------------------


def test_parts_by_hand():
    # Two blocks: .1 alone is never positive, .3 and .6 are in half, .9 always.
    parts = brier_parts(rs.tabulate([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9]))
    assert_near(parts.score, (0.01 + 0.49 + 0.36 + 0.01) / 4)
    assert_near(parts.uncertainty, 0.25)
    assert_near(parts.discrimination, 0.25 - 0.125)  # the calibrated score is 2 * .25 / 4
    assert_near(parts.miscalibration, parts.score - 0.125)
    assert parts.within == 0


@given(sample=samples(values=eighths, weights=thirds), bins=st.integers(1, 12))
@settings(max_examples=60)
def test_parts_add_up(sample, bins):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        for options in ({}, {"method": "bins", "bins": bins}):
            parts = brier_parts(table, **options)
            whole = parts.miscalibration - parts.discrimination + parts.uncertainty + parts.within
            assert whole == pytest.approx(parts.score, abs=1e-14)
            assert parts.miscalibration >= 0
            assert parts.discrimination >= 0
    # One bin for each score: nothing is left within.
    fine = brier_parts(rs.tabulate(label, score), method="bins", bins=8)
    if 0.0 not in score or 0.125 not in score:
        assert fine.within == pytest.approx(0, abs=1e-14)
        calibrated = {}
        for y, s in zip(label, score, strict=True):
            calibrated.setdefault(s, []).append(y)
        mean = np.mean(label)
        told = sum(len(ys) * (np.mean(ys) - mean) ** 2 for ys in calibrated.values())
        assert_near(fine.discrimination, told / len(label))


@given(sample=samples(values=eighths))
@settings(max_examples=40)
def test_calibration_is_scikit_learns(sample):
    label, score = (np.array(column, dtype=float) for column in sample)
    fitted = IsotonicRegression().fit(score, label).predict(score)
    expected = np.mean((fitted - label) ** 2)
    assert brier_curve(rs.tabulate(*sample)).best_area == pytest.approx(expected, abs=1e-9)


def test_bins_are_closed_above():
    # .7 is the end of the seventh of ten bins, and in it, though .7 * 10 is more than 7.
    table = rs.tabulate([0, 1, 1, 0], [0.65, 0.7, 0.71, 0.1])
    by_hand = brier_parts(table, method="bins", bins=10)
    # Bins {.65, .7}, {.71}, {.1} with means .675, .71, .1 and shares 1/2, 1, 0.
    assert_near(by_hand.miscalibration, (2 * 0.175**2 + 0.29**2 + 0.1**2) / 4)
    assert_near(by_hand.discrimination, (0 + 0.25 + 0.25) / 4)


def test_bad_parts_are_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(SingleClassError, match="brier_parts needs"):
        brier_parts(rs.tabulate([1], [0.5]))
    with pytest.raises(ValueError, match="method is 'pav'"):
        brier_parts(table, method="pav")
    with pytest.raises(ValueError, match="bins is 0"):
        brier_parts(table, method="bins", bins=0)


# --- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sonar_rf", "two_class_example", "vehicle_tree5", "rocr_simple"])
def test_other_programs(name, request):
    table = rs.tabulate(*cases(name, request))
    score = brier_score(table)
    assert_close(score, answer(f"mlmetrics__{name}", request)["brier"], 13)
    assert_close(score, answer(f"sklearn__{name}", request)["brier"], 13)
    assert_close(score**0.5, answer(f"rocr__{name}", request)["scalars"]["rmse"], 13)


PAV = ["breast_w_knn15", "sonar_nb", "sonar_rf", "two_class_example", "vehicle_tree5"]
PAV += ["rocr_simple", "suicide_dsi", "asah_s100b"]


@pytest.mark.parametrize("name", PAV)
def test_calibrated_score_of_the_pav_oracle(name, request):
    found = answer(f"hull_h__{name}", request)
    label, score = cases(name, request)
    fitted = dict(zip(found["pav_scores"], found["pav_calibrated"], strict=True))
    best = np.mean([(fitted[s] - y) ** 2 for y, s in zip(label, score.tolist(), strict=True)])
    # Any scores have a best calibration; as probabilities only their order is needed.
    ranks = rs.tabulate(label, np.unique(score, return_inverse=True)[1] / score.size)
    assert brier_curve(ranks).best_area == pytest.approx(best, rel=1e-9)
    expected = reference()["cost_env_area_and_pav_brier"]
    if name in expected:
        assert_near(brier_curve(ranks).best_area, expected[name][1])


@pytest.mark.parametrize("function", [brier_curve, brier_score, rs.costs.log_loss])
def test_a_table_without_cases_has_no_score(function):
    with pytest.raises(ValueError, match=f"{function.__name__} needs at least one case"):
        function(rs.ScoreTable.from_counts([], [], []))
