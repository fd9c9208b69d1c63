"""Areas of each class against the rest, averaged, and how they depend on the rest."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows
from rocspace._base.checks import check_choice, two_names
from rocspace._base.frozen import Result
from rocspace._base.text import interval, share
from rocspace._base.words import listed_values
from rocspace.compare.areas import auc_difference
from rocspace.counts.paired import PairedScores, pair_scores
from rocspace.curves.summaries import auc
from rocspace.inference.area import delong
from rocspace.inference.clustered import clustered_auc_estimate
from rocspace.multiclass.cases import (
    MulticlassScores,
    ScoresOfClasses,
    checked_scores,
)
from rocspace.multiclass.costs import Priors
from rocspace.multiclass.placements import (
    Components,
    difference_by,
    mean_of,
    pair_areas,
    pair_components,
    pair_placements,
)
from rocspace.results.estimates import AreaEstimate, Difference

Average: TypeAlias = Literal["macro", "weighted", "micro"]
Shares: TypeAlias = Literal["estimated", "fixed"]


@explained
def one_vs_rest(
    data: MulticlassScores,
    name: str | None = None,
    *,
    average: Average | None = "macro",
    priors: Priors | None = None,
) -> float | Mapping[Hashable, float]:
    """Areas of each class against all others, averaged.

    Parameters
    ----------
    data, name
        As for `hand_till`.
    average : {"macro", "weighted", "micro"} or None, default "macro"
        "macro" is the mean over the classes; "weighted" weights each class by its share (Provost
        and Domingos' total area); "micro" is the area of all n k pairs of a case and a class; a
        pair is positive if the case is of the class. None gives the area of each class.
    priors : mapping of labels to float, optional
        Shares of the classes to weight by, in place of those of the data: both for the average and
        inside "the rest". Proportions suffice. Not for "micro".

    Returns
    -------
    float, or mapping of labels to float
        In [0, 1], higher is better; 1/2 for uninformative scores.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till`; also if the priors do not name each class with a positive number.

    Warns
    -----
    UserWarning
        As `hand_till`.

    Notes
    -----
    These areas depend on how frequent the classes are, since the rest is a mixture of the other
    classes: AUC_i is the mean of A(i|j) over all j, weighted by the shares of the classes j among
    the rest. `class_skew` shows how much; `hand_till` does not depend on them. O(k n log n).

    References
    ----------
    Fawcett (2006), section 9.1, equations 2 and 3, and section 9.2; Provost and Domingos (2001),
    section 4, for "weighted".

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> data = multiclass_scores(y, p)
    >>> round(one_vs_rest(data), 4)
    0.875
    >>> {label: round(area, 4) for label, area in one_vs_rest(data, average=None).items()}
    {0: 1.0, 1: 0.8125, 2: 0.8125}
    """
    found = checked_scores("one_vs_rest", data)
    _check_average(average)
    if average == "micro":
        return auc(_flat(found, name, priors).table("score"))
    p = _shares_of(found, priors)
    area = pair_areas(found, name)
    if average is not None:
        return mean_of(area, _rest_weights(p, average))
    return {
        label: mean_of(area[i : i + 1], _among_the_rest(p)[i : i + 1])
        for i, label in enumerate(found.classes)
        if p[i] > 0
    }


@explained
def one_vs_rest_estimate(
    data: MulticlassScores,
    name: str | None = None,
    *,
    average: Average | None = "macro",
    priors: Priors | None = None,
    shares: Shares = "estimated",
) -> AreaEstimate | Mapping[Hashable, AreaEstimate]:
    """Averaged areas of each class against all others, with their standard errors.

    Parameters
    ----------
    data, name, average, priors
        As for `one_vs_rest`.
    shares : {"estimated", "fixed"}, default "estimated"
        "estimated": the shares of the classes were left to chance when the cases were drawn, which
        adds to the variance. "fixed": the number of cases of each class was fixed in advance. Given
        priors are fixed.

    Returns
    -------
    Estimate, or mapping of labels to Estimate
        With ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `one_vs_rest`.

    Warns
    -----
    UserWarning
        As `hand_till_estimate`.

    Notes
    -----
    Variance and interval as for `hand_till_estimate`, with weights W(i, j) of the areas A(i|j):
    ``p_j / (k (1 - p_i))`` for "macro", ``p_i p_j / (1 - p_i)`` for "weighted". Shares that are
    estimated add ``(sum p d^2 - (sum p d)^2) / n``, d being the derivatives by the shares; of cases
    with weights ``sum w^2 (d - sum p d)^2 / (sum w)^2``, over the cases, each with the d of its
    class. "micro" has its k pairs of a case in a cluster, as
    `rocspace.inference.clustered_auc_estimate`. The areas of single classes, where shares are
    estimated, are `rocspace.delong`'s. O(k n log n).

    References
    ----------
    Fawcett (2006), section 9.1, equations 2 and 3, for the areas; DeLong, DeLong and Clarke-Pearson
    (1988), section 3, for the components; Obuchowski (1997), equations 4 to 6, for "micro".

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> estimate = one_vs_rest_estimate(multiclass_scores(y, p))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.875 +- 0.141
    """
    found = checked_scores("one_vs_rest_estimate", data)
    _check_average(average)
    if average == "micro":
        return clustered_auc_estimate(_flat(found, name, priors))
    if average is not None:
        parts = rest_parts(found, name, average, priors, shares)
        return parts.estimate(f"one-versus-rest, {average}")
    p = _shares_of(found, priors)
    if priors is None and shares == "estimated" and found.cluster is None:
        return {c: delong(found.table(c, name=name)) for c in _present(found)}
    placed = pair_placements(found, name)
    estimates = {}
    for i in np.flatnonzero(p > 0):
        weights = np.zeros((p.size, p.size))
        weights[i] = _among_the_rest(p)[i]
        parts = placed.components(weights)
        estimates[found.classes[i]] = parts.estimate("one-versus-rest")
    return estimates


@explained
def one_vs_rest_difference(
    data: MulticlassScores,
    first: str | None = None,
    second: str | None = None,
    *,
    average: Average = "macro",
    priors: Priors | None = None,
    shares: Shares = "estimated",
) -> Difference:
    """Difference of averaged one-versus-rest areas between two classifiers of the same cases.

    Parameters
    ----------
    data, first, second
        As for `hand_till_difference`.
    average, priors, shares
        As for `one_vs_rest_estimate`.

    Returns
    -------
    Difference
        First minus second, in [-1, 1]; positive if the first is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till_difference` and `one_vs_rest`.

    Warns
    -----
    UserWarning
        As `hand_till_estimate`.

    Notes
    -----
    As for `hand_till_difference`; for "micro" as `rocspace.compare.auc_difference` with the pairs
    of a case in a cluster.

    References
    ----------
    Fawcett (2006), section 9.1, equations 2 and 3; DeLong, DeLong and Clarke-Pearson (1988),
    section 3.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> q = [[.5, .4, .1], [.2, .4, .4], [.2, .5, .3], [.3, .4, .3], [.3, .3, .4], [.4, .1, .5]]
    >>> round(one_vs_rest_difference(multiclass_scores(y, {"p": p, "q": q})).value, 4)
    0.0833
    """

    def parts(found: MulticlassScores, name: str | None) -> Components:
        return rest_parts(found, name, average, priors, shares)

    if average == "micro":
        names = checked_scores("one_vs_rest", data).names
        one, two = two_names("one_vs_rest_difference", names, first, second, "classifier")
        return auc_difference(flat_block(data, priors), one, two)
    method = f"one-versus-rest, {average}"
    return difference_by("one_vs_rest_difference", data, first, second, parts, method)


def _check_average(average: str | None) -> None:
    if average is not None:
        check_choice("average", average, Average)


def _among_the_rest(p: Vector) -> Vector:
    """Return the share of class j among all classes but i."""
    found = np.tile(p, (p.size, 1))
    np.fill_diagonal(found, 0.0)
    rest = found.sum(axis=1, keepdims=True)
    return np.where(p[:, None] > 0, found / np.where(rest > 0, rest, 1.0), 0.0)


def _rest_weights(p: Vector, average: str) -> Vector:
    among = _among_the_rest(p)
    if average == "macro":
        return np.asarray(among / np.count_nonzero(p))
    return np.asarray(among * p[:, None])


def rest_parts(
    data: MulticlassScores,
    name: str | None,
    average: str,
    priors: Priors | None = None,
    shares: str = "estimated",
) -> Components:
    """Return the components of an average of areas against the rest."""
    p = _shares_of(data, priors)
    of_pairs, found = pair_components(data, name, _rest_weights(p, average))
    if priors is not None or shares == "fixed":
        return found
    each = p if average == "weighted" else np.full(p.size, 1.0 / np.count_nonzero(p))
    area = np.where(np.isnan(of_pairs), 0.0, of_pairs)
    left = np.where(p < 1, 1 - p, 1.0)
    own = (area * _among_the_rest(p)).sum(axis=1)
    others = (each / left) @ area
    derivative = (own / left if average == "weighted" else each * own / left) + others
    return replace(found, share=np.where(p > 0, derivative, 0.0))


def _shares_of(data: MulticlassScores, priors: Priors | None) -> Vector:
    """Return the share of each class that has cases, from the data or as given."""
    sizes = data.sizes
    if priors is None:
        return np.asarray(sizes / sizes.sum())
    lost = [label for label in data.classes if label not in priors]
    extra = [label for label in priors if label not in data.classes]
    given = [float(priors.get(label, 0.0)) for label in data.classes]
    if lost or extra or not all(np.isfinite(given)) or min(given) <= 0:
        msg = (
            f"priors is {dict(priors)!r}. Give a positive share for each class: "
            f"{listed_values(data.classes)}."
        )
        raise ValueError(msg)
    p = np.where(sizes > 0, given, 0.0)
    return np.asarray(p / p.sum())


def _flat(data: MulticlassScores, name: str | None, priors: Priors | None) -> PairedScores:
    """Return all pairs of a case and a class by one classifier; a case is a cluster."""
    return flat_block(data, priors, (data.classifier(name),), ("score",))


def flat_block(
    data: MulticlassScores,
    priors: Priors | None,
    chosen: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
) -> PairedScores:
    """Return all pairs of a case and a class; a case is a cluster."""
    if priors is not None:
        msg = 'priors weight classes, and "micro" counts cases: leave priors out, or say "macro".'
        raise ValueError(msg)
    n, m, k = data.score.shape
    columns = range(m) if chosen is None else chosen
    case = np.arange(n) if data.cluster is None else data.cluster
    return pair_scores(
        (data.label[:, None] == np.arange(k)).ravel(),
        np.column_stack([data.score[:, a, :].ravel() for a in columns]),
        names=data.names if names is None else names,
        sample_weight=None if data.weight is None else np.repeat(data.weight, k),
        cluster=np.repeat(case, k),
    )


def _present(data: ScoresOfClasses) -> list[Hashable]:
    return [label for label, size in zip(data.classes, data.sizes, strict=True) if size]


# --- class skew -------------------------------------------------------------------------------


class ClassSkew(Result):
    """How the areas against the rest depend on the mixture of the other classes.

    Attributes
    ----------
    classes : tuple, length k
        The labels.
    area : ndarray of float64, shape (k,)
        Area of each class against the rest: the sum of ``share * pair`` over its row.
    low, high : ndarray of float64, shape (k,)
        The least and the largest area that another mixture of the same other classes can have.
    share : ndarray of float64, shape (k, k)
        ``share[i, j]``: share of class j among the cases that are not of class i.
    pair : ndarray of float64, shape (k, k)
        ``pair[i, j]``: area of class i against class j in the column of class i; nan on the
        diagonal and for classes without cases.

    See Also
    --------
    class_skew, one_vs_rest, pairwise_areas
    """

    classes: tuple[Hashable, ...]
    area: Vector
    low: Vector
    high: Vector
    share: Vector
    pair: Vector

    def _about(self) -> str:
        i = int(np.nanargmax(self.high - self.low))
        return (
            f"{len(self.classes)} classes; {self.classes[i]} depends most on the mixture of the "
            f"others: {share(self.area[i])}, {interval(self.low[i], self.high[i])} in any"
        )

    def _hardest(self) -> list[Hashable]:
        worst = np.where(np.isnan(self.pair), np.inf, self.pair).argmin(axis=1)
        held = ~np.isnan(self.area)
        return [self.classes[int(j)] if has else "" for j, has in zip(worst, held, strict=True)]

    def _card(self) -> Card:
        ends = zip(self.low, self.high, strict=True)
        spans = [interval(low, high) for low, high in ends]
        rows = [
            (str(label), share(area), span, str(hardest))
            for label, area, span, hardest in zip(
                self.classes, self.area, spans, self._hardest(), strict=True
            )
        ]
        return Card(
            rows={},
            header=("Class", "Area", "In any mixture", "Hardest"),
            table=first_rows(rows[:8], len(rows)),
        )

    def _columns(self) -> dict[str, Any]:
        """Return the area of each class with its range, and the class that is hardest to tell."""
        numbers = {name: getattr(self, name) for name in ("area", "low", "high")}
        return {"label": list(self.classes), **numbers, "hardest": self._hardest()}


@explained
def class_skew(
    data: MulticlassScores, name: str | None = None, *, priors: Priors | None = None
) -> ClassSkew:
    """Show how the area of each class against the rest depends on the mixture of the rest.

    Parameters
    ----------
    data, name
        As for `hand_till`.
    priors : mapping of labels to float, optional
        Shares of the classes, in place of those of the data.

    Returns
    -------
    ClassSkew
        The parts of each area, and its range over all mixtures.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `one_vs_rest`.

    Warns
    -----
    UserWarning
        As `hand_till`.

    Notes
    -----
    The area of class i against the rest is the mean of A(i|j) over the other classes j, weighted by
    their shares among the rest. As the mixture changes, it moves between the least and the largest
    A(i|j), though the classifier stays the same. A wide range means that the area holds for these
    data only: report it with `priors`, or report the pairs. The range is that of the estimates,
    without their errors. O(k n log n).

    References
    ----------
    Fawcett (2006), section 9.1, on the skew of classes inside the rest; the range is our own.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> found = class_skew(multiclass_scores(y, p))
    >>> found.area, found.low, found.high
    (array([1.    , 0.8125, 0.8125]), array([1.   , 0.75 , 0.625]), array([1.   , 0.875, 1.   ]))
    """
    found = checked_scores("class_skew", data)
    p = _shares_of(found, priors)
    pair, among = pair_areas(found, name), _among_the_rest(p)
    held = p > 0
    known = np.isnan(pair)
    area = (np.where(known, 0.0, pair) * among).sum(axis=1)
    return ClassSkew(
        classes=found.classes,
        area=np.where(held, area, np.nan),
        low=np.where(held, np.where(known, np.inf, pair).min(axis=1), np.nan),
        high=np.where(held, np.where(known, -np.inf, pair).max(axis=1), np.nan),
        share=among,
        pair=pair,
    )
