"""A curve without its concavities, point by point.

Left: the points of the twenty cases of figure 3. Algorithm 3 pushes each on a stack, and first
takes away those that would make the slope increase: the open points are gone in the end. Right:
the step that removes the most. The point of the score 0.4 arrives; the slope to it from the last
point exceeds the slope before that point, so that point goes, and so on until the slopes
decrease. The notes compare quotients, which needs an infinite slope; cross products of counts do
not.
After Fawcett's notes (2004), Algorithm 3 and its figure; the data are those of figure 3, because
the notes' numbers are lost in the text that was available.
"""

from __future__ import annotations

from itertools import pairwise

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import datasets
from rocspace.plot import roc_axes, style

Point = tuple[int, int]


def add_point(stack: list[Point], new: Point) -> tuple[list[Point], list[Point]]:
    """Return the stack with a point more, and the points that had to go, last first."""
    kept, gone = list(stack), []
    while len(kept) > 1 and not turns_right(kept[-2], kept[-1], new):
        gone.append(kept.pop())
    return [*kept, new], gone


def turns_right(a: Point, b: Point, c: Point) -> bool:
    """Whether the slope decreases at b, in counts."""
    return (b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0])


def steps(table: rs.ScoreTable) -> list[tuple[list[Point], Point, list[Point]]]:
    """The stack before each point, the point, and what it removed."""
    curve = rs.roc_curve(table)
    stack, found = [(0, 0)], []
    for new in zip(curve.fp.tolist()[1:], curve.tp.tolist()[1:], strict=True):
        after, gone = add_point(stack, new)
        found.append((stack, new, gone))
        stack = after
    return found


def draw() -> Figure:
    data = datasets.load("fawcett20")
    table = rs.tabulate(data.y_true, data.y_score)
    done = steps(table)
    kept = add_point(*done[-1][:2])[0]
    removed = [point for _, _, gone in done for point in gone]
    with style("double", figure_figsize=(7, 3.5)):
        figure, (left, right) = plt.subplots(1, 2)
        roc_axes(left)
        left.plot(*scaled(kept), "-o", color="black", lw=1.2, ms=4, clip_on=False)
        left.plot(*scaled(removed), "o", color="black", mfc="white", ms=4, mew=0.8)
        before, new, gone = max(done, key=lambda step: len(step[2]))
        enlarge(right, before, new, gone)
        names = "All points: kept and removed", f"Enlarged: {len(gone)} points go at once"
        for ax, name in zip((left, right), names, strict=True):
            ax.set_title(name)
    return figure


def enlarge(ax: plt.Axes, before: list[Point], new: Point, gone: list[Point]) -> None:
    """The step: the stack, the slopes looked back to, and the new line."""
    stays = before[: len(before) - len(gone)]
    ax.plot(*scaled(before), "-", color="0.6", lw=0.8)
    ax.plot(*scaled(stays), "o", color="black", ms=4)
    ax.plot(*scaled(gone), "o", color="black", mfc="white", ms=4, mew=0.8)
    for point in gone:
        ax.plot(*scaled([point, new]), ":", color="black", lw=0.8)
    ax.plot(*scaled([stays[-1], new]), "-", color="black", lw=1.2)
    ax.plot(*scaled([new]), "s", color="black", ms=5)
    x, y = scaled([new])
    ax.annotate("new point", (x[0], y[0]), xytext=(-8, 4), textcoords="offset points", ha="right")
    (x0, x1), (y0, y1) = scaled([stays[-1], new])
    ax.set(xlim=(x0 - 0.05, x1 + 0.05), ylim=(y0 - 0.03, y1 + 0.06))
    ax.set(xlabel="False positive rate", ylabel="True positive rate")
    for a, b in pairwise([*stays[-1:], *reversed(gone)]):
        (xa, xb), (ya, yb) = scaled([a, b])
        slope = (b[1] - a[1]) / (b[0] - a[0]) if b[0] > a[0] else float("inf")
        text = "∞" if slope == float("inf") else f"{slope:.2g}"
        ax.annotate(
            f"slope {text}",
            ((xa + xb) / 2, (ya + yb) / 2),
            xytext=(5, -9),
            textcoords="offset points",
            fontsize=7,
            color="0.35",
        )


def scaled(points: list[Point]) -> tuple[list[float], list[float]]:
    """Rates of counts, ten of each class."""
    return [fp / 10 for fp, _ in points], [tp / 10 for _, tp in points]


if __name__ == "__main__":
    draw().savefig("convex.pdf")
