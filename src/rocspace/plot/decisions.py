"""Decisions among several classes: the confusion matrix, and costs between two conditions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.exact import ratio
from rocspace._base.text import count, percent
from rocspace.counts.confusion import ConfusionMatrix
from rocspace.multiclass.costs import CostSlice
from rocspace.multiclass.decisions import ClassDecisions
from rocspace.plot.asked import drawn
from rocspace.plot.axes import LIGHT, LOOKS, axes_for, set_up, shade
from rocspace.plot.classes import short_names
from rocspace.plot.legends import make_room
from rocspace.results.point import OperatingPoint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES = 8  # classes up to which a cell has room for a share
_NUMBERS = 16  # and for a count
_ABREAST = 36  # letters that fit below the matrix side by side
_LINES = 7  # names that a legend has room for


@drawn
def plot_confusion(
    decisions: ClassDecisions | ConfusionMatrix | OperatingPoint,
    *,
    ax: Axes | None = None,
    **image: Any,
) -> Axes:
    r"""Draw a confusion matrix: how many cases of each class are called by each name.

    Parameters
    ----------
    decisions : ClassDecisions, ConfusionMatrix or OperatingPoint
        From `rocspace.multiclass.best_class_weights` or `rocspace.multiclass.decide_classes`; of
        two classes also from `rocspace.evaluate` of one threshold, `rocspace.confusion_matrix`,
        `rocspace.point_at` and the like.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **image
        Properties of the image, such as ``cmap``, ``vmin`` and ``vmax``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Raises
    ------
    ValueError
        If a `ConfusionMatrix` is of several thresholds.

    Notes
    -----
    A row is a true class, its shades are the shares of its cases, so that rare classes are seen as
    well as frequent ones. The count is written for up to 16 classes, with the share below it for
    up to eight. Shades of one hue survive black-and-white print and colour vision deficiency.

    References
    ----------
    Fawcett (2006), section 9.1, on the confusion matrix of k classes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import decide_classes, multiclass_scores
    >>> y, p = ["a", "a", "b"], [[.8, .2], [.4, .6], [.3, .7]]
    >>> ax = plot_confusion(decide_classes(multiclass_scores(y, p)), ax=Figure().subplots())
    >>> [text.get_text().partition("\n")[0] for text in ax.texts]
    ['1', '1', '0', '1']
    """
    ax = axes_for(ax, object())  # a second matrix would hide the first
    classes, counts, rate = _cross_table(decisions)
    k = len(classes)
    look: dict[str, Any] = {"cmap": "Blues", "vmin": 0.0, "vmax": 1.0} | image
    shown = ax.imshow(rate, **{"interpolation": "nearest"} | look)
    words = list(short_names(classes).values())
    ax.set_xticks(range(k), words)
    ax.set_yticks(range(k), words)
    if max(map(len, words)) > _ABREAST // k:
        ax.tick_params(axis="x", labelrotation=90)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="Called", ylabel="True class")
    make_room(ax)
    if k > _NUMBERS:
        ax.figure.colorbar(shown, ax=ax, label="Share of the true class")
        return ax
    size = "medium" if k <= _SHARES // 2 else "small"
    for i, j in np.ndindex(k, k):
        red, green, blue, _ = shown.cmap(shown.norm(rate[i, j]))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        said = count(counts[i, j])
        if k <= _SHARES:
            said += f"\n{percent(rate[i, j])}"
        colour = "white" if dark else "black"
        ax.text(j, i, said, color=colour, fontsize=size, ha="center", va="center")
    return ax


def _cross_table(
    decisions: ClassDecisions | ConfusionMatrix | OperatingPoint,
) -> tuple[Sequence[Hashable], Array, Array]:
    """Return the classes, the counts by true and called class, and their shares of the true one."""
    if isinstance(decisions, ClassDecisions):
        return decisions.classes, decisions.counts, decisions.rates.rate[0]
    four = decisions.tp, decisions.fn, decisions.fp, decisions.tn
    if any(np.ndim(each) for each in four):
        msg = "plot_confusion draws one matrix, and these are several. Give one threshold."
        raise ValueError(msg)
    counts = np.asarray(four).reshape(2, 2)
    return ("positive", "negative"), counts, ratio(counts, counts.sum(axis=1, keepdims=True))


@drawn
def plot_cost_slice(found: CostSlice, *, ax: Axes | None = None, **line: Any) -> Axes:
    """Draw what classifiers cost on the way from one operating condition to another.

    Parameters
    ----------
    found : CostSlice
        From `rocspace.multiclass.cost_slice`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    **line
        Properties of the lower envelope.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    Notes
    -----
    The broad line below the others is the least cost. Of up to seven classifiers that are cheapest
    somewhere the whole lines are drawn, each with its name; those of the others are grey.

    References
    ----------
    Drummond and Holte (2006), section 3, for two classes.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.multiclass import class_rates, cost_slice
    >>> rates = class_rates([0, 0, 1, 1], {"a": [0, 1, 1, 1], "b": [0, 0, 0, 1]})
    >>> ax = plot_cost_slice(cost_slice(rates, [[0, 1], [9, 0]], [[0, 9], [1, 0]]),
    ...     ax=Figure().subplots())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['b', 'a']
    """
    ax = set_up(
        ax, "From the first condition (0) to the second (1)", "Expected cost per case", share=True
    )
    named = list(dict.fromkeys(names[0] for names in found.cheapest))[:_LINES]
    words = short_names(found.names)  # so that names that are much alike differ
    for name, zero, one in zip(found.names, found.at_zero, found.at_one, strict=True):
        if name not in named:
            ax.plot(
                [0, 1], [zero, one], color=shade(ax, LIGHT), linewidth=0.6, zorder=1, label="_other"
            )
    look: dict[str, Any]
    for i, name in enumerate(named):
        at = found.names.index(name)
        colour, dashes = LOOKS[i % len(LOOKS)]
        ends = [found.at_zero[at], found.at_one[at]]
        look = {"color": colour, "linestyle": dashes, "linewidth": 1.4}
        ax.plot([0, 1], ends, **look, zorder=1.8, label=words[name])
    look = {
        "color": shade(ax, LIGHT),
        "linewidth": 5.0,
        "linestyle": "-",
        "label": "_least",
        "zorder": 1.5,
    }
    ax.plot(found.corner, found.cost, **{**look, **line})
    top = 1.25 * (float(found.cost.max()) or 0.8)
    bottom = min(float(found.cost.min()), 0.0)
    ax.set_ylim(bottom - 0.02 * (top - bottom), top)
    ax.legend(title="Cheapest")
    return ax
