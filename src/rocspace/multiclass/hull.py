"""The convex hull of classifiers of several classes: which are optimal, and for which costs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows
from rocspace._base.frozen import Result, a_kind_of
from rocspace._base.text import count, general, share
from rocspace.multiclass.costs import ClassCostsLike, ClassRates, Priors

_TOL = 1e-9  # margins below are zero
_EXACT: Any = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_MOST = 5 * 10**6  # numbers in all linear programs together: about half a minute
_MOST_CORNERS = 2 * 10**5  # that there can be: about ten seconds


class ErrorHull(Result):
    """The lower convex hull of classifiers in the space of their k (k - 1) error rates.

    Attributes
    ----------
    rates : ClassRates
        The m classifiers, and after them the k trivial ones.
    margin : ndarray of float64, shape (m + k,)
        How much cheaper than every other a classifier can be, where the weights of all errors sum
        to 1. Negative if another classifier, or a mixture, is always cheaper by at least that
        amount.
    status : tuple of str, length m + k
        "strict": alone optimal for some costs; "tied": optimal, but for no costs alone; "never".
    weight : ndarray of float64, shape (m + k, k (k - 1))
        The weights of the errors that give the margin: shares of classes times costs.

    See Also
    --------
    error_hull
    """

    rates: ClassRates
    margin: Vector
    status: tuple[str, ...]
    weight: Vector

    def _about(self) -> str:
        return f"{len(self.rates)} classifiers, {self.status.count('strict')} strictly optimal"

    def _columns(self) -> dict[str, Any]:
        return {"classifier": self.names, "status": self.status, "margin": self.margin}

    def _card(self) -> Card:
        rows = [
            [name, status, general(margin)]
            for name, status, margin in zip(
                self.names, self.status, self.margin.tolist(), strict=True
            )
        ]
        card = {each.capitalize(): str(self.status.count(each)) for each in _STATUS}
        table = first_rows(rows[:8], len(rows))
        return Card(rows=card, header=["Classifier", "Optimal", "Margin"], table=table)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers, the trivial ones last."""
        return self.rates.names

    @property
    def optimal(self) -> tuple[str, ...]:
        """Names of the classifiers that are alone optimal for some costs."""
        named = zip(self.names, self.status, strict=True)
        return tuple(name for name, status in named if status == "strict")

    def best(
        self, costs: ClassCostsLike | None = None, *, priors: Priors | None = None
    ) -> tuple[str, ...]:
        """Return the classifiers with the least expected cost: one, or all that tie.

        Parameters
        ----------
        costs, priors
            As for `ClassRates.expected`.

        Returns
        -------
        tuple of str
            Their names, trivial ones among them.

        Raises
        ------
        ValueError
            If costs or priors do not fit the classes.

        Examples
        --------
        >>> from rocspace.multiclass import class_rates, error_hull
        >>> hull = error_hull(class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1]}))
        >>> hull.best([[0, 10], [1, 0]]), hull.best([[0, 1], [10, 0]])
        (('a',), ('always 0',))
        """
        return self.rates.best(costs, priors=priors)

    def mixture(self, name: str) -> Mapping[str, float]:
        """Return the mixture of other classifiers that is nowhere worse than one.

        Parameters
        ----------
        name : str
            A classifier that is not strictly optimal.

        Returns
        -------
        mapping of str to float
            How often each other classifier decides. If the classifier is never optimal, no error
            rate of the mixture is larger than its own, at least one is smaller, and their sum is
            the least possible.

        Raises
        ------
        ValueError
            If there is no such classifier, or it is strictly optimal.

        Examples
        --------
        >>> from rocspace.multiclass import class_rates, error_hull
        >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
        >>> calls = {"a": [0, 0, 0, 1, 0, 1, 1, 1], "b": [0, 0, 1, 1, 0, 1, 1, 0]}
        >>> dict(error_hull(class_rates(y, calls)).mixture("b"))
        {'a': 1.0}
        """
        checks.check_known("classifier", name, self.names)
        c = self.names.index(name)
        if self.status[c] == "strict":
            msg = (
                f"{name!r} is strictly optimal for some costs, so no mixture of the others is "
                "nowhere worse. Ask for one whose status is not 'strict'."
            )
            raise ValueError(msg)
        error = self.rates.error
        others = np.flatnonzero(_differ(error, c))
        found = _mixed(error[others], error[c])
        kept = found > _TOL
        part = found[kept] / found[kept].sum()
        who = [self.names[v] for v in others[kept]]
        return dict(zip(who, part.tolist(), strict=True))

    @cached_property
    def corners(self) -> HullCorners:
        """Weights of the errors at which as many classifiers tie as the hull has dimensions."""
        return _corners(self.rates, np.array([each == "strict" for each in self.status]))


_STATUS = ("strict", "tied", "never")


@explained
def error_hull(rates: ClassRates) -> ErrorHull:
    """Find which classifiers of several classes are optimal for some costs.

    Parameters
    ----------
    rates : ClassRates
        The classifiers; those that call all cases one class are added.

    Returns
    -------
    ErrorHull
        The status of each, and the weights of errors for which it is best.

    Raises
    ------
    TypeError
        If these are not rates.
    ValueError
        If there are too many classifiers, which is checked before any work begins.

    Notes
    -----
    An expected cost is a sum of the k (k - 1) error rates, weighted by the shares of the classes
    and the costs of the errors, so that only vertices of the lower convex hull of the classifiers
    can be cheapest. For each, a linear program finds the weights, zero or more with sum 1, that
    give it the largest margin over every other that differs from it: above 1e-9 it is strictly
    optimal, within 1e-9 of 0 it is optimal in ties only. The rates of trivial classifiers are
    coplanar, which is a degenerate case for programs that build the whole hull, but not for linear
    programs. O(m) programs of m rows.

    References
    ----------
    Srinivasan (1999), a paper on this alone; Fawcett (2006), section 9.1.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> calls = {"a": [0, 0, 0, 1, 0, 1, 1, 1], "b": [0, 0, 1, 1, 0, 1, 1, 0]}
    >>> from rocspace.multiclass import class_rates
    >>> dict(zip(*(lambda hull: (hull.names, hull.status))(error_hull(class_rates(y, calls)))))
    {'a': 'strict', 'b': 'never', 'always 0': 'strict', 'always 1': 'strict'}
    """
    given: Any = rates
    if not isinstance(given, ClassRates):
        msg = (
            f"error_hull takes ClassRates, not {a_kind_of(given)}: "
            "error_hull(class_rates(y_true, decisions))."
        )
        raise TypeError(msg)
    compared = rates.with_trivial()
    error = compared.error
    if error.size * len(error) > _MOST:
        msg = (
            f"{count(len(rates))} classifiers of {len(rates.classes)} classes take too many and "
            "too large linear programs. Leave out some, such as those that another is better than "
            "in each error."
        )
        raise ValueError(msg)
    found = [widest_margin(error[c] - error[_differ(error, c)]) for c in range(len(error))]
    margin = np.array([each[0] for each in found])
    place = np.where(margin > _TOL, 0, np.where(margin >= -_TOL, 1, 2))
    return ErrorHull(
        rates=compared,
        margin=margin,
        status=tuple(_STATUS[i] for i in place),
        weight=np.stack([each[1] for each in found]),
    )


def _differ(error: Vector, c: int) -> Mask:
    """Tell which points are not the same as one."""
    return np.asarray(np.abs(error - error[c]).max(axis=1) > _TOL)


def widest_margin(gap: Vector) -> tuple[float, Vector]:
    """Return the largest margin of a point over all others, and the weights that give it.

    Rows of `gap` are the errors of the point minus those of each other.
    """
    from scipy.optimize import linprog

    d = gap.shape[1]
    found: Any = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.column_stack([gap, np.ones(len(gap))]),
        b_ub=np.zeros(len(gap)),
        A_eq=np.append(np.ones(d), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * d + [(-1, 1)],
        method="highs",
        options=_EXACT,
    )
    return float(-found.fun), np.asarray(found.x[:d]).clip(0, 1)


def _mixed(error: Vector, most: Vector) -> Vector:
    """Return the shares of the mixture with the least sum of errors, none above its most.

    A point whose margin is zero to rounding may lie before all mixtures by as much.
    """
    from scipy.optimize import linprog

    for slack in (1e-12, 2 * _TOL):
        found: Any = linprog(
            error.sum(axis=1),
            A_ub=error.T,
            b_ub=most + slack,
            A_eq=np.ones((1, len(error))),
            b_eq=[1.0],
            bounds=(0, 1),
            method="highs",
            options=_EXACT,
        )
        if found.status == 0:
            break
    return np.asarray(found.x)


# --- corners ------------------------------------------------------------------------------------


class HullCorners(Result):
    """Corners of the surface of least costs: facets of the hull of the classifiers.

    Attributes
    ----------
    classes : tuple, length k
        The labels of the classes.
    weight : ndarray of float64, shape (f, k (k - 1))
        Weights of the errors, zero or more with sum 1: class after class, calls in order.
    cost : ndarray of float64, shape (f,)
        The least weighted sum of errors there; every mixture of classifiers has as much or more.
    tied : tuple of tuple of str, length f
        The classifiers that have it.
    joggled : bool
        Whether points had to be moved by about 1e-11 to find the corners.

    See Also
    --------
    error_hull
    """

    classes: tuple[Hashable, ...]
    weight: Vector
    cost: Vector
    tied: tuple[tuple[str, ...], ...]
    joggled: bool

    def __len__(self) -> int:
        """Return the number of corners."""
        return int(self.cost.size)

    def _about(self) -> str:
        return f"{count(len(self))} corners{', joggled' if self.joggled else ''}"

    def _columns(self) -> dict[str, Any]:
        pairs = [(i, j) for i in self.classes for j in self.classes if i != j]
        columns = {f"{i} called {j}": self.weight[:, at] for at, (i, j) in enumerate(pairs)}
        return {**columns, "cost": self.cost, "classifiers": [", ".join(t) for t in self.tied]}

    def _card(self) -> Card:
        rows = [
            [share(c), ", ".join(tied)]
            for c, tied in zip(self.cost[:8].tolist(), self.tied, strict=False)
        ]
        card = {"Corners": count(len(self)), "Joggled": "yes" if self.joggled else "no"}
        table = first_rows(rows, len(self))
        return Card(rows=card, header=["Cost", "Tied classifiers"], table=table)


def _corners(rates: ClassRates, strict: Mask) -> HullCorners:
    """Intersect the half-spaces below each classifier's cost, over all weights of errors."""
    k, error = len(rates.classes), rates.error
    d = error.shape[1]
    points = np.unique(error[strict], axis=0)
    most = _most_corners(len(points) + d, d)
    if k > 3 or most > _MOST_CORNERS:
        msg = (
            f"A hull of {len(points)} classifiers of {k} classes in {d} dimensions has up to "
            f"{count(most)} corners, and three classes and {count(_MOST_CORNERS)} corners are the "
            "most. error_hull's status, margin and mixture need no corners."
        )
        raise ValueError(msg)
    # Unknowns: all weights but the last, which is 1 minus their sum; and the cost.
    sides = np.zeros((d + 1 + len(points), d + 1))
    sides[: d - 1, : d - 1] = -np.eye(d - 1)
    sides[d - 1, : d - 1], sides[d - 1, d] = 1.0, -1.0
    sides[d, d - 1 :] = -1.0  # costs of -1 or more: only to close the body below
    sides[d + 1 :, : d - 1] = points[:, -1:] - points[:, :-1]
    sides[d + 1 :, d - 1], sides[d + 1 :, d] = 1.0, -points[:, -1]
    inside = np.append(np.full(d - 1, 1 / d), -0.5)
    met, joggled = _met(sides, inside)
    met = met[np.isfinite(met).all(axis=1)]
    met = met[met[:, -1] > -0.75]
    met = met[np.unique(met.round(9), axis=0, return_index=True)[1]]
    weight = np.column_stack([met[:, :-1], 1 - met[:, :-1].sum(axis=1)]).clip(0, 1)
    value = weight @ error.T
    cost = value.min(axis=1)
    near = value <= cost[:, None] + (1e-6 if joggled else 1e-8)
    return HullCorners(
        classes=rates.classes,
        weight=weight,
        cost=cost,
        tied=tuple(tuple(rates.names[v] for v in np.flatnonzero(row)) for row in near),
        joggled=joggled,
    )


def _met(sides: Vector, inside: Vector) -> tuple[Vector, bool]:
    """Return the corners of a body between planes; joggle the planes only if all else fails."""
    from scipy.spatial import HalfspaceIntersection, QhullError

    for options in ("Qx" if inside.size > 4 else "", "QJ"):
        try:
            found = HalfspaceIntersection(sides, inside, qhull_options=options)
        except QhullError:
            continue
        return np.asarray(found.intersections), options == "QJ"
    msg = "The corners of this hull could not be found. Its status and mixtures need none of them."
    raise ValueError(msg)


def _most_corners(n: int, d: int) -> int:
    """Return the most facets of a polytope of n points in d dimensions (upper bound theorem)."""
    from math import comb

    half = d // 2
    return (
        comb(n - half, half) + comb(n - half - 1, half - 1)
        if d % 2 == 0
        else 2 * comb(n - half - 1, half)
    )
