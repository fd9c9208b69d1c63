"""The lines of Python and of the shell: run, they give the numbers of the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rocspace import cli, datasets
from rocspace.compare import compare_aucs
from rocspace.io import pair_file
from rocspace.web.choices import Choice
from rocspace.web.lines import class_comparison_lines, class_lines, report_lines
from rocspace.web.work import EXAMPLES
from served import GRADES, KINDS, OF_CLASSES, ORDERED, ROWS, done, run_lines


def test_the_lines_give_the_same_numbers(
    made: dict[str, Any],
    made_at: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    import shlex

    monkeypatch.chdir(tmp_path)
    Path("my cases.csv").write_text(ROWS)
    shown = json.loads((made_at / "summary.json").read_text())
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


# --- options by hand ------------------------------------------------------------------------------


FULL = Choice(
    label="ill",
    positive="yes",
    scores=("risk", "my age"),
    lower=("my age",),
    weight="w",
    cluster="patient",
    missing="omit",
    level=0.9,
)


def test_every_choice_has_its_option() -> None:
    found = report_lines("a b.csv", FULL, example=False, paired=True)
    options = (
        "'a b.csv' --label ill --positive yes --score risk --score 'my age' --weight w "
        "--lower-is-positive 'my age' --missing omit"
    )
    assert found["shell"].splitlines() == [
        f"rocspace report {options} --level 0.9",
        f"rocspace compare {options} --cluster patient --level 0.9",
    ]
    names: dict[str, Any] = {}
    run = [line for line in found["python"].splitlines() if line.startswith((" ", "columns", "}"))]
    exec("\n".join(run), names)
    assert names["columns"] == {
        "label": "ill",
        "score": ["risk", "my age"],
        "pos_label": "yes",
        "weight": "w",
        "higher_is_positive": {"my age": False},
        "missing": "omit",
    }
    assert "file = 'a b.csv'" in found["python"]
    assert "level=0.9" in found["python"]


def test_what_is_usual_is_not_said() -> None:
    plain = Choice(label="y", scores=("s",))
    found = report_lines("a.csv", plain, example=False, paired=False)
    assert found["shell"] == "rocspace report a.csv --label y --score s"
    assert "level" not in found["python"]
    assert "pair_file" not in found["python"]
    assert "'missing'" not in found["python"]


def test_labels_with_commas_have_no_line_of_the_shell() -> None:
    graded = Choice(label="y", scores=("s",), order=("a, b", "c", "d"))
    found = class_lines("a.csv", graded, example=False, several=False)
    assert found["shell"].startswith("# The shell takes labels without commas only")
    assert "'order': ['a, b', 'c', 'd']" in found["python"]
    plain = Choice(label="y", scores=("s",), order=("a", "c", "d"))
    shell = class_lines("a.csv", plain, example=True, several=False)["shell"]
    assert shell == "rocspace report a.csv --label y --order a,c,d --score s"


def test_rows_that_belong_together_in_two_files_are_for_python() -> None:
    one = Choice(label="y", scores=("p_a", "p_b", "p_c"), cluster="farm")
    found = class_comparison_lines({"x": ("a.csv", one, False), "y": ("b.csv", one, False)}, 0.9)
    assert found["shell"].startswith("# Rows that belong together, in two files")
    assert found["python"].count("cluster='farm'") == 2
    assert "interval(0.9)" in found["python"]
    free = Choice(label="y", scores=("p_a", "p_b", "p_c"))
    both = class_comparison_lines({"x": ("a.csv", free, False), "y": ("b.csv", free, False)}, 0.95)
    assert [line.split()[:3] for line in both["shell"].splitlines()] == [
        ["rocspace", "auc", "a.csv"],
        ["rocspace", "auc", "b.csv"],
    ]
    assert "interval()" in both["python"]
