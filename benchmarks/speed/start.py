"""What a first call costs: the import, the compilation, and what later processes pay.

Every time is taken in a fresh interpreter, after `import numpy` and the making of the data,
so that only what rocspace adds is seen. "First" runs with an empty numba cache (a new folder,
so the cache of others is left alone) and therefore compiles; "later" finds the cache filled;
"again" is the second call in that process, the lasting cost. What a start costs is the
difference: later minus again.

    python -m benchmarks.speed start --quick
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from typing import Any

from benchmarks.speed import machine
from benchmarks.speed.common import (
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

_IMPORT = """
import json, sys, time
start = time.perf_counter()
import {module}
seconds = time.perf_counter() - start
heavy = ["numba", "scipy.stats", "pandas", "polars", "matplotlib", "sklearn"]
print(json.dumps({{"seconds": seconds, "loaded": [m for m in heavy if m in sys.modules]}}))
"""

_CALL = """
import json, sys, time
import numpy as np
n = int(sys.argv[1])
rng = np.random.default_rng(0)
y = rng.random(n) < 0.1
s = rng.standard_normal(n) + y
times = []
start = time.perf_counter()
import rocspace as rs
times.append(time.perf_counter() - start)
for _ in range(2):
    start = time.perf_counter()
    {call}
    times.append(time.perf_counter() - start)
print(json.dumps({{"import": times[0], "first": times[1], "again": times[2]}}))
"""

CALLS = {
    "auc_score": "rs.auc_score(y, s)",
    "auc(tabulate)": "rs.auc(rs.tabulate(y, s))",
    "delong(tabulate)": "rs.delong(rs.tabulate(y, s)).interval(0.95)",
}

Row = dict[str, Any]


def time_imports(repeats: int) -> list[Row]:
    """Best of several imports, beside what rocspace stands on."""
    rows = []
    for module in ("numpy", "rocspace", "rocspace.curves", "rocspace.inference", "numba"):
        runs = [in_fresh_process(_IMPORT.format(module=module)) for _ in range(repeats)]
        best = min(runs, key=lambda run: run.get("seconds", float("inf")))
        rows.append({"module": module, "seconds": best["seconds"], "loaded": best["loaded"]})
    return rows


def time_calls(sizes: Sequence[int], repeats: int) -> list[Row]:
    """First call with an empty cache, then with a full one."""
    rows = []
    for name, call in CALLS.items():
        for n in sizes:
            code = _CALL.format(call=call)
            with tempfile.TemporaryDirectory() as folder:
                runs = [
                    in_fresh_process(code, str(n), NUMBA_CACHE_DIR=folder)
                    for _ in range(repeats + 1)
                ]
            later = min(runs[1:], key=lambda run: run.get("first", float("inf")))
            row = {"call": name, "n": n, "error": runs[0].get("error", "")}
            if not row["error"]:
                row |= {
                    "first": runs[0]["import"] + runs[0]["first"],
                    "later": later["import"] + later["first"],
                    "again": later["again"],
                }
            rows.append(row)
            print(_line(row), flush=True)
    return rows


def _line(row: Row) -> str:
    times = "  ".join(f"{key} {duration(row.get(key)):>8}" for key in ("first", "later", "again"))
    return f"{row['call']:18} {power(row['n']):>6}  {times}  {row['error']}"


def targets(imports: Sequence[Row], calls: Sequence[Row]) -> list[Target]:
    """What a start may cost."""
    own = next(row["seconds"] for row in imports if row["module"] == "rocspace")
    score = [row for row in calls if row["call"] == "auc_score" and not row["error"]]
    if not score:
        return [Target("import rocspace, s", own, 0.25)]
    first = max(r["first"] - r["again"] for r in score)
    later = [
        Target(f"later processes, n = {power(r['n'])}, s", r["later"] - r["again"], 0.3)
        for r in score
    ]
    compiles = Target("first call after installation (compiles), s", first, 3)
    return [Target("import rocspace, s", own, 0.25), compiles, *later]


def report(imports: Sequence[Row], calls: Sequence[Row], n_sort: int) -> str:
    """Both tables and the targets as one page."""
    columns = ("first", "later", "again")
    call_rows = [
        [f"{row['call']}, n = {power(row['n'])}", *(duration(row.get(c)) for c in columns)]
        for row in calls
    ]
    import_rows = [
        [row["module"], duration(row["seconds"]), ", ".join(row["loaded"])] for row in imports
    ]
    head = ["", "first process (compiles)", "later processes", "again in that process"]
    return "\n\n".join(
        [
            "# What a first call costs\n\nWritten by `python -m benchmarks.speed start`.",
            "Import and call together; the targets are less the lasting cost of the call.",
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(imports, calls))}",
            f"## First calls\n\n{table(head, call_rows)}",
            f"## Imports\n\n{table(['module', 'time', 'heavy packages loaded'], import_rows)}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small samples, under a minute")
    parser.add_argument("--repeats", type=int, default=4, help="processes of each kind")
    options = parser.parse_args(arguments)
    sizes = [10**3, 10**6, 10**7]
    if options.quick:
        sizes, options.repeats = [10**3, 2 * 10**6], 2
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    imports = time_imports(options.repeats)
    calls = time_calls(sizes, options.repeats)
    folder = results_folder(options.quick)
    write_csv(folder / "start.csv", [{**dict.fromkeys(_COLUMNS, ""), **row} for row in calls])
    write_text(folder / "start.md", report(imports, calls, n_sort))


_COLUMNS = ("call", "n", "first", "later", "again", "error")

if __name__ == "__main__":
    main()
