"""rocspace granular: areas where near scores cannot be told apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.text import brief
from rocspace.cli.console import number, table_text
from rocspace.cli.figures import save_panels
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Numbers, Printing
from rocspace.cli.reading import read
from rocspace.counts.table import ScoreTable
from rocspace.granular.curve import granular_areas, groc, rho_integrals
from rocspace.plot.files import literal
from rocspace.report.plain import plain_fields

_COLUMNS = ("delta", "auc_low", "auc_high", "approximation_ratio", "lambda_auc")


def granular(
    file: Files,
    /,
    *,
    delta: Numbers = None,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the areas of the granular ROC, where close scores are indistinguishable.

    For each granularity the lower and the upper area, their ratio lambda, and lambda times the
    area; then rho, over all granularities from 0 to 1 (scores are scaled to [0, 1] for it).

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    delta
        Granularity: scores closer than this are indistinguishable; can be repeated. By default
        0.01, 0.02, 0.05 and 0.1 of the range of each score.
    figure
        Also draw the curves of the first granularity, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace granular two_class_example --delta 0.02
    rocspace granular scores.csv --delta 0.01 --delta 0.05 --figure groc.svg
    """
    printing.check(file, figure)
    found = read(file, choice, printing)
    deltas = {name: delta or _usual(table) for name, table in found.tables.items()}
    show = printing.progress
    areas = {
        name: granular_areas(t, deltas[name], progress=show) for name, t in found.tables.items()
    }
    rhos = {name: rho_integrals(table, progress=show) for name, table in found.tables.items()}
    described: dict[str, Any] = {
        "schema": "rocspace.granular/1",
        "source": found.source,
        "scores": [
            {"name": name, **plain_fields(areas[name], "auc", *_COLUMNS)}
            | plain_fields(rhos[name], "rho", "rho_auc")
            for name in areas
        ],
    }

    def draw(ax: Any, name: str, table: ScoreTable) -> None:
        from rocspace.plot import plot_granular

        plot_granular(groc(table, deltas[name][0]), ax=ax)
        ax.set_title(f"{literal(name)}, δ = {number(deltas[name][0])}")

    printing.answer(described, lambda: _areas_text(described["scores"]))
    save_panels(figure, found.tables, draw, printing)


def _usual(table: ScoreTable) -> list[float]:
    finite = table.score[np.isfinite(table.score.astype(np.float64))]
    span = float(finite.max() - finite.min()) if finite.size else 0.0
    return [float(brief(share * span)) for share in (0.01, 0.02, 0.05, 0.1)]


def _areas_text(scores: list[dict[str, Any]]) -> str:
    rows = [
        (*((each["name"], each["auc"]) if i == 0 else ("", "")), f"{delta:g}", *areas)
        for each in scores
        for i, (delta, *areas) in enumerate(zip(*(each[c] for c in _COLUMNS), strict=True))
    ]
    header = ("score", "AUC", "delta", "lower AUC", "upper AUC", "lambda", "lambda AUC")
    last = [(each["name"], each["rho"], each["rho_auc"]) for each in scores]
    return f"{table_text(header, rows)}\n{table_text(('score', 'rho', 'rho AUC'), last)}"
