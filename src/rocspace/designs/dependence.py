"""Whether the ROC curve depends on covariates at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any, Literal

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_known, check_rng
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.progress import Progress
from rocspace._base.words import counted, warn
from rocspace.designs.covariate_cases import CovariateScores, check_varies, chosen_score
from rocspace.designs.covariate_models import (
    Model,
    Settled,
    settled,
)
from rocspace.designs.reference import Reference, references
from rocspace.designs.regression import design
from rocspace.designs.roc_glm import RocGlm, fit_placements
from rocspace.resampling.replicates import Rng
from rocspace.results.test import TestResult

# what each category needs for Wald's test: of the positives a share, too, unless there are many
_NEGATIVES, _POSITIVES, _SHARE, _MANY = 8, 12, 1 / 8, 50


@explained
def covariate_test(
    data: CovariateScores,
    covariates: str | tuple[str, ...] | list[str] | None = None,
    name: str | None = None,
    *,
    method: Literal["wald", "permutation"] = "wald",
    n_perm: int = 999,
    model: Model = None,
    rng: Rng = 0,
    progress: bool | None = None,
) -> TestResult:
    """Test that the ROC curve is the same for all values of some covariates.

    Parameters
    ----------
    data : CovariateScores
        From `covariate_scores`, both classes present.
    covariates : str or sequence of str, optional
        Those that are tested; by default all.
    name : str, optional
        The score; not needed where there is only one.
    method : {"wald", "permutation"}, default "wald"
        Where the p value comes from: the F distribution, or permuted residuals and placements.
    n_perm : int, default 999
        Permutations.
    model : CovariateModel, optional
        How the negatives depend on the covariates, and how many rates and knots there are; its
        method is always "roc-glm".
    rng : numpy.random.Generator or int, default 0
        Generator or seed of the permutations.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    TestResult
        The statistic is Wald's, for the coefficients of the covariates in the curve.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `auc_by_covariate`.

    Warns
    -----
    UserWarning
        By "wald", if a tested category has fewer than eight negatives, fewer than twelve
        positives, or less than an eighth of all positives and fewer than 50.

    Notes
    -----
    In ``Phi(a + b Phi^-1(t) + c'x)`` the curve does not depend on x where c = 0. The covariance of
    c allows for the estimated placements. The statistic divided by the number of coefficients is
    compared with the F distribution, with the cases of the smaller class, minus all coefficients,
    in the denominator. For "permutation" everything is fitted again to scores that are drawn under
    the hypothesis. Without strata of categories the standardised residuals of negatives are
    exchanged among the negatives, those of positives among the positives. In strata the placements
    of positives are exchanged over all strata, and the negatives of each are drawn anew, as their
    placements among themselves are uniform. So covariates may shift the scores of both classes
    under the hypothesis, and the few negatives of a category, whose error all its positives share,
    count as few. The cost is one fit of the regression for "wald", and n_perm fits more for
    "permutation".

    In the samples named under `aauc_estimate` Wald's test rejects 2 to 3 percent of true hypotheses
    at .05. It rejects too often where a tested category is rare. A few negatives place all its
    positives: with 8, 5, 3, 2 or one of 25 negatives in a category that half of 100 positives are
    in it rejects 4, 6, 10, 15 and 47 percent, with 40 + 40 cases 6, 7, 13, 15 and 48 (``python -m
    benchmarks.constants.rare_categories``). And a coefficient that a few positives have for
    themselves leaves them small residuals: with 12, 8, 5, 3, 2 or one of 40 positives in a category
    that half of 40 negatives are in it rejects 4, 8, 11, 17, 31 and 62 percent, with 20, 12 and 8
    of 100 it rejects 5, 7 and 11, with 50, 30 and 20 of 400 it rejects 5, 6 and 7 (``python -m
    benchmarks.constants.rare_positives``). 19 permutations reject 7 with 2 of 40 positives, 5 with
    8 of 100, and 6 with 4 of 40 negatives (1000 samples each).

    References
    ----------
    Alonzo and Pepe (2002), no numbered equation.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import covariate_scores
    >>> y, age = np.arange(60) % 2, np.arange(60) % 31
    >>> data = covariate_scores(y, y + np.sin(np.arange(60)) + age / 30, {"age": age})
    >>> round(covariate_test(data, "age").pvalue, 3)
    0.872
    """
    name = chosen_score("covariate_test", data, name)
    chosen = _chosen(data, covariates)
    found = settled(data, model)
    found = replace(found, model=replace(found.model, method="roc-glm"))
    glm = RocGlm.fit(data, name, found)
    tested = _tested(glm, chosen)
    if method == "wald":
        _warn_of_few(data, chosen)
    statistic = _wald(glm, tested)
    q, rest = float(tested.size), max(glm.count - glm.theta.size, 1.0)
    note, said = "", "F"
    if method == "wald":
        from scipy.special import fdtrc

        pvalue = float(fdtrc(q, rest, statistic / q))
    else:
        again, what = _permuted(data, name, found, glm.columns)
        said = f"permutation of {what}"
        drawn = _drawn(again, tested, n_perm, rng, progress=progress)
        failed = int(np.isnan(drawn).sum())
        as_high = np.count_nonzero(drawn >= statistic * (1 - 1e-12))
        pvalue = float((1 + as_high) / (n_perm - failed + 1))
        note = f"{failed} permutations had no finite fit" if failed else ""
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method=said,
        difference=float(np.sqrt(np.mean(glm.theta[tested] ** 2))),
        df=q if method == "wald" else float("nan"),
        df_denominator=rest if method == "wald" else float("nan"),
        note=note,
    )


def _chosen(
    data: CovariateScores, covariates: str | tuple[str, ...] | list[str] | None
) -> tuple[str, ...]:
    """Return the covariates that are tested: some that are there and that vary."""
    chosen = tuple(data.covariates) if covariates is None else covariates
    chosen = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    if not chosen:
        raise ArgumentError(Argument("covariates"), " is empty, but must name at least one.")
    for each in chosen:
        check_known("covariate", each, tuple(data.covariates))
        check_varies(data, each)
    return chosen


def _warn_of_few(data: CovariateScores, chosen: tuple[str, ...]) -> None:
    """Tell of the first tested category that has too few cases for Wald's test."""
    label = data.cases.label.astype(bool)
    share = min(ceil(_SHARE * label.sum()), _MANY)
    for name in chosen:
        for code, level in enumerate(data.levels.get(name, ())):
            own = data.covariates[name] == code
            for kind, of_class, needed in (
                ("positive", own & label, max(_POSITIVES, share)),
                ("negative", own & ~label, _NEGATIVES),
            ):
                if (found := int(of_class.sum())) < needed:
                    warn(
                        f"{name} {level!r} has {counted(found, kind)}, and Wald's test rejects "
                        f"too often with fewer than {needed} here. Merge categories, or use "
                        'method="permutation".'
                    )
                    return


def _tested(glm: RocGlm, names: tuple[str, ...]) -> Any:
    """Return the places of the coefficients of some covariates."""
    at, found = 2, list[int]()
    for column in glm.columns:
        size = len(column.levels) if column.levels is not None else 1
        size += max(len(column.knots) - 2, 0)
        if column.name in names:
            found += range(at, at + size)
        at += size
    return np.array(found, dtype=np.intp)


def _wald(glm: RocGlm | None, tested: Any) -> float:
    if glm is None:
        return float("nan")
    c = glm.theta[tested]
    return float(c @ np.linalg.pinv(glm.covariance[np.ix_(tested, tested)]) @ c)


def _drawn(
    again: Callable[[np.random.Generator], RocGlm | None],
    tested: Any,
    n_perm: int,
    rng: Rng,
    *,
    progress: bool | None,
) -> Vector:
    """Return the statistics of samples under the hypothesis, nan where a fit is not finite."""
    checks.check_times("n_perm", n_perm)
    generator, drawn = check_rng(rng), np.empty(n_perm)
    with Progress("permutations", n_perm, show=progress) as shown:
        for number in range(n_perm):
            drawn[number] = _wald(again(generator), tested)
            shown.add(1)
    return drawn


def _permuted(data: CovariateScores, name: str, found: Settled, columns: Any) -> Any:
    """Return a function that draws scores under the hypothesis and fits again, and what moves."""
    by = replace(found.model, method="location-scale" if found.columns else "stratified")
    under = settled(data, by)
    parts = references(data, data.column(name), under, quiet=True)
    rows = design(columns, data.covariates, len(data))[:, 1:]
    lone = len(parts) == 1
    scored, what = (_exchanged, "residuals") if lone else (_drawn_in_strata, "placements")
    return partial(_again, data, under, parts, rows, scored, columns), what


def _again(
    data: CovariateScores,
    under: Settled,
    parts: list[Reference],
    rows: Vector,
    scored: Callable[[list[Reference], int, np.random.Generator], Vector],
    columns: Any,
    generator: np.random.Generator,
) -> RocGlm | None:
    score = scored(parts, len(data), generator)
    try:
        fitted = references(data, score, under, quiet=True)
        theta, errors = fit_placements(fitted, rows, len(data), under.model.rates)
    except ValueError:
        return None
    return RocGlm(theta=theta, errors=errors, columns=columns, count=1.0)


def _exchanged(parts: list[Reference], n: int, generator: np.random.Generator) -> Vector:
    """Exchange the residuals of each class, as scores of all cases of the only stratum."""
    (part,) = parts
    score = np.zeros(n)
    score[part.pos] = generator.permutation(part.at_pos)
    score[part.neg] = generator.permutation(part.at_neg)
    return score


def _drawn_in_strata(parts: list[Reference], n: int, generator: np.random.Generator) -> Vector:
    """Exchange the placements of positives over the strata, and draw those of negatives.

    The placement of a negative among all negatives of its stratum is uniform. Negatives that were
    only exchanged within it would be the same again, as if they were all negatives that exist.
    """
    # k of m negatives above leave m + 1 gaps: within its own a positive is anywhere
    inside = [(part.beaten()[1], part.neg.size) for part in parts]
    gaps = [(above * m + generator.uniform(size=above.size)) / (m + 1) for above, m in inside]
    drawn, at, score = generator.permutation(np.concatenate(gaps)), 0, np.zeros(n)
    for part in parts:
        own = drawn[at : at + part.pos.size]
        at += part.pos.size
        score[part.pos] = _left_above(part, own)
        score[part.neg] = _left_above(part, generator.uniform(size=part.neg.size))
    return score


def _left_above(part: Reference, share: Vector) -> Vector:
    """Return the residuals, or scores, that leave given shares of all negatives above them."""
    if part.normal:
        from scipy.special import ndtri

        return np.asarray(-ndtri(share))
    known = part.ordered[np.isfinite(part.ordered)]
    known = known if known.size else np.zeros(1)
    spread = float(np.std(known)) or 1.0
    knots = np.concatenate([[known[0] - spread], known, [known[-1] + spread]])
    return np.asarray(np.interp(1 - share, np.linspace(0, 1, knots.size), knots))
