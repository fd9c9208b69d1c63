"""How a number was made: a sentence, its source, and the lines that reproduce it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

Score = Mapping[str, Any]
Entry = dict[str, str]


class Shell:
    """The command lines that read the same columns."""

    def __init__(self, scores: Sequence[Score], source: Mapping[str, Any], level: float) -> None:
        words = [str(source.get("file", "FILE")), "--label", str(source.get("label", "LABEL"))]
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
        self.options = shlex.join(words)
        self.level = "" if level == 0.95 else f" --level {level:g}"

    def __call__(self, command: str, more: str = "") -> str:
        """Return the line of a command about these columns."""
        return f"rocspace {command} {self.options}{more}"

    @property
    def numbers(self) -> str:
        """The command that prints the summary."""
        return self("auc", f"{self.level} --json")

    @property
    def numbers_of_report(self) -> str:
        """The command that prints the summary with comparisons, bands and the rest."""
        return self("report", f"{self.level} --json")


def entry(
    key: str,
    name: str,
    sentence: str,
    citation: str,
    python: str,
    shell: str,
    *,
    measured: str = "",
) -> Entry:
    """Explain one number, by the key of the summary that holds it.

    What was `measured` of it is quoted from the page "Measured coverage", from
    ``benchmarks/results/coverage.csv`` (a test holds the ranges against that file), or from the
    Notes of its function; nothing is said where nothing was measured.
    """
    return {
        "id": key,
        "name": name,
        "sentence": sentence,
        "citation": citation,
        "coverage": measured,
        "python": python,
        "shell": shell,
    }


def table_code(score: Score, source: Mapping[str, Any]) -> str:
    """Return the line of Python that makes a score's table."""
    column = f"data[{score['name']!r}]" if "label" in source else "y_score"
    return f"table = rs.tabulate({_arguments(source, column, [score])})"


def shell_code(score: Score, source: Mapping[str, Any], command: str) -> str:
    """Return the shell line of a command about one score."""
    return Shell([score], source, 0.95)(command)


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
