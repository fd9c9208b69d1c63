"""Tests of whole curves: by hand, by definition, as pROC has them, and whether they hold."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace._kernels.ranks import curve_gaps, deal, rank_gaps
from rocspace.compare import venkatraman_test
from rocspace.counts import SingleClassError
from slow.data import F3, answer, cases, reference, samples

S2 = reference()["paired_s2"]


def errors_at_every_cut(label, score):
    """False negatives plus false positives if the k lowest cases are called negative."""
    order = sorted(range(len(score)), key=lambda i: score[i])
    found = []
    for k in range(1, len(order)):
        low = order[:k]
        found.append(sum(label[i] for i in low) + sum(not label[i] for i in order[k:]))
    return found


def distance(label, one, two):
    pairs = zip(errors_at_every_cut(label, one), errors_at_every_cut(label, two), strict=True)
    return sum(abs(a - b) for a, b in pairs)


def error_curve(label, score, kappa):
    """Knots (share called negative, error rate), both at prevalence kappa."""
    order = sorted(range(len(score)), key=lambda i: score[i])
    P, N = sum(label), len(label) - sum(label)
    knots = [(0.0, 1 - kappa)]
    for k in range(1, len(order) + 1):
        fnr = sum(label[i] for i in order[:k]) / P
        tnr = sum(not label[i] for i in order[:k]) / N
        knots.append((kappa * fnr + (1 - kappa) * tnr, kappa * fnr + (1 - kappa) * (1 - tnr)))
    return np.transpose(knots)


def area_between(one, two):
    """Trapezoids of the absolute difference at all knots of both."""
    x = np.union1d(one[0].round(12), two[0].round(12))
    return np.trapezoid(np.abs(np.interp(x, *one) - np.interp(x, *two)), x)


# --- paired -----------------------------------------------------------------------------------


def test_paired_by_hand():
    # Cases in order of the first score: p n p n from above; of the second: n p p n. Errors of the
    # first for k = 1, 2, 3: cut below the top 3: 1; top 2: 2; top 1: 1. Of the second: top 3:
    # 1 (the n); top 2: 1 + 1 = 2; top 1: 2 + 1 = 3. Distance 0 + 0 + 2.
    data = rs.pair_scores([1, 0, 1, 0], {"a": [4, 3, 2, 1], "b": [3, 4, 2, 1]})
    found = venkatraman_test(data, "a", "b", n_perm=400, rng=1)
    assert found.statistic == 2 == distance([1, 0, 1, 0], [4, 3, 2, 1], [3, 4, 2, 1])
    assert found.difference == 0.75 - 0.5
    # Of the 4 ways to swap the first two cases, two order them as observed (one in each
    # column), and two have them tied in both: a coin for each, and half of the time 2 again.
    assert found.pvalue == pytest.approx(0.75, abs=0.09)


def test_reference_paired(request):
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2})
    found = venkatraman_test(data, "a", "b", n_perm=1, rng=0)
    assert found.statistic == reference()["venkatraman_E_F3_S2"] == 34
    markers = {m: cases("asah", request, m) for m in ("s100b", "ndka", "wfns")}
    data = rs.pair_scores(markers["ndka"][0], {m: s for m, (_, s) in markers.items()})
    random = {"s100b/ndka": (711, 9), "s100b/wfns": (634, 46), "wfns/ndka": (1277, 45)}
    for names, expected in reference()["venkatraman_E_first"].items():
        if not names.startswith("dm"):
            pair = names.split("/")
            first = venkatraman_test(data, *pair, ties="first", n_perm=1, rng=0)
            assert first.statistic == expected
            mean, sd = random[names]
            many = [venkatraman_test(data, *pair, n_perm=1, rng=k).statistic for k in (0, 1)]
            assert many[0] != many[1]
            # Scores of one case are put in order by one key, so a little nearer together.
            assert np.abs(np.array(many) - mean).max() < max(2 * sd, 0.05 * mean)


@pytest.mark.parametrize(
    "name",
    ["asah__s100b_vs_ndka", "dm_rocdata__test1_vs_test2", "breast_w__Cl_thickness_vs_Cell_size"],
)
def test_as_proc_paired(name, request):
    theirs = answer(f"paired__{name}", request)
    a, b = (cases(theirs["dataset"], request, theirs[f"marker_{x}"]) for x in "ab")
    data = rs.pair_scores(a[0], {"a": a[1], "b": b[1]})
    expected = theirs["venkatraman_2000perm_seed42"]
    found = venkatraman_test(data, "a", "b", ties="first", n_perm=4000, rng=7)
    assert found.statistic == expected["statistic"]["E"]
    p = expected["p_value"]
    noise = (max(p * (1 - p), 1e-3) * (1 / 2000 + 1 / 4000)) ** 0.5
    assert found.pvalue == pytest.approx(p, abs=4 * noise)


@given(sample=samples(max_size=14), seed=st.integers(0, 99))
@settings(max_examples=50)
def test_permutations_are_those_of_the_definition(sample, seed):
    label, _ = sample
    n = len(label)
    rng = np.random.default_rng(seed)
    one, two = rng.permutation(n), rng.permutation(n)
    bits = rng.integers(0, 4, size=(8, n), dtype=np.uint8)
    found = np.zeros(8, dtype=np.int64)
    sign = np.where(label, 1, -1).astype(np.int8)
    orders = np.argsort(one)[np.newaxis], np.argsort(two)[np.newaxis]
    rank_gaps(*orders, sign, bits, found)
    for row, gap in zip(bits, found, strict=True):
        swapped = (row & 1).astype(bool)
        r, s = np.where(swapped, two, one), np.where(swapped, one, two)
        # Of two cases that share rank v, that of the first score comes first, unless the bit
        # of v says otherwise.
        own = np.empty(n)
        late = (row & 2).astype(bool)
        for ranks, place in ((r, 0), (s, 1)):
            by = np.where(swapped == bool(place), 0, 1)  # 0: the rank came from the first score
            shifted = np.where(late[ranks], 1 - by, by)
            if place == 0:
                own = ranks + shifted / 2
            else:
                other = ranks + shifted / 2
        assert gap == distance(label, own.tolist(), other.tolist())


def test_identical_curves():
    label = F3[0] * 2
    tied = np.round(np.array(F3[1] * 2) * 5)
    data = rs.pair_scores(label, {"a": tied, "b": np.exp(tied), "c": -tied})
    found = venkatraman_test(data, "a", "b", n_perm=50, rng=3)
    assert (found.statistic, found.pvalue, found.difference) == (0, 1, 0)
    assert venkatraman_test(data, "a", "c", n_perm=50, rng=3).pvalue < 0.2


def crossing(rng, n):
    """Equal areas, different curves: positives N(1, 1) and N(sqrt(5), 9) less one rescaled."""
    label = np.repeat([1, 0], n)
    one = np.concatenate([rng.normal(1, 1, n), rng.normal(0, 1, n)])
    two = np.concatenate([rng.normal(5**0.5, 3, n), rng.normal(0, 1, n)])
    return label, one, two


def test_curves_that_cross_are_found():
    # Both areas are Phi(1 / sqrt 2); the curves differ by up to a fifth.
    label, one, two = crossing(np.random.default_rng(5), 300)
    data = rs.pair_scores(label, {"a": one, "b": two})
    from rocspace.compare import auc_difference

    assert auc_difference(data, "a", "b").test().pvalue > 0.05
    assert venkatraman_test(data, "a", "b", n_perm=200, rng=1).pvalue < 0.01
    apart = venkatraman_test(
        {"first": rs.tabulate(label, one), "second": rs.tabulate(label, two)}, n_perm=200, rng=1
    )
    assert apart.pvalue < 0.01


# --- independent ------------------------------------------------------------------------------


def by_gender(request, marker):
    path = request.getfixturevalue("shared") / "data" / "asah.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for group in ("Female", "Male"):
        own = [r for r in rows if r["gender"] == group]
        yield rs.pair_scores(
            [int(r["outcome"]) for r in own], {marker: [float(r[marker]) for r in own]}
        )


@pytest.mark.parametrize("marker", ["ndka", "s100b", "wfns"])
def test_reference_independent(marker, request):
    expected = reference()["venkatraman_unpaired_asah_gender"][marker]["with_zero_knot"]
    women, men = by_gender(request, marker)
    found = venkatraman_test({"first": women, "second": men}, ties="first", n_perm=500, rng=2)
    assert found.statistic == pytest.approx(expected, rel=1e-12)
    if marker == "ndka":
        # pROC divides by another number, so its statistic is another one, and not far off.
        p = answer("unpaired__asah__ndka__by__gender", request)
        theirs = p["venkatraman_unpaired_2000perm_seed42"]["p_value"]
        assert found.pvalue == pytest.approx(theirs, abs=0.12)


@given(sample=samples(max_size=12), other=samples(max_size=12), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_independent_is_the_definition(sample, other, seed):
    rng = np.random.default_rng(seed)
    parts = [(label, rng.permutation(len(label)).tolist()) for label, _ in (sample, other)]
    n_pos = sum(sum(label) for label, _ in parts)
    kappa = n_pos / sum(len(label) for label, _ in parts)
    data = [rs.pair_scores(label, {"s": score}) for label, score in parts]
    found = venkatraman_test(dict(enumerate(data)), n_perm=3, rng=1)
    slow = area_between(*(error_curve(label, score, kappa) for label, score in parts))
    assert found.statistic == pytest.approx(slow, abs=1e-10)
    back = venkatraman_test(dict(enumerate(data[::-1])), n_perm=3, rng=1)
    assert back.statistic == pytest.approx(found.statistic, abs=1e-12)
    # Tables without ties know all that matters.
    tables = [rs.tabulate(label, score) for label, score in parts]
    assert venkatraman_test(dict(enumerate(tables)), n_perm=3, rng=1).statistic == pytest.approx(
        slow, abs=1e-10
    )


def test_area_between_error_curves_by_hand():
    # One positive and one negative in each sample, kappa 1/2. The first is right: errors 1/2, 0,
    # 1/2 at p = 0, 1/2, 1. The second is wrong: 1/2, 1, 1/2. Between: a triangle of height 1.
    positive = np.array([False, True, True, False])  # least positive first
    second = np.array([[False, True, False, True]])
    gap = np.zeros(1)
    curve_gaps(positive, second, np.array([1, 1, 1, 1]), 0.5, gap)
    assert gap[0] == 0.5


def test_dealing_is_fair():
    chosen = np.empty((6000, 5), dtype=bool)
    deal(np.random.default_rng(1).random((6000, 5)), 2, chosen)
    assert (chosen.sum(axis=1) == 2).all()
    count = np.unique(chosen @ (1 << np.arange(5)), return_counts=True)[1]
    assert count.size == 10
    assert np.abs(count - 600).max() < 5 * (600 * 0.9) ** 0.5


@pytest.mark.parametrize("paired", [True, False])
def test_p_values_under_the_hypothesis(paired):
    # 250 samples of 12 + 15 cases, rounded so that they tie; each p value has 40 permutations.
    rng, found = np.random.default_rng(11), []
    label = np.repeat([1, 0], [12, 15])
    for _ in range(250):
        block = (
            np.round(2 * rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], 27)) + label[:, None]
        )
        if paired:
            data = rs.pair_scores(label, block, names=["a", "b"])
            result = venkatraman_test(data, "a", "b", n_perm=39, rng=rng)
        else:
            tables = [rs.tabulate(label, block[:, j]) for j in (0, 1)]
            result = venkatraman_test(dict(enumerate(tables)), n_perm=39, rng=rng)
        found.append(result.pvalue)
    found = np.array(found)
    for level in (0.1, 0.5):
        assert (found <= level).mean() < level + 4 * (level * (1 - level) / 250) ** 0.5
    # In its own order a sample stands evenly, in a permutation it does not: without pairs the
    # test is conservative.
    low, high = (0.4, 0.6) if paired else (0.5, 0.75)
    assert low < found.mean() < high


# --- seeds and messages -----------------------------------------------------------------------


def test_the_same_seed_gives_the_same_answer():
    data = rs.pair_scores(F3[0], {"a": np.round(F3[1], 1), "b": np.round(S2, 1)})
    one, two, other = (venkatraman_test(data, "a", "b", n_perm=300, rng=k) for k in (1, 1, 2))
    assert one == two
    assert one.pvalue != other.pvalue


def test_messages():
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": S2})
    table = rs.tabulate(*F3)
    with pytest.raises(TypeError, match="takes PairedScores, not a str"):
        venkatraman_test("a", "b")
    with pytest.raises(ValueError, match="no score 'c' among a, b"):
        venkatraman_test(data, "a", "c")
    with pytest.raises(ValueError, match=r"Each sample must have one score; one has a, b"):
        venkatraman_test({"first": data, "second": data})
    with pytest.raises(ValueError, match="A table does not keep the order of its cases"):
        venkatraman_test({"first": table, "second": table}, ties="first")
    weighted = rs.tabulate(*F3, sample_weight=np.arange(1, 21))
    with pytest.raises(ValueError, match="leave out the weights"):
        venkatraman_test({"first": table, "second": weighted})
    with pytest.raises(ValueError, match="n_perm is 0, but"):
        venkatraman_test(data, "a", "b", n_perm=0)
    with pytest.raises(SingleClassError, match="2 positives and 0 negatives"):
        venkatraman_test({"first": table, "second": rs.tabulate([True, True], [1, 2])})


def test_clusters_are_exchanged_as_one():
    small = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        label = np.repeat(np.arange(20) % 2, 6)
        score = np.repeat(rng.normal(size=(20, 2)), 6, axis=0) + label[:, None]
        score += 1e-6 * rng.normal(size=score.shape)  # no ties
        data = rs.pair_scores(label, score, names=["a", "b"], cluster=np.repeat(np.arange(20), 6))
        small += venkatraman_test(data, "a", "b", n_perm=99, rng=seed).pvalue <= 0.05
    assert small <= 9  # 3 are expected; case by case there are 30
    one = rs.pair_scores(label, {"a": score[:, 0]}, cluster=np.repeat(np.arange(20), 6))
    with pytest.raises(ValueError, match="leave out the clusters"):
        venkatraman_test({"first": one, "second": one})


def test_clusters_are_exchanged_as_a_whole():
    # Ranks 1 and 3 belong to one cluster, 2 and 4 to the other, which the second score turns round:
    # the gap is 8 if none or both are exchanged, and 4 if one is.
    scores = {"a": [3, 1, 4, 2], "b": [1, 3, 2, 4]}
    two = rs.pair_scores([1, 0, 1, 0], scores, cluster=[0, 0, 1, 1])
    found = venkatraman_test(two, "a", "b", n_perm=400, rng=1)
    assert found.statistic == 8
    assert 0.4 < found.pvalue < 0.6
    one = rs.pair_scores([1, 0, 1, 0], scores, cluster=[0, 0, 0, 0])
    assert venkatraman_test(one, "a", "b", n_perm=400, rng=1).pvalue == 1
