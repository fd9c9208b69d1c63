"""A parquet file of labels and scores, of any length, written in row groups of a million.

Positives lie one standard deviation higher. Row group i is drawn from seed i, so a longer file
starts with the rows of a shorter one.

    python benchmarks/speed/make_rows.py 1e8 rows.parquet
    python benchmarks/speed/make_rows.py 1e7 rows.parquet --dtype float32 --decimals 3 --share 0.001
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 10**6


def make_rows(
    path: Path,
    n: int,
    *,
    share: float = 0.1,
    dtype: str = "float64",
    decimals: int | None = None,
    seed: int = 0,
) -> None:
    """Write n rows: a boolean ``label`` and a number ``score``; whole or not at all."""
    schema = pa.schema([("label", pa.bool_()), ("score", pa.from_numpy_dtype(np.dtype(dtype)))])
    unfinished = path.with_suffix(".part")
    with pq.ParquetWriter(unfinished, schema) as writer:
        for i, start in enumerate(range(0, n, GROUP)):
            rng = np.random.default_rng([seed, i])
            label = rng.random(min(GROUP, n - start)) < share
            score = rng.standard_normal(label.size) + label
            if decimals is not None:
                score = score.round(decimals)
            columns = [pa.array(label), pa.array(score.astype(dtype))]
            writer.write_table(pa.table(columns, schema=schema), row_group_size=GROUP)
    unfinished.replace(path)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("n", type=float, help="rows, as in 1e8")
    parser.add_argument("path", type=Path)
    parser.add_argument("--share", type=float, default=0.1, help="of positives (default 0.1)")
    parser.add_argument("--dtype", default="float64", choices=["float64", "float32"])
    parser.add_argument("--decimals", type=int, help="round the scores")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    make_rows(
        options.path,
        int(options.n),
        share=options.share,
        dtype=options.dtype,
        decimals=options.decimals,
    )
    took = time.perf_counter() - start
    print(f"{options.path}: {options.path.stat().st_size / 1e6:.0f} MB in {took:.1f} s")


if __name__ == "__main__":
    main()
