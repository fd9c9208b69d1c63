"""Counts at distinct scores, from which everything else is read.

Start with `tabulate`: labels and scores in, a `ScoreTable` out. `tabulate_classes` takes the
scores of the two classes apart, `pair_scores` several scores of the same cases, and
`confusion_matrix` predictions that were already made. Tables are added with `merge`, redrawn with
`resample`, and given another prevalence with `reweight`.

Nothing here divides: tables hold counts (or weights), never rates, and never look at a second
score of the same case (that is what `PairedScores` keeps the cases for).
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
