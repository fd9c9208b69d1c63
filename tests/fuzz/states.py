"""Damaged states and site files: each is read as it was, or refused with one ValueError."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from typing import Any

import numpy as np

import rocspace as rs
from rocspace.stream import SiteCounts, Tabulator, coarsen, pool

JUNK: list[Any] = [
    *(None, True, False, 0, 1, -1, -5, 2, 15, 16, 1.0, 1.9, 0.5, -0.0, 1e308, 2**53 + 1, 2**62),
    *(2**63, 2**64, 10**30, -(2**63), "", "0", "1", "False", "false", "inf", "-inf", "nan", "O"),
    *("float64", "complex128", "object", "<f8", ">f8", "|O", "<U9", "raise", [], [1], {}, {"a": 1}),
    *([[0.1, 0.2, 1, 1]], [[1, 1, 1]], [[[]]], float("nan"), float("inf")),
]


def some_counter(rng: np.random.Generator) -> Tabulator:
    """Count a few cases in one of many ways."""
    n = int(rng.integers(1, 40))
    dtype = rng.choice(["f8", "f8", "f4", "f2", "i8", "u8", "i1", "u1"])
    score = rng.integers(0, rng.choice([3, 20, 100]), n).astype(dtype)
    if dtype[0] == "f":
        score = score / 8
        score[rng.random(n) < 0.1] = rng.choice([np.inf, -np.inf, -1.5])
    counter = Tabulator(max_rows=16, higher_is_positive=bool(rng.integers(2)))
    weight = rng.integers(1, 9, n) / 4 if rng.random() < 0.3 else None
    if rng.random() < 0.95:
        counter.update(rng.random(n) < 0.5, score.astype(dtype), weight)
    return counter


# --- damage -------------------------------------------------------------------------------


def flipped(data: bytes, rng: np.random.Generator) -> bytes:
    """Flip a few bits, or cut, double or drop a piece."""
    changed = bytearray(data)
    how, at = rng.random(), int(rng.integers(len(data)))
    if how < 0.7:
        for _ in range(int(rng.choice([1, 1, 2, 5]))):
            changed[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    elif how < 0.8:
        del changed[at:]
    elif how < 0.9:
        del changed[at : at + int(rng.integers(1, 9))]
    else:
        changed[at:at] = changed[at : at + int(rng.integers(1, 40))]
    return bytes(changed)


def junk(rng: np.random.Generator) -> Any:
    # A copy: what is damaged a second time may be a piece of junk itself.
    return copy.deepcopy(JUNK[int(rng.integers(len(JUNK)))])


def changed_fields(found: Any, rng: np.random.Generator) -> None:
    """Put something else in a field of a JSON object, or take it out, wherever it is."""
    while True:
        keys = list(found) if isinstance(found, dict) else list(range(len(found)))
        if not keys:
            return
        key = keys[int(rng.integers(len(keys)))]
        if not isinstance(found[key], list | dict) or not found[key] or rng.random() < 0.2:
            break
        found = found[key]
    if rng.random() < 0.15:
        del found[key]
    elif type(found[key]) in (int, float) and rng.random() < 0.5:
        found[key] = found[key] + type(found[key])(rng.choice([-2, -1, 1, 2]))
    else:
        found[key] = junk(rng)


def changed_column(arrays: dict[str, np.ndarray], rng: np.random.Generator) -> None:
    """Change a column of a state: an entry, the order, the type, the length."""
    names = sorted(arrays)
    name = names[int(rng.integers(len(names)))]
    column, how = arrays[name].copy(), int(rng.integers(8))
    if not column.size or column.dtype.kind in "cU":  # changed before
        return
    at = int(rng.integers(column.size))
    with np.errstate(all="ignore"):
        if how == 0:
            column[at] = column[int(rng.integers(column.size))]
        elif how == 1:
            column[at] = column.dtype.type(column[at] + column.dtype.type(rng.choice([1, 2, 200])))
        elif how == 2:
            column = column[::-1]
        elif how == 3:
            column = column.astype(rng.choice(["f8", "i8", "u8", "u1", "f4", "c16", ">i8", "U3"]))
        elif how == 4:
            column = column[:at]
        elif how == 5:
            column = column.reshape(-1, 1)
        elif how == 6 and column.dtype.kind == "f":
            column[at] = rng.choice([np.nan, np.inf, -1.0, 0.0, 1e300, 0.3])
        elif how == 6:
            column[at] = column.dtype.type(rng.choice([0, 255, 127, 64, 65]))
        else:
            arrays[rng.choice(["more", "pos_w2", "about2"])] = column
            del arrays[name]
            return
    arrays[name] = column


def unpacked(data: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(data)) as npz:
        return {name: npz[name] for name in npz.files}


def repacked(found: dict[str, np.ndarray], rng: np.random.Generator) -> bytes:
    """Damage what is inside the archive and make it whole again, so that no checksum tells."""
    arrays = dict(found)
    about = json.loads(str(arrays.pop("about")))
    for _ in range(int(rng.choice([1, 1, 2]))):
        if arrays and rng.random() < 0.6:
            changed_column(arrays, rng)
        else:
            changed_fields(about, rng)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, column in ({"about": np.array(json.dumps(about))} | arrays).items():
            one = io.BytesIO()
            np.lib.format.write_array(one, column, allow_pickle=False)
            archive.writestr(f"{name}.npy", one.getvalue())
    return file.getvalue()


def rewritten(text: str, rng: np.random.Generator) -> str:
    """Damage a JSON text: a character, or a field."""
    if rng.random() < 0.3:
        return flipped(text.encode(), rng).decode(errors="replace")
    about = json.loads(text)
    for _ in range(int(rng.choice([1, 1, 2]))):
        changed_fields(about, rng)
    return json.dumps(about)


# --- what must hold -------------------------------------------------------------------------


def check_table(table: rs.ScoreTable, n_cases: int | None) -> None:
    """Check what every table holds, whatever was read."""
    rising = table.score[::-1] if table.higher_is_positive else table.score
    assert (rising[:-1] < rising[1:]).all(), table.score
    assert (table.pos >= 0).all()
    assert (table.neg >= 0).all()
    assert ((table.pos > 0) | (table.neg > 0)).all()
    if n_cases is not None and not table.is_weighted:
        assert table.pos.dtype == np.int64
        assert int(table.n_pos) + int(table.n_neg) == n_cases
    if table.n_pos and table.n_neg:
        low, high = rs.auc_bounds(table)
        assert 0 <= low <= rs.auc(table) <= high <= 1


def read_state(data: bytes) -> Tabulator | None:
    """Read a state that may be damaged and use it; None where it is refused."""
    try:
        counter = Tabulator.from_bytes(data)
    except ValueError as error:
        check_sentence(error)
        return None
    assert type(counter.n_cases) is int
    assert counter.higher_is_positive in (True, False)
    again = Tabulator.from_bytes(counter.to_bytes())
    if counter.n_cases:
        check_table(counter.table(), counter.n_cases)
        assert again.table() == counter.table()
    try:
        counter.merge(again)
        counter.update([0, 1], np.array([1, 2], dtype=np.uint8))
    except ValueError as error:  # weights, the other coding, types that lose digits, 2**62 cases
        check_sentence(error)
    return again


def read_site(text: str) -> SiteCounts | None:
    """Read site counts that may be damaged and use them; None where they are refused."""
    try:
        site = SiteCounts.from_json(text)
    except ValueError as error:
        check_sentence(error)
        return None
    assert type(site.higher_is_positive) is bool
    assert type(site.min_cases) is int
    assert (site.pos + site.neg >= site.min_cases).all()
    assert SiteCounts.from_json(site.to_json()).to_json() == site.to_json()
    check_table(pool(site), int(site.pos.sum() + site.neg.sum()))
    return site


def check_sentence(error: ValueError) -> None:
    """Check that an error says something and is of no accidental kind."""
    assert type(error) is ValueError or type(error).__module__.startswith("rocspace."), type(error)
    text = str(error)
    assert text.endswith(".")
    assert len(text) < 600, text


def one_round(rng: np.random.Generator) -> int:
    """Damage a few states in many ways; return how many were read."""
    counter = some_counter(rng)
    data, n = counter.to_bytes(), 0
    inside = unpacked(data)
    whole = counter.table() if counter.n_cases else None
    for _ in range(20):
        # A bit that flips is found out, or changes nothing.
        found = read_state(flipped(data, rng))
        if found is not None and whole is not None:
            assert found.table() == whole
        read_state(repacked(inside, rng))
        n += 2
    if counter.n_cases and counter.is_exact and not counter.table().is_weighted:
        text = coarsen(counter, min_cases=int(rng.integers(1, counter.n_cases + 1))).to_json()
        for _ in range(40):
            read_site(rewritten(text, rng))
            n += 1
    return n
