"""What calls of few cases consist of: their parts, as shares of the call they belong to.

Two targets of the race are missed where a call takes less than a millisecond: DeLong's interval
beside a curve at 10^3 cases, and a paired test at 10^4. This tells what each part takes, all
compiled loops being loaded. As in the race, each call gets the next of 16 samples, so that no
processor learns the order of the cases by heart. The parts that are listed add up to less than the
whole, as a part that is called alone finds its code in the caches; what is not listed is Python.

    python -m benchmarks.speed small
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import cycle
from statistics import median
from typing import Any

import numpy as np

from benchmarks.speed import machine
from benchmarks.speed.bootstrap import data
from benchmarks.speed.common import (
    Race,
    duration,
    power,
    results_folder,
    table,
    write_csv,
    write_text,
)

FEW, MORE = 10**3, 10**4
SAMPLES = 16
Row = dict[str, Any]
Parts = Mapping[str, Callable[[], Any]]


def of_one(n: int, sample: int) -> Parts:
    """A curve, and an area with its interval, of one score of which a tenth is positive."""
    import rocspace as rs
    from rocspace.inference.spread import area_spread

    rng = np.random.default_rng((n, sample))
    label = (rng.random(n) < 0.1).astype(np.int64)
    score = rng.standard_normal(n) + label
    counts = rs.tabulate(label, score)
    found, area = rs.delong(counts), rs.auc(counts)

    def curve() -> object:
        made = rs.roc_curve(rs.tabulate(label, score))
        return made.fpr, made.tpr

    return {
        "a curve, tabulated": curve,
        "an area with its interval, tabulated": lambda: rs.delong(
            rs.tabulate(label, score)
        ).interval(),
        "NumPy's sort alone": lambda: np.sort(score),
        "tabulate": lambda: rs.tabulate(label, score),
        "delong": lambda: rs.delong(counts),
        "delong: the area": lambda: rs.auc(counts),
        "delong: the placements' squares": lambda: area_spread(counts, area),
        "interval": found.interval,
    }


def of_two(n: int, sample: int) -> Parts:
    """DeLong's test of two scores of the same cases."""
    import rocspace as rs
    from rocspace._kernels import ranks
    from rocspace._kernels.spread import products_of_two
    from rocspace.compare import auc_difference
    from rocspace.counts import sorts
    from rocspace.inference.components import components

    label, scores = data(n, sample)
    pair = rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
    counts, n_neg = pair.table("a"), int(n - pair.label.sum())
    key, place, spare = sorts.sorted_places(scores[0].copy())
    parts = components(pair, columns=(0, 1))
    flips = sorts.bits_of(scores[0].dtype)[1:]
    rows: Any = np.empty((2, n), dtype=np.int64)
    out, held, room = np.empty(n), np.empty((5, n)), np.empty_like(spare)
    gap = auc_difference(pair)

    def products() -> None:
        for d in (parts.pos, parts.neg):
            own = held[:, : d.shape[1]]
            products_of_two(d[0], d[1], own)
            np.add.reduce(own, axis=1)

    return {
        "the paired test": lambda: auc_difference(
            rs.pair_scores(label, {"a": scores[0], "b": scores[1]})
        ).test(distribution="normal"),
        "NumPy's sort alone, twice": lambda: (np.sort(scores[0]), np.sort(scores[1])),
        "pair_scores": lambda: rs.pair_scores(label, {"a": scores[0], "b": scores[1]}),
        "sort with places, twice": lambda: [sorts.sorted_places(own.copy()) for own in scores],
        "count, twice": lambda: [
            ranks.counts_in_order(key, place, n_neg, False, tuple(rows), flips, room)
            for _ in range(2)
        ],
        "placements, twice": lambda: [
            ranks.place_out(place, n_neg, False, (counts.pos, counts.neg), 0.5, out)
            for _ in range(2)
        ],
        "products of placements": products,
        "both areas with errors": lambda: [rs.delong(counts) for _ in range(2)],
        "the test alone": lambda: gap.test(distribution="normal"),
    }


WHOLES = {"one score": (FEW, of_one), "two scores": (MORE, of_two)}


def _in_turn(calls: Sequence[Callable[[], Any]]) -> Callable[[], Any]:
    turn = cycle(calls)

    def call() -> Any:
        return next(turn)()

    return call


def measure(name: str, rounds: int) -> list[Row]:
    """Time the parts of one kind of call."""
    n, made = WHOLES[name]
    samples = [made(n, sample) for sample in range(SAMPLES)]
    calls = {part: _in_turn([own[part] for own in samples]) for part in samples[0]}
    laps = Race(rounds=rounds, budget=60).run(calls)
    return [
        {"of": name, "n": n, "part": part, "seconds": median(lap.times)}
        for part, lap in laps.items()
    ]


def report(rows: Sequence[Row], n_sort: int) -> str:
    """One table for each kind of call."""
    said = [
        "# What calls of few cases consist of\n\nWritten by `python -m benchmarks.speed small`.",
        " ".join((__doc__ or "").split("\n\n")[1].splitlines()),
        machine.markdown(n_sort),
    ]
    for name, (n, _) in WHOLES.items():
        own = [row for row in rows if row["of"] == name]
        whole = own[0]["seconds"]
        body = [[r["part"], duration(r["seconds"]), f"{r['seconds'] / whole:.2f}"] for r in own]
        said += [f"## {name.capitalize()}, {power(n)} cases"]
        said += [table(["", "median", f"of {own[0]['part']}"], body)]
    return "\n\n".join(said)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args(arguments)
    n_sort = 10**6 if options.quick else 10**7
    machine.describe(n_sort)
    import_module("rocspace._kernels.ranks")  # as in a process that has counted much
    rows = [row for name in WHOLES for row in measure(name, 5 if options.quick else 31)]
    folder = results_folder(options.quick)
    write_csv(folder / "small.csv", rows)
    write_text(folder / "small.md", report(rows, n_sort))


if __name__ == "__main__":
    main()
