"""Populations: draws follow the true curve; areas by hand, in closed form, by integration."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import rocspace as rs
from rocspace.simulate import binormal, exponential, gamma, mixture, ratings

POPULATIONS = [
    binormal(0.75),
    binormal(0.999),
    binormal(0.9, 2),
    binormal(0.9, 0.5),
    exponential(0.9),
    gamma(2, 3),
    mixture(0.2),
    ratings(),
]
by_name = pytest.mark.parametrize("population", POPULATIONS, ids=lambda p: p.name)


def test_binormal_by_hand():
    # Equal spread, area Phi(d / sqrt 2): d = sqrt 2 Phi^-1(.9) = 1.8124; at fpr 1/2 the
    # threshold is 0 and the rate Phi(1.8124) = .96504.
    population = binormal(0.9)
    assert population.tpr_at(0.5) == pytest.approx(stats.norm.cdf(2**0.5 * 1.2815515655446004))
    assert population.tpr_at(0.5) == pytest.approx(0.965, abs=1e-4)
    # Spread 2: mu = Phi^-1(.9) sqrt 5, and P(X > Y) with X - Y ~ N(mu, 5).
    wide = binormal(0.9, sd_ratio=2)
    assert wide.tpr_at([0, 1]).tolist() == [0, 1]
    mu = 1.2815515655446004 * 5**0.5
    assert wide.tpr_at(0.3) == pytest.approx(stats.norm.sf(stats.norm.isf(0.3), mu, 2))


def test_other_areas_by_hand():
    # X > Y for exponential laws of means r and 1: r / (1 + r); the curve is f^(1/r).
    assert exponential(0.75).tpr_at([0.001, 0.125]) == pytest.approx([0.1, 0.5])
    # P(3 G1 > G2) for two gamma(2) variables is P(F(4, 4) < 3).
    assert gamma(2, 3).auc == pytest.approx(stats.f.cdf(3, 4, 4), abs=1e-14)
    # Three tenths hidden: .3 / 2 + .7 (but for a chance of 1e-10).
    assert mixture(0.3).auc == pytest.approx(0.85, abs=1e-9)
    # Of two ratings: 1/2 + (1 - 1/4 - 1/2) / 2, the triangle's area.
    two = ratings([1, 3], [2, 2])
    assert two.auc == 0.625
    assert two.tpr_at(0.25) == 0.375
    assert two.partial_auc(0, 0.5) == pytest.approx(0.75 * 0.5 / 2)
    assert two.name == "two ratings"


def test_partial_area_in_closed_form():
    # The integral of f^(1/3) is 3/4 f^(4/3).
    assert exponential(0.75).partial_auc(0.1, 0.4) == pytest.approx(
        0.75 * (0.4 ** (4 / 3) - 0.1 ** (4 / 3)), abs=1e-12
    )


@by_name
def test_area_is_the_integral_of_the_curve(population):
    points = [1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5, 0.75, 0.9]
    whole = integrate.quad(population.tpr_at, 0, 1, points=points, limit=500, epsabs=1e-11)[0]
    assert population.auc == pytest.approx(whole, abs=1e-8)
    assert population.partial_auc(0, 1) == pytest.approx(population.auc, abs=1e-14)
    split = [population.partial_auc(*part) for part in ((0, 0.2), (0.2, 0.7), (0.7, 1))]
    assert sum(split) == pytest.approx(population.auc, abs=1e-9)


@by_name
def test_draws_follow_the_curve(population):
    # 40 000 of each: the empirical curve is within the two-sample DKW distance of the true
    # one, but for a chance of 1e-6, along both axes.
    drawn = population.draw(40_000, 40_000, rng=3)
    curve = rs.roc_curve(drawn)
    eps = np.sqrt(np.log(4 / 1e-6) / 80_000)
    f = curve.fpr[curve.attainable]
    low = population.tpr_at(np.clip(f - eps, 0, 1)) - eps
    high = population.tpr_at(np.clip(f + eps, 0, 1)) + eps
    t = curve.tpr[curve.attainable]
    assert ((low <= t) & (t <= high)).all()
    assert rs.auc(drawn) == pytest.approx(population.auc, abs=0.01)


@by_name
def test_ways_to_draw_agree(population):
    table = population.draw(7, 5, rng=11)
    assert rs.tabulate(*population.draw_scores(7, 5, rng=11)) == table
    blocks = population.draw_blocks(7, 5, samples=1, rng=np.random.default_rng(11))
    assert rs.tabulate_classes(blocks.pos[0], blocks.neg[0]) == table
    assert population.draw(7, 5, rng=12) != table
    many = population.draw_blocks(7, 5, samples=4, rng=1)
    assert (many.pos.shape, many.neg.shape) == ((4, 7), (4, 5))


@by_name
def test_survives_pickling(population):
    copy = pickle.loads(pickle.dumps(population))
    assert copy.draw(5, 5, rng=1) == population.draw(5, 5, rng=1)
    assert copy.auc == population.auc
    assert repr(copy) == f"Population({population.name!r})"


@given(area=st.floats(0.01, 0.99), sd=st.floats(0.2, 5), f=st.floats(0, 1))
def test_curves_of_one_model_agree(area, sd, f):
    # gamma(1) is the exponential model; the binormal curve of area 1 - a is reflected.
    ratio = area / (1 - area)
    assert gamma(1, ratio).auc == pytest.approx(area, abs=1e-12)
    assert gamma(1, ratio).tpr_at(f) == pytest.approx(exponential(area).tpr_at(f), abs=1e-9)
    up, down = binormal(area, sd).tpr_at(f), binormal(1 - area, sd).tpr_at(1 - f)
    assert up + down == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: binormal(1), "area is 1, but must lie strictly between 0 and 1"),
        (lambda: binormal(0.8, 0), "sd_ratio is 0, but must be a positive number"),
        (lambda: exponential(float("nan")), "area is nan"),
        (lambda: gamma(-1, 2), "shape is -1"),
        (lambda: gamma(1, np.inf), "ratio is inf"),
        (lambda: mixture(1.5), "share is 1.5"),
        (lambda: ratings([1, 2], [1]), "neg"),
        (lambda: ratings([0, 0], [1, 2]), "pos has no rating above 0"),
        (lambda: ratings([1.5, 1], [1, 2]), "whole"),
        (lambda: binormal(0.8).draw(0, 5), "n_pos is 0, but must be a whole number, 1 or more"),
        (lambda: binormal(0.8).draw(5, 2.5), "n_neg is 2.5"),
        (lambda: binormal(0.8).draw_blocks(5, 2, samples=True), "samples is True"),
        (lambda: binormal(0.8).tpr_at(1.5), "fpr is 1.5"),
        (lambda: binormal(0.8).partial_auc(0.3, 0.2), "first end must be the smaller"),
    ],
)
def test_bad_input(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()
