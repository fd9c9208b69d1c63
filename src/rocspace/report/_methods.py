"""How each number was made: in a sentence, with its source and the lines that reproduce it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rocspace.report._coverage import COVERAGE

Score = Mapping[str, Any]
Entry = dict[str, str]

_HANLEY = "Hanley and McNeil (1982), Radiology 143:29-36"
_FAWCETT = "Fawcett (2006), Pattern Recognition Letters 27:861-874"
_DELONG = (
    "DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Sun and Xu (2014), IEEE "
    "Signal Processing Letters 21:1389-1393; Hoeffding (1963), JASA 58:13-30"
)
_MANN = "Mann and Whitney (1947), Annals of Mathematical Statistics 18:50-60"
_YOUDEN = "Youden (1950), Cancer 3:32-35"
_PERKINS = "Perkins and Schisterman (2006), American Journal of Epidemiology 163:670-675"
_PARTIAL = (
    "McClish (1989), Medical Decision Making 9:190-195; He and Escobar (2008), Statistics in "
    "Medicine 27:5291-5308"
)
_CLOPPER = (
    "Clopper and Pearson (1934), Biometrika 26:404-413; Brown, Cai and DasGupta (2001), "
    "Statistical Science 16:101-133"
)
_DONNER = (
    "Donner and Zou (2012), Statistical Methods in Medical Research 21:347-359; for the odds "
    "ratio Simel, Samsa and Matchar (1991), Journal of Clinical Epidemiology 44:763-770"
)
_MARTIN = "Martin et al. (1997), Eurospeech, 1895-1898"
_DOUGLAS = "Douglas and Peucker (1973), Cartographica 10:112-122"


def methods_of(summary: Mapping[str, Any]) -> list[Entry]:
    """Explain each number of the summary, with lines that reproduce it."""
    scores, source, settings = (summary[key] for key in ("scores", "source", "settings"))
    shell = Shell(scores, source, settings["level"])
    return [
        *_about_table(scores, source, shell),
        *_about_areas(settings["level"], shell, weighted=any(s["weighted"] for s in scores)),
        *_about_single_numbers(shell),
        *_about_points(settings, shell),
        *_about_pictures(shell),
    ]


class Shell:
    """The command lines that read the same columns."""

    def __init__(self, scores: Sequence[Score], source: Mapping[str, Any], level: float) -> None:
        words = [str(source.get("file", "FILE")), "--label", str(source.get("label", "LABEL"))]
        if source.get("positive") is not None:
            words += ["--positive", str(source["positive"])]
        for score in scores:
            words += ["--score", score["name"]]
        if source.get("weight") is not None:
            words += ["--weight", str(source["weight"])]
        for score in scores:
            words += ["--lower-is-positive", score["name"]] if score["direction"] == "lower" else []
        dropped = source.get("dropped")
        if isinstance(dropped, Mapping) and any(dropped.values()):
            words += ["--missing", "omit"]
        self.options = shlex.join(words)
        self.level = "" if level == 0.95 else f" --level {level:g}"

    def __call__(self, command: str, more: str = "") -> str:
        return f"rocspace {command} {self.options}{more}"

    @property
    def numbers(self) -> str:
        """The command that prints the summary."""
        return self("auc", f"{self.level} --json")

    @property
    def numbers_of_report(self) -> str:
        """The command that prints the summary with comparisons, bands and the rest."""
        return self("report", f"{self.level} --json")


def entry(key: str, name: str, sentence: str, citation: str, python: str, shell: str) -> Entry:
    return {
        "id": key,
        "name": name,
        "sentence": sentence,
        "citation": citation,
        "coverage": COVERAGE.get(key, ""),
        "python": python,
        "shell": shell,
    }


def table_code(score: Score, source: Mapping[str, Any]) -> str:
    """Return the line of Python that makes a score's table."""
    label = f"data[{source['label']!r}]" if "label" in source else "y_true"
    column = f"data[{score['name']!r}]" if "label" in source else "y_score"
    options = ""
    if source.get("positive") is not None:
        options += f", pos_label={source['positive']!r}"
    if source.get("weight") is not None:
        options += f", sample_weight=data[{source['weight']!r}]"
    if score["direction"] == "lower":
        options += ", higher_is_positive=False"
    return f"table = rs.tabulate({label}, {column}{options})"


def shell_code(score: Score, source: Mapping[str, Any], command: str) -> str:
    """Return the shell line of a command about one score."""
    return Shell([score], source, 0.95)(command)


def _about_table(
    scores: Sequence[Score], source: Mapping[str, Any], shell: Shell
) -> Iterator[Entry]:
    first = scores[0]
    sign = "<=" if first["direction"] == "lower" else ">="
    yield entry(
        "table",
        "Counting",
        "Positives and negatives are counted at each distinct score, compared exactly; a case is "
        f"called positive when score {sign} threshold. Every number is read from these counts.",
        f"{_FAWCETT}, algorithm 1",
        table_code(first, source),
        shell("report", shell.level),
    )


def _about_areas(level: float, shell: Shell, *, weighted: bool) -> Iterator[Entry]:
    yield entry(
        "auc",
        "Area under the curve (AUC)",
        "The chance that a positive has a more positive score than a negative, a tie counting "
        "one half; an exact ratio of two whole numbers, rounded once.",
        f"{_HANLEY}; {_FAWCETT}, algorithm 2",
        "rs.auc(table)",
        shell("auc"),
    )
    effective = (
        " With weights, effective sizes (sum w)^2 / sum w^2 take the place of counts."
        if weighted
        else ""
    )
    yield entry(
        "auc.interval",
        "Standard error and interval of the area",
        "DeLong's variance from the placements of each class, and an interval that is symmetric on "
        "the log odds, so it stays inside 0 and 1. At an area of 0 or 1, or with one case in a "
        f"class, Hoeffding's bound takes its place and never is a point.{effective}",
        _DELONG,
        f"rs.delong(table).interval({level:g})",
        shell("auc", shell.level),
    )
    yield entry(
        "auc.bounds",
        "Bounds of the area",
        "The area if every tie between the classes were lost, or won. They differ by the chance "
        "of a tie.",
        f"{_FAWCETT}, section 5",
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
    )


def _about_single_numbers(shell: Shell) -> Iterator[Entry]:
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
            _YOUDEN,
        ),
        "eer": (
            "Equal error rate",
            "Where false positive and false negative rate are equal, linear between points.",
            _MARTIN,
        ),
        "closest_to_perfect": (
            "Distance to the perfect point",
            "The distance of the nearest point of the curve to fpr 0, tpr 1.",
            _PERKINS,
        ),
    }
    for key, (name, sentence, citation) in rows.items():
        yield entry(key, name, sentence, citation, f"rs.{key}(table)", shell.numbers)


def _about_points(settings: Mapping[str, Any], shell: Shell) -> Iterator[Entry]:
    level = settings["level"]
    yield entry(
        "operating_points.youden",
        "Threshold of the largest Youden index",
        "All thresholds that tie for the largest tpr - fpr, by exact fractions; and all that tie "
        "for the smallest distance to fpr 0, tpr 1.",
        f"{_YOUDEN}; {_PERKINS}",
        'rs.optimal_points(table, criterion="youden"), '
        'rs.optimal_points(table, criterion="closest")',
        shell("at", " --threshold THRESHOLD"),
    )
    calls = {"fpr": "largest tpr whose fpr is at most", "tpr": "smallest fpr whose tpr is at least"}
    for kind, words in calls.items():
        for target in settings[kind][:1]:
            yield entry(
                f"operating_points.{kind}",
                f"Threshold at a fixed {'false' if kind == 'fpr' else 'true'} positive rate",
                f"The threshold of the {words} the rate asked for; a point that occurs, nothing is "
                "interpolated.",
                _FAWCETT,
                f"rs.point_at_{kind}(table, {target!r})",
                shell("at", " --threshold THRESHOLD"),
            )
    yield entry(
        "operating_points.rates",
        "Intervals of rates and predictive values",
        "The exact binomial interval of a share. It holds for a threshold that was fixed "
        "beforehand: for one chosen on the same cases it is too short.",
        _CLOPPER,
        f'rs.point_interval(point, "tpr", level={level:g})',
        shell("at", f" --threshold THRESHOLD{shell.level}"),
    )
    yield entry(
        "operating_points.ratios",
        "Intervals of likelihood and odds ratios",
        "Of a likelihood ratio: the exact intervals of both rates, combined like the variances "
        "in Fieller's inequality. Of the odds ratio: symmetric on the log scale; if a cell is "
        "empty, one half is added to all four.",
        _DONNER,
        f'rs.inference.likelihood_ratio_interval(point, "positive", level={level:g})',
        shell("at", f" --threshold THRESHOLD{shell.level}"),
    )


def _about_pictures(shell: Shell) -> Iterator[Entry]:
    yield entry(
        "curve",
        "The ROC curve that is drawn",
        "One point for each distinct score, joined by straight lines. Of more than 2000 points "
        "those inside straight runs are left out, then those within 1/2000 of the axis of what "
        "is drawn. No number is read from the picture.",
        f"{_FAWCETT}, algorithm 1; {_DOUGLAS}",
        "rs.roc_curve(table)",
        shell("curve"),
    )
    yield entry(
        "histogram",
        "Distribution of the scores",
        "The share of each class in bins of one round width; a bin holds its lower edge.",
        "",
        'rs.report.summarise({"score": table})["scores"][0]["histogram"]',
        shell.numbers,
    )
