"""How cost grows with n: time from 10^3 to 10^7 cases, and log-log slopes from 10^5 on.

One thread each. Data of several kinds; every time is also given as a multiple of `np.sort` of
the same scores. A slope of 1 is linear; n log n from 10^5 to 10^7 is 1.07.

    python -m benchmarks.speed growth --quick        # to 10^6
    python -m benchmarks.speed growth --max 1e8      # wants 8 GB

The last table is of files on disk, from what `python -m benchmarks.speed huge` wrote last.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.speed import machine
from benchmarks.speed.auc import GROWING, KINDS, Kind, powers_of_ten
from benchmarks.speed.common import (
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
from rocspace.resampling import bootstrap
from rocspace.stream import Tabulator

SORT = "np.sort"
ONE, TWO = "auc_score, 1 thread", "auc_score, 2 threads"
TABULATE = "tabulate, 1 thread"
BATCH = 1 << 18
FILES = {10**6: "huge_1e6", 10**7: "huge_1e7", 10**8: "huge", 10**9: "huge_1e9"}

Row = dict[str, Any]


def in_batches(label: Any, score: Any) -> Any:
    """Count batch by batch, as a file is counted."""
    counter = Tabulator(threads=1)
    for start in range(0, label.size, BATCH):
        counter.update(label[start : start + BATCH], score[start : start + BATCH])
    return counter.table()


def entrants(label: Any, score: Any) -> dict[str, Callable[[], Any]]:
    """Everything that is timed on one sample; methods of a table do not include making it."""
    counts = rs.tabulate(label, score)
    return {
        SORT: lambda: np.sort(score),
        ONE: lambda: rs.auc_score(label, score, threads=1),
        TWO: lambda: rs.auc_score(label, score, threads=2),
        TABULATE: lambda: rs.tabulate(label, score, threads=1),
        "Tabulator, 1 thread": lambda: in_batches(label, score),
        "auc(table)": lambda: rs.auc(counts),
        "roc_curve(table)": lambda: rs.roc_curve(counts),
        "delong(table)": lambda: rs.delong(counts),
        "100 bootstrap areas": lambda: bootstrap(counts, "auc", n_boot=100, rng=1, threads=1),
    }


def measure(kind: Kind, n: int, rounds: int, budget: float) -> list[Row]:
    """Race all on one sample."""
    laps = Race(rounds, budget).run(entrants(*kind.make(n)))
    sort = laps[SORT].seconds
    rows = [
        {
            "case": kind.name,
            "n": n,
            "entrant": name,
            "seconds": lap.seconds,
            "times_np_sort": lap.seconds / sort,
            "error": lap.error,
        }
        for name, lap in laps.items()
    ]
    print(f"{kind.name} {power(n)}: np.sort {duration(sort)}", flush=True)
    return rows


def slope(rows: Sequence[Row], name: str, low: int = 10**5) -> float:
    """Slope of log time on log n."""
    points = [(r["n"], r["seconds"]) for r in rows if r["entrant"] == name and r["n"] >= low]
    n, seconds = np.log(np.array(points)).T
    return float(np.polyfit(n, seconds, 1)[0])


def growth_table(rows: Sequence[Row]) -> str:
    """Entrants down, n across, the slope last."""
    main = [row for row in rows if row["case"] == GROWING]
    sizes = sorted({row["n"] for row in main})
    seconds = {(row["entrant"], row["n"]): row["seconds"] for row in main}
    body = [
        [name, *(duration(seconds[name, n]) for n in sizes), f"{slope(main, name):.2f}"]
        for name in dict.fromkeys(row["entrant"] for row in main)
    ]
    return table(["", *map(power, sizes), "slope"], body)


def kinds_table(rows: Sequence[Row], n: int) -> str:
    """Kinds of data down, entrants across, as multiples of np.sort of float64 normal scores."""
    found = {(r["case"], r["entrant"]): r["seconds"] for r in rows if r["n"] == n}
    names = list(dict.fromkeys(r["entrant"] for r in rows))
    whole = found[GROWING, SORT]
    body = [
        [case, *(f"{found[case, name] / whole:.2f}" for name in names)]
        for case in dict.fromkeys(case for case, _ in found)
    ]
    return table(["", *names], body)


def files_table(folder: Path) -> str:
    """Return entrants down, rows of a parquet file across: time, and the peak of memory."""
    found: dict[str, dict[int, str]] = {}
    for n, name in FILES.items():
        path = folder / f"{name}.csv"
        if not path.exists():
            continue
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if not row["error"]:
                    peak = f"{float(row['peak']) / 1e9:.2g} GB"
                    cell = f"{duration(float(row['seconds']))}, {peak}"
                    found.setdefault(row["entrant"], {})[n] = cell
    if not found:
        return ""
    sizes = sorted({n for cells in found.values() for n in cells})
    body = [[name, *(cells.get(n, "") for n in sizes)] for name, cells in found.items()]
    return table(["", *map(power, sizes)], body)


def targets(rows: Sequence[Row], n: int) -> list[Target]:
    """What the third issue asks for."""

    def ratio(name: str, case: str = GROWING) -> float | None:
        found = {r["entrant"]: r for r in rows if r["case"] == case and r["n"] == n}
        whole = {r["entrant"]: r for r in rows if r["case"] == GROWING and r["n"] == n}
        return found[name]["seconds"] / whole[SORT]["seconds"] if name in found else None

    size = power(n)
    return [
        Target(f"{size}: {ONE} / np.sort", ratio(ONE), 1.5),
        Target(f"{size}: {TWO} / np.sort", ratio(TWO), 1.0),
        Target(f"{size}: {TABULATE} / np.sort", ratio(TABULATE), 2.5),
        *(
            Target(f"{size}: {TABULATE} / np.sort, {case}", ratio(TABULATE, case), 1.25)
            for case in ("sorted", "reversed", "2 decimals", "3 decimals")
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="to 10^6")
    parser.add_argument("--max", type=float, default=1e7, help="largest n (default 1e7)")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    most = 10**6 if options.quick else int(options.max)
    n_kinds = min(most, 10**7)
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    rows: list[Row] = []
    for n in powers_of_ten(most):
        if n >= 1000:
            rows += measure(Kind(GROWING), n, options.rounds, 20.0)
    for kind in KINDS:
        rows += measure(kind, n_kinds, max(options.rounds // 2, 2), 10.0)
    kinds = f"Kinds of data at {power(n_kinds)}, in units of `np.sort` of the first kind"
    text = [
        "# Growth of cost\n\nWritten by `python -m benchmarks.speed growth`.",
        machine.markdown(n_sort),
        f"## Targets\n\n{target_table(targets(rows, n_kinds))}",
        f"## {GROWING}: time, and log-log slope from 10^5 on\n\n{growth_table(rows)}",
        f"## {kinds}\n\n{kinds_table(rows, n_kinds)}",
    ]
    folder = results_folder(options.quick)
    if files := files_table(folder):
        text.append(f"## A parquet file on disk, two cores: time and peak of memory\n\n{files}")
    write_csv(folder / "growth.csv", rows)
    write_text(folder / "growth.md", "\n\n".join(text))


if __name__ == "__main__":
    main()
