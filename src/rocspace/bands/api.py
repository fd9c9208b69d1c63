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
    """Return the function that makes a band, and its options: of "ks" it is `ks_band`."""
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
        Simultaneous, for the whole curve: "likelihood", "envelope", "ks", "dkw",
        "fixed-width", "working-hotelling", "psn", "jms". Pointwise, for each point by itself:
        "vertical", "threshold", "binormal", "tilbury", "kernel", "hsieh-turnbull". Each has a
        function of its own with all its options, ``ks_band`` for "ks".
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    future : tuple of int, optional
        Positives and negatives of a new sample: the band then covers its empirical curve
        instead of the true one, and is wider. For "ks", "dkw", "fixed-width" and all that
        hold for each point by itself.
    weight_type : {"importance", "frequency"}, default "importance"
        What the weights of a weighted table are: how much a case matters, or (whole numbers)
        how many equal cases a row stands for. "ks" and "dkw", and the methods that draw cases
        ("envelope", "fixed-width", "psn", "vertical", "threshold"), need counts or
        frequencies.
    n_boot : int, default 2000
        Number of replicates, for the methods that draw them.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    threads : int, optional
        Threads; the result does not depend on it.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    Band
        Its field ``simultaneous`` tells which kind it is.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an option is unknown or not one of this method's, or the data or their weights are
        not what the method needs.

    Notes
    -----
    O(k) in the number of distinct scores for all methods.

    Importance weights give each class its effective number of cases, ``(sum w)^2 / sum w^2``: valid
    where weights do not depend on scores. Where they may, only "likelihood" holds: it allows for
    heavy cases that were not seen, warns where hardly any was, and is wide there.

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
