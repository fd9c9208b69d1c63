"""`rocspace bootstrap`: the numbers of the library, and what it refuses."""

import numpy as np
import pytest

import rocspace as rs
from commands import LABEL, NEW, OLD, TABLES, WEIGHT, Run
from rocspace.compare import bootstrap_difference
from rocspace.operating import threshold_bootstrap
from rocspace.resampling import fpr_at, partial_area, rate_at, tpr_at, two_way_area

HOW = ("--n-boot", 60, "--seed", 3, "--json", "--quiet")
ASKED = {
    "auc": "auc",
    "youden": "youden",
    "tpr@fpr=0.1": tpr_at(0.1),
    "fpr@tpr=0.9": fpr_at(0.9),
    "area@fpr=0,0.2": partial_area(fpr=(0, 0.2)),
    "area@tpr=0.8,1": partial_area(tpr=(0.8, 1)),
    "corner@fpr=0.5,tpr=0.4": two_way_area(max_fpr=0.5, min_tpr=0.4),
    "npv@threshold=0.5": rate_at(0.5, rate="npv"),
}


@pytest.fixture
def file(csv_file):
    return csv_file("s.csv", {"y": LABEL, "new": NEW, "old": OLD})


@pytest.mark.parametrize("method", [None, "percentile"])
def test_statistics_are_those_of_the_library(run: Run, file, method):
    asked = [word for text in ASKED for word in ("--statistic", text)]
    how = ("--method", method) if method else ()
    found = run("bootstrap", file, "--score", "new", *asked, *how, *HOW).json
    assert found["differences"] == []
    for one in found["scores"][0]["statistics"]:
        statistic = ASKED[one["statistic"]]
        drawn = rs.bootstrap(TABLES["new"], statistic, n_boot=60, rng=3, scheme="stratified")
        ends = tuple(drawn.interval(0.95, method=method))
        assert [one["value"], one["se"]] == pytest.approx([float(drawn.value), float(drawn.se)])
        assert (one["interval"]["low"], one["interval"]["high"]) == pytest.approx(ends)
        assert one["median"] == pytest.approx(np.nanmedian(drawn.replicates))


def test_weighted_cases_are_resampled(run: Run, csv_file):
    file = csv_file("w.csv", {"y": LABEL, "new": NEW, "old": 4 - OLD, "w": WEIGHT})
    asked = [word for text in ASKED for word in ("--statistic", text)]
    how = ("--weight", "w", "--lower-is-positive", "old", *asked, *HOW)
    found = run("bootstrap", file, *how).json["scores"]
    for score, values, higher in zip(found, (NEW, 4 - OLD), (True, False), strict=True):
        data = rs.pair_scores(LABEL, {"s": values}, sample_weight=WEIGHT, higher_is_positive=higher)
        for one in score["statistics"]:
            drawn = rs.bootstrap(data, ASKED[one["statistic"]], n_boot=60, rng=3)
            assert [one["value"], one["se"]] == pytest.approx([float(drawn.value), float(drawn.se)])
            assert one["interval"]["low"] == pytest.approx(drawn.interval(0.95).low)
    said = run("bootstrap", file, *how, "--criterion", "youden", fails=True).err
    assert "--criterion resamples counts of cases, which weights are not. Leave out" in said


def test_differences_are_those_of_the_library(run: Run, file):
    found = run("bootstrap", file, "--distribution", "normal", "--level", 0.9, *HOW).json
    gap = found["differences"][0]
    data = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    wanted = bootstrap_difference(data, n_boot=60, rng=3, scheme="stratified")
    p = wanted.test(distribution="normal").pvalue
    assert (gap["first"], gap["second"], gap["statistic"]) == ("new", "old", "auc")
    assert [gap["value"], gap["se"], gap["test"]["pvalue"]] == [wanted.value, wanted.se, p]
    assert (gap["interval"]["low"], gap["interval"]["high"]) == tuple(wanted.interval(0.9))


def test_thresholds_are_those_of_the_library(run: Run, file):
    asked = ("--score", "new", "--criterion", "kappa", *HOW)
    found = run("bootstrap", file, *asked).json["scores"][0]
    drawn = threshold_bootstrap(TABLES["new"], criterion="kappa", n_boot=60, rng=3)
    one = found["thresholds"][0]
    assert found["statistics"] == []  # the area is not computed unless it is asked for
    assert (one["threshold"], one["apparent"]) == (drawn.point.threshold, drawn.apparent)
    assert one["corrected"] == drawn.corrected
    assert (one["interval"]["low"], one["interval"]["high"]) == tuple(drawn.interval(0.95))
    assert "corrected" in run("bootstrap", file, *asked[:-2]).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--statistic", "zebra"), "There is no statistic 'zebra'"),
        (("--statistic", "tpr@fpr=x"), "has no number after the sign"),
        (("--statistic", "tpr@fpr=2"), "2"),
        (("--statistic", "area@fpr=0.1"), "area@fpr=0,0.1"),
        (("--statistic", "auc@fpr=0.1"), "There is no statistic"),
        (("--criterion", "zebra"), "--criterion"),
        (("--n-boot", 2), "--n-boot is 2, but must be 20 or more"),
        (("--seed", -1), "--seed is -1"),
    ],
)
def test_first_mistakes(run: Run, file, words, said):
    assert said in run("bootstrap", file, *words, fails=True).err
