"""A table for a paper: texts in parts that have a header each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.cards import Card
from rocspace._base.frozen import Result


class Part(Result):
    """Rows that have a header of their own.

    Attributes
    ----------
    header : tuple of str
        Names of the columns.
    rows : tuple of tuple of str
        Texts, as many in each row as there are columns.

    See Also
    --------
    PaperTable, to_markdown
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _card(self) -> Card:
        return Card(rows={}, header=self.header, table=self.rows)

    def _columns(self) -> dict[str, Any]:
        return dict(zip(self.header, zip(*self.rows, strict=True), strict=True))


class PaperTable(Result):
    """A table of texts, not escaped yet; the first column is left-aligned, the rest right.

    Attributes
    ----------
    caption : str
        What it shows.
    parts : tuple of Part
        One below the other, with as many columns each.
    note : str
        A note below the table.

    See Also
    --------
    areas_table, comparison_table, points_table
    """

    caption: str
    parts: tuple[Part, ...]
    note: str = ""

    def _about(self) -> str:
        return self.caption

    def _card(self) -> Card:
        first, *others = self.parts
        rows = [*first.rows, *(row for part in others for row in (part.header, *part.rows))]
        about = {"Caption": self.caption, "Note": self.note}
        about = {name: text for name, text in about.items() if text}
        return Card(rows=about, header=first.header, table=rows)

    def _columns(self) -> dict[str, Any]:
        """Return the cells one below the other, since each part has columns of its own."""
        cells = [
            (number, row[0], name, text)
            for number, part in enumerate(self.parts, 1)
            for row in part.rows
            for name, text in zip(part.header[1:], row[1:], strict=True)
        ]
        columns = zip(*cells, strict=True)
        return dict(zip(("part", "row", "column", "text"), columns, strict=True))


def table_of(
    caption: str, header: tuple[str, ...], rows: Sequence[tuple[str, ...]], note: str = ""
) -> PaperTable:
    """Return a table of one part."""
    return PaperTable(caption=caption, parts=(Part(header=header, rows=tuple(rows)),), note=note)


def interval_name(level: float) -> str:
    """Return what a column of intervals is called."""
    return f"{words.spaced(words.level_text(level))} CI"
