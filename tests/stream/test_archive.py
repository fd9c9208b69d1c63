"""Files of saved states: whatever is damaged raises ValueError, and merging loses nothing."""

import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocspace.stream import SavedStates, Tabulator, load_states, merge_states, save_states

RNG = np.random.default_rng(2)
LABEL = RNG.integers(0, 2, 40)
SCORE = np.round(RNG.normal(LABEL, 1.0), 1)


def counted(rows, **how):
    """Return a tabulator of some of the cases."""
    counter = Tabulator(**how)
    counter.update(LABEL[rows], SCORE[rows])
    return counter


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "s.state"
    save_states(path, {"a": counted(slice(0, 20)), "b": counted(slice(0, 20))})
    return path


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(1, 39), max_size=4, unique=True))
def test_any_division_gives_the_same_table(cuts):
    parts = np.split(np.arange(40), sorted(cuts))
    states = [SavedStates(states={"s": counted(rows)}, source={}) for rows in parts]
    before = [each.states["s"].table() for each in states]
    assert merge_states(states).states["s"].table() == counted(slice(None)).table()
    assert [each.states["s"].table() for each in states] == before


def test_what_was_read_is_kept_and_added_up(tmp_path):
    source = {"label": "y", "positive": 1, "rows": 20, "labels": {"1": 8}, "dropped": {"y": 2}}
    save_states(tmp_path / "s", {"ü": counted(slice(0, 20))}, source=source)
    found = load_states(tmp_path / "s")
    assert (list(found.states), found.source) == (["ü"], source)
    twice = merge_states([found, found]).source
    assert (twice["rows"], twice["labels"], twice["dropped"]) == (40, {"1": 16}, {"y": 4})
    assert found.to_frame()["n_cases"].tolist() == [20]


def change(path, **fields):
    """Write the archive again with other fields of its description."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(members.pop("about.json")) | fields
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("about.json", json.dumps(about))
        for name, member in members.items():
            archive.writestr(name, member)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"version": 2}, "update rocspace"),
        ({"rocspace": "else"}, "'rocspace' is 'else'"),
        ({"scores": ["a"]}, "its members are"),
        ({"scores": ["a", "a"]}, "its members are"),
        ({"scores": "ab"}, "must be a list of names"),
        ({"source": 3}, "'source' is 3"),
    ],
)
def test_damage_is_found(saved, fields, said):
    change(saved, **fields)
    with pytest.raises(ValueError, match=said):
        load_states(saved)


def test_cut_files_and_nothing_at_all(saved):
    data = saved.read_bytes()
    for size in range(0, len(data), 97):
        saved.write_bytes(data[:size])
        with pytest.raises(ValueError, match="archive cannot be read"):
            load_states(saved)
    with pytest.raises(ValueError, match="at least one Tabulator"):
        save_states(saved, {})
    with pytest.raises(ValueError, match="at least one file"):
        merge_states([])
