"""The search for the best rows: floats find the candidates, fractions decide between them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.exact import best_rows
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.table import ScoreTable
from rocspace.measures.costs_of_errors import Costs
from rocspace.measures.entry import Cells, Measure, as_fraction
from rocspace.measures.facts import CRITERIA
from rocspace.operating.constraints import Constraint, Target
from rocspace.operating.smoothing import smoothed_values

_SAME = 1e-12  # criteria of weighted tables nearer than this tie
_ROUNDED = 1e-11  # largest relative error of floats that are computed from counts
_NEAR = 1e-9  # values this near to a limit are compared with it again, exactly

_HALF = Fraction(1, 2)

Four = tuple[Any, Any, Any, Any]
"""tp, fp, fn, tn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which rows are best: by goals in turn, within limits, at costs and a prevalence.

    The first goal is smoothed over the thresholds with `smooth` degrees of freedom.
    """

    goals: tuple[str | Target, ...]
    limits: tuple[Constraint, ...] = ()
    costs: Costs | None = None
    prevalence: Fraction | None = None
    observed_only: bool = False
    smooth: float | None = None


def outcomes(table: ScoreTable) -> Four:
    """Return the four counts of every row, reject-all first."""
    tp, fp = table.tp_from_zero, table.fp_from_zero
    return tp, fp, np.maximum(table.n_pos - tp, 0), np.maximum(table.n_neg - fp, 0)


def scores_of(table: ScoreTable) -> Vector:
    """Return the threshold of every row as a float, reject-all first."""
    return table.score_from_infinity.astype(np.float64)


def _in_floats(four: Four) -> Four:
    tp, fp, fn, tn = (np.asarray(column, dtype=np.float64) for column in four)
    return tp, fp, fn, tn


def _cells(four: Four, score: Any, question: Question, number: Any, *, mixed: bool) -> Cells:
    """Return the counts that a criterion reads; `mixed` at the wanted prevalence."""
    tp, fp, fn, tn = four
    n_pos, n_neg = tp + fn, fp + tn
    p = None if question.prevalence is None else number(question.prevalence)
    net = question.costs.net if question.costs else (Fraction(1), Fraction(1))
    miss, alarm = (number(cost / max(net)) for cost in net)
    weight = (number(_HALF), number(_HALF))
    with np.errstate(divide="ignore", invalid="ignore"):
        if question.costs is not None:
            total = n_pos + n_neg
            shares = (n_pos / total, n_neg / total) if p is None else (p, 1 - p)
            of_miss, of_alarm = shares[0] * miss, shares[1] * alarm
            weight = of_miss / (of_miss + of_alarm), of_alarm / (of_miss + of_alarm)
        if p is not None and mixed:
            of_pos, of_neg = p * (n_pos + n_neg) / n_pos, (1 - p) * (n_pos + n_neg) / n_neg
            tp, fn, fp, tn = tp * of_pos, fn * of_pos, fp * of_neg, tn * of_neg
    return Cells(tp=tp, fp=fp, fn=fn, tn=tn, score=score, weight=weight, costs=(miss, alarm))


def worth(
    goal: str | Target,
    four: Four,
    question: Question,
    *,
    score: Any = None,
    number: Any = float,
    one_each: bool = False,
) -> Any:
    """Return how good thresholds are by one goal, larger better.

    `one_each`: the points are not those of one curve, so that none is passed over.
    """
    fact = fact_of_goal(goal)
    value = _value(fact, four, question, score=score, number=number, one_each=one_each)
    if isinstance(goal, Target):
        return -abs(fact.as_shown(value) - number(as_fraction(goal.value)))
    return value if fact.better == "higher" else -value


def shown_value(
    name: str, four: Four, question: Question, *, score: Any = None, one_each: bool = False
) -> Vector:
    """Return a criterion on the scale that users know, or how many cases are selected."""
    if name == "selected":
        return np.asarray(four[0] + four[1])
    four = _in_floats(four)
    if name == "cost":
        p = None if question.prevalence is None else float(question.prevalence)
        found = ConfusionMatrix(*four)
        return np.asarray((question.costs or Costs()).expected(found, prevalence=p))
    fact = CRITERIA[name]
    value = _value(fact, four, question, score=score, one_each=one_each)
    return np.asarray(fact.as_shown(value), dtype=np.float64)


def criterion_over(table: ScoreTable, goal: str | Target, question: Question) -> Vector:
    """Return a criterion, or the measure of a target, of every row; smoothed if so asked."""
    name = goal.measure if isinstance(goal, Target) else goal
    score = scores_of(table)
    value = shown_value(name, outcomes(table), question, score=score)
    if question.smooth is None:
        return value
    return smoothed_values(score, value, question.smooth, name)


def _worth_smoothed(table: ScoreTable, goal: str | Target, question: Question) -> Vector:
    value = criterion_over(table, goal, question)
    if isinstance(goal, Target):
        return -np.abs(value - float(goal.value))
    return value if fact_of_goal(goal).better == "higher" else -value


def fact_of_goal(goal: str | Target) -> Measure:
    """Return the facts of a criterion, or of the measure of a target."""
    return CRITERIA[goal.measure if isinstance(goal, Target) else goal]


def _value(
    fact: Measure,
    four: Four,
    question: Question,
    *,
    score: Any = None,
    number: Any = float,
    one_each: bool = False,
) -> Any:
    cells = _cells(four, score, question, number, mixed=fact.uses_prevalence)
    with np.errstate(divide="ignore", invalid="ignore"):
        assert fact.exact is not None
        value = fact.exact(cells)
    return _finite(value) if fact.finite and number is float and not one_each else value


def _finite(value: Vector) -> Vector:
    """Pass over infinite values, unless all values are infinite."""
    infinite = np.isinf(value)
    some = np.isfinite(value).any(axis=-1, keepdims=True)
    return np.where(infinite & some, np.nan, value)


def within(limit: Constraint, four: Four, question: Question) -> Any:
    """Return which thresholds meet a limit; rates are compared as one division."""
    return _meets(limit, shown_value(limit.measure, four, question))


def _meets(limit: Constraint, value: Any) -> Any:
    with np.errstate(invalid="ignore"):
        return value >= limit.bound if limit.sense == ">=" else value <= limit.bound


def _within_exactly(limit: Constraint, table: ScoreTable, four: Four, question: Question) -> Any:
    """Return `within`, so decided that rounding errors of rates have no influence."""
    kept = within(limit, four, question)
    if limit.measure == "selected" or table.is_weighted:
        return kept
    fact = CRITERIA[limit.measure]
    moved = question.prevalence is not None and fact.uses_prevalence
    if (fact.one_division and not moved) or fact.shown is not None or not fact.rational:
        return kept
    value = shown_value(limit.measure, four, question)
    with np.errstate(invalid="ignore"):
        near = np.flatnonzero(np.abs(value - limit.bound) <= _NEAR * max(1.0, abs(limit.bound)))
    for i in near:
        exact = _value(fact, _fractions(four, int(i)), question, number=Fraction)
        kept[i] = _meets(limit, float(exact))
    return kept


def _fractions(four: Four, i: int) -> Four:
    tp, fp, fn, tn = (Fraction(x[i].item()) for x in four)
    return tp, fp, fn, tn


def best_rows_of(table: ScoreTable, question: Question) -> Ints:
    """Return every best row, row 0 rejecting all; none where no row meets the limits."""
    four = outcomes(table)
    floats, score = _in_floats(four), scores_of(table)
    allowed = np.ones(len(table) + 1, dtype=bool)
    allowed[0] = not question.observed_only
    for limit in question.limits:
        allowed &= _within_exactly(limit, table, four, question)
    rows = np.flatnonzero(allowed)
    for i, goal in enumerate(question.goals):
        smoothed = i == 0 and question.smooth is not None
        if smoothed:
            value = _worth_smoothed(table, goal, question)
        else:
            value = worth(goal, floats, question, score=score)
        value = np.where(allowed, value, np.nan)
        if np.isnan(value).all():  # a later goal that is undefined breaks no tie
            return rows if i else rows[:0]
        fact = fact_of_goal(goal)
        inexact = isinstance(goal, Target) and fact.shown is not None
        if table.is_weighted or not fact.rational or inexact or smoothed:
            rows = np.flatnonzero(_among_best(value))
        else:

            def exact(row: int, goal: str | Target = goal) -> Any:
                return worth(goal, _fractions(four, row), question, number=Fraction)

            near = _among_best(value, _ROUNDED)
            if fact.linear and not isinstance(goal, Target):  # many exact ties are quick
                rows = _best_of_linear(np.flatnonzero(near), four, goal, question)
            else:
                rows = best_rows(np.where(near, value, np.nan), exact)
        allowed = np.zeros_like(allowed)
        allowed[rows] = True
    return rows


def _best_of_linear(rows: Ints, four: Four, goal: str | Target, question: Question) -> Ints:
    """Return the best rows by a goal that is linear in tp and fp: in integers, however many tie."""
    tp, fp, fn, tn = four
    n_pos, n_neg = int(tp[0] + fn[0]), int(fp[0] + tn[0])

    def at(p: int, q: int) -> Fraction:
        counts: Any = tuple(map(Fraction, (p, q, n_pos - p, n_neg - q)))
        return Fraction(worth(goal, counts, question, number=Fraction))

    steps = at(1, 0) - at(0, 0), at(0, 1) - at(0, 0)
    whole = lcm(*(step.denominator for step in steps))
    of_tp, of_fp = (int(step * whole) for step in steps)
    kind = np.int64 if max(abs(of_tp), abs(of_fp)) * (n_pos + n_neg) < 2**62 else object
    value = of_tp * tp[rows].astype(kind) + of_fp * fp[rows].astype(kind)
    return np.asarray(rows[value == value.max()])


def _among_best(value: Vector, same: float = _SAME) -> Any:
    with np.errstate(invalid="ignore"):
        top = np.nanmax(value, axis=-1, keepdims=True)
        slack = np.where(np.isfinite(top), same * np.maximum(1.0, np.abs(top)), 0.0)
        return value >= top - slack


def best_of_each(four: Four, question: Question) -> Ints:
    """Return the first best row of each replicate, shapes (b, k + 1); -1 where there is none."""
    allowed = np.ones(four[0].shape, dtype=bool)
    for limit in question.limits:
        allowed &= within(limit, four, question)
    failed = ~allowed.any(axis=1)
    for i, goal in enumerate(question.goals):
        value = np.where(allowed, worth(goal, four, question), np.nan)
        undefined = np.isnan(value).all(axis=1)
        failed |= undefined & (i == 0)
        value[undefined] = 0.0
        allowed &= _among_best(value)
    return np.where(failed, -1, allowed.argmax(axis=1))
