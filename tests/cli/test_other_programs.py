"""Numbers of pROC, cutpointr, OptimalCutpoints and epiR, printed by the shell with --json."""

import csv
import json
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency, f, norm

import compared
from commands import Run
from rocspace.counts import tabulate_classes
from rocspace.datasets import load
from rocspace.models import fit_kernel
from rocspace.planning.area_variance import Binormal, variance_of
from slow import data
from slow.compare import distance_between_errors
from slow.cutpoints import (
    CUTPOINTR,
    CUTPOINTR_CONSTRAINED,
    CUTPOINTR_COSTS,
    CUTPOINTR_VALUES,
    OPTIMAL_CUTPOINTS,
    OPTIMAL_VALUES,
    cross_validated_spline,
    smoothing_spline,
)
from slow.data import assert_close, cases
from slow.models import direct_plug_in


def answer(name, request):
    """Read what another program answered; what is not compared of it must have a reason."""
    return compared.watched(name, data.answer(name, request))


PROC = ("--scale", "identity", "--json", "--quiet")
SETS = {  # file, label, positive and score of each answer; the first are bundled
    "pathology__scan": ("pathology", "scan"),
    "two_class_example__Class1": ("two_class_example", "Class1"),
    "asah__ndka": ("asah", "ndka", "outcome", "1"),
    "asah__s100b": ("asah", "s100b", "outcome", "1"),
    "suicide__dsi": ("suicide", "dsi", "suicide", "1"),
    "dm_rocdata__test1": ("dm_rocdata", "test1", "Gold", "1"),
    "dm_rocdata__test2": ("dm_rocdata", "test2", "Gold", "1"),
    "breast_w__Cl_thickness": ("breast_w", "Cl.thickness", "label", "1"),
    "rocr_simple__prediction": ("rocr_simple", "prediction", "label", "1"),
    "sonar__V11": ("sonar", "V11", "label", "1"),
}
PARTS = (
    "two_class_example__Class1",
    "asah__s100b",
    "asah__ndka",
    "dm_rocdata__test1",
    "breast_w__Cl_thickness",
    "rocr_simple__prediction",
    "suicide__dsi",
)
MARKERS = ("asah__ndka", "asah__s100b", "rocr_simple__prediction", "suicide__dsi")
POINTS = (*MARKERS, "dm_rocdata__test1")
PAIRS = {  # the file of the first score, and the second score
    "asah__s100b_vs_ndka": ("asah__s100b", "ndka"),
    "breast_w__Cl_thickness_vs_Cell_size": ("breast_w__Cl_thickness", "Cell.size"),
    "dm_rocdata__test1_vs_test2": ("dm_rocdata__test1", "test2"),
}
GROUPS = ("asah__ndka", "asah__s100b", "suicide__dsi")
PILOTS = {
    "asah__s100b__ndka": ("asah__s100b", "ndka"),
    "dm_rocdata__test1__test2": ("dm_rocdata__test1", "test2"),
}
CUTPOINTS = ("asah__s100b", "suicide__dsi")
CLUSTERS = {
    "asah_s100b_singletons": None,
    "retinopathy_status_by_age": ("age", "--lower-is-positive"),
    "retinopathy_status_by_risk": ("risk",),
}
CLASSES = {  # the scores of each, and the file
    "hpc_cv": ("hpc_cv", "VF", "F", "M", "L"),
    "vehicle_knn15": ("mc_vehicle_knn15", "p_*"),
    "vehicle_nb": ("mc_vehicle_nb", "p_*"),
}
ONE_SCORE = {  # the file, the label and the score of each
    "asah_gos6_by_s100b": ("asah", "gos6", "s100b"),
    "vehicle_by_Comp": ("vehicle", "class", "Comp"),
}
ADULT_PARTS = {("--fpr", 0, 0.1): "pauc_spec_1_0.9", ("--tpr", 0.9, 1): "pauc_sens_1_0.9"}
RATES_OF_OPTIMAL = {
    "Se": "tpr",
    "Sp": "tnr",
    "PPV": "ppv",
    "NPV": "npv",
    "DLR.Positive": "lr_positive",
    "DLR.Negative": "lr_negative",
}
REPRODUCED = {
    *(f"auc__{name}" for name in SETS),
    *(f"pauc__{name}" for name in PARTS),
    *(f"coords__{name}" for name in POINTS),
    *(f"smooth__{name}" for name in POINTS),
    *(f"boot__{name}" for name in MARKERS),
    *(f"paired__{name}" for name in PAIRS),
    *(f"unpaired__{name}__by__gender" for name in GROUPS),
    *(f"power__two_roc__{name}" for name in PILOTS),
    *(f"cutpointr__{name}" for name in CUTPOINTS),
    *(f"optimalcutpoints__{name}" for name in CUTPOINTS),
    *(f"cluster__{name}" for name in CLUSTERS),
    *(f"multiclass__{name}" for name in CLASSES),
    *(f"multiclass_univariate__{name}" for name in ONE_SCORE),
    *("big__adult", "big__adult_Female", "big__adult_Male"),
    *("power__one_roc", "power__two_roc__obuchowski_params"),
    *("cutpointr_subgroup__suicide", "manytest__breast_w", "classic__fawcett20"),
}
EXACT_OF_OTHER_CELLS = (
    "its exact limits of predictive values take quantiles with the degrees of freedom of other "
    "cells, as test_exact_predictive_values_of_optimalcutpoints shows"
)
# What the shell is not asked for: a file, or a part of the files that begin so, and why.
NOT_FROM_THE_SHELL = {
    "mrmc__vandyke": "MRMCaov's answer on several readers, for whom there is no method here",
    "paired__.clinfun_roc_perm_test_2000_seed42.p": "the file asked with the columns in another "
    "order, as test_permutations_of_clinfun_were_asked_of_other_columns shows",
    "unpaired__.venkatraman_unpaired_2000perm_seed42.p_value": "of a statistic with the prevalence "
    "of n1 + n1 cases, as test_whole_curves_of_two_groups_of_proc shows",
    "cutpointr__.methods.maximize_loess": "the program itself has no answer",
    "cutpointr__.methods.oc_median": "the median of a column says nothing of the label",
    "optimalcutpoints__.criteria.MaxNPVPPV": "the program itself has no answer",
    "optimalcutpoints__.criteria.*.PPV.[lu]l": EXACT_OF_OTHER_CELLS,
    "optimalcutpoints__.criteria.*.NPV.[lu]l": EXACT_OF_OTHER_CELLS,
    "optimalcutpoints__.criteria.MinValueNPVPPV": "where no threshold will do it has no numbers",
    "optimalcutpoints__.criteria.MinValueSpSe": "where no threshold will do it has no numbers",
    "optimalcutpoints__suicide__dsi.criteria.MinPvalue": "1 minus a distribution is 0 in floats at "
    "seven thresholds, of which it takes the first, as test_cutpoints_of_optimalcutpoints shows",
    "optimalcutpoints__suicide__dsi.criteria.ValueNPV": "it does not try to reject all, which is "
    "nearer to the value asked for",
}

# Answers of yet other programs: how their files begin, and the test of the library that has them.
ELSEWHERE = {
    "hull_h__": "curves/test_pr.py",
    "mlmetrics__": "curves/test_summaries.py",
    "reclass__": "compare/test_reclassified.py",
    "rocit__": "inference/test_area.py",
    "rocr__": "counts/test_confusion.py",
    "rocr_avg__": "averaging/test_averages.py",
    "sklearn__": "curves/test_roc.py",
    "sklearn_multiclass__": "multiclass/test_oracles.py",
    "sklearn_table__": "curves/test_summaries.py",
    "timedep__": "designs/test_survival.py",
    "timedep_compare__": "designs/test_survival.py",
    "twobytwo__": "measures/test_rates.py",
    "weighted__": "curves/test_roc.py",
    "classic__fawcett_interpolation": "cli/test_other_programs.py",
}

# Entries that are no number of the sample, or that follow from others; all are passed over.
NOT_A_NUMBER = {
    "*.dataset": "what was asked for",
    "*.label": "what was asked for",
    "*.marker": "what was asked for",
    "*.marker_?": "what was asked for",
    "multiclass_univariate__*.pairs.*.auc": "empty",
    "auc__*.positive": "what was asked for",
    "auc__*.direction": "what was asked for",
    "*.seed": "what was asked for",
    "*.boot_n": "what was asked for",
    "*.parameter.boot.*": "what was asked for",
    "power__one_roc.one_roc_sample_size.*.auc": "what was asked for",
    "power__one_roc.*.sig.level": "what was asked for",
    "power__one_roc.*.ncases": "what was asked for",
    "power__one_roc.*.ncontrols": "what was asked for",
    "power__one_roc.one_roc_sample_size.*.power": "what was asked for",
    "power__two_roc__obuchowski_params.*.FPR2?": "the same range for the second curve",
    "power__two_roc__obuchowski_params.*.power": "what was asked for",
    "power__two_roc__obuchowski_params.*.sig.level": "what was asked for",
    "smooth__suicide__dsi.proc_fitdistr_lognormal.error": "words",
    "*.colnames": "names",
    "*.rownames": "names",
    "*.method": "words",
    "*.alternative": "words",
    "*.value_name": "words",
    "*.optimise": "words",
    "*.conf_int_of_difference": "empty where the interval is not compared",
    "*.parameter": "empty",
    "*.estimate": "empty, or the areas, which are compared",
    "*.estimate.*": "the areas, which are compared",
    "paired__*.clinfun_roc_area_test.df": "empty",
    "cluster__*.S[01][01]": "parts of the variance, which is compared",
    "cluster__*.n_clusters*": "the shell does not count them",
    "smooth__*.mean_???": "the line and the area, which are compared, have them",
    "smooth__*.sd_???": "the line and the area, which are compared, have them",
    "smooth__*.controls.*": "the area, which is compared, has them",
    "smooth__*.cases.*": "the area, which is compared, has them",
    "smooth__*.binormal_mle_clm.mu": "a / b, which are compared",
    "smooth__*.binormal_mle_clm.sigma": "1 / b, which is compared",
    "smooth__*.binormal_mle_clm.converged": "words",
    "smooth__*.binormal_mle_clm.thresholds": "empty",
    "smooth__*.proc_binormal.lm_*": "a and b, which are compared, in other words",
    "smooth__*.proc_binormal.convention": "words",
    "cutpointr__*.methods.maximize_boot_metric_seed42.*": "rates at a threshold that is compared",
    "cutpointr__suicide__dsi.metrics.p_chisquared.*": "of more ties than there are",
    "cutpointr__*.metrics.false_discovery_rate.*": "the shell prints ten of its ties",
}


def test_every_answer_is_reproduced_or_listed(shared: Path):
    """Of pROC, cutpointr and OptimalCutpoints; a part is listed by its place in the files."""
    programs = ("pROC", "cutpointr", "OptimalCutpoints")
    every = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in (shared / "oracle").glob("*.json")
    }
    files = {
        stem: found
        for stem, found in every.items()
        if any(name in found["_meta"].get("tool", "") for name in programs)
    }
    assert len(files) > 50
    tests = Path(__file__).parents[1]
    for stem in set(every) - set(files):
        if stem not in REPRODUCED:
            (found,) = (test for begin, test in ELSEWHERE.items() if stem.startswith(begin))
            begin = stem.partition("__")[0]
            assert begin in (tests / found).read_text(encoding="utf-8"), (stem, found)
    whole = {name for name in NOT_FROM_THE_SHELL if "." not in name}
    assert REPRODUCED | whole == set(files)
    assert not REPRODUCED & whole
    assert all(len(why) > 20 for why in NOT_FROM_THE_SHELL.values())
    for name in NOT_FROM_THE_SHELL.keys() - whole:
        begin, _, path = name.partition(".")
        places = [set(_places(found)) for stem, found in files.items() if stem.startswith(begin)]
        assert any(fnmatchcase(place, f"{path}*") for each in places for place in each), name


def _places(found, before=""):
    """Yield the places of all entries, with dots between their keys."""
    for key, value in found.items():
        yield f"{before}{key}"
        if isinstance(value, dict):
            yield from _places(value, f"{before}{key}.")


def words(name, request):
    """Return the arguments that name the file, the label and the score of an answer."""
    data, score, *label = SETS[name]
    if not label:
        return [data, "--score", score]
    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    return [path, "--label", label[0], "--positive", label[1], "--score", score]


def midpoints(points):
    """Return pROC's thresholds, which lie between two scores, the lowest first."""
    score = np.array(points["threshold"][1:][::-1])
    return (score[1:] + score[:-1]) / 2


@pytest.mark.parametrize("name", SETS)
def test_areas_and_intervals_of_proc(run: Run, request, name):
    found = answer(f"auc__{name}", request)
    file = [*words(name, request), "--missing", "omit"]
    for level, key in ((0.9, "ci90_delong"), (0.95, "ci95_delong"), (0.99, "ci99_delong")):
        printed = run("auc", *file, "--level", level, *PROC).json
        score = printed["scores"][0] | {"rows": printed["source"]["rows"]}
        area, ends = score["auc"], score["auc"]["interval"]
        assert_close([area["value"], area["se"] ** 2], [found["auc"], found["var_delong"]])
        low, value, high = found[key]
        assert_close([ends["low"], area["value"]], [max(low, 0), value])
        assert_close(ends["high"], min(high, 1))
    assert_close(score["gini"], found["gini"])
    assert np.array(found["ci95_percent_scale"]) == pytest.approx(
        100 * np.array(found["ci95_delong"]), rel=1e-12
    )
    numbers = [found[key] for key in ("n_used", "n_pos", "n_neg", "n_rows")]
    assert [*(score[key] for key in ("n", "n_pos", "n_neg")), score["rows"]] == numbers
    assert_close(area["value"] * score["n_pos"] * score["n_neg"], found["wilcoxon_W"])
    assert_close(area["test"]["pvalue"], found["wilcoxon_p_two_sided"], 9)
    points = run("curve", *file, "--json").json["scores"][0]["points"]
    assert_close(midpoints(points), found["thresholds"][1:-1])
    assert_close(points["tpr"], found["sensitivities"][::-1])
    assert_close(np.array(points["fpr"]), 1 - np.array(found["specificities"][::-1]), 11)
    # The placement of a positive is the share of negatives below it, of tied ones half.
    fpr, tpr = (np.array(points[key]) for key in ("fpr", "tpr"))
    placed = np.repeat(
        1 - (fpr[1:] + fpr[:-1]) / 2, np.rint(np.diff(tpr) * score["n_pos"]).astype(int)
    )
    assert_close([placed.mean(), placed.var(ddof=1)], found["placements_pos_mean_var"], 11)


@pytest.mark.parametrize("name", SETS)
def test_directions_of_proc(run: Run, request, name):
    """`rocspace rank` turns each column so that its area is one half or more."""
    found = answer(f"auc__{name}", request)
    columns = run("rank", *words(name, request), "--missing", "omit", "--json", "--quiet").json
    ranked = columns["columns"]
    assert_close(ranked["auc"][0], found["auc_direction_auto"])
    assert {"higher": "<", "lower": ">"}[ranked["direction"][0]] == found["direction_auto"]


@pytest.mark.parametrize("name", PARTS)
def test_partial_areas_of_proc(run: Run, request, name):
    found = answer(f"pauc__{name}", request)
    assert len(found["pauc"]) == 18
    whole = run("auc", *words(name, request), *PROC).json["scores"][0]["auc"]
    assert_close(whole["value"], found["auc"])
    for row in found["pauc"]:
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
                expected = [found["n"], found["n_pos"], found["n_distinct"][score["name"]]]
                assert [score["n"], score["n_pos"], score["distinct"]] == expected
    within = run("compare", "adult_scores", "--by", "sex", "--distribution", "normal", *PROC)
    for each in within.json["groups"]:
        same_test(each["comparison"], answer(f"big__adult_{each['group']}", request))
    for part, key in ADULT_PARTS.items():
        printed = run("auc", "adult_scores", "--by", "sex", *part, "--json", "--quiet").json
        for score in printed["scores"]:
            found = answer(f"big__adult_{score['group']}", request)
            assert_close(score["auc"]["value"], found[key][score["name"]], 11)


@pytest.mark.parametrize("group", ["", "_Female", "_Male"])
def test_points_of_adult(run: Run, request, group, tmp_path):
    found, file = answer(f"big__adult{group}", request), "adult_scores"
    if group:
        loaded = load("adult_scores").columns
        rows = zip(
            *(loaded[key].tolist() for key in ("sex", "label", "logreg", "hgb")), strict=True
        )
        file = tmp_path / "part.csv"
        lines = [f"{y},{a!r},{b!r}" for sex, y, a, b in rows if sex == group[1:]]
        file.write_text("\n".join(["label,logreg,hgb", *lines]), encoding="utf-8")
    printed = run("at", file, "--label", "label", "--criterion", "youden", "--json", "--quiet")
    for score in printed.json["scores"]:
        theirs = found["youden"][score["name"]]
        (point,) = score["operating_points"]
        mine = [(point["threshold"] + point["next_score"]) / 2]
        mine += [point["rates"][rate]["value"] for rate in ("tpr", "tnr")]
        assert mine == pytest.approx([theirs[key] for key in ("threshold", "se", "sp")], rel=1e-12)


def same_test(printed, found):
    """Check the test of the first two scores, and what it rests on."""
    test = printed["pairs"][0]["test"]
    expected = [found["paired_z_first_two"], found["paired_p"]]
    assert printed["names"] == found["scores"]
    assert_close([test["statistic"], test["pvalue"]], expected, 9)
    assert_close(printed["covariance"][0][1], found["cov_first_two"], 10)
    assert_close([each["auc"]["value"] for each in printed["scores"]], [*found["auc"].values()])
    ses = [each["auc"]["se"] ** 2 for each in printed["scores"]]
    assert_close(ses, [*found["var_delong"].values()], 11)


def test_paired_tests_of_adult(run: Run, request):
    found = answer("big__adult", request)
    how = ("--distribution", "normal", *PROC)
    printed = run("compare", "adult_scores", "--score", "logreg", "--score", "hgb", *how).json
    same_test(printed, found)
    for part, key in ADULT_PARTS.items():
        printed = run("auc", "adult_scores", *part, "--json", "--quiet").json
        mine = {score["name"]: score["auc"]["value"] for score in printed["scores"]}
        assert mine == pytest.approx(dict(found[key].items()), rel=1e-11)
    printed = run("auc", "adult_scores", *PROC).json
    for score in printed["scores"]:
        expected = [found["n"], found["n_pos"], found["n_distinct"][score["name"]]]
        assert [score["n"], score["n_pos"], score["distinct"]] == expected


@pytest.mark.parametrize("name", PAIRS)
def test_paired_tests(run: Run, request, name):
    found, (first, second) = answer(f"paired__{name}", request), PAIRS[name]
    file = [*words(first, request), "--score", second]
    printed = run("compare", *file, "--distribution", "normal", *PROC).json
    pair, theirs = printed["pairs"][0], found["delong_two_sided"]
    areas = [(each["auc"]["value"], each["auc"]["se"] ** 2) for each in printed["scores"]]
    assert_close(areas, [(found[f"auc_{x}"], found[f"var_{x}"]) for x in "ab"], 10)
    assert_close([area for area, _ in areas], found["clinfun_roc_area_test"]["area"])
    assert_close(printed["covariance"][0][1], found["cov_delong"], 10)
    for other in (found["rederived"]["cov_matrix"], found["clinfun_roc_area_test"]["var"]):
        assert np.array(printed["covariance"]) == pytest.approx(np.array(other["rows"]), rel=1e-9)
    assert theirs["estimate"] == {
        f"AUC of roc{i + 1}": found[f"auc_{x}"] for i, x in enumerate("ab")
    }
    assert_close([found["rederived"][key] for key in "zp"], [*pair["test"].values()][:2], 9)
    clinfun = found["clinfun_roc_area_test"]
    assert abs(clinfun["stat"]) == pytest.approx(abs(pair["test"]["statistic"]), rel=1e-9)
    assert clinfun["p"] == pytest.approx(pair["test"]["pvalue"], rel=1e-9)
    for side in ("less", "greater"):
        how = ("--distribution", "normal", "--alternative", side, *PROC)
        test, theirs_too = (
            run("compare", *file, *how).json["pairs"][0]["test"],
            found[f"delong_{side}"],
        )
        assert (test["alternative"], side) == (side, theirs_too["alternative"])
        assert_close(test["statistic"], theirs_too["statistic"]["Z"])
        assert_close(test["pvalue"], theirs_too["p_value"], 9)
    assert printed["source"]["rows"] >= found["n"] == sum(used(printed))
    assert_close(pair["test"]["statistic"], theirs["statistic"]["Z"])
    assert_close(pair["test"]["pvalue"], theirs["p_value"])
    ends = pair["interval"]["low"], pair["interval"]["high"]
    assert_close(ends, theirs["conf_int_of_difference"][:2], 10)


def used(printed):
    """Return how many cases of each class a comparison is of."""
    return printed["source"]["labels"].values()


@pytest.mark.parametrize("name", PAIRS)
def test_paired_scores_as_if_of_two_samples(run: Run, request, name, csv_file):
    found, (first, second) = answer(f"paired__{name}", request), PAIRS[name]
    data = first.partition("__")[0]
    label, one = cases(data, request, SETS[first][1])
    _, other = cases(data, request, second)
    columns = {
        "y": [*label.astype(int)] * 2,
        "s": [*one, *other],
        "which": ["a"] * label.size + ["b"] * label.size,
    }
    file = csv_file("stacked.csv", columns)
    how = ("--label", "y", "--score", "s", "--by", "which", "--distribution", "welch")
    test = run("compare", file, *how, "--json", "--quiet").json["pairs"][0]["test"]
    theirs = found["delong_as_if_unpaired"]
    expected = [theirs["statistic"]["D"], theirs["p_value"], theirs["parameter"]["df"]]
    assert_close([test["statistic"], test["pvalue"], test["df"]], expected, 9)


@pytest.mark.parametrize("name", GROUPS)
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
    areas = {each["name"]: each["auc"] for each in printed["scores"]}
    for i in "12":
        area = areas[found[f"group_{i}"]]
        assert_close([area["value"], area["se"] ** 2], [found[f"auc_{i}"], found[f"var_{i}"]], 10)
    how = ("--distribution", "welch", "--alternative", "greater", "--json", "--quiet")
    pair, theirs = run("compare", *file, *how).json["pairs"][0], found["delong_greater"]
    assert [pair[key] for key in ("first", "second")] == [found[f"group_{i}"] for i in "12"]
    expected = [theirs["statistic"]["D"], theirs["p_value"], theirs["parameter"]["df"]]
    test = pair["test"]
    assert_close([test["statistic"], test["pvalue"], test["df"]], expected, 9)
    assert theirs["parameter"]["df"] == found["delong_two_sided"]["parameter"]["df"]
    sizes = {each["group"]: each["n"] for each in run("auc", *file, *PROC).json["scores"]}
    assert [sizes[found[f"group_{i}"]] for i in "12"] == [found["n1"], found["n2"]]


@pytest.mark.parametrize("name", POINTS)
def test_points_of_proc(run: Run, request, name):
    found = answer(f"coords__{name}", request)
    file = words(name, request)
    for row in found["best"]:
        how = ["--criterion", {"youden": "youden", "closest.topleft": "closest"}[row["method"]]]
        if row["weights"] is not None:  # the cost of a miss, and the prevalence
            how += ["--cost-fn", row["weights"][0], "--prevalence", row["weights"][1]]
        printed = run("at", *file, *how, "--json", "--quiet").json["scores"][0]
        mids = sorted((p["threshold"] + p["next_score"]) / 2 for p in printed["operating_points"])
        assert mids == pytest.approx(sorted(row["rows"]["threshold"]))
        for key, rate in (*RATES.items(),):
            if key in row["rows"]:
                mine = rates_of(printed["operating_points"], rate)
                assert mine == pytest.approx(sorted(row["rows"][key]), nan_ok=True)
    at = found["at_sensitivity"]
    rates = [w for x in at["sensitivity"] for w in ("--on-curve-tpr", x)]
    printed = run("at", *file, *rates, "--json", "--quiet").json["scores"][0]
    mine = [1 - each["value"] for each in printed["on_curve"]]
    assert mine == pytest.approx(at["specificity"], abs=1e-12)
    at = found["at_threshold"]
    rates = [w for x in at["threshold"] for w in ("--threshold", x)]
    printed = run("at", *file, *rates, "--json", "--quiet").json["scores"][0]["operating_points"]
    assert_same_points(printed, at)
    at = found["at_specificity"]
    rates = [w for x in at["specificity"] for w in ("--on-curve-fpr", round(1 - x, 12))]
    printed = run("at", *file, *rates, "--json", "--quiet").json["scores"][0]
    assert_close([each["value"] for each in printed["on_curve"]], at["sensitivity"], 10)


RATES = {"sensitivity": "tpr", "specificity": "tnr", "ppv": "ppv", "npv": "npv"}
SAME = {"tpr": "tpr", "recall": "tpr", "tnr": "tnr", "fpr": "fpr", "fnr": "fnr", "precision": "ppv"}


def assert_same_points(points, theirs):
    """Compare each column that pROC gives at thresholds."""
    rates = {
        rate: np.array([number(each["rates"][rate]["value"]) for each in points])
        for rate in ("tpr", "tnr", "fpr", "fnr", "ppv", "npv")
    }
    accuracy = np.array([each["measures"]["accuracy"] for each in points])
    expected = {
        **{key: rates[rate] for key, rate in (RATES | SAME).items()},
        **{f"1-{key}": 1 - rates[rate] for key, rate in RATES.items()},
        **{key: np.array([each[key] for each in points]) for key in ("tp", "fp", "tn", "fn")},
        "accuracy": accuracy,
        "1-accuracy": 1 - accuracy,
        "fdr": 1 - rates["ppv"],
        "youden": rates["tpr"] + rates["tnr"],
        "closest.topleft": rates["fnr"] ** 2 + rates["fpr"] ** 2,
    }
    for key in set(theirs) - {"threshold"}:
        assert theirs[key] == pytest.approx(expected[key], nan_ok=True, abs=1e-12), key


@pytest.mark.parametrize("name", POINTS)
def test_each_column_of_all_points_of_proc(run: Run, request, name):
    found, file = answer(f"coords__{name}", request)["all"], words(name, request)
    thresholds = [w for x in found["threshold"] for w in ("--threshold", x)]
    printed = run("at", *file, *thresholds, "--json", "--quiet").json["scores"][0]
    assert_same_points(printed["operating_points"], found)


@pytest.mark.parametrize("name", POINTS)
def test_all_points_and_local_maxima_of_proc(run: Run, request, name):
    found, file = answer(f"coords__{name}", request), words(name, request)
    for theirs, how in ((found["all"], ()), (found["local_maximas"], ("--local-maxima",))):
        points = run("curve", *file, *how, "--json").json["scores"][0]["points"]
        assert points["tpr"] == pytest.approx(theirs["sensitivity"][::-1], abs=1e-12)
        assert 1 - np.array(points["fpr"]) == pytest.approx(theirs["specificity"][::-1], abs=1e-12)
    assert len(found["local_maximas"]["threshold"]) < len(found["all"]["threshold"]) / 1.3


# --- smooth curves ----------------------------------------------------------------------------


def fitted(run: Run, file, model, *how):
    words = ("--model", model, "--n-folds", 0, *how, "--json", "--quiet")
    return run("fit", *file, *words).json["scores"][0]["models"][0]


@pytest.mark.parametrize("name", POINTS)
def test_smooth_curves_of_proc(run: Run, request, name):
    found, file = answer(f"smooth__{name}", request), words(name, request)
    at = [w for spec in found["grid_spec"] for w in ("--on-curve-fpr", round(1 - spec, 12))]
    line, theirs = fitted(run, file, "probit-line", *at, "--fpr", 0, 0.1), found["proc_binormal"]
    values = [each["value"] for each in line["parameters"]]
    assert [*values, line["auc"]["value"]] == pytest.approx(
        [theirs["a"], theirs["b"], theirs["auc_exact"]], rel=1e-11
    )
    again = found["proc_binormal_rederived"]
    assert_close([values[0] / values[1], -1 / values[1]], again["lm_sp_on_se"], 11)
    points = run("curve", *file, "--json").json["scores"][0]["points"]
    inside = [0 < x < 1 and 0 < y < 1 for x, y in zip(points["fpr"], points["tpr"], strict=True)]
    assert sum(inside) == again["n_points"]
    rates = [each["tpr"] for each in line["read"]["rates"]]
    assert rates == pytest.approx(theirs["sens_at_spec"], abs=1e-3)  # it has 512 points
    assert line["read"]["area"] == pytest.approx(theirs["pauc_spec_1_0.9"], abs=5e-4)
    moments = fitted(run, file, "binormal", "--option", "ddof=1")
    values = [each["value"] for each in moments["parameters"]] + [moments["auc"]["value"]]
    expected = [found["moment_binormal"][key] for key in ("a", "b", "auc")]
    assert values == pytest.approx(expected, rel=1e-11)
    assert theirs["auc"] == pytest.approx(theirs["auc_exact"], abs=5e-4)
    assert run("auc", *file, *PROC).json["scores"][0]["auc"]["value"] == pytest.approx(
        found["empirical_auc"], rel=1e-12
    )
    normal, lognormal = (found[f"proc_fitdistr_{kind}"] for kind in ("normal", "lognormal"))
    area = fitted(run, file, "binormal")["auc"]["value"]
    assert area == pytest.approx(normal["auc_exact_from_fit"], rel=1e-11)
    area = fitted(run, file, "lognormal")
    if "error" in lognormal:
        assert "above 0" in area["failure"]
    else:
        assert area["auc"]["value"] == pytest.approx(lognormal["auc_exact_from_fit"], rel=1e-9)
    exact = found["binormal_mle_clm"]
    how = ("--option", "cells=scores", "--option", "covariance=observed")
    fit = fitted(run, file, "labroc", *how)
    values = [each["value"] for each in fit["parameters"]]
    values += [fit["auc"]["value"], fit["auc"]["se"], fit["loglik"]]
    expected = [exact[key] for key in ("a", "b", "auc", "se_auc", "logLik")]
    assert values == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("kind", ["normal", "lognormal"])
def test_fitted_densities_of_proc_stop_at_the_outermost_scores(run: Run, request, name, kind):
    """It sums both densities over 512 points between the scores; ours are whole distributions."""
    found = answer(f"smooth__{name}", request)
    theirs = found[f"proc_fitdistr_{kind}"]
    if "error" in theirs:
        return
    label, score = cases(name.split("__")[0], request, name.split("__")[1])
    x, tails = np.linspace(score.min(), score.max(), 512), []
    for own in (score[~label], score[label]):
        known = own if kind == "normal" else np.log(own)
        at = x if kind == "normal" else np.log(x)
        density = norm.pdf(at, known.mean(), known.std()) / (1 if kind == "normal" else x)
        tails.append(np.append(0, np.cumsum(density[::-1]) / density.sum()))
    fpr, tpr = tails
    assert np.trapezoid(tpr, fpr) == pytest.approx(theirs["auc"], rel=1e-11)
    at = 1 - np.array(found["grid_spec"])
    assert np.interp(at, fpr, tpr) == pytest.approx(theirs["sens_at_spec"], rel=1e-9)
    low = np.append(fpr[fpr < 0.1], 0.1)
    part = np.trapezoid(np.interp(low, fpr, tpr), low)
    assert part == pytest.approx(theirs["pauc_spec_1_0.9"], rel=1e-9)
    model = {"normal": "binormal"}.get(kind, kind)
    ours = fitted(run, words(name, request), model)["auc"]["value"]
    assert ours == pytest.approx(theirs["auc_exact_from_fit"], rel=1e-9)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("rule", ["proc_density", "proc_density_SJ"])
def test_kernels_of_proc(run: Run, request, name, rule):
    """It has one bandwidth, that of all cases, and 512 points."""
    found, file = answer(f"smooth__{name}", request), words(name, request)
    _, score = cases(name.split("__")[0], request, name.split("__")[1])
    quartiles = np.subtract(*np.percentile(score, [75, 25])) / 1.34
    spread = min(score.std(ddof=1), quartiles) or score.std(ddof=1)
    h = float(0.9 * spread * score.size**-0.2)
    if rule == "proc_density_SJ":
        every = fit_kernel(tabulate_classes(score, score), bandwidth="sheather-jones")
        h = every.parameters["h1"]
    at = [w for spec in found["grid_spec"] for w in ("--on-curve-fpr", round(1 - spec, 12))]
    fit = fitted(run, file, "kernel", "--option", f"bandwidth={h!r}", *at, "--fpr", 0, 0.1)
    assert fit["read"]["area"] == pytest.approx(found[rule]["pauc_spec_1_0.9"], abs=2e-4)
    assert fit["auc"]["value"] == pytest.approx(found[rule]["auc"], abs=5e-4)
    rates = [each["tpr"] for each in fit["read"]["rates"]]
    assert rates == pytest.approx(found[rule]["sens_at_spec"], abs=1.2e-3)


# --- resampling -------------------------------------------------------------------------------


def off(se, ours=3000, theirs=2000):
    """How far two 2.5 % quantiles of so many replicates may be apart.

    The standard error of that quantile of n Normal replicates is 2.67 se / sqrt(n); 4.5 of both.
    """
    return 4.5 * 2.67 * (1 / ours + 1 / theirs) ** 0.5 * se


def resampled(run: Run, file, statistics, *how):
    asked = [word for each in statistics for word in ("--statistic", each)]
    words = ("--method", "percentile", "--n-boot", 3000, "--seed", 1, "--json", "--quiet")
    return run("bootstrap", *file, *asked, *how, *words).json["scores"][0]


@pytest.mark.parametrize("name", MARKERS)
def test_bootstrap_intervals_of_proc(run: Run, request, name):
    found, file = answer(f"boot__{name}", request), words(name, request)
    for scheme in ("stratified", "unstratified"):
        area = resampled(run, file, ["auc"], "--scheme", scheme)["statistics"][0]
        low, middle, high = found[f"ci_auc_{scheme}"]
        ends = area["interval"]["low"], area["interval"]["high"]
        assert ends == pytest.approx((low, high), abs=off(area["se"]))
        assert area["median"] == pytest.approx(middle, abs=off(area["se"]) / 2)
        if scheme == "stratified":  # the relative error of a variance is sqrt(2 / n)
            assert found["var_bootstrap"] == pytest.approx(area["se"] ** 2, rel=4.5 * 0.041)
    table = run("auc", *file, "--json", "--quiet").json["scores"][0]
    steps = {"tpr": 1 / table["n_pos"], "fpr": 1 / table["n_neg"]}  # a quantile may jump by one
    asked, rows = [], []
    at = found["ci_se_at_spec"]
    for spec, row in list(zip(at["specificities"], at["ci"]["rows"], strict=True))[5:10:2]:
        asked.append(f"tpr@fpr={round(1 - spec, 12)}")
        rows.append(row)
    at = found["ci_sp_at_sens"]
    for sens, row in list(zip(at["sensitivities"], at["ci"]["rows"], strict=True))[2:9:3]:
        asked.append(f"fpr@tpr={round(sens, 12)}")
        rows.append([1 - each for each in row[::-1]])
    for i, threshold in enumerate(found["ci_thresholds"]["thresholds"]):
        asked += [f"tpr@threshold={threshold}", f"fpr@threshold={threshold}"]
        rows.append(found["ci_thresholds"]["sensitivity"]["rows"][i])
        rows.append([1 - x for x in found["ci_thresholds"]["specificity"]["rows"][i][::-1]])
    for each, row in zip(resampled(run, file, asked)["statistics"], rows, strict=True):
        near = off(each["se"]) + steps[each["statistic"][:3]]
        assert each["median"] == pytest.approx(row[1], abs=near), each
        if row[0] > 0 and row[2] < 1:  # at an end ours is wider than the replicates
            ends = each["interval"]["low"], each["interval"]["high"]
            assert ends == pytest.approx((row[0], row[2]), abs=near), each


@pytest.mark.parametrize("name", MARKERS)
def test_best_points_of_replicates_of_proc(request, name):
    """Its thresholds are midpoints between the scores that a replicate has.

    Ours are scores; where few were drawn a midpoint is far below the score that occurred. Both
    take one of tied thresholds at random.
    """
    found = answer(f"boot__{name}", request)
    data, _, column = name.partition("__")
    label, score = cases(data, request, column)
    rng, best = np.random.default_rng(3), []
    for _ in range(2000):
        pos, neg = (np.sort(rng.choice(x, x.size)) for x in (score[label], score[~label]))
        at = np.unique(np.concatenate([pos, neg]))
        between = np.concatenate([[-np.inf], (at[1:] + at[:-1]) / 2, [np.inf]])
        tpr, tnr = 1 - np.searchsorted(pos, between) / pos.size, np.searchsorted(neg, between)
        index = tpr + tnr / neg.size
        i = rng.choice(np.flatnonzero(index >= index.max() - 1e-12))
        best.append((between[i], tnr[i] / neg.size, tpr[i]))
    for values, key in zip(
        np.transpose(best), ("threshold", "specificity", "sensitivity"), strict=True
    ):
        theirs = found["ci_coords_youden_best"][key]
        for share, value in zip((0.025, 0.5, 0.975), theirs, strict=True):
            # Where ours and theirs may be apart: 4.5 standard errors of a share of 2000 + 2000.
            near = 4.5 * (share * (1 - share) * (1 / 2000 + 1 / 2000)) ** 0.5
            low, high = np.quantile(values, [max(share - near, 0), min(share + near, 1)])
            assert low <= value <= high, key


@pytest.mark.parametrize("name", PARTS)
def test_intervals_that_proc_names_after_parts_of_the_area(run: Run, request, name):
    """They are of the whole area: `reuse.auc` takes the one that the curve was made with."""
    found = answer(f"pauc__{name}", request)
    area = resampled(run, words(name, request), ["auc"])["statistics"][0]
    for part in ("spec_1_0.9", "sens_1_0.8"):
        low, middle, high = found[f"ci95_boot2000_seed42_{part}"]
        ends = area["interval"]["low"], area["interval"]["high"]
        assert ends == pytest.approx((low, high), abs=off(area["se"]))
        assert area["median"] == pytest.approx(middle, abs=off(area["se"]) / 2)
        largest = max(x["uncorrected"] for x in found["pauc"] if abs(np.diff(x["range"])[0]) < 0.21)
        assert low > largest  # no part of that width is so large


@pytest.mark.parametrize("name", PAIRS)
def test_resampled_paired_tests_of_proc(run: Run, request, name):
    found, (first, second) = answer(f"paired__{name}", request), PAIRS[name]
    file = [*words(first, request), "--score", second]
    names = {
        "auc": ("bootstrap_2000_seed42", 1),
        "area@fpr=0,0.1": ("bootstrap_pauc_spec_1_0.9_2000_seed42", 1),
        "fpr@tpr=0.9": ("sensitivity_test_at_sens0.9_2000_seed42", -1),  # it compares 1 - fpr
        "tpr@fpr=0.1": ("specificity_test_at_spec0.9_2000_seed42", 1),
    }
    asked = [word for each in names for word in ("--statistic", each)]
    how = ("--distribution", "normal", "--seed", 5, "--json", "--quiet")
    gaps = run("bootstrap", *file, *asked, *how).json["differences"]
    for gap, (key, sign) in zip(gaps, names.values(), strict=True):
        # Two standard deviations of 2000 draws each: their ratio is known to 2.2 percent.
        theirs = found[key]
        assert sign * gap["test"]["statistic"] == pytest.approx(theirs["statistic"]["D"], rel=0.09)
        assert gap["test"]["pvalue"] == pytest.approx(theirs["p_value"], abs=0.04)
    how = ("--curves", "--ties", "first", "--n-perm", 4000, "--json", "--quiet")
    test = run("compare", *file, *how).json["curves"][0]
    theirs = found["venkatraman_2000perm_seed42"]
    p = theirs["p_value"]
    noise = (max(p * (1 - p), 1e-3) * (1 / 2000 + 1 / 4000)) ** 0.5
    assert test["statistic"] == theirs["statistic"]["E"]
    assert test["pvalue"] == pytest.approx(p, abs=4 * noise)


@pytest.mark.parametrize("name", GROUPS)
def test_resampled_unpaired_tests_of_proc(run: Run, request, name, tmp_path):
    """The standard error of each group's area is the bootstrap's; groups are independent."""
    found = answer(f"unpaired__{name}__by__gender", request)
    theirs, (path, *label) = found["bootstrap_2000_seed42"], words(name, request)
    variance = 0.0
    for part in ("1", "2"):
        file = rows_of(path, found["by"], found[f"group_{part}"], tmp_path)
        asked = [file, *label, "--missing", "omit"]
        variance += resampled(run, asked, ["auc"])["statistics"][0]["se"] ** 2
    statistic = (found["auc_1"] - found["auc_2"]) / variance**0.5
    # Their 2000 draws and our 3000: the ratio of the standard deviations is known to 2 percent.
    assert statistic == pytest.approx(theirs["statistic"]["D"], rel=0.09)
    assert 2 * norm.sf(abs(statistic)) == pytest.approx(theirs["p_value"], abs=0.04)


@pytest.mark.parametrize("name", GROUPS)
def test_whole_curves_of_two_groups_of_proc(run: Run, request, name):
    """Its prevalence is of n1 + n1 cases, and its curves of errors lack their beginning."""
    found = answer(f"unpaired__{name}__by__gender", request)
    theirs, (path, *label) = found["venkatraman_unpaired_2000perm_seed42"], words(name, request)
    _, of_label, _, positive, _, score = label
    samples = [
        (
            np.array([row[of_label] == positive for row in rows]),
            np.array([float(row[score]) for row in rows]),
        )
        for group in "12"
        for rows in [
            [
                row
                for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
                if row[found["by"]] == found[f"group_{group}"]
            ]
        ]
    ]
    value = distance_between_errors(samples, proc=True)
    assert value == pytest.approx(theirs["statistic"]["E"], rel=1e-11)
    how = ("--by", "gender", "--curves", "--ties", "first", "--n-perm", 100, "--json", "--quiet")
    (test,) = run("compare", path, *label, "--missing", "omit", *how).json["curves"]
    ours = distance_between_errors(samples, proc=False)
    assert test["statistic"] == pytest.approx(ours, rel=1e-11)
    assert abs(ours / value - 1) > 0.1


@pytest.mark.parametrize("name", PAIRS)
def test_permutations_of_clinfun_were_asked_of_other_columns(request, name):
    """The file gave the label for the second score, and that for the label, a sum of its values.

    Of 0 and 1 the same formula is Venkatraman's number of errors, over n squared.
    """
    found, (first, second) = answer(f"paired__{name}", request), PAIRS[name]
    data, _, one = first.partition("__")
    label, one = cases(data, request, one.replace("_thickness", ".thickness"))
    _, other = cases(data, request, second)

    def distance(status, *scores):
        sums = [np.cumsum(status[np.argsort(score, kind="stable")]) for score in scores]
        return 2 * np.abs(sums[0] - sums[1]).sum()

    theirs = found["clinfun_roc_perm_test_2000_seed42"]
    assert theirs["stat"] == pytest.approx(distance(other, one, label) / label.size**2, rel=1e-11)
    errors = found["venkatraman_2000perm_seed42"]["statistic"]["E"]
    assert distance(label.astype(int), one, other) == errors


def rows_of(path, column, value, folder):
    """Write the rows of a file that have a value, and return where."""
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    part = folder / f"{value}.csv"
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(each for each in rows if each[column] == value)
    return part


# --- many scores, clusters, several classes ---------------------------------------------------


def test_many_scores(run: Run, request):
    found = answer("manytest__breast_w", request)
    file = [*words("breast_w__Cl_thickness", request)[:5]]
    scores = [word for name in found["markers"] for word in ("--score", name)]
    how = ("--distribution", "normal", "--adjust", "none", *PROC)
    printed = run("compare", *file, *scores, *how).json
    assert printed["names"] == found["markers"]
    assert_close(printed["covariance"], found["covariance"]["rows"], 9)
    assert printed["overall"]["statistic"] == pytest.approx(found["overall_chisq"], rel=1e-9)
    assert_close([each["auc"]["value"] for each in printed["scores"]], found["aucs"])
    clinfun, test = found["clinfun"], printed["overall"]
    assert_close(clinfun["area"], found["aucs"])
    assert [test["df"]] * 2 == [found["df"], clinfun["df"]]
    assert [test["pvalue"]] * 2 == pytest.approx([found["p"], clinfun["p"]], rel=5e-3)
    assert test["statistic"] == pytest.approx(clinfun["stat"], rel=1e-9)
    p = found["pairwise_p_delong"]["rows"]
    for pair in printed["pairs"]:
        i, j = (found["markers"].index(pair[key]) for key in ("first", "second"))
        assert pair["test"]["pvalue"] == pytest.approx(p[i][j], rel=1e-6)


@pytest.mark.parametrize("name", CLUSTERS)
def test_clusters(run: Run, request, name, csv_file):
    found = answer(f"cluster__{name}", request)
    how = ("--variance", "obuchowski", *PROC)
    if CLUSTERS[name] is None:  # each case is a cluster
        label, score = cases("asah", request, "s100b")
        file = csv_file("one.csv", {"y": label.astype(int), "s": score, "who": range(label.size)})
        asked = [file, "--score", "s", "--cluster", "who"]
    else:
        data = request.getfixturevalue("shared") / "data" / "retinopathy.csv"
        asked = [data, "--label", "status", "--cluster", "id", "--score", *CLUSTERS[name]]
    score = run("auc", *asked, *how).json["scores"][0]
    area = score["auc"]
    ends = [area["interval"]["low"], area["interval"]["high"]]
    assert_close(area["se"], found["se_clustered"], 10)
    sizes = [score[key] for key in ("n", "n_pos", "n_neg")]
    assert sizes == [found[key] for key in ("n_units", "n_pos", "n_neg")]
    # The standard error of a deviation of 1000 replicates is 2.2 percent of it.
    theirs = found["cluster_bootstrap_1000_seed42"]
    assert theirs["sd"] == pytest.approx(area["se"], rel=0.1)
    assert ends == pytest.approx([*theirs["ci95"].values()], abs=off(area["se"], 1e9, 1000))
    where = asked.index("--cluster")
    alone = run("auc", *asked[:where], *asked[where + 2 :], *PROC).json["scores"][0]["auc"]
    assert_close(alone["se"] ** 2, found["var_delong_ignoring_clusters"], 10)
    assert_close([area["value"], area["se"] ** 2], [found["auc"], found["var_clustered"]], 10)
    assert_close(ends, found["ci95_clustered"], 9)


@pytest.mark.parametrize("name", CLASSES)
def test_areas_of_several_classes(run: Run, request, name):
    file, *scores = CLASSES[name]
    path = request.getfixturevalue("shared") / "data" / f"{file}.csv"
    found = answer(f"multiclass__{name}", request)
    asked = [word for each in scores for word in ("--score", each)]
    printed = run("auc", path, "--label", "obs", *asked, "--json", "--quiet").json
    classifier, theirs = printed["classifiers"][0], found["from_formula"]
    areas = classifier["areas"]
    cases_of = {each["label"]: each["cases"] for each in printed["classes"]}
    assert (sorted(cases_of), sum(cases_of.values())) == (sorted(found["classes"]), found["n"])
    assert {key: n / found["n"] for key, n in cases_of.items()} == pytest.approx(
        dict(theirs["prevalences"].items())
    )
    alone = {each["label"]: each["value"] for each in classifier["against_the_rest"]}
    assert alone == pytest.approx(dict(theirs["ovr_auc"].items()), rel=1e-11)
    matrix, names = theirs["A"]["rows"], theirs["A"]["colnames"]
    assert names == theirs["A"]["rownames"]
    weighted = weights = 0.0
    for pair in classifier["pairs"]:
        i, j = (names.index(pair[key]) for key in ("first", "second"))
        mine = [pair["first_column"], pair["second_column"]]
        assert_close(mine, [matrix[i][j], matrix[j][i]])
        weight = cases_of[names[i]] + cases_of[names[j]]
        weighted, weights = weighted + weight * pair["value"], weights + weight
    assert weighted / weights == pytest.approx(theirs["ovo_weighted_pairs"], rel=1e-11)
    assert_close(areas["hand-till"]["value"], theirs["M"])
    folds = found.get("M_by_fold", {})
    for fold, expected_of in folds.items():
        part = rows_of(path, "Resample", fold, request.getfixturevalue("tmp_path"))
        again = run("auc", part, "--label", "obs", *asked, "--json", "--quiet").json
        value = again["classifiers"][0]["areas"]["hand-till"]["value"]
        assert value == pytest.approx(expected_of, rel=1e-11)
    expected = [found["proc_multiclass_auc"], theirs["ovr_macro"]]
    assert_close([areas[key]["value"] for key in ("hand-till", "macro")], expected)
    assert_close(areas["weighted"]["value"], theirs["ovr_prevalence_weighted"])


@pytest.mark.parametrize("name", ONE_SCORE)
def test_areas_of_several_classes_by_one_score(run: Run, request, name):
    """It turns each pair of classes by its medians; here that agrees with the area."""
    data, label, score = ONE_SCORE[name]
    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    found = answer(f"multiclass_univariate__{name}", request)
    asked = ("--label", label, "--score", score, "--order", ",".join(found["levels"]))
    turned, plain = (
        run("auc", path, *asked, *how, "--json", "--quiet").json for how in (["--pairwise"], [])
    )
    assert sum(each["cases"] for each in turned["order"]) == found["n"]
    (mine,), (standing,) = turned["scores"], plain["scores"]
    assert mine["hand_till"]["value"] == pytest.approx(found["auc"], rel=1e-12)
    pairs = list(zip(mine["pairs"], standing["pairs"], found["pairs"], strict=True))
    for here, before, theirs in pairs:
        assert [here["first"], here["second"]] == theirs["levels"]
        falls = theirs["direction"] == ">"
        value = 1 - before["value"] if falls else before["value"]
        assert here["value"] == pytest.approx(value, rel=1e-12)
    assert np.mean([here["value"] for here, _, _ in pairs]) == pytest.approx(found["auc"])


def test_the_classic_twenty_cases(run: Run, request):
    found = answer("classic__fawcett20", request)
    loaded = load("fawcett20")
    assert found["score"] == loaded.y_score.tolist()
    assert [bool(each) for each in found["label"]] == loaded.y_true.tolist()
    hull = run("hull", "fawcett20", "--json").json["vertices"]
    mine = np.array(sorted({(each["fpr"], each["tpr"]) for each in hull}))
    theirs = sorted(zip(*found["hull"].values(), strict=True))
    assert mine == pytest.approx(np.array(theirs), abs=1e-12)
    area = run("auc", "fawcett20", *PROC).json["scores"][0]["auc"]
    assert_close([area["value"], area["se"] ** 2], [found["auc"], found["var_delong"]])
    points = run("curve", "fawcett20", "--json").json["scores"][0]["points"]
    assert (points["fpr"], points["tpr"]) == (found["points"]["fpr"], found["points"]["tpr"])
    assert points["threshold"][1:] == found["points"]["cutoff"][1:]
    how = ("--threshold", 0.54, "--threshold", 0.5, "--json")
    at = run("at", "fawcett20", *how).json["scores"][0]["operating_points"]
    expected = [found["accuracy_at_0.54"], found["accuracy_at_0.5"]]
    assert_close([each["measures"]["accuracy"] for each in at], expected)


def test_the_budget_between_two_classifiers(run: Run, request, csv_file):
    """Fawcett's example: 800 cases are to be called positive, A calls 424, and B 1084."""
    found = answer("classic__fawcett_interpolation", request)
    n_pos, n_neg = found["positives"], found["negatives"]
    called = [(round(tpr * n_pos), round(fpr * n_neg)) for fpr, tpr in (found["A"], found["B"])]
    assert [sum(each) for each in called] == [found["selected_by_A"], found["selected_by_B"]]
    rows = []
    for score, (pos, neg), before in zip(
        (2, 1, 0), (*called, (n_pos, n_neg)), ((0, 0), *called), strict=True
    ):
        rows += [(1, score)] * (pos - before[0]) + [(0, score)] * (neg - before[1])
    assert len(rows) == found["population"]
    file = csv_file("two.csv", dict(zip(("y", "s"), zip(*rows, strict=True), strict=True)))
    x, y = found["C"]
    how = ("--on-curve-fpr", x, "--json", "--quiet")
    (read,) = run("at", file, "--score", "s", *how).json["scores"][0]["on_curve"]
    assert read["value"] == pytest.approx(y, rel=1e-12)
    assert x * n_neg + read["value"] * n_pos == pytest.approx(found["budget"], rel=1e-12)
    assert read["value"] * n_pos == pytest.approx(found["expected_positives_at_C"], rel=1e-12)
    share = (found["budget"] - sum(called[0])) / (sum(called[1]) - sum(called[0]))
    assert share == pytest.approx(found["k"], rel=1e-12)


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


def asked(options):
    """Return the words that ask the shell what these options ask `optimal_points`."""
    goals, limits = options["criterion"], options.get("subject_to", ())
    goals = goals if isinstance(goals, tuple) else (goals,)
    goals = [g if isinstance(g, str) else f"{g.measure}={g.value}" for g in goals]
    found = ["--criterion", ",".join(goals)]
    for each in limits if isinstance(limits, tuple) else (limits,):
        found += ["--subject-to", f"{each.measure}{each.sense}{each.bound}"]
    costs = options.get("costs")
    for name in ("fp", "fn", "tp", "tn") if costs else ():
        found += [f"--cost-{name}", getattr(costs, name)]
    return found


def points_of(run: Run, file, options, *how):
    printed = run("at", *file, *asked(options), *how, "--json", "--quiet").json["scores"]
    return [point for score in printed for point in score["operating_points"]]


def rates_of(points, rate):
    return sorted(number(each["rates"][rate]["value"]) for each in points)


def number(value):
    """Read a number of JSON, in which null is no number and infinity is a text."""
    return np.nan if value is None else float(value)


@pytest.mark.parametrize("name", CUTPOINTS)
def test_other_methods_of_cutpointr(run: Run, request, name):
    found, file = answer(f"cutpointr__{name}", request), words(name, request)
    cut = fitted(run, file, "binormal", "--option", "ddof=1", "--cut")["read"]["cut"]
    normal = found["methods"]["oc_youden_normal"]
    assert cut["threshold"] == pytest.approx(normal["cutpoint"], rel=1e-10)
    # The rates that it gives are of the sample.
    at = run("at", *file, "--threshold", cut["threshold"], "--json", "--quiet").json["scores"][0]
    rates = at["operating_points"][0]["rates"]
    mine = [rates["tpr"]["value"], rates["tnr"]["value"]]
    assert mine == pytest.approx([normal["sensitivity"], normal["specificity"]])
    assert sum(mine) - 1 == pytest.approx(normal["youden"])
    # The mean of all scores; ours is the least score that is as large.
    mean = points_of(run, file, {"criterion": "mean_score"})[0]
    theirs = found["methods"]["oc_mean"]
    assert mean["threshold"] >= theirs["cutpoint"]
    assert mean["rates"]["tpr"]["value"] == pytest.approx(theirs["sensitivity"])
    assert mean["rates"]["tnr"]["value"] == pytest.approx(theirs["specificity"])
    assert mean["measures"]["informedness"] == pytest.approx(theirs["youden"])
    chosen = resampled(run, file, [], "--criterion", "youden", "--level", 0.5)["thresholds"][0]
    boot = found["bootstrap_500_seed42"]
    # 500 runs: the standard error of a mean is the spread of the index, below .09, over 22.
    assert chosen["in_bag"] == pytest.approx(boot["youden_b_mean"], abs=0.018)
    assert chosen["corrected"] == pytest.approx(boot["youden_oob_mean"], abs=0.018)
    assert chosen["median"] == pytest.approx(boot["cutpoint_quantiles"]["50%"], abs=0.02)
    spread = resampled(run, file, ["auc"])["statistics"][0]["se"]
    assert boot["auc_b_sd"] == pytest.approx(spread, rel=4.5 / (2 * boot["runs"]) ** 0.5)
    quantiles = [boot["cutpoint_quantiles"][key] for key in ("25%", "75%")]
    assert [chosen["interval"][end] for end in ("low", "high")] == pytest.approx(
        quantiles, abs=0.02
    )
    # The mean of the thresholds of some dozens of runs.
    several = found["methods"]["maximize_boot_metric_seed42"]["cutpoint"]
    spread = (boot["cutpoint_quantiles"]["97.5%"] - boot["cutpoint_quantiles"]["2.5%"]) / 4
    assert chosen["mean"] == pytest.approx(several, abs=4 * spread / 50**0.5)


@pytest.mark.parametrize("name", CUTPOINTS)
def test_cut_of_kernel_smoothed_distributions_of_cutpointr(run: Run, request, name):
    """KernSmooth's bandwidth loses the largest scores of a class; ours is the one without that."""
    theirs = answer(f"cutpointr__{name}", request)["methods"]["oc_youden_kernel"]
    file, (data, score, *_) = words(name, request), SETS[name]
    label, values = cases(data, request, score)
    classes = values[label], values[~label]
    lost = [direct_plug_in(x, lost=int((x == x.max()).sum())) for x in classes]

    def cut(bandwidth):
        how = ("--option", f"bandwidth={bandwidth}", "--cut")
        return fitted(run, file, "kernel", *how)

    # Its two curves stand on 401 points each.
    narrow, step = cut(f"{lost[0]!r},{lost[1]!r}")["read"]["cut"], np.ptp(values) / 400
    assert narrow["threshold"] == pytest.approx(theirs["cutpoint"], abs=step / 4)
    fit = cut("direct-plug-in")
    widths = [each["value"] for each in fit["parameters"]]
    assert widths == pytest.approx([direct_plug_in(x) for x in classes], rel=1e-11)
    assert widths == pytest.approx(lost, rel=0.014)
    found = fit["read"]["cut"]["threshold"]
    assert found == pytest.approx(theirs["cutpoint"], rel=0.004)
    # Where the curves are so near the index is, too; and the rates of the sample are the same.
    at = run("at", *file, "--threshold", found, "--json", "--quiet").json["scores"][0]
    rates = [at["operating_points"][0]["rates"][each]["value"] for each in ("tpr", "tnr")]
    assert rates == pytest.approx([theirs["sensitivity"], theirs["specificity"]], rel=1e-12)
    assert sum(rates) - 1 == pytest.approx(theirs["youden"], rel=1e-12)


SPARED = {"asah__s100b": 4.0937, "suicide__dsi": 2.0043}  # degrees of freedom that R prints


@pytest.mark.parametrize("name", CUTPOINTS)
def test_smoothed_metrics_of_cutpointr(run: Run, request, name):
    """The spline has the degrees of freedom of ``spar = 1``, few whatever the sample is.

    2 are a straight line, whose best threshold is an end: the lowest score, with an index of 0.
    The gam has no option of its own: it chooses the degrees of freedom by generalised
    cross-validation, which asks for independent errors. Those of cumulative shares are not, and it
    keeps three quarters of all degrees of freedom or more. So does mgcv, up to its 10 terms, and
    both find what is best without smoothing.
    """
    methods, file = answer(f"cutpointr__{name}", request)["methods"], words(name, request)
    spline, gam = (methods[f"maximize_{each}_metric"] for each in ("spline", "gam"))
    youden = {"criterion": "youden"}
    for row, how in ((spline, ("--smooth", SPARED[name])), (gam, ())):
        (point,) = points_of(run, file, youden, *how)
        chosen = run("choose", *file, *asked(youden), *how, "--json", "--quiet").json
        assert point["threshold"] == chosen["rule"]["low"]["threshold"] == row["cutpoint"]
        for theirs in ("sensitivity", "specificity"):
            assert point["rates"][RATES[theirs]]["value"] == pytest.approx(row[theirs])
        assert chosen["rates"]["tpr"]["value"] == pytest.approx(row["sensitivity"])
        assert 1 - chosen["rates"]["fpr"]["value"] == pytest.approx(row["specificity"])
        assert row["youden"] is None  # it has no value of the criterion here
    label, values = cases(SETS[name][0], request, SETS[name][1])
    at = np.unique(values)
    rates = [(values[each] >= at[:, np.newaxis]).mean(axis=1) for each in (label, ~label)]
    validated = cross_validated_spline(at, rates[0] - rates[1])
    assert np.trace(validated) > 0.75 * at.size
    assert at[(validated @ (rates[0] - rates[1])).argmax()] == gam["cutpoint"]
    # R's own amount of smoothing, of which its integrals know three digits. Where 49 of 50 scores
    # are knots R's spline may be bent at its ends, and ours may not.
    spared = smoothing_spline(at, min(at.size, 49))
    assert np.trace(spared) == pytest.approx(SPARED[name], rel=3e-3)
    (point,) = points_of(run, file, youden, "--smooth", np.trace(spared))
    smoothed = spared @ (rates[0] - rates[1])
    assert point["smoothed"] == pytest.approx(smoothed.max(), rel=1e-3)


@pytest.mark.parametrize("name", CUTPOINTS)
def test_cutpoints_of_cutpointr(run: Run, request, name):
    found, file = answer(f"cutpointr__{name}", request), words(name, request)
    assert set(found["metrics"]) == set(CUTPOINTR)
    score = run("auc", *file, *PROC).json["scores"][0]
    n, area = score["n"], score["auc"]["value"]
    assert n == found["n"]
    for theirs, row in found["metrics"].items():
        options = {"criterion": CUTPOINTR[theirs], "costs": CUTPOINTR_COSTS.get(theirs)}
        points = points_of(run, file, options)
        mine = sorted(each["threshold"] for each in points)
        if (name, theirs) == ("suicide__dsi", "p_chisquared"):
            # cutpointr ties all that is within 1e-6 of the best, as these p values are.
            assert set(mine) < set(row["cutpoints"])
            continue
        assert points[0]["tied"] == len(row["cutpoints"]), theirs
        if len(mine) < len(row["cutpoints"]):  # the shell prints the first ten of ties
            assert (len(mine), set(mine) <= set(row["cutpoints"])) == (10, True)
            continue
        assert mine == sorted(row["cutpoints"]), theirs
        assert rates_of(points, "tpr") == pytest.approx(sorted(row["sensitivity"]))
        assert rates_of(points, "tnr") == pytest.approx(sorted(row["specificity"]))
        accuracies = sorted(each["measures"]["accuracy"] for each in points)
        assert accuracies == pytest.approx(sorted(row["accuracy"]))
        value = CUTPOINTR_VALUES.get(theirs, float)(points[0]["value"])
        assert value * (n if "cost" in theirs or "util" in theirs else 1) == pytest.approx(
            row["value"], rel=1e-9
        ), theirs
        assert row["auc"] == pytest.approx(area, rel=1e-12)
    points = points_of(run, file, {"criterion": "youden"})
    middle = [(each["threshold"] + each["next_score"]) / 2 for each in points]
    assert middle == pytest.approx(found["midpoint_youden"])
    for theirs, options in CUTPOINTR_CONSTRAINED.items():
        points = points_of(run, file, options)
        row = found["constrained"][theirs]
        assert set(row["cutpoints"]) <= {each["threshold"] for each in points}
        for each in ("sensitivity", "specificity"):
            assert points[0]["rates"][RATES[each]]["value"] == pytest.approx(row[each][0])


def test_subgroups_of_cutpointr(run: Run, request, tmp_path):
    found = answer("cutpointr_subgroup__suicide", request)
    path, *label = words("suicide__dsi", request)
    printed = run("auc", path, *label, "--by", found["by"], *PROC).json["scores"]
    areas = {score["group"]: score for score in printed}
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in found["rows"]:
        score = areas[row["subgroup"]]
        assert score["auc"]["value"] == pytest.approx(row["auc"])
        assert (score["n_pos"], score["n_pos"] + score["n_neg"]) == (
            row["n_pos"],
            sum(each[found["by"]] == row["subgroup"] for each in rows),
        )
        part = rows_of(path, found["by"], row["subgroup"], tmp_path)
        points = points_of(run, [part, *label], {"criterion": "youden"})
        assert [each["threshold"] for each in points] == row["cutpoint"]
        assert points[0]["value"] == pytest.approx(row["youden"])


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_cutpoints_of_optimalcutpoints(run: Run, request, name):
    found, file = answer(f"optimalcutpoints__{name}", request), words(name, request)
    assert {key.partition("__")[0] for key in found["criteria"]} == set(OPTIMAL_CUTPOINTS)
    score = run("auc", *file, *PROC).json["scores"][0]
    whole = score["auc"]
    assert [score["n"], score["prevalence"]] == [found["n"], found["pop_prev"]]
    for theirs, options in OPTIMAL_CUTPOINTS.items():
        row = found["criteria"][theirs]
        if not row.get("cutoff"):
            if theirs != "MaxNPVPPV":  # where it fails; of the others no threshold will do
                refused = run("at", *file, *asked(options), "--json", fails=True)
                assert "at once" in refused.err
            continue
        points = points_of(run, file, options, "--ratio-interval", "log")
        mine = sorted(each["threshold"] for each in points)
        if (name, theirs) == ("suicide__dsi", "MinPvalue"):
            assert mine == [6]
            assert row["cutoff"] == [
                first_p_value_that_rounds_to_zero(*cases("suicide", request, "dsi"))
            ]
            continue
        if (name, theirs) == ("suicide__dsi", "ValueNPV"):  # it does not try to reject all
            assert points[0]["tp"] == points[0]["fp"] == 0
            asked_for, ours = options["criterion"][0].value, points[0]["rates"]["npv"]["value"]
            assert abs(ours - asked_for) < abs(row["NPV"]["value"][0] - asked_for)
            continue
        assert mine == sorted(row["cutoff"]), theirs
        for key, rate in RATES_OF_OPTIMAL.items():
            theirs_of_rate = sorted(row[key]["value"])
            assert rates_of(points, rate) == pytest.approx(theirs_of_rate, nan_ok=True), theirs
        for key in ("Se", "Sp", "DLR.Positive", "DLR.Negative"):
            for end, ours in (("ll", "low"), ("ul", "high")):
                mine = [number(each["rates"][RATES_OF_OPTIMAL[key]][ours]) for each in points]
                known = [x for x in row[key][end] if np.isfinite(x)]  # it has no end at 0 and 1
                sure = row[key]["ll"] == row[key]["ul"]  # rates of 1 and 1: one point, ours is not
                for x in [] if sure else known:
                    assert np.isclose(mine, x, atol=1e-9).any(), theirs
        for key, ours in (("FP", "fp"), ("FN", "fn")):
            assert np.isclose([each[ours] for each in points], row[key][0]).any(), theirs
        low, area, high = whole["interval"]["low"], whole["value"], whole["interval"]["high"]
        assert row["auc"] == pytest.approx([area, low, min(high, 1)], abs=1e-9)
        if row["optimal_criterion"] is not None and theirs != "CB":  # that is a slope
            value = OPTIMAL_VALUES.get(theirs, float)(points[0]["value"])
            value *= score["n"] if theirs == "Minimax" else 1
            assert value == pytest.approx(row["optimal_criterion"], rel=1e-6, abs=1e-12), theirs


def first_p_value_that_rounds_to_zero(label, score):
    """The lowest threshold where 1 minus the distribution of chi-square is 0 in floats."""
    for at in np.unique(score):
        cells = [
            [np.sum((score >= at) & own), np.sum((score < at) & own)] for own in (label, ~label)
        ]
        if (
            np.min(np.sum(cells, axis=0))
            and 1 - chi2.cdf(chi2_contingency(cells, correction=True)[0], 1) == 0
        ):
            return at
    return None


THEIR_INTERVALS = {  # its "Agresti-Coull" is the interval of Wilson, its "Wald" is corrected
    "wilson": "Youden__AgrestiCoull",
    "rubin-schenker": "Youden__RubinSchenker",
    "wald-corrected": "Youden__Wald",
}


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
@pytest.mark.parametrize("method", THEIR_INTERVALS)
def test_other_intervals_of_optimalcutpoints(run: Run, request, name, method):
    every = answer(f"optimalcutpoints__{name}", request)["criteria"]
    row, same = every[THEIR_INTERVALS[method]], every["Youden"]
    assert [*row["auc"], row["optimal_criterion"]] == [*same["auc"], same["optimal_criterion"]]
    how = ("--interval", method, "--ratio-interval", "log", "--json", "--quiet")
    asked = ("--criterion", "youden", *how)
    (point,) = run("at", *words(name, request), *asked).json["scores"][0]["operating_points"]
    assert [point["threshold"]] == row["cutoff"]
    assert [point["fp"], point["fn"]] == pytest.approx([row["FP"][0], row["FN"][0]])
    for key, rate in RATES_OF_OPTIMAL.items():
        mine = [point["rates"][rate][each] for each in ("value", "low", "high")]
        theirs = [row[key][each][0] for each in ("value", "ll", "ul")]
        if key in ("Se", "Sp"):
            theirs[2] = min(theirs[2], 1)
        if key in ("PPV", "NPV") and method != "wilson":  # the others are exact in this answer
            mine, theirs = mine[:1], theirs[:1]
        assert mine == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("name", ["asah__s100b", "suicide__dsi"])
def test_exact_predictive_values_of_optimalcutpoints(run: Run, request, name):
    """Its limits of tp / (tp + fp) mix in tn and fn; Clopper and Pearson's know neither."""
    row = answer(f"optimalcutpoints__{name}", request)["criteria"]["Youden"]
    asked = ("--criterion", "youden", "--json", "--quiet")
    (point,) = run("at", *words(name, request), *asked).json["scores"][0]["operating_points"]
    tp, fp, fn, tn = (point[key] for key in ("tp", "fp", "fn", "tn"))

    def ends(right, wrong, others):
        """Their limits; with ``others = (right, wrong)`` they are those of Clopper and Pearson."""
        below = (wrong + 1) * f.ppf(0.975, 2 * (wrong + 1), 2 * others[0])
        above = (right + 1) * f.ppf(0.975, 2 * (right + 1), 2 * others[1])
        return [right / (right + below), above / (wrong + above)]

    for key, rate, cells, others in (
        ("PPV", "ppv", (tp, fp), (tn, fn)),
        ("NPV", "npv", (tn, fn), (tp, fp)),
    ):
        assert ends(*cells, others) == pytest.approx([row[key][end][0] for end in ("ll", "ul")])
        mine = [point["rates"][rate][end] for end in ("low", "high")]
        assert ends(*cells, cells) == pytest.approx(mine)


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


ONE_SIDED = {"two.sided": [], "one.sided": ["--one-sided"]}


def planned(run: Run, *words):
    return run("power", *words, "--variance", "obuchowski", "--json", "--quiet").json


def test_plans_of_one_area_of_proc(run: Run, request):
    found = answer("power__one_roc", request)
    rows = found["one_roc_sample_size"]
    assert len(rows) > 70
    for row in rows:
        asked = row["input"]
        how = ["--area", asked["auc"], "--power", asked["power"], "--ratio", asked["kappa"]]
        how += ["--significance", asked["sig.level"], *ONE_SIDED[asked["alternative"]]]
        plan = planned(run, *how)
        assert_close([plan["n_pos"], plan["n_neg"]], [row["ncases"], row["ncontrols"]], 11)
    for part, keys in {
        "one_roc_power": ("auc",),
        "one_roc_sig_level": ("auc", "power"),
        "one_roc_auc": ("power",),
    }.items():
        for row in found[part][:3]:
            asked = row["input"]
            how = ["--n-pos", asked["ncases"], "--ratio", asked["ncontrols"] / asked["ncases"]]
            how += ["--area", asked["auc"]] if "auc" in keys else []
            how += ["--power", asked["power"]] if "power" in keys else []
            plan = planned(run, *how)
            assert plan["power"] == pytest.approx(row["power"], rel=1e-9)
            assert plan["significance"] == pytest.approx(row["sig.level"], rel=1e-9)
            # pROC's search for the area stops early.
            assert 0.5 + plan["difference"] == pytest.approx(row["auc"], abs=2e-5)


@pytest.mark.parametrize("name", PILOTS)
def test_plans_from_a_pilot_of_proc(run: Run, request, name):
    found, (first, second) = answer(f"power__two_roc__{name}", request), PILOTS[name]
    file = [*words(first, request), "--score", second, "--formula", "--null-variance", "first"]
    now = found["power_at_observed_n"]
    for key, how in {
        "power_at_observed_n": ["--n-pos", now["ncases"]],
        "n_for_power_0.8": ["--power", 0.8],
        "n_for_power_0.9": ["--power", 0.9],
        "n_for_power_0.9_one_sided": ["--power", 0.9, "--one-sided"],
        "sig_level_power_0.9": ["--n-pos", now["ncases"], "--power", 0.9],
    }.items():
        plan, theirs = run("power", *file, *how, "--json", "--quiet").json, found[key]
        assert plan["difference"] == pytest.approx(theirs["auc1"] - theirs["auc2"], rel=1e-10)
        numbers = [plan[name] for name in ("n_pos", "n_neg", "power", "significance")]
        expected = [theirs[name] for name in ("ncases", "ncontrols", "power", "sig.level")]
        assert_close(numbers, expected, 9)


def test_plans_of_two_binormal_curves_of_proc(run: Run, request):
    rows = answer("power__two_roc__obuchowski_params", request)["binormal_parlist"]
    assert len(rows) == 12
    for row in rows:
        p = row["input"]
        how = ["--curve", p["A1"], p["B1"], "--other-curve", p["A2"], p["B2"]]
        how += ["--score-correlations", p["ra"], p["rn"], "--difference", p["delta"]]
        how += ["--fpr", p["FPR11"], p["FPR12"]] if "FPR11" in p else []
        how += ["--power", p["power"], "--ratio", p["kappa"], "--null-variance", "first"]
        plan = planned(run, *how, "--significance", p["sig.level"])
        assert_close([plan["n_pos"], plan["n_neg"]], [row["ncases"], row["ncontrols"]], 10)


def turned_line(run: Run, file, score):
    """The parameters that pROC plans with: of the line of tnr over fnr, as if of tpr over fpr."""
    line = fitted(run, [*file[:-1], score], "probit-line")
    a, b = (each["value"] for each in line["parameters"])
    return a / b, 1 / b


def variance_of_gap(run: Run, n_pos, ratio, one, two, r=(0, 0)):
    """The variance of the difference of two areas, from the cases that an interval needs."""
    how = ["--curve", *one, "--other-curve", *two, "--score-correlations", *r]
    plan = planned(run, *how, "--ratio", ratio, "--width", norm.ppf(0.975))
    return plan["n_pos"] / n_pos


@pytest.mark.parametrize("name", SETS)
def test_obuchowski_variances_of_proc(run: Run, request, name):
    """It exchanges the classes in the line, but not in their numbers.

    Its line is Phi^-1(tnr) = A + B Phi^-1(fnr), which makes A = a / b and |B| = 1 / b; its variance
    is of tpr and fpr. That of the line as it is, is another number. The full formula ("exact")
    gives one number for either class as the positive one, as an area does.
    """
    found, file = answer(f"auc__{name}", request), words(name, request)
    theirs = found["var_obuchowski"]
    if not isinstance(theirs, float):
        assert "not enough points" in theirs["error"]
        assert "two" in fitted(run, file, "probit-line")["failure"]
        return
    n_pos, n_neg = found["n_pos"], found["n_neg"]
    a, b = turned_line(run, file, file[-1])
    ratio = n_neg / n_pos
    assert variance_of_gap(run, n_pos, ratio, (a, b), (a, b)) / 2 == pytest.approx(theirs, rel=1e-9)
    right, turned = Binormal(a=a / b, b=1 / b), Binormal(a=a, b=b)
    ours = variance_of(right, ratio, "obuchowski").large / n_pos
    assert abs(ours / theirs - 1) > 0.005
    either = [
        variance_of(curve, r, "exact").large / n
        for curve, r, n in ((right, ratio, n_pos), (turned, 1 / ratio, n_neg))
    ]
    assert either[0] == pytest.approx(either[1], rel=1e-9)
    how = ("--model", "probit-line", "--missing", "omit", "--width", norm.ppf(0.975))
    plan = planned(run, *file, *how)
    assert plan["n_pos"] / n_pos == pytest.approx(ours, rel=1e-9)


def correlations_of(request, data, first, second):
    """Pearson's of two scores, among positives and among negatives: pROC takes scores as Normal."""
    (label, one), (_, other) = (cases(data, request, score) for score in (first, second))
    return [float(np.corrcoef(one[each], other[each])[0, 1]) for each in (label, ~label)]


@pytest.mark.parametrize("name", PAIRS)
def test_obuchowski_covariances_of_proc(run: Run, request, name):
    """Of its lines with the classes exchanged, as its variances are."""
    found, (first, second) = answer(f"paired__{name}", request), PAIRS[name]
    file = words(first, request)
    label, _ = cases(first.partition("__")[0], request, second)
    n_pos = int(label.sum())
    ratio = (label.size - n_pos) / n_pos
    one, two = (turned_line(run, file, score) for score in (file[-1], second))
    r = correlations_of(request, first.partition("__")[0], file[-1], second)
    of_gap = variance_of_gap(run, n_pos, ratio, one, two, r)
    alone = [variance_of_gap(run, n_pos, ratio, each, each) / 2 for each in (one, two)]
    assert (sum(alone) - of_gap) / 2 == pytest.approx(found["cov_obuchowski"], rel=1e-7)


@pytest.mark.parametrize("name", PILOTS)
def test_obuchowski_plans_from_a_pilot_of_proc(run: Run, request, name):
    """Of its lines with the classes exchanged; the difference is that of the empirical areas."""
    found, (first, second) = answer(f"power__two_roc__{name}", request), PILOTS[name]
    theirs, now, file = (
        found["obuchowski_power_0.9"],
        found["power_at_observed_n"],
        words(first, request),
    )
    one, two = (turned_line(run, file, score) for score in (file[-1], second))
    r = correlations_of(request, found["dataset"], file[-1], second)
    how = ["--curve", *one, "--other-curve", *two, "--score-correlations", *r]
    how += ["--ratio", now["ncontrols"] / now["ncases"], "--null-variance", "first"]
    how += ["--difference", theirs["auc1"] - theirs["auc2"]]
    plan = planned(run, *how, "--power", theirs["power"], "--significance", theirs["sig.level"])
    assert_close([plan["n_pos"], plan["n_neg"]], [theirs["ncases"], theirs["ncontrols"]], 9)


@pytest.mark.parametrize("name", PILOTS)
def test_plans_of_another_ratio_of_proc(run: Run, request, name):
    """With a pilot it keeps the positives of the pilot's ratio, and multiplies them."""
    found, (first, second) = answer(f"power__two_roc__{name}", request), PILOTS[name]
    asked, kept = found["n_for_power_0.9_kappa3"], found["n_for_power_0.9"]
    assert [asked["ncases"], asked["ncontrols"]] == [kept["ncases"], 3 * kept["ncases"]]
    same = ("auc1", "auc2", "power", "sig.level")
    assert [asked[key] for key in same] == [kept[key] for key in same]
    file = [*words(first, request), "--score", second, "--formula", "--null-variance", "first"]
    plan = run("power", *file, "--power", 0.9, "--ratio", 3, "--json", "--quiet").json
    assert plan["n_neg"] == 3 * plan["n_pos"]
    assert plan["n_pos"] < asked["ncases"]  # more negatives, so fewer positives
    now = found["power_at_observed_n"]
    again = [*file, "--power", 0.9, "--ratio", now["ncontrols"] / now["ncases"], "--json"]
    assert run("power", *again, "--quiet").json["n_pos"] == pytest.approx(kept["ncases"], rel=1e-9)


def test_every_entry_was_compared_or_is_listed():
    """What the tests above have not read of an answer; all of them must have run before."""
    if not set(compared.WHOLE) >= REPRODUCED:
        pytest.skip("only some of the tests of this file were run")
    left = {each for each in compared.passed_over() if each.partition(".")[0] in REPRODUCED}
    patterns = [f"{name.replace('.', '*.', 1)}*" for name in NOT_FROM_THE_SHELL if "." in name]
    patterns += NOT_A_NUMBER
    assert [each for each in left if not any(fnmatchcase(each, one) for one in patterns)] == []
    assert [one for one in patterns if not any(fnmatchcase(each, one) for each in left)] == []
