"""Figures beside the text, by every verb that draws."""

import numpy as np
import pytest

from three_scores import LABEL, NEW, OLD, N

FOLD = np.array(["one", "two", "three"])[np.arange(N) % 3]


@pytest.mark.parametrize(
    "words",
    [
        ("compare",),
        ("average", "--fold", "fold", "--score", "new"),
        ("band", "--score", "new", "--method", "ks"),
        ("granular", "--score", "new"),
    ],
)
def test_figures_are_written(run, csv_file, tmp_path, words):
    pytest.importorskip("matplotlib")
    path = csv_file("s.csv", {"y": LABEL, "new": NEW, "old": OLD, "fold": FOLD})
    name, *options = words
    printed = run(name, path, *options, "--figure", tmp_path / "a.svg")
    assert "figure:" in printed.err
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "</svg>" in drawn
    refused = run(name, path, *options, "--figure", tmp_path / "a.txt", fails=True).err
    assert "must end in one of .png, .svg, .pdf" in refused
    assert "no folder" in run(name, path, *options, "--figure", "no/a.svg", fails=True).err
