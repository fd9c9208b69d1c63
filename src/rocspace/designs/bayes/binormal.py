"""The posterior of a binormal curve: scores are taken to be Normal in both classes.

It knows something even where the sample separates them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.cards import LEVEL, Card, level_of
from rocspace._base.checks import (
    Ends,
    check_fractions,
    check_one_fraction,
    check_part,
    check_rng,
    check_times,
)
from rocspace._base.errors import ArgumentError, Caller, InPython
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.counts.table import ScoreTable, of_table
from rocspace.designs.bayes.posteriors import Posterior
from rocspace.models.bivariate import bivariate_normal
from rocspace.models.fitting import floats_of
from rocspace.resampling.bootstrapping import BayesianBootstrap, CredibleCurve
from rocspace.resampling.replicates import Rng


class BinormalPosterior(Result):
    """Draws of binormal curves from their posterior.

    Attributes
    ----------
    a, b : ndarray of float64, shape (n,)
        Draws of the parameters of ``Phi(a + b Phi^-1(fpr))``.
    n_pos, n_neg : int
        Positives and negatives.
    method : str
        The prior, and where the draws come from.

    See Also
    --------
    binormal_posterior
    """

    a: Vector
    b: Vector
    n_pos: int
    n_neg: int
    method: str

    def _about(self) -> str:
        return f"{self.auc._about().split(', ')[0]}, {self.a.size} draws, {self.method}"

    def _card(self) -> Card:
        low, high = self.auc.interval(LEVEL)
        medians = (either(float(np.median(draws))) for draws in (self.a, self.b))
        return Card(
            rows={
                "Area": either(self.auc.value),
                f"{level_of()} credible interval": f"{either(low)} to {either(high)}",
                "Medians of a and b": " and ".join(medians),
                "Positives": f"{self.n_pos:,}",
                "Negatives": f"{self.n_neg:,}",
                "Draws": f"{self.a.size:,}",
                "Method": self.method,
            }
        )

    def _of(self, name: str, draws: Vector, high: float = 1.0) -> Posterior:
        median = np.median(draws)
        return Posterior(
            name=name, value=float(median), draws=draws, range=(0.0, high), method=self.method
        )

    @cached_property
    def auc(self) -> Posterior:
        """Posterior of the area, Phi(a / sqrt(1 + b^2))."""
        from scipy.special import ndtr

        return self._of("auc", np.asarray(ndtr(self.a / np.hypot(1, self.b))))

    def tpr_at(self, fpr: float) -> Posterior:
        """Return the posterior of the true positive rate at a false positive rate.

        Parameters
        ----------
        fpr : float
            In [0, 1].

        Returns
        -------
        Posterior
            Its ``value`` is the posterior median.
        """
        from scipy.special import ndtr, ndtri

        at = check_one_fraction("fpr", fpr)
        return self._of(f"tpr at fpr {at:g}", np.asarray(ndtr(self.a + self.b * ndtri(at))))

    def partial_auc(self, *, fpr: Ends) -> Posterior:
        """Return the posterior of the area below the curve in a range of false positive rates.

        Parameters
        ----------
        fpr : tuple of float
            Both ends of the range.

        Returns
        -------
        Posterior
            From 0 to the width of the range.
        """
        from scipy.special import ndtri

        part = check_part(fpr, None)
        assert part is not None
        root = np.hypot(1, self.b)
        low, high = (
            bivariate_normal(float(ndtri(end)), self.a / root, -self.b / root) for end in part[1:]
        )
        draws = np.clip(high - low, 0.0, part[2] - part[1])
        name = f"partial auc, fpr {part[1]:g} to {part[2]:g}"
        return self._of(name, draws, part[2] - part[1])

    def curves(self, fpr: ArrayLike | None = None) -> BayesianBootstrap:
        """Return the drawn curves on a grid.

        Parameters
        ----------
        fpr : array-like, optional
            False positive rates; by default 101 from 0 to 1.

        Returns
        -------
        BayesianBootstrap
            Draws of areas and curves, for ``curve(level)`` and `credible_band`.

        Raises
        ------
        ValueError
            If `fpr` is outside 0 to 1, or has more than one dimension.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.designs import binormal_posterior
        >>> found = binormal_posterior(tabulate([0, 0, 1, 1], [1, 3, 2, 4]), n_sim=100, rng=1)
        >>> found.curves(fpr=[0.1, 0.2]).tpr.shape
        (100, 2)
        """
        from scipy.special import ndtr, ndtri

        grid = np.linspace(0, 1, 101) if fpr is None else np.atleast_1d(check_fractions("fpr", fpr))
        tpr = np.asarray(ndtr(self.a[:, None] + self.b[:, None] * ndtri(grid)))
        return BayesianBootstrap(
            auc=self.auc.draws, fpr=grid.copy(), tpr=tpr, n_pairs=min(self.n_pos, self.n_neg)
        )

    def curve(self, level: float = 0.95) -> CredibleCurve:
        """Return the mean curve and its pointwise credible limits.

        Parameters
        ----------
        level : float, default 0.95
            Posterior probability at each false positive rate separately.

        Returns
        -------
        CredibleCurve
            On a grid of 101 rates.
        """
        return self.curves().curve(level)


@of_table
def binormal_posterior(
    table: ScoreTable, *, n_sim: int = 4000, rng: Rng = None
) -> BinormalPosterior:
    """Posterior of the binormal curve of scores that are Normal in both classes.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, at least two cases of each class, whose scores vary.
    n_sim : int, default 4000
        Posterior draws, which are exact and independent.
    rng : numpy.random.Generator or int, optional
        Generator or seed.

    Returns
    -------
    BinormalPosterior
        Ask it for ``auc``, ``tpr_at(fpr)``, ``partial_auc(fpr=...)`` or ``curve(level)``.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has weights, a score is infinite, the scores of a class do not vary, or `n_sim`
        is less than 2.

    Notes
    -----
    The prior density of the mean and the standard deviation of each class is ``1 / sd``,
    independently (Jeffreys' independence prior). Then ``(n - 1) s^2 / sd^2`` is chi-square with
    n - 1 degrees of freedom, and the mean is Normal around the sample's with variance ``sd^2 / n``:
    draws need no chain. O(k + n_sim). Unlike the Bayesian bootstrap it varies where the sample
    separates the classes, but it depends on the scale of the scores: transform skewed scores first,
    by the parameter of `rocspace.models.fit_box_cox`, or compare with `posterior`.

    References
    ----------
    No source: the posterior of two Normal samples under Jeffreys' prior, as in any textbook.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> binormal_posterior(tabulate(data.y_true, data.y_score), rng=1)
    BinormalPosterior(auc: 0.656 +- 0.114, 4000 draws, Normal scores, Jeffreys prior)
    """
    check_times("n_sim", n_sim, least=2)
    if table.is_weighted:
        raise ArgumentError(
            Caller("binormal_posterior"),
            " needs counts, but the table has weights.",
            InPython(" Tabulate the cases."),
        )
    score = floats_of(table)
    if not np.isfinite(score).all():
        why = "Normal scores are finite, but some here are infinite."
        raise ArgumentError(why, InPython(" Use posterior(table)."))
    score = score if table.higher_is_positive else -score
    score = np.ldexp(score, -np.frexp(np.abs(score).max())[1])  # else squares leave float64
    generator = check_rng(rng)
    drawn = []
    for count, what in ((table.pos, "positives"), (table.neg, "negatives")):
        n = int(count.sum())
        mean = float(count @ score) / n
        square = float(count @ (score - mean) ** 2)
        if n < 2 or not square > (1e-12 * float(np.abs(score).max())) ** 2:
            why = f"The scores of the {what} do not vary: nothing is known of their spread."
            raise ArgumentError(why, InPython(" Use posterior(table)."))
        sd = np.sqrt(square / generator.chisquare(n - 1, n_sim))
        drawn.append((mean + sd / np.sqrt(n) * generator.standard_normal(n_sim), sd))
    (mu1, s1), (mu0, s0) = drawn
    return BinormalPosterior(
        a=(mu1 - mu0) / s1,
        b=s0 / s1,
        n_pos=int(table.n_pos),
        n_neg=int(table.n_neg),
        method="Normal scores, Jeffreys prior",
    )
