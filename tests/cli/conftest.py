"""Files of the shared scores, and signals as a terminal sends them."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import three_scores
from commands import LABEL, NEW, OLD, make


@pytest.fixture(autouse=True)
def in_the_foreground() -> Iterator[None]:
    """Let programs be interrupted also where pytest was started in the background of a script.

    There it ignores Ctrl-C, and so would every program that it starts.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """120 cases with two scores; the label is a text."""
    data = {"ill": np.where(LABEL == 1, "yes", "no"), "new": NEW, "old": OLD}
    return make(tmp_path / "scores.csv", data)


@pytest.fixture
def scores(csv_file: Any) -> Any:
    """90 cases with three scores."""
    return csv_file("scores.csv", {"y": three_scores.LABEL, **three_scores.SCORES})
