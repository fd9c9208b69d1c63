"""The one structure: positives and negatives at each distinct score, highest score first.

Sort once, count at distinct scores, and read everything else from the counts. A table is
made from cases by `tabulate`, from two score vectors by `tabulate_classes`, or from
ready-made counts by `ScoreTable.from_counts`; `merge` adds tables up exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from os import PathLike
from typing import Any, ClassVar, NoReturn

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import P, R, explained
from rocspace._base.cards import ROWS, Card, first_rows
from rocspace._base.cases import (
    HEAVIEST,
    MissingPolicy,
    as_counts,
    check_cases,
    check_class,
    check_lengths,
    check_promotion,
    check_total,
    complete_scores,
)
from rocspace._base.checks import check_inside, check_rng
from rocspace._base.errors import Argument, ArgumentError, Caller
from rocspace._base.exact import exact_twice_wins, ratio
from rocspace._base.frozen import Result, a_kind_of, own
from rocspace._base.text import count, distinct
from rocspace._base.words import counted
from rocspace.counts import sorts
from rocspace.counts.draws import draw_counts
from rocspace.counts.rows import Rows, count_rows, upwards

NUMBERED = 10  # fewer distinct whole numbers may be ranks
_FRAME = 'tabulate_frame(df, label="y", score="s")'
_FILE = 'rocspace.io.tabulate_file(path, label="y").tables["s"]'
_PAIRS = 1 << 61  # twice as many fit an int64
SUMMED = 1 << 17  # so many rows keep their cumulative sums once they were needed


class SingleClassError(ArgumentError):
    """Positives or negatives are missing where a function needs both."""


class ScoreTable(Result, kw_only=False):
    """Positives and negatives at each distinct score, most positive score first.

    Attributes
    ----------
    score : ndarray, shape (k,)
        Distinct scores in the dtype they came in, strictly decreasing; strictly
        increasing when ``higher_is_positive`` is False, so that row 0 always is the
        most positive one.
    pos, neg : ndarray, shape (k,)
        ``pos[i]``: positives (negatives) with exactly that score. int64 counts, or
        float64 sums of weights. No row is empty in both.
    pos_w2, neg_w2 : ndarray of float64, shape (k,), or None
        Sums of squared weights, which variances need; None when counts are whole.
    higher_is_positive : bool
        Whether larger scores are more positive.

    See Also
    --------
    tabulate, tabulate_classes, merge

    Notes
    -----
    The arrays are read-only. Rates are never stored: divide once, at the end.
    A case is called positive when ``score >= threshold`` (``<=`` when lower scores are
    more positive). Two tables are equal when all their columns are.

    Examples
    --------
    >>> table = tabulate([0, 0, 1, 1, 1], [0.1, 0.4, 0.4, 0.8, 0.9])
    >>> table
    ScoreTable(4 distinct scores, 3 positives, 2 negatives)
    >>> table.score, table.pos, table.neg
    (array([0.9, 0.8, 0.4, 0.1]), array([1, 1, 1, 0]), array([0, 0, 1, 1]))
    """

    score: Array
    pos: Array
    neg: Array
    pos_w2: Vector | None = None
    neg_w2: Vector | None = None
    higher_is_positive: bool = True

    _filled: ClassVar[bool] = False  # whether every row is known to hold a case
    _meant: ClassVar[Mapping[str, str]] = {
        "plot": "rs.plot.plot_roc(rs.roc_curve(table))",
        "auc": "rs.auc(table)",
        "ci": "rs.delong(table).interval()",
        "fn": "rs.point_at(table, threshold), of which measures are computed",
        "tn": "rs.point_at(table, threshold), of which measures are computed",
        "n": "table.n_pos + table.n_neg",
        "n_cases": "table.n_pos + table.n_neg",
        "counts": "pos and .neg",
        "weights": "pos and .neg, the weights in sum",
        "head": "to_frame().head()",
        "merge": "rs.merge(table, other)",
        "union": "rs.merge(table, other)",
        "append": "rs.merge(table, other)",
        "roc": "rs.roc_curve(table)",
        "roc_curve": "rs.roc_curve(table)",
        "pr_curve": "rs.pr_curve(table)",
        "delong": "rs.delong(table)",
        "optimal_points": "rs.optimal_points(table)",
        "gini": "rs.gini(table)",
        "ks": "rs.ks(table)",
        "partial_auc": "rs.partial_auc(table, fpr=(0, 0.1))",
        "youden": "rs.youden(table)",
        "bootstrap": 'rs.bootstrap(table, "auc")',
        "summary": 'print(table), or rs.report.summarise({"score": table})',
        "describe": 'print(table), or rs.report.summarise({"score": table})',
        "filter": "rs.tabulate of the cases that are wanted: a table has no single cases",
        "y_true": "pos and neg, the counts at each score: a table has no single cases",
        "y_score": "score, each distinct score once",
        "interval": "rs.delong(table).interval()",
        "save": "Tabulator.save, or pickle",
        "threshold": "score",
        "thresholds": "score",
        "tpr": "rs.roc_curve(table).tpr",
        "fpr": "rs.roc_curve(table).fpr",
        "from_frame": _FRAME,
        "from_dataframe": _FRAME,
        "from_pandas": _FRAME,
        "from_polars": _FRAME,
        "from_spark": _FRAME,
        "from_file": _FILE,
        "from_csv": _FILE,
        "from_parquet": _FILE,
    }

    _made = "tabulate(y_true, y_score)"

    def __add__(self, other: object) -> NoReturn:
        msg = "Tables are not added with +. Use merge(a, b)."
        raise TypeError(msg)

    __radd__ = __add__

    def __post_init__(self) -> None:
        """Check the columns, and keep read-only copies."""
        higher = checks.check_direction(self.higher_is_positive)
        object.__setattr__(self, "higher_is_positive", higher)
        _check_columns(self)
        super().__post_init__()

    def _card(self) -> Card:
        score, pos, neg = (c[:ROWS].tolist() for c in (self.score, self.pos, self.neg))
        rows = list(zip(distinct(score), map(count, pos), map(count, neg), strict=True))
        return Card(
            rows={
                "Distinct scores": f"{len(self):,}",
                "Positives": count(self.n_pos),
                "Negatives": count(self.n_neg),
                "More positive": "higher scores" if self.higher_is_positive else "lower scores",
            },
            header=("score", "positives", "negatives"),
            table=first_rows(rows, len(self)),
        )

    @classmethod
    def from_counts(
        cls,
        score: ArrayLike,
        pos: ArrayLike,
        neg: ArrayLike,
        *,
        higher_is_positive: bool = True,
    ) -> ScoreTable:
        """Make a table of ready-made counts, such as ordinal ratings.

        Parameters
        ----------
        score : array-like, shape (k,)
            Score or rating of each row, in any order; equal scores are added up.
        pos, neg : array-like of whole numbers, shape (k,)
            Positives and negatives with that score.
        higher_is_positive : bool, default True
            Whether larger scores are more positive.

        Returns
        -------
        ScoreTable
            Sorted rows; rows without any case are left out.

        Raises
        ------
        ValueError
            If lengths differ, a score is NaN, or a count is negative, not whole, or
            2**62 or more in sum.

        Examples
        --------
        Five ratings of Hanley and McNeil (1982), normal to abnormal:

        >>> ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
        ScoreTable(5 distinct scores, 51 positives, 58 negatives)
        """
        scores = complete_scores(score, "score")
        counts = [as_counts(pos, "pos"), as_counts(neg, "neg")]
        check_lengths({"score": scores.size, "pos": counts[0].size, "neg": counts[1].size})
        return _gathered([Rows(scores, counts[0], counts[1])], higher_is_positive)

    def __len__(self) -> int:
        """Return the number of distinct scores."""
        return int(self.score.size)

    def _about(self) -> str:
        weighted = " by weight" if self.is_weighted else ""
        lower = "" if self.higher_is_positive else ", lower is positive"
        return (
            f"{counted(len(self), 'distinct score')}, "
            f"{counted(self.n_pos, 'positive')}, {counted(self.n_neg, 'negative')}"
            f"{weighted}{lower}"
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def is_weighted(self) -> bool:
        """Whether rows hold sums of weights instead of counts."""
        return self.pos_w2 is not None

    @cached_property
    def n_pos(self) -> int | float:
        """Number (or total weight) of positives."""
        return _total(self.pos)

    @cached_property
    def n_neg(self) -> int | float:
        """Number (or total weight) of negatives."""
        return _total(self.neg)

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]; nan without any case."""
        return float(ratio(self.n_pos, self.n_pos + self.n_neg))

    @cached_property
    def tp(self) -> Array:
        """``tp[i]``: positives called positive at the threshold ``score[i]``."""
        return self.tp_from_zero[1:]

    @cached_property
    def fp(self) -> Array:
        """``fp[i]``: negatives called positive at the threshold ``score[i]``."""
        return self.fp_from_zero[1:]

    @cached_property
    def tp_from_zero(self) -> Array:
        """``tp``, with a zero before it for a threshold that calls no case positive."""
        if not fits_loops(self):
            return own(_summed_from_zero(self.pos))
        tp, self.__dict__["fp_from_zero"] = _both_from_zero(self)
        return tp

    @cached_property
    def fp_from_zero(self) -> Array:
        """``fp``, with a zero before it for a threshold that calls no case positive."""
        if fits_loops(self):
            self.__dict__["tp_from_zero"], fp = _both_from_zero(self)
            return fp
        if is_distinct(self):  # a cumulative sum takes several times as long
            return own(np.arange(len(self) + 1) - self.tp_from_zero)
        return own(_summed_from_zero(self.neg))

    @cached_property
    def score_from_infinity(self) -> Array:
        """``score``, with an infinity before it: a threshold that calls no case positive.

        Of the dtype of the score; whole numbers become float64 where that is exact.
        """
        score = self.score
        if score.dtype.kind in "iu":
            outer = max(abs(int(score[0])), abs(int(score[-1])))
            score = score.astype(np.float64 if outer <= 2**53 else object)
        infinity = np.inf if self.higher_is_positive else -np.inf
        threshold = np.empty(score.size + 1, dtype=score.dtype)
        threshold[0], threshold[1:] = infinity, score
        return own(threshold)

    @cached_property
    def n_eff(self) -> tuple[float, float]:
        """Effective numbers of positives and negatives: (sum w)^2 / sum w^2, or the counts."""
        if self.pos_w2 is None or self.neg_w2 is None:
            return float(self.n_pos), float(self.n_neg)
        pairs = ((self.n_pos, self.pos_w2.sum()), (self.n_neg, self.neg_w2.sum()))
        pos, neg = (float(w * w / w2) if w2 > 0 else 0.0 for w, w2 in pairs)
        return pos, neg


def _total(column: Array) -> int | float:
    if column.dtype.kind == "f":
        # The last cumulative sum, so that the curve ends at exactly 1.
        return float(np.cumsum(column)[-1]) if column.size else 0.0
    return int(column.sum())


def _summed_from_zero(count: Array) -> Array:
    called = np.empty(count.size + 1, dtype=count.dtype if count.dtype.kind == "f" else np.int64)
    called[0] = 0
    np.cumsum(count, out=called[1:])
    return called


def _both_from_zero(table: ScoreTable) -> tuple[Array, Array]:
    """Return ``tp_from_zero`` and ``fp_from_zero`` by one compiled pass over the counts."""
    tp, fp = _sums_as(np.int64, table)
    return own(tp), own(fp)


def rates_from_zero(table: ScoreTable) -> tuple[Vector, Vector]:
    """Return the rates of ``tp_from_zero`` and ``fp_from_zero``, whose sums are not stored.

    Of a table that `sums_to_floats`; to the bit what dividing whole numbers gives.
    """
    if fits_loops(table):
        tpr, fpr = _sums_as(np.float64, table)
    else:
        tpr = _floats_from_zero(table.pos)
        if is_distinct(table):  # a cumulative sum takes several times as long
            fpr = np.arange(len(table) + 1, dtype=np.float64)
            fpr -= tpr
        else:
            fpr = _floats_from_zero(table.neg)
    tpr /= table.n_pos
    fpr /= table.n_neg
    return own(tpr), own(fpr)


def sums_to_floats(table: ScoreTable) -> bool:
    """Return whether a table has whole counts whose sums are whole as float64, too."""
    whole = table.pos.dtype.kind == table.neg.dtype.kind == "i"
    return whole and table.n_pos + table.n_neg < 2**53


def _floats_from_zero(count: Array) -> Vector:
    called = np.empty(count.size + 1, dtype=np.float64)
    called[0] = 0
    np.cumsum(count, dtype=np.float64, out=called[1:])
    return called


def _sums_as(dtype: Any, table: ScoreTable) -> tuple[Array, Array]:
    from rocspace._kernels.spread import summed_from_zero

    tp, fp = (np.empty(len(table) + 1, dtype=dtype) for _ in range(2))
    summed_from_zero(table.pos, table.neg, tp, fp)
    return tp, fp


def from_zero(called: Array) -> Array:
    """Put a zero before counts of cases called positive, for a threshold that calls none."""
    counts = np.zeros(called.size + 1, dtype=called.dtype)
    counts[1:] = called
    return counts


@explained
def need(name: str, table: Any, *, pos: int = 1, neg: int = 1) -> None:
    """Raise an error if a table has fewer positives or negatives than needed.

    Parameters
    ----------
    name : str
        The function that asks, for the message.
    table : ScoreTable
        The table that is asked.
    pos, neg : int, default 1
        How many it needs.

    Raises
    ------
    SingleClassError
        If there are fewer; the message counts both classes.
    TypeError
        If it is not a table.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> need("auc", tabulate([0, 1], [1, 2]))  # says nothing: both classes are there
    """
    if not isinstance(table, ScoreTable):
        msg = f"{name} takes a ScoreTable, not {a_kind_of(table)}. {_cure(name, table)}."
        raise TypeError(msg)
    unit = _TINY if table.is_weighted else 1  # weights have any scale: only presence counts
    if not (table.n_pos >= pos * unit and table.n_neg >= neg * unit):
        refuse(name, table.n_pos, table.n_neg, pos=pos, neg=neg)


def of_table(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of a table with both classes check its arguments; see `explained`."""
    return explained(function, need)


def of_positives(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of a table that may lack negatives check its arguments."""
    return explained(function, partial(need, neg=0))


def of_any_table(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function of a table that may lack a class check its arguments."""
    return explained(function, partial(need, pos=0, neg=0))


def _cure(name: str, given: object) -> str:
    """Return the line that asks each table, or the curve that was given, or that makes a table."""
    if isinstance(given, Mapping):
        tables = [key for key, each in given.items() if isinstance(each, ScoreTable)]
        if tables:
            return f"Ask each: {{name: {name}(table) for name, table in tables.items()}}{_OF_FOLDS}"
        if "fit_time" in given:
            return (
                "Of the result of cross_validate, with return_estimator=True and "
                "return_indices=True, say rs.cv_auc_estimate(rs.averaging.cv_tables(results, X, y))"
            )
    if isinstance(given, list | tuple) and any(isinstance(each, ScoreTable) for each in given):
        return f"Ask each: [{name}(table) for table in tables]{_OF_FOLDS}"
    if hasattr(given, "tpr_at") and hasattr(given, name):
        return f"Of a curve say curve.{name}, or make a table with {_maker(given)}"
    return f"Make one with {_maker(given)}"


def _maker(given: object) -> str:
    """Return the line that makes a table of what was given."""
    if isinstance(given, str | PathLike):
        return _FILE
    if callable(getattr(given, "table", None)) and hasattr(given, "update"):
        return "tabulator.table()"
    return _FRAME if hasattr(given, "columns") else "tabulate(y_true, y_score)"


_OF_FOLDS = "; or, of folds, say rs.cv_auc_estimate(tables)"
_TINY = float(np.finfo(np.float64).tiny)


@explained
def refuse(name: str, n_pos: float, n_neg: float, *, pos: int = 1, neg: int = 1) -> NoReturn:
    """Raise the error that a class is too small, with both counts.

    Parameters
    ----------
    name : str
        The function that asks, for the message.
    n_pos, n_neg : float
        Numbers of both classes.
    pos, neg : int, default 1
        Numbers that are needed.

    Raises
    ------
    SingleClassError
        Always.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> refuse("auc", 3, 0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    rocspace.counts.table.SingleClassError: auc needs at least 1 positive and 1 negative; here...
    """
    raise SingleClassError(
        Caller(f"{name}"),  # whatever it is: it must not spoil the sentence
        f" needs at least {counted(pos, 'positive')} and {counted(neg, 'negative')}; "
        f"here are {counted(n_pos, 'positive')} and {counted(n_neg, 'negative')}. "
        "If the labels should not all be alike, look at ",
        Argument("y_true"),
        " and ",
        Argument("pos_label"),
        ".",
    )


# --- making tables --------------------------------------------------------------------------


@explained
def tabulate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
    threads: int | None = None,
) -> ScoreTable:
    """Count positives and negatives at each distinct score.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels: booleans, 0/1, -1/1, or any values together with `pos_label`.
    y_score : array-like of numbers, shape (n,)
        Scores; infinities rank like any number.
    pos_label : object, optional
        The label of the positive class. With more than two labels all others are negative, and a
        warning says so.
    sample_weight : array-like of numbers, shape (n,), optional
        Weight of each case, zero or more; a case of weight zero is left out. Whole weights give
        the rates, curves, areas and likelihood fits of repeated cases, but not their standard
        errors, nor the fits whose bandwidths or rates depend on how many cases there are:
        "kernel", "likelihood-ratio", "local", "gls", "pseudo-likelihood" and "roc-glm".
    higher_is_positive : bool, default True
        False if smaller scores are more positive; thresholds keep the original scale.
    missing : {"raise", "omit"}, default "raise"
        What to do with cases whose label, score or weight is missing: raise an error
        that names the first, or omit them with a warning that counts them.
    threads : int, optional
        Threads for sorting; by default one for every 4,194,304 cases, at most as many as the
        process may use. The result does not depend on it.

    Returns
    -------
    ScoreTable
        One row for each distinct score; either class may be empty.

    Raises
    ------
    ValueError
        If lengths differ, there are no cases, labels are ambiguous, something is
        missing, or a weight is negative or infinite.
    TypeError
        If the scores are not numbers.

    Notes
    -----
    O(n log n): the scores are split by class and range, the parts sorted in threads
    and merged in one sweep; integer scores of a small range are counted in O(n).
    Scores are compared exactly, without a tolerance. Peak memory beyond the input is
    about four times the size of float64 scores.

    References
    ----------
    Fawcett (2006), Algorithm 1, for the sweep over sorted scores, and section 5 for ties; the
    parallel count is our own.

    Examples
    --------
    >>> tabulate(["ill", "well", "ill"], [3.5, 1.0, 2.0], pos_label="ill")
    ScoreTable(3 distinct scores, 2 positives, 1 negative)
    """
    cases = check_cases(
        y_true,
        {"y_score": y_score},
        pos_label=pos_label,
        sample_weight=sample_weight,
        missing=missing,
    )
    checks.check_direction(higher_is_positive)  # before the work
    rows = count_rows(cases.label, cases.scores[0], cases.weight, threads)
    table = table_of(rows, higher_is_positive)
    return table if table.is_weighted else counted_from(table, cases.label)


def counted_from(table: ScoreTable, label: Mask) -> ScoreTable:
    """Tell a new table of counts the labels of its cases, which say more and faster than rows.

    They give the sizes of the classes, and no row of such a table is empty.
    """
    n_pos = int(np.count_nonzero(label))
    table.__dict__.update(n_pos=n_pos, n_neg=label.size - n_pos, _filled=True)
    return table


@explained
def tabulate_classes(
    pos_scores: ArrayLike,
    neg_scores: ArrayLike,
    *,
    higher_is_positive: bool = True,
    missing: MissingPolicy = "raise",
) -> ScoreTable:
    """Count two score vectors, one for each class.

    Parameters
    ----------
    pos_scores, neg_scores : array-like of numbers, shapes (n_pos,) and (n_neg,)
        Scores of the positives and of the negatives; one of them may be empty.
    higher_is_positive : bool, default True
        False if smaller scores are more positive.
    missing : {"raise", "omit"}, default "raise"
        What to do with missing scores.

    Returns
    -------
    ScoreTable
        The same as `tabulate` gives on the joined vectors.

    Raises
    ------
    ValueError, TypeError
        As `tabulate`.

    References
    ----------
    Fawcett (2006), Algorithm 1, for the sweep over sorted scores, and section 5 for ties.

    Examples
    --------
    >>> tabulate_classes([0.9, 0.8, 0.4], [0.4, 0.1])
    ScoreTable(4 distinct scores, 3 positives, 2 negatives)
    """
    pos, neg = (
        check_class(scores, name, missing)
        for scores, name in ((pos_scores, "pos_scores"), (neg_scores, "neg_scores"))
    )
    label = np.zeros(pos.size + neg.size, dtype=bool)
    label[: pos.size] = True
    parts = [part for part in (pos, neg) if part.size] or [pos]  # nothing has no dtype
    check_promotion(*parts)
    score = np.concatenate(parts)
    return tabulate(label, score, higher_is_positive=higher_is_positive)


@explained
def table_of(rows: Rows, higher_is_positive: bool) -> ScoreTable:
    """Freeze rows, highest score first, into a table of the given direction.

    Parameters
    ----------
    rows : Rows
        Counts at distinct scores, highest score first.
    higher_is_positive : bool
        Whether larger scores are more positive.

    Returns
    -------
    ScoreTable
        The same rows, the most positive first.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace.counts.rows import Rows
    >>> rows = Rows(np.array([0.8, 0.3]), pos=np.array([2, 1]), neg=np.array([0, 3]))
    >>> table_of(rows, True)
    ScoreTable(2 distinct scores, 3 positives, 3 negatives)
    """
    rows = rows if higher_is_positive else upwards(rows)
    columns = (rows.score, rows.pos, rows.neg, rows.pos_w2, rows.neg_w2)
    table = trusted(*columns, higher_is_positive=higher_is_positive)
    if rows.threshold is not None:
        table.__dict__["score_from_infinity"] = own(rows.threshold)
    return table


def trusted(
    score: Array,
    pos: Array,
    neg: Array,
    pos_w2: Array | None = None,
    neg_w2: Array | None = None,
    *,
    higher_is_positive: bool = True,
) -> ScoreTable:
    """Make a table of checked, new columns, which are locked without a check or a copy."""
    columns = {"score": score, "pos": pos, "neg": neg, "pos_w2": pos_w2, "neg_w2": neg_w2}
    locked = {name: None if c is None else own(c) for name, c in columns.items()}
    return ScoreTable._assembled(
        **locked, higher_is_positive=checks.check_direction(higher_is_positive)
    )


def _check_columns(table: ScoreTable) -> None:
    """Raise an error if scores do not fall from row to row, or a count is negative."""
    names = ("score", "pos", "neg", "pos_w2", "neg_w2")
    columns = {name: getattr(table, name) for name in names}
    columns = {name: np.asarray(column) for name, column in columns.items() if column is not None}
    check_lengths({name: column.shape for name, column in columns.items()})
    score = columns["score"]
    if score.ndim != 1:
        msg = f"A ScoreTable has columns of one dimension, but here the shape is {score.shape}."
        raise ValueError(msg)
    for name, column in columns.items():
        object.__setattr__(table, name, column)
        if name != "score" and not (column.dtype.kind in "iuf" and (column >= 0).all()):
            wrong = column[~(column >= 0)] if column.dtype.kind in "iuf" else column
            msg = f"{name} holds {wrong[0]!r}, but counts and weights are 0 or more."
            raise ValueError(msg)
    more = score[:-1] > score[1:] if table.higher_is_positive else score[:-1] < score[1:]
    if not more.all() or (score != score).any():
        i = int(np.argmin(more)) if score.size > 1 else 0
        way = "fall" if table.higher_is_positive else "rise"
        msg = (
            f"The scores of a ScoreTable {way} from row to row, but score[{i}] is {score[i]} "
            f"and the next {score[i + 1 : i + 2]}. ScoreTable.from_counts(...) takes any order."
        )
        raise ValueError(msg)


# --- combining and changing tables ------------------------------------------------------------


@explained
def merge(*tables: ScoreTable) -> ScoreTable:
    """Add tables up: exactly the table of all their cases.

    Parameters
    ----------
    *tables : ScoreTable
        One or more tables of the same score, with the same direction. Mixed dtypes are
        promoted as NumPy does; counts next to weights become weights.

    Returns
    -------
    ScoreTable
        Counts added at equal scores. For counts the result does not depend on order.

    Raises
    ------
    ValueError
        If there is no table, directions differ, 64-bit integer scores would lose
        digits next to floats, or a class has 2**62 cases or more.

    Notes
    -----
    O(k log k) in the rows of all tables together. This is the pooled curve of folds, of
    the chunks of a file, or of sites that share counts instead of cases.

    References
    ----------
    Fawcett (2006), section 8, on merging test sets.

    Examples
    --------
    >>> merge(tabulate([1, 0], [0.9, 0.2]), tabulate([1, 0], [0.4, 0.2])).neg
    array([0, 0, 2])
    """
    if not tables:
        msg = "merge needs at least one table."
        raise ValueError(msg)
    if wrong := [each for each in tables if not isinstance(each, ScoreTable)]:
        listed = ": say merge(*tables)" if isinstance(wrong[0], list | tuple) else ""
        listed = ": say a.merge(b)" if hasattr(wrong[0], "update") else listed
        msg = f"merge takes tables, not {a_kind_of(wrong[0])}{listed}."
        raise TypeError(msg)
    directions = {table.higher_is_positive for table in tables}
    if len(directions) > 1:
        msg = (
            "Some tables count higher scores as more positive, some lower ones. "
            "Tabulate all with the same higher_is_positive."
        )
        raise ValueError(msg)
    check_promotion(*(table.score for table in tables))
    weighted = any(table.is_weighted for table in tables)
    if not weighted:
        check_total("pos", sum(int(table.n_pos) for table in tables))
        check_total("neg", sum(int(table.n_neg) for table in tables))
    rows = [_as_weights(table) if weighted else table for table in tables]
    return _gathered([_rows_of(table) for table in rows], directions.pop())


def _rows_of(table: ScoreTable) -> Rows:
    """Return the columns of a table, in its order."""
    return Rows(table.score, table.pos, table.neg, table.pos_w2, table.neg_w2)


def _as_weights(table: ScoreTable) -> ScoreTable:
    if table.is_weighted:
        return table
    pos, neg = table.pos.astype(np.float64), table.neg.astype(np.float64)
    return replace(table, pos=pos, neg=neg, pos_w2=pos, neg_w2=neg)


def _gathered(parts: list[Rows], higher_is_positive: bool) -> ScoreTable:
    """Join rows, sort them, and add up those of equal score."""
    score = np.concatenate([part.score for part in parts])
    order = np.argsort(score, kind="stable")[::-1]  # runs that are sorted merge in linear time
    ranked = score[order]
    first = np.flatnonzero(np.append(np.True_, ranked[1:] != ranked[:-1])[: ranked.size])

    def summed(name: str) -> Array | None:
        columns = [getattr(part, name) for part in parts]
        if columns[0] is None:
            return None
        joined = np.concatenate(columns)[order]
        return np.add.reduceat(joined, first) if first.size else joined

    sums = {name: summed(name) for name in ("pos", "neg", "pos_w2", "neg_w2")}
    kept = (sums["pos"] > 0) | (sums["neg"] > 0)  # type: ignore[operator]
    columns = {name: None if column is None else column[kept] for name, column in sums.items()}
    rows = Rows(ranked[first][kept] + score.dtype.type(0), **columns)  # type: ignore[arg-type]
    return table_of(rows, higher_is_positive)


@of_table
def reweight(table: ScoreTable, *, prevalence: float) -> ScoreTable:
    """Weight the negatives to obtain a given prevalence.

    Parameters
    ----------
    table : ScoreTable
        Counts or weights by distinct score, both classes present.
    prevalence : float
        The wanted share of positives, strictly between 0 and 1.

    Returns
    -------
    ScoreTable
        A weighted table: positives as they were, all negatives times one factor. The
        ROC curve does not change; precision, accuracy and gains do.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `prevalence` is not strictly between 0 and 1, or so small that weights
        would not fit float64.

    References
    ----------
    Fawcett (2006), section 4.2.

    Examples
    --------
    >>> reweight(tabulate([1, 0], [0.9, 0.2]), prevalence=0.2).neg
    array([0., 4.])
    """
    share = check_inside("prevalence", prevalence)
    factor = (1 - share) / share * float(table.n_pos / table.n_neg)
    base = _as_weights(table)
    assert base.neg_w2 is not None
    heaviest = float(base.neg.max()) * factor
    if not heaviest <= HEAVIEST:  # the squares of weights need to fit float64
        why = f" is {prevalence}, for which negatives would weigh {heaviest:g}. Name a larger one."
        raise ArgumentError(Argument("prevalence"), why)
    return replace(base, neg=base.neg * factor, neg_w2=base.neg_w2 * factor**2)


@explained
def negate(table: ScoreTable) -> ScoreTable:
    """Reverse every decision: read the same scores in the other direction.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.

    Returns
    -------
    ScoreTable
        Its curve is the reflection (f, t) -> (1 - f, 1 - t), with one minus the area. Negating
        twice gives the original table.

    References
    ----------
    Fawcett (2006), section 3.1.

    Examples
    --------
    >>> negate(tabulate([1, 0], [0.2, 0.9])).higher_is_positive
    False
    """
    rows, higher = _rows_of(table), table.higher_is_positive
    return table_of(rows if higher else upwards(rows), not higher)


def rescored(
    table: ScoreTable, score: Array, *, higher_is_positive: bool | None = None
) -> ScoreTable:
    """Give each row another score, in any order; rows whose scores become equal are one."""
    higher = table.higher_is_positive if higher_is_positive is None else higher_is_positive
    return _gathered([replace(_rows_of(table), score=score)], higher)


def looks_like_id(table: ScoreTable) -> bool:
    """Tell whether the scores are distinct, whole, and without a gap, as row numbers are."""
    k = len(table)
    if k < NUMBERED or table.n_pos + table.n_neg != k:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        span = abs(np.float64(table.score[0]) - np.float64(table.score[-1]))
    return bool(span == k - 1 and (table.score == np.floor(table.score)).all())


def twice_wins_and_pairs(table: ScoreTable) -> tuple[Any, Any]:
    """Return 2 #(pos > neg) + #(tied) and 2 n_pos n_neg; exact integers for counts."""
    if table.is_weighted:
        beaten = np.cumsum(table.neg[::-1])[::-1]  # weight of negatives at or below row i
        wins = float(table.pos @ (2 * beaten - table.neg))
        return wins, 2 * table.n_pos * table.n_neg
    twice_pairs = 2 * int(table.n_pos) * int(table.n_neg)
    if fits_loops(table):
        from rocspace._kernels.spread import twice_wins_of_counts

        return twice_wins_of_counts(table.pos, table.neg, int(table.n_neg)), twice_pairs
    if is_distinct(table):
        # A positive of row i beats all negatives but i, less the positives above it.
        places = int(np.add.reduce(np.flatnonzero(table.pos != 0)))  # faster than of numbers
        return twice_pairs + table.n_pos * (table.n_pos - 1) - 2 * places, twice_pairs
    if len(table) <= SUMMED and twice_pairs < 2**62 and table.pos.dtype == np.int64:
        return int(table.pos @ twice_beaten(table, slice(None))), twice_pairs
    return exact_twice_wins(table.pos, table.neg), twice_pairs


def is_distinct(table: ScoreTable) -> bool:
    """Return whether each row holds one case, so that no scores are tied."""
    counted = table.pos.dtype.kind in "iu"  # what a bootstrap makes of counts may be fractions
    if table.is_weighted or not counted or table.n_pos + table.n_neg != len(table):
        return False
    return table._filled or bool((table.pos + table.neg).all())


def fits_loops(table: ScoreTable) -> bool:
    """Return whether compiled loops sum over the rows of a table: they are loaded, and exact."""
    whole = table.pos.dtype == np.int64 and table.neg.dtype == np.int64
    return whole and table.n_pos * table.n_neg < _PAIRS and sorts.loaded()


def twice_beaten(table: ScoreTable, block: slice) -> Ints:
    """Return twice the negatives that a positive of each row beats, where a tie counts one half."""
    called = table.fp_from_zero
    above = called[1:][block] + called[:-1][block]
    return np.asarray(np.subtract(2 * int(table.n_neg), above, out=above))


@explained
def resample(
    table: ScoreTable,
    *,
    rng: np.random.Generator | int | None = None,
    stratified: bool = True,
) -> ScoreTable:
    """Draw one bootstrap sample by counts; nothing is sorted again.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same sample.
    stratified : bool, default True
        Whether each class keeps its size; otherwise a sample may lack a class.

    Returns
    -------
    ScoreTable
        As many cases as before, drawn with replacement; scores not drawn have no row.

    Raises
    ------
    ValueError
        If the table is weighted: its cases are no longer known. See `resample_cases`.

    Notes
    -----
    O(n), or O(k) where rows hold many cases.

    References
    ----------
    Efron and Tibshirani (1993), Algorithm 6.1.

    Examples
    --------
    >>> resample(tabulate([1, 1, 0, 0], [4, 3, 2, 1]), rng=1)
    ScoreTable(3 distinct scores, 2 positives, 2 negatives)
    """
    if table.is_weighted:
        msg = (
            "A weighted table no longer knows its cases. Resample those: "
            "resample_cases(pair_scores(...))."
        )
        raise ValueError(msg)
    generator = check_rng(rng)
    if stratified:
        pos, neg = (draw_counts(generator, count, 1)[0] for count in (table.pos, table.neg))
    else:
        both = draw_counts(generator, np.concatenate([table.pos, table.neg]), 1)[0]
        pos, neg = both[: len(table)], both[len(table) :]
    return recounted(table, pos, neg)


def recounted(table: ScoreTable, pos: Array, neg: Array) -> ScoreTable:
    """Return a table of other counts of the same scores; a score of no case has no row."""
    kept = (pos > 0) | (neg > 0)
    return replace(table, score=table.score[kept], pos=pos[kept], neg=neg[kept])
