"""The law of the drawn counts, by hand, by definition and in the limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace._base import checks
from rocspace.counts import ScoreTable
from rocspace.counts import draws as _draws
from rocspace.counts.draws import blocks_of, draw_counts
from rocspace.inference import auc_variance
from rocspace.resampling import bootstrap, difference, partial_area
from rocspace.resampling import errors as _errors
from rocspace.resampling.errors import replicate_areas
from rocspace.resampling.replicates import (
    areas_of_counts,
    replicate,
    replicate_cases,
    run_blocks,
)

F3 = "p p n p p p n n p n p n p n n n p n p n".replace(" ", "")
F3_SCORES = np.array(
    [90, 80, 70, 60, 55, 54, 53, 52, 51, 50.5, 40, 39, 38, 37, 36, 35, 34, 33, 30, 10]
)


def f3() -> ScoreTable:
    return rs.tabulate([c == "p" for c in F3], F3_SCORES / 100)


@pytest.fixture
def compiled(monkeypatch):
    """Take the compiled loops however little there is to draw."""
    monkeypatch.setattr(_draws, "_COMPILED", 0)
    monkeypatch.setattr(_errors, "_COMPILED", 0)


def test_blocks_are_powers_of_two_that_add_up():
    # 10 000 = 2 x 4096 + 1024 + 512 + 256 + 16
    assert blocks_of(10_000).bits.tolist() == [12, 12, 10, 9, 8, 4]
    for n in (1, 2, 4095, 4096, 4097, 123_457):
        assert int((2 ** blocks_of(n).bits).sum()) == n


# Rows of one case each, of several, of many: numpy, compiled, and by row.
COUNTS = {
    "numpy": (np.array([1, 3, 0, 2, 1, 1]), False),
    "compiled": (np.array([1, 3, 0, 2, 1, 1]), True),
    "distinct": (np.ones(5, dtype=np.int64), True),
    "rows": (np.array([400, 0, 100, 700]), False),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_follow_the_multinomial_law(name, monkeypatch):
    count, always = COUNTS[name]
    if always:
        monkeypatch.setattr(_draws, "_COMPILED", 0)
    n, many = int(count.sum()), 40_000
    drawn = draw_counts(np.random.default_rng(7), count, many)
    assert drawn.shape == (many, count.size)
    assert (drawn.sum(axis=1) == n).all()
    assert (drawn[:, count == 0] == 0).all()
    for row, c in enumerate(count):  # each count is binomial: the whole law, not only moments
        if not c:
            continue
        law = stats.binom(n, c / n)
        edges = np.unique(law.ppf(np.linspace(0, 1, 9)[1:-1]))
        seen = np.bincount(np.searchsorted(edges, drawn[:, row]), minlength=edges.size + 1)
        chance = np.diff(np.concatenate([[0], law.cdf(edges), [1]]))
        assert stats.chisquare(seen, many * chance).pvalue > 1e-4
    expected = n * (np.diag(count / n) - np.outer(count, count) / n**2)
    error = np.sqrt((np.outer(*2 * [np.diag(expected)]) + expected**2) / many)
    assert (np.abs(np.cov(drawn.T, bias=True) - expected) <= 5 * error + 1e-9).all()


def test_two_cases_of_a_small_class_are_drawn_together_as_often_as_they_should(compiled):
    # All 3^3 = 27 outcomes of three draws of three cases are as likely: counts (1, 1, 1) in 6,
    # a pair and a single one in 18, three times the same in 3 of them.
    drawn = draw_counts(np.random.default_rng(3), np.ones(3, dtype=np.int64), 27_000)
    most = np.bincount(drawn.max(axis=1), minlength=4)[1:]
    assert stats.chisquare(most, [6000, 18_000, 3000]).pvalue > 1e-4


def test_every_place_of_a_large_class_is_drawn_alike(compiled):
    # 9001 = 2 x 4096 + 512 + 256 + 32 + 8 + 1: blocks of all sizes, and full words.
    n, many = 9001, 300
    seen = draw_counts(np.random.default_rng(5), np.ones(n, dtype=np.int64), many).sum(axis=0)
    assert stats.chisquare(seen).pvalue > 1e-4
    by_block = np.add.reduceat(seen, [0, 4096, 8192, 8704, 8960, 8992, 9000])
    share = np.array([4096, 4096, 512, 256, 32, 8, 1])
    assert stats.chisquare(by_block, share * many).pvalue > 1e-4
    # The number of cases that were never drawn: mean n (1 - 1/n)^n.
    some = draw_counts(np.random.default_rng(6), np.ones(n, dtype=np.int64), many)
    never = (some == 0).sum(axis=1)
    q = (1 - 1 / n) ** n
    variance = n * q * (1 - q) + n * (n - 1) * ((1 - 2 / n) ** n - q**2)
    assert abs(never.mean() - n * q) < 4.5 * np.sqrt(variance / many)


def test_nothing_is_drawn_from_nothing():
    assert (draw_counts(np.random.default_rng(1), np.zeros(3, dtype=np.int64), 2) == 0).all()


@pytest.mark.parametrize("always", [False, True])
def test_areas_have_the_mean_and_variance_of_drawing_all_samples(always, monkeypatch):
    # Within classes E* AUC* = AUC = .68, Var* = the plug-in variance, .015244.
    if always:
        monkeypatch.setattr(_errors, "_COMPILED", 0)
    table, many = f3(), 40_000
    area = replicate_areas(table, n_boot=many, rng=2)[:, 0]
    variance = auc_variance(table, method="bamber")
    assert variance == pytest.approx(0.015244, abs=5e-7)
    assert abs(area.mean() - 0.68) < 4.5 * np.sqrt(variance / many)
    # Relative error of a variance: sqrt((kurtosis - 1) / many), and the kurtosis is about 3.
    assert area.var() == pytest.approx(variance, rel=4.5 * np.sqrt(2.2 / many))


def test_tied_areas_agree_with_the_plug_in_variance(compiled):
    # A row of 200 positives and 40 negatives; the rest is distinct.
    rng = np.random.default_rng(0)
    label = rng.random(3000) < 0.4
    score = np.where(rng.random(3000) < 0.1, 0.5, rng.random(3000) + 0.2 * label)
    table, many = rs.tabulate(label, score), 20_000
    area = replicate_areas(table, n_boot=many, rng=4)[:, 0]
    variance = auc_variance(table, method="bamber")
    assert abs(area.mean() - rs.auc(table)) < 4.5 * np.sqrt(variance / many)
    assert area.var() == pytest.approx(variance, rel=4.5 * np.sqrt(2.2 / many))


@pytest.mark.parametrize("scheme", ["stratified", "unstratified"])
def test_the_sweep_has_the_law_of_the_counts(scheme, monkeypatch):
    rng = np.random.default_rng(1)
    label = rng.random(60) < 0.3
    table = rs.tabulate(label, np.round(rng.random(60) + 0.4 * label, 1))
    by_counts = replicate(table, areas_of_counts, n_boot=20_000, rng=1, scheme=scheme)
    monkeypatch.setattr(_errors, "_COMPILED", 0)
    by_sweep = replicate_areas(table, n_boot=20_000, rng=2, scheme=scheme)[:, 0]
    assert stats.ks_2samp(by_counts, by_sweep).pvalue > 1e-3


def drawn_by(loops, monkeypatch, calls):
    """Return what calls give with compiled loops loaded, or without."""
    monkeypatch.setattr("rocspace.counts.sorts.loaded", lambda numbers=0: loops)
    monkeypatch.setattr(_errors, "loaded", lambda numbers=0: loops)
    monkeypatch.setattr(_draws, "_LOOPS_FROM", 0)
    return [call() for call in calls]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    n=st.sampled_from([2, 3, 7, 40, 300, 3000]),
    share=st.sampled_from([0.05, 0.5]),
    digits=st.sampled_from([0, 1, 9]),
    seed=st.integers(0, 10**6),
)
def test_loaded_loops_give_the_very_numbers_of_numpy(monkeypatch, n, share, digits, seed):
    rng = np.random.default_rng(seed)
    label = np.append(rng.random(n - 2) < share, [True, False])
    score = (rng.normal(size=(n, 2)) + label[:, np.newaxis]).round(digits)
    table = rs.tabulate(label, score[:, 0])
    pair = rs.pair_scores(label, {"a": score[:, 0], "b": score[:, 1]})
    some = {"n_boot": 30, "rng": seed}
    calls = (
        lambda: replicate_areas(table, **some),
        lambda: replicate_areas(table, scheme="unstratified", **some),
        lambda: replicate(table, areas_of_counts, **some),
        lambda: bootstrap(pair, "auc", **some).replicates,
        lambda: bootstrap(pair, difference("auc"), **some).replicates,
        lambda: bootstrap(pair, difference(partial_area(fpr=(0, 0.2))), **some).replicates,
        lambda: draw_counts(np.random.default_rng(seed), table.neg, 5),
    )
    by_loops, by_numpy = (drawn_by(loops, monkeypatch, calls) for loops in (True, False))
    for one, other in zip(by_loops, by_numpy, strict=True):
        np.testing.assert_array_equal(one, other)


def test_sums_of_most_cases_that_loops_share_with_numpy_are_exact(monkeypatch):
    n = _errors._EXACT
    label, score = np.arange(n) % 2 == 0, np.arange(n) // 7 % 5000
    table = rs.tabulate(label, score)
    calls = (lambda: replicate_areas(table, n_boot=20, rng=1),)
    by_loops, by_numpy = (drawn_by(loops, monkeypatch, calls) for loops in (True, False))
    np.testing.assert_array_equal(by_loops[0], by_numpy[0])
    assert 4 * (n // 2) ** 3 < 2**53


def test_a_replicate_that_lacks_a_class_has_no_area(compiled):
    # Each class is missing with chance 1/4: two draws of one positive and one negative.
    table = rs.tabulate([0, 1], [1, 2])
    area = replicate_areas(table, n_boot=4000, rng=1, scheme="unstratified")[:, 0]
    assert stats.binomtest(int(np.isnan(area).sum()), 4000, 0.5).pvalue > 1e-4
    assert (area[~np.isnan(area)] == 1).all()


@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("scheme", ["stratified", "unstratified"])
def test_numbers_do_not_depend_on_threads(scheme, always, monkeypatch):
    if always:
        monkeypatch.setattr(_draws, "_COMPILED", 0)
        monkeypatch.setattr(_errors, "_COMPILED", 0)
    rng = np.random.default_rng(9)
    label = rng.random(5000) < 0.3
    table = rs.tabulate(label, rng.random(5000) + 0.3 * label)
    one, many = (
        replicate_areas(table, n_boot=300, rng=5, scheme=scheme, threads=threads)[:, 0]
        for threads in (1, 4)
    )
    assert (one == many).all()
    assert not (one == replicate_areas(table, n_boot=300, rng=6, scheme=scheme)[:, 0]).all()
    total = [
        replicate(
            table, lambda p, q: (p * q.cumsum(axis=1)).sum(axis=1), n_boot=200, rng=3, threads=t
        )
        for t in (1, 3)
    ]
    assert (total[0] == total[1]).all()


def test_areas_of_counts_are_those_of_tables():
    rng = np.random.default_rng(3)
    pos, neg = rng.integers(0, 4, size=(2, 50, 7))
    for p, q, area in zip(pos, neg, areas_of_counts(pos, neg), strict=True):
        if p.sum() and q.sum():
            table = ScoreTable.from_counts(np.arange(7)[::-1], p, q)
            assert area == pytest.approx(rs.auc(table), rel=1e-14)
        else:
            assert np.isnan(area)


def test_dirichlet_weights_add_up_to_the_class_sizes():
    table = f3()
    got = replicate(
        table, lambda p, q: np.column_stack([p.sum(1), q.sum(1)]), n_boot=9, scheme="bayesian"
    )
    np.testing.assert_allclose(got, 10, rtol=1e-12)


def test_a_weighted_table_has_no_cases_to_draw():
    table = rs.tabulate([0, 1], [1, 2], sample_weight=[1.0, 2.0])
    for function in (replicate_areas, lambda t, **k: replicate(t, areas_of_counts, **k)):
        with pytest.raises(ValueError, match="no longer knows its cases"):
            function(table, n_boot=2)


def test_whole_clusters_are_drawn():
    cluster = [0, 0, 0, 1, 1, 2]
    data = rs.pair_scores([1, 0, 1, 0, 1, 0], {"a": range(6)}, cluster=cluster)
    times = replicate_cases(data, lambda t: t, n_boot=500, rng=1, scheme="cluster")
    for members in ([0, 1, 2], [3, 4]):
        assert (times[:, members] == times[:, members[:1]]).all()
    assert (times[:, [0, 3, 5]].sum(axis=1) == 3).all()
    np.testing.assert_allclose(times.mean(axis=0), 1, atol=0.2)


@pytest.mark.parametrize("always", [False, True])
def test_cases_are_drawn_within_their_class(always, monkeypatch):
    if always:
        monkeypatch.setattr(_draws, "_COMPILED", 0)
    data = rs.pair_scores([1, 0, 1, 0, 0], {"a": range(5)})
    times = replicate_cases(data, lambda t: t, n_boot=30_000, rng=1)
    assert (times[:, data.label].sum(axis=1) == 2).all()
    assert (times[:, ~data.label].sum(axis=1) == 3).all()
    # A case of n is drawn by Binomial(n, 1/n): variance 1 - 1/n.
    np.testing.assert_allclose(times.var(axis=0), [1 / 2, 2 / 3, 1 / 2, 2 / 3, 2 / 3], rtol=0.05)
    both = replicate_cases(data, lambda t: t, n_boot=30_000, rng=1, scheme="unstratified")
    assert (both.sum(axis=1) == 5).all()
    np.testing.assert_allclose(both.var(axis=0), 4 / 5, rtol=0.05)


def test_at_least_one_replicate_is_needed():
    with pytest.raises(ValueError, match="n_boot is 0"):
        replicate_areas(f3(), n_boot=0)


def test_memory_is_that_of_results_and_generators(monkeypatch):
    # Blocks of one replicate: each has one number, and a generator of 256.
    def block(generator, many):
        return np.zeros((many, 1))

    for short, refused in ((0, False), (1, True)):
        monkeypatch.setattr(checks, "_memory", lambda short=short: 2 * 8 * 50 * 257 - short)
        if refused:
            with pytest.raises(ValueError, match="whose results would take"):
                run_blocks(block, 50, 1 << 20, 1, 1, False)
        else:
            assert run_blocks(block, 50, 1 << 20, 1, 1, False).shape == (50, 1)
