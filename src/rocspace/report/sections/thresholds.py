"""Each score by itself: its operating points, and the distribution of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base import text as words
from rocspace._base.arrays import Array, Vector
from rocspace._base.text import number, threshold
from rocspace.counts.table import ScoreTable
from rocspace.inference.rates import (
    PointRate,
    RateMethod,
    RatioMethod,
    likelihood_ratio_interval,
    point_interval,
)
from rocspace.measures import rates as measures
from rocspace.measures.criteria import Criterion
from rocspace.operating.points import optimal_points, point_at_fpr, point_at_tpr
from rocspace.report import drawing
from rocspace.report.drawing import Spec, by_rank, field, fields, layer, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_fields, plain_list
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.results.interval import Interval
from rocspace.results.point import OperatingPoint

Share: TypeAlias = Literal["tpr", "fpr", "tnr", "fnr", "ppv", "npv"]
Ratio: TypeAlias = Literal["positive", "negative", "odds"]
MAX_TIED = 10
_BEST: tuple[Criterion, ...] = ("youden", "closest")
_SHARES: tuple[Share, ...] = ("tpr", "fpr", "tnr", "fnr", "ppv", "npv")
_RATIOS: dict[str, Ratio] = {
    "lr_positive": "positive",
    "lr_negative": "negative",
    "diagnostic_odds_ratio": "odds",
}
_OF_ALL: tuple[PointRate, ...] = (
    *("accuracy", "balanced_accuracy", "f_score", "informedness", "predicted_positive_rate"),
)
_MEASURES = (*_OF_ALL, "matthews")

MAX_BINS = 60

# --- operating points -------------------------------------------------------------------------

Chosen: TypeAlias = tuple[OperatingPoint, str, float | None, int]
"""A point, its kind, the rate that was asked for, and how many points are equally good."""


def operating_points(table: ScoreTable, work: Work) -> list[Chosen]:
    """Return the points that every report lists: the best, and those at fixed rates."""
    found: list[Chosen] = []
    for kind in _BEST:
        best = optimal_points(table, criterion=kind)
        found += [(point, kind, None, len(best)) for point in best[:MAX_TIED]]
    found += [(point_at_fpr(table, target), "fpr", target, 1) for target in work.fpr]
    found += [(point_at_tpr(table, target), "tpr", target, 1) for target in work.tpr]
    return found


def described_point(
    point: OperatingPoint,
    kind: str,
    target: float | None,
    tied: int,
    level: float,
    *,
    method: RateMethod = "clopper-pearson",
    ratio_method: RatioMethod = "mover",
) -> dict[str, Any]:
    """Describe an operating point: its counts, its rates with intervals, its measures."""
    shares, measured = (
        {name: point_interval(point, name, level=level, method=method) for name in names}
        for names in (_SHARES, _OF_ALL)
    )
    ratios = {
        name: likelihood_ratio_interval(
            point, which, level=level, method=_method_of(which, ratio_method)
        )
        for name, which in _RATIOS.items()
    }
    return {
        "kind": kind,
        "target": plain(target),
        "tied": tied,
        "criterion": point.criterion,
        "threshold": plain(point.threshold),
        "threshold_text": threshold(point.threshold, point.next_score),
        **plain_fields(point, "next_score", "tp", "fp", "fn", "tn"),
        "rates": {
            name: _rate(point, name, each) for name, each in (shares | ratios | measured).items()
        },
        "measures": {name: _measure(point, name) for name in _MEASURES},
    }


def _method_of(ratio: Ratio, method: RatioMethod) -> RatioMethod | None:
    """Return the method of a ratio: of odds the textbook's if asked for, else the default."""
    return method if ratio != "odds" or method == "log" else None


def _measure(point: OperatingPoint, name: str) -> Any:
    return plain(getattr(measures, name)(point))


def _rate(point: OperatingPoint, name: str, interval: Interval) -> dict[str, Any]:
    with np.errstate(divide="ignore", invalid="ignore"):
        value = _measure(point, name)
    return {"value": value, **plain_fields(interval, "low", "high", "method")}


# --- where the scores lie ---------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    return {"histogram": histogram(table)}


def histogram(table: ScoreTable) -> dict[str, Any] | None:
    """Count each class in at most `MAX_BINS` bins of a round width; None without a finite score.

    A bin contains its lower edge, the last bin both. Bins cover all finite scores, or, where a few
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
    parts = {"below": values < edges[0], "above": values > edges[-1]}
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


def _both(pos: Array, neg: Array) -> dict[str, Any]:
    return {"pos": pos.sum().item(), "neg": neg.sum().item()}


def _share(part: Array, whole: float) -> Vector:
    return part / whole if whole else np.zeros(part.shape)


def _n_bins(table: ScoreTable) -> int:
    """Let the number of bins grow with the cube root of the cases: few cases do not fill many."""
    n = sum(table.n_eff)
    return int(np.clip(np.ceil(3 * np.cbrt(n)), 12, MAX_BINS))


def _range(values: Vector, mass: Vector) -> tuple[float, float]:
    """Return the ends of the values, or of their middle 99 % if that is a small part of them."""
    low, high = float(values[0]), float(values[-1])
    reached = np.cumsum(mass)
    ends = np.searchsorted(reached, np.array([0.005, 0.995]) * reached[-1])
    inner_low, inner_high = values[np.minimum(ends, values.size - 1)].tolist()
    if 0 < inner_high - inner_low < (high / 20 - low / 20):
        return inner_low, inner_high
    return low, high


def bin_edges(low: float, high: float, n_bins: int, *, whole: bool) -> Vector:
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


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View:
    ranks = by_rank(summary)
    # Best first, and those without numbers at the end.
    order = sorted(summary["scores"], key=lambda score: ranks.get(score["name"], len(ranks)))
    return {
        "scores": [_score(score, ranks[score["name"]]) for score in order if not score["error"]],
        "failed": [score for score in order if score["error"]],
    }


def _score(score: Score, rank: int) -> View:
    named = {"of": score, "anchor": f"score-{rank + 1}", "style": score_style(rank)}
    return named | {"sign": "≤" if score["direction"] == "lower" else "≥"}


def _charts(summary: Summary) -> dict[str, Spec]:
    return {
        f"score-{rank + 1}": histogram_chart(score, rank)
        for rank, score in enumerate(ranked(summary))
        if score["histogram"] is not None
    }


def histogram_chart(score: Mapping[str, Any], rank: int) -> Spec:
    """Specify the distribution of one score: positives upward, negatives downward."""
    bins = _bin_rows(score)
    edges = score["histogram"]["edges"]
    top = max((row["up"] for row in bins), default=0) or 1
    low = min((row["down"] for row in bins), default=0) or -1
    across = drawing.axis(
        "from", "Score", edges[0], edges[-1], grid=False, tickCount=8, labelFlush=False
    )
    wide = {"x": across, **fields(x2="to")}
    share = {
        "scale": {"domain": [low * 1.02, top * 1.16], "nice": False},
        "title": "Share of class",
        "axis": {
            "tickCount": 5,
            "labelExpr": f"format(abs(datum.value), '.{0 if top - low > 0.1 else 1}~%')",
            "minExtent": 44,
            "maxExtent": 44,
        },
    }
    up = {**wide, "y": field("up", "y", **share), "y2": {"datum": 0}}
    down = {**wide, **fields(y="down"), "y2": {"datum": 0}}
    told = [field(name) for name in ("score", "positives", "negatives")]
    hover = {**wide, "y": {"datum": top}, "y2": {"datum": low}, "tooltip": told}
    named = {**fields(x="x", text="label"), "y": {"value": 0}}
    text: Spec = {"align": "left", "baseline": "top", "dx": 5, "dy": 1, "fontSize": 12}
    ink: Spec = {"color": "var(--ink)"}
    layers = [
        layer("bins", "bar", up, color=drawing.colour(rank), binSpacing=1, minBandSize=1),
        layer("bins", "bar", down, color="var(--negative)", binSpacing=1),
        layer([{"y": 0}], "rule", fields(y="y"), color="var(--rule)", strokeWidth=1),
        layer("rule", "rule", fields(x="x"), **ink, strokeWidth=1),
        layer("rule", "text", named, **text, **ink),
        layer("bins", "rect", hover, opacity=0),
    ]
    return drawing.chart(layers, {"bins": bins, "rule": _rule_rows(score, edges)}, 560, 210)


def _bin_rows(score: Mapping[str, Any]) -> list[dict[str, Any]]:
    shown = score["histogram"]
    edges = words.distinct(shown["edges"])
    return [
        {
            "from": shown["edges"][i],
            "to": shown["edges"][i + 1],
            "up": shown["pos_share"][i],
            "down": -shown["neg_share"][i],
            "score": f"{edges[i]} to {edges[i + 1]}",
            **{
                name: f"{words.count(shown[key][i])} ({words.percent(shown[f'{key}_share'][i])})"
                for name, key in (("positives", "pos"), ("negatives", "neg"))
            },
        }
        for i in range(len(shown["pos"]))
    ]


def _rule_rows(score: Mapping[str, Any], edges: Sequence[float]) -> list[dict[str, Any]]:
    """Return the first threshold of the best Youden index, if it is in the picture."""
    first = next((p for p in score["operating_points"] if p["kind"] == "youden"), None)
    if first is None or not edges[0] <= number(first["threshold"]) <= edges[-1]:
        return []
    x = _among_bars(edges, number(first["threshold"]), number(first["next_score"]))
    return [{"x": x, "label": f"Youden {first['threshold_text']}"}]


def _among_bars(edges: Sequence[float], threshold: float, beyond: float) -> float:
    """Return where a threshold is drawn: at the nearest edge that divides the cases alike, if any.

    A bar holds its lower edge. The script of the explorer does the same for any threshold.
    """
    low, high = sorted((threshold, beyond))
    alike = [edge for edge in edges[:-1] if low < edge <= high]
    return min(alike, key=lambda edge: abs(edge - threshold), default=threshold)


# --- how it was made --------------------------------------------------------------------------

_HOW = """
operating_points.youden: Threshold of the largest Youden index
  All thresholds that tie for the largest tpr - fpr, by exact fractions; and all that tie for the
  smallest distance to fpr 0, tpr 1.
  Source: Youden (1950), Cancer 3:32-35; Perkins and Schisterman (2006), American Journal of
  Epidemiology 163:670-675
  Python: {best}
  Shell: rocspace at {columns} --threshold THRESHOLD
operating_points.fpr: Threshold at a fixed false positive rate
  The threshold with the largest tpr of those whose fpr is at most the rate asked for; nothing is
  interpolated.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874
  Python: rs.point_at_fpr(table, {fpr!r})
  Shell: rocspace at {columns} --threshold THRESHOLD
operating_points.tpr: Threshold at a fixed true positive rate
  The threshold with the smallest fpr of those whose tpr is at least the rate asked for; nothing is
  interpolated.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874
  Python: rs.point_at_tpr(table, {tpr!r})
  Shell: rocspace at {columns} --threshold THRESHOLD
operating_points.rates: Intervals of rates and predictive values
  The exact binomial interval of a share. It holds for a threshold that was fixed beforehand: for
  one chosen on the same cases it is too narrow.
  Source: Clopper and Pearson (1934), Biometrika 26:404-413; Brown, Cai and DasGupta (2001),
  Statistical Science 16:101-133
  Measured: At level 0.95 the interval of a rate covers in 95.2 to 100.0 percent of samples,
  exactly, of 5 to 1,000 cases and rates from 0.5 to 0.999, and never in less than 95.
  Python: rs.point_interval(point, "tpr", level={level})
  Shell: rocspace at {columns} --threshold THRESHOLD{at_level}
operating_points.ratios: Intervals of likelihood and odds ratios
  Of a likelihood ratio: the exact intervals of both rates, combined like the variances in Fieller's
  inequality. Of the odds ratio: mid-p limits from the distribution of the cells given their sums.
  Source: Donner and Zou (2012), Statistical Methods in Medical Research 21:347-359; for the odds
  ratio Mehta and Walsh (1992), The American Statistician
  Measured: At level 0.95, exactly, over 20 situations from 10 + 10 to 5 + 5,000 cases: the positive
  likelihood ratio's interval covers in 96.2 to 99.9 percent of samples, the negative one's in 95.9
  to 100.0; the odds ratio's, over 372 situations, in 94.3 to 100.0.
  Python: rs.inference.likelihood_ratio_interval(point, "positive", level={level})
  Shell: rocspace at {columns} --threshold THRESHOLD{at_level}
histogram: Distribution of the scores
  The share of each class in bins of one round width; a bin holds its lower edge. A threshold is
  drawn at the edge of a bar where that divides the cases alike, as 3.5 does ratings from 4 on.
  Python: rs.report.summarise({{"score": table}})["scores"][0]["histogram"]
"""
_BEST_CALLS = ", ".join(f'rs.optimal_points(table, criterion="{name}")' for name in _BEST)


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    asked = {kind: summary["settings"][kind] for kind in ("fpr", "tpr")}
    first = {kind: rates[0] if rates else None for kind, rates in asked.items()}
    for entry in entries(_HOW, shell, best=_BEST_CALLS, **first):
        if asked.get(entry["id"].rpartition(".")[2], True):
            yield entry


SECTION = Section(
    "thresholds", _view, "Thresholds", of_score=_of_score, charts=_charts, methods=_methods
)
