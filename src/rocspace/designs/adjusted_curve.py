"""The ROC curve adjusted for covariates: the distribution of placements among negatives alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, picture
from rocspace._base.frozen import Result
from rocspace._base.text import share
from rocspace.bands.band import Band, check_replicates, possible, wilson_variance
from rocspace.bands.replicates import order_statistic
from rocspace.counts.table import tabulate
from rocspace.curves.roc import roc_curve
from rocspace.designs.covariate_cases import CovariateScores, chosen_score
from rocspace.designs.covariate_models import (
    Model,
    Settled,
    needs_placements,
    settled,
    strata_of,
)
from rocspace.designs.reference import Reference, references
from rocspace.resampling.replicates import Rng
from rocspace.results.curve import Line, PolygonCurve, left_right, moving, polygon_area
from rocspace.results.limits import nondecreasing
from rocspace.results.proportions import normal_quantile

_TRIES = 20  # samples, until one can be fitted


class AdjustedRoc(PolygonCurve, Result):
    """The covariate-adjusted ROC curve: how positives are placed among negatives like themselves.

    Attributes
    ----------
    fpr, tpr : ndarray, shape (k,)
        Vertices from (0, 0) to (1, 1); a repeated fpr is a jump.
    method : str
        How the covariates were adjusted for.
    n_pos, n_neg : int
        Positives and negatives that the curve was computed from.

    See Also
    --------
    adjusted_roc, aauc_estimate

    Examples
    --------
    >>> from rocspace.designs import adjusted_roc, covariate_scores
    >>> data = covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"site": list("aabb")})
    >>> adjusted_roc(data).auc
    1.0
    """

    fpr: Vector
    tpr: Vector
    method: str
    n_pos: int
    n_neg: int

    name = "adjusted ROC curve"
    _frame = ("fpr", "tpr")

    def _about(self) -> str:
        return f"{self.method}, area {share(self.auc)}, {self.n_pos} positives"

    def _card(self) -> Card:
        rows = {"Method": self.method, "Area": share(self.auc), "Positives": f"{self.n_pos:,}"}
        rows |= {"Negatives": f"{self.n_neg:,}"}
        return Card(rows=rows, image=picture([(self.fpr, self.tpr)], name="Adjusted ROC curve"))

    @cached_property
    def auc(self) -> float:
        """Area under the curve, which `aauc_estimate` gives with its error."""
        return polygon_area(self.fpr, self.tpr, 0.0, 1.0)


@explained
def adjusted_roc(
    data: CovariateScores, name: str | None = None, *, model: Model = None
) -> AdjustedRoc:
    """Covariate-adjusted ROC curve (AROC): the mean curve of positives among negatives like them.

    Parameters
    ----------
    data, name, model
        As for `aauc_estimate`.

    Returns
    -------
    AdjustedRoc
        A curve like any other: ``tpr_at``, ``fpr_at``, ``partial_auc``, ``auc``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `aauc_estimate`.

    Warns
    -----
    UserWarning
        As `aauc_estimate`.

    Notes
    -----
    ``AROC(t)`` is the tpr if each stratum, or each kind of negatives, has its own threshold with
    the false positive rate t. It is the mean of the curves of the strata at each fpr, weighted by
    their positives; for "location-scale" the curve of the standardised residuals. With Normal
    residuals it is the distribution function of ``1 - Phi(residual)`` of the positives. With one
    stratum it is the ordinary curve. O(n log n) for each stratum.

    References
    ----------
    Janes and Pepe (2009), a paper on this alone.

    Examples
    --------
    >>> from rocspace.designs import covariate_scores
    >>> y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> score = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]
    >>> data = covariate_scores(y, score, {"site": list("aaaaabbbbb")})
    >>> curve = adjusted_roc(data)
    >>> round(curve.auc, 4), round(curve.tpr_at(0.1), 4)
    (0.9583, 0.825)
    """
    name = chosen_score("adjusted_roc", data, name)
    found = needs_placements("adjusted_roc", settled(data, model))
    return _curve_of(references(data, data.column(name), found), found)


def _curve_of(parts: Sequence[Reference], found: Settled) -> AdjustedRoc:
    """Average the curves of the strata."""
    lines, many = [], [part.pos.size for part in parts]
    for part in parts:
        if part.normal:
            _, above = part.beaten()
            steps = np.sort(above)
            heights = np.arange(1, steps.size + 1) / steps.size
            x = np.repeat(steps, 2)
            y = np.column_stack([heights - 1 / steps.size, heights]).ravel()
            lines.append(Line(np.concatenate([[0.0], x, [1.0]]), np.concatenate([[0.0], y, [1.0]])))
        else:
            both = np.concatenate([part.at_pos, part.at_neg])
            label = np.arange(both.size) < part.pos.size
            lines.append(roc_curve(tabulate(label, both)).line)
    line = mean_line(lines, np.array(many) / sum(many))
    n_neg = sum(part.neg.size for part in parts)
    return AdjustedRoc(fpr=line.x, tpr=line.y, method=found.described, n_pos=sum(many), n_neg=n_neg)


@explained
def adjusted_band(
    data: CovariateScores,
    name: str | None = None,
    *,
    model: Model = None,
    level: float = 0.95,
    simultaneous: bool = True,
    n_boot: int = 500,
    grid: int = 101,
    rng: Rng = 0,
) -> Band:
    """Band of the covariate-adjusted ROC curve.

    Parameters
    ----------
    data, name, model
        As for `aauc_estimate`.
    level : float, default 0.95
        Confidence level, strictly between 0 and 1.
    simultaneous : bool, default True
        Whether the band holds for the whole curve, or at each false positive rate by itself.
    n_boot : int, default 500
        Number of samples of the cases, in each of which the model is fitted anew.
    grid : int, default 101
        Number of false positive rates, from 0 to 1.
    rng : numpy.random.Generator or int, default 0
        Generator or seed.

    Returns
    -------
    Band
        For `rocspace.plot.plot_band`, or ``at_fpr(0.1)``.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `aauc_estimate`, or if there are too few samples for the level.

    Notes
    -----
    Positives are sampled from all positives, negatives within their stratum. The band is the curve
    plus and minus c standard errors: those of the samples, at least Wilson's of a proportion of as
    many positives. For the whole curve c is the quantile of the largest deviation of a sample, for
    single rates that of the Normal distribution. At false positive rates so small that the sample
    need not have a negative there (below the upper confidence limit of a rate when 0 of all
    negatives were observed) the lower limit is 0, and at rates as near to 1 the upper limit is 1.
    Where a limit would fall, that of a single rate is relaxed, and that of the whole curve
    tightened. O(n_boot n log n). In three situations of the ledger (docs, "Measured coverage")
    the whole curve was inside in 95.3 to 98.2 percent at level 0.95, and the rate at fpr .2 in 93.2
    to 96.7.

    References
    ----------
    Janes and Pepe (2009), a paper on this alone, for the curve and the sampling of both classes;
    Martinez-Camblor, Perez-Fernandez and Corral (2018), a paper on this alone, for the largest
    deviation in standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import covariate_scores
    >>> y, site = np.arange(60) % 2, np.array(["a", "b"])[np.arange(60) % 3 % 2]
    >>> data = covariate_scores(y, y + np.sin(np.arange(60)), {"site": site})
    >>> adjusted_band(data, n_boot=50, level=0.9, grid=11)
    Band(adjusted, level 0.9, simultaneous, area 0.380)
    """
    name = chosen_score("adjusted_band", data, name)
    found = needs_placements("adjusted_band", settled(data, model))
    check_replicates(n_boot, level)
    checks.check_times("grid", grid)
    fpr, generator = np.linspace(0, 1, max(grid, 2)), checks.check_rng(rng)
    parts = references(data, data.column(name), found)
    curve = _curve_of(parts, found)
    heights = np.asarray(curve.tpr_at(fpr))
    drawn = np.array([_drawn_heights(data, name, found, fpr, generator) for _ in range(n_boot)])
    z = normal_quantile(level)
    least = wilson_variance(heights, curve.n_pos, z)
    error = np.sqrt(np.maximum(drawn.var(axis=0, ddof=1), least))
    if simultaneous:
        z = order_statistic(np.abs((drawn - heights) / error).max(axis=1), level, n_boot)
    unseen = possible(curve.n_neg, level)
    low = np.where(fpr <= unseen, 0.0, np.maximum(heights - z * error, 0.0))
    high = np.where(1 - fpr <= unseen, 1.0, np.minimum(heights + z * error, 1.0))
    return Band(
        fpr=fpr,
        low=nondecreasing(low, lower=True, tight=simultaneous),
        high=nondecreasing(high, lower=False, tight=simultaneous),
        level=level,
        method="adjusted",
        simultaneous=simultaneous,
    )


def _drawn_heights(
    data: CovariateScores,
    name: str,
    found: Settled,
    fpr: Vector,
    generator: np.random.Generator,
) -> Vector:
    """Return the adjusted curve of a sample of the cases; one that can be fitted is drawn."""
    label, (stratum, called) = data.cases.label, strata_of(data, found.strata)
    cells = [np.flatnonzero(label)]
    cells += [np.flatnonzero(~label & (stratum == s)) for s in range(len(called))]
    for _ in range(_TRIES):
        rows = np.concatenate([each[generator.integers(0, each.size, each.size)] for each in cells])
        sample = data.take(rows)
        try:
            parts = references(sample, sample.column(name), found, quiet=True)
        except ValueError:  # its negatives do not determine the model
            continue
        return np.asarray(_curve_of(parts, found).tpr_at(fpr))
    msg = (
        f"None of {_TRIES} samples of the cases can be fitted: strata have too few negatives for "
        "the covariates. Merge strata, or leave out a covariate."
    )
    raise ValueError(msg)


def mean_line(lines: Sequence[Line], weight: Vector) -> Line:
    """Average lines at each x, with their jumps."""
    if len(lines) == 1:
        return lines[0]
    at = np.unique(np.concatenate([line.x for line in lines]))
    low, high = np.zeros(at.size), np.zeros(at.size)
    for line, w in zip(lines, weight, strict=True):
        left, right = left_right(line, at)
        low, high = low + w * left, high + w * right
    low[0], high[-1] = 0.0, 1.0
    x = np.repeat(at, 2)
    y = np.column_stack([low, high]).ravel()
    kept = moving(x, y)
    return Line(x[kept], np.maximum.accumulate(np.clip(y[kept], 0.0, 1.0)))
