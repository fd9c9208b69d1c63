"""Two optimal thresholds of one curve.

The point closest to (0, 1), at the end of the dashed radius, and Youden's, where the curve is
highest above the diagonal, are two thresholds: they agree only where sensitivity equals
specificity at the point. Equation 39 covers FPR² only by its root; it must cover both squares.
The review says that the closest point is usually the more specific one; here it is the less
specific. Youden's maximises the share of both classes that is right; a distance to (0, 1) counts
nothing that anybody pays for.
After Wang, Zhu and Xu (2021), figure 4 and equation 39; the scores are binormal, the positives
half again as spread as the negatives.
"""

from _scores import binormal
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Circle

import rocspace as rs
from rocspace.plot import add_points, plot_roc, style


def points() -> tuple[rs.ScoreTable, rs.OperatingPoint, rs.OperatingPoint]:
    """The table, its closest point and Youden's."""
    table = binormal(1.0, 1.5, n=200)
    closest, youden = (
        rs.optimal_points(table, criterion=criterion)[0] for criterion in ("closest", "youden")
    )
    return table, closest, youden


def draw() -> Figure:
    table, closest, youden = points()
    radius = (closest.fpr**2 + (1 - closest.tpr) ** 2) ** 0.5
    with style("single"):
        figure, ax = plt.subplots()
        plot_roc(rs.roc_curve(table), ax=ax)
        look = {"fill": False, "edgecolor": "0.6", "lw": 0.7, "ls": ":"}
        ax.add_patch(Circle((0, 1), radius, **look))
        ax.plot([0, closest.fpr], [1, closest.tpr], color="black", lw=0.9, ls="--")
        ax.plot([youden.fpr] * 2, [youden.fpr, youden.tpr], color="black", lw=0.9)
        ax.annotate(
            f"J = {youden.tpr - youden.fpr:.2f}",
            (youden.fpr, (youden.fpr + youden.tpr) / 2),
            xytext=(6, 6),
            textcoords="offset points",
        )
        add_points({"closest": closest, "Youden": youden}, ax=ax)
    return figure


if __name__ == "__main__":
    draw().savefig("rev4.pdf")
