"""The commands that judge scores by more than their order: granular, select."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.checks import nearest
from rocspace.cli._commands import _examples, app
from rocspace.cli._console import as_json, check_output, share, table_text, write
from rocspace.cli._figures import check_figure, save_figure
from rocspace.cli._options import Choice, Numbers, Printing, Several, read, shown
from rocspace.cli._same_cases import FoundCases, read_cases
from rocspace.counts.paired import PairedScores, take_cases
from rocspace.counts.table import ScoreTable
from rocspace.granular.curve import GranularAreas, RhoIntegrals, granular_areas, groc, rho_integrals
from rocspace.granular.pairwise import prob_auc, scored_auc, soft_auc
from rocspace.measures.facts import SUMMARIES
from rocspace.report.plain import plain, plain_list
from rocspace.select.choose import ModelChoice, named_measure, rank_correlation, select_model
from rocspace.select.trials import TableMeasure

_CHOICE = Choice()
_PRINTING = Printing()


# --- granular -------------------------------------------------------------------------------------


@app.command(
    help_epilogue=_examples(
        "rocspace granular two_class_example --delta 0.02",
        "rocspace granular scores.csv --label y --delta 0.01 --delta 0.05 --figure groc.svg",
    )
)
def granular(
    file: str,
    /,
    *,
    delta: Numbers = None,
    figure: str | None = None,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print the areas of the granular ROC: what is left if near scores cannot be told apart.

    For each granularity the lower and the upper area, their ratio lambda, and lambda times the
    area; then rho, over all granularities from 0 to 1 (scores are scaled to [0, 1] for it).

    Parameters
    ----------
    file
        The file to read.
    delta
        Two scores nearer than this cannot be told apart; repeat it for several. By default
        0.01, 0.02, 0.05 and 0.1 of the range of each score.
    figure
        Also draw the curves of the first granularity, to a .png, .svg or .pdf file.
    """
    check_output(printing.output, file)
    check_figure(figure, file)
    found = read(file, choice, quiet=printing.quiet)
    deltas = {name: delta or _usual(table) for name, table in found.tables.items()}
    show = shown(printing.quiet)
    areas = {
        name: granular_areas(t, deltas[name], progress=show) for name, t in found.tables.items()
    }
    rhos = {name: rho_integrals(table, progress=show) for name, table in found.tables.items()}
    if printing.json:
        described = {
            "schema": "rocspace.granular/1",
            "source": found.source,
            "scores": [_plain_areas(name, areas[name], rhos[name]) for name in areas],
        }
        write(as_json(described), printing.output)
    else:
        write(_areas_text(areas, rhos), printing.output)

    def draw(canvas: Any) -> None:
        from rocspace.plot import plot_granular

        axes = np.atleast_1d(canvas.subplots(1, len(areas)))
        for ax, (name, table) in zip(axes, found.tables.items(), strict=True):
            plot_granular(groc(table, deltas[name][0]), ax=ax)
            ax.set_title(f"{name}, δ = {deltas[name][0]:g}")

    save_figure(figure, draw, panels=len(areas), quiet=printing.quiet)


def _usual(table: ScoreTable) -> list[float]:
    finite = table.score[np.isfinite(table.score.astype(np.float64))]
    span = float(finite.max() - finite.min()) if finite.size else 0.0
    return [float(f"{share * span:.6g}") for share in (0.01, 0.02, 0.05, 0.1)]


def _plain_areas(name: str, areas: GranularAreas, rho: RhoIntegrals) -> dict[str, Any]:
    columns = ("delta", "auc_lower", "auc_upper", "approximation_ratio", "lambda_auc")
    return {
        "name": name,
        "auc": plain(areas.auc),
        **{column: plain_list(getattr(areas, column)) for column in columns},
        "rho": plain(rho.rho),
        "rho_auc": plain(rho.rho_auc),
    }


def _areas_text(areas: dict[str, GranularAreas], rhos: dict[str, RhoIntegrals]) -> str:
    rows = []
    for name, found in areas.items():
        columns = (found.auc_lower, found.auc_upper, found.approximation_ratio, found.lambda_auc)
        for i, delta in enumerate(found.delta):
            first = (name, share(float(found.auc))) if i == 0 else ("", "")
            values = (share(plain(column[i])) for column in columns)
            rows.append((*first, f"{delta:g}", *values))
    header = ("score", "AUC", "delta", "lower AUC", "upper AUC", "lambda", "lambda AUC")
    last = [(name, share(plain(r.rho)), share(plain(r.rho_auc))) for name, r in rhos.items()]
    return f"{table_text(header, rows)}\n{table_text(('score', 'rho', 'rho AUC'), last)}"


# --- select ---------------------------------------------------------------------------------------


def _lambda_auc(table: ScoreTable, delta: float) -> float:
    return float(granular_areas(table, delta, progress=False).lambda_auc[0])


def _rho_auc(table: ScoreTable) -> float:
    return rho_integrals(table, progress=False).rho_auc


_WITH_NUMBER: dict[str, Callable[[float], TableMeasure]] = {
    "lambda_auc": lambda number: partial(_lambda_auc, delta=number),
    "soft_auc": lambda number: partial(soft_auc, beta=number),
}
_OTHERS: dict[str, TableMeasure] = {
    "scored_auc": scored_auc,
    "prob_auc": prob_auc,
    "rho_auc": _rho_auc,
}


@app.command(
    help_epilogue=_examples(
        "rocspace select adult_scores --measure auc --measure lambda_auc:0.02",
        "rocspace select models.csv --label y --test split --measure auc --measure rho_auc",
    )
)
def select(
    file: str,
    /,
    *,
    measure: Several = None,
    test: str | None = None,
    choice: Choice = _CHOICE,
    printing: Printing = _PRINTING,
) -> None:
    """Print which of several scores each measure would choose, and what the choice is worth.

    With --test the choice is made on some of the cases and judged on the others: the area of
    each score there, and how well a measure's order agrees with it.

    Parameters
    ----------
    file
        The file to read.
    measure
        What to choose by, repeated for several: any of rocspace.SUMMARIES, scored_auc, prob_auc,
        rho_auc, lambda_auc:DELTA or soft_auc:BETA. By default auc.
    test
        Column that is test (or 1, or true) for the cases that judge the choice.
    """
    check_output(printing.output, file)
    measures = {name: _measure(name) for name in measure or ["auc"]}
    found = read_cases(file, choice, beside=() if test is None else (test,), quiet=printing.quiet)
    data, held_out = found.data, None
    if test is not None:
        data, held_out = _parted(found, test)
    chosen = select_model(data, measures)
    described = _described(found, chosen, held_out)
    if printing.json:
        write(as_json(described), printing.output)
    else:
        write(_selection_text(described), printing.output)


def _measure(text: str) -> TableMeasure:
    name, colon, number = text.partition(":")
    if name in _WITH_NUMBER:
        try:
            return _WITH_NUMBER[name](float(number))
        except ValueError:
            msg = f"--measure {text!r} needs a number, as in {name}:0.02."
            raise ValueError(msg) from None
    if colon:
        msg = f"--measure {name!r} takes no number. Leave out what follows the colon."
        raise ValueError(msg)
    if name in _OTHERS:
        return _OTHERS[name]
    if name not in SUMMARIES:
        known = (*SUMMARIES, *_OTHERS, *_WITH_NUMBER)
        msg = f"There is no measure {name!r}.{nearest(name, known)}"
        raise ValueError(msg)
    return named_measure(name)


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
                row["spearman"] = plain(rank_correlation(chosen.value[j], tested).value)
        rows.append(row)
    return {
        "schema": "rocspace.selection/1",
        "source": found.source,
        "scores": list(chosen.models),
        "test_auc": None if tested is None else plain_list(tested),
        "measures": rows,
    }


def _shown(measure: str, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a measure as it is known: one of which less is better counted as its negative."""
    less = measure in SUMMARIES and SUMMARIES[measure].better != "higher"
    return -value if less else value


def _selection_text(described: dict[str, Any]) -> str:
    names, rows = described["scores"], described["measures"]
    by_score = [
        (
            name,
            *(share(row["values"][name]) for row in rows),
            *([] if described["test_auc"] is None else [share(described["test_auc"][i])]),
        )
        for i, name in enumerate(names)
    ]
    header = ("score", *(row["measure"] for row in rows))
    if described["test_auc"] is not None:
        header = (*header, "test AUC")
    chosen = []
    for row in rows:
        tied = f" (first of {row['tied']} that tie)" if row["tied"] > 1 else ""
        line = [row["measure"], f"{row['chosen']}{tied}"]
        if described["test_auc"] is not None:
            line += [share(row["test_auc"]), str(row["better"])]
            line += [share(row["spearman"])] if "spearman" in row else []
        chosen.append(line)
    last = ["measure", "chooses"]
    if described["test_auc"] is not None:
        last += ["test AUC", "better ones", *(["Spearman"] if len(names) > 2 else [])]
    return f"{table_text(header, by_score)}\n{table_text(last, chosen, left=(0, 1))}"
