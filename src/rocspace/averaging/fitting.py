"""Fit a classifier, or a function of your own, to features and labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Mask, as_block
from rocspace._base.cases import check_labels
from rocspace.averaging.folds import scores_of
from rocspace.counts.table import refuse

Scorer: TypeAlias = Callable[[Array], ArrayLike]
Fitter: TypeAlias = Callable[[Array, Mask], Scorer]
"""Takes features (n, p) and labels (n,); returns a function from features to scores."""


def fresh_copy(model: Any, rng: np.random.Generator, *, keep: bool = False) -> Any:
    """Return an unfitted copy of a classifier with random states drawn; `keep` those set."""
    from sklearn.base import clone

    given = model.get_params()
    states = sorted(name for name in given if name.rpartition("__")[2] == "random_state")
    drawn = [name for name in states if not keep or given[name] is None]
    return clone(model).set_params(**{name: int(rng.integers(2**31)) for name in drawn})


def fitter(fit: Any, rng: np.random.Generator) -> Fitter:
    """Wrap a classifier as a function that fits and returns a function that scores."""
    if callable(fit) and not hasattr(fit, "fit"):
        return fit  # type: ignore[no-any-return]
    scores = hasattr(fit, "predict_proba") or hasattr(fit, "decision_function")
    if isinstance(fit, type) or not (hasattr(fit, "fit") and scores):
        call = f" Give {fit.__name__}(...), not the class." if isinstance(fit, type) else ""
        msg = (
            f"fit is {fit!r}, but must be a classifier with predict_proba or decision_function, or "
            f"a function fit(features, label) that returns a function of features.{call}"
        )
        raise TypeError(msg)

    def fitted(x: Array, y: Mask) -> Scorer:
        model = fresh_copy(fit, rng, keep=True).fit(_rows(x), y)
        return lambda new: scores_of(model, _rows(new), True, "auto")

    return fitted


def _rows(x: Array) -> Array:
    """Return a row for each case: a single feature becomes a column."""
    return x.reshape(len(x), -1)


def _labels(y_true: ArrayLike) -> Mask:
    values = np.asarray(y_true)
    if values.ndim == 1 and values.dtype.kind in "iufUS" and values.size:
        own = np.unique(values)
        if values.dtype.kind in "US" or not np.isin(own, (0, 1)).all():
            some = ", ".join(repr(value) for value in own[:5].tolist())
            msg = (
                f"y_true has the values {some}{', ...' if own.size > 5 else ''}; give booleans, "
                f"True for positive cases, as in y_true == {own[-1].item()!r}."
            )
            raise ValueError(msg)
    return check_labels(y_true, None, "y_true")


def checked_cases(
    features: ArrayLike, y_true: ArrayLike, caller: str, least: int
) -> tuple[Array, Mask]:
    """Check features without missing values, and labels with enough cases of each class."""
    y = _labels(y_true)
    x, missing = as_block(features, "features")
    if missing is not None and missing.any():
        msg = "features has missing values. Fill them, or pass an array with NaN for `fit` to fill."
        raise ValueError(msg)
    if x.ndim not in (1, 2) or len(x) != y.size:
        msg = f"features has shape {x.shape} and y_true {y.shape}. Pass a row for each case."
        raise ValueError(msg)
    need_classes(y, caller, least)
    return x, y


def need_classes(y: Mask, caller: str, least: int) -> None:
    """Refuse labels with fewer than `least` cases of a class."""
    n_pos = int(np.count_nonzero(y))
    if min(n_pos, y.size - n_pos) < least:
        refuse(caller, n_pos, y.size - n_pos, pos=least, neg=least)
