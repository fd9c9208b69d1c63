"""ROC analysis: complete, exact and fast.

Sort once, count at distinct scores, and read everything else from the counts::

    import rocspace as rs

    table = rs.tabulate(y_true, y_score)
    rs.auc(table)
    rs.delong(table).interval(0.95)

The daily names come with the package; everything else is found in its rooms, one for each kind of
question. What to type next::

    dir(rs)  # all daily names, and the rooms
    help(rs.delong)  # one function, with an example; below this page is that of all of them
    help(rs.compare)  # one room: what one finds there, and where to start
    rs.sensitivity  # a name that you know from elsewhere is answered with ours

How uncertain: `rocspace.inference`, `rocspace.resampling`, `rocspace.bands`. Which is better:
`rocspace.compare`, `rocspace.select`. Which threshold: `rocspace.operating`, `rocspace.costs`,
`rocspace.measures`. Other curves: `rocspace.curves`, `rocspace.models`, `rocspace.hull`. How many
cases: `rocspace.planning`. Files and frames: `rocspace.io`, `rocspace.stream`. Several classes:
`rocspace.multiclass`. Figures and reports: `rocspace.plot`, `rocspace.report`. With scikit-learn:
`rocspace.estimators`, `rocspace.averaging`. How cases came, with covariates or in time:
`rocspace.designs`.
"""

from __future__ import annotations

import os
from importlib import import_module

from rocspace._base.moved import listen
from rocspace._base.rooms import open_room

__version__ = "0.2.0"

__all__, _lookup, _ = open_room(__name__)
listen()


def _rooms() -> list[str]:
    return [name for name in os.listdir(__path__[0]) if name[0] != "_" and "." not in name]


def __getattr__(name: str) -> object:
    """Import a public name, or a room, when it is first asked for."""
    return import_module(f"rocspace.{name}") if name in _rooms() else _lookup(name)


def __dir__() -> list[str]:
    """List the public names and the rooms."""
    return sorted({*__all__, *_rooms()})
