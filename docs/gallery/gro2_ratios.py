"""What is left of an area as the granularity grows.

For the sample of the figure before: the area over the upper area, *f*, and the lower area over the
area, *g*. The nearer a curve stays to 1, the less of the area rests on small differences of
scores; ρ is the square root of the product of the areas under both.
The paper says that the areas always change in one direction, that the lower one ends at 0 and the
upper one at 1, when the granularity is 1. Neither holds in general: the area of a curve that turns
back can shrink, and the case with the highest score keeps its point.
After Dong, Li and Li (2013), figure 2; the sample is our own.
"""

import numpy as np
from _scores import granular_sample
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from rocspace.granular import granular_areas, rho
from rocspace.plot import style


def draw() -> Figure:
    table = granular_sample()
    deltas = np.linspace(0, 1, 201)
    areas = granular_areas(table, deltas)
    with style("single"):
        figure, ax = plt.subplots()
        ax.plot(deltas, areas.high_ratio, label="f = area / upper area")
        ax.plot(deltas, areas.low_ratio, ls="--", label="g = lower area / area")
        ax.set(xlim=(0, 1), ylim=(0, 1.25), xlabel="Granularity δ", ylabel="Ratio of areas")
        ax.set_title(f"ρ = {rho(table, deltas=deltas):.3f}")
        ax.legend(loc="upper right", frameon=False)
    return figure


if __name__ == "__main__":
    draw().savefig("gro2.pdf")
