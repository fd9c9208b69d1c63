"""Volumes of ordered classes: how often cases of all classes are put in their order."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial, prod
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import two_names
from rocspace._base.frozen import a_kind_of
from rocspace.counts.table import SingleClassError
from rocspace.multiclass.cases import OrderedScores, ScoresOfClasses
from rocspace.multiclass.placements import Components, counts_by_score, difference_of
from rocspace.results.estimates import AreaEstimate, Difference

_UNTIED = 1e-4  # share of all cases with one score; fewer change the variance by chance by less


@explained
def vus(data: OrderedScores, name: str | None = None) -> float:
    """Volume under the ROC surface: how often one case of each class is in its order.

    Parameters
    ----------
    data : OrderedScores
        Classes in their order, and a score that is larger for later classes.
    name : str, optional
        The marker; not needed where there is only one.

    Returns
    -------
    float
        In [0, 1], higher is better; 1 / k! for an uninformative score, such as a constant: 1/6
        of three classes. For two classes it is the usual area.

    Raises
    ------
    SingleClassError
        If a class of the order has no cases.
    TypeError, ValueError
        If the data are of another kind, or the marker is unknown or not named.

    Notes
    -----
    It is the share of all sets of one case of each class whose scores rise in the order of the
    classes. Tied cases count as if all orders of them were equally likely: 1/2 for two, 1/6 for
    three. The number of sets is exact while it is below 2**63 / k!, and rounded beyond. O(n log n +
    k^2 n).

    References
    ----------
    Mossman (1999), a paper on this alone, for the volume; Nakas and Yiannoutsos (2004), a paper on
    this alone, for k classes; Waegeman, De Baets and Boullart (2008), a paper on this alone, for
    counting along the scores.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> round(vus(ordered_scores(y, score, order=[1, 2, 3])), 4)
    0.6285
    """
    found = checked_order("vus", data)
    counts, _ = _counts(found, name)
    return _value(counts)


@explained
def vus_estimate(data: OrderedScores, name: str | None = None) -> AreaEstimate:
    """Volume under the ROC surface with its standard error.

    Parameters
    ----------
    data, name
        As for `vus`.

    Returns
    -------
    Estimate
        The volume with ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `vus`.

    Warns
    -----
    UserWarning
        If a class has cases in fewer than five clusters.

    Notes
    -----
    The contribution of a case is the share of the sets with it that are in order; the variance is
    that of their means, class by class, as DeLong's is for two classes. The default interval is
    "unseen", in which the classes share one unseen case, with weights and clusters as for
    `hand_till_estimate`. For three classes or more its upper limit is never below Wilson's with the
    variance of an uninformative score: for such a score most samples have a volume below 1 / k! and
    a standard error that is too small. O(n log n + k^3 n) time, O(k n) memory.

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone, for the variance; Waegeman, De Baets and
    Boullart (2008), a paper on this alone, for its computation.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> estimate = vus_estimate(ordered_scores(y, score, order=[1, 2, 3]))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.628 +- 0.171
    """
    return vus_parts(checked_order("vus_estimate", data), name).estimate("volume")


@explained
def vus_difference(
    data: OrderedScores, first: str | None = None, second: str | None = None
) -> Difference:
    """Difference of the volumes of two markers of the same cases.

    Parameters
    ----------
    data : OrderedScores
        Two markers or more.
    first, second : str, optional
        Their names; not needed where there are only two.

    Returns
    -------
    Difference
        First minus second, in [-1, 1], with ``test()`` and ``interval(level)``. Positive if the
        first is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `vus`; also if there are not two markers.

    Warns
    -----
    UserWarning
        If a class has cases in fewer than five clusters.

    Notes
    -----
    The variance comes from the differences of the contributions of each case. Interval and test
    are Student's t with the degrees of freedom of that variance. O(n log n).

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone, for paired markers.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> a, b = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6], [2, 1, 4, 3, 3, 1, 4, 4, 3, 5, 2]
    >>> gain = vus_difference(ordered_scores(y, {"a": a, "b": b}, order=[1, 2, 3]))
    >>> round(gain.value, 4)
    0.3507
    """
    found = checked_order("vus_difference", data)
    one, two = two_names("vus_difference", found.names, first, second, "classifier")
    return difference_of(vus_parts(found, one), vus_parts(found, two), "volume")


# --- counting ---------------------------------------------------------------------------------


def checked_order(name: str, data: Any) -> OrderedScores:
    """Return scores of classes that have an order, each with a case."""
    if not isinstance(data, OrderedScores):
        line = f"{name}(ordered_scores(y_true, score, order=[...]))"
        msg = f"{name} takes OrderedScores, not {a_kind_of(data)}: {line}."
        raise TypeError(msg)
    need_all_classes(name, data)
    return data


def need_all_classes(name: str, data: ScoresOfClasses) -> None:
    """Raise unless every class has a case."""
    for label, size in zip(data.classes, data.sizes, strict=True):
        if not size:
            msg = (
                f"{name} takes one case of each class, and no case is of {label!r}. Leave that "
                "class out of the data, and the volume is that of the others."
            )
            raise SingleClassError(msg)


def _counts(data: OrderedScores, name: str | None) -> tuple[Array, Array]:
    """Return the cases of each class at each distinct score, rising, and the row of each case."""
    column = data.score[:, data.classifier(name)]
    return counts_by_score(column, data.label, data.weight, len(data.classes))


def _value(counts: Array) -> float:
    """Return the volume, from whole counts by one division where they are not too large."""
    total = [each.item() for each in counts.sum(axis=0)]
    whole = factorial(len(total)) * prod(total)
    if counts.dtype.kind != "f" and whole >= 1 << 63:
        counts = counts.astype(np.float64)
    return float(_chains(counts)[1].item() / whole)


def _chains(counts: Array) -> tuple[list[Array], Array]:
    """Count sets of the first r classes in order that lie below each row, for r = 0 to k.

    The counts are times r!, so that they are whole. Also return the number of all sets of all
    classes, times k!. A set grows from r - g to r classes where its last g cases are tied in one
    row; all g! orders of them are as likely.
    """
    below = [np.ones(len(counts), dtype=counts.dtype)]
    upto = below[0]
    for r in range(1, counts.shape[1] + 1):
        tied, more = np.ones_like(below[0]), np.zeros_like(below[0])
        for q in range(r - 1, -1, -1):
            tied = tied * counts[:, q]
            more += comb(r, q) * below[q] * tied
        upto = np.cumsum(more)
        below.append(np.concatenate([np.zeros(1, dtype=counts.dtype), upto[:-1]]))
    return below, upto[-1]


def vus_parts(data: OrderedScores, name: str | None) -> Components:
    """Return what each case contributes: the share of the sets with it that are in order."""
    counts, row = _counts(data, name)
    theta, shares = _value(counts), counts / counts.sum(axis=0)
    held = contributions(shares)
    sizes = counts.sum(axis=0) if data.weight is None else _effective_sizes(data)
    return Components(
        data=data,
        theta=theta,
        deviation=held[row, data.label] - theta,
        concerned=np.ones(len(data.classes), dtype=np.bool_),
        reach=np.stack([held.min(axis=0), held.max(axis=0)]) - theta,
        null_shape=null_shape(counts, sizes) if counts.shape[1] > 2 else 0.0,
    )


def _effective_sizes(data: OrderedScores) -> Vector:
    w, k = data.case_weight, len(data.classes)
    squares = np.bincount(data.label, w * w, k)
    return np.asarray(data.sizes**2 / np.where(squares > 0, squares, 1.0))


def null_shape(counts: Array, sizes: Vector) -> float:
    """Return the variance of the volume of an uninformative score, divided by c (1 - c).

    c is its volume, 1 / k!. The variance is exact for scores without ties (`null_variance`); ties
    lower it as they lower its first-order part, under the distribution of all cases together.
    """
    k = counts.shape[1]
    chance = 1 / factorial(k)
    variance = null_variance(sizes.tolist())
    p = counts.sum(axis=1) / counts.sum()
    if p.max() > _UNTIED:
        held = contributions(np.repeat(p[:, None], k, axis=1))
        tied = float(((p @ held**2 - chance**2) / sizes).sum())
        first = sum(_chance_moment(i, k) / n for i, n in enumerate(sizes.tolist()))
        variance *= max(tied, 0.0) / first
    return float(variance / (chance * (1 - chance)))


def _chance_moment(i: int, k: int) -> float:
    """Return the variance of what a case of class i contributes to a volume by chance."""
    a, b = i, k - 1 - i  # x^a (1 - x)^b / (a! b!) for its rank x among all
    second = factorial(2 * a) * factorial(2 * b) / factorial(2 * k - 1)
    return second / (factorial(a) * factorial(b)) ** 2 - 1 / factorial(k) ** 2


def null_variance(sizes: Sequence[float]) -> float:
    """Return the exact variance of the volume of an uninformative continuous score: O(k^3).

    The volume is a mean over sets; two sets share the case of class i with probability 1 / n_i. Of
    the (2 k - s)! orders of two sets that share s cases, those with both in order are counted
    between one shared case and the next: g classes of two sets can be merged in (2 g)! / g!^2 ways.
    """
    found = {(0, 0): 1.0}  # weight by classes since the last shared case, and shared cases
    for n in sizes:
        more: dict[tuple[int, int], float] = {}
        for (g, s), weight in found.items():
            more[g + 1, s] = more.get((g + 1, s), 0.0) + weight * (1 - 1 / n)
            more[0, s + 1] = more.get((0, s + 1), 0.0) + weight * comb(2 * g, g) / n
        found = more
    k = len(sizes)
    both = sum(w * comb(2 * g, g) / factorial(2 * k - s) for (g, s), w in found.items())
    return float(both - 1 / factorial(k) ** 2)


def contributions(shares: Vector) -> Vector:
    """Return the share of the sets in order that hold a case of class i with the score of a row.

    ``shares[t, i]`` is the share of class i at row t. A set holds classes before q below the row,
    classes q to p - 1 tied at it, and the others above.
    """
    k = shares.shape[1]
    below = [each / factorial(q) for q, each in enumerate(_chains(shares)[0])]
    turned = enumerate(_chains(shares[::-1, ::-1])[0])
    above = [each[::-1] / factorial(q) for q, each in turned][::-1]  # above[p]: classes p to k - 1
    found = np.zeros_like(shares)
    for i in range(k):
        left = _times(below[i::-1], shares[:, :i][:, ::-1])
        right = _times(above[i + 1 :], shares[:, i + 1 :])
        for a, one in enumerate(left):
            for b, two in enumerate(right):
                found[:, i] += one * two / factorial(a + b + 1)
    return found


def _times(outer: Sequence[Array], shares: Array) -> list[Array]:
    """Multiply the a-th of some counts by the first a columns of shares."""
    tied, found = np.ones(len(shares)), []
    for a, each in enumerate(outer):
        tied = tied * shares[:, a - 1] if a else tied
        found.append(each * tied)
    return found
