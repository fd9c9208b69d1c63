"""The bootstrap: the sampling variability of any statistic.

Start with `bootstrap`, which takes a table or cases, and a named statistic or your own function;
`bayesian_bootstrap` gives a posterior distribution instead. Replicates are drawn as counts of the
sorted scores, so nothing is sorted again.

Permutation tests for comparing scores are in `compare`, confidence bands in `bands`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
