"""Sizes of weighted samples, by hand."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.counts.weights import frequencies, heaviest_of


def test_heaviest_cases_by_hand():
    # Positives: nine of weight 1 in one row, one of weight 3. Negatives: five of weight 2. A light
    # case weighs 1 and 2; the ratio is 3, so that the heaviest may weigh 3 and 6.
    weight = [1] * 9 + [3] + [2] * 5
    table = rs.tabulate([1] * 10 + [0] * 5, [5] * 9 + [6] + [1, 1, 2, 3, 5], sample_weight=weight)
    pos, neg = heaviest_of(table)
    assert tuple(pos) == pytest.approx((3, 1, 1.2, 12))
    assert tuple(neg) == pytest.approx((6, 0, 2, 10))
    assert (pos.missing, neg.missing) == (1, 2)


def test_equal_weights_have_no_heaviest_case():
    equal = rs.tabulate([1, 1, 0, 0, 1], [1, 2, 2, 3, 2], sample_weight=np.full(5, 0.7))
    assert heaviest_of(equal) is None
    assert heaviest_of(rs.tabulate([1, 0], [1, 2])) is None


def test_frequencies_are_whole():
    table = rs.tabulate([1, 1, 0], [1, 2, 2], sample_weight=[2, 1, 3])
    counts = frequencies(table)
    assert not counts.is_weighted
    assert (counts.pos.tolist(), counts.neg.tolist()) == ([1, 2], [3, 0])
    for weight, name in (([2, 0.5, 3], "positives"), ([2, 1, 3.5], "negatives")):
        broken = rs.tabulate([1, 1, 0], [1, 2, 2], sample_weight=weight)
        with pytest.raises(ValueError, match=f"but the {name} with score 2 weigh"):
            frequencies(broken)


@pytest.mark.parametrize("tiny", [1e-170, 1e-300])
def test_weights_whose_square_is_nothing_weigh_nothing(tiny):
    label, score = [0, 1, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6, 7]
    weight = [1, 1, 1, 2, 3, 1, 1]
    found = rs.delong(rs.tabulate([*label, 1], [*score, 8], sample_weight=[*weight, tiny]))
    expected = rs.delong(rs.tabulate(label, score, sample_weight=weight))
    assert found.se == pytest.approx(expected.se)
    assert tuple(found.interval()) == pytest.approx(tuple(expected.interval()))
    with pytest.raises(ValueError, match="are 0 in float64"):
        rs.delong(rs.tabulate(label, score, sample_weight=[1 if y else tiny for y in label]))
