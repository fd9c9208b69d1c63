"""The mean operating point of studies, and where it and the next study may lie."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.cards import Card
from rocspace._base.checks import check_fraction, check_level
from rocspace._base.frozen import Result
from rocspace._base.text import either
from rocspace.results.estimates import Estimate, logit_ends
from rocspace.results.interval import Interval

_CORNERS = 1001  # of the border of a region, which is closed; few look bent near the edges


class SummaryPoint(Result):
    """The means of logit tpr and logit fpr over all studies, as an operating point.

    Attributes
    ----------
    tpr, fpr : float
        True and false positive rate: those of the median study, since means of log odds are not
        those of rates.
    logits : ndarray of float64, shape (2,)
        Means of logit tpr and logit fpr.
    covariance : ndarray of float64, shape (2, 2)
        Covariance of their estimates.
    between : ndarray of float64, shape (2, 2)
        Covariance of both between studies.
    prediction_covariance : ndarray of float64, shape (2, 2)
        Of the log odds of a further study around the estimated means, by the penalised likelihood:
        what `prediction_region` is made of.
    inflation : float
        What the region of the point and standard errors multiply `covariance` by, since it was
        estimated from few studies; see `fit_summary_roc`.
    df : float
        Degrees of freedom: studies minus 2.

    See Also
    --------
    fit_summary_roc

    Examples
    --------
    >>> from rocspace.models import fit_summary_roc
    >>> fit = fit_summary_roc([47, 126, 19, 36], [101, 272, 12, 78], [9, 51, 10, 3],
    ...                       [738, 1543, 192, 276])
    >>> point = fit.summary_point
    >>> low, high = point.tpr_estimate().interval()
    >>> print(f"tpr {point.tpr:.3f} ({low:.3f} to {high:.3f}), fpr {point.fpr:.3f}")
    tpr 0.786 (0.291 to 0.971), fpr 0.131
    >>> point.region().contains(fpr=0.2, tpr=0.8), point.prediction_region().contains(0.2, 0.8)
    (True, True)
    """

    tpr: float
    fpr: float
    logits: Vector
    covariance: Vector
    between: Vector
    prediction_covariance: Vector
    inflation: float
    df: float

    def tpr_estimate(self) -> Estimate:
        """Estimate the mean true positive rate, with its standard error.

        Returns
        -------
        Estimate
            Its interval is symmetric on the log odds, with Student's quantile of `df` degrees of
            freedom.
        """
        return self._estimate(0)

    def fpr_estimate(self) -> Estimate:
        """Estimate the mean false positive rate, with its standard error.

        Returns
        -------
        Estimate
            Its interval is symmetric on the log odds, with Student's quantile of `df` degrees of
            freedom.
        """
        return self._estimate(1)

    def _estimate(self, i: int) -> Estimate:
        error = np.sqrt(self.inflation * self.covariance[i, i])
        return odds_estimate(float(self.logits[i]), float(error), "summary point", self.df)

    def region(self, level: float = 0.95) -> SummaryRegion:
        """Return the confidence region of the summary point.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level, strictly between 0 and 1.

        Returns
        -------
        SummaryRegion
            An ellipse on the log odds.

        Raises
        ------
        ValueError
            If the level is outside (0, 1).

        Notes
        -----
        Hotelling's region, ``d' V^-1 d <= 2 F``, with F the quantile of 2 and studies - 2 degrees
        of freedom, and V the covariance times `inflation`: exact for studies that are measured
        without error.

        References
        ----------
        Harbord et al. (2007), no numbered equation.
        """
        return self._region(level, "confidence", self.inflation * self.covariance)

    def prediction_region(
        self, level: float = 0.95, *, variance: Literal["penalised", "estimated"] = "penalised"
    ) -> SummaryRegion:
        """Return the region of the true rates of one further study.

        Parameters
        ----------
        level : float, default 0.95
            Probability that it contains them, strictly between 0 and 1.
        variance : {"penalised", "estimated"}, default "penalised"
            Whether the variance between studies is that of a penalised likelihood, which is never
            0, or `between`, as in other programs.

        Returns
        -------
        SummaryRegion
            As `region`, with the variance between studies.

        Raises
        ------
        ValueError
            If the level is outside (0, 1), or if the penalised likelihood has no maximum: all
            studies but one have a rate of 0 or 1.

        Notes
        -----
        As `region`, with ``covariance + between`` in place of the covariance. Both are taken from a
        likelihood with a factor det(Sigma)^(3/4), Sigma being the covariance between studies: the
        mode under a Wishart distribution of infinite scale with 4.5 degrees of freedom, the default
        of the R package blme. Both are multiplied by (n - 3/2) / (n - 2) for n studies, for "reml"
        by (n - 5/2) / (n - 2), which is exact for studies that are measured without error.

        The estimate without a penalty often has a variance of 0 or a correlation of 1 or -1, where
        no quantile helps. Measured at level 0.95 in the 20 situations of `fit_summary_roc`, the
        region contained a new study in 90 to 100 percent of samples (90 and 92 of 40 studies of 20
        + 60 cases), with variance="estimated" in 75 to 96 (75 of 20 studies of 15 + 40 cases); for
        "reml", whose log odds are biased, in 81 to 100 and in 50 to 94. What remains is that
        sampling error leaves fewer than n - 2 degrees of freedom to the variance between studies,
        and that the region relies on the Normal distribution, which few studies cannot show. Of
        few studies it is too large rather than too small.

        References
        ----------
        Harbord et al. (2007), no numbered equation; Chung et al. (2015), a paper on this alone, for
        the penalty.
        """
        if variance == "estimated":
            covariance = self.inflation * (self.covariance + self.between)
        elif np.isnan(self.prediction_covariance).any():
            msg = (
                "The penalised likelihood has no maximum: too few studies have rates strictly "
                'between 0 and 1. Say variance="estimated", whose region is too small.'
            )
            raise ValueError(msg)
        else:
            covariance = self.prediction_covariance
        return self._region(level, "prediction", covariance)

    def _region(self, level: float, method: str, covariance: Vector) -> SummaryRegion:
        from scipy.special import fdtri

        check_level(level)
        square = 2 * float(fdtri(2, self.df, level))
        return SummaryRegion(
            logits=self.logits, form=covariance * square, level=level, method=method
        )

    def _card(self) -> Card:
        rows = {
            "True positive rate": str(self.tpr_estimate()),
            "False positive rate": str(self.fpr_estimate()),
        }
        sds = " and ".join(either(x) for x in np.sqrt(np.diag(self.between)))
        return Card(rows={**rows, "Standard deviations between studies": f"{sds}, of log odds"})


class SummaryRegion(Result):
    """A region of ROC space that is an ellipse on the log odds.

    Attributes
    ----------
    logits : ndarray of float64, shape (2,)
        logit tpr and logit fpr of its centre.
    form : ndarray of float64, shape (2, 2)
        It contains the log odds z with ``(z - logits)' form^-1 (z - logits) <= 1``.
    level : float
        Its level.
    method : str
        "confidence" or "prediction".

    See Also
    --------
    SummaryPoint.region, SummaryPoint.prediction_region

    Examples
    --------
    >>> from rocspace.models import fit_summary_roc
    >>> fit = fit_summary_roc([47, 126, 19, 36], [101, 272, 12, 78], [9, 51, 10, 3],
    ...                       [738, 1543, 192, 276])
    >>> region = fit.summary_point.region()
    >>> region.fpr.size, region.contains(fpr=0.9, tpr=0.2)
    (1001, False)
    """

    logits: Vector
    form: Vector
    level: float
    method: str

    _frame = ("fpr", "tpr")

    @property
    def fpr(self) -> Vector:
        """False positive rates of the border, the first of them again at the end."""
        return np.asarray(self._border()[1])

    @property
    def tpr(self) -> Vector:
        """True positive rates of the border, the first of them again at the end."""
        return np.asarray(self._border()[0])

    def contains(self, fpr: ArrayLike, tpr: ArrayLike) -> Any:
        """Tell whether points lie in the region, its border included.

        Parameters
        ----------
        fpr, tpr : float or array-like of float
            Rates in [0, 1]; no region reaches 0 or 1.

        Returns
        -------
        bool or ndarray of bool
            For each point.

        Raises
        ------
        ValueError
            If a rate is outside [0, 1] or NaN.
        """
        from scipy.special import logit

        rates = np.broadcast_arrays(check_fraction("tpr", tpr), check_fraction("fpr", fpr))
        apart = logit(np.stack(rates, axis=-1)) - self.logits
        with np.errstate(invalid="ignore"):
            square = np.einsum("...i,ij,...j->...", apart, np.linalg.inv(self.form), apart)
        found = square <= 1
        return bool(found) if np.ndim(found) == 0 else found

    def _border(self) -> Vector:
        from scipy.special import expit

        turn = np.linspace(0, 2 * np.pi, _CORNERS)
        circle = np.stack([np.cos(turn), np.sin(turn)])
        found = expit(self.logits[:, None] + np.linalg.cholesky(self.form) @ circle)
        found[:, -1] = found[:, 0]
        return np.asarray(found)


class _OddsEstimate(Estimate):
    """A rate whose default interval is symmetric on the log odds, with Student's quantile."""

    _kind = "Estimate"

    def _own_interval(self, level: float) -> Interval | None:
        from scipy.special import stdtrit

        if not (0 < self.value < 1 and self.se >= 0 and self.df > 0):
            return Interval(low=0.0, high=1.0, level=level, method="whole range")
        quantile = float(stdtrit(self.df, (1 + level) / 2))
        low, high = logit_ends(self.value, self.se, quantile)
        return Interval(low=low, high=high, level=level, method=f"{self.method}, logit and t")


def odds_estimate(log_odds: float, se: float, method: str, df: float) -> Estimate:
    """Return the estimate of a rate from its log odds and their standard error."""
    from scipy.special import expit

    value = float(expit(log_odds))
    return _OddsEstimate(value=value, se=se * value * (1 - value), method=method, df=df)
