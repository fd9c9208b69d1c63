"""Replicates with half a case of the other class's scores, by hand and by drawing all samples."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.counts import ScoreTable
from rocspace.resampling import bootstrap, difference, partial_area, rate_at, tpr_at
from rocspace.resampling.runs import run_of
from rocspace.resampling.unseen import (
    Unseen,
    exchanged,
    lacking_share,
    lacking_share_of_cases,
    replicate_unseen,
    replicate_unseen_cases,
)
from slow.data import samples

HALF = Fraction(1, 2)


def three_levels() -> ScoreTable:
    """Of 20 positives none is in the lowest level, of 50 negatives none in the highest."""
    return ScoreTable.from_counts([2, 1, 0], [18, 2, 0], [0, 4, 46])


def counts(pos, neg):
    return np.concatenate([pos, neg], axis=1)


def frequencies(rows):
    return Counter(tuple(int(x) for x in row) for row in rows)


def check_frequencies(seen, chance, n):
    """Compare what was drawn with exact chances."""
    assert set(seen) <= set(chance)
    assert sum(chance.values()) == 1
    found = [seen[each] for each in chance]
    assert stats.chisquare(found, [float(n * p) for p in chance.values()]).pvalue > 1e-4


# --- where a class lacks a score ----------------------------------------------------------------


def test_the_share_that_is_lacking_by_hand():
    # Of 4 positives 3 have a score of no negative, of 5 negatives 4 one of no positive.
    assert lacking_share(np.array([0, 3, 1]), np.array([4, 0, 1])) == 0.8
    assert lacking_share(np.array([0, 3, 1]), np.array([1, 0, 1])) == 0.75
    # One case of two is half of its class.
    assert lacking_share(np.array([0, 1, 1]), np.array([1, 0, 1])) == 0.5
    assert lacking_share(np.array([3, 1]), np.array([2, 2])) == 0.25  # a case of four


@given(sample=samples(max_size=14))
def test_the_share_that_is_lacking_by_its_definition(sample):
    label, score = sample
    by_class = [
        Counter(s for y, s in zip(label, score, strict=True) if bool(y) == own)
        for own in (True, False)
    ]
    want = 1 / min(own.total() for own in by_class)
    for own, others in (by_class, by_class[::-1]):
        for each, many in own.items():
            if not others[each]:
                want = max(want, many / own.total())
    table = rs.tabulate(label, score)
    assert lacking_share(table.pos, table.neg) == pytest.approx(want)
    data = rs.pair_scores(label, {"a": score, "b": np.arange(len(label))})
    assert lacking_share_of_cases(data, "stratified") == pytest.approx(want)


def test_what_a_cluster_repeats_counts_once():
    # Each of 4 negatives was measured twice, 3 of them with the same score both times; 5 positives.
    label = [1] * 5 + [0] * 8
    data = rs.pair_scores(
        label,
        {"a": [5, 6, 7, 8, 9, 0, 0, 1, 1, 2, 2, 3, 4]},
        cluster=[*range(5), *np.repeat(np.arange(5, 9), 2)],
    )
    assert lacking_share_of_cases(data, "stratified") == 0.25
    assert lacking_share_of_cases(data, "cluster") == 0.2
    assert run_of(data, "auc", "cluster").unseen.share() == 0.2


@pytest.mark.parametrize(
    ("level", "share", "wanted"),
    [(0.95, 2 / 40, True), (0.95, 2 / 41, False), (0.9, 2 / 40, False), (0.99, 1 / 99, True)],
)
def test_a_share_matters_if_half_a_case_is_in_as_many_replicates_as_are_beyond_a_limit(
    level, share, wanted
):
    told = Unseen(share=lambda: share, draw=lambda **_: np.empty((0, 1)))
    assert told.matters(level) == wanted
    # The chance that none of n draws is of that score, one of which has q / (2 n + 1).
    n = 50
    assert 1 - (1 - share / (2 * n + 1)) ** n == pytest.approx(share / 2, rel=0.03)


def test_where_no_score_is_shared_one_case_of_the_smaller_class_is_lacking():
    rng = np.random.default_rng(1)
    for n_pos, n_neg in ((1, 1), (2, 3), (20, 100), (100, 21)):
        table = rs.tabulate_classes(rng.normal(1, 1, n_pos), rng.normal(0, 1, n_neg))
        unseen = run_of(table, rs.auc, "stratified").unseen
        assert unseen.share() == 1 / min(n_pos, n_neg)
        assert unseen.matters(0.95) == (min(n_pos, n_neg) <= 20)


# --- drawing ------------------------------------------------------------------------------------


def test_all_samples_of_a_table():
    # Positives 2, 1 and negatives 2, 0, 0. A positive has a chance of 1 of 2.5, and one half of 2.5
    # falls on the scores of the negatives.
    table = rs.tabulate_classes([2, 1], [2, 0, 0])
    chances = []
    for own, others in (((2, 1), (2, 0, 0)), ((2, 0, 0), (2, 1))):
        each = Counter()
        for score in own:
            each[score] += 1 / (len(own) + HALF)
        for score in others:
            each[score] += HALF / len(others) / (len(own) + HALF)
        chances.append(each)
    wanted = Counter()
    for drawn in itertools.product(itertools.product(chances[0], repeat=2), [*chances[1]] * 1):
        p = Fraction(1)
        for score in drawn[0]:
            p *= chances[0][score]
        p *= chances[1][drawn[1]]
        key = (*(sum(s == x for s in drawn[0]) for x in (2, 1, 0)), drawn[1])
        wanted[key] += p
    found = replicate_unseen(table, counts, 20_000, 3).astype(int)
    seen = Counter()
    rng = np.random.default_rng(2)
    for row in found:  # one negative of the three, at random
        negatives = np.repeat([2, 1, 0], row[3:])
        assert (row[:3].sum(), negatives.size) == (2, 3)
        seen[(*map(int, row[:3]), int(rng.choice(negatives)))] += 1
    check_frequencies(seen, wanted, 20_000)


def test_all_samples_of_both_classes_at_once():
    # One positive at 1, two negatives at 0: of a draw 1 in 4 is a positive at 1, 2 in 4 a negative
    # at 0, half a case in 4 a positive at 0, and half a case in 4 a negative at 1.
    table = rs.tabulate_classes([1], [0, 0])
    chance = [Fraction(1, 4), Fraction(1, 8), Fraction(1, 8), Fraction(1, 2)]
    wanted = Counter()
    for drawn in itertools.product(range(4), repeat=3):
        key = tuple(drawn.count(cell) for cell in range(4))
        wanted[key] += chance[drawn[0]] * chance[drawn[1]] * chance[drawn[2]]
    found = replicate_unseen(table, counts, 20_000, 5, scheme="unstratified")
    check_frequencies(frequencies(found), wanted, 20_000)
    # The same from cases: columns are the three cases, then the three with their labels exchanged.
    data = rs.pair_scores([1, 0, 0], {"a": [1, 0, 0]})
    found = replicate_unseen_cases(
        data, lambda times: times, n_boot=20_000, rng=5, scheme="unstratified"
    )
    by_row = np.column_stack(
        [found[:, 0], found[:, 4] + found[:, 5], found[:, 3], found[:, 1] + found[:, 2]]
    )
    check_frequencies(frequencies(by_row), wanted, 20_000)


def test_strata_of_cases_keep_their_sizes():
    data = rs.pair_scores([1, 0, 0, 1, 0], {"a": [4, 1, 2, 3, 5]})
    label = exchanged(data).label
    times = replicate_unseen_cases(data, lambda times: times, n_boot=8000, rng=2)
    assert (times[:, label].sum(axis=1) == 2).all()
    assert (times[:, ~label].sum(axis=1) == 3).all()
    # Two draws, each with chances of 1 of 2.5 for an own case and of a sixth of 2.5 for another's.
    for own, n, others in ((data.label, 2, 3), (~data.label, 3, 2)):
        for chosen, chance in (
            (np.append(own, np.zeros(5, bool)), 1 / (n + 0.5)),
            (np.append(np.zeros(5, bool), ~own), 0.5 / others / (n + 0.5)),
        ):
            total = times[:, chosen].sum(axis=0)
            spread = (8000 * n * chance * (1 - chance)) ** 0.5
            assert (abs(total - 8000 * n * chance) < 4.5 * spread).all()


def test_clusters_are_drawn_whole():
    # Clusters of 2 positives, of a positive and a negative, and of 3 negatives: the part of each
    # case in the half case of the other class is .5 / 3 of a positive, and .5 / 4 of a negative.
    label, cluster = [1, 1, 1, 0, 0, 0, 0], [7, 7, 8, 8, 9, 9, 9]
    data = rs.pair_scores(label, {"a": np.arange(7)}, cluster=cluster)
    times = replicate_unseen_cases(
        data, lambda times: times, n_boot=20_000, rng=4, scheme="cluster"
    )
    for cells in ([0, 1], [2, 3], [4, 5, 6]):
        for start in (0, 7):
            assert (np.ptp(times[:, [start + cell for cell in cells]], axis=1) == 0).all()
    drawn = times[:, [0, 2, 4, 7, 9, 11]]
    assert (drawn.sum(axis=1) == 3).all()
    chance = np.array([1, 1, 1, 1 / 3, 1 / 6 + 1 / 8, 3 / 8]) / 4
    assert chance.sum() == pytest.approx(1)
    spread = (20_000 * 3 * chance * (1 - chance)) ** 0.5
    assert (abs(drawn.sum(axis=0) - 60_000 * chance) < 4.5 * spread).all()


def test_cases_with_their_labels_exchanged():
    # Positives weigh 2 on average, negatives 5: one of 3 comes with 3 x 2.5, one of 6 with 2.4.
    data = rs.pair_scores(
        [1, 0, 1, 0],
        {"a": [4, 3, 2, 1], "b": [0, 1, 0, 1]},
        sample_weight=[1, 4, 3, 6],
        cluster=[0, 0, 1, 2],
    )
    both = exchanged(data)
    assert both.label.tolist() == [True, False, True, False, False, True, False, True]
    assert both.score.tolist() == [*data.score.tolist()] * 2
    assert both.weight == pytest.approx([1, 4, 3, 6, 2.5, 1.6, 7.5, 2.4])
    assert both.cluster is not None
    first, second = both.cluster[:4], both.cluster[4:]
    assert not set(first.tolist()) & set(second.tolist())
    assert (np.unique(first, return_inverse=True)[1] == [0, 0, 1, 2]).all()
    assert (np.unique(second, return_inverse=True)[1] == [0, 0, 1, 2]).all()
    plain = exchanged(rs.pair_scores([1, 0], {"a": [2, 1]}))
    assert (plain.weight, plain.cluster) == (None, None)


@pytest.mark.parametrize("kind", ["plain", "weighted", "clustered", "lower", "unstratified"])
@pytest.mark.parametrize("name", ["auc", "youden", "tpr", "part", "threshold"])
def test_known_statistics_are_those_of_a_function(kind, name):
    statistic, function = {
        "auc": ("auc", rs.auc),
        "youden": ("youden", rs.youden),
        "tpr": (tpr_at(0.3), lambda t: rs.roc_curve(t).tpr_at(0.3)),
        "part": (partial_area(fpr=(0, 0.4)), lambda t: rs.partial_auc(t, fpr=(0, 0.4))),
        "threshold": (rate_at(1.0), lambda t: rs.point_at(t, 1.0).tpr),
    }[name]
    rng = np.random.default_rng(5)
    label = np.arange(40) % 5 < 2
    columns = {"a": rng.integers(0, 4, 40) + label, "b": rng.integers(0, 3, 40) + label}
    more = {
        "weighted": {"sample_weight": rng.integers(1, 5, 40) / 2},
        "clustered": {"cluster": rng.integers(0, 15, 40)},
        "lower": {"higher_is_positive": False},
    }.get(kind, {})
    scheme = {"clustered": "cluster", "unstratified": "unstratified"}.get(kind, "stratified")
    data = rs.pair_scores(label, columns, **more)

    def both(cases):
        return np.array([function(cases.table("a")), function(cases.table("b"))])

    options = {"n_boot": 20, "rng": 3}
    called = run_of(data, both, scheme).unseen.draw(**options)
    known = run_of(data, statistic, scheme).unseen.draw(**options)
    np.testing.assert_allclose(known, called, rtol=1e-11)
    gap = run_of(data, difference(statistic), scheme).unseen.draw(**options)
    np.testing.assert_allclose(gap[:, 0], called[:, 0] - called[:, 1], atol=1e-12)
    if kind in ("plain", "unstratified"):
        table = data.table("a")
        of_table, of_function = (
            run_of(table, each, scheme).unseen.draw(**options) for each in (statistic, function)
        )
        np.testing.assert_allclose(of_table, of_function, rtol=1e-12)


# --- the interval -------------------------------------------------------------------------------


def type_7(values, q):
    """The quantile with linear interpolation between order statistics, by its definition."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * q
    i = int(at)
    return ordered[i] + (at - i) * (ordered[min(i + 1, len(ordered) - 1)] - ordered[i])


def literal_half(table, n_boot, seed):
    """Draw each case of a replicate by itself, from the cases of both classes."""
    rng = np.random.default_rng(seed)
    pos, neg = (np.repeat(table.score, own) for own in (table.pos, table.neg))
    found = []
    for _ in range(n_boot):
        drawn = []
        for own, others in ((pos, neg), (neg, pos)):
            unseen = rng.random(own.size) < 0.5 / (own.size + 0.5)
            drawn.append(np.where(unseen, rng.choice(others, own.size), rng.choice(own, own.size)))
        found.append(rs.auc(rs.tabulate_classes(*drawn)))
    return found


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_farther_of_two_intervals_by_its_definition(level):
    sample = bootstrap(three_levels(), rs.auc, n_boot=4000, rng=7)
    found, inner = sample.interval(level), sample.interval(level, method="expanded-bca")
    assert (found.method, inner.method) == ("bootstrap unseen-bca", "bootstrap expanded-bca")
    assert found == sample.interval(level, method="unseen-bca")
    told = sample._left_out
    z = told.narrowness[0] * stats.t.ppf([(1 - level) / 2, (1 + level) / 2], told.freedom[0])
    twin = literal_half(three_levels(), 8000, 1)
    low, high = (type_7(twin, share) for share in stats.norm.cdf(z))
    # A tail's quantile of m replicates is off by about 2.7 / sqrt(m) standard errors.
    allowed = 4.5 * 2.7 * (1 / 4000 + 1 / 8000) ** 0.5 * float(np.std(twin))
    assert low < inner.low
    assert found.low == pytest.approx(low, abs=allowed)
    assert found.high == pytest.approx(max(high, inner.high), abs=allowed)


def test_the_area_of_the_population_is_reached_where_it_was_not():
    # The levels of the ledger have 2, 8 and 90 percent of the positives, and 90, 8 and 2 of the
    # negatives: its area is .02 x .9 / 2 + .08 x (.9 + .04) + .9 x (.98 + .01).
    sample = bootstrap(ScoreTable.from_counts([2, 1, 0], [19, 1, 0], [0, 4, 46]), rs.auc, rng=1)
    area = 0.02 * 0.45 + 0.08 * 0.94 + 0.9 * 0.99
    assert area not in sample.interval(method="expanded-bca")
    assert area in sample.interval()


@settings(max_examples=25, deadline=None)
@given(sample=samples(max_size=16), seed=st.integers(0, 99), level=st.sampled_from([0.5, 0.95]))
def test_unseen_cases_only_widen(sample, seed, level):
    table = rs.tabulate(*sample)
    drawn = bootstrap(table, rs.gini, n_boot=60, rng=seed)
    inner = drawn.interval(level, method="expanded-bca")
    outer = drawn.interval(level, method="unseen-bca")
    assert outer.low <= inner.low < inner.high <= outer.high
    matters = lacking_share(table.pos, table.neg) >= 1 - level - 1e-9
    assert drawn.interval(level) == (outer if matters else inner)
    back = bootstrap(table, lambda each: -rs.gini(each), n_boot=60, rng=seed)
    assert tuple(back.interval(level, method="unseen-bca")) == pytest.approx(
        (-outer.high, -outer.low)
    )


def test_continuous_scores_of_more_cases_have_the_interval_that_they_had():
    # Numbers of the version before: one case is too small a share, and no further call is made.
    calls = []

    def index(table):
        calls.append(len(table))
        return rs.youden(table)

    rng = np.random.default_rng(4)
    table = rs.tabulate_classes(rng.normal(1, 1, 12), rng.normal(0, 1, 30))
    sample = bootstrap(table, index, n_boot=300, rng=5)
    found = sample.interval(method="expanded-bca")
    assert (found.low, found.high) == (0.2182077029187967, 0.7166666666666667)
    assert len(calls) == 1 + 300 + 42  # the data, replicates, and each case left out
    assert sample.interval(0.9).method == "bootstrap expanded-bca"  # 1 of 12 positives
    assert sample.interval(0.95).method == "bootstrap unseen-bca"
    assert len(calls) == 1 + 300 + 42 + 300
    more = rs.tabulate_classes(rng.normal(1, 1, 22), rng.normal(0, 1, 30))
    calls.clear()
    assert bootstrap(more, index, n_boot=50, rng=5).interval().method == "bootstrap expanded-bca"
    assert len(calls) == 1 + 50 + 52


def test_calls_are_made_when_they_are_needed_and_once():
    calls = []

    def area(table):
        calls.append(len(table))
        return rs.auc(table)

    sample = bootstrap(three_levels(), area, n_boot=50, rng=5)
    assert len(calls) == 1 + 50
    sample.interval(method="expanded-bca")
    assert len(calls) == 1 + 50 + 4  # rows of a class, of each of which a case is left out
    for level in (0.9, 0.95, 0.95):
        assert sample.interval(level).method == "bootstrap unseen-bca"
    assert len(calls) == 1 + 50 + 4 + 50


@pytest.mark.parametrize("kind", ["table", "cases", "clusters"])
def test_numbers_do_not_depend_on_threads_and_keep_when_saved(kind, monkeypatch):
    monkeypatch.setattr("rocspace.resampling.replicates._BLOCK", 1 << 12)
    rng = np.random.default_rng(6)
    label = np.arange(400) % 4 == 0
    score = np.where(label, rng.integers(2, 5, 400), rng.integers(0, 3, 400))
    cluster = np.arange(400) // 2 if kind == "clusters" else None
    data = rs.pair_scores(label, {"a": score, "b": score // 2}, cluster=cluster)
    of, statistic = (data.table("a"), rs.auc) if kind == "table" else (data, gap_of_areas)
    one, two = (bootstrap(of, statistic, n_boot=1200, rng=4, threads=t) for t in (1, 3))
    other = bootstrap(of, statistic, n_boot=1200, rng=5)
    assert one == two
    assert one.interval() == two.interval()
    assert one.interval() != other.interval()
    assert "unseen-bca" in one.interval().method
    assert (one._with_unseen == two._with_unseen).all()
    kept = pickle.loads(pickle.dumps(one))
    assert kept == one
    assert kept.interval() == one.interval()


def gap_of_areas(data):
    return rs.auc(data.table("a")) - rs.auc(data.table("b"))


def test_replicates_are_those_without_unseen_cases():
    # The stream of the unseen cases is another: the first replicates, and se, do not know of it.
    sample = bootstrap(three_levels(), rs.auc, n_boot=100, rng=2)
    before = sample.replicates.copy(), sample.se
    sample.interval()
    known = bootstrap(three_levels(), "auc", n_boot=100, rng=2)
    assert (sample.replicates == before[0]).all()
    assert sample.se == before[1]
    np.testing.assert_allclose(sample.replicates, known.replicates, rtol=1e-12)
    assert not np.isin(sample._with_unseen[:, 0], sample.replicates).all()


def test_each_of_several_numbers_has_its_interval():
    def both(table):
        return np.array([rs.auc(table), rs.youden(table)])

    several = bootstrap(three_levels(), both, n_boot=200, rng=1).intervals()
    for found, function in zip(several, (rs.auc, rs.youden), strict=True):
        assert tuple(found) == tuple(
            bootstrap(three_levels(), function, n_boot=200, rng=1).interval()
        )


def test_a_statistic_without_a_value_beside_unseen_cases_has_the_other_interval():
    def only_above(table):
        """Undefined where a positive is in the lowest level, as in no plain replicate."""
        return np.nan if table.pos[table.score == 0].any() else rs.auc(table)

    def never_above(table):
        return rs.auc(table) if (table.score == 0).any() else 0.5

    table = three_levels()
    found = bootstrap(table, only_above, n_boot=300, rng=1)
    assert 0 < found._with_unseen.size < 300
    assert found.n_failed == 0
    assert found.interval().low <= found.interval(method="expanded-bca").low
    without = bootstrap(table, never_above, n_boot=100, rng=1)
    without.__dict__["_with_unseen"] = np.empty((0, 1))
    assert tuple(without.interval()) == tuple(without.interval(method="expanded-bca"))


def test_where_all_replicates_are_equal_nothing_is_drawn():
    table = ScoreTable.from_counts([1, 0], [5, 0], [0, 6])
    sample = bootstrap(table, rs.auc, n_boot=30, rng=1)
    assert sample.interval().method == "whole range"
    assert "_with_unseen" not in vars(sample)
