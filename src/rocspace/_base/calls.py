"""Calls that Python would refuse with a bare TypeError, answered with the line to write."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import update_wrapper
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

from rocspace._base.checks import nearest

P = ParamSpec("P")
R = TypeVar("R")

_FRAME = 'say tabulate_frame(df, label="y", score="s")'
# Arguments of other packages; what to say here instead.
_INSTEAD = {
    "label": _FRAME,
    "score": _FRAME,
    "data": _FRAME,
    "cost_fp": "say costs=dict(fp=1, fn=20)",
    "cost_fn": "say costs=dict(fp=1, fn=20)",
    "direction": "say higher_is_positive=False where smaller scores are more positive",
    "levels": "say pos_label=, the label that is positive",
    "labels": "say pos_label=, the label that is positive",
    "max_fpr": "say partial_auc(table, fpr=(0, 0.1))",
    "average": "say auc_score(y_true == label, scores[:, i]) of each class against the rest",
    "multi_class": "say auc_score(y_true == label, scores[:, i]) of each class against the rest",
    "conf_level": "the level is chosen afterwards, as in .interval(0.95)",
    "drop_intermediate": 'say collinear="drop"',
}


def explained(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function answer a call that does not fit its parameters with the line to write."""

    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return plain(*args, **kwargs)
        except TypeError as error:
            frame = error.__traceback__
            if frame is None or frame.tb_next is not None:  # raised inside the function
                raise
            said = say(plain, args, kwargs, str(error))
        raise TypeError(said)

    plain, say = cast("FunctionType", function), _said
    # In the globals of the function, so that doctest takes it for one of its module.
    same = FunctionType(
        called.__code__, plain.__globals__, plain.__name__, None, called.__closure__
    )
    return cast("Callable[P, R]", update_wrapper(same, plain))


def _said(
    function: Callable[..., Any], args: Sequence[Any], given: Mapping[str, Any], error: str
) -> str:
    known = inspect.signature(function).parameters
    name, first = function.__name__, next(iter(known))
    unknown = [key for key in given if key not in known]
    if unknown:
        hint = _INSTEAD.get(unknown[0])
        hint = f": {hint}." if hint else f".{nearest(unknown[0], known)}"
        return f"{name} has no argument {unknown[0]!r}{hint}"
    if first == "table" and len(args) > 1:
        return (
            f"{name} takes a ScoreTable, not labels and scores. "
            f"Say {name}(tabulate(y_true, y_score))."
        )
    if first == "curve" and len(args) > 1:
        return (
            f"{name} takes a curve, not labels and scores. "
            f"Say {name}(roc_curve(tabulate(y_true, y_score)))."
        )
    if first == "y_true" and args and hasattr(args[0], "columns"):
        return f"{name} takes labels and scores, not a data frame: {_FRAME}."
    return error
