"""Granular ROC: curves and areas where scores closer than a granularity are indistinguishable.

Scores closer than delta are indistinguishable. Counting the cases within delta of a threshold all
as positive gives an upper curve, all as negative a lower one; on all known data the ordinary area
lies between their areas.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.cards import Card, picture
from rocspace._base.checks import check_choice, check_times
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace._base.text import brief, either, general
from rocspace.counts import distances
from rocspace.counts.distances import Boundary
from rocspace.counts.table import ScoreTable, of_table
from rocspace.curves.roc import roc_curve
from rocspace.curves.summaries import auc
from rocspace.results.curve import plain

Deltas: TypeAlias = int | ArrayLike | Literal["exact"]
"""How to integrate over granularities: equal steps, a given grid, or exactly."""

EXACT_ROWS = 20_000  # most distinct scores whose distances are all enumerated
_FRACTION = 20.0  # numbers in float64 that take as much room as a fraction


# --- one granularity --------------------------------------------------------------------------


class _Bracketed(Result):
    """An ordinary area between a lower and an upper one, or several of each."""

    auc: float

    if TYPE_CHECKING:
        auc_low: Any
        auc_high: Any

    @property
    def approximation_ratio(self) -> Any:
        """Lower over upper area, lambda: 1 if the granularity does not matter; nan for 0 / 0."""
        nothing = (self.auc_low == 0) & (self.auc == 0) & (self.auc_high == 0)
        found = np.where(self.auc_high > 0, ratio(self.auc_low, self.auc_high), np.nan)
        return plain(np.where(nothing, 1.0, found))

    @property
    def lambda_auc(self) -> Any:
        """``approximation_ratio * auc``: the area, reduced where scores lie close together."""
        return self.approximation_ratio * self.auc


class GranularRoc(_Bracketed):
    """Lower and upper curve at one granularity.

    Attributes
    ----------
    delta : float
        Scores closer than this are indistinguishable; on the scale of the scores.
    threshold : ndarray, shape (k + 2,)
        Threshold of each point of either curve, the most positive first. The first rejects all,
        the last accepts all; both are infinite.
    low_fpr, low_tpr : ndarray of float64, shape (k + 2,)
        Points of the lower curve, in [0, 1], from (0, 0) to (1, 1). They need not increase:
        do not sort them.
    high_fpr, high_tpr : ndarray of float64, shape (k + 2,)
        Points of the upper curve.
    auc_low, auc, auc_high : float
        Signed areas under the lower, the ordinary and the upper curve.
    boundary : {"exact", "float"}
        How distances were compared with `delta`.

    See Also
    --------
    groc, groc_reading
    """

    delta: float
    threshold: Array
    low_fpr: Vector
    low_tpr: Vector
    high_fpr: Vector
    high_tpr: Vector
    auc_low: float
    auc_high: float
    boundary: Boundary = "exact"

    def _card(self) -> Card:
        lines = [(self.low_fpr, self.low_tpr), (self.high_fpr, self.high_tpr)]
        return Card(
            rows={
                "Granularity": general(self.delta),
                "Upper area": either(self.auc_high),
                "Area": either(self.auc),
                "Lower area": either(self.auc_low),
            },
            image=picture(lines, name="Lower and upper ROC curve"),
        )

    def _about(self) -> str:
        return (
            f"delta={self.delta:g}, auc_low={brief(self.auc_low)}, "
            f"auc={brief(self.auc)}, auc_high={brief(self.auc_high)}"
        )

    def __len__(self) -> int:
        """Return the number of points of each curve."""
        return int(self.threshold.size)


@of_table
def groc(table: ScoreTable, delta: float, *, boundary: Boundary = "exact") -> GranularRoc:
    """Granular ROC: the lower and upper curve where scores closer than `delta` are alike.

    A threshold's window contains its score and those less than `delta` more positive. The
    upper curve counts all cases of the window as positive, the lower as negative; so these cases
    change class, and the class sizes change with them. A score alone in its window keeps its
    ordinary point.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    delta : float
        Granularity, zero or more, on the scale of the scores.
    boundary : {"exact", "float"}, default "exact"
        How a score exactly `delta` away is recognised as outside. "exact" converts each score
        (and `delta`) to the shortest decimal that gives the same double, and compares without
        rounding: 0.57 is not inside the 0.02 above 0.55. "float" compares doubles by
        ``score[j] >= score[i] + delta``, by which it is inside; the paper's figures do the same.

    Returns
    -------
    GranularRoc
        Points of both curves, and the areas. A higher area is better; the closer together the
        areas are, the less they depend on small distances of scores. They depend on prevalence.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If `delta` is negative or not finite.

    Notes
    -----
    With tp and fp the ordinary counts at a threshold, and wp and wn the positives and negatives
    of its window, the upper point is ``((fp - wn) / (N - wn), (tp + wn) / (P + wn))`` and
    the lower ``((fp + wp) / (N + wp), (tp - wp) / (P - wp))``; 0 / 0 is 0. Areas are signed
    trapezoids over the points in order of the thresholds. O(k). Weights count like cases.

    No data set is known in which the lower area exceeds the ordinary one, or the ordinary one the
    upper; that there is none is not proven. Neither area is monotone in `delta`. See the page
    "Granular ROC".

    References
    ----------
    Dong, Li and Li, gROC, definitions 1 to 7, with corrections.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("groc_table3")
    >>> table = tabulate(data.y_true, data.columns["a"])
    >>> groc(table, 0.02)
    GranularRoc(delta=0.02, auc_low=0.644863, auc=0.69, auc_high=0.733085)
    >>> groc(table, 0.02, boundary="float")
    GranularRoc(delta=0.02, auc_low=0.644863, auc=0.69, auc_high=0.735417)
    """
    from rocspace._kernels import windows as kernels

    exact = distances.granularities(delta)
    if len(exact) != 1 or np.ndim(delta):
        msg = "groc takes one delta. For many at once there is granular_areas."
        raise ValueError(msg)
    ladder = distances.ladder_of(table, boundary)
    left = np.empty(len(table), dtype=np.int64)
    ladder.left(ladder.width(exact[0]), left)
    area = np.empty(2)
    tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
    whole = auc(table)
    if not kernels.window_areas(left, tp, fp, area):
        area[:] = whole
    lower, upper = kernels.window_points(left, tp, fp)
    threshold = roc_curve(table).threshold
    last = -threshold[:1]
    return GranularRoc(
        delta=float(delta),
        threshold=np.concatenate([threshold, last]),
        low_fpr=lower[0],
        low_tpr=lower[1],
        high_fpr=upper[0],
        high_tpr=upper[1],
        auc_low=float(area[0]),
        auc=whole,
        auc_high=float(area[1]),
        boundary=boundary,
    )


# --- many granularities -----------------------------------------------------------------------


class GranularAreas(_Bracketed):
    """Areas at many granularities.

    Attributes
    ----------
    delta : ndarray of float64, shape (m,)
        Granularities, in the order they were asked for.
    auc_low, auc_high : ndarray of float64, shape (m,)
        Signed areas under the lower and the upper curve of each.
    auc : float
        Ordinary area.

    See Also
    --------
    granular_areas
    """

    delta: Vector
    auc_low: Vector
    auc_high: Vector

    _frame = (
        "delta",
        "auc_low",
        "auc_high",
        "approximation_ratio",
        "lambda_auc",
        "low_ratio",
        "high_ratio",
    )

    def _about(self) -> str:
        return f"{len(self)} granularities, auc={brief(self.auc)}"

    def __len__(self) -> int:
        """Return the number of granularities."""
        return int(self.delta.size)

    @property
    def high_ratio(self) -> Vector:
        """Ordinary over upper area, f; nan where the upper area is 0."""
        whole = np.full(len(self), self.auc)
        return np.asarray(np.where(self.auc_high > 0, ratio(whole, self.auc_high), np.nan))

    @property
    def low_ratio(self) -> Vector:
        """Lower over ordinary area, g; nan where the ordinary area is 0."""
        return np.asarray(ratio(self.auc_low, self.auc) if self.auc > 0 else self.delta * np.nan)


@of_table
def granular_areas(
    table: ScoreTable,
    deltas: ArrayLike,
    *,
    boundary: Boundary = "exact",
    threads: int | None = None,
    progress: bool | None = None,
) -> GranularAreas:
    """Areas under the lower and upper curve at many granularities, without their points.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    deltas : float or array-like, shape (m,)
        Granularities, zero or more, on the scale of the scores.
    boundary : {"exact", "float"}, default "exact"
        As for `groc`.
    threads : int, optional
        Threads over the granularities; by default as many as the process may use. The result
        does not depend on it.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    GranularAreas
        Arrays of length m.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a granularity is negative or not finite.

    Notes
    -----
    O(k m) at most, in memory O(k) for each thread. Granularities with no distance of two scores
    between them have the same areas; for decimal scores these are computed once.

    References
    ----------
    Dong, Li and Li, gROC, definition 5; the counts without points are our own.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("groc_table3")
    >>> areas = granular_areas(tabulate(data.y_true, data.columns["a"]), [0, 0.02, 0.1])
    >>> areas.approximation_ratio.round(4)
    array([1.    , 0.8797, 0.6803])
    """
    exact = distances.granularities(deltas)
    return _areas(
        table, distances.ladder_of(table, boundary), exact, Fraction(1), threads, progress
    )


def _areas(
    table: ScoreTable,
    ladder: distances.Ladder,
    deltas: list[Fraction],
    scale: Fraction,
    threads: int | None,
    progress: bool | None,
) -> GranularAreas:
    whole = auc(table)
    area = distances.areas_of(
        table,
        ladder,
        [delta * scale for delta in deltas],
        whole,
        threads=threads,
        progress=progress,
    )
    return GranularAreas(
        delta=np.array([float(delta) for delta in deltas]),
        auc_low=area[0],
        auc_high=area[1],
        auc=whole,
    )


# --- all granularities ------------------------------------------------------------------------


class RhoIntegrals(Result):
    """Integrals over granularities of the ratios of areas.

    Attributes
    ----------
    high : float
        Integral of f, the ordinary area divided by the upper, for granularities from 0 to 1.
    low : float
        Integral of g, the lower area divided by the ordinary.
    auc : float
        Ordinary area.

    See Also
    --------
    rho_integrals
    """

    high: float
    low: float
    auc: float

    _frame = ("high", "low", "auc", "rho", "rho_auc")

    @property
    def rho(self) -> float:
        """Geometric mean of the two integrals, in [0, 1]; nan if the ordinary area is 0."""
        return float(np.sqrt(self.high * self.low))

    @property
    def rho_auc(self) -> float:
        """``rho * auc``."""
        return self.rho * self.auc


@of_table
def rho(
    table: ScoreTable,
    *,
    deltas: Deltas = 1000,
    boundary: Boundary = "exact",
    threads: int | None = None,
    progress: bool | None = None,
) -> float:
    """Share of the area that remains over all granularities, rho.

    Parameters
    ----------
    table, deltas, boundary, threads, progress
        As for `rho_integrals`.

    Returns
    -------
    float
        In [0, 1]; higher if the area depends less on small distances. nan if the area is 0.

    Raises
    ------
    SingleClassError, ValueError
        As `rho_integrals`.

    References
    ----------
    Dong, Li and Li, gROC, definition 8.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("groc_table3")
    >>> table = tabulate(data.y_true, data.columns["a"])
    >>> print(f"{rho(table):.6f} {rho(table, deltas='exact'):.6f}")
    0.475075 0.474642
    """
    return _integrals("rho", table, deltas, boundary, threads, progress).rho


@of_table
def rho_auc(
    table: ScoreTable,
    *,
    deltas: Deltas = 1000,
    boundary: Boundary = "exact",
    threads: int | None = None,
    progress: bool | None = None,
) -> float:
    """Area times `rho`.

    Parameters
    ----------
    table, deltas, boundary, threads, progress
        As for `rho_integrals`.

    Returns
    -------
    float
        In [0, 1]; higher is better. nan if the area is 0.

    Raises
    ------
    SingleClassError, ValueError
        As `rho_integrals`.

    References
    ----------
    Dong, Li and Li, gROC, definition 8.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("groc_table3")
    >>> print(f"{rho_auc(tabulate(data.y_true, data.columns['b']), deltas='exact'):.6f}")
    0.345219
    """
    return _integrals("rho_auc", table, deltas, boundary, threads, progress).rho_auc


@of_table
def rho_integrals(
    table: ScoreTable,
    *,
    deltas: Deltas = 1000,
    boundary: Boundary = "exact",
    threads: int | None = None,
    progress: bool | None = None,
) -> RhoIntegrals:
    """Integrate the ratios of areas over granularities from 0 to 1.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present. Scores in [0, 1] are taken as they are,
        others as if divided by their range.
    deltas : int, array-like or "exact", default 1000
        Number of equal steps from 0 to 1; or granularities from 0 to 1 in increasing order; or
        all distances of two scores, at which the areas jump. The first two use trapezoids.
    boundary : {"exact", "float"}, default "exact"
        As for `groc`. It makes no difference to the exact integrals.
    threads, progress
        As for `granular_areas`.

    Returns
    -------
    RhoIntegrals
        Both integrals, ``rho`` and ``rho_auc``. nan where the area is 0, or an upper area is.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is infinite or scores span more than 1.8e308, a grid does not rise from 0 to
        1, or there are more than 20,000 distinct scores for "exact".

    Notes
    -----
    A grid takes O(k) for each granularity. "exact" visits the k (k - 1) / 2 distances in
    increasing order, by a heap with one of each row: O(k^2 log k) in time, O(k) in memory. That
    takes a second for 3000 scores, and a minute for 20,000.

    References
    ----------
    Dong, Li and Li, gROC, section 2.4 and definition 8; they do not say which grid they used.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("groc_table3")
    >>> found = rho_integrals(tabulate(data.y_true, data.columns["a"]), deltas="exact")
    >>> print(f"{found.high:.7f} {found.low:.7f}")
    0.7357709 0.3061893
    """
    return _integrals("rho_integrals", table, deltas, boundary, threads, progress)


def _integrals(
    name: str,
    table: ScoreTable,
    deltas: Deltas,
    boundary: Boundary,
    threads: int | None,
    progress: bool | None,
) -> RhoIntegrals:
    if not np.isfinite(table.score[[0, -1]].astype(np.float64)).all():
        msg = (
            f"{name} needs finite scores, but they go from {table.score[-1]} to {table.score[0]}. "
            "Granularities go from 0 to the distance of these two."
        )
        raise ValueError(msg)
    whole = auc(table)
    ladder = distances.ladder_of(table, boundary)
    scale = _span(table, ladder)
    if isinstance(deltas, str):
        check_choice("deltas", deltas, ("exact",))
        return _exact_integrals(table, whole, scale)
    grid = _grid(deltas)
    areas = _areas(table, ladder, grid, scale, threads, progress)
    return RhoIntegrals(
        high=float(np.trapezoid(areas.high_ratio, areas.delta)),
        low=float(np.trapezoid(areas.low_ratio, areas.delta)),
        auc=whole,
    )


def _span(table: ScoreTable, ladder: distances.Ladder) -> Fraction:
    """Return the distance of scores that counts as 1."""
    low, high = sorted(float(x) for x in table.score[[0, -1]])
    if low >= 0 and high <= 1:
        return Fraction(1)
    span = ladder.span()
    if span > sys.float_info.max:
        msg = f"Scores from {low:g} to {high:g} are too far apart to be scaled to [0, 1]."
        raise ValueError(msg)
    return span


def _grid(deltas: Any) -> list[Fraction]:
    """Return granularities from 0 to 1: equal steps, or what was given."""
    if isinstance(deltas, int | np.integer) and not isinstance(deltas, bool):
        check_times("deltas", int(deltas), _FRACTION)
        return [Fraction(i, int(deltas)) for i in range(int(deltas) + 1)]
    grid = distances.granularities(deltas)
    if len(grid) < 2 or grid[0] != 0 or grid[-1] != 1 or any(np.diff(np.array(grid)) <= 0):
        msg = "deltas must rise from 0 to 1, as np.linspace(0, 1, 101) does."
        raise ValueError(msg)
    return grid


def _exact_integrals(table: ScoreTable, whole: float, scale: Fraction) -> RhoIntegrals:
    from rocspace._kernels import windows as kernels

    if len(table) > EXACT_ROWS:
        msg = (
            f'deltas="exact" goes through every two of {len(table)} distinct scores, '
            f"which takes too long beyond {EXACT_ROWS}. Take a grid, such as deltas=10000."
        )
        raise ValueError(msg)
    if not whole > 0:
        return RhoIntegrals(high=float("nan"), low=float("nan"), auc=whole)
    ladder = distances.ladder_of(table, "exact")
    score = ladder.score if ladder.step is None else ladder.step
    unit = Fraction(1) if ladder.step is None else ladder.unit
    out = np.zeros(2)
    tp, fp = table.tp.astype(np.float64), table.fp.astype(np.float64)
    kernels.integrals(score, float(scale / unit), tp, fp, whole, out)
    return RhoIntegrals(high=float(out[0]), low=float(out[1]), auc=whole)
