"""Numbers as people read them: few digits, but never a wrong one; and long names, cut.

The terminal, the report, cards in notebooks, plots and tables for papers all write a number by
the functions here, so that one value has one text. An interface may change the signs (`in_ascii`
for a terminal, TeX in a LaTeX table), never the digits.

Every function of numbers takes numbers, or what JSON has in their place: "inf", "-inf" and null.
"""

from __future__ import annotations

import json
import math
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from typing import Any, NamedTuple

NOTHING = "–"
MINUS = "\N{MINUS SIGN}"
SPACE = "\N{NARROW NO-BREAK SPACE}"  # before a per cent sign
LONGEST = 24  # letters of a name that are written where there is little room
_SMALLEST = 7  # decimals at which a share that is not quite 0 or 1 becomes "<" or ">"
_WIDE = 0.01  # of an interval whose ends may be written as 0 or 1
_ALIKE = 5  # most decimals that an end of an interval takes over from the other
_ASCII = str.maketrans({NOTHING: "-", MINUS: "-", SPACE: " ", "∞": "inf", "≤": "<=", "≥": ">="})


# --- signs ------------------------------------------------------------------------------------


def number(value: Any) -> float:
    """Read a number or what JSON has in its place: "inf" becomes infinity, null NaN."""
    return math.nan if value is None else float(value)


def sign(text: str) -> str:
    """Write the minus sign and the infinity sign as in print."""
    return text.replace("-", MINUS, 1).replace("inf", "∞") if text[:1] in "-i" else text


def spaced(text: str) -> str:
    """Return a text from here with ordinary spaces, for plots and papers."""
    return text.replace(SPACE, " ")


def in_ascii(text: str) -> str:
    """Return a text from here for a terminal or a program: the same digits, plain signs."""
    return text.translate(_ASCII)


# --- JSON -------------------------------------------------------------------------------------


def json_text(value: Any) -> str:
    """Return JSON with every digit of every number, indented, as files have it."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def json_line(value: Any) -> str:
    """Return the same on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n"


# --- numbers ----------------------------------------------------------------------------------


def share(value: Any, decimals: int = 3) -> str:
    """Return a number in [-1, 1] such as 0.927: never 1.000 unless it is 1, never 0.000.

    Near 0 and 1 the decimals show two significant digits of the distance to 0 or 1.
    """
    x = number(value)
    if math.isnan(x):
        return NOTHING
    if x in (0, 1, -1):
        return sign(str(int(x)))
    if x < 0:
        return MINUS + share(-x, decimals)
    rest = min(x, 1 - x)
    digits = max(decimals, 1 - math.floor(math.log10(rest)) if rest < 0.01 else 0)
    if digits > _SMALLEST:
        if rest < 10**-_SMALLEST:
            return ">0." + "9" * _SMALLEST if x > 0.5 else "<0." + "0" * (_SMALLEST - 1) + "1"
        digits = _SMALLEST
    text = f"{x:.{digits}f}"
    if not 0 < float(text) < 1:
        text = f"{x:.{digits + 1}f}"
    while len(text) > decimals + 2 and text.endswith("0"):
        text = text[:-1]
    return text


def shares(values: Sequence[Any], decimals: int = 3) -> list[str]:
    """Return the numbers of a column with equal decimals, as many as the one that needs most."""
    texts = [share(value, decimals) for value in values]
    digits = max((len(text.partition(".")[2]) for text in texts), default=0)
    plain = [number(value) for value in values]
    return [
        text if text[:1] in "<>" or text == NOTHING else sign(f"{x:.{digits}f}")
        for x, text in zip(plain, texts, strict=True)
    ]


def general(value: Any) -> str:
    """Return a number of any size with three significant digits: 0.500, 1.20, but 12 if it is 12.

    A fraction keeps its zeros, which were measured; a whole number has none to show.
    """
    x = number(value)
    if math.isnan(x):
        return NOTHING
    if 1e-4 <= abs(x) < 1000:
        rounded = Context(prec=3).create_decimal(x)
        return sign(f"{rounded:,.{0 if x == int(x) else max(2 - rounded.adjusted(), 0)}f}")
    if x == 0:
        return "0"
    return sign(f"{x:,.0f}" if 1000 <= abs(x) < 1e7 else f"{x:.2e}")


def brief(value: Any) -> str:
    """Return a number with at most six significant digits, as reprs and messages have it."""
    return f"{number(value):.6g}"


def tick(value: Any) -> str:
    """Return the number beside a tick of an axis, without zeros that it does not need."""
    return sign(f"{number(value):.10g}")


def either(value: Any) -> str:
    """Return a number in [-1, 1] as a share, any other with three significant digits."""
    return share(value) if abs(number(value)) <= 1 else general(value)


def count(value: Any) -> str:
    """Return a count with its thousands set apart; weights with one decimal if they need it."""
    if isinstance(value, int):
        return sign(f"{value:,}")
    x = number(value)
    if math.isnan(x):
        return NOTHING
    if x == round(x, 0) and abs(x) < 1e15:
        return sign(f"{x:,.0f}")
    return sign(f"{x:,.1f}" if 10 <= abs(x) < 1e15 else f"{x:.3g}")


def percent(value: Any) -> str:
    """Return a share as a per cent, with as many digits as it needs near 0 and 100."""
    x = number(value)
    if math.isnan(x):
        return NOTHING
    rest = 100 * min(x, 1 - x)
    if abs(rest) < 1e-10:  # 0 or 1, but for rounding
        return f"{100 * x:.0f}{SPACE}%"
    digits = max(1, -math.floor(math.log10(rest)) if rest < 0.1 else 1)
    return f"{100 * x:.{min(digits, 6)}f}{SPACE}%"


def level_text(value: Any) -> str:
    """Return a confidence level, such as 95 %."""
    return f"{100 * number(value):.6g}{SPACE}%"


def distinct(values: Sequence[Any]) -> list[str]:
    """Return numbers with as many significant digits as keep different ones different."""
    different = len(set(values))
    for digits in range(4, 18):
        texts = [_rounded(value, digits) for value in values]
        if len(set(texts)) == different:
            return texts
    return [sign(str(value)) for value in values]


def _rounded(value: Any, digits: int) -> str:
    if isinstance(value, int) or not math.isfinite(number(value)):
        return sign(str(value))
    return _decimal_text(Context(prec=digits).create_decimal(Decimal(value)))


def _decimal_text(value: Decimal) -> str:
    if value == 0:
        return "0"
    value = value.normalize()
    plain = -6 < value.adjusted() < 12
    return sign(f"{value:f}" if plain else f"{value:e}")


# --- estimates, intervals, differences --------------------------------------------------------


class Said(NamedTuple):
    """An estimate and its interval, as texts."""

    value: str
    interval: str


def decimals_for(width: float) -> int:
    """Return how many decimals the width of an interval justifies."""
    if not 0 < width < math.inf:
        return 3
    return min(max(math.ceil(-math.log10(width)), 3), 6)


def estimate(value: Any, low: Any, high: Any) -> Said:
    """Return an estimate and its interval with as many decimals as the width justifies."""
    x, ends = number(value), (number(low), number(high))
    if math.isnan(x):
        return Said(NOTHING, "")
    if not -1 <= min(x, *ends) <= max(x, *ends) <= 1:
        return Said(general(x), interval(low, high))
    return Said(share(x, decimals_for(ends[1] - ends[0])), interval(low, high))


def ratio(value: Any, low: Any, high: Any) -> Said:
    """Return a ratio, such as a likelihood or an odds ratio, and its interval."""
    if math.isnan(number(value)):
        return Said(NOTHING, "")
    return Said(general(value), _ends(low, high, general))


def interval(low: Any, high: Any) -> str:
    """Return both ends of an interval, as shares if both are in [-1, 1].

    Both have as many decimals as the width justifies, or more where an end would look like 0 or 1.
    An end of a wide interval that is nearer to 0 or 1 than any decimal shows is written as 0 or 1.
    """
    ends = number(low), number(high)
    if ends[1] - ends[0] > _WIDE:
        low, high = ends = _outward(ends[0], math.floor), _outward(ends[1], math.ceil)
    if not -1 <= ends[0] <= ends[1] <= 1:
        return _ends(low, high, general)
    digits = least = decimals_for(ends[1] - ends[0])
    while any(_looks_whole(x, digits) for x in ends):
        digits += 1
        if digits > _ALIKE:
            return _ends(low, high, lambda x: share(x, least))
    return _ends(*ends, lambda x: share(x) if abs(x) in (0, 1) else sign(f"{x:.{digits}f}"))


def _outward(end: float, whole: Callable[[float], int]) -> float:
    """Return an end of an interval, or the whole number just outside that it cannot be told from.

    The interval written is then the wider one: its level holds.
    """
    if not math.isfinite(end):
        return end
    near = float(whole(end))
    return near if abs(end - near) < 10**-_SMALLEST else end


def _looks_whole(x: float, digits: int) -> bool:
    """Tell whether a number that is not 0, 1 or -1 looks so with these decimals."""
    return abs(x) not in (0, 1) and round(abs(x), digits) in (0, 1)


def _ends(low: Any, high: Any, write: Callable[[Any], str]) -> str:
    """Return both ends; those that differ look different."""
    texts = [write(low), write(high)]
    if texts[0] == texts[1] and number(low) < number(high):
        texts = distinct([number(low), number(high)])
    return " to ".join(texts)


def difference_name(first: object, second: object) -> str:
    """Name a difference, whose sign is that of first minus second wherever it is shown."""
    return f"{first} minus {second}"


# --- tests ------------------------------------------------------------------------------------


def pvalue(value: Any) -> str:
    """Return a p value, at least 0.0001."""
    x = number(value)
    if math.isnan(x):
        return NOTHING
    return (
        "<0.0001" if x < 1e-4 else f"{x:.4f}" if x < 0.01 else f"{x:.3f}" if x < 0.1 else f"{x:.2f}"
    )


AT_MOST = "p is at most this"
"""The note of a p value from an interval that is not inverted far enough to tell it."""


def shown_note(note: str) -> str:
    """Leave out of a test's note what its printed p value shows: that it is less than a bound."""
    return "; ".join(part for part in note.split("; ") if part != AT_MOST)


def p_equals(value: Any) -> str:
    """Return what a p value is, within a sentence."""
    text = pvalue(value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def adjusted(adjustment: str, alternative: str = "two-sided") -> str:
    """Name p values as a column does: "p", how they are adjusted, and whether they have a side."""
    how = [] if adjustment == "none" else [adjustment.title()]
    return ", ".join(["p", *how, *["one-sided"] * (alternative != "two-sided")])


def adjustment_note(adjustment: str, at: Any) -> str:
    """Return the note that intervals are not adjusted as p values are; "" where none is."""
    if adjustment == "none":
        return ""
    return (
        f"p values are adjusted for the number of pairs ({adjustment.title()}); the "
        f"{level_text(at)} intervals are not: each is about one difference."
    )


def joint_distribution(statistic: Any, df: Any, df_denominator: Any) -> str:
    """Return a joint test's statistic and degrees of freedom, then a comma; "" if unknown."""
    freedom = number(df)
    if not freedom > 0:
        return ""
    if math.isnan(number(df_denominator)):
        name, of = f"chi-square {general(statistic)}", general(df)
    else:
        name = f"F {general(number(statistic) / freedom)}"
        of = f"{general(df)} and {general(df_denominator)}"
    return f"{name} with {of} degree{'' if of == '1' else 's'} of freedom, "


def joint_test(field: Callable[[str], Any]) -> str:
    """Return a joint test whose fields are given by name: its statistic, p value and note."""
    shown = joint_distribution(*map(field, ("statistic", "df", "df_denominator")))
    said = shown_note(field("note"))
    note = f" ({said})" if said else ""
    return f"{shown}{p_equals(field('pvalue'))}{note}"


# --- thresholds -------------------------------------------------------------------------------


def threshold(value: Any, next_score: Any) -> str:
    """Return the decimal with the fewest decimals that makes the same decisions as a threshold.

    Every number from `next_score`, excluded, to `value` decides alike. Of those with the fewest
    digits behind the point it is the one nearest to `value`, so what is shown gives the counts
    shown beside it, and two thresholds that differ look different. It decides alike in single
    precision too, where both are single.

    Parameters
    ----------
    value : number
        The threshold; cases with that score are called positive.
    next_score : number
        The next less positive score that occurs, on the other side.
    """
    short = short_threshold(value, next_score)
    whole = isinstance(short, int) or not math.isfinite(short)
    return sign(str(short)) if whole else _decimal_text(Decimal(repr(short)))


def short_threshold(value: Any, next_score: Any) -> int | float:
    """Return `threshold` as a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    at, beyond = number(value), number(next_score)
    if not math.isfinite(at):
        return at
    exact = Decimal(at)
    towards = ROUND_FLOOR if beyond < at else ROUND_CEILING
    first = exact.adjusted()
    # Digits before the point are all kept, but those of huge numbers.
    for exponent in range(first if first >= 12 else 0, min(first, 0) - 20, -1):
        for rounding in (ROUND_HALF_EVEN, towards):
            unit = Decimal((0, (1,), exponent))
            short = float(exact.quantize(unit, rounding, Context(prec=400)))
            if _between(short, at, beyond):
                return short
    return at


def _between(x: float, at: float, beyond: float) -> bool:
    """Tell whether a threshold decides like another one; in single precision too."""
    if _single(at) == at and _single(beyond) == beyond and _single(x) == beyond:
        return False
    return beyond < x <= at if beyond < at else at <= x < beyond


def _single(x: float) -> float:
    """Return the nearest number in single precision; NaN where there is none."""
    try:
        return float(struct.unpack("f", struct.pack("f", x))[0])
    except OverflowError:
        return math.nan


# --- names ------------------------------------------------------------------------------------


def shortened(names: Iterable[object], most: int = LONGEST) -> list[str]:
    """Return names without the middle of long ones; those that differ still do.

    Of names that would look alike what they have in common is left out.
    """
    full = list(map(str, names))
    short = [_cut(name, most) for name in full]
    if len(set(short)) == len(set(full)):
        return short
    often = Counter(short)
    alike = {name for name, said in zip(full, short, strict=True) if often[said] > 1}
    start = min(alike)
    while not all(name.startswith(start) for name in alike):
        start = start[:-1]
    start = start[: start.rfind(" ") + 1] or start
    head = f"{start[: most // 3]}…" if len(start) > most // 3 else start
    for i, name in enumerate(full):
        rest = name[len(start) :]
        if name in alike:
            short[i] = head + (rest if len(rest) <= most - len(head) else f"{rest[: most // 2]}…")
    if len(set(short)) < len(set(full)):
        numbers = {name: str(i) for i, name in enumerate(dict.fromkeys(full), 1)}
        short = [f"{numbers[n]} {s[: most - 4]}" for n, s in zip(full, short, strict=True)]
    return short


def _cut(name: str, most: int) -> str:
    half = most // 2
    short = f"{name[: half - 1]}…{name[-half:]}"
    broken = short.count("$") % 2  # which begins and ends a formula
    return name if len(name) <= most or broken else short
