"""Put the speed table into README.md, between two markers.

    python -m benchmarks.speed.readme            # rewrite it from benchmarks/results/auc.csv
    python -m benchmarks.speed.readme --check    # exit status 1 where it is not current

The markers are lines of their own: `<!-- speed:begin -->` and `<!-- speed:end -->`.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.speed.common import RESULTS, ROOT, duration, power, table
from benchmarks.speed.entrants import (
    OURS_AUC,
    OURS_CURVE,
    OURS_DELONG,
    OURS_TABLE,
    SKLEARN_AUC,
    SKLEARN_CURVE,
    SORT,
)

BEGIN, END = "<!-- speed:begin -->", "<!-- speed:end -->"
GROWING = "normal float64, 10 % positive"
LEAST, SHOWN = 10**3, (OURS_AUC, OURS_TABLE, OURS_CURVE, OURS_DELONG)
OTHERS = (
    SORT,
    SKLEARN_AUC,
    SKLEARN_CURVE,
    "polars group-by",
    "duckdb group-by",
    "rapidstats",
    "torchmetrics auroc",
    "confidenceinterval",
)


def speed_table(path: Path) -> str:
    """Times by n, and how many times faster than scikit-learn, from the results file."""
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["case"] == GROWING]
    sizes = [n for n in sorted({int(row["n"]) for row in rows}) if n >= LEAST]
    seconds = {(r["entrant"], int(r["n"])): float(r["seconds"]) for r in rows if r["seconds"]}
    body = [
        [f"**{name}**" if name in SHOWN else name, *(_cell(seconds.get((name, n))) for n in sizes)]
        for name in (*SHOWN, *OTHERS)
        if any((name, n) in seconds for n in sizes)
    ]
    for slow, ours in ((SKLEARN_AUC, OURS_AUC), (SKLEARN_CURVE, OURS_CURVE)):
        ratios = [_times(seconds.get((slow, n)), seconds.get((ours, n))) for n in sizes]
        body.append([f"{slow} / {ours}", *ratios])
    return table(["time for n =", *(power(n) for n in sizes)], body)


def _cell(seconds: float | None) -> str:
    return duration(seconds) or "—"


def _times(a: float | None, b: float | None) -> str:
    return f"{a / b:.0f} ×" if a and b else "—"


def with_table(text: str, new: str) -> str:
    """The text with what stands between the markers replaced."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        msg = f"README.md must have {BEGIN} and, after it, {END}, each once."
        raise SystemExit(msg)
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{new}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, tell if current")
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md")
    parser.add_argument("--results", type=Path, default=RESULTS / "auc.csv")
    options = parser.parse_args(arguments)
    for path in (options.readme, options.results):
        if not path.exists():
            print(f"{path} does not exist.", file=sys.stderr)
            return 1
    old = options.readme.read_text()
    new = with_table(old, speed_table(options.results))
    if new == old:
        print(f"{options.readme.name} is current.")
        return 0
    if options.check:
        print(f"{options.readme.name} is not current: python -m benchmarks.speed.readme")
        return 1
    options.readme.write_text(new)
    print(f"rewrote the speed table of {options.readme.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
