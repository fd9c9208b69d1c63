"""States of a `Tabulator`: ascending bins of keys, how they are merged, joined and found again.

A key is an unsigned 64-bit integer in the order of the scores. A bin is a node of the binary
trie of the keys: all that share some leading bits. So two bins are nested or apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints, Mask, Vector
from rocspace.counts.rows import Rows, chunks, in_threads, upwards

COLUMNS = ("key", "level", "pos", "neg", "pos_w2", "neg_w2")
KERNEL_ROWS = 1 << 16  # from here on, two states are merged by the compiled sweep
_WORTH_A_COPY = 1.25  # room that is this many times as large as needed is given back
_MOST_RECORDS = 8  # threads that count in bins, each with a record of 32 bytes a bin
_SHARED = 1 << 16  # cases from which on threads share them, and bins beyond the cache
_PARTS = 128  # the bins of a part of a few million fit into the cache
_SLOTS = 18  # binary logarithm of the slots of an index, at most
_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True, slots=True)
class State:
    """Ascending bins: the key of the lowest score in each, and how many low bits it spans."""

    key: NDArray[np.uint64]
    level: NDArray[np.uint8]
    pos: Array
    neg: Array
    pos_w2: Vector | None = None
    neg_w2: Vector | None = None

    def __len__(self) -> int:
        return int(self.key.size)

    @property
    def is_weighted(self) -> bool:
        """Whether it has sums of weights."""
        return self.pos_w2 is not None


def state_of(rows: Rows) -> State:
    """Turn counts at distinct scores, highest first, into bins of one key each."""
    up = upwards(rows)
    key = keys_of(up.score)
    return State(key, np.zeros(key.size, np.uint8), up.pos, up.neg, up.pos_w2, up.neg_w2)


# --- keys: unsigned integers in the order of the scores -------------------------------------


def keys_of(score: Array) -> NDArray[np.uint64]:
    """Map scores to 64-bit unsigned integers, one to one and in the same order."""
    if score.dtype.kind == "u":
        return score.astype(np.uint64)
    if score.dtype.kind == "i":
        return score.astype(np.int64).view(np.uint64) ^ _SIGN
    if score.dtype.itemsize > 8:
        msg = f"Scores of type {score.dtype} cannot be streamed. Convert them to float64."
        raise TypeError(msg)
    bits = np.ascontiguousarray(score, dtype=np.float64).view(np.uint64)
    flipped = (bits.view(np.int64) >> 63).view(np.uint64)  # all bits of a negative, none else
    flipped |= _SIGN
    flipped ^= bits
    return flipped


def scores_of(key: NDArray[np.uint64], dtype: np.dtype[Any]) -> Array:
    """Invert `keys_of`."""
    if dtype.kind == "u":
        return key.astype(dtype)
    if dtype.kind == "i":
        return (key ^ _SIGN).view(np.int64).astype(dtype)
    bits = np.where(key & _SIGN, key ^ _SIGN, ~key)
    return bits.view(np.float64).astype(dtype)


def mirrored(score: Array) -> Array:
    """Reverse the order of scores, one to one; its own inverse."""
    return score.dtype.type(0) - score if score.dtype.kind == "f" else ~score


def recast(state: State, old: np.dtype[Any], new: np.dtype[Any], *, mirror: bool) -> State:
    """Rewrite keys, of mirrored scores if `mirror`, for another type that fits the scores."""
    if old == new or (old.kind == new.kind and (new.kind in "fi" or not mirror)):
        return state  # keys of all floats, and of all integers of a sign, are alike
    if state.level.any():
        msg = (
            f"Scores were {old} and are now {new}, but many have been joined into bins. "
            "Convert all batches to one type."
        )
        raise ValueError(msg)
    score = scores_of(state.key, old)
    cast = (mirrored(score) if mirror else score).astype(new)
    key = keys_of(mirrored(cast) if mirror else cast)
    return State(key, state.level, state.pos, state.neg, state.pos_w2, state.neg_w2)


# --- merging and joining ------------------------------------------------------------------------


def spans(state: State) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """First and last key of each bin."""
    # Shifting by 64 is undefined, so a bin of all keys is treated apart.
    whole = state.level >= 64
    low_bits = (np.uint64(1) << np.minimum(state.level, 63).astype(np.uint64)) - np.uint64(1)
    low_bits[whole] = np.uint64(2**64 - 1)
    return state.key & ~low_bits, state.key | low_bits


def joined(states: list[State]) -> State:
    """Add states up; a bin swallows every bin that lies inside it."""
    if states[0].is_weighted or sum(map(len, states)) < KERNEL_ROWS:
        return joined_by_sorting(states)
    ranked = sorted(states, key=len)
    while len(ranked) > 1:
        ranked[:2] = [_merged(ranked[0], ranked[1])]
    return ranked[0]


def _merged(a: State, b: State) -> State:
    from rocspace._kernels import bins

    out = _room(len(a) + len(b))
    n = bins.merge_bins(_columns(a), _columns(b), out)
    used = (column[:n] for column in out)
    if _WORTH_A_COPY * n > len(a) + len(b):
        return State(*used)
    return State(*(column.copy() for column in used))


_Four: TypeAlias = tuple[Array, Array, Array, Array]


def _columns(state: State) -> _Four:
    return (state.key, state.level, state.pos, state.neg)


def _room(n: int) -> _Four:
    return (
        np.empty(n, np.uint64),
        np.empty(n, np.uint8),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
    )


def joined_by_sorting(states: list[State]) -> State:
    """Join as `joined` does, with NumPy alone: for weights and small states."""
    columns = {
        name: None
        if getattr(states[0], name) is None
        else np.concatenate([getattr(state, name) for state in states])
        for name in COLUMNS
    }
    whole = State(**columns)  # type: ignore[arg-type]
    if not whole.level.any():
        order = np.argsort(whole.key, kind="stable")
        ranked = whole.key[order]
        opens = np.append(np.True_, ranked[1:] != ranked[:-1])
    else:
        first, last = spans(whole)
        order = np.lexsort((-whole.level.astype(np.int16), first))
        reach = np.maximum.accumulate(last[order])
        opens = np.append(np.True_, first[order][1:] > reach[:-1])
    return _summed(whole, order, np.flatnonzero(opens))


def _summed(
    state: State,
    order: Ints,
    first: Ints,
    level: NDArray[np.uint8] | None = None,
) -> State:
    def added(column: Array | None) -> Array | None:
        return None if column is None else np.add.reduceat(column[order], first)

    return State(
        np.minimum.reduceat(state.key[order], first),
        state.level[order][first] if level is None else level,
        *(added(getattr(state, name)) for name in COLUMNS[2:]),  # type: ignore[arg-type]
    )


def compacted(state: State, rows: int) -> State:
    """Join neighbours until at most that many bins are left, the cheapest first.

    Where cases are counted, the bins that are left also grow into the gaps beside them, as
    far as they do not touch another bin: so most of the scores to come lie in a bin, and a
    `Grid` finds it.
    """
    from rocspace._kernels import bins, sorting

    n = len(state) - 1
    meet, cost = np.empty(n, dtype=np.uint8), np.empty(n)
    sorting.join_costs(_columns(state), float(state.pos.sum() + state.neg.sum()), meet, cost)
    surplus = len(state) - rows
    limit = np.partition(cost, surplus - 1)[surplus - 1]
    if state.is_weighted:
        return _joined_within(state, meet, cost <= limit)
    out = _room(len(state))
    n = bins.join_bins(_columns(state), meet, cost, limit, out)
    return State(*(column[:n].copy() for column in out))


def _joined_within(state: State, meet: NDArray[np.uint8], joins: Mask) -> State:
    """Join the bins i and i + 1 where ``joins[i]``, which meet at ``meet[i]``."""
    first = np.flatnonzero(np.append(np.True_, ~joins))
    # A bin spans the trie node that its highest join stands for.
    highest = np.maximum.reduceat(np.append(np.where(joins, meet, 0), 0), first)
    level = np.maximum(highest, state.level[first]).astype(np.uint8)
    return _summed(state, np.arange(len(state)), first, level)


# --- finding bins ---------------------------------------------------------------------------------


class Grid:
    """Bins with an index, so that cases are counted in them without any sorting.

    The index divides the keys from the first to the last bin into slots of equal width, and
    each slot into cells of equal width, as many as its bins need. Each thread counts in a
    record of its own; sums and minima do not depend on who took which case.
    """

    def __init__(self, state: State, threads: int = 1) -> None:
        from rocspace._kernels import bins

        first, last = spans(state)
        self._level = state.level
        record = _aligned(len(state))
        for i, column in enumerate((state.key, first ^ last, state.neg, state.pos)):
            record[:, i] = column
        self._records = [record]
        for _ in range(min(threads, _MOST_RECORDS) - 1):
            self._records.append(_aligned(len(state)))
            self._records[-1][:, :2], self._records[-1][:, 2:] = record[:, :2], 0
        span = int(last[-1]) - int(first[0])
        slots = min(_SLOTS, max(len(state).bit_length(), 4))
        shift = np.uint64(max(0, span.bit_length() - slots))
        n_slots = (span >> int(shift)) + 1
        base, width = np.empty(n_slots + 1, dtype=np.int64), np.empty(n_slots, dtype=np.uint8)
        cells = bins.index_bins(record, shift, base, width)
        cell = np.empty(cells + 1, dtype=np.int32)
        bins.fill_index(record, shift, base, width, cell)
        self._index = (shift, base, width, cell)
        part = (base[:-1] * _PARTS // cells).astype(np.uint8)  # of each slot
        self._slots = (record, shift, part)

    def __len__(self) -> int:
        return len(self._level)

    def count(self, label: Mask, score: Array) -> tuple[Mask, Array]:
        """Count the cases whose score lies in a bin; return the others, in no order."""
        from rocspace._kernels import bins

        marks = np.ascontiguousarray(label).view(np.uint8)
        bits, of_floats, flip = _bits_of(score)
        many = score.size >= _SHARED
        threads = len(self._records) if many else 1
        if many and len(self) >= _SHARED:
            marks, bits = self._in_parts(marks, bits, of_floats, flip)
        pieces = chunks(score.size, threads)

        def work(t: int) -> Ints:
            case = (marks[pieces[t]], bits[pieces[t]], of_floats, flip)
            left = np.empty(case[0].size, dtype=np.int64)
            n = bins.find_bins(*case, self._records[t], *self._index, left)
            left[:n] += pieces[t].start
            return left[:n]

        left = np.concatenate(in_threads(threads, work, range(threads)))
        kind = {"f": np.float64, "i": np.int64, "u": np.uint64}[score.dtype.kind]
        return marks[left].view(np.bool_), bits[left].view(kind).astype(score.dtype, copy=False)

    def _in_parts(
        self, marks: NDArray[np.uint8], bits: NDArray[np.uint64], of_floats: bool, flip: np.uint64
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Bring cases of neighbouring bins together, so that these fit into the cache."""
        from rocspace._kernels import bins

        threads = len(self._records)
        pieces = chunks(marks.size, threads)
        count = np.zeros((threads, _PARTS), dtype=np.int64)
        to_marks, to_bits = np.empty_like(marks), np.empty_like(bits)

        def count_piece(t: int) -> None:
            bins.count_slots(bits[pieces[t]], of_floats, flip, *self._slots, count[t])

        def scatter_piece(t: int) -> None:
            case = (marks[pieces[t]], bits[pieces[t]], of_floats, flip)
            to = (to_marks, to_bits)
            bins.scatter_slots(*case, *self._slots, start[t], *to)

        in_threads(threads, count_piece, range(threads))
        # Part by part, and inside a part piece by piece.
        start = np.cumsum(count.T.ravel()).reshape(_PARTS, threads).T - count
        start = np.ascontiguousarray(start)
        in_threads(threads, scatter_piece, range(threads))
        return to_marks, to_bits

    def state(self) -> State:
        """Return the bins with what has been counted so far."""
        key = np.minimum.reduce([record[:, 0] for record in self._records])
        neg, pos = (np.add.reduce([r[:, i] for r in self._records]).view(np.int64) for i in (2, 3))
        return State(key, self._level, pos, neg)


def _aligned(rows: int) -> NDArray[np.uint64]:
    """Room for records of 32 bytes, none of which spans two cache lines."""
    room = np.empty(4 * rows + 8, dtype=np.uint64)
    start = -(room.ctypes.data // 8) % 8
    return room[start : start + 4 * rows].reshape(rows, 4)


def _bits_of(score: Array) -> tuple[NDArray[np.uint64], bool, np.uint64]:
    """Return 64 bits of each score, whether they are those of floats, and what makes them keys."""
    if score.dtype.kind == "u":
        return score.astype(np.uint64, copy=False), False, np.uint64(0)
    if score.dtype.kind == "i":
        return score.astype(np.int64, copy=False).view(np.uint64), False, _SIGN
    return np.ascontiguousarray(score, dtype=np.float64).view(np.uint64), True, np.uint64(0)
