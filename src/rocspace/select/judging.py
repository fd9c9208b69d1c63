"""Which of two measures is the better judge: do they agree, and which one decides more often.

A measure that agrees with another wherever both decide, and decides where the other does not, is
the finer one. The area under the ROC curve is finer than accuracy; the area with ties decided
by accuracy is finer than both.
"""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.cases import check_lengths
from rocspace._base.checks import check_fraction
from rocspace._base.frozen import Result
from rocspace._base.text import brief


class MeasureComparison(Result):
    """Pairs of rankings that two measures order alike, differently, or not at all.

    Attributes
    ----------
    agree, disagree : int
        Pairs that both measures order, alike or differently.
    first_only, second_only : int
        Pairs that only the first (second) measure orders.
    neither : int
        Pairs in which both measures tie.

    See Also
    --------
    compare_measures
    """

    agree: int
    disagree: int
    first_only: int
    second_only: int
    neither: int

    _frame = (
        *("agree", "disagree", "first_only", "second_only", "neither"),
        *("consistency", "discriminancy", "first_is_better"),
    )

    def _card(self) -> Card:
        shown = {name: brief(getattr(self, name)) for name in self._frame[:-1]}
        return Card(rows={name.replace("_", " ").capitalize(): x for name, x in shown.items()})

    @property
    def consistency(self) -> float:
        """Share of the pairs that both decide in which they agree; nan if there is none."""
        both = self.agree + self.disagree
        return self.agree / both if both else float("nan")

    @property
    def discriminancy(self) -> float:
        """Pairs that only the first decides, for each that only the second does; inf for none."""
        if self.second_only:
            return self.first_only / self.second_only
        return float("inf") if self.first_only else float("nan")

    @property
    def first_is_better(self) -> bool:
        """Whether consistency is above 1/2 and discriminancy above 1."""
        return self.consistency > 0.5 and self.discriminancy > 1


@explained
def compare_measures(first: ArrayLike, second: ArrayLike) -> MeasureComparison:
    """Compare two measures by how they order all pairs of items, such as rankings.

    Parameters
    ----------
    first, second : array-like, shape (m,)
        Value of each measure for each item, higher meaning better. Values that differ in the
        last digit differ: give fractions or rounded numbers where rounding may split ties.

    Returns
    -------
    MeasureComparison
        Counts of pairs, ``consistency`` in [0, 1], and ``discriminancy``.

    Raises
    ------
    ValueError
        If lengths differ, or a value is NaN.

    Notes
    -----
    O(m log m), by counting inversions.

    References
    ----------
    Huang and Ling (2005), the definitions of consistency and discriminancy, the whole paper.

    Examples
    --------
    The first measure decides one pair more; on the others they agree but for one.

    >>> found = compare_measures([1, 2, 3, 4], [1, 1, 3, 2])
    >>> found.consistency, found.discriminancy
    (0.8, inf)
    """
    from rocspace._kernels.pairs import inversions

    a, b = _ranks_of_both(first, second)
    m = a.size
    pairs = m * (m - 1) // 2
    tied_a, tied_b, tied = (_tied_pairs(x) for x in (a, b, a * (m + 1) + b))
    ordered = b[np.lexsort((b, a))]
    disagree = int(inversions(ordered, np.empty_like(ordered)))
    return MeasureComparison(
        agree=pairs - tied_a - tied_b + tied - disagree,
        disagree=disagree,
        first_only=tied_b - tied,
        second_only=tied_a - tied,
        neither=tied,
    )


def _ranks_of_both(first: ArrayLike, second: ArrayLike) -> tuple[Ints, Ints]:
    a, b = _ranks(first, "first"), _ranks(second, "second")
    check_lengths({"first": a.size, "second": b.size})
    return a, b


def _ranks(values: ArrayLike, name: str) -> Ints:
    """Return the rank of each value among the distinct ones, from the lowest."""
    array = np.asarray(values)
    if array.ndim != 1:
        msg = f"{name} has the shape {array.shape}, but must be a vector."
        raise ValueError(msg)
    missing = np.flatnonzero(array != array)  # NaN, whatever the type
    if missing.size:
        msg = f"{name} is NaN at index {missing[0]}. Leave out what a measure is not defined for."
        raise ValueError(msg)
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def _tied_pairs(rank: Ints) -> int:
    size = np.unique(rank, return_counts=True)[1]
    return int((size * (size - 1) // 2).sum())


@explained
def two_level_rank(first: ArrayLike, second: ArrayLike) -> Ints:
    """Rank by one measure, and where it ties by another: AUC:acc, for instance.

    Parameters
    ----------
    first, second : array-like, shape (m,)
        Values of both measures for each item, higher meaning better.

    Returns
    -------
    ndarray of int64, shape (m,)
        From 0 for the worst; equal where both measures tie. Only their order means anything.

    Raises
    ------
    ValueError
        If lengths differ, or a value is NaN.

    Notes
    -----
    O(m log m).

    References
    ----------
    Dong, Li and Li, gROC, section 1, on Huang and Ling (2007), who judge by the AUC and then by
    accuracy.

    Examples
    --------
    >>> two_level_rank([0.8, 0.9, 0.8], [0.7, 0.6, 0.75])
    array([0, 2, 1])
    """
    a, b = _ranks_of_both(first, second)
    return _ranks(a * (b.max(initial=0) + 1) + b, "both")


@explained
def probability_rms(true: ArrayLike, estimated: ArrayLike) -> float:
    """Root mean square error of probabilities, where the true ones are known.

    Parameters
    ----------
    true, estimated : array-like, shape (n,)
        Probabilities in [0, 1].

    Returns
    -------
    float
        In [0, 1], 0 is perfect. The measure whose order of models is nearest to that of this
        error is the one to select by if probabilities are needed.

    Raises
    ------
    ValueError
        If lengths differ, there is none, or a probability is outside [0, 1].

    References
    ----------
    Dong, Li and Li, gROC, section 4.2.3, on Huang and Ling (2007).

    Examples
    --------
    >>> probability_rms([0.5, 1.0, 0.25, 0.0], [0.5, 0.5, 0.25, 0.0])
    0.25
    """
    p, q = check_fraction("true", true), check_fraction("estimated", estimated)
    check_lengths({"true": p.size, "estimated": q.size})
    if p.shape != q.shape:
        msg = f"true has shape {p.shape}, estimated {q.shape}. Pass one entry per case in each."
        raise ValueError(msg)
    if not p.size:
        msg = "probability_rms needs at least one probability."
        raise ValueError(msg)
    return float(np.sqrt(np.mean((p - q) ** 2)))
