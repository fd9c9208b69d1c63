"""Mixtures of two rules, and who is decided by which."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.combine import (
    ThresholdRule,
    path_of,
    uniform_of,
)
from rocspace.combine.mixtures import Mixture, RulePath, at_budget, mixture_at, rule_path
from rocspace.combine.rules import Constant, rule_counts
from rocspace.curves import roc_curve
from rocspace.hull import roc_hull
from slow.combine import ROOT, entries, f3_and_s2
from slow.data import F3, samples


def coil_path():
    rules = (ThresholdRule("A", 0.5), ThresholdRule("B", 0.5))
    return RulePath(fpr=[0.1, 0.25], tpr=[0.2, 0.6], rules=rules)


def test_lots_are_the_same_everywhere():
    # SplitMix64 of 17 times the golden constant, by hand in Python integers.
    mask = (1 << 64) - 1

    def literal(x, seed=0):
        z = (x * 0x9E3779B97F4A7C15 + seed * 0xD1342543DE82EF95) & mask
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / 2**53

    ids = [0, 1, 17, 2**40, 2**62]
    assert uniform_of(ids).tolist() == [literal(x) for x in ids]
    for kind in (np.int32, np.int64, np.uint16, object):
        assert uniform_of(np.array([1, 17], dtype=kind)).tolist() == [literal(1), literal(17)]
    assert uniform_of([-1]) == literal(mask)
    assert uniform_of(ids, rng=7).tolist() == [literal(x, 7) for x in ids]
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


def test_coil_example():
    # Exact: 376 / 660, while the paper's .53 selects 773.8 and its C 777.6.
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
        with pytest.raises(ValueError, match="A mixture decides at random"):
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
