"""Command lines that reproduce a number."""

from __future__ import annotations

from typing import Any

import rocspace as rs
from rocspace.report import summarise


def test_the_shell_lines_quote_what_they_must() -> None:
    table = rs.tabulate([0, 1], [2, 1], higher_is_positive=False)
    source: dict[str, Any] = {
        "file": "my file.csv",
        "label": "it's",
        "positive": "$(rm x)",
        "weight": "w",
    }
    source["dropped"] = {"w": 3}
    methods = summarise({"a b": table}, source=source, level=0.9)["methods"]
    line = {each["id"]: each["shell"] for each in methods}["auc.interval"]
    assert line == (
        """rocspace auc 'my file.csv' --label 'it'"'"'s' --positive '$(rm x)' --score 'a b' """
        "--weight w --lower-is-positive 'a b' --missing omit --level 0.9"
    )


def test_the_shell_lines_read_standard_input_as_the_shell_does() -> None:
    methods = summarise({"s": rs.tabulate([0, 1], [2, 1])}, source={"file": "standard input"})
    assert methods["methods"][0]["shell"] == "rocspace report - --label LABEL --score s"
