"""A hull, and the cost curve that is its dual.

Left: the ROC curve of twenty cases and its hull. Right: each vertex of the hull is a line,
each edge a corner of the lower envelope; the grey triangle is what always saying the same costs.
After Fawcett's notes (2004) and Drummond and Holte (2006); data of Fawcett (2006), figure 3.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.costs import cost_curve
from rocspace.plot import label_lines, plot_cost_curve, plot_hull, plot_roc, style


def draw() -> Figure:
    data = datasets.load("fawcett20")
    table = rs.tabulate(data.y_true, data.y_score)
    with style("double", figure_figsize=(7, 3.2)):
        figure, (left, right) = plt.subplots(1, 2)
        plot_roc(rs.roc_curve(table), ax=left, label="curve")
        plot_hull(rs.roc_hull(table), ax=left, label="hull")
        label_lines(left)
        curve = cost_curve(table)
        plot_cost_curve(
            curve, ax=right, lines="best", color="#D55E00", marker="o", mfc="white", ms=3.5
        )
    return figure


if __name__ == "__main__":
    draw().savefig("cost_curve.pdf")
