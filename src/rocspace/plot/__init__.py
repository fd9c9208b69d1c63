"""Results to matplotlib figures fit for a paper; nothing is computed here.

Each function takes one result, an optional ``ax`` and keywords for its one main line, and
returns the axes, on which everything else is yours::

    import rocspace as rs
    from rocspace.plot import label_lines, plot_roc, style

    with style("single"):
        ax = plot_roc(rs.roc_curve(table), label="forest")
        plot_roc(rs.roc_curve(other), ax=ax, label="tree")
        label_lines(ax)
        ax.figure.savefig("roc.pdf")

``plot_`` draws a result on its own axes, ``add_`` something into an ROC graph. Colours can be
told apart by the colour-blind, and dashes in black and white. Needs ``rocspace[plot]``.
"""

from rocspace.plot._costs import (
    add_cost_lines,
    plot_cost_curve,
    plot_cost_difference,
    plot_decision,
    plot_superiority,
)
from rocspace.plot._labels import label_lines
from rocspace.plot._roc import (
    add_contours,
    add_iso_performance,
    add_isometric,
    add_points,
    add_thresholds,
    add_ties,
    plot_hull,
    plot_roc,
    roc_axes,
)
from rocspace.plot._scores import plot_calibration, plot_scores
from rocspace.plot._siblings import plot_det, plot_gains, plot_lift, plot_pr, plot_prg
from rocspace.plot._style import style
from rocspace.plot._summary import plot_summary
from rocspace.plot._uncertain import (
    plot_average,
    plot_band,
    plot_comparison,
    plot_forest,
    plot_granular,
    plot_granular_areas,
)

__all__ = [
    "add_contours",
    "add_cost_lines",
    "add_iso_performance",
    "add_isometric",
    "add_points",
    "add_thresholds",
    "add_ties",
    "label_lines",
    "plot_average",
    "plot_band",
    "plot_calibration",
    "plot_comparison",
    "plot_cost_curve",
    "plot_cost_difference",
    "plot_decision",
    "plot_det",
    "plot_forest",
    "plot_gains",
    "plot_granular",
    "plot_granular_areas",
    "plot_hull",
    "plot_lift",
    "plot_pr",
    "plot_prg",
    "plot_roc",
    "plot_scores",
    "plot_summary",
    "plot_superiority",
    "roc_axes",
    "style",
]
