"""rocspace select: which score each measure would choose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.errors import ArgumentError
from rocspace.cli.console import table_text
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Several, check_apart
from rocspace.cli.reading import read_cases
from rocspace.cli.tables import draw_tables
from rocspace.counts.paired import PairedScores, take_cases
from rocspace.io.kept import FoundCases
from rocspace.measures.facts import SUMMARIES
from rocspace.report.plain import plain, plain_list
from rocspace.select.choose import ModelChoice, named_measures, rank_correlation, select_model


def select(
    file: Files,
    /,
    *,
    measure: Several = None,
    test: str | None = None,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print which of several scores each measure chooses, and how well the choice does.

    With --test the choice is made on some of the cases and judged on the others: the area of
    each score there, and how well a measure's order agrees with it.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    measure
        Measure to choose by; can be repeated. One such as auc, eer or scored_auc, lambda_auc:DELTA
        or soft_auc:BETA. By default auc.
    test
        Column that is test (or 1, or true) for the cases that judge the choice.
    figure
        Also draw the curves of the cases that judge the choice (of all without --test), to a .png,
        .svg or .pdf file.

    Examples
    --------
    rocspace select adult_scores --measure auc --measure lambda_auc:0.02
    rocspace select models.csv --label y --test split --measure rho_auc
    rocspace select models.csv --label y --test split --figure held_out.svg
    """
    printing.check(file, figure)
    measures = _measures(measure or ["auc"])
    found = read_cases(file, choice, printing, beside=() if test is None else (test,))
    data, held_out = found.data, None
    if test is not None:
        data, held_out = _parted(found, test)
    chosen = select_model(data, measures)
    described = _described(found, chosen, held_out)
    printing.answer(described, lambda: _selection_text(described))
    judged = data if held_out is None else held_out
    tables = {name: judged.table(name) for name in judged.names}
    save_figure(figure, partial(draw_tables, tables), printing, panels=1, names=len(tables))


def _measures(names: Sequence[str]) -> dict[str, Any]:
    """Return the measures of these names; say which name is wrong."""
    found: dict[str, Any] = {}
    check_apart("--measure", names, SUMMARIES)
    for name in names:
        try:
            found |= named_measures((name,))
        except ArgumentError as error:
            if ":" not in name:
                raise
            msg = f"--measure {name}: {error}"  # the argument is behind the colon
            raise ValueError(msg) from error
    return found


def _parted(found: FoundCases, test: str) -> tuple[PairedScores, PairedScores]:
    values = [str(value).lower() for value in found.beside[test].tolist()]
    held_out = np.isin(values, ("test", "1", "1.0", "true"))
    if not held_out.any() or held_out.all():
        seen = ", ".join(sorted(set(values))[:5])
        msg = (
            f"Column {test!r} must be test, 1 or true for some cases and not for others; it is "
            f"{seen}."
        )
        raise ValueError(msg)
    return take_cases(found.data, ~held_out), take_cases(found.data, held_out)


def _described(
    found: FoundCases, chosen: ModelChoice, held_out: PairedScores | None
) -> dict[str, Any]:
    tested = None if held_out is None else select_model(held_out, ("auc",)).value[0]
    rows = []
    for j, name in enumerate(chosen.measures):
        values = plain_list(_shown(name, chosen.value[j]))
        row: dict[str, Any] = {
            "measure": name,
            "chosen": chosen.models[chosen.chosen[j]],
            "tied": chosen.n_tied[j],
            "values": dict(zip(chosen.models, values, strict=True)),
        }
        if tested is not None:
            row["test_auc"] = plain(tested[chosen.chosen[j]])
            row["better"] = int((tested > tested[chosen.chosen[j]]).sum())
            if len(chosen.models) > 2:
                row["spearman"] = plain(rank_correlation(chosen.value[j], tested, pvalue="t").value)
        rows.append(row)
    return {
        "schema": "rocspace.selection/1",
        "source": found.source,
        "scores": list(chosen.models),
        "test_auc": None if tested is None else plain_list(tested),
        "measures": rows,
    }


def _shown(measure: str, value: Vector) -> Vector:
    """Undo the sign of a measure that counts as its negative because lower is better."""
    less = measure in SUMMARIES and SUMMARIES[measure].better != "higher"
    return -value if less else value


def _selection_text(described: dict[str, Any]) -> str:
    names, rows, tested = described["scores"], described["measures"], described["test_auc"]
    columns = {row["measure"]: [row["values"][name] for name in names] for row in rows}
    if tested is not None:
        columns["test AUC"] = tested
    by_score = table_text(("score", *columns), zip(names, *columns.values(), strict=True))
    last = {"test AUC": "test_auc", "better ones": "better", "Spearman": "spearman"}
    last = {title: key for title, key in last.items() if key in rows[0]}
    chosen = []
    for row in rows:
        tied = f" (first of {row['tied']} that tie)" if row["tied"] > 1 else ""
        chosen.append(
            (row["measure"], f"{row['chosen']}{tied}", *(row[key] for key in last.values()))
        )
    header = ("measure", "chooses", *last)
    return f"{by_score}\n{table_text(header, chosen, left=(0, 1), names=2, among=names)}"
