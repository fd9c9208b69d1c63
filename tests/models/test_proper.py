"""The proper binormal curve: printed numbers, another parametrisation, its boundary."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from scipy.special import ndtri

import rocspace as rs
from rocspace.models import fit_proper, fit_rating, fit_roc
from rocspace.models.cells import CellHill, cells_of
from rocspace.models.proper import Pair, Proper, _start, proper_edges

HAN = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
# Reader, treatment: d_a, c, area, loglik.
VANDYKE = {
    (1, 1): (2.125541, -0.298008, 0.934040, -116.899995),
    (3, 1): (0, -0.7455, 0.907832, -119.886174),
    (5, 1): (0.895810, -0.507438, 0.840559, -135.415979),
    (1, 2): (2.348149, -0.321235, 0.951936, -130.111676),
    (2, 2): (0, -0.790868, 0.925993, -92.740202),
}
PAIRS = [(1.5, -0.3), (1.2, 0.4), (0.0, -0.7), (0.0, 0.5), (1.0, 0.0), (0.02, -1e-4), (1.0, 1e-5)]


def curve(d_a: float, c: float) -> Proper:
    unknown = np.full((2, 2), np.nan)
    return Proper(
        method="proper",
        parameters={"d_a": d_a, "c": c},
        covariance=unknown,
        covariance_method="unknown",
    )


def of_normals(a: float, b: float) -> Proper:
    return curve(a * np.sqrt(2 / (1 + b * b)), (b - 1) / (b + 1))


def readers(shared: Path, reader: int, treatment: int) -> rs.ScoreTable:
    with (shared / "data" / "vandyke.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    mine = [r for r in rows if (int(r["reader"]), int(r["treatment"])) == (reader, treatment)]
    return rs.tabulate([int(r["truth"]) for r in mine], [int(r["rating"]) for r in mine])


@pytest.mark.parametrize(("reader", "treatment"), VANDYKE)
def test_van_dykes_readers(shared: Path, reader: int, treatment: int) -> None:
    table = readers(shared, reader, treatment)
    fit = fit_proper(table, cells="scores")
    d_a, c, area, loglik = VANDYKE[reader, treatment]
    assert fit.loglik == pytest.approx(loglik, abs=6e-7)
    assert fit.auc == pytest.approx(area, abs=6e-7)
    assert list(fit.parameters.values()) == pytest.approx([d_a, c], abs=2e-5)
    assert set(fit.flags) == ({"boundary"} if d_a == 0 else set())
    assert np.isnan(fit.auc_estimate().se) == (d_a == 0)
    rated = fit_rating(table).loglik
    assert rated is not None
    assert (fit.loglik > rated) == ((reader, treatment) not in {(1, 1), (1, 2)})


@pytest.mark.parametrize(
    ("a", "b", "area", "improper"),
    [
        (1, 0.7, 0.7944702, 0.7936729),
        (0.8, 1.4, 0.6881883, 0.6790309),
        (0.3, 0.5, 0.7196828, 0.6057766),
    ],
)
def test_printed_areas(a: float, b: float, area: float, improper: float) -> None:
    assert of_normals(a, b).auc == pytest.approx(area, abs=6e-8)
    assert stats.norm.cdf(a / np.hypot(1, b)) == pytest.approx(improper, abs=6e-8)


def test_areas_without_a_distance() -> None:
    for c in (-0.9, -0.2, 0.4):
        rho = -(1 - c * c) / (1 + c * c)
        assert curve(0, c).auc == pytest.approx(1 + np.arcsin(rho) / np.pi)
    assert curve(0, 0).auc == 0.5
    assert curve(0, 0).slope_at(0.3) == 1


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.7), (0.8, 1.4), (0.0, 0.5), (0.3, 2.0), (1.2, 1.0)])
def test_rates_are_those_of_the_ranked_ratio(a: float, b: float) -> None:
    """By quadrature of both densities over where their ratio is high."""
    x = np.linspace(-30, 30, 400_001)
    neg, pos = stats.norm.pdf(x), b * stats.norm.pdf(b * x - a)
    order = np.argsort((x * x - (b * x - a) ** 2), kind="stable")[::-1]
    fpr, tpr = np.cumsum(neg[order]), np.cumsum(pos[order])
    at = np.array([0.01, 0.1, 0.5, 0.95])
    expected = np.interp(at, fpr / fpr[-1], tpr / tpr[-1])
    np.testing.assert_allclose(of_normals(a, b).tpr_at(at), expected, atol=2e-4)


@pytest.mark.parametrize(("d_a", "c"), PAIRS)
def test_closed_forms_agree_with_the_curve(d_a: float, c: float) -> None:
    one = curve(d_a, c)
    at = np.sin(np.linspace(0, np.pi / 2, 2001)) ** 2
    tpr = one.tpr_at(at)
    assert integrate.simpson(tpr, x=at) == pytest.approx(one.auc, abs=2e-6)
    assert one.partial_auc(fpr=(0, 0.3)) + one.partial_auc(fpr=(0.3, 1)) == pytest.approx(
        one.auc, abs=1e-10
    )
    middle = (at >= 0.1) & (at <= 0.4)
    ends = at[middle][[0, -1]]
    part = integrate.simpson(tpr[middle], x=at[middle])
    assert one.partial_auc(fpr=ends) == pytest.approx(part, abs=1e-8)
    inner = np.array([0.01, 0.2, 0.7])
    np.testing.assert_allclose(one.fpr_at(one.tpr_at(inner)), inner, atol=1e-12)
    step = 1e-6
    difference = (one.tpr_at(inner + step) - one.tpr_at(inner - step)) / (2 * step)
    np.testing.assert_allclose(one.slope_at(inner), difference, rtol=1e-5)
    assert (np.diff(one.slope_at(at)) <= 0).all()  # concave
    assert (tpr >= at).all()


@pytest.mark.parametrize(("d_a", "c"), [(1.5, -0.3), (1.2, 0.4), (0.5, 0.2)])
def test_derivatives_of_the_likelihood(d_a: float, c: float) -> None:
    cells = cells_of(HAN, runs=False)
    x = _start(cells, Pair(d_a, c))
    steps = np.eye(x.size) * 1e-6

    def hill(at: np.ndarray) -> CellHill:
        return CellHill(cells, proper_edges, 2, at)

    slopes = [(hill(x + step).value - hill(x - step).value) / 2e-6 for step in steps]
    np.testing.assert_allclose(hill(x).gradient, slopes, atol=1e-6)
    bends = -np.array([(hill(x + s).gradient - hill(x - s).gradient) / 2e-6 for s in steps])
    found = hill(x).information(expected=False)
    np.testing.assert_allclose(found.corner, bends[:2, :2], atol=1e-6)
    np.testing.assert_allclose(found.border, bends[:2, 2:], atol=1e-6)
    np.testing.assert_allclose(found.diagonal, np.diag(bends)[2:], atol=1e-6)


def slow_loglik(table: rs.ScoreTable) -> float:
    """The same likelihood by a, b and radii around the mirror, given to a general optimiser."""
    neg, pos = table.neg[::-1], table.pos[::-1]

    def minus(x: np.ndarray, sign: int) -> float:
        a, b = np.exp(x[0]), np.exp(sign * np.exp(x[1]))
        centre = -a * b / (1 - b * b)
        radii = np.cumsum(np.exp(x[2:]))
        if b > 1:
            radii = radii[::-1]
        total = 0.0
        for count, mean, sd in ((neg, 0.0, 1.0), (pos, a / b, 1 / b)):
            high, low = ((centre + end * radii - mean) / sd for end in (1, -1))
            rate = stats.norm.cdf(high) - stats.norm.cdf(low)
            below = rate if b < 1 else 1 - rate
            chance = np.diff(np.r_[0, below, 1])
            total -= count @ np.log(np.maximum(chance, 1e-300))
        return float(total)

    best = np.inf
    for sign in (-1, 1):
        start = np.r_[0.0, -1.0, 0.5, np.full(len(table) - 2, -0.7)]
        start = optimize.minimize(minus, start, (sign,), method="BFGS").x
        best = min(best, minus(start, sign))
    return -best


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("pos", "neg"), [([3, 2, 2, 11, 33], [33, 6, 6, 11, 2]), ([5, 3, 9], [8, 2, 4])]
)
def test_slow_twin(pos: list[int], neg: list[int]) -> None:
    fit = fit_proper(rs.ScoreTable.from_counts(range(len(pos)), pos, neg), cells="scores")
    slow = slow_loglik(rs.ScoreTable.from_counts(range(len(pos)), pos, neg))
    assert fit.loglik == pytest.approx(slow, abs=2e-4)
    assert fit.loglik >= slow - 1e-6


def test_the_wrong_way_round_is_the_diagonal() -> None:
    fit = fit_proper(rs.ScoreTable.from_counts(range(4), [9, 4, 3, 1], [1, 3, 4, 9]))
    assert list(fit.flags) == ["boundary"]
    assert fit.auc == 0.5
    assert fit.tpr_at([0.0, 0.3, 1.0]).tolist() == [0, 0.3, 1]


def test_all_positives_below_all_negatives_are_the_diagonal() -> None:
    fit = fit_proper(rs.tabulate_classes([1, 2, 3], [4, 5, 6, 7]))  # two runs, one cut
    assert list(fit.flags) == ["separated", "boundary"]
    assert fit.auc == 0.5
    assert fit.loglik == pytest.approx(3 * np.log(3 / 7) + 4 * np.log(4 / 7))


def test_runs_and_scores_give_one_curve() -> None:
    rng = np.random.default_rng(5)
    table = rs.tabulate_classes(rng.normal(1.5, 1, 60), rng.normal(size=60))
    runs, scores = fit_proper(table), fit_roc(table, model="proper", cells="scores")
    assert list(scores.parameters.values()) == pytest.approx(
        list(runs.parameters.values()), abs=1e-5
    )
    assert runs.auc == pytest.approx(rs.auc(table), abs=0.01)
    assert runs.auc_estimate().se == pytest.approx(rs.auc_estimate(table).se, rel=0.25)


@pytest.mark.parametrize("covariance", ["observed", "sandwich"])
def test_covariances_agree_where_the_model_holds(covariance: str) -> None:
    se = fit_proper(HAN).auc_estimate().se
    other = fit_roc(HAN, model="proper", covariance=covariance)
    assert other.auc_estimate().se == pytest.approx(se, rel=0.3)


def test_degenerate_points(shared: Path) -> None:
    fit = fit_proper(readers(shared, 4, 2), cells="scores")
    assert list(fit.flags) == ["degenerate"]
    assert (fit.auc, fit.parameters["d_a"]) == (1, np.inf)
    assert fit.loglik == pytest.approx(-78.489837, abs=6e-7)
    apart = fit_proper(rs.tabulate_classes([3, 4], [1, 2]))
    assert set(apart.flags) == {"separated", "degenerate"}
    with pytest.raises(ValueError, match="fit_proper needs at least three ratings or runs"):
        fit_proper(rs.ScoreTable.from_counts([0, 1], [3, 7], [6, 4]))


def test_thresholds_have_their_rates() -> None:
    quantile = ndtri((np.arange(200) + 0.5) / 200)
    fit = fit_proper(rs.tabulate_classes(quantile + 1, quantile))
    at = np.array([0.02, 0.2, 0.5, 0.9])
    assert fit.threshold_at(at) == pytest.approx(-ndtri(at), abs=0.06)  # of the Normal negatives
    alike = fit_proper(rs.ScoreTable.from_counts([1, 2, 3, 4], *[[10, 20, 30, 40]] * 2))
    assert alike.threshold_at([0.3, 0.4, 0.69, 0.71, 0.95]).tolist() == [np.inf, 4, 4, 3, 2]
