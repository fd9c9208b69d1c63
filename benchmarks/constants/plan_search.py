"""What do the constants of the search for a number of cases cost, and what do they bring?

A plan that is simulated (`rocspace.planning.studies`) looks for its number of cases in steps of
`_FEW` samples, then at no more than `_TRIES` numbers with all samples, until two neighbouring ones
differ by less than `near` in the Normal quantile of the power. This program plans some studies of
power .8 with several seeds and choices of these constants. It tells the mean number of positives,
its standard deviation between seeds, the power that the numbers have in new samples, in percent
(mean, least and most over seeds), and how many thousand samples the search drew.

    python -m benchmarks.constants.plan_search              # writes benchmarks/results
    python -m benchmarks.constants.plan_search --seeds 2    # printed only
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.constants.choices import RESULTS
from rocspace.planning import plan_area

FEW, TRIES = "rocspace.planning.studies._FEW", "rocspace.planning.studies._TRIES"
DEFAULTS = "rocspace.planning.studies.calibrated.__kwdefaults__"
CHOICES: dict[str, tuple[dict[str, Any], float]] = {
    "chosen: steps of 500, 4 tries, .03": ({}, 0.03),
    "steps of 100": ({FEW: 100}, 0.03),
    "steps of 2000": ({FEW: 2000}, 0.03),
    "1 try": ({TRIES: 1}, 0.03),
    "8 tries": ({TRIES: 8}, 0.03),
    "near .1": ({}, 0.1),
    "near .01": ({}, 0.01),
}
STUDIES = {
    "area .75 against .5": plan_area(0.75),
    "area .9 against .8": plan_area(0.9, null_area=0.8),
}
POWER, FRESH = 0.8, 2000


def planned(plan: Any, constants: dict[str, Any], near: float, seed: int) -> tuple[float, ...]:
    """Return a number of positives, its power in new samples, and the samples of the search."""
    drawn = 0
    own = type(plan)._power

    def counted(self: Any, n: float, significance: float, side: Any, runs: int) -> float:
        nonlocal drawn
        drawn += runs
        return float(own(self, n, significance, side, runs))

    chosen = replace(plan, seed=seed)
    with ExitStack() as stack:
        for name, value in constants.items():
            stack.enter_context(patch(name, value))
        stack.enter_context(patch.dict(DEFAULTS, near=near))
        stack.enter_context(patch.object(type(plan), "_power", counted))
        n = float(chosen.for_power(POWER).n_pos)
    fresh = replace(plan, seed=seed + 1000)
    return n, own(fresh, n, 0.05, "two-sided", FRESH), drawn / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, help="seeds of each study; prints only")
    seeds = parser.parse_args().seeds
    many = seeds or 3
    lines = [
        f"# python -m benchmarks.constants.plan_search, {many} seeds",
        "",
        "| study | choice | positives | between seeds | power | thousand samples |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, plan in STUDIES.items():
        for choice, (constants, near) in CHOICES.items():
            found = np.array([planned(plan, constants, near, seed) for seed in range(many)])
            n, power, drawn = found.T
            shown = f"{100 * power.mean():.1f} ({100 * power.min():.1f} to {100 * power.max():.1f})"
            lines.append(
                f"| {name} | {choice} | {n.mean():.1f} | {n.std():.1f} | {shown} "
                f"| {drawn.mean():.1f} |"
            )
            print(lines[-1], flush=True)
    if seeds is None:
        (RESULTS / "plan_search.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
