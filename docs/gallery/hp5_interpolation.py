"""The best that two classifiers do below an allowed fp rate.

Nothing to the right of the dotted line is allowed: at most 15 % false positives. *A* wastes a part
of them, *B* takes too many. *C* lies on the line between both, where it crosses the limit: follow
*B* with probability k, the share of the way from *A* to *B*, and *A* otherwise. Its rates are
expected ones; a single sample of decisions scatters about them.
After Fawcett's notes (2004), on interpolating classifiers; the two points are constructed,
because the notes' numbers are lost in the text that was available.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from rocspace.curves.roc import RocPoints
from rocspace.plot import add_points, roc_axes, style

A = RocPoints(fpr=0.08, tpr=0.35)
B = RocPoints(fpr=0.25, tpr=0.75)
LIMIT = 0.15


def interpolated() -> tuple[float, RocPoints]:
    """The share of *B*, and the point of the mixture."""
    k = (LIMIT - A.fpr) / (B.fpr - A.fpr)
    return k, RocPoints(fpr=LIMIT, tpr=A.tpr + k * (B.tpr - A.tpr))


def draw() -> Figure:
    k, c = interpolated()
    with style("single"):
        figure, ax = plt.subplots()
        roc_axes(ax)
        ax.plot([A.fpr, B.fpr], [A.tpr, B.tpr], color="black", lw=1)
        ax.axvline(LIMIT, color="black", lw=0.9, ls=":")
        ax.annotate(
            "largest allowed\nfp rate",
            (LIMIT, 0.12),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
        )
        add_points({"A": A, "B": B, f"C, k = {k:.2f}": c}, ax=ax)
        ax.set(xlim=(0, 0.5), ylim=(0, 1), aspect="auto")
        ax.set_xticks([0, 0.1, 0.2, 0.3, 0.4, 0.5])
        ax.set_xticklabels(["0", "0.1", "0.2", "0.3", "0.4", "0.5"])
    return figure


if __name__ == "__main__":
    draw().savefig("interpolation.pdf")
