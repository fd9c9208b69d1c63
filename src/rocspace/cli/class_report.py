"""The report of more than two classes: a page, tables, or figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rocspace._base.progress import Elapsed
from rocspace.cli.classes import classes_text, ordered_text, plain_ordered
from rocspace.cli.console import printable, write
from rocspace.cli.figures import write_all
from rocspace.cli.options import Printing
from rocspace.cli.tokens import UNNAMED
from rocspace.multiclass.cases import MulticlassScores
from rocspace.multiclass.files import FileClasses, FileOrdered
from rocspace.report.cases import class_tables, ordered_tables
from rocspace.report.figures import class_figures, ordered_figures


def report_classes(
    found: FileClasses,
    printing: Printing,
    *,
    output: str | None,
    title: str | None,
    level: float,
    to: str,
    cost_matrix: str | None = None,
    explored: str | None = None,
) -> None:
    """Write what was asked for, and print the areas beside a page or figures."""
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import More, summarise

        costs = None if cost_matrix is None else _costs(cost_matrix, found.data)
        more = More(costs=costs, explored=_explored(explored, found.data))
        source = found.source | {"columns": found.columns}
        summary = summarise(found.data, more=more, source=source, level=level)
    made = Made(
        summary,
        lambda: class_figures(found.data, level),
        lambda: class_tables(found.data, level, title=title),
        title,
    )
    if _write(made, printing, output, to):
        described = {"level": level, **{key: summary[key] for key in ("classes", "classifiers")}}
        write(f"{classes_text(found, described)}\n{printable(str(output))}\n")


def report_ordered(
    found: FileOrdered,
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
        lambda: ordered_figures(data, level),
        lambda: ordered_tables(data, level, title=title),
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


def _explored(name: str | None, data: MulticlassScores) -> str | None:
    if name is not None and name not in data.names:
        msg = f"--explored {name!r} is not a classifier. There are {', '.join(data.names)}."
        raise ValueError(msg)
    return name


def _costs(path: str, data: MulticlassScores) -> Any:
    from rocspace.cli.choices import named_costs, read_costs

    return named_costs(read_costs(path), data, path)
