"""The confusion matrix, and what is computed from it.

Each cell counts cases of a true class that were called *Y* or *N*; in small print, the twenty
cases of figure 3 at their most accurate threshold, 0.54. Rates that use one column only, the fp
rate and the tp rate, do not change with the class mix; the others do. The columns are the true
classes here, as in the paper; many programs print them as rows.
Fawcett (2006), figure 1, with the numbers of figure 3.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import rocspace as rs
from rocspace import datasets
from rocspace.plot import style

CELLS = (
    ("tp", "True\npositives", 0, 1),
    ("fp", "False\npositives", 1, 1),
    ("fn", "False\nnegatives", 0, 0),
    ("tn", "True\nnegatives", 1, 0),
)


def point() -> rs.OperatingPoint:
    """The most accurate threshold of the twenty cases."""
    data = datasets.load("fawcett20")
    table = rs.tabulate(data.y_true, data.y_score)
    return rs.optimal_points(table, criterion="accuracy")[0]


def formulas() -> list[str]:
    p = point()
    precision = p.tp / (p.tp + p.fp)
    f_measure = 2 / (1 / precision + 1 / p.tpr)
    accuracy = (p.tp + p.tn) / (p.tp + p.fp + p.fn + p.tn)
    return [
        rf"fp rate $=\frac{{FP}}{{N}}={p.fpr:.3g}$",
        rf"tp rate = recall $=\frac{{TP}}{{P}}={p.tpr:.3g}$",
        rf"precision $=\frac{{TP}}{{TP+FP}}={precision:.3f}$",
        rf"accuracy $=\frac{{TP+TN}}{{P+N}}={accuracy:.3g}$",
        rf"F-measure $=\frac{{2}}{{1/\mathrm{{precision}}+1/\mathrm{{recall}}}}={f_measure:.3f}$",
    ]


def draw() -> Figure:
    p = point()
    with style("double", figure_figsize=(6.4, 2.7)):
        figure, ax = plt.subplots()
        centre = {"ha": "center", "va": "center"}
        for name, words, x, y in CELLS:
            shade = "0.9" if name in ("tp", "tn") else "white"
            ax.add_patch(Rectangle((x, y), 1, 1, facecolor=shade, edgecolor="black", lw=0.8))
            ax.text(x + 0.5, y + 0.62, words, **centre)
            ax.text(x + 0.5, y + 0.2, str(getattr(p, name)), color="0.35", fontsize=8, **centre)
        for x, name, total in ((0.5, "p", p.tp + p.fn), (1.5, "n", p.fp + p.tn)):
            ax.text(x, 2.15, name, style="italic", **centre)
            ax.text(x, -0.17, f"{name.upper()} = {total}", **centre)
        ax.text(1, 2.42, "True class", **centre)
        for y, name in ((1.5, "Y"), (0.5, "N")):
            ax.text(-0.14, y, name, style="italic", **centre)
        ax.text(-0.42, 1, "Hypothesised class", rotation=90, **centre)
        ax.text(-0.18, -0.17, "Totals", ha="right", va="center")
        for row, text in enumerate(formulas()):
            ax.text(2.35, 1.85 - 0.46 * row, text, ha="left", va="center", fontsize=9.5)
        ax.set(xlim=(-0.75, 5.0), ylim=(-0.35, 2.6), aspect="equal")
        ax.axis("off")
    return figure


if __name__ == "__main__":
    draw().savefig("fig01.pdf")
