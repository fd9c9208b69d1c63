"""Uncertainty of a chosen threshold, and the optimism of its value.

A threshold that is optimal on some cases looks better on them than it will on others. The
bootstrap shows how far the choice would have moved, and how much it would have lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_choice, check_level, check_rng, check_times
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace._base.progress import Progress
from rocspace._base.text import brief, general, threshold
from rocspace.counts.confusion import Counts
from rocspace.counts.draws import draw_counts
from rocspace.counts.table import ScoreTable, of_table
from rocspace.inference.rates import point_interval
from rocspace.measures.costs_of_errors import CostsLike, as_costs
from rocspace.operating.constraints import Constraint, Target
from rocspace.operating.points import Goal, optimal_points, question_of
from rocspace.operating.search import Four, Question, best_of_each, fact_of_goal, shown_value, worth
from rocspace.results.interval import Interval
from rocspace.results.point import OperatingPoint
from rocspace.results.proportions import added_distances

_MOST = float(np.finfo(np.float64).max)
_BLOCK = 1 << 20  # counts drawn at a time; fixed, so that the numbers do not depend on memory
_UNSEEN = 4.0  # mean number of unseen cases of each class that the interval allows for


class ThresholdBootstrap(Result):
    """A chosen threshold and its bootstrap replicates.

    Attributes
    ----------
    point : OperatingPoint
        The choice on all cases; the most conservative if several tie.
    apparent : float
        The criterion there, on the cases that chose it.
    thresholds : ndarray, shape (n_boot - n_failed,)
        The choice in each replicate.
    in_bag, out_of_bag : ndarray of float64, shape (n_boot - n_failed,)
        The criterion at that choice, on the cases of the replicate and on those left out;
        nan where it is undefined.
    tpr_in_bag, fpr_in_bag, tpr_out_of_bag, fpr_out_of_bag : ndarray of float64, as `in_bag`
        Both rates of that choice, on the same cases; nan where no case of the class was left out.
    constraints : mapping of str to float
        For each constraint, the mean of its measure out of bag: a constraint that the choosing
        cases just meet is violated a little elsewhere.
    n_failed : int
        Replicates in which no threshold could be chosen.

    See Also
    --------
    threshold_bootstrap

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> chosen = threshold_bootstrap(tabulate(data.y_true, data.y_score), n_boot=500, rng=1)
    >>> chosen.point.threshold, round(chosen.apparent, 3)
    (0.54, 0.4)
    >>> tuple(chosen.interval(0.9))
    (0.34, 0.8)
    """

    point: OperatingPoint
    apparent: float
    thresholds: Array
    in_bag: Vector
    out_of_bag: Vector
    tpr_in_bag: Vector
    fpr_in_bag: Vector
    tpr_out_of_bag: Vector
    fpr_out_of_bag: Vector
    constraints: Mapping[str, float]
    n_failed: int
    _reach: Vector

    def _about(self) -> str:
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        return (
            f"{self.point.criterion}: {self.point.threshold} with "
            f"{brief(self.apparent)}, {brief(self.corrected)} corrected; "
            f"{self.thresholds.size} replicates{failed}"
        )

    def _card(self) -> Card:
        rows: dict[str, Any] = {
            "Chosen by": self.point.criterion,
            "Threshold": threshold(self.point.threshold, self.point.next_score),
            "Interval": str(self.interval(0.95)),
            "Apparent value": general(self.apparent),
            "Corrected value": general(self.corrected),
            "Optimism": general(self.optimism),
        }
        rows |= {f"{limit}, out of bag": general(x) for limit, x in self.constraints.items()}
        return Card(rows=rows | {"Replicates": f"{self.thresholds.size}, {self.n_failed} failed"})

    def interval(
        self, level: float = 0.95, *, method: Literal["smoothed", "percentile"] = "smoothed"
    ) -> Interval:
        """Return an interval of the threshold; its ends are scores that occur.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        method : {"smoothed", "percentile"}
            Default "smoothed". "percentile": quantiles of the replicates, whose coverage is
            too low where a class is small.

        Returns
        -------
        Interval
            May have an infinite end, if rejecting all was optimal often enough; nan without
            any replicate.

        Notes
        -----
        A replicate can choose only among the observed scores; the best threshold lies between
        them. Each choice therefore is spread evenly from the next lower to the next higher score
        of the positives, and, with the same weight, of the negatives, unless several cases share
        the score; the ends are the first such scores that leave at most ``(1 - level) / 2``
        outside. Nor can a replicate show cases that the sample lacks, and few cases of a class
        often lack those on the wrong side of the best threshold; so the replicates of this interval
        have, beside their own cases, four more of each class on average (a Poisson number), drawn
        from the scores of the other class. This is our own (docs, "Our own methods").
        """
        tail = (1 - check_level(level)) / 2
        check_choice("method", method, ("smoothed", "percentile"))
        ends = (float("nan"),) * 2
        if self.thresholds.size and method == "percentile":
            ordered = np.sort(self.thresholds)
            at = np.ceil(np.array([tail, 1 - tail]) * ordered.size).astype(int) - 1
            ends = tuple(ordered[at].tolist())
        elif self.thresholds.size:
            ends = _smoothed_ends(self._reach[0], self._reach[1], tail)
        return Interval(low=ends[0], high=ends[1], level=level, method=f"bootstrap {method}")

    @property
    def corrected(self) -> float:
        """Estimate of the criterion on other cases: its mean out of bag; nan without any."""
        return mean_of_known(self.out_of_bag)

    @property
    def optimism(self) -> float:
        """How much better the choice looks on the cases that made it: apparent - corrected.

        Negative for a criterion that should be small, such as a cost.
        """
        return self.apparent - self.corrected

    @property
    def n_undefined(self) -> int:
        """Number of replicates whose criterion is undefined out of bag."""
        return int(np.count_nonzero(~np.isfinite(self.out_of_bag)))


@of_table
def threshold_bootstrap(
    table: ScoreTable,
    *,
    criterion: Goal | Sequence[Goal] = "youden",
    subject_to: Constraint | Sequence[Constraint] = (),
    costs: CostsLike | None = None,
    prevalence: float | None = None,
    n_boot: int = 1000,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> ThresholdBootstrap:
    """Bootstrap the choice of a threshold.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    criterion, subject_to, costs, prevalence
        As for `rocspace.optimal_points`; the first criterion is the one that is reported.
    n_boot : int, default 1000
        Replicates. Each keeps the size of both classes.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same numbers.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    ThresholdBootstrap
        The choice on all cases, its interval, and the criterion corrected for optimism.

    Raises
    ------
    SingleClassError, ValueError
        As `rocspace.optimal_points`; also if the table has weights, a criterion asks for the
        score itself, or `n_boot` is less than 1.

    Notes
    -----
    O(n_boot k). Counts are drawn for the distinct scores, and nothing is sorted again. Of
    thresholds that tie in a replicate the most conservative counts.

    If the c cases of one score are drawn m times in all, each is left out with probability
    ``(1 - 1 / c)^m``. That many, ``c (1 - 1 / c)^m``, are counted as out of bag: for
    distinct scores the very cases that were not drawn, for tied ones their expectation given
    the draw, which adds no noise of its own. Out-of-bag counts are scaled to the class sizes.

    The mean out of bag is the corrected value: in simulations of Youden's index with normal
    scores (30 to 200 cases in a class, areas .64 to .92) it fell short of the index that the
    chosen threshold truly has by .003 to .008, while the apparent value exceeded it by .06 to
    .13. Subtracting the mean difference of in bag and out of bag from the apparent value corrects
    too much (.02 to .05 too low), and the .632 rule too little (.02 to .05 too high).

    Thresholds of "youden", "accuracy" and the like converge with the cube root of the number
    of cases only, so no theory guarantees the interval its level. Its 95 % limits covered the best
    threshold of the population in 95 to 100 % of 60 samples in each of 51 situations (5 + 100 to
    150 + 12 cases; Normal, exponential, bounded, heavy-tailed and hooked scores, outliers, many
    zeros), without unseen cases in 48 to 100 %. It is wide
    where a class has few cases: five positives hardly tell where the best threshold is. A sample of
    few cases may lack the best threshold itself. In it all thresholds between two of its scores are
    alike, and the limit is the higher score. Where most cases score 0 and the best threshold is the
    lowest of nine rare values above, the limits contain it in 89.2 to 92.0 % of samples of 5 + 20
    to 20 + 20 cases; the mean out of bag falls short by up to .055, and the apparent value exceeds
    the truth by up to .154 (``python -m benchmarks.constants.rare_levels``).

    References
    ----------
    Efron and Tibshirani (1997), a paper on this alone; Thiele and Hirschfeld (2021), the whole
    paper, for out-of-bag values of cut-points.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> chosen = threshold_bootstrap(tabulate(data.y_true, data.y_score), n_boot=500, rng=1)
    >>> chosen.optimism > 0, chosen.corrected < chosen.apparent
    (True, True)
    """
    question = question_of(criterion, subject_to, costs, prevalence)
    _check_bootstrap(table, question, n_boot)
    point = optimal_points(
        table, criterion=criterion, subject_to=subject_to, costs=costs, prevalence=prevalence
    )[0]

    limited = [limit for limit in question.limits if limit.measure != "selected"]
    rows, values, again = [], [], []
    first = question.goals[0]
    with Progress("bootstrap", n_boot, show=progress) as shown:
        for inside, outside, more in _replicates(table, n_boot, rng):
            chosen, other = (best_of_each(four, question) for four in (inside, more))
            again.append(other[other >= 0])
            kept = np.flatnonzero(chosen >= 0)
            at = (kept, chosen[kept])
            rows.append(chosen[kept])
            within, without = (tuple(x[at] for x in four) for four in (inside, outside))
            seen = [_reported(first, four, question) for four in (within, without)]
            seen += [rate for four in (within, without) for rate in _rates(four)]
            seen += [_reported(limit.measure, without, question) for limit in limited]
            values.append(seen)
            shown.add(chosen.size)
    found = np.concatenate(rows)
    in_bag, out_of_bag, tpr, fpr, tpr_out, fpr_out, *held = np.concatenate(values, axis=1)
    return ThresholdBootstrap(
        point=point,
        apparent=criterion_of_counts(
            point, criterion=criterion, costs=costs, prevalence=prevalence
        ),
        thresholds=table.score_from_infinity[found],
        in_bag=in_bag,
        out_of_bag=out_of_bag,
        tpr_in_bag=tpr,
        fpr_in_bag=fpr,
        tpr_out_of_bag=tpr_out,
        fpr_out_of_bag=fpr_out,
        constraints={str(limit): mean_of_known(x) for limit, x in zip(limited, held, strict=True)},
        n_failed=n_boot - found.size,
        _reach=_neighbours(table)[:, :, np.concatenate(again)].reshape(2, -1),
    )


def _rates(four: Four) -> tuple[Vector, Vector]:
    """Return tpr and fpr of many points from their four counts."""
    tp, fp, fn, tn = four
    return np.asarray(ratio(tp, tp + fn)), np.asarray(ratio(fp, fp + tn))


def mean_of_known(values: Vector) -> float:
    """Return the mean of the values that are defined; nan without any."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def _check_bootstrap(table: ScoreTable, question: Question, n_boot: int) -> None:
    if table.is_weighted:
        msg = (
            "A weighted table no longer knows its cases, so none can be drawn or left out. If "
            "weights count equal cases, tabulate each case as often as it counts."
        )
        raise ValueError(msg)
    check_times("n_boot", n_boot)
    for goal in question.goals:
        if not fact_of_goal(goal).rank_based:
            msg = f"{goal} asks for the score itself; it is not a choice that can be resampled."
            raise ValueError(msg)


def _smoothed_ends(low: Vector, high: Vector, tail: float) -> tuple[float, float]:
    """Return the scores beyond which at most `tail` of the evenly spread choices lie."""
    knots = np.unique([low, high])
    wide = high > low
    width = np.subtract(high, low, out=np.ones_like(low), where=wide)

    def share(knot: float) -> float:
        """Return the weight of the evenly spread choices at or below a score."""
        with np.errstate(over="ignore"):
            past = np.clip(min(knot, _MOST) - low, 0.0, width)
        return float(np.where(wide, past / width, knot >= low).mean())

    first = max(bisect_right(knots, tail, key=share) - 1, 0)
    last = min(bisect_left(knots, 1 - tail - 1e-12, key=share), knots.size - 1)
    return float(knots[first]), float(knots[last])


def _neighbours(table: ScoreTable) -> Vector:
    """Return the next lower and the next higher score of each class, for each threshold.

    Shape (2, 2, k + 1): low and high, positives and negatives. Beyond the last score of a class,
    for rejecting all, and for a score of several cases it is the threshold itself.
    """
    own = table.score_from_infinity.astype(np.float64)
    found = np.tile(own, (2, 2, 1))
    row = np.arange(own.size)
    once = np.append(False, table.pos + table.neg == 1)
    for of_class, count in enumerate((table.pos, table.neg)):
        held = 1 + np.flatnonzero(count)
        before = np.searchsorted(held, row, "left") - 1
        after = np.searchsorted(held, row, "right")
        for side, at in enumerate((after, before)):
            there = (at >= 0) & (at < held.size) & once
            found[side, of_class, there] = own[held[at[there]]]
    return np.sort(found, axis=0)


def criterion_of_counts(
    counts: Counts,
    *,
    criterion: Goal | Sequence[Goal],
    subject_to: Constraint | Sequence[Constraint] = (),
    costs: CostsLike | None = None,
    prevalence: float | None = None,
) -> float:
    """Return the first criterion of a choice at four counts, of whatever cases they are."""
    question = question_of(criterion, subject_to, costs, prevalence)
    four = counts.tp, counts.fp, counts.fn, counts.tn
    return float(_reported(question.goals[0], four, question))


def _reported(goal: str | Target, four: Four, question: Question) -> Vector:
    """Return a criterion on its own scale, or the distance from a target, for many points."""
    if isinstance(goal, Target):
        return np.asarray(-worth(goal, four, question, one_each=True))
    return shown_value(goal, four, question, one_each=True)


# --- replicates ---------------------------------------------------------------------------------


def _replicates(
    table: ScoreTable, n_boot: int, rng: np.random.Generator | int | None
) -> Iterator[tuple[Four, Four, Four]]:
    """Yield blocks of replicates: four counts of each row, in bag, out of bag, with unseen cases.

    Each block has a generator of its own, so the numbers do not depend on who draws it.
    """
    size = max(1, _BLOCK // (len(table) + 1))
    starts = range(0, n_boot, size)
    for start, generator in zip(starts, check_rng(rng).spawn(len(starts)), strict=True):
        many = min(size, n_boot - start)
        pos, neg = (draw_counts(generator, column, many) for column in (table.pos, table.neg))
        left = [_left_out(c, m) for c, m in ((table.pos, pos), (table.neg, neg))]
        of_others = (_unseen(generator, other, many) for other in (table.neg, table.pos))
        more = [drawn + unseen for drawn, unseen in zip((pos, neg), of_others, strict=True)]
        outside, rest = (_four(each[0], each[1], table) for each in (left, more))
        yield _four(pos, neg, table), outside, rest


def _unseen(rng: np.random.Generator, other: Ints, many: int) -> Ints:
    """Draw a few cases of a class for each replicate, at scores of the other class."""
    row = np.repeat(np.arange(many), rng.poisson(_UNSEEN, many))
    called = np.cumsum(other)
    at = np.searchsorted(called, rng.integers(called[-1], size=row.size), "right")
    drawn = np.bincount(row * other.size + at, minlength=many * other.size)
    return drawn.reshape(many, other.size)


def _left_out(count: Ints, drawn: Ints) -> Vector:
    """Return how many of each row's equal cases are left out, given how often it was drawn."""
    several = count > 1
    left = np.where(drawn == 0, count, 0.0)
    c = count[several].astype(np.float64)
    left[:, several] = c * np.exp(drawn[:, several] * np.log1p(-1 / c))
    return left


def _four(pos: Array, neg: Array, table: ScoreTable) -> Four:
    """Sum up from the most positive score, reject-all first, scaled to the class sizes."""
    sides = []
    for column, total in ((pos, table.n_pos), (neg, table.n_neg)):
        called = np.zeros((column.shape[0], column.shape[1] + 1))
        np.cumsum(column, axis=1, out=called[:, 1:])
        whole = called[:, -1:]
        scale = np.where(whole > 0, total / np.where(whole > 0, whole, 1.0), np.nan)
        sides += [called * scale, (whole - called) * scale]
    tp, fn, fp, tn = sides
    return tp, fp, fn, tn


# --- costs ---------------------------------------------------------------------------------------


@explained
def cost_interval(
    point: OperatingPoint, costs: CostsLike, *, prevalence: float | None = None, level: float = 0.95
) -> Interval:
    """Confidence interval of the mean cost of a case at a threshold that was fixed before.

    Parameters
    ----------
    point : OperatingPoint
        Counts at a threshold. If it was chosen on these cases, the interval is too low.
    costs : Costs, or mapping such as ``dict(fp=1, fn=20)``
        What errors cost.
    prevalence : float, optional
        Share of positives where the threshold will be used, taken as known; by default that of
        the data.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    Interval
        Inside the range of the cost, and never of zero width.

    Raises
    ------
    ValueError
        If the level or the prevalence is out of range.

    Notes
    -----
    Clopper and Pearson's intervals of both error rates, combined by adding the squares of
    their half-widths. Coverage at level 0.95, summed over all outcomes of 700 situations from 5 + 5
    to 10 + 1000 cases: 93.9 percent or more.

    References
    ----------
    Zou and Donner (2008), a paper on this alone.

    Examples
    --------
    >>> from rocspace import point_at, tabulate
    >>> point = point_at(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.4)
    >>> low, high = cost_interval(point, {"fn": 5})
    >>> round(low, 6), round(high, 6)
    (0.00629, 2.368778)
    """
    n_pos, n_neg = point.tp + point.fn, point.fp + point.tn
    p = n_pos / (n_pos + n_neg) if prevalence is None else prevalence
    paid = as_costs(costs)
    value = float(paid.expected(point, prevalence=p))
    weights = (p * (paid.fn - paid.tp), (1 - p) * (paid.fp - paid.tn))
    size = max(map(abs, weights))
    if not 2.0**-500 < size < 2.0**500 and size:
        said = f"The errors cost about {size:g}, whose square does not fit float64. Give "
        raise ArgumentError(said, Argument("costs"), " in another unit.")
    missed, alarm = (point_interval(point, rate, level=level) for rate in ("fnr", "fpr"))
    rates = (1 - point.tpr, point.fpr)
    both = zip(weights, rates, (missed, alarm), strict=True)
    down, up = map(float, added_distances((w, rate, *ends) for w, rate, ends in both))
    return Interval(
        low=value - down,
        high=value + up,
        level=level,
        method="exact limits, squares added",
    )
