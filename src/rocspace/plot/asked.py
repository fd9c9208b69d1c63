"""What to write instead where a plot is given another object than the one that it draws."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from rocspace._base.calls import explained
from rocspace._base.frozen import kind_of

P = ParamSpec("P")
R = TypeVar("R")

# How each result that is drawn is made of a table, or else of what.
_MADE = {
    "AucComparison": "compare_aucs(data)",
    "AverageCurve": "vertical_average(tables)",
    "Band": "roc_band(table)",
    "BayesErrorCurve": "bayes_error_curve(table)",
    "ClassDecisions": "point_at(table, 0.5)",
    "CostCurve": "cost_curve(table)",
    "DecisionCurve": "decision_curve(table)",
    "DetCurve": "det_curve(table)",
    "GainsCurve": "gains_curve(table)",
    "IsotonicCalibration": "fit_isotonic(table)",
    "GranularRoc": "groc(table, delta)",
    "PrBand": "pr_band(table)",
    "PrCurve": "pr_curve(table)",
    "PrgCurve": "prg_curve(table)",
    "RateDrivenCurve": "rate_driven_curve(table)",
    "RelativeValueCurve": "relative_value_curve(table)",
    "RocCurve": "roc_curve(table)",
    "RocHull": "roc_hull(table)",
    "SummaryRoc": "fit_summary_roc(tp, fp, fn, tn)",
    "ScoreTable": "tabulate(y_true, y_score)",
}


def _one(kind: str) -> str:
    return f"{'an' if kind[0] in 'AEIOaeio' else 'a'} {kind}"


def drawn(function: Callable[P, R]) -> Callable[P, R]:
    """Let a plot say what it draws, and the line that makes it, if it is given anything else."""
    kinds = re.findall(r"\w+", next(iter(function.__annotations__.values())))

    def check(name: str, given: Any) -> None:
        if any(one.__name__ in kinds for one in type(given).__mro__):
            return
        made = _MADE.get(kinds[0])
        line = f" Say {name}({made})." if made else ""
        msg = f"{name} takes {_one(kinds[0])}, not {_one(kind_of(given))}.{line}"
        raise TypeError(msg)

    return explained(function, check)
