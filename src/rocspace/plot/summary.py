"""The main graphs of one score, side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocspace._base.optional import require
from rocspace._base.text import count, percent, share, spaced
from rocspace._base.words import shown, warn
from rocspace.calibrate.probabilities import fit_isotonic
from rocspace.costs.curves import cost_curve
from rocspace.costs.decision import decision_curve
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.det import det_curve
from rocspace.curves.gains import gains_curve
from rocspace.curves.pr import average_precision, pr_curve
from rocspace.curves.roc import roc_curve
from rocspace.curves.summaries import auc, eer
from rocspace.hull.convex import roc_hull
from rocspace.plot.axes import LIGHT, shade
from rocspace.plot.costs import plot_cost_curve, plot_decision
from rocspace.plot.graph import plot_hull, plot_roc
from rocspace.plot.labels import label_lines
from rocspace.plot.scores import plot_calibration, plot_scores
from rocspace.plot.siblings import plot_det, plot_gains, plot_pr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE, _HIGH = 15.5, 13.5  # of a panel with its title and its words, in heights of a letter


@of_table
def plot_summary(table: ScoreTable, *, figure: Any = None, **line: Any) -> dict[str, Axes]:
    """Draw the main graphs of one score on one figure.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    figure : matplotlib.figure.Figure, optional
        An empty figure; by default a new one of pyplot, 10 inches wide (or 7.6, with fewer
        graphs). On a narrow one the graphs stand in more rows.
    **line
        Properties of all main lines.

    Returns
    -------
    dict of str to matplotlib.axes.Axes
        "scores", "roc" (with its hull), "pr", "det", "gains" and "cost"; for probabilities
        also "calibration" and "decision".

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError
        If `figure` is not a figure.

    Warns
    -----
    UserWarning
        If the figure is too small for the words of the graphs, with the size that is not.

    References
    ----------
    Those of the plots on it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> figure = Figure(figsize=(10, 10))
    >>> sorted(plot_summary(tabulate(data.y_true, data.y_score), figure=figure))
    ['calibration', 'cost', 'decision', 'det', 'gains', 'pr', 'roc', 'scores']
    """
    panels = ["scores", "roc", "pr", "det", "gains", "cost"]
    probabilities = table.higher_is_positive and table.score[-1] >= 0 and table.score[0] <= 1
    if probabilities:
        panels[4:] = ["calibration", "gains", "cost", "decision"]
    if figure is None:
        size = (10.0, 5.2) if probabilities else (7.6, 5.2)
        figure = require("matplotlib.pyplot", extra="plot").figure(figsize=size)
    if not hasattr(figure, "get_layout_engine"):
        msg = f"figure is {shown(figure)}, but must be a figure, as plt.figure() returns."
        raise TypeError(msg)
    if figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")
    axes: dict[str, Axes] = figure.subplot_mosaic(_placed(panels, figure))
    plot_scores(table, ax=axes["scores"])
    label_lines(axes["scores"])
    roc = axes["roc"]
    plot_roc(roc_curve(table), ax=roc, **line)
    plot_hull(
        roc_hull(table), ax=roc, color=shade(roc, LIGHT), linestyle="-", markersize=2.5, zorder=1.8
    )
    plot_pr(pr_curve(table), ax=axes["pr"], **line)
    plot_det(det_curve(table), ax=axes["det"], **line)
    plot_gains(gains_curve(table), ax=axes["gains"], **line)
    plot_cost_curve(cost_curve(table), ax=axes["cost"], lines="best", **line)
    if probabilities:
        plot_calibration(fit_isotonic(table), ax=axes["calibration"], **line)
        plot_decision(decision_curve(table), ax=axes["decision"], **line)
    titles = {
        "scores": f"{count(table.n_pos)} positive, {count(table.n_neg)} negative",
        "roc": f"ROC and hull: area {share(auc(table))}",
        "pr": f"Average precision {share(average_precision(table))}",
        "det": f"Equal error rate {spaced(percent(eer(table)))}",
        "gains": "Cumulative gains",
        "cost": "Cost curve",
        "calibration": "Calibration",
        "decision": "Decision curve",
    }
    for name, ax in axes.items():
        ax.set_title(titles[name], fontsize="medium")
    return axes


def _placed(panels: list[str], figure: Any) -> list[list[str]]:
    """Set panels in the fewest rows whose words have room, and tell where no rows have."""
    medium = require("matplotlib.font_manager", extra="plot").FontProperties(size="medium")
    letters = 72 / medium.get_size_in_points()
    width, height = (inches * letters for inches in figure.get_size_inches())
    columns = min(len(panels) // 2, max(1, int(width / _WIDE)))
    rows = -(-len(panels) // columns)
    if width < columns * _WIDE or height < rows * _HIGH:
        wide, high = (math.ceil(n / letters) for n in (max(width, columns * _WIDE), rows * _HIGH))
        warn(
            f"{len(panels)} graphs have no room for their words. "
            f"Make the figure at least {wide} by {high} inches."
        )
    panels = panels + ["."] * (rows * columns - len(panels))
    return [panels[i : i + columns] for i in range(0, len(panels), columns)]
