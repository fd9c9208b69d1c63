"""How much of an unseen case does the interval of the average precision take?

The default interval of ``bootstrap(table, "average_precision")`` is Wilson's with the variance of
`pr_area_estimate`. Its lower limit allows for part of a negative at the most positive score, and of
a positive at the least positive one (`rocspace.curves.pr`). This program measures, on the same
samples, what the interval of level .95 covers, and its mean width beside that without an unseen
case, and the same of the bootstrap's former default ("bca", 200 replicates). Development and
validation are the populations of the ledger of these names.

    python -m benchmarks.constants.average_precision               # writes benchmarks/results
    python -m benchmarks.constants.average_precision --samples 50  # printed only
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from unittest.mock import patch

import numpy as np

from benchmarks.constants.choices import Situation, main
from benchmarks.coverage.ledger import LEVEL, SEED
from benchmarks.coverage.margins import MARGINS
from benchmarks.coverage.wide import BOOT_SIZES
from rocspace.resampling import bootstrap

PARTS = {
    "no unseen case": 0.0,
    "an eighth of a case": 0.125,
    "chosen: a quarter": 0.25,
    "a half": 0.5,
}
CHOICES = (*PARTS, "bca")


def situations(samples: int) -> Iterator[Situation]:
    for margin, size in product(MARGINS, BOOT_SIZES):
        truth = margin.average_precision(size[0] / sum(size), steps=True)
        rng = np.random.default_rng([SEED, 62, *size])
        found = np.empty((len(CHOICES), samples, 2))
        for i in range(samples):
            sample = bootstrap(
                margin.draw(*size, rng),
                "average_precision",
                n_boot=200,
                rng=rng,
                threads=1,
                progress=False,
            )
            for j, part in enumerate(PARTS.values()):
                with patch("rocspace.curves.pr._UNSEEN", part):
                    interval = sample.interval(LEVEL)
                found[j, i] = truth in interval, interval.width
            interval = sample.interval(LEVEL, method="bca")
            found[-1, i] = truth in interval, interval.width
        cover, width = found.mean(axis=1).T
        where = f"{margin.name}, {size[0]} + {size[1]}"
        yield Situation(margin.role, where, cover, width / width[0])


if __name__ == "__main__":
    main(__doc__, "average_precision", CHOICES, situations, samples=200)
