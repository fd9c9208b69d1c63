"""The table: counts at distinct scores, and what is done with whole tables."""

import copy
import math
import pickle
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from functools import partial, reduce

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace._base.exact import exact_twice_wins
from rocspace._base.frozen import read_only
from rocspace.combine import ThresholdRule
from rocspace.counts import ScoreTable, merge, need, negate, refuse, table_of
from rocspace.counts.rows import Rows
from rocspace.counts.table import is_distinct, rates_from_zero, twice_wins_and_pairs
from rocspace.stream import Refinement, Tabulator
from slow.counts import rows_of, table_by_dictionary
from slow.curves import auc_by_pairs
from slow.data import F3, F6, repeated, samples

INF = float("inf")
MIN64 = -(2**63)

tied = samples(max_size=30)
finite = st.floats(-100, 100, width=32).map(lambda x: x + 0.0)
anything = samples(values=st.floats(allow_nan=False).map(lambda x: x + 0.0))
weighted = samples(weights=st.sampled_from([0.5, 1.0, 1.25, 3.0]))
whole = samples(weights=st.integers(0, 4)).filter(
    lambda s: (
        any(y and w for y, _, w in zip(*s, strict=True))
        and any(not y and w for y, _, w in zip(*s, strict=True))
    )
)
one_class_too = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=1, max_size=20)


def unzipped(cases):
    return [list(column) for column in zip(*cases, strict=True)]


def table_from(cases, **options):
    label, score = unzipped(cases)
    return rs.tabulate(label, score, **options)


def check_sound(table):
    """What holds of every table."""
    step = np.diff(table.score.astype("g"))
    assert ((step < 0) if table.higher_is_positive else (step > 0)).all()
    assert ((table.pos > 0) | (table.neg > 0)).all()
    assert (table.pos >= 0).all()
    assert (table.neg >= 0).all()
    kind = "f8" if table.is_weighted else "i8"
    assert table.pos.dtype == table.neg.dtype == kind
    assert (table.pos_w2 is None) == (table.neg_w2 is None) == (not table.is_weighted)
    columns = [getattr(table, f.name) for f in fields(table)]
    arrays = [c for c in columns if isinstance(c, np.ndarray)] + [table.tp, table.fp]
    assert {a.shape for a in arrays} == {(len(table),)}
    assert not any(a.flags.writeable for a in arrays)


# --- counting ---------------------------------------------------------------------------------


def test_six_cases_by_hand():
    # 0.4 is the score of two positives and one negative; 0.9 and 0.1 of one case each.
    table = rs.tabulate([0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.9, 0.2])
    assert table.score.tolist() == [0.9, 0.4, 0.2, 0.1]
    assert table.pos.tolist() == [1, 2, 0, 0]
    assert table.neg.tolist() == [0, 1, 1, 1]
    assert table.tp.tolist() == [1, 3, 3, 3]
    assert table.fp.tolist() == [0, 1, 2, 3]
    assert (table.n_pos, table.n_neg, table.prevalence, len(table)) == (3, 3, 0.5, 4)
    assert table.n_eff == (3.0, 3.0)
    assert not table.is_weighted
    # Positives against negatives: 0.9 beats 3; each 0.4 beats 2 and ties 1. (3 + 2 * 2.5) / 9.
    assert rs.auc(table) == 8 / 9
    check_sound(table)


def test_fawcett_figures_3_and_6():
    table = rs.tabulate(*F3)
    assert (len(table), table.n_pos, table.n_neg) == (20, 10, 10)
    assert rs.auc(table) == 0.68
    one = rs.tabulate(*F6)
    assert rows_of(one) == [(0.5, 6, 4)]
    assert rs.auc(one) == 0.5


@given(anything, st.booleans())
def test_the_table_is_the_dictionary(sample, higher):
    label, score = sample
    table = rs.tabulate(label, score, higher_is_positive=higher)
    assert rows_of(table) == table_by_dictionary(label, score, higher=higher)
    check_sound(table)


@given(samples(weights=st.sampled_from([0.0, 0.5, 1.0, 1.25, 3.0])), st.booleans())
def test_the_weighted_table_is_the_dictionary(sample, higher):
    label, score, weight = sample
    if not any(weight):
        return
    table = rs.tabulate(label, score, sample_weight=weight, higher_is_positive=higher)
    assert rows_of(table) == table_by_dictionary(label, score, weight, higher=higher)
    squares = table_by_dictionary(label, score, [w * w if w else 0 for w in weight], higher=higher)
    assert list(zip(table.pos_w2, table.neg_w2, strict=True)) == [(p, n) for _, p, n in squares]
    check_sound(table)


@given(tied)
def test_the_area_is_that_of_all_pairs(sample):
    exact = auc_by_pairs(*sample)
    assert rs.auc(rs.tabulate(*sample)) == exact.numerator / exact.denominator
    assert rs.auc_score(*sample) == exact.numerator / exact.denominator


@given(weighted)
def test_the_weighted_area_is_that_of_all_pairs(sample):
    label, score, weight = sample
    table = rs.tabulate(label, score, sample_weight=weight)
    assert rs.auc(table) == float(auc_by_pairs(label, score, weight))  # quarters add up exactly


# --- what counts as equal ---------------------------------------------------------------------


def test_infinities_rank_and_are_scores():
    score = [INF, -INF, 1e308, INF, -INF, -1e308]
    table = rs.tabulate([1, 0, 1, 0, 1, 0], score)
    assert rows_of(table) == [(INF, 1, 1), (1e308, 1, 0), (-1e308, 0, 1), (-INF, 1, 1)]
    assert rs.auc(table) == float(auc_by_pairs([1, 0, 1, 0, 1, 0], score))


@pytest.mark.parametrize("infinity", [INF, -INF])
def test_infinities_alone(infinity):
    table = rs.tabulate([1, 0], [infinity, infinity])
    assert rows_of(table) == [(infinity, 1, 1)]
    assert rs.auc(table) == 0.5


@pytest.mark.parametrize("dtype", ["e", "f", "d", "g"])
@pytest.mark.parametrize("weight", [None, [1, 1, 1]])
@pytest.mark.parametrize("zeros", [[0.0, -0.0, -0.0], [-0.0, 0.0, 0.0], [-0.0] * 3])
def test_minus_zero_ties_zero_and_is_written_zero(dtype, weight, zeros):
    scores = np.array(zeros, dtype=dtype)
    for higher in (True, False):
        table = rs.tabulate([1, 0, 1], scores, sample_weight=weight, higher_is_positive=higher)
        assert rows_of(table) == [(0, 2, 1)]
        assert not np.signbit(table.score).any()
    assert not np.signbit(ScoreTable.from_counts(scores, [1, 0, 1], [0, 1, 0]).score).any()


@pytest.mark.parametrize("dtype", ["e", "f", "d", "g"])
@pytest.mark.parametrize("at", [0.0, 1.0, -1.0, 3.0])
def test_neighbouring_floats_are_distinct(dtype, at):
    low = np.array(at, dtype=dtype)
    score = np.array([low, np.nextafter(low, np.array(INF, dtype=dtype)), low])
    table = rs.tabulate([0, 1, 1], score)
    assert len(table) == 2
    assert table.score.dtype == dtype
    assert table.pos.tolist() == [1, 1]
    assert table.neg.tolist() == [0, 1]
    assert rs.auc(table) == 0.75


def test_float32_beyond_two_to_the_24_counts_exactly():
    # Float32 sums would stop at 2**24 (scikit-learn 34975).
    n = 2**24 + 3
    table = ScoreTable.from_counts(np.array([2, 1], dtype="f"), [n, 0], [1, n])
    assert table.tp.tolist() == [n, n]
    assert rs.auc(table) == (n * n + n / 2) / (n * (n + 1))


# --- direction --------------------------------------------------------------------------------


@given(anything)
def test_lower_is_positive_mirrors_the_negated_scores(sample):
    label, score = sample
    low = rs.tabulate(label, score, higher_is_positive=False)
    high = rs.tabulate(label, [-s for s in score])
    assert [(-s, p, n) for s, p, n in rows_of(low)] == rows_of(high)
    assert rs.auc(low) == rs.auc(high) == rs.auc_score(label, score, higher_is_positive=False)


@pytest.mark.parametrize(
    ("dtype", "ends"), [("u8", (0, 2**64 - 1)), ("i8", (MIN64, 2**63 - 1)), ("i1", (-128, 127))]
)
def test_lower_is_positive_needs_no_negative_numbers(dtype, ends):
    score = np.array([ends[0], ends[1], ends[0], ends[0] + 1], dtype=dtype)
    table = rs.tabulate([1, 0, 0, 1], score, higher_is_positive=False)
    assert rows_of(table) == [(ends[0], 1, 1), (ends[0] + 1, 1, 0), (ends[1], 0, 1)]
    assert table.score.dtype == dtype
    # The first positive ties one negative and beats one, the second loses to one and beats one.
    assert rs.auc(table) == (1.5 + 1) / 4
    check_sound(table)


# --- the object -------------------------------------------------------------------------------


def test_a_table_is_frozen():
    table = rs.tabulate([0, 1], [1.0, 2.0], sample_weight=[1, 2])
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'score'"):
        table.score = np.zeros(2)
    for name in ("score", "pos", "neg", "pos_w2", "neg_w2", "tp", "fp"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(table, name)[0] = 5


def test_a_table_freezes_views_and_not_the_arrays_of_others():
    score, pos, neg = np.array([2.0, 1.0]), np.array([1, 0]), np.array([0, 1])
    table = ScoreTable(score, pos, neg)
    assert all(column.flags.writeable for column in (score, pos, neg))
    check_sound(table)
    assert not read_only(score).flags.writeable


def pickled(table):
    return pickle.loads(pickle.dumps(table))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("weight", [None, [1.5, 2.0, 1.0]])
def test_copies_are_equal_and_frozen(again, weight):
    table = rs.tabulate([0, 1, 1], [1, 2, 2], sample_weight=weight, higher_is_positive=False)
    assert table.tp.size == 2  # now it is cached
    twin = again(table)
    assert twin == table
    assert twin.n_eff == table.n_eff
    check_sound(twin)


def test_equality_looks_at_every_column():
    table = rs.tabulate([0, 1, 1], [1, 2, 2])
    assert table == rs.tabulate([1, 1, 0], [2, 2, 1])
    assert table == rs.tabulate([1, 1, 0], [2.0, 2.0, 1.0])
    others = [
        rs.tabulate([0, 1, 1], [1, 2, 3]),
        rs.tabulate([0, 1, 0], [1, 2, 2]),
        rs.tabulate([0, 1, 1, 1], [1, 2, 2, 2]),
        rs.tabulate([0, 0, 1, 1], [1, 1, 2, 2]),
        rs.tabulate([0, 1, 1], [1, 2, 2], higher_is_positive=False),
        rs.tabulate([0, 1, 1], [1, 2, 2], sample_weight=[1, 1, 1]),
    ]
    assert not any(table == other for other in others)
    # Two cases of weight 1 are not one of weight 2: their variances differ.
    one = rs.tabulate([1, 0], [2, 1], sample_weight=[2, 1])
    assert one != rs.tabulate([1, 1, 0], [2, 2, 1], sample_weight=[1, 1, 1])
    assert one == rs.tabulate([1, 0], [2, 1], sample_weight=[2, 1])
    assert table != "table"
    assert table.__eq__("table") is NotImplemented
    with pytest.raises(TypeError, match="unhashable"):
        hash(table)


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (rs.tabulate([0, 1], [1, 2]), "ScoreTable(2 distinct scores, 1 positive, 1 negative)"),
        (
            rs.tabulate([0, 1], [1, 2], sample_weight=[0.5, 1e6 / 3], higher_is_positive=False),
            (
                "ScoreTable(2 distinct scores, 333333.3333 positives, 0.5 negatives by weight, "
                "lower is positive)"
            ),
        ),
        (
            ScoreTable.from_counts([], [], []),
            "ScoreTable(0 distinct scores, 0 positives, 0 negatives)",
        ),
    ],
)
def test_repr_fits_on_a_line(table, text):
    assert repr(table) == text


def test_counts_are_python_integers():
    table = rs.tabulate([0, 1], [1, 2])
    assert type(table.n_pos) is type(table.n_neg) is int
    table = rs.tabulate([0, 1], [1, 2], sample_weight=[1, 2])
    assert type(table.n_pos) is type(table.n_neg) is float
    assert type(table.prevalence) is float


def test_the_curve_of_weights_ends_exactly_at_the_total():
    # A pairwise sum of these differs from the last cumulative sum.
    weight = np.full(1000, 0.1)
    table = rs.tabulate(np.arange(1000) % 2 == 0, np.arange(1000), sample_weight=weight)
    assert table.n_pos == table.tp[-1]
    assert table.n_neg == table.fp[-1]


# --- needing classes --------------------------------------------------------------------------


def test_an_infinity_before_scores_keeps_the_last_one_exact():
    large = 2**53 + 1
    for score, kind in (([3, 2, -large], object), ([3, 2, 1], np.float64)):
        found = rs.tabulate([0, 1, 0], score).score_from_infinity
        assert found.dtype == kind
        assert found.tolist() == [np.inf, *score]


@pytest.mark.parametrize("neg", [[1, 0, 0, 1], [1, 0, 2, 1]])
def test_sums_without_compiled_loops_are_the_same(neg, monkeypatch):
    made = partial(ScoreTable.from_counts, [4, 3, 2, 1], [0, 1, 1, 0], neg)
    monkeypatch.setattr("rocspace.counts.table.fits_loops", lambda table: False)
    table = made()
    tpr, fpr = rates_from_zero(table)
    assert table.tp_from_zero.tolist() == [0, 0, 1, 2, 2]
    assert tpr.tolist() == [0, 0, 0.5, 1, 1]
    assert table.fp_from_zero.tolist() == [0, *np.cumsum(neg)]
    assert fpr.tolist() == [0, *(np.cumsum(neg) / sum(neg))]


def test_merge_says_how_tables_are_given():
    table = rs.tabulate([1, 0], [2, 1])
    for wrong, text in (
        ([table], r"merge takes tables, not a list: say merge\(\*tables\)\.$"),
        (Tabulator(), r"merge takes tables, not a Tabulator: say a\.merge\(b\)\.$"),
        (1.5, r"merge takes tables, not a float\.$"),
        (3, r"merge takes tables, not an int\.$"),
        (np.ones(2), r"merge takes tables, not an ndarray\.$"),
    ):
        with pytest.raises(TypeError, match=text):
            merge(table, wrong)


def test_need():
    both, ones = rs.tabulate([0, 1], [1, 2]), rs.tabulate([1, 1], [1, 2])
    need("f", both)
    need("f", ones, pos=2, neg=0)
    with pytest.raises(rs.SingleClassError) as caught:
        need("f", ones)
    assert str(caught.value) == (
        "f needs at least 1 positive and 1 negative; here are 2 positives and 0 negatives. "
        "If the labels should not all be alike, look at y_true and pos_label."
    )
    assert isinstance(caught.value, ValueError)
    with pytest.raises(rs.SingleClassError, match="at least 2 positives and 1 neg"):
        need("f", both, pos=2)


def test_need_tells_what_a_table_is():
    for other in ([0, 1], np.arange(2), rs.roc_curve(rs.tabulate([0, 1], [1, 2])), None):
        with pytest.raises(TypeError, match=r"auc takes a ScoreTable.*tabulate\(y_true, y_score\)"):
            rs.auc(other)
    with pytest.raises(TypeError, match=r"Of a curve say curve\.auc, or make a table with"):
        rs.auc(other := rs.roc_curve(rs.tabulate([0, 1], [1, 2])))
    assert other.auc == 1


def test_need_asks_weights_only_for_presence():
    light = rs.tabulate([0, 1], [1, 2], sample_weight=[1e-30, 1e-30])
    need("f", light, pos=2, neg=2)
    with pytest.raises(rs.SingleClassError, match="here are 0 positives and 1 neg"):
        need("f", rs.tabulate([0, 0], [1, 2], sample_weight=[0.5, 0.5]))
    with pytest.raises(rs.SingleClassError, match="g needs at least 3 positives and 4 negatives"):
        refuse("g", 1, 2, pos=3, neg=4)


@pytest.mark.parametrize("y_true", [[1, 1], [0, 0]])
def test_one_class_has_no_area(y_true):
    with pytest.raises(rs.SingleClassError, match="auc needs"):
        rs.auc(rs.tabulate(y_true, [1, 2]))
    with pytest.raises(rs.SingleClassError, match="auc_score needs"):
        rs.auc_score(y_true, [1, 2])
    # A class of which only zero weights are left counts as absent (C-5).
    with pytest.raises(rs.SingleClassError, match="0 negatives"):
        rs.auc(rs.tabulate([1, 1, 0], [3, 2, 1], sample_weight=[1, 1, 0]))


# --- weights ----------------------------------------------------------------------------------


@given(whole)
def test_whole_weights_repeat_the_cases(sample):
    label, score, weight = sample
    by_weight = rs.tabulate(label, score, sample_weight=weight)
    by_case = rs.tabulate(repeated(label, weight), repeated(score, weight))
    assert rows_of(by_weight) == rows_of(by_case)
    assert by_weight.tp.tolist() == by_case.tp.tolist()
    assert by_weight.fp.tolist() == by_case.fp.tolist()
    assert rs.auc(by_weight) == rs.auc(by_case)
    assert rs.auc_score(label, score, sample_weight=weight) == rs.auc(by_case)


@given(weighted, st.sampled_from([0.25, 2.0, 1024.0]), st.booleans())
def test_scaling_one_class_leaves_the_area(sample, factor, of_positives):
    label, score, weight = sample
    scaled = [w * factor if y == of_positives else w for y, w in zip(label, weight, strict=True)]
    before = rs.tabulate(label, score, sample_weight=weight)
    after = rs.tabulate(label, score, sample_weight=scaled)
    assert rs.auc(after) == rs.auc(before)  # powers of two, so exactly
    assert after.n_eff == before.n_eff


def test_a_weight_of_zero_leaves_no_row():
    table = rs.tabulate([1, 0, 1, 0], [4, 3, 3, 1], sample_weight=[0, 0, 2, 1])
    assert rows_of(table) == [(3, 2, 0), (1, 0, 1)]
    assert table.pos_w2.tolist() == [4, 0]
    assert table.neg_w2.tolist() == [0, 1]


def test_effective_numbers_by_hand():
    # Positives 1, 3: (1 + 3)^2 / (1 + 9) = 1.6. Negatives 2, 2: 16 / 8 = 2.
    table = rs.tabulate([1, 1, 0, 0], [4, 3, 2, 1], sample_weight=[1, 3, 2, 2])
    assert table.n_eff == (1.6, 2.0)
    assert rs.tabulate([1, 1], [4, 3], sample_weight=[1, 3]).n_eff == (1.6, 0.0)


# --- two score vectors ------------------------------------------------------------------------


@given(anything)
def test_classes_are_the_joined_vectors(sample):
    label, score = sample
    pos = [s for y, s in zip(label, score, strict=True) if y]
    neg = [s for y, s in zip(label, score, strict=True) if not y]
    for higher in (True, False):
        assert rs.tabulate_classes(pos, neg, higher_is_positive=higher) == rs.tabulate(
            label, score, higher_is_positive=higher
        )


def test_one_of_the_classes_may_be_empty_and_has_no_say_about_the_type():
    big = np.array([2**53 + 1, 2**53])
    for table in (rs.tabulate_classes(big, []), negate(rs.tabulate_classes([], big))):
        assert sorted(table.score.tolist()) == [2**53, 2**53 + 1]
        assert len(table) == 2
    assert rs.tabulate_classes([], pd.Series([1.5])).n_neg == 1
    with pytest.raises(ValueError, match="There are no cases"):
        rs.tabulate_classes([], [])


def test_classes_of_two_types_lose_nothing():
    table = rs.tabulate_classes(np.array([1, 2], dtype="i1"), np.array([1.5], dtype="f2"))
    assert rows_of(table) == [(2, 1, 0), (1.5, 0, 1), (1, 1, 0)]
    with pytest.raises(ValueError, match="type int64 do not fit float64 without losing digits"):
        rs.tabulate_classes([2**53 + 1], [0.5])


# --- ready-made counts ------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 3), st.integers(0, 3)), max_size=12),
    st.booleans(),
)
def test_counts_are_the_cases_they_count(counts, higher):
    score, pos, neg = unzipped(counts) if counts else ([], [], [])
    table = ScoreTable.from_counts(score, pos, neg, higher_is_positive=higher)
    label = [y for p, n in zip(pos, neg, strict=True) for y in [True] * p + [False] * n]
    cases = repeated(score, [p + n for p, n in zip(pos, neg, strict=True)])
    assert rows_of(table) == table_by_dictionary(label, cases, higher=higher)
    check_sound(table)


@pytest.mark.parametrize(
    "counts",
    [
        [1.0, 2.0],
        np.array([1, 2], "u1"),
        np.array([1, 2], "e"),
        pd.Series([1, 2]),
        pl.Series([1, 2]),
        [True, 2],
        np.array([1, 2], dtype=object),
    ],
)
def test_counts_of_every_type_become_int64(counts):
    table = ScoreTable.from_counts([5, 6], counts, [0, 0])
    assert table.pos.tolist() == [2, 1]
    check_sound(table)


def test_no_counts_are_a_table_without_rows():
    for table in (
        ScoreTable.from_counts([], [], []),
        ScoreTable.from_counts([1, 2], [0, 0], [0, 0]),
    ):
        assert len(table) == table.n_pos == table.n_neg == 0
        assert math.isnan(table.prevalence)
        check_sound(table)
        with pytest.raises(rs.SingleClassError, match="0 positives and 0 negatives"):
            rs.auc(table)


@pytest.mark.parametrize(
    ("score", "pos", "neg", "error", "text"),
    [
        ([1, 2], [0.5, 0], [0, 0], ValueError, "pos is 0.5 at index 0. Counts are whole numbers"),
        ([1, 2], [1, 0], [0, -1], ValueError, "neg is -1 at index 1. Counts are whole numbers"),
        ([1, 2], [1, INF], [0, 1], ValueError, "pos is inf at index 1."),
        ([1, 2], [1, 2**62], [0, 1], ValueError, f"pos is {2**62} at index 1."),
        ([1, 2], np.array([2**63, 0], "u8"), [0, 1], ValueError, f"pos is {2**63} at index 0."),
        ([1, 2], [2**70, 1], [0, 1], ValueError, "at index 0. Counts are whole numbers"),
        ([1, 2], [2**61, 2**61], [0, 1], ValueError, "pos adds up to 2**62 or more"),
        ([1, 2, 3], [2**62 - 1] * 3, [0, 0, 1], ValueError, "pos adds up to 2**62 or more"),
        (
            [1, 2],
            [1, None],
            [0, 1],
            ValueError,
            (
                "pos has 1 missing value (NaN or null), the first "
                "at index 1. Fill them or drop those rows."
            ),
        ),
        ([1, INF - INF], [1, 1], [0, 1], ValueError, "score has 1 missing value"),
        ([1, 2], ["a", "b"], [0, 1], TypeError, "pos has the type <U1."),
        (["lo", "hi"], [1, 1], [0, 1], TypeError, "score contains text or objects, the first 'lo'"),
        ([1, 2], [1, 2], [0], ValueError, "Lengths differ: score has 2, pos has 2, neg has 1."),
    ],
)
def test_bad_counts_are_errors_that_say_which(score, pos, neg, error, text):
    with pytest.raises(error) as caught:
        ScoreTable.from_counts(score, pos, neg)
    assert text in str(caught.value)


@given(
    st.lists(st.tuples(st.integers(0, 2**60), st.integers(0, 2**60)), min_size=2, max_size=3),
)
def test_areas_are_exact_where_int64_is_not_enough(counts):
    pos, neg = unzipped(counts)
    if not (sum(pos) and sum(neg)):
        return
    table = ScoreTable.from_counts(range(len(pos)), pos, neg)
    wins = sum(
        2 * p * sum(neg[:i]) + p * neg[i] for i, p in enumerate(pos)
    )  # Python integers, of any size
    assert rs.auc(table) == wins / (2 * sum(pos) * sum(neg))
    assert Fraction(int(table.n_pos)) == sum(pos)


def test_the_largest_table():
    n = 2**62 - 1
    table = ScoreTable.from_counts([2, 1], [n - 1, 1], [1, n - 1])
    assert (table.n_pos, table.n_neg) == (n, n)
    assert table.fp.tolist() == [1, n]
    # The n - 1 positives tie one negative and beat n - 1; the one left ties n - 1.
    assert rs.auc(table) == ((n - 1) * (2 * n - 1) + n - 1) / (2 * n * n)
    with pytest.raises(ValueError, match=r"pos adds up to 2\*\*62 or more"):
        merge(table, ScoreTable.from_counts([3], [1], [0]))
    with pytest.raises(ValueError, match=r"neg adds up to 2\*\*62 or more"):
        merge(table, ScoreTable.from_counts([3], [0], [1]))


# --- merging ----------------------------------------------------------------------------------


TYPES = ["i1", "i2", "i8", "f2", "f4", "f8", "g"]


@given(
    st.lists(st.tuples(one_class_too, st.sampled_from(TYPES)), min_size=1, max_size=5),
    st.booleans(),
)
def test_merging_is_tabulating_all(parts, higher):
    tables = []
    for cases, dtype in parts:
        label, score = unzipped(cases)
        tables.append(rs.tabulate(label, np.array(score, dtype), higher_is_positive=higher))
    together = table_from([case for cases, _ in parts for case in cases], higher_is_positive=higher)
    merged = merge(*tables)
    assert merged == together
    assert merge(*tables[::-1]) == together
    assert reduce(merge, tables) == together
    assert merged.score.dtype == np.result_type(*(table.score for table in tables))
    check_sound(merged)


@given(anything, st.data())
def test_merging_floats_of_all_sizes(sample, data):
    label, score = sample
    at = data.draw(st.integers(1, len(label) - 1))
    parts = [rs.tabulate(label[:at], score[:at]), rs.tabulate(label[at:], score[at:])]
    assert merge(*parts) == rs.tabulate(label, score)


@given(st.lists(samples(weights=st.floats(0.01, 10)), min_size=1, max_size=4))
def test_merging_weights_is_tabulating_all_but_for_rounding(parts):
    merged = merge(*(rs.tabulate(y, s, sample_weight=w) for y, s, w in parts))
    label, score, weight = ([x for part in parts for x in part[i]] for i in range(3))
    together = rs.tabulate(label, score, sample_weight=weight)
    assert merged.score.tolist() == together.score.tolist()
    for name in ("pos", "neg", "pos_w2", "neg_w2"):
        np.testing.assert_allclose(getattr(merged, name), getattr(together, name), rtol=1e-14)
    check_sound(merged)


def test_counts_next_to_weights_become_weights():
    counts, weights = rs.tabulate([1, 1], [2, 2]), rs.tabulate([1, 0], [2, 1], sample_weight=[3, 4])
    for merged in (merge(counts, weights), merge(weights, counts)):
        assert rows_of(merged) == [(2, 5, 0), (1, 0, 4)]
        assert merged.pos_w2.tolist() == [1 + 1 + 9, 0]
        assert merged.neg_w2.tolist() == [0, 16]
        check_sound(merged)


def test_merging_unlike_tables_is_an_error():
    with pytest.raises(ValueError, match="merge needs at least one table"):
        merge()
    up = rs.tabulate([0, 1], [1, 2])
    with pytest.raises(ValueError, match=r"some lower ones\. Tabulate all with the same"):
        merge(up, rs.tabulate([0, 1], [1, 2], higher_is_positive=False))


@pytest.mark.parametrize(
    ("whole_numbers", "other"),
    [
        (np.array([2**53 + 1]), np.array([0.5])),
        (np.array([2**63 - 1]), np.array([0.5])),
        (np.array([-(2**53) - 1]), np.array([0.5], "f4")),
        (np.array([2**64 - 1], "u8"), np.array([-1])),
        (np.array([2**53 + 1], "u8"), np.array([0.5])),
    ],
)
def test_merging_never_rounds_large_integers(whole_numbers, other):
    tables = rs.tabulate([1], whole_numbers), rs.tabulate([0], other)
    with pytest.raises(ValueError, match=r"do not fit float64 without losing digits"):
        merge(*tables)
    fitting = rs.tabulate([1], np.array([2**53], whole_numbers.dtype))
    assert merge(fitting, tables[1]).score[0] == 2.0**53


def test_merging_one_table_gives_it_back():
    table = rs.tabulate([0, 1, 1], [1, 2, 2], sample_weight=[1, 2, 0.5], higher_is_positive=False)
    assert merge(table) == table


# --- another prevalence -----------------------------------------------------------------------


@given(weighted, st.sampled_from([1e-6, 0.01, 0.25, 0.5, 0.9, 0.999]))
def test_reweighting_is_weighting_the_negatives(sample, prevalence):
    label, score, weight = sample
    table = rs.tabulate(label, score, sample_weight=weight)
    changed = rs.reweight(table, prevalence=prevalence)
    factor = (1 - prevalence) / prevalence * table.n_pos / table.n_neg
    scaled = [w if y else w * factor for y, w in zip(label, weight, strict=True)]
    again = rs.tabulate(label, score, sample_weight=scaled)
    for name in ("score", "pos", "neg", "pos_w2", "neg_w2"):
        np.testing.assert_allclose(getattr(changed, name), getattr(again, name), rtol=1e-14)
    assert changed.prevalence == pytest.approx(prevalence, rel=1e-14)
    assert rs.auc(changed) == pytest.approx(rs.auc(table), rel=1e-14, abs=1e-15)
    assert changed.n_eff == pytest.approx(table.n_eff, rel=1e-14)
    check_sound(changed)


def test_precision_at_one_to_ten_by_hand():
    # The point (.1, .5) of F3 has precision .8333 at 1:1 and .3333 at 1:10.
    table = rs.tabulate(*F3)
    row = table.score.tolist().index(0.54)
    for prevalence, precision in ((1 / 2, 5 / 6), (1 / 11, 1 / 3)):
        changed = rs.reweight(table, prevalence=prevalence)
        tp, fp = changed.tp[row], changed.fp[row]
        assert tp / (tp + fp) == pytest.approx(precision, rel=1e-15)
        assert tp == 5.0


@pytest.mark.parametrize("prevalence", [0, 1, -0.5, 50, float("nan")])
def test_a_prevalence_lies_between_zero_and_one(prevalence):
    with pytest.raises(ValueError, match=f"^prevalence is {prevalence}, but must lie strictly"):
        rs.reweight(rs.tabulate(*F3), prevalence=prevalence)


def test_a_prevalence_that_weights_cannot_reach():
    table = rs.tabulate(*F3)
    assert rs.reweight(table, prevalence=1e-99).prevalence == pytest.approx(1e-99)
    for prevalence in (1e-101, 5e-324):
        with pytest.raises(ValueError, match=f"^prevalence is {prevalence}, for which negatives"):
            rs.reweight(table, prevalence=prevalence)


@pytest.mark.parametrize("prevalence", ["0.1", None, [0.1, 0.2], np.ma.masked])
def test_a_prevalence_is_one_number(prevalence):
    with pytest.raises(ValueError, match=r"^prevalence is .*, but must be one number\.$"):
        rs.reweight(rs.tabulate(*F3), prevalence=prevalence)


def test_reweighting_needs_both_classes():
    with pytest.raises(rs.SingleClassError, match="reweight needs"):
        rs.reweight(rs.tabulate([1, 1], [1, 2]), prevalence=0.5)


# --- the other direction ----------------------------------------------------------------------


@given(weighted, st.booleans())
def test_negating_reverses_every_decision(sample, higher):
    label, score, weight = sample
    table = rs.tabulate(label, score, sample_weight=weight, higher_is_positive=higher)
    other = negate(table)
    assert other == rs.tabulate(label, score, sample_weight=weight, higher_is_positive=not higher)
    assert negate(other) == table
    assert rs.auc(other) == pytest.approx(1 - rs.auc(table), abs=1e-15)
    check_sound(other)


@given(tied)
def test_negating_counts_is_exact(sample):
    table = rs.tabulate(*sample)
    area = Fraction(auc_by_pairs(*sample))
    assert rs.auc(negate(table)) == float(1 - area)
    assert negate(negate(table)) == table


def test_rows_become_a_table_of_either_direction():
    rows = Rows(np.array([2, 1]), np.array([1, 0]), np.array([0, 1]))
    assert table_of(rows, True) == rs.tabulate([1, 0], [2, 1])
    assert table_of(rows, False) == rs.tabulate([1, 0], [2, 1], higher_is_positive=False)


# --- resampling -------------------------------------------------------------------------------


@given(
    one_class_too.map(table_from) | st.just(ScoreTable.from_counts([], [], [])),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_a_resample_is_a_sound_table_of_the_same_size(table, seed, stratified):
    drawn = rs.resample(table, rng=seed, stratified=stratified)
    assert drawn == rs.resample(table, rng=np.random.default_rng(seed), stratified=stratified)
    assert drawn.n_pos + drawn.n_neg == table.n_pos + table.n_neg
    if stratified:
        assert (drawn.n_pos, drawn.n_neg) == (table.n_pos, table.n_neg)
    positives, negatives = set(table.score[table.pos > 0]), set(table.score[table.neg > 0])
    assert set(drawn.score[drawn.pos > 0]) <= positives
    assert set(drawn.score[drawn.neg > 0]) <= negatives
    assert drawn.score.dtype == table.score.dtype
    check_sound(drawn)


def test_the_next_resample_of_a_generator_differs_and_direction_stays():
    table = rs.tabulate(*F3, higher_is_positive=False)
    rng = np.random.default_rng(1)
    first, second = rs.resample(table, rng=rng), rs.resample(table, rng=rng)
    assert first != second
    assert not first.higher_is_positive


@pytest.mark.parametrize("stratified", [True, False])
def test_resamples_have_the_mean_and_variance_of_drawing_cases(stratified):
    # Counts 6, 3, 1 of 10 positives; negatives 1, 4. One count is binomial: mean n p,
    # variance n p (1 - p) with n the class (stratified) or all cases.
    table = ScoreTable.from_counts([3, 2, 1], [6, 3, 1], [0, 1, 4])
    rng = np.random.default_rng(20)
    m = 4000
    drawn = [rs.resample(table, rng=rng, stratified=stratified) for _ in range(m)]
    cells = np.zeros((m, 2, 3))
    for i, t in enumerate(drawn):
        cells[i, 0, 3 - t.score], cells[i, 1, 3 - t.score] = t.pos, t.neg
    counts = np.array([table.pos, table.neg])
    n = np.array([[10.0], [5.0]]) if stratified else 15.0
    variance = counts * (1 - counts / n)
    # The mean of m draws is off by more than 4.5 of its standard errors once in 10**5 runs.
    assert (np.abs(cells.mean(axis=0) - counts) <= 4.5 * np.sqrt(variance / m)).all()
    np.testing.assert_allclose(cells.var(axis=0), variance, rtol=0.15)
    assert (cells[:, 1, 0] == 0).all()


class Careless(np.random.Generator):
    """Gives a case that rounding left over to the last chance, as NumPy's multinomial may."""

    def multinomial(self, n, pvals):
        drawn = super().multinomial(n - 1, pvals)
        drawn[-1] += 1
        return drawn


@pytest.mark.parametrize("stratified", [True, False])
def test_rounding_never_draws_from_an_empty_row(stratified):
    table = ScoreTable.from_counts([3, 2, 1, 0], [2, 3, 0, 1], [1, 0, 4, 0])
    drawn = rs.resample(table, rng=Careless(np.random.PCG64(5)), stratified=stratified)
    assert drawn.n_pos + drawn.n_neg == 11
    assert drawn.pos[drawn.score == 1].sum() == 0
    assert drawn.neg[np.isin(drawn.score, [0, 2])].sum() == 0


def test_weights_cannot_be_resampled():
    table = rs.tabulate([0, 1], [1, 2], sample_weight=[1, 1])
    with pytest.raises(ValueError, match=r"Resample those: resample_cases\(pair_scores"):
        rs.resample(table)


# --- universal invariants ---------------------------------------------------------------------


def counts(table):
    return table.pos.tolist(), table.neg.tolist()


@given(samples(values=st.integers(-1000, 1000)))
def test_a_increasing_maps_change_no_count(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    for f in (lambda s: 3 * s - 7, lambda s: s**3, math.atan, lambda s: 2.0**s):
        mapped = rs.tabulate(label, [f(s) for s in score])
        assert counts(mapped) == counts(table)
        assert rs.auc(mapped) == rs.auc(table)


@given(anything)
def test_b_c_swapping_labels_and_negating_scores(sample):
    label, score = sample
    swapped, minus = [not y for y in label], [-s for s in score]
    table, area = rs.tabulate(label, score), auc_by_pairs(label, score)
    both = rs.tabulate(swapped, minus)
    assert counts(both) == (table.neg[::-1].tolist(), table.pos[::-1].tolist())
    assert rs.auc(both) == rs.auc(table) == float(area)
    assert rs.auc(rs.tabulate(swapped, score)) == float(1 - area)
    assert rs.auc(rs.tabulate(label, minus)) == float(1 - area)


@given(tied, st.randoms(use_true_random=False))
def test_d_the_order_of_cases_means_nothing(sample, random):
    cases = list(zip(*sample, strict=True))
    shuffled = cases.copy()
    random.shuffle(shuffled)
    assert table_from(shuffled) == table_from(cases)


@given(tied, st.integers(2, 4))
def test_e_repeating_the_data_changes_no_area(sample, times):
    label, score = sample
    table = rs.tabulate(label, score)
    repeats = rs.tabulate(label * times, score * times)
    assert repeats.pos.tolist() == (times * table.pos).tolist()
    assert repeats == merge(*[table] * times)
    assert rs.auc(repeats) == rs.auc(table)


@given(weighted)
def test_f_areas_stay_inside(sample):
    label, score, weight = sample
    low, high = rs.auc_bounds(rs.tabulate(label, score, sample_weight=weight))
    assert 0 <= low <= rs.auc(rs.tabulate(label, score, sample_weight=weight)) <= high <= 1


@given(samples(weights=st.floats(1e-3, 1e3)))
def test_perfect_scores_stay_perfect_with_weights(sample):
    label, _, weight = sample
    score = [float(y) for y in label]
    assert rs.auc(rs.tabulate(label, score, sample_weight=weight)) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("auto", r"best_orientation"),
        ("False", r"must be True or False\.$"),
        (1, r"must be True or False\.$"),
        (None, r"must be True or False\.$"),
        ([True], r"pair_scores\("),
        ({"albumin": False}, r"pair_scores\("),
    ],
)
def test_a_direction_is_true_or_false(wrong, hint):
    for call in (
        lambda: rs.tabulate([0, 1], [1, 2], higher_is_positive=wrong),
        lambda: rs.auc_score([0, 1], [1, 2], higher_is_positive=wrong),
        lambda: rs.tabulate_classes([2], [1], higher_is_positive=wrong),
        lambda: ScoreTable.from_counts([1], [1], [1], higher_is_positive=wrong),
        lambda: Tabulator(higher_is_positive=wrong),
        lambda: Refinement(tolerance=0, memory=10**9, higher_is_positive=wrong),
        lambda: ThresholdRule("s", 1, higher_is_positive=wrong),
    ):
        with pytest.raises(TypeError, match=hint):
            call()
    for false in (False, np.False_):
        assert rs.tabulate([0, 1], [1, 2], higher_is_positive=false).higher_is_positive is False


def rows_as_cases(pos, neg):
    """Labels and scores of rows whose scores fall to 0."""
    k = len(pos)
    cases = [
        (own, k - 1 - i)
        for i in range(k)
        for own, of in ((True, pos), (False, neg))
        for _ in range(of[i])
    ]
    return zip(*cases, strict=True)


@pytest.mark.parametrize(
    ("pos", "neg"),
    [([1, 0, 1, 0], [0, 1, 0, 1]), ([1, 0, 1], [0, 0, 1]), ([2, 0, 1], [0, 3, 1]), ([1], [0])],
    ids=["one a row", "an empty row", "ties", "one"],
)
@pytest.mark.parametrize("kind", ["i8", "u8", "u1", "i4"])
def test_sums_of_counts_whatever_the_rows_hold(pos, neg, kind):
    table = ScoreTable(np.arange(len(pos))[::-1], np.array(pos, kind), np.array(neg, kind))
    if sum(neg):
        assert rs.auc(table) == float(auc_by_pairs(*rows_as_cases(pos, neg)))
    made = (table.tp.tolist(), table.fp.tolist())
    assert made == (np.cumsum(pos).tolist(), np.cumsum(neg).tolist())
    assert table.tp_from_zero.tolist() == [0, *made[0]]
    assert table.fp_from_zero.tolist() == [0, *made[1]]
    for column in (table.tp, table.fp, table.tp_from_zero, table.fp_from_zero):
        assert not column.flags.writeable
        assert column.dtype == np.int64


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("n", [1, 2, 7, 500])
def test_wins_of_distinct_scores_are_those_of_the_sums(n, share, higher):
    rng = np.random.default_rng([n, int(100 * share)])
    label, score = rng.random(n) < share, rng.permutation(n)
    table = rs.tabulate_classes(score[label], score[~label], higher_is_positive=higher)
    assert is_distinct(table)
    found = twice_wins_and_pairs(table)
    assert found == (exact_twice_wins(table.pos, table.neg), 2 * table.n_pos * table.n_neg)


def test_sums_beyond_2_to_53_are_not_rounded_on_the_way():
    # 2^53 and 1 and 1: as floats the sums would stay at 2^53, and the curve would not reach 1.
    whole = 2**53
    table = ScoreTable.from_counts([3, 2, 1], [whole, 1, 1], [1, 1, whole])
    curve = rs.roc_curve(table)
    assert (curve.tpr[-1], curve.fpr[-1]) == (1, 1)
    np.testing.assert_array_equal(curve.tpr[1:], table.tp / table.n_pos)
    assert curve.fpr[:3].tolist() == [0, 1 / (whole + 2), 2 / (whole + 2)]
