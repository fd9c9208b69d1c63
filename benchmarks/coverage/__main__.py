"""Do intervals, bands and tests hold their level? Measured where the truth is known.

``python -m benchmarks.coverage`` measures all parts on binormal, skewed, tied, tiny, unbalanced
and near-perfect populations, and writes benchmarks/results/coverage.csv, docs/coverage.md and its
figure, in about half an hour on one core; ``--jobs 2`` shares the parts among processes.
Named parts (``python -m benchmarks.coverage areas bands``) are measured alone, and the rows of
the others kept. ``--quick`` draws few
samples, writes nothing, and fails if anything is no longer what the committed table says. Each
part has a seed of its own: the numbers do not depend on which parts are measured, in what order,
or by how many processes.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed

from benchmarks.coverage import page
from benchmarks.coverage.ledger import RESULTS, Ledger, Part, Row, drifted, read, write
from benchmarks.coverage.parts import ORDER, PARTS


def measured(part: str, quick: bool) -> tuple[str, list[Row], float]:
    """Measure one part; by name, so that processes need not be handed functions."""
    start = time.process_time()
    (found,) = (p for p in PARTS if p.name == part)
    return part, found.measure(quick=quick), time.process_time() - start


def measure(
    names: Sequence[str], *, quick: bool = False, jobs: int = 1
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the rows of each part as it is done, and say so."""
    if jobs == 1:
        for name in names:
            yield tell(*measured(name, quick))
        return
    with ProcessPoolExecutor(jobs) as pool:
        for done in as_completed(submit(pool, names, quick)):
            yield tell(*done.result())


def submit(
    pool: Executor, names: Sequence[str], quick: bool
) -> list[Future[tuple[str, list[Row], float]]]:
    return [pool.submit(measured, name, quick) for name in names]


def tell(name: str, rows: list[Row], seconds: float) -> tuple[str, list[Row]]:
    print(f"{name}: {len(rows)} rows, {seconds:.0f} s", file=sys.stderr, flush=True)
    return name, rows


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
    parser.add_argument("part", nargs="*", help=f"all, or some of {', '.join(ORDER)}")
    parser.add_argument("--quick", action="store_true", help="check against the committed table")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the parts")
    parser.add_argument("--page", action="store_true", help="write the page only")
    options = parser.parse_args(arguments)
    if unknown := set(options.part) - set(ORDER):
        parser.error(f"no such part: {', '.join(sorted(unknown))}. Parts are {', '.join(ORDER)}")
    if options.quick:
        return check()
    names = [part.name for part in PARTS if part.name in (options.part or ORDER) and there(part)]
    for name, rows in measure([] if options.page else names, jobs=options.jobs):
        before = read() if RESULTS.exists() else []
        write(Ledger(before).replaced(name, rows, ORDER).rows)
    page.write(read(), PARTS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
