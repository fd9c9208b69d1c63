"""Volumes of classes without an order: the hypervolume under the manifold, and the PDI."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import factorial, prod
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_rng, two_names
from rocspace._base.text import count
from rocspace.multiclass.cases import MulticlassScores, need_classes
from rocspace.multiclass.placements import Components, counts_by_score, difference_of
from rocspace.multiclass.volumes import need_all_classes
from rocspace.resampling.replicates import Rng
from rocspace.results.estimates import AreaEstimate, Difference

Rule: TypeAlias = Literal["euclid", "product", "sum"]

_TIED = 1e-12  # totals that differ by less, relatively, are tied
_MOST_SETS = 10**9  # more are refused: about half a minute
_BLOCK = 1 << 17  # sets at a time, which share cases
_PAIRED = 1 << 12  # drawn sets at a time


# --- polytomous discrimination index ----------------------------------------------------------


@explained
def pdi(
    data: MulticlassScores,
    name: str | None = None,
    *,
    average: Literal["macro"] | None = "macro",
) -> float | Mapping[Hashable, float]:
    """Polytomous discrimination index: how often the right case is picked for a class.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    name : str, optional
        The classifier; not needed where there is only one.
    average : "macro" or None, default "macro"
        The mean over the classes, or the index of each class.

    Returns
    -------
    float, or mapping of labels to float
        In [0, 1], higher is better; 1 / k for uninformative scores, such as a constant.

    Raises
    ------
    SingleClassError
        If a class has no cases.
    TypeError, ValueError
        If the data are of another kind, or the classifier is unknown or not named.

    Notes
    -----
    From each set of one case of each class the case with the largest score for class i is picked;
    where m cases are tied at the top, each counts 1 / m. The index of class i is the share of the
    sets in which the picked case is of class i. O(k n log n + k^3 n).

    References
    ----------
    Van Calster et al. (2012), a paper on this alone.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> round(pdi(multiclass_scores(y, p)), 4)
    0.7708
    """
    found = _checked("pdi", data)
    each = [_column(found, name, i) for i in range(len(found.classes))]
    if average is None:
        return {label: part.mean for label, part in zip(found.classes, each, strict=True)}
    return float(np.mean([part.mean for part in each]))


@explained
def pdi_estimate(data: MulticlassScores, name: str | None = None) -> AreaEstimate:
    """Polytomous discrimination index with its standard error.

    Parameters
    ----------
    data, name
        As for `pdi`.

    Returns
    -------
    Estimate
        The mean index with ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `pdi`.

    Warns
    -----
    UserWarning
        If a class has cases in fewer than five clusters.

    Notes
    -----
    The contribution of a case is the share of the sets with it in which the right case is picked,
    over all classes; variance and interval as for `vus_estimate`. O(k n log n + k^3 n).

    References
    ----------
    Van Calster et al. (2012), a paper on this alone, for the index; DeLong, DeLong and
    Clarke-Pearson (1988), section 3, for the components.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> estimate = pdi_estimate(multiclass_scores(y, p))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.771 +- 0.246
    """
    return pdi_parts(_checked("pdi_estimate", data), name).estimate("discrimination index")


@explained
def pdi_difference(
    data: MulticlassScores, first: str | None = None, second: str | None = None
) -> Difference:
    """Difference of the polytomous discrimination index of two classifiers of the same cases.

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
        As `pdi`; also if there are not two classifiers.

    Warns
    -----
    UserWarning
        If a class has cases in fewer than five clusters.

    Notes
    -----
    The variance, interval and test are as for `hand_till_difference`. O(k n log n + k^3 n).

    References
    ----------
    Van Calster et al. (2012), a paper on this alone; DeLong, DeLong and Clarke-Pearson (1988),
    section 3.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> q = [[.5, .4, .1], [.2, .4, .4], [.2, .5, .3], [.3, .4, .3], [.3, .3, .4], [.4, .1, .5]]
    >>> round(pdi_difference(multiclass_scores(y, {"p": p, "q": q})).value, 4)
    0.0625
    """
    found = _checked("pdi_difference", data)
    one, two = two_names("pdi_difference", found.names, first, second, "classifier")
    return difference_of(pdi_parts(found, one), pdi_parts(found, two), "discrimination index")


class _Column(NamedTuple):
    """One column: its index as a mean, and for each row the share of the sets that are right.

    ``held[t, j]`` is that share of the sets in which the case of class j has the score of row t.
    """

    mean: float
    row: Ints
    held: Vector


def _column(data: MulticlassScores, name: str | None, i: int) -> _Column:
    """Read the column of class i.

    A set in which m cases are tied with the case of class i counts 1 / (m + 1), the integral of
    u^m: so the share of the sets is the integral of the product of (below + u tied) over the other
    classes, a polynomial that Gauss' rule integrates exactly.
    """
    column = data.score[:, data.classifier(name), i]
    k = len(data.classes)
    counts, row = counts_by_score(column, data.label, data.weight, k)
    shares = counts / counts.sum(axis=0)
    below = np.concatenate([np.zeros((1, k)), np.cumsum(shares, axis=0)[:-1]])
    own, held = shares[:, i], np.zeros_like(shares)
    beaten, tied = np.zeros_like(shares), np.zeros_like(shares)
    for x, w in zip(*np.polynomial.legendre.leggauss((k + 1) // 2), strict=True):
        u, part = (1 + x) / 2, w / 2
        factor = below + u * shares
        factor[:, i] = 1.0
        before, after = np.ones_like(factor), np.ones_like(factor)
        np.cumprod(factor[:, :-1], axis=1, out=before[:, 1:])
        np.cumprod(factor[:, :0:-1], axis=1, out=after[:, -2::-1])
        others = before * after * (part * own[:, None])  # without class j
        beaten += others
        tied += u * others
        held[:, i] += part * factor.prod(axis=1)
    for j in range(k):
        if j != i:
            above = np.cumsum(beaten[::-1, j])[::-1] - beaten[:, j]
            held[:, j] = above + tied[:, j]
    return _Column(mean=float((own * held[:, i]).sum()), row=row, held=held)


def pdi_parts(data: MulticlassScores, name: str | None) -> Components:
    """Return what each case contributes: the share of the sets with it that are right."""
    k = len(data.classes)
    columns = [_column(data, name, i) for i in range(k)]
    theta = float(np.mean([each.mean for each in columns]))
    value = sum((each.held[each.row, data.label] for each in columns), np.zeros(len(data))) / k
    reach = np.mean([[each.held.min(axis=0), each.held.max(axis=0)] for each in columns], axis=0)
    return Components(
        data=data,
        theta=theta,
        deviation=value - theta,
        concerned=np.ones(k, dtype=np.bool_),
        reach=reach - theta,
    )


def _checked(name: str, data: MulticlassScores) -> MulticlassScores:
    need_classes(name, data)
    need_all_classes(name, data)
    return data


# --- hypervolume under the manifold -----------------------------------------------------------


@explained
def hum(
    data: MulticlassScores,
    name: str | None = None,
    *,
    rule: Rule = "euclid",
    n_sets: int | None = None,
    rng: Rng = None,
) -> float:
    """Hypervolume under the ROC manifold: how often one case of each class gets its class.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class, used as given.
    name : str, optional
        The classifier; not needed where there is only one.
    rule : {"euclid", "product", "sum"}, default "euclid"
        How the cases of a set, one of each class, are assigned to the classes, one each. "euclid"
        takes the least sum of distances to the corners of the simplex, which are 1 for the class
        and 0 for the others; "product" and "sum" take the largest product or sum of the scores.
    n_sets : int, optional
        Number of sets to draw; by default all sets are used, if there are not too many.
    rng : numpy.random.Generator or int, optional
        Source of random sets, or its seed.

    Returns
    -------
    float
        In [0, 1], higher is better; 1 / k! for uninformative scores, such as a constant: 1/6 of
        three classes.

    Raises
    ------
    SingleClassError
        If a class has no cases.
    TypeError, ValueError
        If the data are of another kind, the classifier is unknown or not named, scores are not
        finite (or negative, for "product"), or there are more than 10^9 sets and `n_sets` is not
        given.

    Notes
    -----
    Where m assignments are tied and the right one is among them, a set counts 1 / m; totals within
    a relative 1e-12 are tied. Programs that count ties as right give 1 to a constant. Where every
    product is 0, all assignments are tied. The best assignment is found class by class over the
    sets of classes: 2^k k steps a set, but fewer where sets share cases. Of three classes with 200
    cases each it takes about a quarter of a second, 10^9 sets about half a minute.

    References
    ----------
    Mossman (1999), a paper on this alone; Dreiseitl, Ohno-Machado and Binder (2000), a paper on
    this alone, for three classes; Scurfield (1996), a paper on this alone, for more.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> round(hum(multiclass_scores(y, p)), 4)
    0.625
    """
    found = _checked("hum", data)
    return hum_parts(found, name, rule, drawn_sets(found, n_sets, rng, "hum")).theta


@explained
def hum_estimate(
    data: MulticlassScores,
    name: str | None = None,
    *,
    rule: Rule = "euclid",
    n_sets: int | None = None,
    rng: Rng = None,
) -> AreaEstimate:
    """Hypervolume under the ROC manifold with its standard error.

    Parameters
    ----------
    data, name, rule, n_sets, rng
        As for `hum`.

    Returns
    -------
    Estimate
        The volume with ``se`` and ``interval(level)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hum`.

    Warns
    -----
    UserWarning
        If a class has cases in fewer than five clusters.

    Notes
    -----
    The contribution of a case is the share of the sets with it that are right; variance and
    interval as for `vus_estimate`. Contributions from sampled sets are noisy, so that the standard
    error also contains the error of sampling sets; it counts the variance of that error k times,
    which is too much. The cost is that of `hum`.

    References
    ----------
    Dreiseitl, Ohno-Machado and Binder (2000), a paper on this alone, for the variance.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> estimate = hum_estimate(multiclass_scores(y, p))
    >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
    0.625 +- 0.415
    """
    found = _checked("hum_estimate", data)
    parts = hum_parts(found, name, rule, drawn_sets(found, n_sets, rng, "hum_estimate"))
    return parts.estimate(f"hypervolume, {rule}")


@explained
def hum_difference(
    data: MulticlassScores,
    first: str | None = None,
    second: str | None = None,
    *,
    rule: Rule = "euclid",
    n_sets: int | None = None,
    rng: Rng = None,
) -> Difference:
    """Difference of the hypervolumes of two classifiers of the same cases.

    Parameters
    ----------
    data, first, second
        As for `hand_till_difference`.
    rule, n_sets, rng
        As for `hum`; both classifiers see the same sets.

    Returns
    -------
    Difference
        First minus second, in [-1, 1]; positive if the first is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `hum`; also if there are not two classifiers.

    Warns
    -----
    UserWarning
        If a class has cases in fewer than five clusters.

    Notes
    -----
    The variance, interval and test are as for `hand_till_difference`. The cost is that of `hum` for
    each classifier.

    References
    ----------
    Dreiseitl, Ohno-Machado and Binder (2000), a paper on this alone.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> q = [[.5, .4, .1], [.2, .4, .4], [.2, .5, .3], [.3, .4, .3], [.3, .3, .4], [.4, .1, .5]]
    >>> round(hum_difference(multiclass_scores(y, {"p": p, "q": q})).value, 4)
    0.125
    """
    found = _checked("hum_difference", data)
    one, two = two_names("hum_difference", found.names, first, second, "classifier")
    sets = drawn_sets(found, n_sets, rng, "hum_difference")
    parts = [hum_parts(found, each, rule, sets) for each in (one, two)]
    return difference_of(parts[0], parts[1], f"hypervolume, {rule}")


def drawn_sets(data: MulticlassScores, n_sets: int | None, rng: Rng, name: str) -> list[list[Ints]]:
    """Return blocks of sets: for each class the places of its cases, to be crossed or paired."""
    sizes = np.bincount(data.label, minlength=len(data.classes)).tolist()
    many = prod(sizes)
    if n_sets is None:
        if many > _MOST_SETS:
            msg = (
                f"There are {count(many)} sets of one case of each class, and {name} looks at each "
                f"of up to {count(_MOST_SETS)}. Draw some of them: n_sets=100_000."
            )
            raise ValueError(msg)
        return _crossed(sizes)
    if n_sets < max(sizes) or data.weight is not None:
        why = (
            f"n_sets is {n_sets}, and a class has {max(sizes)} cases, each to be in a set"
            if data.weight is None
            else "Sets are drawn of cases without weights"
        )
        msg = f"{why}. Pass n_sets={max(10 * max(sizes), 100_000)}, or leave it out."
        raise ValueError(msg)
    source = check_rng(rng)
    drawn = []
    for size in sizes:  # each case equally often, as far as possible
        rounds = [source.permutation(size) for _ in range(-(-n_sets // size))]
        drawn.append(np.concatenate(rounds)[:n_sets])
    return [[each[at : at + _PAIRED] for each in drawn] for at in range(0, n_sets, _PAIRED)]


def _crossed(sizes: Sequence[int]) -> list[list[Ints]]:
    """Cut all sets into blocks; the places of class i lie along axis i."""
    room, pieces = _BLOCK, []
    for size in reversed(sizes):
        step = max(1, min(size, room))
        room = max(1, room // step)
        places = np.arange(size)
        pieces.append([places[at : at + step] for at in range(0, size, step)])
    k = len(sizes)
    shapes = [[-1 if axis == i else 1 for axis in range(k)] for i in range(k)]
    return [
        [places.reshape(shape) for places, shape in zip(block, shapes, strict=True)]
        for block in product(*pieces[::-1])
    ]


def hum_parts(
    data: MulticlassScores, name: str | None, rule: str, sets: Sequence[Sequence[Ints]]
) -> Components:
    """Return what each case contributes: the share of the sets with it that are right."""
    k = len(data.classes)
    rows = [np.flatnonzero(data.label == i) for i in range(k)]
    fits = _fits(data.score[:, data.classifier(name)], rule)
    combine = np.multiply if rule == "product" else np.add
    own = [[fits[mine, j] for j in range(k)] for mine in rows]
    weight = [data.case_weight[mine] for mine in rows]
    right = [np.zeros(mine.size) for mine in rows]
    seen = [np.zeros(mine.size) for mine in rows]
    for block in sets:
        crossed = block[0].ndim > 1
        won = _credit(
            [[fit[at] for fit in fit_of] for fit_of, at in zip(own, block, strict=True)], combine
        )
        if data.weight is not None:
            won = reduce(np.multiply, (w[at] for w, at in zip(weight, block, strict=True)), won)
        for i, at in enumerate(block):
            if crossed:
                right[i][at.ravel()] += won.sum(axis=tuple(a for a in range(k) if a != i))
            else:
                right[i] += np.bincount(at, won, right[i].size)
                seen[i] += np.bincount(at, minlength=seen[i].size)
    if crossed:
        totals = [w.sum() for w in weight]
        seen = [w * prod(totals) / total for w, total in zip(weight, totals, strict=True)]
    value = np.empty(len(data))
    for mine, part, times in zip(rows, right, seen, strict=True):
        value[mine] = part / times
    theta = float(right[0].sum() / seen[0].sum())
    return Components(
        data=data,
        theta=theta,
        deviation=value - theta,
        concerned=np.ones(k, dtype=np.bool_),
        reach=np.array([[-theta] * k, [1 - theta] * k]),
    )


def _fits(score: Array, rule: str) -> Vector:
    """Return how well each case fits each class: larger is better."""
    p = score.astype(np.float64)
    if not np.isfinite(p).all() or (rule == "product" and p.min() < 0):
        what = "scores of zero or more" if rule == "product" else "finite scores"
        msg = f"Rule {rule!r} needs {what}. Turn scores into probabilities first."
        raise ValueError(msg)
    if rule != "euclid":
        return p
    gaps = p[:, None, :] - np.eye(p.shape[1])
    return np.asarray(-np.sqrt((gaps * gaps).sum(axis=2)))


def _credit(fit: Sequence[Sequence[Vector]], combine: np.ufunc) -> Vector:
    """Return for each set of cases 1 / m if its right assignment is one of the m best, else 0.

    ``fit[c][j]`` says how case c fits class j. The best total for the first cases and a set of
    classes, and how many assignments have it, grow by one class at a time.
    """
    k = len(fit)
    best: dict[int, Any] = {0: np.array(1.0 if combine is np.multiply else 0.0)}
    many: dict[int, Any] = {0: np.array(1.0)}
    for case in range(k):
        grown: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        for classes in (c for c in range(1 << k) if c.bit_count() == case + 1):
            ways = [
                (combine(best[rest], fit[case][j]), many[rest])
                for j in range(k)
                if classes >> j & 1
                for rest in [classes ^ (1 << j)]
            ]
            top = reduce(np.maximum, [total for total, _ in ways])
            least = top - _TIED * np.abs(top)
            grown[0][classes] = top
            grown[1][classes] = sum(n * (total >= least) for total, n in ways)
        best, many = grown
    top, ties = best[(1 << k) - 1], many[(1 << k) - 1]
    right = reduce(combine, [fit[j][j] for j in range(k)])
    if combine is np.multiply:
        ties = np.where(top == 0, factorial(k), ties)
    return np.asarray((right >= top - _TIED * np.abs(top)) / ties)
