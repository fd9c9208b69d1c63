"""How many cases a study needs, and what power it has.

Start with `plan_area`, `plan_paired`, `plan_difference` or `plan_rate`; `plan_from_pilot` takes the
variances from pilot data, `plan_from_fit` and `plan_from_fits` those of fitted curves,
`detectable_area` gives the smallest area that a number of cases can detect, and
`simulated_power_estimate` checks the power of any test by simulation.

Nothing here uses the results of the planned study itself.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
