"""Is a score of any use with two cuts? A permutation test of the area."""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.calls import explained
from rocspace._base.checks import check_rng, check_times
from rocspace._base.progress import Progress
from rocspace.counts.table import ScoreTable, need
from rocspace.curves.two_cuts import Side, two_cut_points
from rocspace.results.test import TestResult


@explained
def two_cut_test(
    table: ScoreTable,
    *,
    side: Side = "outside",
    n_perm: int = 999,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> TestResult:
    """Test whether two cuts of a score separate the classes better than chance.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    side : {"outside", "inside"}, default "outside"
        As for `rocspace.curves.two_cut_roc`.
    n_perm : int, default 999
        Number of random permutations of the labels.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same numbers.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    TestResult
        The statistic is the area under the curve of two cuts, and the difference that area minus
        its mean over the permutations. p is the share of areas that are at least as large, the
        observed one among them: never 0, and valid at every sample size.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has weights, or `n_perm` is less than 1.

    Notes
    -----
    O(n_perm m n), see `rocspace.curves.two_cut_roc`. Labels are permuted among the cases, as
    counts by distinct score.

    References
    ----------
    Martinez-Camblor et al. (2017), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([1, 0, 0, 0, 1, 1, 0, 1, 0, 1], range(10))
    >>> found = two_cut_test(table, n_perm=99, rng=1)
    >>> print(f"{found.statistic:.3f}, p {found.pvalue:.2f}")
    0.800, p 0.43
    """
    need("two_cut_test", table)
    if table.is_weighted:
        msg = "two_cut_test permutes labels of cases, but this table has weights. Leave them out."
        raise ValueError(msg)
    check_times("n_perm", n_perm)
    order = np.argsort(table.score, kind="stable")[::-1]
    pos, neg = table.pos[order], table.neg[order]
    if side == "inside":
        pos, neg = neg, pos
    every, n_pos = pos + neg, int(pos.sum())
    observed, generator = _area(pos, neg), check_rng(rng)
    drawn = np.empty(n_perm)
    with Progress("permutations", n_perm, show=progress) as shown:
        for i in range(n_perm):
            own = generator.multivariate_hypergeometric(every, n_pos, method="marginals")
            drawn[i] = _area(own, every - own)
            shown.add(1)
    as_large = int(np.count_nonzero(drawn >= observed - 1e-12))
    return TestResult(
        statistic=observed,
        pvalue=(1 + as_large) / (1 + n_perm),
        alternative="greater",
        method=f"permutation, two cuts, {side}",
        difference=observed - float(drawn.mean()),
    )


def _area(pos: Array, neg: Array) -> float:
    """Return the area under the curve of two cuts; the same for both sides."""
    x, left, right = two_cut_points(pos.astype(np.float64), neg.astype(np.float64))
    between = float(((right[:-1] + left[1:]) / 2 * np.diff(x)).sum())
    return between / (float(x[-1]) * float(pos.sum()))
