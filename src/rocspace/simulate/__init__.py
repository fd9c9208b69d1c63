"""Populations with a known true curve, for drawing simulated scores.

Start with `binormal`, `exponential`, `gamma`, `mixture` or `ratings`; `paired_binormal` and
`clustered_binormal` draw cases that belong together. A `Population` has its true area and curve.

Nothing here estimates anything from data.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
