"""Several scores of the same cases combined into one, and its cross-validated area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.cases import complete_scores
from rocspace._base.checks import check_choice, check_rng
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.averaging.fitting import Scorer, need_classes
from rocspace.averaging.nested import nested_cv_auc_estimate
from rocspace.combine.rules import Scores, column_in
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import tabulate
from rocspace.curves.summaries import auc
from rocspace.models.density_ratio import Logistic
from rocspace.resampling.replicates import Rng
from rocspace.results.estimates import Estimate

CombineMethod: TypeAlias = Literal["logistic", "su-liu", "min-max"]

_PAIRS = 2**18  # of a positive and a negative, among which the best weight is searched
_SEPARATED = {
    "separated": "Logistic regression can tell the classes apart without error, so that its "
    "coefficients would be infinite; these are Firth's penalised ones. Take the cross-validated "
    "area, not the apparent one."
}


class MarkerCombination(Result):
    """A score made of several, and how well such a score separates new cases.

    Attributes
    ----------
    method : {"logistic", "su-liu", "min-max"}
        How the scores were combined.
    coefficients : mapping of str to float
        Weights of the scores by name, on their own scales; of "min-max" those of the largest and
        the smallest standardised score, ``max`` and ``min``.
    intercept : float
        What is added: with "logistic" scores are log odds among such cases.
    auc_estimate : Estimate
        Cross-validated area: the mean area of models fitted without a fold, on that fold. It
        allows for dependent folds.
    apparent_auc : float
        The area on the cases to which the combination was fitted; too large.
    model_auc : float or None
        With "su-liu", the area that Normal scores with these moments have; too large, too.
    single_aucs : mapping of str to float
        The empirical area of each score alone.
    cross_fitted : ndarray of float64, shape (n,)
        For each case its score by the combination that was fitted without its fold.
    centre, scale : ndarray of float64, shape (m,)
        Mean and signed standard deviation by which each score is standardised.
    flags : mapping of str to str
        "separated" with a sentence that says what it means; empty otherwise.

    See Also
    --------
    combine_markers
    """

    method: CombineMethod
    coefficients: Mapping[str, float]
    intercept: float
    auc_estimate: Estimate
    apparent_auc: float
    model_auc: float | None
    single_aucs: Mapping[str, float]
    cross_fitted: Vector = field(repr=False)
    centre: Vector = field(repr=False)
    scale: Vector = field(repr=False)
    flags: Mapping[str, str] = field(default_factory=dict)

    def transform(self, scores: Scores) -> Vector:
        """Return the combined score of cases.

        Parameters
        ----------
        scores : mapping of names to array-likes, or PairedScores
            All scores that were combined, by name.

        Returns
        -------
        ndarray of float64, shape (n,)
            Larger means more positive.

        Raises
        ------
        ValueError
            If a score is not given, or has missing values.
        TypeError
            If the scores have no names.
        """
        if not (isinstance(scores, PairedScores | Mapping) or hasattr(scores, "columns")):
            msg = f"Give the scores by name: {{{next(iter(self.single_aucs))!r}: ..., ...}}."
            raise TypeError(msg)
        columns = [complete_scores(column_in(scores, name), name) for name in self.single_aucs]
        x = np.column_stack(columns).astype(np.float64)
        weights = np.array(list(self.coefficients.values()))
        if self.method == "min-max":
            z = (x - self.centre) / self.scale
            x = np.column_stack([z.max(axis=1), z.min(axis=1)])
        return np.asarray(x @ weights + self.intercept)

    def _about(self) -> str:
        return f"{self.method} of {', '.join(self.single_aucs)}: {self.auc_estimate}"

    def _card(self) -> Card:
        areas = {f"Area of {name}": either(area) for name, area in self.single_aucs.items()}
        rows = {
            "Method": self.method,
            **{name: either(value) for name, value in self.coefficients.items()},
            "Cross-validated area": str(self.auc_estimate),
            "Apparent area": either(self.apparent_auc),
            **areas,
        }
        return Card(rows=rows | {flag.capitalize(): text for flag, text in self.flags.items()})

    def _columns(self) -> dict[str, Any]:
        names = list(self.single_aucs)
        return {
            "score": names,
            "coefficient": [self.coefficients.get(name, float("nan")) for name in names],
            "centre": self.centre,
            "scale": self.scale,
            "auc": list(self.single_aucs.values()),
        }


@explained
def combine_markers(
    data: PairedScores,
    *,
    names: Sequence[str] | None = None,
    method: CombineMethod = "logistic",
    n_folds: int = 5,
    n_partitions: int = 6,
    rng: Rng = 0,
) -> MarkerCombination:
    """Combine several scores of the same cases into one that separates the classes better.

    Parameters
    ----------
    data : PairedScores
        Two or more scores of the same cases, finite, without weights and clusters.
    names : sequence of str, optional
        The scores to combine; by default all.
    method : {"logistic", "su-liu", "min-max"}, default "logistic"
        "logistic": logistic regression, the best combination if the log odds are linear in the
        scores. "su-liu": the linear combination with the largest area if the scores are Normal in
        both classes. "min-max": the largest standardised score plus alpha times the smallest one,
        with alpha of the largest empirical area, whatever the distributions are.
    n_folds : int, default 5
        Number of folds of the cross-validation, at least 3.
    n_partitions : int, default 6
        Number of partitions into folds.
    rng : numpy.random.Generator or int, default 0
        Generator or seed of the partitions.

    Returns
    -------
    MarkerCombination
        Coefficients, ``transform`` for new cases, and the cross-validated area with its interval.

    Raises
    ------
    SingleClassError
        If a class has fewer cases than there are folds.
    ValueError
        If there are fewer than two scores, one is infinite or constant, the cases have weights or
        clusters, or there is no such score or method.

    Notes
    -----
    The area on the cases to which a combination was fitted is too large, and so is that of
    Su and Liu's formula, ``Phi(sqrt(D' (S0 + S1)^-1 D))`` with D the difference of the means and S
    the covariances. `auc_estimate` is that of `nested_cv_auc_estimate`: ``K (K + 1) / 2`` fits in
    each partition. To compare the combination with a single score on the same cases, pair
    ``cross_fitted`` with it, and take `compare_aucs`; as its folds have combinations of their own,
    this is a little to the disadvantage of the combination.

    The area of "min-max" is a step function of alpha, which is constant between the ratios of
    differences of each positive and negative; the best step is found exactly by sorting all pairs,
    up to 260,000, otherwise those of evenly spaced cases. O(n m^2) for each step of the others.

    References
    ----------
    Su and Liu (1993), no numbered equation; Liu, Liu and Halabi (2011), no numbered equation, for
    "min-max"; Firth (1993), no numbered equation, for separated classes.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace import pair_scores
    >>> draw = np.random.default_rng(1)
    >>> label = np.arange(80) < 40
    >>> first, second = draw.normal(size=(2, 80)) + label
    >>> data = pair_scores(label, {"first": first, "second": second})
    >>> found = combine_markers(data, n_partitions=2)
    >>> {name: round(value, 2) for name, value in found.coefficients.items()}
    {'first': 1.51, 'second': 1.29}
    >>> round(found.auc_estimate.value, 3), round(found.apparent_auc, 3)
    (0.905, 0.911)
    """
    check_choice("method", method, CombineMethod)
    x, used = _features(data, names)
    y = data.label
    need_classes(y, "combine_markers", n_folds)
    fit = _FITS[method]

    def fitted(features: Array, label: Mask) -> Scorer:
        return fit(features, label).score

    generator = check_rng(rng)
    area = nested_cv_auc_estimate(
        fitted, x, y, n_folds=n_folds, n_partitions=n_partitions, rng=generator, progress=False
    )
    found = fit(x, y)
    sign = np.array([1.0 if data.rises(name) else -1.0 for name in used])
    return MarkerCombination(
        method=method,
        coefficients=found.coefficients(used, sign),
        intercept=found.intercept,
        auc_estimate=area,
        apparent_auc=auc(tabulate(y, found.score(x))),
        model_auc=found.model_auc,
        single_aucs={name: auc(tabulate(y, x[:, j])) for j, name in enumerate(used)},
        cross_fitted=_cross_fitted(fitted, x, y, n_folds, generator),
        centre=found.centre * sign,
        scale=found.scale * sign,
        flags=found.flags,
    )


def _features(data: PairedScores, names: Sequence[str] | None) -> tuple[Vector, tuple[str, ...]]:
    """Return the scores to combine, larger meaning more positive, and their names."""
    used = data.names if names is None else tuple(dict.fromkeys(names))
    columns = [data.column_of(name) for name in used]
    if len(used) < 2:
        msg = f"combine_markers combines two scores or more, but got {', '.join(used) or 'none'}."
        raise ValueError(msg)
    for given, what in ((data.weight, "weights"), (data.cluster, "clusters")):
        if given is not None:
            msg = (
                f"combine_markers cross-validates cases, but these have {what}, which folds do not "
                f"allow for. Pair the scores without {what}, or fit a model of your own."
            )
            raise ValueError(msg)
    sign = np.array([1.0 if data.rises(data.names[j]) else -1.0 for j in columns])
    x = data.score[:, columns].astype(np.float64) * sign
    for j, name in enumerate(used):
        if not np.isfinite(x[:, j]).all() or np.ptp(x[:, j]) == 0:
            why = "is infinite for some cases" if np.ptp(x[:, j]) != 0 else "is equal for all cases"
            msg = f"combine_markers does arithmetic on scores, but {name!r} {why}. Leave it out."
            raise ValueError(msg)
    return x, used


def _cross_fitted(fit: Any, x: Vector, y: Mask, n_folds: int, rng: np.random.Generator) -> Vector:
    """Return the score of each case by the combination that was fitted without its fold."""
    fold, found = np.empty(y.size, dtype=np.int64), np.empty(y.size)
    for own in (y, ~y):
        fold[own] = rng.permutation(int(own.sum())) % n_folds
    for k in range(n_folds):
        out = fold == k
        found[out] = fit(x[~out], y[~out])(x[out])
    return found


# --- the three ways -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Combined:
    """Standardised scores with their weights, or the weight of the smallest one."""

    centre: Vector
    scale: Vector
    weights: Vector
    offset: float = 0.0
    alpha: float | None = None
    model_auc: float | None = None
    flags: Mapping[str, str] = field(default_factory=dict)

    def score(self, x: Any) -> Vector:
        """Return the combined scores of cases."""
        z = (x - self.centre) / self.scale
        if self.alpha is not None:
            return np.asarray(z.max(axis=1) + self.alpha * z.min(axis=1))
        return np.asarray(z @ self.weights + self.offset)

    def coefficients(self, names: Sequence[str], sign: Vector) -> dict[str, float]:
        """Return the weights of the scores as they were given."""
        if self.alpha is not None:
            return {"max": 1.0, "min": self.alpha}
        return dict(zip(names, (self.weights / self.scale * sign).tolist(), strict=True))

    @property
    def intercept(self) -> float:
        """What is added to the weighted scores as they were given."""
        return self.offset - float(self.weights / self.scale @ self.centre)


def _standard(x: Vector) -> tuple[Vector, Vector, Vector]:
    """Return standardised scores, means and standard deviations; 1 where scores do not vary."""
    centre, sd = x.mean(axis=0), x.std(axis=0)
    scale = np.where(np.ptp(x, axis=0) > 0, sd, 1.0)
    return (x - centre) / scale, centre, scale


def _logistic(x: Vector, y: Mask) -> _Combined:
    z, centre, scale = _standard(x)
    n = y.size
    problem = Logistic(np.column_stack([np.ones(n), z]), np.full(n, 1 / n), y.astype(np.float64))
    beta, converged = problem.solve()
    flags = {}
    if not converged:
        beta, flags = problem.solve(penalty=1 / n)[0], _SEPARATED
    return _Combined(centre, scale, beta[1:], offset=float(beta[0]), flags=flags)


def _su_liu(x: Vector, y: Mask) -> _Combined:
    from scipy.special import ndtr

    z, centre, scale = _standard(x)
    means = [z[own].mean(axis=0) for own in (y, ~y)]
    gap = means[0] - means[1]
    spread = np.zeros((gap.size, gap.size))
    for own, mean in zip((y, ~y), means, strict=True):
        apart = z[own] - mean
        spread += apart.T @ apart / max(len(apart) - 1, 1)
    weights = np.linalg.pinv(spread) @ gap
    area = float(ndtr(np.sqrt(max(float(gap @ weights), 0.0))))
    offset = -float(weights @ (means[0] + means[1])) / 2
    return _Combined(centre, scale, weights, offset=offset, model_auc=area)


def _min_max(x: Vector, y: Mask) -> _Combined:
    z, centre, scale = _standard(x)
    high, low = z.max(axis=1), z.min(axis=1)
    alpha = _best_alpha(*(each[own] for each in (high, low) for own in (y, ~y)))
    return _Combined(centre, scale, np.zeros(x.shape[1]), alpha=alpha)


def _best_alpha(high1: Vector, high0: Vector, low1: Vector, low0: Vector) -> float:
    """Return the alpha with the largest share of pairs won by high + alpha low."""
    every = max(1, int(np.ceil(np.sqrt(high1.size * high0.size / _PAIRS))))
    rise = np.subtract.outer(high1[::every], high0[::every]).ravel()
    slope = np.subtract.outer(low1[::every], low0[::every]).ravel()
    there = slope != 0
    if not there.any():
        return 0.0
    turn = -rise[there] / slope[there]  # beyond it a pair with a positive slope is won
    order = np.argsort(turn)
    at, won = turn[order], np.cumsum(np.sign(slope[there][order]))
    last = np.append(at[1:] > at[:-1], True)  # equal turns count together
    at, won = at[last], won[last]
    if won.max() <= 0:  # best before the first turn
        return float(at[0] - 1)
    best = int(np.argmax(won))
    return float((at[best] + at[best + 1]) / 2) if best + 1 < at.size else float(at[best] + 1)


_FITS = {"logistic": _logistic, "su-liu": _su_liu, "min-max": _min_max}
