"""The likelihood of ranks: printed numbers, all orders by hand, a double integral, runs."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import ndtri

import rocspace as rs
from rocspace import datasets
from rocspace._base.arrays import Vector
from rocspace.models import fit_labroc, fit_rank_likelihood, ranks
from rocspace.models.ranks import _Metric, _on_grid, _Ranks
from slow.models import probability_of_order

F3 = datasets.load("fawcett20")
TABLE = rs.tabulate(F3.y_true, F3.y_score)
TIED = rs.ScoreTable.from_counts([1, 2, 3, 4], [1, 2, 1, 4], [4, 3, 1, 1])


def loglik(table: rs.ScoreTable, a: float, b: float) -> float:
    x = np.array([a, np.log(b)])
    return float(_on_grid(table, x, _Metric(np.eye(2)))(x).value)


def ranked(order: str) -> rs.ScoreTable:
    """The table of classes by ascending score, "1" a positive."""
    label = [int(each) for each in order]
    return rs.tabulate(label, range(len(label)))


def test_printed_numbers_of_fawcetts_data() -> None:
    fit = fit_rank_likelihood(TABLE)
    assert (*fit.parameters.values(), fit.auc) == pytest.approx(
        (0.596516, 0.805122, 0.678905), abs=6e-7
    )
    assert fit.loglik == pytest.approx(-41.180986, abs=6e-7)
    assert fit.n_parameters == 2
    assert fit.aic == pytest.approx(2 * (2 + 41.180986), abs=2e-6)


@pytest.mark.parametrize(("a", "b"), [(0.6, 0.8), (1.5, 2.0), (-0.4, 0.5)])
def test_by_hand(a: float, b: float) -> None:
    area = stats.norm.cdf(a / np.hypot(1, b))
    assert loglik(ranked("01"), a, b) == pytest.approx(np.log(area), abs=1e-9)
    # Every order of 3 positives and 2 negatives: together certain, but for exchanges in a class.
    total = sum(
        math.exp(loglik(ranked("".join(each)), a, b))
        for each in sorted(set(itertools.permutations("11100")))
    )
    assert total == pytest.approx(1 / 12, rel=1e-8)
    # All tied: no order is seen.
    assert loglik(rs.tabulate_classes([1] * 3, [1] * 2), a, b) == pytest.approx(np.log(1 / 12))


def test_slow_twin() -> None:
    """A positive between two negatives, and tied with one of them, by quadrature."""
    a, b = 0.7, 0.6
    pos = stats.norm(a / b, 1 / b)
    between, _ = integrate.quad(
        lambda x: pos.pdf(x) * stats.norm.cdf(x) * stats.norm.sf(x), -9, 14, epsabs=1e-13
    )
    assert loglik(ranked("010"), a, b) == pytest.approx(np.log(between), abs=1e-9)
    above, _ = integrate.quad(lambda x: pos.pdf(x) * stats.norm.cdf(x) ** 2 / 2, -9, 14)
    tied = rs.ScoreTable.from_counts([1, 2], [0, 1], [1, 1])
    assert loglik(tied, a, b) == pytest.approx(np.log(between + above), abs=1e-8)


@pytest.mark.parametrize(
    "groups", [[(0, 1), (1, 2), (2, 0)], [(2, 1), (0, 1), (2, 2)], [(1, 1), (1, 1), (1, 1)]]
)
@pytest.mark.parametrize(("a", "b"), [(0.8, 0.7), (-0.3, 1.4)])
def test_tied_groups_by_all_their_orders(groups: list[tuple[int, int]], a: float, b: float) -> None:
    pos, neg = np.transpose(groups)
    table = rs.ScoreTable.from_counts(range(len(groups)), pos, neg)
    slow = np.log(probability_of_order(groups, a, b))
    assert loglik(table, a, b) == pytest.approx(slow, abs=1e-5)
    # Its slopes by a and ln b.
    x, step = np.array([a, np.log(b)]), 1e-5
    found = _on_grid(table, x, _Metric(np.eye(2)))(x).gradient
    ends = [loglik(table, a + d, b) for d in (step, -step)]
    assert found[0] == pytest.approx((ends[0] - ends[1]) / 2 / step, abs=1e-6)
    ends = [loglik(table, a, b * np.exp(d)) for d in (step, -step)]
    assert found[1] == pytest.approx((ends[0] - ends[1]) / 2 / step, abs=1e-6)


def test_the_maximum_and_its_errors() -> None:
    fit = fit_rank_likelihood(TIED)
    a, b = fit.parameters.values()
    step, size = 2e-3, np.eye(2)
    top, hessian = loglik(TIED, a, b), np.empty((2, 2))
    assert fit.loglik == pytest.approx(top, abs=1e-7)
    for i in range(2):
        for j in range(2):
            e, f = step * size[i], step * size[j]
            ends = [loglik(TIED, *(np.array([a, b]) + d)) for d in (e + f, e - f, f - e, -e - f)]
            hessian[i, j] = (ends[0] - ends[1] - ends[2] + ends[3]) / (4 * step**2)
    np.testing.assert_allclose(fit.covariance, np.linalg.inv(-hessian), rtol=2e-2)
    for change in ([0.1, 0], [-0.1, 0], [0, 0.1], [0, -0.1]):
        assert loglik(TIED, a + change[0], b + change[1]) < top


def test_runs_are_near() -> None:
    fit, runs = fit_rank_likelihood(TABLE), fit_labroc(TABLE)
    assert list(fit.parameters.values()) == pytest.approx(list(runs.parameters.values()), abs=0.05)
    assert list(fit.se.values()) == pytest.approx(list(runs.se.values()), rel=0.1)


def test_a_ridge_and_a_heavy_tie_at_the_bottom_take_few_integrals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The likelihood is nearly flat along a line that the fit to runs does not know."""
    tried, integrals = [], []

    class Counted(_Ranks):
        def __init__(self, table: rs.ScoreTable, grid: Vector, metric: _Metric, x: Vector) -> None:
            tried.append(x)
            super().__init__(table, grid, metric, x)

        def _integral(self, rate: Vector) -> Vector:
            integrals.append(rate.size)
            return super()._integral(rate)

    monkeypatch.setattr(ranks, "_Ranks", Counted)
    pos, neg = [0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 16], [1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 21]
    fit = fit_rank_likelihood(rs.ScoreTable.from_counts(range(12, 0, -1), pos, neg))
    assert fit.flags.keys() == {"improper"}
    assert len(tried) < 30  # with the covariance of the fit to runs in each step, 300
    assert len(integrals) == 11 * len(tried)  # none for the 37 cases that are lowest
    assert list(fit.parameters.values()) == pytest.approx([5.390852, 8.038554], abs=2e-5)


def test_classes_far_apart_and_of_one_shape_have_one_spread() -> None:
    # Turned around, the ranks are those of the other class: b and 1 / b are equally likely.
    quantile = ndtri((np.arange(60) + 0.5) / 60)
    fit = fit_rank_likelihood(rs.tabulate_classes(quantile + 4, quantile))
    assert fit.parameters["b"] == pytest.approx(1, abs=1e-4)
    assert fit.parameters["a"] == pytest.approx(4.0537, abs=2e-4)


def test_replicates_and_edges() -> None:
    fit = fit_rank_likelihood(TIED, covariance="bootstrap", n_boot=3, rng=1)
    assert fit.covariance_method == "bootstrap"
    weighted = rs.tabulate(F3.y_true, F3.y_score, sample_weight=np.arange(1, 21) / 7)
    with pytest.raises(ValueError, match="needs counts, but the table has weights"):
        fit_rank_likelihood(weighted)
    many = rs.tabulate(np.arange(600) % 7 % 2, np.arange(600) % 90)
    with pytest.raises(ValueError, match="takes up to 500 cases, but here are 600"):
        fit_rank_likelihood(many)
    with pytest.raises(ValueError, match="fit_rank_likelihood needs at least three ratings"):
        fit_rank_likelihood(rs.ScoreTable.from_counts([0, 1], [3, 7], [6, 4]))
    apart = fit_rank_likelihood(ranked("000111"))
    assert set(apart.flags) == {"separated", "degenerate"}
    assert apart.loglik is None
