"""Areas under the curve, and the single numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocspace._base import text as words
from rocspace.counts.table import ScoreTable
from rocspace.curves.summaries import (
    auc_bounds,
    closest_to_perfect,
    eer,
    gini,
    ks,
    partial_auc,
    youden,
)
from rocspace.inference.area import auc_test, delong, partial_auc_estimate
from rocspace.report.drawing import ranked, score_style, whisker_axis
from rocspace.report.explained import Entry, Shell, entry
from rocspace.report.plain import plain, plain_estimate, plain_test
from rocspace.report.section import Score, Section, Summary, View, Work

_HANLEY = "Hanley and McNeil (1982), Radiology 143:29-36"
FAWCETT = "Fawcett (2006), Pattern Recognition Letters 27:861-874"
_DELONG = (
    "DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Sun and Xu (2014), IEEE "
    "Signal Processing Letters 21:1389-1393; Hoeffding (1963), JASA 58:13-30"
)
_MANN = "Mann and Whitney (1947), Annals of Mathematical Statistics 18:50-60"
YOUDEN = "Youden (1950), Cancer 3:32-35"
PERKINS = "Perkins and Schisterman (2006), American Journal of Epidemiology 163:670-675"
_PARTIAL = (
    "McClish (1989), Medical Decision Making 9:190-195; He and Escobar (2008), Statistics in "
    "Medicine 27:5291-5308"
)
_MARTIN = "Martin et al. (1997), Eurospeech, 1895-1898"

PARTIAL_FPR = (0.0, 0.1)

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if score["error"] is not None:
        return {}
    return {
        "tie_chance": plain(auc_bounds(table).width),
        "auc": _auc(table, work.level),
        "gini": plain(gini(table)),
        "ks": plain(ks(table)),
        "youden": plain(youden(table)),
        "eer": plain(eer(table)),
        "closest_to_perfect": plain(closest_to_perfect(table)),
        "partial_auc": [_partial(table, PARTIAL_FPR, work.level)],
    }


def _auc(table: ScoreTable, level: float) -> dict[str, Any]:
    bounds = auc_bounds(table)
    return {
        **plain_estimate(delong(table), level),
        "bounds": {"low": plain(bounds.low), "high": plain(bounds.high)},
        "test": None if table.is_weighted else plain_test(auc_test(table)),
    }


def _partial(table: ScoreTable, fpr: tuple[float, float], level: float) -> dict[str, Any]:
    return {
        "fpr": list(fpr),
        "standardised": plain(partial_auc(table, fpr=fpr, standardised=True)),
        **plain_estimate(partial_auc_estimate(table, fpr=fpr), level),
    }


# --- what is shown ----------------------------------------------------------------------------


def area_texts(score: Score) -> View:
    """Return the area and its interval with as many decimals as its width is worth."""
    auc = score["auc"]
    ends = auc["interval"]
    return words.estimate(auc["value"], ends["low"], ends["high"])._asdict()


def _view(summary: Summary) -> View | None:
    scores = ranked(summary)
    if not scores:
        return None
    ends = [score["auc"]["interval"][end] for score in scores for end in ("low", "high")]
    axis, x = whisker_axis(ends, 0.0, 1.0, smallest=-3)
    return {
        **axis,
        "half": x(0.5) if axis["low"] <= 0.5 <= axis["high"] else None,
        "rows": [_area_row(score, rank, x) for rank, score in enumerate(scores)],
        "tested": any(score["auc"]["test"] for score in scores),
    }


def _area_row(score: Score, rank: int, x: Any) -> View:
    auc = score["auc"]
    partial = score["partial_auc"][0]
    return {
        "name": score["name"],
        "style": score_style(rank),
        "anchor": f"score-{rank + 1}",
        **area_texts(score),
        "x": x(auc["value"]),
        "low": x(auc["interval"]["low"]),
        "high": x(auc["interval"]["high"]),
        "gini": words.share(score["gini"]),
        "ks": words.share(score["ks"]),
        "eer": words.share(score["eer"]),
        "partial": words.share(partial["standardised"]),
        "pvalue": words.pvalue(auc["test"]["pvalue"]) if auc["test"] else words.NOTHING,
    }


# --- how it was made --------------------------------------------------------------------------


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    level = summary["settings"]["level"]
    weighted = any(score["weighted"] for score in summary["scores"])
    yield entry(
        "auc",
        "Area under the curve (AUC)",
        "The chance that a positive has a more positive score than a negative, a tie counting "
        "one half; an exact ratio of two whole numbers, rounded once.",
        f"{_HANLEY}; {FAWCETT}, algorithm 2",
        "rs.auc(table)",
        shell("auc"),
    )
    effective = (
        " With weights, effective sizes (sum w)^2 / sum w^2 take the place of counts."
        if weighted
        else ""
    )
    interval = (
        "The interval is Wilson's, with a standard error that leans on a model of the scores."
        if weighted
        else "The interval allows in each class for half a case that was not seen, at the far end "
        "of the scale (our own)."
    )
    yield entry(
        "auc.interval",
        "Standard error and interval of the area",
        f"DeLong's variance from the placements of each class. {interval} At an area of 0 or 1 "
        f"Hoeffding's bound takes its place and never is a point.{effective}",
        _DELONG,
        f"rs.delong(table).interval({level:g})",
        shell("auc", shell.level),
        measured=(
            "At level 0.95 it covers in 92.8 to 100.0 percent of samples, over 397 populations and "
            "sizes from 5 + 5 cases, yes/no tests among them; value ± 1.96 se in 46 to 100."
        ),
    )
    yield from _other_areas(shell)
    yield from _single_numbers(shell)


def _other_areas(shell: Shell) -> Iterator[Entry]:
    yield entry(
        "auc.bounds",
        "Bounds of the area",
        "The area if every tie between the classes were lost, or won. They differ by the chance "
        "of a tie.",
        f"{FAWCETT}, section 5",
        "rs.auc_bounds(table)",
        shell.numbers,
    )
    yield entry(
        "auc.test",
        "Test of the area against one half",
        "Mann-Whitney-Wilcoxon test with the variance under the null hypothesis, corrected for "
        "ties, normal approximation; two-sided. With weights there is none here: auc_test asks "
        "what they are.",
        _MANN,
        "rs.auc_test(table)",
        shell.numbers,
        measured=(
            "Of true hypotheses 3.6 to 6.1 percent are rejected at 0.05, over 12 situations from 5"
            " + 5 cases."
        ),
    )
    yield entry(
        "partial_auc",
        "Partial area up to a false positive rate of 0.1",
        "The area under the curve for false positive rates from 0 to 0.1; standardised, 1/2 is "
        "chance and 1 perfect. Its interval comes from placements.",
        _PARTIAL,
        "rs.partial_auc(table, fpr=(0, 0.1)), "
        "rs.partial_auc(table, fpr=(0, 0.1), standardised=True)",
        shell.numbers,
        measured=(
            "At level 0.95 the interval covers in 93.5 to 100.0 percent of samples, over 72 "
            "situations from 5 + 50 cases and with 10 + 10,000."
        ),
    )


def _single_numbers(shell: Shell) -> Iterator[Entry]:
    rows = {
        "gini": ("Gini coefficient", "Twice the area minus one; also Somers' D.", _HANLEY),
        "ks": (
            "Kolmogorov-Smirnov distance",
            "The largest absolute difference of the two rates over all thresholds.",
            "Kolmogorov (1933); Smirnov (1948)",
        ),
        "youden": (
            "Youden index J",
            "The largest tpr - fpr. Chosen and measured on the same cases it is optimistic.",
            YOUDEN,
        ),
        "eer": (
            "Equal error rate",
            "Where false positive and false negative rate are equal, linear between points.",
            _MARTIN,
        ),
        "closest_to_perfect": (
            "Distance to the perfect point",
            "The distance of the nearest point of the curve to fpr 0, tpr 1.",
            PERKINS,
        ),
    }
    for key, (name, sentence, citation) in rows.items():
        yield entry(key, name, sentence, citation, f"rs.{key}(table)", shell.numbers)


SECTION = Section(name="areas", view=_view, of_score=_of_score, methods=_methods)
