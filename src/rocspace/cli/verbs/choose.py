"""rocspace choose: the threshold to deploy, or a mixture of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Annotated, Any, Literal

import numpy as np
from cyclopts import Parameter

from rocspace._base.checks import (
    check_fraction,
    check_inside,
    check_level,
    check_not_negative,
    check_positive,
)
from rocspace._base.text import brief, in_ascii, percent
from rocspace.cli.console import (
    PAGE,
    count,
    heading,
    interval_title,
    number,
    ratio,
    share,
    table_text,
)
from rocspace.cli.estimates import note_lacking, read_groups
from rocspace.cli.estimating import Estimating
from rocspace.cli.options import (
    BEST,
    CHOICE,
    PRICING,
    PRINTING,
    Choice,
    Files,
    Flag,
    Pricing,
    Printing,
    Whole,
    check_least,
)
from rocspace.cli.reading import label_is, read_cases, read_classes
from rocspace.cli.rules import plain_rule, short_rule
from rocspace.cli.tables import confusion_text, rate_rows, snapped
from rocspace.combine.mixtures import Mixture, at_budget, mixture_at, rule_path
from rocspace.combine.rules import Constant, Rule, ThresholdRule
from rocspace.counts.table import ScoreTable
from rocspace.inference.rates import point_interval, predictive_value_interval
from rocspace.io.cases import SeveralLabelsError
from rocspace.measures.costs_of_errors import Costs
from rocspace.measures.criteria import Criterion
from rocspace.measures.facts import CRITERIA
from rocspace.operating.constraints import Constraint, check_criterion
from rocspace.operating.optimism import cost_interval
from rocspace.operating.points import criterion_values, optimal_points
from rocspace.report.plain import plain, plain_interval
from rocspace.results.point import OperatingPoint

_CELLS = ("tp", "fp", "fn", "tn")


@Parameter(name="*", group=BEST)
@dataclass(frozen=True, kw_only=True)
class Best:
    """What makes a rule the best, other than costs.

    Attributes
    ----------
    max_selected
        Capacity: how many cases may be called positive.
    of
        Number of cases among which these are selected; by default that of the file.
    min_tpr
        Fewest false positives with at least this true positive rate.
    max_fpr
        Most true positives with at most this false positive rate.
    criterion
        A criterion such as youden or kappa.
    smooth
        Degrees of freedom, more than 2, of a smoothing spline through the criterion over the
        thresholds: the threshold where the spline is best. Few flatten the criterion.
    no_mixture
        Take one threshold, even where a mixture of two would be better.
    """

    max_selected: float | None = None
    of: float | None = None
    min_tpr: float | None = None
    max_fpr: float | None = None
    criterion: str | None = None
    smooth: float | None = None
    no_mixture: Flag = False

    @property
    def said(self) -> dict[str, Any]:
        """What was given, by its name."""
        names = ("max_selected", "min_tpr", "max_fpr", "criterion")
        given = {name: getattr(self, name) for name in names}
        if self.criterion is not None:
            given["criterion"] = check_criterion(self.criterion)
        return {name: value for name, value in given.items() if value is not None}

    @property
    def aim(self) -> tuple[str, Any]:
        """What the choice goes by, and its value."""
        return next(iter(self.said.items()), ("costs", None))


_ANY = Best()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The aim of a choice.

    `by` is "costs", "max_selected", "min_tpr", "max_fpr" or "criterion", `value` what was given
    for it; `cases` is the number of cases to expect. `weighed` says whether costs were given, which
    weigh errors also in criteria such as youden; `smooth` has the degrees of freedom of a spline.
    """

    by: str
    value: Any
    costs: Costs
    cases: float
    prevalence: float | None
    mixture: bool
    weighed: bool = False
    smooth: float | None = None


@Parameter(name="*", group=BEST)
@dataclass(frozen=True, kw_only=True)
class Several:
    """Costs of more than two classes.

    Attributes
    ----------
    cost_matrix
        File of what calls cost, for more than two classes: csv whose first line names the true
        classes and whose first column the calls ('true' in its corner: the other way round), or
        json {"called": {"true class": cost}}. Correct calls may be left out.
    n_boot
        Replicates that correct the cost of chosen weights for the choice.
    seed
        Seed of the replicates.
    """

    cost_matrix: str | None = None
    n_boot: Whole = 200
    seed: Whole = 0


_NO_MATRIX = Several()


def choose(
    file: Files,
    /,
    *,
    pricing: Pricing = PRICING,
    best: Best = _ANY,
    several: Several = _NO_MATRIX,
    by: Annotated[str | None, Parameter(group=BEST)] = None,
    level: float = 0.95,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the best threshold, or mixture of two, and its expected performance.

    The choice is among all scores: by costs, by capacity (--max-selected), by a requirement on a
    rate, or by a criterion. Where no single threshold uses the whole capacity or meets the rate,
    cases are assigned to one of two thresholds at random.

    With --by each group of cases has a threshold of its own, chosen on its cases alone, and at its
    own prevalence unless one is given.

    Of more than two classes, with a column of scores for each (p_a, p_b, p_c for a, b, c), it
    finds by --cost-matrix the weights of the classes whose decisions cost least: a case is called
    the class with the largest product of score and weight.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    by
        Column of groups of cases: choose in each group. A capacity is that of each group.
    level
        Confidence level of the intervals.

    Examples
    --------
    rocspace choose adult_scores --cost-fp 1 --cost-fn 10 --prevalence 0.05
    rocspace choose scores.csv --label y --max-selected 800 --of 4000
    rocspace choose scores.csv --label y --min-tpr 0.95 --no-mixture
    rocspace choose scores.csv --label y --criterion kappa --by sex
    rocspace choose species.csv --label species --cost-matrix costs.csv
    """
    check_level(level)
    if several.cost_matrix is not None:
        if by is not None:
            msg = "--by is for two classes, and --cost-matrix for more. Leave out one of them."
            raise ValueError(msg)
        _choose_weights(file, pricing, best, several, level, choice, printing)
        return
    _check_best(pricing, best)
    printing.check(file)
    try:
        found = read_groups(file, choice, printing, Estimating(by=by))
    except SeveralLabelsError as error:
        how = " For all classes at once give their costs by --cost-matrix FILE."
        raise SeveralLabelsError(*error.args, how) from error
    aim, value = best.aim
    settings = {
        "by": aim,
        "value": value,
        "mixture": not best.no_mixture,
        "level": level,
        "smooth": best.smooth,
    }

    def choose_in(tables: Mapping[str, ScoreTable]) -> dict[str, Any]:
        wanted = _wanted(tables, pricing, best)
        return described_choice(tables, chosen(tables, wanted), wanted, level)

    described: dict[str, Any] = {"source": found.source, "settings": settings}
    if by is None:
        described = {"schema": "rocspace.choice/1", **described, **choose_in(found.tables[""])}
        printing.answer(described, lambda: choice_text(described))
        return
    whole = _whole_groups(found.tables, by, printing)
    groups = [{"group": name, **choose_in(tables)} for name, tables in whole.items()]
    described = {"schema": "rocspace.choices/1", **described, "by": by, "groups": groups}
    printing.answer(described, lambda: groups_text(described))


def _wanted(tables: Mapping[str, ScoreTable], pricing: Pricing, best: Best) -> Wanted:
    """Return what is asked of the cases that are counted."""
    aim, value = best.aim
    first = next(iter(tables.values()))
    return Wanted(
        by=aim,
        value=value,
        costs=pricing.costs,
        cases=float(first.n_pos + first.n_neg) if best.of is None else best.of,
        prevalence=pricing.prevalence,
        mixture=not best.no_mixture,
        weighed=pricing.said,
        smooth=best.smooth,
    )


def _whole_groups(
    tables: Mapping[str, Mapping[str, ScoreTable]], by: str, printing: Printing
) -> dict[str, Mapping[str, ScoreTable]]:
    """Return the groups that have both classes; say which others there are."""
    whole = {
        name: own
        for name, own in tables.items()
        if all(table.n_pos > 0 and table.n_neg > 0 for table in own.values())
    }
    note_lacking([name for name in tables if name not in whole], printing, "left out")
    if not whole:
        msg = f"No group by {by} has both classes. Name another column, or leave out --by."
        raise ValueError(msg)
    return whole


def _choose_weights(
    file: Files,
    pricing: Pricing,
    best: Best,
    several: Several,
    level: float,
    choice: Choice,
    printing: Printing,
) -> None:
    """Choose weights of several classes by their costs."""
    from rocspace.cli.choices import (
        class_choice_text,
        named_costs,
        plain_class_choice,
        read_costs,
    )

    _check_weights(pricing, best, several)
    printing.check(file)
    path = str(several.cost_matrix)
    costs = read_costs(path)
    try:
        read_cases(file, choice, printing)
    except SeveralLabelsError as error:
        found = read_classes(file, choice, printing, error)
        described = plain_class_choice(
            found,
            named_costs(costs, found.data, path),
            level=level,
            n_boot=several.n_boot,
            seed=several.seed,
        )
        printing.answer(described, lambda: class_choice_text(found, described))
        return
    msg = (
        "--cost-matrix is for more than two classes; of two give --cost-fp and --cost-fn. Leave it "
        "out, and --positive too, if that was to name one of several classes."
    )
    raise ValueError(msg)


def _check_weights(pricing: Pricing, best: Best, several: Several) -> None:
    """Raise, before any file is read, if options do not go with a matrix of costs."""
    priced = ("cost_fp", "cost_fn", "prevalence")
    said = [*best.said, *(name for name in priced if getattr(pricing, name) is not None)]
    if best.smooth is not None:
        msg = (
            "--smooth is of a criterion over thresholds, and --cost-matrix has none. Leave it out."
        )
        raise ValueError(msg)
    if said:
        option = f"--{said[0].replace('_', '-')}"
        msg = f"--cost-matrix and {option} each say what is best. Leave one of them out."
        raise ValueError(msg)
    check_least("--n-boot", several.n_boot, 1)
    check_least("--seed", several.seed, 0)


def _check_best(pricing: Pricing, best: Best) -> None:
    """Check the options before any file is read."""
    said = best.said
    ways = [f"--{name.replace('_', '-')}" for name in said]
    criterion = said.get("criterion")
    msg = ""
    if len(said) > 1:
        msg = f"{ways[0]} and {ways[1]} each say what is best. Leave one of them out."
    elif not (said or pricing.said or pricing.prevalence is not None):
        msg = (
            "What is best? Say so by costs (--cost-fp, --cost-fn, --prevalence), or by one of "
            "--max-selected, --min-tpr, --max-fpr and --criterion; of more than two classes by "
            "--cost-matrix."
        )
    elif said and pricing.said and not (criterion and CRITERIA[criterion].uses_costs):
        way = f"{ways[0]} {best.criterion}" if criterion else ways[0]
        weighing = ", ".join(name for name, fact in CRITERIA.items() if fact.uses_costs)
        msg = (
            f"Costs do not matter to {way}. Leave one of them out; of criteria they matter to "
            f"{weighing}."
        )
    elif best.smooth is not None and not criterion:
        way = ways[0] if ways else "costs"
        msg = (
            f"--smooth is of a criterion over thresholds, not for a choice by {way}. Name a "
            "criterion, such as --criterion youden or --criterion cost, or leave it out."
        )
    if msg:
        raise ValueError(msg)
    check_fraction("--min-tpr", said.get("min_tpr", 0))
    check_fraction("--max-fpr", said.get("max_fpr", 0))
    check_not_negative("--max-selected", said.get("max_selected", 0))
    if pricing.prevalence is not None:
        check_inside("--prevalence", pricing.prevalence)
    if best.of is not None:
        check_positive("--of", best.of)


def chosen(tables: Mapping[str, ScoreTable], wanted: Wanted) -> Mixture:
    """Return the best rule or mixture of all scores."""
    if wanted.by == "criterion" or not wanted.mixture:
        return _best_threshold(tables, wanted)
    path = rule_path(tables)
    pi = _prevalence(tables, wanted)
    if wanted.by == "costs":
        return path.mixture(path.optimal(wanted.costs.iso_performance_slope(pi)))
    if wanted.by == "max_selected":
        room = min(float(wanted.value), wanted.cases)
        n_pos = wanted.cases * pi
        return at_budget(path, selected=room, n_pos=n_pos, n_neg=wanted.cases - n_pos)
    name = "tpr" if wanted.by == "min_tpr" else "fpr"
    return mixture_at(path, **{name: float(wanted.value)})  # type: ignore[arg-type]


def _prevalence(tables: Mapping[str, ScoreTable], wanted: Wanted) -> float:
    first = next(iter(tables.values()))
    return float(first.prevalence) if wanted.prevalence is None else wanted.prevalence


def _best_threshold(tables: Mapping[str, ScoreTable], wanted: Wanted) -> Mixture:
    """Try the thresholds of each score, and compare the best ones."""
    goals, limits = _question(wanted)
    options = _weighing(goals[0], wanted)
    found: list[tuple[tuple[float, ...], Mixture]] = []
    failures: list[ValueError] = []
    for name, table in tables.items():
        try:
            point = optimal_points(table, criterion=goals, subject_to=limits, **options)[0]
        except ValueError as error:
            if wanted.smooth is not None:  # what cannot be smoothed is not passed over in silence
                raise
            failures.append(error)
            continue
        worth = tuple(_worth(table, point, goal, options) for goal in goals)
        found.append((worth, _alone(name, table, point)))
    if not found:
        raise failures[0]
    return max(found, key=lambda each: each[0])[1]


def _weighing(goal: Criterion, wanted: Wanted) -> dict[str, Any]:
    """Return what a criterion goes by; others than the cost are weighed only if one says so."""
    weighed = goal == "cost" or (wanted.weighed and CRITERIA[goal].uses_costs)
    costs = wanted.costs if weighed else None
    return {"costs": costs, "prevalence": wanted.prevalence, "smooth": wanted.smooth}


def _question(wanted: Wanted) -> tuple[tuple[Criterion, ...], tuple[Constraint, ...]]:
    if wanted.by in ("criterion", "costs"):
        return ("cost" if wanted.by == "costs" else wanted.value,), ()
    if wanted.by == "min_tpr":
        return ("fpr", "tpr"), (Constraint("tpr", ">=", wanted.value),)
    if wanted.by == "max_fpr":
        return ("tpr", "fpr"), (Constraint("fpr", "<=", wanted.value),)
    most = min(wanted.value / wanted.cases, 1.0)
    return ("tpr", "fpr"), (Constraint("predicted_positive_rate", "<=", most),)


def _worth(
    table: ScoreTable, point: OperatingPoint, goal: Criterion, options: Mapping[str, Any]
) -> float:
    values = criterion_values(table, criterion=goal, **options)
    row = int(np.searchsorted(table.tp + table.fp, point.tp + point.fp, "left")) + 1
    value = float(values[row if point.tp + point.fp else 0])
    return value if CRITERIA[goal].better == "higher" else -value


def _alone(name: str, table: ScoreTable, point: OperatingPoint) -> Mixture:
    rule: Rule = Constant(False)
    if point.tp + point.fp:
        rule = ThresholdRule(name, point.threshold, table.higher_is_positive)
    return Mixture(low=rule, high=rule, share=0.0, fpr=point.fpr, tpr=point.tpr)


def described_choice(
    tables: Mapping[str, ScoreTable], mixture: Mixture, wanted: Wanted, level: float
) -> dict[str, Any]:
    """Describe a choice and its expected performance, in plain JSON types."""
    table = tables[min(mixture.names)] if mixture.names else next(iter(tables.values()))
    pi = float(table.prevalence) if wanted.prevalence is None else wanted.prevalence
    expected = mixture.expected(n_pos=wanted.cases * pi, n_neg=wanted.cases * (1 - pi))
    cells = {name: snapped(getattr(expected, name)) for name in _CELLS}
    seen = mixture.expected(n_pos=table.n_pos, n_neg=table.n_neg)
    point = OperatingPoint(
        threshold=np.nan,
        **{name: getattr(seen, name) for name in _CELLS},
        next_score=np.nan,
        n_eff=table.n_eff,
    )
    described: dict[str, Any] = {
        "rule": {
            "text": _rule_text(mixture, tables),
            "low": plain_rule(mixture.low, tables),
            "high": plain_rule(mixture.high, tables),
            "share_of_high": mixture.share,
        },
        "expected": {
            "cases": wanted.cases,
            "prevalence": pi,
            "selected": snapped(cells["tp"] + cells["fp"]),
            **cells,
        },
        "rates": _rates(point, wanted.prevalence, pi, level),
    }
    if wanted.by == "costs":
        ends = cost_interval(point, wanted.costs, prevalence=wanted.prevalence, level=level)
        value = wanted.costs.expected(point, prevalence=wanted.prevalence)
        described["cost_per_case"] = {"value": float(value), **plain_interval(ends)}
    if wanted.smooth is not None:
        described["smoothed"] = _smoothed(mixture.low, table, wanted, wanted.smooth)
    return described


def _smoothed(rule: Rule, table: ScoreTable, wanted: Wanted, smooth: float) -> dict[str, float]:
    """Return the degrees of freedom of a smoothed criterion, and its value at the threshold."""
    assert isinstance(rule, ThresholdRule)  # never that of rejecting all
    about = _weighing(wanted.value, wanted)
    values = criterion_values(table, criterion=wanted.value, **about)
    (row,) = np.flatnonzero(table.score == rule.threshold)
    return {"degrees": smooth, "value": float(values[row + 1])}


def _rates(
    point: OperatingPoint, prevalence: float | None, pi: float, level: float
) -> dict[str, dict[str, Any]]:
    tpr, fpr = point.tpr, point.fpr
    called = pi * tpr + (1 - pi) * fpr
    values: dict[Literal["tpr", "fpr", "ppv", "npv"], float] = {
        "tpr": tpr,
        "fpr": fpr,
        "ppv": pi * tpr / called if called else np.nan,
        "npv": (1 - pi) * (1 - fpr) / (1 - called) if called < 1 else np.nan,
    }
    found: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if prevalence is not None and (name == "ppv" or name == "npv"):
            ends = predictive_value_interval(point, name, prevalence=pi, level=level)
        else:
            ends = point_interval(point, name, level=level)
        found[name] = {"value": plain(value), **plain_interval(ends)}
    return found


def _rule_text(mixture: Mixture, tables: Mapping[str, ScoreTable]) -> str:
    high, low = (short_rule(rule, tables) for rule in (mixture.high, mixture.low))
    if mixture.share in (0, 1):
        return str(high if mixture.share == 1 else low)
    return (
        f"at random: {high} with probability {brief(mixture.share)}, "
        f"{low} with probability {brief(1 - mixture.share)}"
    )


def choice_text(described: Mapping[str, Any]) -> str:
    """Lay out a choice: the rule, its expected performance, and the intervals."""
    rule, expected = described["rule"], described["expected"]
    corner = f"of {count(expected['cases'])} cases"
    matrix = confusion_text(expected, described["source"], corner=corner, sums=True)
    rows = rate_rows(described["rates"])
    if "cost_per_case" in described:
        cost = described["cost_per_case"]
        rows.append(("cost per case", *ratio(cost["value"], cost["low"], cost["high"])))
    header = ("expected", "value", interval_title(described["settings"]["level"]))
    mixed = "" if rule["share_of_high"] in (0, 1) else _MIXED
    mixed += _smoothed_text(described["settings"], described.get("smoothed"))
    return f"{heading(rule['text'])}\n\n{matrix}\n{table_text(header, rows)}\n{mixed}{_CAUTION}"


def _smoothed_text(settings: Mapping[str, Any], smoothed: Mapping[str, Any] | None) -> str:
    """Say how the criterion was smoothed, and its value in one choice."""
    if settings["smooth"] is None:
        return ""
    here = f": {number(smoothed['value'])} here" if smoothed else ""
    how = f"smoothed with {brief(settings['smooth'])} degrees of freedom{here}"
    return fill(f"Best by {settings['value']}, {how}.", PAGE) + "\n"


def groups_text(described: Mapping[str, Any]) -> str:
    """Lay out the choice in each group on a line, and what is to be expected of it."""
    costly = any("cost_per_case" in each for each in described["groups"])
    header = [described["by"], "rule", "cases", "called", *_SHOWN, *["cost"] * costly]
    rows, mixed = [], ""
    for each in described["groups"]:
        expected, rates, (rule, *second) = each["expected"], each["rates"], _sides(each["rule"])
        row = [each["group"], rule, count(expected["cases"]), count(expected["selected"])]
        row += [share(rates[name]["value"]) for name in _SHOWN]
        row += [number(each["cost_per_case"]["value"])] if costly else []
        rows += [row, *(["", other, *[""] * (len(header) - 2)] for other in second)]
        mixed = _MIXED if second else mixed
    mixed += _smoothed_text(described["settings"], None)
    title = heading(f"{described['source']['file']}, {label_is(described['source'])}")
    table = table_text(header, rows, left=(0, 1), names=0, page=True)
    return f"{title}\n\n{table}\n{mixed}{_CAUTION_GROUPS}"


def _sides(rule: Mapping[str, Any]) -> list[str]:
    """Return the text of a rule; of a mixture that of both sides, with their shares."""
    share_of_high = rule["share_of_high"]
    if share_of_high in (0, 1):
        return [rule["text"]]
    sides = ((rule["high"], share_of_high), (rule["low"], 1 - share_of_high))
    return [f"{_side(side)}, for {in_ascii(percent(part))}" for side, part in sides]


def _side(rule: Any) -> str:
    if isinstance(rule, str):
        return rule
    sign = ">=" if rule["direction"] == "higher" else "<="
    return f"{rule['score']} {sign} {in_ascii(rule['threshold_text'])}"


_MIXED = (
    "No single threshold does as well; for the best one say --no-mixture. To give a\n"
    "case the same answer every time, take a hash of its id for the random number.\n"
)
_CAUTION = (
    "It was chosen on these cases, so it looks better than it is, and its intervals\n"
    "are too short. Try it on others.\n"
)
_SHOWN = ("tpr", "fpr", "ppv")
_CAUTION_GROUPS = (
    "Each was chosen on its own cases, so it looks better than it is, the more so in\n"
    "a small group. Try it on others. --json has the intervals.\n"
)
