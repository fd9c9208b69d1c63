"""Counts of a table at every threshold, shared by the ROC curve and related curves.

Every curve keeps all thresholds, so that a threshold can be found on each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result, own
from rocspace._base.geometry import hull_indices
from rocspace._base.words import counted
from rocspace.counts.confusion import rows_called_positive
from rocspace.counts.table import ScoreTable, need, rates_from_zero, trusted
from rocspace.results.curve import plain

P = TypeVar("P", bound=Result)

_COUNTS = ("tp", "fp")


class Sweep(Result, Generic[P]):
    """Positives and negatives called positive at each threshold, starting with none.

    Attributes
    ----------
    tp, fp : ndarray, shape (m,)
        ``tp[i]``: positives called positive at ``threshold[i]``; counts or weights.
    threshold : ndarray, shape (m,)
        The lowest score that is called positive; the first threshold is infinite, and no case is
        called positive. It has the dtype of the score; integers become float64 where that is exact.
    n_pos, n_neg : int or float
        Class sizes.
    higher_is_positive : bool
        Whether larger scores are more positive.
    """

    tp: Array
    fp: Array
    threshold: Array
    n_pos: int | float
    n_neg: int | float
    higher_is_positive: bool = True

    _point: ClassVar[type[Any]]
    _table: ClassVar[ScoreTable | None] = None  # of a curve whose counts nobody has asked for yet

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Take the counts from the table, where `roc_curve` left them."""
            if name in _COUNTS and self._table is not None:
                return getattr(self._table, f"{name}_from_zero")
            return super().__getattr__(name)

    def __dir__(self) -> list[str]:
        """Return all names, those of counts too."""
        return sorted({*super().__dir__(), *_COUNTS})

    def __len__(self) -> int:
        """Return the number of points."""
        return int(self.threshold.size)

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]."""
        return float(self.n_pos / (self.n_pos + self.n_neg))

    def _about(self) -> str:
        return (
            f"{counted(len(self), 'point')}, {counted(self.n_pos, 'positive')}, "
            f"{counted(self.n_neg, 'negative')}"
        )

    @cached_property
    def fpr(self) -> Vector:
        """False positive rate of each point, non-decreasing from 0 to 1."""
        if self._table is not None:
            self.__dict__["tpr"], fpr = rates_from_zero(self._table)
            return fpr
        return own(ratio(self.fp, self.n_neg))

    @cached_property
    def tpr(self) -> Vector:
        """True positive rate of each point, non-decreasing from 0 to 1."""
        if self._table is not None:
            tpr, self.__dict__["fpr"] = rates_from_zero(self._table)
            return tpr
        return own(ratio(self.tp, self.n_pos))

    @cached_property
    def fnr(self) -> Vector:
        """False negative rate of each point, non-increasing from 1 to 0."""
        return own(ratio(self.n_pos - self.tp, self.n_pos))

    def at_threshold(self, threshold: ArrayLike, *, inclusive: bool = True) -> P:
        """Return the points at given thresholds, which need not occur as scores.

        Parameters
        ----------
        threshold : float or array-like
            Thresholds on the scale of the score.
        inclusive : bool, default True
            Whether a score equal to the threshold is called positive.

        Returns
        -------
        RocPoints, PrPoints, DetPoints, GainsPoints, PrgPoints, CostLine or BrierPoints
            The points, with the attributes of this curve's points, in the shape of `threshold`.

        Raises
        ------
        ValueError
            If a threshold is NaN.

        Notes
        -----
        O(log m) for each threshold.
        """
        found: P = self._points(threshold, self._row(threshold, inclusive))
        return found

    def _points(self, threshold: ArrayLike, row: Ints) -> Any:
        """Return the points of this curve at given rows."""
        columns = {f.name: plain(getattr(self, f.name)[row]) for f in fields(self._point)}
        return self._point(**columns)

    def _row(self, threshold: ArrayLike, inclusive: bool) -> Ints:
        """Return the index of the point of each threshold."""
        scores = trusted(
            self.threshold[1:],
            self.tp[1:],
            self.fp[1:],
            higher_is_positive=self.higher_is_positive,
        )
        return rows_called_positive(scores, threshold, inclusive=inclusive)


def sweep_of(table: ScoreTable) -> dict[str, Any]:
    """Return the fields of a `Sweep` of a table, by name."""
    return {
        "tp": table.tp_from_zero,
        "fp": table.fp_from_zero,
        "threshold": table.score_from_infinity,
        "n_pos": table.n_pos,
        "n_neg": table.n_neg,
        "higher_is_positive": table.higher_is_positive,
    }


def vertices(tp: Array, fp: Array) -> tuple[Array, Array, Vector]:
    """Return the vertices of the hull of a sweep, and the share of positives on each edge.

    The shares decrease. If a false positive has the share c of the cost of both errors, the vertex
    after all edges with a share above c is optimal. A class may be missing.
    """
    if tp[-1] > 0 and fp[-1] > 0:
        kept = hull_indices(fp, tp)
        tp, fp = tp[kept], fp[kept]
    else:
        tp, fp = tp[[0, -1]], fp[[0, -1]]
    d_tp, d_fp = np.diff(tp), np.diff(fp)
    return tp, fp, np.asarray(d_tp / (d_tp + d_fp))


def best_counts(table: ScoreTable, cost_share: Vector) -> tuple[Array, Array]:
    """Return tp and fp of the best threshold if a false positive has a share of the cost of both.

    The shares are those of `vertices`.
    """
    sweep = sweep_of(table)
    tp, fp, share = vertices(sweep["tp"], sweep["fp"])
    row = np.searchsorted(-share, -cost_share, "left")
    return tp[row], fp[row]


def need_rows(name: str, table: ScoreTable) -> None:
    """Raise if a table has no cases at all; one class may be missing."""
    need(name, table, pos=0, neg=0)
    if not table.n_pos + table.n_neg > 0:
        msg = f"{name} needs at least one case, but the table has none."
        raise ValueError(msg)


def need_probabilities(name: str, table: ScoreTable) -> None:
    """Raise unless the scores of a table can be probabilities of being positive."""
    need_rows(name, table)
    check_probabilities(name, [*table.score[:1], *table.score[-1:]], table.higher_is_positive)


def check_probabilities(name: str, scores: Iterable[Any], higher_is_positive: bool = True) -> None:
    """Raise unless scores can be probabilities of being positive."""
    if not higher_is_positive:
        msg = f"{name} needs probabilities of being positive, but here lower scores are positive."
        raise ValueError(msg)
    for score in scores:
        if not 0 <= score <= 1:
            msg = (
                f"{name} needs probabilities, but a score is {score}. "
                "Calibrate the scores to [0, 1] first."
            )
            raise ValueError(msg)


def check_beta(name: str, parameters: tuple[float, float]) -> tuple[float, float]:
    """Check the two parameters of a Beta density."""
    alpha, beta = (float(x) for x in parameters)
    if not (0 < alpha < np.inf and 0 < beta < np.inf):
        msg = f"{name} is ({alpha}, {beta}), but a Beta density needs two positive numbers."
        raise ValueError(msg)
    return alpha, beta
