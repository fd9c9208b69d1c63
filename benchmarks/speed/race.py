"""The race: areas, curves, DeLong intervals and paired tests beside every program, R among them.

All entrants see the same data, in one run, in turn, round after round. Up to 10^4 cases each call
gets the next of 16 samples: a processor that sees a thousand cases again and again learns which way
each comparison of a sort goes, as it never could of a user's. Ratios are taken round by round and
their least, median and largest are shown; answers are compared with ours, and an answer that
differs by more than 1e-6 is said to. Before the first race every entrant answers once at 10^6
cases, untimed, so that all are raced in a warm process: imported, compiled, and on the way that
they take in a long session; and whoever needs less than a second calls once untimed before each
timing, so that nobody pays in every round for what the same entrant before it did to the caches. R
is one process of `Rscript` that lives as long as the race, reads the same numbers, and takes its
times itself. Who is not installed is named; who is predicted to take longer than ``--limit``
seconds sits out larger samples. For R, install pROC, ROCR and PRROC:
``install.packages(c("pROC", "ROCR", "PRROC"))``.

    python -m benchmarks.speed race --quick    # to 10^4, for a look; results kept apart
    python -m benchmarks.speed race            # to 10^7, and the README's table; an idle machine
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import math
import statistics
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from time import perf_counter
from typing import Any

from benchmarks.speed import machine, readme
from benchmarks.speed.auc import GROWING, Kind, powers_of_ten
from benchmarks.speed.bootstrap import OURS as OURS_PAIRED
from benchmarks.speed.bootstrap import PAIRED, data
from benchmarks.speed.bootstrap import prepared as prepared_test
from benchmarks.speed.common import (
    Lap,
    Race,
    Target,
    duration,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from benchmarks.speed.entrants import (
    ENTRANTS,
    OURS_AUC,
    OURS_CURVE,
    OURS_DELONG,
    SCORS,
    SKLEARN_AUC,
    SKLEARN_CURVE,
    Call,
    prepared,
)
from benchmarks.speed.in_r import R, Sample

Row = dict[str, Any]
TASKS = {"auc": OURS_AUC, "curve": OURS_CURVE, "delong": OURS_DELONG, "paired": OURS_PAIRED}
TITLES = {
    "auc": "Area under the curve",
    "curve": "The whole curve",
    "delong": "Area with DeLong's interval",
    "paired": "DeLong's test of two scores of the same cases",
}
IN_R = {
    "pROC auc": ("pROC", "auc"),
    "ROCR auc": ("ROCR", "auc"),
    "PRROC roc.curve": ("PRROC", "auc"),
    "pROC roc": ("pROC", "curve"),
    "ROCR tpr fpr": ("ROCR", "curve"),
    "pROC ci.auc": ("pROC", "delong"),
    "pROC roc.test": ("pROC", "paired"),
}
AGREES = 1e-6
BUDGET = 20.0  # seconds: who has used them sits out the remaining rounds of a case
LONGEST_TEST = 10**6
ROTATED, SAMPLES = 10**4, 16  # up to so many cases each call gets another of so many samples
WARM = 10**6  # cases that every entrant counts once before the first race, untimed


# --- R ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class InR:
    """A call that R runs and times."""

    r: R
    name: str

    def __call__(self) -> float:
        return float(self.r.ask("run", self.name, "1")[1])

    def timed(self, loops: int) -> float:
        return float(self.r.ask("run", self.name, str(loops))[0])


# --- running ------------------------------------------------------------------------------------


def of(n: int) -> range:
    """Return the numbers of the samples of so many cases."""
    return range(SAMPLES if n <= ROTATED else 1)


class Rotation:
    """The calls of one entrant, one for each sample, in turn."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.next = cycle(calls).__next__

    def __call__(self) -> Any:
        return self.next()()


@dataclass(frozen=True)
class Runner:
    """An entrant of one task, ready to run."""

    name: str
    package: str
    version: str
    call: Call
    read: Any = float
    note: str = ""


class Course:
    """Runs the tasks and remembers who became too slow."""

    def __init__(self, rounds: int, limit: float, r: R) -> None:
        self.rounds, self.limit, self.r = rounds, limit, r
        self.last: dict[str, tuple[int, float]] = {}
        self.rows: list[Row] = []

    def warm_up(self, n: int = WARM) -> None:
        """Let every entrant answer once, untimed; who fails here fails in its race too."""
        for task, runners in self._tasks(n):
            for r in runners:
                start = perf_counter()
                with _quiet(), contextlib.suppress(Exception):
                    r.call()
                print(
                    f"warm    {task:7} {r.name:24} {duration(perf_counter() - start)}", flush=True
                )

    def sample(self, n: int) -> None:
        """Race all tasks at one size."""
        for task, runners in self._tasks(n):
            self._task(task, n, runners)

    def _tasks(self, n: int) -> Iterator[tuple[str, list[Runner]]]:
        """Yield the tasks with those who take part, ready to run."""
        samples: list[Sample] = [
            (label, (score, score)) for label, score in map(partial(Kind(GROWING).make, n), of(n))
        ]
        self.r.read(samples)
        for task in ("auc", "curve", "delong"):
            runners = [
                Runner(
                    e.name,
                    e.package,
                    machine.version(e.package),
                    Rotation([prepared(e, label, scores[0]) for label, scores in samples]),
                    e.read,
                    e.note,
                )
                for e in ENTRANTS
                if e.task == task and e.name != "MLstatkit" and self._may(e.name, n)
            ]
            yield task, [*runners, *self._in_r(task, n)]
        del samples
        if n > LONGEST_TEST:
            return
        pairs = [data(n, i) for i in of(n)]
        self.r.read(pairs)
        runners = [
            Runner(
                p.name,
                p.package,
                machine.version(p.package),
                Rotation([prepared_test(p, label, scores, 0) for label, scores in pairs]),
                note=p.note,
            )
            for p in PAIRED
            if self._may(f"paired {p.name}", n)
        ]
        yield "paired", [*runners, *self._in_r("paired", n)]

    def _in_r(self, task: str, n: int) -> list[Runner]:
        return [
            Runner(name, f"R: {package}", self.r.versions[package], InR(self.r, name))
            for name, (package, of) in IN_R.items()
            if of == task and package in self.r.versions and self._may(name, n)
        ]

    def _may(self, name: str, n: int) -> bool:
        if name not in self.last:
            return True
        before, seconds = self.last[name]
        return seconds * (n / before) * 1.2 <= self.limit

    def _task(self, task: str, n: int, runners: Sequence[Runner]) -> None:
        rounds = self.rounds * (3 if n <= 10**4 else 1)
        with _quiet():
            laps = Race(rounds, BUDGET).run({r.name: r.call for r in runners})
        ours = laps[TASKS[task]]
        mine = next(r for r in runners if r.name == TASKS[task])
        truth = mine.read(ours.answer)
        for r in runners:
            self.rows.append(_row(task, n, r, laps[r.name], ours, truth))
            print(_line(self.rows[-1]), flush=True)
            key = r.name if task != "paired" or r.package.startswith("R:") else f"paired {r.name}"
            if not laps[r.name].error:
                self.last[key] = (n, laps[r.name].seconds)
        del laps, ours
        gc.collect()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Neither warnings nor what entrants print."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def _row(task: str, n: int, r: Runner, lap: Lap, ours: Lap, truth: float) -> Row:
    ratios = [a / b for a, b in zip(lap.times, ours.times, strict=False)]
    gap = math.nan
    if lap.answer is not None and r.read is not None:
        gap = abs(float(r.read(lap.answer)) - truth)
    gone = not r.version
    return {
        "task": task,
        "n": n,
        "entrant": r.name,
        "package": r.package,
        "version": r.version,
        "median": f"{statistics.median(lap.times):.4g}" if lap.times else "",
        "best": f"{lap.seconds:.4g}" if lap.times else "",
        "rounds": len(lap.times),
        "least": f"{min(ratios):.4g}" if ratios else "",
        "ratio": f"{statistics.median(ratios):.4g}" if ratios else "",
        "most": f"{max(ratios):.4g}" if ratios else "",
        "difference": "" if math.isnan(gap) else f"{gap:.2g}",
        "agrees": "" if math.isnan(gap) else str(gap <= AGREES),
        "note": r.note,
        "error": "not installed" if gone else lap.error,
    }


def _line(row: Row) -> str:
    took = duration(float(row["median"])) if row["median"] else row["error"][:60]
    times = f"{row['ratio']:>7} x ours ({row['least']} to {row['most']})" if row["ratio"] else ""
    differs = "" if row["agrees"] != "False" else f"  DIFFERS by {row['difference']}"
    return f"{row['task']:7} {power(row['n']):>5} {row['entrant']:24} {took:>9} {times}{differs}"


# --- writing --------------------------------------------------------------------------------------


def ratio(rows: Sequence[Row], task: str, n: int, name: str) -> float | None:
    """Return an entrant's median time in units of ours."""
    found = [r["ratio"] for r in rows if (r["task"], r["n"], r["entrant"]) == (task, n, name)]
    return float(found[0]) if found and found[0] else None


def targets(rows: Sequence[Row]) -> list[Target]:
    """What the library set out to reach."""
    sizes = sorted({row["n"] for row in rows})
    made = []
    for n in sizes:
        scors = ratio(rows, "auc", n, SCORS)
        name = f"{power(n)}: auc_score / scors"
        made.append(Target(name, scors and 1 / scors, 1.0 if n <= 1000 else 0.7))
        sklearn = ratio(rows, "auc", n, SKLEARN_AUC)
        made.append(Target(f"{power(n)}: scikit-learn / auc_score", sklearn, 15, True))
    for n in sizes:
        for name, bound in ((SKLEARN_CURVE, 6), ("pROC roc", 8)):
            found = ratio(rows, "curve", n, name)
            made.append(Target(f"{power(n)}: {name} / roc_curve(tabulate)", found, bound, True))
    for n in sizes:
        medians = {r["entrant"]: float(r["median"]) for r in rows if r["n"] == n and r["median"]}
        both = (medians.get(OURS_DELONG), medians.get(OURS_CURVE))
        share = both[0] / both[1] if both[0] and both[1] else None
        made.append(Target(f"{power(n)}: delong with interval / roc_curve", share, 1.4))
    for n in (10**4, 10**5, 10**6):
        others = [
            float(r["ratio"])
            for r in rows
            if r["task"] == "paired" and r["n"] == n and r["ratio"] and r["entrant"] != OURS_PAIRED
        ]
        name = f"{power(n)}: fastest other / paired DeLong"
        made.append(Target(name, min(others, default=None), 10, True))
    return made


def faster(rows: Sequence[Row]) -> str:
    """Say where somebody was faster than we are."""
    found = [
        f"- {TITLES[r['task']]}, n = {power(r['n'])}: {r['entrant']} took {float(r['ratio']):.2f} "
        f"of our time ({float(r['least']):.2f} to {float(r['most']):.2f})."
        for r in rows
        if r["package"] != "rocspace" and r["ratio"] and float(r["ratio"]) < 1
    ]
    return "\n".join(found) or "Nobody, at any size."


def task_table(rows: Sequence[Row], task: str) -> str:
    """Entrants down, sizes across: the median time, and in units of ours least, median, most."""
    own = [row for row in rows if row["task"] == task]
    sizes = sorted({row["n"] for row in own})
    cell: Mapping[tuple[str, int], Row] = {(row["entrant"], row["n"]): row for row in own}
    body = [
        [name, *(_cell(cell.get((name, n)), name == TASKS[task]) for n in sizes)]
        for name in dict.fromkeys(row["entrant"] for row in own)
    ]
    return table(["", *(power(n) for n in sizes)], body)


def _cell(row: Row | None, ours: bool) -> str:
    if row is None or not row["median"]:
        return "—"
    took = duration(float(row["median"]))
    if ours:
        return took
    least, middle, most = (f"{float(row[name]):.3g}" for name in ("least", "ratio", "most"))
    return f"{took}: {middle} ({least} to {most})"


def who(rows: Sequence[Row]) -> str:
    """Each entrant: package, version, largest difference, note, error."""
    body = []
    for task, name in dict.fromkeys((row["task"], row["entrant"]) for row in rows):
        own = [row for row in rows if (row["task"], row["entrant"]) == (task, name)]
        gaps = [float(row["difference"]) for row in own if row["difference"]]
        errors = "; ".join(dict.fromkeys(row["error"] for row in own if row["error"]))[:80]
        largest = f"{max(gaps):.1e}" if gaps else "—"
        head = [name, task, own[0]["package"], own[0]["version"] or "—"]
        body.append([*head, largest, own[0]["note"], errors])
    return table(["", "task", "package", "version", "difference", "note", "error"], body)


HEAD = """\
# The race: times beside other programs

Written by `python -m benchmarks.speed race`. Normal float64 scores, 10 % positive (half in the
paired test); up to 10^4 cases each call gets the next of 16 samples. Every entrant counted 10^6
cases once before, untimed, and who needs less than a second calls once untimed before each timing.
A cell is the median time, and that time in units of ours: median (least to largest of the rounds).
"""


def page(rows: Sequence[Row], r: R, n_sort: int) -> str:
    """All tables as one page."""
    missing = sorted({package for package, _ in IN_R.values()} - set(r.versions))
    without = f"\n\nNot installed in R: {', '.join(missing)}." if missing else ""
    parts = [
        HEAD,
        machine.markdown(n_sort),
        f"## Where somebody is faster\n\n{faster(rows)}",
        f"## Targets\n\n{target_table(targets(rows))}",
        *(f"## {title}\n\n{task_table(rows, task)}" for task, title in TITLES.items()),
        f"## Who took part, and whether the answers agree\n\n{who(rows)}{without}",
    ]
    return "\n\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="to 10^4, results kept apart")
    parser.add_argument("--max", type=float, default=1e7, help="largest n (default 1e7)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each race")
    parser.add_argument("--limit", type=float, default=12.0, help="seconds one call may take")
    options = parser.parse_args(arguments)
    most = min(int(options.max), 10**4) if options.quick else int(options.max)
    rounds = 2 if options.quick else options.rounds
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    r = R()
    course = Course(rounds, options.limit, r)
    course.warm_up()
    for n in powers_of_ten(most):
        if n >= 1000:
            course.sample(n)
    r.close()
    folder = results_folder(options.quick)
    write_csv(folder / "race.csv", course.rows)
    write_text(folder / "race.md", page(course.rows, r, n_sort))
    if not options.quick:
        readme.main([])


if __name__ == "__main__":
    main()
