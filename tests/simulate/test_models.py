"""Populations: draws follow the true curve; areas by hand, in closed form, by integration."""

import pickle
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import rocspace as rs
from rocspace.simulate import (
    binormal,
    clustered_binormal,
    exponential,
    gamma,
    mixture,
    paired_binormal,
    ratings,
)

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


def test_names_of_scores_in_blocks():
    one = binormal(0.8).draw_blocks(2, 1, n_sim=2, rng=1).to_frame()
    assert list(one) == ["sample", "label", "score"]
    two = paired_binormal([0.8, 0.7]).draw_blocks(2, 1, n_sim=2, rng=1).to_frame()
    assert list(two) == ["sample", "label", "score_1", "score_2"]
    assert (two["label"] == [1, 1, 0, 1, 1, 0]).all()


def test_clusters_share_half_of_the_variance_if_not_asked_otherwise():
    plain = clustered_binormal([0.8, 0.7]).draw(30, rng=1)
    asked = clustered_binormal(
        [0.8, 0.7], sizes=(2,), intraclass=0.5, r=0.5, prevalence=0.5, label_correlation=0
    ).draw(30, rng=1)
    assert (plain.score == asked.score).all()
    assert (plain.label == asked.label).all()


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
    assert two.partial_auc(fpr=(0, 0.5)) == pytest.approx(0.75 * 0.5 / 2)
    assert two.name == "two ratings"


def test_partial_area_in_closed_form():
    # The integral of f^(1/3) is 3/4 f^(4/3).
    assert exponential(0.75).partial_auc(fpr=(0.1, 0.4)) == pytest.approx(
        0.75 * (0.4 ** (4 / 3) - 0.1 ** (4 / 3)), abs=1e-12
    )


@by_name
def test_area_is_the_integral_of_the_curve(population):
    points = [1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.5, 0.75, 0.9]
    whole = integrate.quad(population.tpr_at, 0, 1, points=points, limit=500, epsabs=1e-11)[0]
    assert population.auc == pytest.approx(whole, abs=1e-8)
    assert population.partial_auc(fpr=(0, 1)) == pytest.approx(population.auc, abs=1e-14)
    split = [population.partial_auc(fpr=part) for part in ((0, 0.2), (0.2, 0.7), (0.7, 1))]
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
    blocks = population.draw_blocks(7, 5, n_sim=1, rng=np.random.default_rng(11))
    assert rs.tabulate_classes(blocks.pos[0], blocks.neg[0]) == table
    assert population.draw(7, 5, rng=12) != table
    many = population.draw_blocks(7, 5, n_sim=4, rng=1)
    assert (many.pos.shape, many.neg.shape) == ((4, 7), (4, 5))


@by_name
def test_survives_pickling(population):
    copy = pickle.loads(pickle.dumps(population))
    assert copy.draw(5, 5, rng=1) == population.draw(5, 5, rng=1)
    assert copy.auc == population.auc
    assert repr(copy) == f"Population({population.name!r})"


# 1 - f is exact for such rates.
@given(area=st.floats(0.01, 0.99), sd=st.floats(0.2, 5), f=st.integers(0, 64).map(lambda k: k / 64))
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
        (lambda: binormal(0.8).draw_blocks(5, 2, n_sim=True), "n_sim is True"),
        (lambda: binormal(0.8).tpr_at(1.5), "fpr is 1.5"),
        (lambda: binormal(0.8).partial_auc(fpr=(0.3, 0.2)), "first end must be the smaller"),
    ],
)
def test_bad_input(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


# --- several scores ---------------------------------------------------------------------------


def correlation(blocks):
    return np.corrcoef(blocks.reshape(-1, blocks.shape[-1]).T)


def test_paired_scores_have_their_areas_and_correlations():
    population = paired_binormal([0.7, 0.9, 0.9], sd_ratio=2, r_pos=0.3, r_neg=0.8)
    blocks = population.draw_blocks(400, 300, n_sim=100, rng=4)
    assert (blocks.pos.shape, blocks.neg.shape) == ((100, 400, 3), (100, 300, 3))
    # The standard error of a correlation of 30 000 pairs is less than .006.
    off = ~np.eye(3, dtype=bool)
    assert correlation(blocks.pos)[off] == pytest.approx(0.3, abs=0.03)
    assert correlation(blocks.neg)[off] == pytest.approx(0.8, abs=0.015)
    assert blocks.pos.std(axis=(0, 1)) == pytest.approx(2, abs=0.05)
    for j, area in enumerate([0.7, 0.9, 0.9]):
        drawn = rs.tabulate_classes(blocks.pos[..., j].ravel(), blocks.neg[..., j].ravel())
        assert rs.auc(drawn) == pytest.approx(area, abs=0.01)
        alone = binormal(area, 2)
        assert population.auc[j] == alone.auc
        assert population.tpr_at([0.1, 0.4])[j].tolist() == alone.tpr_at([0.1, 0.4]).tolist()
        assert population.partial_auc(fpr=(0, 0.3))[j] == alone.partial_auc(fpr=(0, 0.3))


def test_areas_may_be_decimals():
    areas = [Decimal("0.8"), Decimal("0.85")]
    for made in (paired_binormal, clustered_binormal):
        assert made(areas).auc.tolist() == made([0.8, 0.85]).auc.tolist()
    cut = paired_binormal(areas, cuts=(0, 0.5, 1))
    assert cut.auc == pytest.approx([0.8, 0.85], abs=1e-12)


def test_every_score_can_have_its_own_spread():
    population = paired_binormal([0.8, 0.9], sd_ratio=[0.5, 2])
    assert population.auc == pytest.approx([0.8, 0.9])
    pos = population.draw_blocks(500, 5, n_sim=40, rng=1).pos
    assert pos.std(axis=(0, 1)) == pytest.approx([0.5, 2], rel=0.03)


def test_paired_draws_agree():
    population = paired_binormal([0.7, 0.9], names=["new", "old"])
    data = population.draw(6, 4, rng=8)
    blocks = population.draw_blocks(6, 4, n_sim=1, rng=8)
    assert data.names == ("new", "old")
    assert data.label.tolist() == [True] * 6 + [False] * 4
    assert np.array_equal(data.score, np.concatenate([blocks.pos[0], blocks.neg[0]]))
    copy = pickle.loads(pickle.dumps(population))
    assert np.array_equal(copy.draw(6, 4, rng=8).score, data.score)


def test_a_correlation_of_one_leaves_one_score():
    same = paired_binormal([0.8, 0.8], r_pos=1, r_neg=1).draw(30, 30, rng=1)
    assert same.score[:, 0] == pytest.approx(same.score[:, 1], abs=1e-9)
    opposite = paired_binormal([0.5, 0.5], r_pos=-1, r_neg=[[1, -1], [-1, 1]]).draw(9, 9, rng=1)
    assert opposite.score[:, 0] == pytest.approx(-opposite.score[:, 1], abs=1e-9)


def test_ratings_cut_by_hand():
    # One cut at 0: half of the negatives above it. The polygon's area is then
    # (1 + tpr - 1/2) / 2: for .7 the rate Phi(mean) is .9, and no rate gives .8.
    population = paired_binormal([0.7], cuts=[0])
    assert population.mean[0] == pytest.approx(stats.norm.ppf(0.9), abs=1e-9)
    assert population.tpr_at(0.5)[0] == pytest.approx(0.9)
    assert population.tpr_at(0.25)[0] == pytest.approx(0.45)
    assert population.auc == pytest.approx([0.7], abs=1e-12)
    with pytest.raises(ValueError, match=r"Ratings with these cuts have no area of 0\.8"):
        paired_binormal([0.8], cuts=[0])


def test_ratings_keep_areas_and_copula():
    cuts = (-0.5, 0.3, 1.2)
    rated = paired_binormal([0.75, 0.85], r_pos=0.6, r_neg=0.6, cuts=cuts)
    blocks = rated.draw_blocks(300, 300, n_sim=100, rng=2)
    assert np.unique(blocks.pos).tolist() == [0, 1, 2, 3]
    for j in (0, 1):
        drawn = rs.tabulate_classes(blocks.pos[..., j].ravel(), blocks.neg[..., j].ravel())
        assert rs.auc(drawn) == pytest.approx(rated.auc[j], abs=0.01)
        margin = rated.margins[j].draw(30_000, 30_000, rng=1)
        assert margin.tp / 30_000 == pytest.approx(drawn.tp / 30_000, abs=0.02)
        assert margin.fp / 30_000 == pytest.approx(drawn.fp / 30_000, abs=0.02)
    # What is cut are correlated scores: both ratings 0 as often as both scores below the cut.
    both = (blocks.neg == 0).all(axis=-1).mean()
    law = stats.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]])
    assert both == pytest.approx(law.cdf([-0.5, -0.5]), abs=0.02)


def test_clusters_have_something_in_common():
    population = clustered_binormal(
        [0.8, 0.9], sizes=(2,), intraclass=0.4, r=0.7, prevalence=0.3, label_correlation=0.5
    )
    data = population.draw(20_000, rng=6)
    assert np.bincount(data.cluster).tolist() == [2] * 20_000
    assert data.label.mean() == pytest.approx(0.3, abs=0.02)
    own = data.score - np.outer(data.label, population.mean)  # the noise alone
    first, second = own[::2], own[1::2]
    assert np.corrcoef(first.T)[0, 1] == pytest.approx(0.7, abs=0.03)
    assert np.corrcoef(first[:, 0], second[:, 0])[0, 1] == pytest.approx(0.4, abs=0.04)
    assert np.corrcoef(first[:, 0], second[:, 1])[0, 1] == pytest.approx(0.28, abs=0.04)
    assert np.corrcoef(data.label[::2], data.label[1::2])[0, 1] == pytest.approx(0.5, abs=0.04)
    for j, name in enumerate(data.names):
        assert rs.auc(data.table(name)) == pytest.approx(population.auc[j], abs=0.012)


def test_clusters_of_several_sizes_and_ratings():
    population = clustered_binormal([0.8], sizes=(1, 3), cuts=(0, 1))
    data = population.draw(200, rng=3)
    sizes, many = np.unique(np.bincount(data.cluster), return_counts=True)
    assert sizes.tolist() == [1, 3]
    assert many.min() > 60
    assert np.unique(data.score).tolist() == [0, 1, 2]
    assert population.auc == pytest.approx([0.8], abs=1e-12)
    again = population.draw(200, rng=np.random.default_rng(3))
    assert np.array_equal(again.score, data.score)


def test_a_draw_of_clusters_has_both_classes():
    population = clustered_binormal([0.8], sizes=(2,), prevalence=0.02)
    for seed in range(20):
        label = population.draw(2, rng=seed).label
        assert 0 < label.sum() < 4
    with pytest.raises(ValueError, match="A single case cannot be of both classes"):
        clustered_binormal([0.8], sizes=(1,)).draw(1)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: paired_binormal([]), "areas is empty"),
        (lambda: paired_binormal([0.8, 1.0]), "area is 1.0"),
        (lambda: paired_binormal([0.8], names=["a", "b"]), "1 different ones are needed"),
        (lambda: paired_binormal([0.8, 0.9], names=["a", "a"]), "2 different ones"),
        (lambda: paired_binormal([0.8, 0.9], sd_ratio=[1, 2, 3]), "sd_ratio has 3 entries"),
        (lambda: paired_binormal([0.8, 0.9], r_pos=1.2), "r_pos is 1.2"),
        (lambda: paired_binormal([0.8] * 3, r_neg=-0.6), "no negative eigenvalue"),
        (lambda: paired_binormal([0.8] * 2, r_neg=[[1, 0.2], [0.3, 1]]), "symmetric"),
        (lambda: paired_binormal([0.8], cuts=[1, 1]), "each larger than the one before"),
        (lambda: paired_binormal([0.8], cuts=[]), "cuts are"),
        (lambda: clustered_binormal([0.8], sizes=()), "sizes is empty"),
        (lambda: clustered_binormal([0.8], sizes=(0,)), r"sizes\[0\] is 0"),
        (lambda: clustered_binormal([0.8], intraclass=1.2), "intraclass is 1.2"),
        (lambda: clustered_binormal([0.8], prevalence=1), "prevalence is 1"),
        (lambda: clustered_binormal([0.8], label_correlation=1), "label_correlation is 1"),
        (lambda: clustered_binormal([0.8]).draw(0), "n_clusters is 0"),
    ],
)
def test_bad_input_of_several_scores(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()
