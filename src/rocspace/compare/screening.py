"""Screening: the areas of very many features of the same cases, ranked by their p values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector, as_vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card, first_rows, level_of
from rocspace._base.cases import (
    MissingPolicy,
    check_labels,
    check_lengths,
    check_promotion,
    check_scores,
    named_columns,
)
from rocspace._base.checks import check_known, check_one_fraction
from rocspace._base.frozen import Result
from rocspace._base.text import adjusted, count, estimate, pvalue
from rocspace.compare.multiplicity import Adjustment, adjusted_pvalues
from rocspace.counts.rows import check_threads, column_blocks, in_threads, sorted_by_class
from rocspace.counts.table import refuse, tabulate_classes
from rocspace.inference.permuted import dominated_pvalue
from rocspace.results.estimates import AreaEstimate
from rocspace.results.unseen import ClassMean, ManyMeans, part_of_case, unseen_limits_of_many

_EDGE = 1e-12  # areas nearer to 0 or 1 are not inside, as for an `Estimate`
_SUMS = 7  # what the compiled sweep writes of each feature


class RankedFeatures(Result):
    """Features by their p values, the smallest first.

    Attributes
    ----------
    names : tuple of str, length m
        Names of the features.
    auc : ndarray of float64, shape (m,)
        Areas, larger values being more positive; nan where a class has no value.
    se : ndarray of float64, shape (m,)
        DeLong's standard errors; nan where a class has a single value.
    low, high : ndarray of float64, shape (m,)
        Ends of the intervals, one by one at `level`, not for all of them together.
    rises : ndarray of bool, shape (m,)
        The direction: whether larger values are more positive, the area being one half or more.
    pvalue, adjusted_pvalue : ndarray of float64, shape (m,)
        Of the Mann-Whitney test of an area of one half; adjusted for the number of features.
    n_pos, n_neg : ndarray of int64, shape (m,)
        Cases with a value.
    level : float
        Level of the intervals.
    adjustment : str
        How p values were adjusted.

    See Also
    --------
    rank_features
    """

    names: tuple[str, ...]
    auc: Vector
    se: Vector
    low: Vector
    high: Vector
    rises: Mask
    pvalue: Vector
    adjusted_pvalue: Vector
    n_pos: Ints
    n_neg: Ints
    level: float
    adjustment: Adjustment

    def __len__(self) -> int:
        """Return the number of features."""
        return len(self.names)

    def _about(self) -> str:
        return f"{count(len(self))} features, the first {self.names[0]}"

    def _columns(self) -> dict[str, Any]:
        """Return all columns, a row for each feature."""
        columns = ("auc", "se", "low", "high", "rises", "pvalue", "adjusted_pvalue")
        found = {name: getattr(self, name) for name in (*columns, "n_pos", "n_neg")}
        return {"name": list(self.names), **found}

    def _card(self) -> Card:
        rows = []
        for i, name in enumerate(self.names[:10]):
            area = estimate(float(self.auc[i]), float(self.low[i]), float(self.high[i]))
            rows.append((name, *area, pvalue(float(self.adjusted_pvalue[i]))))
        return Card(
            rows={"Features": count(len(self)), "Found at 0.05": count(len(self.found()))},
            header=(
                "Feature",
                "AUC",
                f"{level_of(self.level)} interval",
                adjusted(self.adjustment),
            ),
            table=first_rows(rows, len(self)),
        )

    def found(self, at: float = 0.05) -> tuple[str, ...]:
        """Return the features whose adjusted p value is at most a given one.

        Parameters
        ----------
        at : float, default 0.05
            The largest adjusted p value. With "benjamini-hochberg" and "benjamini-yekutieli" it is
            the expected share of false findings among them, with others the probability of any.

        Returns
        -------
        tuple of str
            Their names, the smallest p value first.

        Raises
        ------
        ValueError
            If the level is not between 0 and 1.

        Examples
        --------
        >>> ranked = rank_features({"y": [0, 0, 1, 1], "a": [1, 2, 3, 4]}, "y")
        >>> ranked.found(0.5)
        ('a',)
        """
        most = check_one_fraction("at", at)
        return tuple(np.array(self.names, dtype=object)[self.adjusted_pvalue <= most].tolist())


@explained
def rank_features(
    frame: Any,
    label: Any,
    *,
    score: Sequence[str] | None = None,
    pos_label: object = None,
    missing: MissingPolicy = "raise",
    adjustment: Adjustment = "benjamini-hochberg",
    level: float = 0.95,
    threads: int | None = None,
) -> RankedFeatures:
    """Rank very many features by how well each alone tells the classes apart.

    Parameters
    ----------
    frame : data frame, mapping of names to array-likes, or array-like of shape (n, m)
        A row for each case, a column for each feature.
    label : str, or array-like of shape (n,)
        The column of labels, or the labels.
    score : sequence of str, optional
        The columns to rank; by default all but the labels. All must be numbers.
    pos_label : object, optional
        As for `tabulate`.
    missing : {"raise", "omit"}, default "raise"
        "omit" leaves out, from each feature alone, the cases that lack it.
    adjustment : str, default "benjamini-hochberg"
        How p values are adjusted for the number of features, by a method of `adjusted_pvalues`.
    level : float, default 0.95
        Level of the interval of each area.
    threads : int, optional
        Threads that the features are divided among; by default as many as the process may use.

    Returns
    -------
    RankedFeatures
        Areas, intervals, p values and directions, the smallest p value first; of equal ones the
        area farthest from one half.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError, TypeError
        As `tabulate`; also if there is no such column.

    Notes
    -----
    O(m n log n), in compiled loops over blocks of columns; the first call imports numba. 100,000
    features of 200 cases take 2 s of processor time. Area, standard error, p value and interval of
    a feature are those of `auc`, `delong`, `auc_test` and the default interval (scale "unseen").

    Where more than half of the cases have the same value, as of counts that are mostly zero, the p
    value is exact, given the ties, and takes far longer than others. Among 200 such features, of
    which none tells the classes apart, any is found in 1 to 6 percent of samples of 8 + 400 or 30 +
    300 cases; by the Normal distribution it would be in 5 to 90 percent.

    The intervals are of single features. Those of the best ones are too optimistic: the feature
    with the smallest of many p values is there also by luck. Confirm it on new cases.

    References
    ----------
    Mann and Whitney (1947), a paper on this alone; DeLong, DeLong and Clarke-Pearson (1988), by Sun
    and Xu (2014), Algorithm 2; Benjamini and Hochberg (1995), Theorem 1.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 2
    >>> genes = rng.normal(size=(60, 500))
    >>> genes[:, 7] -= 2 * y
    >>> ranked = rank_features(genes, y)
    >>> ranked.found(), bool(ranked.rises[0])
    (('feature_8',), False)
    """
    values, columns = _divided(frame, label, score)
    positive = check_labels(values, pos_label, "label")
    names, block = _block(columns, missing)
    check_lengths({"label": positive.size, "features": block.shape[0]})
    members = np.flatnonzero(positive), np.flatnonzero(~positive)
    if not (members[0].size and members[1].size):
        refuse("rank_features", *(own.size for own in members))
    sizes, twice, sums = _swept(block, members, check_threads(threads))
    n_pos, n_neg = sizes.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        auc = twice / (2 * n_pos * n_neg)
        auc[np.minimum(n_pos, n_neg) == 0] = np.nan
        se = np.sqrt(sums[:, 0] / n_pos / _freedom(n_pos) + sums[:, 1] / n_neg / _freedom(n_neg))
        low, high = _limits(auc, (n_pos, n_neg), sums, level)
        p = _pvalues(auc, n_pos, n_neg, sums[:, 2])
    for j in _perhaps_dominated(n_pos + n_neg, sums[:, 2]):
        table = tabulate_classes(*(block[own, j] for own in members), missing="omit")
        exact = dominated_pvalue(table.pos, table.neg, "two-sided")
        p[j] = p[j] if exact is None else exact
    order = np.lexsort((-np.abs(auc - 0.5), p))
    ranked = adjusted_pvalues(p, method=adjustment)
    return RankedFeatures(
        names=tuple(names[i] for i in order),
        auc=auc[order],
        se=se[order],
        low=low[order],
        high=high[order],
        rises=np.asarray(~(auc < 0.5))[order],
        pvalue=p[order],
        adjusted_pvalue=ranked[order],
        n_pos=sizes[0][order],
        n_neg=sizes[1][order],
        level=level,
        adjustment=adjustment,
    )


# --- columns ----------------------------------------------------------------------------------


def _divided(frame: Any, label: Any, score: Sequence[str] | None) -> tuple[ArrayLike, Any]:
    """Return the labels, and the features: a matrix, or columns by name."""
    if getattr(label, "ndim", 1) == 2 and getattr(frame, "ndim", 1) == 1:
        msg = "rank_features takes the features first, then the label: say rank_features(df, y)."
        raise TypeError(msg)
    if not isinstance(label, str) and score is None and isinstance(frame, np.ndarray):
        return label, frame
    columns = named_columns(frame, None)
    if isinstance(label, str):
        check_known("column", label, columns)
    elif isinstance(frame, np.ndarray):
        columns = {name.replace("score_", "feature_"): each for name, each in columns.items()}
    for name in score or ():
        check_known("column", name, columns)
    values = columns.pop(label) if isinstance(label, str) else label
    return values, {name: columns[name] for name in (columns if score is None else score)}


def _block(columns: Any, missing: MissingPolicy) -> tuple[list[str], Array]:
    """Return the names of the features and their values, a column for each, NaN where missing."""
    if isinstance(columns, np.ndarray) and not isinstance(columns, np.ma.MaskedArray):
        if columns.ndim != 2 or not columns.shape[1]:
            msg = f"frame has shape {columns.shape}. Pass (n, m): one column for each feature."
            raise ValueError(msg)
        names = [f"feature_{j + 1}" for j in range(columns.shape[1])]
        if columns.dtype.kind in "iuf" and columns.dtype.itemsize <= 8:
            block = columns.astype(np.float32) if columns.dtype.itemsize == 2 else columns
            block = block if block.dtype.isnative else block.astype(block.dtype.newbyteorder("="))
            return names, _complete(names, block, missing)
        columns = dict(zip(names, columns.T, strict=True))
    found = [_feature(name, values) for name, values in columns.items()]
    if not found:
        msg = "There are no features. Name columns of numbers beside the label."
        raise ValueError(msg)
    check_lengths({name: each.size for name, each in zip(columns, found, strict=True)})
    check_promotion(*found)
    names = list(columns)
    return names, _complete(names, np.array(found).T, missing)


def _feature(name: str, values: ArrayLike) -> Array:
    """Return a feature as numbers that the compiled loops sort, NaN where it is missing."""
    array, absent = as_vector(values, name)
    feature = check_scores(array, name)
    if feature.dtype.itemsize > 8:  # their ranks have the same area
        ranks = np.unique(feature, return_inverse=True)[1].astype(np.float64)
        feature = np.where(np.isnan(feature), np.nan, ranks)
    elif feature.dtype.kind == "f" and feature.dtype.itemsize == 2:
        feature = feature.astype(np.float32)
    if absent is None:
        return feature
    feature = feature.astype(np.float64)
    feature[absent] = np.nan
    return feature


def _complete(names: Sequence[str], block: Array, missing: MissingPolicy) -> Array:
    """Raise for the first missing value, unless each feature omits its own."""
    if missing == "omit" or block.dtype.kind != "f":
        return block
    absent = np.isnan(block)
    if absent.any():
        j = int(np.argmax(absent.any(axis=0)))
        msg = (
            f"{names[j]} has {int(absent[:, j].sum()):,} missing values, the first in row "
            f'{int(np.argmax(absent[:, j]))}. Fill them, or pass missing="omit".'
        )
        raise ValueError(msg)
    return block


# --- numbers ----------------------------------------------------------------------------------


def _swept(block: Array, members: tuple[Ints, Ints], threads: int) -> tuple[Ints, Ints, Vector]:
    """Return both class sizes, twice the wins, and the sums of `screen_rows` of each feature."""
    from rocspace._kernels import sorting

    m = block.shape[1]
    sizes, twice = np.empty((2, m), dtype=np.int64), np.empty(m, dtype=np.int64)
    sums = np.empty((m, _SUMS))

    def work(columns: slice) -> None:
        pos, neg = sorted_by_class(block, members, columns)
        for size, part in zip(sizes, (pos, neg), strict=True):
            absent = np.isnan(part).sum(axis=1) if part.dtype.kind == "f" else 0
            size[columns] = part.shape[1] - absent
        n_pos, n_neg = sizes[:, columns]
        sorting.screen_rows(neg, pos, n_neg, n_pos, twice[columns], sums[columns])

    in_threads(threads, work, column_blocks(block))
    return sizes, twice, sums


def _freedom(n: Vector) -> Vector:
    return np.where(n > 1, n - 1, np.nan)


def _pvalues(auc: Vector, n_pos: Vector, n_neg: Vector, untied: Vector) -> Vector:
    """Return two-sided p values of the Mann-Whitney test, corrected for ties."""
    from scipy.special import ndtr

    n = n_pos + n_neg
    variance = (n + 1) / (12 * n_pos * n_neg) * (untied / ((n - 1) * n * (n + 1)))
    z = np.where(variance > 0, (auc - 0.5) / np.sqrt(variance), 0.0)
    return np.where(np.isnan(auc), np.nan, 2 * ndtr(-np.abs(z)))


def _perhaps_dominated(n: Vector, untied: Vector) -> Ints:
    """Return the features of which one value may be that of more than half of the cases."""
    return np.flatnonzero((untied > 0) & (n**3 - untied > (n / 2) ** 3))


def _limits(
    auc: Vector, sizes: tuple[Vector, Vector], sums: Vector, level: float
) -> tuple[Vector, Vector]:
    """Return the default interval of each area: most at once, the special ones by themselves."""
    n_pos, n_neg = sizes
    _, _, _, pos_lowest, neg_lowest, pos_highest, neg_highest = sums.T
    n, n_other = np.array(sizes), np.array([n_neg, n_pos])
    spread = sums[:, :2].T / n
    means = ManyMeans(
        n=n,
        spread=spread,
        low=np.array([neg_lowest, pos_highest]) / 2 / n_other,
        high=1 - np.array([neg_highest, pos_lowest]) / 2 / n_other,
        added=part_of_case(spread, n),
    )
    tied = (pos_lowest == n_pos) & (neg_lowest == n_neg)
    is_yes_no = (pos_lowest + pos_highest == n_pos) & (neg_lowest + neg_highest == n_neg)
    usual = (auc > _EDGE) & (auc < 1 - _EDGE) & ~tied & ~is_yes_no
    low, high = unseen_limits_of_many(auc, means, level)
    low, high = np.minimum(low, auc), np.maximum(high, auc)
    low[np.isnan(auc)] = high[np.isnan(auc)] = np.nan
    known: dict[tuple[float, ...], tuple[float, float]] = {}
    each_class = np.array(means).transpose(1, 2, 0)
    for i in np.flatnonzero(~usual & ~np.isnan(auc)).tolist():
        key = tuple(float(each[i]) for each in (auc, n_pos, n_neg, pos_lowest, neg_lowest, tied))
        if key not in known:
            classes = [ClassMean(*own) for own in each_class[:, i].tolist()]
            alone = AreaEstimate(
                value=key[0],
                se=0.0,
                method="delong",
                df=0.0,
                n_pairs=min(key[1:3]),
                tied=bool(tied[i]),
                classes=(classes[0], classes[1]),
            )
            ends = alone.interval(level)
            known[key] = ends.low, ends.high
        low[i], high[i] = known[key]
    return low, high
