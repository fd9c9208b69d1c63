"""Confidence bands of ROC curves: where the whole curve lies, or each of its points."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, Literal, TypeAlias

from rocspace._base.calls import explained
from rocspace._base.checks import check_choice
from rocspace.bands.band import Band
from rocspace.bands.formulas import (
    Future,
    binormal_band,
    dkw_band,
    ks_band,
    tilbury_band,
    working_hotelling_band,
)
from rocspace.bands.likelihood import likelihood_band
from rocspace.bands.replicates import (
    envelope_band,
    fixed_width_band,
    threshold_band,
    vertical_band,
)
from rocspace.bands.smooth import hsieh_turnbull_band, jms_band, kernel_band, psn_band
from rocspace.counts.table import ScoreTable, need
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

_METHODS: dict[str, Callable[..., Band]] = {
    "likelihood": likelihood_band,
    "envelope": envelope_band,
    "ks": ks_band,
    "dkw": dkw_band,
    "fixed-width": fixed_width_band,
    "working-hotelling": working_hotelling_band,
    "psn": psn_band,
    "jms": jms_band,
    "vertical": vertical_band,
    "threshold": threshold_band,
    "binormal": binormal_band,
    "tilbury": tilbury_band,
    "kernel": kernel_band,
    "hsieh-turnbull": hsieh_turnbull_band,
}
_WIDENED = tuple(m for m, make in _METHODS.items() if "future" in signature(make).parameters)


@explained
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
        Positives and negatives of a new sample: the band is then to hold its empirical curve
        instead of the true one, and is wider. For "ks", "dkw", "fixed-width", "binormal",
        "tilbury", "kernel" and "hsieh-turnbull".
    weight_type : {"importance", "frequency"}, default "importance"
        What the weights of a weighted table are: how much a case matters, or (whole numbers)
        how many equal cases a row stands for. "ks" and "dkw", and the methods that draw cases
        ("envelope", "fixed-width", "psn", "vertical", "threshold"), need counts or
        frequencies.
    n_boot : int, default 2000
        Replicates, for the methods that draw some.
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

    Importance weights give each class its effective number of cases, ``(sum w)^2 / sum w^2``: right
    where the weight of a case tells nothing of its score. Only "likelihood" holds where it does.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> band = roc_band(tabulate(data.y_true, data.y_score))
    >>> low, high = band.at_fpr(0.5)
    >>> round(low, 2), round(high, 2)
    (0.29, 0.96)
    """
    need("roc_band", table)
    check_choice("method", method, tuple(_METHODS))
    if future is not None and method not in _WIDENED:
        able = ", ".join(repr(name) for name in _WIDENED)
        msg = f"method={method!r} knows no band for a new sample. Take one of {able}."
        raise ValueError(msg)
    given: dict[str, Any] = {
        "level": level,
        "future": future,
        "weight_type": weight_type,
        "n_boot": n_boot,
    }
    given |= {"rng": rng, "threads": threads, "progress": progress}
    known = signature(_METHODS[method]).parameters
    return _METHODS[method](table, **{name: given[name] for name in known if name in given})
