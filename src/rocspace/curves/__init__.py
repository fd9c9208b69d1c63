"""Curves of a table, areas under them, and distances between them.

Start with `roc_curve`; related curves are `pr_curve`, `prg_curve`, `det_curve`, `gains_curve` and
`fuzzy_roc`. Areas and other summaries are computed from the table, without a curve: `auc`,
`partial_auc`, `average_precision`, `ks`, `youden`, `eer`.

Of standard errors only that of `pr_area_estimate` is here; all others are in `inference`. Nothing
here draws anything (see `plot`).
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
