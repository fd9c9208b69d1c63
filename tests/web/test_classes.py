"""Labels of several classes: which columns belong to them, and the reports of all at once."""

from __future__ import annotations

import json
import shlex
import zipfile
from pathlib import Path
from typing import Any

import pytest

from rocspace import cli
from rocspace._base import text as words
from rocspace.web import classes
from rocspace.web.guesses import columns_of, problems
from served import GRADES, KINDS, OF_CLASSES, ORDERED, done


def _by_its_lines(
    lines: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> tuple[list[Any], Any]:
    """Return what the shell prints for the lines of a report, and the summary that Python makes."""
    names: dict[str, Any] = {}
    exec(lines["python"], names)
    printed = []
    for line in lines["shell"].splitlines():
        capsys.readouterr()
        assert cli.run([*shlex.split(line)[1:], "--json", "--quiet"]) == 0
        printed.append(json.loads(capsys.readouterr().out))
    return printed, names["summary"]


def test_several_classes_have_the_report_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kinds.csv").write_text(KINDS)
    how = {"path": "kinds.csv", "name": "kinds.csv", "folder": str(tmp_path)}
    found = done("report", **how, choice={**OF_CLASSES, "cluster": "farm"})
    shown = json.loads(Path("summary.json").read_text())
    assert shown["schema"] == "rocspace.class_summary/1"
    (report, compared), summary = _by_its_lines(found["lines"], capsys)
    assert report == shown
    assert summary["classifiers"] == shown["classifiers"]
    areas = {each["name"]: each["areas"]["hand-till"] for each in shown["classifiers"]}
    assert found["area"] == "Mean area of all pairs of the 3 classes by"
    for each in found["scores"]:
        ends = areas[each["name"]]["interval"]
        text = words.estimate(areas[each["name"]]["value"], ends["low"], ends["high"])
        assert (each["value"], each["interval"]) == text
    by_farm = compared["scores"][0]["auc"]
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


def test_classes_in_an_order_have_the_report_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grades.csv").write_text(GRADES)
    how: dict[str, Any] = {"path": "grades.csv", "name": "grades.csv", "folder": str(tmp_path)}
    found = done("report", **how, choice={**ORDERED, "cluster": "patient"})
    shown = json.loads(Path("summary.json").read_text())
    (report, compared), summary = _by_its_lines(found["lines"], capsys)
    assert report == shown
    assert summary["scores"] == shown["scores"]
    said = [each["value"] for each in found["scores"]]
    for each, value in zip(shown["scores"], said, strict=True):
        ends = each["vus"]["interval"]
        assert words.estimate(each["vus"]["value"], ends["low"], ends["high"])[0] == value
    by_patient = compared["scores"][0]
    ends = next(each for each in by_patient.values() if isinstance(each, dict))["interval"]
    area = next(each for each in by_patient.values() if isinstance(each, dict))["value"]
    clustered = found["clusters"]["scores"][0]
    assert clustered["interval"] == words.estimate(area, ends["low"], ends["high"])[1]
    done("files", **how, choice=ORDERED, kind="svg")
    with zipfile.ZipFile("svg.zip") as archive:
        figures = {"surface-1.svg", "surface-2.svg", "pairs-1.svg", "pairs-2.svg", "comparison.svg"}
        assert set(archive.namelist()) == figures


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


# --- which columns, and what is lacking -----------------------------------------------------------


BY_CLASS = {f"m{i}": {"a": f"m{i}_a", "b": f"m{i}_b", "c": f"m{i}_c"} for i in range(1, 6)}


def test_columns_of_the_first_classifiers_or_of_all() -> None:
    assert len(classes.all_columns(BY_CLASS)) == 15
    assert classes.all_columns(BY_CLASS, most=1) == ["m1_a", "m1_b", "m1_c"]
    ticked, why = classes.ticked_at_first(BY_CLASS)
    assert ticked == classes.all_columns(BY_CLASS, most=4)
    assert why.startswith("The first 4 of 5 classifiers are ticked. ")
    assert why.endswith(" the classes, m1_a to m1_c.")
    assert classes.ticked_classifiers(BY_CLASS, ["m2_b", "x"]) == {"m2": BY_CLASS["m2"]}


@pytest.mark.parametrize(
    ("choice", "fields", "change"),
    [
        ({"scores": ["m1_a", "m1_b", "m1_c"]}, [], None),
        ({"scores": ["m1_a", "m1_c"]}, ["scores"], {"scores": ["m1_a", "m1_b", "m1_c"]}),
        (
            {"scores": ["m1_a", "m1_b", "m1_c", "age"]},
            ["scores"],
            {"scores": ["m1_a", "m1_b", "m1_c"]},
        ),
        ({"scores": ["age"]}, ["scores"], {"scores": classes.all_columns(BY_CLASS, most=4)}),
        ({"scores": ["m1_a", "m1_b", "m1_c"], "by": "sex"}, ["by"], {"by": None}),
        ({"scores": ["m1_a", "m1_b", "m1_c"], "lower": ["m1_a"]}, ["scores"], {"lower": []}),
    ],
)
def test_what_a_choice_of_all_classes_lacks_has_a_click(
    choice: dict[str, Any], fields: list[str], change: dict[str, Any] | None
) -> None:
    found = list(classes.class_problems(BY_CLASS, choice))
    assert [each.field for each in found] == fields
    assert [each.fixes[0].change for each in found] == ([] if change is None else [change])


def test_how_columns_of_classes_are_called() -> None:
    assert "“p_a”, “p_b”, “p_c”." in classes.how_columns_are_called(list("abc"))
    assert "“p_a”, “p_b”, “p_c” and so on." in classes.how_columns_are_called(list("abcd"))
