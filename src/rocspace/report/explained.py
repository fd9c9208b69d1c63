"""How a number was made: a sentence, its source, and the lines that reproduce it.

A section writes it as text, one entry after the other:

    gini: Gini coefficient
      Twice the area minus one; also Somers' D.
      Source: Hanley and McNeil (1982), Radiology 143:29-36
      Measured: ...
      Python: rs.gini(table)
      Shell: rocspace auc {columns}

The first line has the key of the summary that holds the number, and a name. An indented line that
starts with none of these marks continues the one before it. Where an entry has no shell line, it is
that of ``rocspace auc --json``, which prints most numbers. What was measured is quoted from the
page "Measured coverage", from ``benchmarks/results/coverage.csv`` (a test compares the ranges with
that file), or from the Notes of its function; nothing is said where nothing was measured. Words in
braces are filled in, those of `Shell.words` always.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rocspace.io.sniff import STANDARD_INPUT

Score = Mapping[str, Any]
Entry = dict[str, str]

_PARTS = {"Source:": "citation", "Measured:": "coverage", "Python:": "python", "Shell:": "shell"}
_NUMBERS = "rocspace auc {columns}{at_level} --json"
_MERGED = "rocspace merge {files}{at_level} --json"
SAVED_COUNTS = "saved counts"
"""The format of what `rocspace merge` reads."""


def blocks(text: str) -> list[list[str]]:
    """Split a text at the lines that are not indented, and strip all lines."""
    found: list[list[str]] = []
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            found.append([])
        found[-1].append(line.strip())
    return found


def entries(text: str, shell: Shell, **words: Any) -> Iterator[Entry]:
    """Read how numbers were made, and fill in the words of this summary."""
    known = shell.words | words
    for head, *lines in blocks(text):
        key, _, name = head.partition(": ")
        empty = dict.fromkeys(("sentence", *_PARTS.values()), "")
        found = {"id": key, "name": name, **empty, "shell": _NUMBERS}
        at = "sentence"
        for line in lines:
            mark = next(filter(line.startswith, _PARTS), "")
            at, more = _PARTS.get(mark, at), line.removeprefix(mark).strip()
            between = "\n" if mark else " "
            found[at] = more if found[at] in ("", _NUMBERS) else f"{found[at]}{between}{more}"
        if shell.saved and found["shell"]:
            found["shell"] = _MERGED
        yield {part: said.format_map(known) for part, said in found.items()}


class Shell:
    """The command lines that read the same columns, or add up the same saved counts."""

    def __init__(self, scores: Sequence[Score], source: Mapping[str, Any], level: float) -> None:
        files = [str(each) for each in source.get("files") or [source.get("file", "FILE")]]
        words = ["-" if file == STANDARD_INPUT else file for file in files]
        self.saved = _are_saved(source)
        files_said = shlex.join(words)
        words += ["--label", str(source.get("label", "LABEL"))]
        if source.get("positive") is not None:
            words += ["--positive", str(source["positive"])]
        for score in scores:
            words += ["--score", score["name"]]
        if source.get("weight") is not None:
            words += ["--weight", str(source["weight"])]
        for score in scores:
            words += ["--lower-is-positive", score["name"]] if score["direction"] == "lower" else []
        dropped = source.get("dropped")
        if isinstance(dropped, Mapping) and any(dropped.values()):
            words += ["--missing", "omit"]
        self.columns = shlex.join(words)
        at = "" if level == 0.95 else f" --level {level:g}"
        self.words = {"columns": self.columns, "level": f"{level:g}", "at_level": at}
        self.words["files"] = files_said
        for option in ("fold", "by"):
            column = source.get(option)
            said = "" if column is None else f" --{option} {shlex.quote(str(column))}"
            self.words[option] = said


def table_code(score: Score, source: Mapping[str, Any]) -> str:
    """Return the line of Python that makes a score's table."""
    if _are_saved(source):
        return _saved_code(score, source["files"])
    column = f"data[{score['name']!r}]" if "label" in source else "y_score"
    return f"table = rs.tabulate({_arguments(source, column, [score])})"


def _are_saved(source: Mapping[str, Any]) -> bool:
    """Tell whether the cases are saved counts, as `rocspace merge` reads them."""
    return source.get("format") == SAVED_COUNTS


def _saved_code(score: Score, files: Sequence[str]) -> str:
    """Return the Python that reads saved counts and adds them up."""
    each = f"for name in {[*files]!r}"
    if files[0].lower().endswith(".json"):
        counts = f"(rs.stream.SiteCounts.from_json(Path(name).read_text()) {each})"
        return f"from pathlib import Path\ntable = rs.stream.pool(*{counts})"
    merged = f"rs.stream.merge_states([rs.stream.load_states(name) {each}])"
    return f"table = {merged}.states[{score['name']!r}].table()"


def pairing_code(summary: Mapping[str, Any]) -> str:
    """Return the line of Python that puts the scores side by side."""
    source, names = summary["source"], [score["name"] for score in summary["scores"]]
    columns = f"{{name: data[name] for name in {names!r}}}" if "label" in source else "y_scores"
    return f"cases = rs.pair_scores({_arguments(source, columns, summary['scores'])})"


def _arguments(source: Mapping[str, Any], columns: str, scores: Sequence[Score]) -> str:
    """Return label, scores and options as they stand in a call."""
    label = f"data[{source['label']!r}]" if "label" in source else "y_true"
    said = [label, columns]
    if source.get("positive") is not None:
        said.append(f"pos_label={source['positive']!r}")
    if source.get("weight") is not None:
        said.append(f"sample_weight=data[{source['weight']!r}]")
    if any(score["direction"] == "lower" for score in scores):
        said.append("higher_is_positive=False")
    return ", ".join(said)
