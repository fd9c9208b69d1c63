"""Counts at distinct scores, from which everything else is read.

Start with `tabulate`, which counts labels and scores into a `ScoreTable`. `tabulate_classes` takes
the scores of each class separately, `pair_scores` several scores of the same cases, and
`confusion_matrix` predictions that were already made. `merge` adds tables,
`resample` draws bootstrap samples, and `reweight` changes the prevalence.

Nothing here divides: tables contain counts (or weights), never rates, and one score of each case.
`PairedScores` keeps the cases for methods that need several scores of each.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
