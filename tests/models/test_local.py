"""Local curves: by hand, SciPy's quantiles, the area by its definition, errors, edges."""

import numpy as np
import pytest
from scipy.special import betainc, ndtr
from scipy.stats import mstats

import rocspace as rs
from rocspace import datasets, inference
from rocspace.models import check_curve, fit_local
from slow.data import normal_table

F3 = datasets.load("fawcett20")
FAWCETT = rs.tabulate(F3.y_true, F3.y_score)
POS = np.asarray(F3.y_score)[np.asarray(F3.y_true) == 1]
NEG = np.asarray(F3.y_score)[np.asarray(F3.y_true) == 0]
AT = np.array([0.02, 0.3, 0.5, 0.9])


def test_by_hand() -> None:
    fit = fit_local(rs.tabulate_classes([4.0, 6.0], [1.0, 3.0]), bandwidth=2)
    assert fit.parameters == {"h1": 2}
    # Half of the negatives are above the middle; of the positives Phi(1) and Phi(2).
    assert fit.threshold_at(0.5) == pytest.approx(2)
    assert fit.tpr_at(0.5) == pytest.approx((ndtr(1) + ndtr(2)) / 2)
    assert fit.threshold_at(0.2) == pytest.approx(3 - 2 * betainc(2.4, 0.6, 0.5))
    assert fit.tpr_at(0) == pytest.approx((ndtr(0.5) + ndtr(1.5)) / 2)


def test_quantiles_of_scipy() -> None:
    fit = fit_local(FAWCETT)
    np.testing.assert_allclose(fit.threshold_at(AT), mstats.hdquantiles(NEG, 1 - AT), rtol=1e-12)
    cut = fit.threshold_at(AT)[:, np.newaxis]
    exact = ndtr((POS - cut) / fit.parameters["h1"]).mean(axis=1)
    np.testing.assert_allclose(fit.tpr_at(AT), exact, rtol=1e-12)


def test_curve_and_area() -> None:
    fit = fit_local(FAWCETT)
    angle = np.linspace(0, np.pi / 2, 2001)
    area = np.trapezoid(fit.tpr_at(np.sin(angle) ** 2) * np.sin(2 * angle), angle)
    assert fit.auc == pytest.approx(area, abs=1e-6)
    np.testing.assert_allclose(fit.fpr_at(fit.tpr_at(AT)), AT, atol=1e-12)
    assert check_curve(fit, grid=51).problems == ()


def test_many_scores_are_merged() -> None:
    rng = np.random.default_rng(2)
    y = rng.normal(size=3000)
    fit = fit_local(rs.tabulate_classes(rng.normal(1, 1, 40), y))
    exact = mstats.hdquantiles(y, 1 - AT)
    np.testing.assert_allclose(fit.threshold_at(AT), exact, atol=1e-4)
    assert fit.fpr_at(fit.tpr_at(0.3)) == pytest.approx(0.3, abs=1e-9)


def test_error_of_the_area() -> None:
    table = normal_table(12)
    found = fit_local(table).auc_estimate()
    assert found.se == pytest.approx(inference.delong(table).se, rel=0.25)
    assert "influence of each case" in found.method
    assert fit_local(table).covariance_method == "influence of each case"


def test_weights_that_are_counts_repeat_cases() -> None:
    once = fit_local(rs.ScoreTable.from_counts(FAWCETT.score, FAWCETT.pos, 3 * FAWCETT.neg))
    y, x = np.repeat(F3.y_true, 3), np.repeat(F3.y_score, 3)
    many = fit_local(rs.tabulate(y, x), bandwidth=once.parameters["h1"])
    assert many.auc == pytest.approx(once.auc, rel=1e-9)


def test_scores_that_do_not_vary() -> None:
    flat = fit_local(rs.tabulate_classes([2, 2], [1, 2, 3]))
    assert list(flat.flags) == ["degenerate"]
    assert flat.auc == pytest.approx(0.5)
    with pytest.raises(ValueError, match="fit_local does arithmetic on scores"):
        fit_local(rs.tabulate_classes([1, np.inf], [0, 1]))
    with pytest.raises(ValueError, match="bandwidth is 0"):
        fit_local(FAWCETT, bandwidth=0)


def test_all_are_above_the_lowest_score_and_none_above_the_highest() -> None:
    fit = fit_local(rs.tabulate_classes([4.0, 5, 6], [1.0, 2, 3]), bandwidth=2)
    assert fit.at_score(1.0)[0] == fit.at_score(0.5)[0] == 1
    assert fit.at_score(3.0)[0] == fit.at_score(3.5)[0] == 0
    near = [fit.at_score(at)[0] for at in (1.0, 1.001, 1.5, 2.999, 3.0)]
    assert (np.diff(near) < 0).all()
    assert near[1] > 0.99
    assert near[3] < 0.01
