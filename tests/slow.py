"""Slow, obvious definitions: what the tests compare with. And where to read others' answers.

Nothing here is clever. Counts and rates are fractions, so that an answer is exact.
"""

import csv
import json
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from rocspace import datasets

INF = float("inf")


def _labels_and_scores(name):
    data = datasets.load(name)
    return data.y_true.tolist(), data.y_score.tolist()


# Fawcett (2006), figures 3, 4 and 6 (METHODS.md, section 0).
F3 = _labels_and_scores("fawcett20")
F4 = _labels_and_scores("fawcett4")
F6 = ([True] * 6 + [False] * 4, [0.5] * 10)


# --- random samples with many ties ------------------------------------------------------------


@st.composite
def samples(draw, *, max_size=25, values=None, weights=None):
    """Labels of both classes, scores of few distinct values, and weights if wanted."""
    n = draw(st.integers(2, max_size))
    label = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(lambda y: len(set(y)) > 1))
    values = st.integers(-4, 4).map(float) if values is None else values
    score = draw(st.lists(values, min_size=n, max_size=n))
    if weights is None:
        return label, score
    return label, score, draw(st.lists(weights, min_size=n, max_size=n))


# --- answers of other programs, and their data ------------------------------------------------


ORACLES = Path(__file__).parent / "oracles"
_LABEL = {"asah": "outcome", "suicide": "suicide", "dm_rocdata": "Gold"}
_SHORT = {
    "suicide": ("suicide", "dsi"),
    "rocr_simple": ("rocr_simple", "prediction"),
    "two_class_example": ("two_class_example", "Class1"),
}


def answer(name, request):
    """Read what another program answered; skip where the file is not at hand."""
    path = ORACLES / f"{name}.json"
    if not path.exists():
        path = request.getfixturevalue("shared") / "oracle" / f"{name}.json"
    return _numbers(json.loads(path.read_text(encoding="utf-8")))


def _numbers(value):
    if isinstance(value, dict):
        return {key: _numbers(x) for key, x in value.items()}
    if isinstance(value, list):
        return [_numbers(x) for x in value]
    return (
        {"Inf": INF, "inf": INF, "-Inf": -INF, "NaN": float("nan")}.get(value, value)
        if (isinstance(value, str))
        else value
    )


def reference():
    """Read the reference numbers of METHODS.md."""
    return _numbers(json.loads((ORACLES / "methods_reference.json").read_text(encoding="utf-8")))


def cases(data, request, column=None):
    """Labels and scores of a set: ``cases("asah_s100b", ...)`` or with the column apart."""
    if column is None:
        data, column = _SHORT.get(data) or data.rsplit("_", 1)
    if column in ("logreg", "nb", "knn15", "tree5", "rf") and data != "adult_scores":
        part = datasets.load("uci_scores").where("dataset", data)
        return part.y_true, part.columns[column]
    if data in datasets.names():
        whole = datasets.load(data)
        return whole.y_true, whole.columns[column]
    path = request.getfixturevalue("shared") / "data" / f"{data}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [(r[_LABEL.get(data, "label")], r[column]) for r in csv.DictReader(file)]
    rows = [(int(y), float(s)) for y, s in rows if y not in ("", "NA") and s not in ("", "NA")]
    label, score = zip(*rows, strict=True)
    return np.array(label) == 1, np.array(score)


def assert_close(actual, desired, digits=12):
    """Assert agreement to so many significant digits; what is near zero, absolutely."""
    np.testing.assert_allclose(actual, desired, rtol=10.0**-digits, atol=1e-15)


close = assert_close


# --- curves -----------------------------------------------------------------------------------


def _weights(label, weight):
    weight = [1] * len(label) if weight is None else weight
    return [Fraction(w) for w in weight]


def counts_at(label, score, threshold, weight=None, *, inclusive=True, higher=True):
    """tp, fp, fn, tn of one threshold, case by case."""
    sums = {"tp": Fraction(0), "fp": Fraction(0), "fn": Fraction(0), "tn": Fraction(0)}
    for y, s, w in zip(label, score, _weights(label, weight), strict=True):
        beyond = s > threshold if higher else s < threshold
        called = beyond or (inclusive and s == threshold)
        sums[("tp" if y else "fp") if called else ("fn" if y else "tn")] += w
    return sums


def points(label, score, weight=None, *, higher=True):
    """Every (fpr, tpr, threshold) of the curve: reject all, then each score as threshold."""
    found = [(Fraction(0), Fraction(0), INF if higher else -INF)]
    for t in sorted(set(score), reverse=higher):
        c = counts_at(label, score, t, weight, higher=higher)
        found.append((c["fp"] / (c["fp"] + c["tn"]), c["tp"] / (c["tp"] + c["fn"]), t))
    return found


def conceptual_points(label, score, max_steps=10**5):
    """Sweep a threshold from the lowest to the highest score (METHODS M-06).

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
    n_pos = sum(w for y, w in zip(label, _weights(label, weight), strict=True) if y)
    n_neg = sum(w for y, w in zip(label, _weights(label, weight), strict=True) if not y)
    cases_sorted = sorted(
        zip(score, label, _weights(label, weight), strict=True), key=lambda case: -case[0]
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
    """S1(S0^-1(f)), S the share of scores above c and S0^-1(f) = inf{c: S0(c) <= f} (M-62).

    A share is one division of counts, compared with f as it stands.
    """
    pos = [s for y, s in zip(label, score, strict=True) if y]
    neg = [s for y, s in zip(label, score, strict=True) if not y]
    # S0 falls only at negatives' scores, and is 1 before the lowest.
    low_enough = [c for c in neg if sum(s > c for s in neg) / len(neg) <= f]
    if f >= 1:
        return 1.0
    return sum(s > min(low_enough) for s in pos) / len(pos)


# --- areas ------------------------------------------------------------------------------------


def auc_by_pairs(label, score, weight=None):
    """All pairs of a positive and a negative, a tie one half."""
    triples = list(zip(label, score, _weights(label, weight), strict=True))
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


def mcclish(area, low, high, *, beside=False):
    """Rescale a partial area so that 1/2 is chance and 1 perfect (METHODS M-107)."""
    low, high = Fraction(low), Fraction(high)
    least = (high**2 - low**2) / 2
    if beside:
        least = ((1 - low) ** 2 - (1 - high) ** 2) / 2
    return (1 + (Fraction(area) - least) / (high - low - least)) / 2


# --- reading a curve --------------------------------------------------------------------------


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


def best_thresholds(label, score, criterion, weight=None, *, higher=True):
    """The best value of a criterion over all points, and every threshold that reaches it."""
    w = _weights(label, weight)
    pi = sum(v for y, v in zip(label, w, strict=True) if y) / sum(w)
    value = {
        "youden": lambda f, t: t - f,
        "closest": lambda f, t: -(f**2 + (1 - t) ** 2),
        "accuracy": lambda f, t: pi * t + (1 - pi) * (1 - f),
    }[criterion]
    found = [
        (value(f, t), threshold) for f, t, threshold in points(label, score, weight, higher=higher)
    ]
    best = max(v for v, _ in found)
    return best, [threshold for v, threshold in found if v == best]


def front(pairs):
    """Indices of the points that no other dominates, by looking at all pairs."""

    def dominated(a, b):
        return b[0] <= a[0] and b[1] >= a[1] and b != a

    return [i for i, a in enumerate(pairs) if not any(dominated(a, b) for b in pairs)]


# --- tables -----------------------------------------------------------------------------------


def table_by_dictionary(label, score, weight=None, *, higher=True):
    """Rows (score, positives, negatives), most positive first, counted one case at a time."""
    count = {}
    for y, s, w in zip(label, score, _weights(label, weight), strict=True):
        if w > 0:
            count.setdefault(s, [Fraction(0), Fraction(0)])[0 if y else 1] += w
    return [(s, *count[s]) for s in sorted(count, reverse=higher)]


def rows_of(table):
    """The rows of a table as exact numbers, to compare with `table_by_dictionary`."""
    columns = (table.score.tolist(), table.pos.tolist(), table.neg.tolist())
    return [(s, Fraction(p), Fraction(n)) for s, p, n in zip(*columns, strict=True)]


def repeated(values, times):
    """Each value as many times as its weight says."""
    return [v for v, n in zip(values, times, strict=True) for _ in range(int(n))]


# --- how sure an area is ----------------------------------------------------------------------


def psi(a, b):
    """1 if a positive's score a beats a negative's b, 1/2 if they tie, else 0."""
    return Fraction(int(a > b)) + Fraction(int(a == b), 2)


def by_class(label, score, weight=None):
    """(score, weight) of the positives, and of the negatives."""
    triples = list(zip(label, score, _weights(label, weight), strict=True))
    return [(s, w) for y, s, w in triples if y], [(s, w) for y, s, w in triples if not y]


def placements_by_pairs(label, score, weight=None):
    """V10 of every positive and V01 of every negative: weighted means of psi."""
    pos, neg = by_class(label, score, weight)
    P, N = sum(w for _, w in pos), sum(w for _, w in neg)
    v10 = [sum(w * psi(a, b) for b, w in neg) / N for a, _ in pos]
    v01 = [sum(w * psi(a, b) for a, w in pos) / P for b, _ in neg]
    return v10, v01


def variance_of_mean(values, weight):
    """Sum w^2 (v - mean)^2 / (sum w)^2 * n / (n - 1), n = (sum w)^2 / sum w^2 (METHODS M-41)."""
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
    """S, sum of r_i^2, sum of c_j^2, q and the class sizes (METHODS M-42)."""
    pos, neg = ([s for s, _ in part] for part in by_class(label, score))
    matrix = [[psi(a, b) for b in neg] for a in pos]
    rows, columns = [sum(row) for row in matrix], [sum(c) for c in zip(*matrix, strict=True)]
    q = sum(x * x for row in matrix for x in row)
    return sum(rows), sum(r * r for r in rows), sum(c * c for c in columns), q, len(pos), len(neg)


def bamber_by_pairs(label, score):
    """The plug-in variance: that of a bootstrap within classes (METHODS M-40)."""
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
    """A^2 less the unbiased estimate of its expectation (METHODS M-42)."""
    S, R2, C2, q, P, N = psi_sums(label, score)
    return (S / (P * N)) ** 2 - (S * S - R2 - C2 + q) / (P * N * (P - 1) * (N - 1))


def partial_placements_literal(label, score, f):
    """METHODS M-107: without ties, f N whole; R(f) is the curve at its highest there."""
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
    weight = _weights(label, weight)

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


def null_variance_by_formula(score, n_pos, n_neg):
    """(P + N + 1) / (12 P N) (1 - sum(t^3 - t) / (n^3 - n)) (METHODS M-40)."""
    n = n_pos + n_neg
    ties = sum(score.count(s) ** 3 - score.count(s) for s in set(score))
    return Fraction(n + 1, 12 * n_pos * n_neg) * (1 - Fraction(ties, n**3 - n))


# --- hulls ------------------------------------------------------------------------------------


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


# --- precision, gains and costs ---------------------------------------------------------------


def sweep(label, score, weight=None):
    """(tp, fp, threshold) of every threshold, reject-all first, as fractions."""
    found = [(Fraction(0), Fraction(0), INF)]
    for t in sorted(set(score), reverse=True):
        c = counts_at(label, score, t, weight)
        found.append((c["tp"], c["fp"], t))
    return found


def average_precision_by_cases(label, score, weight=None):
    """Mean over the positives of the precision when all with at least their score are called."""
    total = gained = Fraction(0)
    for y, s, w in zip(label, score, _weights(label, weight), strict=True):
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
    """METHODS M-109 as printed, t / A - B / A^2 ln(A t + B), with 60 digits."""
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
    """(recall gain, precision gain) from where the recall is the prevalence (METHODS M-110)."""
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


def least_cost(corners, x):
    """The lowest of all lines fnr x + fpr (1 - x) of (fpr, tpr) points."""
    return min((1 - t) * x + f * (1 - x) for f, t in corners)


def isotonic(label, score, weight=None):
    """(score, fitted) by pooling adjacent violators of the class means, lowest score first."""
    blocks = []
    for s, pos, neg in table_by_dictionary(label, score, weight)[::-1]:
        blocks.append([[s], pos, pos + neg])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            scores, p, n = blocks.pop()
            blocks[-1] = [blocks[-1][0] + scores, blocks[-1][1] + p, blocks[-1][2] + n]
    return {s: p / n for scores, p, n in blocks for s in scores}


def brier(label, score, weight=None):
    """Mean of (score - outcome)^2, with the scores as exact fractions."""
    triples = list(zip(label, score, _weights(label, weight), strict=True))
    return sum(w * (Fraction(s) - int(y)) ** 2 for y, s, w in triples) / sum(w for *_, w in triples)


# --- criteria of thresholds -------------------------------------------------------------------


def criterion_value(name, f, t, pi, n, miss=1, alarm=1):
    """A criterion at the point (f, t), larger better; None where undefined or infinite.

    All from the two rates, the prevalence and the number of cases, as the textbooks write them.
    """
    w = pi * miss / (pi * miss + (1 - pi) * alarm)  # of a miss, in all that errors could cost
    called = pi * t + (1 - pi) * f
    ppv = pi * t / called if called else None
    npv = (1 - pi) * (1 - f) / (1 - called) if called != 1 else None
    tp, fp, fn, tn = n * pi * t, n * (1 - pi) * f, n * pi * (1 - t), n * (1 - pi) * (1 - f)
    both = ppv is not None and npv is not None
    chance = pi * called + (1 - pi) * (1 - called)
    r = Fraction(miss) / (miss + alarm)
    below = pi * (1 - called) * r + (1 - pi) * called * (1 - r)
    margins = pi * (1 - pi) * called * (1 - called)
    phi = pi * (1 - pi) * (t - f)  # times 1 / sqrt(margins)
    half = [x or Fraction(1, 2) for x in (tp, fp, fn, tn)]
    yates = max(abs(tp * tn - fp * fn) - n / 2, 0)
    weighed = miss != 1 or alarm != 1
    values = {
        "accuracy": lambda: pi * t + (1 - pi) * (1 - f),
        "chi_square": lambda: n * phi**2 / margins if margins else None,
        "chi_square_corrected": lambda: yates**2 / (n**3 * margins) if margins else None,
        "closest": lambda: -(w * (1 - t) ** 2 + (1 - w) * f**2 if weighed else (1 - t) ** 2 + f**2),
        "concordance": lambda: t * (1 - f),
        "cost": lambda: -(pi * (1 - t) * miss + (1 - pi) * f * alarm),
        "f_score": lambda: 2 * ppv * t / (ppv + t) if ppv else Fraction(0),
        "fnr": lambda: t,
        "fpr": lambda: -f,
        "jaccard": lambda: tp / (tp + fp + fn),
        "kappa": lambda: (
            (phi / below if below else None)
            if weighed
            else ((pi * t + (1 - pi) * (1 - f) - chance) / (1 - chance) if chance != 1 else None)
        ),
        "lr_negative": lambda: -(1 - t) / (1 - f) if f != 1 else None,
        "lr_positive": lambda: t / f if f else None,
        "matthews": lambda: (1 if phi > 0 else -1) * phi**2 / margins if margins else Fraction(0),
        "maximin": lambda: min(t, 1 - f),
        "minimax": lambda: -max(pi * (1 - t), (1 - pi) * f),
        "npv": lambda: npv,
        "odds_ratio": lambda: (
            t / (1 - t) * (1 - f) / f if f and t != 1 else (None if tp * tn == 0 else INF)
        ),
        "odds_ratio_corrected": lambda: half[0] * half[3] / (half[1] * half[2]),
        "ppv": lambda: ppv,
        "predicted_positive_rate": lambda: -called,
        "predictive_closest": lambda: -((1 - ppv) ** 2 + (1 - npv) ** 2) if both else None,
        "predictive_maximin": lambda: min(ppv, npv) if both else None,
        "predictive_product": lambda: ppv * npv if both else None,
        "predictive_sum": lambda: ppv + npv if both else None,
        "predictive_symmetry": lambda: -abs(ppv - npv) if both else None,
        "prevalence_matching": lambda: -abs(called - pi),
        "symmetry": lambda: -abs(t - (1 - f)),
        "tnr": lambda: 1 - f,
        "tpr": lambda: t,
        "youden": lambda: (w * t + (1 - w) * (1 - f)) * 2 - 1 if weighed else t - f,
    }
    return values[name]()


def best_by(name, label, score, *, prevalence=None, miss=1, alarm=1, higher=True):
    """Every threshold that is best by a criterion, by trying them all; finite values first."""
    found = []
    for f, t, threshold in points(label, score, higher=higher):
        pi = Fraction(sum(label), len(label)) if prevalence is None else prevalence
        if name == "odds_ratio_corrected":
            pi = Fraction(sum(label), len(label))
        found.append((criterion_value(name, f, t, pi, len(label), miss, alarm), threshold))
    known = [pair for pair in found if pair[0] is not None and abs(pair[0]) != INF]
    if name == "lr_positive" and not known:
        known = [(1, threshold) for f, t, threshold in points(label, score, higher=higher) if t]
    known = known or [pair for pair in found if pair[0] is not None]
    best = max((value for value, _ in known), default=None)
    return [threshold for value, threshold in known if value == best]


# --- Boolean combinations ---------------------------------------------------------------------

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


# --- granular curves ----------------------------------------------------------------------------


def as_decimal(score):
    """The shortest decimal that reads back as a score, as a fraction; infinities as they are."""
    text = str(score)  # of NumPy's floats the shortest in their own precision
    return float(text) if text in ("inf", "-inf") else Fraction(text)


def granular(label, score, delta, weight=None, *, literal=False, higher=True):
    """Lower and upper points (fpr, tpr) of each score, most positive first, window by window."""
    weights = _weights(label, weight)
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


# --- averages of curves (Fawcett 2006, Algorithms 3 and 4, step by step) ------------------------


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


# --- cross-validated areas ----------------------------------------------------------------------


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


# --- functions of the difference of a pair ------------------------------------------------------


def _pairs(label, score, weight=None, *, higher=True):
    """Difference and weight of every pair of a positive and a negative, the weights adding to 1."""
    cases = list(zip(label, score, _weights(label, weight), strict=True))
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


def count_pairs(first, second):
    """Look at all pairs: which measure decides, and for which side."""
    from rocspace.select import MeasureComparison

    count = dict.fromkeys(("agree", "disagree", "first_only", "second_only", "neither"), 0)
    for i in range(len(first)):
        for j in range(i):
            a = (first[i] > first[j]) - (first[i] < first[j])
            b = (second[i] > second[j]) - (second[i] < second[j])
            if a and b:
                count["agree" if a == b else "disagree"] += 1
            else:
                count["first_only" if a else "second_only" if b else "neither"] += 1
    return MeasureComparison(**count)
