"""The local curve: Harrell and Davis's quantiles of the negatives, kernels for the positives."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.table import ScoreTable, of_table
from rocspace.models.cases import FEW
from rocspace.models.kernel import NOWHERE, Bandwidth, Smoothed, bandwidths, cases_in, merged
from rocspace.models.sampled import INFLUENCE, Sample, Side, TwoSided, flat, joined, sample_fields
from rocspace.results.curve import SmoothCurve
from rocspace.results.fit import Fit

_ROOM = 10.0  # standard deviations of the beta distribution, beyond which it is 0 or 1
_GRID = 129  # shares between which a rate is searched for
_MOST = 200  # steps to a rate
_NODES = 4  # in a panel, for the area
_LEAST, _MANY = 24, 256  # panels
_PER = 32  # groups in the square root of 1 / n, of the angle whose squared sine is the rank


class HarrellDavis:
    """Quantiles that are means of all order statistics, with beta distributed weights."""

    def __init__(self, sample: Sample, n: float) -> None:
        self._score, self._n = sample[0], n
        self._before = np.minimum(np.cumsum(sample[1])[:-1], 1.0)
        self._gap = np.diff(self._score)

    def threshold(self, share: Vector) -> Vector:
        """Return the thresholds with shares, from 0 to 1, above them."""
        from scipy.special import betainc

        n, at = self._n + 1, np.clip(share, 1e-300, 1 - 1e-16)
        if self._gap.size <= FEW:
            below, above = (n * np.asarray(part)[..., np.newaxis] for part in (1 - at, at))
            weight = betainc(below, above, self._before)
            return np.asarray(self._score[-1] - weight @ self._gap)
        room = _ROOM * np.sqrt(at * (1 - at) / n) + _ROOM**2 / n
        ends = (np.searchsorted(self._before, 1 - at + end) for end in (-room, room))
        found = np.empty(at.shape)
        for i, (low, high) in enumerate(zip(*(end.tolist() for end in ends), strict=True)):
            weight = betainc(n * (1 - at[i]), n * at[i], self._before[low:high])
            found[i] = self._score[high] - weight @ self._gap[low:high]
        return found

    def above(self, at: Vector) -> Vector:
        """Return the shares above thresholds: the false position, halved where it stays."""
        found = (at <= self._score[0]).astype(np.float64)
        inner = np.flatnonzero((at > self._score[0]) & (at < self._score[-1]))
        goal = at[inner]
        grid = np.sin(np.linspace(0, np.pi / 2, _GRID)) ** 2
        falls = np.minimum.accumulate(self.threshold(grid)) * -1.0
        cell = np.clip(np.searchsorted(falls, -goal), 1, _GRID - 1)
        low, high = grid[cell - 1], grid[cell]
        over, under = -falls[cell - 1] - goal, -falls[cell] - goal  # of opposite signs
        todo = np.arange(inner.size)
        for _ in range(_MOST):
            a, b, f, g = (each[todo] for each in (low, high, over, under))
            with np.errstate(all="ignore"):
                x = np.where(f - g > 0, a + (b - a) * f / (f - g), (a + b) / 2)
            value = self.threshold(x) - goal[todo]
            left = value > 0
            low[todo], high[todo] = np.where(left, x, a), np.where(left, b, x)
            over[todo] = np.where(left, value, f / 2)
            under[todo] = np.where(left, g / 2, value)
            todo = todo[(high[todo] - low[todo] > 4 * np.spacing(x)) & (value != 0)]
            if not todo.size:
                break
        found[inner] = np.where(over < -under, low, high)
        return np.asarray(found)

    def density(self, at: Vector) -> Vector:
        """Return nan: the curve takes its slope from differences."""
        return np.full(at.shape, np.nan)


class LocalFit(TwoSided):
    """The curve of smoothed positives and smooth quantiles of the negatives.

    Attributes
    ----------
    parameters
        The bandwidth ``h1`` of the positives, which is chosen, not estimated: its covariance is
        unknown, and standard errors are conditional on it.
    n : float
        Effective number of negatives.
    """

    n: float

    _kind = "Fit"

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        h = float(np.ldexp(self.parameters["h1"], -self.unit))
        return Smoothed(cases_in(self.pos), h, NOWHERE), HarrellDavis(self.neg, self.n)

    @cached_property
    def _nodes(self) -> tuple[Vector, Vector]:
        """Thresholds of false positive rates, and their weights in the area.

        Where rates are squared sines, the quantiles are equally smooth everywhere.
        """
        panels = min(max(_LEAST, int(np.pi * np.sqrt(self.n))), _MANY)
        node, weight = np.polynomial.legendre.leggauss(_NODES)
        width = np.pi / 2 / panels
        angle = width * (np.arange(panels)[:, np.newaxis] + (node + 1) / 2).ravel()
        share = np.tile(weight * width / 2, panels) * np.sin(2 * angle)
        return self._sides[1].threshold(np.sin(angle) ** 2), share

    @property
    def auc(self) -> float:
        """Area under the curve."""
        at, share = self._nodes
        return float(share @ self._sides[0].above(at))

    def _moved(self, **samples: Any) -> Self:
        moved = super()._moved(**samples)
        if "neg" not in samples:
            moved.__dict__["_nodes"] = self._nodes
        return moved

    def _tpr(self, at: Any) -> Any:
        top = self._sides[0].above(self.neg[0][-1:])[0]
        return np.where(np.asarray(at) == 0, top, super()._tpr(at))

    def _slope(self, at: Any) -> Any:
        return SmoothCurve._slope(self, at)


def _merged(sample: Sample, n: float) -> Sample:
    """Return neighbours whose ranks a quantile hardly tells apart as one, if there are many."""
    share = sample[1]
    if share.size <= FEW:
        return sample
    middle = np.clip(np.cumsum(share) - share / 2, 0.0, 1.0)
    return joined(sample, np.floor(np.arcsin(np.sqrt(middle)) * (_PER * np.sqrt(n))))


@of_table
def fit_local(table: ScoreTable, *, bandwidth: Bandwidth = "cdf") -> Fit:
    """Smooth the distribution of the positives by kernels, the quantiles of the negatives locally.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present; scores finite.
    bandwidth : str, float or tuple of float, default "cdf"
        Bandwidth of the kernels of the positives, as for `fit_kernel`; of two numbers the first is
        used.

    Returns
    -------
    Fit
        With the parameter ``h1``, the bandwidth. "degenerate" if the scores of a class are all
        equal.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are infinite, or the bandwidth is not valid.

    Notes
    -----
    The curve is ``S1(Q0(1 - fpr))``: S1 the share of positives above, smoothed by Normal kernels;
    Q0 Harrell and Davis's quantile, the mean of all order statistics of the N negatives with the
    weights of a beta distribution, ``I_{i/N}((N + 1) p, (N + 1) (1 - p))`` and its differences.
    Unlike kernels, quantiles need no bandwidth, and do not extend beyond the scores: the curve
    begins above (0, 0) at the smoothed share of positives above all negatives. It changes when
    scores are transformed.

    O(k) for each rate; the area is a sum over up to 1024 rates, to about 1e-6. Of more than 2048
    distinct scores, neighbours are merged, of negatives by rank. Standard errors are those of the
    infinitesimal jackknife, with a fixed bandwidth.

    References
    ----------
    Qiu and Le (2001), no numbered equation; Harrell and Davis (1982), no numbered equation, for the
    quantiles.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_local(tabulate(data.y_true, data.y_score))
    >>> fit, round(fit.auc, 4)
    (Fit(local, h1=0.144041), 0.6463)
    """
    fields = sample_fields("fit_local", table, None)
    h = bandwidths("fit_local", table, bandwidth, fields)[0]
    named = {"h1": float(np.ldexp(h, fields["unit"]))}
    n = float(table.n_eff[1])
    fields["pos"], fields["neg"] = merged(fields["pos"], h), _merged(fields["neg"], n)

    def above(side: str, at: float) -> float:
        sample = fields[side]
        whole: Side = Smoothed(cases_in(sample), h, NOWHERE)
        if side == "neg":
            whole = HarrellDavis(sample, n)
        return float(whole.above(np.array([at]))[0])

    degenerate = flat("local", named, fields["pos"][0], fields["neg"][0], above)
    if degenerate is not None:
        return degenerate
    return LocalFit(
        method="local",
        parameters=named,
        covariance=np.full((1, 1), np.nan),
        covariance_method=INFLUENCE,
        n=n,
        **fields,
    )
