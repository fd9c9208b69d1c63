"""Cases of several classes, and the areas of them, for tests of multiclass."""

import numpy as np

from rocspace.multiclass import (
    hand_till_difference,
    hand_till_estimate,
    mu_auc_difference,
    mu_auc_estimate,
    multiclass_scores,
    one_vs_rest_difference,
    one_vs_rest_estimate,
)

# The reference data of three classes.
MC3_Y = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
MC3_P = np.array(
    [
        (0.7, 0.2, 0.1),
        (0.5, 0.3, 0.2),
        (0.4, 0.4, 0.2),
        (0.2, 0.5, 0.3),
        (0.3, 0.5, 0.2),
        (0.1, 0.6, 0.3),
        (0.4, 0.3, 0.3),
        (0.1, 0.3, 0.6),
        (0.2, 0.2, 0.6),
        (0.3, 0.4, 0.3),
    ]
)
MC3 = multiclass_scores(MC3_Y, MC3_P)
ESTIMATES = {
    "hand-till": hand_till_estimate,
    "mu": mu_auc_estimate,
    "macro": one_vs_rest_estimate,
    "weighted": lambda data, name=None: one_vs_rest_estimate(data, name, average="weighted"),
    "micro": lambda data, name=None: one_vs_rest_estimate(data, name, average="micro"),
}
DIFFERENCES = {
    "hand-till": hand_till_difference,
    "mu": mu_auc_difference,
    "macro": one_vs_rest_difference,
    "weighted": lambda data: one_vs_rest_difference(data, average="weighted"),
    "micro": lambda data: one_vs_rest_difference(data, average="micro"),
}


def drawn(n=60, k=3, seed=1, *, m=2, decimals=1):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), np.arange(k), rng.integers(0, k, n - 2 * k)])
    blocks = {}
    for a in range(m):
        score = rng.normal(size=(n, k)) + 1.2 * np.eye(k)[y]
        blocks[f"c{a}"] = score.round(decimals)
    return multiclass_scores(y, blocks)


def in_clusters(seed=4):
    rng = np.random.default_rng(seed)
    label, cluster = rng.integers(0, 3, 90), np.sort(rng.integers(0, 22, 90))
    score = rng.normal(size=(90, 3)) + np.eye(3)[label] + rng.normal(size=(22, 3))[cluster]
    return label, score, cluster, rng.integers(1, 4, 90).astype(float)


def priced(seed, k=3, n=12, *, steps=0):
    """Probabilities of classes, with ties in `steps` if any, and what wrong calls cost."""
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    p = rng.dirichlet(np.ones(k), n) + 0.3 * np.eye(k)[y]
    if steps:
        p = np.round(p * steps) + 1
    cost = rng.integers(1, 9, (k, k)) * (1 - np.eye(k))
    return multiclass_scores(y, p, classes=range(k)), cost
