"""Scores from populations whose true curve is known, to evaluate methods.

A population is made by the function of its model, such as `binormal` or `ratings`, and then
sampled: ``binormal(0.8).draw(50, 100, rng=1)``. It also has the true curve and its area.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import (
    as_numbers,
    check_fraction,
    check_inside,
    check_positive,
    check_sizes,
)
from rocspace._base.errors import Argument, ArgumentError
from rocspace.counts.table import ScoreTable
from rocspace.curves.summaries import auc
from rocspace.simulate.populations import (
    ClusteredPopulation,
    PairedPopulation,
    Population,
    RatedPopulation,
)

_FIVE_POS, _FIVE_NEG = (5, 5, 10, 25, 55), (55, 15, 12, 12, 6)


# --- models -----------------------------------------------------------------------------------


@explained
def binormal(area: float, sd_ratio: float = 1.0) -> Population:
    """Make a population of Normal scores: the binormal model.

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

    References
    ----------
    Wang, Zhu and Xu (2021), equations 11 to 13.

    Examples
    --------
    >>> binormal(0.9, sd_ratio=2).auc
    0.9
    """
    from scipy.special import ndtri

    sd = check_positive("sd_ratio", sd_ratio)
    if sd >= 1e150:
        raise ArgumentError(Argument("sd_ratio"), f" is {sd}, whose square is beyond a float.")
    mu = float(ndtri(check_inside("area", area))) * (1 + sd**2) ** 0.5
    return Population(
        name=f"Normal, area {area:g}" + (f", sd {sd:g}" if sd != 1 else ""),
        pos=partial(_normal, mu, sd),
        neg=partial(_normal, 0, 1),
        curve=partial(_binormal_curve, mu, sd),
        auc=float(area),
    )


def _normal(mu: float, sd: float, rng: np.random.Generator, size: tuple[int, int]) -> Vector:
    return rng.normal(mu, sd, size)


def _binormal_curve(mu: float, sd: float, fpr: Vector) -> Vector:
    from scipy.special import ndtr, ndtri

    return np.asarray(ndtr((mu + ndtri(fpr)) / sd))


@explained
def exponential(area: float) -> Population:
    """Make a population of exponential scores, skewed: the model of Hanley and McNeil (1982).

    Parameters
    ----------
    area : float
        Area under the true curve, strictly between 0 and 1.

    Returns
    -------
    Population
        The scores of the positives are ``area / (1 - area)`` times as large in distribution; ``tpr
        = fpr^((1 - area) / area)``.

    Raises
    ------
    ValueError
        If the area is out of range.

    References
    ----------
    Hanley and McNeil (1982), equations 1 and 2, which hold for this model.

    Examples
    --------
    >>> round(exponential(0.75).tpr_at(0.125), 12)  # the third root
    0.5
    """
    ratio = check_inside("area", area) / (1 - area)
    return Population(
        name=f"exponential, area {area:g}",
        pos=partial(_exponential, ratio),
        neg=partial(_exponential, 1),
        curve=partial(_power_curve, 1 / ratio),
        auc=float(area),
    )


def _exponential(scale: float, rng: np.random.Generator, size: tuple[int, int]) -> Vector:
    return rng.exponential(scale, size)


def _power_curve(power: float, fpr: Vector) -> Vector:
    return np.asarray(fpr**power)


@explained
def gamma(shape: float, ratio: float) -> Population:
    """Make a population of gamma scores, skewed, with a proper curve.

    Parameters
    ----------
    shape : float
        Shape of both distributions, above 0; 1 is `exponential`.
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

    References
    ----------
    Constantine, Karson and Tse (1986), no numbered equation, for the gamma distribution.

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
        auc=float(betainc(shape, shape, ratio / (1 + ratio))),
    )


def _gamma(shape: float, scale: float, rng: np.random.Generator, size: tuple[int, int]) -> Vector:
    return scale * rng.gamma(shape, size=size)


def _gamma_curve(shape: float, ratio: float, fpr: Vector) -> Vector:
    from scipy.special import gammaincc, gammainccinv

    return np.asarray(gammaincc(shape, gammainccinv(shape, fpr) / ratio))


@explained
def mixture(share: float, shift: float = 9.0) -> Population:
    """Make a population where some positives have the scores of negatives.

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

    References
    ----------
    No source: our own.

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
        auc=share / 2 + (1 - share) * float(ndtr(shift / 2**0.5)),
    )


def _mixed(share: float, shift: float, rng: np.random.Generator, size: tuple[int, int]) -> Vector:
    scores = rng.normal(0, 1, size)
    return np.asarray(scores + shift * (rng.random(size) >= share))


def _mixture_curve(share: float, shift: float, fpr: Vector) -> Vector:
    return share * fpr + (1 - share) * _binormal_curve(shift, 1, fpr)


@explained
def ratings(pos: Sequence[int] = _FIVE_POS, neg: Sequence[int] = _FIVE_NEG) -> Population:
    """Make a population of few ratings, heavily tied.

    Parameters
    ----------
    pos, neg : sequence of int, shape (k,)
        Proportions in which positives and negatives get the ratings 0 to k - 1; by
        default five ratings with an area of 0.8745.

    Returns
    -------
    Population
        Its curve is the polygon through its k + 1 points.

    Raises
    ------
    ValueError
        If the lengths differ, a number is negative or not whole, or a class is empty.

    References
    ----------
    Dorfman and Alf (1969), no numbered equation, for ratings as Normal scores that are cut.

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
    return _of_ratings(number, _shares("pos", pos), _shares("neg", neg), table)


def _of_ratings(number: str, pos: Vector, neg: Vector, table: ScoreTable) -> RatedPopulation:
    """Make a population of the shares of its ratings, lowest first."""
    return RatedPopulation(
        name=f"{number} ratings",
        pos=partial(_rated, pos),
        neg=partial(_rated, neg),
        auc=auc(table),
        table=table,
    )


def _shares(name: str, counts: Sequence[int]) -> Vector:
    total = sum(counts)
    if total <= 0:
        msg = f"{name} has no rating above 0: both classes need at least one."
        raise ValueError(msg)
    return np.divide(counts, total)


def _rated(shares: Vector, rng: np.random.Generator, size: tuple[int, int]) -> Vector:
    return rng.choice(np.arange(float(shares.size)), size, p=shares)


# --- several scores, clusters -----------------------------------------------------------------


@explained
def paired_binormal(
    areas: Sequence[float],
    *,
    sd_ratio: float | Sequence[float] = 1.0,
    r_pos: ArrayLike = 0.5,
    r_neg: ArrayLike = 0.5,
    cuts: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
) -> PairedPopulation:
    """Make a population of several scores of the same cases, each with a Normal model.

    Parameters
    ----------
    areas : sequence of float, shape (m,)
        Areas under the true curves, strictly between 0 and 1.
    sd_ratio : float or sequence of float, default 1
        Standard deviation of the positives over that of the negatives, one for all scores
        or one for each.
    r_pos, r_neg : float or array-like of shape (m, m), default 0.5
        Correlations among the positives' scores, and among the negatives'.
    cuts : sequence of float, shape (k - 1,), optional
        Cut the scores into k ratings at these values, in standard deviations of the
        negatives. `areas` then are those of the ratings.
    names : sequence of str, optional
        By default score_1, score_2, ...

    Returns
    -------
    PairedPopulation
        A Normal copula in each class: any increasing function of the scores has the
        same curves and the same tests.

    Raises
    ------
    ValueError
        If an area, the ratio, the names or the cuts are out of range, ratings cannot have such an
        area, or the correlation matrix is not positive semi-definite.

    References
    ----------
    Metz, Wang and Kronman (1984), no numbered equation, for the model.

    Examples
    --------
    >>> rated = paired_binormal([0.8, 0.85], cuts=(0, 0.5, 1, 1.5))
    >>> rated.auc.round(12)
    array([0.8 , 0.85])
    >>> rated.draw(50, 50, rng=1).table("score_1")
    ScoreTable(5 distinct scores, 50 positives, 50 negatives)
    """
    m = len(areas)
    ratios = np.ravel(sd_ratio)
    if ratios.size not in (1, m):
        msg = f"sd_ratio has {ratios.size} entries, but there are {m} areas: give one, or {m}."
        raise ValueError(msg)
    sd = np.broadcast_to([check_positive("sd_ratio", float(x)) for x in ratios], m)
    several = _several(areas, sd, cuts, names)
    listed = ", ".join(f"{area:g}" for area in areas)
    return PairedPopulation(
        **several,
        name=f"paired {'Normal' if cuts is None else 'ratings'}, areas {listed}",
        sd=sd,
        r_pos=_correlations("r_pos", r_pos, m),
        r_neg=_correlations("r_neg", r_neg, m),
    )


@explained
def clustered_binormal(
    areas: Sequence[float],
    *,
    sizes: Sequence[int] = (2,),
    intraclass: float = 0.5,
    r: ArrayLike = 0.5,
    prevalence: float = 0.5,
    label_correlation: float = 0.0,
    cuts: Sequence[float] | None = None,
) -> ClusteredPopulation:
    """Make a population of clusters, whose cases are correlated.

    Parameters
    ----------
    areas : sequence of float, shape (m,)
        Areas under the true curves of cases from different clusters, one for each score.
    sizes : sequence of int, default (2,)
        Each cluster has one of these sizes, all equally likely.
    intraclass : float, default 0.5
        Share of the variance that the cases of a cluster have in common, whatever their
        labels, in [0, 1].
    r : float or array-like of shape (m, m), default 0.5
        Correlations among the scores of one case.
    prevalence : float, default 0.5
        Probability that a case is positive, strictly between 0 and 1.
    label_correlation : float, default 0
        Correlation between the labels of two cases of one cluster, at least 0, below 1.
    cuts : sequence of float, shape (k - 1,), optional
        Cut the scores into k ratings at these values, in standard deviations.

    Returns
    -------
    ClusteredPopulation
        Score = mean of the class + effect of the cluster + the case's own part, all Normal.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    No source: our own, a random effect for each cluster.

    Examples
    --------
    >>> clustered_binormal([0.8, 0.8], sizes=[1, 4]).draw(100, rng=1)
    PairedScores(score_1, score_2: 131 positives, 119 negatives, 100 clusters)
    """
    if len(sizes) == 0:
        msg = "sizes is empty: give at least one size of a cluster."
        raise ValueError(msg)
    check_sizes(**{f"sizes[{i}]": size for i, size in enumerate(sizes)})
    if not 0 <= label_correlation < 1:
        msg = f"label_correlation is {label_correlation}, but must be at least 0 and below 1."
        raise ValueError(msg)
    several = _several(areas, np.ones(len(areas)), cuts, None)
    listed = ", ".join(f"{area:g}" for area in areas)
    return ClusteredPopulation(
        **several,
        name=f"clusters, areas {listed}, intraclass correlation {intraclass:g}",
        r=_correlations("r", r, len(areas)),
        intraclass=float(check_fraction("intraclass", intraclass)),
        sizes=tuple(sizes),
        prevalence=check_inside("prevalence", prevalence),
        label_correlation=float(label_correlation),
    )


def _several(
    areas: Sequence[float], sd: Vector, cuts: Sequence[float] | None, names: Sequence[str] | None
) -> dict[str, Any]:
    """Return the fields that all populations of several scores have, by name."""
    at = None if cuts is None else _check_cuts(cuts)
    made = [_margin(area, float(s), at) for area, s in zip(areas, sd, strict=True)]
    return {
        "names": _score_names(names, len(areas)),
        "margins": tuple(margin for margin, _ in made),
        "mean": np.array([mean for _, mean in made]),
        "cuts": at,
    }


def _check_cuts(cuts: Sequence[float]) -> Vector:
    at = np.array(cuts, dtype=np.float64)
    if at.ndim != 1 or not at.size or not np.isfinite(at).all() or (np.diff(at) <= 0).any():
        msg = f"cuts are {cuts}, but must be finite numbers, each larger than the one before."
        raise ValueError(msg)
    return at


def _score_names(names: Sequence[str] | None, m: int) -> tuple[str, ...]:
    if not m:
        msg = "areas is empty: give one area for each score."
        raise ValueError(msg)
    found = tuple(names or [f"score_{i + 1}" for i in range(m)])
    if len(found) != m or len(set(found)) < m:
        msg = f"names are {list(found)}, but {m} different ones are needed, one for each area."
        raise ValueError(msg)
    return found


def _correlations(name: str, value: ArrayLike, m: int) -> Vector:
    """Make a correlation matrix of one number, or check one that is given."""
    r = as_numbers(name, value)
    if r.ndim == 0:
        r = np.where(np.eye(m, dtype=bool), 1.0, r)
    sound = r.shape == (m, m) and np.allclose(r, r.T) and np.allclose(np.diag(r), 1)
    if not sound or not np.linalg.eigvalsh(r).min() > -1e-9:
        msg = (
            f"{name} is {np.asarray(value).tolist()}, but must be a correlation, or a matrix of "
            f"correlations of {m} scores: symmetric, ones on its diagonal, no negative eigenvalue."
        )
        raise ValueError(msg)
    return r


def _margin(area: float, sd: float, cuts: Vector | None) -> tuple[Population, float]:
    """Return the population of one score, and the mean of its positives before cutting."""
    from scipy.special import ndtri

    area = check_inside("area", area)
    if cuts is None:
        return binormal(area, sd), float(ndtri(area)) * (1 + sd**2) ** 0.5
    from scipy.optimize import brentq

    def excess(mean: float) -> float:
        return _cut_normal(mean, sd, cuts).auc - area

    least, most = float(cuts[0]) - 40 * sd, float(cuts[-1]) + 40 * sd
    if excess(least) > 0 or excess(most) < 0:
        msg = f"Ratings with these cuts have no area of {area}: cut elsewhere, or more often."
        raise ValueError(msg)
    mean = float(brentq(excess, least, most, xtol=1e-13))
    return _cut_normal(mean, sd, cuts), mean


def _cut_normal(mean: float, sd: float, cuts: Vector) -> Population:
    """Return the population of ratings cut from Normal scores."""
    from scipy.special import ndtr

    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    # Shares of the ratings, highest first, from the nearer tail.
    neg, pos = (np.diff(ndtr((mu - ends[::-1]) / s)) for mu, s in ((0.0, 1.0), (mean, sd)))
    score = np.arange(float(cuts.size), -1, -1)
    table = ScoreTable(score, pos, neg, pos**2, neg**2)  # shares are weights
    return _of_ratings(str(cuts.size + 1), pos[::-1], neg[::-1], table)
