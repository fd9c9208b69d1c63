"""What each column of a file is probably for, and why; and what a choice of columns still lacks.

A guess is shown with its reason and can be changed. The direction of a score is never guessed, nor
a weight, nor clusters; and a positive value only where its words leave no doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rocspace._base.labels import USUAL_NAMES, positive_by_word
from rocspace._base.words import nearest
from rocspace.io.cases import scores_by_default
from rocspace.io.files import Column
from rocspace.web.classes import (
    ByLabel,
    class_problems,
    how_columns_are_called,
    order_problems,
    order_shown,
    ticked_at_first,
)
from rocspace.web.problems import Fix, Problem

_DISEASES = ("disease", "diagnosis", "ill", "status", "event", "case", "truth", "gold", "result")
_GROUPS = ("sex", "gender", "arm", "group", "site", "smoker", "treatment")  # two values, no truth
_AT_FIRST = 4  # scores that are ticked without asking
_CLASSES = 10  # values of a label that the page lists
NO_CLASSES: ByLabel = {}


_OMIT = Fix(words="Leave out rows with missing values", change={"missing": "omit"})


@dataclass(slots=True, kw_only=True)
class Guess:
    """What the columns are probably for.

    Attributes
    ----------
    label, positive : str or None
        The column of the true class, and its positive value.
    scores : list of str
        The columns of scores.
    why : dict of str to str
        The reason for each guess, or what to do where there is none.
    """

    label: str | None = None
    positive: str | None = None
    scores: list[str] = field(default_factory=list)
    why: dict[str, str] = field(default_factory=dict)


def guess(columns: Sequence[Column], by_label: ByLabel = NO_CLASSES) -> Guess:
    """Guess the label, its positive value and the scores, each with its reason.

    A label whose classes have a column each, which `by_label` says, is looked at as a whole.
    """
    found = Guess()
    found.label, found.why["label"] = _label(columns, by_label)
    by_name = {column.name: column for column in columns}
    by_class = by_label.get(found.label or "")
    if found.label is None:
        found.why["positive"] = ""
    elif by_class:
        n = by_name[found.label].distinct
        found.why["positive"] = f"Each of the {n} classes has a column of its own."
    else:
        found.positive, found.why["positive"] = guess_positive(by_name[found.label])
    if by_class:
        found.scores, found.why["scores"] = ticked_at_first(by_class)
    else:
        found.scores, found.why["scores"] = _scores(columns, found.label)
    found.why["cluster"] = _repeated(columns, (found.label, *found.scores))
    return found


def _label(columns: Sequence[Column], by_label: ByLabel) -> tuple[str | None, str]:
    usable = [each for each in columns if each.kind != "other" and _values(each) >= 1]
    named = [each.name for each in usable if each.name.lower() in USUAL_NAMES]
    if len(named) == 1:
        return named[0], "Chosen by its name."
    if by_label:
        first, *more = by_label
        also = f" {_and(more)} would fit too: check it." if more else ""
        return first, f"Chosen because there are columns named after its values.{also}"
    usable = [each for each in usable if each.name.lower() not in _GROUPS]
    two = [each.name for each in usable if _values(each) == 2]
    if len(two) == 1:
        return two[0], "Chosen because it is the only column with two values."
    if two:
        speaking = [each for each in two if each.lower() in (*USUAL_NAMES, *_DISEASES)]
        first = (speaking or two)[0]
        others = _and([each for each in two if each != first])
        return first, f"A guess: {others} also {_have(len(two) - 1)} two values. Check it."
    few = [each.name for each in usable if _is_class(each)]
    if len(few) == 1:
        return few[0], "A guess: no other column has few values. Check it."
    return None, "No column has just two values. Choose the one with the true answer for each case."


def _and(names: Sequence[str]) -> str:
    return ", ".join(names)


def _values(column: Column) -> int:
    return column.distinct or 0


def _is_class(column: Column) -> bool:
    few = 3 <= _values(column) <= min(_CLASSES, column.n // 3)
    whole = column.kind == "number" and "float" not in column.dtype
    named = scores_by_default({column.name: "number"}, ()) == [column.name]
    return few and named and (column.kind == "text" or whole)


def _have(n: int) -> str:
    return "has" if n == 1 else "have"


def guess_positive(label: Column) -> tuple[str | None, str]:
    """Return the value of a label that is positive beyond doubt, and why."""
    values = [value for value, _ in label.counts]
    folded = {value.lower(): value for value in values}
    if not folded:
        return None, "Type the value of those who have the condition that is looked for."
    if label.kind == "boolean" or set(folded) <= {"true", "false"}:
        return folded.get("true"), "true counts as positive, the condition that is looked for."
    if set(folded) in ({"0", "1"}, {"-1", "1"}):
        return "1", "1 counts as positive, the condition that is looked for."
    positive = positive_by_word(values)
    if positive is not None:
        return positive, f"A guess by the word “{positive}”. Check it."
    ask = "Choose the value of those who have the condition that is looked for."
    return None, ask


def _scores(columns: Sequence[Column], label: str | None) -> tuple[list[str], str]:
    kinds = {each.name: each.kind for each in columns if _values(each) != 1 or each.n == 1}
    found = scores_by_default(kinds, (label,))
    if not found:
        return [], "No other column has numbers."
    ids = [each.name for each in columns if each.kind == "number" and each.name not in found]
    ids = [name for name in ids if name != label and kinds.get(name)]
    left = f" {', '.join(ids)} {'looks' if len(ids) == 1 else 'look'} like an id." if ids else ""
    if len(found) > _AT_FIRST:
        first = f"The first {_AT_FIRST} of {len(found)} columns of numbers are ticked."
        return found[:_AT_FIRST], first + left
    return found, f"Every other column of numbers.{left}"


def _repeated(columns: Sequence[Column], taken: Sequence[str | None]) -> str:
    """Say which column may be an id of patients that have several rows."""
    for each in columns:
        repeats = each.distinct is not None and 2 < each.distinct <= each.n / 1.5
        speaks = any(word in each.name.lower() for word in ("patient", "subject", "person", "_id"))
        if repeats and speaks and each.name not in taken:
            return (
                f"“{each.name}” has {each.distinct} values in {each.n} rows. If rows with the same "
                "value belong together, choose it here."
            )
    return ""


# --- what a choice lacks ------------------------------------------------------------------------


def columns_of(described: Sequence[Mapping[str, Any]]) -> list[Column]:
    """Return columns that were described as JSON."""
    names = [each.name for each in fields(Column)]
    found = [{name: each[name] for name in names} for each in described]
    return [
        Column(
            **each
            | {"counts": tuple(map(tuple, each["counts"])), "examples": tuple(each["examples"])}
        )
        for each in found
    ]


def problems(
    columns: Sequence[Column], choice: Mapping[str, Any], by_label: ByLabel = NO_CLASSES
) -> Iterator[Problem]:
    """Yield what keeps a choice of columns from giving a report, in the order of the page.

    What mends several of them is offered once, at the first.
    """
    offered: list[Fix] = []
    for problem in _problems(columns, choice, by_label):
        yield replace(problem, fixes=tuple(each for each in problem.fixes if each not in offered))
        offered += problem.fixes


def _problems(
    columns: Sequence[Column], choice: Mapping[str, Any], by_label: ByLabel
) -> Iterator[Problem]:
    by_name = {column.name: column for column in columns}
    label = by_name.get(choice.get("label") or "")
    if label is None or not label.name:  # a column without a name cannot be chosen
        yield Problem(field="label", message=_absent(choice.get("label"), by_name, "label"))
        return
    order = choice.get("order") or []
    by_class = None if choice.get("positive") or order else by_label.get(label.name)
    if order:
        yield from order_problems(label, choice)
    elif by_class and choice.get("scores"):
        yield from class_problems(by_class, choice)
    elif not by_class:
        yield from _of_label(label, choice.get("positive"))
    if label.missing and choice.get("missing") != "omit" and label.distinct:
        yield Problem(field="label", message=_missing(label), fixes=(_OMIT,))
    scores = choice.get("scores") or []
    if not scores:
        yield Problem(field="scores", message="Tick at least one score: a column of numbers.")
    for name in scores:
        yield from _of_score(by_name, name, label.name, choice)


def _absent(name: str | None, by_name: Mapping[str, Column], what: str) -> str:
    if name:
        return f"This file has no column “{name}”.{nearest(name, list(by_name))}"
    return f"Choose the {what}: the column with the true answer for each case."


def _of_label(label: Column, positive: str | None) -> Iterator[Problem]:
    counts = dict(label.counts)
    if label.kind == "other":
        said = f"Column “{label.name}” cannot be the label{_because(label)}. Choose another one."
        yield Problem(field="label", message=said)
    elif label.distinct == 0:
        said = f"Column “{label.name}” is empty. Choose another label."
        yield Problem(field="label", message=said)
    elif label.distinct == 1:
        said = (
            f"All {label.n - (label.missing or 0):,} rows have the label “{label.examples[0]}”. A "
            "ROC curve needs cases with the condition and cases without it. Choose another label, "
            "or a file that has both."
        )
        yield Problem(field="label", message=said)
    elif positive is None and not counts:
        n = "more than 1,000" if label.distinct is None else str(label.distinct)
        said = (
            f"Column “{label.name}” has {n} different values, so it is probably not the label. "
            "Choose the column with the true answer for each case, or type its positive value."
        )
        yield Problem(field="label", message=said)
    elif positive is None:
        yield _unsaid(label)
    elif counts and positive not in counts:
        listed = ", ".join(f"“{value}”" for value in counts)
        said = f"“{positive}” does not occur in column “{label.name}”, which has {listed}."
        yield Problem(field="positive", message=said)


def _unsaid(label: Column) -> Problem:
    """Return what is asked where no value is said to be positive: which one, or in which order."""
    counts = dict(label.counts)
    listed = ", ".join(f"“{value}” ({n:,})" for value, n in label.counts)
    others = "all others count" if len(counts) > 2 else "the other one counts"
    said = (
        f"Column “{label.name}” has {len(counts)} values: {listed}. Say which one is positive, "
        f"the condition that is looked for; {others} as negative."
    )
    if len(counts) > 2:
        said += f" {how_columns_are_called(list(counts))}"
    fixes = [Fix(words=f"“{value}” is positive", change={"positive": value}) for value in counts]
    if order := order_shown(label):
        said += " Or the values have an order, in which a score should rise or fall."
        change = {"positive": None, "order": order, "by": None}
        fixes.append(Fix(words="The values have an order", change=change))
    return Problem(field="positive", message=said, fixes=tuple(fixes))


def _missing(column: Column) -> str:
    rows = "1 row has" if column.missing == 1 else f"{column.missing or 0:,} rows have"
    return f"{rows} no value of “{column.name}”. Fill it in, or leave such rows out."


def _because(column: Column) -> str:
    return f": {column.note}" if column.note else ""


def _of_score(
    by_name: Mapping[str, Column], name: str, label: str, choice: Mapping[str, Any]
) -> Iterator[Problem]:
    column = by_name.get(name)
    without = [each for each in choice["scores"] if each != name]
    fixes = (Fix(words=f"Leave out “{name}”", change={"scores": without}),) if without else ()
    if column is None:
        said = _absent(name, by_name, "score")
    elif name == label:
        said = f"“{name}” is the label, so it cannot be a score too."
    elif column.kind in ("text", "other"):
        said = (
            f"“{name}” cannot be a score, because it is not a column of numbers{_because(column)}. "
            "Correct it in the file, or choose a column of numbers."
        )
    elif choice.get("missing") != "omit" and column.missing:
        said, fixes = _missing(column), (_OMIT,)
    else:
        return
    yield Problem(field="scores", message=said, fixes=fixes)
