"""Counting: the compiled sweeps give the integers of NumPy alone, whatever the threads."""

import subprocess
import sys
from fractions import Fraction
from threading import Barrier, get_ident
from time import sleep

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace._base.exact import best_rows, exact_dot, ratio
from rocspace._kernels import sorting as _kernels
from rocspace._kernels.sorting import (
    count_hashed,
    count_parts,
    direction,
    gather_parts,
    merged_rows,
    scatter_classes,
    scatter_parts,
    twice_wins,
)
from rocspace.counts import compiled_from, sorts
from rocspace.counts import rows as _count
from rocspace.counts.rows import Rows, count_rows, count_twice_wins, in_threads
from slow.counts import table_by_dictionary
from slow.curves import auc_by_pairs

ALWAYS, NEVER = 0, 1 << 62
COMPILED = [np.dtype(c) for c in ("i1", "u2", "i8", "u8", "f4", "f8")]
NUMPY_ONLY = [np.dtype(c) for c in ("f2", "g")]


@pytest.fixture
def few_bits(monkeypatch):
    """A small hash table, so that samples of a test overflow it."""
    monkeypatch.setattr(_count, "HASHED_BITS", 4)


def columns(rows):
    assert isinstance(rows, Rows)
    assert rows.pos_w2 is None
    assert rows.neg_w2 is None
    return rows.score.tolist(), rows.pos.tolist(), rows.neg.tolist()


def by_numpy(label, score, monkeypatch):
    monkeypatch.setattr(_count, "KERNEL_CASES", NEVER)
    monkeypatch.setattr(sorts, "loaded", lambda *_: False)
    return count_rows(label, score, None), count_twice_wins(label, score)


def by_kernels(label, score, threads, monkeypatch):
    monkeypatch.setattr(_count, "KERNEL_CASES", ALWAYS)
    return count_rows(label, score, None, threads), count_twice_wins(label, score, threads)


def extremes(dtype, rng, n):
    """Values from one end of the type to the other."""
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return rng.integers(ends.min, ends.max, n, dtype=dtype, endpoint=True)
    whole = rng.standard_normal(n).astype(dtype) * 10
    whole[rng.integers(0, n, n // 10)] = np.array(np.inf, dtype)
    whole[rng.integers(0, n, n // 10)] = np.array(-np.inf, dtype)
    whole[rng.integers(0, n, n // 10)] = np.array(-0.0, dtype)
    whole[rng.integers(0, n, n // 10)] = np.array(0.0, dtype)
    return whole


def shapes():
    """Ways that scores may lie: name, and scores from (dtype, generator, n)."""
    yield "spread", extremes
    yield "sorted", lambda d, r, n: np.sort(extremes(d, r, n))
    yield "reversed", lambda d, r, n: np.sort(extremes(d, r, n))[::-1].copy()
    yield "tied", lambda d, r, n: r.integers(0, 5, n).astype(d)
    yield "equal", lambda d, r, n: np.full(n, 7, dtype=d)
    yield "one odd", lambda d, r, n: np.where(np.arange(n) == n // 2, 3, 100).astype(d)
    yield "halves", lambda d, r, n: (np.arange(n) * 127 // n).astype(d)


@pytest.mark.parametrize("shape", [pytest.param(f, id=name) for name, f in shapes()])
@pytest.mark.parametrize("dtype", COMPILED, ids=str)
def test_kernels_count_what_numpy_counts(dtype, shape, few_bits, monkeypatch):
    rng = np.random.default_rng(3)
    score = shape(dtype, rng, 1000)
    for share in (0.1, 1.0, 0.0):  # a class may be empty
        label = rng.random(score.size) < share
        rows, wins = by_numpy(label, score, monkeypatch)
        for threads in (1, 2, 3, 8):
            again, wins_again = by_kernels(label, score, threads, monkeypatch)
            assert columns(again) == columns(rows)
            assert again.score.dtype == rows.score.dtype == dtype
            assert again.pos.dtype == again.neg.dtype == np.int64
            assert not np.signbit(again.score[again.score == 0].astype(float)).any()
            assert wins_again == wins


@pytest.mark.parametrize("dtype", NUMPY_ONLY, ids=str)
def test_types_without_kernels_are_counted_by_numpy(dtype, monkeypatch):
    rng = np.random.default_rng(4)
    score, label = extremes(dtype, rng, 500), rng.random(500) < 0.3
    rows, wins = by_numpy(label, score, monkeypatch)
    again, wins_again = by_kernels(label, score, 2, monkeypatch)
    assert columns(again) == columns(rows)
    assert again.score.dtype == dtype
    assert wins_again == wins


KEPT = np.random.default_rng(5).integers(0, 40, 3000).astype(float)


@pytest.mark.parametrize(
    ("label", "score"),
    [
        (KEPT > 20, KEPT[::-1]),
        (np.repeat(KEPT > 20, 2)[::2], KEPT),
        ((KEPT > 20).astype("i1").view(bool)[::-1], KEPT),
        (KEPT > 20, np.broadcast_to(KEPT, (1, KEPT.size))[0]),
    ],
    ids=["reversed score", "strides of the label", "view of the label", "read-only"],
)
def test_kernels_take_any_layout(label, score, monkeypatch):
    monkeypatch.setattr(_count, "KERNEL_CASES", NEVER)
    expected = rs.tabulate(label, score)
    monkeypatch.setattr(_count, "KERNEL_CASES", ALWAYS)
    assert rs.tabulate(label, score, threads=2) == expected
    assert rs.auc_score(label, score, threads=2) == rs.auc(expected)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False)), min_size=1, max_size=40),
    st.sampled_from([1, 2, 3, 8]),
    st.sampled_from([1, 4]),
)
@example([(True, 0.0), (False, -0.0), (True, -0.0)], 2, 1)
@example([(True, -0.0), (False, -0.0)], 1, 4)
@example([(True, float("inf")), (False, float("-inf"))] * 3, 8, 1)
def test_kernels_are_the_dictionary(cases, threads, bits):
    label, score = (list(column) for column in zip(*cases, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_count, "HASHED_BITS", bits)
        rows, (wins, n_pos, n_neg) = by_kernels(np.array(label), np.array(score), threads, patch)
    assert list(zip(*columns(rows), strict=True)) == table_by_dictionary(label, score)
    assert not np.signbit(rows.score[rows.score == 0]).any()
    assert (n_pos, n_neg) == (sum(label), len(label) - sum(label))
    if n_pos and n_neg:
        assert Fraction(wins, 2 * n_pos * n_neg) == auc_by_pairs(label, score)


@pytest.mark.parametrize("threads", [1, 2])
def test_either_way_of_the_kernels_is_taken(threads, monkeypatch):
    """Few distinct scores are hashed, many are sorted; late news makes hashing give up."""
    called = []
    ways = ("_rows_by_loops", "_twice_wins_by_loops")
    ways = ways if threads == 1 else ("_rows_by_parts", "twice_wins_of_parts")
    for name in ("_rows_by_hashing", *ways):
        whole = getattr(_count, name)

        def spy(*arguments, name=name, whole=whole):
            found = whole(*arguments)
            called.append((name, found is not None))
            return found

        monkeypatch.setattr(_count, name, spy)
    monkeypatch.setattr(_count, "HASHED_BITS", 4)
    monkeypatch.setattr(_count, "_TRIED", 100)
    label = np.arange(400) % 2 == 0
    few = np.arange(400) % 7.0
    for score in (few, np.arange(400.0), np.where(np.arange(400) < 100, 1.0, np.arange(400.0))):
        rows, wins = by_numpy(label, score, monkeypatch)
        assert called == []
        again, wins_again = by_kernels(label, score, threads, monkeypatch)
        assert columns(again) == columns(rows)
        assert wins_again == wins
        if score is few:
            assert called == [("_rows_by_hashing", True)] * 2
        else:
            assert called == [
                ("_rows_by_hashing", False),
                (ways[0], True),
                ("_rows_by_hashing", False),
                (ways[1], True),
            ]
        called.clear()


def test_the_rule_can_be_read_and_set_and_has_no_memory(monkeypatch):
    assert compiled_from() == 1 << 24
    monkeypatch.setattr(_count, "KERNEL_CASES", 80)
    assert compiled_from() == 80
    asked = [_count._fits_kernels(np.arange(20.0)) for _ in range(17)]
    assert asked == [False] * 17  # however many there were
    monkeypatch.delitem(sys.modules, "rocspace._kernels.sorting", raising=False)
    assert _count._fits_kernels(np.arange(80.0))  # imported or not
    assert not _count._fits_kernels(np.arange(79.0))
    assert not _count._fits_kernels(np.arange(800.0, dtype=np.longdouble))
    assert compiled_from(10) == 80
    assert _count._fits_kernels(np.arange(20.0))
    assert not _count._fits_kernels(np.arange(9.0))
    for wrong in (0, -1, 2.5, True):
        with pytest.raises(ValueError, match="must be a whole number, 1 or more"):
            compiled_from(wrong)
    assert compiled_from() == 10


def test_large_samples_take_the_kernels_by_themselves(monkeypatch):
    taken = []
    monkeypatch.setattr(_count, "_rows_by_hashing", lambda *a: taken.append(a[2]))
    monkeypatch.setattr(_count, "KERNEL_CASES", 100)
    table = rs.tabulate(np.arange(100) > 50, np.arange(100.0), threads=3)
    assert taken == [3]
    assert len(table) == 100
    rs.tabulate(np.arange(11) > 5, np.arange(11.0), threads=3)  # though numba is loaded
    rs.tabulate(np.arange(100) > 50, np.arange(100.0), sample_weight=np.ones(100))
    assert taken == [3]


def test_pivots_cut_at_scores_that_occur():
    score = np.random.default_rng(1).standard_normal(1 << 15)
    pivots = _count._pivots(score, 8)
    assert np.isin(pivots, score).all()
    sizes = np.diff(np.searchsorted(np.sort(score), [-9, *pivots, 9]))
    assert sizes.size == 8
    assert (np.abs(sizes - score.size / 8) < 400).all()  # of 4096; five standard deviations
    assert _count._pivots(np.zeros(100), 8).tolist() == [0.0]
    assert _count._pivots(score, 1).size == 0


def test_chunks_cover_everything_once():
    for size in (0, 1, 7, 100):
        for threads in (1, 2, 3, 8):
            chunks = _count.chunks(size, threads)
            assert len(chunks) == threads
            assert [i for c in chunks for i in range(size)[c]] == list(range(size))


def test_default_threads_are_those_the_process_may_use(monkeypatch):
    monkeypatch.setattr(_count.os, "sched_getaffinity", lambda pid: {0, 1, 5}, raising=False)
    assert _count.default_threads() == _count.check_threads(None) == 3
    monkeypatch.delattr(_count.os, "sched_getaffinity")
    monkeypatch.setattr(_count.os, "cpu_count", lambda: None)
    assert _count.default_threads() == 1


# --- the loops themselves, compiled and as plain Python -----------------------------------------


def both(kernel):
    return [pytest.param(kernel, id="compiled"), pytest.param(kernel.py_func, id="Python")]


runs = st.lists(st.integers(-3, 3), max_size=12).map(sorted)


@pytest.mark.parametrize("kernel", both(twice_wins))
@settings(max_examples=50)
@given(neg=runs, pos=runs)
def test_twice_wins(kernel, neg, pos):
    expected = sum(2 * (p > n) + (p == n) for p in pos for n in neg)
    assert kernel(np.array(neg, "f8"), np.array(pos, "f8")) == expected
    assert _count._twice_wins_by_search(np.array(pos), np.array(neg)) == expected


@pytest.mark.parametrize("kernel", both(merged_rows))
@settings(max_examples=100)
@example(neg=[], pos=[])
@given(neg=runs, pos=runs)
def test_merging_sorted_runs(kernel, neg, pos):
    n = len(neg) + len(pos)
    expected = table_by_dictionary([False] * len(neg) + [True] * len(pos), neg + pos)
    score, n_pos, n_neg = np.zeros(n), *np.zeros((2, n), dtype="i8")
    k = kernel(np.array(neg, "f8"), np.array(pos, "f8"), score, n_pos, n_neg)
    found = zip(score[:k].tolist(), n_pos[:k].tolist(), n_neg[:k].tolist(), strict=True)
    assert list(found) == expected


@pytest.mark.parametrize("kernel", both(scatter_classes))
@pytest.mark.parametrize("label", [[1, 0, 1, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], []])
def test_classes_are_divided_in_one_pass(kernel, label):
    score, out = np.array([5.0, 2.0, -0.0, 3.0, 9.0])[: len(label)], np.full(len(label), np.nan)
    n_neg = kernel(np.array(label, "u1"), score, out)
    own = np.array(label, "?")
    assert out[:n_neg].tolist() == score[~own].tolist()
    assert out[n_neg:].tolist() == score[own].tolist()[::-1]
    assert not np.signbit(out).any()


def test_more_threads_start_only_for_many_cases(monkeypatch):
    monkeypatch.setattr(_count, "default_threads", lambda: 8)
    many = _count._APIECE
    sizes = (0, many - 1, many, 5 * many, 100 * many)
    assert [_count._worth_starting(None, n) for n in sizes] == [1, 1, 2, 6, 8]
    assert _count._worth_starting(3, 10) == 3


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("shape", ["ends", "near", "equal", "zeros"])
@pytest.mark.parametrize("n", [1, 2, 300])
def test_once_loaded_compiled_loops_count_on_one_processor(dtype, shape, n, monkeypatch):
    rng = np.random.default_rng(n)
    score = {
        "ends": extremes(np.dtype(dtype), rng, n),
        "near": (1 + 1e-12 * rng.integers(0, n, n)).astype(dtype),  # only the last bytes differ
        "equal": np.full(n, 7, dtype),
        "zeros": (rng.choice([-1.0, 1.0], n) * rng.integers(0, 2, n)).astype("i4").astype(dtype),
    }[shape]
    if shape == "zeros" and score.dtype.kind == "f":
        score *= rng.choice([-1, 1], n)  # -0.0 and 0.0, which tie
    for label in (rng.random(n) < 0.3, np.zeros(n, bool), np.ones(n, bool)):
        monkeypatch.setattr(sorts, "loaded", lambda *_: False)
        expected = count_rows(label, score, None), count_twice_wins(label, score)
        monkeypatch.setattr(sorts, "loaded", lambda *_: True)
        monkeypatch.setattr(_count, "LOOPS_FROM", 1)
        assert _count._fits_loops(score)
        rows = count_rows(label, score, None)
        assert columns(rows) == columns(expected[0])
        assert rows.score.dtype == score.dtype
        assert not np.signbit(rows.score[rows.score == 0]).any()
        assert count_twice_wins(label, score) == expected[1]
        monkeypatch.undo()


@pytest.mark.parametrize("kernel", both(direction))
@pytest.mark.parametrize(
    ("run", "way"),
    [
        ([], 1),
        ([5], 1),
        ([1, 1, 1], 1),
        ([1, 1, 2], 1),
        ([2, 1, 1], -1),
        ([1, 2, 1], 0),
        ([2, 1, 2], 0),
        ([-np.inf, 0, np.inf], 1),
    ],
)
def test_direction(kernel, run, way):
    assert kernel(np.array(run, "f8")) == way


@pytest.mark.parametrize("compiled", [True, False])
def test_parts_hold_each_class_and_range(compiled):
    kernels = [count_parts, scatter_parts]
    count_kernel, scatter = kernels if compiled else [k.py_func for k in kernels]
    label = np.array([1, 0, 1, 0, 0, 1], dtype="u1")
    score = np.array([5.0, 2.0, -0.0, 3.0, 9.0, 2.0])
    pivots = np.array([2.0, 5.0])
    count = np.zeros(6, dtype="i8")
    count_kernel(label, score, pivots, count)
    # Ranges: below 2, from 2 below 5, from 5; negatives, then positives of each.
    assert count.tolist() == [0, 1, 2, 1, 1, 1]
    start, out = np.cumsum(count) - count, np.empty(6)
    scatter(label, score, pivots, start, out)
    assert out.tolist() == [0.0, 2.0, 3.0, 2.0, 9.0, 5.0]
    assert not np.signbit(out).any()
    assert start.tolist() == np.cumsum(count).tolist()


@pytest.mark.parametrize("kernel", both(gather_parts))
def test_gathering_takes_what_lies_between_the_ends(kernel):
    label = np.array([1, 0, 1, 0, 0, 1, 1], dtype="u1")
    score = np.array([5.0, 2.0, -0.0, 3.0, 9.0, 2.0, -1.0])
    pivots = np.array([2.0, 5.0])
    stop = np.array([0, 1, 3, 4, 5, 6])
    start = np.array([0, 0, 1, 3, 4, 5])

    def gathered(low, below, bounded, stop=stop):
        place, out = start.copy(), np.full(6, np.nan)
        done = kernel(label, score, (low, below, bounded), pivots, place, stop, out)
        return done, (place - start).tolist(), out

    done, taken, out = gathered(0.0, 0.0, False)
    assert (done, taken) == (True, [0, 1, 2, 1, 1, 1])
    assert out.tolist() == [0.0, 2.0, 3.0, 2.0, 9.0, 5.0]
    assert not np.signbit(out).any()
    assert gathered(2.0, 5.0, True)[:2] == (True, [0, 0, 2, 1, 0, 0])
    done, taken, out = gathered(-1.0, 9.0, True)
    assert (done, taken) == (False, [0, 1, 2, 1, 0, 1])  # a second positive below 2 has no room
    assert np.isnan(out[4])


@pytest.mark.parametrize("kernel", both(count_hashed))
def test_hashing_counts_or_gives_up_at_half(kernel):
    def counted(bits, size):
        key = np.zeros(size, dtype="u8")
        count = np.zeros((size, 2), dtype="i8")
        shift = np.uint64(64 - size.bit_length() + 1)
        with np.errstate(over="ignore"):  # plain NumPy warns that the hash wraps
            used = kernel(np.array([1, 0, 1, 1] * 2, "u1"), bits, key, count, shift)
        filled = count.any(axis=1)
        found = zip(key[filled].tolist(), count[filled].tolist(), strict=True)
        return used, sorted(found)

    bits = np.array([7, 7, 0, 2**64 - 1, 7, 0, 0, 7], dtype="u8")
    expected = [(0, [1, 2]), (7, [1, 3]), (2**64 - 1, [0, 1])]
    assert counted(bits, 8) == (3, expected)
    assert counted(bits, 4)[0] == -1
    assert counted(bits[:2].repeat(4), 2)[0] == 1


def test_kernels_release_the_lock_and_are_kept():
    names = (
        "count_parts scatter_parts scatter_classes gather_parts twice_wins merged_rows count_hashed"
    )
    for name in names.split():
        options = getattr(_kernels, name).targetoptions
        assert options["nogil"] is True
        assert options.get("parallel", False) is False


def test_the_first_loop_imports_no_linear_algebra_and_leaves_it_to_others():
    code = """
import sys
import numpy as np, numba
from rocspace._kernels import sorting
sorting.twice_wins(np.arange(3.0), np.arange(2.0))
print("scipy.linalg" in sys.modules)
from numba.np import arraymath, linalg
print(arraymath._HAVE_BLAS, arraymath.ensure_blas is linalg.ensure_blas)
print(numba.njit(lambda a: a @ a)(2 * np.eye(2)).tolist(), "scipy.linalg" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["False", "True True", "[[4.0, 0.0], [0.0, 4.0]] True"]


# --- exact integers ---------------------------------------------------------------------------


huge = st.integers(0, 2**63 - 1) | st.sampled_from([2**63 - 1, 2**42, 2**21 - 1, 2**21])


@given(st.lists(st.tuples(huge, huge), max_size=9))
def test_exact_dot_is_that_of_python(pairs):
    a, b = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in (0, 1))
    assert exact_dot(a, b) == sum(x * y for x, y in pairs)


def test_exact_dot_over_several_blocks():
    top = 2**63 - 1
    n = 2**21 + 5
    a, b = np.full(n, top), np.full(n, top)
    assert exact_dot(a, b) == n * top * top
    a[:] = b[:] = 3
    assert exact_dot(a, b) == 9 * n
    # Just below and just above what one int64 holds.
    for last in (2**62 - 2, 2**62 - 1, 2**62):
        assert exact_dot(np.array([2, 2]), np.array([1, last])) == 2 + 2 * last


def test_ratio_is_quiet():
    assert np.isnan(ratio(0, 0))
    assert ratio(1, 0) == np.inf
    assert ratio(np.array([1, 0]), 4).tolist() == [0.25, 0.0]


def test_best_rows_are_decided_exactly():
    # In floats 1/3 + 1/3 + 1/3 and 1 tie or not as rounding has it; as fractions they tie.
    numbers = [Fraction(1), Fraction(1) - Fraction(1, 10**30), Fraction(1), Fraction(1, 2)]
    floats = np.array([1.0 - 1e-16, 1.0, 1.0, 0.5])
    assert best_rows(floats, numbers.__getitem__).tolist() == [0, 2]
    assert best_rows(np.array([np.nan, 1.0, 1.0]), [9, 1, 1].__getitem__).tolist() == [1, 2]
    assert best_rows(np.array([-3.0, -2.0]), [-3, -2].__getitem__).tolist() == [1]
    large = [10**20, 10**20 + 1]
    assert best_rows(np.array(large, dtype=float), large.__getitem__).tolist() == [1]
    infinite = [1, float("inf"), float("inf")]
    assert best_rows(np.array(infinite), infinite.__getitem__).tolist() == [1, 2]


@pytest.mark.parametrize("threads", [0, -1, 1.5, 10**4, 10**30, "2"])
def test_a_number_of_threads_is_refused_before_anything_is_divided_among_them(threads):
    with pytest.raises(ValueError, match="must be a whole number from 1 to 1024"):
        rs.auc_score([0, 1], [1, 2], threads=threads)


def test_columns_with_nan_are_left_to_numpy(monkeypatch):
    def sort_run(run):
        assert not np.isnan(run).any()
        seen.append(run.size)
        run.sort()

    seen = []
    monkeypatch.setattr(sorts, "radix_pays", lambda dtype: True)
    monkeypatch.setattr(sorts, "RADIX_CASES", 3)
    monkeypatch.setattr(sorts, "sort_run", sort_run)
    score = np.array([[3.0], [np.nan], [1.0], [-2.0], [0.5], [7.0], [1.5], [2.0]])
    members = np.array([0, 1, 2, 3, 4]), np.array([5, 6, 7])
    pos, neg = _count.sorted_by_class(score, members, slice(None))
    np.testing.assert_array_equal(pos, [[-2.0, 0.5, 1.0, 3.0, np.nan]])
    np.testing.assert_array_equal(neg, [[1.5, 2.0, 7.0]])
    assert seen == [3]


def test_scores_that_compiled_loops_do_not_take_are_left_to_numpy(monkeypatch):
    short, score = np.zeros(_count.LOOPS_FROM, np.float16), np.zeros(_count.LOOPS_FROM)
    for loaded in (True, False):
        monkeypatch.setattr(sorts, "loaded", lambda *_, loaded=loaded: loaded)
        assert not _count._fits_loops(short)
        assert _count._fits_loops(score) == loaded
        assert not _count._fits_loops(score[1:])


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
def test_threads_answer_in_the_order_of_the_items(threads):
    def work(item):
        sleep(0.002 * (item % 3))
        return get_ident(), item * item

    found = in_threads(threads, work, iter(range(20)))
    assert [square for _, square in found] == [i * i for i in range(20)]
    used = {thread for thread, _ in found}
    assert len(used) <= threads
    assert threads > 1 or used == {get_ident()}


def test_the_calling_thread_has_its_share():
    met = Barrier(2)
    used = in_threads(2, lambda _: (met.wait(20), get_ident())[1], range(2))
    assert get_ident() in used


@pytest.mark.parametrize("bad", [0, 7])
@pytest.mark.parametrize("kind", [IndexError, KeyboardInterrupt])
def test_an_error_in_a_thread_ends_the_work(bad, kind):
    begun = []

    def work(item):
        begun.append(item)
        if item == bad:
            msg = "this one"
            raise kind(msg)
        sleep(0.01)

    with pytest.raises(kind, match="this one"):
        in_threads(2, work, range(400))
    assert len(begun) < 20
