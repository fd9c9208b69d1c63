"""Cllr and errors of Bayes decisions: by hand, by definition, and by what connects them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

import rocspace as rs
from rocspace.calibrate import fit_isotonic
from rocspace.costs import bayes_error_curve, cllr, cllr_estimate, cllr_parts, log_loss
from rocspace.hull import eer_hull
from slow.data import samples

RATIOS = st.integers(-6, 6).map(lambda k: k / 2)


def test_by_hand():
    # One bit for each case whose ratio is 1; log2(4/3) where a ratio of 3 is right.
    assert cllr(rs.tabulate([1, 0], [0.0, 0.0])) == 1
    three = rs.tabulate([1, 0], [np.log(3), -np.log(3)])
    assert cllr(three) == pytest.approx(np.log2(4 / 3))
    # Wrong both: log2(4) each, more than no score costs; the hull calls for no score.
    wrong = rs.tabulate([0, 1], [np.log(3), -np.log(3)])
    assert cllr(wrong) == pytest.approx(2)
    parts = cllr_parts(wrong)
    assert (parts.discrimination, parts.calibration) == pytest.approx((1, 1))
    # Probabilities of 3/4 at a prior of 1/2 are ratios of 3, and so are those of .9 at .75.
    sure = rs.tabulate([1, 0], [0.75, 0.25])
    assert cllr(sure, scores="probability") == pytest.approx(np.log2(4 / 3))
    shifted = rs.tabulate([1, 0], [0.9, 0.5])
    assert cllr(shifted, scores="probability", prior=0.75) == pytest.approx(np.log2(4 / 3))
    assert cllr(rs.tabulate([1, 0], [1.0, 0.0]), scores="probability") == 0
    assert cllr(rs.tabulate([1, 0], [0.0, 0.5]), scores="probability") == np.inf


@settings(max_examples=60)
@given(sample=samples(values=RATIOS))
def test_is_a_log_loss_at_equal_priors_and_its_parts_are_isotonic(sample):
    label, score = map(np.asarray, sample)
    table = rs.tabulate(label, score)
    even = rs.reweight(rs.tabulate(label, expit(score)), prevalence=0.5)
    assert cllr(table) == pytest.approx(log_loss(even) / np.log(2))
    parts = cllr_parts(table)
    fitted = fit_isotonic(rs.reweight(table, prevalence=0.5)).predict(score)
    best = rs.reweight(rs.tabulate(label, fitted), prevalence=0.5)
    assert parts.discrimination == pytest.approx(log_loss(best) / np.log(2), abs=1e-9)
    assert 0 <= parts.discrimination <= 1
    assert parts.discrimination + parts.calibration == pytest.approx(parts.score)
    estimate = cllr_estimate(table)
    assert estimate.value == pytest.approx(parts.score)
    losses = [np.log2(1 + np.exp(s)) for s in (-score[label], score[~label])]
    if min(map(len, losses)) > 1:
        variance = sum(x.var(ddof=1) / x.size for x in losses) / 4
        assert estimate.se == pytest.approx(variance**0.5, abs=1e-12)


@settings(max_examples=40)
@given(sample=samples(values=RATIOS), at=st.integers(-12, 12).map(lambda k: k / 4))
def test_errors_of_bayes_decisions(sample, at):
    label, score = map(np.asarray, sample)
    curve = bayes_error_curve(rs.tabulate(label, score), log_odds=[at])
    share, called = expit(at), score >= -at
    error = share * (~called[label]).mean() + (1 - share) * called[~label].mean()
    assert curve.error[0] == pytest.approx(error)
    cuts = [-np.inf, *score, np.inf]
    every = [
        share * (score[label] < c).mean() + (1 - share) * (score[~label] >= c).mean() for c in cuts
    ]
    assert curve.least[0] == pytest.approx(min(every))
    assert curve.trivial[0] == pytest.approx(min(share, 1 - share))
    assert curve.normalised[0] == pytest.approx(error / min(share, 1 - share))
    assert curve.normalised_least[0] <= 1 + 1e-12
    assert len(curve) == 1


@settings(max_examples=15, deadline=None)
@given(sample=samples(values=RATIOS))
def test_what_connects_the_three(sample):
    table = rs.tabulate(*sample)
    # The greatest least error is the equal error rate of the hull.
    prior = np.linspace(0.0005, 0.9995, 4001)
    fine = bayes_error_curve(table, log_odds=logit(prior))
    assert fine.least.max() == pytest.approx(eer_hull(table), abs=1e-3)
    # Cllr is the integral of the error over the log odds, divided by log 4... of the whole axis.
    wide = np.linspace(-40, 40, 200_001)
    whole = np.trapezoid(bayes_error_curve(table, log_odds=wide).error, wide)
    assert whole / np.log(4) == pytest.approx(cllr(table), abs=2e-3)


@pytest.mark.parametrize("size", [1e90, 1e130, 1e300, 1.1e308])
def test_huge_log_ratios_have_a_cost_and_no_error(size):
    table = rs.tabulate_classes(np.array([1.0, -1.0, 1.5]) * size, np.array([-1.0, 1.0]) * size)
    cost = (1 / 3 + 1 / 2) / (2 * np.log(2)) * size  # of both mistakes
    assert cllr(table) == pytest.approx(cost)
    found = cllr_estimate(table)
    assert np.isnan(found.se)
    assert tuple(found.interval()) == (0, np.inf)
    nearly = cllr_estimate(rs.tabulate_classes([1e70, -1e70, 2e70], [-1e70, 1e70]))
    assert 0 < nearly.interval().high < np.inf


def test_bad_input():
    table = rs.tabulate([0, 1], [-1.0, 2.0])
    with pytest.raises(ValueError, match="needs probabilities"):
        cllr(table, scores="probability")
    for prior in (0, 1):
        with pytest.raises(ValueError, match="prior is"):
            cllr(table, prior=prior)
    with pytest.raises(ValueError, match="but lower scores are positive"):
        cllr(rs.tabulate([0, 1], [2, 1], higher_is_positive=False))
    with pytest.raises(ValueError, match="log_odds has inf, but priors of 0 or 1 need no score"):
        bayes_error_curve(table, log_odds=[0, np.inf])
    with pytest.raises(ValueError, match="scores is 'odds'"):
        cllr(table, scores="odds")
    with pytest.raises(rs.SingleClassError, match=r"cllr_parts needs .* 2 positives and 0"):
        cllr_parts(rs.tabulate([1, 1], [1, 2]))


def test_log_odds_are_from_minus_7_to_7_in_tenths():
    curve = bayes_error_curve(rs.tabulate([0, 0, 1, 1], [-2, 0.5, -0.5, 3]))
    np.testing.assert_allclose(curve.log_odds, np.linspace(-7, 7, 141), atol=1e-12)
    assert len(curve) == 141
