"""What a fitted curve says of studies to come: samples of it, and variances of its area.

A curve is the distribution of placements: a case is described by the share of negatives above it,
which is uniform among negatives and has the curve as its distribution function among positives.
Areas depend on nothing else, so samples of placements stand for samples of scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, tabulate_classes
from rocspace.planning.area_variance import Planned, normal_covariance
from rocspace.planning.designs import ndtri
from rocspace.results.curve import Curve, Line, line_of, polygon_area
from rocspace.results.fit import Fit
from rocspace.simulate.models import binormal

_FINE = 4000  # pieces of a curve, of which each is taken for straight
_TERMS = 60  # of the series in powers of a correlation
_FAR = 38.0  # Normal quantiles beyond this have no density


# --- what is drawn ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Placed:
    """Cases by their false positive rates on a curve; those of one piece are tied if rated."""

    line: Line
    rated: bool

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> ScoreTable:
        """Draw one sample."""
        pos, neg = rng.random(n_pos), rng.random(n_neg)
        return tabulate_classes(self.score(pos, positive=True), self.score(neg, positive=False))

    def score(self, above: Vector, *, positive: bool) -> Vector:
        """Return the scores below which lie all but these shares of a class."""
        x, y = self.line.x, self.line.y
        own = y if positive else x
        if self.rated:
            return -np.searchsorted(own[1:-1], above, side="right").astype(np.float64)
        return -np.interp(above, own, x) if positive else -above


@dataclass(frozen=True)
class PlacedPair:
    """Cases by their placements on two curves, which correlate on the probit scale."""

    first: Placed
    second: Placed
    correlations: tuple[float, float]
    names: tuple[str, str] = ("first", "second")

    def draw(self, n_pos: int, n_neg: int, *, rng: np.random.Generator) -> PairedScores:
        """Draw one sample."""
        from scipy.special import ndtr

        of_class = []
        for n, r, positive in zip(
            (n_pos, n_neg), self.correlations[::-1], (True, False), strict=True
        ):
            one, other = rng.standard_normal((2, n))
            both = (one, r * one + (1 - r * r) ** 0.5 * other)
            of_class.append(
                [
                    own.score(ndtr(-z), positive=positive)
                    for own, z in zip((self.first, self.second), both, strict=True)
                ]
            )
        return PairedScores(
            label=np.repeat([True, False], [n_pos, n_neg]),
            score=np.concatenate(of_class, axis=1).T,
            names=self.names,
        )


# --- what is expected of it -------------------------------------------------------------------


@dataclass(frozen=True)
class CurvePart:
    """A curve between two false positive rates, in pieces, and what each case adds to its area."""

    line: Line
    rated: bool
    area: float
    low: float = 0.0
    high: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Whether this is all of the curve."""
        return (self.low, self.high) == (0.0, 1.0)

    @cached_property
    def _shares(self) -> tuple[Vector, Vector]:
        """Return the shares of the positives and of the negatives in each piece."""
        return np.diff(self.line.y), np.diff(self.line.x)

    @cached_property
    def _added(self) -> tuple[Vector, Vector]:
        """Return the mean influence of a positive, and of a negative, in each piece.

        A positive with placement v adds ``high - v``, a negative ``R(high) - R(v)``, v being moved
        into the range. Both are linear between the vertices and the ends of the range.
        """
        x, y = self.line.x, self.line.y
        steps = np.arange(x.size)
        at = np.union1d(steps, np.interp([self.low, self.high], x, steps))
        fpr, tpr = np.interp(at, steps, x), np.interp(at, steps, y)
        low, high = np.interp([self.low, self.high], x, y)
        across, along = (
            self.high - np.clip(fpr, self.low, self.high),
            high - np.clip(tpr, low, high),
        )
        piece, size = np.minimum(at[:-1].astype(int), x.size - 2), np.diff(at)
        pos, neg = np.zeros(x.size - 1), np.zeros(x.size - 1)
        np.add.at(pos, piece, size * (across[1:] + across[:-1]) / 2)
        np.add.at(neg, piece, size * (along[1:] + along[:-1]) / 2)
        return pos, neg

    def variance(self, ratio: float) -> Planned:
        """Return the variance of the empirical area; of a part of it in large samples."""
        pos, neg = (
            float(share @ added**2 - (share @ added) ** 2)
            for share, added in zip(self._shares, self._added, strict=True)
        )
        small = 0.0
        if self.is_whole:
            ties = float(self._shares[0] @ self._shares[1]) if self.rated else 0.0
            small = (self.area * (1 - self.area) - ties / 4 - pos - neg) / ratio
        return Planned(large=pos + neg / ratio, small=small)

    def covariance(
        self, other: CurvePart, correlations: tuple[float, float], ratio: float
    ) -> Planned:
        """Return the covariance with another area of the same cases.

        By Mehler's formula: the sum of the products of the Hermite coefficients of what a case adds
        to either area, times powers of the correlation. What is added in small samples is that of
        Normal scores of equal variance.
        """
        r = np.array(correlations)[::-1, np.newaxis] ** np.arange(1, _TERMS + 1)
        pos, neg = (self._hermite * other._hermite * r).sum(axis=1).tolist()
        small = 0.0
        if self.is_whole:
            one, two = (ndtri(each.area) for each in (self, other))
            by_neg, by_pos = (r / 2 for r in correlations)
            shares = [normal_covariance(one, two, r) for r in (by_neg + by_pos, by_neg, by_pos)]
            small = (shares[0] - shares[1] - shares[2]) / ratio
        return Planned(large=pos + neg / ratio, small=small)

    @cached_property
    def _hermite(self) -> Vector:
        """Return the Hermite coefficients of the influence: (positives and negatives, terms)."""
        from scipy import special

        found = np.zeros((2, _TERMS))
        for row, share, added in zip(found, self._shares, self._added, strict=True):
            z = np.clip(special.ndtri(np.minimum(np.cumsum(share)[:-1], 1.0)), -_FAR, _FAR)
            jump = np.diff(added) * np.exp(-z * z / 2) / (2 * np.pi) ** 0.5
            before, now = np.zeros_like(z), np.ones_like(z)  # He_(k-1) / sqrt((k-1)!)
            for k in range(1, _TERMS + 1):
                row[k - 1] = jump @ now / k**0.5
                before, now = now, (z * now - (k - 1) ** 0.5 * before) / k**0.5
        return found


# --- from a fit -------------------------------------------------------------------------------


def part_of(fit: Fit, rated: bool | None, fpr: tuple[float, float]) -> CurvePart:
    """Return the part of a fitted curve that a study is about; by default rated as the fit was."""
    if rated is None:
        rated = fit.method == "rating"
    if not rated:
        return _part(fit, None, fpr)
    if fit.cuts is None:
        msg = (
            f"The {fit.name} has no cuts between ratings, so studies of the same ratings cannot be "
            "drawn from it. Leave out rated=True, or fit the ratings by fit_rating."
        )
        raise ValueError(msg)
    return _part(fit, np.unique(np.concatenate([[0.0], fit.cuts[1], [1.0]])), fpr)


def null_part(part: CurvePart, null_area: float) -> CurvePart:
    """Return the same part of the curve of Normal scores of equal variance with an area."""
    ratings = part.line.x if part.rated else None
    return _part(binormal(null_area), ratings, (part.low, part.high))


def _part(curve: Curve, ratings: Vector | None, fpr: tuple[float, float]) -> CurvePart:
    """Return a part of a curve; of the polygon through the rates of ratings if there are any."""
    low, high = fpr
    if ratings is None:
        area = curve.auc if (low, high) == (0.0, 1.0) else curve.partial_auc(fpr=(low, high))
        return CurvePart(_fine(line_of(curve)), rated=False, area=area, low=low, high=high)
    line = Line(ratings, np.asarray(curve.tpr_at(ratings)))
    return CurvePart(line, True, polygon_area(line.x, line.y, low, high), low, high)


def _fine(line: Line) -> Line:
    """Cut a line into short pieces."""
    along = np.concatenate([[0.0], np.cumsum(np.diff(line.x) + np.diff(line.y))])
    at = np.union1d(along, np.linspace(0, 2, _FINE + 1))
    return Line(np.interp(at, along, line.x), np.interp(at, along, line.y))
