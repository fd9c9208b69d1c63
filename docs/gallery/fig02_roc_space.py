"""Five classifiers in ROC space.

A classifier that only says yes or no is one point. *D* is perfect; *A* is conservative, *B* more
liberal; *C*, on the diagonal, knows nothing; *E* knows as much as *B* and says the opposite.
After Fawcett (2006), figure 2, whose text places *C* and *D*; the other points are constructed.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from rocspace.curves.roc import RocPoints
from rocspace.plot import add_points, roc_axes, style

POINTS = {
    "A": RocPoints(fpr=0.1, tpr=0.7),
    "B": RocPoints(fpr=0.2, tpr=0.85),
    "C": RocPoints(fpr=0.7, tpr=0.7),
    "D": RocPoints(fpr=0.0, tpr=1.0),
    "E": RocPoints(fpr=0.8, tpr=0.15),
}


def draw() -> Figure:
    with style("single"):
        figure, ax = plt.subplots()
        roc_axes(ax)
        ax.plot([0.2, 0.8], [0.85, 0.15], color="0.6", lw=0.6, ls=":", zorder=1)
        ax.plot(0.5, 0.5, "+", color="0.5", ms=6)
        add_points(POINTS, ax=ax)
    return figure


if __name__ == "__main__":
    draw().savefig("fig02.pdf")
