"""Reading ahead keeps order, errors and no thread."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from rocspace._base.prefetch import read_ahead


def reading_threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "rocspace-read-ahead"]


def test_reading_ahead_keeps_order_and_errors() -> None:
    def items() -> Any:
        yield from range(10)
        raise ValueError(message)

    message = "no more"
    got: list[int] = []
    with pytest.raises(ValueError, match=message):
        got.extend(read_ahead(items()))
    assert got == list(range(10))
    assert list(read_ahead([])) == []
    assert reading_threads() == []


def test_reading_ahead_stops_and_closes_what_it_reads() -> None:
    closed, made = [], []

    def items() -> Any:
        try:
            for i in range(10**9):
                made.append(i)
                yield i
        finally:
            closed.append(True)

    ahead = read_ahead(items())
    assert next(ahead) == 0
    ahead.close()
    assert closed == [True]
    assert len(made) < 10
    assert reading_threads() == []
