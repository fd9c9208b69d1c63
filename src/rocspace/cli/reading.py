"""What the verbs read: which columns of which file, as tables or as cases."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

import rocspace
from rocspace import datasets
from rocspace._base.labels import USUAL_NAMES
from rocspace._base.progress import Counter, Elapsed
from rocspace._base.words import listed_values, nearest
from rocspace.cli.console import PAGE, count, interval
from rocspace.cli.options import Choice, Files, Printing
from rocspace.cli.tokens import STDIN, UNNAMED
from rocspace.counts.table import SingleClassError
from rocspace.designs.survival_cases import SurvivalScores
from rocspace.designs.verified import VerifiedScores
from rocspace.io.cases import FileCases, Reading, SeveralLabelsError, label_text, scores_by_default
from rocspace.io.files import batches_of, read_schema
from rocspace.io.kept import FoundCases, keep_cases
from rocspace.io.several import look_at
from rocspace.io.sniff import check_local
from rocspace.io.tables import FileAreas, FileTables, tabulate_file
from rocspace.multiclass.files import (
    FileClasses,
    FileOrdered,
    class_columns,
    keep_classes,
    keep_ordered,
)

if TYPE_CHECKING:
    from rocspace.compare.screening import RankedFeatures

_LOOKED_AT, _ROWS = 200, 10_000  # columns, and rows, among which a label is looked for


def read(file: Files, choice: Choice, printing: Printing) -> FileTables:
    """Read the tables, and say on standard error what was not asked for."""
    return read_by(tabulate_file, file, choice, printing)


def read_by(count: Callable[..., Found], file: Files, choice: Choice, printing: Printing) -> Found:
    """Read a file in the way given, and say on standard error what was not asked for."""
    path, choice = located(file, choice)
    how: dict[str, Any] = {"format": choice.format, "separator": choice.separator}
    with Elapsed("looking at the file", show=printing.progress):  # standard input is copied first
        kinds = read_schema(path, **how)
    label = choice.label or _usual_label(kinds, path, printing)
    choice = replace(choice, score=matched_scores(choice, label, kinds))
    weight = {} if choice.weight is None else {"weight": choice.weight}
    with Counter("rows read", show=printing.progress) as progress:
        found = count(
            path,
            label=label,
            score=choice.score,
            pos_label=choice.positive,
            higher_is_positive=_directions(choice, label, kinds),
            missing=choice.missing,
            reading=Reading(**how, null_values=choice.null, progress=progress),
            **weight,
        )
    if path != file and path != ["-"]:  # a bundled data set goes by its name
        found = replace(found, source={**found.source, "file": file[0]})
    if choice.score is None:
        names = list(found.source["counting"])
        printing.note(f"scores: {_in_two_lines(names)} (every numeric column; choose with --score)")
    for line in _source_remarks(found.source):
        printing.note(line)
    for line in _table_remarks(found) if isinstance(found, FileTables) else ():
        printing.note(line)
    return found


@dataclass(frozen=True)
class FoundFollowed:
    """What a file holds of cases that were followed.

    Attributes
    ----------
    data : SurvivalScores
        Times, what ended them, and scores.
    source : dict
        Where they were read from.
    """

    data: SurvivalScores
    source: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class FoundVerified:
    """What a file holds of cases of which a part was verified.

    Attributes
    ----------
    data : VerifiedScores
        Labels, scores and covariates.
    source : dict
        Where they were read from.
    probability : ndarray or None
        The probability with which each case was to be verified, if a column says it.
    """

    data: VerifiedScores
    source: dict[str, Any]
    probability: Any = None


@dataclass(frozen=True, kw_only=True, eq=False)
class FoundRanking:
    """The columns of a file by their p values.

    Attributes
    ----------
    ranked : RankedFeatures
        The columns.
    source : dict
        What was read.
    """

    ranked: RankedFeatures
    source: dict[str, Any]


Found = TypeVar(
    "Found",
    FileTables,
    FileAreas,
    FoundCases,
    FileClasses,
    FileOrdered,
    FoundFollowed,
    FoundVerified,
    FoundRanking,
)


def read_cases(
    file: Files, choice: Choice, printing: Printing, *, beside: Sequence[str] = ()
) -> FoundCases:
    """Read all scores of each case, and say on standard error what was not asked for."""
    found = read_by(partial(collect_cases, beside=beside), file, choice, printing)
    n_pos = int(np.count_nonzero(found.data.label))
    _check_classes(n_pos, len(found.data) - n_pos, found.source)
    return found


def collect_cases(
    path: list[str],
    *,
    beside: Sequence[str],
    higher_is_positive: Mapping[str, bool],
    reading: Reading,
    weight: str | None = None,
    **columns: Any,
) -> FoundCases:
    """Read the scores of each case, and other columns beside them."""
    cases = FileCases(path, weight=weight, beside=beside, reading=reading, **columns)
    return keep_cases(cases, higher_is_positive=higher_is_positive)


def read_classes(
    file: Files,
    choice: Choice,
    printing: Printing,
    several: SeveralLabelsError,
    *,
    cluster: str | None = None,
) -> FileClasses:
    """Read a column of scores for each class; raise what was found if the columns do not fit.

    Columns fit that are named by a common prefix, such as "p_", and the label of a class. Several
    prefixes are several classifiers.
    """
    path, chosen = located(file, choice)
    kinds = read_schema(path, format=choice.format, separator=choice.separator)
    label = chosen.label or _usual_label(kinds, path, Printing(quiet=True))
    asked = matched_scores(choice, label, kinds)
    names = asked or scores_by_default(kinds, (label, choice.weight, cluster))
    texts = {str(value): value for value in several.labels}
    found = class_columns(list(texts), names)
    columns = [name for each in found.values() for name in each.values()]
    if not found or (asked and set(columns) < set(asked)) or choice.lower_is_positive:
        how = (
            "Several classes are known by their names, so leave out --lower-is-positive"
            if found and choice.lower_is_positive
            else "For all classes at once name one column of scores for each, and no others, by "
            "--score 'p_*': the columns must have one prefix and end in the label, as in "
            f"p_{', p_'.join(list(texts)[:3])}. Read were {listed_values(names)}"
        )
        raise SeveralLabelsError(*several.args, f" {how}.") from several
    choice = replace(choice, label=label, positive=str(several.labels[0]), score=columns)
    who = f", for {' and '.join(found)}" if len(found) > 1 else ""
    printing.note(f"{len(texts)} classes, by columns {columns[0]} to {columns[-1]}{who}")
    how_made = partial(_collect_classes, classes=texts, columns=found, cluster=cluster)
    return read_by(how_made, file, choice, printing)


def matched_scores(choice: Choice, label: str, kinds: Mapping[str, Any]) -> list[str] | None:
    """Return the scores that were named, with patterns such as p_* replaced by what they match."""
    if choice.score is None:
        return None
    found: list[str] = []
    for name in choice.score:
        parts = [part.strip() for part in name.split(",")]
        if name not in kinds and len(parts) > 1 and set(parts) <= set(kinds):
            line = " ".join(f"--score {shlex.quote(part)}" for part in parts)
            msg = f"There is no column {name!r}. Name one at a time; write {line}."
            raise ValueError(msg)
        if name in kinds or not set(name) & set("*?["):
            found.append(name)
            continue
        fit = [n for n in scores_by_default(kinds, (label, choice.weight)) if fnmatchcase(n, name)]
        if not fit:
            msg = (
                f"--score {name!r} matches no column of numbers. There are "
                f"{', '.join(list(kinds)[:20])}."
            )
            raise ValueError(msg)
        found += fit
    return found


def _collect_classes(path: list[str], *, weight: str | None = None, **how: Any) -> FileClasses:
    """Read the columns of all classes, whatever `read_by` says of scores and labels."""
    known = ("label", "classes", "columns", "cluster", "missing", "reading")
    return keep_classes(path, weight=weight, **{name: how[name] for name in known})


def read_ordered(
    file: Files, choice: Choice, printing: Printing, order: str, *, cluster: str | None = None
) -> FileOrdered:
    """Read markers of classes that have an order, whose labels are given with commas between."""
    path, chosen = located(file, choice)
    if chosen.positive is not None:
        msg = "--order has all labels, so --positive has nothing to say. Leave it out."
        raise ValueError(msg)
    kinds = read_schema(path, format=choice.format, separator=choice.separator)
    label = chosen.label or _usual_label(kinds, path, Printing(quiet=True))
    names = matched_scores(choice, label, kinds)
    wanted = [each.strip() for each in order.split(",")]
    if names is None:
        names = scores_by_default(kinds, (label, choice.weight, cluster))
    choice = replace(choice, label=label, positive=wanted[-1], score=names)
    how_made = partial(keep_ordered, order=wanted, cluster=cluster)
    return read_by(how_made, file, choice, printing)


def _in_two_lines(names: Sequence[str]) -> str:
    """List names as far as two lines go, and count them if some are left out."""
    ends = accumulate(len(name) + 2 for name in names)
    n = max(sum(end <= 2 * PAGE for end in ends), 1)
    more = f", ... ({len(names):,} in all)" if n < len(names) else ""
    return f"{', '.join(names[:n])}{more}"


def _directions(choice: Choice, label: str, kinds: dict[str, Any]) -> dict[str, bool]:
    """Say which scores are more positive where they are lower; one alone needs no name."""
    lower = choice.lower_is_positive or []
    if UNNAMED in lower:
        names = choice.score or scores_by_default(kinds, (label, choice.weight))
        if len(names) != 1:
            msg = (
                f"Which score is more positive where it is lower? There are {', '.join(names)}. "
                f"Name it, as in --lower-is-positive {names[0] if names else 'NAME'}."
            )
            raise ValueError(msg)
        lower = names
    return dict.fromkeys(lower, False)


def located(files: Files, choice: Choice) -> tuple[list[str], Choice]:
    """Find the files; the name of a bundled set brings its own columns."""
    if files == [STDIN]:
        if sys.stdin.isatty():
            msg = "Standard input is a terminal. Pipe a file into it, or name one instead of -."
            raise ValueError(msg)
        return ["-"], choice
    file = files[0]
    for each in files:
        check_local(each)
    if len(files) > 1:
        for each in files:
            if Path(each).exists() or each == STDIN or Path(each).suffix or set(each) & set("*?["):
                continue
            if each in datasets.names():
                msg = (
                    f"{each!r} is a bundled data set, which is read alone. Leave out the others; "
                    "of columns say --score for each."
                )
                raise ValueError(msg)
            msg = f"There is no file {each!r}. If it is a column, repeat --score for each column."
            raise FileNotFoundError(msg)
        return ["-" if each == STDIN else each for each in files], choice
    if Path(file).exists() or not (bundled := nearest(file, datasets.names())):
        return files, choice
    if file not in datasets.names():
        if Path(file).suffix or Path(file).name != file:
            return files, choice
        msg = f"There is no file {file!r}, nor a bundled data set of that name.{bundled}"
        raise FileNotFoundError(msg)
    known = datasets.load(file)
    if choice.label is None:
        positive = choice.positive or str(known.positive)
        choice = replace(choice, label=known.label, positive=positive)
    if choice.score is None:
        choice = replace(choice, score=list(known.scores))
    return [str(known.path)], choice


def _usual_label(kinds: dict[str, Any], path: list[str], printing: Printing) -> str:
    if not kinds:
        one, more = f"{path[0]} has no columns", "These files have no column in common"
        msg = f"{one if len(path) == 1 else more}, so there is no label."
        raise ValueError(msg)
    found = [name for name in kinds if name.lower() in USUAL_NAMES]
    if len(found) == 1:
        printing.note(f"label: {found[0]} (by its name; choose with --label)")
        return found[0]
    listed = ", ".join(f"{name!r} ({kind})" for name, kind in list(kinds.items())[:20])
    more = f", ... ({len(kinds)} in all)" if len(kinds) > 20 else ""
    hint = _two_valued(kinds, path)
    msg = f"Which column is the label? Name it with --label. There are {listed}{more}.{hint}"
    raise ValueError(msg)


def _two_valued(kinds: Mapping[str, Any], path: list[str]) -> str:
    """Suggest the only column that has two values in the first rows, if there is one."""
    names = [name for name, kind in kinds.items() if kind != "other"][:_LOOKED_AT]
    try:
        source = look_at(path)[0]
        batch = next(batches_of(source, names, {name: kinds[name] for name in names}, _ROWS))
    except (ValueError, StopIteration):  # told by what reads the file
        return ""
    values: dict[str, Any] = {}
    for name in names:
        column: Any = batch.columns[name]
        known = column.decode() if hasattr(column, "decode") else np.asarray(column)
        values[name] = list(dict.fromkeys(known[~batch.missing[name]].tolist()))
    two = [name for name, found in values.items() if len(found) == 2]
    if len(two) != 1:
        return ""
    labels = (f"{v:g}" if isinstance(v, float) else label_text(v) for v in values[two[0]])
    listed = " and ".join(sorted(labels))
    return f" Only {two[0]!r} has two values, {listed}: --label {shlex.quote(two[0])}."


def _check_classes(n_pos: float, n_neg: float, source: dict[str, Any], whose: str = "") -> None:
    if not (n_pos and n_neg):
        there, absent = ("positive", "negative") if n_pos else ("negative", "positive")
        says = "" if source["positive"] is None else f" ({label_is(source)})"
        n = n_pos + n_neg
        all_of_them = f"The only case{whose} is" if n == 1 else f"All {count(n)} cases{whose} are"
        msg = (
            f"{all_of_them} {there}: a curve needs both classes, and "
            f"none is {absent}. Is {source['label']!r} the label, and its positive value "
            f"right{says}?"
        )
        raise SingleClassError(msg)


def _source_remarks(source: dict[str, Any]) -> Iterator[str]:
    """Say what was not asked for: which labels are positive, and which rows are left out."""
    if len(source["labels"]) > 2 and source["positive"] is not None:
        others = ", ".join(v for v in source["labels"] if v != label_text(source["positive"]))
        yield f"positive: {label_is(source)}, against all of {others}"
    for name, n in source["dropped"].items():
        yield f"left out: {count(n)} of {count(source['rows'])} rows without {name}"


def _table_remarks(found: FileTables) -> Iterator[str]:
    for name, table in found.tables.items():
        lacking = found.source["dropped"].get(name)
        whose = f" with a value of {name!r}" if lacking else ""
        _check_classes(table.n_pos, table.n_neg, found.source, whose)
        if found.source["counting"][name] == "binned":
            low, high = rocspace.auc_bounds(table)
            yield (
                f"{name}: too many distinct scores to keep apart, so they are in "
                f"{count(len(table))} bins; the exact area is {interval(low, high)} for certain"
            )


def label_is(source: Mapping[str, Any]) -> str:
    """Say which label is positive."""
    return f"{source['label']} = {label_text(source['positive'])}"


def about_cases(found: FoundCases, *, cluster: str | None = None) -> str:
    """Return the heading of what is printed: the file, how many cases, the label, what counts."""
    n, n_pos = len(found.data), int(np.count_nonzero(found.data.label))
    weight = found.source["weight"]
    return (
        f"{found.source['file']}, {count(n)} cases, {count(n_pos)} positive, "
        f"{label_is(found.source)}"
        + (f", weights {weight}" if weight is not None else "")
        + (f", clusters by {cluster}" if cluster is not None else "")
    )
