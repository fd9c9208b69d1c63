"""Scores of one class: bandwidths, kernel estimates and thresholds by their definitions."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize
from scipy.special import ndtr

import rocspace as rs
from rocspace import datasets
from rocspace.models import cases as _cases
from rocspace.models import fit_kernel
from rocspace.models.cases import FEW, Cases, cases_of, correlated, gridded
from slow.data import normal_table
from slow.models import above, cross_validation, density, direct_plug_in, roughness

F3 = datasets.load("fawcett20")


FAWCETT = rs.tabulate(F3.y_true, F3.y_score)


POS = np.asarray(F3.y_score)[np.asarray(F3.y_true) == 1]


NEG = np.asarray(F3.y_score)[np.asarray(F3.y_true) == 0]


def test_cross_validation_by_its_definition() -> None:
    found = fit_kernel(FAWCETT, bandwidth="cross-validated").parameters
    for x, h in ((POS, found["h1"]), (NEG, found["h0"])):
        here = cross_validation(x, h)
        assert here < cross_validation(x, 0.9 * h)
        assert here < cross_validation(x, 1.1 * h)
    many = normal_table(600)
    grid, close = fit_kernel(many), fit_kernel(many, bandwidth="cross-validated")
    assert 0.3 < close.parameters["h1"] / grid.parameters["h1"] < 3


def test_rules_by_their_definitions() -> None:
    scott = fit_kernel(FAWCETT, bandwidth="scott").parameters["h0"]
    assert scott == pytest.approx(1.06 * NEG.std(ddof=1) * 10**-0.2)
    h = fit_kernel(FAWCETT, bandwidth="sheather-jones").parameters["h0"]
    lam = np.subtract(*np.percentile(NEG, [75, 25]))
    first, second = (
        roughness(NEG, 4, 0.92 * lam * 10 ** (-1 / 7)),
        roughness(NEG, 6, 0.912 * lam / 10 ** (1 / 9)),
    )
    pilot = 1.357 * (first / -second) ** (1 / 7) * h ** (5 / 7)
    assert h == pytest.approx(
        (10 * 2 * np.sqrt(np.pi) * roughness(NEG, 4, pilot)) ** -0.2, rel=1e-3
    )
    tied = rs.tabulate_classes([0.0] * 1000 + [1.0], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="Sheather and Jones has no solution for these scores"):
        fit_kernel(tied, bandwidth="sheather-jones")


def test_direct_plug_in_by_all_pairs() -> None:
    h = fit_kernel(FAWCETT, bandwidth="direct-plug-in").parameters
    assert list(h.values()) == pytest.approx([direct_plug_in(x) for x in (POS, NEG)], rel=1e-12)
    # R's dpik(x, "stdev", gridsize = 4000001, range.x = ...), with a range a little wider than the
    # scores; KernSmooth 2.23-20 loses the largest score where the range ends with it.
    assert list(h.values()) == pytest.approx([0.124024366656165, 0.0948246862317532], rel=1e-7)


def test_direct_plug_in_of_two_cases_by_hand() -> None:
    # Scores -1/sqrt(2) and 1/sqrt(2): sd 1, squared distances 0 and 2, each half of all pairs.
    eighth = 105 / (32 * np.pi**0.5)
    g = (30 / np.sqrt(2 * np.pi) / (2 * eighth)) ** (1 / 9)
    z = 2 / g**2
    sixth = (-15 + (z**3 - 15 * z**2 + 45 * z - 15) * np.exp(-z / 2)) / 2 / np.sqrt(2 * np.pi)
    g = (-6 / np.sqrt(2 * np.pi) / (2 * sixth / g**7)) ** (1 / 7)
    z = 2 / g**2
    fourth = (3 + (z**2 - 6 * z + 3) * np.exp(-z / 2)) / 2 / np.sqrt(2 * np.pi) / g**5
    h = (4 * np.sqrt(np.pi) * fourth) ** -0.2
    for far in (1.0, 1e-70):  # in units of the spread, so that no power underflows
        pair = cases_of("x", np.array([far, -far]) / np.sqrt(2), np.ones(2))
        assert pair.bandwidth("direct-plug-in") == pytest.approx(far * h, rel=1e-12)


def test_direct_plug_in_takes_any_ties_and_the_effective_number() -> None:
    tied = cases_of("x", np.array([1.0, 0.0]), np.array([1, 1000]))
    x = np.append(np.zeros(1000), 1.0)
    assert tied.bandwidth("direct-plug-in") == pytest.approx(direct_plug_in(x), rel=1e-12)
    once, heavy = (cases_of("x", SCORE, COUNT * k, 6.0) for k in (1, 2.5))
    assert heavy.bandwidth("direct-plug-in") == pytest.approx(once.bandwidth("direct-plug-in"))


@pytest.mark.parametrize("n", [200, 300, 1500])  # from 257 scores on a grid guides the search
def test_thresholds_by_their_definition(n: int) -> None:
    table = normal_table(n)
    fit = fit_kernel(table)
    neg = np.repeat(table.score, table.neg)[:, np.newaxis]
    at = np.array([1e-10, 1e-5, 0.01, 0.3, 0.7, 0.999])
    above = ndtr((neg - fit.threshold_at(at)) / fit.parameters["h0"]).mean(axis=0)
    np.testing.assert_allclose(above, at, rtol=1e-9)


def test_thresholds_beyond_a_score_that_lies_far_out() -> None:
    # A third of the scores is 1000: half of it lies above.
    far = Cases(score=np.array([0.0, 1, 1000]), share=np.full(3, 1 / 3), sd=np.nan, spread=1, n=3)
    low, high = far._brackets(np.array([1e-4, 1 / 6, 0.4]), 1.0)
    assert (far.above(low, 1.0) >= [1e-4, 1 / 6, 0.4]).all()
    assert (far.above(high, 1.0) <= [1e-4, 1 / 6, 0.4]).all()


# --- cases ----------------------------------------------------------------------------------------


SCORE, COUNT = np.array([6.0, 4, 3, 1]), np.array([1, 2, 0, 3])


def test_cases_are_counted_from_the_lowest_score_on() -> None:
    found = cases_of("fit_kernel", SCORE, COUNT)
    every = np.array([1.0, 1, 1, 4, 4, 6])
    assert found.score.tolist() == [1, 4, 6]
    np.testing.assert_allclose(found.share, [3 / 6, 2 / 6, 1 / 6])
    assert (found.n, found.sd) == (6, pytest.approx(every.std(ddof=1)))
    iqr = np.subtract(*np.percentile(every, [75, 25])) / 1.34
    assert found.spread == pytest.approx(min(iqr, every.std(ddof=1)))
    # One score three times of four: the quartiles are equal, and the sd is all that is known.
    tight = cases_of("fit_kernel", np.array([2.0, 1]), np.array([1, 5]))
    assert tight.spread == tight.sd


@pytest.mark.parametrize("unit", [1, 0.1, 7])
def test_weights_stand_for_an_effective_number(unit: float) -> None:
    plain, many = (cases_of("x", SCORE, COUNT * k, 6.0) for k in (1, unit))
    assert many.n == 6
    assert (many.sd, many.spread) == pytest.approx((plain.sd, plain.spread))
    np.testing.assert_allclose(many.share, plain.share)
    few = cases_of("x", SCORE, COUNT * unit, 3.0)
    assert few.sd**2 == pytest.approx(plain.sd**2 * (5 / 6) / (2 / 3))


def test_equal_scores_cannot_be_smoothed() -> None:
    for score, count in ((SCORE[:1], COUNT[:1]), (SCORE, np.array([0, 0, 0, 3]))):
        with pytest.raises(ValueError, match=r"fit_x smooths .* those of a class do not vary"):
            cases_of("fit_x", score, count)


def test_bandwidths_of_rules_by_hand() -> None:
    found = Cases(score=np.arange(3.0), share=np.ones(3) / 3, sd=2.0, spread=1.5, n=32.0)
    assert found.bandwidth("cdf") == pytest.approx((4 / 32) ** (1 / 3) * 2)
    assert found.bandwidth("silverman") == pytest.approx(0.9 * 1.5 / 2)  # 32 to the -1/5
    assert found.bandwidth("scott") == pytest.approx(1.06 * 2 / 2)


@pytest.mark.parametrize("n", [40, FEW + 1])  # beyond, only what is near a threshold is summed
def test_smoothed_shares_and_densities_by_all_scores(n: int) -> None:
    rng = np.random.default_rng(n)
    x, w = np.sort(rng.normal(size=n)), rng.random(n)
    cases = Cases(score=x, share=w / w.sum(), sd=1.0, spread=1.0, n=float(n))
    at = np.array([-60.0, -2, 0.1, 1, 60])
    np.testing.assert_allclose(cases.above(at, 0.1), above(x, w, at, 0.1), atol=1e-14)
    np.testing.assert_allclose(cases.density(at, 0.1), density(x, w, at, 0.1), atol=1e-14)
    share = np.array([1e-6, 0.2, 0.5, 0.99])
    near = cases.threshold(share, 0.1)
    np.testing.assert_allclose(above(x, w, near, 0.1), share, rtol=1e-9)
    begun = cases.threshold(share, 0.1, start=near + 0.05)
    np.testing.assert_allclose(begun, near, rtol=1e-9)


def test_groups_of_neighbours_stand_at_their_mean() -> None:
    cases = cases_of("x", SCORE, COUNT).grouped(np.array([0, 1, 1]))
    np.testing.assert_allclose(cases.score, [1, (2 * 4 + 6) / 3])
    np.testing.assert_allclose(cases.share, [1 / 2, 1 / 2])


# --- on a grid ------------------------------------------------------------------------------------


def cases(*scores: float) -> Cases:
    share = np.full(len(scores), 1 / len(scores))
    return Cases(score=np.array(scores), share=share, sd=1.0, spread=1.0, n=float(len(scores)))


def test_a_score_between_two_points_counts_for_both() -> None:
    found = gridded(cases(0.0, 0.25, 1.5), 0.0, 0.5, 5)
    np.testing.assert_allclose(found, np.array([1 + 0.5, 0.5, 0, 1, 0]) / 3)


def test_pairs_by_their_distance_on_a_grid() -> None:
    # 2 minus 0 and 1, and 1 minus 0 and 1, in steps of 1: twice 1, once 2 and once 0.
    found = correlated(cases(1.0, 2.0), cases(0.0, 1.0), 0.0, 1.0, 4)
    np.testing.assert_allclose(found, [0, 0, 0, 1 / 4, 1 / 2, 1 / 4, 0], atol=1e-15)
    turned = correlated(cases(0.0, 1.0), cases(1.0, 2.0), 0.0, 1.0, 4)
    np.testing.assert_allclose(turned, found[::-1], atol=1e-15)


@pytest.mark.parametrize("rule", ["cross-validated", "sheather-jones", "direct-plug-in"])
def test_bandwidths_of_many_scores_are_those_of_all_pairs(
    monkeypatch: pytest.MonkeyPatch, rule: Any
) -> None:
    """From 513 distinct scores on pairs are counted on a grid of distances."""
    x = np.sort(np.random.default_rng(2).normal(size=600))[::-1]
    on_grid = cases_of("x", x, np.ones(600)).bandwidth(rule)
    monkeypatch.setattr(_cases, "_PAIRED", 600)
    assert on_grid == pytest.approx(cases_of("x", x, np.ones(600)).bandwidth(rule), rel=1e-3)


@pytest.mark.parametrize("rule", ["sheather-jones", "direct-plug-in", "cross-validated"])
def test_bandwidths_of_a_heavy_tail_are_those_of_all_pairs(
    monkeypatch: pytest.MonkeyPatch, rule: Any
) -> None:
    """Sheather and Jones's is a sixth of a step of the first grid, which made .063 of .106."""
    x = np.sort(np.exp(np.random.default_rng(2).normal(0, 3, 1000)))[::-1]
    on_grid = cases_of("x", x, np.ones(1000)).bandwidth(rule)
    monkeypatch.setattr(_cases, "_PAIRED", 1000)
    assert on_grid == pytest.approx(cases_of("x", x, np.ones(1000)).bandwidth(rule), rel=0.01)


def test_cross_validation_looks_for_the_lowest_of_several_minima() -> None:
    # Two tight pairs far apart: the least is near the distance within a pair.
    x = np.array([0.0, 0.01, 1, 1.01])
    h = cases_of("x", x[::-1], np.ones(4)).bandwidth("cross-validated")
    tried = np.exp(np.linspace(-7, 0, 60))
    assert cross_validation(x, h) <= min(cross_validation(x, each) for each in tried) + 1e-4


def test_one_score_has_no_spread_but_by_rounding() -> None:
    # The mean of three cases at .1 is not .1 in binary.
    assert 3 * 0.1 / 3 != 0.1
    with pytest.raises(ValueError, match="do not vary"):
        cases_of("fit_x", np.array([0.1]), np.array([3]))


def test_the_bandwidth_of_cross_validation_is_the_lowest_point() -> None:
    found = fit_kernel(FAWCETT, bandwidth="cross-validated").parameters["h1"]
    near = optimize.minimize_scalar(
        lambda h: cross_validation(POS, h), bounds=(found / 2, 2 * found), method="bounded"
    )
    assert found == pytest.approx(near.x, rel=0.02)
