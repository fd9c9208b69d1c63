"""How far long work has come: one line in a terminal, after two seconds, and gone at the end."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self

__all__ = ["Elapsed", "Progress"]

_PATIENCE = 2.0  # seconds of work before anything is shown
_INTERVAL = 0.2  # seconds between two looks


class Progress:
    """Show how much of some work is done, on standard error.

    ``with Progress("bootstrap", 2000) as progress: ... progress.add(50)``. Safe to call from
    several threads: it only counts, and writes whole lines.

    Parameters
    ----------
    what : str
        What is being done, in a word or two.
    total : int
        How many steps there are.
    show : bool, optional
        Whether to show it; by default when standard error is a terminal.
    """

    def __init__(self, what: str, total: int, *, show: bool | None = None) -> None:
        self.what, self.total, self.done = what, total, 0
        self.show = sys.stderr.isatty() if show is None else show
        self._next = time.monotonic() + _PATIENCE
        self._began = time.monotonic()
        self._written = False

    def add(self, steps: int = 1) -> None:
        """Count steps that are done."""
        self.done += steps
        now = time.monotonic()
        if self.show and now >= self._next:
            self._next = now + _INTERVAL
            share = self.done / self.total if self.total else 1.0
            left = (now - self._began) * (1 - share) / share if share else float("nan")
            line = f"{self.what}: {self.done} of {self.total}, {left:.0f} s left"
            sys.stderr.write(f"\r{line:<60}")
            sys.stderr.flush()
            self._written = True

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wipe the line."""
        if self._written:
            _wipe()


class Elapsed:
    """Show what is being done and since when, where another program does it and cannot say more.

    ``with Elapsed("counting in DuckDB") as shown: shown.stage = "pass 2"; ...``. Parameters as
    for `Progress`.
    """

    def __init__(self, what: str, *, show: bool | None = None) -> None:
        self.what, self.stage = what, ""
        self.show = sys.stderr.isatty() if show is None else show
        self._began = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._written = False

    def _tick(self) -> None:
        patience = _PATIENCE
        while not self._over.wait(patience):
            patience = 5 * _INTERVAL
            what = ", ".join(filter(None, (self.what, self.stage)))
            line = f"{what}: {time.monotonic() - self._began:.0f} s"
            sys.stderr.write(f"\r{line:<60}")
            sys.stderr.flush()
            self._written = True

    def __enter__(self) -> Self:
        """Begin."""
        if self.show:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wipe the line."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._written:
            _wipe()


def _wipe() -> None:
    sys.stderr.write("\r" + " " * 60 + "\r")
    sys.stderr.flush()
