"""The protocol of ROC curves (fitted, empirical, averaged, true), and its implementations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from rocspace._base.arrays import ArrayLike, Mask, Vector
from rocspace._base.calls import explained_methods
from rocspace._base.checks import Axis, Ends, check_fraction, check_part

_FINE = 2001  # number of points with which a smooth curve is drawn and measured
_NEAR = 1e-4  # step of a difference quotient, as a share of the distance to the nearer end
_LEAST = 1e-9  # the same at the ends themselves
_STEEP = (1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9)  # break points for steep integrands


@runtime_checkable
class Curve(Protocol):
    """An ROC curve of any kind: it runs from (0, 0) to (1, 1) and never falls.

    `RocCurve`, `RocHull`, `AverageCurve`, `Population` and every `Fit` are curves, and so is any
    other object with these attributes and methods. Plots, distances, bands and averages take any
    curve.

    Attributes
    ----------
    name : str
        Short description of the curve.
    auc : float
        Area under the curve, in [0, 1].

    See Also
    --------
    rocspace.curves.roc_curve, rocspace.hull.roc_hull, rocspace.models.fit_roc

    Examples
    --------
    >>> from rocspace import roc_curve, simulate, tabulate
    >>> curve = roc_curve(tabulate([0, 0, 1, 1], [1, 2, 2, 3]))
    >>> isinstance(curve, Curve), isinstance(simulate.binormal(0.8), Curve)
    (True, True)
    >>> curve.auc, curve.fpr_at(0.75), curve.slope_at(0.1), curve.partial_auc(fpr=(0, 0.5))
    (0.875, 0.25, 1.0, 0.375)
    """

    @property
    def name(self) -> str:
        """Short description of the curve."""

    @property
    def auc(self) -> float:
        """Area under the curve, in [0, 1]."""

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """Return the tpr at given false positive rates; on a vertical run its upper end.

        Parameters
        ----------
        fpr : float or array-like of float
            In [0, 1].

        Returns
        -------
        float or ndarray of that shape
            In [0, 1].
        """

    def fpr_at(self, tpr: ArrayLike) -> Any:
        """Return the smallest false positive rate whose true positive rate reaches `tpr`.

        Parameters
        ----------
        tpr : float or array-like of float
            In [0, 1].

        Returns
        -------
        float or ndarray of that shape
            In [0, 1].
        """

    def slope_at(self, fpr: ArrayLike) -> Any:
        """Return the slope just right of given false positive rates; at 1, just left.

        Parameters
        ----------
        fpr : float or array-like of float
            In [0, 1].

        Returns
        -------
        float or ndarray of that shape
            In [0, inf].
        """

    def partial_auc(self, *, fpr: Ends | None = None, tpr: Ends | None = None) -> float:
        """Return the area below the curve in a range of fpr, or right of it in a range of tpr.

        Parameters
        ----------
        fpr, tpr : tuple of float, optional
            Both ends of the range of one of the rates, in [0, 1]; the whole area without a range.

        Returns
        -------
        float
            From 0 to the width of the range.
        """


def plain(values: Any) -> Any:
    """Turn an array without dimensions into a float."""
    return float(values) if np.ndim(values) == 0 else values


# --- polygons ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A non-decreasing polygon: ``y`` at ``x``, linear between; a repeated x is a jump."""

    x: Vector
    y: Vector


def left_right(line: Line, at: Vector) -> tuple[Vector, Vector]:
    """Return the limits of a line from the left and from the right."""
    first = np.searchsorted(line.x, at, "left")
    last = np.searchsorted(line.x, at, "right") - 1
    after = np.minimum(last + 1, line.x.size - 1)
    right = between(at, line.x[last], line.x[after], line.y[last], line.y[after])
    return np.where(first <= last, line.y[np.minimum(first, line.x.size - 1)], right), right


def moving(x: Vector, y: Vector) -> Mask:
    """Tell which points of a line differ from the one before; the first one counts."""
    return np.append(True, (np.diff(x) > 0) | (np.diff(y) > 0))


def between(at: Any, x0: Any, x1: Any, y0: Any, y1: Any) -> Any:
    """Interpolate from (x0, y0) towards (x1, y1); y0 itself where at == x0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        inner = y0 + (at - x0) / (x1 - x0) * (y1 - y0)
    return np.where(at == x0, y0, inner)


def polygon_area(x: Vector, y: Vector, low: float, high: float) -> float:
    """Integrate a polygon with non-decreasing x from low to high, cut linearly at both ends."""
    first = int(np.searchsorted(x, low, "right"))  # the first point beyond low
    last = int(np.searchsorted(x, high, "left"))  # the first point not before high
    ends = [
        y[i - 1] + (at - x[i - 1]) / (x[i] - x[i - 1]) * (y[i] - y[i - 1])
        for i, at in ((first, low), (last, high))
    ]
    return float(
        np.trapezoid(
            np.concatenate([[ends[0]], y[first:last], [ends[1]]]),
            np.concatenate([[low], x[first:last], [high]]),
        )
    )


class HasRates(Protocol):
    """An operating point or other points in ROC space."""

    @property
    def fpr(self) -> Any:
        """False positive rate."""

    @property
    def tpr(self) -> Any:
        """True positive rate."""


# --- methods that all curves of this package share --------------------------------------------


@explained_methods
class ReadCurve:
    """The methods of a `Curve`: they check their arguments and call the subclass."""

    if TYPE_CHECKING:

        @property
        def auc(self) -> float:
            """Area under the curve."""

        def _tpr(self, at: Any) -> Any: ...
        def _fpr(self, at: Any) -> Any: ...
        def _slope(self, at: Any) -> Any: ...
        def _area(self, low: float, high: float, axis: Axis) -> float: ...

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """Return the true positive rate at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1]; the upper end of a vertical run. Linear between the vertices of a polygon.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.
        """
        return plain(self._tpr(check_fraction("fpr", fpr)))

    def fpr_at(self, tpr: ArrayLike) -> Any:
        """Return the smallest false positive rate whose true positive rate reaches `tpr`.

        Parameters
        ----------
        tpr : float or array-like
            True positive rates in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1]; the left end of a horizontal run. Linear between the vertices of a polygon.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.

        Notes
        -----
        O(log k) for a polygon with k vertices. A smooth curve without a closed form is inverted by
        62 steps of bisection over the floats from 0 to 1.
        """
        return plain(self._fpr(np.asarray(check_fraction("tpr", tpr))))

    def slope_at(self, fpr: ArrayLike) -> Any:
        """Return the slope at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1].

        Returns
        -------
        float or ndarray
            At least 0. For a polygon, the finite slope of the piece to the right; at 1, of the
            piece to the left. For a smooth curve without a closed form, a difference quotient. At 0
            and 1, where the slope may be infinite, its step is 1e-9.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.
        """
        return plain(self._slope(check_fraction("fpr", fpr)))

    def partial_auc(self, *, fpr: Ends | None = None, tpr: Ends | None = None) -> float:
        """Return a partial area: below the curve in a range of fpr, or right of it in one of tpr.

        Parameters
        ----------
        fpr, tpr : tuple of float, optional
            Both ends of the range of one of the rates, ``0 <= low < high <= 1``. In a range of tpr
            the area lies to the right of the curve. Without a range it is `auc`.

        Returns
        -------
        float
            From 0 to ``high - low``, not standardised, higher is better; over (0, 1) it is `auc`.

        Raises
        ------
        ValueError
            If the first end is not below the second, an end is outside [0, 1], or both rates have a
            range.

        Notes
        -----
        O(k) and exact for a polygon with k vertices; by adaptive quadrature, to about 1e-10, for a
        smooth curve.
        """
        axis, low, high = check_part(fpr, tpr) or ("fpr", 0.0, 1.0)
        return self.auc if (low, high) == (0.0, 1.0) else self._area(low, high, axis)


class PolygonCurve(ReadCurve):
    """A curve of straight pieces with vertices ``fpr`` and ``tpr``, from (0, 0) to (1, 1)."""

    if TYPE_CHECKING:

        @property
        def fpr(self) -> Vector:
            """False positive rates."""

        @property
        def tpr(self) -> Vector:
            """True positive rates."""

    @cached_property
    def line(self) -> Line:
        """The vertices, from (0, 0) to (1, 1)."""
        return Line(self.fpr, self.tpr)

    @property
    def tnr(self) -> Vector:
        """True negative rate of each vertex of the line, from 1 to 0."""
        return 1 - self.line.x

    def _tpr(self, at: Any) -> Any:
        return left_right(self.line, at)[1]

    def _fpr(self, at: Any) -> Any:
        x, y = self.line.x, self.line.y
        i = np.searchsorted(y, at, "left")
        before = np.maximum(i - 1, 0)
        return between(at, y[i], y[before], x[i], x[before])

    def _slope(self, at: Any) -> Any:
        x, y = self.line.x, self.line.y
        i = np.minimum(np.searchsorted(x, at, "right"), np.searchsorted(x, x[-1], "left"))
        return (y[i] - y[i - 1]) / (x[i] - x[i - 1])

    def _area(self, low: float, high: float, axis: Axis) -> float:
        x, y = (self.line.x, self.line.y) if axis == "fpr" else (self.line.y, self.tnr)
        return polygon_area(x, y, low, high)


class SmoothCurve(ReadCurve):
    """A curve given by ``_tpr`` and ``auc``; a subclass with closed forms overrides the rest."""

    def _fpr(self, at: Any) -> Any:
        low, high = (np.full(at.shape, end).view(np.int64) for end in (0.0, 1.0))
        for _ in range(62):  # floats of one sign have the order of the integers with the same bits
            middle = low + (high - low) // 2
            reached = self._tpr(np.asarray(middle).view(np.float64)) >= at
            low, high = np.where(reached, low, middle + 1), np.where(reached, middle, high)
            low = np.minimum(low, high)
        return high.view(np.float64)

    def _slope(self, at: Any) -> Any:
        end = np.minimum(at, 1 - at)
        step = np.where(end == 0, _LEAST, np.maximum(end * _NEAR, np.spacing(at)))
        low, high = np.maximum(at - step, 0.0), np.minimum(at + step, 1.0)
        return np.subtract(self._tpr(high), self._tpr(low)) / (high - low)

    def _area(self, low: float, high: float, axis: Axis) -> float:
        if axis == "fpr":
            return self._integral(low, high)
        left, right = (float(self.fpr_at(end)) for end in (low, high))
        return (high - low) - (high * right - low * left) + self._integral(left, right)

    def _integral(self, low: float, high: float) -> float:
        from scipy.integrate import quad

        at = [x for x in _STEEP if low < x < high]
        options: Any = {"points": at or None, "limit": 500, "epsabs": 1e-10, "full_output": 1}
        return float(quad(self._tpr, low, high, **options)[0])  # silent if rounding ends it


def line_of(curve: Curve) -> Line:
    """Return the vertices of a polygon, or of a smooth curve the points of a fine grid."""
    found = getattr(curve, "line", None)
    if isinstance(found, Line):
        return found
    fpr = np.sin(np.linspace(0, np.pi / 2, _FINE)) ** 2  # dense at both ends
    return Line(fpr, np.asarray(curve.tpr_at(fpr), dtype=np.float64))
