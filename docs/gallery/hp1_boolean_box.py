"""What two classifiers can become together.

Both must say yes, or one is enough: whatever the dependence between *A* and *B*, the point of
the combination lies in its box; a dot marks it if they decide independently.
After Fawcett's notes (2004), on combining classifiers; the two points are constructed.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from rocspace.combine import combine_rates
from rocspace.curves.roc import RocPoints
from rocspace.plot import add_points, roc_axes, style

A = RocPoints(fpr=0.2, tpr=0.5)
B = RocPoints(fpr=0.3, tpr=0.7)


def draw() -> Figure:
    with style("single"):
        figure, ax = plt.subplots()
        roc_axes(ax)
        found = {}
        for name, operator, hatch in (("A and B", "and", "////"), ("A or B", "or", "\\\\\\\\")):
            f, t = (
                combine_rates([getattr(p, rate) for p in (A, B)], operator)
                for rate in ("fpr", "tpr")
            )
            size = f.high - f.low, t.high - t.low
            look = {"facecolor": "0.95", "edgecolor": "0.75", "hatch": hatch, "lw": 0.8}
            ax.add_patch(Rectangle((f.low, t.low), *size, zorder=1, **look))
            found[name] = RocPoints(fpr=f.independent, tpr=t.independent)
        add_points({"A": A, "B": B}, ax=ax)
        add_points(found, ax=ax, mfc="white")
    return figure


if __name__ == "__main__":
    draw().savefig("boolean_box.pdf")
