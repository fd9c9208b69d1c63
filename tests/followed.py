"""Censoring by definition, for tests of events that come later."""

import numpy as np


def slow_weight(data, i, at):
    """One over the probability of not being censored, by products over the times of censoring."""
    over = data.time[i] <= at
    if over and data.status[i] == 0:
        return 0.0
    free, w = 1.0, data.case_weight
    same = np.ones(len(data), bool) if data.stratum is None else data.stratum == data.stratum[i]
    for u in np.unique(data.time[(data.status == 0) & same]):
        if u < data.time[i] if over else u <= at:
            lost = w[(data.time == u) & (data.status == 0) & same].sum()
            risk = w[((data.time > u) | ((data.time == u) & (data.status == 0))) & same].sum()
            free *= 1 - lost / risk
    return 1 / free
