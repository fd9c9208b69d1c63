"""Operating points: what a threshold does, and which threshold is optimal.

Start with `optimal_points` (by a criterion, with targets and constraints), or `point_at`,
`point_at_fpr`, `point_at_tpr`. `Costs` says what errors cost; `threshold_bootstrap` gives the
uncertainty of a chosen threshold and the optimism of its value.

Intervals of the rates at a fixed threshold are in `inference`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
