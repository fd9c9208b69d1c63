"""The kernel curve: both distributions of scores smoothed by Normal kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Self, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import as_numbers, check_choice
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import read_only
from rocspace._base.text import brief
from rocspace._base.words import shown
from rocspace.counts.table import ScoreTable, of_table
from rocspace.models.cases import FAR, FEW, Cases, Rule, cases_of, correlated, gridded
from rocspace.models.sampled import (
    INFLUENCE,
    Sample,
    Transform,
    TwoDistributions,
    flat,
    joined,
    sample_fields,
)
from rocspace.results.fit import Fit

Bandwidth: TypeAlias = Rule | float | tuple[float, float]
Bounds: TypeAlias = tuple[float, float]

NOWHERE = (-np.inf, np.inf)
_DIRECT = 256  # distinct scores for which a threshold is not looked up on a grid first
_ALL = 2**21  # pairs of distinct scores that are all taken
_FINEST = 2**20  # points of a grid
_PER = 32  # points in a bandwidth
_TAIL = 1e-9  # shares of tails that are not read from a grid
_HALVINGS = 50  # of a cell of a grid
_NODES = 8  # of a bandwidth, for the area between bounds
_SMALL = 1e-3  # step by which an area is differentiated: beyond the errors of a grid
KEPT = f"{INFLUENCE}, without the bias of smoothing"


class Smoothed:
    """The distribution of the scores of one class, smoothed by Normal kernels.

    At finite bounds kernels are reflected: a score has images beyond them. Of many scores it is
    read from a grid with 32 points in a bandwidth, by cubic interpolation; of fewer, too, if
    `rough`: they were many, and were merged. Else a grid gives first guesses of thresholds only.
    """

    def __init__(self, cases: Cases, h: float, bounds: Bounds, *, rough: bool = False) -> None:
        self.h, self._bounds = h, bounds
        self._mass, self._top = 1.0, 0.0
        if np.isfinite(bounds).any():
            cases, self._mass = _reflected(cases, h, bounds)
            self._top = self._mass * float(cases.above(np.array(bounds[1:]), h)[0])
        self.cases = cases
        self._known: dict[str, tuple[Vector, Vector]] = {}
        self._guide = _gridded(cases, h) if cases.score.size > _DIRECT else None
        self._grid = self._guide if rough or cases.score.size > FEW else None

    def above(self, at: Vector) -> Vector:
        """Return the shares above thresholds."""
        return self._once("above", self._above, at)

    def density(self, at: Vector) -> Vector:
        """Return the density."""
        return self._once("density", self._density, at)

    def threshold(self, share: Vector) -> Vector:
        """Return the thresholds with shares, strictly between 0 and 1, above them."""
        return self._once("threshold", self._threshold, share)

    def _once(self, name: str, find: Callable[[Vector], Vector], at: Vector) -> Vector:
        """Return what is found, or was found the last time: fits share what is not moved."""
        if name in self._known and np.array_equal(self._known[name][0], at):
            return self._known[name][1]
        found = read_only(find(at))
        self._known[name] = np.array(at), found
        return found

    def _above(self, at: Vector) -> Vector:
        found = self.cases.above(at, self.h) if self._grid is None else self._grid.above(at)
        return np.asarray(self._mass * found - self._top)

    def _density(self, at: Vector) -> Vector:
        found = self.cases.density(at, self.h) if self._grid is None else self._grid.density(at)
        return np.asarray(self._mass * found)

    def _threshold(self, share: Vector) -> Vector:
        whole = (share + self._top) / self._mass
        far = np.full(whole.shape, self._guide is None)
        far |= (whole < _TAIL) | (whole > 1 - _TAIL)  # where a grid knows absolute errors only
        found: Vector = np.zeros_like(whole)
        if self._guide is not None:
            found[~far] = self._guide.threshold(whole[~far])
            if self._grid is None:
                found[~far] = self.cases.threshold(whole[~far], self.h, start=found[~far])
        if far.any():
            found[far] = self.cases.threshold(whole[far], self.h)
        return np.asarray(np.clip(found, *self._bounds))


def _reflected(cases: Cases, h: float, bounds: Bounds) -> tuple[Cases, float]:
    """Return scores with their images at the bounds, as far as kernels reach, and their mass."""
    low, high = bounds
    width, reach = high - low, FAR * h
    mirror = 2 * low if np.isfinite(low) else 2 * high
    turns: Vector = np.zeros(1)
    if np.isfinite(width):
        most = int(reach / (2 * width)) + 1
        turns = 2.0 * width * np.arange(-most, most + 1, dtype=np.float64)
    score = np.add.outer(turns, np.append(cases.score, mirror - cases.score)).ravel()
    share = np.tile(cases.share, 2 * turns.size)
    kept = (score > low - reach) & (score < high + reach)
    score, share = score[kept], share[kept]
    order = np.argsort(score)
    mass = float(share.sum())
    return replace(cases, score=score[order], share=share[order] / mass), mass


class _Grid:
    """Tails and densities of smoothed scores at points with a constant step."""

    def __init__(self, low: float, step: float, tails: Vector, slopes: Vector) -> None:
        self._low, self._step, self._tails, self._slopes = low, step, tails, slopes

    def _cubic(self, at: Vector) -> tuple[Vector, Vector, Vector]:
        """Return the places of thresholds inside cells, and the ends and coefficients of these."""
        place = np.clip((at - self._low) / self._step, 0.0, self._tails.size - 1.0)
        cell = np.minimum(place.astype(np.int64), self._tails.size - 2)
        return place - cell, *self._cell(cell)

    def _cell(self, cell: Any) -> tuple[Vector, Vector]:
        start, end = self._tails[cell], self._tails[cell + 1]
        out, into = (-self._step * self._slopes[cell + i] for i in (0, 1))
        rise = end - start
        return start, np.array([out, 3 * rise - 2 * out - into, out + into - 2 * rise])

    def above(self, at: Vector) -> Vector:
        """Return the shares above thresholds."""
        u, start, (one, two, three) = self._cubic(at)
        return np.asarray(start + u * (one + u * (two + u * three)))

    def density(self, at: Vector) -> Vector:
        """Return the density."""
        u, _, (one, two, three) = self._cubic(at)
        return np.asarray(-(one + u * (2 * two + u * 3 * three)) / self._step)

    def threshold(self, share: Vector) -> Vector:
        """Return the thresholds with shares above them, by bisection of cells."""
        cell = self._tails.size - 1 - np.searchsorted(self._tails[::-1], share, side="right")
        cell = np.clip(cell, 0, self._tails.size - 2)
        start, (one, two, three) = self._cell(cell)
        low, high = np.zeros(share.shape), np.ones(share.shape)
        for _ in range(_HALVINGS):
            u = (low + high) / 2
            over = start + u * (one + u * (two + u * three)) > share
            low, high = np.where(over, u, low), np.where(over, high, u)
        return np.asarray(self._low + (cell + (low + high) / 2) * self._step)


def _gridded(cases: Cases, h: float) -> _Grid | None:
    """Return the grid of smoothed scores; None where it would have too many points."""
    from scipy.special import ndtr

    step, reach = h / _PER, int(FAR * _PER)
    low = float(cases.score[0]) - (reach + 1) * step
    size = (float(cases.score[-1]) - low) / step + reach + 3
    if size > _FINEST:
        return None
    share = gridded(cases, low, step, int(size))
    lag = np.arange(-reach, reach + 1) / np.sqrt(_PER**2 - 1 / 6)  # what splitting adds
    beyond = np.append(np.cumsum(share[::-1])[::-1][reach + 1 :], np.zeros(reach + 1))
    tails = np.correlate(share, ndtr(lag), "same") + beyond
    slopes = np.correlate(share, np.exp(-lag * lag / 2), "same") / (np.sqrt(2 * np.pi) * h)
    return _Grid(low, step, np.minimum.accumulate(tails), slopes)


def area_of(pos: Cases, neg: Cases, s: float) -> float:
    """Return the mean of Phi((x - y) / s) over all pairs; of very many, by FFT on a grid."""
    from scipy.special import ndtr

    low = min(pos.score[0], neg.score[0])
    size = (max(pos.score[-1], neg.score[-1]) - low) / s * _PER + 3
    if pos.score.size * neg.score.size <= _ALL or size > _FINEST:
        return float(neg.share @ pos.above(neg.score, s))
    step, size = s / _PER, int(size)
    share = correlated(pos, neg, low, step, size)
    gap = np.arange(1 - size, size) * step
    return float(share @ ndtr(gap / np.sqrt(s * s - step * step / 3)))


class KernelFit(TwoDistributions):
    """The curve of two kernel estimates of distributions.

    Attributes
    ----------
    parameters
        The bandwidths ``h1`` of the positives and ``h0`` of the negatives, on the scale of the
        scores or of what they were transformed to. They are chosen, not estimated: their covariance
        is unknown, and standard errors are conditional on these bandwidths.
    bounds : tuple of float
        Where kernels are reflected, in the unit of the fit; infinite for nowhere.
    rough : tuple of bool
        Whether the positives and the negatives had so many scores that they were merged.
    keeps_variance : bool
        Whether scores were drawn towards their mean, so that smoothing keeps their variance; the
        intervals of a fit are about such a curve.
    """

    bounds: Bounds = NOWHERE
    rough: tuple[bool, bool] = (False, False)
    keeps_variance: bool = False

    _kind = "Fit"

    @property
    def _unbiased(self) -> Self | None:
        if self.keeps_variance or np.isfinite(self.bounds).any():
            return None
        return replace(self, keeps_variance=True, covariance_method=KEPT)

    @cached_property
    def _scaled(self) -> tuple[tuple[Cases, float], tuple[Cases, float]]:
        """The cases of both classes and their bandwidths."""
        pos, neg = (
            shrunk(sample, h, *spread_of(sample)) if self.keeps_variance else (cases_in(sample), h)
            for sample, h in zip((self.pos, self.neg), self._given, strict=True)
        )
        return pos, neg

    @property
    def _given(self) -> tuple[float, float]:
        h1, h0 = (float(np.ldexp(self.parameters[name], -self.unit)) for name in ("h1", "h0"))
        return h1, h0

    @property
    def _h(self) -> tuple[float, float]:
        return self._scaled[0][1], self._scaled[1][1]

    @property
    def _cases(self) -> tuple[Cases, Cases]:
        return self._scaled[0][0], self._scaled[1][0]

    @cached_property
    def _sides(self) -> tuple[Smoothed, Smoothed]:
        both = zip(self._cases, self._h, self.rough, strict=True)
        pos, neg = (Smoothed(cases, h, self.bounds, rough=rough) for cases, h, rough in both)
        return pos, neg

    def _moved(self, **samples: Any) -> Self:
        moved = super()._moved(**samples)
        both = zip(("pos", "neg"), self._sides, moved._sides, strict=True)
        moved.__dict__["_sides"] = tuple(new if side in samples else old for side, old, new in both)
        return moved

    @property
    def auc(self) -> float:
        """Area under the curve: the mean of Phi((x - y) / sqrt(h1^2 + h0^2)) over all pairs."""
        if np.isfinite(self.bounds).any():
            return self._reflected_area()
        return area_of(*self._cases, float(np.hypot(*self._h)))

    def _variance_of_auc(self) -> Any:
        """Return what `_variance` finds, from the mean over the other class for each score."""
        if np.isfinite(self.bounds).any():
            return super()._variance_of_auc()
        pos, neg = self._cases
        s = float(np.hypot(*self._h))
        above, below = 1 - neg.above(pos.score, s), pos.above(neg.score, s)
        if self.keeps_variance:  # which moves all scores of a class when a share is changed
            above = above + self._shift_of_auc(self.pos, 0)
            below = below + self._shift_of_auc(self.neg, 1)
        return self._variance_of_mean(pos=above, neg=below)

    def _shift_of_auc(self, sample: Sample, own: int) -> Vector:
        """Return what each score of a class adds to the area by its mean and variance."""
        mean, variance = spread_of(sample)
        sd = float(np.sqrt(variance))

        def area(mean: float, variance: float) -> float:
            both = list(self._scaled)
            both[own] = shrunk(sample, self._given[own], mean, variance)
            (pos, h1), (neg, h0) = both
            return area_of(pos, neg, float(np.hypot(h1, h0)))

        by_mean, by_variance = (
            area(mean + ahead * sd, variance * (1 + wider))
            - area(mean - ahead * sd, variance * (1 - wider))
            for ahead, wider in ((_SMALL, 0.0), (0.0, _SMALL))
        )
        z = (sample[0] - mean) / sd
        return np.asarray((by_mean * z + by_variance * _unbiased(sample) * z * z) / (2 * _SMALL))

    def _reflected_area(self) -> float:
        """Return the integral of the tail of positives over the density of negatives."""
        pos, neg = self._sides
        width = min(self._h)
        around = np.arange(-(reach := int(FAR * self._h[1] / width) + 1), reach + 1)
        cell = np.unique(np.floor(self._cases[1].score / width)[:, np.newaxis] + around)
        ends = np.clip([cell * width, (cell + 1) * width], *self.bounds)
        node, weight = np.polynomial.legendre.leggauss(_NODES)
        half, middle = (ends[1] - ends[0]) / 2, ends.mean(axis=0)
        at = (middle[:, np.newaxis] + half[:, np.newaxis] * node).ravel()
        return float((half[:, np.newaxis] * weight).ravel() @ (pos.above(at) * neg.density(at)))


@of_table
def fit_kernel(
    table: ScoreTable,
    *,
    bandwidth: Bandwidth = "cdf",
    transform: Transform | None = None,
    bounds: Bounds | None = None,
) -> Fit:
    """Smooth the distribution of the scores of each class by Normal kernels.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present; scores finite.
    bandwidth : str, float or tuple of float, default "cdf"
        Standard deviation of the kernels, by a rule for each class, or given: a number for both
        classes, or two for positives and negatives. The rules are "cdf", ``1.587 sd n^(-1/3)``,
        optimal for the distribution function of Normal scores; "cross-validated", which minimises
        the leave-one-out error of the distribution function; and four for densities, which are
        wider: "silverman", ``0.9 min(sd, IQR / 1.34) n^(-1/5)``; "scott", ``1.06 sd n^(-1/5)``;
        "sheather-jones", which solves an equation for the optimal one; "direct-plug-in", which
        estimates the density's curvature with kernels whose width is estimated likewise.
    transform : {"log", "logit"}, optional
        Smooth the logarithms of positive scores, or the logits of scores in (0, 1), so that no
        kernel extends beyond the bounds.
    bounds : tuple of float, optional
        The lowest and the highest possible score, where kernels are reflected: (0, 1), or
        (0, inf). By default kernels extend beyond the scores.

    Returns
    -------
    Fit
        With parameters ``h1`` and ``h0``, the bandwidths. "degenerate" if the scores of a class
        are all equal.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are infinite or outside the bounds or the transform's range, a bandwidth is not
        positive or wider than the bounds, or there is none by "sheather-jones", as with many ties.

    Notes
    -----
    The curve is S1(S0^-1(fpr)) with ``S(c) = mean Phi((x_i - c) / h)`` of each class, its area the
    mean of ``Phi((x_i - y_j) / sqrt(h1^2 + h0^2))`` over all pairs, its slope the ratio of two
    kernel densities. With bounds, S also has the images of the scores at both, and the area is the
    integral of S1 over the density of the negatives, by Gaussian quadrature to about 1e-10.
    "direct-plug-in" has two stages: ``h = (2 sqrt(pi) psi4 n)^(-1/5)``, with psi4 the mean of the
    fourth derivative of a Normal density of width g over all pairs, each case with itself, too; the
    optimal g rests on psi6, which has the same form, and that on psi8 of Normal scores.

    Smoothing lowers the area of a curve above the diagonal, by a share of order h^2. The curve
    changes when scores are transformed.

    O(k) for each threshold up to 2048 distinct scores in a class. If there are more, neighbours
    within h / 32 are merged, which changes no rate by more than 3e-5, and rates are read from a
    grid of 32 points in a bandwidth, between which they are cubic, to some 1e-6; beyond two
    million pairs the area is a convolution by FFT on such a grid, whose error is of order 1e-7.

    Standard errors are those of the infinitesimal jackknife, with fixed bandwidths: that of the
    area is DeLong's with smoothed placements. They include the variance of the curve, not its bias.
    Intervals of the area, its parts and of rates therefore are about the same reading of a curve
    without that bias, with its standard error: the scores of each class, whose standard deviation
    is s, are drawn towards their mean by ``1 / sqrt(1 + h^2 / s^2)`` and their kernels are narrower
    by as much, so that smoothing leaves mean and variance as they are. They extend as far as the
    estimate. With 30 + 30 Normal scores of area .85 those of the area and of the rate and part at
    low rates cover in 93 percent of samples or more, intervals about the biased curve
    (``scale="probit"``) in 89 to 91; with 20 + 60 of area .75 they are up to 16 percent wider.
    Between bounds, where smoothing adds less to the variance, and of thresholds, likelihood ratios
    and all other readings, intervals are about the estimate itself. Scores that are far from Normal
    keep some of the bias: transform them.

    The interval of a quantity costs as many fits as there are distinct scores, at most 200 in each
    class, for both curves.

    References
    ----------
    Zou, Hall and Shapiro (1997), no numbered equation, for the curve and "silverman"; Lloyd and
    Yong (1999), no numbered equation, for the rate of "cdf"; Bowman, Hall and Prvan (1998), no
    numbered equation, for "cross-validated"; Jones (1991), no numbered equation, for the curve that
    intervals are about; Sheather and Jones (1991), equation 12, for
    "sheather-jones"; Wand and Jones (1995), section 3.6, for "direct-plug-in".

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_kernel(tabulate(data.y_true, data.y_score), bandwidth="silverman")
    >>> fit, round(fit.auc, 7)
    (Fit(kernel, h1=0.0858149, h0=0.0693935), 0.6501448)
    """
    fields = sample_fields("fit_kernel", table, transform)
    ends = _bounds_of(table, bounds, transform, fields["unit"])
    h = bandwidths("fit_kernel", table, bandwidth, fields)
    if max(h) > ends[1] - ends[0]:
        msg = (
            f"A bandwidth of {brief(np.ldexp(max(h), fields['unit']))} is wider than the bounds "
            f"{bounds}, so that nothing would be left of the scores. Take a smaller one."
        )
        raise ValueError(msg)
    named = _named(h, fields["unit"])
    rough = fields["pos"][0].size > FEW, fields["neg"][0].size > FEW
    for side, width in zip(("pos", "neg"), h, strict=True):
        fields[side] = merged(fields[side], width)
    if isinstance(bandwidth, str):
        widths = dict(zip(("pos", "neg"), h, strict=True))

        def above(side: str, at: float) -> float:
            return float(
                Smoothed(cases_in(fields[side]), widths[side], ends).above(np.array([at]))[0]
            )

        found = flat("kernel", named, fields["pos"][0], fields["neg"][0], above)
        if found is not None:
            return found
    return KernelFit(
        method="kernel",
        parameters=named,
        covariance=np.full((2, 2), np.nan),
        covariance_method=INFLUENCE,
        bounds=ends,
        rough=rough,
        **fields,
    )


def _bounds_of(
    table: ScoreTable, bounds: Bounds | None, transform: Transform | None, unit: int
) -> Bounds:
    """Return the bounds in the unit of the fit, where larger scores are more positive."""
    if bounds is None:
        return NOWHERE
    if transform is not None:
        msg = (
            f'fit_kernel has bounds and transform="{transform}", but a transform removes the '
            "bounds already. Take one of them."
        )
        raise ValueError(msg)
    low, high = (float(end) for end in bounds)
    outside = ~((table.score >= low) & (table.score <= high))
    if not low < high or outside.any():
        at = f"but a score is {table.score[outside][0]:g}" if low < high else "not rising"
        msg = f"bounds are {bounds}, {at}. Give the lowest and the highest possible score."
        raise ValueError(msg)
    ends = np.ldexp([low, high], -unit).tolist()
    return (ends[0], ends[1]) if table.higher_is_positive else (-ends[1], -ends[0])


def spread_of(sample: Sample) -> tuple[float, float]:
    """Return the mean of scores, and their variance as of n - 1 degrees of freedom."""
    score, share, _ = sample
    mean = float(share @ score)
    return mean, float(share @ (score - mean) ** 2) * _unbiased(sample)


def _unbiased(sample: Sample) -> float:
    """Return n / (n - 1), from the variances of the shares."""
    return 1 + float(sample[2].sum())


def shrunk(sample: Sample, h: float, mean: float, variance: float) -> tuple[Cases, float]:
    """Return scores nearer to their mean, and a narrower bandwidth: together they vary as before.

    Jones (1991): without this, smoothing adds h^2 to the variance of the scores.
    """
    nearer = float(np.sqrt(variance / (variance + h * h)))
    cases = cases_in(sample)
    return replace(cases, score=mean + nearer * (cases.score - mean)), nearer * h


def cases_in(sample: Sample) -> Cases:
    """Return scores with their shares alone."""
    return Cases(score=sample[0], share=sample[1], sd=np.nan, spread=np.nan, n=np.nan)


def merged(sample: Sample, h: float) -> Sample:
    """Return neighbours within h / 32 as one score at their mean, if there are many."""
    if sample[0].size <= FEW:
        return sample
    return joined(sample, np.floor((sample[0] - sample[0][0]) / (h / _PER)))


def _named(h: tuple[float, float], unit: int) -> dict[str, float]:
    with np.errstate(over="ignore"):
        return {"h1": float(np.ldexp(h[0], unit)), "h0": float(np.ldexp(h[1], unit))}


def bandwidths(
    name: str, table: ScoreTable, bandwidth: Bandwidth, fields: dict[str, Any]
) -> tuple[float, float]:
    """Return the bandwidths of both classes in the unit of the fit; 0 where scores are equal."""
    if isinstance(bandwidth, str):
        check_choice("bandwidth", bandwidth, Rule)
        found = []
        for side, n in zip(("pos", "neg"), table.n_eff, strict=True):
            score, share, _ = fields[side]
            varies = score.size > 1
            cases = cases_of(name, score[::-1], share[::-1], n) if varies else None
            found.append(0.0 if cases is None else cases.bandwidth(bandwidth))
        return found[0], found[1]
    both = bandwidth if isinstance(bandwidth, tuple | list) else (bandwidth, bandwidth)
    given = as_numbers("bandwidth", both)
    if given.shape != (2,) or not (np.isfinite(given) & (given > 0)).all():
        msg = (
            f"bandwidth is {shown(bandwidth)}, but must be one positive number, two, or a rule, "
            'such as "cdf".'
        )
        raise ValueError(msg)
    h1, h0 = np.ldexp(given, -fields["unit"]).tolist()
    for h, own in zip((h1, h0), given.tolist(), strict=True):
        if not 0 < h * h < np.inf:
            size = "small" if h < 1 else "large"
            raise ArgumentError(Argument("bandwidth"), f" is {own}, too {size} for these scores.")
    return h1, h0
