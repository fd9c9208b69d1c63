"""Adjusted p values: by hand, by definition, as scipy has them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rocspace.compare.multiplicity import adjusted_pvalues

lists = st.lists(st.integers(0, 40).map(lambda k: k / 40), min_size=1, max_size=12)


def rejected(p, level, method):
    """Which hypotheses the procedure itself rejects, step by step."""
    order = np.argsort(p, kind="stable")
    m, found = len(p), np.zeros(len(p), dtype=bool)
    if method == "holm":
        for i, j in enumerate(order):
            if p[j] > level / (m - i):
                break
            found[j] = True
    elif method == "benjamini-hochberg":
        passed = [i for i, j in enumerate(order) if p[j] <= level * (i + 1) / m]
        found[order[: max(passed, default=-1) + 1]] = True
    else:
        found = np.array(p) <= level / (m if method == "bonferroni" else 1)
    return found


def test_by_hand():
    # Sorted .01, .02, .03, .9: Holm .04, .06, max(.06, .06), .9.
    p = [0.02, 0.9, 0.01, 0.03]
    np.testing.assert_allclose(adjusted_pvalues(p), [0.06, 0.9, 0.04, 0.06])
    # Benjamini and Hochberg: .04, .04, .04, .9 from 4 p / i = .04, .04, .04, .9.
    np.testing.assert_allclose(
        adjusted_pvalues(p, method="benjamini-hochberg"), [0.04, 0.9, 0.04, 0.04]
    )
    np.testing.assert_allclose(adjusted_pvalues(p, method="bonferroni"), [0.08, 1, 0.04, 0.12])
    np.testing.assert_array_equal(adjusted_pvalues(p, method="none"), p)


@given(p=lists, level=st.sampled_from([0.013, 0.057, 0.11, 0.31]))
@settings(max_examples=100)
def test_they_reject_as_the_procedures_do(p, level):
    for method in ("holm", "bonferroni", "benjamini-hochberg", "none"):
        adjusted = adjusted_pvalues(p, method=method)
        np.testing.assert_array_equal(adjusted <= level, rejected(p, level, method))
        assert (adjusted >= np.array(p) - 1e-15).all()
        assert (adjusted <= 1).all()
    theirs = stats.false_discovery_control(p)
    np.testing.assert_allclose(adjusted_pvalues(p, method="benjamini-hochberg"), theirs)
    strict, holm = (adjusted_pvalues(p, method=m) for m in ("bonferroni", "holm"))
    assert (holm <= strict).all()


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
