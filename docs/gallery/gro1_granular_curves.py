"""Lower and upper curve of two Normal populations, and a part of them enlarged.

Positives from N(0.65, 0.2²), negatives from N(0.45, 0.2²), 2000 of each, granularity 0.02. The
upper curve (solid) reads every case less than 0.02 above a score as positive, the lower (dotted)
as negative; between them is the ordinary curve.
The paper prints areas of 0.7441, 0.7628 and 0.7938, which cannot be of one sample: in the
population they are 0.7308, 0.7602 and 0.7800. The scores in its table 2 are not from these
populations either: they lie too close together.
After Dong, Li and Li (2013), figure 1; the sample is our own.
"""

from _scores import granular_sample
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import rocspace as rs
from rocspace.granular import groc
from rocspace.plot import plot_granular, plot_roc, style

DELTA = 0.02
PART = (0.2, 0.55, 0.3, 0.65)  # left, bottom, right, top


def draw() -> Figure:
    table = granular_sample()
    curves = groc(table, DELTA)
    left, bottom, right, top = PART
    with style("double"):
        figure, (whole, part) = plt.subplots(1, 2)
        for ax in (whole, part):
            plot_granular(curves, ax=ax)
            plot_roc(rs.roc_curve(table), ax=ax, color="black", ls="-", lw=0.8)
        frame = {"fill": False, "edgecolor": "0.4", "lw": 0.7}
        whole.add_patch(Rectangle((left, bottom), right - left, top - bottom, **frame))
        whole.text(0.35, 0.5, "enlarged at the right", color="0.4", va="center")
        enlarge(part)
    return figure


def enlarge(ax: Axes) -> None:
    """Show a tenth of both axes, with ticks of their own."""
    left, bottom, right, top = PART
    ax.set(xlim=(left, right), ylim=(bottom, top))
    for axis, low in ((ax.xaxis, left), (ax.yaxis, bottom)):
        ticks = [low + i / 50 for i in range(6)]
        axis.set_ticks(ticks, labels=[f"{tick:.2f}" for tick in ticks])


if __name__ == "__main__":
    draw().savefig("gro1.pdf")
