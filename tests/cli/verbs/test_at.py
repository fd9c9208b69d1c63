"""`rocspace at`: what thresholds do."""

from pathlib import Path

import pytest

import rocspace as rs
from commands import ILL, LABEL, NEW, OLD, SUFFIXES, TABLES, Run, make
from rocspace._base import text as words
from rocspace.inference import fpr_at_interval, point_interval, tpr_at_interval


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_at_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW, "old": OLD})
    found = run("at", f"s.{suffix}", "--threshold", "0.5", "--json").json
    for score in found["scores"]:
        (point,) = score["operating_points"]
        expected = rs.point_at(TABLES[score["name"]], 0.5)
        assert [point[c] for c in ("tp", "fp", "fn", "tn")] == [
            getattr(expected, c) for c in ("tp", "fp", "fn", "tn")
        ]
        low, high = rs.point_interval(expected, "ppv")
        assert (point["rates"]["ppv"]["low"], point["rates"]["ppv"]["high"]) == (low, high)


def test_points_by_every_way(run: Run, file: Path) -> None:
    ways = ("--threshold", "-1", "--threshold", "2", "--fpr", "0.1", "--tpr", "0.9", "--youden")
    (score,) = run("at", file, *ILL, "--score", "new", *ways, "--json").json["scores"]
    found = [(p["kind"], p["target"], p["threshold"]) for p in score["operating_points"]]
    table = TABLES["new"]
    best = [("youden", None, p.threshold) for p in rs.optimal_points(table)]
    assert found == [
        ("threshold", -1, -1),
        ("threshold", 2, 2),
        ("fpr", 0.1, rs.point_at_fpr(table, 0.1).threshold),
        ("tpr", 0.9, rs.point_at_tpr(table, 0.9).threshold),
        *best,
    ]
    text = run("at", file, *ILL, "--score", "new", *ways).out
    point = rs.point_at(table, 2.0)
    assert "new >= 2.0" in text
    assert words.share(point.tpr) in text
    assert "looks better than it is" in text
    assert max(map(len, text.splitlines())) <= 80


def test_other_intervals_criteria_and_points_of_the_curve(run, csv_file):
    file = csv_file("s.csv", {"y": LABEL, "new": NEW})
    table = rs.tabulate(LABEL, NEW)
    found = run("at", file, "--threshold", 0.5, "--interval", "wilson", "--json").json
    rate = found["scores"][0]["operating_points"][0]["rates"]["tpr"]
    low, high = point_interval(rs.point_at(table, 0.5), "tpr", method="wilson")
    assert (rate["low"], rate["high"], rate["method"]) == (low, high, "wilson")
    asked = ("--on-curve-fpr", 0.1, "--on-curve-fpr", 0.2, "--on-curve-tpr", 0.9)
    points = run("at", file, *asked, "--json").json["scores"][0]["on_curve"]
    curve = rs.roc_curve(table)
    expected = [(0.1, *tpr_at_interval(table, 0.1)), (0.2, *tpr_at_interval(table, 0.2))]
    expected.append((0.9, *fpr_at_interval(table, 0.9)))
    assert [(p["at"], p["low"], p["high"]) for p in points] == expected
    assert [p["value"] for p in points] == [
        curve.tpr_at(0.1),
        curve.tpr_at(0.2),
        curve.fpr_at(0.9),
    ]
    assert "tpr at fpr 0.1" in run("at", file, *asked).out
    asked = ("--criterion", "cost", "--cost-fn", 3, "--prevalence", 0.2)
    (point,) = run("at", file, *asked, "--json").json["scores"][0]["operating_points"]
    best = rs.optimal_points(table, criterion="cost", costs=rs.Costs(fp=1, fn=3), prevalence=0.2)
    assert [point["threshold"]] == [each.threshold for each in best]
    assert "(cost 0.373)" in run("at", file, *asked).out
    assert r"\begin{table}" in run("at", file, "--youden", "--to", "latex").out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--cost-fn", 3, "--youden"), "belong to --criterion"),
        (
            ("--threshold", 0.5, "--prevalence", 0.05),
            "predictive_value_interval(point_at(table, 0.5), prevalence=0.05).",
        ),
        (("--on-curve-fpr", 2), "--on-curve-fpr is 2"),
        (("--on-curve-fpr", 0.1, "--to", "md"), "--to is a table of thresholds"),
        (("--criterion", "kapa"), "Did you mean 'kappa'"),
        (("--youden", "--smooth", 4), "--smooth belong to --criterion. Name one"),
        (("--youden", "--method", "spline"), "smoothed by --smooth 5"),
    ],
    ids=str,
)
def test_what_is_not_at(run, csv_file, asked, said):
    file = csv_file("s.csv", {"y": LABEL, "new": NEW})
    assert said in run("at", file, *asked, fails=True).err
