"""ROC curves do not see the class mix, precision-recall curves do.

The same scores of two classifiers, with one negative for each positive and with ten.
The ROC curves stay exactly as they are; precision falls with the share of positives.
After Fawcett (2006), figure 5; the scores are held-out ones on the sonar data (naive Bayes
and 15 nearest neighbours), reweighted to each class mix.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.plot import label_lines, plot_pr, plot_roc, style

NAMES = {"nb": "Bayes", "knn15": "neighbours"}


def draw() -> Figure:
    data = datasets.load("uci_scores").where("dataset", "sonar")
    tables = {text: rs.tabulate(data.y_true, data.columns[name]) for name, text in NAMES.items()}
    with style("double", figure_figsize=(6.2, 6.2)):
        figure, axes = plt.subplots(2, 2)
        for row, negatives in zip(axes, (1, 10), strict=True):
            for name, table in tables.items():
                mixed = rs.reweight(table, prevalence=1 / (1 + negatives))
                plot_roc(rs.roc_curve(mixed), ax=row[0], label=name)
                plot_pr(rs.pr_curve(mixed), ax=row[1], label=name)
            row[0].set_title(f"ROC, one positive to {negatives}")
            row[1].set_title(f"Precision-recall, one positive to {negatives}")
            for ax in row:
                label_lines(ax)
    return figure


if __name__ == "__main__":
    draw().savefig("fig05.pdf")
