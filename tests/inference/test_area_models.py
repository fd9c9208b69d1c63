"""The models that an area and a part of it lean on: by hand, by quadrature, by drawing."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import integrate, optimize

import rocspace as rs
from rocspace.inference import auc_estimate, partial_auc_estimate
from rocspace.inference.area_models import area_model_variance, part_model_variance
from rocspace.simulate import exponential
from slow.data import assert_close

RANGES = st.sampled_from([(0.0, 0.1), (0.0, 0.2), (0.05, 0.3), (0.5, 1.0), (0.1, 0.9), (0.0, 1.0)])
SIZES = st.tuples(st.integers(2, 500), st.integers(2, 20_000))


def test_whole_area_by_hand():
    # A .8, 7 + 30 cases: .16 (1 + 17.5 (.2/1.2 + .8/1.8)) / 210.
    by_hand = 0.16 * (1 + 17.5 * (1 / 6 + 4 / 9)) / 210
    assert_close(area_model_variance(0.8, 7, 30), by_hand, 14)


def test_part_by_hand():
    # Over fpr 0 to 1/4 the curve sqrt(fpr) has the area 1/12: half of the positives reach the
    # range, and there beat 2/3 of its negatives, so the part is 1/4 x 1/2 x 2/3. One's variance
    # inside: 2/9 (1/4 + 2/5) / 2 = 13/180. A positive counts 0 or, with chance 1/2, 2/3 on average:
    of_pos = (4 / 9 + 13 / 180) / 2 - 1 / 9
    # The height is 1/2 over the other 3/4 of negatives, and 1/3 on average in the range.
    in_range = 1 / 9 + 13 / 180 / 4
    of_neg = in_range / 4 + 3 / 4 / 4 - (1 / 12 + 3 / 8) ** 2
    of_pair = (1 / 3 - in_range) / 4 - of_pos / 16
    by_hand = of_pos / 16 / 10 + of_neg / 1000 + of_pair / 10_000
    assert_close(part_model_variance(1 / 12, 0, 0.25, 10, 1000), by_hand, 12)
    # If all reached it, 1/3 of 250 would be beaten: a smaller variance, so it does not count.
    assert area_model_variance(1 / 3, 10, 250) / 16 < by_hand
    # With 10 negatives it is the larger one.
    expected = area_model_variance(1 / 3, 1000, 2.5) / 16
    assert_close(part_model_variance(1 / 12, 0, 0.25, 1000, 10), expected, 14)


def by_quadrature(curve, low, high, n_pos, n_neg):
    """Variance of the part for a known curve, of the two linear terms and the rest."""

    def over(function):
        return integrate.quad(function, low, high, epsabs=0, epsrel=1e-11, limit=200)[0]

    part = over(curve)
    # A positive that beats all but a share u counts min(width, max(high - u, 0)).
    of_pos = over(lambda u: 2 * (high - u) * curve(u)) - part**2
    # A negative at rank u moves it by the height there, at the next end beyond the range.
    ends = low * curve(low) ** 2 + (1 - high) * curve(high) ** 2
    mean = low * curve(low) + part + (1 - high) * curve(high)
    square = over(lambda u: curve(u) ** 2)
    of_pair = part - square - of_pos
    return of_pos / n_pos + (square + ends - mean**2) / n_neg + of_pair / (n_pos * n_neg)


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.2), (0.0, 0.1), (0.1, 0.4), (0.0, 1.0)])
@pytest.mark.parametrize("share", [0.3, 0.75, 0.95])
@pytest.mark.parametrize("sizes", [(10, 10_000), (20, 200)])
def test_part_by_definition(low, high, share, sizes):
    # The mean over two curves in the same box: a power of the rate, and the mirror image of it,
    # which swaps the classes. Of the first all is Hanley and McNeil's model if low is 0.
    width = high - low
    shape = optimize.brentq(
        lambda s: (high ** (s + 1) - low ** (s + 1)) / (s + 1) / width - share, 1e-9, 500
    )
    bottom, top = low**shape if low else 0.0, high**shape
    area = (share - bottom) / (top - bottom)
    inner = 1 / area - 1

    def one(u):
        return bottom + (top - bottom) * ((u - low) / width) ** inner

    def other(u):
        return bottom + (top - bottom) * (1 - (1 - (u - low) / width) ** (1 / inner))

    if low == 0:
        assert_close(one(0.07), 0.07**shape, 9)
    expected = np.mean([by_quadrature(curve, low, high, *sizes) for curve in (one, other)])
    if low == 0 < 1 - high:  # else the other model can be the larger one
        floor = width**2 * area_model_variance(share, sizes[0], width * sizes[1])
        expected = max(expected, floor)
    got = part_model_variance(share * width, low, high, *sizes)
    if low:
        assert got >= expected * (1 - 1e-7)
    else:
        assert_close(got, expected, 6)


@given(st.floats(1e-9, 1 - 1e-9), SIZES)
def test_part_that_is_the_whole(area, sizes):
    expected = area_model_variance(area, *sizes)
    assert_close(part_model_variance(area, 0.0, 1.0, *sizes), expected, 7)


@given(st.floats(0, 1), RANGES, SIZES)
@example(0.0, (0.0, 0.1), (10, 10))
@example(1.0, (0.1, 0.9), (10, 10))
@example(1e-300, (0.5, 1.0), (10, 10))
@example(1 - 1e-16, (0.0, 0.2), (10, 10_000))
def test_part_is_finite_and_no_more_than_can_be(share, ends, sizes):
    low, high = ends
    width = high - low
    n_pos, n_neg = sizes
    got = part_model_variance(share * width, low, high, n_pos, n_neg)
    floor = width**2 * area_model_variance(share, n_pos, width * n_neg)
    assert floor * (1 - 1e-12) <= got
    # A share of positives, one of negatives within the range, the cut, and pairs.
    most = share * (1 - share) * (1 / n_pos + 1 / (width * n_neg)) * width**2
    most += (0.25 * min(4 * (1 - width), 1) + 1 / n_pos) / n_neg + floor
    assert got <= most * (1 + 1e-9) + 1e-15


def test_estimates_lean_on_these():
    rng = np.random.default_rng(4)
    table = rs.tabulate_classes(rng.normal(1, 1, 12), rng.normal(0, 1, 300))
    whole = auc_estimate(table)
    assert_close(whole.model_se**2, area_model_variance(whole.value, 12, 300), 12)
    part = partial_auc_estimate(table, fpr=(0, 0.2))
    assert_close(part.model_se**2, part_model_variance(part.value, 0, 0.2, 12, 300), 12)
    beside = partial_auc_estimate(table, tpr=(0.7, 1))
    expected = part_model_variance(beside.value, 0, 1 - 0.7, 300, 12)
    assert_close(beside.model_se**2, expected, 12)


def test_few_positives_of_which_some_miss_the_range():
    # Exponential scores, area .9: 16 percent of positives are below all of the top fifth of the
    # negatives. With 10 positives the interval covered 91 percent without a model of that.
    population = exponential(0.9)
    truth = population.partial_auc(fpr=(0, 0.2))
    rng = np.random.default_rng(8)
    pos, neg = population.pos(rng, (600, 10)), population.neg(rng, (600, 1000))
    hits = 0
    for x, y in zip(pos, neg, strict=True):
        hits += truth in partial_auc_estimate(rs.tabulate_classes(x, y), fpr=(0, 0.2)).interval()
    assert hits >= 0.93 * 600  # 95.5 percent expected, three standard errors less
