"""Volcano plots: very many features, each with its area and its p value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base import text
from rocspace._base.arrays import Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_inside
from rocspace._base.frozen import a_kind_of
from rocspace._base.text import shortened
from rocspace.compare.screening import RankedFeatures
from rocspace.plot.axes import reference_line, set_up, shade
from rocspace.plot.files import literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST = 1e-300  # p values that float64 hardly resolves
_LINE = 0.05  # height of a name, as a share of that of the axes
_OUTER = 0.25  # points nearer to the middle have their names on the outer side
_MOST = 5000  # points of features that were not found are thinned to about as many


@explained
def plot_volcano(
    ranked: RankedFeatures,
    *,
    ax: Axes | None = None,
    at: float = 0.05,
    named: int = 5,
    **line: Any,
) -> Axes:
    """Draw the p value of each feature over its area; those that were found are dark.

    Parameters
    ----------
    ranked : RankedFeatures
        From `rocspace.compare.rank_features`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    at : float, default 0.05
        Largest adjusted p value of features that count as found.
    named : int, default 5
        How many of the found ones with the smallest p values are named, but for names that would
        overlap.
    **line
        Properties of the marks of the found ones.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    TypeError
        If this is not a ranking.
    ValueError
        If `at` is not strictly between 0 and 1.

    Notes
    -----
    The height is minus the decimal logarithm of the p value before adjustment, so that ties among
    adjusted ones are told apart. Of more than 5,000 features that were not found every so many in
    the order of the p values are drawn.

    References
    ----------
    No source: a volcano plot.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from rocspace.compare import rank_features
    >>> y, genes = np.arange(40) % 2, np.random.default_rng(1).normal(size=(40, 200))
    >>> genes[:, 3] += 3 * y
    >>> ax = plot_volcano(rank_features(genes, y), ax=Figure().subplots())
    >>> ax.texts[0].get_text()
    'feature_4'
    """
    _need_ranking(ranked)
    most = check_inside("at", at)
    ax = set_up(ax, "Area under the curve", "−log10 of the p value")
    height = -np.log10(np.maximum(ranked.pvalue, _LEAST))
    is_found = ranked.adjusted_pvalue <= most
    found = np.flatnonzero(is_found)
    others = np.flatnonzero(~is_found & ~np.isnan(ranked.pvalue))
    others = others[:: max(1, others.size // _MOST)]
    marks: dict[str, Any] = {
        "linestyle": "none",
        "marker": "o",
        "markersize": 3.0,
        "rasterized": len(ranked) > 500,
    }
    ax.plot(
        ranked.auc[others], height[others], **{**marks, "color": shade(ax, "0.7")}, label="_others"
    )
    look = {**marks, "color": "C0", **line}
    ax.plot(ranked.auc[found], height[found], **{"label": "_found", **look})
    reference_line(ax, "half", [0.5, 0.5], [0.0, float(np.nanmax(height, initial=1.0))])
    ax.set_xlim(-0.02, 1.02)  # a mark at the end is drawn whole
    ax.set_ylim(0, 1.12 * max(1.0, float(np.nanmax(height, initial=1.0))))
    _name(ax, ranked, found[:named], height)
    said = f"{text.count(found.size)} of {text.count(len(ranked))} found"
    ax.annotate(
        said,
        (0.5, 1.0),
        xycoords="axes fraction",
        xytext=(0, -3),
        ha="center",
        va="top",
        textcoords="offset points",
        fontsize="small",
    )
    return ax


def _need_ranking(ranked: Any) -> None:
    if not isinstance(ranked, RankedFeatures):
        msg = (
            f"plot_volcano takes RankedFeatures, not {a_kind_of(ranked)}: "
            "plot_volcano(rank_features(frame, label))."
        )
        raise TypeError(msg)


def _name(ax: Axes, ranked: RankedFeatures, rows: Ints, height: Vector) -> None:
    """Name points on their outer sides, but for those whose names would overlap."""
    apart = _LINE * ax.get_ylim()[1]
    names = shortened(ranked.names[i] for i in rows)
    last = {True: float("inf"), False: float("inf")}  # the height of the last name on either side
    for i, name in zip(rows.tolist(), names, strict=True):
        above = bool(ranked.auc[i] >= 0.5)
        if last[above] - height[i] < apart:
            continue
        last[above] = float(height[i])
        outside = abs(float(ranked.auc[i]) - 0.5) < _OUTER
        right = above == outside
        ax.annotate(
            literal(name),
            (ranked.auc[i], height[i]),
            xytext=(5 if right else -5, 0),
            textcoords="offset points",
            ha="left" if right else "right",
            va="center",
            fontsize="small",
        )
