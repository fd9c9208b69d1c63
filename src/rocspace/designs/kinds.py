"""Areas for several kinds of cases, and the error that each case adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Any

from rocspace._base.arrays import Vector
from rocspace.results.estimates import AreaEstimate, Scale
from rocspace.results.interval import Interval


class ModelledArea(AreaEstimate):
    """An area by a model of location and scale, or of the curve; its interval is "probit".

    Attributes
    ----------
    value, se, method, range, df, n_pairs
        As for `AreaEstimate`.
    normal : ModelledArea, optional
        Where the area is 0 or 1: that of Normal residuals.
    """

    normal: ModelledArea | None = field(default=None, repr=False)

    _kind = "Estimate"

    def _usual_scale(self) -> Scale:
        return "probit"

    def _bound(self, level: float) -> Interval:
        """Return Hoeffding's bound, which knows no error of a line, and the limits that do."""
        found = super()._bound(level)
        if self.normal is None:
            return found
        low, high = self.normal.interval(level)
        return replace(found, low=min(found.low, low), high=max(found.high, high))


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """Areas for several kinds of cases: values, their covariance, degrees of freedom, pairs.

    ``errors[i, j]`` is what case j adds to the error of area i. ``normal`` has the area of Normal
    residuals and its standard error for those that are 0 or 1; ``own`` fewer degrees of freedom of
    an area by itself, where few cases are of its kind.
    """

    values: Vector
    covariance: Vector
    errors: Vector
    df: Vector
    pairs: Vector
    estimates: tuple[AreaEstimate, ...] = ()
    own: Vector | None = None
    normal: Mapping[int, tuple[float, float]] = field(default_factory=dict)

    def estimate(self, i: int, method: str) -> AreaEstimate:
        """Return one area with its error."""
        if self.estimates:
            return replace(self.estimates[i], method=method)
        df = float((self.df if self.own is None else self.own)[i])
        about: Any = {"method": method, "n_pairs": float(self.pairs[i]), "df": df}
        near = self.normal.get(i)
        return ModelledArea(
            value=float(self.values[i]),
            se=sqrt(max(float(self.covariance[i, i]), 0.0)),
            normal=ModelledArea(value=near[0], se=near[1], **about) if near else None,
            **about,
        )
