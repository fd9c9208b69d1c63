"""Experiments: each regenerates a page of the documentation with one command."""
