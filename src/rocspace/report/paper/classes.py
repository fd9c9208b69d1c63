"""Tables of several classes: their areas, their volume, and what is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace._base.calls import explained
from rocspace._base.checks import check_level
from rocspace.multiclass.cases import MulticlassScores, OrderedScores, need_classes
from rocspace.multiclass.pairs import hand_till_estimate
from rocspace.multiclass.volumes import vus_estimate
from rocspace.report.classes.areas import TITLES, VOLUMES
from rocspace.report.classes.confusion import decided
from rocspace.report.classes.numbers import plain_classifier, texts_of
from rocspace.report.paper.parts import PaperTable, Part, interval_name, table_of

AREAS = {key: title for key, (title, _) in TITLES.items() if key not in VOLUMES}


@explained
def classes_table(data: MulticlassScores, *, level: float = 0.95) -> PaperTable:
    """Areas of several classes: of all of them, of each against the rest, and of each pair.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        A column for each classifier, with intervals in brackets.

    Raises
    ------
    SingleClassError, TypeError
        If fewer than two classes have cases, or the data are of another kind.
    ValueError
        If the level is outside (0, 1).

    Warns
    -----
    UserWarning
        If a class has no cases.

    References
    ----------
    Hand and Till (2001), equations 3 to 7, for the areas; the layout has no source.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> classes_table(multiclass_scores(9 * y, 9 * p)).parts[0].rows[0]
    ('Hand and Till', '0.875 (0.778 to 0.934)')
    """
    need_classes("classes_table", data)
    check_level(level)
    found = [plain_classifier(data, name, level) for name in data.names]

    def row(name: str, each: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        ends = [(one["value"], one["interval"]["low"], one["interval"]["high"]) for one in each]
        return (name, *("{} ({})".format(*words.estimate(*one)) for one in ends))

    areas = [row(AREAS[key], [each["areas"][key] for each in found]) for key in AREAS]
    against = zip(*(each["against_the_rest"] for each in found), strict=True)
    pairs = zip(*(each["pairs"] for each in found), strict=True)
    parts = {
        "Area": areas,
        "Class against the rest": [row(each[0]["label"], each) for each in against],
        "Pair of classes": [
            row(f"{each[0]['first']} and {each[0]['second']}", each) for each in pairs
        ],
    }
    return PaperTable(
        caption="Areas of several classes",
        parts=tuple(
            Part(header=(title, *data.names), rows=tuple(rows)) for title, rows in parts.items()
        ),
        note=f"{interval_name(level)} in brackets.",
    )


@explained
def ordered_table(data: OrderedScores, *, level: float = 0.95) -> PaperTable:
    """Volumes under the ROC surface of markers of ordered classes, and mean areas of their pairs.

    Parameters
    ----------
    data : OrderedScores
        One or more markers.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        A row for each marker, with intervals in brackets.

    Raises
    ------
    SingleClassError, TypeError
        If a class has no cases, or the data are of another kind.
    ValueError
        If the level is outside (0, 1).

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone, for the volume; Hand and Till (2001),
    equation 7, for the mean of pairs; the layout has no source.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> score = [1, 3, 2, 4, 2, 5, 6, 4, 7]
    >>> data = ordered_scores([0, 0, 0, 1, 1, 1, 2, 2, 2], score, order=[0, 1, 2])
    >>> ordered_table(data).caption
    'Volumes under the ROC surface, 0 < 1 < 2'
    """
    check_level(level)
    rows = []
    for name in data.names:
        found = [make(data, name) for make in (vus_estimate, hand_till_estimate)]
        texts = [words.estimate(each.value, *each.interval(level)) for each in found]
        rows.append((name, *("{} ({})".format(*each) for each in texts)))
    return table_of(
        f"Volumes under the ROC surface, {' < '.join(map(str, data.classes))}",
        ("Score", "Volume", "Mean of pairs"),
        rows,
        f"{interval_name(level)} in brackets.",
    )


@explained
def decisions_table(
    data: MulticlassScores, name: str | None = None, *, level: float = 0.95
) -> PaperTable:
    """Cross tabulation of several classes with what the largest column calls each case.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    name : str, optional
        The classifier; not needed where there is only one.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.

    Returns
    -------
    PaperTable
        A row for each class and a column for what it was called, with recall; precision below.

    Raises
    ------
    SingleClassError, TypeError
        If fewer than two classes have cases, or the data are of another kind.
    ValueError
        If the level is outside (0, 1), or the classifier is unknown or not named.

    References
    ----------
    No source: counts; the intervals are those of `rocspace.inference.rate_interval`.

    Examples
    --------
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> decisions_table(multiclass_scores(y, p)).parts[0].rows[0]
    ('0', '1', '1', '0', '0.500 (0.013 to 0.987)')
    """
    need_classes("decisions_table", data)
    check_level(level)
    name = data.names[data.classifier(name)]
    found = decided(data, name, level)
    labels = list(texts_of(data.classes).values())

    def said(rate: Mapping[str, Any]) -> str:
        if rate["value"] is None:
            return words.NOTHING
        return "{} ({})".format(*words.estimate(rate["value"], rate["low"], rate["high"]))

    rows = [
        (label, *map(words.count, counts), said(recall))
        for label, counts, recall in zip(labels, found["counts"], found["recall"], strict=True)
    ]
    rows.append(("Precision", *map(said, found["precision"]), ""))
    several = f" by {name}" if len(data.names) > 1 else ""
    return table_of(
        f"Classes and decisions{several}",
        ("Class", *labels, "Recall"),
        rows,
        f"Each case is called by its largest column; {interval_name(level)} in brackets.",
    )
