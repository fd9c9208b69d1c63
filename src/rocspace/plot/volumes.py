"""The ROC surface of three ordered classes, seen from its three sides."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.frozen import a_kind_of
from rocspace._base.optional import require
from rocspace._base.text import LONGEST, estimate, shortened
from rocspace.multiclass.cases import OrderedScores
from rocspace.multiclass.surfaces import Cuts, roc_surface
from rocspace.multiclass.trinormal import TrinormalSurface
from rocspace.multiclass.volumes import vus_estimate
from rocspace.plot.axes import reference_line, set_up
from rocspace.plot.legends import width_of
from rocspace.plot.pairs import squares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FINE, _COARSE = 1001, 201  # points of both axes, one of which is turned round
_TENTHS = np.linspace(0, 1, 11)
_SHORT = 8  # letters of a class that is written beside the words before it
_WIDTH, _HEIGHT = 7.5, 3.0
_ROW = 5.5, 1.6  # inches of width, and times the height, from which on panels stand in a row
_WORDS, _BROAD = 0.7, 1.5  # inches of words beside a panel, and of one that has room for them
_LETTERS = 18, 12  # of a class, in a square of panels that have room for words, and of others
_SIDES = ((0, 2, 1), (1, 2, 0), (0, 1, 2))  # along, up, and the class whose rate is shown


@explained
def plot_surface(
    surface: OrderedScores | TrinormalSurface,
    name: str | None = None,
    *,
    cuts: Cuts | None = None,
    figure: Any = None,
    level: float = 0.95,
    **image: Any,
) -> dict[Hashable, Axes]:
    """Draw the ROC surface of three ordered classes from its three sides, as contours.

    Parameters
    ----------
    surface : OrderedScores or TrinormalSurface
        Three classes in their order, and their scores; or a surface that was fitted to them.
    name : str, optional
        The marker; not needed where there is only one, nor for a fitted surface.
    cuts : Cuts, optional
        From `rocspace.multiclass.best_cuts`: the rates at these thresholds are marked.
    figure : matplotlib.figure.Figure, optional
        An empty figure, best 2.5 times as wide as high; by default a new one of pyplot, 7.5 inches
        wide. In one that is narrower, or not 1.6 times as wide as high, the panels stand in a
        square.
    level : float, default 0.95
        Level of the interval of the volume, which stands above.
    **image
        Properties of the filled contours, such as ``cmap``.

    Returns
    -------
    dict of labels to matplotlib.axes.Axes
        By the class whose correct rate the shades show: the middle class, the first, the last.

    Raises
    ------
    SingleClassError
        If a class of the order has no cases.
    TypeError, ValueError
        If it is of another kind or not of three classes, or the marker is unknown or not named.

    Notes
    -----
    Each panel has the correct rates of two classes along its axes, and shows the largest correct
    rate of the third class that is possible with them. All three are sides of one surface. That of
    an uninformative score ends at the dashed line, where both rates sum to 1. O(n log n).

    References
    ----------
    Nakas and Yiannoutsos (2004), a paper on this alone, for the surface; the sides are our own.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> panels = plot_surface(ordered_scores(y, score, order=[1, 2, 3]), figure=Figure())
    >>> [ax.get_title() for ax in panels.values()]
    ['Correct rate of 2', 'Correct rate of 1', 'Correct rate of 3']
    """
    _need_surface(surface)
    sides = _sides(surface, name)
    if figure is None:
        size = (_WIDTH, _HEIGHT)
        figure = require("matplotlib.pyplot", extra="plot").figure(figsize=size)
    squares(figure)
    width, height = figure.get_size_inches()
    in_row = width >= _ROW[0] and width >= _ROW[1] * height
    axes = figure.subplots(1, 3) if in_row else figure.subplots(2, 2).ravel()[[0, 3, 2, 1]]
    side = width / 3 if in_row else min(width, height) / 2
    broad = side - _WORDS >= _BROAD
    most = LONGEST if in_row else _LETTERS[0 if broad else 1]
    rate_of = [_rate_of(word, broad) for word in shortened(map(str, surface.classes), most)]
    panels = {}
    for i, (view, rate) in enumerate(zip(_SIDES, sides, strict=True)):
        turned = not in_row and i == 1  # beside the panel that has the same class upwards
        (along, up), shown = view[1::-1] if turned else view[:2], view[2]
        ax = panels[surface.classes[shown]] = axes[i]
        set_up(ax, rate_of[along], rate_of[up], square=True)
        for text in (ax.xaxis.label, ax.yaxis.label):
            text.set_parse_math(False)
        ax.set_title(rate_of[shown], fontsize=ax.xaxis.label.get_size(), parse_math=False)
        if not broad:
            ax.set_xticks([0, 0.5, 1], labels=["0", "0.5", "1"])
            ax.set_yticks([0, 0.5, 1], labels=["0", "0.5", "1"])
        shades = _draw_side(ax, rate.T if turned else rate, image)
        if cuts is not None:
            ax.plot(cuts.rate[along], cuts.rate[up], "o", color="black", label="_cuts", zorder=3)
    _scale(figure, axes, shades, in_row)
    _say_volume(figure, _volume(surface, name, level))
    return panels


def _scale(figure: Any, axes: Any, shades: Any, in_row: bool) -> None:
    """Draw the scale of colours right of a row; of a square, in its empty corner."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    if in_row:
        figure.colorbar(shades, ax=axes, ticks=ticks)
        return
    above, beside, corner = axes[0], axes[1], axes[3]  # what they share is written once
    above.xaxis.label.set_visible(False)
    above.tick_params(labelbottom=False)
    beside.yaxis.label.set_visible(False)
    beside.tick_params(labelleft=False)
    corner.set_axis_off()
    corner.set_box_aspect(1)
    bar = figure.colorbar(
        shades, cax=corner.inset_axes([0, 0.4, 1, 0.12]), orientation="horizontal", ticks=ticks[::5]
    )
    bar.set_label("Rate in the title")


def _say_volume(figure: Any, words: str) -> None:
    """Write the volume above all panels, in two lines where one is too long."""
    setting = require("matplotlib", extra="plot").rcParams["axes.labelsize"]
    fonts = require("matplotlib.font_manager", extra="plot")
    size = float(fonts.FontProperties(size=setting).get_size_in_points())
    long = width_of(figure.figure, words, size) > 0.95 * figure.bbox.width
    figure.suptitle(words.replace("; ", ";\n") if long else words, fontsize=size)


def _need_surface(surface: Any) -> None:
    if not isinstance(surface, OrderedScores | TrinormalSurface):
        msg = (
            f"plot_surface takes OrderedScores, not {a_kind_of(surface)}: "
            "plot_surface(ordered_scores(y_true, score, order=[...]))."
        )
        raise TypeError(msg)


def _rate_of(word: str, broad: bool) -> str:
    return f"Correct rate of{' ' if broad and len(word) <= _SHORT else chr(10)}{word}"


def _sides(surface: OrderedScores | TrinormalSurface, name: str | None) -> list[Vector]:
    """Return the rate of the third class by those of two, along rows and columns, of each side."""
    fine, coarse = np.linspace(0, 1, _FINE), np.linspace(0, 1, _COARSE)

    def middle(first: Vector, last: Vector) -> Vector:
        if isinstance(surface, TrinormalSurface):
            return surface.surface_at(first, last)
        return roc_surface(surface, first, last, name)

    # The middle rate falls as either other one rises, so that each can be had from the other two.
    by_last = _inverse(middle(fine[:, None], coarse), coarse, fine)
    by_first = _inverse(middle(coarse[:, None], fine).T, coarse, fine)
    return [middle(coarse[:, None], coarse).T, by_last.T, by_first]


def _inverse(falling: Vector, wanted: Vector, at: Vector) -> Vector:
    """Return for each column and each value wanted the last place where the column reaches it.

    The result has a row for each value and a column for each column; 0 where nothing reaches it.
    """
    found = np.empty((wanted.size, falling.shape[1]))
    for j, column in enumerate(falling.T):
        reach = np.searchsorted(-column, 1e-12 - wanted, side="right")
        found[:, j] = np.where(reach > 0, at[reach - 1], 0.0)
    return found


def _draw_side(ax: Axes, height: Vector, image: dict[str, Any]) -> Any:
    """Draw contours at each tenth, and the line that an uninformative score reaches."""
    at = np.linspace(0, 1, _COARSE)
    look: dict[str, Any] = {"cmap": "Blues", "zorder": 0.5}
    shades = ax.contourf(at, at, height, levels=_TENTHS, **(look | image))
    ax.contour(at, at, height, levels=_TENTHS[1:-1], colors="0.25", linewidths=0.4, zorder=1)
    reference_line(ax, "chance", [0, 1], [1, 0], linestyle=(0, (4, 3)), color="black")
    return shades


def _volume(surface: OrderedScores | TrinormalSurface, name: str | None, level: float) -> str:
    if isinstance(surface, TrinormalSurface):
        found = surface.vus_estimate()
    else:
        found = vus_estimate(surface, name)
    ends = found.interval(level)
    value, limits = estimate(found.value, ends.low, ends.high)
    return f"Volume under the surface {value} ({limits}); an uninformative score has 0.167"
