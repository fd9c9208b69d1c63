"""The likelihood of two classes in ordered cells, with cuts between them, for all models.

Ratings are cells, and so are runs of cases of one class on a continuous score. A model gives the
distribution of each class at the cuts, with its derivatives by the cut and by the parameters of
the curve; the cuts are estimated with them. The matrix of second derivatives is tridiagonal in
the cuts and bordered by the few parameters, so that a step takes time proportional to the cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from rocspace._base.arrays import Vector
from rocspace.counts.table import ScoreTable
from rocspace.counts.weights import squares_of
from rocspace.models.maximum import Maximum, climb

_LEAST = 1e-300  # probability of a cell below which it counts as this


@dataclass(frozen=True, slots=True)
class Edge:
    """The distribution of a class at m cuts, and its derivatives by the cut and p parameters.

    Attributes
    ----------
    below, above : ndarray, shape (m,)
        Probability below each cut, and above: one minus it, to its own precision.
    at, at_at : ndarray, shape (m,)
        First and second derivative of `below` by the cut.
    by, at_by : ndarray, shape (p, m)
        Derivative of `below`, and of `at`, by each parameter.
    by_by : ndarray, shape (p, p, m)
        Second derivatives of `below` by the parameters.
    """

    below: Vector
    above: Vector
    at: Vector
    at_at: Vector
    by: Vector
    at_by: Vector
    by_by: Vector


Edges = Callable[[Vector, Vector], tuple[Edge, Edge] | None]
"""The distributions of negatives and positives, from parameters and cuts; None if impossible."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Cases of both classes in ordered cells, the least positive first.

    Attributes
    ----------
    neg, pos : ndarray of float64, shape (k,)
        Counts, or weights that add up to the effective number of cases; no cell is empty in both.
    neg_w2, pos_w2 : ndarray of float64, shape (k,)
        Sums of squared weights; the counts where there are none.
    last : ndarray of int64, shape (k,)
        The row of the table that ends each cell, its most positive row being 0.
    """

    neg: Vector
    pos: Vector
    neg_w2: Vector
    pos_w2: Vector
    last: Vector

    @property
    def points(self) -> tuple[Vector, Vector]:
        """False and true positive rates between the cells, from the most positive cell on."""
        fpr, tpr = (np.cumsum(each[::-1])[:-1] / each.sum() for each in (self.neg, self.pos))
        return fpr, tpr


def cells_of(table: ScoreTable, *, runs: bool) -> Cells:
    """Make a cell of each distinct score, or of each run of scores that only one class has."""
    rows = len(table)
    first = np.arange(rows)
    if runs:
        pure = np.where(table.neg == 0, 1, np.where(table.pos == 0, -1, 0))
        first = np.flatnonzero(np.r_[True, (pure[1:] != pure[:-1]) | (pure[1:] == 0)])
    w2 = squares_of(table)[::-1]
    unit = sum(table.n_eff) / (table.n_pos + table.n_neg) if table.is_weighted else 1.0
    neg, pos, neg_w2, pos_w2 = (
        np.add.reduceat(each, first)[::-1].astype(np.float64)
        for each in (table.neg, table.pos, *w2)
    )
    return Cells(
        neg=neg * unit,
        pos=pos * unit,
        neg_w2=neg_w2 * unit**2,
        pos_w2=pos_w2 * unit**2,
        last=np.append(first[1:], rows)[::-1] - 1,
    )


# --- one class --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Class:
    """A class in its cells: probabilities, and derivatives of their logarithms.

    Attributes
    ----------
    chance : ndarray, shape (k,)
        Probability of each cell.
    low, high : ndarray, shape (k,)
        Derivative of its logarithm by the cut below and by the cut above; 0 at the ends.
    by : ndarray, shape (p, k)
        Derivative of its logarithm by the parameters.
    """

    edge: Edge
    count: Vector
    chance: Vector
    low: Vector
    high: Vector
    by: Vector

    @property
    def loglik(self) -> float:
        from scipy.special import xlogy

        return float(xlogy(self.count, self.chance).sum())

    def gradient(self) -> Vector:
        """Return the derivatives of the log-likelihood, parameters first, then cuts."""
        count = self.count
        cuts = (count * self.high)[:-1] + (count * self.low)[1:]
        return np.concatenate([self.by @ count, cuts])

    def information(self, *, expected: bool) -> Bordered:
        """Return minus the second derivatives of the log-likelihood, or their expectation."""
        edge = self.edge
        many = self.count.sum() * self.chance if expected else self.count
        weighted = many * self.by
        corner = weighted @ self.by.T
        border = (weighted * self.high)[:, :-1] + (weighted * self.low)[:, 1:]
        diagonal = (many * self.high**2)[:-1] + (many * self.low**2)[1:]
        beside = (many * self.low * self.high)[1:-1]
        if not expected:  # the second derivatives of the probabilities have expectation 0
            per = many / self.chance
            change = per[:-1] - per[1:]
            diagonal = diagonal - edge.at_at * change
            border = border - edge.at_by * change
            corner = corner - edge.by_by @ change
        return Bordered(corner, border, diagonal, beside)


def _class(edge: Edge, count: Vector) -> _Class:
    size = count.size
    below, above, at = np.zeros(size + 1), np.zeros(size + 1), np.zeros(size + 1)
    below[1:-1], below[-1] = edge.below, 1.0
    above[1:-1], above[0] = edge.above, 1.0
    at[1:-1] = edge.at
    by = np.zeros((len(edge.by), size + 1))
    by[:, 1:-1] = edge.by
    # Where most lies below, differences of what lies above keep their digits.
    gap = np.where(below[1:] > 0.5, above[:-1] - above[1:], below[1:] - below[:-1])
    chance = np.maximum(gap, _LEAST)
    return _Class(
        edge=edge,
        count=count,
        chance=chance,
        low=-at[:-1] / chance,
        high=at[1:] / chance,
        by=(by[:, 1:] - by[:, :-1]) / chance,
    )


# --- a tridiagonal matrix with a border ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bordered:
    """A symmetric matrix: p parameters with a full border, and m cuts, tridiagonal.

    Attributes
    ----------
    corner : ndarray, shape (p, p)
    border : ndarray, shape (p, m)
    diagonal : ndarray, shape (m,)
    beside : ndarray, shape (m - 1,)
    """

    corner: Vector
    border: Vector
    diagonal: Vector
    beside: Vector

    def __add__(self, other: Bordered) -> Bordered:
        return Bordered(
            self.corner + other.corner,
            self.border + other.border,
            self.diagonal + other.diagonal,
            self.beside + other.beside,
        )

    def _cuts(self, right: Vector) -> Vector:
        """Solve for the cuts alone, for one or more right sides in columns."""
        from scipy.linalg.lapack import dptsv

        beside = self.beside if self.beside.size else np.zeros(1)  # of one cut LAPACK reads none
        _, _, found, failed = dptsv(self.diagonal, beside, right)
        if failed:
            msg = "The matrix of the cuts is not positive definite."
            raise np.linalg.LinAlgError(msg)
        return np.asarray(found)

    def reduced(self) -> Vector:
        """Return the matrix of the parameters once the cuts are eliminated, shape (p, p)."""
        return self.corner - self.border @ self._cuts(self.border.T)

    def solve(self, right: Vector) -> Vector:
        """Solve for an ascent direction: an indefinite matrix is made positive definite."""
        size = len(self.corner)
        inner = self._cuts(np.column_stack([right[size:], self.border.T]))
        cuts, through = inner[:, 0], inner[:, 1:]
        found, vectors = np.linalg.eigh(self.corner - self.border @ through)
        found = np.maximum(np.abs(found), 1e-10 * np.abs(found).max())
        first = vectors @ ((vectors.T @ (right[:size] - self.border @ cuts)) / found)
        return np.concatenate([first, cuts - through @ first])

    def influences(self) -> Vector:
        """Return the first p columns of the inverse, shape (p + m, p)."""
        inverse = np.linalg.inv(self.reduced())
        return np.concatenate([inverse, -self._cuts(self.border.T) @ inverse])


# --- both classes -------------------------------------------------------------------------------


class CellHill:
    """The log-likelihood of both classes at parameters and cuts."""

    def __init__(self, cells: Cells, edges: Edges, size: int, x: Vector) -> None:
        self.size, self.x = size, x
        self.classes: tuple[_Class, ...] = ()
        self.value = float("-inf")
        cuts = x[size:]
        found = edges(x[:size], cuts) if (np.diff(cuts) > 0).all() else None
        if found is not None:
            counts = (cells.neg, cells.pos)
            self.classes = tuple(map(_class, found, counts))
            self.value = sum(each.loglik for each in self.classes)

    @cached_property
    def gradient(self) -> Vector:
        """Derivatives, parameters first."""
        neg, pos = self.classes
        return neg.gradient() + pos.gradient()

    def information(self, *, expected: bool) -> Bordered:
        """Return the observed or expected information of parameters and cuts."""
        neg, pos = self.classes
        return neg.information(expected=expected) + pos.information(expected=expected)

    def ascent(self) -> Vector:
        """Return Newton's step, or Fisher's scoring step where the cuts have no maximum nearby."""
        try:
            return self.information(expected=False).solve(self.gradient)
        except np.linalg.LinAlgError:
            return self.information(expected=True).solve(self.gradient)

    def reach(self, step: Vector) -> float:
        """Return the share of a step at which two cuts would meet."""
        gap, change = np.diff(self.x[self.size :]), np.diff(step[self.size :])
        closing = change < 0
        return float((gap[closing] / -change[closing]).min(initial=np.inf))

    def covariance(self, cells: Cells, how: str) -> Vector:
        """Return the covariance of the parameters: expected, observed, or a sandwich."""
        if how != "sandwich":
            reduced = self.information(expected=how == "expected").reduced()
            return np.asarray(np.linalg.inv(reduced))
        found = np.zeros((self.size, self.size))
        squares = (cells.neg_w2, cells.pos_w2)
        for influence, square in zip(self.influences(expected=False), squares, strict=True):
            found += (influence.T * square) @ influence
        return found

    def influences(self, *, expected: bool) -> tuple[Vector, Vector]:
        """Return how much a case changes the parameters, by its cell, shapes (k, p).

        Negatives come first; the information is the observed or the expected one.
        """
        columns = self.information(expected=expected).influences()
        first, cuts = columns[: self.size], columns[self.size :]
        none = np.zeros((1, self.size))
        low, high = np.concatenate([none, cuts]), np.concatenate([cuts, none])
        neg, pos = (
            each.by.T @ first + each.low[:, None] * low + each.high[:, None] * high
            for each in self.classes
        )
        return neg, pos


def climb_cells(
    cells: Cells, edges: Edges, start: Vector, size: int, *, near: float = 1e-9
) -> Maximum:
    """Maximise the likelihood as `fit_cells` does, to a given accuracy."""
    return climb(partial(CellHill, cells, edges, size), start, near=near)


def fit_cells(cells: Cells, edges: Edges, start: Vector, size: int) -> tuple[Maximum, CellHill]:
    """Maximise the likelihood over `size` parameters and the cuts between all cells.

    Parameters
    ----------
    cells : Cells
        What was observed.
    edges : callable
        The model.
    start : ndarray, shape (size + k - 1,)
        Parameters, then increasing cuts.
    size : int
        Number of parameters.

    Returns
    -------
    tuple
        The maximum, and the likelihood there.
    """
    found = climb_cells(cells, edges, start, size)
    return found, CellHill(cells, edges, size, found.x)


def expected_counts(hill: CellHill) -> tuple[Vector, Vector]:
    """Return the counts of negatives and positives that the model expects in each cell."""
    neg, pos = (each.count.sum() * each.chance for each in hill.classes)
    return neg, pos
