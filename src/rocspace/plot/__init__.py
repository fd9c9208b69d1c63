"""Draw results as matplotlib figures for papers; nothing is computed here.

Each function takes one result, an optional ``ax`` and keywords for its one main line, and
returns the axes, to which you can add anything else::

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

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
