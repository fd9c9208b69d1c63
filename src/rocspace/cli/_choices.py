"""What to deploy, chosen for the command line: the choice, its description, its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocspace.cli._console import count, interval, number, printable, share, table_text
from rocspace.combine.mixtures import Mixture, at_budget, mixture_at, rule_path
from rocspace.combine.rules import BooleanRule, Constant, NotRule, Rule, ThresholdRule
from rocspace.counts.table import ScoreTable
from rocspace.inference.rates import point_interval, predictive_value_interval
from rocspace.measures.criteria import CRITERIA, Criterion
from rocspace.operating.constraints import Constraint
from rocspace.operating.optimism import cost_interval
from rocspace.operating.points import Costs, criterion_values, optimal_points, point_at
from rocspace.report import words
from rocspace.report.plain import plain, plain_interval
from rocspace.results.estimates import Interval, OperatingPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a choice is for.

    `by` is "costs", "max_selected", "min_tpr", "max_fpr" or "criterion", `value` what was said
    of it; `cases` are so many as there will be.
    """

    by: str
    value: Any
    costs: Costs
    cases: float
    prevalence: float | None
    lots: bool


# --- choosing -----------------------------------------------------------------------------------


def chosen(tables: Mapping[str, ScoreTable], wanted: Wanted) -> Mixture:
    """Return the best rule or mixture of all scores."""
    if wanted.by == "criterion" or not wanted.lots:
        return _best_threshold(tables, wanted)
    path = rule_path(tables)
    first = next(iter(tables.values()))
    pi = first.prevalence if wanted.prevalence is None else wanted.prevalence
    if wanted.by == "costs":
        return path.mixture(path.optimal(wanted.costs.slope(pi)))
    if wanted.by == "max_selected":
        room = min(float(wanted.value), wanted.cases)
        n_pos = wanted.cases * pi
        return at_budget(path, selected=room, n_pos=n_pos, n_neg=wanted.cases - n_pos)
    name = "tpr" if wanted.by == "min_tpr" else "fpr"
    return mixture_at(path, **{name: float(wanted.value)})  # type: ignore[arg-type]


def _best_threshold(tables: Mapping[str, ScoreTable], wanted: Wanted) -> Mixture:
    """Try the thresholds of each score, and compare the best ones."""
    goals, limits = _question(wanted)
    costs = wanted.costs if CRITERIA[goals[0]].uses_costs else None
    best: tuple[tuple[float, ...], Mixture] | None = None
    failure: ValueError | None = None
    for name, table in tables.items():
        options = {"costs": costs, "prevalence": wanted.prevalence}
        try:
            point = optimal_points(table, criterion=goals, subject_to=limits, **options)[0]  # type: ignore[arg-type]
        except ValueError as error:
            failure = failure or error
            continue
        worth = tuple(_worth(table, point, goal, options) for goal in goals)
        if best is None or worth > best[0]:
            best = worth, _alone(name, table, point)
    if best is None:
        assert failure is not None
        raise failure
    return best[1]


def _question(wanted: Wanted) -> tuple[tuple[Criterion, ...], tuple[Constraint, ...]]:
    if wanted.by == "criterion":
        return (wanted.value,), ()
    if wanted.by == "costs":
        return ("cost",), ()
    if wanted.by == "max_selected":
        share_of = min(wanted.value / wanted.cases, 1.0)
        limit = Constraint("predicted_positive_rate", "<=", share_of)
        return ("tpr", "fpr"), (limit,)
    if wanted.by == "min_tpr":
        return ("fpr", "tpr"), (Constraint("tpr", ">=", wanted.value),)
    return ("tpr", "fpr"), (Constraint("fpr", "<=", wanted.value),)


def _worth(
    table: ScoreTable, point: OperatingPoint, goal: Criterion, options: Mapping[str, Any]
) -> float:
    uses = CRITERIA[goal].uses_costs
    values = criterion_values(
        table,
        criterion=goal,
        costs=options["costs"] if uses else None,
        prevalence=options["prevalence"],
    )
    row = int(np.searchsorted(table.tp + table.fp, point.tp + point.fp, "left")) + 1
    value = float(values[row if point.tp + point.fp else 0])
    return value if CRITERIA[goal].better == "higher" else -value


def _alone(name: str, table: ScoreTable, point: OperatingPoint) -> Mixture:
    rule: Rule = Constant(False)
    if point.tp + point.fp:
        rule = ThresholdRule(name, point.threshold, table.higher_is_positive)
    return Mixture(low=rule, high=rule, share=0.0, fpr=point.fpr, tpr=point.tpr)


# --- describing ---------------------------------------------------------------------------------


def described_choice(
    tables: Mapping[str, ScoreTable], mixture: Mixture, wanted: Wanted, level: float
) -> dict[str, Any]:
    """Describe a choice and what to expect of it, in plain JSON types."""
    table = tables[min(mixture.names)] if mixture.names else next(iter(tables.values()))
    point = _expected_point(table, mixture)
    pi = table.prevalence if wanted.prevalence is None else wanted.prevalence
    expected = mixture.expected(n_pos=wanted.cases * pi, n_neg=wanted.cases * (1 - pi))
    cells = {name: _snapped(getattr(expected, name)) for name in ("tp", "fp", "fn", "tn")}
    rates = {
        name: _with(value, ends)
        for name, value, ends in _rates(point, wanted.prevalence, pi, level)
    }
    described: dict[str, Any] = {
        "rule": {
            "text": _rule_text(mixture, tables),
            "low": plain_rule(mixture.low),
            "high": plain_rule(mixture.high),
            "share_of_high": mixture.share,
        },
        "expected": {
            "cases": wanted.cases,
            "prevalence": pi,
            "selected": _snapped(cells["tp"] + cells["fp"]),
            **cells,
        },
        "rates": rates,
    }
    if wanted.by == "costs":
        ends = cost_interval(point, wanted.costs, prevalence=wanted.prevalence, level=level)
        value = wanted.costs.expected(point, prevalence=wanted.prevalence)
        described["cost_per_case"] = _with(float(value), ends)
    return described


def _snapped(value: float) -> float:
    """Return a whole number where only rounding keeps it from being one."""
    return round(value) if abs(value - round(value)) <= 1e-9 * max(1.0, value) else float(value)


def _expected_point(table: ScoreTable, mixture: Mixture) -> OperatingPoint:
    c = mixture.expected(n_pos=table.n_pos, n_neg=table.n_neg)
    return OperatingPoint(
        threshold=float("nan"),
        tp=c.tp,
        fp=c.fp,
        fn=c.fn,
        tn=c.tn,
        next_score=float("nan"),
        n_eff=table.n_eff,
    )


def _rates(
    point: OperatingPoint, prevalence: float | None, pi: float, level: float
) -> list[tuple[str, float, Interval]]:
    tpr, fpr = point.tpr, point.fpr
    called = pi * tpr + (1 - pi) * fpr
    values = {
        "tpr": tpr,
        "fpr": fpr,
        "ppv": pi * tpr / called if called else float("nan"),
        "npv": (1 - pi) * (1 - fpr) / (1 - called) if called < 1 else float("nan"),
    }
    found = []
    for name, value in values.items():
        if prevalence is not None and name in ("ppv", "npv"):
            ends = predictive_value_interval(point, name, prevalence=pi, level=level)  # type: ignore[arg-type]
        else:
            ends = point_interval(point, name, level=level)  # type: ignore[arg-type]
        found.append((name, value, ends))
    return found


def _with(value: float, ends: Interval) -> dict[str, Any]:
    return {"value": plain(value), **plain_interval(ends)}


def plain_rule(rule: Rule) -> Any:
    """Give a rule in plain JSON types."""
    if isinstance(rule, Constant):
        return str(rule)
    if isinstance(rule, NotRule):
        return {"not": plain_rule(rule.rule)}
    if isinstance(rule, BooleanRule):
        return {rule.operator: [plain_rule(each) for each in rule.rules]}
    return {
        "score": rule.name,
        "threshold": plain(rule.threshold),
        "direction": "higher" if rule.higher_is_positive else "lower",
    }


def _rule_text(mixture: Mixture, tables: Mapping[str, ScoreTable]) -> str:
    high, low = (short_rule(rule, tables) for rule in (mixture.high, mixture.low))
    if mixture.share in (0, 1):
        return str(high if mixture.share == 1 else low)
    return (
        f"by lot: {high} with chance {mixture.share:.6g}, {low} with chance {1 - mixture.share:.6g}"
    )


def short_rule(rule: Rule, tables: Mapping[str, ScoreTable]) -> Rule:
    """Return a rule with the shortest thresholds that make the same decisions."""
    if isinstance(rule, NotRule):
        return NotRule(short_rule(rule.rule, tables))
    if isinstance(rule, BooleanRule):
        return replace(rule, rules=tuple(short_rule(each, tables) for each in rule.rules))
    if isinstance(rule, Constant) or not np.isfinite(rule.threshold):
        return rule
    point = point_at(tables[rule.name], rule.threshold)
    return replace(rule, threshold=short_threshold(rule.threshold, point.next_score))


def short_threshold(threshold: Any, next_score: Any) -> Any:
    """Return a threshold as the report shows it, as a number."""
    at = plain(threshold)
    if not isinstance(at, float):
        return at
    return float(words.threshold(at, plain(next_score)).replace(words.MINUS, "-"))


# --- text ---------------------------------------------------------------------------------------

_NAMES = {
    "tpr": "tpr  sensitivity, recall",
    "fpr": "fpr  false alarm rate",
    "ppv": "ppv  precision",
    "npv": "npv",
}


def choice_text(described: Mapping[str, Any]) -> str:
    """Lay out a choice: the rule, what to expect of it, and how sure that is."""
    source, expected = described["source"], described["expected"]
    level = f"{100 * described['settings']['level']:g} % interval"
    n_pos = expected["tp"] + expected["fn"]
    positive = printable(f"{source['label']} = {source['positive']}")
    matrix = table_text(
        (f"of {count(expected['cases'])} cases", "called positive", "called negative", "all"),
        [
            (positive, *(_rounded(expected[x]) for x in ("tp", "fn")), _rounded(n_pos)),
            (
                "all others",
                *(_rounded(expected[x]) for x in ("fp", "tn")),
                _rounded(expected["cases"] - n_pos),
            ),
            (
                "all",
                _rounded(expected["selected"]),
                _rounded(expected["cases"] - expected["selected"]),
                count(expected["cases"]),
            ),
        ],
    )
    rows = [
        (_NAMES[name], share(rate["value"]), interval(rate["low"], rate["high"]))
        for name, rate in described["rates"].items()
    ]
    if "cost_per_case" in described:
        cost = described["cost_per_case"]
        rows.append(
            ("cost per case", number(cost["value"]), interval(cost["low"], cost["high"], number))
        )
    lots = "" if described["rule"]["share_of_high"] in (0, 1) else _LOTS
    return (
        f"{printable(described['rule']['text'])}\n\n{matrix}\n"
        f"{table_text(('expected', 'value', level), rows)}\n{lots}{_CAUTION}"
    )


def _rounded(value: float) -> str:
    value = _snapped(value)
    return f"{value:,.1f}" if isinstance(value, float) else count(value)


_LOTS = (
    "Draw the lots from the cases' ids, and the same case gets the same answer every time:\n"
    "rocspace.combine.Mixture.predict(scores, ids=ids).\n"
)
_CAUTION = (
    "It was chosen on these cases, so it looks better than it is, and its intervals are too\n"
    "short. Try it on others.\n"
)
