"""What is printed, and files that are written whole or not at all."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import ILL, LABEL, NEW, Run, make
from rocspace.cli import console
from rocspace.cli.console import printable


def test_output_of_text_and_json(run: Run, file: Path) -> None:
    shown = run("auc", file, *ILL).out
    assert run("auc", file, *ILL, "--output", "a.txt").out == ""
    assert Path("a.txt").read_text() == shown
    run("at", file, *ILL, "--youden", "--json", "--output", "a.json")
    assert json.loads(Path("a.json").read_text())["schema"] == "rocspace.points/1"
    run("auc", file, *ILL, "--output", "/dev/null")
    assert not Path("/dev/null").is_file()
    assert sorted(p.name for p in file.parent.iterdir()) == ["a.json", "a.txt", "scores.csv"]


def test_notes_have_plain_spaces(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "ties.csv", {"y": [0, 1] * 20, "s": [0, 1, 1, 1] * 10})
    assert "In 50.0 % of the pairs" in run("auc", "ties.csv").err


HOSTILE = ("<script>alert(1)</script>", "[red]x[/red]", "new\nline", "\x1b[31mesc", 'a,b"c', "é")


def test_hostile_names_are_text(run: Run, tmp_path: Path) -> None:
    make(tmp_path / "h.parquet", {"y": LABEL, **dict.fromkeys(HOSTILE, NEW)})
    result = run("auc", "h.parquet")
    for name in HOSTILE:
        assert printable(name) in result.out
        assert printable(name) in result.err
    assert "\x1b" not in result.out + result.err
    assert len(run("columns", "h.parquet").out.splitlines()) == 4 + 1 + len(HOSTILE)
    rows = csv.DictReader(io.StringIO(run("curve", "h.parquet").out))
    assert {row["score"] for row in rows} == set(HOSTILE)
    assert [s["name"] for s in run("auc", "h.parquet", "--json").json["scores"]] == list(HOSTILE)
    error = run("auc", "h.parquet", "--score", "[red]y[/red]\n\x1b[2J", fails=True).err
    assert error.count("\n") == 2
    assert "\x1b" not in error


def test_half_a_file_is_never_left(tmp_path: Path) -> None:
    place = tmp_path / "out.txt"
    place.write_text("before")

    def pieces() -> Any:
        yield "one"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        console.write(pieces(), str(place))
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]
    assert place.read_text() == "before"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_names_the_file(run: Run, file: Path) -> None:
    said = run("auc", file, *ILL, "--output", "/dev/full", fails=True).err
    assert "/dev/full: No space left on device" in said


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_notes_break_between_words_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "rocspace: this note has many words and a/rather/long/path/that/stays/in/one/piece.csv"
    monkeypatch.setenv("COLUMNS", "30")
    for stream, n in ((io.StringIO(), 1), (Terminal(), 3)):
        monkeypatch.setattr("sys.stderr", stream)
        console.say(line)
        lines = stream.getvalue().splitlines()
        assert len(lines) == n
        assert " ".join(part.strip() for part in lines) == line
    assert max(map(len, lines[:2])) <= 30


def test_names_are_not_cut_in_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a_column_with_a_long_name_and_no_spaces"
    rows = [(name, "0.123", "several words that are long"), ("b", "1", "x" * 30)]
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    text = console.table_text(("column", "value", "words"), rows, left=(0, 2))
    assert name in text
    assert "0.123" in text
    assert "several words" in text


def test_names_are_broken_after_a_hyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    name = "Amer-Indian-Eskimo and_others_of/the_census_of_1994"
    text = console.table_text(("race", "cases"), [(name, "0.123 and 45678")], left=(0,), names=0)
    first = [line.split("   ")[0].rstrip() for line in text.splitlines()[2:]]
    assert first == ["Amer-Indian-Eskimo", "and_others_of/the_", "census_of_1994"]


def test_wide_tables_are_laid_out_alike():
    """The fast layout of plain tables is that of the slow one, which can also break lines."""
    rng = np.random.default_rng(0)
    words = ["a", "beta", "日本語", "x y z", "", "-", "longer word here", "né", "1,000"]
    for _ in range(40):
        m, k = rng.integers(1, 7), rng.integers(0, 5)
        header = [f"{word}h" for word in rng.choice(words, m)]
        cells = [rng.choice(words, m).tolist() for _ in range(k)]
        left = tuple(np.flatnonzero(rng.random(m) < 0.5).tolist())
        fits = console._width(console._widths(header, cells)) <= console.PAGE
        names = int(rng.integers(0, m + 1)) if fits else 0  # names could be cut, slowly or fast
        plain = console.Console(highlight=False, markup=False, emoji=False, width=240)
        slow = console._fitted_table(plain, header, cells, left, names)
        assert console.table_text(header, cells, left=left, names=names) == slow


def test_names_longer_than_a_table_is_wide_leave_numbers_whole():
    name = "a" * 300
    shown = console.table_text(("score", "area"), [(name, 0.75)])
    assert shown.splitlines()[-1].split() == [f"{'a' * 34}...{'a' * 35}", "0.750"]


def test_names_are_cut_alike_in_differences_and_rules() -> None:
    names = [f"probability_of_the_{kind}_model_of_a_study" for kind in ("first", "second", "third")]
    texts = [f"{names[0]} minus {names[1]}", f"{names[0]} minus {names[2]}", f"{names[1]} >= 0.25"]
    first, second, rule = console._cut_names(texts, 50, ())
    assert max(map(len, (first, second, rule))) <= 50
    assert first.partition(" minus ")[0] == second.partition(" minus ")[0]
    assert first != second
    assert rule == f"{first.partition(' minus ')[2]} >= 0.25"


def test_a_name_is_cut_so_that_it_differs_from_those_it_is_among() -> None:
    names = [f"{'a' * 40}{kind}{'z' * 40}" for kind in "xy"]
    shown = console.table_text(("rule", "fpr"), [(names[0], 0.25)], among=names)
    other = console.table_text(("rule", "fpr"), [(names[1], 0.25)], among=names)
    assert "x" in shown
    assert "y" in other
    assert max(map(len, [*shown.splitlines(), *other.splitlines()])) <= console.PAGE


def test_a_long_name_that_is_a_title_stands_above() -> None:
    name = "a" * 70
    lines = console.table_text((name, "value", "95 % interval"), [("b", 0.25, "0.1 to 0.5")])
    assert lines.splitlines()[0] == name
    assert lines.splitlines()[1].split() == ["value", "95", "%", "interval"]
