"""What every room stands on, and what knows nothing of ROC analysis but its words.

Sound arrays from whatever users pass (`arrays`, `checks`), arithmetic that never overflows or
rounds (`exact`), numbers as text (`text`) and as notebook cards (`cards`), optional packages
(`optional`), progress of long work (`progress`), reading ahead (`prefetch`), hulls of sorted
points (`geometry`), and the way in which rooms show their names (`rooms`).

Rooms import its modules one by one; users import nothing from here. It never looks at a table.
"""
