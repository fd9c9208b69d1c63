"""How scores depend on covariates: the user's choice, and what it comes to for some data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Ints, Vector
from rocspace._base.checks import check_choice, check_known
from rocspace._base.errors import Argument, ArgumentError, Caller
from rocspace._base.frozen import Result
from rocspace._base.kinds import check_fields
from rocspace.designs.covariate_cases import CovariateScores, kind_called
from rocspace.designs.regression import (
    Column,
    columns_of,
    design,
)

Method: TypeAlias = Literal["stratified", "location-scale", "roc-glm"]
Residuals: TypeAlias = Literal["empirical", "normal"]
SdModel: TypeAlias = Literal["constant", "linear"]

_MANY = 20  # distinct values from which on a number is not a stratum


class CovariateModel(Result):
    """How the scores depend on the covariates.

    Attributes
    ----------
    method : {"stratified", "location-scale", "roc-glm"}, optional
        "stratified": every combination of the covariates is a stratum, and nothing is assumed.
        "location-scale": in each stratum of the categories the mean of the scores is linear in the
        numbers. "roc-glm": the curve itself is modelled, ``Phi(a + b Phi^-1(t) + c'x)``, from
        placements by one of the other two. By default "stratified" if all covariates are
        categories, else "location-scale".
    strata : tuple of str, optional
        Covariates whose combinations are fitted separately; by default all categories. Categories
        that are left out shift the mean only.
    residuals : {"empirical", "normal"}, default "empirical"
        Distribution of the residuals of "location-scale".
    scale : {"constant", "linear"}, default "constant"
        Whether the logarithm of the standard deviation is linear in the covariates, too.
    knots : int, default 0
        Knots of a restricted cubic spline for each number, 3 to 7; 0 is a straight line.
    rates : int, default 50
        Number m of false positive rates j / (m + 1) of "roc-glm".

    See Also
    --------
    aauc_estimate, conditional_roc

    Examples
    --------
    >>> from rocspace.designs import CovariateModel
    >>> CovariateModel(method="location-scale", residuals="normal").residuals
    'normal'
    """

    method: Method | None = None
    strata: tuple[str, ...] | None = None
    residuals: Residuals = "empirical"
    scale: SdModel = "constant"
    knots: int = 0
    rates: int = 50

    def __post_init__(self) -> None:
        if self.method is not None:
            check_choice("method", self.method, Method)
        given: Any = self.strata
        if isinstance(given, str):
            msg = f"strata is {given!r}, but must be a tuple: strata=({given!r},)."
            raise TypeError(msg)
        check_fields(self)
        check_choice("residuals", self.residuals, Residuals)
        check_choice("scale", self.scale, SdModel)
        check_choice("knots", self.knots, (0, 3, 4, 5, 6, 7))
        checks.check_sizes(rates=self.rates)
        super().__post_init__()


Model: TypeAlias = CovariateModel | Method | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A model that is settled for some data: which cases are in which stratum, and the columns."""

    model: CovariateModel
    strata: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def described(self) -> str:
        """The method, for results."""
        if self.model.method == "location-scale":
            return f"location-scale, {self.model.residuals} residuals"
        return str(self.model.method)

    def rows(self, values: Mapping[str, Vector], n: int) -> tuple[Vector, Vector]:
        """Return the columns of mean and standard deviation of some cases."""
        z = design(self.columns, values, n)
        return z, z if self.model.scale == "linear" else z[:, :1]


def settled(data: CovariateScores, given: Model) -> Settled:
    """Settle what a model leaves open, and check it against the data."""
    model: Any = given
    if model is None or isinstance(model, str):
        word: Any = model
        model = CovariateModel(method=word)
    if not isinstance(model, CovariateModel):
        msg = (
            f"model is a {type(model).__name__}, but must be a CovariateModel or the name of a "
            'method, such as "location-scale".'
        )
        raise TypeError(msg)
    names, numbers = tuple(data.covariates), [n for n in data.covariates if n not in data.levels]
    method: Method = model.method or ("location-scale" if numbers else "stratified")
    strata = tuple(data.levels) if model.strata is None else tuple(model.strata)
    for name in strata:
        check_known("covariate", name, names)
    if method == "stratified":
        strata = names
    for name in strata:
        different = np.unique(data.covariates[name]).size
        if name in numbers and different > _MANY:
            msg = (
                f"Covariate {name!r} has {different} distinct values, too many for strata. Cut it "
                'into groups of your own, or take the method "location-scale".'
            )
            raise ValueError(msg)
    rest = [name for name in names if name not in strata]
    categories = {name: len(known) for name, known in data.levels.items()}
    columns = columns_of(data.covariates, rest, categories, model.knots)
    model = replace(model, method=method, strata=strata)
    return Settled(model=model, strata=strata, columns=columns)


def strata_of(data: CovariateScores, names: Sequence[str]) -> tuple[Ints, list[str]]:
    """Return the stratum of each case, and what each is called."""
    stratum = np.zeros(len(data), dtype=np.int64)
    called = ["all cases"]
    for name in names:
        known, code = np.unique(data.covariates[name], return_inverse=True)
        stratum = stratum * known.size + code
    seen, first, stratum = np.unique(stratum, return_index=True, return_inverse=True)
    if names:
        called = [
            kind_called(data, names, [data.covariates[name][i] for name in names]) for i in first
        ]
    assert len(called) == seen.size
    return stratum.astype(np.int64), called


def needs_placements(caller: str, found: Settled) -> Settled:
    """Raise if the model is one of the curve, which places no positives."""
    if found.model.method == "roc-glm":
        raise ArgumentError(
            Caller(caller),
            " averages over the cases, and ",
            Argument("model", "roc-glm", '"roc-glm"'),
            " is a model of the curve for given covariates. Take ",
            Argument("model", "stratified", '"stratified"'),
            " or ",
            Argument("model", "location-scale", '"location-scale"'),
            ".",
        )
    return found
