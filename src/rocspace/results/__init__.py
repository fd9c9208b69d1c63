"""Results of functions: small frozen objects that are read by attribute.

An `Estimate` has a value and a standard error, and gives an `Interval` at the level that is asked
of it; a `Difference` compares two of them; a `TestResult` has a statistic and a p value; an
`OperatingPoint` says what one threshold does.

Nothing here computes an estimate: functions of the other rooms do, and fill these in.
"""

from __future__ import annotations

from rocspace._base.rooms import open_room

__all__, __getattr__, __dir__ = open_room(__name__)
