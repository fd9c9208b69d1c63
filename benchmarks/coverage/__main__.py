"""Do intervals, bands and tests hold their level? Measured where the truth is known.

``python -m benchmarks.coverage`` measures all parts and writes benchmarks/results/coverage.csv,
docs/coverage.md and its figure; ``--jobs 2`` shares the work among processes. ``--cost`` estimates
how long a part takes at full size: all of them some seven processor hours, so that a whole run ends
in less than six hours on two cores. To that end cells whose samples are dear get fewer, down to a
tenth. Named parts
(``python -m benchmarks.coverage study areas``) are measured alone, and the rows of the others
kept; ``--samples`` says how many samples a cell gets at most, ``--list`` what parts there are.
``--more`` draws samples that the table does not have yet and adds them to those that it has, so
that a part can grow whenever the machine is idle; it refuses where both differ by more than luck.

A default that misses where it did not before makes the program fail; what misses is kept in
benchmarks/results/coverage_misses.csv, from where it is struck as soon as it holds. ``--accept``
adds new misses to that list.

``--quick`` draws few samples, writes nothing, and fails if anything is no longer what the
committed table says. Each cell has a seed of its own: the numbers do not depend on which parts
are measured, in what order, or by how many processes.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from benchmarks.coverage import page
from benchmarks.coverage.cells import beyond
from benchmarks.coverage.judge import judge, settle
from benchmarks.coverage.ledger import (
    RESULTS,
    Ledger,
    Part,
    Row,
    drifted,
    pooled,
    read,
    write,
)
from benchmarks.coverage.parts import ORDER, PARTS, SECTIONS

# A part, how many samples, which of its cells, and how many samples it has already.
Unit = tuple[str, int, tuple[int, ...], int]


def measured(unit: Unit) -> tuple[list[Row], float]:
    """Measure one piece of work; by name, so that processes need not be handed functions."""
    start = time.process_time()
    name, samples, cell, had = unit
    with beyond(had):
        return part_named(name).measure(samples, cell), time.process_time() - start


def part_named(name: str) -> Part:
    (found,) = (p for p in PARTS if p.name == name)
    return found


def measure(
    names: Sequence[str],
    *,
    quick: bool = False,
    jobs: int = 1,
    samples: int | None = None,
    had: Mapping[str, int] | None = None,
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of each part as it is done, and say so; of a part in `had` further ones."""
    pool = ProcessPoolExecutor(jobs) if jobs > 1 else None
    run: Callable[..., Iterator[tuple[list[Row], float]]] = pool.map if pool else map
    try:
        # A pool's map begins at once, so that the parts share the processes.
        works = [
            (name, run(measured, units(name, quick, samples, (had or {}).get(name, 0))))
            for name in names
        ]
        for name, work in works:
            done = list(work)
            rows, seconds = [row for found, _ in done for row in found], sum(s for _, s in done)
            print(f"{name}: {len(rows)} rows, {seconds:.0f} s", file=sys.stderr, flush=True)
            yield name, rows
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)


def units(name: str, quick: bool, samples: int | None, had: int = 0) -> list[Unit]:
    part = part_named(name)
    many = part.quick if quick else part.samples if samples is None else samples
    return [(name, many if part.samples else 0, cell, had) for cell in part.units()]


def cost(names: Sequence[str]) -> int:
    """Print the processor hours of each part at its full number of samples, dearest first.

    One sample of each cell is timed, after one that makes what is kept; it counts as often as the
    cell's rows would have samples: in proportion to those they have now in the table, the part's
    largest being its full number.
    """
    found = {}
    for name in names:
        part, had = part_named(name), max(samples_of([name])[name], 1)
        now = {(row.situation, row.size): row.samples for row in read() if row.part == name}
        total = 0.0
        for _, few, unit, _ in units(name, False, 1 if part.cells else part.quick):
            if part.cells:
                measured((name, few, unit, 0))
            rows, seconds = measured((name, few, unit, 0))
            drawn = max((row.samples for row in rows), default=0)
            share = max((now.get((r.situation, r.size), had) / had for r in rows), default=0.0)
            if drawn:
                total += seconds / drawn * (share if part.cells else 1) * part.most
        found[name] = total / 3600
        print(f"{name}: {found[name]:.2f}", file=sys.stderr, flush=True)
    for name in sorted(found, key=lambda name: -found[name]):
        print(f"{found[name]:7.2f}  {name}")
    print(f"{sum(found.values()):7.2f}  processor hours")
    return 0


def samples_of(names: Sequence[str]) -> dict[str, int]:
    """Return the largest number of samples that a cell of each part has."""
    rows = read()
    return {name: max((r.samples for r in rows if r.part == name), default=0) for name in names}


def there(part: Part) -> bool:
    return not part.needs or importlib.util.find_spec(part.needs) is not None


def check() -> int:
    """Measure on few samples, and compare with the committed table."""
    names = [part.name for part in PARTS if part.quick or not part.samples]
    rows = [row for _, found in measure(names, quick=True) for row in found]
    found = drifted(rows, [row for row in read() if row.part in names])
    print("\n".join(found) or f"no drift in {len(rows)} rows")
    return 1 if found else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", help="all, or some of those that --list names")
    parser.add_argument("--quick", action="store_true", help="check against the committed table")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the work")
    parser.add_argument("--samples", type=int, help="samples of a cell, at most")
    parser.add_argument("--more", action="store_true", help="add to the samples that there are")
    parser.add_argument("--accept", action="store_true", help="list new misses as known")
    parser.add_argument("--page", action="store_true", help="write the page only")
    parser.add_argument("--cost", action="store_true", help="estimate the time of each part")
    parser.add_argument("--list", action="store_true", help="name the parts")
    options = parser.parse_args(arguments)
    if unknown := set(options.part) - set(ORDER):
        parser.error(f"no such part: {', '.join(sorted(unknown))}. Parts are {', '.join(ORDER)}")
    if options.list:
        print("\n".join(ORDER))
        return 0
    if options.quick:
        return check()
    names = [part.name for part in PARTS if part.name in (options.part or ORDER) and there(part)]
    if options.cost:
        return cost(names)
    had = samples_of(names) if options.more else {}
    if fixed := [name for name in names if options.more and not part_named(name).grows]:
        parser.error(f"no further samples can be drawn of {', '.join(fixed)}: measure them anew")
    done = measure(
        [] if options.page else names, jobs=options.jobs, samples=options.samples, had=had
    )
    for name, drawn in done:
        before = read() if RESULTS.exists() else []
        had_rows = [row for row in before if row.part == name]
        rows = pooled(had_rows, drawn) if options.more else drawn
        write(Ledger(before).replaced(name, rows, ORDER).rows)
    rows = read()
    page.write(rows, PARTS)
    new = settle(judge(rows, SECTIONS), accept=options.accept)
    for key in new:
        print(f"misses, and did not before: {', '.join(key)}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
