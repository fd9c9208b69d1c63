"""What a visitor chose, checked; and how it is spelled elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from rocspace._base.cases import MissingPolicy

NOT_OURS = "This request is not one that the page makes. Reload the page."
_LONGEST = 1000  # letters of a name of a column
_MOST = 200  # scores
Part = Literal["label", "positive", "weight", "cluster", "by"]


class RequestError(ValueError):
    """A request that the page itself does not make."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which columns to read, and how.

    Attributes
    ----------
    label, positive, weight, cluster, by : str or None
        Columns by name, `by` that of subgroups, and the positive value of the label.
    scores, lower : tuple of str
        The scores, and those whose lower values are more positive.
    order : tuple of str
        All labels where they have an order, the one with the smallest scores first; else none.
    missing : {"raise", "omit"}
        Whether rows with missing values are left out.
    level : float
        Level of the intervals.
    """

    label: str | None = None
    positive: str | None = None
    scores: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    weight: str | None = None
    cluster: str | None = None
    by: str | None = None
    missing: MissingPolicy = "raise"
    level: float = 0.95

    @property
    def columns(self) -> dict[str, Any]:
        """The arguments of the functions that read files."""
        return {
            "label": self.label,
            "score": list(self.scores),
            "pos_label": self.positive,
            "weight": self.weight,
            "missing": self.missing,
        }

    @property
    def higher(self) -> dict[str, bool]:
        """The direction of the scores whose smaller values are more positive: False for each."""
        return dict.fromkeys((name for name in self.scores if name in self.lower), False)


def choice_of(said: object) -> Choice:
    """Read a choice from JSON; what the page does not send is refused."""
    if not isinstance(said, Mapping) or not set(said) <= set(Choice.__dataclass_fields__):
        raise _unknown()
    texts = {name: _text(said.get(name)) for name in get_args(Part)}
    level = said.get("level", 0.95)
    if isinstance(level, bool) or not isinstance(level, int | float):
        msg = "The level of the intervals must be from 0.5 to below 1, such as 0.95."
        raise RequestError(msg)
    if not 0.5 <= level < 1:
        msg = (
            f"The level of the intervals is {level}. It must be from 0.5 to below 1, such as 0.95."
        )
        raise RequestError(msg)
    missing = said.get("missing", "raise")
    if missing not in get_args(MissingPolicy):
        raise _unknown()
    return Choice(
        **texts,
        scores=_texts(said.get("scores", [])),
        lower=_texts(said.get("lower", [])),
        order=_texts(said.get("order", [])),
        missing=cast(MissingPolicy, missing),
        level=float(level),
    )


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise _unknown()
    return value


def _texts(values: object) -> tuple[str, ...]:
    if not isinstance(values, list) or len(values) > _MOST:
        raise _unknown()
    texts = [_text(each) for each in values]
    return tuple(dict.fromkeys(each for each in texts if each is not None))


def json_of(body: bytes) -> dict[str, Any]:
    """Read the object that the page sends."""
    try:
        found = json.loads(body, parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode()  # halves of letters cannot be written
    except (ValueError, RecursionError):
        raise _unknown() from None
    if not isinstance(found, dict):
        raise _unknown()
    return found


def _no_number(word: str) -> None:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(word)


def _unknown() -> RequestError:
    return RequestError(NOT_OURS)
