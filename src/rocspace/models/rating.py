"""The binormal curve by maximum likelihood: of ratings, and of runs on a continuous score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.checks import check_choice
from rocspace._base.text import brief
from rocspace.counts.table import ScoreTable, of_table
from rocspace.models.binormal import binormal_fit
from rocspace.models.cells import (
    CellHill,
    Cells,
    Edge,
    cells_of,
    climb_cells,
    expected_counts,
    fit_cells,
)
from rocspace.models.fitting import (
    Covariance,
    df_of,
    errors_of,
    likelihood_of,
    limits_of,
    stepped,
)
from rocspace.models.together import climb_together
from rocspace.resampling.replicates import Rng
from rocspace.results.fit import Fit
from rocspace.results.proportions import normal_density
from rocspace.results.test import TestResult

_GRID = np.linspace(-9, 9, 4001)  # where pooled shares are turned into cuts
_TOGETHER = 1e-9  # the same of replicates that are fitted together
_REPLICATE = 1e-5  # accuracy of replicates, as the square of a step in standard errors
_FEW = 20  # ratings whose replicates are fitted together
_WIDTHS = (0.02, 50.0)  # of b, to start from


@of_table
def fit_rating(
    table: ScoreTable,
    *,
    covariance: Covariance | None = None,
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a binormal curve to ratings by maximum likelihood, as Dorfman and Alf do.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by rating, both classes present, three ratings or more. Only the order of
        the ratings is used.
    covariance : {"expected", "observed", "sandwich", "bootstrap"}, optional
        By default "expected" information for counts, as in programs since RSCORE, and "sandwich"
        for weights. Stata's rocfit prints the errors of "observed".
    n_boot : int, default 1000
        Replicates of "bootstrap", which needs counts.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of "bootstrap".

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``; its ``goodness`` is the chi-square of the k ratings on k -
        3 degrees of freedom. It is "degenerate" if the points lie on straight pieces, which the
        model fits exactly in the limit, without a unique shape.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there are fewer than three ratings, so that two parameters are not determined, or an
        option does not suit the table.

    Notes
    -----
    Latent scores are N(0, 1) for negatives and N(a / b, 1 / b^2) for positives, cut at z_1 < ... <
    z_k-1. The probability of rating j is ``Phi(z_j) - Phi(z_j-1)`` for negatives, ``Phi(b z_j - a)
    - Phi(b z_j-1 - a)`` for positives. The fit takes some five of Newton's steps over a, b and all
    cuts at once, O(k) each. Data are degenerate (the likelihood has its maximum at b = 0 or
    infinity) if, for some t, every point of the curve has fpr 0, tpr t, or fpr 1; or the same with
    the axes exchanged. The area is then that under the straight pieces.

    References
    ----------
    Dorfman and Alf (1969), no numbered equation.

    Examples
    --------
    >>> from rocspace import ScoreTable
    >>> rated = ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
    >>> fit = fit_rating(rated)
    >>> fit
    Fit(rating, a=1.65678, b=0.713002)
    >>> estimate = fit.auc_estimate()
    >>> print(f"{estimate.value:.6f} +- {estimate.se:.4f}, {fit.goodness}")
    0.911331 +- 0.0296, p 0.90 (chi-square of the cells, greater)
    """
    return _fitted("rating", table, False, covariance, n_boot, rng)


@of_table
def fit_labroc(
    table: ScoreTable,
    *,
    cells: Literal["runs", "scores"] = "runs",
    covariance: Covariance | None = None,
    n_boot: int = 1000,
    rng: Rng = 0,
) -> Fit:
    """Fit a binormal curve to the ranks of a continuous score, as LABROC4 of Metz and others does.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present. Only ranks are used.
    cells : {"runs", "scores"}, default "runs"
        The definition of a cell: each run of neighbouring scores of one class (a score of both
        classes is a separate cell), or each score. The curve is the same, but the likelihood
        differs.
    covariance, n_boot, rng
        As for `fit_rating`.

    Returns
    -------
    Fit
        With parameters ``a`` and ``b``. It is "degenerate" as that of ratings is; also
        "separated" if all positives rank above all negatives, or below.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the ranks do not determine two parameters, as with two scores, or an option does not
        suit the table.

    Notes
    -----
    The likelihood is that of `fit_rating` with a rating for each run; O(k), 10^5 runs in about a
    second. The fit does not change under any increasing function of the scores: it assumes that one
    of them makes both classes Normal. With as many cells as cases the chi-square of the cells has
    no limiting chi-square distribution, and is omitted.

    References
    ----------
    Metz, Herman and Shen (1998), no numbered equation.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> fit = fit_labroc(tabulate(data.y_true, data.y_score))
    >>> fit, round(fit.loglik, 6)
    (Fit(labroc, a=0.633518, b=0.789426, improper), -49.228971)
    """
    return _fitted("labroc", table, cells == "runs", covariance, n_boot, rng)


def _fitted(
    method: str, table: ScoreTable, runs: bool, how: Covariance | None, n_boot: int, rng: Rng
) -> Fit:
    how = how or ("sandwich" if table.is_weighted else "expected")
    check_choice("covariance", how, Covariance)
    cells = cells_of(table, runs=runs)
    exact = exact_fit(method, table, cells)
    if exact is not None:
        return exact
    found, hill = fit_cells(cells, binormal_edges, first_guess(cells), 2)
    again = partial(_parameters, method, runs, found.x)
    otherwise = partial(hill.covariance, cells, how)
    together = None if runs or cells.neg.size > _FEW else partial(fit_ratings, method, found.x)
    return binormal_fit(
        method,
        *found.x[:2],
        flags=found.flags,
        goodness=_goodness(cells, hill) if method == "rating" and not table.is_weighted else None,
        cuts=cuts_of(table, cells, found.x[2:]),
        **errors_of(table, how, again, otherwise, n_boot, rng, together),
        **likelihood_of(table, found.value, found.x.size),
    )


def _parameters(method: str, runs: bool, near: Vector, table: ScoreTable) -> Vector:
    """Return a and b alone, begun at a solution nearby; infinite if degenerate."""
    cells = cells_of(table, runs=runs)
    if exact_fit(method, table, cells) is not None:
        return np.full(2, np.inf)
    start = near if near.size == cells.neg.size + 1 and not runs else first_guess(cells)
    return climb_cells(cells, binormal_edges, start, 2, near=_REPLICATE).x[:2]


def fit_ratings(method: str, near: Vector, tables: Iterable[ScoreTable]) -> Vector:
    """Return a and b of each table: infinite if degenerate, nan if refused.

    Those that have the same ratings are fitted together, begun at a solution nearby.
    """
    tables = list(tables)
    found = np.full((len(tables), 2), np.inf)
    groups: dict[bytes, list[tuple[int, Cells]]] = {}
    for i, table in enumerate(tables):
        cells = cells_of(table, runs=False)
        try:
            if exact_fit(method, table, cells) is None:
                groups.setdefault(table.score.tobytes(), []).append((i, cells))
        except ValueError:
            found[i] = np.nan
    for alike in groups.values():
        which, cells_of_each = zip(*alike, strict=True)
        neg, pos = (np.array([getattr(each, c) for each in cells_of_each]) for c in ("neg", "pos"))
        start = near if near.size == neg.shape[1] + 1 else None
        starts = [first_guess(each) if start is None else start for each in cells_of_each]
        found[list(which)] = climb_together(neg, pos, np.array(starts), near=_TOGETHER)[:, :2]
    return found


def cuts_of(table: ScoreTable, cells: Cells, cuts: Vector) -> tuple[Vector, Vector]:
    """Return the thresholds between cells, most positive first, with their fitted fpr."""
    from scipy.special import ndtr

    none = np.inf if table.higher_is_positive else -np.inf
    score = np.append(none, table.score[cells.last[::-1]].astype(np.float64))
    return score, np.concatenate([[0.0], ndtr(-cuts[::-1]), [1.0]])


def binormal_edges(parameters: Vector, cuts: Vector) -> tuple[Edge, Edge] | None:
    """Return both Normal distributions at cuts on the scale of the negatives."""
    from scipy.special import ndtr

    a, b = parameters
    if not b > 0:
        return None
    size = cuts.size
    density = normal_density(cuts)
    neg = Edge(
        below=ndtr(cuts),
        above=ndtr(-cuts),
        at=density,
        at_at=-cuts * density,
        by=np.zeros((2, size)),
        at_by=np.zeros((2, size)),
        by_by=np.zeros((2, 2, size)),
    )
    u = b * cuts - a
    density = normal_density(u)
    bent = -u * density  # its derivative by u
    pos = Edge(
        below=ndtr(u),
        above=ndtr(-u),
        at=b * density,
        at_at=b * b * bent,
        by=np.array([-density, cuts * density]),
        at_by=np.array([-b * bent, density + b * cuts * bent]),
        by_by=np.array([[bent, -cuts * bent], [-cuts * bent, cuts**2 * bent]]),
    )
    return neg, pos


def first_guess(cells: Cells) -> Vector:
    """Return a and b of a line on probit axes, and cuts that share out all cases."""
    from scipy.special import ndtr, ndtri

    ends = []
    for points, count in zip(cells.points, (cells.neg, cells.pos), strict=True):
        n = count.sum()
        ends.append(-ndtri((points * n + 0.5) / (n + 1)))
    x, y = ends
    b = float(np.clip(y.std() / x.std(), *_WIDTHS)) if x.std() > 0 else _WIDTHS[1]
    a = b * float(x.mean()) - float(y.mean())
    pooled = np.cumsum(cells.neg + cells.pos)[:-1]
    below = cells.neg.sum() * ndtr(_GRID) + cells.pos.sum() * ndtr(b * _GRID - a)
    cuts = np.interp(pooled, below, _GRID)
    if not (np.diff(cuts) > 0).all():
        cuts = cuts + np.linspace(0, 1e-3, cuts.size)
    return np.concatenate([[a, b], cuts])


def _goodness(cells: Cells, hill: CellHill) -> TestResult | None:
    from scipy.special import chdtrc

    df = cells.neg.size - 3
    if df < 1:
        return None
    statistic = 0.0
    for seen, expected in zip((cells.neg, cells.pos), expected_counts(hill), strict=True):
        statistic += float(((seen - expected) ** 2 / expected).sum())
    return TestResult(
        statistic=statistic,
        pvalue=float(chdtrc(df, statistic)),
        alternative="greater",
        method="chi-square of the cells",
        difference=statistic - df,
        df=float(df),
    )


# --- degenerate data ----------------------------------------------------------------------------


def exact_fit(method: str, table: ScoreTable, cells: Cells) -> Fit | None:
    """Return the fit without a shape if the points lie on straight pieces; None if they do not.

    Its likelihood is the saturated one, which the model reaches in the limit.

    Raises
    ------
    ValueError
        If there are too few cells for two parameters.
    """
    fpr, tpr = cells.points
    flags = separation(method, cells)
    t, f = _level(fpr, tpr), _level(tpr, fpr)
    if t is None and f is None:
        return None
    axis: Literal["fpr", "tpr"] = "fpr" if t is None else "tpr"
    at = f if t is None else t
    assert at is not None
    flags["degenerate"] = (
        f"All points lie on straight pieces, with {axis} {brief(at)} between: the likelihood is "
        f"largest at b = {'0' if axis == 'tpr' else 'infinity'}, where parameters have no errors. "
        "Take the empirical area, auc_estimate(table)."
    )
    fields = likelihood_of(table, saturated(cells), fpr.size + 2)
    return stepped(method, limits_of(axis, at), axis, at, flags, df=df_of(table), **fields)


def exact_of_counts(method: str, table: ScoreTable, cells: Cells) -> Fit | None:
    """Return `exact_fit` without its likelihood, for models that have another one.

    Raises
    ------
    ValueError
        As `exact_fit`, or if the table has weights.
    """
    if table.is_weighted:
        msg = (
            f"fit_{method.replace('-', '_')} needs counts, but the table has weights, which have "
            "no likelihood. Take fit_labroc, whose errors allow for weights."
        )
        raise ValueError(msg)
    exact = exact_fit(method, table, cells)
    return exact and replace(exact, loglik=None, n_cases=None, n_parameters=None)


def separation(method: str, cells: Cells) -> dict[str, str]:
    """Return the flag of classes that do not overlap.

    Raises
    ------
    ValueError
        If they do, and there are too few cells for two parameters.
    """
    fpr, tpr = cells.points
    for corner, text in (((fpr == 0) & (tpr == 1), "above"), ((fpr == 1) & (tpr == 0), "below")):
        if corner.any():
            return {
                "separated": f"All positives score {text} all negatives. The area of the sample "
                "says little of the population's; see the interval of auc_estimate(table)."
            }
    if fpr.size < 2:
        msg = (
            f"fit_{method.replace('-', '_')} needs at least three ratings or runs, but here "
            f"{'is one' if fpr.size == 0 else 'are two'}: they give "
            f"{'no point' if fpr.size == 0 else 'one point'} of the curve, which two "
            "parameters pass through in many ways. Take roc_curve(table) and auc_estimate(table)."
        )
        raise ValueError(msg)
    return {}


def saturated(cells: Cells) -> float:
    """Return the log-likelihood when cell probabilities are the observed shares of each class."""
    from scipy.special import xlogy

    counts = (cells.neg, cells.pos)
    return sum(float(xlogy(each, each / each.sum()).sum()) for each in counts)


def _level(x: Vector, y: Vector) -> float | None:
    """Return the one y of all points whose x is inside (0, 1); None if there are several.

    Without such points, the middle of what is left between those at x = 0 and at x = 1.
    """
    inner = y[(x > 0) & (x < 1)]
    if inner.size:
        return float(inner[0]) if (inner == inner[0]).all() else None
    return float(y[x == 0].max(initial=0.0) + y[x == 1].min(initial=1.0)) / 2
