"""Library calls on small hostile samples, against their definitions in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

import rocspace as rs
from rocspace.inference import placements
from rocspace.stream import Tabulator

SPECIAL = [0.0, -0.0, np.inf, -np.inf, 5e-324, 1.7e308, -1.7e308, 2.0**53, 1e-300, 0.1, 0.3]
LARGE = [2**53, 2**53 + 1, 2**53 + 2, 2**62, 2**63 - 1, -(2**63), -(2**53) - 1, 0, 1]


class Sample:
    """Cases with exact scores and weights, and the pairs that they make."""

    def __init__(self, rng: np.random.Generator) -> None:
        n = int(rng.integers(2, 13))
        self.label = rng.random(n) < rng.choice([0.5, 0.2])
        self.label[:2] = [True, False]
        kind = rng.choice(["few", "float", "special", "large", "unsigned", "narrow", "bool"])
        if kind == "few":
            self.score = rng.integers(-2, 3, n)
        elif kind == "float":
            self.score = rng.normal(size=n).round(int(rng.integers(0, 17)))
        elif kind == "special":
            self.score = rng.choice(SPECIAL, n)
        elif kind == "large":
            self.score = rng.choice(np.array(LARGE, dtype=np.int64), n)
        elif kind == "unsigned":
            self.score = rng.choice(np.array([2**64 - 1, 2**64 - 2, 2**63, 0], np.uint64), n)
        elif kind == "narrow":
            self.score = rng.integers(0, 100, n).astype(rng.choice(["i1", "u1", "f2", "f4"]))
        else:
            self.score = rng.random(n) < 0.5
        self.higher = bool(rng.random() < 0.7)
        self.weight = rng.integers(0, 9, n) / 4 if rng.random() < 0.3 else None
        if self.weight is not None:
            self.weight[:2] = 1
        values: list[Any] = [1] * n
        if self.weight is not None:
            values = [Fraction(w) for w in self.weight]
        # Python compares its integers and floats exactly, so scores need no fractions.
        sign = 1 if self.higher else -1
        rows = list(
            zip(self.label.tolist(), (sign * x for x in self.score.tolist()), values, strict=True)
        )
        self.pos = [(x, w) for y, x, w in rows if y]
        self.neg = [(x, w) for y, x, w in rows if not y]
        self.n_pos = sum(w for _, w in self.pos)
        self.n_neg = sum(w for _, w in self.neg)

    def given(self, rng: np.random.Generator) -> dict[str, Any]:
        """The arguments of `tabulate`, in some container and some coding."""
        label: Any = self.label
        coding = rng.integers(5)
        label = [label, label.astype(int), np.where(label, 1, -1), label.astype(float), label][
            coding
        ]
        options: dict[str, Any] = {"higher_is_positive": self.higher}
        if coding == 4:
            label, options["pos_label"] = np.where(self.label, "ill", "well"), "ill"
        score: Any = self.score.tolist() if rng.random() < 0.4 else self.score
        if self.weight is not None:
            options["sample_weight"] = self.weight
        return {"y_true": label, "y_score": score, **options}

    def area(self) -> Fraction:
        """P(positive above negative) + half of the ties, by definition."""
        twice = sum(v * w * (2 if x > z else 1) for x, v in self.pos for z, w in self.neg if x >= z)
        return Fraction(twice, 2 * self.n_pos * self.n_neg)

    def cells(self, at: Any) -> tuple[Any, Any]:
        """Weight of positives and of negatives at or above a (signed) threshold."""
        return sum(w for x, w in self.pos if x >= at), sum(w for x, w in self.neg if x >= at)


def near(found: float, wanted: Fraction, tolerance: float = 1e-12) -> bool:
    return abs(found - float(wanted)) <= tolerance * max(1.0, abs(float(wanted)))


def one_round(rng: np.random.Generator) -> int:
    """Check a few dozen calls on one sample; return how many."""
    sample = Sample(rng)
    given = sample.given(rng)
    table, area = rs.tabulate(**given), sample.area()
    exactly = 0 if sample.weight is None else 1e-14
    n = 1

    assert near(rs.auc(table), area, exactly), (rs.auc(table), area)
    assert near(rs.auc_score(**given), area, exactly)
    assert near(rs.gini(table), 2 * area - 1, exactly or 3e-16)
    low, high = rs.auc_bounds(table)
    assert low <= rs.auc(table) <= high
    n += 4

    signed = sorted({x for x, _ in (*sample.pos, *sample.neg)}, reverse=True)
    points = [(0, 0), *(sample.cells(at) for at in signed)]
    points = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    curve = rs.roc_curve(table)
    rates = [(Fraction(fp, sample.n_neg), Fraction(tp, sample.n_pos)) for tp, fp in points]
    assert len(curve.fpr) == len(rates)
    for fpr, tpr, (x, y) in zip(curve.fpr, curve.tpr, rates, strict=True):
        assert near(fpr, x, 1e-15)
        assert near(tpr, y, 1e-15)
    n += 1

    sign = 1 if sample.higher else -1
    for at in table.score[:4]:
        tp, fp = sample.cells(sign * at.item())
        found = rs.evaluate(table, np.array([at]))
        assert (found.tp.item(0), found.fp.item(0)) == (tp, fp)
        n += 1

    best = max(y - x for x, y in rates)
    assert near(rs.youden(table), best)
    assert near(rs.ks(table), max(abs(y - x) for x, y in rates))
    n += 2

    left, right = sorted(rng.choice(np.linspace(0, 1, 9), 2, replace=False))
    assert near(rs.partial_auc(table, fpr=(left, right)), polygon(rates, left, right))
    n += 1

    assert near(rs.average_precision(table), average_precision(points, sample.n_pos))
    n += 1
    if sample.weight is None:
        n += check_placements(sample, table)
    return n + check_batches(sample, given, table, rng)


def polygon(rates: list[tuple[Fraction, Fraction]], low: float, high: float) -> Fraction:
    """Area under the polygon between two false positive rates."""
    total, a, b = Fraction(0), Fraction(low), Fraction(high)
    for (x, y), (u, v) in pairwise(rates):
        start, stop = max(x, a), min(u, b)
        if start < stop:
            heights = [y + (v - y) * (at - x) / (u - x) for at in (start, stop)]
            total += (stop - start) * sum(heights) / 2
    return total


def average_precision(points: list[tuple[Any, Any]], n_pos: Any) -> Fraction:
    parts = (
        Fraction((tp - before) * tp, tp + fp)
        for (before, _), (tp, fp) in pairwise(points)
        if tp > before
    )
    return sum(parts, Fraction(0)) / n_pos


def check_placements(sample: Sample, table: rs.ScoreTable) -> int:
    """DeLong's variance from the placement of each case."""
    wins = [[(x > z) + (x >= z) for z, _ in sample.neg] for x, _ in sample.pos]  # twice
    of_pos, of_neg = [sum(row) for row in wins], [sum(row) for row in zip(*wins, strict=True)]
    if len(of_pos) > 1 and len(of_neg) > 1:
        parts = []
        for values, others in ((of_pos, len(of_neg)), (of_neg, len(of_pos))):
            n = len(values)
            squares = n * sum(v * v for v in values) - sum(values) ** 2
            parts.append(Fraction(squares, n * n * (n - 1) * (2 * others) ** 2))
        assert near(rs.delong(table).se ** 2, sum(parts))
    assert placements(table) is not None
    return 2


def check_batches(
    sample: Sample, given: dict[str, Any], table: rs.ScoreTable, rng: np.random.Generator
) -> int:
    """Batches and parts, in any order, are the whole."""
    cut = int(rng.integers(1, len(sample.label)))
    counter = Tabulator(higher_is_positive=sample.higher)
    parts = []
    for part in (slice(cut, None), slice(0, cut)):
        weight = None if sample.weight is None else sample.weight[part]
        counter.update(sample.label[part], sample.score[part], weight)
        if weight is None or weight.any():
            parts.append(
                rs.tabulate(
                    sample.label[part],
                    sample.score[part],
                    sample_weight=weight,
                    higher_is_positive=sample.higher,
                )
            )
    assert counter.table() == table
    assert rs.merge(*parts) == table
    assert Tabulator.from_bytes(counter.to_bytes()).table() == table
    return 3
