"""The H-measure: by hand, by its definition, as printed, as the R package hmeasure has it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

import rocspace as rs
import slow.costs
import slow.counts
import slow.data
from rocspace.costs import h_measure
from rocspace.counts import SingleClassError
from slow.data import F3, F4, F6, answer, assert_close, cases, reference, samples

thirds = st.integers(1, 9).map(lambda k: k / 3)
PRIORS = st.sampled_from([(2.0, 2.0), (1.0, 1.0), (1.5, 4.0), (0.7, 2.0)])


def h_by_integration(label, score, parameters, weight=None):
    """1 - E Q(c) / E min(c pi0, (1 - c) pi1), Q by looking at every threshold."""
    corners = slow.counts.sweep(label, score, weight)
    P, N, _ = (float(x) for x in corners[-1])
    pos, neg = P / (P + N), N / (P + N)
    points = [(float(fp) / N, float(tp) / P) for tp, fp, _ in corners]
    cuts = {
        pos * (t1 - t0) / (pos * (t1 - t0) + neg * (f1 - f0))
        for f0, t0 in points
        for f1, t1 in points
        if f1 >= f0 and t1 >= t0 and f1 + t1 > f0 + t0
    }

    def mean(loss):
        density = beta(*parameters).pdf
        ends = [0.0, *sorted(c for c in cuts if 0 < c < 1), 1.0]
        return sum(quad(lambda c: loss(c) * density(c), a, b)[0] for a, b in pairwise(ends))

    best = mean(lambda c: min(c * neg * f + (1 - c) * pos * (1 - t) for f, t in points))
    return 1 - best / mean(lambda c: min(c * neg, (1 - c) * pos))


def test_by_hand():
    # Uniform costs, P = N = 2; the hull (0, 0), (0, 1/2), (1/2, 1), (1, 1). For c < 1/2 the
    # best has fpr 1/2, fnr 0: Q = c / 4; beyond, Q = (1 - c) / 4. Without scores c / 2.
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    assert h_measure(table, prior=(1, 1)) == pytest.approx(0.5, rel=1e-14)


def test_reference_values():
    expected = reference()
    three, four, six = (rs.tabulate(*sample) for sample in (F3, F4, F6))
    assert_close(h_measure(three, prior=(2, 2)), expected["F3_H_beta22"], 14)
    assert_close(h_measure(three), expected["F3_H_default_sr"], 14)
    # Made by integration on a grid, good to 1e-11.
    assert_close(h_measure(three, prior=(1.5, 1.5)), expected["F3_H_beta1.5"], 10)
    assert_close(h_measure(three, prior="class-mix"), expected["F3_H_beta1.5"], 10)
    assert h_measure(four) == expected["F4_H"] == 1
    assert h_measure(six) == expected["fig6_H"] == 0
    granular = rs.datasets.load("groc_table3")
    for column, key in (("a", "T3A"), ("b", "T3B")):
        table = rs.tabulate(granular.y_true, granular.columns[column])
        assert_close(h_measure(table, prior=(2, 2)), expected[key]["H22"], 13)


@given(sample=samples(max_size=10, weights=thirds), prior=PRIORS)
@settings(max_examples=25)
def test_is_that_of_the_definition(sample, prior):
    label, score, weight = sample
    for w in (None, weight):
        table = rs.tabulate(label, score, sample_weight=w)
        expected = h_by_integration(label, score, prior, w)
        assert h_measure(table, prior=prior) == pytest.approx(expected, abs=1e-7)


@given(sample=samples(), severity=st.sampled_from([None, 0.2, 1.0, 5.0]))
@settings(max_examples=60)
def test_promises(sample, severity):
    label, score = (np.array(column) for column in sample)
    table = rs.tabulate(label, score)
    h = h_measure(table, severity=severity)
    assert 0 <= h <= 1
    assert h == h_measure(rs.tabulate(label, np.exp(score)), severity=severity)
    # Only the hull counts.
    fitted = slow.costs.isotonic(*sample)
    calibrated = rs.tabulate(label, [float(fitted[s]) for s in score.tolist()])
    assert h_measure(calibrated, severity=severity) == pytest.approx(h, rel=1e-12, abs=1e-14)
    twice = rs.tabulate(np.tile(label, 2), np.tile(score, 2))
    assert h_measure(twice, severity=severity) == pytest.approx(h, rel=1e-12, abs=1e-14)


@given(sample=samples())
@settings(max_examples=60)
def test_symmetric_beliefs_do_not_tell_the_classes_apart(sample):
    label, score = (np.array(column) for column in sample)
    here, there = rs.tabulate(label, score), rs.tabulate(~label, -score)
    h = h_measure(here, prior=(2, 2))
    assert h_measure(there, prior=(2, 2)) == pytest.approx(h, rel=1e-12, abs=1e-14)
    both = {"severity": 1.0}
    assert h_measure(here, **both) == h


def test_wrong_direction_is_worth_nothing():
    # The R package turns scores round whose area is below one half; that is a choice here.
    table = rs.tabulate([1, 1, 0, 0], [1, 2, 3, 4])
    assert h_measure(table) == 0
    assert h_measure(rs.curves.best_orientation(table).table) == 1


def test_bad_input_is_refused():
    table = rs.tabulate(*F3)
    with pytest.raises(SingleClassError, match="h_measure needs"):
        h_measure(rs.tabulate([1, 1], [1, 2]))
    with pytest.raises(ValueError, match="severity is 0"):
        h_measure(table, severity=0)
    with pytest.raises(ValueError, match="severity is inf"):
        h_measure(table, severity=float("inf"))
    with pytest.raises(ValueError, match="needs prior='severity'"):
        h_measure(table, severity=2, prior="class-mix")
    with pytest.raises(ValueError, match="a Beta density needs two positive numbers"):
        h_measure(table, prior=(2, 0))
    with pytest.raises(ValueError, match="prior is 'jeffreys', but must be one of"):
        h_measure(table, prior="jeffreys")


HULL_H = ["breast_w_knn15", "sonar_nb", "sonar_rf", "two_class_example", "vehicle_tree5"]
HULL_H += ["asah_ndka", "asah_s100b", "rocr_simple", "suicide_dsi"]


@pytest.mark.parametrize("name", HULL_H)
def test_hmeasure_package(name, request):
    found = answer(f"hull_h__{name}", request)
    table = rs.tabulate(*cases(name, request))
    assert_close(h_measure(table), found["hmeasure_R"]["H"], 13)
    assert_close(h_measure(table, severity=1), found["H_severity_ratio_1"], 13)
    assert_close(h_measure(table, severity=0.2), found["H_severity_ratio_0.2"], 13)
    assert_close(h_measure(table, prior="class-mix"), found["H_severity_ratio_negative"], 13)
    definition = found["H_from_definition"]
    assert_close(h_measure(table, prior=(2, 2)), definition["beta_2_2__severity_1"], 13)
    assert_close(h_measure(table, prior=(2, 6)), definition["beta_2_6__severity_0.2"], 13)
