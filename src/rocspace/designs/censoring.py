"""How likely each case was still under observation, and what that estimate does to errors.

The probability of not being censored is estimated by the method of Kaplan and Meier with the roles
of events and censorings swapped. At a tied time events come first: a case that fails at the time at
which others are censored was not at risk of being censored then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Mask, Vector
from rocspace._base.checks import check_fraction
from rocspace._base.errors import Argument, ArgumentError
from rocspace.designs.survival_cases import SurvivalScores


@dataclass(frozen=True, eq=False)
class Stratum:
    """Censoring in one stratum, at its distinct times of censoring.

    Attributes
    ----------
    rows : ndarray of int, shape (n,)
        Its cases.
    time : ndarray of float64, shape (m,)
        Distinct times of censoring, rising.
    risk : ndarray of float64, shape (m,)
        Weight of the cases at risk of being censored then.
    hazard : ndarray of float64, shape (m,)
        Share of them that are censored then.
    before, own : ndarray of int, shape (n,)
        Of each case: how many times of censoring lie before its time; and at how many it was at
        risk of being censored, the one at which it was censored among them.
    """

    rows: Ints
    time: Vector
    risk: Vector
    hazard: Vector
    before: Ints
    own: Ints

    @property
    def kept(self) -> Vector:
        """Probability of not being censored up to each number of times of censoring."""
        return np.concatenate([[1.0], np.cumprod(1 - self.hazard)])

    def derivative(self, value: Vector, reach: Ints) -> Vector:
        """Return how a sum of values changes with the weight of each case, through censoring.

        ``value[k]`` is divided by the probability of not being censored at the first ``reach[k]``
        times; the result does not contain what the case itself adds to the sum.
        """
        m = self.time.size
        if not m:
            return np.zeros(self.rows.size)
        beyond = np.cumsum(np.bincount(reach, value, m + 1)[:0:-1])[::-1]
        left = self.risk * (1 - self.hazard)
        step = np.divide(beyond, left, out=np.zeros(m), where=left > 0)
        found = -np.concatenate([[0.0], np.cumsum(step * self.hazard)])[self.own]
        censored = self.own > self.before
        found[censored] += step[self.before[censored]]
        return found


def _stratum(rows: Ints, time: Vector, censored: Mask, weight: Vector) -> Stratum:
    """Estimate the censoring of some of the cases."""
    times, held = np.unique(time[censored], return_inverse=True)
    lost = np.bincount(held, weight[censored], times.size).astype(np.float64)
    before = np.searchsorted(times, time)
    # A case is at risk at the times before its own, and at its own if it was censored there.
    own = before + censored
    seen = np.bincount(own, weight, times.size + 1)
    risk = np.cumsum(seen[:0:-1])[::-1].astype(np.float64)
    return Stratum(rows, times, risk, lost / risk, before, own)


def strata_of(data: SurvivalScores) -> list[Stratum]:
    """Estimate the censoring of each stratum; without strata there is one."""
    censored, weight = data.status == 0, data.case_weight
    groups: Sequence[Ints] = [np.arange(len(data))]
    if data.stratum is not None:
        order = np.argsort(data.stratum, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(data.stratum[order])) + 1)
    return [_stratum(rows, data.time[rows], censored[rows], weight[rows]) for rows in groups]


@dataclass(frozen=True, eq=False)
class Observation:
    """What is known of the cases at one time, and how much each of them stands for.

    Attributes
    ----------
    data : SurvivalScores
        The cases.
    at : float
        The time.
    factor : ndarray of float64, shape (n,)
        One over the probability that what is known at that time would be known; 0 where it is not.
    reach : tuple of ndarray of int
        Of the cases of each stratum: on how many times of censoring the factor depends.
    strata : list of Stratum
        Empty if the probabilities are given.
    """

    data: SurvivalScores
    at: float
    factor: Vector
    reach: tuple[Ints, ...]
    strata: list[Stratum]

    @property
    def weight(self) -> Vector:
        """Factor times weight of each case; the sum estimates the weight of all cases."""
        return self.factor * self.data.case_weight

    def derivative(self, coefficient: Vector) -> Vector:
        """Return how the sum of ``weight * coefficient`` changes with the weight of each case."""
        found = self.factor * coefficient
        value = self.weight * coefficient
        for stratum, reach in zip(self.strata, self.reach, strict=True):
            found[stratum.rows] += stratum.derivative(value[stratum.rows], reach)
        return found


def observed_at(
    data: SurvivalScores, strata: list[Stratum], at: float, uncensored: Vector | None
) -> Observation:
    """Return the factors of all cases at one time, from estimated or given probabilities."""
    over = (data.time <= at) & (data.status > 0)
    beyond = data.time > at
    if uncensored is not None:
        known = over | beyond
        if not (uncensored[known] > 0).all():
            i = int(np.flatnonzero(known & ~(uncensored > 0))[0])
            why = f" is 0 at index {i}, of a case whose state at {at:g} is known."
            raise ArgumentError(Argument("uncensored"), why)
        factor = np.divide(1.0, uncensored, out=np.zeros(len(data)), where=known)
        return Observation(data, at, factor, (), [])
    factor, reaches = np.zeros(len(data)), []
    for stratum in strata:
        last, kept = int(np.searchsorted(stratum.time, at, side="right")), stratum.kept
        if not kept[last] > 0:
            raise _too_late(data, stratum, at)
        early, late = over[stratum.rows], beyond[stratum.rows]
        reach = np.where(early, stratum.before, last)
        factor[stratum.rows] = np.where(early | late, 1 / kept[reach], 0.0)
        reaches.append(reach)
    return Observation(data, at, factor, tuple(reaches), strata)


def _too_late(data: SurvivalScores, stratum: Stratum, at: float) -> ArgumentError:
    time = data.time[stratum.rows]
    earlier = time[time < time.max()]
    whose = "" if data.stratum is None else f" of stratum {data.stratum[stratum.rows[0]]}"
    largest = f"The largest time that can be used is {earlier.max():g}." if earlier.size else ""
    return ArgumentError(
        Argument("at"),
        f" is {at:g}, but nobody{whose} was observed longer than {time.max():g}. {largest}",
    )


def check_uncensored(values: ArrayLike | None, n: int, m: int) -> Vector | None:
    """Check given probabilities of not being censored: one for each case and time."""
    if values is None:
        return None
    array = check_fraction("uncensored", values)
    array = array[:, None] if array.ndim == 1 and m == 1 else array
    if array.shape != (n, m):
        why = (
            f" has the shape {array.shape}, but there are {n} cases and {m} times: ({n}, {m}). "
            "Column j is the probability that a case is not censored before the earlier of its "
            "own time and the j-th time."
        )
        raise ArgumentError(Argument("uncensored"), why)
    return array
