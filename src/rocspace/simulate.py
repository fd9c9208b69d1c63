"""Scores from populations whose true curve is known, to see what methods do.

A population is made by the name of its model, `binormal` or `ratings` say, and drawn from:
``binormal(0.8).draw(50, 100, rng=1)``. It also knows what an estimate should have been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace import summary
from rocspace._checks import ArrayLike, check_fraction, check_range
from rocspace.curves import roc_curve
from rocspace.table import ScoreTable, tabulate_classes

__all__ = [
    "DrawnScores",
    "Population",
    "ScoreBlocks",
    "binormal",
    "exponential",
    "gamma",
    "mixture",
    "ratings",
]

Law = Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]
Curve = Callable[[NDArray[np.float64]], NDArray[np.float64]]

# Where the integrand of a steep curve needs looking at more closely.
_STEEP = (1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9)
_FIVE_POS, _FIVE_NEG = (5, 5, 10, 25, 55), (55, 15, 12, 12, 6)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DrawnScores:
    """Labels and scores of the same cases; unpacks as ``y_true, y_score = drawn``.

    Attributes
    ----------
    y_true : ndarray of bool, shape (n,)
        The positives first.
    y_score : ndarray of float64, shape (n,)
        Their scores.
    """

    y_true: NDArray[np.bool_]
    y_score: NDArray[np.float64]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Yield the labels, then the scores."""
        yield self.y_true
        yield self.y_score


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoreBlocks:
    """Scores of many samples at once.

    Attributes
    ----------
    pos, neg : ndarray of float64, shapes (samples, n_pos, ...) and (samples, n_neg, ...)
        Row i holds the positives (negatives) of sample i. Several scores of the same cases
        have a last axis, one entry for each score.
    """

    pos: NDArray[np.float64]
    neg: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Population:
    """Two laws of scores, and the curve that belongs to them.

    Attributes
    ----------
    name : str
        What it is, in a few words.
    pos, neg : callable
        ``pos(generator, shape)`` draws scores of positives (negatives).
    curve : callable or None
        The true positive rate of an array of false ones; None for ratings.
    area : float
        Area under the true curve; not asked for with ratings.
    table : ScoreTable or None
        For ratings: counts or shares in proportion to both laws.

    Examples
    --------
    >>> population = binormal(0.8)
    >>> population
    Population('Normal, area 0.8')
    >>> population.draw(50, 100, rng=1)
    ScoreTable(150 distinct scores, 50 positives, 100 negatives)
    >>> round(population.tpr_at(0.1), 4)
    0.4636
    """

    name: str
    pos: Law
    neg: Law
    curve: Curve | None = None
    area: float = float("nan")
    table: ScoreTable | None = None

    def __repr__(self) -> str:
        return f"Population({self.name!r})"

    def draw(
        self, n_pos: int, n_neg: int, *, rng: np.random.Generator | int | None = None
    ) -> ScoreTable:
        """Draw one sample and count it.

        Parameters
        ----------
        n_pos, n_neg : int
            How many positives and negatives, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same sample.

        Returns
        -------
        ScoreTable
            Of the same scores as `draw_scores` gives.

        Raises
        ------
        ValueError
            If a size is not a whole number, 1 or more.
        """
        blocks = self.draw_blocks(n_pos, n_neg, samples=1, rng=rng)
        return tabulate_classes(blocks.pos[0], blocks.neg[0])

    def draw_scores(
        self, n_pos: int, n_neg: int, *, rng: np.random.Generator | int | None = None
    ) -> DrawnScores:
        """Draw one sample as labels and scores.

        Parameters
        ----------
        n_pos, n_neg : int
            How many positives and negatives, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same sample.

        Returns
        -------
        DrawnScores
            ``y_true`` and ``y_score``, the positives first.

        Raises
        ------
        ValueError
            If a size is not a whole number, 1 or more.
        """
        blocks = self.draw_blocks(n_pos, n_neg, samples=1, rng=rng)
        label = np.repeat([True, False], [n_pos, n_neg])
        return DrawnScores(y_true=label, y_score=np.concatenate([blocks.pos[0], blocks.neg[0]]))

    def draw_blocks(
        self,
        n_pos: int,
        n_neg: int,
        *,
        samples: int,
        rng: np.random.Generator | int | None = None,
    ) -> ScoreBlocks:
        """Draw many samples at once.

        Parameters
        ----------
        n_pos, n_neg : int
            How many positives and negatives each sample has, 1 or more.
        samples : int
            How many samples, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; all positives are drawn before all negatives.

        Returns
        -------
        ScoreBlocks
            Arrays of shapes (samples, n_pos) and (samples, n_neg).

        Raises
        ------
        ValueError
            If a size is not a whole number, 1 or more.
        """
        check_sizes(n_pos=n_pos, n_neg=n_neg, samples=samples)
        generator = np.random.default_rng(rng)
        pos = self.pos(generator, (samples, n_pos))
        return ScoreBlocks(pos=pos, neg=self.neg(generator, (samples, n_neg)))

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """Return the true curve at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1].

        Returns
        -------
        float or ndarray
            True positive rates in [0, 1]; of ratings the polygon, at the top of a vertical run.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.
        """
        at = check_fraction("fpr", fpr)
        if self.table is not None:
            return roc_curve(self.table).tpr_at(at)
        assert self.curve is not None
        found = self.curve(at)
        return float(found) if np.ndim(found) == 0 else found

    @cached_property
    def auc(self) -> float:
        """Area under the true curve, in [0, 1]."""
        return self.area if self.table is None else summary.auc(self.table)

    def partial_auc(self, low: float, high: float) -> float:
        """Return the area under the true curve between two false positive rates.

        Parameters
        ----------
        low, high : float
            The range, with ``0 <= low < high <= 1``.

        Returns
        -------
        float
            From 0 to ``high - low``, raw; over (0, 1) it is `auc`.

        Raises
        ------
        ValueError
            If the range is not increasing inside [0, 1].

        Notes
        -----
        Exact for ratings, by adaptive quadrature to about 1e-10 otherwise.
        """
        low, high = check_range("(low, high)", (low, high))
        if self.table is not None:
            return summary.partial_auc(self.table, fpr=(low, high))
        if (low, high) == (0.0, 1.0):
            return self.area
        from scipy.integrate import quad

        at = [x for x in _STEEP if low < x < high]
        return float(quad(self.tpr_at, low, high, points=at or None, limit=500, epsabs=1e-10)[0])


def check_sizes(**sizes: object) -> None:
    """Check that each size is a whole number, 1 or more."""
    for name, size in sizes.items():
        whole = isinstance(size, (int, np.integer)) and not isinstance(size, bool)
        if not whole or size < 1:  # type: ignore[operator]
            msg = f"{name} is {size!r}, but must be a whole number, 1 or more."
            raise ValueError(msg)


def check_area(name: str, area: float) -> float:
    """Check an area that a model can have: strictly between 0 and 1."""
    if not 0 < area < 1:
        msg = f"{name} is {area}, but must lie strictly between 0 and 1."
        raise ValueError(msg)
    return float(area)


def check_positive(name: str, value: float) -> float:
    """Check a finite number above 0."""
    if not 0 < value < np.inf:
        msg = f"{name} is {value}, but must be a positive number."
        raise ValueError(msg)
    return float(value)


# --- models -----------------------------------------------------------------------------------


def binormal(area: float, sd_ratio: float = 1.0) -> Population:
    """Make a population of Normal scores, the model that most curves are near.

    Parameters
    ----------
    area : float
        Area under the true curve, strictly between 0 and 1.
    sd_ratio : float, default 1
        Standard deviation of the positives over that of the negatives; the curve is
        improper (crosses the diagonal) unless it is 1.

    Returns
    -------
    Population
        Negatives from N(0, 1), positives from N(mu, sd_ratio^2).

    Raises
    ------
    ValueError
        If the area or the ratio is out of range.

    Notes
    -----
    ``tpr = Phi((mu + Phi^-1(fpr)) / sd)`` with ``mu = Phi^-1(area) sqrt(1 + sd^2)``, that is
    ``Phi(a + b Phi^-1(fpr))`` with ``a = mu / sd`` and ``b = 1 / sd``.

    Examples
    --------
    >>> binormal(0.9, sd_ratio=2).auc
    0.9
    """
    from scipy.special import ndtri

    sd = check_positive("sd_ratio", sd_ratio)
    mu = float(ndtri(check_area("area", area))) * (1 + sd**2) ** 0.5
    return Population(
        name=f"Normal, area {area:g}" + (f", sd {sd:g}" if sd != 1 else ""),
        pos=partial(_normal, mu, sd),
        neg=partial(_normal, 0, 1),
        curve=partial(_binormal_curve, mu, sd),
        area=float(area),
    )


def _normal(
    mu: float, sd: float, rng: np.random.Generator, size: tuple[int, int]
) -> NDArray[np.float64]:
    return rng.normal(mu, sd, size)


def _binormal_curve(mu: float, sd: float, fpr: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import ndtr, ndtri

    return np.asarray(ndtr((mu + ndtri(fpr)) / sd))


def exponential(area: float) -> Population:
    """Make a population of exponential scores, skewed: the model of Hanley and McNeil (1982).

    Parameters
    ----------
    area : float
        Area under the true curve, strictly between 0 and 1.

    Returns
    -------
    Population
        The positives are ``area / (1 - area)`` times as large; ``tpr = fpr^((1 - area) / area)``.

    Raises
    ------
    ValueError
        If the area is out of range.

    Examples
    --------
    >>> round(exponential(0.75).tpr_at(0.125), 12)  # the third root
    0.5
    """
    ratio = check_area("area", area) / (1 - area)
    return Population(
        name=f"exponential, area {area:g}",
        pos=partial(_exponential, ratio),
        neg=partial(_exponential, 1),
        curve=partial(_power_curve, 1 / ratio),
        area=float(area),
    )


def _exponential(
    scale: float, rng: np.random.Generator, size: tuple[int, int]
) -> NDArray[np.float64]:
    return rng.exponential(scale, size)


def _power_curve(power: float, fpr: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(fpr**power)


def gamma(shape: float, ratio: float) -> Population:
    """Make a population of gamma scores, skewed, with a proper curve.

    Parameters
    ----------
    shape : float
        Shape of both laws, above 0; 1 is `exponential`.
    ratio : float
        How many times as large the positives are, above 0.

    Returns
    -------
    Population
        Its area is ``I(shape, shape; ratio / (1 + ratio))``, the incomplete beta function.

    Raises
    ------
    ValueError
        If a parameter is not positive.

    Examples
    --------
    >>> round(gamma(1, 3).auc, 12)
    0.75
    """
    from scipy.special import betainc

    shape, ratio = check_positive("shape", shape), check_positive("ratio", ratio)
    return Population(
        name=f"gamma({shape:g}), ratio {ratio:g}",
        pos=partial(_gamma, shape, ratio),
        neg=partial(_gamma, shape, 1),
        curve=partial(_gamma_curve, shape, ratio),
        area=float(betainc(shape, shape, ratio / (1 + ratio))),
    )


def _gamma(
    shape: float, scale: float, rng: np.random.Generator, size: tuple[int, int]
) -> NDArray[np.float64]:
    return scale * rng.gamma(shape, size=size)


def _gamma_curve(shape: float, ratio: float, fpr: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import gammaincc, gammainccinv

    return np.asarray(gammaincc(shape, gammainccinv(shape, fpr) / ratio))


def mixture(share: float, shift: float = 9.0) -> Population:
    """Make a population where some positives cannot be told from negatives.

    Parameters
    ----------
    share : float
        Share of the positives whose scores are like the negatives', in [0, 1].
    shift : float, default 9
        How far above the other positives are, in standard deviations.

    Returns
    -------
    Population
        Negatives from N(0, 1), positives from N(0, 1) or N(shift, 1).

    Raises
    ------
    ValueError
        If the share is outside [0, 1].

    Examples
    --------
    >>> round(mixture(0.2).tpr_at(0.5), 9)  # half of the hidden ones, and all others
    0.9
    """
    from scipy.special import ndtr

    share = float(check_fraction("share", share))
    return Population(
        name=f"{share:.0%} of positives hidden",
        pos=partial(_mixed, share, shift),
        neg=partial(_normal, 0, 1),
        curve=partial(_mixture_curve, share, shift),
        area=share / 2 + (1 - share) * float(ndtr(shift / 2**0.5)),
    )


def _mixed(
    share: float, shift: float, rng: np.random.Generator, size: tuple[int, int]
) -> NDArray[np.float64]:
    scores = rng.normal(0, 1, size)
    return np.asarray(scores + shift * (rng.random(size) >= share))


def _mixture_curve(share: float, shift: float, fpr: NDArray[np.float64]) -> NDArray[np.float64]:
    return share * fpr + (1 - share) * _binormal_curve(shift, 1, fpr)


def ratings(pos: Sequence[int] = _FIVE_POS, neg: Sequence[int] = _FIVE_NEG) -> Population:
    """Make a population of few ratings, heavily tied.

    Parameters
    ----------
    pos, neg : sequence of int, shape (k,)
        In what proportions positives and negatives get the ratings 0 to k - 1; by
        default five ratings with an area of 0.8745.

    Returns
    -------
    Population
        Its curve is the polygon through its k + 1 points.

    Raises
    ------
    ValueError
        If the lengths differ, a number is negative or not whole, or a class is empty.

    Examples
    --------
    >>> ratings().draw(50, 50, rng=1)
    ScoreTable(5 distinct scores, 50 positives, 50 negatives)
    >>> ratings([0, 1], [1, 1]).auc
    0.75
    """
    values = np.arange(float(len(pos)))
    table = ScoreTable.from_counts(values, pos, neg)
    number = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}.get(len(pos), str(len(pos)))
    return Population(
        name=f"{number} ratings",
        pos=partial(_rated, _shares("pos", pos)),
        neg=partial(_rated, _shares("neg", neg)),
        table=table,
    )


def _shares(name: str, counts: Sequence[int]) -> NDArray[np.float64]:
    total = sum(counts)
    if total <= 0:
        msg = f"{name} has no rating above 0: both classes need at least one."
        raise ValueError(msg)
    return np.divide(counts, total)


def _rated(
    shares: NDArray[np.float64], rng: np.random.Generator, size: tuple[int, int]
) -> NDArray[np.float64]:
    return rng.choice(np.arange(float(shares.size)), size, p=shares)
