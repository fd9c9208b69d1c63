"""Replicates in which each class also has half a case of the other class's scores.

A replicate has no score that its class lacks in the sample. Where much of one class, several cases
or one of a few, has a score that no case of the other has, this hides how far a statistic of the
population may be: here each class may have, in a replicate, cases that were seen in the other only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace.counts.draws import draw_by_chance
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.resampling.replicates import (
    CaseStatistic,
    Rng,
    Scheme,
    TableStatistic,
    run_blocks,
    units_of,
)
from rocspace.results.unseen import HALF_A_CASE

_ROUNDING = 1e-9  # of a share


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """What some data say of unseen cases.

    Attributes
    ----------
    share : callable
        Returns `lacking_share` of the data.
    draw : callable
        Draws replicates in which each class also has half a case of the other's scores.
    """

    share: Callable[[], float]
    draw: Callable[..., Vector]

    def matters(self, level: float) -> bool:
        """Tell whether half a case could move the limits of an interval.

        A class whose sample lacks a score that has the share q of the other class draws half a case
        of it with chance q / 2. Fewer replicates than lie beyond a limit, a share of (1 - level) /
        2, do not move it.
        """
        return self.share() >= 1 - level - _ROUNDING


def lacking_share(pos: Array, neg: Array) -> float:
    """Return the largest share of a class at one score that the other class lacks.

    It is at least that of one case: what a class of few cases lacks need not be at one score.
    """
    shares = [1 / float(min(pos.sum(), neg.sum()))]
    for own, others in ((pos, neg), (neg, pos)):
        shares.append(float(np.max(own, where=others == 0, initial=0)) / float(own.sum()))
    return max(shares)


def lacking_share_of_cases(data: PairedScores, scheme: str) -> float:
    """Return the largest `lacking_share` of several scores; equal cases of a cluster are one."""
    plain = replace(data, weight=None, cluster=None)
    found = []
    for name in data.names:
        if scheme == "cluster" and data.cluster is not None:
            row = np.unique(data.score[:, data.column_of(name)], return_inverse=True)[1]
            cases = np.column_stack([data.cluster, data.label, row])
            once = np.unique(cases, axis=0, return_index=True)[1]
            plain = replace(plain, label=data.label[once], score=data.score[once])
        table = plain.table(name)
        found.append(lacking_share(table.pos, table.neg))
    return max(found)


# --- drawing ----------------------------------------------------------------------------------


def replicate_unseen(
    table: ScoreTable,
    statistic: TableStatistic,
    n_boot: int,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
    *,
    scheme: Scheme = "stratified",
) -> Vector:
    """Do what `replicate` does, each class having half a case of the other class's scores."""
    pos, neg, k = table.pos, table.neg, len(table)
    chance = [own + HALF_A_CASE * others / others.sum() for own, others in ((pos, neg), (neg, pos))]

    def block(generator: np.random.Generator, many: int) -> Vector:
        if scheme == "unstratified":
            both = draw_by_chance(
                generator, int(pos.sum() + neg.sum()), np.concatenate(chance), many
            )
            return statistic(both[:, :k], both[:, k:])
        sizes = int(pos.sum()), int(neg.sum())
        drawn = [draw_by_chance(generator, n, p, many) for n, p in zip(sizes, chance, strict=True)]
        return statistic(*drawn)

    return run_blocks(block, n_boot, k, rng, threads, progress)


def replicate_unseen_cases(
    data: PairedScores,
    statistic: CaseStatistic,
    *,
    n_boot: int,
    rng: Rng = None,
    scheme: Scheme = "stratified",
    threads: int | None = None,
    progress: bool | None = None,
) -> Vector:
    """Do what `replicate_cases` does, each class having half a case of the other class's scores.

    ``statistic(times)`` is that of the cases of `exchanged`, with an array of shape (b, 2 n).
    """
    n = len(data)
    strata = list(_strata(data, scheme))

    def block(generator: np.random.Generator, many: int) -> Vector:
        times = np.zeros((many, 2 * n))
        for size, cell, unit, chance in strata:
            times[:, cell] = draw_by_chance(generator, size, chance, many)[:, unit]
        return statistic(times)

    return run_blocks(block, n_boot, 2 * n, rng, threads, progress)


def exchanged(data: PairedScores) -> PairedScores:
    """Return the cases, and after them the same with labels exchanged, in clusters of their own.

    Exchanged cases have weights of the mean of the class that they come to.
    """
    weight, cluster, label = data.weight, data.cluster, data.label
    if weight is not None:
        pos, neg = float(weight[label].mean()), float(weight[~label].mean())
        weight = np.concatenate([weight, weight * np.where(label, neg / pos, pos / neg)])
    if cluster is not None:
        cluster = np.concatenate([cluster, cluster + int(cluster.max()) + 1])
    return replace(
        data,
        label=np.concatenate([label, ~label]),
        score=np.concatenate([data.score, data.score]),
        weight=weight,
        cluster=cluster,
    )


def _strata(data: PairedScores, scheme: Scheme) -> Iterator[tuple[int, Ints, Ints, Vector]]:
    """Yield of each stratum the number of draws, its cells, their units, and units' chances.

    Each case of a class has the same part of the half case of the other class. A cluster is drawn
    whole, with the parts of its cases.
    """
    n, n_pos = len(data), int(np.count_nonzero(data.label))
    part = HALF_A_CASE / np.where(data.label, n_pos, n - n_pos)
    for members, unit in units_of(data, scheme):
        size = int(unit.max()) + 1
        others, their_unit = members, unit
        if scheme == "stratified":
            others = np.flatnonzero(data.label != data.label[members[0]])
            their_unit = np.arange(others.size)
        chance = np.concatenate([np.ones(size), np.bincount(their_unit, part[others])])
        cell = np.concatenate([members, n + others])
        yield size, cell, np.concatenate([unit, size + their_unit]), chance
