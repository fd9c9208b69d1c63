"""Curves by counting at each threshold, and areas under them by pairs or by trapezoids."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np

from slow.counts import counts_at, sweep
from slow.data import INF, by_class, weights_of


def points(label, score, weight=None, *, higher=True):
    """Every (fpr, tpr, threshold) of the curve: reject all, then each score as threshold."""
    found = [(Fraction(0), Fraction(0), INF if higher else -INF)]
    for t in sorted(set(score), reverse=higher):
        c = counts_at(label, score, t, weight, higher=higher)
        found.append((c["fp"] / (c["fp"] + c["tn"]), c["tp"] / (c["tp"] + c["fn"]), t))
    return found


def conceptual_points(label, score, max_steps=10**5):
    """Sweep a threshold from the lowest to the highest score.

    The increment is half the smallest gap, each threshold is made of its integer number, and
    the last one is the highest score itself.
    """
    if not np.isfinite(score).all():
        msg = "Infinite scores have no increment: rank them first."
        raise ValueError(msg)
    distinct = sorted(set(score))
    low, high = distinct[0], distinct[-1]
    thresholds = [high]
    if low < high:
        increment = min(b - a for a, b in pairwise(distinct)) / 2
        if (high - low) / increment > max_steps:
            msg = f"That takes more than {max_steps} steps."
            raise ValueError(msg)
        inner = (low + k * increment for k in range(int((high - low) / increment) + 1))
        thresholds = [*(t for t in inner if t < high), high]
    n_pos = sum(map(bool, label))
    n_neg = len(label) - n_pos
    found = [(Fraction(0), Fraction(0))]
    for t in reversed(thresholds):
        called = [bool(y) for y, s in zip(label, score, strict=True) if s >= t]
        point = Fraction(called.count(False), n_neg), Fraction(called.count(True), n_pos)
        if point != found[-1]:
            found.append(point)
    return found


def fawcett_points(label, score, weight=None):
    """Fawcett (2006), Algorithm 1, line by line; a flag instead of f_prev = -inf (C-3)."""
    n_pos = sum(w for y, w in zip(label, weights_of(label, weight), strict=True) if y)
    n_neg = sum(w for y, w in zip(label, weights_of(label, weight), strict=True) if not y)
    cases_sorted = sorted(
        zip(score, label, weights_of(label, weight), strict=True), key=lambda case: -case[0]
    )
    fp = tp = Fraction(0)
    found = []
    previous = None
    for f, y, w in cases_sorted:
        if w == 0:
            continue
        if previous is None or f != previous:
            found.append((fp / n_neg, tp / n_pos, INF if previous is None else previous))
            previous = f
        if y:
            tp += w
        else:
            fp += w
    return [*found, (fp / n_neg, tp / n_pos, previous)]  # this is (1, 1)


def staircase(label, score, positives_first):
    """Corners of the curve that takes tied cases one at a time, one class first."""
    order = sorted(
        zip(score, label, strict=True), key=lambda case: (-case[0], case[1] != positives_first)
    )
    n_pos = sum(map(bool, label))
    n_neg = len(label) - n_pos
    walk = [(Fraction(0), Fraction(0))]
    for _, y in order:
        f, t = walk[-1]
        walk.append((f, t + Fraction(1, n_pos)) if y else (f + Fraction(1, n_neg), t))
    return walk


def step_roc(label, score, f):
    """S1(S0^-1(f)), S the share of scores above c and S0^-1(f) = inf{c: S0(c) <= f}.

    A share is one division of counts, compared with f as it stands.
    """
    pos = [s for y, s in zip(label, score, strict=True) if y]
    neg = [s for y, s in zip(label, score, strict=True) if not y]
    # S0 falls only at negatives' scores, and is 1 before the lowest.
    low_enough = [c for c in neg if sum(s > c for s in neg) / len(neg) <= f]
    if f >= 1:
        return 1.0
    return sum(s > min(low_enough) for s in pos) / len(pos)


def auc_by_pairs(label, score, weight=None):
    """All pairs of a positive and a negative, a tie one half."""
    triples = list(zip(label, score, weights_of(label, weight), strict=True))
    pos = [(s, w) for y, s, w in triples if y]
    neg = [(s, w) for y, s, w in triples if not y]
    won = sum(
        v * w * (Fraction(int(a > b)) + Fraction(int(a == b), 2)) for a, v in pos for b, w in neg
    )
    return won / (sum(v for _, v in pos) * sum(w for _, w in neg))


def trapezoids(polygon):
    """Area under a polygon whose corners come in order of x."""
    return sum(((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(polygon)), Fraction(0))


def fawcett_auc(label, score, *, as_printed=False):
    """Fawcett (2006), Algorithm 2; its printed last line has N where P belongs (S-F6)."""
    n_pos = sum(map(bool, label))
    n_neg = len(label) - n_pos
    fp = tp = fp_before = tp_before = 0
    area = Fraction(0)
    previous = None
    for f, y in sorted(zip(score, label, strict=True), key=lambda case: -case[0]):
        if previous is None or f != previous:
            area += Fraction((fp - fp_before) * (tp + tp_before), 2)
            previous, fp_before, tp_before = f, fp, tp
        if y:
            tp += 1
        else:
            fp += 1
    top = n_neg if as_printed else n_pos
    area += Fraction((n_neg - fp_before) * (top + tp_before), 2)
    return area / (n_pos * n_neg)


def clipped(polygon, low, high):
    """Cut a polygon to low <= x <= high; vertical runs on the cut add no area."""
    low, high = Fraction(low), Fraction(high)
    kept = []
    for (x0, y0), (x1, y1) in pairwise(polygon):
        a, b = max(x0, low), min(x1, high)
        if x0 < x1 and a < b:
            rise = (y1 - y0) / (x1 - x0)
            kept += [(a, y0 + (a - x0) * rise), (b, y0 + (b - x0) * rise)]
    return kept


def partial_area(polygon, low, high):
    """Area under the polygon over a range of fpr."""
    return trapezoids(clipped(polygon, low, high))


def partial_area_beside(polygon, low, high):
    """Area to the right of the polygon beside a range of tpr: of 1 - fpr over tpr."""
    return partial_area([(t, 1 - f) for f, t in polygon], low, high)


def two_way_area(polygon, max_fpr, min_tpr):
    """Integral of max(ROC - min_tpr, 0) from 0 to max_fpr: cut where the curve crosses min_tpr."""
    bottom = Fraction(min_tpr)
    area = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(clipped(polygon, 0, max_fpr)):
        if x0 == x1 or y1 <= bottom:
            continue
        start, y = x0, y0
        if y0 < bottom:
            start, y = x0 + (bottom - y0) * (x1 - x0) / (y1 - y0), bottom
        area += (x1 - start) * (y + y1 - 2 * bottom) / 2
    return area


def two_way_pairs(label, score, max_fpr, min_tpr):
    """Pairs of the top floor(max_fpr N) negatives and the bottom floor((1 - min_tpr) P) positives.

    Of tied cases at a cut each counts with the share of them that is inside.
    """
    pos, neg = by_class(label, score)
    P, N = len(pos), len(neg)

    def inside(scores, many):
        """How much of each case is among the first `many`."""
        parts = []
        for s in scores:
            before = sum(o > s for o in scores)
            equal = sum(o == s for o in scores)
            parts.append(min(max(Fraction(many - before, equal), 0), 1))
        return parts

    top = inside([s for s, _ in neg], int(Fraction(max_fpr).limit_denominator(1000) * N))
    bottom = inside([-s for s, _ in pos], int((1 - Fraction(min_tpr).limit_denominator(1000)) * P))
    wins = sum(
        p * n * (Fraction(int(a > b)) + Fraction(int(a == b), 2))
        for (a, _), p in zip(pos, bottom, strict=True)
        for (b, _), n in zip(neg, top, strict=True)
    )
    return wins / (P * N)


def mcclish(area, low, high, *, beside=False):
    """Rescale a partial area so that 1/2 is chance and 1 perfect."""
    low, high = Fraction(low), Fraction(high)
    least = (high**2 - low**2) / 2
    if beside:
        least = ((1 - low) ** 2 - (1 - high) ** 2) / 2
    return (1 + (Fraction(area) - least) / (high - low - least)) / 2


def highest_at(polygon, f):
    """The largest y of the polygon at x = f."""
    f, found = Fraction(f), []
    for (x0, y0), (x1, y1) in pairwise(polygon):
        if x0 <= f <= x1:
            found.append(y1 if x0 == x1 else y0 + (f - x0) * (y1 - y0) / (x1 - x0))
    return max(found)


def equal_error(polygon):
    """The fpr where fpr = 1 - tpr, on the segment that crosses the antidiagonal."""
    for (f0, t0), (f1, t1) in pairwise(polygon):
        if f0 + t0 <= 1 <= f1 + t1 and f0 + t0 < f1 + t1:
            return f0 + (1 - f0 - t0) / (f1 + t1 - f0 - t0) * (f1 - f0)
    msg = "a curve from (0, 0) to (1, 1) crosses the antidiagonal"
    raise AssertionError(msg)


def average_precision_by_cases(label, score, weight=None):
    """Mean over the positives of the precision when all with at least their score are called."""
    total = gained = Fraction(0)
    for y, s, w in zip(label, score, weights_of(label, weight), strict=True):
        if y:
            c = counts_at(label, score, s, weight)
            total += w
            gained += w * c["tp"] / (c["tp"] + c["fp"])
    return gained / total


def precision_along(corners, tp):
    """Precision where `tp` true positives are found, false ones linear between the corners."""
    for (t0, f0, _), (t1, f1, _) in pairwise(corners):
        if t0 <= tp <= t1 and t0 < t1:
            fp = f0 + (f1 - f0) / (t1 - t0) * (tp - t0)
            return tp / (tp + fp) if tp + fp else t1 / (t1 + f1)
    msg = "there are fewer positives"
    raise AssertionError(msg)


def pr_area_by_formula(label, score, weight=None):
    """The integral as printed, t / A - B / A^2 ln(A t + B), with 60 digits."""
    corners = sweep(label, score, weight)
    with localcontext() as context:
        context.prec = 60

        def number(x):
            return Decimal(x.numerator) / Decimal(x.denominator)

        area = Decimal(0)
        for (t0, f0, _), (t1, f1, _) in pairwise(corners):
            if t1 == t0:
                continue
            h = (f1 - f0) / (t1 - t0)
            A, B = number(1 + h), number(f0 - h * t0)
            area += number(t1 - t0) / A
            if B:
                ends = [number((1 + h) * t + f0 - h * t0) for t in (t0, t1)]
                area -= B / A**2 * (ends[1] / ends[0]).ln()
        return float(area / number(corners[-1][0]))


def pr_area_by_unit_steps(label, score):
    """Straight lines between the points of 0, 1, 2, ... true positives."""
    corners = sweep(label, score)
    # Of points with as many true positives the first: the next step starts at the last.
    area = Fraction(0)
    for before, after in pairwise(corners):
        for tp in range(int(before[0]), int(after[0])):
            ends = [precision_along([before, after], Fraction(t)) for t in (tp, tp + 1)]
            area += sum(ends) / 2
    return area / corners[-1][0]


def gain_corners(label, score, weight=None):
    """(recall gain, precision gain) from where the recall is the prevalence."""
    corners = sweep(label, score, weight)
    P, N, _ = corners[-1]
    pi = P / (P + N)

    def gains(tp, fp):
        odds = pi / (1 - pi)
        return 1 - odds * (P - tp) / tp, 1 - odds * fp / tp

    found = []
    for (t0, f0, _), (t1, f1, _) in pairwise(corners):
        start = pi * P
        if t0 < start < t1:
            found.append(gains(start, f0 + (f1 - f0) / (t1 - t0) * (start - t0)))
        if t1 >= start:
            found.append(gains(t1, f1))
    return found


def found_at_depth(label, score, depth, weight=None):
    """Share of the positives among the best `depth` of all cases, ties shared out evenly."""
    corners = sweep(label, score, weight)
    P, N, _ = corners[-1]
    room, found = Fraction(depth) * (P + N), Fraction(0)
    for (t0, f0, _), (t1, f1, _) in pairwise(corners):
        size = t1 - t0 + f1 - f0
        share = min(room / size, Fraction(1))
        found += share * (t1 - t0)
        room -= share * size
    return found / P


def fuzzy_rates(degree, score, threshold, spread, norm):
    """False and true positive rate of one threshold, by the degrees of each case."""
    join = min if norm == "minimum" else (lambda a, b: a * b)

    def call(s):
        if spread == 0 or threshold in (INF, -INF):
            return Fraction(int(s >= threshold))
        lift = (Fraction(s) - Fraction(threshold)) / Fraction(spread) + Fraction(1, 2)
        return min(max(lift, Fraction(0)), Fraction(1))

    parts = [[1 - Fraction(d) for d in degree], [Fraction(d) for d in degree]]
    return [
        sum(join(call(s), d) for s, d in zip(score, part, strict=True)) / sum(part)
        for part in parts
    ]
