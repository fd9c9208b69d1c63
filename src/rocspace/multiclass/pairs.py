"""Areas by pairs of classes: Hand and Till's, Kleiman and Page's, and the matrix of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, Card, first_rows, level_of, said
from rocspace._base.checks import two_names
from rocspace._base.frozen import Result
from rocspace._base.text import share
from rocspace.multiclass.cases import (
    MulticlassScores,
    OrderedScores,
    ScoresOfClasses,
    checked_scores,
)
from rocspace.multiclass.placements import (
    Components,
    PairPlacements,
    difference_by,
    difference_of,
    difference_placements,
    equal_weights,
    mean_of,
    ordered_placements,
    pair_areas,
    pair_components,
    pair_placements,
)
from rocspace.results.estimates import AreaEstimate, Difference

Direction: TypeAlias = Literal["order", "pairwise"]


# --- Hand and Till ----------------------------------------------------------------------------


@explained
def hand_till(
    data: MulticlassScores | OrderedScores,
    name: str | None = None,
    *,
    direction: Direction = "order",
) -> float:
    """Hand and Till's M: the mean area over all pairs of classes.

    Parameters
    ----------
    data : MulticlassScores or OrderedScores
        Scores for each class; or one score for all of them.
    name : str, optional
        The classifier; not needed where there is only one.
    direction : {"order", "pairwise"}, default "order"
        For one score of all classes. "order": the later class of each pair should have the larger
        scores. "pairwise": whichever class of a pair has the larger scores, so that the order does
        not matter. Scores for each class have one direction only.

    Returns
    -------
    float
        In [0, 1], higher is better; 1/2 for uninformative scores, such as a constant. It does
        not depend on how frequent the classes are.

    Raises
    ------
    SingleClassError
        If fewer than two classes have cases.
    TypeError, ValueError
        If the data are of another kind, the classifier is unknown or not named, or directions are
        asked for of scores for each class.

    Warns
    -----
    UserWarning
        If a class has no cases; its pairs are left out.

    Notes
    -----
    A(i|j) is the probability that a case of class i has a larger score for class i than a case of
    class j has, ties one half. M is the mean of A(i|j) over all i and j. `pairwise_areas` shows
    both columns of each pair. For two classes whose scores sum to 1 it is the usual area.

    For one score of all classes both columns give the same area. With "pairwise" it is never below
    1/2, so that M exceeds 1/2 also for an uninformative score. R's pROC chooses directions by the
    medians of the classes, which differs where an area is near 1/2. O(k n log n + k^2 n).

    References
    ----------
    Hand and Till (2001), equation 7; Fawcett (2006), section 9.2.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> round(hand_till(multiclass_scores(y, p)), 4)
    0.875
    """
    found = checked_scores("hand_till", data, direction)
    if isinstance(found, MulticlassScores):
        return mean_of(pair_areas(found, name), equal_weights(found))
    return mean_of(_placed(found, name, direction).area, equal_weights(found))


@explained
def hand_till_estimate(
    data: MulticlassScores | OrderedScores,
    name: str | None = None,
    *,
    direction: Direction = "order",
) -> AreaEstimate:
    """Hand and Till's M with its standard error.

    Parameters
    ----------
    data, name, direction
        As for `hand_till`. Directions that were chosen on these data count as given.

    Returns
    -------
    Estimate
        M with ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till`.

    Warns
    -----
    UserWarning
        As `hand_till`; also if a class has cases in fewer than five clusters.

    Notes
    -----
    The variance is that of a mean over the cases of each class, as DeLong's is for two classes: the
    contribution of a case of class i is the sum over all other classes j of the share of their
    cases that it beats in column i and the share that beat it in column j. Clusters are summed as
    Obuchowski does, with factors that make the variance free of bias also where few clusters of
    unequal size hold a class: Bell and McCaffrey's working model. The default interval is "unseen"
    (see `Estimate.interval`): it allows for one unseen case, of which each class has a part in
    proportion to 1 over its size, and at most half. So for two classes it is the interval of the
    usual area. Scores that only name a class also have score limits. With weights the numbers of
    cases are effective ones; with clusters a cluster takes the place of a case, and the degrees of
    freedom are those of the same model. With either, each limit is the farther of this one and that
    of "moderated". O(k n + n log n) time; O(n) memory for many cases.

    References
    ----------
    Hand and Till (2001), equation 7, for M; DeLong, DeLong and Clarke-Pearson (1988), section 3,
    for the components.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> estimate = hand_till_estimate(multiclass_scores(y, p))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.875 +- 0.138
    """
    found = checked_scores("hand_till_estimate", data, direction)
    return hand_till_parts(found, name, direction).estimate("hand-till")


@explained
def hand_till_difference(
    data: MulticlassScores | OrderedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    direction: Direction = "order",
) -> Difference:
    """Difference of Hand and Till's M between two classifiers of the same cases.

    Parameters
    ----------
    data : MulticlassScores or OrderedScores
        Scores of two classifiers or more.
    first, second : str, optional
        Their names; not needed where there are only two.
    direction : {"order", "pairwise"}, default "order"
        As for `hand_till`.

    Returns
    -------
    Difference
        First minus second, in [-1, 1], with ``test()`` and ``interval(level)``. Positive if the
        first is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till`; also if there are not two classifiers.

    Warns
    -----
    UserWarning
        As `hand_till_estimate`.

    Notes
    -----
    The variance comes from the differences of the contributions of each case. Interval and test
    are Student's t with the degrees of freedom of that variance. O(k n log n).

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), section 3, for paired components.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> q = [[.5, .4, .1], [.2, .4, .4], [.2, .5, .3], [.3, .4, .3], [.3, .3, .4], [.4, .1, .5]]
    >>> gain = hand_till_difference(multiclass_scores(y, {"p": p, "q": q}))
    >>> round(gain.value, 4)
    0.0833
    """
    found = checked_scores("hand_till_difference", data, direction)
    one, two = two_names("hand_till_difference", found.names, first, second, "classifier")
    parts = [hand_till_parts(found, name, direction) for name in (one, two)]
    return difference_of(parts[0], parts[1], "hand-till")


def hand_till_parts(
    data: ScoresOfClasses, name: str | None, direction: str = "order"
) -> Components:
    """Return what each case contributes to M."""
    if isinstance(data, MulticlassScores):
        return pair_components(data, name, equal_weights(data))[1]
    return _placed(data, name, direction).components(equal_weights(data))


def _placed(data: ScoresOfClasses, name: str | None, direction: str) -> PairPlacements:
    """Return the placements of the cases by a column for each class, or by one score."""
    if isinstance(data, MulticlassScores):
        return pair_placements(data, name)
    assert isinstance(data, OrderedScores)
    return ordered_placements(data, name, turn=direction == "pairwise")


# --- Kleiman and Page -------------------------------------------------------------------------


@explained
def mu_auc(data: MulticlassScores, name: str | None = None) -> float:
    """Kleiman and Page's area mu: the mean area over pairs of classes, by differences of columns.

    Parameters
    ----------
    data, name
        As for `hand_till`.

    Returns
    -------
    float
        In [0, 1], higher is better; 1/2 for uninformative scores.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till`.

    Warns
    -----
    UserWarning
        As `hand_till`.

    Notes
    -----
    For each pair i, j it is the area of the score p_i - p_j: the ranking by which the larger of the
    two columns decides between the two classes. It is 1 where the largest column is always right,
    which M need not be. O(k n log n).

    References
    ----------
    Kleiman and Page (2019), equation 6, with the partition by the largest column.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> round(mu_auc(multiclass_scores(y, p)), 4)
    0.9167
    """
    found = checked_scores("mu_auc", data)
    return mean_of(difference_placements(found, name).area, equal_weights(found))


@explained
def mu_auc_estimate(data: MulticlassScores, name: str | None = None) -> AreaEstimate:
    """Kleiman and Page's area mu with its standard error.

    Parameters
    ----------
    data, name
        As for `hand_till`.

    Returns
    -------
    Estimate
        The area with ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till`.

    Warns
    -----
    UserWarning
        As `hand_till_estimate`.

    Notes
    -----
    Variance and interval as for `hand_till_estimate`. O(k n log n).

    References
    ----------
    Kleiman and Page (2019), equation 6, for the area; DeLong, DeLong and Clarke-Pearson (1988),
    section 3, for the components.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> round(mu_auc_estimate(multiclass_scores(y, p)).se, 4)
    0.1179
    """
    found = checked_scores("mu_auc_estimate", data)
    return mu_parts(found, name).estimate("mu")


@explained
def mu_auc_difference(
    data: MulticlassScores, first: str | None = None, second: str | None = None
) -> Difference:
    """Difference of the area mu between two classifiers of the same cases.

    Parameters
    ----------
    data, first, second
        As for `hand_till_difference`.

    Returns
    -------
    Difference
        First minus second, in [-1, 1]; positive if the first is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till_difference`.

    Warns
    -----
    UserWarning
        As `hand_till_estimate`.

    Notes
    -----
    As for `hand_till_difference`.

    References
    ----------
    Kleiman and Page (2019), equation 6; DeLong, DeLong and Clarke-Pearson (1988), section 3.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> q = [[.5, .4, .1], [.2, .4, .4], [.2, .5, .3], [.3, .4, .3], [.3, .3, .4], [.4, .1, .5]]
    >>> round(mu_auc_difference(multiclass_scores(y, {"p": p, "q": q})).value, 4)
    0.1667
    """
    return difference_by("mu_auc_difference", data, first, second, mu_parts, "mu")


def mu_parts(data: MulticlassScores, name: str | None) -> Components:
    """Return what each case contributes to the area mu."""
    return difference_placements(data, name).components(equal_weights(data))


# --- pairs of classes -------------------------------------------------------------------------


class PairwiseAreas(Result):
    """The areas of all pairs of classes.

    Attributes
    ----------
    classes : tuple, length k
        The labels.
    area : ndarray of float64, shape (k, k)
        ``area[i, j]``: probability that a case of class i has a larger score for class i than a
        case of class j has, ties one half; nan on the diagonal and for classes without cases. Of
        one score: that the two cases stand in their order, or in the direction that was asked for.
    estimates : mapping of pairs of labels to Estimate
        The mean of both columns of each pair, with its interval.

    See Also
    --------
    pairwise_areas, hand_till
    """

    classes: tuple[Hashable, ...]
    area: Vector
    estimates: Mapping[tuple[Hashable, Hashable], AreaEstimate]

    _several = True

    def _about(self) -> str:
        worst = min(self.estimates, key=lambda pair: self.estimates[pair].value)
        return (
            f"{len(self.estimates)} pairs of classes; hardest to tell apart: "
            f"{worst[0]} and {worst[1]}, {share(self.estimates[worst].value)}"
        )

    def _card(self) -> Card:
        rows = sorted(self.estimates.items(), key=lambda item: item[1].value)
        shown = [(f"{i} and {j}", *said(each)) for (i, j), each in rows[:8]]
        return Card(
            rows={},
            header=("Classes", "Area", f"{level_of()} interval"),
            table=first_rows(shown, len(rows)),
        )

    def _columns(self) -> dict[str, Any]:
        """Return both columns of each pair, and their mean with its interval."""
        place = {label: i for i, label in enumerate(self.classes)}
        ends = [each.interval(LEVEL) for each in self.estimates.values()]
        return {
            "first": [i for i, _ in self.estimates],
            "second": [j for _, j in self.estimates],
            "first_column": [self.area[place[i], place[j]] for i, j in self.estimates],
            "second_column": [self.area[place[j], place[i]] for i, j in self.estimates],
            "area": [each.value for each in self.estimates.values()],
            "se": [each.se for each in self.estimates.values()],
            "low": [each.low for each in ends],
            "high": [each.high for each in ends],
        }


@explained
def pairwise_areas(
    data: MulticlassScores | OrderedScores,
    name: str | None = None,
    *,
    direction: Direction = "order",
) -> PairwiseAreas:
    """Areas of all pairs of classes, in both columns, with intervals.

    Parameters
    ----------
    data, name, direction
        As for `hand_till`.

    Returns
    -------
    PairwiseAreas
        A matrix of areas, and an estimate for each pair.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hand_till`.

    Warns
    -----
    UserWarning
        As `hand_till_estimate`.

    Notes
    -----
    The two columns of a pair differ for three classes or more; one score has one area. The
    intervals are not adjusted for the number of pairs. At level .95 they cover in 95.0 percent of
    samples or more in 54 situations (3 and 6 classes of 5 to 1,000 cases), and in 95.2 or more in
    32 with weights or clusters; with "pairwise", in 96.3 or more in 18 of one score.
    O(k n log n + k^2 n).

    References
    ----------
    Hand and Till (2001), equations 3 to 6.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> pairwise_areas(multiclass_scores(y, p)).area
    array([[  nan, 1.   , 1.   ],
           [0.75 ,   nan, 0.875],
           [1.   , 0.625,   nan]])
    """
    found = checked_scores("pairwise_areas", data, direction)
    placed = _placed(found, name, direction)
    present = [int(i) for i in np.flatnonzero(found.sizes)]
    estimates = {}
    for i in present:
        for j in present:
            if i < j:
                weights = np.zeros_like(placed.area)
                weights[i, j] = weights[j, i] = 0.5
                pair = found.classes[i], found.classes[j]
                estimates[pair] = placed.components(weights).estimate("pair of classes")
    return PairwiseAreas(classes=found.classes, area=placed.area, estimates=estimates)
