"""`rocspace columns`: what a file holds."""

from pathlib import Path

import pytest

from commands import LABEL, NEW, SUFFIXES, N, Run, make


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_columns_of_every_format(run: Run, tmp_path: Path, suffix: str) -> None:
    make(tmp_path / f"s.{suffix}", {"y": LABEL, "new": NEW, "site": ["a", "b"] * (N // 2)})
    out = run("columns", f"s.{suffix}").out
    assert out.startswith(f"{N} rows")
    assert f"{NEW.min():g} to {NEW.max():g}" in out
    found = {c["name"]: c for c in run("columns", f"s.{suffix}", "--json").json["columns"]}
    assert found["new"]["minimum"] == NEW.min()
    assert found["site"]["counts"] == {"a": N // 2, "b": N // 2}
    assert [c["kind"] for c in found.values()] == ["number", "number", "text"]
