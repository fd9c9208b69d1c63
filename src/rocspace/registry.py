"""Every summary of a table, gathered from the modules that define them.

A module enters its numbers into the registry when it is imported. This one imports them all,
so what the registry holds does not depend on what has been used before.
"""

from __future__ import annotations

from rocspace import brier, expected_loss, hull, pairwise, pr, prg, summary
from rocspace.measures import Measure
from rocspace.summary import SUMMARIES

__all__ = ["SUMMARIES"]

# In this order, whichever module was imported first; inside a module as they stand there.
_CONTRIBUTORS = (summary, hull, pr, prg, pairwise, brier, expected_loss)


def _in_order() -> dict[str, Measure]:
    place = {module.__name__: i for i, module in enumerate(_CONTRIBUTORS)}
    ranked = sorted(SUMMARIES.items(), key=lambda item: place[item[1].function.__module__])
    return dict(ranked)


_ordered = _in_order()
SUMMARIES.clear()
SUMMARIES.update(_ordered)
