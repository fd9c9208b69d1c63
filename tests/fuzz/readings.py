"""Odd samples: every public function of a table or of paired scores, and what its answer offers.

Scores are nearly alike but for some, or skewed, or of few values, or far from 0; a class may have
one case. What must hold: an answer prints, becomes a frame and comes back from a pickle, its
interval has its ends in order and its p value is a probability; or the call is refused by a
sentence of ours. No error or warning of another package comes out, nothing that LAPACK writes, and
no work without end.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np

import rocspace as rs
from fuzz.arguments import LEFT_OUT, PACKAGE, watched

BRIEF = {"n_boot": 50, "n_perm": 50, "rng": 1, "progress": False, "threads": 1}
"""Options of work that may be long, or draws."""
LONG = {"compare_models", "goodness_of_fit"}
"""Functions that fit many models."""
TAKEN = ("table", "data")
CHOSEN = 6  # functions for each sample


@functools.cache
def functions() -> dict[str, tuple[str, Callable[..., Any]]]:
    """Return by name the public functions for which a sample is enough, and what it is to be."""
    found = {}
    for room in sorted(path.parent.name for path in PACKAGE.glob("[a-z]*/__init__.py")):
        module = importlib.import_module(f"rocspace.{room}")
        for name in () if room in LEFT_OUT else dir(module):
            function = getattr(module, name)
            if not inspect.isfunction(function) or name in LONG:
                continue
            asked = [
                p for p in inspect.signature(function).parameters.values() if p.default is p.empty
            ]
            if len(asked) == 1 and asked[0].name in TAKEN:
                found[f"{room}.{name}"] = asked[0].name, function
    return found


def sample(rng: np.random.Generator) -> dict[str, Any]:
    """Draw a table and paired scores of the same cases, both classes present."""
    n = int(rng.integers(4, 60))
    z = rng.standard_normal((n, 2)) @ [[1.0, 0.6], [0.0, 0.8]]
    few = rng.random((n, 2)) < 0.1
    kinds = (
        lambda: 1 / (1 + np.exp(-z)),
        lambda: np.where(few, rng.random((n, 2)), 0.07 + 10.0 ** -rng.uniform(2, 7) * z**4),
        lambda: np.round(rng.random((n, 2)), 1),
        lambda: z * 10.0 ** rng.uniform(-3, 3),
        lambda: z**9,
        lambda: np.exp(5 * z),
        lambda: np.maximum(z - 0.5, 0.0),
        lambda: np.floor(2 * rng.random((n, 2))),
        lambda: 1000 + z * 10.0 ** -rng.uniform(0, 6),
    )
    score = kinds[int(rng.integers(len(kinds)))]()
    label = rng.random(n) < rng.choice([0.1, 0.5, 0.9])
    if rng.random() < 0.2:
        label = score[:, 0] > np.quantile(score[:, 0], rng.random())  # a threshold separates them
    label[:2] = [True, False]
    weight = rng.uniform(0.1, 3, n) if rng.random() < 0.25 else None
    data = rs.pair_scores(label, score, names=["a", "b"], sample_weight=weight)
    return {"table": data.table("a"), "data": data}


def read(result: Any) -> None:
    """Ask for all that a result offers."""
    str(result)
    if isinstance(result, tuple) or not type(result).__module__.startswith("rocspace."):
        return
    assert pickle.loads(pickle.dumps(result)) is not None
    asked = {
        name: getattr(result, name)()
        for name in ("interval", "test", "to_frame")
        if callable(getattr(type(result), name, None)) and _needs_nothing(result, name)
    }
    if "interval" in asked:
        low, high = asked["interval"]
        assert not np.any(np.greater(low, high)), asked["interval"]
    if "test" in asked:
        assert not np.any(np.abs(np.subtract(asked["test"].pvalue, 0.5)) > 0.5), asked["test"]


def _needs_nothing(result: Any, name: str) -> bool:
    asked = inspect.signature(getattr(result, name)).parameters.values()
    return all(p.default is not p.empty for p in asked)


@contextmanager
def _heard() -> Iterator[BinaryIO]:
    """Keep what libraries write to the standard streams past Python."""
    with tempfile.TemporaryFile() as kept:
        before = [os.dup(number) for number in (1, 2)]
        for number in (1, 2):
            os.dup2(kept.fileno(), number)
        try:
            yield kept
        finally:
            for number, old in zip((1, 2), before, strict=True):
                os.dup2(old, number)
                os.close(old)


def one_round(rng: np.random.Generator) -> int:
    """Give one sample to some functions; return to how many."""
    given, every = sample(rng), functions()
    for name in rng.permutation(list(every))[:CHOSEN].tolist():
        kind, function = every[name]
        known = inspect.signature(function).parameters
        options = {option: value for option, value in BRIEF.items() if option in known}
        work = functools.partial(function, given[kind], **options)
        with _heard() as kept:
            wrong = watched(functools.partial(_asked, work))
            kept.seek(0)
            wrong = wrong or kept.read().decode()
        assert not wrong, f"{name}: {wrong}"
    return CHOSEN


def _asked(work: Callable[[], Any]) -> None:
    read(work())
