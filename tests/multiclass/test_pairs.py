"""Areas of several classes: by hand, by brute force, as printed, and as other programs say."""

import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from repository import ROOT
from rocspace import datasets
from rocspace.compare import auc_difference
from rocspace.multiclass import (
    compare_classifiers,
    hand_till,
    hand_till_difference,
    hand_till_estimate,
    mu_auc,
    multiclass_scores,
    one_vs_rest,
    one_vs_rest_estimate,
    pairwise_areas,
)
from several_classes import DIFFERENCES, ESTIMATES, MC3, MC3_Y, drawn
from slow.multiclass import by_pairs

ORACLES = ROOT / "tests" / "oracles"


# --- values -----------------------------------------------------------------------------------


def test_printed_values_of_ten_cases():
    assert hand_till(MC3) == pytest.approx(0.8495370370, abs=1e-10)
    assert one_vs_rest(MC3, average="weighted") == pytest.approx(0.8476190476, abs=1e-10)
    assert one_vs_rest(MC3, average="micro") == pytest.approx(0.8375, abs=1e-12)
    assert mu_auc(MC3) == pytest.approx(0.8518518519, abs=1e-10)
    found = pairwise_areas(MC3)
    np.testing.assert_allclose(found.area[0, 1:], [0.7916666667, 0.875], atol=1e-10)
    np.testing.assert_allclose(found.area[1:, 0], [0.75, 0.9583333333], atol=1e-10)
    np.testing.assert_allclose([found.area[1, 2], found.area[2, 1]], [5 / 6, 8 / 9], atol=1e-12)
    assert hand_till_estimate(MC3).se ** 2 == pytest.approx(0.0134012774, abs=1e-10)


def test_printed_errors_of_a_real_classifier(hpc):
    def se(average, shares):
        return one_vs_rest_estimate(hpc, average=average, shares=shares).se

    assert hand_till_estimate(hpc).value == pytest.approx(0.8288674724, abs=1e-10)
    assert hand_till_estimate(hpc).se == pytest.approx(0.00595814, abs=5e-9)
    assert mu_auc(hpc) == pytest.approx(0.8275692284, abs=1e-10)
    assert se("weighted", "fixed") == pytest.approx(0.00449992, abs=5e-9)
    assert se("weighted", "estimated") == pytest.approx(0.00481681, abs=5e-9)
    assert se("macro", "fixed") == pytest.approx(0.00419773, abs=5e-9)
    assert se("macro", "estimated") == pytest.approx(0.00434016, abs=5e-9)
    micro = one_vs_rest_estimate(hpc, average="micro")
    assert (micro.value, micro.se) == pytest.approx((0.9028392108, 0.0035780), abs=2e-8)


def test_other_programs_say_the_same(hpc):
    said = json.loads((ORACLES / "multiclass__hpc_cv.json").read_text())
    assert hand_till(hpc) == pytest.approx(said["proc_multiclass_auc"], rel=1e-12)
    rows = np.array(said["from_formula"]["A"]["rows"], dtype=float)
    order = [said["classes"].index(label) for label in hpc.classes]
    np.testing.assert_allclose(pairwise_areas(hpc).area, rows[np.ix_(order, order)], rtol=1e-12)
    theirs = json.loads((ORACLES / "sklearn_multiclass__hpc_cv.json").read_text())
    for average in ("macro", "weighted", "micro"):
        ours = one_vs_rest(hpc, average=average)
        assert ours == pytest.approx(theirs[f"ovr_{average}"], rel=1e-12)
    assert one_vs_rest(hpc, average=None) == pytest.approx(theirs["ovr_per_class"], rel=1e-12)


@pytest.mark.parametrize(("begin", "file"), [("nb", "vehicle_nb"), ("knn", "vehicle_knn15")])
def test_other_programs_say_the_same_of_ties_and_near_certainty(begin, file):
    table = datasets.load("vehicle_scores")
    said = json.loads((ORACLES / f"multiclass__{file}.json").read_text())
    block = {label: table.columns[f"{begin}_{label}"] for label in said["classes"]}
    data = multiclass_scores(table.columns["obs"], block)
    assert hand_till(data) == pytest.approx(said["proc_multiclass_auc"], rel=1e-12)
    rows = np.array(said["from_formula"]["A"]["rows"], dtype=float)
    np.testing.assert_allclose(pairwise_areas(data).area, rows, rtol=1e-12)
    theirs = json.loads((ORACLES / f"sklearn_multiclass__{file}.json").read_text())
    for average in ("macro", "weighted"):
        ours = one_vs_rest(data, average=average)
        assert ours == pytest.approx(theirs[f"ovr_{average}"], rel=1e-12)


def test_slow_twins():
    data = drawn(25, 4, m=1)
    k = 4
    one = np.array(
        [[by_pairs(data, i, j) if i != j else np.nan for j in range(k)] for i in range(k)]
    )
    np.testing.assert_allclose(pairwise_areas(data).area, one, rtol=1e-13)
    assert hand_till(data) == pytest.approx(np.nanmean(one), rel=1e-13)
    mu = [by_pairs(data, i, j, mu=True) for i in range(k) for j in range(i)]
    assert mu_auc(data) == pytest.approx(np.mean(mu), rel=1e-13)
    each = {c: rs.auc(data.table(c)) for c in data.classes}
    assert one_vs_rest(data, average=None) == pytest.approx(each, rel=1e-13)
    shares = data.sizes / data.sizes.sum()
    total = sum(p * area for p, area in zip(shares, each.values(), strict=True))
    assert one_vs_rest(data, average="weighted") == pytest.approx(total, rel=1e-13)


# --- invariants -------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The variance has only")
@pytest.mark.parametrize("name", ESTIMATES)
def test_a_constant_classifier_scores_one_half(name):
    data = multiclass_scores(MC3_Y, np.full((10, 3), 1 / 3))
    found = ESTIMATES[name](data)
    assert found.value == 0.5
    low, high = found.interval()
    assert low < 0.5 < high


@pytest.mark.parametrize("name", ["hand-till", "mu", "macro", "weighted"])
def test_two_classes_are_the_usual_area(name):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    score = (rng.normal(size=60) + y).round(1)
    data = multiclass_scores(y, np.column_stack([-score, score]))
    usual = rs.delong(rs.tabulate(y, score))
    found = ESTIMATES[name](data)
    assert found.value == pytest.approx(usual.value, rel=1e-13)
    assert found.se == pytest.approx(usual.se, rel=1e-12)
    assert tuple(found.interval()) == pytest.approx(tuple(usual.interval()), rel=1e-9)


@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
@settings(max_examples=60)
def test_what_changes_nothing(seed, k, tied):
    rng = np.random.default_rng(seed)
    data = drawn(4 * k, k, seed, m=1, decimals=0 if tied else 3)
    m = hand_till(data)
    assert 0 <= m <= 1
    rows = rng.permutation(len(data))
    shuffled = multiclass_scores(data.label[rows], data.score[rows, 0])
    assert hand_till(shuffled) == m
    bent = multiclass_scores(data.label, np.exp(data.score[:, 0]))
    assert hand_till(bent) == pytest.approx(m, abs=1e-15)
    names = rng.permutation(k)
    renamed = multiclass_scores(names[data.label], data.score[:, 0], classes=names.tolist())
    assert hand_till(renamed) == pytest.approx(m, abs=1e-15)
    first = data.label == 0  # one class more often changes M not at all, one-versus-rest it may
    twice = np.concatenate([np.arange(len(data)), np.flatnonzero(first)])
    more = multiclass_scores(data.label[twice], data.score[twice, 0])
    assert hand_till(more) == pytest.approx(m, abs=1e-15)
    weighted = multiclass_scores(data.label, data.score[:, 0], sample_weight=1.0 + first)
    assert hand_till(weighted) == pytest.approx(m, abs=1e-14)
    assert one_vs_rest(weighted, average="weighted") == pytest.approx(
        one_vs_rest(more, average="weighted"), abs=1e-14
    )


# --- differences ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences(name):
    data = drawn(90, 3)
    gap = DIFFERENCES[name](data)
    one, two = (ESTIMATES[name](data, each) for each in data.names)
    assert gap.value == pytest.approx(one.value - two.value, abs=1e-14)
    assert gap.first == one
    back = multiclass_scores(data.label, {"c1": data.score[:, 1], "c0": data.score[:, 0]})
    assert DIFFERENCES[name](back).value == pytest.approx(-gap.value, abs=1e-14)
    assert DIFFERENCES[name](back).se == pytest.approx(gap.se, rel=1e-12)
    low, high = gap.interval()
    assert (gap.test().pvalue < 0.05) == (not low <= 0 <= high)


def test_the_difference_of_two_classes_is_delongs():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80)
    a, b = (rng.normal(size=80) + y, rng.normal(size=80) + 0.5 * y)
    blocks = {n: np.column_stack([-s, s]) for n, s in (("a", a), ("b", b))}
    gap = hand_till_difference(multiclass_scores(y, blocks))
    usual = auc_difference(rs.pair_scores(y, {"a": a, "b": b}))
    assert gap.se == pytest.approx(usual.se, rel=1e-12)
    assert gap.correlation == pytest.approx(usual.correlation, rel=1e-10)


# --- edges ------------------------------------------------------------------------------------


def test_a_class_without_cases_is_stated_and_left_out():
    data = multiclass_scores([0, 0, 2, 2], np.arange(12).reshape(4, 3) % 5, classes=[0, 1, 2])
    for function in (hand_till, mu_auc, one_vs_rest, hand_till_estimate, pairwise_areas):
        with pytest.warns(UserWarning, match=r"No case is of class 1: the pairs with it"):
            found = function(data)
        if isinstance(found, float):
            assert 0 <= found <= 1


def test_one_class_only_is_refused():
    data = multiclass_scores([1, 1], [[0.1, 0.9], [0.2, 0.8]], classes=[0, 1])
    with pytest.raises(rs.SingleClassError, match=r"hand_till needs cases of two classes"):
        hand_till(data)


def test_perfect_and_reversed_scores():
    y = np.repeat([0, 1, 2], 5)
    assert hand_till(multiclass_scores(y, np.eye(3)[y])) == 1
    assert hand_till(multiclass_scores(y, -np.eye(3)[y])) == 0
    low, high = hand_till_estimate(multiclass_scores(y, np.eye(3)[y])).interval()
    assert 0 < low < high == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: hand_till(rs.tabulate([0, 1], [1, 2])), "hand_till takes MulticlassScores"),
        (lambda: hand_till_difference(MC3), "compares two classifiers, but here is only score"),
        (lambda: compare_classifiers(MC3), "needs at least two scores"),
        (lambda: one_vs_rest(MC3, priors={0: 1}), "Give a positive share for each class"),
        (lambda: one_vs_rest(MC3, average="micro", priors={0: 1, 1: 1, 2: 1}), "counts cases"),
        (lambda: one_vs_rest(MC3, average="mean"), "average is 'mean', but must be one of"),
        (lambda: hand_till(drawn()), "Which one"),
    ],
)
def test_what_cannot_be_answered_is_told(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()


def test_pairs_are_shown_and_framed():
    found = pairwise_areas(MC3)
    assert repr(found).startswith(
        "PairwiseAreas(3 pairs of classes; hardest to tell apart: 0 and 1"
    )
    frame = found.to_frame(backend="pandas")
    assert frame["area"].tolist() == pytest.approx([0.7708333, 0.9166667, 0.8611111], abs=1e-7)
    assert (frame["low"] < frame["area"]).all()
    assert pickle.loads(pickle.dumps(found)) == found
    assert "0 and 1" in str(found)
