"""ROC analysis: complete, exact and fast.

Sort once, count at distinct scores, and read everything else from the counts::

    import rocspace as rs

    table = rs.tabulate(y_true, y_score)
    rs.auc(table)
    rs.delong(table).interval(0.95)

The names below come with the package; everything else is found in its modules, such as
`rocspace.measures` or `rocspace.operating`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rocspace.averaging import vertical_average
    from rocspace.bands import roc_band
    from rocspace.bootstrapping import bootstrap
    from rocspace.compare import auc_difference, compare_aucs
    from rocspace.confusion import ConfusionMatrix, confusion_matrix, evaluate
    from rocspace.curves import RocCurve, roc_curve
    from rocspace.folds import cv_auc_estimate, fold_tables
    from rocspace.frames import tabulate_frame
    from rocspace.hull import roc_hull
    from rocspace.inference import auc_estimate, auc_test, delong
    from rocspace.intervals import point_interval, rate_interval
    from rocspace.measures import MEASURES
    from rocspace.operating import Costs, optimal_points, point_at, point_at_fpr, point_at_tpr
    from rocspace.paired import PairedScores, pair_scores
    from rocspace.pr import average_precision, pr_curve
    from rocspace.registry import SUMMARIES
    from rocspace.results import Estimate, Interval, OperatingPoint, TestResult
    from rocspace.stream import Tabulator
    from rocspace.summary import (
        auc,
        auc_bounds,
        auc_score,
        closest_to_perfect,
        eer,
        gini,
        ks,
        partial_auc,
        two_way_partial_auc,
        youden,
    )
    from rocspace.table import (
        ScoreTable,
        SingleClassError,
        merge,
        resample,
        reweight,
        tabulate,
        tabulate_classes,
    )

_HOME = {
    "averaging": ("vertical_average",),
    "bands": ("roc_band",),
    "bootstrapping": ("bootstrap",),
    "compare": ("auc_difference", "compare_aucs"),
    "confusion": ("ConfusionMatrix", "confusion_matrix", "evaluate"),
    "curves": ("RocCurve", "roc_curve"),
    "folds": ("cv_auc_estimate", "fold_tables"),
    "frames": ("tabulate_frame",),
    "hull": ("roc_hull",),
    "inference": ("auc_estimate", "auc_test", "delong"),
    "intervals": ("point_interval", "rate_interval"),
    "measures": ("MEASURES",),
    "operating": ("Costs", "optimal_points", "point_at", "point_at_fpr", "point_at_tpr"),
    "paired": ("PairedScores", "pair_scores"),
    "results": ("Estimate", "Interval", "OperatingPoint", "TestResult"),
    "pr": ("average_precision", "pr_curve"),
    "registry": ("SUMMARIES",),
    "stream": ("Tabulator",),
    "summary": (
        "auc",
        "auc_bounds",
        "auc_score",
        "closest_to_perfect",
        "eer",
        "gini",
        "ks",
        "partial_auc",
        "two_way_partial_auc",
        "youden",
    ),
    "table": (
        "ScoreTable",
        "SingleClassError",
        "merge",
        "resample",
        "reweight",
        "tabulate",
        "tabulate_classes",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "ConfusionMatrix",
    "Costs",
    "Estimate",
    "Interval",
    "MEASURES",
    "OperatingPoint",
    "PairedScores",
    "RocCurve",
    "SUMMARIES",
    "ScoreTable",
    "SingleClassError",
    "Tabulator",
    "TestResult",
    "auc",
    "auc_bounds",
    "auc_difference",
    "auc_estimate",
    "auc_score",
    "auc_test",
    "average_precision",
    "bootstrap",
    "closest_to_perfect",
    "compare_aucs",
    "confusion_matrix",
    "cv_auc_estimate",
    "delong",
    "eer",
    "evaluate",
    "fold_tables",
    "gini",
    "ks",
    "merge",
    "optimal_points",
    "pair_scores",
    "partial_auc",
    "point_at",
    "point_at_fpr",
    "point_at_tpr",
    "point_interval",
    "pr_curve",
    "rate_interval",
    "resample",
    "reweight",
    "roc_band",
    "roc_curve",
    "roc_hull",
    "tabulate",
    "tabulate_classes",
    "tabulate_frame",
    "two_way_partial_auc",
    "vertical_average",
    "youden",
]


def __getattr__(name: str) -> Any:
    """Import a public name, or a public module, when it is first asked for."""
    if name in _MODULE_OF:
        value = getattr(import_module(f"rocspace.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    if not name.startswith("_"):
        try:
            return import_module(f"rocspace.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"rocspace.{name}":
                raise
    msg = f"module 'rocspace' has no attribute {name!r}{_nearest_public(name)}"
    raise AttributeError(msg)


def _nearest_public(name: str) -> str:
    """Return ". Did you mean ...?" for a name of another package, such as roc_auc_score."""
    from difflib import get_close_matches

    close = [] if name.startswith("_") else get_close_matches(name, __all__, n=1)
    return f". Did you mean {close[0]!r}?" if close else ""


def __dir__() -> list[str]:
    """List the public names, and the modules that have been imported."""
    return sorted({*globals(), *__all__} - {"Any", "TYPE_CHECKING", "annotations", "import_module"})
