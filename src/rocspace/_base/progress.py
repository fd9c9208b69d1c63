"""Progress of long work: one line in a terminal, after two seconds, and gone at the end."""

from __future__ import annotations

import sys
import threading
import time
from typing import Self

_PATIENCE = 2.0  # seconds of work before anything is shown
_INTERVAL = 0.2  # seconds between two looks


class _Line:
    """A line on standard error, written over itself, and wiped when the block ends."""

    def __init__(self, show: bool | None) -> None:
        self.show = sys.stderr.isatty() if show is None else show
        self._began = time.monotonic()
        self._next = self._began + _PATIENCE
        self._written = False

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _due(self) -> bool:
        """Whether it is time for another look."""
        now = time.monotonic()
        if not self.show or now < self._next:
            return False
        self._next = now + _INTERVAL
        return True

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text:<60}")
        sys.stderr.flush()
        self._written = True

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *error: object) -> None:
        """Wipe the line."""
        if self._written:
            sys.stderr.write("\r" + " " * 60 + "\r")
            sys.stderr.flush()


class Progress(_Line):
    """Show how much of some work is done.

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
        super().__init__(show)
        self.what, self.total, self.done = what, total, 0

    def add(self, steps: int = 1) -> None:
        """Count steps that are done."""
        self.done += steps
        if self._due():
            share = self.done / self.total if self.total else 1.0
            left = self._seconds * (1 - share) / share if share else float("nan")
            self._write(f"{self.what}: {self.done} of {self.total}, {left:.0f} s left")


class Counter(_Line):
    """Show a count so far, where the total is unknown.

    ``with Counter("rows read") as progress: ... progress(1000)``; ``stage`` says what the number
    counts, and may change. Parameters as for `Progress`.
    """

    def __init__(self, stage: str, *, show: bool | None = None) -> None:
        super().__init__(show)
        self.stage = stage

    def __call__(self, so_far: int) -> None:
        """Show the number."""
        if self._due():
            self._write(f"{so_far:,} {self.stage}, {self._seconds:.0f} s")


class Elapsed(_Line):
    """Show what is being done and for how long, where the work itself reports no progress.

    ``with Elapsed("counting in DuckDB") as shown: shown.stage = "pass 2"; ...``. Parameters as
    for `Progress`.
    """

    def __init__(self, what: str, *, show: bool | None = None) -> None:
        super().__init__(show)
        self.what, self.stage = what, ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)

    def _tick(self) -> None:
        patience = _PATIENCE
        while not self._over.wait(patience):
            patience = 5 * _INTERVAL
            what = ", ".join(filter(None, (self.what, self.stage)))
            self._write(f"{what}: {self._seconds:.0f} s")

    def __enter__(self) -> Self:
        """Begin."""
        if self.show:
            self._thread.start()
        return super().__enter__()

    def __exit__(self, *error: object) -> None:
        """Wipe the line."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        super().__exit__(*error)
