"""The same cases, score against score: areas, curves, and costs."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base import text as words
from rocspace._base.text import number
from rocspace.bands.difference import difference_band, differing
from rocspace.compare.areas import compare_aucs
from rocspace.costs.comparison import relative_superiority
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.curves.summaries import auc
from rocspace.report import drawing
from rocspace.report.drawing import PAD, PALETTE, Spec, by_rank, score_style, signed
from rocspace.report.explained import Entry, Shell, entries, pairing_code
from rocspace.report.plain import plain, plain_comparison, plain_fields, plain_list
from rocspace.report.section import More, Section, Summary, View, Work

EVERY_PAIR = 8  # of more scores than that, each is compared with the best one only
_WORK = 1e8  # cases times replicates of the difference of two curves
_MOST = 1_000_000  # most cases of which replicates are drawn

_STRIP = 480  # of the picture of ranges of costs
_PAIRS = 30  # rows of the table of differences
_RATIO = 1000.0  # costs of a missed positive are drawn from 1/1000 to 1000 false positives
_RANGES = 12  # ranges of costs in words

# --- numbers ----------------------------------------------------------------------------------


def _of_all(summary: Summary, work: Work) -> View:
    data = work.data
    if data is None or len(data.names) < 2 or any(score["error"] for score in summary["scores"]):
        return {}
    return {"comparison": _comparison(data, work.tables, work.level, work.more or More())}


def _comparison(
    data: PairedScores, tables: Mapping[str, ScoreTable], level: float, more: More
) -> dict[str, Any]:
    """Compare the scores of the same cases: areas, the two best curves, and costs."""
    best = sorted(data.names, key=lambda name: -auc(tables[name]))
    reference = best[0] if len(best) > EVERY_PAIR else None
    found = compare_aucs(data, reference=reference)
    return {
        **plain_comparison(found, level, reference),
        "difference": _curves(data, (best[0], best[1]), level, more),
        "costs": _cheapest({name: tables[name] for name in data.names}),
    }


def _curves(
    data: PairedScores, names: tuple[str, str], level: float, more: More
) -> dict[str, Any] | None:
    """Return the difference of two curves at false positive rates dense near 0 and 1."""
    if len(data) > _MOST:
        return None
    n = more.n_boot or int(np.clip(_WORK / len(data), 200, 1000))
    try:
        band = difference_band(
            data, *names, level=level, n_boot=n, rng=more.rng, progress=more.progress
        )
    except ValueError:  # too few replicates for the level, or a class too small to draw from
        return None
    at = np.sin(np.linspace(0, np.pi / 2, 101)) ** 2
    columns = {"difference": band.difference, "low": band.low, "high": band.high}
    return {
        "first": names[0],
        "second": names[1],
        **plain_fields(band, "method", "level"),
        "replicates": n,
        "seed": more.seed,
        "fpr": plain_list(at),
        **{key: plain_list(np.interp(at, band.fpr, y)) for key, y in columns.items()},
        "differs": [
            {"low": plain(low), "high": plain(high), "above": name}
            for low, high, name in differing(band)
        ],
    }


def _cheapest(tables: Mapping[str, ScoreTable]) -> dict[str, Any] | None:
    first = next(iter(tables.values()))
    prevalence = float(first.prevalence)
    found = relative_superiority(tables, prevalence=prevalence)
    merged: list[tuple[float, Sequence[str]]] = []
    for share, best in zip(found.share.tolist(), found.best, strict=False):
        if not merged or merged[-1][1] != best:
            merged.append((share, best))
    return {
        "prevalence": plain(prevalence),
        "share": [plain(share) for share, _ in merged] + [1.0],
        "best": [list(best) for _, best in merged],
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    """Return what the comparison of scores shows; None without one."""
    found = summary.get("comparison")
    if not found:
        return None
    return view_of(found, by_rank(summary), summary["settings"]["level"]) | _SAID_OF_SCORES


_SAID_OF_SCORES = {"of": "score", "what": "Difference of AUC", "area": "AUC", "both": "areas"}


def view_of(found: Mapping[str, Any], ranks: Mapping[str, int], level: float) -> View:
    """Return what a comparison shows, by the rank of each name."""
    pairs = [_best_first(pair, ranks) for pair in found["pairs"]]
    pairs.sort(key=lambda pair: (-abs(pair["value"]), ranks[pair["first"]]))
    shown = pairs[:_PAIRS]
    ends = [number(pair["interval"][end]) for pair in shown for end in ("low", "high")]
    axis, x = drawing.whisker_axis([0.0, *ends], -1.0, smallest=-6)
    return {
        **axis,
        "zero": x(0.0),
        "pairs": [_pair_row(pair, ranks, x) for pair in shown],
        "untold": len(pairs) - len(shown),
        "reference": found["reference"],
        "adjusted": len(found["pairs"]) > 1,
        "p_adjusted": words.adjusted(found["adjustment"]),
        "note": words.adjustment_note(found["adjustment"], level),
        "overall": _overall(found) if len(found["names"]) > 2 else None,
        "difference": found["difference"],
        "ranges": _ranges(found["difference"]),
        "style": score_style(0),
        "costs": _costs(found["costs"], ranks),
    }


def _best_first(pair: Mapping[str, Any], ranks: Mapping[str, int]) -> Mapping[str, Any]:
    """Return a difference as that of the better score minus the other, as charts have it."""
    if ranks[pair["first"]] <= ranks[pair["second"]]:
        return pair
    ends = pair["interval"]
    turned = {"low": -number(ends["high"]), "high": -number(ends["low"])}
    names = {"first": pair["second"], "second": pair["first"]}
    return {**pair, **names, "value": 0.0 - pair["value"], "interval": {**ends, **turned}}


def _pair_row(pair: Mapping[str, Any], ranks: Mapping[str, int], x: Any) -> View:
    r = number(pair["correlation"])
    return {
        "pair": pair,
        "style": score_style(min(ranks[pair["first"]], ranks[pair["second"]])),
        **drawing.drawn_interval(pair, x),
        "correlation": words.NOTHING if math.isnan(r) else signed(r, 2),
    }


def _overall(found: Mapping[str, Any]) -> str:
    test = words.joint_test(found["overall"].__getitem__)
    return f"That all {len(found['names'])} areas are equal: {test}."


def tested_pair(summary: Summary, names: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the comparison of two areas; None if they were not compared, or without a test.

    The difference is that of the first minus the second.
    ``p`` is adjusted as in the table of all comparisons, since the two best were chosen among them.
    """
    pairs = (summary.get("comparison") or {"pairs": ()})["pairs"]
    found = next((pair for pair in pairs if {pair["first"], pair["second"]} == set(names)), None)
    if found is None or found["test"]["pvalue"] is None:
        return None
    found = _best_first(found, {name: rank for rank, name in enumerate(names)})
    return {**found, "p": found["adjusted_pvalue"], "among": len(pairs)}


def _ranges(found: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return where two curves differ significantly, except at single points."""
    runs = found["differs"] if found else ()
    return [run for run in runs if number(run["high"]) > number(run["low"])]


def _costs(found: Mapping[str, Any] | None, ranks: Mapping[str, int]) -> View | None:
    if found is None:
        return None
    ranges = zip(found["share"][:-1], found["share"][1:], found["best"], strict=True)
    pieces = [{"low": low, "high": high, "best": best} for low, high, best in ranges]
    winners = {name for piece in pieces for name in piece["best"]}
    everybody = set(ranks)
    rows = [
        {
            "name": name,
            "style": score_style(ranks[name]),
            "pieces": _strip(pieces, name, everybody),
            "at": "; ".join(_where(piece) for piece in pieces if name in piece["best"]),
        }
        for name in sorted(winners, key=ranks.__getitem__)[:PALETTE]
    ]
    return {
        "width": _STRIP,
        "rows": [row for row in rows if row["pieces"]],
        "ticks": [{"x": _place(10.0**i), "label": _times(10.0**i)} for i in range(-3, 4)],
        "prevalence": words.percent(found["prevalence"]),
        "said": [_range_said(piece, everybody) for piece in pieces[:_RANGES]],
        "untold": max(len(pieces) - _RANGES, 0),
    }


def _ratio(share: float) -> float:
    return share / (1 - share) if share < 1 else math.inf


def _place(ratio: float) -> float:
    """Return where a ratio of costs is drawn, on a logarithmic scale."""
    inside = min(max(ratio, 1 / _RATIO), _RATIO)
    share = 0.5 + math.log(inside) / math.log(_RATIO) / 2
    return round(PAD + share * (_STRIP - 2 * PAD), 2)


def _strip(pieces: Sequence[Mapping[str, Any]], name: str, everybody: set[str]) -> list[View]:
    found = []
    for piece in pieces:
        start, end = _place(_ratio(piece["low"])), _place(_ratio(piece["high"]))
        if name in piece["best"] and end > start:
            alike = len(everybody) > 1 and set(piece["best"]) == everybody
            found.append({"x": start, "width": round(end - start, 2), "alike": alike})
    return found


def _range_said(piece: Mapping[str, Any], everybody: set[str]) -> View:
    alike = len(everybody) > 1 and set(piece["best"]) == everybody
    return {"names": [] if alike else list(piece["best"]), "at": _where(piece)}


def _where(piece: Mapping[str, Any]) -> str:
    low, high = _ratio(piece["low"]), _ratio(piece["high"])
    if low == 0:
        return "at every ratio" if high == math.inf else f"up to {_times(high)}"
    return f"{_times(low)} to {_times(high)}" if high < math.inf else f"from {_times(low)} on"


def _times(ratio: float) -> str:
    return words.general(ratio) if ratio >= 1 else f"1/{words.general(1 / ratio)}"


def _charts(summary: Summary) -> dict[str, Spec]:
    """Specify the difference of two curves in its band."""
    found = (summary.get("comparison") or {}).get("difference")
    if not found:
        return {}
    ends = [0.0, *(number(value) for key in ("low", "high") for value in found[key])]
    scale = {"domain": [min(ends) * 1.05, max(ends) * 1.05], "nice": False, "zero": True}
    look: Spec = {"scale": scale, "title": "Difference of sensitivity"}
    x = drawing.unit_axis("x", "False positive rate")
    y = drawing.field("y", "y", **look, axis={"tickCount": 5})
    between = {"x": x, "y": drawing.field("low", "y", **look), **drawing.fields(y2="high")}
    points = drawing.line_of(found, "fpr", "difference", "low", "high")
    rows = [{"x": r[0], "y": r[1], "low": r[2], "high": r[3], "i": i} for i, r in enumerate(points)]
    layers = [
        drawing.layer("difference", "area", between, color="var(--series)", opacity=0.16),
        drawing.layer([{"y": 0}], "rule", {"y": y}, color="var(--muted)"),
        drawing.line("difference", "var(--series)", drawing.in_order(x, y)),
    ]
    return {"difference": drawing.chart(layers, {"difference": rows}, 560, 230)}


# --- how it was made --------------------------------------------------------------------------

_PAIRWISE = """
comparison.pairs: Differences of areas and their tests
  DeLong's covariance of areas of the same cases as it would be under the hypothesis (as Farrington
  and Manning), with what few cases may not show (our own combination); the interval holds the
  differences that the test does not reject. p values are adjusted by {adjustment}'s method.
  Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Farrington and Manning
  (1990), Statistics in Medicine 9:1447-1454; Holm (1979), Scandinavian Journal of Statistics
  6:65-70
  Measured: In 114 situations that the method was not developed on, from 12 + 40 to 300 + 300 cases,
  the interval of level 0.95 covers in 94 percent or more of samples; the test rejects in the rest.
  Python: {pairing}
  Python: rs.compare.compare_aucs(cases{reference}).pairs
  Shell: rocspace compare {columns}{at_level}{against}
"""
_TWO_CURVES = """
comparison.difference: Difference of two curves
  The difference of the true positive rates at equal false positive rates, and a band that holds at
  all of them together, from {replicates:,} bootstrap replicates of the cases.
  Python: rs.bands.difference_band(cases, {pair}, level={level}, n_boot={replicates}, rng={seed})
  Shell: rocspace report {columns}{at_level} --json
"""
_LEAST_COSTS = """
comparison.costs: Which score costs least
  For every ratio of the two costs the score whose best threshold has the lowest expected cost at
  the prevalence of the data; from the convex hull of all curves, by exact fractions. Chosen and
  measured on the same cases.
  Source: Adams and Hand (1999), Pattern Recognition 32:1139-1147
  Python: rs.costs.relative_superiority({tables}, prevalence={prevalence!r})
  Shell: rocspace hull {columns}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    found = summary.get("comparison")
    if not found:
        return
    reference, gap, costs = (found[key] for key in ("reference", "difference", "costs"))
    yield from entries(
        _PAIRWISE,
        shell,
        adjustment=found["adjustment"].title(),
        pairing=pairing_code(summary),
        reference="" if reference is None else f", reference={reference!r}",
        against="" if reference is None else f" --reference {shlex.quote(reference)}",
    )
    if gap is not None:
        pair, drawn = f"{gap['first']!r}, {gap['second']!r}", ("replicates", "seed")
        yield from entries(_TWO_CURVES, shell, pair=pair, **{k: gap[k] for k in drawn})
    if costs is not None:
        tables = "{name: cases.table(name) for name in cases.names}"
        yield from entries(_LEAST_COSTS, shell, tables=tables, prevalence=costs["prevalence"])


SECTION = Section("compare", _view, "Compare", of_all=_of_all, charts=_charts, methods=_methods)
