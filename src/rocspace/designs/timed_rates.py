"""Rates, predictive values and net benefit of a threshold at a given time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Mask
from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, Card, level_of, said
from rocspace._base.checks import check_inside
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import Result
from rocspace._base.text import general, share
from rocspace._base.words import shown
from rocspace.designs.over_time import Influence, OverTime, effective_cases
from rocspace.designs.survival import Controls, State, over_time, states_at
from rocspace.designs.survival_cases import SurvivalScores
from rocspace.inference.area import WeightType
from rocspace.results.estimates import AreaEstimate

_TITLES = {
    "tpr": "True positive rate",
    "fpr": "False positive rate",
    "ppv": "Risk above (PPV)",
    "npv": "Freedom below (NPV)",
    "risk": "Risk of all",
    "called": "Share called",
}


class TimedRates(Result):
    """What a threshold does at one time.

    Attributes
    ----------
    at : float
        The time t.
    threshold : float
        Cases whose score reaches it are called positive.
    name : str
        The score.
    tpr, fpr : Estimate
        Share of those with the event by t, and of the controls, that are called.
    ppv : Estimate or None
        Share of those called who have the event by t; None where nobody is called.
    npv : Estimate or None
        Share of those not called who are controls at t; None where everybody is called.
    risk : Estimate
        Share of all who have the event by t.
    called : Estimate
        Share of all who are called.

    See Also
    --------
    rates_at_time
    """

    at: float
    threshold: float
    name: str
    tpr: AreaEstimate
    fpr: AreaEstimate
    ppv: AreaEstimate | None
    npv: AreaEstimate | None
    risk: AreaEstimate
    called: AreaEstimate

    def _about(self) -> str:
        return (
            f"{self.name} at {general(self.at)}, threshold {general(self.threshold)}: "
            f"tpr {share(self.tpr.value)}, fpr {share(self.fpr.value)}"
        )

    def _found(self) -> dict[str, AreaEstimate]:
        both = ((name, getattr(self, name)) for name in _TITLES)
        return {name: estimate for name, estimate in both if estimate is not None}

    def _card(self) -> Card:
        rows = {"Score": self.name, "Time": general(self.at), "Threshold": general(self.threshold)}
        table = [
            (_TITLES[name], said(each).value, said(each).interval)
            for name, each in self._found().items()
        ]
        return Card(rows=rows, header=("", "estimate", f"{level_of()} interval"), table=table)

    def _columns(self) -> dict[str, Any]:
        found = self._found()
        low, high = zip(*(each.interval(LEVEL) for each in found.values()), strict=True)
        return {
            "quantity": list(found),
            "value": [each.value for each in found.values()],
            "se": [each.se for each in found.values()],
            "low": list(low),
            "high": list(high),
        }


@explained
def rates_at_time(
    data: SurvivalScores,
    at: float,
    threshold: float,
    name: str | None = None,
    *,
    controls: Controls = "not-failed",
    uncensored: ArrayLike | None = None,
    weight_type: WeightType = "importance",
) -> TimedRates:
    """Return rates and predictive values of a threshold at a time.

    Parameters
    ----------
    data : SurvivalScores
        Times, what ended them, and scores.
    at : float
        The time t.
    threshold : float
        Cases whose score reaches it are called positive. Where smaller values of the score mean an
        earlier event, these are the cases with this score or a smaller one.
    name : str, optional
        The score; not needed where there is only one.
    controls, uncensored, weight_type
        As for `auc_over_time`.

    Returns
    -------
    TimedRates
        Each an `Estimate`.

    Raises
    ------
    SingleClassError, ValueError, TypeError
        As `survival_table`; also if the threshold is not a number.

    Notes
    -----
    Each rate is a ratio of sums of weights; its influence value is n times its derivative with
    respect to the weight of the case. All cases whose state at t is known count in `ppv`, `npv`,
    `risk` and `called`, also those with a competing event. With ``controls="event-free"`` npv is
    the share without any event. The threshold counts as fixed beforehand. O(n log n).

    The default interval moderates the variance by that of a proportion of the effective number of
    cases, (sum w)^2 / sum w^2, where that is larger: with few heavy cases, all of one kind, the
    influence values hardly vary.

    Where a rate is 0 or 1, its interval is Hoeffding's ("hoeffding" of `Estimate.interval`). Its
    number of cases is the total weight divided by the weight of the heaviest case that could have
    been seen: a called case that stays free of the event for long weighs much, and often the sample
    has none.

    References
    ----------
    Uno et al. (2007), a paper on this alone; Blanche, Dartigues and Jacqmin-Gadda (2013), a paper
    on this alone.

    Examples
    --------
    >>> from rocspace.designs import rates_at_time, survival_scores
    >>> time, status = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 0, 1, 0, 1, 0, 0]
    >>> data = survival_scores(time, status, [7, 4, 6, 8, 1, 5, 2, 3])
    >>> found = rates_at_time(data, at=4, threshold=5)
    >>> round(found.tpr.value, 3), round(found.fpr.value, 3), round(found.ppv.value, 3)
    (0.688, 0.25, 0.647)
    """
    state = states_at("rates_at_time", data, np.ravel(at), controls, uncensored)[0]
    one = data.name_of(name)
    called = _called(data, one, threshold)
    everyone = np.ones(len(data), dtype=bool)

    def estimate(part: Mask, whole: Mask, like: Mask) -> AreaEstimate | None:
        found = _share(state, part & whole, whole, like, weight_type)
        return None if found is None else found.estimate(data, weight_type, "influence function")

    rates = {
        "tpr": estimate(called, state.case, state.case),
        "fpr": estimate(called, state.control, state.control),
        "ppv": estimate(state.case, called, everyone),
        "npv": estimate(state.control, ~called, everyone),
        "risk": estimate(state.case, everyone, everyone),
        "called": estimate(called, everyone, everyone),
    }
    return TimedRates(at=state.at, threshold=float(threshold), name=one, **rates)  # type: ignore[arg-type]


def _called(data: SurvivalScores, name: str, threshold: float) -> Mask:
    """Return which cases are called positive."""
    if np.ndim(threshold) != 0 or not isinstance(threshold, int | float | np.number):
        why = f" is {shown(threshold)}, but must be one number."
        raise ArgumentError(Argument("threshold"), why)
    if threshold != threshold:
        raise ArgumentError(Argument("threshold"), " is nan, but must be a number.")
    score = data.column(name)
    return np.asarray(score >= threshold if data.rises(name) else score <= threshold)


def _share(
    state: State, part: Mask, whole: Mask, like: Mask, weight_type: WeightType
) -> Influence | None:
    """Return the share of some cases among others, by weight; None where there are none.

    A case that was not seen may weigh as much as the heaviest case of those `like` it.
    """
    weight = state.seen.weight
    total = float(weight[whole].sum())
    if not total > 0:
        return None
    share = float(weight[part].sum()) / total
    n = float(state.seen.data.case_weight.sum())
    effective = effective_cases(weight, whole, state.seen.data, weight_type)
    each = weight if weight_type == "importance" else state.seen.factor
    return Influence(
        value=share,
        model_se=float(np.sqrt(max(share * (1 - share), 0.0) / effective)),
        influence=n * state.seen.derivative((part - share * whole) / total),
        n_pairs=total / float(each[like].max()),
        case=state.case,
        sizes=_sizes(state, whole, weight_type),
    )


def _sizes(state: State, whole: Mask, weight_type: WeightType) -> tuple[float, float]:
    """Return the effective numbers of those with the event, and of the others, among some."""
    seen = state.seen
    both = whole & state.case, whole & ~state.case
    one, two = (effective_cases(seen.weight, each, seen.data, weight_type) for each in both)
    return one or np.inf, two or np.inf


@explained
def net_benefit_over_time(
    data: SurvivalScores,
    at: float | Sequence[float],
    risk: float,
    name: str | None = None,
    *,
    threshold: float | None = None,
    uncensored: ArrayLike | None = None,
    weight_type: WeightType = "importance",
) -> OverTime:
    """Net benefit of treating those whose predicted risk of the event by a time is high.

    Parameters
    ----------
    data : SurvivalScores
        Times, what ended them, and scores.
    at : float or sequence of float
        The times, the earliest first.
    risk : float
        Risk from which treatment is worth while, strictly between 0 and 1; one false positive then
        costs ``risk / (1 - risk)`` true positives.
    name : str, optional
        The score; not needed where there is only one.
    threshold : float, optional
        Score from which cases are treated; by default `risk`, for scores that are predicted risks.
    uncensored, weight_type
        As for `auc_over_time`.

    Returns
    -------
    OverTime
        An `Estimate` for each time, at most 1; 0 is the net benefit of treating nobody.

    Raises
    ------
    SingleClassError, ValueError, TypeError
        As `survival_table`; also if the risk is not between 0 and 1.

    Notes
    -----
    Share of all who are called and have the event by t, minus ``risk / (1 - risk)`` times the share
    who are called and have not. Cases with a competing event are among the latter. O(n log n).

    At a high risk a false positive costs many true ones, and a sample often has none, or no event
    among the few who are called. The interval is "unseen" of `Estimate.interval`, our own: half a
    case is added with the largest cost, or with the largest gain, and weighs as much as the
    heaviest case. Measured at level .95 (five scores, 60 and 200 cases, times .5 to 7, 36
    situations; docs, "Measured coverage"): it covers in 95.0 percent of samples or more;
    ``scale="moderated"``, the former default, in 14 to 99.

    References
    ----------
    Vickers et al. (2008), a paper on this alone, for decision curves of censored data;
    Learned-Miller and Thomas (2019), a paper on this alone, after Gaffke (2005), for the bound on
    means.

    Examples
    --------
    >>> from rocspace.designs import net_benefit_over_time, survival_scores
    >>> time, status = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 0, 1, 0, 1, 0, 0]
    >>> data = survival_scores(time, status, [.7, .4, .6, .8, .1, .5, .2, .3])
    >>> float(net_benefit_over_time(data, at=4, risk=0.2).value[0].round(4))
    0.2875
    """
    odds = check_inside("risk", risk)
    odds = odds / (1 - odds)
    states = states_at("net_benefit_over_time", data, at, "not-failed", uncensored)
    one = data.name_of(name)
    called = _called(data, one, risk if threshold is None else threshold)
    parts = [_benefit(state, called, odds, weight_type) for state in states]
    return over_time(f"Net benefit at risk {risk:g}", (one,), states, parts, weight_type)


def _benefit(state: State, called: Mask, odds: float, weight_type: WeightType) -> Influence:
    """Return the net benefit, a mean over all cases whose state is known.

    A case that was not seen may weigh as much as the heaviest one.
    """
    weight, data = state.seen.weight, state.seen.data
    total, n = float(weight.sum()), float(data.case_weight.sum())
    everyone = np.ones(weight.size, dtype=bool)
    effective = effective_cases(weight, everyone, data, weight_type)
    each = weight if weight_type == "importance" else state.seen.factor
    gain = np.where(called, np.where(state.case, 1.0, np.where(state.control, -odds, 0.0)), 0.0)
    known = (state.case | state.control).astype(np.float64)
    value = float(weight @ gain) / total
    return Influence(
        value=value,
        influence=n * state.seen.derivative((gain - value * known) / total),
        n_pairs=effective,
        range=(-odds, 1.0),
        case=state.case,
        sizes=_sizes(state, everyone, weight_type),
        unseen=effective * float(each.max()) / total,
    )
