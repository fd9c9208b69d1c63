"""Three scores of the same 90 cases, one of them wild, that tests of the command line share."""

import numpy as np

RNG = np.random.default_rng(4)
N = 90
LABEL = RNG.integers(0, 2, N)
NEW = np.round(RNG.normal(LABEL, 1.0), 2)
OLD = np.round(0.5 * NEW + RNG.normal(0.3 * LABEL, 1.0), 2)
WILD = np.round(RNG.normal(0.2 * LABEL, 1.0), 1)
SCORES = {"new": NEW, "old": OLD, "wild": WILD}
