"""Scores of classifiers that vote: sets of rules, ensembles, and MetaCost.

A rule or model that only decides is one point in ROC space. The rules that fire for a case, or the
share of models that agree on it, nevertheless rank the cases.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import as_counts, check_lengths, complete
from rocspace._base.checks import as_numbers, check_choice, check_rng, check_sizes
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace._base.words import shown
from rocspace.calibrate.leaves import labels_and_weights, smoothed_shares

Strategy: TypeAlias = Literal["first", "max", "mean", "vote", "weighted_vote"]

_SAME = 1e-12  # expected costs nearer than this tie


# --- rules --------------------------------------------------------------------------------------


class RuleScores(Result):
    """Rules, which score a case by those of them that fire.

    Attributes
    ----------
    confidence : ndarray of float64, shape (r,)
        Share of positives among the training cases that each rule covers.
    positive : ndarray of bool, shape (r,)
        Which rules say "positive".
    default : float
        Score where no rule fires.

    See Also
    --------
    fit_rules
    """

    confidence: Vector
    positive: Mask
    default: float

    def _columns(self) -> dict[str, Any]:
        of_rules = {"confidence": self.confidence, "positive": self.positive}
        return {"rule": np.arange(self.confidence.size), **of_rules}

    def _about(self) -> str:
        n = np.count_nonzero(self.positive)
        return f"{n} positive and {self.positive.size - n} negative rules"

    def predict(self, covers: ArrayLike, *, strategy: Strategy = "mean") -> Vector:
        """Return the score of each case from the rules that cover it.

        Parameters
        ----------
        covers : array-like of bool, shape (n, r)
            ``covers[i, j]``: whether rule j fires for case i.
        strategy : {"first", "max", "mean", "vote", "weighted_vote"}, default "mean"
            The confidence of the first rule that fires (a decision list), the largest, or
            their mean; (positive rules - negative rules) / rules; or the positive rules'
            share of the total confidence, that of each rule being in the class it predicts.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1]; votes in [-1, 1].

        Raises
        ------
        ValueError
            If `covers` does not have one column for each rule.

        Notes
        -----
        O(n r).
        """
        check_choice("strategy", strategy, Strategy)
        fires = _covers(covers, self.confidence.size)
        some = fires.any(axis=1)
        score = self._score(fires, strategy)
        default = 2 * self.default - 1 if strategy == "vote" else self.default
        return np.where(some & ~np.isnan(score), score, default)

    def _score(self, fires: Mask, strategy: Strategy) -> Vector:
        if strategy == "first":
            return np.asarray(self.confidence[fires.argmax(axis=1)])
        if strategy == "max":
            return np.asarray(np.where(fires, self.confidence, -1.0).max(axis=1, initial=-1.0))
        said, counted = self.confidence, np.ones(self.confidence.size)
        if strategy == "vote":
            said = np.where(self.positive, 1.0, -1.0)
        elif strategy == "weighted_vote":
            counted = np.where(self.positive, self.confidence, 1 - self.confidence)
            said = counted * self.positive
        return np.asarray(ratio(fires @ said, fires @ counted))


def _covers(covers: ArrayLike, n_rules: int | None = None) -> Mask:
    fires = np.asarray(covers)
    if fires.ndim != 2 or (n_rules is not None and fires.shape[1] != n_rules):
        wanted = "one column for each rule" if n_rules is None else f"{n_rules} columns"
        msg = f"covers has shape {fires.shape}. Pass one row for each case and {wanted}."
        raise ValueError(msg)
    if fires.dtype.kind != "b" and not np.isin(fires, (0, 1)).all():
        msg = "covers has values other than 0 and 1. It says whether a rule fires for a case."
        raise ValueError(msg)
    return fires.astype(bool)


@explained
def fit_rules(
    covers: ArrayLike,
    y_true: ArrayLike,
    *,
    smoothing: Literal["none", "laplace"] = "laplace",
    positive: ArrayLike | None = None,
    default: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> RuleScores:
    """Estimate the confidence of each rule from the training cases it covers.

    Parameters
    ----------
    covers : array-like of bool, shape (n, r)
        ``covers[i, j]``: whether rule j fires for case i.
    y_true : array-like, shape (n,)
        Labels, as for `rocspace.counts.tabulate`.
    smoothing : {"none", "laplace"}, default "laplace"
        Of p positives and q negatives covered: p / (p + q), or (p + 1) / (p + q + 2).
    positive : array-like of bool, shape (r,), optional
        Which rules say "positive"; by default those of confidence one half or more.
    default : float, optional
        Score where no rule fires; by default the share of positives.
    pos_label : object, optional
        The label of the positive class.
    sample_weight : array-like of numbers, shape (n,), optional
        Weights of the cases.

    Returns
    -------
    RuleScores
        Has ``predict(covers)``.

    Raises
    ------
    ValueError
        If lengths or shapes differ, or something is missing.

    References
    ----------
    Fawcett (2006), section 4.3, after Fawcett (2001).

    Examples
    --------
    >>> rules = fit_rules([[1, 0], [1, 1], [0, 1], [0, 0]], [1, 1, 0, 0], smoothing="none")
    >>> rules.confidence
    array([1. , 0.5])
    >>> rules.predict([[1, 1], [0, 1], [0, 0]])
    array([0.75, 0.5 , 0.5 ])
    """
    fires = _covers(covers)
    label, weight = labels_and_weights(y_true, fires.shape[0], "covers", pos_label, sample_weight)
    pos, every = (weight * label) @ fires, weight @ fires
    base_rate = float(weight @ label / weight.sum())
    confidence = smoothed_shares(pos, every, base_rate, smoothing)
    confidence = np.where(every > 0, confidence, base_rate)
    says = confidence >= 0.5 if positive is None else np.asarray(positive, dtype=bool)
    check_lengths({"rules": confidence.size, "positive": says.size})
    return RuleScores(
        confidence=confidence, positive=says, default=base_rate if default is None else default
    )


# --- votes ----------------------------------------------------------------------------------


@explained
def vote_scores(
    votes: ArrayLike, *, voter_weight: ArrayLike | None = None, in_bag: ArrayLike | None = None
) -> Vector:
    """Score cases by the share of models that vote for the positive class.

    Parameters
    ----------
    votes : array-like, shape (n, b)
        ``votes[i, j]``: vote of model j on case i, 0 or 1, or its probability.
    voter_weight : array-like of numbers, shape (b,), optional
        Weight of each model's vote, such as its confidence.
    in_bag : array-like of bool, shape (n, b), optional
        Whether model j was trained on case i: then only the others vote on it, or all
        where there is no other.

    Returns
    -------
    ndarray of float64, shape (n,)
        In [0, 1]; without weights and bags a multiple of 1 / b.

    Raises
    ------
    ValueError
        If a vote is outside [0, 1], shapes differ, or weights are negative or all zero.

    References
    ----------
    Fawcett (2006), section 4.3; Domingos (1999), Table 1, for the bags.

    Examples
    --------
    >>> vote_scores([[1, 1, 0], [0, 0, 1]])
    array([0.66666667, 0.33333333])
    """
    given = np.asarray(votes, dtype=np.float64)
    if given.ndim != 2 or not ((given >= 0) & (given <= 1)).all():
        msg = "votes must have one row for each case, one column for each model, all in [0, 1]."
        raise ValueError(msg)
    share = np.ones(given.shape[1])
    if voter_weight is not None:
        share = as_numbers("voter_weight", voter_weight)
    if share.shape != given.shape[1:] or not (share >= 0).all() or not 0 < share.sum() < np.inf:
        msg = f"voter_weight must be {given.shape[1]} finite numbers, zero or more, not all zero."
        raise ValueError(msg)
    if in_bag is None:
        return np.asarray(given @ share / share.sum())
    bags = _covers(in_bag, given.shape[1])
    check_lengths({"votes": len(given), "in_bag": len(bags)})
    counts = share * ~bags
    counts = np.where(counts.sum(axis=1, keepdims=True) > 0, counts, share)
    return np.asarray((given * counts).sum(axis=1) / counts.sum(axis=1))


@explained
def relabel(label: ArrayLike, probability: ArrayLike, costs: ArrayLike) -> Ints:
    """Give each case the class whose expected cost is smallest.

    Parameters
    ----------
    label : array-like of int, shape (n,)
        The classes of the cases, from 0 to c - 1; kept where they tie for the smallest
        cost.
    probability : array-like of float, shape (n, c)
        Probability of each class for each case.
    costs : array-like of float, shape (c, c)
        ``costs[i, j]``: cost of predicting class i for a case of class j.

    Returns
    -------
    ndarray of int, shape (n,)
        New classes. With a cost of 1 for every error, the most probable ones.

    Raises
    ------
    ValueError
        If shapes do not fit.

    References
    ----------
    Domingos (1999), Table 1.

    Examples
    --------
    >>> relabel([0, 0, 1], [[0.95, 0.05], [0.8, 0.2], [0, 1]], [[0, 10], [1, 0]])
    array([0, 1, 1])
    """
    old = as_counts(label, "label")
    p, c = as_numbers("probability", probability), as_numbers("costs", costs)
    if p.ndim != 2 or c.shape != (p.shape[1], p.shape[1]) or old.shape != p.shape[:1]:
        msg = (
            f"Shapes do not fit: label {old.shape}, probability {p.shape}, costs {c.shape}. "
            "Pass (n,), (n, c) and (c, c)."
        )
        raise ValueError(msg)
    if old.size and old.max() >= len(c):
        msg = f"label has {old.max()}, but the classes are 0 to {len(c) - 1}: one for each cost."
        raise ValueError(msg)
    if not (np.isfinite(p).all() and np.isfinite(c).all()):
        msg = "relabel needs finite probabilities and costs. An error that must not be costs much."
        raise ValueError(msg)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = p @ c.T
    if not np.isfinite(expected).all():
        msg = (
            "The expected costs of relabel do not fit float64: give probabilities, or other units."
        )
        raise ValueError(msg)
    least = expected.min(axis=1)
    kept = expected[np.arange(old.size), old] <= least + _SAME * np.abs(c).max(initial=0.0)
    return np.where(kept, old, expected.argmin(axis=1))


class MetaCost(Result):
    """Result of MetaCost: probabilities, new labels and a classifier.

    Attributes
    ----------
    classes : ndarray
        The classes, sorted.
    probability : ndarray of float64, shape (n, c)
        Bagged probability of each class for each training case: a score.
    label : ndarray, shape (n,)
        The new classes of the training cases.
    classifier : object
        The result of `fit` for these classes.

    See Also
    --------
    metacost
    """

    classes: Array
    probability: Vector
    label: Array
    classifier: Any

    def _about(self) -> str:
        return f"{self.label.size} cases of {self.classes.size} classes"

    def _columns(self) -> dict[str, Any]:
        """Return the new label of each case, and the probability of each class."""
        share = {f"probability of {c}": self.probability[:, i] for i, c in enumerate(self.classes)}
        return {"label": self.label, **share}


@explained
def metacost(
    X: Array,  # noqa: N803
    y: ArrayLike,
    *,
    fit: Callable[[Any, Array], Callable[[Any], ArrayLike]],
    costs: ArrayLike,
    n_models: int = 10,
    sample_size: int | None = None,
    out_of_bag: bool = False,
    rng: np.random.Generator | int | None = None,
) -> MetaCost:
    """Make any classifier sensitive to costs by relabelling its training cases.

    Parameters
    ----------
    X : ndarray, shape (n, ...)
        Training cases.
    y : array-like, shape (n,)
        Their classes.
    fit : callable
        ``fit(X, y)`` trains a classifier and returns its function from cases to classes, or to
        probabilities: (n, c), a column for each class (of those in `y`, sorted), or, with two
        classes, (n,), the probability of the last one.
    costs : array-like of float, shape (c, c)
        ``costs[i, j]``: cost of predicting class i for a case of class j, classes sorted.
    n_models : int, default 10
        How many bootstrap samples vote on each case.
    sample_size : int, optional
        Cases in each sample, by default n.
    out_of_bag : bool, default False
        Whether only models that did not see a case vote on it (all where there is none).
    rng : numpy.random.Generator or int, optional
        Generator or seed.

    Returns
    -------
    MetaCost
        The bagged probabilities, the new labels, and the classifier trained on them.

    Raises
    ------
    ValueError
        If shapes do not fit, a class is missing, or a classifier returns neither classes nor
        probabilities.

    Notes
    -----
    n_models + 1 trainings. The final classifier is discrete: one point in ROC space. The
    bagged probabilities are a score.

    References
    ----------
    Domingos (1999), Table 1.

    Examples
    --------
    A nearest neighbour, where a missed positive costs five times a false alarm:

    >>> import numpy as np
    >>> def fit(x, y):
    ...     return lambda new: np.array([y[np.argmin(np.abs(x - each))] for each in new])
    >>> found = metacost(
    ...     np.arange(8), [0, 0, 0, 1, 0, 0, 1, 1], fit=fit, costs=[[0, 5], [1, 0]], rng=0
    ... )
    >>> found.label
    array([0, 0, 1, 1, 0, 0, 1, 1])
    """
    check_sizes(n_models=n_models)
    generator = check_rng(rng)
    classes, old = np.unique(complete(y, "y"), return_inverse=True)
    n = old.size
    votes = np.zeros((classes.size, n, n_models))
    in_bag = np.zeros((n, n_models), dtype=bool)
    for j in range(n_models):
        drawn = generator.integers(0, n, size=n if sample_size is None else sample_size)
        in_bag[drawn, j] = True
        known = np.unique(old[drawn])
        said = np.asarray(fit(X[drawn], classes[old[drawn]])(X))
        votes[:, :, j] = _shares(said, classes, known, n).T
    bags = in_bag if out_of_bag else None
    probability = np.stack([vote_scores(each, in_bag=bags) for each in votes], axis=1)
    new = classes[relabel(old, probability, costs)]
    return MetaCost(classes=classes, probability=probability, label=new, classifier=fit(X, new))


def _shares(said: Array, classes: Array, known: Ints, n: int) -> Vector:
    """Convert the output of a classifier, classes or probabilities, to a share of each class."""
    share = np.zeros((n, classes.size))
    if said.shape == (n,) and np.isin(said, classes).all():
        share[np.arange(n), np.searchsorted(classes, said)] = 1
        return share
    if said.dtype.kind in "biuf" and ((said >= 0) & (said <= 1)).all():
        if said.shape == (n,) and classes.size == 2:
            return np.stack([1 - said, said], axis=1)
        for columns in (np.arange(classes.size), known):
            if said.shape == (n, columns.size) and np.allclose(said.sum(axis=1), 1, atol=1e-6):
                share[:, columns] = said
                return share
    msg = (
        f"A classifier of fit returned {shown(said.ravel()[:5].tolist())} of shape {said.shape}. "
        f"It must return one of the classes {shown(classes.tolist())} for each of {n} cases, or a "
        "probability for each class, which add up to 1."
    )
    raise ValueError(msg)
