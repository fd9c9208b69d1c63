"""Cases with a time, what ended it, and one score or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocspace._base import checks
from rocspace._base.arrays import Array, ArrayLike, Ints, Mask, Vector, as_vector
from rocspace._base.calls import explained
from rocspace._base.cases import (
    MissingPolicy,
    check_lengths,
    check_promotion,
    check_scores,
    check_weights,
    named_columns,
    numbered,
    without_missing,
)
from rocspace._base.errors import Argument, ArgumentError, InPython
from rocspace._base.frozen import Result, a_kind_of, own
from rocspace._base.labels import positive_by_word
from rocspace._base.words import counted, distinct_values, listed_values, shown

_MOST_CAUSES = 20  # with more kinds of status, the column probably holds something else


class SurvivalScores(Result):
    """Cases that were followed until an event or the end of observation, with their scores.

    Attributes
    ----------
    time : ndarray of float64, shape (n,)
        Time from the score to the event, or to the end of observation.
    status : ndarray of int64, shape (n,)
        What ended it: 0 for censored cases, else the number of the event.
    score : ndarray, shape (n, m)
        Column j holds the scores of ``names[j]``.
    names : tuple of str
        One name for each column.
    cause : int
        The event of interest; cases with other events have had a competing one.
    weight : ndarray of float64, shape (n,), or None
        Weights of the cases.
    stratum : ndarray of int64, shape (n,), or None
        Within the cases of one number, censoring does not depend on time or score.
    higher_is_positive : bool, or mapping of names to bool
        Whether larger scores mean an earlier event.

    See Also
    --------
    survival_scores

    Examples
    --------
    >>> from rocspace.designs import survival_scores
    >>> survival_scores([5, 8, 3], [1, 0, 1], {"marker": [2.1, 0.3, 1.7]})
    SurvivalScores(marker: 3 cases, 2 events, 1 censored)
    """

    time: Vector
    status: Ints
    score: Array
    names: tuple[str, ...]
    cause: int = 1
    weight: Vector | None = None
    stratum: Ints | None = None
    higher_is_positive: bool | Mapping[str, bool] = True

    def __len__(self) -> int:
        """Return the number of cases."""
        return int(self.time.size)

    def _about(self) -> str:
        events, censored = int(self.failed.sum()), int((self.status == 0).sum())
        others = len(self) - events - censored
        return (
            f"{', '.join(self.names)}: {counted(len(self), 'case')}, "
            f"{counted(events, 'event')}, "
            + (f"{counted(others, 'competing event')}, " if others else "")
            + f"{censored} censored"
        )

    def _columns(self) -> dict[str, Any]:
        """Return a column for the time, the status, each score, the weight and the stratum."""
        scores = {name: self.score[:, j] for j, name in enumerate(self.names)}
        extra = {"weight": self.weight, "stratum": self.stratum}
        cases = {"time": self.time, "status": self.status} | scores | extra
        return {name: column for name, column in cases.items() if column is not None}

    @property
    def failed(self) -> Mask:
        """Which cases had the event of interest, at any time."""
        return np.asarray(self.status == self.cause)

    @property
    def case_weight(self) -> Vector:
        """Weight of each case; 1 where there are none."""
        return np.ones(len(self)) if self.weight is None else self.weight

    def rises(self, name: str | None = None) -> bool:
        """Return whether larger values of a score mean an earlier event.

        Parameters
        ----------
        name : str, optional
            Its name; not needed where there is only one.

        Returns
        -------
        bool
            Its direction.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none is named.

        Examples
        --------
        >>> from rocspace.designs import survival_scores
        >>> survival_scores([5, 8, 3], [1, 0, 1], {"marker": [2.1, 0.3, 1.7]}).rises("marker")
        True
        """
        known, given = self.name_of(name), self.higher_is_positive
        return bool(given.get(known, True)) if isinstance(given, Mapping) else given

    def name_of(self, name: str | None = None) -> str:
        """Return the name of a score, which need not be given where there is only one.

        Parameters
        ----------
        name : str, optional
            Its name.

        Returns
        -------
        str
            The name.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none is named.

        Examples
        --------
        >>> from rocspace.designs import survival_scores
        >>> survival_scores([5, 8], [1, 0], {"marker": [2.1, 0.3]}).name_of()
        'marker'
        """
        return checks.name_or_only(name, self.names)

    def column(self, name: str | None = None) -> Array:
        """Return the values of a score.

        Parameters
        ----------
        name : str, optional
            Its name; not needed where there is only one.

        Returns
        -------
        ndarray, shape (n,)
            A value for each case.

        Raises
        ------
        ValueError
            If there is no such score, or there are several and none is named.

        Examples
        --------
        >>> from rocspace.designs import survival_scores
        >>> survival_scores([5, 8], [1, 0], {"marker": [2.1, 0.3]}).column()
        array([2.1, 0.3])
        """
        return np.ascontiguousarray(self.score[:, self.names.index(self.name_of(name))])


@explained
def survival_scores(
    time: ArrayLike,
    status: ArrayLike,
    y_scores: ArrayLike,
    *,
    cause: int | None = None,
    strata: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    higher_is_positive: bool | Mapping[str, bool] = True,
    missing: MissingPolicy = "raise",
) -> SurvivalScores:
    """Put times, what ended them, and scores of the same cases side by side.

    Parameters
    ----------
    time : array-like, shape (n,)
        Time from the score to the event or to the end of observation, zero or more.
    status : array-like of whole numbers or booleans, shape (n,)
        0 (False) if observation ended without an event (censored), 1 (True) for the event, 2 and
        more for other events that may come first (competing risks).
    y_scores : array-like of shape (n,) or (n, m), or mapping of names to array-likes
        The scores, known at time 0; larger ones mean an earlier event.
    cause : int, optional
        The status that is the event of interest; 1 by default. All other events compete with it.
    strata : array-like, shape (n,), optional
        Values that are equal for cases among which censoring has nothing to do with times and
        scores, such as centres or periods of entry.
    sample_weight : array-like, shape (n,), optional
        Weights of the cases, zero or more.
    higher_is_positive : bool, or mapping of names to bool, default True
        False for scores of which smaller values mean an earlier event.
    missing : {"raise", "omit"}, default "raise"
        What to do with cases that lack a value: refuse them, or leave them out with a warning.

    Returns
    -------
    SurvivalScores
        The checked, read-only data.

    Raises
    ------
    ValueError, TypeError
        If a time is negative or infinite, a status is not a whole number of zero or more, nobody
        has the event, the status looks like 1 for censored and 2 for the event, or as
        `rocspace.pair_scores`.

    Notes
    -----
    Cases must have been observed from time 0 on: entry at a later time (left truncation) is not
    provided for.

    References
    ----------
    No source: a plain definition.

    Examples
    --------
    >>> survival_scores([5, 8, 3], [True, False, True], [2.1, 0.3, 1.7])
    SurvivalScores(score: 3 cases, 2 events, 1 censored)
    """
    checks.check_choice("missing", missing, MissingPolicy)
    named = _named(y_scores)
    directions = checks.check_directions(higher_is_positive, list(named))
    columns = {f"y_scores[{name!r}]": values for name, values in named.items()}
    given = {"sample_weight": sample_weight, "strata": strata}
    given = {name: values for name, values in given.items() if values is not None}
    inputs: dict[str, Any] = {"time": time, "status": status} | columns | given
    vectors = {name: as_vector(values, name) for name, values in inputs.items()}
    check_lengths({name: array.size for name, (array, _) in vectors.items()})
    arrays, rows = without_missing(vectors, missing)
    if arrays["time"].size == 0:
        raise ArgumentError(Argument("time"), " has no cases. Pass at least one complete case.")
    times, event = _times(arrays["time"]), _status(arrays["status"], cause)
    scores = [check_scores(arrays[name], name, rows) for name in columns]
    check_promotion(*scores)
    found: dict[str, Any] = {"time": times, "status": event, "score": np.column_stack(scores)}
    if "strata" in arrays:
        found["stratum"] = numbered(arrays["strata"])
    if "sample_weight" in arrays:
        weight = check_weights(arrays["sample_weight"], rows)
        kept = weight > 0
        if not kept.any():
            raise ArgumentError(Argument("sample_weight"), " is zero for every case.")
        found = {name: column[kept] for name, column in (found | {"weight": weight}).items()}
    data = SurvivalScores(
        **{name: own(column) for name, column in found.items()},
        names=tuple(named),
        cause=1 if cause is None else int(cause),
        higher_is_positive=_one_or_all(directions),
    )
    _need_events(data)
    return data


def _named(scores: Any) -> dict[str, Any]:
    """Give each column its name; a single vector is "score"."""
    named = isinstance(scores, Mapping) or hasattr(scores, "columns")
    if not named and not hasattr(scores, "column_names") and np.ndim(scores) == 1:
        return {str(getattr(scores, "name", None) or "score"): scores}
    return named_columns(scores, None)


def _one_or_all(directions: Mapping[str, bool]) -> bool | dict[str, bool]:
    same = set(directions.values())
    return same.pop() if len(same) == 1 else dict(directions)


def _times(array: Array) -> Vector:
    if array.dtype.kind not in "biuf":
        raise ArgumentError(
            Argument("time"),
            f" has the type {array.dtype}. Times are numbers, such as days since the score: "
            "(last_seen - start) / np.timedelta64(1, 'D').",
        )
    times = np.ascontiguousarray(array, dtype=np.float64)
    bad = np.flatnonzero(~((times >= 0) & (times < np.inf)))
    if bad.size:
        raise ArgumentError(
            Argument("time"),
            f" is {times[bad[0]]:g} at index {bad[0]}, but times are zero or more, and finite. "
            "They run from the score to the event, or to the end of observation.",
        )
    return times


_CODES = "0 is censored, 1 the event, 2 and more are other events."


def _status(array: Array, cause: int | None) -> Ints:
    """Return the status as whole numbers."""
    if array.dtype.kind not in "biuf":
        values = distinct_values(array)
        why = f" holds {listed_values(values)}, but must be whole numbers: {_CODES}"
        raise ArgumentError(Argument("status"), why, InPython(_coded(values)))
    bad = np.flatnonzero(~((array >= 0) & (array == np.floor(array)) & (array < 2**31)))
    if bad.size:
        why = f" is {array[bad[0]]} at index {bad[0]}, but must be a whole number: {_CODES}"
        why += " Is it a time?" if (array >= 0).all() else ""
        raise ArgumentError(Argument("status"), why)
    status = array.astype(np.int64)
    kinds = np.unique(status).tolist()
    if len(kinds) > _MOST_CAUSES:
        why = f" has {len(kinds)} different values. {_CODES} Is it a time?"
        raise ArgumentError(Argument("status"), why)
    if cause is None and kinds == [1, 2]:
        raise ArgumentError(
            Argument("status"),
            " has the values 1 and 2. If 1 means censored and 2 the event, pass ",
            Argument("status", text="status - 1"),
            "; if nobody is censored and 2 is another event, name the event of interest: ",
            Argument("cause", 1),
            ".",
        )
    if cause is not None and (isinstance(cause, bool) or cause != int(cause) or cause < 1):
        why = f" is {cause!r}, but must be the status of an event: a whole number, 1 or more."
        raise ArgumentError(Argument("cause"), why)
    return status


def _coded(values: list[Any]) -> str:
    """Return the line that makes whole numbers of other values; which is the event is a guess."""
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values) and all(text.strip().isdecimal() for text in texts):
        return " These are texts: pass numpy.asarray(status).astype(int)."
    if len(values) != 2:
        return " Say which is which, as in [{'alive': 0, 'dead': 1}[x] for x in status]."
    meant = positive_by_word(values)
    event = values[-1] if meant is None else meant
    rest = values[0] if event is values[-1] else values[-1]
    return f" Which is the event? Say so, as in [{{{rest!r}: 0, {event!r}: 1}}[x] for x in status]."


def _need_events(data: SurvivalScores) -> None:
    if not data.failed.any():
        kinds = listed_values(np.unique(data.status).tolist())
        nobody = "Nobody has the event of interest: "
        raise ArgumentError(
            nobody,
            Argument("status"),
            f" is never {data.cause}, only {kinds}. Name another with ",
            Argument("cause"),
            f". {_CODES}",
        )


def check_survival(name: str, data: object) -> None:
    """Refuse anything but data of `survival_scores`."""
    if not isinstance(data, SurvivalScores):
        msg = (
            f"{name} takes the data of survival_scores, not {a_kind_of(data)}. "
            f"Say {name}(survival_scores(time, status, scores), ...)."
        )
        raise TypeError(msg)


def check_horizons(at: float | Sequence[float] | ArrayLike) -> Vector:
    """Check times at which something is asked for: one or more, rising."""
    try:
        times = np.atleast_1d(checks.as_numbers("at", at))
    except ArgumentError:
        why = f" is {shown(at)}, but must be a time, or several."
        raise ArgumentError(Argument("at"), why) from None
    if times.ndim != 1 or times.size == 0:
        why = f" is {shown(at)}, but must be a time, or several."
        raise ArgumentError(Argument("at"), why)
    bad = ~((times >= 0) & (times < np.inf))
    if bad.any():
        why = f" is {times[bad][0]:g}, but a time is zero or more, and finite."
        raise ArgumentError(Argument("at"), why)
    if (np.diff(times) <= 0).any():
        why = f" is {times.tolist()}, but times are given once each, the earliest first."
        raise ArgumentError(Argument("at"), why)
    return times
