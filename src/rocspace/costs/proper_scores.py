"""Log loss and Brier score as estimates: means of a loss over cases, with intervals and tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, level_of, said
from rocspace._base.checks import check_choice, check_clip, check_level
from rocspace._base.text import either, percent, pvalue
from rocspace._base.words import warn
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.counts.weights import effective_size
from rocspace.curves.sweep import check_probabilities, need_probabilities
from rocspace.inference.components import need_cases, score_columns, two_scores
from rocspace.results.estimates import Estimate, Scale
from rocspace.results.interval import Interval
from rocspace.results.limits import floor_note, noted, touching_pvalue
from rocspace.results.test import Alternative, TestResult, student_tail
from rocspace.results.unseen import A_CASE, HALF_A_CASE, ClassMean, stacked, unseen_distances

ProperScore: TypeAlias = Literal["log", "brier"]
"""Losses of a probability that are least on average for the true one."""

LossScale: TypeAlias = Literal["unseen", "skewed", "t", "identity"]
"""How the interval of a mean loss is computed."""

_INF = float("inf")
_ROUNDING = 1e-12
_SQUARED = 1e150  # float64 holds the squares of variances up to here


# --- the estimate -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ClassMeans:
    """Means whose sum is estimated, each with its cases, and the ends where one may be unseen."""

    parts: tuple[tuple[float, ClassMean], ...]

    def distances(self, level: float) -> tuple[float, float]:
        """Return how far below and above the sum its limits are."""
        means, classes = zip(*self.parts, strict=True)
        many = stacked(classes, [of.added for of in classes])
        below, above = unseen_distances(np.array(means), many, level)
        return float(below), float(above)


class LossEstimate(Estimate):
    """A mean loss, or a difference of two, with an interval that allows for skewed losses.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`. Where a loss is infinite, the value is, and the standard error is nan;
        it is nan, too, where it would be 1e75 or more.
    skewness : float
        Estimated skewness of the estimate, which falls with the square root of the number of cases.
    means : ClassMeans, optional
        The means that the value is the sum of, with what "unseen" needs.

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
    means: ClassMeans | None = field(default=None, repr=False)

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
        scale : {"unseen", "skewed", "t", "identity"}, optional
            By default "unseen", which allows for half a case that was not seen. "skewed" transforms
            the t statistic so that its skewness vanishes, with a quantile of Student's t. "t" is
            value +- t se, "identity" value +- z se.

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
        Losses are skewed: most are small, and the few confident mistakes decide. A sample of a good
        score often has none, and then no function of its losses knows what they cost. "unseen", our
        own (docs, "Our own methods"), adds half a case to the sample. Its loss is what the
        cases would have cost with the other outcome, in a mean in which each loss counts by its
        size (their contraharmonic mean): where two scores agree in nearly all cases, or all but a
        few have one small loss, a plain mean tells of nothing else. The most extreme loss seen is
        taken where it is farther. A difference has such a mean on each side, of the positive and of
        the negative ones; one of log losses adds a whole case, and one of Brier scores, which are
        bounded, half a case with the most extreme difference. A limit is a quantile of the beta
        distribution that has the mean and the variance of the mean loss under Dirichlet weights, or
        that of "t" where it is farther. Cllr has limits of each class, whose unseen case scores
        like the cases of the other class, and adds their squared distances. Of importance weights
        the effective number of cases counts. A probability of 0 or 1 makes the loss of the other
        outcome infinite; such cases are left out of that mean, with a warning.

        "skewed": with T the t statistic and A the skewness of the estimate, ``g(T) = T + A T^2 / 3
        + A^2 T^3 / 27 + A / 6`` is nearly free of it, rises with T, and has an inverse in closed
        form.

        Coverage measured at level .95 in 40 situations (areas of .7 and .97, 5 + 5 to 20 + 200
        cases, calibrated and overconfident probabilities, 500 samples each): of log losses 94.4
        percent or more for "unseen", 56 for "skewed", 48 for "t"; of their differences 96.0, 43 and
        56. Where "t" covers 93.5 percent, "unseen" is 5 to 12 percent wider on average, 20 of
        differences of Brier scores, and 57 of differences of log losses. Of log losses that differ
        in few cases it covers in 95.0 percent or more, "t" in 17 (14 situations, docs, "Measured
        coverage"). Nothing is known of scores that no case of the sample has.

        References
        ----------
        Learned-Miller and Thomas (2019), a paper on this alone, after Gaffke (2005), for the bound
        on means; Hall (1992), a paper on this alone, for "skewed", whose quantile of Student's t is
        our own.

        Examples
        --------
        >>> from rocspace import datasets, tabulate
        >>> data = datasets.load("fawcett20")
        >>> found = log_loss_estimate(tabulate(data.y_true, data.y_score))
        >>> for scale in ("unseen", "skewed", "t"):
        ...     print("{:.3f} to {:.3f}".format(*found.interval(scale=scale)))
        0.480 to 0.785
        0.485 to 0.789
        0.480 to 0.783
        """
        check_level(level)
        chosen = self._scale(scale)
        low, high = self.range
        method = f"{self.method}, {chosen}"
        if not (np.isfinite(self.value) and np.isfinite(self.se)):
            return Interval(low=low, high=high, level=level, method="whole range")
        quantile = self._yardstick(level, "identity" if chosen == "identity" else "t")[1]
        pivots = np.array([quantile, -quantile])
        if chosen == "skewed":
            pivots = _inverse(pivots, self.skewness)
        first, last = (float(end) for end in self.value - pivots * self.se)
        if chosen == "unseen" and self.means is not None:
            below, above = self.means.distances(level)
            first, last = min(first, self.value - below), max(last, self.value + above)
        return Interval(low=max(low, first), high=min(high, last), level=level, method=method)

    def _scale(self, scale: str | None) -> str:
        """Return the scale that is asked for, or the default one."""
        scale = scale or ("skewed" if self.means is None else "unseen")
        check_choice("scale", scale, LossScale)
        if scale == "unseen" and self.means is None:
            msg = (
                'scale="unseen" needs the losses that cases would have with the other outcome, and '
                'this estimate was made without them. Use scale="skewed".'
            )
            raise ValueError(msg)
        return scale

    def _yardstick(self, level: float, scale: str) -> tuple[float, float]:
        from scipy.special import ndtri, stdtrit

        tail = (1 - level) / 2
        few = scale == "t" and self.df < 1e9
        return self.se, -float(stdtrit(self.df, tail) if few else ndtri(tail))

    def test(
        self,
        *,
        null: float = 0.0,
        alternative: Alternative = "two-sided",
        scale: LossScale | None = None,
    ) -> TestResult:
        """Test whether the mean loss, or the difference of two, is a given number.

        Parameters
        ----------
        null : float, default 0
            Value under the null hypothesis; of a difference, 0 is that both scores are as good.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Alternative hypothesis: "less" is a smaller loss.
        scale : {"unseen", "skewed", "t", "identity"}, optional
            The interval that the test inverts; by default the default one. "t" is Student's paired
            test where the estimate is a difference.

        Returns
        -------
        TestResult
            It rejects exactly the values outside the interval; nan where the standard error is
            unknown. The statistic is that of Student; for "skewed" it is transformed.

        Raises
        ------
        ValueError
            If the alternative or the scale is not one of those named.

        References
        ----------
        Hall (1992), a paper on this alone, for "skewed"; otherwise see `interval`.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"a": [0.9, 0.6, 0.8, 0.3, 0.4, 0.2], "b": [0.6, 0.8, 0.4, 0.5, 0.2, 0.4]}
        >>> found = loss_difference(pair_scores([1, 1, 1, 0, 0, 0], scores))
        >>> print(f"{found.value:.3f}, p {found.test().pvalue:.3f}")
        -0.191, p 0.916
        """
        check_choice("alternative", alternative, Alternative)
        chosen = self._scale(scale)
        gap, note, df = self.value - null, "", self.df if chosen != "identity" else _INF
        statistic = float("nan")
        if self.se > 0:
            statistic = gap / self.se
            if chosen == "skewed":
                statistic = _transformed(statistic, self.skewness)
        elif self.se == 0:
            statistic, note = (float(np.copysign(_INF, gap)) if gap else 0.0), "no variance"
        if chosen == "unseen" and self.se == self.se:
            p = touching_pvalue(self, null, alternative, scale=chosen)
            note = noted(note, floor_note(p))
        else:
            p = student_tail(statistic, df, alternative)
        return TestResult(
            statistic=statistic,
            pvalue=p,
            alternative=alternative,
            method=f"{self.method}, {chosen}",
            difference=gap,
            df=df,
            note=note,
        )


def _transformed(t: float, skewness: float) -> float:
    return t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6


def _inverse(pivot: Vector, skewness: float) -> Vector:
    x = pivot - skewness / 6
    if abs(skewness) < 1e-9:
        return x
    return np.asarray(3 / skewness * (np.cbrt(1 + skewness * x) - 1))


class Part(NamedTuple):
    """Losses of cases whose mean is estimated.

    Attributes
    ----------
    factor : float
        What the mean is multiplied with.
    loss, weight : ndarray of float64
        The losses, and the weight of each.
    n : float
        Effective number of cases.
    other, other_weight : ndarray of float64
        What cases would cost with the other outcome, and the weight of each.
    extreme : bool
        Whether an unseen case costs the most extreme of these, rather than a mean of each side.
    added : float
        The part of an unseen case that is added.
    """

    factor: float
    loss: Vector
    weight: Vector
    n: float
    other: Vector
    other_weight: Vector
    extreme: bool = False
    added: float = HALF_A_CASE

    def unseen(self) -> tuple[Vector, float]:
        """Return what an unseen case may cost, and the weight of infinite costs, which is left."""
        known = (self.other_weight > 0) & np.isfinite(self.other)
        other, weight = self.other[known], self.other_weight[known]
        left = 1 - float(weight.sum() / self.other_weight.sum())
        if not self.extreme and other.size:
            sides = (np.maximum(side, 0.0) for side in (other, -other))
            other = np.array([_contraharmonic(side, weight) for side in sides]) * (1, -1)
            other = other[other != 0]
        return other, left


def _contraharmonic(sizes: Vector, weight: Vector) -> float:
    """Return the mean of sizes in which each counts by its size; 0 if all are 0."""
    largest = float(sizes.max())
    if not largest > 0:
        return 0.0
    share = sizes / largest  # the squares of tiny sizes are 0 in float64
    return largest * float(weight @ share**2) / float(weight @ share)


def mean_loss(parts: tuple[Part, ...], method: str, reach: tuple[float, float]) -> LossEstimate:
    """Return a weighted sum of independent means, with its error and skewness."""
    value = variance = cubes = few = certain = 0.0
    means = []
    for part in parts:
        factor, loss, weight, n, *_ = part
        total = float(weight.sum())
        kept = np.where(weight > 0, loss, 0.0)
        with np.errstate(over="ignore"):
            whole = float(weight @ kept)
        # Their sum may be infinite though the losses and their mean are not.
        mean = whole / total if np.isfinite(whole) else float(weight / total @ kept)
        value += factor * mean
        if not np.isfinite(mean) or n <= 1:
            variance = float("nan")
            continue
        gap = np.where(weight > 0, loss - mean, 0.0)
        with np.errstate(over="ignore", invalid="ignore"):
            square, cube = (float(weight @ gap**power) / total for power in (2, 3))
        own = factor**2 * square / (n - 1)
        variance += own
        if not variance < _SQUARED:
            variance = float("nan")
            continue
        few += own**2 / (n - 1)
        cubes += factor**3 * cube / n**2
        unseen, left = part.unseen()
        certain = max(certain, left)
        ends = factor * np.append(loss[weight > 0], unseen)
        of = ClassMean(n, factor**2 * square, float(ends.min()), float(ends.max()), part.added)
        means.append((factor * mean, of))
    if variance == variance and certain > _ROUNDING:
        warn(
            f"A probability of 0 or 1 was given to {percent(certain)} of cases: a mistake there "
            "would cost infinitely much, and the interval does not allow for one "
            f"({method}). Use `clip`, or probabilities that are never certain."
        )
    varies = variance > 0
    return LossEstimate(
        value=value,
        se=float(np.sqrt(variance)),
        method=method,
        range=reach,
        df=variance**2 / few if varies and few > 0 else _INF,
        skewness=cubes / variance**1.5 if varies else 0.0,
        means=ClassMeans(tuple(means)) if variance == variance else None,
    )


# --- of one score -----------------------------------------------------------------------------


def _losses(p: Vector, score: str, clip: float) -> tuple[Vector, Vector]:
    """Return the losses of probabilities for a positive, and for a negative."""
    if score == "brier":
        return (1 - p) ** 2, p**2
    check_clip(clip)
    kept = np.clip(p, clip, 1 - clip)
    with np.errstate(divide="ignore"):
        return -np.log(kept), -np.log1p(-kept)


def _estimate(name: str, table: ScoreTable, score: ProperScore, clip: float) -> LossEstimate:
    need_probabilities(name, table)
    losses = _losses(table.score.astype(np.float64), score, clip)
    pos, neg = table.pos.astype(np.float64), table.neg.astype(np.float64)
    weight = np.concatenate([pos, neg])
    n = float(weight.sum())
    if table.pos_w2 is not None and table.neg_w2 is not None:
        n = n**2 / float(table.pos_w2.sum() + table.neg_w2.sum())
    part = Part(1.0, np.concatenate(losses), weight, n, np.concatenate(losses[::-1]), weight)
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

    Warns
    -----
    UserWarning
        If a probability is 0 or 1: the interval cannot allow for a mistake there.

    Notes
    -----
    O(k).

    References
    ----------
    Good (1952), a paper on this alone; for the interval see
    `LossEstimate.interval`.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(log_loss_estimate(tabulate(data.y_true, data.y_score)))
    0.631 (95 % interval 0.480 to 0.785)
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
    Brier (1950), a paper on this alone; for the interval see
    `LossEstimate.interval`.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(brier_estimate(tabulate(data.y_true, data.y_score)))
    0.225 (95 % interval 0.156 to 0.294)
    """
    return _estimate("brier_estimate", table, "brier", 0.0)


# --- of two scores of the same cases ----------------------------------------------------------


def _refuse_two_infinite(names: Sequence[str], losses: Sequence[Vector]) -> None:
    """Raise if both scores have an infinite loss, of which there is no difference."""
    endless = [np.flatnonzero(np.isinf(loss)) for loss in losses]
    if all(cases.size for cases in endless):
        both = " and ".join(
            f"{name!r} (case {cases[0]})" for name, cases in zip(names, endless, strict=True)
        )
        msg = (
            f"Both scores cost infinitely much, {both}, and of two infinite losses there is no "
            "difference. Say how certain a probability can be, as in clip=1e-6."
        )
        raise ValueError(msg)


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
        If scores are not probabilities, a name is unknown, cases are in clusters, or both losses
        are infinite.

    Warns
    -----
    UserWarning
        If a probability is 0 or 1: the interval cannot allow for a mistake there.

    Notes
    -----
    O(n). The mean over the cases of the difference of their losses, so that what both scores find
    difficult cancels.

    References
    ----------
    No source: a plain definition; for the interval see `LossEstimate.interval`.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> data = datasets.load("uci_scores").where("dataset", "sonar")
    >>> cases = pair_scores(data.y_true, {name: data.columns[name] for name in ("rf", "knn15")})
    >>> found = loss_difference(cases, score="brier")
    >>> print(f"{found.value:.3f}, p {found.test().pvalue:.2g}")
    -0.033, p 0.00017
    """
    need_cases("loss_difference", data)
    names = two_scores("loss_difference", data, first, second)
    if data.cluster is not None:
        msg = (
            "loss_difference treats cases as independent, but these are in clusters. Average the "
            "losses of each cluster, or bootstrap them: bootstrap(data, function)."
        )
        raise ValueError(msg)
    made: list[tuple[Any, Any]] = []
    for name, j in zip(names, score_columns(data, names), strict=True):
        p = data.score[:, j].astype(np.float64)
        check_probabilities(f"loss_difference of {name!r}", [p.min(), p.max()], data.rises(name))
        of_pos, of_neg = _losses(p, score, clip)
        made.append((np.where(data.label, of_pos, of_neg), np.where(data.label, of_neg, of_pos)))
    _refuse_two_infinite(names, [loss for loss, _ in made])
    with np.errstate(invalid="ignore"):
        gap, other = (one - two for one, two in zip(*made, strict=True))
    weight = data.case_weight
    n = float(len(data)) if data.weight is None else effective_size(weight)
    bounded = score == "brier"
    reach = 1.0 if bounded else _INF
    said_so = f"difference of {_NAMES[score]}"
    added = HALF_A_CASE if bounded else A_CASE
    part = Part(1.0, gap, weight, n, other, weight, extreme=bounded, added=added)
    return mean_loss((part,), said_so, (-reach, reach))
