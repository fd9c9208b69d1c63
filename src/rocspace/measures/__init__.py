"""Measures of a decision or of a ranking, each defined once, with all its facts.

`tpr`, `ppv`, `kappa`, `matthews` and the others take anything that has the four counts: an
`OperatingPoint`, a `ConfusionMatrix`, or `evaluate` of many thresholds. `MEASURES` lists them,
`CRITERIA` lists what a threshold can be chosen by, `SUMMARIES` the numbers that summarise a whole
table.

Nothing here chooses a threshold (see `operating`) or estimates uncertainty (`inference`).
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
