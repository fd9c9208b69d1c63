"""Thresholds by covariates, which give all kinds of cases one false positive rate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.frozen import Result
from rocspace.designs.covariate_cases import CovariateScores, chosen_score, kind_called, rows_at
from rocspace.designs.covariate_models import (
    Model,
    Settled,
    needs_placements,
    settled,
    strata_of,
)
from rocspace.designs.reference import Reference, fitted_reference
from rocspace.designs.regression import (
    product,
)


class CovariateThresholds(Result):
    """Thresholds that have one false positive rate for all covariates.

    Attributes
    ----------
    at : mapping of str to ndarray
        The covariates of each row.
    threshold : ndarray, shape (m,)
        A case of that kind is called positive from this score on (down from it, where lower scores
        are more positive); infinite where even the most extreme negative may not be called.
    fpr : float
        The false positive rate that was asked for.
    method : str
        How the scores of the negatives depend on the covariates.

    See Also
    --------
    covariate_thresholds
    """

    at: Mapping[str, Any]
    threshold: Vector
    fpr: float
    method: str

    def _columns(self) -> dict[str, Any]:
        return dict(self.at) | {"threshold": self.threshold}

    def _about(self) -> str:
        return f"fpr {self.fpr:g} for {self.threshold.size} kinds of cases, {self.method}"


@explained
def covariate_thresholds(
    data: CovariateScores,
    at: Mapping[str, ArrayLike],
    name: str | None = None,
    *,
    fpr: float,
    model: Model = None,
) -> CovariateThresholds:
    """Thresholds with one false positive rate for all covariates.

    Parameters
    ----------
    data : CovariateScores
        Scores and covariates. The thresholds depend on the negatives alone; positives are needed
        only because the labels are checked.
    at : mapping of str to array-like
        Values of every covariate: one number or category, or m of them.
    name : str, optional
        The score; not needed where there is only one.
    fpr : float
        The largest false positive rate, in [0, 1].
    model : CovariateModel or {"stratified", "location-scale"}, optional
        As for `aauc_estimate`.

    Returns
    -------
    CovariateThresholds
        One threshold for each row of `at`.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        As `aauc_estimate`; also if a covariate is missing from `at`, or a category, or a stratum,
        has no negatives.

    Notes
    -----
    The threshold for covariates x is ``mean(x) + sd(x) q``. With empirical residuals q is the
    smallest residual of a negative that at most the share `fpr` of the residuals reach; with Normal
    ones it is ``Phi^-1(1 - fpr)``. For strata the threshold is the score of a negative of the
    stratum. A case is called positive when its score is at or above the threshold (at or below it
    where lower scores are more positive). O(n log n).

    References
    ----------
    Janes and Pepe (2009), a paper on this alone.

    Examples
    --------
    >>> from rocspace.designs import covariate_scores
    >>> y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> score = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]
    >>> data = covariate_scores(y, score, {"site": list("aaaaabbbbb")})
    >>> covariate_thresholds(data, {"site": ["a", "b"]}, fpr=0.35).threshold
    array([ 3., inf])
    """
    name = chosen_score("covariate_thresholds", data, name)
    rate = checks.check_one_fraction("fpr", fpr)
    found = needs_placements("covariate_thresholds", settled(data, model))
    values, m = rows_at(data, at)
    parts = _of_negatives(data, data.column(name), found)
    z, w = found.rows(values, m)
    stratum = [tuple(values[n][i] for n in found.strata) for i in range(m)]
    threshold = np.empty(m)
    for i, key in enumerate(stratum):
        if key not in parts:
            listed = kind_called(data, found.strata, key)
            msg = (
                f"There are no negatives with {listed}, so no threshold is known for them. Merge "
                "strata, or leave those cases out of at."
            )
            raise ValueError(msg)
        part = parts[key]
        q = _residual_at(part, rate)
        if part.line is None:
            threshold[i] = q
        else:
            threshold[i] = product(z[i : i + 1], part.line.beta)[0]
            threshold[i] += float(part.line.sd(w[i : i + 1])[0]) * q
    if not data.cases.rises(name):
        threshold = -threshold
    shown = {name: np.broadcast_to(np.asarray(given), (m,)).copy() for name, given in at.items()}
    return CovariateThresholds(
        at={n: shown[n] for n in data.covariates}, threshold=threshold, fpr=rate,
        method=found.described,
    )  # fmt: skip


def _of_negatives(
    data: CovariateScores, score: Vector, found: Settled
) -> dict[tuple[float, ...], Reference]:
    """Return the fitted negatives of each stratum that has any, by its values."""
    stratum, called = strata_of(data, found.strata)
    rows = found.rows(data.covariates, len(data))
    parts = {}
    for s, name in enumerate(called):
        neg = np.flatnonzero((stratum == s) & ~data.cases.label)
        if neg.size:
            key = tuple(float(data.covariates[n][neg[0]]) for n in found.strata)
            parts[key] = fitted_reference(name, score, (neg[:0], neg), rows, found)
    return parts


def _residual_at(part: Reference, rate: float) -> float:
    """Return the residual that no more than a share of the negatives reach."""
    if part.normal:
        from scipy.special import ndtri

        return float(-ndtri(rate))
    ordered = part.ordered
    n = ordered.size
    allowed = int(np.floor(rate * n * (1 + 1e-14) + 1e-12))
    reaching = n - np.searchsorted(ordered, ordered, "left")
    good = np.flatnonzero(reaching <= allowed)
    return float(ordered[good[0]]) if good.size else np.inf
