"""Studies that report one point each, with their summary curve, mean point and its regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.text import level_text, spaced
from rocspace._base.words import listed_values, warn
from rocspace.models.summary_point import SummaryPoint, SummaryRegion
from rocspace.models.summary_roc import BivariateRoc, SummaryRoc
from rocspace.plot.asked import drawn
from rocspace.plot.axes import GREY, add_main, look_of, main_lines, paper, shade
from rocspace.plot.graph import roc_axes
from rocspace.plot.labels import label_points
from rocspace.plot.legends import is_named, show_legend
from rocspace.results.curve import line_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHAPES = ("o", "s", "^", "D")  # of the studies of each fit on the same axes
_LARGEST, _SMALLEST = 11.0, 2.5  # diameters of studies, in points
_FEW = 15  # studies that leave room for the largest; more are smaller, and cover as much together


@drawn
def plot_summary_roc(
    fit: SummaryRoc,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw the studies of a meta-analysis, their summary curve, and their mean with its regions.

    Parameters
    ----------
    fit : SummaryRoc or BivariateRoc
        From `rocspace.models.fit_summary_roc`, by any method.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    names : sequence of str, optional
        Names of the studies, in their order, which are written beside their points where there is
        room.
    level : float, default 0.95
        Level of both regions.
    **line
        Properties of the curve's line, such as ``color`` and ``label``. A second fit on the same
        axes has another colour and another shape of its points.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    ValueError
        If there is another number of names than of studies, the level is outside (0, 1), or the
        line of Moses and Littenberg does not rise.

    Notes
    -----
    Each study is an open point whose area is proportional to its cases, among those of one fit.
    The curve is solid over the false positive rates of the studies, and thin and dashed where it is
    an extrapolation. The filled point is the mean of the bivariate model, the shaded region where
    it may lie, and the dotted outline where the true rates of one further study may lie.

    What is not known is not drawn: the curve if a variance between studies is estimated as 0, the
    prediction region if too few studies have rates between 0 and 1. The line of Moses and
    Littenberg has no mean point.

    References
    ----------
    Harbord et al. (2007), no numbered equation.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.models import fit_summary_roc
    >>> fit = fit_summary_roc([47, 126, 19, 36], [101, 272, 12, 78], [9, 51, 10, 3],
    ...                       [738, 1543, 192, 276])
    >>> ax = plot_summary_roc(fit, ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()][:3]
    ['summary curve', 'summary point', '95 % confidence region']
    """
    ax = roc_axes(ax)
    shape = _SHAPES[len(main_lines(ax)) % len(_SHAPES)]
    look = look_of(ax, {"label": "summary curve", "linestyle": "-", **line})
    if main_lines(ax):  # a legend shows the shape of its points with the curve
        look = {"marker": shape, "markersize": 5, "markevery": slice(0), **look}
    _draw_curve(ax, fit, look)
    if isinstance(fit, BivariateRoc):
        _draw_point(ax, fit.summary_point, level, {"color": look["color"], "marker": shape})
    _draw_studies(ax, fit, {"color": look["color"], "marker": shape})
    named = [each for each in ax.lines if is_named(each)]
    if names is None:
        show_legend(ax, named)
    else:
        show_legend(ax, named, few=0)
        _write_names(ax, fit, names)
    return ax


def _draw_curve(ax: Axes, fit: SummaryRoc, look: dict[str, Any]) -> None:
    """Draw the curve over the range of the studies, and thinner beyond."""
    if isinstance(fit, BivariateRoc) and not all(fit.parameters[f"sd_{r}"] for r in ("tpr", "fpr")):
        (empty,) = ax.plot([], [], **(look | {"label": "_summary curve"}))
        add_main(empty)
        return
    ends = np.array(fit.fpr_range)
    whole = line_of(fit)
    x = np.union1d(whole.x, ends)
    y = np.asarray(fit.tpr_at(x))
    inner = (x >= ends[0]) & (x <= ends[1])
    thin = {"color": look["color"], "linestyle": (0, (4, 2.5)), "zorder": 1.9}
    for part in (x <= ends[0], x >= ends[1]):
        (beyond,) = ax.plot(x[part], y[part], label="_beyond", **thin)
        beyond.set_linewidth(0.6 * beyond.get_linewidth())
    (curve,) = ax.plot(x[inner], y[inner], **look)
    add_main(curve)


def _draw_point(ax: Axes, point: SummaryPoint, level: float, look: dict[str, Any]) -> None:
    """Draw the mean point, its confidence region, and the prediction region if there is one."""
    dot: dict[str, Any] = {"markersize": 7, "markeredgecolor": paper(ax), "linestyle": "none"}
    ax.plot([point.fpr], [point.tpr], zorder=3, **dot, **look, label=_once(ax, "summary point"))
    said, colour = spaced(level_text(level)), look["color"]
    _draw_region(ax, point.region(level), said, {"color": colour, "linewidth": 0.9}, shade=0.25)
    if not np.isnan(point.prediction_covariance).any():
        dots = {"color": colour, "linewidth": 1.1, "linestyle": (0, (1, 1.6))}
        _draw_region(ax, point.prediction_region(level), said, dots, shade=0.07)


def _draw_region(
    ax: Axes, region: SummaryRegion, said: str, look: dict[str, Any], *, shade: float
) -> None:
    ax.fill(region.fpr, region.tpr, color=look["color"], alpha=shade, linewidth=0, zorder=1.2)
    label = _once(ax, f"{said} {region.method} region")
    ax.plot(region.fpr, region.tpr, zorder=1.7, label=label, **look)


def _draw_studies(ax: Axes, fit: SummaryRoc, look: dict[str, Any]) -> None:
    """Draw the studies of a fit."""
    if fit.cells is None:
        return
    (fpr, tpr), cases = _rates(fit.cells), fit.cells.sum(axis=0)
    largest = _LARGEST * min(1.0, _FEW / cases.size) ** 0.5
    area = np.maximum(largest**2 * cases / cases.max(), _SMALLEST**2)
    shape: dict[str, Any] = {"edgecolor": look["color"], "marker": look["marker"]}
    rim: dict[str, Any] = {"facecolor": "none", "linewidth": 0.8, "clip_on": False, "zorder": 2.5}
    ax.scatter(fpr, tpr, area, **shape, **rim)
    # What legends and names keep clear of, and what stands for the studies in a legend.
    order = np.lexsort((tpr, fpr))
    ax.plot(fpr[order], tpr[order], "o", alpha=0, markersize=0, label="_studies")
    ring: dict[str, Any] = {"markerfacecolor": "none", "markeredgewidth": 0.8, "markersize": 6}
    label = _once(ax, "study, area by its cases")
    ax.plot([], [], linestyle="none", label=label, **ring, **look)


def _write_names(ax: Axes, fit: SummaryRoc, names: Sequence[str]) -> None:
    """Write the names of studies beside them, and say which find no room."""
    n = 0 if fit.cells is None else fit.cells.shape[1]
    if len(names) != n:
        msg = f"The fit has {n} studies, but there are {len(names)} names. Pass one for each."
        raise ValueError(msg)
    if fit.cells is None:
        return
    if lacking := label_points(ax, *_rates(fit.cells), [*names], color=shade(ax, GREY)):
        warn(
            f"There is no room for the names of {listed_values(lacking)}. Make the figure larger, "
            "or draw it without names."
        )


def _rates(cells: Vector) -> tuple[Vector, Vector]:
    tp, fp, fn, tn = cells
    return fp / (fp + tn), tp / (tp + fn)


def _once(ax: Axes, label: str) -> str:
    """Return a label that is not in legends if one of the axes' lines has it already."""
    taken = any(line.get_label() == label for line in ax.lines)
    return f"_{label}" if taken else label
