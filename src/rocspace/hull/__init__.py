"""The convex hull of ROC curves and points, and what follows from slopes.

Start with `roc_hull`: which thresholds can be optimal, and for which costs. `best_in_range` and
`best_by_density` answer for uncertain costs, `isometric` draws the lines along which a measure
has one value, `repair_points` removes concavities.

To choose a single threshold for given costs, see `operating`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
