"""Frames of an engine: its own count of rows by 10^4 bins, and `tabulate_frame` beside it.

All engines read one parquet file (float64 normal scores, 10 % positive) in this process, in turn,
round after round. "10^4 bins" groups by the place of the score between two numbers that are given,
and counts both classes: one pass, and the least that any engine can do. `tabulate_frame` finds the
range itself, checks labels and missing values, and is certain to 1e-6. The first call of each,
which starts the engine, is not timed.

    python -m benchmarks.speed engines --quick     # 10^5 rows
    python -m benchmarks.speed engines             # 10^7 rows; PySpark needs Java
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed import machine
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
from benchmarks.speed.make_rows import make_rows

CELLS, LOW, HIGH = 10**4, -7.0, 8.0  # wider than any of 10^9 such scores
STEP = CELLS / (HIGH - LOW)
BUDGET = 60.0  # seconds: who has used them sits out the remaining rounds

Row = dict[str, Any]
Counted = Callable[[Any], int]


def _polars(path: Path) -> tuple[Any, Counted]:
    import polars as pl

    place = ((pl.col("score") - LOW) * STEP).cast(pl.Int64)
    both = (pl.len(), pl.col("label").sum().alias("pos"))
    return pl.scan_parquet(path), lambda frame: len(frame.group_by(place).agg(both).collect())


def _duckdb(path: Path) -> tuple[Any, Counted]:
    import duckdb

    connection = duckdb.connect(config={"threads": machine.cores()})
    query = f"""select floor((score - {LOW}) * {STEP})::bigint as place, count(*), sum(label::int)
        from '{path}' group by place"""
    frame = connection.sql(f"select * from '{path}'")
    return frame, lambda _: len(connection.execute(query).fetchall())


def _dask(path: Path) -> tuple[Any, Counted]:
    import dask.dataframe as dd

    def counted(frame: Any) -> int:
        placed = frame.assign(place=((frame["score"] - LOW) * STEP).astype("int64"))
        return len(placed.groupby("place")["label"].agg(["count", "sum"]).compute())

    return dd.read_parquet(path), counted


def _spark(path: Path) -> tuple[Any, Counted]:
    from pyspark.sql import functions as f

    def counted(frame: Any) -> int:
        place = ((f.col("score") - LOW) * STEP).cast("long").alias("place")
        both = (f.count("*"), f.sum(f.col("label").cast("int")))
        return len(frame.groupBy(place).agg(*both).collect())

    return _session().read.parquet(str(path)), counted


def _session() -> Any:
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.memory": "4g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(machine.cores()),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(f"local[{machine.cores()}]")
    for name, value in options.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


ENGINES: dict[str, tuple[str, Callable[[Path], tuple[Any, Counted]]]] = {
    "Dask": ("dask", _dask),
    "Spark": ("pyspark", _spark),
    "DuckDB": ("duckdb", _duckdb),
    "polars": ("polars", _polars),
}
MEANT = ("Spark", "Dask")  # the engines that the target is about


def race(path: Path, names: Sequence[str], rounds: int) -> list[Row]:
    """Time both calls of each engine in turn; an engine that is not installed has an error."""
    from rocspace.curves import auc
    from rocspace.io import tabulate_frame

    rows = []
    for name in names:
        package, prepare = ENGINES[name]
        row: Row = {"engine": name, "version": machine.version(package)}
        row |= dict.fromkeys(("own", "ours", "least", "ratio", "most", "auc", "error"), "")
        rows.append(row)
        if not row["version"]:
            row["error"] = "not installed"
            continue
        with _quiet():
            frame, counted = prepare(path)

            def ours(frame: Any = frame) -> float:
                made = tabulate_frame(frame, label="label", score="score", progress=False)
                return float(auc(made))

            def own(frame: Any = frame, counted: Counted = counted) -> int:
                return counted(frame)

            laps = Race(rounds, BUDGET).run({"own": own, "ours": ours})
        row |= _told(laps["own"], laps["ours"])
        print(_line(row), flush=True)
    return rows


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep what an engine writes to standard error out of the table."""
    with Path(os.devnull).open("w") as nothing, contextlib.redirect_stderr(nothing):
        yield


def _told(own: Lap, ours: Lap) -> Row:
    if own.error or ours.error:
        return {"error": (own.error or ours.error)[:100]}
    ratios = [b / a for a, b in zip(own.times, ours.times, strict=False)]
    return {
        "own": statistics.median(own.times),
        "ours": statistics.median(ours.times),
        "least": min(ratios),
        "ratio": statistics.median(ratios),
        "most": max(ratios),
        "auc": ours.answer,
    }


def _cells(row: Row) -> list[str]:
    if row["error"]:
        return [row["engine"], row["version"], "", "", "", "", row["error"]]
    spread = f"{row['ratio']:.2f} ({row['least']:.2f} to {row['most']:.2f})"
    times = [duration(row["own"]), duration(row["ours"]), spread, f"{row['auc']:.8f}"]
    return [row["engine"], row["version"], *times, ""]


def _line(row: Row) -> str:
    return "  ".join(_cells(row))


def targets(rows: Sequence[Row], n: int) -> list[Target]:
    """What the library set out to reach."""
    found = {row["engine"]: row["ratio"] for row in rows if row["ratio"] != ""}
    return [
        Target(f"{power(n)}: tabulate_frame / 10^4 bins of {name}", found.get(name), 1.5)
        for name in MEANT
    ]


def report(rows: Sequence[Row], n: int, n_sort: int) -> str:
    """One page: facts, targets, a row for each engine."""
    about = (
        "Written by `python -m benchmarks.speed engines`: medians, and the ratio of each round, "
        "median (least to largest)."
    )
    head = ["", "version", "10^4 bins", "tabulate_frame", "ratio", "area", "note"]
    return "\n\n".join(
        [
            f"# Frames of {power(n)} rows",
            about,
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(rows, n))}",
            f"## Engines\n\n{table(head, [_cells(row) for row in rows])}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="10^5 rows")
    parser.add_argument("--n", type=float, default=1e7, help="rows (default 1e7)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each engine")
    parser.add_argument("--only", nargs="+", default=[], help="engines that begin like this")
    options = parser.parse_args(arguments)
    n, rounds = (10**5, 2) if options.quick else (int(options.n), options.rounds)
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    names = [e for e in ENGINES if not options.only or e.startswith(tuple(options.only))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        make_rows(path, n)
        rows = race(path, names, rounds)
    folder_out = results_folder(options.quick)
    write_csv(folder_out / "engines.csv", rows)
    write_text(folder_out / "engines.md", report(rows, n, n_sort))


if __name__ == "__main__":
    main()
