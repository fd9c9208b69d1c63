"""The bootstrap by hand, by drawing all samples, beside pROC and SciPy."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
import slow.data
import slow.inference
from rocspace import measures
from rocspace.counts import ScoreTable, SingleClassError
from rocspace.counts import draws as _draws
from rocspace.curves import average_precision
from rocspace.inference import (
    auc_estimate,
    auc_variance,
    clustered_auc_estimate,
    delong,
    partial_auc_estimate,
    point_interval,
    predictive_value_interval,
    tpr_at_interval,
)
from rocspace.operating import point_at
from rocspace.resampling import acceleration as _jackknife
from rocspace.resampling import (
    bayesian_bootstrap,
    bootstrap,
    difference,
    fpr_at,
    partial_area,
    rate_at,
    tpr_at,
)
from rocspace.resampling import errors as _errors
from rocspace.resampling.acceleration import LeftOut, Stratum, left_out
from rocspace.resampling.errors import Sweep, area_with_error, replicate_areas
from rocspace.resampling.replicates import replicate
from rocspace.resampling.runs import run_of
from rocspace.resampling.statistics import STATISTICS
from rocspace.simulate import paired_binormal
from slow.data import F3, F4, answer, samples

METHODS = (
    *("moderated", "unseen-bca", "expanded-bca", "bca"),
    *("percentile", "basic", "normal", "studentised"),
)


def curve(table):
    return rs.roc_curve(table)


def rate(name):
    return lambda t: getattr(rs.point_at(t, 0.0), name)


def of_point(name):
    return lambda t: float(getattr(measures, name)(rs.point_at(t, 0.0)))


# Each known statistic, and the function of one table that it must agree with.
KNOWN = {
    "auc": ("auc", rs.auc),
    "youden": ("youden", rs.youden),
    "average_precision": ("average_precision", average_precision),
    "fpr part": (partial_area(fpr=(0.1, 0.45)), lambda t: rs.partial_auc(t, fpr=(0.1, 0.45))),
    "tpr part": (partial_area(tpr=(0.3, 1)), lambda t: rs.partial_auc(t, tpr=(0.3, 1))),
    "fpr part, standardised": (
        partial_area(fpr=(0, 0.2), standardised=True),
        lambda t: rs.partial_auc(t, fpr=(0, 0.2), standardised=True),
    ),
    "tpr part, standardised": (
        partial_area(tpr=(0.8, 1), standardised=True),
        lambda t: rs.partial_auc(t, tpr=(0.8, 1), standardised=True),
    ),
    "tpr at": (tpr_at(0.3), lambda t: curve(t).tpr_at(0.3)),
    "tpr at 0": (tpr_at(0), lambda t: curve(t).tpr_at(0)),
    "fpr at": (fpr_at(0.6), lambda t: curve(t).fpr_at(0.6)),
    "fpr at 1": (fpr_at(1), lambda t: curve(t).fpr_at(1)),
    "tpr at threshold": (rate_at(0.0), rate("tpr")),
    "fpr at threshold": (rate_at(0.0, rate="fpr"), rate("fpr")),
    "tnr at threshold": (rate_at(0.0, rate="tnr"), of_point("tnr")),
    "fnr at threshold": (rate_at(0.0, rate="fnr"), of_point("fnr")),
    "ppv at threshold": (rate_at(0.0, rate="ppv"), of_point("ppv")),
    "npv at threshold": (rate_at(0.0, rate="npv"), of_point("npv")),
}


def f3():
    return rs.tabulate(*F3)


def noisy(n=200, seed=1, decimals=1):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    label[:2] = True, False
    score = np.round(rng.standard_normal((n, 2)) + label[:, None] * [1.0, 0.6], decimals)
    return label, score


# --- the statistics ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", KNOWN)
@settings(max_examples=30)
@given(sample=samples(), seed=st.integers(0, 2**32))
def test_many_replicates_at_once_are_as_one_by_one(name, sample, seed):
    statistic, function = KNOWN[name]
    statistic = STATISTICS.get(statistic, statistic)
    table = rs.tabulate(*sample)
    pos, neg = np.random.default_rng(seed).integers(0, 3, size=(2, 4, len(table)))
    got = statistic.values(table)(pos, neg)
    assert got.shape == (4, 1)
    for p, n, value in zip(pos, neg, got[:, 0], strict=True):
        if p.any() and n.any():
            want = function(ScoreTable.from_counts(table.score, p, n))
            assert value == pytest.approx(want, rel=1e-12, abs=1e-14, nan_ok=True)
        else:
            assert np.isnan(value)


@pytest.mark.parametrize("name", ["auc", "tpr at threshold", "fpr at threshold"])
def test_standard_errors_of_many_replicates(name):
    statistic = KNOWN[name][0]
    statistic = STATISTICS.get(statistic, statistic)
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    value, se = statistic.with_se(table)(table.pos[None], table.neg[None])[0]
    if name == "auc":
        assert (value, se) == pytest.approx((delong(table).value, delong(table).se), rel=1e-12)
    else:
        n = table.n_pos if name.startswith("tpr") else table.n_neg
        assert se == pytest.approx((value * (1 - value) / n) ** 0.5, rel=1e-12)


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_statistic_draws_what_a_function_draws(name):
    statistic, function = KNOWN[name]
    table = rs.tabulate(noisy(80)[0], noisy(80)[1][:, 0])
    for scheme in ("stratified", "unstratified"):
        known = bootstrap(table, statistic, n_boot=40, rng=3, scheme=scheme)
        called = bootstrap(table, function, n_boot=40, rng=3, scheme=scheme)
        np.testing.assert_allclose(known.replicates, called.replicates, rtol=1e-12, atol=1e-14)
        assert known.value == pytest.approx(called.value, rel=1e-12)


def test_all_samples_of_three_and_two_cases():
    # Positives 3, 2, 1 and negatives 2, 0: 3^3 x 2^2 = 108 samples, as likely each.
    pos, neg = (3, 2, 1), (2, 0)
    table = rs.tabulate_classes(pos, neg)
    for statistic, function in (
        ("auc", rs.auc),
        (tpr_at(0.5), lambda t: curve(t).tpr_at(0.5)),
    ):
        chance = {}
        samples_of_both = itertools.product(
            itertools.product(pos, repeat=3), itertools.product(neg, repeat=2)
        )
        for p, n in samples_of_both:
            value = round(function(rs.tabulate_classes(p, n)), 9)
            chance[value] = chance.get(value, 0) + Fraction(1, 108)
        found = np.round(bootstrap(table, statistic, n_boot=20_000, rng=2).replicates, 9)
        values = sorted(chance)
        assert set(found) <= set(values)
        seen = [np.count_nonzero(found == v) for v in values]
        expected = [float(20_000 * chance[v]) for v in values]
        assert stats.chisquare(seen, expected).pvalue > 1e-4


def test_moments_of_the_area():
    # Within classes E* AUC* = AUC, Var* = the plug-in variance, .015244 on F3.
    sample = bootstrap(f3(), "auc", n_boot=40_000, rng=5)
    variance = float(slow.inference.bamber_by_pairs(*F3))
    assert variance == pytest.approx(0.015244, abs=5e-7)
    assert sample.value == 0.68
    assert abs(sample.bias) < 4.5 * (variance / 40_000) ** 0.5
    assert sample.se**2 == pytest.approx(variance, rel=4.5 * (2.2 / 40_000) ** 0.5)


# --- acceleration -----------------------------------------------------------------------------


def literal_acceleration(label, score, function):
    """Leave out each case: both classes' deviations, each over its size."""
    label, score = np.array(label), np.array(score)
    square = cube = 0.0
    for own in (np.flatnonzero(label), np.flatnonzero(~label)):
        n = own.size
        left = np.array(
            [function(rs.tabulate(np.delete(label, i), np.delete(score, i))) for i in own]
        )
        deviation = (n - 1) * (left.mean() - left) / n
        square += (deviation**2).sum()
        cube += (deviation**3).sum()
    return cube / 6 / square**1.5


def test_acceleration_of_the_area_is_the_printed_one():
    # By hand from the placements: sums of cubes and squares.
    v10, v01 = slow.inference.placements_by_pairs(*F3)
    area = Fraction(17, 25)
    cube = sum((v - area) ** 3 for v in v10) / 1000 + sum((v - area) ** 3 for v in v01) / 1000
    square = sum((v - area) ** 2 for v in v10) / 100 + sum((v - area) ** 2 for v in v01) / 100
    got = bootstrap(f3(), "auc", n_boot=2, rng=1).acceleration
    assert got == pytest.approx(float(cube) / 6 / float(square) ** 1.5, rel=1e-12)
    assert got == pytest.approx(-0.0275027, abs=5e-8)


@pytest.mark.parametrize("name", ["youden", "average_precision", "tpr at", "fpr part", "tpr part"])
def test_acceleration_by_leaving_out_each_case(name):
    statistic, function = KNOWN[name]
    label, score = noisy(50)
    table = rs.tabulate(label, score[:, 0])
    want = literal_acceleration(label, score[:, 0], function)
    for one in (statistic, function):
        if one is statistic and "part" in name:
            continue  # from its placements: below
        got = bootstrap(table, one, n_boot=2, rng=1).acceleration
        assert got == pytest.approx(want, rel=1e-9)


def test_acceleration_of_the_area_of_unequal_classes():
    pos, neg = np.array([5, 2]), np.array([4, 3, 1, 0, 6])
    wins = pos[:, np.newaxis] > neg
    deviation = [(wins.mean(axis=1) - wins.mean()) / 2, (wins.mean(axis=0) - wins.mean()) / 5]
    sums = [sum((x**k).sum() for x in deviation) for k in (2, 3)]
    got = bootstrap(rs.tabulate_classes(pos, neg), "auc", n_boot=2, rng=1).acceleration
    assert got == pytest.approx(sums[1] / 6 / sums[0] ** 1.5)


def test_acceleration_of_a_part_does_not_know_its_scale():
    table = rs.tabulate(*F3)
    plain, standard = (
        bootstrap(table, partial_area(fpr=(0.2, 0.6), standardised=s), n_boot=2, rng=1)
        for s in (False, True)
    )
    assert plain.acceleration == pytest.approx(standard.acceleration)


def test_acceleration_of_a_part_is_near_that_by_leaving_out():
    # Placements linearise the area; leaving out is exact: they meet as n grows.
    label, score = noisy(2000, decimals=9)
    table = rs.tabulate(label, score[:, 0])
    for name in ("fpr part", "tpr part", "fpr part, standardised"):
        statistic, function = KNOWN[name]
        got = bootstrap(table, statistic, n_boot=2, rng=1).acceleration
        assert got == pytest.approx(
            literal_acceleration(label[:600], score[:600, 0], function) * (600 / 2000) ** 0.5,
            abs=0.01,
        )


@pytest.mark.parametrize("expanded", [64, 0])
def test_groups_left_out_tell_what_single_cases_tell(expanded, monkeypatch):
    label, score = noisy(1500, decimals=3)
    table = rs.tabulate(label, score[:, 0])
    exact = bootstrap(table, "youden", n_boot=2, rng=1).acceleration
    area = bootstrap(table, "auc", n_boot=2, rng=1).acceleration
    monkeypatch.setattr(_jackknife, "_MOST", 100)
    monkeypatch.setattr(_jackknife, "_EXPANDED", expanded)
    # A skewness of g groups is off by sqrt(6 / g), and a is a sixth of it over sqrt(g): .004.
    for statistic, want in ((rs.auc, area), ("youden", exact)):
        got = bootstrap(table, statistic, n_boot=2, rng=1).acceleration
        assert got == pytest.approx(want, abs=4 * 0.0041)
    strata = _jackknife.strata_of_table(table, "stratified")
    for stratum, n in zip(strata, (table.n_pos, table.n_neg), strict=True):
        parts = list(stratum.left_out(2 * len(table)))
        assert len(parts) == 100
        assert sum(size for _, size, _ in parts) == stratum.size == n
        assert all(amount.sum() == size for amount, size, _ in parts)
    together = sum(amount for s in strata for amount, _, _ in s.left_out(2 * len(table)))
    assert (together == np.concatenate([table.pos, table.neg])).all()


def test_acceleration_of_a_mean_is_its_skewness():
    # For a mean, a = sum d^3 / (6 (sum d^2)^(3/2)): by hand for 0, 0, 3: mean 1, d = -1, -1, 2;
    # (8 - 2) / (6 x 6^1.5) = 1 / 6^1.5
    x = np.array([0.0, 0.0, 3.0])
    everyone = Stratum(cell=np.arange(3), unit=np.arange(3), count=np.ones(3, dtype=np.int64))

    def mean(counts):
        return (counts @ x / counts.sum(axis=1))[:, None]

    assert left_out(mean, np.ones(3), [everyone]).acceleration == pytest.approx(6**-1.5)
    # The same data as two rows, of which the first holds two cases.
    rows = Stratum(cell=np.arange(2), unit=np.arange(2), count=np.array([2, 1]))

    def of_rows(counts):
        return (counts @ x[1:] / counts.sum(axis=1))[:, None]

    assert left_out(of_rows, np.array([2, 1]), [rows]).acceleration == pytest.approx(6**-1.5)


# --- intervals --------------------------------------------------------------------------------


def type_7(values, q):
    """The quantile with linear interpolation between order statistics, by its definition."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * q
    i = int(at)
    return ordered[i] + (at - i) * (ordered[min(i + 1, len(ordered) - 1)] - ordered[i])


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_intervals_by_their_definitions(level):
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    sample = bootstrap(table, "auc", n_boot=999, rng=7)
    drawn, value = sample.replicates, sample.value
    low, high = type_7(drawn, (1 - level) / 2), type_7(drawn, (1 + level) / 2)
    assert tuple(sample.interval(level, method="percentile")) == pytest.approx((low, high))
    basic = (2 * value - high, min(2 * value - low, 1.0))
    assert tuple(sample.interval(level, method="basic")) == pytest.approx(basic)
    z = stats.norm.ppf((1 + level) / 2)
    normal = (value - z * sample.se, min(value + z * sample.se, 1.0))
    assert tuple(sample.interval(level, method="normal")) == pytest.approx(normal)
    below = sum((d < value) + (d == value) / 2 for d in drawn) / 999
    z0, a = stats.norm.ppf(below), sample.acceleration
    ends = [type_7(drawn, stats.norm.cdf(z0 + (z0 + q) / (1 - a * (z0 + q)))) for q in (-z, z)]
    assert tuple(sample.interval(level, method="bca")) == pytest.approx(ends)
    assert sample.interval(level, method="bca").method == "bootstrap bca"
    assert sample.interval(level).level == level


def welch(square, size):
    """Welch and Satterthwaite's degrees of freedom, and how narrow replicates are, literally."""
    whole = sum(square)
    freedom = whole**2 / sum(v**2 / (n - 1) for v, n in zip(square, size, strict=True))
    wider = sum(v * n / (n - 1) for v, n in zip(square, size, strict=True)) / whole
    return freedom, wider**0.5


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_expanded_bca_by_its_definition(level):
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    sample = bootstrap(table, rs.auc, n_boot=999, rng=7)
    drawn, value, a = sample.replicates, sample.value, sample.acceleration
    square, size = [], []
    for own in (np.flatnonzero(label), np.flatnonzero(~np.array(label))):
        left = np.array(
            [rs.auc(rs.tabulate(np.delete(label, i), np.delete(score[:, 0], i))) for i in own]
        )
        square.append((((own.size - 1) / own.size * (left - left.mean())) ** 2).sum())
        size.append(own.size)
    freedom, wider = welch(square, size)
    assert min(size) - 1 < freedom < sum(size) - 2
    below, ties = np.mean(drawn < value), np.mean(drawn == value)
    half, least = below + ties / 2, min(max(below, 0.5), below + ties)
    z = wider * stats.t.ppf((1 + level) / 2, freedom)
    shares = []
    for at, q in ((min(half, least), -z), (max(half, least), z)):
        z0 = stats.norm.ppf(at)
        shares.append(stats.norm.cdf(z0 + (z0 + q) / (1 - a * (z0 + q))))
    want = [type_7(drawn, share) for share in shares]
    found = sample.interval(level, method="expanded-bca")
    assert tuple(found) == pytest.approx(want, rel=1e-9)
    assert found.method == "bootstrap expanded-bca"


@pytest.mark.parametrize("seed", range(6))
def test_expanded_bca_contains_bca_and_has_no_direction(seed):
    label, score = noisy(40 + seed)
    table = rs.tabulate(label, np.round(2 * score[:, 0]))
    sample = bootstrap(table, rs.youden, n_boot=300, rng=seed)
    low, high = sample.interval(method="expanded-bca")
    inner = sample.interval(method="bca")
    assert low <= inner.low < inner.high <= high
    back = bootstrap(table, lambda each: -rs.youden(each), n_boot=300, rng=seed)
    back = back.interval(method="expanded-bca")
    assert tuple(back) == pytest.approx((-high, -low), abs=1e-12)


def test_ties_with_a_value_at_its_lowest_are_no_bias():
    # Half of the replicates are 0, as the value: BCa takes a quarter to be below it, and its upper
    # limit from lower replicates.
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    lowest = rs.auc(table)

    def gain(each):
        return max(rs.auc(each) - lowest, 0.0)

    sample = bootstrap(table, gain, n_boot=1000, rng=1)
    zeros = np.mean(sample.replicates == 0)
    assert (sample.value, zeros) == pytest.approx((0, 0.5), abs=0.08)
    told, drawn = sample._left_out, sample.replicates
    z = told.narrowness[0] * stats.t.ppf(0.975, told.freedom[0])
    for method, below, q in (("bca", zeros / 2, 1.96), ("expanded-bca", min(zeros, 0.5), z)):
        z0 = stats.norm.ppf(below)
        share = stats.norm.cdf(z0 + (z0 + q) / (1 - sample.acceleration * (z0 + q)))
        found = sample.interval(method=method)
        assert tuple(found) == pytest.approx((0, type_7(drawn, share)), rel=1e-3)
    assert sample.interval().high > 1.2 * sample.interval(method="bca").high


def test_what_is_left_out_by_hand():
    # Shares of 3/4 and 1/4 of the variance, of 4 and 11 units.
    told = LeftOut(
        square=np.array([[3.0, 0.0], [1.0, 0.0]]),
        cube=np.array([[2.0, 0.0], [4.0, 0.0]]),
        size=np.array([4.0, 11.0]),
    )
    assert told.acceleration == pytest.approx([6 / 6 / 8, 0])
    assert told.freedom == pytest.approx([1 / (9 / 16 / 3 + 1 / 16 / 10), 3])
    assert told.narrowness**2 == pytest.approx([3 / 4 * 4 / 3 + 1 / 4 * 11 / 10, 4 / 3])
    assert told.first(1).freedom == pytest.approx(told.freedom[:1])
    # A class of one case shows no variance: the other has all.
    lone = LeftOut(
        square=np.array([[0.0, 0.0], [2.0, 0.0]]),
        cube=np.zeros((2, 2)),
        size=np.array([1.0, 6.0]),
    )
    assert lone.freedom == pytest.approx([5, 5])
    assert lone.narrowness**2 == pytest.approx([6 / 5, 6 / 5])


def test_studentised_by_its_definition():
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    sample = bootstrap(table, "auc", n_boot=400, rng=7)
    both = bootstrap(table, lambda t: np.array([delong(t).value, delong(t).se]), n_boot=400, rng=7)
    t = (both.replicates[:, 0] - rs.auc(table)) / both.replicates[:, 1]
    se = delong(table).se
    want = (rs.auc(table) - type_7(t, 0.975) * se, rs.auc(table) - type_7(t, 0.025) * se)
    assert tuple(sample.interval(method="studentised")) == pytest.approx(np.clip(want, 0, 1))
    called = bootstrap(table, delong, n_boot=400, rng=7)
    assert tuple(called.interval(method="studentised")) == pytest.approx(np.clip(want, 0, 1))


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_moderated_by_its_definition(level):
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    sample = bootstrap(table, "auc", n_boot=400, rng=7)
    both = bootstrap(table, lambda t: np.array([delong(t).value, delong(t).se]), n_boot=400, rng=7)
    (drawn, se), x, estimate = both.replicates.T, rs.auc(table), delong(table)
    pivots = [
        (a - x) / np.sqrt(s**2 * x * (1 - x) / (a * (1 - a)))
        for a, s in zip(drawn, se, strict=True)
    ]
    # The variance of the data: 20 degrees of freedom for the model, where that is larger.
    df, variance = estimate.df, estimate.se**2
    if estimate.model_se > estimate.se:
        variance = (df * variance + 20 * estimate.model_se**2) / (df + 20)
    ends = tuple(sample.interval(level, method="moderated"))
    for end, tail in zip(ends, ((1 + level) / 2, (1 - level) / 2), strict=True):
        pivot = (x - end) / np.sqrt(variance * end * (1 - end) / (x * (1 - x)))
        assert pivot == pytest.approx(type_7(pivots, tail))
    assert sample.interval(level, method="moderated").method == "bootstrap moderated"
    called = bootstrap(table, delong, n_boot=400, rng=7)
    assert tuple(called.interval(level, method="moderated")) == pytest.approx(ends)


def test_a_difference_adds_the_squares_of_both_moderated_intervals():
    label, score = noisy(60)
    data = rs.pair_scores(label, {"a": score[:, 0], "b": score.sum(axis=1)})
    sample = bootstrap(data, difference(), n_boot=300, rng=4)
    both = bootstrap(data, "auc", n_boot=300, rng=4)
    np.testing.assert_allclose(sample.replicates, -np.diff(both.replicates)[:, 0], atol=1e-12)
    one, two = both.intervals(0.9, method="moderated")
    a, b = both.value
    # A correlation found in n pairs counts r n / (n + 1).
    n = min(label.sum(), (~label).sum())
    r = np.corrcoef(both.replicates.T)[0, 1] * n / (n + 1)
    low, high = (
        np.sqrt(x**2 + y**2 - 2 * r * x * y)
        for x, y in ((a - one.low, two.high - b), (one.high - a, b - two.low))
    )
    found = sample.interval(0.9)
    assert tuple(found) == pytest.approx((a - b - low, a - b + high))
    assert found.method == "bootstrap moderated"
    back = bootstrap(
        rs.pair_scores(label, {"b": score.sum(axis=1), "a": score[:, 0]}),
        difference(),
        n_boot=300,
        rng=4,
    ).interval(0.9)
    assert tuple(back) == pytest.approx((-found.high, -found.low))


def test_who_has_a_standard_error_and_a_scale_gets_moderated_unless_told():
    label, score = noisy(120, decimals=9)
    table, data = rs.tabulate(label, score[:, 0]), rs.pair_scores(label, {"a": score[:, 0]})
    two = rs.pair_scores(label, {"a": score[:, 0], "b": score[:, 1]})
    weighted = rs.pair_scores(label, {"a": score[:, 0]}, sample_weight=1 + score[:, 0] ** 2)
    for made, statistic, usual in (
        (table, partial(auc_estimate, method="bamber"), "moderated"),
        (two, difference(), "moderated"),
        (two, difference("youden"), "expanded-bca"),
        (weighted, "youden", "expanded-bca"),
        (weighted, rate_at(0.5), "expanded-bca"),
        (two, difference(tpr_at(0.2)), "expanded-bca"),
        (two, difference(partial_area(fpr=(0, 0.2))), "expanded-bca"),
        (weighted, tpr_at(0.2), "expanded-bca"),
        (table, rs.auc, "expanded-bca"),
    ):
        sample = bootstrap(made, statistic, n_boot=100, rng=1)
        assert sample.interval().method == f"bootstrap {usual}"
        assert sample.interval() == sample.interval(method=usual)
    for made, statistic in ((table, "auc"), (data, "auc"), (table, delong)):
        sample = bootstrap(made, statistic, n_boot=100, rng=1)
        assert sample.interval(0.9) == delong(table).interval(0.9)
    sample = bootstrap(table, partial_auc_estimate, n_boot=100, rng=1)
    assert sample.interval() == partial_auc_estimate(table).interval()
    raw = bootstrap(table, partial_area(tpr=(0.3, 1)), n_boot=100, rng=1).interval()
    assert raw == partial_auc_estimate(table, tpr=(0.3, 1)).interval()
    part = partial_area(fpr=(0, 0.2), standardised=True)
    scaled = bootstrap(table, part, n_boot=100, rng=1).interval()
    ends = partial_auc_estimate(table, fpr=(0, 0.2)).interval()
    # (1 + (A - .02) / (.2 - .02)) / 2, .02 being the area below the diagonal.
    assert tuple(scaled) == pytest.approx([(1 + (end - 0.02) / 0.18) / 2 for end in ends])
    each = bootstrap(two, "auc", n_boot=100, rng=1).intervals(0.9)
    assert list(each) == [delong(two.table(name)).interval(0.9) for name in "ab"]
    (of_a, of_b) = bootstrap(two, tpr_at(0.2), n_boot=100, rng=1).intervals()
    assert of_a == tpr_at_interval(two.table("a"), fpr=0.2)
    assert of_b == tpr_at_interval(two.table("b"), fpr=0.2)


def test_areas_of_weighted_and_clustered_cases_have_the_intervals_of_their_formulas():
    label, score = noisy(60)
    columns = {"a": score[:, 0], "b": score[:, 1]}
    weighted = rs.pair_scores(label, columns, sample_weight=np.arange(60) % 4 + 1)
    each = bootstrap(weighted, "auc", n_boot=50, rng=1).intervals(0.9)
    assert list(each) == [delong(weighted.table(name)).interval(0.9) for name in "ab"]
    part = bootstrap(weighted, partial_area(fpr=(0, 0.4)), n_boot=50, rng=1).intervals()
    assert part[1] == partial_auc_estimate(weighted.table("b"), fpr=(0, 0.4)).interval()
    clustered = rs.pair_scores(label, columns, cluster=np.arange(60) // 3)
    each = bootstrap(clustered, "auc", n_boot=50, rng=1).intervals(0.9)
    assert list(each) == [clustered_auc_estimate(clustered, name).interval(0.9) for name in "ab"]
    ends = clustered_auc_estimate(clustered, "a", tpr=(0.2, 1)).interval()
    raw, _ = bootstrap(clustered, partial_area(tpr=(0.2, 1)), n_boot=50, rng=1).intervals()
    assert raw == ends
    # (1 + (A - .32) / (.8 - .32)) / 2, .32 being the area below the diagonal.
    part = partial_area(tpr=(0.2, 1), standardised=True)
    scaled = bootstrap(clustered, part, n_boot=50, rng=1).intervals()[0]
    assert tuple(scaled) == pytest.approx([(1 + (end - 0.32) / 0.48) / 2 for end in ends])
    alone = bootstrap(clustered, "auc", n_boot=50, rng=1, scheme="stratified").intervals()[0]
    assert alone == delong(clustered.table("a")).interval()
    assert "unseen-bca" in bootstrap(clustered, "youden", n_boot=50, rng=1).intervals()[0].method


@pytest.mark.parametrize("rate", ["tpr", "fpr", "tnr", "fnr", "ppv", "npv"])
def test_rates_at_a_threshold_have_the_intervals_of_their_formulas(rate):
    label, score = noisy(60)
    table = rs.tabulate(label, score[:, 0])
    at = float(np.median(score[:, 0]))
    point = point_at(table, at)
    found = bootstrap(table, rate_at(at, rate=rate), n_boot=50, rng=1)
    share = label.mean()
    wanted = (
        predictive_value_interval(point, rate, prevalence=share, level=0.9)
        if rate in ("ppv", "npv")
        else point_interval(point, rate, level=0.9)
    )
    assert tuple(found.interval(0.9)) == pytest.approx(tuple(wanted), rel=1e-12)
    assert wanted.low < found.value < wanted.high


def test_a_small_class_in_one_category_is_no_certainty():
    # Review, statistics 1: no replicate knows a positive that is not called. The area is .985.
    table = rs.ScoreTable.from_counts([1, 0], [100, 0], [200, 9800])
    sample = bootstrap(table, "auc", n_boot=400, rng=1)
    assert 0.985 in sample.interval()
    assert 0.985 not in sample.interval(method="moderated")


@settings(max_examples=60)
@given(sample=samples(), seed=st.integers(0, 99))
def test_standard_errors_of_replicates_are_delongs(sample, seed):
    # Repeat the cases of each replicate, and ask for the slow definition of theirs.
    table = rs.tabulate(*sample)
    for scheme in ("stratified", "unstratified"):
        counts = replicate(table, both_counts, n_boot=4, rng=seed, scheme=scheme).astype(int)
        found = area_with_error(counts[:, 0], counts[:, 1])
        for (pos, neg), (area, se) in zip(counts, found, strict=True):
            if pos.any() and neg.any():
                want = delong(rs.ScoreTable.from_counts(table.score, pos, neg))
                assert area == pytest.approx(want.value, abs=1e-12)
                assert se == pytest.approx(want.se, rel=1e-6, abs=1e-9, nan_ok=True)
            else:
                assert np.isnan(area)


def both_counts(pos, neg):
    return np.stack([pos, neg], axis=1)


@pytest.mark.parametrize("scheme", ["stratified", "unstratified"])
@pytest.mark.parametrize("digits", [1, 9])
def test_compiled_standard_errors_are_those_of_the_counts(scheme, digits, monkeypatch):
    # The compiled loops' sums are checked by a replicate that is known: every case once.
    from rocspace._kernels.errors import sums_of_draws

    rng = np.random.default_rng(3)
    label = rng.random(9000) < 0.2
    table = rs.tabulate(label, (rng.standard_normal(9000) + label).round(digits))
    monkeypatch.setattr("rocspace.resampling.errors.error_pays", lambda draws: True)
    monkeypatch.setattr("rocspace.resampling.errors.rows_are_few", lambda count: False)
    options = {"n_boot": 300, "rng": 5, "scheme": scheme}
    area, se = replicate_areas(table, **options).T
    np.testing.assert_array_equal(area, replicate_areas(table, **options)[:, 0])
    for threads in (1, 3):
        again = replicate_areas(table, threads=threads, **options)
        np.testing.assert_array_equal(again[:, 1], se)
    slow_se = replicate(table, area_with_error, n_boot=300, rng=6, scheme=scheme)[:, 1]
    # Two means and spreads of 300: five standard errors of their differences.
    assert se.mean() == pytest.approx(slow_se.mean(), abs=5 * se.std() * (2 / 300) ** 0.5)
    assert se.std() == pytest.approx(slow_se.std(), rel=5 / 300**0.5)
    sweep, sums = Sweep(table), np.empty(3)
    once = [np.arange(own.n + 1, dtype=np.int32) for own in (sweep.pos, sweep.neg)]
    sums_of_draws(*once, sweep.above, sweep.upto, sums)
    twice = 2 * (table.fp - table.neg) + table.neg
    below = 2 * (table.n_pos - table.tp) + table.pos
    want = [table.pos @ twice, table.pos @ twice**2, table.neg @ below**2]
    np.testing.assert_allclose(sums, want, rtol=1e-12)


@settings(max_examples=40, deadline=None)
@given(sample=samples(), seed=st.integers(0, 99))
def test_sums_of_draws_by_definition(sample, seed):
    from rocspace._kernels.errors import sums_of_draws

    table, rng = rs.tabulate(*sample), np.random.default_rng(seed)
    sweep, found = Sweep(table), np.empty(3)
    drawn, rows = [], []
    for own in (table.pos, table.neg):
        n = int(own.sum())
        often = rng.multinomial(n, np.full(n, 1 / n))
        drawn.append(np.append(0, often.cumsum()).astype(np.int32))
        rows.append(np.bincount(np.repeat(np.arange(len(table)), own), often, len(table)))
    sums_of_draws(*drawn, sweep.above, sweep.upto, found)
    pos, neg = rows
    order = np.arange(len(table))
    wins = 2 * (order[:, None] < order) + (order[:, None] == order)  # of the row over the column
    lost = wins.T @ neg  # each positive, to negatives above
    beaten = wins @ pos  # each negative, over positives below
    want = [pos @ lost, pos @ lost**2, neg @ beaten**2]
    np.testing.assert_allclose(found, want)


def test_compiled_standard_errors_of_cases(monkeypatch):
    label, score = noisy(50)
    data = rs.pair_scores(label, {"a": score[:, 0].round(1), "b": score[:, 1]})
    plain = bootstrap(data, "auc", n_boot=60, rng=2)
    monkeypatch.setattr("rocspace.resampling.runs.error_pays", lambda draws: True)
    compiled = bootstrap(data, "auc", n_boot=60, rng=2)
    np.testing.assert_allclose(compiled.replicates, plain.replicates, rtol=1e-12)
    for method in ("moderated", "studentised"):
        for one, other in zip(
            compiled.intervals(method=method), plain.intervals(method=method), strict=True
        ):
            assert tuple(one) == pytest.approx(tuple(other), rel=1e-9)


def test_replicates_at_an_end_are_as_far_as_can_be():
    # 3 positives above 8 of 9 negatives and one of them below one: many replicates are perfect,
    # more than 2.5 %, so that the lower end is unknown.
    table = rs.tabulate_classes([9, 8, 5], [6, 1, 1, 2, 2, 3, 3, 4, 4])
    sample = bootstrap(table, "auc", n_boot=400, rng=1)
    assert (sample.replicates == 1).mean() > 0.1
    assert sample.interval(method="moderated").method == "hoeffding"


def test_percentiles_follow_any_increasing_map():
    # The quantiles of 2A - 1 are those of A, mapped.
    area = bootstrap(f3(), rs.auc, rng=3, n_boot=300)
    mapped = bootstrap(f3(), rs.gini, rng=3, n_boot=300)
    a, g = area.interval(method="percentile"), mapped.interval(method="percentile")
    assert (g.low, g.high) == pytest.approx((2 * a.low - 1, 2 * a.high - 1))


@pytest.mark.parametrize("name", ["auc", "average_precision", "fpr part"])
def test_intervals_are_those_of_scipy(name):
    statistic, function = KNOWN[name]
    label, score = noisy(70)
    pos, neg = score[label, 0], score[~label, 0]
    ours = bootstrap(rs.tabulate(label, score[:, 0]), statistic, n_boot=6000, rng=1)
    theirs = stats.bootstrap(
        (pos, neg),
        lambda x, y: function(rs.tabulate_classes(x, y)),
        n_resamples=1500,
        vectorized=False,
        method="BCa",
        rng=2,
    )
    # A 2.5 % quantile of m replicates is off by sqrt(.025 .975 / m) / .0584 = 2.7 / sqrt(m) se.
    allowed = 4.5 * 2.7 * (1 / 6000 + 1 / 1500) ** 0.5 * ours.se
    bca = ours.interval(method="bca")
    assert tuple(bca) == pytest.approx(tuple(theirs.confidence_interval), abs=allowed)
    assert ours.se == pytest.approx(theirs.standard_error, rel=4.5 * (0.7 / 1500) ** 0.5)


def test_replicates_on_one_side_give_percentiles_and_say_so():
    # A replicate of 20 different scores practically never has all of them.
    sample = bootstrap(f3(), len, n_boot=60, rng=2)
    assert (sample.replicates < sample.value).all()
    found = sample.interval(method="bca")
    assert tuple(found) == tuple(sample.interval(method="percentile"))
    assert "all replicates lie on one side" in found.method
    usual = sample.interval()
    assert usual.method == "bootstrap unseen-bca: percentile, as all replicates lie on one side"
    assert usual.low <= found.low <= found.high <= usual.high
    assert "one side" not in sample.interval(method="percentile").method


# --- where nothing varies ---------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_perfect_separation_has_no_point_for_an_interval(method):
    # Six positives above four negatives: the area is 1 in each replicate. Hoeffding: at least
    # (.025)^(1/4) = .3976...
    sample = bootstrap(rs.tabulate(*F4), "auc", n_boot=50, rng=1)
    found = sample.interval(method=method)
    assert (found.low, found.high) == pytest.approx((0.025**0.25, 1.0))
    assert found.method == "hoeffding"


def test_average_precision_allows_for_a_quarter_of_a_case():
    table = rs.tabulate(*F3)
    found = bootstrap(table, "average_precision", n_boot=20, rng=1).interval(0.9)
    assert found.method.startswith("classes, unseen")
    # No ties: a quarter of a negative at the top, and of a positive at the bottom.
    pos, neg = (np.array(c, dtype=float) for c in (table.pos, table.neg))
    pos[-1] += 0.25
    neg[0] += 0.25
    precision = float(pos @ (pos.cumsum() / (pos + neg).cumsum())) / pos.sum()
    assert found.low < precision < average_precision(table) < found.high
    # The upper limit is the one-sided exact one, as the variance of a proportion is the larger.
    x = average_precision(table)
    assert found.high == pytest.approx(stats.beta.ppf(0.9, 10 * x + 1, 10 * (1 - x)))


def test_bounds_rest_on_the_cases_that_the_quantity_is_a_mean_of():
    table = rs.tabulate(*F4)  # 6 positives, 4 negatives, threshold 0 calls all positive
    found = {
        name: bootstrap(table, known, n_boot=20, rng=1).interval(method="bca")
        for name, (known, _) in KNOWN.items()
        if name != "npv at threshold"  # of the cases called negative, of which there are none
    }
    assert found["tpr at"].low == pytest.approx(0.025 ** (1 / 6))
    assert found["fpr at"].high == pytest.approx(1 - 0.025 ** (1 / 4))
    assert found["average_precision"].low == pytest.approx(0.025 ** (1 / 6))
    # (1 + J) / 2 is a mean of pairs.
    assert found["youden"].low == pytest.approx(max(2 * 0.025 ** (1 / 4) - 1, 0))
    # A part falls short of its greatest value by no more than the whole does.
    assert tuple(found["fpr part"]) == pytest.approx((0.0, 0.35))
    estimate = partial_auc_estimate(table, fpr=(0.1, 0.45)).interval()
    assert tuple(found["fpr part"]) == pytest.approx(tuple(estimate))
    assert found["fpr part, standardised"].high == pytest.approx(1)
    assert found["fpr part, standardised"].low < 0.6


def test_of_a_function_without_known_range_nothing_is_known():
    found = bootstrap(rs.tabulate(*F4), rs.auc, n_boot=20, rng=1).interval()
    assert tuple(found) == (-np.inf, np.inf)
    assert found.method == "whole range"
    known = bootstrap(rs.tabulate(*F4), delong, n_boot=20, rng=1).interval()
    assert tuple(known) == pytest.approx((0.025**0.25, 1.0))


@pytest.mark.parametrize("name", KNOWN)
@settings(max_examples=15)
@given(sample=samples(), seed=st.integers(0, 99), level=st.sampled_from([0.5, 0.95, 0.999]))
def test_intervals_stay_in_the_range_and_are_no_points(name, sample, seed, level):
    table = rs.tabulate(*sample)
    if math.isnan(KNOWN[name][1](table)):  # nobody is called positive, or nobody negative
        with pytest.raises(ValueError, match=f"{name} 0 was undefined in all 30 replicates"):
            bootstrap(table, KNOWN[name][0], n_boot=30, rng=seed)
        return
    drawn = bootstrap(table, KNOWN[name][0], n_boot=30, rng=seed)
    low, high = drawn._run.range
    for method in METHODS:
        if method == "studentised" and drawn._errors is None:
            continue
        if method == "moderated" and drawn._run.moderated is None:
            continue
        found = drawn.interval(level, method=method)
        assert low <= found.low < found.high <= high


def test_a_lone_positive_is_named():
    table = rs.tabulate([1, 0, 0, 0], [2, 1, 3, 0])
    assert "one positive only" in bootstrap(table, "auc", rng=1, n_boot=50).interval().method


# --- schemes ----------------------------------------------------------------------------------


def test_samples_that_lack_a_class_are_rejected_and_counted():
    # Two cases: half of all samples have both; the positive beats the negative.
    sample = bootstrap(
        rs.tabulate([0, 1], [1, 2]), "auc", n_boot=4000, rng=1, scheme="unstratified"
    )
    assert stats.binomtest(sample.n_failed, 4000, 0.5).pvalue > 1e-4
    assert (sample.replicates == 1).all()
    assert sample.replicates.size == 4000 - sample.n_failed
    assert f"{sample.n_failed} failed" in repr(sample)
    tied = bootstrap(
        rs.tabulate([0, 1, 0, 1], [1, 2, 2, 1]), "auc", n_boot=500, rng=1, scheme="unstratified"
    )
    assert f"{tied.n_failed} replicates failed" in tied.interval().method


def test_failures_of_a_function_are_counted():
    def fragile(table):
        rs.auc(table)
        if len(table) < 15:
            rs.auc(rs.tabulate([1], [1]))
        return np.nan if table.score[0] < 0.9 else len(table)

    sample = bootstrap(f3(), fragile, n_boot=300, rng=1)
    assert 0 < sample.n_failed < 300
    assert sample.replicates.size == 300 - sample.n_failed
    assert (sample.replicates >= 15).all()
    with pytest.raises(ValueError, match="never was undefined in all 5 replicates"):
        bootstrap(f3(), never, n_boot=5)


def never(table):
    return 1.0 if table == f3() else np.nan


@pytest.mark.parametrize("statistic", ["auc", "youden", rs.auc])
@pytest.mark.parametrize("always", [False, True])
def test_numbers_do_not_depend_on_threads(statistic, always, monkeypatch):
    if always:
        monkeypatch.setattr(_draws, "_COMPILED", 0)
    label, score = noisy(4000, decimals=4)
    table = rs.tabulate(label, score[:, 0])
    n_boot = 100
    one, two, other = (
        bootstrap(table, statistic, n_boot=n_boot, rng=rng, threads=threads).replicates
        for rng, threads in ((4, 1), (4, 3), (5, 3))
    )
    assert (one == two).all()
    assert not (one == other).all()
    rng = np.random.default_rng(4)
    assert (bootstrap(table, statistic, n_boot=n_boot, rng=rng).replicates == one).all()


# --- cases ------------------------------------------------------------------------------------


def paired(n=80, **more):
    label, score = noisy(n)
    return rs.pair_scores(label, {"a": score[:, 0], "b": score[:, 1]}, **more)


@pytest.mark.parametrize("name", ["auc", "youden", "tpr at", "tpr at threshold", "fpr part"])
@pytest.mark.parametrize("kind", ["plain", "weighted", "clustered", "lower", "unstratified"])
def test_known_statistics_of_cases_are_those_of_resampled_cases(name, kind, monkeypatch):
    statistic, function = KNOWN[name]
    rng = np.random.default_rng(5)
    more, scheme = {}, "stratified"
    if kind == "weighted":
        more["sample_weight"] = rng.integers(0, 4, 80) / 2
    if kind == "clustered":
        more["cluster"], scheme = rng.integers(0, 20, 80), "cluster"
    if kind == "lower":
        more["higher_is_positive"] = False
    if kind == "unstratified":
        scheme = "unstratified"
    data = paired(**more)
    known = bootstrap(data, statistic, n_boot=25, rng=3, scheme=scheme)
    called = bootstrap(
        data,
        lambda d: np.array([function(d.table("a")), function(d.table("b"))]),
        n_boot=25,
        rng=3,
        scheme=scheme,
    )
    np.testing.assert_allclose(known.value, called.value, rtol=1e-12)
    np.testing.assert_allclose(known.replicates, called.replicates, rtol=1e-11)
    gap = bootstrap(data, difference(statistic), n_boot=25, rng=3, scheme=scheme)
    np.testing.assert_allclose(
        gap.replicates, called.replicates[:, 0] - called.replicates[:, 1], atol=1e-12
    )
    np.testing.assert_allclose(known.acceleration, called.acceleration, rtol=1e-8, atol=1e-9)
    if name == "auc":
        run = run_of(data, statistic, scheme)
        slow_way = run.draw(n_boot=25, rng=3)
        monkeypatch.setattr(_draws, "_COMPILED", 1)
        monkeypatch.setattr(_errors, "_COMPILED", 1)
        times = np.random.default_rng(1).integers(0, 3, (4, len(data))).astype(float)
        monkeypatch.setattr(
            "rocspace.resampling.runs.replicate_cases", lambda data, f, **options: f(times)
        )
        compiled = run.draw(n_boot=25, rng=3)
        monkeypatch.setattr(_draws, "_COMPILED", 10**9)
        monkeypatch.setattr(_errors, "_COMPILED", 10**9)
        np.testing.assert_allclose(compiled, run.draw(n_boot=25, rng=3), rtol=1e-12)
        assert slow_way[:, :2].shape == (25, 2)


def test_one_score_of_cases_gives_one_number():
    label, score = noisy(50)
    sample = bootstrap(rs.pair_scores(label, {"a": score[:, 0]}), "auc", n_boot=30, rng=1)
    assert sample.value == rs.auc(rs.tabulate(label, score[:, 0]))
    assert sample.interval().width > 0


def test_several_scores_give_several_intervals():
    sample = bootstrap(paired(), "auc", n_boot=200, rng=1)
    assert sample.replicates.shape == (200, 2)
    for method in METHODS:
        both = sample.intervals(0.9, method=method)
        assert len(both) == 2
        for i, found in enumerate(both):
            assert found.low < sample.value[i] < found.high
    with pytest.raises(ValueError, match=r"2 numbers: ask for intervals"):
        sample.interval()


def test_a_cluster_drawn_twice_is_two_clusters():
    data = paired(40, cluster=np.arange(40) // 4)
    seen = bootstrap(
        data, lambda d: float(np.unique(d.cluster).size), n_boot=40, rng=1, scheme="cluster"
    )
    assert (seen.replicates == 10).all()


def test_clusters_make_the_area_less_sure():
    # Each patient has five equal cases: as good as one, so the variance is about five-fold.
    rng = np.random.default_rng(2)
    label = np.repeat(rng.random(60) < 0.5, 5)
    score = np.repeat(rng.standard_normal(60), 5) + label
    data = rs.pair_scores(label, {"a": score}, cluster=np.repeat(np.arange(60), 5))
    single = bootstrap(data, "auc", n_boot=1500, rng=1, scheme="stratified").se
    whole = bootstrap(data, "auc", n_boot=1500, rng=1, scheme="cluster").se
    assert whole / single == pytest.approx(5**0.5, rel=0.15)
    assert bootstrap(data, "auc", n_boot=1500, rng=1).se == whole  # the default knows of clusters


# --- other programs ---------------------------------------------------------------------------

MARKERS = ("asah__ndka", "asah__s100b", "rocr_simple__prediction", "suicide__dsi")


def off(se, m=2000):
    """How far two 2.5 % quantiles of m and 6000 replicates may be apart."""
    return 4.5 * 2.7 * (1 / 6000 + 1 / m) ** 0.5 * se


@pytest.mark.parametrize("name", MARKERS)
def test_proc_bootstraps_the_same_areas(name, request):
    theirs = answer(f"boot__{name}", request)
    table = rs.tabulate(*slow.data.cases(*name.split("__")[:1], request, name.split("__")[1]))
    for scheme in ("stratified", "unstratified"):
        ours = bootstrap(table, "auc", n_boot=6000, rng=1, scheme=scheme)
        low, middle, high = theirs[f"ci_auc_{scheme}"]
        found = ours.interval(method="percentile")
        assert tuple(found) == pytest.approx((low, high), abs=off(ours.se))
        assert np.median(ours.replicates) == pytest.approx(middle, abs=off(ours.se) / 2)
        if scheme == "stratified":
            # Relative error of a variance: sqrt(2 / m), and a little more for heavy tails.
            assert theirs["var_bootstrap"] == pytest.approx(ours.se**2, rel=4.5 * 0.04)


@pytest.mark.parametrize("name", MARKERS)
def test_proc_bootstraps_the_same_points(name, request):
    theirs = answer(f"boot__{name}", request)
    table = rs.tabulate(*slow.data.cases(*name.split("__")[:1], request, name.split("__")[1]))

    def check(statistic, row, flip, step):
        ours = bootstrap(table, statistic, n_boot=6000, rng=1)
        # Not `interval`: at an end of the range it is wider than the replicates.
        found = np.quantile(ours.replicates, [0.025, 0.975, 0.5])
        low, middle, high = row
        want = [1 - high, 1 - low, 1 - middle] if flip else [low, high, middle]
        # Rates have steps: a quantile may jump by one where the other does not.
        assert found == pytest.approx(want, abs=off(ours.se) + step)

    step_pos, step_neg = 1 / table.n_pos, 1 / table.n_neg
    specs = theirs["ci_se_at_spec"]
    for spec, row in list(zip(specs["specificities"], specs["ci"]["rows"], strict=True))[4:10]:
        check(tpr_at(1 - spec), row, False, step_pos)
    senses = theirs["ci_sp_at_sens"]
    for sens, row in list(zip(senses["sensitivities"], senses["ci"]["rows"], strict=True))[1:9]:
        check(fpr_at(sens), row, True, step_neg)
    fixed = theirs["ci_thresholds"]
    for i, threshold in enumerate(fixed["thresholds"]):
        check(rate_at(threshold, rate="fpr"), fixed["specificity"]["rows"][i], True, step_neg)
        check(rate_at(threshold), fixed["sensitivity"]["rows"][i], False, step_pos)


def test_proc_bootstraps_the_same_differences(request):
    theirs = answer("paired__asah__s100b_vs_ndka", request)
    label, one = slow.data.cases("asah", request, "s100b")
    data = rs.pair_scores(
        label, {"s100b": one, "ndka": slow.data.cases("asah", request, "ndka")[1]}
    )
    for statistic, name in (
        ("auc", "bootstrap_2000_seed42"),
        (partial_area(fpr=(0, 0.1)), "bootstrap_pauc_spec_1_0.9_2000_seed42"),
    ):
        ours = bootstrap(data, difference(statistic), n_boot=4000, rng=1)
        estimate = list(theirs[name]["estimate"].values())
        assert ours.value == pytest.approx(estimate[0] - estimate[1], rel=1e-9)
        # D is the difference over its bootstrap standard error.
        assert ours.value / ours.se == pytest.approx(theirs[name]["statistic"]["D"], rel=0.1)


# --- Bayes ------------------------------------------------------------------------------------


def test_moments_of_the_bayesian_bootstrap():
    # Mean .68, sd .1174664, from E A^2 = (S^2 + R + C + q) / (P (P+1) N (N+1)).
    S, R, C, q, P, N = slow.inference.psi_sums(*F3)
    second = (S * S + R + C + q) / (P * (P + 1) * N * (N + 1))
    sd = float(second - Fraction(17, 25) ** 2) ** 0.5
    assert sd == pytest.approx(0.1174664, abs=5e-8)
    many = 40_000
    drawn = bayesian_bootstrap(f3(), n_boot=many, rng=1, fpr=[0.5])
    assert abs(drawn.mean - 0.68) < 4.5 * sd / many**0.5
    assert drawn.sd == pytest.approx(sd, rel=4.5 * (0.6 / many) ** 0.5)
    # Inv: close to DeLong's.
    assert drawn.sd == pytest.approx(auc_variance(f3()) ** 0.5, rel=0.1)


def test_tied_areas_have_the_moments_too():
    label, score = [1, 1, 1, 0, 0, 0, 0], [2, 1, 3, 1, 0, 2, 1]
    S, R, C, q, P, N = slow.inference.psi_sums(label, score)
    # Ties inside a class share one Dirichlet weight: the sums are over cases all the same.
    second = (S * S + R + C + q) / (P * (P + 1) * N * (N + 1))
    drawn = bayesian_bootstrap(rs.tabulate(label, score), n_boot=40_000, rng=1)
    assert drawn.mean == pytest.approx(float(S) / (P * N), abs=0.005)
    assert drawn.sd == pytest.approx(float(second - (S / (P * N)) ** 2) ** 0.5, rel=0.02)


def test_curves_of_the_bayesian_bootstrap_by_definition(monkeypatch):
    # Two negatives 2, 0 with weights .25, .75, positives 3, 2, 1 with weights .5, .3, .2 (a
    # Dirichlet draw is scaled to the class): U = 0, .125, .25, so the curve is .5 from 0 on,
    # .8 from .125 and 1 from .25. Area: 1 - (.3 x .125 + .2 x .25) = .9125.
    table = rs.tabulate_classes([3, 2, 1], [2, 0])
    pos, neg = np.array([[1.5, 0.9, 0.6, 0.0]]), np.array([[0.0, 0.5, 0.0, 1.5]])
    monkeypatch.setattr(
        "rocspace.resampling.bootstrapping.replicate",
        lambda table, function, *rest, **options: function(pos, neg),
    )
    drawn = bayesian_bootstrap(table, fpr=[0, 0.1, 0.125, 0.2, 0.25, 1])
    np.testing.assert_allclose(drawn.tpr, [[0.5, 0.5, 0.8, 0.8, 1, 1]])
    assert drawn.auc == pytest.approx([0.9125])


def test_credible_limits():
    drawn = bayesian_bootstrap(f3(), n_boot=500, rng=2)
    assert tuple(drawn.interval(0.8)) == pytest.approx(
        (type_7(drawn.auc, 0.1), type_7(drawn.auc, 0.9))
    )
    curve = drawn.curve(0.8)
    low, mean, high = curve.low, curve.tpr, curve.high
    assert low.shape == mean.shape == high.shape == drawn.fpr.shape == (101,)
    np.testing.assert_allclose(mean, drawn.tpr.mean(axis=0))
    for limit in (low, mean, high):
        assert (np.diff(limit) >= -1e-12).all()
    assert high[-1] == pytest.approx(1)
    assert low[30] == pytest.approx(type_7(drawn.tpr[:, 30], 0.1))
    found = bayesian_bootstrap(rs.tabulate(*F4), n_boot=20, rng=1).interval()
    assert tuple(found) == pytest.approx((0.025**0.25, 1.0))
    again = bayesian_bootstrap(f3(), n_boot=500, rng=2, threads=3)
    assert (again.auc == drawn.auc).all()
    assert "0.6" in repr(drawn)


# --- bad input --------------------------------------------------------------------------------


def test_messages():
    table = f3()
    weighted = rs.tabulate([0, 1], [1, 2], sample_weight=[1.0, 2.0])
    for data, statistic, more, text in (
        (table, "acu", {}, "must be one of 'auc'.*Did you mean"),
        (table, "auc", {"scheme": "paired"}, "scheme is 'paired'"),
        (table, "auc", {"scheme": "cluster"}, "no longer knows its clusters"),
        (table, "auc", {"n_boot": 0}, "n_boot is 0"),
        (weighted, "auc", {}, "no longer knows its cases"),
        (weighted, rs.auc, {}, "no longer knows its cases"),
        (paired(), "auc", {"scheme": "cluster"}, "needs clusters"),
        (rs.pair_scores([1, 0], {"a": [2, 1]}), difference(), {}, "needs two scores"),
        (table, lambda t: np.zeros((2, 2)), {}, r"array of shape \(2, 2\)"),
        (table, lambda t: t.score.astype(float), {"rng": 1}, "always give as many"),
    ):
        with pytest.raises(ValueError, match=text):
            bootstrap(data, statistic, n_boot=more.pop("n_boot", 5), **more)
    with pytest.raises(TypeError, match="compares two scores"):
        bootstrap(table, difference("auc"))
    with pytest.raises(TypeError, match="takes a ScoreTable"):
        bootstrap([0, 1], "auc")
    for data in (rs.tabulate([1, 1], [1, 2]), rs.pair_scores([1, 1], {"a": [1, 2]})):
        with pytest.raises(SingleClassError, match="bootstrap needs"):
            bootstrap(data, "auc")
    sample = bootstrap(table, "youden", n_boot=20, rng=1)
    with pytest.raises(ValueError, match="youden has no standard error"):
        sample.interval(method="studentised")
    with pytest.raises(ValueError, match="youden has no standard error for each replicate"):
        sample.interval(method="moderated")
    rates = bootstrap(table, rate_at(0.5), n_boot=20, rng=1)
    with pytest.raises(ValueError, match="no standard error on a scale of its own"):
        rates.interval(method="moderated")
    with pytest.raises(ValueError, match="method is 'bac'"):
        sample.interval(method="bac")
    with pytest.raises(ValueError, match="level is 95"):
        sample.interval(95)
    for wrong, text in (
        (lambda: tpr_at(1.5), "fpr is 1.5"),
        (lambda: fpr_at(-1), "tpr is -1"),
        (lambda: partial_area(fpr=(0.5, 0.2)), "fpr"),
        (lambda: partial_area(fpr=(0, 1), tpr=(0, 1)), "not both"),
        (lambda: rate_at(0, rate="lift"), "rate is 'lift'"),
        (lambda: difference("area"), "statistic is 'area'"),
        (lambda: bayesian_bootstrap(table, fpr=[2]), "fpr is 2"),
        (lambda: bayesian_bootstrap(weighted), "no longer knows its cases"),
    ):
        with pytest.raises(ValueError, match=text):
            wrong()


@given(sample=samples(max_size=12))
@settings(max_examples=20)
def test_the_value_of_a_known_statistic_is_that_of_the_data(sample):
    """For every statistic and kind of data; what has no value there is refused."""
    label, score = sample
    assume(len(set(score)) > 1)
    table, cases = rs.tabulate(label, score), rs.pair_scores(label, {"a": score})
    for known, function in KNOWN.values():
        want = function(table)
        for data in (table, cases):
            if np.isnan(want):
                with pytest.raises(ValueError, match="undefined in all"):
                    bootstrap(data, known, n_boot=50, rng=1)
            else:
                found = bootstrap(data, known, n_boot=50, rng=1).value
                assert found == pytest.approx(want, rel=1e-12, abs=1e-14)


# --- several rates in one run -------------------------------------------------------------------


@pytest.mark.parametrize("at", [tpr_at, fpr_at])
def test_several_rates_come_from_one_run(at):
    data = paired_binormal([0.8, 0.7]).draw(30, 40, rng=1)
    table, rates = data.table("score_1"), [0.1, 0.5, 0.9]
    every = bootstrap(table, at(rates), n_boot=100, rng=3)
    singles = [bootstrap(table, at(x), n_boot=100, rng=3) for x in rates]
    assert every.value.tolist() == [single.value for single in singles]
    assert (every.replicates == np.column_stack([x.replicates for x in singles])).all()
    assert every.intervals() == tuple(single.interval() for single in singles)
    for of_bca, single in zip(every.intervals(method="bca"), singles, strict=True):
        assert (*of_bca,) == pytest.approx((*single.interval(method="bca"),))
    # Of several scores: the rates of the first, then those of the second.
    both = bootstrap(data, at(rates), n_boot=50, rng=3)
    assert both.value.tolist() == [
        bootstrap(data.table(name), at(x), n_boot=2, rng=3).value
        for name in data.names
        for x in rates
    ]
    gap = bootstrap(data, difference(at(rates)), n_boot=50, rng=3)
    assert gap.value == pytest.approx(both.value[:3] - both.value[3:])
    assert len(gap.intervals()) == 3
    with pytest.raises(ValueError, match="is empty: give a rate, or several"):
        at([])


# --- pivots by hand -----------------------------------------------------------------------------

TAIL = np.array([0.25, 0.75])


def test_two_pivots_make_an_interval_and_one_makes_none():
    # (.4 - .5) / .1 and (.6 - .5) / .1: quartiles -1/2 and 1/2.
    seen, drawn, se = (0.5, 0.1), np.array([0.4, 0.6]), np.array([0.1, 0.1])
    ends = _errors.pivotal_ends(seen, (drawn, se), TAIL, scale=None)
    assert ends == pytest.approx([0.45, 0.55])
    assert np.isnan(_errors.pivotal_ends(seen, (drawn[:1], se[:1]), TAIL, scale=None)).all()


def test_pivots_move_with_their_scale():
    seen, drawn, se = (0.4, 0.1), np.array([0.3, 0.45, 0.6]), np.array([0.1, 0.12, 0.09])
    plain = _errors.pivotal_ends(seen, (drawn, se), TAIL, scale=(0.0, 1.0))
    half = _errors.pivotal_ends(
        (0.5 + 0.4 / 2, 0.05), (0.5 + drawn / 2, se / 2), TAIL, scale=(0.5, 1.0)
    )
    assert half == pytest.approx(0.5 + plain / 2)


def test_a_replicate_at_an_end_is_infinitely_far():
    drawn, se = np.array([0, 0.5, 0.6]), np.full(3, 0.1)
    ends = _errors.pivotal_ends((0.5, 0.1), (drawn, se), np.array([0.25, 0.75]), scale=(0.0, 1.0))
    assert not np.isfinite(ends).all()


def test_a_bayesian_curve_has_a_point_at_each_percent():
    table = rs.tabulate([1, 0, 1, 0], [4, 3, 2, 1])
    assert (
        bayesian_bootstrap(table, n_boot=2, rng=1).fpr.tolist() == np.linspace(0, 1, 101).tolist()
    )


def test_acceleration_of_a_part_is_that_of_its_raw_area():
    table, part = rs.tabulate(*F3), partial_area(fpr=(0.2, 0.6))
    want = _jackknife.left_out_of_area(table, rs.partial_auc(table, fpr=(0.2, 0.6)), part.part)
    got = bootstrap(table, part, n_boot=2, rng=1).acceleration
    assert got == pytest.approx(want.acceleration)


def test_runs_are_equal_if_they_ask_the_same():
    table = rs.tabulate(*F3)
    one, same, other = (run_of(table, each, "stratified") for each in ("auc", "auc", "youden"))
    assert one == same
    assert one != other
    part = run_of(table, partial_area(fpr=(0.2, 0.6)), "stratified")
    assert (one.width, part.width) == pytest.approx((1, 0.4))


def test_acceleration_that_leaves_no_scale_is_told(monkeypatch):
    sample = bootstrap(rs.tabulate([0, 1, 0, 1, 1, 0], range(6)), "auc", n_boot=200, rng=1)
    drawn, value = sample._drawn[:, 0], sample._run.value[0]
    below = (np.count_nonzero(drawn < value) + np.count_nonzero(drawn == value) / 2) / drawn.size
    tail = np.array([0.1, 0.9])
    z = stats.norm.ppf(below) + stats.norm.ppf(tail)
    for shrink, percentile in ((1.0, True), (0.99, False)):
        monkeypatch.setattr(type(sample), "acceleration", np.array([shrink / z[1]]))
        _, note = sample._usual(0, tail)
        assert ("acceleration is too large" in note) == percentile


def test_cases_of_a_unit_are_left_out_together():
    # 1100 units of two cases each, more than are left out one by one.
    unit = np.repeat(np.arange(1100), 2)
    cases = Stratum(cell=np.arange(2200), unit=unit, count=np.ones(2200, dtype=np.int64))
    left = [(amount.reshape(1100, 2), size) for amount, size, _ in cases.left_out(2200)]
    assert sum(size for _, size in left) == 1100
    for amount, size in left:
        assert (amount[:, 0] == amount[:, 1]).all()
        assert amount.sum() == 2 * size


def test_units_are_counted_as_they_are_drawn():
    def size(unit, count):
        cell = np.arange(len(unit))
        return Stratum(cell=cell, unit=np.array(unit, int), count=np.array(count, int)).size

    assert size([0, 0, 1], [1, 1, 1]) == 2  # two of three cases are of one unit
    assert size([0, 1], [3, 1]) == 4  # rows of several cases, of which each is a unit
    assert size([], []) == 0


def test_one_value_that_is_known_does_not_deviate_from_itself():
    stratum = Stratum(cell=np.arange(3), unit=np.arange(3), count=np.ones(3, dtype=np.int64))

    def known_once(counts):
        return np.where(counts[:, :1] == 0, 5.0, np.nan)

    assert left_out(known_once, np.ones(3), [stratum]).acceleration.tolist() == [0.0]


@pytest.mark.parametrize("many", ["pos", "neg"])
def test_one_class_of_few_rows_is_drawn_as_counts(many, monkeypatch):
    monkeypatch.setattr(_errors, "_COMPILED", 0)
    few, all_apart = np.array([4000, 4000, *[0] * 18]), np.ones(20, dtype=np.int64)
    counts = (few, all_apart) if many == "pos" else (all_apart, few)
    table = ScoreTable.from_counts(np.arange(20.0)[::-1], *counts)
    found = replicate_areas(table, n_boot=20, rng=3)
    plain = replicate(table, area_with_error, 20, 3, None, None, scheme="stratified")
    np.testing.assert_array_equal(found, plain)


def test_a_value_without_error_is_its_own_interval():
    replicates = np.array([0.04, 0.05, 0.06]), np.array([0.01, 0.01, 0.01])
    for scale in (None, (0.0, 0.1)):
        ends = _errors.pivotal_ends((0.05, 0.0), replicates, np.array([0.1, 0.9]), scale=scale)
        assert ends == pytest.approx([0.05, 0.05])


def test_the_difference_of_scores_without_ties():
    # Replicates have as many cases as rows, in columns of floats.
    rng = np.random.default_rng(3)
    label, score = np.arange(30) % 2, rng.normal(size=(2, 30))
    data = rs.pair_scores(label, {"a": score[0] + label, "b": score[1]})
    found = bootstrap(data, difference("auc"), n_boot=20, rng=1)
    one, two = (rs.auc(data.table(name)) for name in "ab")
    assert found.value == pytest.approx(one - two)
    assert np.isfinite(found.replicates).all()
