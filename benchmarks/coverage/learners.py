"""Learners for cross-validation: directions fitted to features, weak ones among them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Fit = Callable[[NDArray[np.float64], NDArray[np.bool_]], NDArray[np.float64]]


def best_feature(x: NDArray[np.float64], label: NDArray[np.bool_]) -> NDArray[np.float64]:
    rank = x.argsort(0).argsort(0)
    area = rank[label].mean(0) - rank[~label].mean(0)
    weight = np.zeros(x.shape[1])
    best = int(np.abs(area).argmax())
    weight[best] = np.sign(area[best]) or 1.0
    return weight


def centroid(x: NDArray[np.float64], label: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.asarray(x[label].mean(0) - x[~label].mean(0))


def ridge(x: NDArray[np.float64], label: NDArray[np.bool_]) -> NDArray[np.float64]:
    centred = x - np.where(label[:, None], x[label].mean(0), x[~label].mean(0))
    spread = centred.T @ centred / len(x) + np.eye(x.shape[1])
    return np.asarray(np.linalg.solve(spread, centroid(x, label)))
