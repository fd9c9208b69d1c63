"""`rocspace select`: choices are the library's."""

import numpy as np

import rocspace as rs
from three_scores import LABEL, NEW, SCORES, N


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


def test_the_figure_has_the_curves_of_the_cases_that_judge(drawn, csv_file):
    split = np.where(np.arange(N) % 2, "test", "train")
    path = csv_file("s.csv", {"y": LABEL, **SCORES, "split": split})
    for words, used in (((), slice(None)), (("--test", "split"), split == "test")):
        ax, how, _ = drawn("select", path, *words)
        assert how["names"] == len(SCORES)
        rates = [line.get_xdata().tolist() for line in ax.lines]
        for score in SCORES.values():
            curve = rs.roc_curve(rs.tabulate(LABEL[used], score[used]), collinear="drop")
            assert curve.fpr.tolist() in rates


def test_select_says_what_is_wrong(run, scores):
    wrong = run("select", scores, "--measure", "acu", fails=True).err
    assert "Did you mean 'auc'" in wrong
    assert "needs a number" in run("select", scores, "--measure", "lambda_auc", fails=True).err
    assert "takes no number" in run("select", scores, "--measure", "auc:3", fails=True).err
    split = run("select", scores, "--score", "new", "--test", "old", fails=True).err
    assert "must be test, 1 or true" in split
