"""Counts that may leave a site: rows of at least k cases, pooled with certain bounds.

Each site rounds its own counts with `coarsen`, looks at them, and sends them as JSON. `pool`
adds up what came from all sites. The rounding changes the pooled `auc`; `rocspace.auc_bounds`
gives the bounds that contain the exact area for certain. Where small counts may be shared, send the
`rocspace.Tabulator` itself (`save`, `load`, `merge`): nothing is lost then.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocspace._base.arrays import Array, Ints
from rocspace._base.calls import explained
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.frozen import Result
from rocspace._base.words import counted, shown
from rocspace.counts.rows import Rows
from rocspace.counts.table import ScoreTable, table_of
from rocspace.stream.saved import MOST, Fields
from rocspace.stream.states import keys_of, scores_of
from rocspace.stream.tabulator import Tabulator

_VERSION = 1
_MAX = float(np.finfo(np.float64).max)


class SiteCounts(Result, kw_only=False):
    """Positives and negatives of one site in ranges of scores, each with many cases.

    Attributes
    ----------
    first, last : ndarray of float64, int64 or uint64, shape (k,)
        Ends of each range, rising; all cases of row i score from ``first[i]`` to
        ``last[i]``, and the ranges do not meet. The ends need not occur.
    pos, neg : ndarray of int64, shape (k,)
        Positives and negatives in each range.
    min_cases : int
        Least number of cases in any row.
    higher_is_positive : bool
        Whether larger scores are more positive.

    See Also
    --------
    coarsen
    """

    first: Array
    last: Array
    pos: Ints
    neg: Ints
    min_cases: int
    higher_is_positive: bool = True

    def __len__(self) -> int:
        """Return the number of ranges."""
        return int(self.pos.size)

    def _about(self) -> str:
        return (
            f"{len(self)} ranges, {self.pos.sum()} positives, {self.neg.sum()} "
            f"negatives, at least {self.min_cases} cases in each"
        )

    def to_json(self) -> str:
        """Return the counts as a text that people can read: a line for each range.

        Returns
        -------
        str
            JSON; all digits of the ends are kept.

        Examples
        --------
        >>> from rocspace.stream import Tabulator, coarsen
        >>> site = Tabulator()
        >>> site.update([0, 0, 1, 0, 1, 1], [0.05, 0.1, 0.3, 0.4, 0.6, 0.9])
        >>> text = coarsen(site, min_cases=2).to_json()
        >>> text[:40]
        '{"rocspace": "site counts", "version": 1'
        """
        columns = (_spelled(self.first), _spelled(self.last), self.pos.tolist(), self.neg.tolist())
        rows = ",\n  ".join(json.dumps(row) for row in zip(*columns, strict=True))
        about = {
            "rocspace": "site counts",
            "version": _VERSION,
            "scores": self.first.dtype.name,
            "higher_is_positive": self.higher_is_positive,
            "min_cases": self.min_cases,
            "columns": ["first", "last", "pos", "neg"],
        }
        return f'{json.dumps(about)[:-1]}, "rows": [\n  {rows}\n]}}\n'

    @classmethod
    def from_json(cls, text: str) -> SiteCounts:
        """Read what `to_json` wrote.

        Parameters
        ----------
        text : str
            The JSON.

        Returns
        -------
        SiteCounts
            The same counts.

        Raises
        ------
        ValueError
            If the text is something else, of a later version, or damaged: every field is
            checked, as are the rows, whose ranges may not meet and must contain `min_cases` cases.

        Examples
        --------
        >>> from rocspace.stream import Tabulator, coarsen
        >>> site = Tabulator()
        >>> site.update([0, 0, 1, 0, 1, 1], [0.05, 0.1, 0.3, 0.4, 0.6, 0.9])
        >>> text = coarsen(site, min_cases=2).to_json()
        >>> SiteCounts.from_json(text)
        SiteCounts(3 ranges, 3 positives, 3 negatives, at least 2 cases in each)
        """
        fields = Fields(text, "a file of site counts", "Ask the site for its counts again.")
        fields.one_of("rocspace", ("site counts",))
        fields.version(_VERSION)
        kind = fields.one_of("scores", ("float64", "int64", "uint64"))
        least = fields.whole("min_cases", 1)
        higher = fields.one_of("higher_is_positive", (False, True))
        names = ["first", "last", "pos", "neg"]
        rows = fields.get("rows")
        if fields.get("columns") != names or not isinstance(rows, list) or not rows:
            fields.refuse(f"'columns' must be {names}, and 'rows' a list of such rows")
        ends: list[list[Any]] = []
        counts: list[list[int]] = []
        for i, row in enumerate(rows, 1):
            if not isinstance(row, list) or len(row) != len(names):
                fields.refuse(f"row {i} is {shown(row)}, but must have {names}")
            ends.append([_end(fields, row[j], f"{names[j]} of row {i}", kind) for j in (0, 1)])
            counts.append([fields.checked_whole(row[j], f"{names[j]} of row {i}") for j in (2, 3)])
            if sum(counts[-1]) < least:
                n = counted(sum(counts[-1]), "case")
                fields.refuse(f"row {i} has {n}, fewer cases than 'min_cases', {least}")
            if ends[-1][0] > ends[-1][1] or (i > 1 and ends[-2][1] >= ends[-1][0]):
                fields.refuse(f"ranges meet: that of row {i}, {shown(row[:2])}")
        for j in (0, 1):
            if sum(row[j] for row in counts) >= MOST:
                fields.refuse("there are more cases than can be counted")
        first, last = np.array(ends, dtype=kind).T
        pos, neg = np.array(counts, dtype=np.int64).T
        return cls(first.copy(), last.copy(), pos.copy(), neg.copy(), least, higher)


def _end(fields: Fields, value: Any, name: str, kind: str) -> Any:
    """Read one end of a range, exactly."""
    if kind != "float64":
        limits = np.iinfo(kind)
        return fields.checked_whole(value, name, int(limits.min), int(limits.max))
    if value in ("inf", "-inf"):
        return float(value)
    if type(value) not in (int, float) or abs(value) > _MAX or int(float(value)) != int(value):
        fields.refuse(f"{name} is {shown(value)}, but must be a number of float64")
    return value + 0.0


def _spelled(ends: Array) -> list[Any]:
    """Return numbers for JSON, which has no infinity."""
    values: list[Any] = ends.tolist()
    return [str(value) if value in (np.inf, -np.inf) else value for value in values]


@explained
def coarsen(counter: Tabulator, *, min_cases: int) -> SiteCounts:
    """Join neighbouring scores until each row has enough cases to be shared.

    Parameters
    ----------
    counter : Tabulator
        All cases of one site, without weights and still exact.
    min_cases : int
        The least number of cases in a row, positives and negatives together.

    Returns
    -------
    SiteCounts
        Counts in ranges whose ends are round binary numbers, not scores of cases.

    Raises
    ------
    ValueError
        If there are fewer than `min_cases` cases in all, if they have weights, or if scores
        have been joined already.

    Notes
    -----
    O(k log k). Cuts are tried from the roundest binary number to the least round, and made
    where enough cases remain on both sides. So sites tend to cut at the same places, and
    little precision is lost when they are pooled.

    It does **not** hide the following: a row shows how its cases divide into positives and
    negatives, and all may be positive; two sets of counts whose cases differ by one person
    disclose that person; the lowest and the highest end show the size of the extreme
    scores. It is not differential privacy.

    References
    ----------
    No source: our own.

    Examples
    --------
    >>> site = Tabulator()
    >>> site.update([0, 0, 1, 0, 1, 1], [0.05, 0.1, 0.3, 0.4, 0.6, 0.9])
    >>> counts = coarsen(site, min_cases=2)
    >>> counts
    SiteCounts(3 ranges, 3 positives, 3 negatives, at least 2 cases in each)
    >>> counts.first
    array([0.03125, 0.125  , 0.5    ])
    """
    if min_cases < 1:
        msg = f"min_cases is {min_cases}, but must be 1 or more."
        raise ValueError(msg)
    table = counter.table()
    if not counter.is_exact:
        msg = "Some scores have been joined already. Count with more max_rows, then coarsen."
        raise ValueError(msg)
    if table.is_weighted:
        msg = "A weighted table does not say how many cases a row has. Count without weights."
        raise ValueError(msg)
    step = -1 if table.higher_is_positive else 1
    score, pos, neg = (c[::step] for c in (table.score, table.pos, table.neg))
    total = np.append(0, np.cumsum(pos + neg))
    if total[-1] < min_cases:
        said = f"There are {total[-1]} cases in all, fewer than "
        why = ": nothing of this site can be shared."
        raise ArgumentError(said, Argument("min_cases", min_cases), why)
    key = keys_of(score)
    cuts = _cuts(key, total, min_cases)
    first, last = _ends(key, cuts)
    if score.dtype.kind == "f":  # beyond the keys of the infinities are those of nan
        first, last = np.clip((first, last), *keys_of(np.array([-np.inf, np.inf])))
        zero = keys_of(np.zeros(1))[0]
        last[last == zero - np.uint64(1)] -= np.uint64(1)  # negative zero, which equals zero
    wide = np.dtype({"f": "f8", "i": "i8", "u": "u8"}[score.dtype.kind])
    return SiteCounts(
        first=scores_of(first, wide),
        last=scores_of(last, wide),
        pos=np.add.reduceat(pos, cuts[:-1]),
        neg=np.add.reduceat(neg, cuts[:-1]),
        min_cases=min_cases,
        higher_is_positive=table.higher_is_positive,
    )


def _cuts(key: NDArray[np.uint64], total: Ints, least: int) -> Ints:
    """Choose where rows are cut: before which keys, both ends included.

    Of the places of one level inside one piece at most one leaves enough on both sides, so
    all places of a level are decided at once: between two of them lies a rounder one that
    was refused, because too little lies on one side of it.
    """
    level = _bit_length(key[1:] ^ key[:-1])
    cuts = np.array([0, key.size])
    for each in range(64, 0, -1):
        place = np.flatnonzero(level == each) + 1
        after = np.searchsorted(cuts, place)
        left = total[place] - total[cuts[after - 1]]
        right = total[cuts[after]] - total[place]
        cuts = np.union1d(cuts, place[(left >= least) & (right >= least)])
    return cuts


def _ends(key: NDArray[np.uint64], cuts: Ints) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return first and last key of each row: from one round number to just before the next."""
    inner = cuts[1:-1]
    low = _cleared(key[inner], _bit_length(key[inner] ^ key[inner - 1]) - 1)
    # The outer ends are those of the smallest binary range around the outer rows.
    least, most = key[0], key[-1]
    start = _cleared(least, _bit_length(least ^ (low[0] - np.uint64(1) if low.size else most)))
    stop = most | _span(_bit_length(most ^ (low[-1] if low.size else least)))
    return np.append(start, low), np.append(low - np.uint64(1), stop)


def _bit_length(number: NDArray[np.uint64] | np.uint64) -> Any:
    """Return the bits that are needed to write each number."""
    high = np.asarray(number >> np.uint64(32), dtype=np.float64)
    rest = np.asarray(number & np.uint64(2**32 - 1), dtype=np.float64)
    return np.where(high > 0, np.frexp(high)[1] + 32, np.frexp(rest)[1]).astype(np.int64)


def _span(bits: Any) -> Any:
    """Return the largest number of so many bits; shifting by 64 is undefined."""
    shift = (64 - np.maximum(bits, 1)).astype(np.uint64)
    return np.where(bits > 0, np.uint64(2**64 - 1) >> shift, np.uint64(0))


def _cleared(key: Any, bits: Any) -> Any:
    """Set the low bits to zero."""
    return key & ~_span(bits)


@explained
def pool(*sites: SiteCounts) -> ScoreTable:
    """Add up the counts of several sites.

    Parameters
    ----------
    *sites : SiteCounts
        One or more, of the same score and direction.

    Returns
    -------
    ScoreTable
        A row for each range, where ranges that meet are joined; it carries the least
        positive end. Its points lie on the exact pooled curve, and the bounds of
        `rocspace.auc_bounds` contain the exact pooled area for certain.

    Raises
    ------
    ValueError
        If there is no site, directions differ, or some scores are whole numbers and some
        are not.

    Notes
    -----
    O(k log k) in the rows of all sites.

    References
    ----------
    Fawcett (2006), section 8, on merging test sets; counts suffice for it.

    Examples
    --------
    >>> from rocspace import auc_bounds
    >>> sites = []
    >>> for label, score in (([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.9]), ([0, 1], [0.4, 0.8])):
    ...     counter = Tabulator()
    ...     counter.update(label, score)
    ...     sites.append(coarsen(counter, min_cases=2))
    >>> low, high = auc_bounds(pool(*sites))
    >>> low <= 8 / 9 <= high
    True
    """
    if sites and isinstance(sites[0], list | tuple):
        msg = "pool takes the counts of sites one by one: say pool(*sites)."
        raise TypeError(msg)
    if not sites:
        msg = "pool needs the counts of at least one site."
        raise ValueError(msg)
    for one, other in pairwise(sites):
        if one.higher_is_positive != other.higher_is_positive:
            msg = (
                "Higher scores are more positive at some sites, lower scores at others. "
                "Let all sites count with the same higher_is_positive."
            )
            raise ValueError(msg)
        if one.first.dtype != other.first.dtype:
            msg = (
                f"Scores are {one.first.dtype} at one site and {other.first.dtype} at another. "
                "Let all sites count the same type of scores."
            )
            raise ValueError(msg)
    first, last, pos, neg = (
        np.concatenate([getattr(site, name) for site in sites])
        for name in ("first", "last", "pos", "neg")
    )
    order = np.argsort(first, kind="stable")
    reach = np.maximum.accumulate(last[order])
    opens = np.flatnonzero(np.append(np.True_, first[order][1:] > reach[:-1]))
    pos, neg = (np.add.reduceat(column[order], opens) for column in (pos, neg))
    higher = sites[0].higher_is_positive
    score = first[order][opens] if higher else np.maximum.reduceat(last[order], opens)
    falling = (column[::-1].copy() for column in (score, pos, neg))
    return table_of(Rows(*falling), higher)
