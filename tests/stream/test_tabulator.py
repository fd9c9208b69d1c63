"""Batches give the table of all cases, and bins hold the exact area for certain."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace.stream import Tabulator
from rocspace.stream import states as _states
from rocspace.stream.states import COLUMNS, State

SCORES = st.floats(allow_nan=False, width=32) | st.sampled_from([0.0, -0.0, 1.0, 2.0, 0.1])
CASES = st.lists(st.tuples(st.booleans(), SCORES), min_size=1, max_size=60)


def cut_up(cases, cuts):
    """Split a list at given places."""
    places = [0, *sorted(c % (len(cases) + 1) for c in cuts), len(cases)]
    return [cases[a:b] for a, b in pairwise(places)]


def fill(counter, batch):
    """Give a batch of (label, score) pairs to a tabulator."""
    counter.update([y for y, _ in batch], np.array([s for _, s in batch], dtype=float))


@given(cases=CASES, cuts=st.lists(st.integers(0, 100), max_size=5))
def test_batches_give_the_table_of_all(cases, cuts):
    counter = Tabulator()
    for batch in cut_up(cases, cuts):
        fill(counter, batch)
        counter._flush()  # every batch its own state
    assert counter.is_exact
    assert counter.n_cases == len(cases)
    assert counter.table() == rs.tabulate([y for y, _ in cases], [s for _, s in cases])


def random_cases(seed, n=400, decimals=None):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    score = rng.normal(size=n) + label
    return label, score if decimals is None else score.round(decimals)


@given(
    seed=st.integers(0, 2**31),
    decimals=st.sampled_from([None, 1, 2]),
    cuts=st.lists(st.integers(0, 400), max_size=6),
    rooms=st.lists(st.integers(16, 80), min_size=2, max_size=4),
    higher=st.booleans(),
)
def test_bounds_hold_for_any_order_of_updates_merges_and_compactions(
    seed, decimals, cuts, rooms, higher
):
    label, score = random_cases(seed, decimals=decimals)
    exact = rs.tabulate(label, score, higher_is_positive=higher)
    counters = [Tabulator(max_rows=room, higher_is_positive=higher) for room in rooms]
    for i, batch in enumerate(cut_up(list(zip(label, score, strict=True)), cuts)):
        fill(counters[i % len(counters)], batch)
        counters[i % len(counters)]._flush()
    whole = counters[0]
    for other in counters[1:]:
        whole.merge(other)
    table = whole.table()
    assert (table.n_pos, table.n_neg) == (exact.n_pos, exact.n_neg)
    assert len(table) <= whole.max_rows
    assert rs.auc(exact) in rs.auc_bounds(table)
    low, high = rs.auc_bounds(exact)
    binned_low, binned_high = rs.auc_bounds(table)
    assert binned_low <= low
    assert high <= binned_high


def test_it_is_known_at_once_that_scores_were_joined():
    counter = Tabulator(max_rows=32)
    counter.update(np.arange(100) % 2, np.arange(100.0))
    assert not counter.is_exact
    assert "binned" in repr(counter)
    few = Tabulator(max_rows=32)
    few.update(np.arange(100) % 2, np.arange(100.0) % 30)
    assert few.is_exact


@given(seed=st.integers(0, 2**31), higher=st.booleans(), whole=st.booleans())
def test_every_point_of_a_binned_table_lies_on_the_exact_curve(seed, higher, whole):
    label, score = random_cases(seed)
    score = (score * 1000).astype(np.int32) if whole else score
    counter = Tabulator(max_rows=32, higher_is_positive=higher)
    counter.update(label, score)
    table = counter.table()
    at = rs.evaluate(rs.tabulate(label, score, higher_is_positive=higher), table.score)
    assert not counter.is_exact
    assert np.array_equal(at.tp, table.tp)
    assert np.array_equal(at.fp, table.fp)


def test_bins_leave_few_pairs_undecided():
    # Equal shares of the overlap in each bin: about 2 / rows of all pairs stay undecided.
    label, score = random_cases(7, n=50_000)
    for rows in (100, 1000, 10_000):
        counter = Tabulator(max_rows=rows)
        counter.update(label, score)
        assert rs.auc_bounds(counter.table()).width < 8 / rows


def test_joining_by_hand():
    # Four pure rows at the ends cost nothing, the mixed middle is left apart.
    counter = Tabulator(max_rows=16)
    score = [float(s) for s in range(1, 18)]
    label = [s > 14 for s in score]
    counter.update(label, score)
    table = counter.table()
    assert not counter.is_exact
    assert len(table) <= 8
    assert rs.auc(table) == 1.0  # no bin holds both classes
    assert rs.auc_bounds(table).width == 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rows", [1 << 20, 64])
def test_states_survive_saving_and_pickling(tmp_path, weighted, rows):
    label, score = random_cases(3)
    weight = np.linspace(0.5, 2, label.size) if weighted else None
    counter = Tabulator(max_rows=rows)
    counter.update(label, score, weight)
    counter.save(tmp_path / "state.npz")
    loaded = Tabulator.load(tmp_path / "state.npz")
    again = pickle.loads(pickle.dumps(counter))
    for copy in (loaded, again):
        assert copy.table() == counter.table()
        assert copy.is_exact == counter.is_exact
        assert copy.n_cases == label.size
        copy.update([1, 0], [0.5, 0.5], None if weight is None else [1.0, 1.0])
        assert copy.n_cases == label.size + 2


def test_weights_add_up():
    label, score = random_cases(5, decimals=1)
    weight = np.linspace(0.1, 3, label.size)
    counter = Tabulator()
    for part in np.array_split(np.arange(label.size), 4):
        counter.update(label[part], score[part], weight[part])
        counter._flush()
    table, whole = counter.table(), rs.tabulate(label, score, sample_weight=weight)
    assert np.array_equal(table.score, whole.score)
    for name in ("pos", "neg", "pos_w2", "neg_w2"):
        assert getattr(table, name) == pytest.approx(getattr(whole, name), rel=1e-14)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u8", "i8", "f2", "f4", "f8"])
def test_keys_keep_order_type_and_digits(dtype):
    rng = np.random.default_rng(1)
    score = np.unique(rng.integers(0, 100, 50)).astype(dtype)
    if dtype == "i8":
        score = np.append(score, [-(2**63), 2**63 - 1, 2**53 + 1]).astype(dtype)
    if dtype.startswith("f"):
        score = np.append(-score - 1, [np.inf, -np.inf, *score]).astype(dtype)
    counter = Tabulator()
    counter.update(np.arange(score.size) % 2, score)
    table = counter.table()
    assert table.score.dtype == score.dtype
    assert np.array_equal(table.score, np.unique(score)[::-1])


@pytest.mark.parametrize("higher", [False, True])
@pytest.mark.parametrize(
    "types", [["i8", "f8", "i4"], ["u1", "u2", "u8"], ["u1", "i2"], ["f4", "f8"]]
)
def test_types_of_scores_are_brought_together(types, higher):
    counter = Tabulator(higher_is_positive=higher)
    score = np.arange(60) % 23
    for dtype, part in zip(types, np.array_split(np.arange(60), len(types)), strict=True):
        counter.update(part % 2, score[part].astype(dtype))
        counter._flush()
    assert counter.table() == rs.tabulate(np.arange(60) % 2, score, higher_is_positive=higher)


def test_integers_that_no_float_holds_are_refused_next_to_floats():
    counter = Tabulator()
    counter.update([1, 0], np.array([2**53 + 1, 1]))
    with pytest.raises(ValueError, match="without losing digits"):
        counter.update([1, 0], np.array([0.5, 1.0]))
    floats = Tabulator()
    floats.update([1, 0], np.array([0.5, 1.0]))
    with pytest.raises(ValueError, match="without losing digits"):
        floats.update([1, 0], np.array([2**53 + 1, 1]))
    assert floats.n_cases == 2


def test_batches_may_hold_any_labels_when_the_positive_one_is_named():
    counter = Tabulator(pos_label="a")
    counter.update(["b", "c"], [1.0, 2.0])
    counter.update(["a", "b"], [3.0, 2.0])
    table = counter.table()
    assert (table.n_pos, table.n_neg) == (1, 3)


def test_empty_batches_and_omitted_cases_are_counted():
    counter = Tabulator(missing="omit")
    counter.update([], [])
    with pytest.warns(UserWarning, match="1 of 3 cases omitted"):
        counter.update([1, 0, 1], [1.0, np.nan, 2.0])
    assert (counter.n_cases, counter.n_omitted) == (2, 1)


@pytest.mark.parametrize("left", [5, 100, -5])
def test_a_truncated_archive_is_no_tabulator(left):
    counter = Tabulator()
    counter.update([1, 0], [1.0, 0.0])
    with pytest.raises(ValueError, match="not a saved Tabulator"):
        Tabulator.from_bytes(counter.to_bytes()[:left])


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="No cases have been counted"):
        Tabulator().table()
    with pytest.raises(ValueError, match="at least 16"):
        Tabulator(memory=100)
    for rows in (np.nan, 1e3, "1000", True):
        with pytest.raises(ValueError, match=r"max_rows is .*must be a whole number, 1 or more"):
            Tabulator(max_rows=rows)
    for options in ({"memory": 1e6}, {"max_rows": np.int64(1000)}):
        counter = Tabulator(**options)
        assert Tabulator.from_bytes(counter.to_bytes()).max_rows == counter.max_rows
    with pytest.raises(ValueError, match="not a saved Tabulator"):
        Tabulator.from_bytes(b"not an archive")
    with pytest.raises(TypeError, match="of type int"):
        Tabulator().merge(3)
    with pytest.raises(ValueError, match="higher scores as more positive"):
        Tabulator().merge(Tabulator(higher_is_positive=False))
    counter = Tabulator()
    counter.update([1, 0], [1.0, 0.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="Give it always or never"):
        counter.update([1, 0], [1.0, 0.0])
    plain = Tabulator()
    plain.update([1, 0], [1.0, 0.0])
    with pytest.raises(ValueError, match="has weights"):
        plain.merge(counter)


def test_a_failed_update_leaves_the_state_alone():
    counter = Tabulator()
    counter.update([1, 0], [1.0, 0.0])
    with pytest.raises(ValueError, match="Lengths differ"):
        counter.update([1, 0, 1], [1.0, 0.0])
    assert counter.n_cases == 2
    assert counter.table() == rs.tabulate([1, 0], [1.0, 0.0])


@pytest.mark.parametrize("higher", [False, True])
def test_joined_rows_are_told_from_single_scores(higher):
    label, score = random_cases(11, n=2000)
    counter = Tabulator(max_rows=200, higher_is_positive=higher)
    counter.update(label, score)
    table, joined = counter.table(), counter.joined()
    alone = np.isin(table.score, score) & ~joined
    whole = rs.tabulate(label, score, higher_is_positive=higher)
    at = np.flatnonzero(np.isin(whole.score, table.score[alone]))
    assert joined.any()
    assert np.array_equal(whole.pos[at], table.pos[alone])
    assert np.array_equal(whole.neg[at], table.neg[alone])


# --- the compiled sweeps against NumPy and against the plain definition -------------------


def random_state(rng, n, bits=14, max_level=6):
    """Bins of the trie of small keys, apart from each other."""
    key = np.unique(rng.integers(0, 1 << bits, n)).astype(np.uint64)
    level = rng.integers(0, max_level, key.size).astype(np.uint8)
    first = key >> level << level
    last = first + (np.uint64(1) << level) - np.uint64(1)
    kept, reach = [], -1
    for i in np.lexsort((-level.astype(int), first)):
        if int(first[i]) > reach:
            kept.append(i)
            reach = int(last[i])
    counts = rng.integers(0, 5, (2, len(kept)))
    return State(key[kept], level[kept], counts[0], counts[1])


def same_state(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in COLUMNS[:4])


@given(seed=st.integers(0, 2**31), n=st.integers(1, 300), m=st.integers(1, 300))
def test_the_compiled_merge_is_that_of_numpy(seed, n, m):
    rng = np.random.default_rng(seed)
    a, b = random_state(rng, n), random_state(rng, m)
    assert same_state(_states._merged(a, b), _states.joined_by_sorting([a, b]))
    assert same_state(_states._merged(b, a), _states.joined_by_sorting([a, b]))


@given(seed=st.integers(0, 2**31), n=st.integers(20, 300), share=st.floats(0.1, 0.9))
def test_the_compiled_joining_is_that_of_numpy_but_fills_gaps(seed, n, share):
    rng = np.random.default_rng(seed)
    state = random_state(rng, n, bits=20)
    rows = max(int(share * len(state)), 1)
    wide = _states.compacted(state, rows)
    # Weights of squares make NumPy do it.
    plain = _states.compacted(replace(state, pos_w2=state.pos, neg_w2=state.neg), rows)
    for name in ("key", "pos", "neg"):
        assert np.array_equal(getattr(wide, name), getattr(plain, name))
    assert (wide.level >= plain.level).all()
    tied = (plain.level == 0) & (plain.pos + plain.neg != 1)
    assert (wide.level[tied] == 0).all()
    first, last = _states.spans(wide)
    assert (last[:-1] < first[1:]).all()


@given(seed=st.integers(0, 2**31), n=st.integers(2, 300), bits=st.sampled_from([6, 14, 40]))
def test_the_index_finds_what_a_search_finds(seed, n, bits):
    rng = np.random.default_rng(seed)
    state = random_state(rng, n, bits=bits, max_level=min(bits, 12))
    first, last = _states.spans(state)
    score = np.concatenate([rng.integers(0, 2**bits, 500), first, last, last + 1, [2**63]])
    score = score.astype(np.uint64)
    label = rng.random(score.size) < 0.5
    grid = _states.Grid(state)
    left_label, left_score = grid.count(label, score)
    place = np.searchsorted(last, score)
    inside = (place < len(state)) & (first[np.minimum(place, len(state) - 1)] <= score)
    assert np.array_equal(left_score, score[~inside])
    assert np.array_equal(left_label, label[~inside])
    found = grid.state()
    for name, of in (("pos", label), ("neg", ~label)):
        more = np.bincount(place[inside & of], minlength=len(state))
        assert np.array_equal(getattr(found, name), getattr(state, name) + more)
    lowest = state.key.copy()
    np.minimum.at(lowest, place[inside], score[inside])
    assert np.array_equal(found.key, lowest)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i2", "u4"])
def test_a_grid_keeps_the_order_of_every_type(dtype):
    rng = np.random.default_rng(3)
    scale = 1 if dtype[0] == "f" else 10_000
    label = rng.random(30_000) < 0.4
    score = (
        np.abs(rng.normal(size=label.size) + label)
        if dtype == "u4"
        else rng.normal(size=label.size) + label
    )
    score = (score * scale).astype(dtype)
    if dtype[0] == "f":
        score[:4] = [0.0, -0.0, np.inf, -np.inf]
    counter = Tabulator(max_rows=300)
    for part in np.array_split(np.arange(label.size), 7):
        counter.update(label[part], score[part])
    table, exact = counter.table(), rs.tabulate(label, score)
    assert not counter.is_exact
    assert rs.auc(exact) in rs.auc_bounds(table)
    at = rs.evaluate(exact, table.score)
    assert np.array_equal(at.tp, table.tp)
    assert np.array_equal(at.fp, table.fp)


def test_most_scores_find_a_bin_and_nothing_depends_on_the_threads():
    rng = np.random.default_rng(8)
    label = rng.random(400_000) < 0.1
    score = rng.normal(size=label.size) + label
    tables = []
    for threads in (1, 2, 3):
        counter = Tabulator(max_rows=1 << 14, threads=threads)
        for part in np.array_split(np.arange(label.size), 5):
            counter.update(label[part], score[part])
        _, left = counter._grid.count(label[:50_000], score[:50_000])
        assert left.size < 5000
        counter = Tabulator(max_rows=1 << 14, threads=threads)
        counter.update(label, score)
        tables.append(counter.table())
    assert tables[0] == tables[1] == tables[2]
    assert rs.auc_bounds(tables[0]).width < 3 / len(tables[0])


def test_scores_that_are_tied_stay_alone_among_bins():
    # A third of all cases have one of two scores: those ties are no bin.
    rng = np.random.default_rng(9)
    label = rng.random(60_000) < 0.5
    score = rng.normal(size=label.size) + label
    score[::3] = np.where(label[::3], 0.25, 0.125)
    score[::9] = 0.125
    counter = Tabulator(max_rows=1000)
    for part in np.array_split(np.arange(label.size), 10):
        counter.update(label[part], score[part])
    table, joined = counter.table(), counter.joined()
    for tied in (0.125, 0.25):
        (row,) = np.flatnonzero(table.score == tied)
        assert not joined[row]
        assert table.pos[row] == (label & (score == tied)).sum()


@pytest.mark.parametrize("pos_label", [np.int64(2), b"x", "a", None, (1, 2)])
def test_the_label_of_the_positives_survives_pickling(pos_label):
    copy = pickle.loads(pickle.dumps(Tabulator(pos_label=pos_label)))
    assert copy.pos_label == pos_label
    assert type(copy.pos_label) is type(pos_label)


@pytest.mark.parametrize("merged", [False, True])
def test_negatives_are_called_alike_in_all_batches(merged):
    def feed(counter, labels):
        if merged:
            other = rs.Tabulator()
            other.update(labels, [1.0, 2.0])
            counter.merge(rs.Tabulator.from_bytes(other.to_bytes()))
        else:
            counter.update(labels, [1.0, 2.0])

    counter = rs.Tabulator()
    counter.update([1, 1], [1.0, 2.0])  # says nothing of negatives
    feed(counter, [-1, 1])
    feed(counter, np.array([-1.0, 1.0]))
    before = counter.table()
    for labels in ([0, 1], [False, True]):
        with pytest.raises(ValueError, match="Negatives are 0 here and were -1 before"):
            feed(counter, labels)
    assert counter.table() == before
    again = pickle.loads(pickle.dumps(counter))
    with pytest.raises(ValueError, match="were -1 before"):
        again.update([0, 1], [1.0, 2.0])
    said = rs.Tabulator(pos_label=1)
    for labels in ([0, 1], [-1, 1], [2, 2]):
        said.update(labels, [1.0, 2.0])
    assert (said.table().n_pos, said.table().n_neg) == (2, 4)


def test_a_state_is_shrunk_to_so_many_rows():
    rng = np.random.default_rng(5)
    label = rng.random(3000) < 0.4
    score = rng.normal(size=3000) + label
    exact = rs.tabulate(label, score)
    counter = rs.Tabulator()
    counter.update(label, score)
    counter.shrink(3000)
    assert counter.is_exact
    assert counter.table() == exact
    widths = []
    for rows in (1000, 200, 16):
        counter.shrink(rows)
        table = counter.table()
        assert len(table) <= rows
        assert not counter.is_exact
        assert rs.auc(exact) in rs.auc_bounds(table)
        widths.append(rs.auc_bounds(table).width)
    assert widths == sorted(widths)
    counter.update([0, 1], [0.5, 0.25])  # and it goes on counting
    assert counter.table().n_pos == label.sum() + 1
    with pytest.raises(ValueError, match="at least 16"):
        counter.shrink(15)


@given(
    cases=CASES,
    cuts=st.lists(st.integers(0, 100), max_size=5),
    most=st.integers(1, 80),
    merged=st.booleans(),
    higher=st.booleans(),
)
def test_cases_are_kept_until_they_are_too_many(cases, cuts, most, merged, higher):
    counter = Tabulator(higher_is_positive=higher)
    counter.keep(most)
    for batch in cut_up(cases, cuts):
        if merged:
            other = Tabulator(higher_is_positive=higher)
            other.keep(most)
            fill(other, batch)
            counter.merge(other)
            assert other.n_cases == len(batch)
        else:
            fill(counter, batch)
    assert counter.keeps_all == (len(cases) <= most)
    labels, scores = zip(*cases, strict=True)
    exact = rs.tabulate(labels, scores, higher_is_positive=higher)
    assert counter.table() == exact
    assert counter.keeps_all == (len(cases) <= most)
    assert not counter.joined().any()
    again = pickle.loads(pickle.dumps(counter))
    assert again.table() == exact
    assert not again.keeps_all
    counter.update([0, 1], [0.5, 0.25])  # and it goes on counting
    assert counter.table().n_pos == exact.n_pos + 1


def test_kept_cases_are_exact_beyond_the_room_for_rows():
    label, score = random_cases(3)
    exact = rs.tabulate(label, score)
    counter = Tabulator(max_rows=16)
    counter.keep(400)
    counter.update(label, score)
    assert counter.is_exact
    assert counter.table() == exact
    assert counter.joined().shape == (len(exact),)
    joined = Tabulator.from_bytes(counter.to_bytes())
    assert not joined.is_exact
    assert len(joined.table()) <= 16
    assert rs.auc(exact) in rs.auc_bounds(joined.table())
    with pytest.raises(ValueError, match="400 cases have come already"):
        counter.keep(500)
    with pytest.raises(ValueError, match="cases"):
        Tabulator().keep(0)


@pytest.mark.parametrize("second", ["weighted", "whole numbers"])
def test_kept_cases_of_another_kind_are_counted_as_usual(second):
    first, other = Tabulator(), Tabulator()
    for counter in (first, other):
        counter.keep(100)
    first.update([0, 1], np.array([0.5, 1.5]))
    if second == "weighted":
        other.update([0, 1], [0.5, 1.5], [1.0, 2.0])
        with pytest.raises(ValueError, match="has weights"):
            first.merge(other)
        return
    other.update([0, 1], np.array([1, 2]))
    first.merge(other)
    assert first.table() == rs.tabulate([0, 1, 0, 1], [0.5, 1.5, 1, 2])
