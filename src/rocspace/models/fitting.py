"""What the fits of all models share: cuts, degrees of freedom, and curves without a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace._base.checks import check_rng, check_times
from rocspace._base.text import brief, percent
from rocspace.counts.table import ScoreTable, resample
from rocspace.counts.weights import squares_of
from rocspace.resampling.replicates import Rng
from rocspace.results.curve import Curve, PolygonCurve
from rocspace.results.fit import Fit

Covariance: TypeAlias = Literal["expected", "observed", "sandwich", "bootstrap"]
Information: TypeAlias = Literal["observed", "bootstrap"]
Together: TypeAlias = Callable[[Iterable[ScoreTable]], Vector]

UNKNOWN = "unknown"  # the covariance of a fit that has none

MEASURED = {
    "expected": "expected information",
    "observed": "observed information",
    "squared-error": "squared error",
    "larger": "sandwich or squared error",
}

_MOST = 500  # negatives of whose placements the bias is summed
_LEAST = 1e-13  # range of scores, beside their size, that is rounding
_TINY = 2.0**-1000  # size of scores below which floats lose digits
_TIED = 1 / 3  # of a standard error, by which ties may move an area without a flag
_HOOK = 1e-3  # crossings nearer to 0 or 1 than this are not flagged


class StepFit(PolygonCurve, Fit):
    """A fit whose curve consists of straight pieces, as for a degenerate likelihood.

    Attributes
    ----------
    fpr, tpr : ndarray of float64
        The vertices, from (0, 0) to (1, 1).
    """

    fpr: Vector
    tpr: Vector

    _kind = "Fit"

    @property
    def auc(self) -> float:
        """Area under the straight pieces."""
        return float(np.trapezoid(self.tpr, self.fpr))


def stepped(
    method: str,
    parameters: dict[str, float],
    axis: Literal["fpr", "tpr"],
    at: float,
    flags: dict[str, str],
    **fields: Any,
) -> StepFit:
    """Make the degenerate fit whose curve stays at one tpr, or jumps at one fpr.

    Parameters
    ----------
    method : str
        The model.
    parameters : dict
        The limits of its parameters, which may be infinite.
    axis, at
        Which rate is constant inside the unit square, and where.
    flags : dict
        What is wrong, by name.
    **fields
        Further fields of the fit, such as its likelihood.
    """
    inner = ((0.0, at), (1.0, at)) if axis == "tpr" else ((at, 0.0), (at, 1.0))
    fpr, tpr = np.array([(0.0, 0.0), *inner, (1.0, 1.0)]).T
    size = len(parameters)
    return StepFit(
        method=method,
        parameters=parameters,
        covariance=np.full((size, size), np.nan),
        covariance_method=UNKNOWN,
        flags=flags,
        fpr=fpr,
        tpr=tpr,
        **fields,
    )


def limits_of(axis: Literal["fpr", "tpr"], at: float) -> dict[str, float]:
    """Return the limits of a and b of a binormal curve that stays at one rate."""
    from scipy.special import ndtri

    z = float(ndtri(at))
    if axis == "tpr":
        return {"a": z, "b": 0.0}
    return {"a": -z * np.inf if z else np.nan, "b": np.inf}


def df_of(table: ScoreTable) -> float:
    """Return one fewer than the effective number of cases of the smaller class."""
    return max(min(table.n_eff) - 1, 0.0)


def likelihood_of(table: ScoreTable, loglik: float, n_parameters: int) -> dict[str, Any]:
    """Return the fields of a likelihood; weighted tables have none."""
    if table.is_weighted:
        return {}
    n_cases = float(table.n_pos + table.n_neg)
    return {"loglik": loglik, "n_cases": n_cases, "n_parameters": n_parameters}


def hook(crossing: float | None) -> dict[str, str]:
    """Return the flag of a curve that crosses the diagonal at a rate, unless it is near an end."""
    if crossing is None or not _HOOK < crossing < 1 - _HOOK:
        return {}
    side = "above" if crossing > 0.5 else "below"
    at = brief(crossing)
    return {
        "improper": f"The curve crosses the diagonal at ({at}, {at}): {side} "
        'that rate it is worse than chance. A proper model (model="proper") has no such hook.'
    }


def hook_of(curve: Curve) -> dict[str, str]:
    """Return the flag of a curve that crosses the diagonal, wherever it first does."""
    from scipy.optimize import brentq

    at = np.linspace(_HOOK, 1 - _HOOK, 400)
    gap = np.asarray(curve.tpr_at(at)) - at
    side = np.sign(np.where(np.abs(gap) < 1e-9, 0.0, gap))
    there = np.flatnonzero(side)
    turns = np.flatnonzero(np.diff(side[there]))
    if not turns.size:
        return {}
    ends = at[there[turns[0]]], at[there[turns[0] + 1]]
    return hook(float(brentq(lambda f: float(curve.tpr_at(f)) - f, *ends)))


def flag_ties(fit: Fit, table: ScoreTable, most: float = np.inf) -> Fit:
    """Return a fit that takes tied pairs for discordant ones, flagged where that moves its area.

    It is moved by half of the share of tied pairs, or by `most` if that is less.
    """
    tied = float(table.pos @ table.neg) / (float(table.n_pos) * float(table.n_neg))
    if not tied or "degenerate" in fit.flags:
        return fit
    lost = min(tied / 2, most)
    errors = lost / fit.auc_estimate().se
    if not errors > _TIED:
        return fit
    text = (
        f"{percent(tied)} of the pairs of a positive and a negative are tied. This model is "
        f"for continuous scores, and ties lower its area by up to {brief(round(lost, 3))}, "
        f"{brief(round(errors, 1))} standard errors, so that intervals are too low. For ratings "
        'take model="rating" or "minimum-distance".'
    )
    return replace(fit, flags={**fit.flags, "tied": text})


def floats_of(table: ScoreTable) -> Vector:
    """Return the scores as floats, which must stay distinct; they may be infinite."""
    score = table.score.astype(np.float64)
    equal = np.flatnonzero(np.diff(score) == 0)
    if equal.size:
        one, two = table.score[equal[0]], table.score[equal[0] + 1]
        msg = (
            f"The scores {two} and {one} are the same number in float64. Subtract a constant from "
            'all scores, or take a rank-based model, such as model="labroc".'
        )
        raise ValueError(msg)
    inner = score[np.isfinite(score)]
    size = float(np.abs(inner).max(initial=0.0))
    near = inner.size > 1 and np.ptp(inner / 2) < _LEAST * size
    if near or 0 < size < _TINY:
        what = "they differ by less than rounding" if near else "they have lost digits"
        msg = (
            f"The scores are of size {brief(size)}, and {what}. "
            f"{'Subtract a constant from' if near else 'Multiply'} all scores, or take a "
            'rank-based model, such as model="labroc".'
        )
        raise ValueError(msg)
    return score


def errors_of(
    table: ScoreTable,
    how: str,
    again: Callable[[ScoreTable], Fit | Iterable[float]],
    otherwise: Callable[[], Vector],
    n_boot: int,
    rng: Rng,
    together: Together | None = None,
) -> dict[str, Any]:
    """Return the fields of a fit's errors: of replicates, or as `otherwise` finds them."""
    if how == "bootstrap":
        spread = bootstrap_covariance(table, again, n_boot=n_boot, rng=rng, together=together)
    else:
        spread = otherwise()
    if (np.diag(spread) < 0).any():  # the likelihood is flat, and its curvature rounding
        spread = np.full_like(spread, np.nan)
    measured = MEASURED.get(how, how)
    return {"covariance": spread, "covariance_method": measured, "df": df_of(table)}


def split_counts(table: ScoreTable, n_folds: int, rng: Any) -> Iterator[tuple[Ints, Ints]]:
    """Yield the counts of positives and negatives in each of several parts, drawn at random."""
    draw = check_rng(rng)
    rows = np.arange(len(table))
    classes = [draw.permutation(np.repeat(rows, many)) for many in (table.pos, table.neg)]
    for i in range(n_folds):
        pos, neg = (np.bincount(cases[i::n_folds], minlength=rows.size) for cases in classes)
        yield pos, neg


def bootstrap_covariance(
    table: ScoreTable,
    again: Callable[[ScoreTable], Fit | Iterable[float]],
    *,
    n_boot: int,
    rng: Rng,
    together: Together | None = None,
) -> Vector:
    """Return the covariance of the parameters over replicates of both classes.

    ``together`` fits all replicates at once, as `again` would each: nan where that is refused.
    Replicates without a finite fit are left out; nan where fewer than half are left.
    """
    check_times("n_boot", n_boot)
    draw, found = check_rng(rng), []
    tables = (resample(table, rng=draw) for _ in range(n_boot))
    if together is not None:
        found = together(tables).tolist()
    for replicate in tables:  # none is left if they were fitted together
        try:
            each = again(replicate)
        except ValueError:
            continue
        found.append(list(each.parameters.values() if isinstance(each, Fit) else each))
    values = np.array([each for each in found if np.isfinite(each).all()], dtype=np.float64)
    size = len(found[0]) if found else 1
    if len(values) < max(n_boot / 2, 2):
        return np.full((size, size), np.nan)
    return np.atleast_2d(np.cov(values.T))


def sandwich_of(table: ScoreTable, influences: tuple[Vector, Vector]) -> Vector:
    """Return the covariance from the influence of a case of each row, by class."""
    size = len(influences[0])
    total = np.zeros((size, size))
    columns = zip(influences, (table.pos, table.neg), squares_of(table), strict=True)
    for influence, many, square in columns:
        there = many > 0
        n = float(many.sum())
        gap = influence[:, there] - (influence[:, there] @ many[there] / n)[:, np.newaxis]
        total += (gap * square[there]) @ gap.T / n**2
    return total


# --- what is expected under a curve -----------------------------------------------------------


def larger(one: Vector, other: Vector) -> Vector:
    """Return the least covariance with no smaller variance than either, in any direction."""
    if not np.isfinite(other).all():
        return one
    try:
        root = np.linalg.cholesky(other)
    except np.linalg.LinAlgError:
        return one
    inverse = np.linalg.inv(root)
    size, axes = np.linalg.eigh(inverse @ one @ inverse.T)
    turned = root @ axes
    return np.asarray((turned * np.maximum(size, 1.0)) @ turned.T)


def spread_under(
    influences: tuple[Vector, Vector], chances: tuple[Vector, Vector], n: tuple[float, float]
) -> Vector:
    """Return the covariance from the influences of both classes, and their distributions."""
    size = len(influences[0])
    total = np.zeros((size, size))
    for influence, chance, many in zip(influences, chances, n, strict=True):
        gap = influence - (influence @ chance)[:, np.newaxis]
        total += (gap * chance) @ gap.T / many
    return total


def placed_shares(rates: Vector, chance: Vector, n_neg: float) -> tuple[Vector, Vector, float]:
    """Return the placements among some negatives, 0 to 1, and the expected shares of positives.

    Positives have the false positive rates `rates` with probabilities `chance`. The number of
    negatives above one is binomial: the expected empirical curve is flatter than the curve where
    that is steep. Of more than 500 negatives the shares of 500 are returned; a bias is to be
    multiplied by the last number, as if it fell with the number of negatives.
    """
    from scipy.special import gammaln, xlog1py, xlogy

    few = max(round(min(n_neg, _MOST)), 1)
    j = np.arange(few + 1)[:, np.newaxis]
    log = gammaln(few + 1) - gammaln(j + 1) - gammaln(few - j + 1) + xlogy(j, rates)
    share = np.exp(log + xlog1py(few - j, -rates)) @ chance
    return np.arange(few + 1) / few, share, few / n_neg
