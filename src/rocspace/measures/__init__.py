"""Measures of a decision or of a ranking, each defined once, with all its facts.

`tpr`, `ppv`, `kappa`, `matthews` and the others take anything that has the four counts: an
`OperatingPoint`, a `ConfusionMatrix`, a whole table. `MEASURES` lists them, `CRITERIA` what can
make a threshold the best, `SUMMARIES` the single numbers of a whole table.

Nothing here chooses a threshold (see `operating`) or estimates uncertainty (`inference`).
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
