"""Files, data frames and engines in; tables and frames out.

Start with `tabulate_frame` for anything that narwhals knows (pandas, polars, arrow, DuckDB,
Dask, Spark) and `tabulate_file` for csv, parquet, arrow and ndjson; `to_frame` goes back.

It never rounds a number silently, and never guesses which class is positive without saying so.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
