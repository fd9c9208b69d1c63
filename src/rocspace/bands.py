"""Confidence bands of ROC curves: where the whole curve lies, or each of its points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._band import Band, Line, curve_line, intervals_of, left_right, rates, thinned
from rocspace._band_curves import (
    CELLS,
    Rng,
    envelope_band,
    fixed_width_band,
    order_statistic,
    threshold_band,
    vertical_band,
    wilson_variance,
)
from rocspace._band_kinds import (
    Future,
    binormal_band,
    dkw_band,
    ks_band,
    normal_quantile,
    tilbury_band,
    working_hotelling_band,
)
from rocspace._band_likelihood import likelihood_band
from rocspace._band_smooth import (
    curve_variance,
    hsieh_turnbull_band,
    jms_band,
    kernel_band,
    psn_band,
)
from rocspace._checks import ArrayLike, check_choice, check_fraction
from rocspace._resampling import replicate_cases
from rocspace._shown import repr_html
from rocspace.curves import roc_curve
from rocspace.paired import PairedScores
from rocspace.table import ScoreTable, need, read_only

__all__ = [
    "Band",
    "DifferenceBand",
    "binormal_band",
    "curve_variance",
    "difference_band",
    "dkw_band",
    "envelope_band",
    "fixed_width_band",
    "hsieh_turnbull_band",
    "jms_band",
    "kernel_band",
    "ks_band",
    "likelihood_band",
    "psn_band",
    "roc_band",
    "threshold_band",
    "tilbury_band",
    "vertical_band",
    "working_hotelling_band",
]

Vector: TypeAlias = NDArray[np.float64]
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

_PLAIN: dict[str, Callable[..., Band]] = {
    "likelihood": likelihood_band,
    "working-hotelling": working_hotelling_band,
}
_WIDENED: dict[str, Callable[..., Band]] = {
    "ks": ks_band,
    "dkw": dkw_band,
    "binormal": binormal_band,
    "tilbury": tilbury_band,
    "kernel": kernel_band,
    "hsieh-turnbull": hsieh_turnbull_band,
}
_DRAWN: dict[str, Callable[..., Band]] = {"psn": psn_band, "jms": jms_band}
_REPLICATED: dict[str, Callable[..., Band]] = {
    "envelope": envelope_band,
    "vertical": vertical_band,
    "threshold": threshold_band,
}
_METHODS = (*_PLAIN, *_WIDENED, *_DRAWN, *_REPLICATED, "fixed-width")


def roc_band(
    table: ScoreTable,
    *,
    method: BandMethod = "likelihood",
    level: float = 0.95,
    future: Future = None,
    n_boot: int = 2000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Band:
    """Confidence band of a table's ROC curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; weights must be whole numbers.
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
        If an option is unknown or not one of this method's, or the data are not what the
        method needs.

    Notes
    -----
    O(k) in the number of distinct scores for all methods.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> band = roc_band(tabulate(data.y_true, data.y_score))
    >>> low, high = band.at(0.5)
    >>> round(low, 2), round(high, 2)
    (0.29, 0.96)
    """
    need("roc_band", table)
    check_choice("method", method, _METHODS)
    if future is not None and method not in (*_WIDENED, "fixed-width"):
        able = ", ".join(repr(name) for name in (*_WIDENED, "fixed-width"))
        msg = f"method={method!r} knows no band for a new sample. Take one of {able}."
        raise ValueError(msg)
    if method in _PLAIN:
        return _PLAIN[method](table, level=level)
    if method in _WIDENED:
        return _WIDENED[method](table, level=level, future=future)
    if method in _DRAWN:
        return _DRAWN[method](table, level=level, n_boot=n_boot, rng=rng)
    if method in _REPLICATED:
        return _REPLICATED[method](
            table, level=level, n_boot=n_boot, rng=rng, threads=threads, progress=progress
        )
    return fixed_width_band(
        table,
        level=level,
        future=future,
        n_boot=n_boot,
        rng=rng,
        threads=threads,
        progress=progress,
    )


# --- the difference of two curves -------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DifferenceBand:
    """Simultaneous band of the difference of two ROC curves of the same cases.

    Attributes
    ----------
    fpr : ndarray, shape (m,)
        False positive rates, increasing from 0 to 1.
    difference : ndarray, shape (m,)
        True positive rate of the first score less that of the second one.
    lower, upper : ndarray, shape (m,)
        The bounds, in [-1, 1], linear between knots.
    names : tuple of str
        The two scores.
    level : float
        Confidence level.
    method : str
        How it was made.
    """

    fpr: Vector
    difference: Vector
    lower: Vector
    upper: Vector
    names: tuple[str, str]
    level: float
    method: str

    _repr_html_ = repr_html

    def __post_init__(self) -> None:
        for name in ("fpr", "difference", "lower", "upper"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def differs(self) -> NDArray[np.bool_]:
        """Where the curves differ: both bounds on one side of zero."""
        return np.asarray((self.lower > 0) | (self.upper < 0))

    def at(self, fpr: ArrayLike) -> Any:
        """Return the range of the difference at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like, shape (m,)
            False positive rates in [0, 1].

        Returns
        -------
        Interval, or a tuple of them
            Of the band's level, for all rates at once.
        """
        at = check_fraction("fpr", fpr)
        low, high = (np.interp(at, self.fpr, bound) for bound in (self.lower, self.upper))
        return intervals_of(self, np.asarray(low), np.asarray(high))

    def contains(self, difference: Callable[[Any], Any]) -> bool:
        """Tell whether a function of the false positive rate lies inside at all knots."""
        value = np.asarray(difference(self.fpr), dtype=np.float64)
        return bool(((value >= self.lower) & (value <= self.upper)).all())


def difference_band(
    data: PairedScores,
    names: tuple[str, str] | None = None,
    *,
    level: float = 0.95,
    n_boot: int = 2000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> DifferenceBand:
    """Simultaneous band of the difference of two paired curves, to see where they differ.

    Parameters
    ----------
    data : PairedScores
        Two or more scores of the same cases; whole clusters are drawn if it has some.
    names : tuple of str, optional
        Which two scores; by default the first two.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    n_boot : int, default 2000
        Replicates; a case is drawn with all its scores.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    threads : int, optional
        Threads; the result does not depend on it.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    DifferenceBand
        Simultaneous.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a name is unknown, the data have weights, or replicates are too few.

    Notes
    -----
    O(B n). ``D(f) +- c sd(f)``: c is the quantile over replicates of the largest distance from D
    in standard errors, which are those of the replicates, but at least those of Wilson's interval
    for two rates of 1, and c at least the normal quantile: replicates may agree by necessity.
    Where fewer than 5 negatives lie beyond a rate, resampling does not know how steep the
    curves are; there the band also holds what `likelihood_band` allows for each of them.

    Measured at level 0.95 (200 samples each of Normal, exponential and near-perfect scores and
    ratings, 5 + 50 to 500 + 500 cases): the whole true difference was inside in 97 to 100
    percent of samples, and in 92 of 50 samples of 20 + 20 000 cases.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace import pair_scores
    >>> truth = np.arange(200) % 2
    >>> noise = np.random.default_rng(1).normal(size=(2, 200))
    >>> data = pair_scores(truth, {"good": 3 * truth + noise[0], "poor": noise[1]})
    >>> band = difference_band(data, n_boot=200, rng=1)
    >>> bool(band.differs[band.fpr.searchsorted(0.2)])
    True
    """
    if names is None and len(data.names) < 2:
        msg = f"difference_band compares two scores, but here is only {data.names[0]}."
        raise ValueError(msg)
    first, second = names if names is not None else data.names[:2]
    tables = [data.table(name) for name in (first, second)]
    need("difference_band", tables[0])
    if data.weight is not None:
        msg = "difference_band resamples cases that count the same, but the data have weights."
        raise ValueError(msg)
    lines = [curve_line(roc_curve(table)) for table in tables]
    few = [roc_curve(thinned(table, CELLS)).fpr for table in tables]
    fpr = rates(np.union1d(*few))
    heights = [left_right(line, fpr)[1] for line in lines]
    seen = heights[0] - heights[1]
    columns = [data.score[:, data.names.index(name)] for name in (first, second)]
    readers = [_reader(data, column, table) for column, table in zip(columns, tables, strict=True)]

    def statistic(times: Vector) -> Vector:
        one, two = (reader(times, fpr) for reader in readers)
        return one - two

    scheme: Literal["cluster", "stratified"] = "stratified" if data.cluster is None else "cluster"
    drawn = replicate_cases(
        data, statistic, n_boot=n_boot, rng=rng, scheme=scheme, threads=threads, progress=progress
    )
    z = normal_quantile(level)
    n_pos = float(tables[0].n_pos)
    least = sum(wilson_variance(np.full_like(h, 1.0), n_pos, z) for h in heights)
    sd = np.sqrt(np.maximum(np.nanvar(drawn, axis=0), least))
    usable = drawn[np.isfinite(drawn).all(axis=1)]
    sup = np.abs((usable - seen) / sd).max(axis=1)
    half = max(order_statistic(sup, level, usable.shape[0]), z) * sd
    lower, upper = seen - half, seen + half
    outer = np.minimum(fpr, 1 - fpr) * float(tables[0].n_neg) < _FEW
    ends = _ends_of_two(tables, fpr[outer], level)
    lower[outer] = np.minimum(lower[outer], ends[0])
    upper[outer] = np.maximum(upper[outer], ends[1])
    return DifferenceBand(
        fpr=fpr,
        difference=seen,
        lower=np.maximum(lower, -1.0),
        upper=np.minimum(upper, 1.0),
        names=(first, second),
        level=level,
        method="studentised bootstrap",
    )


_FEW = 5  # negatives beyond a rate: fewer say nothing of how the curves rise there


def _ends_of_two(tables: Sequence[ScoreTable], fpr: Vector, level: float) -> tuple[Vector, Vector]:
    """Bound a difference by a band of each curve, which hold together at the level."""
    both = [likelihood_band(table, level=(1 + level) / 2) for table in tables]
    low = [left_right(Line(band.fpr, band.lower), fpr)[0] for band in both]
    high = [left_right(Line(band.fpr, band.upper), fpr)[1] for band in both]
    return low[0] - high[1], high[0] - low[1]


def _reader(
    data: PairedScores, column: NDArray[Any], table: ScoreTable
) -> Callable[[Vector, Vector], Vector]:
    """Make a function that reads a score's curve in replicates given by times of each case."""
    ranked = np.argsort(column)
    ranked = ranked[::-1] if data.higher_is_positive else ranked
    label = data.label[ranked]
    # Where each distinct score ends among the ranked cases.
    end = np.cumsum(table.pos + table.neg) - 1

    def read(times: Vector, fpr: Vector) -> Vector:
        many = times[:, ranked]
        found = []
        for row in many:
            tp, fp = np.cumsum(row * label)[end], np.cumsum(row * ~label)[end]
            if not (tp[-1] > 0 and fp[-1] > 0):  # a cluster replicate may lack a class
                found.append(np.full(fpr.size, np.nan))
                continue
            f, t = (np.concatenate([[0.0], count / count[-1]]) for count in (fp, tp))
            found.append(np.interp(fpr, f, t))
        return np.stack(found)

    return read
