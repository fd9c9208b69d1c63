"""Variances of areas of several classes where cases come in clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocspace._base.arrays import Ints, Vector
from rocspace.counts.weights import effective_size
from rocspace.inference.clustered import ClusterShares, matched_df
from rocspace.inference.spread import Spread, class_spread


def shares_of(cluster: Ints, many: int, deviation: Vector, w: Vector) -> ClusterShares:
    """Return what the cases of one class contribute to an area, by cluster."""
    whole = float(w.sum())
    held = np.bincount(cluster, w, many).astype(np.float64)
    sums = np.bincount(cluster, w * deviation, many) / whole
    mean = sums * whole / np.where(held > 0, held, 1.0)
    within = float((w * (deviation - mean[cluster]) ** 2).sum()) / whole
    return ClusterShares(
        sums=sums[None],
        held=held / whole,
        squares=np.bincount(cluster, w * w, many) / whole**2,
        within=np.array([within]),
        factor=_factor(int(np.count_nonzero(held))),
        weight=held,
    )


def clustered_spread(parts: Sequence[ClusterShares], *, contrast: bool) -> Spread:
    """Return the variance over clusters, and its degrees of freedom: O(k^2 I).

    Squares and products are summed over the clusters, as Obuchowski does for two classes. The
    degrees of freedom are Bell and McCaffrey's; of a single area they are no more than those of
    the fourth moments.
    """
    whole = np.sum([part.sums[0] for part in parts], axis=0)
    n, square = whole.size, whole**2
    of_all = _factor(n)
    extra = sum((part.factor - of_all) * float((part.sums[0] ** 2).sum()) for part in parts)
    variance = of_all * float(square.sum()) + extra
    if not variance > 0:
        return Spread(variance=0.0 if variance <= 0 else np.nan, df=0.0)
    df = _leverage_df(parts)
    if not contrast:
        shape = class_spread(float(square.sum()) * n**2, float((square**2).sum()) * n**4, n, n)
        df = min(df, shape.df)
    return Spread(variance=variance, df=max(df, 1.0))


def _factor(n: int) -> float:
    return n / (n - 1) if n > 1 else float("nan")


def _leverage_df(parts: Sequence[ClusterShares]) -> float:
    """Return Bell and McCaffrey's degrees of freedom.

    As `rocspace.inference.clustered.ClusteredComponents.leverage_df`, for several classes, whose
    contributions are taken to be independent of each other.
    """
    k = len(parts)
    held = np.stack([part.held for part in parts])
    r = np.array([part.intraclass(0) for part in parts])[:, None]
    of = (1 - r) * np.stack([part.squares for part in parts]) + r * held**2
    columns, diagonal = np.concatenate([held, of]), of.sum(axis=0)
    mixed = np.zeros((2 * k, 2 * k))
    mixed[:k, :k] = np.diag(of.sum(axis=1))
    mixed[:k, k:] = mixed[k:, :k] = -np.eye(k)
    return matched_df(columns, mixed, diagonal)


def cluster_sets(parts: Sequence[ClusterShares]) -> float:
    """Return the number of disjoint sets of clusters, one for each class."""
    least = min(effective_size(part.weight) for part in parts)
    return float(min(least, parts[0].held.size / len(parts)))
