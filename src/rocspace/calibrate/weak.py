"""Weak calibration: slope and intercepts of Cox's logistic recalibration, intervals and tests."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, Vector
from rocspace._base.cards import Card
from rocspace._base.checks import check_choice, check_level
from rocspace._base.frozen import Result
from rocspace._base.text import brief, pvalue
from rocspace.calibrate.probabilities import LARGEST, newton, solved
from rocspace.counts.table import ScoreTable, of_table
from rocspace.counts.weights import squares_of
from rocspace.curves.sweep import need_probabilities
from rocspace.results.estimates import Estimate, Scale
from rocspace.results.interval import Interval
from rocspace.results.test import Alternative, TestResult, student_tail

Kind: TypeAlias = Literal["firth", "likelihood", "identity"]

_INF = float("inf")
_STEPS = 200
_MANY = 10_000  # halvings and secants of a function that is nearly a step
_CLOSE = 1e-12
_LOST = 1e-6  # slope of a loss for each case, above which Newton's steps have not arrived
_ALIKE = 1e-9  # of the largest log odds: closer ones leave their line no digit where it is 0
_FLAT = 1e-13  # of the largest variance: smaller ones are round-off
_SETTLED = 1e-10  # of a loss: the next gain is much smaller


# --- the likelihood of one parameter ----------------------------------------------------------


class _Profile(Result):
    """Log odds ``offset + theta along + lambda beside``, lambda always at its best.

    A loss is minus a log likelihood; Firth's also subtracts half the log determinant of the
    information. ``value`` is the theta of maximum likelihood, infinite for separated classes, and
    ``best`` the loss there.
    """

    offset: Vector
    along: Vector
    beside: Vector | None
    pos: Vector
    size: Vector
    value: float
    best: float

    @cached_property
    def design(self) -> Array:
        """A row for each parameter, theta's first, scaled to a maximum of 1."""
        rows = np.array([self.along] if self.beside is None else [self.along, self.beside])
        return np.asarray(rows / np.abs(rows).max(axis=1, keepdims=True))

    def fitted(self, theta: float) -> Vector:
        """Return the log odds at theta, lambda being that of maximum likelihood."""
        from scipy.optimize import brentq
        from scipy.special import expit

        at, free = self.offset + theta * self.along, self.design[1:]
        if not len(free):
            return at
        if np.isfinite(self.value):
            found = np.asarray(at + newton(free, self.pos, self.size, np.zeros(1), at) @ free)
            pull = float(free[0] @ (self.size * expit(found) - self.pos))
            if abs(pull) <= _LOST * self.size.sum():
                return found
            return np.asarray(at + self._root(free[0], at) * free[0])
        total, ends = self.pos.sum(), (-at.max() - 50, 50 - at.min())  # lambda is a level
        return np.asarray(at + brentq(lambda w: self.size @ expit(at + w) - total, *ends))

    def _root(self, free: Vector, at: Vector) -> float:
        """Return the best lambda by its sign change, where Newton's steps left the valley."""
        from scipy.optimize import brentq
        from scipy.special import expit

        def pull(w: float) -> float:
            return float(free @ (self.size * expit(at + w * free) - self.pos))

        low, high = -1.0, 1.0
        while pull(low) > 0:
            low *= 2
        while pull(high) < 0:
            high *= 2
        return float(brentq(pull, low, high, xtol=1e-14, maxiter=_MANY))

    def deviance(self, theta: float, firth: bool) -> float:
        """Return twice the loss at theta minus the least loss."""
        if not firth:
            return max(2 * (_loss(self.fitted(theta), self.pos, self.size) - self.best), 0.0)
        lost = self._lost_from(theta, beside_centre=False)
        return min(lost, self._lost_from(theta, beside_centre=True)) if self._divided else lost

    def _lost_from(self, theta: float, *, beside_centre: bool) -> float:
        """Return Firth's deviance at theta, lambda being the best one near that of a centre.

        The centre is that of maximum likelihood, or Firth's.
        """
        at, free = self.offset + theta * self.along, self.design[1:]
        beside = float(self.centre[2][-1]) if beside_centre else self._beside(theta, at)
        start = np.array([beside][: len(free)])
        return self.lost(at + self._firth(free, at, start)[1] @ free)

    @cached_property
    def _divided(self) -> bool:
        """Whether an outlying score gives the penalised likelihood a second, higher summit."""
        return self._lost_from(self.centre[1], beside_centre=False) > _LOST

    def _beside(self, theta: float, at: Vector) -> float:
        """Return the weight of the other parameter that is most likely at theta; 0 without one.

        Where odds are far from even, Newton's steps from elsewhere end in a plain without slope.
        """
        if len(self.design) == 1:
            return 0.0
        row = int(np.abs(self.design[1]).argmax())
        return float((self.fitted(theta)[row] - at[row]) / self.design[1, row])

    @cached_property
    def centre(self) -> tuple[float, float, Vector]:
        """Firth's least loss, the theta there, and the weights of the design."""
        loss, w = self._firth(self.design, self.offset, np.zeros(len(self.design)))
        return loss, float(w[0] / np.abs(self.along).max()), w

    def limit(self, side: int, drop: float, step: float, firth: bool) -> float:
        """Return the theta on one side of the best whose deviance is `drop`.

        The root of the deviance is nearly a line, so that few steps are needed.
        """
        from scipy.optimize import brentq

        if not firth and self.value == side * _INF:
            return self.value
        near = 1e-9 * min(step, 1 / float(np.abs(self.along).max()))  # an error may be endless
        inner = self.value if np.isfinite(self.value) and not firth else self.centre[1]
        while self.deviance(inner, firth) > drop:  # of separated classes: nearer to their slope
            inner, step = inner - side * step, 2 * step
        while self.deviance(outer := inner + side * step, firth) < drop:
            inner, step = outer, 2 * step

        def excess(theta: float) -> float:
            root = min(float(np.sqrt(self.deviance(theta, firth))), LARGEST)
            return float(root / (root + drop**0.5)) - 0.5  # bounded: a deviance may be endless

        return float(brentq(excess, inner, outer, xtol=near, maxiter=_MANY))

    def lost(self, at: Vector) -> float:
        """Return Firth's deviance of log odds."""
        return max(2 * (self._penalised(at) - self.centre[0]), 0.0)

    def _firth(self, x: Array, offset: Vector, w: Vector) -> tuple[float, Vector]:
        """Return the least penalised loss of log odds ``offset + w x``, and its w, from a first w.

        Firth's equations add half a leverage of a row to both of its classes.
        """
        from scipy.special import expit

        design, loss = self.design, self._penalised(offset + w @ x)
        for _ in range(_STEPS if len(x) else 0):
            p = expit(offset + w @ x)
            spread = self.size * p * (1 - p)
            turned = solved((design * spread) @ design.T, design)
            if turned is None:
                break
            leverage = spread * (design * turned).sum(axis=0)
            gradient = x @ (self.size * p - self.pos + leverage * (p - 0.5))
            curvature = (x * ((self.size + leverage) * p * (1 - p))) @ x.T
            step, before = solved(curvature, gradient), loss
            if step is None:
                break
            while not (loss := self._penalised(offset + (w - step) @ x)) <= before:
                step = step / 2
                if np.abs(step).max() < _CLOSE:
                    return before, w
            w = w - step
            if before - loss < _SETTLED:
                break
        return loss, w

    def _penalised(self, at: Vector) -> float:
        from scipy.special import expit

        spread = self.size * expit(at) * expit(-at)
        information = (self.design * spread) @ self.design.T
        return _loss(at, self.pos, self.size) - float(np.linalg.slogdet(information)[1]) / 2


class CalibrationEstimate(Estimate):
    """A parameter of Cox's recalibration, with intervals and a test from its profile likelihood.

    Attributes
    ----------
    value, se, method, range, df
        As for `Estimate`, by maximum likelihood. The range is infinite; so is `df` where the error
        is the model's. With importance weights it is the smaller effective class size minus 1,
        where the error is the sandwich's Bell and McCaffrey's. Where a threshold
        separates the classes, the slope is infinite, the intercept nan, and both standard errors
        are nan.
    ideal : float
        Its value for calibrated probabilities: 1 for a slope, 0 for an intercept.

    See Also
    --------
    calibration_estimates
    """

    ideal: float
    _profile: _Profile = field(repr=False)

    def __str__(self) -> str:
        """Return the value and its interval, or why there is none."""
        nothing = "none, because a threshold separates the classes"
        return super().__str__() if self.value == self.value else nothing

    def interval(self, level: float = 0.95, *, scale: Scale | Kind | None = None) -> Interval:
        """Return a confidence interval.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : {"firth", "likelihood", "identity"}, default "firth"
            "firth" contains the values whose deviance, by Firth's penalised profile likelihood, is
            at most the square of the Normal quantile, and the estimate. "likelihood" is the same
            without the penalty. "identity" is Wald's value +- z se. Where `df` is finite, the
            quantile is that of Student's t with so many degrees of freedom.

        Returns
        -------
        Interval
            Its ends may be infinite: one of the slope's if a threshold separates the classes, where
            the intervals of the intercept, and Wald's, are the whole range.

        Raises
        ------
        ValueError
            If the level or the scale is not one of those named.

        Notes
        -----
        O(k) for each of about 100 steps. A likelihood is penalised by the square root of the
        determinant of its information, which takes the leading bias from the slope and makes its
        limits finite where separated classes have none; as the interval contains the estimate, it
        is infinite there all the same. Deviances are divided by the ratio of the variance to that
        of the model, where they differ (`calibration_estimates`). Measured coverage at level .95 of
        slopes and intercepts of calibrated log odds (36 situations, 20 + 20 to 20 + 200 cases):
        95.0 percent or more for "firth", 87.5 for "likelihood", 95.4 for "identity", which is the
        whole range for slopes of separated classes. With weights 93.0 or more in four situations
        (50 + 50 and 50 + 500 cases).

        References
        ----------
        Heinze and Schemper (2002), a paper on this alone, with the penalty of Firth (1993);
        Chandler and Bate (2007), a paper on this alone, for deviances that are divided.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> table = tabulate([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9])
        >>> low, high = calibration_estimates(table).in_the_large_estimate.interval(0.9)
        >>> print(f"{low:.2f} to {high:.2f}")
        -1.06 to 1.99
        """
        check_level(level)
        scale = scale or "firth"
        check_choice("scale", scale, Kind)
        quantile = self._yardstick(level, "t")[1]
        low, high = self.range
        if scale == "identity" and self.se == self.se:
            low, high = self.value - quantile * self.se, self.value + quantile * self.se
        elif scale != "identity" and self.value == self.value:
            low, high = self._limits(quantile**2, scale == "firth")
        method = "whole range" if (low, high) == self.range else scale
        return Interval(low=low, high=high, level=level, method=f"{self.method}, {method}")

    def _limits(self, drop: float, firth: bool) -> tuple[float, float]:
        """Return the limits at which the deviance is `drop`; the value is inside."""
        profile = self._profile
        step = self.se if self.se == self.se else 1 / float(np.abs(profile.along).max())
        step *= float(np.sqrt(drop)) * 1.2  # just outside of Wald's limits
        low, high = (profile.limit(side, drop, step, firth) for side in (-1, 1))
        return min(low, self.value), max(high, self.value)

    def test(
        self, *, null: float | None = None, alternative: Alternative = "two-sided"
    ) -> TestResult:
        """Test whether the parameter is a given number: whether the default interval leaves it out.

        Parameters
        ----------
        null : float, optional
            Value under the null hypothesis; by default `ideal`, that of calibrated probabilities.
        alternative : {"two-sided", "less", "greater"}, default "two-sided"
            Alternative hypothesis.

        Returns
        -------
        TestResult
            The statistic is the signed root of Firth's deviance, compared with the Normal
            distribution or Student's t, as in `interval`; nan where the estimate is nan. Where an
            interval was widened to contain the estimate, the test may reject values near it.

        Raises
        ------
        ValueError
            If the alternative is not one of those named, or `null` is not finite.

        References
        ----------
        Cox (1958), a paper on this alone.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> table = tabulate([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9])
        >>> print(f"{calibration_estimates(table).slope_estimate.test().pvalue:.3f}")
        0.841
        """
        check_choice("alternative", alternative, Alternative)
        null = self.ideal if null is None else float(null)
        if not np.isfinite(null):
            msg = f"null is {null}, but a hypothesis needs a finite number."
            raise ValueError(msg)
        root, profile = float("nan"), self._profile
        if self.value == self.value:
            side = profile.centre[1] - null
            root = float(np.copysign(np.sqrt(profile.deviance(null, firth=True)), side))
        return TestResult(
            statistic=root,
            pvalue=student_tail(root, self.df, alternative),
            alternative=alternative,
            method=f"{self.method}, firth",
            difference=self.value - null,
            df=self.df,
        )


# --- slope, intercept, and calibration in the large -------------------------------------------


class CalibrationEstimates(Result):
    """How far probabilities are from calibrated, by a logistic curve of their log odds.

    Attributes
    ----------
    slope_estimate : CalibrationEstimate
        Calibration slope: below 1 where probabilities are too extreme.
    intercept_estimate : CalibrationEstimate
        Calibration intercept: the log odds fitted where the predicted ones are 0.
    in_the_large_estimate : CalibrationEstimate
        Calibration-in-the-large: the intercept if the slope is 1; above 0 where probabilities are
        too low.
    joint_test : TestResult
        Test of slope 1 and intercept 0 at once.
    separated : bool
        Whether a threshold separates the classes, so that the slope is infinite.

    See Also
    --------
    calibration_estimates
    """

    slope_estimate: CalibrationEstimate
    intercept_estimate: CalibrationEstimate
    in_the_large_estimate: CalibrationEstimate
    joint_test: TestResult
    separated: bool

    @property
    def slope(self) -> float:
        """Calibration slope."""
        return self.slope_estimate.value

    @property
    def intercept(self) -> float:
        """Calibration intercept."""
        return self.intercept_estimate.value

    @property
    def in_the_large(self) -> float:
        """Intercept if the slope is 1."""
        return self.in_the_large_estimate.value

    def _about(self) -> str:
        return ", ".join(f"{name}={brief(value)}" for name, value in self._values().items())

    def _values(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in ("slope", "intercept", "in_the_large")}

    def _card(self) -> Card:
        names = {name: f"{name.replace('_', ' ').capitalize()}" for name in self._values()}
        rows = {names[name]: str(getattr(self, f"{name}_estimate")) for name in names}
        return Card(rows=rows | {"Slope 1 and intercept 0": f"p {pvalue(float(self.joint_test))}"})

    def _columns(self) -> dict[str, Any]:
        found = [getattr(self, f"{name}_estimate") for name in self._values()]
        columns: dict[str, Any] = {"parameter": list(self._values())}
        rows = [each._columns() for each in found]
        return columns | {name: [row[name][0] for row in rows] for name in rows[0]}


@of_table
def calibration_estimates(
    table: ScoreTable, *, scores: Literal["probability", "log odds"] = "probability"
) -> CalibrationEstimates:
    """Estimate calibration slope, intercept and calibration-in-the-large, and test all at once.

    Parameters
    ----------
    table : ScoreTable
        Cases that the model was not fitted to, both classes present.
    scores : {"probability", "log odds"}, default "probability"
        What the scores are. With "log odds" any finite score will do: slope and intercept are
        then those of its logistic curve by maximum likelihood (`fit_platt` without its targets).

    Returns
    -------
    CalibrationEstimates
        Of the model ``log odds = intercept + slope x``, x being the predicted log odds: perfect
        are slope 1 and intercept 0.

    Raises
    ------
    SingleClassError
        If a class is missing.
    ValueError
        If a score is not a probability strictly between 0 and 1 (or not finite, for log odds), all
        scores are equal, or importance weights meet classes that a threshold separates.

    Notes
    -----
    O(k) for each of some Newton steps. The model is that labels were drawn at random given the
    scores. Where class sizes were fixed by the design, the slope is still valid (Prentice and
    Pyke); both intercepts are then of a population with the prevalence of the sample, and their
    intervals cover too much.

    Where the log odds of the truth follow no line in those of the scores, slope and intercept are
    those of the nearest logistic curve, and labels vary more about it than the model says; so do
    they about a slope of 1 where probabilities are too extreme. Each standard error is therefore
    the larger of the model's and that of the sandwich, as Angrist and Pischke advise: with each
    squared residual divided by 1 minus its leverage ("HC2") or, if that is larger, of slope and
    intercept with the squares about the mean of each class of n cases multiplied by n / (n - 1).
    Where it is the sandwich's, deviances are multiplied by the variance of the model over that of
    the sandwich, and compared with Student's t. Its degrees of freedom are the smaller of two
    numbers: Bell and McCaffrey's, which are few where few cases have leverage, and Welch's from the
    spread within the classes, which are few where few cases are positive, however many are
    negative, or the other way round.

    In 24 situations without a line (20 + 20 to 20 + 200 cases, up to 1,000 samples) the intervals
    cover, of the slope in 94.4 percent or more (92.5 in one, with log odds of at most 0 where
    predicted ones have an exponential tail), of the intercept in 94.6, and of the calibration in
    the large in 93.2. A sample without any of the few cases that leave the line does not show that
    they do; there intervals remain too short.

    Where a class has 5 to 40 cases and the other 200 to 5,000 (22 situations with a line and
    without, up to 1,000 samples) they cover, of the slope in 92.7 percent or more, of the intercept
    in 93.5, and of the calibration in the large in 94.5. What is left out here are scores with
    heavy tails, whose few positives lie at both ends (three of these situations): there intervals
    of slope and intercept cover in 81.7 and 79.7 percent or more, as the extreme cases that a
    sample has draw the line to themselves, and other errors do no better
    (`benchmarks/results/calibration_errors.md`). Where there is a line, the joint test rejects in
    5.6 percent or fewer (three of these situations).

    Of log odds three times as far from 0 as calibrated ones the interval of the calibration in the
    large covers in 94.5 percent or more (12 situations, 20 + 20 to 20 + 200 cases), of calibrated
    ones in 93.8 or more (36).

    `joint_test` is Cox's test by likelihood with 2 degrees of freedom, of Firth's penalised
    likelihood: slope 1 and intercept 0 against any others. Under that hypothesis there is a line.

    With importance weights all three have the errors and deviances of the sandwich, each residual
    divided by 1 minus its leverage ("HC3"). Weights are taken for independent of the labels given
    the scores. The joint hypothesis then determines the covariance of the weighted residuals, so
    that the joint test is Rao's score test with 2 degrees of freedom; it has less power than a test
    by likelihood if the probabilities are not extreme enough.

    Measured size of the joint test at .05: 4.0 to 5.5 percent of 1,500 samples in each of the four
    situations (20 + 20 to 20 + 200 cases) with the largest sizes in a shorter run; with weights 3.8
    to 6.3 percent of 3,000 samples in each of 24 situations (50 + 50 and 50 + 500 cases; lognormal
    and Pareto weights, and weights by score). Where positives are few (14 situations, 5 to 20 among
    500 to 5,000 negatives, up to 1,000 samples) its size is at most 6.0 percent, and the intervals
    of calibrated log odds cover: of the slope in 95.5 percent or more, of the intercept in 95.0, of
    the calibration in the large in 94.4.

    References
    ----------
    Cox (1958), a paper on this alone; Van Calster et al. (2016), a paper on this alone;
    Prentice and Pyke (1979), a paper on this alone, for fixed class sizes; Chandler and Bate
    (2007), a paper on this alone, for the sandwich; MacKinnon and White (1985), a paper on this
    alone, for HC2 and HC3; Bell and McCaffrey (2002), a paper on this alone, for degrees of
    freedom; Angrist and Pischke (2009), section 8.1, for the larger error; Rao (1948), a paper on
    this alone, for the joint test with weights.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> found = calibration_estimates(tabulate([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]))
    >>> print(f"{found.slope:.3f}, {found.intercept:.3f}, {found.in_the_large:.3f}")
    2.170, 1.229, 0.470
    >>> low, high = found.slope_estimate.interval(0.9)
    >>> print(f"{low:.2f} to {high:.2f}, p {found.joint_test.pvalue:.2f}")
    -0.11 to 3.26, p 0.88
    """
    x = _log_odds(table, scores)
    separated = _border(table)
    if separated is not None and table.is_weighted:
        msg = (
            "A threshold separates the classes, where weighted cases have no standard error. "
            "Use fit_platt, which has no interval, or more cases."
        )
        raise ValueError(msg)
    found = _profiles(table, x, separated)
    made = [_estimate(table, *each) for each in zip(NAMES, found, strict=True)]
    return CalibrationEstimates(
        slope_estimate=made[0],
        intercept_estimate=made[1],
        in_the_large_estimate=made[2],
        joint_test=_joint(table, found[0], x),
        separated=separated is not None,
    )


NAMES = ("calibration slope", "calibration intercept", "calibration-in-the-large")


def _log_odds(table: ScoreTable, scores: str) -> Vector:
    """Return the log odds that the scores are or stand for; refuse what is not finite."""
    from scipy.special import logit

    x = table.score.astype(np.float64)
    if scores == "probability":
        need_probabilities("calibration_estimates", table)
        x = logit(x)
        if not np.isfinite(x).all():
            msg = (
                f"A probability is {float(table.score[~np.isfinite(x)][0]):g}, whose log odds are "
                "infinite. Clip probabilities first: np.clip(p, 1e-6, 1 - 1e-6)."
            )
            raise ValueError(msg)
    if not np.abs(x).max() < LARGEST:
        msg = (
            f"A score is {x[np.argmax(np.abs(x))]:g}, but log odds must be finite, and their "
            'squares too. For probabilities say scores="probability".'
        )
        raise ValueError(msg)
    if not np.ptp(x) > max(_ALIKE * np.abs(x).max(), 1 / LARGEST):
        msg = (
            f"All scores are {table.score[0]:g}, or nearly so: log odds differ after the ninth "
            "digit only, and equal scores have no slope."
        )
        raise ValueError(msg)
    return x


def _border(table: ScoreTable) -> tuple[float, float] | None:
    """Return the infinite slope of separated classes and the loss there; None if they overlap."""
    rows = [np.flatnonzero(c > 0)[[0, -1]] for c in (table.pos, table.neg)]
    (first_pos, last_pos), (first_neg, last_neg) = rows
    if last_pos > first_neg and last_neg > first_pos:
        return None
    up = (last_pos <= first_neg) == table.higher_is_positive
    both = (table.pos > 0) & (table.neg > 0)  # at most one row
    tied = [(float(p), float(n)) for p, n in zip(table.pos[both], table.neg[both], strict=True)]
    loss = sum(p * np.log1p(n / p) + n * np.log1p(p / n) for p, n in tied)
    return (_INF if up else -_INF), float(loss)


def _profiles(
    table: ScoreTable, x: Vector, separated: tuple[float, float] | None
) -> list[_Profile]:
    """Return the profile likelihoods of slope, intercept and calibration-in-the-large."""
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    pos, size = (c.astype(np.float64) for c in (table.pos, table.pos + table.neg))
    one, zero = np.ones(x.size), np.zeros(x.size)
    share = float(logit(pos.sum() / size.sum()))
    slope, level, centre = _fitted(x, pos, size, share)
    ends = share - x.max() - 1, share - x.min() + 1
    large = float(brentq(lambda a: size @ expit(x + a) - pos.sum(), *ends, xtol=1e-13))
    loss = _loss(level + slope * (x - centre), pos, size)
    intercept = level - slope * centre
    if separated is not None:
        (slope, loss), intercept = separated, float("nan")
    return [
        _Profile(offset=o, along=a, beside=b, pos=pos, size=size, value=v, best=least)
        for o, a, b, v, least in (
            (zero, x - centre, one, slope, loss),
            (zero, one, x / np.abs(x).max(), intercept, loss),
            (x, one, None, large, _loss(x + large, pos, size)),
        )
    ]


def _fitted(x: Vector, pos: Vector, size: Vector, share: float) -> tuple[float, float, float]:
    """Return the slope, and the log odds at a centre, of maximum likelihood."""
    centre = float(size @ x / size.sum())
    spread = float(np.sqrt(size @ (x - centre) ** 2 / size.sum()))
    design = np.array([(x - centre) / spread, np.ones(x.size)])
    slope, level = newton(design, pos, size, np.array([0.0, share])).tolist()
    return slope / spread, level, centre


def _loss(at: Vector, pos: Vector, size: Vector) -> float:
    """Return minus the log likelihood of labels with log odds `at`."""
    return float(size @ np.logaddexp(0, at) - pos @ at)


def _variances(table: ScoreTable, profile: _Profile) -> tuple[float, float, float]:
    """Return the variance of theta by the model, that by the sandwich, and the latter's freedom."""
    p, effect, rows, model = _effects(profile)
    pull = (rows**2).sum(axis=0)  # leverage of a weight of 1
    squares = np.zeros(p.size)
    of_classes = zip((table.pos, table.neg), squares_of(table), (1 - p, p), strict=True)
    for total, w2, residual in of_classes:
        weight = w2 / np.where(total > 0, total, 1.0)  # of a case in a row
        left = np.maximum(1 - weight * pull, _CLOSE)
        squares += w2 * residual**2 / (left**2 if table.is_weighted else left)
    variance = float(squares @ effect**2)
    if table.is_weighted:
        return model, variance, max(min(table.n_eff) - 1, 1.0)
    df = _freedom(profile.size, rows, pull)
    if profile.beside is not None:
        by_class, of_welch = _by_class(table, effect, p)
        variance, df = max(variance, by_class), min(df, of_welch)
    return model, variance, df


def _effects(profile: _Profile) -> tuple[Vector, Vector, Array, float]:
    """Return probabilities, what a residual moves theta by, the design scaled, and its variance.

    Rows of the scaled design are orthogonal; their squares add up to the leverage. Theta's is
    taken apart from the other one, so that each variance is a sum of squares, however alike the two
    are. The variance of theta is that of the model.
    """
    from scipy.special import expit

    p = expit(profile.fitted(profile.value))
    each = p * (1 - p)
    own, *others = profile.design
    beside = []
    for other in others:
        along = profile.size * each * other
        own = own - other * float(along @ own / (along @ other))
        beside.append(other * np.sqrt(each / float(along @ other)))
    information = max(float((profile.size * each) @ own**2), 1 / LARGEST)
    rows = np.array([own * np.sqrt(each / information), *beside])
    return p, own / information, rows, 1 / information


def _by_class(table: ScoreTable, effect: Vector, p: Vector) -> tuple[float, float]:
    """Return the variance of theta by that within each class, and Welch's degrees of freedom.

    The slope is such that the mean score of the positives is what it should be. A mean of n cases
    has the variance n / (n - 1) times what residuals about it show, however many cases the other
    class has; how many cases are positive is what the means of the effects vary by.
    """
    variance, uncertain = 0.0, 0.0
    for count, residual in ((table.pos, 1 - p), (table.neg, p)):
        n, each = float(count.sum()), effect * residual
        mean = float(count @ each) / n
        variance += n * mean**2
        if n > 1:
            spread = float(count @ (each - mean) ** 2) * n / (n - 1)
            variance += spread
            uncertain += spread**2 / (n - 1)
    return variance, max(variance**2 / uncertain, 1.0) if uncertain > 0 else _INF


def _freedom(size: Vector, rows: Array, leverage: Vector) -> float:
    """Return Bell and McCaffrey's degrees of freedom of the sandwich, if the model holds.

    The sandwich is a quadratic form of labels that vary independently. Scaled to a mean of 1, its
    variance is 2 over the number returned.
    """
    square = rows[0] ** 2 / np.maximum(1 - leverage, _CLOSE)
    mean = float(size @ (square * (1 - leverage)))
    between = (rows * (size * square)) @ rows.T
    spread = float((size * square**2) @ (1 - 2 * leverage)) + float((between**2).sum())
    return max(mean**2 / spread, 1.0) if spread > 0 else 1.0


def _estimate(table: ScoreTable, name: str, profile: _Profile) -> CalibrationEstimate:
    """Return an estimate with its standard error, which its likelihood is scaled to fit.

    The error is that of the sandwich where cases have weights, of others the larger of both.
    """
    se, df = float("nan"), _INF
    if np.isfinite(profile.value):
        variance, of_sandwich, freedom = _variances(table, profile)
        if table.is_weighted or of_sandwich > variance:
            df, profile = freedom, _scaled(profile, variance / of_sandwich)
            variance = of_sandwich
        se = float(np.sqrt(variance) / np.abs(profile.along).max())
    return CalibrationEstimate(
        value=profile.value,
        se=se,
        method=name,
        range=(-_INF, _INF),
        df=df,
        ideal=float(name == NAMES[0]),
        _profile=profile,
    )


def _scaled(profile: _Profile, unit: float) -> _Profile:
    """Multiply all weights, and so the likelihood."""
    state = profile.__getstate__()
    changed = {name: state[name] * unit for name in ("pos", "size", "best")}
    return _Profile(**{**state, **changed})


def _joint(table: ScoreTable, profile: _Profile, x: Vector) -> TestResult:
    """Test slope 1 and intercept 0: by the penalised likelihood lost there, or by the score."""
    from scipy.special import chdtrc

    statistic = _score(table, profile.design, x) if table.is_weighted else profile.lost(x)
    return TestResult(
        statistic=statistic,
        pvalue=float(chdtrc(2, statistic)),
        alternative="two-sided",
        method="chi-square, score" if table.is_weighted else "chi-square",
        difference=float("nan"),
        df=2.0,
    )


def _score(table: ScoreTable, design: Array, x: Vector) -> float:
    """Return the squared length of the weighted residuals of log odds x, in their own covariance.

    If probabilities are calibrated, each label has the variance p (1 - p) given its score.
    """
    from scipy.special import expit

    squares = sum(np.asarray(c, dtype=np.float64) for c in squares_of(table))
    pull = design @ (table.pos * expit(-x) - table.neg * expit(x))
    spreads, axes = np.linalg.eigh((design * (squares * expit(x) * expit(-x))) @ design.T)
    if not spreads[-1] > 0:
        return _INF if pull.any() else 0.0
    return float(((axes.T @ pull) ** 2 / np.maximum(spreads, _FLAT * spreads[-1])).sum())
