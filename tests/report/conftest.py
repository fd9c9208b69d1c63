"""Summaries of the report that many tests look at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rocspace as rs
from reports import FOLD, N, adult_summary, full_summary
from rocspace.report import More, render_html, summarise


@pytest.fixture(scope="session")
def whole() -> dict[str, Any]:
    return full_summary()


@pytest.fixture(scope="session")
def summary() -> dict[str, Any]:
    return adult_summary()


@pytest.fixture(scope="session")
def html(summary: dict[str, Any]) -> str:
    return render_html(summary)


@pytest.fixture(scope="session")
def cases() -> rs.PairedScores:
    rng = np.random.default_rng(5)
    y = rng.random(N) < 0.4
    common = rng.normal(size=N)
    scores = {"a": common + 1.5 * y, "b": common + rng.normal(size=N) + y, "c": rng.normal(size=N)}
    return rs.pair_scores(y, scores)


@pytest.fixture(scope="session")
def full(cases: rs.PairedScores) -> dict[str, Any]:
    found = {name: cases.table(name) for name in cases.names}
    more = More(fold=FOLD, n_boot=60, rng=3, progress=False)
    return summarise(found, data=cases, more=more)
