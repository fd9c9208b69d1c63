"""How many unseen heavy cases does the likelihood band take? Containment against width.

Where importance weights vary within a class, the band's effective numbers of cases allow for some
cases of the largest weight on either side of each threshold (`rocspace.bands.likelihood_band`). On
the samples of `heavy_case.py` this program measures, for some numbers of them, how often the band
of level .95 contains the whole true curve, and its mean area beside that of the band that takes
weights to be blind to scores. The kinds of the development half served to choose.

    python -m benchmarks.constants.heavy_band                  # writes benchmarks/results
    python -m benchmarks.constants.heavy_band --samples 20     # so many samples, printed only
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import product
from unittest.mock import patch

import numpy as np

from benchmarks.constants.choices import Situation, main
from benchmarks.constants.heavy_case import ADDED, KINDS
from benchmarks.coverage.ledger import LEVEL, SEED
from rocspace.bands import likelihood_band
from rocspace.simulate import binormal

CHOICES = {
    "blind to scores": 0.0,
    "chosen: 1 case on either side": 2.0,
    "1/4 case on either side": 0.5,
}


def situations(samples: int) -> Iterator[Situation]:
    for role, (kinds, sizes) in KINDS.items():
        for (seed, (name, draw, area)), size in product(enumerate(kinds), sizes):
            rng = np.random.default_rng([SEED, 62, seed, *size])
            curve = binormal(area).tpr_at
            found = np.empty((samples, len(CHOICES), 2))
            for i in range(samples):
                table = draw(area, *size, rng)
                for j, added in enumerate(CHOICES.values()):
                    with patch(ADDED, added):
                        band = likelihood_band(table, level=LEVEL, informative=added > 0)
                    found[i, j] = band.contains(curve), band.area
            cover, width = found.mean(axis=0).T
            where = f"{name}, {size[0]} + {size[1]}"
            yield Situation(role, where, cover, width / width[0])


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # each sample that lacks heavy cases says so
    main(__doc__, "heavy_band", tuple(CHOICES), situations, samples=100)
