"""Areas under the curve, and the single numbers beside them."""

from __future__ import annotations

from collections.abc import Iterator

from rocspace._base import text as words
from rocspace.counts.table import ScoreTable
from rocspace.curves import summaries
from rocspace.inference.area import auc_test, delong, partial_auc_estimate
from rocspace.report.drawing import drawn_interval, ranked, score_style, whisker_axis
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain, plain_estimate, plain_fields, plain_test
from rocspace.report.section import Score, Section, Summary, View, Work

PARTIAL_FPR = (0.0, 0.1)
_FURTHER = 2000  # rows of the table of scores beyond those described in full
_NUMBERS = ("youden", "eer", "closest_to_perfect")

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if score["error"] is not None:
        return {}
    fpr = PARTIAL_FPR
    standardised = plain(summaries.partial_auc(table, fpr=fpr, standardised=True))
    partial = plain_estimate(partial_auc_estimate(table, fpr=fpr), work.level)
    return {
        **area_of(table, work.level),
        **{name: plain(getattr(summaries, name)(table)) for name in _NUMBERS},
        "partial_auc": [{"fpr": list(fpr), "standardised": standardised, **partial}],
    }


def area_of(table: ScoreTable, level: float) -> View:
    """Describe the whole area, and what is read from the curve with as little work."""
    bounds = summaries.auc_bounds(table)
    return {
        "tie_chance": plain(bounds.width),
        "auc": {
            **plain_estimate(delong(table), level),
            "bounds": plain_fields(bounds, "low", "high"),
            "test": None if table.is_weighted else plain_test(auc_test(table)),
        },
        "gini": plain(summaries.gini(table)),
        "ks": plain(summaries.ks(table)),
    }


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = ranked(summary)
    if not scores:
        return None
    ends = [score["auc"]["interval"][end] for score in scores for end in ("low", "high")]
    axis, x = whisker_axis(ends, 0.0, smallest=-3)
    return {
        **axis,
        "half": x(0.5) if axis["low"] <= 0.5 <= axis["high"] else None,
        "rows": [
            {
                "score": score,
                "style": score_style(rank),
                "anchor": f"score-{rank + 1}",
                **drawn_interval(score["auc"], x),
            }
            for rank, score in enumerate(scores)
        ],
        "tested": any(score["auc"]["test"] for score in scores),
        "further": [_further_row(each) for each in summary.get("further", ())[:_FURTHER]],
        "untold": max(len(summary.get("further", ())) - _FURTHER, 0),
    }


def _further_row(score: Score) -> View:
    """Return a score of which only the area is shown."""
    area = score["auc"]
    if area is None:
        return {"name": score["name"], "value": words.NOTHING, "interval": score["error"]}
    ends = area["interval"]["low"], area["interval"]["high"]
    value, interval = words.estimate(area["value"], *ends)
    p = words.pvalue(area["test"]["pvalue"]) if area["test"] else words.NOTHING
    return {"name": score["name"], "value": value, "interval": interval, "ks": score["ks"], "p": p}


# --- how it was made --------------------------------------------------------------------------

_HOW = """
auc: Area under the curve (AUC)
  The chance that a positive has a more positive score than a negative, a tie counting one half; an
  exact ratio of two whole numbers, rounded once.
  Source: Hanley and McNeil (1982), Radiology 143:29-36; Fawcett (2006), Pattern Recognition Letters
  27:861-874, algorithm 2
  Python: rs.auc(table)
  Shell: rocspace auc {columns}
auc.interval: Standard error and interval of the area
  DeLong's variance from the placements of each class. {interval} At an area of 0 or 1 Hoeffding's
  bound replaces it, so that it never shrinks to a point.{effective}
  Source: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Sun and Xu (2014), IEEE
  Signal Processing Letters 21:1389-1393; Hoeffding (1963), JASA 58:13-30
  Measured: At level 0.95 it covers in 93.7 to 100.0 percent of samples, over 397 populations and
  sizes from 5 + 5 cases, yes/no tests among them; value ± 1.96 se in 46 to 100.
  Python: rs.delong(table).interval({level})
  Shell: rocspace auc {columns}{at_level}
auc.bounds: Bounds of the area
  The area if all ties between the classes were broken for the negatives, or for the positives. The
  bounds differ by the probability of a tie.
  Source: Fawcett (2006), Pattern Recognition Letters 27:861-874, section 5
  Python: rs.auc_bounds(table)
auc.test: Test of the area against one half
  Mann-Whitney-Wilcoxon test with the variance under the null hypothesis, corrected for ties, normal
  approximation; two-sided. With weights there is none: auc_test must be told what they mean.
  Source: Mann and Whitney (1947), Annals of Mathematical Statistics 18:50-60
  Measured: Of true hypotheses 3.6 to 6.1 percent are rejected at 0.05, over 12 situations from 5 +
  5 cases.
  Python: rs.auc_test(table)
partial_auc: Partial area up to a false positive rate of 0.1
  The area under the curve for false positive rates from 0 to 0.1; standardised, 1/2 is chance and 1
  perfect. Its interval comes from placements.
  Source: McClish (1989), Medical Decision Making 9:190-195; He and Escobar (2008), Statistics in
  Medicine 27:5291-5308
  Measured: At level 0.95 the interval covers in 94.3 to 100.0 percent of samples, over 72
  situations from 5 + 50 cases and with 10 + 10,000.
  Python: rs.partial_auc(table, fpr=(0, 0.1)), rs.partial_auc(table, fpr=(0, 0.1),
  standardised=True)
gini: Gini coefficient
  Twice the area minus one; also Somers' D.
  Source: Hanley and McNeil (1982), Radiology 143:29-36
  Python: rs.gini(table)
ks: Kolmogorov-Smirnov distance
  The largest absolute difference of the two rates over all thresholds.
  Source: Kolmogorov (1933); Smirnov (1948)
  Python: rs.ks(table)
youden: Youden index J
  The largest tpr - fpr. Chosen and measured on the same cases it is optimistic.
  Source: Youden (1950), Cancer 3:32-35
  Python: rs.youden(table)
eer: Equal error rate
  Where false positive and false negative rate are equal, linear between points.
  Source: Martin et al. (1997), Eurospeech, 1895-1898
  Python: rs.eer(table)
closest_to_perfect: Distance to the perfect point
  The distance of the nearest point of the curve to fpr 0, tpr 1.
  Source: Perkins and Schisterman (2006), American Journal of Epidemiology 163:670-675
  Python: rs.closest_to_perfect(table)
"""
_OF_COUNTS = (
    "The interval allows in each class for half a case that was not seen, at the far end of the "
    "scale, and for a whole one in a class whose cases all rank alike (our own)."
)
_OF_WEIGHTS = (
    "The interval allows in each class for half a case that was not seen and, where weights vary, "
    "for one of the largest weight (our own)."
)
_EFFECTIVE = " With weights, effective sizes (sum w)^2 / sum w^2 take the place of counts."


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    weighted = any(score["weighted"] for score in summary["scores"])
    interval, effective = (_OF_WEIGHTS, _EFFECTIVE) if weighted else (_OF_COUNTS, "")
    return entries(_HOW, shell, interval=interval, effective=effective)


SECTION = Section("areas", _view, of_score=_of_score, methods=_methods)
