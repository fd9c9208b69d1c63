"""Decision rules."""

import pytest

import rocspace as rs
from rocspace.combine import (
    NotRule,
    ThresholdRule,
)
from rocspace.combine.rules import BooleanRule, Constant, rule_counts
from slow.combine import entries


def test_rules_by_hand():
    a, b = ThresholdRule("a", 2), ThresholdRule("b", 5, higher_is_positive=False)
    scores = {"a": [1, 2, 3, 1], "b": [5, 6, 4, 9]}
    assert a.decide(scores).tolist() == [False, True, True, False]
    assert b.decide(scores).tolist() == [True, False, True, False]
    assert NotRule(b).decide(scores).tolist() == [False, True, False, True]
    assert BooleanRule("and", (a, b)).decide(scores).tolist() == [False, False, True, False]
    assert BooleanRule("or", (a, b)).decide(scores).tolist() == [True, True, True, False]
    assert BooleanRule("xor", (a, b)).decide(scores).tolist() == [True, True, False, False]
    assert Constant(True).decide(scores).tolist() == [True] * 4
    assert BooleanRule("or", (a, Constant(False))).names == {"a"}
    assert str(BooleanRule("or", (a, NotRule(b)))) == "(a >= 2) or (not (b <= 5))"
    assert str(ThresholdRule("votes", float("nan"))) == "votes"


def test_parts_of_the_same_operator_need_no_brackets():
    a, b, c = (ThresholdRule(name, 2) for name in "abc")
    either = BooleanRule("or", (BooleanRule("or", (BooleanRule("and", (a, b)), c)), b))
    assert str(either) == "((a >= 2) and (b >= 2)) or (c >= 2) or (b >= 2)"
    assert str(BooleanRule("and", (BooleanRule("and", (a, b)), b))) == "(a >= 2) and (b >= 2)"
    odd = BooleanRule("xor", (BooleanRule("xor", (a, b)), b))
    assert str(odd) == "(a >= 2) xor (b >= 2) xor (b >= 2)"  # which is a alone


def test_rules_take_decisions_frames_and_vectors():
    said = ThresholdRule("said", float("nan"))
    assert said.decide({"said": [True, False]}).tolist() == [True, False]
    assert said.decide([0, 1]).tolist() == [False, True]
    data = rs.pair_scores([1, 0, 1], {"a": [3, 1, 2], "b": [1, 2, 3]})
    rule = BooleanRule("and", (ThresholdRule("a", 2), ThresholdRule("b", 3)))
    assert rule.decide(data).tolist() == [False, False, True]
    assert entries(rule_counts(data, rule)) == (1, 0, 1, 1)
    weighed = rs.pair_scores([1, 0, 1], {"a": [3, 1, 2]}, sample_weight=[0.5, 1, 2])
    assert entries(rule_counts(weighed, ThresholdRule("a", 3))) == (0.5, 0, 2, 1)
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [3, 1, 2], "b": [1, 2, 3]})
    assert rule.decide(frame).tolist() == [False, False, True]
    assert len(Constant(True).decide(frame)) == 3
    assert ThresholdRule("a", 2**53 + 1).decide([2**53, 2**53 + 1]).tolist() == [False, True]


def test_rules_refuse_what_they_cannot_read():
    rule = ThresholdRule("age", 60)
    with pytest.raises(ValueError, match=r"needs the score 'age'; there are ages\. Did you mean"):
        rule.decide({"ages": [1]})
    with pytest.raises(ValueError, match="1 missing value"):
        rule.decide([1.0, float("nan")])
    with pytest.raises(ValueError, match="operator is 'nor'"):
        BooleanRule("nor", (rule,))
    with pytest.raises(ValueError, match="at least one rule"):
        BooleanRule("and", ())
