"""ROC analysis: complete, exact and fast.

Sort once, count at distinct scores, and read everything else from the counts::

    import rocspace as rs

    table = rs.tabulate(y_true, y_score)
    rs.auc(table)
    rs.delong(table).interval(0.95)

The daily names come with the package; everything else is found in its rooms, such as
`rocspace.measures` or `rocspace.operating`: ``dir(rocspace)`` lists both.
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
