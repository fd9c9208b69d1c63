"""Tables that several verbs print: of areas, and of what a threshold does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocspace._base.text import in_ascii, percent
from rocspace.cli.console import (
    count,
    estimate,
    estimate_of,
    heading,
    interval,
    interval_title,
    pvalue,
    ratio,
    table_text,
)
from rocspace.cli.options import Printing
from rocspace.cli.reading import label_is
from rocspace.counts.table import ScoreTable
from rocspace.curves.roc import RocCurve, roc_curve
from rocspace.plot.files import literal

_NAMED = 6  # scores of which something is said together
_EACH = 3  # of so many it is said one by one
_BELOW_CHANCE = "below 1/2"

_MEANT = {  # words for intervals, which are ours or are rarely met
    "unseen": "each class counts half an unseen case more, at the far end of the scale",
    "moderated": "Wilson's, with a t quantile and a moderated standard error",
    "hoeffding": "Hoeffding's bound, valid at every size; it uses no standard error",
    "ties": "the score is constant, so the limits come from the share of ties",
}
_RATES = {
    "tpr": "tpr  sensitivity, recall",
    "fpr": "fpr  false alarm rate",
    "tnr": "tnr  specificity",
    "fnr": "fnr  miss rate",
    "ppv": "ppv  precision",
    "npv": "npv",
}
MEASURES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f_score": "F1",
    "informedness": "informedness  tpr - fpr",
    "predicted_positive_rate": "called positive",
    "matthews": "Matthews correlation",
}
_RATIOS = {
    "lr_positive": "positive likelihood ratio",
    "lr_negative": "negative likelihood ratio",
    "diagnostic_odds_ratio": "diagnostic odds ratio",
}


def rate_rows(rates: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Lay out rates, ratios and measures with their intervals."""
    names = _RATES | _RATIOS | MEASURES
    return [
        (names[name], *show(rate["value"], rate["low"], rate["high"]))
        for name, rate in rates.items()
        for show in [ratio if name in _RATIOS else estimate]
    ]


def confusion_text(
    cells: Mapping[str, Any], source: Mapping[str, Any], *, corner: str = "", sums: bool = False
) -> str:
    """Lay out a confusion matrix, perhaps with the sums of its columns below."""
    tp, fp, fn, tn = (cells[name] for name in ("tp", "fp", "fn", "tn"))
    rows = [(label_is(source), tp, fn), ("all others", fp, tn)]
    rows += [("all", tp + fp, fn + tn)] * sums
    return table_text(
        (corner, "called positive", "called negative", "all"),
        [(name, *(count(snapped(n)) for n in (*ns, sum(ns)))) for name, *ns in rows],
    )


def snapped(value: float) -> float:
    """Return a whole number where only rounding keeps it from being one."""
    return round(value) if abs(value - round(value)) <= 1e-9 * max(1.0, value) else float(value)


def note_direction(names: Sequence[str], printing: Printing, *, lower: bool) -> None:
    """Say that areas are below one half, and how to turn the scores round."""
    which, how = ("higher", "leave out") if lower else ("lower", "add")
    one = len(names) == 1
    areas = "the area is" if one else "the areas are"
    option = f"--lower-is-positive {names[0]}" if one else "--lower-is-positive for each"
    turned = f"If {which} values are more positive, {how} {option}"
    printing.note(f"{_of(names)}: {areas} below 1/2. {turned}")


def _of(names: Sequence[str]) -> str:
    """List names, not more than a line of them."""
    more = f", ... ({len(names):,} in all)" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def areas_text(summary: dict[str, Any]) -> str:
    """Lay out the areas of a summary."""
    scores, source = [*summary["scores"], *summary.get("further", ())], summary["source"]
    alike = len({(count(score["n"]), count(score["n_pos"])) for score in scores}) == 1
    binned = "binned" in source["counting"].values()
    header = ["score", *([] if alike else ["cases", "positive"]), "AUC"]
    header += [interval_title(summary["settings"]["level"])]
    header += [*(["certain bounds"] if binned else []), "Gini", "KS", "p"]
    rows = []
    for score in scores:
        area = score["auc"]
        row = [score["name"], *([] if alike else [count(score["n"]), count(score["n_pos"])])]
        row += estimate_of(area)
        if binned:
            row.append(interval(area["bounds"]["low"], area["bounds"]["high"]))
        row += [score["gini"], score["ks"], pvalue(area["test"] and area["test"]["pvalue"])]
        rows.append(row)
    about = [source["file"]]
    if alike:
        first = scores[0]
        about.append(f"{count(first['n'])} cases{' by weight' if first['weighted'] else ''}")
        share = in_ascii(percent(first["prevalence"]))
        about.append(f"{count(first['n_pos'])} positive ({share})")
    about.append(label_is(source))
    if lower := [score["name"] for score in scores if score["direction"] == "lower"]:
        which = "" if len(lower) == len(scores) else f" of {', '.join(lower)}"
        about.append(f"lower{which} is positive")
    weighted = any(score["weighted"] for score in scores)
    how = methods_text([score["auc"] for score in scores], weighted=weighted)
    return f"{heading(', '.join(about))}\n\n{table_text(header, rows)}{how}"


def methods_text(areas: Sequence[Mapping[str, Any] | None], *, weighted: bool = False) -> str:
    """Name the methods of the intervals and of the tests in a table of areas, as the JSON does.

    Words that no textbook has are explained below. Of weighted cases it is told why p lacks.
    """
    found = [area for area in areas if area is not None]
    intervals = dict.fromkeys(area["interval"]["method"] for area in found)
    tests = dict.fromkeys(_test_name(area["test"]["method"]) for area in found if area["test"])
    if weighted and not tests:
        tests = {"none of weights; rocspace auc --null-area 0.5 has one, by the interval": None}
    named = [("Intervals", intervals), ("p", tests)]
    said = " ".join(f"{what}: {' or '.join(methods)}." for what, methods in named if methods)
    words = dict.fromkeys(method.rpartition(", ")[2] for method in intervals)
    meant = "".join(f"{word}: {_MEANT[word]}.\n" for word in words if word in _MEANT)
    return f"\n{heading(said)}\n{meant}" if said else ""


def _test_name(method: str) -> str:
    """Leave out how the interval is made, which is said beside it."""
    return "the interval" if method.startswith("by the interval") else method


def in_papers(found: Any, to: str, *, level: float = 0.95, caption: str = "") -> str:
    """Return a result, or records, as a table for papers."""
    from rocspace import report

    if isinstance(found, Sequence):
        found = report.records_table(found, caption=caption)
    made = {"md": report.to_markdown, "latex": report.to_latex, "html": report.to_html}
    return made[to](found, level=level).rstrip("\n") + "\n"


def draw_tables(tables: Mapping[str, ScoreTable], canvas: Any) -> Any:
    """Draw the curves of tables with their areas; return the axes."""
    return draw_curves({name: roc_curve(each) for name, each in tables.items()}, canvas)


def draw_curves(curves: Mapping[str, RocCurve], canvas: Any) -> Any:
    """Draw curves with their areas; return the axes."""
    from rocspace.plot import plot_roc

    named = {literal(name): each for name, each in curves.items()}
    return plot_roc(named, ax=canvas.subplots())


def note_warnings(summary: dict[str, Any], printing: Printing) -> None:
    """Say what a summary warns of: once of all scores, where it is the same of many."""
    lower = {score["name"] for score in summary["scores"] if score["direction"] == "lower"}
    scores_of: dict[tuple[str, bool], list[str]] = {}
    for warning in summary["warnings"]:
        name = warning["score"]
        if warning["code"] == "below_chance":
            scores_of.setdefault((_BELOW_CHANCE, name in lower), []).append(name)
        elif warning["code"] not in (
            "dropped_rows",
            "left_out",
            "looks_like_id",
        ):  # that has been said
            named = scores_of.setdefault((warning["message"], False), [])
            named += [] if name is None else [name]
    for (message, turned), names in scores_of.items():
        for some in [names] if len(names) > _EACH or not names else [[name] for name in names]:
            if message == _BELOW_CHANCE:
                note_direction(some, printing, lower=turned)
            else:
                printing.note(f"{_of(some)}: {message}" if some else message)
