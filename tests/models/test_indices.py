"""Indices of signal detection: closed forms, printed numbers, points by hand."""

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace import simulate
from rocspace.counts import ConfusionMatrix
from rocspace.models import fit_rating, fit_roc, point_indices, signal_indices

HAN = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])


def test_hanley_and_mcneil() -> None:
    found = signal_indices(fit_rating(HAN))
    assert found.a_z == pytest.approx(0.911331, abs=5e-7)
    assert found.delta_m == pytest.approx(2.323671, abs=1e-6)
    assert found.d_e == pytest.approx(1.934361, abs=1e-6)
    assert found.d_a == pytest.approx(1.907771, abs=1e-6)
    assert found.a_z_se == pytest.approx(0.0296, abs=5e-5)


def test_delta_method_by_hand() -> None:
    fit = fit_rating(HAN)
    (a, b), v = fit.parameters.values(), fit.covariance
    found = signal_indices(fit)
    for name, gradient in (
        ("d_a", np.array([1, -a * b / (1 + b * b)]) * np.sqrt(2 / (1 + b * b))),
        ("d_e", np.array([2 / (1 + b), -2 * a / (1 + b) ** 2])),
        ("delta_m", np.array([1 / b, -a / b**2])),
    ):
        exact = np.sqrt(gradient @ v @ gradient)
        assert getattr(found, f"{name}_se") == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("d", [-1.0, 0.0, 0.5, 3.0])
def test_equal_spread_makes_all_alike(d: float) -> None:
    found = signal_indices(simulate.binormal(float(stats.norm.cdf(d / np.sqrt(2)))))
    assert (found.d_a, found.d_e, found.delta_m) == pytest.approx((d, d, d), abs=1e-9)
    assert np.isnan(found.d_a_se)


def test_other_curves() -> None:
    # fpr^(1/2): half of the positives at fpr 1/4; tpr = 1 - fpr at x + sqrt(x) = 1.
    found = signal_indices(simulate.exponential(2 / 3))
    golden = ((np.sqrt(5) - 1) / 2) ** 2
    assert found.delta_m == pytest.approx(-stats.norm.ppf(0.25))
    assert found.d_e == pytest.approx(-2 * stats.norm.ppf(golden))
    assert found.d_a == pytest.approx(np.sqrt(2) * stats.norm.ppf(2 / 3))
    empirical = signal_indices(rs.roc_curve(HAN))
    assert empirical.a_z == pytest.approx(0.8931711, abs=5e-8)


def test_no_overlap() -> None:
    for pos, neg, sign in (([3, 4], [1, 2], 1), ([1, 2], [3, 4], -1)):
        table = rs.tabulate_classes(pos, neg)
        found = signal_indices(rs.roc_curve(table))
        assert (found.d_a, found.d_e, found.delta_m) == (sign * np.inf,) * 3
        assert np.isnan(signal_indices(fit_roc(table, model="labroc")).d_e_se)


def test_points_by_hand() -> None:
    found = point_indices(ConfusionMatrix(tp=45, fp=10, fn=5, tn=40))
    hit, alarm = stats.norm.ppf(0.9), stats.norm.ppf(0.2)
    assert found.d_prime == pytest.approx(hit - alarm)
    assert found.criterion == pytest.approx(-(hit + alarm) / 2)
    # The ratio of the densities at the threshold.
    assert found.bias == pytest.approx(stats.norm.pdf(hit) / stats.norm.pdf(alarm))
    assert not found.corrected


def test_rates_of_one_are_corrected() -> None:
    found = point_indices(ConfusionMatrix(tp=50, fp=10, fn=0, tn=40))
    assert found.corrected
    assert found.d_prime == pytest.approx(stats.norm.ppf(50.5 / 51) - stats.norm.ppf(10.5 / 51))
    with pytest.raises(ValueError, match="here are 0 positives and 3 negatives"):
        point_indices(ConfusionMatrix(tp=0, fp=1, fn=0, tn=2))
