"""Classes of populations to draw scores from; the models are in `rocspace.simulate.models`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector
from rocspace._base.checks import Ends, check_rng, check_room, check_sizes
from rocspace._base.frozen import Result
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, tabulate_classes
from rocspace.curves.roc import roc_curve
from rocspace.results.curve import Line, PolygonCurve, SmoothCurve

Sampler = Callable[[np.random.Generator, tuple[int, int]], Vector]
TrueCurve = Callable[[Vector], Vector]


class DrawnScores(Result):
    """Labels and scores of the same cases; unpacks as ``y_true, y_score = drawn``.

    Attributes
    ----------
    y_true : ndarray of bool, shape (n,)
        The positives first.
    y_score : ndarray of float64, shape (n,)
        Their scores.

    See Also
    --------
    Population.draw_scores
    """

    y_true: Mask
    y_score: Vector

    def __iter__(self) -> Iterator[Array]:
        """Yield the labels, then the scores."""
        yield self.y_true
        yield self.y_score


class ScoreBlocks(Result):
    """Scores of many samples at once.

    Attributes
    ----------
    pos, neg : ndarray of float64, shapes (n_sim, n_pos, ...) and (n_sim, n_neg, ...)
        Row i has the positives (negatives) of sample i. Several scores of the same cases
        have a last axis, one entry for each score.

    See Also
    --------
    Population
    """

    pos: Vector
    neg: Vector

    def _columns(self) -> dict[str, Any]:
        """Return a row for each case: its sample, its label and its scores."""
        both = np.concatenate([self.pos, self.neg], axis=1)
        n_sim, n, n_pos = *both.shape[:2], self.pos.shape[1]
        scores = both.reshape(n_sim * n, -1).T
        names = ["score"] if len(scores) == 1 else [f"score_{i + 1}" for i in range(len(scores))]
        return {
            "sample": np.repeat(np.arange(n_sim), n),
            "label": np.tile(np.arange(n) < n_pos, n_sim),
            **dict(zip(names, scores, strict=True)),
        }


class _Named(Result):
    name: str

    def _about(self) -> str:
        return f"{self.name!r}"


class _Drawn(_Named):
    """A population of independent cases."""

    if TYPE_CHECKING:

        def _blocks(
            self, rng: np.random.Generator, n_pos: int, n_neg: int, n_sim: int
        ) -> ScoreBlocks: ...

    def draw_blocks(
        self,
        n_pos: int,
        n_neg: int,
        *,
        n_sim: int,
        rng: np.random.Generator | int | None = None,
    ) -> ScoreBlocks:
        """Draw many samples at once.

        Parameters
        ----------
        n_pos, n_neg : int
            How many positives and negatives each sample has, 1 or more.
        n_sim : int
            How many samples, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; all positives are drawn before all negatives.

        Returns
        -------
        ScoreBlocks
            Arrays of shapes (n_sim, n_pos) and (n_sim, n_neg).

        Raises
        ------
        ValueError
            If a size is not a whole number, 1 or more.
        """
        check_sizes(n_pos=n_pos, n_neg=n_neg, n_sim=n_sim)
        check_room("n_pos", n_pos, numbers=n_sim)
        check_room("n_neg", n_neg, numbers=n_sim)
        return self._blocks(check_rng(rng), n_pos, n_neg, n_sim)


class Population(SmoothCurve, _Drawn):
    """Two distributions of scores, and their true curve.

    Attributes
    ----------
    name : str
        Description in a few words.
    pos, neg : callable
        ``pos(generator, shape)`` draws scores of positives (negatives).
    curve : callable or None
        The true positive rate of an array of false ones; None for ratings.
    auc : float
        Area under the true curve, in [0, 1].
    table : ScoreTable or None
        For ratings: counts or shares in proportion to both distributions.

    See Also
    --------
    binormal, exponential, gamma

    Examples
    --------
    >>> from rocspace.simulate import binormal
    >>> population = binormal(0.8)
    >>> population
    Population('Normal, area 0.8')
    >>> population.draw(50, 100, rng=1)
    ScoreTable(150 distinct scores, 50 positives, 100 negatives)
    >>> round(population.tpr_at(0.1), 4)
    0.4636
    """

    pos: Sampler
    neg: Sampler
    curve: TrueCurve | None = None
    auc: float = float("nan")
    table: ScoreTable | None = None

    def draw(
        self, n_pos: int, n_neg: int, *, rng: np.random.Generator | int | None = None
    ) -> ScoreTable:
        """Draw one sample and count it.

        Parameters
        ----------
        n_pos, n_neg : int
            Numbers of positives and negatives, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same sample.

        Returns
        -------
        ScoreTable
            The counts of the same scores that `draw_scores` returns.

        Raises
        ------
        ValueError
            If a size is not a whole number, 1 or more.
        """
        blocks = self.draw_blocks(n_pos, n_neg, n_sim=1, rng=rng)
        return tabulate_classes(blocks.pos[0], blocks.neg[0])

    def draw_scores(
        self, n_pos: int, n_neg: int, *, rng: np.random.Generator | int | None = None
    ) -> DrawnScores:
        """Draw one sample as labels and scores.

        Parameters
        ----------
        n_pos, n_neg : int
            Numbers of positives and negatives, 1 or more.
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

        Examples
        --------
        >>> from rocspace.simulate import binormal
        >>> y_true, y_score = binormal(0.8).draw_scores(2, 3, rng=1)
        >>> y_true, y_score.shape
        (array([ True,  True, False, False, False]), (5,))
        """
        blocks = self.draw_blocks(n_pos, n_neg, n_sim=1, rng=rng)
        label = np.repeat([True, False], [n_pos, n_neg])
        return DrawnScores(y_true=label, y_score=np.concatenate([blocks.pos[0], blocks.neg[0]]))

    def _blocks(self, rng: np.random.Generator, n_pos: int, n_neg: int, n_sim: int) -> ScoreBlocks:
        pos = self.pos(rng, (n_sim, n_pos))
        return ScoreBlocks(pos=pos, neg=self.neg(rng, (n_sim, n_neg)))

    def _tpr(self, at: Any) -> Any:
        assert self.curve is not None
        return self.curve(at)


class RatedPopulation(PolygonCurve, Population):
    """A population of ratings, whose true curve is a polygon."""

    _kind = "Population"

    @cached_property
    def line(self) -> Line:
        """The vertices, from (0, 0) to (1, 1)."""
        assert self.table is not None
        return roc_curve(self.table).line


# --- several scores of the same cases ---------------------------------------------------------


class _Several(_Named):
    """A population of several scores, each with its true curve."""

    names: tuple[str, ...]
    margins: tuple[Population, ...]
    mean: Vector

    def _columns(self) -> dict[str, Any]:
        return {"score": list(self.names), "auc": self.auc, "mean": self.mean}

    @property
    def auc(self) -> Vector:
        """Areas under the true curves, shape (m,).

        Where cases come in clusters, these are the areas of pairs from different clusters. The
        empirical area also compares cases of one cluster, which differ less; their share of the
        pairs vanishes as clusters grow in number.
        """
        return np.array([margin.auc for margin in self.margins])

    def tpr_at(self, fpr: ArrayLike) -> Vector:
        """Return the true curves at given false positive rates.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1].

        Returns
        -------
        ndarray
            True positive rates in [0, 1], one row for each score.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.
        """
        return np.array([margin.tpr_at(fpr) for margin in self.margins])

    def partial_auc(self, *, fpr: Ends | None = None, tpr: Ends | None = None) -> Vector:
        """Return the areas under the true curves in a range of one of the rates.

        Parameters
        ----------
        fpr, tpr : tuple of float, optional
            As for `Population.partial_auc`.

        Returns
        -------
        ndarray, shape (m,)
            As `Population.partial_auc`.

        Raises
        ------
        ValueError
            As `Population.partial_auc`.
        """
        return np.array([margin.partial_auc(fpr=fpr, tpr=tpr) for margin in self.margins])


class PairedPopulation(_Several, _Drawn):
    """Several scores of the same cases: correlated Normal variables, or ratings cut from them.

    Attributes
    ----------
    name : str
        Description in a few words.
    names : tuple of str
        One name for each of the m scores.
    margins : tuple of Population
        The population of each score alone.
    mean, sd : ndarray of float64, shape (m,)
        Mean and standard deviation of the positives, before any cutting; the negatives have 0 and
        1.
    r_pos, r_neg : ndarray of float64, shape (m, m)
        Correlations among positives, and among negatives, before any cutting.
    cuts : ndarray of float64, shape (k - 1,), or None
        Where k ratings begin; None leaves the scores continuous.

    See Also
    --------
    paired_binormal

    Examples
    --------
    >>> from rocspace.simulate import paired_binormal
    >>> population = paired_binormal([0.8, 0.9])
    >>> population.draw(50, 100, rng=1)
    PairedScores(score_1, score_2: 50 positives, 100 negatives)
    >>> population.auc
    array([0.8, 0.9])
    """

    sd: Vector
    r_pos: Vector
    r_neg: Vector
    cuts: Vector | None = None

    def draw(
        self, n_pos: int, n_neg: int, *, rng: np.random.Generator | int | None = None
    ) -> PairedScores:
        """Draw one sample.

        Parameters
        ----------
        n_pos, n_neg : int
            Numbers of positives and negatives, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same sample.

        Returns
        -------
        PairedScores
            The positives first.

        Raises
        ------
        ValueError
            If a size is not a whole number, 1 or more.
        """
        blocks = self.draw_blocks(n_pos, n_neg, n_sim=1, rng=rng)
        return PairedScores(
            label=np.repeat([True, False], [n_pos, n_neg]),
            score=np.concatenate([blocks.pos[0], blocks.neg[0]]),
            names=self.names,
        )

    def _blocks(self, rng: np.random.Generator, n_pos: int, n_neg: int, n_sim: int) -> ScoreBlocks:
        m = len(self.names)
        pos = rng.standard_normal((n_sim, n_pos, m)) @ self._roots[0]
        neg = rng.standard_normal((n_sim, n_neg, m)) @ self._roots[1]
        return ScoreBlocks(pos=_cut(pos * self.sd + self.mean, self.cuts), neg=_cut(neg, self.cuts))

    @cached_property
    def _roots(self) -> tuple[Vector, Vector]:
        return symmetric_root(self.r_pos), symmetric_root(self.r_neg)


def symmetric_root(matrix: Vector) -> Vector:
    """Return the symmetric square root of a covariance matrix, which may be singular."""
    value, vector = np.linalg.eigh(matrix)
    return np.asarray((vector * np.sqrt(np.maximum(value, 0))) @ vector.T)


def _cut(score: Vector, cuts: Vector | None) -> Vector:
    if cuts is None:
        return score
    return np.searchsorted(cuts, score, side="right").astype(np.float64)


# --- clusters of cases ------------------------------------------------------------------------


class ClusteredPopulation(_Several):
    """Cases in clusters, such as the eyes of a patient: each cluster shifts all of its scores.

    Attributes
    ----------
    name : str
        Description in a few words.
    names : tuple of str
        One name for each of the m scores.
    margins : tuple of Population
        The population of each score alone, of cases from different clusters.
    mean : ndarray of float64, shape (m,)
        Means of the positives, before any cutting; those of the negatives are 0, and all standard
        deviations are 1.
    r : ndarray of float64, shape (m, m)
        Correlations among the scores of one case.
    intraclass : float
        Share of the variance that the cases of a cluster have in common.
    sizes : tuple of int
        Each cluster has one of these sizes, all equally likely.
    prevalence : float
        Probability that a case is positive.
    label_correlation : float
        Correlation between the labels of two cases of one cluster.
    cuts : ndarray of float64, shape (k - 1,), or None
        Where k ratings begin; None leaves the scores continuous.

    See Also
    --------
    clustered_binormal

    Examples
    --------
    >>> from rocspace.simulate import clustered_binormal
    >>> population = clustered_binormal([0.8], sizes=(2, 3))
    >>> data = population.draw(40, rng=1)
    >>> data, int(data.cluster.max()) + 1
    (PairedScores(score_1: 45 positives, 53 negatives, 40 clusters), 40)
    """

    r: Vector
    intraclass: float
    sizes: tuple[int, ...]
    prevalence: float
    label_correlation: float = 0.0
    cuts: Vector | None = None

    def draw(
        self, n_clusters: int, *, rng: np.random.Generator | int | None = None
    ) -> PairedScores:
        """Draw one sample of clusters.

        Parameters
        ----------
        n_clusters : int
            How many clusters, 1 or more.
        rng : numpy.random.Generator or int, optional
            Generator or seed; the same seed gives the same sample.

        Returns
        -------
        PairedScores
            With ``cluster`` set. Labels are redrawn until both classes are present.

        Raises
        ------
        ValueError
            If the number is not whole, 1 or more, or there can be one case only.
        """
        check_room("n_clusters", n_clusters, numbers=max(self.sizes))
        if n_clusters * max(self.sizes) < 2:
            msg = "A single case cannot be of both classes: draw more clusters."
            raise ValueError(msg)
        generator = check_rng(rng)
        cluster, label = self._labels(n_clusters, generator)
        while label.all() or not label.any():
            cluster, label = self._labels(n_clusters, generator)
        m, root = len(self.names), symmetric_root(self.r)
        common = generator.standard_normal((n_clusters, m)) @ root * self.intraclass**0.5
        own = generator.standard_normal((label.size, m)) @ root * (1 - self.intraclass) ** 0.5
        score = common[cluster] + own + np.outer(label, self.mean)
        return PairedScores(
            label=label, score=_cut(score, self.cuts), names=self.names, cluster=cluster
        )

    def _labels(self, n_clusters: int, rng: np.random.Generator) -> tuple[Ints, Mask]:
        """Draw which cluster each case is in, and which cases are positive."""
        size = rng.choice(np.array(self.sizes), n_clusters)
        cluster = np.repeat(np.arange(n_clusters), size)
        chance = np.full(n_clusters, self.prevalence)
        if self.label_correlation > 0:
            # A beta distribution of the probability: its variance is that share of p (1 - p).
            strength = 1 / self.label_correlation - 1
            shape = strength * self.prevalence, strength * (1 - self.prevalence)
            chance = rng.beta(*shape, n_clusters)
        return cluster, rng.random(cluster.size) < chance[cluster]
