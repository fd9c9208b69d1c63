"""`rocspace report`: what it reads, all that it can make, and where that goes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import rocspace as rs
from commands import ILL, LABEL, NEW, SUFFIXES, TABLES, Run, make
from rocspace import cli
from rocspace import report as tables
from rocspace._base import text as words
from rocspace.compare import compare_aucs
from rocspace.io import kept
from rocspace.report.figures import class_names, draw_scores


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_report_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW})
    result = run("report", f"s.{suffix}", "--title", "A & B")
    assert result.out.splitlines()[-1] == "s-roc.html"
    assert words.share(rs.auc(TABLES["new"])) in result.out
    page = (tmp_path / "s-roc.html").read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert "A &amp; B" in page


def test_report_goes_where_it_is_told(run: Run, file: Path) -> None:
    result = run("report", file, *ILL, "--output", "r.html", "--quiet")
    assert result.out.splitlines()[-1] == "r.html"
    assert Path("r.html").exists()
    assert result.err == ""


def test_report_json_writes_a_page_only_where_told(run: Run, file: Path) -> None:
    summary = run("report", file, *ILL, "--json", "--level", "0.9").json
    assert summary["settings"]["level"] == 0.9
    assert list(file.parent.glob("*.html")) == []
    assert run("report", file, *ILL, "--json", "--output", "r.html").json["scores"]
    assert Path("r.html").exists()


FOLD_N = 90
FOLD_RNG = np.random.default_rng(21)
FOLD_LABEL = FOLD_RNG.integers(0, 2, FOLD_N)
FOLD_NEW, FOLD_OLD = FOLD_RNG.normal(FOLD_LABEL, 1.0), FOLD_RNG.normal(FOLD_LABEL, 2.0)
FOLD = np.array(["one", "two", "three"])[np.arange(FOLD_N) % 3]
Made = Callable[..., tuple[int, str, str]]


@pytest.fixture
def made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Made:
    monkeypatch.chdir(tmp_path)
    columns = {"y": FOLD_LABEL, "new": FOLD_NEW, "old": FOLD_OLD, "fold": FOLD}
    pa.csv.write_csv(pa.table(columns), "s.csv")
    gaps = np.where(np.arange(FOLD_N) % 9 == 0, None, FOLD_OLD)
    pa.csv.write_csv(
        pa.table({"y": FOLD_LABEL, "new": FOLD_NEW, "old": gaps, "fold": FOLD}), "gaps.csv"
    )

    def command(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = cli.run(["report", *arguments])
        return (status, *capsys.readouterr())

    return command


def summary_of(made: Made, *arguments: str) -> dict[str, Any]:
    status, out, _ = made(*arguments, "--to", "json")
    assert status == 0
    return dict(json.loads(out))


def test_several_scores_are_compared_in_one_pass(made: Made) -> None:
    found = summary_of(made, "s.csv")["comparison"]
    cases = rs.pair_scores(FOLD_LABEL, {"new": FOLD_NEW, "old": FOLD_OLD})
    assert found["covariance"] == compare_aucs(cases).covariance.tolist()


def test_scores_of_different_cases_are_not_compared(made: Made) -> None:
    status, out, err = made("gaps.csv", "--missing", "omit", "--json")
    assert status == 0
    assert "scores are not compared: some cases lack old" in err
    summary = json.loads(out)
    assert "comparison" not in summary
    assert [score["n"] for score in summary["scores"]] == [90, 80]
    assert summary["scores"][0]["bands"]


def test_folds_are_of_the_cases_that_have_all_scores(made: Made) -> None:
    summary = summary_of(made, "gaps.csv", "--missing", "omit", "--fold", "fold")
    assert [score["n"] for score in summary["scores"]] == [80, 80]
    whole = np.arange(FOLD_N) % 9 != 0
    folds = rs.fold_tables(FOLD_LABEL[whole], FOLD_NEW[whole], FOLD[whole])
    assert summary["scores"][0]["folds"]["auc"] == [rs.auc(table) for table in folds.values()]
    assert summary["source"]["fold"] == "fold"
    assert "comparison" in summary


def test_too_many_cases_are_only_counted(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_KEPT", 100)
    _, out, err = made("s.csv", "--json")
    assert "scores are not compared: there are more than 50 cases" in err
    assert "comparison" not in json.loads(out)


def test_tables_for_papers(made: Made) -> None:
    status, out, _ = made("gaps.csv", "--missing", "omit", "--to", "md", "--title", "A | B")
    assert status == 0
    assert out.startswith("# A \\| B\n")
    areas = {"new": rs.tabulate(FOLD_LABEL, FOLD_NEW)}
    assert tables.to_markdown(areas).splitlines()[-1] in out
    assert "| left out: no old | 10 |" in out
    assert out.count("**Flow of cases**") == 2
    cases = rs.pair_scores(FOLD_LABEL, {"new": FOLD_NEW, "old": FOLD_OLD})
    assert tables.to_markdown(compare_aucs(cases)) in made("s.csv", "--to", "md")[1]


def test_subgroups_are_those_of_a_column(made: Made) -> None:
    summary = summary_of(made, "gaps.csv", "--missing", "omit", "--by", "fold", "--fold", "fold")
    first = summary["scores"][0]
    assert [group["auc"]["value"] for group in first["groups"]] == first["folds"]["auc"]
    assert summary["source"]["by"] == "fold"
    printed = made("gaps.csv", "--missing", "omit", "--by", "fold", "--to", "md")[1]
    rows = [line.split(" | ") for line in printed.splitlines() if line.startswith("| new | ")]
    shown = [row[3].split()[0] for row in rows if row[1] in ("one", "two", "three")]
    assert shown == [words.share(group["auc"]["value"]) for group in first["groups"]]
    assert "**Subgroups by fold**" in printed
    assert "Subgroups" not in made("gaps.csv", "--missing", "omit", "--to", "md")[1]


def test_subgroups_are_drawn_and_those_of_one_class_have_no_area(
    made: Made, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    pure = np.where(FOLD_LABEL == 1, FOLD, "none")
    make(tmp_path / "pure.csv", {"y": FOLD_LABEL, "new": FOLD_NEW, "group": pure})
    printed = made("pure.csv", "--by", "group", "--to", "md")[1]
    (none,) = [line for line in printed.splitlines() if line.startswith("| new | none | 0/")]
    assert none.split(" | ")[3:5] == ["–", "–"]
    assert made("s.csv", "--by", "fold", "--to", "pdf-figures", "--quiet")[0] == 0
    assert (tmp_path / "s-figures" / "groups-2.pdf").read_bytes().startswith(b"%PDF")


def test_figures_are_written_to_a_folder(made: Made, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    status, out, _ = made("s.csv", "--to", "pdf-figures", "--quiet")
    assert status == 0
    assert out.endswith("s-figures\n")
    found = sorted(path.name for path in (tmp_path / "s-figures").iterdir())
    assert found == [
        *("band-1.pdf", "band-2.pdf", "comparison.pdf", "cost.pdf", "det.pdf", "pr.pdf"),
        *("roc.pdf", "scores-1.pdf", "scores-2.pdf"),
    ]
    for path in (tmp_path / "s-figures").iterdir():
        assert path.read_bytes().startswith(b"%PDF")
    status, _, err = made("s.csv", "--to", "pdf-figures", "--output", "s.csv")
    assert status == 2
    assert "the figures need a folder" in err


def test_the_figure_of_scores_names_the_score_and_the_classes() -> None:
    figure = pytest.importorskip("matplotlib.figure")
    source = {"label": "ill", "positive": "yes", "labels": {"yes": 1, "no": 1}}
    ax = figure.Figure().subplots()
    draw_scores("a_marker", rs.tabulate([0, 1], [1, 2]), class_names(source), ax=ax)
    assert ax.get_xlabel() == "a_marker"
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["ill = yes", "ill = no"]
    assert class_names({**source, "labels": None}) == ("ill = yes", "ill = not yes")
    three = {"yes": 1, "no": 1, "maybe": 1}
    assert class_names({**source, "labels": three}) == ("ill = yes", "ill = not yes")
    of_bools = {"label": "y", "positive": True, "labels": {"true": 1, "false": 1}}
    assert class_names(of_bools) == ("y = true", "y = false")


def test_format_says_what_to_make_too(made: Made) -> None:
    printed = made("s.csv", "--to", "md")[1]
    assert made("s.csv", "--format", "md")[1] == printed
    assert made("s.csv", "--format=md")[1] == printed
    status, out, _ = made("s.csv", "--format", "csv", "--format", "json")  # read as csv
    assert status == 0
    assert json.loads(out)["source"]["format"] == "csv"
    status, _, err = made("s.csv", "--format", "docx")
    assert status == 2
    assert "--format" in err


def test_its_shell_line_gives_the_same_report(run: Run, csv_file: Any) -> None:
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 60)
    columns = {"y": label, "s": rng.normal(size=60) + label, "part": np.arange(60) % 3}
    file = csv_file("d.csv", columns | {"site of it": np.where(np.arange(60) % 2, "n", "s")})
    asked = ("--score", "s", "--fold", "part", "--by", "site of it", "--n-sim", 5, "--json")
    first = run("report", file, "--label", "y", *asked, "--level", 0.9).json
    program, verb, *words = shlex.split(first["methods"][0]["shell"])
    assert (program, verb) == ("rocspace", "report")
    assert run(verb, *words, "--json").json == first
