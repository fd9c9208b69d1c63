"""Convex hulls by comparing slopes."""

from fractions import Fraction
from itertools import pairwise

from slow.curves import highest_at


def hull_by_slopes(corners):
    """(0, 0), every point that alone is best for some slope of iso-performance lines, (1, 1)."""
    corners = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)), *corners}
    ratios = {(d - b) / (c - a) for a, b in corners for c, d in corners if a < c and b <= d}
    breaks = sorted({Fraction(0), *ratios})
    between = [(low + high) / 2 for low, high in pairwise(breaks)]
    found = {(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))}
    for m in [*between, breaks[-1] + 1]:
        found.add(max(corners, key=lambda p: p[1] - m * p[0]))
    return sorted(found)


def upper_chain(corners):
    """The same for more points: sort, and drop what is not above its neighbours' line."""
    kept = []
    for f, t in sorted({(Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)), *corners}):
        while len(kept) > 1:
            (a, b), (c, d) = kept[-2:]
            if (c - a) * (t - b) < (d - b) * (f - a):
                break
            kept.pop()
        kept.append((f, t))
    return kept


def height(polygon, point):
    """How far a point lies under a polygon."""
    f, t = point
    return max(0, highest_at(polygon, f) - t) if f else 0
