"""Put the speed table into README.md, between two markers, from the results of the race.

    python -m benchmarks.speed.readme            # rewrite it from benchmarks/results/race.{csv,md}
    python -m benchmarks.speed.readme --check    # exit status 1 where it is not current

The markers are lines of their own: `<!-- speed:begin -->` and `<!-- speed:end -->`. The race itself
does this at its end.
"""

from __future__ import annotations

import argparse
import csv
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from benchmarks.speed.common import RESULTS, ROOT, duration, power, table

BEGIN, END = "<!-- speed:begin -->", "<!-- speed:end -->"
# Who stands in the table; the pages of results have all.
SHOWN = {
    "auc": (
        "auc_score",
        "scors roc_auc",
        "sklearn roc_auc_score",
        "rapidstats",
        "torchmetrics auroc",
        "polars group-by",
        "duckdb group-by",
        "ROCR auc",
        "PRROC roc.curve",
    ),
    "curve": ("roc_curve(tabulate)", "sklearn roc_curve", "torchmetrics roc", "pROC roc"),
    "delong": ("delong(tabulate)", "pauc ci_auc", "confidenceinterval", "pROC ci.auc"),
    "paired": ("rocspace", "pauc", "MLstatkit", "pROC roc.test"),
}
OURS = {"paired": "auc_difference"}  # what is called in the race by the package's name


def speed_table(path: Path) -> str:
    """Median times by n, those of others with their multiple of ours, and who is faster."""
    with path.open(newline="") as file:
        rows = {(r["task"], r["entrant"], int(r["n"])): r for r in csv.DictReader(file)}
    sizes = sorted({n for _, _, n in rows})
    body = []
    for task, names in SHOWN.items():
        for name in names:
            cells = [_cell(rows.get((task, name, n)), name == names[0]) for n in sizes]
            if any(cell != "—" for cell in cells):
                title = f"**{OURS.get(task, name)}**" if name == names[0] else name
                body.append([title if task != "paired" else f"{title}, paired test", *cells])
    slower = [row for row in rows.values() if row["ratio"] and float(row["ratio"]) < 1]
    listed = "; ".join(
        f"{row['entrant']} at {power(int(row['n']))} ({float(row['ratio']):.2f} of our time)"
        for row in slower
        if row["package"] != "rocspace"
    )
    end = f"Faster than we are: {listed}." if listed else "Nobody was faster at any of these sizes."
    end, about = (textwrap.fill(text, 130) for text in (end, _about(path)))
    return f"{about}\n\n{table(['time for n =', *(power(n) for n in sizes)], body)}\n\n{end}"


def _about(path: Path) -> str:
    """Say what was measured, and on which machine: the facts stand beside the table of results."""
    facts: dict[str, str] = {}
    for line in path.with_suffix(".md").read_text().splitlines():
        name, colon, fact = line.removeprefix("- ").partition(": ")
        if line.startswith("- ") and colon:
            facts.setdefault(name, fact)
    return (
        f"Medians of the whole call for n cases, 10 % positive (paired test: half), on "
        f"{facts['cores this process may use']} cores of {facts['processor']}, "
        f"{facts['date'].partition(' ')[0]}; in parentheses how many times as long as ours. "
        "`python -m benchmarks.speed race` measures all and writes `benchmarks/results/race.md`, "
        "with the range of each ratio and the difference of each answer from ours."
    )


def _cell(row: dict[str, str] | None, ours: bool) -> str:
    if row is None or not row["median"]:
        return "—"
    took = duration(float(row["median"]))
    if ours:
        return took
    times = float(row["ratio"])
    said = f"{times:.0f}" if times >= 10 else f"{times:.2g}"
    return f"{took} ({said}\N{NO-BREAK SPACE}×)"  # no line ends between them


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
    parser.add_argument("--results", type=Path, default=RESULTS / "race.csv")
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
