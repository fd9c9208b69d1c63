"""The flow of cases from a file to the analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.frozen import Result
from rocspace.report.paper.parts import PaperTable, table_of


class Flow(Result):
    """How many cases there were, which were left out and why, and which were analysed.

    Attributes
    ----------
    start : tuple of str and int
        What the flow starts with, and how many.
    excluded : tuple of tuple of str and int
        Reasons and numbers, in order; each is out of what the ones before had left.
    end : tuple of tuple of str and int
        What is left, by class.

    See Also
    --------
    flow_of
    """

    start: tuple[str, int]
    excluded: tuple[tuple[str, int], ...]
    end: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        """Return the flow as lines of text."""
        lines = [f"{self.start[0]}: {words.count(self.start[1])}"]
        lines += [f"  |-- left out, {reason}: {words.count(n)}" for reason, n in self.excluded]
        lines += ["  v", f"Analysed: {words.count(sum(n for _, n in self.end))}"]
        return "\n".join([*lines, *(f"  {name}: {words.count(n)}" for name, n in self.end)])

    def _about(self) -> str:
        return f"{self.start[1]:,} of which {sum(n for _, n in self.end):,} were analysed"

    def _card(self) -> Card:
        (part,) = flow_table(self).parts
        return Card(rows={}, header=part.header, table=part.rows)

    def _columns(self) -> dict[str, Any]:
        return {"step": [name for name, _ in self._steps], "cases": [n for _, n in self._steps]}

    @property
    def _steps(self) -> list[tuple[str, int]]:
        left_out = [(f"left out: {why}", n) for why, n in self.excluded]
        return [self.start, *left_out, ("analysed", sum(n for _, n in self.end)), *self.end]


def flow_table(flow: Flow) -> PaperTable:
    """Return a flow as a table of two columns."""
    rows = [(name, words.count(n)) for name, n in flow._steps]
    return table_of("Flow of cases", ("", "Cases"), rows)


@explained
def flow_of(source: Mapping[str, Any], *, n_pos: int, n_neg: int) -> Flow:
    """Flow of cases from a file to the analysis, for the diagram that STARD asks for.

    Parameters
    ----------
    source : mapping
        What was read: ``source`` of `rocspace.io.tabulate_file`, or of a summary.
    n_pos, n_neg : int
        Cases that were analysed.

    Returns
    -------
    Flow
        Print it for text, or pass it to `to_html` or `to_markdown`.

    Raises
    ------
    ValueError
        If the numbers left out and analysed do not add up to the rows, as where several
        scores lack different cases: then make one flow for each score.

    References
    ----------
    Bossuyt et al. (2015), STARD 2015, no numbered equation, for the diagram.

    Examples
    --------
    >>> source = {"rows": 100, "dropped": {"label": 3, "score": 2}}
    >>> print(flow_of(source, n_pos=40, n_neg=55))
    Rows: 100
      |-- left out, no label: 3
      |-- left out, no score: 2
      v
    Analysed: 95
      positive: 40
      negative: 55
    """
    dropped = {name: int(n) for name, n in (source.get("dropped") or {}).items() if n}
    rows = int(source.get("rows", n_pos + n_neg + sum(dropped.values())))
    if rows != n_pos + n_neg + sum(dropped.values()):
        msg = (
            f"{n_pos:,} + {n_neg:,} cases analysed and {sum(dropped.values()):,} left out are not "
            f"the {rows:,} rows. Give counts of cases, and one score at a time."
        )
        raise ValueError(msg)
    return Flow(
        start=("Rows", rows),
        excluded=tuple((f"no {name}", n) for name, n in dropped.items()),
        end=(("positive", n_pos), ("negative", n_neg)),
    )
