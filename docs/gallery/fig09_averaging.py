"""Five curves and their averages.

Held-out scores of naive Bayes on the sonar data in five parts: each part's curve; all parts
pooled into one; averaged vertically, at fixed false positive rates; and at fixed
thresholds. Bars are 95 % intervals of the mean, from the spread between parts.
After Fawcett (2006), figure 9.
"""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.averaging import pooled_table, threshold_average, vertical_average
from rocspace.plot import plot_average, plot_roc, style


def draw() -> Figure:
    data = datasets.load("uci_scores").where("dataset", "sonar")
    part = np.random.default_rng(3).integers(0, 5, len(data))
    score = data.columns["knn15"]
    parts = [rs.tabulate(data.y_true[part == i], score[part == i]) for i in range(5)]
    with style("double", figure_figsize=(6.2, 6.2)):
        figure, axes = plt.subplots(2, 2)
        each, pooled, vertical, threshold = axes.flat
        for table in parts:
            plot_roc(rs.roc_curve(table), ax=each)
        plot_roc(rs.roc_curve(pooled_table(parts, same_scale=True)), ax=pooled)
        mean = vertical_average(parts, grid=10)
        plot_average(mean, bars=mean.interval(0.95), ax=vertical)
        mean = threshold_average(parts, grid=10, same_scale=True)
        plot_average(mean, bars=mean.interval(0.95), ax=threshold)
        names = ("a  Five parts", "b  Pooled", "c  Vertical average", "d  Threshold average")
        for ax, name in zip(axes.flat, names, strict=True):
            ax.set_title(name)
    return figure


if __name__ == "__main__":
    draw().savefig("fig09.pdf")
