"""Uncertainty of the numbers of one classifier: standard errors, intervals, tests against chance.

Start with `delong` or `auc_estimate` for areas, `partial_auc_estimate` for partial areas,
`rate_interval` and `point_interval` for rates at a threshold, `clustered_auc_estimate` for cases
that come in clusters, and `auc_test`, `ks_test` or `best_of_test` for tests against chance.

It never compares two classifiers (see `compare`) and draws no bootstrap samples (see `resampling`);
a few tests permute the labels.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
