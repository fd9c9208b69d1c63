"""The area by few true labels and many labels of a judge: a model, or a cheap test.

The judge's labels are used for precision alone: the difference between the judge's area of all
cases and that of the cases with true labels is added with a weight, so that a judge who is wrong
costs precision, not validity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_known, two_names
from rocspace.compare.areas import auc_difference
from rocspace.counts.paired import pair_scores
from rocspace.designs.corrected import CorrectedArea, area_reading, difference_of, freedom, ranked
from rocspace.designs.verified import VerifiedScores
from rocspace.inference.area import delong
from rocspace.results.discordance import ClassGap
from rocspace.results.estimates import Difference


@dataclass(frozen=True, slots=True, eq=False)
class _Powered:
    """A prediction-powered area: its parts, and the influence values of all cases.

    ``influence`` is scaled so that the variance is the sum of its squares.
    """

    value: float
    weight: float
    saved: float
    influence: Vector


@explained
def powered_auc_estimate(
    data: VerifiedScores, judge: str, name: str | None = None, *, judge_weight: float | None = None
) -> CorrectedArea:
    """Area under the curve by few true labels, made more precise by labels of a judge for all.

    Parameters
    ----------
    data : VerifiedScores
        From `verified_scores`, with the judge's labels among the covariates. The cases with true
        labels must be a random part of all; if they were chosen by anything else, use
        `verified_auc_estimate` with the judge's labels as a covariate.
    judge : str
        The covariate with the judge's labels: 0 and 1, or probabilities of being positive.
    name : str, optional
        The score; not needed if there is only one.
    judge_weight : float, optional
        How much of the judge's difference is added; by default the weight of least variance. 0
        uses the true labels alone.

    Returns
    -------
    CorrectedArea
        The area, in [0, 1], higher is better, with ``interval(level)``, its ``weight``, how many
        true labels the judge ``saved``, and the area of the true labels alone beside it.

    Raises
    ------
    ValueError
        If there is no such column, its values are not in [0, 1] or all equal, or there is no case
        without a true label.

    Notes
    -----
    ``A = A_true(L) + w (A_judge(all) - A_judge(L))``, L being the cases with true labels. With the
    influence values g under true labels and h under the judge's, ``w = Cov(g, h) / Var(h)``, the
    covariance over L and the variance over all. For large samples no weight is better than this
    one, and the variance is ``Var(g) / n (1 - r^2 N / (n + N))``, r being the correlation of g and
    h, n the number of cases in L, and N that of the others. O(m log m) for all m cases.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), a paper on this alone; Angelopoulos,
    Duchi and Zrnic (2023), a paper on this alone, for the weight.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import verified_scores
    >>> draw = np.random.default_rng(1)
    >>> ill = draw.random(2000) < 0.4
    >>> test = draw.normal(size=2000) + ill
    >>> judge = np.where(draw.random(2000) < 0.9, ill, ~ill)
    >>> truth = np.where(np.arange(2000) < 200, ill, np.nan)
    >>> data = verified_scores(truth, test, covariates={"judge": judge})
    >>> area = powered_auc_estimate(data, "judge")
    >>> print(area, area.uncorrected, sep="; ")
    0.760 (95 % interval 0.702 to 0.813); 0.720 (95 % interval 0.641 to 0.791)
    """
    name = data.name_of(name)
    soft = _judged(data, judge)
    return _estimate(data, name, _powered(data, name, soft, judge_weight))


@explained
def powered_auc_difference(
    data: VerifiedScores, judge: str, first: str | None = None, second: str | None = None
) -> Difference:
    """Difference of two areas of the same cases, by few true labels and many of a judge.

    Parameters
    ----------
    data, judge
        As for `powered_auc_estimate`.
    first, second : str, optional
        Names of two scores; not needed where there are only two.

    Returns
    -------
    Difference
        The first area minus the second, each with its own weight of the judge, with
        ``interval(level)`` and ``test()``.

    Raises
    ------
    ValueError
        As `powered_auc_estimate`.

    Warns
    -----
    UserWarning
        As `rocspace.compare.auc_difference` of the cases with true labels.

    Notes
    -----
    Interval and test are those of the method "discordance" (see `rocspace.results.Difference`) for
    the cases with true labels, as if there were so many more of them that they had this standard
    error. O(m log m) for all m cases.

    References
    ----------
    As `powered_auc_estimate`: Angelopoulos, Duchi and Zrnic (2023), a paper on this alone.

    Examples
    --------
    >>> import numpy as np
    >>> from rocspace.designs import verified_scores
    >>> draw = np.random.default_rng(1)
    >>> ill = draw.random(2000) < 0.4
    >>> scores = {"new": draw.normal(size=2000) + 1.5 * ill, "old": draw.normal(size=2000) + ill}
    >>> judge = np.where(draw.random(2000) < 0.9, ill, ~ill)
    >>> truth = np.where(np.arange(2000) < 200, ill, np.nan)
    >>> data = verified_scores(truth, scores, covariates={"judge": judge})
    >>> print(powered_auc_difference(data, "judge", "new", "old"))
    0.082 (95 % interval 0.020 to 0.145)
    """
    names = two_names("powered_auc_difference", data.names, first, second)
    soft = _judged(data, judge)
    both = [_powered(data, name, soft, None) for name in names]
    one, two = (_estimate(data, *pair) for pair in zip(names, both, strict=True))
    influence = np.column_stack([each.influence for each in both])
    gap = influence[:, 0] - influence[:, 1]
    found = difference_of(one, two, influence.T @ influence, _df(data, gap))
    gaps = _gaps(data, names, found.se)
    return found if gaps is None else replace(found, gaps=gaps, usual=None)


def _gaps(
    data: VerifiedScores, names: tuple[str, str], se: float
) -> tuple[ClassGap, ClassGap] | None:
    """Return the gaps of the true labels alone, of as many cases as have the error of both."""
    if not se > 0:
        return None
    known = data.verified
    alone = auc_difference(
        pair_scores(
            data.label[known],
            {name: data.column(name)[known] for name in names},
            higher_is_positive={name: data.rises(name) for name in names},
        )
    )
    if alone.gaps is None or not alone.se > 0:
        return None
    more = (alone.se / se) ** 2
    pos, neg = (replace(gap, n=gap.n * more) for gap in alone.gaps)
    return pos, neg


def _judged(data: VerifiedScores, judge: str) -> Vector:
    """Return the judge's labels as weights in the positives."""
    check_known("covariate", judge, tuple(data.covariates))
    values = data.covariates[judge]
    if values.dtype.kind not in "iufb" or not ((values >= 0) & (values <= 1)).all():
        msg = (
            f"Column {judge!r} must hold 0 and 1, or probabilities of being positive, such as "
            f'{judge} == "ill"; it holds {values[0].item()!r}.'
        )
        raise ValueError(msg)
    soft = values.astype(np.float64)
    if np.ptp(soft) == 0 or np.ptp(soft[data.verified]) == 0:
        msg = f"Column {judge!r} is {soft[0]:g} for all cases, which tells nothing. Leave it out."
        raise ValueError(msg)
    if data.verified.all():
        msg = "Every case has a true label, so that no judge is needed. Use rocspace.delong."
        raise ValueError(msg)
    return soft


def _powered(data: VerifiedScores, name: str, soft: Vector, judge_weight: float | None) -> _Powered:
    """Combine the area of the true labels and the two of the judge's."""
    score, known = data.column(name), data.verified
    higher = data.rises(name)
    every = ranked(score, higher_is_positive=higher)
    few = ranked(score[known], higher_is_positive=higher)
    label = data.label[known].astype(np.float64)
    of_truth = area_reading(few, label, 1 - label)
    of_judge = area_reading(every, soft, 1 - soft)
    of_few = area_reading(few, soft[known], 1 - soft[known])
    g = label * of_truth.by_pos + (1 - label) * of_truth.by_neg
    h = soft * of_judge.by_pos + (1 - soft) * of_judge.by_neg
    n, rest = label.size, score.size - label.size
    share = rest / score.size
    inside = h[known] - h[known].mean()
    variance = float(h.var())
    best = float(g @ inside) / n / variance if variance > 0 else 0.0
    weight = best if judge_weight is None else float(judge_weight)
    influence = np.empty(score.size)
    small = float(min(label.sum(), (1 - label).sum()))
    scale = np.sqrt(small / (small - 1)) if small > 1 else np.nan
    influence[known] = (g - weight * share * inside) / n * scale
    influence[~known] = weight * share * (h[~known] - h[~known].mean()) / rest
    alone = float(g @ g) / n**2 * scale**2
    total = float(influence @ influence)
    return _Powered(
        value=of_truth.value + weight * (of_judge.value - of_few.value),
        weight=weight,
        saved=n * (alone / total - 1) if total > 0 else 0.0,
        influence=influence,
    )


def _df(data: VerifiedScores, influence: Vector) -> float:
    """Return the degrees of freedom of a variance.

    The smaller of two numbers: that which follows from the fourth moment, and Welch's from the
    numbers of positives and negatives with true labels.
    """
    square, known = influence**2, data.verified
    sides = (known & data.label, data.n_pos), (known & ~data.label, data.n_neg)
    parts = [(float(square[held].sum()), n) for held, n in sides]
    few = sum(part**2 / max(n - 1.0, 1.0) for part, n in parts)
    most = float(known.sum()) - 1.0
    welch = float(square.sum()) ** 2 / few if few > 0 else most
    return min(freedom(influence[known], most), welch)


def _estimate(data: VerifiedScores, name: str, found: _Powered) -> CorrectedArea:
    alone = delong(data.complete_cases(name))
    se = float(np.sqrt(found.influence @ found.influence))
    return CorrectedArea(
        value=min(max(found.value, 0.0), 1.0),
        se=se,
        method="prediction-powered",
        n_pairs=alone.n_pairs,
        df=min(alone.df, _df(data, found.influence)),
        model_se=alone.model_se * se / alone.se if alone.se > 0 else alone.model_se,
        raw=found.value,
        uncorrected=alone,
        weight=found.weight,
        saved=found.saved,
    )
