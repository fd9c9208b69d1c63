"""The page "Which design have I?": each call of its table runs as it stands there."""

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "which_design.md"
ROWS = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")][2:]
CALLS = [re.search(r"\{func\}`(.+?) <(rocspace[\w.]+)>`", row) for row in ROWS]
ROOMS = ("counts", "inference", "averaging", "multiclass", "designs")


@pytest.fixture(scope="module")
def names():
    rng = np.random.default_rng(1)
    n = 120
    y = np.arange(n) % 2
    score = y + rng.normal(size=n)
    kind = np.array(["a", "b", "c"])[np.arange(n) % 3]
    given = {
        "y": y,
        "score": score,
        "scores": {"a": score, "b": y + rng.normal(size=n)},
        "patient": np.arange(n) // 3,
        "w": rng.uniform(1, 2, n),
        "kind": kind,
        "by_class": {each: (kind == each) + rng.normal(size=n) for each in "abc"},
        "folds": np.arange(n) // 2 % 4,
        "age": 40 + np.arange(n) % 31,
        "seen": np.where(np.arange(n) % 4, y, np.nan),
        "judge": y ^ (np.arange(n) % 7 == 0),
        "time": rng.exponential(np.exp(-score)) + 0.5,
        "status": np.arange(n) % 5 > 0,
    }
    given["time"][:20] = 4.0
    rooms = [importlib.import_module(f"rocspace.{room}") for room in ROOMS]
    return {name: getattr(room, name) for room in rooms for name in room.__all__} | given


def test_each_row_has_a_call():
    assert len(ROWS) == 13
    assert all(CALLS)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[2].rpartition(".")[2])
def test_the_call_runs_as_pasted(call, names):
    assert call[1].startswith(call[2].rpartition(".")[2]) or call[2].rpartition(".")[2] in call[1]
    assert repr(eval(call[1], dict(names)))
