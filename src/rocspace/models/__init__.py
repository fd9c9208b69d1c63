"""Curves with few parameters, fitted to what was observed.

`fit_summary_roc` fits one curve to many studies, of each of which only one point is known. Every
fitted curve is a `rocspace.results.Fit`.

Curves that are read from counts without a model are in `curves`.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
