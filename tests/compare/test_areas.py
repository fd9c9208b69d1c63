"""Comparing areas: by hand, by all pairs, as printed, as pROC and clinfun have them."""

import warnings
from contextlib import nullcontext
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtri

import rocspace as rs
from rocspace import datasets
from rocspace.compare import (
    areas,
    auc_difference,
    bootstrap_difference,
    compare_aucs,
    equivalence_test,
    noninferiority_test,
    superiority_test,
)
from rocspace.counts import SingleClassError
from rocspace.inference import auc_estimate, partial_auc_estimate
from rocspace.inference import components as _components
from rocspace.results import Difference
from rocspace.results.estimates import AreaEstimate
from slow.data import F3, answer, assert_close, by_class, cases, reference
from slow.inference import partial_placements_literal, placements_by_pairs

S2 = reference()["paired_s2"]


def f3_and_s2():
    return rs.pair_scores(F3[0], {"first": F3[1], "second": S2})


@st.composite
def paired(draw, *, columns=2, weights=None, max_size=20):
    """Labels with two of each class at least, and columns of few distinct scores."""
    sizes = draw(st.tuples(st.integers(2, max_size // 2), st.integers(2, max_size // 2)))
    label = draw(st.permutations([True] * sizes[0] + [False] * sizes[1]))
    score = st.lists(st.integers(-3, 3).map(float), min_size=len(label), max_size=len(label))
    block = [draw(score) for _ in range(columns)]
    if weights is None:
        return label, block
    return label, block, draw(st.lists(weights, min_size=len(label), max_size=len(label)))


def covariance_of_means(u, v, weight):
    """Sum w^2 (u - mean)(v - mean) / (sum w)^2 * n / (n - 1), n = (sum w)^2 / sum w^2."""
    total, squares = sum(weight), sum(w * w for w in weight)
    n = Fraction(total**2) / squares
    mean_u, mean_v = (sum(w * x for w, x in zip(weight, xs, strict=True)) / total for xs in (u, v))
    both = zip(weight, u, v, strict=True)
    return sum(w * w * (x - mean_u) * (y - mean_v) for w, x, y in both) / total**2 * n / (n - 1)


def covariance_by_pairs(label, one, two, weight=None):
    """DeLong's covariance of two areas, from the whole matrix of comparisons."""
    classes = by_class(label, one, weight)
    placed = zip(
        placements_by_pairs(label, one, weight),
        placements_by_pairs(label, two, weight),
        classes,
        strict=True,
    )
    return sum(covariance_of_means(u, v, [w for _, w in members]) for u, v, members in placed)


# --- by hand ----------------------------------------------------------------------------------


def test_difference_by_hand():
    # Positives 3, 5, 6 and negatives 1, 2, 4 by the first score: placements 2/3, 1, 1 and 1, 1,
    # 2/3. The second puts the first negative on top: each positive beats 2 of 3, and the
    # negatives are beaten by 0, 3, 3. Differences less their mean 2/9: positives 0 - 2/9, 1/3
    # - 2/9, 1/3 - 2/9 with squares (4 + 1 + 1)/81; negatives 1, 0, -1/3 less 2/9 with squares
    # (49 + 4 + 25)/81. Over 3 x 2: (6 + 78)/81/6 = 14/81.
    data = rs.pair_scores([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6], "b": [9, 2, 1, 3, 5, 6]})
    found = auc_difference(data, "a", "b")
    assert_close(found.value, 8 / 9 - 6 / 9)
    assert_close(found.se**2, 14 / 81)
    result = found.test(distribution="normal")
    assert_close(result.statistic, (2 / 9) / (14 / 81) ** 0.5)
    assert_close(result.pvalue, 2 * stats.norm.sf(result.statistic))
    assert (found.range, found.n_pairs, result.df) == ((-1, 1), 3, np.inf)


def test_degrees_of_freedom_by_hand():
    # The same data. Positives: variance 6/81/6 = 1/81, 2 degrees; negatives 13/81. Welch: 196 /
    # (1/2 + 169/2) = 196/85. By fourth moments: relative variance of each mean square is
    # (kurtosis - 1) / 3. Positives: mean of fourth powers (16 + 1 + 1)/3 over (6/3)^2: 6/4.
    # Negatives: (49^2 + 4^2 + 25^2)/3 over 26^2: 3042/3/676 = 1.5. Noise: (1 + 169)/196 x
    # .5/3, and half of it is less than Welch's 85/196.
    data = rs.pair_scores([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6], "b": [9, 2, 1, 3, 5, 6]})
    assert_close(auc_difference(data, "a", "b").df, 196 / 85)


def test_an_outlying_case_leaves_few_degrees_of_freedom():
    # 99 negatives below all positives and one above, in one of two scores only.
    label = [1] * 50 + [0] * 100
    a = [*range(100, 150), *range(100)]
    b = [*a[:-1], 999]
    found = auc_difference(rs.pair_scores(label, {"a": a, "b": b}), "a", "b")
    d = np.array([0] * 99 + [1.0]) - 0.01
    kurtosis = (d**4).mean() / (d**2).mean() ** 2
    assert_close(found.df, 2 / ((kurtosis - 1) / 100), 9)


# --- by definition ----------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:(Only|None)")
@given(sample=paired(columns=3, weights=st.integers(1, 9).map(lambda k: k / 3)))
@settings(max_examples=60)
def test_covariance_is_that_of_all_pairs(sample):
    label, block, weight = sample
    for w in (None, weight):
        found = compare_aucs(rs.pair_scores(label, np.transpose(block), sample_weight=w))
        for i, j in np.ndindex(3, 3):
            slow = covariance_by_pairs(label, block[i], block[j], w)
            assert found.covariance[i, j] == pytest.approx(float(slow), rel=1e-11, abs=1e-14)
        for estimate, column in zip(found.estimates, block, strict=True):
            table = rs.tabulate(label, column, sample_weight=w)
            assert estimate == auc_estimate(table)


@pytest.mark.filterwarnings("ignore:By the (positives|negatives), few cases")
@given(sample=paired(weights=st.integers(1, 4)))
@settings(max_examples=50)
def test_frequencies_are_repeated_cases(sample):
    label, block, weight = sample
    once = rs.pair_scores(label, np.transpose(block), sample_weight=weight)
    times = np.array(weight)
    many = rs.pair_scores(np.repeat(label, times), np.repeat(np.transpose(block), times, axis=0))
    counted = auc_difference(once, "score_1", "score_2", weight_type="frequency")
    repeated = auc_difference(many, "score_1", "score_2")
    for name in ("value", "se", "df", "n_pairs", "correlation"):
        one, other = getattr(counted, name), getattr(repeated, name)
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore:(Only|None)")
@given(sample=paired(weights=st.integers(1, 9).map(lambda k: k / 3)), c=st.sampled_from([0.2, 7]))
@example(
    sample=([1, 0, 1, 0, 1], [[0, 1, 0, 0, 1], [0, 2, 1, -1, 3]], [1 / 3] * 4 + [2 / 3]), c=0.2
)
@settings(max_examples=30)
def test_the_scale_of_weights_does_not_matter(sample, c):
    label, block, weight = sample
    a, b = (
        rs.pair_scores(label, np.transpose(block), sample_weight=np.multiply(weight, k))
        for k in (1, c)
    )
    one, other = (auc_difference(data, "score_1", "score_2") for data in (a, b))
    np.testing.assert_allclose(one.se, other.se, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(one.df, other.df, rtol=1e-7)


@given(sample=paired())
@settings(max_examples=60)
def test_invariants(sample):
    label, block = sample
    data = rs.pair_scores(label, {"a": block[0], "b": block[1]})
    found, back = (auc_difference(data, *pair) for pair in (("a", "b"), ("b", "a")))
    assert (found.value, found.se, found.df) == (-back.value, back.se, back.df)
    one, other = found.interval(0.9), back.interval(0.9)
    assert_close([one.low, one.high], [-other.high, -other.low], 9)
    # Monotone maps, one for each score, and a change of direction, leave everything as it is.
    bent = {"a": np.exp(block[0]), "b": np.power(block[1], 3)}
    assert repr(auc_difference(rs.pair_scores(label, bent), "a", "b")) == repr(found)
    upside = rs.pair_scores(label, -data.score, names=["a", "b"], higher_is_positive=False)
    assert repr(auc_difference(upside, "a", "b")) == repr(found)  # nan is not nan
    # Classes exchanged and scores negated.
    mirror = rs.pair_scores(~data.label, -data.score, names=["a", "b"])
    again = auc_difference(mirror, "a", "b")
    np.testing.assert_allclose([again.value, again.se], [found.value, found.se], atol=1e-12)
    for scale in ("moderated", "logit", "identity", "t", "hoeffding"):
        for level in (0.5, 0.95, 0.999):
            low, high = found.interval(level, scale=scale)
            assert -1 <= low <= found.value <= high <= 1
            assert low < high


def test_all_of_two_are_a_pair():
    data = rs.pair_scores([0, 0, 0, 1, 1, 1], {"a": [1, 2, 4, 3, 5, 6], "b": [1, 5, 4, 3, 2, 6]})
    found = compare_aucs(data)
    test = found.pairs[0].test
    assert abs(test.statistic) not in (0, 1)
    assert found.overall.statistic == test.statistic**2
    assert (found.overall.pvalue, found.overall.df_denominator) == (test.pvalue, test.df)


def test_the_same_score_twice():
    data = rs.pair_scores(F3[0], {"a": F3[1], "b": F3[1]})
    found = auc_difference(data, "a", "b")
    result = found.test()
    assert (found.value, found.se, found.correlation) == (0, 0, 1)
    assert (result.statistic, result.pvalue, result.note) == (0, 1, "no variance")
    low, high = found.interval()
    assert -0.3 < low < 0 < high < 0.3
    overall = compare_aucs(data).overall
    assert (overall.pvalue, overall.df, overall.note) == (1, 0, "no variance")


def test_a_difference_without_variance_is_flagged():
    # Every positive beats every negative, or the reverse: no placement varies.
    data = rs.pair_scores([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]})
    found = auc_difference(data, "a", "b")
    assert (found.value, found.se) == (1, 0)
    for alternative, expected in (("two-sided", 0), ("greater", 0), ("less", 1)):
        result = found.test(alternative=alternative, distribution="normal")
        assert (result.pvalue, result.note) == (expected, "no variance")
        assert result.statistic == np.inf
    assert found.test(null=1).pvalue == 1
    assert found.interval().low < 0.9
    assert found.interval(scale="identity").low < 0.9
    overall = compare_aucs(data, distribution="normal").overall
    assert (overall.pvalue, overall.note) == (0, "no variance")


def test_without_variance_p_comes_from_the_interval():
    data = rs.pair_scores([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1], "c": [0] * 4})
    found = auc_difference(data, "a", "b")
    # By hand: areas of 1 and 0 with two pairs reach (p / 2)^(1 / 2) at level 1 - p, so the
    # interval ends at 1 - 2^(1 / 2) (1 - (p / 2)^(1 / 2)), which is 0 for the p below.
    p = 2 * (1 - 0.5**0.5) ** 2
    assert found.test().pvalue == pytest.approx(p, rel=1e-9)
    assert found.test(alternative="greater").pvalue == pytest.approx(p / 2, rel=1e-9)
    assert found.test(alternative="less").pvalue == pytest.approx(1 - p / 2, rel=1e-9)
    assert found.test().note == "no variance: p from the interval"
    by_t = found.test(distribution="t")
    assert by_t.pvalue == pytest.approx(p, rel=1e-9)
    assert by_t.note == "a score has no variance: p from the interval"
    overall = compare_aucs(data).overall
    assert overall.pvalue == pytest.approx(3 * p, rel=1e-9)  # of three pairs
    assert (overall.method, overall.note[:8]) == ("pairs, bonferroni", "a score ")
    single = compare_aucs(rs.pair_scores(data.label, {"a": [1, 2, 3, 4], "c": [0] * 4}))
    assert single.overall.pvalue == single.pairs[0].test.pvalue
    contrast = compare_aucs(data).contrast([1, -1, 0])
    assert (contrast.pvalue, contrast.note) == (0, "no variance")


@given(paired(columns=1, max_size=30), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_of_a_constant_score_test_and_interval_agree(sample, level):
    label, (score,) = sample
    data = rs.pair_scores(label, {"a": score, "none": np.zeros(len(label))})
    found = auc_difference(data, "a", "none")
    assume(found.se == found.se)
    low, high = found.interval(level)
    p = found.test().pvalue
    assume(abs(p - (1 - level)) > 1e-6)
    assert (p < 1 - level) == (not low <= 0 <= high)


@pytest.mark.filterwarnings("ignore:The range holds")
@pytest.mark.parametrize("part", [{"fpr": (0, 0.2)}, {"tpr": (0.8, 1)}, {"fpr": (0, 1)}])
def test_parts_of_a_constant_score(part):
    label = [1] * 10 + [0] * 12
    (name, (low, high)) = next(iter(part.items()))
    constant = partial_auc_estimate(rs.tabulate(label, [3] * 22), **part)
    # The rates differ by 1 - q at most, q^10 = .025, over the width of the part; the whole area
    # is half of that from 1 / 2, as pairs that do not tie are won or lost.
    width = high - low
    half = (1 - 0.025**0.1) * (width if width < 1 else 0.5)
    of_diagonal = (
        (high**2 - low**2) / 2 if name == "fpr" else ((1 - low) ** 2 - (1 - high) ** 2) / 2
    )
    ends = max(0, of_diagonal - half), min(width, of_diagonal + half)
    assert constant.value == pytest.approx(of_diagonal, rel=1e-12)
    assert tuple(constant.interval()) == pytest.approx(ends, rel=1e-12)
    score = np.r_[np.arange(10) + 9.5, np.arange(12)]
    data = rs.pair_scores(label, {"a": score, "b": [3] * 22})
    gain = auc_difference(data, "a", "b", **part)
    p = gain.test().pvalue
    assert 0 < p < 1
    assert 0 in gain.interval(1 - p + 1e-9)
    assert 0 not in gain.interval(1 - p - 1e-9)


def test_ties_of_pairs_bound_every_gap_of_rates():
    # Rates differ by no more than 1 - the chance of a tie: any laws of two small classes.
    rng = np.random.default_rng(3)
    for _ in range(300):
        pos, neg = rng.dirichlet(np.full(4, 0.3), 2)
        assert np.abs(np.cumsum(pos - neg)).max() <= 1 - pos @ neg + 1e-12


def test_a_constant_score_by_hand():
    # Ten pairs that all tie: were ties less likely than q, with q^10 = .025, so were that.
    label = [1] * 10 + [0] * 12
    constant = rs.delong(rs.tabulate(label, [3] * 22))
    half = (1 - 0.025**0.1) / 2
    assert tuple(constant.interval()) == pytest.approx((0.5 - half, 0.5 + half), rel=1e-12)
    assert constant.interval().method == "ties"
    wide = constant.interval(scale="hoeffding")
    assert wide.low < 0.5 - 1.5 * half
    # A good score against it: the audit's case, where p was 2e-4 and the interval held 0.
    score = np.r_[np.arange(10) + 6.5, np.arange(12)]
    gain = auc_difference(rs.pair_scores(label, {"a": score, "b": [3] * 22}), "a", "b")
    assert gain.test().pvalue < 0.05
    assert 0 not in gain.interval()
    assert 0 in gain.interval(1 - gain.test().pvalue + 1e-9)
    assert 0 not in gain.interval(1 - gain.test().pvalue - 1e-9)


def test_a_contrast_flags_only_the_scores_that_it_weighs():
    label = [1, 1, 1, 1, 0, 0, 0, 0]
    a, b = [5, 2, 4, 3, 1, 2, 0, 1], [2, 4, 3, 1, 2, 3, 1, 0]
    found = compare_aucs(rs.pair_scores(label, {"a": a, "b": b, "none": [0] * 8}))
    note = "a score has no variance: p is too small"
    for weights, expected in (
        ([1, -1, 0], ""),
        ([-1, 0, 1], note),
        ([2, 0, -2], note),
        ([[1, -1, 0], [0, 1, -1]], note),
    ):
        assert found.contrast(weights).note == expected


def test_p_too_small_for_a_number_is_flagged():
    rng = np.random.default_rng(2)
    label = np.repeat([True, False], 20_000)
    score = rng.normal(size=(40_000, 2)) + 3 * label[:, None] * [1, 0]
    found = compare_aucs(rs.pair_scores(label, score, names=["a", "b"]))
    for result in (found.pairs[0].test, found.overall):
        assert (result.pvalue, result.note) == (0, "p is too small for a float")
    perfect = np.where(label, 9.0, 0.0)
    gap = auc_difference(rs.pair_scores(label, {"a": score[:, 0], "b": perfect}), "a", "b")
    edge = gap.test(null=-0.02, distribution="t")
    assert "the interval is more careful" in edge.note
    assert not gap.test(null=-0.02).note


def test_a_single_positive_has_no_known_variance():
    data = rs.pair_scores([1, 0, 0], {"a": [3, 1, 2], "b": [2, 1, 3]})
    found = auc_difference(data, "a", "b")
    result = found.test(distribution="t")
    assert np.isnan(found.se)
    assert np.isnan(result.pvalue)
    assert "too few cases" in result.note
    # The default has the model's variance there, and says so.
    by_model = found.test()
    assert 0.5 < by_model.pvalue < 1
    assert by_model.note == "a class with a single case: its variance is the model's"
    assert found.test(null=found.interval().low).pvalue == pytest.approx(0.05, rel=1e-9)
    low, high = found.interval()
    assert -1 < low < found.value < high <= 1
    comparison = compare_aucs(data, distribution="t")
    assert np.isnan(comparison.overall.pvalue)
    assert np.isnan(comparison.pairs[0].adjusted_pvalue)
    assert compare_aucs(data).overall.pvalue == by_model.pvalue


def test_a_score_that_is_there_twice_does_not_spoil_the_joint_test():
    rng = np.random.default_rng(3)
    label = rng.integers(0, 2, 60)
    a, b = rng.normal(size=60) + label, rng.normal(size=60) + 0.3 * label
    two = compare_aucs(rs.pair_scores(label, {"a": a, "b": b}), distribution="t")
    three = compare_aucs(
        rs.pair_scores(label, {"a": a, "again": np.exp(a), "b": b}), distribution="t"
    )
    assert three.df == two.df
    assert three.overall.pvalue == pytest.approx(two.overall.pvalue, rel=1e-9)
    assert three.contrast([1, 0, -1]).pvalue == pytest.approx(two.pairs[0].test.pvalue, rel=1e-9)


# --- printed, and as others compute -----------------------------------------------------------


def test_reference_of_two_scores():
    found = compare_aucs(f3_and_s2(), distribution="normal")
    assert_close([e.value for e in found.estimates], [0.68, 0.85])
    assert_close(np.diag(found.covariance), [0.0161333333, 0.0074444444], 8)
    assert_close(found.covariance[0, 1], 0.0055555556, 8)
    (pair,) = found.pairs
    assert_close(pair.test.statistic, -1.5225577, 7)
    assert_close(pair.test.pvalue, 0.1278694, 6)
    assert pair.adjusted_pvalue == pair.test.pvalue
    assert_close(found.overall.statistic, pair.test.statistic**2)
    assert_close(found.overall.pvalue, pair.test.pvalue)
    one, two = (rs.tabulate(F3[0], score) for score in (F3[1], S2))
    assert_close(
        auc_difference({"first": one, "second": two}).test().statistic, reference()["unpaired_z"]
    )


@pytest.mark.parametrize(
    "name",
    [
        "asah__s100b_vs_ndka",
        "breast_w__Cl_thickness_vs_Cell_size",
        "dm_rocdata__test1_vs_test2",
    ],
)
def test_as_others_compare_pairs(name, request):
    theirs = answer(f"paired__{name}", request)
    a, b = (cases(theirs["dataset"], request, theirs[f"marker_{x}"]) for x in "ab")
    data = rs.pair_scores(a[0], {"a": a[1], "b": b[1]})
    found = auc_difference(data, "a", "b")
    assert_close([found.first.value, found.second.value], [theirs["auc_a"], theirs["auc_b"]])
    assert_close([found.first.se**2, found.second.se**2], [theirs["var_a"], theirs["var_b"]])
    covariance = found.correlation * found.first.se * found.second.se
    assert_close(covariance, theirs["cov_delong"], 10)
    for alternative in ("two_sided", "greater", "less"):
        test = theirs[f"delong_{alternative}"]
        result = found.test(alternative=alternative.replace("_", "-"), distribution="normal")
        assert_close(result.statistic, test["statistic"]["Z"], 10)
        assert_close(result.pvalue, test["p_value"], 9)
        ends = found.interval(0.95, scale="identity")
        assert_close([ends.low, ends.high], test["conf_int_of_difference"], 9)
    # "As if unpaired" is pROC's t test, and the other way to call it.
    apart = theirs["delong_as_if_unpaired"]
    result = auc_difference({"first": rs.tabulate(*a), "second": rs.tabulate(*b)}).test(
        distribution="welch"
    )
    assert_close(result.statistic, apart["statistic"]["D"], 10)
    assert_close(result.df, apart["parameter"]["df"], 10)
    assert_close(result.pvalue, apart["p_value"], 9)


def by_gender(name, request):
    """Tables of one marker for women and for men."""
    theirs = answer(f"unpaired__{name}__by__gender", request)
    data, column = name.split("__")
    import csv

    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    label = "outcome" if data == "asah" else "suicide"
    tables = []
    for group in (theirs["group_1"], theirs["group_2"]):
        own = [r for r in rows if r["gender"] == group and r[column] not in ("", "NA")]
        tables.append(rs.tabulate([int(r[label]) for r in own], [float(r[column]) for r in own]))
    return theirs, tables


@pytest.mark.parametrize("name", ["asah__ndka", "asah__s100b", "suicide__dsi"])
def test_as_proc_compares_independent_samples(name, request):
    theirs, tables = by_gender(name, request)
    found = auc_difference({"first": tables[0], "second": tables[1]})
    assert_close([found.first.value, found.second.value], [theirs["auc_1"], theirs["auc_2"]])
    for alternative in ("two_sided", "greater"):
        test = theirs[f"delong_{alternative}"]
        result = found.test(alternative=alternative.replace("_", "-"), distribution="welch")
        assert_close(result.statistic, test["statistic"]["D"], 10)
        assert_close(result.df, test["parameter"]["df"], 10)
        assert_close(result.pvalue, test["p_value"], 9)
    assert_close(found.test(distribution="normal").pvalue, theirs["z_normal_reference"]["p"], 9)
    assert found.correlation == 0


def test_reference_of_independent_samples(request):
    _, tables = by_gender("asah__ndka", request)
    expected = reference()["asah_ndka_gender_delong"]
    result = auc_difference({"first": tables[0], "second": tables[1]}).test(distribution="welch")
    assert_close(
        [result.statistic, result.df, result.pvalue], [expected[k] for k in ("t", "df", "p")]
    )


def test_as_others_compare_many(request):
    theirs = answer("manytest__breast_w", request)
    columns = {m: cases("breast_w", request, m) for m in theirs["markers"]}
    label = next(iter(columns.values()))[0]
    data = rs.pair_scores(label, {m: score for m, (_, score) in columns.items()})
    found = compare_aucs(data, distribution="normal", adjust="none")
    assert found.names == tuple(theirs["markers"])
    assert_close([e.value for e in found.estimates], theirs["aucs"])
    assert_close(found.covariance, theirs["covariance"]["rows"], 9)
    assert_close(found.overall.statistic, theirs["overall_chisq"], 9)
    assert (found.overall.df, len(found.pairs)) == (theirs["df"], 6)
    assert_close(found.overall.pvalue, theirs["clinfun"]["p"], 2)
    for pair in found.pairs:
        i, j = (found.names.index(name) for name in (pair.first, pair.second))
        assert_close(pair.test.pvalue, theirs["pairwise_p_delong"]["rows"][i][j], 6)


@pytest.mark.parametrize("sex", ["", "Female", "Male"])
def test_as_proc_compares_large_samples(sex, request):
    theirs = answer(f"big__adult{'_' if sex else ''}{sex}", request)
    adult = datasets.load("adult_scores")
    adult = adult.where("sex", sex) if sex else adult
    names = theirs["scores"]
    data = rs.pair_scores(adult.y_true, {name: adult.columns[name] for name in names})
    assert len(data) == theirs["n"]
    found = auc_difference(data, *names)
    for name, estimate in zip(names, (found.first, found.second), strict=True):
        assert_close(estimate.value, theirs["auc"][name])
        assert_close(estimate.se**2, theirs["var_delong"][name], 10)
    covariance = found.correlation * found.first.se * found.second.se
    assert_close(covariance, theirs["cov_first_two"], 9)
    result = found.test(distribution="normal")
    assert_close(result.statistic, theirs["paired_z_first_two"], 9)
    assert_close(result.pvalue, theirs["paired_p"], 7)


def test_reference_of_three_markers(request):
    markers = {m: cases("asah", request, m) for m in ("s100b", "ndka", "wfns")}
    data = rs.pair_scores(markers["ndka"][0], {m: score for m, (_, score) in markers.items()})
    overall = compare_aucs(data, distribution="normal").overall
    expected = reference()["asah_three_markers_delong"]
    assert_close([overall.statistic, overall.pvalue], [expected["chi2"], expected["p"]], 11)
    assert overall.df == expected["df"]


# --- contrasts, references, tables ------------------------------------------------------------


@given(sample=paired(columns=3))
@settings(max_examples=40)
def test_contrasts(sample):
    label, block = sample
    found = compare_aucs(rs.pair_scores(label, np.transpose(block)), distribution="normal")
    for pair in found.pairs:
        weights = [(name == pair.first) - (name == pair.second) for name in found.names]
        result = found.contrast(weights)
        assert result.difference == pytest.approx(pair.difference.value, abs=1e-15)
        if pair.difference.se > 1e-6:
            assert result.statistic == pytest.approx(pair.test.statistic**2, rel=1e-9)
            assert result.pvalue == pytest.approx(pair.test.pvalue, rel=1e-9)
    # Any basis of the same hypotheses gives the same test, and twins change nothing.
    basis = [[1, -1, 0], [0, 1, -1]]
    other = [[1, 0, -1], [1, 1, -2], [0, 1, -1]]
    spread = np.linalg.eigvalsh(np.array(basis) @ found.covariance @ np.transpose(basis))
    assume(spread[0] > 1e-6)
    for rows in (basis, other):
        result = found.contrast(rows)
        assert result.statistic == pytest.approx(found.overall.statistic, rel=1e-7)
        assert result.df == 2


@pytest.mark.parametrize("times", [1, 2**40])
def test_the_joint_test_of_very_many_cases_has_all_directions(times):
    """A chi-square grows with the number of cases, however small the variances are."""
    label, block = F3[0], np.transpose([F3[1], S2, np.roll(F3[1], 1)])
    data, one = (rs.pair_scores(label, block, sample_weight=np.full(20, n)) for n in (times, 1))
    found, once = (
        compare_aucs(each, weight_type="frequency", distribution="normal").overall
        for each in (data, one)
    )
    assert (found.df, found.note == "no variance in some directions") == (2, False)
    # Sums of squares over n (n - 1): of 10 t cases of a class 10 t - 1, of 10 cases 9.
    assert found.statistic == pytest.approx(once.statistic * (10 * times - 1) / 9, rel=1e-6)


def test_the_joint_law_of_few_cases():
    data = rs.pair_scores(F3[0], {"x": F3[1], "y": S2, "z": np.add(F3[1], S2)})
    small, large = (compare_aucs(data, distribution=law) for law in ("t", "normal"))
    assert small.df == min(p.difference.df for p in small.pairs) < 18
    assert small.overall.statistic == large.overall.statistic
    overall = small.overall
    assert (overall.df, overall.df_denominator) == (2, small.df)
    again = stats.f.sf(overall.statistic / 2, overall.df, overall.df_denominator)
    assert_close(overall.pvalue, again)
    assert np.isnan(large.overall.df_denominator)
    assert_close(large.overall.pvalue, stats.chi2.sf(large.overall.statistic, 2))
    # One combination: F with one and df degrees of freedom is the square of Student's t.
    single = compare_aucs(f3_and_s2())
    assert_close(single.overall.pvalue, single.pairs[0].test.pvalue, 10)
    by_t = single.pairs[0].difference.test(distribution="t")
    assert_close(single.contrast([1, -1]).pvalue, by_t.pvalue, 10)


def test_a_reference_score():
    data = rs.pair_scores(F3[0], {"x": F3[1], "y": S2, "z": np.add(F3[1], S2)})
    found = compare_aucs(data, reference="y", adjust="bonferroni")
    assert [(p.first, p.second) for p in found.pairs] == [("x", "y"), ("z", "y")]
    for pair in found.pairs:
        assert pair.adjusted_pvalue == min(1, 2 * pair.test.pvalue)
        alone = auc_difference(data, pair.first, pair.second)
        assert alone == pair.difference
        assert alone.test() == pair.test
    # That all areas are equal does not depend on which is the reference.
    for against in (None, "x", "z"):
        other = compare_aucs(data, reference=against)
        assert repr((other.overall, other.df)) == repr((found.overall, found.df))  # nan is nan
        assert other.contrast([1, -0.5, -0.5]) == found.contrast([1, -0.5, -0.5])
    assert found.pair("y", "z") is found.pairs[1]
    assert found.estimate("z") == rs.delong(data.table("z"))
    with pytest.raises(ValueError, match="not compared with each other"):
        found.pair("x", "z")
    with pytest.raises(ValueError, match=r"no score 'xx' among x, y, z\. Did you mean 'x'"):
        found.estimate("xx")


def test_independent_tables():
    tables = {
        "a": rs.tabulate(*F3),
        "b": rs.tabulate(F3[0], S2),
        "c": rs.tabulate(F3[0], F3[1][::-1]),
    }
    found = compare_aucs(tables, distribution="welch")
    assert not found.paired
    assert_close(found.covariance, np.diag([rs.delong(t).se ** 2 for t in tables.values()]))
    for pair in found.pairs:
        alone = auc_difference({"first": tables[pair.first], "second": tables[pair.second]})
        assert alone == pair.difference
        assert alone.test(distribution="welch") == pair.test


# --- parts of areas ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ends", "holds"),
    [
        ({"tpr": (0.8, 1)}, "2.00 of 10 positives"),
        ({"fpr": (0, 0.05)}, "1.50 of 30 negatives"),
        ({"fpr": (0, 0.1)}, None),  # three of them
        ({"tpr": (0.7, 0.8)}, None),  # combines intervals, which hold there
        ({"fpr": (0, 1)}, None),
    ],
)
def test_few_cases_inside_a_range_are_told(ends, holds):
    rng = np.random.default_rng(2)
    label = np.repeat([True, False], [10, 30])
    data = rs.pair_scores(label, {name: rng.normal(size=40) + label for name in "abc"})
    for compared in (partial(auc_difference, data, "a", "b"), partial(compare_aucs, data)):
        with pytest.warns(UserWarning, match=holds) if holds else nullcontext():
            compared(**ends)


@pytest.mark.filterwarnings("ignore:The range holds")
def test_parts_by_the_literal_placements():
    data = f3_and_s2()
    found = auc_difference(data, "first", "second", fpr=(0, 0.2))
    placed = [
        partial_placements_literal(F3[0], data.score[:, j].tolist(), Fraction(1, 5)) for j in (0, 1)
    ]
    slow = 0
    for u, v in zip(*placed, strict=True):
        d = [x - y for x, y in zip(u, v, strict=True)]
        slow += covariance_of_means(d, d, [1] * len(d))
    assert_close(found.se**2, float(slow))
    assert found.range == (-0.2, 0.2)
    for j, estimate in enumerate((found.first, found.second)):
        assert estimate == partial_auc_estimate(data.table(data.names[j]), fpr=(0, 0.2))


@pytest.mark.filterwarnings("ignore:The range holds")
@given(
    sample=paired(),
    low=st.integers(0, 3),
    width=st.integers(1, 4),
    by=st.sampled_from(["fpr", "tpr"]),
)
@settings(max_examples=60)
def test_parts_of_one_score_against_itself_and_another(sample, low, width, by):
    label, block = sample
    ends = {by: (low / 8, (low + width) / 8)}
    data = rs.pair_scores(label, {"a": block[0], "b": block[1], "twin": block[0]})
    found = compare_aucs(data, **ends)
    for name, variance in zip(found.names, np.diag(found.covariance), strict=True):
        alone = partial_auc_estimate(data.table(name), **ends)
        assert found.estimate(name) == alone
        assert variance == pytest.approx(alone.se**2, rel=1e-9, abs=1e-16)
    twins = found.pair("a", "twin")
    assert (twins.difference.value, twins.test.pvalue) == (0, 1)
    whole = auc_difference(data, "a", "b", **{by: (0, 1)})
    assert whole.se == pytest.approx(auc_difference(data, "a", "b").se, abs=1e-12)
    # The parts of an area beside each other add up.
    rest = [auc_difference(data, "a", "b", **{by: e}).value for e in ((0, 0.5), (0.5, 1))]
    assert sum(rest) == pytest.approx(whole.value, abs=1e-12)


# --- messages ---------------------------------------------------------------------------------


def test_messages():
    data = f3_and_s2()
    table = rs.tabulate(*F3)
    with pytest.raises(TypeError, match=r'auc_difference\(pair_scores\(.*"a", "b"\)'):
        auc_difference("first", "second")
    with pytest.raises(TypeError, match="takes PairedScores, not a ScoreTable"):
        auc_difference(table, "first", "second")
    with pytest.raises(TypeError, match="first and second are names of its scores: first, second"):
        auc_difference(data, table, table)
    with pytest.raises(TypeError, match=r"independent cases, auc_difference\(\{"):
        auc_difference(table, table)
    three = rs.pair_scores(F3[0], {"a": F3[1], "b": S2, "c": S2})
    with pytest.raises(TypeError, match=r"compares two scores of a, b, c\. Name them"):
        auc_difference(three)
    assert auc_difference(data) == auc_difference(data, "first", "second")
    with pytest.raises(TypeError, match="takes a ScoreTable, not a list"):
        auc_difference({"first": table, "second": [1, 2]})
    with pytest.raises(
        ValueError, match=r"no score 'frist' among first, second\. Did you mean 'first'"
    ):
        auc_difference(data, "frist", "second")
    with pytest.raises(ValueError, match="Give a range of fpr or of tpr, not both"):
        auc_difference(data, "first", "second", fpr=(0, 1), tpr=(0, 1))
    with pytest.raises(ValueError, match="distribution is 'student', but must be one of"):
        auc_difference(data, "first", "second").test(distribution="student")
    with pytest.raises(ValueError, match="for two independent samples; these are paired"):
        auc_difference(data, "first", "second").test(distribution="welch")
    with pytest.raises(ValueError, match="at least two scores; here is only a"):
        compare_aucs(rs.pair_scores(F3[0], {"a": F3[1]}))
    with pytest.raises(SingleClassError, match="2 positives and 0 negatives"):
        compare_aucs(rs.pair_scores([True, True], {"a": [1, 2], "b": [1, 2]}))
    weighted = rs.pair_scores(
        [0, 1, 1], {"a": [1, 2, 3], "b": [2, 1, 3]}, sample_weight=[1, 0.5, 1]
    )
    with pytest.raises(ValueError, match=r"case 1 weighs 0\.5"):
        compare_aucs(weighted, weight_type="frequency")
    with pytest.raises(ValueError, match="one for each of the 2 scores"):
        compare_aucs(data).contrast([1, -1, 0])
    with pytest.raises(ValueError, match="reference is 'third'"):
        compare_aucs(data, reference="third")


def test_a_difference_of_any_estimates():
    # (l, u) are (.2, .6) and (.3, .7) as given by hand: r = 0 squares and adds.
    one = AreaEstimate(value=0.5, se=0.1, method="m", n_pairs=10)
    two = AreaEstimate(value=0.4, se=0.2, method="m", n_pairs=10)
    gap = Difference(
        value=0.1, se=0.05**0.5, method="m", n_pairs=10, range=(-1, 1), first=one, second=two
    )
    a, b = one.interval(), two.interval()
    low = 0.1 - ((0.5 - a.low) ** 2 + (b.high - 0.4) ** 2) ** 0.5
    high = 0.1 + ((a.high - 0.5) ** 2 + (0.4 - b.low) ** 2) ** 0.5
    assert_close(list(gap.interval()), [low, high])
    assert_close(gap.test(distribution="normal").pvalue, 2 * stats.norm.sf(0.1 / 0.05**0.5))
    assert_close(
        gap.test(distribution="normal", null=0.3, alternative="less").pvalue,
        stats.norm.cdf(-0.2 / 0.05**0.5),
    )


# --- the compiled path ------------------------------------------------------------------------


@given(
    sample=paired(columns=1, max_size=30),
    dtype=st.sampled_from(["f8", "f4", "i8", "i2", "u1", "u8", "i1"]),
    higher=st.booleans(),
)
@settings(max_examples=60)
def test_compiled_loops_find_the_same_rows(sample, dtype, higher):
    label, (score,) = sample
    values = np.array(
        [0, 3, 200, 77, 5, 120, 9] if dtype[0] == "u" else [-7, 3, 100, -0.0, 0.0, -100, 9]
    )
    column = values[np.array(score, dtype=int)].astype(dtype)
    data = rs.pair_scores(label, column[:, np.newaxis], higher_is_positive=higher)
    table, row = _components.ranked(data, 0)
    fast = _components._ranked_by_kernels(column + column.dtype.type(0), data.label, higher)
    assert table == data.table("score_1") == fast[0]
    np.testing.assert_array_equal(row, fast[1])
    np.testing.assert_array_equal(table.score[row], column)


def test_large_samples_take_the_compiled_loops(monkeypatch):
    rng = np.random.default_rng(4)
    label = rng.random(2000) < 0.3
    scores = {
        "a": rng.normal(label),
        "b": rng.normal(label).astype("f4"),
        "c": [np.inf, -np.inf] * 1000,
    }
    data = rs.pair_scores(label, scores)
    before = compare_aucs(data)
    monkeypatch.setattr(_components, "_COMPILED", 1)
    after = compare_aucs(data)
    assert after.estimates == before.estimates
    np.testing.assert_array_equal(after.covariance, before.covariance)
    assert after.pairs == before.pairs


# --- clusters ---------------------------------------------------------------------------------


def test_differences_of_clusters_have_obuchowski_s_variance_by_name():
    label, block = F3[0], {"first": F3[1], "second": S2}
    alone = rs.pair_scores(label, block, cluster=np.arange(len(label)))
    # One case in each cluster: Obuchowski's sum of squares is DeLong's.
    assert auc_difference(alone, method="obuchowski").se == pytest.approx(
        auc_difference(f3_and_s2()).se, rel=1e-12
    )
    pairs = rs.pair_scores(label, block, cluster=np.arange(len(label)) // 2)
    usual = auc_difference(pairs)
    assert usual.se == auc_difference(pairs, method="jackknife").se
    old = auc_difference(pairs, method="obuchowski")
    assert old.value == usual.value
    assert old.se != usual.se
    compared = compare_aucs(pairs, method="obuchowski")
    assert compared.pairs[0].difference.se == old.se
    assert compared.estimates[0].method == "clustered"


def test_a_cluster_that_alone_tells_two_scores_apart_is_named():
    """Of either score by itself, and of other combinations, many clusters carry the variance."""
    rng = np.random.default_rng(2)
    label, cluster = np.arange(60) % 3 == 0, np.arange(60) // 3
    first = rng.normal(size=60) + label
    second = np.where(cluster == 4, -first, first)
    with pytest.warns(UserWarning, match=r"One cluster.* carries (9\d|100)(\.\d)? % of the"):
        auc_difference(rs.pair_scores(label, {"a": first, "b": second}, cluster=cluster))


@pytest.mark.parametrize("compare", [auc_difference, compare_aucs])
def test_a_variance_of_clusters_needs_clusters(compare):
    tables = {name: rs.tabulate(F3[0], score) for name, score in (("a", F3[1]), ("b", S2))}
    for data in (f3_and_s2(), tables):
        with pytest.raises(ValueError, match="variance of clusters, and the data have none"):
            compare(data, method="obuchowski")
    clustered = rs.pair_scores(F3[0], {"a": F3[1], "b": S2}, cluster=np.arange(20) // 2)
    with pytest.raises(ValueError, match="method"):
        compare(clustered, method="delong")


def test_against_a_reference_only_its_pairs_are_made(monkeypatch):
    rng = np.random.default_rng(1)
    label = np.arange(80) % 3 == 0
    data = rs.pair_scores(label, rng.standard_normal((80, 20)) + label[:, None])
    every = compare_aucs(data)
    made = []

    def counted(found, i, j):
        made.append((i, j))
        return of_components(found, i, j)

    of_components = areas._of_components
    monkeypatch.setattr(areas, "_of_components", counted)
    against = compare_aucs(data, reference="score_3")
    assert len(made) == len(against.pairs) == 19
    assert against.overall == every.overall
    assert against.df == every.df


# --- warnings of cases that a small class may lack --------------------------------------------


def few_differ(positive):
    """Return 8 positives and 60 negatives; the scores differ in 4 of the negatives."""
    label = np.repeat([positive, not positive], [8, 60])
    first = np.concatenate([np.arange(30, 62, 4), np.arange(60)]).astype(float)
    second = first.copy()
    second[[10, 20, 30, 40]] = [60.5, 61.5, 62.5, 63.5]
    return rs.pair_scores(label, {"first": first, "second": second})


@pytest.mark.parametrize(("positive", "small"), [(True, "positives"), (False, "negatives")])
def test_a_small_class_may_lack_the_cases_that_tell_scores_apart(positive, small):
    with pytest.warns(UserWarning, match=rf"tell the two scores apart: 0\.\d+ of 8 {small}"):
        rs.auc_difference(few_differ(positive))


def said_by(function, *args, **options):
    """Return what a call warns of the cases that tell scores apart."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **options)
    return [str(each.message) for each in caught if " apart: " in str(each.message)]


def test_parts_do_not_warn_of_rare_cases():
    # Of one class the range takes a share only, so neither tells how many cases of the other do.
    data = few_differ(positive=True)
    assert said_by(rs.auc_difference, data) != []
    gap = rs.auc_difference(data, fpr=(0, 0.9))
    for compare in (rs.auc_difference, rs.compare_aucs):
        assert said_by(compare, data, fpr=(0, 0.9)) == []
    assert said_by(noninferiority_test, gap, 0.1) == []


@pytest.mark.filterwarnings("ignore:By the")
@pytest.mark.parametrize("method", ["interval", "t"])
def test_tests_at_a_margin_warn_as_the_difference_does(method):
    data = few_differ(positive=True)
    (wanted,) = said_by(rs.auc_difference, data)
    gap = rs.auc_difference(data)
    for test in (noninferiority_test, superiority_test, equivalence_test):
        assert said_by(test, gap, 0.1, method=method) == [wanted]


def test_tests_at_a_margin_of_other_differences_do_not_warn():
    gap = bootstrap_difference(few_differ(positive=True), n_boot=50, rng=1, progress=False)
    assert said_by(noninferiority_test, gap, 0.1) == []


def test_several_scores_warn_of_the_pair_with_the_fewest_cases():
    two = few_differ(positive=True)
    third = two.score[:, 0].copy()
    third[[8 + 1, 8 + 3]] = 70.5, 71.5  # two negatives only tell it from the first
    scores = {"a": two.score[:, 0], "b": two.score[:, 1], "c": third}
    pair = rs.pair_scores(two.label, {name: scores[name] for name in "ab"})
    (wanted,) = said_by(rs.auc_difference, pair)
    assert said_by(rs.compare_aucs, pair) == [wanted.replace("the two scores", "a and b")]
    every = rs.pair_scores(two.label, scores)
    (said,) = said_by(rs.compare_aucs, every)
    assert "tell a and c apart: 0.2" in said
    assert "of 8 positives on average; so for 2 more pairs." in said
    (said,) = said_by(rs.compare_aucs, every, reference="b")
    assert "tell a and b apart" in said
    assert "so for 1 more pair." in said


def test_no_warning_where_both_classes_show_the_cases(recwarn):
    data = few_differ(positive=True)
    score = data.score.copy()
    score[:4, 1] -= 20
    rs.auc_difference(rs.pair_scores(data.label, {"a": score[:, 0], "b": score[:, 1]}))
    assert not [each for each in recwarn if "apart" in str(each.message)]


def uneven(positive=True, n=8):
    """Return scores of area .8 whose positives spread 2.5 and .4 times as far as the negatives."""
    few, many = (ndtri((np.arange(m) + 0.5) / m) for m in (n, 40))
    label = np.repeat([positive, not positive], [n, 40])
    sign = 1 if positive else -1
    scores = [
        np.concatenate([sign * (ndtri(0.8) * (1 + sd * sd) ** 0.5 + sd * few), many])
        for sd in (2.5, 0.4)
    ]
    return rs.pair_scores(label, np.transpose(scores), names=["wide", "narrow"])


def warned_of_uneven(function, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args)
    return [str(each.message) for each in caught if "spread more than twice" in str(each.message)]


@pytest.mark.parametrize(
    ("positive", "small", "large"),
    [(True, "positives", "negatives"), (False, "negatives", "positives")],
)
def test_tests_warn_where_they_may_favour_a_score_that_spreads_far(positive, small, large):
    gap = auc_difference(uneven(positive))
    (said,) = warned_of_uneven(superiority_test, gap)
    assert said.startswith(f"Placements of the {large} spread more than twice as far in the second")
    assert (
        f"there are 8 {small} only, which may lack those that the first score ranks worst" in said
    )
    for test in (noninferiority_test, equivalence_test):
        assert warned_of_uneven(test, gap, 0.05) == [said]


def test_tests_of_the_score_that_spreads_little_do_not_warn_unless_both_are_tested():
    back = auc_difference(uneven(), "narrow", "wide")
    assert warned_of_uneven(superiority_test, back) == []
    assert warned_of_uneven(noninferiority_test, back, 0.05) == []
    (said,) = warned_of_uneven(equivalence_test, back, 0.05)
    assert "in the first score as in the second score" in said
    assert warned_of_uneven(auc_difference, uneven()) == []


def test_several_pairs_of_uneven_scores_have_one_warning():
    data = uneven()
    wide, narrow = data.score.T
    for many, more in ((2, " So it is for 1 more pair."), (3, " So it is for 2 more pairs.")):
        others = {f"narrow_{i}": narrow + i * np.sin(np.arange(48)) / 50 for i in range(many)}
        every = compare_aucs(rs.pair_scores(data.label, {"wide": wide, **others}))
        gaps = {(pair.first, pair.second): pair.difference for pair in every.pairs}
        (said,) = warned_of_uneven(areas.warn_of_uneven, gaps, (0, 1))
        assert "as far in narrow_0 as in wide" in said
        assert f"too often.{more} An interval" in said


def test_nobody_warns_of_spreads_where_classes_are_alike_or_of_parts():
    assert warned_of_uneven(superiority_test, auc_difference(uneven(n=30))) == []
    assert warned_of_uneven(superiority_test, auc_difference(uneven(), fpr=(0, 0.9))) == []
    boot = bootstrap_difference(uneven(), n_boot=50, rng=1, progress=False)
    assert warned_of_uneven(superiority_test, boot) == []
