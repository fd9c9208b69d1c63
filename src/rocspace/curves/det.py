"""The detection error trade-off (DET) curve: fnr against fpr on probit, logit or log axes."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result, own
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import plain

DetScale: TypeAlias = Literal["probit", "logit", "log"]
"""Scale of both axes."""


class DetPoints(Result):
    """One or several points of a DET curve.

    Attributes
    ----------
    fpr, fnr : float or ndarray
        The rates themselves, in [0, 1].
    x, y : float or ndarray
        Positions on the axes.

    See Also
    --------
    det_curve
    """

    fpr: Any
    fnr: Any
    x: Any
    y: Any


class DetCurve(Sweep[DetPoints]):
    """Points of a detection error trade-off curve; at the first no case is called positive.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    scale : {"probit", "logit", "log"}
        Scale of `x` and `y`.
    limits : {"clip", "drop"}
        What `x` and `y` are for a rate that is infinite on the scale.
    margin : tuple of float
        Smallest distances of `fpr` and of `fnr` from 0 and 1 on the axes: half of one case.

    See Also
    --------
    det_curve
    """

    scale: DetScale
    limits: Literal["clip", "drop"]
    margin: tuple[float, float]

    _point = DetPoints
    _frame = ("fpr", "fnr", "x", "y", "threshold", "tp", "fp")

    @cached_property
    def x(self) -> Vector:
        """Position of each false positive rate on its axis."""
        return own(self._place(self.fpr, self.margin[0]))

    @cached_property
    def y(self) -> Vector:
        """Position of each false negative rate on its axis."""
        return own(self._place(self.fnr, self.margin[1]))

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
        "probit" is the Normal deviate: Normal scores in both classes give a straight line. "logit"
        is the log odds, "log" the decimal logarithm.
    limits : {"clip", "drop"}, default "clip"
        Rates of 0 and 1 are infinite on these scales. "clip" draws them half a case from the end,
        "drop" not at all (nan). `fpr` and `fnr` keep their values.

    Returns
    -------
    DetCurve
        One point for each distinct score, after a first point where no case is called positive.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the scale is unknown.

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
    """Return positions of rates on the axes of a DET graph, for ticks and lines.

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
        If a rate is outside [0, 1] or NaN, or the scale is unknown.

    References
    ----------
    Martin et al. (1997), a paper on this alone.

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
