"""The base of all results: immutable, picklable, with a one-line repr and a readable print.

A result is a class that derives from `Result`; its annotations are its fields, as in a dataclass:

    class Interval(Result):
        low: float
        high: float

Everything else (`dataclass`, freezing, pickling, equality, ``repr``, ``print``, the notebook card
and ``to_frame``) is written here, once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, fields
from functools import partial, wraps
from importlib.util import find_spec
from pathlib import PurePath
from textwrap import wrap
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NoReturn,
    Self,
    TypeAlias,
    dataclass_transform,
)

import numpy as np

from rocspace._base.arrays import Array
from rocspace._base.calls import explained_methods
from rocspace._base.cards import Card, card
from rocspace._base.checks import check_choice
from rocspace._base.errors import unknown_attribute
from rocspace._base.iterated import is_unpacking, rows_of
from rocspace._base.optional import require
from rocspace._base.text import brief, level_text, pvalue
from rocspace._base.words import nearest

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]

_BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")
_LINE = 119  # characters that a repr may have
WIDTH = 80  # of what is printed
_ROWS, _SPREAD = 12, 8  # rows of a table that is shown as it is, and of a longer one
_CELL = 30  # characters of a cell
_PLAIN = {float, int, str, bool, type(None)}  # immutable already: nothing to lock


# --- arrays that stay as they are -------------------------------------------------------------


def read_only(array: Array) -> Array:
    """Return a read-only array: the array itself if it is locked already, else a copy."""
    array = np.asarray(array)
    if not array.flags.writeable:
        base = array.base
        if type(base) is np.ndarray and base.base is None and not base.flags.writeable:
            return array  # as `own` leaves it
        view = array.view()
        try:
            view.flags.writeable = True  # NumPy allows it if any array below can be written to
        except ValueError:
            return view
    return own(array.copy(order="K"))


def own(array: Array) -> Array:
    """Lock a new array and its base without a copy; only for the code that made it.

    The view that is returned cannot be made writeable again, because its base is read-only.
    """
    if not array.flags.writeable:
        return read_only(array)
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    base.setflags(write=False)
    if array is not base:
        array.setflags(write=False)
    return array.view()


class FrozenDict(dict[Any, Any]):
    """A dict that cannot be changed; it pickles, which a mapping proxy does not."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        msg = "This mapping belongs to a result and cannot be changed. Copy it with dict(...)."
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def _locked(value: Any) -> Any:
    """Return a value whose arrays, also those in tuples and mappings, are read-only."""
    if isinstance(value, np.ndarray):
        return read_only(value) if value.ndim else value[()]
    if type(value) is tuple and value and isinstance(value[0], np.ndarray):
        return tuple(map(_locked, value))
    if type(value) in (dict, FrozenDict):
        return FrozenDict({key: _locked(part) for key, part in value.items()})
    return value


# --- results ----------------------------------------------------------------------------------


class _ResultClass(type):
    """The class of result classes: a constructor that is not there is answered."""

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any:
            msg = f"{cls.__name__} has no attribute {name!r}"
            if name[:1] != "_":
                made = cls._meant.get(name) or (cls._made if name.startswith("from_") else "")
                known = [each for each in dir(cls) if each[0] != "_"]
                msg += f". Say {made}." if made else "." + nearest(name, known)
            raise unknown_attribute(msg, name, cls)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
class Result(metaclass=_ResultClass):
    """Base of all results: its subclasses become frozen dataclasses when they are defined.

    A subclass may also define:

    * ``_about()``, the text between the parentheses of its repr;
    * ``_card()``, what ``print`` and notebooks show: by default its fields by name, and of a result
      with rows the first columns of ``to_frame()``;
    * ``_frame``, the names of the attributes that are the columns of ``to_frame()``, or
      ``_columns()`` where that is not enough;
    * ``_several``, true where the rows are entries of the result even if there is only one;
    * ``_meant``, names that users of other programs try, and what to write instead;
    * ``_made``, the line that makes one, for those who call the class with other arguments.
    """

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    _kind: ClassVar[str] = ""
    _frame: ClassVar[tuple[str, ...]] = ()
    _several: ClassVar[bool] = False
    _meant: ClassVar[Mapping[str, str]] = {}
    _made: ClassVar[str] = ""

    def __init_subclass__(cls, *, kw_only: bool = True) -> None:
        super().__init_subclass__()
        cls._kind = cls.__dict__.get("_kind", cls.__name__)
        dataclass(frozen=True, eq=False, repr=False, kw_only=kw_only)(cls)
        explained_methods(cls)
        if "_made" in cls.__dict__:
            _explain_init(cls)

    def __post_init__(self) -> None:
        """Lock the arrays; a subclass that has checks of its own calls this first."""
        mine = self.__dict__
        for name, value in mine.items():
            if type(value) not in _PLAIN:
                mine[name] = _locked(value)

    @classmethod
    def _assembled(cls, **columns: Any) -> Self:
        """Make a result of all its fields, which are checked, and whose arrays are locked."""
        made = object.__new__(cls)
        made.__dict__.update(columns)
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields by name; what was computed from them is computed again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Take fields as they are, and lock their arrays."""
        self.__dict__.update(state)
        Result.__post_init__(self)

    def __eq__(self, other: object) -> bool:
        """Tell whether both are of one class with equal fields; arrays value by value."""
        if type(other) is not type(self):
            return NotImplemented
        return all(map(_same, self.__getstate__().values(), other.__getstate__().values()))

    def __hash__(self) -> int:
        return hash((type(self), *map(_key, self.__getstate__().values())))

    def __repr__(self) -> str:
        return f"{self._kind}({shortened(self._about(), self._kind)})"

    def __str__(self) -> str:
        """Return what a notebook shows, as lines of text."""
        shown = self._card()
        return "\n".join([self._kind, *_aligned(shown.rows), *_aligned_table(shown)])

    def _repr_html_(self) -> str:
        return card(self._kind, self._card())

    def _about(self) -> str:
        shown = (f"{f.name}={_brief(getattr(self, f.name))}" for f in fields(self) if f.repr)
        return ", ".join(shown)

    def _card(self) -> Card:
        names = [f.name for f in fields(self) if f.repr and f.name[0] != "_"]
        values = {name: getattr(self, name) for name in names}
        columns = self._columns()
        if columns and self._is_rows(columns):
            header, table, left = _table_of(columns)
            values = {k: v for k, v in values.items() if not _is_among(k, v, columns)}
        else:
            header, table, left = [], [], []
        shown = {
            _title(name): _WORDED.get(name, _readable)(v)
            for name, v in values.items()
            if v is not None and not _is_code(v)
        }
        if len(table) == _SPREAD < (n := len(next(iter(columns.values())))):
            shown["Rows"] = f"{n:,}, of which {_SPREAD} are shown"
        if left:
            shown["More columns"] = ", ".join(left)
        return Card(rows=shown, header=header, table=table)

    def _columns(self) -> dict[str, Any]:
        """Return the columns of `to_frame` by name."""
        if self._frame:
            values = {name: getattr(self, name) for name in self._frame}
            return {name: v if np.ndim(v) else [v] for name, v in values.items()}
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name[0] != "_"}
        arrays = {k: v for k, v in values.items() if isinstance(v, np.ndarray) and v.ndim == 1}
        if arrays:
            size = Counter(v.size for v in arrays.values()).most_common(1)[0][0]
            return {name: v for name, v in arrays.items() if v.size == size}
        return dict(_single_row(values))

    def _is_rows(self, columns: Mapping[str, Any]) -> bool:
        """Tell whether the rows are entries of the result, and not the result itself."""
        sized = self._several or hasattr(type(self), "__len__")
        return sized or any(len(each) != 1 for each in columns.values())

    def _meant_by(self, name: str, known: Iterable[str]) -> str:
        """Return what to write for an attribute that is not there, or nothing."""
        return self._meant.get(name) or _meant_anywhere(name, known)

    def to_frame(self, *, backend: Backend | None = None) -> Any:
        """Return the result as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Which kind of frame; by default the first of them that is installed.

        Returns
        -------
        data frame
            A column for each array, a row for each of its entries; of a result without arrays
            one row, a column for each number or text.

        Raises
        ------
        TypeError
            If the result contains nothing that fits a column.
        """
        columns = self._columns()
        if not columns:
            msg = f"A {self._kind} has no columns. Pass a table or a curve."
            raise TypeError(msg)
        return frame_of(columns, backend)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the columns of `to_frame` to programs that read Arrow, such as polars."""
        return self.to_frame(backend="pyarrow").__arrow_c_stream__(requested_schema)

    if not TYPE_CHECKING:

        def __iter__(self) -> Iterator[Any]:
            """Yield the rows of `to_frame`, which pandas reads; refuse ``a, b = self``."""
            named = [f.name for f in fields(self) if f.repr and f.name[0] != "_"]
            parts = [f".{name}" for name in (self._frame or named)[:3]]
            listed = " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
            msg = (
                f"{_one(self._kind)} is one object, not a sequence. Read its {listed}, or "
                "say .to_frame() of it for a data frame."
            )
            if is_unpacking(2) or not self._is_rows(columns := self._columns()):
                raise TypeError(msg)
            return rows_of(columns, msg)

        def __contains__(self, value: object) -> NoReturn:
            """Refuse ``value in self``, which would look for a whole row."""
            msg = (
                f"{_one(self._kind)} is not a collection of values. Look for a value in "
                "one of its columns, or in .to_frame() of it."
            )
            raise TypeError(msg)

        def __getitem__(self, key: object) -> NoReturn:
            """Refuse to be read by key, and say what to write."""
            known = [n for n in (*dir(type(self)), *self.__dict__) if n[0] != "_"]
            meant = ""
            if isinstance(key, str):
                meant = key if key in known else self._meant_by(key, known)
            line = f".{meant}" if meant.isidentifier() else meant
            msg = (
                f"{_one(self._kind)} is not read by key. "
                f"Say {line + ', or ' if line else ''}.to_frame() of it for a data frame."
            )
            raise TypeError(msg)

        def __getattr__(self, name: str) -> Any:
            msg = f"{self._kind!r} object has no attribute {name!r}"
            if name[:1] != "_":
                known = [n for n in (*dir(type(self)), *self.__dict__) if n[0] != "_"]
                meant = self._meant_by(name, known)
                msg += f". Use {meant}." if meant else "." + nearest(name, known)
            raise unknown_attribute(msg, name, self)


def kind_of(value: object) -> str:
    """Return what a value is called in messages: of a result the name that its repr begins with."""
    return str(getattr(type(value), "_kind", "") or type(value).__name__)


def a_kind_of(value: object) -> str:
    """Return what a value is called in messages, with its article: "an int", "a list"."""
    return _with_article(kind_of(value))


def _explain_init(cls: type[Result]) -> None:
    """Let a class that is called with other arguments say the line that makes one."""
    init: Any = cls.__init__

    @wraps(init)
    def explained(self: Result, *args: Any, **kwargs: Any) -> None:
        try:
            init(self, *args, **kwargs)
        except TypeError as error:
            if "__init__()" not in str(error):
                raise
            msg = f"{cls.__name__} has no such arguments. Say {cls._made}."
        else:
            return
        raise TypeError(msg)

    cls.__init__ = explained  # type: ignore[method-assign, assignment]


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'AEIOaeio' or noun == 'ndarray' else 'a'} {noun}"


def _one(noun: str) -> str:
    """Return a noun with its article, to begin a sentence."""
    return _with_article(noun).replace("a", "A", 1)


# What users of other programs try of any result, and what to write.
_ANYWHERE = {
    "lower": "low",
    "upper": "high",
    "plot": "a function of rs.plot",
    "to_csv": "to_frame().to_csv(path)",
    "to_dataframe": "to_frame()",
    "to_dict": "to_frame().to_dict()",
    "to_json": "to_frame().to_json()",
    "to_pandas": 'to_frame(backend="pandas")',
    "to_polars": 'to_frame(backend="polars")',
    "params": "parameters",
    "summary": "print of it, or to_frame()",
    "to_arrow": 'to_frame(backend="pyarrow")',
}


def _meant_anywhere(name: str, known: Iterable[str]) -> str:
    """Return what to write for another program's or another field's name of an attribute."""
    from rocspace._base.synonyms import TABLE, understood

    if {"tp", "fp", "fn", "tn"} <= set(known):
        measures = [ours[9:] for ours in TABLE if ours.startswith("measures.")]
        measure = understood(name, [one for one in measures if one not in known])
        if measure:
            return f"rs.measures.{measure}(...) of it"
    found = _ANYWHERE.get(name, "")
    if found.isidentifier() and found not in known:
        found = ""
    return found or understood(name, known) or ""


def frame_of(columns: Mapping[str, Any], backend: Backend | None = None) -> Any:
    """Return columns as a data frame; by default of the first package that is installed."""
    import narwhals as nw

    if backend is None:
        installed = [name for name in _BACKENDS if find_spec(name) is not None]
        backend = (installed or _BACKENDS)[0]
    check_choice("backend", backend, _BACKENDS)
    require(backend, extra="engines")
    return nw.from_dict(dict(columns), backend=backend).to_native()


def _single_row(values: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the numbers and texts of a result, the ends of its intervals among them."""
    for name, value in values.items():
        if isinstance(value, bool | int | float | str | np.generic):
            yield name, [value]
        elif isinstance(getattr(value, "low", None), float):
            yield f"{name}_low", [value.low]
            yield f"{name}_high", [value.high]


# --- equality ---------------------------------------------------------------------------------


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        floats = a.dtype.kind in "fc" and b.dtype.kind in "fc"
        return np.array_equal(a, b, equal_nan=floats)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return False
    if isinstance(a, partial) and isinstance(b, partial):
        return a.func == b.func and _same(a.args, b.args) and a.keywords == b.keywords
    return a is b or bool(a == b) or bool(a != a and b != b)


def _key(value: Any) -> Any:
    """Return a hashable key that equal values share."""
    if isinstance(value, np.ndarray):
        return value.shape
    if isinstance(value, tuple):
        return tuple(map(_key, value))
    if isinstance(value, Mapping):
        return len(value)
    if isinstance(value, partial):
        return value.func
    if isinstance(value, float | np.floating) and value != value:
        return None
    return value


# --- as text ----------------------------------------------------------------------------------


def shortened(text: str, name: str = "") -> str:
    """Cut a text at a comma, or else anywhere, so that ``name(text)`` fits a line."""
    room = _LINE - len(name) - 2
    text = " ".join(text.split())
    if len(text) <= room:
        return text
    cut = text[: room - 4]
    return cut[: cut.rfind(", ") if cut.rfind(", ") > room // 2 else None] + " ..."


def _brief(value: Any) -> str:
    """Return a value in a few characters."""
    if isinstance(value, np.ndarray):
        return f"<{' x '.join(f'{n:,}' for n in value.shape) or 1} values>"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple | list) and len(value) > 4:
        return f"<{len(value):,} entries>"
    if isinstance(value, tuple) and any(isinstance(part, np.ndarray | tuple) for part in value):
        return f"({', '.join(map(_brief, value))})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(str, value))}}}"
    return repr(value)


def _readable(value: Any) -> str:
    """Return a value as readable text: few digits, no quotes, results in one line."""
    if isinstance(value, float | np.floating):
        return brief(value)
    if isinstance(value, tuple) and 0 < len(value) <= 4:
        return ", ".join(map(_readable, value))
    text = str(value) if isinstance(value, str | Result | PurePath) else "\n"
    return _brief(value) if "\n" in text else text


_WORDED: Mapping[str, Callable[[Any], str]] = {"level": level_text, "pvalue": pvalue}
_TITLES = {
    "auc": "AUC",
    "df": "Degrees of freedom",
    "fn": "False negatives",
    "fp": "False positives",
    "fpr": "False positive rate",
    "n_failed": "Failed",
    "n_neg": "Negatives",
    "n_pos": "Positives",
    "pvalue": "p",
    "se": "Standard error",
    "tn": "True negatives",
    "tp": "True positives",
    "tpr": "True positive rate",
}


def _title(name: str) -> str:
    if name in _TITLES:
        return _TITLES[name]
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _aligned(rows: Mapping[str, str]) -> list[str]:
    width = max((len(str(name)) for name in rows), default=0) + 1
    ahead = " " * (width + 3)
    return [
        line
        for name, text in rows.items()
        for line in wrap(
            shortened(text),
            WIDTH,
            initial_indent=f"  {f'{name}:':<{width}} ",
            subsequent_indent=ahead,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or [f"  {name}:"]
    ]


def _table_of(columns: Mapping[str, Any]) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the header and rows of columns, as many as fit, and the names of the others."""
    n = len(next(iter(columns.values())))
    rows = np.arange(n) if n <= _ROWS else np.linspace(0, n - 1, _SPREAD).round().astype(np.int64)
    header, cells, room = list[str](), list[list[str]](), WIDTH
    for name, values in columns.items():
        column = [_cell(values[i]) for i in rows]
        room -= 2 + max(map(len, [str(name), *column]))
        if header and room < 0:
            break
        header.append(str(name))
        cells.append(column)
    left = [str(name) for name in list(columns)[len(header) :]]
    return header, [list(row) for row in zip(*cells, strict=True)], left


def _cell(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    text = _readable(value)
    return text if len(text) <= _CELL else text[: _CELL - 4] + " ..."


def _is_code(value: Any) -> bool:
    return callable(value) or (isinstance(value, tuple) and any(map(callable, value)))


def _is_among(name: str, value: Any, columns: Mapping[str, Any]) -> bool:
    """Tell whether a field is shown by the columns: as one of them, or as their entries."""
    if name in columns or (isinstance(value, Mapping) and value.keys() <= columns.keys()):
        return True
    n = len(next(iter(columns.values())))
    return n > 1 and (
        np.shape(value)[:1] == (n,)
        if isinstance(value, np.ndarray)
        else isinstance(value, tuple) and len(value) == n
    )


def _aligned_table(shown: Card) -> list[str]:
    if not shown.header:
        return []
    lines = [shown.header, *shown.table]
    widths = [max(len(line[i]) for line in lines) for i in range(len(shown.header))]
    return ["  " + "  ".join(map(str.rjust, line, widths)).rstrip() for line in lines]
