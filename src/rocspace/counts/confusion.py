"""Confusion matrices: from predictions, from a table at thresholds, for any number of classes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any, ClassVar, Protocol

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import NUMBERS, Array, ArrayLike, Ints
from rocspace._base.calls import explained
from rocspace._base.cards import Card, crossed, first_rows
from rocspace._base.cases import check_cases, check_labels, check_lengths, check_weights, complete
from rocspace._base.checks import as_float
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result, own
from rocspace._base.text import count, share
from rocspace._base.words import listed_values, shown
from rocspace.counts.table import ScoreTable, of_any_table, refuse

_ROUNDING = 1e-9  # counts computed from rates may miss 0 by as much


class Counts(Protocol):
    """Anything that has the four counts, as numbers or arrays.

    Attributes
    ----------
    tp, fp, fn, tn : number or ndarray
        Counts or weights; arrays of one shape for many thresholds, or lists, which become arrays.

    See Also
    --------
    ConfusionMatrix
    """

    @property
    def tp(self) -> Any:
        """Positives called positive."""

    @property
    def fp(self) -> Any:
        """Negatives called positive."""

    @property
    def fn(self) -> Any:
        """Positives called negative."""

    @property
    def tn(self) -> Any:
        """Negatives called negative."""


class ConfusionMatrix(Result, kw_only=False):
    """True and false positives, false and true negatives.

    Attributes
    ----------
    tp, fp, fn, tn : number or ndarray
        Counts or weights; arrays of one shape for many thresholds, or lists, which become arrays.

    See Also
    --------
    at_prevalence, confusion_matrix, evaluate

    Examples
    --------
    >>> from rocspace.measures import ppv
    >>> ppv(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9))
    0.8333333333333334
    """

    tp: Any
    fp: Any
    fn: Any
    tn: Any

    _made = (
        "confusion_matrix(y_true, y_pred), evaluate(table, threshold), or "
        "ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)"
    )
    _meant: ClassVar[Mapping[str, str]] = {
        "ravel": ".tp, .fp, .fn and .tn, by name",
        "flatten": ".tp, .fp, .fn and .tn, by name",
        "values": ".tp, .fp, .fn and .tn, by name",
    }

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            if isinstance(several := getattr(self, name), list | tuple):
                object.__setattr__(self, name, _as_array(name, several))
        super().__post_init__()
        for name in ("tp", "fp", "fn", "tn"):
            value = getattr(self, name)
            _check_count(name, value)
            if isinstance(value, np.integer | np.bool_):  # whose sums might not fit
                object.__setattr__(self, name, int(value))
        self._check_decimals()

        shapes = [np.shape(value) for value in (self.tp, self.fp, self.fn, self.tn)]
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            listed = ", ".join(map(str, shapes))
            msg = (
                f"tp, fp, fn and tn have the shapes {listed}. Give numbers, or arrays of one shape."
            )
            raise ValueError(msg) from None

    def _check_decimals(self) -> None:
        """Check that no decimal stands beside a number that it cannot be added to."""
        four = {name: getattr(self, name) for name in ("tp", "fp", "fn", "tn")}
        exact = [name for name, value in four.items() if isinstance(value, Decimal)]
        odd = [n for n, value in four.items() if not isinstance(value, int | Decimal)]
        if exact and odd:
            raise ArgumentError(
                Argument(odd[0]),
                f" is {shown(four[odd[0]])} and ",
                Argument(exact[0]),
                f" {four[exact[0]]!r}, which do not add up. Give all four as floats.",
            )

    def _columns(self) -> dict[str, Any]:
        cells = {name: np.atleast_1d(getattr(self, name)) for name in ("tp", "fp", "fn", "tn")}
        tpr, fpr = ratio(self.tp, self.tp + self.fn), ratio(self.fp, self.fp + self.tn)
        return {"tpr": np.atleast_1d(tpr), "fpr": np.atleast_1d(fpr), **cells}

    def _card(self) -> Card:
        columns = self._columns()
        shapes = {np.shape(getattr(self, name)) for name in ("tp", "fp", "fn", "tn")}
        return crossed(self, {}, {}) if shapes == {()} else _several(columns)

    def negated(self) -> ConfusionMatrix:
        """Return the matrix of the reversed decisions: (f, t) becomes (1 - f, 1 - t).

        Returns
        -------
        ConfusionMatrix
            Of the same cases.

        Examples
        --------
        >>> ConfusionMatrix(tp=5, fp=1, fn=5, tn=9).negated()
        ConfusionMatrix(tp=5, fp=9, fn=5, tn=1)
        """
        return ConfusionMatrix(tp=self.fn, fp=self.tn, fn=self.tp, tn=self.fp)


def _as_array(name: str, several: Any) -> Array:
    try:
        return np.asarray(several)
    except ValueError:  # of different lengths
        why = f" is {shown(several)}, but must be a number, or an array of numbers."
        raise ArgumentError(Argument(name), why) from None


def _check_count(name: str, value: Any) -> None:
    """Check that a count, or each of several, is a number that is finite and not negative."""
    if type(value) is int or isinstance(value, NUMBERS):
        least = most = as_float(name, value)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        least = value.min(initial=0)
        most = value.max(initial=0) if value.dtype.kind == "f" else 0
    else:
        why = f" is {shown(value)}, but must be a number, or an array of numbers."
        raise ArgumentError(Argument(name), why)
    if least < -_ROUNDING:
        why = f" is {shown(value)}, but counts are not negative."
        raise ArgumentError(Argument(name), why)
    if most == np.inf:
        raise ArgumentError(Argument(name), f" is {shown(value)}, but counts are finite.")


def _several(columns: Mapping[str, Any]) -> Card:
    """Return the card of several matrices: the rates and the cells of each."""
    rates, cells = ("tpr", "fpr"), ("tp", "fp", "fn", "tn")
    every = np.broadcast_arrays(*(columns[name] for name in (*rates, *cells)))
    rows = [
        (str(i), *map(share, row[:2]), *map(count, row[2:]))
        for i, row in enumerate(zip(*(each.ravel() for each in every), strict=True))
    ]
    return Card(
        rows={"Matrices": count(len(rows))},
        header=("", *rates, *cells),
        table=first_rows(rows, len(rows)) if rows else [],
    )


@explained
def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    ignore: ArrayLike | None = None,
) -> ConfusionMatrix:
    """Count the four outcomes of yes-or-no predictions.

    Parameters
    ----------
    y_true, y_pred : array-like, shape (n,)
        True and predicted labels, in the same form.
    pos_label : object, optional
        The label of the positive class, in both; needed unless labels are booleans, 0/1
        or -1/1.
    sample_weight : array-like of numbers, shape (n,), optional
        Weight of each case.
    ignore : array-like of bool, shape (n,), optional
        Cases that do not count, such as pixels that nobody labelled.

    Returns
    -------
    ConfusionMatrix
        Counts, or sums of weights.

    Raises
    ------
    ValueError
        If lengths differ, labels are ambiguous, or a value is missing.

    References
    ----------
    Fawcett (2006), figure 1.

    Examples
    --------
    >>> confusion_matrix([1, 1, 0, 0], [1, 0, 0, 1])
    ConfusionMatrix(tp=1, fp=1, fn=1, tn=1)
    """
    if isinstance(y_pred, int | float):
        msg = (
            f"y_pred is {y_pred!r}, but must be the predicted labels, one per case. At a threshold "
            f"of a score: evaluate(tabulate(y_true, y_score), {y_pred!r})."
        )
        raise TypeError(msg)
    predicted = check_labels(y_pred, pos_label, "y_pred").view(np.uint8)
    cases = check_cases(
        y_true, {"y_pred": predicted}, pos_label=pos_label, sample_weight=sample_weight
    )
    weight = cases.weight
    counted = _counted(ignore, cases.label.size)
    yes, no = (cases.scores[0] == 1) & counted, (cases.scores[0] != 1) & counted
    counts = (
        (int(np.count_nonzero(chosen)) if weight is None else float(weight[chosen].sum()))
        for chosen in (
            cases.label & yes,
            ~cases.label & yes,
            cases.label & no,
            ~cases.label & no,
        )
    )
    return ConfusionMatrix(*counts)


@explained
def at_prevalence(counts: Counts, prevalence: float) -> ConfusionMatrix:
    """Reweight the four outcomes to another share of positives, tpr and fpr as they are.

    Parameters
    ----------
    counts : OperatingPoint, RocCurve, ConfusionMatrix or alike
        Anything with ``tp, fp, fn, tn``; both classes present.
    prevalence : float
        Share of positives where the calls will be made, strictly between 0 and 1.

    Returns
    -------
    ConfusionMatrix
        As many cases in all, of which that share is positive: fractions of cases.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the prevalence is not strictly between 0 and 1.

    Notes
    -----
    Every measure can be asked of the result: ``ppv(at_prevalence(point, 0.01))`` is Bayes' formula.
    Its interval is `rocspace.inference.predictive_value_interval`.

    References
    ----------
    Fawcett (2006), section 4.2, on class skew, where the two rates stay as they are.

    Examples
    --------
    >>> from rocspace.measures import npv, ppv
    >>> found = ConfusionMatrix(tp=90, fp=20, fn=10, tn=80)
    >>> rare = at_prevalence(found, 0.01)
    >>> round(ppv(rare), 4), round(npv(rare), 4)
    (0.0435, 0.9987)
    """
    share = checks.check_inside("prevalence", prevalence)
    pos, neg = counts.tp + counts.fn, counts.fp + counts.tn
    if np.any(np.asarray(pos) <= 0) or np.any(np.asarray(neg) <= 0):
        refuse("at_prevalence", float(np.min(pos)), float(np.min(neg)))
    of_pos, of_neg = share * (pos + neg) / pos, (1 - share) * (pos + neg) / neg
    return ConfusionMatrix(
        tp=counts.tp * of_pos, fp=counts.fp * of_neg, fn=counts.fn * of_pos, tn=counts.tn * of_neg
    )


def _counted(ignore: ArrayLike | None, n: int) -> Any:
    """Return which cases count."""
    if ignore is None:
        return True
    mask = np.asarray(ignore)
    if mask.dtype != bool or mask.shape != (n,):
        msg = (
            f"ignore has dtype {mask.dtype} and shape {mask.shape}, but must hold True or False "
            f"for each of the {n} cases."
        )
        raise ValueError(msg)
    return ~mask


_CLASSES = 6  # of a larger table, the first


def _name(label: object) -> str:
    """Return the label of a row or a column, of at most 9 letters."""
    text = str(label)
    return text if len(text) <= 9 else f"{text[:6]}..."


class ConfusionTable(Result, kw_only=False):
    """Counts of true against predicted labels, for any number of classes.

    Attributes
    ----------
    labels : tuple
        The k labels, sorted.
    counts : ndarray, shape (k, k)
        ``counts[i, j]``: cases of the true class ``labels[i]`` that were called ``labels[j]``.

    See Also
    --------
    confusion_table
    """

    labels: tuple[Any, ...]
    counts: Array

    def _card(self) -> Card:
        shown = self.labels[:_CLASSES]
        more = len(self.labels) > len(shown)
        right = float(np.trace(self.counts) / self.counts.sum())
        table = [
            (_name(label), *map(count, self.counts[i, : len(shown)]), *["..."] * more)
            for i, label in enumerate(shown)
        ]
        if more:
            table.append((f"and {len(self.labels) - len(shown):,} more", *[""] * (len(shown) + 1)))
        return Card(
            rows={
                "Cases": count(self.counts.sum()),
                "Classes": count(len(self.labels)),
                "Accuracy": share(right),
            },
            header=("Cases of, called", *map(_name, shown), *["..."] * more),
            table=table,
        )

    def _columns(self) -> dict[str, Any]:
        """Return the true label of each row, and a column for each label that was called."""
        called = {f"called {label}": self.counts[:, j] for j, label in enumerate(self.labels)}
        return {"label": list(self.labels)} | called

    def against_rest(self, label: object) -> ConfusionMatrix:
        """Return the two-by-two matrix of one class against all others.

        Parameters
        ----------
        label : object
            One of `labels`; it is the positive class.

        Returns
        -------
        ConfusionMatrix
            Of the same cases.

        Raises
        ------
        ValueError
            If there is no such label.

        Examples
        --------
        >>> confusion_table(["a", "b", "c", "c"], ["a", "c", "c", "b"]).against_rest("c")
        ConfusionMatrix(tp=1, fp=1, fn=1, tn=1)
        """
        if not checks.is_among(label, self.labels):
            msg = f"There is no label {shown(label)}. There are: {listed_values(self.labels)}."
            raise ValueError(msg)
        i = self.labels.index(label)
        tp = self.counts[i, i]
        fn, fp = self.counts[i].sum() - tp, self.counts[:, i].sum() - tp
        return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=self.counts.sum() - tp - fp - fn)


@explained
def confusion_table(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> ConfusionTable:
    """Count true against predicted labels of any number of classes.

    Parameters
    ----------
    y_true, y_pred : array-like, shape (n,)
        True and predicted labels, in the same form.
    sample_weight : array-like of numbers, shape (n,), optional
        Weight of each case.

    Returns
    -------
    ConfusionTable
        Rows are true labels, columns predicted ones.

    Raises
    ------
    ValueError
        If lengths differ or a value is missing.
    TypeError
        If only one of them holds texts.

    References
    ----------
    Fawcett (2006), section 9.1, on more than two classes.

    Examples
    --------
    >>> confusion_table(["a", "b", "c", "c"], ["a", "c", "c", "b"]).counts
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 1, 1]])
    """
    true, pred = (
        complete(values, name) for values, name in ((y_true, "y_true"), (y_pred, "y_pred"))
    )
    check_lengths({"y_true": true.size, "y_pred": pred.size})
    if (true.dtype.kind == "U") != (pred.dtype.kind == "U"):
        text, other = ("y_true", "y_pred") if true.dtype.kind == "U" else ("y_pred", "y_true")
        msg = f"{text} holds texts and {other} does not. Write the labels alike in both."
        raise TypeError(msg)
    labels, codes = np.unique(np.concatenate([true, pred]), return_inverse=True)
    k, n = labels.size, true.size
    weight = None
    if sample_weight is not None:
        weight = check_weights(complete(sample_weight, "sample_weight"))
        check_lengths({"y_true": n, "sample_weight": weight.size})
    counts = np.bincount(codes[:n] * k + codes[n:], weights=weight, minlength=k * k)
    return ConfusionTable(labels=tuple(labels.tolist()), counts=counts.reshape(k, k))


@of_any_table
def evaluate(
    table: ScoreTable, thresholds: ArrayLike, *, inclusive: bool = True
) -> ConfusionMatrix:
    """Count the four outcomes at many thresholds at once.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score.
    thresholds : array-like of numbers, any shape
        Thresholds on the scale of the score; they need not occur in the data.
    inclusive : bool, default True
        Whether a score equal to the threshold is called positive. The points of a
        curve are the same either way; a fixed threshold on tied scores is not.

    Returns
    -------
    ConfusionMatrix
        Its entries have the shape of `thresholds`.

    Raises
    ------
    ValueError
        If a threshold is NaN.

    Notes
    -----
    O(m log k) for m thresholds.

    References
    ----------
    Fawcett (2006), figure 1, at each threshold.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
    >>> evaluate(table, [0.4, 0.8]).tp
    array([2, 1])
    >>> evaluate(table, 0.4, inclusive=False).tp
    1
    """
    row = rows_called_positive(table, thresholds, inclusive=inclusive)
    tp, fp = table.tp_from_zero[row], table.fp_from_zero[row]
    cells = tp, fp, table.n_pos - tp, table.n_neg - fp
    return ConfusionMatrix(*(map(own, cells) if row.ndim else cells))


@explained
def rows_called_positive(
    table: ScoreTable, thresholds: ArrayLike, *, inclusive: bool = True
) -> Ints:
    """Count the rows that each threshold calls positive.

    A threshold on integer scores is first rounded to a whole number, so that no 64-bit
    score is compared as a float.

    Parameters
    ----------
    table : ScoreTable
        The rows.
    thresholds : array-like of float, shape (m,)
        In any order.
    inclusive : bool, default True
        Whether a score equal to the threshold is called positive.

    Returns
    -------
    ndarray of int, shape (m,)
        Numbers of rows, from 0 to that of all rows.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> rows_called_positive(tabulate([0, 0, 1, 1], [1, 3, 2, 4]), [4, 2.5, 0])
    array([1, 2, 4])
    """
    at = _numbers(thresholds)
    up = table.higher_is_positive
    ascending = table.score[::-1] if up else table.score
    outside: tuple[Any, Any] | None = None
    if "O" in (at.dtype.kind, ascending.dtype.kind):  # Python compares its integers exactly
        at, ascending = at.astype(object), ascending.astype(object)
    elif ascending.dtype.kind != "f":
        limits = np.iinfo(ascending.dtype)
        if at.dtype.kind == "f":
            at = (np.ceil if inclusive == up else np.floor)(at)
            outside = at >= float(limits.max) + 1, at < float(limits.min)
        else:
            outside = at > limits.max, at < limits.min
        at = np.where(outside[0] | outside[1], 0, at).astype(ascending.dtype)
    below = np.searchsorted(ascending, at, "left" if inclusive == up else "right")
    if outside is not None:
        below = np.where(outside[0], len(table), np.where(outside[1], 0, below))
    return len(table) - below if up else below


def _numbers(thresholds: ArrayLike) -> Array:
    """Turn thresholds into an array of numbers; integers beyond 64 bits stay Python's."""
    at = np.asarray(thresholds)
    if at.dtype.kind == "f" and isinstance(thresholds, list | tuple):  # NumPy rounds beside floats
        large = any(isinstance(x, int) and abs(x) > 2**53 for x in thresholds)
        at = np.asarray(thresholds, dtype=object) if large else at
    if at.dtype.kind == "b":
        return at.view(np.uint8)
    objects = at.dtype.kind == "O"
    if not (all(isinstance(x, Real) for x in at.flat) if objects else at.dtype.kind in "iuf"):
        msg = (
            f"thresholds are {shown(thresholds)}, but scores are compared with numbers. "
            "A threshold that is best by a criterion: optimal_points(table)[0]."
        )
        raise TypeError(msg)
    if (at != at).any():
        msg = "A threshold is NaN, with which no score can be compared. Leave it out."
        raise ValueError(msg)
    return at
