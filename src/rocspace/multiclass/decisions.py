"""Decisions among several classes: by the largest weighted score, or by the least expected cost."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import as_numbers, check_choice, check_rng, check_times
from rocspace._base.frozen import Result, own
from rocspace._base.text import count, general
from rocspace._base.words import listed_values
from rocspace.counts.weights import effective_size
from rocspace.inference.rates import rate_interval
from rocspace.multiclass.cases import MulticlassScores, in_order, need_classes
from rocspace.multiclass.costs import (
    ClassCostsLike,
    ClassRates,
    CostMatrix,
    Priors,
    as_shares,
    cost_matrix,
    counted_rates,
)
from rocspace.multiclass.volumes import need_all_classes
from rocspace.multiclass.weights import Method, least_cost
from rocspace.results.estimates import Estimate
from rocspace.results.interval import Interval
from rocspace.results.proportions import added_distances

Rule: TypeAlias = Literal["largest", "expected cost"]
ClassWeightLike: TypeAlias = ArrayLike | Priors


class Paid(NamedTuple):
    """How often a price is paid above the least one: its share of the mean, the cases, of all."""

    price: float
    times: float
    of: float


class _CostEstimate(Estimate):
    """A mean cost; the default interval adds the squares of exact limits of each price's rate."""

    paid: tuple[Paid, ...] = field(default=(), repr=False)
    clustered: bool = field(default=False, repr=False)

    def _own_interval(self, level: float) -> Interval | None:
        if not self.paid:
            return None
        rates = [
            (each.price, each.times / each.of, *rate_interval(each.times, each.of, level=level))
            for each in self.paid
        ]
        down, up = map(float, added_distances(rates))
        low, high = self.value - down, self.value + up
        if self.clustered:  # limits of cases alone are too near
            of_clusters = self.interval(level, scale="moderated")
            low, high = min(low, of_clusters.low), max(high, of_clusters.high)
        return Interval(
            low=max(low, self.range[0]),
            high=min(high, self.range[1]),
            level=level,
            method=f"{self.method}, exact limits, squares added",
        )


class ClassDecisions(Result):
    """What decisions among classes do, and what they cost.

    Attributes
    ----------
    name : str
        The classifier.
    rule : {"largest", "expected cost"}
        What decides: the largest weighted score, or the least cost that weighted scores expect.
    class_weight : ndarray of float64, shape (k,)
        Weights of the classes, which sum to 1.
    counts : ndarray, shape (k, k)
        ``counts[i, j]``: cases of class i that are called j, or the sum of their weights.
    costs : CostMatrix
        What calls cost.
    shares : ndarray of float64, shape (k,)
        Shares of the classes by which costs are weighted.
    cost : float
        Expected cost per case.
    method : {"given", "exact", "search"}
        Where the weights are from. "exact": no weights have a smaller cost on these cases.
        "search": no other weight of one class has; nor, up to 2,000 cases, of two classes.

    See Also
    --------
    best_class_weights, decide_classes
    """

    name: str
    rule: str
    class_weight: Vector
    counts: Array
    costs: CostMatrix
    shares: Vector
    cost: float
    method: str
    _se: float = float("nan")
    _df: float = float("inf")
    _paid: tuple[Paid, ...] = ()
    _clustered: bool = False

    def _about(self) -> str:
        words = ", ".join(
            f"{c} {general(w)}" for c, w in zip(self.classes, self.class_weight, strict=True)
        )
        return f"cost {general(self.cost)} by {self.rule}; weights {words}"

    def _columns(self) -> dict[str, Any]:
        k = len(self.classes)
        cells = {"true": [c for c in self.classes for _ in range(k)], "called": [*self.classes] * k}
        rate = self.rates.rate[0].ravel()
        paid = self.costs.cost.T.ravel()
        return {**cells, "counts": self.counts.ravel(), "rate": rate, "cost": paid}

    def _card(self) -> Card:
        rows = {
            "Rule": f"{self.rule}, {self.method} weights",
            "Weights": ", ".join(
                f"{c} {general(w)}" for c, w in zip(self.classes, self.class_weight, strict=True)
            ),
            "Cost per case": general(self.cost),
        }
        table = [
            [str(c), *map(count, row)] for c, row in zip(self.classes, self.counts, strict=True)
        ]
        return Card(rows=rows, header=["Cases of, called", *map(str, self.classes)], table=table)

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels of the classes."""
        return self.costs.classes

    @property
    def rates(self) -> ClassRates:
        """The rates of these decisions, a point of the space of errors."""
        return counted_rates({self.name: self.counts}, self.classes)

    def cost_estimate(self) -> Estimate:
        """Return the expected cost per case with its standard error.

        Returns
        -------
        Estimate
            Within the least and the greatest cost of a call. Its interval holds for decisions that
            were fixed before the cases were seen; for chosen weights see `class_weights_bootstrap`.

        Notes
        -----
        The mean of the costs of the cases of each class, weighted by the shares: with given
        shares the variances of these means are added; with the shares of the data it is a mean
        over all cases, whose variance includes that of the shares. Cases in clusters are summed
        by cluster.

        The default interval is made of Clopper and Pearson's limits of how often each price is
        paid, in each class or, with the shares of the data, in all; their squared distances are
        added. Of clusters it reaches at least as far as "moderated", the interval of the standard
        error, which is also that of weighted cases.

        References
        ----------
        Zou and Donner (2008), a paper on this alone.

        Examples
        --------
        >>> from rocspace.multiclass import decide_classes, multiclass_scores
        >>> y = [0, 0, 1, 1, 2, 2]
        >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
        >>> estimate = decide_classes(multiclass_scores(y, p)).cost_estimate()
        >>> print(f"{estimate.value:.3f} +- {estimate.se:.3f}")
        0.333 +- 0.211
        """
        low, high = float(self.costs.cost.min()), float(self.costs.cost.max())
        return _CostEstimate(
            value=self.cost,
            se=self._se,
            method=self.rule,
            range=(low, high),
            df=self._df,
            paid=self._paid,
            clustered=self._clustered,
        )

    def classify(self, scores: ArrayLike | MulticlassScores) -> Array:
        """Call each of other cases a class, by the same rule and weights.

        Parameters
        ----------
        scores : MulticlassScores, array-like of shape (n, k), mapping or data frame
            A column for each class, in the order of ``classes`` or named by class.

        Returns
        -------
        ndarray, shape (n,)
            Labels. Of classes that are tied, the first.

        Raises
        ------
        ValueError
            If the columns do not fit the classes, or a score is negative or not finite.

        Examples
        --------
        >>> from rocspace.multiclass import decide_classes, multiclass_scores
        >>> y, p = ["a", "b", "c"], [[.8, .1, .1], [.3, .6, .1], [.2, .2, .6]]
        >>> decided = decide_classes(multiclass_scores(y, p), class_weight=[1, 1, 4])
        >>> decided.classify([[.5, .4, .1], [.4, .4, .2]]).tolist()
        ['a', 'c']
        """
        if isinstance(scores, MulticlassScores):
            block: Any = dict(zip(scores.classes, self._own(scores).T, strict=True))
        else:
            block = scores
        columns = [np.asarray(each) for each in in_order(block, self.classes, "scores")]
        score = _checked_scores(np.stack(columns, axis=1), "classify")
        at = called_by(score, self.class_weight, prices_of(self.rule, self.costs))
        labels = np.empty(len(self.classes), dtype=object)
        labels[:] = self.classes
        return np.array(labels[at].tolist())

    def _own(self, data: MulticlassScores) -> Array:
        name = self.name if self.name in data.names else None
        return data.score[:, data.classifier(name)]


@explained
def decide_classes(
    data: MulticlassScores,
    name: str | None = None,
    *,
    costs: ClassCostsLike | None = None,
    priors: Priors | None = None,
    class_weight: ClassWeightLike | None = None,
    rule: Rule = "largest",
) -> ClassDecisions:
    """Call each case a class by its scores, and count what that costs.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class, zero or more.
    name : str, optional
        The classifier; not needed where there is only one.
    costs : CostMatrix, array-like of shape (k, k), or mapping, optional
        ``costs[i, j]``: cost of predicting class i for a case of class j, as for `cost_matrix`;
        by default each error costs 1.
    priors : mapping of labels to float, optional
        Shares of the classes where decisions will be used; by default those of the data.
    class_weight : array-like of shape (k,), or mapping of labels to float, optional
        Positive factors of the scores of each class; by default all are equal.
    rule : {"largest", "expected cost"}, default "largest"
        "largest": the class with the largest weighted score. "expected cost": the class whose cost
        is least if weighted scores are proportional to the probabilities of the classes.

    Returns
    -------
    ClassDecisions
        Confusion matrix and expected cost, with ``classify`` for other cases.

    Raises
    ------
    SingleClassError
        If a class has no cases.
    TypeError, ValueError
        If the data are of another kind, a score is negative or not finite, or costs, priors or
        weights do not fit the classes.

    Notes
    -----
    Only "expected cost" uses the costs to decide: it is optimal for probabilities that are right,
    and `best_class_weights` for any scores, on the cases that chose them. To use probabilities
    among other shares of the classes, weight them by the new share over the old. O(n k).

    References
    ----------
    Domingos (1999), section 2, for the expected cost; Lachiche and Flach (2003), a paper on this
    alone, for weights of classes.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> costs = {"a": {"b": 1, "c": 4}, "b": {"a": 1, "c": 4}, "c": {"a": 1, "b": 1}}
    >>> decided = decide_classes(multiclass_scores(y, p), costs=costs, rule="expected cost")
    >>> decided.counts, round(decided.cost, 3)
    (array([[1, 1, 0],
           [0, 0, 2],
           [0, 0, 2]]), 0.5)
    """
    found, score = _checked("decide_classes", data, name)
    weight = _as_weight(class_weight, found)
    return _decided(
        found, name, score, weight, cost_matrix(costs, found.classes), priors, rule, "given"
    )


@explained
def best_class_weights(
    data: MulticlassScores,
    name: str | None = None,
    *,
    costs: ClassCostsLike | None = None,
    priors: Priors | None = None,
    rule: Rule = "largest",
    method: Method | None = None,
    n_starts: int = 20,
    rng: np.random.Generator | int | None = 0,
) -> ClassDecisions:
    """Find the weights of classes whose decisions cost least, as a threshold does for two classes.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class, zero or more, of cases that did not train the classifier.
    name : str, optional
        The classifier; not needed where there is only one.
    costs : CostMatrix, array-like of shape (k, k), or mapping, optional
        ``costs[i, j]``: cost of predicting class i for a case of class j, as for `cost_matrix`;
        by default each error costs 1.
    priors : mapping of labels to float, optional
        Shares of the classes where decisions will be used; by default those of the data.
    rule : {"largest", "expected cost"}, default "largest"
        What the weights serve, as for `decide_classes`. "expected cost" also weighs which error is
        made: it suits probabilities that are right but for the shares of the classes.
    method : {"exact", "search"}, optional
        "exact" looks at every decision that weights can make, of two classes, or of three with up
        to 10,000 distinct cases. "search" improves one weight after another, and with up to 2,000
        cases also pairs of weights, from several starts. By default exact where that is possible;
        by expected cost only for two classes.
    n_starts : int, default 20
        Starts of a search: equal weights, and random ones.
    rng : numpy.random.Generator or int, optional
        Source of random starts, or its seed.

    Returns
    -------
    ClassDecisions
        The weights, the confusion matrix and the cost on these cases, which is optimistic:
        `class_weights_bootstrap` says by how much. Where several weights are best, they are
        approximately those nearest to equal weights, in the middle between cases.

    Raises
    ------
    SingleClassError
        If a class has no cases.
    TypeError, ValueError
        If the data are of another kind, a score is negative or not finite, costs or priors do not
        fit the classes, or an exact search is asked for and there are too many classes or cases.

    Notes
    -----
    A case is called the class with the largest product of weight and score. On the scale of
    logarithms the weights of three classes are a point of a plane, and each case divides the plane
    into three parts, by half-lines that have the same three directions for all cases. The cost is
    constant in each cell of this arrangement; a sweep over one coordinate visits all cells with
    running sums, O(n^2), about a second for 5,000 cases. Along one weight, all others fixed, the
    best place is found by one sort, O(n log n). By expected cost the cost of each call is a line in
    each weight, and a case changes its call along the lowest of these lines, so that one sort is
    enough, too.

    References
    ----------
    Lachiche and Flach (2003), a paper on this alone, for weights of classes and one after another;
    the sweep of the plane is our own.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> best = best_class_weights(multiclass_scores(y, p))
    >>> best.counts, best.method
    (array([[2, 0, 0],
           [0, 1, 1],
           [0, 0, 2]]), 'exact')
    """
    check_times("n_starts", n_starts)
    found, score = _checked("best_class_weights", data, name)
    paid = cost_matrix(costs, found.classes)
    check_choice("rule", rule, Rule)
    prices = prices_of(rule, paid)
    if prices is not None and method == "exact" and len(found.classes) > 2:
        msg = (
            "An exact search by expected cost is for two classes; these are "
            f'{len(found.classes)}. Pass method="search", or rule="largest".'
        )
        raise ValueError(msg)
    how: dict[str, Any] = {"method": method, "n_starts": n_starts, "rng": check_rng(rng)}
    shift = least_cost(score, per_case(found, paid, priors), **how, prices=prices)
    weight = weights_of(shift.shift)
    return _decided(found, name, score, weight, paid, priors, rule, shift.method)


@explained
def decided_rates(
    data: MulticlassScores,
    *,
    costs: ClassCostsLike | None = None,
    class_weight: ClassWeightLike | None = None,
    rule: Rule = "largest",
) -> ClassRates:
    """Return the rates of all classifiers, as they decide by their scores.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class, zero or more.
    costs, class_weight, rule
        As for `decide_classes`.

    Returns
    -------
    ClassRates
        The points of the classifiers in the space of the k (k - 1) errors.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `decide_classes`.

    References
    ----------
    Fawcett (2006), section 9.1, for the space of errors.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> decided_rates(multiclass_scores(y, p)).error
    array([[0.5, 0. , 0. , 0.5, 0. , 0. ]])
    """
    need_classes("decided_rates", data)
    options: dict[str, Any] = {"costs": costs, "class_weight": class_weight, "rule": rule}
    return counted_rates(
        {name: decide_classes(data, name, **options).counts for name in data.names}, data.classes
    )


# --- counting ---------------------------------------------------------------------------------


def _checked(
    function: str, data: MulticlassScores, name: str | None
) -> tuple[MulticlassScores, Vector]:
    need_classes(function, data)
    need_all_classes(function, data)
    return data, _checked_scores(data.score[:, data.classifier(name)], function)


def _checked_scores(score: Array, function: str) -> Vector:
    """Return scores as float64; refuse negative ones, and cases without a positive one."""
    found = as_numbers("score", score)
    wrong = np.flatnonzero(
        ~(np.isfinite(found).all(axis=1) & (found >= 0).all(axis=1) & found.any(axis=1))
    )
    if wrong.size:
        msg = (
            f"{function} weights scores of zero or more, of which each case has a positive one; "
            f"those of case {wrong[0]} are {found[wrong[0]].tolist()}. Turn scores into "
            "probabilities first, as by exp(score), or by calibration."
        )
        raise ValueError(msg)
    return found


def _as_weight(class_weight: ClassWeightLike | None, data: MulticlassScores) -> Vector:
    """Return given weights of the classes, which then sum to 1."""
    k, given = len(data.classes), class_weight
    if given is None:
        return np.full(k, 1 / k)
    if hasattr(given, "keys"):
        return as_shares(given, data.classes, np.zeros(0))
    found = as_numbers("class_weight", given)
    if found.shape != (k,) or not (np.isfinite(found) & (found > 0)).all():
        msg = (
            f"class_weight is {given!r}. Give {k} positive numbers, for "
            f"{listed_values(data.classes)}."
        )
        raise ValueError(msg)
    return np.asarray(found / found.sum())


def weights_of(shift: Vector) -> Vector:
    """Return weights that sum to 1 from their logarithms."""
    weight = np.exp(shift - shift.max())
    return np.asarray(weight / weight.sum())


def per_case(data: MulticlassScores, paid: CostMatrix, priors: Priors | None) -> Vector:
    """Return what each call of each case costs, scaled so that sums are expected costs per case."""
    sizes = data.sizes
    part = as_shares(priors, data.classes, sizes / sizes.sum()) / sizes
    weight = part[data.label] * data.case_weight
    return np.asarray(paid.cost.T[data.label] * weight[:, None])


def prices_of(rule: str, paid: CostMatrix) -> Vector | None:
    """Return what each call costs more than the right one, if expected costs decide."""
    return np.asarray(paid.cost - np.diag(paid.cost)) if rule == "expected cost" else None


def called_by(score: Vector, weight: Vector, prices: Vector | None = None) -> Ints:
    """Return the place of the class that each case is called; with prices by what they expect."""
    # The largest weight is 1 exactly, so that equal weights leave the scores as they are.
    weighted = score * (weight / weight.max())
    if prices is None:
        return np.asarray(weighted.argmax(axis=1))
    return np.asarray((weighted @ prices.T).argmin(axis=1))


def _decided(
    data: MulticlassScores,
    name: str | None,
    score: Vector,
    weight: Vector,
    paid: CostMatrix,
    priors: Priors | None,
    rule: str,
    method: str,
) -> ClassDecisions:
    """Count the decisions of given weights."""
    k = len(data.classes)
    called = called_by(score, weight, prices_of(rule, paid))
    counts = np.bincount(data.label * k + called, data.weight, k * k).reshape(k, k)
    shares = as_shares(priors, data.classes, data.sizes / data.sizes.sum())
    each = paid.cost[called, data.label]
    rate = counts / counts.sum(axis=1, keepdims=True)
    cost = float(np.einsum("i,ij,ji->", shares, rate, paid.cost))
    variance, df = _variance(data, each, shares, cost, given=priors is not None)
    return ClassDecisions(
        name=data.names[data.classifier(name)],
        rule=rule,
        class_weight=own(weight),
        counts=own(counts),
        costs=paid,
        shares=own(shares),
        cost=cost,
        method=method,
        _se=float(np.sqrt(variance)),
        _df=df,
        _paid=() if data.weight is not None else _paid(counts, paid, shares, priors is not None),
        _clustered=data.cluster is not None,
    )


def _paid(counts: Array, paid: CostMatrix, shares: Vector, given: bool) -> tuple[Paid, ...]:
    """Return how often each price is paid: in each class of given shares, else in all cases."""
    sizes = counts.sum(axis=1) if given else np.full(shares.size, counts.sum())
    weight = shares if given else np.ones(shares.size)
    prices = paid.cost.T - (paid.cost.min(axis=0)[:, None] if given else paid.cost.min())
    found = []
    for rows in [[i] for i in range(shares.size)] if given else [[*range(shares.size)]]:
        for price in np.unique(prices[rows]):
            times = counts[rows][prices[rows] == price].sum()
            if price > 0:
                at = rows[0]
                found.append(Paid(float(weight[at] * price), float(times), float(sizes[at])))
    return tuple(found)


def _variance(
    data: MulticlassScores, each: Vector, shares: Vector, cost: float, *, given: bool
) -> tuple[float, float]:
    """Return the variance of the mean cost, and its degrees of freedom."""
    w, label = data.case_weight, data.label
    if given:
        mean = np.bincount(label, w * each, shares.size) / data.sizes
        part = (shares / data.sizes)[label] * w * (each - mean[label])
    else:
        part = w * (each - cost) / w.sum()
    if data.cluster is not None:
        number = np.unique(data.cluster, return_inverse=True)[1]
        part = np.asarray(np.bincount(number, part), dtype=np.float64)
        many = float(part.size)
    elif given:
        factor = np.array([effective_size(w[label == i]) for i in range(shares.size)])
        with np.errstate(divide="ignore", invalid="ignore"):  # nan for a class of one case
            part = part * np.sqrt(factor / (factor - 1))[label]
        return float((part**2).sum()), float(factor.sum() - shares.size)
    else:
        many = effective_size(w)
    return float((part**2).sum()) * many / max(many - 1, 1.0), max(many - 1, 1.0)
