"""The commands compare, average, band, power, granular and select: numbers are the library's."""

import numpy as np
import pytest

import rocspace as rs
from rocspace._base.text import general, p_equals
from rocspace.averaging import (
    cv_auc_estimate,
    fold_tables,
    on_rank_scale,
    threshold_average,
    vertical_average,
)
from rocspace.bands import roc_band
from rocspace.compare import compare_aucs
from rocspace.granular import granular_areas, rho_integrals
from rocspace.planning import plan_area, plan_difference, plan_from_pilot

RNG = np.random.default_rng(4)
N = 90
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 2)
OLD = np.round(0.5 * NEW + RNG.normal(0.3 * LABEL, 1.0), 2)
WILD = np.round(RNG.normal(0.2 * LABEL, 1.0), 1)
WHO = np.arange(N) // 3
FOLD = np.array(["one", "two", "three"])[np.arange(N) % 3]
SCORES = {"new": NEW, "old": OLD, "wild": WILD}
DATA = rs.pair_scores(LABEL, SCORES)


@pytest.fixture
def scores(csv_file):
    return csv_file("scores.csv", {"y": LABEL, **SCORES})


@pytest.fixture
def folds(csv_file):
    return csv_file("folds.csv", {"y": LABEL, "new": NEW, "fold": FOLD, "who": WHO})


# --- compare ------------------------------------------------------------------------------------


def test_compare_prints_what_the_library_finds(run, scores):
    found = run("compare", scores, "--level", 0.9, "--json").json
    wanted = compare_aucs(DATA)
    assert found["schema"] == "rocspace.comparison/1"
    assert [each["auc"]["value"] for each in found["scores"]] == [e.value for e in wanted.estimates]
    assert np.array_equal(found["covariance"], wanted.covariance)
    for got, pair in zip(found["pairs"], wanted.pairs, strict=True):
        assert (got["first"], got["second"]) == (pair.first, pair.second)
        assert got["test"]["pvalue"] == pair.test.pvalue
        assert got["adjusted_pvalue"] == pair.adjusted_pvalue
        low, high = pair.difference.interval(0.9)
        assert (got["interval"]["low"], got["interval"]["high"]) == (low, high)
    assert found["overall"]["pvalue"] == wanted.overall.pvalue
    text = run("compare", scores).out
    assert "90 cases" in text
    assert "new - old" in text
    overall = wanted.overall
    for key in ("df", "df_denominator", "statistic", "method", "note"):
        assert found["overall"][key] == getattr(overall, key)
    law = f"F {general(overall.statistic / 2)} with 2 and {general(wanted.df)} degrees of freedom"
    assert f"All areas equal: {law}, {p_equals(overall.pvalue)}\n" in text
    assert [p["test"]["df"] for p in found["pairs"]] == [p.test.df for p in wanted.pairs]
    assert "|" in text
    assert "o" in text


def test_compare_says_what_is_unusual(run, csv_file):
    constant = {**SCORES, "none": np.zeros(len(LABEL))}
    path = csv_file("constant.csv", {"y": LABEL, **constant})
    options = ("--label", "y", *(x for name in constant for x in ("--score", name)))
    pairs = run("compare", path, *options, "--json").json
    wanted = compare_aucs(rs.pair_scores(LABEL, constant))
    assert [p["test"]["note"] for p in pairs["pairs"]] == [p.test.note for p in wanted.pairs]
    assert pairs["overall"]["method"] == "pairs, bonferroni"
    assert pairs["overall"]["df_denominator"] is None
    text = run("compare", path, *options).out
    assert "new - none: no spread in a score: p from the interval" in text
    assert f"({wanted.overall.note})" in text


def test_compare_with_a_reference_clusters_and_no_adjustment(run, csv_file):
    path = csv_file("c.csv", {"y": LABEL, **SCORES, "who": WHO})
    options = ("--score", "new", "--score", "old", "--score", "wild", "--reference", "old")
    more = ("--cluster", "who", "--adjust", "none", "--json")
    found = run("compare", path, *options, *more).json
    clustered = rs.pair_scores(LABEL, SCORES, cluster=WHO)
    wanted = compare_aucs(clustered, reference="old", adjust="none")
    assert len(found["pairs"]) == 2
    assert [p["se"] for p in found["pairs"]] == [p.difference.se for p in wanted.pairs]
    assert found["pairs"][0]["se"] != compare_aucs(DATA, reference="old").pairs[0].difference.se


def test_compare_refuses_what_it_cannot_do(run, scores, csv_file):
    assert "Did you mean 'old'" in run("compare", scores, "--reference", "odl", fails=True).err
    one = run("compare", scores, "--score", "new", fails=True).err
    assert "two" in one
    assert (
        "no value in row 1"
        in run(
            "compare", csv_file("h.csv", {"y": LABEL, "a": NEW, "b": ["", *OLD[1:]]}), fails=True
        ).err
    )
    assert "--cluster" in run("compare", "--help").out


# --- average ------------------------------------------------------------------------------------


def test_average_prints_what_the_library_finds(run, folds):
    options = ("--fold", "fold", "--score", "new", "--same-scale", "--json")
    (found,) = run("average", folds, *options).json["scores"]
    tables = fold_tables(LABEL, NEW, FOLD)
    assert {each["fold"]: each["auc"] for each in found["folds"]} == {
        name: rs.auc(table) for name, table in tables.items()
    }
    low, high = cv_auc_estimate(tables).interval(0.95)
    assert found["mean_auc"]["interval"]["low"] == low
    assert found["mean_auc"]["interval"]["high"] == high
    curve = vertical_average(tables, grid=10)
    assert found["curve"]["tpr"] == curve.tpr.tolist()
    assert found["curve"]["tpr_low"] == curve.interval(0.95).tpr_low.tolist()
    assert found["pooled_auc"] == rs.auc(rs.tabulate(LABEL, NEW))
    text = run("average", folds, "--fold", "fold", "--score", "new").out
    assert "3 folds" in text
    assert "new: at fpr" in text


def test_average_at_thresholds_takes_ranks_unless_the_scale_is_the_same(run, folds):
    options = ("--fold", "fold", "--score", "new", "--method", "threshold", "--json")
    (found,) = run("average", folds, *options).json["scores"]
    tables = fold_tables(LABEL, NEW, FOLD)
    ranked = {name: on_rank_scale(table) for name, table in tables.items()}
    assert found["curve"]["fpr"] == threshold_average(ranked, grid=10, same_scale=True).fpr.tolist()
    assert found["pooled_auc"] is None
    (same,) = run("average", folds, *options, "--same-scale").json["scores"]
    assert same["curve"]["fpr"] == threshold_average(tables, grid=10, same_scale=True).fpr.tolist()


def test_average_needs_the_fold_column(run, folds):
    assert "Did you mean 'fold'" in run("average", folds, "--fold", "folt", fails=True).err
    assert "--fold" in run("average", folds, fails=True).err


def test_average_says_that_thresholds_are_ranks(run, folds):
    options = ("--fold", "fold", "--score", "new", "--method", "threshold")
    ranked = run("average", folds, *options)
    assert "new: at rank" in ranked.out
    assert "at threshold" not in ranked.out
    assert "--same-scale takes the scores themselves" in ranked.err
    assert run("average", folds, *options, "--quiet").err == ""
    scores = run("average", folds, *options, "--same-scale")
    assert "new: at threshold" in scores.out
    assert "ranks" not in scores.err
    vertical = run("average", folds, "--fold", "fold", "--score", "new")
    assert "ranks" not in vertical.err
    assert "pooled" not in vertical.out
    assert "pooled" in scores.out


def test_average_names_the_fold_that_lacks_a_class(run, csv_file):
    odd = np.where((np.arange(N) < 20) & (LABEL == 1), 7, 1 + np.arange(N) % 2)
    path = csv_file("odd.csv", {"y": LABEL, "new": NEW, "fold": odd, "id": np.arange(N)})
    said = run("average", path, "--fold", "fold", "--score", "new", fails=True).err
    n = int((odd == 7).sum())
    assert f"Fold 7 of column 'fold' has {n} positives and 0 negatives" in said
    assert "Stratify" in said
    said = run("average", path, "--fold", "id", "--score", "new", fails=True).err
    assert "Fold 0 of column 'id'" in said
    assert "With 90 folds of 90 cases it looks like an id" in said


def test_average_counts_one_fold_and_names_folds_as_they_are_written(run, csv_file):
    path = csv_file("few.csv", {"y": LABEL, "new": NEW, "one": [5] * N, "half": FOLD == "one"})
    assert "1 fold\n" in run("average", path, "--fold", "one", "--score", "new").out
    (found,) = run("average", path, "--fold", "one", "--score", "new", "--json").json["scores"]
    assert repr(found["folds"][0]["fold"]) == "5"
    halves = run("average", path, "--fold", "half", "--score", "new").out
    assert "2 folds\n" in halves


@pytest.mark.parametrize("command", [("auc",), ("band",), ("average", "--fold", "w"), ("compare",)])
def test_weights_of_zero_are_named(run, csv_file, command):
    path = csv_file("zero.csv", {"y": LABEL, "new": NEW, "old": OLD, "w": [0] * N})
    name, *options = command
    options += ["--score", "new", "--score", "old", "--weight", "w"]
    said = run(name, path, *options, fails=True).err
    assert "is zero for every case" in said
    assert "--weight" in said or "Weight 'w'" in said


def test_a_file_without_rows_says_so_whatever_is_asked(run, csv_file):
    path = csv_file("empty.csv", {"y": [], "new": [], "old": []})
    for words in [("auc",), ("band",), ("average", "--fold", "old"), ("compare",)]:
        for label in [(), ("--positive", "ill")]:
            said = run(words[0], path, *words[1:], *label, fails=True).err
            assert "has a header but no rows" in said


# --- band ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [None, "ks", "envelope"])
def test_band_prints_what_the_library_finds(run, scores, method):
    options = ("--score", "new", *(() if method is None else ("--method", method)))
    (found,) = run("band", scores, *options, "--seed", 3, "--json").json["scores"]
    how = {} if method is None else {"method": method}
    wanted = roc_band(rs.tabulate(LABEL, NEW), rng=3, **how)
    assert found["low"] == wanted.low.tolist()
    assert found["high"] == wanted.high.tolist()
    assert found["simultaneous"] is wanted.simultaneous
    text = run("band", scores, *options).out
    assert wanted.method in text


def test_band_of_weights(run, csv_file):
    weight = [1 + i % 3 for i in range(len(LABEL))]
    path = csv_file("w.csv", {"y": LABEL, "new": NEW, "w": weight})
    table = rs.tabulate(LABEL, NEW, sample_weight=weight)
    words = ("band", path, "--score", "new", "--weight", "w")
    for weight_type in ("importance", "frequency"):
        options = () if weight_type == "importance" else ("--weight-type", weight_type)
        (found,) = run(*words, *options, "--json").json["scores"]
        assert found["low"] == roc_band(table, weight_type=weight_type).low.tolist()
    refused = run(*words, "--method", "envelope", fails=True).err
    assert "has importance weights" in refused
    assert "envelope" in run(*words, "--method", "envelope", "--weight-type", "frequency").out


def test_band_says_where_it_has_no_width(run, csv_file):
    path = csv_file("far.csv", {"y": [0] * 9 + [1] * 9, "s": [*range(9), *range(900, 909)]})
    assert "no width over 100% of the range" in run("band", path, "--method", "psn").out
    assert "no width" not in run("band", path, "--method", "vertical").out


def test_band_refuses_an_unknown_method(run, scores):
    assert "--seed is -1" in run("band", scores, "--seed", -1, fails=True).err
    assert "--weight-type" in run("band", scores, "--weight-type", "count", fails=True).err
    assert "--method" in run("band", scores, "--method", "magic", fails=True).err
    assert "--grid is 0" in run("band", scores, "--grid", 0, fails=True).err
    for option in ("--grid", "--seed"):  # it was rounded
        assert "'2.5' is not a whole number" in run("band", scores, option, 2.5, fails=True).err


def test_what_is_needed_and_help(run, scores):
    assert "rocspace band needs FILE." in run("band", fails=True).err
    assert "rocspace average needs --fold." in run("average", scores, fails=True).err
    assert "--level requires" in run("band", scores, "--level", fails=True).err
    assert run("help", "band").out == run("band", "--help").out
    assert "Commands" in run("help").out


# --- power --------------------------------------------------------------------------------------


def test_power_plans_what_the_library_plans(run, scores):
    found = run("power", "--area", 0.8, "--power", 0.9, "--ratio", 2, "--json").json
    design = plan_area(0.8, ratio=2).for_power(0.9)
    assert (found["n_pos"], found["n_neg"]) == (design.n_pos, design.n_neg)
    two = ("--area", 0.85, "--other-area", 0.8, "--correlation", 0.5)
    found = run("power", *two, "--positives", 200, "--one-sided", "--json").json
    plan = plan_difference(0.85, 0.8, correlation=0.5)
    assert found["power"] == plan.for_cases(200, alternative="greater").power
    pilot = ("--score", "new", "--score", "old", "--json")
    found = run("power", scores, *pilot).json
    assert found["n_pos"] == plan_from_pilot(DATA, "new", "old").for_power(0.8).n_pos
    found = run("power", "--area", 0.8, "--width", 0.05, "--json").json
    assert found["n_pos"] == plan_area(0.8).for_width(0.05).n_pos
    text = run("power", "--area", 0.8, "--prevalence", 0.1).out
    assert "cases to be seen" in text
    assert "positives" in text


def test_power_says_what_is_missing(run, scores):
    assert "Give --area" in run("power", fails=True).err
    both = run("power", "--area", 0.8, "--power", 0.8, "--positives", 3, fails=True).err
    assert "Give one of" in both
    assert "Name two with --score" in run("power", scores, fails=True).err
    assert "area" in run("power", "--area", 1.2, fails=True).err


# --- granular and select ------------------------------------------------------------------------


def test_granular_prints_what_the_library_finds(run, scores):
    options = ("--score", "new", "--delta", 0.05, "--delta", 0.2, "--json")
    (found,) = run("granular", scores, *options).json["scores"]
    table = rs.tabulate(LABEL, NEW)
    wanted = granular_areas(table, [0.05, 0.2])
    assert found["auc_low"] == wanted.auc_low.tolist()
    assert found["lambda_auc"] == wanted.lambda_auc.tolist()
    assert found["rho_auc"] == rho_integrals(table).rho_auc
    text = run("granular", scores).out
    assert "lambda" in text
    assert "rho" in text
    assert "zero or more" in run("granular", scores, "--delta", -1, fails=True).err


def test_select_chooses_on_some_and_judges_on_others(run, csv_file):
    split = np.where(np.arange(N) % 2, "test", "train")
    path = csv_file("s.csv", {"y": LABEL, **SCORES, "split": split})
    measures = ("--measure", "auc", "--measure", "lambda_auc:0.1", "--measure", "eer")
    found = run("select", path, "--test", "split", *measures, "--json").json
    train, test = split == "train", split == "test"
    areas = {name: rs.auc(rs.tabulate(LABEL[test], s[test])) for name, s in SCORES.items()}
    assert found["test_auc"] == list(areas.values())
    for row in found["measures"]:
        assert row["test_auc"] == areas[row["chosen"]]
        assert row["better"] == sum(a > row["test_auc"] for a in areas.values())
        assert -1 <= row["spearman"] <= 1
    first = {name: rs.auc(rs.tabulate(LABEL[train], s[train])) for name, s in SCORES.items()}
    assert found["measures"][0]["values"] == first
    assert found["measures"][0]["chosen"] == max(first, key=first.__getitem__)
    eer = rs.eer(rs.tabulate(LABEL[train], NEW[train]))
    assert found["measures"][2]["values"]["new"] == eer  # as it is known, not its negative
    text = run("select", path, "--test", "split", *measures).out
    assert "better ones" in text
    assert "Spearman" in text


def test_select_says_what_is_wrong(run, scores):
    wrong = run("select", scores, "--measure", "acu", fails=True).err
    assert "Did you mean 'auc'" in wrong
    assert "needs a number" in run("select", scores, "--measure", "lambda_auc", fails=True).err
    assert "takes no number" in run("select", scores, "--measure", "auc:3", fails=True).err
    split = run("select", scores, "--score", "new", "--test", "old", fails=True).err
    assert "must be test, 1 or true" in split


# --- figures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("compare",),
        ("average", "--fold", "fold", "--score", "new"),
        ("band", "--score", "new", "--method", "ks"),
        ("granular", "--score", "new"),
    ],
)
def test_figures_are_written(run, csv_file, tmp_path, words):
    pytest.importorskip("matplotlib")
    path = csv_file("s.csv", {"y": LABEL, "new": NEW, "old": OLD, "fold": FOLD})
    name, *options = words
    printed = run(name, path, *options, "--figure", tmp_path / "a.svg")
    assert "figure:" in printed.err
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "</svg>" in drawn
    refused = run(name, path, *options, "--figure", tmp_path / "a.txt", fails=True).err
    assert "must end in one of .png, .svg, .pdf" in refused
    assert "no folder" in run(name, path, *options, "--figure", "no/a.svg", fails=True).err
