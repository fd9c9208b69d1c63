"""Ties: optimistic, pessimistic and expected.

Six positives and four negatives with one common score. Sorted with the positives
first they seem perfect, with the negatives first worthless; the curve is the diagonal
of the rectangle, the expectation over all orders.
Fawcett (2006), figure 6, with its data.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace.plot import add_ties, label_lines, plot_roc, style


def draw() -> Figure:
    table = rs.ScoreTable.from_counts([0.5], pos=[6], neg=[4])
    with style("single"):
        figure, ax = plt.subplots()
        for ties in ("expected", "optimistic", "pessimistic"):
            plot_roc(rs.roc_curve(table, ties=ties), ax=ax, label=ties)
        add_ties(rs.roc_curve(table), ax=ax, facecolor="0.95", edgecolor="none")
        label_lines(ax)
    return figure


if __name__ == "__main__":
    draw().savefig("fig06.pdf")
