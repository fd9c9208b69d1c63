"""Counts at thresholds, one case at a time."""

from fractions import Fraction

from slow.data import INF, weights_of


def counts_at(label, score, threshold, weight=None, *, inclusive=True, higher=True):
    """tp, fp, fn, tn of one threshold, case by case."""
    sums = {"tp": Fraction(0), "fp": Fraction(0), "fn": Fraction(0), "tn": Fraction(0)}
    for y, s, w in zip(label, score, weights_of(label, weight), strict=True):
        beyond = s > threshold if higher else s < threshold
        called = beyond or (inclusive and s == threshold)
        sums[("tp" if y else "fp") if called else ("fn" if y else "tn")] += w
    return sums


def table_by_dictionary(label, score, weight=None, *, higher=True):
    """Rows (score, positives, negatives), most positive first, counted one case at a time."""
    count = {}
    for y, s, w in zip(label, score, weights_of(label, weight), strict=True):
        if w > 0:
            count.setdefault(s, [Fraction(0), Fraction(0)])[0 if y else 1] += w
    return [(s, *count[s]) for s in sorted(count, reverse=higher)]


def rows_of(table):
    """The rows of a table as exact numbers, to compare with `table_by_dictionary`."""
    columns = (table.score.tolist(), table.pos.tolist(), table.neg.tolist())
    return [(s, Fraction(p), Fraction(n)) for s, p, n in zip(*columns, strict=True)]


def sweep(label, score, weight=None):
    """(tp, fp, threshold) of every threshold, reject-all first, as fractions."""
    found = [(Fraction(0), Fraction(0), INF)]
    for t in sorted(set(score), reverse=True):
        c = counts_at(label, score, t, weight)
        found.append((c["tp"], c["fp"], t))
    return found
