"""Sorting: either sort gives one order, and the clock imports numba when that has been paid for."""

import sys

import numpy as np
import pytest

import rocspace as rs
from rocspace._kernels import ranks, sorting
from rocspace.counts import compiled_from, sorts
from rocspace.counts import rows as _count
from rocspace.counts.keys import sorted_keys


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("size", [0, 1, 2, 257, 5000])
def test_radix_sort_is_a_sort_of_every_type(dtype, size):
    rng = np.random.default_rng(size)
    if dtype.startswith("f"):
        run = rng.standard_normal(size).astype(dtype)
        run[: size // 5] = rng.choice([np.inf, -np.inf, 0.0, -1.5, 5e-324], size // 5)
    else:
        limits = np.iinfo(dtype)
        run = rng.integers(limits.min, limits.max, size=size, dtype=dtype, endpoint=True)
        run[: size // 5] = rng.choice(np.array([limits.min, limits.max], dtype), size // 5)
    if size:
        expected = np.sort(run)
        sorts.radix_sort(run)
        assert np.array_equal(run, expected)
    assert run.dtype == dtype


def test_either_sort_gives_the_same_rows(monkeypatch):
    rng = np.random.default_rng(5)
    label, score = rng.random(20_000) < 0.3, rng.normal(size=20_000)
    monkeypatch.setattr(_count, "KERNEL_CASES", 0)
    rows = []
    for pays in (False, True):
        monkeypatch.setattr(sorts, "radix_pays", lambda dtype, pays=pays: pays)
        rows.append(_count.count_rows(label, score, None, 2))
    for name in ("score", "pos", "neg"):
        assert np.array_equal(getattr(rows[0], name), getattr(rows[1], name))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i4", "i8", "u2", "u8"])
@pytest.mark.parametrize("size", [1, 2, 513, 20_000])
@pytest.mark.parametrize("kind", ["random", "ties", "last bits", "constant"])
def test_places_come_out_in_order_whoever_sorts(dtype, size, kind, monkeypatch):
    rng = np.random.default_rng(size)
    whole = np.dtype(dtype).kind != "f"
    of_kind = {
        "random": rng.normal(size=size) * 100,
        "ties": rng.integers(0, 5, size),
        "last bits": rng.permutation(size) if whole else 1 + rng.permutation(size) * 2.0**-52,
        "constant": np.zeros(size),
    }
    score = np.mod(of_kind[kind], 128).astype(dtype)
    if kind == "last bits" and not whole:
        score[-1] = -1  # no room for the last bits beside a place
    order = np.argsort(score, kind="stable")
    for pays in (True, False):
        monkeypatch.setattr(sorts, "radix_pays", lambda dtype, pays=pays: pays)
        key, own, spare = sorts.sorted_places(score.copy())
        bits, *flips = sorts.bits_of(score.dtype)
        assert np.array_equal(own, order)
        assert key.dtype == spare.dtype == bits
        given = np.empty_like(key)
        sorting.given_bits(key, *flips, given)
        assert np.array_equal(given.view(score.dtype), score[order])


@pytest.fixture
def clock(monkeypatch):
    """A clock that has seen nothing, in a process that has not loaded compiled loops."""
    fresh = sorts.Clock()
    monkeypatch.setattr(sorts, "CLOCK", fresh)
    monkeypatch.delitem(sys.modules, "rocspace._kernels.sorting", raising=False)
    return fresh


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "i4", "i8", "u4", "u8"])
@pytest.mark.parametrize("pays", [False, True])
def test_runs_come_out_in_order_whoever_sorts(dtype, pays, monkeypatch):
    rng = np.random.default_rng(3)
    given = (rng.normal(size=9_000) * 99).astype(dtype)
    monkeypatch.setattr(sorts, "radix_pays", lambda dtype: pays)
    for compiled in (False, True):
        monkeypatch.setattr(sorts, "loaded", lambda *_, compiled=compiled: compiled)
        for size in (sorts.RADIX_CASES - 1, sorts.RADIX_CASES, given.size):
            for run in (
                given[:size].copy(),
                np.sort(given[:size]),
                np.sort(given[:size])[::-1].copy(),
            ):
                sorts.sort_run(run)
                assert np.array_equal(run, np.sort(given[:size]))


def test_keys_are_sorted_by_the_faster_sort(monkeypatch):
    rng = np.random.default_rng(4)
    label, score = rng.random(6_000) < 0.4, np.round(rng.normal(size=6_000), 2)
    seen = []
    monkeypatch.setattr(sorts, "loaded", lambda *_: True)
    monkeypatch.setattr(sorts, "radix_pays", lambda dtype: seen.append(dtype) or True)
    keys = sorted_keys(label, score)
    assert seen == [np.dtype("f8")]
    assert np.array_equal(keys.scores(keys.key), np.sort(score) + 0.0)
    assert int(keys.positive().sum()) == int(label.sum())


def test_the_clock_asks_for_compiled_loops_once_sorts_took_as_long_as_their_import(clock):
    assert not clock.due()
    clock.seconds = 0.29
    assert not clock.due()
    assert not sorts.loaded()
    clock.seconds = 0.31
    assert clock.due()
    assert sorts.loaded()


def test_the_clock_foresees_what_a_large_sample_will_take(clock, monkeypatch):
    for nanoseconds, numbers in ((8, 38_000_000), (80, 3_800_000)):
        monkeypatch.setattr(sorts, "_seconds_of_a_number", lambda ns=nanoseconds: ns * 1e-9)
        clock.seconds = 0.0
        assert sorts.loaded(numbers)
        assert not sorts.loaded(19 * numbers // 20)
        clock.seconds = 0.2
        assert sorts.loaded(numbers // 2)
        assert not sorts.loaded(sorts.FORESEEN - 1)  # whose time is not worth a look ahead
    assert not clock.due()


def test_the_speed_of_a_sort_is_measured_once():
    sorts._seconds_of_a_number.cache_clear()
    seconds = sorts._seconds_of_a_number()
    assert 0 < seconds < 1e-4
    assert sorts._seconds_of_a_number() == seconds


def test_the_clock_counts_what_numpy_sorted(clock):
    run = np.random.default_rng(1).normal(size=sorts.RADIX_CASES)
    sorts.sort_run(run)
    assert (np.diff(run) >= 0).all()
    took = clock.seconds
    assert 0 < took < 60
    sorts.sort_run(run[:100])
    assert clock.seconds == took


def test_a_number_beyond_all_samples_keeps_numba_away(clock):
    clock.seconds = 5.0
    before = compiled_from(1 << 60)
    try:
        assert not sorts.loaded()
        assert not sorts.loaded(10**9)
        compiled_from(1 << 24)
        assert sorts.loaded()
    finally:
        compiled_from(before)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u8"])
@pytest.mark.parametrize("size", [1, 2, 300, 6_000])
def test_upper_bytes_alone_never_decide(dtype, size):
    # One value far off, and others that differ in their lowest bytes only: insertion gives up.
    rng = np.random.default_rng(size)
    top = 2**30 if dtype.endswith("4") else 2**61
    run = (top + rng.integers(0, 500, size)).astype(dtype)
    if dtype.startswith("f"):
        run = np.nextafter(run, run + rng.choice([-1, 1], size).astype(dtype))
    run[size // 2] = 1
    expected = np.sort(run)
    sorts.radix_sort(run)
    assert np.array_equal(run, expected)


def test_nearly_sorted_runs_are_mended_by_few_moves():
    run = np.arange(1000.0)
    run[[3, 4, 500, 502]] = run[[4, 3, 502, 500]]
    assert sorting.inserted(run)
    assert np.array_equal(run, np.arange(1000.0))
    assert not sorting.inserted(np.arange(1000.0)[::-1].copy())


@pytest.mark.parametrize("spread", [1e-14, 1.0])
@pytest.mark.parametrize("size", [1, 50, 4_000])
def test_places_follow_their_patterns_and_ties_keep_their_order(spread, size):
    rng = np.random.default_rng(size)
    score = 1.0 + spread * rng.integers(0, 1 + size // 3, size)
    score[0] = -1e300
    flips = np.uint64(1 << 63), np.uint64((1 << 63) - 1)
    key, place = score.copy().view("u8"), np.arange(size)
    spare, other = np.empty_like(key), np.empty_like(place)
    if ranks.sort_places(key, place, spare, other, *flips):
        key, place = spare, other
    assert np.array_equal(place, np.argsort(score, kind="stable"))
    sorting.given_bits(key, *flips, key)
    assert np.array_equal(key.view("f8"), np.sort(score))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "u4", "i8"])
@pytest.mark.parametrize("compiled", [False, True])
def test_the_order_is_that_of_a_stable_sort(dtype, compiled, monkeypatch):
    rng = np.random.default_rng(7)
    score = (np.abs(rng.normal(size=5_000)) * 30).astype(dtype)
    if dtype.startswith("f"):
        score = np.round(score) * rng.choice([-1, 1], score.size)  # -0.0 and 0.0 among them
    monkeypatch.setattr(sorts, "loaded", lambda *_: compiled)
    before = score.copy()
    order = sorts.order_of(score, stable=True)
    assert order.dtype == np.intp
    assert np.array_equal(order, np.argsort(score, kind="stable"))
    assert np.array_equal(score, before)
    free = sorts.order_of(score, stable=False)
    assert np.array_equal(np.sort(free), np.arange(score.size))
    assert (np.diff(score[free].astype(float)) >= 0).all()


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i4", "i8", "u2", "u8"])
@pytest.mark.parametrize("cases", [511, 512, 2_047, 2_048, 4_096, 8_191, 8_192])
def test_every_way_gives_the_same_numbers(dtype, cases, monkeypatch):
    # Around each switch: NumPy alone, the compiled sort, and the compiled counts.
    rng = np.random.default_rng(cases)
    label = rng.random(cases) < 0.3
    wide = 100 if dtype == "i1" else 30_000
    scores = (np.abs(rng.normal(size=(cases, 2)) + label[:, None]) * wide / 9).astype(dtype)
    found = []
    for compiled, kernels in ((False, 1 << 20), (True, 1 << 20), (True, 2_048)):
        monkeypatch.setattr(sorts, "loaded", lambda *_, compiled=compiled: compiled)
        monkeypatch.setattr(sorts, "radix_pays", lambda dtype: True)
        monkeypatch.setattr(_count, "KERNEL_CASES", kernels)
        table = rs.tabulate(label, scores[:, 0])
        difference = rs.compare.auc_difference(rs.pair_scores(label, scores), "score_1", "score_2")
        numbers = difference.value, difference.se, *difference.interval()
        found.append((table, rs.auc_score(label, scores[:, 1]), *numbers))
    for other in found[1:]:
        assert other == found[0]
