"""The kernel curve: both distributions of scores smoothed by Normal kernels."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace.counts.table import ScoreTable, of_table
from rocspace.models.cases import FEW, Cases, Rule, cases_of, correlated
from rocspace.models.sampled import INFLUENCE, Sample, SampleFit, Transform, flat, sample_fields
from rocspace.results.fit import Fit

Bandwidth: TypeAlias = Rule | float | tuple[float, float]

_ALL = 2**21  # pairs of distinct scores that are all taken
_FINEST = 2**22  # points of a grid
_PER = 32  # points in a bandwidth


class KernelFit(SampleFit):
    """The curve of two kernel estimates of distributions.

    Attributes
    ----------
    parameters
        The bandwidths ``h1`` of the positives and ``h0`` of the negatives, on the scale of the
        scores or of what they were transformed to. They are chosen, not estimated: their covariance
        is unknown, and standard errors are conditional on these bandwidths.
    """

    _kind = "Fit"

    @cached_property
    def _h(self) -> tuple[float, float]:
        h1, h0 = (float(np.ldexp(self.parameters[name], -self.unit)) for name in ("h1", "h0"))
        return h1, h0

    @cached_property
    def _cases(self) -> tuple[Cases, Cases]:
        pos, neg = (_bare(sample) for sample in (self.pos, self.neg))
        return pos, neg

    @property
    def auc(self) -> float:
        """Area under the curve: the mean of Phi((x - y) / sqrt(h1^2 + h0^2)) over all pairs."""
        from scipy.special import ndtr

        s = float(np.hypot(*self._h))
        pos, neg = self._cases
        low = min(pos.score[0], neg.score[0])
        size = (max(pos.score[-1], neg.score[-1]) - low) / s * _PER + 3
        if pos.score.size * neg.score.size <= _ALL or size > _FINEST:
            return float(neg.share @ pos.above(neg.score, s))
        step, size = s / _PER, int(size)
        share = correlated(pos, neg, low, step, size)
        gap = np.arange(1 - size, size) * step
        return float(share @ ndtr(gap / np.sqrt(s * s - step * step / 3)))

    def _tpr(self, at: Any) -> Any:
        return self._across(at, 1, 0)

    def _fpr(self, at: Any) -> Any:
        return self._across(at, 0, 1)

    def _across(self, at: Any, to: int, of: int) -> Any:
        at = np.asarray(at)
        x = self._cut(at, of)
        found = at.astype(np.float64)  # 0 and 1 stay
        inner = np.isfinite(x)
        found[inner] = self._cases[1 - to].above(x[inner], self._h[1 - to])
        return np.clip(found, 0.0, 1.0)

    def _cut(self, at: Vector, of: int) -> Vector:
        """Return thresholds with a rate of class 1 or 0, in the unit of the fit."""
        found = np.where(at > 0, -np.inf, np.inf)
        inner = (at > 0) & (at < 1)
        if inner.any():
            found[inner] = self._cases[1 - of].threshold(at[inner], self._h[1 - of])
        return found

    def _slope(self, at: Any) -> Any:
        at = np.asarray(at)
        x = self._cut(at, 0)
        found = np.full(at.shape, np.nan)
        inner = np.isfinite(x)
        with np.errstate(all="ignore"):
            pairs = zip(self._cases, self._h, strict=True)
            found[inner] = np.divide(*(cases.density(x[inner], h) for cases, h in pairs))
        return np.where(np.isfinite(found), found, super()._slope(at))

    def _threshold(self, at: Vector) -> Vector:
        return self.scores_of(self._cut(at, 0))


def _bare(sample: Sample) -> Cases:
    return Cases(score=sample[0], share=sample[1], sd=np.nan, spread=np.nan, n=np.nan)


@of_table
def fit_kernel(
    table: ScoreTable, *, bandwidth: Bandwidth = "cdf", transform: Transform | None = None
) -> Fit:
    """Smooth the distribution of the scores of each class by Normal kernels.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present; scores finite.
    bandwidth : {"cdf", "density", "cross-validated"}, float or tuple of float, default "cdf"
        Standard deviation of the kernels. "cdf" is ``1.587 sd n^(-1/3)``, optimal for the
        distribution function of Normal scores; "density" the larger ``0.9 min(sd, IQR / 1.34)
        n^(-1/5)``, for densities; "cross-validated" minimises the leave-one-out error of the
        distribution function. A number is used for both classes; two numbers are for positives and
        negatives.
    transform : {"log", "logit"}, optional
        Smooth the logarithms of positive scores, or the logits of scores in (0, 1), so that no
        kernel extends beyond the bounds.

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
        If scores are infinite or outside the transform's range, or a bandwidth is not positive.

    Notes
    -----
    The curve is S1(S0^-1(fpr)) with ``S(c) = mean Phi((x_i - c) / h)`` of each class, its area the
    mean of ``Phi((x_i - y_j) / sqrt(h1^2 + h0^2))`` over all pairs, its slope the ratio of two
    kernel densities. Smoothing lowers the area of a curve above the diagonal, by a share of order
    h^2. The curve changes when scores are transformed.

    O(k) for each threshold up to 2048 distinct scores in a class. If there are more, neighbours
    within h / 32 are merged, which changes no rate by more than 3e-5; beyond two million pairs the
    area is a convolution by FFT on a grid of 32 points in a bandwidth, whose error is of order
    1e-7.

    Standard errors are those of the infinitesimal jackknife, with fixed bandwidths: that of the
    area is DeLong's with smoothed placements. They include the variance of the curve, not its bias.
    The standard error of a quantity costs as many fits as there are distinct scores, at most 200 in
    each class.

    References
    ----------
    Zou, Hall and Shapiro (1997), no numbered equation, for the curve and "density"; Lloyd and Yong
    (1999), no numbered equation, for the rate of "cdf"; Bowman, Hall and Prvan (1998), no numbered
    equation, for "cross-validated".

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_kernel(tabulate(data.y_true, data.y_score), bandwidth="density")
    >>> fit, round(fit.auc, 7)
    (Fit(kernel, h1=0.0858149, h0=0.0693935), 0.6501448)
    """
    fields = sample_fields("fit_kernel", table, transform)
    h = _bandwidths(table, bandwidth, fields)
    named = _named(h, fields["unit"])
    for side, width in zip(("pos", "neg"), h, strict=True):
        fields[side] = _merged(fields[side], width / _PER)
    if isinstance(bandwidth, str):
        widths = dict(zip(("pos", "neg"), h, strict=True))

        def above(side: str, at: float) -> float:
            return float(_bare(fields[side]).above(np.array([at]), widths[side])[0])

        found = flat("kernel", named, fields["pos"][0], fields["neg"][0], above)
        if found is not None:
            return found
    return KernelFit(
        method="kernel",
        parameters=named,
        covariance=np.full((2, 2), np.nan),
        covariance_method=INFLUENCE,
        **fields,
    )


def _merged(sample: Sample, width: float) -> Sample:
    """Return neighbours within a width as one score at their mean, if there are many."""
    score, share, variance = sample
    if score.size <= FEW:
        return sample
    first = np.flatnonzero(np.diff(np.floor((score - score[0]) / width), prepend=-1))
    shares, variances = (np.add.reduceat(each, first) for each in (share, variance))
    return np.add.reduceat(share * score, first) / shares, shares, variances


def _named(h: tuple[float, float], unit: int) -> dict[str, float]:
    with np.errstate(over="ignore"):
        return {"h1": float(np.ldexp(h[0], unit)), "h0": float(np.ldexp(h[1], unit))}


def _bandwidths(
    table: ScoreTable, bandwidth: Bandwidth, fields: dict[str, Any]
) -> tuple[float, float]:
    """Return the bandwidths of both classes in the unit of the fit; 0 where scores are equal."""
    if isinstance(bandwidth, str):
        check_choice("bandwidth", bandwidth, Rule)
        found = []
        for side, n in zip(("pos", "neg"), table.n_eff, strict=True):
            score, share, _ = fields[side]
            varies = score.size > 1
            cases = cases_of("fit_kernel", score[::-1], share[::-1], n) if varies else None
            found.append(0.0 if cases is None else cases.bandwidth(bandwidth))
        return found[0], found[1]
    both = bandwidth if isinstance(bandwidth, tuple | list) else (bandwidth, bandwidth)
    given = np.asarray(both, dtype=np.float64)
    if given.shape != (2,) or not (np.isfinite(given) & (given > 0)).all():
        msg = (
            f"bandwidth is {bandwidth!r}, but must be one positive number, two, or a rule: "
            '"cdf", "density" or "cross-validated".'
        )
        raise ValueError(msg)
    h1, h0 = np.ldexp(given, -fields["unit"]).tolist()
    return h1, h0
