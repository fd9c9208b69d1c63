"""The figures of the worked example on four vehicles, written to docs/_static.

python docs/_figures/vehicles.py
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from rocspace import datasets, plot
from rocspace.multiclass import hand_till_difference, multiclass_scores

STATIC = Path(__file__).resolve().parents[1] / "_static"
CARS = datasets.load("vehicle_scores")
KINDS = ("bus", "opel", "saab", "van")
COLUMNS = {a: {kind: CARS.columns[f"{a}_{kind}"] for kind in KINDS} for a in ("knn", "nb")}
OBS = CARS.columns["obs"]
DATA = multiclass_scores(OBS, COLUMNS)


def difference(first: str, second: str) -> object:
    """Return the difference of the areas of one pair of classes."""
    kept = np.isin(OBS, (first, second))
    columns = {a: {kind: COLUMNS[a][kind][kept] for kind in (first, second)} for a in COLUMNS}
    return hand_till_difference(multiclass_scores(OBS[kept], columns))


def main() -> None:
    """Draw areas against the rest and of pairs, the curves of pairs, and differences by pair."""
    with plot.style("double"):
        figure = Figure()
        left, right = figure.subplots(1, 2)
        figure.draw_without_rendering()  # so that the legend knows how large the axes are
        plot.plot_one_vs_rest(DATA, "knn", ax=left)
        plot.plot_pairwise(DATA, "knn", ax=right)
        figure.savefig(STATIC / "vehicles-areas.png", dpi=130)
    with plot.style("double", figure_figsize=(5.2, 5.2)):
        figure = Figure()
        plot.plot_pairwise_curves(DATA, "knn", figure=figure)
        figure.savefig(STATIC / "vehicles-pairs.png", dpi=130)
    with plot.style("double", figure_figsize=(5.2, 2.2)):
        figure = Figure()
        gains = {f"{i} and {j}": difference(i, j) for i, j in combinations(KINDS, 2)}
        ax = plot.plot_forest(
            {"all pairs": hand_till_difference(DATA)} | gains, ax=figure.subplots()
        )
        ax.axvline(0, color="0.6", linewidth=0.6, zorder=0)
        ax.set_xlabel("Area of knn minus that of nb, with 95 % interval")
        figure.savefig(STATIC / "vehicles-gains.png", dpi=130, bbox_inches="tight")


if __name__ == "__main__":
    main()
