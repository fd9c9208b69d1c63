"""Scorers by name, for ``scoring=`` of scikit-learn, and which candidate a search should refit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np

from rocspace._base.arrays import Array, ArrayLike
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, check_one_fraction
from rocspace._base.synonyms import understood
from rocspace._base.words import nearest, shown
from rocspace.averaging.folds import Response, scores_of
from rocspace.costs.decision import net_benefit
from rocspace.counts.confusion import confusion_matrix
from rocspace.counts.table import ScoreTable, tabulate
from rocspace.curves.summaries import partial_auc
from rocspace.estimators.needed import UNUSED, BaseEstimator, is_regressor
from rocspace.measures.entry import Measure
from rocspace.measures.facts import CRITERIA, MEASURES, SUMMARIES
from rocspace.multiclass.cases import multiclass_scores
from rocspace.multiclass.decisions import decide_classes
from rocspace.multiclass.manifold import hum, pdi
from rocspace.multiclass.pairs import hand_till, mu_auc
from rocspace.multiclass.rest import one_vs_rest
from rocspace.operating.constraints import Constraint
from rocspace.operating.points import optimal_points, point_at
from rocspace.select.choose import named_measure

Reads = Literal["table", "labels", "classes"]

_NUMBER = r"[0-9.]+(?:e-?[0-9]+)?"
_SPAN = re.compile(rf"({_NUMBER})(?:-({_NUMBER}))?")
_BOUND = re.compile(rf"([\w ]+?)\s*(<=|>=)\s*({_NUMBER})")
_PARTS = {"pauc": False, "partial_auc": False, "standardised_pauc": True}
_BENEFITS = {"net_benefit": False, "standardised_net_benefit": True}

_THEIRS = {  # names of scikit-learn that say how, not what
    "roc_auc_ovr": "one_vs_rest",
    "roc_auc_ovo": "hand_till",
    "roc_auc_ovr_weighted": "weighted_one_vs_rest",
    "neg_brier_score": "brier_score",
    "neg_log_loss": "log_loss",
}


def _class_cost(data: Any, **options: Any) -> float:
    return float(decide_classes(data, **options).cost)


_OF_CLASSES: dict[str, tuple[Callable[..., Any], tuple[float, float], int]] = {
    "hand_till": (hand_till, (0, 1), 1),
    "mu_auc": (mu_auc, (0, 1), 1),
    "one_vs_rest": (one_vs_rest, (0, 1), 1),
    "weighted_one_vs_rest": (partial(one_vs_rest, average="weighted"), (0, 1), 1),
    "pdi": (pdi, (0, 1), 1),
    "hum": (hum, (0, 1), 1),
    "class_cost": (_class_cost, (0, float("inf")), -1),
}
"""Of several classes: the function, its range, and 1 if higher is better, else -1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """How the number of a name is computed, and which way is better."""

    reads: Reads
    function: Callable[..., Any] = field(repr=False)
    range: tuple[float, float]
    sign: int = 1


def _reading(name: str) -> _Reading:
    """Find the number that a name asks for."""
    name = _THEIRS.get(name, name)
    head, at, rest = (part.strip() for part in name.partition("@"))
    if at:
        return _reading_at(name, head, rest)
    if name in _PARTS:
        msg = f"Which part of the area? Say so in the name, as in '{name}@0.1' for fpr up to 0.1."
        raise ValueError(msg)
    registry, ours = _found(name)
    if registry is _OF_CLASSES:
        function, ends, sign = _OF_CLASSES[ours]
        return _Reading(reads="classes", function=function, range=ends, sign=sign)
    if registry is SUMMARIES or ":" in name:
        of_table = named_measure(ours or name)  # higher is better: negative where lower is
        fact = SUMMARIES.get(ours)
        ends = (0.0, 1.0) if fact is None else fact.range
        sign = -1 if fact is not None and fact.better == "lower" else 1
        signed = ends if sign == 1 else (-ends[1], -ends[0])
        return _Reading(reads="table", function=of_table, range=signed)
    if not ours:
        known = scorer_names()
        hint = nearest(name, known) or f" Choose from {', '.join(known)}."
        msg = (
            f"There is no scorer {name!r}.{hint} With a number: 'pauc@0.1', 'net_benefit@0.2', "
            "'tpr@fpr<=0.01', 'f_score@0.5'."
        )
        raise ValueError(msg)
    return _of_measure(MEASURES[ours], "labels", MEASURES[ours].function)


def _found(name: str) -> tuple[Mapping[str, Any] | None, str]:
    """Return the registry that has a name, and our name; synonyms come after names."""
    registries: tuple[Mapping[str, Any], ...] = (_OF_CLASSES, SUMMARIES, MEASURES)
    for registry in registries:
        if name in registry:
            return registry, name
    for registry in registries:
        ours = understood(name, registry)
        if ours is not None:
            return registry, ours
    return None, ""


def _of_measure(fact: Measure, reads: Reads, function: Callable[..., Any]) -> _Reading:
    if fact.better == "neither":
        msg = f"Neither high nor low {fact.name} is better, so it cannot choose between models."
        raise ValueError(msg)
    sign = 1 if fact.better == "higher" else -1
    return _Reading(reads=reads, function=function, range=fact.range, sign=sign)


def _reading_at(name: str, head: str, rest: str) -> _Reading:
    """Find the number of a name with "@": a part, a threshold, or a constraint."""
    span, bound = _SPAN.fullmatch(rest), _BOUND.fullmatch(rest)
    if head in _PARTS and span:
        low, high = (float(span[1]), float(span[2])) if span[2] else (0.0, float(span[1]))
        standardised = _PARTS[head]
        part = partial(partial_auc, fpr=(low, high), standardised=standardised)
        ends = (0.0, 1.0) if standardised else (0.0, high - low)
        return _Reading(reads="table", function=part, range=ends)
    if head in _BENEFITS and span and not span[2]:
        at = check_one_fraction("the threshold of net_benefit", float(span[1]))
        benefit = partial(net_benefit, threshold=at, standardised=_BENEFITS[head])
        least = -at / (1 - at) if at < 1 and not _BENEFITS[head] else float("-inf")
        return _Reading(reads="table", function=benefit, range=(least, 1.0))
    ours = understood(head, MEASURES)
    if ours is not None and span and not span[2]:
        return _of_measure(MEASURES[ours], "table", partial(_at_threshold, ours, float(span[1])))
    if ours is not None and bound and ours in CRITERIA:
        limit = Constraint(bound[1], bound[2], float(bound[3]))  # type: ignore[arg-type]
        return _of_measure(MEASURES[ours], "table", partial(_within, ours, limit))
    msg = (
        f"No scorer is called {name!r}. Write 'pauc@0.1' or 'pauc@0.05-0.2' (a range of fpr), "
        "'net_benefit@0.2' (a threshold), 'tpr@fpr<=0.01' (the best that meets a constraint) or "
        "'f_score@0.5' (a measure at a threshold)."
    )
    raise ValueError(msg)


def _at_threshold(name: str, at: float, table: ScoreTable, **options: Any) -> Any:
    """Return a measure at a threshold of the score."""
    return MEASURES[name].function(point_at(table, at), **options)


def _within(name: str, limit: Constraint, table: ScoreTable, **options: Any) -> Any:
    """Return the best value of a measure among the thresholds that meet a constraint."""
    point = optimal_points(table, criterion=name, subject_to=limit)[0]
    return MEASURES[name].function(point, **options)


def _of_labels(
    measure: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    **options: Any,
) -> float:
    """Return a measure of decisions; by default the last label is positive, as in ``classes_``."""
    label, called = np.asarray(y_true), np.asarray(y_pred)
    if pos_label is None:
        known = np.unique(np.concatenate([label, called]))
        if known.size != 2:
            msg = f"Here are only cases of {known[0]!r}. Say which label is positive: pos_label=."
            raise ValueError(msg)
        pos_label = known[1]
    given = confusion_matrix(label == pos_label, called == pos_label, sample_weight=sample_weight)
    return float(_reading(measure).function(given, **options))


# --- the scorer -----------------------------------------------------------------------------------


@explained
def scorer_names() -> tuple[str, ...]:
    """Return the names of all scorers without a number.

    Returns
    -------
    tuple of str
        Summaries of scores, measures of labels, and measures of several classes.

    References
    ----------
    No source: a plain list.

    Examples
    --------
    >>> {"auc", "matthews", "hand_till"} <= set(scorer_names())
    True
    """
    decided = (name for name, fact in MEASURES.items() if fact.better != "neither")
    return (*SUMMARIES, *decided, *_OF_CLASSES)


class Scorer(BaseEstimator):
    """A scorer for scikit-learn: called with a fitted model, features and labels.

    Parameters
    ----------
    measure : str
        A name, as for `scorer`.
    pos_label : object, optional
        The positive class; by default the second of the model's ``classes_``.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Which scores of the model; "auto" takes probabilities if there are any.
    options : mapping, optional
        Further arguments of the function of the measure.

    See Also
    --------
    scorer

    Notes
    -----
    ``set_score_request(sample_weight=True)`` asks for weights where metadata routing is enabled.
    """

    __metadata_request__score: ClassVar[dict[str, Any]] = {"estimator": UNUSED}

    def __init__(
        self,
        measure: str,
        *,
        pos_label: object = None,
        response_method: Response = "auto",
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.measure = measure
        self.pos_label = pos_label
        self.response_method = response_method
        self.options = options

    def __call__(
        self, estimator: Any, X: Any, y_true: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the measure of a fitted model, as `score` does."""
        return self.score(estimator, X, y_true, sample_weight)

    def score(
        self, estimator: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return the measure of a fitted model, negative where lower is better.

        Parameters
        ----------
        estimator : classifier or regressor
            Fitted.
        X : array, sparse matrix, data frame or list, n rows
            Features.
        y : array-like, shape (n,)
            Labels.
        sample_weight : array-like, shape (n,), optional
            Weight of each case.

        Returns
        -------
        float
            As calling the scorer itself.

        Raises
        ------
        TypeError, ValueError
            If the measure does not suit the model or the classes.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from rocspace.estimators import scorer
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> round(scorer("auc").score(GaussianNB().fit(X, y), X, y), 3)
        0.989
        """
        reading, options = _reading(self.measure), dict(self.options or {})
        y = np.asarray(y)
        if reading.reads == "classes":
            if not hasattr(estimator, "predict_proba"):
                msg = f"{type(estimator).__name__} has no predict_proba; {self.measure} needs it."
                raise TypeError(msg)
            given: Any = multiclass_scores(
                y,
                np.asarray(estimator.predict_proba(X), dtype=np.float64),
                estimator.classes_.tolist(),
                sample_weight=sample_weight,
            )
        else:
            positive = self._positive(estimator)
            label = y == positive
            if reading.reads == "labels":
                called = np.asarray(estimator.predict(X)) == positive
                given = confusion_matrix(label, called, sample_weight=sample_weight)
            else:
                score = self._score(estimator, X, positive)
                given = tabulate(label, score, sample_weight=sample_weight)
        return reading.sign * float(reading.function(given, **options))

    def _positive(self, estimator: Any) -> Any:
        """Return the label of the positive class."""
        known = getattr(estimator, "classes_", None)
        if known is not None and len(known) > 2:
            msg = (
                f"{self.measure!r} is for two classes, and the model knows {len(known)}. Use "
                'scorer("hand_till"), scorer("one_vs_rest") or scorer("class_cost").'
            )
            raise ValueError(msg)
        if self.pos_label is not None:
            return self.pos_label
        return 1 if known is None else known[-1]

    def _score(self, estimator: Any, X: Any, positive: Any) -> Array:
        if is_regressor(estimator):
            return np.asarray(estimator.predict(X))
        return scores_of(estimator, X, positive, self.response_method)

    # What scikit-learn's TunedThresholdClassifierCV reads of a scorer, under these names.

    @property
    def _score_func(self) -> Callable[..., float]:
        if _reading(self.measure).reads != "labels":
            msg = (
                f"{self.measure!r} does not depend on a threshold that is tried. Name a measure of "
                'decisions, such as scorer("matthews"); or say rocspace.estimators.'
                'ThresholdClassifier(model, criterion="matthews").'
            )
            raise AttributeError(msg)
        return partial(_of_labels, self.measure)

    @property
    def _sign(self) -> int:
        return _reading(self.measure).sign

    @property
    def _kwargs(self) -> dict[str, Any]:
        told = {} if self.pos_label is None else {"pos_label": self.pos_label}
        return dict(self.options or {}) | told

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value that the scorer can return."""
        reading = _reading(self.measure)
        low, high = reading.range
        return (low, high) if reading.sign == 1 else (-high, -low)


@explained
def scorer(
    measure: str,
    *,
    pos_label: object = None,
    response_method: Response = "auto",
    **options: Any,
) -> Scorer:
    """Return a scorer for ``scoring=`` of scikit-learn, by name.

    Parameters
    ----------
    measure : str
        A summary of scores: any of `rocspace.SUMMARIES`, such as "auc" and "average_precision",
        "lambda_auc:0.02", or a part of the area, "pauc@0.1" or "pauc@0.05-0.2" (over fpr;
        "standardised_pauc@0.1" is scikit-learn's ``max_fpr``), or "net_benefit@0.2". A measure of
        labels: any of `rocspace.MEASURES`, of what the model predicts ("f_score"), at a threshold
        of its score ("f_score@0.3"), or the best at thresholds that meet a constraint
        ("tpr@fpr<=0.01"). For several classes: "hand_till", "mu_auc", "one_vs_rest", "pdi", "hum",
        and "class_cost", the cost of `rocspace.multiclass.decide_classes`. Other names of the field
        work, too.
    pos_label : object, optional
        The positive class; by default the second of the model's ``classes_``.
    response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
        Which scores of the model; "auto" takes probabilities if there are any. Regressors are
        scored by what they predict.
    **options
        Further arguments of the function of the measure, such as ``beta=2`` of "f_beta".

    Returns
    -------
    Scorer
        Higher is better: for a measure of which lower values are better it returns the negative.

    Raises
    ------
    ValueError
        If there is no such scorer, or neither end of the measure is better.

    Notes
    -----
    The numbers are those of the functions. A measure that is undefined is nan, which scikit-learn's
    searches put last. The best of many thresholds, chosen on the same cases that evaluate it, is
    optimistic; only a little where the constraint alone decides the threshold.

    References
    ----------
    Those of each measure.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> for name in ("auc", "pauc@0.1", "tpr@fpr<=0.05", "brier_score"):
    ...     print(name, cross_val_score(GaussianNB(), X, y, scoring=scorer(name)).mean().round(4))
    auc 0.9874
    pauc@0.1 0.0919
    tpr@fpr<=0.05 0.9383
    brier_score -0.0559
    """
    given: Any = measure
    if not isinstance(given, str):
        msg = f'measure is {shown(measure)}, but must be a name, as in scorer("auc").'
        raise TypeError(msg)
    reading = _reading(measure)
    if "max_fpr" in options:
        msg = (
            f"scorer has no argument 'max_fpr'. Say scorer(\"pauc@{options['max_fpr']}\"), with "
            "standardised=True for the number that scikit-learn returns."
        )
        raise TypeError(msg)
    if options and reading.reads != "classes":  # an argument that there is not: now, not in folds
        of_labels = reading.reads == "labels"
        reading.function((confusion_matrix if of_labels else tabulate)([0, 1], [0, 1]), **options)
    check_choice("response_method", response_method, Response)
    return Scorer(
        measure, pos_label=pos_label, response_method=response_method, options=options or None
    )
