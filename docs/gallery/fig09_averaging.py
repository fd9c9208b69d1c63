"""Five curves and their averages.

Five test sets of 1000 cases each, half of them positive; each set's curve; all sets pooled into
one; averaged vertically, at false positive rates 0.1 apart; and averaged at ten thresholds. Bars
are 95 % intervals of the mean, from the spread between the sets: of the tp rate alone in the
vertical average, of both rates in the other. The paper's text calls the interval of the vertical
average one of the mean *false* positive rate, and its Algorithm 4 can run past the end of a
curve, and takes a point one step too liberal; what is drawn here does neither.
After Fawcett (2006), figure 9; the scores are simulated, binormal with an area of 0.8.
"""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace.averaging import pooled_table, threshold_average, vertical_average
from rocspace.plot import plot_average, plot_roc, style
from rocspace.simulate import binormal


def test_sets() -> list[rs.ScoreTable]:
    """Five samples of the same population, 500 positives and 500 negatives each."""
    rng = np.random.default_rng(2006)
    return [binormal(0.8).draw(500, 500, rng=rng) for _ in range(5)]


def draw() -> Figure:
    parts = test_sets()
    with style("double", figure_figsize=(6.2, 6.2)):
        figure, axes = plt.subplots(2, 2)
        each, pooled, vertical, threshold = axes.flat
        for table in parts:
            plot_roc(rs.roc_curve(table), ax=each)
        plot_roc(rs.roc_curve(pooled_table(parts, same_scale=True)), ax=pooled)
        mean = vertical_average(parts, grid=10)
        plot_average(mean, bars=mean.interval(0.95), ax=vertical)
        mean = threshold_average(parts, grid=10, same_scale=True)
        plot_average(mean, bars=mean.interval(0.95), ax=threshold)
        names = ("a  Five test sets", "b  Pooled", "c  Vertical average", "d  Threshold average")
        for ax, name in zip(axes.flat, names, strict=True):
            ax.set_title(name)
    return figure


if __name__ == "__main__":
    draw().savefig("fig09.pdf")
