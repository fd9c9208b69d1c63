"""What the tests of plots read from axes."""

from itertools import pairwise

import numpy as np

from rocspace.plot.axes import main_lines


def axes():
    from matplotlib.figure import Figure

    return Figure().subplots()


def main(ax):
    """The lines that results have, and others that a legend would name, in order."""
    own = main_lines(ax)
    return [line for line in ax.lines if line in own or not str(line.get_label()).startswith("_")]


def xy(ax, i=-1):
    return main(ax)[i].get_xydata()


def reference(ax, start):
    """The points of a line that results are compared with, by the start of its name."""
    (found,) = [line for line in ax.lines if str(line.get_label()).startswith(f"_{start}")]
    return found.get_xydata()


def on_polygon(corners, points):
    """Tell which points lie on a chain of segments."""
    corners, points = np.asarray(corners), np.asarray(points)
    found = np.zeros(len(points), dtype=bool)
    for a, b in pairwise(corners):
        d = b - a
        off = np.abs(d[0] * (points[:, 1] - a[1]) - d[1] * (points[:, 0] - a[0]))
        low, high = np.minimum(a, b) - 1e-12, np.maximum(a, b) + 1e-12
        found |= (off < 1e-12) & ((points >= low) & (points <= high)).all(axis=1)
    return found
