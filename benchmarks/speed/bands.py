"""Simultaneous bands, side by side with rocci in one process: 2000 replicates.

``python -m benchmarks.speed bands`` writes benchmarks/results/bands.{md,csv}; ``--quick``
runs one round on fewer cases.
"""

from __future__ import annotations

import argparse
import importlib.util
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import rocspace as rs
from benchmarks.speed.common import (
    Race,
    Target,
    duration,
    power,
    results_folder,
    table,
    target_table,
    write_csv,
    write_text,
)
from rocspace.bands import difference_band, roc_band

SIZES, QUICK_SIZES = (10_000, 100_000, 1_000_000), (10_000,)
N_BOOT = 2000
DIFFERENCE = "rocspace, difference of two curves"  # which rocci does not have
METHODS = ("envelope", "likelihood", "fixed-width", "ks")


def cases(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    label = rng.random(n) < 0.5
    return label, rng.normal(size=n) + 1.2 * label


def entrants(n: int) -> dict[str, Callable[[], Any]]:
    """Every entrant begins with labels and scores."""
    label, score = cases(n)

    def ours(method: str) -> Callable[[], Any]:
        return lambda: (
            roc_band(
                rs.tabulate(label, score),
                method=method,  # type: ignore[arg-type]
                n_boot=N_BOOT,
                rng=1,
                progress=False,
            ).area
        )

    def difference() -> float:
        both = {"one": score, "two": score + np.random.default_rng(2).normal(size=n)}
        band = difference_band(rs.pair_scores(label, both), n_boot=N_BOOT, rng=1, progress=False)
        return float(np.trapezoid(band.high - band.low, band.fpr))

    made = {f"rocspace {method}": ours(method) for method in METHODS}
    made[DIFFERENCE] = difference
    if importlib.util.find_spec("rocci") is not None:
        import rocci

        number = label.astype(int)

        def peer() -> float:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return float(rocci.roc_band(number, score, n_boot=N_BOOT, random_state=1).band_area)

        made["rocci"] = peer
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args(arguments).quick
    records, lines, targets = [], [], []
    for n in QUICK_SIZES if quick else SIZES:
        laps = Race(rounds=1 if quick else 5, budget=60.0).run(entrants(n))
        peer = laps["rocci"].seconds if "rocci" in laps else None
        for name, lap in laps.items():
            records.append(
                {
                    "n": n,
                    "entrant": name,
                    "seconds": lap.seconds,
                    "area": lap.answer,
                    "error": lap.error,
                }
            )
            ratio = "" if peer is None or name == DIFFERENCE else f"{peer / lap.seconds:.1f}"
            area = "" if lap.answer is None else f"{lap.answer:.4g}"
            lines.append([f"{power(n)}, {name}", duration(lap.seconds), ratio, area])
        if n == 100_000 or quick:
            own = laps["rocspace envelope"].seconds
            speed = None if peer is None else peer / own
            targets.append(
                Target(
                    f"envelope at n = {power(n)}, times as fast as rocci", speed, 5, at_least=True
                )
            )
    text = (
        "# Bands\n\nFrom labels and scores to a simultaneous band at 0.95, 2000 replicates where\n"
    )
    text += (
        "some are drawn; best of the rounds, entrants in turn in one process. The area between\n"
    )
    text += (
        "the bounds says how much the band tells (smaller is more). The difference is that of two\n"
    )
    text += "scores of the same cases.\n\n"
    text += table(["cases, entrant", "time", "× as fast as rocci", "area"], lines)
    text += "\n\n" + target_table(targets)
    folder = results_folder(quick)
    write_csv(folder / "bands.csv", records)
    write_text(folder / "bands.md", text)


if __name__ == "__main__":
    main()
