"""Several classes: areas and volumes with their standard errors, beside scikit-learn's value alone.

``python -m benchmarks.speed classes`` writes benchmarks/results/classes.{md,csv}; ``--quick`` takes
fewer cases. Each call is made in turn, round after round, and the best of each counts: processor
time of this process, and the elapsed time, which others that use the machine lengthen.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

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
from rocspace.multiclass import (
    hand_till,
    hand_till_estimate,
    hum_estimate,
    mu_auc_estimate,
    multiclass_scores,
    one_vs_rest_estimate,
    ordered_scores,
    pdi_estimate,
    vus_estimate,
)

OURS, THEIRS = "Hand and Till's M with its standard error", "scikit-learn, ovo, value alone"
VUS = "VUS of three classes with its standard error"
VOLUME = 200  # cases of each class whose hypervolume is taken

Row = dict[str, Any]


def drawn(n: int, k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels of k equally frequent classes, and probabilities that know something of them."""
    rng = np.random.default_rng([n, k])
    label = rng.integers(0, k, n)
    score = rng.normal(size=(n, k))
    score[np.arange(n), label] += 1
    return label, np.asarray(softmax(score, axis=1))


def calls(n: int, k: int) -> list[tuple[str, int, int, int, Callable[[], Any]]]:
    """What is timed: its name, cases and classes, how many rounds at most, and the call."""
    from sklearn.metrics import roc_auc_score

    label, p = drawn(n, k)
    data = multiclass_scores(label, p)
    marker = np.random.default_rng(n).normal(size=n) + label % 3
    ordered = ordered_scores(label % 3, marker, order=[0, 1, 2])
    fewer = multiclass_scores(label[: n // 10], p[: n // 10])
    few = multiclass_scores(np.repeat(range(3), VOLUME), drawn(3 * VOLUME, 3)[1])

    def theirs() -> float:
        return float(roc_auc_score(label, p, multi_class="ovo"))

    return [
        (OURS, n, k, 3, lambda: hand_till_estimate(data)),
        (THEIRS, n, k, 1, theirs),
        (VUS, n, 3, 3, lambda: vus_estimate(ordered)),
        ("Hand and Till's M alone", n, k, 3, lambda: hand_till(data)),
        ("check the input", n, k, 3, lambda: multiclass_scores(label, p)),
        ("against the rest, weighted", n, k, 2, lambda: weighted(data)),
        ("mu", n, k, 1, lambda: mu_auc_estimate(data)),
        ("PDI", n // 10, k, 1, lambda: pdi_estimate(fewer)),
        ("HUM, all sets", 3 * VOLUME, 3, 2, lambda: hum_estimate(few)),
    ]


def weighted(data: Any) -> Any:
    return one_vs_rest_estimate(data, average="weighted")


def measured(n: int, k: int) -> list[Row]:
    """Time all calls in turn; the first of ours, which compiles, does not count."""
    found: dict[str, Row] = {}
    todo = calls(n, k)
    hand_till_estimate(multiclass_scores(*drawn(10**5, 3)))
    for turn in range(3):
        for what, cases, classes, rounds, call in todo:
            if turn >= rounds:
                continue
            wall, own = time.perf_counter(), time.process_time()
            answer = call()
            spent = time.process_time() - own, time.perf_counter() - wall
            value = float(answer) if hasattr(answer, "__float__") else ""
            row = found.setdefault(
                what, {"what": what, "n": cases, "classes": classes, "value": value}
            )
            row["seconds"] = min(spent[0], row.get("seconds", np.inf))
            row["elapsed"] = min(spent[1], row.get("elapsed", np.inf))
            print(f"{what:44} {duration(spent[0]):>8} {duration(spent[1]):>8}", flush=True)
    return list(found.values())


def targets(rows: Sequence[Row]) -> list[Target]:
    by_name = {row["what"]: row for row in rows}
    ours, theirs, vus = (by_name[name] for name in (OURS, THEIRS, VUS))
    return [
        Target(f"{OURS}, seconds of processor time", ours["seconds"], 3),
        Target(f"{OURS}, seconds elapsed", ours["elapsed"], 3),
        Target(
            f"{THEIRS} / M with its standard error, processor time",
            theirs["seconds"] / ours["seconds"],
            20,
            at_least=True,
        ),
        Target(f"{VUS}, seconds of processor time", vus["seconds"], 1),
        Target(f"{VUS}, seconds elapsed", vus["elapsed"], 1),
    ]


def report(rows: Sequence[Row], n_sort: int, load: Sequence[float]) -> str:
    head = (
        "# Several classes\n\nWritten by `python -m benchmarks.speed classes`. All calls are made "
        "in turn in one process with one thread; processor time is this process's, elapsed time "
        "includes what others take. When the calls were done, the load of the machine (1, 5, 15 "
        f"minutes) was {', '.join(f'{x:.1f}' for x in load)}."
    )
    gap = abs(next(r["value"] for r in rows if r["what"] == THEIRS) - rows[0]["value"])
    body = [
        [
            row["what"],
            power(row["n"]),
            str(row["classes"]),
            duration(row["seconds"]),
            duration(row["elapsed"]),
        ]
        for row in rows
    ]
    return "\n\n".join(
        [
            head,
            machine.markdown(n_sort),
            f"## Targets\n\n{target_table(targets(rows))}",
            f"## Times\n\n{table(['', 'cases', 'classes', 'processor', 'elapsed'], body)}",
            f"The two values of M differ by {gap:.1e}.",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer cases")
    quick = parser.parse_args(arguments).quick
    n, n_sort = (10**5, 10**5) if quick else (10**6, 10**6)
    machine.describe(n_sort)
    rows = measured(n, 10)
    folder = results_folder(quick)
    write_csv(folder / "classes.csv", rows)
    write_text(folder / "classes.md", report(rows, n_sort, os.getloadavg()))


if __name__ == "__main__":
    main()
