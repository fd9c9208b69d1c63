"""The H-measure: expected loss under a distribution of costs, with the best threshold at each."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace._base.geometry import hull_indices
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.curves.sweep import check_beta

CostPrior: TypeAlias = Literal["severity", "class-mix"] | tuple[float, float]
"""Which Beta density the cost share of a false positive is given."""


def mean_of_lines(
    x: Vector,
    at_zero: Vector,
    at_one: Vector,
    parameters: tuple[float, float],
) -> float:
    """Average lines under a Beta density: the i-th from x[i] to x[i + 1], by its two ends."""
    from scipy.special import betainc

    alpha, beta = parameters
    mean = alpha / (alpha + beta)
    rising = mean * np.diff(betainc(alpha + 1, beta, x))
    falling = (1 - mean) * np.diff(betainc(alpha, beta + 1, x))
    return float(at_one @ rising + at_zero @ falling)


@of_table
def h_measure(
    table: ScoreTable, *, severity: float | None = None, prior: CostPrior = "severity"
) -> float:
    """H-measure: the share of the least loss without scores that the best thresholds save.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    severity : float, optional
        How many false negatives a false positive is likely to be as bad as; by default
        positives over negatives, which makes both classes' total costs alike.
    prior : {"severity", "class-mix"} or tuple of float, default "severity"
        Density of c, the cost share of a false positive. "severity" is Beta(2, 1 + 1 /
        severity), whose mode is severity / (1 + severity). "class-mix" is Beta(1 + pi, 2 -
        pi), pi the prevalence. Two numbers are the parameters: (2, 2) is that of 2009.

    Returns
    -------
    float
        In [0, 1]; 0 is guessing, 1 a perfect ranking. Depends on prevalence. It is about
        zero, never negative, for scores in the wrong direction: see
        `rocspace.curves.best_orientation`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a parameter is not positive, or a severity is given next to a prior that
        does not use it.

    Notes
    -----
    O(k). With Q(c) the least of ``c (1 - pi) fpr + (1 - c) pi fnr`` over the convex hull, H
    is ``1 - E Q(c) / E min(c (1 - pi), (1 - c) pi)``. Q is piecewise linear, so both
    expectations are sums of incomplete beta functions.

    References
    ----------
    Hand (2009), a paper on this alone; Hand and Anagnostopoulos (2014), a paper on this alone, for
    "class-mix".

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> print(f"{h_measure(tabulate(data.y_true, data.y_score)):.6f}")
    0.255302
    """
    parameters = _parameters(table, severity, prior)
    curve = roc_curve(table)
    kept = hull_indices(curve.fp, curve.tp)[::-1]  # the best at c = 0 accepts all
    n = table.n_pos + table.n_neg
    fp, tp = curve.fp[kept].astype(np.float64), curve.tp[kept].astype(np.float64)
    fn = (curve.n_pos - curve.tp[kept]).astype(np.float64)
    cut = np.diff(tp) / (np.diff(tp) + np.diff(fp))
    loss = mean_of_lines(np.concatenate([[0.0], cut, [1.0]]), fn / n, fp / n, parameters)
    pos, neg = table.n_pos / n, table.n_neg / n
    worst = mean_of_lines(
        np.array([0.0, pos, 1.0]), np.array([0.0, pos]), np.array([neg, 0.0]), parameters
    )
    return min(max(1 - loss / worst, 0.0), 1.0)


def _parameters(table: ScoreTable, severity: float | None, prior: CostPrior) -> tuple[float, float]:
    if severity is not None and (prior != "severity" or not 1e-300 < severity < np.inf):
        msg = f"severity is {severity}, but it must be positive, and needs prior='severity'."
        raise ValueError(msg)
    if isinstance(prior, tuple):
        return check_beta("prior", prior)
    check_choice("prior", prior, ("severity", "class-mix"))
    if prior == "class-mix":
        return 1 + table.prevalence, 2 - table.prevalence
    if severity is None:
        severity = table.n_pos / table.n_neg
    return 2.0, 1 + 1 / severity
