"""Operating points: what one threshold does, and which thresholds are optimal by a criterion.

A criterion may be the cost of errors (`Costs`), any name of `rocspace.measures`, or the
distance of a measure to a wanted value (`rocspace.operating.Target`);
`rocspace.operating.Constraint` states requirements such as a least
precision or a capacity. All functions also take another prevalence than that of the data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_inside, check_one_fraction
from rocspace._base.errors import unknown_attribute
from rocspace._base.text import brief
from rocspace._base.words import shown, warn
from rocspace.counts.confusion import Counts, rows_called_positive
from rocspace.counts.table import ScoreTable, of_table, refuse
from rocspace.measures.costs_of_errors import CostsLike, as_costs
from rocspace.measures.criteria import Criterion
from rocspace.measures.entry import as_fraction
from rocspace.measures.facts import CRITERIA
from rocspace.operating.constraints import Constraint, NoThresholdError, Target, check_criterion
from rocspace.operating.search import (
    Question,
    best_rows_of,
    criterion_over,
    fact_of_goal,
    outcomes,
    shown_value,
    within,
)
from rocspace.results.point import OperatingPoint

Goal: TypeAlias = Criterion | Target
"""A criterion for choosing a threshold."""


@explained
def point_at(table: ScoreTable, threshold: float, *, inclusive: bool = True) -> OperatingPoint:
    """Return the operating point of a threshold.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    threshold : float
        Any threshold on the scale of the score; it need not occur.
    inclusive : bool, default True
        Whether a score equal to the threshold is called positive.

    Returns
    -------
    OperatingPoint
        Its counts, and the threshold as given.

    Raises
    ------
    ValueError
        If the threshold is NaN.

    References
    ----------
    Fawcett (2006), section 4.1, on points and their thresholds.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point = point_at(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.5)
    >>> point.tpr, point.fpr
    (0.5, 0.0)
    """
    row = int(rows_called_positive(table, threshold, inclusive=inclusive))
    point = _point(table, row, "fixed threshold")
    return replace(point, threshold=threshold, inclusive=inclusive)


def _point(table: ScoreTable, row: int, criterion: str) -> OperatingPoint:
    """Return the point that calls the first `row` rows positive."""
    outer = np.inf if table.higher_is_positive else -np.inf
    tp, fp = (0, 0) if row == 0 else (table.tp[row - 1].item(), table.fp[row - 1].item())
    return OperatingPoint(
        threshold=outer if row == 0 else table.score[row - 1].item(),
        tp=tp,
        fp=fp,
        fn=max(table.n_pos - tp, 0),
        tn=max(table.n_neg - fp, 0),
        next_score=-outer if row == len(table) else table.score[row].item(),
        n_eff=table.n_eff,
        criterion=criterion,
    )


class _Points(tuple[OperatingPoint, ...]):
    """A tuple that tells whoever reads it as one point to take the first; it pickles as a tuple."""

    __slots__ = ()

    def __getattr__(self, name: str) -> NoReturn:
        hint = ""
        if name in dir(OperatingPoint) or name in OperatingPoint.__dataclass_fields__:
            hint = f", for all thresholds that tie are in it. Say optimal_points(...)[0].{name}"
        msg = f"The tuple of points has no attribute {name!r}{hint}."
        raise unknown_attribute(msg, name, self)

    def __reduce__(self) -> tuple[type[tuple[Any, ...]], tuple[tuple[OperatingPoint, ...]]]:
        return tuple, (tuple(self),)


@of_table
def optimal_points(
    table: ScoreTable,
    *,
    criterion: Goal | Sequence[Goal] = "youden",
    subject_to: Constraint | Sequence[Constraint] = (),
    costs: CostsLike | None = None,
    prevalence: float | None = None,
    observed_only: bool = False,
    smooth: float | None = None,
) -> tuple[OperatingPoint, ...]:
    """Return every threshold that is optimal by a criterion, ties included.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    criterion : str, Target, or a sequence of them, default "youden"
        A name of `rocspace.measures.CRITERIA`, or a measure and the value it should be
        nearest to. In a sequence, each decides between what ties for those before it.
        Rejecting all is a candidate too.
    subject_to : Constraint or sequence of Constraint, optional
        Requirements that the threshold must meet, such as ``Constraint("ppv", ">=", 0.3)``.
    costs : Costs or mapping, optional
        What errors cost, as in ``dict(fp=1, fn=20)``, for the criteria that weigh them: "cost",
        "youden", "closest" and "kappa". Without it, errors weigh the same; "cost" warns of that,
        unless `prevalence` is given.
    prevalence : float, optional
        Share of positives where the threshold will be used; by default that of the data. It
        weighs "youden" and "closest" only together with `costs`; without, a warning says so.
    observed_only : bool, default False
        Whether to leave out the threshold beyond all scores, inf, which rejects all.
    smooth : float, optional
        Degrees of freedom, more than 2, of a cubic smoothing spline through the first criterion
        over the thresholds, each distinct score with the same weight: the thresholds where the
        spline is best are returned. They are the trace of the matrix that makes smoothed values
        of values. Infinite thresholds are no part of the spline.

    Returns
    -------
    tuple of OperatingPoint
        All optimal thresholds, the most conservative first. Their counts are those of the
        data, whatever the prevalence; of a smoothed criterion their ``.criterion`` says the
        degrees of freedom and the smoothed value.

    Raises
    ------
    SingleClassError
        If a class is missing.
    NoThresholdError
        If no threshold meets the constraints, or the criterion is undefined at all that do;
        a `ValueError`.
    ValueError
        If there is no such criterion, or the criterion does not use an option; if `smooth` is
        not above 2 and at most the number of knots, there are fewer than 4 distinct scores to
        smooth over, or the criterion is infinite or undefined at some.

    Notes
    -----
    O(k). Ties of counts are decided by exact fractions, with costs and prevalence as they
    are written (0.1 is one tenth); those of weights, which are sums of rounded numbers, within
    1e-12. A threshold that is optimal on the data that evaluate it looks better than it is:
    see `rocspace.operating.threshold_bootstrap`.

    With costs, "youden" is the weighted index 2 (w tpr + (1 - w) tnr) - 1 and "closest" the
    distance with squares weighted alike, where w / (1 - w) is the cost of all misses over that
    of all false alarms; ``Costs(fn=r)`` and a prevalence are the ``best.weights`` of pROC. The
    generalised Youden index and the weighted kappa of OptimalCutpoints have the ratio of costs
    upside down.

    With `smooth` each of the thresholds counts once, on the scale of the scores. Where these lie
    evenly, as Normal ones do, a few degrees of freedom bring the threshold nearer to the best one
    of the population. Where they are skewed, the spline spends its degrees on the tail and misses
    the maximum: tabulate their logarithms or ranks instead. Few degrees flatten it anyhow; 2 are a
    straight line, whose best threshold is an end. As many as there are distinct scores leave the
    criterion as it is. cutpointr's ``maximize_spline_metric`` has the degrees of freedom that
    ``smooth.spline(spar = 1)`` prints. Of 50 distinct scores or more some are knots, 200 of 3200,
    as in R; O(k) after them.

    References
    ----------
    Wang, Zhu and Xu (2021), equation 34, after Youden (1950), and equation 39, for the distance,
    after Perkins and Schisterman (2006); Fawcett (2006), sections 4 and 6, for accuracy and cost;
    Kraemer (1992), the whole book, for the weighted kappa; Lopez-Raton et al. (2014) and Thiele
    and Hirschfeld (2021), the whole papers, for the other criteria. Reinsch (1967), a paper
    on this alone, for the smoothing spline; Green and Silverman (1994), pages 12 to 27, for its
    equations.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.operating import Constraint
    >>> table = tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> [point.threshold for point in optimal_points(table)]
    [0.8, 0.4]
    >>> most = Constraint("selected", "<=", 2)
    >>> [point.threshold for point in optimal_points(table, criterion="tpr", subject_to=most)]
    [0.8]
    >>> even = tabulate([0, 0, 1, 0, 1, 0, 1, 1], range(8))
    >>> (smooth,) = optimal_points(even, smooth=4)
    >>> smooth.threshold, smooth.criterion
    (4, 'youden, smoothed with 4 degrees of freedom to 0.399877')
    """
    question = question_of(criterion, subject_to, costs, prevalence)
    if costs is None and prevalence is None and "cost" in question.goals:
        warn(
            "No costs were given, so that both errors cost the same. Say what they cost, such as "
            'costs=Costs(fp=1, fn=10); "accuracy" is the criterion for equal costs.'
        )
    _note_prevalence(question)
    question = replace(question, observed_only=observed_only, smooth=smooth)
    rows = best_rows_of(table, question)
    if rows.size == 0:
        raise NoThresholdError(_nothing_found(table, question))
    text = " and ".join(map(str, question.goals))
    weighted = {"youden", "closest", "kappa"} & set(question.goals)
    by_costs = ["weighted by costs"] if costs is not None and weighted else []
    text = ", ".join([text, *by_costs, *map(str, question.limits)])
    if smooth is None:
        return _Points(_point(table, int(i), text) for i in rows)
    value = criterion_over(table, question.goals[0], question)
    return _Points(
        _point(table, int(i), f"{text}, {smoothed_text(smooth, value[i])}") for i in rows
    )


def smoothed_text(smooth: float, value: float) -> str:
    """Say how a criterion was smoothed, and what its smoothed value is."""
    return f"smoothed with {brief(smooth)} degrees of freedom to {brief(value)}"


def _note_prevalence(question: Question) -> None:
    """Warn if a prevalence moves nothing, and would weigh errors together with costs."""
    goals, limits = question.goals, question.limits
    facts = [fact_of_goal(goal) for goal in goals]
    facts += [CRITERIA[limit.measure] for limit in limits if limit.measure != "selected"]
    if any(fact.uses_prevalence for fact in facts) or not any(fact.uses_costs for fact in facts):
        return
    if question.prevalence is not None and question.costs is None:
        warn(
            f"The best threshold by {' and '.join(map(str, goals))} is the same at any "
            "prevalence. Give costs, too, and errors are weighed by both."
        )


def question_of(
    criterion: Goal | Sequence[Goal],
    subject_to: Constraint | Sequence[Constraint],
    costs: CostsLike | None,
    prevalence: float | None,
) -> Question:
    """Check the options of a choice, and return them as one question."""
    given = (criterion,) if isinstance(criterion, str | Target) else tuple(criterion)
    if not given:
        msg = 'criterion is empty. Name at least one, as in criterion="youden".'
        raise ValueError(msg)
    goals = tuple(goal if isinstance(goal, Target) else check_criterion(goal) for goal in given)
    limits = (subject_to,) if isinstance(subject_to, Constraint) else tuple(subject_to)
    if not all(isinstance(limit, Constraint) for limit in limits):
        msg = (
            f"subject_to is {shown(subject_to)}, but must be a Constraint or several. "
            f"Say rocspace.operating.Constraint({_constraint_meant(subject_to)})."
        )
        raise TypeError(msg)
    names = [goal for goal in goals if not isinstance(goal, Target)]
    if costs is not None and not any(CRITERIA[name].uses_costs for name in names):
        weighing = ", ".join(repr(name) for name, fact in CRITERIA.items() if fact.uses_costs)
        msg = f"Costs do not matter to {', '.join(map(str, goals))}. They do to {weighing}."
        raise ValueError(msg)
    if prevalence is not None:
        check_inside("prevalence", prevalence)
        if any(limit.measure == "selected" for limit in limits):
            msg = (
                "How many are selected at another prevalence depends on how many cases there "
                'will be: limit "predicted_positive_rate", the share of them.'
            )
            raise ValueError(msg)
    return Question(
        goals=goals,
        limits=limits,
        costs=None if costs is None else as_costs(costs),
        prevalence=None if prevalence is None else as_fraction(prevalence),
    )


def _constraint_meant(given: Any) -> str:
    """Return the arguments of the constraint that a text or a tuple spells, or of an example."""
    spelled = given if isinstance(given, str) else " ".join(map(str, given))
    found = re.fullmatch(r"\s*(\w+)\s*([<>]=)\s*([\d.]+)\s*", spelled)
    name, sense, limit = found.groups() if found else ("selected", "<=", "500")
    return f'"{name}", "{sense}", {limit}'


def _nothing_found(table: ScoreTable, question: Question) -> str:
    """Explain why no row is left, and how nearly each constraint can be met."""
    four = outcomes(table)
    if all(within(limit, four, question).any() for limit in question.limits):
        limits = " and ".join(map(str, question.limits))
        if len(question.limits) > 1:
            return f"No threshold has {limits} at once, though each alone can be had. Relax one."
        return f"{question.goals[0]} is undefined at every threshold{limits and f' with {limits}'}."
    told = []
    for limit in question.limits:
        if within(limit, four, question).any():
            continue
        value = shown_value(limit.measure, four, question)
        ends = np.nanmax(value) if limit.sense == ">=" else np.nanmin(value)
        most = "largest" if limit.sense == ">=" else "smallest"
        told.append(f"No threshold has {limit}: the {most} is {brief(ends)}.")
    return " ".join(told)


@of_table
def criterion_values(
    table: ScoreTable,
    *,
    criterion: Criterion = "youden",
    costs: CostsLike | None = None,
    prevalence: float | None = None,
    smooth: float | None = None,
) -> Vector:
    """Return a criterion at every threshold, to draw it or to see how flat its optimum is.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    criterion, costs, prevalence, smooth
        As for `optimal_points`.

    Returns
    -------
    ndarray of float64, shape (k + 1,)
        Entry 0 is that of rejecting all, entry i + 1 that of the threshold
        ``table.score[i]``; nan where the criterion is undefined or passed over, and of a
        smoothed one at infinite thresholds.

    Raises
    ------
    SingleClassError, ValueError
        As `optimal_points`.

    References
    ----------
    Those of each criterion.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> criterion_values(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]))
    array([0. , 0.5, 0.5, 0. ])
    """
    question = replace(question_of(criterion, (), costs, prevalence), smooth=smooth)
    return criterion_over(table, question.goals[0], question)


@explained
def criterion_at(
    point: Counts,
    criterion: Criterion = "youden",
    *,
    costs: CostsLike | None = None,
    prevalence: float | None = None,
) -> float:
    """Return a criterion at one operating point, or of any four counts.

    Parameters
    ----------
    point : OperatingPoint, ConfusionMatrix or alike
        Anything with ``tp, fp, fn, tn``; both classes present.
    criterion : str, default "youden"
        A name of `rocspace.measures.CRITERIA` that is read from the four counts.
    costs, prevalence
        As for `optimal_points`.

    Returns
    -------
    float
        As `criterion_values` has it at that threshold; nan where it is undefined.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        As `optimal_points`, or if the criterion asks for the scores.

    References
    ----------
    Those of each criterion.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point = point_at(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.8)
    >>> criterion_at(point), criterion_at(point, "cost", costs=dict(fp=1, fn=10))
    (0.5, 2.5)
    """
    question = question_of(criterion, (), costs, prevalence)
    name = str(question.goals[0])
    fact = CRITERIA[name]
    if not fact.rank_based:
        msg = (
            f"{name} compares the scores of cases. Ask criterion_values(table, criterion={name!r})."
        )
        raise ValueError(msg)
    n_pos, n_neg = float(point.tp + point.fn), float(point.fp + point.tn)
    if not (n_pos > 0 and n_neg > 0):
        refuse("criterion_at", n_pos, n_neg)
    four = tuple(np.array([x]) for x in (point.tp, point.fp, point.fn, point.tn))
    return float(shown_value(name, (four[0], four[1], four[2], four[3]), question)[0])


@of_table
def point_at_fpr(table: ScoreTable, max_fpr: float) -> OperatingPoint:
    """Return the threshold of largest true positive rate with an fpr of at most `max_fpr`.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    max_fpr : float
        In [0, 1].

    Returns
    -------
    OperatingPoint
        The point of largest tpr that meets the requirement, the most conservative if several
        do; rejecting all always does.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `max_fpr` is outside [0, 1].

    References
    ----------
    No source: the criterion of Neyman and Pearson, on the points of a sample.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point_at_fpr(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.1).threshold
    0.8
    """
    wanted = check_one_fraction("max_fpr", max_fpr)
    allowed = int(np.searchsorted(table.fp / table.n_neg, wanted, "right"))
    # Rows without positives add only false positives: step back to the last row with some.
    reached = table.tp_from_zero
    row = int(np.searchsorted(reached, reached[allowed], "left"))
    return _point(table, row, f"fpr <= {wanted:g}")


@of_table
def point_at_tpr(table: ScoreTable, min_tpr: float) -> OperatingPoint:
    """Return the most conservative threshold whose true positive rate is at least `min_tpr`.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    min_tpr : float
        In [0, 1].

    Returns
    -------
    OperatingPoint
        The point of smallest fpr that meets the requirement; accepting all always does.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `min_tpr` is outside [0, 1].

    References
    ----------
    No source: the criterion of Neyman and Pearson with the classes exchanged, on the points of a
    sample.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> point_at_tpr(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]), 0.9).threshold
    0.4
    """
    wanted = check_one_fraction("min_tpr", min_tpr)
    rates: Array = np.concatenate([[0.0], table.tp / table.n_pos])
    return _point(table, int(np.searchsorted(rates, wanted, "left")), f"tpr >= {wanted:g}")
