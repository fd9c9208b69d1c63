"""Progress is shown to those who wait, in a terminal."""

from __future__ import annotations

import io
import sys
import time

import pytest

from rocspace._base import progress as _progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "shown"), [(0.0, True), (60.0, False)])
def test_waiting_is_shown_to_those_who_wait(
    monkeypatch: pytest.MonkeyPatch, patience: float, shown: bool
) -> None:
    monkeypatch.setattr(_progress, "_PATIENCE", patience)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with _progress.Elapsed("counting sheep"):
        until = time.monotonic() + (60 if shown else 0.3)
        while time.monotonic() < until and not screen.getvalue():
            time.sleep(0.01)
    assert ("counting sheep" in screen.getvalue()) is shown
    with _progress.Elapsed("counting goats", show=False):
        time.sleep(0.1)
    assert "goats" not in screen.getvalue()


def test_progress_waits_and_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, patience, shown in (
        (io.StringIO(), 0.0, False),
        (Terminal(), 1e9, False),
        (Terminal(), 0.0, True),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(_progress, "_PATIENCE", patience)
        with _progress.Counter("rows read") as progress:
            progress(1_234_567)
            progress(2_345_678)
        assert ("rows read" in stream.getvalue()) is shown
