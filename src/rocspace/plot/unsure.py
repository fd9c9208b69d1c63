"""Curves and areas where the truth is not known for all cases, or not sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.frozen import a_kind_of
from rocspace._base.text import share
from rocspace.bands.band import Band
from rocspace.designs.corrected import CorrectedCurve
from rocspace.designs.noise import DenoisedBounds
from rocspace.designs.verification import VerificationSensitivity
from rocspace.plot.axes import GREY, look_of, reference_line, set_up, shade
from rocspace.plot.graph import plot_roc, roc_axes
from rocspace.plot.legends import draw_line
from rocspace.plot.uncertain import plot_band
from rocspace.results.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AREA = "Area under the curve"


@explained
def plot_corrected(
    curve: CorrectedCurve,
    *,
    ax: Axes | None = None,
    uncorrected: Curve | None = None,
    band: Band | None = None,
    **line: Any,
) -> Axes:
    """Draw a corrected ROC curve beside the one that nobody corrected.

    Parameters
    ----------
    curve : CorrectedCurve
        From `rocspace.designs.verified_curve` or `rocspace.designs.denoised_curve`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    uncorrected : Curve, optional
        The curve of the cases whose truth is known, or of the labels as they are: grey and dashed.
    band : Band, optional
        The limits of the corrected curve, from `rocspace.designs.verified_band` or
        `rocspace.designs.denoised_band`.
    **line
        Properties of the corrected curve's line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. Where rates were cut or sorted, dots show them as estimated.

    Raises
    ------
    TypeError
        If it is another kind of curve.

    References
    ----------
    Chernozhukov, Fernandez-Val and Galichon (2009), a paper on this alone, for sorting the rates.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import roc_curve, tabulate
    >>> from rocspace.designs import denoised_curve, label_noise
    >>> table = tabulate([1, 1, 1, 0, 0, 0], [6, 5, 3, 4, 2, 1])
    >>> curve = denoised_curve(table, label_noise(neg=0.1))
    >>> ax = plot_corrected(curve, uncorrected=roc_curve(table), ax=Figure().subplots())
    >>> [each.get_text() for each in ax.get_legend().get_texts()]
    ['corrected', 'uncorrected']
    """
    _need(curve, CorrectedCurve, "plot_corrected takes a corrected curve", "verified_curve(data)")
    ax = roc_axes(ax)
    look: dict[str, Any] = {"label": "corrected"} | line
    plot_roc(curve, ax=ax, area="none", **look)
    colour = ax.lines[-1].get_color()
    if band is not None:
        plot_band(band, ax=ax)
    if curve.rearranged:
        inside = (np.abs(curve.raw_fpr - 0.5) <= 0.5) & (np.abs(curve.raw_tpr - 0.5) <= 0.5)
        dots: dict[str, Any] = {
            "color": colour,
            "alpha": 0.35,
            "markersize": 2,
            "label": "_as estimated",
        }
        ax.plot(curve.raw_fpr[inside], curve.raw_tpr[inside], ".", **dots)
    if uncorrected is not None:
        grey: dict[str, Any] = {
            "color": shade(ax, GREY),
            "linestyle": "--",
            "linewidth": 1.2,
            "label": "uncorrected",
        }
        plot_roc(uncorrected, ax=ax, area="none", **grey)
    return ax


@explained
def plot_sensitivity(
    found: VerificationSensitivity,
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    **line: Any,
) -> Axes:
    """Draw the area against what is assumed of the verification.

    Parameters
    ----------
    found : VerificationSensitivity
        From `rocspace.designs.verification_sensitivity`.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the shaded intervals, each at its log odds by itself.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. The thin line at 0 is "missing at random".

    Raises
    ------
    TypeError
        If it is of another kind.

    References
    ----------
    Rotnitzky, Faraggi and Schisterman (2006), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace.designs import verification_sensitivity, verified_scores
    >>> data = verified_scores([1, 0, 1, 0, None] * 9, [5, 2, 4, 3, 1, 6, 2, 3, 7] * 5)
    >>> ax = plot_sensitivity(verification_sensitivity(data), ax=Figure().subplots())
    >>> ax.get_ylabel()
    'Area under the curve'
    """
    what = "plot_sensitivity takes areas under several assumptions"
    _need(found, VerificationSensitivity, what, "verification_sensitivity(data)")
    ax = set_up(ax, "Log odds ratio of verification", _AREA)
    order = np.argsort(found.log_odds, kind="stable")
    ends = np.array([list(each.interval(level)) for each in found.estimates])[order]
    _draw(ax, found.log_odds[order], found.auc[order], ends, line)
    reference_line(ax, "missing at random", [0, 0], ax.get_ylim())
    return ax


@explained
def plot_denoised(
    found: DenoisedBounds, *, ax: Axes | None = None, level: float = 0.95, **line: Any
) -> Axes:
    """Draw the corrected area against the share of labels that are wrong.

    Parameters
    ----------
    found : DenoisedBounds
        From `rocspace.designs.denoised_auc_bounds`, of a range of shares.
    ax : matplotlib.axes.Axes, optional
        By default pyplot's current axes.
    level : float, default 0.95
        Level of the shaded intervals, each at its share by itself.
    **line
        Properties of the line.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, to draw more on. The thin line is the area of the labels as they are.

    Raises
    ------
    TypeError
        If it is of another kind.
    ValueError
        If both shares are known, so that there is one area.

    Notes
    -----
    The area depends on the sum of the two shares alone, which is what the axis shows.

    References
    ----------
    Menon, van Rooyen, Ong and Williamson (2015), a paper on this alone.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from rocspace import tabulate
    >>> from rocspace.designs import denoised_auc_bounds
    >>> table = tabulate([1] * 4 + [0] * 6, [9, 8, 7, 4, 8, 6, 5, 3, 2, 1])
    >>> found = denoised_auc_bounds(table, neg=(0, 0.2))
    >>> plot_denoised(found, ax=Figure().subplots()).get_ylabel()
    'Area under the curve'
    """
    what = "plot_denoised takes the areas of a range of shares"
    _need(found, DenoisedBounds, what, "denoised_auc_bounds(table, neg=(0, 0.1))")
    areas = found.between()
    wrong = np.array([1 - each.noise.kept for each in areas])
    if not wrong[0] < wrong[-1]:
        msg = (
            f"Both shares of wrong labels are known ({found.most.noise._about()}), so there is one "
            "area. Give a range, as in neg=(0, 0.1)."
        )
        raise ValueError(msg)
    ax = set_up(ax, "Shares of wrong labels, both classes added", _AREA)
    ends = np.array([list(each.interval(level)) for each in areas])
    _draw(ax, wrong, np.array([each.value for each in areas]), ends, line)
    seen = found.observed_area.value
    reference_line(ax, f"as labelled, {share(seen)}", wrong[[0, -1]], [seen, seen])
    ax.set_xlim(wrong[0], wrong[-1])
    return ax


def _need(found: Any, kind: type, what: str, line: str) -> None:
    if not isinstance(found, kind):
        msg = f"{what}, not {a_kind_of(found)}: {line}."
        raise TypeError(msg)


def _draw(ax: Axes, x: Any, y: Any, ends: Any, line: dict[str, Any]) -> None:
    """Draw a line in the shade of its intervals."""
    look = look_of(ax, line)
    shade = {"color": look["color"], "alpha": 0.2, "linewidth": 0.6, "zorder": 1.3}
    ax.fill_between(x, ends[:, 0], ends[:, 1], **shade)
    draw_line(ax, x, y, look)
