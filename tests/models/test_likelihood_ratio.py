"""Proper curves of two densities: by definition, printed areas, honest areas, edges."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rocspace as rs
from rocspace.averaging import cv_auc_estimate
from rocspace.counts import SingleClassError
from rocspace.models import (
    check_curve,
    fit_kernel,
    fit_likelihood_ratio,
    fit_log_concave,
    likelihood_ratio_tables,
)
from rocspace.models.likelihood_ratio import LikelihoodRatioFit

AT = np.array([0.05, 0.3, 0.5, 0.9])


def drawn(sd: float = 3.0, n: int = 40, seed: int = 1) -> rs.ScoreTable:
    rng = np.random.default_rng(seed)
    return rs.tabulate_classes(rng.normal(0, sd, n), rng.normal(0, 1, n))


def test_by_definition() -> None:
    table = drawn()
    fit, inner = fit_likelihood_ratio(table), fit_kernel(table, bandwidth="silverman")
    assert fit.parameters == inner.parameters
    t = np.linspace(-18, 18, 8001)
    x, y = (np.repeat(table.score, many)[:, np.newaxis] for many in (table.pos, table.neg))
    f1, f0 = (
        stats.norm.pdf((t - scores) / inner.parameters[h]).mean(axis=0) / inner.parameters[h]
        for scores, h in ((x, "h1"), (y, "h0"))
    )
    with np.errstate(all="ignore"):
        order = np.argsort(-np.nan_to_num(f1 / f0, nan=0, posinf=1e300))
    fpr, tpr = (np.cumsum(each[order]) * (t[1] - t[0]) for each in (f0, f1))
    np.testing.assert_allclose(fit.tpr_at(AT), np.interp(AT, fpr, tpr), atol=2e-3)
    assert fit.auc == pytest.approx(np.trapezoid(tpr, fpr), abs=1e-3)
    assert isinstance(fit, LikelihoodRatioFit)
    ratio = np.log(f1[4000:4400] / f0[4000:4400])
    np.testing.assert_allclose(fit.log_ratio_at(t[4000:4400]), ratio, atol=1e-6)


@pytest.mark.parametrize(("a", "b", "area"), [(1, 0.7, 0.7944702), (0.8, 1.4, 0.6881883)])
def test_printed_areas_of_proper_binormal_curves(a: float, b: float, area: float) -> None:
    share = (np.arange(700) + 0.5) / 700
    table = rs.tabulate_classes(stats.norm.ppf(share, a / b, 1 / b), stats.norm.ppf(share))
    for densities, near in (("log-concave", 2e-3), ("kernel", 8e-3)):
        known: Any = densities
        fit = fit_likelihood_ratio(table, densities=known)
        assert fit.auc == pytest.approx(area, abs=near)
        assert fit.auc > stats.norm.cdf(a / np.hypot(1, b)) - near


def test_the_curve_is_concave_and_at_least_that_of_the_score() -> None:
    for table in (drawn(), drawn(1.0)):
        fit, inner = fit_likelihood_ratio(table), fit_kernel(table, bandwidth="silverman")
        found = check_curve(fit, grid=51)
        assert found.concave
        assert found.problems == ()
        assert (fit.tpr_at(AT) >= np.maximum(inner.tpr_at(AT), AT) - 1e-3).all()
    smooth = fit_log_concave(drawn(), smooth=True)
    assert fit_likelihood_ratio(drawn(), densities="log-concave").auc > smooth.auc


def test_intervals_are_about_the_curve_of_densities_of_the_right_variance() -> None:
    rng = np.random.default_rng(1)
    table = rs.tabulate_classes(rng.normal(1.4, 1, 25), rng.normal(0, 1, 25))
    fit, inner = fit_likelihood_ratio(table), fit_kernel(table, bandwidth="silverman")
    kept = replace(inner, keeps_variance=True)
    about = replace(fit, inner=kept)
    found, plain = fit.auc_estimate(), fit.auc_estimate().interval(scale="probit")
    assert about.auc > fit.auc  # as smoothing draws the curve to the diagonal
    assert stats.norm.ppf(tuple(found.interval())).mean() == pytest.approx(
        stats.norm.ppf(about.auc)
    )
    assert found.interval().high > plain.high
    ranked = fit_likelihood_ratio(drawn(), densities="log-concave").auc_estimate()
    assert ranked.interval() == ranked.interval(scale="probit")
    assert np.isnan(fit.threshold_estimate(0.2).se)
    assert tuple(fit.threshold_estimate(0.2).interval()) == (-np.inf, np.inf)


def test_a_ratio_without_density_is_infinite_and_0_where_both_have_none() -> None:
    scores = np.linspace(-1, 1, 20)
    fit = fit_likelihood_ratio(rs.tabulate_classes(scores + 100, scores))
    assert fit.log_ratio_at([0, 50, 100]).tolist() == [-np.inf, 0, np.inf]


def test_direction_and_scale_of_the_scores_do_not_matter() -> None:
    table = drawn()
    turned = rs.ScoreTable.from_counts(
        -1e3 * table.score, table.pos, table.neg, higher_is_positive=False
    )
    one, two = fit_likelihood_ratio(table), fit_likelihood_ratio(turned)
    assert two.auc == pytest.approx(one.auc, abs=1e-9)
    assert isinstance(one, LikelihoodRatioFit)
    assert isinstance(two, LikelihoodRatioFit)
    assert two.log_ratio_at([500.0]) == pytest.approx(one.log_ratio_at([-0.5]), abs=1e-6)
    assert one.log_ratio_at([np.inf])[0] == one.log_ratio_at([table.score.max()])[0]
    assert (np.diff(one.threshold_at(np.array([0, *AT, 1]))) <= 0).all()


def test_honest_areas() -> None:
    table = drawn(1.0)  # the score knows nothing
    fitted = fit_likelihood_ratio(table).auc
    tables = likelihood_ratio_tables(table, rng=3)
    assert len(tables) == 5
    assert sum(each.n_pos for each in tables) == table.n_pos
    honest = cv_auc_estimate(tables)
    low, high = honest.interval()
    assert low < 0.5 < high
    assert honest.value < fitted
    again = likelihood_ratio_tables(table, rng=3)
    assert again == tables
    useful = cv_auc_estimate(likelihood_ratio_tables(drawn(), n_folds=3)).value
    assert useful > rs.auc(drawn()) + 0.1


def test_error_of_the_area() -> None:
    table = drawn(n=12)
    found = fit_likelihood_ratio(table).auc_estimate()
    assert 0.02 < found.se < 0.2
    assert "influence of each case" in found.method


def test_scores_that_do_not_vary_and_what_is_refused() -> None:
    flat = fit_likelihood_ratio(rs.tabulate_classes([2, 2], [1, 2, 3]))
    assert list(flat.flags) == ["degenerate"]
    assert flat.method == "likelihood ratio, kernel"
    with pytest.raises(ValueError, match="folds is 30, but must be from 2 to 20"):
        likelihood_ratio_tables(drawn(n=20), n_folds=30)
    with pytest.raises(SingleClassError, match="needs at least 2 positives and 2 negatives"):
        likelihood_ratio_tables(rs.tabulate([0, 1, 0], [1, 2, 3]), n_folds=2)
    with pytest.raises(ValueError, match="the table has weights"):
        likelihood_ratio_tables(rs.tabulate([0, 1], [1, 2], sample_weight=[0.5, 2.5]))
    with pytest.raises(ValueError, match="Take fewer folds"):
        likelihood_ratio_tables(rs.tabulate_classes([1, 2], [0, 3]), n_folds=2)
    with pytest.raises(ValueError, match="densities is 'beta'"):
        fit_likelihood_ratio(drawn(), densities="beta")  # type: ignore[arg-type]
    with pytest.raises(
        SingleClassError,
        match=r"likelihood_ratio_tables needs .* 2 positives and 0",
    ):
        likelihood_ratio_tables(rs.tabulate_classes([1, 2], []))
