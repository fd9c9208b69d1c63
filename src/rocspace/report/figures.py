"""The figures of a report, as files that a paper can take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.inference.area import delong
from rocspace.io.cases import label_text
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.plot.files import literal
from rocspace.report.cases import ReportCases
from rocspace.report.sections.groups import group_tables


def _alone(draw: Callable[..., Any], canvas: Any) -> None:
    draw(ax=canvas.add_subplot())


def figures_of(
    found: ReportCases, summary: Mapping[str, Any]
) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Yield the name of each figure of a report, and what draws it on a canvas."""
    for name, draw in _figures(found, summary):
        yield name, partial(_alone, draw)


def _figures(
    found: ReportCases, summary: Mapping[str, Any]
) -> Iterator[tuple[str, Callable[..., Any]]]:
    from rocspace import plot
    from rocspace.bands.api import roc_band
    from rocspace.compare.areas import compare_aucs
    from rocspace.costs.curves import cost_curve
    from rocspace.curves.det import det_curve
    from rocspace.curves.pr import pr_curve

    level, tables = summary["settings"]["level"], found.tables
    kinds: dict[str, tuple[Callable[..., Any], Callable[[ScoreTable], Any]]] = {
        "roc": (plot.plot_roc, roc_curve),
        "pr": (plot.plot_pr, pr_curve),
        "det": (plot.plot_det, det_curve),
        "cost": (plot.plot_cost_curve, cost_curve),
    }
    for kind, (draw, curve_of) in kinds.items():
        curves = {name: curve_of(table) for name, table in tables.items()}
        yield kind, partial(_draw_all, draw, curves)
    # Names of columns may be anything; those of files are not.
    for i, (name, table) in enumerate(tables.items(), 1):
        if any(band["error"] is None for band in summary["scores"][i - 1]["bands"][:1]):
            band = roc_band(table, level=level)
            yield f"band-{i}", partial(_draw_band, name, roc_curve(table), band)
        yield f"scores-{i}", partial(draw_scores, name, table, class_names(found.source))
        if found.data is not None and found.group is not None:
            own = group_tables(found.data, name, found.group)
            yield f"groups-{i}", partial(_draw_groups, name, own, level)
    if found.data is not None and len(found.data.names) > 1:
        yield "comparison", partial(plot.plot_comparison, compare_aucs(found.data), level=level)


def _draw_all(draw: Callable[..., Any], curves: dict[str, Any], *, ax: Any) -> None:
    from rocspace.plot import label_lines

    for name, curve in curves.items():
        draw(curve, ax=ax, label=literal(name))
    if len(curves) > 1:
        label_lines(ax)


def class_names(source: Mapping[str, Any]) -> tuple[str, str]:
    """Name the classes as the file does: the positive label, and the other one if there is one."""
    label, positive = source["label"], label_text(source["positive"])
    known = {positive, str(source["positive"])}
    others = [each for each in source.get("labels") or () if each not in known]
    other = label_text(others[0]) if len(others) == 1 else f"not {positive}"
    return literal(f"{label} = {positive}"), literal(f"{label} = {other}")


def draw_scores(name: str, table: ScoreTable, classes: tuple[str, str], *, ax: Any) -> None:
    """Draw the distributions of a score under its name."""
    from rocspace import plot

    plot.plot_scores(table, ax=ax, classes=classes)
    ax.set_xlabel(literal(name))


def _draw_groups(name: str, tables: Mapping[str, ScoreTable], level: float, *, ax: Any) -> None:
    """Draw the area of each group that has both classes, and its interval."""
    from rocspace import plot

    both = {group: each for group, each in tables.items() if each.n_pos and each.n_neg}
    areas = {literal(group): delong(each) for group, each in both.items()}
    plot.plot_forest(areas, ax=ax, level=level).set_title(literal(name))


def _draw_band(name: str, curve: RocCurve, band: Any, *, ax: Any) -> None:
    from rocspace import plot

    plot.plot_roc(curve, ax=ax, label=literal(name))
    plot.plot_band(band, ax=ax)
    ax.set_title(literal(name))


# --- several classes ----------------------------------------------------------------------------


def class_figures(
    data: MulticlassScores, level: float
) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the name of each figure, and what draws it; names of classifiers may be anything."""
    from rocspace import plot
    from rocspace.multiclass.several import compare_classifiers

    for i, name in enumerate(data.names, 1):
        for kind, draw in (
            ("one-vs-rest", plot.plot_one_vs_rest),
            ("pairs", plot.plot_pairwise),
        ):
            yield f"{kind}-{i}", partial(_of_classifier, draw, data, name, level)
        yield f"pair-curves-{i}", partial(_square, data, name, level)
    if len(data.names) > 1:
        compared = compare_classifiers(data)
        yield (
            "comparison",
            lambda canvas: plot.plot_comparison(compared, ax=canvas.subplots(), level=level),
        )


def _of_classifier(
    draw: Callable[..., Any], data: MulticlassScores, name: str, level: float, canvas: Any
) -> None:
    ax = draw(data, name, ax=canvas.subplots(), level=level)
    if len(data.names) > 1:
        ax.set_title(literal(name))


def _square(data: MulticlassScores, name: str, level: float, canvas: Any) -> None:
    from rocspace.plot import plot_pairwise_curves

    canvas.set_size_inches(7.0, 7.0)
    plot_pairwise_curves(data, name, figure=canvas, level=level)


def ordered_figures(
    data: OrderedScores, level: float
) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the surface of each marker where there are three classes, and their comparison."""
    from rocspace import plot
    from rocspace.multiclass.pairs import pairwise_areas
    from rocspace.multiclass.several import compare_classifiers

    if len(data.classes) == 3:
        for i, name in enumerate(data.names, 1):
            yield f"surface-{i}", partial(_surface, data, name)
    for i, name in enumerate(data.names, 1):
        pairs = pairwise_areas(data, name)
        yield f"pairs-{i}", partial(_of_pairs, pairs, name, level)
    if len(data.names) > 1:
        compared = compare_classifiers(data, measure="vus")
        yield (
            "comparison",
            lambda canvas: plot.plot_comparison(compared, ax=canvas.subplots(), level=level),
        )


def _of_pairs(pairs: Any, name: str, level: float, canvas: Any) -> None:
    from rocspace.plot import plot_pairwise

    plot_pairwise(pairs, ax=canvas.subplots(), level=level).set_title(literal(name))


def _surface(data: OrderedScores, name: str, canvas: Any) -> None:
    from rocspace.multiclass.surfaces import best_cuts
    from rocspace.plot import plot_surface

    canvas.set_size_inches(9.0, 3.8)
    plot_surface(data, name, cuts=best_cuts(data, name), figure=canvas)
