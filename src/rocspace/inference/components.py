"""Contributions of each case to the areas of several scores, and the areas' covariance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints, Mask, Vector
from rocspace._base.checks import check_choice, two_names
from rocspace._base.exact import CACHED, blocks
from rocspace._base.frozen import a_kind_of
from rocspace._base.words import warn
from rocspace.counts import sorts
from rocspace.counts.keys import room
from rocspace.counts.paired import PairedScores
from rocspace.counts.rows import LOOPS_FROM, check_threads, compiled_from, in_threads
from rocspace.counts.table import ScoreTable, counted_from, is_distinct, refuse, trusted
from rocspace.inference.area import WeightType, auc_estimate, partial_auc_estimate
from rocspace.inference.spread import (
    ClassSpread,
    Part,
    Placements,
    Spread,
    below_fpr,
    class_spread,
    neighbour_steps,
    partial_placements,
    placement_steps,
    placements,
    pooled_spread,
)
from rocspace.results.discordance import WHOLE, AreaModel, ClassGap
from rocspace.results.estimates import AreaEstimate, Scale
from rocspace.results.unseen import WeightedMean

_NONE = 1e-24
_ROUNDING = 1e-13  # round-off in differences of placements, which are at most 1
_MANY = 16  # scores whose covariance is worth a matrix product
_IN_ALL = 1 << 22  # importing numba pays for so many scores of all columns
_APIECE = 1 << 17  # scores that make another thread worth its start
_COMPILED = 1 << 17  # importing numba pays from this many cases on
_KNOWN = 1e-6  # what a sum of products that cancel is at least worth, relative to its terms
Ranked: TypeAlias = tuple[ScoreTable, NDArray[np.intp]]
Steps: TypeAlias = tuple[tuple[float, float], tuple[float, float]]


def need_cases(name: str, data: Any) -> None:
    """Raise unless these are paired scores with both classes."""
    if not isinstance(data, PairedScores):
        frame = hasattr(type(data), "columns")
        line = 'df["y"], df[["a", "b"]]' if frame else "y_true, {'name': y_score, ...}"
        msg = (
            f"{name} takes PairedScores, not {a_kind_of(data)}. Make them with pair_scores({line})."
        )
        raise TypeError(msg)
    n_pos = int(np.count_nonzero(data.label))
    if not 0 < n_pos < len(data):
        refuse(name, n_pos, len(data) - n_pos)


def two_scores(
    name: str, data: object, first: Any, second: Any, *, apart: bool = False
) -> tuple[str, str]:
    """Return the names of two scores to compare; `apart` allows independent samples too."""
    if not (isinstance(data, PairedScores) or (apart and isinstance(data, Mapping))):
        tables = (
            f'; or, of independent cases, {name}({{"a": table_1, "b": table_2}})' if apart else ""
        )
        msg = (
            f"{name} takes PairedScores, not {a_kind_of(data)}: "
            f'{name}(pair_scores(y_true, {{"a": ..., "b": ...}}), "a", "b"){tables}.'
        )
        raise TypeError(msg)
    names = data.names if isinstance(data, PairedScores) else tuple(data)
    if isinstance(first, ScoreTable) or isinstance(second, ScoreTable):
        msg = f"After the data, first and second are names of its scores: {', '.join(names)}."
        raise TypeError(msg)
    return two_names(name, names, first, second)


def score_columns(data: PairedScores, names: Sequence[Any]) -> tuple[int, ...]:
    """Return the columns of named scores."""
    return tuple(data.column_of(name) for name in names)


def exchanged_units(data: PairedScores) -> tuple[int, Array | slice]:
    """Return the number of units that permutations exchange, and the unit of each case.

    Cases of a cluster are exchanged together, as they are not independent.
    """
    if data.cluster is None:
        return len(data), slice(None)
    seen, unit = np.unique(data.cluster, return_inverse=True)
    return seen.size, unit


def counted_weights(data: PairedScores, weight_type: str) -> Array | None:
    """Return the weights of the cases: whole numbers as int64 if they are frequencies."""
    check_choice("weight_type", weight_type, WeightType)
    if data.weight is None or weight_type == "importance":
        return data.weight
    broken = np.flatnonzero(data.weight != np.round(data.weight))
    if broken.size:
        i = int(broken[0])
        msg = f"Frequency weights are whole numbers, but case {i} weighs {data.weight[i]}."
        raise ValueError(msg)
    return data.weight.astype(np.int64)


def ranked(data: PairedScores, j: int, weight: Array | None = None) -> Ranked:
    """Return the table of one score, and the row of each case in it; ties share a row.

    Whole-number weights are counted like cases.
    """
    higher = data.rises(data.names[j])
    score = _tied(data, j)
    if weight is None and _fits_kernels(data):
        return _ranked_by_kernels(score, data.label, higher)
    # A stable sort makes float sums of weights the same on every machine.
    stable = weight is not None and weight.dtype.kind == "f"
    order = sorts.order_of(score, stable=stable)
    if higher:
        order = order[::-1]
    falling = score[order]
    first = np.ones(score.size, dtype=np.bool_)
    np.not_equal(falling[1:], falling[:-1], out=first[1:])
    row = np.empty(score.size, dtype=np.intp)
    row[order] = np.arange(score.size) if first.all() else first.cumsum() - 1
    starts = np.flatnonzero(first)
    positive = data.label[order]
    if weight is None and starts.size == score.size:
        pos = positive.astype(np.int64)
        table = trusted(falling, pos, 1 - pos, higher_is_positive=higher)
        return counted_from(table, data.label), row
    value = np.ones(1, dtype=np.int64) if weight is None else weight[order]

    def summed(values: Array, own: Mask) -> Array:
        return np.add.reduceat(np.where(own, values, 0), starts)

    table = trusted(
        falling[starts],
        summed(value, positive),
        summed(value, ~positive),
        summed(value * value, positive) if stable else None,
        summed(value * value, ~positive) if stable else None,
        higher_is_positive=higher,
    )
    return table, row


def _tied(data: PairedScores, j: int) -> Array:
    """Return a copy of one score in which -0.0 is 0.0, so that they tie."""
    score = _uninitialised(len(data), data.score.dtype)
    return np.asarray(np.add(data.score[:, j], data.score.dtype.type(0), out=score))


def _uninitialised(n: int, dtype: np.dtype[Any]) -> Array:
    score = np.empty(n, dtype=dtype)
    room(n, dtype)  # freed at once: what is freed later is kept for the next call
    return score


def _fits_kernels(data: PairedScores) -> bool:
    """Return whether compiled loops rank these scores."""
    return len(data) >= _least(data.score.size) and data.score.dtype.char in sorts.SORTABLE


def _least(in_all: int) -> int:
    """Return the number of cases from which compiled loops pay, given those of all columns."""
    # The import has been paid for, or so many columns do.
    loaded = sorts.loaded() or in_all >= _IN_ALL
    return LOOPS_FROM if loaded else min(_COMPILED, compiled_from())


def _table_of(bits: Array, dtype: Any, pos: Array, neg: Array, *, higher: bool) -> ScoreTable:
    """Make a table of counts, and of the bits of its scores."""
    k = pos.size
    distinct = bits[:k].copy() if 2 * k < bits.size else bits[:k]
    return trusted(distinct.view(dtype), pos, neg, higher_is_positive=higher)


def _ranked_by_kernels(score: Array, label: Mask, higher: bool) -> Ranked:
    from rocspace._kernels import ranks

    n = score.size
    key, place, spare = sorts.sorted_places(score)
    row = np.empty(n, dtype=np.intp)
    pos, neg = (np.empty(n, dtype=np.int64) for _ in range(2))
    flips = sorts.bits_of(score.dtype)[1:]
    k = ranks.rows_in_order(key, place, label, not higher, row, (pos, neg), flips, spare)
    return _table_of(spare, score.dtype, pos[:k], neg[:k], higher=higher), row


def _marked(label: Mask, n_neg: int) -> Ints:
    """Return for each case its place among all of them, the negatives first."""
    from rocspace._kernels.ranks import mark_places

    place: Ints = np.empty(label.size, dtype=np.int32 if label.size < 2**31 else np.int64)
    mark_places(label, n_neg, place)
    return place


def _placed_by_kernels(
    data: PairedScores, j: int, part: Part | None, marked: Ints, n_neg: int, out: Vector
) -> tuple[ScoreTable, AreaEstimate]:
    """Count one score, and write the deviation of the placement of each case, negatives first.

    As by `ranked`, but without a number for the row of each case.
    """
    from rocspace._kernels import ranks

    n, rising = len(data), not data.rises(data.names[j])
    score = _uninitialised(n, data.score.dtype)
    ranks.give_places(data.score[:, j], marked, score)
    key, place, spare = sorts.sorted_places(score)
    pos, neg = (np.empty(n, dtype=np.int64) for _ in range(2))
    flips = sorts.bits_of(score.dtype)[1:]
    k = ranks.counts_in_order(key, place, n_neg, rising, (pos, neg), flips, spare)
    pos, neg = pos[:k], neg[:k]
    table = counted_from(_table_of(spare, score.dtype, pos, neg, higher=not rising), data.label)
    estimate = estimate_of(table, part)
    if part is None:
        ranks.place_out(place, n_neg, rising, (pos, neg), estimate.value, out)
        return table, estimate
    v = _placed(table, part)
    ranks.spread_out(place, n_neg, rising, (pos, neg), (v.pos, v.neg), estimate.value, out)
    return table, estimate


@dataclass(frozen=True, eq=False, kw_only=True)
class Components:
    """Deviations of the placements of each case from their mean, for each score.

    Attributes
    ----------
    tables : tuple of ScoreTable, length m
        Each score counted.
    estimates : tuple of Estimate, length m
        The areas, or parts of areas.
    pos, neg : ndarray of float64, shapes (m, P) and (m, N)
        Deviation of the placement of each positive and each negative.
    moments : tuple of ndarray or None
        Weights of the squares: w^2 for importance weights, w for frequencies.
    sizes : tuple of pairs of float
        For each class the sum of those weights, and the effective number of cases.
    part : tuple of str and two floats, optional
        The rate and the range of it that the areas are parts over.
    whole : tuple of ndarray, optional
        Of parts of counted cases: `by_class` of the whole areas.
    """

    tables: tuple[ScoreTable, ...]
    estimates: tuple[AreaEstimate, ...]
    pos: Vector
    neg: Vector
    moments: tuple[Array | None, Array | None]
    sizes: tuple[tuple[float, float], tuple[float, float]]
    part: Part | None = None
    whole: tuple[Vector, Vector] | None = None

    @cached_property
    def value(self) -> Vector:
        """The estimated areas, shape (m,)."""
        return np.array([estimate.value for estimate in self.estimates])

    @cached_property
    def by_class(self) -> tuple[Vector, Vector]:
        """Contributions of positives and of negatives to the covariance; nan for a single case."""
        pos, neg = (
            sums / (n - 1) if n > 1 + 1e-9 else np.full_like(sums, np.nan)
            for (_, n), sums in zip(self.sizes, self._products(), strict=True)
        )
        return pos, neg

    @cached_property
    def covariance(self) -> Vector:
        """Covariance matrix of the estimates; nan where a class has a single case."""
        pos, neg = self.by_class
        return pos + neg

    def _products(self) -> Iterator[Vector]:
        """Yield, for each class, the mean products of deviations."""
        if self._of_two is not None:
            for (one, both, two, *_), (weight, _) in zip(self._of_two, self.sizes, strict=True):
                yield np.array(((one, both), (both, two))) / weight
            return
        m = len(self.estimates)
        for d, w, (weight, _) in zip((self.pos, self.neg), self.moments, self.sizes, strict=True):
            sums = np.zeros((m, m))
            for block in blocks(d.shape[1]):
                part = d[:, block]
                weighted = part if w is None else part * w[block]
                if m >= _MANY:
                    sums += np.tril(weighted @ part.T)
                    continue
                for i in range(m):
                    # Not a matrix product, which would start BLAS threads.
                    sums[i, : i + 1] += (weighted[i] * part[: i + 1]).sum(axis=1)
            for i in range(m - 1):
                sums[i, i + 1 :] = sums[i + 1 :, i]
            yield sums / weight

    @cached_property
    def _of_two(self) -> list[list[float]] | None:
        """Of two scores without weights, and for each class, the sums of `products_of_two`.

        In the one pass of a compiled loop; None where that does not apply. Equal, to the bit, to
        what `_products` and `_powers` sum otherwise.
        """
        weighted = any(w is not None for w in self.moments)
        if weighted or len(self.estimates) != 2 or not sorts.loaded():
            return None
        from rocspace._kernels.spread import products_of_two

        found = []
        held: Array = np.empty((5, min(max(self.pos.shape[1], self.neg.shape[1]), CACHED)))
        for d in (self.pos, self.neg):
            sums = np.zeros(5)
            for block in blocks(d.shape[1]):
                one, two = d[:, block]
                out = held[:, : one.size]
                products_of_two(one, two, out)
                sums += np.add.reduce(out, axis=1)
            found.append(sums.tolist())
        return found

    def gaps(self, i: int, j: int, spread: Spread) -> tuple[ClassGap, ClassGap] | None:
        """Return the differences of the placements of both classes between two scores.

        `spread` is that of the difference of the areas. Of parts, placements are shares of the
        width of the range. Of the class of which only a share is in the range, they correlate by no
        more than they do over all rates: if a single case is there, its correlation is 1. None for
        weights that are not frequencies, and for ranges that do not begin at 0 (of tpr, end at 1):
        near 1 the variance that the model has there for a negative falls with the square of the
        distance, so that the statistic need not rise with the hypothesis.
        """
        if self.tables[i].is_weighted or self.model.low > 0:
            return None
        square = self.model.width**2
        steps = [self._steps(k) for k in (i, j)]
        pos, neg = (
            class_gap(
                [[float(self.by_class[c][a, b]) / square for b in (i, j)] for a in (i, j)],
                self.sizes[c][1],
                of._replace(variance=of.variance / square),
                [both[c] for both in steps],
            )
            for c, of in enumerate(spread.classes)
        )
        if self.whole is None:
            return pos, neg
        c = 0 if self.model.swapped else 1
        gaps = [pos, neg]
        most = _correlation(self.whole[c], i, j, gaps[c].n)
        gaps[c] = replace(gaps[c], correlation=min(gaps[c].correlation, most))
        return gaps[0], gaps[1]

    @property
    def model(self) -> AreaModel:
        """The model of placements that the range of rates has."""
        if self.part is None or self.part[1:] == (0.0, 1.0):
            return WHOLE
        name, low, high = self.part
        if name == "tpr":
            return AreaModel(low=1 - high, high=1 - low, swapped=True)
        return AreaModel(low=low, high=high)

    def _steps(self, k: int) -> Steps:
        """Return the steps of both classes to the next placement, and the shares of ties."""
        if k not in self._steps_of:
            table = self.tables[k]
            if self.part is None or self.model == WHOLE:
                counts, sizes = (table.pos, table.neg), (table.n_pos, table.n_neg)
                found = neighbour_steps(counts, sizes, distinct=is_distinct(table))
            else:
                found = placement_steps(table, _placed(table, self.part), self.model.width)
            self._steps_of[k] = found
        return self._steps_of[k]

    @cached_property
    def _steps_of(self) -> dict[int, Steps]:
        """What `_steps` has found, once for all pairs of a score."""
        return {}

    @property
    def usual(self) -> Scale | None:
        """Scale of the default interval of a difference; None for the scale of its estimates.

        Where a range does not begin at 0 (of tpr, end at 1) both of its cuts are estimates, which
        "unseen" allows for.
        """
        return "unseen" if _weighted(self.estimates[0]) or self.model.low > 0 else None

    def heavy(self, i: int, j: int, spread: Spread) -> tuple[WeightedMean, WeightedMean] | None:
        """Return, for each class, the contribution of one more heavy case to a difference.

        `spread` is that of the difference. None where weights do not vary.
        """
        first, second = (_weighted(self.estimates[k]) for k in (i, j))
        if first is None or second is None:
            return None
        square = self.estimates[i].range[1] ** 2
        found = []
        for c, (one, two) in enumerate(zip(first, second, strict=True)):
            own = self.by_class[c]
            scale = float(np.sqrt(own[i, i] * own[j, j]))
            r = min(max(float(own[i, j]) / scale, -1.0), 1.0) if scale > 0 else 0.0
            both = one.unseen + two.unseen - 2 * r * sqrt(one.unseen * two.unseen)
            of = spread.classes[c]
            found.append(one._replace(variance=of.variance, df=of.df, unseen=square * both))
        return found[0], found[1]

    def caution(self, contrast: Vector) -> str:
        """Return a warning if the variance of a linear combination is hardly known, else ""."""
        return ""

    def warn_of(self, contrasts: Iterable[Vector]) -> None:
        """Warn once, about the first linear combination whose variance is hardly known."""
        caution = next(filter(None, map(self.caution, contrasts)), "")
        if caution:
            warn(caution)

    def spread(self, contrast: Vector) -> Spread:
        """Return the variance of a linear combination, and its degrees of freedom."""
        classes: list[ClassSpread] = []
        for (second, fourth), size in zip(self._powers(contrast), self.sizes, strict=True):
            alike = second <= size[0] * (_ROUNDING * float(np.abs(contrast).sum())) ** 2
            powers = (0.0, 0.0) if alike else (second, fourth)  # what remains is round-off
            classes.append(class_spread(*powers, *size))
        return pooled_spread(classes)

    def _powers(self, contrast: Vector) -> Iterator[tuple[float, float]]:
        """Yield, for each class, the sums of second and fourth powers of a combination."""
        if self._of_two is not None and contrast.tolist() == [1.0, -1.0]:
            for *_, second, fourth in self._of_two:
                yield second, fourth
            return
        first, *others = np.flatnonzero(contrast).tolist() or [0]
        for d, w in zip((self.pos, self.neg), self.moments, strict=True):
            second = fourth = 0.0
            for block in blocks(d.shape[1]):
                mixed = contrast[first] * d[first, block]
                for j in others:
                    mixed += contrast[j] * d[j, block]
                square = mixed * mixed
                weighted = square if w is None else square * w[block]
                second += float(weighted.sum())
                fourth += float((weighted * square).sum())
            yield second, fourth

    def least_df(self) -> float:
        """Return the fewest degrees of freedom of a difference of two scores; 0 if none varies."""
        unit = np.eye(len(self.estimates))
        spreads = (self.spread(unit[i] - unit[j]) for i, j in self._fewest())
        return min((spread.df for spread in spreads if spread.variance != 0), default=0.0)

    def _fewest(self) -> list[tuple[int, int]]:
        """Return the pairs of scores among which that of the fewest degrees of freedom is.

        Of many scores the powers of all differences are summed by matrix products. Where these
        cancel, nothing is known of a pair, and it is among those returned.
        """
        m = len(self.estimates)
        if m < _MANY or min(n for _, n in self.sizes) <= 1 + 1e-9:
            return list(combinations(range(m), 2))
        parts, doubtful = [], np.zeros((m, m), dtype=bool)
        for d, w, (total, n) in zip((self.pos, self.neg), self.moments, self.sizes, strict=True):
            second, fourth, known = _powers_of_differences(d, w)
            doubtful |= ~known
            with np.errstate(divide="ignore", invalid="ignore"):
                noise = np.maximum(fourth * total / second**2 - 1, 0) / n
            parts.append((second / total / (n - 1), noise, n - 1))
        variance = parts[0][0] + parts[1][0]
        with np.errstate(divide="ignore", invalid="ignore"):
            pos, neg = ((own / variance) ** 2 for own, _, _ in parts)
        welch = pos / parts[0][2] + neg / parts[1][2]
        noise = pos * parts[0][1] + neg * parts[1][1]
        df = np.where(doubtful, np.inf, 1 / np.maximum(welch, noise / 2))
        likely = np.triu(doubtful | (df <= df.min() * (1 + _KNOWN)), 1)
        return [(int(i), int(j)) for i, j in np.argwhere(likely)]


def _powers_of_differences(d: Vector, weight: Array | None) -> tuple[Vector, Vector, Mask]:
    """Sum the second and fourth powers of all differences of rows; tell which sums are known."""
    m = len(d)
    of_two, of_three, of_squares = (np.zeros((m, m)) for _ in range(3))
    for block in blocks(d.shape[1]):
        part = d[:, block]
        square = part * part
        weighted = part if weight is None else part * weight[block]
        of_two += weighted @ part.T
        of_three += (weighted * square) @ part.T
        of_squares += (weighted * part) @ square.T
    second, fourth = np.diag(of_two), np.diag(of_squares)
    whole = np.add.outer(second, second), np.add.outer(fourth, fourth)
    sums = (
        whole[0] - (of_two + of_two.T),
        whole[1] + 6 * of_squares - 4 * (of_three + of_three.T),
    )
    known = (sums[0] > _KNOWN * whole[0]) & (sums[1] > _KNOWN * whole[1])
    return *sums, known


def _weighted(estimate: AreaEstimate) -> tuple[WeightedMean, WeightedMean] | None:
    """Return the classes of an area with varying weights."""
    if estimate.classes is None:
        return None
    pos, neg = estimate.classes
    if isinstance(pos, WeightedMean) and isinstance(neg, WeightedMean):
        return pos, neg
    return None


def _correlation(covariance: Any, i: int, j: int, n: float) -> float:
    """Return the correlation of two of the n placements of a class; 0 where one is constant."""
    scale = sqrt(n * float(covariance[i][i]) * (n * float(covariance[j][j])))
    r = min(max(n * float(covariance[i][j]) / scale, -1.0), 1.0) if scale > _NONE else 0.0
    return 1.0 if r > 1 - 1e-12 else r  # round-off, before a square root


def class_gap(
    covariance: list[list[float]], n: float, spread: ClassSpread, steps: list[tuple[float, float]]
) -> ClassGap:
    """Collect the data of one class for the statistic of a difference.

    `covariance` is its contribution to the covariance of both areas, `spread` that to the variance
    of their difference, and `steps` are its `neighbour_steps` under both scores.
    """
    alone = n <= 1 + 1e-9
    # Of a part, what varies where all placements are tied is round-off.
    tied = [alike == 1 for _, alike in steps]
    first, second = (0.0 if alone or tied[i] else n * covariance[i][i] for i in (0, 1))
    r = 0.0 if alone or any(tied) else _correlation(covariance, 0, 1, n)
    differing = zip((first, second), steps, strict=True)
    apart = max(2 * v * (n - 1) / n / (1 - alike) if v else 0.0 for v, (_, alike) in differing)
    return ClassGap(
        n=n,
        spread=0.0 if alone else n * spread.variance,
        df=spread.df,
        spreads=(first, second),
        correlation=r,
        step=max(step for step, _ in steps),
        apart=apart,
    )


def components(
    data: PairedScores,
    *,
    columns: tuple[int, ...],
    part: Part | None = None,
    weight_type: str = "importance",
) -> Components:
    """Compute the placements of every case under every score: one sort for each score.

    `part` is ("fpr", low, high) or ("tpr", low, high) for a partial area.
    """
    weight = counted_weights(data, weight_type)
    is_pos = data.label

    def place(j: int) -> tuple[ScoreTable, AreaEstimate]:
        if marked is not None:
            return _placed_by_kernels(data, columns[j], part, marked, n_neg, both[j])
        table, row = ranked(data, columns[j], weight)
        estimate = estimate_of(table, part)
        v = _placed(table, part)
        for own, placement, out in zip(members, (v.pos, v.neg), (pos, neg), strict=True):
            np.subtract(placement[row[own]], estimate.value, out=out[j])
        return table, estimate

    both = np.empty((len(columns), len(data)))
    n_neg = len(data) - int(np.count_nonzero(is_pos))
    neg, pos = both[:, :n_neg], both[:, n_neg:]
    marked = _marked(is_pos, n_neg) if weight is None and _fits_kernels(data) else None
    # Once, as the places of random labels take longer than what is read there.
    members = () if marked is not None else (np.flatnonzero(is_pos), np.flatnonzero(~is_pos))
    threads = min(check_threads(None), len(columns), both.size // _APIECE + 1)
    tables, estimates = zip(*in_threads(threads, place, range(len(columns))), strict=True)
    moments, sizes = zip(*(_weights_of(weight, own) for own in (is_pos, ~is_pos)), strict=True)
    return Components(
        tables=tables,
        estimates=estimates,
        pos=pos,
        neg=neg,
        moments=moments,
        sizes=sizes,
        part=part,
        whole=_of_whole(data, columns, part, weight_type, weight),
    )


def _of_whole(
    data: PairedScores,
    columns: tuple[int, ...],
    part: Part | None,
    weight_type: str,
    weight: Array | None,
) -> tuple[Vector, Vector] | None:
    """Return what both classes contribute to the covariance of whole areas, where a part needs it.

    It costs as much again as the parts do.
    """
    counted = data.cluster is None and (weight is None or weight.dtype.kind == "i")
    if part is None or part[1:] == (0.0, 1.0) or not counted or len(columns) < 2:
        return None
    return components(data, columns=columns, weight_type=weight_type).by_class


def estimate_of(
    table: ScoreTable, part: Part | None, weight_type: WeightType = "importance"
) -> AreaEstimate:
    """Estimate an area or a partial area."""
    if part is None:
        return auc_estimate(table, weight_type=weight_type)
    ends = {part[0]: part[1:]}
    return partial_auc_estimate(table, **ends, weight_type=weight_type)


def _placed(table: ScoreTable, part: Part | None) -> Placements:
    if part is None:
        return placements(table)
    v = partial_placements(*below_fpr(table, part))
    return v if part[0] == "fpr" else Placements(pos=v.neg[::-1], neg=v.pos[::-1])


def _weights_of(weight: Array | None, members: Mask) -> tuple[Array | None, tuple[float, float]]:
    """Return the weights of the squares in a class, their sum, and the effective number."""
    if weight is None:
        n = float(np.count_nonzero(members))
        return None, (n, n)
    w = weight[members]
    if w.dtype.kind == "i":
        return w.astype(np.float64), (float(w.sum()), float(w.sum()))
    squares = float((w * w).sum())
    return w * w, (squares, float(w.sum()) ** 2 / squares)
