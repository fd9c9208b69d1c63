"""Components of several areas: as those of each score alone, and as those of repeated cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.inference import auc_estimate
from rocspace.inference.area import is_constant
from rocspace.inference.components import components
from slow.data import by_class
from slow.inference import placements_by_pairs


@st.composite
def weighted(draw):
    """Labels with two of each class at least, two scores with ties, and whole weights."""
    n_pos, n_neg = draw(st.integers(2, 8)), draw(st.integers(2, 8))
    n = n_pos + n_neg
    score = st.lists(st.integers(-3, 3).map(float), min_size=n, max_size=n)
    weight = draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    return [True] * n_pos + [False] * n_neg, [draw(score), draw(score)], weight


@given(sample=weighted())
@settings(max_examples=40)
def test_frequencies_are_repeated_cases(sample):
    label, block, weight = sample
    columns = np.transpose(block)
    once = rs.pair_scores(label, columns, sample_weight=weight)
    many = rs.pair_scores(np.repeat(label, weight), np.repeat(columns, weight, axis=0))
    counted, repeated = (
        components(data, columns=(0, 1), part=None, weight_type=kind)
        for data, kind in ((once, "frequency"), (many, "importance"))
    )
    np.testing.assert_allclose(counted.covariance, repeated.covariance, rtol=1e-9, atol=1e-13)
    one, other = (each.spread(np.array([1.0, -1.0])) for each in (counted, repeated))
    assert (one.variance, one.df) == pytest.approx((other.variance, other.df), rel=1e-7, abs=1e-13)


@pytest.mark.filterwarnings("ignore:(Only|None)")
@given(sample=weighted())
@settings(max_examples=40)
def test_covariance_is_that_of_weighted_placements(sample):
    label, block, weight = sample
    weight = [w / 3 for w in weight]
    data = rs.pair_scores(label, np.transpose(block), sample_weight=weight)
    all_of_it = components(data, columns=(0, 1), part=None, weight_type="importance")
    found = all_of_it.covariance
    placed = [placements_by_pairs(label, column, weight) for column in block]
    expected = np.zeros((2, 2))
    for k, members in enumerate(by_class(label, block[0], weight)):
        w = np.array([float(each) for _, each in members])
        both = np.array([[float(v) for v in one[k]] for one in placed])
        gaps = both - (both @ w / w.sum())[:, None]
        n = w.sum() ** 2 / (w * w).sum()
        expected += (gaps * w**2) @ gaps.T / w.sum() ** 2 * n / (n - 1)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-13)
    for contrast in ([1.0, -1.0], [1.0, 0.0], [0.5, 2.0]):
        variance = all_of_it.spread(np.array(contrast)).variance
        assert variance == pytest.approx(contrast @ expected @ contrast, rel=1e-9, abs=1e-12)
    for i, column in enumerate(block):
        alone = auc_estimate(rs.tabulate(label, column, sample_weight=weight))
        assert alone.se**2 == pytest.approx(found[i, i], rel=1e-9, abs=1e-13)


def test_a_constant_score_is_one_whose_cases_all_tie():
    # As many of both classes at each score but one, and at the only score.
    assert not is_constant(rs.tabulate([1, 0, 1, 0, 1], [1, 1, 2, 2, 3]))
    assert is_constant(rs.tabulate([1, 0, 1, 0], [2, 2, 2, 2]))
    assert is_constant(rs.tabulate([1, 0, 0], [2, 2, 2]))
    assert not is_constant(rs.tabulate([1, 0], [1, 2]))
