"""Smooth curves: parametric and semiparametric models of the ROC curve, one call for all.

Start with `fit_roc`: ``fit_roc(table, model="labroc")``. Each model has its own function with its
options, for example `fit_binormal`, and `MODELS` lists the assumptions of each. All return a
`rocspace.results.Fit`: a curve with parameters, their covariance, estimates of quantities read from
it, and flags that describe problems of the fit.

`fit_summary_roc` fits one curve to many studies, each of which reports a single point, and finds
their mean point; `pooled_odds_ratio` pools their odds ratios.

Curves computed from counts without a model are in `curves`. Nothing here chooses a model for you,
and a failed fit is always flagged.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
