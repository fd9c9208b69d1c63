"""Normal distributions of the scores of both classes: the fit, and its covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.table import ScoreTable


@dataclass(frozen=True, slots=True)
class Normals:
    """Maximum likelihood of two normal samples: the curve Phi(a + b z), and its covariance."""

    a: float
    b: float
    var_a: float
    var_b: float
    cov: float

    def line(self, z: Vector) -> Vector:
        """Return a + b z."""
        return self.a + self.b * z

    def sd(self, z: Vector) -> Vector:
        """Return the standard error of a + b z."""
        return np.sqrt(self.var_a + 2 * z * self.cov + z * z * self.var_b)


def two_normals(name: str, table: ScoreTable) -> Normals:
    """Fit a Normal distribution to the scores of each class."""
    score = oriented(name, table)
    pos, neg = table.pos / table.n_pos, table.neg / table.n_neg
    mean1, mean0 = float(pos @ score), float(neg @ score)
    sd1 = float(np.sqrt(pos @ (score - mean1) ** 2))
    sd0 = float(np.sqrt(neg @ (score - mean0) ** 2))
    if not (sd1 > 0 and sd0 > 0):
        msg = (
            f"{name} fits a Normal distribution to each class, but the scores of a class do not "
            'vary. Take a method without a model, such as "ks".'
        )
        raise ValueError(msg)
    n1, n0 = float(table.n_pos), float(table.n_neg)
    a, b = (mean1 - mean0) / sd1, sd0 / sd1
    return Normals(
        a=a,
        b=b,
        var_a=1 / n1 + b * b / n0 + a * a / (2 * n1),
        var_b=b * b / 2 * (1 / n0 + 1 / n1),
        cov=a * b / (2 * n1),
    )


def oriented(name: str, table: ScoreTable) -> Vector:
    """Return the scores as floats below 1 in size, larger meaning more positive.

    They must be finite. A power of two for a unit changes no result and keeps squares from
    overflowing.
    """
    score = table.score.astype(np.float64)
    if not np.isfinite(score).all():
        msg = f"{name} does arithmetic on scores, but some are infinite. Take a rank-based method."
        raise ValueError(msg)
    score = np.ldexp(score, -int(np.frexp(np.abs(score).max())[1]))
    return score if table.higher_is_positive else -score
