"""Shared by the benchmarks: fair timing, peak memory, tables and targets."""

from __future__ import annotations

import csv
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
QUICK_RESULTS = RESULTS / "quick"  # not for quoting; not committed

LEAST_SECONDS = 0.01  # calls faster than this are timed in a loop
MOST_LOOPS = 10_000
SHORT = 1.0  # a call that takes less than so many seconds notices what ran before it

# --- timing -----------------------------------------------------------------------------


@dataclass
class Lap:
    """What one entrant did: its times, the best one, what it answered or raised."""

    seconds: float = float("inf")
    times: list[float] = field(default_factory=list)  # of each round
    runs: int = 0
    spent: float = 0.0
    answer: Any = None
    error: str = ""
    short: bool = False  # whether it calls once untimed before each timing


@dataclass
class Race:
    """Entrants run in turn, round after round, so that noise hits all alike.

    The first call of each is not timed when it is short (it imports, compiles, touches
    pages). Before each timing everybody whose call is short calls once untimed: else who follows
    an entrant that sleeps, or empties the caches, would pay for it in every round. Whoever has used
    up `budget` seconds sits out the remaining rounds. A call of another process has a method
    `timed(loops)`, which returns the seconds that were taken there.
    """

    rounds: int
    budget: float
    laps: dict[str, Lap] = field(default_factory=dict)

    def run(self, entrants: Mapping[str, Callable[[], Any]]) -> dict[str, Lap]:
        """Time every entrant; an entrant that raises leaves the race, its error kept."""
        loops = {name: self._warm_up(name, call) for name, call in entrants.items()}
        gc.collect()
        gc.freeze()  # a dozen packages are loaded: collecting their objects takes long
        for _ in range(self.rounds):
            for name, call in entrants.items():
                lap = self.laps[name]
                if not lap.error and lap.spent < self.budget:
                    self._time(lap, call, loops[name])
        gc.unfreeze()
        return self.laps

    def _warm_up(self, name: str, call: Callable[[], Any]) -> int:
        """Call once for the answer; return how many calls make a readable time."""
        lap = self.laps[name] = Lap()
        start = time.perf_counter()
        try:
            lap.answer = call()
        except Exception as error:  # a peer may raise anything: that is a result too
            lap.error = f"{type(error).__name__}: {error}".splitlines()[0]
            return 0
        first = time.perf_counter() - start
        if first > self.budget:  # no second chance: the long first call counts
            lap.seconds, lap.runs, lap.spent = first, 1, self.budget
            return 1
        again, began = 1.0, time.perf_counter()
        while time.perf_counter() - began < LEAST_SECONDS:  # the first ones still warm up
            start = time.perf_counter()
            call()
            again = min(again, max(time.perf_counter() - start, 1e-7))
        lap.short = again < SHORT
        return max(1, min(MOST_LOOPS, round(LEAST_SECONDS / again)))

    @staticmethod
    def _time(lap: Lap, call: Callable[[], Any], loops: int) -> None:
        gc.collect()
        if lap.short:
            call()  # the one before has used the caches
        gc.disable()
        try:
            start = time.perf_counter()
            if hasattr(call, "timed"):
                took = float(call.timed(loops))
            else:
                for _ in range(loops):
                    call()
                took = time.perf_counter() - start
        finally:
            gc.enable()
        lap.times.append(took / loops)
        lap.seconds = min(lap.times)
        lap.runs += 1
        lap.spent += took


# --- fresh processes ----------------------------------------------------------------------


def environment(**changes: str) -> dict[str, str]:
    """Return the variables of a fresh process, which finds modules compiled, as once installed.

    Where Python is told to write no bytecode, every process compiles numba and pyarrow again, which
    takes seconds, so bytecode is kept in the folder for temporary files.
    """
    known = dict(os.environ)
    if known.pop("PYTHONDONTWRITEBYTECODE", ""):
        known.setdefault("PYTHONPYCACHEPREFIX", str(Path(tempfile.gettempdir()) / "bytecode"))
    return known | changes


def in_fresh_process(code: str, *arguments: str, **changes: str) -> dict[str, Any]:
    """Run code in a fresh interpreter; return the JSON object it prints last."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *arguments],
        env=environment(**changes),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        return {"error": last[0]}
    return dict(json.loads(done.stdout.splitlines()[-1]))


# --- tables -------------------------------------------------------------------------------


def results_folder(quick: bool) -> Path:
    """Where results go; those of a quick run do not overwrite the real ones."""
    folder = QUICK_RESULTS if quick else RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows with one set of columns."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path.relative_to(ROOT)}")


def write_text(path: Path, text: str) -> None:
    path.write_text(text.rstrip() + "\n")
    print(f"wrote {path.relative_to(ROOT)}")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A markdown table; the first column is text, the others numbers."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    width = [max(len(row[i]) for row in cells) for i in range(len(head))]
    width = [max(w, 4) for w in width]

    def line(row: Sequence[str]) -> str:
        padded = [
            row[0].ljust(width[0]),
            *(c.rjust(w) for c, w in zip(row[1:], width[1:], strict=True)),
        ]
        return "| " + " | ".join(padded) + " |"

    rule = "| " + " | ".join(["-" * width[0], *("-" * (w - 1) + ":" for w in width[1:])]) + " |"
    return "\n".join([line(cells[0]), rule, *map(line, cells[1:])])


def duration(seconds: float | None) -> str:
    """Seconds with two or three digits and a fitting unit."""
    if seconds is None or not seconds < float("inf"):
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * size or unit == "µs":
            return f"{seconds / size:.3g} {unit}"
    return ""


def power(n: int) -> str:
    """10^k where n is that, else the number."""
    digits = str(n)
    return f"10^{len(digits) - 1}" if digits.strip("0") == "1" else f"{n:,}"


# --- targets --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """Something the library set out to reach."""

    what: str
    value: float | None
    bound: float
    at_least: bool = False

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        good = self.value >= self.bound if self.at_least else self.value <= self.bound
        return "PASS" if good else "miss"

    def row(self) -> list[str]:
        sign = "≥" if self.at_least else "≤"
        value = "" if self.value is None else f"{self.value:.3g}"
        return [self.what, f"{sign} {self.bound:g}", value, self.verdict]


def target_table(targets: Sequence[Target]) -> str:
    text = table(["target", "bound", "measured", "verdict"], [t.row() for t in targets])
    print(text)
    return text
