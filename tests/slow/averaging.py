"""Averages of curves (Fawcett 2006, Algorithms 3 and 4, step by step), and areas over folds."""

from fractions import Fraction
from itertools import pairwise

from slow.curves import auc_by_pairs
from slow.data import by_class
from slow.inference import placements_by_pairs


def fawcett_tpr_for_fpr(f, roc):
    """The function of Algorithm 3, on fractions: the top of a vertical run."""
    i = 0
    while i < len(roc) - 1 and roc[i + 1][0] <= f:
        i += 1
    if roc[i][0] == f or i == len(roc) - 1:
        return roc[i][1]
    (f0, t0), (f1, t1) = roc[i][:2], roc[i + 1][:2]
    return t0 + (t1 - t0) / (f1 - f0) * (f - f0)


def vertical_by_algorithm(rocs, samples):
    """Algorithm 3; j / samples where the paper adds up."""
    rates = [Fraction(j, samples) for j in range(samples + 1)]
    return [sum(fawcett_tpr_for_fpr(f, roc) for roc in rocs) / len(rocs) for f in rates]


def lowest_reaching(roc, t):
    """The smallest fpr of the polygon with tpr >= t."""
    found = []
    for (f0, t0), (f1, t1) in pairwise([p[:2] for p in roc]):
        if t0 >= t:
            found.append(f0)
        elif t1 >= t:
            found.append(f0 + (f1 - f0) * (t - t0) / (t1 - t0))
    return min(found)


def point_at_score(roc, t, mode):
    """The point of Algorithm 4 (literal, kept inside the curve), or that of the rule s >= t."""
    if mode == "literal":
        i = 0
        while i < len(roc) - 1 and roc[i][2] > t:
            i += 1
        return roc[i][:2]
    return [p for p in roc if p is roc[0] or p[2] >= t][-1][:2]


def thresholds_by_rank(rocs, samples):
    """Those of Algorithm 4, at ranks floor(j (d - 1) / samples + 1/2)."""
    distinct = sorted({p[2] for roc in rocs for p in roc[1:]}, reverse=True)
    half = Fraction(1, 2)
    ranks = {int(Fraction(j * (len(distinct) - 1), samples) + half) for j in range(samples + 1)}
    return [distinct[rank] for rank in sorted(ranks)]


def point_at_called(roc, rate, prevalence):
    """The point whose share of cases called positive is `rate`."""
    for (f0, t0), (f1, t1) in pairwise([p[:2] for p in roc]):
        before, after = (prevalence * t + (1 - prevalence) * f for f, t in ((f0, t0), (f1, t1)))
        if before <= rate <= after:
            share = (rate - before) / (after - before)
            return f0 + share * (f1 - f0), t0 + share * (t1 - t0)
    return roc[-1][:2]


def point_on_ray(roc, sine, cosine):
    """Where the ray from (1, 0) in the direction (-cosine, sine) crosses the polygon."""
    for (f0, t0), (f1, t1) in pairwise([p[:2] for p in roc]):
        before, after = (t * cosine - (1 - f) * sine for f, t in ((f0, t0), (f1, t1)))
        if before <= 0 <= after and before != after:
            share = before / (before - after)
            return f0 + share * (f1 - f0), t0 + share * (t1 - t0)
    msg = "every ray crosses"
    raise AssertionError(msg)


def influence_variance(folds, tie):
    """LeDell, Petersen and van der Laan: squared influence, fold by fold, pair by pair.

    `tie` is what a tie counts: one half, or 0 as in the R package cvAUC.
    """
    n_pos = sum(sum(map(bool, label)) for label, _ in folds)
    n = sum(len(label) for label, _ in folds)
    means = []
    for label, score in folds:
        pos, neg = ([s for s, _ in part] for part in by_class(label, score))
        area = auc_by_pairs(label, score)

        def beats(x, y):
            return Fraction(1) if x > y else Fraction(tie if x == y else 0)

        of_pos = [sum(beats(x, y) for y in neg) / len(neg) - area for x in pos]
        of_neg = [sum(beats(x, y) for x in pos) / len(pos) - area for y in neg]
        squares = [(Fraction(n, n_pos) * d) ** 2 for d in of_pos]
        squares += [(Fraction(n, n - n_pos) * d) ** 2 for d in of_neg]
        means.append(sum(squares) / len(label))
    return sum(means) / len(means) / n


def pooled_fold_variance(folds):
    """Spread of the placements around their fold's area, over all folds; then of the mean."""
    variance = Fraction(0)
    for wanted in (0, 1):
        squares, freedom, sizes = Fraction(0), 0, Fraction(0)
        for label, score in folds:
            area = auc_by_pairs(label, score)
            values = placements_by_pairs(label, score)[wanted]
            squares += sum((v - area) ** 2 for v in values)
            freedom += len(values) - 1
            sizes += Fraction(1, len(values))
        if not freedom:
            return None
        variance += squares / freedom * sizes / len(folds) ** 2
    return variance
