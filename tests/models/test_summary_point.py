"""The mean point of studies and its regions: Hotelling's where studies have no sampling error."""

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit

from rocspace.models import fit_summary_roc
from rocspace.models.binomial_effects import binomial_effects
from studies import counts, large

POINTS = np.array([[1.0, -2.0], [2.0, -1.0], [0.5, -1.5], [1.5, -3.0], [0.0, -2.5]])
METHODS = ["binomial", "reml", "ml"]


@pytest.mark.parametrize("method", METHODS)
def test_region_is_hotellings(method: str) -> None:
    point = fit_summary_roc(**large(POINTS, 10**6), method=method).summary_point
    n, mean, s = 5, POINTS.mean(axis=0), np.cov(POINTS.T)
    assert logit([point.tpr, point.fpr]) == pytest.approx(mean, abs=1e-4)
    square = 2 * (n - 1) / (n - 2) * stats.f.ppf(0.9, 2, n - 2)
    for region, scale in (
        (point.region(0.9), 1 / n),
        (point.prediction_region(0.9), 1 + 1 / n),
        (point.prediction_region(0.9, variance="estimated"), 1 + 1 / n),
    ):
        assert region.form == pytest.approx(square * scale * s, rel=1e-3)
        border = logit(np.stack([region.tpr, region.fpr], axis=-1)) - mean
        distance = np.einsum("ni,ij,nj->n", border, np.linalg.inv(square * scale * s), border)
        assert distance == pytest.approx(np.ones(1001), rel=1e-3)


@pytest.mark.parametrize("method", METHODS)
def test_interval_is_students(method: str) -> None:
    point = fit_summary_roc(**large(POINTS, 10**6), method=method).summary_point
    for i, found in enumerate((point.tpr_estimate(), point.fpr_estimate())):
        # The mean's textbook error, times ((n - 1) / (n - 2))^(1/2) and t of n - 2.
        half = stats.t.ppf(0.95, 3) * np.sqrt(4 / 3) * stats.sem(POINTS[:, i])
        ends = expit(POINTS[:, i].mean() + np.array([-half, half]))
        assert tuple(found.interval(0.9)) == pytest.approx(tuple(ends), rel=1e-3)
        assert found.interval(0.9).method == "summary point, logit and t"
        assert found.interval(scale="identity").method.endswith("identity")


def test_points_of_a_region() -> None:
    region = fit_summary_roc(**counts()).summary_point.region()
    inside = expit(region.logits + 0.99 * (logit([region.tpr[20], region.fpr[20]]) - region.logits))
    outside = expit(
        region.logits + 1.01 * (logit([region.tpr[20], region.fpr[20]]) - region.logits)
    )
    assert region.contains(fpr=inside[1], tpr=inside[0]) is True
    assert region.contains(outside[1], outside[0]) is False
    both = region.contains([inside[1], outside[1], 0.0, 1.0], [inside[0], outside[0], 1.0, 1.0])
    assert both.tolist() == [True, False, False, False]
    assert (region.fpr[0], region.tpr[0]) == (region.fpr[-1], region.tpr[-1])
    # Once around: the polygon of log odds has the area of the ellipse.
    x, y = logit(region.fpr), logit(region.tpr)
    area = abs((x[:-1] * y[1:] - x[1:] * y[:-1]).sum()) / 2
    assert area == pytest.approx(np.pi * np.sqrt(np.linalg.det(region.form)), rel=1e-4)
    assert list(region.to_frame().columns) == ["fpr", "tpr"]
    with pytest.raises(ValueError, match="tpr"):
        region.contains(0.5, 1.5)


def test_a_prediction_region_has_the_penalised_variance() -> None:
    given = counts()
    n, total = 14, np.stack([given["tp"] + given["fn"], given["fp"] + given["tn"]], axis=1)
    hits = np.stack([given["tp"], given["fp"]], axis=1).astype(float)
    found = binomial_effects(hits, total.astype(float), penalised=True)
    whole = found.root @ found.root.T + found.covariance[:2, :2]
    point = fit_summary_roc(**given).summary_point
    region = point.prediction_region(0.9)
    square = 2 * (n - 1.5) / (n - 2) * stats.f.ppf(0.9, 2, n - 2)
    assert region.form == pytest.approx(square * whole, rel=1e-6)
    assert region.logits.tolist() == point.logits.tolist() == point.region().logits.tolist()
    estimated = point.prediction_region(0.9, variance="estimated")
    square = 2 * n / (n - 2) * stats.f.ppf(0.9, 2, n - 2)
    assert estimated.form == pytest.approx(square * (point.covariance + point.between))
    assert np.linalg.det(region.form) > np.linalg.det(estimated.form)


def test_one_rate_inside_tells_nothing_of_the_next_study() -> None:
    point = fit_summary_roc([9, 8, 7], [0, 0, 3], [1, 2, 3], [20, 20, 20]).summary_point
    with pytest.raises(ValueError, match=r'no maximum: too few studies.*variance="estimated"'):
        point.prediction_region()
    assert point.prediction_region(variance="estimated").contains(point.fpr, point.tpr)
    two = fit_summary_roc([9, 8, 7], [2, 0, 3], [1, 2, 3], [20, 20, 20]).summary_point
    assert two.prediction_region().contains(two.fpr, two.tpr)


def test_a_prediction_is_wider() -> None:
    point = fit_summary_roc(**counts()).summary_point
    assert np.linalg.det(point.prediction_region().form) > np.linalg.det(point.region().form)
    assert np.linalg.det(point.region(0.99).form) > np.linalg.det(point.region().form)
    assert point.between == pytest.approx(point.between.T)
    with pytest.raises(ValueError, match="level"):
        point.region(1.0)
    assert "Standard deviations between studies" in str(point)


def test_three_studies_have_one_degree_of_freedom() -> None:
    point = fit_summary_roc(**large(POINTS[:3], 10**6)).summary_point
    found = point.tpr_estimate().interval()
    half = stats.t.ppf(0.975, 1) * np.sqrt(2 / 1) * stats.sem(POINTS[:3, 0])
    ends = expit(POINTS[:3, 0].mean() + np.array([-half, half]))
    assert tuple(found) == pytest.approx(tuple(ends), rel=1e-3)
