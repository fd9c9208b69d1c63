"""Every summary of a table, gathered from the modules that define them.

A module enters its numbers into the registry when it is imported. This one imports them all,
so what the registry holds does not depend on what has been used before.
"""

from __future__ import annotations

from rocspace import brier, expected_loss, hull, pairwise, pr, prg
from rocspace.summary import SUMMARIES

__all__ = ["SUMMARIES"]

# Imported for what they enter.
_CONTRIBUTORS = (brier, expected_loss, hull, pairwise, pr, prg)
