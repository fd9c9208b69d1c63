"""rocspace bootstrap: intervals of areas, rates and thresholds from resampled cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
from cyclopts import Group, Parameter

from rocspace._base.text import difference_name
from rocspace.cli.console import (
    cell,
    estimate_of,
    heading,
    interval_title,
    number,
    pvalue,
    table_text,
)
from rocspace.cli.options import (
    CHOICE,
    PRINTING,
    Choice,
    Files,
    Printing,
    Several,
    Whole,
    check_apart,
    check_least,
)
from rocspace.cli.reading import about_cases, read_cases
from rocspace.cli.statistics import statistic_of
from rocspace.compare.resampled import bootstrap_difference
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.operating.constraints import check_criterion
from rocspace.operating.optimism import threshold_bootstrap
from rocspace.report.plain import plain, plain_interval, plain_test
from rocspace.resampling.bootstrapping import BootstrapMethod
from rocspace.resampling.bootstrapping import bootstrap as bootstrap_of
from rocspace.resampling.statistics import STATISTICS, Statistic

_HOW = Group("What is resampled, and how", sort_key=-1)
_FEWEST = 20  # replicates that have quantiles


@Parameter(name="*", group=_HOW)
@dataclass(frozen=True, kw_only=True)
class Resampling:
    """What is computed from each replicate, and how replicates are drawn.

    Attributes
    ----------
    statistic
        What each replicate is asked for; can be repeated: auc (the default), youden,
        average_precision, tpr@fpr=0.1, fpr@tpr=0.9, area@fpr=0,0.1, area@tpr=0.8,1,
        corner@fpr=0.3,tpr=0.8, and at a threshold tpr, fpr, tnr, fnr, ppv or npv:
        ppv@threshold=3.
    criterion
        Choose the threshold by this criterion in each replicate: its interval, and the value of the
        criterion in cases that were not drawn. Can be repeated.
    method
        How intervals are computed; by default what has the best measured coverage. Only
        "percentile" is for thresholds, too.
    scheme
        "stratified" keeps the number of cases of each class; "unstratified" draws it, too.
    distribution
        Distribution of the test of a difference; by default t. "normal" is pROC's.
    n_boot
        Number of replicates.
    seed
        Seed of the replicates.
    """

    statistic: Several = None
    criterion: Several = None
    method: BootstrapMethod | None = None
    scheme: Literal["stratified", "unstratified"] = "stratified"
    distribution: Literal["t", "normal"] | None = None
    n_boot: Whole = 2000
    seed: Whole = 0

    def check(self, *, weighted: bool) -> None:
        """Raise, before any work, if a number is too small, or a criterion cannot be had."""
        if weighted and self.criterion:
            msg = (
                "--criterion resamples counts of cases, which weights are not. Leave out --weight."
            )
            raise ValueError(msg)
        check_least("--n-boot", self.n_boot, _FEWEST)
        check_least("--seed", self.seed, 0)
        for name in self.criterion or ():
            check_criterion(name)

    @property
    def statistics(self) -> list[tuple[str, str | Statistic]]:
        """Each statistic, after its spelling."""
        asked = self.statistic or ([] if self.criterion else ["auc"])
        check_apart("--statistic", asked, STATISTICS)
        return [(text, statistic_of(text)) for text in asked]


_RESAMPLING = Resampling()


def bootstrap(
    file: Files,
    /,
    *,
    level: float = 0.95,
    resampling: Resampling = _RESAMPLING,
    choice: Choice = CHOICE,
    printing: Printing = PRINTING,
) -> None:
    """Print bootstrap intervals of areas, rates and chosen thresholds.

    Replicates are drawn from the cases with replacement. Two scores or more of the same cases are
    also compared: the difference of each pair, and the p value of no difference.

    Parameters
    ----------
    file
        The file to read; several files, a folder or a pattern count as one.
    level
        Confidence level of each interval.

    Examples
    --------
    rocspace bootstrap scores.csv --label y --statistic auc --method percentile
    rocspace bootstrap a.csv --statistic tpr@fpr=0.1 --statistic area@fpr=0,0.1
    rocspace bootstrap scores.csv --label y --score new --criterion youden
    rocspace bootstrap scores.csv --label y --score new --score old --n-boot 500
    """
    printing.check(file, level=level)
    resampling.check(weighted=choice.weight is not None)
    statistics = resampling.statistics
    found = read_cases(file, choice, printing)
    data = found.data
    described: dict[str, Any] = {
        "schema": "rocspace.bootstrap/1",
        "source": found.source,
        "settings": {
            "level": level,
            "method": resampling.method,
            "scheme": resampling.scheme,
            "n_boot": resampling.n_boot,
            "seed": resampling.seed,
        },
        "cases": len(data),
        "positives": int(data.label.sum()),
        "scores": [
            {
                "name": name,
                "statistics": [
                    {"statistic": text, **_of_score(_cases(data, name), asked, level, resampling)}
                    for text, asked in statistics
                ],
                "thresholds": list(_thresholds(data.table(name), level, resampling, printing)),
            }
            for name in data.names
        ],
        "differences": [
            {
                "first": first,
                "second": second,
                "statistic": text,
                **_of_pair(data, (first, second), asked, level, resampling, printing),
            }
            for first, second in combinations(data.names, 2)
            for text, asked in statistics
        ],
    }
    printing.answer(described, lambda: _text(about_cases(found), described))


def _cases(data: PairedScores, name: str) -> ScoreTable | PairedScores:
    """Return what is resampled of one score: its counts, or with weights its cases."""
    if data.weight is None:
        return data.table(name)
    j = data.column_of(name)
    rises = data.rises(name)
    return replace(data, score=data.score[:, [j]], names=(name,), higher_is_positive=rises)


def _of_score(
    cases: ScoreTable | PairedScores, statistic: str | Statistic, level: float, how: Resampling
) -> dict[str, Any]:
    """Return what replicates say of one score."""
    drawn = bootstrap_of(
        cases, statistic, n_boot=how.n_boot, scheme=how.scheme, rng=how.seed, progress=False
    )
    return {
        "value": plain(float(drawn.value)),
        "se": plain(float(drawn.se)),
        "median": plain(float(np.nanmedian(drawn.replicates))),
        "interval": plain_interval(drawn.interval(level, method=how.method)),
        "failed": drawn.n_failed,
    }


def _of_pair(
    data: PairedScores,
    pair: tuple[str, str],
    statistic: str | Statistic,
    level: float,
    how: Resampling,
    printing: Printing,
) -> dict[str, Any]:
    """Return what replicates say of a difference."""
    gap = bootstrap_difference(
        data,
        *pair,
        statistic,
        n_boot=how.n_boot,
        scheme=how.scheme,
        rng=how.seed,
        progress=printing.progress,
    )
    return {
        "value": plain(gap.value),
        "se": plain(gap.se),
        "interval": plain_interval(gap.interval(level)),
        "test": plain_test(gap.test(distribution=how.distribution)),
    }


def _thresholds(
    table: ScoreTable, level: float, how: Resampling, printing: Printing
) -> Iterator[dict[str, Any]]:
    """Yield what replicates say of thresholds that are chosen by a criterion."""
    method: Literal["smoothed", "percentile"]
    method = "percentile" if how.method == "percentile" else "smoothed"
    for name in how.criterion or ():
        drawn = threshold_bootstrap(
            table, criterion=name, n_boot=how.n_boot, rng=how.seed, progress=printing.progress
        )
        known = drawn.thresholds[np.isfinite(drawn.thresholds)]
        yield {
            "criterion": name,
            "threshold": plain(drawn.point.threshold),
            "interval": plain_interval(drawn.interval(level, method=method)),
            "median": plain(float(np.median(drawn.thresholds))),
            "mean": plain(float(known.mean()) if known.size else float("nan")),
            "apparent": plain(drawn.apparent),
            "in_bag": plain(float(np.nanmean(drawn.in_bag))),
            "corrected": plain(drawn.corrected),
            "failed": drawn.n_failed,
        }


def _text(about: str, described: Mapping[str, Any]) -> str:
    percent = interval_title(described["settings"]["level"])
    parts, header = [heading(about)], ("score", "statistic", "value", percent, "se")
    rows = [
        (score["name"], each["statistic"], *estimate_of(each), number(each["se"]))
        for score in described["scores"]
        for each in score["statistics"]
    ]
    if rows:
        parts.append(table_text(header, rows, left=(0, 1)))
    gaps = [
        (
            difference_name(each["first"], each["second"]),
            each["statistic"],
            *estimate_of(each),
            pvalue(each["test"]["pvalue"]),
        )
        for each in described["differences"]
    ]
    if gaps:
        titles = ("difference", "statistic", "value", percent, "p")
        parts.append(table_text(titles, gaps, left=(0, 1)))
    chosen = [
        (
            score["name"],
            each["criterion"],
            cell(each["threshold"]),
            f"{cell(each['interval']['low'])} to {cell(each['interval']['high'])}",
            cell(each["apparent"]),
            cell(each["corrected"]),
        )
        for score in described["scores"]
        for each in score["thresholds"]
    ]
    if chosen:
        names = ("score", "criterion", "threshold", percent, "value", "corrected")
        parts.append(table_text(names, chosen, left=(0, 1)))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
