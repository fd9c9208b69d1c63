"""Log loss and Brier score as estimates: means of a loss over cases, with intervals and tests."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, level_of, said
from rocspace._base.checks import check_choice, check_level
from rocspace._base.text import either, pvalue
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.counts.weights import effective_size
from rocspace.curves.sweep import check_probabilities, need_probabilities
from rocspace.inference.components import need_cases, score_columns, two_scores
from rocspace.results.estimates import Estimate, Scale
from rocspace.results.interval import Interval
from rocspace.results.test import Alternative, TestResult, student_tail

ProperScore: TypeAlias = Literal["log", "brier"]
"""Losses of a probability that are least on average for the true one."""

LossScale: TypeAlias = Literal["skewed", "t", "identity"]
"""How the interval of a mean loss is computed."""

_INF = float("inf")


# --- the estimate -----------------------------------------------------------------------------


class LossEstimate(Estimate):
    """A mean loss, or a difference of two, with an interval that allows for skewed losses.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`. Where a loss is infinite, the value is, and the standard error is nan.
    skewness : float
        Estimated skewness of the estimate, which falls with the square root of the number of cases.
    usual : {"skewed", "t"}
        Scale of the default interval, and of the test: "skewed" of losses, "t" of differences.

    See Also
    --------
    log_loss_estimate, brier_estimate, loss_difference, cllr_estimate

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> found = log_loss_estimate(tabulate(data.y_true, data.y_score))
    >>> print(f"{found.value:.3f} +- {found.se:.3f}")
    0.631 +- 0.072
    """

    skewness: float = field(default=0.0, repr=False)
    usual: LossScale = field(default="skewed", repr=False)

    def _card(self) -> Card:
        rows = {
            "Value": said(self).value,
            "Standard error": either(self.se),
            f"{level_of()} interval": said(self).interval,
        }
        if self.range[0] < 0:  # a difference
            rows["p, of no difference"] = pvalue(self.test().pvalue)
        return Card(rows=rows | {"Method": self.method})

    def interval(self, level: float = 0.95, *, scale: Scale | LossScale | None = None) -> Interval:
        """Return a confidence interval of the mean loss.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : {"skewed", "t", "identity"}, optional
            By default "skewed" for losses and "t" for differences, whose skewness is small and
            poorly known. "skewed" transforms the t statistic so that its skewness vanishes, with a
            quantile of Student's t. "t" is value +- t se, "identity" value +- z se.

        Returns
        -------
        Interval
            Inside the range of the loss. It is the whole range where the standard error is unknown:
            of one case, or an infinite loss.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.

        Notes
        -----
        Losses are skewed: most are small, and the few confident mistakes decide. With T the t
        statistic and A the skewness of the estimate, ``g(T) = T + A T^2 / 3 + A^2 T^3 / 27 + A /
        6`` is nearly free of it, rises with T, and has an inverse in closed form. Of importance
        weights the effective number of cases counts.

        Coverage at level .95 of the log loss of calibrated and of overconfident probabilities (7
        populations of 40, 100 and 400 cases, 400 samples each): 93.5 percent or more for "skewed",
        84 or more for "t". It is lower where the few cases of a small class are nearly separated
        (docs, "Measured coverage").

        References
        ----------
        Hall (1992), a paper on this alone; the quantile of Student's t is our own.

        Examples
        --------
        >>> from rocspace import datasets, tabulate
        >>> data = datasets.load("fawcett20")
        >>> found = log_loss_estimate(tabulate(data.y_true, data.y_score))
        >>> for scale in ("skewed", "t"):
        ...     print("{:.3f} to {:.3f}".format(*found.interval(scale=scale)))
        0.485 to 0.789
        0.480 to 0.783
        """
        check_level(level)
        scale = scale or self.usual
        check_choice("scale", scale, LossScale)
        low, high = self.range
        method = f"{self.method}, {scale}"
        if not (np.isfinite(self.value) and np.isfinite(self.se)):
            return Interval(low=low, high=high, level=level, method="whole range")
        quantile = self._yardstick(level, "identity" if scale == "identity" else "t")[1]
        pivots = np.array([quantile, -quantile])
        if scale == "skewed":
            pivots = _inverse(pivots, self.skewness)
        ends = self.value - pivots * self.se
        return Interval(
            low=max(low, float(ends[0])), high=min(high, float(ends[1])), level=level, method=method
        )

    def _yardstick(self, level: float, scale: str) -> tuple[float, float]:
        from scipy.special import ndtri, stdtrit

        tail = (1 - level) / 2
        few = scale == "t" and self.df < 1e9
        return self.se, -float(stdtrit(self.df, tail) if few else ndtri(tail))

    def test(self, *, null: float = 0.0, alternative: Alternative = "two-sided") -> TestResult:
        """Test whether the mean loss, or the difference of two, is a given number.

        Parameters
        ----------
        null : float, default 0
            Value under the null hypothesis; of a difference, 0 is that both scores are as good.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Alternative hypothesis: "less" is a smaller loss.

        Returns
        -------
        TestResult
            It rejects exactly the values outside the default interval; nan where the standard
            error is unknown.

        Raises
        ------
        ValueError
            If the alternative is not one of those named.

        References
        ----------
        Hall (1992), a paper on this alone.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"a": [0.9, 0.6, 0.8, 0.3, 0.4, 0.2], "b": [0.6, 0.8, 0.4, 0.5, 0.2, 0.4]}
        >>> found = loss_difference(pair_scores([1, 1, 1, 0, 0, 0], scores))
        >>> print(f"{found.value:.3f}, p {found.test().pvalue:.3f}")
        -0.191, p 0.291
        """
        check_choice("alternative", alternative, Alternative)
        gap, note = self.value - null, ""
        statistic = float("nan")
        if self.se > 0:
            root = gap / self.se
            statistic = _transformed(root, self.skewness) if self.usual == "skewed" else root
        elif self.se == 0:
            statistic, note = (float(np.copysign(_INF, gap)) if gap else 0.0), "no variance"
        return TestResult(
            statistic=statistic,
            pvalue=student_tail(statistic, self.df, alternative),
            alternative=alternative,
            method=f"{self.method}, {self.usual}",
            difference=gap,
            df=self.df,
            note=note,
        )


def _transformed(t: float, skewness: float) -> float:
    return t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6


def _inverse(pivot: Vector, skewness: float) -> Vector:
    x = pivot - skewness / 6
    if abs(skewness) < 1e-9:
        return x
    return np.asarray(3 / skewness * (np.cbrt(1 + skewness * x) - 1))


def mean_loss(
    parts: tuple[tuple[float, Vector, Vector, float], ...],
    method: str,
    reach: tuple[float, float],
    usual: LossScale = "skewed",
) -> LossEstimate:
    """Return a weighted sum of independent means, with its error and skewness.

    Each part has its factor, the losses, their weights, and the effective number of cases.
    """
    value = variance = cubes = few = 0.0
    for factor, loss, weight, n in parts:
        total = float(weight.sum())
        mean = float(weight @ np.where(weight > 0, loss, 0.0)) / total
        value += factor * mean
        if not np.isfinite(mean) or n <= 1:
            variance = float("nan")
            continue
        gap = np.where(weight > 0, loss - mean, 0.0)
        spread = float(weight @ gap**2) / total * n / (n - 1)
        own = factor**2 * spread / n
        variance += own
        few += own**2 / (n - 1)
        cubes += factor**3 * float(weight @ gap**3) / total / n**2
    known = variance > 0
    return LossEstimate(
        value=value,
        se=float(np.sqrt(variance)),
        method=method,
        range=reach,
        df=variance**2 / few if known and few > 0 else _INF,
        skewness=cubes / variance**1.5 if known else 0.0,
        usual=usual,
    )


# --- of one score -----------------------------------------------------------------------------


def _losses(p: Vector, score: str, clip: float) -> tuple[Vector, Vector]:
    """Return the losses of probabilities for a positive, and for a negative."""
    if score == "brier":
        return (1 - p) ** 2, p**2
    if not 0 <= clip < 0.5:
        msg = f"clip is {clip}, but must be at least 0 and less than one half."
        raise ValueError(msg)
    kept = np.clip(p, clip, 1 - clip)
    with np.errstate(divide="ignore"):
        return -np.log(kept), -np.log1p(-kept)


def _estimate(name: str, table: ScoreTable, score: ProperScore, clip: float) -> LossEstimate:
    need_probabilities(name, table)
    losses = _losses(table.score.astype(np.float64), score, clip)
    weight = np.concatenate([table.pos, table.neg]).astype(np.float64)
    n = float(weight.sum())
    if table.pos_w2 is not None and table.neg_w2 is not None:
        n = n**2 / float(table.pos_w2.sum() + table.neg_w2.sum())
    part = 1.0, np.concatenate(losses), weight, n
    return mean_loss((part,), _NAMES[score], _RANGES[score])


_NAMES = {"log": "log loss", "brier": "Brier score"}
_RANGES = {"log": (0.0, _INF), "brier": (0.0, 1.0)}


@explained
def log_loss(table: ScoreTable, *, clip: float = 0.0) -> float:
    """Log loss: the mean of minus the logarithm of the probability given to what happened.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; scores are probabilities of being positive. A class may be
        missing.
    clip : float, default 0
        Probabilities are kept inside [clip, 1 - clip]; in [0, 1/2).

    Returns
    -------
    float
        In nats, 0 is perfect, lower is better; infinite if a case had the probability 0 for its own
        class and is not clipped. Every case at the prevalence pi gives the entropy of pi.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1], lower scores are positive, or `clip` is outside [0, 1/2).

    Notes
    -----
    O(k). Other programs clip without saying so, at 1e-15 or at the precision of the type, which
    makes a certain mistake cost about 35 in place of infinity.

    References
    ----------
    Good (1952), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(f"{log_loss(tabulate([0, 1], [0.5, 0.75])):.4f}")
    0.4904
    """
    need_probabilities("log_loss", table)
    of_pos, of_neg = _losses(table.score.astype(np.float64), "log", clip)
    wrong = sum(
        float(weight[weight > 0] @ loss[weight > 0])
        for weight, loss in ((table.pos, of_pos), (table.neg, of_neg))
    )
    return wrong / float(table.n_pos + table.n_neg)


@explained
def log_loss_estimate(table: ScoreTable, *, clip: float = 0.0) -> LossEstimate:
    """Log loss with its standard error, interval and test.

    Parameters
    ----------
    table, clip
        As for `log_loss`.

    Returns
    -------
    LossEstimate
        Ask it for ``interval(level)``. Cases were drawn at random from a population, and so the
        numbers of positives and negatives too.

    Raises
    ------
    ValueError
        As `log_loss`.

    Notes
    -----
    O(k).

    References
    ----------
    Good (1952), a paper on this alone; Hall (1992), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(log_loss_estimate(tabulate(data.y_true, data.y_score)))
    0.631 (95 % interval 0.485 to 0.789)
    """
    return _estimate("log_loss_estimate", table, "log", clip)


@explained
def brier_estimate(table: ScoreTable) -> LossEstimate:
    """Brier score with its standard error, interval and test.

    Parameters
    ----------
    table : ScoreTable
        As for `rocspace.costs.brier_score`.

    Returns
    -------
    LossEstimate
        Ask it for ``interval(level)``. Cases were drawn at random from a population, and so the
        numbers of positives and negatives too.

    Raises
    ------
    ValueError
        As `rocspace.costs.brier_score`.

    Notes
    -----
    O(k).

    References
    ----------
    Brier (1950), a paper on this alone; Hall (1992), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(brier_estimate(tabulate(data.y_true, data.y_score)))
    0.225 (95 % interval 0.159 to 0.298)
    """
    return _estimate("brier_estimate", table, "brier", 0.0)


# --- of two scores of the same cases ----------------------------------------------------------


@explained
def loss_difference(
    data: PairedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    score: ProperScore = "log",
    clip: float = 0.0,
) -> LossEstimate:
    """Difference of the log losses, or Brier scores, of two probabilities of the same cases.

    Parameters
    ----------
    data : PairedScores
        Labels and probabilities; both classes present.
    first, second : str, optional
        Names of two scores; needed unless there are exactly two.
    score : {"log", "brier"}, default "log"
        Which loss.
    clip : float, default 0
        As for `log_loss`.

    Returns
    -------
    LossEstimate
        The first minus the second: negative where the first is better.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError
        If the data are not paired scores, or there are more than two and none is named.
    ValueError
        If scores are not probabilities, a name is unknown, or cases are in clusters.

    Notes
    -----
    O(n). The mean over the cases of the difference of their losses, so that what both scores find
    difficult cancels.

    References
    ----------
    No source: a plain definition, with the paired t interval.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> data = datasets.load("uci_scores").where("dataset", "sonar")
    >>> cases = pair_scores(data.y_true, {name: data.columns[name] for name in ("rf", "knn15")})
    >>> found = loss_difference(cases, score="brier")
    >>> print(f"{found.value:.3f}, p {found.test().pvalue:.2g}")
    -0.033, p 9.4e-05
    """
    need_cases("loss_difference", data)
    names = two_scores("loss_difference", data, first, second)
    if data.cluster is not None:
        msg = (
            "loss_difference treats cases as independent, but these are in clusters. Average the "
            "losses of each cluster, or bootstrap them: bootstrap(data, function)."
        )
        raise ValueError(msg)
    made: list[Any] = []
    for name, j in zip(names, score_columns(data, names), strict=True):
        p = data.score[:, j].astype(np.float64)
        check_probabilities(f"loss_difference of {name!r}", [p.min(), p.max()], data.rises(j))
        of_pos, of_neg = _losses(p, score, clip)
        made.append(np.where(data.label, of_pos, of_neg))
    with np.errstate(invalid="ignore"):
        gap = made[0] - made[1]
    weight = data.case_weight
    n = float(len(data)) if data.weight is None else effective_size(weight)
    reach = 1.0 if score == "brier" else _INF
    said_so = f"difference of {_NAMES[score]}"
    return mean_loss(((1.0, gap, weight, n),), said_so, (-reach, reach), "t")
