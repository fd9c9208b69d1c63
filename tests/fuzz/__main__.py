"""`make fuzz SECONDS=600 SEED=1`: go on until the time is over, and say what was found."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings

import numpy as np

from fuzz import calls, states

KINDS = {"calls": calls.one_round, "states": states.one_round}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="of each kind")
    parser.add_argument("--count", type=float, default=float("inf"), help="at most, of each kind")
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--kind", choices=KINDS, action="append")
    asked = parser.parse_args()
    warnings.simplefilter("error")
    failed = False
    for kind in asked.kind or KINDS:
        found: dict[str, int] = {}
        tried, seed, until = 0, asked.seed, time.monotonic() + asked.seconds
        while time.monotonic() < until and tried < asked.count:
            try:
                tried += KINDS[kind](np.random.default_rng(seed))
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                said = f"{type(error).__name__} in {place.name}, line {place.lineno}: {error}"
                found.setdefault(said[:300], seed)
            seed += 1
        print(f"{kind}: {tried:,} tried, seeds {asked.seed} to {seed - 1}, {len(found)} failures")
        for said, first in found.items():
            print(f"  seed {first}: {said}")
        failed |= bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
