"""Saved states and sent counts, read field by field: any damage raises ValueError."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any, NoReturn

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.cases import HEAVIEST, exact_sum
from rocspace._base.words import shown
from rocspace.stream.states import COLUMNS, State, keys_of, mirrored, scores_of, spans

MOST = 2**62  # cases of a class that can be counted
_HEADER = re.compile(
    rb"\{'descr': '([<>|][iufU]\d{1,9})', 'fortran_order': False, 'shape': "
    rb"\((\d{0,18}),?\), \} *\n"
)
_TYPES = (*(f"{kind}{size}" for kind in "iu" for size in (1, 2, 4, 8)), "f2", "f4", "f8")


class Fields:
    """The fields of a JSON object, each checked when it is asked for.

    Parameters
    ----------
    text : str
        The JSON.
    what, cure : str
        For messages: what the text should be, and what to do where it is something else.
    """

    def __init__(self, text: Any, what: str, cure: str) -> None:
        self._what, self._cure = what, cure
        try:
            found = json.loads(text, parse_constant=str)
        except (ValueError, TypeError, RecursionError):
            self.refuse("the text cannot be read as JSON")
        if not isinstance(found, dict):
            self.refuse("the text is not a JSON object")
        self._found = found

    def refuse(self, why: str) -> NoReturn:
        """Raise the error that says why this is not what it should be."""
        msg = f"This is not {self._what}: {why}. {self._cure}"
        raise ValueError(msg) from None

    def get(self, name: str) -> Any:
        """Return a field as it is."""
        if name not in self._found:
            self.refuse(f"{name!r} is missing")
        return self._found[name]

    def one_of(self, name: str, choices: tuple[Any, ...]) -> Any:
        """Return a field that has one of a few values, and their type."""
        value = self.get(name)
        if not any(type(value) is type(each) and value == each for each in choices):
            listed = ", ".join(map(repr, choices))
            self.refuse(f"{name!r} is {shown(value)}, but must be one of {listed}")
        return value

    def whole(self, name: str, low: int = 0, high: int = MOST) -> int:
        """Return a field that is a whole number in a range."""
        return self.checked_whole(self.get(name), f"{name!r}", low, high)

    def checked_whole(self, value: Any, name: str, low: int = 0, high: int = MOST) -> int:
        """Check one whole number: no fraction, no boolean, no text."""
        if type(value) is not int or not low <= value <= high:
            msg = f"{name} is {shown(value)}, but must be a whole number of {low} or more"
            self.refuse(msg)
        return value

    def version(self, latest: int) -> None:
        """Check that the version can be read."""
        if self.whole("version", 1) > latest:
            said = self.get("version")
            msg = f"version is {said}, and this program reads up to {latest}: update rocspace"
            self.refuse(msg)


# --- the archive of a Tabulator -----------------------------------------------------------


def unpacked(data: bytes, fields: tuple[str, str]) -> tuple[Fields, dict[str, Array]]:
    """Take the description and the columns out of an npz archive.

    The headers are matched, not evaluated, and no array is made before its bytes are there.
    """
    what, cure = fields
    msg = f"This is not {what}: the archive cannot be read. {cure}"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in set(archive.namelist())}
    except Exception as error:  # zipfile raises many kinds of errors for a damaged archive
        raise ValueError(msg) from error
    arrays = {name: _array(member) for name, member in members.items()}
    if any(array is None for array in arrays.values()) or "about.npy" not in arrays:
        raise ValueError(msg)
    found = {name.removesuffix(".npy"): array for name, array in arrays.items()}
    return Fields(str(found.pop("about")), what, cure), found  # type: ignore[return-value]


def _array(member: bytes) -> Array | None:
    """Read one array of at most one dimension as NumPy wrote it; None if it is something else."""
    if member[:8] != b"\x93NUMPY\x01\x00":
        return None
    start = 10 + int.from_bytes(member[8:10], "little")
    header = _HEADER.fullmatch(member[10:start])
    if header is None:
        return None
    try:
        dtype = np.dtype(header[1].decode())
        array = np.frombuffer(member[start:], dtype=dtype)
    except (TypeError, ValueError):
        return None
    if array.size != int(header[2] or 1):
        return None
    return array.astype(dtype.newbyteorder("=")) if header[2] else array.reshape(())


def sound_state(
    fields: Fields, arrays: dict[str, Array], *, higher_is_positive: bool, n_cases: int
) -> tuple[np.dtype[Any], State] | None:
    """Check all columns of a state on which a table relies; None where nothing was counted."""
    said = fields.get("dtype")
    if said is None:
        if arrays or n_cases:
            fields.refuse("there are cases, but no type of scores")
        return None
    fields.one_of("dtype", tuple(order + t for t in _TYPES for order in "<>|"))
    dtype = np.dtype(said).newbyteorder("=")
    weighted = "pos_w2" in arrays
    wanted = COLUMNS if weighted else COLUMNS[:4]
    if set(arrays) != set(wanted):
        fields.refuse(f"its columns are {', '.join(sorted(arrays)) or 'missing'}")
    amount = "f8" if weighted else "i8"
    for name in wanted:
        kind = {"key": "u8", "level": "u1"}.get(name, amount)
        array = arrays[name]
        if array.dtype != np.dtype(kind) or array.shape != (arrays["key"].size,) or not array.size:
            fields.refuse(f"column {name!r} has the type {array.dtype} and {array.size} rows")
    state = State(*(arrays.get(name) for name in COLUMNS))  # type: ignore[arg-type]
    _check_keys(fields, state, dtype, mirror=not higher_is_positive)
    (_check_weights if weighted else _check_counts)(fields, state, n_cases)
    return dtype, state


def _check_keys(fields: Fields, state: State, dtype: np.dtype[Any], *, mirror: bool) -> None:
    if (state.level > 64).any():
        fields.refuse("a bin spans more than all scores")
    first, last = spans(state)
    if (last[:-1] >= first[1:]).any():
        fields.refuse("its scores do not rise")
    with np.errstate(over="ignore", invalid="ignore"):
        score = scores_of(state.key, dtype)
        again = keys_of(mirrored(mirrored(score)) if mirror else score + dtype.type(0))
    # Neither NaN, nor negative zero, nor a number that the type does not have.
    if not np.array_equal(again, state.key) or (score != score).any():
        fields.refuse(f"it has scores that {dtype} does not have")


def _check_counts(fields: Fields, state: State, n_cases: int) -> None:
    if (state.pos < 0).any() or (state.neg < 0).any():
        fields.refuse("it has negative counts")
    if ((state.pos == 0) & (state.neg == 0)).any():
        fields.refuse("it has rows without cases")
    total = exact_sum(state.pos) + exact_sum(state.neg)
    if total != n_cases:
        fields.refuse(f"it counts {total} cases, where 'n_cases' is {n_cases}")


def _check_weights(fields: Fields, state: State, n_cases: int) -> None:
    for sums, squares in ((state.pos, state.pos_w2), (state.neg, state.neg_w2)):
        assert squares is not None
        with np.errstate(over="ignore", invalid="ignore"):
            sound = np.isfinite(sums) & (sums >= 0) & np.isfinite(squares) & (squares >= 0)
            sound &= squares <= sums * sums * (1 + 1e-9)  # no case weighs more than its row
            sound &= sums <= HEAVIEST * n_cases
        if not sound.all():
            fields.refuse("it has sums of weights that no weights add up to")
    if ((state.pos == 0) & (state.neg == 0)).any() or n_cases < len(state):
        fields.refuse("it has rows without cases")
