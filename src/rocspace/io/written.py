"""Numbers written for people, which no program reads: what is wrong, and how to write them."""

from __future__ import annotations

import re
from collections.abc import Callable

from rocspace._base.words import shown
from rocspace.io.text import is_float

_SEPARATORS = ".,'\u2019\u00a0\u202f "  # between thousands, somewhere in the world
_GROUPED = re.compile(rf"[-+]?\d{{1,3}}([{_SEPARATORS}])\d{{3}}(?:\1\d{{3}})*(?:[.,]\d*)?")
_COMMA = re.compile(r"[-+]?\d*,\d+")
_CURRENCY = re.compile(r"[-+]?[$€£¥]\s*|\s*[$€£¥]$")
_UNIT = re.compile(r"(.*\d)\s+[^\s\d]+")
_LIMIT = re.compile(r"[<>≤≥]=?\s*")
_NOTHING = re.compile(r"[-–—.?*/\\ ]+|#[A-Z/]+[0!?A-Z]*")  # signs, and the errors of spreadsheets
_MINUS = "\u2212\u2013\u2014"


def how_to_write(text: str) -> str:
    """Return what is to be done to a text that was meant as a number, or "" if it was not.

    The sentence ends with a full stop.
    """
    text = text.strip()
    return next((said for rule in _RULES if (said := rule(text))), "")


def how_to_leave_out(text: str) -> str:
    """Return what is to be done to a text that stands where a number is missing, or ""."""
    if not _NOTHING.fullmatch(text):
        return ""
    return "If it means a missing value, say so (null_values, --null), or leave it empty."


def _is_meant(text: str) -> bool:
    return is_float(text) or bool(_COMMA.fullmatch(text) or _GROUPED.fullmatch(text))


def _percent(text: str) -> str:
    bare = text.removesuffix("%").strip()
    if bare == text or not _is_meant(bare):
        return ""
    return f"Write it without the sign of percent: {bare}."


def _limit(text: str) -> str:
    if not (found := _LIMIT.match(text)) or not _is_meant(text[found.end() :]):
        return ""
    return (
        "A limit of detection is not a number: write one in its place, the same below all others, "
        "or leave it empty."
    )


def _minus(text: str) -> str:
    if text[:1] not in _MINUS or not text or not _is_meant(text[1:].strip()):
        return ""
    return f"Its minus is the character U+{ord(text[0]):04X}: write a hyphen, -{text[1:].strip()}."


def _comma(text: str) -> str:
    if not _COMMA.fullmatch(text):
        return ""
    pointed = text.replace(",", ".")
    return (
        f"If its comma is a decimal one, write {pointed}, as other numbers of the file have "
        "points; if it separates thousands, leave it out."
    )


def _thousands(text: str) -> str:
    if not (found := _GROUPED.fullmatch(text)):
        return ""
    plain = text.replace(found[1], "").replace(",", ".")
    return f"Write it without {shown(found[1])} between thousands: {plain}."


def _currency(text: str) -> str:
    bare = _CURRENCY.sub("", text)
    return "Write it without the currency." if bare != text and _is_meant(bare) else ""


def _unit(text: str) -> str:
    found = _UNIT.fullmatch(text)
    if found is None or not _is_meant(found[1]):
        return ""
    return f"Write it without its unit: {found[1]}."


_RULES: tuple[Callable[[str], str], ...] = (
    _percent,
    _limit,
    _minus,
    _comma,
    _thousands,
    _currency,
    _unit,
)
