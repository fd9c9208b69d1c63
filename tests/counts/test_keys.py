"""Keys: the same whole numbers as a sort of places or a search, or a refusal."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocspace.counts import keys as keyed
from rocspace.counts import rows as counted
from rocspace.counts import sorts
from rocspace.counts.keys import counts_of_integers, rows_of_keys, sorted_keys, twice_wins_of_keys

TYPES = ("f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
FLOATS = ("f4", "f8")


def draw(kind, shape, rng, n):
    """Scores of a type: spread over it, tied, constant, sorted, or beside zeros of both signs."""
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        wide = rng.standard_normal(n) * 10.0 ** rng.integers(-15, 15, n)
    else:
        top = int(min(np.iinfo(dtype).max, 2**60))
        wide = rng.integers(-top if dtype.kind == "i" else 0, top, n, dtype=dtype)
    score = {
        "wide": lambda: wide,
        "above": lambda: np.abs(wide),
        "tied": lambda: rng.integers(0, 5, n),
        "equal": lambda: np.full(n, 7),
        "nothing": lambda: np.zeros(n),
        "sorted": lambda: np.sort(wide),
        "zeros": lambda: wide * rng.choice([0, 1, -1 if dtype.kind != "u" else 1], n),
    }[shape]().astype(dtype)
    if shape == "zeros" and dtype.kind == "f":
        score[::5] = -0.0
        score[1::5] = 0.0
    return score


def by_order(label, score):
    rows = counted._rows_by_order(label, score, None)
    return [column.tolist() for column in (rows.score, rows.pos, rows.neg)]


def check_counts(label, score):
    made = sorted_keys(label, score)
    assert made is not None
    found = rows_of_keys(made)
    assert found[0].dtype == score.dtype
    assert found[1].dtype == found[2].dtype == np.int64
    assert [column.tolist() for column in found] == by_order(label, score)
    assert not np.signbit(found[0][found[0] == 0].astype("f8")).any()
    pos, neg = np.sort(score[label]), np.sort(score[~label])
    wins = counted._twice_wins_by_search(pos, neg)
    assert twice_wins_of_keys(made) == (wins, pos.size, neg.size)
    few = counts_of_integers(label, score)
    if few is not None:
        assert few[0].dtype == score.dtype
        assert [column.tolist() for column in few] == by_order(label, score)


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(TYPES),
    shape=st.sampled_from(["wide", "above", "tied", "equal", "nothing", "sorted", "zeros"]),
    n=st.sampled_from([1, 2, 3, 63, 64, 65, 127, 128, 129, 200]),
    share=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 999),
)
def test_keys_count_what_places_count(kind, shape, n, share, seed):
    """Sizes around a block, which is made short."""
    rng = np.random.default_rng(seed)
    label, score = rng.random(n) < share, draw(kind, shape, rng, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyed, "_BLOCK", 64)
        check_counts(label, score)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("switch", ["LOOPS_FROM", "KEYED_WINS", "KEYED_ROWS"])
@pytest.mark.parametrize("compiled", [False, True])
def test_both_sides_of_a_switch_count_alike(kind, switch, compiled, monkeypatch):
    monkeypatch.setattr(sorts, "loaded", lambda *_: compiled)
    monkeypatch.setattr(sorts, "radix_pays", lambda dtype: True)
    at = getattr(counted, switch)
    for n in (at - 1, at, at + 1):
        rng = np.random.default_rng(n)
        label = rng.random(n) < 0.3
        for shape in ("wide", "tied"):
            score = draw(kind, shape, rng, n)
            expected = by_order(label, score)
            rows = counted.count_rows(label, score, None)
            assert [c.tolist() for c in (rows.score, rows.pos, rows.neg)] == expected
            above = np.cumsum(rows.neg[::-1])[::-1] - rows.neg
            wins = int(rows.pos @ (2 * above + rows.neg))
            assert counted.count_twice_wins(label, score)[0] == wins


@pytest.mark.parametrize(
    "score",
    [
        np.array([-np.inf, 0.5, 1.0]),
        np.array([5e-324, 2.0]),
        np.array([-1e-300, 1e300]),
        np.array([1e-40, 2.0], "f4"),
        np.array([0, 2**62]),
        np.array([-(2**62), 2**62]),
        np.array([0, 2**64 - 1], "u8"),
        np.array([1.0, 2.0], "f2"),
        np.array([1.0, 2.0], "g"),
        np.array([1.0, np.nan]),
        np.array([]),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_and_counted_otherwise(score, monkeypatch):
    label = np.arange(score.size) % 2 == 0
    assert sorted_keys(label, score) is None
    if score.size and not np.isnan(score).any():
        monkeypatch.setattr(counted, "KEYED_ROWS", 1)
        monkeypatch.setattr(counted, "KEYED_WINS", 1)
        rows = counted.count_rows(label, score, None)
        assert [c.tolist() for c in (rows.score, rows.pos, rows.neg)] == by_order(label, score)
        pos, neg = np.sort(score[label]), np.sort(score[~label])
        wins = counted._twice_wins_by_search(pos, neg)
        assert counted.count_twice_wins(label, score) == (wins, pos.size, neg.size)


@pytest.mark.parametrize("kind", FLOATS)
def test_floats_at_the_edge_of_what_fits(kind):
    """Neighbouring numbers, the least and the largest that fit beside them, and subnormal ones."""
    one = np.dtype(kind).type(1)
    for middle in (one, one * 1000, np.finfo(kind).tiny, np.finfo(kind).max / 2):
        near = np.array([middle, np.nextafter(middle, 2 * middle), np.nextafter(middle, 0)], kind)
        score = np.concatenate([near, -near, [0, -0.0] if middle <= 1 else near]).astype(kind)
        for label in (np.arange(score.size) % 2 == 0, np.arange(score.size) % 3 == 0):
            check_counts(label, score)
    check_counts(np.array([True, False, False]), np.array([np.inf, 5, 4], kind))


def test_keys_are_normal_floats():
    """A processor that takes subnormal numbers for 0 sorts them as any other."""
    for kind, score in (("f8", [0, 5e-324, 1e-310]), ("f4", [0, 1e-45, 1e-40]), ("i8", [0, 1])):
        made = sorted_keys(np.ones(len(score), bool), np.array(score, kind))
        assert (np.abs(made.key) >= np.finfo(made.key.dtype).tiny).all()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_the_next_call_finds_the_memory_of_the_last():
    # Memory that goes back to the system comes page by page, in as much time as the sort takes.
    code = (
        "import resource, numpy as np, rocspace as rs\n"
        "def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "y, s = np.arange(10**6) % 3 == 0, np.sin(np.arange(10**6.0))\n"
        "found = []\n"
        "for _ in range(4):\n"
        "    before = faults()\n"
        "    curve = rs.roc_curve(rs.tabulate(y, s))\n"
        "    curve.fpr, curve.tpr\n"
        "    del curve\n"
        "    found.append(faults() - before)\n"
        "print(min(found))"
    )
    kept = {name: value for name, value in os.environ.items() if name[:7] != "MALLOC_"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=kept, check=True
    )
    assert int(done.stdout) < 100, done.stderr


def test_integers_below_zero_with_a_negative_at_the_top():
    label = np.array([True, False, True, False, False])
    check_counts(label, np.array([-5, -4, -4, -3, -5], dtype=np.int64))
    score, pos, neg = counts_of_integers(label, np.array([-5, -4, -4, -3, -5], dtype=np.int8))
    assert (score.tolist(), pos.tolist(), neg.tolist()) == ([-3, -4, -5], [0, 1, 1], [1, 1, 1])
