"""Tables of records, such as rows of a csv file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace.report.paper.parts import PaperTable, table_of
from rocspace.results.interval import Interval


@explained
def records_table(records: Sequence[Mapping[str, Any]], *, caption: str = "") -> PaperTable:
    """Tabulate records, such as rows of measured coverage.

    Parameters
    ----------
    records : sequence of mapping
        All with the keys of the first; numbers get three significant digits.
    caption : str
        What it shows.

    Returns
    -------
    PaperTable
        One row for each record.

    Raises
    ------
    ValueError
        If there is no record.

    References
    ----------
    No source: a layout.

    Examples
    --------
    >>> rows = [{"method": "delong", "covered": 0.9512}]
    >>> records_table(rows, caption="Coverage").parts[0].rows
    (('delong', '0.951'),)
    """
    if not records:
        msg = "There are no records. Give at least one mapping, such as a row of a csv file."
        raise ValueError(msg)
    header = tuple(map(str, records[0]))
    rows = [tuple(_text(record.get(key)) for key in records[0]) for record in records]
    return table_of(caption, header, rows)


def _text(value: Any) -> str:
    if value is None:
        return words.NOTHING
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int):
        return words.count(value)
    if isinstance(value, Interval):
        return words.interval(value.low, value.high)
    return words.general(float(value)) if hasattr(value, "__float__") else str(value)
