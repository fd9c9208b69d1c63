"""Boolean combinations of two thresholds by trying all."""

from pathlib import Path

import rocspace as rs
from slow.data import F3

OPERATORS = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
    "and not": lambda a, b: a and not b,
    "not and": lambda a, b: b and not a,
    "nand": lambda a, b: not (a and b),
    "nor": lambda a, b: not (a or b),
    "xnor": lambda a, b: a == b,
    "or not": lambda a, b: a or not b,
    "not or": lambda a, b: b or not a,
}


def every_combination(label, one, two, operators):
    """(fp, tp) of all pairs of thresholds and operators, and of the single thresholds."""

    def point(decisions):
        return (
            sum(d and not y for d, y in zip(decisions, label, strict=True)),
            sum(bool(d) and y for d, y in zip(decisions, label, strict=True)),
        )

    found = {(0, 0), (label.count(False), label.count(True))}
    for s in set(one):
        found.add(point([x >= s for x in one]))
        for t in set(two):
            for name in operators:
                rule = OPERATORS[name]
                found.add(point([rule(x >= s, z >= t) for x, z in zip(one, two, strict=True)]))
    return found | {point([z >= t for z in two]) for t in set(two)}


def upper_hull(found):
    """Vertices of the upper hull: points that no line between two others reaches."""

    def under(c):
        return any(
            a[0] <= c[0] <= b[0]
            and c not in (a, b)
            and (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])
            and (a[0] != b[0] or a[1] <= c[1] <= b[1] or b[1] <= c[1] <= a[1])
            for a in found
            for b in found
            if a != b
        )

    left = min(found)
    right = max(found)
    return sorted(c for c in found if c in (left, right) or not under(c))


ROOT = Path(__file__).parents[2]


# A second score of the cases of Fawcett's figure 3.
S2 = "8 85 45 5 7 65 3 6 75 2 35 55 25 4 15 1 62 05 32 12"


S2 = [float(f"0.{x}") for x in S2.split()]


def f3_and_s2():
    return rs.pair_scores(F3[0], {"one": F3[1], "two": S2})


def entries(c):
    return c.tp, c.fp, c.fn, c.tn
