"""Compiled loops over arrays: sorting, ranks, draws, sweeps over windows, pairs and bins.

Nothing else in the package imports numba, and each module here is imported only when its first
loop is needed: compiling is dear, and small samples do not need it.

It never checks what it is given, and never allocates more than its result.
"""
