"""A short run of each fuzz from fixed seeds, and what was found before; `make fuzz` goes on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rocspace as rs
from fuzz import arguments, calls, readings, states, uploads, visits
from rocspace._base.kinds import is_ours
from rocspace.io import tabulate_file

CORPUS = json.loads(Path(__file__).with_name("corpus.json").read_text(encoding="utf-8"))
SHORT = 40  # rounds of wrong arguments


@pytest.mark.parametrize("seed", range(0, 100, 20))
def test_damaged_states_are_read_as_they_were_or_refused(seed):
    n = sum(states.one_round(np.random.default_rng(s)) for s in range(seed, seed + 20))
    assert n >= 20 * 40


@pytest.mark.parametrize("seed", range(0, 1000, 100))
def test_calls_agree_with_exact_fractions(seed):
    n = sum(calls.one_round(np.random.default_rng(s)) for s in range(seed, seed + 100))
    assert n >= 100 * 10


@pytest.mark.parametrize("seed", range(0, SHORT, 10))
def test_wrong_arguments_are_answered_by_sentences(seed):
    n = sum(arguments.one_round(np.random.default_rng(s)) for s in range(seed, seed + 10))
    assert n >= 10


@pytest.mark.parametrize("seed", range(0, 40, 10))
def test_odd_samples_are_answered_or_refused_by_sentences(seed):
    n = sum(readings.one_round(np.random.default_rng(s)) for s in range(seed, seed + 10))
    assert n == 10 * readings.CHOSEN
    assert len(readings.functions()) > 150


@pytest.mark.parametrize("seed", range(0, 8, 2))
def test_hostile_visitors_are_answered_by_sentences(seed):
    pytest.importorskip("fastapi")
    pytest.importorskip("httpx")
    n = sum(uploads.one_round(np.random.default_rng(s)) for s in range(seed, seed + 2))
    assert n >= 2 * 12


@pytest.fixture
def visited():
    """The web app with a worker of its own; what it leaves behind at the end is a failure."""
    pytest.importorskip("fastapi")
    pytest.importorskip("httpx")
    yield visits.house()
    visits.end()


def test_hostile_visits_are_refused_by_sentences(visited):
    n = sum(visits.one_round(np.random.default_rng(s), reports=0) for s in range(20))
    assert n >= 20 * 12


@pytest.mark.slow
def test_small_files_that_grow_are_read_in_parts_or_refused(visited):
    for name, data in visits.bombs().items():
        answer = visited.visitor.give(data, name)
        if visits.answered(answer):
            looked = answer.json()
            assert looked["rows"] == 10_000_000
            choice = {**looked["guess"], "label": "y", "positive": "1", "scores": ["s"]}
            del choice["why"]
            body = {"file": looked["id"], "choice": choice}
            assert not visits.answered(visited.visitor.post("/api/reports", json=body))
        visited.visitor.delete("/api/files")
    visits.still_right(visited.visitor)


@pytest.mark.parametrize("call", arguments.FOUND, ids=str)
def test_calls_that_once_ended_in_the_words_of_others(call):
    with pytest.raises(arguments.REFUSALS) as caught:
        eval(call, arguments.names())
    assert is_ours(caught.value)


@pytest.mark.parametrize("case", CORPUS["files"], ids=lambda case: case["name"])
def test_files_that_once_gave_a_wrong_number(case, tmp_path):
    path = tmp_path / case["name"]
    path.write_text(case["text"], encoding="utf-8")
    if "auc" in case:
        table = tabulate_file(path, label="y", score="s").tables["s"]
        assert rs.auc(table) == pytest.approx(case["auc"], abs=1e-15)
    else:
        with pytest.raises(ValueError, match=case["refused"]):
            tabulate_file(path, label="y", score="s")


@pytest.mark.parametrize("text", CORPUS["site_counts"])
def test_site_counts_that_once_were_accepted(text):
    assert states.read_site(text) is None
