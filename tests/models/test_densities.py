"""Families of distributions: scipy's tails, quantiles and densities; slopes, moments, areas."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from rocspace.models.densities import FAMILIES

# The distribution of one class as scipy has it, by the parameters as ours has them.
THEIRS: dict[str, Callable[..., Any]] = {
    "exponential": lambda scale: stats.expon(scale=scale),
    "weibull": lambda shape, scale: stats.weibull_min(shape, scale=scale),
    "gamma": lambda shape, scale: stats.gamma(shape, scale=scale),
    "lognormal": lambda mean, sd: stats.lognorm(sd, scale=np.exp(mean)),
    "logistic": stats.logistic,
    "beta-scores": stats.beta,
    "pareto": lambda shape, least: stats.pareto(shape, scale=least),
    "uniform": lambda top: stats.uniform(scale=top),
}
ONE: dict[str, tuple[float, ...]] = {
    "exponential": (1.7,),
    "weibull": (1.6, 2.5),
    "gamma": (2.3, 1.4),
    "lognormal": (0.5, 1.2),
    "logistic": (-0.5, 1.3),
    "beta-scores": (3.0, 2.0),
    "pareto": (1.5, 2.0),
    "uniform": (3.0,),
}
OTHER = {name: tuple(0.7 * each for each in of) for name, of in ONE.items()} | {
    "weibull": (1.6, 1.1),
    "logistic": (-0.9, 1.3),
    "pareto": (2.5, 2.0),
}
SHARE = np.array([1e-9, 0.01, 0.3, 0.8, 0.999])


def test_every_family_has_an_oracle() -> None:
    assert set(FAMILIES) == set(THEIRS)


@pytest.mark.parametrize("name", THEIRS)
def test_tails_and_quantiles_are_scipys(name: str) -> None:
    family, of = FAMILIES[name], ONE[name]
    theirs = THEIRS[name](*of)
    for upper, tail, quantile in ((True, theirs.sf, theirs.isf), (False, theirs.cdf, theirs.ppf)):
        x = quantile(SHARE)
        np.testing.assert_allclose(family.quantile(SHARE, of, upper), x, rtol=1e-9)
        np.testing.assert_allclose(family.tail(x, of, upper), tail(x), rtol=1e-9)


@pytest.mark.parametrize("name", ["exponential", "weibull", "gamma", "lognormal", "logistic"])
def test_far_tails_keep_their_digits(name: str) -> None:
    family, of = FAMILIES[name], ONE[name]
    far = THEIRS[name](*of).isf(1e-100)
    assert family.tail(far, of, True) == pytest.approx(1e-100, rel=1e-7)
    assert family.quantile(1e-100, of, True) == pytest.approx(far, rel=1e-9)


@pytest.mark.parametrize("name", THEIRS)
def test_densities_and_their_slopes(name: str) -> None:
    family, of = FAMILIES[name], ONE[name]
    x = THEIRS[name](*of).ppf([0.05, 0.4, 0.6, 0.95])
    value, slopes = family.log_density(x, of)
    np.testing.assert_allclose(value, THEIRS[name](*of).logpdf(x), rtol=1e-9)
    assert slopes.shape == (len(of), 4)
    for i in range(len(of)):
        step = 1e-6 * (np.arange(len(of)) == i)
        ends = [family.log_density(x, tuple(np.array(of) + way * step))[0] for way in (1, -1)]
        np.testing.assert_allclose(slopes[i], (ends[0] - ends[1]) / 2e-6, rtol=1e-5, atol=1e-8)


def test_a_uniform_score_above_the_top_has_no_density() -> None:
    value, _ = FAMILIES["uniform"].log_density(np.array([3.0, 3.1]), (3.0,))
    assert value.tolist() == [-np.log(3), -np.inf]


@pytest.mark.parametrize("name", ["lognormal", "logistic", "beta-scores", "gamma", "weibull"])
def test_a_start_is_near_the_parameters_of_such_moments(name: str) -> None:
    of, theirs = ONE[name], THEIRS[name](*ONE[name])
    mean, variance = theirs.stats("mv")
    log_mean = 0.0 if name == "logistic" else theirs.expect(np.log)
    found = FAMILIES[name].start(float(mean), float(variance), float(log_mean))
    exact = name in ("lognormal", "logistic", "beta-scores")
    # Of gamma Minka's first step; of Weibull a fit to the coefficient of variation, and the mean.
    np.testing.assert_allclose(found, of, rtol=1e-6 if exact else 0.15)


@pytest.mark.parametrize("name", THEIRS)
def test_areas_by_quadrature(name: str) -> None:
    """P(X > Y), of both orders of the two distributions."""
    for pos, neg in ((ONE[name], OTHER[name]), (OTHER[name], ONE[name])):
        x, y = THEIRS[name](*pos), THEIRS[name](*neg)
        slow = integrate.quad(lambda u, x=x, y=y: x.sf(y.isf(u)), 0, 1, limit=200)[0]
        found = FAMILIES[name].area(pos, neg)
        assert found is None if name == "beta-scores" else found == pytest.approx(slow, abs=1e-6)


@pytest.mark.parametrize("d", [9e-4, 1.1e-3, 1e-6, 0.5, 40])
def test_the_area_of_logistic_scores_is_smooth_at_a_half(d: float) -> None:
    family = FAMILIES["logistic"]
    area, left = family.area((d, 1.0), (0.0, 1.0)), family.area((-d, 1.0), (0.0, 1.0))
    assert area is not None
    assert left is not None
    assert area + left == pytest.approx(1, abs=1e-9)
    slow = integrate.quad(
        lambda x: stats.logistic.pdf(x) * stats.logistic.sf(x - d), -60, 60 + d, points=[0, d]
    )[0]
    assert area == pytest.approx(slow, abs=1e-9)


def test_nothing_is_below_the_minimum_of_a_pareto_distribution() -> None:
    family, x = FAMILIES["pareto"], np.array([1.0, 2.0, 4.0])
    np.testing.assert_allclose(family.tail(x, (1.0, 2.0), True), [1, 1, 0.5])
    np.testing.assert_allclose(family.tail(x, (1.0, 2.0), False), [0, 0, 0.5])
