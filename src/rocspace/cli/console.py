"""What the command line prints: tables, numbers, notes; and files, all or nothing.

Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from rich.box import SIMPLE_HEAD, Box
from rich.cells import cell_len
from rich.console import Console
from rich.containers import Lines
from rich.table import Table
from rich.text import Text

from rocspace._base import text as words
from rocspace._base.whole import write_whole

_PLAIN_HEAD = Box("\n".join(["    ", "    ", " -- ", *["    "] * 5]) + "\n", ascii=True)
_WORD = 24  # letters of a word that a narrow column does not break
_SHORT = 12  # the same, where long names alone make a table wider than a page
_LEAST = 8  # letters that are left of a name at least
_APART = 3  # spaces between columns
PAGE = 80  # columns of what is not printed to a terminal
_WIDEST = 240  # the same, of a table that cannot be fitted to them
_JOINT = re.compile(r"( minus | (?:[<>]=?|at) \S+$| \(first of .*$)")  # behind and between names


# --- text and numbers -----------------------------------------------------------------------


def printable(text: object) -> str:
    """Escape what would break a line or steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def count(value: Any) -> str:
    """Show a number of cases, or a sum of weights."""
    return words.in_ascii(words.count(value))


def share(value: Any) -> str:
    """Show a number between -1 and 1; any other as `number` does."""
    return words.in_ascii(words.either(value))


def number(value: Any) -> str:
    """Show any number in three significant digits."""
    return words.in_ascii(words.general(value))


def pvalue(value: Any) -> str:
    """Show a p value."""
    return words.in_ascii(words.pvalue(value))


def interval(low: Any, high: Any) -> str:
    """Show two ends."""
    return words.in_ascii(words.interval(low, high))


def interval_title(level: Any, what: str = "interval") -> str:
    """Name the column of intervals of a level."""
    return words.in_ascii(f"{words.level_text(level)} {what}")


def estimate(value: Any, low: Any, high: Any) -> tuple[str, str]:
    """Show an estimate and its ends, with the decimals that its width justifies."""
    value, ends = map(words.in_ascii, words.estimate(value, low, high))
    return value, ends


def estimate_of(described: Mapping[str, Any]) -> tuple[str, str]:
    """Show an estimate that was described with its interval."""
    return estimate(described["value"], described["interval"]["low"], described["interval"]["high"])


def ratio(value: Any, low: Any, high: Any) -> tuple[str, str]:
    """Show a ratio and its ends."""
    value, ends = map(words.in_ascii, words.ratio(value, low, high))
    return value, ends


def cell(value: Any) -> str:
    """Show what stands in a table: texts as they are, whole numbers as counts, others as shares."""
    if isinstance(value, str):
        return value
    return count(value) if isinstance(value, Integral) else share(value)


def shares(values: Sequence[Any]) -> list[str]:
    """Show the numbers of a column with equal decimals."""
    return [words.in_ascii(text) for text in words.shares(values)]


# --- tables -----------------------------------------------------------------------------------


def table_text(
    header: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    left: Sequence[int] = (0,),
    names: int = 1,
    among: Iterable[str] = (),
    page: bool = False,
) -> str:
    """Lay out a table: for the terminal that it goes to, else plain, a line for each row.

    Cells are texts, or numbers that are shown as `cell` does. Columns are aligned to the right,
    but for those `left`, which are broken between words where there is little room. The first
    columns, as many as have `names`, are broken only where long names alone make the table wider
    than a page. Without a terminal long names lose their middle, so that the table is no wider than
    a page, but still differ from each other and from those they are `among`, and one that is the
    title of a column stands above, whole; with `page` other texts may be broken for that, too.
    What cannot be made to fit is as wide as it needs.
    """
    cells = [[printable(cell(value)) for value in row] for row in rows]
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        return _fitted_table(console, header, cells, left, names)
    above, wide = "", _width(_widths(header, cells))
    if wide > PAGE:
        if names and cell_len(header[0]) > _WORD:
            above, header = f"{printable(header[0])}\n", ["", *header[1:]]
        fitting = _on_page(header, cells, left if page else (), names, list(among))
        if fitting:
            wide, header, cells = PAGE, fitting[0], fitting[1:]
    widths = _widths(header, cells)
    if _width(widths) <= min(wide, _WIDEST):
        return above + _plain_table([header, *cells], widths, left)
    console = Console(highlight=False, markup=False, emoji=False, width=min(wide, _WIDEST))
    return above + _fitted_table(console, header, cells, left, names)


def _widths(header: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_len, column)) for column in zip(header, *cells, strict=True)]


def _width(widths: Sequence[int]) -> int:
    """Return the width of a table whose columns are so wide."""
    return sum(widths) + _APART * (len(widths) - 1)


def _on_page(
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    breaks: Sequence[int],
    names: int,
    among: Sequence[str],
) -> list[list[str]] | None:
    """Cut the names of a table, given with its header, to the width of a page; None if in vain.

    Texts that may be broken are, where names would otherwise be left with very few letters.
    """
    columns = [list(column) for column in zip(header, *cells, strict=True)]
    widths = _widths(header, cells)
    for least, broken in ((_WORD if breaks else _LEAST, ()), (_LEAST, breaks)):
        others = [
            _least(title, texts, i in broken, names)
            for i, (title, *texts) in enumerate(columns[names:], names)
        ]
        room = PAGE - _width([0] * names + others)
        most = max(widths[:names], default=0)
        while sum(min(width, most) for width in widths[:names]) > room and most > least:
            most -= 1
        cut = [[title, *_cut_names(texts, most, among)] for title, *texts in columns[:names]]
        if sum(max(map(cell_len, column)) for column in cut) <= room:
            return [list(row) for row in zip(*cut, *columns[names:], strict=True)]
    return None


def _cut_names(texts: Sequence[str], room: int, among: Sequence[str]) -> list[str]:
    """Cut the names in texts such as "a", "a minus b" and "a >= 0.5" to the room for a text."""
    parts = [_JOINT.split(text) for text in texts]
    names = list(dict.fromkeys([*(name for each in parts for name in each[::2] if name), *among]))
    for most in range(room, _LEAST // 2, -1):
        short = {
            name: name if name == said else said.replace("…", "...")
            for name, said in zip(names, words.shortened(names, most), strict=True)
        }
        said = ["".join(short.get(part, part) for part in each) for each in parts]
        if max(map(cell_len, said)) <= room:
            return said
    return list(texts)


def _plain_table(rows: Sequence[Sequence[str]], widths: Sequence[int], left: Sequence[int]) -> str:
    """Lay out a table whose columns are as wide as they need; a thousand rows take no time."""
    lines = []
    for row in rows:
        padded = []
        for i, (text, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - cell_len(text))
            padded.append(text + space if i in left else space + text)
        lines.append((" " * _APART).join(padded).rstrip())
    rule = "-" * (sum(widths) + _APART * (len(widths) - 1))
    return "".join(f"{line}\n" for line in (lines[0], rule, *lines[1:]))


def _fitted_table(
    console: Console,
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    left: Sequence[int],
    names: int,
) -> str:
    """Lay out a table for the width that there is, and break what may be broken."""
    table, narrowest = _columns(header, cells, left, names)
    if console.is_terminal and narrowest > console.width >= PAGE:
        table, narrowest = _columns(header, cells, left, 0)
    if not console.is_terminal:
        table.box = _PLAIN_HEAD
    if narrowest > console.width:  # what cannot be broken is for the terminal to show
        console = Console(width=narrowest, highlight=False)
    with console.capture() as captured:
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _columns(
    header: Sequence[str], cells: Sequence[Sequence[str]], left: Sequence[int], names: int
) -> tuple[Table, int]:
    """Return a table, and the width below which it cannot be laid out."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    least = []
    for i, title in enumerate(header):
        breaks = i >= names and i in left
        least.append(_least(title, [row[i] for row in cells], breaks, names))
        if i in left:
            table.add_column(
                Text(title), justify="left", overflow="fold", no_wrap=i < names, min_width=least[i]
            )
        else:
            table.add_column(Text(title), justify="right", no_wrap=True)
    for row in cells:
        table.add_row(*map(_Words, row))
    return table, _width(least)


def _least(title: str, texts: Sequence[str], breaks: bool, names: int) -> int:
    """Return how wide a column must be, whose texts may be broken between words or may not."""
    parts = [word for text in texts for word in (text.split() if breaks else [text])]
    longest = max(map(len, parts), default=0)
    least = max(len(title), min(longest, _WORD) if breaks else longest)
    return least if names or not breaks else min(least, _SHORT)


class _Words(Text):
    """A text in a table: a word too long for its column is broken after a hyphen or the like."""

    def wrap(self, console: Console, width: int, **how: Any) -> Lines:
        parted = re.sub(r"\S+", lambda word: _parted(word[0], width), self.plain)
        return Text(parted).wrap(console, width, **how)


def _parted(word: str, wide: int) -> str:
    lines = [""]
    for part in re.findall(r"[^-_/]*[-_/]+|[^-_/]+", word):
        if lines[-1] and cell_len(lines[-1] + part) > wide:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def heading(text: str) -> str:
    """Lay out a line above a table; in a terminal it is broken between words."""
    console, line = Console(), printable(text)
    if not console.is_terminal:
        return line
    return "\n".join(_broken(line, console.width)) or line


def _broken(line: str, wide: int) -> list[str]:
    return wrap(
        line,
        max(wide, 20),
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def room_beside(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
    """Return how many letters a further column of a table may have on one line."""
    console = Console()
    wide = console.width if console.is_terminal else PAGE
    columns = zip(header, *([printable(cell(value)) for value in row] for row in rows), strict=True)
    return wide - sum(max(map(len, column)) + _APART for column in columns)


# --- notes -----------------------------------------------------------------------


def note(message: str) -> None:
    """Say something on standard error."""
    sys.stdout.flush()
    plain = message.replace("\u202f", " ")  # the narrow space of "46 %" in a report
    say(f"rocspace: {printable(plain)}")


def say(line: str) -> None:
    """Write a line on standard error; in a terminal it is broken between words."""
    if sys.stderr.isatty():
        line = "\n".join(_broken(line, get_terminal_size().columns)) or line
    sys.stderr.write(f"{line}\n")


# --- output -------------------------------------------------------------------------------------


def check_output(output: str | None, source: Sequence[str], *, option: str = "--output") -> None:
    """Refuse, before any work, a place that cannot be written or that is among the input."""
    if output in (None, "-"):
        return
    path = Path(output)
    if path.is_dir():
        msg = f"{option} {output!r} is a folder. Name a file in it."
        raise IsADirectoryError(msg)
    if not path.parent.is_dir():
        msg = f"There is no folder {str(path.parent)!r} for {option}. Make it first."
        raise FileNotFoundError(msg)
    if path.exists() and any(Path(each).exists() and path.samefile(each) for each in source):
        msg = f"{option} {output!r} is the file that is read. Name another one."
        raise ValueError(msg)


def write(content: str | bytes | Iterable[str], output: str | None = None) -> None:
    """Write a result, whole or in pieces: to standard output, or to a file.

    A file is complete or not there.
    """
    pieces = [content] if isinstance(content, str | bytes) else content
    if output is None or output == "-":
        for piece in pieces:
            if isinstance(piece, str):
                sys.stdout.write(piece)
            else:
                sys.stdout.buffer.write(piece)
        return
    try:
        write_whole(Path(output), pieces)
    except OSError as error:  # that the disk is full comes without the file's name
        if error.filename is None and error.errno is not None:
            raise OSError(error.errno, os.strerror(error.errno), output) from error
        raise
