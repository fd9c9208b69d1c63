"""Results of functions: small frozen objects that are read by attribute.

An `Estimate` has a value and a standard error, and gives an `Interval` at any confidence level; a
`Difference` compares two estimates; a `TestResult` has a statistic and a p value; an
`OperatingPoint` holds the counts at one threshold.

Nothing here computes an estimate: functions of the other rooms do, and return these objects.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
