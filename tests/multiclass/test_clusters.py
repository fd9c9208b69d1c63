"""Variances where cases come in clusters: by a whole matrix, by known cases."""

import warnings

import numpy as np
import pytest

import rocspace as rs
from rocspace.inference import clustered_auc_estimate
from rocspace.multiclass import (
    clusters,
    hand_till,
    hand_till_difference,
    hand_till_estimate,
    multiclass_scores,
    pairs,
)
from several_classes import drawn, in_clusters


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


# --- by hand ------------------------------------------------------------------------------------


def test_shares_of_a_class_by_hand():
    # Three clusters of four in which the class has cases: two in the first, one in two others.
    cluster, w = np.array([0, 0, 1, 3]), np.array([1.0, 3, 2, 2])
    deviation = np.array([0.2, -0.4, 0.1, 0.4])
    found = clusters.shares_of(cluster, 4, deviation, w)
    np.testing.assert_allclose(found.sums, [[-1 / 8, 0.2 / 8, 0, 0.8 / 8]])
    np.testing.assert_allclose(found.held, [4 / 8, 2 / 8, 0, 2 / 8])
    np.testing.assert_allclose(found.squares, [10 / 64, 4 / 64, 0, 4 / 64])
    assert found.weight.tolist() == [4, 2, 0, 2]
    assert found.factor == pytest.approx(3 / 2)
    # Within the first cluster, whose mean is -1/4.
    assert found.within[0] == pytest.approx((1 * 0.45**2 + 3 * 0.15**2) / 8)


def test_disjoint_sets_are_limited_by_the_rarest_class_and_by_the_clusters():
    wide = clusters.shares_of(np.arange(9), 9, np.zeros(9), np.ones(9))
    rare = clusters.shares_of(np.array([0, 1]), 9, np.zeros(2), np.array([1.0, 3]))
    assert clusters.cluster_sets([wide, wide, wide]) == 3  # nine clusters for three classes
    assert clusters.cluster_sets([wide, rare]) == pytest.approx(16 / 10)


def test_a_class_in_a_single_cluster_makes_the_variance_unknown():
    one = clusters.shares_of(np.zeros(3, dtype=int), 4, np.array([0.1, 0, -0.1]), np.ones(3))
    more = clusters.shares_of(np.arange(4), 4, np.array([0.2, -0.1, 0, -0.1]), np.ones(4))
    found = clusters.clustered_spread([one, more], classes=2, contrast=False)
    assert np.isnan(found.variance)
    assert found.df == 0


def test_no_deviation_is_no_variance():
    flat = clusters.shares_of(np.arange(4), 4, np.zeros(4), np.ones(4))
    found = clusters.clustered_spread([flat, flat], classes=2, contrast=False)
    assert (found.variance, found.df) == (0, 0)


def test_clusters_of_one_case_of_each_class_are_counted_as_a_paired_sample():
    """Each cluster has a case of both classes: the variance of the mean of their sums."""
    rng = np.random.default_rng(3)
    parts = []
    for _ in range(2):
        away = rng.normal(size=12)
        parts.append(clusters.shares_of(np.arange(12), 12, away - away.mean(), np.ones(12)))
    sums = 12 * (parts[0].sums[0] + parts[1].sums[0])
    found = clusters.clustered_spread(parts, classes=2, contrast=True)
    assert found.variance == pytest.approx(sums.var(ddof=1) / 12)
