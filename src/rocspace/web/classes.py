"""Labels of several classes: columns for each or an order, and what is made of all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rocspace._base import text as words
from rocspace.compare.areas import AucComparison
from rocspace.io.cases import Reading, labels_in, scores_by_default
from rocspace.io.files import Column
from rocspace.multiclass.cases import MulticlassScores, OrderedScores
from rocspace.multiclass.files import (
    MOST,
    ByClass,
    FileClasses,
    FileOrdered,
    class_columns,
    keep_classes,
    keep_ordered,
)
from rocspace.report.plain import plain_comparison, plain_estimate
from rocspace.web.choices import Choice
from rocspace.web.lines import class_lines
from rocspace.web.problems import Fix, Problem
from rocspace.web.said import Answer, clustered_table, keep_report, of_area

_AT_FIRST = 4  # classifiers that are ticked without asking
_STEPS = 10  # classes that can be put in an order
_NO_GROUPS = Problem(
    field="by",
    message="Subgroups are for two classes. Look at all cases, or choose one class as positive.",
    fixes=(Fix(words="All cases together", change={"by": None}),),
)
_READING = Reading()
ByLabel = Mapping[str, ByClass]


# --- which columns belong to the classes ----------------------------------------------------------


def columns_by_label(path: str, columns: Sequence[Column]) -> dict[str, dict[str, dict[str, str]]]:
    """Return the column of each class, by classifier, for each column that may be the label."""
    kinds = {each.name: each.kind for each in columns}
    found = {}
    for label in columns:
        names = scores_by_default(kinds, (label.name,))
        if _may_have_classes(label) and len(names) >= (label.distinct or 0):
            labels = [
                str(each) for each in labels_in(path, label.name, most=MOST, reading=_READING)
            ]
            if by_class := class_columns(labels, names):
                found[label.name] = by_class
    return found


def _may_have_classes(column: Column) -> bool:
    whole = column.kind == "number" and all(each.lstrip("-").isdigit() for each in column.examples)
    return 2 < (column.distinct or 0) <= MOST and (column.kind == "text" or whole)


def all_columns(by_class: ByClass, *, most: int | None = None) -> list[str]:
    """Return the columns of the first classifiers, or of all of them."""
    return [name for each in list(by_class.values())[:most] for name in each.values()]


def ticked_at_first(by_class: ByClass) -> tuple[list[str], str]:
    """Return the columns to begin with, and why these."""
    columns = all_columns(by_class, most=_AT_FIRST)
    last = columns[: len(next(iter(by_class.values())))][-1]
    why = f"These are named after the classes, {columns[0]} to {last}."
    if len(by_class) > _AT_FIRST:
        why = f"The first {_AT_FIRST} of {len(by_class)} classifiers are ticked. {why}"
    return columns, why


def ticked_classifiers(by_class: ByClass, scores: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the classifiers of which a column is ticked."""
    return {
        name: dict(columns)
        for name, columns in by_class.items()
        if set(columns.values()) & set(scores)
    }


def class_problems(by_class: ByClass, choice: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what keeps a choice from giving a report of all classes."""
    scores = choice.get("scores") or []
    ticked = ticked_classifiers(by_class, scores)
    wanted = all_columns(ticked)
    if lacking := [name for name in wanted if name not in scores]:
        fix = Fix(words=f"Tick {_and(lacking)}", change={"scores": wanted})
        said = f"For all classes at once, each class needs its column: also tick {_and(lacking)}."
        yield Problem(field="scores", message=said, fixes=(fix,))
    elif strays := [name for name in scores if name not in wanted]:
        fix = Fix(
            words=f"Leave out {_and(strays)}",
            change={"scores": wanted or all_columns(by_class, most=_AT_FIRST)},
        )
        said = f"For all classes at once, columns of no class cannot be used: {_and(strays)}."
        yield Problem(field="scores", message=said, fixes=(fix,))
    if choice.get("by"):
        yield _NO_GROUPS
    if choice.get("lower"):
        fix = Fix(words="Higher values speak for the class", change={"lower": []})
        said = (
            "With a column for each class, a higher value speaks for that class. Lower values "
            "cannot be set as positive."
        )
        yield Problem(field="scores", message=said, fixes=(fix,))


def order_shown(label: Column) -> list[str]:
    """Return the values of a label in the order in which the page shows them at first, if any."""
    values = [value for value, _ in label.counts]
    if not 2 < len(values) <= _STEPS or label.kind not in ("text", "number"):
        return []
    return sorted(values, key=float) if label.kind == "number" else sorted(values)


def order_problems(label: Column, choice: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what keeps a choice from giving a report of classes in an order."""
    order, values = list(choice["order"]), order_shown(label)
    if sorted(order) != sorted(values):
        fixes = (Fix(words=f"Take {_and(values)}", change={"order": values}),) if values else ()
        said = (
            f"The order is {_and(order)}, and column “{label.name}” has "
            f"{_and(values) if values else 'not three to ten values'}. Name each value once."
        )
        fixes = fixes or (Fix(words="No order", change={"order": []}),)
        yield Problem(field="positive", message=said, fixes=fixes)
    if choice.get("by"):
        yield _NO_GROUPS


def _and(names: Sequence[str]) -> str:
    return ", ".join(f"“{each}”" for each in names)


def how_columns_are_called(labels: Sequence[str]) -> str:
    """Say what a file needs for a report of all classes."""
    wanted = ", ".join(f"“p_{each}”" for each in labels[:3])
    more = " and so on" if len(labels) > 3 else ""
    return (
        "For all classes at once, the file needs a column of scores for each of them, with one "
        f"prefix: {wanted}{more}."
    )


# --- what is made of them -------------------------------------------------------------------------


def read_classes(path: str, chosen: Choice, name: str, *, clustered: bool = False) -> FileClasses:
    """Read the chosen columns of all classes; rows that belong together only where asked for."""
    assert chosen.label is not None
    labels = labels_in(path, chosen.label, most=MOST, reading=_READING)
    classes = {str(each): each for each in labels}
    read = keep_classes(
        path,
        label=chosen.label,
        classes=classes,
        columns=class_columns(list(classes), chosen.scores),
        weight=chosen.weight,
        cluster=chosen.cluster if clustered else None,
        missing=chosen.missing,
        reading=_READING,
    )
    source = {**read.source, "file": name, "columns": read.columns}
    return FileClasses(data=read.data, source=source, columns=read.columns)


def read_order(path: str, chosen: Choice, name: str, *, clustered: bool = False) -> FileOrdered:
    """Read scores of classes in an order; rows that belong together only where asked for."""
    assert chosen.label is not None
    read = keep_ordered(
        path,
        label=chosen.label,
        order=chosen.order,
        score=list(chosen.scores),
        higher_is_positive=chosen.higher,
        weight=chosen.weight,
        cluster=chosen.cluster if clustered else None,
        missing=chosen.missing,
        reading=_READING,
    )
    turned = [each for each in chosen.scores if each in chosen.lower]
    more = {"lower_is_positive": turned} if turned else {}
    return FileOrdered(data=read.data, source={**read.source, "file": name, **more})


def make_ordered_report(path: str, *, name: str, choice: Choice, folder: str, **how: Any) -> Answer:
    """Write the page and the numbers of classes in an order into a folder."""
    from rocspace.report import summarise

    found = read_order(path, choice, name)
    summary = summarise(found.data, source=found.source, level=choice.level)
    keep_report(summary, folder, str(how.get("title") or name))
    areas = {each["name"]: each["vus"] for each in summary["scores"]}
    example = how.get("example") is not None
    return {
        "notes": [],
        "fixes": [],
        "area": f"Volume under the ROC surface ({' < '.join(choice.order)}) by",
        "scores": _briefly(areas, choice),
        "clusters": None if choice.cluster is None else _ordered_clusters(path, choice, name),
        "lines": class_lines(name, choice, example=example, several=len(areas) > 1),
    }


def _briefly(areas: Mapping[str, Any], choice: Choice) -> list[Answer]:
    level = words.level_text(choice.level)
    return [{**of_area(each, area), "level": level} for each, area in areas.items()]


def make_class_report(path: str, *, name: str, choice: Choice, folder: str, **how: Any) -> Answer:
    """Write the page and the numbers of several classes into a folder; say how they were made."""
    from rocspace.report import summarise

    found = read_classes(path, choice, name)
    summary = summarise(found.data, source=found.source, level=choice.level)
    keep_report(summary, folder, str(how.get("title") or name))
    areas = {each["name"]: each["areas"]["hand-till"] for each in summary["classifiers"]}
    return {
        "notes": [],
        "fixes": [],
        "area": f"Mean area of all pairs of the {len(summary['classes'])} classes by",
        "scores": _briefly(areas, choice),
        "clusters": None if choice.cluster is None else _clustered(path, choice, name),
        "lines": class_lines(
            name, choice, example=how.get("example") is not None, several=len(areas) > 1
        ),
    }


def _clustered(path: str, choice: Choice, name: str) -> Answer:
    """Return the mean areas with intervals that allow for clusters, and their differences."""
    from rocspace.multiclass.pairs import hand_till_estimate
    from rocspace.multiclass.several import compare_classifiers

    data = read_classes(path, choice, name, clustered=True).data
    if len(data.names) > 1:
        return _of_pairs(compare_classifiers(data), choice)
    (one,) = data.names
    areas = {one: plain_estimate(hand_till_estimate(data), choice.level)}
    return clustered_table(areas, [], choice)


def _ordered_clusters(path: str, choice: Choice, name: str) -> Answer:
    """Return the volumes with intervals that allow for clusters, and their differences."""
    from rocspace.multiclass.several import compare_classifiers
    from rocspace.multiclass.volumes import vus_estimate

    data = read_order(path, choice, name, clustered=True).data
    if len(data.names) > 1:
        return _of_pairs(compare_classifiers(data, measure="vus"), choice)
    (one,) = data.names
    return clustered_table({one: plain_estimate(vus_estimate(data), choice.level)}, [], choice)


def _of_pairs(compared: AucComparison, choice: Choice) -> Answer:
    described = plain_comparison(compared, choice.level)
    areas = {each["name"]: each["auc"] for each in described["scores"]}
    return clustered_table(areas, described["pairs"], choice)


# --- two files ------------------------------------------------------------------------------------


def compare_files(sides: Mapping[str, tuple[str, str, Choice]]) -> tuple[AucComparison, list[int]]:
    """Compare a classifier of several classes in two files; also return how many cases each has.

    `sides` has the path, the name and the choice of each file, by the title of the sample.
    """
    from rocspace.multiclass.several import compare_classifiers

    samples: dict[str, MulticlassScores | OrderedScores] = {}
    for title, (path, name, choice) in sides.items():
        read = read_order if choice.order else read_classes
        samples[title] = read(path, choice, name, clustered=choice.cluster is not None).data
    first = next(iter(samples.values()))
    measure: Any = "vus" if isinstance(first, OrderedScores) else "hand-till"
    return compare_classifiers(samples, measure=measure), [len(each) for each in samples.values()]
