"""The average of several curves, with standard deviations and limits at each point."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, picture
from rocspace._base.checks import check_fractions
from rocspace._base.frozen import Result, own
from rocspace._base.words import counted
from rocspace.averaging.meeting import readings
from rocspace.counts.table import ScoreTable
from rocspace.results.curve import Line, PolygonCurve, left_right
from rocspace.results.interval import intervals_of
from rocspace.results.limits import nondecreasing, wilson_ends
from rocspace.results.proportions import normal_density, normal_quantile, rate_limits

IntervalMethod: TypeAlias = Literal[
    "bracket",
    "t",
    "normal",
    "wilson",
    "clopper-pearson",
    "agresti-coull",
    "wald",
    "percentile",
    "prediction",
]

_BY_COUNTS = ("bracket", "wilson", "clopper-pearson", "agresti-coull", "wald")
_EDGE = 1e-12  # rates nearer to each other, or to 0 and 1, than this differ by rounding
_TINY = 1e-300  # instead of no spread, of which an end at 0 would be 0 / 0
_VAST = 1e50  # for quantiles of next to no degrees of freedom; its square is finite


# --- mean, spread and limits at each point ----------------------------------------------------


def mean_of(each: Vector, share: Vector) -> Vector:
    """Return the weighted mean over curves, kept inside their range despite round-off."""
    equal = bool((share == share[0]).all())
    mean = each.mean(axis=0) if equal else share @ each
    return np.clip(mean, each.min(axis=0), each.max(axis=0))


def spread_at(mean: Vector, each: Vector, share: Vector) -> Vector:
    """Return the standard deviation between curves; 0 where all agree, nan for one curve."""
    left = 1 - float(share @ share)
    if each.shape[0] < 2 or left <= 0:
        return np.full(mean.shape, np.nan)
    spread = np.sqrt(share @ (each - mean) ** 2 / left)
    return np.where(each.max(axis=0) - each.min(axis=0) <= _EDGE, 0.0, spread)


def pointwise_limits(
    mean: Vector, each: Vector, share: Vector, total: float, level: float, method: str
) -> tuple[Vector, Vector, Mask]:
    """Return both limits, and where they are Wilson's, as the spread is not informative.

    `total` is the number of cases in the denominator of the mean rate.
    """
    curves = 1 / float(share @ share)
    if method in ("wilson", "clopper-pearson", "agresti-coull"):
        low, high = rate_limits(mean * total, total, level, method)
        # The product and the quotient may round the mean itself out of its interval.
        return np.minimum(low, mean), np.maximum(high, mean), np.zeros(mean.shape, dtype=bool)
    if method == "percentile":
        low, high = _percentiles(each, share, level)
        unknown = np.full(mean.shape, len(each) < 2)
    else:
        half = _half_width(mean, spread_at(mean, each, share), curves, total, level, method)
        unknown = ~(half > 0)
        low, high = np.clip(mean - half, 0.0, 1.0), np.clip(mean + half, 0.0, 1.0)
    if unknown.any():
        # The variance of a single future curve is (curves + 1) times that of the mean.
        cases = total / (curves + 1) if method == "prediction" else total
        wide = rate_limits(mean * cases, cases, level, "wilson")
        low = np.where(unknown, np.minimum(wide[0], mean), low)
        high = np.where(unknown, np.maximum(wide[1], mean), high)
    return low, high, unknown


def bracket_limits(
    low: Vector, high: Vector, share: Vector, cases: float, level: float
) -> tuple[Vector, Vector, Mask]:
    """Return limits of what lies between the means of two readings, and where no curve differs.

    Each end is the further one of Student's and Wilson's, with the curves' spread, and of Clopper
    and Pearson's for a share of `cases`. The further apart the readings, the more one-sided.
    """
    from scipy.special import ndtr

    curves = 1 / float(share @ share)
    below, above = mean_of(low, share), mean_of(high, share)
    variance = [_variance_of(x, each, share, cases) for x, each in ((below, low), (above, high))]
    widest = np.maximum(*(np.maximum(v, floor) for v, floor in variance))
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.minimum(np.nan_to_num((above - below) / np.sqrt(widest)), _VAST)
    student = _quantile_of_gap(gap, level, curves - 1 if curves > 1 + _EDGE else np.inf)
    each_level = 1 - 2 * ndtr(-_quantile_of_gap(gap, level, np.inf))
    ends = []
    for x, (spread, _) in zip((below, above), variance, strict=True):
        half = np.minimum(student * np.sqrt(spread), 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.nan_to_num(student**2 * spread / (x * (1 - x)))  # 0 / 0: no spread
        all_of = (
            (np.maximum(x - half, 0.0), np.minimum(x + half, 1.0)),
            wilson_ends(x, np.clip(told, _TINY, _VAST)),
            rate_limits(x * cases, cases, each_level, "clopper-pearson"),
        )
        ends.append(
            (np.minimum.reduce([e[0] for e in all_of]), np.maximum.reduce([e[1] for e in all_of]))
        )
    unknown = (variance[0][0] == 0) & (variance[1][0] == 0)
    return ends[0][0], ends[1][1], unknown


def _variance_of(mean: Vector, each: Vector, share: Vector, cases: float) -> tuple[Vector, Vector]:
    """Return the variance of a mean by the curves' spread, 0 if unknown, and by counts alone."""
    spread = np.nan_to_num(spread_at(mean, each, share)) ** 2 * float(share @ share)
    return spread, mean * (1 - mean) / cases


def _quantile_of_gap(gap: Vector, level: float, df: float) -> Vector:
    """Solve F(q + gap) - F(-q) = level for q >= 0, F of Student's t: two-sided to one-sided."""
    from scipy.special import gammaln, ndtr, ndtri, stdtr, stdtrit

    def below(x: Vector) -> Vector:
        return np.asarray(stdtr(df, x) if df < np.inf else ndtr(x))

    def density(x: Vector) -> Vector:
        if df == np.inf:
            return normal_density(x)
        scale = gammaln((df + 1) / 2) - gammaln(df / 2) - np.log(df * np.pi) / 2
        return np.asarray(np.exp(scale - (df + 1) / 2 * np.log1p(x * x / df)))

    # The left side is concave in q: started below, Newton's steps stay below and converge fast.
    one_sided = float(stdtrit(df, level) if df < np.inf else ndtri(level))
    q = np.full(gap.shape, np.clip(np.nan_to_num(one_sided), 0.0, _VAST))
    for _ in range(60):
        short = level - below(q + gap) + below(-q)
        step = np.maximum(short / np.maximum(density(q + gap) + density(q), 1e-300), 0.0)
        q = np.minimum(q + step, _VAST)
        if (step <= 1e-12 * (1 + q)).all():
            break
    return q


def _half_width(
    mean: Vector, spread: Vector, curves: float, total: float, level: float, method: str
) -> Vector:
    from scipy.special import stdtrit

    if method == "wald":
        inside = (mean > _EDGE) & (mean < 1 - _EDGE)
        half = normal_quantile(level) * np.sqrt(mean * (1 - mean) / total)
        return np.where(inside, half, 0.0)
    if method == "normal":
        return np.asarray(normal_quantile(level) * spread / np.sqrt(curves))
    quantile = -float(stdtrit(max(curves - 1, 1e-9), (1 - level) / 2))
    return np.asarray(
        quantile * spread * np.sqrt((1 if method == "prediction" else 0) + 1 / curves)
    )


def _percentiles(each: Vector, share: Vector, level: float) -> tuple[Vector, Vector]:
    tails = [(1 - level) / 2, (1 + level) / 2]
    if (share == share[0]).all():
        low, high = np.quantile(each, tails, axis=0)
    else:
        low, high = np.quantile(each, tails, axis=0, weights=share, method="inverted_cdf")
    return low, high


def _through(x: Vector, y: Vector) -> Line:
    """Return the line from (0, 0) through points to (1, 1)."""
    return Line(*(np.concatenate([[0.0], rates, [1.0]]) for rates in (x, y)))


# --- the result -------------------------------------------------------------------------------


class AverageInterval(Result):
    """Limits at each point of an average curve.

    Attributes
    ----------
    fpr_low, fpr_high, tpr_low, tpr_high : ndarray, shape (m,)
        Limits in [0, 1]; both equal the rate where it was given and not averaged.
    level : float
        Pointwise confidence level; it does not hold for all points together.
    method : str
        Name of the method.
    fell_back : ndarray of bool, shape (m,)
        True where all curves agree, or there is only one, so that the standard deviation is not
        informative: there the limits are those of Wilson's interval.

    See Also
    --------
    AverageCurve.interval
    """

    fpr_low: Vector
    fpr_high: Vector
    tpr_low: Vector
    tpr_high: Vector
    level: float
    method: str
    fell_back: Mask


class AverageCurve(PolygonCurve, Result):
    """The mean of several ROC curves, with the points of each curve that were averaged.

    Attributes
    ----------
    method : str
        "vertical", "horizontal", "threshold", "radial" or "rate".
    at : ndarray, shape (m,)
        What is equal for all curves at each point: false positive rates, true positive rates,
        thresholds (at the first no case is called positive, unless thresholds were given), angles
        in radians, or shares of cases called positive.
    fpr, tpr : ndarray, shape (m,)
        Mean rates, non-decreasing as thresholds fall.
    each_fpr, each_tpr : ndarray, shape (c, m)
        The rates of each curve.
    weight : ndarray, shape (c,)
        Weights of the curves in the mean; their sum is 1.
    n_pos, n_neg : float
        Positives and negatives of all curves together; effective numbers where weighted.
    tables : tuple of ScoreTable
        The averaged tables; empty if curves were given.

    See Also
    --------
    vertical_average, threshold_average, rate_average

    Examples
    --------
    >>> from rocspace import ScoreTable
    >>> from rocspace.averaging import vertical_average
    >>> steps = ScoreTable.from_counts([4, 3, 2, 1], [1, 0, 1, 0], [0, 1, 0, 1])
    >>> ramp = ScoreTable.from_counts([2, 1], [3, 2], [1, 4])
    >>> curve = vertical_average([steps, ramp], grid=4)
    >>> curve
    AverageCurve(vertical, 2 curves, 5 points)
    >>> curve.tpr
    array([0.25  , 0.5625, 0.875 , 0.9375, 1.    ])
    """

    method: str
    at: Array
    each_fpr: Vector
    each_tpr: Vector
    weight: Vector
    n_pos: float
    n_neg: float
    tables: tuple[ScoreTable, ...] = ()

    _frame = ("at", "fpr", "tpr", "fpr_sd", "tpr_sd")
    _meant: ClassVar[Mapping[str, str]] = {
        "se": "interval(), or tpr_sd, the spread between curves",
        "std": "tpr_sd, the spread between curves",
        "sd": "tpr_sd, the spread between curves",
        "plot": "rs.plot.plot_average(curve)",
    }

    def _card(self) -> Card:
        rows = {
            "Method": self.method,
            "Curves": f"{self.n_curves:,}",
            "Points": f"{len(self):,}",
        }
        return Card(rows=rows, image=picture([(self.fpr, self.tpr)], name="Average ROC curve"))

    @cached_property
    def fpr(self) -> Vector:
        """Mean false positive rate of each point."""
        return own(mean_of(self.each_fpr, self.weight))

    @cached_property
    def tpr(self) -> Vector:
        """Mean true positive rate of each point."""
        return own(mean_of(self.each_tpr, self.weight))

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.at.size)

    def _about(self) -> str:
        return f"{self.method}, {counted(self.n_curves, 'curve')}, {len(self)} points"

    @property
    def n_curves(self) -> int:
        """Number of averaged curves."""
        return int(self.weight.size)

    @property
    def fpr_sd(self) -> Vector:
        """Standard deviation of the false positive rates between curves; nan for one curve."""
        return spread_at(self.fpr, self.each_fpr, self.weight)

    @property
    def tpr_sd(self) -> Vector:
        """Standard deviation of the true positive rates between curves; nan for one curve."""
        return spread_at(self.tpr, self.each_tpr, self.weight)

    @property
    def name(self) -> str:
        """Short description of the curve."""
        return f"{self.method} average"

    @cached_property
    def line(self) -> Line:
        """The mean points, from (0, 0) to (1, 1)."""
        return _through(*map(np.maximum.accumulate, (self.fpr, self.tpr)))

    @cached_property
    def auc(self) -> float:
        """Area under the line through the mean points, from (0, 0) to (1, 1), in [0, 1].

        For an exact vertical or horizontal average it equals the mean of the areas of the curves.
        """
        return float(np.trapezoid(self.line.y, self.line.x))

    @explained
    def interval(
        self, level: float = 0.95, *, method: IntervalMethod = "bracket"
    ) -> AverageInterval:
        """Return limits of the rates at each point.

        The default limits are for the true curve at each point: for a vertical average, the true
        positive rate of the population at that false positive rate.

        Parameters
        ----------
        level : float, default 0.95
            Pointwise confidence level, strictly between 0 and 1.
        method : str, default "bracket"
            "bracket" is for the true curve. Most others are for the expected curve of samples of
            this size, which differs from the true curve if the samples are small: "t" and "normal"
            treat the curves as independent; "wilson", "clopper-pearson", "agresti-coull" and "wald"
            treat the mean as a proportion of all positives (or negatives); "percentile" takes
            quantiles of the curves, for bootstrap curves. "prediction" is for a single future
            curve.

        Returns
        -------
        AverageInterval
            Inside [0, 1]; contains the mean, except with "percentile". Points that lie on every
            curve, such as (0, 0) and (1, 1), have width 0.

        Raises
        ------
        ValueError
            If the level or the method is not one of those named.

        Notes
        -----
        The threshold at which a sample of n negatives has the false positive rate f is that of its
        negative of rank n f + 1, and the true rate of that threshold is (n f + 1) / (n + 1) on
        average. An average of curves of small samples is therefore too high at small f, which the
        variance between the curves does not show. At rank (n + 1) f the true rate is f on average,
        and the average of a concave curve is too low. "bracket" reads every curve at both ranks
        (ties broken at random), and takes the lower limit from one mean and the upper limit from
        the other, as for a quantity known to lie between them: with the quantile q that solves
        ``F(q + gap / se) - F(-q) = level``, two-sided where the two means agree, one-sided where
        they are far apart. Each limit is the farthest of three: Student's m -+ q s / sqrt(c),
        Wilson's ``(m - a)^2 = q^2 s^2 / (c m (1 - m)) a (1 - a)`` with the same standard deviation
        s of c curves, and Clopper and Pearson's for a proportion of as many cases as the curves
        have, with the Normal q, so that the interval is never narrower than the counts allow, even
        if all curves agree. A horizontal average uses the same limits on the other axis; for
        averages at thresholds, angles and shares of cases both readings are the points themselves.

        With mean m, standard deviation s of c curves: "normal" m +- z s / sqrt(c), "t" the same
        with Student's quantile of c - 1 degrees of freedom, "prediction" m +- t s sqrt(1 + 1/c).
        The number of curves with unequal weights w is 1 / sum(w^2). O(c m + k).

        Measured at level .95 (400 samples; Normal and skewed scores and five ratings, 5 or 10 folds
        or independent samples of 1 + 10 to 100 + 100 cases, fpr .05, .1 and .3): coverage of the
        true curve in 48 situations is 96 to 100 percent for "bracket" and 66 (fpr .05, 20 negatives
        each) to 100 for "t". Coverage of the expected curve is 87 (area .99, where many curves
        agree) to 100 for "t", 87 to 100 for "normal", and 70 to 100 for the intervals of
        proportions, which ignore that the threshold of a given fpr is itself an estimate.
        "prediction" contains the next curve in 91 to 98 percent. "bracket" assumes a concave true
        curve; where the curve was far from concave (standard deviation of the positives a third of
        that of the negatives), coverage was 84 to 100.

        Along other axes "bracket" covers in 22 situations (5 or 10 samples of 10 + 50 to 100 + 100
        cases): rates of radial, rate and threshold averages in 93.9 percent or more, those of
        horizontal averages in 93.4 or more but for one: at tpr .95, of samples of 10 positives with
        three times the spread of the negatives, in 52.2. That curve is not concave there, and no
        sample reaches so far.

        Where n (1 - tpr) < 1, n the positives of each curve, horizontal averages are no answer
        unless the true curve is concave: with ten samples of 10 + 50 cases "bracket" covers at tpr
        .95 in 51.1 percent for these scores and in 77.3 for Cauchy's, and in 95 or more for
        concave curves; of 50 + 50 cases, 2.5 of them expected beyond, in 88.2 for the former. If
        the scores of all samples have one scale, take `rocspace.inference.fpr_at_interval` of all
        cases, ``merge(*tables)``: in the same twelve situations it covers in 95.1 or more, and is
        at most .01 wider (``python -m benchmarks.constants.horizontal_ends``).

        References
        ----------
        Fawcett (2006), sections 8.1 and 8.2, after Provost, Fawcett and Kohavi (1998); Brown, Cai
        and DasGupta (2001), section 3.1, after Wilson (1927); Imbens and Manski (2004), a paper on
        this alone, for the quantile of a quantity between two estimates.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.averaging import vertical_average
        >>> folds = [tabulate([0, 1, 0, 1], s) for s in ([1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4])]
        >>> curve = vertical_average(folds, grid=2)
        >>> curve.tpr.round(3), curve.interval(0.9, method="t").tpr_low.round(3)
        (array([0.667, 0.833, 1.   ]), array([0.18 , 0.347, 1.   ]))
        >>> curve.interval(0.9).tpr_low.round(3)
        array([0.   , 0.327, 1.   ])
        """
        if not self.n_pos > 0 and method in _BY_COUNTS:
            msg = (
                f'method="{method}" needs the numbers of cases, which these curves do not have. '
                'Average tables, or use method="t".'
            )
            raise ValueError(msg)
        fell_back = np.zeros(len(self), dtype=bool)
        limits: dict[str, Vector] = {}
        for name in ("fpr", "tpr"):
            mean, certain = getattr(self, name), self._certain(name)
            low, high, unknown = self._limits(name, level, method)
            limits[f"{name}_low"] = np.where(certain, mean, low)
            limits[f"{name}_high"] = np.where(certain, mean, high)
            fell_back |= unknown & ~certain
        return AverageInterval(level=level, method=method, fell_back=fell_back, **limits)

    def at_fpr(
        self, fpr: ArrayLike, *, level: float = 0.95, method: IntervalMethod = "bracket"
    ) -> Any:
        """Return the interval of the true positive rate at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like, shape (m,)
            False positive rates in [0, 1].
        level, method
            As for `interval`.

        Returns
        -------
        Interval, or a tuple of them
            For a vertical average the limits of `interval`, linear between its points. For other
            averages, whose false positive rates are uncertain too, the lower limit is the line
            through the lower right corners of the limits, and the upper limit the line through the
            upper left corners. This is conservative: in 22 situations it covers in 95.0 percent or
            more for horizontal averages, and in 98.5 or more for radial and rate averages.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN, or as `interval`.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.averaging import vertical_average
        >>> folds = [tabulate([0, 1, 0, 1], s) for s in ([1, 2, 3, 4], [1, 3, 2, 4], [2, 1, 3, 4])]
        >>> low, high = vertical_average(folds).at_fpr(0.5, method="t")
        >>> print(f"{low:.3f} to {high:.3f}")
        0.116 to 1.000
        """
        at, limits = check_fractions("fpr", fpr), self.interval(level, method=method)
        right = nondecreasing(limits.fpr_high, lower=False, tight=False)
        left = nondecreasing(limits.fpr_low, lower=True, tight=False)
        lower, upper = _through(right, limits.tpr_low), _through(left, limits.tpr_high)
        ends = (left_right(lower, np.atleast_1d(at))[0], left_right(upper, np.atleast_1d(at))[1])
        low, high = (end.reshape(at.shape) for end in ends)
        return intervals_of(low, high, level, f"{self.name}, {method}")

    def _limits(
        self, name: str, level: float, method: IntervalMethod
    ) -> tuple[Vector, Vector, Mask]:
        mean, each = getattr(self, name), getattr(self, f"each_{name}")
        total = self.n_pos if name == "tpr" else self.n_neg
        if method != "bracket":
            return pointwise_limits(mean, each, self.weight, total, level, method)
        along = (self.method, name) in (("vertical", "tpr"), ("horizontal", "fpr"))
        both = (
            readings(self.method, self.tables, self.at) if along and self.tables else (each, each)
        )
        if self.tables:  # unequal weights reduce the effective number of cases
            size = np.array([table.n_eff[0 if name == "tpr" else 1] for table in self.tables])
            total = float(1 / (self.weight**2 / size).sum())
        low, high, unknown = bracket_limits(both[0], both[1], self.weight, total, level)
        return np.minimum(low, mean), np.maximum(high, mean), unknown

    def _certain(self, name: str) -> Mask:
        """Tell where a rate has the same value for every curve of every sample."""
        if (self.method, name) in (("vertical", "fpr"), ("horizontal", "tpr")):
            return np.ones(len(self), dtype=bool)
        found = np.zeros(len(self), dtype=bool)
        # Where a curve jumps at an end of the range, only the outer of two points is certain.
        end = np.pi / 2 if self.method == "radial" else 1.0
        if self.method == "threshold":
            rejects = np.isinf(float(self.at[0])) and self.fpr[0] == self.tpr[0] == 0
        else:
            rejects = self.method != "vertical" and self.at[0] == 0
        found[0] = rejects
        if self.method in ("vertical", "radial", "rate") and self.at[-1] == end:
            found[-1] = True
        return found
