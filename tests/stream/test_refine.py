"""Several passes give the exact area in any memory, or bounds as narrow as asked."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace.stream import Refinement, Tabulator, refine, refine_auc
from rocspace.stream.tabulator import ROW_BYTES

pytestmark = pytest.mark.usefixtures("none_is_kept")


def source(seed, n=600, decimals=None, batch=97):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    score = rng.normal(size=n) + label
    score = score if decimals is None else score.round(decimals)
    reads = []

    def read():
        reads.append(1)
        for a in range(0, n, batch):
            yield label[a : a + batch], score[a : a + batch]

    return read, label, score, reads


@given(
    seed=st.integers(0, 2**31),
    decimals=st.sampled_from([None, 1, 3]),
    rows=st.integers(16, 400),
    higher=st.booleans(),
)
def test_the_exact_area_in_any_memory(seed, decimals, rows, higher):
    read, label, score, reads = source(seed, decimals=decimals)
    area = refine_auc(read, memory=rows * ROW_BYTES, higher_is_positive=higher)
    assert area.exact
    assert area.value == area.low == area.high
    assert area.value == rs.auc_score(label, score, higher_is_positive=higher)
    assert area.passes == len(reads)
    assert area.n_cases == label.size


@given(
    seed=st.integers(0, 2**31),
    decimals=st.sampled_from([None, 2]),
    tolerance=st.sampled_from([0.2, 0.05, 1e-2, 1e-3, 1e-5]),
)
def test_bounds_are_true_and_as_narrow_as_asked(seed, decimals, tolerance):
    read, label, score, _ = source(seed, decimals=decimals)
    area = refine_auc(read, memory=24 * ROW_BYTES, tolerance=tolerance)
    assert area.low <= rs.auc_score(label, score) <= area.high
    assert area.high - area.low <= tolerance
    assert area.low <= area.value <= area.high


@given(seed=st.integers(0, 2**31), dtype=st.sampled_from(["f8", "f4", "f2", "i8", "u2"]))
def test_where_all_is_to_be_decided_few_bins_are_enough(seed, dtype):
    _, label, score, _ = source(seed, n=3000)
    score = score.astype("f4") if dtype[0] == "f" else 400 * (score + 10)
    score = score.astype(dtype)
    fine = refine.Refinement(tolerance=1e-9, memory=400 * ROW_BYTES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refine, "_COARSE", 20)
        work = refine.Refinement(tolerance=0, memory=400 * ROW_BYTES)
    for each in (work, fine):
        each.counter.update(label, score)
        joined = each.counter.joined().sum()
        assert (joined <= 20) == (each is work)
        for _ in range(each.plan()):
            each.update(label, score)
            each.settle()
    assert work.area().exact
    assert work.area().value == fine.area().value == rs.auc_score(label, score)


def test_what_fits_takes_a_single_pass():
    read, label, score, reads = source(1)
    area = refine_auc(read)
    assert (area.exact, area.passes, len(reads)) == (True, 1, 1)
    assert area.value == rs.auc_score(label, score)


def test_a_looser_tolerance_takes_fewer_passes():
    counts = []
    for tolerance in (0.0, 1e-3, 1e-2, 0.5):
        read, _, _, reads = source(2, n=20_000)
        refine_auc(read, memory=200 * ROW_BYTES, tolerance=tolerance)
        counts.append(len(reads))
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[2] > 0
    assert counts[3] == 1


def test_infinite_scores_and_a_bin_that_outgrows_the_memory():
    score = np.concatenate([np.full(300, np.inf), np.full(300, -np.inf), np.arange(500) / 7])
    label = np.arange(score.size) % 2 == 0
    area = refine_auc(lambda: [(label, score)], memory=20 * ROW_BYTES)
    assert area.exact
    assert area.value == rs.auc_score(label, score)


def test_a_source_that_changes_is_noticed():
    rng = np.random.default_rng(0)

    def read():
        yield rng.random(500) < 0.5, rng.normal(size=500)

    with pytest.raises(ValueError, match="changed between two passes"):
        refine_auc(read, memory=20 * ROW_BYTES)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="tolerance is -1"):
        refine_auc(list, tolerance=-1)
    with pytest.raises(ValueError, match="No cases"):
        refine_auc(list)
    with pytest.raises(ValueError, match="memory is 0"):
        refine_auc(list, memory=0)
    with pytest.raises(TypeError, match=r"read is a list_iterator\. Give a function"):
        refine_auc(iter([]))
    with pytest.raises(ValueError, match="Batch 0 has 3 parts"):
        refine_auc(lambda: [(np.ones(3), np.ones(3), np.ones(3))])
    with pytest.raises(rs.SingleClassError, match=r"refine_auc needs .* 3 positives and 0"):
        refine_auc(lambda: [(np.ones(3, dtype=bool), np.arange(3.0))])


@pytest.mark.parametrize("memory", [100 * ROW_BYTES, 20 * ROW_BYTES])
def test_the_first_pass_ends_once_and_before_all_others(memory):
    work = Refinement(tolerance=0, memory=memory)
    label, score = np.arange(300) % 2, np.arange(300.0) % 7
    for early in (work.area, work.settle, lambda: work.update(label, score)):
        with pytest.raises(ValueError, match="first pass has not ended"):
            early()
    work.counter.update(label, score)
    work.plan()
    with pytest.raises(ValueError, match="plan was called before"):
        work.plan()


@given(seed=st.integers(0, 2**31), share=st.floats(0.05, 0.95), capacity=st.integers(1, 400))
def test_runs_leave_as_little_as_asked_in_as_few_passes_as_can_be(seed, share, capacity):
    _, label, score, _ = source(seed)
    counter = Tabulator(max_rows=64)
    counter.update(label, score)
    bins = refine._Bins(counter.table(), counter.joined())
    pairs = bins.pos * bins.neg * bins.open
    tolerance = share * pairs.sum() / (bins.n_pos * bins.n_neg)
    runs = bins.runs(tolerance, capacity)
    left = pairs.copy()
    for first, last in runs:
        left[first : last + 1] = 0
        cases = (bins.pos + bins.neg)[first : last + 1]
        assert cases.sum() <= max(capacity, cases.max())
    assert left.sum() <= share * pairs.sum()
    assert all(a[1] < b[0] for a, b in pairwise(runs))
    assert len(runs) <= len(bins.runs(0.0, capacity))
    if runs and capacity >= label.size:
        assert len(runs) == 1


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("room", [599, 600, 601])
def test_cases_that_fit_are_kept_and_counted_at_once(room, higher, monkeypatch):
    """One more than fit, and they are counted in bins, with the same area in the end."""
    monkeypatch.setattr(refine, "_HELD_BYTES", 1)
    monkeypatch.setattr(refine, "ROW_BYTES", 20)
    read, label, score, reads = source(3)
    area = refine_auc(read, memory=room, tolerance=0.0, higher_is_positive=higher)
    assert (area.passes == 1) == (room >= label.size)
    assert area.passes == len(reads)
    assert area.exact
    assert area.low == area.value == area.high
    assert area.value == rs.auc_score(label, score, higher_is_positive=higher)
    assert (area.n_cases, area.n_pos) == (label.size, int(label.sum()))


def test_kept_cases_are_checked_as_others_are(monkeypatch):
    monkeypatch.setattr(refine, "_HELD_BYTES", 1)
    with pytest.raises(rs.SingleClassError, match="refine_auc needs at least 1 positive"):
        refine_auc(lambda: [([0, 0], [1.0, 2.0])])
    with pytest.raises(ValueError, match="No cases have been counted"):
        refine_auc(list)
    with pytest.raises(ValueError, match="missing"):
        refine_auc(lambda: [([0, 1], [1.0, np.nan])])
    whole = [([0, 1], np.array([1, 2])), ([0, 1], np.array([2.5, 0.5]))]
    assert refine_auc(lambda: whole).value == rs.auc_score([0, 1, 0, 1], [1, 2, 2.5, 0.5])
    counter = Tabulator(max_rows=16)
    counter.keep(50)
    for start in range(0, 60, 20):
        counter.update(np.arange(start, start + 20) % 2, np.arange(start, start + 20))
    assert counter._given_up() is None
    assert len(counter.table()) <= 16
    assert (counter.n_cases, counter.is_exact) == (60, False)
