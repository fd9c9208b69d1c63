"""Variances, tests and partial areas: by hand, by all pairs, printed, and as others compute."""

import warnings
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace import datasets
from rocspace.counts import ScoreTable, SingleClassError, sorts, tabulate
from rocspace.counts import table as table_module
from rocspace.counts.table import fits_loops, is_distinct
from rocspace.inference import (
    auc_binomial_interval,
    auc_estimate,
    auc_test,
    auc_variance,
    delong,
    ks_test,
    mann_whitney_u,
    partial_auc_estimate,
    placements,
)
from rocspace.inference import spread as spread_module
from rocspace.inference.area import is_constant, null_variance
from rocspace.inference.spread import class_spread, joint_level
from rocspace.results.unseen import heavy_limits
from slow.data import F3, answer, assert_close, cases, reference, samples
from slow.inference import (
    bamber_by_pairs,
    delong_by_pairs,
    heavy_interval_by_cases,
    null_variance_by_formula,
    partial_variance_by_influence,
    partial_variance_literal,
    placements_by_pairs,
    unbiased_by_pairs,
)

METHODS = ["delong", "hanley-mcneil", "bamber", "unbiased"]
AUC_SETS = ["two_class_example_Class1", "pathology_scan"]
AUC_SHARED = [
    "asah_ndka",
    "asah_s100b",
    "breast_w_Cl_thickness",
    "dm_rocdata_test1",
    "dm_rocdata_test2",
    "rocr_simple_prediction",
    "sonar_V11",
    "suicide_dsi",
]


def both_two(sample):
    label = sample[0]
    return min(sum(label), len(label) - sum(label)) >= 2


def hanley_1982():
    data = datasets.load("hanley_mcneil")
    return tabulate(data.y_true, data.y_score)


def swapped(label, score):
    """The classes change places, and the scores their sign: the same area."""
    return [not y for y in label], [-s for s in score]


# --- by hand ----------------------------------------------------------------------------------


def test_delong_by_hand():
    # Positives 3, 5, 6 and negatives 1, 2, 4. Wins 2, 3, 3: placements 2/3, 1, 1. Of the
    # negatives: 1, 1, 2/3. Each has the sum of squares 2/27, so 2/27/2/3 = 1/81 each.
    table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    assert_close(auc_variance(table), 2 / 81, 14)
    assert_close(delong(table).se, (2 / 81) ** 0.5, 14)


def test_hanley_mcneil_by_hand():
    # A = 8/9, Q1 = 4/5, Q2 = 128/153, P = N = 3.
    a, q1, q2 = Fraction(8, 9), Fraction(4, 5), Fraction(128, 153)
    by_hand = (a * (1 - a) + 2 * (q1 - a * a) + 2 * (q2 - a * a)) / 9
    table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    assert_close(auc_variance(table, method="hanley-mcneil"), float(by_hand), 13)


def test_bamber_and_unbiased_by_hand():
    # psi = (1 1 0 / 1 1 1 / 1 1 1): S = 8, rows 2 3 3, columns 3 3 2, q = 8, A = 8/9.
    # Unbiased: 64/81 - (64 - 22 - 22 + 8)/36 = 1/81. Plug-in: mean V^2 is 22/27 twice, so
    # (8/81 + 2 (22/27 - 64/81) + 2 (22/27 - 64/81))/9 = (8/81 + 8/81)/9 = 16/729.
    table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    assert_close(auc_variance(table, method="unbiased"), 1 / 81, 13)
    assert_close(auc_variance(table, method="bamber"), 16 / 729, 13)


def test_null_variance_by_hand():
    # 6 cases, no ties: 7/108. One group of 2 and one of 3 tied: 1 - (6 + 24)/210 = 6/7.
    assert_close(null_variance(tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])), 7 / 108, 15)
    tied = tabulate([0, 0, 0, 1, 1, 1], [1, 1, 2, 2, 2, 3])
    assert_close(null_variance(tied), 7 / 108 * 6 / 7, 15)


def test_partial_area_by_hand():
    # F N = 2 of the 4 negatives 8 6 4 2, positives 9 7 5 3, f = 1/2: top negatives 8 and 6.
    # V10: 9 beats 2, 7 one, 5 and 3 none: 2/4 1/4 0 0. S1(8) = 1/4, S1(6) = 2/4, and the
    # curve at f = 1/2 reaches 3/4 (positive 5 comes before the next negative). V01: 8 has
    # 1/4 - 3/8, 6 has 1/2 - 3/8, the others 3/8. Both sums of squares about 3/16 are 11/64.
    label, score = [1, 0, 1, 0, 1, 0, 1, 0], [9, 8, 7, 6, 5, 4, 3, 2]
    got = partial_auc_estimate(tabulate(label, score), fpr=(0, 0.5))
    by_hand = Fraction(11, 64) / 12 + Fraction(11, 64) / 12
    assert partial_variance_literal(label, score, Fraction(0), Fraction(1, 2)) == by_hand
    assert_close(got.se**2, float(by_hand), 13)
    assert got.value == 0.1875
    assert got.range == (0.0, 0.5)


# --- by definition ----------------------------------------------------------------------------


@given(samples())
def test_placements_are_means_over_all_pairs(sample):
    label, score = sample
    table = tabulate(label, score)
    v = placements(table)
    v10, v01 = placements_by_pairs(label, score)
    row = {s: i for i, s in enumerate(table.score.tolist())}
    pos = [s for y, s in zip(label, score, strict=True) if y]
    neg = [s for y, s in zip(label, score, strict=True) if not y]
    assert_close([v.pos[row[s]] for s in pos], [float(x) for x in v10], 14)
    assert_close([v.neg[row[s]] for s in neg], [float(x) for x in v01], 14)


@given(samples().filter(both_two))
def test_variances_are_those_of_all_pairs(sample):
    table = tabulate(*sample)
    np.testing.assert_allclose(auc_variance(table), float(delong_by_pairs(*sample)), 1e-11, 1e-16)
    plug_in = auc_variance(table, method="bamber")
    np.testing.assert_allclose(plug_in, float(bamber_by_pairs(*sample)), 1e-11, 1e-16)
    unbiased = auc_variance(table, method="unbiased")
    np.testing.assert_allclose(unbiased, float(unbiased_by_pairs(*sample)), 1e-11, 1e-15)


@given(samples(weights=st.integers(1, 8).map(lambda k: k / 4)).filter(both_two))
def test_importance_weights_by_all_pairs(sample):
    label, score, weight = sample
    table = tabulate(label, score, sample_weight=weight)
    by_pairs = float(delong_by_pairs(label, score, weight))
    np.testing.assert_allclose(auc_variance(table), by_pairs, 1e-10, 1e-15)
    scaled = tabulate(label, score, sample_weight=[1e-3 * w for w in weight])
    np.testing.assert_allclose(auc_variance(scaled), by_pairs, 1e-10, 1e-15)


@given(samples(weights=st.integers(1, 4)).filter(both_two), st.sampled_from(METHODS))
def test_frequencies_are_repeated_cases(sample, method):
    label, score, weight = sample
    table = tabulate(label, score, sample_weight=weight)
    repeated = tabulate(np.repeat(label, weight), np.repeat(score, weight))
    got = auc_estimate(table, method=method, weight_type="frequency")
    assert got == auc_estimate(repeated, method=method)


@given(samples().filter(both_two), st.sampled_from(METHODS))
def test_variance_is_the_same_after_swapping_classes_and_sign(sample, method):
    label, score = sample
    one = auc_variance(tabulate(*sample), method=method)
    # Hanley and McNeil's model is not symmetric in that way: 1 - A with P and N swapped is.
    other_way = (
        swapped(label, score) if method != "hanley-mcneil" else ([not y for y in label], score)
    )
    other = auc_variance(tabulate(*other_way), method=method)
    np.testing.assert_allclose(one, other, 1e-11, 1e-15)


@given(samples())
def test_null_variance_is_the_formula(sample):
    label, score = sample
    by_formula = null_variance_by_formula(score, sum(label), len(label) - sum(label))
    assert_close(null_variance(tabulate(label, score)), float(by_formula), 13)


def test_null_variance_is_that_of_all_permutations():
    # Every way to call 3 of 7 tied scores positive is as likely.
    score = [1, 1, 2, 3, 3, 3, 4]
    areas = [
        rs.auc(tabulate(label, score)) for label in product([0, 1], repeat=7) if sum(label) == 3
    ]
    assert len(areas) == 35
    assert_close(null_variance(tabulate([1, 1, 1, 0, 0, 0, 0], score)), np.var(areas), 12)


# --- printed numbers --------------------------------------------------------------------------


def test_variances_of_fawcetts_instances():
    table, ref = tabulate(*F3), reference()
    assert_close(auc_variance(table), ref["F3_delong_var"])
    assert_close(delong(table).se, ref["F3_delong_se"])
    assert_close(auc_variance(table, method="hanley-mcneil"), ref["F3_hm_var"])
    assert_close(auc_estimate(table, method="hanley-mcneil").se, ref["F3_hm_se"])
    assert_close(auc_variance(table, method="unbiased"), ref["F3_unbiased_var"])
    assert_close(auc_variance(table, method="bamber"), ref["F3_empirical_Q_var"])
    assert_close(null_variance(table), ref["F3_null_var_no_ties"])
    assert_close(delong(table).se, 0.1270171, 6)


def test_standard_errors_of_hanley_and_mcneil():
    # The paper of 1982 prints .893 and .032.
    table, ref = hanley_1982(), reference()
    assert_close(rs.auc(table), ref["hanley_wilcoxon"]["W"])
    assert_close(auc_estimate(table, method="hanley-mcneil").se, ref["hanley_wilcoxon"]["se_exp"])
    assert_close(delong(table).se, ref["hanley_wilcoxon"]["se_delong"])
    assert_close(auc_estimate(table, method="unbiased").se, ref["hanley_wilcoxon"]["se_unbiased"])
    assert_close(auc_estimate(table, method="bamber").se, ref["hanley_empirical_Q_se"])


def test_plug_in_variance_of_a_fraction():
    table = tabulate([1, 1, 1, 0, 0, 0, 0], [1, 3, 3, 0, 1, 2, 3])
    assert bamber_by_pairs([1, 1, 1, 0, 0, 0, 0], [1, 3, 3, 0, 1, 2, 3]) == Fraction(83, 2304)
    assert_close(auc_variance(table, method="bamber"), 83 / 2304, 14)


def test_weighted_variances_of_fawcetts_instances():
    table = tabulate(*F3, sample_weight=[1, 2] * 10)
    ref = reference()["F3_weights_1_2_delong"]
    assert_close(rs.auc(table), ref["auc"])
    assert_close(auc_variance(table, weight_type="frequency"), ref["frequency_var"])
    assert_close(auc_variance(table), ref["importance_var"])
    unit = tabulate(*F3, sample_weight=[1.0] * 20)
    assert_close(auc_variance(unit), 0.0161333333333, 11)


def test_partial_area_of_fawcetts_instances():
    ref = reference()
    got = partial_auc_estimate(tabulate(*F3), fpr=(0, 0.2))
    assert_close(got.value, ref["F3_pauc_0_.2"])
    assert_close(got.se**2, ref["F3_pauc_0_.2_var"])


def test_unbiased_variance_differs_from_singlecasees_by_the_ties():
    # R's SingleCaseES gives these series NAP .9166667 and the unbiased se .0690066. It squares
    # a tie to 0 instead of 1/4, so its variance is larger by Pr(tie) / 4 / ((P - 1)(N - 1)).
    low, high = [20, 20, 26, 25, 22, 23], [28, 25, 24, 27, 30, 30, 29]
    got = auc_estimate(rs.tabulate_classes(high, low), method="unbiased")
    assert_close(got.value, 0.9166666666666666)
    assert_close(got.se**2 + 1 / 42 / 4 / 30, 0.06900655593423538**2)


# --- other programs ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", AUC_SETS + AUC_SHARED)
def test_delong_as_proc(name, request):
    data = name.replace("breast_w_Cl", "breast_w:Cl").replace("dm_rocdata_t", "dm_rocdata:t")
    data, column = data.split(":") if ":" in data else name.rsplit("_", 1)
    if name.startswith("two_class"):
        data, column = "two_class_example", "Class1"
    if name == "rocr_simple_prediction":
        data, column = "rocr_simple", "prediction"
    if name.startswith("breast_w"):
        column = "Cl.thickness"
    got = answer(f"auc__{data}__{column.replace('.', '_')}", request)
    table = tabulate(*cases(data, request, column))
    estimate = delong(table)
    assert_close(estimate.value, got["auc"], 14)
    assert_close(auc_variance(table), got["var_delong"], 12)
    v = placements(table)
    mean, spread = got["placements_pos_mean_var"]
    assert_close(table.pos @ v.pos / table.n_pos, mean, 13)
    assert_close(table.pos @ (v.pos - mean) ** 2 / (table.n_pos - 1), spread, 12)
    for percent in (90, 95, 99):  # pROC cuts at 0 and 1 too
        low, value, high = got[f"ci{percent}_delong"]
        interval = estimate.interval(percent / 100, scale="identity")
        assert_close([interval.low, estimate.value, interval.high], [low, value, high], 12)


@pytest.mark.parametrize("name", AUC_SETS + AUC_SHARED)
def test_rank_test_as_r(name, request):
    # wilcox.test by the Normal law with ties and without a continuity correction.
    stem = {
        "two_class_example_Class1": ("two_class_example", "Class1", "Class1"),
        "breast_w_Cl_thickness": ("breast_w", "Cl.thickness", "Cl_thickness"),
        "rocr_simple_prediction": ("rocr_simple", "prediction", "prediction"),
    }.get(name) or (name.rsplit("_", 1)[0], *[name.rsplit("_", 1)[1]] * 2)
    got = answer(f"auc__{stem[0]}__{stem[2]}", request)
    table = tabulate(*cases(stem[0], request, stem[1]))
    pairs = table.n_pos * table.n_neg
    test = auc_test(table)
    assert_close(test.difference, got["wilcoxon_W"] / pairs - 0.5, 12)
    ours = 2 * stats.norm.sf(abs(test.statistic))
    np.testing.assert_allclose(ours, got["wilcoxon_p_two_sided"], rtol=1e-12)
    scipys = stats.mannwhitneyu(*table_cases(table), method="asymptotic", use_continuity=False)
    np.testing.assert_allclose(ours, scipys.pvalue, rtol=1e-12)
    if not is_dominated(table):
        np.testing.assert_allclose(test.pvalue, ours, rtol=1e-12)


def is_dominated(table):
    both = table.pos + table.neg
    return both.sum() < 2 * both.max() < 2 * both.sum()


def table_cases(table):
    """Positives' and negatives' ranks, one for each case."""
    rank = -np.arange(len(table))
    return np.repeat(rank, table.pos), np.repeat(rank, table.neg)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("asah__s100b_vs_ndka", ("s100b", "ndka")),
        ("breast_w__Cl_thickness_vs_Cell_size", ("Cl.thickness", "Cell.size")),
        ("dm_rocdata__test1_vs_test2", ("test1", "test2")),
    ],
)
def test_variances_of_paired_curves_as_proc(name, columns, request):
    got = answer(f"paired__{name}", request)
    for which, column in zip("ab", columns, strict=True):
        table = tabulate(*cases(got["dataset"], request, column))
        assert_close(rs.auc(table), got[f"auc_{which}"], 13)
        assert_close(auc_variance(table), got[f"var_{which}"], 12)


@pytest.mark.parametrize("name", ["asah__ndka", "asah__s100b", "suicide__dsi"])
def test_variances_of_subgroups_as_proc(name, request):
    import csv

    got = answer(f"unpaired__{name}__by__gender", request)
    path = request.getfixturevalue("shared") / "data" / f"{got['dataset']}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r[got["marker"]] not in ("", "NA")]
    for which in "12":
        group = [r for r in rows if r[got["by"]] == got[f"group_{which}"]]
        label = [int(r[got["label"]]) for r in group]
        table = tabulate(label, [float(r[got["marker"]]) for r in group])
        assert_close(rs.auc(table), got[f"auc_{which}"], 13)
        assert_close(auc_variance(table), got[f"var_{which}"], 12)


def test_singleton_clusters_as_obuchowski(request):
    got = answer("cluster__asah_s100b_singletons", request)
    table = tabulate(*cases("asah", request, "s100b"))
    assert_close(auc_variance(table), got["var_clustered"], 12)
    assert_close(list(delong(table).interval(scale="identity")), got["ci95_clustered"], 12)


@pytest.mark.parametrize("sex", ["", "Female", "Male"])
@pytest.mark.parametrize("score", ["logreg", "hgb"])
def test_large_sets_as_proc(sex, score, request):
    got = answer(f"big__adult{'_' if sex else ''}{sex}", request)
    data = datasets.load("adult_scores")
    data = data.where("sex", sex) if sex else data
    table = tabulate(data.y_true, data.columns[score])
    assert_close(rs.auc(table), got["auc"][score], 14)
    assert_close(auc_variance(table), got["var_delong"][score], 11)
    partial = partial_auc_estimate(table, fpr=(0, 0.1))
    assert_close(partial.value, got["pauc_spec_1_0.9"][score], 12)
    assert_close(partial_auc_estimate(table, tpr=(0.9, 1)).value, got["pauc_sens_1_0.9"][score], 11)


@pytest.mark.parametrize("name", ["suicide", "asah_ndka", "asah_s100b", "rocr_simple"])
def test_hanley_mcneil_as_rocit(name, request):
    got = answer(f"rocit__{name}", request)
    table = tabulate(*cases(name, request))
    estimate = auc_estimate(table, method="hanley-mcneil")
    assert_close(estimate.value, got["auc_emp"], 13)
    assert_close(estimate.se, got["se_hanley_mcneil"], 12)
    value, low, high = got["ci_hanley_mcneil"]
    interval = estimate.interval(scale="identity")
    assert_close([interval.low, estimate.value, interval.high], [low, value, high], 11)
    assert_close(ks_test(table).statistic, got["ks_stat"], 13)


def test_delong_is_not_rocits_where_scores_tie(request):
    # Without ties ROCit 2.1.2 agrees. With them it counts a tie as a win for the positive's
    # placement and as a loss for the negative's, and pROC's interval is ours.
    got = answer("rocit__rocr_simple", request)
    smooth = delong(tabulate(*cases("rocr_simple", request)))
    assert_close(list(smooth.interval(scale="identity")), got["ci_delong"][1:], 11)
    got = answer("rocit__suicide", request)
    label, score = cases("suicide", request)
    pos, neg = score[label], score[~label]
    wins = np.var((pos[:, None] >= neg).mean(1), ddof=1) / len(pos)
    losses = np.var((pos[:, None] > neg).mean(0), ddof=1) / len(neg)
    theirs = (got["ci_delong"][2] - got["ci_delong"][1]) / 2 / 1.959963984540054
    assert_close(wins + losses, theirs**2, 11)
    tied = delong(tabulate(label, score)).interval(scale="identity")
    assert tied.width > 1.9 * (got["ci_delong"][2] - got["ci_delong"][1])
    proc = answer("auc__suicide__dsi", request)
    assert_close([tied.low, tied.high], [proc["ci95_delong"][0], proc["ci95_delong"][2]], 12)


@pytest.mark.parametrize("name", ["suicide", "asah_ndka", "asah_s100b", "rocr_simple"])
def test_bootstrap_tends_to_the_plug_in_variance(name, request):
    # 2000 resamples: the relative standard error of a variance is about sqrt(2 / 2000) = 3 %.
    stem = {"suicide": "suicide__dsi", "rocr_simple": "rocr_simple__prediction"}
    got = answer(f"boot__{stem.get(name, name.replace('_', '__'))}", request)
    plug_in = auc_variance(tabulate(*cases(name, request)), method="bamber")
    np.testing.assert_allclose(got["var_bootstrap"], plug_in, rtol=4 * np.sqrt(2 / 2000))


def test_bootstrap_of_counts_tends_to_the_plug_in_variance():
    table, rng = tabulate(*F3), np.random.default_rng(1)
    areas = [rs.auc(rs.resample(table, rng=rng)) for _ in range(2000)]
    assert_close(np.mean(areas), 0.68, 2)
    np.testing.assert_allclose(np.var(areas), 0.015244, rtol=4 * np.sqrt(2 / 2000))


@pytest.mark.parametrize("name", ["sonar__knn15", "vehicle__tree5"])
def test_weighted_area_as_weightedroc(name, request):
    data, column = name.split("__")
    label, score = cases(data, request, column)
    weight = 1 + np.arange(1, len(label) + 1) % 5
    got = answer(f"weighted__{name}", request)
    estimate = delong(tabulate(label, score, sample_weight=weight))
    assert_close(estimate.value, got["auc"], 13)
    assert estimate.n_pairs < min(label.sum(), (~label).sum())


@pytest.mark.parametrize("name", ["sonar_rf", "two_class_example", "vehicle_tree5"])
def test_kolmogorov_distance_as_mlmetrics(name, request):
    got = answer(f"mlmetrics__{name}", request)
    table = tabulate(*cases(name, request))
    assert_close(ks_test(table).statistic, got["ks_test_D"], 13)


# --- partial areas ----------------------------------------------------------------------------


@given(st.permutations(range(16)), st.sampled_from([(0, 2), (0, 5), (1, 4), (3, 8), (0, 8)]))
def test_partial_variance_is_the_literal_one_without_ties(order, ends):
    label, score = [i < 8 for i in range(16)], [float(s) for s in order]
    low, high = (Fraction(end, 8) for end in ends)
    got = partial_auc_estimate(tabulate(label, score), fpr=(float(low), float(high)))
    by_definition = float(partial_variance_literal(label, score, low, high))
    np.testing.assert_allclose(got.se**2, by_definition, 1e-11, 1e-16)


@given(
    samples(max_size=14, weights=st.integers(1, 3)).filter(both_two),
    st.sampled_from([(0.0, 0.2137), (0.0, 0.4513), (0.2137, 0.6931), (0.1913, 1.0)]),
)
@settings(max_examples=50)
def test_partial_variance_with_ties_is_that_of_the_influence(sample, ends):
    # No fraction of up to 14 x 3 counts is within 1e-3 of these ends: the cut is inside a row.
    label, score, weight = sample
    table = tabulate(label, score, sample_weight=weight)
    got = partial_auc_estimate(table, fpr=ends)
    exact = partial_variance_by_influence(label, score, *map(Fraction, ends), weight)
    np.testing.assert_allclose(got.se**2, float(exact), 1e-8, 1e-13)


@given(samples().filter(both_two))
def test_partial_variance_over_everything_is_delongs(sample):
    table = tabulate(*sample)
    whole = delong(table)
    for ends in ({"fpr": (0, 1)}, {"tpr": (0, 1)}, {}):
        got = partial_auc_estimate(table, **ends)
        np.testing.assert_allclose([got.value, got.se], [whole.value, whole.se], 1e-11, 1e-9)
        np.testing.assert_allclose(list(got.interval()), list(whole.interval()), 1e-9, 1e-9)


@given(samples().filter(both_two), st.sampled_from([(0, 0.3), (0.15, 0.6), (0.75, 1)]))
def test_range_of_tpr_is_a_range_of_fpr_of_the_swapped_classes(sample, ends):
    beside = partial_auc_estimate(tabulate(*sample), tpr=ends)
    flipped = tabulate(*swapped(*sample))
    under = partial_auc_estimate(flipped, fpr=(1 - ends[1], 1 - ends[0]))
    np.testing.assert_allclose([beside.value, beside.se], [under.value, under.se], 1e-9, 1e-12)


@pytest.mark.parametrize(("f", "n"), [(0.29, 100), (0.07, 100), (0.57, 100)])
def test_cut_that_misses_a_whole_number_by_rounding(f, n):
    # f n is whole, but not in floating point: the run of positives at the cut still counts.
    assert f * n != round(f * n)
    score = np.random.default_rng(5).permutation(2 * n).astype(float)
    label = np.arange(2 * n) % 2 == 0
    exact = partial_variance_literal(label, score.tolist(), Fraction(0), Fraction(round(f * n), n))
    assert_close(partial_auc_estimate(tabulate(label, score), fpr=(0, f)).se ** 2, float(exact), 11)


def test_partial_variance_is_the_variance_over_samples():
    # 600 samples: the relative standard error of a variance is about sqrt(2 / 600) = 6 %.
    rng = np.random.default_rng(7)
    found = [
        partial_auc_estimate(
            rs.tabulate_classes(rng.normal(1.5, 1, 150), rng.normal(0, 1, 200)), fpr=(0, 0.15)
        )
        for _ in range(600)
    ]
    between = np.var([each.value for each in found], ddof=1)
    np.testing.assert_allclose(np.mean([each.se**2 for each in found]), between, rtol=0.2)


def test_partial_area_with_weights_of_any_scale():
    label, score = F3
    rng = np.random.default_rng(3)
    weight = rng.uniform(0.5, 2, 20)
    one = partial_auc_estimate(tabulate(label, score, sample_weight=weight), fpr=(0, 0.3))
    other = partial_auc_estimate(tabulate(label, score, sample_weight=7e5 * weight), fpr=(0, 0.3))
    assert_close(
        [one.value, one.se, one.df, one.model_se],
        [other.value, other.se, other.df, other.model_se],
        10,
    )


# --- tests of a hypothesis --------------------------------------------------------------------


def test_rank_test_by_hand():
    # A - 1/2 = 7/18, variance 7/108: z = sqrt(7/3).
    test = auc_test(tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6]))
    assert_close(test.statistic, (7 / 3) ** 0.5, 14)
    assert_close(test.pvalue, 2 * stats.norm.sf((7 / 3) ** 0.5), 13)
    assert test.alternative == "two-sided"


@given(samples())
def test_one_sided_tests_add_up(sample):
    table = tabulate(*sample)
    less, greater = (auc_test(table, alternative=side) for side in ("less", "greater"))
    if is_dominated(table):  # what was found counts on both sides
        assert less.pvalue + greater.pvalue > 1
    else:
        assert_close(less.pvalue + greater.pvalue, 1)
        assert_close(auc_test(table).pvalue, min(1.0, 2 * min(less.pvalue, greater.pvalue)), 11)
    flipped = auc_test(tabulate(*swapped(*sample)), alternative="less")
    assert_close(flipped.pvalue, less.pvalue, 9)


def test_rank_test_where_all_scores_tie():
    test = auc_test(ScoreTable.from_counts([3], [4], [5]))
    assert (test.statistic, test.pvalue, test.difference) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (5, 7), (20, 31), (700, 900), (1, 999)])
def test_kolmogorov_p_is_exact(n_pos, n_neg):
    rng = np.random.default_rng(n_pos)
    pos, neg = rng.normal(0.05, 1, n_pos), rng.normal(0, 1, n_neg)
    test = ks_test(rs.tabulate_classes(pos, neg))
    scipys = stats.ks_2samp(pos, neg, method="exact")
    assert_close(test.statistic, scipys.statistic, 12)
    assert_close(test.pvalue, scipys.pvalue, 10)


def test_kolmogorov_p_where_scipys_exact_law_fails():
    # Alternating classes of 5: every one of the 252 orders has D >= 1/5. SciPy 1.17 finds a
    # chance beyond 1, warns, and falls back on the limit.
    test = ks_test(tabulate([0, 1] * 5, range(10)))
    assert_close([test.statistic, test.pvalue], [0.2, 1.0], 13)


def test_kolmogorov_p_of_ten_thousand_cases_is_near_the_limit():
    rng = np.random.default_rng(4)
    pos, neg = rng.normal(0.04, 1, 4000), rng.normal(0, 1, 6000)
    test = ks_test(rs.tabulate_classes(pos, neg))
    np.testing.assert_allclose(
        test.pvalue, stats.kstwobign.sf(test.statistic * np.sqrt(2400)), rtol=0.05
    )


@given(samples(max_size=9))
@settings(max_examples=40)
def test_kolmogorov_p_with_ties_by_all_labels(sample):
    label, score = sample
    n = len(label)
    ways = [w for w in product([0, 1], repeat=n) if sum(w) == sum(label)]
    found = np.array([rs.ks(tabulate(w, score)) for w in ways])
    test = ks_test(tabulate(label, score))
    assert_close(test.pvalue, np.mean(found > test.statistic - 1e-9), 11)


def test_kolmogorov_p_of_many_cases_is_the_limits():
    rng = np.random.default_rng(2)
    pos, neg = rng.normal(0.03, 1, 9000), rng.normal(0, 1, 8000)
    test = ks_test(rs.tabulate_classes(pos, neg))
    assert_close(test.pvalue, stats.ks_2samp(pos, neg, method="asymp").pvalue, 10)


def test_kolmogorov_p_by_hand():
    # Of the 20 orders of 3 and 3 cases, only the two that separate have D = 1.
    test = ks_test(tabulate([0, 0, 0, 1, 1, 1], range(6)))
    assert_close([test.statistic, test.pvalue], [1, 0.1], 13)


@given(samples(weights=st.integers(1, 4)))
def test_rank_test_of_frequencies_is_that_of_repeated_cases(sample):
    label, score, weight = sample
    table = tabulate(label, score, sample_weight=weight)
    repeated = tabulate(np.repeat(label, weight), np.repeat(score, weight))
    assert auc_test(table, weight_type="frequency") == auc_test(repeated)


@given(samples(), st.sampled_from([0.3, 1.0, 7.0]), st.sampled_from([0.1, 2.0]))
def test_rank_test_does_not_know_the_scale_of_weights(sample, of_pos, of_neg):
    label, score = sample
    weight = np.where(label, of_pos, of_neg)
    weighted = auc_test(tabulate(label, score, sample_weight=weight))
    plain = auc_test(tabulate(label, score))
    assert weighted.statistic == pytest.approx(plain.statistic, rel=1e-9, abs=1e-12)
    assert_close(weighted.pvalue, plain.pvalue, 9)


def test_null_variance_with_weights_is_that_of_all_permutations():
    # Without ties, over all ways to give five scores to five cases with their weights.
    weight = np.array([1.0, 3.0, 0.5, 2.0, 1.5])
    areas = [
        rs.auc(tabulate([1, 1, 0, 0, 0], score, sample_weight=weight))
        for score in permutations(range(5))
    ]
    table = tabulate([1, 1, 0, 0, 0], [2, 3, 0, 1, 4], sample_weight=weight)
    n_pos, n_neg = table.n_eff
    exact = (n_pos + n_neg + 1) / (12 * n_pos * n_neg)
    assert_close(np.var(areas), exact, 12)
    # What is found has nothing to add where large weights are in the middle.
    assert_close(null_variance(table), exact, 12)
    outer = tabulate([1, 1, 0, 0, 0], [2, 0, 3, 4, 1], sample_weight=weight)
    assert null_variance(outer) > 1.05 * exact


def test_null_variance_with_weights_and_ties():
    # As before, of scores that tie; weights are alike, but for the scale of a class.
    weight, score = np.array([2.0, 2.0, 0.5, 0.5, 0.5, 0.5]), [0, 0, 1, 2, 2, 2]
    label = [1, 1, 0, 0, 0, 0]
    areas = [rs.auc(tabulate(label, order, sample_weight=weight)) for order in permutations(score)]
    assert_close(null_variance(tabulate(label, score, sample_weight=weight)), np.var(areas), 12)


def test_size_of_the_rank_test_with_weights():
    rng = np.random.default_rng(1)
    label = np.arange(60) < 25
    independent, drawn = [], []
    for _ in range(600):
        score = rng.normal(size=60)
        weight = rng.lognormal(sigma=0.8, size=60)
        independent.append(auc_test(tabulate(label, score, sample_weight=weight)).pvalue)
        # Scores drawn from a law with mean .7, weighted back to one with mean 0.
        weight = np.exp(-0.7 * (score + 0.7))
        drawn.append(auc_test(tabulate(label, score + 0.7, sample_weight=weight)).pvalue)
    assert (np.array(independent) < 0.05).mean() == pytest.approx(0.045, abs=0.03)
    assert (np.array(drawn) < 0.05).mean() == pytest.approx(0.065, abs=0.035)


def test_tests_refuse_what_they_do_not_know():
    table = tabulate(*F3, sample_weight=[1.5] * 20)
    with pytest.raises(ValueError, match=r"^Frequency weights are whole numbers, but"):
        auc_test(table, weight_type="frequency")
    with pytest.raises(ValueError, match=r"^weight_type is 'case'"):
        auc_test(table, weight_type="case")
    with pytest.raises(ValueError, match=r"^This test counts cases, but the table has weights"):
        ks_test(table)
    with pytest.raises(ValueError, match=r"^alternative is 'both'"):
        auc_test(tabulate(*F3), alternative="both")


# --- edges ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("pos", "neg", "area"),
    [([3, 4, 5], [0, 1, 2], 1.0), ([0, 1], [2, 3, 4], 0.0), ([1, 1], [1, 1, 1], 0.5)],
)
def test_separated_reversed_and_tied_classes(method, pos, neg, area):
    estimate = auc_estimate(rs.tabulate_classes(pos, neg), method=method)
    assert estimate.value == area
    assert estimate.se == (0.0 if area != 0.5 or method != "hanley-mcneil" else estimate.se)
    low, high = estimate.interval()
    assert 0 <= low <= area <= high <= 1
    assert high - low > 0.3


@pytest.mark.parametrize(("pos", "neg"), [([2], [1, 3, 0]), ([2, 3, 0], [1]), ([1], [0])])
def test_one_case_in_a_class(pos, neg):
    estimate = delong(rs.tabulate_classes(pos, neg))
    assert np.isnan(estimate.se)
    assert estimate.n_pairs == 1
    for scale in ("moderated", "logit", "identity", "hoeffding"):
        interval = estimate.interval(scale=scale)
        assert interval.method == "hoeffding"
        assert interval.low <= estimate.value <= interval.high
    for method in ("unbiased", "bamber"):
        assert np.isnan(auc_variance(rs.tabulate_classes(pos, neg), method=method))


def test_missing_class():
    with pytest.raises(SingleClassError, match=r"^auc_variance needs at least 1 positive"):
        auc_variance(tabulate([1, 1], [1, 2]))
    for function in (delong, placements, auc_test, ks_test):
        with pytest.raises(
            SingleClassError,
            match=rf"^{function.__name__} needs .* 0 positives and 2",
        ):
            function(tabulate([0, 0], [1, 2]))


def test_unknown_methods_and_weights():
    table = tabulate(*F3, sample_weight=[1.5] * 20)
    with pytest.raises(ValueError, match=r"^method is 'wald', but must be one of 'delong'"):
        auc_variance(table, method="wald")
    with pytest.raises(ValueError, match=r"^weight_type is 'sampling'"):
        delong(table, weight_type="sampling")
    with pytest.raises(ValueError, match=r"^This method needs counts, but the table has import"):
        auc_estimate(table, method="bamber")
    with pytest.raises(ValueError, match=r"^Frequency weights are whole numbers, but the posit"):
        delong(table, weight_type="frequency")


@pytest.mark.filterwarnings("ignore:(Only|None)")
def test_one_case_that_carries_the_weight():
    # Nearly all weight on one positive: one effective positive, no variance to be had but
    # the model's.
    weight = [1.0] + [1e-9] * 4 + [1.0] * 5
    table = tabulate([1] * 5 + [0] * 5, [5, 9, 3, 8, 1, 2, 4, 6, 7, 0], sample_weight=weight)
    estimate = delong(table)
    assert estimate.n_pairs == pytest.approx(1, abs=1e-8)
    low, high = estimate.interval()
    assert low < 0.2
    assert high > 0.9


@pytest.mark.filterwarnings("ignore:(Only|None)")
def test_rounding_is_not_certainty():
    # Weights that do not add up exactly leave an area of 1 - 1e-16 and a standard error of
    # 1e-17: still perfect separation, and no point.
    rng = np.random.default_rng(8)
    for _ in range(50):
        label = np.arange(12) < 6
        score = np.where(label, rng.integers(5, 9, 12), rng.integers(0, 4, 12))
        estimate = delong(tabulate(label, score, sample_weight=rng.uniform(0.1, 1, 12)))
        assert estimate.value == pytest.approx(1, abs=1e-15)
        interval = estimate.interval()
        assert interval.method == "hoeffding"
        assert interval.width > 0.3


def test_huge_counts():
    # A billion of each, at three ratings: placements by hand, no overflow.
    pos, neg = [10**9 // 2, 10**9 // 4, 10**9 // 4], [10**9 // 8, 10**9 // 8, 3 * 10**9 // 4]
    table = ScoreTable.from_counts([3, 2, 1], pos, neg)
    p, n = [Fraction(x, 10**9) for x in pos], [Fraction(x, 10**9) for x in neg]
    v10 = [1 - n[0] / 2, n[2] + n[1] / 2, n[2] / 2]
    v01 = [p[0] / 2, p[0] + p[1] / 2, 1 - p[2] / 2]
    area = sum(a * b for a, b in zip(p, v10, strict=True))
    spread = sum(a * (b - area) ** 2 for a, b in zip(p, v10, strict=True))
    spread += sum(a * (b - area) ** 2 for a, b in zip(n, v01, strict=True))
    estimate = delong(table)
    assert estimate.value == float(area)
    assert_close(estimate.se**2, float(spread) / (10**9 - 1), 13)
    for method in METHODS:  # all one at this size, but for the model's
        ratio = auc_variance(table, method=method) / estimate.se**2
        assert ratio == pytest.approx(1, abs=1e-8) or method == "hanley-mcneil"
    low, high = estimate.interval()
    assert 0 < high - low < 1e-4
    assert auc_test(table).pvalue == 0
    assert ks_test(table).pvalue == 0
    # (P + N + 1) / (12 P N), and the ties that leave 1 - sum of cubed shares.
    shares = [(a + b) / 2 for a, b in zip(p, n, strict=True)]
    untied = 1 - float(sum(x**3 for x in shares))
    assert_close(null_variance(table), (2e9 + 1) / 12e18 * untied, 9)


def test_null_variance_of_nearly_all_tied():
    # One case stands apart from 10^9: 1 - sum(t^3 - t)/(n^3 - n) = 3/(n + 1), about 3e-9.
    n = 10**9
    table = ScoreTable.from_counts([2, 1], [1, n // 2 - 1], [0, n // 2])
    exact = Fraction(n + 1, 12 * (n // 2) ** 2) * Fraction(3, n + 1)
    assert_close(null_variance(table), float(exact), 14)


def test_degrees_of_freedom_know_outliers():
    # 19 of 20 positives above all negatives and one below: its placement is the variance,
    # which two numbers decide; spread placements are worth as many cases as there are.
    outlier = delong(rs.tabulate_classes([*range(20, 39), 0], range(1, 20)))
    even = delong(rs.tabulate_classes(range(0, 40, 2), range(1, 41, 2)))
    assert outlier.df < 2.5
    assert even.df == pytest.approx(38, rel=1e-3)


def test_a_range_may_be_an_array():
    table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
    one = partial_auc_estimate(table, tpr=np.array([0.5, 1.0]))
    assert one == partial_auc_estimate(table, tpr=(0.5, 1.0))


def test_ks_test_of_more_cases_than_anybody_has():
    flat = [2**60, 2**60, 2**60]
    assert ks_test(rs.ScoreTable.from_counts([2, 1, 0], flat, flat)).pvalue == 1
    apart = rs.ScoreTable.from_counts([2, 1, 0], [2**60, 2**59, 1], [2**59, 2**60, 1])
    assert ks_test(apart).pvalue == 0
    near = rs.ScoreTable.from_counts([1, 0], [2**60 + 2**30, 2**60], [2**60, 2**60 + 2**30])
    assert 0.01 < ks_test(near).pvalue < 1
    # So many that SciPy's distribution of finite samples is not a number. By the limit: the first
    # distance is 1.2932e-8, times the root of half of 4.9078e16 cases 2.0258, 2 exp(-2 2.0258^2).
    pos = [22829375725880887, 3462598283338760, 22785798915373434]
    neg = [22829375725880887, 3462597103095303, 22785798731249737]
    many = rs.ScoreTable.from_counts([3, 2, 1], pos, neg)
    assert ks_test(many).pvalue == pytest.approx(0.000545, rel=1e-3)


# --- weights that know the score --------------------------------------------------------------

hardly_known = pytest.mark.filterwarnings("ignore:(Only|None)")


@st.composite
def weighted_cases(draw):
    """Labels, scores without ties, weights of which some are heavy."""
    n = draw(st.integers(8, 30))
    label = [1, 1, 0, 0, *draw(st.lists(st.integers(0, 1), min_size=n - 4, max_size=n - 4))]
    score = draw(st.permutations(range(n)))
    weight = draw(st.lists(st.sampled_from([1, 1.5, 2, 10, 20]), min_size=n, max_size=n))
    return label, score, weight


@hardly_known
@given(sample=weighted_cases(), level=st.sampled_from([0.8, 0.95]))
@settings(max_examples=80)
def test_a_heavy_case_is_added_to_each_class(sample, level):
    label, score, weight = sample
    assume(len({w for w, y in zip(weight, label, strict=True) if y}) > 1)
    found = rs.delong(rs.tabulate(label, score, sample_weight=weight))
    assume(0 < found.value < 1 and all(c.variance > 1e-12 for c in found.classes))
    low, high = heavy_interval_by_cases(label, score, weight, level)
    own = heavy_limits(found.value, found.classes, level)
    assert own == pytest.approx((low, high), rel=1e-7)
    shown = found.interval(level)
    assert shown.low <= low + 1e-12
    assert high - 1e-12 <= shown.high
    assert shown.method == "delong, unseen"


@given(sample=weighted_cases(), scale=st.tuples(st.sampled_from([1, 3, 0.01]), st.just(7)))
@settings(max_examples=40)
def test_weights_that_only_tell_the_classes_apart_change_nothing(sample, scale):
    label, score, _ = sample
    plain = rs.delong(rs.tabulate(label, score))
    weight = [scale[y] for y in label]
    found = rs.delong(rs.tabulate(label, score, sample_weight=weight))
    assert list(found.interval()) == pytest.approx(list(plain.interval()), rel=1e-9)
    assert found.interval().method == plain.interval().method


@hardly_known
@given(sample=weighted_cases(), scale=st.sampled_from([3.0, 0.01]))
@settings(max_examples=40)
def test_each_class_has_its_own_scale_of_weights(sample, scale):
    label, score, weight = sample
    one = rs.delong(rs.tabulate(label, score, sample_weight=weight)).interval()
    scaled = [w * (scale if y else 1) for w, y in zip(weight, label, strict=True)]
    two = rs.delong(rs.tabulate(label, score, sample_weight=scaled)).interval()
    assert list(one) == pytest.approx(list(two), rel=1e-9)


def test_missing_heavy_cases_are_warned_of():
    # Of the negatives 10 weigh 20; no positive does.
    label = [1] * 30 + [0] * 60
    weight = [1] * 30 + [20] * 10 + [1] * 50
    score = np.random.default_rng(4).normal(size=90) + label
    table = rs.tabulate(label, score, sample_weight=weight)
    for call in (rs.delong, rs.auc_estimate):
        with pytest.warns(UserWarning, match="None of the positives weigh at least half of 20"):
            call(table)
    with pytest.warns(UserWarning, match="interval"):
        found = rs.delong(table)
    plain = found.interval(scale="moderated")
    assert found.interval().high - found.interval().low > 1.5 * (plain.high - plain.low)


def test_heavy_cases_that_were_seen_are_no_warning():
    label = [1] * 60 + [0] * 60
    weight = ([20] * 10 + [1] * 50) * 2
    score = np.random.default_rng(4).normal(size=120) + label
    with warnings.catch_warnings(record=True) as found:
        rs.delong(rs.tabulate(label, score, sample_weight=weight))
    assert found == []


@pytest.mark.parametrize("part", [{"fpr": (0, 0.2)}, {"fpr": (0.1, 0.5)}, {"tpr": (0.8, 1)}])
def test_weights_that_hardly_vary_make_no_part_narrower(part):
    rng = np.random.default_rng(8)
    label = np.repeat([1, 0], [20, 40])
    score = rng.normal(size=60) + 1.5 * label
    plain = partial_auc_estimate(tabulate(label, score), **part).interval()
    weight = 1 + 1e-7 * rng.random(60)
    found = partial_auc_estimate(tabulate(label, score, sample_weight=weight), **part).interval()
    assert found.low <= plain.low + 1e-6
    assert found.high >= plain.high - 1e-6


@hardly_known
def test_half_a_heavy_case_of_a_part_by_hand():
    # A light case weighs 1, a heavy one 4. The negatives have 7^2 / 19 effective cases, of which a
    # heavy one is 4/7; one was seen, so a quarter of 4/7 of them is added, or a half.
    label, score = [1, 1, 1, 1, 0, 0, 0, 0], [8, 7, 5, 3, 6, 4, 2, 1]
    weight = [1, 1, 1, 1, 1, 1, 1, 4]
    table = rs.tabulate(label, score, sample_weight=weight)
    pos, neg = partial_auc_estimate(table, fpr=(0, 0.5)).classes
    assert neg.added == pytest.approx(max(0.5, 0.25 * (4 / 7) * 49 / 19))
    assert pos.added == pytest.approx(0.5 * (4 / 4) * 4)  # none of weight 4 was seen
    # A negative tied with 8 is beaten by an eighth of the positives, but moves the cut by its
    # weight, where all positives are above: (1/8 + 1/2 - 1) / (1/2).
    assert (neg.mean.low, neg.mean.high) == pytest.approx((-0.75, 1))


@hardly_known
def test_weighted_differences_allow_for_a_heavy_case():
    rng = np.random.default_rng(6)
    label = np.repeat([1, 0], [30, 60])
    common = rng.normal(size=90) + label
    scores = {k: common + rng.normal(size=90) for k in "ab"}
    weight = np.where(rng.random(90) < 0.1, 15.0, 1.0)
    gain = rs.auc_difference(rs.pair_scores(label, scores, sample_weight=weight))
    assert gain.interval().method == "delong, unseen"
    assert gain.interval(0.9).low < gain.interval(0.9, scale="t").low
    for end in gain.interval(0.9):
        assert gain.test(null=end).pvalue == pytest.approx(0.1, rel=1e-6)
    by_class = gain.classes
    assert sum(c.variance for c in by_class) == pytest.approx(gain.se**2)
    # Scores that rank alike: the heavy case cannot tell them apart.
    twins = {"a": scores["a"], "b": 2 * scores["a"]}
    same = rs.auc_difference(rs.pair_scores(label, twins, sample_weight=weight))
    assert sum(c.unseen for c in same.classes) < 1e-12


@given(sample=samples())
@settings(max_examples=40)
def test_u_counts_the_pairs(sample):
    label, score = sample
    table = tabulate(label, score)
    gaps = np.subtract.outer(*(np.array(score)[np.array(label) == c] for c in (1, 0)))
    u = mann_whitney_u(table)
    assert u == (gaps > 0).sum() + (gaps == 0).sum() / 2
    assert u / gaps.size == pytest.approx(rs.auc(table), abs=1e-15)
    # As SciPy has it, and by the sum of ranks.
    pos, neg = (np.array(score)[np.array(label) == c] for c in (1, 0))
    assert u == stats.mannwhitneyu(pos, neg).statistic
    ranks = stats.rankdata(score)[np.array(label) == 1].sum()
    assert u == ranks - pos.size * (pos.size + 1) / 2


def test_u_of_many_and_of_weights():
    many = ScoreTable.from_counts([2, 1], [2**28 + 1, 1], [0, 2**24])
    assert mann_whitney_u(many) == (2**28 + 1) * 2**24 + 2**23
    weighted = tabulate([1, 0, 1, 0], [3, 2, 1, 1], sample_weight=[0.5, 2.0, 4.0, 1.0])
    assert mann_whitney_u(weighted) == pytest.approx(0.5 * 3 + 4 * 0.5)
    with pytest.raises(SingleClassError, match=r"mann_whitney_u needs .* 2 positives and 0"):
        mann_whitney_u(tabulate([1, 1], [1, 2]))


def test_an_area_of_no_width_is_refused():
    """Of f1 = f2 there is a point, not an area; the message names what to ask instead."""
    table = tabulate(*F3)
    with pytest.raises(ValueError, match=r"fpr is \(0.2, 0.2\), which has no width.*tpr_at\(0.2\)"):
        rs.partial_auc(table, fpr=(0.2, 0.2))
    with pytest.raises(ValueError, match=r"tpr is \(0.9, 0.9\), which has no width.*fpr_at\(0.9\)"):
        partial_auc_estimate(table, tpr=(0.9, 0.9))
    with pytest.raises(ValueError, match="first end must be the smaller"):
        rs.partial_auc(table, fpr=(0.2, 0.1))


@pytest.mark.parametrize("heavy", [4, 5])
def test_five_heavy_cases_are_enough(heavy):
    label = np.repeat([True, False], [20 + heavy, 25])
    weight = np.concatenate([np.ones(20), np.full(heavy, 10.0), np.ones(20), np.full(5, 10.0)])
    table = tabulate(label, np.arange(label.size) * 7 % 97, sample_weight=weight)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        auc_estimate(table)
    assert [str(each.message)[:21] for each in said] == ["Only 4 of the positiv"] * (heavy == 4)


# --- as if an area were a share -----------------------------------------------------------------


def test_the_binomial_interval_is_clopper_and_pearsons():
    # Fawcett's 20 cases: an area of .68, as 6.8 of 10 and 13.6 of 20.
    table = rs.tabulate(*F3)
    for of_which, n in (("smaller", 10), ("all", 20)):
        low, high = auc_binomial_interval(table, cases=of_which)
        assert low == pytest.approx(stats.beta.ppf(0.025, 0.68 * n, n - 0.68 * n + 1))
        assert high == pytest.approx(stats.beta.ppf(0.975, 0.68 * n + 1, n - 0.68 * n))
    perfect = auc_binomial_interval(rs.tabulate([0, 0, 1, 1, 1], [1, 2, 3, 4, 5]))
    assert tuple(perfect) == pytest.approx((0.025**0.5, 1))
    with pytest.raises(ValueError, match="cases is 'both'"):
        auc_binomial_interval(table, cases="both")


@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_short_and_long_tables_are_summed_alike(decimals, monkeypatch):
    """Bit by bit, with rows of one case, of several, and of both classes."""
    rng = np.random.default_rng(decimals)
    label = rng.random(20_000) < 0.2
    score = np.round(rng.standard_normal(label.size) + label, decimals)

    def numbers():
        found = delong(tabulate(label, score))
        return found.value, found.se, found.df, found.interval()

    short = numbers()
    for module in (table_module, spread_module):
        monkeypatch.setattr(module, "SUMMED", 0)
    assert numbers() == short


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("decimals", [None, 3, 1])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("n", [255, 256, 2047, 2048, 6000])
def test_spread_of_grouped_placements_is_that_of_all(n, share, decimals, higher):
    rng = np.random.default_rng([n, int(100 * share)])
    label = rng.random(n) < share
    score = rng.standard_normal(n) + label
    table = rs.tabulate(
        label, score if decimals is None else score.round(decimals), higher_is_positive=higher
    )
    area = rs.auc(table)
    every = spread_module.spread_of(table, spread_module.placement_blocks(table), area)
    grouped = [0.0, 0.0], [0.0, 0.0], [0, 0]
    for i, number, placement in spread_module._grouped_placements(table):
        for sums, power in zip(grouped[:2], (2, 4), strict=True):
            sums[i] += float(number @ (placement - area) ** power)
        grouped[2][i] += int(number.sum())
    assert grouped[2] == [table.n_pos, table.n_neg]  # each case is in one group
    assert grouped[0][0] / table.n_pos == pytest.approx(every.squares[0], rel=1e-13)
    assert grouped[0][1] / table.n_neg == pytest.approx(every.squares[1], rel=1e-13)
    found = spread_module.area_spread(table, area)
    assert found.variance == pytest.approx(every.variance, rel=1e-13)
    assert found.df == pytest.approx(every.df, rel=1e-12)


@pytest.mark.parametrize("n", [2, 3, 9, 256, 2_048, 8_192, 8_193, 140_000])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("distinct", [4, 10**9])
def test_loops_over_rows_give_the_numbers_of_numpy_to_the_bit(n, share, distinct, monkeypatch):
    # Grouped or row by row, in one block and in several, with sums that are kept and not.
    rng = np.random.default_rng(n)
    label = rng.random(n) < share
    label[:2] = True, False
    score = np.round((rng.normal(size=n) + label) * distinct / 4)
    found = []
    for loaded in (False, True):
        for module in (sorts, spread_module):
            monkeypatch.setattr(module, "loaded", lambda *_, loaded=loaded: loaded)
        table = tabulate(label, score)
        assert fits_loops(table) is loaded
        estimate, both = delong(table), spread_module.placements(table)
        counts, distinct_rows = (table.pos, table.neg), is_distinct(table)
        steps = spread_module.neighbour_steps(counts, distinct=distinct_rows)
        assert steps == spread_module.neighbour_steps(counts)
        numbers = estimate.value, estimate.se, estimate.df, *estimate.interval()
        found.append((repr(numbers), both.pos.tobytes(), both.neg.tobytes(), steps))
    assert found[0] == found[1]


def test_counts_whose_pairs_do_not_fit_64_bits_are_summed_as_before(monkeypatch):
    monkeypatch.setattr(sorts, "loaded", lambda *_: True)
    table = ScoreTable.from_counts([2, 1], [2**31, 2**31], [2**31, 2**31])
    assert not fits_loops(table)
    assert rs.auc(table) == 0.5


# --- several at once ----------------------------------------------------------------------------


def test_the_level_of_several_intervals_by_hand():
    # The largest of three independent ones is inside as often as all are: each has 1/2 to the 1/3.
    found = joint_level(np.eye(3), 0.5, rng=np.random.default_rng(1), n_draws=40_000)
    assert found == pytest.approx(0.5 ** (1 / 3), abs=0.005)
    same = joint_level(np.ones((3, 3)), 0.5, rng=np.random.default_rng(1), n_draws=40_000)
    assert same == pytest.approx(0.5, abs=0.008)
    # Chance in the draws does not lead beyond Bonferroni, nor below the level of one interval.
    levels = [
        joint_level(np.eye(2), 0.95, rng=np.random.default_rng(seed), n_draws=50)
        for seed in range(20)
    ]
    assert max(levels) == 1 - 0.05 / 2
    assert min(levels) == 0.95


def test_a_class_without_spread_has_no_degrees_of_freedom():
    assert class_spread(0.0, 0.0, 4.0, 4.0).df == 0
    # Squares 1, 1, 1, 1: no kurtosis beyond 1, so all of the 3 degrees are left.
    assert class_spread(4.0, 4.0, 4.0, 4.0).df == 3


def test_a_table_whose_cases_fill_one_row_is_constant():
    def kept(pos, neg):  # with rows that are empty, as of replicates
        score = np.arange(len(pos), 0.0, -1)
        return table_module.trusted(score, np.array(pos), np.array(neg), higher_is_positive=True)

    assert is_constant(kept([0, 2, 0], [0, 3, 0]))
    assert is_constant(kept([0, 1], [0, 1]))
    assert is_constant(kept([1, 0], [1, 0]))
    assert not is_constant(kept([0, 1, 1], [0, 0, 1]))
    assert not is_constant(ScoreTable.from_counts([2, 1], [0, 1], [1, 0]))
    assert not is_constant(ScoreTable.from_counts([3, 2, 1], [0, 1, 1], [0, 0, 1]))


def test_the_unseen_heavy_case_of_a_part_by_hand():
    # Weights 1, 2, 4 and 1, 1, 2, 4: heaviest 4, of which 4 and 2 count as seen. An unseen one
    # would be 4 / (7 + 4) of the positives, and has a variance of share (1 - share) of the range.
    label, score = [1, 1, 1, 0, 0, 0, 0], [5, 4, 2, 6, 3, 1, 0]
    table = tabulate(label, score, sample_weight=[1, 2, 4, 1, 1, 2, 4])
    found = partial_auc_estimate(table, fpr=(0, 0.5))
    share = found.value / 0.5
    pos, neg = found.classes
    assert pos.unseen / neg.unseen == pytest.approx((12 / 11) ** 2)
    assert pos.unseen == pytest.approx(2 / 3 * (4 / 11) ** 2 * share * (1 - share))
