"""Score and class of a case in one number, so that one sort of plain numbers orders both.

NumPy sorts numbers several times as fast as the places where they stand, because it does so with
SIMD instructions, and what is sorted needs no look-up. A key holds the class in its lowest bit and
the score in the others. That takes a bit that the scores of the sample leave free: the magnitudes
are counted from the smallest one that is not 0. Whole numbers up to 2**61 apart fit, and so do
floats whose magnitudes, 0 aside, are less than 2**1000 times apart (float32: 2**120), but
infinities beside numbers below 4 do not. Samples that do not fit are refused, never rounded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Mask
from rocspace.counts.sorts import sort_run

_BLOCK = 1 << 13  # cases whose keys stay in the cache; BLAS would use threads for more
_RAMP = np.arange(_BLOCK, dtype=np.float64)
_FEW = 1 << 16  # whole numbers of so many values are counted, not sorted
# glibc keeps freed memory up to twice the largest block that it freed, if that and its header, a
# page at most, are no more than 32 MB.
_ROOM, _MOST_ROOM = 16, (1 << 25) - (1 << 16)


@dataclass(frozen=True, slots=True)
class Keys:
    """Ascending keys of the cases, and what makes scores of them again.

    Attributes
    ----------
    key : ndarray of float64 or float32, shape (n,)
        Negative for negative floats. Its bits, the sign aside, are twice the magnitude of the score
        plus one for a positive, from a number on that no processor takes for 0.
    lowest : int
        What was subtracted from the magnitudes, but from those of 0.0.
    with_zero : bool
        Whether 0.0 is among the floats.
    dtype : dtype
        Type of the scores.
    """

    key: Array
    lowest: int
    with_zero: bool
    dtype: np.dtype[Any]

    def bits(self) -> Array:
        """Return the keys as unsigned integers."""
        return self.key.view(f"u{self.key.itemsize}")

    def positive(self) -> Mask:
        """Return which cases are positive, in the order of the keys."""
        size = self.key.itemsize
        low = self.key.view(np.uint8)[0 if sys.byteorder == "little" else size - 1 :: size]
        return (low & 1).view(np.bool_)

    def scores(self, key: Array) -> Array:
        """Return the scores of some of the keys, as a new array."""
        word = _Word.of(key.itemsize)
        kind, given = word.kind.type, key.view(word.kind)
        found = np.empty(key.size, dtype=word.kind)
        signs = np.empty(min(key.size, _BLOCK), dtype=word.kind)
        for block in _blocks(key.size):
            part = np.bitwise_and(given[block], kind(word.sign - 1), out=found[block])
            np.subtract(part, kind(word.base), out=part)
            np.right_shift(part, 1, out=part)
            if self.dtype.kind == "f":
                zero = np.flatnonzero(part == 0) if self.with_zero else None
                np.add(part, kind(self.lowest), out=part)
                sign = np.bitwise_and(given[block], kind(word.sign), out=signs[: part.size])
                np.bitwise_or(part, sign, out=part)
                if zero is not None:
                    part[zero] = 0
        if self.dtype.kind == "f":
            return found.view(self.dtype)
        wide = np.dtype(f"{self.dtype.kind}8")
        whole = np.add(found.astype(np.uint64).view(wide), self.lowest, dtype=wide)
        return np.asarray(whole.astype(self.dtype))


@dataclass(frozen=True, slots=True)
class _Word:
    """Bits of a float: their type, that of the sign, those of the least normal one and of inf."""

    kind: np.dtype[Any]
    sign: int
    base: int
    end: int

    @classmethod
    def of(cls, size: int) -> _Word:
        """Return those of floats of 4 or 8 bytes."""
        bits, fraction = 8 * size, 23 if size == 4 else 52
        sign = 1 << (bits - 1)
        return cls(np.dtype(f"u{size}"), sign, 1 << fraction, sign - (1 << fraction))

    def holds(self, span: int) -> bool:
        """Tell whether keys of magnitudes up to `span` are finite and normal."""
        return 2 * span + 1 + self.base < self.end


def sorted_keys(label: Mask, score: Array) -> Keys | None:
    """Make the keys of cases without NaN, and sort them; None for scores that do not fit."""
    if not score.size or score.itemsize > 8 or score.dtype.char == "e":
        return None
    made = _keys_of_floats(label, score) if score.dtype.kind == "f" else _keys_of_ints(label, score)
    if made is not None:
        sort_run(made.key)
    return made


def counts_of_integers(label: Mask, score: Array) -> tuple[Array, Array, Array] | None:
    """Count both classes at each value, highest first; None where there are many values."""
    if score.dtype.kind == "f" or not score.size:
        return None
    low, high = int(score.min()), int(score.max())
    if high - low >= min(score.size, _FEW):
        return None
    place = np.subtract(score, low, dtype=_wide(score), casting="unsafe").view(np.int64)
    np.left_shift(place, 1, out=place)
    np.bitwise_or(place, label.view(np.uint8), out=place)
    count = np.bincount(place, minlength=2 * (high - low + 1)).reshape(-1, 2)
    row = np.flatnonzero(count.any(axis=1))[::-1]
    value = (row.astype(_wide(score)) + _wide(score)(low)).astype(score.dtype)
    return value, count[row, 1], count[row, 0]


def _wide(score: Array) -> Any:
    return np.int64 if score.dtype.kind == "i" else np.uint64


def _keys_of_ints(label: Mask, score: Array) -> Keys | None:
    lowest, span = int(score.min()), int(score.max()) - int(score.min())
    word = next((w for w in map(_Word.of, (4, 8)) if w.holds(span)), None)
    if word is None:
        return None
    bits, marks = room(score.size, word.kind), label.view(np.uint8)
    for block in _blocks(score.size):
        part = bits[block]
        np.subtract(score[block], lowest, out=part, dtype=_wide(score), casting="unsafe")
        np.left_shift(part, 1, out=part)
        np.add(part, word.base, out=part)
        np.bitwise_or(part, marks[block], out=part)
    return Keys(bits.view(f"f{word.kind.itemsize}"), lowest, False, score.dtype)


def _keys_of_floats(label: Mask, score: Array) -> Keys | None:
    word = _Word.of(score.itemsize)
    low, high = score.min(), score.max()
    if not low <= high:
        return None
    spare = np.empty(min(score.size, _BLOCK), dtype=score.dtype)
    signed = bool(low < 0)
    lowest, with_zero = _lowest(score, spare) if signed or low == 0 else (_magnitude(low), False)
    if not word.holds(max(_magnitude(low), _magnitude(high)) - lowest):
        return None
    bits, marks = room(score.size, word.kind), label.view(np.uint8)
    given = score.view(word.kind)
    twice = word.kind.type(2 * lowest)
    offset = word.kind.type((word.base - 2 * lowest) % (2 * word.sign))
    for block in _blocks(score.size):
        part = bits[block]
        np.left_shift(given[block], 1, out=part)  # which drops the sign
        if with_zero:
            np.maximum(part, twice, out=part)
        np.add(part, offset, out=part)
        np.bitwise_or(part, marks[block], out=part)
        if signed:
            sign = spare[: part.size]
            np.add(score[block], 0, out=sign)  # -0.0 becomes 0.0, which has no sign
            np.bitwise_and(
                sign.view(word.kind), word.kind.type(word.sign), out=sign.view(word.kind)
            )
            np.bitwise_or(part, sign.view(word.kind), out=part)
    return Keys(bits.view(score.dtype), lowest, with_zero, score.dtype)


def _lowest(score: Array, spare: Array) -> tuple[int, bool]:
    """Return what may be subtracted from the magnitudes above 0, and whether there are zeros."""
    kind = f"u{score.itemsize}"
    least = 1 << 64
    for block in _blocks(score.size):
        size = np.abs(score[block], out=spare[: score[block].size])
        least = min(least, int(size.view(kind).min()))
    if least:
        return least, False
    none = int(np.iinfo(kind).max)
    least = none
    for block in _blocks(score.size):
        size = np.abs(score[block], out=spare[: score[block].size]).view(kind)
        np.subtract(size, 1, out=size)  # 0 becomes the largest of all
        least = min(least, int(size.min()))
    return (0 if least == none else least), True


def room(size: int, kind: np.dtype[Any]) -> Array:
    """Return an array that has room behind it, which is never touched and so costs nothing.

    Where all that a call frees goes back to the system, the next call waits for it as long as for
    the sort.
    """
    behind = min(_ROOM * size, _MOST_ROOM // kind.itemsize)
    return np.empty(max(behind, size), dtype=kind)[:size]


def _magnitude(number: Any) -> int:
    return int(np.abs(number).view(f"u{number.itemsize}"))


def _blocks(size: int) -> list[slice]:
    return [slice(start, start + _BLOCK) for start in range(0, size, _BLOCK)]


def twice_wins_of_keys(keys: Keys) -> tuple[int, int, int]:
    """Return 2 #(pos > neg) + #(pos == neg), and both class sizes."""
    positive, bits = keys.positive(), keys.bits()
    places = n_pos = 0
    tied = False
    for block, step in _steps(bits):
        own = positive[block]
        start, count = block.start, int(np.count_nonzero(own))
        places += start * count + int(own.astype(np.float64) @ _RAMP[: own.size])
        n_pos += count
        tied = tied or bool((step == 1).any())
    twice = 2 * places - n_pos * (n_pos - 1)  # as if the order among ties decided
    if tied:
        twice += _excess_of_ties(positive, bits)
    return twice, n_pos, bits.size - n_pos


def _excess_of_ties(positive: Mask, bits: Array) -> int:
    """Return the ties between the classes whose positive comes first, minus the others."""
    step = bits[1:] ^ bits[:-1]
    edge = np.flatnonzero(step)  # the last case of each run of equal score and class
    run = np.diff(edge, prepend=-1, append=bits.size - 1)
    tied = np.flatnonzero(step[edge] == 1)
    pairs = run[tied] * run[tied + 1]
    return int(np.where(positive[edge[tied]], pairs, -pairs).sum())


def rows_of_keys(keys: Keys) -> tuple[Array, Array, Array]:
    """Count both classes at each distinct score, highest score first."""
    positive, bits = keys.positive(), keys.bits()
    distinct = np.ones(bits.size, dtype=np.bool_)  # from the next score
    for block, step in _steps(bits):
        np.greater(step, 1, out=distinct[block.start : block.start + step.size])
    if distinct.all():
        count = np.empty((2, bits.size), dtype=np.int64)  # together: freed memory is kept longer
        count[0] = positive[::-1]
        np.subtract(1, count[0], out=count[1])
        return keys.scores(keys.key[::-1]), count[0], count[1]
    last = np.flatnonzero(distinct)[::-1]
    count = np.empty((2, last.size), dtype=np.int64)
    np.take(positive.cumsum(dtype=np.int64), last, out=count[0])
    np.add(last, 1, out=count[1])
    count[:, :-1] -= count[:, 1:]
    count[1] -= count[0]
    return keys.scores(keys.key[last]), count[0], count[1]


def _steps(bits: Array) -> Iterator[tuple[slice, Array]]:
    """Yield blocks, and in what each key of a block differs from the next one; 1 for a tie."""
    spare = np.empty(min(bits.size, _BLOCK), dtype=bits.dtype)
    for block in _blocks(bits.size):
        after = bits[block.start + 1 : block.stop + 1]
        yield block, np.bitwise_xor(bits[block][: after.size], after, out=spare[: after.size])
