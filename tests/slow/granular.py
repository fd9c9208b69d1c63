"""Granular curves window by window, and means over pairs of a function of their difference."""

from fractions import Fraction
from itertools import pairwise

from slow.data import weights_of


def as_decimal(score):
    """The shortest decimal that reads back as a score, as a fraction; infinities as they are."""
    text = str(score)  # of NumPy's floats the shortest in their own precision
    return float(text) if text in ("inf", "-inf") else Fraction(text)


def granular(label, score, delta, weight=None, *, literal=False, higher=True):
    """Lower and upper points (fpr, tpr) of each score, most positive first, window by window."""
    weights = weights_of(label, weight)
    if literal:
        values, width = [float(s) if higher else -float(s) for s in score], float(delta)
    else:
        values, width = [as_decimal(s) * (1 if higher else -1) for s in score], as_decimal(delta)
    P = sum(w for y, w in zip(label, weights, strict=True) if y)
    N = sum(weights) - P
    lower, upper = [], []
    present = {x for x, w in zip(values, weights, strict=True) if w}
    for s in sorted(present, reverse=True):
        inside = {x for x in present if x == s or (x > s and not x >= s + width)}
        tp, fp, wp, wn = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
        for y, x, w in zip(label, values, weights, strict=True):
            tp += w * (y and x >= s)
            fp += w * ((not y) and x >= s)
            if len(inside) > 1 and x in inside:
                wp += w * y
                wn += w * (not y)
        upper.append((_over(fp - wn, N - wn), _over(tp + wn, P + wn)))
        lower.append((_over(fp + wp, N + wp), _over(tp - wp, P - wp)))
    return lower, upper


def _over(part, whole):
    return part / whole if whole else Fraction(0)


def signed_area(points):
    """Trapezoids from (0, 0) over the points in their order to (1, 1), backwards ones negative."""
    path = [(Fraction(0), Fraction(0)), *points, (Fraction(1), Fraction(1))]
    return sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(path))


def granular_areas(label, score, delta, weight=None, **options):
    """Lower and upper area."""
    return [signed_area(points) for points in granular(label, score, delta, weight, **options)]


def granular_integrals(label, score, weight=None):
    """Integrals of AUC / upper and lower / AUC over granularities from 0 to 1, piece by piece."""
    whole = granular_areas(label, score, 0, weight)[0]
    values = [as_decimal(s) for s in score]
    if min(values) < 0 or max(values) > 1:
        span = (max(values) - min(values)) or 1
        values = [x / span for x in values]
    values = [Exactly(x) for x in values]
    ends = sorted({a - b for a in values for b in values if a > b} | {Fraction(0), Fraction(1)})
    f = g = Fraction(0)
    for start, end in pairwise(ends):
        low, up = granular_areas(label, values, Exactly(end), weight)
        f += (end - start) * whole / up
        g += (end - start) * low / whole
    return f, g


class Exactly(Fraction):
    """A fraction that `as_decimal` reads as itself."""

    def __str__(self):
        return f"{self.numerator}/{self.denominator}"


def _pairs(label, score, weight=None, *, higher=True):
    """Difference and weight of every pair of a positive and a negative, the weights adding to 1."""
    cases = list(zip(label, score, weights_of(label, weight), strict=True))
    pos, neg = [(s, w) for y, s, w in cases if y], [(s, w) for y, s, w in cases if not y]
    whole = sum(w for _, w in pos) * sum(w for _, w in neg)
    sign = 1 if higher else -1
    return [(sign * (Fraction(x) - Fraction(y)), v * w / whole) for x, v in pos for y, w in neg]


def mean_over_pairs(label, score, tau, weight=None, *, higher=True):
    """Mean of tau(x - y) over all pairs."""
    return sum(w * tau(d) for d, w in _pairs(label, score, weight, higher=higher))


def buffered_auc(label, score, weight=None, *, higher=True):
    """1 - min over a >= 0 of E max(1 - a d, 0), trying a = 0 and one over each difference."""
    pairs = _pairs(label, score, weight, higher=higher)
    steps = [Fraction(0), *(1 / d for d, _ in pairs if d > 0)]
    # Beyond the last the sum grows with a, unless no difference is negative.
    return 1 - min(sum(w * max(1 - a * d, 0) for d, w in pairs) for a in steps)
