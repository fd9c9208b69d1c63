"""Times and memory beside other programs: `python -m benchmarks.speed`. Results: `../results`."""
