"""Comparisons of areas and partial areas, of two scores or more.

Paired comparisons use the covariance of the two areas, because the contributions of a case to the
two areas are correlated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, ROWS, Card, first_rows, level_of, said
from rocspace._base.cases import HEAVIEST
from rocspace._base.checks import Ends, check_choice, check_known, check_part
from rocspace._base.errors import ArgumentError, Caller
from rocspace._base.frozen import Result
from rocspace._base.text import adjusted, difference_name, either, joint_test, pvalue
from rocspace._base.words import shown, warn
from rocspace.compare.multiplicity import Adjustment, adjusted_pvalues
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, need
from rocspace.inference.area import WeightType
from rocspace.inference.clustered import ClusterMethod, components_of, refuse_method
from rocspace.inference.components import (
    Components,
    estimate_of,
    need_cases,
    score_columns,
    two_scores,
)
from rocspace.inference.spread import Part, Spread
from rocspace.results.discordance import WHOLE, favoured, rare_cases
from rocspace.results.estimates import (
    AreaEstimate,
    Difference,
    Estimate,
    n_pairs_of,
    no_spread,
)
from rocspace.results.limits import floor_note, noted
from rocspace.results.test import TOO_SMALL, UNKNOWN_SE, Alternative, Distribution, TestResult

TWO = "the two scores"
BOTH = "the first score", "the second score"
_CLASSES = ("positives", "negatives"), ("negatives", "positives")
_KNOWN = 1e-10  # variances below this share of the largest one are round-off
_FEW_INSIDE = 3  # cases of a class in a range, below which differences were covered too rarely


# --- two scores -------------------------------------------------------------------------------


@explained
def auc_difference(
    data: PairedScores | Mapping[str, ScoreTable],
    first: str | None = None,
    second: str | None = None,
    *,
    fpr: Ends | None = None,
    tpr: Ends | None = None,
    method: ClusterMethod | None = None,
    weight_type: WeightType = "importance",
) -> Difference:
    """Difference of two areas under the curve, with its standard error.

    Parameters
    ----------
    data : PairedScores or mapping of str to ScoreTable
        Several scores of the same cases, whose clusters are accounted for if they have any; or
        tables of independent samples by name.
    first, second : str, optional
        Names of the two to compare; not needed where there are only two.
    fpr, tpr : tuple of float, optional
        Compare only the areas over this range, as for `rocspace.partial_auc`.
    method : {"jackknife", "obuchowski"}, optional
        Variance of cases in clusters, as for `rocspace.inference.clustered_auc_estimate`; by
        default "jackknife". Only for data with clusters.
    weight_type : {"importance", "frequency"}, default "importance"
        Meaning of the weights, as for `rocspace.inference.auc_variance`.

    Returns
    -------
    Difference
        First minus second, in [-1, 1], with ``test()`` and ``interval(level)``. Positive if the
        first score ranks better.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        If tables and names are mixed up, a name is unknown, or a range or the weights are invalid.

    Warns
    -----
    UserWarning
        If the larger class shows that few cases tell the scores apart, so that a class of fewer
        than 50 cases may have none of them (of whole areas); if a range from fpr 0 or up to tpr 1
        holds fewer than three cases on average; of clusters and weights as `delong`.

    Notes
    -----
    DeLong's variance of the difference, from placements: O(n log n), one sort for each score, or
    O(k) for tables; parts of areas of the same cases take another sort. For areas of the same
    cases, and parts of them from fpr 0 or up to tpr 1 (counts, no clusters), test and interval come
    from one statistic of our own (see `Difference.interval`). For other ranges and for independent
    samples the interval is "unseen", and p is the number for which the interval of level ``1 - p``
    ends at no difference; of other ranges its ends need not move outwards with the level, so that
    the two can disagree near a level. Of cases in clusters the interval is "t", and the test
    Student's.

    Coverage measured at level .95 in 114 situations that were not used to choose constants (same
    cases, 12 + 40 to 300 + 300, correlations .2 to .999; Normal, skewed, heavy-tailed, hooked, many
    zeros, ratings, yes/no tests): 94.5 percent or more for the default interval, 60 or more for
    value +- 1.96 se. Where the latter holds its level, from 30 cases of each class, the default
    interval is 10 percent wider. Where a few cases that are rarely sampled make the whole
    difference, no interval of this width can hold its level: 89 percent for Cauchy scores of areas
    .95 and .9 that correlate by .95, 20 + 1,000 cases, 86 for areas of .9 whose positives spread
    2.5 and .4 times as far as the negatives, 12 + 400 (docs, "Our own methods"). For
    independent samples ``test(distribution="welch")`` rejects up to 9 percent of true hypotheses at
    .05. Over fpr 0 to .2 the default interval covers in 94.7 percent or more of samples in 192
    situations (5 + 5 to 200 + 200 and 20 + 1,000 cases), in over 98 in more than half of them.

    Over tpr .8 to 1 and .9 to 1 and fpr 0 to .1 (8 + 40 to 500 + 500 cases) it covers in 93.5
    percent or more in 68 of 72 situations. In the others fewer than three positives are in the
    range on average, and it covers in 88.4 or more: a score of few levels, or positives that spread
    2.5 times as far as negatives. There ``scale="unseen"`` holds; as a default for few cases in a
    range it would miss in some situations, too, and be a fifth wider where the default holds, for
    strongly correlated scores twice as wide. The docs ("Our own methods") have the frontier. Over
    inner ranges (tpr .7 to .9, fpr .1 to .3), whose default it is, it covers in 95.0 percent or
    more in 48 situations, and its test rejects up to 4.3 percent of true hypotheses at .05; it is
    1.3 times as wide as "moderated" on average, with 500 + 500 cases 1.1 times.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), by Sun and Xu (2014), Algorithm 2; He and Escobar
    (2008), a paper on this alone, for parts of areas.

    Examples
    --------
    >>> from rocspace import pair_scores, tabulate
    >>> label = [1, 1, 1, 1, 0, 0, 0, 0]
    >>> a, b = [5, 2, 4, 3, 1, 2, 0, 1], [2, 4, 3, 1, 2, 3, 1, 0]
    >>> paired = auc_difference(pair_scores(label, {"a": a, "b": b}))
    >>> round(paired.se, 6), round(paired.test(distribution="normal").pvalue, 6)
    (0.197642, 0.205903)
    >>> unpaired = auc_difference({"a": tabulate(label, a), "b": tabulate(label, b)})
    >>> round(unpaired.se, 6)
    0.200909
    """
    part = check_part(fpr, tpr)
    names = two_scores("auc_difference", data, first, second, apart=True)
    if isinstance(data, Mapping):
        refuse_method(method)
        return _of_tables(data[names[0]], data[names[1]], part, weight_type)
    need_cases("auc_difference", data)
    columns = score_columns(data, names)
    found = components_of(data, columns=columns, part=part, weight_type=weight_type, method=method)
    found.warn_of([np.array([1.0, -1.0])])
    gap = _of_components(found, 0, 1)
    warn_of_rare({TWO: gap})
    warn_of_few_inside(gap)
    return gap


def warn_of_rare(gaps: Mapping[str, Difference]) -> None:
    """Warn where a small class may lack the few cases that tell two scores apart.

    `gaps` are differences by what their two scores are called. Of each class one warning is given,
    about the pair of which it has the fewest such cases.
    """
    for i, (small, large) in enumerate(_CLASSES):
        found = {
            scores: few
            for scores, gap in gaps.items()
            if gap.gaps is not None
            and gap.model == WHOLE  # of one class a range takes a share only
            and (few := rare_cases(gap.gaps[i], gap.gaps[1 - i])) is not None
        }
        if found:
            scores, others = min(found, key=found.__getitem__), len(found) - 1
            n = round(gaps[scores].gaps[i].n)  # type: ignore[index]
            too = f"; so for {others} more {'pairs' if others > 1 else 'pair'}" if others else ""
            warn(
                f"By the {large}, few cases tell {scores} apart: {either(found[scores])} of "
                f"{n} {small} on average{too}. If the sample has none, the interval is too short, "
                "and the tests reject too often."
            )


def warn_of_uneven(gaps: Mapping[tuple[str, str], Difference], better: tuple[int, ...]) -> None:
    """Warn where a test may call a score better, 0 or 1, that spreads much farther than the other.

    `gaps` are differences by what their two scores are called. Whoever tests against a margin says
    which scores the test can favour. Of each class one warning is given.
    """
    for i, (small, large) in enumerate(_CLASSES):
        found = {
            names if one == 0 else names[::-1]: gap.gaps[i].n
            for names, gap in gaps.items()
            if gap.gaps is not None
            and gap.model == WHOLE
            and (one := favoured(gap.gaps[i], gap.gaps[1 - i])) in better
        }
        if found:
            (name, other), others = next(iter(found)), len(found) - 1
            too = f" So it is for {others} more {'pairs' if others > 1 else 'pair'}." * bool(others)
            warn(
                f"Placements of the {large} spread more than twice as far in {other} as in {name}, "
                f"and there are {round(found[name, other])} {small} only, which may lack those "
                f"that {name} ranks worst: the test may favour it too often.{too} An interval of "
                '90 percent on the scale "unseen" allows for them.'
            )


def warn_of_few_inside(gap: Difference) -> None:
    """Warn where a difference over a range depends on too few cases inside it."""
    if gap.gaps is None or gap.model == WHOLE:
        return
    c = 0 if gap.model.swapped else 1
    n, cases = gap.gaps[c].n, _CLASSES[c][0]
    inside = n * gap.model.width
    if inside < _FEW_INSIDE * (1 - _KNOWN):
        warn(
            f"The range holds {either(inside)} of {round(n)} {cases} on average. Differences over "
            "fewer than three cases may be covered too rarely, and their tests reject too often."
        )


def _of_tables(first: Any, second: Any, part: Part | None, weight_type: WeightType) -> Difference:
    for table in (first, second):
        need("auc_difference", table)
    one, two = (estimate_of(table, part, weight_type) for table in (first, second))
    return independent_difference(one, two, (sum(first.n_eff), sum(second.n_eff)))


def independent_difference(
    one: AreaEstimate, two: AreaEstimate, cases: tuple[float, float]
) -> Difference:
    """Return the difference of areas of independent samples; `cases` are the effective numbers."""
    variances = [one.se**2, two.se**2]
    spread = Spread(variance=sum(variances), df=_satterthwaite(variances, [one.df, two.df]))
    return _difference(one, two, spread, cases=cases)


def _satterthwaite(variances: Sequence[float], dfs: Sequence[float]) -> float:
    """Degrees of freedom of a sum of independent variances."""
    known = [(v, df) for v, df in zip(variances, dfs, strict=True) if v > 0]
    few = sum(v**2 / df for v, df in known)
    return sum(v for v, _ in known) ** 2 / few if few > 0 else 0.0


def _of_components(found: Components, i: int, j: int) -> Difference:
    contrast = np.zeros(len(found.estimates))
    contrast[i], contrast[j] = 1.0, -1.0
    covariance = found.covariance
    scale = float(np.sqrt(covariance[i, i] * covariance[j, j]))
    r = float(covariance[i, j]) / scale if scale > 0 else float("nan")
    spread = found.spread(contrast)
    return _difference(
        found.estimates[i],
        found.estimates[j],
        spread,
        correlation=r,
        gaps=found.gaps(i, j, spread),
        model=found.model,
        classes=found.heavy(i, j, spread),
        usual=found.usual,
    )


def _difference(one: Estimate, two: Estimate, spread: Spread, **known: Any) -> Difference:
    """Return the difference of two estimates; `known` are its other fields."""
    width = one.range[1] - one.range[0]
    return Difference(
        value=one.value - two.value,
        se=float(np.sqrt(spread.variance)),
        method=one.method,
        n_pairs=min(n_pairs_of(one), n_pairs_of(two)),
        range=(-width, width),
        df=spread.df,
        first=one,
        second=two,
        **known,
    )


# --- many scores ------------------------------------------------------------------------------


class PairTest(Result):
    """The comparison of one pair of scores.

    Attributes
    ----------
    first, second : str
        Names of the scores.
    difference : Difference
        First minus second, with ``se``, ``interval(level)`` and ``test()``.
    test : TestResult
        Test of the hypothesis that the two areas are equal.
    adjusted_pvalue : float
        The p value of the test, adjusted for the number of pairs.

    See Also
    --------
    AucComparison.pair
    """

    first: str
    second: str
    difference: Difference
    test: TestResult
    adjusted_pvalue: float

    def _card(self) -> Card:
        return Card(
            rows={
                "Pair": difference_name(self.first, self.second),
                "Difference": said(self.difference).value,
                f"{level_of()} interval": said(self.difference).interval,
                "p": pvalue(self.test.pvalue),
                "p, adjusted": pvalue(self.adjusted_pvalue),
            }
        )


class AucComparison(Result):
    """Several areas, their covariance matrix, and the tests of all pairs.

    Attributes
    ----------
    names : tuple of str, length m
        Names of the scores, in the order of the data.
    estimates : tuple of Estimate, length m
        The areas.
    covariance : ndarray of float64, shape (m, m)
        Covariance matrix of the areas.
    pairs : tuple of PairTest
        All pairs, in the order of the scores; with a reference, every other score against it.
    overall : TestResult
        Test of the hypothesis that all areas are equal, as by `contrast`. Where a score has no
        variance, its p value is the smallest of all pairs times the number of pairs.
    distribution : str
        The distribution with which statistics were compared.
    df : float
        The smallest degrees of freedom of all pairs whose difference has a variance, with or
        without a reference.
    adjustment : str
        The adjustment of the p values.
    paired : bool
        Whether the scores belong to the same cases.

    See Also
    --------
    compare_aucs
    """

    _meant: ClassVar[Mapping[str, str]] = {
        "pvalue": "pairs[0].test.pvalue of a pair, or overall.pvalue",
        "p_value": "pairs[0].test.pvalue of a pair, or overall.pvalue",
        **dict.fromkeys(
            ("pvalues", "p_values", "adjusted_pvalues"),
            "[pair.adjusted_pvalue for pair in comparison.pairs], or to_frame()",
        ),
        "differences": "[pair.difference for pair in comparison.pairs], or to_frame()",
        "ci": "pairs[0].difference.interval(level) of a pair, or to_frame()",
        "interval": "pairs[0].difference.interval(level) of a pair, or to_frame()",
        "summary": "print(comparison), or to_frame()",
        "auc": "estimates",
        "test": "overall, the test that all areas are equal, or pairs[0].test of a pair",
        **dict.fromkeys(
            ("to_latex", "to_markdown", "to_html"), "rs.report.to_latex(comparison), or to_markdown"
        ),
    }

    names: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    covariance: Vector
    pairs: tuple[PairTest, ...]
    overall: TestResult
    distribution: Distribution | None
    df: float
    adjustment: Adjustment
    paired: bool

    _several = True

    @property
    def quantity(self) -> str:
        """What is compared, in the plural."""
        return "areas"

    def _card(self) -> Card:
        rows = {
            name: "{0.value} ({0.interval})".format(said(each))
            for name, each in zip(self.names, self.estimates, strict=True)
        }
        rows["All equal"] = joint_test(partial(getattr, self.overall))
        pairs = [
            (
                difference_name(pair.first, pair.second),
                *said(pair.difference),
                pvalue(pair.adjusted_pvalue),
            )
            for pair in self.pairs[:ROWS]
        ]
        return Card(
            rows=rows,
            header=(
                "Pair",
                "Difference",
                f"{level_of()} interval",
                adjusted(self.adjustment, self.pairs[0].test.alternative),
            ),
            table=first_rows(pairs, len(self.pairs)),
        )

    def _columns(self) -> dict[str, Any]:
        """Return the pairs: both names, the difference with its interval, and the p values."""
        intervals = [pair.difference.interval(LEVEL) for pair in self.pairs]
        return {
            "first": [pair.first for pair in self.pairs],
            "second": [pair.second for pair in self.pairs],
            "first_auc": [pair.difference.first.value for pair in self.pairs],
            "second_auc": [pair.difference.second.value for pair in self.pairs],
            "difference": [pair.difference.value for pair in self.pairs],
            "se": [pair.difference.se for pair in self.pairs],
            "low": [interval.low for interval in intervals],
            "high": [interval.high for interval in intervals],
            "pvalue": [pair.test.pvalue for pair in self.pairs],
            "adjusted_pvalue": [pair.adjusted_pvalue for pair in self.pairs],
        }

    def estimate(self, name: str) -> Estimate:
        """Return the area of one score.

        Parameters
        ----------
        name : str
            Name of the score.

        Returns
        -------
        Estimate
            The area with its standard error.

        Raises
        ------
        ValueError
            If there is no such score.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
        >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
        >>> area = found.estimate("b")
        >>> print(f"{area.value:.3f} +- {area.se:.3f}")
        0.719 +- 0.196
        """
        check_known("score", name, self.names)
        return self.estimates[self.names.index(name)]

    def pair(self, first: str, second: str) -> PairTest:
        """Return the comparison of one pair, in the order in which it was tested.

        Parameters
        ----------
        first, second : str
            Names of two scores, in either order.

        Returns
        -------
        PairTest
            The comparison; its ``first`` and ``second`` give the sign of the difference.

        Raises
        ------
        ValueError
            If there is no such score, or the pair was not tested.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
        >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
        >>> pair = found.pair("b", "a")
        >>> pair.first, round(pair.difference.value, 3), round(pair.adjusted_pvalue, 3)
        ('a', 0.25, 0.302)
        """
        for name in (first, second):
            check_known("score", name, self.names)
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        listed = ", ".join(f"{p.first} and {p.second}" for p in self.pairs)
        msg = f"{first!r} and {second!r} were not compared with each other. Pairs are: {listed}."
        raise ValueError(msg)

    def contrast(self, coefficients: ArrayLike) -> TestResult:
        """Test the hypothesis that linear combinations of the areas are all zero.

        Parameters
        ----------
        coefficients : array-like, shape (m,) or (q, m)
            One combination, or one in each row, in the order of `names`.

        Returns
        -------
        TestResult
            The statistic is a Wald chi-square with q degrees of freedom, the number of combinations
            with a variance. ``difference`` is the value of a single combination, else nan.

        Raises
        ------
        ValueError
            If a row does not have one finite coefficient for each score.

        Notes
        -----
        ``(L a)' (L S L')^+ (L a)``. By default, and with "t", the statistic divided by q is
        compared with the F distribution with q and `df` degrees of freedom, otherwise the statistic
        with chi-square. Measured with equal areas, 5 positives and 50 negatives, chi-square rejects
        17 percent of true hypotheses at .05 with four scores and 46 with eight; F at most 5. If a
        combination without variance is not zero, p is 0, and ``note`` says so. A score without
        variance also makes p too small here; the tests of pairs allow for it.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
        >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores))
        >>> round(found.contrast([1, -1]).pvalue, 3)
        0.258
        """
        rows = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
        if rows.ndim != 2 or rows.shape[1] != len(self.names) or not np.isfinite(rows).all():
            msg = (
                f"coefficients has shape {rows.shape}; give finite numbers, one for each of the "
                f"{len(self.names)} scores in a row."
            )
            raise ValueError(msg)
        size = np.abs(rows).max(axis=1)
        if ((size > HEAVIEST) | ((size > 0) & (size < 1 / HEAVIEST))).any():
            msg = (
                f"coefficients is {shown(coefficients)}, whose squares may not fit float64. "
                "Multiply each row by one number; only its proportions matter."
            )
            raise ValueError(msg)
        value = np.array([estimate.value for estimate in self.estimates])
        result = _joint_test(
            rows @ value, rows @ self.covariance @ rows.T, self.distribution, self.df
        )
        used = (rows != 0).any(axis=0)
        if any(own and no_spread(e) for e, own in zip(self.estimates, used, strict=True)):
            return replace(result, note=result.note or "a score has no variance: p is too small")
        return result


@explained
def compare_aucs(
    data: PairedScores | Mapping[str, ScoreTable],
    *,
    reference: str | None = None,
    fpr: Ends | None = None,
    tpr: Ends | None = None,
    adjust: Adjustment = "holm",
    distribution: Distribution | None = None,
    alternative: Alternative = "two-sided",
    method: ClusterMethod | None = None,
    weight_type: WeightType = "importance",
) -> AucComparison:
    """Compare the areas of several scores: estimates, covariance matrix, and tests of all pairs.

    Parameters
    ----------
    data : PairedScores or mapping of str to ScoreTable
        Scores of the same cases, whose clusters are accounted for; or tables of independent samples
        by name.
    reference : str, optional
        Compare every other score with this one; by default all pairs are compared.
    fpr, tpr : tuple of float, optional
        Compare only the areas over this range, as for `rocspace.partial_auc`.
    adjust : str, default "holm"
        Adjustment of the p values, by a method of `rocspace.compare.adjusted_pvalues`.
    distribution : {"t", "welch", "normal"}, optional
        Distribution for the statistics of the pairs, as for ``Difference.test``.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What the p values of the pairs are evidence of: "greater" says that the area of the first is
        larger. The joint test that all areas are equal has no side.
    method : {"jackknife", "obuchowski"}, optional
        Variance of cases in clusters, as for `auc_difference`.
    weight_type : {"importance", "frequency"}, default "importance"
        Meaning of the weights, as for `rocspace.inference.auc_variance`.

    Returns
    -------
    AucComparison
        The areas, their covariance matrix, the test of equality, and the differences of pairs.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        If there are fewer than two scores, a name is unknown, or an option is invalid.

    Warns
    -----
    UserWarning
        As `auc_difference`, of the pair of which a class has the fewest cases that tell its scores
        apart.

    Notes
    -----
    O(m n log n) for the areas of m scores, and O(m^2 n) for their covariances and pairs.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), by Sun and Xu (2014), Algorithm 2.
    `rocspace.inference.clustered_auc_estimate` has the references for clusters.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> found = compare_aucs(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores), distribution="normal")
    >>> [(p.first, p.second, round(p.test.pvalue, 3)) for p in found.pairs]
    [('a', 'b', 0.206)]
    """
    part = check_part(fpr, tpr)
    if isinstance(data, Mapping):
        refuse_method(method)
        names, estimates, covariance = _independent(data, part, weight_type)

        def difference(i: int, j: int) -> Difference:
            pair = data[names[i]], data[names[j]]
            return _of_tables(*pair, part, weight_type)

        pairs = Pairs(difference)
    else:
        need_cases("compare_aucs", data)
        names = data.names
        check_several("compare_aucs", names)
        columns = tuple(range(len(names)))
        found = components_of(
            data, columns=columns, part=part, weight_type=weight_type, method=method
        )
        estimates, covariance = found.estimates, found.covariance
        unit = np.eye(len(names))
        found.warn_of(unit[i] - unit[j] for i, j in _pairs(names, reference))

        def difference(i: int, j: int) -> Difference:
            return _of_components(found, i, j)

        pairs = Pairs(difference, found.least_df)

    compared = comparison_of(
        names,
        estimates,
        covariance,
        pairs,
        reference=reference,
        adjust=adjust,
        distribution=distribution,
        alternative=alternative,
    )
    compared = replace(compared, paired=isinstance(data, PairedScores))
    warn_of_rare({f"{one.first} and {one.second}": one.difference for one in compared.pairs})
    warn_of_few_inside(compared.pairs[0].difference)  # of all pairs the cases are the same
    return compared


@dataclass(frozen=True, slots=True)
class Pairs:
    """The differences of all pairs of several areas.

    Attributes
    ----------
    difference : callable
        Makes that of the i-th and the j-th area.
    fewest : callable, optional
        Finds the fewest degrees of freedom of all pairs; by default each of them is made.
    """

    difference: Callable[[int, int], Difference]
    fewest: Callable[[], float] | None = None

    def least_df(self, known: Mapping[tuple[int, int], Difference], m: int) -> float:
        """Return the fewest degrees of freedom of a pair, but for scores that rank alike."""
        if self.fewest is not None:
            return self.fewest()
        return min((each.df for each in self.every(known, m) if each.se != 0), default=0.0)

    def every(self, known: Mapping[tuple[int, int], Difference], m: int) -> list[Difference]:
        """Return the differences of all pairs, of which some are `known`."""
        pairs = combinations(range(m), 2)
        return [known[pair] if pair in known else self.difference(*pair) for pair in pairs]


def comparison_of(
    names: Sequence[str],
    estimates: Sequence[Estimate],
    covariance: Vector,
    pairs: Pairs,
    *,
    reference: str | None,
    adjust: Adjustment,
    distribution: Distribution | None,
    alternative: Alternative = "two-sided",
) -> AucComparison:
    """Test all pairs of areas whose covariance matrix is known, or those with a reference."""
    chosen = _pairs(names, reference)
    differences = {pair: pairs.difference(*pair) for pair in chosen}
    every = partial(pairs.every, differences, len(names))
    tests = [
        differences[pair].test(alternative=alternative, distribution=distribution)
        for pair in chosen
    ]
    adjusted = adjusted_pvalues([test.pvalue for test in tests], method=adjust)
    df = pairs.least_df(differences, len(names))
    return AucComparison(
        names=tuple(names),
        estimates=tuple(estimates),
        covariance=covariance,
        pairs=tuple(
            PairTest(
                first=names[i],
                second=names[j],
                difference=differences[i, j],
                test=test,
                adjusted_pvalue=float(p),
            )
            for (i, j), test, p in zip(chosen, tests, adjusted, strict=True)
        ),
        overall=_overall(estimates, covariance, every, distribution, df),
        distribution=distribution,
        df=df,
        adjustment=adjust,
        paired=True,
    )


def check_several(caller: str, names: Sequence[str]) -> None:
    """Raise unless there are two scores to compare."""
    if len(names) < 2:
        why = f" needs at least two scores; here is only {', '.join(names) or 'none'}."
        raise ArgumentError(Caller(caller), why)


def _independent(
    tables: Mapping[str, ScoreTable],
    part: Part | None,
    weight_type: WeightType,
) -> tuple[tuple[str, ...], tuple[Estimate, ...], Vector]:
    names = tuple(tables)
    check_several("compare_aucs", names)
    given: Mapping[str, Any] = tables
    for table in given.values():
        if not isinstance(table, ScoreTable):
            msg = (
                f"compare_aucs takes PairedScores or tables by name, not {type(table).__name__}s. "
                "Of the same cases say compare_aucs(pair_scores(y_true, scores)), of other cases "
                "make each table with tabulate(y_true, y_score)."
            )
            raise TypeError(msg)
        need("compare_aucs", table)
    estimates = tuple(estimate_of(table, part, weight_type) for table in tables.values())
    return names, estimates, np.diag([estimate.se**2 for estimate in estimates])


def _pairs(names: Sequence[str], reference: str | None) -> list[tuple[int, int]]:
    if reference is None:
        return list(combinations(range(len(names)), 2))
    check_choice("reference", reference, names)
    j = names.index(reference)
    return [(i, j) for i in range(len(names)) if i != j]


def _overall(
    estimates: Sequence[Estimate],
    covariance: Vector,
    differences: Callable[[], list[Difference]],
    distribution: Distribution | None,
    known: float,
) -> TestResult:
    """Test that all areas are equal; `differences` makes those of all pairs."""
    if distribution is None and len(estimates) == 2 and (only := differences()[0]).se != 0:
        pair = only.test()  # says of two scores the same, as a test of all
        square = pair.statistic**2
        df = 1.0 if pair.df > 0 else float("nan")  # else its p value is no F test's
        return replace(pair, statistic=square, method="F", df=df, df_denominator=pair.df)
    value = np.array([estimate.value for estimate in estimates])
    others = len(estimates) - 1
    against_first = np.column_stack([np.ones(others), -np.eye(others)])
    result = _joint_test(
        against_first @ value, against_first @ covariance @ against_first.T, distribution, known
    )
    too_little = result.statistic == np.inf or any(map(no_spread, estimates))
    if distribution not in (None, "t") or not (too_little or result.statistic != result.statistic):
        return result
    if result.pvalue == 1:
        return result
    pvalues = [each.test(distribution=distribution).pvalue for each in differences()]
    least = min(pvalues)
    return replace(
        result,
        pvalue=min(len(pvalues) * least, 1.0),
        method="pairs, bonferroni",
        df=float("nan"),
        df_denominator=float("nan"),
        note=noted("a score has no variance: p from the intervals of pairs", floor_note(least))
        if too_little
        else result.note,
    )


def _joint_test(
    value: Vector, covariance: Vector, distribution: Distribution | None, known: float
) -> TestResult:
    """Wald test that a vector is zero, leaving out directions without variance."""
    from scipy.special import chdtrc, fdtrc

    single = float(value[0]) if value.size == 1 else float("nan")
    statistic, pvalue, df, second, note = *[float("nan")] * 4, ""
    if not np.isfinite(covariance).all():
        note = UNKNOWN_SE
    else:
        variance, directions = np.linalg.eigh(covariance)
        along = directions.T @ value
        varies = variance > max(_KNOWN * variance.max(initial=0.0), 1e-24)
        statistic = float((along[varies] ** 2 / variance[varies]).sum())
        df = float(np.count_nonzero(varies))
        if distribution in (None, "t") and df:
            second = max(known, 1.0)
            pvalue = float(fdtrc(df, second, statistic / df))
        else:
            pvalue = float(chdtrc(df, statistic)) if df else 1.0
        note = "" if pvalue else TOO_SMALL
        if not varies.all():
            note = "no variance" if not df else "no variance in some directions"
        if (np.abs(along[~varies]) > 1e-12).any():
            statistic, pvalue = float("inf"), 0.0
    return TestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method="F" if distribution in (None, "t") else "chi-square",
        difference=single,
        df=df,
        df_denominator=second,
        note=note,
    )
