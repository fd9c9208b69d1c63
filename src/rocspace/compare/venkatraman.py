"""Permutation tests of the equality of whole ROC curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_rng
from rocspace._base.errors import Argument, ArgumentError, InPython
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, need
from rocspace.curves.summaries import auc
from rocspace.inference.components import exchanged_units, need_cases, score_columns, two_scores
from rocspace.resampling.replicates import Rng, run_blocks
from rocspace.results.test import TestResult

Ties: TypeAlias = Literal["random", "first"]

_WHAT = ("permutations", "n_perm")
_DRAWS = 20  # number of random orders of ties whose statistics are averaged
_NEAR = 1e-12  # statistics whose relative difference is smaller are equal up to round-off


@explained
def venkatraman_test(
    data: PairedScores | Mapping[str, ScoreTable | PairedScores],
    first: str | None = None,
    second: str | None = None,
    *,
    n_perm: int = 2000,
    ties: Ties = "random",
    rng: Rng = None,
    progress: bool | None = None,
) -> TestResult:
    """Test whether two ROC curves are equal, by their numbers of errors at every cut.

    Parameters
    ----------
    data : PairedScores or mapping of str to ScoreTable or PairedScores
        Several scores of the same cases; or independent samples by name, as tables or as
        `PairedScores` of a single score.
    first, second : str, optional
        Names of the two to compare; not needed where there are only two.
    n_perm : int, default 2000
        Number of permutations.
    ties : {"random", "first"}, default "random"
        Order of tied cases. "random": the statistic, of the data and of each permutation, is the
        mean over 20 random orders. "first": the order of the cases in the data, as in pROC; the
        result then depends on that order.
    rng : numpy.random.Generator or int, optional
        Generator or seed.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    TestResult
        The statistic is a distance of the curves, 0 if the numbers of errors agree at every cut;
        ``difference`` is the difference of the areas. The p value is never 0.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        If samples and names are mixed up, there are weights (or clusters in independent
        samples), or an option is invalid.

    Notes
    -----
    It detects curves that cross and have equal areas, which tests of areas cannot. Paired samples:
    the statistic is the sum over all cuts k of the absolute difference of the numbers of errors,
    with the k lowest cases called negative; permutations swap the two ranks of a case (of all cases
    of a cluster together) with probability 1/2. Independent samples: the statistic is the area
    between the error rates as functions of the share p called negative, both at the pooled
    prevalence; permutations exchange cases of the same class between the samples, at their values
    of p. ``p = (1 +
    #{E* >= E}) / (n_perm + 1)``. O(n_perm n) after one sort, times 20 where scores tie.
    Rejection rates of true hypotheses at .05, measured from 5 + 50 to 50 + 50 cases, continuous or
    in five ratings: 4 to 6 percent for paired and 2.5 to 5 percent for independent samples. Power
    with 50 + 50 cases: 66 percent for curves that cross (areas .75, standard deviations 1 and 3),
    where the test of areas has 3; 52 percent for curves that do not cross (areas .75 and .85),
    where it has 54.

    References
    ----------
    Venkatraman and Begg (1996), a paper on this alone, for pairs; Venkatraman (2000), a paper on
    this alone, for independent samples.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> data = pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores)
    >>> found = venkatraman_test(data, "a", "b", n_perm=500, rng=1)
    >>> found.statistic, round(found.pvalue, 1)
    (8.4, 0.2)
    """
    generator = check_rng(rng)
    names = two_scores("venkatraman_test", data, first, second, apart=True)
    if isinstance(data, PairedScores):
        need_cases("venkatraman_test", data)
        columns = score_columns(data, names)
        _no_weights(data.weight is not None)
        rising = [
            _rising(data.score[:, j], data.rises(name))
            for j, name in zip(columns, names, strict=True)
        ]
        tables = [data.table(data.names[j]) for j in columns]
        units = exchanged_units(data)
        observed, null = _paired(data.label, rising, units, ties, n_perm, generator, progress)
        method = "Venkatraman, paired"
    else:
        samples = [_sample(data[name], ties) for name in names]
        tables = [table for _, _, table in samples]
        parts = [(label, score) for label, score, _ in samples]
        observed, null = _independent(parts, ties, n_perm, generator, progress)
        method = "Venkatraman, independent"
    as_far = int((null >= observed * (1 - _NEAR)).sum())
    return TestResult(
        statistic=observed,
        pvalue=(1 + as_far) / (n_perm + 1),
        alternative="two-sided",
        method=method,
        difference=auc(tables[0]) - auc(tables[1]),
    )


def _no_weights(weighted: bool) -> None:
    if weighted:
        msg = "This test permutes cases, which must have equal weights: leave out the weights."
        raise ValueError(msg)


def _rising(score: Array, higher_is_positive: bool) -> Ints:
    """Replace scores by whole numbers, larger for more positive scores; ties stay ties."""
    rank = np.unique(score, return_inverse=True)[1].astype(np.int64)
    return rank if higher_is_positive else -rank


def _orders(columns: list[Ints], ties: str, rng: np.random.Generator) -> list[Ints]:
    """Order the cases by each score, once for each way to break ties: shape (t, n) each."""
    n = columns[0].size
    if ties == "first" or all(np.unique(column).size == n for column in columns):
        return [np.argsort(column, kind="stable")[np.newaxis] for column in columns]
    # The same random key for all scores, so that scores that rank alike get the same order.
    keys = [rng.permutation(n) for _ in range(_DRAWS)]
    return [np.stack([np.lexsort((key, column)) for key in keys]) for column in columns]


# --- scores of the same cases -----------------------------------------------------------------


def _paired(
    label: Mask,
    columns: list[Ints],
    exchanged: tuple[int, Array | slice],
    ties: str,
    n_perm: int,
    rng: np.random.Generator,
    progress: bool | None,
) -> tuple[float, Vector]:
    from rocspace._kernels.ranks import rank_gaps

    one, two = _orders(columns, ties, rng)
    units, unit = exchanged
    sign = np.where(label, 1, -1).astype(np.int8)

    def gaps(bits: NDArray[np.uint8]) -> Vector:
        found = np.zeros(len(bits), dtype=np.int64)
        rank_gaps(one, two, sign, bits, found)
        return found / len(one)

    def block(generator: np.random.Generator, many: int) -> Vector:
        bits = generator.integers(0, 4, size=(many, sign.size), dtype=np.uint8)
        if units < sign.size:
            bits = np.bitwise_or(bits & 2, (bits[:, :units] & 1)[:, unit], dtype=np.uint8)
        return gaps(bits)

    observed = float(gaps(np.zeros((1, sign.size), dtype=np.uint8))[0])
    return observed, run_blocks(block, n_perm, sign.size, rng, None, progress, _WHAT)


# --- independent samples ----------------------------------------------------------------------


def _sample(one: Any, ties: str) -> tuple[Mask, Ints, ScoreTable]:
    """Return labels and ranks of the cases of one sample, and its table."""
    if isinstance(one, PairedScores):
        need_cases("venkatraman_test", one)
        if len(one.names) != 1:
            msg = (
                f"Each sample must have one score; one has {', '.join(one.names)}. To compare "
                "two of them on the same cases: venkatraman_test(data, first, second)."
            )
            raise ValueError(msg)
        _no_weights(one.weight is not None)
        if one.cluster is not None:
            msg = "Cases in clusters cannot be exchanged one by one: leave out the clusters."
            raise ValueError(msg)
        rank = _rising(one.score[:, 0], one.rises(one.names[0]))
        return one.label, rank, one.table(one.names[0])
    need("venkatraman_test", one)
    _no_weights(one.is_weighted)
    if ties == "first":
        told = "A table does not keep the order of its cases: use "
        raise ArgumentError(
            told,
            Argument("ties", "random"),
            InPython(", or give pair_scores(y_true, {'name': y_score})"),
            ".",
        )
    row = np.arange(len(one), 0, -1)  # row 0 has the most positive score
    label = np.repeat([True, False], [int(one.n_pos), int(one.n_neg)])
    return label, np.concatenate([np.repeat(row, one.pos), np.repeat(row, one.neg)]), one


def _independent(
    samples: list[tuple[Mask, Ints]],
    ties: str,
    n_perm: int,
    rng: np.random.Generator,
    progress: bool | None,
) -> tuple[float, Vector]:
    from rocspace._kernels.ranks import curve_gaps, deal

    n_pos = [int(label.sum()) for label, _ in samples]
    n_neg = [label.size - p for (label, _), p in zip(samples, n_pos, strict=True)]
    sizes = np.array([n_pos[0], n_neg[0], n_pos[1], n_neg[1]])
    kappa = sum(n_pos) / int(sizes.sum())
    pooled = [
        _pooled(orders, samples, kappa, rng)
        for orders in zip(*(_both_orders(samples, ties, rng)), strict=True)
    ]

    def gaps(second: list[Mask]) -> Vector:
        found = np.zeros(len(second[0]))
        for (positive, _), own in zip(pooled, second, strict=True):
            curve_gaps(positive, own, sizes, kappa, found)
        return found / len(pooled)

    def block(generator: np.random.Generator, many: int) -> Vector:
        moved, dealt = [], []
        for sizes_of_class in (n_pos, n_neg):
            chance = generator.random((many, sum(sizes_of_class)))
            dealt.append(np.empty(chance.shape, dtype=bool))
            deal(chance, sizes_of_class[1], dealt[-1])
        for positive, _ in pooled:
            own = np.empty((many, positive.size), dtype=bool)
            own[:, positive], own[:, ~positive] = dealt
            moved.append(own)
        return gaps(moved)

    observed = float(gaps([own[np.newaxis] for _, own in pooled])[0])
    return observed, run_blocks(block, n_perm, int(sizes.sum()), rng, None, progress, _WHAT)


def _both_orders(
    samples: list[tuple[Mask, Ints]],
    ties: str,
    rng: np.random.Generator,
) -> list[Ints]:
    """Order both samples, in the same number of ways."""
    orders = [_orders([rank], ties, rng)[0] for _, rank in samples]
    most = max(len(order) for order in orders)
    return [np.broadcast_to(order, (most, order.shape[1])) for order in orders]


def _pooled(
    orders: tuple[Ints, ...],
    samples: list[tuple[Mask, Ints]],
    kappa: float,
    rng: np.random.Generator,
) -> tuple[Mask, Mask]:
    """Merge both samples into one order, by the value of p of each case in its own sample.

    Returns which cases are positive, and which come from the second sample. The order within a
    sample is kept; equal values of the two samples are put in random order.
    """
    shares, positive = [], []
    for order, (label, _) in zip(orders, samples, strict=True):
        own = label[order]
        n_pos = int(own.sum())
        pos, neg = np.cumsum(own), np.cumsum(~own)
        shares.append(kappa * pos / n_pos + (1 - kappa) * neg / (own.size - n_pos))
        positive.append(own)
    share = np.concatenate(shares)
    second = np.repeat([False, True], [s.size for s in shares])
    place = np.lexsort((rng.random(share.size), share))
    return np.concatenate(positive)[place], second[place]
