"""Timings against other programs, and measured coverage of intervals. Results: `results/`."""
