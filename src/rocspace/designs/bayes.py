"""What is known of an area, a difference or a curve, as a probability: posterior distributions.

The Bayesian bootstrap needs no model of the scores. The binormal posterior takes them to be Normal
in both classes, and knows something even where the sample separates them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, Card, level_of
from rocspace._base.checks import (
    Ends,
    check_choice,
    check_fractions,
    check_level,
    check_one_fraction,
    check_part,
    check_rng,
    check_times,
)
from rocspace._base.errors import ArgumentError, Caller, InPython
from rocspace._base.frozen import Result
from rocspace._base.text import either, in_ascii, share
from rocspace.bands.band import Band
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, need, of_table
from rocspace.inference.components import need_cases, two_scores
from rocspace.models.bivariate import bivariate_normal
from rocspace.models.fitting import floats_of
from rocspace.resampling.bootstrapping import BayesianBootstrap, CredibleCurve
from rocspace.resampling.replicates import Rng, replicate, replicate_cases
from rocspace.resampling.runs import ScoreColumn
from rocspace.resampling.statistics import STATISTICS, Statistic
from rocspace.results.estimates import AreaEstimate
from rocspace.results.interval import Interval
from rocspace.results.limits import nondecreasing

CredibleKind: TypeAlias = Literal["equal-tailed", "highest-density"]
Decision: TypeAlias = Literal["equivalent", "different", "undecided"]


# --- a posterior and its readings ---------------------------------------------------------------


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


# --- the Bayesian bootstrap ---------------------------------------------------------------------


@explained
def posterior(
    data: ScoreTable | PairedScores,
    statistic: str | Statistic = "auc",
    name: str | None = None,
    *,
    n_boot: int = 4000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Posterior:
    """Posterior of an area or another statistic by the Bayesian bootstrap.

    Parameters
    ----------
    data : ScoreTable or PairedScores
        Both classes present.
    statistic : str or Statistic, default "auc"
        "auc", "youden" or "average_precision", or of `rocspace.resampling` `partial_area`,
        `tpr_at`, `fpr_at` or `rate_at`, for a single number.
    name : str, optional
        Which score of `PairedScores`; not needed where there is only one.
    n_boot : int, default 4000
        Posterior draws.
    rng, threads, progress
        As for `rocspace.resampling.bootstrap`.

    Returns
    -------
    Posterior
        Ask it for ``interval(level)``, ``probability(above=0.5)`` or ``region(low, high)``.

    Raises
    ------
    SingleClassError
        If a class is missing.
    TypeError, ValueError
        If a table has weights, cases are in clusters, the statistic is several numbers or a
        difference, or `n_boot` is less than 2.

    Notes
    -----
    O(n_boot n). Each draw gives the positives and the negatives weights from the flat Dirichlet
    distribution: the posterior of the two score distributions under Dirichlet processes whose prior
    weight tends to zero. The posterior mean of the area is the area; its variance is close to
    DeLong's. It gives weight only to scores that occurred, so that in small samples its intervals
    are too short (docs, "Measured coverage").

    Each draw finds the best threshold for Youden's index anew, so that the posterior of the index
    lies too high: intervals of level .95 contained the index in 53 to 64 percent of 100 simulated
    samples (5 + 50, 6 + 40, 20 + 20 cases), in 83 of 300 (100 + 100), of five ratings in 87 of
    400 (20 + 20). For such a guarantee take `rocspace.inference.youden_interval`, with 99 or more
    in the same samples.

    References
    ----------
    Gu, Ghosal and Roy (2008), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.resampling import partial_area
    >>> data = datasets.load("fawcett20")
    >>> posterior(tabulate(data.y_true, data.y_score), partial_area(fpr=(0, 0.2)), rng=1)
    Posterior(partial_area, fpr 0 to 0.2: 0.076 +- 0.034, 4000 draws, Bayesian bootstrap)
    """
    of = _single("posterior", statistic)
    check_times("n_boot", n_boot, least=2)
    options = {"n_boot": n_boot, "rng": rng, "threads": threads, "progress": progress}
    if isinstance(data, PairedScores):
        data = _one_column("posterior", data, name)
        drawn, value = _of_cases(data, of, options)
        table = data.table(data.names[0])
    else:
        need("posterior", data)
        table, function = data, of.values(data)
        drawn = replicate(table, function, n_boot, rng, threads, progress, scheme="bayesian")[:, 0]
        value = float(function(*(x[None].astype(np.float64) for x in (table.pos, table.neg)))[0, 0])
    return _posterior(of, of.name, value, drawn, table)


@explained
def posterior_difference(
    data: PairedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    statistic: str | Statistic = "auc",
    n_boot: int = 4000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> Posterior:
    """Posterior of a difference between two scores of the same cases by the Bayesian bootstrap.

    Parameters
    ----------
    data : PairedScores
        Several scores of the same cases.
    first, second : str, optional
        The scores to compare; not needed where there are only two.
    statistic : str or Statistic, default "auc"
        As for `posterior`.
    n_boot : int, default 4000
        Posterior draws.
    rng, threads, progress
        As for `rocspace.resampling.bootstrap`.

    Returns
    -------
    Posterior
        First minus second: ``probability()`` is the probability that the first score is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `posterior`; also if a score is unknown.

    Notes
    -----
    O(n_boot n). A case has the same Dirichlet weight under both scores, so that the posterior
    allows for the pairing. In small samples its intervals are too short: of equal areas, that of
    level .95 contained 0 in 83 percent of 1500 simulated samples of 5 + 50 cases, in 91 of
    20 + 20 (five ratings), and in 95 of 50 + 50.

    References
    ----------
    Gu, Ghosal and Roy (2008), a paper on this alone, for one score.

    Examples
    --------
    >>> from rocspace import pair_scores
    >>> scores = {"a": [5, 2, 4, 3, 1, 2, 0, 1], "b": [2, 4, 3, 1, 2, 3, 1, 0]}
    >>> gain = posterior_difference(pair_scores([1, 1, 1, 1, 0, 0, 0, 0], scores), rng=1)
    >>> round(gain.mean, 2), round(gain.probability(), 2)
    (0.25, 0.98)
    """
    first, second = two_scores("posterior_difference", data, first, second)
    of = _single("posterior_difference", statistic)
    check_times("n_boot", n_boot, least=2)
    options = {"n_boot": n_boot, "rng": rng, "threads": threads, "progress": progress}
    both = _columns("posterior_difference", data, (first, second))
    drawn, value = _of_cases(both, of, options)
    return _posterior(
        of, f"{of.name}, {first} minus {second}", value, drawn, both.table(first), difference=True
    )


def _single(caller: str, statistic: Any) -> Statistic:
    """Return a statistic that is one number of one score."""
    if isinstance(statistic, str):
        check_choice("statistic", statistic, tuple(STATISTICS))
        statistic = STATISTICS[statistic]
    if not isinstance(statistic, Statistic):
        msg = (
            f"{caller} takes a statistic of rocspace.resampling, such as partial_area(fpr=(0, "
            f'0.1)), or the name of one, such as "auc"; not a {type(statistic).__name__}.'
        )
        raise TypeError(msg)
    if statistic.contrast:
        msg = (
            f"{statistic.name} compares two scores. Use posterior_difference(data, first, second, "
            "statistic=...)."
        )
        raise ValueError(msg)
    return statistic


def _one_column(caller: str, data: PairedScores, name: str | None) -> PairedScores:
    if name is None and len(data.names) > 1:
        msg = f"{caller} takes one score of {', '.join(data.names)}. Name it."
        raise ValueError(msg)
    return _columns(caller, data, (name or data.names[0],))


def _columns(caller: str, data: PairedScores, names: tuple[str, ...]) -> PairedScores:
    """Return some of the scores; refuse clusters, and data without both classes."""
    need_cases(caller, data)
    if data.cluster is not None:
        msg = (
            f"{caller} draws a weight for each case, but these are in clusters. Use "
            "bootstrap(data, ...), which resamples clusters."
        )
        raise ValueError(msg)
    columns = [data.column_of(name) for name in names]
    rises = {name: data.rises(name) for name in names}
    return PairedScores(
        label=data.label,
        score=data.score[:, columns],
        names=names,
        weight=data.weight,
        higher_is_positive=rises,
    )


def _of_cases(data: PairedScores, of: Statistic, options: dict[str, Any]) -> tuple[Vector, float]:
    """Return draws of a statistic, or of its difference between two scores, and its value."""
    columns = [ScoreColumn(data, j) for j in range(len(data.names))]
    functions = [of.values(column.table) for column in columns]

    def values(times: Array) -> Vector:
        weight = times if data.weight is None else times * data.weight
        found = [f(*c.counts(weight)) for f, c in zip(functions, columns, strict=True)]
        return np.asarray(found[0] - found[1] if len(found) > 1 else found[0])

    drawn = replicate_cases(data, values, scheme="bayesian", **options)
    return drawn[:, 0], float(values(np.ones((1, len(data))))[0, 0])


def _posterior(
    of: Statistic,
    name: str,
    value: float,
    drawn: Vector,
    table: ScoreTable,
    *,
    difference: bool = False,
) -> Posterior:
    low, high = of.range
    return Posterior(
        name=name,
        value=value,
        draws=np.ascontiguousarray(drawn),
        range=(low - high, high - low) if difference else (low, high),
        method="Bayesian bootstrap",
        n_pairs=float(min(table.n_eff)) if of.name == "auc" else 0.0,
    )


# --- the binormal posterior ---------------------------------------------------------------------


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


# --- bands --------------------------------------------------------------------------------------


@explained
def credible_band(draws: BayesianBootstrap | BinormalPosterior, *, level: float = 0.95) -> Band:
    """Credible band that contains the whole curve with a given posterior probability.

    Parameters
    ----------
    draws : BayesianBootstrap or BinormalPosterior
        Curves from `rocspace.resampling.bayesian_bootstrap` or `binormal_posterior`.
    level : float, default 0.95
        Posterior probability of the whole curve.

    Returns
    -------
    Band
        With ``simultaneous=True``; for limits at each point by itself ask the draws for
        ``curve(level)``.

    Raises
    ------
    TypeError
        If the argument is of another kind.

    Notes
    -----
    At each false positive rate the band leaves out the same number of draws on either side: the
    largest number for which the share `level` of the curves lies inside everywhere. O(g n log n)
    for n curves on a grid of g rates.

    The curves of the Bayesian bootstrap do not vary at thresholds above the highest and below the
    lowest negative of the sample, so that their band hardly ever contains the whole true curve: it
    did in 0 to 5 percent of 1500 samples of Normal scores with 50 + 50 and 5 + 50 cases. To contain
    the whole curve take `rocspace.bands.roc_band`, or the posterior of a model, whose band
    contained it in 94 to 95 percent.

    References
    ----------
    No source: the order statistics of the draws at each rate.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> from rocspace.resampling import bayesian_bootstrap
    >>> data = datasets.load("fawcett20")
    >>> draws = bayesian_bootstrap(tabulate(data.y_true, data.y_score), rng=1)
    >>> credible_band(draws, level=0.9)
    Band(credible, level 0.9, simultaneous, area 0.715)
    """
    given: Any = draws
    known = given.curves() if isinstance(given, BinormalPosterior) else given
    if not isinstance(known, BayesianBootstrap):
        msg = (
            f"credible_band takes drawn curves, not a {type(draws).__name__}: those of "
            "bayesian_bootstrap(table) or binormal_posterior(table)."
        )
        raise TypeError(msg)
    tpr = known.tpr
    n = len(tpr)
    ordered = np.sort(tpr, axis=0)
    depth = np.full(n, n, dtype=np.int64)
    for j in range(tpr.shape[1]):
        column = ordered[:, j]
        no_more = np.searchsorted(column, tpr[:, j], "right")
        no_less = n - np.searchsorted(column, tpr[:, j], "left")
        np.minimum(depth, np.minimum(no_more, no_less), out=depth)
    # The largest depth that the share `level` of the curves reaches.
    kept = int(np.ceil(level * n * (1 - 1e-12)))
    reach = int(np.sort(depth)[::-1][kept - 1])
    low, high = ordered[reach - 1].copy(), ordered[n - reach].copy()
    order = np.argsort(known.fpr, kind="stable")
    fpr, low, high = known.fpr[order], low[order], high[order]
    if fpr[0] > 0:
        fpr, low, high = np.append(0.0, fpr), np.append(0.0, low), np.append(high[0], high)
    if fpr[-1] < 1:
        fpr, low, high = np.append(fpr, 1.0), np.append(low, low[-1]), np.append(high, 1.0)
    return Band(
        fpr=fpr,
        low=nondecreasing(low, lower=True, tight=True),
        high=nondecreasing(high, lower=False, tight=True),
        level=level,
        method="credible",
        simultaneous=True,
    )
