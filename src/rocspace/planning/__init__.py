"""How many cases a study needs, and what power it has.

Start with `plan_area`, `plan_paired`, `plan_difference` or `plan_rate`; `plan_from_pilot` takes
the variances from data, `detectable_area` asks the other way round, `simulated_power_estimate`
checks.

Nothing here looks at the results of the study itself.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
