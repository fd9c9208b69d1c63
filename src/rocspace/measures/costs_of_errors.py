"""Costs of the four outcomes, for every function that weights errors."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from rocspace._base.arrays import ArrayLike
from rocspace._base.checks import check_fraction
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.exact import ratio
from rocspace._base.frozen import Result
from rocspace._base.words import shown
from rocspace.counts.confusion import Counts
from rocspace.measures.entry import as_fraction


class Costs(Result):
    """Costs of the four outcomes, in any unit; a gain is a negative cost.

    Attributes
    ----------
    fp, fn : float
        Costs of a false positive and of a false negative.
    tp, tn : float
        Costs of a true positive and of a true negative, such as that of a treatment.

    Raises
    ------
    ValueError
        If a cost is not finite, an error costs less than a correct call of the same class, or no
        error costs more than a correct call.

    References
    ----------
    Fawcett (2006), equation 1.

    Examples
    --------
    >>> Costs(fp=1, fn=10).iso_performance_slope(0.05)
    1.9
    """

    fp: float = 1.0
    fn: float = 1.0
    tp: float = 0.0
    tn: float = 0.0

    _made = "Costs(fp=1, fn=20)"

    def __post_init__(self) -> None:
        for name in ("fp", "fn", "tp", "tn"):
            cost = getattr(self, name)
            finite = False
            with suppress(TypeError, ValueError, OverflowError):
                finite = not isinstance(cost, str) and bool(np.isfinite(float(cost)))
            if not finite:
                told = shown(cost) if isinstance(cost, str | int) else cost
                says, why = "The cost ", f" is {told}, but costs are finite numbers."
                raise ArgumentError(says, Argument(name), why)
            if isinstance(cost, Decimal):  # which floats cannot be added to
                object.__setattr__(self, name, float(cost))
        for wrong, right in (("fp", "tn"), ("fn", "tp")):
            if getattr(self, wrong) < getattr(self, right):
                msg = (
                    f"{wrong} costs {getattr(self, wrong)} and {right} {getattr(self, right)}: "
                    "an error must not cost less than a correct call. Change the costs, or reverse "
                    "the score."
                )
                raise ValueError(msg)
        if self.fp == self.tn and self.fn == self.tp:
            msg = (
                "No error costs more than a correct call, so all thresholds cost the same. Give at "
                "least one error a higher cost."
            )
            raise ValueError(msg)

    def iso_performance_slope(self, prevalence: float = 0.5) -> float:
        """Return the slope of iso-performance lines: lines of equal expected cost in ROC space.

        Parameters
        ----------
        prevalence : float, default 0.5
            Share of positives where the calls will be used, in [0, 1].

        Returns
        -------
        float
            m = ``(1 - p) (fp - tn) / (p (fn - tp))``, in [0, inf]. Of two points the one with the
            larger ``tpr - m fpr`` has the lower expected cost.

        Raises
        ------
        ValueError
            If `prevalence` is outside [0, 1], or no error that can occur costs anything, so that
            all classifiers are equally good.

        Notes
        -----
        Numbers are read as decimals and the result is rounded once, so that it can equal the slope
        of an edge of a hull exactly.

        References
        ----------
        Fawcett (2006), equation 1, after Provost and Fawcett (2001).
        """
        check_fraction("prevalence", float(prevalence))
        p = as_fraction(prevalence)
        missed, alarm = p * self.net[0], (1 - p) * self.net[1]
        if missed == 0 == alarm:
            msg = f"At prevalence {prevalence} no error that can occur costs anything."
            raise ValueError(msg)
        try:
            return float(alarm / missed)
        except (ZeroDivisionError, OverflowError):
            return float("inf")

    @property
    def cost_share(self) -> float:
        """Cost of a false negative divided by the sum of the costs of both errors, in [0, 1]."""
        of_fn, of_fp = self.net
        return float(of_fn / (of_fn + of_fp))

    def probability_cost(self, prevalence: ArrayLike) -> Any:
        """Return the probability cost: class mix and costs in one number.

        Parameters
        ----------
        prevalence : float or array-like
            Share pi of positives, in [0, 1].

        Returns
        -------
        float or ndarray
            In [0, 1]: ``pi fn / (pi fn + (1 - pi) fp)``, where fn and fp are the costs of the
            errors minus those of correct calls. With equal costs it equals the prevalence, and the
            normalised expected cost is the error rate. The iso-performance lines have the slope ``1
            / value - 1``.

        Raises
        ------
        ValueError
            If a prevalence is outside [0, 1], or no error that can occur costs anything.

        References
        ----------
        Fawcett (2004), on cost curves, no numbered equation, after Drummond and Holte (2006).

        Examples
        --------
        >>> Costs(fn=4).probability_cost(0.2)
        0.5
        """
        pi = check_fraction("prevalence", prevalence)
        of_fn, of_fp = map(float, self.net)
        pos, neg = pi * of_fn, (1 - pi) * of_fp
        if not (pos + neg > 0).all():
            msg = (
                "Nothing costs anything: at this prevalence only one class occurs, and its errors "
                "cost nothing."
            )
            raise ValueError(msg)
        share = pos / (pos + neg)
        return share if share.ndim else float(share)

    @property
    def net(self) -> tuple[Fraction, Fraction]:
        """Costs of a false negative and of a false positive, minus those of correct calls."""
        fp, fn, tp, tn = (as_fraction(x) for x in (self.fp, self.fn, self.tp, self.tn))
        return fn - tp, fp - tn

    def expected(self, c: Counts, *, prevalence: float | None = None) -> Any:
        """Return the expected cost per case.

        Parameters
        ----------
        c : OperatingPoint, ConfusionMatrix or other counts
            Numbers or arrays.
        prevalence : float, optional
            Share of positives where the calls will be used; by default that of the data.

        Returns
        -------
        float or ndarray of float64
            In the unit of the costs; lower is better.

        Examples
        --------
        >>> from rocspace import ConfusionMatrix
        >>> Costs(fp=1, fn=5).expected(ConfusionMatrix(tp=6, fp=1, fn=4, tn=9))
        1.05
        """
        own = ratio(c.tp + c.fn, c.tp + c.fp + c.fn + c.tn)
        p = own if prevalence is None else check_fraction("prevalence", prevalence)
        of_pos = self.tp + (self.fn - self.tp) * ratio(c.fn, c.tp + c.fn)
        of_neg = self.tn + (self.fp - self.tn) * ratio(c.fp, c.fp + c.tn)
        cost = p * of_pos + (1 - p) * of_neg
        return cost if isinstance(cost, np.ndarray) and cost.ndim else float(cost)


CostsLike: TypeAlias = Costs | Mapping[str, float]
"""`Costs`, or a mapping such as ``dict(fp=1, fn=20)``."""


def as_costs(costs: CostsLike | None) -> Costs:
    """Convert a mapping to `Costs`; without costs, each error costs 1."""
    if costs is None:
        return Costs()
    if isinstance(costs, Costs):
        return costs
    given: object = costs
    if not isinstance(given, Mapping):
        msg = f"costs is {shown(costs)}, but must be Costs or a mapping, as in dict(fp=1, fn=20)."
        raise TypeError(msg)
    for name in costs:
        if name not in ("fp", "fn", "tp", "tn"):
            msg = f"There is no cost {name!r}. The four outcomes are fp, fn, tp and tn."
            if str(name).lower() in ("fp", "fn", "tp", "tn"):
                msg += f" Say dict({str(name).lower()}=...)."
            raise ValueError(msg)
    return Costs(**costs)
