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
from rocspace import cli, datasets
from rocspace._base import text as words
from rocspace.compare import compare_aucs
from rocspace.inference import clustered_auc_estimate
from rocspace.io import pair_file
from rocspace.web.guesses import columns_of, problems
from rocspace.web.work import EXAMPLES, JOBS, _cell, answer
from served import CHOICE, GRADES, KINDS, ROWS

Do = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web")
    (folder / "cases.csv").write_text(ROWS)
    return folder


def done(do: str, **arguments: Any) -> dict[str, Any]:
    return answer({"do": do, "arguments": arguments})


@pytest.fixture(scope="module")
def made(place: Path) -> dict[str, Any]:
    """The report of two scores, one of them turned round, with clusters."""
    choice = {**CHOICE, "lower": ["age"], "cluster": "patient", "level": 0.9}
    file = str(place / "cases.csv")
    return done("report", path=file, name="my cases.csv", choice=choice, folder=str(place))


def as_text(found: Any, level: float) -> Any:
    return words.estimate(found.value, *found.interval(level))


def run_lines(code: str) -> None:
    exec(compile(code, "lines", "exec"), {})


def test_the_lines_give_the_same_numbers(
    made: dict[str, Any],
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    Path("my cases.csv").write_text(ROWS)
    shown = json.loads((place / "summary.json").read_text())
    report, clusters = made["lines"]["shell"].splitlines()
    assert cli.run([*shlex.split(report)[1:], "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out) == shown
    assert shlex.split(clusters)[1:3] == ["compare", "my cases.csv"]
    assert cli.run([*shlex.split(clusters)[1:], "--json", "--quiet"]) == 0
    compared = json.loads(capsys.readouterr().out)
    found = pair_file(
        "my cases.csv",
        label="ill",
        pos_label="yes",
        score=["risk", "age"],
        cluster="patient",
        higher_is_positive={"age": False},
    )
    assert [each["auc"]["value"] for each in compared["scores"]] == [
        each.value for each in compare_aucs(found).estimates
    ]
    run_lines(made["lines"]["python"])
    for number in ("risk", "age"):
        area = next(s for s in shown["scores"] if s["name"] == number)["auc"]
        assert f"{area['value']:.3f}" in Path("report.html").read_text()


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


OF_CLASSES: dict[str, Any] = {
    "label": "kind",
    "positive": None,
    "scores": [f"{each}_{kind}" for each in "pq" for kind in ("cat", "cow", "dog")],
    "level": 0.9,
}


def test_several_classes_have_the_report_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    Path("kinds.csv").write_text(KINDS)
    how = {"path": "kinds.csv", "name": "kinds.csv", "folder": str(tmp_path)}
    found = done("report", **how, choice={**OF_CLASSES, "cluster": "farm"})
    shown = json.loads(Path("summary.json").read_text())
    assert shown["schema"] == "rocspace.class_summary/1"
    report, compared = found["lines"]["shell"].splitlines()
    assert cli.run([*shlex.split(report)[1:], "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out) == shown
    names: dict[str, Any] = {}
    exec(found["lines"]["python"], names)
    assert names["summary"]["classifiers"] == shown["classifiers"]
    areas = {each["name"]: each["areas"]["hand-till"] for each in shown["classifiers"]}
    assert found["area"] == "Mean area of all pairs of the 3 classes by"
    for each in found["scores"]:
        ends = areas[each["name"]]["interval"]
        text = words.estimate(areas[each["name"]]["value"], ends["low"], ends["high"])
        assert (each["value"], each["interval"]) == text
    capsys.readouterr()
    assert cli.run([*shlex.split(compared)[1:], "--json", "--quiet"]) == 0
    by_farm = json.loads(capsys.readouterr().out)["scores"][0]["auc"]
    ends = by_farm["interval"]
    said = found["clusters"]["scores"][0]
    assert said["interval"] == words.estimate(by_farm["value"], ends["low"], ends["high"])[1]
    assert [each["name"] for each in found["clusters"]["pairs"]] == ["p minus q"]


def test_one_classifier_of_several_classes_and_what_can_be_taken_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kinds.csv").write_text(KINDS)
    how: dict[str, Any] = {"path": "kinds.csv", "name": "kinds.csv", "folder": str(tmp_path)}
    how["choice"] = {**OF_CLASSES, "scores": OF_CLASSES["scores"][:3], "cluster": "farm"}
    found = done("report", **how)
    assert found["clusters"]["pairs"] == []
    assert len(found["lines"]["shell"].splitlines()) == 1
    exec(found["lines"]["python"], {})
    assert found["clusters"]["scores"][0]["value"] in capsys.readouterr().out
    assert done("files", **how, kind="tables") == {"file": "tables.zip", "notes": []}
    with zipfile.ZipFile("tables.zip") as archive:
        assert set(archive.namelist()) == {"tables.md", "areas.tex", "areas.html", "areas.csv"}
        assert found["scores"][0]["value"] in archive.read("areas.csv").decode()
    done("files", **how, kind="svg")
    with zipfile.ZipFile("svg.zip") as archive:
        assert set(archive.namelist()) == {"one-vs-rest-1.svg", "pairs-1.svg", "pair-curves-1.svg"}


def test_files_to_take_are_what_the_command_line_writes(
    made: dict[str, Any], place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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


def test_an_area_below_one_half_offers_the_other_direction(place: Path) -> None:
    how = {"path": str(place / "cases.csv"), "name": "cases.csv", "folder": str(place)}
    choice = {**CHOICE, "scores": ["risk"], "lower": ["risk"]}
    (fix,) = done("report", **how, choice=choice)["fixes"]
    assert fix == {"words": "Higher values of “risk” mean positive", "change": {"lower": []}}


def test_an_example_is_known_by_its_name_in_the_lines(tmp_path: Path) -> None:
    path = str(datasets.path("hanley_mcneil"))
    found = done("look", path=path, name="hanley_mcneil", example="hanley_mcneil")
    choice = {key: found["guess"][key] for key in ("label", "positive", "scores")}
    how = {"path": path, "name": "hanley_mcneil", "folder": str(tmp_path), "choice": choice}
    lines = done("report", **how, example="hanley_mcneil")["lines"]
    assert lines["shell"].startswith("rocspace report hanley_mcneil --label")
    assert "datasets.path('hanley_mcneil')" in lines["python"]
    known = {each: datasets.load(each).scores for each in EXAMPLES}
    assert all(set(EXAMPLES[each] or ()) <= set(known[each]) for each in EXAMPLES)


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
    assert problem["message"].startswith("Column 's' of a.csv has no value in row 2.")
    assert "under “Leave out rows with missing values”" in problem["message"]
    (fix,) = problem["fixes"]
    assert fix["change"] == {"missing": "omit"}


ORDERED: dict[str, Any] = {
    "label": "grade",
    "positive": None,
    "order": ["none", "mild", "bad"],
    "level": 0.9,
    "scores": ["size", "age"],
    "lower": ["age"],
}


def test_classes_in_an_order_have_the_report_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    Path("grades.csv").write_text(GRADES)
    how: dict[str, Any] = {"path": "grades.csv", "name": "grades.csv", "folder": str(tmp_path)}
    found = done("report", **how, choice={**ORDERED, "cluster": "patient"})
    shown = json.loads(Path("summary.json").read_text())
    report, compared = found["lines"]["shell"].splitlines()
    assert cli.run([*shlex.split(report)[1:], "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out) == shown
    names: dict[str, Any] = {}
    exec(found["lines"]["python"], names)
    assert names["summary"]["scores"] == shown["scores"]
    said = [each["value"] for each in found["scores"]]
    for each, value in zip(shown["scores"], said, strict=True):
        ends = each["vus"]["interval"]
        assert words.estimate(each["vus"]["value"], ends["low"], ends["high"])[0] == value
    capsys.readouterr()
    assert cli.run([*shlex.split(compared)[1:], "--json", "--quiet"]) == 0
    by_patient = json.loads(capsys.readouterr().out)["scores"][0]
    ends = next(each for each in by_patient.values() if isinstance(each, dict))["interval"]
    area = next(each for each in by_patient.values() if isinstance(each, dict))["value"]
    clustered = found["clusters"]["scores"][0]
    assert clustered["interval"] == words.estimate(area, ends["low"], ends["high"])[1]
    done("files", **how, choice=ORDERED, kind="svg")
    with zipfile.ZipFile("svg.zip") as archive:
        figures = {"surface-1.svg", "surface-2.svg", "pairs-1.svg", "pairs-2.svg", "comparison.svg"}
        assert set(archive.namelist()) == figures


def test_the_lines_of_two_files_of_several_classes_give_the_same_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cases = {"grades.csv": ("grade", GRADES), "kinds.csv": ("kind", KINDS)}
    for name, (label, text) in cases.items():
        choice = ORDERED if label == "grade" else OF_CLASSES
        choice = {**choice, "scores": choice["scores"][: 1 if label == "grade" else 3]}
        choice["cluster"] = "patient" if label == "grade" else "farm"
        lines = text.splitlines()
        Path(name).write_text(text)
        Path("other.csv").write_text("\n".join([lines[0], *lines[1:50]]) + "\n")
        both = [
            {"path": each, "name": each, "title": each, "choice": choice}
            for each in (name, "other.csv")
        ]
        found = done("compare", sides=both, level=0.9)
        assert [each["cases"] for each in found["scores"]] == ["90", "49"]
        measure = "volume under the surface" if label == "grade" else "mean area of all pairs"
        assert found["measure"] == measure
        run_lines(found["lines"]["python"])
        printed = capsys.readouterr().out
        assert printed.startswith(found["difference"]["interval"])
        assert str(found["comparison"]["pairs"][0]["test"]["pvalue"])[:8] in printed


def test_an_order_with_other_values_is_told_and_mended(tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text(GRADES)
    looked = done("look", path=str(tmp_path / "grades.csv"), name="grades.csv")
    columns = columns_of(looked["columns"])
    assert looked["columns"][0]["order"] == ["bad", "mild", "none"]
    wrong = {**ORDERED, "order": ["none", "bad"], "by": "patient"}
    order, by = problems(columns, wrong)
    assert "“bad”, “mild”, “none”" in order.message
    assert order.fixes[0].change == {"order": ["bad", "mild", "none"]}
    assert by.field == "by"
    (no,) = problems(columns, {**ORDERED, "label": "age", "scores": ["size"]})
    assert no.fixes[0].change == {"order": []}
    numbers = done("look", path=str(_numbered(tmp_path)), name="n.csv")
    assert numbers["columns"][0]["order"] == ["2", "9", "10"]


def _numbered(folder: Path) -> Path:
    file = folder / "n.csv"
    file.write_text("y,s\n" + "".join(f"{(10, 2, 9)[i % 3]},{i}\n" for i in range(30)))
    return file
