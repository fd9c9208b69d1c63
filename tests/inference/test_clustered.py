"""Areas of clusters: by hand, by all pairs, as printed, as a script in R has them."""

import csv
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.compare import auc_difference, compare_aucs
from rocspace.counts import SingleClassError
from rocspace.inference import clustered_auc_estimate, clustered_test, partial_auc_estimate
from rocspace.inference.clustered import clustered_components
from rocspace.results.unseen import unseen_limits
from rocspace.simulate import clustered_binormal
from slow.data import answer, assert_close, cases, reference
from slow.inference import (
    jackknife_by_deletion,
    leverage_df_by_matrices,
    placements_by_pairs,
)

obuchowski = partial(clustered_auc_estimate, method="obuchowski")
few_clusters = pytest.mark.filterwarnings("ignore::UserWarning")  # tiny samples to check sums
pytestmark = few_clusters

RANGES = [{}, {"fpr": (0.1, 0.6)}, {"tpr": (0.3, 1.0)}]


def appendix():
    """The reference data in clusters, and the answers for them."""
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


# --- leaving out clusters ---------------------------------------------------------------------


def jackknifed(data, i=0, j=0):
    """Covariance of two areas, each cluster deleted and the areas computed anew."""
    return jackknife_by_deletion(
        data.label, [data.score[:, i], data.score[:, j]], data.cluster, data.weight
    )


def test_jackknife_by_hand():
    # Positives 3 and 1 in i and j, negatives 2 and 0 in i and k: area 3/4. Without i: 1 over 0,
    # area 1; without j: 3 over 2 and 0, area 1; without k: 3 and 1 over 2, area 1/2.
    # Deviations 1/4, 1/4, -1/4: 2/3 * 3/16 = 1/8.
    data = rs.pair_scores([1, 1, 0, 0], {"s": [3, 1, 2, 0]}, cluster=["i", "j", "i", "k"])
    estimate = clustered_auc_estimate(data)
    assert estimate.value == 0.75
    assert estimate.se == pytest.approx(0.125**0.5, rel=1e-15)
    assert estimate.method == "jackknife of clusters"


@given(sample=clusters(columns=2), higher=st.booleans(), weights=st.sampled_from([0, 1, 2]))
@settings(max_examples=80)
def test_jackknife_deletes_each_cluster(sample, higher, weights):
    label, scores, cluster = sample
    weight = [1 + (7 * i) % 4 for i in range(len(label))] if weights else None
    data = rs.pair_scores(
        label,
        np.transpose(scores),
        cluster=cluster,
        sample_weight=weight,
        higher_is_positive=higher,
    )
    kind = ("importance", "importance", "frequency")[weights]
    found = clustered_components(data, columns=(0, 1), part=None, weight_type=kind)
    signed = [np.array(s) if higher else -np.array(s) for s in scores]
    for i, j in ((0, 0), (0, 1)):
        exact = jackknife_by_deletion(data.label, [signed[i], signed[j]], data.cluster, data.weight)
        assert found.covariance[i, j] == pytest.approx(exact, rel=1e-10, abs=1e-14, nan_ok=True)


@given(sample=clusters(), part=st.sampled_from(RANGES))
@settings(max_examples=60)
def test_jackknife_of_singletons_is_close_to_delong(sample, part):
    label, (score,), _ = sample
    label, score = label * 5, score * 5
    data = rs.pair_scores(label, {"s": score}, cluster=range(len(label)))
    found = clustered_auc_estimate(data, **part)
    table = data.table("s")
    expected = partial_auc_estimate(table, **part) if part else rs.delong(table)
    n = min(table.n_pos, table.n_neg)
    assert found.value == expected.value
    # Of each class n / (n - 1) times DeLong's, but for (I - 1) / I.
    assert (1 - 1 / len(label)) ** 0.5 * expected.se - 1e-9 <= found.se
    assert found.se <= (n / (n - 1)) ** 0.5 * expected.se + 1e-9


@given(sample=clusters(), data=st.data(), kind=st.sampled_from(["importance", "frequency"]))
@settings(max_examples=40)
def test_jackknife_knows_neither_order_nor_names_nor_scale(sample, data, kind):
    label, (score,), cluster = sample
    order = data.draw(st.permutations(range(len(label))))
    plain = clustered_auc_estimate(rs.pair_scores(label, {"s": score}, cluster=cluster))
    mixed = [[column[i] for i in order] for column in (label, score, cluster)]
    again = rs.pair_scores(mixed[0], {"s": mixed[1]}, cluster=[f"c{-c}" for c in mixed[2]])
    twice = rs.pair_scores(label, {"s": score}, cluster=cluster, sample_weight=[2] * len(label))
    for other, of in ((again, {}), (twice, {"weight_type": kind})):
        found = clustered_auc_estimate(other, **of)
        assert found.se == pytest.approx(plain.se, rel=1e-9, abs=1e-9, nan_ok=True)
        if not of or kind == "importance":
            assert found.df == pytest.approx(plain.df, rel=1e-6, abs=1e-6)


def test_degrees_of_freedom_are_those_of_the_labels_exchanged():
    # Two clusters of either class, and a single one of both, which joins one of the two kinds.
    label, cluster = [1, 1, 1, 0, 0, 0, 1, 0], [1, 1, 2, 3, 3, 4, 5, 5]
    score = [5, 6, 0, 5, 2, 3, 6, 1]
    for method in ("obuchowski", "jackknife"):
        one, two = (
            clustered_auc_estimate(rs.pair_scores(y, {"s": s}, cluster=cluster), method=method)
            for y, s in ((label, score), ([1 - y for y in label], [-s for s in score]))
        )
        assert one.value == two.value
        assert one.df == pytest.approx(two.df, rel=1e-9)


@given(sample=clusters())
@settings(max_examples=60)
def test_degrees_of_freedom_of_bell_and_mccaffrey(sample):
    label, (score,), cluster = sample
    data = rs.pair_scores(label, {"s": score}, cluster=cluster)
    found = clustered_components(data, columns=(0,), part=None, weight_type="importance")
    df = found.leverage_df(0)
    a, b = found.by_pos, found.by_neg
    expected = leverage_df_by_matrices(
        a.held, b.held, a.squares, b.squares, a.intraclass(0), b.intraclass(0)
    )
    assert df == pytest.approx(expected, rel=1e-7)


def test_intraclass_correlation_by_hand():
    # Positives of placements 1, 1 | 0, 0: alike within, unlike between: 1. Negatives tie: 0 each.
    data = rs.pair_scores(
        [1, 1, 1, 1, 0, 0, 0, 0], {"s": [3, 3, 0, 0, 1, 1, 1, 1]}, cluster=[1, 1, 2, 2, 3, 3, 4, 4]
    )
    found = clustered_components(data, columns=(0,), part=None, weight_type="importance")
    assert found.by_pos.intraclass(0) == 1
    assert found.by_neg.intraclass(0) == 0


def test_test_and_interval_are_one_statistic():
    data = clustered_binormal([0.8, 0.7], sizes=(2, 4), intraclass=0.6).draw(30, rng=3)
    low, high = clustered_auc_estimate(data, "score_1").interval(0.9)
    for end, side in ((low, "greater"), (high, "less")):
        assert clustered_test(data, "score_1", null_area=end).pvalue == pytest.approx(0.1)
        one_sided = clustered_test(data, "score_1", null_area=end, alternative=side)
        assert one_sided.pvalue == pytest.approx(0.05)
    gain = auc_difference(data)
    assert gain.interval(0.9).method == "jackknife of clusters, t"
    for end in gain.interval(0.9):
        assert gain.test(null=end).pvalue == pytest.approx(0.1)
    assert gain.test().df == gain.df <= 29


def test_a_perfect_score_of_clusters_has_no_t():
    label, cluster = [1, 0] * 12, np.repeat(range(12), 2)
    other = [3, 1, 2, 2, 5, 4, 1, 3] * 3
    data = rs.pair_scores(label, {"a": [2.0 * y for y in label], "b": other}, cluster=cluster)
    gain = auc_difference(data)
    assert gain.interval().method == "jackknife of clusters, moderated"
    for end in gain.interval():
        assert gain.test(null=end).pvalue == pytest.approx(0.05, rel=1e-4)


def grown(sizes, positive, shift=0, seed=9):
    """Normal scores in pure clusters of given sizes; those of the tenth are shifted."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(range(len(sizes)), sizes)
    label = np.isin(cluster, positive)
    score = rng.normal(size=cluster.size) + rng.normal(size=len(sizes))[cluster] + label
    score += shift * (cluster == 9)
    return rs.pair_scores(label, {"s": score, "t": score**2}, cluster=cluster)


@pytest.mark.parametrize(
    ("sizes", "positive", "shift", "seed", "said"),
    [
        (
            [2] * 9 + [80] + [2] * 10,
            range(10),
            -3,
            9,
            r"that of case 18, carries \d\d\.\d % of the variance",
        ),
        ([3] * 20, range(4), 0, 8, "Only 4 of 20 clusters hold positives"),
        ([3] * 20, range(4, 20), 0, 9, "Only 4 of 20 clusters hold negatives"),
    ],
)
def test_few_clusters_are_warned_of(sizes, positive, shift, seed, said):
    data = grown(sizes, positive, shift, seed)
    for call in (clustered_auc_estimate, clustered_test):
        with pytest.warns(UserWarning, match=said):
            call(data, "s")
    with pytest.warns(UserWarning, match="cluster"):
        auc_difference(data)
    with pytest.warns(UserWarning, match="cluster"):
        compare_aucs(data)


@pytest.mark.parametrize("positive", [range(5), range(5, 20)])
def test_five_clusters_of_a_class_are_enough(positive):
    data = grown([3] * 20, positive, 0, 8)
    own = clustered_components(data, columns=(0,), part=None, weight_type="importance")
    assert "clusters hold" not in own.caution(np.ones(1))


def test_many_like_clusters_are_not_warned_of():
    data = grown([3] * 30, range(15))
    with warnings.catch_warnings(record=True) as found:
        clustered_auc_estimate(data, "s")
        clustered_test(data, "s")
        auc_difference(data)
    assert found == []


# --- by Obuchowski -----------------------------------------------------------------------------


def test_by_hand():
    # Positives 3 and 1 in patients 1 and 2, negatives 2 and 0 in patients 1 and 3.
    # Placements of positives 1, 1/2; of negatives 1/2, 1; area 3/4.
    # a = 1/4, -1/4; b = -1/4, 1/4: sums of squares 1/8 each, times 2/(2-1)/4: 1/16 each.
    # One patient has both: a b = -1/16, times 2 * 3/2 / 4: -3/64. In all 5/64.
    data = rs.pair_scores([1, 1, 0, 0], {"s": [3, 1, 2, 0]}, cluster=["i", "j", "i", "k"])
    estimate = obuchowski(data)
    assert estimate.value == 0.75
    assert estimate.se == pytest.approx((5 / 64) ** 0.5, rel=1e-15)
    # Three patients make one and a half pairs.
    assert estimate.n_pairs == 1.5
    assert estimate.method == "clustered"


def test_reference_of_the_appendix():
    data, kept = appendix()
    estimate = obuchowski(data)
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
    estimate = obuchowski(data)
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
    estimate = obuchowski(data)
    assert_close([estimate.value, estimate.se], [expected["auc"], expected["se_clustered"]])


@given(sample=clusters(columns=2), higher=st.booleans())
@settings(max_examples=80)
def test_covariance_is_that_of_the_definition(sample, higher):
    label, scores, cluster = sample
    data = rs.pair_scores(label, np.transpose(scores), cluster=cluster, higher_is_positive=higher)
    signed = [s if higher else [-x for x in s] for s in scores]
    found = clustered_components(
        data, columns=(0, 1), part=None, weight_type="importance", method="obuchowski"
    )
    for i, j in ((0, 0), (1, 1), (0, 1), (1, 0)):
        exact = covariance_by_pairs(label, signed[i], signed[j], cluster)
        assert found.covariance[i, j] == pytest.approx(float(exact), rel=1e-11, abs=1e-14)
    variance = max(float(covariance_by_pairs(label, signed[0], signed[0], cluster)), 0)
    assert obuchowski(data, "score_1").se == pytest.approx(variance**0.5, abs=1e-7)
    assert obuchowski(data, "score_1").value == rs.auc(data.table("score_1"))


@given(sample=clusters(), part=st.sampled_from(RANGES), weighted=st.booleans())
@settings(max_examples=60)
def test_singletons_are_independent_cases(sample, part, weighted):
    label, (score,), _ = sample
    weight = [0.5 + (i % 3) for i in range(len(label))] if weighted else None
    data = rs.pair_scores(label, {"s": score}, cluster=range(len(label)), sample_weight=weight)
    found = obuchowski(data, **part)
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
    plain = obuchowski(rs.pair_scores(label, {"s": score}, cluster=cluster))
    mixed = [[column[i] for i in order] for column in (label, score, cluster)]
    again = rs.pair_scores(mixed[0], {"s": mixed[1]}, cluster=[f"c{-c}" for c in mixed[2]])
    assert obuchowski(again).se == pytest.approx(plain.se, rel=1e-9, abs=1e-9)
    # Every case twice in its cluster: nothing new.
    twice = rs.pair_scores(label * 2, {"s": score * 2}, cluster=cluster * 2)
    assert obuchowski(twice).se == pytest.approx(plain.se, rel=1e-9, abs=1e-9)
    counted = rs.pair_scores(label, {"s": score}, cluster=cluster, sample_weight=[2] * len(label))
    for kind in ("frequency", "importance"):
        found = obuchowski(counted, weight_type=kind)
        assert found.se == pytest.approx(plain.se, rel=1e-9, abs=1e-9)


def test_frequencies_are_repeated_cases():
    data, kept = appendix()
    weight = [1 + i % 3 for i in range(12)]
    repeated = [np.repeat(kept[name], weight) for name in ("y", "s", "cl")]
    by_weight = rs.pair_scores(
        kept["y"], {"a": kept["s"]}, cluster=kept["cl"], sample_weight=weight
    )
    found = obuchowski(by_weight, weight_type="frequency")
    expected = obuchowski(rs.pair_scores(repeated[0], {"a": repeated[1]}, cluster=repeated[2]))
    assert_close([found.value, found.se, found.df], [expected.value, expected.se, expected.df])
    assert found.se != pytest.approx(obuchowski(data).se)


def test_a_class_in_one_cluster_tells_no_error():
    data = rs.pair_scores([1, 1, 0, 0], {"s": [1, 2, 3, 1.5]}, cluster=[1, 1, 2, 3])
    estimate = obuchowski(data)
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
    found = compare_aucs(data)
    assert found.estimates == (one, two)
    assert found.pairs[0].difference == gain
    assert found.overall.statistic == pytest.approx((gain.value / gain.se) ** 2)
    cov = [jackknifed(data, *pair) for pair in ((0, 0), (1, 1), (0, 1))]
    assert gain.se**2 == pytest.approx(cov[0] + cov[1] - 2 * cov[2], rel=1e-9)
    assert gain.correlation == pytest.approx(cov[2] / (cov[0] * cov[1]) ** 0.5, rel=1e-9)
    assert found.covariance.ravel() == pytest.approx([cov[0], cov[2], cov[2], cov[1]], rel=1e-9)


def test_differences_by_obuchowski():
    rng = np.random.default_rng(5)
    data = clustered_binormal([0.8, 0.7], sizes=(2, 4), intraclass=0.7).draw(50, rng=rng)
    found = clustered_components(
        data, columns=(0, 1), part=None, weight_type="importance", method="obuchowski"
    )
    score = [column.tolist() for column in data.score.T]
    cov = [
        float(covariance_by_pairs(data.label.tolist(), a, b, data.cluster.tolist()))
        for a, b in (score[:1] * 2, score[1:] * 2, score)
    ]
    of_gap = found.spread(np.array([1.0, -1.0])).variance
    assert of_gap == pytest.approx(cov[0] + cov[1] - 2 * cov[2], rel=1e-9)
    assert found.covariance.ravel() == pytest.approx([cov[0], cov[2], cov[2], cov[1]], rel=1e-9)


def test_one_area_against_a_given_one():
    data, _ = appendix()
    estimate = obuchowski(data)
    result = clustered_test(data, null_area=0.6, alternative="greater", method="obuchowski")
    assert result.statistic == pytest.approx((estimate.value - 0.6) / estimate.se)
    assert result.df == estimate.df
    from scipy import stats

    assert result.pvalue == pytest.approx(stats.t.sf(result.statistic, estimate.df))
    assert clustered_test(data, null_area=0.6, method="obuchowski").pvalue == pytest.approx(
        2 * result.pvalue
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda d: clustered_auc_estimate(rs.pair_scores([0, 1], {"a": [1, 2]})), "needs clusters"),
        (clustered_auc_estimate, "Which score"),
        (lambda d: clustered_auc_estimate(d, "scor_1"), "no score 'scor_1'"),
        (lambda d: clustered_auc_estimate(d, "score_1", fpr=(0, 1), tpr=(0, 1)), "not both"),
        (lambda d: clustered_auc_estimate(d, "score_1", fpr=(0.5, 0.1)), "smaller"),
        (lambda d: clustered_auc_estimate(d, "score_1", weight_type="case"), "weight_type"),
        (lambda d: clustered_auc_estimate(d, "score_1", method="delong"), "method"),
        (lambda d: clustered_test(d, "score_1", alternative="more"), "alternative"),
        (lambda d: clustered_test(d, "score_1", null_area=2), "null_area is 2"),
    ],
)
def test_bad_input(wrong, said):
    data = clustered_binormal([0.8, 0.7]).draw(9, rng=1)
    with pytest.raises(ValueError, match=said):
        wrong(data)


def test_one_class_or_a_table():
    with pytest.raises(
        SingleClassError,
        match=r"clustered_auc_estimate needs .* 2 positives and 0",
    ):
        clustered_auc_estimate(rs.pair_scores([1, 1], {"a": [1, 2]}, cluster=[1, 2], pos_label=1))
    with pytest.raises(TypeError, match="PairedScores"):
        clustered_auc_estimate(rs.tabulate([0, 1], [1, 2]))


def test_a_cluster_of_one_class_is_an_unseen_unit():
    # Eight patients with the condition, eight without, five readings each; one reading is wrong.
    cluster, label = np.repeat(range(16), 5), np.repeat([1, 0], 40)
    score = np.where(label, 20.0, 0.0) + cluster % 8
    score[0] = -1.0
    found = clustered_auc_estimate(rs.pair_scores(label, {"s": score}, cluster=cluster))
    assert found.value == 1 - 1 / 40
    pos, neg = found.classes
    assert neg.n == pytest.approx(8)  # the readings of a patient are the same
    assert 8 < pos.n < 9
    # Placements of the patients: 4/5 and seven times 1; of their mean, 39/40.
    deviation = np.append(0.8, np.ones(7)) - 39 / 40
    assert pos.spread / pos.n == pytest.approx((deviation**2).sum() / 64)
    assert (pos.low, pos.high, neg.spread) == (0.0, 1.0, pytest.approx(0))
    low, high = unseen_limits(found.value, found.classes, 0.95)
    plain = found.interval(scale="moderated")
    assert tuple(found.interval()) == (min(low, plain.low), max(high, plain.high))
    assert found.interval().low < plain.low - 0.1
    # Where the readings of a patient are not alike, or are of both classes, each is a unit.
    unlike = np.where(label, 20.0, 0.0) + np.arange(80) % 5
    for scores, patients in ((unlike, cluster), (score, np.arange(80) % 10)):
        mixed = rs.pair_scores(label, {"s": scores}, cluster=patients)
        assert [of.n for of in clustered_auc_estimate(mixed).classes] == [pytest.approx(40)] * 2
