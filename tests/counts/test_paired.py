"""Several scores of the same cases stay paired."""

import copy
import pickle
import re
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from rocspace.combine import boolean_search
from rocspace.compare import compare_aucs, permutation_test, venkatraman_test
from rocspace.costs import resample_cost_difference
from rocspace.counts import PairedScores, pair_scores, resample_cases, take_scores
from rocspace.inference import best_permutation_test
from rocspace.resampling import bootstrap, difference

NAN = float("nan")
TRUTH = [1, 0, 1, 0]
COLUMNS = {"a": [4.0, 3.0, 2.0, 1.0], "b": [1.0, 1.0, 5.0, 0.0]}
BLOCK = np.array(list(COLUMNS.values())).T


@pytest.mark.parametrize(
    "scores",
    [
        COLUMNS,
        {"a": tuple(COLUMNS["a"]), "b": pl.Series(COLUMNS["b"])},
        {"a": pd.Series(COLUMNS["a"], index=[3, 2, 1, 0]), "b": pa.array(COLUMNS["b"])},
        pd.DataFrame(COLUMNS, index=[9, 9, 2, 1]),
        pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
    ],
    ids=["lists", "mixed", "index", "pandas", "arrow-backed", "polars", "pyarrow"],
)
def test_named_columns_keep_their_names(scores):
    data = pair_scores(TRUTH, scores)
    assert data.names == ("a", "b")
    np.testing.assert_array_equal(data.score, BLOCK)
    assert data.label.tolist() == [True, False, True, False]
    assert len(data) == 4
    assert repr(data) == "PairedScores(a, b: 2 positives, 2 negatives)"


def test_the_repr_tells_of_clusters_and_weights():
    data = pair_scores(TRUTH, {"a": [4, 3, 2, 1]}, cluster=list("xyzx"))
    assert repr(data) == "PairedScores(a: 2 positives, 2 negatives, 3 clusters)"
    data = pair_scores(TRUTH, {"a": [4, 3, 2, 1]}, cluster=[1] * 4, sample_weight=[1, 2, 3, 4])
    assert repr(data) == "PairedScores(a: 2 positives, 2 negatives, 1 cluster, weighted)"


@pytest.mark.parametrize(
    "block",
    [BLOCK, BLOCK.tolist(), np.asfortranarray(BLOCK), BLOCK[::-1].copy()[::-1], np.ma.array(BLOCK)],
)
def test_columns_of_a_matrix_are_numbered(block):
    data = pair_scores(TRUTH, block)
    assert data.names == ("score_1", "score_2")
    np.testing.assert_array_equal(data.score, BLOCK)
    assert pair_scores(TRUTH, block, names=["x", "y"]).names == ("x", "y")


def test_clusters_of_a_matrix_are_kept():
    data = pair_scores(TRUTH, BLOCK, cluster=list("xyzx"))
    assert repr(data).endswith("3 clusters)")
    assert pair_scores(TRUTH, BLOCK, sample_weight=[1, 2, 3, 4]).weight.tolist() == [1, 2, 3, 4]


def test_a_frame_has_a_column_for_all_that_is_known():
    plain = pair_scores(TRUTH, COLUMNS).to_frame()
    assert list(plain.columns) == ["label", "a", "b"]
    assert plain["b"].tolist() == COLUMNS["b"]
    known = pair_scores(TRUTH, COLUMNS, sample_weight=[1, 2, 3, 4], cluster=[7, 7, 8, 9])
    frame = known.to_frame()
    assert list(frame.columns) == ["label", "a", "b", "weight", "cluster"]
    assert frame["cluster"].nunique() == 3


def test_names_replace_those_of_a_frame():
    data = pair_scores(TRUTH, pl.DataFrame(COLUMNS), names=["x", "y"])
    np.testing.assert_array_equal(data.score, BLOCK)
    assert data.names == ("x", "y")
    assert pair_scores(TRUTH, {0: [4, 3, 2, 1]}).names == ("0",)


@pytest.mark.parametrize(
    ("scores", "names", "text"),
    [
        (BLOCK, ["x"], "2 scores are named 'x'. Give each a name of its own."),
        (BLOCK, ["x", "x"], "2 scores are named 'x', 'x'."),
        (pd.DataFrame(BLOCK, columns=["a", "a"]), None, "2 scores are named 'a', 'a'."),
        ({1: [1, 2, 3, 4], "1": [1, 2, 3, 4]}, None, "2 scores are named '1', '1'."),
        (BLOCK[:, 0], None, "y_scores has shape (4,). Pass (n, m): one column for each score"),
        (pd.Series([1, 2, 3, 4]), None, "y_scores has shape (4,)."),
        (BLOCK[:, :0], None, "y_scores has no columns. Pass at least one score."),
        ({}, None, "y_scores has no columns."),
        (BLOCK[:3], None, "Lengths differ: y_true has 4, y_scores['score_1'] has 3,"),
        (
            {"a": [1, 2, NAN, NAN]},
            None,
            ("y_scores['a'] has 2 missing values (NaN or null), the first at index 2."),
        ),
        ({"a": [2**53 + 1] * 4, "b": [0.5] * 4}, None, "do not fit float64 without losing digits"),
    ],
)
def test_unusable_scores_are_errors_that_say_why(scores, names, text):
    with pytest.raises(ValueError, match=r"score|Lengths|missing|digits") as caught:
        pair_scores(TRUTH, scores, names=names)
    assert text in str(caught.value)


def test_text_in_a_column_is_an_error_that_names_it():
    with pytest.raises(
        TypeError, match=r"^y_scores\['b'\] contains text or objects, the first 'x'"
    ):
        pair_scores(TRUTH, {"a": [1, 2, 3, 4], "b": list("xyzw")})


def test_a_score_may_have_the_name_of_an_argument():
    scores = {name: [4.0, 3, 2, j] for j, name in enumerate(("y_true", "sample_weight", "cluster"))}
    data = pair_scores(TRUTH, scores, sample_weight=[1, 2, 3, 4], cluster=[1, 1, 2, 2])
    assert data.names == tuple(scores)
    assert data.label.tolist() == [True, False, True, False]
    assert data.weight.tolist() == [1, 2, 3, 4]
    assert data.cluster.tolist() == [0, 0, 1, 1]
    assert data.score[3].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "scores",
    [
        {"a": [1.0, NAN, 3, 4], "b": [1, 2, 3, None]},
        pd.DataFrame({"a": [1, None, 3, 4], "b": [1, 2, 3, None]}),
        pl.DataFrame({"a": [1, None, 3, 4], "b": [1, 2, 3, None]}),
        np.array([[1, 1], [NAN, 2], [3, 3], [4, NAN]]),
        np.array([[1, 1], [None, 2], [3, 3], [4, None]]),
        np.ma.array([[1, 1], [0, 2], [3, 3], [4, 0]], mask=[[0, 0], [1, 0], [0, 0], [0, 1]]),
    ],
    ids=["lists", "pandas", "polars", "NaN", "None", "masked"],
)
def test_a_case_missing_in_one_score_is_omitted_from_all(scores):
    with pytest.warns(UserWarning, match=r"^2 of 4 cases .* \(1 in y_scores\['\w+'\], 1 in"):
        data = pair_scores(
            [1, 1, 0, 0], scores, missing="omit", sample_weight=[1, 2, 3, 4], cluster=list("xyzx")
        )
    assert data.label.tolist() == [True, False]
    assert data.score.tolist() == [[1, 1], [3, 3]]
    assert data.weight.tolist() == [1, 3]
    assert len(set(data.cluster.tolist())) == 2


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(-2, 2), st.integers(-2, 2), st.integers(0, 3)),
        min_size=1,
        max_size=20,
    ).filter(lambda cases: any(w for *_, w in cases)),
    st.booleans(),
)
def test_each_table_is_that_of_its_column(cases, higher):
    label, a, b, weight = (list(column) for column in zip(*cases, strict=True))
    data = pair_scores(label, {"a": a, "b": b}, higher_is_positive=higher)
    assert data.table("a") == rs.tabulate(label, a, higher_is_positive=higher)
    assert data.table("b") == rs.tabulate(label, b, higher_is_positive=higher)
    data = pair_scores(label, {"a": a, "b": b}, sample_weight=weight, higher_is_positive=higher)
    assert data.table("b") == rs.tabulate(label, b, sample_weight=weight, higher_is_positive=higher)
    assert len(data) == sum(w > 0 for w in weight)


def test_labels_are_read_as_for_a_table():
    data = pair_scores(["ill", "well", "ill", "well"], BLOCK, pos_label="ill")
    assert data.label.tolist() == [True, False, True, False]
    with pytest.raises(ValueError, match="which of them is positive"):
        pair_scores(["ill", "well", "ill", "well"], BLOCK)


def test_an_unknown_score_is_an_error_that_names_the_nearest():
    data = pair_scores(TRUTH, BLOCK, names=["model_one", "other"])
    with pytest.raises(ValueError, match=r"^There is no score 'modelone' among model_one, other\."):
        data.table("modelone")
    with pytest.raises(ValueError, match=r"Did you mean 'other'\?$"):
        data.table("Other")


def pickled(data):
    return pickle.loads(pickle.dumps(data))


@pytest.mark.parametrize("again", [lambda data: data, copy.copy, copy.deepcopy, pickled])
def test_paired_scores_are_frozen_and_stay_so(again):
    data = again(pair_scores(TRUTH, BLOCK, sample_weight=[1, 2, 3, 4], cluster=[1, 1, 2, 2]))
    for name in ("label", "score", "weight", "cluster"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(data, name)[0] = 1
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'names'"):
        data.names = ()
    np.testing.assert_array_equal(data.score, BLOCK)
    assert data.table("score_2").n_pos == 4.0


def test_the_arrays_of_others_are_not_frozen():
    label, score = np.array([True, False]), np.array([[1.0], [2.0]])
    data = PairedScores(label=label, score=score, names=("a",))
    assert label.flags.writeable
    assert score.flags.writeable
    assert not data.score.flags.writeable


# --- directions -------------------------------------------------------------------------------


def test_each_score_may_have_its_own_direction():
    scores = {"crp": [1, 4, 3, 5], "albumin": [9, 2, 4, 1]}
    both = pair_scores([0, 1, 0, 1], scores, higher_is_positive={"albumin": False})
    negated = pair_scores([0, 1, 0, 1], scores | {"albumin": [-9, -2, -4, -1]})
    assert [both.rises(name) for name in both.names] == [True, False]
    assert both.table("albumin").higher_is_positive is False
    assert rs.auc(both.table("albumin")) == rs.auc(negated.table("albumin")) == 1.0
    calls = (
        lambda data: compare_aucs(data).covariance,
        lambda data: bootstrap(data, difference("auc"), n_boot=50, rng=1).replicates,
        lambda data: permutation_test(data, "crp", "albumin", n_perm=50, rng=1).pvalue,
        lambda data: venkatraman_test(data, "crp", "albumin", n_perm=50, rng=1).statistic,
        lambda data: boolean_search(data).areas,
        lambda data: resample_cost_difference(data, [0.3], n_boot=20, rng=1).cost,
        lambda data: best_permutation_test(data, n_perm=50, rng=1).pvalue,
    )
    for call in calls:
        np.testing.assert_array_equal(call(both), call(negated))


def test_directions_that_agree_are_one():
    same = pair_scores(TRUTH, BLOCK, higher_is_positive={"score_1": False, "score_2": False})
    assert same.higher_is_positive is False
    assert pair_scores(TRUTH, BLOCK, higher_is_positive=np.True_).higher_is_positive is True


def test_directions_are_checked():
    with pytest.raises(ValueError, match=r"names 'scor_1', which is not a score.*'score_1'\?$"):
        pair_scores(TRUTH, BLOCK, higher_is_positive={"scor_1": False})
    for wrong in ("auto", [True, False], {"score_1": "False"}):
        with pytest.raises(TypeError, match="must be True or False"):
            pair_scores(TRUTH, BLOCK, higher_is_positive=wrong)


# --- resampling cases -------------------------------------------------------------------------


def numbered(n, **options):
    """Cases whose two scores, weight and cluster tell which case they are."""
    i = np.arange(n)
    label = i % 3 == 0
    return pair_scores(label, {"a": i, "b": 100 - i}, sample_weight=i + 1.0, cluster=i, **options)


@given(st.integers(1, 30), st.integers(0, 2**32), st.booleans())
def test_a_resampled_case_keeps_all_that_is_its_own(n, seed, stratified):
    data = numbered(n, higher_is_positive=False)
    drawn = resample_cases(data, rng=seed, stratified=stratified)
    i = drawn.score[:, 0]
    assert len(drawn) == n
    assert set(i.tolist()) <= set(range(n))
    assert (drawn.score[:, 1] == 100 - i).all()
    assert (drawn.weight == i + 1.0).all()
    assert (drawn.cluster == i).all()
    assert (drawn.label == (i % 3 == 0)).all()
    assert drawn.names == data.names
    assert not drawn.higher_is_positive
    if stratified:
        assert drawn.label.sum() == data.label.sum()
    again = resample_cases(data, rng=np.random.default_rng(seed), stratified=stratified)
    assert (again.score == drawn.score).all()


@pytest.mark.parametrize("stratified", [True, False])
def test_every_case_is_drawn_once_on_average(stratified):
    n, m = 9, 3000
    data, rng = numbered(n), np.random.default_rng(8)
    times = np.zeros((m, n))
    for k in range(m):
        drawn = resample_cases(data, rng=rng, stratified=stratified)
        times[k] = np.bincount(drawn.score[:, 0], minlength=n)
    # Binomial(N, 1/N): mean 1, variance 1 - 1/N, N the class of three or six, or all nine.
    size = np.where(data.label, 3, 6) if stratified else np.full(n, 9)
    variance = 1 - 1 / size
    assert (np.abs(times.mean(axis=0) - 1) <= 4.5 * np.sqrt(variance / m)).all()
    np.testing.assert_allclose(times.var(axis=0), variance, rtol=0.2)


def test_more_than_two_labels_lead_to_the_room_of_several_classes():
    with pytest.raises(ValueError, match=r"score for each: rocspace\.multiclass\.multi"):
        pair_scores(["a", "b", "c"], [[0.1], [0.2], [0.3]])
    with pytest.raises(ValueError, match=r"pos_label='b'\.$"):
        pair_scores(["a", "b"], [[0.1], [0.2]])


def test_some_scores_of_all_cases():
    scores = {"a": [0.9, 0.1, 0.4], "b": [3, 2, 1], "c": [0, 1, 0]}
    data = pair_scores([1, 0, 1], scores, higher_is_positive={"b": False})
    some = take_scores(data, ["c", "b"])
    assert some.names == ("c", "b")
    assert some.score.tolist() == [[0.0, 3.0], [1.0, 2.0], [0.0, 1.0]]
    assert [some.rises(name) for name in ("c", "b")] == [True, False]
    assert not some.score.flags.writeable
    with pytest.raises(ValueError, match="'d'"):
        take_scores(data, ["d"])


def test_a_card_tells_of_clusters_where_there_are_some():
    scores = {"a": [1, 2, 3, 4]}
    assert "Clusters" not in str(pair_scores([0, 1, 0, 1], scores))
    shown = str(pair_scores([0, 1, 0, 1], scores, cluster=[7, 7, 8, 9]))
    assert re.search(r"Clusters: +3", shown)
