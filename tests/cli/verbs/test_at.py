"""`rocspace at`: what thresholds do."""

from pathlib import Path

import pytest

import rocspace as rs
from commands import ILL, LABEL, NEW, OLD, SUFFIXES, TABLES, Run, make
from rocspace._base import text as words


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
