"""Decision rules, classifiers combined in ROC space, and scores combined into one.

Start with `rule_path` and `mixture_at`, which reach any point between two rules;
`boolean_search` tries every Boolean combination of thresholds; `chain_rules` and `select_rule`
chain and validate rules.

`combine_markers` makes one score of several, with its cross-validated area.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
