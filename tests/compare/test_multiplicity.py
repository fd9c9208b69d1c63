"""Adjusted p values: by hand, by definition, as scipy and R have them."""

from itertools import combinations, pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rocspace.compare.multiplicity import Adjustment, adjusted_pvalues

lists = st.lists(st.integers(0, 40).map(lambda k: k / 40), min_size=1, max_size=12)
METHODS = get_args(Adjustment)


def harmonic(m):
    return sum(1 / i for i in range(1, m + 1))


def rejected(p, level, method):
    """Which hypotheses the procedure itself rejects, step by step."""
    order = np.argsort(p, kind="stable")
    m, found = len(p), np.zeros(len(p), dtype=bool)
    step_up = {
        "hochberg": lambda i: level / (m - i),
        "benjamini-hochberg": lambda i: level * (i + 1) / m,
        "benjamini-yekutieli": lambda i: level * (i + 1) / m / harmonic(m),
    }
    if method == "holm":
        for i, j in enumerate(order):
            if p[j] > level / (m - i):
                break
            found[j] = True
    elif method in step_up:
        passed = [i for i, j in enumerate(order) if p[j] <= step_up[method](i)]
        found[order[: max(passed, default=-1) + 1]] = True
    else:
        found = np.array(p) <= level / (m if method == "bonferroni" else 1)
    return found


def simes(p):
    return min(len(p) * one / (i + 1) for i, one in enumerate(sorted(p)))


def test_by_hand():
    # Sorted .01, .02, .03, .9: Holm .04, .06, max(.06, .06), .9.
    p = [0.02, 0.9, 0.01, 0.03]
    np.testing.assert_allclose(adjusted_pvalues(p), [0.06, 0.9, 0.04, 0.06])
    # Hochberg has the same .04, .06, .06, .9, each the least of itself and all behind it.
    np.testing.assert_allclose(adjusted_pvalues(p, method="hochberg"), [0.06, 0.9, 0.04, 0.06])
    # Hommel, of .02: {.02, .03, .9} has min(3 * .02, 3 / 2 * .03, .9) = .045, and no set more.
    np.testing.assert_allclose(adjusted_pvalues(p, method="hommel"), [0.045, 0.9, 0.04, 0.06])
    # Benjamini and Hochberg: .04, .04, .04, .9 from 4 p / i = .04, .04, .04, .9.
    np.testing.assert_allclose(
        adjusted_pvalues(p, method="benjamini-hochberg"), [0.04, 0.9, 0.04, 0.04]
    )
    # Benjamini and Yekutieli: 1 + 1/2 + 1/3 + 1/4 = 25/12 times as much.
    np.testing.assert_allclose(
        adjusted_pvalues(p, method="benjamini-yekutieli"), [1 / 12, 1, 1 / 12, 1 / 12]
    )
    np.testing.assert_allclose(adjusted_pvalues(p, method="bonferroni"), [0.08, 1, 0.04, 0.12])
    np.testing.assert_array_equal(adjusted_pvalues(p, method="none"), p)


def test_as_p_adjust_of_r_prints_them():
    """R 4.2.2: p.adjust(p, method), to 12 digits."""
    p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205]
    theirs = {
        "holm": [0.008, 0.056, 0.234, 0.234, 0.234, 0.234, 0.234, 0.234],
        "hochberg": [0.008, 0.056, 0.148, 0.148, 0.148, 0.148, 0.148, 0.205],
        "hommel": [0.008, 0.056, 0.111, 0.111, 0.111, 0.12, 0.148, 0.205],
        "bonferroni": [0.008, 0.064, 0.312, 0.328, 0.336, 0.48, 0.592, 1],
        "benjamini-hochberg": [0.008, 0.032, *[0.0672] * 3, 0.08, 0.0845714285714, 0.205],
        "benjamini-yekutieli": [
            *(0.0217428571429, 0.0869714285714, *[0.18264] * 3),
            *(0.217428571429, 0.229853061224, 0.557160714286),
        ],
        "none": p,
    }
    assert set(theirs) == set(METHODS)
    for method, expected in theirs.items():
        np.testing.assert_allclose(adjusted_pvalues(p, method=method), expected, rtol=1e-11)
        back = adjusted_pvalues(p[::-1], method=method)
        np.testing.assert_array_equal(back[::-1], adjusted_pvalues(p, method=method))


@given(p=lists, level=st.sampled_from([0.013, 0.057, 0.11, 0.31]))
@settings(max_examples=100)
def test_they_reject_as_the_procedures_do(p, level):
    by = {method: adjusted_pvalues(p, method=method) for method in METHODS}
    for method, adjusted in by.items():
        if method != "hommel":
            np.testing.assert_array_equal(adjusted <= level, rejected(p, level, method))
        assert (adjusted >= np.array(p) - 1e-15).all()
        assert (adjusted <= 1).all()
    for name, method in (("bh", "benjamini-hochberg"), ("by", "benjamini-yekutieli")):
        np.testing.assert_allclose(by[method], stats.false_discovery_control(p, method=name))
    order = ("hommel", "hochberg", "holm", "bonferroni")
    for less, more in pairwise(order):
        assert (by[less] <= by[more] + 1e-15).all()


@given(p=st.lists(st.integers(0, 40).map(lambda k: k / 40), min_size=1, max_size=7))
@settings(max_examples=100)
def test_hommel_is_the_closed_test_of_simes(p):
    """By definition: the largest p value of Simes' test among all sets that hold the hypothesis."""
    sets = [s for k in range(1, len(p) + 1) for s in combinations(range(len(p)), k)]
    worst = [max(simes([p[i] for i in s]) for s in sets if j in s) for j in range(len(p))]
    np.testing.assert_allclose(adjusted_pvalues(p, method="hommel"), worst, atol=1e-15)


def test_unknown_p_values_do_not_count():
    found = adjusted_pvalues([0.01, np.nan, 0.04])
    np.testing.assert_allclose(found, [0.02, np.nan, 0.04])
    assert np.isnan(adjusted_pvalues([np.nan])).all()


def test_messages():
    with pytest.raises(ValueError, match=r"A p value is 1\.5, but"):
        adjusted_pvalues([0.1, 1.5])
    with pytest.raises(ValueError, match="method is 'fdr', but must be one of"):
        adjusted_pvalues([0.1], method="fdr")
    with pytest.raises(ValueError, match=r"pvalues has shape \(1, 2\)"):
        adjusted_pvalues([[0.1, 0.2]])
