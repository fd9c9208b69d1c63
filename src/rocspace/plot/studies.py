"""The area as a function of a covariate, and posterior distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.text import percent, spaced
from rocspace.designs.bayes.posteriors import Posterior
from rocspace.designs.by_covariate import ConditionalAuc
from rocspace.plot.asked import drawn
from rocspace.plot.axes import INK, LIGHT, LOOKS, add_main, look_of, reference_line, set_up, shade
from rocspace.plot.files import literal
from rocspace.plot.legends import draw_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 60
_QUANTITIES = {
    "auc": "Area under the curve",
    "partial_area": "Partial area",
    "partial auc": "Partial area",
    "average_precision": "Average precision",
    "youden": "Youden's index",
    "tpr": "True positive rate",
    "fpr": "False positive rate",
}


@drawn
def plot_auc_by_covariate(
    found: ConditionalAuc,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    simultaneous: bool = True,
    **line: Any,
) -> Axes:
    """Draw the area, or a difference of areas, as a function of a covariate, with its band.

    Parameters
    ----------
    found : ConditionalAuc
        From `rocspace.designs.auc_by_covariate` or `auc_by_covariate_difference`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the band.
    simultaneous : bool, default True
        Whether the band holds at all values together, or at each by itself.
    **line
        Properties of the line; categories have points and bars.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. The thin line is the area of chance, or no difference.

    References
    ----------
    Those of the areas.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> from rocspace.designs import auc_by_covariate, covariate_scores
    >>> y, age = np.arange(60) % 2, np.arange(60) % 31
    >>> data = covariate_scores(y, y + np.sin(np.arange(60)) + age / 30, {"age": age})
    >>> found = auc_by_covariate(data, "age", at=[0, 10, 20, 30], model="roc-glm")
    >>> ax = plot_auc_by_covariate(found, ax=Figure().subplots())
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('age', 'Area under the curve')
    """
    of_gaps = len(found.names) == 2
    what = "Difference of areas" if of_gaps else "Area under the curve"
    ax = set_up(ax, literal(found.covariate), what)
    name, null = ("no difference", 0.0) if of_gaps else ("chance", 0.5)
    band = found.band(level, simultaneous=simultaneous)
    look = look_of(ax, line)
    if isinstance(found.at, np.ndarray):
        order = np.argsort(found.at, kind="stable")
        x = found.at[order]
        reference_line(ax, name, x[[0, -1]], [null, null])
        shade = {"color": look["color"], "alpha": 0.2, "linewidth": 0.6, "zorder": 1.3}
        ax.fill_between(x, band.low[order], band.high[order], **shade)
        draw_line(ax, x, band.auc[order], look)
    else:
        x = np.arange(len(found), dtype=np.float64)
        reference_line(ax, name, [-0.5, len(found) - 0.5], [null, null])
        lengths = np.stack([band.auc - band.low, band.high - band.auc])
        bars = ax.errorbar(
            x,
            band.auc,
            lengths,
            fmt="o",
            color=look["color"],
            capsize=3,
            label=line.get("label", "_areas"),
        )
        add_main(bars.lines[0])
        ax.set_xticks(x, [literal(str(each)) for each in found.at])
        ax.set_xlim(-0.5, len(found) - 0.5)
    if of_gaps:
        return ax
    bottom = min(0.5, float(band.low.min()))
    ax.set_ylim(min(ax.get_ylim()[0], max(bottom - 0.03, -0.015)), 1.015)
    return ax


@drawn
def plot_posterior(
    found: Posterior,
    *,
    ax: Axes | None = None,
    region: tuple[float, float] | None = None,
    level: float = 0.95,
    **patch: Any,
) -> Axes:
    """Draw the histogram of a posterior, its highest-density interval and a region.

    Parameters
    ----------
    found : Posterior
        From `rocspace.designs.posterior`, `posterior_difference` or `binormal_posterior`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    region : tuple of float, optional
        The ends of a region of practical equivalence: it is shaded, and the probabilities below,
        inside and above are written beside it.
    level : float, default 0.95
        Level of the interval, the bar below the histogram.
    **patch
        Properties of the histogram.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on.

    References
    ----------
    Kruschke (2018), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.designs import posterior
    >>> data = datasets.load("fawcett20")
    >>> found = posterior(tabulate(data.y_true, data.y_score), n_boot=500, rng=1)
    >>> ax = plot_posterior(found, region=(0.45, 0.55), ax=Figure().subplots())
    >>> [each.get_text() for each in ax.texts]
    ['below: 3.8 %', 'inside: 11.4 %', 'above: 84.8 %']
    """
    ax = set_up(ax, literal(_in_words(found.name)), "Posterior density")
    look: dict[str, Any] = {
        "color": LOOKS[0][0],
        "alpha": 0.45,
        "histtype": "stepfilled",
        "zorder": 1.6,
    }
    interval = found.interval(level, kind="highest-density")
    ends = (min(found.draws.min(), interval.low), max(found.draws.max(), interval.high))
    ax.hist(found.draws, bins=_BINS, range=ends, density=True, **(look | patch))
    top = ax.get_ylim()[1]
    bar = ax.plot([interval.low, interval.high], [0, 0], color=shade(ax, INK), linewidth=3)[0]
    bar.set(solid_capstyle="butt", clip_on=False, label="_interval", zorder=3)
    add_main(bar)
    ax.set_ylim(0, top * (1.15 if region else 1.0))
    ax.set_yticks([])
    if region is not None:
        near = found.region(*region, level=level)
        ax.axvspan(*near.region, color=shade(ax, LIGHT), alpha=0.5, linewidth=0, zorder=1.2)
        shares = {"below": near.below, "inside": near.inside, "above": near.above}
        places = zip(shares.items(), (0.02, 0.5, 0.98), ("left", "center", "right"), strict=True)
        for (name, value), x, side in places:
            words = f"{name}: {spaced(percent(value))}"
            ax.text(x, 0.97, words, transform=ax.transAxes, ha=side, va="top", fontsize="small")
    return ax


def _in_words(name: str) -> str:
    """Return the name of a posterior with its quantity in words, as on the axes of other plots."""
    for symbol, words in _QUANTITIES.items():
        if name == symbol or name.startswith((f"{symbol},", f"{symbol} at ")):
            return words + name.removeprefix(symbol)
    return name
