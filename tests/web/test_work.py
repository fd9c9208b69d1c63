"""What a worker does: the same report as the command line's, files, comparisons, hostile files."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import rocspace as rs
import rocspace.io
from rocspace import cli
from rocspace._base import text as words
from rocspace.compare import compare_aucs
from rocspace.inference import clustered_auc_estimate
from rocspace.io import pair_file
from rocspace.web.guesses import columns_of, problems
from rocspace.web.work import JOBS, _cell
from served import CHOICE, ROWS, done, run_lines

Do = Callable[..., dict[str, Any]]


def as_text(found: Any, level: float) -> Any:
    return words.estimate(found.value, *found.interval(level))


def test_intervals_of_clusters_are_those_of_the_library(made: dict[str, Any], place: Path) -> None:
    data = pair_file(
        place / "cases.csv",
        label="ill",
        pos_label="yes",
        score=["risk", "age"],
        cluster="patient",
        higher_is_positive={"age": False},
    )
    risk, _ = made["clusters"]["scores"]
    assert (risk["value"], risk["interval"]) == as_text(compare_aucs(data).estimates[0], 0.9)
    assert made["clusters"]["pairs"][0]["name"] == "risk minus age"
    one = done(
        "report",
        path=str(place / "cases.csv"),
        name="cases.csv",
        choice={**CHOICE, "scores": ["risk"], "cluster": "patient"},
        folder=str(place),
    )
    alone = pair_file(
        place / "cases.csv", label="ill", pos_label="yes", score="risk", cluster="patient"
    )
    (risk,) = one["clusters"]["scores"]
    assert (risk["value"], risk["interval"]) == as_text(clustered_auc_estimate(alone), 0.95)


def test_subgroups_are_those_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    rows = [f"{line},{'fm'[i % 4 > 1]}" for i, line in enumerate(ROWS.splitlines()[1:])]
    Path("a.csv").write_text("\n".join(["ill,risk,age,patient,sex", *rows]) + "\n")
    choice = {**CHOICE, "scores": ["risk"], "by": "sex"}
    found = done("report", path="a.csv", name="a.csv", choice=choice, folder=str(tmp_path))
    shown = json.loads(Path("summary.json").read_text())
    groups = shown["scores"][0]["groups"]
    assert [each["name"] for each in groups] == ["f", "m"]
    assert cli.run([*shlex.split(found["lines"]["shell"])[1:], "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out) == shown
    names: dict[str, Any] = {}
    exec(found["lines"]["python"], names)
    again = names["summary"]["scores"][0]
    assert again["auc"] == shown["scores"][0]["auc"]
    assert [each["auc"] for each in again["groups"]] == [each["auc"] for each in groups]


def test_files_to_take_are_what_the_command_line_writes(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(place / "cases.csv")
    how = {"path": file, "name": "cases.csv", "choice": CHOICE, "folder": str(tmp_path)}
    done("report", **how)
    assert done("files", **how, kind="svg") == {"file": "svg.zip", "notes": []}
    with zipfile.ZipFile(tmp_path / "svg.zip") as archive:
        names = set(archive.namelist())
        assert archive.read("roc.svg").startswith(b"<?xml")
    assert {"roc.svg", "pr.svg", "scores-1.svg", "comparison.svg"} <= names
    done("files", **how, kind="tables")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.csv").write_text(ROWS)
    options = ["--label", "ill", "--positive", "yes", "--score", "risk", "--score", "age"]
    assert cli.run(["report", "cases.csv", *options, "--to", "md", "--output", "t.md"]) == 0
    with zipfile.ZipFile(tmp_path / "tables.zip") as archive:
        assert archive.read("tables.md").decode() == (tmp_path / "t.md").read_text()
        assert archive.read("areas.tex").startswith(b"\\begin{table}")
        rows = archive.read("areas.csv").decode().splitlines()
        assert b"<table" in archive.read("areas.html")
    assert rows[0].split(",")[1] == "AUC"


def test_cells_that_a_spreadsheet_would_run_are_text() -> None:
    assert [_cell(each) for each in ("=1+1", "@a", "-cmd", "+1", "-0.5", "risk", "")] == [
        "'=1+1",
        "'@a",
        "'-cmd",
        "'+1",
        "-0.5",
        "risk",
        "",
    ]


def other_row(i: int) -> str:
    return f"{'yes' if i % 3 else 'no'},{i * 5 % 7}\n"


def sides(place: Path, second: Path, **choice: Any) -> list[dict[str, Any]]:
    one = {**CHOICE, "scores": ["risk"]}
    return [
        {"path": str(place / "cases.csv"), "name": "cases.csv", "title": "here", "choice": one},
        {"path": str(second), "name": second.name, "title": "there", "choice": {**one, **choice}},
    ]


def test_two_files_are_compared_as_independent_samples(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    second = tmp_path / "other.csv"
    second.write_text("ill,risk\n" + "".join(map(other_row, range(40))))
    found = done("compare", sides=sides(place, second), level=0.9)
    how = {"label": "ill", "pos_label": "yes", "score": "risk"}
    tables = {
        "here": rs.io.tabulate_file(place / "cases.csv", **how).tables["risk"],
        "there": rs.io.tabulate_file(second, **how).tables["risk"],
    }
    (pair,) = compare_aucs(tables).pairs
    (said,) = found["comparison"]["pairs"]
    assert said["value"] == pair.difference.value
    assert said["test"]["pvalue"] == pair.test.pvalue
    assert found["difference"]["name"] == "here minus there"
    assert "here" in found["verdict"]
    assert [each["n_pos"] for each in found["scores"]] == ["30", words.count(tables["there"].n_pos)]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.csv").write_text(ROWS)
    run_lines(found["lines"]["python"])
    ends = pair.difference.interval(0.9)
    assert str(ends) in capsys.readouterr().out
    for line, table in zip(found["lines"]["shell"].splitlines(), tables.values(), strict=True):
        assert cli.run([*line.split()[1:], "--json", "--quiet"]) == 0
        area = json.loads(capsys.readouterr().out)["scores"][0]["auc"]["value"]
        assert area == rs.auc(table)


def test_the_verdict_says_which_area_is_larger(place: Path, tmp_path: Path) -> None:
    for low, name in ((0, "good.csv"), (1, "bad.csv")):
        rows = [f"{'yes' if i % 2 else 'no'},{i % 2 + (i + low) % 3 * low}" for i in range(90)]
        (tmp_path / name).write_text("ill,risk\n" + "\n".join(rows) + "\n")
    larger = done("compare", sides=sides(place, tmp_path / "good.csv"))
    assert larger["verdict"].startswith("The area is larger in there than in here")
    same = done("compare", sides=sides(place, place / "cases.csv"))
    assert "do not show a difference" in same["verdict"]


def test_a_score_that_may_be_the_outcome_is_asked_about(tmp_path: Path) -> None:
    rows = [line.split(",") for line in ROWS.splitlines()]
    told = [
        f"{','.join(row)},{int(row[0] == 'yes') if i else 'told'}" for i, row in enumerate(rows)
    ]
    (tmp_path / "cases.csv").write_text("\n".join(told) + "\n")
    choice = {**CHOICE, "scores": ["risk", "told"]}
    how = {"path": str(tmp_path / "cases.csv"), "name": "cases.csv", "folder": str(tmp_path)}
    (asked,) = done("report", choice=choice, **how)["outcomes"]
    assert "“told” tells the classes apart without an error. It may be" in asked["message"]
    (fix,) = asked["fixes"]
    assert (fix["words"], fix["change"]) == ("Leave it out", {"scores": ["risk"]})
    (alone,) = done("report", choice={**choice, "scores": ["told"]}, **how)["outcomes"]
    assert not alone["fixes"]
    assert done("report", choice={**choice, "scores": ["risk"]}, **how)["outcomes"] == []


def test_an_area_below_one_half_offers_the_other_direction(place: Path) -> None:
    how = {"path": str(place / "cases.csv"), "name": "cases.csv", "folder": str(place)}
    choice = {**CHOICE, "scores": ["risk"], "lower": ["risk"]}
    (fix,) = done("report", **how, choice=choice)["fixes"]
    assert fix == {"words": "Higher values of “risk” mean positive", "change": {"lower": []}}


NESTED = b'{"y": ' + b"[" * 50_000 + b"]" * 50_000 + b"}\n"
HOSTILE = {
    "empty.csv": b"",
    "binary.csv": bytes(range(256)) * 40,
    "latin.csv": "y,s\n1,0.1\n0,caf\u00e9\n".encode("latin-1"),
    "utf16.csv": ROWS.encode("utf-16"),
    "page.csv": b"<!doctype html><html></html>",
    "book.xlsx": b"PK\x03\x04" + b"x" * 100,
    "array.json": b'[{"y": 1}]',
    "nested.ndjson": NESTED,
    "broken.parquet": b"PAR1" + b"\0" * 200,
    "cut.csv.gz": gzip.compress(ROWS.encode() * 50)[:100],
    "ragged.csv": b"y,s\n1,2\n1\n1,2,3\n",
    "quote.csv": b'y,s\n"1,2\n' * 3,
    "line.csv": b"a" * 3_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_have_a_sentence_without_paths(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"f_{name}"
    file.write_bytes(HOSTILE[name])
    found = done("look", path=str(file), name=name)
    said = " ".join(each["message"] for each in found.get("problems", []))
    if "problems" in found:
        assert said.endswith((".", "it", "?"))
        assert name in said
        assert "fault" not in [each["field"] for each in found["problems"]]
    else:
        choice = {"label": found["columns"][0]["name"], "scores": []}
        assert list(problems(columns_of(found["columns"]), choice))
    assert str(tmp_path) not in json.dumps(found)


def test_names_of_columns_stay_text(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>"
    table = pa.table({"y": np.arange(40) % 2, name: np.arange(40.0)})
    pa.parquet.write_table(table, tmp_path / "f.parquet")
    how = {"path": str(tmp_path / "f.parquet"), "name": "f.parquet", "folder": str(tmp_path)}
    found = done("report", **how, choice={"label": "y", "scores": [name]})
    assert name in found["lines"]["python"]
    assert name not in (tmp_path / "report.html").read_text()


def test_a_fault_of_the_program_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        msg = "unsupported operand"
        raise TypeError(msg)

    monkeypatch.setitem(JOBS, "look", broken)
    (problem,) = done("look")["problems"]
    assert problem["field"] == "fault"
    assert "fault of rocspace" in problem["message"]


def test_too_much_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def large(**_: object) -> None:
        raise MemoryError

    monkeypatch.setitem(JOBS, "look", large)
    (problem,) = done("look")["problems"]
    assert "command line" in problem["message"]


def test_errors_name_the_fields_of_the_page(tmp_path: Path) -> None:
    file = tmp_path / "f_a.csv"
    file.write_text("y,s\n1,1\n0,\n1,3\n")
    how = {"path": str(file), "name": "a.csv", "folder": str(tmp_path)}
    (problem,) = done("report", **how, choice={"label": "y", "scores": ["s"]})["problems"]
    assert problem["message"].startswith("Column 's' of a.csv has no value in row 2 (line 3).")
    assert "under “Leave out rows with missing values”" in problem["message"]
    (fix,) = problem["fixes"]
    assert fix["change"] == {"missing": "omit"}
