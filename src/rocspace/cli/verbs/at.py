"""rocspace at: what thresholds do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.checks import check_fraction
from rocspace._base.text import brief, in_ascii
from rocspace.cli.console import cell, estimate, heading, interval_title, printable, table_text
from rocspace.cli.options import (
    CHOICE,
    PRICING,
    PRINTING,
    Choice,
    Files,
    Flag,
    Numbers,
    Pricing,
    Printing,
    Several,
    To,
)
from rocspace.cli.reading import read
from rocspace.cli.tables import MEASURES, confusion_text, in_papers, rate_rows
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.inference.on_curve import fpr_at_interval, tpr_at_interval
from rocspace.inference.rates import RateMethod, RatioMethod
from rocspace.io.text import is_float
from rocspace.operating.constraints import Constraint, Target, check_criterion
from rocspace.operating.points import (
    Goal,
    criterion_values,
    optimal_points,
    point_at,
    point_at_fpr,
    point_at_tpr,
    smoothed_text,
)
from rocspace.report.areas import facts_of
from rocspace.report.plain import plain, plain_fields
from rocspace.report.sections.thresholds import MAX_TIED, described_point
from rocspace.results.point import OperatingPoint

_EXACT = "clopper-pearson"


@Parameter(name="*", group=Group("Which points", sort_key=-1))
@dataclass(frozen=True, kw_only=True)
class Points:
    """Which thresholds and which points of the curve; each option can be repeated.

    Attributes
    ----------
    threshold
        A threshold.
    fpr
        The best threshold with at most this false positive rate.
    tpr
        The best threshold with at least this true positive rate.
    youden
        The thresholds of the largest tpr - fpr.
    criterion
        All thresholds that are optimal by this criterion, such as kappa or f1; costs and prevalence
        count where the criterion uses them. "tnr=0.85" is nearest to that value. Of "tpr,tnr" the
        second decides between those that are equal by the first.
    subject_to
        A requirement that thresholds of criteria must meet, such as "ppv>=0.3".
    smooth
        Degrees of freedom, more than 2, of a smoothing spline through the criterion over the
        thresholds: those where the spline is best. Few flatten the criterion.
    cost_tp
        Cost of a true positive, for criteria; a gain is negative.
    cost_tn
        Cost of a true negative, for criteria.
    on_curve_fpr
        No threshold, but the true positive rate where the curve has exactly this false positive
        rate (the sensitivity at a specificity of one minus that).
    on_curve_tpr
        The false positive rate where the curve has exactly this true positive rate.
    """

    threshold: Numbers = None
    fpr: Numbers = None
    tpr: Numbers = None
    youden: Flag = False
    criterion: Several = None
    subject_to: Several = None
    smooth: float | None = None
    cost_tp: float | None = None
    cost_tn: float | None = None
    on_curve_fpr: Numbers = None
    on_curve_tpr: Numbers = None

    def check(self) -> None:
        """Raise if nothing was asked for, or a rate is none."""
        about = {"subject_to", "smooth", "cost_tp", "cost_tn"}
        if not any(getattr(self, each.name) for each in fields(self) if each.name not in about):
            msg = (
                "Which threshold? Give --threshold, --fpr, --tpr, --youden or --criterion; or a "
                "point of the curve: --on-curve-fpr or --on-curve-tpr."
            )
            raise ValueError(msg)
        for name in ("fpr", "tpr", "on_curve_fpr", "on_curve_tpr"):
            check_fraction(f"--{name.replace('_', '-')}", getattr(self, name) or [])

    @property
    def goals(self) -> list[tuple[Goal, ...]]:
        """The criteria, each with those that decide its ties."""
        return [tuple(map(_goal, name.split(","))) for name in self.criterion or ()]

    @property
    def limits(self) -> tuple[Constraint, ...]:
        """The requirements."""
        return tuple(map(_limit, self.subject_to or ()))


POINTS = Points()


def _goal(text: str) -> Goal:
    """Read a criterion, or a measure and the value that it should be nearest to."""
    name, sign, value = (part.strip() for part in text.partition("="))
    if not sign:
        return check_criterion(name)
    if not is_float(value):
        msg = f"--criterion {text!r} has no number after the sign, as --criterion tnr=0.85 has."
        raise ValueError(msg)
    return Target(name, float(value))


def _limit(text: str) -> Constraint:
    """Read a requirement, such as "ppv>=0.3"."""
    found = re.fullmatch(r"\s*([^<>=]+?)\s*([<>]=)\s*(\S+)\s*", text)
    if found is None or not is_float(found[3]):
        msg = (
            f"--subject-to {text!r} is not a measure, a sign and a number. Write, in quotation "
            "marks, --subject-to 'ppv>=0.3', or with <=."
        )
        raise ValueError(msg)
    return Constraint(found[1], found[2], float(found[3]))  # type: ignore[arg-type]


def _check_files(file: Files) -> None:
    """Raise if a threshold stands where files do."""
    for each in file[1:]:
        if is_float(each) and not Path(each).exists():
            msg = f"There is no file {each!r}. If it is a threshold, say --threshold {each}."
            raise FileNotFoundError(msg)


def at(
    file: Files,
    /,
    *,
    points: Points = POINTS,
    level: float = 0.95,
    interval: RateMethod = "clopper-pearson",
    ratio_interval: RatioMethod = "mover",
    to: To = "text",
    pricing: Pricing = PRICING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the confusion matrix and rates with intervals at given thresholds.

    A case is called positive if its score is at least the threshold (at most, with
    --lower-is-positive).

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    level
        Confidence level of the intervals.
    interval
        Interval of the rates at a threshold: clopper-pearson never covers less than the level,
        the others do so on average, and are shorter; wald-corrected is OptimalCutpoints' Wald.
    ratio_interval
        Interval of the likelihood ratios: log is the textbook one, of OptimalCutpoints and epiR.
    to
        What to print: text, or a table for papers in Markdown, LaTeX or HTML.

    Examples
    --------
    rocspace at adult_scores --threshold 0.5
    rocspace at scores.csv --label y --threshold 0.3 --threshold 0.6 --youden
    rocspace at scores.csv --label y --fpr 0.01 --interval wilson --json
    rocspace at scores.csv --label y --criterion kappa --criterion f1
    rocspace at scores.csv --label y --criterion tpr,tnr
    rocspace at scores.csv --label y --criterion tnr=0.85,tpr
    rocspace at scores.csv --label y --criterion tpr --subject-to 'ppv>=0.8'
    rocspace at scores.csv --label y --on-curve-fpr 0.1
    """
    _check_files(file)
    points.check()
    others = interval != _EXACT or ratio_interval != "mover"
    if to != "text" and (points.on_curve_fpr or points.on_curve_tpr or others):
        msg = "--to is a table of thresholds with Clopper-Pearson intervals. Leave out the rest."
        raise ValueError(msg)
    printing.check(file, level=level)
    by = _options(points, pricing)
    criteria = points.goals
    found = read(file, choice, printing)
    at_points = {
        name: list(_points(table, points, criteria, by)) for name, table in found.tables.items()
    }
    settings = {
        "level": level,
        "interval": interval,
        "ratio_interval": ratio_interval,
        "smooth": points.smooth,
    }
    scores = [
        {
            "name": name,
            **facts_of(table),
            "operating_points": list(_described(at_points[name], settings)),
            "on_curve": list(_on_curve(table, points, level)),
        }
        for name, table in found.tables.items()
    ]
    described: dict[str, Any] = {
        "schema": "rocspace.points/1",
        "source": found.source,
        "settings": settings,
        "scores": scores,
    }
    printing.answer(
        described,
        lambda: (
            _points_text(described) if to == "text" else _in_papers(scores, at_points, to, level)
        ),
    )


def _described(
    points: Sequence[tuple[Any, ...]], settings: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    how = {"method": settings["interval"], "ratio_method": settings["ratio_interval"]}
    for kind, target, tied, best, point in points:
        yield described_point(point, kind, target, tied, settings["level"], **how) | best


def _in_papers(
    scores: Sequence[Mapping[str, Any]],
    at_points: Mapping[str, Sequence[tuple[Any, ...]]],
    to: To,
    level: float,
) -> str:
    """Write the table of thresholds for papers."""
    named = {
        _title(score, each): point
        for score in scores
        for each, (*_, point) in zip(
            score["operating_points"], at_points[score["name"]], strict=True
        )
    }
    return in_papers(named, to, level=level)


def _options(points: Points, pricing: Pricing) -> dict[str, Any]:
    """Return what the criteria go by, besides the counts."""
    right = {"tp": points.cost_tp, "tn": points.cost_tn}
    gains = {name: cost for name, cost in right.items() if cost is not None}
    smooth = points.smooth is not None
    if points.threshold and pricing.prevalence is not None and not points.criterion:
        point = f"point_at(table, {brief(points.threshold[0])})"
        msg = (
            "The rates of a threshold do not depend on --prevalence. Predictive values do: "
            "rocspace report FILE has them at any prevalence, and in Python rocspace.inference."
            f"predictive_value_interval({point}, prevalence={brief(pricing.prevalence)})."
        )
        raise ValueError(msg)
    if (pricing.given or gains or points.subject_to or smooth) and not points.criterion:
        msg = (
            "Costs, prevalence, requirements and --smooth belong to --criterion. Name one, such as "
            "cost or youden, or leave them out."
        )
        raise ValueError(msg)
    costs = replace(pricing.costs, **gains) if pricing.said or gains else None
    return {
        "costs": costs,
        "prevalence": pricing.prevalence,
        "subject_to": points.limits,
        "smooth": points.smooth,
    }


def _points(
    table: ScoreTable, points: Points, criteria: Sequence[tuple[Goal, ...]], by: Mapping[str, Any]
) -> Iterator[tuple[str, float | None, int, dict[str, Any], OperatingPoint]]:
    """Yield each point after its kind, the rate asked for, those that tie, and what is optimal."""
    none = {"value": None, "smoothed": None}
    for target in points.threshold or ():
        yield "threshold", target, 1, none, point_at(table, target)
    for target in points.fpr or ():
        yield "fpr", target, 1, none, point_at_fpr(table, target)
    for target in points.tpr or ():
        yield "tpr", target, 1, none, point_at_tpr(table, target)
    if points.youden:
        best = optimal_points(table, criterion="youden")
        for point in best[:MAX_TIED]:
            yield "youden", None, len(best), _values(table, "youden", {}, point), point
    for criterion in criteria:
        best = optimal_points(table, criterion=criterion, **by)
        for point in best[:MAX_TIED]:
            values = _values(table, criterion[0], by, point)
            text = ", ".join([",".join(map(str, criterion)), *map(str, by["subject_to"])])
            if by["smooth"] is not None:
                text += f", {smoothed_text(by['smooth'], values['smoothed'])}"
            yield "criterion", None, len(best), values, replace(point, criterion=text)


def _values(
    table: ScoreTable, goal: Goal, by: Mapping[str, Any], point: OperatingPoint
) -> dict[str, Any]:
    """Return the value of a criterion, or of the measure of a target, at a point; smoothed, too."""
    name: Any = goal.measure if isinstance(goal, Target) else goal
    about = {key: by[key] for key in ("costs", "prevalence") if key in by}
    row = int(np.flatnonzero(table.score == point.threshold)[0]) + 1 if point.tp + point.fp else 0
    smooth = by.get("smooth")
    smoothed = (
        None if smooth is None else criterion_values(table, criterion=name, smooth=smooth, **about)
    )
    return {
        "value": plain(float(criterion_values(table, criterion=name, **about)[row])),
        "smoothed": None if smoothed is None else plain(float(smoothed[row])),
    }


def _on_curve(table: ScoreTable, points: Points, level: float) -> Iterator[dict[str, Any]]:
    """Read one rate where the curve has the other."""
    curve = roc_curve(table)
    for rate, read_at, ends_of, targets in (
        ("tpr", curve.tpr_at, tpr_at_interval, points.on_curve_fpr),
        ("fpr", curve.fpr_at, fpr_at_interval, points.on_curve_tpr),
    ):
        for x in targets or ():
            ends = plain_fields(ends_of(table, x, level=level), "low", "high", "method")
            yield {"rate": rate, "at": x, "value": float(read_at(x)), **ends}


def _points_text(described: dict[str, Any]) -> str:
    """Lay out each point: its confusion matrix, then its measures."""
    header = ("measure", "value", interval_title(described["settings"]["level"]))
    points = [(score, each) for score in described["scores"] for each in score["operating_points"]]
    blocks = []
    for score, point in points:
        rows = rate_rows(point["rates"])
        alone = {
            name: value for name, value in point["measures"].items() if name not in point["rates"]
        }
        rows += [(MEASURES[name], cell(value), "") for name, value in alone.items()]
        matrix = confusion_text(point, described["source"])
        blocks.append(f"{heading(_title(score, point))}\n\n{matrix}\n{table_text(header, rows)}")
    for score in described["scores"]:
        if score["on_curve"]:
            head = (f"{score['name']}, on the curve", *header[1:])
            blocks.append(table_text(head, map(_read_row, score["on_curve"])))
    if any(point["kind"] != "threshold" for _, point in points):
        blocks.append(
            "A threshold that was chosen on these cases looks better than it is, and its\n"
            "intervals are too short.\n"
        )
    return "\n".join(blocks)


def _read_row(each: Mapping[str, Any]) -> tuple[str, ...]:
    other = {"tpr": "fpr", "fpr": "tpr"}[each["rate"]]
    shown = estimate(each["value"], each["low"], each["high"])
    return (f"{each['rate']} at {other} {brief(each['at'])}", *shown)


def _title(score: Mapping[str, Any], point: Mapping[str, Any]) -> str:
    sign = ">=" if score["direction"] == "higher" else "<="
    tied = f", {point['tied']} tie" if point["tied"] > 1 else ""
    why = {"threshold": "", "youden": f" (largest tpr - fpr{tied})"}
    # A threshold that was given is shown as it was given.
    at = point["threshold" if point["kind"] == "threshold" else "threshold_text"]
    value = f" {cell(point['value'])}" if point["criterion"].isidentifier() else ""
    chosen = why.get(point["kind"], f" ({point['criterion']}{value}{tied})")
    return printable(f"{score['name']} {sign} {in_ascii(str(at))}{chosen}")
