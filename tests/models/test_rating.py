"""Ratings and runs: printed numbers, another optimiser, other programs, degenerate data."""

import csv
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

import rocspace as rs
from rocspace import datasets
from rocspace.models import fit_labroc, fit_rating

HAN = rs.ScoreTable.from_counts([1, 2, 3, 4, 5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2])
F3 = datasets.load("fawcett20")
FAWCETT = rs.tabulate(F3.y_true, F3.y_score)
# Reader, treatment: a, b, area, loglik, as published.
VANDYKE = {
    (1, 1): (1.702157, 0.536777, 0.933161, -116.896220),
    (2, 1): (1.403311, 0.560719, 0.889528, -85.971981),
    (3, 1): (1.740853, 0.634622, 0.929199, -119.949468),
    (1, 2): (1.850151, 0.502993, 0.950818, -130.094185),
    (3, 2): (1.621985, 0.487850, 0.927547, -127.960705),
}


def columns(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_hanley_and_mcneil() -> None:
    fit = fit_rating(HAN)
    assert list(fit.parameters.values()) == pytest.approx([1.656782, 0.713002], abs=5e-7)
    assert fit.auc == pytest.approx(0.911331, abs=5e-7)
    assert fit.loglik == pytest.approx(-123.648553, abs=5e-7)
    assert fit.auc_estimate().se == pytest.approx(0.0296, abs=5e-5)
    assert list(fit.se.values()) == pytest.approx([0.3121, 0.2162], abs=5e-5)
    assert fit.n_parameters == 6
    assert fit.flags == {}
    observed = fit_rating(HAN, covariance="observed")
    assert observed.auc_estimate().se == pytest.approx(0.029506, abs=5e-7)  # Stata's rocfit
    assert observed.covariance_method == "observed information"


def test_goodness_of_fit_by_hand() -> None:
    fit = fit_rating(HAN)
    a, b = fit.parameters.values()
    assert fit.cuts is not None
    z = stats.norm.isf(fit.cuts[1][1:-1])[::-1]
    total = 0.0
    for seen, cuts in (([33, 6, 6, 11, 2], z), ([3, 2, 2, 11, 33], b * z - a)):
        expected = sum(seen) * np.diff(np.r_[0, stats.norm.cdf(cuts), 1])
        total += float(((seen - expected) ** 2 / expected).sum())
    assert fit.goodness is not None
    assert fit.goodness.statistic == pytest.approx(total)
    assert fit.goodness.df == 2
    assert fit.goodness.pvalue == pytest.approx(stats.chi2.sf(total, 2))
    saturated = fit_rating(rs.ScoreTable.from_counts([1, 2, 3], [3, 2, 9], [9, 3, 1]))
    assert saturated.goodness is None
    # Three ratings, two points: the curve goes through both.
    np.testing.assert_allclose(saturated.tpr_at([1 / 13, 4 / 13]), [9 / 14, 11 / 14], rtol=1e-6)


@pytest.mark.parametrize(("reader", "treatment"), VANDYKE)
def test_van_dykes_readers(shared: Path, reader: int, treatment: int) -> None:
    fit = fit_rating(readers(shared, reader, treatment))
    a, b, area, loglik = VANDYKE[reader, treatment]
    assert (*fit.parameters.values(), fit.auc) == pytest.approx((a, b, area), abs=6e-7)
    assert fit.loglik == pytest.approx(loglik, abs=6e-7)


def readers(shared: Path, reader: int, treatment: int) -> rs.ScoreTable:
    rows = columns(shared / "data" / "vandyke.csv")
    mine = [r for r in rows if (int(r["reader"]), int(r["treatment"])) == (reader, treatment)]
    return rs.tabulate([int(r["truth"]) for r in mine], [int(r["rating"]) for r in mine])


def test_van_dykes_degenerate_reader(shared: Path) -> None:
    fit = fit_rating(readers(shared, 4, 2))
    assert {"degenerate"} <= set(fit.flags)
    assert fit.auc == 1
    assert fit.loglik == pytest.approx(-78.489837, abs=6e-7)
    assert tuple(fit.auc_estimate().interval()) == (0, 1)


def test_runs_and_scores_of_fawcetts_data() -> None:
    runs, scores = fit_labroc(FAWCETT), fit_labroc(FAWCETT, cells="scores")
    assert (*runs.parameters.values(), runs.auc) == pytest.approx(
        (0.633518, 0.789426, 0.690493), abs=6e-7
    )
    assert runs.loglik == pytest.approx(-49.228971, abs=6e-7)
    assert scores.loglik == pytest.approx(-58.593234, abs=6e-7)
    assert runs.cuts is not None
    assert len(runs.cuts[0]) == 15  # 14 runs
    np.testing.assert_allclose(
        list(runs.parameters.values()), list(scores.parameters.values()), rtol=1e-6
    )
    assert runs.goodness is None


def test_ordinal_and_pROC(shared: Path) -> None:
    rows = columns(shared / "data" / "asah.csv")
    table = rs.tabulate([int(r["outcome"]) for r in rows], [float(r["s100b"]) for r in rows])
    path = shared / "oracle" / "smooth__asah__s100b.json"
    exact = json.loads(path.read_text(encoding="utf-8"))["binormal_mle_clm"]
    fit = fit_labroc(table, cells="scores", covariance="observed")
    assert (*fit.parameters.values(), fit.auc) == pytest.approx(
        (exact["a"], exact["b"], exact["auc"]), rel=1e-6
    )
    assert fit.loglik == pytest.approx(exact["logLik"], abs=1e-6)
    assert fit.auc_estimate().se == pytest.approx(exact["se_auc"], rel=1e-4)
    assert fit_labroc(table).loglik == pytest.approx(-338.209434, abs=6e-7)


def slow_fit(table: rs.ScoreTable) -> tuple[float, float, float]:
    """The same likelihood with logarithms of gaps for cuts, given to a general optimiser."""
    neg, pos = table.neg[::-1], table.pos[::-1]

    def minus(x: np.ndarray) -> float:
        cuts = x[2] + np.r_[0, np.cumsum(np.exp(x[3:]))]
        total = 0.0
        for count, at in ((neg, cuts), (pos, np.exp(x[1]) * cuts - x[0])):
            chance = np.diff(np.r_[0, stats.norm.cdf(at), 1])
            total -= count @ np.log(np.maximum(chance, 1e-300))
        return float(total)

    start = np.r_[1.0, 0.0, -0.5, np.full(len(table) - 2, -0.7)]
    for _ in range(3):
        start = optimize.minimize(minus, start, method="BFGS").x
        start = optimize.minimize(minus, start, method="Nelder-Mead", tol=1e-11).x
    return start[0], float(np.exp(start[1])), -minus(start)


@pytest.mark.parametrize(
    "counts",
    [
        ([3, 2, 2, 11, 33], [33, 6, 6, 11, 2]),
        ([5, 0, 4, 9], [4, 6, 3, 2]),
        ([1, 1, 8], [7, 2, 3]),
        ([9, 4, 3], [2, 5, 4]),  # the wrong way round
    ],
)
def test_slow_twin(counts: tuple[list[int], list[int]]) -> None:
    table = rs.ScoreTable.from_counts(range(len(counts[0])), *counts)
    fit, (a, b, loglik) = fit_rating(table), slow_fit(table)
    assert fit.loglik == pytest.approx(loglik, abs=1e-6)
    assert list(fit.parameters.values()) == pytest.approx([a, b], abs=2e-3)


counts = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=7)


@given(rows=counts)
@settings(max_examples=40)
def test_any_ratings_give_a_fit_that_is_stationary_or_flagged(rows: list[tuple[int, int]]) -> None:
    pos, neg = np.transpose(rows)
    table = rs.ScoreTable.from_counts(np.arange(len(rows)), pos, neg)
    if not (table.n_pos and table.n_neg) or len(table) < 3:
        return
    fit = fit_rating(table)
    if "degenerate" in fit.flags:
        assert np.isnan(fit.covariance).all()
        return
    assert "unconverged" not in fit.flags
    a, b = fit.parameters.values()
    assert 1e-6 < b < 1e6
    # Exchanging the classes and the order gives the reversed curve.
    turned = fit_rating(rs.ScoreTable.from_counts(-np.arange(len(rows)), neg, pos))
    assert turned.auc == pytest.approx(fit.auc, abs=1e-5)
    assert turned.loglik == pytest.approx(fit.loglik, abs=1e-7)
    assert turned.parameters["b"] == pytest.approx(1 / b, rel=1e-3)
    assert turned.parameters["a"] == pytest.approx(a / b, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize(
    ("pos", "neg", "area", "flags"),
    [
        ([0, 0, 5, 5], [4, 4, 0, 0], 1.0, {"separated", "degenerate"}),
        ([4, 4, 0, 0], [0, 0, 5, 5], 0.0, {"separated", "degenerate"}),
        ([0, 5, 5], [5, 5, 0], 1.0, {"degenerate"}),  # (0, .5), (.5, 1): tpr 1 between
        ([4, 0, 6], [3, 7, 0], 0.6, {"degenerate"}),  # (0, .6), (.7, .6)
        ([0, 7, 3], [6, 0, 4], 0.6, {"degenerate"}),  # (.4, .3), (.4, 1): fpr .4 between
        (
            [2, 3, 5],
            [0, 4, 0],
            0.65,
            {"degenerate"},
        ),  # (0, .5), (1, .8): the middle of what is left
    ],
)
def test_degenerate_ratings(pos: list[int], neg: list[int], area: float, flags: set[str]) -> None:
    fit = fit_rating(rs.ScoreTable.from_counts(range(len(pos)), pos, neg))
    assert set(fit.flags) == flags
    assert fit.auc == pytest.approx(area)
    assert fit.loglik == pytest.approx(
        sum(float(stats.entropy(x)) * -sum(x) for x in (pos, neg)), abs=1e-12
    )


def test_too_few_cells_are_refused() -> None:
    with pytest.raises(ValueError, match="here are two: they give one point"):
        fit_rating(rs.ScoreTable.from_counts([0, 1], [3, 7], [6, 4]))
    with pytest.raises(ValueError, match="here is one: they give no point"):
        fit_labroc(rs.tabulate_classes([1, 1], [1]))
    with pytest.raises(ValueError, match="covariance is 'wald'"):
        fit_rating(HAN, covariance="wald")  # type: ignore[arg-type]


def test_thresholds_are_observed_scores() -> None:
    fit = fit_rating(HAN)
    assert fit.cuts is not None
    score, fpr = fit.cuts
    assert score.tolist() == [np.inf, 5, 4, 3, 2, 1]
    assert (np.diff(fpr) > 0).all()
    assert (fpr[0], fpr[-1]) == (0, 1)
    # About 2/58 of the negatives are rated 5, 13/58 rated 4 or more.
    assert fit.threshold_at([0.0, 0.1, 0.3, 1.0]).tolist() == [np.inf, 5, 4, 1]
    lower = rs.ScoreTable.from_counts(
        [-1, -2, -3, -4, -5], [3, 2, 2, 11, 33], [33, 6, 6, 11, 2], higher_is_positive=False
    )
    assert fit_rating(lower).threshold_at([0.0, 0.1]).tolist() == [-np.inf, -5]


def test_weights() -> None:
    whole = fit_rating(HAN, covariance="sandwich")
    y = np.repeat([1, 0], [51, 58])
    score = np.r_[
        np.repeat([1, 2, 3, 4, 5], [3, 2, 2, 11, 33]), np.repeat([1, 2, 3, 4, 5], [33, 6, 6, 11, 2])
    ]
    same = fit_rating(rs.tabulate(y, score, sample_weight=np.full(109, 0.2)))
    assert same.covariance_method == "sandwich"
    assert list(same.parameters.values()) == pytest.approx(list(whole.parameters.values()))
    np.testing.assert_allclose(same.covariance, whole.covariance, rtol=1e-6)
    assert same.loglik is None
    # A sandwich and the information agree where the model holds.
    np.testing.assert_allclose(whole.covariance, fit_rating(HAN).covariance, rtol=0.1)


def test_bootstrap_covariance() -> None:
    fit = fit_rating(HAN, covariance="bootstrap", n_boot=60, rng=2)
    assert fit.covariance_method == "bootstrap"
    assert fit.auc_estimate().se == pytest.approx(0.0296, rel=0.4)


def test_standard_errors_by_simulation() -> None:
    rng, found = np.random.default_rng(4), []
    for _ in range(100):
        table = rs.tabulate_classes(1 + 1.25 * rng.normal(size=60), rng.normal(size=60))
        fit = fit_labroc(table)
        found.append((fit.auc, fit.auc_estimate().se))
    areas, errors = np.transpose(found)
    assert areas.mean() == pytest.approx(stats.norm.cdf(1 / np.hypot(1, 1.25)), abs=0.012)
    assert errors.mean() == pytest.approx(areas.std(), rel=0.2)


def test_many_runs_arrive() -> None:
    rng = np.random.default_rng(1)
    table = rs.tabulate_classes(rng.normal(1, 1.5, 20_000), rng.normal(size=20_000))
    fit = fit_labroc(table)
    assert "unconverged" not in fit.flags
    assert list(fit.parameters.values()) == pytest.approx([1 / 1.5, 1 / 1.5], abs=0.03)
    assert fit.auc == pytest.approx(rs.auc(table), abs=0.003)


def test_all_orders_of_six_cases() -> None:
    """Every sequence of three positives and three negatives ends in a fit or its refusal."""
    kinds = set()
    for chosen in itertools.combinations(range(6), 3):
        y = np.isin(np.arange(6), chosen)
        fit = fit_labroc(rs.tabulate(y, np.arange(6)))
        kinds.add(frozenset(fit.flags) - {"improper"})
        assert "unconverged" not in fit.flags
    assert frozenset() in kinds
    assert frozenset({"separated", "degenerate"}) in kinds
