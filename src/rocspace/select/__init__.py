"""Choosing one of many models, and judging the measure that chooses.

Start with `select_model`; `selection_experiment` finds out whether a measure chooses well,
`compare_measures` which of two measures is the better judge, `adequacy_test` whether a score that
was fitted to its own cases ranks better than chance, `parameter_roc` tunes a detector.

It chooses among models that were fitted elsewhere; only `selection_experiment` and `adequacy_test`
fit those that they are given anew.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
