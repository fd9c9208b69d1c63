"""rocspace curve: all points of the curves."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

import rocspace
from rocspace._base.optional import require
from rocspace._base.text import json_line
from rocspace.cli.brief import brief_json
from rocspace.cli.console import write
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Flag, Printing
from rocspace.cli.reading import read
from rocspace.cli.tables import draw_curves
from rocspace.curves.roc import RocCurve
from rocspace.report.plain import plain_list

KINDS = ("csv", "json", "parquet")
_PIECE = 1 << 16  # points written at a time
_COLUMNS = ("threshold", "fpr", "tpr", "tp", "fp")


def curve(
    file: Files,
    /,
    *,
    ties: Literal["expected", "optimistic", "pessimistic"] = "expected",
    drop_collinear: Flag = False,
    local_maxima: Flag = False,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the points of the ROC curve of each score, as csv.

    One row for each distinct score, and one for the threshold at which no case is called positive.
    With --output the ending .csv, .json or .parquet says what is written.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    ties
        Path at a score that both classes share: diagonal, or upper left or lower right corner.
    drop_collinear
        Leave out points inside straight runs, which changes neither the area nor the shape.
    local_maxima
        Only thresholds that no threshold beside them beats in both rates.
    figure
        Draw the curves into this file (.png, .svg or .pdf).

    Examples
    --------
    rocspace curve fawcett20
    rocspace curve scores.csv --label y --local-maxima
    rocspace curve scores.csv --label y --figure roc.pdf --output roc.csv
    rocspace curve scores.csv --label y --drop-collinear --output curve.parquet
    """
    printing.check(file, figure)
    kind = "json" if printing.as_json else "csv"
    if printing.output not in (None, "-"):
        kind = Path(str(printing.output)).suffix.lower().removeprefix(".")
        if kind not in KINDS or (printing.as_json and kind != "json"):
            wanted = ".json" if printing.as_json else "one of .csv, .json and .parquet"
            msg = f"--output {printing.output!r} must end in {wanted}, which says what to write."
            raise ValueError(msg)
    found = read(file, choice, printing)
    curves: dict[str, RocCurve] = {}
    for name, table in found.tables.items():
        every = rocspace.roc_curve(table, ties=ties, collinear="drop" if drop_collinear else "keep")
        curves[name] = _thinned(every) if local_maxima else every
    if printing.brief:
        write(brief_json(_described(curves)), printing.output)
    else:
        write(curve_content(curves, kind), printing.output)
    save_figure(figure, partial(draw_curves, curves), printing, panels=1, names=len(curves))


def _thinned(curve: RocCurve) -> RocCurve:
    """Leave the points that no neighbour beats."""
    kept = curve.local_maxima
    columns = {name: getattr(curve, name)[kept] for name in ("tp", "fp", "threshold", "attainable")}
    return replace(curve, **columns, complete=False)


def curve_content(curves: Mapping[str, RocCurve], kind: str) -> str | bytes | Iterator[str]:
    """Give all points as csv, JSON or parquet, with every digit; csv in pieces."""
    if kind == "json":
        return json_line(_described(curves))
    return _curve_parquet(curves) if kind == "parquet" else _curve_csv(curves)


def _curve_csv(curves: Mapping[str, RocCurve]) -> Iterator[str]:
    yield ",".join(("score", *_COLUMNS)) + "\n"
    for name, curve in curves.items():
        for start in range(0, len(curve), _PIECE):
            piece = slice(start, start + _PIECE)
            columns = [getattr(curve, column)[piece].tolist() for column in _COLUMNS]
            text = io.StringIO()
            rows = ((name, *row) for row in zip(*columns, strict=True))
            csv.writer(text, lineterminator="\n").writerows(rows)
            yield text.getvalue()


def _described(curves: Mapping[str, RocCurve]) -> dict[str, Any]:
    return {
        "schema": "rocspace.curve/1",
        "scores": [
            {
                "name": name,
                "n_pos": curve.n_pos,
                "n_neg": curve.n_neg,
                "direction": "higher" if curve.higher_is_positive else "lower",
                "points": {column: plain_list(getattr(curve, column)) for column in _COLUMNS},
            }
            for name, curve in curves.items()
        ],
    }


def _curve_parquet(curves: Mapping[str, RocCurve]) -> bytes:
    pa = require("pyarrow", extra="app")
    parquet = require("pyarrow.parquet", extra="app")
    parts = []
    for name, curve in curves.items():
        # Whole numbers beyond 2**53 beside the infinite threshold have no type but float64.
        columns = {
            column: np.asarray(getattr(curve, column), dtype=np.float64)
            if column == "threshold"
            else np.asarray(getattr(curve, column))
            for column in _COLUMNS
        }
        names = pa.array([name]).dictionary_encode()
        names = names.take(pa.array(np.zeros(len(curve), dtype=np.int64)))
        parts.append(pa.table({"score": names, **columns}))
    sink = io.BytesIO()
    parquet.write_table(pa.concat_tables(parts, promote_options="permissive"), sink)
    return sink.getvalue()
