"""Estimates against time, with their intervals and limits for all times together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.frozen import a_kind_of
from rocspace._base.optional import require
from rocspace.designs.over_time import OverTime
from rocspace.plot.axes import last_colour, reference_line, set_up
from rocspace.plot.legends import draw_line, is_named, show_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_APART = 6.0  # points between the bars of two scores at the same time


@explained
def plot_over_time(
    found: OverTime,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    band: bool = True,
    rng: np.random.Generator | int | None = 0,
    **line: Any,
) -> Axes:
    """Draw areas, or differences of areas, against time.

    Parameters
    ----------
    found : OverTime
        From `rocspace.designs.auc_over_time` or another function of that room.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the intervals, drawn as bars, and of the band.
    band : bool, default True
        Whether to shade the limits that hold for all times together.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of the band.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    TypeError
        If it is of another kind.

    Notes
    -----
    The line joins the estimates, and says nothing of the times between them. Those of a second
    score in the same axes stand a little to the right of their times, so that its bars are seen.

    References
    ----------
    Blanche, Dartigues and Jacqmin-Gadda (2013), a paper on this alone, for areas against time.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.designs import auc_over_time, survival_scores
    >>> time, status = [1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 0, 1, 0, 1, 0, 0]
    >>> data = survival_scores(time, status, [4, 7, 6, 8, 1, 5, 2, 3])
    >>> ax = plot_over_time(auc_over_time(data, at=[2, 4]), ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('Time', 'AUC')
    """
    _need(found)
    of_gaps = len(found.names) == 2
    ax = set_up(ax, "Time", f"Difference of {found.quantity}" if of_gaps else found.quantity)
    if of_gaps:
        reference_line(ax, "no difference", found.at[[0, -1]], [0, 0])
    elif found.quantity in ("AUC", "Incident AUC"):
        reference_line(ax, "chance", found.at[[0, -1]], [0.5, 0.5])
    line = {"label": " minus ".join(found.names), "marker": "o"} | line
    drawn = draw_line(ax, found.at, found.value, line, legend=False)
    colour = last_colour(ax, "C0")
    ends = np.array([list(each.interval(level)) for each in found.estimates]).T
    reach = np.abs(ends - found.value)
    bars = ax.errorbar(found.at, found.value, reach, fmt="none", ecolor=colour, capsize=2, lw=1)
    _move_beside(ax, [drawn, *bars.get_children()])
    ax.margins(x=0.05)
    if band and len(found) > 1:
        limits = found.band(level, rng=rng)
        ax.fill_between(limits.at, limits.low, limits.high, color=colour, alpha=0.15, lw=0)
    if is_named(drawn):
        show_legend(ax)
    return ax


def _move_beside(ax: Axes, drawn: Iterable[Any]) -> None:
    """Move a line with its bars, drawn last, to the right of those that were there."""
    transforms = require("matplotlib.transforms", extra="plot")
    container = require("matplotlib.container", extra="plot").ErrorbarContainer
    others = sum(isinstance(each, container) for each in ax.containers) - 1
    figure: Any = ax.get_figure()
    for each in drawn:
        moved = transforms.ScaledTranslation(others * _APART / 72, 0, figure.dpi_scale_trans)
        each.set_transform(each.get_transform() + moved)


def _need(found: Any) -> None:
    if not isinstance(found, OverTime):
        msg = (
            f"plot_over_time takes areas over time, not {a_kind_of(found)}: "
            "plot_over_time(auc_over_time(data, at=[1, 2, 3]))."
        )
        raise TypeError(msg)
