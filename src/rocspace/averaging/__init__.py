"""Averages of several ROC curves, and cross-validation.

Start with `vertical_average`, or `threshold_average`, `horizontal_average`, `radial_average`,
`rate_average`, or `pooled_table`; `fold_tables`, `cv_tables` and `cv_auc_estimate` take the folds
of a cross-validation.

Each average states which question it answers. Only `nested_cv_auc_estimate` fits models.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
