"""Calibration: scores turned into probabilities, or put on a scale that several share.

Each ``fit_*`` takes a table of training cases and returns a small frozen object with
``predict(scores)``. Fit it to cases other than those whose curve is reported.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import complete_scores
from rocspace._base.checks import check_choice, check_clip, check_sizes
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace.calibrate.leaves import Smoothing, smoothed_shares
from rocspace.counts.confusion import rows_called_positive
from rocspace.counts.table import ScoreTable, of_any_table, of_table, trusted
from rocspace.curves.sweep import need_rows

_SAME = 1e-12  # shares of weights closer than this are equal
LARGEST = 1e150  # its square is a number of float64, as are sums of many
_MAX_STEPS = 100  # Newton needs about six
_NEARLY = 1e-6  # below this gain, full Newton steps are safe,
_SETTLED = 1e-14  # and below this one, nothing is left to gain


def _above(knots: Array, scores: Array, higher: bool) -> Ints:
    """Count the knots, most positive first, that are more positive than each score."""
    nothing = np.zeros(knots.size, dtype=np.int64)
    table = trusted(knots, nothing, nothing, higher_is_positive=higher)
    return rows_called_positive(table, scores, inclusive=False)


# --- binning --------------------------------------------------------------------------------


class BinnedCalibration(Result):
    """Shares of positives in bins of the score.

    Attributes
    ----------
    boundary : ndarray, shape (b - 1,)
        ``boundary[i]`` is the least positive score in bin i; the last bin has no boundary.
    value : ndarray of float64, shape (b,)
        Share of positives in each bin, most positive scores first.
    higher_is_positive : bool
        Whether larger scores are more positive.
    score_range : tuple of float, or None
        The least and the largest training score.

    See Also
    --------
    fit_binning
    """

    boundary: Array
    value: Vector
    higher_is_positive: bool = True
    score_range: tuple[float, float] | None = None

    def _about(self) -> str:
        return f"{self.value.size} bins"

    def _columns(self) -> dict[str, Any]:
        least = [*self.boundary.tolist(), None]
        return {"bin": np.arange(self.value.size), "least_positive": least, "value": self.value}

    def predict(self, scores: ArrayLike) -> Vector:
        """Return the share of positives in the bin of each score.

        Parameters
        ----------
        scores : array-like of numbers, shape (n,)
            Scores of any cases; those beyond the training scores are in the end bins.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1].

        Raises
        ------
        ValueError
            If a score is missing.
        """
        return self.value[_above(self.boundary, complete_scores(scores), self.higher_is_positive)]


@explained
def fit_binning(
    table: ScoreTable,
    *,
    bins: int = 10,
    width: Literal["frequency", "score"] = "frequency",
    smoothing: Smoothing = "none",
    strength: float | None = None,
    monotone: bool = False,
) -> BinnedCalibration:
    """Cut the scores into bins and take the share of positives in each.

    Parameters
    ----------
    table : ScoreTable
        Training cases; one class may be missing.
    bins : int, default 10
        Largest number of bins: those that would be empty join the next lower one.
    width : {"frequency", "score"}, default "frequency"
        Bins of equally many cases, or of equally wide scores.
    smoothing : {"none", "laplace", "m"}, default "none"
        Of k positives among m cases in a bin: k / m; (k + 1) / (m + C), C being the number of
        classes; or (k + b M) / (m + M), b being the share of positives of all cases.
    strength : float, optional
        C, by default 2, or M, by default such that b M is 10.
    monotone : bool, default False
        Whether to pool neighbours whose shares are in the wrong order.

    Returns
    -------
    BinnedCalibration
        Its mean over the training cases is the share of positives, unless smoothed; of
        bins of unequal size, "m" moves the small ones furthest towards it.

    Raises
    ------
    ValueError
        If `bins` is below 1, fewer than two finite scores are to be cut into equally wide bins,
        `strength` is not positive, or "m" has no positives from which to compute it.

    Notes
    -----
    O(k). Tied cases stay together, in the bin of the first of them from below. Boundaries
    of equally frequent bins lie in the middle between two scores, or at the upper one where
    no number lies between.

    References
    ----------
    Zadrozny and Elkan (2001a), the whole paper.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> fit_binning(table, bins=3).predict([0, 3.2, 4.5, 9])
    array([0. , 0.5, 1. , 1. ])
    >>> fit_binning(table, bins=3, smoothing="m", strength=2).predict([0, 3.2, 4.5, 9])
    array([0.25, 0.5 , 0.75, 0.75])
    """
    need_rows("fit_binning", table)
    check_sizes(bins=bins)
    cut = _by_frequency if width == "frequency" else _by_width
    first, boundary = cut(table, bins)  # first[i]: the row that bin i begins with, from the top
    pos, every = _counted(table, first)
    base_rate = float(table.n_pos / (table.n_pos + table.n_neg))
    value = smoothed_shares(pos, every, base_rate, smoothing, strength)
    if monotone:
        value = _monotone(value, every).x
    return BinnedCalibration(
        boundary=boundary,
        value=value,
        higher_is_positive=table.higher_is_positive,
        score_range=_range(table.score),
    )


def _range(score: Array) -> tuple[float, float]:
    """Return the least and the largest of the scores of a table, which are in order."""
    low, high = sorted((float(score[0]), float(score[-1])))
    return low, high


def rows_by_frequency(table: ScoreTable, bins: int) -> Ints:
    """Return the row that each bin of about equally many cases begins with, from the top."""
    size = (table.pos + table.neg)[::-1].astype(np.float64)  # least positive first
    before = np.concatenate([[0.0], np.cumsum(size)])
    bin_of = np.floor(before[:-1] * bins / before[-1])[::-1]
    return _starts(bin_of[1:] != bin_of[:-1])


def rows_by_share(table: ScoreTable, bins: int) -> Ints:
    """Return the row that each bin with cases begins with, from the top: parts of [0, 1]."""
    edges = np.linspace(0, 1, bins + 1)[1:-1]
    bin_of = np.searchsorted(edges, table.score.astype(np.float64), "left")
    return _starts(bin_of[1:] != bin_of[:-1])


def _by_frequency(table: ScoreTable, bins: int) -> tuple[Ints, Array]:
    first = rows_by_frequency(table, bins)
    return first, _middles(table.score[first[1:] - 1], table.score[first[1:]])


def _starts(changed: Mask) -> Ints:
    """Return where runs begin, given whether each entry but the first is a new value."""
    return np.flatnonzero(np.append(np.True_, changed))


def _counted(table: ScoreTable, first: Ints) -> tuple[Array, Array]:
    """Return the positives, and all cases, of blocks of rows from where each begins."""
    pos, neg = (np.add.reduceat(column, first) for column in (table.pos, table.neg))
    return pos, pos + neg


def _middles(upper: Array, lower: Array) -> Array:
    """Return the middle between neighbours, or the upper one where nothing lies between."""
    large = upper.dtype.kind in "iu" and max(
        map(abs, [*upper.tolist(), *lower.tolist()]), default=0
    )
    if large > 2**52 or upper.dtype == object:
        return upper.copy()
    if upper.dtype.kind in "iu":
        upper, lower = upper.astype(np.float64), lower.astype(np.float64)
    with np.errstate(invalid="ignore"):
        middle = lower / 2 + upper / 2
    low, high = np.minimum(lower, upper), np.maximum(lower, upper)
    between = (low < middle) & (middle < high)
    return np.where(between, middle, upper)


def _by_width(table: ScoreTable, bins: int) -> tuple[Ints, Array]:
    score = table.score.astype(np.float64)
    finite = score[np.isfinite(score)]
    if finite.size < 2:
        msg = f"There are {finite.size} finite scores; equally wide bins need two or more."
        raise ValueError(msg)
    share = np.arange(1, bins)[:: -1 if table.higher_is_positive else 1] / bins
    edges = finite.min() * (1 - share) + finite.max() * share  # most positive first
    above = _above(edges, score, table.higher_is_positive)
    first = _starts(above[1:] != above[:-1])
    return first, edges[above[first[1:] - 1]]


def _monotone(value: Vector, size: Array) -> Any:
    """Return SciPy's decreasing isotonic regression, as values come most positive first."""
    from scipy.optimize import isotonic_regression

    return isotonic_regression(value, weights=size, increasing=False)


# --- isotonic regression --------------------------------------------------------------------


class IsotonicCalibration(Result):
    """A non-decreasing step function: one step for each edge of the convex hull.

    Attributes
    ----------
    high, low : ndarray, shape (b,)
        The most and the least positive training score of each block, most positive first.
        ``low[i]`` is the threshold of a vertex of the hull.
    value : ndarray of float64, shape (b,)
        Calibrated probability of each block, strictly decreasing unless clipped.
    higher_is_positive : bool
        Whether larger scores are more positive.

    See Also
    --------
    fit_isotonic
    """

    high: Array
    low: Array
    value: Vector
    higher_is_positive: bool = True

    def _about(self) -> str:
        return f"{self.value.size} blocks"

    def predict(
        self, scores: ArrayLike, *, interpolation: Literal["step", "linear"] = "step"
    ) -> Vector:
        """Return calibrated probabilities.

        Parameters
        ----------
        scores : array-like of numbers, shape (n,)
            Scores of any cases.
        interpolation : {"step", "linear"}, default "step"
            Between training scores: the value of the next less positive one, which agrees
            with the decisions of the hull's thresholds, or on a line; next to an infinite
            score always the step.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1], non-decreasing in the score.

        Raises
        ------
        ValueError
            If a score is missing.

        Notes
        -----
        O(n log b).
        """
        check_choice("interpolation", interpolation, ("step", "linear"))
        given = complete_scores(scores)
        block = _above(self.low, given, self.higher_is_positive)
        block = np.minimum(block, self.value.size - 1)
        step = self.value[block]
        if interpolation == "step":
            return step
        s, high, low = (x.astype(np.float64) for x in (given, self.high, self.low))
        from_, to = high[block], low[np.maximum(block - 1, 0)]
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            share = np.clip((s / 2 - from_ / 2) / (to / 2 - from_ / 2), 0, 1)
            line = step + share * (self.value[np.maximum(block - 1, 0)] - step)
        gap = (block > 0) & np.isfinite(line) & np.isfinite(from_) & np.isfinite(to)
        return np.where(gap, line, step)


@of_table
def fit_isotonic(
    table: ScoreTable, *, smoothing: Literal["none", "laplace"] = "none", clip: float = 0.0
) -> IsotonicCalibration:
    """Fit the probabilities that never decrease with the score and are nearest to the labels.

    Parameters
    ----------
    table : ScoreTable
        Training cases, both classes present.
    smoothing : {"none", "laplace"}, default "none"
        "laplace" adds one case of each class to every block, so that none is at 0 or 1;
        blocks then in the wrong order are pooled.
    clip : float, default 0
        Values are kept inside [clip, 1 - clip]; in [0, 1/2).

    Returns
    -------
    IsotonicCalibration
        Without smoothing and clipping its mean over the training cases is the share of
        positives, and it minimises the Brier score and the log loss among all
        non-decreasing maps.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `clip` is outside [0, 1/2).

    Notes
    -----
    O(k). The blocks are the edges of the convex hull: a block's value is the posterior
    probability that its edge's slope implies. So the area under the curve of the calibrated scores
    is `auch`.

    References
    ----------
    Zadrozny and Elkan (2002), the whole paper; Fawcett and Niculescu-Mizil (2007), a paper on this
    alone, for the hull.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> table = tabulate([0, 1, 0, 1, 1], [1, 2, 3, 4, 5])
    >>> fit_isotonic(table).predict([0, 1, 2, 3.9, 4])
    array([0. , 0. , 0.5, 0.5, 1. ])
    """
    check_clip(clip)
    size = table.pos + table.neg
    start = _monotone(table.pos / size, size).blocks[:-1]
    # SciPy's values are sums of rounded numbers: count again, and divide once.
    pos, every = _counted(table, start)
    value = np.minimum.accumulate(pos / every)
    if smoothing == "laplace":
        value = np.asarray(_monotone(smoothed_shares(pos, every, 0.0, "laplace"), every).x)
    same = _SAME if table.is_weighted else 0.0  # sums of weights are rounded
    first = _starts(value[1:] < value[:-1] * (1 - same))
    start, value = start[first], value[first]
    return IsotonicCalibration(
        high=table.score[start],
        low=table.score[np.append(start[1:], len(table)) - 1],
        value=np.clip(value, clip, 1 - clip),
        higher_is_positive=table.higher_is_positive,
    )


# --- Platt ----------------------------------------------------------------------------------


class PlattCalibration(Result):
    """A logistic curve of the score: 1 / (1 + exp(-(slope (s - centre) + level))).

    Attributes
    ----------
    slope : float
        How fast the log odds rise with the score.
    centre, level : float
        The mean training score, and the log odds there.
    score_range : tuple of float, or None
        The least and the largest training score.

    See Also
    --------
    fit_platt
    """

    slope: float
    centre: float
    level: float
    score_range: tuple[float, float] | None = field(default=None, repr=False)

    @property
    def intercept(self) -> float:
        """Log odds at a score of zero."""
        return self.level - self.slope * self.centre

    def predict(self, scores: ArrayLike) -> Vector:
        """Return calibrated probabilities.

        Parameters
        ----------
        scores : array-like of numbers, shape (n,)
            Scores of any cases.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1].

        Raises
        ------
        ValueError
            If a score is missing.
        """
        from scipy.special import expit

        s = complete_scores(scores).astype(np.float64)
        rise = self.slope * (s - self.centre) if self.slope else np.zeros(s.shape)
        return np.asarray(expit(rise + self.level))


@of_table
def fit_platt(table: ScoreTable) -> PlattCalibration:
    """Fit a logistic curve of the score, to targets a little inside 0 and 1 (Platt scaling).

    Parameters
    ----------
    table : ScoreTable
        Training cases, both classes present, all scores finite.

    Returns
    -------
    PlattCalibration
        The curve of maximum likelihood for the targets (P + 1) / (P + 2) of positives and
        1 / (N + 2) of negatives. It exists even where a threshold separates the classes.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is infinite.

    Notes
    -----
    O(k) for each of a few Newton steps, on standardised scores.

    References
    ----------
    Platt (1999), a paper on this alone; Lin, Lin and Weng (2007), a paper on this alone.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> platt = fit_platt(tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    >>> platt.predict([1, 2.5, 4]).round(4)
    array([0.3504, 0.5   , 0.6496])
    """
    s = table.score.astype(np.float64)
    if not np.isfinite(s).all():
        msg = (
            f"A score is {s[~np.isfinite(s)][0]}, and a logistic curve has no place for infinite "
            "scores. Replace scores by their ranks first, with fit_ranks."
        )
        raise ValueError(msg)
    largest = float(np.abs(s).max())
    if largest > LARGEST:
        msg = (
            f"A score is as large as {largest:g}, whose square float64 cannot hold. "
            "Divide all scores by one number first."
        )
        raise ValueError(msg)
    unit = float(np.ldexp(1.0, int(np.frexp(largest)[1]))) if largest else 1.0
    ends = _range(s)
    s = s / unit  # so that no square underflows, however small the scores
    size = (table.pos + table.neg).astype(np.float64)
    hits = table.pos * ((table.n_pos + 1) / (table.n_pos + 2)) + table.neg / (table.n_neg + 2)
    total = size.sum()
    centre = float(size @ s / total)
    spread = float(np.sqrt(size @ (s - centre) ** 2 / total))
    share = hits.sum() / total
    start = float(np.log(share / (1 - share)))
    if spread == 0:
        return PlattCalibration(slope=0.0, centre=centre * unit, level=start, score_range=ends)
    at = np.array([(s - centre) / spread, np.ones(s.size)])
    slope, level = newton(at, hits, size, np.array([0.0, start])).tolist()
    slope /= spread
    if abs(slope) / np.finfo(np.float64).max > unit:
        msg = (
            f"Scores of at most {largest:g} need a slope that float64 cannot hold. "
            "Multiply all scores by one number first."
        )
        raise ValueError(msg)
    return PlattCalibration(slope=slope / unit, centre=centre * unit, level=level, score_range=ends)


def solved(matrix: Array, right: Array) -> Array | None:
    """Return the least squares solution of linear equations; None where it is beyond all numbers.

    So it is where every probability is 0 or 1, but for its last bits.
    """
    if matrix.size == 1 and matrix[0, 0] != 0:  # of one equation that is a quotient
        with np.errstate(over="ignore"):
            found = np.asarray(right / matrix[0, 0])
    else:
        found = np.linalg.lstsq(matrix, right)[0]
    return found if np.abs(found).max() < LARGEST else None


def newton(x: Array, hits: Vector, size: Vector, w: Vector, offset: Any = 0.0) -> Vector:
    """Maximise the likelihood of hits out of size with log odds offset + w x, from an initial w."""
    from scipy.special import expit

    def loss(w: Vector) -> float:
        at = offset + w @ x
        return float(size @ np.logaddexp(0, at) - hits @ at)

    for _ in range(_MAX_STEPS):
        p = expit(offset + w @ x)
        gradient = x @ (size * p - hits)
        curvature = (x * (size * p * (1 - p))) @ x.T
        step = solved(curvature, gradient)
        if step is None:
            break
        gain = float(gradient @ step) / size.sum()  # twice the remaining gain, for each case
        if gain > _NEARLY:
            current, halvings = loss(w), 0
            while loss(w - step) > current and halvings < _MAX_STEPS:
                step, halvings = step / 2, halvings + 1
        w = w - step
        if gain <= _SETTLED:  # the last step has squared what was left
            break
    return w


# --- one scale for several ------------------------------------------------------------------


class RankScale(Result):
    """The share of training cases with a less positive score: a scale that all scores share.

    Attributes
    ----------
    table : ScoreTable
        The training cases.

    See Also
    --------
    fit_ranks
    """

    table: ScoreTable

    def _about(self) -> str:
        return f"{len(self.table)} distinct scores"

    def _columns(self) -> dict[str, Any]:
        return {"score": self.table.score, "rank": self.transform(self.table.score)}

    def transform(self, scores: ArrayLike) -> Vector:
        """Return the share of training cases that each score is more positive than.

        Parameters
        ----------
        scores : array-like of numbers, shape (n,)
            Scores of any cases.

        Returns
        -------
        ndarray of float64, shape (n,)
            In [0, 1], larger for more positive scores whatever the direction of the score:
            one minus the predicted positive rate of the score as a threshold.

        Raises
        ------
        ValueError
            If a score is missing.
        """
        called = np.concatenate([[0], np.asarray(self.table.tp + self.table.fp)])
        rows = rows_called_positive(self.table, complete_scores(scores))
        return np.asarray(ratio(called[-1] - called[rows], called[-1]), dtype=np.float64)


@of_any_table
def fit_ranks(table: ScoreTable) -> RankScale:
    """Put scores on the scale of their ranks, where thresholds of several can be compared.

    Parameters
    ----------
    table : ScoreTable
        Training cases; one class may be missing.

    Returns
    -------
    RankScale
        Ranks the training cases as their scores do, so that no curve changes.

    References
    ----------
    Fawcett (2006), sections 4.1 and 8.2.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> fit_ranks(tabulate([0, 1, 1, 0], [10, 20, 20, 40])).transform([10, 20, 30, 40])
    array([0.  , 0.25, 0.75, 0.75])
    """
    return RankScale(table=table)
