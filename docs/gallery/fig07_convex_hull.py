"""The convex hull, and the lines that choose on it.

Left: only *A* and *C* touch the hull of four classifiers; at every class mix and all costs one of
the two, or a mixture of both, is optimal. Right: with ten negatives for each positive and equal
costs, lines of equal cost have slope 10, and the highest that touches the hull, α, touches *A*.
With as many negatives as positives, and a false negative ten times as dear as a false positive,
the slope is 1/10, and β touches *C*. Both lines are tangents of the curves, as equation 1 says.
After Fawcett (2006), figure 7; the curves are constructed.
"""

from _scores import binormal
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace.plot import add_iso_performance, label_lines, plot_hull, plot_roc, style

TABLES = {
    "A": binormal(1.3, 2.0, n=300),
    "B": binormal(0.8, 1.2, n=300),
    "C": binormal(0.95, 0.45, n=300),
    "D": binormal(0.4, 0.8, n=300),
}
LOOKS = {
    "A": {"color": "#0072B2", "ls": "-"},
    "C": {"color": "black", "ls": "-."},
}  # in both panels


def draw() -> Figure:
    hull = rs.roc_hull(TABLES)
    look = {"color": "0.55", "ls": "-", "lw": 2.4, "marker": "", "zorder": 1.7}
    with style("double"):
        figure, (left, right) = plt.subplots(1, 2)
        for ax, names in ((left, "ABCD"), (right, "AC")):
            for name in names:
                own = LOOKS.get(name, {})
                plot_roc(rs.roc_curve(TABLES[name]), ax=ax, label=name, **own)
        plot_hull(hull, ax=left, label="hull", **look)
        plot_hull(hull, ax=right, **(look | {"lw": 1.2}))
        add_iso_performance(hull, 10, ax=right, text="α")
        add_iso_performance(hull, 1 / 10, ax=right, text="β")
        label_lines(left)
        label_lines(right)
    return figure


if __name__ == "__main__":
    draw().savefig("fig07.pdf")
