"""Censoring, concordance and incident cases by their definitions, case by case."""

import numpy as np


def later(data, i, j):
    """Whether j outlives the event of i."""
    same = data.time[j] == data.time[i] and data.status[j] == 0
    return data.time[j] > data.time[i] or same


def slow_concordance(data, method, until=np.inf):
    score, w, sums = data.column("a"), data.case_weight, np.zeros(2)
    for i in np.flatnonzero((data.status == 1) & (data.time < until)):
        for j in range(len(data)):
            if later(data, i, j):
                # At its own time a case with an event counts by what came before it.
                both = (slow_kept(data, k, data.time[i]) for k in (i, j))
                g = 1 / np.prod(list(both)) if method == "uno" else 1.0
                win = (score[i] > score[j]) + (score[i] == score[j]) / 2
                sums += w[i] * w[j] * g * np.array([win, 1])
    return sums[0] / sums[1]


def slow_kept(data, k, before):
    """The probability of a case not to be censored before a time, by those of its stratum."""
    free, w = 1.0, data.case_weight
    same = np.ones(len(data), bool) if data.stratum is None else data.stratum == data.stratum[k]
    for u in np.unique(data.time[(data.status == 0) & same & (data.time < before)]):
        lost = same & (data.time == u) & (data.status == 0)
        free *= 1 - w[lost].sum() / w[same & (data.time > u) | lost].sum()
    return free


def slow_shares(data):
    """The times of events with followers, and the share that each case beats."""
    score, w = data.column("a"), data.case_weight
    found = {}
    for i in np.flatnonzero(data.status == 1):
        rest = [j for j in range(len(data)) if later(data, i, j)]
        if rest:
            wins = [(score[i] > score[j]) + (score[i] == score[j]) / 2 for j in rest]
            found[i] = np.average(wins, weights=w[rest])
    return found


def slow_integrated(data, until=np.inf):
    w, shares, free, sums = data.case_weight, slow_shares(data), 1.0, np.zeros(2)
    for t in np.unique(data.time[data.status == 1]):
        here = [i for i in np.flatnonzero(data.time == t) if data.status[i] == 1]
        died, risk = w[here].sum(), w[data.time >= t].sum()
        before, free = free, free * (1 - died / risk)
        if here[0] in shares and t < until:
            area = np.average([shares[i] for i in here], weights=w[here])
            sums += before * died / risk * free * np.array([area, 1])
    return sums[0] / sums[1]


def slow_incident(data, at, width):
    shares = slow_shares(data)
    cases = np.array(list(shares))
    step = data.time[cases] - at
    kernel = np.sqrt(data.case_weight[cases] * np.maximum(1 - (step / width) ** 2, 0))
    design = np.column_stack([np.ones(cases.size), step])
    line = np.linalg.lstsq(design * kernel[:, None], kernel * list(shares.values()), rcond=None)
    return line[0][0]


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


def slow_area(data, at, controls="not-failed"):
    """The area as a double sum over cases and controls."""
    score, w = data.column("a"), data.case_weight
    factor = np.array([slow_weight(data, i, at) for i in range(len(data))]) * w
    case = (data.time <= at) & (data.status == 1)
    control = data.time > at
    if controls == "not-failed":
        control |= (data.time <= at) & (data.status > 1)
    wins = (score[:, None] > score) + (score[:, None] == score) / 2
    pairs = np.outer(factor * case, factor * control)
    return (pairs * wins).sum() / pairs.sum()


def slow_se(value, w):
    """The root of the mean square of n times the slopes by each weight, with n - 1 for n."""
    slopes, step, n = [], 1e-5, w.sum()
    for i in range(w.size):
        moved = step * (np.arange(w.size) == i)
        slopes.append(n * (value(w + moved) - value(w - moved)) / 2 / step)
    return np.sqrt((w * np.square(slopes)).sum() / n / (n - 1))
