"""Bounds of Boolean combinations, chains of rules, and selections evaluated on held-out cases.

The bounds need only the rates of the parts. A selection that was made on some cases is frozen, and
evaluated on others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Literal

import numpy as np

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_fraction, check_level, check_not_negative
from rocspace._base.frozen import Result
from rocspace.combine.boolean import boolean_search
from rocspace.combine.mixtures import Mixture, RulePath, at_budget, mixture_at, rule_path
from rocspace.combine.rules import BooleanRule, Constant, rule_counts
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.counts.paired import PairedScores
from rocspace.counts.weights import effective_size
from rocspace.inference.components import need_cases
from rocspace.inference.rates import point_interval
from rocspace.measures.costs_of_errors import CostsLike, as_costs
from rocspace.results.interval import Interval
from rocspace.results.point import OperatingPoint


class CombinedRate(Result):
    """Bounds of a rate of a Boolean combination, given the rates of its parts.

    Attributes
    ----------
    low, high : float
        Sharp bounds, whatever the dependence.
    independent : float
        Its value if the parts decide independently within the class.
    stated_low : float
        The looser lower bound of Fawcett's notes: for a conjunction, 0.

    See Also
    --------
    combine_rates
    """

    low: float
    high: float
    independent: float
    stated_low: float


@explained
def combine_rates(rates: Sequence[float], operator: Literal["and", "or"]) -> CombinedRate:
    """Bound a rate of a conjunction or disjunction: fpr and tpr alike.

    Parameters
    ----------
    rates : sequence of float
        The rate of each part, in [0, 1].
    operator : {"and", "or"}
        Whether all parts must call a case positive, or one is enough.

    Returns
    -------
    CombinedRate
        Bounds of Frechet, and the value for independent parts. Negation turns a rate r into
        1 - r.

    Raises
    ------
    ValueError
        If there are no rates, one is outside [0, 1], or the operator is unknown.

    References
    ----------
    Fawcett (2004), on combining classifiers, no numbered equation; Frechet (1935), the whole
    paper, for the sharp bounds.

    Examples
    --------
    >>> combine_rates([0.5, 0.75], "and")
    CombinedRate(low=0.25, high=0.5, independent=0.375, stated_low=0.0)
    """
    r = check_fraction("rates", rates).tolist()
    if not r:
        msg = "rates is empty. Give the rate of each rule, as in [0.5, 0.75]."
        raise ValueError(msg)
    if operator == "and":
        return CombinedRate(
            low=max(0.0, sum(r) - (len(r) - 1)), high=min(r), independent=prod(r), stated_low=0.0
        )
    return CombinedRate(
        low=max(r), high=min(1.0, sum(r)), independent=1 - prod(1 - x for x in r), stated_low=max(r)
    )


# --- chains -------------------------------------------------------------------------------------


class Chain(Result):
    """Rules applied in turn, the most conservative first, until one calls the case positive.

    Attributes
    ----------
    rule : BooleanRule
        The chain as one rule: the disjunction of its links; "never" without any.
    n_rules : int
        How many links there are.
    nested : tuple of float
        Its point (fpr, tpr) if each link calls positive whatever the one before does: that of
        the last link.
    independent : tuple of float
        Its point if links decide independently within the classes, which long chains
        do not: later links see only what earlier ones rejected.
    actual : ConfusionMatrix or None
        Its decisions on the given cases.

    See Also
    --------
    chain_rules
    """

    rule: BooleanRule | Constant
    n_rules: int
    nested: tuple[float, float]
    independent: tuple[float, float]
    actual: ConfusionMatrix | None = None

    def _columns(self) -> dict[str, Any]:
        both = {"nested": self.nested, "independent": self.independent}
        rates = {f"{name}_fpr": [at[0]] for name, at in both.items()}
        rates |= {f"{name}_tpr": [at[1]] for name, at in both.items()}
        return {"rule": [str(self.rule)], "n_rules": [self.n_rules], **rates}


@explained
def chain_rules(path: RulePath, *, slope: float, data: PairedScores | None = None) -> Chain:
    """Chain the rules along a hull, as far as the costs allow.

    Parameters
    ----------
    path : RulePath
        Rules along a convex hull.
    slope : float
        In [0, inf]: a rule joins as long as the edge that leads to it is at least as steep;
        see `rocspace.operating.Costs.iso_performance_slope`.
    data : PairedScores, optional
        Cases to count the chain on.

    Returns
    -------
    Chain
        The disjunction of the rules. "never" is left out.

    Raises
    ------
    ValueError
        If the slope is negative or NaN.

    Notes
    -----
    O(n m) with data. Thresholds of one score are nested: their chain is its last link.

    References
    ----------
    Fawcett (2004), on chaining classifiers, no numbered equation.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> chain = chain_rules(rule_path({"a": tabulate([0, 1, 0, 1], [1, 2, 3, 4])}), slope=0.5)
    >>> str(chain.rule), chain.nested
    ('(a >= 4) or (a >= 2)', (0.5, 1.0))
    """
    check_not_negative("slope", slope)
    reached = [bool(s >= slope) for s in path.slopes]
    last = reached.index(False) if False in reached else len(reached)
    never = Constant(False)
    links = [i for i in range(last + 1) if path.rules[i] != never]
    if not links:
        return Chain(rule=never, n_rules=0, nested=(0.0, 0.0), independent=(0.0, 0.0))
    rule = BooleanRule("or", tuple(path.rules[i] for i in links))
    rates = (path.fpr[links].tolist(), path.tpr[links].tolist())
    fpr, tpr = (combine_rates(each, "or").independent for each in rates)
    return Chain(
        rule=rule,
        n_rules=len(links),
        nested=(rates[0][-1], rates[1][-1]),
        independent=(fpr, tpr),
        actual=None if data is None else rule_counts(data, rule),
    )


# --- selections ---------------------------------------------------------------------------------


class Evaluation(Result):
    """Performance of a selection on cases that had no part in it.

    Attributes
    ----------
    point : OperatingPoint
        Counts, averaged over the random draws of the mixture; without a threshold.
    fpr, tpr, ppv, npv : Interval
        Confidence intervals.
    selected : float
        How many cases are expected to be called positive.
    expected : tuple of float
        The point (fpr, tpr) of the selection on the choosing cases.
    optimism : float
        How far the tpr lies below that of the hull of the choosing cases, at the same fpr.

    See Also
    --------
    Selection.evaluate
    """

    point: OperatingPoint
    fpr: Interval
    tpr: Interval
    ppv: Interval
    npv: Interval
    selected: float
    expected: tuple[float, float]
    optimism: float

    def _columns(self) -> dict[str, Any]:
        """Return observed and expected values side by side, with the intervals."""
        expected = {"expected_fpr": [self.expected[0]], "expected_tpr": [self.expected[1]]}
        seen = {"seen_fpr": [self.point.fpr], "seen_tpr": [self.point.tpr]}
        return seen | expected | super()._columns()


class Selection(Result):
    """A rule or mixture that was chosen, bound to its thresholds and its share.

    Attributes
    ----------
    mixture : Mixture
        What to deploy: ``selection.mixture.decide(scores, ids=...)``.
    path : RulePath
        The hull of the choosing cases.
    criterion : str
        The criterion it was chosen by.

    See Also
    --------
    select_rule
    """

    mixture: Mixture
    path: RulePath
    criterion: str

    def _columns(self) -> dict[str, Any]:
        return {"criterion": [self.criterion], **self.mixture._columns()}

    def _about(self) -> str:
        return f"by {self.criterion}: fpr {words.share(self.mixture.fpr)}, {self._rules}"

    def _card(self) -> Card:
        rates = {name: words.share(getattr(self.mixture, name)) for name in ("fpr", "tpr")}
        return Card(rows={"Chosen by": self.criterion, "Rule": self._rules, **rates})

    @property
    def _rules(self) -> str:
        low, high, often = str(self.mixture.low), str(self.mixture.high), self.mixture.share
        if often in (0, 1):
            return high if often else low
        return f"{high} with probability {words.share(often)}, else {low}"

    def evaluate(self, test: PairedScores, *, level: float = 0.95) -> Evaluation:
        """Evaluate the frozen selection on held-out cases; the selection does not change.

        Parameters
        ----------
        test : PairedScores
            Cases that had no part in fitting or choosing, with the same scores.
        level : float, default 0.95
            Confidence level of the intervals, strictly between 0 and 1.

        Returns
        -------
        Evaluation
            Averages over the random draws. The intervals are exact ones of proportions, and
            valid for any single draw, too.

        Raises
        ------
        ValueError
            If a score is not there, or the level is out of range.
        """
        check_level(level)
        point = self._point(test)
        path = self.path
        reached = np.clip(np.nan_to_num(point.fpr), path.fpr[0], path.fpr[-1])
        rates: Any = ("fpr", "tpr", "ppv", "npv")
        intervals: Any = {rate: point_interval(point, rate, level=level) for rate in rates}
        return Evaluation(
            point=point,
            **intervals,
            selected=float(point.tp + point.fp),
            expected=(self.mixture.fpr, self.mixture.tpr),
            optimism=mixture_at(path, fpr=float(reached)).tpr - point.tpr,
        )

    def _point(self, test: PairedScores) -> OperatingPoint:
        chance, label = self.mixture.chances(test), test.label
        weight = test.case_weight
        sums = [float((weight * chance)[side].sum()) for side in (label, ~label)]
        whole = [float(weight[side].sum()) for side in (label, ~label)]
        return OperatingPoint(
            threshold=float("nan"),
            tp=sums[0],
            fp=sums[1],
            fn=max(whole[0] - sums[0], 0.0),
            tn=max(whole[1] - sums[1], 0.0),
            next_score=float("nan"),
            n_eff=(effective_size(weight[label]), effective_size(weight[~label])),
            criterion=self.criterion,
        )


@explained
def select_rule(
    data: PairedScores,
    *,
    costs: CostsLike | None = None,
    prevalence: float | None = None,
    fpr: float | None = None,
    tpr: float | None = None,
    selected: float | None = None,
    boolean: bool = False,
) -> Selection:
    """Choose a rule or mixture on validation cases, to be evaluated on others.

    Parameters
    ----------
    data : PairedScores
        Cases that the classifiers were not fitted to, both classes present.
    costs : Costs or mapping, optional
        Choose the vertex of the hull that costs least.
    prevalence : float, optional
        Share of positives where the rule will be used, for `costs` and `selected`; by
        default that of the data.
    fpr, tpr : float, optional
        Choose the mixture on the hull with this rate.
    selected : float, optional
        Choose the mixture that calls this share of the cases positive.
    boolean : bool, default False
        Whether Boolean combinations of the scores take part (`rocspace.combine`).

    Returns
    -------
    Selection
        Frozen; ``selection.evaluate(test)`` estimates its rates on other cases.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If not exactly one of costs, fpr, tpr and selected is given, or it cannot be reached.

    Notes
    -----
    Three sets of cases are needed: to fit the classifiers, to choose here, and to evaluate.

    References
    ----------
    Fawcett (2004), on validation, no numbered equation; Fawcett (2006), section 6, after Provost
    and Fawcett (2001).

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> data = pair_scores([0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 4, 2, 3]})
    >>> chosen = select_rule(data, fpr=0.25)
    >>> chosen.evaluate(data).point.tpr
    1.0
    """
    asked = {"costs": costs, "fpr": fpr, "tpr": tpr, "selected": selected}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) != 1:
        msg = (
            f"Choose by one of costs, fpr, tpr and selected; here are {', '.join(given) or 'none'}."
        )
        raise ValueError(msg)
    need_cases("select_rule", data)
    weight = data.case_weight
    share = float(weight[data.label].sum() / weight.sum()) if prevalence is None else prevalence
    check_fraction("prevalence", share)
    if boolean:
        path = boolean_search(data).path
    else:
        path = rule_path({name: data.table(name) for name in data.names})
    if costs is not None:
        mixture = path.mixture(path.optimal(as_costs(costs).iso_performance_slope(share)))
        text = f"{as_costs(costs)!r} at prevalence {words.brief(share)}"
    elif selected is not None:
        mixture = at_budget(path, selected=selected, n_pos=share, n_neg=1 - share)
        text = f"selected = {selected:g}"
    else:
        mixture = mixture_at(path, fpr=fpr, tpr=tpr)
        text = f"{given[0]} = {asked[given[0]]:g}"
    return Selection(mixture=mixture, path=path, criterion=text)
