"""Estimates at several times, what each case adds to them, and bands for all times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Mask, Vector
from rocspace._base.cards import LEVEL, Card, level_of, said
from rocspace._base.checks import check_level, check_rng, check_times
from rocspace._base.frozen import Result
from rocspace._base.text import distinct, estimate
from rocspace.counts.weights import effective_size
from rocspace.designs.survival_cases import SurvivalScores
from rocspace.inference.area import WeightType
from rocspace.inference.spread import (
    JOINT_DRAWS,
    ClassSpread,
    Spread,
    class_spread,
    joint_level,
    pooled_spread,
)
from rocspace.results.discordance import ClassGap
from rocspace.results.estimates import AreaEstimate, Difference
from rocspace.results.unseen import ClassMean, Cuts, part_of_case

PlacedEnds: TypeAlias = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Influence:
    """An estimate with the influence value of each case.

    Attributes
    ----------
    value : float
        The estimate.
    influence : ndarray of float64, shape (n,)
        n times the derivative with respect to the weight of each case; their mean is 0.
    n_pairs : float
        The smaller effective number of cases and controls, or that of the cases of a rate.
    model_se : float
        Standard error by Hanley and McNeil's model; 0 without a model.
    range : tuple of float
        Smallest and largest value.
    whole : float, optional
        For a partial area: the whole area.
    tied : bool
        Whether the score is constant.
    case : ndarray of bool, shape (n,), optional
        The cases with the event. Where they are few, so are the degrees of freedom.
    sizes : tuple of float
        Effective number of these cases, and of the others that count.
    unseen : float
        Of a mean over all cases: how many effective cases an unseen case at an end of the range
        would weigh, of which the interval allows for a part; 0 where it has a model instead.
    ends : pair of pairs of float, optional
        Of a mean over pairs: the least and the largest placement of the cases with the event, and
        of the others, in units of the range. The interval allows for part of an unseen case of
        each.
    cuts : Cuts, optional
        Of a partial area over rates that begin above 0: the curve whose cuts the interval moves.
    swapped : bool
        Whether the cuts are cases with the event.
    farther : bool
        Whether the interval takes on each side the farther of "unseen" and "moderated".
    """

    value: float
    influence: Vector
    n_pairs: float
    model_se: float = 0.0
    range: tuple[float, float] = (0.0, 1.0)
    whole: float | None = None
    tied: bool = False
    case: Mask | None = None
    sizes: tuple[float, float] = (np.inf, np.inf)
    unseen: float = 0.0
    ends: PlacedEnds | None = None
    cuts: Cuts | None = None
    swapped: bool = False
    farther: bool = False

    def estimate(self, data: SurvivalScores, weight_type: WeightType, method: str) -> AreaEstimate:
        """Return the estimate with its standard error."""
        spread = self.spread(self.influence, data.weight, weight_type)
        low, high = self.range
        return AreaEstimate(
            value=min(max(self.value, low), high),
            se=float(np.sqrt(spread.variance)),
            df=spread.df,
            method=method,
            n_pairs=self.n_pairs,
            model_se=self.model_se,
            range=self.range,
            whole=self.whole,
            tied=self.tied,
            classes=self._classes(data, weight_type, spread.variance),
            # Weights of the data may know the score: then part of a case is not enough.
            farther=self.farther
            or self.unseen > 0
            or (data.weight is not None and weight_type == "importance"),
            cuts=self.cuts,
        )

    def _classes(
        self, data: SurvivalScores, weight_type: WeightType, variance: float
    ) -> tuple[ClassMean, ...] | None:
        """Return what "unseen" needs, if it is known."""
        if self.unseen:
            return self._with_unseen(variance)
        if self.ends is None or self.case is None:
            return None
        scaled = _scaled(self.influence, data.weight, weight_type)[0]
        whole = float(data.case_weight.sum()) * (self.range[1] - self.range[0])
        share = scaled * (self.influence / whole) ** 2
        found = []
        for held, n, ends in zip((self.case, ~self.case), self.sizes, self.ends, strict=True):
            spread = n * float(share[held].sum())
            found.append(ClassMean(n, spread, *ends, float(part_of_case(spread, n))))
        return tuple(found[::-1] if self.swapped else found)

    def _with_unseen(self, variance: float) -> tuple[ClassMean]:
        """Return what "unseen" needs of the mean over all cases, on a range from 0 to 1."""
        spread = self.n_pairs * variance / (self.range[1] - self.range[0]) ** 2
        part = self.unseen * float(part_of_case(spread, self.n_pairs))
        return (ClassMean(self.n_pairs, spread, 0.0, 1.0, part),)

    def spread(self, influence: Vector, weight: Vector | None, weight_type: WeightType) -> Spread:
        """Return the variance of the mean of influence values, and its degrees of freedom.

        The latter are the smaller of two numbers: that which follows from the fourth moment of all
        values, and Welch's from the numbers of cases with and without the event.
        """
        scaled, total, n = _scaled(influence, weight, weight_type)
        square = influence**2
        second, fourth = float(scaled @ square), float(scaled @ square**2)
        found = pooled_spread([class_spread(second, fourth, total, n)])
        if self.case is None or not second > 0:
            return found
        of_cases = float(scaled[self.case] @ square[self.case]) / second
        shares = of_cases, 1 - of_cases
        few = sum(
            share**2 / max(size - 1, 1.0) for share, size in zip(shares, self.sizes, strict=True)
        )
        return found._replace(df=min(found.df, 1 / few)) if few > 0 else found


def _scaled(
    influence: Vector, weight: Vector | None, weight_type: WeightType
) -> tuple[Vector, float, float]:
    """Return the weights of squares, their sum, and the effective number of cases."""
    if weight is None:
        return np.ones(influence.size), float(influence.size), float(influence.size)
    if weight_type == "frequency":
        total = float(weight.sum())
        return weight, total, total
    return weight**2, float((weight**2).sum()), effective_size(weight)


def effective_cases(
    weight: Vector, held: Mask, data: SurvivalScores, weight_type: WeightType
) -> float:
    """Return the effective number of some cases; by frequency each stands for several equal ones.

    `weight` contains the weights of the data.
    """
    own = weight[held]
    if data.weight is None or weight_type == "importance":
        return float(effective_size(own))
    copies = data.weight[held]
    squares = float(own @ np.divide(own, copies, out=np.zeros(own.size), where=copies > 0))
    return float(own.sum()) ** 2 / squares if squares > 0 else 0.0


def class_share(
    influence: Vector, held: Mask, n: float, data: SurvivalScores, weight_type: WeightType
) -> tuple[Vector, ClassSpread]:
    """Return what some cases add to the covariance of two estimates, and to their difference.

    `n` is their effective number, by which both are made larger: n / (n - 1) times the sums.
    """
    part = influence[:, held]
    own = None if data.weight is None else data.weight[held]
    weight, total, many = _scaled(part[0], own, weight_type)
    away = part[0] - part[1]
    scale = n / float(data.case_weight.sum()) ** 2
    fourth, second = float(weight @ away**4), float(weight @ away**2)
    if n <= 1 + 1e-9:
        return np.zeros((2, 2)), ClassSpread(variance=np.nan, noise=np.nan, freedom=0.0)
    noise = class_spread(second, fourth, total, many).noise if many > 1 else 0.0
    spread = ClassSpread(variance=second * scale / (n - 1), noise=noise, freedom=n - 1)
    return (part * weight) @ part.T * scale / (n - 1), spread


def difference_of(
    one: Influence,
    two: Influence,
    data: SurvivalScores,
    weight_type: WeightType,
    method: str,
    gaps: tuple[ClassGap, ClassGap] | None = None,
) -> Difference:
    """Return the difference of two estimates of the same cases."""
    spread = one.spread(one.influence - two.influence, data.weight, weight_type)
    first, second = (each.estimate(data, weight_type, method) for each in (one, two))
    product = 2 * first.se * second.se
    shared = first.se**2 + second.se**2 - spread.variance
    low, high = one.range
    return Difference(
        value=first.value - second.value,
        se=float(np.sqrt(spread.variance)),
        df=spread.df,
        method=method,
        n_pairs=min(one.n_pairs, two.n_pairs),
        range=(low - high, high - low),
        first=first,
        second=second,
        correlation=min(max(shared / product, -1.0), 1.0) if product > 0 else float("nan"),
        gaps=gaps,
        usual="t" if gaps is None else None,
    )


class TimeBand(Result):
    """Limits that contain the values at all times together with a given probability.

    Attributes
    ----------
    at : ndarray of float64, shape (m,)
        The times.
    value, low, high : ndarray of float64, shape (m,)
        Estimate and limits at each time.
    level : float
        Confidence level of all limits together.
    pointwise : float
        Level of the interval at each time.
    quantity : str
        What is estimated.

    See Also
    --------
    OverTime.band
    """

    at: Vector
    value: Vector
    low: Vector
    high: Vector
    level: float
    pointwise: float
    quantity: str

    _frame = ("at", "value", "low", "high")

    def _about(self) -> str:
        return f"{self.quantity} at {self.at.size} times, {level_of(self.level)} together"

    def _card(self) -> Card:
        rows = {"Level": level_of(self.level), "Of each": level_of(self.pointwise)}
        table = [
            (at, *estimate(value, low, high))
            for at, value, low, high in zip(
                distinct(self.at.tolist()), self.value, self.low, self.high, strict=True
            )
        ]
        return Card(rows=rows, header=("time", self.quantity, "limits"), table=table)


class OverTime(Result):
    """Estimates at several times, or differences of two scores.

    Attributes
    ----------
    quantity : str
        What is estimated.
    names : tuple of str
        The score; or two, of which the first minus the second is taken.
    at : ndarray of float64, shape (m,)
        The times.
    estimates : tuple of Estimate
        One for each time.
    cases, controls : ndarray of int64, shape (m,)
        Numbers of cases with the event by then, and of those known to be without it.
    n : int
        Number of all cases; the others were censored before.
    correlation : ndarray of float64, shape (m, m)
        Correlations of the estimates.

    See Also
    --------
    auc_over_time, auc_over_time_difference

    Examples
    --------
    >>> from rocspace.designs import auc_over_time, survival_scores
    >>> time, status = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 0, 1, 0, 1, 0, 0]
    >>> data = survival_scores(time, status, [4, 7, 6, 8, 1, 5, 2, 3])
    >>> auc_over_time(data, at=[2, 4])
    OverTime(AUC of score at 2 times, 2 to 4)
    """

    _meant: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("interval", "ci", "conf_int", "confint", "low", "high"),
            "to_frame(), estimates[0].interval(level) of one time, or band(level) of all together",
        ),
        **dict.fromkeys(("times", "time"), "at"),
        **dict.fromkeys(("auc", "AUC"), "value"),
        "plot": "rs.plot.plot_over_time(found)",
    }

    quantity: str
    names: tuple[str, ...]
    at: Vector
    estimates: tuple[AreaEstimate, ...]
    cases: Ints
    controls: Ints
    n: int
    correlation: Vector = field(repr=False)

    @property
    def value(self) -> Vector:
        """The estimates as numbers, shape (m,)."""
        return np.array([each.value for each in self.estimates])

    @property
    def se(self) -> Vector:
        """Their standard errors, shape (m,)."""
        return np.array([each.se for each in self.estimates])

    def __len__(self) -> int:
        """Return the number of times."""
        return len(self.estimates)

    def _of(self) -> str:
        return f"{self.quantity} of {' minus '.join(self.names)}"

    def _about(self) -> str:
        times = distinct(self.at.tolist())
        if len(self) == 1:
            return f"{self._of()} at {times[0]}"
        return f"{self._of()} at {len(self)} times, {times[0]} to {times[-1]}"

    def _card(self) -> Card:
        table = [
            (at, said(e).value, said(e).interval, str(cases), str(controls))
            for at, e, cases, controls in zip(
                distinct(self.at.tolist()), self.estimates, self.cases, self.controls, strict=True
            )
        ]
        return Card(
            rows={"Of": self._of(), "Cases": f"{self.n:,}"},
            header=("time", self.quantity, f"{level_of()} interval", "with event", "without"),
            table=table,
        )

    def _columns(self) -> dict[str, Any]:
        low, high = np.array([list(e.interval(LEVEL)) for e in self.estimates]).T
        found: dict[str, Any] = {"at": self.at, "value": self.value, "se": self.se}
        found |= {"low": low, "high": high}
        if len(self.names) == 2:
            tests = [e.test().pvalue for e in self.estimates if isinstance(e, Difference)]
            found["pvalue"] = np.array(tests)
        censored = self.n - self.cases - self.controls
        return found | {"cases": self.cases, "controls": self.controls, "unknown": censored}

    def band(
        self,
        level: float = 0.95,
        *,
        n_boot: int = JOINT_DRAWS,
        rng: np.random.Generator | int | None = None,
    ) -> TimeBand:
        """Return limits for all times together.

        Parameters
        ----------
        level : float, default 0.95
            Probability that the values at all times lie inside, strictly between 0 and 1.
        n_boot : int, default 20000
            Number of draws of the largest deviation.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same band.

        Returns
        -------
        TimeBand
            Limits at each time, inside the range of the quantity.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1, or there are too few draws.

        Notes
        -----
        The quantile is that of the largest standardised deviation in a multiplier bootstrap: the
        influence values of each case are multiplied by a standard Normal number. Given the sample
        these sums have a Normal distribution, whose correlations are known, so that they are drawn
        from it: O(n_boot m) in place of O(n_boot n m). The limits at each time are those of the
        interval whose level corresponds to that quantile.

        References
        ----------
        Blanche, Dartigues and Jacqmin-Gadda (2013), a paper on this alone, for the band.

        Examples
        --------
        >>> from rocspace.designs import auc_over_time, survival_scores
        >>> time, status = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 0, 1, 0, 1, 0, 0]
        >>> data = survival_scores(time, status, [4, 7, 6, 8, 1, 5, 2, 3])
        >>> band = auc_over_time(data, at=[2, 4]).band(rng=1)
        >>> bool((band.low < band.value).all()), round(band.pointwise, 2)
        (True, 0.97)
        """
        check_level(level)
        check_times("n_boot", n_boot, numbers=len(self))
        pointwise = joint_level(self.correlation, level, rng=check_rng(rng), n_draws=n_boot)
        low, high = np.array([list(e.interval(pointwise)) for e in self.estimates]).T
        return TimeBand(
            at=self.at,
            value=self.value,
            low=low,
            high=high,
            level=level,
            pointwise=pointwise,
            quantity=self._of(),
        )


def timed_estimates(
    parts: Sequence[Influence],
    others: Sequence[Influence] | None,
    gaps: Sequence[tuple[ClassGap, ClassGap] | None] | None = None,
    *,
    data: SurvivalScores,
    weight_type: WeightType,
    **about: Any,
) -> OverTime:
    """Make estimates, or differences, of influence values at each time."""
    method = "influence function"
    estimates: list[AreaEstimate]
    if others is None:
        estimates = [part.estimate(data, weight_type, method) for part in parts]
        values = [part.influence for part in parts]
    else:
        known = gaps if gaps is not None else [None] * len(parts)
        pairs = list(zip(parts, others, known, strict=True))
        estimates = [difference_of(a, b, data, weight_type, method, gap) for a, b, gap in pairs]
        values = [a.influence - b.influence for a, b, _ in pairs]
    weight = _scaled(values[0], data.weight, weight_type)[0]
    held = np.array(values)
    covariance = (held * weight) @ held.T
    spread = np.sqrt(np.diag(covariance))
    scale = np.where(spread > 0, spread, 1.0)
    correlation = np.clip(covariance / np.outer(scale, scale), -1.0, 1.0)
    return OverTime(estimates=tuple(estimates), correlation=correlation, n=len(data), **about)
