"""Smooth curves: a few models over the empirical curve, folded until the reader opens them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rocspace._base import text as words
from rocspace.counts.table import ScoreTable
from rocspace.models.choosing import compare_models
from rocspace.report.drawing import line_of, ranked, score_style
from rocspace.report.explained import Entry, Shell, entries
from rocspace.report.plain import plain_models
from rocspace.report.section import Score, Section, Summary, View, Work
from rocspace.report.shapes import light_line
from rocspace.results.curve import line_of as points_of

_MOST = 20_000  # with more distinct scores nobody needs a smooth curve, and fits take long
_SIDE = 300  # of a picture, in pixels

# --- numbers ----------------------------------------------------------------------------------


def _of_score(score: Score, table: ScoreTable, work: Work) -> View:
    if work.more is None or score["error"] is not None or len(table) > _MOST:
        return {}
    more = work.more
    found = compare_models(table, n_folds=0, n_sim=more.n_sim, rng=more.rng, progress=more.progress)
    described = plain_models(found, work.level)["models"]
    for each in described:
        fit = found.fits.get(each["model"])
        line = None if fit is None else points_of(fit)
        each["curve"] = None if line is None else light_line(line.x, line.y)
        test = each["goodness"]
        each["goodness"] = test and test["pvalue"]
        each["goodness_note"] = test["note"] if test else ""
        each["n_sim"] = more.n_sim
        del each["log_score"]
    return {"fits": described}


# --- what is shown ----------------------------------------------------------------------------


def _view(summary: Summary) -> View | None:
    scores = [score for score in ranked(summary) if "fits" in score]
    if not scores:
        return None
    return {
        "side": _SIDE,
        "scores": [
            {
                "name": score["name"],
                "empirical": _path(score["curve"]),
                "rows": [_row(each, i) for i, each in enumerate(score["fits"]) if each["auc"]],
                "failed": [each for each in score["fits"] if each["failure"]],
            }
            for score in scores
        ],
    }


def _path(line: Mapping[str, Any]) -> str:
    return " ".join(f"{round(x * _SIDE, 1)},{round((1 - y) * _SIDE, 1)}" for x, y in line_of(line))


def _row(each: Mapping[str, Any], rank: int) -> View:
    return {
        "fit": each,
        "style": score_style(rank),
        "path": _path(each["curve"]),
        "parameters": [
            {
                "symbol": found["symbol"],
                "value": words.general(found["value"]),
                "se": words.either(found["se"]),
            }
            for found in each["parameters"]
        ],
        "aic": words.general(each["aic"]),
        "goodness": words.pvalue(each["goodness"]),
    }


# --- how it was made --------------------------------------------------------------------------

_HOW = """
fits: Smooth curves
  Models of the curve, fitted by maximum likelihood or by kernels, with the standard errors of their
  parameters, the root mean squared distance to the empirical curve, and a test of the model: the
  chi-square of ratings, else, if it was asked for, how many samples of the fit have so large a
  distance. AIC compares only likelihoods of the same data.
  Source: Dorfman and Alf (1969), Journal of Mathematical Psychology 6:487-496; Metz, Herman and
  Shen (1998), Statistics in Medicine 17:1033-1053
  Python: rs.models.compare_models(table, models={models!r}, n_folds=0{n_sim})
  Shell: rocspace fit {columns} {options} --n-folds 0{more}{at_level}
"""


def _methods(summary: Summary, shell: Shell) -> Iterator[Entry]:
    fitted = [score["fits"] for score in summary["scores"] if "fits" in score]
    if not fitted:
        return iter(())
    models = [each["model"] for each in fitted[0]]
    options = " ".join(f"--model {name}" for name in models)
    many = fitted[0][0].get("n_sim")
    python, more = (f", n_sim={many}", f" --n-sim {many}") if many else ("", "")
    return entries(_HOW, shell, models=models, options=options, n_sim=python, more=more)


SECTION = Section("fits", _view, "Smooth curves", of_score=_of_score, methods=_methods)
