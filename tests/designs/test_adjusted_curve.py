"""Adjusted curves and their bands."""

import numpy as np
import pytest

import rocspace as rs
from covariate_studies import only_sex, study
from rocspace.designs import (
    CovariateModel,
    aauc_estimate,
    adjusted_band,
    adjusted_roc,
    covariate_scores,
)

NORMAL = CovariateModel(residuals="normal")


def test_the_adjusted_curve_is_the_mean_of_the_curves_of_strata():
    data = study()
    curve = adjusted_roc(only_sex(data), "a")
    label, score, sex = data.cases.label, data.cases.score[:, 0], data.covariates["sex"]
    at = np.linspace(0, 1, 57)
    expected = np.zeros(at.size)
    for level in (0, 1):
        own = sex == level
        part = rs.roc_curve(rs.tabulate(label[own], score[own])).tpr_at(at)
        expected += part * label[own].sum() / label.sum()
    np.testing.assert_allclose(curve.tpr_at(at), expected, atol=1e-12)
    assert curve.auc == pytest.approx(aauc_estimate(only_sex(data), "a").value)


def test_one_stratum_is_the_ordinary_curve():
    rng = np.random.default_rng(2)
    y, score = rng.integers(0, 2, 60), rng.integers(0, 9, 60)
    data = covariate_scores(y, score, {"site": ["one"] * 60})
    table = rs.tabulate(y, score)
    estimate, plain = aauc_estimate(data), rs.delong(table)
    assert estimate.value == pytest.approx(plain.value)
    assert estimate.se == pytest.approx(plain.se)
    assert estimate.df == pytest.approx(plain.df)
    np.testing.assert_array_equal(adjusted_roc(data).line.y, rs.roc_curve(table).tpr)


# --- bands ----------------------------------------------------------------------------------------


def test_a_band_that_is_not_asked_otherwise():
    asked = {"level": 0.95, "simultaneous": True, "n_boot": 500, "grid": 101, "rng": 0}
    usual, same = (adjusted_band(study(15), "a", **how) for how in ({}, asked))
    np.testing.assert_array_equal([usual.low, usual.high], [same.low, same.high])


def test_the_band_of_one_stratum_is_that_of_samples_of_both_classes():
    data = study(40)
    one = covariate_scores(data.cases.label, {"a": data.column("a")}, {"all": ["x"] * len(data)})
    band = adjusted_band(one, n_boot=60, grid=5, level=0.9, rng=7, simultaneous=False)
    label, score, draw = one.cases.label, one.column("a"), np.random.default_rng(7)
    pos, neg, heights = np.flatnonzero(label), np.flatnonzero(~label), []
    for _ in range(60):
        rows = np.concatenate([each[draw.integers(0, each.size, each.size)] for each in (pos, neg)])
        curve = rs.roc_curve(rs.tabulate(label[rows], score[rows]))
        heights.append(curve.tpr_at(np.array([0.25, 0.5, 0.75])))
    at = rs.roc_curve(rs.tabulate(label, score)).tpr_at(np.array([0.25, 0.5, 0.75]))
    least = at * (1 - at) / pos.size  # Wilson's is a little larger inside
    half = (band.high - band.low)[1:4] / 2
    inside = (band.low[1:4] > 0) & (band.high[1:4] < 1)
    error = np.sqrt(np.maximum(np.var(heights, axis=0, ddof=1), 0.9 * least))
    assert (half >= 1.6 * error)[inside].all()
    assert (half <= 1.9 * error)[inside].all()


def test_limits_that_fall_are_relaxed_at_single_rates_and_tightened_for_the_whole_curve():
    # One stratum, so that the limits of each rate are made here from the same samples.
    rng = np.random.default_rng(4)
    label = np.arange(40) < 20
    score = rng.normal(size=40) * np.where(label, 3.0, 1.0) + label
    one = covariate_scores(label, score, {"all": ["x"] * 40})
    how = {"n_boot": 60, "grid": 21, "level": 0.9, "rng": 7}
    band = adjusted_band(one, simultaneous=False, **how)
    whole = adjusted_band(one, simultaneous=True, **how)
    draw, drawn, both = np.random.default_rng(7), [], (np.arange(20), np.arange(20, 40))
    for _ in range(60):
        rows = np.concatenate([own[draw.integers(0, 20, 20)] for own in both])
        drawn.append(rs.roc_curve(rs.tabulate(label[rows], score[rows])).tpr_at(band.fpr))
    height = rs.roc_curve(rs.tabulate(label, score)).tpr_at(band.fpr)
    z, unseen = 1.6448536269514722, 1 - 0.05 ** (1 / 20)
    wilson = (height * (1 - height) / 20 + z * z / 1600) / (1 + z * z / 20) ** 2
    error = np.sqrt(np.maximum(np.var(drawn, axis=0, ddof=1), wilson))
    c = np.sort(np.max(np.abs(drawn - height) / error, axis=1))[54]  # the 55th of 60: .9 of 61
    for found, times, tight in ((band, z, False), (whole, c, True)):
        low = np.where(band.fpr <= unseen, 0, np.maximum(height - times * error, 0))
        high = np.where(1 - band.fpr <= unseen, 1, np.minimum(height + times * error, 1))
        assert max(np.diff(low).min(), np.diff(high).min()) < -1e-3  # both fall somewhere
        before, after = [slice(i + 1) for i in range(21)], [slice(i, 21) for i in range(21)]
        if tight:
            expected = [max(low[at]) for at in before], [min(high[at]) for at in after]
        else:
            expected = [min(low[at]) for at in after], [max(high[at]) for at in before]
        np.testing.assert_allclose([found.low, found.high], expected, atol=1e-12)


def test_a_band_contains_the_curve_and_the_limits_of_single_rates():
    data = study(40)
    how = {"n_boot": 50, "grid": 11, "level": 0.9, "rng": 1}
    band = adjusted_band(data, "a", **how)
    point = adjusted_band(data, "a", simultaneous=False, **how)
    heights = adjusted_roc(data, "a").tpr_at(band.fpr)
    assert (band.low <= heights + 1e-12).all()
    assert (heights <= band.high + 1e-12).all()
    assert (band.low <= point.low).all()
    assert (point.high <= band.high).all()
    assert band.simultaneous
    assert not point.simultaneous
    assert band.low[0] == 0
    assert band.high[-1] == 1
    normal = adjusted_band(data, "a", model=NORMAL, **how)
    assert (normal.low <= adjusted_roc(data, "a", model=NORMAL).tpr_at(band.fpr)).all()


def test_a_band_of_too_few_samples_or_of_a_model_of_the_curve_is_refused():
    with pytest.raises(ValueError, match="n_boot"):
        adjusted_band(study(40), "a", n_boot=5)
    with pytest.raises(ValueError, match="averages over the cases"):
        adjusted_band(study(40), "a", model="roc-glm")
