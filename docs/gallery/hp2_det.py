"""The same curves as error rates on stretched axes.

Three classifiers of the sonar data as a detection error trade-off: misses against false
alarms, both as normal deviates, so that normal scores give straight lines and good classifiers do
not crowd in a corner. On the thin line both rates are equal.
After Fawcett's notes (2004) and Martin et al. (1997).
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.curves import det_curve
from rocspace.plot import label_lines, plot_det, style

NAMES = {"rf": "forest", "logreg": "logistic", "nb": "Bayes"}


def draw() -> Figure:
    data = datasets.load("uci_scores").where("dataset", "sonar")
    with style("single"):
        figure, ax = plt.subplots()
        for name, text in NAMES.items():
            table = rs.tabulate(data.y_true, data.columns[name])
            plot_det(det_curve(table), ax=ax, label=text)
        label_lines(ax)
    return figure


if __name__ == "__main__":
    draw().savefig("det.pdf")
