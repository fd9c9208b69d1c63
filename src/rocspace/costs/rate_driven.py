"""Rate-driven cost curves and Kendall curves: the loss if costs decide how many are called."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result, own
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.summaries import auc
from rocspace.curves.sweep import Sweep, sweep_of
from rocspace.results.curve import plain


class RateDrivenPoints(Result):
    """One or several points of a rate-driven cost curve.

    Attributes
    ----------
    rate : float or ndarray
        Share of all cases that the threshold calls positive; also the cost share of a false
        negative.
    loss : float or ndarray
        Expected loss there.
    kendall : float or ndarray
        The part of the loss that is due to the ranking.

    See Also
    --------
    rate_driven_curve
    """

    rate: Any
    loss: Any
    kendall: Any


class RateDrivenCurve(Sweep[RateDrivenPoints]):
    """Loss if as large a share of the cases is called positive as a miss has of the costs.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    area : float
        Area under the curve, the mean loss if all cost shares are equally likely: ``1 / 3 + pi (1 -
        pi) (1 - 2 auc)``.
    kendall_area : float
        Area under the Kendall curve, ``2 pi (1 - pi) (1 - auc)``: 0 for a perfect ranking.

    See Also
    --------
    rate_driven_curve
    """

    area: float
    kendall_area: float

    _point = RateDrivenPoints
    _frame = ("rate", "loss", "kendall", "fpr", "tpr", "threshold", "tp", "fp")

    @cached_property
    def rate(self) -> Vector:
        """Share of all cases called positive, strictly increasing from 0 to 1."""
        return own((self.tp + self.fp) / (self.n_pos + self.n_neg))

    @cached_property
    def loss(self) -> Vector:
        """Expected loss at each point."""
        return own(self._loss(self.rate, self.rate, self.fp))

    @cached_property
    def kendall(self) -> Vector:
        """Loss at each point minus that of a perfect ranking at the same rate."""
        return own(self._kendall(self.tp, self.fp))

    def loss_at(self, rate: ArrayLike) -> Any:
        """Return the loss at given cost shares of a false negative.

        Parameters
        ----------
        rate : float or array-like
            Cost shares of a false negative, in [0, 1]; the same share of the cases is called
            positive.

        Returns
        -------
        float or ndarray
            ``2 (r FN + (1 - r) FP) / n`` in [0, 2]. Inside a tie it is the expectation under
            random order.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = rate_driven_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
        >>> curve.loss_at([0.25, 0.5])
        array([0.125, 0.5  ])
        """
        at = check_fraction("rate", rate)
        return plain(self._loss(at, at, np.interp(at, self.rate, self.fp)))

    def kendall_at(self, rate: ArrayLike) -> Any:
        """Return the loss minus that of a perfect ranking, at given cost shares.

        Parameters
        ----------
        rate : float or array-like
            Cost shares of a false negative, in [0, 1].

        Returns
        -------
        float or ndarray
            Twice the share of the cases that are called negative in place of others: 0 or more.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value. Below the prevalence it is twice the share of false positives among
        all cases, above it twice that of false negatives.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = rate_driven_curve(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
        >>> curve.kendall_at([0.25, 0.5])
        array([0. , 0.5])
        """
        at = check_fraction("rate", rate)
        fp = np.interp(at, self.rate, self.fp)
        return plain(self._kendall(at * (self.n_pos + self.n_neg) - fp, fp))

    def _loss(self, share: Any, rate: Any, fp: Any) -> Any:
        n = self.n_pos + self.n_neg
        fn = self.n_pos - (rate * n - fp)
        return 2 * np.maximum(share * fn + (1 - share) * fp, 0.0) / n

    def _kendall(self, tp: Any, fp: Any) -> Any:
        return 2 * np.maximum(np.minimum(fp, self.n_pos - tp), 0.0) / (self.n_pos + self.n_neg)


@of_table
def rate_driven_curve(table: ScoreTable) -> RateDrivenCurve:
    """Return the rate-driven cost curve of a table, and with it the Kendall curve.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; scores on any scale.

    Returns
    -------
    RateDrivenCurve
        One point for each point of the ROC curve, from calling no case to calling all.

    Raises
    ------
    SingleClassError
        If a class is missing.

    Notes
    -----
    O(k). If a false negative has the share r of the cost of both errors, the share r of all cases
    is called positive, as somebody does who trusts the ranking and nothing else. This is not the
    best threshold: that is `rocspace.costs.cost_curve`. Every point of the ROC curve is a point
    here, while it is a line there.

    The loss is a part that the way of choosing thresholds costs even with a perfect ranking, ``2 r
    (pi - r) + 2 max(r - pi, 0)`` with the prevalence pi, and a part that the ranking costs, the
    Kendall curve. Between points, the loss is that of a random mixture: a parabola, the Kendall
    curve a line. The area under the latter is the number of pairs in the wrong order, divided by
    ``n^2 / 2``: Kendall's distance of the ranking from a perfect one.

    References
    ----------
    Hernandez-Orallo, Flach and Ferri (2013), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> curve = rate_driven_curve(tabulate(data.y_true, data.y_score))
    >>> print(f"{curve.area:.4f}, {curve.kendall_area:.4f}")
    0.2433, 0.1600
    """
    pi, area = table.prevalence, auc(table)
    mixed = pi * (1 - pi)
    return RateDrivenCurve(
        **sweep_of(table),
        area=1 / 3 + mixed * (1 - 2 * area),
        kendall_area=2 * mixed * (1 - area),
    )
