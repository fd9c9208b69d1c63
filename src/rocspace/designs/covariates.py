"""Curves and areas adjusted for covariates: each positive is placed among negatives like itself.

If age shifts the scores of both classes and positives are older, the pooled curve mixes what the
score tells with what age tells. The placement of a positive is the share of negatives of its own
age that score as high or higher; the adjusted curve is the distribution of these placements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector, as_vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, picture
from rocspace._base.checks import MissingPolicy, check_choice, check_known, warn
from rocspace._base.errors import Argument, ArgumentError, Caller
from rocspace._base.frozen import Result, own
from rocspace._base.text import share
from rocspace.bands.band import Band, check_replicates, possible, wilson_variance
from rocspace.bands.replicates import order_statistic
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import refuse, tabulate
from rocspace.curves.roc import roc_curve
from rocspace.designs.regression import (
    Column,
    Regression,
    columns_of,
    density,
    design,
    product,
    regress,
)
from rocspace.inference.area_models import area_model_variance
from rocspace.inference.spread import ClassSpread, Spread, class_spread, pooled_spread
from rocspace.resampling.replicates import Rng
from rocspace.results.curve import Line, PolygonCurve, left_right, polygon_area
from rocspace.results.estimates import AreaEstimate, Difference
from rocspace.results.proportions import normal_quantile

Method: TypeAlias = Literal["stratified", "location-scale", "roc-glm"]
Residuals: TypeAlias = Literal["empirical", "normal"]
SdModel: TypeAlias = Literal["constant", "linear"]

_TRIES = 20  # samples, until one can be fitted
_MANY = 20  # distinct values from which on a number is not a stratum
_MADE = "covariate_scores(y_true, y_score, {'age': age})"


# --- the data -----------------------------------------------------------------------------------


class CovariateScores(Result):
    """Labels, one or several scores, and covariates of the same cases.

    Attributes
    ----------
    cases : PairedScores
        Labels and scores.
    covariates : mapping of str to ndarray, shape (n,)
        The values of each covariate: numbers, or codes of categories.
    levels : mapping of str to tuple
        The categories of each covariate that is not a number, in the order of their codes.

    See Also
    --------
    covariate_scores

    Examples
    --------
    >>> from rocspace.designs import covariate_scores
    >>> covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"age": [30, 40, 50, 60]})
    CovariateScores(score by age: 2 positives, 2 negatives)
    """

    cases: PairedScores
    covariates: Mapping[str, Vector]
    levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.cases)

    def _about(self) -> str:
        names, (_, numbers) = ", ".join(self.names), self.cases._about().rsplit(": ", 1)
        return f"{names} by {', '.join(self.covariates)}: {numbers}"

    def _columns(self) -> dict[str, Any]:
        return self.cases._columns() | {
            name: np.array(self.levels[name], dtype=object)[values.astype(np.intp)].tolist()
            if name in self.levels
            else values
            for name, values in self.covariates.items()
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the scores."""
        return self.cases.names

    def column(self, name: str) -> Vector:
        """Return a score as numbers of which larger ones are more positive.

        Parameters
        ----------
        name : str
            Name of the score.

        Returns
        -------
        ndarray of float64, shape (n,)
            The score; its negative where lower scores are more positive.

        Raises
        ------
        ValueError
            If there is no such score.

        Examples
        --------
        >>> from rocspace.designs import covariate_scores
        >>> covariate_scores([0, 1], [1, 3], {"age": [30, 40]}).column("score")
        array([1., 3.])
        """
        j = self.cases.column_of(name)
        values = self.cases.score[:, j].astype(np.float64)
        return values if self.cases.rises(j) else -values

    def take(self, rows: Array) -> CovariateScores:
        """Take some of the cases.

        Parameters
        ----------
        rows : ndarray of int or bool
            Indices of the cases, which may repeat; or for each case whether it is taken.

        Returns
        -------
        CovariateScores
            Those cases, in that order.

        Examples
        --------
        >>> import numpy as np
        >>> from rocspace.designs import covariate_scores
        >>> data = covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"age": [30, 40, 50, 60]})
        >>> len(data.take(np.array([0, 1])))
        2
        """
        from rocspace.counts.paired import take_cases

        values = {name: each[rows] for name, each in self.covariates.items()}
        return CovariateScores(
            cases=take_cases(self.cases, rows), covariates=values, levels=self.levels
        )


@explained
def covariate_scores(
    y_true: ArrayLike,
    y_scores: ArrayLike,
    covariates: Mapping[str, ArrayLike],
    *,
    names: Sequence[str] | None = None,
    pos_label: object = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
) -> CovariateScores:
    """Put labels and scores beside covariates of the same cases.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels, as for `rocspace.tabulate`.
    y_scores : array-like of shape (n,) or (n, m), mapping or data frame
        A score of each case, or a column for each of several.
    covariates : mapping of str to array-like, or data frame
        The covariates by name: numbers, or categories given as texts or booleans. Numbers that are
        codes of categories must be made texts, as in ``site.astype(str)``.
    names : sequence of str, optional
        Names of the scores; by default those of the columns, or "score".
    pos_label, higher_is_positive, missing
        As for `rocspace.pair_scores`; a case that lacks a covariate is missing, too.

    Returns
    -------
    CovariateScores
        The checked, read-only data.

    Raises
    ------
    ValueError, TypeError
        As `rocspace.pair_scores`; also if there is no covariate, a number is infinite, or a score
        and a covariate have the same name.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> data = covariate_scores([0, 1, 0, 1], [1, 3, 2, 4], {"sex": ["f", "m", "m", "f"]})
    >>> data.levels
    {'sex': ('f', 'm')}
    """
    named = isinstance(y_scores, Mapping) or hasattr(y_scores, "columns")
    if not named and np.ndim(y_scores) == 1:
        y_scores, names = {"score": y_scores}, (names or ["score"])
    scores = checks.named_columns(y_scores, names)
    given = _named_covariates(covariates, scores)
    coded, levels = {}, {}
    for name, values in given.items():
        coded[f"covariates[{name!r}]"], known = _coded(name, values)
        if known is not None:
            levels[name] = known
    columns = {f"y_scores[{name!r}]": values for name, values in scores.items()} | coded
    cases = checks.check_cases(y_true, columns, pos_label=pos_label, missing=missing)
    m = len(scores)
    checks.check_promotion(*cases.scores[:m])
    values = {n: own(x.astype(np.float64)) for n, x in zip(given, cases.scores[m:], strict=True)}
    for name, x in values.items():
        if not np.isfinite(x).all():
            i = int(np.flatnonzero(~np.isfinite(x))[0])
            msg = f"Covariate {name!r} is {x[i]} at index {i}. Covariates are finite numbers."
            raise ValueError(msg)
    return CovariateScores(
        cases=PairedScores(
            label=cases.label,
            score=own(np.column_stack(cases.scores[:m])),
            names=tuple(scores),
            higher_is_positive=higher_is_positive,
        ),
        covariates=values,
        levels=levels,
    )


def _named_covariates(covariates: Any, scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return the covariates by name, checked."""
    if not (isinstance(covariates, Mapping) or hasattr(covariates, "columns")):
        msg = f"covariates is a {type(covariates).__name__}, but must map names to values: {_MADE}."
        raise TypeError(msg)
    names = list(getattr(covariates, "column_names", covariates))
    if not names:
        msg = f"There are no covariates. Name at least one: {_MADE}."
        raise ValueError(msg)
    for name in names:
        if name in scores:
            msg = f"{name!r} is both a score and a covariate. Give one of them another name."
            raise ValueError(msg)
    return {str(name): covariates[name] for name in names}


def _coded(name: str, values: Any) -> tuple[Any, tuple[Any, ...] | None]:
    """Return a covariate as numbers, and its categories if it has any."""
    array, absent = as_vector(values, f"covariates[{name!r}]")
    if array.dtype.kind in "iuf":
        return values, None
    if array.dtype.kind not in "bUSO":
        msg = (
            f"Covariate {name!r} has the type {array.dtype}. Make it numbers, or texts for "
            "categories."
        )
        raise TypeError(msg)
    there = np.ones(array.size, dtype=bool) if absent is None else ~absent
    known = checks.distinct_values(array[there])
    place = {value: i for i, value in enumerate(known)}
    codes = np.full(array.size, np.nan)
    codes[there] = [place[value] for value in array[there].tolist()]
    return codes, tuple(known)


def chosen_score(caller: str, data: Any, name: str | None) -> str:
    """Return the name of a score, the only one by default; check the data."""
    if not isinstance(data, CovariateScores):
        msg = (
            f"{caller} takes CovariateScores, not a {type(data).__name__}. Make them with {_MADE}."
        )
        raise TypeError(msg)
    n_pos = int(np.count_nonzero(data.cases.label))
    if not 0 < n_pos < len(data):
        refuse(caller, n_pos, len(data) - n_pos)
    if name is None:
        if len(data.names) > 1:
            msg = f"{caller} takes one score of {', '.join(data.names)}. Name it."
            raise ValueError(msg)
        return data.names[0]
    check_known("score", name, data.names)
    return name


# --- the model ----------------------------------------------------------------------------------


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
    called = ["all"]
    for name in names:
        known, code = np.unique(data.covariates[name], return_inverse=True)
        stratum = stratum * known.size + code
    seen, first, stratum = np.unique(stratum, return_index=True, return_inverse=True)
    if names:
        called = [
            ", ".join(f"{name} {_level(data, name, data.covariates[name][i])}" for name in names)
            for i in first
        ]
    assert len(called) == seen.size
    return stratum.astype(np.int64), called


def _level(data: CovariateScores, name: str, value: float) -> Any:
    return data.levels[name][int(value)] if name in data.levels else f"{value:g}"


# --- negatives of one stratum -------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Reference:
    """The negatives of one stratum, among which its positives are placed.

    Attributes
    ----------
    called : str
        What the stratum is called.
    neg, pos : ndarray of int
        Its cases.
    line : Regression or None
        The fitted location and scale; None where the scores are compared as they are.
    at_neg, at_pos : ndarray
        Residuals, or scores, of its negatives and positives.
    z_neg, z_pos, w_neg, w_pos : ndarray
        Columns of mean and standard deviation, those of the mean divided by the latter.
    normal : bool
        Whether residuals are taken to be Normal.
    """

    called: str
    neg: Ints
    pos: Ints
    line: Regression | None
    at_neg: Vector
    at_pos: Vector
    z_neg: Vector
    z_pos: Vector
    w_neg: Vector
    w_pos: Vector
    normal: bool

    @cached_property
    def ordered(self) -> Vector:
        """Residuals of the negatives, increasing."""
        return np.sort(self.at_neg)

    def density_at(self, at: Vector) -> Vector:
        """Return the density of the residuals of the negatives."""
        if self.normal:
            return np.asarray(np.exp(-at * at / 2) / sqrt(2 * np.pi))
        return np.asarray(density(self.at_neg, at))

    def beaten(self) -> tuple[Vector, Vector]:
        """Return, for each positive, the share of negatives it beats (ties one half), and is below.

        The second is the share of negatives that score as high or higher.
        """
        if self.normal:
            from scipy.special import ndtr

            return np.asarray(ndtr(self.at_pos)), np.asarray(ndtr(-self.at_pos))
        left = np.searchsorted(self.ordered, self.at_pos, "left")
        right = np.searchsorted(self.ordered, self.at_pos, "right")
        n = self.ordered.size
        return np.asarray((left + right) / (2 * n)), np.asarray((n - left) / n)

    def shift(self, weight: Vector, at: Vector, z: Vector, w: Vector) -> Vector:
        """Return the slope, by the coefficients, of a weighted mean of the shares beaten.

        `weight` of each residual `at`, already times the density there, and its columns. The share
        beaten falls with the mean and the scale of a case, and rises with those of the negatives.
        """
        moved: Vector = np.concatenate([weight @ z, (weight * at) @ w])
        if self.normal:
            return -moved
        means = self.z_neg.mean(axis=0) * weight.sum(), self.w_neg.mean(axis=0) * (weight @ at)
        return np.concatenate(means) - moved

    @property
    def loss(self) -> float:
        """Factor of influences for the coefficients that the negatives determined."""
        n, p = self.neg.size, self.z_neg.shape[1]
        return sqrt(n / (n - p)) if n > p else 1.0


def references(
    data: CovariateScores, score: Vector, found: Settled, *, quiet: bool = False
) -> list[Reference]:
    """Fit the negatives of each stratum, and place its positives.

    Positives of strata without negatives are left out, with a warning unless `quiet`.
    """
    stratum, called = strata_of(data, found.strata)
    label = data.cases.label
    z, w = found.rows(data.covariates, len(data))
    parts, lost = [], []
    for s, name in enumerate(called):
        inside = stratum == s
        pos, neg = np.flatnonzero(inside & label), np.flatnonzero(inside & ~label)
        if not pos.size:
            continue
        if not neg.size:
            lost.append((name, pos.size))
            continue
        parts.append(_reference(name, score, (pos, neg), (z, w), found))
    if lost and not quiet:
        listed = "; ".join(f"{name}: {n}" for name, n in lost[:5])
        warn(
            f"{sum(n for _, n in lost)} positives are left out, because their strata have no "
            f"negatives ({listed}). Merge strata to keep them."
        )
    if not parts:
        msg = (
            "No stratum has both classes, so nothing can be compared. Merge strata, or leave out a "
            "covariate."
        )
        raise ValueError(msg)
    return parts


def _reference(
    name: str,
    score: Vector,
    cases: tuple[Ints, Ints],
    rows: tuple[Vector, Vector],
    found: Settled,
) -> Reference:
    pos, neg = cases
    z, w = rows
    plain = not found.columns and (
        found.model.method == "stratified" or found.model.residuals == "empirical"
    )
    if plain:
        one = np.ones((len(score), 1))
        fields = {"z_neg": one[neg], "z_pos": one[pos], "w_neg": one[neg], "w_pos": one[pos]}
        return Reference(
            called=name, neg=neg, pos=pos, line=None, at_neg=score[neg], at_pos=score[pos],
            normal=False, **fields,
        )  # fmt: skip
    if not np.isfinite(score[neg]).all() or not np.isfinite(score[pos]).all():
        msg = 'A location needs finite scores. Take the method "stratified", or finite scores.'
        raise ValueError(msg)
    _check_seen(name, found.columns, z, cases)
    line = regress(score[neg], z[neg], w[neg], f"the negatives of {name}")
    s_neg, s_pos = line.sd(w[neg]), line.sd(w[pos])
    return Reference(
        called=name,
        neg=neg,
        pos=pos,
        line=line,
        at_neg=line.residual,
        at_pos=(score[pos] - line.mean(z[pos])) / s_pos,
        z_neg=z[neg] / s_neg[:, None],
        z_pos=z[pos] / s_pos[:, None],
        w_neg=w[neg],
        w_pos=w[pos],
        normal=found.model.residuals == "normal",
    )


def _check_seen(
    stratum: str, columns: Sequence[Column], z: Vector, cases: tuple[Ints, Ints]
) -> None:
    """Raise if positives have a category that no negative of the stratum has."""
    pos, neg = cases
    at = 1
    for column in columns:
        if column.levels is None:
            at += 1 + max(len(column.knots) - 2, 0)
            continue
        signs = z[:, at : at + len(column.levels)]
        at += len(column.levels)
        signs = np.column_stack([1 - signs.sum(axis=1), signs])
        lacking = (signs[pos].sum(axis=0) > 0) & (signs[neg].sum(axis=0) == 0)
        if lacking.any():
            msg = (
                f"Some positives of {stratum} have a category of {column.name!r} that no negative "
                "there has: they cannot be placed. Merge categories, or leave those cases out."
            )
            raise ValueError(msg)


# --- the adjusted area --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """The placements of one score: what the adjusted area and its error are computed from.

    ``pos`` and ``neg`` have an entry for each case of the data: its contribution to the area minus
    the area, 0 for cases of the other class and for those left out.
    """

    value: float
    pos: Vector
    neg: Vector
    kept: Mask
    n_neg: float
    parts: list[Reference]


def place(data: CovariateScores, name: str, found: Settled, *, quiet: bool = False) -> Placed:
    """Place the positives among the negatives of their kind, with the influence of all cases."""
    parts = references(data, data.column(name), found, quiet=quiet)
    pos, neg = np.zeros(len(data)), np.zeros(len(data))
    kept = np.zeros(len(data), dtype=bool)
    many = sum(part.pos.size for part in parts)
    n = int(np.count_nonzero(~data.cases.label))
    total, effective = 0.0, 0.0
    for part in parts:
        beats, _ = part.beaten()
        portion = part.pos.size / many
        total += portion * float(beats.mean())
        effective += portion**2 / part.neg.size
        pos[part.pos], kept[part.pos] = beats, True
        pull = _pull(part, float(beats.mean()))
        # So that the variance of the mean over all n negatives is that of the mean over strata.
        neg[part.neg] = pull * part.loss * sqrt((n - 1) / n) * portion * n / part.neg.size
        kept[part.neg] = True
    pos[kept & data.cases.label] -= total
    return Placed(value=total, pos=pos, neg=neg, kept=kept, n_neg=1 / effective, parts=parts)


def _pull(part: Reference, area: float) -> Vector:
    """Return the influence of each negative on the mean share that the positives beat."""
    pull = np.zeros(part.neg.size)
    if not part.normal:
        ordered = np.sort(part.at_pos)
        n = ordered.size
        left = np.searchsorted(ordered, part.at_neg, "left")
        right = np.searchsorted(ordered, part.at_neg, "right")
        pull = 1 - (left + right) / (2 * n) - area
    if part.line is not None:
        weight = part.density_at(part.at_pos) / part.at_pos.size
        pull = pull + part.line.influence @ part.shift(weight, part.at_pos, part.z_pos, part.w_pos)
    return pull


def _class_of(values: Vector) -> ClassSpread:
    square = values * values
    n = float(values.size)
    return class_spread(float(square.sum()), float((square * square).sum()), n, n)


def _spread(data: CovariateScores, pos: Vector, neg: Vector, kept: Mask) -> Spread:
    label = data.cases.label
    classes = [_class_of(pos[label & kept]), _class_of(neg[~label])]
    return pooled_spread(classes)


def _needs_placements(caller: str, found: Settled) -> Settled:
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


def _estimate(data: CovariateScores, placed: Placed, method: str) -> AreaEstimate:
    spread = _spread(data, placed.pos, placed.neg, placed.kept)
    n_pos = float(np.count_nonzero(placed.kept & data.cases.label))
    return AreaEstimate(
        value=placed.value,
        se=sqrt(spread.variance) if spread.variance == spread.variance else float("nan"),
        method=method,
        n_pairs=min(n_pos, placed.n_neg),
        df=spread.df,
        model_se=sqrt(area_model_variance(placed.value, n_pos, placed.n_neg)),
    )


@explained
def aauc_estimate(
    data: CovariateScores, name: str | None = None, *, model: Model = None
) -> AreaEstimate:
    """Area under the covariate-adjusted ROC curve (AAUC), with its standard error.

    Parameters
    ----------
    data : CovariateScores
        From `covariate_scores`, both classes present.
    name : str, optional
        The score; not needed where there is only one.
    model : CovariateModel or {"stratified", "location-scale"}, optional
        How the scores of the negatives depend on the covariates; by default see `CovariateModel`.

    Returns
    -------
    Estimate
        In [0, 1], higher is better: the probability that a positive scores higher than a negative
        with the same covariates, averaged over the positives.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        If there are several scores and none is named, or the model does not fit the data.

    Warns
    -----
    UserWarning
        If positives are left out, because their strata have no negatives.

    Notes
    -----
    O(n log n). The area is the mean share of negatives that a positive beats, ties one half, in its
    stratum, or by residuals that are standardised with the mean and standard deviation of negatives
    with its covariates. The standard error adds the variance of these shares over the positives to
    that of the influence of the negatives: their own placements, and what they contribute to the
    coefficients (a kernel density of the residuals enters). For strata this is DeLong's variance of
    each, plus the variance between strata.

    Where covariates shift only the scores of positives, the pooled area and this one differ little;
    where they shift both classes and are distributed differently among them, the pooled area
    contains what the covariates tell.

    Coverage of the default interval measured at level .95, where age shifts the scores and
    positives are older (100 samples each; Normal residuals with 20 + 20 to 200 + 200 and 20 + 200
    cases, skewed ones with 50 + 50): 95 to 97 percent.

    References
    ----------
    Janes and Pepe (2009), a paper on this alone, for the curve and the strata.

    Examples
    --------
    >>> y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> score = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]
    >>> data = covariate_scores(y, score, {"site": list("aaaaabbbbb")})
    >>> estimate = aauc_estimate(data)
    >>> print(f"{estimate.value:.4f} +- {estimate.se:.4f}")
    0.9583 +- 0.0589
    """
    name = chosen_score("aauc_estimate", data, name)
    found = _needs_placements("aauc_estimate", settled(data, model))
    return _estimate(data, place(data, name, found), found.described)


@explained
def aauc_difference(
    data: CovariateScores,
    first: str | None = None,
    second: str | None = None,
    *,
    model: Model = None,
) -> Difference:
    """Difference of two covariate-adjusted areas of the same cases.

    Parameters
    ----------
    data : CovariateScores
        Several scores of the same cases, with their covariates.
    first, second : str, optional
        The scores to compare; not needed where there are only two.
    model : CovariateModel or {"stratified", "location-scale"}, optional
        As for `aauc_estimate`; the same for both scores.

    Returns
    -------
    Difference
        First minus second, in [-1, 1], with ``test()`` and ``interval(level)``.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        As `aauc_estimate`; also if a score is unknown.

    Notes
    -----
    O(n log n). The variance is that of the difference of the influences of each case, so that it
    allows for the pairing. Interval and test use Student's t with the degrees of freedom of these
    differences. In the samples named under `aauc_estimate` the interval covers in 94 to 98 percent,
    and the test rejects 2 to 6 percent of true hypotheses at .05.

    References
    ----------
    Janes and Pepe (2009), a paper on this alone; DeLong, DeLong and Clarke-Pearson (1988),
    by Sun and Xu (2014), Algorithm 2, for paired areas.

    Examples
    --------
    >>> y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> scores = {"a": [1, 2, 3, 3, 5, 6, 7, 8, 9, 7], "b": [3, 1, 2, 4, 5, 5, 7, 6, 9, 8]}
    >>> data = covariate_scores(y, scores, {"site": list("aaaaabbbbb")})
    >>> gap = aauc_difference(data)
    >>> print(f"{gap.value:.4f} +- {gap.se:.4f}")
    0.2917 +- 0.2041
    """
    from rocspace.inference.components import two_scores

    if isinstance(data, CovariateScores):
        first, second = two_scores("aauc_difference", data.cases, first, second)
    one, two = (chosen_score("aauc_difference", data, each) for each in (first, second))
    found = _needs_placements("aauc_difference", settled(data, model))
    a, b = (place(data, name, found, quiet=name == two) for name in (one, two))
    kept = a.kept & b.kept
    estimates = [_estimate(data, each, found.described) for each in (a, b)]
    spread = _spread(data, a.pos - b.pos, a.neg - b.neg, kept)
    v, w = (each.se**2 for each in estimates)
    r = (v + w - spread.variance) / (2 * sqrt(v * w)) if v * w > 0 else float("nan")
    return Difference(
        value=a.value - b.value,
        se=sqrt(spread.variance) if spread.variance == spread.variance else float("nan"),
        method=found.described,
        n_pairs=min(each.n_pairs for each in estimates),
        range=(-1.0, 1.0),
        df=spread.df,
        first=estimates[0],
        second=estimates[1],
        correlation=min(max(r, -1.0), 1.0) if r == r else r,
        usual="t",
    )


# --- the adjusted curve -------------------------------------------------------------------------


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
    >>> y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> score = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]
    >>> data = covariate_scores(y, score, {"site": list("aaaaabbbbb")})
    >>> curve = adjusted_roc(data)
    >>> round(curve.auc, 4), round(curve.tpr_at(0.1), 4)
    (0.9583, 0.825)
    """
    name = chosen_score("adjusted_roc", data, name)
    found = _needs_placements("adjusted_roc", settled(data, model))
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
    single rates that of the Normal distribution. Where no negative of the sample need lie, at rates
    below the upper limit of none among all negatives, the lower limit is 0, and at rates as near to
    1 the upper one is 1. O(n_boot n log n). Measured at level 0.95 in three situations of 40
    samples each, with 100 samples of the cases: the whole curve was inside in 92 to 100 percent,
    the rate at fpr .2 in 92 to 98 (docs, "Measured coverage").

    References
    ----------
    Janes and Pepe (2009), a paper on this alone, for the curve and the sampling of both classes;
    Martinez-Camblor, Perez-Fernandez and Corral (2018), a paper on this alone, for the largest
    deviation in standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> y, site = np.arange(60) % 2, np.array(["a", "b"])[np.arange(60) % 3 % 2]
    >>> data = covariate_scores(y, y + np.sin(np.arange(60)), {"site": site})
    >>> adjusted_band(data, n_boot=50, level=0.9, grid=11)
    Band(adjusted, level 0.9, simultaneous, area 0.380)
    """
    name = chosen_score("adjusted_band", data, name)
    found = _needs_placements("adjusted_band", settled(data, model))
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
        low=np.maximum.accumulate(low),
        high=np.maximum.accumulate(high),
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
    kept = np.append(True, (np.diff(x) > 0) | (np.diff(y) > 0))
    return Line(x[kept], np.maximum.accumulate(np.clip(y[kept], 0.0, 1.0)))


# --- thresholds ---------------------------------------------------------------------------------


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
        Scores and covariates; positives are needed for nothing but the check of the labels.
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
    ``mean(x) + sd(x) q``: q is the smallest residual of a negative that no more than the share
    `fpr` of the residuals reach, or ``Phi^-1(1 - fpr)``; for strata, a score of a negative. A case
    is called positive when its score is at or above it.

    References
    ----------
    Janes and Pepe (2009), a paper on this alone.

    Examples
    --------
    >>> y = [0, 0, 1, 0, 1, 0, 0, 1, 1, 0]
    >>> score = [1, 2, 3, 3, 5, 6, 7, 8, 9, 7]
    >>> data = covariate_scores(y, score, {"site": list("aaaaabbbbb")})
    >>> covariate_thresholds(data, {"site": ["a", "b"]}, fpr=0.35).threshold
    array([ 3., inf])
    """
    name = chosen_score("covariate_thresholds", data, name)
    rate = checks.check_one_fraction("fpr", fpr)
    found = _needs_placements("covariate_thresholds", settled(data, model))
    values, m = rows_at(data, at)
    parts = _of_negatives(data, data.column(name), found)
    z, w = found.rows(values, m)
    stratum = [tuple(values[n][i] for n in found.strata) for i in range(m)]
    threshold = np.empty(m)
    for i, key in enumerate(stratum):
        if key not in parts:
            listed = ", ".join(
                f"{n} {_level(data, n, x)}" for n, x in zip(found.strata, key, strict=True)
            )
            msg = f"There are no negatives with {listed}, so no threshold is known for them."
            raise ValueError(msg)
        part = parts[key]
        q = _residual_at(part, rate)
        if part.line is None:
            threshold[i] = q
        else:
            threshold[i] = product(z[i : i + 1], part.line.beta)[0]
            threshold[i] += float(part.line.sd(w[i : i + 1])[0]) * q
    if not data.cases.rises(data.cases.column_of(name)):
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
            parts[key] = _reference(name, score, (neg[:0], neg), rows, found)
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


def rows_at(data: CovariateScores, at: Any) -> tuple[dict[str, Vector], int]:
    """Return values of all covariates as numbers or codes, and how many rows they have."""
    if not isinstance(at, Mapping):
        example = {n: data.levels.get(n, (50,))[0] for n in data.covariates}
        msg = f"at is {checks.shown(at)}, but must map every covariate to values: at={example!r}."
        raise TypeError(msg)
    for name in at:
        check_known("covariate", name, tuple(data.covariates))
    for name in data.covariates:
        if name not in at:
            msg = f"at lacks {name!r}. Give a value of every covariate."
            raise ValueError(msg)
    coded = {name: _coded_at(data, name, at[name]) for name in data.covariates}
    sizes = {name: x.size for name, x in coded.items() if x.size > 1}
    checks.check_lengths(sizes)
    m = max([1, *sizes.values()])
    return {name: np.broadcast_to(x, (m,)) for name, x in coded.items()}, m


def _coded_at(data: CovariateScores, name: str, values: Any) -> Vector:
    many = [values] if isinstance(values, str) or np.ndim(values) == 0 else list(values)
    if name in data.levels:
        for value in many:
            check_choice(f"at[{name!r}]", value, data.levels[name])
        return np.array([data.levels[name].index(value) for value in many], dtype=np.float64)
    try:
        found = np.array(many, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if not np.isfinite(found).all():
        msg = f"at[{name!r}] is {checks.shown(values)}, but must be finite numbers."
        raise ValueError(msg)
    return found
