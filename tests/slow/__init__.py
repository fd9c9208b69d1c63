"""Slow, obvious definitions that the tests compare with, room by room; data in `slow.data`.

Nothing here is clever. Counts and rates are fractions, so that an answer is exact.
"""
