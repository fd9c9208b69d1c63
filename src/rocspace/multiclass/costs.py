"""Costs of several classes: what each wrong call costs, and which classifier is cheapest."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Mask, Vector, as_vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows
from rocspace._base.cases import check_lengths, check_weights, complete
from rocspace._base.checks import check_one_fraction
from rocspace._base.frozen import Result, own
from rocspace._base.text import general, share
from rocspace._base.words import counted, distinct_values, listed_values, nearest, shown
from rocspace.counts.table import SingleClassError
from rocspace.multiclass.cases import checked_classes, places_of
from rocspace.results.curve import plain

_SUM = 1e-9  # rates may miss 1 by as much
_SAME = 1e-12  # costs that differ by less, relatively, are tied
_READ = "costs[i, j] is the cost of predicting class i for a case of class j"

Priors: TypeAlias = Mapping[Any, float]


# --- cost matrices ----------------------------------------------------------------------------


class CostMatrix(Result):
    """What each call costs, right or wrong, in any unit; a gain is a negative cost.

    Attributes
    ----------
    classes : tuple, length k
        The labels of the classes.
    cost : ndarray of float64, shape (k, k)
        ``cost[i, j]``: cost of predicting class i for a case of class j.

    Raises
    ------
    ValueError
        If a cost is not finite, an error costs less than a correct call of the same class, or no
        error costs more than a correct call.

    See Also
    --------
    cost_matrix
    """

    classes: tuple[Hashable, ...]
    cost: Vector

    def __post_init__(self) -> None:
        self.__dict__["cost"] = cost = np.array(self.cost, dtype=np.float64)
        k = len(self.classes)
        if cost.shape != (k, k):
            msg = (
                f"costs has shape {cost.shape}, and there are {k} classes: "
                f"{listed_values(self.classes)}. Give {k} rows of {k} numbers; {_READ}."
            )
            raise ValueError(msg)
        if not np.isfinite(cost).all():
            i, j = np.argwhere(~np.isfinite(cost))[0]
            msg = f"{self._call(i, j)} costs {cost[i, j]}, but costs are finite numbers."
            raise ValueError(msg)
        right = np.diag(cost)
        if (cost < right).any():
            i, j = np.argwhere(cost < right)[0]
            msg = (
                f"{self._call(i, j)} costs {general(cost[i, j])}, and calling it right "
                f"{general(right[j])}: an error must not cost less than a correct call. Change the "
                f"costs; {_READ}."
            )
            raise ValueError(msg)
        if (cost == right).all():
            msg = (
                "No error costs more than a correct call, so all decisions cost the same. Give at "
                "least one error a higher cost."
            )
            raise ValueError(msg)
        super().__post_init__()

    def _call(self, i: int, j: int) -> str:
        return f"Calling a case of {self.classes[j]!r} {self.classes[i]!r}"

    def _about(self) -> str:
        return f"{len(self.classes)} classes, {general(self.cost.min())} to " + general(
            self.cost.max()
        )

    def _columns(self) -> dict[str, Any]:
        return {**_crossed(self.classes, "called", "true"), "cost": self.cost.ravel()}

    def _card(self) -> Card:
        rows = [
            [str(c), *map(general, row)] for c, row in zip(self.classes, self.cost, strict=True)
        ]
        k = str(len(self.classes))
        header = ["Called, of a case of", *map(str, self.classes)]
        return Card(rows={"Classes": k}, header=header, table=first_rows(rows, len(rows)))


def _crossed(classes: Sequence[Hashable], outer: str, inner: str) -> dict[str, list[Any]]:
    """Return two columns that name the cells of a matrix, row after row."""
    k = len(classes)
    return {outer: [c for c in classes for _ in range(k)], inner: list(classes) * k}


ClassCostsLike: TypeAlias = CostMatrix | ArrayLike | Mapping[Any, Mapping[Any, float]]
"""A `CostMatrix`, k rows of k numbers, or a mapping of calls to mappings of true classes."""


@explained
def cost_matrix(costs: ClassCostsLike | None, classes: Sequence[Hashable]) -> CostMatrix:
    """Check what each call costs, and name it by class.

    Parameters
    ----------
    costs : CostMatrix, array-like of shape (k, k), or mapping, optional
        ``costs[i, j]``: cost of predicting class i for a case of class j, in the order of
        `classes`. A mapping names both, in any order: ``costs[called][true]``; a correct call that
        it leaves out costs 0. By default each error costs 1.
    classes : sequence
        The labels of the classes.

    Returns
    -------
    CostMatrix
        The costs in the order of `classes`.

    Raises
    ------
    ValueError
        If the shape does not fit, a class is unknown or left out, a cost is not finite, an error
        costs less than a correct call of the same class, or no error costs more.

    Notes
    -----
    Correct calls may cost something (a treatment), and gains are negative costs. Decisions depend
    only on how much more an error costs than a correct call of the same class.

    References
    ----------
    Domingos (1999), section 2, for the matrix; Fawcett (2006), section 9.1, for k classes.

    Examples
    --------
    >>> named = {"ill": {"well": 1}, "well": {"ill": 20}}
    >>> cost_matrix(named, ["well", "ill"]).cost
    array([[ 0., 20.],
           [ 1.,  0.]])
    """
    known = checked_classes(classes)
    k = len(known)
    if costs is None:
        return CostMatrix(classes=known, cost=1.0 - np.eye(k))
    if isinstance(costs, CostMatrix):
        if costs.classes == known:
            return costs
        rows: Any = dict(zip(costs.classes, costs.cost, strict=True))
        costs = {c: dict(zip(costs.classes, row, strict=True)) for c, row in rows.items()}
    if isinstance(costs, Mapping):
        return CostMatrix(classes=known, cost=_named(costs, known))
    try:
        found = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"costs are {costs!r}, not numbers. Give {k} rows of {k} numbers; {_READ}."
        raise ValueError(msg) from None
    return CostMatrix(classes=known, cost=found)


def _named(costs: Mapping[Any, Any], classes: tuple[Hashable, ...]) -> Vector:
    """Return the costs of a mapping of calls to mappings of true classes."""
    found = np.full((len(classes), len(classes)), np.nan)
    np.fill_diagonal(found, 0.0)
    for called, row in costs.items():
        i = _known(called, classes, "a row for")
        if not isinstance(row, Mapping):
            msg = f"costs[{called!r}] is {row!r}. Name the true classes: costs[called][true]."
            raise ValueError(msg)
        for true, cost in row.items():
            j = _known(true, classes, "a column for")
            value = checks.as_numbers(name := f"costs[{called!r}][{true!r}]", cost)
            if value.ndim:
                msg = f"{name} is {shown(cost)}, but must be one number."
                raise ValueError(msg)
            found[i, j] = value
    if np.isnan(found).any():
        i, j = np.argwhere(np.isnan(found))[0]
        msg = (
            f"costs lacks the cost of calling a case of {classes[j]!r} {classes[i]!r}. Give all "
            "errors; correct calls cost 0 if they are left out."
        )
        raise ValueError(msg)
    return found


def _known(label: Any, classes: tuple[Hashable, ...], what: str) -> int:
    """Return the place of a class, also where its name is given as text."""
    if label in classes:
        return classes.index(label)
    spelled = [str(each) for each in classes]
    if str(label) not in spelled:
        msg = (
            f"costs has {what} {label!r}, which is none of the classes {listed_values(classes)}."
            f"{nearest(str(label), spelled)}"
        )
        raise ValueError(msg)
    return spelled.index(str(label))


def as_shares(priors: Priors | None, classes: Sequence[Hashable], own_shares: Vector) -> Vector:
    """Return the shares of the classes: those given, or those of the data."""
    if priors is None:
        return own_shares
    if not isinstance(priors, Mapping) or set(priors) != set(classes):
        msg = f"priors is {priors!r}. Give the share of each of {listed_values(list(classes))}."
        raise ValueError(msg)
    found = np.array([priors[each] for each in classes], dtype=np.float64)
    if not (np.isfinite(found).all() and (found >= 0).all() and found.sum() > 0):
        msg = f"priors is {dict(priors)!r}. Give numbers of zero or more, not all of them zero."
        raise ValueError(msg)
    return np.asarray(found / found.sum())


# --- error space ------------------------------------------------------------------------------


class ClassRates(Result):
    """How often classifiers call each class by each name: points of the space of errors.

    Attributes
    ----------
    classes : tuple, length k
        The labels of the classes.
    names : tuple of str, length m
        One name for each classifier.
    rate : ndarray of float64, shape (m, k, k)
        ``rate[a, i, j]``: share of the cases of class i that classifier a calls j; rows sum to 1.
    shares : ndarray of float64, shape (k,)
        Shares of the classes, which weight their costs by default.

    Raises
    ------
    ValueError
        If shapes do not fit, a rate is not in [0, 1], or rates do not sum to 1.

    See Also
    --------
    class_rates, counted_rates
    """

    classes: tuple[Hashable, ...]
    names: tuple[str, ...]
    rate: Vector
    shares: Vector

    def __post_init__(self) -> None:
        rate = np.array(self.rate, dtype=np.float64)
        m, k = len(self.names), len(self.classes)
        if rate.shape != (m, k, k) or np.shape(self.shares) != (k,):
            msg = (
                f"rate has shape {rate.shape} and shares {np.shape(self.shares)}; {m} classifiers "
                f"of {k} classes have {(m, k, k)} and {(k,)}."
            )
            raise ValueError(msg)
        checks.check_fraction("rate", rate.ravel())
        wrong = np.argwhere(~(np.abs(rate.sum(axis=2) - 1) <= _SUM))
        if wrong.size:
            a, i = wrong[0]
            msg = (
                f"The rates of {self.names[a]!r} for cases of {self.classes[i]!r} are "
                f"{rate[a, i].tolist()}, which do not sum to 1. Counts: see counted_rates."
            )
            raise ValueError(msg)
        self.__dict__["rate"] = rate
        super().__post_init__()

    def __len__(self) -> int:
        """Return the number of classifiers."""
        return len(self.names)

    def _about(self) -> str:
        return f"{counted(len(self), 'classifier')} of {len(self.classes)} classes"

    def _columns(self) -> dict[str, Any]:
        m, k = len(self), len(self.classes)
        cells = _crossed(self.classes, "true", "called")
        who = [name for name in self.names for _ in range(k * k)]
        return {
            "classifier": who,
            **{c: v * m for c, v in cells.items()},
            "rate": self.rate.ravel(),
        }

    def _card(self) -> Card:
        right = np.einsum("aii->ai", self.rate)
        rows = [[n, *map(share, each)] for n, each in zip(self.names, right.tolist(), strict=True)]
        header = ["Correct rates", *map(str, self.classes)]
        table = first_rows(rows[:8], len(rows))
        return Card(rows={"Classes": str(len(self.classes))}, header=header, table=table)

    @property
    def error(self) -> Vector:
        """The k (k - 1) error rates of each classifier: class after class, calls in order."""
        k = len(self.classes)
        return np.asarray(self.rate[:, ~np.eye(k, dtype=np.bool_)])

    def expected(
        self, costs: ClassCostsLike | None = None, *, priors: Priors | None = None
    ) -> Vector:
        """Return the expected cost per case of each classifier.

        Parameters
        ----------
        costs : CostMatrix, array-like of shape (k, k), or mapping, optional
            As for `cost_matrix`; by default each error costs 1.
        priors : mapping of labels to float, optional
            Shares of the classes where the classifiers will be used; by default ``shares``.

        Returns
        -------
        ndarray of float64, shape (m,)
            Sum over classes and calls of share, rate and cost.

        Raises
        ------
        ValueError
            If costs or priors do not fit the classes.

        Examples
        --------
        >>> from rocspace.multiclass import class_rates
        >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
        >>> rates.expected([[0, 10], [1, 0]])
        array([0.25, 2.5 ])
        """
        paid = cost_matrix(costs, self.classes).cost
        p = as_shares(priors, self.classes, self.shares)
        return np.asarray(np.einsum("i,aij,ji->a", p, self.rate, paid))

    def best(
        self, costs: ClassCostsLike | None = None, *, priors: Priors | None = None
    ) -> tuple[str, ...]:
        """Return the classifiers with the least expected cost: one, or all that tie.

        Parameters
        ----------
        costs, priors
            As for `expected`.

        Returns
        -------
        tuple of str
            Their names.

        Raises
        ------
        ValueError
            As `expected`.

        Examples
        --------
        >>> from rocspace.multiclass import class_rates
        >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
        >>> rates.best([[0, 10], [1, 0]])
        ('a',)
        """
        value = self.expected(costs, priors=priors)
        cheap = _least(value, cost_matrix(costs, self.classes).cost)
        return tuple(_chosen(self.names, cheap))

    def mixture(self, shares: Mapping[str, float], *, name: str = "mixture") -> ClassRates:
        """Return the rates of a mixture: each case is decided by a classifier drawn at random.

        Parameters
        ----------
        shares : mapping of str to float
            How often each classifier decides; they sum to 1.
        name : str, default "mixture"
            Name of the mixture.

        Returns
        -------
        ClassRates
            The rates of the mixture alone: its expected rates lie between those of the classifiers.

        Raises
        ------
        ValueError
            If a classifier is unknown, or the shares are negative or do not sum to 1.

        Examples
        --------
        >>> from rocspace.multiclass import class_rates
        >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
        >>> rates.mixture({"a": 0.5, "b": 0.5}).error
        array([[0.25, 0.25]])
        """
        if not isinstance(cast("object", name), str):
            msg = f"name is {shown(name)}, but the name of a mixture is a text."
            raise TypeError(msg)
        for each in shares:
            checks.check_known("classifier", each, self.names)
        part = checks.as_numbers("shares", [shares.get(each, 0.0) for each in self.names])
        if (part < 0).any() or not abs(part.sum() - 1) <= _SUM:
            msg = f"shares are {dict(shares)!r}. Give shares of zero or more that sum to 1."
            raise ValueError(msg)
        mixed = np.einsum("a,aij->ij", part / part.sum(), self.rate)
        mixed /= mixed.sum(axis=1, keepdims=True)
        return ClassRates(
            classes=self.classes, names=(name,), rate=mixed[None].clip(0, 1), shares=self.shares
        )

    def with_trivial(self) -> ClassRates:
        """Return these and the trivial classifiers, each of which calls all cases one class.

        Returns
        -------
        ClassRates
            The trivial ones last, named "always ..." .

        Examples
        --------
        >>> from rocspace.multiclass import class_rates
        >>> class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1]}).with_trivial().names
        ('a', 'always 0', 'always 1')
        """
        k = len(self.classes)
        trivial = np.repeat(np.eye(k)[:, None, :], k, axis=1)
        return ClassRates(
            classes=self.classes,
            names=(*self.names, *(f"always {each}" for each in self.classes)),
            rate=np.concatenate([self.rate, trivial]),
            shares=self.shares,
        )


@explained
def class_rates(
    y_true: ArrayLike,
    decisions: ArrayLike | Mapping[str, ArrayLike],
    classes: Sequence[Hashable] | None = None,
    *,
    sample_weight: ArrayLike | None = None,
) -> ClassRates:
    """Count how often classifiers call each class by each name.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        The class of each case.
    decisions : array-like, shape (n,), or mapping of str to such
        The class that each case is called, by one classifier or by several.
    classes : sequence, optional
        The labels; by default those that occur, sorted.
    sample_weight : array-like, shape (n,), optional
        Weights of the cases, zero or more.

    Returns
    -------
    ClassRates
        The points of the classifiers in the space of the k (k - 1) errors.

    Raises
    ------
    SingleClassError
        If a class has no cases.
    ValueError
        If lengths differ, a value is missing, or a label is none of the classes.

    Notes
    -----
    O(m n).

    References
    ----------
    Srinivasan (1999), a paper on this alone; Fawcett (2006), section 9.1.

    Examples
    --------
    >>> rates = class_rates(["a", "a", "b", "c"], {"one": ["a", "b", "b", "c"]})
    >>> rates.rate[0]
    array([[0.5, 0.5, 0. ],
           [0. , 1. , 0. ],
           [0. , 0. , 1. ]])
    """
    calls = decisions if isinstance(decisions, Mapping) else {"classifier": decisions}
    columns = {"y_true": complete(y_true, "y_true")}
    columns |= {str(name): complete(each, str(name)) for name, each in calls.items()}
    check_lengths({name: each.size for name, each in columns.items()})
    if classes is None:
        classes = distinct_values(np.concatenate(list(columns.values())))
    known = checked_classes(classes)
    k = len(known)
    places = {name: places_of(each, known, what=name) for name, each in columns.items()}
    weight = None
    if sample_weight is not None:
        weight = check_weights(as_vector(sample_weight, "sample_weight")[0])
        check_lengths({"y_true": columns["y_true"].size, "sample_weight": weight.size})
    true = places.pop("y_true")
    counts = {
        name: np.bincount(true * k + called, weight, k * k).reshape(k, k)
        for name, called in places.items()
    }
    return counted_rates(counts, known)


@explained
def counted_rates(
    counts: Mapping[str, ArrayLike], classes: Sequence[Hashable] | None = None
) -> ClassRates:
    """Turn confusion matrices of several classes into rates.

    Parameters
    ----------
    counts : mapping of str to array-like of shape (k, k)
        For each classifier the number of cases, a row for each true class, a column for each call.
    classes : sequence, optional
        The labels, in the order of rows and columns; by default 0 to k - 1.

    Returns
    -------
    ClassRates
        The points of the classifiers in the space of the k (k - 1) errors.

    Raises
    ------
    SingleClassError
        If a class has no cases.
    ValueError
        If a matrix is not square, matrices differ in shape, or a count is negative.

    References
    ----------
    Fawcett (2006), section 9.1.

    Examples
    --------
    >>> counted_rates({"one": [[8, 2], [1, 4]]}, ["well", "ill"]).error
    array([[0.2, 0.2]])
    """
    found = {name: checks.as_numbers("counts", each) for name, each in counts.items()}
    first = next(iter(found.values()), np.zeros(0))
    known = tuple(range(len(first))) if classes is None else checked_classes(classes)
    for name, each in found.items():
        if each.shape != (len(known),) * 2 or not (np.isfinite(each) & (each >= 0)).all():
            msg = (
                f"counts[{name!r}] has shape {each.shape}. Give {len(known)} rows of {len(known)} "
                "counts of zero or more: a row for each true class, a column for each call."
            )
            raise ValueError(msg)
        if not each.sum(axis=1).all():
            label = known[int(np.argmin(each.sum(axis=1) > 0))]
            msg = f"No case is of class {label!r}, so its error rates are unknown. Leave it out."
            raise SingleClassError(msg)
    if not found:
        msg = "There is no classifier. Give a mapping of names to confusion matrices."
        raise ValueError(msg)
    size = first.sum(axis=1)
    rate = np.stack([each / each.sum(axis=1, keepdims=True) for each in found.values()])
    names = tuple(map(str, found))
    return ClassRates(classes=known, names=names, rate=own(rate), shares=size / size.sum())


# --- cost-curve slices ------------------------------------------------------------------------


class CostSlice(Result):
    """Expected costs of classifiers along a line between two operating conditions.

    Attributes
    ----------
    names : tuple of str, length m
        The classifiers, the trivial ones among them.
    at_zero, at_one : ndarray of float64, shape (m,)
        Expected cost of each at the first and at the second condition; it is straight between.
    corner : ndarray of float64, shape (c + 1,)
        Where the cheapest classifier changes, from 0 to 1.
    cost : ndarray of float64, shape (c + 1,)
        The least expected cost there.
    cheapest : tuple of tuple of str, length c
        The classifiers that are cheapest from each corner to the next.

    See Also
    --------
    cost_slice
    """

    names: tuple[str, ...]
    at_zero: Vector
    at_one: Vector
    corner: Vector
    cost: Vector
    cheapest: tuple[tuple[str, ...], ...]

    def _about(self) -> str:
        used = [" or ".join(each) for each in self.cheapest]
        return f"{len(self.names)} classifiers, cheapest {', '.join(used)}"

    def _columns(self) -> dict[str, Any]:
        ends = {"low": self.corner[:-1], "high": self.corner[1:]}
        costs = {"cost_low": self.cost[:-1], "cost_high": self.cost[1:]}
        return {**ends, "classifier": [" or ".join(each) for each in self.cheapest], **costs}

    def _card(self) -> Card:
        columns = zip(*self._columns().values(), strict=True)
        rows = [
            [f"{share(low)} to {share(high)}", who, general(one), general(two)]
            for low, high, who, one, two in columns
        ]
        header = ["From, to", "Cheapest", "Cost", "Cost at the end"]
        card = {"Classifiers": str(len(self.names))}
        return Card(rows=card, header=header, table=first_rows(rows[:8], len(rows)))

    def cost_at(self, at: ArrayLike) -> Any:
        """Return the least expected cost on the way from the first condition to the second.

        Parameters
        ----------
        at : float or array-like
            From 0, the first condition, to 1, the second.

        Returns
        -------
        float or ndarray
            The expected cost per case of the cheapest classifier.

        Raises
        ------
        ValueError
            If a value is outside [0, 1].

        Examples
        --------
        >>> from rocspace.multiclass import class_rates, cost_slice
        >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1]})
        >>> cost_slice(rates, [[0, 1], [1, 0]], [[0, 9], [1, 0]]).cost_at(0.5)
        0.25
        """
        x = checks.check_fraction("at", at)
        return plain(np.interp(x, self.corner, self.cost))

    def optimal(self, at: float) -> tuple[str, ...]:
        """Return the classifiers that are cheapest on the way from one condition to the other.

        Parameters
        ----------
        at : float
            From 0, the first condition, to 1, the second.

        Returns
        -------
        tuple of str
            Their names: one, or several that tie, as two do at a corner.

        Raises
        ------
        ValueError
            If the value is outside [0, 1].

        Examples
        --------
        >>> from rocspace.multiclass import class_rates, cost_slice
        >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1]})
        >>> cost_slice(rates, [[0, 1], [1, 0]], [[0, 9], [1, 0]]).optimal(0.5)
        ('a',)
        """
        x = check_one_fraction("at", at)
        value = (1 - x) * self.at_zero + x * self.at_one
        return tuple(_chosen(self.names, _least(value, self.at_zero, self.at_one)))


@explained
def cost_slice(
    rates: ClassRates,
    first: ClassCostsLike | None = None,
    second: ClassCostsLike | None = None,
    *,
    first_priors: Priors | None = None,
    second_priors: Priors | None = None,
    trivial: bool = True,
) -> CostSlice:
    """Follow the expected costs of classifiers from one cost matrix, or class mix, to another.

    Parameters
    ----------
    rates : ClassRates
        The classifiers.
    first, second : CostMatrix, array-like of shape (k, k), or mapping, optional
        The costs at both ends, as for `cost_matrix`; by default each error costs 1.
    first_priors, second_priors : mapping of labels to float, optional
        Shares of the classes at both ends; by default those of the data.
    trivial : bool, default True
        Whether the trivial classifiers, which call all cases one class, take part.

    Returns
    -------
    CostSlice
        The straight lines of the classifiers, and their lower envelope.

    Raises
    ------
    ValueError
        If costs or priors do not fit the classes.

    Notes
    -----
    An expected cost is linear in the products of a class's share and its costs, so that k classes
    have a cost surface over k (k - 1) - 1 dimensions; this is a straight path across it. If costs
    and shares both change, the path is straight in their products. For two classes, ``[[0, 0],
    [1, 0]]`` and ``[[0, 1], [0, 0]]`` with equal shares are the ends of the usual cost curve, at
    half its height. O(m^2).

    References
    ----------
    Drummond and Holte (2006), section 3, for two classes; Lane (2000), a paper on this alone, for
    the open questions of several.

    Examples
    --------
    >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
    >>> found = cost_slice(rates, [[0, 1], [9, 0]], [[0, 9], [1, 0]])
    >>> found.corner, found.cheapest
    (array([0. , 0.5, 1. ]), (('b',), ('a',)))
    """
    compared = rates.with_trivial() if trivial else rates
    zero = compared.expected(first, priors=first_priors)
    one = compared.expected(second, priors=second_priors)
    corner = [0.0]
    while corner[-1] < 1:
        corner.append(_next_corner(zero, one, corner[-1]))
    at = np.array(corner)
    middle = (at[:-1] + at[1:]) / 2
    value = (1 - middle[:, None]) * zero + middle[:, None] * one
    cheapest = _least(value, zero, one)
    cost = ((1 - at[:, None]) * zero + at[:, None] * one).min(axis=1)
    return CostSlice(
        names=compared.names,
        at_zero=zero,
        at_one=one,
        corner=at,
        cost=cost,
        cheapest=tuple(tuple(_chosen(compared.names, each)) for each in cheapest),
    )


def _rounding(*costs: Vector) -> float:
    """Return by how much expected costs that tie may differ, given what they are made of."""
    return float(_SAME * max(np.abs(each).max() for each in costs))


def _least(value: Vector, *costs: Vector) -> Mask:
    """Tell which values are the least of their row, or tie with it."""
    return np.asarray(value <= value.min(axis=-1, keepdims=True) + _rounding(*costs))


def _chosen(names: Sequence[str], held: Array) -> Iterator[str]:
    return (name for name, here in zip(names, held, strict=True) if here)


def _next_corner(zero: Vector, one: Vector, at: float) -> float:
    """Return where the line that is lowest just after a place is first undercut, or 1."""
    value, slope = (1 - at) * zero + at * one, one - zero
    low = np.flatnonzero(_least(value, zero, one))
    own_line = low[np.argmin(slope[low])]
    falls = one < one[own_line] - _rounding(zero, one)
    if not falls.any():
        return 1.0
    gap = (value - value[own_line])[falls] / (slope[own_line] - slope[falls])
    after = float(at + gap.min())
    return after if after < 1 - _SAME else 1.0
