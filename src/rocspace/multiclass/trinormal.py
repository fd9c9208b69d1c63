"""The ROC surface of three classes whose scores are Normal, as given or after a power."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from math import factorial
from typing import Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_choice, two_names
from rocspace._base.frozen import Result
from rocspace.multiclass.cases import OrderedScores
from rocspace.multiclass.surfaces import checked_rates, need_three
from rocspace.multiclass.volumes import checked_order
from rocspace.results.estimates import Difference, Estimate
from rocspace.results.limits import floor_note, touching_pvalue
from rocspace.results.proportions import normal_density
from rocspace.results.test import TestResult
from rocspace.simulate.populations import symmetric_root

Transform: TypeAlias = Literal["box-cox"]

_REACH = 9.0  # the Normal density beyond is below 1e-18
_STEPS = 20_001
_POWERS = 5.0  # size of the power beyond which it is not sought
_SERIES = 0.01  # of an exponent, below which a series keeps more digits
_RANK = 1e-7  # of the root of a covariance, below which a direction has no influence
_ONE = 1e-12  # of a correlation matrix, below which an eigenvalue is round-off


class TrinormalSurface(Result):
    """The ROC surface of three classes whose scores are Normal.

    Attributes
    ----------
    classes : tuple, length 3
        The labels, in their order.
    mean, sd : ndarray of float64, shape (3,)
        Mean and standard deviation of each class, by maximum likelihood (divisor n); of transformed
        scores if there is a power.
    size : ndarray of float64, shape (3,)
        Number of cases of each class.
    power : float, optional
        Box and Cox's power, with which ``((x / g)^power - 1) / power`` is Normal in each class, g
        being the geometric mean of all scores.
    errors : ndarray of float64, shape (6, 6), optional
        Covariance matrix of the three means and the three standard deviations; by default that of
        Normal samples.
    a, b, c, d : float
        ``sd[1] / sd[0]``, ``(mean[0] - mean[1]) / sd[0]``, ``sd[1] / sd[2]`` and
        ``(mean[2] - mean[1]) / sd[2]``.

    See Also
    --------
    fit_trinormal
    """

    classes: tuple[Hashable, ...]
    mean: Vector
    sd: Vector
    size: Vector
    power: float | None = None
    errors: Vector | None = None

    _frame = ("mean", "sd", "size")

    @property
    def a(self) -> float:
        """Standard deviation of the middle class divided by that of the first."""
        return float(self.sd[1] / self.sd[0])

    @property
    def b(self) -> float:
        """Mean of the first class minus that of the middle, in standard deviations of the first."""
        return float((self.mean[0] - self.mean[1]) / self.sd[0])

    @property
    def c(self) -> float:
        """Standard deviation of the middle class divided by that of the last."""
        return float(self.sd[1] / self.sd[2])

    @property
    def d(self) -> float:
        """Mean of the last class minus that of the middle, in standard deviations of the last."""
        return float((self.mean[2] - self.mean[1]) / self.sd[2])

    def surface_at(self, first: ArrayLike, last: ArrayLike) -> Vector:
        """Return the middle class's correct rate where those of the others are given.

        Parameters
        ----------
        first, last : array-like
            Correct rates of the first and the last class, in [0, 1].

        Returns
        -------
        ndarray
            The correct rate of the middle class; 0 where no thresholds reach both rates.

        Raises
        ------
        ValueError
            If a rate is not in [0, 1].

        References
        ----------
        Xiong, van Belle, Miller and Morris (2006), a paper on this alone.

        Examples
        --------
        >>> from rocspace.multiclass import fit_trinormal, ordered_scores
        >>> data = ordered_scores([1, 1, 2, 2, 3, 3], [1, 2, 2, 4, 4, 5], order=[1, 2, 3])
        >>> round(float(fit_trinormal(data).surface_at(0.5, 0.5)), 4)
        0.8664
        """
        from scipy.special import ndtr, ndtri

        one, three = checked_rates(first, last)
        rate = ndtr((ndtri(1 - three) + self.d) / self.c) - ndtr((ndtri(one) + self.b) / self.a)
        return np.asarray(np.maximum(rate, 0.0))

    def vus_estimate(self) -> Estimate:
        """Return the volume under the surface with its standard error.

        Returns
        -------
        Estimate
            The volume with ``se``, by the delta method, and ``interval(level)``. It has a degree of
            freedom less than the smallest class has cases.

        References
        ----------
        Xiong, van Belle, Miller and Morris (2006), a paper on this alone.
        """
        value, slope = self._volume()
        return Estimate(
            value=value,
            se=float(np.sqrt(slope @ self._covariance() @ slope)),
            method="trinormal, delta",
            df=float(self.size.min() - 1),
        )

    def _volume(self) -> tuple[float, Vector]:
        """Return the volume, and how it changes with a, b, c and d."""
        from scipy.special import ndtr

        s = np.linspace(-_REACH, _REACH, _STEPS)
        weight = normal_density(s) * (s[1] - s[0])
        left, right = self.a * s - self.b, self.d - self.c * s
        below, above = ndtr(left), ndtr(right)
        falls = weight * above * normal_density(left)
        rises = weight * below * normal_density(right)
        slope = np.array([(s * falls).sum(), -falls.sum(), -(s * rises).sum(), rises.sum()])
        return float((weight * below * above).sum()), slope

    def vus_test(self) -> TestResult:
        """Test whether the volume is 1/6, that of an uninformative score.

        Returns
        -------
        TestResult
            The statistic is the volume minus 1/6, divided by its standard error; p is the number
            for which the interval of level ``1 - p`` of `vus_estimate` ends at 1/6.

        Notes
        -----
        An informative score can have the volume 1/6, if its classes have another order; `test` asks
        whether all classes have the same distribution. Compared with the Normal distribution, as
        published, the statistic rejects 9 to 12 percent of true hypotheses at .05 with 10 or 20
        cases in a class; this test 3 to 8 (docs, "Measured coverage").

        References
        ----------
        Xiong, van Belle, Miller and Morris (2006), a paper on this alone, for the statistic.

        Examples
        --------
        >>> from rocspace.multiclass import fit_trinormal, ordered_scores
        >>> data = ordered_scores([1, 1, 2, 2, 3, 3], [1, 2, 2, 4, 4, 5], order=[1, 2, 3])
        >>> round(fit_trinormal(data).vus_test().pvalue, 4)
        0.0125
        """
        found = self.vus_estimate()
        gap, p = found.value - 1 / 6, touching_pvalue(found, 1 / 6, "two-sided")
        return TestResult(
            statistic=gap / found.se,
            pvalue=p,
            alternative="two-sided",
            method=found.interval().method,
            difference=gap,
            note=floor_note(p),
        )

    @explained
    def test(
        self, *, method: Literal["likelihood-ratio", "wald"] = "likelihood-ratio"
    ) -> TestResult:
        """Test whether the score is uninformative: all three classes have the same distribution.

        Parameters
        ----------
        method : {"likelihood-ratio", "wald"}, default "likelihood-ratio"
            "wald" is the published chi-square of (a - 1, b, c - 1, d). "likelihood-ratio" compares
            the likelihood with that of one Normal distribution, and divides by what the statistic
            has in the mean if that is true (Bartlett's correction, exact without a power).

        Returns
        -------
        TestResult
            A chi-square with 4 degrees of freedom.

        Notes
        -----
        With 10 to 20 cases in a class "wald" rejects 7 to 12 percent of true hypotheses at .05,
        "likelihood-ratio" 1 to 5 (docs, "Measured coverage").

        References
        ----------
        Noll, Furrer, Reiser and Nakas (2019), a paper on this alone, for "wald".

        Examples
        --------
        >>> from rocspace.multiclass import fit_trinormal, ordered_scores
        >>> data = ordered_scores([1, 1, 2, 2, 3, 3], [1, 2, 2, 4, 4, 5], order=[1, 2, 3])
        >>> round(fit_trinormal(data).test().pvalue, 4)
        0.3893
        """
        from scipy.special import chdtrc

        if method == "wald":
            gap = np.array([self.a - 1, self.b, self.c - 1, self.d])
            statistic = float(gap @ np.linalg.solve(self._covariance(), gap))
        else:
            statistic = self._likelihood_ratio()
        return TestResult(
            statistic=statistic,
            pvalue=float(chdtrc(4, statistic)),
            alternative="two-sided",
            method=f"{method}, trinormal",
            difference=self.vus_estimate().value - 1 / 6,
            df=4.0,
        )

    def _likelihood_ratio(self) -> float:
        """Return twice the log likelihood ratio to one distribution, over its mean in fours."""
        from scipy.special import digamma

        n, total = self.size, float(self.size.sum())
        middle = float(n @ self.mean) / total
        spread = float(n @ (self.sd**2 + (self.mean - middle) ** 2)) / total
        statistic = total * np.log(spread) - float(n @ np.log(self.sd**2))

        def expected(cases: Vector) -> Vector:  # of n log(variance), of standard Normal scores
            return np.asarray(cases * (digamma((cases - 1) / 2) + np.log(2 / cases)))

        usual = float(expected(np.array([total])).sum() - expected(n).sum())
        return float(4 * statistic / usual)

    def _covariance(self) -> Vector:
        """Return the covariance matrix of (a, b, c, d), from those of means and deviations."""
        slope, errors = self._slopes(), self.errors
        if errors is None:
            variance = self.sd**2 / self.size
            errors = np.diag(np.concatenate([variance, variance / 2]))
        return np.asarray(slope @ errors @ slope.T)

    def _slopes(self) -> Vector:
        """Return how (a, b, c, d) change with the three means, then the three deviations."""
        one, _, three = self.sd
        return np.array(
            [
                [0, 0, 0, -self.a / one, 1 / one, 0],
                [1 / one, -1 / one, 0, -self.b / one, 0, 0],
                [0, 0, 0, 0, 1 / three, -self.c / three],
                [0, -1 / three, 1 / three, 0, 0, -self.d / three],
            ]
        )


@explained
def fit_trinormal(
    data: OrderedScores, name: str | None = None, *, transform: Transform | None = None
) -> TrinormalSurface:
    """Fit the ROC surface of three classes whose scores are Normal.

    Parameters
    ----------
    data : OrderedScores
        Three classes in their order, and a score that is larger for later classes.
    name : str, optional
        The marker; not needed where there is only one.
    transform : {"box-cox"}, optional
        Transform the scores, which must be positive, by the one power that makes all classes as
        Normal as a power can; by default they are taken as they are.

    Returns
    -------
    TrinormalSurface
        With ``surface_at(first, last)``, ``vus_estimate()``, ``vus_test()`` and ``test()``.

    Raises
    ------
    SingleClassError
        If a class of the order has no cases.
    TypeError, ValueError
        If the data are of another kind or not of three classes, the marker is unknown or not
        named, a class has only one distinct or an infinite score, a score to transform is not
        positive, or cases have weights or clusters.

    Notes
    -----
    Means and standard deviations are those of maximum likelihood; their variances are sd^2 / n and
    sd^2 / (2 n). The power has the largest likelihood in [-5, 5], and all errors allow for its
    estimation by the observed information. O(n), or some hundred times that with a power.

    Where scores are Normal, or are nearly so after a power, the intervals of volumes cover in 94 to
    97 percent of samples, those of differences of volumes in 94 to 98, from 10 cases in a class on.

    References
    ----------
    Xiong, van Belle, Miller and Morris (2006), a paper on this alone, for the surface; Noll,
    Furrer, Reiser and Nakas (2019), a paper on this alone, for the test and the transformation.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> score = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6]
    >>> data = ordered_scores(y, score, order=[1, 2, 3])
    >>> round(fit_trinormal(data).vus_estimate().value, 4)
    0.6885
    >>> round(fit_trinormal(data, transform="box-cox").power, 4)
    0.7341
    """
    return _fitted("fit_trinormal", data, name, transform)[0]


@explained
def trinormal_difference(
    data: OrderedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    transform: Transform | None = None,
) -> Difference:
    """Difference of the volumes under the trinormal surfaces of two markers of the same cases.

    Parameters
    ----------
    data : OrderedScores
        Two markers or more of three classes.
    first, second : str, optional
        Their names; not needed where there are only two.
    transform : {"box-cox"}, optional
        As for `fit_trinormal`; each marker has a power of its own.

    Returns
    -------
    Difference
        First minus second, in [-1, 1], with ``test()`` and ``interval(level)``. Positive if the
        first is better.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `fit_trinormal`; also if there are not two markers.

    Notes
    -----
    The standard error is that of the delta method: the means of the two markers in a class have the
    covariance r s t / n and their standard deviations r^2 s t / (2 n), where s and t are the two
    standard deviations and r is the correlation of the markers in the class. With powers the
    correlations are those of the influences of the cases. The test is Student's, with one degree of
    freedom fewer than the smallest class has cases. `vus_difference` needs no distribution. O(n).

    References
    ----------
    Noll, Furrer, Reiser and Nakas (2019), a paper on this alone.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> a, b = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6], [2, 1, 4, 3, 3, 1, 4, 4, 3, 5, 2]
    >>> gain = trinormal_difference(ordered_scores(y, {"a": a, "b": b}, order=[1, 2, 3]))
    >>> round(gain.value, 4)
    0.3954
    """
    one, two, joint, _ = _pair("trinormal_difference", data, first, second, transform)
    slopes = one._volume()[1], two._volume()[1]
    estimates = [fit.vus_estimate() for fit in (one, two)]
    gap = np.concatenate([slopes[0], -slopes[1]])
    both = [
        float(g @ part @ g) for g, part in zip(slopes, (joint[:4, :4], joint[4:, 4:]), strict=True)
    ]
    shared = float(slopes[0] @ joint[:4, 4:] @ slopes[1]) / np.sqrt(both[0] * both[1])
    return Difference(
        df=estimates[0].df,
        value=estimates[0].value - estimates[1].value,
        se=float(np.sqrt(max(gap @ joint @ gap, 0.0))),
        method="trinormal, delta",
        n_pairs=float(one.size.min()),
        range=(-1.0, 1.0),
        first=estimates[0],
        second=estimates[1],
        correlation=float(min(max(shared, -1.0), 1.0)),
        usual="t",
    )


@explained
def trinormal_test(
    data: OrderedScores,
    first: str | None = None,
    second: str | None = None,
    *,
    transform: Transform | None = None,
) -> TestResult:
    """Test whether two markers of the same cases have the same trinormal surface.

    Parameters
    ----------
    data, first, second, transform
        As for `trinormal_difference`.

    Returns
    -------
    TestResult
        Wald's chi-square of the differences of a, b, c and d, with 4 degrees of freedom;
        ``difference`` is that of the volumes. With powers "F" takes the place of the chi-square.

    Raises
    ------
    SingleClassError, TypeError, ValueError
        As `trinormal_difference`; also if the two markers are one.

    Notes
    -----
    Two surfaces can differ and have the same volume, which `trinormal_difference` compares. The
    cost is that of `trinormal_difference`.

    With powers the covariance S of the four differences is estimated from the cases, and a class of
    10 tells little of it. The chi-square T is therefore read as Hotelling's: ``T (v - 3) / (4 v)``
    is compared with F of 4 and v - 3 degrees of freedom (1 at least), where ``v = (4 + 16) / sum of
    (tr(M_i^2) + tr(M_i)^2) / (n_i - 1)``, and ``M_i = S_i S^-1`` the part of S that the n_i cases
    of a class contribute. The result's ``statistic`` is ``T (v - 3) / v``.

    Of true hypotheses at .05 it rejects 4 to 6 percent where scores are Normal, and 0 to 5 where
    they are so after a power, the most with 10 cases in a class; `trinormal_difference` rejects 2
    to 6 there. Of exponential scores taken as they are it rejects 23 to 33 percent (docs, "Measured
    coverage").

    References
    ----------
    Noll, Furrer, Reiser and Nakas (2019), a paper on this alone; Krishnamoorthy and Yu (2004), a
    paper on this alone, for v.

    Examples
    --------
    >>> from rocspace.multiclass import ordered_scores
    >>> y = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    >>> a, b = [1, 2, 2, 3, 2, 3, 4, 3, 4, 5, 6], [2, 1, 4, 3, 3, 1, 4, 4, 3, 5, 2]
    >>> found = trinormal_test(ordered_scores(y, {"a": a, "b": b}, order=[1, 2, 3]))
    >>> found.df, round(found.statistic, 4)
    (4.0, 3.1662)
    """
    from scipy.special import chdtrc

    one, two, joint, shares = _pair("trinormal_test", data, first, second, transform)
    apart = np.hstack([np.eye(4), -np.eye(4)])
    covariance = apart @ joint @ apart.T
    gap = np.array([getattr(one, each) - getattr(two, each) for each in "abcd"])
    own = np.sqrt(np.diag(joint)[:4] + np.diag(joint)[4:])
    if not np.linalg.eigvalsh(covariance / np.outer(own, own))[0] > _ONE:
        msg = "The two markers differ only in scale. Name two that rank the cases differently."
        raise ValueError(msg)
    statistic = float(gap @ np.linalg.solve(covariance, gap))
    found = TestResult(
        statistic=statistic,
        pvalue=float(chdtrc(4, statistic)),
        alternative="two-sided",
        method="chi-square, trinormal",
        difference=one._volume()[0] - two._volume()[0],
        df=4.0,
    )
    return _of_few_cases(found, one.size, shares) if shares else found


def _of_few_cases(found: TestResult, size: Vector, shares: Sequence[Vector]) -> TestResult:
    """Return Hotelling's test for a chi-square whose covariance is the sum of what classes share.

    The degrees of freedom are those of Krishnamoorthy and Yu (2004).
    """
    from scipy.special import fdtrc

    q, whole = found.df, np.linalg.inv(sum(shares, np.zeros_like(shares[0])))
    parts = [share @ whole for share in shares]
    spent = [np.trace(part @ part) + np.trace(part) ** 2 for part in parts]
    known = float((q + q * q) / (np.array(spent) / (size - 1)).sum())
    second = max(known - q + 1, 1.0)
    statistic = found.statistic * second / (second + q - 1)
    return replace(
        found,
        statistic=statistic,
        pvalue=float(fdtrc(q, second, statistic / q)),
        method="F",
        df_denominator=second,
    )


def _pair(
    asked: str, data: OrderedScores, first: str | None, second: str | None, transform: str | None
) -> tuple[TrinormalSurface, TrinormalSurface, Vector, list[Vector]]:
    """Return the fits of two markers, the joint covariance of their a, b, c and d, and shares.

    With powers the shares are what each class contributes to the covariance of the differences.
    """
    found = checked_order(asked, data)
    names = two_names(asked, found.names, first, second, "classifier")
    (one, x), (two, y) = (_fitted(asked, found, name, transform) for name in names)
    slopes = one._slopes(), two._slopes()
    if transform is not None:
        parts = [
            _influences(fit, found, log_score)[:, :6] @ slope.T
            for fit, log_score, slope in zip((one, two), (x, y), slopes, strict=True)
        ]
        own = [one._covariance(), two._covariance()]
        moved = _own_influences(parts, own)
        apart = [(moved[0] - moved[1])[rows] for rows in _rows(found)]
        return one, two, _joined(moved, own), [each.T @ each for each in apart]
    r = np.array([np.corrcoef(x[own], y[own])[0, 1] for own in _rows(found)])
    mean = r * one.sd * two.sd / one.size
    shared = slopes[0] @ np.diag(np.concatenate([mean, r * mean / 2])) @ slopes[1].T
    return one, two, np.block([[one._covariance(), shared], [shared.T, two._covariance()]]), []


def _own_influences(influences: Sequence[Vector], own: Sequence[Vector]) -> list[Vector]:
    """Return the influences on two estimates, moved so that each has its own covariance.

    The squares of the influences of ten cases vary so much that their sum is often far too small.
    """
    return [each @ _matched(each.T @ each, to).T for each, to in zip(influences, own, strict=True)]


def _joined(influences: Sequence[Vector], own: Sequence[Vector]) -> Vector:
    """Return the joint covariance of two estimates, each one's own, from their influences."""
    shared = influences[0].T @ influences[1]
    return np.block([[own[0], shared], [shared.T, own[1]]])


def _matched(found: Vector, own: Vector) -> Vector:
    """Return the matrix that gives what has the covariance `found` the covariance `own`."""
    scale = np.sqrt(np.diag(own))
    unit = np.outer(scale, scale)
    back = np.linalg.pinv(symmetric_root(found / unit), rcond=_RANK, hermitian=True)
    return np.asarray(scale[:, None] * (symmetric_root(own / unit) @ back) / scale)


def _rows(data: OrderedScores) -> list[Ints]:
    return [np.flatnonzero(data.label == i) for i in range(3)]


def _fitted(
    asked: str, data: OrderedScores, name: str | None, transform: str | None
) -> tuple[TrinormalSurface, Vector]:
    """Return the fit of a marker, and its scores: logarithms about their mean if transformed."""
    found = checked_order(asked, data)
    need_three(found, asked)
    if transform is not None:
        check_choice("transform", transform, Transform)
    if found.weight is not None or found.cluster is not None:
        msg = f"{asked} takes cases without weights or clusters; vus_estimate takes both."
        raise ValueError(msg)
    column = found.score[:, found.classifier(name)].astype(np.float64)
    rows, power = _rows(found), None
    _check_spread(found, [column[own] for own in rows])
    used = column
    if transform is not None:
        if column.min() <= 0:
            msg = (
                f"The smallest score is {column.min():g}, and a power takes positive ones. Add a "
                "number to all of them, or leave the transformation out."
            )
            raise ValueError(msg)
        column = np.log(column)
        column -= column.mean()
        power = _best_power(column, rows)
        used = _powered(column, power)[0]
    fit = TrinormalSurface(
        classes=found.classes,
        mean=np.array([used[own].mean() for own in rows]),
        sd=np.array([used[own].std() for own in rows]),
        size=np.array([float(own.size) for own in rows]),
        power=power,
    )
    if transform is not None:
        errors = np.linalg.inv(_information(fit, found, column))[:6, :6]
        fit = replace(fit, errors=errors.astype(np.float64))
    return fit, column


def _check_spread(data: OrderedScores, scores: Sequence[Vector]) -> None:
    """Raise unless every class has a positive, finite spread."""
    sd = np.array([x.std() if np.isfinite(x).all() else np.nan for x in scores])
    if not (sd > 0).all():
        label = data.classes[int(np.argmin(sd > 0))]
        msg = (
            f"The scores of class {label!r} have no positive, finite spread, and a Normal "
            "distribution needs one. vus_estimate needs no distribution."
        )
        raise ValueError(msg)


# --- powers -----------------------------------------------------------------------------------


def _powered(log_score: Vector, power: float) -> tuple[Vector, Vector, Vector]:
    """Return Box and Cox's transformation of scores, and its two derivatives by the power."""
    x = log_score
    if abs(power) * float(np.abs(x).max()) < _SERIES:
        terms = [power**j * x ** (j + 1) / factorial(j + 1) for j in range(7)]
        first = [(j + 1) * power**j * x ** (j + 2) / factorial(j + 2) for j in range(6)]
        second = [(j + 1) * (j + 2) * power**j * x ** (j + 3) / factorial(j + 3) for j in range(5)]
        return sum(terms, 0 * x), sum(first, 0 * x), sum(second, 0 * x)
    y, grown = np.expm1(power * x) / power, np.exp(power * x)
    u = (grown * x - y) / power
    return y, u, (grown * x * x - 2 * u) / power


def _best_power(log_score: Vector, rows: Sequence[Ints]) -> float:
    """Return the power with the largest likelihood: logarithms are about their mean."""
    from scipy.optimize import minimize_scalar

    def loss(power: float) -> float:
        y = _powered(log_score, power)[0]
        return float(sum(own.size * np.log(y[own].std()) for own in rows))

    grid = np.linspace(-_POWERS, _POWERS, 41)
    at = int(np.argmin([loss(power) for power in grid]))
    ends = grid[max(at - 1, 0)], grid[min(at + 1, grid.size - 1)]
    found = minimize_scalar(loss, bounds=ends, method="bounded", options={"xatol": 1e-9})
    return float(found.x)


def _scores(fit: TrinormalSurface, data: OrderedScores, log_score: Vector) -> Vector:
    """Return the derivatives of each case's log likelihood: means, deviations, power."""
    assert fit.power is not None
    y, u, _ = _powered(log_score, fit.power)
    i, found = data.label, np.zeros((y.size, 7))
    z = (y - fit.mean[i]) / fit.sd[i]
    case = np.arange(y.size)
    found[case, i] = z / fit.sd[i]
    found[case, 3 + i] = (z * z - 1) / fit.sd[i]
    found[:, 6] = log_score - z * u / fit.sd[i]
    return found


def _information(fit: TrinormalSurface, data: OrderedScores, log_score: Vector) -> Vector:
    """Return the observed information of means, deviations and power."""
    assert fit.power is not None
    y, u, v = _powered(log_score, fit.power)
    found = np.zeros((7, 7))
    for i, own in enumerate(_rows(data)):
        s, gap = fit.sd[i], y[own] - fit.mean[i]
        found[i, i], found[3 + i, 3 + i] = own.size / s**2, 2 * own.size / s**2
        found[i, 6] = found[6, i] = -u[own].sum() / s**2
        found[3 + i, 6] = found[6, 3 + i] = -2 * (gap * u[own]).sum() / s**3
        found[6, 6] += (u[own] ** 2 + gap * v[own]).sum() / s**2
    return found


def _influences(fit: TrinormalSurface, data: OrderedScores, log_score: Vector) -> Vector:
    """Return how much each case moves the means, the deviations and the power."""
    information = _information(fit, data, log_score)
    return np.asarray(np.linalg.solve(information, _scores(fit, data, log_score).T).T)
