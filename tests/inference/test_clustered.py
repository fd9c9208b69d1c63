"""Areas of clusters: by hand, by all pairs, as printed, as a script in R has them."""

import csv
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.compare import auc_difference, compare_aucs
from rocspace.counts import SingleClassError
from rocspace.inference import clustered_auc_estimate, clustered_test, partial_auc_estimate
from rocspace.inference.clustered import clustered_components
from rocspace.simulate import clustered_binormal
from slow.data import answer, assert_close, cases, reference
from slow.inference import placements_by_pairs

RANGES = [{}, {"fpr": (0.1, 0.6)}, {"tpr": (0.3, 1.0)}]


def appendix():
    """Data of METHODS.md, appendix R."""
    kept = reference()["obuchowski_cluster"]
    return rs.pair_scores(kept["y"], {"a": kept["s"]}, cluster=kept["cl"]), kept


def retinopathy(shared, column):
    with (shared / "data" / "retinopathy.csv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    label = [int(r["status"]) for r in rows]
    score, cluster = ([int(r[name]) for r in rows] for name in (column, "id"))
    return label, score, cluster


def covariance_by_pairs(label, one, two, cluster):
    """Obuchowski's covariance from the whole matrix of comparisons, in fractions."""
    sums = []
    for score in (one, two):
        (pos, neg), area = placements_by_pairs(label, score), None
        area = sum(pos) / len(pos)
        left, a, b = [iter(pos), iter(neg)], {}, {}
        for y, c in zip(label, cluster, strict=True):
            into, v = (a, next(left[0])) if y else (b, next(left[1]))
            into[c] = into.get(c, 0) + v - area
        sums.append((a, b))
    (a1, b1), (a2, b2) = sums
    P, N = sum(label), len(label) - sum(label)

    def over(x, y, divisor):
        n = len({*x, *y})
        return sum(x.get(c, 0) * y.get(c, 0) for c in {*x, *y}) * Fraction(n, n - 1) / divisor

    return over(a1, a2, P * P) + over(b1, b2, N * N) + over(a1, b2, P * N) + over(a2, b1, P * N)


@st.composite
def clusters(draw, *, columns=1, max_size=16):
    """Labels, columns of few distinct scores, clusters: both classes in two of them at least."""
    n = draw(st.integers(4, max_size))
    label = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    cluster = draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))
    label[:4], cluster[:4] = [True, False, True, False], [0, 1, 2, 3]
    score = st.lists(st.integers(-3, 3).map(float), min_size=n, max_size=n)
    return label, [draw(score) for _ in range(columns)], cluster


# --- one area ---------------------------------------------------------------------------------


def test_by_hand():
    # Positives 3 and 1 in patients 1 and 2, negatives 2 and 0 in patients 1 and 3.
    # Placements of positives 1, 1/2; of negatives 1/2, 1; area 3/4.
    # a = 1/4, -1/4; b = -1/4, 1/4: sums of squares 1/8 each, times 2/(2-1)/4: 1/16 each.
    # One patient has both: a b = -1/16, times 2 * 3/2 / 4: -3/64. In all 5/64.
    data = rs.pair_scores([1, 1, 0, 0], {"s": [3, 1, 2, 0]}, cluster=["i", "j", "i", "k"])
    estimate = clustered_auc_estimate(data)
    assert estimate.value == 0.75
    assert estimate.se == pytest.approx((5 / 64) ** 0.5, rel=1e-15)
    # Three patients make one and a half pairs.
    assert estimate.n_pairs == 1.5
    assert estimate.method == "clustered"


def test_reference_of_the_appendix():
    data, kept = appendix()
    estimate = clustered_auc_estimate(data)
    assert_close(estimate.value, 0.8285714285714286)
    assert estimate.se**2 == pytest.approx(0.0103876718, abs=5e-11)
    assert_close(estimate.se**2, kept["var"], 12)
    delong = rs.delong(data.table("a"))
    assert delong.se**2 == pytest.approx(0.0175510, abs=5e-8)


@pytest.mark.parametrize(("column", "higher"), [("risk", True), ("age", False)])
def test_oracle_retinopathy(column, higher, shared, request):
    expected = answer(f"cluster__retinopathy_status_by_{column}", request)
    label, score, cluster = retinopathy(shared, column)
    data = rs.pair_scores(label, {"s": score}, cluster=cluster, higher_is_positive=higher)
    estimate = clustered_auc_estimate(data)
    assert_close(estimate.value, expected["auc"])
    assert_close(estimate.se**2, expected["var_clustered"], 11)
    assert_close(tuple(estimate.interval(0.95, scale="identity")), expected["ci95_clustered"], 9)
    assert_close(rs.delong(data.table("s")).se ** 2, expected["var_delong_ignoring_clusters"])
    # The bootstrap of clusters, with its own Monte Carlo error.
    assert estimate.se == pytest.approx(expected["cluster_bootstrap_1000_seed42"]["sd"], rel=0.1)
    if column == "risk":
        kept = reference()["retinopathy_cluster"]
        assert_close([estimate.value, estimate.se**2], [kept["auc"], kept["var"]], 11)


def test_oracle_singletons(request):
    expected = answer("cluster__asah_s100b_singletons", request)
    label, score = cases("asah_s100b", request)
    data = rs.pair_scores(label, {"s": score}, cluster=np.arange(len(label)))
    estimate = clustered_auc_estimate(data)
    assert_close([estimate.value, estimate.se], [expected["auc"], expected["se_clustered"]])


@given(sample=clusters(columns=2), higher=st.booleans())
@settings(max_examples=80)
def test_covariance_is_that_of_the_definition(sample, higher):
    label, scores, cluster = sample
    data = rs.pair_scores(label, np.transpose(scores), cluster=cluster, higher_is_positive=higher)
    signed = [s if higher else [-x for x in s] for s in scores]
    found = clustered_components(data, columns=(0, 1), part=None, weight_type="importance")
    for i, j in ((0, 0), (1, 1), (0, 1), (1, 0)):
        exact = covariance_by_pairs(label, signed[i], signed[j], cluster)
        assert found.covariance[i, j] == pytest.approx(float(exact), rel=1e-11, abs=1e-14)
    variance = max(float(covariance_by_pairs(label, signed[0], signed[0], cluster)), 0)
    assert clustered_auc_estimate(data, "score_1").se == pytest.approx(variance**0.5, abs=1e-7)
    assert clustered_auc_estimate(data, "score_1").value == rs.auc(data.table("score_1"))


@given(sample=clusters(), part=st.sampled_from(RANGES), weighted=st.booleans())
@settings(max_examples=60)
def test_singletons_are_independent_cases(sample, part, weighted):
    label, (score,), _ = sample
    weight = [0.5 + (i % 3) for i in range(len(label))] if weighted else None
    data = rs.pair_scores(label, {"s": score}, cluster=range(len(label)), sample_weight=weight)
    found = clustered_auc_estimate(data, **part)
    table = data.table("s")
    expected = partial_auc_estimate(table, **part) if part else rs.delong(table)
    assert found.value == expected.value
    assert found.se == pytest.approx(expected.se, rel=1e-10, abs=1e-12, nan_ok=True)
    assert found.n_pairs == pytest.approx(expected.n_pairs)
    if weight is None and expected.se > 1e-9:
        assert found.df == pytest.approx(expected.df)


@given(sample=clusters(), data=st.data())
@settings(max_examples=40)
def test_order_names_and_repetition(sample, data):
    label, (score,), cluster = sample
    order = data.draw(st.permutations(range(len(label))))
    plain = clustered_auc_estimate(rs.pair_scores(label, {"s": score}, cluster=cluster))
    mixed = [[column[i] for i in order] for column in (label, score, cluster)]
    again = rs.pair_scores(mixed[0], {"s": mixed[1]}, cluster=[f"c{-c}" for c in mixed[2]])
    assert clustered_auc_estimate(again).se == pytest.approx(plain.se, rel=1e-9, abs=1e-9)
    # Every case twice in its cluster: nothing new.
    twice = rs.pair_scores(label * 2, {"s": score * 2}, cluster=cluster * 2)
    assert clustered_auc_estimate(twice).se == pytest.approx(plain.se, rel=1e-9, abs=1e-9)
    counted = rs.pair_scores(label, {"s": score}, cluster=cluster, sample_weight=[2] * len(label))
    for kind in ("frequency", "importance"):
        found = clustered_auc_estimate(counted, weight_type=kind)
        assert found.se == pytest.approx(plain.se, rel=1e-9, abs=1e-9)


def test_frequencies_are_repeated_cases():
    data, kept = appendix()
    weight = [1 + i % 3 for i in range(12)]
    repeated = [np.repeat(kept[name], weight) for name in ("y", "s", "cl")]
    by_weight = rs.pair_scores(
        kept["y"], {"a": kept["s"]}, cluster=kept["cl"], sample_weight=weight
    )
    found = clustered_auc_estimate(by_weight, weight_type="frequency")
    expected = clustered_auc_estimate(
        rs.pair_scores(repeated[0], {"a": repeated[1]}, cluster=repeated[2])
    )
    assert_close([found.value, found.se, found.df], [expected.value, expected.se, expected.df])
    assert found.se != pytest.approx(clustered_auc_estimate(data).se)


def test_a_class_in_one_cluster_tells_no_error():
    data = rs.pair_scores([1, 1, 0, 0], {"s": [1, 2, 3, 1.5]}, cluster=[1, 1, 2, 3])
    estimate = clustered_auc_estimate(data)
    assert np.isnan(estimate.se)
    assert estimate.interval().method == "hoeffding"
    result = clustered_test(data)
    assert np.isnan(result.pvalue)
    assert "unknown" in result.note


def test_degrees_of_freedom_are_those_of_clusters():
    # Ten clusters of many cases that are all alike: ten numbers, not a thousand.
    rng = np.random.default_rng(2)
    population = clustered_binormal([0.8], sizes=(100,), intraclass=0.9, label_correlation=0.3)
    assert clustered_auc_estimate(population.draw(10, rng=rng)).df < 10
    many = clustered_auc_estimate(population.draw(400, rng=rng)).df
    assert 100 < many < 400


# --- differences and tests --------------------------------------------------------------------


def test_differences_respect_clusters():
    rng = np.random.default_rng(5)
    data = clustered_binormal([0.8, 0.7], sizes=(2, 4), intraclass=0.7).draw(50, rng=rng)
    gain = auc_difference(data, "score_1", "score_2")
    one, two = (clustered_auc_estimate(data, name) for name in data.names)
    assert (gain.first, gain.second) == (one, two)
    score = [column.tolist() for column in data.score.T]
    cov = [
        float(covariance_by_pairs(data.label.tolist(), a, b, data.cluster.tolist()))
        for a, b in (score[:1] * 2, score[1:] * 2, score)
    ]
    assert gain.se**2 == pytest.approx(cov[0] + cov[1] - 2 * cov[2], rel=1e-9)
    assert gain.correlation == pytest.approx(cov[2] / (cov[0] * cov[1]) ** 0.5, rel=1e-9)
    found = compare_aucs(data)
    assert found.estimates == (one, two)
    assert found.covariance.ravel() == pytest.approx([cov[0], cov[2], cov[2], cov[1]], rel=1e-9)
    assert found.pairs[0].difference == gain
    assert found.overall.statistic == pytest.approx((gain.value / gain.se) ** 2)


def test_one_area_against_a_given_one():
    data, _ = appendix()
    estimate = clustered_auc_estimate(data)
    result = clustered_test(data, null_area=0.6, alternative="greater")
    assert result.statistic == pytest.approx((estimate.value - 0.6) / estimate.se)
    assert result.df == estimate.df
    from scipy import stats

    assert result.pvalue == pytest.approx(stats.t.sf(result.statistic, estimate.df))
    assert clustered_test(data, null_area=0.6).pvalue == pytest.approx(2 * result.pvalue)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda d: clustered_auc_estimate(rs.pair_scores([0, 1], {"a": [1, 2]})), "needs clusters"),
        (clustered_auc_estimate, "Which score"),
        (lambda d: clustered_auc_estimate(d, "scor_1"), "no score 'scor_1'"),
        (lambda d: clustered_auc_estimate(d, "score_1", fpr=(0, 1), tpr=(0, 1)), "not both"),
        (lambda d: clustered_auc_estimate(d, "score_1", fpr=(0.5, 0.1)), "smaller"),
        (lambda d: clustered_auc_estimate(d, "score_1", weight_type="case"), "weight_type"),
        (lambda d: clustered_test(d, "score_1", alternative="more"), "alternative"),
        (lambda d: clustered_test(d, "score_1", null_area=2), "null_area is 2"),
    ],
)
def test_bad_input(wrong, said):
    data = clustered_binormal([0.8, 0.7]).draw(9, rng=1)
    with pytest.raises(ValueError, match=said):
        wrong(data)


def test_one_class_or_a_table():
    with pytest.raises(SingleClassError):
        clustered_auc_estimate(rs.pair_scores([1, 1], {"a": [1, 2]}, cluster=[1, 2], pos_label=1))
    with pytest.raises(TypeError, match="PairedScores"):
        clustered_auc_estimate(rs.tabulate([0, 1], [1, 2]))
