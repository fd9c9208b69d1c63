"""Bootstrap replicates by counts: new counts for the same sorted scores, block by block.

The blocks, and the generator of each, depend on the data alone, so the numbers are the same
whatever the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._checks import check_choice
from rocspace._count import check_threads
from rocspace._progress import Progress
from rocspace.paired import PairedScores
from rocspace.table import ScoreTable

__all__ = ["CaseStatistic", "Scheme", "TableStatistic", "replicate", "replicate_cases"]

Scheme: TypeAlias = Literal["stratified", "unstratified", "cluster", "bayesian"]
TableStatistic: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]]
CaseStatistic: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_BLOCK = 1 << 18  # cells drawn at once
_SCHEMES = ("stratified", "unstratified", "bayesian")
_CASE_SCHEMES = (*_SCHEMES, "cluster")


def replicate(
    table: ScoreTable,
    statistic: TableStatistic,
    *,
    n_boot: int,
    rng: np.random.Generator | int | None = None,
    scheme: Scheme = "stratified",
    threads: int | None = None,
    progress: bool | None = None,
) -> NDArray[np.float64]:
    """Draw new counts for the rows of a table, and compute a statistic of each replicate.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    statistic : callable
        ``statistic(pos, neg)`` of two arrays of shape (b, k), the counts of b replicates;
        returns an array whose first axis has length b.
    n_boot : int
        How many replicates.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    scheme : {"stratified", "unstratified", "bayesian"}
        "stratified" keeps the class sizes; "unstratified" draws cases of both classes, so a
        replicate may lack one; "bayesian" draws Dirichlet weights within the classes.
    threads : int, optional
        How many threads; by default as many as the process may use.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    ndarray of float64, shape (n_boot, ...)
        The same for the same seed, whatever the number of threads.
    """
    check_choice("scheme", scheme, _SCHEMES)
    if table.is_weighted:
        msg = (
            "A weighted table no longer knows its cases. Resample those: give "
            "pair_scores(..., sample_weight=...)."
        )
        raise ValueError(msg)

    def block(generator: np.random.Generator, many: int) -> NDArray[np.float64]:
        if scheme == "unstratified":
            both = _drawn(generator, np.concatenate([table.pos, table.neg]), many)
            return statistic(both[:, : len(table)], both[:, len(table) :])
        draw = _weights if scheme == "bayesian" else _drawn
        pos = draw(generator, table.pos, many)
        return statistic(pos, draw(generator, table.neg, many))

    return _run(block, n_boot, len(table), rng, threads, progress)


def replicate_cases(
    data: PairedScores,
    statistic: CaseStatistic,
    *,
    n_boot: int,
    rng: np.random.Generator | int | None = None,
    scheme: Scheme = "stratified",
    threads: int | None = None,
    progress: bool | None = None,
) -> NDArray[np.float64]:
    """Draw how often each case is in a replicate, and compute a statistic of each.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases.
    statistic : callable
        ``statistic(times)`` of an array of shape (b, n): how often each case was drawn (or
        its random weight, "bayesian"); returns an array whose first axis has length b. Weights
        of the cases are left to it.
    n_boot, rng, threads, progress
        As for `replicate`.
    scheme : {"stratified", "unstratified", "cluster", "bayesian"}
        As for `replicate`; "cluster" draws whole clusters.

    Returns
    -------
    ndarray of float64, shape (n_boot, ...)
        The same for the same seed, whatever the number of threads.
    """
    check_choice("scheme", scheme, _CASE_SCHEMES)
    n = len(data)
    groups = _groups(data, scheme)

    def block(generator: np.random.Generator, many: int) -> NDArray[np.float64]:
        times = np.zeros((many, n))
        for members, unit in groups:
            ones = np.ones(int(unit.max()) + 1, dtype=np.int64)
            draw = _weights if scheme == "bayesian" else _drawn
            times[:, members] = draw(generator, ones, many)[:, unit]
        return statistic(times)

    return _run(block, n_boot, n, rng, threads, progress)


def _groups(data: PairedScores, scheme: Scheme) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return groups of cases that are drawn for themselves, and the unit of each case there."""
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


def _run(
    block: Callable[[np.random.Generator, int], NDArray[np.float64]],
    n_boot: int,
    cells: int,
    rng: np.random.Generator | int | None,
    threads: int | None,
    progress: bool | None,
) -> NDArray[np.float64]:
    if n_boot < 1:
        msg = f"n_boot is {n_boot}, but at least one replicate is needed."
        raise ValueError(msg)
    size = max(1, _BLOCK // max(cells, 1))
    starts = range(0, n_boot, size)
    generators = np.random.default_rng(rng).spawn(len(starts))
    with Progress("bootstrap", n_boot, show=progress) as shown:

        def work(start: int, generator: np.random.Generator) -> NDArray[np.float64]:
            many = min(size, n_boot - start)
            found = np.asarray(block(generator, many), dtype=np.float64)
            shown.add(many)
            return found

        workers = min(check_threads(threads), len(starts))
        if workers <= 1:
            return np.concatenate([work(*task) for task in zip(starts, generators, strict=True)])
        with ThreadPoolExecutor(workers) as pool:
            try:
                return np.concatenate(list(pool.map(work, starts, generators)))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _drawn(rng: np.random.Generator, count: NDArray[np.int64], many: int) -> NDArray[np.int64]:
    """Draw as many cases as there are, with replacement, and count them by row."""
    n, k = int(count.sum()), count.size
    if n <= 4 * k:
        row = np.repeat(np.arange(k), count)[rng.integers(0, n, size=(many, n))]
        row += (np.arange(many) * k)[:, np.newaxis]
        return np.bincount(row.ravel(), minlength=many * k).reshape(many, k)
    drawn = np.zeros((many, k), dtype=np.int64)
    some = count > 0  # the last chance given takes up all rounding, so it must not be zero
    drawn[:, some] = rng.multinomial(n, count[some] / n, size=many)
    return drawn


def _weights(rng: np.random.Generator, count: NDArray[np.int64], many: int) -> NDArray[np.float64]:
    """Draw Dirichlet weights of the cases, and add them up by row; they sum to their number."""
    drawn = rng.standard_gamma(count, size=(many, count.size))
    return np.asarray(drawn * (count.sum() / drawn.sum(axis=1, keepdims=True)))
