"""Read tables from files, data frames and engines, and write results as frames.

Start with `tabulate_frame` for any data frame that narwhals supports (pandas, polars, arrow,
DuckDB, Dask, Spark) and `tabulate_file` for csv, parquet, arrow and ndjson; `to_frame` goes back.

It never rounds a number silently, and never guesses silently which class is positive.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
