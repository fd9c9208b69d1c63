"""Limits: numbers above zero, and as people read them."""

from __future__ import annotations

import pytest

from rocspace.web import Limits, limits
from rocspace.web.limits import duration, megabytes


def test_limits_are_numbers_above_zero() -> None:
    for wrong in ({"size": 0}, {"seconds": float("inf")}, {"workers": 1.5}, {"minutes": -1}):
        with pytest.raises(ValueError, match="must be a"):
            Limits(**wrong)
    assert Limits(size=1500, seconds=1, minutes=1.5).described() == {
        "size": "1.5 kB",
        "values": "10,000,000",
        "seconds": "1 second",
        "minutes": "1.5 minutes",
    }


def test_sizes_and_times_are_said_in_the_unit_that_suits() -> None:
    assert [megabytes(each) for each in (1e6, 999_999, 200_000_000, 1)] == [
        "1 MB",
        "999.999 kB",
        "200 MB",
        "0.001 kB",
    ]
    assert [duration(each) for each in (60, 59, 1, 61.2, 0.4)] == [
        "1 minute",
        "59 seconds",
        "1 second",
        "1.02 minutes",
        "0.4 seconds",
    ]


def test_the_usual_limits_suit_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in ((1, 2), (5, 5), (64, 8), (None, 2)):
        monkeypatch.setattr(limits.os, "cpu_count", lambda cores=cores: cores)
        assert Limits().workers == workers
    pages = {"SC_PAGE_SIZE": 4096}
    for memory, most in ((1 << 30, 2 << 30), (10 << 30, 5 << 30), (64 << 30, 8 << 30)):
        pages["SC_PHYS_PAGES"] = memory // 4096
        monkeypatch.setattr(limits.os, "sysconf", pages.__getitem__)
        assert Limits().memory == most

    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(limits.os, "sysconf", unknown)
    assert Limits().memory == 4 << 30
