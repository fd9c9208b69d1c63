"""The cases of a file: their columns, which are positive, and which are omitted.

A `FileCases` reads the same cases in as many passes as are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from rocspace._base.arrays import EXACT, Array, Ints, Mask
from rocspace._base.calls import explained_methods
from rocspace._base.cases import DigitsLostError, MissingPolicy
from rocspace._base.checks import check_choice
from rocspace._base.errors import Argument, ArgumentError, InPython, Part, keyword
from rocspace._base.frozen import FrozenDict, Result
from rocspace._base.labels import positive_by_word
from rocspace._base.prefetch import read_ahead
from rocspace._base.text import count
from rocspace._base.words import nearest, shown, warn
from rocspace.counts.rows import default_threads, in_threads
from rocspace.counts.table import NUMBERED, ScoreTable, looks_like_id
from rocspace.io.arrow import Codes, Values
from rocspace.io.files import Batch, batches_of
from rocspace.io.several import (
    Paths,
    check_alike,
    kinds_in,
    look_at,
    name_files,
    name_of,
    of_each,
    shared_kinds,
)
from rocspace.io.sniff import FILE, Format, Source
from rocspace.io.text import BadValueError, Kind, check_digits, in_line, is_float
from rocspace.io.written import how_to_leave_out, how_to_write

_COUNTED = 1000  # distinct labels that are counted each
_CLASSES = 100  # distinct labels that may be classes, not numbers that were measured
_GROUPS = 1000  # groups of cases
_LISTED = 10  # labels that a message or the description lists

# Labels that need no pos_label: pairs of values, one pair in a file.
_PAIRS: dict[str, tuple[dict[Any, bool], ...]] = {
    "boolean": ({True: True, False: False},),
    "number": ({1: True, 0: False}, {1: True, -1: False}),
    "text": (
        {"true": True, "false": False},
        {"1": True, "0": False},
        {"1": True, "-1": False},
    ),
}


class Reading(Result):
    """How to read a file, apart from the choice of columns.

    Attributes
    ----------
    format, separator, decimal_comma, null_values, kinds
        As for `rocspace.io.read_batches`.
    max_rows : int
        Distinct scores that are kept apart, for each of one or two scores; more scores share
        twice as many. Beyond, and where there are over three times as many cases, the table has
        bins.
    memory : int
        Bytes that the process may need in all, for `refine_file`.
    progress : callable, optional
        Called with the number of rows read so far, after each batch.

    See Also
    --------
    tabulate_file, refine_file

    Examples
    --------
    >>> from rocspace import datasets
    >>> from rocspace.io import tabulate_file
    >>> reading = Reading(separator=",", max_rows=1000)
    >>> path = datasets.path("fawcett20")
    >>> found = tabulate_file(path, label="label", score="score", reading=reading)
    >>> found.tables["score"]
    ScoreTable(20 distinct scores, 10 positives, 10 negatives)
    """

    format: Format | None = None
    separator: str | None = None
    decimal_comma: bool | None = None
    null_values: Sequence[str] | None = None
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    max_rows: int = 1 << 22
    memory: int = 10**9
    progress: Callable[[int], None] | None = None


def sources_of(path: Paths, reading: Reading) -> list[Source]:
    """Find and recognise all files that were named."""
    how = (reading.format, reading.separator, reading.decimal_comma, reading.null_values)
    return look_at(path, *how)


class Taker(Protocol):
    """Takes labels, scores and perhaps weights batch by batch, as a `Tabulator` does."""

    def update(self, *columns: Any) -> None:
        """Take a batch."""


class SeveralLabelsError(ArgumentError):
    """More than two labels, and no word on which of them is positive.

    Attributes
    ----------
    labels : list
        The labels, sorted.
    """

    labels: list[Any]


@explained_methods
class FileCases:
    """The cases of some columns of a file; parameters as for `rocspace.io`.

    With `beside`, the names of further columns (none, perhaps), the scores are of the same
    cases: a row that lacks one is omitted from all, and the takers get those columns last.

    With `by`, the name of a column of groups, the takers get last the number of each case's group;
    ``count.groups`` has the names of the groups in that order.
    """

    def __init__(
        self,
        path: Paths,
        *,
        label: str,
        score: str | Sequence[str] | None,
        pos_label: object,
        weight: str | None,
        missing: MissingPolicy,
        reading: Reading,
        beside: Sequence[str] | None = None,
        by: str | None = None,
    ) -> None:
        check_choice("missing", missing, MissingPolicy)
        self.path, self.reading = path, reading
        self._pos_label, self._missing = pos_label, missing
        self._looked = sources_of(path, reading)
        if len(self._looked) > 1 and FILE in (by, *(beside or ())):
            name_files(self._looked)
        self.name = name_of(self._looked)
        kinds = shared_kinds(self._looked) | dict(reading.kinds)
        scores = [score] if isinstance(score, str) else score
        others = (weight, beside, by)
        self._roles = _roles(self._looked, kinds, label, scores, others, self._stray)
        # A score is read as numbers, so that one stray text in it is found and named.
        self._texts = {name for name in self._roles.scores if kinds.get(name) == "text"}
        self._told: dict[str, Kind] = dict.fromkeys(self._texts, "number")
        self._told |= {k: kind for k, kind in reading.kinds.items() if k in self._roles.names}
        self._kinds = kinds
        self._left_out: dict[str, str] = {}
        if scores is None:
            self._warn_of_texts()
        for source in self._looked:  # names that do not exist are found before anything is read
            self._batches(source)
        check_alike(self._looked, self._roles.names)
        self._roles.check(self.name, kinds)

    @property
    def scores(self) -> list[str]:
        """Names of the scores."""
        return self._roles.scores

    @property
    def beside(self) -> tuple[str, ...]:
        """Names of the further columns."""
        return self._roles.beside or ()

    def _stray(self, name: str) -> tuple[str, str]:
        """Describe the first value of a text column that is not a number, and how to mend it."""
        for source in self._looked:
            try:
                next(batches_of(source, [name], {name: "number"}))
            except BadValueError as error:
                where = f" of {source.name}" if len(self._looked) > 1 else ""
                said = error.what.removesuffix(", which is not a number")
                text = str(error.value)
                return f"{said}{where}", how_to_write(text) or how_to_leave_out(text)
            except ValueError:  # damaged in another way, which reading reports
                pass
        return "", ""

    def _warn_of_texts(self) -> None:
        """Warn of columns that would be scores by default, but for some texts among numbers."""
        kinds, taken = self._kinds, self._roles.names
        likely = scores_by_default({n: "number" for n, k in kinds.items() if k == "text"}, taken)
        try:
            batch = next(batches_of(self._looked[0], likely, dict.fromkeys(likely, "text")))
        except (ValueError, StopIteration):  # no such columns, no rows, or damage told elsewhere
            return
        for name in likely:
            column: Any = batch.columns[name]
            known = [is_float(each) for each in column.categories]
            codes = column.codes[column.codes >= 0]
            numbers = np.array(known, dtype=bool)[codes].sum()
            first = next((each for each in column.categories if not is_float(each)), "")
            if how_to_write(first):  # if it was not meant as a number, most others were not either
                pairs = zip(known, column.categories, strict=True)
                known = [is_one or bool(how_to_write(each)) for is_one, each in pairs]
            if 2 * np.array(known, dtype=bool)[codes].sum() <= codes.size:
                continue
            why, cure = "it is text", "Convert it to numbers, or name the scores."
            stray, write = self._stray(name)
            if stray:
                why = f"{stray}, which is not a number"
                cure = "Say which texts mean a missing value (null_values, --null), or "
                cure = write or f"{cure}name the scores."
            if numbers:
                why += f", but {count(numbers)} of its first {count(codes.size)} values are numbers"
            self._left_out[name] = why
            warn(f"{shown(name)} of {self.name} is left out: {why}. {cure}")

    def _batches(self, source: Source) -> Iterator[Batch]:
        told = dict(self._told)
        if len(self._looked) > 1:  # what is a number in one file may be a text in all of them
            own = kinds_in(source)
            for name in self._roles.names:
                if self._kinds.get(name) == "text" and own.get(name) == "number":
                    told.setdefault(name, "text")
        return batches_of(source, self._roles.names, told)

    def read(self, takers: Mapping[str, Taker], watch: Callable[[int], None] | None) -> None:
        """Give all cases to the taker of each score, in one pass.

        Parameters
        ----------
        takers : mapping of str to Taker
            By the name of the score.
        watch : callable, optional
            Called with the number of rows read so far, after each batch.
        """
        roles, name = self._roles, self.name
        column = f"Column {roles.label!r} of {name}"
        try:
            labels = _Labels(self._kinds[roles.label], self._pos_label, column)
        except ValueError:
            # A file without rows has no kinds, and raises.
            next(of_each(self._looked, self._batches), None)
            raise
        self.count = _Count(name, roles, labels, takers, self._missing)
        try:
            ahead = read_ahead(of_each(self._looked, self._batches))
            with closing(ahead) as batches:  # after Ctrl-C no thread continues
                for source, batch in batches:
                    self.count.add(batch, source)
                    if watch is not None:
                        watch(self.count.rows)
        except _MixedError as error:
            (mixed,) = error.args
            for source in self._looked:
                check_digits(source, mixed)
            said = (
                f"Column {mixed!r} of {name} has whole numbers that float64 would round beside "
                f"fractions, in its first {self.count.rows:,} rows: no type fits both. Write it "
                "as float64, or name other columns with "
            )
            raise ArgumentError(said, keyword("score"), ".") from None
        except BadValueError as error:
            if error.column not in self._texts:
                raise
            raise _not_a_score(name, error) from None
        labels.check()

    def described(self, counting: Mapping[str, str]) -> dict[str, Any]:
        """Describe what was read, for `summarise`."""
        several = [source.name for source in self._looked] if len(self._looked) > 1 else []
        formats = dict.fromkeys(source.format.partition("-")[0] for source in self._looked)
        return {
            "file": self.name,
            **({"files": several} if several else {}),
            "format": ", ".join(formats),
            **self.count.described(),
            **({"left_out": self._left_out} if self._left_out else {}),
            "counting": dict(counting),
        }


# --- what each column is for ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Roles:
    label: str
    scores: list[str]
    weight: str | None
    beside: tuple[str, ...] | None
    by: str | None
    by_default: bool

    @property
    def names(self) -> list[str]:
        named = (self.label, *self.scores, self.weight, *(self.beside or ()), self.by)
        return [name for name in named if name is not None]

    def check(self, file: str, kinds: Mapping[str, Kind]) -> None:
        """Check that each column can have its role."""
        if self.weight is not None and kinds[self.weight] != "number":
            msg = f"Column {self.weight!r} of {file} is {kinds[self.weight]}: weights are numbers."
            raise ValueError(msg)


_INDEX = re.compile(r"\s*|Unnamed: .*|index|row|row[ _.-]?(number|num|no|nr|id)", re.IGNORECASE)
_ID = re.compile(
    r"[ug]?u?id|(id[ _.-].*)|(.*[ _.-][ug]?u?id)|patient|subject|person|participant", re.IGNORECASE
)
_WEIGHT = re.compile(r"((sample|case|obs|survey)[ _.-]?)?weights?", re.IGNORECASE)
_CAMEL_ID = re.compile(r".*[a-z0-9](Id|ID)")


def scores_by_default(kinds: Mapping[str, Kind], taken: Collection[str | None]) -> list[str]:
    """Return the numeric columns that are scores by default: neither ids nor taken."""
    numbers = [name for name, kind in kinds.items() if kind == "number" and name not in taken]
    return [name for name in numbers if not (_INDEX.fullmatch(name) or _is_id(name))]


def _is_id(name: str) -> bool:
    return bool(_ID.fullmatch(name) or _CAMEL_ID.fullmatch(name))


def _roles(
    sources: Sequence[Source],
    kinds: Mapping[str, Kind],
    label: str,
    scores: Sequence[str] | None,
    others: tuple[str | None, Sequence[str] | None, str | None],
    stray: Callable[[str], tuple[str, str]],
) -> _Roles:
    weight, beside, by = others[0], None if others[1] is None else tuple(others[1]), others[2]
    taken = (label, weight, by, *(beside or ()))
    if weight == label:
        msg = f"Column {label!r} is both label and weight. Name another column for one of them."
        raise ValueError(msg)
    if scores is None:
        found = _default_scores(sources, kinds, taken, stray)
        for column in found if weight is None else ():
            if _WEIGHT.fullmatch(column):
                warn(
                    f"{shown(column)} of {name_of(sources)} is taken for a score. If it says how "
                    "much cases weigh, name it as the weight."
                )
        return _Roles(label, found, weight, beside, by, by_default=True)
    names = list(dict.fromkeys(scores))
    if not names:
        why = " is empty. Name at least one column, or leave it out to take all of them."
        raise ArgumentError(Argument("score"), why)
    for role, name in (("label", label), ("weight", weight)):
        if name in names:
            said = (
                f"Column {name!r} is the {role}, so it cannot be a score too. Name the column "
                "that a model predicted with "
            )
            raise ArgumentError(said, keyword("score"), ".")
    return _Roles(label, names, weight, beside, by, by_default=False)


def _default_scores(
    sources: Sequence[Source],
    kinds: Mapping[str, Kind],
    taken: tuple[str | None, ...],
    stray: Callable[[str], tuple[str, str]],
) -> list[str]:
    """Return the columns that are scores if none are named; tell of ids, which are not."""
    file, one, label = name_of(sources), len(sources) == 1, taken[0]
    rest = [name for name in kinds if name not in taken]
    found = scores_by_default(kinds, taken)
    ids = [name for name in rest if kinds[name] == "number" and _is_id(name)]
    if ids and found:
        listed = f"{', '.join(map(shown, ids))} of {file}"
        warn(
            f"By its name {listed} is an id, so it is not a score. Name the scores to count it."
            if len(ids) == 1
            else f"By their names {listed} are ids, so they are not scores. Name the scores to "
            "count them."
        )
    if not found and label in kinds:
        told = {name: stray(name) for name in rest[:3] if kinds[name] == "text"}
        why = {name: f"text: {what}" for name, (what, _) in told.items() if what}
        twice = "a name that occurs more than once"
        texts = sources[0].format == "csv"  # whose columns are all read, but for such names
        why |= {name: twice for name, kind in kinds.items() if texts and kind == "other"}
        listed = ", ".join(f"{shown(n)} ({why.get(n, kinds[n])})" for n in rest[:20])
        cure = next((f" {write}" for _, write in told.values() if write), "")
        has = ("has no", "It has") if one else ("do not share a", "They share")
        msg = (
            f"{file} {has[0]} numeric column beside the label {label!r}"
            f"{' except ids by name' if ids else ''}, so there is no score. "
            f"{has[1]} {listed or 'no other column at all'}.{cure}"
        )
        raise ValueError(msg)
    return found


def _not_a_score(file: str, error: BadValueError) -> ArgumentError:
    said = f"Column {error.column!r} of {file} cannot be a score: {error.what}. "
    if isinstance(error.value, str) and (write := how_to_write(error.value)):
        return ArgumentError(f"{said}{write}")
    return ArgumentError(
        f"{said}Name a column of numbers with ",
        keyword("score"),
        ", correct that one, or declare it missing with ",
        Argument("null_values", error.value, "null_values="),
        ".",
    )


# --- labels -------------------------------------------------------------------------------------

_ONE_LABEL = " It is one label. Where several are positive, write a column that is 1 for them."


class _Labels:
    """Tells positives from negatives batch by batch, and counts every value."""

    def __init__(self, kind: Kind, positive: object, column: str) -> None:
        self.kind = kind
        self.column = column
        self.said = positive
        self.positive = None if positive is None else self._as_label(positive)
        self.counts: dict[Any, int] = {}
        self.others = 0
        self.unclear = False

    def _as_label(self, positive: object) -> Any:
        """Convert the value asked for to the type of the column."""
        if self.kind == "text":
            return str(positive)
        if self.kind == "boolean":
            truth = {"true": True, "1": True, "false": False, "0": False}
            value = truth.get(str(positive).lower())
            if value is None:
                parts = (f"{self.column} is true or false, so ", Argument("pos_label"))
                raise ArgumentError(*parts, f" cannot be {positive!r}.")
            return value
        try:
            return _number(positive)
        except (TypeError, ValueError):
            parts = (f"{self.column} has numbers, so ", Argument("pos_label"))
            raise ArgumentError(*parts, f" cannot be {positive!r}.{_ONE_LABEL}") from None

    def add(self, values: Values, present: Mask) -> Mask:
        """Return which rows are positive, and count the values of those present."""
        if isinstance(values, Codes):
            found: list[Any] = list(values.categories)
            number = np.bincount(values.codes[present], minlength=len(found)).tolist()
        else:
            found, number = _counted(values if present.all() else values[present])
        for value, n in zip(found, number, strict=True):
            if value in self.counts or len(self.counts) < _COUNTED:
                self.counts[value] = self.counts.get(value, 0) + n
            else:
                self.others += n
        yes = self._positive_among(found)
        if isinstance(values, Codes):
            table = np.array([value in yes for value in found] + [False])
            return np.asarray(table[values.codes])
        if len(yes) == 1:
            return np.asarray(values == yes[0])
        return np.zeros(len(values), dtype=bool)

    def _positive_among(self, found: Sequence[Any]) -> list[Any]:
        if self.positive is not None:
            return [value for value in found if value == self.positive]
        folded = {_folded(value) for value in self.counts}
        for pair in _PAIRS[self.kind]:
            if folded <= set(pair) and not self.others:
                return [value for value in found if pair[_folded(value)]]
        self.unclear = True  # counting goes on, so that the message has every value
        return []

    def check(self) -> None:
        """Raise if it is not clear which rows are positive."""
        if self.unclear:
            if slip := self._slip():
                msg = f"{self.column} has {self._listed()}. {slip}"
                raise ArgumentError(msg)
            parts = (f"{self.column} has {self._listed()}. ", *self._cure(), ".")
            if not 2 < len(self.counts) <= _CLASSES or self._is_measured():
                raise ArgumentError(*parts)
            all_of_them = " For all of them: rocspace.multiclass.multiclass_scores."
            several = SeveralLabelsError(*parts, InPython(all_of_them))
            several.labels = sorted(self.counts)
            raise several
        if self.positive is not None and not self.counts.get(self.positive) and not self.others:
            texts = [str(value) for value in self.counts]
            listed = {part.strip() for part in str(self.said).split(",")} <= set(texts)
            cure = _ONE_LABEL if listed else nearest(str(self.said), texts)
            raise ArgumentError(
                Argument("pos_label"),
                f" {self.said!r} does not occur: {self.column[0].lower()}"
                f"{self.column[1:]} has {self._listed()}.{cure}",
            )

    def _slip(self) -> str:
        """Say what is wrong with labels of which one was written by mistake, or ""."""
        if self.kind != "text" or self.others:
            return ""
        texts = [value for value, _ in self._ranked()]
        for rare in reversed(texts):
            others = [value for value in texts if value != rare]
            for each in others:
                if each.split() == rare.split():
                    how = f"{shown(rare)} and {shown(each)} differ by spaces only"
                    return f"{how}: write them alike."
                if each.casefold().split() == rare.casefold().split():
                    how = f"{shown(rare)} and {shown(each)} differ by capitals only"
                    return f"{how}: write them alike."
        folded = {_folded(value): value for value in texts}
        for pair in _PAIRS["text"]:
            strays = [value for word, value in folded.items() if word not in pair]
            if len(strays) == 1 and len(texts) == 3:
                return f"Is {shown(strays[0])} a label? If not, leave out its rows."
        return ""

    def _is_measured(self) -> bool:
        """Whether there are more fractions than labels have."""
        measured = self.kind == "number" and any(value % 1 for value in self.counts)
        return measured and len(self.counts) > _LISTED

    def _cure(self) -> tuple[Part, Part]:
        ranked = self._ranked()
        if self._is_measured():
            return "It looks like a score. Name the column of labels with ", keyword("label")
        if self.others:
            how = keyword("pos_label")
            return "Is it the label? If so, name its positive value with ", how
        if len(ranked) == 1:
            return "If it is the positive one, say so with ", Argument("pos_label", ranked[0][0])
        meant = positive_by_word([value for value, _ in ranked])
        example = ranked[-1][0] if meant is None else meant
        return "Name the positive one, as in ", Argument("pos_label", example)

    def _ranked(self) -> list[tuple[Any, int]]:
        return sorted(self.counts.items(), key=lambda item: -item[1])

    def _listed(self) -> str:
        ranked = self._ranked()
        texts = [
            f"{shown(value)} ({n:,} row{'' if n == 1 else 's'})" for value, n in ranked[:_LISTED]
        ]
        if self.others:
            return f"more than {_COUNTED:,} values, such as {', '.join(texts[:5])}"
        if len(ranked) == 1:
            return f"one value only, {texts[0]}"
        more = ", ..." if len(ranked) > _LISTED else ""
        return f"{len(ranked):,} values: {', '.join(texts)}{more}"

    def shown_positive(self) -> Any:
        if self.positive is not None:
            return self.positive
        yes = self._positive_among(list(self.counts))
        return yes[0] if yes else None

    def described(self) -> dict[str, int]:
        """Return rows by value: the positive one and the most frequent others, then the rest."""
        first = self.shown_positive()
        ranked = sorted(self.counts.items(), key=lambda item: (item[0] != first, -item[1]))
        counts = {label_text(value): n for value, n in ranked[:_LISTED]}
        rest = sum(n for _, n in ranked[_LISTED:]) + self.others
        return counts | ({"(others)": rest} if rest else {})


def _counted(present: Array) -> tuple[list[Any], list[int]]:
    """Count distinct numbers or booleans; without sorting where they are 0 and 1."""
    n_one = int(np.count_nonzero(present == 1))
    n_zero = int(np.count_nonzero(present == 0))
    if n_one + n_zero == present.size:
        pair = [False, True] if present.dtype.kind == "b" else [0, 1]
        both = zip(pair, (n_zero, n_one), strict=True)
        kept = [(value, n) for value, n in both if n]
        return [value for value, _ in kept], [n for _, n in kept]
    values, counts = np.unique(present, return_counts=True)
    return [_natural(value) for value in values.tolist()], counts.tolist()


def labels_in(path: Paths, name: str, *, most: int, reading: Reading) -> list[Any]:
    """Return the distinct values of a column, sorted; of more than `most`, one more at least."""
    looked = sources_of(path, reading)
    kinds = shared_kinds(looked) | dict(reading.kinds)
    told = {name: kinds[name]} if name in kinds else {}  # in all files alike
    found: set[Any] = set()
    for _, batch in of_each(looked, lambda source: batches_of(source, [name], told)):
        values, present = batch.columns[name], ~batch.missing[name]
        if isinstance(values, Codes):
            found |= {values.categories[code] for code in np.unique(values.codes[present]).tolist()}
        else:
            found |= set(_counted(values[present])[0])
        if len(found) > most:
            break
    return sorted(found)


def _number(said: Any) -> Any:
    """Return the number that a label is asked for by, a whole one with all its digits."""
    if isinstance(said, str | Integral):
        with suppress(ValueError):
            return int(said)
    return _natural(float(said))


def _natural(value: Any) -> Any:
    """Return a whole float as int, so that a label is shown as it was written."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) <= EXACT
    return int(value) if whole else value


def _folded(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def label_text(value: Any) -> str:
    """Return a label as files have it: true, not True."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- counting -----------------------------------------------------------------------------------


class _MixedError(Exception):
    """Whole numbers that float64 would round, in a column with fractions: no type fits both."""


class _Count:
    """Counts batch after batch."""

    def __init__(
        self,
        file: str,
        roles: _Roles,
        labels: _Labels,
        takers: Mapping[str, Taker],
        missing: MissingPolicy,
    ) -> None:
        self.file = self.here = file
        self.roles = roles
        self.labels = labels
        self.takers = takers
        self.threads = min(default_threads(), len(takers))
        self.kept = dict.fromkeys(takers, 0)
        self.groups: dict[str, int] = {}
        self.missing = missing
        self.rows = self.before = 0  # in all, and in the files before this one
        self.dropped = dict.fromkeys(roles.names, 0)
        # Scores chosen by default that rise by whole numbers, with the last one seen.
        self.rising = dict.fromkeys(takers if roles.by_default else (), -np.inf)

    def add(self, batch: Batch, source: Source) -> None:
        if source.name != self.here:
            self.here, self.before = source.name, self.rows
        self.rows = self.before + batch.row + len(batch)
        if self.missing == "raise":
            self._check_complete(batch, source)
        cases = self._present(batch, self.roles.label, np.ones(len(batch), dtype=bool))
        positive = self.labels.add(batch.columns[self.roles.label], cases)
        if self.labels.unclear:
            return
        more, cases = self._beside(batch, cases)
        whole = cases.copy()
        for name in self.takers if self.roles.beside is not None else ():
            whole &= ~batch.missing[name]
        work: list[tuple[str, Taker, list[Any]]] = []
        for name, taker in self.takers.items():
            values = self._score(batch, name)
            if name in self.rising:
                self._watch_order(name, values)
            own = self._present(batch, name, cases)
            kept = own if self.roles.beside is None else whole
            n_kept = int(kept.sum())
            self.kept[name] += n_kept
            columns = [positive, values, *more]
            if n_kept < len(batch):
                columns = [column[kept] for column in columns]
            work.append((name, taker, columns))
        in_threads(self.threads, self._take, work)

    def _present(self, batch: Batch, name: str, cases: Mask) -> Mask:
        """Return those of the cases that have a value in a column, and count the others."""
        lacking = cases & batch.missing[name]
        self.dropped[name] += int(lacking.sum())
        return np.asarray(cases & ~lacking)

    def _beside(self, batch: Batch, cases: Mask) -> tuple[list[Any], Mask]:
        """Return what takers get beside label and score, and which cases have all of it."""
        weight, by, more = self.roles.weight, self.roles.by, list[Any]()
        if weight is not None:
            self._check_weights(batch, weight)
            cases = self._present(batch, weight, cases)
            more.append(batch.columns[weight])
        for name in self.roles.beside or ():
            cases = self._present(batch, name, cases)
            values = batch.columns[name]
            more.append(values.decode() if isinstance(values, Codes) else values)
        if by is not None:
            cases = self._present(batch, by, cases)
            more.append(self._groups_of(batch, by))
        return more, cases

    def _groups_of(self, batch: Batch, by: str) -> Ints:
        """Return the number of each row's group; a new group gets the next number."""
        values, missing = batch.columns[by], batch.missing[by]
        if isinstance(values, Codes):
            names, codes = list(values.categories), np.asarray(values.codes, dtype=np.int64)
        else:
            found, codes = np.unique(values[~missing], return_inverse=True)
            names = [label_text(_natural(value)) for value in found.tolist()]
            codes, inner = np.full(len(batch), -1), codes
            codes[~missing] = inner
        numbers = [self.groups.setdefault(name, len(self.groups)) for name in names]
        if len(self.groups) > _GROUPS:
            msg = f"Column {by!r} of {self.file} has more than {_GROUPS:,} values: is it a group? "
            raise ArgumentError(msg, "Name another column with ", keyword("by"), ".")
        return np.array([*numbers, -1], dtype=np.int64)[codes]

    def _take(self, each: tuple[str, Taker, list[Any]]) -> None:
        name, taker, columns = each
        try:
            taker.update(*columns)
        except DigitsLostError:
            raise _MixedError(name) from None

    def _check_complete(self, batch: Batch, source: Source) -> None:
        if batch.complete().all():
            return
        first = {
            name: int(np.argmax(missing))
            for name, missing in batch.missing.items()
            if missing.any()
        }
        name = min(first, key=lambda name: first[name])
        row = batch.row + first[name] + 1
        said = f"Column {name!r} of {self.here} has no value in row {row:,}{in_line(source, row)}"
        omit = "leave out such rows with ", Argument("missing", "omit", 'missing="omit"'), "."
        if name in self.takers and row == 1 and len(batch) > 1 and batch.missing[name].all():
            said = f"{said}, nor in the next {len(batch) - 1:,}. Name other columns with "
            raise ArgumentError(said, keyword("score"), ", or ", *omit)
        said = f"{said}. Fill it in, or "
        raise ArgumentError(said, *omit)

    def _check_weights(self, batch: Batch, weight: str) -> None:
        values: Any = batch.columns[weight]
        bad = ((values < 0) | np.isinf(values)) & ~batch.missing[weight]
        if bad.any():
            at = int(np.argmax(bad))
            msg = (
                f"Column {weight!r} of {self.here} is {values[at]:g} in row "
                f"{batch.row + at + 1:,}. Weights are finite and zero or more."
            )
            raise ValueError(msg)

    def _watch_order(self, name: str, values: Array) -> None:
        """Keep a score among those that rise while it does; a missing one (nan) does not."""
        before = np.append(self.rising[name], values[:-1])
        if values.size and bool(((values > before) & (values == np.floor(values))).all()):
            self.rising[name] = values[-1]
        elif values.size:
            del self.rising[name]

    def _score(self, batch: Batch, name: str) -> Array:
        values: Any = batch.columns[name]
        if values.dtype.kind == "b":
            return np.asarray(values, dtype=np.float64)
        return np.asarray(values)

    def check_some(self) -> None:
        """Raise if a score has no cases."""
        for name, kept in self.kept.items():
            if not kept:
                said = (
                    f"Column {name!r} of {self.file} leaves no case to count: of {self.rows:,} "
                    f"rows {self.dropped[name]:,} have no value there, and "
                    f"{self.dropped[self.roles.label]:,} no label. Name other columns with "
                )
                raise ArgumentError(said, keyword("score"), ".")

    def warn_of_ids(self, tables: Mapping[str, ScoreTable] = FrozenDict()) -> None:
        """Warn of scores chosen by default whose values look like ids."""
        if not self.roles.by_default:
            return
        numbered = {name: table.score for name, table in tables.items() if looks_like_id(table)}
        for name, score in numbered.items():
            warn(
                f"{name} has every whole number from {count(score.min())} to "
                f"{count(score.max())} once, as row numbers do: is it a score?"
            )
        for name in self.rising if self.rows >= NUMBERED else ():
            if name not in numbered:
                warn(
                    f"{name} of {self.file} has whole numbers that rise from row to row, as ids "
                    "do: is it a score? Name the scores to count others only."
                )

    def described(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "label": self.roles.label,
            "positive": self.labels.shown_positive(),
            "labels": self.labels.described(),
            "weight": self.roles.weight,
            "scores_chosen": "every numeric column" if self.roles.by_default else "by name",
            "dropped": {name: n for name, n in self.dropped.items() if n},
        }
