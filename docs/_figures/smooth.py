"""The figures of the page about smooth curves, written to docs/_static.

python docs/_figures/smooth.py
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets, models, plot

STATIC = Path(__file__).resolve().parents[1] / "_static"
DATA = datasets.load("two_class_example")
TABLE = rs.tabulate(DATA.y_true, DATA.y_score)


def main() -> None:
    """Draw four fits over the empirical curve, and two of them on probit axes."""
    with plot.style("double"):
        figure = Figure()
        left, right = figure.subplots(1, 2)
        names = ("labroc", "binormal", "exponential", "gamma")
        found = models.compare_models(TABLE, models=names, n_folds=0)
        plot.plot_fits(TABLE, found, ax=left)
        plot.plot_probit(TABLE, found.fits["labroc"], ax=right)
        plot.label_lines(right)
        figure.savefig(STATIC / "smooth-fits.png", dpi=110, bbox_inches="tight")


if __name__ == "__main__":
    main()
