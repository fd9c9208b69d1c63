"""The default statistic of a difference of areas, slow and obvious: from all pairs of cases."""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.optimize import minimize_scalar


def placements_of(pos: np.ndarray, neg: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Share of negatives that each positive beats, of positives that beat each negative."""
    beats = (pos[:, None] > neg).astype(float) + (pos[:, None] == neg) / 2
    return beats.mean(axis=1), beats.mean(axis=0)


def step_to_neighbours(pos: np.ndarray, neg: np.ndarray) -> tuple[float, float]:
    """Mean square of the longer way to a neighbouring level of the sample, in placements."""
    levels = np.unique(np.concatenate([pos, neg]))
    found = []
    for own, other in ((pos, neg), (neg, pos)):
        at = np.array([np.mean(other < s) + np.mean(other == s) / 2 for s in levels])
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


def of_class(one: np.ndarray, two: np.ndarray, steps: tuple[float, float]) -> dict[str, float]:
    """What one class tells: `one` and `two` are its placements in both scores."""
    n = one.size
    gap = one - two
    gap = np.where(np.abs(gap - gap.mean()) < 1e-12, gap.mean(), gap)
    spread = float(gap.var(ddof=1)) if n > 1 else 0.0
    df = 0.0
    if spread > 0:
        kurtosis = float(((gap - gap.mean()) ** 4).mean()) / float(gap.var()) ** 2
        df = 1 / max(1 / (n - 1), (kurtosis - 1) / (2 * n))
    own = [float(x.var(ddof=1)) if n > 1 else 0.0 for x in (one, two)]
    r = float(np.corrcoef(one, two)[0, 1]) if min(own) > 1e-15 else 0.0
    unseen = max(steps) / 4 + max(1 - r, 0.0) ** 0.5 * max(apart(one), apart(two))
    return {"n": n, "spread": spread, "df": df, "own": own, "r": r, "unseen": unseen}


def statistic(pos: np.ndarray, neg: np.ndarray, null: float) -> tuple[float, float]:
    """T(null) and its degrees of freedom; columns of `pos` and `neg` are the two scores."""
    placed = [placements_of(pos[:, j], neg[:, j]) for j in (0, 1)]
    steps = [step_to_neighbours(pos[:, j], neg[:, j]) for j in (0, 1)]
    classes = [of_class(placed[0][c], placed[1][c], (steps[0][c], steps[1][c])) for c in (0, 1)]
    own_df = [c["df"] for c in classes]
    small, large = sorted((0, 1), key=lambda c: classes[c]["n"])
    if classes[small]["n"] < classes[large]["n"] and own_df[large] > 0:
        lent = own_df[large] / classes[large]["n"] * classes[small]["n"]
        classes[small]["df"] = min(own_df[small], lent)
    end = 0.5 / (len(pos) * len(neg))
    a, b = (float(np.clip(p[0].mean(), end, 1 - end)) for p in placed)

    def parts(first: float, second: float) -> list[float]:
        models = model_variance(first), model_variance(second)
        moves = models[0] / model_variance(a), models[1] / model_variance(b)
        found = []
        for c in classes:
            moved = [v * move for v, move in zip(c["own"], moves, strict=True)]
            larger = [max(v, m) for v, m in zip(moved, models, strict=True)]
            (own, at_null, model) = (
                g + h - 2 * c["r"] * (g * h) ** 0.5 for g, h in (c["own"], moved, larger)
            )
            spread = max(c["spread"] + at_null - own, c["spread"] / 2)
            more = max(model - spread, 0) + c["unseen"] / c["n"]
            found.append((spread + 8 / (c["df"] + 8) * more) / c["n"])
        return found

    reach = 3 * sum(parts(a, b)) ** 0.5
    near = max(null, a - b - reach, (a - b - 1) / 2)
    near = min(near, a - b + reach, (a - b + 1) / 2)
    own = parts(*restricted(a, b, near))
    ends = (sum(p * (1 - p) for p in restricted(a, b, x)) for x in (null, near))
    scale = next(ends) / next(ends)
    df = sum(own) ** 2 / sum(v**2 / (c["df"] + 4) for v, c in zip(own, classes, strict=True))
    found = (a - b - null) / (sum(own) * scale) ** 0.5
    alike = all(np.abs(placed[0][c] - placed[1][c]).max() < 1e-12 for c in (0, 1))
    if alike and len(pos) * len(neg) > 1:
        chance = min((1 - abs(null)) ** (len(pos) * len(neg)), 0.5)  # no pair is ordered otherwise
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
