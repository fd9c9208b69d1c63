"""Weights of cases that make their means agree with what is known of the population."""

from __future__ import annotations

import numpy as np

from rocspace._base.arrays import ArrayLike, Mask, Vector
from rocspace._base.calls import explained
from rocspace._base.cases import check_labels, complete_scores
from rocspace._base.checks import as_numbers

_MOST = 100
_NEAR = 1e-10  # standard deviations to which the means are met


@explained
def auxiliary_weights(
    y_true: ArrayLike,
    auxiliary: ArrayLike,
    *,
    pos_mean: ArrayLike | None = None,
    neg_mean: ArrayLike | None = None,
    pos_label: object = None,
) -> Vector:
    """Weight cases so that auxiliary variables have their known means in each class.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels, as for `rocspace.tabulate`.
    auxiliary : array-like, shape (n,) or (n, q)
        Variables whose means are known in the population of a class: age, sex, a cheap marker;
        or functions of them, such as squares for known variances.
    pos_mean, neg_mean : float or array-like of shape (q,), optional
        Their means among all positives, and among all negatives, from a census or a larger study. A
        class without known means is not weighted.
    pos_label : object, optional
        The positive class, as for `rocspace.tabulate`.

    Returns
    -------
    ndarray of float64, shape (n,)
        Positive weights whose mean is 1 in each class, for
        ``tabulate(y_true, y_score, sample_weight=...)``, and so for each curve and fit.

    Raises
    ------
    ValueError
        If values are missing or infinite, there are too many or too few means, or means lie outside
        the convex hull of the values, so that no weights reach them.

    Notes
    -----
    The weights maximise the empirical likelihood: they are ``1 / (1 + lambda' g)``, where g are the
    values minus their known means and lambda is the root of ``sum g / (1 + lambda' g) = 0``. It is
    found by some ten of Newton's steps on a concave function, O(n q^2) each. The curve of a score
    that is correlated with the variables then has a smaller variance. Standard errors of weighted
    tables take the weights as given and do not allow for that: they are too large.

    References
    ----------
    Zhou, Zhou and Ma (2011), no numbered equation; Owen (2001), equation 3.34, for the weights.

    Examples
    --------
    >>> from rocspace import tabulate
    >>> from rocspace.models import fit_kernel
    >>> y, score, age = [0, 0, 0, 1, 1, 1], [1, 2, 3, 2, 4, 5], [40, 50, 60, 50, 70, 60]
    >>> weight = auxiliary_weights(y, age, neg_mean=55)
    >>> weight.round(2)
    array([0.41, 0.68, 1.91, 1.  , 1.  , 1.  ])
    >>> fit = fit_kernel(tabulate(y, score, sample_weight=weight))
    """
    label = check_labels(y_true, pos_label, "y_true")
    z = _columns(auxiliary, label)
    weight = np.ones(label.size)
    for rows, mean, name in ((label, pos_mean, "pos_mean"), (~label, neg_mean, "neg_mean")):
        if mean is not None:
            known = np.atleast_1d(as_numbers(name, mean))
            if known.shape != z.shape[1:] or not np.isfinite(known).all():
                msg = (
                    f"{name} is {mean!r}, but must be {z.shape[1]} finite numbers, one a variable."
                )
                raise ValueError(msg)
            weight[rows] = _most_likely(z[rows] - known, name)
    return weight


def _columns(auxiliary: ArrayLike, label: Mask) -> Vector:
    """Return the variables as columns, without missing and infinite values."""
    values = np.asarray(auxiliary)
    if values.size == 0:
        msg = "auxiliary is empty. Give finite values, a row for each case."
        raise ValueError(msg)
    columns = values.reshape(len(values), -1).T if values.ndim else [values]
    z = np.column_stack([complete_scores(column, "auxiliary") for column in columns])
    z = z.astype(np.float64)
    if len(z) != label.size or not np.isfinite(z).all():
        many = (
            f"{len(z)} rows for {label.size} labels" if len(z) != label.size else "infinite values"
        )
        msg = f"auxiliary has {many}. Give finite values, a row for each case."
        raise ValueError(msg)
    return z


def _most_likely(gap: Vector, name: str) -> Vector:
    """Return weights of mean 1 with which the gaps have mean 0.

    The logarithm is continued as a parabola below 1 / n, where no weight lies.
    """
    n = len(gap)
    spread = np.abs(gap).max(axis=0, initial=0.0)
    g = gap / np.where(spread > 0, spread, 1.0)
    least = 1 / max(n, 1)

    def at(point: Vector) -> tuple[float, Vector, Vector]:
        z = 1 + g @ point
        low, safe = z < least, np.maximum(z, least)
        value = np.where(
            low, np.log(least) - 1.5 + 2 * z / least - (z / least) ** 2 / 2, np.log(safe)
        )
        first = np.where(low, (2 - z / least) / least, 1 / safe)
        second = np.where(low, 1 / least**2, 1 / safe**2)
        return float(value.sum()), first, second

    point = np.zeros(g.shape[1])
    value, first, second = at(point)
    for _ in range(_MOST):
        step = np.linalg.pinv((g * second[:, np.newaxis]).T @ g) @ (first @ g)
        size = 1.0
        lost = 1e-10 * (1 + abs(value))  # by rounding at most
        while (found := at(point + size * step))[0] < value - lost and size > 1e-12:
            size /= 2
        point = point + size * step
        value, first, second = found
        if np.abs(step).max(initial=0.0) < 1e-13 * max(1.0, np.abs(point).max(initial=0.0)):
            break
    if abs(first.mean() - 1) > 1e-8 or np.abs(first @ g / max(n, 1)).max(initial=0.0) > _NEAR:
        msg = (
            f"No weights of the cases reach {name}: it lies outside their values. Check its unit, "
            "or whether the sample is of that population."
        )
        raise ValueError(msg)
    return first
