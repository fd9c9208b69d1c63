"""The bivariate binormal model: two scores of the same cases, each with a binormal curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.checks import check_choice, two_names
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable
from rocspace.models.bivariate import bivariate_normal
from rocspace.models.cells import CellHill, Cells, cells_of
from rocspace.models.fitting import UNKNOWN
from rocspace.models.rating import binormal_edges, fit_labroc
from rocspace.results.estimates import Difference
from rocspace.results.fit import Fit
from rocspace.simulate.models import paired_binormal
from rocspace.simulate.populations import PairedPopulation

_WIDEST = 4.0  # of the inverse hyperbolic tangent of a correlation: .9993
_NAMED = {"expected": "expected information", "sandwich": "sandwich"}
_JOINT = 20_000_000  # cells of the joint distribution that are worth their seconds
_BLOCK = 500_000  # cells of the joint distribution that are made at once
_LEAST = 1e-16  # probability of a joint cell below which it counts as this
_TOGETHER = (
    "The correlation of the {} is at the end of the range that was searched, as if both scores "
    "ranked them alike. Take auc_difference(data), which needs no model."
)


class PairedFit(Result):
    """Two binormal curves of the same cases, and how their parameters covary.

    Attributes
    ----------
    names : tuple of str
        The two scores.
    first, second : Fit
        Their curves.
    correlations : tuple of float
        Correlation of the two latent scores among negatives, and among positives; nan where a
        curve is degenerate.
    covariance : ndarray of float64, shape (4, 4)
        Covariance of a and b of the first curve, then of the second.
    covariance_method : str
        How it was estimated.
    loglik : float or None
        Log-likelihood of both scores together; None for weighted data and degenerate curves.
    df : float
        Degrees of freedom of the standard errors: one fewer than the cases of the smaller class.
    flags : mapping of str to str
        Those of both curves; "boundary" where a correlation is as large as possible.

    See Also
    --------
    fit_paired

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> data = datasets.load("fawcett20")
    >>> other = [score + (i % 5) / 8 for i, score in enumerate(data.y_score)]
    >>> fit = fit_paired(pair_scores(data.y_true, {"a": data.y_score, "b": other}))
    >>> gain = fit.auc_difference()
    >>> print(f"{gain.value:.3f} +- {gain.se:.3f}, correlation {gain.correlation:.2f}")
    0.116 +- 0.125, correlation 0.48
    """

    names: tuple[str, str]
    first: Fit
    second: Fit
    correlations: tuple[float, float]
    covariance: Vector = field(repr=False)
    covariance_method: str
    loglik: float | None = None
    df: float = float("inf")
    flags: Mapping[str, str] = field(default_factory=dict)

    def difference(
        self, reading: Callable[[Any], float], *, bounds: tuple[float, float] = (0.0, 1.0)
    ) -> Difference:
        """Estimate the difference of a quantity between the first curve and the second.

        Parameters
        ----------
        reading : callable
            Function that takes a fit and returns a number, such as ``lambda fit: fit.tpr_at(0.1)``.
        bounds : tuple of float, default (0, 1)
            The range of values that `reading` can return.

        Returns
        -------
        Difference
            Its interval and test are those of Student's t; its standard error is nan where a
            curve is degenerate.

        Notes
        -----
        The delta method with the covariance of both curves, as `Fit.estimate`. Of its intervals
        those of areas cover in 95 to 97 percent of samples, of rates at fpr .1 in 95 to 98: of
        Normal scores, of five ratings of them and of exponential scores, from 30 + 30 cases on.

        Examples
        --------
        >>> from rocspace import datasets, pair_scores
        >>> data = datasets.load("fawcett20")
        >>> other = [score + (i % 5) / 8 for i, score in enumerate(data.y_score)]
        >>> fit = fit_paired(pair_scores(data.y_true, {"a": data.y_score, "b": other}))
        >>> gain = fit.difference(lambda curve: curve.tpr_at(0.2))
        >>> print(f"{gain.value:.3f} +- {gain.se:.3f}")
        0.176 +- 0.187
        """
        one, two = (fit.estimate(reading, bounds=bounds) for fit in (self.first, self.second))
        slopes = [fit.gradient(reading) for fit in (self.first, self.second)]
        shared = float(slopes[0] @ self.covariance[:2, 2:] @ slopes[1])
        scale = one.se * two.se
        width = bounds[1] - bounds[0]
        return Difference(
            value=one.value - two.value,
            se=float(np.sqrt(max(one.se**2 + two.se**2 - 2 * shared, 0.0))),
            method=f"paired binormal, {self.covariance_method}",
            n_pairs=self.df + 1,
            range=(-width, width),
            df=self.df,
            first=one,
            second=two,
            correlation=shared / scale if scale > 0 else float("nan"),
            usual="t",
        )

    def auc_difference(self) -> Difference:
        """Estimate the difference of the areas under both curves.

        Returns
        -------
        Difference
            As of `difference`, first minus second.
        """
        return self.difference(lambda fit: fit.auc)

    def population(self) -> PairedPopulation:
        """Return the population that was fitted, to draw from or to plan a study with.

        Returns
        -------
        PairedPopulation
            For ``rocspace.planning.plan_paired(fit.population())``.

        Raises
        ------
        ValueError
            If a curve is degenerate.

        Examples
        --------
        >>> from rocspace import datasets, pair_scores
        >>> data = datasets.load("fawcett20")
        >>> other = [score + (i % 5) / 8 for i, score in enumerate(data.y_score)]
        >>> fit = fit_paired(pair_scores(data.y_true, {"a": data.y_score, "b": other}))
        >>> fit.population()
        PairedPopulation('paired Normal, areas 0.690493, 0.574697')
        """
        if "degenerate" in self.flags:
            msg = f"A degenerate fit has no population. {self.flags['degenerate']}"
            raise ValueError(msg)
        fits = (self.first, self.second)
        return paired_binormal(
            [fit.auc for fit in fits],
            sd_ratio=[1 / fit.parameters["b"] for fit in fits],
            r_neg=self.correlations[0],
            r_pos=self.correlations[1],
            names=self.names,
        )

    def _about(self) -> str:
        r0, r1 = (either(r) for r in self.correlations)
        return ", ".join(
            [*self.names, f"correlations {r0} of negatives, {r1} of positives", *self.flags]
        )

    def _card(self) -> Card:
        fits = zip(self.names, (self.first, self.second), strict=True)
        rows = {f"Area of {name}": either(fit.auc) for name, fit in fits}
        rows["Correlation of negatives"] = either(self.correlations[0])
        rows["Correlation of positives"] = either(self.correlations[1])
        rows["Difference of areas"] = str(self.auc_difference())
        return Card(rows=rows | {flag.capitalize(): text for flag, text in self.flags.items()})


@explained
def fit_paired(
    data: PairedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    covariance: Literal["expected", "sandwich"] | None = None,
) -> PairedFit:
    """Fit the bivariate binormal model to two scores of the same cases, as CORROC2 does.

    Parameters
    ----------
    data : PairedScores
        Both classes present. Only the ranks of each score are used.
    first, second : str, optional
        Names of the two scores; not needed where there are only two.
    covariance : {"expected", "sandwich"}, optional
        By default "expected" information for counts with up to 20 million pairs of runs, some
        15,000 cases without ties. The "sandwich" of the cases' influences is used for more of them,
        and for weights and clusters, and is faster.

    Returns
    -------
    PairedFit
        Ask it for ``auc_difference()``, or call ``difference(reading)`` for any other quantity.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score has too few ratings or runs, names are not of two scores, or the option does
        not suit the data.

    Notes
    -----
    Some increasing function of each score makes both scores together bivariate Normal in each
    class. The fit has two stages. Each curve with its cuts is that of `fit_labroc`. Given the cuts,
    the two correlations maximise the likelihood of the cells of both scores, which are rectangles
    of the bivariate Normal distribution. To first order, the estimates of a curve are sums of
    influences of cases; "expected" takes the covariance of the influences of both curves from the
    fitted distribution, O(k1 k2) for k1 and k2 runs, "sandwich" from the cases, O(n). A joint
    maximum would have a slightly smaller covariance.

    References
    ----------
    Metz, Wang and Kronman (1984), no numbered equation, for the model.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> data = datasets.load("fawcett20")
    >>> other = [score + (i % 5) / 8 for i, score in enumerate(data.y_score)]
    >>> fit = fit_paired(pair_scores(data.y_true, {"a": data.y_score, "b": other}))
    >>> print(f"{fit.auc_difference():.3f}, p {fit.auc_difference().test().pvalue:.2f}")
    0.116, p 0.38
    """
    names = two_names("fit_paired", data.names, first, second)
    plain = data.weight is None and data.cluster is None
    tables = [data.table(name) for name in names]
    how = covariance or ("expected" if plain and _joint_cells(tables) <= _JOINT else "sandwich")
    check_choice("covariance", how, ("expected", "sandwich"))
    if how == "expected" and not plain:
        msg = 'covariance="expected" is for counts of independent cases. Take "sandwich".'
        raise ValueError(msg)
    fits = [fit_labroc(table, covariance=how) for table in tables]
    flags = {
        flag: f"{name}: {text}"
        for name, fit in reversed([*zip(names, fits, strict=True)])
        for flag, text in fit.flags.items()
    }
    spread, correlations, loglik = np.full((4, 4), np.nan), (np.nan, np.nan), None
    if "degenerate" in flags:
        for i, fit in enumerate(fits):
            spread[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = fit.covariance
    else:
        margins = [_margin(data, *each) for each in zip(names, fits, strict=True)]
        found = [_correlation(data, margins, positive=positive) for positive in (False, True)]
        correlations = found[0][0], found[1][0]
        for r, text in zip(correlations, ("negatives", "positives"), strict=True):
            if abs(np.arctanh(r)) > _WIDEST - 1e-3:
                flags["boundary"] = _TOGETHER.format(text)
        spread = _spread(data, margins, correlations, how)
        fits = [
            replace(fit, covariance=spread[ends, ends])
            for fit, ends in zip(fits, (slice(0, 2), slice(2, 4)), strict=True)
        ]
        loglik = found[0][1] + found[1][1] if data.weight is None else None
    return PairedFit(
        names=names,
        first=fits[0],
        second=fits[1],
        correlations=correlations,
        covariance=spread,
        covariance_method=UNKNOWN if "degenerate" in flags else _NAMED[how],
        loglik=loglik,
        df=max(min(data.n_eff) - 1, 0.0),
        flags=flags,
    )


def _joint_cells(tables: Sequence[ScoreTable]) -> int:
    """Return the number of cells of the joint distribution of two scores."""
    return prod(len(cells_of(table, runs=True).last) for table in tables)


# --- one score ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Margin:
    """A fitted curve with its cells: which one each case is in, and where its ends are.

    Attributes
    ----------
    hill : CellHill
        The likelihood at the fit.
    cell : ndarray of int64, shape (n,)
        The cell of each case.
    ends : tuple of ndarray, shape (k + 1,)
        Ends of the cells in standard deviations of the negatives, and of the positives.
    """

    hill: CellHill
    cell: Ints
    ends: tuple[Vector, Vector]


def _margin(data: PairedScores, name: str, fit: Fit) -> _Margin:
    from scipy.special import ndtri

    table, j = data.table(name), data.column_of(name)
    cells: Cells = cells_of(table, runs=True)
    assert fit.cuts is not None
    cuts = -ndtri(fit.cuts[1][1:-1])[::-1]
    a, b = fit.parameters["a"], fit.parameters["b"]
    sign = -1 if data.rises(name) else 1
    row = np.searchsorted(sign * table.score.astype(np.float64), sign * data.score[:, j])
    last = cells.last[::-1]
    return _Margin(
        hill=CellHill(cells, binormal_edges, 2, np.concatenate([[a, b], cuts])),
        cell=last.size - 1 - np.searchsorted(last, row),
        ends=(np.r_[-np.inf, cuts, np.inf], np.r_[-np.inf, b * cuts - a, np.inf]),
    )


# --- both scores --------------------------------------------------------------------------------


def _correlation(
    data: PairedScores, margins: list[_Margin], *, positive: bool
) -> tuple[float, float]:
    """Return the maximum likelihood correlation of a class, and the log-likelihood."""
    from scipy.optimize import minimize_scalar

    mine: Mask = data.label if positive else ~data.label
    pairs, where = np.unique(
        np.stack([margin.cell[mine] for margin in margins]), axis=1, return_inverse=True
    )
    weight = np.bincount(np.ravel(where), data.case_weight[mine])
    ends = [margin.ends[positive] for margin in margins]
    low, high = (
        [each[cell + step] for each, cell in zip(ends, pairs, strict=True)] for step in (0, 1)
    )

    def minus(t: float) -> float:
        rho = np.tanh(t)
        chance = (
            bivariate_normal(high[0], high[1], rho)
            - bivariate_normal(low[0], high[1], rho)
            - bivariate_normal(high[0], low[1], rho)
            + bivariate_normal(low[0], low[1], rho)
        )
        return -float(weight @ np.log(np.maximum(chance, _LEAST)))

    found = minimize_scalar(minus, bounds=(-_WIDEST, _WIDEST), method="bounded")
    return float(np.tanh(found.x)), -float(found.fun)


def _spread(
    data: PairedScores, margins: list[_Margin], correlations: tuple[float, float], how: str
) -> Vector:
    """Return the covariance of a and b of both curves."""
    influences = [margin.hill.influences(expected=how == "expected") for margin in margins]
    if how == "sandwich":
        return _of_cases(data, margins, influences)
    found = np.zeros((4, 4))
    for i, own in enumerate(influences):
        for each, share in zip(own, margins[i].hill.classes, strict=True):
            weighted = each.T * (share.count.sum() * share.chance)
            found[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] += weighted @ each
    for k, rho in enumerate(correlations):
        one, two = (own[k] for own in influences)
        n = margins[0].hill.classes[k].count.sum()
        found[:2, 2:] += n * _expected(one, two, [margin.ends[k] for margin in margins], rho)
    found[2:, :2] = found[:2, 2:].T
    return found


def _expected(one: Vector, two: Vector, ends: list[Vector], rho: float) -> Vector:
    """Return the expected product of the influences of a case of one class, shape (2, 2)."""
    step = max(_BLOCK // ends[1].size, 1)
    found = np.zeros((2, 2))
    for begin in range(0, len(one), step):
        rows = one[begin : begin + step]
        edges = ends[0][begin : begin + len(rows) + 1, None]
        chance = np.diff(np.diff(bivariate_normal(edges, ends[1], rho), axis=0), axis=1)
        found += rows.T @ chance @ two
    return found


def _of_cases(
    data: PairedScores, margins: list[_Margin], influences: list[tuple[Vector, Vector]]
) -> Vector:
    """Return the covariance from the influence of each case, or of each cluster."""
    each = np.empty((len(data), 4))
    for i, (margin, (neg, pos)) in enumerate(zip(margins, influences, strict=True)):
        own = np.where(data.label[:, None], pos[margin.cell], neg[margin.cell])
        # Cells count effective cases, of which the weights are a multiple.
        unit = sum(part.count.sum() for part in margin.hill.classes) / data.case_weight.sum()
        each[:, 2 * i : 2 * i + 2] = own * (data.case_weight * unit)[:, None]
    if data.cluster is not None:
        _, where = np.unique(data.cluster, return_inverse=True)
        each = np.stack([np.bincount(where, column) for column in each.T], axis=1)
    return np.asarray(each.T @ each)
