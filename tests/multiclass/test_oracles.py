"""What pROC, scikit-learn and the reference values say of several classes, number by number.

Not compared: scikit-learn's log loss, which is not an area. No number disagrees. pROC chooses the
direction of a pair by its medians, and rocspace by its area: in both files the choices are alike,
as a test here shows.
"""

import csv
import json
from itertools import combinations

import numpy as np
import pytest

import rocspace as rs
from rocspace.multiclass import (
    compare_classifiers,
    fit_trinormal,
    hand_till,
    hand_till_estimate,
    hum,
    mu_auc,
    mu_auc_estimate,
    multiclass_scores,
    one_vs_rest,
    one_vs_rest_estimate,
    ordered_scores,
    pairwise_areas,
    pdi,
    placements,
    vus_estimate,
)
from several_classes import MC3

FILES = {
    "hpc_cv": ("hpc_cv.csv", ""),
    "vehicle_knn15": ("mc_vehicle_knn15.csv", "p_"),
    "vehicle_nb": ("mc_vehicle_nb.csv", "p_"),
}
ONE_SCORE = {
    "vehicle_by_Comp": ("vehicle.csv", "class", "Comp"),
    "asah_gos6_by_s100b": ("asah.csv", "gos6", "s100b"),
}


def rows_of(shared, name):
    with (shared / "data" / name).open() as file:
        return list(csv.DictReader(file))


def read(shared, name, keep=lambda row: True):
    file, begin = FILES[name]
    rows = [row for row in rows_of(shared, file) if keep(row)]
    classes = said(shared, "multiclass", name)["classes"]
    columns = {label: [float(row[begin + label]) for row in rows] for label in classes}
    return multiclass_scores([row["obs"] for row in rows], columns, classes=classes)


def said(shared, kind, name):
    return json.loads((shared / "oracle" / f"{kind}__{name}.json").read_text())


@pytest.fixture
def reference(shared):
    return json.loads((shared / "reference_values.json").read_text())


@pytest.mark.parametrize("name", FILES)
def test_proc_says_the_same(shared, name):
    data, theirs = read(shared, name), said(shared, "multiclass", name)
    formula = theirs["from_formula"]
    assert len(data) == theirs["n"]
    assert hand_till(data) == pytest.approx(theirs["proc_multiclass_auc"], rel=1e-13)
    assert hand_till(data) == pytest.approx(formula["M"], rel=1e-13)
    pairs = pairwise_areas(data)
    assert list(pairs.classes) == formula["A"]["rownames"] == formula["A"]["colnames"]
    np.testing.assert_allclose(
        pairs.area, np.array(formula["A"]["rows"], dtype=float), rtol=1e-13, equal_nan=True
    )
    assert one_vs_rest(data, average=None) == pytest.approx(formula["ovr_auc"], rel=1e-13)
    assert one_vs_rest(data) == pytest.approx(formula["ovr_macro"], rel=1e-13)
    by_shares = one_vs_rest(data, average="weighted")
    assert by_shares == pytest.approx(formula["ovr_prevalence_weighted"], rel=1e-13)
    shares = dict(zip(data.classes, data.sizes / len(data), strict=True))
    assert shares == pytest.approx(formula["prevalences"], rel=1e-14)
    assert by_pairs(data, shares) == pytest.approx(formula["ovo_weighted_pairs"], rel=1e-13)


def by_pairs(data, shares):
    """The areas of pairs, weighted by the sum of the shares of both classes."""
    found = pairwise_areas(data).estimates
    weights = [shares[i] + shares[j] for i, j in found]
    return np.average([each.value for each in found.values()], weights=weights)


def test_proc_says_the_same_of_each_fold(shared):
    folds = said(shared, "multiclass", "hpc_cv")["M_by_fold"]
    found = {
        fold: hand_till(read(shared, "hpc_cv", lambda row, fold=fold: row["Resample"] == fold))
        for fold in folds
    }
    assert found == pytest.approx(folds, rel=1e-13)


@pytest.mark.parametrize("name", FILES)
def test_scikit_learn_says_the_same(shared, name):
    data, theirs = read(shared, name), said(shared, "sklearn_multiclass", name)
    assert sorted(data.classes) == theirs["classes"]
    for average in ("macro", "weighted", "micro"):
        ours = one_vs_rest(data, average=average)
        assert ours == pytest.approx(theirs[f"ovr_{average}"], rel=1e-12)
    assert one_vs_rest(data, average=None) == pytest.approx(theirs["ovr_per_class"], rel=1e-12)
    assert hand_till(data) == pytest.approx(theirs["ovo_macro"], rel=1e-12)
    shares = dict(zip(data.classes, data.sizes / len(data), strict=True))
    assert by_pairs(data, shares) == pytest.approx(theirs["ovo_weighted"], rel=1e-12)


@pytest.mark.parametrize("name", ONE_SCORE)
def test_proc_says_the_same_of_one_score(shared, name):
    file, label, column = ONE_SCORE[name]
    rows = rows_of(shared, file)
    theirs = said(shared, "multiclass_univariate", name)
    score = np.array([float(row[column]) for row in rows])
    labels = np.array([row[label] for row in rows])
    data = ordered_scores(labels, score, order=theirs["levels"])
    assert len(data) == theirs["n"]
    found = hand_till(data, direction="pairwise")
    assert found == pytest.approx(theirs["auc"], rel=1e-13)
    assert found > hand_till(data)
    falls = {tuple(pair["levels"]): pair["direction"] == ">" for pair in theirs["pairs"]}
    area = pairwise_areas(data).estimates
    assert {pair: each.value < 0.5 for pair, each in area.items()} == falls
    for one, two in combinations(theirs["levels"], 2):
        medians = [np.median(score[labels == each]) for each in (one, two)]
        assert (medians[0] > medians[1]) == falls[one, two]


# --- reference values that no other test compares ---------------------------------------------


def test_reference_values_of_ten_cases(reference):
    data, known = MC3, reference["mc3"]
    area = placements.difference_placements(data, None).area
    pairs = [area[1, 0], area[2, 0], area[2, 1]]
    np.testing.assert_allclose(pairs, known["auc_mu_pairs_01_02_12"], rtol=1e-14)
    assert mu_auc(data) == pytest.approx(known["auc_mu"], rel=1e-14)
    assert list(pdi(data, average=None).values()) == pytest.approx(known["pdi_per_class"])
    assert pdi(data) == pytest.approx(known["pdi"], rel=1e-14)
    assert one_vs_rest(data, average="micro") == known["micro"]
    assert hand_till_estimate(data).se ** 2 == pytest.approx(reference["mc3_ht_var"], rel=1e-13)
    for average in ("weighted", "macro"):
        fixed, drawn = (
            one_vs_rest_estimate(data, average=average, shares=shares).se ** 2
            for shares in ("fixed", "estimated")
        )
        assert fixed == pytest.approx(known[f"{average}_var_given_shares"], rel=1e-13)
        assert drawn - fixed == pytest.approx(known[f"{average}_share_term"], rel=1e-11)
    assert hum(data) == pytest.approx(reference["mc_hum"], rel=1e-14)


def test_reference_errors_of_vehicles(shared):
    data = read(shared, "vehicle_knn15")

    def rest(shares):
        return one_vs_rest_estimate(data, average="weighted", shares=shares)

    found = hand_till_estimate(data)
    assert (found.value, found.se) == pytest.approx((0.9090063739, 0.00455884), abs=5e-9)
    assert (rest("fixed").value, rest("fixed").se) == pytest.approx(
        (0.9069110656, 0.00463075), abs=5e-9
    )
    assert rest("estimated").se == pytest.approx(0.00738556, abs=5e-9)
    assert mu_auc_estimate(data).value == pytest.approx(mu_auc(data), abs=1e-15)


def test_reference_values_of_cancer_markers(shared, reference):
    known = reference["trinroc_cancer"]
    rows = rows_of(shared, "trinroc_cancer.csv")
    markers = {name: [float(row[name]) for row in rows] for name in ("Class2", "Class4")}
    order = ["healthy", "intermediate", "diseased"]
    data = ordered_scores([row["trueClass"] for row in rows], markers, order=order)
    for name in markers:
        found = vus_estimate(data, name)
        assert (found.value, found.se) == pytest.approx(
            (known[name]["vus"], known[name]["se"]), rel=1e-12
        )
    surface, fit = known["Class2"]["trinormal"], fit_trinormal(data, "Class2")
    for part in "abcd":
        assert getattr(fit, part) == pytest.approx(surface[part], rel=1e-12)
    volume, test = fit.vus_estimate(), fit.test(method="wald")
    assert (volume.value, volume.se) == pytest.approx(
        (surface["vus"], surface["se_delta"]), rel=1e-9
    )
    assert (test.statistic, test.pvalue) == pytest.approx((surface["chi2"], surface["p"]), rel=1e-9)
    found, gap = compare_classifiers(data, measure="vus"), known["Class2_minus_Class4"]
    assert found.covariance[0, 1] == pytest.approx(gap["cov"], rel=1e-11)
    pair = found.pairs[0].difference
    assert (pair.value, pair.se) == pytest.approx((gap["diff"], gap["se"]), rel=1e-11)
    normal = pair.test(distribution="normal")
    assert (normal.statistic, normal.pvalue) == pytest.approx((gap["z"], gap["p"]), rel=1e-10)


def test_the_volume_of_irises():
    pytest.importorskip("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression

    x, y = load_iris(return_X_y=True)
    fit = LogisticRegression(C=np.inf, max_iter=20_000, tol=1e-8).fit(x, y)
    data = multiclass_scores(y, fit.predict_proba(x))
    for rule in ("euclid", "product", "sum"):
        assert hum(data, rule=rule) == pytest.approx(0.9972, abs=5e-5)
    penalised = LogisticRegression(C=1.0, max_iter=1000).fit(x, y)
    assert hum(multiclass_scores(y, penalised.predict_proba(x))) == pytest.approx(0.9952, abs=5e-5)


# --- one score of all classes -----------------------------------------------------------------


def test_one_score_has_the_area_of_each_pair_in_its_direction():
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1, 2], [9, 7, 8])
    score = rng.normal(np.array([0.0, 2.0, 1.0])[y]).round(1)
    data = ordered_scores(y, score, order=[0, 1, 2])
    one = {
        (i, j): rs.auc(rs.tabulate(y[(y == i) | (y == j)] == j, score[(y == i) | (y == j)]))
        for i, j in combinations(range(3), 2)
    }
    found = pairwise_areas(data)
    assert {pair: each.value for pair, each in found.estimates.items()} == pytest.approx(one)
    assert hand_till(data) == pytest.approx(np.mean(list(one.values())), rel=1e-14)
    turned = pairwise_areas(data, direction="pairwise").estimates
    assert {pair: each.value for pair, each in turned.items()} == pytest.approx(
        {pair: max(area, 1 - area) for pair, area in one.items()}
    )
    assert one[1, 2] < 0.5
    swapped = hand_till_estimate(ordered_scores(y, score, order=[0, 2, 1]))
    chosen = hand_till_estimate(data, direction="pairwise")
    assert (chosen.value, chosen.se) == pytest.approx((swapped.value, swapped.se), rel=1e-13)
    assert tuple(chosen.interval(0.9)) == pytest.approx(tuple(swapped.interval(0.9)), rel=1e-12)


def test_one_score_is_a_column_for_each_class_of_two():
    rng = np.random.default_rng(2)
    y = np.arange(30) % 2
    score = rng.normal(y).round(1)
    one = hand_till_estimate(ordered_scores(y, score, order=[0, 1]))
    delong = rs.delong(rs.tabulate(y, score))
    assert (one.value, one.se) == pytest.approx((delong.value, delong.se), rel=1e-13)
    assert tuple(one.interval()) == pytest.approx(tuple(delong.interval()), rel=1e-12)
    falling = hand_till_estimate(ordered_scores(y, -score, order=[0, 1]), direction="pairwise")
    assert (falling.value, falling.se) == pytest.approx((one.value, one.se), rel=1e-13)


def test_scores_for_each_class_have_one_direction():
    data = multiclass_scores([0, 1, 2], np.eye(3))
    with pytest.raises(ValueError, match="Leave the direction out"):
        hand_till(data, direction="pairwise")
    with pytest.raises(ValueError, match="direction"):
        hand_till(data, direction="auto")
