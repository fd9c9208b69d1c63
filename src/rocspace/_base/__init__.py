"""Shared helpers below all rooms, without ROC analysis except the table of its words.

The modules convert what users pass into checked arrays (`arrays`, `checks`), compute without
overflow or rounding (`exact`), write numbers as text (`text`) and on notebook cards (`cards`),
import optional packages (`optional`), show the progress of long work (`progress`), read ahead
(`prefetch`), find hulls of sorted points (`geometry`), answer wrong calls (`calls`, `kinds`), and
list the names of rooms (`rooms`).

Rooms import its modules one by one; users import nothing from here. No module here uses a table.
"""
