"""A parquet file that does not fit into memory: time, peak memory and error of the area.

Each entrant runs in a fresh process and reads the same file of 10^8 rows (float64 normal
scores, 10 % positive, row groups of a million), kept under the folder for temporary files. A
run before, of few rows (rocspace's first of all of them), is not timed: it leaves bytecode and
compiled loops on the disk, as after an installation.
The group-by of DuckDB and polars stops at the counts by score, the least that an exact area
needs of them; "area" also sorts and adds them up. Spark's evaluator puts the scores into 1000
bins, its default. Errors are distances from the exact area.

    python -m benchmarks.speed huge --quick      # 10^6 rows, for a look
    python -m benchmarks.speed huge              # 10^8 rows: some ten minutes, 16 GB of memory
    python -m benchmarks.speed huge --n 1e7      # as many as Spark can do in a minute or two
    python -m benchmarks.speed huge --huge       # 10^9 rows, 9 GB of disk
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed import machine
from benchmarks.speed.common import (
    ROOT,
    Target,
    duration,
    environment,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from benchmarks.speed.make_rows import make_rows

_OURS = """
from rocspace.io import Reading, refine_file
found = refine_file(path, label="label", tolerance={tolerance}, reading=Reading(memory=10**9))
area = found.areas["score"]
answer = dict(value=area.value, low=area.low, high=area.high, passes=area.passes)
"""

_DUCKDB = """
import duckdb
con = duckdb.connect(config={{"threads": threads, "temp_directory": folder}})
groups = f"select score, count(*) n, sum(label::int) p from '{{path}}' group by score"
{rest}
"""
_DUCKDB_GROUPS = """
con.execute(f"create temp table counts as {groups}")
answer = dict(rows=con.execute("select count(*) from counts").fetchone()[0])
"""
_DUCKDB_AREA = """
below = "sum(n - p) over (order by score) - (n - p)"
wins = f"select p, n - p as q, {below} as below from ({groups})"
total = f"select sum(p::double * (2 * below + q)), sum(p), sum(q) from ({wins})"
twice, p, q = con.execute(total).fetchone()
answer = dict(value=float(twice) / (2 * float(p) * float(q)))
"""

_POLARS = """
import polars as pl
rows = pl.scan_parquet(path)
counts = dict(n=pl.len().cast(pl.Int64), p=pl.col("label").sum().cast(pl.Int64))
groups = rows.group_by("score").agg(**counts)
{rest}
"""
_POLARS_GROUPS = """
answer = dict(rows=groups.collect(engine="streaming").height)
"""
_POLARS_AREA = """
counts = groups.sort("score").with_columns(q=pl.col("n") - pl.col("p"))
below = pl.col("q").cum_sum() - pl.col("q")
twice = (pl.col("p") * (2 * below + pl.col("q")).cast(pl.Float64)).sum()
pairs = pl.col("p").sum().cast(pl.Float64) * pl.col("q").sum()
answer = dict(value=counts.select(twice / (2 * pairs)).collect(engine="streaming").item())
"""

_SPARK = """
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.sql import SparkSession
session = (
    SparkSession.builder.master(f"local[{threads}]").config("spark.driver.memory", "12g")
    .config("spark.local.dir", folder).config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    .getOrCreate()
)
session.sparkContext.setLogLevel("ERROR")
rows = session.read.parquet(path).selectExpr("score", "cast(label as double) as label")
judge = BinaryClassificationEvaluator(rawPredictionCol="score", labelCol="label")
answer = dict(value=judge.evaluate(rows))
java = session.sparkContext._gateway.proc.pid
with open(f"/proc/{java}/status") as file:
    answer["peak"] = next(int(x.split()[1]) * 1024 for x in file if x.startswith("VmHWM"))
with open(f"/proc/{java}/stat") as file:
    answer["cpu"] = sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / 100
session.stop()
"""

ENTRANTS = {
    "rocspace, tolerance 1e-6": ("rocspace", _OURS.format(tolerance=1e-6)),
    "rocspace, exact": ("rocspace", _OURS.format(tolerance=0.0)),
    "DuckDB group-by": ("duckdb", _DUCKDB.format(rest=_DUCKDB_GROUPS)),
    "DuckDB area": ("duckdb", _DUCKDB.format(rest=_DUCKDB_AREA)),
    "polars group-by": ("polars", _POLARS.format(rest=_POLARS_GROUPS)),
    "polars area": ("polars", _POLARS.format(rest=_POLARS_AREA)),
    "Spark, 1000 bins": ("pyspark", _SPARK),
}
BOUNDED, EXACT = list(ENTRANTS)[:2]
# Rows from which on the file path is meant to beat a group-by in memory.
RACED = {"DuckDB": 10**7, "polars": 10**8}

_FRAME = """
import json, sys
path, folder, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
{code}
print("\\n" + json.dumps(answer))
"""

# Runs one entrant and tells the highest peak of it and of the processes that it started.
_KEEPER = """
import json, resource, subprocess, sys
done = subprocess.run([sys.executable, "-W", "ignore", "-c", *sys.argv[1:]],
                      capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps(dict(status=done.returncode, out=done.stdout, err=done.stderr[-20000:],
                      peak=used.ru_maxrss * 1024, cpu=used.ru_utime + used.ru_stime)))
"""

Row = dict[str, Any]


def run_entrant(name: str, path: Path, folder: Path, limit: float) -> Row:
    """Run in a fresh process; an entrant that fails or takes too long has an error."""
    package, code = ENTRANTS[name]
    row: Row = {"entrant": name, "version": machine.version(package), "error": ""}
    row |= dict.fromkeys(("seconds", "cpu", "peak", "value", "low", "high", "passes", "rows"), "")
    if not row["version"]:
        return row | {"error": "not installed"}
    arguments = [str(path), str(folder), str(machine.cores())]
    command = [sys.executable, "-c", _KEEPER, _FRAME.format(code=code), *arguments]
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(),
        start_new_session=True,
    )
    try:
        told = json.loads(process.communicate(timeout=limit)[0])
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)  # the session that was started above, and nothing else
        process.communicate()
        return row | {"error": f"took over {limit:g} s"}
    row |= {"seconds": time.perf_counter() - start, "cpu": told["cpu"], "peak": told["peak"]}
    if told["status"]:
        lines = [x.strip() for x in told["err"].splitlines() if "Error" in x or "Exception" in x]
        return row | {"error": lines[-1][:100] if lines else f"exit status {told['status']}"}
    read: Row = json.loads(told["out"].splitlines()[-1])
    return row | read


def targets(rows: Sequence[Row], n: int) -> list[Target]:
    """What the third issue asks for; the race with a group-by is about files beyond memory."""
    found = {row["entrant"]: row for row in rows if not row["error"]}

    def of(name: str, column: str) -> float | None:
        return float(found[name][column]) if name in found else None

    def ratio(name: str) -> float | None:
        ours, theirs = of(BOUNDED, "seconds"), of(name, "seconds")
        return None if ours is None or theirs is None else theirs / ours

    bounded = found.get(BOUNDED)
    width = None if bounded is None else bounded["high"] - bounded["low"]
    peak = of(BOUNDED, "peak")
    size = power(n)
    always = [
        Target(f"{size}: width of the bounds", width, 1e-6),
        Target(f"{size}: peak memory, GB", None if peak is None else peak / 1e9, 1.0),
    ]
    return always + [
        Target(f"{size}: {name} group-by / rocspace", ratio(f"{name} group-by"), 1, True)
        for name, least in RACED.items()
        if n >= least
    ]


def report(rows: Sequence[Row], n: int, file_bytes: int, n_sort: int) -> str:
    """One page: facts, targets, a row for each entrant."""
    exact = next((row["value"] for row in rows if row["entrant"] == EXACT), "")
    body = []
    for row in rows:
        cells = [row["entrant"], row["version"], duration(row["seconds"] or None)]
        cells.append(duration(row["cpu"] or None))
        cells.append(f"{row['peak'] / 1e6:,.0f} MB" if row["peak"] else "")
        cells.append(f"{row['value']:.10f}" if row["value"] != "" else "")
        cells.append(_width(row))
        both = row["value"] != "" and exact != ""
        cells.append(f"{abs(row['value'] - exact):.1e}" if both else "")
        body.append([*cells, str(row["passes"]), row["error"]])
    head = ["", "version", "time", "processor", "peak", "area", "bounds", "error", "passes", "note"]
    about = (
        f"Written by `python -m benchmarks.speed huge`: parquet of {file_bytes / 1e6:,.0f} MB, "
        "every process fresh, the start of Python (and Java) included."
    )
    return "\n\n".join(
        [
            f"# A file of {power(n)} rows",
            about,
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(rows, n))}",
            f"## Entrants\n\n{table(head, body)}",
        ]
    )


def _width(row: Row) -> str:
    return "" if row["low"] == "" else f"± {(row['high'] - row['low']) / 2:.1e}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="10^6 rows")
    parser.add_argument("--huge", action="store_true", help="10^9 rows")
    parser.add_argument("--n", type=float, default=1e8, help="rows (default 1e8)")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for one entrant")
    parser.add_argument("--file", type=Path, help="use (or make) this file of as many rows")
    parser.add_argument("--only", nargs="+", default=[], help="entrants that begin like this")
    options = parser.parse_args(arguments)
    n = 10**6 if options.quick else 10**9 if options.huge else int(options.n)
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    names = [e for e in ENTRANTS if not options.only or e.startswith(tuple(options.only))]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "rows.parquet"
        if not path.exists():
            print(f"making {power(n)} rows", flush=True)
            make_rows(path, n)
        with path.open("rb") as file:  # the first entrant finds it in memory like all others
            while file.read(1 << 24):
                pass
        few = Path(folder) / "few.parquet"
        make_rows(few, 10**5)
        for name in names:
            warm = path if name == names[0] and name.startswith("rocspace") else few
            run_entrant(name, warm, Path(folder), options.limit)
            rows.append(run_entrant(name, path, Path(folder), options.limit))
            row = rows[-1]
            peak = f"{row['peak'] / 1e6:,.0f} MB" if row["peak"] else ""
            print(f"{name:26} {duration(row['seconds'] or None):>8} {peak:>10} {row['error']}")
            sys.stdout.flush()
        size = path.stat().st_size
    folder_out = results_folder(options.quick)
    stem = "huge" if n == 10**8 or options.quick else f"huge_{n:.0e}".replace("+0", "")
    write_csv(folder_out / f"{stem}.csv", rows)
    write_text(folder_out / f"{stem}.md", report(rows, n, size, n_sort))


if __name__ == "__main__":
    main()
