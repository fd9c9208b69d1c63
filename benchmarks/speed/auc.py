"""Area, curve and DeLong's variance beside `np.sort`, scikit-learn and other packages.

Everything runs in one process, in turn, round after round; the best time of each counts.
The main table grows n from 10 to 10^7 or further (float64 normal scores, 10 % positive). The
second varies the data at 10^6 and 10^7: float32, rounded, integer, sorted, reversed, rare and
balanced positives. Each answer is compared with ours, and the largest difference printed. Peaks
of memory are taken in fresh processes. Whoever is predicted to take longer than `--limit`
seconds sits out the larger samples.

    python -m benchmarks.speed auc --quick          # seconds, for a look
    python -m benchmarks.speed auc --max 1e8        # all; wants 16 GB and an idle machine
"""

from __future__ import annotations

import argparse
import gc
import math
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.speed import machine
from benchmarks.speed.common import (
    ROOT,
    Lap,
    Race,
    Target,
    duration,
    in_fresh_process,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from benchmarks.speed.entrants import (
    CORE,
    ENTRANTS,
    OURS_AUC,
    OURS_TABLE,
    SKLEARN_AUC,
    SORT,
    Entrant,
    Labels,
    Scores,
    prepared,
)

GROWING = "normal float64, 10 % positive"
SMALL = 10**5  # up to this, timings are repeated more often
BUDGET = 10.0  # seconds: who has used them sits out the remaining rounds of a case

Row = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """How the data of a case are made."""

    name: str
    share: float = 0.1
    dtype: str = "float64"
    decimals: int | None = None
    scale: float = 1.0
    order: str = ""

    def make(self, n: int, sample: int = 0) -> tuple[Labels, Scores]:
        """Draw labels and scores; positives lie one standard deviation higher."""
        rng = np.random.default_rng((n, sample))
        label = rng.random(n) < self.share
        label[:2] = True, False
        score = rng.standard_normal(n)
        score += label
        if self.decimals is not None:
            score = np.round(score, self.decimals)
        score = (score * self.scale).astype(self.dtype)
        if self.order:
            order = np.argsort(score, kind="stable")[:: -1 if self.order == "reversed" else 1]
            label, score = label[order], score[order]
        return label, score


KINDS = (
    Kind("float32", dtype="float32"),
    Kind("3 decimals", decimals=3),
    Kind("2 decimals", decimals=2),
    Kind("int64, 1000 values a sd", dtype="int64", scale=1000),
    Kind("int64, wide", dtype="int64", scale=1e12),
    Kind("sorted", order="sorted"),
    Kind("reversed", order="reversed"),
    Kind("0.1 % positive", share=0.001),
    Kind("50 % positive", share=0.5),
)


# --- running ------------------------------------------------------------------------------


class Course:
    """Runs the cases and remembers who became too slow."""

    def __init__(self, rounds: int, limit: float) -> None:
        self.rounds, self.limit = rounds, limit
        self.last: dict[str, tuple[int, float]] = {}  # of each entrant: n and seconds
        self.rows: list[Row] = []

    def case(self, kind: Kind, n: int, entrants: Sequence[Entrant], *, growing: bool) -> None:
        """Race all entrants on one sample and keep the rows."""
        label, score = kind.make(n)
        skipped = [e for e in entrants if growing and self._predicted(e, n) > self.limit]
        running = [e for e in entrants if e not in skipped]
        race = Race(self._rounds(n), budget=min(self.limit, BUDGET))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            laps = race.run({e.name: prepared(e, label, score) for e in running})
        seconds = {name: lap.seconds for name, lap in laps.items()}
        truth = laps[OURS_AUC].answer
        for e in running:
            self.rows.append(self._row(kind, n, e, laps[e.name], seconds, truth))
            if growing and not laps[e.name].error:
                self.last[e.name] = (n, laps[e.name].seconds)
        for e in skipped:
            lap = Lap(error=f"skipped: would take over {self.limit:g} s")
            self.rows.append(self._row(kind, n, e, lap, seconds, truth))
        for row in self.rows[-len(entrants) :]:
            print(_line(row), flush=True)
        del laps, race, label, score
        gc.collect()

    def _rounds(self, n: int) -> int:
        return self.rounds * (3 if n <= SMALL else 1)

    def _predicted(self, entrant: Entrant, n: int) -> float:
        if entrant.name not in self.last:
            return 0.0
        n_last, seconds = self.last[entrant.name]
        return seconds * (n / n_last) * 1.2

    @staticmethod
    def _row(
        kind: Kind, n: int, e: Entrant, lap: Lap, seconds: dict[str, float], truth: float | None
    ) -> Row:
        found = math.isfinite(lap.seconds)
        answer = e.read(lap.answer) if e.read and lap.answer is not None else None
        return {
            "case": kind.name,
            "n": n,
            "task": e.task,
            "entrant": e.name,
            "package": e.package,
            "version": machine.version(e.package),
            "seconds": f"{lap.seconds:.4g}" if found else "",
            "runs": lap.runs,
            "times_np_sort": _ratio(lap.seconds, seconds.get(SORT)),
            "times_sklearn_auc": _ratio(lap.seconds, seconds.get(SKLEARN_AUC)),
            "times_auc_score": _ratio(lap.seconds, seconds.get(OURS_AUC)),
            "difference": "" if answer is None or truth is None else f"{abs(answer - truth):.2g}",
            "error": lap.error,
        }


def _ratio(a: float, b: float | None) -> str:
    return f"{a / b:.4g}" if b and math.isfinite(a) and math.isfinite(b) else ""


def _line(row: Row) -> str:
    took = duration(float(row["seconds"])) if row["seconds"] else row["error"][:90]
    ratio = f"{float(row['times_np_sort']):8.3g} x np.sort" if row["times_np_sort"] else ""
    return f"{row['case'][:30]:30} {power(row['n']):>6} {row['entrant']:24} {took:>10} {ratio}"


# --- memory -------------------------------------------------------------------------------

_PEAK = """
import json, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from benchmarks.speed.entrants import ENTRANTS, prepared
from rocspace.counts import compiled_from
entrant = next(e for e in ENTRANTS if e.name == sys.argv[3])
label, score = (np.load(f"{sys.argv[2]}/{name}.npy") for name in ("label", "score"))

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) * 1024

compiled_from(1 << 20)
warm = min(score.size, compiled_from())  # large enough to compile and import everything
prepared(entrant, label[:warm].copy(), score[:warm].copy())()
call = prepared(entrant, label, score)
before = status("VmRSS")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak counts from here
answer = call()
print(json.dumps(dict(growth=max(0, status("VmHWM") - before))))
"""


def peaks(names: Sequence[str], n: int) -> list[Row]:
    """What each call needs beyond the labels and scores, in a process of its own."""
    label, score = Kind(GROWING).make(n)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/label.npy", label)
        np.save(f"{folder}/score.npy", score)
        for name in names:
            # Without this, glibc keeps what the first call freed, and the peak looks smaller.
            found = in_fresh_process(
                _PEAK, str(ROOT), folder, name, MALLOC_MMAP_THRESHOLD_="131072"
            )
            growth = found.get("growth")
            row = {"entrant": name, "n": n, "bytes": "" if growth is None else growth}
            row["times_scores"] = "" if growth is None else f"{growth / score.nbytes:.3g}"
            row["error"] = found.get("error", "")[:80]
            rows.append(row)
            print(f"peak at {power(n)} {name:24} {row['times_scores']:>6} x scores {row['error']}")
    return rows


def peaks_table(rows: Sequence[Row]) -> str:
    """Entrants down."""
    body = []
    for row in rows:
        size = f"{row['bytes'] / 1e6:,.0f} MB" if row["bytes"] != "" else "—"
        body.append([row["entrant"], size, row["times_scores"], row["error"]])
    return table(["", "peak beyond the input", "multiple of the scores", "error"], body)


# --- writing ------------------------------------------------------------------------------


def growth_table(rows: Sequence[Row], column: str) -> str:
    """Entrants down, n across."""
    main = [row for row in rows if row["case"] == GROWING]
    sizes = sorted({row["n"] for row in main})
    names = list(dict.fromkeys(row["entrant"] for row in main))
    cell = {(row["entrant"], row["n"]): row for row in main}
    head = ["", *(power(n) for n in sizes)]
    return table(
        head, [[name, *(_cell(cell.get((name, n)), column) for n in sizes)] for name in names]
    )


def kinds_table(rows: Sequence[Row], n: int) -> str:
    """Kinds of data down, entrants across: seconds, and the ratio to `np.sort`."""
    chosen = [row for row in rows if row["n"] == n and row["entrant"] in CORE]
    kinds = list(dict.fromkeys(row["case"] for row in chosen))
    cell = {(row["case"], row["entrant"]): row for row in chosen}
    body = [[kind, *(_both(cell.get((kind, name))) for name in CORE)] for kind in kinds]
    return table([f"n = {power(n)}", *CORE], body)


def _cell(row: Row | None, column: str) -> str:
    if row is None or not row[column]:
        return "—"
    return duration(float(row[column])) if column == "seconds" else f"{float(row[column]):.3g}"


def _both(row: Row | None) -> str:
    seconds, ratio = _cell(row, "seconds"), _cell(row, "times_np_sort")
    return seconds if ratio in {"1", "—"} else f"{seconds} ({ratio})"


def peers_table(rows: Sequence[Row]) -> str:
    """Each peer: version, note, error, and how far its answers are from ours at most."""
    notes = {e.name: e.note for e in ENTRANTS}
    body = []
    for name in dict.fromkeys(row["entrant"] for row in rows):
        own = [row for row in rows if row["entrant"] == name]
        differences = [float(row["difference"]) for row in own if row["difference"]]
        unknown = sum(math.isnan(x) for x in differences)
        differences = [x for x in differences if not math.isnan(x)]
        errors = {row["error"] for row in own if row["error"] and "skipped" not in row["error"]}
        largest = f"{max(differences):.1e}" if differences else "—"
        if unknown:
            errors.add(f"answers nan {unknown} times")
        text = "; ".join(sorted(errors))[:90]
        body.append([name, own[0]["version"] or "not installed", largest, notes[name], text])
    return table(["", "version", "largest difference", "note", "error"], body)


def targets(rows: Sequence[Row]) -> list[Target]:
    """The targets of the first issue that this file can judge."""

    def ratio(name: str, of: str, n: int) -> float | None:
        found = {r["entrant"]: r["seconds"] for r in rows if r["case"] == GROWING and r["n"] == n}
        if not (found.get(name) and found.get(of)):
            return None
        return float(found[name]) / float(found[of])

    return [
        Target("10^7: auc(tabulate) / np.sort", ratio(OURS_TABLE, SORT, 10**7), 3),
        Target("10^7: sklearn / auc(tabulate)", ratio(SKLEARN_AUC, OURS_TABLE, 10**7), 20, True),
        Target("10^7: auc_score / np.sort", ratio(OURS_AUC, SORT, 10**7), 1.8),
        Target("1000: sklearn / auc_score", ratio(SKLEARN_AUC, OURS_AUC, 1000), 15, True),
    ]


def report(
    rows: Sequence[Row], n_kinds: Sequence[int], n_sort: int, peaks_of: Sequence[Row]
) -> str:
    """All tables as one page."""
    parts = [
        "# Area, curve and variance: times\n\nWritten by `python -m benchmarks.speed auc`.",
        machine.markdown(n_sort),
        f"## Targets\n\n{target_table(targets(rows))}",
        f"## Growing n: {GROWING}\n\n{growth_table(rows, 'seconds')}",
        f"## The same, as multiples of np.sort\n\n{growth_table(rows, 'times_np_sort')}",
        f"## The same, as multiples of {SKLEARN_AUC}\n\n{growth_table(rows, 'times_sklearn_auc')}",
        f"## The same, as multiples of {OURS_AUC}\n\n{growth_table(rows, 'times_auc_score')}",
        f"## Memory at n = {power(peaks_of[0]['n'])}\n\n{peaks_table(peaks_of)}",
        "## Kinds of data: time (multiple of np.sort on the same scores)",
        *(kinds_table(rows, n) for n in n_kinds),
        f"## Who took part, and whether the answers agree\n\n{peers_table(rows)}",
        "rocci 0.3.1 is left out: it makes simultaneous bands by bootstrap, nothing listed here.",
    ]
    return "\n\n".join(parts)


def powers_of_ten(most: int) -> Iterator[int]:
    """10, 100, ... up to most."""
    n = 10
    while n <= most:
        yield n
        n *= 10


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small samples, under a minute")
    parser.add_argument("--max", type=float, default=1e7, help="largest n (default 1e7)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each race")
    parser.add_argument("--limit", type=float, default=15.0, help="seconds one call may take")
    options = parser.parse_args(arguments)
    most = int(options.max)
    if options.quick:
        most, options.rounds, options.limit = min(most, 10**6), 2, 1.0
    n_kinds = [n for n in (10**6, 10**7) if n <= most]
    facts = machine.describe(most if options.quick else 10**7)
    print("\n".join(f"{what}: {fact}" for what, fact in facts.items()))
    course = Course(options.rounds, options.limit)
    for n in powers_of_ten(most):
        course.case(Kind(GROWING), n, ENTRANTS, growing=True)
    for n in n_kinds:
        for kind in KINDS:
            core = [e for e in ENTRANTS if e.name in CORE]
            course.case(kind, n, core, growing=False)
    n_peak = min(most, 10**7)
    ran = [r["entrant"] for r in course.rows if r["n"] == n_peak and r["case"] == GROWING]
    timed = {r["entrant"] for r in course.rows if r["n"] == n_peak and r["seconds"]}
    peaks_of = peaks([name for name in ran if name in timed], n_peak)
    folder = results_folder(options.quick)
    write_csv(folder / "auc.csv", course.rows)
    write_csv(folder / "auc_memory.csv", peaks_of)
    n_sort = most if options.quick else 10**7
    write_text(folder / "auc.md", report(course.rows, n_kinds, n_sort, peaks_of))


if __name__ == "__main__":
    main()
