"""Granular ROC: one granularity, and a grid of a thousand, next to tabulating the same scores.

A tabulation is `tabulate` on one thread. Methods of a table do not include making it, and start
from one that nothing has been asked of. Sigmoids of normal scores, half of them positive.

    python -m benchmarks.speed granular --quick      # to 10^5, for a look
    python -m benchmarks.speed granular              # to 10^6: some two minutes
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.speed import machine
from benchmarks.speed.common import (
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
from rocspace.granular import buffered_auc, granular_areas, groc, rho, scored_auc, soft_auc

TABULATE = "tabulate, 1 thread"
ONE, CURVES = "areas at one delta", "groc, curves too"
GRID, EXACT = "rho, grid of 1000", "rho, exact"
DELTA = 0.02
MOST_EXACT = 4000  # scores of the exact integral, whose cost is their square

Row = dict[str, Any]

_MEMORY = """
import json, sys, tracemalloc
import numpy as np
import rocspace as rs
from rocspace.granular import granular_areas, groc
n = int(sys.argv[1])
rng = np.random.default_rng(1)
label = rng.random(n) < 0.5
score = 1 / (1 + np.exp(-rng.normal(label * 1.0)))
counts = rs.tabulate(label, score)
groc(counts, 0.02)  # compiles
counts = rs.tabulate(label, score)
tracemalloc.start()
groc(counts, 0.02)
granular_areas(counts, np.linspace(0, 1, 21))
print(json.dumps(dict(bytes=tracemalloc.get_traced_memory()[1] / n)))
"""


def cases(n: int, decimals: int | None = None) -> tuple[Any, Any]:
    """Labels, and scores between 0 and 1."""
    rng = np.random.default_rng(n)
    label = rng.random(n) < 0.5
    score = 1 / (1 + np.exp(-rng.normal(label * 1.0)))
    return label, score if decimals is None else score.round(decimals)


def entrants(label: Any, score: Any) -> dict[str, Callable[[], Any]]:
    """Everything that is timed on one sample."""
    counts = rs.tabulate(label, score)

    def fresh() -> Any:
        return replace(counts)  # without the sums that the last one has kept

    found: dict[str, Callable[[], Any]] = {
        TABULATE: lambda: rs.tabulate(label, score, threads=1),
        ONE: lambda: granular_areas(fresh(), [DELTA]),
        CURVES: lambda: groc(fresh(), DELTA),
        GRID: lambda: rho(fresh(), progress=False),
    }
    if len(counts) <= MOST_EXACT:
        found[EXACT] = lambda: rho(fresh(), deltas="exact")
    return found | {
        "scored_auc": lambda: scored_auc(fresh()),
        "soft_auc, beta 10": lambda: soft_auc(fresh(), beta=10.0),
        "buffered_auc": lambda: buffered_auc(fresh()),
    }


def measure(case: str, label: Any, score: Any, rounds: int) -> list[Row]:
    """Race all on one sample; whatever takes long runs once or twice."""
    start = time.perf_counter()
    laps = Race(rounds, 6.0).run(entrants(label, score))
    one = laps[TABULATE].seconds
    print(f"{case} {power(label.size)}: {time.perf_counter() - start:.0f} s", flush=True)
    return [
        {
            "case": case,
            "n": label.size,
            "entrant": name,
            "seconds": lap.seconds,
            "tabulations": lap.seconds / one,
            "error": lap.error,
        }
        for name, lap in laps.items()
    ]


def slope(rows: Sequence[Row], name: str, low: int) -> float:
    """Slope of log time on log n."""
    points = [(r["n"], r["seconds"]) for r in rows if r["entrant"] == name and r["n"] >= low]
    n, seconds = np.log(np.array(points)).T
    return float(np.polyfit(n, seconds, 1)[0]) if n.size > 1 else float("nan")


def growth_table(rows: Sequence[Row], low: int) -> str:
    """Entrants down, n across, the slope last."""
    sizes = sorted({row["n"] for row in rows})
    seconds = {(row["entrant"], row["n"]): row["seconds"] for row in rows}
    body = []
    for name in dict.fromkeys(row["entrant"] for row in rows):
        steep = slope(rows, name, low if name != EXACT else 0)
        cells = [duration(seconds.get((name, n))) for n in sizes]
        body.append([name, *cells, "" if np.isnan(steep) else f"{steep:.2f}"])
    return table(["", *map(power, sizes), "slope"], body)


def kinds_table(rows: Sequence[Row]) -> str:
    """Entrants down, kinds of scores across, in tabulations of the same scores."""
    kinds = list(dict.fromkeys(row["case"] for row in rows))
    found = {(row["entrant"], row["case"]): row["tabulations"] for row in rows}
    names = [n for n in dict.fromkeys(row["entrant"] for row in rows) if n != EXACT]
    body = [[name, *(f"{found[name, kind]:.2f}" for kind in kinds)] for name in names]
    return table(["", *kinds], body)


def targets(rows: Sequence[Row], n: int, low: int, memory: dict[str, Any]) -> list[Target]:
    """What the sixth issue asks for."""
    found = {(row["entrant"], row["n"]): row["tabulations"] for row in rows}
    size = power(n)
    return [
        Target(f"{size}: {ONE} / {TABULATE}", found[ONE, n], 1.0),
        Target(f"{size}: {GRID} / {TABULATE}", found[GRID, n], 400.0),
        *(
            Target(f"slope from {power(low)} on: {name}", slope(rows, name, low), 1.1)
            for name in (ONE, CURVES, GRID)
        ),
        Target(
            f"{size}: most bytes in use for each score, beyond the table",
            memory.get("bytes"),
            400.0,
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="to 10^5")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    most, low = (10**5, 10**4) if options.quick else (10**6, 10**5)
    machine.describe(10**6)
    rows: list[Row] = []
    n = 1000
    while n <= most:
        rows += measure("float64", *cases(n), options.rounds)
        if n * 3 <= most:
            rows += measure("float64", *cases(3 * n), options.rounds)
        n *= 10
    main_rows = list(rows)
    label, score = cases(most)
    kinds = [row for row in rows if row["n"] == most]
    for name, other in (
        ("6 decimals", score.round(6)),
        ("3 decimals", score.round(3)),
        ("float32", score.astype(np.float32)),
    ):
        kinds += measure(name, label, other, options.rounds)
    rows += [row for row in kinds if row["case"] != "float64"]
    memory = in_fresh_process(_MEMORY, str(most))
    text = [
        "# Granular ROC",
        "Written by `python -m benchmarks.speed granular`. The grid uses all cores.",
        machine.markdown(10**6),
        f"## Targets\n\n{target_table(targets(main_rows, most, low, memory))}",
        f"## Time, and log-log slope from {power(low)} on\n\n{growth_table(main_rows, low)}",
        f"## Kinds of scores at {power(most)}, in tabulations of the same\n\n{kinds_table(kinds)}",
    ]
    folder = results_folder(options.quick)
    write_csv(folder / "granular.csv", rows)
    write_text(folder / "granular.md", "\n\n".join(text))


if __name__ == "__main__":
    main()
