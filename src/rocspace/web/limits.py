"""How much of the computer a visitor of the page may use."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, fields

from rocspace._base.text import brief, count

_WHOLE = ("size", "values", "files", "sessions", "workers", "memory")


def _workers() -> int:
    return max(2, min(8, os.cpu_count() or 2))


def _memory() -> int:
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        there = 8 << 30
    return min(max(there // 2, 2 << 30), 8 << 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of the computer a visitor of the page may use.

    Attributes
    ----------
    size : int, default 200_000_000
        Bytes of one file.
    values : int, default 10_000_000
        Rows times scores of one report.
    seconds : float, default 300
        Time of one computation; then it is ended.
    minutes : float, default 60
        Time without a request after which a visitor's files are deleted.
    files : int, default 6
        Files that a visitor may have at once.
    sessions : int, default 40
        Visitors at once.
    workers : int
        Computations at once; by default one for each core, 2 to 8. Others wait.
    memory : int
        Bytes of memory of one computation, where the system can hold it to that; by default half of
        what there is, 2 to 8 GB.

    Raises
    ------
    ValueError
        If a limit is not positive and finite.

    See Also
    --------
    serve

    References
    ----------
    No source: settings.

    Examples
    --------
    >>> Limits(size=10**6).described()["size"]
    '1 MB'
    """

    size: int = 200_000_000
    values: int = 10_000_000
    seconds: float = 300.0
    minutes: float = 60.0
    files: int = 6
    sessions: int = 40
    workers: int = field(default_factory=_workers)
    memory: int = field(default_factory=_memory)

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not (0 < value < math.inf) or (each.name in _WHOLE and value != int(value)):
                kind = "whole number" if each.name in _WHOLE else "finite number"
                msg = f"{each.name} is {value}. It must be a {kind} above 0."
                raise ValueError(msg)

    def described(self) -> dict[str, str]:
        """Return the limits as people read them.

        Returns
        -------
        dict of str to str
            Words for the size of a file, the values of a report, the time of a computation and the
            time without use.

        References
        ----------
        No source: words.
        """
        return {
            "size": megabytes(self.size),
            "values": count(self.values),
            "seconds": duration(self.seconds),
            "minutes": duration(60 * self.minutes),
        }


def megabytes(size: float) -> str:
    """Return a size in megabytes, or in kilobytes where it is small."""
    return f"{brief(size / 1e6)} MB" if size >= 1e6 else f"{brief(size / 1e3)} kB"


def duration(seconds: float) -> str:
    """Return a time in minutes, or in seconds where it is short."""
    number, unit = (seconds / 60, "minute") if seconds >= 60 else (seconds, "second")
    return f"{brief(number)} {unit}{'' if number == 1 else 's'}"
