"""Bootstrap replicates as counts: new counts for the same sorted scores, block by block.

The blocks, and the generator of each, depend on the data alone, so the numbers are the same
whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_rng, check_times
from rocspace._base.exact import ratio
from rocspace._base.progress import Progress
from rocspace.counts.draws import draw_counts
from rocspace.counts.paired import PairedScores
from rocspace.counts.rows import check_threads
from rocspace.counts.table import ScoreTable

Scheme: TypeAlias = Literal["stratified", "unstratified", "cluster", "bayesian"]
Rng: TypeAlias = np.random.Generator | int | None
TableStatistic: TypeAlias = Callable[[Array, Array], Vector]
CaseStatistic: TypeAlias = Callable[[Vector], Vector]

_BLOCK = 1 << 18  # cells drawn at once
_CACHED = 1 << 16  # cells of counts of which a statistic is computed at once
_SCHEMES = ("stratified", "unstratified", "bayesian")
_GENERATOR = 256  # memory of a generator and its task, in numbers of 8 bytes
_MANY = 1 << 30  # size from which on available memory is checked


def replicate(
    table: ScoreTable,
    statistic: TableStatistic,
    n_boot: int,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
    *,
    scheme: Scheme = "stratified",
) -> Vector:
    """Draw new counts for the rows of a table, and compute a statistic of each replicate.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    statistic : callable
        ``statistic(pos, neg)`` of two arrays of shape (b, k), the counts of b replicates;
        returns an array whose first axis has length b.
    n_boot : int
        Number of replicates.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    scheme : {"stratified", "unstratified", "bayesian"}
        "stratified" resamples within each class; "unstratified" resamples from all cases, so a
        replicate may lack a class; "bayesian" draws Dirichlet weights within the classes.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    ndarray of float64, shape (n_boot, ...)
        The same for the same seed, whatever the number of threads.
    """
    _check_table(table, scheme)
    draws = int(table.n_pos + table.n_neg) * n_boot

    def block(generator: np.random.Generator, many: int) -> Vector:
        if scheme == "unstratified":
            count = np.concatenate([table.pos, table.neg])
            both = draw_counts(generator, count, many, draws=draws)
            return _of_each(statistic, both[:, : len(table)], both[:, len(table) :])
        if scheme == "bayesian":
            weight = [_weights(generator, c, many) for c in (table.pos, table.neg)]
            return _of_each(statistic, *weight)
        pos = draw_counts(generator, table.pos, many, draws=draws)
        return _of_each(statistic, pos, draw_counts(generator, table.neg, many, draws=draws))

    return run_blocks(block, n_boot, len(table), rng, threads, progress)


def _of_each(statistic: Callable[..., Vector], *drawn: Array) -> Vector:
    """Compute a statistic of replicates, of so many at once that these stay in the cache."""
    many, cells = drawn[0].shape
    step = max(1, _CACHED // max(cells, 1))
    parts = [statistic(*(x[i : i + step] for x in drawn)) for i in range(0, max(many, 1), step)]
    return np.concatenate(parts)


def _check_table(table: ScoreTable, scheme: str) -> None:
    check_choice("scheme", scheme, _SCHEMES)
    if table.is_weighted:
        msg = (
            "A weighted table no longer knows its cases. Resample those: "
            "bootstrap(pair_scores(..., sample_weight=...), ...). If weights count equal "
            "cases, tabulate each case as often as it counts."
        )
        raise ValueError(msg)


# --- curves and areas -------------------------------------------------------------------------


def rates_of_counts(*counts: Array) -> tuple[Vector, ...]:
    """Return the rates of each class by threshold, reject-all first; nan for an empty class.

    From counts of shape (b, k) the rates have the shape (b, k + 1).
    """
    found = []
    for count in counts:
        called = np.zeros((count.shape[0], count.shape[1] + 1))
        np.cumsum(count, axis=1, out=called[:, 1:])
        found.append(np.asarray(ratio(called, called[:, -1:])))
    return tuple(found)


def areas_of_counts(pos: Array, neg: Array) -> Vector:
    """Areas under the curves of many replicates, from their counts of shape (b, k)."""
    beaten = 2.0 * np.cumsum(neg, axis=1) - neg  # twice: negatives above, and half of the tied
    pairs = 2.0 * pos.sum(axis=1, dtype=np.float64) * neg.sum(axis=1, dtype=np.float64)
    return np.asarray(ratio(pairs - np.einsum("ij,ij->i", pos, beaten), pairs))


# --- cases ------------------------------------------------------------------------------------


@explained
def replicate_cases(
    data: PairedScores,
    statistic: CaseStatistic,
    *,
    n_boot: int,
    rng: Rng = None,
    scheme: Scheme = "stratified",
    threads: int | None = None,
    progress: bool | None = None,
) -> Vector:
    """Draw how often each case is in a replicate, and compute a statistic of each.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases.
    statistic : callable
        ``statistic(times)`` of an array of shape (b, n): how often each case was drawn (or its
        random weight, "bayesian"); returns an array whose first axis has length b. The function
        must apply the weights of the cases itself.
    n_boot, rng, threads, progress
        As for `replicate`.
    scheme : {"stratified", "unstratified", "cluster", "bayesian"}
        As for `replicate`; "cluster" resamples whole clusters.

    Returns
    -------
    ndarray of float64, shape (n_boot, ...)
        The same for the same seed, whatever the number of threads.
    """
    n = len(data)
    groups = [(members, unit, int(unit.max()) + 1) for members, unit in units_of(data, scheme)]

    def block(generator: np.random.Generator, many: int) -> Vector:
        times = np.zeros((many, n))
        for members, unit, size in groups:
            ones = np.ones(size, dtype=np.int64)
            if scheme == "bayesian":
                times[:, members] = _weights(generator, ones, many)[:, unit]
            else:
                times[:, members] = draw_counts(generator, ones, many, draws=n * n_boot)[:, unit]
        return _of_each(statistic, times)

    return run_blocks(block, n_boot, n, rng, threads, progress)


def units_of(data: PairedScores, scheme: str) -> list[tuple[Array, Array]]:
    """Return groups of cases that are resampled separately, and the sampling unit of each case."""
    everyone = np.arange(len(data))
    if scheme == "cluster":
        if data.cluster is None:
            msg = 'scheme="cluster" needs clusters: pair_scores(..., cluster=...).'
            raise ValueError(msg)
        return [(everyone, np.unique(data.cluster, return_inverse=True)[1])]
    parts = [everyone]
    if scheme != "unstratified":
        parts = [np.flatnonzero(data.label), np.flatnonzero(~data.label)]
    return [(part, np.arange(part.size)) for part in parts if part.size]


# --- running ----------------------------------------------------------------------------------


def run_blocks(
    block: Callable[[np.random.Generator, int], Vector],
    n_boot: int,
    cells: int,
    rng: Rng,
    threads: int | None,
    progress: bool | None,
    what: tuple[str, str] = ("bootstrap", "n_boot"),
) -> Vector:
    """Have `block(generator, many)` make all replicates, of about `cells` numbers each.

    `what` describes the task and names the number of replicates, for messages.
    """
    size = max(1, _BLOCK // max(cells, 1))
    check_times(what[1], n_boot, 1 + _GENERATOR / size)
    starts = range(0, n_boot, size)
    if n_boot * cells > _MANY:  # one replicate shows how many numbers it has
        check_times(what[1], n_boot, np.size(block(np.random.default_rng(0), 1)))
    generators = check_rng(rng).spawn(len(starts))
    failed = Event()  # a thread starts no block after its own, or another's, has failed
    with Progress(what[0], n_boot, show=progress) as shown:

        def work(start: int, generator: np.random.Generator) -> Vector:
            many = min(size, n_boot - start)
            if failed.is_set():
                return np.empty(0)
            try:
                found = np.asarray(block(generator, many), dtype=np.float64)
            except BaseException:
                failed.set()
                raise
            shown.add(many)
            return found

        workers = min(check_threads(threads), len(starts))
        if workers <= 1:
            return np.concatenate([work(*task) for task in zip(starts, generators, strict=True)])
        with ThreadPoolExecutor(workers) as pool:
            try:
                return np.concatenate(list(pool.map(work, starts, generators)))
            except BaseException:
                failed.set()
                pool.shutdown(cancel_futures=True)
                raise


def _weights(rng: np.random.Generator, count: Ints, many: int) -> Vector:
    """Draw Dirichlet weights of the cases, and add them up by row; they sum to their number."""
    drawn = rng.standard_gamma(count, size=(many, count.size))
    return np.asarray(drawn * (count.sum() / drawn.sum(axis=1, keepdims=True)))
