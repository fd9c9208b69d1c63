"""Tables from batches, in bounded memory, on one machine or on many.

Start with `Tabulator`: feed it batches, take its table. It is exact while the distinct scores
fit and certified bins afterwards; `refine_auc` reads a source again until the area is exact, and
`SiteCounts` are counts that may leave a hospital.

Of files it reads only the states that it saved (see `io` for all others), and it never uses more
memory than it was given.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
