"""Bootstrap and permutation tests: by enumeration, by definition, as pROC has them."""

import tracemalloc
from itertools import product

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.compare import auc_difference, bootstrap_difference, permutation_test
from rocspace.costs import h_measure
from rocspace.counts import SingleClassError
from rocspace.curves import curve_distance
from rocspace.resampling import difference, fpr_at, partial_area, rate_at, tpr_at
from slow.curves import auc_by_pairs
from slow.data import F3, answer, cases, reference

S2 = reference()["paired_s2"]
PAIRS = ["asah__s100b_vs_ndka", "dm_rocdata__test1_vs_test2"]


def f3_and_s2(**options):
    return rs.pair_scores(F3[0], {"a": F3[1], "b": S2}, **options)


# --- the bootstrap ----------------------------------------------------------------------------


def plug_in_variance(a, b):
    """Exact variance of the difference of areas over all bootstrap samples within classes."""
    label, n_pos = np.array(F3[0]), 10
    wins = [np.subtract.outer(np.array(s)[label], np.array(s)[~label]) for s in (a, b)]
    d = [(w > 0) + (w == 0) / 2 for w in wins]
    d = d[0] - d[1]
    mean = d.mean()
    of_pos, of_neg = ((d.mean(axis=k) - mean) ** 2 for k in (1, 0))
    of_pair = ((d - mean) ** 2).mean()
    others = (n_pos - 1) * (of_pos.mean() + of_neg.mean())
    return (of_pair + others) / n_pos**2


def test_paired_areas_tend_to_the_exact_variance():
    found = bootstrap_difference(f3_and_s2(), "a", "b", n_boot=40_000, rng=1)
    assert found.value == pytest.approx(-0.17, abs=1e-15)
    # The standard deviation of 40 000 draws is known to a third of a percent or so.
    assert found.se**2 == pytest.approx(plug_in_variance(F3[1], S2), rel=0.03)
    assert (found.method, found.range, found.df) == ("bootstrap", (-1, 1), 9)
    exact = auc_difference(f3_and_s2(), "a", "b")
    assert found.correlation == pytest.approx(exact.correlation, abs=0.05)


def test_independent_areas():
    one, two = rs.tabulate(F3[0], S2), rs.tabulate(*F3)
    found = bootstrap_difference({"first": one, "second": two}, n_boot=20_000, rng=2)
    expected = sum(rs.inference.auc_variance(t, method="bamber") for t in (one, two))
    assert found.se**2 == pytest.approx(expected, rel=0.04)
    assert (found.correlation, found.cases) == (0, (20, 20))
    assert found.test(distribution="welch").df < 40
    uneven = rs.tabulate([1] * 3 + [0] * 6, [5, 3, 4, 1, 2, 3, 2, 6, 1])
    other = bootstrap_difference({"first": one, "second": uneven}, n_boot=50, rng=2)
    # The rarer class of each: ten and three cases.
    assert (other.first.n_pairs, other.first.df) == (10, 9)
    assert (other.second.n_pairs, other.second.df) == (3, 2)
    assert (other.n_pairs, other.df) == (3, 2)


@pytest.mark.parametrize("name", PAIRS)
def test_as_proc_has_them(name, request):
    theirs = answer(f"paired__{name}", request)
    markers = {x: theirs[f"marker_{x}"] for x in "ab"}
    a, b = (cases(theirs["dataset"], request, m) for m in markers.values())
    data = rs.pair_scores(a[0], {"a": a[1], "b": b[1]})
    # pROC's test at a sensitivity compares specificities: false positive rates with other sign.
    for key, statistic, sign in (
        ("bootstrap_2000_seed42", "auc", 1),
        ("bootstrap_pauc_spec_1_0.9_2000_seed42", partial_area(fpr=(0, 0.1)), 1),
        ("sensitivity_test_at_sens0.9_2000_seed42", fpr_at(0.9), -1),
        ("specificity_test_at_spec0.9_2000_seed42", tpr_at(0.1), 1),
    ):
        found = bootstrap_difference(data, "a", "b", statistic, rng=5)
        result = found.test(distribution="normal")
        # Two standard deviations of 2000 draws each: their ratio is known to 2.2 percent.
        assert sign * result.statistic == pytest.approx(theirs[key]["statistic"]["D"], rel=0.09)
        assert result.pvalue == pytest.approx(theirs[key]["p_value"], abs=0.04)
        assert found.test().pvalue > result.pvalue


def test_values_are_those_of_the_tables():
    data = f3_and_s2()
    table = {name: data.table(name) for name in "ab"}
    own = (rate_at(0.5), rate_at(0.4))
    found = bootstrap_difference(data, "a", "b", own, n_boot=4000, rng=1)
    one, two = (rs.evaluate(table[n], t) for n, t in (("a", 0.5), ("b", 0.4)))
    expected = rs.measures.tpr(one) - rs.measures.tpr(two)
    assert found.value == pytest.approx(expected)
    assert found.first.whole is None
    # At fixed thresholds a case is found by one score, both or none: a paired share.
    label = data.label
    gap = (data.score[label] >= [0.5, 0.4]) @ [1, -1]
    assert found.se**2 == pytest.approx(gap.var() / 10, rel=0.08)
    precision = bootstrap_difference(data, "a", "b", "average_precision", n_boot=9, rng=1)
    assert precision.first.value == pytest.approx(rs.average_precision(table["a"]))
    part = bootstrap_difference(data, "a", "b", partial_area(fpr=(0, 0.2)), n_boot=9, rng=1)
    assert part.first.value == pytest.approx(rs.partial_auc(table["a"], fpr=(0, 0.2)))
    assert part.range == (-0.2, 0.2)
    assert part.first.whole == rs.auc(table["a"])
    low, high = part.interval(scale="hoeffding")
    assert -0.2 <= low < part.value < high <= 0.2


def test_without_variance():
    data = rs.pair_scores([1, 1, 0, 0], {"a": [3, 4, 1, 2], "b": [4, 3, 2, 1], "c": [1, 2, 3, 4]})
    same = bootstrap_difference(data, "a", "b", n_boot=50, rng=1)
    assert (same.se, same.test().pvalue, same.test().note) == (0, 1, "no variance")
    low, high = same.interval()
    assert low < 0 < high
    apart = bootstrap_difference(data, "a", "c", n_boot=50, rng=1)
    known = apart.test(distribution="normal")
    assert (apart.value, known.pvalue, known.note) == (1, 0, "no variance")
    assert 0.1 < apart.test().pvalue < 0.2
    label, score = np.arange(50) < 20, np.random.default_rng(1).normal(size=50)
    data = rs.pair_scores(label, {"a": score + 1.5 * label, "none": np.zeros(50)})
    for statistic in ("auc", partial_area(fpr=(0, 0.3), standardised=True)):
        found = bootstrap_difference(data, "a", "none", statistic, n_boot=300, rng=1)
        assert found.second.interval().method == "ties"
        assert found.test().pvalue < 0.05
        assert found.test().note == "a score has no variance: p from the interval"
        assert found.interval().low > 0


@pytest.mark.filterwarnings("ignore:(Only|None)")
def test_clusters_and_weights_are_respected():
    rng = np.random.default_rng(8)
    base = np.repeat(rng.normal(size=(40, 2)), 6, axis=0)
    label = np.repeat(np.arange(40) % 2, 6)
    score = base + label[:, None]
    cluster = np.repeat(np.arange(40), 6)
    data = rs.pair_scores(label, score, names=["a", "b"], cluster=cluster)
    plain = bootstrap_difference(data, "a", "b", n_boot=400, rng=1, scheme="stratified")
    whole = bootstrap_difference(data, "a", "b", n_boot=400, rng=1, scheme="cluster")
    assert whole.se > 1.8 * plain.se  # six copies tell no more than one
    weighted = f3_and_s2(sample_weight=np.arange(1, 21))
    found = bootstrap_difference(weighted, "a", "b", n_boot=400, rng=1)
    exact = auc_difference(weighted, "a", "b")
    assert found.value == pytest.approx(exact.value, abs=1e-12)
    assert found.se == pytest.approx(exact.se, rel=0.25)


def test_one_seed_one_answer():
    data = f3_and_s2()
    one, two, other = (bootstrap_difference(data, "a", "b", n_boot=100, rng=k) for k in (3, 3, 4))
    assert one == two
    assert one.se != other.se
    back = bootstrap_difference(data, "b", "a", n_boot=100, rng=3)
    assert (back.value, back.se) == (-one.value, pytest.approx(one.se))


def test_a_function_of_ones_own():
    data = f3_and_s2()
    options = {"n_boot": 300, "rng": 1}
    known = bootstrap_difference(data, "a", "b", **options)
    # The very replicates of the statistic that is known by name; its range is not.
    for function in (rs.auc, rs.delong, (rs.auc, rs.auc)):
        own = bootstrap_difference(data, "a", "b", function, **options)
        assert (own.value, own.se) == (pytest.approx(known.value), pytest.approx(known.se))
        assert own.correlation == pytest.approx(known.correlation)
        assert own.test() == known.test()
        half = stats.t.isf(0.025, 9) * own.se
        assert tuple(own.interval()) == pytest.approx((own.value - half, own.value + half))
    h = bootstrap_difference(data, "a", "b", h_measure, **options)
    tables = [data.table(name) for name in "ab"]
    assert h.value == pytest.approx(h_measure(tables[0]) - h_measure(tables[1]))
    assert 0 < h.test().pvalue < 1
    apart = bootstrap_difference(
        dict(zip("ab", tables, strict=True)), statistic=h_measure, **options
    )
    assert apart.value == pytest.approx(h.value)
    assert (apart.correlation, apart.cases) == (0, (20, 20))
    other = bootstrap_difference(data, "a", "b", (rs.auc, rs.ks), **options)
    assert other.value == pytest.approx(rs.auc(tables[0]) - rs.ks(tables[1]))
    same = rs.pair_scores(F3[0], {"a": F3[1], "b": F3[1]})
    alike = bootstrap_difference(same, "a", "b", h_measure, **options)
    assert (alike.se, alike.test().pvalue) == (0, 1)
    assert tuple(alike.interval()) == (-np.inf, np.inf)  # nothing is known of its range
    with pytest.raises(TypeError, match="in a pair, both of the same kind"):
        bootstrap_difference(data, "a", "b", (rs.auc, "auc"), **options)
    with pytest.raises(ValueError, match="must give a number"):
        bootstrap_difference(data, "a", "b", lambda table: [1, 2], **options)
    with pytest.raises(TypeError, match="Use bootstrap_difference"):
        permutation_test(data, "a", "b", h_measure)


# --- permutations -----------------------------------------------------------------------------


def all_swaps(label, one, two, statistic):
    """The statistic for every way to exchange ranks within cases."""
    r, s = stats.rankdata(one), stats.rankdata(two)
    for swap in product([False, True], repeat=len(label)):
        yield statistic(label, np.where(swap, s, r), np.where(swap, r, s))


def area_gap(label, one, two):
    a, b = (float(auc_by_pairs(label, x.tolist())) for x in (one, two))
    return a - b


def largest_gap(label, one, two):
    return curve_distance(rs.tabulate(label, one), rs.tabulate(label, two), metric="sup")


@pytest.mark.parametrize(("name", "statistic"), [("auc", area_gap), ("sup", largest_gap)])
def test_permutations_by_enumeration(name, statistic):
    label = [True, True, True, False, False, False, True, False]
    one, two = [5, 3, 3, 2, 1, 3, 4, 0], [1, 2, 2, 2, 0, 1, 3, 3]
    data = rs.pair_scores(label, {"a": one, "b": two})
    observed = statistic(label, np.array(one), np.array(two))
    everything = np.array(list(all_swaps(label, one, two, statistic)))
    sides = ("two-sided",) if name == "sup" else ("two-sided", "less", "greater")
    for alternative in sides:
        sign = {"less": -1, "greater": 1}.get(alternative)
        way = np.abs if sign is None else (lambda x, s=sign: s * x)
        exact = (way(everything) >= way(observed) - 1e-12).mean()
        found = permutation_test(data, "a", "b", name, n_perm=4000, alternative=alternative, rng=1)
        assert found.statistic == pytest.approx(observed, abs=1e-12)
        assert found.pvalue == pytest.approx(
            exact, abs=4 * (exact * (1 - exact) / 4000) ** 0.5 + 3e-4
        )


def test_weighted_permutations_by_enumeration():
    label = [True, True, True, False, False, False, True, False]
    one, two = [5, 3, 3, 2, 1, 3, 4, 0], [1, 2, 2, 2, 0, 1, 3, 3]
    weight = np.array([1, 0.5, 3, 2, 1, 0.25, 1, 4])

    def gap(label, one, two):
        areas = (rs.auc(rs.tabulate(label, x, sample_weight=weight)) for x in (one, two))
        return next(areas) - next(areas)

    data = rs.pair_scores(label, {"a": one, "b": two}, sample_weight=weight)
    observed = gap(label, np.array(one), np.array(two))
    everything = np.abs(list(all_swaps(label, one, two, gap)))
    exact = (everything >= abs(observed) - 1e-12).mean()
    found = permutation_test(data, "a", "b", n_perm=4000, rng=1)
    assert found.statistic == pytest.approx(observed, abs=1e-12)
    assert found.pvalue == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 4000) ** 0.5 + 3e-4)


@pytest.mark.parametrize("statistic", ["auc", "youden", "sup", tpr_at(0.2)])
def test_equal_weights_say_nothing(statistic):
    options = {"n_perm": 99, "rng": 1}
    plain = permutation_test(f3_and_s2(), "a", "b", statistic, **options)
    for unit in (1.0, 0.5):
        data = f3_and_s2(sample_weight=np.full(20, unit))
        assert permutation_test(data, "a", "b", statistic, **options) == plain


def test_size_of_weighted_permutations():
    rng, found = np.random.default_rng(4), []
    label = np.repeat([True, False], [8, 12])
    for _ in range(400):
        block = rng.normal(size=(20, 1)) + rng.normal(size=(20, 2)) + label[:, None]
        weight = rng.lognormal(sigma=1.0, size=20) * np.exp(block.mean(axis=1) / 2)
        data = rs.pair_scores(label, block, names=["a", "b"], sample_weight=weight)
        found.append(permutation_test(data, "a", "b", n_perm=39, rng=rng).pvalue)
    for level in (0.05, 0.2):
        share = (np.array(found) <= level).mean()
        assert share == pytest.approx(level, abs=3 * (level * (1 - level) / 400) ** 0.5)


def test_permutations_of_other_statistics():
    data = f3_and_s2()
    for statistic in ("youden", "average_precision", partial_area(fpr=(0, 0.5)), tpr_at(0.2)):
        found = permutation_test(data, "a", "b", statistic, n_perm=99, rng=1)
        expected = bootstrap_difference(data, "a", "b", statistic, n_boot=2, rng=1).value
        assert found.statistic == pytest.approx(expected, abs=1e-12)
        assert 0.01 <= found.pvalue <= 1
    for metric in ("area", "l2"):
        found = permutation_test(data, "a", "b", metric, n_perm=9, rng=1)
        tables = [data.table(name) for name in "ab"]
        assert found.statistic == pytest.approx(curve_distance(*tables, metric=metric), abs=1e-12)


def test_the_same_ranking_has_nothing_to_exchange():
    data = rs.pair_scores(F3[0], {"a": np.round(F3[1], 1), "b": np.exp(np.round(F3[1], 1))})
    for statistic in ("auc", "sup"):
        found = permutation_test(data, "a", "b", statistic, n_perm=50, rng=1)
        assert (found.statistic, found.pvalue) == (0, 1)


def test_lower_scores_can_be_positive():
    up, down = (
        f3_and_s2(),
        rs.pair_scores(
            F3[0], {"a": np.negative(F3[1]), "b": np.negative(S2)}, higher_is_positive=False
        ),
    )
    one, two = (permutation_test(d, "a", "b", n_perm=99, rng=1) for d in (up, down))
    assert one == two


def test_size_under_exchangeability():
    rng, found = np.random.default_rng(2), []
    label = np.repeat([True, False], [6, 9])
    for _ in range(300):
        block = rng.normal(size=(15, 1)) + rng.normal(size=(15, 2)) + label[:, None]
        data = rs.pair_scores(label, np.round(block), names=["a", "b"])
        found.append(permutation_test(data, "a", "b", n_perm=39, rng=rng).pvalue)
    for level in (0.05, 0.2):
        assert (np.array(found) <= level).mean() < level + 3 * (level * (1 - level) / 300) ** 0.5


# --- messages ---------------------------------------------------------------------------------


def test_messages():
    data, table = f3_and_s2(), rs.tabulate(*F3)
    with pytest.raises(TypeError, match="takes PairedScores, not a str"):
        bootstrap_difference("a", "b")
    with pytest.raises(TypeError, match="takes a ScoreTable, not a PairedScores"):
        bootstrap_difference({"first": data, "second": table})
    with pytest.raises(TypeError, match="must be a name or a Statistic of one score"):
        bootstrap_difference(data, "a", "b", difference("auc"))
    with pytest.raises(TypeError, match="must be a name or a Statistic of one score"):
        bootstrap_difference(data, "a", "b", 3)
    with pytest.raises(ValueError, match="statistic is 'auk', but must be one of"):
        bootstrap_difference(data, "a", "b", "auk")
    with pytest.raises(ValueError, match="n_boot is 0"):
        bootstrap_difference(data, "a", "b", n_boot=0)
    with pytest.raises(ValueError, match="n_perm is 0"):
        permutation_test(data, "a", "b", n_perm=0)
    with pytest.raises(ValueError, match="no score 'c'"):
        permutation_test(data, "a", "c")
    with pytest.raises(ValueError, match="swapped ranks have no thresholds"):
        permutation_test(data, "a", "b", rate_at(0.5))
    with pytest.raises(ValueError, match="A distance has no sign"):
        permutation_test(data, "a", "b", "sup", alternative="less")
    with pytest.raises(ValueError, match=r"statistic is 'supp'.*'sup'"):
        permutation_test(data, "a", "b", "supp")
    with pytest.raises(SingleClassError, match=r"bootstrap_difference needs .* 1 positive and 0"):
        bootstrap_difference(rs.pair_scores([True], {"a": [1], "b": [2]}), "a", "b")


def clustered_pair(seed):
    """Scores of clusters of six alike cases, with equal areas."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(20), 6)
    label = np.repeat(np.arange(20) % 2, 6)
    score = np.repeat(rng.normal(size=(20, 2)), 6, axis=0) + label[:, None]
    return rs.pair_scores(label, score, names=["a", "b"], cluster=cluster)


def test_clusters_are_exchanged_and_drawn_as_one():
    small = 0
    for seed in range(60):
        data = clustered_pair(seed)
        small += permutation_test(data, "a", "b", n_perm=99, rng=seed).pvalue <= 0.05
    assert small <= 9  # 3 are expected; case by case there are 30
    found = bootstrap_difference(data, "a", "b", n_boot=200, rng=1)
    whole = bootstrap_difference(data, "a", "b", n_boot=200, rng=1, scheme="cluster")
    assert found.se == whole.se
    assert (found.df, found.n_pairs) == (9, 10)


def test_single_clusters_are_cases():
    data = f3_and_s2()
    single = rs.pair_scores(data.label, data.score, names=data.names, cluster=range(20))
    one, two = (permutation_test(d, *data.names, rng=1).pvalue for d in (data, single))
    assert one == two


def test_permutations_of_many_ties_take_little_memory():
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 50_000)
    data = rs.pair_scores(label, rng.integers(0, 5, (50_000, 2)) + label[:, None], names=["a", "b"])
    tracemalloc.start()
    permutation_test(data, "a", "b", n_perm=100, rng=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # all replicates at once would take 150 MB and more
