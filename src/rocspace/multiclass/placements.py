"""How the cases of each class rank among those of every other, and what follows for areas.

Every area here is a weighted sum of the areas A(i|j) of pairs of classes, so that its standard
error comes from one number for each case: how the case ranks among the others, pair by pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocspace._base.arrays import Array, Ints, Mask, Vector
from rocspace._base.checks import two_names
from rocspace._base.words import warn
from rocspace.counts.weights import effective_size
from rocspace.inference.clustered import FEW_CLUSTERS, ClusterShares
from rocspace.inference.spread import ClassSpread, Spread, class_spread, pooled_spread
from rocspace.multiclass.cases import (
    MulticlassScores,
    OrderedScores,
    ScoresOfClasses,
    checked_scores,
)
from rocspace.multiclass.clusters import cluster_sets, clustered_spread, shares_of
from rocspace.multiclass.columns import RankedColumn, sweep_columns
from rocspace.results.estimates import CREDITED, AreaEstimate, Difference
from rocspace.results.unseen import HALF_A_CASE, ClassMean, part_of_case

_PAIR = 2
_ROUNDING = 1e-12  # deviations below this are round-off
_COMPILED = 1 << 16  # importing numba pays from this many cases on


@dataclass(frozen=True, eq=False, kw_only=True)
class PairPlacements:
    """Placements of each case among the cases of every class.

    Attributes
    ----------
    data : MulticlassScores or OrderedScores
        The cases.
    area : ndarray of float64, shape (k, k)
        ``area[i, j]``: probability that a case of class i has a larger score for class i than a
        case of class j has, ties one half; nan where i = j or a class has no cases.
    wins : ndarray of float64, shape (n, k)
        ``wins[c, j]``: share of the cases of class j that case c beats in the column of its own
        class; 0 for its own class and for classes without cases.
    losses : ndarray of float64, shape (n, k)
        ``losses[c, j]``: share of the cases of class j that case c leaves the column of class j to:
        those with a larger score there, ties one half.
    ends : ndarray of float64, shape (2, 2, k, k)
        ``ends[0, 0, i, j]`` and ``ends[0, 1, i, j]``: `wins` over class j of a case of class i with
        the smallest and the largest score of its column; ``ends[1]`` the same for `losses`.
    """

    data: ScoresOfClasses
    area: Vector
    wins: Vector
    losses: Vector
    ends: Vector

    def components(self, weights: Vector) -> Components:
        """Return what each case contributes to a weighted sum of the areas.

        ``weights[i, j]`` is the weight of ``area[i, j]``.
        """
        label = self.data.label
        value = np.empty(label.size)
        for i in range(len(self.data.classes)):
            own = label == i
            value[own] = self.wins[own] @ weights[i] + self.losses[own] @ weights[:, i]
        return _components(self.data, self.area, value, self.ends, weights)


@dataclass(frozen=True, eq=False, kw_only=True)
class Components:
    """Contributions of the cases to an area of several classes.

    Attributes
    ----------
    data : MulticlassScores or OrderedScores
        The cases.
    theta : float
        The area.
    deviation : ndarray of float64, shape (n,)
        The area is a mean over the cases of each class; this is the deviation of each case.
    concerned : ndarray of bool, shape (k,)
        Which classes the area is about.
    reach : ndarray of float64, shape (2, k)
        Smallest and largest deviation that a case of each class can have.
    share : ndarray of float64, shape (k,), optional
        How the area changes with the share of each class, where shares are estimated.
    contrast : bool
        Whether this is the difference of two areas.
    null_shape : float
        For volumes: the variance of one for an uninformative score, divided by c (1 - c) for
        its volume c.
    """

    data: ScoresOfClasses
    theta: float
    deviation: Vector
    concerned: Mask
    reach: Vector
    share: Vector | None = None
    contrast: bool = False
    null_shape: float = 0.0

    @cached_property
    def spread(self) -> Spread:
        """Variance of the area and its degrees of freedom."""
        if self.data.cluster is not None:
            return clustered_spread(
                self._by_cluster, classes=len(self._held()), contrast=self.contrast
            )
        return pooled_spread([spread for _, spread in self._classes()])

    def _classes(self) -> list[tuple[int, ClassSpread]]:
        """Return the contribution to the variance of each class; -1 stands for the shares."""
        found, sums = [], self._sums
        for i in self._held():
            second, fourth, squares = (float(sums[name][i]) for name in ("wd2", "wd4", "w2"))
            found.append((i, class_spread(second, fourth, squares, self._effective(i))))
        if self.share is not None:
            n, by = effective_size(self.data.case_weight), self._squares()
            d = self._share_deviation()
            second = float(by @ d**2)
            noise = max(float(by @ d**4) / second**2 - 1, 0.0) / n if second > 0 else 0.0
            found.append((-1, ClassSpread(variance=second / n, noise=noise, freedom=n - 1)))
        return found

    @cached_property
    def _sums(self) -> dict[str, Vector]:
        """Return sums over the cases of each class: numbers, weights w and deviations d."""
        label, w, k = self.data.label, self.data.weight, len(self.data.classes)

        def by_class(column: Vector | None) -> Vector:
            return np.bincount(label, column, k).astype(np.float64)

        square = self.deviation**2
        n, d2 = self.data.sizes if w is None else by_class(None), by_class(square)
        if w is None:
            return {"n": n, "w": n, "w2": n, "d2": d2, "wd2": d2, "wd4": by_class(square * square)}
        weighted = w * w * square
        columns = {"w": w, "w2": w * w, "wd2": weighted, "wd4": weighted * square}
        return {"n": n, "d2": d2} | {name: by_class(each) for name, each in columns.items()}

    def _held(self) -> list[int]:
        """Return the classes that the area is about and that have cases."""
        return [int(i) for i in np.flatnonzero(self.concerned & (self._sums["n"] > 0))]

    def _effective(self, i: int) -> float:
        """Return the effective number of cases of a class."""
        w, w2 = float(self._sums["w"][i]), float(self._sums["w2"][i])
        return w * w / w2 if w2 else 0.0

    def _shares(self) -> Vector:
        sizes = self.data.sizes
        return np.asarray(sizes / sizes.sum())

    def _share_deviation(self) -> Vector:
        """Return what a case of each class contributes by being one of that class."""
        assert self.share is not None
        return np.asarray(self.share - float(self._shares() @ self.share))

    def _squares(self) -> Vector:
        """Return the part of each class in the sum of squared weights.

        The variance of estimated shares is that of a weighted mean, ``sum w^2 d^2 / (sum w)^2``, in
        which classes count by the squares of their weights: weights may depend on the class.
        """
        w2 = self._sums["w2"]
        return np.asarray(w2 / w2.sum())

    @cached_property
    def _by_cluster(self) -> list[ClusterShares]:
        """Return the contributions of each class by cluster, and last those of the shares."""
        assert self.data.cluster is not None
        number = np.unique(self.data.cluster, return_inverse=True)[1]
        many, w, label = int(number.max()) + 1, self.data.case_weight, self.data.label
        rows = [np.flatnonzero(label == i) for i in self._held()]
        parts = [shares_of(number[own], many, self.deviation[own], w[own]) for own in rows]
        if self.share is not None:
            parts.append(shares_of(number, many, self._share_deviation()[label], w))
        return parts

    def estimate(self, method: str) -> AreaEstimate:
        """Return the area with its standard error; warn where a class has few clusters."""
        clustered = self.data.cluster is not None
        if clustered:
            self._warn_of_few()
        farther = clustered or self.data.weight is not None
        return AreaEstimate(
            value=min(max(self.theta, 0.0), 1.0),
            se=float(np.sqrt(self.spread.variance)),
            method=f"{method}, clusters" if clustered else method,
            df=self.spread.df,
            n_pairs=self._least(),
            tied=self._is_tied(),
            classes=None if farther and np.isnan(self.spread.variance) else self._means(),
            farther=farther,
            null_shape=self.null_shape,
            credited=0.0 if clustered else CREDITED,
        )

    def _warn_of_few(self) -> None:
        """Warn of the class with the fewest clusters, if these are too few for a variance."""
        held = self._held()
        many = [int(np.count_nonzero(part.held)) for part in self._by_cluster[: len(held)]]
        at = int(np.argmin(many))
        if many[at] < FEW_CLUSTERS:
            warn(
                f"Class {self.data.classes[held[at]]!r} has cases in {many[at]} "
                f"cluster{'s' if many[at] > 1 else ''} only: how much clusters differ is hardly "
                "known, and tests have little power."
            )

    def _is_tied(self) -> bool:
        return bool((np.abs(self.deviation) < _ROUNDING).all()) and 0 < self.theta < 1

    def _least(self) -> float:
        """Return the number of disjoint sets with a case of each class."""
        if self.data.cluster is None:
            return min(map(self._effective, self._held()))
        return cluster_sets(self._by_cluster[: len(self._held())])

    def _means(self) -> tuple[ClassMean, ...]:
        """Return each class as the mean that the area is over its cases, and one unseen case.

        Numbers of cases are effective ones. With clusters, a cluster plays the part of a case. The
        classes share the unseen case as `_unseen_shares` says.
        """
        held = self._held()
        sizes = [self._size(place, i) for place, i in enumerate(held)]
        added = _unseen_shares(*np.array(sizes).T).tolist()
        low, high = self.theta + np.clip(self.reach, [[-np.inf], [0.0]], [[0.0], [np.inf]])
        found = [  # rounding must not put an area beyond the ends
            ClassMean(n, square, float(low[i]), float(high[i]), part)
            for (n, square), i, part in zip(sizes, held, added, strict=True)
        ]
        if self.share is not None:
            d, by = self._share_deviation(), self._squares()
            ends = d[self.data.sizes > 0] + self.theta
            n = effective_size(self.data.case_weight)
            found.append(ClassMean(n, float(by @ d**2), float(ends.min()), float(ends.max()), 0.0))
        return tuple(found)

    def _size(self, place: int, i: int) -> tuple[float, float]:
        """Return the effective number of cases or clusters of a class, and their mean square."""
        if self.data.cluster is None:
            return self._effective(i), float(self._sums["wd2"][i] / self._sums["w2"][i])
        part = self._by_cluster[place]
        n = 1 / float((part.held**2).sum())
        return n, n * float((part.sums[0] ** 2).sum())


def _unseen_shares(n: Vector, square: Vector) -> Vector:
    """Return each class's part of one unseen case: in proportion to 1 / n, and at most half.

    The fewer cases a class has, the more it can lack one. For two classes the parts are those of
    the usual area.
    """
    if n.size == _PAIR:
        return np.asarray(part_of_case(square, n))
    found, free, left = np.zeros(n.size), np.full(n.size, n.size > 1), 2 * HALF_A_CASE
    while free.any():
        part = np.where(free, left / n / (1 / n[free]).sum(), 0.0)
        over = free & (part > HALF_A_CASE)
        if not over.any():
            return found + part
        found[over] = HALF_A_CASE
        left -= HALF_A_CASE * np.count_nonzero(over)
        free &= ~over
    return found


def difference_of(one: Components, two: Components, method: str) -> Difference:
    """Return the difference of two areas of the same cases."""
    gap = Components(
        data=one.data,
        theta=one.theta - two.theta,
        deviation=one.deviation - two.deviation,
        concerned=one.concerned,
        reach=one.reach - two.reach[::-1],
        share=None if one.share is None or two.share is None else one.share - two.share,
        contrast=True,
    )
    first, second = one.estimate(method), two.estimate(method)
    product = 2 * first.se * second.se
    shared = first.se**2 + second.se**2 - gap.spread.variance
    return Difference(
        value=first.value - second.value,
        se=float(np.sqrt(gap.spread.variance)),
        method=first.method,
        n_pairs=min(first.n_pairs, second.n_pairs),
        range=(-1.0, 1.0),
        df=gap.spread.df,
        first=first,
        second=second,
        correlation=min(max(shared / product, -1.0), 1.0) if product > 0 else float("nan"),
        usual="t",
    )


def covariance_of(all_components: Sequence[Components]) -> Vector:
    """Return the covariance matrix of several areas of the same cases."""
    m = len(all_components)
    found = np.diag([each.spread.variance for each in all_components])
    for a in range(m):
        for b in range(a):
            one, two = all_components[a], all_components[b]
            gap = difference_of(one, two, "").se ** 2
            found[a, b] = found[b, a] = (found[a, a] + found[b, b] - gap) / 2
    return found


# --- counting ---------------------------------------------------------------------------------


def pair_areas(data: MulticlassScores, name: str | None) -> Vector:
    """Return the areas A(i|j) of all pairs: O(k n log n + k^2 n)."""
    if len(data) < _COMPILED:
        return pair_placements(data, name).area
    score = data.score[:, data.classifier(name), :]
    return _areas(data, sweep_columns(score, data.label, data.weight).twice)


def pair_components(
    data: MulticlassScores, name: str | None, weights: Vector
) -> tuple[Vector, Components]:
    """Return the areas of all pairs, and the components of their sum with weights.

    As `pair_placements` and its `components`, in O(n) memory where there are many cases.
    """
    if len(data) < _COMPILED:
        placed = pair_placements(data, name)
        return placed.area, placed.components(weights)
    total = np.where(data.sizes > 0, data.sizes, 1.0)
    score = data.score[:, data.classifier(name), :]
    # Both what a case wins and what it loses are shares of the other class.
    swept = sweep_columns(score, data.label, data.weight, weights / (2 * np.outer(total, total)))
    area = _areas(data, swept.twice)
    value = swept.contribution * total[data.label]
    return area, _components(data, area, value, _ends(swept.ends, data), weights)


def _components(
    data: ScoresOfClasses, area: Vector, value: Vector, ends: Vector, weights: Vector
) -> Components:
    """Return the components of a weighted sum of areas from those of the cases, not centred."""
    known = np.where(weights > 0, area, 0.0)
    centre = (weights * known + (weights * known).T).sum(axis=1)
    return Components(
        data=data,
        theta=float((known * weights).sum()),
        deviation=value - centre[data.label],
        concerned=np.asarray((weights + weights.T).any(axis=1)),
        reach=(weights * ends[0] + weights.T * ends[1]).sum(axis=2) - centre,
    )


def _areas(data: MulticlassScores, twice: Array) -> Vector:
    """Return areas from twice the wins; whole counts are divided once, as integers."""
    total = [size if data.weight is not None else int(size) for size in data.sizes.tolist()]
    area = np.full(twice.shape, np.nan)
    for i in np.flatnonzero(total):
        for j in np.flatnonzero(total):
            if i != j:
                area[i, j] = twice[i, j].item() / (2 * total[i] * total[j])
    return area


def pair_placements(data: MulticlassScores, name: str | None) -> PairPlacements:
    """Return the placements of all cases: O(k n log n + k n) time, O(k n) memory."""
    place = _place if len(data) < _COMPILED else _place_compiled
    k = len(data.classes)
    score = data.score[:, data.classifier(name), :]
    twice = np.zeros((k, k), dtype=np.int64 if data.weight is None else np.float64)
    wins, losses = (np.zeros((len(data), k)) for _ in range(2))
    for i in np.flatnonzero(data.sizes):
        twice[i] = place(score[:, i], data, int(i), wins, losses)
    at_ends = np.stack([_at_ends(score[:, i], data) for i in range(k)])
    return PairPlacements(
        data=data, area=_areas(data, twice), wins=wins, losses=losses, ends=_ends(at_ends, data)
    )


def _at_ends(column: Array, data: MulticlassScores) -> Vector:
    """Return the weight of each class that has the smallest, and the largest score."""
    ends = (np.flatnonzero(column == end) for end in (column.min(), column.max()))
    w, k = data.case_weight, len(data.classes)
    return np.stack([np.bincount(data.label[at], w[at], k) for at in ends])


def _ends(weight: Vector, data: MulticlassScores) -> Vector:
    """Return the placements at both ends from the weight of each class at those of each column."""
    low, high = (weight / np.maximum(data.sizes, 1e-300) / 2).transpose(1, 0, 2)
    own = np.stack([np.diag(high), 1 - np.diag(low)])  # in the column of the other class
    return np.stack([np.stack([low, 1 - high]), np.repeat(own[:, None, :], len(low), axis=1)])


def _place(column: Array, data: MulticlassScores, i: int, wins: Vector, losses: Vector) -> Array:
    """Place the cases of one class by one column; return twice the wins over each class."""
    own = data.label == i
    counts, row = counts_by_score(column, data.label, data.weight, len(data.classes))
    twice = np.cumsum(counts, axis=0) * 2 - counts
    if wins.size:
        total = counts.sum(axis=0)
        held = np.where(total > 0, total, 1)
        wins[own] = twice[row[own]] / (2 * held)
        losses[:, i] = (1 - twice[:, i] / (2 * held[i]))[row]
        wins[own, i] = losses[own, i] = 0.0
    return np.asarray((twice * counts[:, i : i + 1]).sum(axis=0))


def _place_compiled(
    column: Array, data: MulticlassScores, i: int, wins: Vector, losses: Vector
) -> Array:
    """Place as `_place` does, without sorting the column."""
    k, total = len(data.classes), np.maximum(data.sizes, 1e-300)
    ranks = RankedColumn(column, data.label, data.weight, np.flatnonzero(data.label == i))
    lost, others = np.zeros(len(data)), np.arange(k) != i
    twice = ranks.twice(others / (2 * total[i]), lost)
    losses[:, i] = lost
    wins[ranks.place] = (ranks.beaten(i, k) * others / (2 * total))[ranks.row[ranks.place] >> 1]
    return twice


def difference_placements(data: MulticlassScores, name: str | None) -> PairPlacements:
    """Return the placements by the difference of the two columns of each pair of classes."""
    a = data.classifier(name)

    def score(rows: Ints, i: int, j: int) -> Array:
        gap = np.subtract(data.score[rows, a, i], data.score[rows, a, j], dtype=np.float64)
        return np.asarray(gap)

    return _placements_of(data, score)


def ordered_placements(
    data: OrderedScores, name: str | None, *, turn: bool = False
) -> PairPlacements:
    """Return the placements by one score, which should be larger for the later class of each pair.

    With `turn` the score of a pair is reversed where its area would be below 1/2.
    """
    column = data.score[:, data.classifier(name)]
    return _placements_of(data, lambda rows, i, j: column[rows], turn=turn)


def _placements_of(
    data: ScoresOfClasses, score: Callable[[Ints, int, int], Array], *, turn: bool = False
) -> PairPlacements:
    """Return the placements by one score for each pair of classes, larger for the later class."""
    n, k = len(data), len(data.classes)
    area, wins = np.full((k, k), np.nan), np.zeros((n, k))
    ends = np.zeros((2, k, k))
    for i in range(k):
        for j in range(i):
            rows = np.flatnonzero((data.label == i) | (data.label == j))
            above = data.label[rows] == i
            weight = None if data.weight is None else data.weight[rows]
            counts, row = counts_by_score(score(rows, i, j), above.astype(np.int64), weight, 2)
            total = counts.sum(axis=0)
            if total.min() == 0:
                continue
            middle = np.cumsum(counts, axis=0) - counts / 2
            twice = (2 * middle[:, 0] * counts[:, 1]).sum().item()
            area[i, j] = area[j, i] = twice / (2 * total[0].item() * total[1].item())
            wins[rows[above], j] = (middle[:, 0] / total[0])[row[above]]
            wins[rows[~above], i] = ((total[1] - middle[:, 1]) / total[1])[row[~above]]
            low, high = counts[0] / total / 2, counts[-1] / total / 2
            ends[:, i, j], ends[:, j, i] = (low[0], 1 - high[0]), (high[1], 1 - low[1])
            if turn and area[i, j] < 0.5:
                area[i, j] = area[j, i] = 1 - area[i, j]
                wins[rows[above], j], wins[rows[~above], i] = (
                    1 - wins[rows[above], j],
                    1 - wins[rows[~above], i],
                )
                ends[:, i, j], ends[:, j, i] = 1 - ends[::-1, i, j], 1 - ends[::-1, j, i]
    both = np.stack([ends, ends])
    return PairPlacements(data=data, area=area, wins=wins, losses=wins, ends=both)


def counts_by_score(
    column: Array, label: Ints, weight: Vector | None, k: int
) -> tuple[Array, Ints]:
    """Return the cases of each class at each distinct score, rising, and the row of each case."""
    order = np.argsort(column, kind=None if weight is None else "stable")
    rising = column[order]
    row = np.empty(column.size, dtype=np.int64)
    row[order] = np.cumsum(np.append(np.False_, rising[1:] != rising[:-1]))
    many = int(row[order[-1]]) + 1 if column.size else 0
    counts = np.bincount(row * k + label, weight, many * k).reshape(many, k)
    return counts, row


def equal_weights(data: ScoresOfClasses) -> Vector:
    """Return equal weights for all pairs of classes that have cases."""
    present = data.sizes > 0
    weights = np.outer(present, present).astype(np.float64)
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights / weights.sum())


def mean_of(area: Vector, weights: Vector) -> float:
    """Return the sum of the areas of pairs times their weights, of those that have one."""
    return float((np.where(weights > 0, area, 0.0) * weights).sum())


def difference_by(
    asked: str,
    data: MulticlassScores,
    first: str | None,
    second: str | None,
    parts: Callable[[MulticlassScores, str | None], Components],
    method: str,
) -> Difference:
    """Return the difference of an area between two classifiers of the same cases."""
    found = checked_scores(asked, data)
    one, two = two_names(asked, found.names, first, second, "classifier")
    return difference_of(parts(found, one), parts(found, two), method)
