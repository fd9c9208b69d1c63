"""Distances of scores, compared as the decimals that they stand for."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import rocspace as rs
from rocspace.counts.distances import _decimal_of, areas_of, granularities, ladder_of

INF = float("inf")
LISTS = {
    "whole": np.array([-3, 0, 1, 4, 9]),
    "decimal": [0.3, 0.1, 0.2, 0.7, -0.4, 0.15],
    "many places": [0.3, 0.1, 1e-25, 0.7, 0.5],
    "infinite": [INF, 0.3, 0.1, -INF],
    "all infinite": [INF, -INF],
}


@pytest.mark.parametrize("score", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("delta", ["0.1", "0.2", "0.45", "1", "5", "100"])
@pytest.mark.parametrize("strict", [False, True])
def test_windows_by_exact_fractions(score, delta, strict):
    table = rs.tabulate(np.arange(len(score)) % 2 == 0, score)
    ladder, delta = ladder_of(table, "exact"), Fraction(delta)
    found = np.empty(len(ladder), dtype=np.int64)
    ladder.left(ladder.width(delta, strict=strict), found, strict=strict)
    own = [str(x) for x in table.score.tolist()]
    finite = [Fraction(x) for x in own if "inf" not in x]
    above = int(own[0] == "inf")
    inside = [
        above + sum(x > end if strict else x >= end for x in finite)
        for end in (x + delta for x in finite)
    ]
    ends = ([0] if above else []), ([len(own) - 1] if own[-1] == "-inf" else [])
    assert found.tolist() == ends[0] + inside + ends[1]
    if len(finite) == len(own):
        assert ladder.span() == finite[0] - finite[-1]


def test_doubles_decide_with_their_rounding_if_asked():
    table = rs.tabulate([1, 0], [0.3, 0.1])
    for boundary, count in (("exact", 1), ("float", 0)):
        found, ladder = np.empty(2, dtype=np.int64), ladder_of(table, boundary)
        ladder.left(ladder.width(Fraction("0.2")), found)
        assert found.tolist() == [0, count]  # .1 + .2 is more than .3


@pytest.mark.parametrize("text", ["0.05", "0.1", "0.125", "0.008", "0.06", "3", "12.5"])
def test_fractions_as_decimals(text):
    assert _decimal_of(Fraction(text)) == Decimal(text)
    assert granularities(float(text)) == [Fraction(text)]


def test_areas_of_several_granularities_are_those_of_each():
    table = rs.tabulate([1, 0, 1, 0], [3, 2, 1, 0.5])
    ladder = ladder_of(table, "exact")
    deltas = [Fraction(0), Fraction(3, 2), Fraction(9), Fraction(3, 2)]
    for threads in (1, 2):
        low, high = areas_of(table, ladder, deltas, 0.75, threads=threads, progress=False)
        for i, delta in enumerate(deltas):
            alone = areas_of(table, ladder, [delta], 0.75, threads=1, progress=False)
            assert alone.ravel().tolist() == [low[i], high[i]]
        assert (low[0], high[0]) == (0.75, 0.75)
        assert (np.diff(low[:3]) <= 0).all()
        assert (np.diff(high[:3]) >= 0).all()
        assert low[2] < 0.75 < high[2]
