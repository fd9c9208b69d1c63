"""Estimates with standard errors, their differences, and confidence intervals and tests."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, Card, interval_picture, level_of, said
from rocspace._base.checks import check_choice, check_level
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import Result
from rocspace._base.text import either, pvalue
from rocspace.results.discordance import WHOLE, AreaGap, AreaModel, ClassGap
from rocspace.results.interval import Interval
from rocspace.results.limits import (
    floor_note,
    hoeffding_limits,
    noted,
    touching_pvalue,
    untied_share,
    wilson_ends,
)
from rocspace.results.proportions import one_sided_limits
from rocspace.results.test import (
    TOO_SMALL,
    UNKNOWN_SE,
    Alternative,
    Distribution,
    TestResult,
    student_tail,
)
from rocspace.results.unseen import Classes, Cuts, heavy_half, null_limits, unseen_limits

Scale: TypeAlias = Literal[
    "discordance", "moderated", "unseen", "probit", "logit", "identity", "t", "hoeffding"
]

_MODEL_DF = 20.0  # degrees of freedom given to the model's standard error
CREDITED = 5.0  # degrees of freedom credited to the model in the quantile: it may be wrong
_EDGE = 1e-12  # distances from the end of the range below this are round-off
_FEW, _ALIKE = 50, 0.5  # cases of a class, and correlation, where rare cases can be missing
_RARE = (
    "fewer than 50 cases of a class, and correlated scores: if only rare cases tell the scores "
    "apart, the test rejects too often at a margin"
)
_NO_GAPS = (
    '"discordance" is for differences of areas of the same cases, or of parts from fpr 0 or up to '
    "tpr 1, counted and without clusters. Leave the scale out for the default."
)
_MEANT = {
    "AUC": "value",
    "auc": "value",
    "ci": "interval(level)",
    "ci_high": "interval().high",
    "ci_low": "interval().low",
    "test": "rs.auc_test(table)",
    "conf_int": "interval(level)",
    "confint": "interval(level)",
    "ci_bounds": "interval(level)",
    "quantile": "interval(level)",
    "confidence_interval": "interval(level)",
    "estimate": "value",
    "high": "interval().high",
    "low": "interval().low",
    "lower": "interval().low",
    "upper": "interval().high",
    "plot": "rs.plot.plot_forest({name: estimate})",
    **dict.fromkeys(("standard_error", "std_error", "stderr", "std_err"), "se"),
    **dict.fromkeys(
        ("p", "p_value", "pvalue"),
        "rs.auc_test(table).pvalue of an area, test().pvalue of a difference",
    ),
    **dict.fromkeys(
        ("to_latex", "to_markdown", "to_html"),
        'rs.report.to_latex({"name": estimate}), or to_markdown',
    ),
    "std": "se",
    "stderr": "se",
    "var": "se ** 2",
    "variance": "se ** 2",
}


class Estimate(Result):
    """An estimate with its standard error; `interval` gives a confidence interval.

    Attributes
    ----------
    value : float
        The estimate.
    se : float
        Its standard error; nan where the sample is too small to estimate one.
    method : str
        How the standard error was computed.
    range : tuple of float
        Smallest and largest value that the quantity can take.
    df : float
        Degrees of freedom of the standard error; infinite where it is practically known. They are
        small if there are few cases, or if a few outlying cases carry the variance.

    See Also
    --------
    rocspace.inference.auc_estimate, rocspace.averaging.cv_auc_estimate, Fit.auc_estimate

    Examples
    --------
    >>> from rocspace import tabulate, delong
    >>> estimate = delong(tabulate([0, 0, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5]))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.833 +- 0.192
    >>> low, high = estimate.interval(0.9)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.341 to 1.000
    """

    value: float
    se: float
    method: str
    range: tuple[float, float] = (0.0, 1.0)
    df: float = float("inf")

    _meant = _MEANT

    def __float__(self) -> float:
        """Return the value."""
        return float(self.value)

    def __round__(self, digits: int | None = None) -> float:
        """Round the value."""
        return round(self.value, digits)

    def _no_number(self, other: object) -> NoReturn:
        """Refuse arithmetic, which would lose the standard error."""
        msg = (
            "An estimate is a number with its error: say .value for the number alone, .interval() "
            "for what it may be, and rs.auc_difference for the difference of two areas."
        )
        raise TypeError(msg)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_number
    __truediv__ = __lt__ = __le__ = __gt__ = __ge__ = _no_number

    def __format__(self, spec: str) -> str:
        """Format the value, as in ``f"{estimate:.3f}"``; without a format as `print` does."""
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        """Return the value and its interval."""
        shown = said(self)
        return f"{shown.value} ({level_of()} interval {shown.interval})"

    def _card(self) -> Card:
        return Card(
            rows={
                "Value": said(self).value,
                "Standard error": either(self.se),
                f"{level_of()} interval": said(self).interval,
                "Method": self.method,
            },
            image=interval_picture(self.value, self.interval(LEVEL), self.range),
        )

    def _columns(self) -> dict[str, Any]:
        low, high = self.interval(LEVEL)
        row = {"value": self.value, "se": self.se, "low": low, "high": high, "level": LEVEL}
        return {name: [value] for name, value in (row | {"method": self.method}).items()}

    @explained
    def interval(self, level: float = 0.95, *, scale: Scale | None = None) -> Interval:
        """Return a confidence interval that stays inside the range and is never a point.

        Of 100 samples drawn like this one, about 95 have a 95 % interval that contains the true
        value. pROC's and other programs' interval of DeLong is ``scale="identity"``.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : str, optional
            "moderated", "unseen", "probit", "logit", "identity", "t" or "hoeffding"; of
            differences also "discordance". "unseen", for areas with DeLong's variance, parts of
            them, and areas of precision and recall, adds part of an unseen case at the far end of
            the scale to each class. It is the default for such areas of counts; elsewhere
            "moderated" is the default. "moderated" is Wilson's interval with a t quantile; in small
            samples a model moderates its standard error. "probit" is value +- t se on the scale of
            Phi^-1, with ``df`` degrees of freedom; it is the default for readings of a fitted
            curve. "logit" is value +- z se on the log odds. "identity" is the textbook value +- z
            se, cut at the range; "t" is the same with the quantile of Student's t with ``df``
            degrees of freedom. "hoeffding" uses no standard error: it is valid at every sample
            size, and wide.

        Returns
        -------
        Interval
            Its ``method`` names the interval that was computed. Where the standard error is zero or
            unknown (perfect separation, a single positive), every scale gives the "hoeffding"
            interval. For a constant score every scale but "hoeffding" gives the "ties" interval.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.

        Notes
        -----
        "unseen" is our own combination (docs, "Our own methods"). The area is the mean placement of
        the positives, and also that of the negatives. For the lower limit of a class, half a case
        is added at the worst placement that the scores of the sample allow, and the cases get
        Dirichlet weights; the limit is a quantile of the beta distribution with the mean and the
        variance of the weighted mean (a bound for means of bounded distributions). For the upper
        limit half a case is added at the best placement. Where all cases of a class have the same
        placement, a whole case is added, as Brown, Cai and DasGupta (2001, section 4.1.2) modify
        Jeffreys' interval. The squared distances to the limits of the two classes are added. With
        one added case in place of half a case, the limits of a yes/no test are Clopper and
        Pearson's in each class. If one of its rates is inside (0, 1), the limit
        towards the nearer end of the scale (of an area above 1/2 the upper one) is never nearer
        than Miettinen and Nurminen's score limit of a difference of proportions. Hand and Till's
        area of scores that only name a class has the score limit of a sum of proportions. For a
        partial area, the placement of a case is its contribution, negative beyond the cut; the
        upper limit is never below that of "moderated", because the cut is an estimate too. If the
        range begins above 0 (of tpr: ends below 1), the limits of the class with the cuts are no
        nearer than the areas whose cuts are all at score limits of their rates (Wilson 1927). Of an
        area of precision and recall it is "moderated", whose lower limit is also computed with a
        quarter of a negative more at the highest score and a quarter of a positive more at the
        lowest; the lower one is taken. Neither limit is nearer than the one-sided exact limit of a
        proportion of ``value (1 - value) / se^2`` trials (Korn and Graubard 1998), at most the
        positives: near 0 and 1 almost all samples err on one side, and Wilson's interval misses
        (Brown, Cai and DasGupta 2001, section 4.1.1).

        Where importance weights vary, "unseen" gives on each side the farther of two limits. The
        first is the limit above, with effective numbers of cases; for a partial area its half case
        has a weight of ``w / (1 + h)`` where that is more than that of an effective case. The
        second is Wilson's with Hajek's variance, to which each class adds ``2 / (1 + h) (w / (W +
        w))^2 a (1 - a)``: the variance due to one more case of the largest weight w in a class of
        total weight W with h cases of weight w / 2 or more. In both classes w has the same ratio to
        the weight of a light case (the lower decile of weights), that of the class whose weights
        vary more. Where cases were drawn with probabilities that depend on their scores (docs, "Our
        own methods"), the measured coverage is 94.3 percent or more, that of "moderated" as low as
        48. Where weights are independent of the scores, "moderated" holds its level and is
        narrower. Weights that differ only between the classes change nothing.

        "moderated" contains all values a with ``(value - a)^2 <= t^2 v a (1 - a) / (value (1 -
        value))``, on a range from 0 to 1. The variance v is ``(df se^2 + 20 model_se^2) / (df +
        20)`` if the model's is the larger, else ``se^2``, and t the quantile of Student's t with
        ``df + 5`` degrees of freedom; 20 and 5 are our own. It fails where the few cases of a small
        class share one score: for a yes/no test with 100 positives and 10 000 negatives, tpr .99
        and fpr .02, its coverage is 62 percent, that of "unseen" 98.5.

        Coverage measured at level 0.95 (docs, "Measured coverage"): in 84 situations (populations
        and sizes from 5 + 5 cases) 95.4 percent or more for "unseen", 94.0 to 99.9 for "moderated",
        57 to 99 for "logit", 46 to 100 for "identity". In 81 further situations that were not used
        to choose constants (hooked curves, three levels, many zeros, heavy tails) 94.0 or more for
        "unseen", 65 or more for "moderated", 52 or more for "logit". In 526 situations of yes/no
        tests, exactly, 93.7 or more for "unseen", 62 and 24 for the other two. Where "logit" holds
        its level, "unseen" is 3, 21 and 13 percent wider on average.

        "hoeffding" contains all values a with ``m KL(value, a) <= ln(2 / (1 - level))``, m =
        ``n_pairs`` and KL the Kullback-Leibler divergence of two Bernoulli distributions. For a
        mean of m disjoint pairs, and so for the area, which averages such means over all pairings,
        the probability of a larger deviation is at most ``exp(-m KL)``. At a value of 1 it is
        ``[((1 - level) / 2) ** (1 / m), 1]``. A partial area falls short of its greatest value by
        no more than the whole area does, which gives its limits. For weighted tables m is the
        effective size, and the bound is an approximation.

        "ties", for a constant score, contains all areas with ``|area - 1 / 2| <= (1 - q) / 2``, q =
        ``((1 - level) / 2) ** (1 / m)``: if the probability of a tie were below q, m tied pairs in
        a row would have a probability below ``(1 - level) / 2``. It follows that tpr and fpr differ
        by at most 1 - q at every threshold, and that a partial area differs from that of chance by
        at most (1 - q) times its width.

        References
        ----------
        Learned-Miller and Thomas (2019), a paper on this alone, after Gaffke (2005), for the bound
        on means; Newcombe (1998), method 10, for adding squared distances; Brown, Cai and DasGupta
        (2001), section 3.1, after Wilson (1927); Korn and Graubard (1998), a paper on this
        alone, for trials that a variance is worth; Miettinen and Nurminen (1985), the whole paper,
        and Martín Andrés, Herranz Tejedor and Álvarez Hernández (2012), the whole paper, for score
        limits; Smyth (2004), the whole paper, for moderated standard errors; Newcombe (2006),
        methods 4 and 5, for the model of an area's standard error; Pepe (2003), the whole book, for
        the logit interval; Hoeffding (1963), Theorem 1 and section 5, for the bound.
        """
        check_level(level)
        if scale is None and (own := self._own_interval(level)) is not None:
            return own
        scale = scale or self._usual_scale()
        check_choice("scale", scale, Scale)
        low, high = self.range
        x, se = (self.value - low) / (high - low), self.se / (high - low)
        if not np.isfinite(x):
            return Interval(low=low, high=high, level=level, method="whole range")
        unknown = not se > _EDGE or (scale in ("t", "probit") and not self.df > 0)
        if self._is_tied() and scale != "hoeffding":
            return self._of_ties(level)
        if scale == "hoeffding" or not _EDGE < x < 1 - _EDGE or (unknown and scale != "unseen"):
            return self._bound(level)
        ends = self._ends(x, level, scale)
        return Interval(
            low=min(low + ends[0] * (high - low), self.value),
            high=max(low + ends[1] * (high - low), self.value),
            level=level,
            method=f"{self.method}, {scale}",
        )

    def _own_interval(self, level: float) -> Interval | None:
        """Return the default interval where it is none of the scales."""
        return None

    def _usual_scale(self) -> Scale:
        """Return the default scale of the interval."""
        return "moderated"

    def _ends(self, x: float, level: float, scale: str) -> tuple[float, float]:
        """Return both limits, rescaled so that the range is [0, 1], for a value inside it."""
        if scale == "discordance":
            raise ValueError(_NO_GAPS)
        if scale == "unseen":
            raise ArgumentError(
                Argument("scale", "unseen", 'scale="unseen"'),
                " needs the placements of both classes, which only areas of counts with the "
                'variance "delong" or "classes", and parts, keep. Use ',
                Argument("scale", "moderated", 'scale="moderated"'),
                ".",
            )
        return _ENDS[scale](x, *self._yardstick(level, scale))

    def _yardstick(self, level: float, scale: str) -> tuple[float, float]:
        """Return the standard error divided by the width of the range, and its quantile."""
        from scipy.special import ndtri, stdtrit

        se, df, tail = self.se, float("inf"), (1 - level) / 2
        if scale == "moderated":
            se, df = self._moderated_se(), self.df + self._credited()
        elif scale in ("t", "probit"):
            df = self.df
        quantile = -float(stdtrit(df, tail) if df < 1e9 else ndtri(tail))
        return se / (self.range[1] - self.range[0]), quantile

    def _moderated_se(self) -> float:
        """Return the standard error that "moderated" uses."""
        return self.se

    def _credited(self) -> float:
        """Return the degrees of freedom that the quantile of "moderated" credits to the model."""
        return CREDITED

    def _is_tied(self) -> bool:
        """Tell whether every pair is tied: the score is constant."""
        return False

    def _of_ties(self, level: float) -> Interval:
        """Return the interval for a score that is constant in this sample."""
        return self._bound(level)

    def _bound(self, level: float) -> Interval:
        """Return the interval that is valid at every sample size."""
        return Interval(low=self.range[0], high=self.range[1], level=level, method="whole range")


class AreaEstimate(Estimate):
    """An estimate that is a mean over pairs of cases, as an area is, and so has Hoeffding's bound.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`.
    n_pairs : float
        Number of disjoint pairs of a positive and a negative: the smaller effective class size. The
        "hoeffding" interval is computed from it.
    model_se : float
        Standard error under a model of the scores; 0 without a model.
    whole : float, optional
        For a partial area: the whole area.
    tied : bool
        Whether every positive is tied with every negative: the score is constant.
    classes : tuple of ClassMean or of WeightedMean, optional
        The mean placements of the positives and of the negatives, which "unseen" needs.
    credited : float
        Degrees of freedom that the quantile of "moderated" credits to the model.
    worse : AreaEstimate, optional
        The estimate of the sample with part of an unseen case of each class where it lowers the
        value most: of an area of precision and recall, instead of `classes`.
    farther : bool
        Whether "unseen" takes on each side the farther of its limit and that of "moderated".
    null_shape : float
        For volumes: what "unseen" needs for the limits of an uninformative score.
    cuts : Cuts, optional
        For a partial area over rates that begin above 0: the curve whose cuts "unseen" moves.
    """

    n_pairs: float
    model_se: float = 0.0
    whole: float | None = None
    tied: bool = field(default=False, repr=False)
    classes: Classes | None = field(default=None, repr=False)
    credited: float = field(default=CREDITED, repr=False)
    worse: AreaEstimate | None = field(default=None, repr=False)
    farther: bool = field(default=False, repr=False)
    null_shape: float = field(default=0.0, repr=False)
    cuts: Cuts | None = field(default=None, repr=False)

    _kind = "Estimate"

    def _usual_scale(self) -> Scale:
        return "moderated" if self.classes is None and self.worse is None else "unseen"

    def wilson_statistic(self, null: float) -> float:
        """Return the statistic that the interval "moderated" inverts."""
        low, high = self.range
        scale = (null - low) * (high - null) / ((self.value - low) * (high - self.value))
        return (self.value - null) / (self._moderated_se() * float(np.sqrt(max(scale, 1e-300))))

    def _ends(self, x: float, level: float, scale: str) -> tuple[float, float]:
        if scale == "unseen" and self.worse is not None:
            low, high = super()._ends(x, level, "moderated")
            exact_low, exact_high = self._one_sided(x, level)
            of_worse = self.worse.interval(level, scale="moderated").low
            return min(low, exact_low, of_worse), max(high, exact_high)
        if scale != "unseen" or self.classes is None:
            return super()._ends(x, level, scale)
        low, high = unseen_limits(x, self.classes, level, cuts=self.cuts)
        if self.farther or self.range[1] < 1:  # the cut may lie lower
            of_t = super()._ends(x, level, "moderated")
            low, high = min(low, of_t[0]) if self.farther else low, max(high, of_t[1])
        if self.null_shape:
            high = max(high, null_limits(x, self.null_shape, level)[1])
        return low, high

    def _one_sided(self, x: float, level: float) -> tuple[float, float]:
        """Return both one-sided exact limits of a proportion of as many trials as the error has."""
        trials = min(self.n_pairs, x * (1 - x) / self.se**2)
        low, high = one_sided_limits(np.array([trials * x]), trials, level)
        return float(low[0]), float(high[0])

    def _moderated_se(self) -> float:
        """Return the standard error, moderated by the model's where that is larger."""
        return moderated_se(self.se, self.model_se, self.df)

    def _credited(self) -> float:
        return self.credited

    def _is_tied(self) -> bool:
        return self.tied

    def _of_ties(self, level: float) -> Interval:
        """Return the interval for a score that is constant in this sample."""
        low, high = self.range
        untied = untied_share(self.n_pairs, level)
        below, above = self.value - low, high - self.value  # by what an untied set may differ
        if self.whole is not None and high - low < 1:
            below = above = high - low  # largest difference of the rates
        ends = max(low, self.value - untied * below), min(high, self.value + untied * above)
        return Interval(low=ends[0], high=ends[1], level=level, method="ties")

    def _bound(self, level: float) -> Interval:
        """Return the interval that is valid at every sample size."""
        low, high = self.range
        if self.whole is None:
            ends = hoeffding_limits((self.value - low) / (high - low), self.n_pairs, level)
            ends = (low + ends[0] * (high - low), low + ends[1] * (high - low))
        else:
            of_whole = hoeffding_limits(self.whole, self.n_pairs, level)
            ends = (max(low, high - (1 - of_whole[0])), min(high, of_whole[1]))
        return Interval(
            low=min(ends[0], self.value),
            high=max(ends[1], self.value),
            level=level,
            method="hoeffding",
        )


def moderated_se(se: float, model_se: float, df: float) -> float:
    """Return a standard error, moderated by that of a model where this is larger."""
    if not (model_se > se and np.isfinite(df)):
        return se
    return float(np.sqrt((df * se**2 + _MODEL_DF * model_se**2) / (df + _MODEL_DF)))


def _identity(x: float, se: float, quantile: float) -> tuple[float, float]:
    return max(x - quantile * se, 0.0), min(x + quantile * se, 1.0)


def logit_ends(x: float, se: float, quantile: float) -> tuple[float, float]:
    """Return value +- quantile se of the log odds, as rates."""
    from scipy.special import expit, logit

    half = quantile * se / (x * (1 - x))
    return float(expit(logit(x) - half)), float(expit(logit(x) + half))


def _probit(x: float, se: float, quantile: float) -> tuple[float, float]:
    from scipy.special import ndtr, ndtri

    z = float(ndtri(x))
    half = quantile * se * np.sqrt(2 * np.pi) * float(np.exp(z * z / 2))
    return float(ndtr(z - half)), float(ndtr(z + half))


def _wilson(x: float, se: float, quantile: float) -> tuple[float, float]:
    low, high = wilson_ends(x, (quantile * se) ** 2 / (x * (1 - x)))
    return float(low), float(high)


def wilson_end(x: float, se: float, pivot: float) -> float:
    """Return the one a with ``(x - a) / sqrt(se^2 a (1 - a) / (x (1 - x))) = pivot``."""
    low, high = _wilson(x, se, abs(pivot))
    return low if pivot > 0 else high


_ENDS = {
    "moderated": _wilson,
    "probit": _probit,
    "logit": logit_ends,
    "identity": _identity,
    "t": _identity,
}


# --- differences and tests --------------------------------------------------------------------


class Difference(AreaEstimate):
    """A difference of two estimates; `interval` and `test` give its uncertainty.

    Attributes
    ----------
    value, se, method, n_pairs, range, df, model_se, whole, tied
        As for `Estimate`; the value is the first minus the second.
    first, second : Estimate
        The two estimates.
    correlation : float
        Correlation of the two estimates: 0 for independent samples, 1 for scores that rank the
        cases alike; nan where a standard error is zero or unknown.
    cases : tuple of float, optional
        For independent samples: the effective number of cases in each.
    gaps : tuple of ClassGap, optional
        Differences of the placements of the positives, and of the negatives, between two scores of
        the same cases; "discordance" needs them.
    model : AreaModel
        The model of placements over the range of rates, which "discordance" leans on.
    usual : str, optional
        Scale of the default interval where no score is perfect or constant; by default the scale of
        the two estimates.

    See Also
    --------
    rocspace.compare.auc_difference, rocspace.compare.published_difference

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> from rocspace.compare import auc_difference
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> gain = auc_difference(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
    >>> print(f"{gain.value:.3f} +- {gain.se:.3f}, p = {gain.test().pvalue:.3f}")
    0.250 +- 0.198, p = 0.302
    >>> low, high = gain.interval(0.9)
    >>> print(f"{low:.3f} to {high:.3f}")
    -0.200 to 0.669
    """

    first: Estimate
    second: Estimate
    correlation: float = 0.0
    cases: tuple[float, float] | None = None
    gaps: tuple[ClassGap, ClassGap] | None = field(default=None, repr=False)
    model: AreaModel = field(default=WHOLE, repr=False)
    usual: Scale | None = field(default=None, repr=False)

    _kind = "Difference"
    _meant = (
        _MEANT | {"auc": "first.value"} | dict.fromkeys(("p", "p_value", "pvalue"), "test().pvalue")
    )

    def _card(self) -> Card:
        return Card(
            rows={
                "Difference": said(self).value,
                "Standard error": either(self.se),
                f"{level_of()} interval": said(self).interval,
                "p, of no difference": pvalue(self.test().pvalue),
                "Of": f"{either(self.first.value)} and {either(self.second.value)}",
                "Method": self.method,
            },
            image=interval_picture(self.value, self.interval(LEVEL), self.range),
        )

    def _usual_scale(self) -> Scale:
        of_two = self.usual == "unseen" and self.classes is None  # intervals, which know how to end
        if self.usual is not None and (of_two or not self._lacks_spread()):
            return self.usual
        return self._square_scale() if self.gaps is None else "discordance"

    def _square_scale(self) -> Scale:
        """Return the scale of the two single intervals that the default interval combines."""
        both = self.first, self.second
        known = all(isinstance(one, AreaEstimate) and one.classes is not None for one in both)
        return "unseen" if self.cases is not None and known else "moderated"

    @explained
    def interval(self, level: float = 0.95, *, scale: Scale | None = None) -> Interval:
        """Return a confidence interval that stays inside the range and is never a point.

        Of 100 samples drawn like this one, about 95 have a 95 % interval that contains the true
        value. pROC's and other programs' interval of DeLong is ``scale="identity"``.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : str, optional
            "discordance", the default for areas of the same cases, and for parts of them from fpr 0
            or up to tpr 1 (counts, no clusters), contains the differences that the default test
            does not reject. "unseen", "moderated" and "logit" combine the intervals of that name of
            the two estimates by adding squared distances. "t" is value +- t se with `df` degrees of
            freedom, "identity" value +- z se; both are cut at the range. "hoeffding" uses no
            standard error: it is valid at every sample size, and wide. Where "discordance" does not
            apply, the default is "unseen" for parts over other ranges, for areas of independent
            samples of counts and where weights vary, "t" for cases in clusters, else "moderated".

        Returns
        -------
        Interval
            Its ``method`` names the interval that was computed.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.

        Notes
        -----
        "discordance" is our own combination (docs, "Our own methods"). It contains all x with
        ``|T(x)| <= t``, ``T(x) = (value - x) / sqrt(v(x))``. DeLong's variance is a sum over both
        classes; in v(x) the placements of each score spread as the model of Hanley and McNeil says
        they do at the maximum likelihood areas that differ by x, up to three standard errors from
        the value. Each class adds two terms with the weight 8 / (df + 8): the excess of the
        variance under the model, and the squared disagreement of the two scores in one unseen case.
        t is the quantile of Student's t with the degrees of freedom of both classes, 4 being added
        to each. Two areas of 1, or of 0 and 1, have the "hoeffding" interval. Of parts, areas are
        shares of the range, the model is one of parts, and the placements of the class whose rate
        has the range correlate by no more than they do over all rates.

        Its tails are less equal than its level says: where skewed scores correlate strongly and
        their areas differ, the limit on the side of no difference errs in up to 6.9 percent of
        samples at level .9 instead of 5, and the other in 1. If a tenth of the positives is hidden,
        or tails are as heavy as Cauchy's (areas .95 and .9, correlation .95), it covers in 81 to 93
        percent at level .95. ``docs``, "Our own methods", has all that was measured.

        The scales that combine single intervals: with intervals ``(l1, u1)`` and ``(l2, u2)`` of
        the estimates a and b, and r their correlation, the lower end is ``a - b - sqrt(x^2 + y^2 -
        2 r x y)``, where ``x = a - l1`` and ``y = u2 - b``, and the upper end its mirror image.
        Like the single intervals, the result is not symmetric, stays inside the range, and is not a
        point where an area is 1. All but "hoeffding", which takes -1, replace a positive r by
        ``r n / (n + 1)``, n being `n_pairs`, because a few cases that two scores happen to rank
        alike do not make r equal to 1. They do not correspond to any test, and are up to three
        times too wide for scores that rank the cases nearly alike. With r above 0 an end need not
        move outwards with the level.

        References
        ----------
        Newcombe (1998), method 10, for adding squared distances; Zou and Donner (2008), a paper on
        this alone, with correlation. "Our own methods" in the docs names the sources of
        "discordance".
        """
        check_level(level)
        scale = scale or self._usual_scale()
        check_choice("scale", scale, Scale)
        if scale in ("identity", "t") and self.se > _EDGE:
            half = self._yardstick(level, scale)[1] * self.se
            ends = self.value - half, self.value + half
        elif scale == "unseen" and self.classes is not None:
            half = heavy_half(self.classes, level)
            ends = self.value - half, self.value + half
        elif (gap := self._area_gap(scale)) is not None:
            low, high = (self.model.width * x for x in gap.limits(level))
            ends = low, high
        else:
            scale = self._square_scale() if scale == "discordance" else scale
            # Two bounds, each with half of the error, hold jointly (Bonferroni).
            each = (1 + level) / 2 if scale == "hoeffding" else level
            one = self.first.interval(each, scale=scale)
            two = self.second.interval(each, scale=scale)
            ends = _square_and_add(self, one, two, self._shared(scale))
        low, high = self.range
        return Interval(
            low=min(max(low, ends[0]), self.value),
            high=max(min(high, ends[1]), self.value),
            level=level,
            method=f"{self.method}, {scale}",
        )

    def of_intervals(self, one: Interval, two: Interval) -> Interval:
        """Combine intervals of the two estimates, as "moderated" does.

        Parameters
        ----------
        one, two : Interval
            Of the first and of the second estimate, at the same level.

        Returns
        -------
        Interval
            For the difference, at that level.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> from rocspace.compare import compare_aucs
        >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
        >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
        >>> one, two = (found.estimate(name).interval(0.9) for name in "ab")
        >>> low, high = found.pair("a", "b").difference.of_intervals(one, two)
        >>> print(f"{low:.3f} to {high:.3f}")
        -0.270 to 0.648
        """
        low, high = _square_and_add(self, one, two, self._shared("moderated"))
        return Interval(low=low, high=high, level=one.level, method="moderated")

    def _shared(self, scale: str) -> float:
        """Return the correlation that an interval uses."""
        r = self.correlation
        if scale == "hoeffding":
            return -1.0
        if not -1 <= r <= 1:
            return 0.0 if r != r else float(np.sign(r))
        many = self.n_pairs or self.df + 1  # of a mean over splits: how many there are
        return r / (1 + 1 / many) if r > 0 else r

    def _area_gap(self, scale: str) -> AreaGap | None:
        """Return the input of "discordance"; None for other scales and areas of 0 or 1."""
        if scale != "discordance":
            return None
        if self.gaps is None:
            raise ValueError(_NO_GAPS)
        width = self.model.width
        areas = self.first.value / width, self.second.value / width
        if all(min(area, 1 - area) < _EDGE for area in areas):
            return None
        end = 0.5 / (self.gaps[0].n * self.gaps[1].n)  # half of a pair
        first, second = (min(max(area, end), 1 - end) for area in areas)
        return AreaGap(areas=(first, second), classes=self.gaps, model=self.model)

    @explained
    def test(
        self,
        *,
        null: float = 0.0,
        alternative: Alternative = "two-sided",
        distribution: Distribution | None = None,
    ) -> TestResult:
        """Test whether the difference is a given number.

        Parameters
        ----------
        null : float, default 0
            Difference under the null hypothesis; for non-inferiority, minus the margin.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Alternative hypothesis: which differences are evidence against the null hypothesis.
        distribution : {"t", "welch", "normal"}, optional
            By default the test that corresponds to the default interval: for areas it rejects
            exactly the differences outside ``interval``. With a distribution, ``(value - null) /
            se`` is compared with it: "t" is Student's t with `df` degrees of freedom; "welch" is
            Student's t with Welch's degrees of freedom from the numbers of cases (independent
            samples only; as pROC); "normal" is the Normal distribution (as DeLong). Where the
            default interval is "moderated", the default is "t", except for published areas.

        Returns
        -------
        TestResult
            By default the statistic is T of ``interval``. Where the interval is not "discordance",
            the statistic is ``(value - null) / se``, and p is the number for which the interval of
            level ``1 - p`` ends at `null`. With one of the three distributions the statistic is
            ``(value - null) / se``. If the variance of the difference is zero, or that of an area
            strictly inside its range (a constant score), "t" takes p from an interval; the other
            two give p = 0, or 1 where the value equals `null`; ``note`` says so. nan where the
            standard error is unknown.

        Raises
        ------
        ValueError
            If an option is not one of those named, or "welch" is asked for of paired samples.

        Notes
        -----
        All agree in large samples. With few cases "normal" rejects too often (13 percent of true
        hypotheses at .05 with 10 positives); "t" rejects 6 percent at most if the areas are equal.
        Where the areas differ, or one is near 1, the standard error can be far too small.
        """
        check_choice("alternative", alternative, Alternative)
        usual = self._usual_scale()
        if distribution is None and usual != "t" and self.test_inverts_interval:
            return self._inverted(usual, null, alternative)
        distribution = distribution or "t"
        check_choice("distribution", distribution, Distribution)
        df = self._freedom(distribution)
        gap = self.value - null
        statistic, note = gap / self.se if self.se > _EDGE else np.nan, ""
        if self.se != self.se:
            note = UNKNOWN_SE
        elif self.se <= _EDGE:
            note = "no variance"
            statistic = 0.0 if abs(gap) <= _EDGE else float(np.copysign(np.inf, gap))
        by_interval = distribution == "t" and statistic != 0 and self._lacks_spread()
        if by_interval:
            pvalue = touching_pvalue(self, null, alternative, scale=self._square_scale())
            df, note = float("nan"), "a score has no variance: p from the interval"
            note = noted(note, floor_note(pvalue))
        else:
            pvalue = student_tail(float(statistic), df, alternative)
            note = note or (self._note() if pvalue else TOO_SMALL)
        return TestResult(
            statistic=float(statistic),
            pvalue=pvalue,
            alternative=alternative,
            method=f"{self.method}, {'interval' if by_interval else distribution}",
            difference=gap,
            df=df,
            note=note,
        )

    def _inverted(self, scale: Scale, null: float, alternative: Alternative) -> TestResult:
        """Test by the statistic that the default interval inverts, or by that interval."""
        found, note = self._area_gap(scale), ""
        gap, df = self.value - null, float("nan")
        if found is None:
            statistic = gap / self.se if self.se > _EDGE else float("nan")
            note = "" if self.se > _EDGE else "p from the interval"
            pvalue = touching_pvalue(self, null, alternative, scale=scale)
            note = noted(note, floor_note(pvalue))
        else:
            statistic, df = found.statistic(min(max(null / self.model.width, -1.0), 1.0))
            pvalue = student_tail(statistic, df, alternative)
            alone = min(c.n for c in found.classes) < 2
            note = "a class with a single case: its variance is the model's" if alone else ""
            if not note and null != 0 and alternative != "two-sided":
                note = self._doubt(found)
        if self.se <= _EDGE:
            note = f"no variance{note and ': '}{note}"
        return TestResult(
            statistic=statistic,
            pvalue=pvalue,
            alternative=alternative,
            method=f"{self.method}, {scale}",
            difference=gap,
            df=df,
            note=note if pvalue else TOO_SMALL,
        )

    def _doubt(self, gap: AreaGap) -> str:
        """Return what a test against a margin has to say where it may reject too often, else ""."""
        few = min(c.n for c in gap.classes) < _FEW
        return _RARE if few and self.correlation > _ALIKE else ""

    @property
    def test_inverts_interval(self) -> bool:
        """Whether the default test rejects exactly the values outside the default interval."""
        return self.usual == "moderated" or self._usual_scale() != "moderated"

    def _lacks_spread(self) -> bool:
        """Tell whether the difference or one of the estimates has variance zero."""
        both = self.first, self.second
        if self.usual is not None and min(one.se for one in both) <= _EDGE:
            return True
        return self.se <= _EDGE or any(map(no_spread, both))

    def _note(self) -> str:
        perfect = min(self.first.se, self.second.se) <= _EDGE
        return "an area at its end: the interval is more careful" if perfect else ""

    def _freedom(self, distribution: str) -> float:
        if distribution == "normal":
            return float("inf")
        if distribution == "t":
            return self.df
        if self.cases is None:
            msg = (
                'distribution="welch" is for two independent samples; these are paired. Use '
                'distribution="t".'
            )
            raise ValueError(msg)
        v, w = self.first.se**2, self.second.se**2
        few = v**2 / (self.cases[0] - 1) + w**2 / (self.cases[1] - 1)
        return (v + w) ** 2 / few if few > 0 else 0.0


def no_spread(estimate: Estimate) -> bool:
    """Tell whether an estimate inside its range has variance zero, as for a constant score."""
    low, high = estimate.range
    edge = _EDGE * (high - low)
    return estimate.se <= _EDGE and low + edge < estimate.value < high - edge


def _square_and_add(
    difference: Difference, one: Interval, two: Interval, r: float
) -> tuple[float, float]:
    """Combine two intervals into one for the difference."""
    a, b = difference.first.value, difference.second.value

    def half(x: float, y: float) -> float:
        return float(np.sqrt(max((x - y) ** 2 + 2 * (1 - r) * x * y, 0.0)))

    low, high = half(a - one.low, two.high - b), half(one.high - a, b - two.low)
    return difference.value - low, difference.value + high


def n_pairs_of(estimate: Estimate) -> float:
    """Return the number of disjoint pairs behind an estimate; 0 where it is unknown."""
    return estimate.n_pairs if isinstance(estimate, AreaEstimate) else 0.0
