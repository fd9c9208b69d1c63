"""Scores of cases whose truth is known for a part of them: the checked data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rocspace import SingleClassError, tabulate
from rocspace.designs import verified_scores


def test_labels_may_be_texts_and_missing_in_any_way() -> None:
    data = verified_scores(["ill", None, "well", "ill"], [4, 3, 2, 1], pos_label="ill")
    assert data.label.tolist() == [True, False, False, True]
    assert data.verified.tolist() == [True, False, True, True]
    assert len(data.to_frame()) == 4


def test_cases_are_counted_by_what_is_known_of_them() -> None:
    data = verified_scores([1, None, 0, 1, np.nan, 0, 0], {"a": range(7), "b": range(7, 0, -1)})
    assert (len(data), data.n_pos, data.n_neg) == (7, 2, 3)
    assert repr(data) == "VerifiedScores(a, b: 7 cases, 5 verified, 2 positives)"
    assert data.column("b").tolist() == [7, 6, 5, 4, 3, 2, 1]
    with pytest.raises(ValueError, match="several scores: 'a', 'b'"):
        data.column(None)


def test_complete_cases_are_the_verified_ones_in_their_direction() -> None:
    data = verified_scores(
        [1, None, 0, 1, 0], {"a": [4, 3, 2, 1, 5], "b": [1, 2, 3, 4, 5]},
        higher_is_positive={"b": False},
    )  # fmt: skip
    assert (data.rises("a"), data.rises("b")) == (True, False)
    for of in (data.name_of, data.column, data.rises, data.complete_cases):
        with pytest.raises(ValueError, match="several scores: 'a', 'b'"):
            of()
        with pytest.raises(ValueError, match="no score 'c' among a, b"):
            of("c")
    assert data.complete_cases("a") == tabulate([1, 0, 1, 0], [4, 2, 1, 5])
    wanted = tabulate([1, 0, 1, 0], [1, 3, 4, 5], higher_is_positive=False)
    assert data.complete_cases("b") == wanted


def test_one_score_needs_no_name_and_may_have_one() -> None:
    assert verified_scores([1, 0], [2, 1]).names == ("score",)
    assert verified_scores([1, 0], [2, 1], names=["test"]).name_of() == "test"
    assert verified_scores([1, 0], [[2, 1], [1, 3]]).names == ("score_1", "score_2")


def test_further_columns_are_complete_and_as_long() -> None:
    data = verified_scores([1, None, 0], [1, 2, 3], covariates={"site": list("aba")})
    assert list(data.to_frame()) == ["label", "verified", "score", "site"]
    for covariates, says in (
        ({"x": [1, 2]}, "Lengths differ"),
        ({"x": [1, np.nan, 2]}, "missing"),
        ({"x": [1, np.inf, 2]}, r"covariates\['x'\]|x is infinite at index 1"),
        ({"score": [1, 2, 3]}, "'score' is both a score and a covariate"),
    ):
        with pytest.raises(ValueError, match=says):
            verified_scores([1, None, 0], [1, 2, 3], covariates=covariates)


@pytest.mark.parametrize("label", [[None] * 3, [np.nan] * 3, []])
def test_no_known_label_is_no_study(label: list[Any]) -> None:
    with pytest.raises(ValueError, match="y_true has no known label"):
        verified_scores(label, [1.0, 2, 3][: len(label)])


def test_verified_cases_of_one_class_are_no_study() -> None:
    with pytest.raises(SingleClassError, match="negative"):
        verified_scores([1, None, 1], [1, 2, 3])
    with pytest.raises(SingleClassError, match="positive"):
        verified_scores([0, None, 0], [1, 2, 3], pos_label=1)
