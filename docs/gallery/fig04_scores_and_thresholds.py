"""A perfect ranking is not a good threshold.

Ten cases scored by naive Bayes. Every positive scores higher than every negative, so
the curve is perfect; but the customary threshold 0.5 calls two negatives positive: the ringed
accuracy point, 80 %. A threshold at the share of positives, 0.6, gives 90 %, and any from
0.69 to 0.99 all ten. The curve shows what the scores can do, accuracy what one threshold makes of
them.
Fawcett (2006), figure 4, with its data.
"""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.plot import add_thresholds, plot_roc, style


def draw() -> Figure:
    data = datasets.load("fawcett4")
    table = rs.tabulate(data.y_true, data.y_score)
    with style("double", figure_figsize=(6.4, 3.0)):
        figure, (left, right) = plt.subplots(1, 2, width_ratios=(1.15, 1))
        order = np.arange(1, len(data) + 1)
        for is_positive, name, fill, y in (
            (True, "positive", "black", 2.2),
            (False, "negative", "white", 7.4),
        ):
            some = data.y_true == is_positive
            look = {"mfc": fill, "mec": "black", "clip_on": False}
            left.plot(data.y_score[some], order[some], "o", **look)
            x = 0.96 if is_positive else 0.75
            left.text(x, y, name, ha="right" if is_positive else "left", va="center")
        left.axvline(0.5, color="black", lw=0.8, ls="--")
        left.text(0.49, 1.1, "threshold 0.5", ha="right", va="center")
        left.set(xlim=(0.3, 1), ylim=(10.7, 0.4), xlabel="Score", ylabel="Case", yticks=order)
        curve = rs.roc_curve(table)
        plot_roc(curve, ax=right)
        add_thresholds(curve, [0.9, 0.6], ax=right, text="{:g}")
        point = rs.point_at(table, 0.5)
        right.plot(point.fpr, point.tpr, "o", ms=3, color="black", clip_on=False, zorder=4)
        ring = {"ms": 11, "mfc": "none", "mec": "black", "mew": 1.1, "clip_on": False}
        right.plot(point.fpr, point.tpr, "o", zorder=4, **ring)
        right.annotate(
            "accuracy point\n(threshold 0.5)",
            (point.fpr, point.tpr),
            xytext=(0.52, 0.66),
            ha="left",
            va="center",
            arrowprops={"arrowstyle": "-", "lw": 0.7, "shrinkB": 8},
        )
    return figure


if __name__ == "__main__":
    draw().savefig("fig04.pdf")
