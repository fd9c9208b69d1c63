"""Small real data sets, each with its source, its licence and a published answer.

`names` lists them, `load` reads one as labels and scores, `path` says where its file is.

They are for examples and tests; nothing in the library depends on them.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
