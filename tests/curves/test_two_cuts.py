"""ROC curves of two cuts: by hand, over all pairs of cuts, and what must hold."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.curves import two_cut_roc, two_cuts
from slow.data import samples


def best_of_all(label, score):
    """For each number of negatives, the most positives that any two cuts call with at most it."""
    label, score = np.asarray(label, bool), np.asarray(score, float)
    ends = [-np.inf, *np.unique(score), np.inf]
    found = np.zeros((~label).sum() + 1)
    for low in ends:
        for high in (each for each in ends if each > low):
            called = (score <= low) | (score >= high)
            fp = (called & ~label).sum()
            found[fp] = max(found[fp], (called & label).sum())
    found = np.maximum.accumulate(found)
    found[-1] = label.sum()  # everything
    return found


@st.composite
def untied(draw):
    n = draw(st.integers(2, 12))
    label = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda y: len({*y}) > 1))
    return label, draw(st.permutations(range(n)))


def test_by_hand():
    # Positives at both ends, one of them inside: + - - + - +.
    table = rs.tabulate([1, 0, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6])
    curve = two_cut_roc(table)
    # Without negatives the ends, 2 of 3; with the one at 5 all of them.
    assert curve.tpr_at([0, 0.2, 1 / 3, 1]).tolist() == pytest.approx([2 / 3, 2 / 3, 1, 1])
    assert curve.auc == pytest.approx(2 / 3 / 3 + 2 / 3)
    cuts = curve.cuts_at([0.0, 0.5])
    assert (cuts.low.tolist(), cuts.high.tolist()) == ([1, 1], [6, 4])
    assert len(curve) == 6
    # In between: the one at 4 alone; from 4 on two positives and the negative at 5.
    inside = two_cut_roc(table, side="inside")
    assert inside.tpr_at([0, 0.99]).tolist() == pytest.approx([1 / 3, 2 / 3])


@settings(max_examples=30)
@given(sample=untied())
def test_no_two_cuts_are_better(sample):
    label, score = map(np.asarray, sample)
    curve = two_cut_roc(rs.tabulate(label, score))
    best, n_neg = best_of_all(label, score), (~label).sum()
    allowed = np.arange(n_neg) / n_neg
    assert curve.tpr_at(allowed) == pytest.approx(best[:-1] / label.sum())
    assert curve.auc == pytest.approx(best[:-1].mean() / label.sum())
    for fpr in allowed:
        cuts = curve.cuts_at(fpr)
        called = (score <= cuts.low) | (score >= cuts.high)
        assert cuts.tpr == pytest.approx(called[label].mean())
        assert cuts.fpr == pytest.approx(called[~label].mean())
        assert cuts.fpr <= fpr + 1e-9
        assert cuts.tpr == pytest.approx(curve.tpr_at(fpr))


@settings(max_examples=30)
@given(sample=samples())
def test_contains_both_curves_of_one_cut(sample):
    label, score = map(np.asarray, sample)
    table = rs.tabulate(label, score)
    other = rs.tabulate(label, score, higher_is_positive=False)
    curve = two_cut_roc(table)
    at = np.linspace(0, 1, 41)
    for one in (table, other):
        assert (curve.tpr_at(at) >= rs.roc_curve(one).tpr_at(at) - 1e-9).all()
    assert two_cut_roc(other) == curve
    assert curve.auc >= max(rs.auc(table), rs.auc(other)) - 1e-9
    assert (np.diff(curve.fpr) >= 0).all()
    assert (np.diff(curve.tpr) >= 0).all()
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    # Between the cuts is outside of them with the classes exchanged.
    inside = two_cut_roc(table, side="inside")
    swapped = two_cut_roc(rs.tabulate(~label, score))
    assert inside.auc == pytest.approx(swapped.auc)
    assert inside.fpr == pytest.approx(1 - swapped.tpr[::-1])
    for fpr in (0.0, 0.3, 0.7):
        cuts = inside.cuts_at(fpr)
        called = (score > cuts.low) & (score < cuts.high)
        assert cuts.tpr == pytest.approx(called[label].mean())
        assert cuts.fpr == pytest.approx(called[~label].mean())
        assert cuts.fpr <= fpr + 1e-9


def test_many_negatives_and_weights():
    rng = np.random.default_rng(2)
    label = np.arange(1530) % 3 == 0
    score = rng.normal(size=1530) * np.where(label, 2, 1)
    curve = two_cut_roc(rs.tabulate(label, score))  # 1020 negatives: 1001 rates
    few = rs.tabulate(label[:150], score[:150])
    assert abs(curve.auc - two_cut_roc(few).auc) < 0.1
    assert np.unique(curve.fpr).size == 1001
    weighted = rs.tabulate(label[:150], score[:150], sample_weight=np.full(150, 2.0))
    assert two_cut_roc(weighted).auc == pytest.approx(two_cut_roc(few).auc)


def test_bad_input():
    with pytest.raises(rs.SingleClassError, match="two_cut_roc"):
        two_cut_roc(rs.tabulate([1, 1], [1, 2]))
    table = rs.tabulate([1, 0], [1, 2])
    with pytest.raises(ValueError, match="side is 'both'"):
        two_cut_roc(table, side="both")
    with pytest.raises(ValueError, match="fpr is"):
        two_cut_roc(table).cuts_at(2)


@settings(max_examples=40)
@given(sample=samples(), most=st.sampled_from([1000, 3]))
def test_whole_numbers_give_what_all_knots_do(sample, most):
    table = rs.tabulate(*sample)
    pos, neg = table.pos.astype(float), table.neg.astype(float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_cuts, "_MOST", most)
        at, *found = two_cuts.two_cut_points(pos, neg)
        assert (at == np.rint(at)).all()
        patch.setattr(two_cuts, "_sums_of_counts", two_cuts._sums)
        same, *expected = two_cuts.two_cut_points(pos, neg)
    assert at.tolist() == same.tolist()
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-12)


def test_rates_of_many_negatives_are_rates_that_occur():
    rng = np.random.default_rng(0)
    label = np.arange(4000) % 4 == 0
    table = rs.tabulate(label, rng.standard_normal(4000) * (1 + label))
    at, left, _ = two_cuts.two_cut_points(table.pos.astype(float), table.neg.astype(float))
    assert at.size == 1001
    assert np.ptp(np.diff(at)) == 0  # 3,000 in steps of 3
    every = two_cut_roc(rs.tabulate(label[:1200], table.score[:1200]))
    assert len(every.cuts.fpr) == 901
    assert left[0] == 0


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sample=samples(), steps=st.sampled_from([3, 1000]))
def test_loaded_loops_give_the_very_sums_of_numpy(monkeypatch, sample, steps):
    table = rs.tabulate(*sample)
    monkeypatch.setattr(two_cuts, "_MOST", steps)
    pos, neg = table.pos.astype(float), table.neg.astype(float)
    found = []
    for loops in (True, False):
        monkeypatch.setattr(two_cuts, "loaded", lambda loops=loops: loops)
        found.append(two_cuts.two_cut_points(pos, neg))
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
