"""Files of the shared scores."""

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
