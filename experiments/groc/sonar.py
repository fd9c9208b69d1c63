"""Write the classifiers of the paper's figure 4: one split of Sonar, 100 naive Bayes models.

``python -m experiments.groc.sonar --data FOLDER`` takes seconds. The split is the first of the 200
of the whole experiment, because each split has a generator of its own.
"""

from __future__ import annotations

import argparse
import csv
import os
from pathlib import Path

from experiments.groc import trials
from experiments.groc.data import data_sets
from rocspace.select import SelectionExperiment

HERE = Path(__file__).parent
NAME, LEARNER = "Sonar", "naive Bayes"


def write(found: SelectionExperiment, path: Path) -> None:
    """Write a row for each model: its measures on validation data, its area on test data."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow([*found.measures, "test_auc"])
        for values, area in zip(found.validation[0].T, found.test[0], strict=True):
            rows.writerow([f"{value:.6g}" for value in (*values, area)])


def main() -> None:
    """Train the models of the first split and write what they measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    beside = os.environ.get("ROCSPACE_SHARED", str(HERE.parents[2] / "shared"))
    parser.add_argument("--data", type=Path, default=Path(beside) / "data")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "sonar.csv")
    options = parser.parse_args()
    (data,) = (each for each in data_sets(options.data) if each.name == NAME)
    write(trials.measured(data, LEARNER, trials.Plan(repeats=1, jobs=1)), options.output)
    print(options.output)


if __name__ == "__main__":
    main()
