"""What is drawn of a score: the curve thinned to what can be seen, and histograms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.geometry import hull_indices
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.report.plain import plain_list
from rocspace.results.point import OperatingPoint

KEEP_ALL = 2000  # curves of up to so many points are kept whole
WITHIN = 0.0005  # half a pixel of a picture 1000 pixels wide
GRID = 400  # along the curve, a kept point at least every 2 / GRID where there is one
MAX_BINS = 60


# --- the curve ------------------------------------------------------------------------------


def drawn_curve(table: ScoreTable, points: Sequence[OperatingPoint]) -> dict[str, Any]:
    """Return the points of the curve that a picture needs.

    The operating points and the vertices of the convex hull are among them: whatever the costs
    and the prevalence, the best threshold is.
    """
    curve = roc_curve(table)
    along = curve.fp + curve.tp
    hull = hull_indices(curve.fp, curve.tp)
    chosen = np.searchsorted(along, [point.fp + point.tp for point in points])
    marked = np.unique(np.concatenate([chosen, hull]))
    rows, thinning, within = np.arange(len(curve)), "none", 0.0
    if rows.size > KEEP_ALL:
        corners = roc_curve(table, collinear="drop")
        found = np.searchsorted(along, corners.fp + corners.tp)
        rows = _distinct(np.sort(np.concatenate([found, marked]), kind="stable"))
        thinning = "collinear"
    if rows.size > KEEP_ALL:
        rows = thin(curve.fpr, curve.tpr, WITHIN, marked)
        recall, precision = curve.tpr[1:], curve.tp[1:] / along[1:]
        # As near in the graph of precision and recall, whose left end the other leaves coarse.
        rows = np.union1d(rows, 1 + thin(recall, precision, WITHIN, rows[1:] - 1, grid=0))
        thinning, within = "within", WITHIN
    return {
        "points": len(curve),
        "points_kept": int(rows.size),
        "thinning": thinning,
        "within": within,
        **_columns(curve, rows),
        "hull": np.searchsorted(rows, hull).tolist(),
    }


def _distinct(ascending: NDArray[Any]) -> NDArray[Any]:
    """Leave out repetitions; `np.unique` would hash what is in order already."""
    return np.asarray(ascending[np.append(np.True_, ascending[1:] != ascending[:-1])])


def _columns(curve: RocCurve, rows: NDArray[Any]) -> dict[str, Any]:
    names = ("threshold", "tp", "fp", "tpr", "fpr")
    return {name: plain_list(getattr(curve, name)[rows]) for name in names}


def thin(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    within: float,
    marked: NDArray[np.int64] | Sequence[int] = (),
    *,
    grid: int = GRID,
) -> NDArray[np.int64]:
    """Choose points of a polygon so that none left out is far from what is drawn.

    The first and last point, those `marked`, and one near each of `grid` steps along the
    curve stay (where nothing decreases; elsewhere ask for none); between them the farthest
    point is taken until none lies farther than `within` from the segment that replaces it
    (Douglas and Peucker, 1973).

    O(k) for each level of splitting, of which there are about log k.
    """
    along = x + y
    steps = np.linspace(along[0], along[-1], grid + 1)
    nearby = np.minimum(np.searchsorted(along, steps), x.size - 1)[: grid and None]
    fixed = np.unique(np.concatenate([nearby, [0, x.size - 1], marked])).astype(np.int64)
    kept = [fixed]
    start, end = fixed[:-1], fixed[1:]
    while start.size:
        length = end - start
        first = np.cumsum(length) - length
        at = np.arange(length.sum()) + np.repeat(start - first, length)
        far = _distance(x, y, at, np.repeat(start, length), np.repeat(end, length))
        worst = np.maximum.reduceat(far, first)
        segment = np.repeat(np.arange(start.size), length)
        hit = np.flatnonzero((far == worst[segment]) & (worst[segment] > within))
        one = np.flatnonzero(np.diff(segment[hit], prepend=-1))  # segments ascend
        which, middle = segment[hit[one]], at[hit[one]]
        kept.append(middle)
        start, end = (
            np.concatenate([start[which], middle]),
            np.concatenate([middle, end[which]]),
        )
    return np.sort(np.concatenate(kept))


def _distance(
    x: NDArray[Any], y: NDArray[Any], p: NDArray[Any], a: NDArray[Any], b: NDArray[Any]
) -> NDArray[np.float64]:
    """Distance of the points p to the segments from a to b."""
    dx, dy = x[b] - x[a], y[b] - y[a]
    px, py = x[p] - x[a], y[p] - y[a]
    square = dx * dx + dy * dy
    share = np.divide(px * dx + py * dy, square, out=np.zeros_like(square), where=square > 0)
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(np.hypot(px - share * dx, py - share * dy))


# --- the scores -------------------------------------------------------------------------------


def histogram(table: ScoreTable) -> dict[str, Any] | None:
    """Count each class in at most `MAX_BINS` bins of a round width; None without a finite score.

    A bin holds its lower edge, the last bin both. Bins cover all finite scores, or, where a few
    lie so far out that nothing else would be seen, the middle 99 % of both classes; the rest
    is counted below and above, infinite scores apart.
    """
    score = table.score.astype(np.float64)
    finite = np.isfinite(score)
    if not finite.any():
        return None
    up = slice(None, None, -1 if table.higher_is_positive else 1)
    values, pos, neg = (column[finite][up] for column in (score, table.pos, table.neg))
    low, high = _range(values, _share(pos, table.n_pos) + _share(neg, table.n_neg))
    edges = bin_edges(low, high, _n_bins(table), whole=bool((values == np.round(values)).all()))
    inside = (values >= edges[0]) & (values <= edges[-1])
    bins = np.minimum(np.searchsorted(edges, values[inside], "right") - 1, edges.size - 2)
    counts = [np.zeros(edges.size - 1, dtype=column.dtype) for column in (pos, neg)]
    for count, column in zip(counts, (pos, neg), strict=True):
        np.add.at(count, bins, column[inside])
    parts = {
        "below": values < edges[0],
        "above": values > edges[-1],
    }
    outside = {name: _both(pos[rows], neg[rows]) for name, rows in parts.items()}
    for name, infinity in (("minus_infinity", -np.inf), ("infinity", np.inf)):
        outside[name] = _both(table.pos[score == infinity], table.neg[score == infinity])
    return {
        "edges": plain_list(edges),
        "pos": plain_list(counts[0]),
        "neg": plain_list(counts[1]),
        "pos_share": plain_list(_share(counts[0], table.n_pos)),
        "neg_share": plain_list(_share(counts[1], table.n_neg)),
        "outside": outside,
    }


def _both(pos: NDArray[Any], neg: NDArray[Any]) -> dict[str, Any]:
    return {"pos": pos.sum().item(), "neg": neg.sum().item()}


def _share(part: NDArray[Any], whole: float) -> NDArray[np.float64]:
    return part / whole if whole else np.zeros(part.shape)


def _n_bins(table: ScoreTable) -> int:
    """Let bins grow with the cube root of the cases: few do not fill many."""
    n = sum(table.n_eff)
    return int(np.clip(np.ceil(3 * np.cbrt(n)), 12, MAX_BINS))


def _range(values: NDArray[np.float64], mass: NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of the values, or of their middle 99 % if that is a small part of them."""
    low, high = float(values[0]), float(values[-1])
    reached = np.cumsum(mass)
    ends = np.searchsorted(reached, np.array([0.005, 0.995]) * reached[-1])
    inner_low, inner_high = values[np.minimum(ends, values.size - 1)].tolist()
    if 0 < inner_high - inner_low < (high / 20 - low / 20):
        return inner_low, inner_high
    return low, high


def bin_edges(low: float, high: float, n_bins: int, *, whole: bool) -> NDArray[np.float64]:
    """Edges at multiples of a round width; around whole numbers where there are few of them."""
    if low == high:
        half = 0.5 if abs(low) < 2**50 else abs(low) / 100
        return np.array([low - half, low + half])
    if whole and high - low < n_bins:
        return np.arange(low - 0.5, high + 1)
    unit, decimals = _round_width(low, high, n_bins)
    if not unit > 0 or abs(low) / unit > 2**50 or abs(high) / unit > 2**50:
        share = np.linspace(0, 1, n_bins + 1)  # too wide or too narrow for round numbers
        return np.unique(low * (1 - share) + high * share)
    first, last = np.floor(low / unit), np.ceil(high / unit)
    edges = np.arange(first, last + 1) * unit
    edges = np.round(edges, decimals) if decimals > 0 else edges
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return edges


def _round_width(low: float, high: float, n_bins: int) -> tuple[float, int]:
    """Return the smallest of 1, 2, 2.5, 5 times a power of ten that needs few enough bins."""
    span = high - low
    if not 1e-290 < span < np.inf:
        return 0.0, 0
    power = int(np.floor(np.log10(span / n_bins)))
    for exponent in (power, power + 1, power + 2):
        for factor in (1.0, 2.0, 2.5, 5.0):
            unit = factor * 10.0**exponent
            if np.ceil(high / unit) - np.floor(low / unit) <= n_bins:
                return unit, max(0, 1 - exponent)
    return 0.0, 0
