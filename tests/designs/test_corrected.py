"""Areas, rates and curves of signed weights: by all pairs, by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rocspace._base.arrays import Vector
from rocspace.designs.corrected import (
    CorrectedArea,
    CorrectedRate,
    CorrectedRates,
    Reading,
    area_reading,
    curve_of,
    difference_of,
    freedom,
    ranked,
    share_reading,
)
from rocspace.results.estimates import AreaEstimate


def test_bootstrap_counts_copies_as_the_same_case() -> None:
    """Copies of a case make no pairs with each other."""
    rng = np.random.default_rng(3)
    pos, score = rng.random(6), np.array([1.0, 2, 2, 3, 4, 5])
    neg, times = 1 - pos, np.array([2.0, 0, 1, 1, 3, 1])
    which = np.repeat(np.arange(6), times.astype(int))
    apart = which[:, None] != which
    s = score[which]
    wins = ((s[:, None] > s) + (s[:, None] == s) / 2) * apart
    weight = np.outer(pos[which], neg[which])
    found = area_reading(ranked(score, higher_is_positive=True), pos, neg, times).value
    assert found == pytest.approx((weight * wins).sum() / (weight * apart).sum())


SCORE = np.array([5.0, 4, 4, 3, 1, 1])
POS = np.array([1.2, 0.4, -0.3, 0.5, 0.1, 0.6])
NEG = 1 - POS


def test_cases_are_ranked_from_the_most_positive_on() -> None:
    found = ranked(SCORE, higher_is_positive=True)
    assert found.rank.tolist() == [0, 1, 1, 2, 3, 3]
    assert found.threshold.tolist() == [5, 4, 3, 1]
    np.testing.assert_allclose(found.summed(POS), [1.2, 0.1, 0.5, 0.7])
    turned = ranked(SCORE, higher_is_positive=False)
    assert turned.rank.tolist() == [3, 2, 2, 1, 0, 0]
    assert turned.threshold.tolist() == [1, 3, 4, 5]


def check_slopes(read: Callable[[Vector, Vector], Reading]) -> None:
    """Compare derivatives with numerical ones, by n times the weight of each case."""
    found, step = read(POS, NEG), 1e-6
    for i in range(POS.size):
        move = step * (np.arange(POS.size) == i)
        by_pos = (read(POS + move, NEG).value - read(POS - move, NEG).value) / 2 / step
        by_neg = (read(POS, NEG + move).value - read(POS, NEG - move).value) / 2 / step
        assert found.by_pos[i] == pytest.approx(POS.size * by_pos, abs=1e-7)
        assert found.by_neg[i] == pytest.approx(POS.size * by_neg, abs=1e-7)


def test_an_area_changes_with_weights_as_it_says() -> None:
    check_slopes(lambda pos, neg: area_reading(ranked(SCORE, higher_is_positive=True), pos, neg))


def test_a_share_by_hand_and_how_it_changes() -> None:
    called = (SCORE >= 4).astype(float)
    found = share_reading(POS, NEG, (called, 0.0), (1.0, 0.0))
    assert found.value == pytest.approx(1.3 / 2.5)  # tpr
    ppv = share_reading(POS, NEG, (called, 0.0), (called, called))
    assert ppv.value == pytest.approx(1.3 / 3)
    twice = share_reading(POS, NEG, (called, 0.0), (1.0, 0.0), np.array([2.0, 0, 1, 1, 1, 0]))
    assert twice.value == pytest.approx((2.4 - 0.3) / (2.4 - 0.3 + 0.5 + 0.1))
    check_slopes(lambda pos, neg: share_reading(pos, neg, (called, 0.0), (1.0, 0.0)))
    check_slopes(lambda pos, neg: share_reading(pos, neg, (called, 0.0), (called, called)))


def test_degrees_of_freedom_by_hand() -> None:
    # Squares 0, 4, 1: sums 5 and 17, and 17 minus 25 / 3 in excess of equal ones.
    values = np.array([0.0, -2, 1])
    assert freedom(values, 10.0) == pytest.approx(2 * 25 / (17 - 25 / 3))
    assert freedom(values, 4.0) == 4
    assert freedom(np.array([1.0, -1, 1, -1]), 10.0) == 10  # all alike


def test_a_curve_of_signed_weights_is_cut_and_sorted() -> None:
    pos, neg = np.array([0.6, -0.2, 0.6]), np.array([0.5, 0.7, -0.2])
    found = curve_of(np.array([3, 2, 1]), pos, neg, "ipw", higher=True)
    np.testing.assert_allclose(found.raw_tpr, [0, 0.6, 0.4, 1])
    np.testing.assert_allclose(found.tpr, [0, 0.4, 0.6, 1])
    np.testing.assert_allclose(found.raw_fpr, [0, 0.5, 1.2, 1])
    np.testing.assert_allclose(found.fpr, [0, 0.5, 1, 1])
    assert found.rearranged
    assert found.auc == pytest.approx(0.5 * 0.2 + 0.5 * 0.5)
    assert found.threshold.tolist() == [np.inf, 3, 2, 1]
    plain = curve_of(np.array([1, 2]), np.ones(2), np.array([1.0, 3]), "ipw", higher=False)
    assert not plain.rearranged
    assert plain.threshold.tolist() == [-np.inf, 1, 2]


def area(value: float, se: float, **more: Any) -> CorrectedArea:
    usual = AreaEstimate(value=0.8, se=0.1, method="delong", n_pairs=12.0, df=20.0)
    fields = {"method": "ppi", "n_pairs": 9.0, "df": 30.0, "raw": value, "uncorrected": usual}
    return CorrectedArea(value=value, se=se, **{**fields, **more})


def test_a_difference_has_the_variance_of_both_minus_twice_their_covariance() -> None:
    one, two = area(0.9, 0.2), area(0.7, 0.3, n_pairs=5.0)
    found = difference_of(one, two, np.array([[0.04, 0.01], [0.01, 0.09]]), 17.0)
    assert found.value == pytest.approx(0.2)
    assert found.se == pytest.approx(0.11**0.5)
    assert found.correlation == pytest.approx(0.01 / 0.06)
    assert (found.n_pairs, found.df) == (5, 17)
    same = difference_of(one, one, np.full((2, 2), 0.04), 17.0)
    assert (same.se, same.correlation) == (0, pytest.approx(1))
    none = difference_of(one, two, np.array([[0.0, 0], [0, 0.09]]), 17.0)
    assert np.isnan(none.correlation)


def test_limits_by_a_judge_are_those_of_true_labels_brought_nearer() -> None:
    found = area(0.82, 0.05, weight=0.7)
    low, high = found.uncorrected.interval(0.9)
    ends = found.interval(0.9)
    assert ends.low == pytest.approx(0.82 - (0.8 - low) / 2)  # se .05 for .1
    assert ends.high == pytest.approx(0.82 + (high - 0.8) / 2)
    assert ends.method == "ppi, scaled"
    for other in (area(0.82, 0.05), area(1.0, 0.05, weight=0.7)):
        assert "scaled" not in other.interval(0.9).method
    assert "scaled" not in found.interval(0.9, scale="logit").method
    near = area(0.99, 0.099, weight=0.7).interval()
    assert near.high == 1
    assert area(0.01, 0.099, weight=0.7).interval().low == 0


def test_rates_that_are_known_have_a_row_each() -> None:
    def rate(value: float) -> CorrectedRate:
        return CorrectedRate(value=value, se=0.1, method="ipw", df=9.0)

    found = CorrectedRates(threshold=3.0, tpr=rate(0.9), fpr=rate(0.2), prevalence=rate(0.4))
    assert found.tnr == pytest.approx(0.8)
    assert list(found.estimates) == ["tpr", "fpr", "prevalence"]
    assert [line.split(":")[0].strip() for line in str(found).splitlines()[1:]] == [
        "Threshold",
        "TPR",
        "FPR",
        "Prevalence",
    ]
    assert list(found.to_frame()["rate"]) == ["tpr", "fpr", "prevalence"]
    assert list(found.to_frame()["value"]) == [0.9, 0.2, 0.4]
