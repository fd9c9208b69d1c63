"""How the numbers of comparisons, bands, granularities and folds were made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from rocspace.report._methods import Entry, Shell, entry

Summary = Mapping[str, Any]

_BANDS = {
    "likelihood": (
        "Band by likelihood",
        (
            "Rates that the likelihood of the counts does not rule out, anywhere along the curve: "
            "a band for the whole curve, never a point where the classes are separated."
        ),
        "Wilks (1938), Annals of Mathematical Statistics 9:60-62, for the deviance",
    ),
    "envelope": (
        "Band by bootstrap envelope",
        (
            "The envelope of those bootstrap curves that are nearest to the curve, in 1000 "
            "replicates: a band for the whole curve."
        ),
        "",
    ),
    "ks": (
        "Band by Kolmogorov and Smirnov",
        (
            "A rectangle of fixed size at every point, from bounds of both distribution functions: "
            "a band for the whole curve that holds at every sample size, and is wide."
        ),
        "Campbell (1994), Statistics in Medicine 13:499-508",
    ),
    "vertical": (
        "Limits at each false positive rate",
        (
            "Limits of the true positive rate from 1000 bootstrap replicates at each rate by "
            "itself: the whole curve leaves them more often than the level says."
        ),
        "Macskassy and Provost (2004), ROC Analysis in Artificial Intelligence workshop",
    ),
}


def more_methods_of(summary: Summary) -> list[Entry]:
    """Explain what `More` brought to the summary."""
    shell = Shell(summary["scores"], summary["source"], summary["settings"]["level"])
    return [
        *_about_comparison(summary, shell),
        *_about_bands(summary, shell),
        *_about_granularity(summary, shell),
        *_about_folds(summary, shell),
    ]


def _pairing(summary: Summary) -> str:
    """Return the line of Python that puts the scores side by side."""
    source, names = summary["source"], [score["name"] for score in summary["scores"]]
    known = "label" in source
    label = f"data[{source['label']!r}]" if known else "y_true"
    scores = f"{{name: data[name] for name in {names!r}}}" if known else "y_scores"
    options = ""
    if source.get("positive") is not None:
        options += f", pos_label={source['positive']!r}"
    if source.get("weight") is not None:
        options += f", sample_weight=data[{source['weight']!r}]"
    if any(score["direction"] == "lower" for score in summary["scores"]):
        options += ", higher_is_positive=False"
    return f"cases = rs.pair_scores({label}, {scores}{options})"


def _about_comparison(summary: Summary, shell: Shell) -> Iterator[Entry]:
    found = summary.get("comparison")
    if not found:
        return
    reference = found["reference"]
    told = "" if reference is None else f", reference={reference!r}"
    line = "" if reference is None else f" --reference {shlex.quote(reference)}"
    yield entry(
        "comparison.pairs",
        "Differences of areas and their tests",
        "DeLong's covariance of areas of the same cases; Student's law with the degrees of freedom "
        f"of the placements; p values adjusted after {found['adjustment'].capitalize()}. The "
        "interval adds up squared halves of the intervals of both areas.",
        "DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44:837-845; Zou and Donner (2008), "
        "Statistics in Medicine 27:1693-1702; Holm (1979), Scandinavian Journal of Statistics "
        "6:65-70",
        f"{_pairing(summary)}\nrs.compare.compare_aucs(cases{told}).pairs",
        shell("compare", f"{shell.level}{line}"),
    )
    gap = found["difference"]
    if gap is not None:
        pair = f"({gap['first']!r}, {gap['second']!r})"
        yield entry(
            "comparison.difference",
            "Difference of two curves",
            "The difference of the true positive rates at equal false positive rates, and a band "
            f"that holds at all of them together, from {gap['replicates']:,} bootstrap replicates "
            "of the cases.",
            "",
            f"rs.bands.difference_band(cases, {pair}, level={gap['level']:g}, "
            f"n_boot={gap['replicates']}, rng=0)",
            shell.numbers_of_report,
        )
    if found["costs"] is not None:
        yield entry(
            "comparison.costs",
            "Which score costs least",
            "For every ratio of the two costs the score, at its best threshold, of least expected "
            "cost at the prevalence of the data; from the convex hull of all curves, by exact "
            "fractions. Chosen and measured on the same cases.",
            "Adams and Hand (1999), Pattern Recognition 32:1139-1147",
            "rs.costs.relative_superiority({name: cases.table(name) for name in "
            f"cases.names}}, prevalence={found['costs']['prevalence']!r})",
            shell("hull"),
        )


def _about_bands(summary: Summary, shell: Shell) -> Iterator[Entry]:
    made = {
        band["method"]
        for score in summary["scores"]
        for band in score.get("bands", ())
        if band["error"] is None
    }
    level = summary["settings"]["level"]
    for method, (name, sentence, citation) in _BANDS.items():
        if method in made:
            drawn = ", n_boot=1000, rng=0" if method in ("envelope", "vertical") else ""
            yield entry(
                f"bands.{method}",
                name,
                sentence,
                citation,
                f"rs.bands.roc_band(table, method={method!r}, level={level:g}{drawn})",
                shell("band", f" --method {method}{shell.level}"),
            )


def _about_granularity(summary: Summary, shell: Shell) -> Iterator[Entry]:
    found = [score["granular"] for score in summary["scores"] if score.get("granular")]
    if not found:
        return
    delta = found[0]["curves"][4]["delta"]
    yield entry(
        "granular",
        "Granular ROC",
        "Scores closer than delta are taken for indistinguishable: the upper curve reads the cases "
        "between them all as positive, the lower one as negative. Areas are signed and depend on "
        "prevalence.",
        "Dong, Li and Li, gROC, definitions 1 to 7",
        f"rs.granular.groc(table, {delta!r})",
        shell("granular", f" --delta {delta!r}"),
    )


def _about_folds(summary: Summary, shell: Shell) -> Iterator[Entry]:
    found = [score["folds"] for score in summary["scores"] if score.get("folds")]
    if not any(each["mean"] for each in found):
        return
    fold = summary["source"].get("fold")
    column = "fold" if fold is None else f"data[{fold!r}]"
    name = summary["scores"][0]["name"]
    option = f" --fold {shlex.quote(str(fold))}" if fold is not None else " --fold FOLD"
    line = shell("average", f"{option}{shell.level}")
    yield entry(
        "folds.mean",
        "Mean area of the folds",
        "DeLong's variance within the folds, its spread taken over all of them; about the models "
        "that were fitted, not about this way of fitting models.",
        "LeDell, Petersen and van der Laan (2015), Electronic Journal of Statistics 9:1583-1607",
        f"folds = rs.fold_tables(cases.label, cases.score[:, cases.names.index({name!r})], "
        f"{column})\nrs.cv_auc_estimate(folds).interval({summary['settings']['level']:g})",
        line,
    )
    yield entry(
        "folds.average",
        "Average curve of the folds",
        "The mean true positive rate at equal false positive rates; and at each rate by itself "
        "limits of the true curve, between two readings of each fold's curve, one too low and one "
        "too high on average, with the spread between the folds and no narrower than counts allow.",
        "Provost, Fawcett and Kohavi (1998); Fawcett (2006), algorithm 3; Imbens and Manski (2004)",
        f"rs.averaging.vertical_average(folds).interval({summary['settings']['level']:g})",
        line,
    )
