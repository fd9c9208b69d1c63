"""The default statistic of a difference of areas, slow and obvious: from all pairs of cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import integrate, stats
from scipy.optimize import brentq, minimize_scalar


def placements_of(pos: np.ndarray, neg: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Share of negatives that each positive beats, of positives that beat each negative."""
    beats = (pos[:, None] > neg).astype(float) + (pos[:, None] == neg) / 2
    return beats.mean(axis=1), beats.mean(axis=0)


def of_part(
    pos: np.ndarray, neg: np.ndarray, ends: tuple[float, float]
) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """Share of the range that a positive, and a negative, of some score would contribute.

    Each end of the range is a number of negatives, and no scores are tied across a cut.
    """

    def up_to(end: float, s: float) -> tuple[float, float]:
        if end == 0:
            return 0.0, 0.0
        ordered = np.append(np.sort(neg)[::-1], -np.inf)
        top, cut = ordered[: round(end * len(neg))], ordered[round(end * len(neg))]
        beats = float((top < s).sum() + (top == s).sum() / 2) / len(neg)
        height, inside = np.mean(pos > cut), s > cut
        return beats, inside * np.mean((pos > s) + (pos == s) / 2) + height * (end - inside)

    def of(c: int) -> Callable[[float], float]:
        low, high = ends
        return lambda s: (up_to(high, s)[c] - up_to(low, s)[c]) / (high - low)

    return of(0), of(1)


def part_model(share: float, ends: tuple[float, float]) -> tuple[float, float, float]:
    """Variance of a placement of each class of a part, by quadrature, as a share of the range.

    The last number is the mean square of the height within the range.

    The mean over two curves in the same box: a power of the rate, and its mirror image, which
    swaps the classes (Hanley and McNeil, with the part's own area).
    """
    low, high = ends
    width = high - low
    shape = brentq(
        lambda s: (high ** (s + 1) - low ** (s + 1)) / (s + 1) / width - share, 1e-12, 500
    )
    bottom, top = (low**shape if low else 0.0), high**shape
    inner = (top - bottom) / (share - bottom) - 1

    def power(u: float) -> float:
        return bottom + (top - bottom) * ((u - low) / width) ** inner

    def mirrored(u: float) -> float:
        return bottom + (top - bottom) * (1 - (1 - (u - low) / width) ** (1 / inner))

    both = [_of_curve(curve, ends, (bottom, top)) for curve in (power, mirrored)]
    of_pos, of_neg, squares = np.mean(both, axis=0)
    return of_pos / width**2, of_neg / width**2, squares / width


def _of_curve(
    curve: Callable[[float], float], ends: tuple[float, float], heights: tuple[float, float]
) -> tuple[float, float, float]:
    """Variance of what a case of each class adds to the area below a known curve.

    The last number is the area below the square of the curve.
    """
    low, high = ends

    def over(function: Callable[[float], float]) -> float:
        return integrate.quad(function, low, high, epsabs=0, epsrel=1e-10, limit=200)[0]

    part = over(curve)
    of_pos = over(lambda u: 2 * (high - u) * curve(u)) - part**2
    # A negative at rank u moves it by the height there, at the next end beyond the range.
    beside = [low * heights[0] ** k + (1 - high) * heights[1] ** k for k in (1, 2)]
    squares = over(lambda u: curve(u) ** 2)
    return of_pos, squares + beside[1] - (part + beside[0]) ** 2, squares


def step_to_neighbours(
    pos: np.ndarray, neg: np.ndarray, ends: tuple[float, float] | None = None
) -> tuple[float, float]:
    """Mean square of the longer way to a neighbouring level of the sample, in placements."""
    levels = np.unique(np.concatenate([pos, neg]))
    found = []
    for c, (own, other) in enumerate(((pos, neg), (neg, pos))):
        at = np.array([np.mean(other < s) + np.mean(other == s) / 2 for s in levels])
        if ends is not None:
            at = np.array([of_part(pos, neg, ends)[c](s) for s in levels])
        way = np.abs(np.diff(at))
        longer = [max([*way[max(i - 1, 0) : i], *way[i : i + 1], 0.0]) for i in range(levels.size)]
        found.append(np.mean([longer[int(np.searchsorted(levels, s))] ** 2 for s in own]))
    return found[0], found[1]


def apart(placed: np.ndarray) -> float:
    """Mean square difference of two placements that differ."""
    gaps = placed[:, None] - placed
    differ = np.abs(gaps) > 1e-9
    return float((gaps[differ] ** 2).mean()) if differ.any() else 0.0


def model_variance(area: float) -> float:
    """Of a placement, by Hanley and McNeil (1982): the mean of that of both classes."""
    of_pos = area / (2 - area) - area**2
    of_neg = 2 * area**2 / (1 + area) - area**2
    return (of_pos + of_neg) / 2


def restricted(a: float, b: float, gap: float) -> tuple[float, float]:
    """Maximise the likelihood of two proportions a and b of equal samples, given the difference."""

    def loss(second: float) -> float:
        first = second + gap
        return -sum(
            x * np.log(max(p, 1e-300)) + (1 - x) * np.log(max(1 - p, 1e-300))
            for x, p in ((a, first), (b, second))
        )

    ends = max(0.0, -gap), min(1.0, 1 - gap)
    second = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-13}).x
    return second + gap, second


def correlation(one: np.ndarray, two: np.ndarray) -> float:
    """Of placements in two scores; 0 where one does not vary."""
    varies = one.size > 1 and min(one.var(ddof=1), two.var(ddof=1)) > 1e-15
    return float(np.corrcoef(one, two)[0, 1]) if varies else 0.0


def of_class(
    one: np.ndarray, two: np.ndarray, steps: tuple[float, float], most: float
) -> dict[str, float]:
    """What one class tells: `one` and `two` are its placements in both scores.

    They correlate by no more than `most`: negatives of a part as they do over all rates.
    """
    n = one.size
    gap = one - two
    gap = np.where(np.abs(gap - gap.mean()) < 1e-12, gap.mean(), gap)
    spread = float(gap.var(ddof=1)) if n > 1 and np.ptp(gap) > 1e-12 else 0.0
    df = 0.0
    if spread > 0:
        kurtosis = float(((gap - gap.mean()) ** 4).mean()) / float(gap.var()) ** 2
        df = 1 / max(1 / (n - 1), (kurtosis - 1) / (2 * n))
    own = [float(x.var(ddof=1)) if n > 1 else 0.0 for x in (one, two)]
    r = min(correlation(one, two), most)
    unseen = max(steps) / 4 + max(1 - r, 0.0) ** 0.5 * max(apart(one), apart(two))
    return {"n": n, "spread": spread, "df": df, "own": own, "r": r, "unseen": unseen}


def statistic(
    pos: np.ndarray, neg: np.ndarray, null: float, ends: tuple[float, float] | None = None
) -> tuple[float, float]:
    """T(null) and its degrees of freedom; columns of `pos` and `neg` are the two scores.

    Of parts, with the `ends` of a range of false positive rates, `null` is a share of its width.
    """
    placed = [placements_of(pos[:, j], neg[:, j]) for j in (0, 1)]
    most = [1.0, 1.0 if ends is None else correlation(placed[0][1], placed[1][1])]
    if ends is not None:
        both = [of_part(pos[:, j], neg[:, j], ends) for j in (0, 1)]
        placed = [
            (np.array([*map(of[0], pos[:, j])]), np.array([*map(of[1], neg[:, j])]))
            for j, of in enumerate(both)
        ]
    width = 1.0 if ends is None else ends[1] - ends[0]
    steps = [step_to_neighbours(pos[:, j], neg[:, j], ends) for j in (0, 1)]
    classes = [
        of_class(placed[0][c], placed[1][c], (steps[0][c], steps[1][c]), most[c]) for c in (0, 1)
    ]
    own_df = [c["df"] for c in classes]
    small, large = sorted((0, 1), key=lambda c: classes[c]["n"])
    if classes[small]["n"] < classes[large]["n"] and own_df[large] > 0:
        lent = own_df[large] / classes[large]["n"] * classes[small]["n"]
        classes[small]["df"] = min(own_df[small], lent)
    end = 0.5 / (len(pos) * len(neg))
    a, b = (float(np.clip(p[0].mean(), end, 1 - end)) for p in placed)

    def models_of(area: float) -> tuple[float, float]:
        return (model_variance(area),) * 2 if ends is None else part_model(area, ends)[:2]

    def parts(first: float, second: float) -> list[float]:
        found = []
        at_null = zip(*map(models_of, (first, second)), strict=True)
        at_value = zip(*map(models_of, (a, b)), strict=True)
        for c, models, there in zip(classes, at_null, at_value, strict=True):
            moves = models[0] / there[0], models[1] / there[1]
            moved = [v * move for v, move in zip(c["own"], moves, strict=True)]
            larger = [max(v, m) for v, m in zip(moved, models, strict=True)]
            (own, then, model) = (
                g + h - 2 * c["r"] * (g * h) ** 0.5 for g, h in (c["own"], moved, larger)
            )
            spread = max(c["spread"] + then - own, c["spread"] / 2)
            more = max(model - spread, 0) + c["unseen"] / c["n"]
            found.append((spread + 8 / (c["df"] + 8) * more) / c["n"])
        return found

    reach = 3 * sum(parts(a, b)) ** 0.5
    near = max(null, a - b - reach, (a - b - 1) / 2)
    near = min(near, a - b + reach, (a - b + 1) / 2)
    own = parts(*restricted(a, b, near))
    scales = [sum(p * (1 - p) for p in restricted(a, b, x)) for x in (null, near)]
    scale = scales[0] / scales[1]
    df = sum(own) ** 2 / sum(v**2 / (c["df"] + 4) for v, c in zip(own, classes, strict=True))
    found = (a - b - null) / (sum(own) * scale) ** 0.5
    alike = all(np.abs(placed[0][c] - placed[1][c]).max() < 1e-12 for c in (0, 1))
    if alike and len(pos) * len(neg) > 1:
        # No pair is ordered otherwise.
        chance = min((1 - abs(null) * width) ** (len(pos) * len(neg)), 0.5)
        most = float(stats.t.isf(chance, df))
        found = float(np.clip(found, -most, most))
    return found, df


def pvalue(pos: np.ndarray, neg: np.ndarray, null: float) -> float:
    """Two-sided."""
    value, df = statistic(pos, neg, null)
    return float(2 * stats.t.sf(abs(value), df))


def distance_between_errors(samples: list[tuple[np.ndarray, np.ndarray]], *, proc: bool) -> float:
    """Venkatraman's statistic of two independent samples, labels and scores, ties by their order.

    The area between both error rates as functions of the share called negative. pROC's prevalence
    divides all positives by twice the first sample, and its curves begin at the lowest case.
    """
    sizes = [label.size for label, _ in samples]
    n = 2 * sizes[0] if proc else sum(sizes)
    kappa = sum(int(label.sum()) for label, _ in samples) / n
    curves = []
    for label, score in samples:
        own = label[np.argsort(score, kind="stable")]
        missed, right = (np.append(0, np.cumsum(x) / x.sum()) for x in (own, ~own))
        p = kappa * missed + (1 - kappa) * right
        errors = kappa * missed + (1 - kappa) * (1 - right)
        curves.append((p[proc:], errors[proc:]))
    begin, end = max(p[0] for p, _ in curves), min(p[-1] for p, _ in curves)
    x = np.union1d(*(p[(p >= begin) & (p <= end)] for p, _ in curves))
    one, two = (np.interp(x, p, errors) for p, errors in curves)
    return float(np.trapezoid(np.abs(one - two), x))
