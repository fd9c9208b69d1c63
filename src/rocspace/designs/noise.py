"""Areas, rates and curves of the true classes, where a share of the labels is wrong.

Wrong labels mix the classes: each observed class contains a share of the other one. If the shares
are known, the curves can be un-mixed; if only ranges are known, what follows is a range. Positive
and unlabelled cases are the special case in which the labelled positives are all right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, Card, level_of, said
from rocspace._base.checks import check_level, check_one_fraction, check_rng, check_times
from rocspace._base.frozen import Result
from rocspace._base.text import brief, either
from rocspace._base.text import interval as ends_text
from rocspace._base.words import shown
from rocspace.bands.band import Band, check_replicates, possible, thinned
from rocspace.counts.confusion import evaluate
from rocspace.counts.table import ScoreTable, of_table, resample
from rocspace.designs.corrected import EDGE, CorrectedCurve, CorrectedRates, curve_of
from rocspace.inference.area import delong
from rocspace.resampling.replicates import Rng
from rocspace.results.estimates import AreaEstimate, Estimate
from rocspace.results.interval import Interval
from rocspace.results.limits import nondecreasing
from rocspace.results.proportions import normal_quantile, rate_limits

_CELLS = 512  # rows of the table of which a band is made
_SHARES = 5  # values of each unknown share, its ends among them, of which a band is made


class LabelNoise(Result):
    """How many labels are wrong, in each class as it was labelled.

    Attributes
    ----------
    pos : float
        Share of the cases labelled positive that are negative.
    neg : float
        Share of the cases labelled negative that are positive.
    covariance : ndarray, shape (2, 2)
        Covariance matrix of the two shares; zero where they are known.

    See Also
    --------
    label_noise, audited_noise, flip_noise, positive_unlabelled
    """

    pos: float
    neg: float
    covariance: Vector

    def __post_init__(self) -> None:
        """Check that the labels tell the classes apart at all."""
        super().__post_init__()
        for name in ("pos", "neg"):
            check_one_fraction(name, getattr(self, name))
        if self.pos + self.neg >= 1:
            msg = (
                f"{self.pos:g} of those labelled positive and {self.neg:g} of those labelled "
                "negative are wrong: together that must be below 1, or the labels say nothing. "
                "Are the two labels swapped?"
            )
            raise ValueError(msg)

    @property
    def kept(self) -> float:
        """Part of the difference between the classes that the labels keep: 1 - pos - neg."""
        return 1 - self.pos - self.neg

    @property
    def se(self) -> float:
        """Standard error of the sum of both shares; 0 where they are known."""
        return float(np.sqrt(max(self.covariance.sum(), 0.0)))

    def _about(self) -> str:
        known = "" if self.se == 0 else ", estimated"
        return f"wrong: {brief(self.pos)} of positives, {brief(self.neg)} of negatives{known}"

    def _columns(self) -> dict[str, Any]:
        errors = np.sqrt(np.diag(self.covariance))
        return {"labelled": ["positive", "negative"], "wrong": [self.pos, self.neg], "se": errors}


@explained
def label_noise(*, pos: float = 0.0, neg: float = 0.0) -> LabelNoise:
    """Say which shares of the labels are wrong, where they are known.

    Parameters
    ----------
    pos : float, default 0
        Share of the cases labelled positive that are negative, in [0, 1).
    neg : float, default 0
        Share of the cases labelled negative that are positive, in [0, 1).

    Returns
    -------
    LabelNoise
        The shares, without errors.

    Raises
    ------
    ValueError
        If a share is outside [0, 1], or their sum is 1 or more.

    Notes
    -----
    These are shares among the labels as they are. Rates at which true classes are labelled wrongly
    are other numbers: see `flip_noise`.

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone.

    Examples
    --------
    >>> label_noise(pos=0.1, neg=0.2).kept
    0.7
    """
    return LabelNoise(pos=float(pos), neg=float(neg), covariance=np.zeros((2, 2)))


@explained
def positive_unlabelled(share: float) -> LabelNoise:
    """Say that the positive labels are right, and the others stand for unlabelled cases.

    Parameters
    ----------
    share : float
        Share of positives among the unlabelled cases, in [0, 1).

    Returns
    -------
    LabelNoise
        With ``pos`` 0 and ``neg`` this share.

    Raises
    ------
    ValueError
        If the share is outside [0, 1).

    Notes
    -----
    The labelled positives must be like all positives. If a population with the prevalence p has a
    part c of all cases labelled, the share among the unlabelled is ``(p - c) / (1 - c)``.

    References
    ----------
    Jain, White and Radivojac (2017), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1] * 4 + [0] * 6, [9, 8, 7, 4, 8, 6, 5, 3, 2, 1])
    >>> area = denoised_auc_estimate(table, positive_unlabelled(0.2))
    >>> round(area.observed_area.value, 4), round(area.value, 4)
    (0.8125, 0.8906)
    """
    return label_noise(neg=share)


@explained
def audited_noise(
    *, pos: tuple[int, int] | None = None, neg: tuple[int, int] | None = None
) -> LabelNoise:
    """Estimate which shares of the labels are wrong from cases whose labels were checked.

    Parameters
    ----------
    pos, neg : tuple of two ints, optional
        How many labels were found wrong, and how many were checked, in random samples of the cases
        labelled positive and of those labelled negative. None if these labels are right.

    Returns
    -------
    LabelNoise
        The shares, with their errors; the checks of the two are independent.

    Raises
    ------
    ValueError
        If more are wrong than were checked, or none was checked.

    Notes
    -----
    The variance of a share k / n is ``q (1 - q) / n`` with ``q = (k + 1/2) / (n + 1)``, which is
    not zero where none was found wrong.

    References
    ----------
    No source: shares of two binomial samples.

    Examples
    --------
    >>> audited_noise(pos=(3, 60), neg=(2, 100))
    LabelNoise(wrong: 0.05 of positives, 0.02 of negatives, estimated)
    """
    shares, variances = [], []
    for name, given in (("pos", pos), ("neg", neg)):
        wrong, many = (0, 0) if given is None else given
        if given is not None and not 0 <= wrong <= many > 0:
            msg = f"{name} is {given!r}: say (how many were wrong, how many were checked)."
            raise ValueError(msg)
        q = (wrong + 0.5) / (many + 1)
        shares.append(wrong / many if many else 0.0)
        variances.append(q * (1 - q) / many if many else 0.0)
    return LabelNoise(pos=shares[0], neg=shares[1], covariance=np.diag(variances))


@of_table
def flip_noise(table: ScoreTable, *, pos: float = 0.0, neg: float = 0.0) -> LabelNoise:
    """Find which shares of the labels are wrong, from the rates at which true classes are flipped.

    Parameters
    ----------
    table : ScoreTable
        The cases as they are labelled, a random sample of the population: how many are labelled
        positive matters.
    pos : float, default 0
        Probability that a true positive is labelled negative, in [0, 1).
    neg : float, default 0
        Probability that a true negative is labelled positive, in [0, 1).

    Returns
    -------
    LabelNoise
        Shares among the labels, with the errors that follow from the share labelled positive.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a rate is outside [0, 1], their sum is 1 or more, or the share of cases labelled
        positive cannot arise from these rates.

    Notes
    -----
    With q the share labelled positive, the prevalence is ``p = (q - neg) / (1 - pos - neg)``; the
    share of wrong labels among the positives is ``neg (1 - p) / q``, that among the negatives
    ``pos p / (1 - q)``.

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone; Rogan and Gladen (1978), a
    paper on this alone, for the prevalence.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1] * 40 + [0] * 60, range(100))
    >>> noise = flip_noise(table, pos=0.2, neg=0.1)
    >>> round(noise.pos, 4), round(noise.neg, 4)
    (0.1429, 0.1429)
    """
    kept = 1 - check_one_fraction("pos", pos) - check_one_fraction("neg", neg)
    if kept <= 0:
        msg = f"pos {pos:g} and neg {neg:g} are rates of flips, whose sum must be below 1."
        raise ValueError(msg)
    q = float(table.n_pos / (table.n_pos + table.n_neg))
    p = (q - neg) / kept
    if not 0 < p < 1:
        msg = (
            f"{brief(q)} of the cases are labelled positive, but with these rates of flips it "
            f"would be between {neg:g} and {1 - pos:g}. Give smaller rates."
        )
        raise ValueError(msg)
    shares = neg * (1 - p) / q, pos * p / (1 - q)
    by_q = np.array(
        [-neg * (1 / kept / q + (1 - p) / q**2), pos * (1 / kept / (1 - q) + p / (1 - q) ** 2)]
    )
    variance = q * (1 - q) / sum(table.n_eff)
    return LabelNoise(pos=shares[0], neg=shares[1], covariance=variance * np.outer(by_q, by_q))


# --- areas and rates ----------------------------------------------------------------------------


class DenoisedArea(Estimate):
    """An area of the true classes, from labels of which a share is wrong.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`; the value is in [0, 1].
    raw : float
        The value before it was cut at 0 and 1.
    observed_area : AreaEstimate
        The area of the labels as they are.
    noise : LabelNoise
        The shares of wrong labels.

    See Also
    --------
    denoised_auc_estimate

    Notes
    -----
    The interval is that of the observed area, un-mixed as the area is, so it holds its level where
    that does. Where the shares were estimated, their error is added in quadrature.
    """

    raw: float
    observed_area: AreaEstimate
    noise: LabelNoise

    @property
    def clipped(self) -> bool:
        """Whether the value was cut: the shares say more labels are wrong than scores allow."""
        return self.raw != self.value

    def interval(self, level: float = 0.95, *, scale: Any = None) -> Interval:
        """Return a confidence interval inside [0, 1].

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : str, optional
            Scale of the interval of the observed area, as for `Estimate`.

        Returns
        -------
        Interval
            Contains the value.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.
        """
        seen = self.observed_area.interval(level, scale=scale)
        ends = [_unmixed_area(end, self.noise) for end in (seen.low, seen.high)]
        by_noise = _error_by_noise(self.raw, self.noise) * normal_quantile(level)
        half = [float(np.hypot(end - self.raw, by_noise)) for end in ends]
        return Interval(
            low=min(max(self.raw - half[0], 0.0), self.value),
            high=max(min(self.raw + half[1], 1.0), self.value),
            level=level,
            method=f"{seen.method}, un-mixed",
        )

    def _card(self) -> Card:
        rows = {
            "Value": said(self).value,
            f"{level_of()} interval": said(self).interval,
            "Of the labels as they are": str(self.observed_area),
            "Wrong labels": self.noise._about(),
        }
        if self.clipped:
            rows["Before it was cut"] = either(self.raw)
        return Card(rows=rows)


def _wrong(noise: LabelNoise) -> float:
    return noise.pos + noise.neg


def _unmixed_area(area: float, noise: LabelNoise) -> float:
    return 0.5 + (area - 0.5) / noise.kept


def _error_by_noise(raw: float, noise: LabelNoise) -> float:
    """Return the standard error of an un-mixed area that is due to the estimated shares, signed."""
    return (raw - 0.5) / noise.kept * noise.se


@of_table
def denoised_auc_estimate(table: ScoreTable, noise: LabelNoise) -> DenoisedArea:
    """Area under the curve of the true classes, where a share of the labels is wrong.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, by the labels as they are; both classes present.
    noise : LabelNoise
        From `label_noise`, `audited_noise`, `flip_noise` or `positive_unlabelled`.

    Returns
    -------
    DenoisedArea
        The area, in [0, 1], higher is better, with ``interval(level)``; ``clipped`` tells whether
        it had to be cut.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    Labels must be wrong independently of the scores, given the true class. The observed area is
    then ``a + (pos + neg) / 2 - (pos + neg) a``, with ``a`` the area of the true classes; this is
    solved for ``a``. O(k).

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone; Jain, White and Radivojac
    (2017), a paper on this alone, for positive and unlabelled cases.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1] * 4 + [0] * 6, [9, 8, 7, 4, 8, 6, 5, 3, 2, 1])
    >>> area = denoised_auc_estimate(table, label_noise(pos=0.05, neg=0.1))
    >>> print(f"{area.observed_area.value:.3f}, {area.value:.3f}")
    0.812, 0.868
    """
    return _denoised(delong(table), noise)


def _denoised(seen: AreaEstimate, noise: LabelNoise) -> DenoisedArea:
    """Un-mix an area, and its error."""
    raw = _unmixed_area(seen.value, noise)
    by_noise = _error_by_noise(raw, noise)
    return DenoisedArea(
        value=min(max(raw, 0.0), 1.0),
        se=float(np.hypot(seen.se / noise.kept, by_noise)),
        method="un-mixed",
        df=seen.df,
        raw=raw,
        observed_area=seen,
        noise=noise,
    )


class DenoisedBounds(Result):
    """What range of areas follows from ranges of the shares of wrong labels.

    Attributes
    ----------
    least, most : DenoisedArea
        The estimates under the shares that give the smallest and the largest area.
    observed_area : AreaEstimate
        The area of the labels as they are.

    See Also
    --------
    denoised_auc_bounds
    """

    least: DenoisedArea
    most: DenoisedArea
    observed_area: AreaEstimate

    @property
    def low(self) -> float:
        """Smallest area that the ranges allow, by the estimate."""
        return self.least.value

    @property
    def high(self) -> float:
        """Largest area that the ranges allow, by the estimate."""
        return self.most.value

    def interval(self, level: float = 0.95) -> Interval:
        """Return limits that hold whatever shares in the ranges are true.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.

        Returns
        -------
        Interval
            The union of the intervals under all shares in the ranges.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.
        """
        ends = [each.interval(check_level(level)) for each in (self.least, self.most)]
        return Interval(
            low=min(end.low for end in ends),
            high=max(end.high for end in ends),
            level=level,
            method="union over the shares",
        )

    def between(self, many: int = 41) -> tuple[DenoisedArea, ...]:
        """Return the areas under shares from one end of the ranges to the other.

        Parameters
        ----------
        many : int, default 41
            How many, the ends among them.

        Returns
        -------
        tuple of DenoisedArea
            With the fewest wrong labels first; both shares grow in step.

        Raises
        ------
        ValueError
            If it is not a whole number, 1 or more.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> table = tabulate([1] * 4 + [0] * 6, [9, 8, 7, 4, 8, 6, 5, 3, 2, 1])
        >>> areas = denoised_auc_bounds(table, pos=(0, 0.1), neg=(0, 0.2)).between(3)
        >>> [f"{each.noise.pos:g} {each.noise.neg:g}: {each.value:.3f}" for each in areas]
        ['0 0: 0.812', '0.05 0.1: 0.868', '0.1 0.2: 0.946']
        """
        check_times("many", many)
        first, last = sorted((each.noise for each in (self.least, self.most)), key=_wrong)
        return tuple(
            _denoised(
                self.observed_area,
                label_noise(
                    pos=(1 - part) * first.pos + part * last.pos,
                    neg=(1 - part) * first.neg + part * last.neg,
                ),
            )
            for part in np.linspace(0, 1, many).tolist()
        )

    def _about(self) -> str:
        return f"{either(self.low)} to {either(self.high)}"

    def _card(self) -> Card:
        ends = self.interval(LEVEL)
        return Card(
            rows={
                "Areas": ends_text(self.low, self.high),
                f"{level_of()} interval": ends_text(ends.low, ends.high),
                "Of the labels as they are": str(self.observed_area),
                "Least, if": self.least.noise._about(),
                "Most, if": self.most.noise._about(),
            }
        )

    def _columns(self) -> dict[str, Any]:
        both = self.least, self.most
        return {
            "auc": [each.value for each in both],
            "low": [each.interval(LEVEL).low for each in both],
            "high": [each.interval(LEVEL).high for each in both],
            "pos": [each.noise.pos for each in both],
            "neg": [each.noise.neg for each in both],
        }


@of_table
def denoised_auc_bounds(
    table: ScoreTable,
    *,
    pos: tuple[float, float] = (0.0, 0.0),
    neg: tuple[float, float] = (0.0, 0.0),
) -> DenoisedBounds:
    """Range of areas of the true classes, where the shares of wrong labels are known in ranges.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, by the labels as they are; both classes present.
    pos, neg : tuple of float, default (0, 0)
        Smallest and largest share of wrong labels among the cases labelled positive, and among
        those labelled negative.

    Returns
    -------
    DenoisedBounds
        The smallest and the largest area, and ``interval(level)`` for the true one.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the ends of a range are not in order and in [0, 1], or the sum of the larger ends is 1
        or more.

    Notes
    -----
    The distance of the area from 1/2 grows with the sum of the shares, so that the ends of the
    ranges give its extremes. The union of intervals under each share has the level of each. O(k).

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone, for given shares.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1] * 4 + [0] * 6, [9, 8, 7, 4, 8, 6, 5, 3, 2, 1])
    >>> denoised_auc_bounds(table, pos=(0, 0.05), neg=(0, 0.1))
    DenoisedBounds(0.812 to 0.868)
    """
    found = [
        denoised_auc_estimate(table, label_noise(pos=share[0], neg=share[1]))
        for share in zip(_ends("pos", pos), _ends("neg", neg), strict=True)
    ]
    found.sort(key=lambda each: each.raw)
    return DenoisedBounds(least=found[0], most=found[1], observed_area=found[0].observed_area)


def _ends(name: str, ends: tuple[float, float]) -> tuple[float, float]:
    """Return both ends of a range of shares, which may be equal."""
    if np.shape(ends) != (2,) or not 0 <= ends[0] <= ends[1] < 1:
        msg = f"{name} is {shown(ends)}, but must be two shares, 0 <= least <= most < 1."
        raise ValueError(msg)
    return float(ends[0]), float(ends[1])


class DenoisedRate(Estimate):
    """A rate of the true classes, from labels of which a share is wrong.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`; the value is in [0, 1].
    raw : float
        The value before it was cut at 0 and 1.
    called : tuple of (float, float)
        Cases called positive in the class as it was labelled, and in the other one.
    cases : tuple of (float, float)
        Cases of these two classes.
    shares : tuple of (float, float)
        What each observed rate is multiplied by.
    by_noise : float
        Part of the standard error that is due to shares that were estimated.

    See Also
    --------
    denoised_rates

    Notes
    -----
    The interval combines Clopper and Pearson's limits of the two observed rates: their squared
    distances from the rates are added. Where no label is wrong it is theirs.
    """

    raw: float
    called: tuple[float, float]
    cases: tuple[float, float]
    shares: tuple[float, float]
    by_noise: float = 0.0

    def interval(self, level: float = 0.95, *, scale: Any = None) -> Interval:
        """Return a confidence interval inside [0, 1].

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : None
            There is one kind of interval.

        Returns
        -------
        Interval
            Contains the value.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1, or a scale is given.

        References
        ----------
        Newcombe (1998), method 10, for adding squared distances.
        """
        if scale is not None:
            msg = (
                f"scale is {scale!r}, but a rate of the true classes has one kind of interval. "
                "Leave scale out."
            )
            raise ValueError(msg)
        noise = normal_quantile(check_level(level)) * self.by_noise
        low, high = noise**2, noise**2
        for x, n, weight in zip(self.called, self.cases, self.shares, strict=True):
            ends = rate_limits(np.array([x]), n, level, "clopper-pearson")
            apart = [abs(weight * (float(end[0]) - x / n)) for end in ends]
            below, above = apart if weight > 0 else apart[::-1]
            low, high = low + below**2, high + above**2
        return Interval(
            low=min(max(self.raw - float(np.sqrt(low)), 0.0), self.value),
            high=max(min(self.raw + float(np.sqrt(high)), 1.0), self.value),
            level=level,
            method="un-mixed, clopper-pearson",
        )


@of_table
def denoised_rates(table: ScoreTable, threshold: float, noise: LabelNoise) -> CorrectedRates:
    """Rates of the true classes at a threshold, where a share of the labels is wrong.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, by the labels as they are; both classes present.
    threshold : float
        Cases with this score, or a more positive one, are called positive.
    noise : LabelNoise
        As for `denoised_auc_estimate`.

    Returns
    -------
    CorrectedRates
        ``tpr`` and ``fpr`` with their errors and intervals. There is no prevalence: these labels
        do not tell it.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the threshold is NaN.

    Notes
    -----
    Each rate is a weighted difference of the two rates of the labels as they are: ``tpr - fpr`` is
    theirs divided by ``1 - pos - neg``. The variance is that of this difference, with that of the
    shares where they were estimated. O(k).

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1] * 50 + [0] * 50, range(100, 0, -1))
    >>> rates = denoised_rates(table, 60, label_noise(neg=0.1))
    >>> print(f"{rates.tpr.value:.3f}, {rates.fpr.value:.3f}")
    0.820, 0.000
    """
    counted, n = evaluate(table, threshold), table.n_eff
    hits = (counted.tp / table.n_pos, counted.fp / table.n_neg)
    called = [float(share) * many for share, many in zip(hits, n, strict=True)]
    rate = called[0] / n[0], called[1] / n[1]
    own = (1 - noise.neg, noise.pos), (1 - noise.pos, noise.neg)

    def estimate(which: int) -> DenoisedRate:
        mine, other = own[which]
        weights = mine / noise.kept, -other / noise.kept
        rates = rate[which], rate[1 - which]
        raw = weights[0] * rates[0] + weights[1] * rates[1]
        gap = (rate[0] - rate[1]) / noise.kept**2
        by = -gap * np.array([other, mine]) if which else gap * np.array([mine, other])
        spread = float(np.sqrt(max(float(by @ noise.covariance @ by), 0.0)))
        sampled = sum(
            w**2 * r * (1 - r) / m
            for w, r, m in zip(weights, rates, (n[which], n[1 - which]), strict=True)
        )
        return DenoisedRate(
            value=min(max(raw, 0.0), 1.0),
            se=float(np.sqrt(sampled + spread**2)),
            method="un-mixed",
            raw=raw,
            called=(called[which], called[1 - which]),
            cases=(n[which], n[1 - which]),
            shares=weights,
            by_noise=spread,
        )

    return CorrectedRates(threshold=float(threshold), tpr=estimate(0), fpr=estimate(1))


# --- curves -------------------------------------------------------------------------------------


@of_table
def denoised_curve(table: ScoreTable, noise: LabelNoise) -> CorrectedCurve:
    """ROC curve of the true classes, where a share of the labels is wrong.

    Parameters
    ----------
    table, noise
        As for `denoised_auc_estimate`.

    Returns
    -------
    CorrectedCurve
        The un-mixed rates at each score. In a sample they can fall, or leave [0, 1]; those drawn
        are cut and sorted.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k log k). The area of the drawn curve is not that of `denoised_auc_estimate` where rates were
    cut or sorted.

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone; Chernozhukov, Fernandez-Val
    and Galichon (2009), a paper on this alone, for sorting the rates.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1])
    >>> curve = denoised_curve(table, label_noise(neg=0.1))
    >>> curve.raw_fpr.round(2), curve.rearranged
    (array([ 0.  , -0.04, -0.07,  0.3 ,  0.26,  0.63,  1.  ]), True)
    """
    name = "un-mixed"
    higher = table.higher_is_positive
    return curve_of(table.score, *_unmixed(table, noise), name, higher=higher)


def _unmixed(table: ScoreTable, noise: LabelNoise) -> tuple[Vector, Vector]:
    """Return the signed weights of each score in both true classes."""
    pos, neg = table.pos / float(table.n_pos), table.neg / float(table.n_neg)
    return (
        ((1 - noise.neg) * pos - noise.pos * neg) / noise.kept,
        ((1 - noise.pos) * neg - noise.neg * pos) / noise.kept,
    )


@of_table
def denoised_band(
    table: ScoreTable,
    *,
    pos: tuple[float, float] = (0.0, 0.0),
    neg: tuple[float, float] = (0.0, 0.0),
    level: float = 0.95,
    n_boot: int = 500,
    grid: int = 101,
    rng: Rng = 0,
) -> Band:
    """Band of the curve of the true classes, where shares of wrong labels are known in ranges.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, by the labels as they are; both classes present.
    pos, neg : tuple of float, default (0, 0)
        Smallest and largest share of wrong labels, as for `denoised_auc_bounds`; two equal ends
        where the share is known.
    level : float, default 0.95
        Confidence level at each false positive rate, strictly between 0 and 1.
    n_boot : int, default 500
        Number of bootstrap samples.
    grid : int, default 101
        Number of false positive rates, from 0 to 1.
    rng : numpy.random.Generator or int, default 0
        Generator or seed.

    Returns
    -------
    Band
        At each false positive rate the union, over the shares in the ranges, of intervals for the
        true positive rate.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a range is not as for `denoised_auc_bounds`, the table is weighted, or there are too few
        replicates for the level.

    Notes
    -----
    The band is the union of a percentile interval for each of up to 25 pairs of shares. Where the
    curve is 0 or 1 the limits are the exact ones for 0 of n cases, divided by the part of the
    difference that labels keep. Where a limit would fall, it is relaxed. O(n_boot k log k) for each
    pair.

    References
    ----------
    Efron and Tibshirani (1993), Algorithm 6.1, for samples of the cases; the union over the shares
    is a plain combination.

    Examples
    --------
    >>> from rocspace import simulate
    >>> table = simulate.binormal(0.8).draw(60, 60, rng=1)
    >>> denoised_band(table, neg=(0, 0.2), n_boot=100, grid=11)
    Band(un-mixed, level 0.95, pointwise, area 0.222)
    """
    check_replicates(n_boot, level, tails=2)
    check_times("grid", grid)
    ranges = _ends("pos", pos), _ends("neg", neg)
    shares = [np.unique(np.linspace(*ends, _SHARES)) for ends in ranges]
    noises = [label_noise(pos=a, neg=b) for a in shares[0].tolist() for b in shares[1].tolist()]
    generator, fpr = check_rng(rng), np.linspace(0, 1, max(grid, 2))
    small = thinned(table, _CELLS)
    drawn = [resample(small, rng=generator) for _ in range(n_boot)]
    low, high = np.ones(fpr.size), np.zeros(fpr.size)
    tail = (1 - level) / 2
    for noise in noises:
        heights = np.array([denoised_curve(each, noise).tpr_at(fpr) for each in drawn])
        ends = np.quantile(heights, [tail, 1 - tail], axis=0)
        at, room = denoised_curve(small, noise).tpr_at(fpr), possible(table.n_eff[0], level)
        ends[0] = np.where(at >= 1 - EDGE, np.minimum(ends[0], 1 - room / noise.kept), ends[0])
        ends[1] = np.where(at <= EDGE, np.maximum(ends[1], room / noise.kept), ends[1])
        low, high = np.minimum(low, ends[0]), np.maximum(high, ends[1])
    low[0], high[-1] = 0.0, 1.0
    return Band(
        fpr=fpr,
        low=nondecreasing(np.clip(low, 0.0, 1.0), lower=True, tight=False),
        high=nondecreasing(np.clip(high, 0.0, 1.0), lower=False, tight=False),
        level=level,
        method="un-mixed",
        simultaneous=False,
    )
