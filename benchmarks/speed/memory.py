"""Peak memory of an answer, as multiples of the size of the scores.

Each case runs in a fresh process: packages loaded and code compiled on a small sample, the
data read from a file, the kernel's high-water mark reset, one call made, the mark read. The
growth is what the call needed beyond the labels and scores that the caller holds; with the
input, both are added.

    python -m benchmarks.speed memory --quick
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.speed import machine
from benchmarks.speed.common import (
    Target,
    in_fresh_process,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)

_CASE = """
import json, sys, time
import numpy as np
{setup}

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name)) * 1024

def call(y, s):
    return {call}

warm = 1 << 20  # large enough to compile every kernel
y = np.load(sys.argv[1] + "/y.npy")
s = np.load(sys.argv[1] + "/s.npy")
call(y[:warm].copy(), s[:warm].copy())
before = status("VmRSS")
try:
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak counts from here
except OSError:
    pass
start = time.perf_counter()
answer = call(y, s)
seconds = time.perf_counter() - start
print(json.dumps({{"growth": max(0, status("VmHWM") - before), "seconds": seconds}}))
"""

_OURS = "import rocspace as rs; rs.counts.compiled_from(1 << 20)"
_SKLEARN = "from sklearn.metrics import roc_auc_score, roc_curve"
_POLARS = "import polars as pl"
_POLARS_CALL = (
    'pl.DataFrame({"y": y, "s": s}).lazy().group_by("s").agg(pos=pl.col("y").sum(), n=pl.len())'
    '.sort("s").collect()'
)

CASES = {
    "np.sort": ("", "np.sort(s)"),
    "auc_score": (_OURS, "rs.auc_score(y, s)"),
    "tabulate": (_OURS, "rs.tabulate(y, s)"),
    "auc(tabulate)": (_OURS, "rs.auc(rs.tabulate(y, s))"),
    "roc_curve(tabulate)": (_OURS, "rs.roc_curve(rs.tabulate(y, s))"),
    "delong(tabulate)": (_OURS, "rs.delong(rs.tabulate(y, s))"),
    "sklearn roc_auc_score": (_SKLEARN, "roc_auc_score(y, s)"),
    "sklearn roc_curve": (_SKLEARN, "roc_curve(y, s)"),
    "polars group-by": (_POLARS, _POLARS_CALL),
}

KINDS = ("float64", "float32", "rounded")

Row = dict[str, Any]


def make(kind: str, n: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Normal scores with 10 % positives; "rounded" has some 900 distinct ones."""
    rng = np.random.default_rng(n)
    label = rng.random(n) < 0.1
    score = rng.standard_normal(n) + label
    if kind == "rounded":
        score = np.round(score, 2)
    return label, score.astype("float32" if kind == "float32" else "float64")


def measure(kind: str, n: int) -> list[Row]:
    """Every case on one sample."""
    label, score = make(kind, n)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/y.npy", label)
        np.save(f"{folder}/s.npy", score)
        for name, (setup, call) in CASES.items():
            code = _CASE.format(setup=setup, call=call)
            # Without this, glibc keeps what the warm-up freed, and the growth looks smaller.
            found = in_fresh_process(code, folder, MALLOC_MMAP_THRESHOLD_="131072")
            row: Row = {"kind": kind, "n": n, "call": name, "score_bytes": score.nbytes}
            row |= dict.fromkeys(("growth", "seconds", "beyond_input", "with_input", "error"), "")
            row |= found
            if not row["error"]:
                row["beyond_input"] = round(row["growth"] / score.nbytes, 2)
                total = row["growth"] + score.nbytes + label.nbytes
                row["with_input"] = round(total / score.nbytes, 2)
            rows.append(row)
            print(f"{kind:8} {power(n)} {name:22} {row['beyond_input']} {row['error']}", flush=True)
    return rows


def targets(rows: Sequence[Row]) -> list[Target]:
    """Peak at most six times the scores, the input counted in."""
    own = {r["call"]: r["with_input"] for r in rows if r["kind"] == "float64" and not r["error"]}
    return [
        Target(f"peak of {name}, scores", own.get(name), 6)
        for name in ("auc_score", "tabulate", "auc(tabulate)")
    ]


def report(rows: Sequence[Row], n: int, n_sort: int) -> str:
    """One table: calls down, kinds across."""
    cell = {(row["call"], row["kind"]): row for row in rows}
    body = [[name, *(_cell(cell[name, kind]) for kind in KINDS)] for name in CASES]
    return "\n\n".join(
        [
            f"# Peak memory at n = {power(n)}\n\nWritten by `python -m benchmarks.speed memory`.",
            "Multiples of the size of the scores: beyond the input (with the input).",
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(rows))}",
            f"## Peaks\n\n{table(['', *KINDS], body)}",
        ]
    )


def _cell(row: Row) -> str:
    if row["error"]:
        return str(row["error"])[:40]
    return f"{row['beyond_input']:.2f} ({row['with_input']:.2f})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small samples, under a minute")
    parser.add_argument("--n", type=float, default=1e7, help="cases (default 1e7)")
    options = parser.parse_args(arguments)
    n = 3 * 10**6 if options.quick else int(options.n)
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    rows = [row for kind in KINDS for row in measure(kind, n)]
    folder = results_folder(options.quick)
    write_csv(folder / "memory.csv", rows)
    write_text(folder / "memory.md", report(rows, n, n_sort))


if __name__ == "__main__":
    main()
