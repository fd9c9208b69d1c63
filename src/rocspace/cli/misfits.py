"""What is said of options that a verb does not have, lacks, or was given more than once."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from rocspace._base.moved import SLIP

_COMMA = re.compile(r"(-?\d+),(\d+)")
_PERCENT = re.compile(r"(-?\d+(?:\.\d+)?)\s*%")
_NUMBER = re.compile(r"-?\d*\.?\d+(e-?\d+)?")
_FEW = 4  # verbs that are named


def unknown(verb: str, option: str, own: Iterable[str], others: Mapping[str, Iterable[str]]) -> str:
    """Return what is said of an option that a verb does not have.

    Of each of the other verbs it is told which options it has.
    """
    said = f"rocspace {verb} has no {option}."
    having = sorted(name for name, options in others.items() if option in options)
    if not having:
        near = get_close_matches(option, [name for name in own if name[:2] == "--"], 1, SLIP)
        return f"{said} Did you mean {near[0]}?" if near else said
    listed = [f"rocspace {name}" for name in having]
    if len(listed) > _FEW:
        return f"{said} Other commands have it, such as {' and '.join(listed[:2])}."
    *rest, last = listed
    whole = f"{', '.join(rest)} and {last} have" if rest else f"{last} has"
    return f"{said} {whole} it."


def repeated(option: str, words: Sequence[str], says: str) -> str:
    """Return how to give an option several values that takes one, or why it cannot have them."""
    values = [
        value if equals else "".join(words[i + 1 : i + 2])
        for i, word in enumerate(words)
        for name, equals, value in [word.partition("=")]
        if name == option
    ]
    if "commas between" in says:
        several = shlex.quote(",".join(values))
        return f"Give {option} several values with commas between: {option} {several}"
    said = f"{option} is given {len(values)} times, and takes one value."
    if option == "--positive":
        listed = " and ".join(values)
        return f"{said} To count {listed} as positive, write a column that is 1 for them, else 0."
    return f"{said} Leave out all but one."


def without_value(option: str, words: Sequence[str], says: str) -> str:
    """Return what is said of an option that lacks its value, as in ``--score --json``."""
    after = (words[i + 1 : i + 2] for i, word in enumerate(words) if word == option)
    behind = next(word for word in after if "".join(word)[:1] in ("", "-"))
    what = says.partition(". ")[0].partition(";")[0].rstrip(".")
    said = f"{option} needs a value{f': {what[:1].lower()}{what[1:]}' if what else ''}."
    return f"{said} It is followed by the option {behind[0]}." if behind else said


def to_repeat(option: str, values: Iterable[str]) -> str:
    """Return how to give an option several values that are given one by one."""
    line = " ".join(f"{option} {shlex.quote(each)}" for each in values)
    return f"Repeat {option} for each of several values: {line}"


def numbers_apart(option: str, value: str) -> str:
    """Return how to give an option numbers that stand in one value, or nothing."""
    values = value.split(",")
    apart = len(values) > 1 and not _COMMA.fullmatch(value) and all(map(_NUMBER.fullmatch, values))
    return to_repeat(option, values) if apart else ""


def no_number(value: str) -> str:
    """Return what is said of a value that is not a number, such as 90%, and how to write it."""
    said = f'"{value}" is not a number.'
    if share := _PERCENT.fullmatch(value):
        return f"{said} {value} is {float(share[1]) / 100:g}."
    if point := _COMMA.fullmatch(value):
        return f"{said} Write a point: {point[1]}.{point[2]}."
    return said


def lacking(command: str, name: str, says: str) -> str:
    """Return what is said where a verb lacks an argument, of which its help is told."""
    if name == "FILE":
        return f"{command} needs FILE, or - for standard input."
    what = says.partition(". ")[0].rstrip(".")
    return f"{command} needs {name}{f': {what[:1].lower()}{what[1:]}' if what else ''}."
