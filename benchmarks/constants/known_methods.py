"""What do known methods cover where ours took their place? The figures of "What fails".

The page on our own methods says why each was made. This program measures it: percentile and BCa
intervals of Youden's index of a score that knows nothing, BCa of a false positive rate, percentile
intervals of the best threshold, the area of a precision-recall curve without an unseen case, and M
of called names with equal parts of an unseen case.

    python -m benchmarks.constants.known_methods       # writes benchmarks/results, some minutes
    python -m benchmarks.constants.known_methods 20    # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.constants.unseen_classes import intervals as of_classes
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import BY_NAME, Margin, normal, scaled
from benchmarks.pages import keep, told
from rocspace.counts import ScoreTable
from rocspace.curves import pr_area_estimate
from rocspace.multiclass import hand_till_estimate, multiclass_scores
from rocspace.operating import threshold_bootstrap
from rocspace.resampling import bootstrap, fpr_at
from rocspace.resampling.bootstrapping import BootstrapMethod

N_SIM, N_BOOT = 500, 500
Ends = tuple[float, float]
Ask = Callable[[Any, int], dict[str, Ends]]
BOTH = (5, 5), (5, 50), (20, 20), (50, 50), (200, 200)
CALLED = (5, 5, 50, 50, 50, 50)


def covered(
    what: str, draw: Callable[[np.random.Generator], Any], ask: Ask, truth: float, n_sim: int
) -> Iterator[str]:
    """Yield a row for each method that `ask` names."""
    rng = np.random.default_rng([SEED, 78, len(what)])
    ends: dict[str, list[Ends]] = {}
    for i in range(n_sim):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, found in ask(draw(rng), i).items():
                ends.setdefault(name, []).append(found)
    for name, found_of in ends.items():
        low, high = np.array(found_of).T
        share = 100 * ((low - 1e-12 <= truth) & (truth <= high + 1e-12)).mean()
        yield f"| {what} | {name} | {share:.1f} | {(high - low).mean():.3g} | {n_sim} |"


def resampled(statistic: Any, *methods: BootstrapMethod) -> Ask:
    def ask(table: ScoreTable, i: int) -> dict[str, Ends]:
        drawn = bootstrap(table, statistic, n_boot=N_BOOT, rng=i, threads=1, progress=False)
        said = {name: tuple(drawn.interval(LEVEL, method=name)) for name in methods}
        return {"ours": tuple(drawn.interval(LEVEL)), **said}  # type: ignore[dict-item]

    return ask


def thresholds(table: ScoreTable, i: int) -> dict[str, Ends]:
    drawn = threshold_bootstrap(table, n_boot=N_BOOT, rng=i, progress=False)
    methods = {"ours": "smoothed", "percentile": "percentile"}
    return {
        name: tuple(drawn.interval(LEVEL, method=method))  # type: ignore[arg-type, misc]
        for name, method in methods.items()
    }


def precision(table: ScoreTable, _: int) -> dict[str, Ends]:
    found = pr_area_estimate(table)
    with patch("rocspace.curves.pr._UNSEEN", 0.0):
        without = tuple(pr_area_estimate(table).interval(LEVEL))
    return {"ours": tuple(found.interval(LEVEL)), "no unseen case": without}  # type: ignore[dict-item]


def names(rng: np.random.Generator) -> Any:
    """Draw called names at chance: 0 or 1 for each class, whatever the true one."""
    k = len(CALLED)
    label = np.repeat(np.arange(k), CALLED)
    return multiclass_scores(label, np.eye(k)[rng.integers(k, size=label.size)], classes=range(k))


def parts(data: Any, i: int) -> dict[str, Ends]:
    _, equal, present, _ = of_classes(hand_till_estimate(data))
    return {"ours": present, "equal parts": equal}


def simulated(n_sim: int) -> Iterator[str]:
    nothing, near = normal(0.5), normal(0.98)
    for size in BOTH:
        ask = resampled("youden", "percentile", "bca")
        yield from covered(
            f"Youden's index, {nothing.name}, {size[0]} + {size[1]}",
            drawing(nothing, size),
            ask,
            0.0,
            n_sim,
        )
    one = scaled(0.9)
    yield from covered(
        "fpr at tpr .95, exponential, area 0.9, 20 + 50",
        drawing(one, (20, 50)),
        resampled(fpr_at(0.95), "bca"),
        float(one.fpr_at(0.95)),
        n_sim,
    )
    shapes = normal(0.9, 2), normal(0.97, 2), scaled(0.9), normal(0.9)
    for margin, size in (*product(shapes, ((20, 100), (100, 20))), (near, (5, 100))):
        yield from covered(
            f"best threshold, {margin.name}, {size[0]} + {size[1]}",
            drawing(margin, size),
            thresholds,
            margin.best_threshold()[0],
            n_sim,
        )
    hooked = BY_NAME["hooked, sd 0.333, area 0.85"]
    yield from covered(
        f"precision-recall area, {hooked.name}, 200 + 20",
        drawing(hooked, (200, 20)),
        precision,
        hooked.average_precision(200 / 220, steps=False),
        4 * n_sim,
    )
    yield from covered(
        f"M of called names at chance, {' + '.join(map(str, CALLED))}",
        names,
        parts,
        0.5,
        4 * n_sim,
    )


def drawing(margin: Margin, size: tuple[int, int]) -> Callable[[np.random.Generator], Any]:
    return lambda rng: margin.draw(*size, rng)


def page(n_sim: int) -> str:
    lines = [
        "# Known methods where ours took their place",
        "",
        f"`python -m benchmarks.constants.known_methods`, seed {SEED}, level .95, {N_BOOT}",
        "replicates: percent covered, mean width, and samples.",
        "",
        "| situation | interval | covered | width | samples |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    return told(lines, simulated(n_sim))


if __name__ == "__main__":
    keep("known_methods", page, N_SIM)
