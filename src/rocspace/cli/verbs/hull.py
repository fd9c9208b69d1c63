"""rocspace hull: the convex hull of all scores."""

from __future__ import annotations

from typing import Any

from rocspace.cli.console import as_json, check_output, interval, number, share, table_text, write
from rocspace.cli.options import CHOICE, PRICING, PRINTING, Choice, Pricing, Printing
from rocspace.cli.reading import read
from rocspace.cli.rules import plain_rule, short_rule
from rocspace.combine.mixtures import RulePath, path_of
from rocspace.hull.convex import RocHull, roc_hull
from rocspace.io.tables import FileTables
from rocspace.report.plain import plain

EXAMPLES = (
    "rocspace hull adult_scores",
    "rocspace hull scores.csv --label y --cost-fn 10 --prevalence 0.05 --json",
)


def hull(
    file: str,
    /,
    *,
    pricing: Pricing = PRICING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the convex hull of all scores: which thresholds can be optimal, and when.

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
    path = path_of(
        whole, higher_is_positive={n: t.higher_is_positive for n, t in found.tables.items()}
    )
    best = None
    if pricing != PRICING:
        first = next(iter(found.tables.values()))
        said = pricing.prevalence
        best = path.optimal(costs.iso_performance_slope(first.prevalence if said is None else said))
    write(
        as_json(_plain_hull(found, whole, path, best))
        if printing.json
        else _hull_text(found, whole, path, best),
        printing.output,
    )


def _plain_hull(
    found: FileTables, whole: RocHull, path: RulePath, best: int | None
) -> dict[str, Any]:
    return {
        "schema": "rocspace.hull/1",
        "source": found.source,
        "area": whole.auc,
        "areas": {name: roc_hull({name: table}).auc for name, table in found.tables.items()},
        "vertices": [
            {
                "fpr": float(whole.fpr[part.vertex]),
                "tpr": float(whole.tpr[part.vertex]),
                "rule": plain_rule(path.rules[part.vertex], found.tables),
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
    areas = [(name, share(roc_hull({name: t}).auc)) for name, t in found.tables.items()]
    if len(areas) > 1:
        areas.append(("all together", share(whole.auc)))
    return f"{table_text(header, rows)}\n{table_text(('hull of', 'area'), areas)}"
