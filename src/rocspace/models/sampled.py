"""Curves that depend on all scores, not on a few parameters, and their standard errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import Axis, check_choice
from rocspace.counts.table import ScoreTable
from rocspace.models.binormal import oriented
from rocspace.models.fitting import df_of, floats_of, stepped
from rocspace.results.fit import Fit

Transform: TypeAlias = Literal["log", "logit"]
Sample: TypeAlias = tuple[Vector, Vector, Vector]

INFLUENCE = "influence of each case"

_GROUPS = 50  # of neighbouring cases whose influence is found together
_STEP = 1e-3  # share of all cases by which a group is made more
_PANELS, _NODES = 128, 8  # of thresholds, for the variance of a part of the area,
_TAIL = 1e-12  # without the shares beyond
_FLAT = (
    "The scores of {} do not vary, so that they cannot be smoothed and the curve has no shape. "
    "Take the empirical curve, roc_curve(table), and its area with auc_estimate(table)."
)


class SampleFit(Fit):
    """A curve estimated from the shares of all scores.

    Attributes
    ----------
    pos, neg : tuple of ndarray
        Scores of the class, ascending, their shares, and the variances of these.
    unit : int
        The exponent of the power of two that scores were divided by.
    higher_is_positive : bool
        Whether higher scores are more positive; if not, scores changed their sign.
    transform : {"log", "logit"} or None
        The transformation that was applied to the scores first.
    """

    pos: Sample = field(repr=False)
    neg: Sample = field(repr=False)
    unit: int = 0
    higher_is_positive: bool = True
    transform: Transform | None = None

    _kind = "Fit"

    def _variance(self, reading: Callable[[Self], Any]) -> Vector:
        """Return the infinitesimal jackknife: squared slopes by the share of each case."""
        return np.asarray((self.root_of(reading) ** 2).sum(axis=0))

    def root_of(self, reading: Callable[[Self], Any]) -> Vector:
        """Return a square root of the covariance of readings: the influence of groups of cases.

        Parameters
        ----------
        reading : callable
            As for `rocspace.results.Fit.estimate`; it may return an array.

        Returns
        -------
        ndarray of float64
            One row for each group of neighbouring cases of a class: the derivative of the readings
            by its share, times the standard deviation of that share.
        """
        rows = []
        for side in ("pos", "neg"):
            score, share, variance = getattr(self, side)
            group = _groups(share)
            for name in np.unique(group):
                among = np.where(group == name, share, 0.0)
                move = _STEP * (among / among.sum() - share)
                moved: Any = ({side: (score, share + end * move, variance)} for end in (1, -1))
                ends = (reading(self._moved(**each)) for each in moved)
                slope = np.subtract(*ends) / (2 * _STEP)
                rows.append(np.sqrt(variance[group == name].sum()) * slope)
        return np.asarray(rows, dtype=np.float64)

    def _variance_of_mean(self, **placements: Vector) -> float:
        """Return `_variance` of a mean over pairs, whose slopes are means over other scores."""
        total = 0.0
        for side, placement in placements.items():
            _, share, variance = getattr(self, side)
            group = np.unique(_groups(share), return_inverse=True)[1]
            slope = np.bincount(group, share * placement) / np.bincount(group, share)
            total += float(np.bincount(group, variance) @ (slope - share @ placement) ** 2)
        return total

    def _moved(self, **samples: Any) -> Self:
        """Return the same fit to other shares of the cases."""
        return replace(self, **samples)

    def scores_of(self, x: Vector) -> Vector:
        """Return thresholds on the scale of the scores."""
        from scipy.special import expit

        with np.errstate(over="ignore"):
            found = np.ldexp(x, self.unit) * (1 if self.higher_is_positive else -1)
            back: Any = {None: np.asarray, "log": np.exp, "logit": expit}[self.transform]
            return np.asarray(back(found))

    def of_scores(self, score: Any) -> Vector:
        """Return scores in the unit of the fit: the inverse of `scores_of`."""
        from scipy.special import logit

        there: Any = {None: np.asarray, "log": np.log, "logit": logit}[self.transform]
        turned = there(np.asarray(score)) * (1 if self.higher_is_positive else -1)
        return np.asarray(np.ldexp(turned, -self.unit))


class Side(Protocol):
    """The distribution of the scores of one class, in the unit of a fit."""

    def above(self, at: Vector) -> Vector:
        """Return the shares above thresholds."""

    def density(self, at: Vector) -> Vector:
        """Return the density."""

    def threshold(self, share: Vector) -> Vector:
        """Return the thresholds with shares, strictly between 0 and 1, above them."""


def _groups(share: Vector) -> Vector:
    """Return the group of each score: neighbours together, unless they are few."""
    if share.size <= 2 * _GROUPS:
        return np.arange(share.size, dtype=np.float64)
    return np.asarray(np.ceil(np.cumsum(share) * _GROUPS - 1e-9))


class TwoSided(SampleFit):
    """A curve of two estimated distributions, which a subclass gives by ``_sides``."""

    _kind = "Fit"

    if TYPE_CHECKING:

        @property
        def _sides(self) -> tuple[Side, Side]:
            """The distributions of positives and negatives."""

    def _tpr(self, at: Any) -> Any:
        return self._across(at, 1, 0)

    def _fpr(self, at: Any) -> Any:
        return self._across(at, 0, 1)

    def _across(self, at: Any, to: int, of: int) -> Any:
        at = np.asarray(at)
        x = self._cut(at, of)
        found = at.astype(np.float64)  # 0 and 1 stay
        inner = np.isfinite(x)
        found[inner] = self._sides[1 - to].above(x[inner])
        return np.clip(found, 0.0, 1.0)

    def _cut(self, at: Vector, of: int) -> Vector:
        """Return thresholds with a rate of class 1 or 0, in the unit of the fit."""
        found = np.where(at > 0, -np.inf, np.inf)
        inner = (at > 0) & (at < 1)
        if inner.any():
            found[inner] = self._sides[1 - of].threshold(at[inner])
        return found

    def _slope(self, at: Any) -> Any:
        at = np.asarray(at)
        x = self._cut(at, 0)
        found = np.full(at.shape, np.nan)
        inner = np.isfinite(x)
        with np.errstate(all="ignore"):
            found[inner] = np.divide(*(side.density(x[inner]) for side in self._sides))
        if np.isfinite(found).all():
            return found
        return np.where(np.isfinite(found), found, super()._slope(at))

    def at_score(self, threshold: float) -> Vector:
        """Return fpr, tpr and the log likelihood ratio at a threshold."""
        x = self.of_scores([threshold])
        pos, neg = self._sides
        with np.errstate(all="ignore"):
            ratio = np.log(pos.density(x)[0] / neg.density(x)[0])
        return np.array([neg.above(x)[0], pos.above(x)[0], ratio])

    def _threshold(self, at: Vector) -> Vector:
        return self.scores_of(self._cut(at, 0))


class TwoDistributions(TwoSided):
    """A curve of two distributions, whose densities are the slopes of their shares."""

    _kind = "Fit"

    def _variance_of_part(self, axis: Axis, low: float, high: float) -> Any:
        """Return what `_variance` finds, without a threshold for each rate of each moved fit."""
        of = 0 if axis == "fpr" else 1
        return self._variance(lambda fit: fit._over_thresholds(of, low, high))

    def _over_thresholds(self, of: int, low: float, high: float) -> float:
        """Return the area in a range of the rate of class 0 or 1, as an integral over thresholds.

        Below the curve, or right of it.
        """
        rates = np.clip([low, high], _TAIL, 1 - _TAIL)
        x, weight = _panels(*self._cut(rates, of)[::-1])
        share = self._sides[of].above(x)
        mass = weight * self._sides[1 - of].density(x)
        return float(mass @ (1 - share if of else share))


def _panels(low: float, high: float) -> tuple[Vector, Vector]:
    """Return points and weights of Gaussian quadrature, in panels of one width."""
    node, weight = np.polynomial.legendre.leggauss(_NODES)
    half = (high - low) / (2 * _PANELS)
    start = low + 2 * half * np.arange(_PANELS)
    return np.add.outer(start, half * (1 + node)).ravel(), np.tile(half * weight, _PANELS)


def sample_fields(name: str, table: ScoreTable, transform: Transform | None) -> dict[str, Any]:
    """Return the fields of a `SampleFit` that its table gives."""
    score = floats_of(table)
    if transform is not None:
        score = _transformed(name, score, transform)
    score, unit = oriented(name, table, score)
    found: dict[str, Any] = {}
    columns = ((table.pos, table.pos_w2), (table.neg, table.neg_w2))
    for side, (many, squares), n in zip(("pos", "neg"), columns, table.n_eff, strict=True):
        there = many > 0
        total = float(many.sum())
        square = (many if squares is None else squares)[there][::-1] / total**2
        variance = square * (n / (n - 1) if n > 1 else np.nan)
        found[side] = (score[there][::-1], many[there][::-1] / total, variance)
    return {
        **found,
        "unit": unit,
        "higher_is_positive": table.higher_is_positive,
        "transform": transform,
        "df": df_of(table),
    }


def joined(sample: Sample, group: Vector) -> Sample:
    """Return each group of neighbouring scores as one at their mean."""
    score, share, variance = sample
    first = np.flatnonzero(np.diff(group, prepend=-1))
    shares, variances = (np.add.reduceat(each, first) for each in (share, variance))
    return np.add.reduceat(share * score, first) / shares, shares, variances


def _transformed(name: str, score: Vector, transform: Transform) -> Vector:
    from scipy.special import logit

    check_choice("transform", transform, Transform)
    good = (score > 0) & (score < (np.inf if transform == "log" else 1))
    if not good.all():
        where = "above 0" if transform == "log" else "strictly between 0 and 1"
        msg = (
            f'{name} with transform="{transform}" takes scores {where}, but one is '
            f"{score[~good][0]:g}. Take transform=None."
        )
        raise ValueError(msg)
    return np.asarray(np.log(score) if transform == "log" else logit(score))


def flat(
    method: str,
    parameters: dict[str, float],
    pos: Vector,
    neg: Vector,
    share_above: Callable[[str, float], float],
) -> Fit | None:
    """Return the degenerate fit where the scores of a class are all equal, else None.

    ``share_above`` gives the smoothed share of the class that does vary above a score.
    """
    if pos.size > 1 and neg.size > 1:
        return None
    if pos.size == neg.size == 1:
        why = {"degenerate": _FLAT.format("both classes")}
        at = 0.5 if pos[0] == neg[0] else float(pos[0] > neg[0])
        return stepped(method, parameters, "tpr", at, why)
    if pos.size == 1:
        why = {"degenerate": _FLAT.format("the positives")}
        return stepped(method, parameters, "fpr", share_above("neg", float(pos[0])), why)
    why = {"degenerate": _FLAT.format("the negatives")}
    return stepped(method, parameters, "tpr", share_above("pos", float(neg[0])), why)
