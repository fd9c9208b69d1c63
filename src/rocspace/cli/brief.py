"""The brief form of JSON: on one line, the keys that a table would show, named as in the full form.

What reads the full form reads the brief one, too: nothing is renamed or moved, only left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocspace._base.text import json_line

_ENDS = ("value", "interval.low", "interval.high")
_MARGIN = ("margin", "first_not_worse.pvalue", "second_not_worse.pvalue", "equivalence")


def _under(key: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{key}.{name}" for name in names)


_AREA = _under("scores[].auc", *_ENDS, "test.pvalue")
_GATE = _under("gate", "fail_below", "passed")
_RATES = ("tpr", "fpr", "ppv", "npv")

# The keys of each schema; a key without its own entries stands for all below it.
BRIEF: dict[str, tuple[str, ...]] = {
    "areas": (
        *_under("scores[]", "name", "value", "low", "high", "exact", "n_cases", "n_pos"),
        *_GATE,
    ),
    "average": (
        *_under("settings", "level", "method"),
        *_under("scores[]", "name", "pooled_auc"),
        *_under("scores[].mean_auc", *_ENDS),
    ),
    "bands": _under("scores[]", "name", "method", "level", "simultaneous", "area"),
    "choice": (
        "rule.text",
        *_under("expected", "cases", "tp", "fp", "fn", "tn"),
        *(f"rates.{rate}.{end}" for rate in _RATES for end in ("value", "low", "high")),
        *_under("cost_per_case", "value", "low", "high"),
        *_under("smoothed", "degrees", "value"),
    ),
    "choices": (
        "by",
        *_under("groups[]", "group", "rule.text"),
        *_under("groups[].expected", "cases", "tp", "fp", "fn", "tn"),
        *(f"groups[].rates.{rate}.{end}" for rate in _RATES for end in ("value", "low", "high")),
        *_under("groups[].cost_per_case", "value", "low", "high"),
        *_under("groups[].smoothed", "degrees", "value"),
    ),
    "class_choice": (
        "best",
        *_under("classifiers[]", "name", "weights", "corrected_cost"),
        *_under("classifiers[].cost_per_case", "value", "low", "high"),
    ),
    "class_summary": (
        *_under("classifiers[]", "name", "areas"),
        *_under("warnings[]", "code", "score"),
    ),
    "classes": ("level", *_under("classifiers[]", "name", "areas", "volumes")),
    "columns": ("file", *_under("columns[]", "name", "kind", "n", "missing", "distinct")),
    "combine": ("areas", "tried", "thinned"),
    "comparison": (
        *("level", "adjustment", "scores[].name", "overall.pvalue"),
        *_under("scores[].auc", *_ENDS),
        *_under("pairs[]", "first", "second", *_ENDS, "test.pvalue", "adjusted_pvalue"),
        *_under("pairs[].margin", *_MARGIN),
        *_under("curves[]", "first", "second", "statistic", "pvalue"),
    ),
    "comparisons": (
        *("by", "groups[].group"),
        *_under("groups[].comparison", "level", "adjustment", "scores[].name", "overall.pvalue"),
        *_under("groups[].comparison.scores[].auc", *_ENDS),
        *_under("groups[].comparison.pairs[]", "first", "second", *_ENDS, "test.pvalue"),
        *_under("groups[].comparison.pairs[]", "adjusted_pvalue"),
        *_under("groups[].comparison.pairs[].margin", *_MARGIN),
    ),
    "curve": _under("scores[]", "name", "n_pos", "n_neg", "direction"),
    "datasets": _under("datasets[]", "name", "rows", "positives", "scores"),
    "design": ("about", "n_pos", "n_neg", "power", "power_se", "half_width", "level"),
    "estimates": (
        "settings.level",
        *_under("scores[]", "group", "name", "n", "n_pos", "standardised", "gini", "ks"),
        *_AREA,
        *_under("equality[]", "name", "pvalue"),
        *_GATE,
    ),
    "fit": (
        *_under("scores[]", "name", "chosen"),
        *_under("scores[].models[]", "model", "aic", "distance", "log_score", "flags", "failure"),
        *_under("scores[].models[].auc", *_ENDS),
    ),
    "granular": _under("scores[]", "name", "auc", "delta", "auc_low", "auc_high"),
    "hull": ("area", "areas", "vertices[].text", "vertices[].fpr", "vertices[].tpr"),
    "ordered": (
        *("level", "scores[].name"),
        *_under("scores[].vus", *_ENDS),
        *_under("scores[].hand_till", *_ENDS),
    ),
    "ordered_summary": (
        *("scores[].name", "warnings[].code", "warnings[].score"),
        *_under("scores[].vus", *_ENDS),
    ),
    "points": (
        *("settings.level", "scores[].name"),
        *_under("scores[].operating_points[]", "kind", "target", "threshold", "tp", "fp"),
        *_under("scores[].operating_points[]", "fn", "tn"),
        *(
            f"scores[].operating_points[].rates.{rate}.{end}"
            for rate in _RATES
            for end in ("value", "low", "high")
        ),
        *_under("scores[].on_curve[]", "rate", "at", "value", "low", "high"),
    ),
    "covariates": (
        *("cases", "positives", "settings.level", "settings.covariates", "scores[].name"),
        *_under("scores[].pooled", *_ENDS),
        *_under("scores[].adjusted", *_ENDS),
        *_under("scores[].depends[]", "covariate", "test.pvalue"),
        *_under("scores[].by[]", "at", "threshold", "together", *_ENDS),
        *_under("differences[]", "first", "second", "test.pvalue", *_ENDS),
    ),
    "survival": (
        *("cases", "events", "settings.level", "scores[].name"),
        *_under("scores[].times[]", "time", "with_event", "without", "together"),
        *_under("scores[].times[].estimate", *_ENDS),
        *_under("differences[]", "first", "second", "times[].time", "times[].test.pvalue"),
        *_under("differences[].times[].estimate", *_ENDS),
    ),
    "verification": (
        *("cases", "verified", "settings.level", "settings.method", "scores[].name"),
        *_under("scores[].auc", *_ENDS),
        *_under("scores[].verified_alone", *_ENDS),
        *_under("differences[]", "first", "second", *_ENDS, "test.pvalue"),
    ),
    "noise": (
        *("level", "wrong_positives", "wrong_negatives"),
        *_under("scores[]", "name", "low", "high", "interval.low", "interval.high", "clipped"),
    ),
    "posterior": (
        *("cases", "positives", "settings.level", "settings.above", "settings.region"),
        *_under("scores[]", "name", "mean", "interval.low", "interval.high", "above"),
        *_under("differences[]", "first", "second", "mean", "interval.low", "interval.high"),
        *_under("differences[]", "better", "region.inside", "region.decision"),
    ),
    "bootstrap": (
        *("cases", "positives", "settings.level", "scores[].name", "scores[].thresholds"),
        *_under("scores[].statistics[]", "statistic", "value", "interval.low", "interval.high"),
        *_under("differences[]", "first", "second", "statistic", *_ENDS, "test.pvalue"),
    ),
    "ranking": (
        *("level", "adjustment", "found"),
        *_under("columns", "name", "auc", "low", "high", "direction", "adjusted_pvalue"),
    ),
    "selection": ("scores", *_under("measures[]", "measure", "chosen", "tied")),
    "summary": (
        *_under("settings", "level"),
        *_under("scores[]", "name", "direction", "n", "n_pos", "gini", "ks"),
        *_AREA,
        *_under("warnings[]", "code", "score"),
        *_GATE,
    ),
}
_ALWAYS = ("schema", "source.file")


def brief_json(described: dict[str, Any]) -> str:
    """Return the brief form of a result on one line."""
    return json_line(brief_of(described))


def brief_of(described: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is not in the brief form, and say that it is one."""
    keep = frozenset((*_ALWAYS, *kept_of(described["schema"])))
    found = dict(_items(described, "", keep))
    return {"schema": described["schema"], "brief": True} | found


def kept_of(schema: str) -> tuple[str, ...]:
    """Return the keys of the brief form of a schema such as ``rocspace.summary/1``."""
    return BRIEF[schema.partition(".")[2].partition("/")[0]]


def _kept(value: Any, name: str, keep: frozenset[str]) -> Any:
    if name in keep:
        return value
    if isinstance(value, list):
        return [_kept(each, f"{name}[]", keep) for each in value]
    if isinstance(value, dict):
        return dict(_items(value, name, keep))
    return value


def _items(value: dict[str, Any], name: str, keep: frozenset[str]) -> Iterator[tuple[str, Any]]:
    for key, each in value.items():
        inner = f"{name}.{key}".lstrip(".")
        if inner in keep or any(k.startswith((f"{inner}.", f"{inner}[]")) for k in keep):
            yield key, _kept(each, inner, keep)
