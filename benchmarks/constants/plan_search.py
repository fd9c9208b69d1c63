"""What do the constants of planning cost, and what do they bring?

A plan that is simulated (`rocspace.planning.studies`) looks for its number of cases in steps of
`_FEW` samples, then at no more than `_TRIES` numbers with all samples, until two neighbouring ones
differ by less than `near` in the Normal quantile of the power. This program plans some studies of
power .8 with several seeds and choices of these constants. It tells the mean number of positives,
its standard deviation between seeds, the power that the numbers have in new samples, in percent
(mean, least and most over seeds), and how many thousand samples the search drew. One study is of
one score, one of two scores of the same cases.

From `_MANY` cases on nothing is simulated: the numbers are those of the formula. The second table
tells what power the test has in new samples where the formula tells .8, by the number of cases: a
study is made as large as wanted by bringing its areas nearer to each other.

    python -m benchmarks.constants.plan_search              # writes benchmarks/results
    python -m benchmarks.constants.plan_search --seeds 2    # printed only
    python -m benchmarks.constants.plan_search --many       # the second table, printed only
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
from scipy.special import ndtri

from benchmarks.pages import RESULTS
from rocspace.planning import Plan, plan_area, plan_paired
from rocspace.planning.studies import SimulatedPlan
from rocspace.simulate import paired_binormal

FEW, TRIES = "rocspace.planning.studies._FEW", "rocspace.planning.studies._TRIES"
ALIKE = "rocspace.planning.studies.Search.__init__.__kwdefaults__"
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
PAIRED = {
    "areas .95 and .85, paired": plan_paired(paired_binormal([0.95, 0.85], r_pos=0.9, r_neg=0.9)),
}
FEWER = [
    name for name in CHOICES if name.startswith(("chosen", "steps of 100", "1 try", "near .1"))
]
"""The choices that are compared with paired studies, and two seeds: their samples take longer."""
POWER, FRESH = 0.8, 2000
SIZES = (300, 1000, 2000, 5000)


def against(area: float, share: float) -> Plan:
    """Expect an area that is higher by a share of the way to 1."""
    return plan_area(area + share * (1 - area), null_area=area)


def paired(area: float, share: float, r: float, ratio: float = 1.0) -> Plan:
    population = paired_binormal([area + share * (1 - area), area], r_pos=r, r_neg=r)
    return plan_paired(population, ratio=ratio)


LARGE: dict[str, Callable[[float], Plan]] = {
    "one area, .7 or more": partial(against, 0.7),
    "one area, .95 or more": partial(against, 0.95),
    "two areas, .7 or more, r .9": partial(paired, 0.7, r=0.9),
    "two areas, .85 or more, r .5": partial(paired, 0.85, r=0.5),
    "two areas, .95 or more, r .9, 4 to 1": partial(paired, 0.95, r=0.9, ratio=4.0),
}


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
        stack.enter_context(patch.dict(ALIKE, alike=near))
        stack.enter_context(patch.object(type(plan), "_power", counted))
        n = float(chosen.for_power(POWER).n_pos)
    fresh = replace(plan, seed=seed + 1000)
    return n, own(fresh, n, 0.05, "two-sided", FRESH), drawn / 1000


def of_size(make: Callable[[float], Plan], cases: float) -> SimulatedPlan:
    """Return the plan whose formula asks for so many cases of both classes together."""
    from scipy.optimize import brentq

    def excess(share: float) -> float:
        plan = make(share)
        n = plan._ask(float(ndtri(POWER)), 0.05, "two-sided")
        return float(np.log(n * (1 + plan.ratio) / cases))

    found = make(float(brentq(excess, 0.005, 0.95, xtol=1e-6)))
    assert isinstance(found, SimulatedPlan)
    return found


def many() -> list[str]:
    """Return a table of the power of the test where the formula tells .8, by the cases."""
    heads = " | ".join(f"{size:,} cases" for size in SIZES)
    lines = [
        f"Percent of {FRESH:,} new samples that reject where the formula tells {100 * POWER:g}.",
        "",
        f"| study | {heads} |",
        "| --- " + "| ---: " * len(SIZES) + "|",
    ]
    for name, make in LARGE.items():
        found = []
        for size in SIZES:
            plan = of_size(make, size)
            n = float(np.ceil(size / (1 + plan.ratio)))
            found.append(f"{100 * plan._power(n, 0.05, 'two-sided', FRESH):.1f}")
        lines.append(f"| {name} | " + " | ".join(found) + " |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, help="seeds of each study; prints only")
    parser.add_argument("--many", action="store_true", help="only the second table; prints only")
    options = parser.parse_args()
    if options.many:
        many()
        return
    seeds = options.seeds
    all_seeds = seeds or 3
    lines = [
        f"# python -m benchmarks.constants.plan_search, {all_seeds} seeds",
        "",
        "| study | choice | positives | between seeds | power | thousand samples |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    asked = [
        *product(STUDIES.items(), CHOICES, [all_seeds]),
        *product(PAIRED.items(), FEWER, [min(all_seeds, 2)]),
    ]
    for (name, plan), choice, some in asked:
        constants, near = CHOICES[choice]
        found = np.array([planned(plan, constants, near, seed) for seed in range(some)])
        n, power, drawn = found.T
        shown = f"{100 * power.mean():.1f} ({100 * power.min():.1f} to {100 * power.max():.1f})"
        lines.append(
            f"| {name} | {choice} | {n.mean():.1f} | {n.std():.1f} | {shown} | {drawn.mean():.1f} |"
        )
        print(lines[-1], flush=True)
    if seeds is None:
        lines += ["", *many()]
        (RESULTS / "plan_search.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
