"""What a visitor chose: read from JSON, or refused."""

from __future__ import annotations

import pytest

from rocspace.web.choices import Choice, RequestError, choice_of, json_of
from served import CHOICE, ROWS, Visitor


@pytest.mark.parametrize(
    "choice",
    [
        {"level": 2},
        {"level": True},
        {"level": "0.9"},
        {"missing": "drop"},
        {"scores": "risk"},
        {"scores": [3]},
        {"label": {"a": 1}},
        {"label": "x" * 2000},
        {"scores": ["a"] * 500},
        {"folder": "/etc"},
    ],
)
def test_a_choice_that_the_page_does_not_make_is_refused(client: Visitor, choice: object) -> None:
    file = client.give(ROWS).json()["id"]
    body = {"file": file, "choice": {**CHOICE, **choice}}  # type: ignore[dict-item]
    assert client.post("/api/reports", json=body).status_code == 400


def test_what_is_not_said_is_the_usual() -> None:
    assert choice_of({}) == Choice()
    found = choice_of({"label": "", "scores": ["a", "", "b", "a", None], "level": 0.5})
    assert found.label is None
    assert found.scores == ("a", "b")  # each once, in order
    assert (found.level, found.missing) == (0.5, "raise")


@pytest.mark.parametrize(
    "said",
    [None, [], "x", {"label": 3}, {"lower": {"a": 1}}, {"order": "a,b"}, {"scores": ["a"] * 201}],
)
def test_what_is_no_choice_is_refused(said: object) -> None:
    with pytest.raises(RequestError, match="not one that the page makes"):
        choice_of(said)


def test_the_longest_name_and_the_most_scores_are_taken() -> None:
    assert choice_of({"label": "x" * 1000}).label == "x" * 1000
    assert len(choice_of({"scores": [str(i) for i in range(200)]}).scores) == 200


@pytest.mark.parametrize("level", [0.49, 1, 1.5, "0.9", True, None])
def test_a_level_is_from_a_half_to_below_one(level: object) -> None:
    with pytest.raises(RequestError, match=r"must be from 0\.5 to below 1"):
        choice_of({"level": level})


def test_arguments_of_the_functions_that_read_files() -> None:
    chosen = choice_of(
        {"label": "y", "positive": "ill", "scores": ["a", "b"], "weight": "w", "missing": "omit",
         "lower": ["b", "other"]}
    )  # fmt: skip
    assert chosen.columns == {
        "label": "y",
        "score": ["a", "b"],
        "pos_label": "ill",
        "weight": "w",
        "missing": "omit",
    }
    assert chosen.higher == {"b": False}  # of the scores alone


@pytest.mark.parametrize("body", [b"{", b"[]", b"3", b"\xff", b"[" * 100_000])
def test_a_body_is_an_object_of_json(body: bytes) -> None:
    assert json_of(b'{"a": [1, null]}') == {"a": [1, None]}
    with pytest.raises(RequestError, match="not one that the page makes"):
        json_of(body)
