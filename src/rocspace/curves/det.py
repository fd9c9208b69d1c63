"""The detection error trade-off: misses against false alarms, on scales that stretch both ends."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import plain

DetScale: TypeAlias = Literal["probit", "logit", "log"]
"""How rates are spread along the axes."""


class DetPoints(Result):
    """One or several points of a DET curve.

    Attributes
    ----------
    fpr, fnr : float or ndarray
        The rates themselves, in [0, 1].
    x, y : float or ndarray
        Their positions on the axes.
    """

    fpr: Any
    fnr: Any
    x: Any
    y: Any


class DetCurve(Sweep[DetPoints]):
    """Points of a detection error trade-off curve, from reject-all on.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    scale : {"probit", "logit", "log"}
        How `x` and `y` are spread.
    limits : {"clip", "drop"}
        How `x` and `y` show a rate that is infinite on the scale.
    margin : tuple of float
        Distances from 0 and 1 that `fpr` and `fnr` are clipped to for display: half of
        one case.
    """

    scale: DetScale
    limits: Literal["clip", "drop"]
    margin: tuple[float, float]

    _point = DetPoints
    _frame = ("fpr", "fnr", "x", "y", "threshold", "tp", "fp")

    @cached_property
    def x(self) -> Vector:
        """Place of each false positive rate on the axis."""
        return self._place(self.fpr, self.margin[0])

    @cached_property
    def y(self) -> Vector:
        """Place of each false negative rate on the axis."""
        return self._place(self.fnr, self.margin[1])

    def _place(self, rate: Vector, margin: float) -> Vector:
        inside = np.clip(rate, margin, 1.0 if self.scale == "log" else 1 - margin)
        if self.limits == "drop":
            shown = (rate > 0) & (rate < 1) if self.scale != "log" else rate > 0
            inside = np.where(shown, rate, np.nan)
        return np.asarray(_TO[self.scale](inside))


@of_table
def det_curve(
    table: ScoreTable,
    *,
    scale: DetScale = "probit",
    limits: Literal["clip", "drop"] = "clip",
) -> DetCurve:
    """Return the detection error trade-off curve of a table.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    scale : {"probit", "logit", "log"}, default "probit"
        "probit" is the normal deviate: scores that are Normal in both classes give a
        straight line. "logit" is the log of the odds, "log" the decimal logarithm.
    limits : {"clip", "drop"}, default "clip"
        Rates of 0 and 1, which these scales put at infinity, are drawn half a case
        away from the end, or not at all (nan). The rates themselves stay as they are.

    Returns
    -------
    DetCurve
        One point for each distinct score, and reject-all.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such scale.

    Notes
    -----
    O(k). The curve meets the line ``fpr = fnr`` at `rocspace.eer`.

    References
    ----------
    Martin et al. (1997), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> curve = det_curve(tabulate([0, 0, 1, 1], [1, 3, 2, 4]))
    >>> print(curve.fpr, curve.fnr, curve.x.round(2) + 0.0)
    [0.  0.  0.5 0.5 1. ] [1.  0.5 0.5 0.  0. ] [-0.67 -0.67  0.    0.    0.67]
    """
    n_pos, n_neg = (max(n, 1.0) for n in table.n_eff)
    return DetCurve(
        **sweep_of(table), scale=scale, limits=limits, margin=(1 / (2 * n_neg), 1 / (2 * n_pos))
    )


@explained
def det_position(rate: ArrayLike, *, scale: DetScale = "probit") -> Any:
    """Return the positions of rates on the axes of a DET graph, for ticks and added lines.

    Parameters
    ----------
    rate : float or array-like
        Rates in [0, 1].
    scale : {"probit", "logit", "log"}, default "probit"
        As for `det_curve`.

    Returns
    -------
    float or ndarray
        Infinite at 0, and at 1 except on the "log" scale.

    Raises
    ------
    ValueError
        If a rate is outside [0, 1] or NaN, or there is no such scale.

    Examples
    --------
    >>> print(f"{det_position(0.1):.4f}")
    -1.2816
    """
    return plain(_TO[scale](check_fraction("rate", rate)))


def _probit(rate: Vector) -> Any:
    from scipy.special import ndtri

    return ndtri(rate)


def _logit(rate: Vector) -> Any:
    from scipy.special import logit

    return logit(rate)


def _log(rate: Vector) -> Any:
    with np.errstate(divide="ignore"):
        return np.log10(rate)


_TO = {"probit": _probit, "logit": _logit, "log": _log}
