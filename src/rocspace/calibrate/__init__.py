"""Scores into probabilities, and scores from trees, rules and votes.

Start with `fit_isotonic`, `fit_platt` or `fit_binning`; `fit_ranks` puts scores on a scale that
several share. `fit_tree_scores`, `fit_rules`, `vote_scores` and `metacost` make scores of
classifiers that have none.

Whether probabilities are good is measured by `calibration_estimates` (slope and intercepts), and in
`costs` (`brier_parts`).
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
