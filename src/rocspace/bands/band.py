"""A band around an ROC curve: two bounds, linear between knots, with jumps where a knot repeats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import ArrayLike, Mask, Vector
from rocspace._base.cards import Card, level_of, picture
from rocspace._base.checks import check_fractions, check_level, check_times
from rocspace._base.errors import Argument, ArgumentError, Caller
from rocspace._base.frozen import Result, a_kind_of
from rocspace._base.text import percent, share, spaced
from rocspace._base.words import shown
from rocspace.counts.table import ScoreTable, need
from rocspace.counts.weights import frequencies
from rocspace.inference.area import WeightType
from rocspace.results.curve import Curve, Line, left_right
from rocspace.results.interval import intervals_of
from rocspace.results.limits import nondecreasing
from rocspace.results.proportions import rate_limits

Target: TypeAlias = Literal["curve", "sample"]

_TOLD = 0.01  # a band reports zero width from this share of the range on
_FINE = 2001  # points at which a function is evaluated, besides the knots
_ROUNDING = 1e-12  # a curve may lie outside a band by this much, due to rounding
_SAME = 1e-9  # effective numbers of cases this close to integers are treated as integers


def counted(name: str, table: ScoreTable, weight_type: WeightType) -> ScoreTable:
    """Return a table of counts with both classes; only frequency weights are counts."""
    need(name, table)
    if table.is_weighted and weight_type == "importance":
        raise ArgumentError(
            Caller(name),
            " needs cases that count the same, but the table has importance weights. ",
            Argument("method", "likelihood", 'roc_band(table, method="likelihood")'),
            " knows these; if they are whole numbers that count equal cases, say ",
            Argument("weight_type", "frequency", 'weight_type="frequency"'),
            ".",
        )
    return frequencies(table)


def effective(name: str, table: ScoreTable, weight_type: WeightType) -> ScoreTable:
    """Return a table whose class totals are the (effective) numbers of cases.

    The importance weights of a class are divided by one number, so that their scale has no effect.
    If all weights are equal, the result is the table of counts.
    """
    if not table.is_weighted or weight_type != "importance":
        return counted(name, table, weight_type)
    need(name, table)
    pos, neg = (many / n for many, n in zip(table.n_eff, (table.n_pos, table.n_neg), strict=True))
    columns = [table.pos * pos, table.neg * neg]
    whole = [np.rint(column) for column in columns]
    if all(np.allclose(a, b, rtol=_SAME, atol=0) for a, b in zip(whole, columns, strict=True)):
        counts = [column.astype(np.int64) for column in whole]
        return replace(table, pos=counts[0], neg=counts[1], pos_w2=None, neg_w2=None)
    squares = np.asarray(table.pos_w2) * pos**2, np.asarray(table.neg_w2) * neg**2
    return replace(table, pos=columns[0], neg=columns[1], pos_w2=squares[0], neg_w2=squares[1])


def check_replicates(n_boot: int, level: float, *, tails: int = 1) -> None:
    """Check that there are enough replicates for one in each tail."""
    check_times("n_boot", n_boot)
    error = (1 - check_level(level)) / tails
    least = int(np.ceil((1 / error - 1) * (1 - 1e-12)))
    if n_boot < least:
        few = f"{n_boot} replicates are too few for level {level:g}: "
        raise ArgumentError(few, Argument("n_boot"), f" must be at least {least}.")


def possible(n: float, level: float) -> float:
    """Upper exact confidence limit of a rate when 0 of n cases were observed."""
    return float(-np.expm1(np.log((1 - level) / 2) / n))


def least_room(
    fpr: Vector, tpr: Vector, sizes: tuple[float, float], level: float
) -> tuple[Vector, Vector]:
    """Return the widest limits that few cases imply for rates observed as 0 or 1.

    These are the exact intervals of the rates. Where all negatives may lie on one side of the
    threshold by chance, the limit is 0 or 1.
    """
    low, high = rate_limits(tpr * sizes[0], sizes[0], level, "clopper-pearson")
    unseen = possible(sizes[1], level)
    return np.where(fpr <= unseen, 0.0, low), np.where(1 - fpr <= unseen, 1.0, high)


def cell_ends(table: ScoreTable, cells: int) -> NDArray[np.intp]:
    """Cut a table into about `cells` cells of neighbouring rows, and return the last row of each.

    The cells are equal steps of arcsin(sqrt(rate)), so that their width in standard errors is the
    same near 0 and 1 as in between. A table with fewer rows gets one cell for each row.
    """
    if len(table) <= cells:
        return np.arange(len(table))
    angle = np.arcsin(np.sqrt(table.fp / table.n_neg)) + np.arcsin(np.sqrt(table.tp / table.n_pos))
    cell = np.floor(angle * (cells / np.pi))
    return np.flatnonzero(np.append(cell[1:] != cell[:-1], True))


def thinned(table: ScoreTable, cells: int) -> ScoreTable:
    """Merge the rows of each cell (see `cell_ends`); the remaining points lie on the same curve."""
    if len(table) <= cells:
        return table
    last = cell_ends(table, cells)
    pos, neg = (np.diff(column[last], prepend=0) for column in (table.tp, table.fp))
    pos_w2, neg_w2 = (
        None if w2 is None else np.diff(np.cumsum(w2)[last], prepend=0)
        for w2 in (table.pos_w2, table.neg_w2)
    )
    return replace(table, score=table.score[last], pos=pos, neg=neg, pos_w2=pos_w2, neg_w2=neg_w2)


def rates(known: Vector) -> Vector:
    """Return the known false positive rates, plus a grid that is dense near 0 and 1."""
    return np.union1d(known, np.sin(np.linspace(0, np.pi / 2, 257)) ** 2)


def shifted(line: Line, right: float, up: float) -> Line:
    """Shift a curve and clip it to the unit square, with jumps to (0, 0) and (1, 1)."""
    x, y = line.x + right, line.y + up
    if right > 0:
        x = np.concatenate([[0.0, right], x])
        y = np.concatenate([[min(up, 0.0)] * 2, y])
    else:
        x, y = np.concatenate([x, [1.0]]), np.concatenate([y, [y[-1]]])
    ends = np.array([0.0, 1.0])
    moved = Line(x, y)
    left, top = left_right(moved, ends)
    inside = (x > 0) & (x < 1)
    x = np.concatenate([[0.0], x[inside], [1.0]])
    y = np.concatenate([top[:1], y[inside], left[1:]])
    cut = _clipped(x, y)
    return Line(np.concatenate([[0.0], cut.x, [1.0]]), np.concatenate([[0.0], cut.y, [1.0]]))


def _clipped(x: Vector, y: Vector) -> Line:
    """Clip a line to [0, 1], adding a knot where it crosses 0 or 1."""
    for height in (0.0, 1.0):
        crossing = np.flatnonzero((y[:-1] < height) & (y[1:] > height))
        rise = (height - y[crossing]) / (y[crossing + 1] - y[crossing])
        where = x[crossing] + rise * (x[crossing + 1] - x[crossing])
        x, y = np.insert(x, crossing + 1, where), np.insert(y, crossing + 1, height)
    return Line(x, np.clip(y, 0.0, 1.0))


def rising(x: Vector, y: Vector, *, lower: bool, tight: bool) -> Line:
    """Clip a bound and make it nondecreasing, as every ROC curve is; see `nondecreasing`."""
    return Line(x, nondecreasing(np.clip(y, 0.0, 1.0), lower=lower, tight=tight))


def bounded(lower: Line, upper: Line) -> tuple[Vector, Vector, Vector]:
    """Put two bounds on common knots; a knot at which either bound jumps is repeated."""
    at = np.union1d(np.union1d(lower.x, upper.x), [0.0, 1.0])
    low, high = left_right(lower, at), left_right(upper, at)
    jumps = (low[0] != low[1]) | (high[0] != high[1])
    times = 1 + jumps
    right = np.zeros(int(times.sum()), dtype=bool)
    right[np.cumsum(times) - 1] = True
    x = np.repeat(at, times)
    both = [np.where(right, np.repeat(b, times), np.repeat(a, times)) for a, b in (low, high)]
    return x, both[0], np.maximum(both[0], both[1])


def wilson_variance(share: Vector | float, n: float, z: float) -> Any:
    """Return the variance of a proportion that underlies Wilson's interval: never zero."""
    return (share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n) ** 2


class Bounds(Result):
    """Two bounds at false positive rates, linear between knots; a repeated knot is a jump."""

    if TYPE_CHECKING:
        fpr: Vector
        low: Vector
        high: Vector
        level: float
        method: str

    def at_fpr(self, fpr: ArrayLike) -> Any:
        """Return the interval at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like, shape (m,)
            False positive rates in [0, 1].

        Returns
        -------
        Interval, or a tuple of them
            Its level is that of the band, jointly for all rates if the band is simultaneous.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.
        """
        at = check_fractions("fpr", fpr)
        low, high = (end.reshape(at.shape) for end in bounds_at(self, at.ravel()))
        return intervals_of(low, high, self.level, self.method)


def bounds_at(band: Bounds, fpr: Vector) -> tuple[Vector, Vector]:
    """Return both bounds at an array of rates; at a jump, the outer end of each."""
    low, high = Line(band.fpr, band.low), Line(band.fpr, band.high)
    return left_right(low, fpr)[0], left_right(high, fpr)[1]


def _heights(curve: Callable[[Any], Any], fpr: Vector) -> Vector:
    """Return what a function of false positive rates says at several."""
    given = curve(fpr)
    with suppress(TypeError, ValueError):
        if not np.iscomplexobj(given):
            return np.broadcast_to(np.asarray(given, dtype=np.float64), fpr.shape)
    msg = (
        f"curve returns {shown(given)} for {fpr.size} false positive rates, but must return as "
        "many true positive rates."
    )
    raise ValueError(msg)


class Containment(Result):
    """Where a curve lies inside a band.

    Attributes
    ----------
    fpr : ndarray, shape (m,)
        False positive rates at which the curve was evaluated, increasing.
    inside : ndarray of bool, shape (m,)
        Whether the curve lies inside the band at this rate, coming from both sides.

    See Also
    --------
    Band.inside
    """

    fpr: Vector
    inside: Mask


class Band(Bounds):
    """A confidence band of an ROC curve: a range of true positive rates for every false one.

    Attributes
    ----------
    fpr : ndarray, shape (m,)
        Knots, from 0 to 1; a repeated knot is a jump.
    low, high : ndarray, shape (m,)
        The bounds at the knots, linear between them; both are non-decreasing.
    level : float
        Confidence level in (0, 1).
    method : str
        The method by which the band was made.
    simultaneous : bool
        True if the band covers the whole curve with probability `level`. False if it covers each
        point with that probability; it then covers the whole curve with a smaller one.
    target : {"curve", "sample"}
        What the band is meant to cover: the true curve, or the empirical curve of a new sample.

    See Also
    --------
    roc_band, binormal_band, likelihood_band

    Notes
    -----
    The band is a closed set: at a jump it contains both ends.

    Examples
    --------
    >>> from rocspace import bands, tabulate
    >>> band = bands.roc_band(tabulate([0] * 20 + [1] * 20, range(40)), method="ks")
    >>> band
    Band(ks, level 0.95, simultaneous, area 0.538)
    >>> print(f"{band.at_fpr(0.5).low:.3f} to {band.at_fpr(0.5).high:.3f}")
    0.680 to 1.000
    """

    _meant: ClassVar[Mapping[str, str]] = {
        "at": "at_fpr(fpr)",
        "interval": "at_fpr(fpr)",
        "tpr_low": "low",
        "tpr_high": "high",
    }

    fpr: Vector
    low: Vector
    high: Vector
    level: float
    method: str
    simultaneous: bool
    target: Target = "curve"

    def _card(self) -> Card:
        region = ((self.fpr, self.low), (self.fpr, self.high))
        return Card(
            rows={
                "Method": self.method,
                "Level": level_of(self.level),
                "Holds for": "the whole curve" if self.simultaneous else "each point by itself",
                "Area between": share(self.area),
            },
            image=picture([], region=region, name="Confidence band"),
        )

    def __len__(self) -> int:
        """Return the number of knots."""
        return int(self.fpr.size)

    def _about(self) -> str:
        kind = "simultaneous" if self.simultaneous else "pointwise"
        future = ", of a new sample" if self.target == "sample" else ""
        about = f"{self.method}, level {self.level:g}, {kind}{future}, area {share(self.area)}"
        if self.without_width >= _TOLD:
            about += f", no width over {spaced(percent(self.without_width))} of the range"
        return f"{about}"

    @cached_property
    def without_width(self) -> float:
        """Share of the false positive rates at which both bounds coincide."""
        closed = self.high - self.low <= _ROUNDING
        return float(np.diff(self.fpr) @ (closed[1:] & closed[:-1]))

    @cached_property
    def area(self) -> float:
        """Area between the bounds, in [0, 1]; a smaller area is more precise."""
        height = self.high - self.low
        return float(np.diff(self.fpr) @ (height[1:] + height[:-1]) / 2)

    def contains(self, curve: Curve | Callable[[Any], Any]) -> bool:
        """Tell whether a whole curve lies inside.

        Parameters
        ----------
        curve : Curve or callable
            A curve, such as that of a table or the true curve of a simulated population, or a
            function that maps false positive rates (an array in [0, 1]) to true positive rates.

        Returns
        -------
        bool
            For a polygon the answer is exact: all of its points are checked. A smooth curve or a
            function is checked on both sides of every knot, and at 2001 rates.

        Raises
        ------
        TypeError
            If `curve` is neither a curve nor callable.
        """
        return bool(self.inside(curve).inside.all())

    def inside(self, curve: Curve | Callable[[Any], Any]) -> Containment:
        """Tell at which false positive rates a curve lies inside.

        Parameters
        ----------
        curve : Curve or callable
            As for `contains`.

        Returns
        -------
        Containment
            At the knots of the band and of the curve.

        Raises
        ------
        TypeError
            If `curve` is neither a curve nor a function.
        ValueError
            If the function returns something else than a rate for each.

        Examples
        --------
        >>> from rocspace import bands, simulate, tabulate
        >>> band = bands.roc_band(tabulate([0] * 20 + [1] * 20, range(40)), method="ks")
        >>> bool(band.inside(simulate.binormal(0.9)).inside.all())
        True
        """
        given: Any = curve
        line = getattr(given, "line", None)
        reading = given.tpr_at if isinstance(given, Curve) else given
        if isinstance(line, Line):
            at = np.union1d(self.fpr, line.x)
            left, right = left_right(line, at)
        elif callable(reading) and not isinstance(reading, type):
            at = np.union1d(self.fpr, np.linspace(0, 1, _FINE))
            left, right = (_heights(reading, x) for x in (np.nextafter(at, 0.0), at))
        else:
            msg = (
                f"A band contains a curve or a function, not {a_kind_of(curve)}. "
                "Make one with roc_curve(table)."
            )
            raise TypeError(msg)
        low = left_right(Line(self.fpr, self.low), at)
        high = left_right(Line(self.fpr, self.high), at)
        # A curve starts at (0, 0) and ends at (1, 1), even if it jumps there.
        first, last = at > 0, at < 1
        good = ~first | ((left >= low[0] - _ROUNDING) & (left <= high[0] + _ROUNDING))
        good &= ~last | ((right >= low[1] - _ROUNDING) & (right <= high[1] + _ROUNDING))
        return Containment(fpr=at, inside=good)
