"""The figures of the experiment's page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import rocspace as rs
from experiments.groc.results import Gain
from experiments.groc.trials import DELTA, NAMES
from rocspace import datasets, plot
from rocspace.granular import granular_areas, groc
from rocspace.select import SelectionExperiment

SEED = 4230


def simulated() -> rs.ScoreTable:
    """Draw the paper's simulation: N(.65, .2^2) against N(.45, .2^2), 2000 of each."""
    rng = np.random.default_rng(SEED)
    return rs.tabulate_classes(rng.normal(0.65, 0.2, 2000), rng.normal(0.45, 0.2, 2000))


def save(figure: plt.Figure, path: Path) -> None:
    figure.savefig(path, dpi=160, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def draw_simulation(path: Path) -> None:
    """Figure 1: the granular ROC of two Normal populations."""
    with plot.style("single"):
        figure, ax = plt.subplots()
        plot.plot_granular(groc(simulated(), DELTA), ax=ax)
        save(figure, path)


def draw_two_rankings(path: Path) -> None:
    """Figure 2: two rankings of equal area, of table 3."""
    data = datasets.load("groc_table3")
    with plot.style("double"):
        figure, axes = plt.subplots(1, 2)
        for ax, name in zip(axes, ("a", "b"), strict=True):
            table = rs.tabulate(data.y_true, data.columns[name])
            plot.plot_granular(groc(table, DELTA, boundary="float"), ax=ax)
            ax.set_title(f"Ranking {name.upper()}")
        save(figure, path)


def draw_ratios(path: Path) -> None:
    """Figure 3: what is left of the area as the granularity grows, for both rankings."""
    data = datasets.load("groc_table3")
    deltas = np.linspace(0, 1, 1001)
    with plot.style("double"):
        figure, axes = plt.subplots(1, 2, sharey=True, sharex=True)
        for name, dashes in (("a", (1, 0)), ("b", (4, 2))):
            areas = granular_areas(rs.tabulate(data.y_true, data.columns[name]), deltas)
            for ax, ratio in zip(axes, (areas.high_ratio, areas.low_ratio), strict=True):
                ax.plot(deltas, ratio, dashes=dashes, label=f"ranking {name.upper()}")
        axes[0].set(xlabel="granularity δ", ylabel="ratio", title="f = AUC / upper AUC")
        axes[1].set(xlabel="granularity δ", title="g = lower AUC / AUC")
        axes[0].legend(frameon=False)
        save(figure, path)


def draw_scatter(found: SelectionExperiment, name: str, path: Path) -> None:
    """Figure 4: every model's measure on validation data against its area on test data."""
    with plot.style("double"):
        figure, axes = plt.subplots(1, len(found.measures), sharey=True)
        for j, (ax, measure) in enumerate(zip(axes, found.measures, strict=True)):
            ax.plot(found.validation[0, j], found.test[0], ".", markersize=3, alpha=0.7)
            chosen = found.chosen[0, j]
            ax.plot(
                found.validation[0, j, chosen],
                found.test[0, chosen],
                "D",
                markersize=5,
                fillstyle="none",
                color="black",
            )
            r = found.correlation(measure, 0).value
            ax.set(title=f"{NAMES[measure]}\n$r_s$ = {r:.2f}", xlabel="validation")
            ax.tick_params(axis="x", labelrotation=45)
        axes[0].set_ylabel(f"test AUC, {name}")
        save(figure, path)


def draw_gains(gains: Sequence[Gain], learners: Sequence[str], path: Path) -> None:
    """Figure 5: what each measure gains over the area, with paired intervals."""
    chosen = [gain for gain in gains if gain.models == max(g.models for g in gains)]
    sets = list(dict.fromkeys(gain.data for gain in chosen))
    measures = list(dict.fromkeys(gain.measure for gain in chosen))
    markers = dict(zip(measures, "osD^", strict=False))
    with plot.style("double"):
        figure, axes = plt.subplots(1, len(learners), sharey=True, sharex=True)
        for ax, learner in zip(axes, learners, strict=True):
            ax.axvline(0, color="0.6", linewidth=0.8)
            for gain in chosen:
                if gain.learner == learner:
                    _draw_gain(ax, gain, sets.index(gain.data), measures, markers)
            ax.set(title=learner, xlabel="gain in test AUC")
            ax.xaxis.set_major_locator(plt.MaxNLocator(4))
        axes[0].set_yticks(range(len(sets)), sets)
        axes[0].invert_yaxis()
        handles, labels = axes[-1].get_legend_handles_labels()
        unique = dict(zip(labels, handles, strict=True))
        figure.legend(
            unique.values(), unique, loc="outside lower center", ncols=len(unique), frameon=False
        )
        save(figure, path)


def _draw_gain(
    ax: plt.Axes, gain: Gain, row: int, measures: Sequence[str], markers: Mapping[str, str]
) -> None:
    j = measures.index(gain.measure)
    ax.errorbar(
        gain.mean,
        row + 0.18 * (j - (len(measures) - 1) / 2),
        xerr=[[gain.mean - gain.low], [gain.high - gain.mean]],
        fmt=markers[gain.measure],
        markersize=3,
        linewidth=1,
        color=f"C{j}",
        label=NAMES[gain.measure],
    )
