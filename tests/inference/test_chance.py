"""Better than chance: exact counts of all labellings, the printed contour, and honest p-values."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

import rocspace as rs
from rocspace import measures as m
from rocspace.counts import ConfusionMatrix, SingleClassError
from rocspace.inference import (
    best_of_test,
    best_permutation_test,
    point_pvalue,
    point_test,
    significance_contour,
    unlearnability_test,
)
from rocspace.measures import MEASURES
from slow.data import F3, reference

counts = st.integers(0, 8)
matrices = st.builds(ConfusionMatrix, counts, counts, counts, counts).filter(
    lambda c: c.tp + c.fn and c.fp + c.tn
)


def exact_pvalue(c):
    """Pr[Hyp(n, P, k) >= TP] by binomial coefficients."""
    P, N, k = c.tp + c.fn, c.fp + c.tn, c.tp + c.fp
    ways = sum(math.comb(P, t) * math.comb(N, k - t) for t in range(c.tp, min(P, k) + 1))
    return Fraction(ways, math.comb(P + N, k))


def labellings(n, n_pos):
    for chosen in combinations(range(n), n_pos):
        yield [i in chosen for i in range(n)]


# --- one classifier ---------------------------------------------------------------------------


def test_reference():
    expected = reference()
    table = rs.tabulate(*F3)
    c = rs.evaluate(table, 0.54)
    assert point_pvalue(c) == pytest.approx(expected["F3_better_than_chance_p_(.1,.5)"], rel=1e-6)
    test = point_test(rs.point_at(table, 0.54))
    assert test.pvalue == pytest.approx(0.0704334, abs=5e-8)
    # 6 calls among 10 and 10 find 3 at random.
    assert (test.statistic, test.difference) == (5, 2)
    contour = significance_contour(10, 10)
    printed = expected["better_than_chance_contour_P10_N10_alpha.05"]
    assert contour.fp.tolist() == printed["FP"]
    assert [None if math.isnan(t) else t for t in contour.tp] == printed["TP"]
    assert contour.tp[:7].tolist() == [4, 6, 7, 8, 9, 10, 10]
    assert np.isnan(contour.tp[7:]).all()


@given(c=matrices)
@settings(max_examples=100)
def test_pvalue_counts_the_ways(c):
    exact = float(exact_pvalue(c))
    assert point_pvalue(c) == pytest.approx(exact, rel=1e-12)
    fisher = fisher_exact([[c.tp, c.fp], [c.fn, c.tn]], alternative="greater").pvalue
    assert point_pvalue(c) == pytest.approx(fisher, rel=1e-9)


def test_pvalues_of_many_thresholds():
    table = rs.tabulate(*F3)
    many = point_pvalue(rs.evaluate(table, table.score))
    one_by_one = [point_test(rs.point_at(table, s)).pvalue for s in table.score]
    np.testing.assert_allclose(many, one_by_one, rtol=1e-14)


def test_pvalue_of_a_million_cases():
    c = ConfusionMatrix(tp=50_500, fp=49_500, fn=449_500, tn=450_500)
    z = 500 / math.sqrt(100_000 * 0.25 * 900_000 / 999_999)
    assert point_pvalue(c) == pytest.approx(math.erfc((z - 1 / 300) / math.sqrt(2)) / 2, rel=2e-2)


@pytest.mark.parametrize(("n", "n_pos", "k"), [(8, 3, 4), (9, 5, 2), (7, 1, 3)])
def test_pvalues_are_super_uniform(n, n_pos, k):
    called = np.arange(n) < k
    found = []
    for y in labellings(n, n_pos):
        tp = int((called & y).sum())
        found.append(
            point_pvalue(ConfusionMatrix(tp=tp, fp=k - tp, fn=n_pos - tp, tn=n - k - n_pos + tp))
        )
    for significance in {*found, 0.01, 0.05, 0.5, 1.0}:
        assert np.mean(np.array(found) <= significance) <= significance + 1e-9


@given(
    n_pos=st.integers(1, 12),
    n_neg=st.integers(1, 12),
    significance=st.sampled_from([0.01, 0.05, 0.3]),
)
@settings(max_examples=40)
def test_contour_by_trying_all(n_pos, n_neg, significance):
    contour = significance_contour(n_pos, n_neg, significance=significance)
    for fp, tp in zip(contour.fp.tolist(), contour.tp.tolist(), strict=True):
        better = [
            t
            for t in range(n_pos + 1)
            if exact_pvalue(ConfusionMatrix(tp=t, fp=fp, fn=n_pos - t, tn=n_neg - fp))
            <= Fraction(str(significance))
        ]
        assert math.isnan(tp) if not better else tp == better[0]
    there = ~np.isnan(contour.tp)
    assert (contour.tpr[there] > contour.fpr[there]).all()
    assert (np.diff(contour.tp[there]) >= 0).all()
    assert there.tolist() == sorted(there.tolist(), reverse=True)


# --- the best of many -------------------------------------------------------------------------


def test_equally_many_calls_are_a_power():
    one = ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)
    other = ConfusionMatrix(tp=3, fp=3, fn=7, tn=7)
    p = float(exact_pvalue(one))
    for measure in ("accuracy", "informedness", "ppv", m.f_score):
        test = best_of_test([one, other, other], measure=measure)
        assert test.pvalue == pytest.approx(1 - (1 - p) ** 3, rel=1e-12)
    assert best_of_test(one).pvalue == pytest.approx(p, rel=1e-12)
    assert best_of_test([one], measure="error_rate").statistic == -0.3
    # Random calls are right half the time.
    assert best_of_test([one, other]).difference == pytest.approx(0.7 - 0.5)


@given(tried=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), min_size=1, max_size=4))
@settings(max_examples=30)
def test_best_of_several_by_counting(tried):
    points = [ConfusionMatrix(tp=t, fp=f, fn=4 - t, tn=5 - f) for t, f in tried]
    for measure in ("accuracy", "g_mean", "f_score"):
        value = MEASURES[measure].function
        values = [v for v in map(value, points) if not math.isnan(v)]
        best = max(values)
        none = Fraction(1)
        for c in points:
            k = c.tp + c.fp
            good = Fraction(0)
            for t in range(max(0, k - 5), min(4, k) + 1):
                other = ConfusionMatrix(tp=t, fp=k - t, fn=4 - t, tn=5 - k + t)
                if value(other) >= best - 1e-12:
                    good += Fraction(math.comb(4, t) * math.comb(5, k - t), math.comb(9, k))
            none *= 1 - good
        test = best_of_test(points, measure=measure)
        assert test.statistic == best
        assert test.pvalue == pytest.approx(float(1 - none), rel=1e-10, abs=1e-14)


def test_permutations_approach_all_labellings():
    rng = np.random.default_rng(1)
    label = np.array([1, 1, 1, 0, 0, 0, 0, 1], dtype=bool)
    decisions = rng.integers(0, 2, (8, 3))
    decisions[:, 0] = [1, 1, 1, 0, 0, 0, 1, 1]

    def best(y):
        return max((d == y).mean() for d in decisions.T)

    every = [best(np.array(y)) for y in labellings(8, 4)]
    exact = np.mean(np.array(every) >= best(label) - 1e-12)
    test = best_permutation_test((label, decisions), n_perm=4000, rng=2)
    assert test.statistic == best(label)
    assert test.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact / 4000))
    assert test.difference == pytest.approx(best(label) - np.mean(every), abs=0.02)
    again = best_permutation_test((label, decisions), n_perm=4000, rng=2)
    assert again.pvalue == test.pvalue


def test_permutations_over_thresholds():
    rng = np.random.default_rng(3)
    label = rng.random(60) < 0.5
    score = np.stack([rng.integers(0, 9, 60) + 3 * label, rng.normal(size=60)], axis=1)
    weight = rng.integers(1, 4, 60).astype(float)
    for cases in (
        rs.pair_scores(label, score),
        rs.pair_scores(label, -score, higher_is_positive=False),
        rs.pair_scores(label, score, sample_weight=weight),
    ):
        test = best_permutation_test(cases, measure="informedness", n_perm=199, rng=4)
        tables = [cases.table(name) for name in cases.names]
        assert test.statistic == pytest.approx(max(rs.youden(t) for t in tables), rel=1e-12)
        assert test.pvalue < 0.02
    noise = rs.pair_scores(label, rng.normal(size=(60, 20)))
    assert best_permutation_test(noise, n_perm=199, rng=5).pvalue > 0.02


def test_the_best_of_many_is_honest():
    # 5 useless scores, all thresholds: the best looks good, its p-value is uniform at least.
    rng = np.random.default_rng(6)
    found, alone = [], []
    for _ in range(150):
        label = np.arange(30) % 2 == 0
        score = rng.normal(size=(30, 5))
        cases = rs.pair_scores(label, score)
        found.append(best_permutation_test(cases, n_perm=39, rng=rng).pvalue)
        curve = rs.tabulate(label, score[:, 0])
        alone.append(point_pvalue(rs.evaluate(curve, curve.score)).min())
    assert np.mean(np.array(found) <= 0.1) < 0.1 + 3 * math.sqrt(0.09 / 150)
    assert np.mean(np.array(alone) <= 0.1) > 0.2  # what taking the best threshold does


# --- learning nothing -------------------------------------------------------------------------


def test_learning_something_and_nothing():
    rng = np.random.default_rng(7)
    label = rng.random(40) < 0.5
    marker, noise = rng.normal(size=40) + 2 * label, rng.normal(size=40)
    learns = unlearnability_test(lambda y: rs.auc_score(y, marker), label, rng=1)
    assert learns.pvalue == 0.01
    assert learns.difference == pytest.approx(rs.auc_score(label, marker) - 0.5, abs=0.05)
    assert unlearnability_test(lambda y: rs.auc_score(y, noise), label, rng=1).pvalue > 0.05
    assert unlearnability_test(lambda y: 1.0, label, rng=1).pvalue == 1
    words = np.where(label, "ill", "well")
    assert unlearnability_test(lambda y: float((y == words).mean()), words, rng=1).pvalue == 0.01


# --- errors -----------------------------------------------------------------------------------

ONE = ConfusionMatrix(tp=1, fp=0, fn=1, tn=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: point_pvalue(ConfusionMatrix(tp=0.5, fp=1, fn=1, tn=1)), "look like weights"),
        (lambda: point_test(ConfusionMatrix(tp=-1, fp=1, fn=3, tn=1)), "not negative"),
        (lambda: significance_contour(0, 5), "n_pos is 0"),
        (lambda: significance_contour(5, 2.5), "whole"),
        (lambda: significance_contour(5, 5, significance=1), "significance is 1"),
        (lambda: best_of_test([ONE, ConfusionMatrix(tp=1, fp=0, fn=2, tn=2)]), "one test set"),
        (lambda: best_of_test([ONE], measure="acuracy"), "Did you mean 'accuracy'"),
        (
            lambda: best_of_test([ConfusionMatrix(tp=0, fp=0, fn=1, tn=2)], measure="ppv"),
            "not defined",
        ),
        (lambda: best_permutation_test(([1, 0], [[2], [0]])), "has the value 2, not only 0 and 1"),
        (
            lambda: best_permutation_test(rs.pair_scores([1, 0], [[1], [0]], cluster=[1, 1])),
            "clusters",
        ),
        (lambda: best_permutation_test(([1, 0], [[0], [0]]), measure="ppv"), "not defined"),
        (lambda: unlearnability_test(lambda y: math.nan, [1, 0]), "returned nan"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_one_class_is_not_enough():
    one = ConfusionMatrix(tp=1, fp=0, fn=1, tn=0)
    for call in (
        lambda: point_test(one),
        lambda: best_of_test(one),
        lambda: best_permutation_test(([1, 1], [[1], [0]])),
    ):
        with pytest.raises(SingleClassError, match="needs at least 1 positive"):
            call()
