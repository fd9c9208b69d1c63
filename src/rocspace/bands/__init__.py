"""Confidence bands: where a whole curve lies, or each of its points.

Start with `roc_band`, whose default is `likelihood_band`; the other kinds are functions of their
own. `difference_band` shows where one of two curves of the same cases is above the other,
`confidence_segment` the part of a curve where errors balance, `band_coverage` how good a band is.

A band is drawn by `plot.plot_band`; nothing here draws.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
