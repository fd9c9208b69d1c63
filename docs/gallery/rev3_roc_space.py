"""Conservative and liberal classifiers.

Five classifiers that only say yes or no. The nearer to the vertical axis, the more conservative:
*A5* calls few positive and errs seldom; *A4*, the most liberal, finds nearly all positives at the
price of many false ones. Points below the diagonal are wrong, and still informative: reversed,
*A2* would be as good as its mirror image, the cross.
The review says that conservative classifiers lie near the horizontal axis; few false positives
put a classifier at the left.
After Wang, Zhu and Xu (2021), figure 3, whose text orders *A4* and *A5*; the points are
constructed.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from rocspace.curves.roc import RocPoints
from rocspace.plot import add_points, roc_axes, style

POINTS = {
    "A1": RocPoints(fpr=0.25, tpr=0.8),
    "A2": RocPoints(fpr=0.65, tpr=0.3),
    "A3": RocPoints(fpr=0.45, tpr=0.45),
    "A4": RocPoints(fpr=0.75, tpr=0.95),
    "A5": RocPoints(fpr=0.08, tpr=0.4),
}


def draw() -> Figure:
    with style("single"):
        figure, ax = plt.subplots()
        roc_axes(ax)
        wrong = POINTS["A2"]
        mirror = 1 - wrong.fpr, 1 - wrong.tpr
        ax.plot([wrong.fpr, mirror[0]], [wrong.tpr, mirror[1]], color="0.6", lw=0.6, ls=":")
        ax.plot(*mirror, "x", color="0.4", ms=5)
        add_points(POINTS, ax=ax)
        for x, y, name in ((0.28, 0.04, "conservative"), (0.8, 0.68, "liberal")):
            ax.text(x, y, name, ha="center", color="0.45", style="italic")
    return figure


if __name__ == "__main__":
    draw().savefig("rev3.pdf")
