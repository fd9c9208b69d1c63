"""Labels of several classes beside their columns: which column is whose is never guessed wrong."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocspace as rs
from rocspace.multiclass import hand_till, multiclass_scores

Y = ["b", "a", "c", "a", "b", "c", "c"]
P = np.array(
    [
        [0.2, 0.6, 0.2],
        [0.7, 0.2, 0.1],
        [0.1, 0.3, 0.6],
        [0.3, 0.5, 0.2],
        [0.1, 0.5, 0.4],
        [0.3, 0.3, 0.4],
        [0.4, 0.1, 0.5],
    ]
)


def test_columns_without_names_belong_to_the_sorted_labels():
    data = multiclass_scores(Y, P)
    assert data.classes == ("a", "b", "c")
    assert data.names == ("score",)
    np.testing.assert_array_equal(data.label, [1, 0, 2, 0, 1, 2, 2])
    np.testing.assert_array_equal(data.column("b"), P[:, 1])
    np.testing.assert_array_equal(data.sizes, [2, 2, 3])


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("prefix", ["", "p_", "prob.", "c"])
def test_columns_with_names_belong_to_the_classes_of_those_names(frame, prefix):
    order = [2, 0, 1]
    named = frame({prefix + "abc"[j]: P[:, j] for j in order})
    data = multiclass_scores(Y, named)
    assert data.classes == ("a", "b", "c")
    np.testing.assert_array_equal(data.score[:, 0], P)
    assert hand_till(data) == hand_till(multiclass_scores(Y, P))


def test_given_classes_name_columns_in_order():
    data = multiclass_scores(Y, P[:, [2, 0, 1]], classes=["c", "a", "b"])
    assert hand_till(data) == hand_till(multiclass_scores(Y, P))
    assert hand_till(data) != hand_till(multiclass_scores(Y, P[:, [2, 0, 1]]))


def test_numbers_as_names_are_matched_as_text():
    y = np.array([10, 2, 2, 10])
    data = multiclass_scores(y, {"p_10": [0.9, 0.2, 0.4, 0.6], "p_2": [0.1, 0.8, 0.6, 0.4]})
    assert data.classes == (2, 10)
    np.testing.assert_array_equal(data.column(10), [0.9, 0.2, 0.4, 0.6])


def test_several_classifiers():
    data = multiclass_scores(Y, {"one": P, "two": {"c": P[:, 0], "a": P[:, 1], "b": P[:, 2]}})
    assert data.names == ("one", "two")
    assert repr(data) == "MulticlassScores(3 classes (a, b, c), 7 cases, 2 classifiers)"
    np.testing.assert_array_equal(data.column("c", "two"), P[:, 0])
    renamed = multiclass_scores(Y, {"one": P, "two": P}, names=["x", "y"])
    assert renamed.names == ("x", "y")


def test_tables_are_those_of_the_columns():
    data = multiclass_scores(Y, P, sample_weight=[1, 2, 1, 1, 3, 1, 1])
    b = np.array(Y) == "b"
    assert data.table("b") == rs.tabulate(b, P[:, 1], sample_weight=[1, 2, 1, 1, 3, 1, 1])
    pair = np.array(Y) != "c"
    weight = np.array([1, 2, 1, 1, 3, 1, 1])[pair]
    assert data.table("b", "a") == rs.tabulate(b[pair], P[pair, 1], sample_weight=weight)


def test_a_missing_value_is_refused_or_left_out():
    holes = P.copy()
    holes[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"class 'c' has 1 missing value .* index 1"):
        multiclass_scores(Y, holes)
    with pytest.warns(UserWarning, match="1 of 7 cases omitted"):
        kept = multiclass_scores(Y, holes, missing="omit")
    assert len(kept) == 6
    with pytest.warns(UserWarning, match="1 of 7 cases omitted"):
        labels = multiclass_scores(["b", None, *Y[2:]], P, missing="omit")
    np.testing.assert_array_equal(labels.label, kept.label)


def test_whole_scores_stay_whole():
    data = multiclass_scores([0, 1, 2], np.eye(3, dtype=np.int16))
    assert data.score.dtype == np.int16


def test_a_classifier_of_one_case_and_of_generators():
    data = multiclass_scores((x for x in Y), P.tolist())
    assert hand_till(data) == hand_till(multiclass_scores(Y, P))


def test_frame_has_a_row_for_each_case():
    frame = multiclass_scores(Y, P, cluster=[0, 0, 1, 1, 2, 2, 2]).to_frame(backend="pandas")
    assert list(frame) == ["label", "a", "b", "c", "cluster"]
    assert frame["label"].tolist() == Y
    both = multiclass_scores(Y, {"one": P, "two": P}).to_frame(backend="pandas")
    assert list(both)[1:3] == ["one: a", "one: b"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: multiclass_scores(Y, P[:, :2]), r"shape \(7, 2\), and the 3 classes are 'a', 'b'"),
        (lambda: multiclass_scores(Y, P[:, 0]), r"shape \(7,\), and the 3 classes"),
        (lambda: multiclass_scores(Y, P, classes=["a", "b", "d"]), "has the label 'c', which"),
        (lambda: multiclass_scores(Y, P, classes=["a", "a", "b"]), "Give two labels or more"),
        (lambda: multiclass_scores(Y, P, classes="abc"), "Give two labels or more"),
        (lambda: multiclass_scores(Y, P, names=["x", "y"]), "there is 1 classifier"),
        (
            lambda: multiclass_scores(Y, {"one": P, "two": {"a": P[:, 0], "x": P[:, 1]}}),
            "class 'b' has none",
        ),
        (lambda: multiclass_scores(Y, {"a": P[:, 0], "b": P[:, 1]}), "label 'c', which is none"),
        (lambda: multiclass_scores(Y[:-1], P), "Lengths differ"),
        (lambda: multiclass_scores(Y, P).column("d"), "class is 'd', but must be one of"),
        (lambda: multiclass_scores(Y, P).table("a", "a"), "Name two different ones"),
        (lambda: multiclass_scores(Y, {"u": P, "v": P}).column("a"), "Which one"),
        (lambda: multiclass_scores(Y, {"u": P, "v": P}).column("a", "w"), "Did you mean|u, v"),
        (lambda: multiclass_scores(Y, P.astype(str)), "contains text"),
    ],
)
def test_what_does_not_fit_is_told(call, said):
    with pytest.raises((ValueError, TypeError), match=said):
        call()
