"""The profile likelihood: printed numbers, a general optimiser over softmax, large samples."""

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import ndtri

import rocspace as rs
from rocspace import datasets
from rocspace.models import fit_labroc, fit_profile_likelihood, fit_rating
from rocspace.models.cells import cells_of
from rocspace.models.profile import _Profile

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
TIED = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 4, 11, 9], [13, 6, 5, 4, 2])


def loglik(table: rs.ScoreTable, a: float, b: float, p: np.ndarray) -> float:
    """Case by case, the most positive score first."""
    total, above = 0.0, 0.0
    for k in range(len(table)):
        u = above + p[k] / 2
        z = stats.norm.ppf(u)
        g = b * stats.norm.pdf(a + b * z) / stats.norm.pdf(z)
        total += table.neg[k] * np.log(p[k]) + table.pos[k] * np.log(p[k] * g)
        above += p[k]
    return float(total)


def softmax(x: np.ndarray) -> np.ndarray:
    found = np.exp(np.append(x, 0.0))
    return np.asarray(found / found.sum())


def test_an_unsettled_fit_is_near_the_empirical_curve() -> None:
    quantile = [ndtri((np.arange(n) + 0.5) / n) for n in (10, 20)]  # the order is turned for these
    table = rs.tabulate_classes(8 * quantile[0] + 8, quantile[1])
    fit = fit_profile_likelihood(table)
    assert "unconverged" in fit.flags
    assert fit.auc == pytest.approx(rs.auc(table), abs=0.03)


def test_printed_numbers_of_fawcetts_data() -> None:
    fit = fit_profile_likelihood(TABLE)
    assert (*fit.parameters.values(), fit.auc) == pytest.approx(
        (0.623863, 0.924000, 0.676598), abs=6e-7
    )
    assert fit.loglik == pytest.approx(-58.873041, abs=6e-7)
    assert fit.n_parameters == 21  # a, b and 20 chances that add up to 1
    assert fit.flags == {}


def test_its_likelihood_by_hand() -> None:
    fit = fit_profile_likelihood(TIED)
    assert fit.cuts is not None
    p = np.diff(fit.cuts[1])
    assert fit.loglik == pytest.approx(loglik(TIED, *fit.parameters.values(), p))


def test_slow_twin() -> None:
    found = optimize.minimize(
        lambda x: -loglik(TIED, x[0], np.exp(x[1]), softmax(x[2:])), np.zeros(6), tol=1e-9
    )
    fit = fit_profile_likelihood(TIED)
    assert fit.loglik == pytest.approx(-found.fun, abs=1e-8)
    expected = [found.x[0], np.exp(found.x[1])]
    assert list(fit.parameters.values()) == pytest.approx(expected, abs=1e-4)


def test_errors_are_the_curvature_of_the_profile() -> None:
    fit = fit_profile_likelihood(TIED, covariance="observed")

    def profile(a: float, b: float) -> float:
        start = np.zeros(4)
        return float(
            -optimize.minimize(lambda x: -loglik(TIED, a, b, softmax(x)), start, tol=1e-10).fun
        )

    a, b = fit.parameters.values()
    top, step = profile(a, b), 0.03
    by_a = (profile(a + step, b) + profile(a - step, b) - 2 * top) / step**2
    by_b = (profile(a, b + step) + profile(a, b - step) - 2 * top) / step**2
    information = np.linalg.inv(fit.covariance)
    assert np.diag(information) == pytest.approx([-by_a, -by_b], rel=0.01)


def test_the_distance_from_the_exact_maximum_is_an_error() -> None:
    fit, seen = fit_profile_likelihood(TIED), fit_profile_likelihood(TIED, covariance="observed")
    exact = fit_rating(TIED)  # each score as a cell
    apart = np.array([fit.a - exact.a, fit.b * np.log(fit.b / exact.b)])
    expected = seen.covariance + np.outer(apart, apart)
    np.testing.assert_allclose(fit.covariance, expected, rtol=1e-3)
    assert fit.covariance_method == "squared error"


def test_large_samples_agree_with_runs() -> None:
    draw = np.random.default_rng(4)
    table = rs.tabulate_classes(draw.normal(1.2, 1.4, 300), draw.normal(0, 1, 400))
    fit, runs = fit_profile_likelihood(table), fit_labroc(table)
    assert list(fit.parameters.values()) == pytest.approx(list(runs.parameters.values()), rel=0.05)
    assert list(fit.se.values()) == pytest.approx(list(runs.se.values()), rel=0.05)


def test_replicates_and_edges() -> None:
    fit = fit_profile_likelihood(TIED, covariance="bootstrap", n_boot=10, rng=1)
    assert fit.covariance_method == "bootstrap"
    assert fit.se["a"] == pytest.approx(fit_profile_likelihood(TIED).se["a"], rel=0.7)
    weighted = rs.tabulate(F3.y_true, F3.y_score, sample_weight=np.arange(1, 21) / 7)
    with pytest.raises(ValueError, match="needs counts, but the table has weights"):
        fit_profile_likelihood(weighted)
    with pytest.raises(ValueError, match="fit_profile_likelihood needs at least three ratings"):
        fit_profile_likelihood(rs.ScoreTable.from_counts([0, 1], [3, 7], [6, 4]))
    apart = fit_profile_likelihood(rs.tabulate_classes([3, 4, 5], [0, 1, 2]))
    assert set(apart.flags) == {"separated", "degenerate"}
    assert apart.loglik is None


@pytest.mark.parametrize("seed", range(4))
def test_positives_far_above_all_negatives(seed: int) -> None:
    # Shares above such scores are 1e-17 and less, which shares below them cannot tell from 0.
    rng = np.random.default_rng(seed)
    score = np.concatenate([rng.exponential(9, 200), rng.exponential(1, 200)])
    label = np.repeat([1, 0], 200)
    fit = fit_profile_likelihood(rs.tabulate(label, score))
    other = fit_profile_likelihood(rs.tabulate(label, -score))
    a, b = fit.parameters.values()
    assert "unconverged" not in fit.flags
    assert list(other.parameters.values()) == pytest.approx([-a, b], rel=1e-6)
    assert other.loglik == pytest.approx(fit.loglik)
    assert np.diag(other.covariance) == pytest.approx(np.diag(fit.covariance), rel=1e-4)
    assert other.covariance[0, 1] == pytest.approx(-fit.covariance[0, 1], rel=1e-4)
    assert fit.auc == pytest.approx(fit_labroc(rs.tabulate(label, score)).auc, abs=0.005)
    assert fit.cuts is not None
    assert (np.diff(fit.cuts[1]) >= 0).all()


@pytest.mark.parametrize(
    "x", [[1, 1, 0.6, 0.4], [1, 1, 0.4, 0.4], [1, -1, 0.4, 0.6], [1, 0, 0.4, 0.6]]
)
def test_what_is_no_distribution_has_no_likelihood(x: list[float]) -> None:
    """Rates that fall or stay, and a curve that falls; rates that rise have one."""
    cells = cells_of(rs.tabulate_classes([1, 3], [2]), runs=False)
    assert _Profile(cells, np.array(x, dtype=float)).value == -np.inf
    assert np.isfinite(_Profile(cells, np.array([1, 1, 0.4, 0.6])).value)
