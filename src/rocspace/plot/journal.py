"""Figures in the size and type of a journal's columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Literal

from rocspace._base.calls import explained
from rocspace._base.checks import check_choice
from rocspace._base.optional import require

_SIZES = {"single": (3.35, 3.2), "double": (7.0, 3.5)}  # inches: columns of 85 and 178 mm
_COMMON: dict[str, Any] = {
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 150,
    "savefig.dpi": 300,
    "pdf.fonttype": 42,  # text stays text, as journals require
    "ps.fonttype": 42,
    "svg.fonttype": "none",
}


@explained
def style(
    columns: Literal["single", "double"] = "single", **settings: Any
) -> AbstractContextManager[None]:
    """Make figures for one or two columns of a journal: size, type and thin lines.

    Parameters
    ----------
    columns : {"single", "double"}, default "single"
        Figures 85 mm wide and nearly square, or 178 mm wide and half as high.
    **settings
        Further settings of matplotlib, with underscores for dots in ``figure_figsize``.

    Returns
    -------
    context manager
        Inside its ``with`` block figures have this style; make and save them there. After
        it all settings are as before.

    Raises
    ------
    ValueError
        If there is no such width, or no such setting.

    References
    ----------
    No source: sizes and type as journals ask for them.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> with style("single"):
    ...     figure = plt.figure()
    >>> print(figure.get_figwidth())
    3.35
    >>> plt.close(figure)
    """
    check_choice("columns", columns, tuple(_SIZES))
    matplotlib = require("matplotlib", extra="plot")
    known = {name.replace(".", "_"): name for name in matplotlib.rcParams}
    for name in settings:
        if name not in known:
            msg = (
                f"There is no setting {name!r}. They are matplotlib's, with underscores for "
                "dots, such as font_size."
            )
            raise ValueError(msg)
    own = {known[name]: value for name, value in settings.items()}
    chosen = {**_COMMON, "figure.figsize": _SIZES[columns], **own}
    matplotlib.RcParams(chosen)  # refuses values that no setting has
    return _styled(chosen)


@contextmanager
def _styled(settings: dict[str, Any]) -> Iterator[None]:
    with require("matplotlib", extra="plot").rc_context(settings):
        yield
