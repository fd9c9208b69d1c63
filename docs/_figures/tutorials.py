"""The pictures of the tutorials, each a function that returns a figure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets, plot
from rocspace.curves import gains_curve, pr_curve


def two_models() -> Figure:
    """Curves with bands, and precision against recall, of two models."""
    data = datasets.load("adult_scores")
    figure, (left, right) = plt.subplots(1, 2)
    for name in ("hgb", "logreg"):
        table = rs.tabulate(data.y_true, data.columns[name])
        plot.plot_roc(rs.roc_curve(table), ax=left, label=f"{name}, area {rs.auc(table):.3f}")
        plot.plot_band(rs.roc_band(table), ax=left)
        plot.plot_pr(pr_curve(table), ax=right, label=name)
    plot.label_lines(left)
    plot.label_lines(right)
    return figure


def study() -> Figure:
    """Two tests with bands, and their sensitivities at a specificity of 90 %."""
    data = datasets.load("wdbc")
    figure, axes = plt.subplots(1, 2)
    for ax, name in zip(axes, ("concavity", "texture"), strict=True):
        table = rs.tabulate(data.y_true, data.columns[f"mean_{name}"])
        plot.plot_roc(rs.roc_curve(table), ax=ax)
        plot.plot_band(rs.roc_band(table), ax=ax)
        point = rs.point_at_fpr(table, 0.1)
        ax.plot(point.fpr, point.tpr, "o", color="black", ms=5, zorder=4)
        ax.set_title(f"{name}: area {rs.auc(table):.2f}, sensitivity {point.tpr:.0%}")
    return figure


def payments() -> rs.ScoreTable:
    """Half a million simulated payments, two in a thousand fraudulent."""
    rng = np.random.default_rng(1)
    fraud = rng.random(500_000) < 0.002
    return rs.tabulate(fraud, rng.normal(loc=2.2 * fraud).astype(np.float32))


def fraud() -> Figure:
    """The same scores as three graphs, with the point of 200 opened payments."""
    table = payments()
    figure, (one, two, three) = plt.subplots(1, 3)
    plot.plot_roc(rs.roc_curve(table), ax=one)
    plot.plot_pr(pr_curve(table), ax=two)
    gains = gains_curve(table)
    plot.plot_gains(gains, ax=three)
    near = int(np.abs(gains.depth - 0.0004).argmin())
    three.plot(gains.depth[near], gains.tpr[near], "o", color="black", ms=5, clip_on=False)
    for ax, name in ((one, "ROC"), (two, "Precision and recall"), (three, "Gains")):
        ax.set_title(name)
    return figure


def student() -> Figure:
    """The twenty cases: the best point, the hull, and a line of slope 1."""
    data = datasets.load("fawcett20")
    table = rs.tabulate(data.y_true, data.y_score)
    hull = rs.roc_hull(table)
    figure, (left, right) = plt.subplots(1, 2)
    for ax in (left, right):
        plot.plot_roc(rs.roc_curve(table), ax=ax)
    (best,) = rs.optimal_points(table, criterion="accuracy")
    left.plot(best.fpr, best.tpr, "o", ms=9, mfc="none", mec="black", mew=1)
    plot.plot_hull(hull, ax=right, color="0.4")
    plot.add_iso_performance(hull, 1, ax=right)
    return figure


DRAWINGS: dict[str, Callable[[], Figure]] = {
    "two_models": two_models,
    "study": study,
    "fraud": fraud,
    "student": student,
}
