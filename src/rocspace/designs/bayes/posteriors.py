"""Posterior distributions of one quantity, and how they are read."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Vector
from rocspace._base.cards import LEVEL, Card, level_of
from rocspace._base.checks import check_choice, check_level
from rocspace._base.frozen import Result
from rocspace._base.text import either, in_ascii, share
from rocspace.results.estimates import AreaEstimate
from rocspace.results.interval import Interval

CredibleKind: TypeAlias = Literal["equal-tailed", "highest-density"]
Decision: TypeAlias = Literal["equivalent", "different", "undecided"]


class PracticalEquivalence(Result):
    """Where a posterior lies relative to a region of practical equivalence.

    Attributes
    ----------
    region : tuple of float
        The ends of the region: values inside it make no difference in practice.
    below, inside, above : float
        Posterior probabilities; they sum to 1.
    interval : Interval
        The highest-density interval of the given level.
    decision : {"equivalent", "different", "undecided"}
        "equivalent" if the interval lies inside the region, "different" if it lies outside, else
        "undecided".

    See Also
    --------
    Posterior.region
    """

    region: tuple[float, float]
    below: float
    inside: float
    above: float
    interval: Interval
    decision: Decision

    def _about(self) -> str:
        low, high = self.region
        return (
            f"{self.decision}: below {share(self.below)}, inside {low:g} to {high:g} "
            f"{share(self.inside)}, above {share(self.above)}"
        )


class Posterior(Result):
    """Draws of one quantity from its posterior distribution.

    Attributes
    ----------
    name : str
        The quantity.
    value : float
        The quantity on the data; of a model the posterior median.
    draws : ndarray of float64, shape (n,)
        Draws from the posterior.
    range : tuple of float
        The values that the quantity can take.
    method : str
        Where the draws come from.
    n_pairs : float
        Number of disjoint pairs of a positive and a negative, for the interval where all draws are
        equal; 0 where no such interval is known.

    See Also
    --------
    posterior, posterior_difference, binormal_posterior

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.designs import posterior
    >>> data = datasets.load("fawcett20")
    >>> found = posterior(tabulate(data.y_true, data.y_score), rng=1)
    >>> found
    Posterior(auc: 0.682 +- 0.117, 4000 draws, Bayesian bootstrap)
    >>> print("{:.3f} to {:.3f}".format(*found.interval(0.9)))
    0.476 to 0.859
    >>> round(found.probability(above=0.5), 3)
    0.928
    """

    name: str
    value: float
    draws: Vector
    range: tuple[float, float]
    method: str
    n_pairs: float = 0.0

    def _about(self) -> str:
        numbers = f"{in_ascii(either(self.mean))} +- {in_ascii(either(self.sd))}"
        return f"{self.name}: {numbers}, {self.draws.size} draws, {self.method}"

    def _card(self) -> Card:
        low, high = self.interval(LEVEL)
        return Card(
            rows={
                "Quantity": self.name,
                "Value": either(self.value),
                "Posterior mean": either(self.mean),
                "Posterior sd": either(self.sd),
                f"{level_of()} credible interval": f"{either(low)} to {either(high)}",
                "Draws": f"{self.draws.size:,}",
                "Method": self.method,
            }
        )

    @property
    def mean(self) -> float:
        """Posterior mean."""
        return float(self.draws.mean())

    @property
    def sd(self) -> float:
        """Posterior standard deviation."""
        return float(self.draws.std(ddof=1))

    def interval(self, level: float = 0.95, *, kind: CredibleKind = "equal-tailed") -> Interval:
        """Return a credible interval.

        Parameters
        ----------
        level : float, default 0.95
            Posterior probability, strictly between 0 and 1.
        kind : {"equal-tailed", "highest-density"}, default "equal-tailed"
            With the same probability on both sides, or the shortest.

        Returns
        -------
        Interval
            Inside the range. If all draws are equal, as for the Bayesian bootstrap of scores that
            separate the classes, it is Hoeffding's for areas, else the whole range.

        Raises
        ------
        ValueError
            If the level or the kind is not one of those named.

        References
        ----------
        No source: a plain definition.
        """
        check_level(level)
        check_choice("kind", kind, CredibleKind)
        drawn = np.sort(self.draws)
        if not drawn[0] < drawn[-1]:
            return self._degenerate(level)
        if kind == "equal-tailed":
            low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        else:
            many = min(int(np.ceil(level * drawn.size)), drawn.size - 1)
            first = int(np.argmin(drawn[many:] - drawn[: drawn.size - many]))
            low, high = drawn[first], drawn[first + many]
        return Interval(low=float(low), high=float(high), level=level, method=f"credible, {kind}")

    def _degenerate(self, level: float) -> Interval:
        low, high = self.range
        if not self.n_pairs:
            return Interval(low=low, high=high, level=level, method="whole range")
        estimate = AreaEstimate(
            value=self.value, se=np.nan, method="", n_pairs=self.n_pairs, range=self.range
        )
        return estimate.interval(level, scale="hoeffding")

    def probability(self, above: float = 0.0) -> float:
        """Return the posterior probability of values above a number.

        Parameters
        ----------
        above : float, default 0
            The number. For a difference, 0 gives the probability that the first score is better.

        Returns
        -------
        float
            In [0, 1]; draws equal to the number count one half. Its Monte Carlo standard error is
            at most ``0.5 / sqrt(n)`` for n draws.

        References
        ----------
        No source: a plain definition.
        """
        more, same = np.count_nonzero(self.draws > above), np.count_nonzero(self.draws == above)
        return float((more + same / 2) / self.draws.size)

    def region(self, low: float, high: float, *, level: float = 0.95) -> PracticalEquivalence:
        """Compare the posterior with a region of practical equivalence.

        Parameters
        ----------
        low, high : float
            The ends of the region, such as -.02 and .02 for a difference of areas that nobody would
            notice.
        level : float, default 0.95
            Level of the highest-density interval by which it is decided.

        Returns
        -------
        PracticalEquivalence
            Probabilities below, inside (ends included) and above, and the decision.

        Raises
        ------
        ValueError
            If the first end is not below the second.

        References
        ----------
        Kruschke (2018), a paper on this alone.

        Examples
        --------
        >>> from rocspace import pair_scores
        >>> from rocspace.designs import posterior_difference
        >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
        >>> gain = posterior_difference(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores), rng=1)
        >>> gain.region(-0.02, 0.02).decision
        'undecided'
        """
        if not low < high:
            msg = f"The region is {low} to {high}, but its first end must be the smaller one."
            raise ValueError(msg)
        below = float(np.mean(self.draws < low))
        above = float(np.mean(self.draws > high))
        interval = self.interval(level, kind="highest-density")
        decision: Decision = "undecided"
        if low <= interval.low and interval.high <= high:
            decision = "equivalent"
        elif interval.high < low or interval.low > high:
            decision = "different"
        return PracticalEquivalence(
            region=(float(low), float(high)),
            below=below,
            inside=1 - below - above,
            above=above,
            interval=interval,
            decision=decision,
        )
