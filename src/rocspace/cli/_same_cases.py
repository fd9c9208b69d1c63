"""Several scores of the same cases of a file, for commands that need them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.progress import Counter
from rocspace.cli._console import count, note
from rocspace.cli._options import Choice, columns_of, note_scores, reading_of, shown, source_remarks
from rocspace.counts.paired import PairedScores, pair_scores
from rocspace.counts.table import SingleClassError
from rocspace.io.cases import FileCases


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoundCases:
    """The cases of a file that have all scores.

    Attributes
    ----------
    data : PairedScores
        Their labels, scores and weights.
    beside : dict of str to ndarray
        Further columns of the same cases, by name.
    source : dict
        What was read.
    """

    data: PairedScores
    beside: dict[str, NDArray[Any]]
    source: dict[str, Any]


def read_cases(file: str, choice: Choice, *, beside: Sequence[str] = (), quiet: bool) -> FoundCases:
    """Read all scores of each case, and say on standard error what was not asked for."""
    path, choice, columns = columns_of(file, choice, quiet)
    higher = columns.pop("higher_is_positive")
    with Counter("rows read", show=shown(quiet)) as progress:
        cases = FileCases(
            path,
            weight=choice.weight,
            reading=reading_of(choice, progress),
            beside=beside,
            **columns,
        )
        takers = {name: _Collector() for name in cases.scores}
        cases.read(takers, progress)
    cases.count.check_some()
    source = cases.described({})
    if path not in (file, "-"):
        source["file"] = file
    note_scores(choice, takers, quiet)
    for line in source_remarks(source):
        note(line, quiet=quiet)
    found = {name: taker.columns() for name, taker in takers.items()}
    label, _, *more = next(iter(found.values()))
    _check_both(label, source)
    weight = more.pop(0) if choice.weight is not None else None
    data = pair_scores(
        label,
        {name: column[1] for name, column in found.items()},
        sample_weight=weight,
        higher_is_positive=higher,
    )
    return FoundCases(data=data, beside=dict(zip(beside, more, strict=True)), source=source)


class _Collector:
    """Takes the cases of one score as they are."""

    def __init__(self) -> None:
        self.parts: list[tuple[Any, ...]] = []

    def update(self, *columns: Any) -> None:
        """Take a batch."""
        self.parts.append(tuple(np.array(column) for column in columns))

    def columns(self) -> list[Any]:
        return [np.concatenate(column) for column in zip(*self.parts, strict=True)]


def _check_both(label: NDArray[np.bool_], source: dict[str, Any]) -> None:
    if label.all() or not label.any():
        there, absent = ("positive", "negative") if label.any() else ("negative", "positive")
        msg = (
            f"All {count(int(label.size))} cases are {there}: a curve needs both classes, and "
            f"none is {absent}. Is {source['label']!r} the label, and its positive value right?"
        )
        raise SingleClassError(msg)
