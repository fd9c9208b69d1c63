"""Areas of bootstrap replicates with their standard errors, and intervals based on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.exact import ratio
from rocspace.counts.draws import blocks_of, rows_are_few, seeds
from rocspace.counts.sorts import CLOCK, loaded
from rocspace.counts.table import ScoreTable
from rocspace.resampling.replicates import Rng, Scheme, replicate, run_blocks
from rocspace.results.estimates import AreaEstimate, Difference, wilson_end
from rocspace.results.interval import Interval

_ROUNDING = 1e-14  # a variance below this share of the squared mean is rounding error
_COMPILED = 1 << 22  # number of draws from which compiled loops repay the import of numba
_EXACT = 1 << 16  # of up to so many cases sums of squares of pairs are exact
_WIDE = 1 << 30  # from this number of cases on, twice the number needs 64 bits

Block = Callable[[np.random.Generator, int], Vector]


def error_pays(draws: int) -> bool:
    """Tell whether there are enough draws for compiled loops to be faster, fewer than for areas."""
    return draws >= _COMPILED


def loops_agree(n: int) -> bool:
    """Return whether compiled loops are loaded, and of n cases have the very sums of NumPy."""
    return n <= _EXACT and loaded()


def area_with_error(pos: Array, neg: Array) -> Vector:
    """Area and DeLong's standard error of replicates, from counts (b, k): shape (b, 2)."""
    pos, neg = pos.astype(np.float64), neg.astype(np.float64)
    twice, below = np.cumsum(neg, axis=1), np.cumsum(pos, axis=1)
    n_pos, n_neg = below[:, -1:].copy(), twice[:, -1:].copy()
    twice += twice - neg  # twice: those above, plus half of the tied
    below = 2.0 * (n_pos - below) + pos
    pairs = 2.0 * n_pos[:, 0] * n_neg[:, 0]
    beaten = pos * twice
    sums = beaten.sum(axis=1)
    lost = ratio(sums, pairs)  # with mean 1 - area: no cancellation where that is small
    n_pos, n_neg = n_pos[:, 0], n_neg[:, 0]
    variance = _variance(np.einsum("ij,ij->i", beaten, twice), lost, n_pos, n_neg)
    variance += _variance(np.einsum("ij,ij->i", neg * below, below), lost, n_neg, n_pos)
    return np.column_stack([ratio(pairs - sums, pairs), np.sqrt(variance)])


def _variance(squares: Any, lost: Any, n: Any, others: Any) -> Any:
    """Variance of the mean over a class, from the squares of twice the others lost to."""
    mean = n * lost * lost
    spread = ratio(squares, 4 * others * others) - mean
    return ratio(np.where(spread > _ROUNDING * mean, spread, 0 * spread), n * (n - 1))


def replicate_areas(
    table: ScoreTable,
    *,
    n_boot: int,
    rng: Rng = None,
    scheme: Scheme = "stratified",
    threads: int | None = None,
    progress: bool | None = None,
) -> Vector:
    """Areas of bootstrap replicates and their standard errors by DeLong.

    Parameters
    ----------
    table, n_boot, rng, scheme, threads, progress
        As for `replicate`.

    Returns
    -------
    ndarray of float64, shape (n_boot, 2)
        nan if a replicate lacks a class; the standard error is nan also if a class has one case.

    Notes
    -----
    O(n_boot n) for mostly distinct scores: both classes are drawn and cumulated, then all three
    sums are accumulated in one pass over the positives, in blocks that fit in the cache. Of fewer
    draws than repay the import of numba, the same replicates come from NumPy or, where compiled
    loops are loaded, from these.
    """
    n = int(table.n_pos + table.n_neg)
    few = rows_are_few(table.pos) or rows_are_few(table.neg)
    if not few and not table.is_weighted:
        if error_pays(n * n_boot):
            return run_blocks(_of_draws(table, n, scheme), n_boot, n, rng, threads, progress)
        if scheme == "stratified" and loops_agree(n):
            return run_blocks(_of_numbers(table), n_boot, len(table), rng, threads, progress)
    by_numpy = partial(replicate, table, area_with_error, n_boot, rng, threads, progress)
    return CLOCK.timed(partial(by_numpy, scheme=scheme))


def _of_draws(table: ScoreTable, n: int, scheme: Scheme) -> Block:
    """Return a function that draws cases in compiled loops."""
    from rocspace._kernels.errors import errors_of_draws

    sweep = Sweep(table)
    n_pos, room = int(table.n_pos), np.int64 if n >= _WIDE else np.int32

    def block(generator: np.random.Generator, many: int) -> Vector:
        sizes = np.full(many, n_pos)
        if scheme == "unstratified":
            sizes = generator.binomial(n, n_pos / n, size=many)
        share = (
            sweep.pos.shares(generator, sizes, many),
            sweep.neg.shares(generator, n - sizes, many),
        )
        seed = seeds(generator, 2 * many)
        bits = (sweep.pos.bits, sweep.neg.bits)
        out = np.empty((many, 2))
        errors_of_draws(seed, share, bits, (sweep.above, sweep.upto), sweep.room(room), out)
        return out

    return block


def _of_numbers(table: ScoreTable) -> Block:
    """Return a function that draws the cases that `replicate` draws; its sums are exact, too."""
    from rocspace._kernels.errors import errors_of_numbers

    sweep = Sweep(table)

    def block(generator: np.random.Generator, many: int) -> Vector:
        pos, neg = (generator.integers(0, of.n, size=(many, of.n)) for of in (sweep.pos, sweep.neg))
        out = np.empty((many, 2))
        errors_of_numbers((pos, neg), (sweep.above, sweep.upto), sweep.room(np.int32), out)
        return out

    return block


class Sweep:
    """The data of a table that the compiled loops need.

    Positive i has the first ``above[i]`` negatives above it, and ties up to ``upto[i]``, which is
    empty if there are no ties; `pos` and `neg` are the blocks in which cases are drawn.
    """

    def __init__(self, table: ScoreTable) -> None:
        index = np.uint64 if table.n_pos + table.n_neg >= _WIDE else np.uint32
        fp = table.fp.astype(index)
        self.upto = np.repeat(fp, table.pos)  # negatives at or above each positive
        self.above = self.upto
        if (tied := (table.pos > 0) & (table.neg > 0)).any():
            self.above = np.repeat(fp - np.where(tied, table.neg, 0).astype(index), table.pos)
        else:
            self.upto = self.upto[:0]
        self.pos, self.neg = blocks_of(int(table.n_pos)), blocks_of(int(table.n_neg))

    def room(self, dtype: Any) -> tuple[Array, Array]:
        """Return room for one number more than there are positives, and negatives."""
        return np.empty(self.pos.n + 1, dtype=dtype), np.empty(self.neg.n + 1, dtype=dtype)


# --- intervals --------------------------------------------------------------------------------


def pivotal_ends(
    data: tuple[float, float],
    replicates: tuple[Vector, Vector],
    tail: Vector,
    *,
    scale: tuple[float, float] | None,
) -> Vector:
    """Return the ends of a studentised interval; not finite if too few variances are known.

    `data` and `replicates` are values with their standard errors; `scale` is the range at whose
    ends variances tend to zero, as in Wilson's interval, or None.
    """
    low, high = scale or (0.0, 1.0)
    width = high - low
    x, se = (data[0] - low) / width, data[1] / width
    drawn = (replicates[0] - low) / width
    with np.errstate(invalid="ignore", divide="ignore"):
        pivots = (drawn - x) / (replicates[1] / width)
        if scale:
            pivots *= np.sqrt(np.maximum(drawn * (1 - drawn), 0) / (x * (1 - x)))
            # Replicates at an end have zero variance, so their pivots are infinite.
            ends = (drawn <= 0) | (drawn >= 1)
            pivots[ends] = np.copysign(np.inf, drawn[ends] - x)
        known = np.sort(pivots[~np.isnan(pivots)])
        if known.size < 2:
            return np.full(2, np.nan)
        q = np.quantile(known, tail[::-1])  # infinite pivots: replicates with zero variance
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
