"""Areas of pairs: by hand, by definition, the reference numbers, their promises."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Chebyshev, Legendre, Polynomial

import rocspace as rs
import slow.granular
from rocspace import datasets
from rocspace.counts import ScoreTable, SingleClassError, negate
from rocspace.granular import (
    buffered_auc,
    margin_curve,
    pairwise_auc,
    prob_auc,
    scored_auc,
    soft_auc,
    soft_auc_gradient,
)
from rocspace.granular import series as _pairwise
from rocspace.measures import SUMMARIES
from slow.data import F3, reference, repeated, samples

thirds = st.integers(1, 9).map(lambda k: k / 3)
eighths = st.integers(0, 8).map(lambda k: k / 8)
hundredths = st.integers(0, 100).map(lambda k: k / 100)
EVERY = [scored_auc, prob_auc, soft_auc, buffered_auc]


def assert_near(value, exact, rel=1e-12):
    assert value == pytest.approx(float(exact), rel=rel, abs=1e-13)


def paper(model):
    data = datasets.load("groc_table3")
    return rs.tabulate(data.y_true, data.columns[model])


# --- by hand, and as printed ----------------------------------------------------------------------


def test_by_hand():
    # Positives 1 and .5, negatives .75 and 0: differences .25, 1, -.25, .5.
    table = rs.tabulate([1, 1, 0, 0], [1, 0.5, 0.75, 0])
    assert scored_auc(table) == 1.75 / 4
    assert prob_auc(table) == (1 + 0.75 - 0.375) / 2
    assert_near(soft_auc(table, beta=4), sum(1 / (1 + exp(-d)) for d in (1, 4, -1, 2)) / 4)
    assert margin_curve(table, [0, 0.25, 0.5, 1]).auc.tolist() == [0.75, 0.5, 0.25, 0]
    # The worst two, -.25 and .25, balance: half the pairs are left.
    assert_near(buffered_auc(table), 0.5)
    assert pairwise_auc(table, lambda d: d**2) == (1 + 16 + 1 + 4) / 16 / 4


def test_reference_numbers():
    expected, table = reference(), rs.tabulate(*F3)
    assert_near(scored_auc(table), expected["F3_sauc"])
    assert_near(prob_auc(table), expected["F3_pauc_prob"])
    assert_near(buffered_auc(table), expected["F3_bauc"])
    for beta in (1, 10, 100):
        assert_near(soft_auc(table, beta=beta), expected[f"F3_softauc_{beta}"])
    for model in "ab":
        expected = reference()[f"T3{model.upper()}"]
        assert_near(scored_auc(paper(model)), expected["sauc"])
        assert_near(prob_auc(paper(model)), expected["prob_auc"])
        assert_near(soft_auc(paper(model), beta=10), expected["soft10"])
        assert_near(buffered_auc(paper(model)), expected["bauc"])


# --- by definition --------------------------------------------------------------------------------


@given(sample=samples(max_size=14, values=eighths, weights=thirds), higher=st.booleans())
@settings(max_examples=30)
def test_definitions(sample, higher):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w, higher_is_positive=higher)

        def mean(tau, w=w):
            return slow.granular.mean_over_pairs(label, score, tau, w, higher=higher)

        assert_near(scored_auc(table), mean(lambda d: max(d, 0)))
        assert_near(prob_auc(table), mean(lambda d: (d + 1) / 2))
        for beta in (0.5, 7):
            s = float(mean(lambda d, b=beta: Fraction(1 / (1 + exp(-b * d)))))
            assert_near(soft_auc(table, beta=beta), s)
            assert_near(soft_auc(table, beta=beta, tolerance=0), s)
        curve = margin_curve(table, [0, 0.125, 0.3, 2])
        for margin, value in zip(curve.margin, curve.auc, strict=True):
            assert_near(value, mean(lambda d, m=margin: d > m))
        assert_near(pairwise_auc(table, lambda d: np.heaviside(d, 0.5)), rs.auc(table))
        assert_near(pairwise_auc(table, lambda d: np.maximum(d, 0)), scored_auc(table))
        assert_near(pairwise_auc(table, Polynomial([0.5, 0.5])), prob_auc(table))
        assert_near(
            buffered_auc(table),
            slow.granular.buffered_auc(label, score, w, higher=higher),
            rel=1e-9,
        )


@given(sample=samples(max_size=14, values=hundredths))
@settings(max_examples=25)
def test_margins_are_decimals(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    margins = [k / 100 for k in range(0, 101, 3)]
    found = margin_curve(table, margins).auc
    exact = [slow.granular.as_decimal(x) for x in score]
    for margin, value in zip(margins, found, strict=True):
        wanted = slow.granular.as_decimal(margin)
        assert_near(value, slow.granular.mean_over_pairs(label, exact, lambda d, m=wanted: d > m))
    assert (np.diff(found) <= 0).all()


def test_area_under_the_margin_curve():
    rng = np.random.default_rng(1)
    label = rng.random(60) < 0.4
    table = rs.tabulate(label, rng.random(60) * 0.8 + 0.2 * label)
    margins = np.linspace(0, 1, 20001)
    middle = margin_curve(table, (margins[1:] + margins[:-1]) / 2).auc
    assert middle.mean() == pytest.approx(scored_auc(table), abs=1e-5)


# --- the sigmoid by panels ------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [0.01, 1.0, 30.0, 1000.0, 1e6])
@pytest.mark.parametrize("kind", ["smooth", "clumps"])
def test_panels_are_as_near_as_promised(beta, kind):
    rng = np.random.default_rng(4)
    score = rng.random(1500) if kind == "smooth" else rng.normal(rng.integers(0, 3, 1500), 0.01)
    table = rs.tabulate(rng.random(1500) < 0.5, score)
    weights = table.neg / table.n_neg
    exact = _pairwise.sigmoid_potential(table.score, weights, beta, 0)
    found = {1e-4: None, 1e-8: None, 1e-12: None}
    for tolerance in found:
        panels = _pairwise._by_panels(table.score, weights, beta, tolerance)
        for one, other in zip(panels, exact, strict=True):
            assert np.abs(one - other).max() <= tolerance + 1e-15
        value = soft_auc(table, beta=beta, tolerance=tolerance)
        assert value == pytest.approx(soft_auc(table, beta=beta, tolerance=0), abs=tolerance)
        found[tolerance] = _pairwise._nodes_for(tolerance)
    assert sorted(found.values()) == list(found.values())


@pytest.mark.parametrize("k", [300, 2000])
def test_gradient_by_differences(k):
    rng = np.random.default_rng(6)
    label, score = rng.random(k) < 0.3, rng.normal(size=k)
    beta, step = 3.0, 1e-4
    for higher in (True, False):
        table = rs.tabulate(label, score, higher_is_positive=higher)
        found = soft_auc_gradient(table, beta=beta)
        assert found.value == soft_auc(table, beta=beta)
        gradient = found.of_cases(label, score)
        assert abs(gradient.sum()) < 1e-14
        for i in (0, 7, int(np.argmax(label)), int(np.argmin(score))):
            moved = [score.copy(), score.copy()]
            moved[0][i] -= step
            moved[1][i] += step
            low, high = (
                soft_auc(rs.tabulate(label, x, higher_is_positive=higher), beta=beta, tolerance=0)
                for x in moved
            )
            assert gradient[i] == pytest.approx((high - low) / (2 * step), abs=1e-10)


def test_gradient_of_ties_and_weights():
    # Two positives at .5 (weights 1 and 3), a negative at 0: s' = s(1 - s) at .5 beta.
    label, score, weight = [1, 1, 0], [0.5, 0.5, 0], [1.0, 3.0, 2.0]
    found = soft_auc_gradient(rs.tabulate(label, score, sample_weight=weight), beta=2)
    s = 1 / (1 + exp(-1))
    slope = 2 * s * (1 - s)
    by_case = found.of_cases(label, score) * weight
    np.testing.assert_allclose(by_case, [slope / 4, slope * 3 / 4, -slope], rtol=1e-14)
    with pytest.raises(ValueError, match=r"y_score has 0.25, which is not a score of the table"):
        found.of_cases(label, [0.5, 0.25, 0])


def test_steps_along_the_gradient_improve():
    rng = np.random.default_rng(8)
    label, score = rng.random(200) < 0.5, rng.normal(size=200)
    before = soft_auc(rs.tabulate(label, score), beta=2)
    gradient = soft_auc_gradient(rs.tabulate(label, score), beta=2).of_cases(label, score)
    assert soft_auc(rs.tabulate(label, score + 10 * gradient), beta=2) > before


@given(sample=samples(values=eighths))
@settings(max_examples=40)
def test_limits_of_soft_auc(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    assert_near(soft_auc(table, beta=1e6), rs.auc(table))
    assert soft_auc(table, beta=1e-9) == pytest.approx(0.5, abs=1e-9)
    swapped = rs.tabulate([not y for y in label], score)
    for beta in (0.1, 5):
        assert_near(soft_auc(table, beta=beta) + soft_auc(swapped, beta=beta), 1)
    assert soft_auc(rs.tabulate(label, np.ones(len(label)))) == 0.5


# --- polynomials ----------------------------------------------------------------------------------


@given(
    sample=samples(weights=thirds),
    polynomial=st.sampled_from(
        [
            Polynomial([0.5]),
            Polynomial([0.5, 0.3, -0.2, 0.05]),
            Chebyshev([0, 1, 0, -0.5, 0.25, 0.125], domain=[-8, 8]),
            Legendre([0.2] * 9, domain=[-8, 8]),
        ]
    ),
)
@settings(max_examples=40)
def test_polynomials_are_exact(sample, polynomial):
    label, score, weight = sample
    table = rs.tabulate(label, score, sample_weight=weight)
    assert_near(pairwise_auc(table, polynomial), pairwise_auc(table, lambda d: polynomial(d) + 0))


def test_one_polynomial_for_the_sigmoid():
    # Calders and Jaroszewicz's version: the error falls with the degree.
    table = rs.tabulate(*F3)
    exact = soft_auc(table, beta=10)
    off = [
        abs(pairwise_auc(table, lambda d: 1 / (1 + np.exp(-10 * d)), degree=n) - exact)
        for n in (2, 6, 12, 24)
    ]
    assert off == sorted(off, reverse=True)
    assert off[-1] < 1e-8


def test_blocks_of_pairs(monkeypatch):
    from rocspace.granular import pairwise

    rng = np.random.default_rng(3)
    table = rs.tabulate(rng.random(100) < 0.5, rng.random(100))
    whole = pairwise_auc(table, np.abs)
    monkeypatch.setattr(pairwise, "_BLOCK", 130)
    sizes = []
    assert_near(pairwise_auc(table, lambda d: sizes.append(d.size) or np.abs(d)), whole)
    assert max(sizes) <= 130


# --- promises -------------------------------------------------------------------------------------


@given(sample=samples(values=eighths, weights=st.integers(0, 3)))
@settings(max_examples=40)
def test_promises(sample):
    label, score, weight = sample
    table = rs.tabulate(label, score)
    assert 0 <= scored_auc(table) <= rs.auc(table) + 1e-15
    strict = margin_curve(table, 0).auc[0]
    assert 0 <= buffered_auc(table) <= strict + 1e-12
    assert_near(prob_auc(table), (1 + scored_auc(table) - scored_auc(negate(table))) / 2)
    for function in EVERY:
        value = function(table)
        assert type(value) is float
        assert 0 <= value <= 1
        assert_near(function(rs.reweight(table, prevalence=0.2)), value)
        assert_near(function(rs.tabulate(label * 2, score * 2)), value)
        if 0 < sum(w for w, y in zip(weight, label, strict=True) if y) < sum(weight):
            whole = function(rs.tabulate(label, score, sample_weight=weight))
            again = [repeated(column, weight) for column in (label, score)]
            assert_near(whole, function(rs.tabulate(*again)))


@given(sample=samples(), scale=st.sampled_from([0.25, 3.0, 1e6]), shift=st.integers(-9, 9))
@settings(max_examples=40)
def test_origin_and_unit(sample, scale, shift):
    label, score = sample
    table, moved = rs.tabulate(label, score), rs.tabulate(label, np.array(score) * scale + shift)
    assert_near(scored_auc(moved), scored_auc(table) * scale, rel=1e-9)
    assert_near(buffered_auc(moved), buffered_auc(table), rel=1e-8)
    assert_near(soft_auc(moved, beta=1 / scale), soft_auc(table), rel=1e-9)


def test_buffered_ends():
    assert buffered_auc(rs.tabulate([1, 1, 0], [3, 2, 1])) == 1
    assert buffered_auc(rs.tabulate([1, 1, 0, 0], [3, 2, 2, 1])) == 0.75  # a tie is no win
    assert buffered_auc(rs.tabulate([1, 0], [1, 2])) == 0
    assert buffered_auc(rs.tabulate([1, 0, 1, 0], [2, 2, 1, 1])) == 0
    # Not invariant to monotone maps.
    label, score = F3
    cubes = rs.tabulate(label, np.array(score) ** 3)
    assert abs(buffered_auc(cubes) - buffered_auc(rs.tabulate(*F3))) > 0.01


@pytest.mark.parametrize("name", ["prob_auc", "buffered_auc"])
def test_registered(name):
    fact = SUMMARIES[name]
    assert (fact.range, fact.better) == ((0, 1), "higher")
    assert not fact.uses_prevalence
    assert not fact.rank_based
    assert fact.function(rs.tabulate([1, 1, 0], [1, 1, 0])) == 1


def test_large_tables_are_linear():
    # A quadratic way would take hours.
    rng = np.random.default_rng(5)
    n = 200_000
    label = rng.random(n) < 0.5
    score = rng.normal(label * 1.0, 1.0)
    table = rs.tabulate(label, score)
    for beta in (0.5, 50.0):
        sample = rng.choice(n, 2000, replace=False)
        few = rs.tabulate(label[sample], score[sample])
        assert soft_auc(table, beta=beta) == pytest.approx(soft_auc(few, beta=beta), abs=0.05)
    assert 0 < buffered_auc(table) < rs.auc(table)
    assert scored_auc(table) == pytest.approx(
        np.mean(np.maximum(score[label][:50000] - score[~label][:50000], 0)), abs=0.02
    )


def test_huge_counts():
    small = ScoreTable.from_counts([1, 0.5, 0], [3, 2, 1], [1, 1, 2])
    n = 2**58
    large = ScoreTable.from_counts([1, 0.5, 0], [3 * n, 2 * n, n], [n, n, 2 * n])
    for function in EVERY:
        assert_near(function(large), function(small))
    assert_near(margin_curve(large, 0.5).auc[0], margin_curve(small, 0.5).auc[0])


# --- bad input ------------------------------------------------------------------------------------


def test_bad_input():
    every = [*EVERY, soft_auc_gradient, lambda t: pairwise_auc(t, np.abs)]
    for function in every:
        with pytest.raises(SingleClassError, match="2 positives and 0 negatives"):
            function(rs.tabulate([1, 1], [0, 1]))
        with pytest.raises(ValueError, match="needs finite scores"):
            function(rs.tabulate([1, 0], [np.inf, 1]))
    table = rs.tabulate(*F3)
    for beta in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match="beta is"):
            soft_auc(table, beta=beta)
    for tolerance in (-1, 1e-15, 1, np.nan):
        with pytest.raises(ValueError, match="tolerance is"):
            soft_auc(table, tolerance=tolerance)
    for score in ([0, 1.5], [-0.5, 1]):
        for higher in (True, False):
            with pytest.raises(ValueError, match=r"scores in \[0, 1\], but one is (1.5|-0.5)"):
                prob_auc(rs.tabulate([0, 1], score, higher_is_positive=higher))
    with pytest.raises(ValueError, match="margin is -1"):
        margin_curve(table, -1)
    with pytest.raises(ValueError, match="degree is -1"):
        pairwise_auc(table, np.abs, degree=-1)
    with pytest.raises(ValueError, match=r"tau returned the shape \(\)"):
        pairwise_auc(table, lambda d: 1.0)
    infinite = rs.tabulate([1, 1, 0, 0], [np.inf, 1, 0, -np.inf])
    assert margin_curve(infinite, [0, 0.5, 1, 100]).auc.tolist() == [1, 1, 0.75, 0.75]


def test_the_buffered_area_does_not_depend_on_the_scale_even_of_the_largest_scores():
    y, score = [0, 1, 0, 1, 0, 1], np.array([-1.7, 1.7, 0.25, -0.5, 1.0, 0.75])
    huge = score * 2.0**1023
    assert buffered_auc(rs.tabulate(y, huge)) == buffered_auc(rs.tabulate(y, score))
