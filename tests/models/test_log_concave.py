"""Log-concave curves: by hand, by constrained optimisation, by what characterises the maximum."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import rocspace as rs
from rocspace import datasets, inference
from rocspace.models import check_curve, fit_log_concave
from rocspace.models.log_concave import LogConcave, LogConcaveFit
from rocspace.results import Fit
from slow.data import normal_table

F3 = datasets.load("fawcett20")
FAWCETT = rs.tabulate(F3.y_true, F3.y_score)
AT = np.array([0.02, 0.3, 0.5, 0.9])


def densities(fit: Fit) -> tuple[LogConcave, LogConcave]:
    assert isinstance(fit, LogConcaveFit)
    return fit._densities


def test_by_hand() -> None:
    # Two scores that are equally frequent: the uniform density between them.
    fit = fit_log_concave(rs.tabulate_classes([0, 2], [-1, 1]))
    assert fit.parameters == {"knots1": 2, "knots0": 2}
    assert fit.threshold_at(0.25) == pytest.approx(0.5)
    assert fit.tpr_at(0.25) == pytest.approx(0.75)
    assert fit.tpr_at(0) == pytest.approx(0.5)  # half of the positives are above all negatives
    assert fit.fpr_at(1) == pytest.approx(0.5)  # half of the negatives are below all positives
    assert fit.auc == pytest.approx(1 - 0.5**3)
    assert fit.slope_at(0.25) == pytest.approx(1)
    # Otherwise exponential, with the mean of the scores: (1 - exp(-r u)) / (1 - exp(-r)).
    uneven = fit_log_concave(rs.ScoreTable.from_counts([0, 1], [1, 1], [3, 1]))
    rate = optimize.brentq(lambda r: 1 / r - 1 / np.expm1(r) - 0.25, 0.1, 50)
    known = stats.truncexpon(b=rate, scale=1 / rate)
    np.testing.assert_allclose(uneven.threshold_at(AT), known.isf(AT), rtol=1e-9)


def test_by_constrained_optimisation() -> None:
    rng = np.random.default_rng(2)
    x, share = np.sort(rng.gumbel(size=11)), rng.dirichlet(np.full(11, 3.0))
    weights = np.concatenate([share, [0.5, 0.5]])
    y = np.repeat([0, 1], [11, 2])
    table = rs.tabulate(y, np.concatenate([x, [9, 10]]), sample_weight=weights)
    found = densities(fit_log_concave(table))[1].log_density(np.ldexp(x, -4)) - np.log(16)

    def loss(logs: np.ndarray) -> float:  # with the density between scores by quadrature
        u, w = np.polynomial.legendre.leggauss(12)
        inside = logs[:-1, np.newaxis] + np.diff(logs)[:, np.newaxis] * (u + 1) / 2
        return float(np.diff(x) @ (np.exp(inside) @ w / 2) - share @ logs)

    concave: Any = {"type": "ineq", "fun": lambda logs: -np.diff(np.diff(logs) / np.diff(x))}
    best = optimize.minimize(
        loss, np.full(11, -1.5), method="SLSQP", constraints=[concave], tol=1e-15
    )
    assert loss(found) == pytest.approx(best.fun, abs=1e-9)
    np.testing.assert_allclose(found, best.x, atol=1e-4)


def test_what_characterises_the_maximum() -> None:
    table = normal_table(150)
    for side, many in zip(densities(fit_log_concave(table)), (table.pos, table.neg), strict=True):
        x = np.ldexp(table.score[many > 0][::-1], -2)
        assert side.knots[0] == x[0]
        place = (side.knots[:, np.newaxis] >= x).sum(axis=1) / x.size
        fitted = 1 - side.above(side.knots)
        assert (fitted <= place + 1e-9).all()  # at knots F - 1/n <= fitted <= F
        assert (fitted >= place - 1 / x.size - 1e-9).all()
        t = np.linspace(x[0], x[-1], 20_001)
        assert x[0] + np.trapezoid(side.above(t), t) == pytest.approx(x.mean(), abs=1e-8)
        slope = np.diff(side.log_density(side.knots)) / np.diff(side.knots)
        assert (np.diff(slope) < 0).all()


@pytest.mark.parametrize("smooth", [False, True])
def test_curve_and_area(smooth: bool) -> None:
    fit = fit_log_concave(normal_table(25), smooth=smooth)
    angle = np.linspace(0, np.pi / 2, 501)
    area = np.trapezoid(fit.tpr_at(np.sin(angle) ** 2) * np.sin(2 * angle), angle)
    assert fit.auc == pytest.approx(area, abs=1e-5)
    assert check_curve(fit, grid=101).problems == ()
    np.testing.assert_allclose(fit.fpr_at(fit.tpr_at(AT)), AT, atol=1e-9)
    assert fit.auc == pytest.approx(rs.auc(normal_table(25)), abs=0.05)


def test_smoothed_densities_have_the_variance_of_the_scores() -> None:
    rng = np.random.default_rng(3)
    x = rng.exponential(size=50)
    fit = fit_log_concave(rs.tabulate_classes(x, [0, 1]), smooth=True)
    assert isinstance(fit, LogConcaveFit)
    side = fit._sides[0]
    t = np.linspace(-3, 8, 4001)
    t /= 2**fit.unit
    density = side.density(t)
    mean = np.trapezoid(t * density, t)
    variance = np.trapezoid((t - mean) ** 2 * density, t)
    assert np.ldexp(mean, fit.unit) == pytest.approx(x.mean(), rel=1e-6)
    assert np.ldexp(variance, 2 * fit.unit) == pytest.approx(x.var(ddof=1), rel=1e-6)
    # By definition: the mean of the tails of the Normal noise over the other density.
    known = fit._densities[0]
    u = np.linspace(known.knots[0], known.knots[-1], 20_001)
    value = np.trapezoid(known.density(u) * stats.norm.sf((0.05 - u) / side.h), u)
    assert side.above(np.array([0.05]))[0] == pytest.approx(value, abs=1e-7)


def test_error_of_the_area() -> None:
    table = normal_table(40)
    fit = fit_log_concave(table)
    assert fit.covariance_method == "influence of each case"
    assert fit.auc_estimate().se == pytest.approx(inference.delong(table).se, rel=0.1)


def test_it_is_equivariant() -> None:
    fit, moved = (
        fit_log_concave(FAWCETT),
        fit_log_concave(
            rs.tabulate(F3.y_true, 1e6 - 3e-4 * np.asarray(F3.y_score), higher_is_positive=False)
        ),
    )
    assert moved.parameters == fit.parameters
    assert moved.auc == pytest.approx(fit.auc, abs=1e-4)  # scores there have few digits left
    with pytest.raises(ValueError, match="fit_log_concave does arithmetic on scores"):
        fit_log_concave(rs.tabulate_classes([1, np.inf], [0, 1]))


def test_heavy_tails_and_many_ties() -> None:
    rng = np.random.default_rng(4)
    heavy = fit_log_concave(rs.tabulate_classes(rng.standard_cauchy(300), rng.standard_t(1, 300)))
    assert not heavy.flags
    tied = fit_log_concave(rs.ScoreTable.from_counts([0, 1, 2, 3], [5, 9, 900, 1], [2, 700, 3, 1]))
    assert check_curve(tied, grid=51).problems == ()


def test_ten_thousand_scores() -> None:
    table = normal_table(5000)
    fit = fit_log_concave(table)
    assert fit.auc == pytest.approx(rs.auc(table), abs=2e-3)
    assert max(fit.parameters.values()) < 40
