"""Cases of several classes from a file: with a column of scores for each, or in an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.cases import MissingPolicy
from rocspace._base.checks import check_directions
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.words import counted, listed_values, shown
from rocspace.io.cases import FileCases, Reading, labels_in, scores_by_default
from rocspace.io.files import read_schema
from rocspace.io.kept import keep_cases
from rocspace.io.several import Paths

if TYPE_CHECKING:
    from rocspace.multiclass.cases import MulticlassScores, OrderedScores

MOST = 100  # labels that may be classes
_READING = Reading()
ByClass = Mapping[str, Mapping[str, str]]  # the column of each class, by classifier


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileClasses:
    """The cases of a file with more than two classes.

    Attributes
    ----------
    data : MulticlassScores
        Their labels, and the scores for each class by each classifier.
    source : dict
        What was read.
    columns : dict of str to dict
        The column of each class, by the name of the classifier.
    """

    data: MulticlassScores
    source: dict[str, Any]
    columns: dict[str, dict[str, str]]


@explained
def multiclass_file(
    path: Paths,
    *,
    label: str,
    score: Sequence[str] | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    missing: MissingPolicy = "raise",
    reading: Reading = _READING,
) -> MulticlassScores:
    """Read the scores of several classes from columns of a file.

    A column belongs to the class whose label its name ends in. All columns of a classifier have the
    same prefix, such as ``p_``; several prefixes are several classifiers.

    Parameters
    ----------
    path, label, weight, reading
        As for `rocspace.io.tabulate_file`.
    score : sequence of str, optional
        The columns of scores, one for each class by each classifier; by default all numeric columns
        that have such names.
    cluster : str, optional
        The column that says which cases belong together, such as those of a patient.
    missing : {"raise", "omit"}, default "raise"
        What to do with a missing value. "omit" leaves out each case that lacks one of the columns.

    Returns
    -------
    MulticlassScores
        The classes in the order of their labels.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        As for `rocspace.io.tabulate_file`.
    ValueError
        Also if the label has more than 100 values, a class has no column, or a column no class.

    See Also
    --------
    multiclass_scores

    Notes
    -----
    The file is read twice, the first time for the labels only; all cases are kept in memory.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import datasets
    >>> from rocspace.multiclass import multiclass_file
    >>> data = multiclass_file(datasets.path("vehicle_scores"), label="obs")
    >>> data.names, data.classes
    (('nb', 'knn'), ('bus', 'opel', 'saab', 'van'))
    """
    kinds = read_schema(path, format=reading.format, separator=reading.separator)
    labels = labels_in(path, label, most=MOST, reading=reading)
    if not 2 <= len(labels) <= MOST:
        n = f"more than {MOST} values" if len(labels) > MOST else counted(len(labels), "value")
        msg = (
            f"Column {label!r} has {n}. Classes are 2 to {MOST}: name the column that says which "
            "class each case is of."
        )
        raise ValueError(msg)
    classes = {str(each): each for each in labels}
    names = list(score) if score is not None else scores_by_default(kinds, (label, weight, cluster))
    columns = class_columns(list(classes), names)
    taken = {name for each in columns.values() for name in each.values()}
    if not columns or (score is not None and taken < set(names)):
        wanted = ", ".join(f"p_{each}" for each in list(classes)[:3])
        msg = (
            "Each class needs one column of scores, named by a common prefix and its label "
            f"(as {wanted}), and no other column. Given are {listed_values(names)}."
        )
        raise ValueError(msg)
    found = keep_classes(
        path,
        label=label,
        classes=classes,
        columns=columns,
        weight=weight,
        cluster=cluster,
        missing=missing,
        reading=reading,
    )
    return found.data


def class_columns(labels: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the column of each label for each beginning of names that has one for all of them."""
    begins = [[n.removesuffix(label) for n in names if n.endswith(label)] for label in labels]
    shared = [each for each in begins[0] if all(each in others for others in begins)]
    bare = [each.rstrip("_-.: ") or "score" for each in shared]
    called = bare if len(set(bare)) == len(bare) else shared
    return {
        name: {label: begin + label for label in labels}
        for name, begin in zip(called, shared, strict=True)
    }


def keep_classes(
    path: Paths,
    *,
    label: str,
    classes: Mapping[str, Any],
    columns: ByClass,
    weight: str | None,
    cluster: str | None,
    missing: MissingPolicy,
    reading: Reading,
) -> FileClasses:
    """Read the columns of all classes; `classes` has the label of each one by its text."""
    from rocspace.multiclass.cases import multiclass_scores

    cases = FileCases(
        path,
        label=label,
        score=[name for each in columns.values() for name in each.values()],
        pos_label=next(iter(classes)),
        weight=weight,
        missing=missing,
        reading=reading,
        beside=(label,) if cluster is None else (label, cluster),
    )
    read = keep_cases(cases, higher_is_positive={})
    scores = {
        name: {
            each: read.data.score[:, read.data.column_of(column)] for each, column in those.items()
        }
        for name, those in columns.items()
    }
    data = multiclass_scores(
        read.beside[label],
        scores,
        classes=list(classes.values()),
        sample_weight=read.data.weight,
        cluster=None if cluster is None else read.beside[cluster],
    )
    kept = {name: dict(those) for name, those in columns.items()}
    return FileClasses(data=data, source={**read.source, "positive": None}, columns=kept)


# --- classes in order ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileOrdered:
    """What a file holds of classes that have an order.

    Attributes
    ----------
    data : OrderedScores
        The cases, and one or more markers.
    source : dict
        Where they were read from.
    """

    data: OrderedScores
    source: dict[str, Any]


@explained
def ordered_file(
    path: Paths,
    *,
    label: str,
    order: Sequence[str],
    score: Sequence[str] | None = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    weight: str | None = None,
    cluster: str | None = None,
    missing: MissingPolicy = "raise",
    reading: Reading = _READING,
) -> OrderedScores:
    """Read markers of classes that have an order from columns of a file.

    Parameters
    ----------
    path, label, weight, reading
        As for `rocspace.io.tabulate_file`.
    order : sequence of str
        All labels as text, the one with the smallest scores first.
    score : sequence of str, optional
        The columns of scores; by default all numeric columns but those that look like an id.
    higher_is_positive : bool, or mapping of names to bool, default True
        False for a score that falls where the order rises; it is turned.
    cluster : str, optional
        The column that says which cases belong together, such as those of a patient.
    missing : {"raise", "omit"}, default "raise"
        What to do with a missing value. "omit" leaves out each case that lacks one of the columns.

    Returns
    -------
    OrderedScores
        The classes in the order given.

    Raises
    ------
    FileNotFoundError, IsADirectoryError, PermissionError
        As for `rocspace.io.tabulate_file`.
    ValueError
        Also if the column has a label that is not in the order.

    See Also
    --------
    ordered_scores, multiclass_file

    Notes
    -----
    The file is read once; all cases are kept in memory.

    References
    ----------
    No source: reads data, computes nothing.

    Examples
    --------
    >>> from rocspace import datasets
    >>> from rocspace.multiclass import ordered_file
    >>> data = ordered_file(
    ...     datasets.path("wdbc"),
    ...     label="label",
    ...     order=["0", "1"],
    ...     score=["mean_texture"],
    ... )
    >>> data.names, data.classes, len(data)
    (('mean_texture',), ('0', '1'), 569)
    """
    kinds = read_schema(path, format=reading.format, separator=reading.separator)
    names = list(score) if score is not None else scores_by_default(kinds, (label, weight, cluster))
    found = keep_ordered(
        path,
        label=label,
        order=order,
        score=names,
        higher_is_positive=check_directions(higher_is_positive, names),
        weight=weight,
        cluster=cluster,
        missing=missing,
        reading=reading,
    )
    return found.data


def keep_ordered(
    path: Paths,
    *,
    label: str,
    order: Sequence[str],
    higher_is_positive: Mapping[str, bool],
    reading: Reading,
    weight: str | None = None,
    cluster: str | None = None,
    **columns: Any,
) -> FileOrdered:
    """Read the scores of classes in order; `columns` are the other arguments of `FileCases`."""
    from rocspace.multiclass.cases import ordered_scores

    beside = (label,) if cluster is None else (label, cluster)
    if len(order) < 2:
        why = f" is {shown(order)}. Give two labels or more, each once, the smallest first."
        raise ArgumentError(Argument("order"), why)
    columns = {"pos_label": order[-1], **columns}
    cases = FileCases(path, label=label, weight=weight, beside=beside, reading=reading, **columns)
    read = keep_cases(cases, higher_is_positive=higher_is_positive)
    labels = np.array([as_written(each) for each in read.beside[label].tolist()], dtype=object)
    if unknown := [each for each in dict.fromkeys(labels.tolist()) if each not in order]:
        said = f" is {', '.join(order)}, and column {label!r} also has {listed_values(unknown)}."
        end = " Name all labels, the one with the smallest scores first."
        raise ArgumentError(Argument("order"), said, end)
    scores = {
        name: read.data.score[:, j] if read.data.rises(name) else -read.data.score[:, j]
        for j, name in enumerate(read.data.names)
    }
    data = ordered_scores(
        labels,
        scores,
        order=order,
        sample_weight=read.data.weight,
        cluster=None if cluster is None else read.beside[cluster],
    )
    return FileOrdered(data=data, source={**read.source, "positive": None})


def as_written(label: Any) -> str:
    """Return a label as one writes it: 2 for a column of numbers with 2.0."""
    whole = isinstance(label, float) and label.is_integer()
    return str(int(label) if whole else label)
