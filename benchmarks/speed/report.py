"""How long a report takes to make and to open, and how large it is.

Normal scores of a tenth of positives, continuous, so that every row is a distinct score. "Made"
is what the numbers and the page take in this process; "opened" is a new page of Chromium, from
going to the file until the first curves can be read and until every chart is drawn, the
network off. The page carries only the points that a picture needs, so its size hardly grows.

    python -m benchmarks.speed report --quick
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.speed import machine
from benchmarks.speed.common import (
    Target,
    duration,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from rocspace.report import More, summarise, write_html

Row = dict[str, Any]

_ABOUT = (
    "Made: counting, every number (bands and, of several scores, 200 to 1000 replicates of a "
    "difference among them), the page. Opened in Chromium from a file, network off."
)

_DRAWN = """() => {
  const drawn = document.documentElement.dataset.drawn === "yes";
  return drawn || document.querySelectorAll('[data-chart="roc"] svg').length > 0;
}"""


def make(n: int, n_scores: int, path: Path) -> Row:
    """Make a report of n cases, with everything in it, and time its parts."""
    rng = np.random.default_rng(n)
    y = rng.random(n) < 0.1
    columns = {f"score {i}": rng.normal(size=n) + (1.5 - 0.2 * i) * y for i in range(n_scores)}
    start = time.perf_counter()
    cases = rs.pair_scores(y, columns)
    tables = {name: cases.table(name) for name in columns}
    counted = time.perf_counter()
    data = cases if n_scores > 1 else None
    summary = summarise(tables, data=data, more=More(progress=False))
    numbers = time.perf_counter()
    write_html(summary, path)
    return {
        "n": n,
        "scores": n_scores,
        "count": counted - start,
        "numbers": numbers - counted,
        "page": time.perf_counter() - numbers,
        "bytes": path.stat().st_size,
    }


def open_page(path: Path, repeats: int) -> Row:
    """Open a page several times in one browser; the best time counts."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser")
    best = {"first": float("inf"), "opened": float("inf")}
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for _ in range(repeats):
            context = browser.new_context(offline=True, viewport={"width": 1200, "height": 900})
            page = context.new_page()
            start = time.perf_counter()
            page.goto(path.as_uri(), wait_until="commit")
            page.wait_for_function(_DRAWN, polling=10)
            best["first"] = min(best["first"], time.perf_counter() - start)
            page.wait_for_selector("html[data-drawn=yes]", timeout=120_000)
            best["opened"] = min(best["opened"], time.perf_counter() - start)
            context.close()
        browser.close()
    return best


def targets(rows: Sequence[Row]) -> list[Target]:
    """What a report of a million rows may cost its reader."""
    found = []
    for row in (row for row in rows if row["n"] >= 10**6):
        of = f"{row['scores']} score{'s' if row['scores'] > 1 else ''}, n = {power(row['n'])}"
        found += [
            Target(f"{of}, all charts drawn, s", row["opened"], 2),
            Target(f"{of}, size, MB", row["bytes"] / 1e6, 3),
        ]
    return found


def report(rows: Sequence[Row], n_sort: int) -> str:
    """The table and the targets as one page."""
    head = ["rows", "scores", "count", "numbers", "page", "size", "first curves", "all drawn"]
    lines = [
        [
            *(power(row["n"]), str(row["scores"])),
            *(duration(row[key]) for key in ("count", "numbers", "page")),
            f"{row['bytes'] / 1e6:.2f} MB",
            *(duration(row[key]) for key in ("first", "opened")),
        ]
        for row in rows
    ]
    aim = targets(rows)
    return "\n\n".join(
        [
            "# What a report costs\n\nWritten by `python -m benchmarks.speed report`.",
            _ABOUT,
            machine.markdown(n_sort),
            *([f"## Targets\n\n{target_table(aim)}"] if aim else []),
            f"## Reports\n\n{table(head, lines)}",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small samples, under a minute")
    parser.add_argument("--repeats", type=int, default=5, help="times that a page is opened")
    options = parser.parse_args(arguments)
    sizes = [(10**4, 2)] if options.quick else [(10**6, 1), (10**4, 2), (10**6, 2)]
    n_sort = 10**6
    machine.describe(n_sort)
    where, rows = results_folder(options.quick), []
    with tempfile.TemporaryDirectory() as folder:
        for n, n_scores in sizes:
            path = Path(folder) / "report.html"
            row = make(n, n_scores, path)
            row |= open_page(path, options.repeats)
            rows.append(row)
            print(row, flush=True)
            # A long run that is cut short leaves what it has measured.
            write_csv(where / "report.csv", rows)
            write_text(where / "report.md", report(rows, n_sort))


if __name__ == "__main__":
    main()
