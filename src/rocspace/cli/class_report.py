"""The report of more than two classes: a page, tables, or figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rocspace._base.progress import Elapsed
from rocspace.cli.classes import classes_text
from rocspace.cli.console import printable, write
from rocspace.cli.figures import write_all
from rocspace.cli.options import Printing
from rocspace.cli.reading import FoundClasses
from rocspace.multiclass.cases import MulticlassScores
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
    if to == "pdf-figures" and output is not None:
        write_all(_figures(found.data, level), output)
    elif to == "md":
        write(_paper_tables(found.data, level, title) + "\n", output)
    elif to == "json":
        write(printing.in_json(summary), output)
    elif output is not None:
        from rocspace.report import render_html

        write(render_html(summary, title=title), output)
    if printing.as_json:
        write(printing.in_json(summary))
    elif output not in (None, "-") and to not in ("md", "json"):
        for warning in summary["warnings"]:
            if warning["code"] != "dropped_rows":  # that has been said
                of = "" if warning["score"] is None else f"{warning['score']}: "
                printing.note(f"{of}{warning['message']}")
        described = {"level": level, **{key: summary[key] for key in ("classes", "classifiers")}}
        write(f"{classes_text(found, described)}\n{printable(str(output))}\n")


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
