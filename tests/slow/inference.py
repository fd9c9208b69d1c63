"""Variances of areas by looking at every pair."""

from fractions import Fraction

import numpy as np
from scipy import stats

from slow.curves import partial_area, points
from slow.data import INF, by_class, weights_of


def psi(a, b):
    """1 if a positive's score a beats a negative's b, 1/2 if they tie, else 0."""
    return Fraction(int(a > b)) + Fraction(int(a == b), 2)


def placements_by_pairs(label, score, weight=None):
    """V10 of every positive and V01 of every negative: weighted means of psi."""
    pos, neg = by_class(label, score, weight)
    P, N = sum(w for _, w in pos), sum(w for _, w in neg)
    v10 = [sum(w * psi(a, b) for b, w in neg) / N for a, _ in pos]
    v01 = [sum(w * psi(a, b) for a, w in pos) / P for b, _ in neg]
    return v10, v01


def variance_of_mean(values, weight):
    """Sum w^2 (v - mean)^2 / (sum w)^2 * n / (n - 1), n = (sum w)^2 / sum w^2."""
    total, squares = sum(weight), sum(w * w for w in weight)
    n = Fraction(total**2) / squares
    mean = sum(w * v for v, w in zip(values, weight, strict=True)) / total
    spread = sum(w * w * (v - mean) ** 2 for v, w in zip(values, weight, strict=True))
    return spread / total**2 * n / (n - 1)


def delong_by_pairs(label, score, weight=None):
    """DeLong's variance, with importance weights if there are any."""
    classes = by_class(label, score, weight)
    parts = zip(placements_by_pairs(label, score, weight), classes, strict=True)
    return sum(variance_of_mean(v, [w for _, w in cases]) for v, cases in parts)


def psi_sums(label, score):
    """S, sum of r_i^2, sum of c_j^2, q and the class sizes."""
    pos, neg = ([s for s, _ in part] for part in by_class(label, score))
    matrix = [[psi(a, b) for b in neg] for a in pos]
    rows, columns = [sum(row) for row in matrix], [sum(c) for c in zip(*matrix, strict=True)]
    q = sum(x * x for row in matrix for x in row)
    return sum(rows), sum(r * r for r in rows), sum(c * c for c in columns), q, len(pos), len(neg)


def bamber_by_pairs(label, score):
    """The plug-in variance: that of a bootstrap within classes."""
    S, R2, C2, q, P, N = psi_sums(label, score)
    A = S / (P * N)
    spread = (
        q / (P * N)
        - A * A
        + (P - 1) * (C2 / (P * P * N) - A * A)
        + (N - 1) * (R2 / (N * N * P) - A * A)
    )
    return spread / (P * N)


def unbiased_by_pairs(label, score):
    """A^2 less the unbiased estimate of its expectation."""
    S, R2, C2, q, P, N = psi_sums(label, score)
    return (S / (P * N)) ** 2 - (S * S - R2 - C2 + q) / (P * N * (P - 1) * (N - 1))


def partial_placements_literal(label, score, f):
    """Without ties, f N whole; R(f) is the curve at its highest there."""
    pos, neg = ([s for s, _ in part] for part in by_class(label, score))
    P, N = len(pos), len(neg)
    k = Fraction(f) * N
    assert k.denominator == 1
    assert len(set(score)) == len(score)
    top = sorted(neg, reverse=True)[: int(k)]
    cut = max((y for y in neg if y not in top), default=-INF)
    rate = Fraction(sum(x > cut for x in pos), P)
    v10 = [Fraction(sum(x > y for y in top), N) for x in pos]
    v01 = [
        (Fraction(sum(x > y for x in pos), P) if y in top else 0) + rate * (f - int(y in top))
        for y in neg
    ]
    return v10, v01


def partial_variance_literal(label, score, low, high):
    """Var(V10)/P + Var(V01)/N of the differences of the placements up to high and to low."""
    upper, lower = (partial_placements_literal(label, score, f) for f in (high, low))
    total = Fraction(0)
    for up, lo in zip(upper, lower, strict=True):
        total += variance_of_mean([a - b for a, b in zip(up, lo, strict=True)], [1] * len(up))
    return total


def partial_variance_by_influence(label, score, low, high, weight=None):
    """From what the partial area gains when one case weighs a little more, and a little less.

    A derivative, so exact to the square of the step; where the cut is in the middle of a
    slanted piece of the curve.
    """
    step = Fraction(1, 10**6)
    weight = weights_of(label, weight)

    def area(i, change):
        moved = [w + change * int(i == j) for j, w in enumerate(weight)]
        return partial_area([(f, t) for f, t, _ in points(label, score, moved)], low, high)

    total = Fraction(0)
    for positive in (True, False):
        index = [i for i, y in enumerate(label) if bool(y) is positive]
        size = sum(weight[i] for i in index)
        influence = [size * (area(i, step) - area(i, -step)) / (2 * step) for i in index]
        total += variance_of_mean(influence, [weight[i] for i in index])
    return total


def jackknife_by_deletion(label, scores, cluster, weight=None):
    """Covariance of two areas: each cluster deleted, both areas computed anew by all pairs."""
    weight = np.ones(len(label)) if weight is None else np.asarray(weight, dtype=float)
    label, cluster = np.asarray(label, dtype=bool), np.asarray(cluster)

    def area(score, kept):
        up, down = kept & label, kept & ~label
        wins = np.sign(np.subtract.outer(score[up], score[down])) / 2 + 0.5
        both = np.multiply.outer(weight[up], weight[down])
        return float((wins * both).sum() / both.sum()) if both.size else float("nan")

    names, every = np.unique(cluster), np.ones(len(label), dtype=bool)
    moved = [
        [area(np.asarray(score), cluster != g) - area(np.asarray(score), every) for g in names]
        for score in scores
    ]
    return (len(names) - 1) / len(names) * float(np.dot(*moved))


def heavy_interval_by_cases(label, score, weight, level):
    """Wilson's interval with one more case of the largest weight, case by case."""
    parts, reach = [], 0.0
    pos, neg = placements_by_pairs(label, score, weight)
    own = {y: [w for w, z in zip(weight, label, strict=True) if z == y] for y in (1, 0)}
    area = sum(w * p for w, p in zip(own[1], pos, strict=True)) / sum(own[1])
    light = {}
    for y, w in own.items():
        light[y] = sorted(w)[-(-len(w) // 10) - 1]
        reach = max(reach, max(w) / light[y])
    for y, placed in ((1, pos), (0, neg)):
        w, most = own[y], light[y] * reach
        influence = [v * float(p - area) / sum(w) for v, p in zip(w, placed, strict=True)]
        n, square = sum(w) ** 2 / sum(v * v for v in w), sum(e * e for e in influence)
        second, fourth = (
            sum(v * v * float(p - area) ** k for v, p in zip(w, placed, strict=True))
            / sum(v * v for v in w)
            for k in (2, 4)
        )
        free = 1 / max(1 / (n - 1), (fourth / second**2 - 1) / n / 2)
        seen = sum(v >= most / 2 for v in w)
        more = 2 / (1 + seen) * (most / (sum(w) + most)) ** 2 * float(area * (1 - area))
        parts += [(square * n / (n - 1), free), (more, 10 * (1 + seen))]
    v = sum(part[0] for part in parts)
    df = v * v / sum(part[0] ** 2 / part[1] for part in parts)
    t2 = stats.t.ppf((1 + level) / 2, df) ** 2 * v / float(area * (1 - area))
    middle = (float(area) + t2 / 2) / (1 + t2)
    half = (middle**2 - float(area) ** 2 / (1 + t2)) ** 0.5
    return middle - half, middle + half


def leverage_df_by_matrices(held_pos, held_neg, squares_pos, squares_neg, r, s):
    """Degrees of freedom of Bell and McCaffrey from the whole matrix of clusters by clusters."""
    n = len(held_pos)
    of_pos = np.eye(n) - np.outer(held_pos, np.ones(n))
    of_neg = np.eye(n) - np.outer(held_neg, np.ones(n))
    own = of_pos @ np.diag((1 - r) * squares_pos + r * held_pos**2) @ of_pos.T
    own += of_neg @ np.diag((1 - s) * squares_neg + s * held_neg**2) @ of_neg.T
    cross = of_pos @ np.diag(-np.sqrt(r * s) * held_pos * held_neg) @ of_neg.T
    whole = own + cross + cross.T
    return float(np.trace(whole) ** 2 / np.trace(whole @ whole))


def null_variance_by_formula(score, n_pos, n_neg):
    """(P + N + 1) / (12 P N) (1 - sum(t^3 - t) / (n^3 - n))."""
    n = n_pos + n_neg
    ties = sum(score.count(s) ** 3 - score.count(s) for s in set(score))
    return Fraction(n + 1, 12 * n_pos * n_neg) * (1 - Fraction(ties, n**3 - n))


def tpr_at_limits(label, score, fpr, level):
    """Both limits of the rank mixture, by bisection of the mean of its two mixtures."""
    pos, neg = ([s for s, _ in cases] for cases in by_class(label, score))
    m, n = len(pos), len(neg)
    ordered = [INF, *sorted(neg, reverse=True), -INF]
    chances = [stats.binom.pmf(r, n, fpr) for r in range(n + 1)]

    def lower(x):
        total = 0.0
        for r, chance in enumerate(chances):
            above = sum(s > ordered[r] for s in pos)
            total += chance * (stats.beta.cdf(x, above, m - above + 1) if above else 1.0)
        return total

    def upper(x):
        total = 0.0
        for r, chance in enumerate(chances):
            above = sum(s >= ordered[r + 1] for s in pos)
            total += chance * (stats.beta.cdf(x, above + 1, m - above) if above < m else 0.0)
        return total

    def middle(x):
        return (lower(x) + upper(x)) / 2

    return _bisected(middle, (1 - level) / 2), _bisected(middle, (1 + level) / 2)


def tpr_at_profile(label, score, fpr, level):
    """Both limits of the profile over ranks, by bisection of its distances."""
    m, n = sum(label), len(label) - sum(label)
    falling = sorted(set(score), reverse=True)
    pos, neg = ([s for s, _ in cases] for cases in by_class(label, score))
    of = {s: (pos.count(s), neg.count(s)) for s in falling}

    def above(rank):  # positives above the negative of a rank, if ties are broken evenly
        if rank <= 0 or rank > n:
            return 0.0 if rank <= 0 else float(m)
        called = gone = 0
        for s in falling:
            tied_pos, tied_neg = of[s]
            if gone + tied_neg >= rank:
                return called + tied_pos * (rank - gone) / (tied_neg + 1)
            called, gone = called + tied_pos, gone + tied_neg
        raise AssertionError

    def middle(count, x):  # more positives, and half of as many
        many = 1.0 if count <= 0 else stats.beta.cdf(x, count, m + 1 - count)
        more = 0.0 if count >= m else stats.beta.cdf(x, count + 1, m - count)
        return (many + more) / 2

    def held(x, sign):
        for rank in range(n + 1):
            chance = stats.binom.cdf(rank - 1, n, fpr) + stats.binom.pmf(rank, n, fpr) / 2
            count = above(rank + 1) if sign > 0 else above(rank)
            scores = [sign * stats.norm.ppf(each) for each in (chance, middle(count, x))]
            if sum(max(each, 0.0) ** 2 for each in scores) <= stats.chi2.ppf(level, 1) + 1e-12:
                return True
        return False

    ends = []
    for sign, last in ((-1, 0.0), (1, 1.0)):
        inside, outside = 1 - last, last
        for _ in range(50):
            between = (inside + outside) / 2
            inside, outside = (between, outside) if held(between, sign) else (inside, between)
        ends.append(inside)
    return tuple(ends)


def _bisected(function, share):
    if function(0.0) >= share - 1e-12:
        return 0.0
    if function(1 - 1e-16) <= share + 1e-12:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < share else (low, middle)
    return (low + high) / 2
