"""Measured coverage of intervals, bands and tests: `python -m benchmarks.coverage`."""
