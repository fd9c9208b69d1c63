"""Areas of bootstrap replicates with their standard errors, and the intervals that these give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Vector
from rocspace._base.exact import ratio
from rocspace.counts.draws import rows_are_few
from rocspace.counts.table import ScoreTable
from rocspace.resampling.replicates import Scheme, Shares, Sweep, areas_of_counts, replicate
from rocspace.results.estimates import AreaEstimate, Difference, wilson_end
from rocspace.results.interval import Interval

_ROUNDING = 1e-14  # a spread below this share of the squared mean is rounding
_COMPILED = 1 << 22  # draws from which on compiled loops pay for importing numba


def error_pays(draws: int) -> bool:
    """Tell whether there is so much to draw that compiled loops pay; sooner than for areas."""
    return draws >= _COMPILED


def area_with_error(pos: Array, neg: Array) -> Vector:
    """Area and DeLong's standard error of replicates, from counts (b, k): shape (b, 2)."""
    n_pos, n_neg = (x.sum(axis=1, dtype=np.float64) for x in (pos, neg))
    area = areas_of_counts(pos, neg)
    twice = 2.0 * np.cumsum(neg, axis=1) - neg  # negatives above, once the tied
    below = 2.0 * (n_pos[:, np.newaxis] - np.cumsum(pos, axis=1)) + pos
    # Shares of what is lost, whose mean is 1 - area: nothing cancels where that is small.
    variance = _variance(np.einsum("ij,ij,ij->i", pos, twice, twice), 1 - area, n_pos, n_neg)
    variance += _variance(np.einsum("ij,ij,ij->i", neg, below, below), 1 - area, n_neg, n_pos)
    return np.column_stack([area, np.sqrt(variance)])


def _variance(squares: Any, lost: Any, n: Any, others: Any) -> Any:
    """Variance of the mean over a class, from the squares of twice the others lost to."""
    mean = n * lost**2
    spread = ratio(squares, 4 * others**2) - mean
    return ratio(np.where(spread > _ROUNDING * mean, spread, 0 * spread), n * (n - 1))


def replicate_areas_with_errors(
    table: ScoreTable,
    *,
    n_boot: int,
    rng: np.random.Generator | int | None = None,
    scheme: Scheme = "stratified",
    threads: int | None = None,
    progress: bool | None = None,
) -> Vector:
    """Areas of bootstrap replicates and their standard errors by DeLong.

    Parameters
    ----------
    table, n_boot, rng, scheme, threads, progress
        As for `replicate_areas`.

    Returns
    -------
    ndarray of float64, shape (n_boot, 2)
        nan where a replicate lacks a class, the standard error also where one has one case.

    Notes
    -----
    O(n_boot n), as `replicate_areas`: both classes are drawn and cumulated, and one sweep over
    the positives adds up all three sums.
    """
    draws = n_boot, rng, threads, progress
    few = rows_are_few(table.pos) or rows_are_few(table.neg)
    if few or not error_pays(int(table.n_pos + table.n_neg) * n_boot) or table.is_weighted:
        return replicate(table, area_with_error, *draws, scheme=scheme)
    return Sweep(table).replicates(_areas_with_errors, *draws, scheme=scheme)


def _areas_with_errors(sweep: Sweep, seed: NDArray[np.uint64], share: Shares) -> Vector:
    from rocspace._kernels.errors import errors_of_draws

    drawn = (sweep.room(sweep.pos), sweep.room(sweep.neg))
    out = np.empty((len(share[0]), 2))
    bits = (sweep.pos.bits, sweep.neg.bits)
    errors_of_draws(seed, share, bits, (sweep.above, sweep.upto), drawn, out)
    return out


# --- intervals --------------------------------------------------------------------------------


def pivotal_ends(
    data: tuple[float, float],
    replicates: tuple[Vector, Vector],
    tail: Vector,
    *,
    scale: tuple[float, float] | None,
) -> Vector:
    """Return the ends of a studentised interval, not finite where too little is known.

    `data` and `replicates` are values with their standard errors; `scale` is the range in which
    variances go to zero at both ends, as in Wilson's interval, None for none.
    """
    low, high = scale or (0.0, 1.0)
    width = high - low
    x, se = (data[0] - low) / width, data[1] / width
    drawn = (replicates[0] - low) / width
    with np.errstate(invalid="ignore", divide="ignore"):
        pivots = (drawn - x) / (replicates[1] / width)
        if scale:
            pivots *= np.sqrt(np.maximum(drawn * (1 - drawn), 0) / (x * (1 - x)))
            # At an end there is no spread: as far as can be.
            ends = (drawn <= 0) | (drawn >= 1)
            pivots[ends] = np.copysign(np.inf, drawn[ends] - x)
        known = np.sort(pivots[~np.isnan(pivots)])
        if known.size < 2:
            return np.full(2, np.nan)
        q = np.quantile(known, tail[::-1])  # infinities: replicates without spread
        plain = low + (x - q * se) * width
    if not (scale and np.isfinite(q).all() and se > 0):
        return np.asarray(plain)
    return np.array([low + wilson_end(x, se, pivot) * width for pivot in q.tolist()])


def difference_ends(
    values: Vector,
    replicates: Vector,
    intervals: Sequence[Interval],
    n_pairs: float,
) -> Vector:
    """Return the ends of a difference of two values from their intervals."""
    one, two = (
        AreaEstimate(value=float(x), se=np.nan, method="", n_pairs=n_pairs) for x in values.tolist()
    )
    varies = np.ptp(replicates, axis=0).all()
    r = np.asarray(np.corrcoef(replicates.T))[0, 1] if varies else np.nan
    whole = Difference(
        value=one.value - two.value,
        se=np.nan,
        method="",
        n_pairs=n_pairs,
        range=(-1.0, 1.0),
        first=one,
        second=two,
        correlation=float(r),
    )
    return np.array(list(whole.of_intervals(intervals[0], intervals[1])))
