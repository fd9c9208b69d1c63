"""The negatives of a stratum, among which its positives are placed.

They are the reference population of the positives: compared as they are, or by residuals from the
location and scale that their covariates predict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.words import warn
from rocspace.designs.covariate_cases import CovariateScores
from rocspace.designs.covariate_models import (
    Settled,
    strata_of,
)
from rocspace.designs.regression import (
    Column,
    Regression,
    density,
    regress,
)
from rocspace.results.proportions import normal_density
from rocspace.results.unseen import TiedEnds


@dataclass(frozen=True, kw_only=True)
class Reference:
    """The negatives of one stratum, among which its positives are placed.

    Attributes
    ----------
    called : str
        What the stratum is called.
    neg, pos : ndarray of int
        Its cases.
    line : Regression or None
        The fitted location and scale; None where the scores are compared as they are.
    at_neg, at_pos : ndarray
        Residuals, or scores, of its negatives and positives.
    z_neg, z_pos, w_neg, w_pos : ndarray
        Columns of mean and standard deviation, those of the mean divided by the latter.
    normal : bool
        Whether residuals are taken to be Normal.
    """

    called: str
    neg: Ints
    pos: Ints
    line: Regression | None
    at_neg: Vector
    at_pos: Vector
    z_neg: Vector
    z_pos: Vector
    w_neg: Vector
    w_pos: Vector
    normal: bool

    @cached_property
    def ordered(self) -> Vector:
        """Residuals of the negatives, increasing."""
        return np.sort(self.at_neg)

    def density_at(self, at: Vector) -> Vector:
        """Return the density of the residuals of the negatives."""
        if self.normal:
            return normal_density(at)
        return np.asarray(density(self.at_neg, at))

    def beaten(self) -> tuple[Vector, Vector]:
        """Return, for each positive, the share of negatives it beats (ties one half), and is below.

        The second is the share of negatives that score as high or higher.
        """
        if self.normal:
            from scipy.special import ndtr

            return np.asarray(ndtr(self.at_pos)), np.asarray(ndtr(-self.at_pos))
        left = np.searchsorted(self.ordered, self.at_pos, "left")
        right = np.searchsorted(self.ordered, self.at_pos, "right")
        n = self.ordered.size
        return np.asarray((left + right) / (2 * n)), np.asarray((n - left) / n)

    def tied_ends(self) -> TiedEnds:
        """Return which shares of both classes have the lowest and the highest score or residual.

        None have where residuals are Normal.
        """
        if self.normal:
            return TiedEnds((0.0, 0.0), (0.0, 0.0))
        own = self.at_pos, self.at_neg
        low, high = min(map(np.min, own)), max(map(np.max, own))
        pos, neg = ((float(np.mean(at == low)), float(np.mean(at == high))) for at in own)
        return TiedEnds(pos, neg)

    def shift(self, weight: Vector, at: Vector, z: Vector, w: Vector) -> Vector:
        """Return the slope, by the coefficients, of a weighted mean of the shares beaten.

        `weight` of each residual `at`, already times the density there, and its columns. The share
        beaten falls with the mean and the scale of a case, and rises with those of the negatives.
        """
        moved: Vector = np.concatenate([weight @ z, (weight * at) @ w])
        if self.normal:
            return -moved
        means = self.z_neg.mean(axis=0) * weight.sum(), self.w_neg.mean(axis=0) * (weight @ at)
        return np.concatenate(means) - moved

    @property
    def freedom(self) -> int:
        """Negatives less the coefficients of their mean."""
        return int(self.neg.size - self.z_neg.shape[1])

    @property
    def loss(self) -> float:
        """Factor of influences for the coefficients that the negatives determined."""
        n, p = self.neg.size, self.z_neg.shape[1]
        return sqrt(n / (n - p)) if n > p else 1.0


def references(
    data: CovariateScores, score: Vector, found: Settled, *, quiet: bool = False
) -> list[Reference]:
    """Fit the negatives of each stratum, and place its positives.

    Positives of strata without negatives are left out, with a warning unless `quiet`.
    """
    stratum, called = strata_of(data, found.strata)
    label = data.cases.label
    z, w = found.rows(data.covariates, len(data))
    parts, lost = [], []
    for s, name in enumerate(called):
        inside = stratum == s
        pos, neg = np.flatnonzero(inside & label), np.flatnonzero(inside & ~label)
        if not pos.size:
            continue
        if not neg.size:
            lost.append((name, pos.size))
            continue
        parts.append(fitted_reference(name, score, (pos, neg), (z, w), found))
    if lost and not quiet:
        listed = "; ".join(f"{name}: {n}" for name, n in lost[:5])
        warn(
            f"{sum(n for _, n in lost)} positives are left out, because their strata have no "
            f"negatives ({listed}). Merge strata to keep them."
        )
    if not parts:
        msg = (
            "No stratum has both classes, so nothing can be compared. Merge strata, or leave out a "
            "covariate."
        )
        raise ValueError(msg)
    return parts


def fitted_reference(
    name: str,
    score: Vector,
    cases: tuple[Ints, Ints],
    rows: tuple[Vector, Vector],
    found: Settled,
) -> Reference:
    """Fit the negatives of one stratum, and place its positives."""
    pos, neg = cases
    z, w = rows
    plain = not found.columns and (
        found.model.method == "stratified" or found.model.residuals == "empirical"
    )
    if plain:
        one = np.ones((len(score), 1))
        fields = {"z_neg": one[neg], "z_pos": one[pos], "w_neg": one[neg], "w_pos": one[pos]}
        return Reference(
            called=name, neg=neg, pos=pos, line=None, at_neg=score[neg], at_pos=score[pos],
            normal=False, **fields,
        )  # fmt: skip
    if not np.isfinite(score[neg]).all() or not np.isfinite(score[pos]).all():
        msg = 'A location needs finite scores. Take the method "stratified", or finite scores.'
        raise ValueError(msg)
    _check_seen(name, found.columns, z, cases)
    line = regress(score[neg], z[neg], w[neg], f"the negatives of {name}")
    s_neg, s_pos = line.sd(w[neg]), line.sd(w[pos])
    return Reference(
        called=name,
        neg=neg,
        pos=pos,
        line=line,
        at_neg=line.residual,
        at_pos=(score[pos] - line.mean(z[pos])) / s_pos,
        z_neg=z[neg] / s_neg[:, None],
        z_pos=z[pos] / s_pos[:, None],
        w_neg=w[neg],
        w_pos=w[pos],
        normal=found.model.residuals == "normal",
    )


def _check_seen(
    stratum: str, columns: Sequence[Column], z: Vector, cases: tuple[Ints, Ints]
) -> None:
    """Raise if positives have a category that no negative of the stratum has."""
    pos, neg = cases
    at = 1
    for column in columns:
        if column.levels is None:
            at += 1 + max(len(column.knots) - 2, 0)
            continue
        signs = z[:, at : at + len(column.levels)]
        at += len(column.levels)
        signs = np.column_stack([1 - signs.sum(axis=1), signs])
        lacking = (signs[pos].sum(axis=0) > 0) & (signs[neg].sum(axis=0) == 0)
        if lacking.any():
            msg = (
                f"Some positives of {stratum} have a category of {column.name!r} that no negative "
                "there has: they cannot be placed. Merge categories, or leave those cases out."
            )
            raise ValueError(msg)
