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


def clustered_spread(parts: Sequence[ClusterShares], *, classes: int, contrast: bool) -> Spread:
    """Return the variance over clusters, and its degrees of freedom: O(k^2 I).

    Squares and products are summed over the clusters, as Obuchowski does for two classes. His
    factor I / (I - 1) is exact for clusters of one size; the factors here make the variance free of
    bias under a working model, as Bell and McCaffrey do: within a cluster all contributions of one
    class have the same correlation, and those of several classes none. The degrees of freedom are
    theirs, too; of a single area they are no more than those of the fourth moments. The first
    `classes` parts are those of classes, another is of the shares.
    """
    held, of = _working_model(parts, _intraclass(parts, classes))
    factors = _factors(held, of)
    whole = np.sum([part.sums[0] for part in parts], axis=0)
    n, square = whole.size, whole**2
    of_all, own = _factor(n), np.array([float((part.sums[0] ** 2).sum()) for part in parts])
    variance = of_all * float(square.sum()) + float((factors - of_all) @ own)
    if not variance > 0:
        return Spread(variance=0.0 if variance <= 0 else np.nan, df=0.0)
    df = _leverage_df(held, of, factors)
    if not contrast:
        shape = class_spread(float(square.sum()) * n**2, float((square**2).sum()) * n**4, n, n)
        df = min(df, shape.df)
    return Spread(variance=variance, df=max(df, 1.0))


def _factor(n: int) -> float:
    return n / (n - 1) if n > 1 else float("nan")


def _intraclass(parts: Sequence[ClusterShares], classes: int) -> Vector:
    """Return the intraclass correlation of each part: one pooled value for all classes.

    Two clusters are too few to estimate the correlation of one class by itself.
    """
    r = np.array([part.intraclass(0) for part in parts])
    freedom = np.array([np.count_nonzero(part.held) - 1 for part in parts[:classes]])
    if freedom.any():
        r[:classes] = np.average(r[:classes], weights=freedom)
    return r


def _working_model(parts: Sequence[ClusterShares], intraclass: Vector) -> tuple[Vector, Vector]:
    """Return what each cluster holds of each part, and the variance of its sum but for a scale."""
    held, r = np.stack([part.held for part in parts]), intraclass[:, None]
    return held, (1 - r) * np.stack([part.squares for part in parts]) + r * held**2


def _factors(held: Vector, of: Vector) -> Vector:
    """Return by what the squares of each part are to be multiplied: nan for a single cluster.

    A sum of a cluster has lost the cluster's share of the class's whole, whose variance is `of`
    summed over the clusters.
    """
    whole = of.sum(axis=1)
    left = whole - 2 * (of * held).sum(axis=1) + (held**2).sum(axis=1) * whole
    few = np.count_nonzero(held, axis=1) < 2
    return np.where(few, np.nan, whole / np.where(few, 1.0, left))


def _leverage_df(held: Vector, of: Vector, factors: Vector) -> float:
    """Return Bell and McCaffrey's degrees of freedom.

    As `rocspace.inference.clustered.ClusteredComponents.leverage_df`, for several classes, whose
    contributions are taken to be independent of each other.
    """
    k = len(factors)
    columns, diagonal = np.concatenate([held, of]), factors @ of
    mixed = np.zeros((2 * k, 2 * k))
    mixed[:k, :k] = np.diag(factors * of.sum(axis=1))
    mixed[:k, k:] = mixed[k:, :k] = -np.diag(factors)
    return matched_df(columns, mixed, diagonal)


def cluster_sets(parts: Sequence[ClusterShares]) -> float:
    """Return the number of disjoint sets of clusters, one for each class."""
    least = min(effective_size(part.weight) for part in parts)
    return float(min(least, parts[0].held.size / len(parts)))
