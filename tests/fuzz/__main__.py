"""`make fuzz SECONDS=600 SEED=1`: go on until the time is over, and say what was found.

`python -m fuzz --seconds 3600 --calls 1e6 --states 1e5 --jobs 2`: so many of each, on two cores.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from fuzz import arguments, calls, readings, states, uploads, visits

KINDS = {
    "calls": calls.one_round,
    "states": states.one_round,
    "arguments": arguments.one_round,
    "readings": readings.one_round,
    "uploads": uploads.one_round,
    "visits": visits.one_round,
}


def some(kind: str, count: float, seeds: tuple[int, int], seconds: float) -> tuple[int, int, dict]:
    """Try rounds with seeds from a first one in steps; return how many, the next, failures."""
    warnings.simplefilter("error")
    found: dict[str, int] = {}
    tried, seed, until = 0, seeds[0], time.monotonic() + seconds
    while time.monotonic() < until and tried < count:
        try:
            tried += KINDS[kind](np.random.default_rng(seed))
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__} in {place.name}, line {place.lineno}: {error}"
            found.setdefault(said[:300], seed)
        seed += seeds[1]
    return tried, seed, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="of each kind")
    parser.add_argument("--count", type=float, default=float("inf"), help="at most, of each kind")
    parser.add_argument("--calls", type=float, help="at most, of calls")
    parser.add_argument("--states", type=float, help="at most, of damaged states")
    parser.add_argument("--arguments", type=float, help="at most, of calls with wrong arguments")
    parser.add_argument("--readings", type=float, help="at most, of functions of odd samples")
    parser.add_argument("--uploads", type=float, help="at most, of requests to the web app")
    parser.add_argument("--visits", type=float, help="at most, of requests to it with its workers")
    parser.add_argument("--seed", type=int, default=0, help="of the first round")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--kind", choices=KINDS, action="append")
    asked = parser.parse_args()
    failed = False
    for kind in asked.kind or KINDS:
        count = getattr(asked, kind) or asked.count
        jobs = range(asked.jobs)
        rounds = [(kind, count / asked.jobs, (asked.seed + i, asked.jobs)) for i in jobs]
        if asked.jobs == 1:
            done = [some(*rounds[0], asked.seconds)]
        else:
            with ProcessPoolExecutor(asked.jobs) as pool:
                begun = [pool.submit(some, *each, asked.seconds) for each in rounds]
                done = [each.result() for each in begun]
        found = {said: seed for _, _, own in reversed(done) for said, seed in own.items()}
        tried, last = sum(one[0] for one in done), max(one[1] for one in done) - asked.jobs
        print(f"{kind}: {tried:,} tried, seeds {asked.seed} to {last}, {len(found)} failures")
        for said, first in found.items():
            print(f"  seed {first}: {said}")
        failed |= bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
