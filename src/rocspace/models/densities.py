"""Families of distributions for the scores of a class: tails, quantiles, densities, areas.

Each takes its parameters as a tuple, and scores or shares as arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from rocspace._base.arrays import Vector


class Family(ABC):
    """A family of distributions, and how both classes share its parameters.

    Attributes
    ----------
    pos, neg : tuple of str
        Symbols of the parameters of positives and negatives; those in both are common.
    support : {"positive", "zero", "unit", "real"}
        Where scores may lie: above 0, from 0 on, strictly between 0 and 1, anywhere.
    spread : bool
        Whether the family needs scores that vary in both classes.
    """

    pos: ClassVar[tuple[str, ...]]
    neg: ClassVar[tuple[str, ...]]
    support: ClassVar[str] = "positive"
    spread: ClassVar[bool] = True

    @abstractmethod
    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        """Return the share above x, or below it."""

    @abstractmethod
    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        """Return the score with a share above it, or below it."""

    @abstractmethod
    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        """Return the logarithm of the density, and its derivatives by the parameters."""

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        """Return parameters near those of scores with such moments: here the mean alone."""
        return (mean,)

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        """Return P(X > Y) where it has a closed form, else None."""
        return None


class _Exponential(Family):
    """Exponential distributions with means ``scale``."""

    pos, neg = ("scale1",), ("scale0",)
    support, spread = "zero", False

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        return np.exp(-x / of[0]) if upper else -np.expm1(-x / of[0])

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        return -of[0] * (np.log(share) if upper else np.log1p(-share))

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        y = x / of[0]
        return -np.log(of[0]) - y, np.array([(y - 1) / of[0]])

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        return pos[0] / (pos[0] + neg[0])


class _Weibull(Family):
    """Weibull distributions with a common shape."""

    pos, neg = ("shape", "scale1"), ("shape", "scale0")

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        power = (x / of[1]) ** of[0]
        return np.exp(-power) if upper else -np.expm1(-power)

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        return of[1] * (-(np.log(share) if upper else np.log1p(-share))) ** (1 / of[0])

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        shape, scale = of
        log = np.log(x / scale)
        power = np.exp(shape * log)
        value = np.log(shape / scale) + (shape - 1) * log - power
        return value, np.array([1 / shape + log - power * log, shape / scale * (power - 1)])

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        return float(np.clip((variance / mean**2) ** -0.543, 0.2, 50)), mean

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        return float(1 / (1 + (neg[1] / pos[1]) ** pos[0]))


class _Gamma(Family):
    """Gamma distributions, each with its shape and scale."""

    pos, neg = ("shape1", "scale1"), ("shape0", "scale0")

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import gammainc, gammaincc

        return (gammaincc if upper else gammainc)(of[0], x / of[1])

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import gammainccinv, gammaincinv

        return of[1] * (gammainccinv if upper else gammaincinv)(of[0], share)

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        from scipy.special import digamma, gammaln

        shape, scale = of
        y = x / scale
        value = (shape - 1) * np.log(y) - y - np.log(scale) - gammaln(shape)
        return value, np.array([np.log(y) - digamma(shape), (y - shape) / scale])

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        gap = max(np.log(mean) - log_mean, 1e-8)  # Minka's start
        shape = (3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
        return float(shape), mean / float(shape)

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        from scipy.special import betainc

        return float(betainc(neg[0], pos[0], pos[1] / (pos[1] + neg[1])))


class _Lognormal(Family):
    """Lognormal distributions: the logarithms are Normal with ``mean`` and ``sd``."""

    pos, neg = ("mean1", "sd1"), ("mean0", "sd0")

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import ndtr

        with np.errstate(divide="ignore"):
            z = (np.log(x) - of[0]) / of[1]
        return ndtr(-z if upper else z)

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import ndtri

        z = ndtri(share)
        return np.exp(of[0] + of[1] * (-z if upper else z))

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        mean, sd = of
        log = np.log(x)
        z = (log - mean) / sd
        value = -log - np.log(sd) - np.log(2 * np.pi) / 2 - z * z / 2
        return value, np.array([z / sd, (z * z - 1) / sd])

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        return log_mean, float(np.sqrt(np.log1p(variance / mean**2)))

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        from scipy.special import ndtr

        return float(ndtr((pos[0] - neg[0]) / np.hypot(pos[1], neg[1])))


class _Logistic(Family):
    """Logistic distributions with a common scale."""

    pos, neg = ("mean1", "scale"), ("mean0", "scale")
    support = "real"

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import expit

        y = (x - of[0]) / of[1]
        return expit(-y if upper else y)

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import logit

        y = logit(share)
        return of[0] + of[1] * (-y if upper else y)

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        mean, scale = of
        y = (x - mean) / scale
        far = np.abs(y)
        value = -far - 2 * np.log1p(np.exp(-far)) - np.log(scale)
        half = np.tanh(y / 2)
        return value, np.array([half / scale, (y * half - 1) / scale])

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        return mean, float(np.sqrt(3 * variance) / np.pi)

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        d = (pos[0] - neg[0]) / pos[1]
        if abs(d) < 1e-3:
            return 0.5 + d / 6
        if d < 0:
            turned = self.area(neg, pos)
            return None if turned is None else 1 - turned
        left = np.exp(-d)
        return float((1 - left - d * left) / (1 - left) ** 2)


class _Beta(Family):
    """Beta distributions on (0, 1), each with its two parameters."""

    pos, neg = ("alpha1", "beta1"), ("alpha0", "beta0")
    support = "unit"

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import betainc, betaincc

        return (betaincc if upper else betainc)(of[0], of[1], x)

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        from scipy.special import betainccinv, betaincinv

        return (betainccinv if upper else betaincinv)(of[0], of[1], share)

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        from scipy.special import betaln, digamma

        alpha, beta = of
        log, left = np.log(x), np.log1p(-x)
        value = (alpha - 1) * log + (beta - 1) * left - betaln(alpha, beta)
        both = digamma(alpha + beta)
        return value, np.array([log - digamma(alpha) + both, left - digamma(beta) + both])

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        size = max(mean * (1 - mean) / variance - 1, 0.1)
        return mean * size, (1 - mean) * size


class _Pareto(Family):
    """Pareto distributions from a common minimum on; a smaller shape has the heavier tail."""

    pos, neg = ("shape1", "minimum"), ("shape0", "minimum")

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        share = np.minimum((of[1] / x) ** of[0], 1.0)
        return share if upper else 1 - share

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        return of[1] * (share if upper else 1 - share) ** (-1 / of[0])

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        shape, least = of
        log = np.log(x / least)
        slopes = np.array([1 / shape - log, np.full(x.shape, shape / least)])
        return np.log(shape / x) - shape * log, slopes

    def start(self, mean: float, variance: float, log_mean: float) -> tuple[float, ...]:
        return 1.0, mean

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        return neg[0] / (neg[0] + pos[0])


class _Uniform(Family):
    """Uniform distributions from 0 to a maximum."""

    pos, neg = ("top1",), ("top0",)
    support, spread = "zero", False

    def tail(self, x: Any, of: tuple[float, ...], upper: bool) -> Any:
        share = np.minimum(x / of[0], 1.0)
        return 1 - share if upper else share

    def quantile(self, share: Any, of: tuple[float, ...], upper: bool) -> Any:
        return of[0] * (1 - share if upper else share)

    def log_density(self, x: Vector, of: tuple[float, ...]) -> tuple[Vector, Vector]:
        inside = np.where(x <= of[0], -np.log(of[0]), -np.inf)
        return inside, np.full((1, x.size), -1 / of[0])

    def area(self, pos: tuple[float, ...], neg: tuple[float, ...]) -> float | None:
        return 1 - neg[0] / (2 * pos[0]) if pos[0] >= neg[0] else pos[0] / (2 * neg[0])


FAMILIES: dict[str, Family] = {
    "exponential": _Exponential(),
    "weibull": _Weibull(),
    "gamma": _Gamma(),
    "lognormal": _Lognormal(),
    "logistic": _Logistic(),
    "beta-scores": _Beta(),
    "pareto": _Pareto(),
    "uniform": _Uniform(),
}
"""Every family by name."""
