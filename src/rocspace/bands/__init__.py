"""Confidence bands of a whole curve, or of each of its points.

Start with `roc_band`, whose default is `likelihood_band`; each other kind has its own function.
`difference_band` shows where one of two curves of the same cases is above the other,
`confidence_segment` finds the part of a curve where the two kinds of error balance, and
`band_coverage` measures how often a band covers the true curve.

To draw a band, use `plot.plot_band`; nothing here draws.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
