"""What columns are probably for, and what a choice lacks: the first mistakes of everybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rocspace.io import scan_columns
from rocspace.web.guesses import columns_of, guess, problems
from rocspace.web.work import look

ROWS = 12


def scanned(tmp_path: Path, **columns: list[Any]) -> Any:
    file = tmp_path / "cases.csv"
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))]  # noqa: B905
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return columns_of(look(str(file), name="cases.csv")["columns"])


def every(*values: Any) -> list[Any]:
    return [values[i % len(values)] for i in range(ROWS)]


RISING = [0.1 * i for i in range(ROWS)]


def said(columns: Any, **choice: Any) -> list[tuple[str, str]]:
    return [(each.field, each.message) for each in problems(columns, choice)]


def test_the_label_is_known_by_its_name_or_its_two_values(tmp_path: Path) -> None:
    by_name = guess(scanned(tmp_path, sex=every("f", "m"), y=every(0, 1), s=RISING))
    assert (by_name.label, by_name.why["label"]) == ("y", "Chosen by its name.")
    only = guess(scanned(tmp_path, s=RISING, ill=every("no", "yes")))
    assert only.label == "ill"
    assert "only column with two values" in only.why["label"]
    several = guess(scanned(tmp_path, old=every("f", "m"), s=RISING, ill=every(0, 1, 1)))
    assert several.label == "ill"
    assert several.why["label"] == "A guess: old also has two values. Check it."
    none = guess(scanned(tmp_path, s=RISING, t=RISING))
    assert none.label is None
    assert "No column has just two values" in none.why["label"]
    three = guess(scanned(tmp_path, grade=every("a", "b", "c"), sex=every("f", "m"), s=RISING))
    assert three.label == "grade"


@pytest.mark.parametrize(
    ("values", "positive"),
    [
        ((0, 1), "1"),
        ((-1, 1), "1"),
        (("true", "false"), "true"),
        (("no", "yes"), "yes"),
        (("malignant", "benign"), "malignant"),
        (("Control", "Case"), "Case"),
        (("pos", "neg"), "pos"),
        ((1, 2), None),
        (("a", "b"), None),
        (("ill", "dead"), None),
        (("no", "perhaps", "yes"), None),
    ],
)
def test_the_positive_value_is_guessed_only_beyond_doubt(
    tmp_path: Path, values: tuple[Any, ...], positive: str | None
) -> None:
    found = guess(scanned(tmp_path, label=every(*values), s=RISING))
    assert found.positive == positive
    if positive is None:
        assert "Choose the value" in found.why["positive"]
    elif positive not in ("1", "true"):
        assert f"by the word “{positive}”" in found.why["positive"]


def test_scores_are_the_numbers_that_are_no_ids_and_not_too_many(tmp_path: Path) -> None:
    some = guess(scanned(tmp_path, case_id=list(range(ROWS)), y=every(0, 1), a=RISING, b=RISING))
    assert some.scores == ["a", "b"]
    assert "case_id looks like an id" in some.why["scores"]
    more = {f"m{i}": RISING for i in range(9)}
    many = guess(scanned(tmp_path, y=every(0, 1), same=every(3), **more))
    assert many.scores == ["m0", "m1", "m2", "m3"]
    assert many.why["scores"] == "The first 4 of 9 columns of numbers are ticked."
    assert guess(scanned(tmp_path, y=every(0, 1), t=every("a", "b", "c"))).scores == []


def test_a_column_without_a_name_is_not_the_label_that_was_not_chosen(tmp_path: Path) -> None:
    columns = scanned(tmp_path, **{"": every(0, 1), "s": RISING})
    (found,) = problems(columns, {"label": None, "positive": "1", "scores": ["s"]})
    assert found.message.startswith("Choose the label")


def test_numbers_of_patients_are_no_score(tmp_path: Path) -> None:
    found = guess(scanned(tmp_path, Patient=every(1, 2, 3, 4), y=every(0, 1), s=RISING))
    assert found.scores == ["s"]
    assert "Patient looks like an id." in found.why["scores"]
    assert "“Patient” has 4 values in 12 rows" in found.why["cluster"]


def test_rows_of_one_patient_are_pointed_out(tmp_path: Path) -> None:
    found = guess(scanned(tmp_path, patient_id=every(1, 2, 3, 4), y=every(0, 1), s=RISING))
    assert "“patient_id” has 4 values in 12 rows" in found.why["cluster"]
    alone = guess(scanned(tmp_path, patient_id=list(range(ROWS)), y=every(0, 1), s=RISING))
    assert alone.why["cluster"] == ""


def test_a_label_with_three_values_is_asked_about(tmp_path: Path) -> None:
    columns = scanned(tmp_path, grade=every("none", "mild", "severe"), s=RISING)
    (problem,) = problems(columns, {"label": "grade", "scores": ["s"]})
    assert problem.field == "positive"
    assert "has 3 values: “none” (4), “mild” (4), “severe” (4)" in problem.message
    assert "all others count as negative" in problem.message
    assert [fix.change for fix in problem.fixes] == [
        *({"positive": each} for each in ("none", "mild", "severe")),
        {"positive": None, "order": ["mild", "none", "severe"], "by": None},
    ]
    assert said(columns, label="grade", positive="severe", scores=["s"]) == []


def test_a_score_that_is_text_names_the_row(tmp_path: Path) -> None:
    columns = scanned(tmp_path, y=every(0, 1), s=[*RISING[:-1], "<0.1"], t=RISING)
    ((field, message),) = said(columns, label="y", positive="1", scores=["s", "t"])
    assert field == "scores"
    assert "not a column of numbers" in message
    assert "'<0.1'" in message
    assert "row 12" in message
    (problem,) = problems(columns, {"label": "y", "positive": "1", "scores": ["s", "t"]})
    assert problem.fixes[0].change == {"scores": ["t"]}


def test_one_class_only_is_told(tmp_path: Path) -> None:
    columns = scanned(tmp_path, y=every(1), s=RISING)
    ((field, message),) = said(columns, label="y", positive="1", scores=["s"])
    assert field == "label"
    assert message.startswith("All 12 rows have the label “1”.")
    assert "Choose another label" in message


def test_missing_values_can_be_left_out_with_one_click(tmp_path: Path) -> None:
    columns = scanned(tmp_path, y=[*every(0, 1)[:-1], ""], s=["", "", *RISING[2:]])
    choice = {"label": "y", "positive": "1", "scores": ["s"]}
    first, second = problems(columns, choice)
    assert first.message.startswith("1 row has no value of “y”.")
    assert second.message.startswith("2 rows have no value of “s”.")
    assert [fix.words for fix in first.fixes] == ["Leave out rows with missing values"]
    assert second.fixes == ()  # one button for all columns
    assert list(problems(columns, {**choice, **first.fixes[0].change})) == []


@pytest.mark.parametrize(
    ("choice", "part"),
    [
        ({}, "Choose the label"),
        ({"label": "yy"}, "no column “yy”. Did you mean"),
        ({"label": "y", "positive": "1"}, "Tick at least one score"),
        ({"label": "y", "positive": "2", "scores": ["s"]}, "“2” does not occur"),
        ({"label": "y", "positive": "1", "scores": ["y"]}, "so it cannot be a score too"),
        ({"label": "y", "positive": "1", "scores": ["q"]}, "no column “q”"),
        ({"label": "s", "scores": ["y"]}, "has 12 different values, so it is probably not"),
        ({"label": "e", "positive": "1", "scores": ["s"]}, "is empty. Choose another label"),
    ],
)
def test_each_first_mistake_has_a_sentence(
    tmp_path: Path, choice: dict[str, Any], part: str
) -> None:
    columns = scanned(tmp_path, y=every(0, 1), s=RISING, e=every(""))
    assert part in " ".join(message for _, message in said(columns, **choice))


def test_columns_survive_the_way_to_the_page_and_back(tmp_path: Path) -> None:
    columns = scanned(tmp_path, y=every(0, 1), s=RISING, t=every("a", "b", ""))
    assert columns == list(scan_columns(tmp_path / "cases.csv"))


P = ["p_a", "p_b", "p_c"]


def with_classes(tmp_path: Path, **more: list[Any]) -> dict[str, Any]:
    columns = {"grade": every("a", "b", "c"), **dict.fromkeys(P, RISING), **more}
    file = tmp_path / "cases.csv"
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values()))]  # noqa: B905
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return look(str(file), name="cases.csv")


def test_a_label_whose_classes_have_a_column_each_is_looked_at_as_a_whole(tmp_path: Path) -> None:
    found = with_classes(tmp_path, sex=every("f", "m"), age=RISING)
    guessed = found["guess"]
    assert (guessed["label"], guessed["positive"], guessed["scores"]) == ("grade", None, P)
    assert guessed["why"] == {
        "label": "Chosen because there are columns named after its values.",
        "positive": "Each of the 3 classes has a column of its own.",
        "scores": "These are named after the classes, p_a to p_c.",
        "cluster": "",
    }
    by_name = {each["name"]: each for each in found["columns"]}
    assert by_name["grade"]["classes"] == {"p": {"a": "p_a", "b": "p_b", "c": "p_c"}}
    assert not any(each["classes"] for name, each in by_name.items() if name != "grade")
    twelve = [f"k{i}" for i in range(ROWS)]
    many = with_classes(tmp_path, site=twelve, **{f"{x}_{k}": RISING for x in "rs" for k in twelve})
    several = next(each for each in many["columns"] if each["name"] == "site")
    assert list(several["classes"]) == ["r", "s"]
    assert list(several["classes"]["s"]) == sorted(twelve)
    assert "site would fit too: check it" in many["guess"]["why"]["label"]


def test_five_classifiers_are_more_than_are_ticked_at_first(tmp_path: Path) -> None:
    more = {f"{name}_{label}": RISING for name in "qrst" for label in "abc"}
    guessed = with_classes(tmp_path, **more)["guess"]
    assert len(guessed["scores"]) == 12
    assert "The first 4 of 5 classifiers are ticked" in guessed["why"]["scores"]


@pytest.mark.parametrize(
    ("choice", "field", "part", "change"),
    [
        ({"scores": P}, None, "", None),
        ({"scores": []}, "scores", "Tick at least one", None),
        ({"scores": P[:2]}, "scores", "needs its column: also tick “p_c”", {"scores": P}),
        ({"scores": [*P, "age"]}, "scores", "of no class cannot be used: “age”", {"scores": P}),
        ({"scores": ["age"]}, "scores", "of no class cannot be used: “age”", {"scores": P}),
        ({"scores": P, "by": "age"}, "by", "Subgroups are for two classes", {"by": None}),
        ({"scores": P, "lower": ["p_a"]}, "scores", "cannot be set as positive", {"lower": []}),
        ({"scores": P, "positive": "b"}, None, "", None),
        ({"scores": ["age"], "positive": "b"}, None, "", None),
    ],
)
def test_what_a_choice_of_all_classes_lacks(
    tmp_path: Path, choice: Any, field: str | None, part: str, change: Any
) -> None:
    described = with_classes(tmp_path, age=RISING)["columns"]
    by_label = {each["name"]: each["classes"] for each in described if each["classes"]}
    found = list(problems(columns_of(described), {"label": "grade", **choice}, by_label))
    assert [each.field for each in found] == ([] if field is None else [field])
    for each in found:
        assert part in each.message
        assert [fix.change for fix in each.fixes] == ([] if change is None else [change])


def test_a_file_that_lacks_the_columns_of_its_classes_says_how_they_are_called(
    tmp_path: Path,
) -> None:
    columns = scanned(tmp_path, grade=every("none", "mild", "severe"), s=RISING)
    (problem,) = problems(columns, {"label": "grade", "scores": ["s"]})
    assert "one prefix: “p_none”, “p_mild”, “p_severe”." in problem.message
