"""Twenty classifiers, chosen by four measures.

Naive Bayes on twenty bootstrap samples of 60 % of the sonar data: each measure on the validation
cases against the area on the test cases. The line is at the test area of the classifier with the
largest measure; what lies above it would have been a better choice. In the paper 4, 4, 1 and 2
classifiers are better than those chosen by AUC, sAUC, λAUC and ρAUC; here 0, 0, 1 and 0, and of
all hundred classifiers 2, 5, 25 and 44. The paper's rank correlations over *100* classifiers,
.5154, .5211, .5214 and .6470, come with p values .0207, .0189, .0186 and .0021, which belong to
*20*. None is valid, because the classifiers share their training and test cases; one split of 208
cases decides nothing ({doc}`200 splits </granular_experiment>` do).
After Dong, Li and Li (2013), figure 4 and section 4.2.3; the split is the first of our
repetition.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from scipy.stats import spearmanr

from rocspace.plot import style

ROWS = Path(__file__).parents[2] / "experiments" / "groc" / "results" / "sonar.csv"
MEASURES = {"auc": "AUC", "sauc": "sAUC", "lambda_auc": "λAUC", "rho_auc": "ρAUC"}


def classifiers(n: int) -> dict[str, np.ndarray]:
    """The first n classifiers: each measure on validation data, and the area on test data."""
    with ROWS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[:n]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def better(found: dict[str, np.ndarray], measure: str) -> tuple[float, int]:
    """The test area of the choice, and how many classifiers exceed it."""
    chosen = found["test_auc"][found[measure].argmax()]
    return float(chosen), int((found["test_auc"] > chosen).sum())


def draw() -> Figure:
    found, many = classifiers(20), classifiers(100)
    with style("double", figure_figsize=(6.4, 6.2)):
        figure, axes = plt.subplots(2, 2, sharey=True)
        for ax, (measure, name) in zip(axes.flat, MEASURES.items(), strict=True):
            chosen, above = better(found, measure)
            ax.plot(found[measure], found["test_auc"], "o", ms=4, mfc="white", mec="black")
            ax.plot(found[measure].max(), chosen, "o", ms=5, color="black")
            ax.axhline(chosen, color="black", lw=0.8, ls="-")
            texts = [f"{name}: {above} better"]
            for n, some in ((20, found), (100, many)):
                r = spearmanr(some[measure], some["test_auc"])
                p = f"{r.pvalue:.2g}" if r.pvalue >= 0.001 else "< .001"
                texts.append(f"{n}: rank correlation {r.statistic:.2f}, p {p}")
            ax.set_title("\n".join(texts), fontsize=8)
            ax.set_xlabel(f"{name}, validation")
        for ax in axes[:, 0]:
            ax.set_ylabel("Area, test")
    return figure


if __name__ == "__main__":
    draw().savefig("gro4.pdf")
