"""Comparing classifiers: differences of areas, of partial areas and of whole curves; margins.

Start with `auc_difference` for two scores and `compare_aucs` for many, of the same cases or of
independent samples. `venkatraman_test` compares whole curves, `noninferiority_test` and
`equivalence_test` use a margin, `bootstrap_difference` and `permutation_test` take any statistic.

Choosing among many models, which needs more than a test, is in `select`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
