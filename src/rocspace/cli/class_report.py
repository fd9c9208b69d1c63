"""The report of more than two classes: a page, tables, or figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rocspace._base.progress import Elapsed
from rocspace.cli.classes import classes_text, ordered_text, plain_ordered
from rocspace.cli.console import estimate_of, interval_title, printable, write
from rocspace.cli.figures import write_all
from rocspace.cli.options import Printing
from rocspace.cli.reading import FoundClasses, FoundOrdered
from rocspace.cli.tokens import UNNAMED
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.multiclass.pairs import pairwise_areas
from rocspace.plot.files import literal
from rocspace.report.markup import markdown_text


def report_classes(
    found: FoundClasses,
    printing: Printing,
    *,
    output: str | None,
    title: str | None,
    level: float,
    to: str,
    cost_matrix: str | None = None,
) -> None:
    """Write what was asked for, and print the areas beside a page or figures."""
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import More, summarise

        more = More(costs=None if cost_matrix is None else _costs(cost_matrix, found.data))
        source = found.source | {"columns": found.columns}
        summary = summarise(found.data, more=more, source=source, level=level)
    made = Made(
        summary,
        lambda: _figures(found.data, level),
        lambda: _paper_tables(found.data, level, title),
        title,
    )
    if _write(made, printing, output, to):
        described = {"level": level, **{key: summary[key] for key in ("classes", "classifiers")}}
        write(f"{classes_text(found, described)}\n{printable(str(output))}\n")


def report_ordered(
    found: FoundOrdered,
    printing: Printing,
    *,
    output: str | None,
    title: str | None,
    level: float,
    to: str,
    lower: list[str] | None = None,
) -> None:
    """Write what was asked for of ordered classes, and print the volumes beside a page or figures.

    `lower` names the scores that were turned.
    """
    data, names = found.data, list(found.data.names)
    turned = names if UNNAMED in (lower or ()) else lower or []
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import summarise

        source = found.source | ({"lower_is_positive": turned} if turned else {})
        summary = summarise(data, source=source, level=level)
    described = plain_ordered(found, level)
    made = Made(
        summary,
        lambda: _ordered_figures(data, level),
        lambda: _ordered_tables(data, described, title),
        title,
    )
    if _write(made, printing, output, to):
        write(f"{ordered_text(found, described)}\n{printable(str(output))}\n")


@dataclass(frozen=True)
class Made:
    """A summary, and what else can be made of its data."""

    summary: dict[str, Any]
    figures: Callable[[], Iterator[tuple[str, Callable[[Any], Any]]]]
    tables: Callable[[], str]
    title: str | None


def _write(made: Made, printing: Printing, output: str | None, to: str) -> bool:
    """Write what was asked for; return whether there is more to print, after its warnings."""
    summary = made.summary
    if to == "pdf-figures" and output is not None:
        write_all(made.figures(), output)
    elif to == "md":
        write(made.tables() + "\n", output)
    elif to == "json":
        write(printing.in_json(summary), output)
    elif output is not None:
        from rocspace.report import render_html

        write(render_html(summary, title=made.title), output)
    if printing.as_json:
        write(printing.in_json(summary))
        return False
    if output in (None, "-") or to in ("md", "json"):
        return False
    for warning in summary["warnings"]:
        if warning["code"] != "dropped_rows":  # that has been said
            of = "" if warning["score"] is None else f"{warning['score']}: "
            printing.note(f"{of}{warning['message']}")
    return True


def _costs(path: str, data: MulticlassScores) -> Any:
    from rocspace.cli.choices import named_costs, read_costs

    return named_costs(read_costs(path), data, path)


def _paper_tables(data: MulticlassScores, level: float, title: str | None) -> str:
    from rocspace.multiclass.several import compare_classifiers
    from rocspace.report import paper as tables

    parts: list[Any] = [tables.classes_table(data, level=level)]
    if len(data.names) > 1:
        parts.append(tables.comparison_table(compare_classifiers(data), level=level))
    parts += [tables.decisions_table(data, name, level=level) for name in data.names]
    head = [] if title is None else [f"# {markdown_text(title)}"]
    return "\n\n".join([*head, *map(tables.to_markdown, parts)])


def _figures(data: MulticlassScores, level: float) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the name of each figure, and what draws it; names of classifiers may be anything."""
    from rocspace import plot
    from rocspace.multiclass.several import compare_classifiers

    for i, name in enumerate(data.names, 1):
        for kind, draw in (
            ("one-vs-rest", plot.plot_one_vs_rest),
            ("pairs", plot.plot_pairwise),
        ):
            yield f"{kind}-{i}", partial(_alone, draw, data, name, level)
        yield f"pair-curves-{i}", partial(_square, data, name, level)
    if len(data.names) > 1:
        compared = compare_classifiers(data)
        yield (
            "comparison",
            lambda canvas: plot.plot_comparison(compared, ax=canvas.subplots(), level=level),
        )


def _alone(
    draw: Callable[..., Any], data: MulticlassScores, name: str, level: float, canvas: Any
) -> None:
    ax = draw(data, name, ax=canvas.subplots(), level=level)
    if len(data.names) > 1:
        ax.set_title(literal(name))


def _square(data: MulticlassScores, name: str, level: float, canvas: Any) -> None:
    from rocspace.plot import plot_pairwise_curves

    canvas.set_size_inches(7.0, 7.0)
    plot_pairwise_curves(data, name, figure=canvas, level=level)


# --- ordered classes --------------------------------------------------------------------------


def _ordered_tables(data: OrderedScores, described: dict[str, Any], title: str | None) -> str:
    from rocspace.multiclass.several import compare_classifiers
    from rocspace.report import paper as tables

    level = described["level"]
    rows = [
        (each["name"], *("{} ({})".format(*estimate_of(each[key])) for key in ("vus", "hand_till")))
        for each in described["scores"]
    ]
    order = " < ".join(each["label"] for each in described["order"])
    table = tables.PaperTable(
        caption=f"Volumes under the ROC surface, {order}",
        parts=(tables.Part(header=("Score", "Volume", "Mean of pairs"), rows=tuple(rows)),),
        note=f"{interval_title(level)} in brackets.",
    )
    parts: list[Any] = [table]
    if len(data.names) > 1:
        compared = compare_classifiers(data, measure="vus")
        parts.append(tables.comparison_table(compared, level=level))
    head = [] if title is None else [f"# {markdown_text(title)}"]
    return "\n\n".join([*head, *map(tables.to_markdown, parts)])


def _ordered_figures(
    data: OrderedScores, level: float
) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield the surface of each marker where there are three classes, and their comparison."""
    from rocspace import plot
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
