"""rocspace rank: very many columns by how well each alone tells the classes apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter

from rocspace._base.arrays import Array, Mask
from rocspace._base.text import adjusted, in_ascii
from rocspace.cli.console import (
    count,
    estimate,
    heading,
    interval_title,
    pvalue,
    table_text,
)
from rocspace.cli.figures import save_figure
from rocspace.cli.options import CHOICE, PRINTING, Choice, Files, Printing, Whole, check_least
from rocspace.cli.reading import FoundRanking, label_is, read_by
from rocspace.compare.multiplicity import Adjustment
from rocspace.compare.screening import rank_features
from rocspace.io.cases import FileCases, Reading
from rocspace.report.plain import plain_list


def rank(
    file: Files,
    /,
    *,
    top: Whole = 20,
    at: float = 0.05,
    adjust: Annotated[Adjustment, Parameter(show_choices=True)] = "benjamini-hochberg",
    level: float = 0.95,
    figure: str | None = None,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print which of very many columns tell the classes apart, the smallest p value first.

    For screening, as of genes: each column alone, in either direction, with p values adjusted for
    the number of columns. With --missing omit each column leaves out the cases that lack it.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    top
        How many columns to print; --json gives all of them.
    at
        Largest adjusted p value of columns that count as found.
    adjust
        How p values are adjusted for the number of columns.
    level
        Confidence level of the interval of each area.
    figure
        Also draw a volcano plot, to a .png, .svg or .pdf file.

    Examples
    --------
    rocspace rank genes.csv --label ill
    rocspace rank genes.parquet --label ill --top 100 --figure volcano.png
    rocspace rank genes.csv --label ill --adjust holm --json
    """
    printing.check(file, figure, level=level)
    check_least("--top", top, 1)
    wrong = {"--weight": choice.weight, "--lower-is-positive": choice.lower_is_positive}
    if given := [option for option, value in wrong.items() if value is not None]:
        msg = f"rank counts cases and finds directions, so it goes without {given[0]}."
        raise ValueError(msg)
    found = read_by(partial(_ranked, adjustment=adjust, level=level), file, choice, printing)
    described = _described(found, at) if printing.as_json else {}
    printing.answer(described, lambda: _ranking_text(found, top, at))
    if figure is not None:
        from rocspace.plot import plot_volcano

        def draw(canvas: Any) -> None:
            plot_volcano(found.ranked, ax=canvas.subplots(), at=at)

        save_figure(figure, draw, printing, panels=1)


class _Kept:
    """Keeps the values of each class of one column."""

    def __init__(self) -> None:
        self.parts: list[tuple[Array, Array]] = []

    def update(self, *columns: Any) -> None:
        """Take a batch."""
        positive: Mask = columns[0]
        values: Array = np.asarray(columns[1])
        self.parts.append((values[positive], values[~positive]))

    def by_class(self) -> list[Array]:
        """Return the values of the positives and of the negatives."""
        return [np.concatenate(part) for part in zip(*self.parts, strict=True)]


def _ranked(
    path: list[str],
    *,
    adjustment: Adjustment,
    level: float,
    higher_is_positive: Mapping[str, bool],
    reading: Reading,
    **columns: Any,
) -> FoundRanking:
    """Read a file and rank its columns; each has the cases that do not lack it."""
    del higher_is_positive  # refused before
    cases = FileCases(path, weight=None, reading=reading, **columns)
    kept = {name: _Kept() for name in cases.scores}
    cases.read(kept, reading.progress)
    cases.count.check_some()
    by_class = {name: each.by_class() for name, each in kept.items()}
    most = [max(each[c].size for each in by_class.values()) for c in (0, 1)]
    filled = {
        name: np.concatenate([_filled(own, n) for own, n in zip(each, most, strict=True)])
        for name, each in by_class.items()
    }
    label = np.repeat([True, False], most)
    ranked = rank_features(filled, label, missing="omit", adjustment=adjustment, level=level)
    return FoundRanking(ranked=ranked, source=cases.described(dict.fromkeys(kept, "exact")))


def _filled(values: Array, n: int) -> Array:
    """Return values with as many NaN behind them as make n."""
    if values.size == n:
        return values
    return np.append(values.astype(np.float64), np.full(n - values.size, np.nan))


def _described(found: FoundRanking, at: float) -> dict[str, Any]:
    ranked = found.ranked
    columns = ("auc", "se", "low", "high", "pvalue", "adjusted_pvalue", "n_pos", "n_neg")
    return {
        "schema": "rocspace.ranking/1",
        "source": found.source,
        "level": ranked.level,
        "adjustment": ranked.adjustment,
        "at": at,
        "found": len(ranked.found(at)),
        "columns": {
            "name": list(ranked.names),
            **{name: plain_list(getattr(ranked, name)) for name in columns},
            "direction": ["higher" if up else "lower" for up in ranked.rises],
        },
    }


def _ranking_text(found: FoundRanking, top: int, at: float) -> str:
    ranked, n = found.ranked, len(found.ranked)
    rows = []
    for i, name in enumerate(ranked.names[:top]):
        ends = (float(column[i]) for column in (ranked.auc, ranked.low, ranked.high))
        p = [pvalue(float(column[i])) for column in (ranked.pvalue, ranked.adjusted_pvalue)]
        way = "higher" if ranked.rises[i] else "lower"
        rows.append((name, *estimate(*ends), way, *p))
    header = ("column", "AUC", interval_title(ranked.level), "positive is", "p")
    by = in_ascii(adjusted(ranked.adjustment)).partition(", ")[2]
    text = table_text((*header, "adjusted p" if by else "not adjusted"), rows, left=(0, 3))
    said = f"{found.source['file']}, {label_is(found.source)}"
    known = f"{count(len(ranked.found(at)))} of {count(n)} columns at {at:g}"
    more = f"\nand {count(n - top)} more (--top)\n" if n > top else ""
    how = f"\nAdjusted for the number of columns: {by} (--adjust).\n" if by else ""
    return f"{heading(f'{said}, {known}')}\n\n{text}{more}{how}"
