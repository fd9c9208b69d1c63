"""Normal distributions of the scores of both classes: the fit, and its covariance."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.table import ScoreTable
from rocspace.results.curve import Fit


class Normals(Fit):
    """The curve Phi(a + b Phi^-1(fpr)) of two Normal samples.

    Attributes
    ----------
    method, parameters, covariance, covariance_method, loglik, n_cases
        As for `rocspace.results.Fit`; the parameters are ``a`` and ``b``.
    """

    _kind = "Fit"

    @property
    def a(self) -> float:
        """Difference of the means, in standard deviations of the positives."""
        return self.parameters["a"]

    @property
    def b(self) -> float:
        """Standard deviation of the negatives over that of the positives."""
        return self.parameters["b"]

    @property
    def auc(self) -> float:
        """Area under the curve, Phi(a / sqrt(1 + b^2))."""
        from scipy.special import ndtr

        return float(ndtr(self.a / np.hypot(1, self.b)))

    def height(self, z: Vector) -> Vector:
        """Return a + b z, the probit of the true positive rate at that of the false one."""
        return self.a + self.b * z

    def sd(self, z: Vector) -> Vector:
        """Return the standard error of a + b z."""
        (var_a, cov), (_, var_b) = self.covariance
        return np.asarray(np.sqrt(var_a + 2 * z * cov + z * z * var_b))

    def _tpr(self, at: Any) -> Any:
        from scipy.special import ndtr, ndtri

        return ndtr(self.height(ndtri(at)))

    def _fpr(self, at: Any) -> Any:
        from scipy.special import ndtr, ndtri

        return ndtr((ndtri(at) - self.a) / self.b)

    def _slope(self, at: Any) -> Any:
        from scipy.special import ndtri

        with np.errstate(invalid="ignore", over="ignore"):
            z = ndtri(at)
            return np.asarray(self.b * np.exp((z * z - self.height(z) ** 2) / 2))


def two_normals(name: str, table: ScoreTable) -> Normals:
    """Fit a Normal distribution to the scores of each class by maximum likelihood."""
    score, unit = oriented(name, table)
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
    var_a, var_b = 1 / n1 + b * b / n0 + a * a / (2 * n1), b * b / 2 * (1 / n0 + 1 / n1)
    cov = a * b / (2 * n1)
    spreads = n1 * np.log(sd1) + n0 * np.log(sd0)
    whole = (n1 + n0) * (unit * np.log(2) + np.log(2 * np.pi) / 2 + 0.5)
    return Normals(
        method="binormal",
        parameters={"a": a, "b": b},
        covariance=np.array([[var_a, cov], [cov, var_b]]),
        covariance_method="expected information",
        loglik=None if table.is_weighted else -float(spreads + whole),
        n_cases=None if table.is_weighted else n1 + n0,
    )


def oriented(name: str, table: ScoreTable) -> tuple[Vector, int]:
    """Return the scores as floats below 1 in size, larger meaning more positive; and their unit.

    They must be finite. The unit is a power of two, given by its exponent: it changes no curve
    and keeps squares from overflowing.
    """
    score = table.score.astype(np.float64)
    if not np.isfinite(score).all():
        msg = f"{name} does arithmetic on scores, but some are infinite. Take a rank-based method."
        raise ValueError(msg)
    unit = int(np.frexp(np.abs(score).max())[1])
    score = np.ldexp(score, -unit)
    return score if table.higher_is_positive else -score, unit
