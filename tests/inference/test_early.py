"""The error of BEDROC: by hand, by adding cases, as its limit the area, and what must hold."""

import numpy as np
import pytest
from hypothesis import given, settings

import rocspace as rs
from rocspace.curves import bedroc
from rocspace.inference import bedroc_estimate, delong
from slow.data import F3, assert_close, samples


def shares(table):
    return table.pos / table.n_pos, table.neg / table.n_neg


def bedroc_of_shares(p, q, prevalence, alpha):
    """BEDROC of a population: the share of cases by row of each class, the most positive first."""
    every = prevalence * p + (1 - prevalence) * q
    depth = np.concatenate([[0.0], np.cumsum(every) / every.sum()])
    weight = np.diff(1 - np.exp(-alpha * depth)) / (1 - np.exp(-alpha))
    found = (p / every) @ weight
    best = (1 - np.exp(-alpha * prevalence)) / (1 - np.exp(-alpha)) / prevalence
    last = np.exp(-alpha * (1 - prevalence)) - np.exp(-alpha)
    worst = last / (1 - np.exp(-alpha)) / prevalence
    return (found - worst) / (best - worst)


def moved(table, alpha, own, row, by):
    """BEDROC if a class (0: positives) had more cases in a row, with its share in the sample."""
    mixed = list(shares(table))
    mixed[own] = (1 - by) * mixed[own] + by * np.eye(len(table))[row]
    return bedroc_of_shares(*mixed, table.prevalence, alpha)


@settings(max_examples=40)
@given(sample=samples())
@pytest.mark.parametrize("alpha", [0.5, 5.0, 20.0])
def test_the_error_is_that_of_more_cases_like_each(alpha, sample):
    table = rs.tabulate(*sample)
    found = bedroc_estimate(table, alpha=alpha)
    assert found.value == bedroc(table, alpha=alpha)
    sizes, step = (table.n_pos, table.n_neg), 1e-5
    variance = 0.0
    for own, share in enumerate(shares(table)):
        effect = [
            (moved(table, alpha, own, row, step) - moved(table, alpha, own, row, -step))
            / (2 * step)
            for row in range(len(table))
        ]
        assert share @ effect == pytest.approx(0, abs=1e-6)
        variance += share @ np.square(effect) / (sizes[own] - 1) if sizes[own] > 1 else np.nan
        if found.classes is not None:
            ends = [found.value + effect[0], found.value + effect[-1]]
            assert [found.classes[own].low, found.classes[own].high] == pytest.approx(
                sorted(ends), abs=1e-6
            )
    assert found.se**2 == pytest.approx(variance, rel=1e-4, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_with_equal_weights_of_all_ranks_it_is_the_area(level):
    table = rs.tabulate(F3[0], F3[1])
    found, area = bedroc_estimate(table, alpha=1e-5), delong(table)
    assert found.value == pytest.approx(area.value, abs=1e-5)
    assert found.se == pytest.approx(area.se, abs=1e-5)
    assert found.df == pytest.approx(area.df, rel=1e-4)
    assert list(found.interval(level)) == pytest.approx(list(area.interval(level)), abs=1e-5)
    assert found.interval().method == "bedroc, unseen"


def test_by_hand_with_one_positive_among_many():
    # One positive has no spread, and its class allows for a whole case; the error is not known.
    table = rs.tabulate([0, 1, *[0] * 98], np.arange(100)[::-1])
    found = bedroc_estimate(table)
    # Positives at depths 1 to 2 percent: exp(-.2) of the weight of the first percent.
    best, worst = -np.expm1(-0.2), np.exp(-19.8) - np.exp(-20)
    assert_close(found.value, (np.exp(-0.2) * best - worst) / (best - worst), 10)
    assert np.isnan(found.se)
    low, high = found.interval()
    assert 0 <= low < 0.1
    assert found.value < high <= 1


def test_extremes_are_never_a_point():
    for label, score in (([1, 1, 0, 0], [4, 3, 2, 1]), ([1, 1, 0, 0], [1, 1, 1, 1])):
        found = bedroc_estimate(rs.tabulate(label, score)).interval()
        assert found.method == "hoeffding"
        assert found.width > 0.5
    reverse = bedroc_estimate(rs.tabulate([0, 0, 1, 1], [4, 3, 2, 1]))
    assert reverse.value == pytest.approx(0, abs=1e-15)
    assert reverse.interval().high > 0.5


@settings(max_examples=40)
@given(sample=samples())
def test_the_interval_holds_the_value_and_rests_on_ranks(sample):
    label, score = sample
    found = bedroc_estimate(rs.tabulate(label, score))
    low, high = found.interval()
    assert 0 <= low <= found.value <= high <= 1
    assert high > low
    assert bedroc_estimate(rs.tabulate(label, np.exp(score))).interval() == found.interval()


def test_messages():
    weighted = rs.tabulate([1, 1, 0, 0], [4, 2, 3, 1], sample_weight=[1, 2, 1, 1])
    with pytest.raises(ValueError, match="BEDROC needs counts of cases: tabulate without weights"):
        bedroc_estimate(weighted)
    with pytest.raises(ValueError, match="alpha is -1, but must be a positive number"):
        bedroc_estimate(rs.tabulate([1, 0], [2, 1]), alpha=-1)
    with pytest.raises(rs.SingleClassError, match=r"bedroc_estimate needs .* 2 positives and 0"):
        bedroc_estimate(rs.tabulate([1, 1], [2, 1]))
