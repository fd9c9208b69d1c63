"""How a curve is drawn.

Each score in turn is the threshold: the cases at or above it are called positive, and the two
rates make a point. Where the threshold passes a positive the curve goes up, where it passes a
negative it goes right, and it ends at (1, 1). The review counts cases *above* a threshold in its
equations 7 and 8, and at or above it in the words beside them; with the first, the point of each
row would belong to the row before. Its equation 8 also sums over the diseased instead of the
healthy.
After Wang, Zhu and Xu (2021), figure 2 and table 2; the ten cases are constructed, because the
review's table 1 is not in its text.
"""

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocspace as rs
from rocspace.plot import plot_roc, style

SCORES = (0.95, 0.9, 0.8, 0.7, 0.65, 0.5, 0.45, 0.3, 0.2, 0.1)
LABELS = (1, 1, 0, 1, 1, 0, 1, 0, 0, 0)


def draw() -> Figure:
    curve = rs.roc_curve(rs.tabulate(LABELS, SCORES))
    with style("double", figure_figsize=(6.6, 3.3)):
        figure, (left, right) = plt.subplots(1, 2, width_ratios=(1, 1))
        rows = [
            ["∞" if i == 0 else f"{t:g}", "" if i == 0 else "np"[LABELS[i - 1]], f"{b:g}", f"{a:g}"]
            for i, (t, a, b) in enumerate(zip(curve.threshold, curve.fpr, curve.tpr, strict=True))
        ]
        left.axis("off")
        sheet = left.table(
            cellText=rows,
            colLabels=["threshold", "class", "TPR", "FPR"],
            cellLoc="center",
            bbox=(0, 0, 1, 1),
        )
        sheet.auto_set_font_size(False)
        for (row, _), cell in sheet.get_celld().items():
            cell.set(edgecolor="0.8", linewidth=0.4)
            cell.set_text_props(fontsize=8, weight="bold" if row == 0 else "normal")
        plot_roc(curve, ax=right, color="black")
        right.plot(curve.fpr, curve.tpr, "o", ms=4, color="black", clip_on=False)
        for t, f, y in zip(curve.threshold[1:], curve.fpr[1:], curve.tpr[1:], strict=True):
            right.annotate(f"{t:g}", (f, y), xytext=(4, -9), textcoords="offset points", fontsize=7)
    return figure


if __name__ == "__main__":
    draw().savefig("rev2.pdf")
