"""The figures of the page about the certificate, written to docs/_static.

    python docs/_figures/certificate.py

The second also prints its numbers and the slope. Same input, same numbers; a minute or two.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

import rocspace as rs
from rocspace.stream import Tabulator

STATIC = Path(__file__).resolve().parents[1] / "_static"
STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
BLUE, RED = "#0b5fa5", "#c2410c"


def sample(n, share=0.5, seed=5):
    """Labels, and scores that lie one standard deviation higher for positives."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < share
    return label, rng.normal(size=n) + label


def binned(label, score, rows, batch=1 << 18):
    """Count into at most so many rows, batch by batch."""
    counter = Tabulator(max_rows=rows)
    for start in range(0, label.size, batch):
        counter.update(label[start : start + batch], score[start : start + batch])
    return counter.table()


def draw_band(path):
    """The exact curve of 120 cases, and what 8 bins of them leave open."""
    label, score = sample(120)
    exact, table = rs.tabulate(label, score), binned(label, score, 16)
    low, high = rs.auc_bounds(table)
    fig, axes = plt.subplots(1, 2, figsize=(7.4, 3.8), sharex=True, sharey=True)
    curve, coarse = rs.roc_curve(exact), rs.roc_curve(table)
    for ax in axes:
        ax.plot([0, 1], [0, 1], color="0.8", lw=0.8)
        ax.set(xlabel="False positive rate", aspect="equal", xlim=(-0.01, 1), ylim=(0, 1.01))
    axes[0].set_ylabel("True positive rate")
    axes[0].plot(curve.fpr, curve.tpr, color=BLUE, lw=1.2)
    axes[0].set_title(f"{len(exact)} distinct scores: area {rs.auc(exact):.4f}", fontsize=9)
    x, y = coarse.fpr, coarse.tpr
    for i in range(len(coarse) - 1):
        dx, dy = x[i + 1] - x[i], y[i + 1] - y[i]
        box = Rectangle((x[i], y[i]), dx, dy, fc=RED, alpha=0.22, ec="none")
        axes[1].add_patch(box)
    axes[1].step(x, y, where="pre", color=RED, lw=0.9, label="all pairs in a bin won")
    axes[1].step(x, y, where="post", color=RED, lw=0.9, ls=":", label="all pairs in a bin lost")
    axes[1].plot(curve.fpr, curve.tpr, color=BLUE, lw=1.0, label="the exact curve")
    axes[1].plot(x, y, "o", color=RED, ms=3, clip_on=False)
    axes[1].legend(loc="lower right", frameon=False, fontsize=8)
    axes[1].set_title(f"{len(table)} bins: area in [{low:.4f}, {high:.4f}]", fontsize=9)
    fig.tight_layout()
    fig.savefig(path, dpi=130)
    plt.close(fig)


def draw_width(path, n=4_000_000):
    """Width of the bounds against rows kept."""
    fig, ax = plt.subplots(figsize=(4.8, 3.4))
    asked = 4 ** np.arange(3, 11)
    for share, colour in ((0.5, BLUE), (0.01, RED)):
        label, score = sample(n, share)
        tables = [binned(label, score, int(rows)) for rows in asked]
        rows = np.array([len(table) for table in tables])
        width = np.array([rs.auc_bounds(table).width for table in tables])
        slope = np.polyfit(np.log(rows), np.log(width), 1)[0]
        ax.loglog(rows, width, "o-", color=colour, ms=4, lw=1)
        text = f"{100 * share:g} % positive, slope −{-slope:.2f}"
        ax.annotate(text, (rows[0], width[-1] * (4 if share == 0.5 else 1.4)), color=colour)
        for k, w in zip(rows, width, strict=True):
            print(f"{share:5}  {k:8,} rows  width {w:.2e}  rows * width {k * w:.2f}")
        print(text)
    ax.set(xlabel="Rows kept", ylabel="Width of the bounds")
    fig.tight_layout()
    fig.savefig(path, dpi=130)
    plt.close(fig)


if __name__ == "__main__":
    plt.rcParams.update(STYLE)
    draw_band(STATIC / "certificate-band.png")
    draw_width(STATIC / "certificate-width.png")
