"""How fast is it, beside other programs?

``python -m benchmarks.speed`` runs every part; ``python -m benchmarks.speed auc hull`` some of
them. Options after the parts go to each (``--quick`` is understood by all: small samples, for a
look, results kept apart). Each part writes benchmarks/results/PART.{md,csv}.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

PARTS = (
    "auc",
    "bands",
    "bootstrap",
    "classes",
    "compare",
    "engines",
    "granular",
    "growth",
    "huge",
    "hull",
    "memory",
    "models",
    "race",
    "report",
    "small",
    "start",
    "wide",
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", help=f"all, or some of {', '.join(PARTS)}")
    options, others = parser.parse_known_args(arguments)
    if unknown := set(options.part) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}. Parts are {', '.join(PARTS)}")
    for name in options.part or PARTS:
        print(name)
        import_module(f"benchmarks.speed.{name}").main(others)


if __name__ == "__main__":
    main()
