"""Do intervals, bands and tests hold their level? Measured where the truth is known.

``python -m benchmarks.coverage`` measures all parts and writes benchmarks/results/coverage.csv,
docs/coverage.md and its figure; ``--jobs 2`` shares the work among processes. ``--cost`` estimates
how long a part takes. Named parts (``python -m benchmarks.coverage study areas``) are measured
alone, and the rows of the others kept; ``--list`` says what parts there are. A cell gets 2,000
samples, of bands 1,000, or as many as ``--samples`` says, unless it is clear before, which is asked
from an eighth of them on. ``--more`` goes on where the table ends: it draws samples of the cells
that are neither clear nor full, and adds them; it refuses where both differ by more than luck.

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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import cache

from benchmarks.coverage import page
from benchmarks.coverage.cells import Begun, enough, going_on, undecided
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

# A part, how many samples, which of its cells, and whether to go on where the table ends.
Unit = tuple[str, int, tuple[int, ...], bool]


def measured(unit: Unit) -> tuple[list[Row], float]:
    """Measure one piece of work; by name, so that processes need not be handed functions."""
    start = time.process_time()
    name, samples, cell, more = unit
    with going_on(begun(name, samples)) if more else nullcontext():
        return part_named(name).measure(samples, cell), time.process_time() - start


@cache
def begun(name: str, samples: int) -> Begun:
    """Return what the table has of a part, and which rows of defaults are open."""
    rows = [row for row in read() if row.part == name]
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.situation, row.size), []).append(row)
    return Begun(found, {row.key for row in rows if is_open(row, samples)})


def is_open(row: Row, most: int) -> bool:
    """Whether a row of a default has neither all samples nor what makes it clear."""
    if row.interval not in SECTIONS[row.section].defaults or not 0 < row.samples < most:
        return False
    return not enough(row.samples, most) or undecided(
        row.section, row.interval, row.samples, row.hits
    )


def part_named(name: str) -> Part:
    (found,) = (p for p in PARTS if p.name == name)
    return found


def measure(
    names: Sequence[str],
    *,
    quick: bool = False,
    jobs: int = 1,
    samples: int | None = None,
    more: bool = False,
    every: int = 1,
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of each part as it is done, and say so; with `more`, of each cell.

    Of the cells of a part `every` so many is measured.
    """
    pool = ProcessPoolExecutor(jobs) if jobs > 1 else None
    run: Callable[..., Iterator[tuple[list[Row], float]]] = pool.map if pool else map
    try:
        # A pool's map begins at once, so that the parts share the processes.
        works = [
            (name, run(measured, units(name, quick, samples, more)[::every])) for name in names
        ]
        for name, work in works:
            rows, spent = list[Row](), 0.0
            for found, seconds in work:
                rows, spent = rows + found, spent + seconds
                if more and found:
                    yield name, found
            print(f"{name}: {len(rows)} rows, {spent:.0f} s", file=sys.stderr, flush=True)
            if not more:
                yield name, rows
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)


def units(name: str, quick: bool, samples: int | None, more: bool = False) -> list[Unit]:
    part = part_named(name)
    many = part.quick if quick else part.samples if samples is None else samples
    return [(name, many if part.samples else 0, cell, more) for cell in part.units()]


def cost(names: Sequence[str]) -> int:
    """Print the processor hours of each part, dearest first.

    One sample of each cell is timed, after one that makes what is kept; it counts as often as the
    cell has samples in the table, of parts without cells as often as they take.
    """
    found = {}
    for name in names:
        part = part_named(name)
        now = {(row.situation, row.size): row.samples for row in read() if row.part == name}
        total = 0.0
        for _, few, unit, _ in units(name, False, 1 if part.cells else part.quick):
            if part.cells:
                measured((name, few, unit, False))
            rows, seconds = measured((name, few, unit, False))
            timed = max((row.samples for row in rows), default=0)
            many = max(
                (now.get((row.situation, row.size), part.samples) for row in rows), default=0
            )
            if timed:
                total += seconds / timed * (many if part.cells else part.samples)
        found[name] = total / 3600
        print(f"{name}: {found[name]:.2f}", file=sys.stderr, flush=True)
    for name in sorted(found, key=lambda name: -found[name]):
        print(f"{found[name]:7.2f}  {name}")
    print(f"{sum(found.values()):7.2f}  processor hours")
    return 0


def there(part: Part) -> bool:
    return not part.needs or importlib.util.find_spec(part.needs) is not None


def check(every: int) -> int:
    """Measure on few samples, and compare with the committed table."""
    names = [part.name for part in PARTS if part.quick or not part.samples]
    rows = [row for _, found in measure(names, quick=True, every=every) for row in found]
    keys = {row.key for row in rows}
    before = [row for row in read() if row.part in names and (every == 1 or row.key in keys)]
    found = drifted(rows, before)
    print("\n".join(found) or f"no drift in {len(rows)} rows")
    return 1 if found else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", help="all, or some of those that --list names")
    parser.add_argument("--quick", action="store_true", help="check against the committed table")
    parser.add_argument("--every", type=int, default=1, help="check one of so many cells")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the work")
    parser.add_argument("--samples", type=int, help="samples of a cell, at most")
    parser.add_argument("--more", action="store_true", help="go on where the table ends")
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
        return check(options.every)
    names = [part.name for part in PARTS if part.name in (options.part or ORDER) and there(part)]
    if options.cost:
        return cost(names)
    if fixed := [name for name in names if options.more and not part_named(name).grows]:
        parser.error(f"no further samples can be drawn of {', '.join(fixed)}: measure them anew")
    done = measure(
        [] if options.page else names, jobs=options.jobs, samples=options.samples, more=options.more
    )
    for name, drawn in done:
        before = read() if RESULTS.exists() else []
        had = [row for row in before if row.part == name]
        rows = pooled(had, drawn) if options.more else drawn
        write(Ledger(before).replaced(name, rows, ORDER).rows)
    rows = read()
    page.write(rows, PARTS)
    new = settle(judge(rows, SECTIONS), accept=options.accept)
    for key in new:
        print(f"misses, and did not before: {', '.join(key)}")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
