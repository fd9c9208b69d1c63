"""The search for Boolean combinations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.combine
import slow.data
from rocspace.combine.boolean import _combined, _Hull, _Ranked, boolean_search
from rocspace.combine.rules import ThresholdRule, rule_counts
from rocspace.counts import SingleClassError
from rocspace.hull import roc_hull
from slow.combine import f3_and_s2
from slow.data import assert_close, samples


@given(data=st.data())
@settings(max_examples=40)
def test_search_by_trying_everything(data):
    label, one = data.draw(samples(max_size=12))
    two = data.draw(st.lists(st.integers(0, 3), min_size=len(label), max_size=len(label)))
    operators = data.draw(st.lists(st.sampled_from(list(slow.combine.OPERATORS)), unique=True))
    pair = rs.pair_scores(label, {"one": one, "two": two})
    got = boolean_search(pair, operators=operators, max_rounds=0)
    every = slow.combine.every_combination(label, one, two, operators)
    n_pos, n_neg = label.count(True), label.count(False)
    mine = [
        (round(f * n_neg), round(t * n_pos))
        for f, t in zip(got.path.fpr, got.path.tpr, strict=True)
    ]
    assert mine == slow.combine.upper_hull(every)
    for (fp, tp), rule in zip(mine, got.path.rules, strict=True):
        c = rule_counts(pair, rule)
        assert (c.fp, c.tp) == (fp, tp)
    assert got.n_tried == len(set(one)) * len(set(two)) * len(operators)


@given(data=st.data())
@settings(max_examples=20)
def test_rounds_only_add(data):
    label, one = data.draw(samples(max_size=20))
    others = st.lists(st.integers(0, 3), min_size=len(label), max_size=len(label))
    scores = {"a": one, "b": data.draw(others), "c": data.draw(others)}
    pair = rs.pair_scores(label, scores)
    got = boolean_search(pair, tolerance=0)
    assert list(got.areas) == sorted(got.areas)
    assert got.path.auc == got.areas[-1]
    assert got.areas[0] == pytest.approx(roc_hull({n: pair.table(n) for n in scores}).auc)
    for fpr, tpr, rule in zip(got.path.fpr, got.path.tpr, got.path.rules, strict=True):
        c = rule_counts(pair, rule)
        assert (c.fp / label.count(False), c.tp / label.count(True)) == (fpr, tpr)


def test_search_finds_what_no_score_has_alone():
    # Positive only if exactly one of two signals is there: no threshold of either helps.
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 2, (2, 300))
    found = boolean_search(rs.pair_scores(a != b, {"a": a, "b": b}))
    assert found.areas[0] < 0.6
    assert found.areas[-1] == 1
    assert str(found.path.rules[1]) in ("(a >= 1) xor (b >= 1)", "not ((a >= 1) xor (b >= 1))")
    # Three of them need a round, in which (c or a) meets (c or b).
    a, b, c = rng.integers(0, 2, (3, 400))
    found = boolean_search(rs.pair_scores((a & b) | c, {"a": a, "b": b, "c": c}))
    assert found.areas[1] < found.areas[-1] == 1
    new = {"a": [1, 1, 0, 0], "b": [1, 0, 1, 0], "c": [0, 0, 0, 1]}
    assert found.path.rules[1].decide(new).tolist() == [True, False, False, True]


def test_rounds_go_on_as_long_as_they_help():
    # One round finds (a and b) or (c and d), another adds e.
    a, b, c, d, e = (np.arange(32)[:, np.newaxis] >> np.arange(5)).T & 1
    signals = {"a": a, "b": b, "c": c, "d": d, "e": e}
    found = boolean_search(rs.pair_scores((a & b) | (c & d) | e, signals))
    assert found.areas[2] < found.areas[3] == 1


def test_each_two_rules_are_combined():
    data = rs.pair_scores([1, 1, 0, 1, 0], {"a": [1, 1, 0, 0, 1], "b": [1, 2, 2, 3, 1]})
    rules = [ThresholdRule("a", 1), ThresholdRule("b", 2), ThresholdRule("b", 3)]
    (fp, tp, rule), *_ = _combined(rules, _Hull(data), ["and"])
    assert [str(rule(i)) for i in range(fp.size)] == [
        "(a >= 1) and (b >= 2)",
        "(a >= 1) and (b >= 3)",
        "(b >= 2) and (b >= 3)",
    ]
    assert (fp.tolist(), tp.tolist()) == ([0, 0, 0], [1, 0, 1])


def test_thinned_thresholds_leave_out_equally_many_cases():
    n = 100
    data = rs.pair_scores(np.arange(n) % 3 == 0, {"a": np.arange(n), "b": -np.arange(n)})
    one, other = (_Ranked(data, j) for j in range(2))
    rows = one.thinned(900, other)
    assert rows.size <= 30
    assert np.diff(rows, prepend=0, append=n - 1).max() <= 5


def test_search_with_weights_directions_and_thinning():
    rng = np.random.default_rng(3)
    label = rng.random(300) < 0.4
    a, b = rng.normal(label, 1), rng.normal(label, 1)
    data = rs.pair_scores(label, {"a": a, "b": b})
    whole = boolean_search(data, max_rounds=0)
    twos = rs.pair_scores(label, {"a": a, "b": b}, sample_weight=np.full(300, 2.5))
    assert_close(boolean_search(twos, max_rounds=0).areas, whole.areas)
    turned = rs.pair_scores(label, {"a": -a, "b": -b}, higher_is_positive=False)
    assert boolean_search(turned, max_rounds=0).areas == whole.areas
    few = boolean_search(data, max_rounds=0, max_cells=2500)
    assert few.thinned
    assert not whole.thinned
    assert few.n_tried < whole.n_tried / 20
    assert whole.areas[0] == few.areas[0] < few.areas[1] <= whole.areas[1]
    assert few.areas[1] > whole.areas[1] - 0.01
    for fpr, rule in zip(few.path.fpr, few.path.rules, strict=True):
        assert rule_counts(data, rule).fp / (~label).sum() == fpr


def test_search_refuses():
    with pytest.raises(ValueError, match="takes two scores or more"):
        boolean_search(rs.pair_scores([1, 0], {"a": [1, 2]}))
    with pytest.raises(ValueError, match="operator is 'but'"):
        boolean_search(f3_and_s2(), operators=("but",))
    with pytest.raises(SingleClassError, match="boolean_search needs"):
        boolean_search(rs.pair_scores([1, 1], {"a": [1, 2], "b": [1, 2]}))
