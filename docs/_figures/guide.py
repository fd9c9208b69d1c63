"""The pictures of the guide pages, each a function that returns a figure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import calibrate, combine, costs, curves, datasets, hull, plot
from rocspace.inference import significance_contour

SONAR = datasets.load("uci_scores").where("dataset", "sonar")
NAMES = {"rf": "forest", "logreg": "logistic"}


def siblings() -> Figure:
    """Six graphs of the same two scores."""
    figure, axes = plt.subplots(2, 3, figsize=(7, 5.2))
    roc, pr, gains, det, cost, decision = axes.flat
    for name, text in NAMES.items():
        table = rs.tabulate(SONAR.y_true, SONAR.columns[name])
        plot.plot_roc(rs.roc_curve(table), ax=roc, label=text)
        plot.plot_pr(curves.pr_curve(table), ax=pr, label=text)
        plot.plot_gains(curves.gains_curve(table), ax=gains, label=text)
        plot.plot_det(curves.det_curve(table), ax=det, label=text)
        plot.plot_cost_curve(costs.cost_curve(table), ax=cost, label=text)
        plot.plot_decision(costs.decision_curve(table), ax=decision, label=text)
    titles = ("ROC", "Precision and recall", "Gains", "DET", "Cost", "Net benefit")
    for ax, title in zip(axes.flat, titles, strict=True):
        ax.set_title(title)
        ax.set_box_aspect(1)
    roc.legend(loc="lower right", frameon=False)
    return figure


def calibration() -> Figure:
    """Naive Bayes before calibration, and three maps."""
    score = np.clip(SONAR.columns["nb"], 1e-6, 1 - 1e-6)
    table = rs.tabulate(SONAR.y_true, score)
    figure, (left, right) = plt.subplots(1, 2)
    plot.plot_calibration(calibrate.fit_binning(table, bins=10), ax=left)
    left.set_title("Before")
    at = np.linspace(0, 1, 1001)
    maps = {"Platt": "-", "isotonic": "--", "bins": ":"}
    fits = (calibrate.fit_platt, calibrate.fit_isotonic, calibrate.fit_binning)
    for (name, dashes), fit in zip(maps.items(), fits, strict=True):
        right.plot(at, fit(table).predict(at), ls=dashes, label=name)
    right.plot([0, 1], [0, 1], color="0.75", lw=0.8, ls="-")
    right.set(xlabel="Score", ylabel="Probability", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    right.set_title("Three maps")
    right.legend(loc="lower right", frameon=False)
    return figure


def isometrics() -> Figure:
    """Lines along which measures stay the same, and a curve before and after repair."""
    figure, (left, right) = plt.subplots(1, 2)
    plot.roc_axes(left)
    fpr, tpr = 0.2, 0.6
    looks = {"accuracy": "-", "ppv": "--", "f_score": ":"}
    for (measure, dashes), name in zip(looks.items(), ("accuracy", "precision", "F"), strict=True):
        line = hull.isometric(measure, fpr, tpr, n_pos=1, n_neg=2)
        x = np.array([0.0, 1.0])
        y = tpr + line.slope * (x - fpr)
        left.plot(x, y, ls=dashes, color="black", label=f"{name}, slope {line.slope:.2f}")
    left.plot(fpr, tpr, "o", color="black", ms=5)
    left.legend(loc="lower right", frameon=False)
    left.set(xlim=(0, 1), ylim=(0, 1))
    label, score = dipped()
    table = rs.tabulate(label, score)
    repair = hull.fit_section_repair(table)
    mended = rs.tabulate(label, repair.transform(score))
    for cases, name in ((table, "with a dip"), (mended, "repaired")):
        plot.plot_roc(rs.roc_curve(cases), ax=right, label=f"{name}, area {rs.auc(cases):.2f}")
    right.legend(loc="lower right", frameon=False)
    return figure


def dipped() -> tuple[np.ndarray, np.ndarray]:
    """Scores that rank the middle third of the cases the wrong way round."""
    rng = np.random.default_rng(4)
    score = rng.random(400)
    chance = np.where(score > 0.66, 0.85, np.where(score > 0.33, 0.9 - score, 0.1))
    return rng.random(400) < chance, score


def combining() -> Figure:
    """Boolean combinations of two measurements, where they were searched and elsewhere."""
    data = datasets.load("wdbc")
    some = np.random.default_rng(1).random(len(data)) < 0.5
    names = ("mean_concavity", "mean_texture")
    figure, axes = plt.subplots(1, 2)
    sets = [
        rs.pair_scores(data.y_true[rows], {name: data.columns[name][rows] for name in names})
        for rows in (some, ~some)
    ]
    found = combine.boolean_search(sets[0], operators=("and", "or"), progress=False)
    for ax, cases, title in zip(axes, sets, ("Searched", "Other cases"), strict=True):
        for name in names:
            text = name.removeprefix("mean_")
            plot.plot_roc(rs.roc_curve(cases.table(name)), ax=ax, label=text)
        counts = [combine.rule_counts(cases, rule) for rule in found.path.rules]
        fpr = [each.fp / (each.fp + each.tn) for each in counts]
        tpr = [each.tp / (each.tp + each.fn) for each in counts]
        ax.plot(fpr, tpr, "o", ms=3.5, color="black", label="combinations")
        ax.set_title(title)
        ax.legend(loc="lower right", frameon=False)
    return figure


def significance() -> Figure:
    """The border of chance for two sizes, and the curve of twenty cases."""
    data = datasets.load("fawcett20")
    table = rs.tabulate(data.y_true, data.y_score)
    figure, ax = plt.subplots(figsize=(3.6, 3.4))
    plot.plot_roc(rs.roc_curve(table), ax=ax)
    for n, dashes in ((10, "-"), (50, "--")):
        border = significance_contour(n, n)
        reached = np.isfinite(border.tp)
        x = np.arange(n + 1)[reached] / n
        ax.plot(x, border.tp[reached] / n, ls=dashes, color="black", lw=1, label=f"{n} + {n}")
    ax.legend(loc="lower right", frameon=False)
    return figure


def scikit_learn() -> Figure:
    """Folds as an ROC curve and as a reliability diagram."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_validate
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from rocspace.estimators import CalibrationDisplay, RocDisplay

    features, benign = load_breast_cancer(return_X_y=True)
    features, label = features[:, :5], 1 - benign
    model = make_pipeline(StandardScaler(), LogisticRegression())
    folds = cross_validate(model, features, label, return_estimator=True, return_indices=True)
    figure, (left, right) = plt.subplots(1, 2)
    for kind, ax in ((RocDisplay, left), (CalibrationDisplay, right)):
        kind.from_cv_results(folds, features, label, name="logistic", ax=ax)
    return figure


DRAWINGS: dict[str, Callable[[], Figure]] = {
    "siblings": siblings,
    "calibration": calibration,
    "isometrics": isometrics,
    "combining": combining,
    "scikit_learn": scikit_learn,
    "significance": significance,
}
