"""Estimates at several times: bands of all times, degrees of freedom, differences."""

import numpy as np
import pytest

from followed import arguments
from rocspace.designs import (
    auc_over_time,
    auc_over_time_difference,
    survival_scores,
)
from rocspace.designs.over_time import Influence, class_share, difference_of, timed_estimates


def test_the_band_holds_each_interval():
    data = survival_scores(**arguments(7, 80))
    found = auc_over_time(data, [3, 5, 7], "a")
    band = found.band(0.9, rng=1)
    assert 0.9 < band.pointwise < 1 - 0.1 / 3
    for j, estimate in enumerate(found.estimates):
        low, high = estimate.interval(0.9)
        assert band.low[j] < low < high < band.high[j]
    alone = auc_over_time(data, 5, "a")
    assert list(alone.estimates[0].interval()) == [alone.band().low[0], alone.band().high[0]]


def test_few_events_have_few_degrees_of_freedom():
    """Welch's, by those with the event and those without it."""
    rng = np.random.default_rng(7)
    time = np.arange(1.0, 201)
    data = survival_scores(time, np.ones(200), rng.normal(size=200) - time / 100)
    early, late = auc_over_time(data, [4, 100]).estimates
    assert 3 <= early.df < 8
    assert late.df > 50
    part = auc_over_time(data, 4, fpr=(0, 0.2)).estimates[0]
    assert part.model_se > 0


def test_difference_of_a_score_and_itself():
    given = arguments(8)
    twice = {"a": given["y_scores"]["a"], "b": given["y_scores"]["a"]}
    gain = auc_over_time_difference(survival_scores(**{**given, "y_scores": twice}), [3, 6])
    assert gain.value.tolist() == [0, 0]
    assert gain.estimates[0].test().pvalue == 1


# --- errors -----------------------------------------------------------------------------------


INFLUENCE = np.array([1.0, -2, 0.5, 0.5, -1, 1])
FOLLOWED = survival_scores([1, 2, 3, 4, 5, 6], [1, 1, 0, 1, 0, 0], range(6))
WEIGHED = survival_scores(
    [1, 2, 3, 4, 5, 6], [1, 1, 0, 1, 0, 0], range(6), sample_weight=[1, 3, 2, 1, 1, 2]
)


def test_the_error_of_a_mean_of_influence_values():
    found = Influence(value=0.7, influence=INFLUENCE, n_pairs=3.0)
    plain = found.estimate(FOLLOWED, "importance", "x")
    assert plain.se**2 == pytest.approx((INFLUENCE**2).sum() / 6 / 5)
    w = WEIGHED.weight
    of_counts = found.estimate(WEIGHED, "frequency", "x")
    assert of_counts.se**2 == pytest.approx((w * INFLUENCE**2).sum() / 10 / 9)
    of_weights, n = found.estimate(WEIGHED, "importance", "x"), 10**2 / (w**2).sum()
    assert of_weights.se**2 == pytest.approx((w**2 * INFLUENCE**2).sum() / 100 * n / (n - 1))
    repeated = survival_scores(*(np.repeat(c, w.astype(int)) for c in (
        WEIGHED.time, WEIGHED.status, WEIGHED.column())))  # fmt: skip
    again = Influence(value=0.7, influence=np.repeat(INFLUENCE, w.astype(int)), n_pairs=3.0)
    assert again.estimate(repeated, "importance", "x").se == pytest.approx(of_counts.se)


def test_an_estimate_stays_in_its_range():
    for value, cut in ((1.2, 1), (-0.3, 0), (0.4, 0.4)):
        found = Influence(value=value, influence=INFLUENCE, n_pairs=3.0)
        assert found.estimate(FOLLOWED, "importance", "x").value == cut
    wide = Influence(value=-0.3, influence=INFLUENCE, n_pairs=3.0, range=(-1.0, 1.0))
    assert wide.estimate(FOLLOWED, "importance", "x").value == -0.3


def test_welchs_degrees_of_freedom_by_hand():
    # Two cases with 5 of the squares 7.5, and 4 others: (2/3)^2 / 1 + (1/3)^2 / 3.
    case = np.array([True, True, False, False, False, False])
    found = Influence(value=0.7, influence=INFLUENCE, n_pairs=2.0, case=case, sizes=(2.0, 4.0))
    spread = found.spread(INFLUENCE, None, "importance")
    assert spread.df == pytest.approx(1 / (4 / 9 / 1 + 1 / 9 / 3))
    alone = Influence(value=0.7, influence=INFLUENCE, n_pairs=2.0)
    assert spread.variance == alone.spread(INFLUENCE, None, "importance").variance
    assert alone.spread(INFLUENCE, None, "importance").df > spread.df


@pytest.mark.parametrize("weight_type", ["frequency", "importance"])
def test_correlations_of_weighted_cases_by_hand(weight_type):
    """Repeated cases add their squares as often, weights by their own squares."""
    parts = [Influence(value=0.7, influence=x, n_pairs=3.0) for x in (INFLUENCE, INFLUENCE[::-1])]
    about = {"quantity": "AUC", "names": ("a",), "at": np.array([1.0, 2.0])}
    none = np.zeros(2, dtype=int)
    found = timed_estimates(
        parts, None, data=WEIGHED, weight_type=weight_type, cases=none, controls=none, **about
    )
    w = WEIGHED.weight ** (1 if weight_type == "frequency" else 2)
    squares = [(w * x**2).sum() for x in (INFLUENCE, INFLUENCE[::-1])]
    r = (w * INFLUENCE * INFLUENCE[::-1]).sum() / np.prod(squares) ** 0.5
    np.testing.assert_allclose(found.correlation, [[1, r], [r, 1]], rtol=1e-12)


def test_a_difference_has_the_error_of_the_differences():
    data = survival_scores(**arguments(9, 70))
    gain = auc_over_time_difference(data, [4, 7])
    one, two = (auc_over_time(data, [4, 7], name) for name in "ab")
    np.testing.assert_allclose(gain.value, one.value - two.value, atol=1e-15)
    for each, a, b in zip(gain.estimates, one.estimates, two.estimates, strict=True):
        shared = 2 * each.correlation * a.se * b.se
        assert each.se**2 == pytest.approx(a.se**2 + b.se**2 - shared)
        assert each.range == (-1.0, 1.0)
    assert 0 < gain.correlation[0, 1] < 1
    np.testing.assert_allclose(np.diag(gain.correlation), 1)
    turned = auc_over_time_difference(data, [4, 7], "b", "a")
    np.testing.assert_allclose(turned.value, -gain.value)
    np.testing.assert_allclose(turned.se, gain.se)
    assert list(gain.to_frame()["pvalue"]) == [each.test().pvalue for each in gain.estimates]


def test_a_difference_of_known_influence_by_hand():
    away = np.array([0.5, 0, 0.5, -0.5, 0, -0.5])
    one = Influence(value=0.7, influence=INFLUENCE, n_pairs=3.0)
    two = Influence(value=0.6, influence=INFLUENCE - away, n_pairs=2.0)
    found = difference_of(one, two, FOLLOWED, "importance", "x")
    assert found.value == pytest.approx(0.1)
    assert found.se**2 == pytest.approx(1 / 30)
    assert found.n_pairs == 2
    ends = {"value": 0.7, "influence": INFLUENCE, "n_pairs": 3.0, "range": (0.5, 1.0)}
    part = difference_of(Influence(**ends), Influence(**ends), FOLLOWED, "importance", "x")
    assert part.range == (-0.5, 0.5)
    square = [(each**2).sum() for each in (INFLUENCE, INFLUENCE - away)]
    assert found.correlation == pytest.approx((sum(square) - 1) / 2 / np.sqrt(np.prod(square)))


def test_a_part_of_the_cases_adds_its_share_of_the_covariance():
    held = np.array([True, True, True, False, False, False])
    both = np.stack([INFLUENCE, INFLUENCE[::-1]])
    found, spread = class_share(both, held, 3.0, FOLLOWED, "importance")
    part = both[:, :3]
    np.testing.assert_allclose(found, part @ part.T / 36 * 3 / 2)
    away = part[0] - part[1]
    assert spread.variance == pytest.approx((away**2).sum() / 36 * 3 / 2)
    assert spread.freedom == 2
    alone, none = class_share(both, held & (np.arange(6) == 0), 1.0, FOLLOWED, "importance")
    assert np.isnan(none.variance)
    assert alone.tolist() == [[0, 0], [0, 0]]


# --- shown ------------------------------------------------------------------------------------


def test_those_censored_before_are_counted_as_unknown():
    found = auc_over_time(FOLLOWED, [2, 4])
    frame = found.to_frame()
    assert list(frame["cases"]) == [2, 3]
    assert list(frame["controls"]) == [4, 2]
    assert list(frame["unknown"]) == [0, 1]
    assert repr(found) == "OverTime(AUC of score at 2 times, 2 to 4)"
    assert repr(auc_over_time(FOLLOWED, 4)) == "OverTime(AUC of score at 4)"
