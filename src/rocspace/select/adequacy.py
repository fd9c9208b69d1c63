"""Whether a score that was fitted to its own cases ranks better than chance.

A model is fitted to separate the classes, so on its training cases its area is above one half
even where the features are useless, and the usual test rejects too often.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocspace._base.arrays import Array, ArrayLike, Mask
from rocspace._base.calls import explained
from rocspace._base.checks import check_inside, check_rng, check_times
from rocspace._base.progress import Progress
from rocspace.averaging import fitting
from rocspace.averaging.fitting import checked_cases, fitter, need_classes
from rocspace.counts.table import tabulate
from rocspace.curves.summaries import auc
from rocspace.inference.area import auc_test
from rocspace.results.test import TestResult

AdequacyMethod: TypeAlias = Literal["permutation", "split", "bootstrap"]
Fitter: TypeAlias = fitting.Fitter
"""Takes features (n, p) and labels (n,); returns a function from features to scores."""

_NEAR = 1e-12  # areas that differ by less are equal but for rounding


@explained
def adequacy_test(
    fit: Fitter | Any,
    features: ArrayLike,
    y_true: ArrayLike,
    *,
    method: AdequacyMethod = "permutation",
    n_perm: int = 500,
    test_share: float = 0.5,
    rng: np.random.Generator | int | None = None,
    progress: bool | None = None,
) -> TestResult:
    """Test whether a model ranks better than chance, allowing for its having been fitted.

    Parameters
    ----------
    fit : classifier or callable
        A classifier as scikit-learn has them, which is cloned for each fit; or ``fit(features,
        label)``, which fits a model and returns a function that scores features, larger
        meaning more positive. Every choice that uses the labels belongs inside it.
    features : array-like, shape (n,) or (n, p)
        Features of the cases.
    y_true : array-like, shape (n,)
        Labels: booleans or 0/1.
    method : {"permutation", "split", "bootstrap"}, default "permutation"
        "permutation": fits again to permuted labels. "bootstrap": fits again to features and
        labels drawn independently of each other. "split": fits to some of the cases, and
        tests on the others: a single fit, but less power.
    n_perm : int, default 500
        How many permutations or bootstrap samples.
    test_share : float, default 0.5
        With "split", the share of each class that is held out.
    rng : numpy.random.Generator or int, optional
        Generator or seed, of what is drawn here, also by a classifier without a
        ``random_state``; a callable that is random needs one of its own.
    progress : bool, optional
        Whether to show progress; by default in a terminal.

    Returns
    -------
    TestResult
        One-sided ("greater"). The statistic is the area, in sample except for "split", where it
        is z of the Mann-Whitney test; ``difference`` is the area minus its mean under the null
        hypothesis: above one half in sample.

    Raises
    ------
    SingleClassError
        If a class is missing, or too small to be split.
    TypeError, ValueError
        If `fit` is neither a classifier nor callable, shapes do not fit, or an option is invalid.

    Notes
    -----
    Under the null hypothesis features and labels are independent. ``p = (1 + #{area* >= area}) /
    (n_perm + 1)``; n_perm fits. Permutation tests are valid at every sample size. Measured with 40
    cases and 8 features without any signal: at .05 the plain Mann-Whitney test rejects in 92
    percent of samples, "permutation" in 6, "split" in 5. "bootstrap" rejects in 10: drawn
    cases repeat, and leave less to be fitted, so use it with many more cases than features.

    References
    ----------
    Lieli and Hsu (2019), a paper on this alone, on why it is needed; Ojala and Garriga (2010), Test
    1, for permutations.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> label, features = np.arange(30) < 12, rng.normal(size=(30, 4))
    >>> def means(x, y):
    ...     direction = x[y].mean(axis=0) - x[~y].mean(axis=0)
    ...     return lambda new: new @ direction
    >>> found = adequacy_test(means, features, label, rng=1, n_perm=200)
    >>> round(found.statistic, 2), round(found.statistic - found.difference, 2)
    (0.7, 0.7)
    """
    x, y = checked_cases(features, y_true, "adequacy_test", 1)
    generator = check_rng(rng)
    fit = fitter(fit, generator)
    if method == "split":
        return _split(fit, x, y, test_share, generator)
    check_times("n_perm", n_perm)
    observed, null = _in_sample(fit, x, y), np.empty(n_perm)
    with Progress(method, n_perm, show=progress) as shown:
        for i in range(n_perm):
            if method == "permutation":
                null[i] = _in_sample(fit, x, generator.permutation(y))
            else:
                null[i] = _in_sample(fit, x[generator.integers(0, y.size, y.size)], y)
            shown.add()
    return TestResult(
        statistic=observed,
        pvalue=(1 + int((null >= observed - _NEAR).sum())) / (n_perm + 1),
        alternative="greater",
        method=f"{method}, refitted",
        difference=observed - float(null.mean()),
    )


def _in_sample(fit: Fitter, x: Array, y: Mask) -> float:
    return auc(tabulate(y, fit(x, y)(x)))


def _split(
    fit: Fitter, x: Array, y: Mask, test_share: float, rng: np.random.Generator
) -> TestResult:
    check_inside("test_share", test_share)
    held_out = np.zeros(y.size, dtype=bool)
    need_classes(y, 'adequacy_test with method="split"', 2)
    for own in (np.flatnonzero(y), np.flatnonzero(~y)):
        many = min(max(round(test_share * own.size), 1), own.size - 1)
        held_out[rng.permutation(own)[:many]] = True
    score = fit(x[~held_out], y[~held_out])(x[held_out])
    found = auc_test(tabulate(y[held_out], score), alternative="greater")
    return replace(found, method="split, Mann-Whitney")
