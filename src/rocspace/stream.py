"""Tables from batches: exact while they fit, then certified bins, never beyond the memory asked.

A `Tabulator` takes cases batch by batch, merges with others, and gives the table. While the
distinct scores fit, the table is exactly that of all cases. Beyond, neighbouring scores are
joined into bins. A bin is a range of scores that share their leading bits, so that the bins
of two states are nested or apart, and merging never blurs more than the coarser of the two.
Joined are those whose positives times negatives, the pairs that a bin leaves undecided, are
fewest: fine bins go where the classes overlap. `auc_bounds` of the table stays true.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._checks import ArrayLike, MissingPolicy, check_cases
from rocspace._count import Rows, count_rows
from rocspace.table import ScoreTable, table_of

__all__ = ["Tabulator"]

ROW_BYTES = 160  # what a row costs while two states are merged, temporaries included
_BUFFERED = 1 << 16  # cases that are gathered before they are counted
_VERSION = 1
_COLUMNS = ("key", "level", "pos", "neg", "pos_w2", "neg_w2")


@dataclass(frozen=True, slots=True)
class _State:
    """Ascending bins: the key of the lowest score in each, and how many low bits it spans."""

    key: NDArray[np.uint64]
    level: NDArray[np.uint8]
    pos: NDArray[Any]
    neg: NDArray[Any]
    pos_w2: NDArray[np.float64] | None = None
    neg_w2: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return int(self.key.size)


class Tabulator:
    """Counts cases batch by batch in bounded memory.

    Parameters
    ----------
    max_rows : int, default 4194304
        Distinct scores that are kept apart; beyond, they are joined into bins, half as
        many at first.
    memory : int, optional
        Bytes that the state may need while it works, instead of `max_rows`.
    pos_label, higher_is_positive, nan
        As for `rocspace.tabulate`; with `pos_label`, a batch may hold any labels.

    Attributes
    ----------
    is_exact : bool
        Whether no scores have been joined: the table is that of all cases.
    n_cases : int
        Cases taken so far.
    n_omitted : int
        Cases left out as missing.

    Notes
    -----
    O(log(n / batch)) work for each case. Batches and other tabulators may come in any
    order; the table does not depend on it while it is exact.

    Examples
    --------
    >>> counter = Tabulator()
    >>> counter.update([0, 1], [0.2, 0.9])
    >>> counter.update([0, 1], [0.2, 0.4])
    >>> counter.table()
    ScoreTable(3 distinct scores, 2 positives, 2 negatives)
    """

    def __init__(
        self,
        *,
        max_rows: int = 1 << 22,
        memory: int | None = None,
        pos_label: object = None,
        higher_is_positive: bool = True,
        nan: MissingPolicy = "raise",
    ) -> None:
        self.max_rows = max_rows if memory is None else memory // ROW_BYTES
        if self.max_rows < 16:
            msg = (
                f"There is room for {self.max_rows} rows only. Allow at least 16 "
                f"({16 * ROW_BYTES} bytes of memory)."
            )
            raise ValueError(msg)
        self.pos_label = pos_label
        self.higher_is_positive = higher_is_positive
        self.nan: MissingPolicy = nan
        self.n_cases = 0
        self.n_omitted = 0
        self._dtype: np.dtype[Any] | None = None
        self._states: list[_State] = []  # ever smaller, so that each case is merged rarely
        self._buffer: list[tuple[NDArray[Any], ...]] = []
        self._buffered = 0

    def __repr__(self) -> str:
        """Describe what has been counted so far."""
        how = "exact" if self.is_exact else "binned"
        return f"Tabulator({self.n_cases} cases, {how}, at most {self.max_rows} rows)"

    @property
    def is_exact(self) -> bool:
        """Whether every distinct score still has its own row."""
        return not any(state.level.any() for state in self._states)

    def update(
        self, y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> None:
        """Take a batch of cases.

        Parameters
        ----------
        y_true, y_score, sample_weight
            As for `rocspace.tabulate`. Either all batches have weights or none.

        Raises
        ------
        ValueError, TypeError
            As `rocspace.tabulate`; the state is then as it was before the call.
        """
        cases = check_cases(
            y_true,
            {"y_score": y_score},
            pos_label=self.pos_label,
            sample_weight=sample_weight,
            nan=self.nan,
            of_many=True,
        )
        weighted = self._is_weighted()
        if weighted is not None and weighted != (cases.weight is not None):
            msg = "Some batches have sample_weight and some have not. Give it always or never."
            raise ValueError(msg)
        score = cases.scores[0]
        if score.size:
            self._settle_dtype(score.dtype)
            entry = (
                (cases.label, score) if cases.weight is None else (cases.label, score, cases.weight)
            )
            self._buffer.append(tuple(np.array(column) for column in entry))
            self._buffered += score.size
        self.n_cases += score.size
        self.n_omitted += cases.n_omitted
        if self._buffered >= _BUFFERED:
            self._flush()

    def merge(self, other: Tabulator) -> None:
        """Take everything that another tabulator has counted.

        Parameters
        ----------
        other : Tabulator
            Left as it is. Its direction must be the same.

        Raises
        ------
        ValueError
            If directions differ, only one has weights, or types of scores cannot be
            brought together.
        """
        if other.higher_is_positive != self.higher_is_positive:
            msg = "One tabulator takes higher scores as more positive, the other lower ones."
            raise ValueError(msg)
        other._flush()
        if other._dtype is None:
            return
        weighted = self._is_weighted()
        if weighted is not None and weighted != other._is_weighted():
            msg = "One tabulator has weights, the other has not."
            raise ValueError(msg)
        self._settle_dtype(other._dtype)
        for state in other._states:
            self._push(_recast(state, other._dtype, self._known_dtype()))
        self.n_cases += other.n_cases
        self.n_omitted += other.n_omitted

    def table(self) -> ScoreTable:
        """Return the table of all cases so far.

        Returns
        -------
        ScoreTable
            Exact while `is_exact`. Otherwise a row may stand for several scores, of
            which it carries the lowest (least positive): its points lie on the exact
            curve, and `rocspace.auc_bounds` holds the exact area for certain.

        Raises
        ------
        ValueError
            If no case has been taken.
        """
        self._flush()
        if self._dtype is None:
            msg = "No cases have been counted yet."
            raise ValueError(msg)
        state = self._gather()
        score = _scores_of(state.key, self._dtype)
        columns = (score, state.pos, state.neg, state.pos_w2, state.neg_w2)
        downwards = [None if c is None else c[::-1].copy() for c in columns]
        return table_of(Rows(*downwards), self.higher_is_positive)  # type: ignore[arg-type]

    def joined(self) -> NDArray[np.bool_]:
        """Return which rows of `table` may stand for more than one score.

        Returns
        -------
        ndarray of bool, shape (k,)
            In the order of the table's rows; all False while `is_exact`.
        """
        self._flush()
        if not self._states:
            return np.zeros(0, dtype=bool)
        upwards = self._gather().level > 0
        return upwards[::-1].copy() if self.higher_is_positive else upwards

    # --- saving -------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the state to a file that `load` reads, on any machine; no pickle.

        Parameters
        ----------
        path : str or Path
            Where to; an existing file is replaced.
        """
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> Tabulator:
        """Read a state that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        Tabulator
            Ready for more.

        Raises
        ------
        ValueError
            If the file is no such state, or from a later version.
        """
        return cls.from_bytes(Path(path).read_bytes())

    def to_bytes(self) -> bytes:
        """Return the state as an npz archive; the label of the positives is not kept."""
        self._flush()
        about = {
            "version": _VERSION,
            "max_rows": self.max_rows,
            "higher_is_positive": self.higher_is_positive,
            "nan": self.nan,
            "n_cases": self.n_cases,
            "n_omitted": self.n_omitted,
            "dtype": None if self._dtype is None else self._dtype.str,
        }
        arrays: dict[str, Any] = {"about": np.array(json.dumps(about))}
        if self._dtype is not None:
            state = self._gather()
            named = {name: getattr(state, name) for name in _COLUMNS}
            arrays |= {name: column for name, column in named.items() if column is not None}
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Tabulator:
        """Return the tabulator that `to_bytes` wrote; see `load`."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                about = json.loads(str(arrays["about"]))
                columns = [arrays.get(name) for name in _COLUMNS]
        except (ValueError, KeyError, OSError, EOFError) as error:
            msg = "This is no saved Tabulator: the archive cannot be read. Save it again."
            raise ValueError(msg) from error
        if about["version"] > _VERSION:
            msg = f"The state has version {about['version']}; this program reads up to {_VERSION}."
            raise ValueError(msg)
        new = cls(
            max_rows=about["max_rows"],
            higher_is_positive=about["higher_is_positive"],
            nan=about["nan"],
        )
        new.n_cases, new.n_omitted = about["n_cases"], about["n_omitted"]
        if about["dtype"] is not None:
            new._dtype = np.dtype(about["dtype"])
            new._states = [_State(*columns)]
        return new

    def __getstate__(self) -> bytes:
        """Pickle the saved form."""
        return (
            json.dumps({"pos_label": self.pos_label}, default=str).encode()
            + b"\n"
            + self.to_bytes()
        )

    def __setstate__(self, data: bytes) -> None:
        """Unpickle the saved form."""
        head, _, body = data.partition(b"\n")
        self.__dict__.update(self.from_bytes(body).__dict__)
        self.pos_label = json.loads(head)["pos_label"]

    # --- the state ------------------------------------------------------------------------

    def _is_weighted(self) -> bool | None:
        if self._buffer:
            return len(self._buffer[0]) == 3
        return self._states[0].pos_w2 is not None if self._states else None

    def _known_dtype(self) -> np.dtype[Any]:
        assert self._dtype is not None
        return self._dtype

    def _settle_dtype(self, dtype: np.dtype[Any]) -> None:
        """Agree on one type for all scores; rows are rewritten while they are exact."""
        if self._dtype is None:
            self._dtype = dtype
            return
        common = np.result_type(self._dtype, dtype)
        if common != self._dtype:
            self._flush()
            self._states = [_recast(state, self._dtype, common) for state in self._states]
            self._dtype = common

    def _flush(self) -> None:
        if not self._buffer:
            return
        columns = [np.concatenate(column) for column in zip(*self._buffer, strict=True)]
        self._buffer, self._buffered = [], 0
        label, score = columns[0], columns[1].astype(self._known_dtype(), copy=False)
        rows = count_rows(label, score, columns[2] if len(columns) == 3 else None)
        upwards = [
            None if c is None else c[::-1] for c in (rows.pos, rows.neg, rows.pos_w2, rows.neg_w2)
        ]
        key = _keys_of(rows.score[::-1])
        self._push(_State(key, np.zeros(key.size, dtype=np.uint8), *upwards))  # type: ignore[arg-type]

    def _push(self, state: _State) -> None:
        self._states.append(state)
        while len(self._states) > 1 and len(self._states[-2]) <= 2 * len(self._states[-1]):
            last, before = self._states.pop(), self._states.pop()
            self._states.append(_joined([before, last]))
        if sum(map(len, self._states)) > self.max_rows:
            state = self._gather()
            if len(state) > self.max_rows:
                self._states = [_compacted(state, self.max_rows // 2)]

    def _gather(self) -> _State:
        if len(self._states) > 1:
            self._states = [_joined(self._states)]
        return self._states[0]


# --- keys: unsigned integers in the order of the scores -------------------------------------

_SIGN = np.uint64(1 << 63)


def _keys_of(score: NDArray[Any]) -> NDArray[np.uint64]:
    """Map scores to 64-bit unsigned integers, one to one and in the same order."""
    if score.dtype.kind == "u":
        return score.astype(np.uint64)
    if score.dtype.kind == "i":
        return score.astype(np.int64).view(np.uint64) ^ _SIGN
    if score.dtype.itemsize > 8:
        msg = f"Scores of type {score.dtype} cannot be streamed. Convert them to float64."
        raise TypeError(msg)
    bits = np.ascontiguousarray(score, dtype=np.float64).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _scores_of(key: NDArray[np.uint64], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Invert `_keys_of`."""
    if dtype.kind == "u":
        return key.astype(dtype)
    if dtype.kind == "i":
        return (key ^ _SIGN).view(np.int64).astype(dtype)
    bits = np.where(key & _SIGN, key ^ _SIGN, ~key)
    return bits.view(np.float64).astype(dtype)


def _recast(state: _State, old: np.dtype[Any], new: np.dtype[Any]) -> _State:
    """Rewrite keys for another type of score."""
    if old == new or (old.kind == new.kind and new.kind in "fiu"):
        return state  # keys of all floats, and of all integers of a sign, are alike
    if state.level.any():
        msg = (
            f"Scores were {old} and are now {new}, but many have been joined into bins. "
            "Convert all batches to one type."
        )
        raise ValueError(msg)
    score = _scores_of(state.key, old)
    cast = score.astype(new)
    if (cast.astype(old) != score).any():
        msg = f"Scores of type {old} do not fit {new} without losing digits. Use one type."
        raise ValueError(msg)
    return _State(_keys_of(cast), state.level, state.pos, state.neg, state.pos_w2, state.neg_w2)


# --- merging and joining ------------------------------------------------------------------------


def _span(state: _State) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """First and last key of each bin."""
    # Shifting by 64 is undefined, so a bin of everything is told apart.
    whole = state.level >= 64
    low_bits = (np.uint64(1) << np.minimum(state.level, 63).astype(np.uint64)) - np.uint64(1)
    low_bits[whole] = np.uint64(2**64 - 1)
    return state.key & ~low_bits, state.key | low_bits


def _joined(states: list[_State]) -> _State:
    """Add states up; a bin swallows every bin that lies inside it."""
    columns = {
        name: None
        if getattr(states[0], name) is None
        else np.concatenate([getattr(state, name) for state in states])
        for name in _COLUMNS
    }
    whole = _State(**columns)  # type: ignore[arg-type]
    if not whole.level.any():
        order = np.argsort(whole.key, kind="stable")
        ranked = whole.key[order]
        opens = np.append(np.True_, ranked[1:] != ranked[:-1])
    else:
        first, last = _span(whole)
        order = np.lexsort((-whole.level.astype(np.int16), first))
        reach = np.maximum.accumulate(last[order])
        opens = np.append(np.True_, first[order][1:] > reach[:-1])
    return _summed(whole, order, np.flatnonzero(opens))


def _summed(
    state: _State,
    order: NDArray[np.int64],
    first: NDArray[np.int64],
    level: NDArray[np.uint8] | None = None,
) -> _State:
    def added(column: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if column is None else np.add.reduceat(column[order], first)

    return _State(
        np.minimum.reduceat(state.key[order], first),
        state.level[order][first] if level is None else level,
        *(added(getattr(state, name)) for name in _COLUMNS[2:]),  # type: ignore[arg-type]
    )


def _compacted(state: _State, rows: int) -> _State:
    """Join neighbours until at most that many bins are left, the cheapest first."""
    from rocspace import _kernels

    start, _ = _span(state)
    n = len(state) - 1
    level, cost = np.empty(n, dtype=np.int64), np.empty(n)
    pos, neg = (np.append(column[:1] * 0, np.cumsum(column)) for column in (state.pos, state.neg))
    _kernels.join_costs(start, pos, neg, level, cost)
    surplus = len(state) - rows
    limit = np.partition(cost, surplus - 1)[surplus - 1]
    joins = cost <= limit
    first = np.flatnonzero(np.append(np.True_, ~joins))
    # A bin spans the trie node that its highest join stands for.
    highest = np.maximum.reduceat(np.append(np.where(joins, level, 0), 0), first)
    new_level = np.maximum(highest, state.level[first]).astype(np.uint8)
    return _summed(state, np.arange(len(state)), first, new_level)
