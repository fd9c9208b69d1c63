"""Rules, mixtures, Boolean combinations, chains and selections: by hand, by trying all, on CoIL."""

import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.combine
import slow.data
from rocspace.combine import (
    NotRule,
    ThresholdRule,
    chain_rules,
    combine_rates,
    path_of,
    select_rule,
    uniform_of,
)
from rocspace.combine.boolean import boolean_search
from rocspace.combine.mixtures import Mixture, RulePath, at_budget, mixture_at, rule_path
from rocspace.combine.rules import BooleanRule, Constant, rule_counts
from rocspace.counts import SingleClassError
from rocspace.curves import best_orientation, roc_curve
from rocspace.hull import roc_hull
from rocspace.operating import Costs
from slow.data import F3, F4, INF, assert_close, samples

ROOT = Path(__file__).parents[2]
# The second score of METHODS, appendix R.
S2 = "8 85 45 5 7 65 3 6 75 2 35 55 25 4 15 1 62 05 32 12"
S2 = [float(f"0.{x}") for x in S2.split()]


def coil_path():
    rules = (ThresholdRule("A", 0.5), ThresholdRule("B", 0.5))
    return RulePath(fpr=[0.1, 0.25], tpr=[0.2, 0.6], rules=rules)


def f3_and_s2():
    return rs.pair_scores(F3[0], {"one": F3[1], "two": S2})


def entries(c):
    return c.tp, c.fp, c.fn, c.tn


# --- rules ------------------------------------------------------------------------------------


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
    with pytest.raises(ValueError, match="1 missing values"):
        rule.decide([1.0, float("nan")])
    with pytest.raises(ValueError, match="operator is 'nor'"):
        BooleanRule("nor", (rule,))
    with pytest.raises(ValueError, match="at least one rule"):
        BooleanRule("and", ())


# --- lots -------------------------------------------------------------------------------------


def test_lots_are_the_same_everywhere():
    # SplitMix64 of 17 times the golden constant, by hand in Python integers.
    mask = (1 << 64) - 1

    def literal(x):
        z = (x * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / 2**53

    ids = [0, 1, 17, 2**40, 2**62]
    assert uniform_of(ids).tolist() == [literal(x) for x in ids]
    for kind in (np.int32, np.int64, np.uint16, object):
        assert uniform_of(np.array([1, 17], dtype=kind)).tolist() == [literal(1), literal(17)]
    assert uniform_of([-1]) == literal(mask)
    texts = ["ann", "bob", "ann", "ä"]
    here = uniform_of(texts)
    assert here[0] == here[2] != here[1]
    assert uniform_of(np.array(texts, dtype=object)).tolist() == here.tolist()
    code = f"from rocspace.combine import uniform_of; print(uniform_of({texts}).tolist())"
    other = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "5", "PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    )
    assert other.stdout.strip() == str(here.tolist())


def test_lots_look_random():
    for salt in (0, 1, -5, 10**30):
        lot = uniform_of(np.arange(100_000), rng=salt)
        counts = np.bincount((lot * 100).astype(int), minlength=100)
        assert ((counts - 1000) ** 2 / 1000).sum() < 160  # chi-square of 99 degrees: p > .0001
        assert abs(np.corrcoef(lot[:-1], lot[1:])[0, 1]) < 0.015
        assert 0 <= lot.min() < lot.max() < 1
    one, two = (uniform_of(np.arange(10_000), rng=salt) for salt in (0, 1))
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.05
    texts = uniform_of([f"customer {i}" for i in range(20_000)])
    assert abs(texts.mean() - 0.5) < 0.01
    assert np.unique(texts).size == 20_000


def test_lots_refuse_what_identifies_nobody():
    with pytest.raises(TypeError, match="whole numbers or by texts"):
        uniform_of([0.5, 1.5])
    with pytest.raises(ValueError, match="missing"):
        uniform_of(["a", None])


# --- mixtures ---------------------------------------------------------------------------------


def test_coil_example():
    # M-52, exact: 376 / 660, while the paper's .53 selects 773.8 and its C 777.6.
    best = at_budget(coil_path(), selected=800, n_pos=240, n_neg=3760)
    assert best.share == pytest.approx(376 / 660, abs=1e-15)
    assert (round(best.share, 7), round(best.fpr, 7), round(best.tpr, 7)) == (
        0.5696970,
        0.1854545,
        0.4278788,
    )
    c = best.expected(n_pos=240, n_neg=3760)
    assert c.tp + c.fp == pytest.approx(800, abs=1e-10)
    assert sum(entries(c)) == pytest.approx(4000)
    printed = coil_path().mixture(0, 0.53).expected(n_pos=240, n_neg=3760)
    assert printed.tp + printed.fp == pytest.approx(773.8)
    for selected, share, i in ((424, 0, 0), (1084, 0, 1)):
        at = at_budget(coil_path(), selected=selected, n_pos=240, n_neg=3760)
        assert (at.share, at.low) == (share, coil_path().rules[i])
    by_share = at_budget(coil_path(), selected=0.2, n_pos=0.06, n_neg=0.94)
    assert by_share.share == pytest.approx(376 / 660, abs=1e-14)
    for impossible in (423, 1085, -1, 4001):
        with pytest.raises(ValueError, match=r"selected is .*, but the path goes from 424 to 1084"):
            at_budget(coil_path(), selected=impossible, n_pos=240, n_neg=3760)
    with pytest.raises(ValueError, match="there must be cases"):
        at_budget(coil_path(), selected=0, n_pos=0, n_neg=0)


def test_mixture_keeps_its_expectation_and_variance():
    rng = np.random.default_rng(1)
    label = rng.random(400) < 0.4
    data = rs.pair_scores(label, {"A": rng.random(400) + label / 3, "B": rng.random(400)})
    low, high = ThresholdRule("A", 0.8), ThresholdRule("B", 0.4)
    rates = [
        (rs.MEASURES[n].function(rule_counts(data, r))) for r in (low, high) for n in ("fpr", "tpr")
    ]
    k = 0.3
    fpr, tpr = (rates[i] + k * (rates[i + 2] - rates[i]) for i in (0, 1))
    mixture = Mixture(low=low, high=high, share=k, fpr=fpr, tpr=tpr)
    chance = mixture.chances(data)
    assert chance[~label].mean() == pytest.approx(fpr)
    assert chance[label].mean() == pytest.approx(tpr)
    drawn = [mixture.decide(data, rng=i) for i in range(2000)]
    found = np.array([[d[~label].mean(), d[label].mean(), d.sum()] for d in drawn])
    spread = mixture.spread(data)
    d = np.mean(low.decide(data)[~label] != high.decide(data)[~label])
    assert spread.fpr == pytest.approx(np.sqrt(k * (1 - k) * d / (~label).sum()))
    np.testing.assert_allclose(
        found.std(axis=0), [spread.fpr, spread.tpr, spread.selected], rtol=0.06
    )
    assert abs(found[:, 0].mean() - fpr) < 4 * spread.fpr / 2000**0.5
    assert abs(found[:, 1].mean() - tpr) < 4 * spread.tpr / 2000**0.5
    hashed = mixture.decide(data, ids=np.arange(400))
    assert abs(hashed.sum() - chance.sum()) < 4 * spread.selected
    assert (hashed == mixture.decide(data, ids=np.arange(400))).all()
    shuffled = rng.permutation(400)
    part = {name: data.score[shuffled, j] for j, name in enumerate(data.names)}
    assert (mixture.decide(part, ids=shuffled) == hashed[shuffled]).all()


def test_ends_of_a_mixture_need_no_lots():
    data = f3_and_s2()
    path = rule_path({"one": data.table("one")})
    for share, rule in ((0, path.rules[1]), (1, path.rules[2])):
        assert (path.mixture(1, share).decide(data) == rule.decide(data)).all()
    half = path.mixture(1, 0.5)
    for both in ({}, {"ids": range(20), "rng": 1}):
        with pytest.raises(ValueError, match="A mixture draws lots"):
            half.decide(data, **both)
    with pytest.raises(ValueError, match="Lengths differ"):
        half.decide(data, ids=[1, 2])
    with pytest.raises(ValueError, match=r"share is 1\.5"):
        Mixture(low=Constant(False), high=Constant(True), share=1.5, fpr=0, tpr=0)
    # A larger share only adds to what the more liberal rule of nested ones selects.
    small, large = (path.mixture(1, k).decide(data, ids=range(20)) for k in (0.3, 0.6))
    assert (small <= large).all()
    assert half.names == {"one"}
    alone = rs.pair_scores([0, 0], {"one": [1, 2]})
    assert np.isnan(half.spread(alone).tpr)


@given(sample=samples(), at=st.floats(0, 1))
@settings(max_examples=60)
def test_targets_are_on_the_hull(sample, at):
    label, score = sample
    table = rs.tabulate(label, score)
    path, hull = rule_path({"s": table}), roc_hull({"s": table})
    by_fpr = mixture_at(path, fpr=at)
    assert by_fpr.fpr == pytest.approx(at, abs=1e-12)
    upper = max(
        t0 + (t1 - t0) * ((at - f0) / (f1 - f0) if f1 > f0 else 1)
        for (f0, t0), (f1, t1) in itertools.pairwise(zip(hull.fpr, hull.tpr, strict=True))
        if f0 <= at <= f1
    )
    assert by_fpr.tpr == pytest.approx(upper, abs=1e-12)
    by_tpr = mixture_at(path, tpr=at)
    assert by_tpr.tpr == pytest.approx(at, abs=1e-12)
    assert mixture_at(path, fpr=by_tpr.fpr).tpr >= at - 1e-12
    again = mixture_at(path, point=(by_fpr.fpr, by_fpr.tpr))
    assert (again.fpr, again.tpr) == pytest.approx((by_fpr.fpr, by_fpr.tpr), abs=1e-9)
    selected = at_budget(path, selected=at * len(label), n_pos=table.n_pos, n_neg=table.n_neg)
    c = selected.expected(n_pos=table.n_pos, n_neg=table.n_neg)
    assert c.tp + c.fp == pytest.approx(at * len(label), abs=1e-9)
    # The rules do what the hull says, on the cases that made it.
    data = rs.pair_scores(label, {"s": score})
    for fpr, tpr, rule in zip(path.fpr, path.tpr, path.rules, strict=True):
        c = rule_counts(data, rule)
        assert (c.fp / table.n_neg, c.tp / table.n_pos) == (fpr, tpr)


def test_targets_off_the_path():
    path = coil_path()
    with pytest.raises(ValueError, match=r"is not on the path"):
        mixture_at(path, point=(0.1, 0.5))
    assert mixture_at(path, point=(0.175, 0.4)).share == pytest.approx(0.5)
    with pytest.raises(ValueError, match=r"fpr is 0\.3, but the path goes from 0\.1 to 0\.25"):
        mixture_at(path, fpr=0.3)
    for asked in ({}, {"fpr": 0.1, "tpr": 0.2}):
        with pytest.raises(ValueError, match="Give one of fpr, tpr and point"):
            mixture_at(path, **asked)
    rule = Constant(True)
    with pytest.raises(ValueError, match="tpr falls"):
        RulePath(fpr=[0, 1], tpr=[1, 0], rules=(rule, rule))
    with pytest.raises(ValueError, match="Lengths differ"):
        RulePath(fpr=[0, 1], tpr=[0, 1], rules=(rule,))
    with pytest.raises(ValueError, match="at least one rule"):
        RulePath(fpr=[], tpr=[], rules=())
    # A == B: any share is the same point, and the first rule is taken.
    same = RulePath(fpr=[0.2, 0.2], tpr=[0.5, 0.5], rules=(rule, Constant(False)))
    assert mixture_at(same, tpr=0.5).share == 0
    assert mixture_at(same, point=(0.2, 0.5)).low == rule


def test_directions_are_those_of_the_tables():
    up = rs.tabulate(*F3)
    down = rs.tabulate([1, 1, 0, 0, 1, 0], [1, 2, 3, 4, 5, 6], higher_is_positive=False)
    path = rule_path({"up": up, "down": down})
    found = {rule.name: rule.higher_is_positive for rule in path.rules if rule.names}
    assert found["down"] is False
    assert path_of(roc_hull({"down": down})).rules[1].higher_is_positive is False
    assert path_of(roc_hull({"up": up})).rules[1].higher_is_positive is True
    assert (
        path_of(roc_hull({"x": up}), higher_is_positive={"x": False}).rules[1].higher_is_positive
        is False
    )
    curve = rule_path({"down": roc_curve(down)})
    assert curve.rules == rule_path({"down": down}).rules


# --- rates of combinations --------------------------------------------------------------------


def test_rates_by_hand():
    # M-53, Ref: (.2, .5) and (.3, .7).
    f, t = (combine_rates(r, "and") for r in ((0.2, 0.3), (0.5, 0.7)))
    assert_close([f.low, f.high, f.independent], [0, 0.2, 0.06])
    assert_close([t.low, t.high, t.independent], [0.2, 0.5, 0.35])
    assert (f.stated_low, t.stated_low) == (0, 0)
    f, t = (combine_rates(r, "or") for r in ((0.2, 0.3), (0.5, 0.7)))
    assert_close([f.low, f.high, f.independent], [0.3, 0.5, 0.44])
    assert_close([t.low, t.high, t.independent], [0.7, 1, 0.85])
    three = combine_rates((0.9, 0.8, 0.7), "and")
    assert_close([three.low, three.high, three.independent], [0.4, 0.7, 0.504])
    for bad, message in (((), "no rates"), ((0.5, 2), "rates is 2")):
        with pytest.raises(ValueError, match=message):
            combine_rates(bad, "or")
    with pytest.raises(ValueError, match="operator is 'xor'"):
        combine_rates((0.5,), "xor")


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=4))
@settings(max_examples=80)
def test_actual_rates_are_within_their_bounds(decisions):
    d = np.array(decisions)
    rates = d.mean(axis=1)
    both, either = combine_rates(rates, "and"), combine_rates(rates, "or")
    for bound, actual in ((both, d.all(axis=0).mean()), (either, d.any(axis=0).mean())):
        assert bound.low - 1e-12 <= actual <= bound.high + 1e-12
        assert bound.low - 1e-12 <= bound.independent <= bound.high + 1e-12
        assert bound.stated_low <= bound.low + 1e-12
    # De Morgan, with negation turning r into 1 - r.
    mirrored = combine_rates(1 - rates, "and")
    assert_close(
        [either.low, either.high, either.independent],
        [1 - mirrored.high, 1 - mirrored.low, 1 - mirrored.independent],
    )


def test_the_better_direction():
    table = rs.tabulate([1, 1, 0, 0, 1], [1, 2, 3, 4, 5])
    turned = best_orientation(table)
    assert turned.flipped
    assert rs.auc(turned.table) == pytest.approx(1 - rs.auc(table), abs=1e-15)
    again = best_orientation(turned.table)
    assert again.table == turned.table
    assert not again.flipped
    even = rs.tabulate([1, 0], [1, 1])
    assert not best_orientation(even).flipped


# --- the search -------------------------------------------------------------------------------


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
    assert got.path.area == got.areas[-1]
    assert got.areas[0] == pytest.approx(roc_hull({n: pair.table(n) for n in scores}).area)
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
    with pytest.raises(ValueError, match="takes two of them"):
        boolean_search(rs.pair_scores([1, 0], {"a": [1, 2]}))
    with pytest.raises(ValueError, match="operator is 'but'"):
        boolean_search(f3_and_s2(), operators=("but",))
    with pytest.raises(SingleClassError, match="boolean_search needs"):
        boolean_search(rs.pair_scores([1, 1], {"a": [1, 2], "b": [1, 2]}))


# --- chains -----------------------------------------------------------------------------------


@given(sample=samples(), slope=st.sampled_from([0, 0.1, 0.5, 1, 2, INF]))
@settings(max_examples=60)
def test_chain_of_one_score_is_its_last_link(sample, slope):
    label, score = sample
    data = rs.pair_scores(label, {"s": score})
    path = rule_path({"s": data.table("s")})
    chain = chain_rules(path, slope=slope, data=data)
    if chain.n_rules == 0:
        assert chain.rule == Constant(False)
        assert path.slopes[0] < slope
        return
    c = chain.actual
    assert (c.fp / (c.fp + c.tn), c.tp / (c.tp + c.fn)) == chain.nested
    assert chain.independent[1] >= chain.nested[1] - 1e-12


def test_chain_of_two_scores():
    data = f3_and_s2()
    path = rule_path({name: data.table(name) for name in data.names})
    longer = None
    for slope in (0, 0.3, 1, 3, INF):
        chain = chain_rules(path, slope=slope, data=data)
        if longer is not None:
            assert chain.n_rules <= longer.n_rules
            assert chain.nested <= longer.nested
        links = chain.rule.rules if chain.n_rules else ()
        decisions = [rule.decide(data) for rule in links]
        if decisions:
            any_yes = np.any(decisions, axis=0)
            assert chain.actual.tp == np.count_nonzero(any_yes & data.label)
        longer = chain
    assert chain_rules(path, slope=1).actual is None
    with pytest.raises(ValueError, match="slope is -1"):
        chain_rules(path, slope=-1)


# --- selections -------------------------------------------------------------------------------


def test_selection_is_frozen_and_honest():
    rng = np.random.default_rng(7)
    label = rng.random(2000) < 0.3
    scores = {"a": rng.normal(label, 1), "b": rng.normal(label, 1)}

    def part(rows):
        return rs.pair_scores(label[rows], {n: s[rows] for n, s in scores.items()})

    choice, test = part(np.arange(300)), part(np.arange(300, 2000))
    for boolean in (False, True):
        selection = select_rule(choice, selected=0.2, boolean=boolean)
        before = (selection.mixture, selection.path.rules)
        got = selection.evaluate(test)
        assert (selection.mixture, selection.path.rules) == before
        assert got.selected == pytest.approx(
            0.2 * 1700, abs=5 * (1700 * 0.16 * (1 + 17 / 3)) ** 0.5
        )
        for name in ("fpr", "tpr"):
            assert getattr(got.point, name) in getattr(got, name)
        assert got.promised == (selection.mixture.fpr, selection.mixture.tpr)
        reached = mixture_at(selection.path, fpr=got.point.fpr).tpr
        assert got.optimism == pytest.approx(reached - got.point.tpr)
        # On the cases that chose it there is none.
        assert selection.evaluate(choice).optimism == pytest.approx(0, abs=1e-12)
        drawn = selection.mixture.decide(test, ids=np.arange(1700))
        assert abs(drawn.sum() - got.selected) <= 5 * selection.mixture.spread(test).selected + 1e-9
    assert got.optimism > 0
    wide = selection.evaluate(test, level=0.99).tpr
    assert wide.low < got.tpr.low


def test_selection_by_every_means():
    data = f3_and_s2()
    path = rule_path({name: data.table(name) for name in data.names})
    assert select_rule(data, fpr=0.25).mixture == mixture_at(path, fpr=0.25)
    assert select_rule(data, tpr=0.7).mixture == mixture_at(path, tpr=0.7)
    # METHODS M-26 for one score: slope 10 -> (0, .2), slope 1 -> (.1, .5), slope .1 -> (.9, 1).
    one = rs.pair_scores(F3[0], {"one": F3[1]})
    for prevalence, at in ((1 / 11, (0, 0.2)), (0.5, (0.1, 0.5)), (10 / 11, (0.9, 1))):
        chosen = select_rule(one, costs=Costs(), prevalence=prevalence).mixture
        assert (chosen.fpr, chosen.tpr, chosen.share) == (*at, 0)
    none = select_rule(one, costs=Costs(fn=0)).mixture
    assert (none.fpr, none.tpr) == (0, 0.2)
    every = select_rule(one, costs=Costs(fp=0)).mixture
    assert (every.fpr, every.tpr) == (0.9, 1)
    for asked in ({}, {"fpr": 0.1, "selected": 0.2}):
        with pytest.raises(ValueError, match="Choose by one of"):
            select_rule(data, **asked)
    with pytest.raises(SingleClassError):
        select_rule(rs.pair_scores([1, 1], {"a": [1, 2]}), fpr=0.1)


def test_evaluation_on_odd_cases():
    selection = select_rule(f3_and_s2(), fpr=0.25)
    negatives = rs.pair_scores([0, 0, 0], {"one": [0.1, 0.5, 0.9], "two": [0.2, 0.5, 0.6]})
    got = selection.evaluate(negatives)
    assert np.isnan(got.point.tpr)
    assert tuple(got.tpr) == (0, 1)
    assert got.fpr.width < 1
    weighed = rs.pair_scores(F3[0], {"one": F3[1], "two": S2}, sample_weight=np.full(20, 3.0))
    same = selection.evaluate(weighed)
    assert same.point.n_eff == (10, 10)
    plain = selection.evaluate(f3_and_s2())
    assert_close([same.tpr.low, same.tpr.high], [plain.tpr.low, plain.tpr.high])
    with pytest.raises(ValueError, match="needs the score"):
        selection.evaluate(rs.pair_scores(*[F4[0], {"three": F4[1]}]))


# --- CoIL 2000 --------------------------------------------------------------------------------


def test_coil_on_its_customers(shared, capsys):
    pytest.importorskip("sklearn")
    path = shared / "data" / "ticdata.csv"
    if not path.exists():
        pytest.skip(f"no {path}")
    spec = importlib.util.spec_from_file_location("coil", ROOT / "docs" / "examples" / "coil.py")
    coil = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(coil)
    selection, result, sent, spread, mixture = coil.campaign(path)
    # Neither rule fills the places; the lots between them do.
    n_pos, n_neg = 238, 3762
    assert (result.point.tp + result.point.fn, result.point.fp + result.point.tn) == (n_pos, n_neg)
    assert 0 < mixture.share < 1
    assert 30 < spread < 50
    assert abs(sent - 800) < spread
    assert abs(result.selected - 800) < spread
    assert 0 < result.optimism < 0.25
    assert result.point.tp > 1.7 * 800 * n_pos / 4000
    names = set().union(*(rule.names for rule in selection.path.rules))
    assert names == {"logistic", "bayes"}
    coil.main(path)
    assert f"letters             {sent}, room for 800" in capsys.readouterr().out
