"""`rocspace report`: what it reads, and all that it can make."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import rocspace as rs
from rocspace import cli
from rocspace.cli.verbs import report as _report_cases
from rocspace.compare import compare_aucs
from rocspace.report import paper as tables

pytest.importorskip("cyclopts")

N = 90
RNG = np.random.default_rng(21)
LABEL = RNG.integers(0, 2, N)
NEW, OLD = RNG.normal(LABEL, 1.0), RNG.normal(LABEL, 2.0)
FOLD = np.array(["one", "two", "three"])[np.arange(N) % 3]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    columns = {"y": LABEL, "new": NEW, "old": OLD, "fold": FOLD}
    pa.csv.write_csv(pa.table(columns), "s.csv")
    gaps = np.where(np.arange(N) % 9 == 0, None, OLD)
    pa.csv.write_csv(pa.table({"y": LABEL, "new": NEW, "old": gaps, "fold": FOLD}), "gaps.csv")

    def command(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = cli.run(["report", *arguments])
        return (status, *capsys.readouterr())

    return command


def summary_of(run: Run, *arguments: str) -> dict[str, Any]:
    status, out, _ = run(*arguments, "--to", "json")
    assert status == 0
    return dict(json.loads(out))


def test_several_scores_are_compared_in_one_pass(run: Run) -> None:
    found = summary_of(run, "s.csv")["comparison"]
    cases = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    assert found["covariance"] == compare_aucs(cases).covariance.tolist()


def test_scores_of_different_cases_are_not_compared(run: Run) -> None:
    status, out, err = run("gaps.csv", "--missing", "omit", "--json")
    assert status == 0
    assert "scores are not compared: some cases lack old" in err
    summary = json.loads(out)
    assert "comparison" not in summary
    assert [score["n"] for score in summary["scores"]] == [90, 80]
    assert summary["scores"][0]["bands"]


def test_folds_are_of_the_cases_that_have_all_scores(run: Run) -> None:
    summary = summary_of(run, "gaps.csv", "--missing", "omit", "--fold", "fold")
    assert [score["n"] for score in summary["scores"]] == [80, 80]
    whole = np.arange(N) % 9 != 0
    folds = rs.fold_tables(LABEL[whole], NEW[whole], FOLD[whole])
    assert summary["scores"][0]["folds"]["auc"] == [rs.auc(table) for table in folds.values()]
    assert summary["source"]["fold"] == "fold"
    assert "comparison" in summary


def test_too_many_cases_are_only_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_report_cases, "_KEPT", 100)
    _, out, err = run("s.csv", "--json")
    assert "scores are not compared: there are more than 50 cases" in err
    assert "comparison" not in json.loads(out)


def test_tables_for_papers(run: Run) -> None:
    status, out, _ = run("gaps.csv", "--missing", "omit", "--to", "md", "--title", "A | B")
    assert status == 0
    assert out.startswith("# A \\| B\n")
    areas = {"new": rs.tabulate(LABEL, NEW)}
    assert tables.to_markdown(areas).splitlines()[-1] in out
    assert "| left out: no old | 10 |" in out
    assert out.count("**Flow of cases**") == 2
    cases = rs.pair_scores(LABEL, {"new": NEW, "old": OLD})
    assert tables.to_markdown(compare_aucs(cases)) in run("s.csv", "--to", "md")[1]


def test_figures_are_written_to_a_folder(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    status, out, _ = run("s.csv", "--to", "pdf-figures", "--quiet")
    assert status == 0
    assert out.endswith("s-figures\n")
    found = sorted(path.name for path in (tmp_path / "s-figures").iterdir())
    assert found == [
        *("band-1.pdf", "band-2.pdf", "comparison.pdf", "cost.pdf", "det.pdf", "pr.pdf"),
        *("roc.pdf", "scores-1.pdf", "scores-2.pdf"),
    ]
    for path in (tmp_path / "s-figures").iterdir():
        assert path.read_bytes().startswith(b"%PDF")
    status, _, err = run("s.csv", "--to", "pdf-figures", "--output", "s.csv")
    assert status == 2
    assert "the figures need a folder" in err


@pytest.mark.parametrize("words", [["--format", "md"], ["--format=md"]])
def test_format_says_what_to_make_too(run: Run, words: list[str]) -> None:
    assert run("s.csv", *words)[1] == run("s.csv", "--to", "md")[1]
    status, out, _ = run("s.csv", "--format", "csv", "--format", "json")  # read as csv
    assert status == 0
    assert json.loads(out)["source"]["format"] == "csv"
    status, _, err = run("s.csv", "--format", "docx")
    assert status == 2
    assert "--format" in err
