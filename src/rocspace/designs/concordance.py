"""Concordance over the whole follow-up: whether cases with larger scores have the event first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_positive, two_names
from rocspace._base.errors import Argument, ArgumentError
from rocspace.counts.table import SingleClassError
from rocspace.designs.censoring import Stratum, strata_of
from rocspace.designs.over_time import Influence, PlacedEnds, difference_of, effective_cases
from rocspace.designs.survival import RankedScore
from rocspace.designs.survival_cases import SurvivalScores, check_survival
from rocspace.inference.area import WeightType
from rocspace.inference.area_models import area_model_variance
from rocspace.results.estimates import AreaEstimate, Difference

Concordance: TypeAlias = Literal["uno", "harrell"]


def later_beaten(rank: Ints, key: Ints, weight: Vector) -> Vector:
    """Return, for each case, the weight of those with a larger key and a larger rank.

    Equal ranks count one half. The highest bit in which two ranks differ tells which is larger: the
    cases that agree in all higher bits are a group, and sums along the key within each group give
    the weights. O(n log n) for each bit of the largest rank.
    """
    order = np.argsort(key, kind="stable")
    ranks, keys, weights = rank[order], key[order], weight[order]
    found = np.zeros(rank.size)
    for bit in range(int(ranks.max()).bit_length() - 1, -1, -1):
        high = (ranks >> bit) & 1
        after = _weight_after(ranks >> (bit + 1), keys, weights * high)
        found += np.where(high == 0, after, 0.0)
    found += _weight_after(ranks, keys, weights) / 2
    result = np.empty(rank.size)
    result[order] = found
    return result


def _weight_after(group: Ints, key: Ints, weight: Vector) -> Vector:
    """Return, for cases in the order of their keys, the weight beyond their key in their group."""
    order = np.argsort(group, kind="stable")
    g, k = group[order], key[order]
    total = np.cumsum(weight[order])
    new = g[1:] != g[:-1]
    ends, runs = (_last_of(np.append(step, True)) for step in (new, new | (k[1:] != k[:-1])))
    found = np.empty(group.size)
    found[order] = total[ends] - total[runs]
    return found


def _last_of(last: Array) -> Ints:
    """Return, for each place, the next one that is marked."""
    places = np.flatnonzero(last)
    return places[np.searchsorted(places, np.arange(last.size))]


def event_keys(data: SurvivalScores) -> Ints:
    """Return the order of the times: of equal ones, events come first and are not compared."""
    place = np.unique(data.time, return_inverse=True)[1]
    return np.unique(2 * place + (data.status == 0), return_inverse=True)[1]


def one_kind(asked: str, data: SurvivalScores) -> None:
    """Refuse competing events."""
    check_survival(asked, data)
    if not (data.failed | (data.status == 0)).all():
        many = f"{asked} is for one kind of event, and here others compete. Count them as "
        raise ArgumentError(
            many,
            "censored, if that is what you mean: ",
            Argument("status", text=f"status == {data.cause}"),
            ".",
        )


@explained
def concordance_estimate(
    data: SurvivalScores,
    name: str | None = None,
    *,
    method: Concordance = "uno",
    until: float | None = None,
    weight_type: WeightType = "importance",
) -> AreaEstimate:
    """Probability that of two cases the one with the larger score has the event first.

    Parameters
    ----------
    data : SurvivalScores
        Times, whether they ended with the event, and scores.
    name : str, optional
        The score; not needed where there is only one.
    method : {"uno", "harrell"}, default "uno"
        How pairs count: "uno" by one over the probability that neither is censored before the
        earlier time, so that the result does not depend on censoring; "harrell" all alike.
    until : float, optional
        Only pairs whose earlier event comes before this time; late events have large weights.
    weight_type : {"importance", "frequency"}, default "importance"
        As for `auc_over_time`.

    Returns
    -------
    Estimate
        In [0, 1], with ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError
        If no two cases can be compared.
    ValueError, TypeError
        If there are competing events, or an argument is not as described.

    Notes
    -----
    A pair can be compared if the earlier time ended with the event; a case that was censored at the
    same time counts as later. Equal scores count one half. The standard error is that of the
    influence values, which contain the estimated censoring. If the data have strata, the
    probability of either case is that of its own stratum. Pairs with a case of a stratum in which
    nobody is observed that long are left out; a smaller `until` prevents this. O(n log^2 n), for
    each stratum.

    The interval takes on each side the farther of "moderated" and "unseen" of `Estimate.interval`:
    influence values of the events, and of the other cases, have the place of placements. In the
    ledger of coverage (docs, "Measured coverage": eight scores of two to thirty values, 60 to 400
    cases, of whom 8 to 17 have the event in the middle sample) it covers in 94.7 percent of samples
    or more, "moderated", the former default, in 89.3 or more.

    References
    ----------
    Uno et al. (2011), a paper on this alone; Harrell, Lee and Mark (1996), no numbered equation,
    for the other. To use influence values in "unseen" is our own.

    Examples
    --------
    >>> from rocspace.designs import concordance_estimate, survival_scores
    >>> data = survival_scores([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], [9, 4, 5, 7, 1])
    >>> found = concordance_estimate(data)
    >>> print(f"{found.value:.3f} +- {found.se:.3f}")
    0.810 +- 0.202
    """
    part = concordance_of("concordance_estimate", data, name, method, until, weight_type)
    return part.estimate(data, weight_type, method)


@explained
def concordance_difference(
    data: SurvivalScores,
    first: str | None = None,
    second: str | None = None,
    *,
    method: Concordance = "uno",
    until: float | None = None,
    weight_type: WeightType = "importance",
) -> Difference:
    """Difference of the concordance of two scores of the same cases.

    Parameters
    ----------
    data : SurvivalScores
        Times, whether they ended with the event, and two scores or more.
    first, second : str, optional
        Names of the scores; not needed where there are only two.
    method, until, weight_type
        As for `concordance_estimate`.

    Returns
    -------
    Difference
        First minus second, in [-1, 1], with ``test()`` and ``interval(level)``. Positive if the
        first score is better.

    Raises
    ------
    SingleClassError, ValueError, TypeError
        As `concordance_estimate`; also if there are not two scores.

    Notes
    -----
    The variance is that of the differences of the influence values of both scores. The cost is that
    of `concordance_estimate` for each score: O(n log^2 n) for each stratum.

    References
    ----------
    Uno et al. (2011), a paper on this alone.

    Examples
    --------
    >>> from rocspace.designs import concordance_difference, survival_scores
    >>> scores = {"new": [9, 4, 5, 7, 1], "old": [3, 4, 9, 5, 1]}
    >>> gain = concordance_difference(survival_scores([1, 2, 3, 4, 5], [1, 0, 1, 1, 0], scores))
    >>> print(f"{gain.value:.3f}")
    0.131
    """
    asked = "concordance_difference"
    check_survival(asked, data)
    names = two_names(asked, data.names, first, second)
    one, two = (concordance_of(asked, data, name, method, until, weight_type) for name in names)
    return difference_of(one, two, data, weight_type, method)


@dataclass(frozen=True, eq=False)
class _Others:
    """The cases of one stratum of censoring, as those who are later.

    Attributes
    ----------
    stratum : Stratum or None
        Their censoring; None if it does not count.
    weight : ndarray of float64, shape (n,)
        Their weights, and 0 for cases of other strata.
    reach : ndarray of int, shape (n,)
        How many of their times of censoring lie before the time of each case.
    left : ndarray of float64, shape (n,)
        One over their probability of not being censored before the time of each case.
    """

    stratum: Stratum | None
    weight: Vector
    reach: Ints
    left: Vector

    @classmethod
    def of(cls, data: SurvivalScores, stratum: Stratum | None) -> _Others:
        """Return all cases, or those of a stratum."""
        n, weight = len(data), data.case_weight
        if stratum is None:
            return cls(None, weight, np.zeros(n, dtype=np.int64), np.ones(n))
        inside = np.zeros(n)
        inside[stratum.rows] = weight[stratum.rows]
        reach = np.searchsorted(stratum.time, data.time)
        kept = stratum.kept[reach]
        # Where nobody of the stratum is left, none of its cases is later either.
        return cls(stratum, inside, reach, np.divide(1, kept, out=np.zeros(n), where=kept > 0))

    def derivative(self, value: Vector, n: int) -> Vector:
        """Return how a sum of values changes with the weights of the n cases, through `left`."""
        found = np.zeros(n)
        if self.stratum is not None:
            found[self.stratum.rows] = self.stratum.derivative(value, self.reach)
        return found


def concordance_of(
    asked: str,
    data: SurvivalScores,
    name: str | None,
    method: str,
    until: float | None,
    weight_type: WeightType,
) -> Influence:
    """Return the concordance of a score, with the influence value of each case."""
    one_kind(asked, data)
    event, w = data.failed, data.case_weight
    if until is not None:
        event = event & (data.time < check_positive("until", until))
    later, rank = event_keys(data), RankedScore.of(data, data.name_of(name)).rank
    strata = strata_of(data) if method == "uno" else []
    factor = event.astype(np.float64)
    for stratum in strata:
        factor[stratum.rows] /= stratum.kept[stratum.before]
    parts = [_Others.of(data, stratum) for stratum in strata] or [_Others.of(data, None)]
    one = np.zeros(rank.size, dtype=np.int64)
    wins = [part.left * later_beaten(rank, later, part.weight) for part in parts]
    pairs = [part.left * 2 * later_beaten(one, later, part.weight) for part in parts]
    weight = w * factor
    total = float(weight @ sum(pairs))
    if not total > 0:
        msg = f"{asked}: no two cases can be compared, as nobody is known to be later."
        raise SingleClassError(msg)
    value = float(weight @ sum(wins)) / total
    gains = [won - value * among for won, among in zip(wins, pairs, strict=True)]
    top, last, influence = rank.max() - rank, later.max() - later, factor * sum(gains)
    for part, gain in zip(parts, gains, strict=True):
        each = weight * part.left
        lost = later_beaten(top, last, each) - 2 * value * later_beaten(one, last, each)
        influence += np.where(part.weight > 0, lost, 0.0)
        influence += part.derivative(weight * gain, factor.size)
    for stratum in strata:
        change = (weight * sum(gains))[stratum.rows]
        influence[stratum.rows] += stratum.derivative(change, stratum.before)
    ends = placed_ends(rank, later, [(weight * part.left, part.weight) for part in parts])
    return of_events(value, float(w.sum()) * influence / total, weight, data, weight_type, ends)


def placed_ends(rank: Ints, key: Ints, pairs: Sequence[tuple[Vector, Vector]]) -> PlacedEnds:
    """Return the placements that events, and later cases, with the first or last rank would have.

    A pair weighs as much as its event, the first of each of the `pairs`, times the later case, the
    second. A case with the rank of an end of the scale is tied with the others that have it.
    """
    one, first, last = np.zeros(rank.size, dtype=np.int64), rank == rank.min(), rank == rank.max()

    def weight(events: Vector, others: Vector) -> float:
        """Return twice the weight of the pairs of some events and some later cases."""
        found = (each * events @ later_beaten(one, key, w * others) for each, w in pairs)
        return float(sum(found))

    everyone = np.ones(rank.size)
    whole = 2 * weight(everyone, everyone)
    return (
        (weight(everyone, last) / whole, 1 - weight(everyone, first) / whole),
        (weight(first, everyone) / whole, 1 - weight(last, everyone) / whole),
    )


def of_events(
    value: float,
    influence: Vector,
    weight: Vector,
    data: SurvivalScores,
    weight_type: WeightType,
    ends: PlacedEnds,
) -> Influence:
    """Return a mean over the events, whose weights these are, of comparisons with later cases."""
    event, every = weight > 0, data.case_weight
    n = effective_cases(weight, event, data, weight_type)
    rest = effective_cases(every, ~event, data, weight_type) or np.inf
    whole = effective_cases(every, np.ones(event.size, dtype=bool), data, weight_type)
    inside = min(max(value, 0.0), 1.0)  # a smoothed area can be beyond
    return Influence(
        value=value,
        influence=influence,
        n_pairs=n,
        model_se=float(np.sqrt(area_model_variance(inside, n, whole))),
        case=event,
        sizes=(n, rest),
        ends=ends,
        farther=True,
    )
