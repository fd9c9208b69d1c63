"""Curves and areas of cases with given covariates.

Three estimators: the strata as they are; location and scale of both classes, whose residuals make
the curve; and a regression of the curve itself, on placements among negatives alike (ROC-GLM).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.frozen import Result
from rocspace._base.text import share
from rocspace.counts.table import tabulate
from rocspace.curves.roc import roc_curve
from rocspace.designs.covariate_cases import CovariateScores, chosen_score, kind_called, rows_at
from rocspace.designs.covariate_models import (
    Model,
    Settled,
    settled,
)
from rocspace.designs.induced import binormal_at, both_classes
from rocspace.designs.kinds import Kinds
from rocspace.designs.roc_glm import RocGlm
from rocspace.inference.area import delong
from rocspace.models.binormal import binormal_fit
from rocspace.results.curve import Curve
from rocspace.results.estimates import AreaEstimate


def areas_at(
    data: CovariateScores, name: str, found: Settled, values: Mapping[str, Vector], m: int
) -> Kinds:
    """Return the areas for m kinds of cases."""
    if found.model.method == "roc-glm":
        return RocGlm.fit(data, name, found).areas(values, m)
    pairs = both_classes(data, name, found)
    keys = [_key(found, values, i) for i in range(m)]
    for i, key in enumerate(keys):
        if key not in pairs:
            raise ValueError(_absent(data, found, values, i))
    if found.model.method == "stratified":
        each = [delong(pairs[key].table) for key in keys]
        # Two kinds of one stratum have the same area; different strata are independent.
        same = np.array([[a == b for b in keys] for a in keys])
        errors = np.array([one.se for one in each])
        by_case = np.array([pairs[key].placed(data.column(name)) for key in keys])
        return Kinds(
            values=np.array([one.value for one in each]),
            covariance=np.where(same, np.outer(errors, errors), 0.0),
            errors=by_case,
            df=np.array([one.df for one in each]),
            pairs=np.array([one.n_pairs for one in each]),
            estimates=tuple(each),
        )
    z, w = found.rows(values, m)
    area, pos, neg = np.empty(m), np.zeros((m, len(data))), np.zeros((m, len(data)))
    df, own, count = np.empty(m), np.empty(m), np.empty(m)
    normal: dict[int, tuple[float, float]] = {}
    for i, key in enumerate(keys):
        both = pairs[key]
        area[i], pos[i, both.pos], neg[i, both.neg] = both.area(z[i], w[i])
        variances = float(pos[i] @ pos[i]), float(neg[i] @ neg[i])
        df[i], own[i], count[i] = both.df, both.df_at(z[i], variances), both.count
        if not 0 < area[i] < 1:
            value, by_pos, by_neg = both.area(z[i], w[i], normal=True)
            normal[i] = value, sqrt(float(by_pos @ by_pos) + float(by_neg @ by_neg))
    errors = pos + neg  # of different cases
    return Kinds(
        values=area,
        covariance=errors @ errors.T,
        errors=errors,
        df=df,
        pairs=count,
        own=own,
        normal=normal,
    )


def _key(found: Settled, values: Mapping[str, Vector], i: int) -> tuple[float, ...]:
    return tuple(float(values[name][i]) for name in found.strata)


def _absent(data: CovariateScores, found: Settled, values: Mapping[str, Vector], i: int) -> str:
    listed = kind_called(data, found.strata, _key(found, values, i))
    return (
        f"There are not both classes among the cases with {listed}, so they have no curve. Merge "
        "strata, or leave this covariate out of them."
    )


class ConditionalRoc(Result):
    """The ROC curve of cases with given covariates.

    Attributes
    ----------
    at : mapping of str to object
        The covariates.
    curve : Curve
        The curve: a polygon for empirical residuals and strata, else binormal.
    auc_estimate : Estimate
        Its area with the error.
    method : str
        How it was estimated.

    See Also
    --------
    conditional_roc
    """

    at: Mapping[str, Any]
    curve: Curve
    auc_estimate: AreaEstimate
    method: str

    def _about(self) -> str:
        listed = ", ".join(f"{name} {value}" for name, value in self.at.items())
        return f"{listed}: area {share(self.auc_estimate.value)}, {self.method}"

    def _columns(self) -> dict[str, Any]:
        from rocspace.results.curve import line_of

        line = line_of(self.curve)
        return {"fpr": line.x, "tpr": line.y}


@explained
def conditional_roc(
    data: CovariateScores, at: Mapping[str, Any], name: str | None = None, *, model: Model = None
) -> ConditionalRoc:
    """ROC curve of cases with given covariates.

    Parameters
    ----------
    data : CovariateScores
        From `covariate_scores`, both classes present.
    at : mapping of str to object
        A value of every covariate.
    name : str, optional
        The score; not needed where there is only one.
    model : CovariateModel or str, optional
        The estimator; by default see `CovariateModel`.

    Returns
    -------
    ConditionalRoc
        The curve, and its area with the error.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `auc_by_covariate`.

    Notes
    -----
    With empirical residuals it is the curve of all scores, moved to the given covariates: the mean
    there plus the standard deviation there times each residual. See `auc_by_covariate`. O(n log n).

    References
    ----------
    Faraggi (2003), a paper on this alone; Alonzo and Pepe (2002), no numbered
    equation, for the regression of the curve.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import covariate_scores
    >>> y, age = np.arange(60) % 2, np.arange(60) % 31
    >>> data = covariate_scores(y, y + np.sin(np.arange(60)) + age / 30, {"age": age})
    >>> conditional_roc(data, {"age": 25})
    ConditionalRoc(age 25: area 0.842, location-scale, empirical residuals)
    """
    name = chosen_score("conditional_roc", data, name)
    found = settled(data, model)
    values, m = rows_at(data, at)
    if m != 1:
        msg = f"at has {m} values of a covariate. A curve has one: call it for each."
        raise ValueError(msg)
    kinds = areas_at(data, name, found, values, 1)
    return ConditionalRoc(
        at={n: at[n] for n in data.covariates},
        curve=_curve_at(data, name, found, values),
        auc_estimate=kinds.estimate(0, found.described),
        method=found.described,
    )


def _curve_at(
    data: CovariateScores, name: str, found: Settled, values: Mapping[str, Vector]
) -> Curve:
    """Return the curve of one kind of cases."""
    if found.model.method == "roc-glm":
        glm = RocGlm.fit(data, name, found)
        row = glm.shifts(values, 1)[0]
        change = np.vstack([row, np.eye(row.size)[1]])
        return binormal_fit(
            found.described,
            float(row @ glm.theta),
            float(glm.theta[1]),
            covariance=change @ glm.covariance @ change.T,
            covariance_method="influence of each case",
            df=max(glm.count - glm.theta.size, 1.0),
        )
    both = both_classes(data, name, found)[_key(found, values, 0)]
    if found.model.method == "stratified":
        return roc_curve(both.table)
    z, w = (row[0] for row in found.rows(values, 1))
    x, y, s1, s0 = both.moved(z, w)
    if not both.ref.normal:
        label = np.repeat([True, False], [x.size, y.size])
        return roc_curve(tabulate(label, np.concatenate([x, y])))
    return binormal_at(both, z, w, (s1, s0), found)
