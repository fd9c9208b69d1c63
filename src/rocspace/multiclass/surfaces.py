"""The ROC surface of three ordered classes, by counts or by Normal scores, and the best cuts."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result
from rocspace.multiclass.cases import OrderedScores
from rocspace.multiclass.placements import counts_by_score
from rocspace.multiclass.volumes import checked_order
from rocspace.results.estimates import Estimate
from rocspace.results.test import TestResult

Aim: TypeAlias = Literal["youden", "closest", "product"]

_ROWS = 20_000  # distinct scores that all pairs of cuts are formed of
_PAIRS = 1 << 20  # at a time
_REACH = 9.0  # the Normal density beyond is below 1e-18
_STEPS = 20_001


# --- cuts -------------------------------------------------------------------------------------


class Cuts(Result):
    """Thresholds that divide a score into ordered classes.

    Attributes
    ----------
    classes : tuple, length k
        The labels, in their order.
    cut : ndarray, shape (k - 1,)
        Thresholds, rising: a case is of the last class whose threshold its score reaches, and of
        the first class if it reaches none. Infinity stands for one that no score reaches.
    rate : ndarray of float64, shape (k,)
        Share of each class that is called by its name.
    criterion : {"youden", "closest", "product"}
        What the cuts are best at.
    value : float
        The criterion: Youden's index, the distance, or the product.

    See Also
    --------
    best_cuts
    """

    classes: tuple[Hashable, ...]
    cut: Vector
    rate: Vector
    criterion: str
    value: float

    def _columns(self) -> dict[str, Any]:
        """Return for each class the threshold it begins at, and its rate."""
        begins = [-np.inf, *self.cut.tolist()]
        return {"class": list(self.classes), "from": begins, "rate": self.rate}


@explained
def best_cuts(data: OrderedScores, name: str | None = None, *, criterion: Aim = "youden") -> Cuts:
    """Find the thresholds that divide a score best into ordered classes.

    Parameters
    ----------
    data : OrderedScores
        Classes in their order, and a score that is larger for later classes.
    name : str, optional
        The marker; not needed where there is only one.
    criterion : {"youden", "closest", "product"}, default "youden"
        "youden" has the largest sum of the correct rates of the classes; "closest" the smallest
        distance of the rates to (1, 1, 1), "product" the largest product, both for three classes.

    Returns
    -------
    Cuts
        The thresholds, and the correct rate of each class. Youden's index is scaled to be 0 for a
        score that knows nothing and 1 for a perfect one; it is never negative.

    Raises
    ------
    SingleClassError
        If a class of the order has no cases.
    TypeError, ValueError
        If the data are of another kind, the marker is unknown or not named; for "closest" and
        "product" also if there are not three classes, or more than 20,000 distinct scores.

    Notes
    -----
    Thresholds are scores of the sample; of several best ones the smallest are taken. The rates at
    cuts that were chosen on the same data are optimistic. "youden" is a running maximum, class by
    class: O(n log n + k n); the others look at all pairs of m distinct scores: O(m^2).

    References
    ----------
    Nakas, Alonzo and Yiannoutsos (2010), a paper on this alone, for three classes and Youden's
    index; Attwood, Tian and Xiong (2014), a paper on this alone, for the other two.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> found = best_cuts(ordered_scores(y, score, order=[1, 2, 3]))
    >>> found.cut, found.rate.round(3)
    (array([3., 5.]), array([0.75 , 0.667, 0.5  ]))
    """
    found = checked_order("best_cuts", data)
    score, below = _below(found, name)
    k = len(found.classes)
    if criterion == "youden":
        at = _youden(below)
    else:
        _need_three(found, f"criterion={criterion!r}")
        at = _all_pairs(below, criterion)
    ends = [0, *at, len(below) - 1]
    rate = np.array([below[ends[i + 1], i] - below[ends[i], i] for i in range(k)])
    value = {
        "youden": (float(rate.sum()) - 1) / (k - 1),
        "closest": float(np.sqrt(((1 - rate) ** 2).sum())),
        "product": float(rate.prod()),
    }[criterion]
    cut = np.append(score.astype(np.float64), np.inf)[at]
    return Cuts(classes=found.classes, cut=cut, rate=rate, criterion=criterion, value=value)


def _below(data: OrderedScores, name: str | None) -> tuple[Vector, Vector]:
    """Return the distinct scores, rising, and the share of each class below each and in all."""
    column = data.score[:, data.classifier(name)]
    counts, row = counts_by_score(column, data.label, data.weight, len(data.classes))
    score = np.empty(len(counts), dtype=column.dtype)
    score[row] = column
    upto = np.cumsum(counts, axis=0)
    return score, np.concatenate([np.zeros((1, upto.shape[1])), upto / upto[-1]])


def _youden(below: Vector) -> list[int]:
    """Return the rows of the cuts with the largest sum of rates.

    The sum is 1 plus, over the cuts, what the class before a cut has below it and the class after
    it has not; the best cuts up to each row follow from those of one class fewer.
    """
    best, choices = np.zeros(len(below)), []
    for i in range(1, below.shape[1]):
        gain = best + below[:, i - 1] - below[:, i]
        best = np.maximum.accumulate(gain)
        rises = np.append(np.True_, best[1:] > best[:-1])
        choices.append(np.maximum.accumulate(np.where(rises, np.arange(gain.size), 0)))
    at, found = len(below) - 1, []
    for choice in reversed(choices):
        at = int(choice[at])
        found.append(at)
    return found[::-1]


def _all_pairs(below: Vector, criterion: str) -> list[int]:
    """Return the rows of the two cuts that are best among all pairs."""
    rows = len(below)
    if rows > _ROWS + 1:
        msg = (
            f"There are {rows - 1} distinct scores, and {criterion!r} looks at all pairs of up to "
            f'{_ROWS}. Round the scores, or choose criterion="youden".'
        )
        raise ValueError(msg)
    best, at = -np.inf, [0, 0]
    first, middle, last = below[:, 0], below[:, 1], 1 - below[:, 2]
    step = max(1, _PAIRS // rows)
    for start in range(0, rows, step):
        c = slice(start, min(start + step, rows))
        second = middle[None, start:] - middle[c, None]  # cuts below the first come out negative
        if criterion == "product":
            value = first[c, None] * np.maximum(second, 0) * last[None, start:]
        else:
            value = -((1 - first[c, None]) ** 2 + (1 - second) ** 2 + (1 - last[None, start:]) ** 2)
        value[np.tril_indices(value.shape[0], -1, value.shape[1])] = -np.inf
        top = int(value.argmax())
        if value.flat[top] > best:
            i, j = divmod(top, value.shape[1])
            best, at = float(value.flat[top]), [start + i, start + j]
    return at


# --- surfaces ---------------------------------------------------------------------------------


@explained
def roc_surface(
    data: OrderedScores, first: ArrayLike, last: ArrayLike, name: str | None = None
) -> Vector:
    """Read the ROC surface: the middle class's correct rate where those of the others are given.

    Parameters
    ----------
    data : OrderedScores
        Three classes in their order, and a score that is larger for later classes.
    first, last : array-like
        Correct rates that the first and the last class shall have at least, in [0, 1]; of shapes
        that broadcast, such as (a, 1) and (b,) for a grid.
    name : str, optional
        The marker; not needed where there is only one.

    Returns
    -------
    ndarray
        The largest correct rate of the middle class; 0 where both rates cannot be had.

    Raises
    ------
    SingleClassError
        If a class of the order has no cases.
    TypeError, ValueError
        If the data are of another kind or not of three classes, the marker is unknown or not
        named, or a rate is not in [0, 1].

    Notes
    -----
    The volume below these steps is the share of sets of three cases whose scores rise strictly:
    `vus` without ties. O(n log n), and O(log n) for each point.

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> roc_surface(ordered_scores(y, score, order=[1, 2, 3]), [0.5, 0.75], 0.5).round(3)
    array([0.667, 0.667])
    """
    found = checked_order("roc_surface", data)
    _need_three(found, "roc_surface")
    one, three = _rates(first, last)
    _, below = _below(found, name)
    low = np.searchsorted(below[:, 0], one - 1e-12)
    high = np.searchsorted(below[:, 2], 1 - three + 1e-12, side="right") - 1
    return np.asarray(np.maximum(below[high, 1] - below[low, 1], 0.0))


def _rates(first: ArrayLike, last: ArrayLike) -> tuple[Vector, Vector]:
    one, three = np.asarray(first, dtype=np.float64), np.asarray(last, dtype=np.float64)
    for name, rate in (("first", one), ("last", three)):
        check_fraction(name, rate.ravel())
    return one, three


def _need_three(data: OrderedScores, what: str) -> None:
    if len(data.classes) != 3:
        msg = f"{what} is for three classes, and the order has {len(data.classes)}."
        raise ValueError(msg)


class TrinormalSurface(Result):
    """The ROC surface of three classes whose scores are Normal.

    Attributes
    ----------
    classes : tuple, length 3
        The labels, in their order.
    mean, sd : ndarray of float64, shape (3,)
        Mean and standard deviation of each class, by maximum likelihood (divisor n).
    size : ndarray of float64, shape (3,)
        Number of cases of each class.
    a, b, c, d : float
        ``sd[1] / sd[0]``, ``(mean[0] - mean[1]) / sd[0]``, ``sd[1] / sd[2]`` and
        ``(mean[2] - mean[1]) / sd[2]``.

    See Also
    --------
    fit_trinormal
    """

    classes: tuple[Hashable, ...]
    mean: Vector
    sd: Vector
    size: Vector

    _frame = ("mean", "sd", "size")

    @property
    def a(self) -> float:
        """Standard deviation of the middle class in those of the first."""
        return float(self.sd[1] / self.sd[0])

    @property
    def b(self) -> float:
        """Mean of the first class minus that of the middle, in its standard deviations."""
        return float((self.mean[0] - self.mean[1]) / self.sd[0])

    @property
    def c(self) -> float:
        """Standard deviation of the middle class in those of the last."""
        return float(self.sd[1] / self.sd[2])

    @property
    def d(self) -> float:
        """Mean of the last class minus that of the middle, in its standard deviations."""
        return float((self.mean[2] - self.mean[1]) / self.sd[2])

    def surface_at(self, first: ArrayLike, last: ArrayLike) -> Vector:
        """Return the middle class's correct rate where those of the others are given.

        Parameters
        ----------
        first, last : array-like
            Correct rates of the first and the last class, in [0, 1].

        Returns
        -------
        ndarray
            The correct rate of the middle class; 0 where both rates cannot be had.

        Raises
        ------
        ValueError
            If a rate is not in [0, 1].

        References
        ----------
        Xiong, van Belle, Miller and Morris (2006), a paper on this alone.

        Examples
        --------
        >>> from rocspace.multiclass import fit_trinormal, ordered_scores
        >>> data = ordered_scores([1, 1, 2, 2, 3, 3], [1, 2, 2, 4, 4, 5], order=[1, 2, 3])
        >>> round(float(fit_trinormal(data).surface_at(0.5, 0.5)), 4)
        0.8664
        """
        from scipy.special import ndtr, ndtri

        one, three = _rates(first, last)
        rate = ndtr((ndtri(1 - three) + self.d) / self.c) - ndtr((ndtri(one) + self.b) / self.a)
        return np.asarray(np.maximum(rate, 0.0))

    def vus_estimate(self) -> Estimate:
        """Return the volume under the surface with its standard error.

        Returns
        -------
        Estimate
            The volume with ``se``, by the delta method, and ``interval(level)``.

        References
        ----------
        Xiong, van Belle, Miller and Morris (2006), a paper on this alone.
        """
        from scipy.special import ndtr

        s = np.linspace(-_REACH, _REACH, _STEPS)
        weight = np.exp(-s * s / 2) / np.sqrt(2 * np.pi) * (s[1] - s[0])
        left, right = self.a * s - self.b, self.d - self.c * s
        below, above = ndtr(left), ndtr(right)
        falls = weight * above * np.exp(-left * left / 2) / np.sqrt(2 * np.pi)
        rises = weight * below * np.exp(-right * right / 2) / np.sqrt(2 * np.pi)
        slope = np.array([(s * falls).sum(), -falls.sum(), -(s * rises).sum(), rises.sum()])
        return Estimate(
            value=float((weight * below * above).sum()),
            se=float(np.sqrt(slope @ self._covariance() @ slope)),
            method="trinormal, delta",
        )

    def test(self) -> TestResult:
        """Test whether the score says nothing: all three classes have one distribution.

        Returns
        -------
        TestResult
            Wald's chi-square of (a - 1, b, c - 1, d), with 4 degrees of freedom.

        References
        ----------
        Noll, Furrer, Reiser and Nakas (2019), a paper on this alone.
        """
        from scipy.special import chdtrc

        gap = np.array([self.a - 1, self.b, self.c - 1, self.d])
        statistic = float(gap @ np.linalg.solve(self._covariance(), gap))
        return TestResult(
            statistic=statistic,
            pvalue=float(chdtrc(4, statistic)),
            alternative="two-sided",
            method="chi-square, trinormal",
            difference=self.vus_estimate().value - 1 / 6,
            df=4.0,
        )

    def _covariance(self) -> Vector:
        """Return the covariance matrix of (a, b, c, d), from those of means and deviations."""
        one, _, three = self.sd
        slope = np.array(  # by the three means, then by the three standard deviations
            [
                [0, 0, 0, -self.a / one, 1 / one, 0],
                [1 / one, -1 / one, 0, -self.b / one, 0, 0],
                [0, 0, 0, 0, 1 / three, -self.c / three],
                [0, -1 / three, 1 / three, 0, 0, -self.d / three],
            ]
        )
        variance = self.sd**2 / self.size
        return np.asarray(slope * np.concatenate([variance, variance / 2]) @ slope.T)


def fit_trinormal(data: OrderedScores, name: str | None = None) -> TrinormalSurface:
    """Fit the ROC surface of three classes whose scores are Normal.

    Parameters
    ----------
    data : OrderedScores
        Three classes in their order, and a score that is larger for later classes.
    name : str, optional
        The marker; not needed where there is only one.

    Returns
    -------
    TrinormalSurface
        With ``surface_at(first, last)``, ``vus_estimate()`` and ``test()``.

    Raises
    ------
    SingleClassError
        If a class of the order has no cases.
    TypeError, ValueError
        If the data are of another kind or not of three classes, the marker is unknown or not
        named, a class has only one distinct or an infinite score, or cases have weights or
        clusters.

    Notes
    -----
    Means and standard deviations by maximum likelihood; their variances are sd^2 / n and
    sd^2 / (2 n). O(n).

    References
    ----------
    Xiong, van Belle, Miller and Morris (2006), a paper on this alone, for the surface; Noll,
    Furrer, Reiser and Nakas (2019), a paper on this alone, for the test.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> fit = fit_trinormal(ordered_scores(y, score, order=[1, 2, 3]))
    >>> round(fit.vus_estimate().value, 4)
    0.6885
    """
    found = checked_order("fit_trinormal", data)
    _need_three(found, "fit_trinormal")
    if found.weight is not None or found.cluster is not None:
        msg = "fit_trinormal takes cases without weights or clusters; vus_estimate takes both."
        raise ValueError(msg)
    column = found.score[:, found.classifier(name)].astype(np.float64)
    own = [column[found.label == i] for i in range(3)]
    sd = np.array([rows.std() if np.isfinite(rows).all() else np.nan for rows in own])
    if not (sd > 0).all():
        label = found.classes[int(np.argmin(sd > 0))]
        msg = (
            f"The scores of class {label!r} have no positive, finite spread, and a Normal "
            "distribution needs one. vus_estimate needs no distribution."
        )
        raise ValueError(msg)
    return TrinormalSurface(
        classes=found.classes,
        mean=np.array([rows.mean() for rows in own]),
        sd=sd,
        size=np.array([float(rows.size) for rows in own]),
    )
