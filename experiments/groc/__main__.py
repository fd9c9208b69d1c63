"""Run the whole experiment and write its tables, figures and page.

``python -m experiments.groc --data FOLDER`` reads the seven data sets from FOLDER (csv). What was
measured is kept in a cache beside the results; delete it to train again.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from experiments.groc import figures, results, trials
from experiments.groc.data import data_sets
from experiments.groc.page import page
from experiments.groc.results import Described, Gain

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCATTER = "Vehicle"


def main() -> None:
    """Run, or read what an earlier run kept; then write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    beside = os.environ.get("ROCSPACE_SHARED", str(ROOT.parent / "shared"))
    parser.add_argument("--data", type=Path, default=Path(beside) / "data")
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="three splits of eight models")
    options = parser.parse_args()
    plan = trials.Plan.quick() if options.quick else trials.Plan(jobs=options.jobs)
    rows: list[Described] = []
    gains: list[Gain] = []
    static = options.output / "_static"
    static.mkdir(parents=True, exist_ok=True)
    for data in data_sets(options.data):
        for learner in trials.LEARNERS:
            start = time.perf_counter()
            found = trials.run(data, learner, plan, options.results / "cache")
            print(f"{data.name}, {learner}: {time.perf_counter() - start:.0f} s", flush=True)
            for models in (plan.models // 5, plan.models):
                gains += results.gains(data.name, learner, trials.first_models(found, models))
            if learner == "naive Bayes":
                rows += results.described(data, found)
                if data.name == SCATTER:
                    figures.draw_scatter(found, data.name, static / "groc-scatter.png")
    results.write(rows, options.results / "described.csv")
    results.write(gains, options.results / "gains.csv")
    rows = results.read(options.results / "described.csv", Described)  # as they are kept
    gains = results.read(options.results / "gains.csv", Gain)
    figures.draw_simulation(static / "groc-simulation.png")
    figures.draw_two_rankings(static / "groc-rankings.png")
    figures.draw_ratios(static / "groc-ratios.png")
    figures.draw_gains(gains, list(trials.LEARNERS), static / "groc-gains.png")
    text = page(rows, gains, plan.repeats, SCATTER)
    (options.output / "granular_experiment.md").write_text(text, encoding="utf-8")
    print(options.output / "granular_experiment.md")


if __name__ == "__main__":
    main()
