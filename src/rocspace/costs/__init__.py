"""Costs of errors: cost curves, Brier scores, decision curves, the H-measure.

Start with `cost_curve` for a table whose costs are not known, `decision_curve` for the net benefit
of probabilities, `brier_score` and its parts, `log_loss`, `cllr`, `h_measure`. `cost_difference`
and `resample_cost_difference` show which classifier costs less, under which conditions, and with
what uncertainty; `loss_difference` whose probabilities are better.

`Costs` itself, and the best threshold for given costs, are in `operating`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
