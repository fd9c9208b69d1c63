"""How far long work has come: one line in a terminal, after two seconds, and gone at the end."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

__all__ = ["Progress"]

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
            sys.stderr.write("\r" + " " * 60 + "\r")
            sys.stderr.flush()
