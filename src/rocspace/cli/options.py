"""Options that several verbs share, in groups; `--level` stands in each verb that has it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from rocspace._base.checks import check_fraction, check_level, check_not_negative
from rocspace._base.text import json_text
from rocspace.cli.brief import brief_json
from rocspace.cli.console import check_output, note, write
from rocspace.cli.figures import check_figure
from rocspace.cli.misfits import to_repeat
from rocspace.io.sniff import Format

if TYPE_CHECKING:
    from rocspace.measures.costs_of_errors import Costs

Flag = Annotated[bool, Parameter(negative=(), show_default=False)]
Files = Annotated[list[str], Parameter(show_default=False)]  # or folders, or patterns
Several = Annotated[list[str] | None, Parameter(negative=())]
To = Literal["text", "md", "latex", "html"]
Range = Annotated[tuple[float, float] | None, Parameter(negative=())]
Numbers = Annotated[list[float] | None, Parameter(negative=())]


def _whole(_: Any, tokens: Sequence[Any]) -> int:
    """Read a whole number; 2.5 is refused, not rounded."""
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        msg = f"{text!r} is not a whole number."
        raise ValueError(msg) from None


def check_least(option: str, value: int, least: int) -> None:
    """Check that a whole number is not smaller than another."""
    if value < least:
        word = {0: "zero", 1: "one"}.get(least, least)
        msg = f"{option} is {value}, but must be {word} or more."
        raise ValueError(msg)


def check_apart(option: str, values: Iterable[str], known: Container[str]) -> None:
    """Check that words which are given one by one do not stand in one, with commas between."""
    for value in values:
        words = value.split(",")
        if len(words) > 1 and any(word in known for word in words):
            raise ValueError(to_repeat(option, words))


Whole = Annotated[int, Parameter(converter=_whole)]
_COLUMNS = Group("Columns", sort_key=1)
_FILE = Group("File", sort_key=2)
OUTPUT = Group("Output", sort_key=3)
BEST = Group("Costs and requirements", sort_key=0)


@Parameter(name="*", group=_FILE)
@dataclass(frozen=True, kw_only=True)
class Opening:
    """How to read a file, whatever its columns.

    Attributes
    ----------
    format
        Format of the file; by default it is recognised from the content and the name.
    separator
        Separator of a csv file; by default , ; | or tab is recognised.
    null
        Text for a missing value, instead of the usual ones (empty, NA, NaN, null ...); can be
        repeated.
    """

    format: Annotated[Format | None, Parameter(group=_FILE)] = None
    separator: Annotated[str | None, Parameter(group=_FILE)] = None
    null: Annotated[Several, Parameter(group=_FILE)] = None


@Parameter(name="*", group=_COLUMNS)
@dataclass(frozen=True, kw_only=True)
class Choice(Opening):
    """Which columns to read, and how.

    Attributes
    ----------
    label
        Column of the true class. By default the only one called label, y, y_true, target,
        class or outcome.
    positive
        Value of the label that counts as positive; all others are negative. Not needed for 0/1,
        -1/1 and true/false.
    score
        Column of scores, or a pattern such as 'p_*'; can be repeated. By default all numeric
        columns except the label, the weight and columns named like an id, such as id or
        patient_id.
    weight
        Column of case weights.
    lower_is_positive
        Column of scores whose lower values are more positive; can be repeated. The name may be
        omitted if there is only one score.
    missing
        "omit" leaves out cases without a label or weight, and from each score the cases that lack
        it.
    """

    label: str | None = None
    positive: str | None = None
    score: Annotated[Several, Parameter(name=("--score", "--scores"))] = None
    weight: str | None = None
    lower_is_positive: Several = None
    missing: Literal["raise", "omit"] = "raise"


_Refused = Annotated[str | None, Parameter(show=False)]  # not in the help, but answered


@Parameter(name="*", group=_COLUMNS)
@dataclass(frozen=True, kw_only=True)
class ScoreChoice(Choice):
    """Which columns to read, where none of them is a label."""

    label: _Refused = None
    positive: _Refused = None


@Parameter(name="*", group=OUTPUT)
@dataclass(frozen=True, kw_only=True)
class Printing:
    """Where results go.

    Attributes
    ----------
    json
        Print JSON with every digit instead of a table.
    brief
        Print JSON on one line, with the numbers that a table would have.
    output
        Write to this file instead of standard output.
    quiet
        Print no notes and no progress on standard error.
    """

    json: Flag = False
    brief: Flag = False
    output: str | None = None
    quiet: Flag = False

    @property
    def progress(self) -> bool | None:
        """Whether to show progress: never with --quiet, else in a terminal."""
        return False if self.quiet else None

    def check(
        self, source: Sequence[str], figure: str | None = None, *, level: float = 0.95
    ) -> None:
        """Refuse, before any work, a level, and places that cannot be written or are the input."""
        check_level(level)
        check_output(self.output, source)
        check_figure(figure, source)

    def answer(self, described: dict[str, Any], text: Callable[[], str]) -> None:
        """Write a result as JSON or as text, wherever the options say."""
        write(self.in_json(described) if self.as_json else text(), self.output)

    @property
    def as_json(self) -> bool:
        """Whether JSON was asked for, all of it or the brief form."""
        return self.json or self.brief

    def in_json(self, described: dict[str, Any]) -> str:
        """Return a result as JSON, all of it or the brief form."""
        return brief_json(described) if self.brief else json_text(described)

    def note(self, message: str) -> None:
        """Say something on standard error, unless --quiet was given."""
        if not self.quiet:
            note(message)


@Parameter(name="*", group=BEST)
@dataclass(frozen=True, kw_only=True)
class Pricing:
    """What errors cost, and how frequent positives are.

    Attributes
    ----------
    cost_fp
        Cost of a false positive; 1 if it is not given.
    cost_fn
        Cost of a false negative; 1 if it is not given.
    prevalence
        Share of positives where the scores will be used; by default that of the file.
    """

    cost_fp: float | None = None
    cost_fn: float | None = None
    prevalence: float | None = None

    @property
    def said(self) -> bool:
        """Whether a cost was given."""
        return (self.cost_fp, self.cost_fn) != (None, None)

    @property
    def given(self) -> bool:
        """Whether a cost or a prevalence was given."""
        return self.said or self.prevalence is not None

    @property
    def costs(self) -> Costs:
        """The costs, 1 where none was given, once they and the prevalence are checked."""
        from rocspace.measures.costs_of_errors import Costs

        if self.prevalence is not None:
            check_fraction("--prevalence", self.prevalence)
        fp, fn = (1.0 if cost is None else cost for cost in (self.cost_fp, self.cost_fn))
        check_not_negative("--cost-fp", fp)
        check_not_negative("--cost-fn", fn)
        return Costs(fp=fp, fn=fn)


CHOICE = Choice()
SCORE_CHOICE = ScoreChoice()
OPENING = Opening()
PRINTING = Printing()
PRICING = Pricing()
