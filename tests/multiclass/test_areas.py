"""Areas of several classes: by hand, by brute force, as printed, and as other programs say."""

import json
import pickle
import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from repository import ROOT
from rocspace import datasets
from rocspace.compare import auc_difference
from rocspace.inference import clustered_auc_estimate
from rocspace.multiclass import (
    clusters,
    compare_classifiers,
    hand_till,
    hand_till_difference,
    hand_till_estimate,
    mu_auc,
    mu_auc_difference,
    mu_auc_estimate,
    multiclass_scores,
    one_vs_rest,
    one_vs_rest_difference,
    one_vs_rest_estimate,
    pairs,
    pairwise_areas,
    placements,
)

ORACLES = ROOT / "tests" / "oracles"

# MC3 of METHODS, Appendix R.
MC3_Y = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
MC3_P = np.array(
    [
        (0.7, 0.2, 0.1),
        (0.5, 0.3, 0.2),
        (0.4, 0.4, 0.2),
        (0.2, 0.5, 0.3),
        (0.3, 0.5, 0.2),
        (0.1, 0.6, 0.3),
        (0.4, 0.3, 0.3),
        (0.1, 0.3, 0.6),
        (0.2, 0.2, 0.6),
        (0.3, 0.4, 0.3),
    ]
)
MC3 = multiclass_scores(MC3_Y, MC3_P)
ESTIMATES = {
    "hand-till": hand_till_estimate,
    "mu": mu_auc_estimate,
    "macro": one_vs_rest_estimate,
    "weighted": lambda data, name=None: one_vs_rest_estimate(data, name, average="weighted"),
    "micro": lambda data, name=None: one_vs_rest_estimate(data, name, average="micro"),
}
DIFFERENCES = {
    "hand-till": hand_till_difference,
    "mu": mu_auc_difference,
    "macro": one_vs_rest_difference,
    "weighted": lambda data: one_vs_rest_difference(data, average="weighted"),
    "micro": lambda data: one_vs_rest_difference(data, average="micro"),
}


@pytest.fixture(scope="module")
def hpc():
    table = datasets.load("hpc_cv")
    columns = {name: table.columns[name] for name in ("VF", "F", "M", "L")}
    return multiclass_scores(table.columns["obs"], columns)


def drawn(n=60, k=3, seed=1, *, m=2, decimals=1):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), np.arange(k), rng.integers(0, k, n - 2 * k)])
    blocks = {}
    for a in range(m):
        score = rng.normal(size=(n, k)) + 1.2 * np.eye(k)[y]
        blocks[f"c{a}"] = score.round(decimals)
    return multiclass_scores(y, blocks)


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


def by_pairs(data, i, j, *, mu=False):
    """A(i|j), pair by pair."""
    score = data.score[:, 0]
    column = score[:, i] - score[:, j] if mu else score[:, i]
    ours, theirs = column[data.label == i], column[data.label == j]
    return np.mean([(x > z) + (x == z) / 2 for x, z in product(ours, theirs)])


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


def jackknife_of_class(value, data, i):
    """Variance from leaving out one case of a class at a time; exact for components."""
    rows = np.flatnonzero(data.label == i)
    left = []
    for c in rows:
        kept = np.arange(len(data)) != c
        left.append(value(multiclass_scores(data.label[kept], data.score[kept, 0])))
    left = np.array(left)
    n = rows.size
    # The area is a mean over the cases of the class: each pseudo-value is a contribution.
    return ((left - left.mean()) ** 2).sum() * (n - 1) ** 2 / n / (n - 1)


@pytest.mark.parametrize(
    ("value", "estimate"), [(hand_till, hand_till_estimate), (mu_auc, mu_auc_estimate)]
)
def test_the_variance_is_that_of_leaving_out_cases_class_by_class(value, estimate):
    data = drawn(22, 3, m=1)
    slow = sum(jackknife_of_class(value, data, i) for i in range(3))
    assert estimate(data).se ** 2 == pytest.approx(slow, rel=1e-10)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_estimated_shares_agree_with_a_bootstrap_of_cases(average):
    data = drawn(240, 3, m=1, seed=4)
    found = one_vs_rest_estimate(data, average=average)
    rng = np.random.default_rng(1)
    values = []
    for _ in range(400):
        rows = rng.integers(0, len(data), len(data))
        again = multiclass_scores(data.label[rows], data.score[rows, 0])
        values.append(one_vs_rest(again, average=average))
    assert np.std(values) == pytest.approx(found.se, rel=0.12)  # 3.4 standard errors
    assert found.se > one_vs_rest_estimate(data, average=average, shares="fixed").se


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("kept", [(1, 1, 0.1), (0.1, 0.1, 1)])
def test_estimated_shares_allow_for_weights_that_depend_on_the_class(average, kept):
    rng = np.random.default_rng(2)
    label = rng.choice(3, 1500, p=[0.42, 0.42, 0.16])
    score = rng.normal(size=(1500, 3))
    score[label == 2] += [-3, -3, 4]  # a class that is easy to tell, so that its share matters
    rate = np.array(kept)[label]
    rows = np.flatnonzero(rng.random(1500) < rate)
    label, score, weight = label[rows], score[rows], 1 / rate[rows]

    def area(w):
        return one_vs_rest(multiclass_scores(label, score, sample_weight=w), average=average)

    def slope(case):  # of the area, by the logarithm of the weight of one case
        ends = (weight * (1 + h * (np.arange(rows.size) == case)) for h in (1e-3, -1e-3))
        high, low = map(area, ends)
        return (high - low) / 2e-3

    # the cases of one class have one weight: a sample of each stands for all of its size
    slow = 0.0
    for i in range(3):
        own = np.flatnonzero(label == i)
        some = rng.choice(own, min(own.size, 30), replace=False)
        slow += own.size * np.mean([slope(case) ** 2 for case in some])
    data = multiclass_scores(label, score, sample_weight=weight)
    assert one_vs_rest_estimate(data, average=average).se == pytest.approx(slow**0.5, rel=0.1)
    alone = multiclass_scores(label, score, sample_weight=weight, cluster=np.arange(rows.size))
    found = one_vs_rest_estimate(data, average=average).se
    assert found == pytest.approx(one_vs_rest_estimate(alone, average=average).se, rel=0.01)


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


RESCALED = {
    "continuous": lambda s: s,
    "a few values": lambda s: np.round(2 * s),
    "whole numbers": lambda s: np.round(9 * s).astype(np.int64) + 2**62,
    "heavy tails": lambda s: np.exp(25 * s),
    "infinite": lambda s: np.where(s > 1, np.inf, np.where(s < -1, -np.inf, s)),
    "one value in half": lambda s: np.maximum(s, 0).astype(np.float32),
}


@pytest.mark.parametrize("rescale", RESCALED.values(), ids=RESCALED)
@pytest.mark.parametrize("weighted", [False, True])
def test_looking_cases_up_says_what_sorting_says(monkeypatch, rescale, weighted):
    rng = np.random.default_rng(8)
    label, score = rng.integers(0, 4, 900), rng.normal(size=(900, 5))
    weight = np.arange(900) % 4 + 0.3 if weighted else None
    data = multiclass_scores(label, rescale(score), classes=range(5), sample_weight=weight)

    def found():
        with pytest.warns(UserWarning, match="No case"):
            estimates = [hand_till_estimate(data), one_vs_rest_estimate(data, average="weighted")]
        return placements.pair_placements(data, None), estimates, placements.pair_areas(data, None)

    slow, of_slow, _ = found()
    monkeypatch.setattr(placements, "_COMPILED", 0)
    new, of_new, area = found()
    np.testing.assert_array_equal(area, new.area)
    for field in ("area", "wins", "losses", "ends"):
        np.testing.assert_allclose(getattr(new, field), getattr(slow, field), atol=1e-14)
    for one, other in zip(of_new, of_slow, strict=True):
        for read in (lambda e: e.se, lambda e: e.df, lambda e: e.interval().low):
            assert read(one) == pytest.approx(read(other), rel=1e-12)
    if not weighted:
        np.testing.assert_array_equal(area, slow.area)


def test_given_priors_replace_the_shares(hpc):
    even = dict.fromkeys(hpc.classes, 1.0)
    assert one_vs_rest(hpc, priors=even) == pytest.approx(hand_till(hpc), rel=1e-12)
    own = dict(zip(hpc.classes, hpc.sizes, strict=True))
    assert one_vs_rest(hpc, priors=own) == pytest.approx(one_vs_rest(hpc), rel=1e-14)
    fixed = one_vs_rest_estimate(hpc, priors=own)
    assert fixed.se == one_vs_rest_estimate(hpc, shares="fixed").se


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


@pytest.mark.parametrize("measure", ESTIMATES)
def test_several_classifiers_at_once(measure):
    data = drawn(60, 3, m=3)
    found = compare_classifiers(data, measure=measure)
    pair = multiclass_scores(data.label, {"c0": data.score[:, 0], "c2": data.score[:, 2]})
    alone = DIFFERENCES[measure](pair)
    assert found.pair("c0", "c2").difference.se == pytest.approx(alone.se, rel=1e-9)
    contrast = np.array([1.0, 0.0, -1.0])
    assert contrast @ found.covariance @ contrast == pytest.approx(alone.se**2, rel=1e-8)
    assert 0 <= found.overall.pvalue <= 1
    assert len(found.pairs) == 3
    assert len(compare_classifiers(data, measure=measure, reference="c1").pairs) == 2


# --- clusters and weights ---------------------------------------------------------------------


def in_clusters(seed=4):
    rng = np.random.default_rng(seed)
    label, cluster = rng.integers(0, 3, 90), np.sort(rng.integers(0, 22, 90))
    score = rng.normal(size=(90, 3)) + np.eye(3)[label] + rng.normal(size=(22, 3))[cluster]
    return label, score, cluster, rng.integers(1, 4, 90).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_of_a_variance_of_clusters_by_a_whole_matrix(weighted):
    label, score, cluster, weight = in_clusters()
    data = multiclass_scores(
        label, score, cluster=cluster, sample_weight=weight if weighted else None
    )
    parts = pairs.hand_till_parts(data, None)
    shares = parts._by_cluster
    many = [np.count_nonzero(part.held) - 1 for part in shares]
    r = np.average([part.intraclass(0) for part in shares], weights=many)
    model, truth, variance = np.zeros((22, 22)), 0.0, 0.0
    whole = np.sum([part.sums[0] for part in shares], axis=0)
    variance = 22 / 21 * float(whole @ whole)
    for part in shares:  # cases of a class correlate within their cluster
        block = np.diag((1 - r) * part.squares + r * part.held**2)
        # A class's sums lose its share of the class's total: e = (I - h 1') s.
        removed = np.eye(22) - np.outer(part.held, np.ones(22))
        left = removed @ block @ removed.T
        factor = np.trace(block) / np.trace(left)  # so that the mean is that of the true variance
        model += factor * left
        truth += float(np.ones(22) @ block @ np.ones(22))
        variance += (factor - 22 / 21) * float(part.sums[0] @ part.sums[0])
    assert np.trace(model) == pytest.approx(truth, rel=1e-9)
    slow = np.trace(model) ** 2 / np.trace(model @ model)
    found = clusters.clustered_spread(shares, classes=3, contrast=True)
    assert found.df == pytest.approx(slow, rel=1e-9)
    assert found.variance == pytest.approx(variance, rel=1e-9)
    assert parts.spread.df <= slow * (1 + 1e-12)


def test_variance_of_two_unequal_clusters_has_no_bias():
    rng = np.random.default_rng(6)
    label = np.repeat([0, 1, 2], [10, 40, 40])
    cluster = np.repeat(np.arange(18), [8, 2, *[5] * 16])  # two clusters of the first class
    areas, found = [], []
    for _ in range(300):
        noise = (rng.normal(size=(90, 3)) + rng.normal(size=(18, 3))[cluster]) / 2**0.5
        data = multiclass_scores(label, noise + np.eye(3)[label], cluster=cluster)
        with pytest.warns(UserWarning, match="2 clusters only"):
            one = hand_till_estimate(data)
        areas.append(one.value)
        found.append(one.se**2)
    truth = np.var(areas)  # I / (I - 1) in place of the factors gives half of it
    assert 0.75 < np.mean(found) / truth < 1.35


def test_intervals_of_weights_and_clusters_hold_the_moderated_ones():
    label, score, cluster, weight = in_clusters()
    for design in ({"cluster": cluster}, {"sample_weight": weight}, {}):
        estimate = hand_till_estimate(multiclass_scores(label, score, **design))
        usual, other = estimate.interval(), estimate.interval(scale="moderated")
        assert usual.method.endswith("unseen")
        if design:
            assert usual.low <= other.low
            assert other.high <= usual.high
    even = hand_till_estimate(multiclass_scores(label, score, sample_weight=np.full(90, 2.0)))
    counted = estimate.interval()
    assert even.interval().high >= counted.high - 1e-12


def test_a_class_in_one_cluster_leaves_the_error_unknown():
    label, score, _, _ = in_clusters()
    one = np.where(label == 0, 0, np.arange(90))
    with pytest.warns(UserWarning, match="has cases in 1 cluster only"):
        estimate = hand_till_estimate(multiclass_scores(label, score, cluster=one))
    assert np.isnan(estimate.se)
    assert estimate.interval().method == "hoeffding"


@pytest.mark.parametrize(("many", "warned"), [(4, True), (5, False)])
def test_a_class_in_few_clusters_is_told(many, warned):
    rng = np.random.default_rng(2)
    label = np.repeat([0, 1, 2], 40)
    cluster = np.arange(120) // 2
    cluster[:40] = np.arange(40) % many + 100
    blocks = {name: rng.random((120, 3)) + 0.4 * np.eye(3)[label] for name in "ab"}
    data = multiclass_scores(label, blocks, classes=[0, 1, 2], cluster=cluster)
    hand_till(data, "a")  # a value does not rest on clusters
    for read in (lambda: hand_till_estimate(data, "a"), lambda: hand_till_difference(data)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("default")
            read()
        said = [str(each.message) for each in told]
        assert any(f"Class 0 has cases in {many} clusters only" in each for each in said) == warned


def test_clusters_of_one_case_change_nothing():
    data = drawn(40, 3, m=1)
    alone = multiclass_scores(data.label, data.score[:, 0], cluster=np.arange(40))
    assert hand_till_estimate(alone).se == pytest.approx(hand_till_estimate(data).se, rel=1e-12)


def test_doubled_cases_in_clusters_keep_the_error():
    data = drawn(60, 3, m=1)
    rows = np.repeat(np.arange(60), 2)
    twice = multiclass_scores(data.label[rows], data.score[rows, 0], cluster=rows)
    assert hand_till_estimate(twice).se == pytest.approx(hand_till_estimate(data).se, rel=1e-12)
    assert hand_till_estimate(multiclass_scores(data.label[rows], data.score[rows, 0])).se < (
        0.8 * hand_till_estimate(data).se
    )


def test_two_classes_in_clusters_of_one_size_are_obuchowskis():
    rng = np.random.default_rng(8)
    y, cluster = np.tile([0, 0, 1], 20), np.repeat(np.arange(20), 3)
    score = rng.normal(size=60) + y + rng.normal(size=20)[cluster]
    data = multiclass_scores(y, np.column_stack([-score, score]), cluster=cluster)
    paired = rs.pair_scores(y, {"s": score}, cluster=cluster)
    usual = clustered_auc_estimate(paired, method="obuchowski")
    assert hand_till_estimate(data).se == pytest.approx(usual.se, rel=1e-12)


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


def test_a_class_of_one_case_has_no_error_but_an_interval():
    data = multiclass_scores([0, 0, 0, 1, 1, 1, 2], drawn(7, 3, m=1).score[:, 0])
    found = hand_till_estimate(data)
    assert np.isnan(found.se)
    low, high = found.interval()
    assert 0 <= low < found.value < high <= 1


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
        (lambda: hand_till_difference(MC3), "compares two classifiers of score"),
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
