"""Comparing scores of the same cases: DeLong's test beside other packages, and our longer tests.

The paired test runs in one process with its peers, in turn, round after round, and all answers are
compared. Tests without a peer in Python (ten scores with their covariance, Venkatraman's test,
permutations) are only timed.

    python -m benchmarks.speed compare --quick    # a minute, for a look
    python -m benchmarks.speed compare
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.speed import machine
from benchmarks.speed.bootstrap import BUDGET, PAIRED, TEST, Case, case_table, data, ratio, run
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
from rocspace.compare import compare_aucs, permutation_test, venkatraman_test

PERMUTATIONS = 2000
Row = dict[str, Any]


def longer(n: int) -> dict[str, Callable[[], Any]]:
    """Return what nobody else does, or not in Python."""
    label, scores = data(n)
    rng = np.random.default_rng(n)
    ten = np.column_stack([scores[0] + rng.standard_normal(n) for _ in range(10)])
    pair = rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
    many = rs.pair_scores(label, ten)
    tables = pair.table("a"), pair.table("b")
    options: dict[str, Any] = {"n_perm": PERMUTATIONS, "rng": 1, "progress": False}
    return {
        "ten scores, 45 pairs": lambda: compare_aucs(many),
        "Venkatraman, paired": lambda: venkatraman_test(pair, "a", "b", **options),
        "Venkatraman, independent": lambda: venkatraman_test(
            {"a": tables[0], "b": tables[1]}, **options
        ),
        "permutation of areas": lambda: permutation_test(pair, "a", "b", **options),
    }


def own_rows(n: int, rounds: int) -> list[Row]:
    rows = []
    for name, lap in Race(rounds, BUDGET).run(longer(n)).items():
        row = {"case": name, "n": n, "seconds": f"{lap.seconds:.4g}", "error": lap.error}
        print(f"{name:26} {power(n):>6} {duration(lap.seconds):>9} {lap.error}", flush=True)
        rows.append(row)
    return rows


# --- writing ----------------------------------------------------------------------------------


def page(peers: Sequence[Row], own: Sequence[Row], sizes: Sequence[int]) -> str:
    """All tables as one page."""
    n = sizes[-1]
    name = f"{TEST}, n = {power(n)}: fastest peer / rocspace"
    targets = [Target(name, ratio(peers, Case(TEST, n, PAIRED)), 10, at_least=True)]
    parts = [HEAD, machine.markdown(10**6), f"## Targets\n\n{target_table(targets)}"]
    for n in sizes:
        raced = [row for row in peers if row["n"] == n]
        parts.append(f"## {TEST}, n = {power(n)}\n\n{case_table(raced)}")
    timed = [[row["case"], power(row["n"]), duration(float(row["seconds"]))] for row in own]
    longest = table(["", "cases", "time"], timed)
    parts.append(f"## Longer tests, {PERMUTATIONS} permutations each\n\n{longest}")
    return "\n\n".join(parts)


HEAD = """\
# Comparing scores of the same cases: times

Written by `python -m benchmarks.speed compare`. Labels and scores are arrays; ours pairs and checks
them within its time. Differences are those of the statistic z.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="to 10^4, results kept apart")
    quick = parser.parse_args(arguments).quick
    sizes = (10_000,) if quick else (10_000, 100_000, 1_000_000)
    rounds = 2 if quick else 5
    peers = [row for n in sizes for row in run(Case(TEST, n, PAIRED), rounds)]
    own = [row for n in (1000, 10_000) for row in own_rows(n, 2)]
    folder = results_folder(quick)
    write_csv(folder / "compare.csv", peers)
    write_csv(folder / "compare_longer.csv", own)
    write_text(folder / "compare.md", page(peers, own, sizes))


if __name__ == "__main__":
    main()
