"""Numbers that were written for people are told how to write them."""

import pytest

from rocspace.io import tabulate_file, written

ROWS = [(i % 2, i * 7919 % 101) for i in range(20)]


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("75.8%", "75.8"),
        ("75,8 %", "75,8"),
        ("3.000,5", "3000.5"),
        ("1.234.567", "1234567"),
        ("1,234.5", "1234.5"),
        ("1'763.5", "1763.5"),
        ("1\u00a0763,5", "1763.5"),
        ("\u22121.092", "-1.092"),
        ("1.2 mg/dl", "1.2"),
    ],
)
def test_a_number_is_written_better(text, better):
    said = written.how_to_write(text)
    assert said.endswith(f" {better}.")
    assert said.count(". ") == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2,449", "If its comma is a decimal one, write 2.449"),
        ("<0.5", "limit of detection"),
        ("≥ 10", "limit of detection"),
        ("$1,763.00", "without the currency"),
        ("12 €", "without the currency"),
    ],
)
def test_what_could_be_two_numbers_is_asked(text, words):
    assert words in written.how_to_write(text)


@pytest.mark.parametrize(
    "text", ["", "-", "%", "north", "P001", "2024-01-01", "01.02.2024", "12:30", "1A", "<b", "a, b"]
)
def test_other_texts_are_left_alone(text):
    assert written.how_to_write(text) == ""


def test_what_stands_for_nothing():
    assert all("--null" in written.how_to_leave_out(text) for text in ("-", "?", ".", "#DIV/0!"))
    assert not any(written.how_to_leave_out(text) for text in ("a", "1", "", "#1 of 2"))


def file(tmp_path, head, rows):
    path = tmp_path / "data.csv"
    path.write_text(head + "\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_column_with_dots_between_thousands_is_not_left_out_in_silence(tmp_path):
    path = file(tmp_path, "ill;a;big", [f"{y};{x},5;{x + 1}.000,5" for y, x in ROWS])
    said = (
        r"^'big' of .*data.csv is left out: row 1 holds '1.000,5', which is not a number\. Write it"
    )
    with pytest.warns(UserWarning, match=said):
        found = tabulate_file(path, label="ill")
    assert list(found.tables) == ["a"]
    with pytest.raises(ValueError, match=r"cannot be a score: .* Write it without '\.' between th"):
        tabulate_file(path, label="ill", score="big")


def mistake(path):
    with pytest.raises(ValueError) as told:  # noqa: PT011
        tabulate_file(path, label="ill")
    return str(told.value)


def test_without_any_score_the_cure_is_told(tmp_path):
    said = mistake(file(tmp_path, "ill,s", [f"{y},{x}%" for y, x in ROWS]))
    assert said.endswith("'s' (text: row 1 holds '0%'). Write it without the sign of percent: 0.")
    said = mistake(file(tmp_path, "ill,s", [f"{y},{x or '-'}" for y, x in ROWS]))
    assert said.endswith("say so (null_values, --null), or leave it empty.")
    said = mistake(file(tmp_path, "ill,s,s", [f"{y},{x},{x}" for y, x in ROWS]))
    assert said.endswith("It has 's' (a name that occurs more than once).")


def test_labels_that_differ_by_a_slip(tmp_path):
    yes = ["no", "yes"]
    rows = [f"{yes[y]}{' ' * (i == 4)},{x}" for i, (y, x) in enumerate(ROWS)]
    assert mistake(file(tmp_path, "ill,s", rows)).endswith(
        "'no ' and 'no' differ by spaces only: write them alike."
    )
    rows = [f"{yes[y].title() if i > 4 else yes[y]},{x}" for i, (y, x) in enumerate(ROWS)]
    assert "differ by capitals only: write them alike." in mistake(file(tmp_path, "ill,s", rows))
    rows = [f"{y},{x}" for y, x in ROWS] + ["Total,30"]
    assert mistake(file(tmp_path, "ill,s", rows)).endswith(
        "Is 'Total' a label? If not, leave out its rows."
    )


def test_a_measurement_is_not_taken_for_classes(tmp_path):
    said = mistake(file(tmp_path, "y,ill", [f"{y},{x / 8}" for y, x in ROWS]))
    assert "It looks like a score." in said
    assert "multiclass" not in said


def test_a_title_and_spaces_between_columns(tmp_path):
    said = mistake(file(tmp_path, "Report of 2024", ["ill,s", "0,1"]))
    assert said.endswith("If a title stands above the names of the columns, take it away.")
    path = file(tmp_path, "ill s", [f"{y} {x}" for y, x in ROWS])
    assert "Are its columns separated by spaces? Say so with separator=' '." in mistake(path)
