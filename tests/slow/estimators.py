"""Nested cross-validation fold by fold, with areas by counting pairs."""

import numpy as np
from sklearn.base import clone


def placements(pos, neg):
    """Who wins each pair of a positive and a negative, ties one half."""
    return (pos[:, None] > neg) + (pos[:, None] == neg) / 2


def nested_difference(models, x, y, tests):
    """Areas of two models on each fold, their mean difference, and its variance.

    Equation by equation: with e the difference on fold k of models that lack it, and f the mean
    difference of models that also lack another, on that one, the variance is
    (j - 1) / j (mean (f - e)^2 - j naive), but from naive to j naive for j folds.
    """
    j = len(tests)

    def scores(model, out, k):
        train = np.setdiff1d(np.arange(len(y)), np.concatenate([tests[i] for i in out]))
        score = clone(model).fit(x[train], y[train]).decision_function(x[tests[k]])
        label = y[tests[k]] == 1
        return score[label], score[~label]

    def gap(out, k):
        return float(np.subtract(*(placements(*scores(m, out, k)).mean() for m in models)))

    def within(k):
        one, two = (placements(*scores(m, [k], k)) for m in models)
        d = one - two
        by_case = [d.mean(axis=1), d.mean(axis=0)]
        return float(sum(v.var(ddof=1) / v.size for v in by_case))

    outer = np.array([gap([k], k) for k in range(j)])
    inner = [np.mean([gap([k, i], i) for i in range(j) if i != k]) for k in range(j)]
    square = np.mean((np.array(inner) - outer) ** 2)
    naive = sum(map(within, range(j))) / j**2
    variance = min(max((j - 1) / j * (square - j * naive), naive), j * naive)
    areas = [[placements(*scores(m, [k], k)).mean() for m in models] for k in range(j)]
    return np.array(areas), outer.mean(), variance
