"""Net benefit: by hand, by definition, as printed, and what must hold."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
from rocspace.costs import best_net_benefit, decision_curve, net_benefit, net_benefit_untreated
from rocspace.counts import SingleClassError
from rocspace.hull import roc_hull
from slow.data import F3, assert_close, assert_near, reference, samples

eighths = st.integers(0, 8).map(lambda k: k / 8)
thirds = st.integers(1, 9).map(lambda k: k / 3)
thresholds = st.integers(1, 15).map(lambda k: k / 16)


def test_by_hand():
    # At 1/2 only .8 is treated, a positive: 1 of 4. At .2 all but .1: 2 - 1/4 * 1, of 4.
    table = rs.tabulate([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8])
    assert net_benefit(table, 0.5) == 0.25
    assert net_benefit(table, 0.2) == 1.75 / 4
    assert net_benefit(table, 0.5, standardised=True) == 0.5
    # Untreated: two negatives right, one positive missed, which weighs 1.
    assert net_benefit_untreated(table, 0.5) == 0.25
    curve = decision_curve(table)
    assert curve.threshold.tolist() == [0, 0.1, 0.3, 0.4, 0.8]
    assert curve.net_benefit[0] == curve.prevalence == 0.5
    assert curve.treat_all[0] == 0.5
    assert curve.standardised.tolist() == (curve.net_benefit / 0.5).tolist()
    assert len(curve) == 5
    point = curve.at_threshold(0.5)
    assert (point.threshold, point.net_benefit) == (0.5, 0.25)
    assert curve.at_threshold([0.2, 0.5]).net_benefit.tolist() == [1.75 / 4, 0.25]


def test_reference_values():
    expected = reference()
    table = rs.tabulate(*F3)
    for at in (0.2, 0.35, 0.5):
        assert_close(net_benefit(table, at), expected[f"F3_nb_{at}"], 14)


@given(sample=samples(values=eighths, weights=thirds), at=thresholds)
@settings(max_examples=80)
def test_is_that_of_the_definition(sample, at):
    label, score, weight = sample
    odds = Fraction(at) / (1 - Fraction(at))
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        c = slow.counts.counts_at(label, score, at, w)
        n = sum(c.values())
        assert_near(net_benefit(table, at) + 1, (c["tp"] - odds * c["fp"]) / n + 1)
        assert_near(net_benefit_untreated(table, at) + 1, (c["tn"] - c["fn"] / odds) / n + 1)
        # From the ROC point: pi t - (1 - pi) f w.
        point, pi = rs.roc_curve(table).at_threshold(at), table.prevalence
        roc = pi * point.tpr - (1 - pi) * point.fpr * float(odds)
        assert net_benefit(table, at) == pytest.approx(roc, abs=1e-12)
        assert net_benefit(table, at) <= pi + 1e-12
        everybody = pi - (1 - pi) * float(odds)
        avoided = (net_benefit(table, at) - everybody) / float(odds)
        assert net_benefit_untreated(table, at) == pytest.approx(avoided, abs=1e-11)
        best = best_net_benefit(table, at)
        assert best >= max(net_benefit(table, at), everybody, 0.0) - 1e-12
        points = slow.curves.points(label, score, w)
        highest = max(pi * float(t) - (1 - pi) * float(f) * float(odds) for f, t, _ in points)
        assert best == pytest.approx(max(highest, 0.0), abs=1e-12)


@given(sample=samples())
@settings(max_examples=40)
def test_best_is_convex_in_the_odds_and_needs_the_hull_only(sample):
    table = rs.tabulate(*sample)
    odds = np.linspace(0, 6, 61)
    best = best_net_benefit(table, odds / (1 + odds))
    assert (np.diff(best, 2) > -1e-12).all()
    hull, pi = roc_hull({"score": table}), table.prevalence
    vertices = pi * hull.tpr - np.outer(odds, (1 - pi) * hull.fpr)
    np.testing.assert_allclose(best, vertices.max(axis=1), atol=1e-12)


def test_best_of_one_class():
    assert best_net_benefit(rs.tabulate([1, 1], [1, 2]), [0, 0.5]).tolist() == [1, 1]
    assert best_net_benefit(rs.tabulate([0, 0], [1, 2]), [0, 0.5]).tolist() == [0, 0]


def test_best_is_not_convex_in_the_threshold():
    table = rs.tabulate([0, 1], [0, 0])
    at = np.array([0.0, 0.2, 0.4])
    left, middle, right = best_net_benefit(table, at)
    assert middle > (left + right) / 2


@given(sample=samples(values=eighths))
@settings(max_examples=40)
def test_curve_falls_between_scores(sample):
    table = rs.tabulate(*sample)
    curve = decision_curve(table, np.linspace(0, 0.99, 34))
    np.testing.assert_array_equal(curve.net_benefit, net_benefit(table, curve.threshold))
    odds = curve.threshold / (1 - curve.threshold)
    pi = table.prevalence
    np.testing.assert_allclose(curve.treat_all, pi - (1 - pi) * odds, atol=1e-12)
    lowest = min(sample[1])
    all_called = curve.threshold <= lowest
    np.testing.assert_allclose(
        curve.net_benefit[all_called], curve.treat_all[all_called], atol=1e-12
    )


def test_case_control_data_are_reweighted():
    # One positive and one negative stand for one in ten.
    table = rs.reweight(rs.tabulate([1, 0], [0.8, 0.6]), prevalence=0.1)
    assert net_benefit(table, 0.5) == pytest.approx(0.1 - 0.9)
    assert net_benefit(table, 0.7) == pytest.approx(0.1)


def test_bad_input_is_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(ValueError, match="threshold is 1, where nobody acts"):
        net_benefit(table, 1)
    with pytest.raises(ValueError, match="threshold is 0, where everybody is treated"):
        net_benefit_untreated(table, [0, 0.5])
    with pytest.raises(ValueError, match=r"threshold is 1\.5"):
        best_net_benefit(table, 1.5)
    with pytest.raises(ValueError, match="thresholds must increase, but"):
        decision_curve(table, [0.5, 0.4])
    with pytest.raises(ValueError, match="net_benefit needs probabilities, but a score is 3"):
        net_benefit(rs.tabulate([1, 0], [3, 2]), 0.5)
    with pytest.raises(SingleClassError, match="decision_curve needs"):
        decision_curve(rs.tabulate([0], [0.5]))
    with pytest.raises(SingleClassError, match="standardised net benefit needs"):
        net_benefit(rs.tabulate([0], [0.5]), 0.5, standardised=True)
