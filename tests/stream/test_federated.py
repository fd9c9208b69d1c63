"""Sites share rows of k cases; the pooled bounds hold the exact area for certain."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import rocspace as rs
from rocspace.stream import SiteCounts, Tabulator, coarsen, pool

SCORES = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 0.5, 1.0, 5e-324, np.inf])
CASES = st.lists(st.tuples(st.booleans(), SCORES, st.integers(0, 3)), min_size=2, max_size=80)


def counted(label, score, **options):
    counter = Tabulator(**options)
    counter.update(label, score)
    return counter


@given(cases=CASES, k=st.integers(1, 12), higher=st.booleans())
def test_pooled_bounds_hold_the_exact_area_for_any_split_over_sites(cases, k, higher):
    label = np.array([y for y, _, _ in cases])
    score = np.array([s for _, s, _ in cases])
    site = np.array([i for _, _, i in cases])
    large = [i for i in range(4) if (site == i).sum() >= k]
    there = np.isin(site, large)
    assume(label[there].any() and not label[there].all())
    counts = [
        coarsen(counted(label[site == i], score[site == i], higher_is_positive=higher), min_cases=k)
        for i in large
    ]
    for part in counts:
        assert (part.pos + part.neg >= k).all()
    table = pool(*(SiteCounts.from_json(part.to_json()) for part in counts))
    exact = rs.tabulate(label[there], score[there], higher_is_positive=higher)
    assert (table.n_pos, table.n_neg) == (exact.n_pos, exact.n_neg)
    assert rs.auc(exact) in rs.auc_bounds(table)
    low, high = rs.auc_bounds(exact)
    assert rs.auc_bounds(table).low <= low
    assert high <= rs.auc_bounds(table).high
    at = rs.evaluate(exact, table.score)
    assert np.array_equal(at.tp, table.tp)
    assert np.array_equal(at.fp, table.fp)


@given(
    score=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=40),
    k=st.integers(1, 5),
    dtype=st.sampled_from(["i1", "u1", "i8", "f4"]),
)
def test_each_case_lies_in_the_range_of_its_row(score, k, dtype):
    assume(len(score) >= k)
    scores = np.array(score).astype(dtype)
    counts = coarsen(counted(np.ones(len(scores), dtype=bool), scores), min_cases=k)
    row = np.searchsorted(counts.first, scores, side="right") - 1
    assert (counts.first[row] <= scores).all()
    assert (scores <= counts.last[row]).all()
    assert np.array_equal(np.bincount(row, minlength=len(counts)), counts.pos)
    assert (counts.last[:-1] < counts.first[1:]).all()


def test_coarsening_by_hand():
    # Eighths from 1 to 6. With two cases at least, 1/2 (in floats the roundest number) is tried
    # first: 3 | 3. Then 1/4 leaves 1 | 2, refused. Above it no cut leaves two on both sides.
    score = np.array([1, 2, 3, 4, 5, 6]) / 8
    counts = coarsen(counted([0, 0, 1, 0, 1, 1], score), min_cases=2)
    assert counts.pos.tolist() == [1, 2]
    assert counts.neg.tolist() == [2, 1]
    assert counts.first.tolist() == [0.125, 0.5]
    # The pairs inside a row are open: 2 of 9 in each; sure are the 4 above.
    low, high = rs.auc_bounds(pool(counts))
    assert (low, high) == pytest.approx((4 / 9, 8 / 9))


def test_rounding_costs_little():
    # Half the pairs inside rows of 10 of 2000 cases would be 0.005 / 2 at one site.
    rng = np.random.default_rng(5)
    counts, labels, scores = [], [], []
    for _ in range(5):
        label = rng.random(2000) < 0.3
        score = 1 / (1 + np.exp(-rng.normal(size=2000) - 1.5 * label))
        score[:3] = 0.0, 1.0, 1.0  # a few extreme ones must not blur all others
        counts.append(coarsen(counted(label, score), min_cases=10))
        labels.append(label)
        scores.append(score)
    table = pool(*counts)
    assert rs.auc_bounds(table).width < 0.02
    exact = rs.auc_score(np.concatenate(labels), np.concatenate(scores))
    assert abs(rs.auc(table) - exact) < 0.001


def test_the_order_of_sites_does_not_matter():
    rng = np.random.default_rng(2)
    counts = [
        coarsen(counted(rng.random(90) < 0.5, rng.normal(size=90)), min_cases=7) for _ in "abc"
    ]
    assert pool(*counts) == pool(*counts[::-1])


def test_no_score_of_a_case_leaves_the_site():
    rng = np.random.default_rng(3)
    score = rng.random(500)
    text = coarsen(counted(rng.random(500) < 0.5, score), min_cases=5).to_json()
    sent = {x for row in json.loads(text)["rows"] for x in row[:2]}
    assert not sent & set(score.tolist())


def test_what_cannot_be_shared_is_refused():
    few = counted([0, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="2 cases in all, fewer than min_cases=3"):
        coarsen(few, min_cases=3)
    with pytest.raises(ValueError, match="min_cases is 0"):
        coarsen(few, min_cases=0)
    weighted = Tabulator()
    weighted.update([0, 1], [0.1, 0.2], [1.0, 2.0])
    with pytest.raises(ValueError, match="how many cases"):
        coarsen(weighted, min_cases=1)
    binned = counted(np.arange(99) % 2, np.arange(99.0), max_rows=16)
    with pytest.raises(ValueError, match="more max_rows"):
        coarsen(binned, min_cases=5)


def test_what_cannot_be_pooled_is_refused():
    with pytest.raises(ValueError, match="at least one site"):
        pool()
    one = coarsen(counted([0, 1], [0.1, 0.2]), min_cases=1)
    lower = coarsen(counted([0, 1], [0.1, 0.2], higher_is_positive=False), min_cases=1)
    with pytest.raises(ValueError, match="count with the same higher_is_positive"):
        pool(one, lower)
    whole = coarsen(counted([0, 1], [1, 2]), min_cases=1)
    with pytest.raises(ValueError, match="float64 at one site and int64 at another"):
        pool(one, whole)


def test_json_is_checked():
    text = coarsen(counted([0, 1, 0, 1], [0.1, 0.2, 0.6, 0.7]), min_cases=2).to_json()
    assert SiteCounts.from_json(text).to_json() == text
    assert text.count("\n") == 4  # a line for each of two rows
    for broken in ("nothing", "{}", text.replace("site counts", "other"), text[:-9]):
        with pytest.raises(ValueError, match="not a file of site counts"):
            SiteCounts.from_json(broken)
    with pytest.raises(ValueError, match="fewer cases than"):
        SiteCounts.from_json(text.replace('"min_cases": 2', '"min_cases": 3'))
    with pytest.raises(ValueError, match="ranges meet"):
        SiteCounts.from_json(text.replace("0.5,", "0.2,"))
    assert "2 ranges" in repr(SiteCounts.from_json(text))
