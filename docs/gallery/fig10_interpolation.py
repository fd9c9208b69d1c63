"""A budget between two classifiers.

An insurer may write to 800 of 4000 customers, of whom 240 would buy. *A* selects 424, *B* selects
1084. All points that select 800 lie on the dashed line; *C*, which follows *B* with a
probability of 0.57, is the best that *A* and *B* can do.
Fawcett (2006), figure 10, with its numbers; printed there are the roundings (0.18, 0.42)
and 0.53.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from rocspace.curves.roc import RocPoints
from rocspace.plot import add_points, roc_axes, style

BUYERS, OTHERS, LETTERS = 240, 3760, 800


def draw() -> Figure:
    a = RocPoints(fpr=0.1, tpr=0.2)
    b = RocPoints(fpr=0.25, tpr=0.6)
    selected = [p.tpr * BUYERS + p.fpr * OTHERS for p in (a, b)]
    k = (LETTERS - selected[0]) / (selected[1] - selected[0])
    c = RocPoints(fpr=a.fpr + k * (b.fpr - a.fpr), tpr=a.tpr + k * (b.tpr - a.tpr))
    with style("single"):
        figure, ax = plt.subplots()
        roc_axes(ax)
        ax.plot([a.fpr, b.fpr], [a.tpr, b.tpr], color="black", lw=1)
        tpr = [0.0, 1.0]
        fpr = [(LETTERS - BUYERS * t) / OTHERS for t in tpr]
        ax.plot(fpr, tpr, color="black", lw=0.8, ls=(0, (6, 2)))
        ax.annotate(
            "800 letters", (fpr[1], 0.9), xytext=(9, 0), textcoords="offset points", va="center"
        )
        add_points({"A": a, "B": b, "C": c}, ax=ax)
        ax.set(xlim=(0, 0.4), ylim=(0, 1), aspect="auto")
        ax.set_xticks([0, 0.1, 0.2, 0.3, 0.4], labels=["0", "0.1", "0.2", "0.3", "0.4"])
    return figure


if __name__ == "__main__":
    draw().savefig("fig10.pdf")
