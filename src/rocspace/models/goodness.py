"""Goodness of fit: whether a curve is as near to its data as to samples of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import Mask, Vector
from rocspace._base.checks import check_rng, check_times
from rocspace._base.progress import Progress
from rocspace._base.text import general
from rocspace.counts.table import ScoreTable, of_table, tabulate_classes
from rocspace.curves.distance import vertical_distance
from rocspace.curves.roc import roc_curve
from rocspace.models.fitting import StepFit
from rocspace.models.registry import fit_roc, model_of
from rocspace.models.sampled import SampleFit, TwoSided
from rocspace.resampling.replicates import Rng
from rocspace.results.curve import Line, PolygonCurve, line_of
from rocspace.results.fit import Fit
from rocspace.results.test import TestResult

Draw: TypeAlias = Callable[[np.random.Generator], ScoreTable]
Quantile: TypeAlias = Callable[[Vector], Vector]

_METHOD = "parametric bootstrap of the distance"
_FINE = 129  # rates at which curves are compared
_SHARES = np.unique(  # of a class, at which its scores are looked up
    np.concatenate(
        [
            10.0 ** np.arange(-12, -5),
            np.sin(np.linspace(0, np.pi / 2, 1026)[1:-1]) ** 2,
            1 - 10.0 ** np.arange(-12, -5),
        ]
    )
)
_RATED = 0.5  # share of tied cases above which scores are taken for ratings
_LARGEST = 1e150  # of a score: larger ones have no finite squares
_MOST_FAILED = 0.5  # share of samples without a fit, beyond which nothing is known


@of_table
def goodness_of_fit(
    table: ScoreTable,
    *,
    model: str = "binormal",
    n_sim: int = 200,
    rng: Rng = 0,
    progress: bool | None = None,
    **options: Any,
) -> TestResult:
    """Test whether a model fits, by the distance of its curve to the empirical one.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present; weights count as effective numbers of cases.
    model : str, default "binormal"
        A name in `MODELS`.
    n_sim : int, default 200
        Number of samples that are drawn from the fit.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of these.
    progress : bool, optional
        Whether to show progress on standard error; by default in a terminal only.
    **options
        Options of the model, as for `fit_roc`.

    Returns
    -------
    TestResult
        Its statistic is the root mean squared distance, over all false positive rates; a small p
        value says that the model does not fit. The note gives the number of samples and the Monte
        Carlo error of the p value. nan for a fit without a shape, and where the model can be fitted
        to less than half of the samples.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If there is no such model, it cannot be fitted to this table, or scores whose shape it uses
        are beyond 1e150 in size.
    TypeError
        If the model has no such option.

    Notes
    -----
    ``p = (1 + m) / (n_sim + 1)``, m being the number of samples, of the same size, whose distance
    from the curve that is fitted to them is at least as large. A fit without a threshold for each
    rate is sampled by ranks, any other on the scale of its scores. Where more than half of the
    cases are tied, as ratings are, the scores of a sample are cut as those of the table; else only
    at scores that have more than one case. A kernel's curve is near to any data: its test finds
    only a bandwidth that is too wide.

    Measured where the model holds (50 + 50 cases, 100 to 2000 samples): at .05 the test rejects in
    1.3 to 6.2 percent ("Measured coverage" in the docs).

    The cost is that of ``n_sim`` fits, and of as many comparisons of two curves.

    References
    ----------
    Gneiting and Vogel (2018), no numbered equation, for "beta"; that it is applied to all models is
    ours.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> found = goodness_of_fit(tabulate(data.y_true, data.y_score), n_sim=19)
    >>> print(found, found.note, sep="; ")
    p 1.00 (parametric bootstrap of the distance, greater); 19 samples, Monte Carlo error 0.0489
    """
    name = model_of(model).name

    def again(sample: ScoreTable) -> Fit:
        return fit_roc(sample, model=name, **options)

    fit = again(table)
    if large := _too_large(fit, table):
        msg = f"goodness_of_fit is not known: {large}"
        raise ValueError(msg)
    return simulated_goodness(fit, table, again, n_sim=n_sim, rng=rng, progress=progress)


def simulated_goodness(
    fit: Fit,
    table: ScoreTable,
    again: Callable[[ScoreTable], Fit],
    *,
    n_sim: int,
    rng: Rng,
    distance: Callable[[Fit, ScoreTable], float] | None = None,
    progress: bool | None = False,
) -> TestResult:
    """Test a fit by samples of it, each fitted `again`, by their distances."""
    check_times("n_sim", n_sim)
    generator, apart = check_rng(rng), distance or distance_of
    found = apart(fit, table)
    if large := _too_large(fit, table):
        return _result(found, float("nan"), large)
    draw = sampler(fit, table)
    if draw is None:
        return _result(found, float("nan"), "the fit has no shape that could be sampled")
    further = failed = 0
    with Progress("goodness of fit", n_sim, show=progress) as shown:
        for _ in range(n_sim):
            try:
                sample = draw(generator)
                further += apart(again(sample), sample) >= found
            except ValueError:
                failed += 1
            shown.add(1)
    if failed > _MOST_FAILED * n_sim:
        return _result(found, float("nan"), f"{failed:,} of {n_sim:,} samples could not be fitted")
    many = n_sim - failed
    p = (1 + further) / (many + 1)
    left = f"; {failed:,} more could not be fitted" if failed else ""
    share = (1 + further) / (many + 2)  # never 0 or 1
    error = float(np.sqrt(share * (1 - share) / many))
    return _result(found, p, f"{many:,} samples, Monte Carlo error {general(error)}{left}")


def _result(distance: float, pvalue: float, note: str) -> TestResult:
    return TestResult(
        statistic=distance,
        pvalue=pvalue,
        alternative="greater",
        method=_METHOD,
        difference=distance,
        note=note,
    )


# --- distances ----------------------------------------------------------------------------------


def distance_of(fit: Fit, table: ScoreTable) -> float:
    """Return the root mean squared distance of a fit to the empirical curve."""
    return vertical_distance(line_of_fit(fit), roc_curve(table).line, "l2")


def line_of_fit(fit: Fit) -> Line:
    """Return points of a fit: the vertices of a polygon, else enough of them for a distance."""
    if isinstance(fit, PolygonCurve):
        return fit.line
    fpr = np.sin(np.linspace(0, np.pi / 2, _FINE)) ** 2
    return Line(fpr, np.asarray(fit.tpr_at(fpr)))


# --- samples ------------------------------------------------------------------------------------


def sampler(fit: Fit, table: ScoreTable) -> Draw | None:
    """Return what draws a sample of a fit, with as many cases as the table; None if none can."""
    source: Fit = getattr(fit, "inner", fit)
    if isinstance(source, StepFit) or "degenerate" in source.flags:
        return None
    ranked = source.cuts is not None
    cells = _cells_of_ranks(source, table) if ranked else _cells_of_scores(table)
    quantiles = (_places if ranked else _scores)(source)
    sizes = [max(round(n), 1) for n in table.n_eff]
    higher = ranked or table.higher_is_positive

    def draw(rng: np.random.Generator) -> ScoreTable:
        drawn = zip(quantiles, sizes, strict=True)
        found = (cells.cut(quantile(rng.random(size))) for quantile, size in drawn)
        return tabulate_classes(*found, higher_is_positive=higher)

    return draw


def _too_large(fit: Fit, table: ScoreTable) -> str:
    """Say that scores are so large that samples of them have no finite squares; "" if not."""
    source: Fit = getattr(fit, "inner", fit)
    score = table.score.astype(np.float64)
    largest = float(np.abs(score[np.isfinite(score)]).max(initial=0.0))
    if source.cuts is not None or largest <= _LARGEST:
        return ""
    return (
        f"samples would be drawn of scores up to {largest:g} in size, without finite squares. "
        'Divide all scores by one number first, or take a rank-based model, such as "labroc".'
    )


def _places(fit: Fit) -> tuple[Quantile, Quantile]:
    """Return the scores of both classes by shares above, on a scale where negatives are uniform."""
    line = line_of(fit)
    return lambda u: -np.interp(u, line.y, line.x), np.negative


def _scores(fit: Fit) -> tuple[Quantile, Quantile]:
    """Return the scores of both classes by shares above."""
    if isinstance(fit, SampleFit) and isinstance(fit, PolygonCurve):  # at the observed scores
        score = fit.scores_of(np.unique(np.concatenate([fit.pos[0], fit.neg[0]]))[::-1])
        pos, neg = (partial(_observed, score, rates[1:]) for rates in (fit.tpr, fit.fpr))
        return pos, neg
    if isinstance(fit, TwoSided):
        both = [fit.scores_of(side.threshold(_SHARES)) for side in fit._sides]
    else:
        both = [np.asarray(fit.threshold_at(at)) for at in (fit.fpr_at(_SHARES), _SHARES)]
    pos, neg = (partial(_between, score) for score in both)
    return pos, neg


def _observed(score: Vector, above: Vector, u: Vector) -> Vector:
    return np.asarray(score[np.minimum(np.searchsorted(above, u), score.size - 1)])


def _between(score: Vector, u: Vector) -> Vector:
    known = np.isfinite(score)
    return np.interp(u, _SHARES[known], score[known])


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Cells of rising scores, in some of which all cases have one score."""

    edges: Vector
    score: Vector
    tied: Mask

    def cut(self, score: Vector) -> Vector:
        """Return scores, those of tied cells as that of their cell."""
        cell = np.searchsorted(self.edges, score)
        return np.where(self.tied[cell], self.score[cell], score)


def _cells_of_scores(table: ScoreTable) -> _Cells:
    """Return a cell around each score of a table."""
    score = table.score.astype(np.float64)
    many, tied = _ties(table)
    order = np.argsort(score)
    score = score[order]
    return _Cells((score[1:] + score[:-1]) / 2, score, _mostly(many[order], tied[order]))


def _cells_of_ranks(fit: Fit, table: ScoreTable) -> _Cells:
    """Return the cells between the cuts of a fit, by minus their false positive rates."""
    assert fit.cuts is not None
    score, fpr = (each[1:] for each in fit.cuts)
    sign = -1.0 if table.higher_is_positive else 1.0
    cell = np.searchsorted(sign * score, sign * table.score.astype(np.float64))
    sums = (np.bincount(cell, each, score.size) for each in _ties(table))
    many, tied = (each.astype(np.float64) for each in sums)
    ends = -fpr[::-1]
    return _Cells(ends[1:], ends, _mostly(many[::-1], tied[::-1]))


def _ties(table: ScoreTable) -> tuple[Vector, Vector]:
    """Return the weight of the cases of each row, and of those that are tied."""
    many = (table.pos + table.neg).astype(np.float64)
    one = np.ones(many.size)
    if table.pos_w2 is not None and table.neg_w2 is not None:  # the square, of one case alone
        one = np.sqrt(table.pos_w2 + table.neg_w2) * (1 + 1e-9)
    return many, np.where(many > one, many, 0.0)


def _mostly(many: Vector, tied: Vector) -> Mask:
    if tied.sum() > _RATED * many.sum():
        return np.ones(many.size, dtype=np.bool_)
    return np.asarray(tied > _RATED * many)
