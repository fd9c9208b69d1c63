"""Areas, rates and curves of cases that belong to both classes in part, by signed weights.

Where the truth is not known for all, or not sure, each case has a weight in each class. The
weights of a doubly robust estimator, and those that undo wrong labels, can be negative: no
`ScoreTable` holds them, and a curve of them can fall.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.cards import Card, level_of, picture, said
from rocspace._base.frozen import Result, own
from rocspace._base.text import either, general
from rocspace.results.curve import PolygonCurve
from rocspace.results.estimates import AreaEstimate, Difference, Estimate, Scale, moderated_se
from rocspace.results.interval import Interval

EDGE = 1e-12  # nearer than this to 0 or 1 a rate differs from it by rounding


# --- sums over pairs of cases -------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The cases of a score by rank, the most positive first; equal scores share a rank.

    ``threshold[r]`` is the score of rank r.
    """

    rank: Ints
    threshold: Array

    def summed(self, weight: Vector) -> Vector:
        """Return the total weight of each rank."""
        return np.bincount(self.rank, weight, self.threshold.size).astype(np.float64)


def ranked(score: Array, *, higher_is_positive: bool) -> Ranked:
    """Rank the cases of one score."""
    distinct, rank = np.unique(score, return_inverse=True)
    if higher_is_positive:
        return Ranked(distinct.size - 1 - rank, distinct[::-1])
    return Ranked(rank, distinct)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A number read from weights, and its derivatives by the weight of each case in each class.

    The derivatives are those by ``n`` times the weight, ``n`` being the number of cases, so that
    their products with the weights are influence values.
    """

    value: float
    by_pos: Vector
    by_neg: Vector


def area_reading(order: Ranked, pos: Vector, neg: Vector, times: Vector | None = None) -> Reading:
    """Return the area of weights in both classes; pairs of a case with itself are left out.

    With `times`, how often each case counts, its copies are the same case.
    """
    each = pos if times is None else times * pos
    other = neg if times is None else times * neg
    n = float(pos.size) if times is None else float(times.sum())
    of_pos, of_neg = order.summed(each), order.summed(other)
    below = of_neg.sum() - np.cumsum(of_neg) + of_neg / 2
    above = np.cumsum(of_pos) - of_pos / 2
    beats = (below[order.rank] - other / 2) / n
    beaten = (above[order.rank] - each / 2) / n
    n_pos, n_neg = (of_pos.sum() - each) / n, (of_neg.sum() - other) / n
    pairs = float(each @ n_neg)
    value = float(each @ beats) / pairs
    scale = n / pairs
    return Reading(value, scale * (beats - value * n_neg), scale * (beaten - value * n_pos))


def share_reading(
    pos: Vector,
    neg: Vector,
    of: tuple[Vector | float, Vector | float],
    among: tuple[Vector | float, Vector | float],
    times: Vector | None = None,
) -> Reading:
    """Return the share of the weight `among` which there is the weight `of`.

    Each is a pair: what counts of the weight in the positives, and of that in the negatives.
    """
    count = np.ones(pos.size) if times is None else times
    total = float(count @ (among[0] * pos + among[1] * neg))
    value = float(count @ (of[0] * pos + of[1] * neg)) / total
    scale = float(count.sum()) / total
    ones = np.ones(pos.size)
    return Reading(
        value,
        scale * (of[0] - value * among[0]) * ones,
        scale * (of[1] - value * among[1]) * ones,
    )


def freedom(influence: Vector, most: float) -> float:
    """Return the degrees of freedom of the variance of a mean, by its fourth moment."""
    square = influence**2
    second, fourth = float(square.sum()), float(square @ square)
    excess = fourth - second**2 / square.size
    return min(2 * second**2 / excess, most) if excess > 0 else most


# --- results ------------------------------------------------------------------------------------


class CorrectedArea(AreaEstimate):
    """An area corrected for a truth that is not known for all cases, or not sure.

    Attributes
    ----------
    value, se, method, range, df, n_pairs
        As for `Estimate`; the value is in [0, 1].
    raw : float
        The value before it was cut at 0 and 1, which signed weights can leave.
    uncorrected : AreaEstimate
        What one would report without a correction: the area of the cases whose truth is known.
    weight : float, optional
        For a prediction-powered area: how much of the judge's difference is used.
    saved : float, optional
        For a prediction-powered area: how many more true labels would be needed without the judge.

    See Also
    --------
    verified_auc_estimate, powered_auc_estimate
    """

    raw: float
    uncorrected: AreaEstimate
    weight: float | None = None
    saved: float | None = None

    def interval(self, level: float = 0.95, *, scale: Scale | None = None) -> Interval:
        """Return a confidence interval inside [0, 1], which is never a point.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : str, optional
            As for `Estimate`. The default is "moderated". For a prediction-powered area it is the
            default interval of the true labels alone, whose distances from the area are multiplied
            by the ratio of the two standard errors.

        Returns
        -------
        Interval
            Its ``method`` names the interval that was computed.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.
        """
        alone = self.uncorrected
        inside = 0 < self.value < 1 and alone.se > 0
        if self.weight is None or scale is not None or not inside:
            return super().interval(level, scale=scale)
        ends, ratio = alone.interval(level), self.se / alone.se
        return Interval(
            low=max(self.value - ratio * (alone.value - ends.low), 0.0),
            high=min(self.value + ratio * (ends.high - alone.value), 1.0),
            level=level,
            method=f"{self.method}, scaled",
        )

    def _card(self) -> Card:
        rows = {
            "Value": said(self).value,
            "Standard error": either(self.se),
            f"{level_of()} interval": said(self).interval,
            "Method": self.method,
            "Without a correction": str(self.uncorrected),
        }
        if self.weight is not None:
            rows["Weight of the judge"] = either(self.weight)
        if self.saved is not None:
            rows["True labels saved"] = general(self.saved)
        if self.raw != self.value:
            rows["Before it was cut"] = either(self.raw)
        return Card(rows=rows)


class CorrectedRate(Estimate):
    """A rate of all cases, where the truth is known for a part of them.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`; the value is in [0, 1].
    model_se : float
        Standard error that the models of a doubly robust rate expect, by which its interval is
        moderated as that of an area is; 0 for other methods.

    See Also
    --------
    verified_rates
    """

    model_se: float = 0.0

    def _moderated_se(self) -> float:
        return moderated_se(self.se, self.model_se, self.df)


class CorrectedRates(Result):
    """Rates at a threshold, corrected for a truth that is not known for all, or not sure.

    Attributes
    ----------
    threshold : float
        Cases with this score, or a more positive one, are called positive.
    tpr, fpr : Estimate
        True and false positive rates.
    ppv, npv, prevalence : Estimate or None
        Predictive values and the share of positives, where the design tells them.

    See Also
    --------
    verified_rates, denoised_rates
    """

    threshold: float
    tpr: Estimate
    fpr: Estimate
    ppv: Estimate | None = None
    npv: Estimate | None = None
    prevalence: Estimate | None = None

    @property
    def tnr(self) -> float:
        """True negative rate, 1 minus the false positive rate."""
        return 1 - self.fpr.value

    def _about(self) -> str:
        return f"at {self.threshold:g}: tpr {either(self.tpr.value)}, fpr {either(self.fpr.value)}"

    def _card(self) -> Card:
        shown = {
            name.title() if name == "prevalence" else name.upper(): str(found)
            for name, found in self.estimates.items()
        }
        return Card(rows={"Threshold": general(self.threshold), **shown})

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The rates that are known, by name."""
        names = ("tpr", "fpr", "ppv", "npv", "prevalence")
        found = {name: getattr(self, name) for name in names}
        return {name: each for name, each in found.items() if each is not None}

    def _columns(self) -> dict[str, Any]:
        rows = [each._columns() for each in self.estimates.values()]
        joined = {key: [row[key][0] for row in rows] for key in rows[0]}
        return {"rate": list(self.estimates), **joined}


class CorrectedCurve(PolygonCurve, Result):
    """An ROC curve of signed weights, with its points in rising order.

    Attributes
    ----------
    fpr, tpr : ndarray, shape (k + 1,)
        Rates from (0, 0) to (1, 1), non-decreasing: those of `raw_fpr` and `raw_tpr` cut at 0 and
        1, and sorted where they fall.
    threshold : ndarray, shape (k + 1,)
        The thresholds, the strictest first; the first one calls no case positive.
    raw_fpr, raw_tpr : ndarray, shape (k + 1,)
        The rates at the thresholds, as estimated; they can fall, and be below 0 or above 1.
    rearranged : bool
        Whether any rate was cut or sorted.
    name : str
        The method.

    See Also
    --------
    verified_curve, denoised_curve

    Notes
    -----
    Sorting the values of an estimate of a rising curve never takes it farther from the true curve,
    in distance averaged over the points, and as a rule brings it nearer.

    References
    ----------
    Chernozhukov, Fernandez-Val and Galichon (2009), a paper on this alone.
    """

    fpr: Vector
    tpr: Vector
    threshold: Vector
    raw_fpr: Vector = field(repr=False)
    raw_tpr: Vector = field(repr=False)
    rearranged: bool = False
    name: str = "corrected"

    _frame = ("threshold", "fpr", "tpr", "raw_fpr", "raw_tpr")

    @property
    def auc(self) -> float:
        """Area under the curve as drawn, in [0, 1]; pairs of a case with itself count one half."""
        return min(float(np.trapezoid(self.tpr, self.fpr)), 1.0)

    def _card(self) -> Card:
        rows = {
            "Method": self.name,
            "Points": f"{self.fpr.size:,}",
            "Area as drawn": either(self.auc),
            "Points rearranged": "yes" if self.rearranged else "no",
        }
        return Card(rows=rows, image=picture([(self.fpr, self.tpr)]))


def curve_of(
    threshold: Array, pos: Vector, neg: Vector, name: str, *, higher: bool
) -> CorrectedCurve:
    """Make a curve of the weights at each score, the most positive first."""
    raw = [np.concatenate([[0.0], np.cumsum(each) / each.sum()]) for each in (neg, pos)]
    for rates in raw:
        rates[-1] = 1.0  # but for rounding
    drawn = [np.sort(np.clip(rates, 0.0, 1.0)) for rates in raw]
    nobody = np.inf if higher else -np.inf
    return CorrectedCurve(
        fpr=own(drawn[0]),
        tpr=own(drawn[1]),
        threshold=own(np.concatenate([[nobody], threshold.astype(np.float64)])),
        raw_fpr=own(raw[0]),
        raw_tpr=own(raw[1]),
        rearranged=any(np.abs(a - b).max() > EDGE for a, b in zip(drawn, raw, strict=True)),
        name=name,
    )


def difference_of(
    first: CorrectedArea, second: CorrectedArea, covariance: Vector, df: float
) -> Difference:
    """Return the difference of two corrected areas of the same cases, from their covariance."""
    variance = float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    spread = float(np.sqrt(covariance[0, 0] * covariance[1, 1]))
    return Difference(
        value=first.value - second.value,
        se=float(np.sqrt(max(variance, 0.0))),
        method=first.method,
        n_pairs=min(first.n_pairs, second.n_pairs),
        range=(-1.0, 1.0),
        df=df,
        first=first,
        second=second,
        correlation=float(covariance[0, 1]) / spread if spread > 0 else float("nan"),
        usual="t",
    )
