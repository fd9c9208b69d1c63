"""Check the arguments of a call, and answer a wrong call with the line to write."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache, update_wrapper
from os import PathLike
from types import FunctionType
from typing import Any, Literal, ParamSpec, TypeVar, cast, get_args, get_origin

from rocspace._base.checks import check_choice, check_level, nearest

P = ParamSpec("P")
R = TypeVar("R")

_FRAME = 'say tabulate_frame(df, label="y", score="s")'
_FILE = 'say rocspace.io.tabulate_file(path, label="y").tables["s"]'
_SEVERAL = "say rocspace.multiclass.one_vs_rest(multiclass_scores(y_true, scores))"
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
    "partial_auc": "say partial_auc(table, fpr=(0, 0.1))",
    "labelCol": _FRAME,
    "rawPredictionCol": _FRAME,
    "cases": "say tabulate(y_true, y_score), with one label for each score",
    "controls": "say tabulate(y_true, y_score), with one label for each score",
    "average": _SEVERAL,
    "multi_class": _SEVERAL,
    "conf_level": "the level is chosen afterwards, as in .interval(0.95)",
    "drop_intermediate": 'say collinear="drop"',
}


def explained(
    function: Callable[P, R], first: Callable[[str, Any], None] | None = None
) -> Callable[P, R]:
    """Let a function check the arguments that their names and annotations describe.

    A call that does not fit the parameters is answered with the line to write. A word must be one
    of its parameter's ``Literal``, a ``level`` strictly between 0 and 1; `first` checks the first
    argument, given the function's name.
    """

    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs or len(args) > 1:
                check(plain, args, kwargs)
            if first is not None and (args or name in kwargs):
                first(plain.__name__, args[0] if args else kwargs[name])
            return plain(*args, **kwargs)
        except (TypeError, ValueError):
            said = unfit(plain, args, kwargs)
            if not said:
                raise
        raise TypeError(said)

    plain, check, unfit = cast("FunctionType", function), _check, _unfit
    name = plain.__code__.co_varnames[0]
    # In the globals of the function, so that doctest takes it for one of its module.
    same = FunctionType(
        called.__code__, plain.__globals__, plain.__name__, None, called.__closure__
    )
    return cast("Callable[P, R]", update_wrapper(same, plain))


@cache
def _words(function: FunctionType) -> dict[str, tuple[object, ...]]:
    """Return the words that each parameter takes whose annotation is a `Literal` of them."""
    found = {}
    for name, annotation in function.__annotations__.items():
        try:
            meant = eval(annotation, function.__globals__)
        except NameError:  # imported for those who check types only
            continue
        if get_origin(meant) is Literal:
            found[name] = get_args(meant)
    return found


def _check(function: FunctionType, args: Sequence[Any], given: Mapping[str, Any]) -> None:
    """Check the words of a call, and its level."""
    words, code = _words(function), function.__code__
    names = code.co_varnames[: code.co_argcount]
    for name, value in (*zip(names, args, strict=False), *given.items()):
        if name in words:
            check_choice(name, value, words[name])
        elif name == "level":
            check_level(value)


def _unfit(function: FunctionType, args: Sequence[Any], given: Mapping[str, Any]) -> str:
    """Say why a call does not fit its function's parameters; "" if it does."""
    try:
        inspect.signature(function).bind(*args, **given)
    except TypeError as error:
        return _said(function, args, given, str(error))
    return ""


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
    if args and hasattr(args[0], "get_params"):
        return (
            f"{name} takes {'labels and scores' if first == 'y_true' else 'a table'}, not a model: "
            'say scoring=rocspace.estimators.scorer("auc").'
        )
    if first == "table" and len(args) > 1:
        return (
            f"{name} takes a ScoreTable, not labels and scores. "
            f"Say {name}(tabulate(y_true, y_score))."
        )
    if first == "data" and len(args) > 1:
        return (
            f"{name} takes scores of the same cases as one object. "
            f'Say {name}(pair_scores(y_true, {{"a": a, "b": b}})).'
        )
    if first == "curve" and len(args) > 1:
        return (
            f"{name} takes a curve, not labels and scores. "
            f"Say {name}(roc_curve(tabulate(y_true, y_score)))."
        )
    if first == "y_true" and len(args) == 1 and isinstance(args[0], str | PathLike):
        return f"{name} takes labels and scores, not the name of a file: {_FILE}."
    if first == "y_true" and args and hasattr(args[0], "columns"):
        return f"{name} takes labels and scores, not a data frame: {_FRAME}."
    return error
