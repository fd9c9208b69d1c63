"""Who takes part: `np.sort` as the bound, rocspace, and every other program that installs.

An entrant gets labels and scores, prepares what it would already hold (a data frame, a
tensor) outside the timing, and returns the call that is timed. `read` takes the area out of
the answer, so that a fast wrong answer is seen.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.bool_]
Scores = NDArray[Any]
Call = Callable[[], Any]


@dataclass(frozen=True)
class Entrant:
    """One function of one package, and what to know about it."""

    name: str
    package: str
    task: str  # bound, auc, curve or delong
    prepare: Callable[[Labels, Scores], Call]
    read: Callable[[Any], float] | None = float
    note: str = ""


# --- the bound, and ours ----------------------------------------------------------------


def _sort(label: Labels, score: Scores) -> Call:
    return lambda: np.sort(score)


def _auc_score(label: Labels, score: Scores) -> Call:
    import rocspace as rs

    return lambda: rs.auc_score(label, score)


def _auc_score_one_thread(label: Labels, score: Scores) -> Call:
    import rocspace as rs

    return lambda: rs.auc_score(label, score, threads=1)


def _auc_of_table(label: Labels, score: Scores) -> Call:
    import rocspace as rs

    return lambda: rs.auc(rs.tabulate(label, score))


def _curve_of_table(label: Labels, score: Scores) -> Call:
    import rocspace as rs

    def call() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        curve = rs.roc_curve(rs.tabulate(label, score))
        return curve.fpr, curve.tpr

    return call


def _delong_of_table(label: Labels, score: Scores) -> Call:
    import rocspace as rs

    def call() -> Any:
        found = rs.delong(rs.tabulate(label, score))
        found.interval()
        return found

    return call


# --- others -----------------------------------------------------------------------------


def _sklearn_auc(label: Labels, score: Scores) -> Call:
    from sklearn.metrics import roc_auc_score

    return lambda: roc_auc_score(label, score)


def _sklearn_curve(label: Labels, score: Scores) -> Call:
    from sklearn.metrics import roc_curve

    return lambda: roc_curve(label, score)


def _polars(label: Labels, score: Scores) -> Call:
    import polars as pl

    frame = pl.DataFrame({"y": label, "s": score}).lazy()
    beaten = pl.col("neg").cum_sum() - pl.col("neg") / 2
    query = (
        frame.group_by("s")
        .agg(pos=pl.col("y").sum().cast(pl.Int64), neg=(~pl.col("y")).sum().cast(pl.Int64))
        .sort("s")
        .select((pl.col("pos") * beaten).sum() / pl.col("pos").sum() / pl.col("neg").sum())
    )
    return lambda: query.collect().item()


def _polars_ds(label: Labels, score: Scores) -> Call:
    import polars as pl
    import polars_ds as pds

    frame = pl.DataFrame({"y": label, "s": score})
    return lambda: frame.select(pds.query_roc_auc("y", "s")).item()


_SQL = """
with counts as (select s, sum(y) as pos, count(*) - sum(y) as neg from cases group by s),
below as (select pos, neg, sum(neg) over (order by s) - neg / 2.0 as beaten from counts)
select sum(pos::double * beaten) / sum(pos) / sum(neg) from below
"""


def _duckdb(label: Labels, score: Scores) -> Call:
    import duckdb
    import pyarrow as pa

    connection = duckdb.connect()
    connection.register("cases", pa.table({"y": label.astype(np.int32), "s": score}))
    return lambda: connection.execute(_SQL).fetchone()[0]  # type: ignore[index]


def _rapidstats(label: Labels, score: Scores) -> Call:
    import polars as pl
    from rapidstats.metrics import roc_auc

    y, s = pl.Series(label), pl.Series(score)
    return lambda: roc_auc(y, s)


def _scors(label: Labels, score: Scores) -> Call:
    from scors import roc_auc

    return lambda: roc_auc(label, score)


def _fastauc(label: Labels, score: Scores) -> Call:
    fast = import_module("fastauc").fast_numba_auc
    return lambda: fast(label, score)


def _fastroc(label: Labels, score: Scores) -> Call:
    with contextlib.redirect_stderr(io.StringIO()):  # its complaint is a page long
        import fastroc
    names = [name for name in dir(fastroc) if "auc" in name]
    function = getattr(fastroc, names[0])
    y, s = label.astype(np.int64), score.astype(np.float64)
    return lambda: function(y, s)


def _torchmetrics_auc(label: Labels, score: Scores) -> Call:
    import torch
    from torchmetrics.functional.classification import binary_auroc

    y, s = torch.from_numpy(label.astype(np.int64)), torch.from_numpy(score)
    return lambda: binary_auroc(s, y)


def _torchmetrics_curve(label: Labels, score: Scores) -> Call:
    import torch
    from torchmetrics.functional.classification import binary_roc

    y, s = torch.from_numpy(label.astype(np.int64)), torch.from_numpy(score)
    return lambda: binary_roc(s, y)


def _pauc(label: Labels, score: Scores) -> Call:
    from pauc import ROC

    y = label.astype(np.int64)
    return lambda: ROC(y, score).auc


def _pauc_delong(label: Labels, score: Scores) -> Call:
    from pauc import ROC, ci_auc

    y = label.astype(np.int64)
    return lambda: ci_auc(ROC(y, score))


def _score_analysis(label: Labels, score: Scores) -> Call:
    from score_analysis import Scores as Analysis

    y = label.astype(np.int64)
    return lambda: Analysis.from_labels(y, score, pos_label=1).auc()


def _roc_utils(label: Labels, score: Scores) -> Call:
    compute = import_module("roc_utils").compute_roc
    return lambda: compute(X=score, y=label, pos_label=True).auc


def _confidenceinterval(label: Labels, score: Scores) -> Call:
    from confidenceinterval import roc_auc_score

    y = label.astype(np.int64)
    return lambda: roc_auc_score(y, score)


def _mlstatkit(label: Labels, score: Scores) -> Call:
    from MLstatkit import Delong_test

    y = label.astype(np.int64)
    other = score + np.random.default_rng(1).standard_normal(score.size)

    def call() -> Any:
        return Delong_test(y, score, other, return_auc=True)

    return call


# --- reading the area ---------------------------------------------------------------------


def _area_under(curve: Any) -> float:
    fpr, tpr = (np.asarray(x, dtype=np.float64) for x in curve[:2])
    return float(np.trapezoid(tpr, fpr))


def _value(estimate: Any) -> float:
    return float(estimate.value)


def _first(answer: Any) -> float:
    return float(np.ravel(answer[0])[0])


def _middle(interval: Any) -> float:
    return float(interval[0] + interval[-1]) / 2


OURS_AUC, OURS_TABLE = "auc_score", "auc(tabulate)"
OURS_CURVE, OURS_DELONG = "roc_curve(tabulate)", "delong(tabulate)"
SORT, SKLEARN_AUC, SKLEARN_CURVE = "np.sort", "sklearn roc_auc_score", "sklearn roc_curve"
SCORS = "scors roc_auc"

ENTRANTS = (
    Entrant(SORT, "numpy", "bound", _sort, None),
    Entrant(OURS_AUC, "rocspace", "auc", _auc_score),
    Entrant("auc_score, 1 thread", "rocspace", "auc", _auc_score_one_thread),
    Entrant(OURS_TABLE, "rocspace", "auc", _auc_of_table),
    Entrant(SKLEARN_AUC, "scikit-learn", "auc", _sklearn_auc),
    Entrant("polars group-by", "polars", "auc", _polars, note="frame made beforehand"),
    Entrant("duckdb group-by", "duckdb", "auc", _duckdb, note="Arrow table made beforehand"),
    Entrant("polars_ds", "polars-ds", "auc", _polars_ds, note="frame made beforehand"),
    Entrant(SCORS, "scors", "auc", _scors),
    Entrant("fastauc", "fastauc", "auc", _fastauc, note="compiled by numba"),
    Entrant("rapidstats", "rapidstats", "auc", _rapidstats, note="series made beforehand"),
    Entrant("fastroc", "fastroc", "auc", _fastroc),
    Entrant("torchmetrics auroc", "torchmetrics", "auc", _torchmetrics_auc, note="on the CPU"),
    Entrant("score-analysis", "score-analysis", "auc", _score_analysis),
    Entrant("pauc ROC", "pauc", "auc", _pauc, note="builds its curve too"),
    Entrant("roc-utils", "roc-utils", "auc", _roc_utils, note="builds its curve too"),
    Entrant(OURS_CURVE, "rocspace", "curve", _curve_of_table, _area_under, "all points"),
    Entrant(
        SKLEARN_CURVE, "scikit-learn", "curve", _sklearn_curve, _area_under, "collinear dropped"
    ),
    Entrant("torchmetrics roc", "torchmetrics", "curve", _torchmetrics_curve, _area_under, "CPU"),
    Entrant(OURS_DELONG, "rocspace", "delong", _delong_of_table, _value, "with its interval"),
    Entrant("confidenceinterval", "confidenceinterval", "delong", _confidenceinterval, _first),
    Entrant("pauc ci_auc", "pauc", "delong", _pauc_delong, _middle),
    Entrant("MLstatkit", "mlstatkit", "delong", _mlstatkit, None, "paired test of two scores"),
)

CORE = (SORT, OURS_AUC, "auc_score, 1 thread", OURS_TABLE, SKLEARN_AUC, OURS_CURVE, OURS_DELONG)
"""Entrants of the cases that vary the data rather than n."""


def prepared(entrant: Entrant, label: Labels, score: Scores) -> Call:
    """The timed call; what fails while preparing fails when called, and is reported there."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return entrant.prepare(label, score)
    except Exception as error:  # a peer may raise anything
        failed = error

        def call() -> Any:
            raise failed

        return call
