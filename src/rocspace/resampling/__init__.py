"""The bootstrap: how far any number would vary on other samples of cases.

Start with `bootstrap`, of a table or of cases, of a named statistic or of a function of your own;
`bayesian_bootstrap` gives a posterior distribution instead. Replicates are drawn by counts, so
nothing is sorted again.

Permutation tests that compare scores are in `compare`, bands of curves in `bands`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
