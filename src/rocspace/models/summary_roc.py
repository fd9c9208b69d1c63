"""One summary curve of many studies, each of which reports a single point."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, Literal, TypeAlias, overload

import numpy as np

from rocspace._base.arrays import ArrayLike, Ints, Vector
from rocspace._base.calls import explained
from rocspace._base.cards import Card
from rocspace._base.cases import as_counts, check_lengths
from rocspace._base.text import brief, count, either, general
from rocspace.models.binomial_effects import binomial_effects
from rocspace.models.random_effects import PENALTY, RandomEffects, normal_effects
from rocspace.models.summary_point import SummaryPoint, odds_estimate
from rocspace.results.estimates import Estimate
from rocspace.results.fit import Fit

Correction: TypeAlias = Literal["study", "all"]

_NAMES = {"binomial": "bivariate, binomial", "reml": "bivariate, REML", "ml": "bivariate, ML"}
_LARGEST = 1e7  # cases of a class up to which the curvature of the likelihood has six digits
_ALIKE = {
    "boundary": "A variance between studies is estimated as 0, so that the shape of the curve is "
    "unknown. Read the summary point."
}
_ALIGNED = {
    "boundary": "The correlation between studies is estimated as 1 or -1: they are too few or too "
    "small to tell it."
}
_UNCONVERGED = {
    "unconverged": "The search for the largest likelihood stopped before it was reached. Do not "
    'trust the parameters; say method="reml", which has more to go by.'
}


class SummaryRoc(Fit):
    """A summary curve of studies: a straight line of the log odds ratio D against S.

    D is logit tpr - logit fpr, a measure of how well a study separates the classes; S is logit tpr
    + logit fpr, a measure of how liberal its threshold is. This is what ``fit_summary_roc(...,
    method="moses-littenberg")`` returns; other methods return a `BivariateRoc`, which is one, too.

    Attributes
    ----------
    method, parameters, covariance, covariance_method, loglik, n_cases
        As for `rocspace.results.Fit`; the parameters of the line by least squares are
        ``intercept`` and ``slope``.
    n_studies : int
        How many studies were fitted.
    fpr_range : tuple of float
        The smallest and largest false positive rate of a study; beyond these, the curve is an
        extrapolation.
    cells : ndarray of float64, shape (4, n), or None
        tp, fp, fn and tn of each study, as they were given.

    See Also
    --------
    fit_summary_roc, BivariateRoc, rocspace.plot.plot_summary_roc

    Examples
    --------
    >>> curve = fit_summary_roc(tp=[20, 45, 18], fp=[5, 20, 1], fn=[5, 5, 7], tn=[45, 30, 49],
    ...                         method="moses-littenberg")
    >>> print(f"D = {curve.intercept:.3f} + {curve.slope:.3f} S, Q* {curve.q_star.value:.3f}")
    D = 3.367 + -0.468 S, Q* 0.843
    >>> round(curve.tpr_at(0.1), 3)
    0.817
    """

    n_studies: int
    fpr_range: tuple[float, float]
    cells: Vector | None = field(default=None, repr=False)

    @property
    def intercept(self) -> float:
        """D where S is 0."""
        return self.parameters["intercept"]

    @property
    def slope(self) -> float:
        """Change of D with S; 0 means one odds ratio at all thresholds."""
        return self.parameters["slope"]

    @property
    def intercept_se(self) -> float:
        """Standard error of the intercept; nan for two studies."""
        return self.se["intercept"]

    @property
    def slope_se(self) -> float:
        """Standard error of the slope; nan for two studies."""
        return self.se["slope"]

    def _tpr(self, at: Any) -> Any:
        from scipy.special import expit, logit

        a, b = self.intercept, self._rising_slope()
        return expit(a / (1 - b) + (1 + b) / (1 - b) * logit(at))

    @property
    def name(self) -> str:
        """What it is, in a few words."""
        return f"summary curve of {self.n_studies} studies"

    @property
    def auc(self) -> float:
        """Area under the summary curve, in [0, 1]; most of it beyond the studies' range."""
        from scipy.special import expit

        # Exchanging the classes reverses the sign of the slope and keeps the area. Over the log
        # odds of fpr the integrand then is smooth and dies away: equal steps have converged at this
        # width.
        a, b = self.intercept, -abs(self._rising_slope())
        x = np.arange(-160, 161) / 4
        tpr = expit(a / (1 - b) + (1 + b) / (1 - b) * x)
        return float((tpr * expit(x) * expit(-x)).sum() / 4)

    def _rises(self) -> bool:
        return -1 < self.slope < 1

    def _rising_slope(self) -> float:
        if not self._rises():
            msg = (
                f"The slope is {brief(self.slope)}. Only between -1 and 1 does the curve rise; the "
                "studies' thresholds may differ too little to fit one."
            )
            raise ValueError(msg)
        return self.slope

    @property
    def q_star(self) -> Estimate:
        """The tpr where it equals 1 - fpr; its standard error treats the slope as known."""
        value = 1 / (1 + float(np.exp(-self.intercept / 2)))
        return Estimate(
            value=value,
            se=self.intercept_se * value * (1 - value) / 2,
            method="summary curve",
            df=float(self.n_studies - 2),
        )

    def _card(self) -> Card:
        texts = ((name, value, self.se[name]) for name, value in self.parameters.items())
        rows = {name: f"{general(value)} (se {either(se)})" for name, value, se in texts}
        rows = {"Method": self.method, "Studies": str(self.n_studies), **rows}
        if self._rises():
            rows |= {"Area": either(self.auc), "Q*": str(self.q_star)}
        return Card(rows=rows | {flag.capitalize(): text for flag, text in self.flags.items()})


class BivariateRoc(SummaryRoc):
    """The bivariate random-effects model of studies: their mean point, their spread, their curve.

    The log odds of tpr and fpr of a study are Normal around their means over all studies.

    Attributes
    ----------
    method, parameters, covariance, covariance_method, loglik, n_cases
        As for `rocspace.results.Fit`. The parameters are the means ``logit_tpr`` and ``logit_fpr``,
        and the standard deviations between studies ``sd_tpr`` and ``sd_fpr`` of the log odds. The
        covariance is that of the likelihood; estimates multiply it by `inflation`. The
        log-likelihood is that of counts for "binomial", of log odds for "ml", None for "reml";
        `n_cases` counts studies.
    df : float
        Degrees of freedom: studies minus 2.
    flags : mapping of str to str
        "boundary" where the variance between studies is estimated as 0, or their correlation as 1
        or -1; "unconverged" where the search failed.
    n_studies : int
        How many studies were fitted.
    fpr_range : tuple of float
        The smallest and largest false positive rate of a study; beyond these, the curve is an
        extrapolation.
    cells : ndarray of float64, shape (4, n), or None
        tp, fp, fn and tn of each study, as they were given.
    correlation : float
        Between studies, of logit tpr and logit fpr; nan where one of them does not vary. The curve
        describes studies that differ in their thresholds; if it is negative, they rather differ in
        accuracy, and the curve is hardly more than its summary point.
    prediction_covariance : ndarray of float64, shape (2, 2)
        What `SummaryPoint.prediction_region` multiplies by 2 F; nan where the counts do not tell.

    See Also
    --------
    fit_summary_roc, SummaryPoint

    Examples
    --------
    >>> fit = fit_summary_roc([47, 126, 19, 36], [101, 272, 12, 78], [9, 51, 10, 3],
    ...                       [738, 1543, 192, 276], method="reml")
    >>> print(f"Lambda {fit.accuracy:.3f}, beta {fit.asymmetry:.3f}, Q* {fit.q_star.value:.3f}")
    Lambda 3.286, beta -0.233, Q* 0.836
    >>> fit.parameter_estimate("sd_fpr").interval().low > 0
    True
    """

    correlation: float
    prediction_covariance: Vector = field(repr=False)

    @property
    def intercept(self) -> float:
        """D where S is 0: twice the log odds of Q*."""
        p, total = self.parameters, self._spread()
        return (
            2 * (p["sd_fpr"] * p["logit_tpr"] - p["sd_tpr"] * p["logit_fpr"]) / total
            if total
            else float("nan")
        )

    @property
    def slope(self) -> float:
        """Change of D with S: (sd_tpr - sd_fpr) / (sd_tpr + sd_fpr)."""
        p, total = self.parameters, self._spread()
        return (p["sd_tpr"] - p["sd_fpr"]) / total if total else float("nan")

    def _spread(self) -> float:
        return self.parameters["sd_tpr"] + self.parameters["sd_fpr"]

    @property
    def intercept_se(self) -> float:
        """Standard error of the intercept, by the delta method; nan without variance."""
        with np.errstate(invalid="ignore"):
            return float(np.sqrt(self._variance(lambda fit: fit.intercept)))

    @property
    def slope_se(self) -> float:
        """Standard error of the slope, by the delta method; nan without variance."""
        with np.errstate(invalid="ignore"):
            return float(np.sqrt(self._variance(lambda fit: fit.slope)))

    @property
    def accuracy(self) -> float:
        """Lambda of the HSROC curve: logit tpr = Lambda exp(-beta / 2) + exp(-beta) logit fpr."""
        p = self.parameters
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.sqrt(np.divide(p["sd_fpr"], p["sd_tpr"]))
            return float(ratio * p["logit_tpr"] - p["logit_fpr"] / ratio)

    @property
    def asymmetry(self) -> float:
        """Beta of the HSROC curve, ln(sd_fpr / sd_tpr); 0 means one odds ratio everywhere."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.log(np.divide(self.parameters["sd_fpr"], self.parameters["sd_tpr"])))

    @property
    def inflation(self) -> float:
        """What variances of estimates are multiplied by: n / (n - 2), for "reml" (n - 1) / (n - 2).

        Variances between n studies are estimated; this turns them into those of least squares.
        """
        lost = 1 if self.loglik is None else 0
        return (self.n_studies - lost) / (self.n_studies - 2)

    @property
    def q_star(self) -> Estimate:
        """The tpr where it equals 1 - fpr; its interval is symmetric on the log odds."""
        error = self.inflation**0.5 * self.intercept_se / 2
        return odds_estimate(self.intercept / 2, error, "summary curve", self.df)

    @property
    def summary_point(self) -> SummaryPoint:
        """The mean point of the studies, with its regions."""
        from scipy.special import expit

        p = self.parameters
        means, sds = (np.array([p[f"{kind}_tpr"], p[f"{kind}_fpr"]]) for kind in ("logit", "sd"))
        between = np.diag(sds**2)
        if sds.all():
            between[0, 1] = between[1, 0] = self.correlation * sds.prod()
        return SummaryPoint(
            tpr=float(expit(means[0])),
            fpr=float(expit(means[1])),
            logits=means,
            covariance=self.covariance[:2, :2],
            between=between,
            prediction_covariance=self.prediction_covariance,
            inflation=self.inflation,
            df=self.df,
        )

    def _estimated(
        self, value: float, variance: Any, bounds: tuple[float, float] = (0.0, 1.0)
    ) -> Estimate:
        return super()._estimated(value, self.inflation * variance, bounds)

    def parameter_estimate(self, symbol: str) -> Estimate:
        """Return a parameter with its standard error and an interval, as `Fit.parameter_estimate`.

        Parameters
        ----------
        symbol : str
            Its name in `parameters`.

        Returns
        -------
        Estimate
            Its interval is value +- t se, of the logarithm of a standard deviation.

        Raises
        ------
        ValueError
            If the fit has no such parameter.
        """
        found = super().parameter_estimate(symbol)
        return replace(found, se=self.inflation**0.5 * found.se)

    def _range_of(self, symbol: str) -> tuple[float, float]:
        return (0.0, np.inf) if symbol.startswith("sd") else (-np.inf, np.inf)

    def _rising_slope(self) -> float:
        if not (self.parameters["sd_tpr"] and self.parameters["sd_fpr"]):
            raise ValueError(_ALIKE["boundary"])
        return super()._rising_slope()

    def _card(self) -> Card:
        point = self.summary_point
        rows = {
            "Summary tpr": str(point.tpr_estimate()),
            "Summary fpr": str(point.fpr_estimate()),
            "Correlation": either(self.correlation),
        }
        found = super()._card()
        return Card(rows={**found.rows, **rows})


@overload
def fit_summary_roc(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    method: Literal["binomial", "reml", "ml"] = "binomial",
    correction: Correction = "study",
    weighting: Literal["equal", "inverse-variance"] = "equal",
) -> BivariateRoc: ...


@overload
def fit_summary_roc(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    method: Literal["moses-littenberg"],
    correction: Correction = "study",
    weighting: Literal["equal", "inverse-variance"] = "equal",
) -> SummaryRoc: ...


@explained
def fit_summary_roc(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    method: Literal["binomial", "reml", "ml", "moses-littenberg"] = "binomial",
    correction: Correction = "study",
    weighting: Literal["equal", "inverse-variance"] = "equal",
) -> SummaryRoc:
    """Fit one summary curve to the points of several studies, and their mean point.

    Parameters
    ----------
    tp, fp, fn, tn : array-like of whole numbers, shape (n,)
        True and false positives, false and true negatives of each study.
    method : {"binomial", "reml", "ml", "moses-littenberg"}, default "binomial"
        Three are of the bivariate random-effects model: by the exact binomial likelihood of the
        counts, or by the restricted or full likelihood of the log odds of each study, which are
        taken as Normal with known variances. "moses-littenberg" is least squares of D on S.
    correction : {"study", "all"}, default "study"
        Where a cell is 0, one half is added to the cells of that study, or of all studies. The
        binomial likelihood needs none.
    weighting : {"equal", "inverse-variance"}, default "equal"
        For "moses-littenberg": whether all studies have equal weight, or are weighted by the
        precision of the log odds ratio.

    Returns
    -------
    BivariateRoc or SummaryRoc
        Ask it for ``tpr_at(fpr)``, ``auc`` and ``q_star``; of the bivariate model also for
        ``summary_point`` with its regions. "moses-littenberg" returns the latter.

    Raises
    ------
    ValueError
        If there are fewer than three studies (two for "moses-littenberg"), one lacks a class, an
        option does not fit the method, for the line all have the same S, so that the slope is
        undetermined, or for the binomial likelihood a rate is 0 or 1 in every study or
        one has more than ten million cases of a class.

    Notes
    -----
    logit tpr and logit fpr of study i are Normal with means mu and covariance Sigma + D_i, D_i
    being the diagonal matrix of their sampling variances; "binomial" has the counts instead of
    D_i, and integrates over both log odds (a Gauss-Hermite sum with 15 x 15 nodes). Newton's
    method on a triangular root of Sigma; a step takes O(n), of the binomial likelihood O(225 n).
    With the standard deviations s1, s2 between studies of logit tpr and logit fpr, the curve is
    that of Rutter and Gatsonis (2001): logit tpr = Lambda exp(-beta / 2) + exp(-beta) logit fpr,
    beta = ln(s2 / s1), Lambda = (s2 / s1)^(1/2) mu1 - (s1 / s2)^(1/2) mu2. It is the line D = a + b
    S with b = (s1 - s2) / (s1 + s2), which passes through the summary point. Q* is expit(a / 2).

    Standard errors of estimates are those of the likelihood times (n / (n - 2))^(1/2), of "reml"
    times ((n - 1) / (n - 2))^(1/2), with Student's t of n - 2 degrees of freedom. For studies
    without sampling error that makes the region of the summary point Hotelling's, which is exact.

    Measured at level 0.95 in 20 situations of 6 to 40 studies, with 15 positives and 40 negatives
    or more each ("Measured coverage" in the docs): the interval of Q* covered in 94 to 100 percent
    of samples for "binomial", in as little as 58 for "reml" and 78 for "moses-littenberg"; the
    region of the summary point in 93 to 100 and in as little as 53 for "reml". Where studies are
    small, the bias of their log odds does not go away with more of them. The prediction region
    contained a new study in 90 to 100 percent, and in as little as 81 for "reml".

    The line of Moses and Littenberg ignores that S is measured with error and that studies differ
    by more than sampling error: it describes the studies, and its standard errors are optimistic.
    Its curve is logit tpr = a / (1 - b) + (1 + b) / (1 - b) logit fpr.

    References
    ----------
    Reitsma et al. (2005), a paper on this alone, for the bivariate model; Chu and Cole (2006), a
    paper on this alone, for the binomial likelihood; Harbord et al. (2007), no numbered equation,
    for the curve and the regions; Moses, Shapiro and Littenberg (1993), a paper on this alone.

    Examples
    --------
    >>> fit = fit_summary_roc(tp=[80, 50, 90, 70], fp=[20, 5, 36, 12], fn=[20, 50, 10, 20],
    ...                       tn=[80, 95, 64, 80])
    >>> print(f"AUC {fit.auc:.3f}, Q* {fit.q_star.value:.3f}, tpr {fit.summary_point.tpr:.3f}")
    AUC 0.877, Q* 0.808, tpr 0.769
    """
    given = cells = study_cells({"tp": tp, "fp": fp, "fn": fn, "tn": tn})
    line = method == "moses-littenberg"
    _check_options(method, correction, weighting)
    n = cells.shape[1]
    if n < 3 - line:
        msg = f"There are {n} studies, but a line needs two or more."
        if not line:
            msg = (
                f"There are {n} studies, but the bivariate model needs three or more. A line "
                'through two is method="moses-littenberg".'
            )
        raise ValueError(msg)
    if method != "binomial":
        cells = corrected(cells, correction)
    found = _moses_littenberg(cells, weighting) if line else _bivariate(cells, method)
    return replace(found, cells=given)


def _moses_littenberg(cells: Vector, weighting: str) -> SummaryRoc:
    hit, alarm = np.log(cells[0] / cells[2]), np.log(cells[1] / cells[3])
    weight = 1 / (1 / cells).sum(axis=0) if weighting == "inverse-variance" else np.ones(hit.size)
    estimates, covariance = _line(hit + alarm, hit - alarm, weight)
    return SummaryRoc(
        method="Moses-Littenberg",
        parameters=dict(zip(("intercept", "slope"), estimates, strict=True)),
        covariance=covariance,
        covariance_method="least squares",
        n_studies=int(hit.size),
        fpr_range=_fpr_range(cells),
    )


def _bivariate(cells: Vector, method: str) -> BivariateRoc:
    found = study_effects(cells, method)
    values = [*found.mean.tolist(), *found.sds.tolist()]
    n = cells.shape[1]
    return BivariateRoc(
        method=_NAMES[method],
        parameters=dict(zip(("logit_tpr", "logit_fpr", "sd_tpr", "sd_fpr"), values, strict=True)),
        covariance=found.covariance,
        covariance_method="information",
        loglik=None if method == "reml" else found.loglik,
        n_cases=None if method == "reml" else float(n),
        n_parameters=5,
        df=n - 2.0,
        flags=_flags_of(found),
        n_studies=n,
        fpr_range=_fpr_range(cells),
        correlation=found.correlation,
        prediction_covariance=_prediction_covariance(cells, method),
    )


def study_effects(cells: Vector, method: str, *, penalised: bool = False) -> RandomEffects:
    """Estimate the distribution of studies by the binomial, the full or the restricted likelihood.

    Parameters
    ----------
    cells : ndarray of float64, shape (4, n)
        Counts of each study, without a 0 unless the likelihood is the binomial one.
    method : {"binomial", "reml", "ml"}
        The likelihood.
    penalised : bool
        Whether it keeps the variance between studies away from 0.
    """
    called, not_called = cells[:2].T, cells[2:].T
    if method == "binomial":
        _check_binomial(cells)
        return binomial_effects(called, called + not_called, penalised=penalised)
    points, errors = np.log(called / not_called), 1 / called + 1 / not_called
    return normal_effects(points, errors, restricted=method == "reml", penalised=penalised)


def _prediction_covariance(cells: Vector, method: str) -> Vector:
    """Return the covariance of a further study around the estimated means, if there is one.

    Of studies without sampling error the penalised estimate is their sum of squares over n - 3/2
    (n - 5/2 for "reml"); the factor turns that into n - 2, which makes the region Hotelling's.
    """
    n = cells.shape[1]
    some = ((cells[:2] > 0) & (cells[2:] > 0)).sum(axis=1)  # studies that bound the variance
    if some.min() >= 2 and (found := study_effects(cells, method, penalised=True)).converged:
        whole = found.root @ found.root.T + found.covariance[:2, :2]
        return np.asarray((n - (method == "reml") - PENALTY) / (n - 2) * whole)
    return np.full((2, 2), np.nan)


def _check_binomial(cells: Vector) -> None:
    """Refuse rates that are 0 or 1 in every study, without a maximum, and too large studies."""
    for i, name in enumerate(("positives", "negatives")):
        sizes = cells[i] + cells[i + 2]
        if (sizes > _LARGEST).any():
            j = int(sizes.argmax())
            msg = (
                f"Study {j} has {count(sizes[j])} {name}, and the binomial likelihood loses its "
                f'digits beyond {count(_LARGEST)}. Say method="reml", which does not.'
            )
            raise ValueError(msg)
    for name, called, not_called in (("tpr", cells[0], cells[2]), ("fpr", cells[1], cells[3])):
        if ((called == 0) | (not_called == 0)).all():
            msg = (
                f"The {name} of every study is 0 or 1, whose log odds are infinite. "
                'method="reml" adds one half to each cell of them.'
            )
            raise ValueError(msg)


def _flags_of(found: RandomEffects) -> dict[str, str]:
    if not found.sds.all():
        flags = _ALIKE
    else:
        flags = {} if found.root[1, 1] else _ALIGNED
    return {**flags, **({} if found.converged else _UNCONVERGED)}


def _fpr_range(cells: Vector) -> tuple[float, float]:
    fpr = cells[1] / (cells[1] + cells[3])
    return float(fpr.min()), float(fpr.max())


def _check_options(method: str, correction: str, weighting: str) -> None:
    if method != "moses-littenberg" and weighting != "equal":
        msg = (
            f'weighting="{weighting}" is for method="moses-littenberg". The bivariate model weighs '
            "studies by their cases and by the variance between studies."
        )
        raise ValueError(msg)
    if method == "binomial" and correction != "study":
        msg = (
            f'correction="{correction}" is for methods that need log odds of each study. '
            'method="binomial" counts cases as they are; say method="reml" for corrected ones.'
        )
        raise ValueError(msg)


def corrected(cells: Vector, correction: Correction) -> Vector:
    """Add one half to the cells of each study with an empty one, or of all studies if there is one.

    Parameters
    ----------
    cells : ndarray of float64, shape (4, n)
        Counts of each study.
    correction : {"study", "all"}
        Which studies are corrected where a cell is 0.
    """
    empty = (cells == 0).any(axis=0)
    return np.asarray(cells + 0.5 * (empty if correction == "study" else empty.any()))


def study_cells(given: dict[str, ArrayLike]) -> Vector:
    """Return the counts tp, fp, fn, tn of studies that have both classes, shape (4, n)."""
    counts: dict[str, Ints] = {name: as_counts(values, name) for name, values in given.items()}
    check_lengths({name: column.size for name, column in counts.items()})
    cells = np.array([*counts.values()], dtype=np.float64)
    classless = (cells[0] + cells[2] == 0) | (cells[1] + cells[3] == 0)
    if classless.any():
        msg = f"Study {np.flatnonzero(classless)[0]} has cases of one class only. Leave it out."
        raise ValueError(msg)
    return cells


def _line(x: Vector, y: Vector, weight: Vector) -> tuple[tuple[float, float], Vector]:
    """Fit a line by weighted least squares: intercept and slope, and their covariance."""
    share = weight / weight.sum()
    centre, level = float(share @ x), float(share @ y)
    spread = float(share @ (x - centre) ** 2)
    if not spread > 1e-12 * max(1.0, centre**2):
        msg = (
            "All studies have the same S, logit tpr + logit fpr, so that the slope is undetermined."
        )
        raise ValueError(msg)
    slope = float(share @ ((x - centre) * (y - level))) / spread
    left = y - level - slope * (x - centre)
    noise = float(share @ left**2) / (x.size - 2) if x.size > 2 else np.nan
    shared = -noise * centre / spread
    covariance = [[noise * (1 + centre**2 / spread), shared], [shared, noise / spread]]
    return (level - slope * centre, slope), np.array(covariance)
