"""Criteria: by hand, from the cells that they read, and as the measures of the same name."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace import measures as m
from rocspace.counts import ConfusionMatrix
from rocspace.measures import CRITERIA, MEASURES, SUMMARIES
from rocspace.measures.entry import Cells, as_fraction
from rocspace.operating import Costs
from slow.data import assert_close

HALF = Fraction(1, 2)
counts = st.integers(1, 30)
matrices = st.builds(ConfusionMatrix, tp=counts, fp=counts, fn=counts, tn=counts)


def cells(c, number=Fraction, *, score=0.5, weight=(HALF, HALF), costs=(1, 1)):
    """Return what a criterion reads, each number as `number` makes it."""
    tp, fp, fn, tn = (number(x) for x in (c.tp, c.fp, c.fn, c.tn))
    weight, costs = (tuple(map(number, pair)) for pair in (weight, costs))
    return Cells(tp=tp, fp=fp, fn=fn, tn=tn, score=score, weight=weight, costs=costs)


@given(c=matrices)
@settings(max_examples=60)
def test_what_is_compared_is_the_measure(c):
    for name, fact in MEASURES.items():
        if name not in CRITERIA:
            continue
        expected = fact.function(c)
        for number in (Fraction, np.float64) if fact.rational else (np.float64,):
            compared = fact.exact(cells(c, number))
            assert isinstance(compared, Fraction) == (number is Fraction), name
            shown = float(fact.as_shown(float(compared)))
            assert shown == pytest.approx(expected, rel=1e-7, abs=1e-9), name


def test_what_is_no_criterion():
    neither = set(MEASURES) - set(CRITERIA)
    assert neither == {"informedness", "prevalence", "smoothed_ppv", "expected_cost"}


# 9 of 12 positives found, 6 of 8 negatives passed over; a miss weighs three times a false alarm.
HAND = ConfusionMatrix(tp=9, fp=2, fn=3, tn=6)


def test_weighted_criteria_by_hand():
    given_costs = cells(HAND, weight=(Fraction(3, 4), Fraction(1, 4)), costs=(1, Fraction(1, 3)))
    assert CRITERIA["youden"].exact(given_costs) == 2 * (Fraction(9, 16) + Fraction(3, 16)) - 1
    closest = 2 * (Fraction(3, 4) / 16 + Fraction(1, 4) / 16)
    assert CRITERIA["closest"].exact(given_costs) == closest
    assert CRITERIA["cost"].exact(given_costs) == Fraction(3 + Fraction(2, 3), 20)
    assert_close(float(CRITERIA["kappa"].exact(given_costs)), m.kappa(HAND, costs=Costs(fn=3)))
    # tpr 9 / 12 and tnr 2 / 8 apart: 2 (3 / 4 * 3 / 4 + 1 / 4 * 1 / 4) - 1, and
    # 2 (3 / 4 (1 / 4)^2 + 1 / 4 (3 / 4)^2).
    lopsided = cells(
        ConfusionMatrix(tp=9, fp=6, fn=3, tn=2), weight=(Fraction(3, 4), Fraction(1, 4))
    )
    assert CRITERIA["youden"].exact(lopsided) == Fraction(1, 4)
    assert CRITERIA["closest"].exact(lopsided) == Fraction(3, 8)


@given(c=matrices)
@settings(max_examples=30)
def test_equal_weights_are_no_weights(c):
    assert CRITERIA["youden"].exact(cells(c)) == Fraction(c.tp, c.tp + c.fn) - Fraction(
        c.fp, c.fp + c.tn
    )
    assert CRITERIA["cost"].exact(cells(c)) == Fraction(c.fn + c.fp, c.tp + c.fp + c.fn + c.tn)


def test_weighted_kappa_by_hand():
    # A miss costs 3, w = 3 / 4: the determinant 48 over 3 / 4 * 12 * 9 + 1 / 4 * 8 * 11.
    assert_close(m.kappa(HAND, costs=Costs(fn=3)), 48 / (81 + 22))
    assert_close(m.kappa(HAND, costs=Costs(fp=3)), 48 / (27 + 66))


def test_odds_ratio_with_halves_by_hand():
    criterion = CRITERIA["odds_ratio_corrected"].exact
    assert criterion(cells(HAND)) == 9
    assert criterion(cells(ConfusionMatrix(tp=9, fp=0, fn=3, tn=8))) == 48
    assert criterion(cells(ConfusionMatrix(tp=0, fp=2, fn=12, tn=6))) == Fraction(1, 8)
    assert criterion(cells(ConfusionMatrix(tp=1, fp=0, fn=1, tn=1))) == 2
    many = ConfusionMatrix(*np.array([[9, 0, 1], [2, 0, 0], [3, 12, 1], [6, 8, 1]], dtype=float))
    found = criterion(cells(many, np.asarray, weight=(0.5, 0.5)))
    assert found.tolist() == [9, (0.5 * 8) / (0.5 * 12), 2]


def test_distances_of_the_score_by_hand():
    # Called positive from row to row: 0, 2, 3, 6, 8; of the cases 2 have .9, 1 has .6, 3 have .5
    # and 2 have .1, together 4.1 over 8 cases; three of them are positive.
    called = np.array([0.0, 2, 3, 6, 8])
    tp = np.array([0.0, 2, 2, 3, 3])
    score = np.array([np.inf, 0.9, 0.6, 0.5, 0.1])
    sweep = cells(
        ConfusionMatrix(tp=tp, fp=called - tp, fn=3 - tp, tn=5 - called + tp),
        np.asarray,
        score=score,
    )
    mean = CRITERIA["mean_score"].exact(sweep)
    np.testing.assert_allclose(mean, np.abs(score - 4.1 / 8), rtol=1e-14)
    cutoff = CRITERIA["mean_cutoff"].exact(sweep)
    np.testing.assert_allclose(cutoff, np.abs(score - 2.1 / 4), rtol=1e-14)
    observed = CRITERIA["observed_prevalence"].exact(sweep)
    np.testing.assert_allclose(observed, np.abs(score - 3 / 8), rtol=1e-14)


def test_distances_pass_over_infinite_scores():
    called = np.array([0.0, 2, 3, 4])
    score = np.array([np.inf, np.inf, 0.6, 0.2])
    sweep = cells(
        ConfusionMatrix(tp=called, fp=0 * called, fn=4 - called, tn=0 * called),
        np.asarray,
        score=score,
    )
    for name in ("mean_score", "mean_cutoff"):
        assert CRITERIA[name].exact(sweep)[2:] == pytest.approx([0.2, 0.2])


# --- facts ------------------------------------------------------------------------------------

FORMS = sorted({**MEASURES, **CRITERIA}, key=str)
FORMS = [name for name in FORMS if {**MEASURES, **CRITERIA}[name].form]


def by_form(form, c):
    """(a t + b f + c) / (d t + e f + g) of the two rates."""
    rates = m.tpr(c), m.fpr(c), 1.0
    above, below = (sum(x * y for x, y in zip(part, rates, strict=True)) for part in form)
    return above / below


@pytest.mark.parametrize("name", FORMS)
@given(c=matrices)
@settings(max_examples=20)
def test_form_is_the_measure(name, c):
    fact = {**CRITERIA, **MEASURES}[name]
    value = fact.function(c) if name in MEASURES else fact.exact(cells(c))
    assert by_form(fact.form(c.tp + c.fn, c.fp + c.tn), c) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("f_beta", {"beta": 3.0}),
        ("smoothed_ppv", {"strength": 5.0, "prior": 0.3}),
        ("kappa", {"costs": {"fp": 2, "fn": 7}}),
        ("kappa", {"costs": Costs(fp=2, fn=7, tp=-1, tn=0.5)}),
        ("expected_cost", {"costs": {"fp": 2, "fn": 7}}),
        ("expected_cost", {"costs": {"fp": 2, "fn": 7}, "prevalence": 0.2}),
        ("expected_cost", {"prevalence": 0.2}),
    ],
)
def test_form_knows_the_options(name, options):
    fact = MEASURES[name]
    for c in (HAND, ConfusionMatrix(tp=4, fp=1, fn=7, tn=20)):
        form = fact.form(c.tp + c.fn, c.fp + c.tn, **options)
        assert_close(by_form(form, c), fact.function(c, **options))


def test_forms_that_rise_in_equal_steps():
    steps = {name for name, fact in MEASURES.items() if fact.linear}
    assert steps == {
        *("tpr", "fpr", "tnr", "fnr", "informedness", "balanced_accuracy", "accuracy"),
        *("error_rate", "predicted_positive_rate", "weighted_relative_accuracy", "expected_cost"),
    }


def test_what_costs_and_the_class_mix_change():
    with_costs = {name for name, fact in CRITERIA.items() if fact.uses_costs}
    assert with_costs == {"youden", "cost", "closest", "kappa"}
    assert {name for name, fact in CRITERIA.items() if fact.finite} == {
        *("lr_positive", "lr_negative", "diagnostic_odds_ratio"),
    }
    assert {name for name, fact in CRITERIA.items() if not fact.rank_based} == {
        *("observed_prevalence", "mean_score", "mean_cutoff"),
    }
    divided = {name for name, fact in MEASURES.items() if fact.one_division}
    for name in divided:  # a single division of integers below 2^53 is rounded once
        c = ConfusionMatrix(tp=2**50 + 1, fp=2**49 + 3, fn=2**48 + 5, tn=2**47 + 7)
        exact = MEASURES[name].function(
            ConfusionMatrix(*(Fraction(x) for x in (c.tp, c.fp, c.fn, c.tn)))
        )
        assert MEASURES[name].function(c) == float(exact), name
    assert divided == {
        *("tpr", "fpr", "tnr", "fnr", "ppv", "npv", "false_discovery_rate", "false_omission_rate"),
        *("accuracy", "error_rate", "predicted_positive_rate", "f_score", "jaccard"),
    }


def test_ranges():
    low_ends = {name for name, fact in CRITERIA.items() if fact.range[0] != 0}
    assert low_ends == {"youden", "markedness", "matthews", "kappa", "weighted_relative_accuracy"}
    worst = ConfusionMatrix(tp=0, fp=5, fn=5, tn=0)
    perfect = worst.negated()
    for name in ("closest", "predictive_closest"):
        assert MEASURES[name].range == (0, math.sqrt(2))
        assert MEASURES[name].function(worst) == pytest.approx(math.sqrt(2))
    for name in ("youden", "markedness", "matthews", "kappa"):
        assert CRITERIA[name].range == (-1, 1)
    assert m.weighted_relative_accuracy(perfect) == 0.25 == -m.weighted_relative_accuracy(worst)
    assert MEASURES["weighted_relative_accuracy"].range == (-0.25, 0.25)
    assert m.predictive_sum(perfect) == 2 == MEASURES["predictive_sum"].range[1]
    assert m.gini_gain(perfect) == 0.5 == MEASURES["gini_gain"].range[1]


TABLES = ([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [1, 2, 3, 4]), ([1, 1, 0, 0], [5, 5, 5, 5])


def test_summaries_reach_the_ends_of_their_ranges():
    # A perfect score is at the better end, a reversed one or a constant one at the worse.
    perfect, reversed_, constant = (rs.tabulate(*each) for each in TABLES)
    for name in ("auc", "gini", "youden", "ks", "closest_to_perfect", "eer", "auch", "eer_hull"):
        fact = SUMMARIES[name]
        best, *found = (float(fact.function(each)) for each in (perfect, reversed_, constant))
        ends = (min(found), best) if fact.better == "higher" else (best, max(found))
        assert ends == fact.range, name
    for name in ("average_precision", "pr_area", "break_even", "auprg", "h_measure"):
        fact = SUMMARIES[name]
        assert float(fact.function(perfect)) == fact.range[1], name
        assert fact.range[0] <= float(fact.function(constant)) < 1
    assert float(SUMMARIES["h_measure"].function(constant)) == 0
    scored = SUMMARIES["scored_auc"]
    assert float(scored.function(reversed_)) == scored.range[0] == 0
    assert {name for name, fact in SUMMARIES.items() if not fact.rank_based} == {
        *("prob_auc", "buffered_auc", "scored_auc", "rho_auc", "brier_score", "log_loss"),
    }
    assert {name for name, fact in SUMMARIES.items() if fact.uses_prevalence} == {
        *("average_precision", "pr_area", "break_even", "auprg"),
        *("brier_score", "log_loss", "h_measure"),
    }


# --- numbers as they were meant -----------------------------------------------------------------


@given(top=st.integers(-(10**6), 10**6), below=st.integers(1, 10**6))
def test_a_float_is_the_simple_fraction_that_it_rounds(top, below):
    assert as_fraction(top / below) == Fraction(top, below)
    assert as_fraction(np.float64(top / below)) == Fraction(top, below)
    assert as_fraction(Fraction(top, below * 10**9 + 1)) == Fraction(top, below * 10**9 + 1)


def test_a_float_that_rounds_no_simple_fraction_is_itself():
    for x in (math.pi, 1e-9 * math.e, 2.0**-60):
        assert as_fraction(x) == Fraction(x)
    assert as_fraction(10**20 + 1) == 10**20 + 1
