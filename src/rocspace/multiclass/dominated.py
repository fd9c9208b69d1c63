"""The volume that several classifiers of k classes dominate together."""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import ArrayLike, Vector
from rocspace._base.calls import explained
from rocspace._base.checks import check_fraction
from rocspace._base.text import count

_MOST = 10**7  # boxes that slices are cut into


@explained
def dominated_volume(rates: ArrayLike) -> float:
    """Volume of the correct rates that at least one of several classifiers reaches.

    Parameters
    ----------
    rates : array-like, shape (m, k)
        For each classifier, or each operating point, the share of each class that it calls right.

    Returns
    -------
    float
        In [0, 1], higher is better: the volume of the rates that are nowhere larger than those of
        one of the classifiers. Mixtures of classifiers and trivial ones do not count.

    Raises
    ------
    ValueError
        If rates are not in [0, 1], not of two classes or more, or too many to cut into boxes.

    Notes
    -----
    This is the simplified volume under the surface: only the k correct rates, not the k (k - 1)
    errors. For two classes it is the area under the steps of the curve, Pr(X > Y) where the points
    are all thresholds of a score. Slices along one class after another: O(m^(k - 1)).

    References
    ----------
    Landgrebe and Duin (2006), a paper on this alone.

    Examples
    --------
    >>> dominated_volume([[0.5, 1.0, 0.5], [1.0, 0.5, 0.5]])
    0.375
    """
    points = np.asarray(rates, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] < 2 or not len(points):
        msg = f"rates has shape {points.shape}. Pass (m, k): the k correct rates of m classifiers."
        raise ValueError(msg)
    check_fraction("rates", points.ravel())
    points = np.unique(points, axis=0)
    boxes = len(points) ** (points.shape[1] - 1)
    if boxes > _MOST:
        msg = (
            f"{count(len(points))} points of {points.shape[1]} classes make up to {count(boxes)} "
            f"boxes, and at most {count(_MOST)} are cut. Leave out points, or round the rates."
        )
        raise ValueError(msg)
    return _dominated(points)


def _dominated(points: Vector) -> float:
    """Sum slices along the last class; in each, the points that reach so far."""
    if points.shape[1] == 1:
        return float(points.max())
    if points.shape[1] == 2:
        falling = points[np.argsort(-points[:, 1])]
        reached = np.maximum.accumulate(falling[:, 0])
        return float((reached * -np.diff(falling[:, 1], append=0.0)).sum())
    ends, volume = np.unique(points[:, -1]), 0.0
    for low, high in zip(np.concatenate([[0.0], ends[:-1]]), ends, strict=True):
        volume += float(high - low) * _dominated(points[points[:, -1] >= high, :-1])
    return volume
