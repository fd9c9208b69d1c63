"""One threshold for each class against the rest, in every graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocspace.report.classes.areas import name_of
from rocspace.report.classes.shell import shell_of
from rocspace.report.drawing import ranked
from rocspace.report.section import Score, Section, Summary, View
from rocspace.report.sections import explorer, thresholds


def of_all_classifiers(summary: Summary) -> Summary:
    """Return the summary with the scores of all classifiers, each with its classifier's name."""
    if not summary["others"]:
        return {**summary, "scores": _said(summary["explored"], summary["scores"], several=False)}
    best = {"name": summary["explored"], "scores": summary["scores"]}
    scores = [
        {**score, "after": after}  # those of the best classifier stand first, as below the explorer
        for after, each in enumerate((best, *summary["others"]))
        for score in _said(each["name"], each["scores"], several=True)
    ]
    return {**summary, "scores": scores}


def _said(by: str, scores: Sequence[Score], *, several: bool) -> list[Score]:
    return [
        {
            **score,
            "name": f"{by}: {score['name']}" if several else score["name"],
            "label": score["name"],
            "by": by,
        }
        for score in scores
    ]


def _drawn(summary: Summary) -> Mapping[str, Any]:
    """Return the script's data of each class, with the lines that read this class."""
    source = summary["source"]
    place = {each["label"]: i for i, each in enumerate(summary["classes"])}

    def lines(score: Score) -> dict[str, str]:
        own = {**summary, "explored": score["by"]}
        name = name_of(own).replace(", ", ", name=")
        return {
            "python": f"table = data.table(data.classes[{place[score['label']]}]{name})",
            "shell": f"rocspace at {shell_of(own, score['label'])}",
        }

    scores = enumerate(ranked(of_all_classifiers(summary)))
    return {
        "scores": [
            {**explorer.explored(each, rank, source), **lines(each)} for rank, each in scores
        ]
    }


def _view(summary: Summary) -> View | None:
    found: View | None = explorer.SECTION.view(of_all_classifiers(summary))
    note = (
        f"Each class against the rest{_by(summary)}: the cases of the class are positive, all "
        "others negative, and the score is the column of the class."
    )
    return None if found is None else found | {"what": "Class", "note": note}


def _by(summary: Summary) -> str:
    shown, known = len(summary["others"]) + 1, len(summary["classifiers"])
    if known == 1:
        return ""
    if shown == 1:
        return f" by {summary['explored']}"
    names = [summary["explored"], *(each["name"] for each in summary["others"])]
    return " by each classifier" if shown == known else f" by {', '.join(names)}"


def _charts(summary: Summary) -> dict[str, Any]:
    """Return the curves, and the scores of the classes by the other classifiers."""
    every = of_all_classifiers(summary)
    own = {f"score-{rank + 1}" for rank, _ in enumerate(ranked(summary))}
    histograms = {k: v for k, v in thresholds.SECTION.charts(every).items() if k not in own}
    return {**explorer.SECTION.charts(every), **histograms}


SECTION = Section(
    "explorer",
    _view,
    "Explorer",
    of_score=explorer.SECTION.of_score,
    charts=_charts,
    drawn=_drawn,
)
