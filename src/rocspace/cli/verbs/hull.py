"""rocspace hull: the convex hull of all scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rocspace._base.text import share
from rocspace.cli.console import ratio, shares, table_text
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRICING, PRINTING, Choice, Files, Pricing, Printing
from rocspace.cli.reading import read
from rocspace.cli.rules import described_rules
from rocspace.cli.tables import draw_tables
from rocspace.combine.mixtures import path_of
from rocspace.counts.table import ScoreTable
from rocspace.hull.convex import RocHull, roc_hull
from rocspace.report.plain import plain


def hull(
    file: Files,
    /,
    *,
    figure: str | None = None,
    pricing: Pricing = PRICING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the convex hull of all scores: the thresholds that can be optimal.

    A point below the hull is not optimal for any costs and prevalence. Each row is optimal while
    cost_fp (1 - prevalence) / (cost_fn prevalence) lies between its two slopes. With costs or a
    prevalence, the best row for them is marked.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    figure
        Draw the curves and their hull into this file (.png, .svg or .pdf).

    Examples
    --------
    rocspace hull adult_scores
    rocspace hull scores.csv --label y --cost-fn 10 --prevalence 0.05 --json
    """
    printing.check(file, figure)
    costs = pricing.costs
    found = read(file, choice, printing)
    whole = roc_hull(found.tables)
    path = path_of(
        whole, higher_is_positive={n: t.higher_is_positive for n, t in found.tables.items()}
    )
    best = None
    if pricing != PRICING:
        first = next(iter(found.tables.values()))
        said = pricing.prevalence
        best = path.optimal(costs.iso_performance_slope(first.prevalence if said is None else said))
    rules = described_rules(path, found.tables)
    described: dict[str, Any] = {
        "schema": "rocspace.hull/1",
        "source": found.source,
        "area": whole.auc,
        "areas": {name: roc_hull({name: table}).auc for name, table in found.tables.items()},
        "vertices": [
            {
                **rules[part.vertex],
                "slopes": {"low": plain(part.low), "high": plain(part.high)},
                "best": None if best is None else part.vertex == best,
            }
            for part in whole.ranges()
        ],
    }
    printing.answer(described, lambda: _hull_text(described))
    marked = None if best is None else rules[best]
    draw = partial(_draw, found.tables, whole, marked)
    save_figure(figure, draw, printing, panels=1, names=len(found.tables) + 1)


def _draw(
    tables: Mapping[str, ScoreTable], whole: RocHull, best: Mapping[str, Any] | None, canvas: Any
) -> None:
    """Draw the curves, the hull around them, and the best of its vertices."""
    from rocspace.plot import add_points, plot_hull
    from rocspace.plot.axes import INK, shade

    ax = draw_tables(tables, canvas)
    look: dict[str, Any] = {"color": shade(ax, INK), "linestyle": "-", "linewidth": 0.8}
    plot_hull(whole, ax=ax, label=f"hull (AUC {share(whole.auc)})", **look)
    if best is not None:
        add_points({best["text"]: (best["fpr"], best["tpr"])}, ax=ax)


def _slopes(low: Any, high: Any) -> str:
    """Show a range of slopes, which of a rule that calls all or none may be a single one."""
    one, both = ratio(low, low, high)
    return one if low == high else both


def _hull_text(described: dict[str, Any]) -> str:
    vertices = described["vertices"]
    rates = [shares([each[rate] for each in vertices]) for rate in ("fpr", "tpr")]
    rows: list[tuple[Any, ...]] = [
        (each["text"], fpr, tpr, _slopes(**each["slopes"]), "best" if each["best"] else "")
        for each, fpr, tpr in zip(vertices, *rates, strict=True)
    ]
    header = ["rule", "fpr", "tpr", "best for slopes", ""]
    if described["vertices"][0]["best"] is None:
        header, rows = header[:-1], [row[:-1] for row in rows]
    areas = [*described["areas"].items()]
    if len(areas) > 1:
        areas.append(("all together", described["area"]))
    rules = table_text(header, rows, among=described["areas"])
    return f"{rules}\n{table_text(('hull of', 'area'), areas)}"
