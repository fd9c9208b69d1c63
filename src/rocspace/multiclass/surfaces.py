"""The best cuts of a score of ordered classes, and the ROC surface of three of them by counts."""

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

Aim: TypeAlias = Literal["youden", "closest", "product"]

_ROWS = 20_000  # distinct scores that all pairs of cuts are formed of
_PAIRS = 1 << 20  # at a time


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
        What the cuts optimise.
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
        The thresholds, and the correct rate of each class. Youden's index is scaled to be 0 for an
        uninformative score and 1 for a perfect one; it is never negative.

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
        need_three(found, f"criterion={criterion!r}")
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
        Smallest correct rates that the first and the last class must have, in [0, 1]. Their shapes
        must broadcast, such as (a, 1) and (b,) for a grid.
    name : str, optional
        The marker; not needed where there is only one.

    Returns
    -------
    ndarray
        The largest correct rate of the middle class; 0 where no thresholds reach both rates.

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
    need_three(found, "roc_surface")
    one, three = checked_rates(first, last)
    _, below = _below(found, name)
    low = np.searchsorted(below[:, 0], one - 1e-12)
    high = np.searchsorted(below[:, 2], 1 - three + 1e-12, side="right") - 1
    return np.asarray(np.maximum(below[high, 1] - below[low, 1], 0.0))


def checked_rates(first: ArrayLike, last: ArrayLike) -> tuple[Vector, Vector]:
    """Return correct rates of the first and the last class as arrays in [0, 1]."""
    one, three = check_fraction("first", first), check_fraction("last", last)
    try:
        np.broadcast_shapes(one.shape, three.shape)
    except ValueError:
        msg = (
            f"first has shape {one.shape}, last {three.shape}. Give as many of both, one, "
            "or a grid, such as (a, 1) and (b,)."
        )
        raise ValueError(msg) from None
    return one, three


def need_three(data: OrderedScores, what: str) -> None:
    """Raise unless there are three classes."""
    if len(data.classes) != 3:
        msg = f"{what} is for three classes, and the order has {len(data.classes)}."
        raise ValueError(msg)
