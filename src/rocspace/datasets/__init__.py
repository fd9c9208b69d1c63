"""Small real data sets, each with its source, its licence and a published answer.

`names` lists them, `load` reads one as labels and scores, `path` says where its file is.

They are for examples and tests; nothing in the library depends on them.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, _lookup, __dir__ = open_room(__name__)


def __getattr__(name: str) -> object:
    """Find a public name; the name of a data set is answered with the line that loads it."""
    if name[:1] != "_" and name not in __all__:
        bundled = _lookup("names")()
        wanted = name.removeprefix("load_").removeprefix("fetch_")
        known = [one for one in bundled if wanted in (one, one.partition("_")[0])]
        if known:
            msg = f'{name} is not a name of rs.datasets: say rs.datasets.load("{known[0]}")'
            raise AttributeError(msg, name=name)
    return _lookup(name)
