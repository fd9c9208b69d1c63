"""Numbers as people read them: few digits, but never a wrong one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Any

from rocspace._base import text as _html
from rocspace.report.plain import number

NOTHING = _html.NOTHING
MINUS = _html.MINUS
_sign = _html.sign
decimals_for = _html.decimals_for


def share(value: Any, decimals: int = 3) -> str:
    """Return a number in [-1, 1] such as 0.927: never 1.000 unless it is 1, never 0.000."""
    return _html.share(number(value), decimals)


def general(value: Any) -> str:
    """Return a number of any size with three significant digits."""
    return _html.general(number(value))


def count(value: Any) -> str:
    """Return a count with its thousands set apart; weights with one decimal if they need it."""
    if isinstance(value, int):
        return f"{value:,}"
    x = number(value)
    if math.isnan(x):
        return NOTHING
    if x == round(x) and abs(x) < 1e15:
        return f"{x:,.0f}"
    return f"{x:,.1f}" if 10 <= abs(x) < 1e15 else f"{x:.3g}"


def percent(value: Any) -> str:
    """Return a share as a per cent, with as many digits as it needs near 0 and 100."""
    x = number(value)
    if math.isnan(x):
        return NOTHING
    if x in (0, 1):
        return f"{100 * x:.0f}\u202f%"
    rest = 100 * min(x, 1 - x)
    digits = max(1, -math.floor(math.log10(rest)) if rest < 0.1 else 1)
    return f"{100 * x:.{min(digits, 6)}f}\u202f%"


def pvalue(value: Any) -> str:
    """Return a p value, at least 0.0001."""
    return _html.pvalue(number(value))


def interval(low: Any, high: Any, decimals: int = 3) -> str:
    """Return both ends of an interval of shares."""
    return f"{share(low, decimals)} to {share(high, decimals)}"


def threshold(value: Any, next_score: Any) -> str:
    """Return the shortest decimal that makes the same decisions as a threshold.

    Every threshold from `next_score`, excluded, to `value` decides alike, so rounding goes
    towards `next_score` and never reaches it: what is shown gives the counts shown beside it,
    and two thresholds that differ look different.
    """
    if value in ("inf", "-inf"):
        return _sign(str(value)).replace("inf", "∞")
    if isinstance(value, int) and abs(value) < 10**15:
        return _sign(str(value))
    beyond = number(next_score)
    down = beyond < number(value)
    exact = Decimal(value)
    for digits in range(3, 18):
        context = Context(prec=digits, rounding=ROUND_FLOOR if down else ROUND_CEILING)
        short = context.create_decimal(exact)
        if (float(short) > beyond) if down else (float(short) < beyond):
            return _decimal_text(short)
    return _sign(repr(value))


def distinct(values: Sequence[Any]) -> list[str]:
    """Return numbers with as many significant digits as keep different ones different."""
    different = len(set(values))
    for digits in range(4, 18):
        texts = [_rounded(value, digits) for value in values]
        if len(set(texts)) == different:
            return texts
    return [_sign(str(value)) for value in values]


def _rounded(value: Any, digits: int) -> str:
    if isinstance(value, str):
        return _sign(value).replace("inf", "∞")
    if isinstance(value, int):
        return _sign(str(value))
    return _decimal_text(Context(prec=digits).create_decimal(Decimal(value)))


def _decimal_text(value: Decimal) -> str:
    if value == 0:
        return "0"
    value = value.normalize()
    plain = -6 < value.adjusted() < 12
    return _sign(f"{value:f}" if plain else f"{value:e}")
