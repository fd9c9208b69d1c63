"""The search for the best rows: ties, weights, another prevalence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.counts import ScoreTable
from rocspace.measures import facts
from rocspace.operating import (
    Constraint,
    criterion_values,
    optimal_points,
    point_at_fpr,
    point_at_tpr,
)
from rocspace.operating.search import Question, best_of_each
from slow.data import F3, assert_close, samples

CRITERIA = ["youden", "closest", "accuracy"]

OF_SCORES = {"mean_cutoff", "mean_score", "observed_prevalence"}

OF_COUNTS = sorted(set(facts.CRITERIA) - OF_SCORES - {"mutual_information"})


def thresholds(points):
    return [point.threshold for point in points]


@pytest.mark.parametrize("criterion", CRITERIA)
@given(sample=samples(), share=st.integers(1, 9), factor=st.sampled_from([0.1, 1 / 3, 7.3]))
@settings(max_examples=40)
def test_ties_outlive_weights(criterion, sample, share, factor):
    # The curve is the same, so what ties in it still does, though sums of weights are rounded.
    label, score = sample
    expected = thresholds(optimal_points(rs.tabulate(label, score), criterion=criterion))
    scaled = rs.tabulate(label, score, sample_weight=np.full(len(label), factor))
    assert thresholds(optimal_points(scaled, criterion=criterion)) == expected
    if criterion != "accuracy":
        other = rs.reweight(rs.tabulate(label, score), prevalence=share / 10)
        assert thresholds(optimal_points(other, criterion=criterion)) == expected


def test_ties_of_counts_are_exact():
    # (tp, fp) = (1, 0) and (2, 1) of 2**61 each: the same J. One case more breaks the tie,
    # though J as a float stays the same.
    n = 2**61
    tied = ScoreTable.from_counts([3, 2, 1], [1, 1, n - 2], [0, 1, n - 1])
    assert thresholds(optimal_points(tied)) == [3, 2]
    broken = ScoreTable.from_counts([3, 2, 1], [1, 2, n - 3], [0, 1, n - 1])
    assert thresholds(optimal_points(broken)) == [2]


def test_rates_are_compared_as_one_division():
    # 29 / 100 is .29, but .29 * 100 is 28.999999999999996; .1 is 1 / 10 and .3 is 3 / 10.
    table = ScoreTable.from_counts(list(range(100, 0, -1)), [1] * 100, [1] * 100)
    for k in range(101):
        assert point_at_fpr(table, k / 100).fp == k
        assert point_at_tpr(table, k / 100).tp == k
    tenths = ScoreTable.from_counts(list(range(10, 0, -1)), [1] * 10, [1] * 10)
    assert [point_at_fpr(tenths, x).fp for x in (0.1, 0.3, 0.1 + 0.2, 0.7)] == [1, 3, 3, 7]
    assert point_at_fpr(tenths, np.nextafter(0.3, 0)).fp == 2
    assert point_at_tpr(tenths, np.nextafter(0.3, 1)).tp == 4


@pytest.mark.parametrize("name", sorted(set(OF_COUNTS) - {"chi_square_corrected"}))
@given(sample=samples(), factor=st.sampled_from([0.1, 1 / 3, 7.3]))
@settings(max_examples=6)
def test_weights_of_one_size_change_no_optimum(name, sample, factor):
    label, score = sample
    if name == "odds_ratio_corrected":
        factor = 1.0
    table = rs.tabulate(label, score)
    scaled = rs.tabulate(label, score, sample_weight=np.full(len(label), factor))
    costs = rs.Costs(fp=1, fn=1) if name == "cost" else None
    try:
        expected = thresholds(optimal_points(table, criterion=name, costs=costs))
    except ValueError:
        return
    assert thresholds(optimal_points(scaled, criterion=name, costs=costs)) == expected


@pytest.mark.parametrize("name", OF_COUNTS)
@given(sample=samples(), share=st.integers(1, 9))
@settings(max_examples=6)
def test_another_prevalence_is_that_of_the_reweighted_table(name, sample, share):
    # Reweighting changes the number of cases, which Yates's correction asks for.
    label, score = sample
    if name in ("chi_square_corrected", "odds_ratio_corrected"):
        return
    table = rs.tabulate(label, score)
    other = rs.reweight(table, prevalence=share / 10)
    here = criterion_values(table, criterion=name, prevalence=share / 10)
    there = criterion_values(other, criterion=name)
    if name == "chi_square":
        there = there * (table.n_pos + table.n_neg) / (other.n_pos + other.n_neg)
    assert_close(here, there, digits=11)


@pytest.mark.filterwarnings("ignore:.* is the same at any prevalence")
def test_the_prevalence_of_the_data_is_no_other_prevalence():
    table = rs.tabulate(*F3)
    sevenths = ScoreTable.from_counts([3, 2, 1], [3, 3, 3], [6, 6, 2])
    for one in (table, sevenths):
        for name in OF_COUNTS:
            costs = rs.Costs(fp=1, fn=1) if name == "cost" else None
            same = optimal_points(one, criterion=name, prevalence=one.prevalence)
            assert thresholds(same) == thresholds(optimal_points(one, criterion=name, costs=costs))


def test_infinite_ratios_are_passed_over():
    # tp/fp by row: 1/0, 2/1, 2/3. lr+ infinite, then 2/(1/3) = 3 * 2/2..., the finite best.
    table = ScoreTable.from_counts([3, 2, 1, 0], [1, 1, 0, 1], [0, 1, 2, 1])
    (best,) = optimal_points(table, criterion="lr_positive")
    assert best.threshold == 2
    values = criterion_values(table, criterion="lr_positive")
    assert np.isnan(values[:2]).all()
    assert_close(values[2], (2 / 3) / (1 / 4))
    # A perfect ranking has nothing but infinite odds ratios.
    perfect = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1])
    assert thresholds(optimal_points(perfect, criterion="odds_ratio")) == [4, 3, 2]
    # With one half in the empty cells: 2 * 2 / (1/2 * 1/2) = 16 at 3.
    (best,) = optimal_points(perfect, criterion="odds_ratio_corrected")
    assert best.threshold == 3


def test_many_exact_ties_are_decided_by_integers():
    # One positive and one negative at each score: tpr - fpr is 0 at all of them, and the
    # accuracy 1/2. Two scores more at the end, and one threshold alone is best.
    n = 20_000
    even = rs.ScoreTable.from_counts(np.arange(n, 0, -1.0), np.ones(n, int), np.ones(n, int))
    for criterion in ("youden", "accuracy"):
        assert len(rs.optimal_points(even, criterion=criterion)) == n + 1
    one = np.ones(n, int)
    one[0], other = 2, one.copy()
    other[0], other[-1] = 1, 2
    tilted = rs.ScoreTable.from_counts(np.arange(n, 0, -1.0), one, other)
    best = rs.optimal_points(tilted, criterion="youden")
    assert len(best) == n - 1  # 1 / (n + 1) above the diagonal from the first to the last but one
    assert best[0].tp == 2
    costs = rs.Costs(fp=1 / 3, fn=0.7)  # no ratio of small integers
    assert len(rs.optimal_points(tilted, criterion="cost", costs=costs)) == 1


def test_a_replicate_without_a_best_row_is_marked():
    # Nobody called in the only row within the limit, so no precision; no row within it; one.
    tp, fp = np.array([[0, 1], [0, 1], [0, 1]]), np.array([[0, 1], [1, 2], [0, 0]])
    limit = Constraint("fpr", "<=", 0.4)
    of = Question(goals=("ppv", "tpr"), limits=(limit,))
    assert best_of_each((tp, fp, 2 - tp, 2 - fp), of).tolist() == [-1, -1, 1]
    # A second goal that is undefined everywhere decides nothing.
    of = Question(goals=("tnr", "ppv"), limits=(limit,))
    assert best_of_each((tp, fp, 2 - tp, 2 - fp), of).tolist() == [0, -1, 1]
