"""The Brier score of probabilities, its curve over costs, and its parts."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction, check_sizes
from rocspace._base.frozen import Result
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.sweep import Sweep, need_probabilities, sweep_of, vertices
from rocspace.results.curve import plain


@explained
def brier_score(table: ScoreTable) -> float:
    """Brier score: the mean squared difference of probability and outcome.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; scores are probabilities of being positive. A class may
        be missing.

    Returns
    -------
    float
        In [0, 1], 0 is perfect; ``pi (1 - pi)`` if every case has the prevalence pi as its
        probability.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1] or lower scores are positive.

    Notes
    -----
    O(k).

    References
    ----------
    Brier (1950), a paper on this alone; its score of two classes is twice this.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> brier_score(tabulate([0, 1], [0.5, 0.75]))
    0.15625
    """
    need_probabilities("brier_score", table)
    score = table.score.astype(np.float64)
    wrong = float(table.pos @ (1 - score) ** 2 + table.neg @ score**2)
    return min(wrong / (table.n_pos + table.n_neg), 1.0)


# --- the curve --------------------------------------------------------------------------------


class BrierPoints(Result):
    """One or several points of a Brier curve.

    Attributes
    ----------
    share : float or ndarray
        Cost share of a false positive, which is the threshold.
    loss : float or ndarray
        Expected loss at that threshold.

    See Also
    --------
    brier_curve
    """

    share: Any
    loss: Any


class BrierCurve(Sweep[BrierPoints]):
    """Loss of probabilities used as thresholds, against the cost share of a false positive.

    Attributes
    ----------
    tp, fp, threshold, n_pos, n_neg, higher_is_positive
        As for all sweeps: the counts called positive at each threshold.
    area : float
        Area under the curve: exactly the Brier score.
    best_area : float
        Area under the curve of the best threshold at each share: the Brier score of the scores
        recalibrated by isotonic regression. nan if a class is missing.

    See Also
    --------
    brier_curve
    """

    area: float
    best_area: float

    _point = BrierPoints
    _frame = ("fpr", "tpr", "threshold", "tp", "fp")

    def loss_at(self, share: ArrayLike) -> Any:
        """Return the loss when the threshold is the cost share itself.

        Parameters
        ----------
        share : float or array-like
            Cost share of a false positive, in [0, 1].

        Returns
        -------
        float or ndarray
            ``2 (c FP + (1 - c) FN) / n`` at the threshold c, in [0, 2].

        Raises
        ------
        ValueError
            If a share is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = brier_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8]))
        >>> curve.loss_at([0.2, 0.5])
        array([0.1 , 0.25])
        """
        at = check_fraction("share", share)
        row = self._row(at, True)
        return plain(self._loss(at, self.tp[row], self.fp[row]))

    def best_at(self, share: ArrayLike) -> Any:
        """Return the least loss of any threshold: the lower envelope.

        Parameters
        ----------
        share : float or array-like
            Cost share of a false positive, in [0, 1].

        Returns
        -------
        float or ndarray
            At most `loss_at`.

        Raises
        ------
        ValueError
            If a share is outside [0, 1] or NaN.

        Notes
        -----
        O(log m) for each value. At share c the cost curve's probability cost is ``pi (1 - c) /
        (pi (1 - c) + (1 - pi) c)``.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> curve = brier_curve(tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8]))
        >>> curve.best_at([0.2, 0.5])
        array([0.1 , 0.25])
        """
        at = check_fraction("share", share)
        tp, fp, cut = self._hull
        row = np.searchsorted(-cut, -at, "left")  # cut decreases: more is called as c falls
        return plain(self._loss(at, tp[row], fp[row]))

    def _loss(self, share: Any, tp: Any, fp: Any) -> Any:
        return 2 * (share * fp + (1 - share) * (self.n_pos - tp)) / (self.n_pos + self.n_neg)

    @cached_property
    def _hull(self) -> tuple[Array, Array, Vector]:
        return vertices(self.tp, self.fp)

    def _points(self, threshold: ArrayLike, row: Ints) -> BrierPoints:
        at = check_fraction("threshold", threshold)
        return BrierPoints(share=plain(at), loss=plain(self._loss(at, self.tp[row], self.fp[row])))


@explained
def brier_curve(table: ScoreTable) -> BrierCurve:
    """Return the Brier curve: the loss of probabilities that are used as thresholds for costs.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; scores are probabilities of being positive.

    Returns
    -------
    BrierCurve
        Its area is the Brier score; ``best_at`` gives the loss that calibration could attain.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1] or lower scores are positive.

    Notes
    -----
    O(k). A case is called positive if its probability is at least the cost share of a false
    positive, which is optimal if the probabilities are calibrated.

    References
    ----------
    Hernandez-Orallo, Flach and Ferri (2011), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> curve = brier_curve(tabulate(data.y_true, data.y_score))
    >>> print(f"{curve.area:.6f}, calibrated {curve.best_area:.6f}")
    0.224526, calibrated 0.189881
    """
    need_probabilities("brier_curve", table)
    area = brier_score(table)
    fields = sweep_of(table)
    return BrierCurve(**fields, area=area, best_area=_calibrated_score(fields["tp"], fields["fp"]))


def _calibrated_score(tp: Array, fp: Array) -> float:
    """Brier score of the isotonic regression: sum of dP dN / (dP + dN) over hull edges, over n."""
    tp, fp, share = vertices(tp, fp)
    return float(np.diff(fp) @ share / (tp[-1] + fp[-1]))


# --- its parts --------------------------------------------------------------------------------


class BrierParts(Result):
    """A Brier score taken apart: ``miscalibration - discrimination + uncertainty + within``.

    Attributes
    ----------
    score : float
        The Brier score.
    miscalibration : float
        Loss that calibration could save, 0 or more; also called reliability.
    discrimination : float
        Loss that the calibrated scores save, 0 or more; also called resolution.
    uncertainty : float
        ``pi (1 - pi)``, the score if every case has the prevalence pi as its probability.
    within : float
        Loss from differences of scores inside a bin; 0 for "isotonic".
    method : str
        How the cases were grouped.

    See Also
    --------
    brier_parts
    """

    score: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    within: float
    method: str


@of_table
def brier_parts(
    table: ScoreTable, *, method: Literal["isotonic", "bins"] = "isotonic", bins: int = 10
) -> BrierParts:
    """Take a Brier score apart into miscalibration, discrimination and uncertainty.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; scores are probabilities.
    method : {"isotonic", "bins"}, default "isotonic"
        "isotonic" groups by isotonic regression, which needs no bins and makes neither part
        negative. "bins" is the classical decomposition, by score.
    bins : int, default 10
        How many bins of equal width, closed above (0 belongs to the first).

    Returns
    -------
    BrierParts
        The parts add up to the score.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If scores are not probabilities, or an option is unknown.

    Notes
    -----
    O(k). Inside bins, scores that differ add their variance and twice their covariance
    with the outcome: ``within``.

    References
    ----------
    Murphy (1973), a paper on this alone; Stephenson, Coelho and Jolliffe (2008), a paper on this
    alone, for differences within bins; Dimitriadis, Gneiting and Jordan (2021), a paper on this
    alone, for "isotonic".

    Examples
    --------
    >>> from rocspace import tabulate
    >>> parts = brier_parts(tabulate([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9]))
    >>> print(f"{parts.miscalibration:.4f} - {parts.discrimination:.4f} + {parts.uncertainty}")
    0.0925 - 0.1250 + 0.25
    """
    need_probabilities("brier_parts", table)
    score, pi = brier_score(table), table.prevalence
    unsure = pi * (1 - pi)
    if method == "isotonic":
        fields = sweep_of(table)
        best = _calibrated_score(fields["tp"], fields["fp"])
        parts = max(score - best, 0.0), max(unsure - best, 0.0), 0.0
    else:
        parts = _binned(table, bins, score, unsure)
    return BrierParts(
        score=score,
        miscalibration=parts[0],
        discrimination=parts[1],
        uncertainty=unsure,
        within=parts[2],
        method=method if method == "isotonic" else f"{bins} bins",
    )


def _binned(
    table: ScoreTable, bins: int, score: float, unsure: float
) -> tuple[float, float, float]:
    check_sizes(bins=bins)
    value = table.score.astype(np.float64)
    which = np.searchsorted(np.arange(1, bins) / bins, value, "left")
    pos, neg = (np.bincount(which, weights=w, minlength=bins) for w in (table.pos, table.neg))
    total = np.bincount(which, weights=(table.pos + table.neg) * value, minlength=bins)
    some = pos + neg > 0
    pos, size, total = pos[some], (pos + neg)[some], total[some]
    n = size.sum()
    off = float(size @ (total / size - pos / size) ** 2 / n)
    told = float(size @ (pos / size - table.prevalence) ** 2 / n)
    return off, told, score - (off - told + unsure)
