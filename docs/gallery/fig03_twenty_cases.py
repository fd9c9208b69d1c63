"""The ROC curve of twenty cases.

Ten positives and ten negatives, each score written where it is the threshold. The
best accuracy, 70 %, is at (0.1, 0.5) with the threshold 0.54, not with 0.5.
Fawcett (2006), figure 3, with its data.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.plot import add_thresholds, plot_roc, style


def draw() -> Figure:
    data = datasets.load("fawcett20")
    table = rs.tabulate(data.y_true, data.y_score)
    curve = rs.roc_curve(table)
    with style("single", figure_figsize=(3.9, 3.8)):
        figure, ax = plt.subplots()
        plot_roc(curve, ax=ax)
        add_thresholds(curve, curve.threshold, ax=ax, text="{:.3g}")
        best = rs.optimal_points(table, criterion="accuracy")[0]
        ax.plot(best.fpr, best.tpr, "o", ms=8, mfc="none", mec="black", mew=0.8, zorder=4)
    return figure


if __name__ == "__main__":
    draw().savefig("fig03.pdf")
