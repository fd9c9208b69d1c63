"""Areas of several classes pair by pair, and their variances case by case."""

from itertools import product

import numpy as np

from rocspace.multiclass import (
    multiclass_scores,
)


def by_pairs(data, i, j, *, mu=False):
    """A(i|j), pair by pair."""
    score = data.score[:, 0]
    column = score[:, i] - score[:, j] if mu else score[:, i]
    ours, theirs = column[data.label == i], column[data.label == j]
    return np.mean([(x > z) + (x == z) / 2 for x, z in product(ours, theirs)])


def jackknife_of_class(value, data, i):
    """Variance from leaving out one case of a class at a time; exact for components."""
    rows = np.flatnonzero(data.label == i)
    left = []
    for c in rows:
        kept = np.arange(len(data)) != c
        left.append(value(multiclass_scores(data.label[kept], data.score[kept, 0])))
    left = np.array(left)
    n = rows.size
    # The area is a mean over the cases of the class: each pseudo-value is a contribution.
    return ((left - left.mean()) ** 2).sum() * (n - 1) ** 2 / n / (n - 1)


def least_cost_around(data, cost):
    """The least cost over points around all crossings of lines, by what is really called."""
    log = np.log(data.score[:, 0].astype(float))
    lines = [(1, 0, log[:, 0] - log[:, 1]), (0, 1, log[:, 0] - log[:, 2])]
    lines.append((-1, 1, log[:, 1] - log[:, 2]))
    rows = np.array([(a, b, c) for a, b, values in lines for c in values])
    spots = [np.zeros(2)]
    for i in range(len(rows)):
        for j in range(i):
            both = rows[[i, j], :2]
            if abs(np.linalg.det(both)) > 0.5:
                spots.append(np.linalg.solve(both, rows[[i, j], 2]))
    turn = np.linspace(0.1, 2 * np.pi + 0.1, 24, endpoint=False)
    around = np.column_stack([np.cos(turn), np.sin(turn)])
    points = (np.array(spots)[:, None] + np.concatenate([1e-5 * around, 30 * around])).reshape(
        -1, 2
    )
    shift = np.column_stack([np.zeros(len(points)), points])
    called = (shift[:, None] + log).argmax(axis=2)
    return cost[called, data.label].mean(axis=1).min()


def placements_by_pairs(data):
    """`area`, `wins` and `losses` of `PairPlacements`: every case against every other one."""
    n, k, score = len(data), len(data.classes), data.score[:, 0]
    w, label = data.case_weight, data.label
    area, wins, losses = np.full((k, k), np.nan), np.zeros((n, k)), np.zeros((n, k))
    for c, j in product(range(n), range(k)):
        i, others = label[c], label == j
        if i == j or not others.any():
            continue
        own, theirs = score[c, i], score[others, i]
        wins[c, j] = np.average((own > theirs) + (own == theirs) / 2, weights=w[others])
        own, theirs = score[c, j], score[others, j]
        losses[c, j] = np.average((theirs > own) + (theirs == own) / 2, weights=w[others])
    for i, j in product(range(k), range(k)):
        if i != j and (label == i).any() and (label == j).any():
            area[i, j] = np.average(wins[label == i, j], weights=w[label == i])
    return area, wins, losses
