"""Labels of several classes, and a column of scores for each class, by one classifier or more."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector, as_block, as_vector
from rocspace._base.calls import explained
from rocspace._base.cases import MissingPolicy, check_cases, exact_type, named_columns
from rocspace._base.frozen import Result, a_kind_of, own
from rocspace._base.words import counted, distinct_values, listed_values, warn
from rocspace.counts.table import ScoreTable, SingleClassError, tabulate

_LISTED = 60  # characters of names that a repr may take
_MAKE = "multiclass_scores(y_true, scores)"


class ScoresOfClasses(Result):
    """Cases of several classes and their scores: what is the same for any number of columns."""

    label: Ints
    score: Array
    classes: tuple[Hashable, ...]
    names: tuple[str, ...]
    weight: Vector | None = None
    cluster: Ints | None = None

    def __len__(self) -> int:
        """Return the number of cases."""
        return int(self.label.size)

    def _cases(self) -> str:
        """Return the classes in the order of the columns, if they fit, and the number of cases."""
        listed = ", ".join(map(str, self.classes))
        shown = f" ({listed})" if len(listed) <= _LISTED else ""
        return f"{len(self.classes)} classes{shown}, {counted(len(self), 'case')}"

    def _with_cases(self, scores: dict[str, Any]) -> dict[str, Any]:
        """Return the label, the scores, and the weight and the cluster if there are any."""
        labels = np.array(self.classes, dtype=object)[self.label]
        cases = {"label": labels.tolist()} | scores
        return cases | {
            name: column
            for name, column in (("weight", self.weight), ("cluster", self.cluster))
            if column is not None
        }

    @property
    def case_weight(self) -> Vector:
        """Weight of each case; 1 where there are none."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @cached_property
    def sizes(self) -> Vector:
        """Number of cases of each class, or the sum of their weights."""
        return own(np.bincount(self.label, self.weight, len(self.classes)).astype(np.float64))

    def classifier(self, name: str | None = None) -> int:
        """Return which classifier has a name.

        Parameters
        ----------
        name : str, optional
            The name; not needed where there is only one.

        Returns
        -------
        int
            Its place in ``names``.

        Raises
        ------
        ValueError
            If there is no such classifier, or there are several and none is named.

        Examples
        --------
        >>> from rocspace.multiclass import multiclass_scores
        >>> data = multiclass_scores(["a", "b"], [[0.8, 0.2], [0.3, 0.7]])
        >>> data.classifier()
        0
        """
        return self.names.index(checks.name_or_only(name, self.names, "classifier"))

    def place(self, label: Hashable) -> int:
        """Return which column belongs to a class.

        Parameters
        ----------
        label : object
            The label of the class.

        Returns
        -------
        int
            Its place in ``classes``.

        Raises
        ------
        ValueError
            If there is no such class.

        Examples
        --------
        >>> from rocspace.multiclass import multiclass_scores
        >>> data = multiclass_scores(["a", "b"], [[0.8, 0.2], [0.3, 0.7]])
        >>> data.place("b")
        1
        """
        checks.check_choice("class", label, self.classes)
        return self.classes.index(label)


class MulticlassScores(ScoresOfClasses):
    """Scores of cases of several classes, one column for each class.

    Attributes
    ----------
    label : ndarray of int64, shape (n,)
        The class of each case, as a place in ``classes``.
    score : ndarray, shape (n, m, k)
        ``score[c, a, i]``: how strongly classifier a says that case c is of class i; larger is
        stronger. Rows need not sum to 1.
    classes : tuple, length k
        The labels of the classes, in the order of the columns.
    names : tuple of str, length m
        One name for each classifier.
    weight : ndarray of float64, shape (n,), or None
        Weights of the cases.
    cluster : ndarray of int64, shape (n,), or None
        Cases with the same number belong together (one patient, one image).

    See Also
    --------
    multiclass_scores

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> data = multiclass_scores(["a", "b", "c"], [[.8, .1, .1], [.3, .6, .1], [.2, .2, .6]])
    >>> data
    MulticlassScores(3 classes (a, b, c), 3 cases, 1 classifier)
    >>> data.table("a", "b").score
    array([0.8, 0.3])
    """

    def _about(self) -> str:
        return f"{self._cases()}, {counted(len(self.names), 'classifier')}"

    def _columns(self) -> dict[str, Any]:
        """Return the label, each score, and the weight and the cluster if there are any."""
        many = len(self.names) > 1
        return self._with_cases(
            {
                f"{name}: {each}" if many else str(each): self.score[:, a, i]
                for a, name in enumerate(self.names)
                for i, each in enumerate(self.classes)
            }
        )

    def column(self, label: Hashable, name: str | None = None) -> Array:
        """Return the scores for one class by one classifier.

        Parameters
        ----------
        label : object
            The label of the class.
        name : str, optional
            The classifier; not needed where there is only one.

        Returns
        -------
        ndarray, shape (n,)
            A score for each case.

        Raises
        ------
        ValueError
            If there is no such class or classifier.
        """
        return self.score[:, self.classifier(name), self.place(label)]

    def table(
        self, positive: Hashable, negative: Hashable | None = None, *, name: str | None = None
    ) -> ScoreTable:
        """Count the scores for one class: its cases against the others, or those of one other.

        Parameters
        ----------
        positive : object
            The class whose column is read and whose cases are the positives.
        negative : object, optional
            The class whose cases are the negatives; by default all other classes.
        name : str, optional
            The classifier; not needed where there is only one.

        Returns
        -------
        ScoreTable
            Counts by distinct score.

        Raises
        ------
        ValueError
            If there is no such class or classifier, both classes are one, or neither has cases.
        """
        i, column = self.place(positive), self.column(positive, name)
        if negative is None:
            return tabulate(self.label == i, column, sample_weight=self.weight)
        j = self.place(negative)
        if i == j:
            msg = f"The classes are {positive!r} and {negative!r}. Name two different ones."
            raise ValueError(msg)
        both = (self.label == i) | (self.label == j)
        weight = None if self.weight is None else self.weight[both]
        return tabulate(self.label[both] == i, column[both], sample_weight=weight)


@explained
def multiclass_scores(
    y_true: ArrayLike,
    scores: ArrayLike,
    classes: Sequence[Hashable] | None = None,
    *,
    names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    missing: MissingPolicy = "raise",
) -> MulticlassScores:
    """Put labels of several classes beside the scores for each class.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        The class of each case: numbers or texts.
    scores : array-like of shape (n, k), mapping or data frame
        One column for each class: a larger score speaks for that class rather than another. Rows
        need not sum to 1. A mapping or data frame names its columns by class, in any order. For
        several classifiers give a mapping of their names to such scores.
    classes : sequence, optional
        The label of each column, in order; it may have classes without cases. By default columns
        that have names belong to the classes of those names (a common prefix such as ``p_`` does
        not count), other columns to the sorted labels, as in scikit-learn's ``predict_proba``.
    names : sequence of str, optional
        Names of the classifiers; by default those of the mapping, or "score".
    sample_weight : array-like, shape (n,), optional
        Weights of the cases, zero or more.
    cluster : array-like, shape (n,), optional
        Values that are equal for cases that belong together.
    missing : {"raise", "omit"}, default "raise"
        What to do with cases that lack a value: refuse them, or leave them out.

    Returns
    -------
    MulticlassScores
        The checked, read-only data.

    Raises
    ------
    ValueError, TypeError
        If the columns do not fit the classes, a label has no column, or as `rocspace.tabulate`.

    Notes
    -----
    O(m k n). Scores keep their type; columns of several types get one that holds all of them.

    References
    ----------
    Fawcett (2006), section 9.1, on more than two classes.

    Examples
    --------
    >>> import numpy as np
    >>> y = ["cat", "dog", "cow", "dog"]
    >>> by_name = {"p_dog": [.1, .7, .2, .5], "p_cat": [.8, .2, .2, .3], "p_cow": [.1, .1, .6, .2]}
    >>> data = multiclass_scores(y, by_name)
    >>> data.classes
    ('cat', 'cow', 'dog')
    >>> data.column("dog")
    array([0.1, 0.7, 0.2, 0.5])
    """
    array, absent = as_vector(y_true, "y_true")
    y_true = array if absent is None else np.ma.MaskedArray(array, absent)
    of_classifiers = _by_classifier(scores, names)
    known = None if classes is None else checked_classes(classes)
    if known is None:
        known = _classes_of(array, absent, next(iter(of_classifiers.values())))
    columns: dict[str, ArrayLike] = {}
    for name, block in of_classifiers.items():
        says = "scores" if len(of_classifiers) == 1 else f"scores[{name!r}]"
        for label, column in zip(known, in_order(block, known, says), strict=True):
            columns[f"{says}, class {label!r}"] = column
    cases = check_cases(
        y_true,
        columns,
        sample_weight=sample_weight,
        cluster=cluster,
        missing=missing,
        as_labels=lambda labels: places_of(labels, known),
    )
    n, m, k = cases.label.size, len(of_classifiers), len(known)
    # Each column lies in one piece, since sorting reads columns.
    held = np.empty((m, k, n), dtype=exact_type(*cases.scores))
    for at, column in enumerate(cases.scores):
        held[at // k, at % k] = column
    return MulticlassScores(
        label=cases.label,
        score=own(held.transpose(2, 0, 1)),
        classes=known,
        names=tuple(of_classifiers),
        weight=cases.weight,
        cluster=cases.cluster,
    )


class OrderedScores(ScoresOfClasses):
    """Scores of cases of several classes that have an order, one score a marker.

    Attributes
    ----------
    label : ndarray of int64, shape (n,)
        The class of each case, as a place in ``classes``.
    score : ndarray, shape (n, m)
        ``score[c, a]``: marker a of case c; larger means a later class.
    classes : tuple, length k
        The labels of the classes, in their order.
    names : tuple of str, length m
        One name for each marker.
    weight : ndarray of float64, shape (n,), or None
        Weights of the cases.
    cluster : ndarray of int64, shape (n,), or None
        Cases with the same number belong together (one patient, one image).

    See Also
    --------
    ordered_scores

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> ordered_scores(["mild", "none", "severe"], [2, 1, 5], order=["none", "mild", "severe"])
    OrderedScores(3 classes (none, mild, severe), 3 cases, 1 marker)
    """

    def _about(self) -> str:
        return f"{self._cases()}, {counted(len(self.names), 'marker')}"

    def _columns(self) -> dict[str, Any]:
        """Return the label, each marker, and the weight and the cluster if there are any."""
        return self._with_cases({name: self.score[:, a] for a, name in enumerate(self.names)})


@explained
def ordered_scores(
    y_true: ArrayLike,
    scores: ArrayLike,
    order: Sequence[Hashable],
    *,
    names: Sequence[str] | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    missing: MissingPolicy = "raise",
) -> OrderedScores:
    """Put labels of classes that have an order beside one score of each case, or several markers.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        The class of each case: numbers or texts.
    scores : array-like of shape (n,) or (n, m), mapping or data frame
        A score for each case, or a column for each of several markers. A larger score means a later
        class; negate a marker that falls.
    order : sequence
        All labels, from the class with the smallest scores to that with the largest.
    names : sequence of str, optional
        Names of the markers; by default those of the columns, or "score".
    sample_weight : array-like, shape (n,), optional
        Weights of the cases, zero or more.
    cluster : array-like, shape (n,), optional
        Values that are equal for cases that belong together.
    missing : {"raise", "omit"}, default "raise"
        What to do with cases that lack a value: refuse them, or leave them out.

    Returns
    -------
    OrderedScores
        The checked, read-only data.

    Raises
    ------
    ValueError, TypeError
        If a label is not in the order, or as `rocspace.tabulate`.

    Notes
    -----
    O(m n). Neither the order nor the direction is ever guessed.

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone.

    Examples
    --------
    >>> grade = ["none", "mild", "none", "severe", "mild"]
    >>> data = ordered_scores(grade, [0.1, 0.4, 0.3, 0.9, 0.5], order=["none", "mild", "severe"])
    >>> data.sizes
    array([2., 2., 1.])
    """
    known = checked_classes(order, "order")
    if _names_of(scores) is None and not _is_block(scores):
        scores, names = {"score": scores}, (names or ["score"])
    columns = named_columns(scores, names)
    cases = check_cases(
        y_true,
        columns,
        sample_weight=sample_weight,
        cluster=cluster,
        missing=missing,
        as_labels=lambda labels: places_of(labels, known, "order"),
    )
    held = np.empty((len(columns), cases.label.size), dtype=exact_type(*cases.scores))
    for at, column in enumerate(cases.scores):
        held[at] = column
    return OrderedScores(
        label=cases.label,
        score=own(held.T),
        classes=known,
        names=tuple(columns),
        weight=cases.weight,
        cluster=cases.cluster,
    )


def _by_classifier(scores: Any, names: Sequence[str] | None) -> dict[str, Any]:
    """Return the scores of each classifier by its name."""
    several = isinstance(scores, Mapping) and any(_is_block(values) for values in scores.values())
    found = {str(name): values for name, values in scores.items()} if several else {"score": scores}
    if names is None:
        return found
    if len(names) != len(found) or len(set(names)) < len(names):
        msg = (
            f"names has {listed_values(list(names))}, and there "
            f"{'is' if len(found) == 1 else 'are'} {counted(len(found), 'classifier')}. "
            "Give each a name of its own; scores of several classifiers are a mapping of their "
            "names to columns."
        )
        raise ValueError(msg)
    return dict(zip(map(str, names), found.values(), strict=True))


def _is_block(values: Any) -> bool:
    """Tell whether values are several columns, and not one."""
    if isinstance(values, Mapping) or hasattr(values, "columns"):
        return True
    shape = getattr(values, "shape", None)
    if shape is not None:
        return len(shape) > 1
    first = values[0] if isinstance(values, Sequence) and len(values) else None
    return isinstance(first, Sequence | np.ndarray) and not isinstance(first, str)


def checked_classes(classes: Sequence[Hashable], name: str = "classes") -> tuple[Hashable, ...]:
    """Return the labels of two classes or more, each once; refuse anything else."""
    known = tuple(getattr(classes, "tolist", lambda: classes)())
    if isinstance(classes, str) or len(set(known)) < len(known) or len(known) < 2:
        of = "columns" if name == "classes" else "scores, the smallest first"
        msg = (
            f"{name} is {classes!r}. Give two labels or more, each once, in the order of the {of}."
        )
        raise ValueError(msg)
    return known


def _names_of(block: Any) -> list[Any] | None:
    """Return the names of columns, if they have any."""
    if isinstance(block, Mapping):
        return list(block)
    if hasattr(block, "columns") or hasattr(block, "column_names"):
        return list(getattr(block, "column_names", getattr(block, "columns", ())))
    return None


def _classes_of(array: Array, missing: Mask | None, block: Any) -> tuple[Hashable, ...]:
    """Return the labels that the columns stand for: sorted, and as named if columns have names."""
    present = array if missing is None else array[~missing]
    if present.dtype.kind == "f":
        present = present[~np.isnan(present)]
    labels = distinct_values(present)
    given = _names_of(block)
    if given is None:
        return tuple(labels)
    spelled = {str(label): label for label in labels}
    plain = _without_prefix([str(name) for name in given], spelled)
    return tuple(sorted((spelled.get(name, name) for name in plain), key=_sorted_as))


def _sorted_as(label: Any) -> tuple[bool, Any]:
    return (True, label) if isinstance(label, str) else (False, label)


def _without_prefix(names: list[str], labels: Mapping[str, Any]) -> list[str]:
    """Return column names as labels are spelled: without a prefix that all of them share."""
    if set(labels) <= set(names):
        return names
    for cut in range(1, min(map(len, names), default=0)):
        short = [name[cut:] for name in names]
        if len({name[:cut] for name in names}) == 1 and set(labels) <= set(short):
            return short
    return names


def in_order(block: Any, classes: tuple[Hashable, ...], says: str) -> list[Any]:
    """Return the column of each class."""
    given = _names_of(block)
    if given is None:
        array, missing = as_block(block, says)
        if array.ndim != 2 or array.shape[1] != len(classes):
            msg = (
                f"{says} has shape {array.shape}, and the {len(classes)} classes are "
                f"{listed_values(classes)}. Pass one column for each class; "
                "classes=[...] names columns in order, also of classes without cases."
            )
            if array.ndim == 1 or array.shape[1] == 1:
                msg += (
                    " Of one marker, whose values rise from class to class, say "
                    "ordered_scores(y_true, marker, order=[...])."
                )
            raise ValueError(msg)
        if missing is not None:
            array = np.ma.MaskedArray(array, missing)
        return list(array.T)
    wanted = {str(label): label for label in classes}
    plain = _without_prefix([str(name) for name in given], wanted)
    if sorted(plain) != sorted(wanted):
        lost = next((name for name in wanted if name not in plain), None)
        why = f"class {wanted[lost]!r} has none" if lost is not None else "some have no class"
        msg = (
            f"{says} has the columns {listed_values(given)}, but {why}. Name each "
            f"column as its class: {listed_values(classes)}; or pass classes=[...]."
        )
        raise ValueError(msg)
    return [block[given[plain.index(name)]] for name in wanted]


def places_of(
    labels: Array, classes: tuple[Hashable, ...], name: str = "classes", what: str = "y_true"
) -> Ints:
    """Return the place of each label among the classes."""
    found = np.full(labels.shape, -1, dtype=np.int64)
    for i, label in enumerate(classes):
        same = np.asarray(labels == label)
        if same.shape == labels.shape:
            found[same] = i
    unknown = np.flatnonzero(found < 0)
    if unknown.size:
        first = labels[unknown[:1]].tolist()[0]
        cure = "the label of each column" if name == "classes" else "all labels, in their order"
        msg = (
            f"{what} has the label {first!r}, which is none of the classes "
            f"{listed_values(classes)}. Pass {name}=[...] with {cure}."
        )
        raise ValueError(msg)
    return found


def need_classes(name: str, data: Any, *, one_score: bool = False) -> None:
    """Raise unless these are scores of several classes, of which two have cases.

    With `one_score` also one score of ordered classes will do.
    """
    if not isinstance(data, (MulticlassScores, OrderedScores) if one_score else MulticlassScores):
        msg = f"{name} takes MulticlassScores, not {a_kind_of(data)}: {name}({_MAKE})."
        raise TypeError(msg)
    present = int(np.count_nonzero(data.sizes))
    if present < 2:
        every = f"all {len(data)} cases are" if len(data) > 1 else "the only case is"
        msg = (
            f"{name} needs cases of two classes or more; {every} "
            f"{data.classes[int(data.label[0])]!r}."
        )
        raise SingleClassError(msg)


def warn_of_absent(data: ScoresOfClasses) -> None:
    """Warn of classes without cases, whose pairs are left out."""
    absent = [label for label, size in zip(data.classes, data.sizes, strict=True) if not size]
    if absent:
        warn(
            f"No case is of {'class' if len(absent) == 1 else 'the classes'} "
            f"{listed_values(absent)}: the pairs with {'it' if len(absent) == 1 else 'them'}"
            " are left out."
        )


_Scores = TypeVar("_Scores", bound=ScoresOfClasses)


def checked_scores(name: str, data: _Scores, direction: str | None = None) -> _Scores:
    """Return the data; those of one score where a direction can be asked for."""
    need_classes(name, data, one_score=direction is not None)
    if direction == "pairwise" and isinstance(data, MulticlassScores):
        msg = (
            'direction="pairwise" is for one score of all classes, as ordered_scores(y_true, '
            "score, order=[...]) holds; here each class has a column. Leave the direction out."
        )
        raise ValueError(msg)
    warn_of_absent(data)
    return data
