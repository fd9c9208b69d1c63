"""Smooth curves: parametric and semiparametric models of the ROC curve, one call for all.

Start with `fit_roc`: ``fit_roc(table, model="labroc")``. Each model has a function of its own with
its options, `fit_binormal` say, and `MODELS` says of each what it assumes. All return a
`rocspace.results.Fit`: a curve with parameters, their covariance, estimates of what is read
from it, and flags that say what is wrong with it.

`fit_summary_roc` fits one curve to many studies, of each of which only one point is known.

Curves that are read from counts without a model are in `curves`. No model is chosen here for you,
and none returns numbers of a fit that failed without a flag.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
