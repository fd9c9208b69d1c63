"""The commands that choose: the hull, the rule to deploy, and Boolean combinations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.checks import check_fraction, check_level
from rocspace.cli._choices import (
    Wanted,
    choice_text,
    chosen,
    described_choice,
    plain_rule,
    short_rule,
)
from rocspace.cli._commands import _examples, app
from rocspace.cli._console import as_json, check_output, interval, number, share, table_text, write
from rocspace.cli._options import Choice, Flag, Printing, Whole, read, shown
from rocspace.cli._same_cases import FoundCases, read_cases
from rocspace.combine.boolean import BooleanSearch, boolean_search
from rocspace.combine.mixtures import RulePath, path_of
from rocspace.hull.convex import RocHull, roc_hull
from rocspace.io.tables import FileTables
from rocspace.measures.criteria import CRITERIA
from rocspace.operating.constraints import check_criterion
from rocspace.operating.points import Costs
from rocspace.report.plain import plain

_CHOICE = Choice()
_PRINTING = Printing()
_BEST = Group("What is best", sort_key=0)


@Parameter(name="*", group=_BEST)
@dataclass(frozen=True, kw_only=True)
class Pricing:
    """What errors cost, and how frequent positives are.

    Attributes
    ----------
    cost_fp
        Cost of a false positive; 1 if it is not given.
    cost_fn
        Cost of a false negative; 1 if it is not given.
    prevalence
        Share of positives where the calls will be used; by default that of the file.
    """

    cost_fp: float | None = None
    cost_fn: float | None = None
    prevalence: float | None = None

    @property
    def said(self) -> bool:
        return (self.cost_fp, self.cost_fn) != (None, None)

    @property
    def costs(self) -> Costs:
        fp, fn = (1.0 if cost is None else cost for cost in (self.cost_fp, self.cost_fn))
        return Costs(fp=fp, fn=fn)


@Parameter(name="*", group=_BEST)
@dataclass(frozen=True, kw_only=True)
class Best:
    """What makes a rule the best, other than costs.

    Attributes
    ----------
    max_selected
        How many cases may be called positive.
    of
        How many cases there will be; by default as many as in the file.
    min_tpr
        The fewest false positives with at least this true positive rate.
    max_fpr
        The most true positives with at most this false positive rate.
    criterion
        A criterion such as youden or kappa; rocspace.measures lists them.
    no_lots
        One threshold, even where a mixture of two were better.
    """

    max_selected: float | None = None
    of: float | None = None
    min_tpr: float | None = None
    max_fpr: float | None = None
    criterion: str | None = None
    no_lots: Flag = False

    @property
    def said(self) -> dict[str, Any]:
        """What was given, by its name."""
        names = ("max_selected", "min_tpr", "max_fpr", "criterion")
        given = {name: getattr(self, name) for name in names}
        return {name: value for name, value in given.items() if value is not None}


_PRICING = Pricing()
_ANY = Best()


# --- hull ---------------------------------------------------------------------------------------


@app.command(
    help_epilogue=_examples(
        "rocspace hull adult_scores",
        "rocspace hull scores.csv --label y --cost-fn 10 --prevalence 0.05 --json",
    )
)
def hull(
    file: str,
    /,
    *,
    pricing: Pricing = _PRICING,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print the convex hull of all scores: which thresholds can be best, and for whom.

    A point below the hull is beaten at every cost and every share of positives. Each row is
    best while cost_fp (1 - prevalence) / (cost_fn prevalence) lies between its two slopes.
    With costs or a prevalence, the best row for them is marked.

    Parameters
    ----------
    file
        The file to read.
    """
    check_output(printing.output, file)
    costs = pricing.costs
    found = read(file, choice, quiet=printing.quiet)
    whole = roc_hull(found.tables)
    names = set(found.tables) if choice.lower_is_positive else ()
    path = path_of(whole, lower_is_positive=names)
    best = None
    if pricing != _PRICING:
        first = next(iter(found.tables.values()))
        said = pricing.prevalence
        best = path.optimal(costs.slope(first.prevalence if said is None else said))
    if printing.json:
        write(as_json(_plain_hull(found, whole, path, best)), printing.output)
    else:
        write(_hull_text(found, whole, path, best), printing.output)


def _plain_hull(
    found: FileTables, whole: RocHull, path: RulePath, best: int | None
) -> dict[str, Any]:
    return {
        "schema": "rocspace.hull/1",
        "source": found.source,
        "area": whole.area,
        "areas": {name: roc_hull({name: table}).area for name, table in found.tables.items()},
        "vertices": [
            {
                "fpr": float(whole.fpr[part.vertex]),
                "tpr": float(whole.tpr[part.vertex]),
                "rule": plain_rule(path.rules[part.vertex]),
                "slopes": {"low": plain(part.low), "high": plain(part.high)},
                "best": None if best is None else part.vertex == best,
            }
            for part in whole.ranges()
        ],
    }


def _hull_text(found: FileTables, whole: RocHull, path: RulePath, best: int | None) -> str:
    rows = []
    for part in whole.ranges():
        i = part.vertex
        rates = (share(float(whole.fpr[i])), share(float(whole.tpr[i])))
        row = (
            str(short_rule(path.rules[i], found.tables)),
            *rates,
            interval(part.low, part.high, number),
        )
        rows.append(row if best is None else (*row, "best" if i == best else ""))
    header = ("rule", "fpr", "tpr", "best for slopes", *([] if best is None else [""]))
    areas = [(name, share(roc_hull({name: t}).area)) for name, t in found.tables.items()]
    if len(areas) > 1:
        areas.append(("all together", share(whole.area)))
    return f"{table_text(header, rows)}\n{table_text(('hull of', 'area'), areas)}"


# --- choose -------------------------------------------------------------------------------------


@app.command(
    help_epilogue=_examples(
        "rocspace choose adult_scores --cost-fp 1 --cost-fn 10 --prevalence 0.05",
        "rocspace choose scores.csv --label y --max-selected 800 --of 4000",
        "rocspace choose scores.csv --label y --min-tpr 0.95 --no-lots",
        "rocspace choose scores.csv --label y --criterion kappa",
    )
)
def choose(
    file: str,
    /,
    *,
    pricing: Pricing = _PRICING,
    best: Best = _ANY,
    level: float = 0.95,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print which threshold to deploy, or which mixture of two, and what to expect of it.

    All scores take part. Choose by costs, by the room there is, by a rate to keep, or by a
    criterion. Where no threshold just fills the room or meets the rate, lots decide between
    two.

    Parameters
    ----------
    file
        The file to read.
    level
        Confidence level of the intervals.
    """
    check_level(level)
    _check_best(pricing, best)
    check_output(printing.output, file)
    found = read(file, choice, quiet=printing.quiet)
    first = next(iter(found.tables.values()))
    by, value = next(iter(best.said.items()), ("costs", None))
    wanted = Wanted(
        by=by,
        value=value,
        costs=pricing.costs,
        cases=float(first.n_pos + first.n_neg) if best.of is None else best.of,
        prevalence=pricing.prevalence,
        lots=not best.no_lots,
    )
    settings = {"by": by, "value": value, "lots": wanted.lots, "level": level}
    described = {
        "schema": "rocspace.choice/1",
        "source": found.source,
        "settings": settings,
        **described_choice(found.tables, chosen(found.tables, wanted), wanted, level),
    }
    write(as_json(described) if printing.json else choice_text(described), printing.output)


def _check_best(pricing: Pricing, best: Best) -> None:
    """Check the options before any file is read."""
    said = best.said
    if len(said) > 1 or not (said or pricing.said or pricing.prevalence is not None):
        msg = (
            "What is best? Say so by costs (--cost-fp, --cost-fn, --prevalence), or by one of "
            "--max-selected, --min-tpr, --max-fpr and --criterion."
        )
        raise ValueError(msg)
    if best.criterion is not None:
        check_criterion(best.criterion, tuple(CRITERIA))
    weighed = best.criterion is not None and CRITERIA[best.criterion].uses_costs
    if said and pricing.said and not weighed:
        msg = (
            f"Costs do not matter to --{next(iter(said)).replace('_', '-')}. Leave one of them out."
        )
        raise ValueError(msg)
    for name in ("min_tpr", "max_fpr"):
        check_fraction(f"--{name.replace('_', '-')}", said.get(name, 0))
    if not said.get("max_selected", 0) >= 0:
        msg = f"--max-selected is {best.max_selected}, but must be zero or more."
        raise ValueError(msg)
    if pricing.prevalence is not None and not 0 < pricing.prevalence < 1:
        msg = f"--prevalence is {pricing.prevalence}, but must lie strictly between 0 and 1."
        raise ValueError(msg)
    if best.of is not None and not 0 < best.of < np.inf:
        msg = f"--of is {best.of}, but must be a number of cases."
        raise ValueError(msg)


# --- combine ------------------------------------------------------------------------------------


@app.command(
    help_epilogue=_examples(
        "rocspace combine adult_scores --score logreg --score hgb",
        "rocspace combine tests.csv --label ill --score a --score b --rounds 0 --json",
    )
)
def combine(
    file: str,
    /,
    *,
    rounds: Whole = 3,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print the best Boolean combinations of two or more scores.

    Every pair of thresholds is tried with "and", "or", "xor" and their negations; what is on
    the convex hull is combined again. The area that they gain is that on these cases: choose
    on some, and try the choice on others.

    Parameters
    ----------
    file
        The file to read.
    rounds
        How often what was found is combined again.
    """
    check_output(printing.output, file)
    if rounds < 0:
        msg = f"--rounds is {rounds}, but must be zero or more."
        raise ValueError(msg)
    found = read_cases(file, choice, quiet=printing.quiet)
    search = boolean_search(found.data, max_rounds=rounds, progress=shown(printing.quiet))
    if printing.json:
        write(as_json(_plain_search(found, search)), printing.output)
    else:
        write(_search_text(found, search), printing.output)


def _plain_search(found: FoundCases, search: BooleanSearch) -> dict[str, Any]:
    path = search.path
    return {
        "schema": "rocspace.combine/1",
        "source": found.source,
        "areas": list(search.areas),
        "tried": search.n_tried,
        "thinned": search.thinned,
        "rules": [
            {"fpr": float(f), "tpr": float(t), "rule": plain_rule(rule), "text": str(rule)}
            for f, t, rule in zip(path.fpr, path.tpr, path.rules, strict=True)
        ],
    }


def _search_text(found: FoundCases, search: BooleanSearch) -> str:
    path = search.path
    tables = {name: found.data.table(name) for name in found.data.names}
    rows = [
        (str(short_rule(rule, tables)), share(float(f)), share(float(t)))
        for f, t, rule in zip(path.fpr, path.tpr, path.rules, strict=True)
    ]
    steps = ["the scores alone", "all pairs of thresholds"]
    steps += [f"round {i + 1}" for i in range(len(search.areas) - 2)]
    areas = [(step, share(area)) for step, area in zip(steps, search.areas, strict=True)]
    thinned = "Not all pairs of thresholds were tried: there are too many.\n"
    return (
        f"{table_text(('rule', 'fpr', 'tpr'), rows)}\n{table_text(('hull of', 'area'), areas)}\n"
        f"{search.n_tried:,} combinations tried, on the cases that they are judged by.\n"
        f"{thinned if search.thinned else ''}"
    )
