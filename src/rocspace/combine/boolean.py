"""Boolean combinations of scores: every pair of thresholds and operators, pruned by the hull."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from rocspace._base.arrays import Array, Ints
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows, picture
from rocspace._base.checks import check_choice, check_sizes
from rocspace._base.frozen import Result, shortened
from rocspace._base.geometry import hull_indices
from rocspace._base.progress import Elapsed
from rocspace._base.text import count, share
from rocspace.combine.mixtures import RulePath
from rocspace.combine.rules import BooleanRule, Constant, NotRule, Rule, ThresholdRule
from rocspace.counts.paired import PairedScores
from rocspace.inference.components import need_cases

Operator: TypeAlias = Literal[
    "and", "or", "xor", "and not", "not and", "nand", "nor", "xnor", "or not", "not or"
]
"""How rules a and b are put together: "and not" is a and not b, "not and" not a and b."""

_BLOCK = 1 << 18  # pairs of thresholds evaluated at once
_POOL = 256  # rules that are combined with each other in a round
_LISTED = 1 << 22  # up to this many negatives, the hull is looked up instead of interpolated

# From (both, a, b, all): how many cases both rules, rule a and rule b call positive, and all cases.
_COUNTS: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "and": lambda both, a, b, n: both,
    "or": lambda both, a, b, n: a + b - both,
    "xor": lambda both, a, b, n: a + b - 2 * both,
    "and not": lambda both, a, b, n: a - both,
    "not and": lambda both, a, b, n: b - both,
    "nand": lambda both, a, b, n: n - both,
    "nor": lambda both, a, b, n: n - (a + b - both),
    "xnor": lambda both, a, b, n: n - (a + b - 2 * both),
    "or not": lambda both, a, b, n: n - (b - both),
    "not or": lambda both, a, b, n: n - (a - both),
}
_RULES: dict[str, Callable[[Rule, Rule], Rule]] = {
    "and": lambda a, b: BooleanRule("and", (a, b)),
    "or": lambda a, b: BooleanRule("or", (a, b)),
    "xor": lambda a, b: BooleanRule("xor", (a, b)),
    "and not": lambda a, b: BooleanRule("and", (a, NotRule(b))),
    "not and": lambda a, b: BooleanRule("and", (NotRule(a), b)),
    "nand": lambda a, b: NotRule(BooleanRule("and", (a, b))),
    "nor": lambda a, b: NotRule(BooleanRule("or", (a, b))),
    "xnor": lambda a, b: NotRule(BooleanRule("xor", (a, b))),
    "or not": lambda a, b: BooleanRule("or", (a, NotRule(b))),
    "not or": lambda a, b: BooleanRule("or", (NotRule(a), b)),
}


class BooleanSearch(Result):
    """What a search for Boolean combinations found.

    Attributes
    ----------
    path : RulePath
        The rules on the convex hull of all that was tried, to be mixed or deployed.
    areas : tuple of float
        Area under the hull: of the single scores, after combining pairs of scores, and after each
        round of combining the rules found.
    n_tried : int
        How many combinations were tried.
    thinned : bool
        Whether there were too many pairs of thresholds to try them all.

    See Also
    --------
    boolean_search
    """

    path: RulePath
    areas: tuple[float, ...]
    n_tried: int
    thinned: bool

    def _columns(self) -> dict[str, Any]:
        return self.path._columns()

    def _about(self) -> str:
        areas = " -> ".join(share(area) for area in self.areas)
        return f"{len(self.path)} rules of {self.n_tried} tried, area {areas}"

    def _card(self) -> Card:
        tried = f"{count(self.n_tried)}{', thinned' if self.thinned else ''}"
        areas = ", ".join(share(area) for area in self.areas)
        rules = [
            (shortened(str(rule)), share(fpr), share(tpr))
            for rule, fpr, tpr in zip(self.path.rules, self.path.fpr, self.path.tpr, strict=True)
        ]
        return Card(
            rows={"Combinations tried": tried, "Areas of the hulls": areas},
            header=("Rule", "fpr", "tpr"),
            table=first_rows(rules, len(rules)),
            image=picture([(self.path.fpr, self.path.tpr)], name="Hull of the rules"),
        )


@explained
def boolean_search(
    data: PairedScores,
    *,
    operators: Sequence[Operator] = get_args(Operator),
    max_cells: int = 1 << 22,
    max_rounds: int = 3,
    tolerance: float = 1e-3,
    progress: bool | None = None,
) -> BooleanSearch:
    """Search the Boolean combinations of two or more scores for those on the convex hull.

    Parameters
    ----------
    data : PairedScores
        Scores of the same cases, both classes present.
    operators : sequence of str, optional
        Which of the ten operators to try; all by default.
    max_cells : int, default 2**22
        Pairs of thresholds that are tried for two scores; memory grows with it. Where there
        are more, the thresholds on each score's own hull are kept, and others evenly by rank
        of the cases, and `thinned` says so.
    max_rounds : int, default 3
        How many rounds combine the rules found with each other, after all pairs of scores: the
        rules on the hull, and those of each score and pair that are least below it, 256 in
        all. A rule may double in size each time.
    tolerance : float, default 1e-3
        A round that adds no more than this to the area is the last.
    progress : bool, optional
        Whether to show what is being tried, and for how long; by default in a terminal.

    Returns
    -------
    BooleanSearch
        The rules on the hull, from "never" to "always".

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If an operator is unknown, there is only one score, or `max_cells` is less than 1.

    Notes
    -----
    All pairs of thresholds of two scores are counted at once, by adding up a table of counts
    in both directions; the counts of every operator follow from it. O(n + c) for c cells,
    and only what lies above the hull so far is kept. Rounds are matrix products of
    decisions. A combination of three scores or more is found only if its parts are near the
    hull. The hull is fitted to the cases that made it: see `rocspace.combine.select_rule` for
    an estimate without optimism.

    References
    ----------
    Khreich, Granger, Miri and Sabourin (2010), a paper on this alone, for the ten operators and the
    rounds.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> data = pair_scores([1, 1, 0, 0, 0], {"a": [2, 2, 2, 1, 1], "b": [2, 2, 1, 2, 1]})
    >>> found = boolean_search(data)
    >>> found
    BooleanSearch(3 rules of 40 tried, area 0.833 -> 1)
    >>> str(found.path.rules[1])
    '(a >= 2) and (b >= 2)'
    """
    for operator in operators:
        check_choice("operator", operator, Operator)
    if len(data.names) < 2:
        msg = f"Combining takes two scores or more, but the data have only {data.names[0]}."
        raise ValueError(msg)
    need_cases("boolean_search", data)
    check_sizes(max_cells=max_cells)
    with Elapsed("combining", show=progress) as shown:
        return _search(data, operators, max_cells, (max_rounds, tolerance), shown)


def _search(
    data: PairedScores,
    operators: Sequence[Operator],
    max_cells: int,
    until: tuple[int, float],
    shown: Elapsed,
) -> BooleanSearch:
    max_rounds, tolerance = until
    hull = _Hull(data)
    scores = [_Ranked(data, j) for j in range(len(data.names))]
    parts = [hull.apart([score.points(hull.weights)]) for score in scores]
    hull.join(*parts)
    areas = [hull.area]
    thinned = False
    for a, b in combinations(scores, 2):
        shown.stage = f"all thresholds of {a.name} and {b.name}"
        rows = a.thinned(max_cells, b), b.thinned(max_cells, a)
        thinned |= rows[0].size < a.n_distinct or rows[1].size < b.n_distinct
        parts.append(hull.apart(_grid(a, b, rows, hull.weights, operators)))
        hull.join(parts[-1])
    areas.append(hull.area)
    for i in range(max_rounds):
        shown.stage = f"round {i + 1}"
        pool = hull.best_of(parts)
        if areas[-1] == 1 or len(pool) < 2:
            break
        for points in _combined(pool, hull, operators):
            hull.add(*points)
        areas.append(hull.area)
        if areas[-1] - areas[-2] <= tolerance:
            break
    tried = hull.n_tried + sum(part.n_tried for part in parts[len(scores) :])
    return BooleanSearch(path=hull.path, areas=tuple(areas), n_tried=tried, thinned=thinned)


Points: TypeAlias = tuple[Array, Array, Callable[[int], Rule]]
"""fp, tp, and the rule of the i-th point."""


class _Hull:
    """The convex hull so far, in counts, with the rule at each vertex."""

    def __init__(self, data: PairedScores) -> None:
        self.data = data
        weight = np.ones(len(data), dtype=np.int64) if data.weight is None else data.weight
        self.weights = (weight * data.label, weight * ~data.label)
        self.n_pos, self.n_neg = (w.sum().item() for w in self.weights)
        self.rules: list[Rule] = [Constant(False), Constant(True)]
        self.fp: Array = np.array([0, self.n_neg])
        self.tp: Array = np.array([0, self.n_pos])
        self.n_tried = 0
        self._look_up()

    def apart(self, found: Iterable[Points]) -> _Hull:
        """Return the hull of these points alone."""
        part = _Hull(self.data)
        for points in found:
            part.add(*points)
        return part

    def join(self, *parts: _Hull) -> None:
        """Add the vertices of other hulls; trials are counted where they were made."""
        for part in parts:
            self.add(part.fp, part.tp, part.rules.__getitem__)
            self.n_tried -= part.fp.size

    def best_of(self, parts: Sequence[_Hull]) -> list[Rule]:
        """Return the rules of this hull, and of others those that are least below it."""
        below: dict[Rule, float] = dict.fromkeys(self.rules, -1.0)
        for part in parts:
            gaps = np.interp(part.fp, *self._ends) - part.tp
            for rule, gap in zip(part.rules, gaps.tolist(), strict=True):
                below.setdefault(rule, gap)
        rules: list[Rule] = [rule for rule in below if not isinstance(rule, Constant)]
        return sorted(rules, key=lambda rule: below[rule])[:_POOL]

    def add(self, fp: Array, tp: Array, rule: Callable[[int], Rule]) -> None:
        """Add points, of which the i-th has the rule ``rule(i)``."""
        self.n_tried += fp.size
        above = np.flatnonzero(self.above(fp, tp))
        if above.size == 0:
            return
        old = self.fp.size
        f, t = (np.concatenate(x) for x in ((self.fp, fp[above]), (self.tp, tp[above])))
        order = np.lexsort((t, f))
        kept = order[hull_indices(f[order], t[order])]
        new = {int(i): rule(int(above[i - old])) for i in kept if i >= old}
        self.rules = [self.rules[i] if i < old else new[int(i)] for i in kept]
        self.fp, self.tp = f[kept], t[kept]
        self._look_up()

    def _look_up(self) -> None:
        highest = np.append(self.fp[1:] != self.fp[:-1], np.True_)  # of each fp
        self._ends = self.fp[highest], self.tp[highest] + 1e-9 * self.n_pos
        listed = self.fp.dtype.kind != "f" and self.n_neg < _LISTED
        self._list = np.interp(np.arange(self.n_neg + 1), *self._ends) if listed else None

    def above(self, fp: Array, tp: Array) -> Any:
        """Tell which points are above the hull."""
        reached = np.interp(fp, *self._ends) if self._list is None else self._list[fp]
        return tp > reached

    @property
    def path(self) -> RulePath:
        fpr, tpr = self.fp / self.n_neg, self.tp / self.n_pos
        return RulePath(fpr=fpr, tpr=tpr, rules=tuple(self.rules))

    @property
    def area(self) -> float:
        return self.path.auc


class _Ranked:
    """One score by the ranks of its distinct values, the most positive one first."""

    def __init__(self, data: PairedScores, j: int) -> None:
        self.name = data.names[j]
        self.higher = data.rises(self.name)
        values, rank = np.unique(data.score[:, j], return_inverse=True)
        self.values = values[::-1] if self.higher else values
        self.rank = values.size - 1 - rank if self.higher else rank
        self.n_distinct = int(values.size)
        self.every = np.arange(self.n_distinct)
        self.label = data.label

    def rule(self, row: int) -> Rule:
        return ThresholdRule(self.name, self.values[row].item(), self.higher)

    def cell(self, rows: Ints) -> Ints:
        """Return the first of these thresholds that calls each case positive."""
        return np.searchsorted(rows, self.rank, "left")

    def points(self, weights: tuple[Array, Array]) -> Points:
        """Return what every threshold does alone."""
        tp, fp = (np.cumsum(_summed(self.rank, w, self.n_distinct)) for w in weights)
        return fp, tp, self.rule

    def thinned(self, max_cells: int, other: _Ranked) -> Ints:
        """Return the thresholds to try together with those of another score."""
        if self.n_distinct * other.n_distinct <= max_cells:
            return self.every
        many = max(int(max_cells**0.5), max_cells // other.n_distinct)
        if self.n_distinct <= many:
            return self.every
        tp, fp = (
            np.cumsum(np.bincount(self.rank[of], minlength=self.n_distinct))
            for of in (self.label, ~self.label)
        )
        own = hull_indices(fp, tp)
        evenly = np.linspace(0, len(self.rank) - 1, max(many - own.size, 2)).astype(np.int64)
        return np.union1d(own, np.searchsorted(tp + fp, evenly, "right"))


def _summed(cell: Ints, weight: Array, size: int) -> Array:
    sums = np.bincount(cell, weights=weight, minlength=size)
    return sums if weight.dtype.kind == "f" else np.rint(sums).astype(np.int64)


def _grid(
    a: _Ranked,
    b: _Ranked,
    rows: tuple[Ints, Ints],
    weights: tuple[Array, Array],
    operators: Sequence[Operator],
) -> Iterator[Points]:
    """Yield all pairs of thresholds with every operator, some rows at a time."""
    rows_a, rows_b = rows
    wide = rows_b.size + 1
    cell = a.cell(rows_a) * wide + b.cell(rows_b)
    both = []
    for weight in weights:
        sums = _summed(cell, weight, (rows_a.size + 1) * wide).reshape(-1, wide)
        both.append(np.cumsum(np.cumsum(sums, axis=0), axis=1))
    step = max(1, _BLOCK // wide)
    for start in range(0, rows_a.size, step):
        stop = min(start + step, rows_a.size)
        blocks = [(x[start:stop, :-1], x[start:stop, -1:], x[-1:, :-1]) for x in both]
        for operator in operators:
            tp, fp = (
                _COUNTS[operator](*block, n).ravel()
                for block, n in zip(blocks, (x[-1, -1] for x in both), strict=True)
            )

            def rule(i: int, operator: str = operator, start: int = start) -> Rule:
                row, column = divmod(i, rows_b.size)
                return _RULES[operator](a.rule(rows_a[start + row]), b.rule(rows_b[column]))

            yield fp, tp, rule


def _combined(rules: list[Rule], hull: _Hull, operators: Sequence[Operator]) -> Iterator[Points]:
    """Yield the combinations of each two rules, by products of their decisions."""
    decisions = np.column_stack([rule.decide(hull.data) for rule in rules]).astype(np.float64)
    first, second = np.triu_indices(len(rules), 1)
    sides = []
    for weight, n in zip(hull.weights, (hull.n_pos, hull.n_neg), strict=True):
        both = decisions.T @ (decisions * weight[:, np.newaxis])
        both = both if weight.dtype.kind == "f" else np.rint(both).astype(np.int64)
        each = np.diagonal(both)
        sides.append((both[first, second], each[first], each[second], n))
    for operator in operators:
        tp, fp = (_COUNTS[operator](*side) for side in sides)

        def rule(i: int, operator: str = operator) -> Rule:
            return _RULES[operator](rules[first[i]], rules[second[i]])

        yield fp, tp, rule
