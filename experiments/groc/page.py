"""The page of the documentation, written from the tables that a run keeps."""

from __future__ import annotations

from collections.abc import Sequence

import rocspace as rs
from experiments.groc.data import SOURCES
from experiments.groc.figures import simulated
from experiments.groc.results import Described, Gain
from experiments.groc.trials import DELTA, GRID, LEARNERS, NAMES, REPLICATES
from rocspace.granular import granular_areas

HEAD = """\
# Does granular ROC choose better models?

<!-- Written by `python -m experiments.groc`. Do not edit: edit experiments/groc/page.py. -->

Dong, Li and Li propose to choose models by λAUC and ρAUC, which discount an area that rests on
small differences of scores, and report that this "is better than" choosing by the AUC or the sAUC.
We repeated their experiment: once as they describe it, and once with a design that can answer
the question.{verdict}

[Granular ROC](granular.md) defines the measures. One command regenerates this page:

```sh
python -m experiments.groc --data FOLDER   # seven csv files; some 40 minutes on two cores
```

## The data

| data set | cases | positives | positive class |
|---|---:|---:|---|
{data}

All are from the UCI repository. The paper prints 33 attributes for Satimage; it has 36.

## As the paper describes it

60 % of the cases are for training, 20 % for validation and 20 % for testing, each with the same
share of positives. 100 bootstrap samples of the training cases give 100 naive Bayes models. Each
measure chooses the model with the largest value on the validation cases, the first one of ties;
the table shows the AUC of that model on the test cases. The paper names no granularity for λAUC
(here δ = {delta}), no grid for ρAUC (here {grid} steps from 0 to 1) and no seed, so its numbers
cannot be reproduced digit for digit; with one random split of some hundred cases no numbers can.
"Ours" is the first of our splits, followed by the mean of {repeats}.

{table5}

The number of models that beat the chosen one on test data, and Spearman's correlation of the
measure on the validation cases with the AUC on the test cases, over the same 100 models:

{spearman}

The paper prints correlations .5154, .5211, .5214 and .6470 with p values .0207, .0189, .0186 and
.0021. These are the p values of 20 models, not of the 100 that the text speaks of, whose p values
would be below 10⁻⁶. The models share their training cases, so no p value here is
valid, because each assumes independent observations.

```{{figure}} _static/groc-scatter.png
:alt: Test AUC against each measure on validation data, 100 naive Bayes models

Every model of one split of {scatter}: each measure on the validation cases against the AUC on the
test cases. The diamond is the model that the measure chooses.
```

## Properly

{repeats} random splits instead of one; 20 and 100 models; naive Bayes, a linear discriminant and a
decision tree; and an alternative that needs only the ranking: the lower end of a one-sided 95 %
bootstrap interval of the AUC ({replicates} replicates). The outcome is the difference in test AUC
from choosing by the plain AUC, split by split.

```{{figure}} _static/groc-gains.png
:alt: Gain in test AUC of each measure over plain AUC, by data set and learner

Gain in test AUC over choosing by the AUC, {models} models, mean of {repeats} splits with 95 %
intervals for the mean over all splits of these data.
```

{summary}

{gains}

The first interval is for these data sets: it is an interval of the mean over all their splits.
The second, of Nadeau and Bengio, allows for the overlap of training sets, and is for the gain on
other data of the same kind; it is far wider. Gains are in units of 0.001 AUC.

## What the figures of the paper show

```{{figure}} _static/groc-simulation.png
:alt: Lower, ordinary and upper curve of two Normal populations

Scores of positives from N(.65, .2²), of negatives from N(.45, .2²), 2000 of each, δ = {delta};
solid the upper curve, dotted the lower. {simulation}
```

```{{figure}} _static/groc-rankings.png
:alt: Lower and upper curves of the two rankings of table 3

The two rankings of the paper's table 3, of equal AUC .69, as the paper computes them (in doubles).
In exact decimals ranking B has no two scores closer than δ, and its three curves are one.
```

```{{figure}} _static/groc-ratios.png
:alt: Ratios of areas against the granularity

The share of the area that is left as the granularity increases, for the same rankings; ρ is the
square root of the product of the areas under both graphs. Here both decrease. The paper claims that
they always do, which is false: [Granular ROC](granular.md) has a counterexample.
```
"""


def page(rows: Sequence[Described], gains: Sequence[Gain], repeats: int, scatter: str) -> str:
    """Write the page."""
    return HEAD.format(
        verdict=verdict(gains),
        data=data_table(),
        delta=DELTA,
        grid=len(GRID) - 1,
        repeats=repeats,
        models=max(gain.models for gain in gains),
        replicates=REPLICATES,
        table5=table5(rows),
        spearman=spearman_table(rows),
        scatter=scatter,
        summary=counted(gains),
        gains=gain_tables(gains),
        simulation=simulation_text(),
    )


def data_table() -> str:
    positives = {"Monk2": 64, "Sonar": 111, "Breast-W": 241, "Abalone": 42}
    positives |= {"Vehicle": 199, "Vowel": 90, "Satimage": 626}
    return "\n".join(
        f"| {s.name} | {s.rows:,} | {positives[s.name]} | {s.positive} |" for s in SOURCES
    )


def _by(rows: Sequence[Described], data: str) -> dict[str, Described]:
    return {row.measure: row for row in rows if row.data == data}


def _header(measures: Sequence[str], first: str) -> list[str]:
    names = " | ".join(NAMES[m] for m in measures)
    return [f"| {first} | whose | {names} |", "|---|---|" + "---:|" * len(measures)]


def table5(rows: Sequence[Described]) -> str:
    """Set the paper's table 5 beside ours."""
    measures = list(dict.fromkeys(row.measure for row in rows))
    lines = _header(measures, "data set")
    for data in dict.fromkeys(row.data for row in rows):
        found = _by(rows, data)
        printed = [found[m].printed for m in measures]
        shown = ["–" if p != p else f"{p:.4f}" for p in printed]
        lines.append(f"| {data} | paper | {' | '.join(shown)} |")
        ours = " | ".join(f"{found[m].test_auc:.4f}" for m in measures)
        mean = " | ".join(f"{found[m].mean_test_auc:.4f}" for m in measures)
        lines += [f"| | ours, one split | {ours} |", f"| | ours, mean | {mean} |"]
    return "\n".join(lines)


def spearman_table(rows: Sequence[Described]) -> str:
    """Show ranks and correlations of the first split, and their means."""
    measures = list(dict.fromkeys(row.measure for row in rows))
    lines = _header(measures, "data set")
    for data in dict.fromkeys(row.data for row in rows):
        found = _by(rows, data)
        better = " | ".join(f"{found[m].n_better}" for m in measures)
        mean = " | ".join(f"{found[m].mean_n_better:.0f}" for m in measures)
        r = " | ".join(f"{found[m].spearman:.3f}" for m in measures)
        mean_r = " | ".join(f"{found[m].mean_spearman:.3f}" for m in measures)
        lines += [
            f"| {data} | models that are better | {better} |",
            f"| | the same, mean | {mean} |",
            f"| | Spearman | {r} |",
            f"| | the same, mean | {mean_r} |",
        ]
    return "\n".join(lines)


# --- the comparison -------------------------------------------------------------------------------


def _sides(gains: Sequence[Gain]) -> tuple[int, int, int]:
    """Count gains whose plain interval is above 0, below 0, and holds it."""
    above = sum(g.low > 0 for g in gains)
    below = sum(g.high < 0 for g in gains)
    return above, below, len(gains) - above - below


def verdict(gains: Sequence[Gain]) -> str:
    """Say in words what came out, from the numbers."""
    parts, means = [], []
    for measure in ("lambda_auc", "rho_auc"):
        mine = [g for g in gains if g.measure == measure]
        above, below, open_ = _sides(mine)
        means.append(1000 * sum(g.mean for g in mine) / len(mine))
        parts.append(
            f"Choosing by {NAMES[measure]} changes the AUC on test data by {means[-1]:+.1f} "
            f"thousandths on average; of {len(mine)} situations it is significantly better than "
            f"choosing by the AUC in {above}, significantly worse in {below}, "
            f"and neither in {open_}."
        )
    rival = [g for g in gains if g.measure == "lower_bound"]
    mean = 1000 * sum(g.mean for g in rival) / len(rival)
    both = [g for g in gains if g.measure in ("lambda_auc", "rho_auc")]
    sure = sum(g.corrected_low > 0 or g.corrected_high < 0 for g in both)
    answer = "No." if max(means) <= 0 else "Yes." if min(means) > 0 else "It depends."
    return (
        f"\n\n**{answer}** {' '.join(parts)} The lower bootstrap bound of the AUC, which "
        f"needs only the ranking, changes it by {mean:+.1f}. If the overlap of training sets is "
        f"allowed for, {sure} of these {len(both)} differences, in either direction, are "
        "significant: on sets of this size the choice of the measure hardly matters, and the "
        "plain AUC is a good one."
    )


def counted(gains: Sequence[Gain]) -> str:
    """Count, for each measure and learner, where it is better and where worse."""
    measures = list(dict.fromkeys(g.measure for g in gains))
    names = " | ".join(NAMES[m] for m in measures)
    lines = [
        "Data sets on which a measure is significantly better / neither / worse (mean gain):\n",
        f"| learner | models | {names} |",
        "|---|---:|" + "---:|" * len(measures),
    ]
    for learner in LEARNERS:
        for models in sorted({g.models for g in gains}):
            cells = []
            for measure in measures:
                mine = [
                    g
                    for g in gains
                    if (g.learner, g.models, g.measure) == (learner, models, measure)
                ]
                above, below, open_ = _sides(mine)
                mean = 1000 * sum(g.mean for g in mine) / len(mine)
                cells.append(f"{above} / {open_} / {below} ({mean:+.1f})")
            lines.append(f"| {learner} | {models} | {' | '.join(cells)} |")
    return "\n".join(lines)


def gain_tables(gains: Sequence[Gain]) -> str:
    """Give every gain with both intervals, for the larger number of models."""
    most = max(g.models for g in gains)
    measures = list(dict.fromkeys(g.measure for g in gains))
    names = " | ".join(NAMES[m] for m in measures)
    lines = [f"| data set | learner | {names} |", "|---|---|" + "---:|" * len(measures)]
    for data in dict.fromkeys(g.data for g in gains):
        for learner in LEARNERS:
            cells = []
            for measure in measures:
                key = (data, learner, most, measure)
                g = next(g for g in gains if (g.data, g.learner, g.models, g.measure) == key)
                cells.append(
                    f"{1000 * g.mean:+.1f} [{1000 * g.low:.1f}, {1000 * g.high:.1f}] "
                    f"({1000 * g.corrected_low:.0f}, {1000 * g.corrected_high:.0f})"
                )
            lines.append(f"| {data} | {learner} | {' | '.join(cells)} |")
    return "\n".join(lines)


def simulation_text() -> str:
    """Compare the simulation with what the paper prints and with the population."""
    table = simulated()
    areas = granular_areas(table, DELTA)
    low, high, ratio = areas.auc_low[0], areas.auc_high[0], areas.approximation_ratio[0]
    return (
        f"Here: AUC {rs.auc(table):.4f}, upper {high:.4f}, lower {low:.4f}, λ {ratio:.4f}. "
        "Printed: .7628, .7938, .7441, .9374. In the population: .7602, .7800, .7308, .9369. The "
        "printed AUC does not belong to the printed pair: it lies 20 standard deviations too near "
        "to the lower one."
    )
