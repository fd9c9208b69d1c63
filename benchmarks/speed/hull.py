"""The convex hull beside the counting that must come first.

Two questions of the fourth issue: the hull of 10^7 distinct scores against their tabulation,
and one hull over 100 curves of 10^5 points each against tabulating them. Everything runs in
one process, in turn, round after round; the best time of each counts.

    python -m benchmarks.speed hull --quick      # small samples, for a look
    python -m benchmarks.speed hull
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocspace as rs
from benchmarks.speed import machine
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
from rocspace.hull import auch, roc_hull

BUDGET = 60.0  # seconds: who has used them sits out the remaining rounds
TABULATE, HULL, AREA, SORT = "tabulate", "roc_hull of the table(s)", "auch of the table", "np.sort"

Row = dict[str, Any]
Cases = tuple[NDArray[np.bool_], NDArray[np.float64]]


def draw(n: int, seed: int, share: float = 0.1) -> Cases:
    """Normal scores; positives lie one standard deviation higher."""
    rng = np.random.default_rng([n, seed])
    label = rng.random(n) < share
    return label, rng.standard_normal(n) + label


def one(n: int) -> tuple[str, Mapping[str, Callable[[], Any]]]:
    """One score of n cases."""
    label, score = draw(n, 0)
    counts = rs.tabulate(label, score)
    return f"one curve of {power(len(counts) if len(counts) < n else n)} points", {
        SORT: lambda: np.sort(score),
        TABULATE: lambda: rs.tabulate(label, score),
        HULL: lambda: roc_hull(counts),
        AREA: lambda: auch(counts),
    }


def many(curves: int, n: int) -> tuple[str, Mapping[str, Callable[[], Any]]]:
    """Several scores of n cases each, all at their own."""
    data = {f"score {i}": draw(n, i + 1) for i in range(curves)}
    counts = {name: rs.tabulate(*cases) for name, cases in data.items()}
    return f"{curves} curves of {power(n)} points", {
        SORT: lambda: [np.sort(score) for _, score in data.values()],
        TABULATE: lambda: [rs.tabulate(*cases) for cases in data.values()],
        HULL: lambda: roc_hull(counts),
    }


def race(
    made: tuple[str, Mapping[str, Callable[[], Any]]], n: int, curves: int, rounds: int
) -> list[Row]:
    """Time all of one case."""
    case, calls = made
    laps = Race(rounds, budget=BUDGET).run(calls)
    base = laps[TABULATE].seconds
    rows = []
    for name, lap in laps.items():
        row = {"case": case, "n": n, "curves": curves, "call": name, "seconds": lap.seconds}
        row |= {"runs": lap.runs, "times_tabulate": lap.seconds / base, "error": lap.error}
        rows.append(row)
        print(f"{case:32} {name:26} {duration(lap.seconds):>8} {lap.seconds / base:6.3f}")
    return rows


def targets(rows: Sequence[Row]) -> list[Target]:
    """What the fourth issue asks for."""

    def ratio(curves: bool) -> float:
        found = [r for r in rows if (r["curves"] > 1) == curves and r["call"] == HULL]
        return float(found[0]["times_tabulate"])

    cases = list(dict.fromkeys(row["case"] for row in rows))
    return [
        Target(f"{cases[0]}: hull / tabulate", ratio(False), 1),
        Target(f"{cases[1]}: hull / tabulating them", ratio(True), 2),
    ]


def report(rows: Sequence[Row], n_sort: int) -> str:
    """One page."""
    body = [
        [r["case"], r["call"], duration(r["seconds"]), f"{r['times_tabulate']:.3g}", r["error"]]
        for r in rows
    ]
    return "\n\n".join(
        [
            "# The convex hull beside tabulation\n\nWritten by `python -m benchmarks.speed hull`.",
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(rows))}",
            f"## Times\n\n{table(['', 'call', 'time', 'times tabulate', 'error'], body)}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small samples, a few seconds")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each race")
    options = parser.parse_args(arguments)
    n, curves, each = (10**6, 10, 10**5) if options.quick else (10**7, 100, 10**5)
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    rows = race(one(n), n, 1, options.rounds)
    rows += race(many(curves, each), each, curves, options.rounds)
    folder = results_folder(options.quick)
    write_csv(folder / "hull.csv", rows)
    write_text(folder / "hull.md", report(rows, n_sort))


if __name__ == "__main__":
    main()
