"""`rocspace average`: curves and areas are the library's."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.averaging import (
    cv_auc_estimate,
    fold_tables,
    on_rank_scale,
    threshold_average,
    vertical_average,
)
from three_scores import LABEL, NEW, N

WHO = np.arange(N) // 3
FOLD = np.array(["one", "two", "three"])[np.arange(N) % 3]


@pytest.fixture
def folds(csv_file):
    return csv_file("folds.csv", {"y": LABEL, "new": NEW, "fold": FOLD, "who": WHO})


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
