"""Fits: smooth curves with parameters, their covariance, and the estimates that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, ClassVar, Self

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.cards import Card
from rocspace._base.checks import (
    Axis,
    Ends,
    check_choice,
    check_fraction,
    check_level,
    check_one_fraction,
    check_part,
    check_range,
)
from rocspace._base.frozen import Result
from rocspace._base.text import brief, either, general
from rocspace.results.curve import PolygonCurve, SmoothCurve, plain
from rocspace.results.estimates import Estimate, Scale
from rocspace.results.interval import Interval
from rocspace.results.test import TestResult

_STEP = 6e-6  # of a parameter, by which a reading is differentiated: the cube root of rounding


class Fit(SmoothCurve, Result):
    """A curve with parameters, fitted to scores or to studies: the base of all fitted curves.

    Attributes
    ----------
    method : str
        The model, and how it was fitted.
    parameters : mapping of str to float
        The parameters of the curve by symbol, such as ``a`` and ``b``.
    covariance : ndarray of float64, shape (p, p)
        Covariance of the estimates, in the order of `parameters`; nan where it is unknown.
    covariance_method : str
        How the covariance was estimated: information, least squares, a sandwich, a bootstrap.
    loglik : float or None
        Log-likelihood at the fit; None for a method that does not maximise a likelihood.
    n_cases : float or None
        Number of cases in the likelihood; None without a likelihood.
    n_parameters : int or None
        How many parameters the likelihood was maximised over, those included that do not shape
        the curve, such as cuts between ratings; None for those of the curve.
    df : float
        Degrees of freedom of the standard errors: one fewer than the cases of the smaller class.
    flags : mapping of str to str
        What is wrong with the fit: "degenerate", "improper", "boundary", "separated", "tied" or
        "unconverged", each with a sentence that says what it means and what to use instead.
        Empty where nothing is.
    goodness : TestResult or None
        Test of the model: the chi-square of ratings, or `rocspace.models.goodness_of_fit` where
        that was asked for; else None.
    cuts : tuple of ndarray, or None
        Thresholds, most positive first, and their fitted false positive rates, for fits that know
        no more of the scores' scale; the first calls nothing positive.

    See Also
    --------
    rocspace.models.fit_roc, rocspace.models.compare_models

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.models import fit_binormal
    >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
    >>> isinstance(fit, Fit), list(fit.parameters), round(fit.auc, 3)
    (True, ['a', 'b'], 0.724)
    >>> low, high = fit.auc_estimate().interval(0.9)
    """

    _meant: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("ci", "interval", "conf_int", "confint", "confidence_interval"),
        "auc_estimate().interval(level) of the area, or that of another ..._estimate",
    ) | dict.fromkeys(("coef", "coefficients", "params", "params_"), "parameters")

    method: str
    parameters: Mapping[str, float]
    covariance: Vector = field(repr=False)
    covariance_method: str
    loglik: float | None = None
    n_cases: float | None = None
    n_parameters: int | None = None
    df: float = float("inf")
    flags: Mapping[str, str] = field(default_factory=dict)
    goodness: TestResult | None = None
    cuts: tuple[Vector, Vector] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Short description of the curve."""
        return f"{self.method} fit"

    @property
    def se(self) -> dict[str, float]:
        """Standard error of each parameter, by symbol."""
        with np.errstate(invalid="ignore"):
            errors = np.sqrt(np.diag(self.covariance))
        return dict(zip(self.parameters, errors.tolist(), strict=True))

    @property
    def aic(self) -> float | None:
        """Akaike's criterion, lower is better; None without a likelihood."""
        return None if self.loglik is None else 2 * (self._counted() - self.loglik)

    @property
    def bic(self) -> float | None:
        """Bayesian information criterion, lower is better; None without a likelihood."""
        if self.loglik is None or self.n_cases is None:
            return None
        return float(self._counted() * np.log(self.n_cases) - 2 * self.loglik)

    def _counted(self) -> int:
        return len(self.parameters) if self.n_parameters is None else self.n_parameters

    # --- estimates ----------------------------------------------------------------------------

    def estimate(
        self, reading: Callable[[Self], float], *, bounds: tuple[float, float] = (0.0, 1.0)
    ) -> Estimate:
        """Estimate any reading of the curve, with its standard error by the delta method.

        Parameters
        ----------
        reading : callable
            Takes a fit, returns a number: ``lambda fit: fit.slope_at(0.1)``. It is asked of this
            fit, and of fits whose parameters are a little different.
        bounds : tuple of float, default (0, 1)
            The values that the quantity can take.

        Returns
        -------
        Estimate
            Its standard error is nan where the covariance is unknown, as of degenerate fits; its
            interval then is the whole range.

        Notes
        -----
        2 p readings for p parameters. The variance is ``g' V g``, with V the covariance and g
        the central differences of the reading. It knows what the sample says if the model
        holds, and nothing of how wrong the model is.

        The default interval is value +- t se on the scale of Phi^-1, t Student's quantile of one
        degree of freedom less than the smaller class has cases; binormal areas are covered in
        94.1 to 97.4 percent of samples from 10 + 10 cases on, with the Normal quantile in 90.7 to
        94.9.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.estimate(lambda curve: curve.tpr_at(0.2))
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        0.584 +- 0.270
        """
        with np.errstate(all="ignore"):  # variances of huge scores may be infinite
            variance = self._variance(reading)
        return self._estimated(float(reading(self)), variance, bounds)

    def _estimated(
        self, value: float, variance: Any, bounds: tuple[float, float] = (0.0, 1.0)
    ) -> Estimate:
        with np.errstate(all="ignore"):
            se = float(np.sqrt(variance))
        return _FitEstimate(
            value=value,
            se=se,
            method=f"{self.method}, {self.covariance_method}",
            range=bounds,
            df=self.df,
        )

    def _centred(self, found: Estimate, again: Callable[[Self], Estimate]) -> Estimate:
        """Return an estimate whose interval is about that of the fit without the bias."""
        other = self._unbiased
        if other is None:
            return found
        return _CentredEstimate(**found.__getstate__(), centre=again(other))

    @property
    def _unbiased(self) -> Self | None:
        """The fit that intervals are about, where this one has a bias that is known."""
        return None

    def auc_estimate(self) -> Estimate:
        """Estimate the area under the fitted curve, with its standard error.

        Returns
        -------
        Estimate
            As of `estimate`.
        """
        with np.errstate(all="ignore"):
            variance = self._variance_of_auc()
        return self._centred(self._estimated(self.auc, variance), lambda fit: fit.auc_estimate())

    def _variance_of_auc(self) -> Any:
        return self._variance(lambda fit: fit.auc)

    def partial_auc_estimate(self, *, fpr: Ends | None = None, tpr: Ends | None = None) -> Estimate:
        """Estimate a part of the area, with its standard error.

        Parameters
        ----------
        fpr, tpr
            As for `partial_auc`.

        Returns
        -------
        Estimate
            As of `estimate`; its range is from 0 to the width of that of the rate.

        Raises
        ------
        ValueError
            As `partial_auc`.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.partial_auc_estimate(fpr=(0, 0.2))
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        0.093 +- 0.056
        """
        axis, low, high = check_part(fpr, tpr) or ("fpr", 0.0, 1.0)
        with np.errstate(all="ignore"):
            variance = self._variance_of_part(axis, low, high)
        value = self.partial_auc(fpr=fpr, tpr=tpr)
        found = self._estimated(value, variance, (0.0, high - low))
        return self._centred(found, lambda fit: fit.partial_auc_estimate(fpr=fpr, tpr=tpr))

    def _variance_of_part(self, axis: Axis, low: float, high: float) -> Any:
        return self._variance(lambda fit: fit.partial_auc(**{axis: (low, high)}))

    def tpr_estimate(self, fpr: float) -> Estimate:
        """Estimate the true positive rate at a false positive rate, with its standard error.

        Parameters
        ----------
        fpr : float
            A rate in [0, 1].

        Returns
        -------
        Estimate
            As of `estimate`.

        Raises
        ------
        ValueError
            If the rate is outside [0, 1].

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.tpr_estimate(0.2)
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        0.584 +- 0.270
        """
        at = check_one_fraction("fpr", fpr)
        found = self.estimate(lambda fit: float(fit.tpr_at(at)))
        return self._centred(found, lambda fit: fit.tpr_estimate(at))

    def fpr_estimate(self, tpr: float) -> Estimate:
        """Estimate the false positive rate at a true positive rate, with its standard error.

        Parameters
        ----------
        tpr : float
            A rate in [0, 1].

        Returns
        -------
        Estimate
            As of `estimate`.

        Raises
        ------
        ValueError
            If the rate is outside [0, 1].

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.fpr_estimate(0.8)
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        0.615 +- 0.515
        """
        at = check_one_fraction("tpr", tpr)
        found = self.estimate(lambda fit: float(fit.fpr_at(at)))
        return self._centred(found, lambda fit: fit.fpr_estimate(at))

    def slope_estimate(self, fpr: float) -> Estimate:
        """Estimate the slope at a false positive rate: the likelihood ratio of its threshold.

        Parameters
        ----------
        fpr : float
            A rate in [0, 1].

        Returns
        -------
        Estimate
            From 0 to infinity; its interval is symmetric on the scale of logarithms.

        Raises
        ------
        ValueError
            If the rate is outside [0, 1].

        Notes
        -----
        The slope of a family of one parameter is greatest, at a given rate, for one value of it,
        near which the delta method fails. For "exponential", "weibull", "logistic" and "pareto" the
        interval is from the least to the largest slope of the curves inside the interval of that
        parameter.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.slope_estimate(0.2)
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        0.773 +- 0.472
        """
        at = check_one_fraction("fpr", fpr)
        return self._ratio(lambda fit: float(fit.slope_at(at)), np.inf)

    def category_ratio_estimate(self, low: float, high: float) -> Estimate:
        """Estimate the likelihood ratio of a category: of the scores between two thresholds.

        Parameters
        ----------
        low, high : float
            False positive rates of both thresholds, ``0 <= low < high <= 1``: of a rating, those
            of calling positive all ratings above it, and this rating too.

        Returns
        -------
        Estimate
            The slope of the chord, ``(tpr_at(high) - tpr_at(low)) / (high - low)``, from 0 to
            ``1 / (high - low)``; its interval is symmetric on the scale of logarithms, cut there.

        Raises
        ------
        ValueError
            If ``low`` is not below ``high``, or an end is outside [0, 1].

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.category_ratio_estimate(0.1, 0.4)
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        0.725 +- 0.435
        """
        low, high = check_range("(low, high)", (low, high))
        ends, width = np.array([low, high]), high - low

        def chord(fit: Self) -> float:
            return float(np.diff(fit.tpr_at(ends))[0]) / width

        return self._ratio(chord, 1 / width)

    def _ratio(self, reading: Callable[[Self], float], most: float) -> Estimate:
        """Estimate a likelihood ratio, which is at most so large."""
        found = self.estimate(reading, bounds=(0.0, most))
        return _RatioEstimate(
            value=found.value,
            se=found.se,
            method=found.method,
            range=found.range,
            df=found.df,
            path=self._path(reading),
        )

    def _path(self, reading: Callable[[Self], float]) -> tuple[Vector, Vector] | None:
        """Return standard errors of a curve of one parameter, and the readings so far away."""
        return None

    def threshold_estimate(self, fpr: float) -> Estimate:
        """Estimate the threshold with a false positive rate, with its standard error.

        Parameters
        ----------
        fpr : float
            A rate in [0, 1].

        Returns
        -------
        Estimate
            On the scale of the scores; its interval is value +- t se, of the logarithm where the
            model has positive scores only, of the probit where they are between 0 and 1. That of
            "binormal", "box-cox" and "yeo-johnson" is between quantiles of the thresholds of 4,000
            curves with drawn parameters, as for `rocspace.models.optimal_cut`. The standard error
            is nan for a fit that takes thresholds from the observed scores, such as all that know
            ranks only.

        Raises
        ------
        ValueError
            If the rate is outside [0, 1], or the fit has no scale of scores.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.threshold_estimate(0.2)
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        4.374 +- 1.097
        """
        at = check_one_fraction("fpr", fpr)
        return self.score_estimate(
            lambda fit: float(fit.threshold_at(at)), drawn=self._drawn_at(at)
        )

    def _drawn_at(self, fpr: float) -> Vector | None:
        """Return the thresholds of fits whose parameters are drawn, where the model draws them."""
        return None

    def parameter_estimate(self, symbol: str) -> Estimate:
        """Return a parameter with its standard error and an interval.

        Parameters
        ----------
        symbol : str
            Its name in `parameters`.

        Returns
        -------
        Estimate
            Its interval is value +- t se, with Student's quantile; of the logarithm where the
            parameter is positive, as b is. It is infinite where the standard error is unknown.

        Raises
        ------
        ValueError
            If the fit has no such parameter.

        Notes
        -----
        Of 30 + 30 to 50 + 200 Normal scores (docs, "Measured coverage") the interval of b covers it
        in 93 percent of samples or more for all models that have it.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> print(f"{fit.parameter_estimate('a'):.3f}")
        0.679
        """
        check_choice("symbol", symbol, tuple(self.parameters))
        return _FitEstimate(
            value=self.parameters[symbol],
            se=self.se[symbol],
            method=f"{self.method}, {self.covariance_method}",
            range=self._range_of(symbol),
            df=self.df,
        )

    def _range_of(self, symbol: str) -> tuple[float, float]:
        """Return the values that a parameter can take."""
        return (-np.inf, np.inf)

    @property
    def _range_of_scores(self) -> tuple[float, float]:
        """The scores that are possible under the model."""
        return (-np.inf, np.inf)

    def score_estimate(
        self, reading: Callable[[Self], float], *, drawn: Vector | None = None
    ) -> Estimate:
        """Estimate a reading that is a score, as `threshold_estimate`.

        Parameters
        ----------
        reading : callable
            As for `estimate`.
        drawn : ndarray of float64, optional
            The reading of many fits whose parameters are drawn from the distribution of the
            estimates. The interval then has its ends at quantiles of these, unless a scale is
            named.

        Returns
        -------
        Estimate
            Of any size; the standard error is nan if the reading is one of the observed scores.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> found = fit.score_estimate(lambda curve: float(curve.threshold_at(0.5)))
        >>> print(f"{found.value:.3f} +- {found.se:.3f}")
        3.000 +- 0.943
        """
        found = self.estimate(reading, bounds=self._range_of_scores)
        ranked = isinstance(self, PolygonCurve) or self.cuts is not None
        if ranked or not found.se > 0:
            return replace(found, se=float("nan"))
        if drawn is None:
            return found
        return _DrawnEstimate(**found.__getstate__(), drawn=drawn)

    def probit_se(self, fpr: Vector) -> Vector:
        """Return the standard error of Phi^-1(tpr) at false positive rates inside (0, 1).

        Parameters
        ----------
        fpr : ndarray of float64
            False positive rates inside (0, 1).

        Returns
        -------
        ndarray of float64
            One standard error for each rate, by the delta method.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> fit.probit_se(np.array([0.2, 0.5])).round(3)
        array([0.693, 0.716])
        """
        from scipy.special import ndtri

        with np.errstate(invalid="ignore"):  # as of degenerate fits
            return np.asarray(np.sqrt(self._variance(lambda fit: ndtri(fit.tpr_at(fpr)))))

    def root_of(self, reading: Callable[[Self], Any]) -> Vector:
        """Return a square root of the covariance of an array of readings.

        Parameters
        ----------
        reading : callable
            As for `estimate`; it returns an array.

        Returns
        -------
        ndarray of float64, shape (r, m)
            A matrix R of which ``R' R`` is the covariance, by the delta method.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> root = fit.root_of(lambda curve: curve.tpr_at(np.array([0.2, 0.5])))
        >>> np.sqrt((root**2).sum(axis=0)).round(3)
        array([0.27 , 0.227])
        """
        size, axes = np.linalg.eigh(self.covariance)
        scaled = np.sqrt(np.maximum(size, 0.0)) * axes
        return np.asarray(scaled.T @ self.gradient(reading))

    def _variance(self, reading: Callable[[Self], Any]) -> Vector:
        """Return the variance of a reading, or of each of an array of them."""
        slopes = self.gradient(reading)
        return np.asarray(np.einsum("i...,ij,j...->...", slopes, self.covariance, slopes))

    def gradient(self, reading: Callable[[Self], Any]) -> Vector:
        """Return the derivatives of a reading of the curve by the parameters.

        Parameters
        ----------
        reading : callable
            As for `estimate`; it may return an array.

        Returns
        -------
        ndarray
            Central differences, parameters first; nan where a parameter is infinite.

        Examples
        --------
        >>> from rocspace import tabulate
        >>> from rocspace.models import fit_binormal
        >>> fit = fit_binormal(tabulate([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 9]))
        >>> fit.gradient(lambda curve: curve.auc).round(3)
        array([ 0.292, -0.084])
        """
        slopes = []
        for name, value in self.parameters.items():
            se = self.se[name]
            step = _STEP * (max(abs(value), se if np.isfinite(se) else 0.0) or 1e-3)
            ends = (
                reading(replace(self, parameters={**self.parameters, name: value + end}))
                for end in (step, -step)
            )
            with np.errstate(invalid="ignore"):  # degenerate parameters are infinite
                slopes.append(np.subtract(*ends) / (2 * step))
        return np.asarray(slopes, dtype=np.float64)

    # --- thresholds ---------------------------------------------------------------------------

    def threshold_at(self, fpr: ArrayLike) -> Any:
        """Return the threshold with a false positive rate.

        Parameters
        ----------
        fpr : float or array-like
            False positive rates in [0, 1].

        Returns
        -------
        float or ndarray
            On the scale of the scores. Of a fit that knows their ranks only, the least positive
            observed score whose fitted false positive rate is not above `fpr`; infinite where
            there is none.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1], or the fit has no scale of scores.
        """
        return plain(self._threshold(np.asarray(check_fraction("fpr", fpr))))

    def _threshold(self, at: Vector) -> Vector:
        if self.cuts is None:
            msg = f"A {self.name} knows no scores, and so no threshold. Read rates from it."
            raise ValueError(msg)
        score, fpr = self.cuts
        return np.asarray(score[np.searchsorted(fpr, at, side="right") - 1])

    # --- as text ------------------------------------------------------------------------------

    def _about(self) -> str:
        shown = (f"{name}={brief(value)}" for name, value in self.parameters.items())
        return ", ".join([self.method, *shown, *self.flags])

    def _card(self) -> Card:
        texts = ((name, value, self.se[name]) for name, value in self.parameters.items())
        rows = {name: f"{general(value)} (se {either(se)})" for name, value, se in texts}
        rows = {"Method": self.method, **rows, "Area": either(self.auc)}
        if self.goodness is not None:
            rows["Goodness of fit"] = str(self.goodness)
        return Card(rows=rows | {flag.capitalize(): text for flag, text in self.flags.items()})

    def _columns(self) -> dict[str, Any]:
        return {
            "parameter": list(self.parameters),
            "value": list(self.parameters.values()),
            "se": list(self.se.values()),
        }


class _FitEstimate(Estimate):
    """A reading of a fitted curve; its interval is symmetric on the probit scale."""

    _kind = "Estimate"

    def _usual_scale(self) -> Scale:
        return "probit"

    def interval(self, level: float = 0.95, *, scale: Scale | None = None) -> Interval:
        """Return a confidence interval, as `Estimate.interval`.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.
        scale : str, optional
            As for `Estimate.interval`, by default "probit". A quantity without an upper limit has
            one such interval only, value +- t se, of its logarithm if it cannot be negative. By
            default readings of a curve whose bias is known have an interval without it, and
            thresholds of Normal families one of curves with drawn parameters.

        Returns
        -------
        Interval
            The whole range where the standard error is unknown.

        Raises
        ------
        ValueError
            As `Estimate.interval`.
        """
        check_level(level)
        if scale is None and (found := self._otherwise(level)) is not None:
            return found
        low, high = self.range
        if np.isfinite(high):
            return super().interval(level, scale=scale)
        check_choice("scale", scale or "t", ("t",))
        positive = np.isfinite(low)
        usable = np.isfinite(self.value) and self.se > 0 and self.df > 0
        if not usable or (positive and not self.value > 0):
            return Interval(low=low, high=high, level=level, method="whole range")
        half = self._yardstick(level, "t")[1] * self.se
        with np.errstate(over="ignore"):
            if positive:
                ratio = float(np.exp(half / self.value))
                low, high = self.value / ratio, self.value * ratio
            else:
                low, high = self.value - half, self.value + half
        low, high = self._along(level) or (low, high)
        return Interval(low=low, high=high, level=level, method=f"{self.method}, t")

    def _otherwise(self, level: float) -> Interval | None:
        """Return the default interval where it is not one of value and standard error."""
        return None

    def _along(self, level: float) -> tuple[float, float] | None:
        """Return the limits of all values for parameters inside an interval, where they are known.

        The delta method takes a reading for linear, which is no help where it has an extreme.
        """
        return None


class _CentredEstimate(_FitEstimate):
    """A reading of a biased curve; its interval is that of the same cases without the bias.

    Attributes
    ----------
    centre : Estimate
        The reading without the bias.
    """

    centre: Estimate = field(repr=False, compare=False)

    _kind = "Estimate"

    def _otherwise(self, level: float) -> Interval | None:
        """Return the interval of the reading without the bias, as far as the estimate."""
        if not self.se > 0:
            return None
        found = self.centre.interval(level)
        return replace(found, low=min(found.low, self.value), high=max(found.high, self.value))


class _DrawnEstimate(_FitEstimate):
    """A reading of a fitted curve; its interval is from readings of curves that were drawn.

    Attributes
    ----------
    drawn : ndarray of float64
        The readings of these; nan for one that may be anything.
    """

    drawn: Vector = field(repr=False, compare=False)

    _kind = "Estimate"

    def _otherwise(self, level: float) -> Interval:
        """Return the interval between two quantiles of the readings."""
        least = round((1 - level) / 2 * self.drawn.size)
        low, high = (
            float(np.sort(np.where(np.isnan(self.drawn), edge, self.drawn))[at])
            for edge, at in zip(self.range, (least, -1 - least), strict=True)
        )
        method = f"{self.method}, drawn parameters"
        return Interval(
            low=min(low, self.value), high=max(high, self.value), level=level, method=method
        )


class _RatioEstimate(_FitEstimate):
    """A likelihood ratio; its interval is symmetric on the log scale, cut at the upper limit.

    Attributes
    ----------
    path : tuple of ndarray, optional
        Standard errors of the one parameter of a curve from its estimate, and the ratios there.
    """

    path: tuple[Vector, Vector] | None = field(default=None, repr=False, compare=False)

    _kind = "Estimate"

    def _along(self, level: float) -> tuple[float, float] | None:
        if self.path is None:
            return None
        from scipy.interpolate import PchipInterpolator

        far, ratio = self.path
        most = self._yardstick(level, "t")[1]
        ends = PchipInterpolator(far, ratio)(np.clip([-most, most], far[0], far[-1]))
        found = np.append(ratio[np.abs(far) < most], ends)
        return float(found.min()), float(found.max())

    def _own_interval(self, level: float) -> Interval:
        found = replace(self, range=(0.0, np.inf)).interval(level)
        return replace(found, high=min(found.high, self.range[1]))
