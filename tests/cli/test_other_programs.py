"""Numbers of pROC, cutpointr, OptimalCutpoints and epiR, printed by the shell with --json."""

import numpy as np
import pytest

from commands import Run
from slow.data import answer, assert_close

PROC = ("--scale", "identity", "--json", "--quiet")
SETS = {  # file, label, positive and score of each answer; the first are bundled
    "pathology__scan": ("pathology", "scan"),
    "two_class_example__Class1": ("two_class_example", "Class1"),
    "asah__ndka": ("asah", "ndka", "outcome", "1"),
    "asah__s100b": ("asah", "s100b", "outcome", "1"),
    "suicide__dsi": ("suicide", "dsi", "suicide", "1"),
    "dm_rocdata__test1": ("dm_rocdata", "test1", "Gold", "1"),
}


def words(name, request):
    """Return the arguments that name the file, the label and the score of an answer."""
    data, score, *label = SETS[name]
    if not label:
        return [data, "--score", score]
    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    return [path, "--label", label[0], "--positive", label[1], "--score", score]


@pytest.mark.parametrize("name", SETS)
def test_areas_and_intervals_of_proc(run: Run, request, name):
    found = answer(f"auc__{name}", request)
    file = [*words(name, request), "--missing", "omit"]
    for level, key in ((0.9, "ci90_delong"), (0.95, "ci95_delong"), (0.99, "ci99_delong")):
        score = run("auc", *file, "--level", level, *PROC).json["scores"][0]
        area, ends = score["auc"], score["auc"]["interval"]
        assert_close([area["value"], area["se"] ** 2], [found["auc"], found["var_delong"]])
        low, value, high = found[key]
        assert_close([ends["low"], area["value"]], [max(low, 0), value])
        assert_close(ends["high"], min(high, 1))
    assert_close(score["gini"], found["gini"])
    points = run("curve", *file, "--json").json["scores"][0]["points"]
    assert_close(points["tpr"], found["sensitivities"][::-1])
    assert_close(np.array(points["fpr"]), 1 - np.array(found["specificities"][::-1]), 11)


@pytest.mark.parametrize("name", ["two_class_example__Class1", "asah__s100b", "dm_rocdata__test1"])
def test_partial_areas_of_proc(run: Run, request, name):
    found = answer(f"pauc__{name}", request)
    assert len(found["pauc"]) == 18
    for row in found["pauc"] if name.startswith("two") else found["pauc"][::5]:
        ends = sorted(row["range"])
        if row["focus"] == "specificity":
            ends = sorted(round(1 - end, 12) for end in ends)
        axis = {"specificity": "--fpr", "sensitivity": "--tpr"}[row["focus"]]
        score = run("auc", *words(name, request), axis, *ends, *PROC).json["scores"][0]
        assert score["auc"]["value"] == pytest.approx(row["uncorrected"], rel=1e-11)
        if row["corrected_mcclish"] is not None:
            assert score["standardised"] == pytest.approx(row["corrected_mcclish"], rel=1e-10)


def test_groups_of_adult(run: Run, request):
    printed = run(
        "auc", "adult_scores", "--score", "hgb", "--score", "logreg", "--by", "sex", *PROC
    )
    for group in ("Female", "Male"):
        found = answer(f"big__adult_{group}", request)
        for score in printed.json["scores"]:
            if score["group"] == group:
                area = score["auc"]
                expected = found["auc"][score["name"]], found["var_delong"][score["name"]]
                assert_close([area["value"], area["se"] ** 2], expected, 11)


def test_paired_tests_of_adult(run: Run, request):
    found = answer("big__adult", request)
    how = ("--distribution", "normal", *PROC)
    printed = run("compare", "adult_scores", "--score", "logreg", "--score", "hgb", *how).json
    test = printed["pairs"][0]["test"]
    assert_close(
        [test["statistic"], test["pvalue"]], [found["paired_z_first_two"], found["paired_p"]], 9
    )
    assert_close(printed["covariance"][0][1], found["cov_first_two"], 10)


def test_paired_tests(run: Run, request):
    found = answer("paired__asah__s100b_vs_ndka", request)
    file = [*words("asah__s100b", request), "--score", "ndka"]
    pair = run("compare", *file, "--distribution", "normal", *PROC).json["pairs"][0]
    theirs = found["delong_two_sided"]
    assert_close(pair["test"]["statistic"], theirs["statistic"]["Z"])
    assert_close(pair["test"]["pvalue"], theirs["p_value"])
    ends = pair["interval"]["low"], pair["interval"]["high"]
    assert_close(ends, theirs["conf_int_of_difference"][:2], 10)


@pytest.mark.parametrize("name", ["asah__ndka", "asah__s100b", "suicide__dsi"])
def test_unpaired_tests(run: Run, request, name):
    found = answer(f"unpaired__{name}__by__gender", request)
    file = [*words(name, request), "--missing", "omit", "--by", "gender"]
    for distribution, expected in (
        (
            "welch",
            (found["delong_two_sided"]["statistic"]["D"], found["delong_two_sided"]["p_value"]),
        ),
        ("normal", (found["z_normal_reference"]["z"], found["z_normal_reference"]["p"])),
    ):
        printed = run("compare", *file, "--distribution", distribution, "--json", "--quiet").json
        test = printed["pairs"][0]["test"]
        assert_close([abs(test["statistic"]), test["pvalue"]], [abs(expected[0]), expected[1]], 10)


@pytest.mark.parametrize("name", ["asah__ndka", "suicide__dsi", "dm_rocdata__test1"])
def test_points_of_proc(run: Run, request, name):
    found = answer(f"coords__{name}", request)
    file = words(name, request)
    for row in found["best"]:
        if row["weights"] is not None or row["method"] != "youden":
            continue
        printed = run("at", *file, "--youden", "--json", "--quiet").json["scores"][0]
        rates = [point["rates"] for point in printed["operating_points"]]
        for key, rate in (("sensitivity", "tpr"), ("specificity", "tnr"), ("ppv", "ppv")):
            assert sorted(each[rate]["value"] for each in rates) == pytest.approx(
                sorted(row["rows"][key])
            )
    at = found["at_specificity"]
    rates = [w for x in at["specificity"] for w in ("--on-curve-fpr", round(1 - x, 12))]
    printed = run("at", *file, *rates, "--json", "--quiet").json["scores"][0]
    assert_close([each["value"] for each in printed["on_curve"]], at["sensitivity"], 10)


def test_rates_of_epir(run: Run, request):
    found = answer("twobytwo__pathology_scan", request)
    names = {"sensitivity": "tpr", "specificity": "tnr", "ppv": "ppv", "npv": "npv"}
    for method in ("clopper-pearson", "wilson", "jeffreys", "agresti-coull"):
        how = ("--threshold", found["threshold"], "--interval", method, "--json")
        rates = run("at", "pathology", *how).json["scores"][0]["operating_points"][0]["rates"]
        for theirs, ours in names.items():
            row = found[theirs]
            assert_close(rates[ours]["value"], row["estimate"])
            expected = row[method.replace("-", "_")]
            ends = rates[ours]["low"], rates[ours]["high"]
            assert ends == pytest.approx((max(expected[-2], 0), min(expected[-1], 1)), abs=1e-9)


CRITERIA = {
    "youden": "youden",
    "accuracy": "accuracy",
    "prod_sens_spec": "concordance",
    "sum_ppv_npv": "predictive_sum",
    "cohens_kappa": "kappa",
    "F1_score": "f_score",
    "odds_ratio": "diagnostic_odds_ratio",
    "roc01": "closest",
    "misclassification_cost": "cost",
    "abs_d_sens_spec": "symmetry",
}


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpoints_of_cutpointr(run: Run, request, name):
    found = answer(f"cutpointr__{name}", request)
    file = words(name, request)
    asked = [w for each in CRITERIA.values() if each != "cost" for w in ("--criterion", each)]
    priced = ("--criterion", "cost", "--cost-fp", 1, "--cost-fn", 5)
    points = [
        point
        for how in (asked, priced)
        for point in run("at", *file, *how, "--json", "--quiet").json["scores"][0][
            "operating_points"
        ]
    ]
    for theirs, ours in CRITERIA.items():
        row = found["metrics"][theirs]
        mine = [each for each in points if each["criterion"] == ours]
        assert sorted(each["threshold"] for each in mine) == sorted(row["cutpoints"]), theirs
        rates = [each["rates"]["tpr"]["value"] for each in mine]
        assert sorted(rates) == pytest.approx(sorted(row["sensitivity"]))


OPTIMAL_CUTPOINTS = {
    "CB": (),
    "MCT": ("--cost-fn", 5),
    "MaxSp": "tnr,tpr",
    "MaxSe": "tpr,tnr",
    "MaxSpSe": "maximin",
    "MaxProdSpSe": "concordance",
    "ROC01": "closest",
    "SpEqualSe": "symmetry",
    "Youden": "youden",
    "MaxEfficiency": "accuracy",
    "MaxDOR": "odds_ratio_corrected",
    "MaxKappa": "kappa",
    "PROC01": "predictive_closest",
    "NPVEqualPPV": "predictive_symmetry",
    "MaxSumNPVPPV": "predictive_sum",
    "MaxProdNPVPPV": "predictive_product",
    "PrevalenceMatching": "prevalence_matching",
}


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpoints_of_optimalcutpoints(run: Run, request, name):
    found = answer(f"optimalcutpoints__{name}", request)
    for theirs, ours in OPTIMAL_CUTPOINTS.items():
        row = found["criteria"][theirs]
        how = ("cost", *ours) if isinstance(ours, tuple) else (ours,)
        printed = run("at", *words(name, request), "--criterion", *how, "--json", "--quiet").json
        points = printed["scores"][0]["operating_points"]
        assert sorted(each["threshold"] for each in points) == sorted(row["cutoff"]), theirs
        for key, rate in (("Se", "tpr"), ("Sp", "tnr"), ("PPV", "ppv"), ("NPV", "npv")):
            values = [each["rates"][rate]["value"] for each in points]
            known = [np.nan if value is None else value for value in values]  # of no case
            assert sorted(known) == pytest.approx(sorted(row[key]["value"]), nan_ok=True)
        ends = sorted(each["rates"]["tpr"]["low"] for each in points)
        assert ends == pytest.approx(sorted(row["Se"]["ll"]), abs=1e-9)


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_constrained_cutpoints_of_optimalcutpoints(run: Run, request, name):
    """The least value asked for of one rate, and the best of the other."""
    found = answer(f"optimalcutpoints__{name}", request)
    for theirs, how in (("MinValueSp", ("--max-fpr", 0.15)), ("MinValueSe", ("--min-tpr", 0.85))):
        row = found["criteria"][theirs]
        rule = run("choose", *words(name, request), *how, "--no-mixture", "--json", "--quiet").json
        assert [rule["rule"]["low"]["threshold"]] == row["cutoff"]
        assert rule["rates"]["tpr"]["value"] == pytest.approx(row["Se"]["value"][0])
        assert 1 - rule["rates"]["fpr"]["value"] == pytest.approx(row["Sp"]["value"][0])


def test_sample_sizes_of_proc(run: Run, request):
    rows = answer("power__one_roc", request)["one_roc_sample_size"]
    tried = 0
    for row in rows[::7]:
        asked = row["input"]
        how = ["--area", asked["auc"], "--power", asked["power"], "--ratio", asked["kappa"]]
        how += ["--significance", asked["sig.level"], "--variance", "obuchowski"]
        how += [] if asked["alternative"] == "two.sided" else ["--one-sided"]
        found = run("power", *how, "--json").json
        assert_close([found["n_pos"], found["n_neg"]], [row["ncases"], row["ncontrols"]], 11)
        tried += 1
    assert tried > 10
