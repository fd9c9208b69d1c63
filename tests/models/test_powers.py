"""Box and Cox's, and Yeo and Johnson's power: printed numbers, SciPy's transformations, edges."""

import numpy as np
import pytest
from scipy import optimize, stats

import rocspace as rs
from rocspace import datasets
from rocspace.models import fit_box_cox, fit_roc, fit_yeo_johnson

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
RNG = np.random.default_rng(5)
POS, NEG = RNG.normal(1.5, 1.3, 40), RNG.normal(0, 1, 50)


def split(table: rs.ScoreTable) -> tuple[np.ndarray, np.ndarray]:
    score = table.score.astype(float)
    return np.repeat(score, table.pos.astype(int)), np.repeat(score, table.neg.astype(int))


def slow_loglik(pos: np.ndarray, neg: np.ndarray, power: float, two_sided: bool) -> float:
    """The likelihood of the scores, with SciPy's transformations."""
    total = 0.0
    for x in (pos, neg):
        y = stats.yeojohnson(x, power) if two_sided else stats.boxcox(x, power)
        total += stats.norm.logpdf(y, y.mean(), y.std()).sum()
        steps = np.sign(x) * np.log1p(np.abs(x)) if two_sided else np.log(x)
        total += (power - 1) * steps.sum()
    return total


def test_printed_numbers_of_fawcetts_data() -> None:
    fit = fit_box_cox(TABLE)
    assert (*fit.parameters.values(), fit.auc) == pytest.approx(
        (0.6614230, 0.9171110, 0.7616245, 0.6870348), abs=6e-8
    )
    constants = 10 * (np.log(2 * np.pi) + 1)  # 20 cases
    assert fit.loglik is not None
    assert fit.loglik + constants == pytest.approx(35.8392025, abs=6e-8)
    assert fit.aic == pytest.approx(2 * (5 - fit.loglik))
    assert fit.flags == {}


@pytest.mark.parametrize("two_sided", [False, True])
def test_slow_twin(two_sided: bool) -> None:
    pos, neg = (POS, NEG) if two_sided else (np.exp(POS / 2), np.exp(NEG / 2))
    fit = (fit_yeo_johnson if two_sided else fit_box_cox)(rs.tabulate_classes(pos, neg))
    found = optimize.minimize_scalar(
        lambda power: -slow_loglik(pos, neg, power, two_sided), bounds=(-3, 3), method="bounded"
    )
    power = fit.parameters["lambda"]
    assert power == pytest.approx(found.x, abs=1e-4)
    assert fit.loglik == pytest.approx(slow_loglik(pos, neg, power, two_sided), rel=1e-12)
    make = stats.yeojohnson if two_sided else stats.boxcox
    x, y = make(pos, power), make(neg, power)
    assert fit.parameters["a"] == pytest.approx((x.mean() - y.mean()) / x.std())
    assert fit.parameters["b"] == pytest.approx(y.std() / x.std())
    # The threshold of a rate is where the transformed negatives have it.
    at = np.array([0.03, 0.2, 0.9])
    np.testing.assert_allclose(
        make(fit.threshold_at(at), power), y.mean() + y.std() * stats.norm.isf(at), rtol=1e-8
    )


def test_by_hand() -> None:
    # Symmetric classes: what is gained by a power is lost by its mirror image.
    pos, neg = np.array([-3.0, -1, 1, 3]), np.array([-2.0, -1, 1, 2])
    fit = fit_yeo_johnson(rs.tabulate_classes(pos, neg))
    assert list(fit.parameters.values()) == pytest.approx([0, np.sqrt(2.5 / 5), 1], abs=1e-6)
    fit = fit_box_cox(rs.tabulate_classes(np.exp(pos / 3), np.exp(neg / 3)))
    assert list(fit.parameters.values()) == pytest.approx([0, np.sqrt(2.5 / 5), 0], abs=1e-6)
    lognormal = fit_roc(rs.tabulate_classes(np.exp(pos / 3), np.exp(neg / 3)), model="lognormal")
    assert fit.loglik == pytest.approx(lognormal.loglik)


def test_a_unit_changes_nothing_and_direction_turns() -> None:
    pos, neg = np.exp(POS), np.exp(NEG)
    fit = fit_box_cox(rs.tabulate_classes(pos, neg))
    scaled = fit_box_cox(rs.tabulate_classes(1e6 * pos, 1e6 * neg))
    assert list(scaled.parameters.values()) == pytest.approx(list(fit.parameters.values()))
    np.testing.assert_allclose(scaled.covariance, fit.covariance, rtol=1e-5)
    assert scaled.threshold_at(0.1) == pytest.approx(1e6 * fit.threshold_at(0.1))
    # 1 / x is Normal with the power -lambda.
    turned = fit_box_cox(rs.tabulate_classes(1 / pos, 1 / neg, higher_is_positive=False))
    assert turned.parameters["lambda"] == pytest.approx(-fit.parameters["lambda"], abs=1e-6)
    assert turned.auc == pytest.approx(fit.auc)
    assert turned.threshold_at(0.1) == pytest.approx(1 / fit.threshold_at(0.1))
    np.testing.assert_allclose(turned.covariance[:2, :2], fit.covariance[:2, :2], rtol=1e-4)
    mirrored = fit_yeo_johnson(rs.tabulate_classes(-POS, -NEG, higher_is_positive=False))
    straight = fit_yeo_johnson(rs.tabulate_classes(POS, NEG))
    assert mirrored.parameters["lambda"] == pytest.approx(2 - straight.parameters["lambda"])
    assert mirrored.auc == pytest.approx(straight.auc)


def test_covariance_against_the_curvature_of_the_whole_likelihood() -> None:
    pos, neg = np.exp(POS / 2), np.exp(NEG / 2)
    fit = fit_box_cox(rs.tabulate_classes(pos, neg))
    power = fit.parameters["lambda"]
    mean, sd = stats.boxcox(neg, power).mean(), stats.boxcox(neg, power).std()

    def whole(x: np.ndarray) -> float:
        """By a, b, lambda, and where the negatives lie."""
        a, b, k, m, s = x
        total = (k - 1) * (np.log(pos).sum() + np.log(neg).sum())
        total += stats.norm.logpdf(stats.boxcox(neg, k), m, s).sum()
        return float(total + stats.norm.logpdf(stats.boxcox(pos, k), m + a * s / b, s / b).sum())

    x = np.array([*fit.parameters.values(), mean, sd])
    size, step = 5, 1e-3
    hessian = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            e, f = step * np.eye(size)[i], step * np.eye(size)[j]
            ends = whole(x + e + f) - whole(x + e - f) - whole(x - e + f) + whole(x - e - f)
            hessian[i, j] = ends / (4 * step**2)
    np.testing.assert_allclose(fit.covariance, np.linalg.inv(-hessian)[:3, :3], rtol=1e-3)


def test_weights_repeat_cases_and_other_errors() -> None:
    y, score = np.r_[np.ones(40), np.zeros(50)], np.exp(np.r_[POS, NEG])
    twice = rs.tabulate(np.r_[y, y], np.r_[score, score])
    weighted = rs.tabulate(y, score, sample_weight=np.full(90, 2.0))
    one, two = fit_box_cox(weighted), fit_box_cox(twice)
    assert list(one.parameters.values()) == pytest.approx(list(two.parameters.values()))
    assert one.covariance_method == "sandwich"
    assert one.loglik is None
    plain = fit_box_cox(rs.tabulate(y, score), covariance="sandwich")
    np.testing.assert_allclose(one.covariance, plain.covariance, rtol=1e-6)
    drawn = fit_box_cox(rs.tabulate(y, score), covariance="bootstrap", n_boot=8)
    assert drawn.covariance_method == "bootstrap"
    assert drawn.se["a"] == pytest.approx(plain.se["a"], rel=0.8)


def test_edges() -> None:
    with pytest.raises(ValueError, match=r"positive scores, but the smallest is 0 .*shift"):
        fit_box_cox(rs.tabulate_classes([1, 2, 3], [0, 1, 2]))
    assert fit_box_cox(rs.tabulate_classes([1, 2, 3.5], [0, 1, 2.2]), shift=1.0).auc > 0.5
    with pytest.raises(ValueError, match="shift is nan, but it must be a finite number"):
        fit_box_cox(TABLE, shift=float("nan"))
    with pytest.raises(ValueError, match="some are infinite"):
        fit_yeo_johnson(rs.tabulate_classes([1, np.inf], [0, 1]))
    with pytest.raises(ValueError, match="powers overflow"):
        fit_yeo_johnson(rs.tabulate_classes([1e300, 2], [-1e300, 1]))
    flat = fit_box_cox(rs.tabulate_classes([2, 2], [1, 3, 4]))
    assert set(flat.flags) == {"degenerate"}
    steep = fit_box_cox(rs.tabulate_classes([0.9, 0.99, 1, 1.005], [0.88, 0.98, 0.99, 1]))
    assert steep.flags["boundary"].startswith("The likelihood is largest at lambda = 5,")
    assert steep.covariance[2].tolist() == [0, 0, 0]
