"""Cases that were followed until an event, for tests of designs."""

import numpy as np

from rocspace.designs import (
    survival_scores,
)


def drawn(seed=2, n=40, weight=None, strata=None):
    rng = np.random.default_rng(seed)
    time, status = rng.integers(1, 12, n), rng.integers(0, 2, n)
    scores = {"a": rng.integers(0, 9, n), "b": rng.integers(0, 9, n)}
    return survival_scores(time, status, scores, sample_weight=weight, strata=strata, cause=1)


def arguments(seed, n=50, *, causes=1, strata=0, weights=False, levels=6):
    """What `survival_scores` takes: whole times and scores, with many ties."""
    rng = np.random.default_rng(seed)
    return {
        "time": rng.integers(1, 12, n),
        "status": rng.integers(0, causes + 1, n),
        "y_scores": {"a": rng.integers(0, levels, n), "b": rng.integers(0, levels, n)},
        "strata": rng.integers(0, strata, n) if strata else None,
        "sample_weight": rng.integers(1, 4, n).astype(float) if weights else None,
        "cause": 1,
    }
