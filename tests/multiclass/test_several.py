"""Comparisons of several classifiers by areas and volumes, and what holds for all measures."""

from math import factorial

import numpy as np
import pytest

import rocspace as rs
from rocspace.compare import adjusted_pvalues
from rocspace.multiclass import (
    compare_classifiers,
    hand_till,
    hand_till_difference,
    hand_till_estimate,
    hum,
    hum_difference,
    hum_estimate,
    mu_auc,
    mu_auc_estimate,
    multiclass_scores,
    one_vs_rest,
    one_vs_rest_estimate,
    ordered_scores,
    pdi,
    pdi_difference,
    pdi_estimate,
    vus,
    vus_difference,
    vus_estimate,
)
from several_classes import DIFFERENCES, ESTIMATES
from several_classes import drawn as of_sizes

VALUES = {
    "hand-till": (hand_till, hand_till_estimate),
    "mu": (mu_auc, mu_auc_estimate),
    **{
        average: (
            lambda data, name=None, average=average: one_vs_rest(data, name, average=average),
            lambda data, name=None, average=average: one_vs_rest_estimate(
                data, name, average=average
            ),
        )
        for average in ("macro", "weighted", "micro")
    },
    "pdi": (pdi, pdi_estimate),
    "hum": (hum, hum_estimate),
}
VOLUMES = {"pdi": pdi_difference, "hum": hum_difference}


def drawn(k=3, each=10, *, m=3, seed=1, cluster=None, decimals=1):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), each)
    blocks = {
        f"c{a}": (rng.normal(size=(y.size, k)) + (0.6 + 0.3 * a) * np.eye(k)[y]).round(decimals)
        for a in range(m)
    }
    return multiclass_scores(y, blocks, cluster=cluster)


def graded(k=3, each=10, *, m=3, seed=1, cluster=None):
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(k), each)
    scores = {f"c{a}": (rng.normal(size=y.size) + (0.5 + 0.3 * a) * y).round(1) for a in range(m)}
    return ordered_scores(y, scores, order=list(range(k)), cluster=cluster)


# --- several at once --------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["pdi", "hum", "vus", "hand-till"])
@pytest.mark.parametrize("clustered", [False, True])
def test_volumes_of_three_classifiers(measure, clustered):
    one_score = measure in ("vus", "hand-till")
    cluster = np.random.default_rng(3).integers(0, 12, 30) if clustered else None
    data = (graded if one_score else drawn)(cluster=cluster)
    found = compare_classifiers(data, measure=measure, adjust="bonferroni")
    gap = {"vus": vus_difference, "hand-till": hand_till_difference}.get(measure)
    gap = gap or VOLUMES[measure]
    for pair in found.pairs:
        alone = gap(data, pair.first, pair.second)
        assert pair.difference.value == alone.value
        assert pair.difference.se == pytest.approx(alone.se, rel=1e-12)
        assert pair.test.pvalue == pytest.approx(alone.test().pvalue, rel=1e-9)
    raw = [pair.test.pvalue for pair in found.pairs]
    assert [pair.adjusted_pvalue for pair in found.pairs] == pytest.approx(
        adjusted_pvalues(raw, method="bonferroni")
    )
    contrast = np.array([1.0, 0.0, -1.0])
    alone = gap(data, "c0", "c2")
    assert contrast @ found.covariance @ contrast == pytest.approx(alone.se**2, rel=1e-8)
    assert [pair.first for pair in compare_classifiers(data, measure=measure).pairs] == [
        "c0",
        "c0",
        "c1",
    ]


@pytest.mark.parametrize("measure", ESTIMATES)
def test_several_classifiers_at_once(measure):
    data = of_sizes(60, 3, m=3)
    found = compare_classifiers(data, measure=measure)
    pair = multiclass_scores(data.label, {"c0": data.score[:, 0], "c2": data.score[:, 2]})
    alone = DIFFERENCES[measure](pair)
    assert found.pair("c0", "c2").difference.se == pytest.approx(alone.se, rel=1e-9)
    contrast = np.array([1.0, 0.0, -1.0])
    assert contrast @ found.covariance @ contrast == pytest.approx(alone.se**2, rel=1e-8)
    assert 0 <= found.overall.pvalue <= 1
    assert len(found.pairs) == 3
    assert len(compare_classifiers(data, measure=measure, reference="c1").pairs) == 2


def test_all_classifiers_see_the_same_sets():
    data = drawn(each=8)
    found = compare_classifiers(data, measure="hum", rule="sum", n_sets=5_000, rng=4)
    alone = hum_difference(data, "c0", "c1", rule="sum", n_sets=5_000, rng=4)
    assert found.pairs[0].difference.value == alone.value
    assert found.pairs[0].difference.se == pytest.approx(alone.se, rel=1e-12)
    assert "hypervolume, sum" in found.pairs[0].test.method


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: compare_classifiers(drawn(), measure="vus"), "takes OrderedScores"),
        (lambda: compare_classifiers(graded(), measure="pdi"), "takes MulticlassScores"),
        (lambda: compare_classifiers(drawn(m=1), measure="pdi"), "needs at least two scores"),
        (lambda: compare_classifiers(drawn(), measure="volume"), "volume"),
    ],
)
def test_what_cannot_be_compared_is_told(call, said):
    with pytest.raises((TypeError, ValueError), match=said):
        call()


# --- what holds for all measures --------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:The variance has only")
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_a_constant_classifier_scores_as_chance(k):
    y = np.repeat(np.arange(k), 3)
    constant = multiclass_scores(y, np.full((y.size, k), 1 / k))
    chance = {"pdi": 1 / k, "hum": 1 / factorial(k)}
    for name, (value, estimate) in VALUES.items():
        expected = chance.get(name, 0.5)
        assert value(constant) == pytest.approx(expected, rel=1e-13), name
        low, high = estimate(constant).interval()
        assert low <= expected <= high
    flat = ordered_scores(y, np.zeros(y.size), order=list(range(k)))
    assert vus(flat) == pytest.approx(1 / factorial(k), rel=1e-14)
    assert hand_till(flat) == hand_till(flat, direction="pairwise") == 0.5
    assert (
        0
        < vus_estimate(flat).interval().low
        < 1 / factorial(k)
        < vus_estimate(flat).interval(0.1).high
    )


@pytest.mark.parametrize("name", VALUES)
def test_permuted_class_names_change_nothing(name):
    data = drawn(m=1, each=7)
    value, estimate = VALUES[name]
    known = estimate(data)
    p, names = data.score[:, 0], np.array(["ant", "bee", "cat"])
    for order in ([2, 0, 1], [1, 0, 2]):
        label = names[order][data.label]  # class i is now called names[order][i]
        by_name = {str(names[order][i]): p[:, i] for i in (1, 2, 0)}
        again = multiclass_scores(label, by_name)
        found = estimate(again)
        assert value(again) == pytest.approx(known.value, rel=1e-12)
        assert found.se == pytest.approx(known.se, rel=1e-10)
        assert found.interval().low == pytest.approx(known.interval().low, rel=1e-10)
        in_sorted_order = multiclass_scores(label, p[:, np.argsort(names[order])])
        assert value(in_sorted_order) == pytest.approx(known.value, rel=1e-12)


def test_columns_in_the_wrong_order_are_seen():
    """The classic slip: the columns of one library beside the sorted labels of another."""
    data = drawn(m=1, each=30, seed=5)
    slipped = multiclass_scores(data.label, data.score[:, 0][:, [1, 2, 0]])
    for value, _ in VALUES.values():
        assert value(slipped) < value(data)


def bootstrapped(data, value, n_boot, *, seed=1):
    """Draw cases of each class again, or whole clusters; count replicates that lack a class."""
    rng = np.random.default_rng(seed)
    found, lacking = [], 0
    make = type(data)
    for _ in range(n_boot):
        if data.cluster is None:
            own = [np.flatnonzero(data.label == i) for i in range(len(data.classes))]
            rows = np.concatenate([rng.choice(each, each.size) for each in own])
        else:
            number = np.unique(data.cluster, return_inverse=True)[1]
            drawn_ = rng.integers(0, number.max() + 1, number.max() + 1)
            rows = np.concatenate([np.flatnonzero(number == c) for c in drawn_])
        again = make(
            label=data.label[rows],
            score=data.score[rows],
            classes=data.classes,
            names=data.names,
        )
        try:
            found.append(value(again))
        except rs.SingleClassError:
            lacking += 1
    return np.array(found), lacking


@pytest.mark.parametrize("name", ["vus", "hum", "pdi", "hand-till", "mu", "macro"])
def test_the_clustered_bootstrap_is_the_check(name):
    """Patients have cases mostly of one class, and a level of their own."""
    rng = np.random.default_rng(11)
    n, k = 40, 3
    patient = np.repeat(np.arange(n), 3)
    y = np.where(rng.random(patient.size) < 0.8, (np.arange(n) % k)[patient], rng.integers(0, k))
    shared_ = rng.normal(size=(n, k))[patient]
    if name == "vus":
        score = 0.9 * y + shared_[:, 0] + 0.6 * rng.normal(size=y.size)
        data = ordered_scores(y, score, order=[0, 1, 2], cluster=patient)
        plain = ordered_scores(y, score, order=[0, 1, 2])
        value, estimate = vus, vus_estimate
    else:
        score = np.eye(k)[y] + shared_ + 0.6 * rng.normal(size=(y.size, k))
        data = multiclass_scores(y, score, cluster=patient)
        plain = multiclass_scores(y, score)
        value, estimate = VALUES[name]
    found, lacking = bootstrapped(data, value, 40 if name == "hum" else 300)
    assert not lacking
    near = 0.3 if name == "hum" else 0.14  # 2.7 and 3.4 standard errors of the check
    known = estimate(data)
    assert known.se == pytest.approx(found.std(), rel=near)
    assert known.se > 1.1 * estimate(plain).se


@pytest.mark.parametrize("name", ["vus", "pdi", "mu"])
def test_the_bootstrap_is_the_check_without_clusters(name):
    data = graded(each=25, m=1) if name == "vus" else drawn(each=25, m=1)
    value, estimate = (vus, vus_estimate) if name == "vus" else VALUES[name]
    found, _ = bootstrapped(data, value, 300)
    assert estimate(data).se == pytest.approx(found.std(), rel=0.14)


def test_classes_missing_from_a_replicate_are_counted():
    """Pairs without cases are left out, with a warning; volumes say which class is missing."""
    rng = np.random.default_rng(5)
    y = np.array([0] * 12 + [1] * 12 + [2] * 2)
    data = multiclass_scores(
        y, rng.normal(size=(y.size, 3)) + np.eye(3)[y], cluster=np.arange(y.size)
    )
    found, lacking = bootstrapped(data, pdi, 200)
    assert lacking == 200 - found.size
    assert 10 < lacking < 50  # (1 - 2 / 26)^26 = 12 percent
    with pytest.warns(UserWarning, match=r"No case is of class"):
        areas, none = bootstrapped(data, hand_till, 200)
    assert none == 0
    assert areas.size == 200


def test_tables_point_to_several_classes():
    with pytest.raises(ValueError, match="multiclass_scores"):
        rs.tabulate(["a", "b", "c"], [0.1, 0.2, 0.3])


# --- independent samples ------------------------------------------------------------------------


@pytest.mark.parametrize("measure", VALUES)
def test_independent_samples_have_the_variances_of_both(measure):
    one, two = drawn(m=1, seed=3), drawn(m=1, each=14, seed=4)
    how = {"n_sets": 400, "rng": 1} if measure == "hum" else {}
    found = compare_classifiers({"here": one, "there": two}, measure=measure, **how)
    estimate = VALUES[measure][1]
    first, second = (estimate(each, **how) for each in (one, two))
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("here", "there")
    assert pair.difference.value == first.value - second.value
    assert pair.difference.se == pytest.approx(np.hypot(first.se, second.se), rel=1e-12)
    assert pair.difference.correlation == 0
    assert found.covariance.tolist() == np.diag([first.se**2, second.se**2]).tolist()
    assert not found.paired


def test_independent_samples_of_two_classes_are_those_of_two_tables():
    """Hand and Till's M of two classes whose columns add to one is the area of either."""
    rng = np.random.default_rng(5)
    samples, tables = {}, {}
    for name, n in (("here", 25), ("there", 40)):
        y = rng.random(n) < 0.4
        p = 1 / (1 + np.exp(-rng.normal(size=n) - y))
        samples[name] = multiclass_scores(y, np.column_stack([1 - p, p]), classes=[False, True])
        tables[name] = rs.tabulate(y, p)
    (found,) = compare_classifiers(samples).pairs
    (known,) = rs.compare.compare_aucs(tables).pairs
    assert found.difference.value == pytest.approx(known.difference.value, abs=1e-12)
    assert found.difference.interval().low == pytest.approx(
        known.difference.interval().low, rel=1e-6
    )
    assert found.test.pvalue == pytest.approx(known.test.pvalue, rel=1e-6)


def test_independent_samples_of_ordered_classes():
    one, two = graded(m=1, seed=2), graded(m=1, each=15, seed=7)
    (pair,) = compare_classifiers({"a": one, "b": two}, measure="vus").pairs
    assert pair.difference.value == vus(one) - vus(two)
    assert pair.difference.se == pytest.approx(np.hypot(vus_estimate(one).se, vus_estimate(two).se))


def test_samples_that_cannot_be_compared_are_refused():
    one, several, four = drawn(m=1), drawn(m=2), drawn(k=4, m=1)
    with pytest.raises(ValueError, match="Sample 'b' has the classifiers c0, c1; of independent"):
        compare_classifiers({"a": one, "b": several})
    with pytest.raises(ValueError, match="'b' has the classes 0, 1, 2, 3, and the first one has"):
        compare_classifiers({"a": one, "b": four})
    with pytest.raises(ValueError, match="Sample 'b' has classes in the order"):
        compare_classifiers({"a": one, "b": graded(m=1)})
    with pytest.raises(ValueError, match="needs at least two scores"):
        compare_classifiers({"a": one})
