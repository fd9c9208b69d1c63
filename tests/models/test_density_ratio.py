"""Density ratio curves: printed numbers, the likelihood's equations, errors, edges."""

import numpy as np
import pytest
from scipy import optimize, stats

import rocspace as rs
from rocspace import datasets
from rocspace.models import fit_density_ratio
from rocspace.models.density_ratio import DensityRatioFit

F3 = datasets.load("fawcett20")
Y, SCORE = np.asarray(F3.y_true), np.asarray(F3.y_score)
FAWCETT = rs.tabulate(Y, SCORE)


def drawn(seed: int, n1: int = 60, n0: int = 80) -> rs.ScoreTable:
    rng = np.random.default_rng(seed)
    return rs.tabulate_classes(rng.normal(1, 1, n1), rng.normal(0, 1, n0))


def test_printed_numbers() -> None:
    fit = fit_density_ratio(FAWCETT)
    assert fit.parameters == pytest.approx({"alpha": -1.9508992, "beta": 4.1486580}, abs=6e-7)
    assert fit.auc == pytest.approx(0.6797819, abs=1e-7)
    assert fit.flags == {}


def test_by_hand() -> None:
    # Scores 0 and 1: saturated. 1 of 4 negatives and 2 of 3 positives have score 1, so that the
    # likelihood ratio is (2/3) / (1/4) at 1, (1/3) / (3/4) at 0, and the curve the empirical one.
    table = rs.ScoreTable.from_counts([0, 1], [1, 2], [3, 1])
    fit = fit_density_ratio(table)
    assert fit.parameters["alpha"] == pytest.approx(np.log(4 / 9))
    assert fit.parameters["alpha"] + fit.parameters["beta"] == pytest.approx(np.log(8 / 3))
    assert fit.auc == pytest.approx(rs.auc(table))
    assert fit.tpr_at(0.25) == pytest.approx(2 / 3)
    assert fit.threshold_at([0.0, 0.25, 1.0]).tolist() == [np.inf, 1.0, 0.0]


@pytest.mark.parametrize("terms", ["linear", "quadratic"])
def test_by_the_definition(terms: str) -> None:
    degree = 1 + (terms == "quadratic")
    design = np.stack([SCORE**i for i in range(degree + 1)], axis=1)

    def loss(beta: np.ndarray) -> float:
        eta = design @ beta
        return float(np.logaddexp(0, eta).sum() - Y @ eta)

    slow = optimize.minimize(loss, np.zeros(degree + 1), tol=1e-12).x
    fit = fit_density_ratio(FAWCETT, terms=terms)  # type: ignore[arg-type]
    assert list(fit.parameters.values()) == pytest.approx(slow, abs=2e-3)
    ratio = np.exp(design @ list(fit.parameters.values()))
    p = 1 / (10 * (1 + ratio))
    assert p.sum() == pytest.approx(1, abs=1e-9)
    assert p @ ratio == pytest.approx(1, abs=1e-9)
    ahead = (SCORE[:, None] > SCORE) + 0.5 * (SCORE[:, None] == SCORE)
    assert fit.auc == pytest.approx((p * ratio) @ ahead @ p, abs=1e-9)


def test_errors_by_simulation() -> None:
    fits = [fit_density_ratio(drawn(seed)) for seed in range(80)]
    for name in ("alpha", "beta"):
        spread = np.std([fit.parameters[name] for fit in fits])
        assert np.mean([fit.se[name] for fit in fits]) == pytest.approx(spread, rel=0.25)
    # The model holds: alpha -1/2, beta 1, area Phi(1 / sqrt 2).
    assert np.mean([fit.auc for fit in fits]) == pytest.approx(stats.norm.cdf(0.5**0.5), abs=0.01)
    errors = [fit.auc_estimate().se for fit in fits[:5]]
    assert np.mean(errors) == pytest.approx(np.std([fit.auc for fit in fits]), rel=0.3)


def test_error_of_the_area_is_the_jackknife() -> None:
    fit = fit_density_ratio(drawn(1, 30, 30))
    pos, neg = (np.sort(x) for x in (fit_sample(fit, "pos"), fit_sample(fit, "neg")))
    total = 0.0
    for own, other, first in ((pos, neg, True), (neg, pos, False)):
        areas = []
        for i in range(own.size):
            some = np.delete(own, i)
            pair = (some, other) if first else (other, some)
            areas.append(fit_density_ratio(rs.tabulate_classes(*pair)).auc)
        total += float((own.size - 1) * np.var(areas))
    assert fit.auc_estimate().se == pytest.approx(np.sqrt(total), rel=0.05)


def fit_sample(fit: object, side: str) -> np.ndarray:
    assert isinstance(fit, DensityRatioFit)
    return np.asarray(fit.scores_of(getattr(fit, side)[0]))


def test_separated_classes_are_penalised() -> None:
    fit = fit_density_ratio(rs.tabulate_classes([3, 4, 5], [0, 1, 2]))
    assert list(fit.flags) == ["separated"]
    assert 0 < fit.parameters["beta"] < 10
    assert 0.8 < fit.auc < 1
    assert np.isnan(fit.covariance).all()


def test_directions_weights_and_few_scores() -> None:
    fit = fit_density_ratio(FAWCETT)
    low = fit_density_ratio(rs.tabulate(Y, -SCORE, higher_is_positive=False))
    assert low.auc == pytest.approx(fit.auc)
    assert low.parameters["beta"] == pytest.approx(-fit.parameters["beta"])
    many = fit_density_ratio(rs.tabulate(Y, SCORE, sample_weight=np.full(20, 3.0)))
    np.testing.assert_allclose(many.covariance, fit.covariance)
    assert many.auc_estimate().se == pytest.approx(fit.auc_estimate().se)
    with pytest.raises(ValueError, match="needs more than 2 distinct scores"):
        fit_density_ratio(rs.tabulate_classes([1, 2], [1, 2]), terms="quadratic")
