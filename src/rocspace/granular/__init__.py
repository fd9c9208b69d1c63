"""Areas that depend on the distances of scores, not only on their order.

Start with `groc`, the granular ROC curve of scores that differ by less than a granularity, and
`granular_areas`, its areas at many granularities; `scored_auc`, `soft_auc`, `prob_auc` and
`buffered_auc` weigh each pair by its margin.

These are the only areas that change when scores are transformed by an increasing function.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
