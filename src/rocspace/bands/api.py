"""Confidence bands of ROC curves, simultaneous or pointwise: one function for all methods."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any, Literal, TypeAlias, get_args

from rocspace.bands.band import Band
from rocspace.bands.formulas import Future
from rocspace.counts.table import ScoreTable, of_table
from rocspace.inference.area import WeightType
from rocspace.resampling.replicates import Rng

BandMethod: TypeAlias = Literal[
    "likelihood",
    "envelope",
    "ks",
    "dkw",
    "fixed-width",
    "working-hotelling",
    "psn",
    "jms",
    "vertical",
    "threshold",
    "binormal",
    "tilbury",
    "kernel",
    "hsieh-turnbull",
]


@cache
def _maker(method: str) -> tuple[Callable[..., Band], frozenset[str]]:
    """Return the function that makes a band and the names of its options: `ks_band` for "ks"."""
    make = getattr(import_module("rocspace.bands"), method.replace("-", "_") + "_band")
    return make, frozenset(signature(make).parameters)


@of_table
def roc_band(
    table: ScoreTable,
    *,
    method: BandMethod = "likelihood",
    level: float = 0.95,
    future: Future = None,
    weight_type: WeightType = "importance",
    n_boot: int = 2000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Band:
    """Confidence band of a table's ROC curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    method : str, default "likelihood"
        Simultaneous bands cover the whole curve: "likelihood", "envelope", "ks", "dkw",
        "fixed-width", "working-hotelling", "psn", "jms". Pointwise bands cover each point
        separately: "vertical", "threshold", "binormal", "tilbury", "kernel", "hsieh-turnbull". Each
        method has its own function with all its options, such as ``ks_band`` for "ks".
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    future : tuple of int, optional
        Numbers of positives and negatives in a new sample: the band then covers the empirical curve
        of that sample instead of the true curve, and is wider. Available for "ks", "dkw",
        "fixed-width" and all pointwise methods.
    weight_type : {"importance", "frequency"}, default "importance"
        How the weights of a weighted table are interpreted: as the importance of a case, or as the
        (whole) number of identical cases that a row represents. "ks" and "dkw", and the methods
        that resample cases ("envelope", "fixed-width", "psn", "vertical", "threshold"), require
        counts or frequencies.
    n_boot : int, default 2000
        Number of bootstrap replicates, for the methods that resample; the others do not use it.
    rng : numpy.random.Generator or int, optional
        Generator or seed, for the same methods.
    threads : int, optional
        Threads; the result does not depend on it.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    Band
        Its attribute ``simultaneous`` tells whether the band is simultaneous or pointwise.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an option is unknown or does not belong to the method, or if the method does not accept
        the data or their weights.

    Notes
    -----
    O(k) in the number of distinct scores for all methods.

    Importance weights give each class its effective number of cases, ``(sum w)^2 / sum w^2``: this
    is valid if weights are independent of scores. If they may depend on scores, only "likelihood"
    keeps its coverage: it allows for unobserved cases of large weight, warns where the sample has
    hardly any, and is wide there.

    References
    ----------
    Those of the functions that compute each method.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> band = roc_band(tabulate(data.y_true, data.y_score))
    >>> low, high = band.at_fpr(0.5)
    >>> round(low, 2), round(high, 2)
    (0.26, 0.97)
    """
    make, known = _maker(method)
    if future is not None and "future" not in known:
        able = ", ".join(repr(m) for m in get_args(BandMethod) if "future" in _maker(m)[1])
        msg = f"method={method!r} has no band for a new sample. Take one of {able}."
        raise ValueError(msg)
    given: dict[str, Any] = {"level": level, "future": future, "weight_type": weight_type}
    given |= {"n_boot": n_boot, "rng": rng, "threads": threads, "progress": progress}
    return make(table, **{name: option for name, option in given.items() if name in known})
