"""Areas for several kinds of cases, and the error that each case adds to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

from rocspace._base.arrays import Vector
from rocspace.results.estimates import AreaEstimate


@dataclass(frozen=True, kw_only=True)
class Kinds:
    """Areas for several kinds of cases: values, their covariance, degrees of freedom, pairs.

    ``errors[i, j]`` is what case j adds to the error of area i.
    """

    values: Vector
    covariance: Vector
    errors: Vector
    df: Vector
    pairs: Vector
    estimates: tuple[AreaEstimate, ...] = ()

    def estimate(self, i: int, method: str) -> AreaEstimate:
        """Return one area with its error."""
        if self.estimates:
            return replace(self.estimates[i], method=method)
        return AreaEstimate(
            value=float(self.values[i]),
            se=sqrt(max(float(self.covariance[i, i]), 0.0)),
            method=method,
            n_pairs=float(self.pairs[i]),
            df=float(self.df[i]),
        )
