"""rocspace noise: areas of the true classes, where a share of the labels is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from rocspace.cli.console import estimate_of, heading, interval, interval_title, share, table_text
from rocspace.cli.figures import save_panels
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing
from rocspace.cli.reading import read
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import roc_curve
from rocspace.designs.noise import (
    DenoisedBounds,
    denoised_auc_bounds,
    denoised_band,
    denoised_curve,
)
from rocspace.report.plain import plain, plain_estimate, plain_interval


def noise(
    file: Files,
    /,
    *,
    wrong_positives: str = "0",
    wrong_negatives: str = "0",
    level: float = 0.95,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print the areas of the true classes, where a share of the labels is wrong.

    Give one share where it is known, or two with a comma between, as in 0,0.1, where it lies
    between them; then the area is a range, and its interval holds for every share in it. Where the
    negatives are unlabelled cases, the share of positives among them is --wrong-negatives.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    wrong_positives
        Share of the cases labelled positive that are negative.
    wrong_negatives
        Share of the cases labelled negative that are positive.
    level
        Confidence level of each interval.
    figure
        Also draw the areas against the share of wrong labels or, where the shares are known, the
        corrected curves in their bands, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace noise a.csv --label y --wrong-positives 0.05 --wrong-negatives 0,0.1
    rocspace noise known.csv --label known --score p --wrong-negatives 0.2
    """
    printing.check(file, figure, level=level)
    given = {
        "--wrong-positives": wrong_positives,
        "--wrong-negatives": wrong_negatives,
    }
    pos, neg = (_shares(option, text) for option, text in given.items())
    found = read(file, choice, printing)
    if pos == neg == (0.0, 0.0):
        printing.note(
            "No label is said to be wrong, so nothing is corrected. Say how many are, as in "
            "--wrong-negatives 0.1."
        )
    known = pos[0] == pos[1] and neg[0] == neg[1]
    bounds = {
        name: denoised_auc_bounds(table, pos=pos, neg=neg) for name, table in found.tables.items()
    }
    described: dict[str, Any] = {
        "schema": "rocspace.noise/1",
        "source": found.source,
        "level": level,
        "wrong_positives": list(pos),
        "wrong_negatives": list(neg),
        "scores": [_of_score(name, ends, level, known=known) for name, ends in bounds.items()],
    }
    for each in described["scores"]:
        if each["clipped"]:
            printing.note(
                f"{each['name']}: an area beyond 0 or 1 is cut; fewer labels must be wrong"
            )
    printing.answer(described, lambda: _text(described))
    draw = partial(_draw_curve, found.tables, pos, neg, level) if known else partial(_draw, level)
    save_panels(figure, bounds, draw, printing)


def _of_score(name: str, ends: DenoisedBounds, level: float, *, known: bool) -> dict[str, Any]:
    """Describe the areas of a score; the shares of wrong labels are known, or in ranges."""
    return {
        "name": name,
        "auc": plain_estimate(ends.least, level) if known else None,
        "low": plain(ends.low),
        "high": plain(ends.high),
        "interval": plain_interval(ends.interval(level)),
        "clipped": ends.least.clipped or ends.most.clipped,
        "as_labelled": plain_estimate(ends.observed_area, level),
    }


def _draw(level: float, ax: Any, _: str, ends: DenoisedBounds) -> None:
    """Draw the areas against the shares of wrong labels."""
    from rocspace.plot import plot_denoised

    plot_denoised(ends, ax=ax, level=level)


def _draw_curve(
    tables: Mapping[str, ScoreTable],
    pos: tuple[float, float],
    neg: tuple[float, float],
    level: float,
    ax: Any,
    name: str,
    ends: DenoisedBounds,
) -> None:
    """Draw the corrected curve in its band, and that of the labels as they are."""
    from rocspace.plot import plot_corrected

    table = tables[name]
    band = None if table.is_weighted else denoised_band(table, pos=pos, neg=neg, level=level)
    curve = denoised_curve(table, ends.least.noise)
    plot_corrected(curve, uncorrected=roc_curve(table), band=band, ax=ax)


def _shares(option: str, text: str) -> tuple[float, float]:
    """Return the least and the largest share."""
    try:
        ends = [float(each) for each in text.split(",")]
    except ValueError:
        ends = []
    if not 1 <= len(ends) <= 2 or not 0 <= ends[0] <= ends[-1] < 1:
        msg = f"{option} is {text!r}, but must be a share below 1, or two in order, as in 0,0.1."
        raise ValueError(msg)
    return ends[0], ends[-1]


def _text(described: dict[str, Any]) -> str:
    title = interval_title(described["level"])
    header = ("score", "AUC", title, "as labelled", title)
    rows = []
    for each in described["scores"]:
        if each["auc"] is None:
            ends = each["interval"]
            area = (interval(each["low"], each["high"]), interval(ends["low"], ends["high"]))
        else:
            area = estimate_of(each["auc"])
        rows.append((each["name"], *area, *estimate_of(each["as_labelled"])))
    shares = [
        " to ".join(share(x) for x in dict.fromkeys(described[key]))
        for key in ("wrong_positives", "wrong_negatives")
    ]
    head = f"wrong: {shares[0]} of those labelled positive, {shares[1]} of those labelled negative"
    return f"{heading(head)}\n\n{table_text(header, rows)}"
