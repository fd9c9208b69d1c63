"""Check that scores share one scale, and convert scores to ranks."""

from __future__ import annotations

import numpy as np

from rocspace._base.calls import explained
from rocspace.counts.table import ScoreTable, rescored


@explained
def need_same_scale(name: str, same_scale: bool) -> None:
    """Raise an error unless the caller declares that several scores share one scale.

    Parameters
    ----------
    name : str
        Name of the function, for the message.
    same_scale : bool
        The argument that its caller passed.

    Raises
    ------
    ValueError
        If `same_scale` is False.

    References
    ----------
    Fawcett (2006), sections 4.1 and 8.2.

    Examples
    --------
    >>> need_same_scale("threshold_average", True)
    """
    if not same_scale:
        msg = (
            f"{name} uses one threshold for several scores. Pass same_scale=True if it means the "
            "same for all, or put them on one scale first: on_rank_scale does that to a table, "
            "fit_ranks to new scores."
        )
        raise ValueError(msg)


@explained
def on_rank_scale(table: ScoreTable) -> ScoreTable:
    """Replace each score by the share of cases with a less positive one.

    Parameters
    ----------
    table : ScoreTable
        Counts by distinct score; one class may be missing.

    Returns
    -------
    ScoreTable
        The same curve; scores in [0, 1), higher is positive. A threshold on this scale is one
        minus its predicted positive rate, whatever the score was.

    Notes
    -----
    O(k). The ranks equal those of `rocspace.calibrate.fit_ranks` on the same cases.

    References
    ----------
    Fawcett (2006), sections 4.1 and 8.2.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> on_rank_scale(tabulate([0, 1, 1, 0], [10, 20, 20, 40])).score
    array([0.75, 0.25, 0.  ])
    """
    called = np.asarray(table.tp + table.fp)
    share = (called[-1:] - called) / called[-1:]
    # Rows with relatively tiny weights can get the same rank by round-off; they are merged.
    return rescored(table, share, higher_is_positive=True)
