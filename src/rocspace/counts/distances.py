"""Exact distances of scores, which decide which scores a granularity can tell apart.

The real number that a score stands for is the shortest decimal that is read as this score: 0.55 is
55/100, whatever the bits of the double. Distances of such numbers are compared without rounding.
Decimals with a common number of places become whole numbers. Others stay doubles, and only
where those cannot decide, within a few units in the last place, decimals are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from operator import ge, gt
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.progress import Progress
from rocspace._base.words import shown
from rocspace.counts.rows import check_threads
from rocspace.counts.table import ScoreTable

Boundary: TypeAlias = Literal["exact", "float"]

_PLACES = 22
_TEN = np.array([float(f"1e{places}") for places in range(_PLACES + 1)])  # exact doubles
_SAMPLE = 64  # scores that are looked at before all are
# Sums of two doubles have fewer digits than this, and a rounded sum would raise.
_SUMS = Context(prec=2200, traps=[Inexact])


# --- scores as numbers --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Ladder:
    """Scores of a table, most positive first, whose distances can be compared.

    Attributes
    ----------
    step : ndarray of uint64, or None
        Distance of each score from the least positive one in units of `unit`, if all are whole.
    score : ndarray of float64
        Scores as doubles, decreasing.
    unit : Fraction
        Size of one step.
    literal : bool
        Whether doubles decide by ``score[j] >= score[i] + delta``, rounding included.
    """

    step: NDArray[np.uint64] | None
    score: Vector
    unit: Fraction = Fraction(1)
    literal: bool = False
    _decimals: dict[int, Decimal] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of scores."""
        return int(self.score.size)

    def span(self) -> Fraction:
        """Return the distance of the outermost scores, which must be finite."""
        if self.step is not None:
            return int(self.step[0]) * self.unit
        return Fraction(self.decimal(0)) - Fraction(self.decimal(len(self) - 1))

    def decimal(self, row: int) -> Decimal:
        """Return the number that a score stands for."""
        found = self._decimals.get(row)
        if found is None:
            found = self._decimals[row] = Decimal(repr(float(self.score[row])))
        return found

    def width(self, delta: Fraction, *, strict: bool = False) -> Any:
        """Return the width of a granularity in steps: two of equal width have the same windows."""
        if self.literal:
            return float(delta)
        if self.step is None:
            return delta
        return delta // self.unit + 1 if strict else -(-delta // self.unit)

    def left(self, width: Any, out: Ints, *, strict: bool = False) -> None:
        """Fill `out` with how many rows lie at or beyond the end of the window of each row.

        If `strict`, which doubles do not offer, only rows beyond it are counted.
        """
        if not width:
            out[:] = np.arange(len(self))
            return
        # An infinite score is infinitely far from all others: it is in no window.
        first, last = int(self.score[0] == np.inf), len(self) - int(self.score[-1] == -np.inf)
        out[0], out[-1] = 0, len(self) - 1
        if first < last:
            self._left_inside(slice(first, last), width, out[first:last], strict)
            out[first:last] += first

    def _left_inside(self, rows: slice, width: Any, out: Ints, strict: bool) -> None:
        from rocspace._kernels import windows as kernels

        score = self.score[rows]
        if self.literal:
            kernels.left_of_sums(score, width, out)
        elif self.step is None:
            largest = 2.0**-50 * max(abs(score[0]), abs(score[-1]))  # twice it may be infinite
            slack = largest + 2.0**-51 * float(width) + 2.0**-1070
            if kernels.left_for_sure(score, float(width), slack, out):
                self._left_by_decimals(rows, width, out, strict)
        elif width > int(self.step[0]):
            out[:] = 0  # no distance is as large
        else:
            kernels.left_of_steps(self.step, np.uint64(width), out)

    def _left_by_decimals(self, rows: slice, delta: Fraction, out: Ints, strict: bool) -> None:
        from rocspace._kernels import windows as kernels

        doubt = np.empty(out.size, dtype=np.int64)
        n = kernels.left_and_doubts(self.score[rows], float(delta), out, doubt)
        exact = _decimal_of(delta) if n else Decimal(0)
        beyond = gt if strict else ge
        j = 0
        for row in doubt[:n].tolist():
            j = max(j, int(out[row]))
            end = _SUMS.add(self.decimal(rows.start + row), exact)
            while j < row and beyond(self.decimal(rows.start + j), end):
                j += 1
            out[row] = j


def ladder_of(table: ScoreTable, boundary: Boundary) -> Ladder:
    """Read the scores of a table as numbers."""
    literal, whole = boundary == "float", table.score.dtype.kind in "iu"
    score = table.score.astype(np.float64) if literal or whole else shortest(table.score)
    if not table.higher_is_positive:
        score = -score
    if literal:
        return Ladder(step=None, score=score, literal=True)
    if whole:
        return Ladder(step=_whole_steps(table.score), score=score)
    places = _common_places(score)
    if places is None:
        return Ladder(step=None, score=score)
    step = np.rint(score * _TEN[places])
    return Ladder(
        step=(step - step[-1]).astype(np.uint64), score=score, unit=Fraction(1, 10**places)
    )


def _whole_steps(score: Array) -> NDArray[np.uint64]:
    """Count steps from the least positive score: so no difference of integers overflows."""
    # Unsigned differences wrap round to the right one, whatever the signs.
    bits = score.astype(np.int64 if score.dtype.kind == "i" else np.uint64).view(np.uint64)
    return np.asarray(bits - bits[-1] if score[0] >= score[-1] else bits[-1] - bits)


def shortest(score: Array) -> Vector:
    """Return doubles of the shortest decimals: the float32 0.1 is the double 0.1."""
    doubles = score.astype(np.float64)
    if score.dtype.kind != "f" or score.dtype.itemsize >= 8:
        return doubles
    size = np.abs(doubles)
    # Between these the powers of ten are exact. Of float16 there are few, whatever they are.
    plain = (size >= 1e-12) & (size < 1e12) & (score.dtype == np.float32)
    odd = np.flatnonzero(~plain & (size > 0) & np.isfinite(size))
    doubles[odd] = [float(str(x)) for x in score[odd]]
    if plain.any():
        from rocspace._kernels import windows as kernels

        found = np.empty(int(np.count_nonzero(plain)))
        kernels.shortest_decimals(score[plain], _TEN, found)
        doubles[plain] = found
    return doubles


def _common_places(score: Vector) -> int | None:
    """Return the decimal places that all scores fit, or None if too many or too many digits."""
    some = score[:: max(1, score.size // _SAMPLE)]
    for places in range(_PLACES + 1):
        if _has_places(some, places) and _has_places(score, places):
            return places
    return None


def _has_places(score: Vector, places: int) -> bool:
    scale = _TEN[places]
    with np.errstate(over="ignore", invalid="ignore"):
        step = np.rint(score * scale)
        # Whole numbers over powers of ten are rounded once: the double nearest to the decimal.
        return bool(((np.abs(step) < 1e15) & (step / scale == score)).all())


def _decimal_of(delta: Fraction) -> Decimal:
    """Return a fraction whose denominator divides a power of ten as a decimal."""
    places, rest = 0, delta.denominator
    while rest % 2 == 0 or rest % 5 == 0:
        rest //= 10 if rest % 10 == 0 else 2 if rest % 2 == 0 else 5
        places += 1
    return Decimal(int(delta * 10**places)).scaleb(-places, _SUMS)


def granularities(deltas: ArrayLike, name: str = "delta") -> list[Fraction]:
    """Check granularities; each stands for the shortest decimal that is read as it."""
    try:
        array = np.atleast_1d(np.asarray(deltas))
    except ValueError:  # ragged
        array = np.array([None])
    if array.dtype.kind not in "iuf" or array.ndim != 1:
        msg = f"{name} is {shown(deltas)}, but must be a number, or a vector of numbers."
        raise ValueError(msg)
    bad = ~((array >= 0) & np.isfinite(array))
    if bad.any():
        why = f" is {array[bad][0]}, but must be zero or more, and finite."
        raise ArgumentError(Argument(name), why)
    if array.dtype.kind == "f":
        return [Fraction(repr(x)) for x in shortest(array).tolist()]
    return [Fraction(x) for x in array.tolist()]


# --- areas of many granularities ----------------------------------------------------------------


def areas_of(
    table: ScoreTable,
    ladder: Ladder,
    deltas: Sequence[Fraction],
    whole: float,
    *,
    threads: int | None,
    progress: bool | None,
) -> Vector:
    """Return lower and upper areas, shape (2, m); each distinct set of windows is swept once.

    `whole` is the area of the ordinary curve; both areas equal it if no window has two scores.
    """
    from rocspace._kernels import windows as kernels

    tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
    widths = [ladder.width(delta) for delta in deltas]
    found: dict[Any, Vector] = {}
    todo = list(dict.fromkeys(widths))
    workers = min(check_threads(threads), len(todo))
    with Progress("granular areas", len(todo), show=progress) as shown:

        def sweep(part: list[Any]) -> None:
            left = np.empty(len(ladder), dtype=np.int64)
            for width in part:
                ladder.left(width, left)
                area = np.empty(2)
                if not kernels.window_areas(left, tp, fp, area):
                    area[:] = whole
                found[width] = area
                shown.add()

        if workers <= 1:
            sweep(todo)
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(sweep, [todo[i::workers] for i in range(workers)]))
    return np.array([found[width] for width in widths]).reshape(-1, 2).T
