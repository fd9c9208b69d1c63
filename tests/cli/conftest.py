"""Files of the shared scores, and what verbs draw."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import three_scores
from commands import LABEL, NEW, OLD, make


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """120 cases with two scores; the label is a text."""
    data = {"ill": np.where(LABEL == 1, "yes", "no"), "new": NEW, "old": OLD}
    return make(tmp_path / "scores.csv", data)


@pytest.fixture
def scores(csv_file: Any) -> Any:
    """90 cases with three scores."""
    return csv_file("scores.csv", {"y": three_scores.LABEL, **three_scores.SCORES})


@pytest.fixture
def drawn(run: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a verb with --figure; return the axes, how they are written, and the run."""
    figure = pytest.importorskip("matplotlib.figure")

    def draws(verb: str, *words: Any) -> tuple[Any, dict[str, Any], Any]:
        kept: list[Any] = []
        monkeypatch.setattr(
            f"rocspace.cli.verbs.{verb}.save_figure",
            lambda path, draw, *_, **how: kept.append((draw, how)),
        )
        ran = run(verb, *words, "--figure", "f.svg")
        ((draw, how),) = kept
        canvas = figure.Figure()
        draw(canvas)
        (ax,) = canvas.axes
        return ax, how, ran

    return draws
