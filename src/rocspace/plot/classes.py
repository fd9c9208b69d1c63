"""More than two classes: curves of each class, the matrix of pairs, and the triangle of three."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.optional import require
from rocspace._base.text import LONGEST, estimate, share, shortened
from rocspace._base.words import listed_values
from rocspace.bands.api import roc_band
from rocspace.curves.roc import roc_curve
from rocspace.multiclass.cases import MulticlassScores, need_classes
from rocspace.multiclass.decisions import ClassDecisions
from rocspace.multiclass.pairs import PairwiseAreas, pairwise_areas
from rocspace.multiclass.rest import one_vs_rest_estimate
from rocspace.plot.axes import GREY, INK, LIGHT, LOOKS, axes_for, shade
from rocspace.plot.graph import plot_roc, roc_axes
from rocspace.plot.legends import make_room, show_legend
from rocspace.plot.uncertain import plot_band

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INSIDE = 4  # names in a legend that leave room for the curves
_BANDS = 4  # bands of more classes would hide each other
_INTERVALS = 6  # classes up to which a cell of the matrix has room for an interval
_NUMBERS = 16  # and for a number
_ACROSS, _SHORTEST = 7.0, 2.0  # heights of a letter across an interval, and a brief number
_LEGIBLE = 5.0  # points; an interval of smaller letters is left out
_ABREAST = 36  # letters that fit below the matrix side by side
_BELOW = 32  # letters below a triangle
_POINTS = 3000  # cases that are drawn
_PLACES = 3  # decimals of the place of a case; those that share a place are one mark
_MARK, _LARGEST = 9.0, 120.0  # area of the mark of a case, and of the largest, in square points
_BESIDE = 4.0  # points between the marks of several classes at one place
_OFF = 0.05  # rounded probabilities do not sum to 1 exactly
_HEIGHT = 3**0.5 / 2
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, _HEIGHT]])


# --- curves of each class -----------------------------------------------------------------------


@explained
def plot_one_vs_rest(
    data: MulticlassScores,
    name: str | None = None,
    *,
    ax: Axes | None = None,
    bands: bool | None = None,
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw the ROC curve of each class against all others, with its area in the legend.

    Parameters
    ----------
    data : MulticlassScores
        Scores for each class.
    name : str, optional
        The classifier; not needed where there is only one.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    bands : bool, optional
        Whether to shade the confidence band of each curve; by default for up to four classes.
    level : float, default 0.95
        Level of the bands and of the intervals in the legend, which it has for up to six classes.
    **line
        Properties of all curves.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `rocspace.multiclass.one_vs_rest`.

    Notes
    -----
    Classes without cases are left out. The rest is a mixture of the other classes, so the curves
    depend on how frequent these are; `plot_pairwise` does not.

    References
    ----------
    Fawcett (2006), section 9.1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> ax = plot_one_vs_rest(multiclass_scores(y, p), ax=Figure().subplots(), bands=False)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['0: 1 (0.158 to 1)', '1: 0.812 (0.232 to 1)', '2: 0.812 (0.258 to 1)']
    """
    need_classes("plot_one_vs_rest", data)
    ax = roc_axes(ax)
    areas: Any = one_vs_rest_estimate(data, name, average=None)
    words = short_names(areas)
    shaded = len(areas) <= _BANDS if bands is None else bands
    for label, area in areas.items():
        ends = area.interval(level)
        value, limits = estimate(area.value, ends.low, ends.high)
        said = value if len(areas) > _INTERVALS else f"{value} ({limits})"
        table = data.table(label, name=name)
        plot_roc(roc_curve(table), ax=ax, label=f"{words[label]}: {said}", area="none", **line)
        if shaded:
            plot_band(roc_band(table, level=level), ax=ax)
    inside = max(map(len, words.values())) <= LONGEST // 2
    show_legend(ax, title="Area against the rest", few=_INSIDE if inside else 0)
    return ax


def short_names(labels: Sequence[Hashable] | Mapping[Hashable, Any]) -> dict[Hashable, str]:
    """Return what is written for each class: long names are cut in the middle."""
    labels = list(labels)
    return dict(zip(labels, shortened(map(str, labels)), strict=True))


# --- pairs ------------------------------------------------------------------------------------


@explained
def plot_pairwise(
    pairs: PairwiseAreas | MulticlassScores,
    name: str | None = None,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    **image: Any,
) -> Axes:
    r"""Draw the areas of all pairs of classes as a matrix, darker where a pair is harder to tell.

    Parameters
    ----------
    pairs : PairwiseAreas or MulticlassScores
        From `rocspace.multiclass.pairwise_areas`, or the scores.
    name : str, optional
        The classifier; not needed where there is only one, nor for areas.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the intervals.
    **image
        Properties of the image, such as ``cmap``, ``vmin`` and ``vmax``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `rocspace.multiclass.pairwise_areas`.

    Notes
    -----
    Each cell is the mean of both directions of a pair, the lower triangle only. Its interval is
    written for up to six classes, its number for up to 16; a scale of colours stands beside a
    larger matrix. The scale ends at 1, and starts at the tenth below the least area. Shades of one
    hue differ in lightness, so that they survive black-and-white print and colour vision
    deficiency.

    References
    ----------
    Hand and Till (2001), equation 7, whose mean is over these pairs.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = [0, 0, 1, 1, 2, 2]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> ax = plot_pairwise(multiclass_scores(y, p), ax=Figure().subplots())
    >>> [text.get_text().partition("\n")[0] for text in ax.texts]
    ['0.875', '1', '0.750']
    """
    if not isinstance(pairs, PairwiseAreas):
        need_classes("plot_pairwise", pairs)
        pairs = pairwise_areas(pairs, name)
    ax = axes_for(ax, object())  # a second matrix would hide the first
    held = {label for pair in pairs.estimates for label in pair}
    labels = [label for label in pairs.classes if label in held]
    place = {label: i for i, label in enumerate(labels)}
    k = len(labels)
    area = np.full((k - 1, k - 1), np.nan)
    for (first, second), found in pairs.estimates.items():
        area[place[second] - 1, place[first]] = found.value
    low = min(np.floor(10 * np.nanmin(area)) / 10, 0.9)
    look = {"cmap": "Blues_r", "vmin": low, "vmax": 1.0, "interpolation": "nearest"} | image
    shown = ax.imshow(area, **look)
    words = list(short_names(labels).values())
    ax.set_xticks(range(k - 1), words[:-1])
    ax.set_yticks(range(k - 1), words[1:])
    if max(map(len, words[:-1])) > _ABREAST // (k - 1):
        ax.tick_params(axis="x", labelrotation=90)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    make_room(ax)
    if k <= _NUMBERS:
        _write_areas(ax, shown, pairs, place, level)
    else:
        ax.figure.colorbar(shown, ax=ax, label="Area")
    return ax


def _write_areas(
    ax: Axes, shown: Any, pairs: PairwiseAreas, place: Mapping[Hashable, int], level: float
) -> None:
    """Write each area into its cell, in black or white, with its interval if there is room."""
    cell = cell_width(ax, len(place) - 1)
    patch = require("matplotlib.patches", extra="plot").Rectangle
    brief = len(place) > _INTERVALS or cell / _ACROSS < _LEGIBLE
    size = min(_type_size("small" if brief else "medium"), cell / (_SHORTEST if brief else _ACROSS))
    for (first, second), found in pairs.estimates.items():
        ends = found.interval(level)
        value, limits = estimate(found.value, ends.low, ends.high)
        words = brief_area(found.value) if brief else f"{value}\n{limits.replace(' to ', '–')}"
        red, green, blue, _ = shown.cmap(shown.norm(found.value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        at = place[first], place[second] - 1
        colour = "white" if dark else "black"
        ax.text(*at, words, color=colour, fontsize=size, ha="center", va="center")
        corner = at[0] - 0.5, at[1] - 0.5  # a pair that is told apart is white on white
        ax.add_patch(patch(corner, 1, 1, fill=False, edgecolor=shade(ax, LIGHT), linewidth=0.5))


def cell_width(ax: Axes, n: int) -> float:
    """Return the width of one of n cells in points, once the layout is settled."""
    figure: Any = ax.get_figure()
    figure.figure.draw_without_rendering()  # of a subfigure, the whole one
    return float(ax.get_window_extent().width / figure.figure.dpi * 72 / n)


def _type_size(name: str) -> float:
    fonts = require("matplotlib.font_manager", extra="plot")
    return float(fonts.FontProperties(size=name).get_size_in_points())


def brief_area(value: float) -> str:
    """Write two decimals without the zero before them."""
    return ">.99" if 0.995 <= value < 1 else share(value, 2).removeprefix("0")


# --- three classes ----------------------------------------------------------------------------


@explained
def plot_ternary(
    data: MulticlassScores,
    name: str | None = None,
    *,
    costs: ArrayLike | None = None,
    decisions: ClassDecisions | None = None,
    ax: Axes | None = None,
    **points: Any,
) -> Axes:
    """Draw the probabilities of three classes in a triangle, with the regions of each decision.

    Parameters
    ----------
    data : MulticlassScores
        Probabilities of three classes, which sum to 1.
    name : str, optional
        The classifier; not needed where there is only one.
    costs : array-like, shape (3, 3), optional
        ``costs[i, j]``: cost of predicting class i for a case of class j, as for
        `rocspace.calibrate.relabel`, in the order of ``data.classes``. By default every error costs
        1, so that the largest probability decides.
    decisions : ClassDecisions, optional
        In place of costs: the regions are those of its rule and weights, as
        `rocspace.multiclass.best_class_weights` chooses them.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **points
        Properties of the marks of the cases.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        If there are not three classes, the scores are not probabilities, the costs have another
        shape, or both costs and decisions are given or these are of other classes.

    Notes
    -----
    A corner is a probability of 1. The shade behind a case is the class of least expected cost, or
    that of the decisions; borders are straight lines, drawn exactly. Of more than 3000 cases, 3000
    are drawn, at equal steps along the data; a case lies where its probabilities are after division
    by their sum. Where most cases share their place with others, as counts of votes do, those of a
    class are one mark whose area is their number, and classes at one place stand side by side.

    References
    ----------
    No source: expected cost, in barycentric coordinates.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import multiclass_scores
    >>> y = ["a", "a", "b", "b", "c", "c"]
    >>> p = [[.7, .2, .1], [.4, .5, .1], [.2, .6, .2], [.1, .3, .6], [.2, .3, .5], [.3, .1, .6]]
    >>> ax = plot_ternary(multiclass_scores(y, p), ax=Figure().subplots())
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b', 'c']
    """
    need_classes("plot_ternary", data)
    if len(data.classes) != 3:
        msg = (
            f"plot_ternary draws three classes, and there are {len(data.classes)}: "
            f"{listed_values(data.classes)}. See plot_pairwise."
        )
        raise ValueError(msg)
    p = _probabilities(data, name)
    prices = 1.0 - np.eye(3) if costs is None else np.asarray(costs, dtype=np.float64)
    if decisions is not None:
        prices = _prices(decisions, data, given=costs is not None)
    if prices.shape != (3, 3) or not np.isfinite(prices).all():
        msg = f"costs has shape {prices.shape}. Give 3 rows of 3 numbers, a row a decision."
        raise ValueError(msg)
    ax = axes_for(ax, object())
    for j in range(3):
        region = _region(prices, j)
        if len(region) > 2:
            ax.fill(*(region @ _CORNERS).T, color=LOOKS[j][0], alpha=0.13, linewidth=0, zorder=1)
            edge = np.vstack([region, region[:1]]) @ _CORNERS
            ax.plot(*edge.T, color=shade(ax, GREY), linewidth=0.8, zorder=1.5, label="_border")
    step = -(-len(data) // _POINTS)
    words = list(short_names(data.classes).values())
    _draw_cases(ax, p[::step] @ _CORNERS, data.label[::step], words, points)
    _name_corners(ax, words)
    return ax


def _draw_cases(
    ax: Axes, xy: Vector, label: Ints, words: Sequence[str], points: Mapping[str, Any]
) -> None:
    """Draw the cases of each class; where most share their place, a mark for each place."""
    at, place = np.unique(np.round(xy, _PLACES), axis=0, return_inverse=True)
    many = np.zeros((len(at), 3))
    np.add.at(many, (place.ravel(), label), 1)
    crowded = 2 * len(at) <= len(xy)
    shared = (many > 0).sum(axis=1) > 1
    figure: Any = ax.get_figure()
    shift = require("matplotlib.transforms", extra="plot").ScaledTranslation
    for i, (word, mark) in enumerate(zip(words, "o^s", strict=True)):
        look = {"alpha": 0.6, "linewidths": 0, "marker": mark, "color": LOOKS[i][0]}
        look |= {"label": word, "zorder": 2}
        if not crowded:
            ax.scatter(*xy[label == i].T, **{"s": _MARK, **look, **points})
            continue
        own = many[:, i] > 0
        area = np.minimum(_MARK * many[own, i], _LARGEST)
        moved = shift((i - 1) * _BESIDE / 72, 0, figure.figure.dpi_scale_trans)
        for alone, how in ((True, ax.transData), (False, ax.transData + moved)):
            there = shared[own] != alone
            look["label"] = word if alone else "_beside"
            ax.scatter(*at[own][there].T, **{"s": area[there], **look, "transform": how, **points})


def _prices(decisions: ClassDecisions, data: MulticlassScores, *, given: bool) -> Vector:
    """Return costs of decisions whose least expected one is what the decisions call."""
    if given or decisions.classes != data.classes:
        msg = (
            "Give costs or decisions, and not both."
            if given
            else f"The decisions are about {listed_values(decisions.classes)}, and the data about "
            f"{listed_values(data.classes)}, in this order."
        )
        raise ValueError(msg)
    if decisions.rule == "largest":
        return -np.diag(decisions.class_weight)
    return np.asarray(decisions.costs.cost * decisions.class_weight)


def _name_corners(ax: Axes, words: Sequence[str]) -> None:
    """Frame the triangle, and write each class at its corner."""
    ax.plot(
        *np.vstack([_CORNERS, _CORNERS[:1]]).T, color=shade(ax, INK), linewidth=0.8, label="_frame"
    )
    sides: tuple[dict[str, Any], ...] = (
        {"ha": "left", "va": "top", "xytext": (-4, -7)},
        {"ha": "right", "va": "top", "xytext": (4, -7)},
        {"ha": "center", "va": "bottom", "xytext": (0, 7)},
    )
    if len(words[0]) + len(words[1]) > _BELOW:  # which share a line
        words = shortened(words, _BELOW // 2)
    for i, (corner, word, side) in enumerate(zip(_CORNERS, words, sides, strict=True)):
        look: dict[str, Any] = {"color": LOOKS[i][0], "fontweight": "bold"}
        x, y = corner.tolist()
        ax.annotate(word, (x, y), textcoords="offset points", **look, **side)
    ax.set(aspect="equal", xlim=(-0.05, 1.05), ylim=(-0.1, _HEIGHT + 0.1))
    ax.set_axis_off()


def _probabilities(data: MulticlassScores, name: str | None) -> Vector:
    """Return the probabilities of each case, which are divided by their sum."""
    score = np.asarray(data.score[:, data.classifier(name), :], dtype=np.float64)
    total = score.sum(axis=1)
    wrong = np.flatnonzero((score < 0).any(axis=1) | ~(np.abs(total - 1) <= _OFF))
    if wrong.size:
        at = int(wrong[0])
        msg = (
            f"plot_ternary needs probabilities that sum to 1; those of case {at} are "
            f"{score[at].tolist()}. Make them so, or see plot_one_vs_rest."
        )
        raise ValueError(msg)
    return np.asarray(score / total[:, None])


def _region(costs: Vector, j: int) -> Vector:
    """Return the corners of the region where deciding j costs least, as probabilities.

    The triangle is cut by one straight line for each other decision.
    """
    region = np.eye(3)
    for other in range(3):
        if other == j or not len(region):
            continue
        extra = region @ (costs[j] - costs[other])  # what deciding j costs more
        kept: list[Vector] = []
        for a in range(len(region)):
            b = (a + 1) % len(region)
            if extra[a] <= 0:
                kept.append(region[a])
            if extra[a] * extra[b] < 0:
                kept.append(region[a] + (region[b] - region[a]) * extra[a] / (extra[a] - extra[b]))
        region = np.array(kept).reshape(-1, 3)
    return region
