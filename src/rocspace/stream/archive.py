"""The states of several scores in one file, with what was read, and their merger."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from rocspace._base.calls import explained
from rocspace._base.frozen import Result
from rocspace._base.whole import write_whole
from rocspace._base.words import shown
from rocspace.stream.saved import Fields
from rocspace.stream.tabulator import Tabulator

_VERSION = 1
_ABOUT = "about.json"
_WHAT = "a file of saved states", "Save them again."


class SavedStates(Result):
    """Tabulators of several scores by name, and what was read.

    Attributes
    ----------
    states : dict of str to Tabulator
        One for each score.
    source : dict
        What was read, in plain JSON types, as that of `rocspace.io.FileTables`; may be empty.

    See Also
    --------
    save_states, load_states, merge_states
    """

    states: dict[str, Tabulator]
    source: dict[str, Any]

    _several = True

    def __eq__(self, other: object) -> bool:
        """Whether the names, what was read and all counts are the same."""
        if not isinstance(other, SavedStates):
            return NotImplemented
        if self.source != other.source or self.states.keys() != other.states.keys():
            return False
        return all(each.to_bytes() == other.states[n].to_bytes() for n, each in self.states.items())

    __hash__ = None  # type: ignore[assignment]

    def _columns(self) -> dict[str, Any]:
        states = self.states.values()
        return {
            "score": [*self.states],
            "n_cases": [each.n_cases for each in states],
            "n_omitted": [each.n_omitted for each in states],
            "exact": [each.is_exact for each in states],
        }


@explained
def save_states(
    path: str | Path, states: Mapping[str, Tabulator], *, source: Mapping[str, Any] | None = None
) -> None:
    """Write the states of several scores to one file, as ``rocspace auc --save-state`` does.

    Parameters
    ----------
    path : str or Path
        Where to; an existing file is replaced, all or nothing.
    states : mapping of str to Tabulator
        By the name of the score.
    source : mapping, optional
        What was read, in plain JSON types.

    Raises
    ------
    ValueError
        If there is no state.
    OSError
        If the file cannot be written.

    References
    ----------
    No source: a file format.

    Examples
    --------
    >>> import tempfile
    >>> from rocspace.stream import Tabulator, load_states, save_states
    >>> counter = Tabulator()
    >>> counter.update([0, 1], [0.2, 0.9])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_states(f"{folder}/day1.state", {"risk": counter})
    ...     load_states(f"{folder}/day1.state").states["risk"].n_cases
    2
    """
    if not states:
        msg = "There is no state to save. Give at least one Tabulator by its name."
        raise ValueError(msg)
    about = {
        "rocspace": "states",
        "version": _VERSION,
        "scores": list(states),
        "source": dict(source or {}),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(_ABOUT, json.dumps(about, ensure_ascii=False))
        for i, state in enumerate(states.values()):
            archive.writestr(f"{i}.npz", state.to_bytes())
    write_whole(Path(path), [made.getvalue()])


@explained
def load_states(path: str | Path) -> SavedStates:
    """Read what `save_states` or ``Tabulator.save`` wrote.

    Parameters
    ----------
    path : str or Path
        The file. The state of a single `Tabulator` is that of "score".

    Returns
    -------
    SavedStates
        The states by name, and what was read.

    Raises
    ------
    ValueError
        If the file is something else, is damaged in any way, or from a later version.
    OSError
        If the file cannot be read.

    References
    ----------
    No source: a file format.

    Examples
    --------
    >>> import tempfile
    >>> from rocspace.stream import Tabulator, load_states
    >>> counter = Tabulator()
    >>> counter.update([0, 1], [0.2, 0.9])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     counter.save(f"{folder}/one.state")
    ...     load_states(f"{folder}/one.state").states["score"].n_cases
    2
    """
    data = Path(path).read_bytes()
    what, cure = f"{_WHAT[0]}, {str(path)!r}", _WHAT[1]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in set(archive.namelist())}
    except Exception as error:  # zipfile raises many kinds of errors for a damaged archive
        msg = f"This is not {what}: the archive cannot be read. {cure}"
        raise ValueError(msg) from error
    if _ABOUT not in members:
        if data[30:].startswith(_ABOUT.encode()):  # cut off after a state, an archive itself
            msg = f"This is not {what}: the archive cannot be read. {cure}"
            raise ValueError(msg)
        return SavedStates(states={"score": Tabulator.from_bytes(data)}, source={})
    fields = Fields(members[_ABOUT].decode("utf-8", "replace"), what, cure)
    fields.one_of("rocspace", ("states",))
    fields.version(_VERSION)
    names, source = fields.get("scores"), fields.get("source")
    if not isinstance(source, dict):
        fields.refuse(f"'source' is {shown(source)}, but must be an object")
    if not (isinstance(names, list) and names and all(isinstance(name, str) for name in names)):
        fields.refuse(f"'scores' is {shown(names)}, but must be a list of names")
    wanted = [f"{i}.npz" for i in range(len(names))]
    if set(members) != {_ABOUT, *wanted} or len(set(names)) < len(names):
        fields.refuse(f"its members are {', '.join(sorted(members))}")
    states = [Tabulator.from_bytes(members[each]) for each in wanted]
    return SavedStates(states=dict(zip(names, states, strict=True)), source=source)


@explained
def merge_states(saved: Sequence[SavedStates]) -> SavedStates:
    """Return the states of all cases together, score by score.

    Parameters
    ----------
    saved : sequence of SavedStates
        One or more, with the same scores, and the same positive label where they name it.

    Returns
    -------
    SavedStates
        New states; those given are left as they are. Rows, labels and omitted rows are added up.

    Raises
    ------
    ValueError
        If there is none, scores or labels differ, or `Tabulator.merge` refuses.

    Notes
    -----
    While all are exact, the tables are those of all cases, in whatever order; else they are as fine
    as the coarsest of them.

    References
    ----------
    Fawcett (2006), section 8, on merging test sets; counts suffice for it.

    Examples
    --------
    >>> from rocspace.stream import SavedStates, Tabulator, merge_states
    >>> days = []
    >>> for label, score in (([0, 1], [0.2, 0.9]), ([0, 1], [0.2, 0.4])):
    ...     counter = Tabulator()
    ...     counter.update(label, score)
    ...     days.append(SavedStates(states={"risk": counter}, source={}))
    >>> merge_states(days).states["risk"].table()
    ScoreTable(3 distinct scores, 2 positives, 2 negatives)
    """
    if len(saved) == 0:
        msg = "merge_states needs the states of at least one file."
        raise ValueError(msg)
    first, *others = saved
    names = [*first.states]
    states = {name: _copy(state) for name, state in first.states.items()}
    for other in others:
        if set(other.states) != set(names):
            msg = (
                f"One has scores {', '.join(names)}, another {', '.join(other.states)}. Save the "
                "same scores everywhere."
            )
            raise ValueError(msg)
        for name in names:
            states[name].merge(other.states[name])
    return SavedStates(states=states, source=_merged([each.source for each in saved]))


def _copy(state: Tabulator) -> Tabulator:
    return Tabulator.from_bytes(state.to_bytes())


def _merged(sources: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Add up what was read, if all say what it was."""
    if not all(sources):
        return {}
    found = dict(sources[0])
    for other in sources[1:]:
        for key in ("label", "positive"):
            if found.get(key) != other.get(key):
                msg = (
                    f"{key} is {found.get(key)!r} in one and {other.get(key)!r} in another. Save "
                    "states of the same label and the same positive value."
                )
                raise ValueError(msg)
        found["rows"] = cast(int, found.get("rows", 0)) + other.get("rows", 0)
        for key in ("labels", "dropped"):
            found[key] = _summed(found.get(key, {}), other.get(key, {}))
    return found


def _summed(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {**one, **other}}
