"""Tables from batches: exact while they fit, then certified bins, never beyond the memory given.

A `Tabulator` takes cases batch by batch, merges with others, and gives the table. While the
distinct scores fit, the table is exactly that of all cases. Beyond, neighbouring scores are
joined into bins. A bin is a range of scores that share their leading bits, so that the bins
of two states are nested or apart, and a merged state is as fine as the coarser of the two.
The neighbours joined first are those with the smallest product of positives and negatives, the
number of pairs that a bin leaves undecided; so the bins are finest where the classes overlap.
`auc_bounds` of the table contains the exact area for certain.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Mask, as_vector
from rocspace._base.calls import explained, explained_methods
from rocspace._base.cases import MissingPolicy, check_cases, check_total, exact_type, holds
from rocspace._base.errors import unknown_attribute
from rocspace.counts.rows import Rows, check_threads, count_rows, upwards
from rocspace.counts.table import ScoreTable, table_of
from rocspace.stream import states
from rocspace.stream.saved import sound_state, unpacked

ROW_BYTES = 160  # what a row costs while two states are merged, temporaries included
_BUFFERED = 1 << 21  # cases that are gathered before they are counted, at most
_VERSION = 1


# What users of other programs try, and what to write.
_MEANT = dict.fromkeys(("add", "append", "fit", "partial_fit", "push"), "update(y_true, y_score)")
_MEANT |= dict.fromkeys(("tabulate", "result", "to_table", "compute", "finalize"), "table()")
_MEANT |= dict.fromkeys(("auc", "roc_curve", "delong"), "table(), as in rs.auc(tabulator.table())")


@explained_methods
class Tabulator:
    """Counts cases batch by batch in bounded memory.

    Parameters
    ----------
    max_rows : int, default 4194304
        Distinct scores that are kept apart; beyond, they are joined into bins, half as
        many at first.
    memory : int, optional
        Bytes that the state may need while it works, instead of `max_rows`.
    threads : int, optional
        Threads for sorting; by default as many as the process may use. The result does
        not depend on it.
    pos_label, higher_is_positive, missing
        As for `rocspace.tabulate`; with `pos_label`, a batch may contain any labels. Without it,
        negatives are 0 in all batches or -1 in all.

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
    While it is exact, each case is sorted in a batch of up to two million and merged
    O(log(n / batch)) times. Once there are bins, a case whose score lies in one is counted
    there at once; only scores between bins are sorted and merged. Batches and other
    tabulators may come in any order; the table does not depend on it while it is exact.

    References
    ----------
    Fawcett (2006), Algorithm 1, for the sweep; the bins and their bounds are our own.

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
        threads: int | None = None,
        pos_label: object = None,
        higher_is_positive: bool = True,
        missing: MissingPolicy = "raise",
    ) -> None:
        checks.check_sizes(max_rows=max_rows)
        if memory is not None:
            max_rows = int(checks.check_positive("memory", memory)) // ROW_BYTES
        self.max_rows = int(max_rows)
        if self.max_rows < 16:
            msg = (
                f"There is room for {self.max_rows} rows only. Allow at least 16 "
                f"({16 * ROW_BYTES} bytes of memory)."
            )
            raise ValueError(msg)
        self.threads = None if threads is None else check_threads(threads)
        self.pos_label = pos_label
        self.higher_is_positive = checks.check_direction(higher_is_positive)
        self.missing: MissingPolicy = missing
        self.n_cases = 0
        self.n_omitted = 0
        self._dtype: np.dtype[Any] | None = None
        self._binned = False
        self._negative: int | None = None  # what negatives are called, once one has come
        self._grid: states.Grid | None = None  # bins that count cases at once
        self._states: list[states.State] = []  # ever smaller, so that each case is merged rarely
        self._buffer: list[tuple[Array, ...]] = []
        self._buffered = 0
        self._hold = 0  # so many cases are kept before any is counted
        self._whole: ScoreTable | None = None  # of the cases that are kept
        self._fewest = self.max_rows // 2  # bins that are left when scores are joined

    def __repr__(self) -> str:
        """Describe what has been counted so far."""
        how = "exact" if self.is_exact else "binned"
        return f"Tabulator({self.n_cases} cases, {how}, at most {self.max_rows} rows)"

    @property
    def is_exact(self) -> bool:
        """Whether every distinct score still has its own row."""
        if not self._binned and not self.keeps_all:
            self._flush()  # what was gathered may be too much
        return not self._binned

    @explained
    def update(
        self, y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> None:
        """Take a batch of cases.

        Parameters
        ----------
        y_true, y_score, sample_weight
            As for `rocspace.tabulate`. Give weights with all batches or with none.

        Raises
        ------
        ValueError, TypeError
            As `rocspace.tabulate` raises, and if negatives are 0 in one batch and -1 in
            another. The state is then as it was before the call.
        """
        cases = check_cases(
            y_true,
            {"y_score": y_score},
            pos_label=self.pos_label,
            sample_weight=sample_weight,
            missing=self.missing,
            of_many=True,
        )
        weighted = self._is_weighted()
        if weighted is not None and weighted != (cases.weight is not None):
            msg = "Some batches have sample_weight and some have not. Give it always or never."
            raise ValueError(msg)
        negative = self._negative_of(y_true)
        score = cases.scores[0]
        if score.size:
            self._settle_dtype(score)
            score = score.astype(self._known_dtype(), copy=False)
            # Mirrored, the least positive score of a bin always is the one with the lowest key.
            score = score if self.higher_is_positive else states.mirrored(score)
        self._whole = None
        size = self._batch_size()
        batch = (cases.label, score, *([] if cases.weight is None else [cases.weight]))
        for start in range(0, score.size, size):
            self._buffer.append(tuple(np.array(column[start : start + size]) for column in batch))
            self._buffered += self._buffer[-1][0].size
            if self._buffered >= max(size, self._hold + 1):
                self._flush()
        self._negative = negative
        self.n_cases += score.size
        self.n_omitted += cases.n_omitted

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            msg = f"'Tabulator' object has no attribute {name!r}"
            if name in _MEANT:
                msg += f". Use {_MEANT[name]}."
            raise unknown_attribute(msg, name, self)

    def __add__(self, other: object) -> NoReturn:
        msg = "Tabulators are not added with +. Say a.merge(b)."
        raise TypeError(msg)

    def merge(self, other: Tabulator) -> None:
        """Take everything that another tabulator has counted.

        Parameters
        ----------
        other : Tabulator
            Left as it is. Its direction must be the same.

        Raises
        ------
        TypeError
            If the other is not a tabulator.
        ValueError
            If directions differ, only one has weights, negatives are 0 in one and -1 in the
            other, or types of scores cannot be brought together.

        Examples
        --------
        >>> counter = Tabulator()
        >>> counter.update([0, 1], [0.2, 0.9])
        >>> other = Tabulator()
        >>> other.update([0, 1, 1], [0.1, 0.2, 0.4])
        >>> counter.merge(other)
        >>> counter.table()
        ScoreTable(4 distinct scores, 3 positives, 2 negatives)
        """
        if not isinstance(cast(Any, other), Tabulator):
            msg = (
                f"Only a Tabulator can be merged into one: this is of type {type(other).__name__}."
            )
            raise TypeError(msg)
        if other.higher_is_positive != self.higher_is_positive:
            msg = (
                "One tabulator takes higher scores as more positive, the other lower ones. "
                "Give both the same higher_is_positive."
            )
            raise ValueError(msg)
        if self._can_keep(other):
            self._take_kept(other)
            return
        other._flush()
        found = other._gathered()
        if other._dtype is None or found is None:
            self.n_omitted += other.n_omitted
            return
        weighted = self._is_weighted()
        if weighted is not None and weighted != other._is_weighted():
            msg = (
                "One tabulator has weights, the other has not. Give weights to both or to neither."
            )
            raise ValueError(msg)
        check_total("n_cases", self.n_cases + other.n_cases)
        negative = self._agreed(other._negative)
        self._settle_dtype(other._scores(found))
        self._negative = negative
        self._binned = self._binned or other._binned
        self._push(self._recast(found, other._dtype, self._known_dtype()))
        self.n_cases += other.n_cases
        self.n_omitted += other.n_omitted

    def table(self) -> ScoreTable:
        """Return the table of all cases so far.

        Returns
        -------
        ScoreTable
            Exact while `is_exact`. Otherwise a row may stand for several scores, of
            which it carries the least positive: its points lie on the exact
            curve, and the bounds of `rocspace.auc_bounds` contain the exact area.

        Raises
        ------
        ValueError
            If no case has been taken, or none with a weight above zero.
        """
        if self.keeps_all:
            self._whole = self._whole or self._table_of_kept()
            return self._whole
        self._flush()
        state = self._gathered()
        if self._dtype is None or state is None:
            msg = "No cases have been counted yet: none came, or none with a weight above zero."
            raise ValueError(msg)
        higher = self.higher_is_positive
        rows = Rows(self._scores(state), state.pos, state.neg, state.pos_w2, state.neg_w2)
        return table_of(upwards(rows) if higher else rows, higher)

    def joined(self) -> Mask:
        """Return which rows of `table` may stand for more than one score.

        Returns
        -------
        ndarray of bool, shape (k,)
            In the order of the table's rows; all False while `is_exact`.

        Examples
        --------
        >>> counter = Tabulator()
        >>> counter.update([0, 1], [0.2, 0.9])
        >>> counter.joined()
        array([False, False])
        """
        if self.keeps_all:
            return np.zeros(len(self.table()), dtype=bool)
        self._flush()
        state = self._gathered()
        if state is None:
            return np.zeros(0, dtype=bool)
        return np.asarray(state.level > 0)[::-1].copy()

    def shrink(self, rows: int) -> None:
        """Join neighbouring scores until at most so many rows are left, the least mixed ones first.

        Parameters
        ----------
        rows : int
            Largest number of rows, at least 16. A state that has no more is left as it is.

        Raises
        ------
        ValueError
            If `rows` is below 16.

        Examples
        --------
        >>> counter = Tabulator()
        >>> counter.update([i % 2 for i in range(100)], range(100))
        >>> counter.shrink(20)
        >>> len(counter.table()) <= 20, counter.is_exact
        (True, False)
        """
        checks.check_sizes(rows=rows)
        if rows < 16:
            msg = f"rows is {rows}. Leave at least 16."
            raise ValueError(msg)
        self._flush()
        state = self._gathered()
        if state is not None and len(state) > rows:
            self._states = [states.compacted(state, int(rows))]
            self._binned = True

    def keep(self, cases: int) -> None:
        """Keep cases without weights as they are, so many at most, until their table is wanted.

        Counting them all at once takes less time than joining the counts of batches. While all
        cases are kept their table is exact, even if it has more than `max_rows` rows; when more
        come, and when the state is saved or pickled, they are counted as usual.

        Parameters
        ----------
        cases : int
            How many to keep, of 9 bytes each where scores are float64.

        Raises
        ------
        ValueError
            If it is not a whole number, 1 or more, or cases have come already.

        Examples
        --------
        >>> counter = Tabulator(max_rows=16)
        >>> counter.keep(1000)
        >>> counter.update([i % 2 for i in range(100)], range(100))
        >>> len(counter.table()), counter.is_exact
        (100, True)
        """
        checks.check_sizes(cases=cases)
        if self.n_cases:
            msg = f"{self.n_cases} cases have come already. Say how many to keep before the first."
            raise ValueError(msg)
        self._hold = int(cases)

    @property
    def keeps_all(self) -> bool:
        """Whether all cases are kept as they came; see `keep`."""
        counted = bool(self._states) or self._grid is not None
        return not counted and 0 < self._buffered <= self._hold and len(self._buffer[0]) == 2

    def _join_to(self, rows: int) -> None:
        """Leave that many bins, if it is fewer than usual, whenever scores have to be joined."""
        self._fewest = min(self._fewest, rows)

    def _can_keep(self, other: Tabulator) -> bool:
        """Return whether the cases of both can be kept together."""
        return (
            other.keeps_all
            and (self.keeps_all or not self.n_cases)
            and self._buffered + other._buffered <= self._hold
            and self._dtype in (None, other._dtype)
        )

    def _take_kept(self, other: Tabulator) -> None:
        self._negative = self._agreed(other._negative)
        self._dtype, self._whole = other._dtype, None
        self._buffer += other._buffer
        self._buffered += other._buffered
        self.n_cases += other.n_cases
        self.n_omitted += other.n_omitted

    def _kept(self) -> tuple[Mask, Array]:
        label, score = (np.concatenate(column) for column in zip(*self._buffer, strict=True))
        return label, score if self.higher_is_positive else states.mirrored(score)

    def _table_of_kept(self) -> ScoreTable:
        label, score = self._kept()
        self._buffer = [(label, score if self.higher_is_positive else states.mirrored(score))]
        return table_of(count_rows(label, score, None, self.threads), self.higher_is_positive)

    def _given_up(self) -> tuple[Mask, Array] | None:
        """Give up labels and scores of all cases, for someone else to count; None if too many."""
        if not self.keeps_all:
            return None
        given = self._kept()
        self._buffer, self._buffered = [], 0
        return given

    # --- saving -------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the state to a file that `load` reads, on any machine; no pickle.

        Parameters
        ----------
        path : str or Path
            Where to; an existing file is replaced.

        Examples
        --------
        >>> import tempfile
        >>> counter = Tabulator()
        >>> counter.update([0, 1], [0.2, 0.9])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     counter.save(f"{folder}/state")
        ...     Tabulator.load(f"{folder}/state").n_cases
        2
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
            If the file is not such a state, is damaged in any way, or from a later version.
        """
        return cls.from_bytes(Path(path).read_bytes())

    def to_bytes(self) -> bytes:
        """Return the state as an npz archive; the label of the positives is not kept.

        Returns
        -------
        bytes
            For `from_bytes`.

        Examples
        --------
        >>> counter = Tabulator()
        >>> counter.update([0, 1], [0.2, 0.9])
        >>> Tabulator.from_bytes(counter.to_bytes()).table()
        ScoreTable(2 distinct scores, 1 positive, 1 negative)
        """
        self._flush()
        about = {
            "version": _VERSION,
            "max_rows": self.max_rows,
            "higher_is_positive": self.higher_is_positive,
            "nan": self.missing,
            "n_cases": self.n_cases,
            "n_omitted": self.n_omitted,
            "negative": self._negative,
            "dtype": None if self._dtype is None else self._dtype.str,
        }
        arrays: dict[str, Any] = {"about": np.array(json.dumps(about))}
        state = self._gathered()
        if state is not None:
            named = {name: getattr(state, name) for name in states.COLUMNS}
            arrays |= {name: column for name, column in named.items() if column is not None}
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Tabulator:
        """Return the tabulator that `to_bytes` wrote; see `load`.

        Parameters
        ----------
        data : bytes
            What `to_bytes` returned.

        Returns
        -------
        Tabulator
            Which goes on counting where the other was.

        Raises
        ------
        ValueError
            If the bytes are not a state that this version reads, or are damaged.

        Examples
        --------
        >>> counter = Tabulator()
        >>> counter.update([0, 1], [0.2, 0.9])
        >>> Tabulator.from_bytes(counter.to_bytes()).n_cases
        2
        """
        fields, arrays = unpacked(data, ("a saved Tabulator", "Save it again."))
        fields.version(_VERSION)
        new = cls(
            max_rows=fields.whole("max_rows", 16),
            higher_is_positive=fields.one_of("higher_is_positive", (False, True)),
            missing=fields.one_of("nan", ("raise", "omit")),
        )
        new.n_cases, new.n_omitted = fields.whole("n_cases"), fields.whole("n_omitted")
        new._negative = fields.one_of("negative", (None, 0, -1))
        higher = new.higher_is_positive
        sound = sound_state(fields, arrays, higher_is_positive=higher, n_cases=new.n_cases)
        if sound is not None:
            new._dtype, new._states = sound[0], [sound[1]]
            new._binned = bool(sound[1].level.any())
        return new

    def __getstate__(self) -> tuple[object, bytes]:
        """Pickle the saved form, and the label of the positives as it is."""
        return self.pos_label, self.to_bytes()

    def __setstate__(self, state: tuple[object, bytes]) -> None:
        """Unpickle the saved form."""
        pos_label, saved = state
        self.__dict__.update(self.from_bytes(saved).__dict__)
        self.pos_label = pos_label

    # --- the state ------------------------------------------------------------------------

    def _is_weighted(self) -> bool | None:
        if self._buffer:
            return len(self._buffer[0]) == 3
        if self._grid is not None:
            return False
        return self._states[0].is_weighted if self._states else None

    def _negative_of(self, y_true: ArrayLike) -> int | None:
        """Return what negatives are called in this batch and all before it."""
        if self.pos_label is not None:
            return self._negative
        labels, missing = as_vector(y_true, "y_true")
        labels = labels if missing is None else labels[~missing]
        found = next((value for value in (-1, 0) if (labels == value).any()), None)
        return self._agreed(found)

    def _agreed(self, negative: int | None) -> int | None:
        if None not in (negative, self._negative) and negative != self._negative:
            msg = (
                f"Negatives are {negative} here and were {self._negative} before: is one of them "
                "something else? Say which label is positive with pos_label=1, or use one coding."
            )
            raise ValueError(msg)
        return self._negative if negative is None else negative

    def _known_dtype(self) -> np.dtype[Any]:
        assert self._dtype is not None
        return self._dtype

    def _scores(self, state: states.State) -> Array:
        """Return the scores of the rows of a state, in the order of their keys."""
        score = states.scores_of(state.key, self._known_dtype())
        return score if self.higher_is_positive else states.mirrored(score)

    def _recast(self, state: states.State, old: np.dtype[Any], new: np.dtype[Any]) -> states.State:
        return states.recast(state, old, new, mirror=not self.higher_is_positive)

    def _settle_dtype(self, score: Array) -> None:
        """Agree on one type that keeps all digits; rows are rewritten while they are exact."""
        if self._dtype is None:
            self._dtype = score.dtype
        if np.result_type(self._dtype, score) == self._dtype and holds(self._dtype, score):
            return
        self._flush()
        state = self._gathered()
        known = np.zeros(0, self._dtype) if state is None else self._scores(state)
        common = exact_type(known, score)
        if state is not None:
            self._states = [self._recast(state, self._dtype, common)]
        self._dtype = common

    def _flush(self) -> None:
        """Count what has been gathered: what lies in bins there, the rest by sorting."""
        self._hold, self._whole = 0, None
        given, self._buffer, self._buffered = self._buffer[::-1], [], 0
        while given:
            part: list[tuple[Array, ...]] = []
            while given and sum(batch[0].size for batch in part) < self._batch_size():
                part.append(given.pop())
            self._count([np.concatenate(column) for column in zip(*part, strict=True)])

    def _batch_size(self) -> int:
        """Return how many cases are counted together."""
        return min(max(self.max_rows // 2, _BUFFERED >> 4), _BUFFERED)

    def _count(self, columns: list[Array]) -> None:
        label, score = columns[0], columns[1]
        weight = columns[2] if len(columns) == 3 else None
        if self._binned and weight is None:
            if self._grid is None:
                state = self._gathered()
                assert state is not None
                self._states, self._grid = [], states.Grid(state, check_threads(self.threads))
            label, score = self._grid.count(label, score)
            if not score.size:
                return
        self._push(states.state_of(count_rows(label, score, weight, self.threads)))

    def _push(self, state: states.State) -> None:
        self._states.append(state)
        while len(self._states) > 1 and len(self._states[-2]) <= 2 * len(self._states[-1]):
            last, before = self._states.pop(), self._states.pop()
            self._states.append(states.joined([before, last]))
        if len(self._grid or ()) + sum(map(len, self._states)) > self.max_rows:
            whole = self._gathered()
            assert whole is not None
            if len(whole) > self.max_rows:
                self._states = [states.compacted(whole, self._fewest)]
                self._binned = True

    def _gathered(self) -> states.State | None:
        """Bring all that has been counted into one state; None if there is nothing."""
        if self._grid is not None:
            self._states.insert(0, self._grid.state())
            self._grid = None
        if len(self._states) > 1:
            self._states = [states.joined(self._states)]
        return self._states[0] if self._states else None
