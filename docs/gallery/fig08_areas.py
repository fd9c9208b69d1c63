"""Areas under curves, and under a single point.

Left: *B* has the larger area, yet *A* is better where the fp rate may exceed 0.6: a larger area is
not a better classifier everywhere. Right: a classifier without scores, *A*, has the area under two
straight lines; it is *B* at one threshold, and *B*'s area is larger.
After Fawcett (2006), figure 8; the scores are constructed.
"""

from _scores import binormal
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace.plot import add_points, label_lines, plot_roc, style


def crossing() -> tuple[rs.ScoreTable, rs.ScoreTable]:
    """Two binormal classifiers whose curves cross at the point (0.6, 0.85)."""
    return binormal(0.265, 0.5, n=100), binormal(1.301, 1.5, n=100)


def draw() -> Figure:
    with style("double"):
        figure, axes = plt.subplots(1, 2)
        a, b = crossing()
        score = rs.point_at(b, 0.9)
        discrete = rs.ScoreTable.from_counts([1, 0], [score.tp, score.fn], [score.fp, score.tn])
        for ax, first in zip(axes, (a, discrete), strict=True):
            for name, table, shade in (("B", b, "0.94"), ("A", first, "0.86")):
                curve = rs.roc_curve(table)
                area = f"{name}, area {rs.auc(table):.2f}"
                plot_roc(curve, ax=ax, label=area)
                ax.fill_between(curve.fpr, curve.tpr, color=shade, lw=0, zorder=0.5)
        add_points({"A": score}, ax=axes[1])
        for ax in axes:
            label_lines(ax, color="black")
    return figure


if __name__ == "__main__":
    draw().savefig("fig08.pdf")
