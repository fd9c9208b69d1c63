"""Many scores of the same cases, files with many columns, and what the shell's start costs.

`auc_scores` and `compare_aucs` are timed in this process. Everything else is a command of the
shell, timed from outside, start and all, in turn with ``import sklearn.metrics``, on files that it
writes: 1,000 and 20,000 columns of two rows each, and 200 scores of 2,000 cases, no two alike.

    python -m benchmarks.speed wide --quick
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.speed import machine
from benchmarks.speed.common import (
    Target,
    duration,
    environment,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from rocspace.compare import compare_aucs

Row = dict[str, Any]

_SKLEARN = "import sklearn.metrics"
_HUNDRED = "auc_scores of 1,000 scores x 10^4 cases, a hundred columns"
_AGAINST = "compare_aucs of 1,000 scores x 10^4 cases, each against the first"
_REPORT = "rocspace report of 200 scores"
_BOUNDS = {
    "rocspace auc of 1,000 columns x 2 rows": 2,
    "rocspace auc of 20,000 columns x 2 rows": 30,
    "rocspace columns of 20,000 columns": 5,
    _REPORT: 10,
}
_SHARES = {"rocspace --help": 0.3, "rocspace auc of a small file": 0.8}
_MOST_MB = 4


def write_file(path: Path, scores: np.ndarray, positive: np.ndarray) -> None:
    """Write a csv file of scores with four decimals, its label first."""
    head = ",".join(["label", *(f"s{i}" for i in range(scores.shape[1]))])
    rows = np.column_stack([positive, scores])
    form = ["%d", *["%.4f"] * scores.shape[1]]
    np.savetxt(path, rows, fmt=form, delimiter=",", header=head, comments="")


def write_files(folder: Path) -> None:
    """Write the wide files, and one of 200 scores, a third of whose cases are positive."""
    rng = np.random.default_rng(0)
    for k in (1000, 20_000):
        write_file(folder / f"{k}.csv", rng.random((2, k)), np.array([0, 1]))
    positive = rng.random(2000) < 0.3
    scores = rng.standard_normal((2000, 200)) + np.outer(positive, rng.random(200))
    write_file(folder / "200.csv", scores, positive)


def commands(folder: Path) -> dict[str, list[str]]:
    """Return what is run in the shell, by its name."""
    shell, label = [sys.executable, "-m", "rocspace"], ["--label", "label", "--quiet"]
    page = ["--output", str(folder / "report.html")]
    arguments = {
        "rocspace auc of 1,000 columns x 2 rows": ["auc", str(folder / "1000.csv"), *label],
        "rocspace auc of 20,000 columns x 2 rows": ["auc", str(folder / "20000.csv"), *label],
        "rocspace columns of 20,000 columns": ["columns", str(folder / "20000.csv")],
        _REPORT: ["report", str(folder / "200.csv"), *label, *page],
        "rocspace --help": ["--help"],
        "rocspace auc of a small file": ["auc", "two_class_example", "--quiet"],
    }
    known = {name: [*shell, *each] for name, each in arguments.items()}
    return {**known, _SKLEARN: [sys.executable, "-c", _SKLEARN]}


def time_commands(known: Mapping[str, list[str]], rounds: int) -> list[Row]:
    """Time each in turn, round after round, after one run that is not timed."""
    times: dict[str, list[float]] = {name: [] for name in known}
    for turn in range(rounds + 1):
        for name, command in known.items():
            start = time.perf_counter()
            subprocess.run(command, env=environment(), stdout=subprocess.DEVNULL, check=True)
            if turn:
                times[name].append(time.perf_counter() - start)
    return [_row(name, each) for name, each in times.items()]


def time_many(rounds: int) -> list[Row]:
    """Time a thousand scores of the same cases: the areas of a hundred, and all against one."""
    rng = np.random.default_rng(1)
    positive = rng.random(10**4) < 0.3
    scores = rng.standard_normal((10**4, 1000)) + positive[:, np.newaxis]
    data = rs.pair_scores(positive, scores)
    areas, against = [], []
    for _ in range(rounds + 2):  # the first ones compile
        start = time.perf_counter()
        rs.auc_scores(positive, scores)
        areas.append((time.perf_counter() - start) / 10)
        start = time.perf_counter()
        compare_aucs(data, reference=data.names[0])
        against.append(time.perf_counter() - start)
    return [_row(_HUNDRED, areas[2:]), _row(_AGAINST, against[2:])]


def _row(name: str, times: Sequence[float]) -> Row:
    return {"what": name, "median": statistics.median(times), "least": min(times)}


def targets(rows: Sequence[Row], size: int) -> list[Target]:
    """What many columns, and a start, may cost: medians, seconds unless it says otherwise."""
    of = {row["what"]: row["median"] for row in rows}
    return [
        Target(f"{_HUNDRED}, ms", 1000 * of[_HUNDRED], 25),
        *(Target(f"{name}, s", of[name], bound) for name, bound in _BOUNDS.items()),
        Target("that report, MB", size / 1e6, _MOST_MB),
        *(
            Target(f"{name} / {_SKLEARN}", of[name] / of[_SKLEARN], bound)
            for name, bound in _SHARES.items()
        ),
    ]


def report(rows: Sequence[Row], size: int) -> str:
    """The targets and the times as one page."""
    lines = [[row["what"], duration(row["median"]), duration(row["least"])] for row in rows]
    return "\n\n".join(
        [
            "# Many scores, wide files, and the start of the shell",
            "Written by `python -m benchmarks.speed wide`.",
            machine.markdown(10**6),
            f"## Targets\n\n{target_table(targets(rows, size))}",
            f"## Times\n\n{table(['', 'median', 'least'], lines)}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each that are timed")
    options = parser.parse_args(arguments)
    rounds = 1 if options.quick else options.rounds
    machine.describe(10**6)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        rows = [*time_many(rounds), *time_commands(commands(folder), rounds)]
        size = (folder / "report.html").stat().st_size
    where = results_folder(options.quick)
    write_csv(where / "wide.csv", rows)
    write_text(where / "wide.md", report(rows, size))


if __name__ == "__main__":
    main()
