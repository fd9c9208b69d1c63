"""Scores of decision trees: the share of positives in a leaf, smoothed, curtailed if it is small.

The decisions of a tree are one point in ROC space. Its leaves nevertheless rank the cases; all
cases of one leaf tie.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_cases, check_lengths, check_weights, complete
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace._base.text import brief
from rocspace._base.words import shown

Smoothing: TypeAlias = Literal["none", "laplace", "m"]

_CUSTOMARY = 10.0  # what base rate times strength should be (Zadrozny and Elkan)


class LeafScores(Result):
    """A score for each leaf of a tree.

    Attributes
    ----------
    leaf : ndarray, shape (l,)
        The leaves, sorted; with `parents` all nodes of the tree.
    value : ndarray of float64, shape (l,)
        Smoothed share of positives in each.
    base_rate : float
        Share of positives among all training cases: the score of an unknown leaf.

    See Also
    --------
    fit_leaves
    """

    leaf: Array
    value: Vector
    base_rate: float

    def _about(self) -> str:
        return f"{self.leaf.size} leaves, base rate {brief(self.base_rate)}"

    def predict(self, leaf_ids: ArrayLike) -> Vector:
        """Return the score of the leaf that each case falls into.

        Parameters
        ----------
        leaf_ids : array-like, shape (n,)
            Leaves of any cases; all cases of a leaf tie.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1].

        Raises
        ------
        ValueError
            If a leaf is missing.
        """
        ids = complete(leaf_ids, "leaf_ids")
        place = np.minimum(np.searchsorted(self.leaf, ids), self.leaf.size - 1)
        return np.where(self.leaf[place] == ids, self.value[place], self.base_rate)


@explained
def fit_leaves(
    leaf_ids: ArrayLike,
    y_true: ArrayLike,
    *,
    smoothing: Smoothing = "laplace",
    strength: float | None = None,
    parents: ArrayLike | None = None,
    min_cases: float = 200,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> LeafScores:
    """Score leaves by their share of positive training cases, smoothed and curtailed.

    Parameters
    ----------
    leaf_ids : array-like, shape (n,)
        The leaf that each training case falls into, such as ``tree.apply(X)``.
    y_true : array-like, shape (n,)
        Labels, as for `rocspace.counts.tabulate`.
    smoothing : {"none", "laplace", "m"}, default "laplace"
        Of k positives among m cases: k / m; (k + 1) / (m + C), C being the number of classes;
        or (k + b M) / (m + M), b being the base rate.
    strength : float, optional
        C, by default 2, or M, by default such that b M is 10.
    parents : array-like of int, shape (nodes,), optional
        ``parents[i]`` is the parent of node i, -1 for the root: see `tree_parents`. Then a
        leaf of fewer than `min_cases` takes the score of its lowest ancestor with enough.
    min_cases : float, default 200
        Cases, or weight, that a score must rest on, with `parents` only; 0 curtails nothing.
    pos_label : object, optional
        The label of the positive class.
    sample_weight : array-like of numbers, shape (n,), optional
        Weights of the cases.

    Returns
    -------
    LeafScores
        Has ``predict(leaf_ids)``.

    Raises
    ------
    ValueError
        If lengths differ, something is missing, `strength` is not positive, or there are no
        positives, from which the default strength is computed.

    Notes
    -----
    O(n log n), and O(nodes x depth) to curtail. Do not prune the tree, and do not merge its
    leaves: that is meant for decisions, and makes scores coarser.

    References
    ----------
    Fawcett (2006), section 4.3, after Provost and Domingos (2003); Zadrozny and Elkan (2001a), the
    whole paper, for "m" and curtailment.

    Examples
    --------
    >>> scores = fit_leaves(["a", "a", "a", "b", "b"], [1, 1, 0, 0, 0])
    >>> scores.predict(["a", "b", "c"])
    array([0.6 , 0.25, 0.4 ])
    """
    ids = complete(leaf_ids, "leaf_ids")
    label, weight = labels_and_weights(y_true, ids.size, "leaf_ids", pos_label, sample_weight)
    leaf, place = np.unique(ids, return_inverse=True)
    pos: Array = np.bincount(place, weight * label, minlength=leaf.size)
    every: Array = np.bincount(place, weight, minlength=leaf.size)
    base_rate = float(pos.sum() / every.sum())
    if parents is not None:
        above = np.asarray(parents)
        pos, every = (_summed(leaf, column, above) for column in (pos, every))
        leaf = np.arange(above.size)
    value = smoothed_shares(pos, every, base_rate, smoothing, strength)
    value = np.where(every > 0, value, base_rate)
    if parents is not None:
        value = value[_supported(every, above, min_cases)]
    return LeafScores(leaf=leaf, value=value, base_rate=base_rate)


def labels_and_weights(
    y_true: ArrayLike, n: int, name: str, pos_label: object, sample_weight: ArrayLike | None
) -> tuple[Mask, Vector]:
    """Check labels and weights of n cases; those of weight zero stay."""
    label = check_cases(y_true, {name: np.zeros(n)}, pos_label=pos_label).label
    weight = np.ones(n)
    if sample_weight is not None:
        weight = check_weights(complete(sample_weight, "sample_weight"))
        check_lengths({name: n, "sample_weight": weight.size})
    if not weight.sum() > 0:
        msg = "sample_weight is zero for every case, so nothing is left to count."
        raise ValueError(msg)
    return label, weight


def smoothed_shares(
    pos: Array, every: Array, base_rate: float, smoothing: Smoothing, strength: float | None = None
) -> Vector:
    """Return shares of positives, smoothed if asked; else nan where there are no cases."""
    if strength is not None:
        checks.check_positive("strength", strength)
    if smoothing == "none":
        return np.asarray(ratio(pos, every))
    if smoothing == "laplace":
        return np.asarray((pos + 1) / (every + (2.0 if strength is None else strength)))
    if strength is None:
        if base_rate == 0:
            msg = (
                "There are no positives, so the default strength, 10 / base rate, does not exist. "
                "Give strength=, a number of cases."
            )
            raise ValueError(msg)
        strength = _CUSTOMARY / base_rate
    return np.asarray(ratio(pos + base_rate * strength, every + strength))


def _summed(leaf: Array, count: Vector, parents: Array) -> Vector:
    """Return the counts of all nodes: each leaf's are added to all its ancestors."""
    if leaf.dtype.kind not in "iu" or leaf.min() < 0 or leaf.max() >= parents.size:
        msg = f"With parents, leaf_ids must be numbers of nodes, from 0 to {parents.size - 1}."
        raise ValueError(msg)
    total = np.zeros(parents.size)
    at, reached = leaf.astype(np.int64), count
    for _ in range(parents.size):
        np.add.at(total, at, reached)
        at, reached = parents[at], reached[parents[at] >= 0]
        at = at[at >= 0]
        if at.size == 0:
            return total
    msg = "parents run in a circle: following them up must end at a root, whose parent is -1."
    raise ValueError(msg)


def _supported(every: Array, parents: Array, min_cases: float) -> Ints:
    """Return each node's lowest ancestor, itself included, that has enough cases."""
    at = np.arange(parents.size)
    while True:
        climb = (every[at] < min_cases) & (parents[at] >= 0)
        if not climb.any():
            return at
        at = np.where(climb, parents[at], at)


@explained
def tree_parents(tree: Any) -> Ints:
    """Return the parent of each node of a scikit-learn tree, -1 for the root.

    Parameters
    ----------
    tree : object
        A fitted decision tree, or its ``tree_``: anything with arrays ``children_left`` and
        ``children_right``.

    Returns
    -------
    ndarray of int, shape (nodes,)
        For `fit_leaves`.

    Raises
    ------
    TypeError
        If it is not a fitted tree.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tree = SimpleNamespace(children_left=[1, -1, -1], children_right=[2, -1, -1])
    >>> tree_parents(tree)
    array([-1,  0,  0])
    """
    arrays = getattr(tree, "tree_", tree)
    if not (hasattr(arrays, "children_left") and hasattr(arrays, "children_right")):
        msg = f"tree_parents takes a fitted tree of scikit-learn, not {shown(tree)}."
        raise TypeError(msg)
    both = np.array([arrays.children_left, arrays.children_right])
    parents = np.full(both.shape[1], -1, dtype=np.int64)
    for children in both:
        inner = np.flatnonzero(children >= 0)
        parents[children[inner]] = inner
    return parents


class TreeScores(Result):
    """A tree, or several, that score cases by their leaves.

    Attributes
    ----------
    model : object
        Has ``apply(X)``.
    leaves : tuple of LeafScores
        One for each tree.

    See Also
    --------
    fit_tree_scores
    """

    model: Any
    leaves: tuple[LeafScores, ...]

    def _about(self) -> str:
        return f"{len(self.leaves)} trees"

    def _columns(self) -> dict[str, Any]:
        sizes = [each.leaf.size for each in self.leaves]
        return {
            "tree": np.repeat(np.arange(len(sizes)), sizes),
            "leaf": np.concatenate([each.leaf for each in self.leaves]),
            "value": np.concatenate([each.value for each in self.leaves]),
        }

    def predict(self, X: Any) -> Vector:  # noqa: N803
        """Return the score of each case, averaged over the trees.

        Parameters
        ----------
        X : array-like, shape (n, features)
            What the model applies to.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1].
        """
        ids = _leaves_of(self.model, X)
        by_tree = [each.predict(ids[:, j]) for j, each in enumerate(self.leaves)]
        return np.asarray(np.mean(by_tree, axis=0))


def _leaves_of(model: Any, X: Any) -> Array:  # noqa: N803
    if not callable(getattr(model, "apply", None)) or hasattr(model, "__array__"):
        msg = f"model is {shown(model)}, without apply(X): pass a fitted tree or forest."
        raise TypeError(msg)
    ids = np.asarray(model.apply(X))
    if ids.size == 0 or ids.ndim == 0 or ids.dtype.kind not in "biuf":
        msg = (
            f"model.apply(X) is {shown(ids)}, but must be the number of each case's leaf, "
            "or of one in each tree."
        )
        raise ValueError(msg)
    return ids.reshape(ids.shape[0], -1).astype(np.int64)


@explained
def fit_tree_scores(
    model: Any,
    X: Any,  # noqa: N803
    y_true: ArrayLike,
    *,
    smoothing: Smoothing = "laplace",
    min_cases: float = 0,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> TreeScores:
    """Score the leaves of a fitted tree or forest of scikit-learn, or of anything like it.

    Parameters
    ----------
    model : object
        Fitted; its ``apply(X)`` gives the leaf of each case, or one for each tree.
    X, y_true : array-like
        Training cases and their labels.
    smoothing : {"none", "laplace", "m"}, default "laplace"
        As for `fit_leaves`. Averaged over bagged trees, "laplace" makes probability
        estimation trees.
    min_cases : float, default 0
        Curtail leaves with fewer cases; needs the trees' ``tree_``.
    pos_label : object, optional
        The label of the positive class.
    sample_weight : array-like of numbers, optional
        Weights of the cases.

    Returns
    -------
    TreeScores
        Has ``predict(X)``.

    Raises
    ------
    ValueError
        As `fit_leaves`.

    References
    ----------
    Fawcett (2006), section 4.3, after Provost and Domingos (2003); Zadrozny and Elkan (2001a), the
    whole paper, for curtailment.

    Examples
    --------
    >>> import numpy as np
    >>> class Stump:
    ...     def apply(self, X):
    ...         return (X[:, 0] >= 2).astype(int)
    >>> features = np.array([[0], [1], [2], [3]])
    >>> fit_tree_scores(Stump(), features, [0, 0, 1, 1]).predict(features)
    array([0.25, 0.25, 0.75, 0.75])
    """
    ids = _leaves_of(model, X)
    trees = getattr(model, "estimators_", [model])
    parents = [tree_parents(tree) if min_cases else None for tree in np.ravel(trees)]
    fitted = [
        fit_leaves(
            ids[:, j],
            y_true,
            smoothing=smoothing,
            parents=above,
            min_cases=min_cases,
            pos_label=pos_label,
            sample_weight=sample_weight,
        )
        for j, above in enumerate(parents)
    ]
    return TreeScores(model=model, leaves=tuple(fitted))
