"""Lower and upper curve are not a confidence band.

A hundred empirical curves of the same two populations (grey), the true binormal curve (black),
and the lower and upper curve of the first sample (blue). The paper takes the pair for a
description of the uncertainty of the curve, between which the true curve lies. Over these hundred
samples the true curve lies between a sample's own pair on two thirds of the axis, and never on
all of it. The pair follows the granularity, which is chosen, and not the number of cases: with
200 of each class (right) the curves scatter three times as far and the pair is as wide as before,
so that it covers little more than a third.
After Dong, Li and Li (2013), figure 3, with its populations, its 2000 cases of each class and its
granularity 0.02; the right panel is added.
"""

import numpy as np
from _scores import GRANULAR, granular_sample
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace.granular import groc
from rocspace.plot import plot_roc, style

DELTA = 0.02


def draws(n: int, count: int = 100) -> list[rs.ScoreTable]:
    """Samples of n positives and n negatives."""
    rng = np.random.default_rng(100)
    return [granular_sample(n, rng) for _ in range(count)]


def draw() -> Figure:
    fpr = np.linspace(0, 1, 61)
    with style("double", figure_figsize=(7, 3.7)):
        figure, axes = plt.subplots(1, 2)
        for ax, n in zip(axes, (2000, 200), strict=True):
            tables = draws(n)
            for table in tables:
                ax.plot(fpr, rs.roc_curve(table).tpr_at(fpr), color="0.8", lw=0.5, ls="-")
            pair = groc(tables[0], DELTA)
            for side, dashes in (("high", (1, 0)), ("low", (4, 2))):
                x, y = getattr(pair, f"{side}_fpr"), getattr(pair, f"{side}_tpr")
                ax.plot(x, y, color="#0072B2", lw=1, dashes=dashes)
            plot_roc(GRANULAR, ax=ax, color="black", ls="-", lw=1.1)
            ax.set_title(f"{n} positives, {n} negatives")
    return figure


if __name__ == "__main__":
    draw().savefig("gro3.pdf")
