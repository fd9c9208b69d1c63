"""Tests that a difference of two areas stays within a margin, beside those of equality."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from textwrap import fill
from typing import Any

from rocspace._base.text import difference_name
from rocspace.cli.console import PAGE, pvalue, table_text
from rocspace.compare.areas import AucComparison, warn_of_uneven
from rocspace.compare.margins import EITHER, EquivalenceMethod, equivalence_of
from rocspace.report.plain import plain, plain_test

_TITLES = ("first not worse", "second not worse", "equivalent")


def check_margin(margin: float | None) -> None:
    """Raise, before any work, unless the margin is a positive number."""
    if margin is not None and not (isfinite(margin) and margin > 0):
        msg = (
            f"--margin is {margin:g}, but must be positive: the largest difference of two "
            "areas that does not matter, such as 0.02."
        )
        raise ValueError(msg)


def tested_margins(
    found: AucComparison, margin: float, method: EquivalenceMethod
) -> list[dict[str, Any]]:
    """Test for each pair that neither is worse by the margin."""
    warn_of_uneven({(pair.first, pair.second): pair.difference for pair in found.pairs}, EITHER)
    tests = [equivalence_of(pair.difference, (-margin, margin), method) for pair in found.pairs]
    return [
        {
            "margin": margin,
            "first_not_worse": plain_test(test.low),
            "second_not_worse": plain_test(test.high),
            "equivalence": plain(test.pvalue),
        }
        for test in tests
    ]


def margins_text(described: Mapping[str, Any]) -> str:
    """Lay out the tests at a margin; nothing where there are none."""
    pairs = [each for each in described["pairs"] if "margin" in each]
    if not pairs:
        return ""
    rows = [
        (difference_name(each["first"], each["second"]), *map(pvalue, _pvalues(each["margin"])))
        for each in pairs
    ]
    header = (f"margin {pairs[0]['margin']['margin']:g}", *_TITLES)
    return f"\n{table_text(header, rows)}{fill(_meaning(described), PAGE)}\n"


def _meaning(described: Mapping[str, Any]) -> str:
    """Say what the p values speak for, and that they are those of each pair alone."""
    alone = len(described["pairs"]) > 1 and described["adjustment"] != "none"
    also = "; they are not adjusted for the number of pairs" * alone
    return f"These are p values; small ones speak for not being worse by the margin{also}."


def _pvalues(found: Mapping[str, Any]) -> tuple[float, float, float]:
    sides = (found[side]["pvalue"] for side in ("first_not_worse", "second_not_worse"))
    return (*sides, found["equivalence"])
