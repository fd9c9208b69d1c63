"""The bootstrap: the sampling variability of any statistic.

Cases are drawn with replacement, as counts: scores are sorted once, and each replicate has new
counts. Use ``bootstrap(table, "auc").interval()`` for built-in statistics and ``bootstrap(table,
function)`` for any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import LEVEL, Card, ends_of, first_rows, level_of
from rocspace._base.checks import check_choice, check_fractions, check_level, check_rng, check_times
from rocspace._base.frozen import Result
from rocspace._base.text import either, in_ascii
from rocspace._base.words import counted
from rocspace.counts.paired import PairedScores
from rocspace.counts.table import ScoreTable, of_table
from rocspace.resampling.acceleration import LeftOut
from rocspace.resampling.errors import difference_ends, pivotal_ends
from rocspace.resampling.replicates import Rng, areas_of_counts, rates_of_counts, replicate
from rocspace.resampling.runs import BootstrapScheme, Run, run_of, usual_scheme
from rocspace.resampling.statistics import Statistic
from rocspace.results.estimates import AreaEstimate
from rocspace.results.interval import Interval

BootstrapMethod: TypeAlias = Literal[
    "moderated", "unseen-bca", "expanded-bca", "bca", "percentile", "basic", "normal", "studentised"
]

_METHODS = get_args(BootstrapMethod)
_PIVOTAL = ("moderated", "studentised")
_SECOND = 1  # of a seed: the stream of replicates with unseen cases
_TIE = 1e-12  # of the spread of replicates, or of the value, within which one ties with it


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """How replicates were asked for; the same numbers come from any number of threads."""

    n_boot: int
    rng: tuple[int, ...]
    threads: int | None = field(compare=False)
    progress: bool | None = field(compare=False)

    @property
    def first(self) -> dict[str, Any]:
        """The options of the replicates."""
        return asdict(self) | {"rng": list(self.rng)}

    @property
    def second(self) -> dict[str, Any]:
        """The options of those with unseen cases, from a stream of their own."""
        return asdict(self) | {"rng": [*self.rng, _SECOND]}


class BootstrapSample(Result):
    """One or several statistics and their bootstrap replicates; ask it for an interval.

    Attributes
    ----------
    value : float or ndarray, shape (q,)
        The statistic on the data.
    replicates : ndarray of float64, shape (n_boot - n_failed,) or (n_boot - n_failed, q)
        The statistic on each replicate.
    n_failed : int
        Number of replicates in which the statistic was undefined because a class was missing or too
        small. They are left out, so inference is conditional on the statistic being defined.
    scheme : str
        How the cases were resampled.

    See Also
    --------
    bootstrap

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> sample = bootstrap(tabulate(data.y_true, data.y_score), "auc", rng=1)
    >>> sample
    BootstrapSample(auc: 0.680 +- 0.122; 2000 replicates, stratified)
    >>> print("{:.3f} to {:.3f}".format(*sample.interval(0.9, method="percentile")))
    0.470 to 0.870
    >>> print("{:.3f} to {:.3f}".format(*sample.interval(0.9)))
    0.427 to 0.878
    """

    value: float | Vector
    replicates: Vector
    n_failed: int
    scheme: str
    _run: Run
    _errors: Vector | None
    _asked: _Asked
    _draw_parts: Callable[[], BootstrapSample] | None = None

    _meant: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("ci", "conf_int", "confint", "confidence_interval"), "interval(level)"),
        **dict.fromkeys(("low", "lower"), "interval().low"),
        **dict.fromkeys(("high", "upper"), "interval().high"),
        **dict.fromkeys(("samples", "estimates", "distribution", "draws", "t"), "replicates"),
        **dict.fromkeys(("std", "stderr", "standard_error", "bootstrap_se"), "se"),
        "estimate": "value",
        "t0": "value",
    }

    def _about(self) -> str:
        failed = f", {self.n_failed} failed" if self.n_failed else ""
        shown = f"{self._run.value.size} numbers"
        if self._run.single:
            shown = f"{_said(self.value)} +- {_said(self.se)}"
        return (
            f"{self._run.name}: {shown}; {len(self.replicates)} replicates{failed}, {self.scheme}"
        )

    def _card(self) -> Card:
        run, drawn = self._run, self._drawn
        rows = {"Statistic": run.name}
        found = self.intervals(LEVEL) if len(drawn) else ()
        if run.single:
            rows |= {"Value": _said(self.value), "Standard error": _said(self.se)}
            rows |= {f"{level_of()} interval": ends_of(each) for each in found}
        if found:
            rows["Interval"] = found[0].method
        rows["Replicates"] = f"{len(drawn):,}, {self.n_failed:,} failed"
        rows["Scheme"] = self.scheme
        if run.single:
            return Card(rows=rows)
        columns = run.value, np.ravel(self.se), found
        table = [(_said(x), _said(se), ends_of(each)) for x, se, each in zip(*columns, strict=True)]
        header = ("value", "se", f"{level_of()} interval")
        return Card(rows=rows, header=header, table=first_rows(table, len(table)))

    @property
    def se(self) -> float | Vector:
        """Standard deviation of the replicates: the standard error of the value."""
        return _plain(self._run, self._drawn.std(axis=0, ddof=1))

    @property
    def bias(self) -> float | Vector:
        """Mean of the replicates minus the value."""
        return _plain(self._run, self._drawn.mean(axis=0) - self._run.value)

    @property
    def _drawn(self) -> Vector:
        return self.replicates.reshape(len(self.replicates), -1)

    def interval(self, level: float = 0.95, *, method: BootstrapMethod | None = None) -> Interval:
        """Return a confidence interval of a single number.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        method : str, optional
            "percentile": quantiles of the replicates. "bca": the same, shifted for bias and
            skewness. "expanded-bca": "bca" with farther quantiles, because a standard error of few
            cases is uncertain, and without a bias that is made of ties. "unseen-bca": the farther
            of this and of quantiles of replicates in which each class also has half a case of the
            other class's scores. "basic": the quantiles mirrored at the value. "normal": value +- z
            se. "studentised": quantiles of (replicate - value) / its own standard error, for
            statistics that have one: "auc", rates at a threshold, and functions that return an
            `Estimate`. "moderated": the same on the scale of `Estimate.interval`, for "auc" and
            functions that return an `Estimate`. The default is "moderated" where available, else
            "unseen-bca" where a class is small, or lacks a score that enough of the other have (see
            Notes), else "expanded-bca"; but where all of these have too little coverage and an
            interval with valid coverage is known, that one is used: for "auc" and `partial_area`
            (and functions that return such estimates) "unseen", as in `rocspace.delong` and
            `rocspace.inference.partial_auc_estimate`, of cases in clusters that of
            `rocspace.inference.clustered_auc_estimate`; for "youden", `tpr_at`, `fpr_at` and
            `two_way_area` those of `rocspace.inference.youden_interval`, `tpr_at_interval`,
            `fpr_at_interval` and `two_way_partial_auc_interval`; for `rate_at` those of
            `rocspace.inference.point_interval` and `predictive_value_interval`; for
            "average_precision" Wilson's with the variance of `rocspace.curves.pr_area_estimate`, a
            quarter of an unseen case of each class, and one-sided exact limits. These need no
            replicates, but only those of areas know weights and clusters: others then have the
            default of a function.

        Returns
        -------
        Interval
            Inside the range of the quantity, never a single point. Its ``method`` says how it was
            computed: if the value is at an end of its range, or all replicates are equal, it is a
            bound that does not depend on replicates.

        Raises
        ------
        ValueError
            If there are several numbers (see `intervals`), the level or the method is not one
            of those named, or the statistic has no standard error.

        Notes
        -----
        Quantiles are interpolated linearly between order statistics (type 7). "bca" takes those at
        ``Phi(z0 + (z0 + z) / (1 - a (z0 + z)))``, z0 from the share of replicates below the value,
        ties one half, and a from `acceleration`. If all replicates lie on one side, z0 is infinite;
        the interval is then "percentile", as its ``method`` says.

        "expanded-bca" takes ``c t`` for z, t being Student's quantile with the degrees of freedom
        of Welch and Satterthwaite, and c the root of the mean of n / (n - 1) over the classes, both
        by their shares of the variance, since replicates of n cases vary as n - 1 do. For the end
        that z0 draws nearer to the value, as many ties are counted as bring z0 nearest to 0,
        because a value that is a median of the replicates shows no bias: where a value is at its
        lowest, most replicates may be equal to it.

        "unseen-bca" is the default where at least a share of 1 - level of a class has a score that
        no case of the other class has, or is a single case (a class of up to 20 at level .95): no
        plain replicate knows such a case in the other class, and if the share is smaller, fewer
        replicates with half a case know it than lie beyond a limit. As many
        replicates again are drawn, from a stream of their own, when such an interval is first asked
        for: a function is called twice as often in all. In them each of the n draws of a class is,
        with chance .5 / (n + .5), a case of the other class (of cases drawn from all, or of
        clusters, one in n + 1 has its labels exchanged; weights are scaled to the mean of the
        class). Their quantiles are those at ``c t``, without a shift.

        "moderated" takes ``(x* - x) / sqrt(v* x (1 - x) / (x* (1 - x*)))`` of each replicate x*
        with the squared standard error v*, on a range from 0 to 1, infinite where v* is zero, and
        returns all a with ``(x - a) / sqrt(v a (1 - a) / (x (1 - x)))`` between their quantiles.
        The v of the data is replaced by a compromise with a model's variance if that is larger, as
        in `Estimate.interval`.

        The bound is Hoeffding's, for a mean of as many independent terms as there are disjoint
        pairs (areas, Youden's index, differences), positives (rates of positives, average
        precision) or negatives; see `rocspace.results.Estimate`. For average precision, Youden's
        index and points of a curve, which are not such means, it is an approximation. The range of
        a user's function is unknown: its bound is the whole real line.

        A difference of two areas cannot be moderated directly. "moderated" combines the moderated
        intervals of both areas by adding squared distances, as `Difference.interval` does, with the
        correlation of their replicates.

        Measured at level 0.95 (docs, "Measured coverage": Normal scores of area .75, .9 and .99,
        exponential scores, five ratings; 5 + 50 to 100 + 100 cases, 300 samples each, and 10 + 10
        000, 50 samples): for the area "moderated" covers in 93 to 100 percent of samples,
        "studentised" in 86 to 100, "bca" in 74 to 100, "percentile" in 72 to 100, "normal" in 72 to
        100, "basic" in 68 to 95; all but the first are worst with 10 + 10 000. For a yes/no test
        all of them fail: with 100 + 10 000 cases, tpr .99 and fpr .02, "moderated" covers in 62,
        because no replicate has a missed positive if the sample has none; "unseen" covers in 98.5.
        A studentised interval with the standard errors of "unseen" covered as well, and was wider
        with few cases (5 + 200, area .9: 2.7 and 1.8 times the log odds' width). For the partial
        area below fpr .2 "bca" covers in 91 to 100 and "percentile" in 84 to 100, for rates at a
        threshold "bca" in 96 or more. For a difference of areas "moderated" covers in 96 to 100,
        "bca" in 81 to 96. Of a function of one's own no method can promise its level: the default
        covers the area in the corner of fpr to .4 and tpr from .5 in 96 to 100 percent (20 + 50
        cases), "expanded-bca" in 90 to 100, the least with three levels, one of which most samples
        lack, "bca" in 84 to 100. With 5 cases in one class and 100 in the other the default covers
        areas in a corner and in a part and tpr at fpr .1 in 95 to 100 percent, Youden's index, a
        maximum that is too high in the sample, in 88 to 100; "expanded-bca" in 46 to 99. Prefer
        `two_way_area` and its like where there is one (docs, "Our own methods").

        References
        ----------
        Hesterberg (2015), a paper on this alone, for the expansion; Efron and Tibshirani (1993),
        equations 14.10, 14.14 and 14.15, for BCa; the ties are our own.
        """
        if not self._run.single:
            msg = f"There are {self._run.value.size} numbers: ask for intervals(...)."
            raise ValueError(msg)
        return self.intervals(level, method=method)[0]

    def intervals(
        self, level: float = 0.95, *, method: BootstrapMethod | None = None
    ) -> tuple[Interval, ...]:
        """Return a confidence interval of each number, separately.

        Parameters
        ----------
        level, method
            As for `interval`.

        Returns
        -------
        tuple of Interval
            One for each number.

        Raises
        ------
        ValueError
            If the level or the method is not one of those named, or the statistic has no
            standard error.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.resampling import tpr_at
        >>> table = tabulate([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6])
        >>> sample = bootstrap(table, tpr_at([0.2, 0.5]), n_boot=200, rng=1)
        >>> [round(each.low, 2) for each in sample.intervals(0.9, method="percentile")]
        [0.33, 0.37]
        """
        check_level(level)
        if method is None and self._run.limits:
            found = [limits(level=level) for limits in self._run.limits]
            return tuple(replace(each, method=self._noted(each.method)) for each in found)
        if method is None:
            method = self._usual_method(level)
        check_choice("method", method, _METHODS)
        return tuple(self._interval(j, level, method) for j in range(self._run.value.size))

    def _usual_method(self, level: float) -> BootstrapMethod:
        if self._run.moderated is not None or self._draw_parts is not None:
            return "moderated"
        return "unseen-bca" if self._run.unseen.matters(level) else "expanded-bca"

    @cached_property
    def acceleration(self) -> float | Vector:
        """Rate at which the standard error changes with the value: skewness / 6, for "bca".

        For areas it is computed from the placements, for all other statistics by leaving out cases,
        identical ones only once. If a class has more than a thousand distinct cases, they are left
        out in random groups.
        """
        return _plain(self._run, self._left_out.acceleration)

    @cached_property
    def _left_out(self) -> LeftOut:
        return self._run.left_out()

    def _interval(self, j: int, level: float, method: str) -> Interval:
        run, value = self._run, float(self._run.value[j])
        drawn = self._drawn[:, j]
        low, high = run.range
        at_end = not (low + 1e-12 < value < high - 1e-12)
        if at_end or len(drawn) < 2 or drawn.min() == drawn.max() or not np.isfinite(value):
            return self._bound(value, level)
        tail = np.array([(1 - level) / 2, (1 + level) / 2])
        note = ""
        if method == "moderated" and self._draw_parts is not None:
            ends = self._from_parts(level)
        elif method in _PIVOTAL:
            ends = self._from_pivots(j, tail, moderated=method == "moderated")
            if not np.isfinite(ends).all():
                return self._bound(value, level)
        elif method == "normal":
            from scipy.special import ndtri

            ends = value + ndtri(tail) * drawn.std(ddof=1)
        elif method == "basic":
            ends = 2 * value - np.quantile(drawn, tail[::-1])
        else:
            if method == "bca":
                tail, note = self._usual(j, tail)
            elif method != "percentile":
                z = self._wider(j, tail)
                tail, note = self._expanded(j, z)
            ends = np.quantile(drawn, tail)
            if method == "unseen-bca":
                ends = self._farther(j, z, ends)
        ends = np.clip(ends, low, high)
        if not ends[0] < ends[1]:
            return self._bound(value, level)
        text = self._noted("bootstrap " + method + note)
        return Interval(low=float(ends[0]), high=float(ends[1]), level=level, method=text)

    def _noted(self, method: str) -> str:
        """Describe how an interval was made, and what is unusual about the replicates."""
        failed = f"{self.n_failed} replicates failed" if self.n_failed else ""
        return ", ".join(filter(None, [method, self._run.lone, failed]))

    def _wider(self, j: int, tail: Vector) -> Vector:
        """Return Student's quantiles, as many times farther as replicates are too narrow."""
        from scipy.special import stdtrit

        left = self._left_out
        return np.asarray(left.narrowness[j] * stdtrit(left.freedom[j], tail))

    def _farther(self, j: int, z: Vector, ends: Vector) -> Vector:
        """Return the farther of ends and of quantiles of replicates with unseen cases."""
        from scipy.special import ndtr

        drawn = self._with_unseen[:, j]
        if not drawn.size:
            return ends
        low, high = np.quantile(drawn, ndtr(z))
        return np.array([min(low, ends[0]), max(high, ends[1])])

    @cached_property
    def _with_unseen(self) -> Vector:
        drawn = self._run.unseen.draw(**self._asked.second)[:, : self._run.value.size]
        return np.asarray(drawn[~np.isnan(drawn).any(axis=1)])

    def _expanded(self, j: int, z: Vector) -> tuple[Vector, str]:
        """Return the shares whose quantiles are the ends of the expanded BCa interval."""
        drawn, value = self._drawn[:, j], self._run.value[j]
        tie = _TIE * max(abs(float(value)), float(np.ptp(drawn)))
        below = np.count_nonzero(drawn < value - tie) / drawn.size
        upto = np.count_nonzero(drawn <= value + tie) / drawn.size
        unbiased = min(max(below, 0.5), upto)
        low, high = (self._shifted(j, z, at) for at in sorted([(below + upto) / 2, unbiased]))
        noted = low if low[1] else high
        return noted if noted[1] else (np.array([low[0][0], high[0][1]]), "")

    def _usual(self, j: int, tail: Vector) -> tuple[Vector, str]:
        """Return the shares whose quantiles are the ends of the BCa interval, ties one half."""
        from scipy.special import ndtri

        drawn, value = self._drawn[:, j], self._run.value[j]
        below = np.count_nonzero(drawn < value) + np.count_nonzero(drawn == value) / 2
        shares, note = self._shifted(j, ndtri(tail), below / drawn.size)
        return (tail if note else shares), note

    def _shifted(self, j: int, z: Vector, below: float) -> tuple[Vector, str]:
        """Shift Normal quantiles, of replicates a share of which is below the value."""
        from scipy.special import ndtr, ndtri

        z0 = ndtri(below)
        if not np.isfinite(z0):
            return ndtr(z), ": percentile, as all replicates lie on one side"
        moved = z0 + z
        scale = 1 - np.ravel(self.acceleration)[j] * moved
        if (scale <= 0).any():
            return ndtr(z), ": percentile, as the acceleration is too large"
        return ndtr(z0 + moved / scale), ""

    @cached_property
    def _parts(self) -> BootstrapSample:
        assert self._draw_parts is not None
        return self._draw_parts()

    def _from_parts(self, level: float) -> Vector:
        """Return the ends for a difference, from the intervals of both values."""
        parts = self._parts
        intervals = parts.intervals(level, method="moderated")
        return difference_ends(parts._run.value, parts.replicates, intervals, self._run.n)

    def _from_pivots(self, j: int, tail: Vector, *, moderated: bool) -> Vector:
        """Return the ends of a studentised interval; not finite if variances are unknown."""
        run = self._run
        spread = run.moderated if moderated else run.se
        if self._errors is None or spread is None:
            kind = "on a scale of its own" if self._errors is not None else "for each replicate"
            msg = (
                f"{run.name} has no standard error {kind}. Use "
                'method="bca", or bootstrap a function that returns an Estimate.'
            )
            raise ValueError(msg)
        return pivotal_ends(
            (float(run.value[j]), float(spread[j])),
            (self._drawn[:, j], self._errors[:, j]),
            tail,
            scale=run.range if moderated else None,
        )

    def _bound(self, value: float, level: float) -> Interval:
        """Return the interval that needs no replicates."""
        run = self._run
        low, high = run.range
        if not (np.isfinite(low) and np.isfinite(high) and np.isfinite(value)):
            return Interval(low=low, high=high, level=level, method=self._noted("whole range"))
        # A partial area may be standardised: its bound is that of the raw area, rescaled.
        scale = (high - low) / run.width if run.whole is not None else 1.0
        shift = low if run.whole is not None else 0.0
        estimate = AreaEstimate(
            value=(value - shift) / scale,
            se=np.nan,
            method="",
            n_pairs=run.n,
            range=(0.0, run.width) if run.whole is not None else run.mean_range,
            whole=run.whole,
        )
        ends = [shift + scale * x for x in estimate.interval(level)]
        ends = [min(max(x, low), high) for x in ends]
        return Interval(low=ends[0], high=ends[1], level=level, method=self._noted("hoeffding"))


def _said(value: float | Vector) -> str:
    return in_ascii(either(value))


def _plain(run: Run, values: Vector) -> float | Vector:
    return float(values[0]) if run.single else values


@explained
def bootstrap(
    data: ScoreTable | PairedScores,
    statistic: str | Statistic | Callable[[Any], Any],
    *,
    n_boot: int = 2000,
    scheme: BootstrapScheme | None = None,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> BootstrapSample:
    """Compute a statistic on many resamples of the cases.

    Parameters
    ----------
    data : ScoreTable or PairedScores
        Both classes present. For `PairedScores`, the scores, the weight and the cluster of a case
        are resampled together.
    statistic : str, Statistic or callable
        "auc", "youden" or "average_precision"; `partial_area`, `two_way_area`, `tpr_at`, `fpr_at`,
        `rate_at`, or `difference` of one of these between two scores; or a function of such data
        that returns a number, an array of one dimension, or an `Estimate`. For paired scores a
        built-in statistic is computed for each score. What the command line calls "tpr@fpr=0.1" is
        ``tpr_at(0.1)``, "fpr@tpr=0.9" ``fpr_at(0.9)``, "area@fpr=0,0.1" ``partial_area(fpr=(0,
        0.1))``, "corner@fpr=0.3,tpr=0.8" ``two_way_area(max_fpr=0.3, min_tpr=0.8)``, and
        "ppv@threshold=3" ``rate_at(3, rate="ppv")``.
    n_boot : int, default 2000
        Number of replicates.
    scheme : {"stratified", "unstratified", "cluster"}, optional
        By default "cluster" for cases in clusters, else "stratified". "stratified" resamples within
        each class, keeping both class sizes. "unstratified" resamples from all cases; replicates
        that lack a class are rejected and counted. "cluster" resamples whole clusters of
        `PairedScores`, as many as there are.
    rng : numpy.random.Generator or int, optional
        Generator or seed; the same seed gives the same numbers, whatever the number of threads.
    threads : int, optional
        Number of threads; by default as many as the process may use. A user's function is called
        from several threads at once.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    BootstrapSample
        Ask it for ``interval(level)``.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a table has weights (use `PairedScores` instead), the scheme is "cluster" but there are
        no clusters, `n_boot` is less than 2, the statistic is unknown, or it failed in every
        replicate.

    Notes
    -----
    O(n_boot n). Each case keeps its weight. A cluster drawn twice counts as two clusters. A
    function of one's own is called for the data, for each replicate, to leave out cases, and, where
    a class lacks a score that several cases of the other share, for as many replicates again when
    the default interval is asked for: in these, cases of the other class have their labels
    exchanged, in tables and in `PairedScores` alike. As `n_boot` grows, the mean of the stratified
    replicates of "auc" tends to exactly the area, and their variance to ``auc_variance(table,
    method="bamber")``.

    References
    ----------
    Efron and Tibshirani (1993), equations 14.10, 14.14 and 14.15, for BCa.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> table = tabulate(data.y_true, data.y_score)
    >>> from rocspace.resampling import tpr_at
    >>> bootstrap(table, tpr_at(0.2), rng=1)
    BootstrapSample(tpr at fpr 0.2: 0.500 +- 0.199; 2000 replicates, stratified)
    >>> from rocspace import ks
    >>> bootstrap(table, ks, n_boot=200, rng=1).value  # any function of a table
    0.4
    """
    scheme = scheme or usual_scheme(data)
    check_times("n_boot", n_boot, least=2)
    run = run_of(data, statistic, scheme)
    seed = check_rng(rng).integers(0, 2**32, size=4).tolist()
    asked = _Asked(n_boot=n_boot, rng=tuple(seed), threads=threads, progress=progress)
    return _drawn(run, asked, scheme)


def _drawn(run: Run, asked: _Asked, scheme: str) -> BootstrapSample:
    drawn = run.draw(**asked.first)
    drawn, errors = drawn[:, : run.value.size], drawn[:, run.value.size :]
    kept = ~np.isnan(drawn).any(axis=1)
    if not kept.any():
        msg = f"{run.name} was undefined in all {asked.n_boot} replicates."
        raise ValueError(msg)
    drawn = drawn[kept]
    parts = run.parts
    return BootstrapSample(
        value=_plain(run, run.value),
        replicates=drawn[:, 0] if run.single else drawn,
        n_failed=int(asked.n_boot - np.count_nonzero(kept)),
        scheme=scheme,
        _run=run,
        _errors=errors[kept] if errors.size else None,
        _asked=asked,
        _draw_parts=partial(_drawn, parts, asked, scheme) if parts else None,
    )


# --- the Bayesian bootstrap -------------------------------------------------------------------


class CredibleCurve(Result):
    """The mean of curves drawn from their posterior, and its pointwise credible limits.

    Attributes
    ----------
    fpr : ndarray of float64, shape (g,)
        False positive rates.
    tpr, low, high : ndarray of float64, shape (g,)
        Mean true positive rate and its limits at each fpr, all non-decreasing.
    level : float
        Posterior probability between the limits, at each false positive rate separately.

    See Also
    --------
    BayesianBootstrap.curve
    """

    fpr: Vector
    tpr: Vector
    low: Vector
    high: Vector
    level: float


class BayesianBootstrap(Result):
    """Draws from the posterior of the area and of the curve.

    Attributes
    ----------
    auc : ndarray of float64, shape (n_boot,)
        Areas.
    fpr : ndarray of float64, shape (g,)
        The grid of false positive rates.
    tpr : ndarray of float64, shape (n_boot, g)
        The curve of each draw on the grid.
    n_pairs : int
        Number of disjoint pairs of a positive and a negative.

    See Also
    --------
    bayesian_bootstrap
    """

    auc: Vector
    fpr: Vector
    tpr: Vector
    n_pairs: int

    def _about(self) -> str:
        return f"auc {_said(self.mean)} +- {_said(self.sd)}, {self.auc.size} draws"

    def _card(self) -> Card:
        rows = {
            "Mean area": _said(self.mean),
            "Standard deviation": _said(self.sd),
            f"{level_of()} interval": ends_of(self.interval(LEVEL)),
            "Draws": f"{self.auc.size:,}",
            "Curve": f"at {counted(self.fpr.size, 'false positive rate')}",
        }
        return Card(rows=rows)

    @property
    def mean(self) -> float:
        """Mean of the areas; as the number of draws grows, it tends to the empirical area."""
        return float(self.auc.mean())

    @property
    def sd(self) -> float:
        """Standard deviation of the areas."""
        return float(self.auc.std(ddof=1))

    def interval(self, level: float = 0.95) -> Interval:
        """Return the equal-tailed credible interval of the area.

        Parameters
        ----------
        level : float, default 0.95
            Posterior probability, strictly between 0 and 1.

        Returns
        -------
        Interval
            In [0, 1]. The posterior depends on the observed scores only, so it has zero variance if
            they separate the classes; in that case the interval is Hoeffding's.
        """
        check_level(level)
        low, high = np.quantile(self.auc, [(1 - level) / 2, (1 + level) / 2])
        if not low < high:
            value = float(self.auc[0])
            estimate = AreaEstimate(value=value, se=np.nan, method="", n_pairs=self.n_pairs)
            return estimate.interval(level, scale="hoeffding")
        return Interval(low=float(low), high=float(high), level=level, method="credible")

    def curve(self, level: float = 0.95) -> CredibleCurve:
        """Return the mean curve and its pointwise credible limits.

        Parameters
        ----------
        level : float, default 0.95
            Posterior probability at each false positive rate separately.

        Returns
        -------
        CredibleCurve
            On the grid.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> found = bayesian_bootstrap(tabulate([0, 0, 1, 1], [1, 3, 2, 4]), n_boot=100, rng=1)
        >>> curve = found.curve(0.9)
        >>> curve.tpr[50].round(2), curve.low[50].round(2), curve.high[50].round(2)
        (np.float64(0.73), np.float64(0.1), np.float64(1.0))
        """
        check_level(level)
        low, high = np.quantile(self.tpr, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return CredibleCurve(
            fpr=self.fpr, tpr=self.tpr.mean(axis=0), low=low, high=high, level=level
        )


@of_table
def bayesian_bootstrap(
    table: ScoreTable,
    *,
    fpr: ArrayLike | Sequence[float] | None = None,
    n_boot: int = 2000,
    rng: Rng = None,
    threads: int | None = None,
    progress: bool | None = None,
) -> BayesianBootstrap:
    """Draw areas and curves from their posterior, without a model of the scores.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score, both classes present.
    fpr : array-like, shape (g,), optional
        False positive rates in [0, 1] at which the curves are stored; by default 101 from 0 to 1.
    n_boot : int, default 2000
        Number of posterior draws.
    rng, threads, progress
        As for `bootstrap`.

    Returns
    -------
    BayesianBootstrap
        Smoother than the ordinary bootstrap: weights are never zero, so no draw fails.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If the table has weights, a rate is outside [0, 1], or `n_boot` is less than 2.

    Notes
    -----
    O(n_boot (k + g)). With Dirichlet weights q of the negatives and w of the positives, and
    U_i the weight of negatives above positive i, ties one half, the curve is ``sum of w_i with
    U_i <= t`` and the area ``1 - sum w_i U_i``. The mean of the area is `auc` and its variance
    close to DeLong's. Measured: its 95 % interval of the area covers the true one in 72 to 81
    percent of samples with 5 positives and areas up to .9, in 89 to 96 with 100 + 100 cases.

    References
    ----------
    Gu, Ghosal and Roy (2008), a paper on this alone.

    Examples
    --------
    >>> from rocspace import datasets, tabulate
    >>> data = datasets.load("fawcett20")
    >>> bayesian_bootstrap(tabulate(data.y_true, data.y_score), rng=1)
    BayesianBootstrap(auc 0.681 +- 0.118, 2000 draws)
    """
    check_times("n_boot", n_boot, least=2)
    grid = np.linspace(0, 1, 101) if fpr is None else np.atleast_1d(check_fractions("fpr", fpr))

    def values(pos: Array, neg: Array) -> Vector:
        above = (np.cumsum(neg, axis=1) - neg / 2) / neg.sum(axis=1, keepdims=True)
        (tpr,) = rates_of_counts(pos)
        reached = [np.searchsorted(u, grid, side="right") for u in above]
        curves = np.take_along_axis(tpr, np.array(reached), axis=1)
        return np.column_stack([areas_of_counts(pos, neg), curves])

    drawn = replicate(table, values, n_boot, rng, threads, progress, scheme="bayesian")
    return BayesianBootstrap(
        auc=drawn[:, 0].copy(),
        fpr=grid.copy(),
        tpr=drawn[:, 1:].copy(),
        n_pairs=int(min(table.n_pos, table.n_neg)),
    )
