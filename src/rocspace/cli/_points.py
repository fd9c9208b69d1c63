"""Points of curves for the command line: operating points as text, whole curves as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from rocspace._base.optional import require
from rocspace.cli._choices import short_threshold
from rocspace.cli._console import count, interval, number, printable, share, table_text
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import RocCurve
from rocspace.io.tables import FileTables
from rocspace.operating.points import optimal_points, point_at, point_at_fpr, point_at_tpr
from rocspace.report.plain import plain_list
from rocspace.report.summary import MAX_TIED, described_point, facts_of
from rocspace.results.estimates import OperatingPoint

KINDS = ("csv", "json", "parquet")
_PIECE = 1 << 16  # points written at a time
_COLUMNS = ("threshold", "fpr", "tpr", "tp", "fp")


# --- operating points ---------------------------------------------------------------------------

_NAMES = {
    "tpr": "tpr  sensitivity, recall",
    "fpr": "fpr  false alarm rate",
    "tnr": "tnr  specificity",
    "fnr": "fnr  miss rate",
    "ppv": "ppv  precision",
    "npv": "npv",
    "lr_positive": "positive likelihood ratio",
    "lr_negative": "negative likelihood ratio",
    "diagnostic_odds_ratio": "diagnostic odds ratio",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f_score": "F1",
    "informedness": "informedness  tpr - fpr",
    "matthews": "Matthews correlation",
    "predicted_positive_rate": "called positive",
}
_RATIOS = ("lr_positive", "lr_negative", "diagnostic_odds_ratio")


def described_points(found: FileTables, wanted: Mapping[str, Any], level: float) -> dict[str, Any]:
    """Describe the points asked for, as `summarise` describes its own."""
    return {
        "schema": "rocspace.points/1",
        "source": found.source,
        "settings": {"level": level},
        "scores": [
            {
                "name": name,
                **facts_of(table),
                "operating_points": [
                    described_point(point, kind, target, tied, level)
                    for kind, target, tied, point in _points(table, wanted)
                ],
            }
            for name, table in found.tables.items()
        ],
    }


def _points(
    table: ScoreTable, wanted: Mapping[str, Any]
) -> Iterator[tuple[str, float | None, int, OperatingPoint]]:
    ways: dict[str, Callable[[ScoreTable, float], OperatingPoint]]
    ways = {"threshold": point_at, "fpr": point_at_fpr, "tpr": point_at_tpr}
    for kind, point_of in ways.items():
        for target in wanted[kind]:
            yield kind, target, 1, point_of(table, target)
    if wanted["youden"]:
        best = optimal_points(table, criterion="youden")
        for point in best[:MAX_TIED]:
            yield "youden", None, len(best), point


def points_text(points: Mapping[str, Any]) -> str:
    """Lay out each point: its confusion matrix, then its measures."""
    level = f"{100 * points['settings']['level']:g} % interval"
    source = points["source"]
    blocks = []
    chosen = False
    for score in points["scores"]:
        for point in score["operating_points"]:
            chosen |= point["kind"] != "threshold"
            blocks.append(_block(score, point, source, level))
    if chosen:
        blocks.append(
            "A threshold that was chosen on these cases looks better than it is, and its\n"
            "intervals are too short.\n"
        )
    return "\n".join(blocks)


def _block(
    score: Mapping[str, Any], point: Mapping[str, Any], source: Mapping[str, Any], level: str
) -> str:
    sign = ">=" if score["direction"] == "higher" else "<="
    tied = f", {point['tied']} tie" if point["tied"] > 1 else ""
    why = {"threshold": "", "youden": f" (largest tpr - fpr{tied})"}
    chosen = why.get(point["kind"], f" ({point['criterion']})")
    at = point["threshold"]
    if point["kind"] != "threshold":  # that is shown as it was given
        at = short_threshold(at, point["next_score"])
    title = printable(f"{score['name']} {sign} {at}{chosen}")
    positive = printable(f"{source['label']} = {source['positive']}")
    tp, fp, fn, tn = (point[name] for name in ("tp", "fp", "fn", "tn"))
    matrix = table_text(
        ("", "called positive", "called negative", "all"),
        [
            (positive, count(tp), count(fn), count(score["n_pos"])),
            ("all others", count(fp), count(tn), count(score["n_neg"])),
        ],
    )
    rows = []
    for name, rate in point["rates"].items():
        show = number if name in _RATIOS else share
        rows.append((_NAMES[name], show(rate["value"]), interval(rate["low"], rate["high"], show)))
    rows += [(_NAMES[name], share(value), "") for name, value in point["measures"].items()]
    return f"{title}\n\n{matrix}\n{table_text(('measure', 'value', level), rows)}"


# --- whole curves -----------------------------------------------------------------------------


def curve_content(curves: Mapping[str, RocCurve], kind: str) -> str | bytes | Iterator[str]:
    """Give all points as csv, JSON or parquet, with every digit; csv in pieces."""
    if kind == "json":
        return _curve_json(curves)
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


def _curve_json(curves: Mapping[str, RocCurve]) -> str:
    described = {
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
    return json.dumps(described, ensure_ascii=False, allow_nan=False) + "\n"


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
