"""rocspace merge: areas of counts that were saved apart."""

from __future__ import annotations

from functools import partial

from rocspace._base.checks import check_fraction
from rocspace._base.progress import Elapsed
from rocspace.cli.console import check_output
from rocspace.cli.estimating import AreaScale, Estimating
from rocspace.cli.figures import save_figure
from rocspace.cli.options import PRINTING, Files, Printing, To
from rocspace.cli.outcome import Gate, areas_by_name
from rocspace.cli.states import expanded, read_counts
from rocspace.cli.tables import areas_text, draw_tables, in_papers, note_warnings
from rocspace.stream.archive import save_states


def merge(
    state: Files,
    /,
    *,
    level: float = 0.95,
    scale: AreaScale | None = None,
    figure: str | None = None,
    to: To = "text",
    fail_below: float | None = None,
    save_state: str | None = None,
    printing: Printing = PRINTING,
) -> None:
    """Add up saved counts of several days or sites, and print the areas of all cases.

    Counts are saved by rocspace auc --save-state, or in Python by a Tabulator. The areas are those
    of all cases together, to the last digit. Of .json files, with rows of at least --min-cases
    cases, the exact area lies between certain bounds.

    Parameters
    ----------
    state
        The files of saved counts, all of the same scores, or patterns of their names in quotes.
    level
        Confidence level of the interval.
    scale
        Scale of the interval; by default that with the best measured coverage. "identity" is value
        +- z se, as pROC prints it.
    figure
        Also draw the curves, to a .png, .svg or .pdf file.
    to
        What to print: text, or a table for papers in Markdown, LaTeX or HTML.
    fail_below
        End with exit status 3 if an area is below this, after printing all.
    save_state
        Also write the merged counts to this file.

    Examples
    --------
    rocspace auc monday.parquet --label y --save-state monday.state
    rocspace merge monday.state tuesday.state --save-state week.state
    rocspace merge site-*.json --json
    """
    state = list(expanded(state))
    printing.check(state, figure, level=level)
    if scale is not None and figure is not None:
        msg = "--scale goes without --figure. Leave one of them out."
        raise ValueError(msg)
    check_output(save_state, [], option="--save-state")
    if fail_below is not None:
        check_fraction("--fail-below", fail_below)
    tables, source, merged = read_counts(state)
    if save_state is not None:
        if merged is None:
            msg = "--save-state keeps all counts, which .json files lack. Leave it out."
            raise ValueError(msg)
        save_states(save_state, merged.states, source=merged.source)
    if scale is not None:
        from rocspace.cli.estimates import FoundGroups, plain_estimates, print_estimates

        how, found = Estimating(scale=scale), FoundGroups(tables={"": tables}, source=source)
        described = plain_estimates(found, how, level)
        gate = Gate(fail_below, areas_by_name(described["scores"]))
        print_estimates(gate.told(described), to, printing)
        gate.check()
        return
    with Elapsed("working out the numbers", show=printing.progress):
        from rocspace.report import summarise

        summary = summarise(tables, source=source, level=level)
    gate = Gate(fail_below, areas_by_name(summary["scores"]))
    printing.answer(
        gate.told(summary),
        lambda: areas_text(summary) if to == "text" else in_papers(tables, to, level=level),
    )
    if not printing.as_json:
        note_warnings(summary, printing)
    draw = partial(draw_tables, tables)
    save_figure(figure, draw, printing, panels=1, names=len(tables))
    gate.check()
