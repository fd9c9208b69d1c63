"""Rate-driven and Kendall curves: by hand, by definition, by their areas, and what must hold."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.costs import cost_curve, rate_driven_curve
from slow.data import samples

RATES = st.integers(0, 24).map(lambda k: k / 24)


def test_by_hand():
    # Ranking + - + -: at rate 1/4 the top case is called, a positive. FN = 1 of 4, with share 1/4.
    curve = rate_driven_curve(rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4]))
    assert curve.rate.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert curve.loss.tolist() == [0, 2 / 16, 2 * (0.5 + 0.5) / 4, 2 * 0.25 / 4, 0]
    # A perfect ranking calls both positives at rate 1/2; here one call of four is wrong, and one
    # positive is not called.
    assert curve.kendall.tolist() == [0, 0, 0.5, 0, 0]
    # One of four pairs in the wrong order, n^2 / 2 = 8.
    assert curve.kendall_area == pytest.approx(1 / 8)
    assert curve.area == pytest.approx(1 / 3 + (1 - 1.5) / 4)
    point = curve.at_threshold(3)
    assert (point.rate, point.loss, point.kendall) == (0.5, 0.5, 0.5)


def orders(label, score):
    """Yield the labels in every order that the scores allow, most positive first."""
    block = {s: sum(y for y, t in zip(label, score, strict=True) if t == s) for s in set(score)}
    size = {s: score.count(s) for s in block}
    whole = [[[1] * p + [0] * (size[s] - p)] for s, p in sorted(block.items(), reverse=True)]
    rng = np.random.default_rng(1)
    for _ in range(400):
        yield np.concatenate([rng.permutation(each[0]) for each in whole])


def test_against_the_definition_in_random_order():
    label, score = [1, 0, 0, 1, 1, 0, 1, 0], [3, 3, 3, 2, 2, 1, 1, 1]
    curve, n = rate_driven_curve(rs.tabulate(label, score)), len(label)
    found = np.zeros(n + 1)
    for order in orders(label, score):
        for called in range(n + 1):
            fp, fn = (order[:called] == 0).sum(), (order[called:] == 1).sum()
            share = called / n
            found[called] += 2 * (share * fn + (1 - share) * fp) / n / 400
    assert curve.loss_at(np.arange(n + 1) / n) == pytest.approx(found, abs=0.02)


@settings(max_examples=60)
@given(sample=samples(), rate=RATES)
def test_areas_and_parts(sample, rate):
    table = rs.tabulate(*sample)
    curve, pi = rate_driven_curve(table), table.prevalence
    at = np.linspace(0, 1, 20_001)
    assert np.trapezoid(curve.loss_at(at), at) == pytest.approx(curve.area, abs=1e-6)
    assert np.trapezoid(curve.kendall_at(at), at) == pytest.approx(curve.kendall_area, abs=1e-6)
    perfect = 2 * (rate * (pi - rate) + max(rate - pi, 0))
    assert curve.loss_at(rate) == pytest.approx(perfect + curve.kendall_at(rate), abs=1e-12)
    assert curve.loss_at(curve.rate) == pytest.approx(curve.loss, abs=1e-12)
    assert curve.kendall_at(curve.rate) == pytest.approx(curve.kendall, abs=1e-12)
    # No threshold is better than the best for the same costs and class mix.
    share = pi * rate + (1 - pi) * (1 - rate)
    best = 2 * share * cost_curve(table).cost_at(pi * rate / share if share else 0.0)
    assert curve.loss_at(rate) >= best - 1e-12


def test_weights_count_cases():
    label, score, weight = [1, 0, 1, 0], [4, 3, 2, 1], [2, 1, 3, 2]
    many = [np.repeat(x, weight) for x in (label, score)]
    one, other = rs.tabulate(label, score, sample_weight=weight), rs.tabulate(*many)
    assert rate_driven_curve(one).area == pytest.approx(rate_driven_curve(other).area)
    for at, curve in product((0.1, 0.4), (rate_driven_curve(one),)):
        assert curve.loss_at(at) == pytest.approx(rate_driven_curve(other).loss_at(at))


def test_bad_input():
    curve = rate_driven_curve(rs.tabulate([0, 1], [1, 2]))
    with pytest.raises(ValueError, match=r"rate is 1.5, but must be between 0 and 1"):
        curve.loss_at(1.5)
    with pytest.raises(ValueError, match="rate is"):
        curve.kendall_at(-0.1)
    with pytest.raises(rs.SingleClassError, match=r"rate_driven_curve needs .* 2 positives and 0"):
        rate_driven_curve(rs.tabulate([1, 1], [1, 2]))
