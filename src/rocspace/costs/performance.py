"""Expected performance curves: thresholds chosen on some cases, and judged on others."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.checks import check_fraction, check_level
from rocspace._base.frozen import Result
from rocspace._base.geometry import hull_indices
from rocspace.counts.confusion import evaluate
from rocspace.counts.table import ScoreTable, need, of_table
from rocspace.curves.roc import roc_curve
from rocspace.results.curve import plain
from rocspace.results.proportions import added_distances, rate_limits


class PerformancePoints(Result):
    """One or several points of an expected performance curve.

    Attributes
    ----------
    share : float or ndarray
        Weight of the false positive rate.
    loss, half_total_error : float or ndarray
        The weighted mean of both error rates on the judging cases, and their plain mean.

    See Also
    --------
    ExpectedPerformance.at_share
    """

    share: Any
    loss: Any
    half_total_error: Any


class PerformanceBand(Result):
    """Pointwise limits of the half total error rate of an expected performance curve.

    Attributes
    ----------
    share : ndarray of float64, shape (m,)
        Weight of the false positive rate.
    low, high : ndarray of float64, shape (m,)
        Both limits.
    level : float
        Confidence level of each point.

    See Also
    --------
    ExpectedPerformance.interval
    """

    share: Vector
    low: Vector
    high: Vector
    level: float


class ExpectedPerformance(Result):
    """Error rates on new cases of the thresholds that are best on others, for all weights.

    Attributes
    ----------
    share : ndarray of float64, shape (m,)
        Weight of the false positive rate, increasing; that of the false negative rate is the rest.
    threshold : ndarray, shape (m,)
        The best threshold on the choosing cases; of several the most conservative.
    fpr, fnr : ndarray of float64, shape (m,)
        Both error rates there, on the judging cases.
    apparent : ndarray of float64, shape (m,)
        The weighted mean of both error rates on the choosing cases, which is optimistic.
    n_eff : tuple of float
        Effective numbers of positives and negatives among the judging cases.

    See Also
    --------
    expected_performance
    """

    share: Vector
    threshold: Array
    fpr: Vector
    fnr: Vector
    apparent: Vector
    n_eff: tuple[float, float]

    _frame = ("share", "threshold", "fpr", "fnr", "loss", "apparent", "half_total_error")

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.share.size)

    @property
    def loss(self) -> Vector:
        """Weighted mean on the judging cases: ``share fpr + (1 - share) fnr``."""
        return np.asarray(self.share * self.fpr + (1 - self.share) * self.fnr)

    @property
    def half_total_error(self) -> Vector:
        """Mean of both error rates on the judging cases (HTER)."""
        return np.asarray((self.fpr + self.fnr) / 2)

    def at_share(self, share: ArrayLike) -> PerformancePoints:
        """Return the points of the largest computed weights that are not above given ones.

        Parameters
        ----------
        share : float or array-like
            Weights of the false positive rate, in [0, 1].

        Returns
        -------
        PerformancePoints
            Of the curve, which is a step function.

        Raises
        ------
        ValueError
            If a weight is outside [0, 1].

        Examples
        --------
        >>> from rocspace import tabulate
        >>> half = tabulate([0, 1, 0, 1], [1, 2, 3, 4])
        >>> expected_performance(half, half).at_share(0.6).loss
        0.2
        """
        at = check_fraction("share", share)
        row = np.maximum(np.searchsorted(self.share, at, "right") - 1, 0)
        fpr, fnr = self.fpr[row], self.fnr[row]
        return PerformancePoints(
            share=plain(at),
            loss=plain(at * fpr + (1 - at) * fnr),
            half_total_error=plain((fpr + fnr) / 2),
        )

    def interval(self, level: float = 0.95) -> PerformanceBand:
        """Return an interval of the half total error rate at each point, separately.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.

        Returns
        -------
        PerformanceBand
            Inside [0, 1]. It holds given the thresholds, and so for cases other than those that
            chose them.

        Raises
        ------
        ValueError
            If the level is not strictly between 0 and 1.

        Notes
        -----
        Clopper and Pearson's intervals of both error rates, combined by adding the squares of
        their half-widths, as `rocspace.operating.cost_interval` does. It covers in 93.9 percent
        or more in the ledger of coverage, summed over all outcomes; Newcombe's interval, from
        Wilson's limits, in as little as 88 where a rate is near 0.

        References
        ----------
        Zou and Donner (2008), a paper on this alone.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> half = tabulate([0, 1, 0, 1], [1, 2, 3, 4])
        >>> band = expected_performance(half, half, share=[0.5]).interval(0.9)
        >>> round(float(band.low[0]), 3), round(float(band.high[0]), 3)
        (0.013, 0.705)
        """
        check_level(level)
        both = zip((self.fnr, self.fpr), self.n_eff, strict=True)
        down, up = added_distances(
            (0.5, rate, *rate_limits(rate * n, n, level, "clopper-pearson")) for rate, n in both
        )
        middle = self.half_total_error
        return PerformanceBand(
            share=self.share,
            low=np.maximum(middle - down, 0.0),
            high=np.minimum(middle + up, 1.0),
            level=level,
        )


@of_table
def expected_performance(
    chosen_on: ScoreTable, judged_on: ScoreTable, *, share: ArrayLike | None = None
) -> ExpectedPerformance:
    """Return the expected performance curve: thresholds of some cases, error rates of others.

    Parameters
    ----------
    chosen_on : ScoreTable
        Cases on which the best threshold is chosen for each weight of the two error rates; both
        classes present.
    judged_on : ScoreTable
        Other cases, of which the error rates are reported; both classes present, the same score.
    share : array-like of shape (m,), optional
        Weights of the false positive rate in [0, 1]; by default 0, .01, ... 1.

    Returns
    -------
    ExpectedPerformance
        What a user can expect who has to fix a threshold beforehand; a ROC curve of the judging
        cases shows what the best threshold in hindsight would give.

    Raises
    ------
    SingleClassError
        If a class is missing in one of both.
    ValueError
        If a weight is outside [0, 1], or higher scores are positive in only one table.

    Notes
    -----
    O(k + m log k). The best threshold for the weight a of the false positive rate minimises ``a fpr
    + (1 - a) fnr`` on the choosing cases: a vertex of their convex hull.

    References
    ----------
    Bengio, Mariethoz and Keller (2005), a paper on this alone; Zou and Donner (2008), a paper on
    this alone, for the interval.

    Examples
    --------
    >>> import rocspace as rs
    >>> data = rs.datasets.load("two_class_example")
    >>> odd = np.arange(len(data.y_true)) % 2 == 1
    >>> halves = [rs.tabulate(data.y_true[part], data.y_score[part]) for part in (odd, ~odd)]
    >>> curve = expected_performance(*halves)
    >>> point = curve.at_share(0.5)
    >>> print(f"{point.half_total_error:.3f}, apparent {curve.apparent[50]:.3f}")
    0.131, apparent 0.142
    """
    need("expected_performance", judged_on)
    if chosen_on.higher_is_positive != judged_on.higher_is_positive:
        msg = "Higher scores are positive in only one of the two tables: negate(table) one of them."
        raise ValueError(msg)
    grid = np.arange(101) / 100 if share is None else np.ravel(check_fraction("share", share))
    at = np.unique(grid)
    curve = roc_curve(chosen_on)
    kept = hull_indices(curve.fp, curve.tp)
    fpr, tpr = curve.fpr[kept], curve.tpr[kept]
    cut = np.diff(tpr) / (np.diff(tpr) + np.diff(fpr))  # up to which weight an edge pays
    row = np.searchsorted(-cut, -at, "left")
    threshold = curve.threshold[kept][row]
    found = evaluate(judged_on, threshold)
    return ExpectedPerformance(
        share=at,
        threshold=threshold,
        fpr=np.asarray(found.fp / judged_on.n_neg),
        fnr=np.asarray(found.fn / judged_on.n_pos),
        apparent=at * fpr[row] + (1 - at) * (1 - tpr[row]),
        n_eff=judged_on.n_eff,
    )
