"""Small real data sets, each with its source, its licence and a published answer.

Every set is one csv file with one case to a row, so the command line can read it too::

    rocspace report $(python -c "from rocspace import datasets; print(datasets.path('fawcett20'))")

The answers are numbers that others published or computed, to check results against.
"""

from __future__ import annotations

import csv
import gzip
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from rocspace._base.arrays import Array, Mask
from rocspace._base.calls import explained
from rocspace._base.frozen import Result, own
from rocspace._base.words import nearest

_FOLDER = Path(__file__).resolve().parent / "_data"


class Answer(Result):
    """A published number about a data set.

    Parameters
    ----------
    value : float
        The number as it was printed.
    source : str
        The paper, or the program and its version.
    tolerance : float
        How far a correct result may lie from `value`, beyond rounding error: half a unit of the
        last printed digit, or 0 where the number was given in full.

    See Also
    --------
    load
    """

    value: float
    source: str
    tolerance: float = 0.0


class Dataset(Result):
    """A data set, its positive label, and answers to check.

    Parameters
    ----------
    name, title : str
        The name for `load`, and one line on what the set is.
    columns : mapping of str to ndarray
        Read-only arrays, all of one length, in the order of the file.
    label : str
        The column that holds the true class.
    positive : object
        The value of that column which counts as positive.
    scores : tuple of str
        The columns that score the positive class: higher means more positive.
    source, licence : str
        Source of the numbers, and their licence.
    answers : mapping of str to Answer
        Keys are ``"what:score"``, as in ``"auc:hgb"``; ``"auc:hgb|sex=Female"`` is about those rows
        alone (see `where`).
    path : Path
        The file the set was read from.

    See Also
    --------
    load
    """

    name: str
    title: str
    columns: Mapping[str, Array]
    label: str
    positive: object
    scores: tuple[str, ...]
    source: str
    licence: str
    answers: Mapping[str, Answer]
    path: Path

    _meant: ClassVar[Mapping[str, str]] = {
        "target": "y_true",
        "y": "y_true",
        "data": "columns",
        "X": "columns",
        "frame": "to_frame()",
        "DESCR": "title and source",
    }

    def __getitem__(self, name: str) -> Array:
        """Return a column, as ``data.columns[name]`` does."""
        if name not in self.columns:
            raise KeyError(self._without(name))
        return self.columns[name]

    def _without(self, column: str) -> str:
        """Say that a column is not there, and which are."""
        close = nearest(column, self.columns)
        return f"{self.name} has no column {column!r}.{close} It has: {', '.join(self.columns)}."

    def _columns(self) -> dict[str, Any]:
        return dict(self.columns)

    @property
    def y_true(self) -> Mask:
        """Which cases are positive: shape (n,), read-only."""
        return own(np.asarray(self.columns[self.label] == self.positive))

    @property
    def y_score(self) -> Array:
        """The scores, where the set has just one column of them."""
        if len(self.scores) != 1:
            msg = (
                f"{self.name} has {len(self.scores)} columns of scores: {', '.join(self.scores)}. "
                f"Take one by name, as in data.columns[{self.scores[-1]!r}]."
            )
            raise ValueError(msg)
        return self.columns[self.scores[0]]

    def where(self, column: str, value: object) -> Dataset:
        """Return the part of the set whose rows have `value` in `column`.

        Its answers are those about this part. Its path is that of the whole set.

        Parameters
        ----------
        column : str
            Name of a column.
        value : object
            The value that the rows kept have there.

        Returns
        -------
        Dataset
            A set of the same kind.

        Raises
        ------
        ValueError
            If there is no such column, or no such row.

        Examples
        --------
        >>> from rocspace import datasets
        >>> sonar = datasets.load("uci_scores").where("dataset", "sonar")
        >>> len(sonar), int(sonar.y_true.sum()), round(sonar.answers["auc:rf"].value, 4)
        (208, 111, 0.9298)
        """
        if column not in self.columns:
            raise ValueError(self._without(column))
        keep = np.asarray(self.columns[column] == value)
        if not keep.any():
            seen = ", ".join(repr(v) for v in np.unique(self.columns[column])[:8].tolist())
            msg = f"{self.name} has no row whose {column} is {value!r}. Values are: {seen} ..."
            raise ValueError(msg)
        part = f"|{column}={value}"
        return replace(
            self,
            name=f"{self.name}[{column}={value}]",
            columns={name: own(array[keep]) for name, array in self.columns.items()},
            answers={k.removesuffix(part): v for k, v in self.answers.items() if k.endswith(part)},
        )

    def __len__(self) -> int:
        """Count the cases."""
        return len(self.columns[self.label])

    def __repr__(self) -> str:
        """Describe the set in one line."""
        return (
            f"<Dataset {self.name}: {len(self)} cases, {int(self.y_true.sum())} positive "
            f"({self.label} = {self.positive!r}), scores {', '.join(self.scores)}>"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """Facts of a set that are known before its file is read."""

    title: str
    file: str
    label: str = "label"
    positive: object = 1
    scores: tuple[str, ...]
    source: str
    licence: str
    answers: dict[str, Answer]


@cache
def _sets() -> dict[str, _About]:
    """Read what is known of each set, smallest set first, from ``sets.toml``."""
    told = tomllib.loads((_FOLDER.parent / "sets.toml").read_text(encoding="utf-8"))
    return {name: _About(**about | _as_answers(about)) for name, about in told.items()}


def _as_answers(about: Mapping[str, Any]) -> dict[str, Any]:
    answers = {
        key: Answer(value=value, source=each["source"], tolerance=each.get("tolerance", 0.0))
        for each in about["answers"]
        for key, value in each["values"].items()
    }
    return {"answers": answers, "scores": tuple(about.get("scores", ("score",)))}


@explained
def names() -> tuple[str, ...]:
    """Return the names of the bundled sets, smallest set first.

    Returns
    -------
    tuple of str
        For `load` and `path`.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import datasets
    >>> datasets.names()[:3]
    ('fawcett4', 'fawcett20', 'groc_table3')
    """
    return tuple(_sets())


@explained
def path(name: str) -> Path:
    """Return the file of a bundled set, a csv or a gzipped csv.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Path
        Where the package has it.

    Raises
    ------
    ValueError
        If there is no such set.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import datasets
    >>> datasets.path("adult_scores").name
    'adult_scores.csv.gz'
    """
    return _FOLDER / _about(name).file


@explained
def load(name: str) -> Dataset:
    """Read a bundled data set.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    Dataset
        Its columns are int64, float64 or strings, none with a missing value.

    Raises
    ------
    ValueError
        If no set has that name.

    References
    ----------
    Those of each set, in its ``source``.

    Examples
    --------
    >>> from rocspace import datasets
    >>> data = datasets.load("fawcett20")
    >>> data
    <Dataset fawcett20: 20 cases, 10 positive (label = 1), scores score>
    >>> data.y_score[:3]
    array([0.9, 0.8, 0.7])
    >>> data.answers["accuracy@0.54:score"]
    Answer(value=0.7, source='Fawcett (2006), figure 3 and its text', tolerance=0.0)
    """
    about = _about(name)
    file = _FOLDER / about.file
    return Dataset(
        name=name,
        title=about.title,
        columns=_read_csv(file),
        label=about.label,
        positive=about.positive,
        scores=about.scores,
        source=about.source,
        licence=about.licence,
        answers=dict(about.answers),
        path=file,
    )


_GPL = "Data of packages under the GPL are not bundled."
_ELSEWHERE = {  # what data sets are called elsewhere
    **dict.fromkeys(("breast_cancer", "wisconsin", "breast_cancer_wisconsin", "bcw"), "wdbc"),
    **dict.fromkeys(("adult", "census", "census_income"), "adult_scores"),
    **dict.fromkeys(("fawcett", "fawcett_2006"), "fawcett20"),
    **dict.fromkeys(("vehicle", "vehicles"), "vehicle_scores"),
    **dict.fromkeys(("asah", "suicide", "rocr_simple", "rocr_xval", "p12", "b500"), _GPL),
}


def _about(name: str) -> _About:
    sets = _sets()
    if name in sets:
        return sets[name]
    known = _ELSEWHERE.get(str(name).casefold().replace("-", "_").removeprefix("load_"))
    if known in sets:
        said = f" It is {known!r} here."
    else:
        said = f" {known}" if known else nearest(str(name), sets)
    msg = f"no data set {name!r}.{said} There are: {', '.join(sets)}."
    raise ValueError(msg)


def _read_csv(file: Path) -> dict[str, Array]:
    opener = gzip.open if file.suffix == ".gz" else open
    with opener(file, "rt", encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    return {
        name: own(_parse(cells))
        for name, cells in zip(header, zip(*rows, strict=True), strict=True)
    }


def _parse(cells: Sequence[str]) -> Array:
    for kind in (int, float):
        try:
            return np.array([kind(cell) for cell in cells])
        except ValueError:
            continue
    return np.array(cells)
