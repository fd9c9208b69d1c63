"""Curves induced by location and scale of both classes.

The scores of either class are moved to the covariates of one kind of cases; the curve of that kind
is the curve of the moved scores, or of two Normal distributions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.table import ScoreTable, tabulate
from rocspace.designs.covariate_cases import CovariateScores
from rocspace.designs.covariate_models import (
    Settled,
)
from rocspace.designs.reference import Reference, references
from rocspace.designs.regression import NOWHERE, Regression, density, regress
from rocspace.models.binormal import binormal_fit
from rocspace.results.curve import Curve
from rocspace.results.proportions import normal_density


@dataclass(frozen=True, kw_only=True)
class BothClasses:
    """Location and scale of both classes of one stratum."""

    ref: Reference
    of_pos: Regression | None
    z_pos: Vector
    w_pos: Vector
    table: ScoreTable

    @property
    def pos(self) -> Any:
        """The positives."""
        return self.ref.pos

    @property
    def neg(self) -> Any:
        """The negatives."""
        return self.ref.neg

    @property
    def count(self) -> float:
        """Cases of the smaller class."""
        return float(min(self.pos.size, self.neg.size))

    @property
    def df(self) -> float:
        """Degrees of freedom: cases of the smaller class minus the coefficients of a mean."""
        return float(max(self.count - self.ref.z_neg.shape[1], 1))

    def df_at(self, z: Vector, variances: tuple[float, float]) -> float:
        """Return the degrees of freedom of the area of one kind, whose variances these are.

        What a few cases with such covariates say has few: a mean at `z` has those of a sum in which
        the square of a residual weighs as much as in its variance (Satterthwaite 1946). Welch's
        rule combines both classes; there are no more than at the middle.
        """
        few, z = 0.0, z / np.abs(z).max()
        for columns, variance in zip((self.z_pos, self.ref.z_neg), variances, strict=True):
            share = (columns @ (np.linalg.pinv(columns.T @ columns) @ z)) ** 2
            own = min(float(share.sum() ** 2 / (share @ share)), max(len(columns) - z.size, 1))
            few += variance**2 / own
        return min(self.df, sum(variances) ** 2 / few) if few > 0 else self.df

    def placed(self, score: Vector) -> Vector:
        """Return what each case adds to the error of the area of its stratum, as DeLong has it."""
        _, both = empirical_area(score[self.pos], score[self.neg])
        found = np.zeros(score.size)
        for rows, away in zip((self.pos, self.neg), both, strict=True):
            n = float(rows.size)
            found[rows] = away / sqrt(n * (n - 1)) if n > 1 else np.nan
        return found

    def moved(self, z: Vector, w: Vector) -> tuple[Vector, Vector, float, float]:
        """Return the scores of both classes as if all cases were of one kind, and the sds."""
        pos, neg = self.of_pos, self.ref.line
        assert pos is not None
        assert neg is not None
        s1, s0 = (float(np.exp(w @ each.gamma)) for each in (pos, neg))
        return (
            float(z @ pos.beta) + s1 * pos.residual,
            float(z @ neg.beta) + s0 * neg.residual,
            s1,
            s0,
        )

    def area(self, z: Vector, w: Vector, *, normal: bool = False) -> tuple[float, Vector, Vector]:
        """Return the area for one kind, and the error that each case of either class adds.

        `normal` takes residuals to be Normal whatever the model says.
        """
        pos, neg = self.of_pos, self.ref.line
        assert pos is not None
        assert neg is not None
        x, y, s1, s0 = self.moved(z, w)
        n1, n0 = float(x.size), float(y.size)
        v, direct = (x - float(z @ neg.beta)) / s0, (np.zeros(x.size), np.zeros(y.size))
        if normal or self.ref.normal:
            value, by_pos, by_neg = _normal_area(z, w, pos, neg, (s1, s0))
        else:
            value, direct = empirical_area(x, y)
            weight = density(neg.residual, v) / x.size
            total, tilt = weight.sum() / s0, float(weight @ v)
            by_pos = np.concatenate(
                [
                    total * z - (weight * s1 / s0) @ self.z_pos,
                    (weight * s1 * pos.residual / s0) @ (w - self.w_pos),
                ]
            )
            by_neg = np.concatenate(
                [
                    -total * (z - s0 * self.ref.z_neg.mean(axis=0)),
                    -tilt * (w - self.ref.w_neg.mean(axis=0)),
                ]
            )
        p = z.size
        lost = sqrt(n1 / max(n1 - p, 1)) / n1, self.ref.loss / n0
        return (
            value,
            (direct[0] + pos.influence @ by_pos) * lost[0],
            (direct[1] + neg.influence @ by_neg) * lost[1],
        )


def _normal_area(
    z: Vector, w: Vector, pos: Regression, neg: Regression, sds: tuple[float, float]
) -> tuple[float, Vector, Vector]:
    """Return the area of two Normal distributions, and its slopes by all coefficients."""
    from scipy.special import ndtr

    root = float(np.hypot(*sds))
    d = float(z @ pos.beta - z @ neg.beta) / root
    top = float(normal_density(np.clip(d, -NOWHERE, NOWHERE)))
    slopes = [
        np.concatenate([sign * top / root * z, -top * d * sd**2 / root**2 * w])
        for sign, sd in zip((1, -1), sds, strict=True)
    ]
    return float(ndtr(d)), slopes[0], slopes[1]


def empirical_area(x: Vector, y: Vector) -> tuple[float, tuple[Vector, Vector]]:
    """Return the area, and the placements of both classes minus it."""
    shares = []
    for one, other in ((x, np.sort(y)), (y, np.sort(x))):
        both = np.searchsorted(other, one, "left") + np.searchsorted(other, one, "right")
        shares.append(both / (2 * other.size))
    value = float(shares[0].mean())
    return value, (shares[0] - value, 1 - shares[1] - value)


def both_classes(
    data: CovariateScores, name: str, found: Settled
) -> dict[tuple[float, ...], BothClasses]:
    """Fit both classes of each stratum that has them, by the values of its covariates."""
    score = data.column(name)
    z, w = found.rows(data.covariates, len(data))
    fitted = {}
    for placed in references(data, score, found, quiet=True):
        part, pos = placed, placed.pos
        key = tuple(float(data.covariates[n][pos[0]]) for n in found.strata)
        of_pos, scaled = None, part.z_pos
        if found.model.method == "location-scale":
            if part.line is None:  # no columns but the ones
                line = regress(score[part.neg], z[part.neg], w[part.neg], "the negatives")
                scaled_neg = z[part.neg] / line.sd(w[part.neg])[:, None]
                part = replace(part, line=line, at_neg=line.residual, z_neg=scaled_neg)
            of_pos = regress(score[pos], z[pos], w[pos], f"the positives of {part.called}")
            scaled = z[pos] / of_pos.sd(w[pos])[:, None]
        label = np.repeat([True, False], [pos.size, part.neg.size])
        table = tabulate(label, score[np.concatenate([pos, part.neg])])
        fitted[key] = BothClasses(ref=part, of_pos=of_pos, z_pos=scaled, w_pos=w[pos], table=table)
    return fitted


def binormal_at(
    both: BothClasses, z: Vector, w: Vector, sds: tuple[float, float], found: Settled
) -> Curve:
    """Return the binormal curve of one kind of cases, with the covariance of its parameters."""
    pos, neg = both.of_pos, both.ref.line
    assert pos is not None
    assert neg is not None
    s1, s0 = sds
    a, b = float(z @ pos.beta - z @ neg.beta) / s1, s0 / s1
    none = np.zeros(w.size)
    by_pos = np.vstack([np.append(z / s1, -a * w), np.append(0 * z, -b * w)])
    by_neg = np.vstack([np.append(-z / s1, none), np.append(0 * z, b * w)])
    total = np.zeros((2, 2))
    for line, by in ((pos, by_pos), (neg, by_neg)):
        each = line.influence @ by.T
        total += each.T @ each / len(each) / max(len(each) - z.size, 1)
    return binormal_fit(
        found.described,
        a,
        b,
        covariance=total,
        covariance_method="influence of each case",
        df=both.df,
    )
