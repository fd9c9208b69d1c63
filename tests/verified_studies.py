"""Cases of whom some are verified, for tests of designs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocspace.designs import (
    VerifiedScores,
    verified_scores,
)


def expit(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def study(n: int, seed: int = 1, *, odds: float = 0.0) -> tuple[VerifiedScores, Any]:
    """Draw cases whose verification depends on the score and on a sign; also all labels."""
    draw = np.random.default_rng(seed)
    sign = draw.normal(size=n)
    ill = draw.random(n) < expit(sign - 1)
    test = draw.normal(size=n) + 1.2 * ill + 0.5 * sign
    seen = draw.random(n) < expit(test + 0.5 * sign - 0.5 + odds * ill)
    seen[:4], ill[:4] = True, [True, False, True, False]
    other = draw.normal(size=n) + ill
    truth = np.where(seen, ill, np.nan)
    scores = {"test": test, "other": other}
    return verified_scores(truth, scores, covariates={"sign": sign}), ill
