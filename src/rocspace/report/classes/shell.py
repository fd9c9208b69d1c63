"""The command line that reads the same columns of several classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocspace.report.explained import Shell


def columns_of(summary: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the column of each class by classifier; where no file was read, likely names."""
    given = summary["source"].get("columns")
    if isinstance(given, Mapping):
        return {name: dict(columns) for name, columns in given.items()}
    several = len(summary["classifiers"]) > 1
    return {
        each["name"]: {
            one["label"]: f"{each['name'] if several else 'p'}_{one['label']}"
            for one in summary["classes"]
        }
        for each in summary["classifiers"]
    }


def class_shell(summary: Mapping[str, Any]) -> str:
    """Return the words after the verb."""
    columns = [one for each in columns_of(summary).values() for one in each.values()]
    scores = [{"name": column, "direction": "higher"} for column in columns]
    source = {key: value for key, value in summary["source"].items() if key != "positive"}
    return Shell(scores, source, summary["settings"]["level"]).columns


def shell_of(summary: Mapping[str, Any], label: str) -> str:
    """Return the words that read one class against the rest."""
    column = columns_of(summary)[summary["explored"]].get(label, label)
    source = {**summary["source"], "positive": label}
    level = summary["settings"]["level"]
    return Shell([{"name": column, "direction": "higher"}], source, level).columns
