"""Placements of the cases of each class among those of the other, and their variances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.exact import CACHED, blocks
from rocspace._base.frozen import Result, own
from rocspace.counts.rows import LOOPS_FROM
from rocspace.counts.sorts import loaded
from rocspace.counts.table import (
    SUMMED,
    ScoreTable,
    fits_loops,
    is_distinct,
    of_table,
    trusted,
    twice_beaten,
)
from rocspace.counts.weights import squares_of

Part: TypeAlias = tuple[str, float, float]
"""A rate, "fpr" or "tpr", and the range of it that an area is restricted to."""
_COMPILED = 1 << 17  # importing numba pays from this many rows on

_ALIKE = 1e-12  # placements of a part as near as that are one
_GROUPED = 1 << 11  # fewer rows are summed as fast one by one
_GROUPED_CASES = 1 << 8  # where each row holds one case, and places are sums already

JOINT_DRAWS = 20_000  # of the largest deviation: levels to about .1 percent


class Placements(Result):
    """Placements of the cases of each row.

    Attributes
    ----------
    pos : ndarray, shape (k,)
        ``pos[i]``: share of negatives that a positive of row i beats, ties one half.
    neg : ndarray, shape (k,)
        ``neg[i]``: share of positives that beat a negative of row i, ties one half.

    See Also
    --------
    placements
    """

    pos: Vector
    neg: Vector


@of_table
def placements(table: ScoreTable) -> Placements:
    """Return the placements of positives among negatives, and the reverse.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.

    Returns
    -------
    Placements
        Both in [0, 1]; the mean over the cases of either class is `auc`.

    Raises
    ------
    SingleClassError
        If a class is missing.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), whose V10 and V01 these are, by Sun and Xu (2014),
    Algorithm 2.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> v = placements(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    >>> v.pos[:2], v.neg[1:]
    (array([1.  , 0.75]), array([0.75, 1.  ]))
    """
    beats, beaten = np.empty(len(table)), np.empty(len(table))
    if fits_loops(table):
        from rocspace._kernels.spread import placed_rows

        placed_rows(table.pos, table.neg, _whole_sizes(table), beats, beaten)
        return Placements(pos=own(beats), neg=own(beaten))
    for block, (pos, neg) in placement_blocks(table):
        beats[block], beaten[block] = pos, neg
    return Placements(pos=own(beats), neg=own(beaten))


# --- spread -----------------------------------------------------------------------------------


class Spread(NamedTuple):
    """Variance of a mean placement, and its degrees of freedom.

    ``squares`` are the mean squared deviations of the placements in each class, ``classes`` the
    contributions of the classes to the variance.
    """

    variance: float
    df: float
    squares: tuple[float, float] = (np.nan, np.nan)
    classes: tuple[ClassSpread, ...] = ()


def placement_blocks(table: ScoreTable) -> Iterator[tuple[slice, tuple[Vector, Vector]]]:
    """Yield `placements` of both classes in blocks, so that no temporary has the table's length."""
    if not table.is_weighted and len(table) <= SUMMED:
        for block in blocks(len(table)):
            called = table.tp_from_zero
            above = called[1:][block] + called[:-1][block]
            beats = twice_beaten(table, block) / (2 * table.n_neg)
            yield block, (beats, above / (2 * table.n_pos))
        return
    tp, fp = table.n_pos * 0, table.n_neg * 0
    for block in blocks(len(table)):
        pos, neg = table.pos[block], table.neg[block]
        called_tp, called_fp = tp + pos.cumsum(), fp + neg.cumsum()
        tp, fp = called_tp[-1], called_fp[-1]
        beats = (table.n_neg - called_fp + neg / 2) / table.n_neg
        yield block, (beats, (called_tp - pos / 2) / table.n_pos)


def spread_of(
    table: ScoreTable, parts: Iterable[tuple[slice, tuple[Vector, Vector]]], centre: float
) -> Spread:
    """Sum the variances of the mean placements of the two classes.

    The degrees of freedom are the smaller of two numbers: Welch's from the class sizes, and those
    of a scaled chi-square whose variance matches the variance of the estimated variance by fourth
    moments. A few outlying placements make the variance as uncertain as a few cases would.
    """
    weights = squares_of(table)
    second, fourth = [0.0, 0.0], [0.0, 0.0]
    for block, both in parts:
        for i, placement in enumerate(both):
            two, four = _powers(weights[i][block], placement, centre)
            second[i] += two
            fourth[i] += four
    return _of_sums(table, second, fourth)


def area_spread(table: ScoreTable, area: float) -> Spread:
    """Return the `spread_of` the placements of a table whose area is known.

    Placements in the larger class change only where the smaller one has cases. So where that has
    few of them, or each row holds one case, there are few placements to sum over.
    """
    short, loops = not table.is_weighted and len(table) <= SUMMED, fits_loops(table)
    if short and len(table) >= _GROUPED_CASES and is_distinct(table):
        by_case = _powers_by_loops if loops else _powers_of_groups
        return _of_sums(table, *by_case(table, area))
    if short and len(table) >= _GROUPED and 3 * min(table.n_pos, table.n_neg) <= len(table):
        return _of_sums(table, *_powers_of_groups(table, area))
    if loops:
        return _spread_by_loops(table, area)
    return spread_of(table, placement_blocks(table), area)


def _powers_of_groups(table: ScoreTable, area: float) -> tuple[list[float], list[float]]:
    second, fourth = [0.0, 0.0], [0.0, 0.0]
    for i, number, placement in _grouped_placements(table):
        two, four = _powers(number, placement, area)
        second[i] += two
        fourth[i] += four
    return second, fourth


def _powers_by_loops(table: ScoreTable, area: float) -> tuple[list[float], list[float]]:
    """Return what `_powers_of_groups` does, to the bit, of a table with one case in each row."""
    from rocspace._kernels.spread import powers_of_cases

    sizes = _whole_sizes(table)
    few = int(sizes[1] < sizes[0])
    m = sizes[few]
    out: Array = np.empty((4, m + 1))
    powers_of_cases((table.pos, table.neg)[few], (m, sizes[1 - few]), few == 1, area, out)
    of_few = np.add.reduce(out[:2, :m], axis=1).tolist()
    of_many = np.add.reduce(out[2:], axis=1).tolist()
    pairs = (of_many, of_few) if few else (of_few, of_many)
    return [pairs[0][0], pairs[1][0]], [pairs[0][1], pairs[1][1]]


def _whole_sizes(table: ScoreTable) -> tuple[int, int]:
    return int(table.n_pos), int(table.n_neg)


def _spread_by_loops(table: ScoreTable, area: float) -> Spread:
    """Return what `spread_of` does, to the bit, by one compiled pass over the counts."""
    from rocspace._kernels.spread import powers_of_rows

    sums, sizes = np.zeros(4), _whole_sizes(table)
    called = np.zeros(2, dtype=np.int64)
    room: Array = np.empty((4, min(len(table), CACHED)))
    for block in blocks(len(table)):
        pos, neg = table.pos[block], table.neg[block]
        out = room[:, : pos.size]
        powers_of_rows(pos, neg, called, sizes, area, out)
        sums += np.add.reduce(out, axis=1)
    second, fourth = sums[::2].tolist(), sums[1::2].tolist()
    return _of_sums(table, second, fourth)


def _grouped_placements(table: ScoreTable) -> Iterator[tuple[int, Array, Vector]]:
    """Yield groups of cases: the class (0: positives), how many have a placement, and which."""
    sizes = (table.n_pos, table.n_neg)
    few = int(sizes[1] < sizes[0])
    many = 1 - few
    before, upto, others_before, others_upto = _around_cases(table, few)

    def share(above: Array, own: int) -> Vector:
        """Divide twice what is above by twice the size; a positive's placement is what is below."""
        twice = 2 * sizes[1 - own]
        return np.asarray((above if own else twice - above) / twice)

    yield few, upto - before, share(others_before + others_upto, few)
    if others_upto is not others_before and (tied := others_upto - others_before).any():
        yield many, tied, share(before + upto, many)
    between = np.empty(before.size + 1, dtype=others_upto.dtype)
    between[:-1], between[-1] = others_before, sizes[many]
    between[1:] -= others_upto
    edge = np.empty(before.size + 1, dtype=before.dtype)
    edge[:-1], edge[-1] = before, sizes[few]
    yield many, between, share(2 * edge, many)


def _around_cases(table: ScoreTable, few: int) -> tuple[Array, ...]:
    """Return, for each row with cases of one class, both classes called positive before and after.

    In this order: of that class before and after, of the other one before and after.
    """
    columns = (table.pos, table.neg)
    if fits_loops(table):
        from rocspace._kernels.spread import rows_with_cases

        most = min(int((table.n_pos, table.n_neg)[few]), len(table))
        out = np.empty((4, most), dtype=np.int64)
        k = rows_with_cases(columns[few], columns[1 - few], out)
        return tuple(out[:, :k])
    row = np.flatnonzero(columns[few] != 0)  # faster than of numbers
    if is_distinct(table):
        before_each = np.arange(row.size)
        row -= before_each
        return before_each, before_each + 1, row, row
    called = (table.tp_from_zero, table.fp_from_zero)
    before = [called[c][row] for c in (few, 1 - few)]
    row += 1
    after = [called[c][row] for c in (few, 1 - few)]
    return before[0], after[0], before[1], after[1]


def _powers(weight: Array, placement: Vector, centre: float) -> tuple[float, float]:
    """Return the sums of the second and fourth powers of deviations."""
    square = placement - centre
    square *= square
    # Not weight @ square: np.sum adds pairwise, and starts no BLAS threads.
    weighted = weight * square
    second = float(np.add.reduce(weighted))
    weighted *= square
    return second, float(np.add.reduce(weighted))


def _of_sums(table: ScoreTable, second: Sequence[float], fourth: Sequence[float]) -> Spread:
    totals, sizes = _sizes(table)
    return pooled_spread(
        [class_spread(*x) for x in zip(second, fourth, totals, sizes, strict=True)],
        (second[0] / totals[0], second[1] / totals[1]),
    )


def pooled_spread(
    classes: Sequence[ClassSpread], squares: tuple[float, float] = (np.nan, np.nan)
) -> Spread:
    """Add the contributions of both classes; the degrees of freedom are as for `spread_of`."""
    variance = sum(c.variance for c in classes)
    if not variance > 0:
        return Spread(variance=variance, df=0.0, squares=squares, classes=tuple(classes))
    shares = [c.variance / variance for c in classes]
    welch = sum(share**2 / c.freedom for share, c in zip(shares, classes, strict=True))
    noise = sum(share**2 * c.noise for share, c in zip(shares, classes, strict=True))
    df = 1 / max(welch, noise / 2)
    return Spread(variance=variance, df=df, squares=squares, classes=tuple(classes))


class ClassSpread(NamedTuple):
    """Variance of a mean over one class, its relative variance, and the cases minus one."""

    variance: float
    noise: float
    freedom: float

    @property
    def df(self) -> float:
        """Degrees of freedom of this class alone; 0 where the placements do not vary."""
        return 1 / max(1 / self.freedom, self.noise / 2) if self.variance > 0 else 0.0


def _sizes(table: ScoreTable) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return, for each class, the sum of the weights of moments and the effective size.

    Under importance weights, sum of w^2 d^2 / (sum of w)^2 is the mean of d^2 under w^2, over n.
    """
    if table.pos_w2 is None or table.neg_w2 is None:
        return table.n_eff, table.n_eff
    return (float(table.pos_w2.sum()), float(table.neg_w2.sum())), table.n_eff


def class_spread(second: float, fourth: float, total: float, n: float) -> ClassSpread:
    """Summarise a class, from weighted sums of second and fourth powers of deviations."""
    if n <= 1 + 1e-9:
        return ClassSpread(variance=np.nan, noise=np.nan, freedom=0.0)
    mean2 = second / total
    kurtosis = fourth / total / mean2 / mean2 if mean2 > 0 else 1.0
    return ClassSpread(variance=mean2 / (n - 1), noise=max(kurtosis - 1, 0.0) / n, freedom=n - 1)


def joint_level(
    correlation: Array, level: float, *, rng: np.random.Generator, n_draws: int = JOINT_DRAWS
) -> float:
    """Return the level of single intervals that hold together with a given one.

    The largest of Normal variables with these correlations, drawn `n_draws` times; O(n_draws k).
    Between the level itself and that of Bonferroni.
    """
    from scipy.special import ndtr

    values, vectors = np.linalg.eigh(np.nan_to_num(correlation, nan=0.0))
    own = values > 1e-12 * max(float(values.max()), 1e-300)
    root = vectors[:, own] * np.sqrt(values[own])
    largest = np.abs(rng.standard_normal((n_draws, root.shape[1])) @ root.T).max(axis=1)
    single = 2 * ndtr(float(np.quantile(largest, level))) - 1
    return float(min(max(single, level), 1 - (1 - level) / len(values)))


def neighbour_steps(
    counts: tuple[Array, Array],
    sizes: tuple[float, float] | None = None,
    *,
    distinct: bool = False,
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return, for each class, the distances of its cases to the next placement, and its ties.

    The first number is the mean squared step from a case's row to the farther of its two
    neighbours, in placements; the second is the probability that two cases have the same placement.
    `counts` are those of both classes by distinct score, `sizes` their sums where these are known;
    `distinct` says that each row is known to hold one case. O(k).
    """
    one, two = counts
    n = [float(size) for size in sizes or (one.sum(), two.sum())]
    whole = one.dtype.kind == two.dtype.kind == "i" and n[0] * n[1] * 4 * max(n) < 2**53
    if one.size >= (LOOPS_FROM if whole and loaded() else _COMPILED):  # exact either way
        from rocspace._kernels import ranks

        if distinct and whole:
            sums = ranks.steps_of_cases(one, two)
        else:
            sums = ranks.neighbour_steps(one, two, 0 if whole else 0.0)
        found = sums[:2], sums[2:]
    elif distinct:
        found = _steps_of_cases(one), _steps_of_cases(two)
    else:
        found = _steps(one, two, n[0]), _steps(two, one, n[1])
    of_one, of_two = (
        (steps / own / (2 * others) ** 2, ties / own**2)
        for (steps, ties), own, others in zip(found, n, n[::-1], strict=True)
    )
    return of_one, of_two


def placement_steps(
    table: ScoreTable, part: Placements, width: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return what `neighbour_steps` does, for placements of a part as shares of its width."""
    found = []
    for counts, placed in ((table.pos, part.pos), (table.neg, part.neg)):
        n = float(counts.sum())
        between = np.abs(np.diff(placed)) / width
        between[between < _ALIKE] = 0.0
        steps, ties = _steps_between(counts, between, n)
        found.append((steps / n, ties / n**2))
    return found[0], found[1]


def _steps(own: Array, other: Array, n: float) -> tuple[float, float]:
    """Return what the compiled `neighbour_steps` does, for one class of size n."""
    between = (other[1:] + other[:-1]).astype(np.float64)  # twice the step, in cases
    return _steps_between(own, between, n)


def _steps_between(own: Array, between: Vector, n: float) -> tuple[float, float]:
    """Sum the squared steps to the farther neighbour over cases, and count tied pairs of them."""
    far = np.zeros(own.size)
    far[:-1] = between
    np.maximum(far[1:], between, out=far[1:])
    ends = own.cumsum()[:-1][between > 0]  # of the runs of cases that share a placement
    tied = np.empty(ends.size + 1)
    tied[:-1], tied[-1] = ends, n
    tied[1:] -= ends
    return float((far * far * own).sum()), float((tied * tied).sum())


def _steps_of_cases(own: Array) -> tuple[float, float]:
    """Return what `_steps` does where each row holds one case.

    Cases of a class in a row are tied, and the first and the last of them have a neighbour of the
    other class, but not at the ends of the table.
    """
    row = np.flatnonzero(own != 0)  # faster than of numbers
    if not row.size:
        return 0.0, 0.0
    ends = np.append(np.flatnonzero(row[1:] - row[:-1] > 1), row.size - 1)
    run = ends.copy()
    run[0] += 1
    run[1:] -= ends[:-1]
    steps = 2 * run.size - np.count_nonzero(run == 1)
    alone = own.size == 1
    steps -= int(row[0] == 0 and (run[0] > 1 or alone))
    steps -= int(row[-1] == own.size - 1 and run[-1] > 1)
    return float(steps), float((run * run).sum())


# --- partial areas ----------------------------------------------------------------------------


def classes_swapped(table: ScoreTable) -> ScoreTable:
    """Swap the classes, and reverse the direction of the scores."""
    columns = (table.neg, table.pos, table.neg_w2, table.pos_w2)
    pos, neg, pos_w2, neg_w2 = (None if c is None else c[::-1].copy() for c in columns)
    assert pos is not None
    assert neg is not None
    score = table.score[::-1].copy()
    return trusted(score, pos, neg, pos_w2, neg_w2, higher_is_positive=not table.higher_is_positive)


def below_fpr(table: ScoreTable, part: Part | None) -> tuple[ScoreTable, float, float]:
    """Express a partial area as one over a range of false positive rates.

    The area right of the curve in a range of tpr is an area below the curve with the classes
    swapped.
    """
    name, low, high = part or ("fpr", 0.0, 1.0)
    if name == "tpr":
        return classes_swapped(table), 1 - high, 1 - low
    return table, low, high


def partial_placements(table: ScoreTable, low: float, high: float) -> Placements:
    """Placements for the area between two false positive rates.

    The threshold for a rate is itself an estimate: one more negative above it shifts the cut, and
    changes the area by the true positive rate there. A row without cases of a class has the
    placement that such a case would have.
    """
    upper = _up_to(table, high)
    if low == 0:
        return upper
    lower = _up_to(table, low)
    return Placements(pos=upper.pos - lower.pos, neg=upper.neg - lower.neg)


def _up_to(table: ScoreTable, fpr: float) -> Placements:
    """Placements among the share `fpr` of highest negatives, cut linearly inside a row."""
    limit = _snapped(fpr * table.n_neg, table.fp, table.n_neg)
    share = np.clip((limit - (table.fp - table.neg)) / np.maximum(table.neg, 1e-300), 0, 1)
    share = np.where(table.neg > 0, share, (table.fp <= limit).astype(np.float64))
    inside = share * table.neg  # negatives of each row that are in the range
    below = inside.sum() - np.cumsum(inside)
    pos = (below + share * inside / 2) / table.n_neg
    before = table.tp - table.pos
    height = float(np.max(np.where(inside > 0, before + share * table.pos, 0.0), initial=0.0))
    rate_at_cut = _rate_at_cut(table, limit, height)
    neg = share * (before + share * table.pos / 2) / table.n_pos + rate_at_cut * (fpr - share)
    return Placements(pos=pos, neg=neg)


def _snapped(limit: float, fp: Array, n_neg: float) -> float:
    """Move a cut onto a point of the curve that it misses by round-off: .29 x 100 is 29."""
    i = int(np.searchsorted(fp, limit))
    near = [float(fp[j]) for j in (i - 1, i) if 0 <= j < len(fp)]
    nearest = min(near, key=lambda count: abs(count - limit))
    return nearest if abs(nearest - limit) <= 1e-14 * n_neg else limit


def _rate_at_cut(table: ScoreTable, limit: float, height: float) -> float:
    """Return the true positive rate of the polygon at the cut, the upper end of a vertical run."""
    reached = np.flatnonzero(table.fp <= limit)
    top = float(table.tp[reached[-1]]) if reached.size else 0.0
    return max(height, top) / table.n_pos
