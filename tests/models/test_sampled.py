"""Curves of all scores: the shares of cases, transformations, and errors by influence."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.models import fit_kernel, fit_roc
from rocspace.models.sampled import _groups, flat, joined, sample_fields


@pytest.mark.parametrize("n", [25, 400])
def test_the_error_of_the_area_is_that_of_any_reading(n: int) -> None:
    rng = np.random.default_rng(n)
    label = rng.random(n) < 0.4
    fit = fit_kernel(rs.tabulate(label, rng.normal(size=n) + label))
    slow = fit.estimate(lambda curve: curve.auc)
    assert fit.auc_estimate().se == pytest.approx(slow.se, rel=1e-9)
    own = fit.auc_estimate().interval(scale="probit")  # about this curve
    assert tuple(own) == pytest.approx(tuple(slow.interval()))


# --- shares of cases ------------------------------------------------------------------------------


TABLE = rs.tabulate_classes([1.0, 4, 4, 6], [0.5, 1, 2, 4, 4])


def test_shares_of_a_class_and_their_variances() -> None:
    found = sample_fields("fit_kernel", TABLE, None)
    unit = 2.0 ** found["unit"]
    for side, scores in (("pos", [1.0, 4, 6]), ("neg", [0.5, 1, 2, 4])):
        np.testing.assert_allclose(found[side][0] * unit, scores)
    assert found["pos"][1].tolist() == [1 / 4, 2 / 4, 1 / 4]
    # A mean of four: the variance of one case's share, times n / (n - 1) as of a sample's.
    np.testing.assert_allclose(found["pos"][2], np.array([1, 2, 1]) / 16 * 4 / 3)
    assert found["df"] == 3
    assert (found["higher_is_positive"], found["transform"]) == (True, None)
    single = sample_fields("fit_kernel", rs.tabulate([1, 0, 0], [1, 2, 3]), None)
    assert np.isnan(single["pos"][2]).all()


def test_weights_have_the_variance_of_their_squares() -> None:
    w = np.array([1.0, 3, 2, 2])
    found = sample_fields("x", rs.tabulate([1, 1, 0, 0], [1, 2, 3, 4], sample_weight=w), None)
    n = 16 / 10
    np.testing.assert_allclose(found["pos"][1], [1 / 4, 3 / 4])
    np.testing.assert_allclose(found["pos"][2], np.array([1, 9]) / 16 * n / (n - 1))


@pytest.mark.parametrize("transform", [None, "log", "logit"])
@pytest.mark.parametrize("higher", [True, False])
def test_scores_go_into_the_unit_of_a_fit_and_back(transform: Any, higher: bool) -> None:
    score = np.array([0.1, 0.25, 0.5, 0.8])
    table = rs.tabulate([0, 1, 0, 1], score * 1.0, higher_is_positive=higher)
    fit = fit_kernel(table, transform=transform)
    inside = fit.of_scores(score)
    np.testing.assert_allclose(fit.scores_of(inside), score, rtol=1e-12)
    assert (np.diff(inside) > 0).all() == higher
    plain = {None: score, "log": np.log(score), "logit": np.log(score / (1 - score))}[transform]
    np.testing.assert_allclose(inside, (1 if higher else -1) * plain / 2.0**fit.unit)


def test_groups_of_neighbours_add_shares_and_variances() -> None:
    sample = np.array([1.0, 2, 6]), np.array([0.2, 0.6, 0.2]), np.array([0.01, 0.03, 0.02])
    score, share, variance = joined(sample, np.array([4.0, 4, 7]))
    np.testing.assert_allclose(score, [(0.2 * 1 + 0.6 * 2) / 0.8, 6])
    np.testing.assert_allclose(share, [0.8, 0.2])
    np.testing.assert_allclose(variance, [0.04, 0.02])


# --- errors ---------------------------------------------------------------------------------------


def test_the_variance_of_a_reading_is_that_of_its_slopes() -> None:
    """Of a mean of scores: the usual variance of a mean; of a difference the sum of both."""
    fit = fit_kernel(TABLE, bandwidth=1.0)
    unit = 2.0**fit.unit

    def means(curve: Any) -> Any:
        pos, neg = (each[0] @ each[1] * unit for each in (curve.pos, curve.neg))
        return np.array([pos, pos - 2 * neg])

    x, y = np.array([1.0, 4, 4, 6]), np.array([0.5, 1, 2, 4, 4])
    of = x.var(ddof=1) / 4, y.var(ddof=1) / 5
    np.testing.assert_allclose(fit._variance(means), [of[0], of[0] + 4 * of[1]], rtol=1e-9)


@pytest.mark.parametrize("n", [100, 400])
def test_many_scores_are_moved_in_groups(n: int) -> None:
    """Fifty groups of neighbours: the variance of a smooth reading is nearly that of all cases."""
    x = np.sort(np.random.default_rng(n).normal(size=n))
    fit = fit_kernel(rs.tabulate_classes(x + 1, x), bandwidth=1.0)
    groups = _groups(fit.pos[1])
    assert np.unique(groups).size == (100 if n == 100 else 50)
    assert (np.diff(groups) >= 0).all()
    found = fit._variance(lambda curve: curve.pos[0] @ curve.pos[1] * 2.0**curve.unit)
    assert float(found) == pytest.approx(x.var(ddof=1) / n, rel=1e-6 if n == 100 else 0.02)


# --- curves of two distributions ------------------------------------------------------------------


def test_rates_and_their_slope_at_a_score() -> None:
    fit = fit_kernel(TABLE, bandwidth=1.5)
    x, y = np.array([1.0, 4, 4, 6]), np.array([0.5, 1, 2, 4, 4])
    fpr, tpr, ratio = fit.at_score(3.0)
    assert fpr == pytest.approx(stats.norm.sf(3, y, 1.5).mean())
    assert tpr == pytest.approx(stats.norm.sf(3, x, 1.5).mean())
    slope = stats.norm.pdf(3, x, 1.5).mean() / stats.norm.pdf(3, y, 1.5).mean()
    assert ratio == pytest.approx(np.log(slope))
    assert fit.slope_at(fpr) == pytest.approx(slope)
    assert fit.threshold_at(fpr) == pytest.approx(3)
    assert fit.fpr_at(tpr) == pytest.approx(fpr)
    assert fit.tpr_at([0, 1]).tolist() == fit.fpr_at([0, 1]).tolist() == [0, 1]
    assert fit.threshold_at([0, 1]).tolist() == [np.inf, -np.inf]


def test_a_class_of_equal_scores_has_steps() -> None:
    def share(side: str, at: float) -> float:
        return {"pos": 0.3, "neg": 0.2}[side] + at / 100

    one, two = np.array([4.0]), np.array([1.0, 2.0])
    assert flat("kernel", {"h": 1.0}, two, two, share) is None
    vertical = flat("kernel", {"h": 1.0}, one, two, share)
    assert vertical is not None
    assert vertical.auc == pytest.approx(1 - 0.24)  # jumps where the negatives are above 4
    level = flat("kernel", {"h": 1.0}, two, one, share)
    assert level is not None
    assert level.auc == pytest.approx(0.34)
    for pos, neg, area in ((2.0, 1.0, 1), (1.0, 2.0, 0), (1.0, 1.0, 0.5)):
        both = flat("kernel", {"h": 1.0}, np.array([pos]), np.array([neg]), share)
        assert both is not None
        assert both.auc == area
        assert "both classes" in both.flags["degenerate"]


def test_transformations_have_their_ranges() -> None:
    def table(*scores: float) -> rs.ScoreTable:
        return rs.tabulate([1, 0, 1][: len(scores)], scores)

    sample_fields("x", table(1e-9, 5, 7), "log")
    with pytest.raises(ValueError, match="takes scores above 0, but one is 0"):
        sample_fields("x", table(0.0, 5, 7), "log")
    with pytest.raises(ValueError, match="strictly between 0 and 1, but one is 1"):
        sample_fields("x", table(0.2, 1.0, 0.5), "logit")
    wrong: Any = "square"
    with pytest.raises(ValueError, match="transform"):
        sample_fields("x", table(0.2, 0.1, 0.5), wrong)


@pytest.mark.parametrize("model", ["kernel", "log-concave"])
@pytest.mark.parametrize(("axis", "ends"), [("fpr", (0.0, 0.2)), ("tpr", (0.7, 1.0))])
def test_the_error_of_a_part_is_that_of_its_integral_over_rates(
    model: str, axis: Any, ends: tuple[float, float]
) -> None:
    rng = np.random.default_rng(4)
    fit: Any = fit_roc(rs.tabulate_classes(rng.normal(1, 1, 7), rng.normal(0, 1, 8)), model=model)
    found = fit.partial_auc_estimate(**{axis: ends})
    one_by_one = fit.estimate(lambda curve: curve.partial_auc(**{axis: ends}), bounds=found.range)
    assert found.value == one_by_one.value
    # The density of a log-concave fit has kinks, at which panels do not end.
    assert found.se == pytest.approx(one_by_one.se, rel=1e-8 if model == "kernel" else 1e-4)
