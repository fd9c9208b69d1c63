"""Tests with a margin: non-inferiority, superiority and equivalence of two scores.

A large p value does not show that two scores are equally good. Here the null hypothesis is a
difference that would matter, so that a small p value is evidence of non-inferiority or equivalence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.calls import explained
from rocspace._base.checks import check_choice
from rocspace._base.frozen import Result
from rocspace._base.words import shown
from rocspace.compare.areas import BOTH, TWO, warn_of_rare, warn_of_uneven
from rocspace.results.estimates import Difference
from rocspace.results.limits import floor_note, touching_pvalue
from rocspace.results.test import Alternative, TestResult

EquivalenceMethod: TypeAlias = Literal["interval", "t", "welch", "normal"]
_FIRST, EITHER = (0,), (0, 1)  # which scores a test may call better, or not worse


class EquivalenceResult(Result):
    """Two one-sided tests (TOST): the difference is above the lower limit and below the upper.

    Attributes
    ----------
    low, high : TestResult
        Tests of the null hypotheses that the difference is not above the lower limit, and not below
        the upper one.
    pvalue : float
        The larger of both p values; a small one is evidence that the difference lies between the
        limits.
    difference : float
        The estimated difference.
    limits : tuple of float
        Limits of equivalence: lower, upper.

    See Also
    --------
    equivalence_test
    """

    low: TestResult
    high: TestResult
    pvalue: float
    difference: float
    limits: tuple[float, float]


@explained
def noninferiority_test(
    difference: Difference, margin: float, *, method: EquivalenceMethod = "interval"
) -> TestResult:
    """Test whether the first score is worse by less than a margin.

    Parameters
    ----------
    difference : Difference
        First minus second, of any quantity where higher is better, from
        `rocspace.compare.auc_difference` or `bootstrap_difference`.
    margin : float
        The largest acceptable loss: positive, in the units of the quantity, chosen before the data
        are seen.
    method : {"interval", "t", "welch", "normal"}, default "interval"
        "interval": the test that corresponds to the default interval; it rejects exactly where the
        interval excludes minus the margin. The others compare ``(difference + margin) / se`` with
        that distribution, as ``Difference.test``.

    Returns
    -------
    TestResult
        A small p value is evidence of non-inferiority; p is the number for which ``interval(1 - 2
        p)`` ends at minus the margin. ``difference`` is the estimate plus the margin.

    Raises
    ------
    TypeError, ValueError
        If `difference` is not a `Difference`, the margin is not positive or as large as no
        difference can be, or the method is unknown.

    Warns
    -----
    UserWarning
        As `rocspace.compare.auc_difference`, on whose variance the test rests: if few cases tell
        the scores apart, and a class of fewer than 50 cases may have none of them. Also if a class
        of fewer than 100 cases may lack those that the score favoured by the test ranks worst: the
        other class is at least twice as large, and its placements spread more than twice as far in
        the other score.

    Notes
    -----
    At the margin the two areas differ, and the standard error from the data can be far too small,
    especially near an area of 1; the default method does not use it alone. Rejection rates at .05,
    measured with scores of the same cases whose areas differ by exactly the margin, in 114
    situations (as for `rocspace.compare.auc_difference`; 2,000 samples of each): "interval" is at
    most 5.9 percent; "t" exceeds 6 percent in 46, up to 40, and "normal" in 63, up to 42. With
    20 cases of a class and skewed scores that correlate by .8 and more, "interval" is not safe: it
    reaches 11 percent if a tenth of the positives looks like negatives, 15 for Cauchy scores of
    areas .95 and .9 that correlate by .95, and 9 in other situations made to be hard, because the
    few cases that differ are missing in many samples. No test that was tried keeps its size there
    and has power elsewhere; how near each comes, and at what width, is in the docs ("Our own
    methods"). ``note`` of the result says so if a class has fewer than 50 cases and the areas
    correlate by more than .5, which was so in nearly all wrong decisions. If the areas are equal,
    the power of "interval" is 0 to 8 points below that of "t".

    Over ranges of rates (the ledger's tpr .8 to 1, .9 to 1 and .7 to .9, fpr 0 to .1 and .1 to .3;
    8 + 40 to 500 + 500 cases) it rejects in 6.5 percent or less in 94 of 100 situations, in up to
    17.6 where fewer than three positives are in the range on average, and in up to 4.8 over inner
    ranges. The situations are those of `rocspace.compare.auc_difference`.

    References
    ----------
    Schuirmann (1987), a paper on this alone, of whose two one-sided tests this is one; "interval"
    is our own.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> from rocspace.compare import auc_difference
    >>> data = datasets.load("uci_scores").where("dataset", "sonar")
    >>> pair = pair_scores(data.y_true, {name: data.columns[name] for name in ("nb", "rf")})
    >>> gain = auc_difference(pair, "rf", "nb")
    >>> noninferiority_test(gain, 0.05).pvalue < 0.001
    True
    """
    test = one_sided_test(difference, -_checked(margin), "greater", method)
    warn_of_rare({TWO: difference})
    warn_of_uneven({BOTH: difference}, _FIRST)
    return test


@explained
def superiority_test(
    difference: Difference, margin: float = 0.0, *, method: EquivalenceMethod = "interval"
) -> TestResult:
    """Test whether the first score is better by more than a margin.

    Parameters
    ----------
    difference : Difference
        First minus second, as for `noninferiority_test`.
    margin : float, default 0
        The smallest gain that matters, zero or more, in the units of the quantity.
    method : {"interval", "t", "welch", "normal"}, default "interval"
        As for `noninferiority_test`.

    Returns
    -------
    TestResult
        A small p value is evidence that the first score is better by more than the margin.

    Raises
    ------
    TypeError, ValueError
        If `difference` is not a `Difference`, the margin is negative or as large as no difference
        can be, or the method is unknown.

    Warns
    -----
    UserWarning
        As `noninferiority_test`.

    Notes
    -----
    In the ledger of coverage, the lead being exactly the margin, "interval" keeps its level of .05
    in 34 of 36 situations (12 populations, 8 + 40 to 12 + 400 cases), and rejects 8.7 and 7.5
    percent in two: scores of equal areas of which the positives spread 2.5 and .4 times as far as
    the negatives, with 8 + 40 and 12 + 400 cases. There the first score is wrongly called better:
    so few positives often lack the ones that it ranks low, and then the lead is large and the
    standard error half of what it is on average. The second is in 2 percent, and with 60 + 60
    cases both are in 4 (docs, "Our own methods"). It is worse if such scores correlate strongly, or
    have larger areas: with areas of .95, a correlation of .97 and 12 + 400 cases it rejects in 18
    percent, with 8 + 40 or 40 + 8 in up to 12. The warning comes with most of these decisions.
    ``difference.interval(0.9, scale="unseen").low > margin`` is a test at .05 that kept to 5.5
    percent in the hardest of them, and is wider.

    Over ranges of rates, as for `noninferiority_test`, it rejects in 6.5 percent or less in 114 of
    120 situations, in up to 12.8 in four in which fewer than two cases of a class are in the range
    on average, and in up to 7.9 in two.

    References
    ----------
    Schuirmann (1987), a paper on this alone, of whose two one-sided tests this is one, with the
    margin on the other side; "interval" is our own.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> from rocspace.compare import auc_difference
    >>> data = datasets.load("uci_scores").where("dataset", "sonar")
    >>> pair = pair_scores(data.y_true, {name: data.columns[name] for name in ("nb", "rf")})
    >>> superiority_test(auc_difference(pair, "rf", "nb")).pvalue < 0.001
    True
    """
    null = margin if margin == 0 else _checked(margin)
    test = one_sided_test(difference, null, "greater", method)
    warn_of_rare({TWO: difference})
    warn_of_uneven({BOTH: difference}, _FIRST)
    return test


@explained
def equivalence_test(
    difference: Difference,
    margin: float | tuple[float, float],
    *,
    method: EquivalenceMethod = "interval",
) -> EquivalenceResult:
    """Test whether two scores differ by less than a margin in either direction.

    Parameters
    ----------
    difference : Difference
        First minus second, as for `noninferiority_test`.
    margin : float or pair of float
        The largest difference that does not matter, in the units of the quantity; or two limits, a
        negative and a positive one.
    method : {"interval", "t", "welch", "normal"}, default "interval"
        As for `noninferiority_test`.

    Returns
    -------
    EquivalenceResult
        A small p value is evidence of equivalence.

    Raises
    ------
    TypeError, ValueError
        If `difference` is not a `Difference`, the limits do not enclose zero or are as large as no
        difference can be, or the method is unknown.

    Warns
    -----
    UserWarning
        As `noninferiority_test`.

    Notes
    -----
    Two one-sided tests (TOST): both reject at level alpha exactly if the interval of level ``1 - 2
    alpha`` lies between the limits. If the true difference is one of the limits, it rejects no more
    often than `noninferiority_test`, whose notes say how often that is: over ranges of rates in 6.5
    percent or less in 97 of 100 situations, and in up to 7.3 in the others.

    References
    ----------
    Schuirmann (1987), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, pair_scores
    >>> from rocspace.compare import auc_difference
    >>> data = datasets.load("uci_scores").where("dataset", "breast_w")
    >>> pair = pair_scores(data.y_true, {name: data.columns[name] for name in ("logreg", "rf")})
    >>> gap = auc_difference(pair, "logreg", "rf")
    >>> equivalence_test(gap, 0.02).pvalue < 0.05
    True
    """
    low, high = margin if isinstance(margin, Sequence) else (-_checked(margin), _checked(margin))
    if not low < 0 < high < np.inf:
        msg = f"The limits are {low} and {high}, but must be negative and positive, as (-.05, .05)."
        raise ValueError(msg)
    found = equivalence_of(difference, (low, high), method)
    warn_of_rare({TWO: difference})
    warn_of_uneven({BOTH: difference}, EITHER)
    return found


def equivalence_of(
    difference: Difference, limits: tuple[float, float], method: EquivalenceMethod
) -> EquivalenceResult:
    """Test a difference against both limits; whoever compares warns where few cases differ."""
    lower = one_sided_test(difference, limits[0], "greater", method)
    upper = one_sided_test(difference, limits[1], "less", method)
    return EquivalenceResult(
        low=lower,
        high=upper,
        pvalue=float(np.maximum(lower.pvalue, upper.pvalue)),  # nan stays nan
        difference=difference.value,
        limits=limits,
    )


def _checked(margin: float) -> float:
    try:
        finite = 0 < float(margin) < np.inf
    except (TypeError, OverflowError):
        finite = False
    if not finite:
        msg = f"margin is {shown(margin)}, but must be a positive number, such as 0.05."
        raise ValueError(msg)
    return float(margin)


def one_sided_test(
    difference: Difference, null: float, side: Alternative, method: str
) -> TestResult:
    """Test a difference against a value on one side, as all tests with a margin do."""
    given: Any = difference
    if not isinstance(given, Difference):
        msg = (
            f"difference is {shown(given)}, but must be a Difference, which knows its standard "
            "error: auc_difference(...) or bootstrap_difference(...)."
        )
        raise TypeError(msg)
    least, most = difference.range
    if not least < null < most:
        msg = (
            f"A margin of {abs(null):g} shows nothing: this difference always lies between "
            f"{least:g} and {most:g}. Give it in the same units; five points of a hundred are 0.05."
        )
        raise ValueError(msg)
    check_choice("method", method, EquivalenceMethod)
    if method != "interval":
        return difference.test(null=null, alternative=side, distribution=method)  # type: ignore[arg-type]
    if difference.test_inverts_interval:
        return difference.test(null=null, alternative=side)
    gap, p = difference.value - null, touching_pvalue(difference, null, side)
    return TestResult(
        statistic=gap / difference.se if difference.se > 0 else float("nan"),
        pvalue=p,
        alternative=side,
        method=f"{difference.method}, interval",
        difference=gap,
        note=floor_note(p),
    )
