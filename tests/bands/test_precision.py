"""Bands of precision-recall curves: by hand, against the ROC bands that make them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.bands import pr_band, precision_at_interval, roc_band
from rocspace.curves import pr_curve
from rocspace.inference import fpr_at_interval, rate_interval
from rocspace.simulate import binormal
from slow.data import samples


def test_by_hand():
    table = rs.tabulate(np.arange(60) % 3 == 0, np.arange(60) % 7)
    low, high = fpr_at_interval(table, 0.5)
    # A prevalence of 1/4: 1/8 of the cases are found, 3/4 of the false positive rate are not.
    found = precision_at_interval(table, 0.5, prevalence=0.25)
    assert found.low == pytest.approx(0.125 / (0.125 + 0.75 * high))
    assert found.high == pytest.approx(0.125 / (0.125 + 0.75 * low))
    own = precision_at_interval(table, 0.5)
    assert own.method == pr_band(table, simultaneous=False).method == "profile"
    assert tuple(own) == pytest.approx(tuple(pr_band(table, simultaneous=False).at_recall(0.5)))


@settings(max_examples=8, deadline=None)
@given(sample=samples(), prevalence=st.sampled_from([None, 0.05, 0.7]))
def test_the_band_is_that_of_the_roc_curve(sample, prevalence):
    table = rs.tabulate(*sample)
    band, roc = pr_band(table, prevalence=prevalence), roc_band(table)
    pi = table.prevalence if prevalence is None else prevalence
    assert (band.low <= band.high + 1e-12).all()
    # Each knot of the ROC band, as a point of this graph, is a bound.
    inner = (roc.fpr > 0) & (roc.high > 0)
    for fpr, tpr in zip(roc.fpr[inner], roc.high[inner], strict=True):
        assert band.at_recall(tpr).high >= pi * tpr / (pi * tpr + (1 - pi) * fpr) - 1e-9
    mixed = table if prevalence is None else rs.reweight(table, prevalence=prevalence)
    curve, at = pr_curve(mixed), np.linspace(0.05, 1, 20)
    ends = band.at_recall(at)
    precision = curve.precision_at(at)
    assert all(e.low - 1e-9 <= p <= e.high + 1e-9 for e, p in zip(ends, precision, strict=True))
    # At recall 1 every case may have to be called.
    assert band.at_recall(1.0).low == pytest.approx(pi)
    assert tuple(band.at_recall(0.0)) == (0, 1)


def test_holds_the_curve_of_the_population():
    population = binormal(0.85)
    recall = np.linspace(0.02, 0.999, 60)
    fpr = population.fpr_at(recall)
    truth = 0.3 * recall / (0.3 * recall + 0.7 * fpr)
    inside, at_half = 0, 0
    for seed in range(40):
        drawn = population.draw_scores(30, 70, rng=seed)
        table = rs.tabulate(drawn.y_true, drawn.y_score)
        ends = pr_band(table, method="ks").at_recall(recall)
        inside += all(t in each for t, each in zip(truth, ends, strict=True))
        at_half += truth[30] in precision_at_interval(table, float(recall[30]))
    assert inside >= 36
    assert at_half >= 34


def test_an_unknown_prevalence_widens_it():
    table = rs.tabulate(np.arange(60) % 3 == 0, np.arange(60) % 7)
    known = pr_band(table, simultaneous=False)
    unsure = pr_band(table, simultaneous=False, prevalence=rate_interval(20, 60))
    assert (unsure.low <= known.low).all()
    assert (unsure.high >= known.high).all()
    assert unsure.prevalence == pytest.approx(tuple(rate_interval(20, 60)))
    assert "pointwise" in repr(unsure)
    assert len(unsure) == 129


def test_bad_input():
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(ValueError, match="makes a band for each point"):
        pr_band(table, method="tilbury")
    for prevalence in (0, 1.5):
        with pytest.raises(ValueError, match="prevalence is"):
            pr_band(table, prevalence=prevalence)
    with pytest.raises(ValueError, match="recall is"):
        precision_at_interval(table, 0)
    with pytest.raises(ValueError, match="level is 95"):
        pr_band(table, level=95)
    with pytest.raises(rs.SingleClassError, match=r"pr_band needs .* 2 positives and 0"):
        pr_band(rs.tabulate([1, 1], [1, 2]))
