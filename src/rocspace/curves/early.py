"""Early recognition: how well the very top of a ranking finds positives."""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_positive
from rocspace._base.errors import Argument, ArgumentError
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve


def _check_alpha(alpha: float) -> float:
    if not 0 < alpha < np.inf:
        msg = f"alpha is {alpha}, but must be a positive number: 20 lets the first 8 % weigh 80 %."
        raise ValueError(msg)
    return float(alpha)


def _weight_between(depth: Vector, alpha: float) -> Vector:
    """Return the exponential weight between neighbouring depths; all of it adds up to 1."""
    weight = np.exp(-alpha * depth[:-1]) * np.expm1(-alpha * np.diff(depth))
    return np.asarray(weight / np.expm1(-alpha))


@of_table
def rie(table: ScoreTable, *, alpha: float = 20.0) -> float:
    """Robust initial enhancement: positives at the top, relative to a random order.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    alpha : float, default 20
        How fast the weight falls with the rank: the first share ``x`` of the cases has the share
        ``(1 - exp(-alpha x)) / (1 - exp(-alpha))`` of the weight. Of 20, 80 percent lie in the
        first 8 percent.

    Returns
    -------
    float
        1 on average for a random order, higher is better; its greatest value depends on the
        prevalence.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If alpha is not a positive number.

    Notes
    -----
    O(k). The mean of ``exp(-alpha r / n)`` over the ranks r of the positives, divided by its mean
    over all ranks. Tied cases count with the mean over their ranks, as in random order, so that the
    value does not depend on the order of the data.

    References
    ----------
    Truchon and Bayly (2007), a paper on this and `bedroc` alone, after Sheridan et al. (2001). The
    mean over tied ranks is our own.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> print(f"{rie(tabulate([0, 0, 0, 1], [1, 2, 3, 4])):.3f}")
    3.973
    """
    every = np.asarray(table.pos + table.neg, dtype=np.float64)
    share = np.asarray(table.pos / table.n_pos)
    depth = np.concatenate([[0.0], np.cumsum(every) / every.sum()])
    density = share / (every / every.sum())
    return float(density @ _weight_between(depth, _check_alpha(alpha)))


@of_table
def bedroc(table: ScoreTable, *, alpha: float = 20.0) -> float:
    """Boltzmann-enhanced discrimination of ROC: `rie` between its worst and its best value.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    alpha : float, default 20
        How fast the weight falls with the rank; see `rie`.

    Returns
    -------
    float
        In [0, 1]; 1 if all positives come first, 0 if all come last.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If alpha is not a positive number.

    Notes
    -----
    O(k). For the probability that a positive comes before a case drawn from the exponential
    distribution of ranks, ``alpha`` times the prevalence must be far below 1; elsewhere its value
    for a random order rises with the prevalence, and values of different data cannot be compared.
    An interval: ``rocspace.inference.bedroc_estimate(table).interval()``.

    References
    ----------
    Truchon and Bayly (2007), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(f"{bedroc(tabulate(data.y_true, data.y_score)):.4f}")
    0.9123
    """
    found, alpha = rie(table, alpha=alpha), float(alpha)
    worst, best = ends_of_rie(table.prevalence, alpha)
    if worst == best:
        raise ArgumentError(Argument("alpha"), f" is {alpha}: all ranks have the same weight.")
    return float(min(max((found - worst) / (best - worst), 0.0), 1.0))


def ends_of_rie(prevalence: float, alpha: float) -> tuple[float, float]:
    """Return the `rie` of the worst order and of the best, whose positives come last or first."""
    best = np.expm1(-alpha * prevalence) / (prevalence * np.expm1(-alpha))
    # The worst order has its positives in the last share of the ranks.
    return float(np.exp(-alpha * (1 - prevalence)) * best), float(best)


@of_table
def log_auc(table: ScoreTable, *, least: float = 0.001, adjusted: bool = False) -> float:
    """Area under the ROC curve with the false positive rate on a logarithmic axis.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    least : float, default 0.001
        False positive rate at which the axis begins, in (0, 1).
    adjusted : bool, default False
        Whether to subtract the area of a random ranking, ``(1 - least) / log(1 / least)``, which is
        .1446 by default.

    Returns
    -------
    float
        Divided by its greatest value, so in [0, 1]: the mean of the true positive rate if every
        power of ten counts the same. Higher is better.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `least` is not strictly between 0 and 1.

    Notes
    -----
    O(k). On a piece of the polygon with the slope m through the height c at 0, the integral is ``c
    log(x1 / x0) + m (x1 - x0)``. With fewer than ``1 / least`` negatives the beginning of the axis
    is read from the piece of the curve before the first negative.

    References
    ----------
    No source: a plain definition; the axis from .001 is a convention of virtual screening.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    >>> print(f"{log_auc(table):.4f}, {log_auc(table, adjusted=True):.4f}")
    0.5502, 0.4056
    """
    if not 0 < least < 1:
        msg = f"least is {least}, but an axis of logarithms begins strictly between 0 and 1."
        raise ValueError(msg)
    check_positive("least", least)
    curve = roc_curve(table)
    x, y = curve.fpr, curve.tpr
    left, right = np.clip(x[:-1], least, 1.0), np.clip(x[1:], least, 1.0)
    run = np.diff(x)
    slope = np.divide(np.diff(y), run, out=np.zeros_like(run), where=run > 0)
    at_zero = y[:-1] - slope * x[:-1]
    area = float((at_zero * np.log(right / left) + slope * (right - left)).sum())
    width = -float(np.log(least))
    return area / width - (1 - least) / width * adjusted
