"""Smooth curves over the empirical one.

Held-out probabilities of naive Bayes on the sonar data, most of them near 0 or 1. Left, models of
the scores themselves (section 2.2, and the kernel curve of 2.3): Normal scores in both classes
miss these by far, and so does smoothing them; the beta curve, which is fitted to the empirical
curve, follows it. Right, models of section 2.3, which need only the ranking and assume that some
increasing function makes the scores Normal.
The review prints b as the mean of the negatives over the standard deviation of the positives,
after equation 13; it is the ratio of the standard deviations. It says that the semiparametric
estimate holds only if the transformed scores are truly Normal, which a check of the fitted curve
can doubt but no data prove.
After Wang, Zhu and Xu (2021), sections 2.2 and 2.3, equations 13 to 18, which draw no curve.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.models import fit_roc
from rocspace.plot import plot_roc, style

SCORES = {"binormal": "binormal", "kernel": "kernel", "beta": "beta"}
RANKS = {
    "labroc": "maximum likelihood",
    "pseudo-likelihood": "pseudo-likelihood",
    "gls": "least squares",
}


def table() -> rs.ScoreTable:
    data = datasets.load("uci_scores").where("dataset", "sonar")
    return rs.tabulate(data.y_true, data.columns["nb"])


def draw() -> Figure:
    cases = table()
    with style("double", figure_figsize=(7, 3.7)):
        figure, axes = plt.subplots(1, 2)
        titles = "Of scores", "Of ranks"
        for ax, models, title in zip(axes, (SCORES, RANKS), titles, strict=True):
            plot_roc(rs.roc_curve(cases), ax=ax, color="0.65", lw=1.6, ls="-")
            for model, name in models.items():
                fit = fit_roc(cases, model=model)
                plot_roc(fit, ax=ax, label=f"{name}, {fit.auc:.2f}")
            ax.set_title(f"{title}; empirical area {rs.auc(cases):.2f}")
            ax.legend(loc="lower right", frameon=False)
    return figure


if __name__ == "__main__":
    draw().savefig("rev5.pdf")
