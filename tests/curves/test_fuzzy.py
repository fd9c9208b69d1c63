"""Fuzzy ROC: by hand, by definition at every threshold, and where it is the ordinary curve."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.curves
import slow.data
from rocspace.counts import SingleClassError
from rocspace.curves import fuzzy_roc, fuzzy_table
from slow.data import F3, samples

degrees = st.lists(
    st.tuples(st.integers(0, 8).map(lambda k: k / 8), st.integers(-3, 3).map(float)),
    min_size=2,
    max_size=10,
)
spreads = st.sampled_from([0.0, 0.5, 2.0, 8.0])
norms = st.sampled_from(["minimum", "product"])


def test_by_hand():
    # Memberships 1, 1/2, 0 of scores 3, 2, 1; a sharp test. Sums: 3/2 ill, 3/2 well.
    found = fuzzy_roc([1, 0.5, 0], [3, 2, 1])
    assert found.threshold.tolist() == [np.inf, 3, 2, 1]
    np.testing.assert_allclose(found.tpr, [0, 2 / 3, 1, 1], rtol=1e-15)
    np.testing.assert_allclose(found.fpr, [0, 0, 1 / 3, 1], rtol=1e-15)
    assert found.auc == pytest.approx(1 / 3 * (2 / 3 + 1) / 2 + 2 / 3, rel=1e-15)
    # At threshold 2 and spread 2 the calls are to degrees 1, 1/2, 0.
    at = fuzzy_roc([1, 0.5, 0], [3, 2, 1], spread=2, thresholds=[2])
    assert at.threshold.tolist() == [np.inf, 2, -np.inf]
    np.testing.assert_allclose(at.tpr[1], (1 + 0.5) / 1.5)  # min(1/2, 1/2) = 1/2
    np.testing.assert_allclose(at.fpr[1], 0.5 / 1.5)
    product = fuzzy_roc([1, 0.5, 0], [3, 2, 1], spread=2, t_norm="product", thresholds=[2])
    np.testing.assert_allclose(product.tpr[1], (1 + 0.25) / 1.5)
    np.testing.assert_allclose(product.fpr[1], 0.25 / 1.5)
    assert repr(at) == f"FuzzyRoc(3 points, auc={at.auc:.6g})"


@given(cases=degrees, spread=spreads, norm=norms)
@settings(max_examples=80)
def test_definition(cases, spread, norm):
    degree, score = [d for d, _ in cases], [s for _, s in cases]
    assume(0 < sum(degree) < len(degree))
    found = fuzzy_roc(degree, score, spread=spread, t_norm=norm)
    for t, f, s in zip(found.threshold, found.fpr, found.tpr, strict=True):
        fpr, tpr = slow.curves.fuzzy_rates(degree, score, t, spread, norm)
        assert f == pytest.approx(float(fpr), abs=1e-13)
        assert s == pytest.approx(float(tpr), abs=1e-13)
    assert (np.diff(found.fpr) >= 0).all()
    assert (np.diff(found.tpr) >= 0).all()
    assert (found.fpr[0], found.tpr[0], found.fpr[-1], found.tpr[-1]) == (0, 0, 1, 1)
    # The polygon is the whole curve: points of thresholds between lie on it.
    inner = found.threshold[1:]
    middle = (inner[1:] + inner[:-1]) / 2
    assume(middle.size and np.isfinite(middle).all())
    more = fuzzy_roc(degree, score, spread=spread, t_norm=norm, thresholds=middle)
    assert set(middle) <= set(more.threshold)
    along = np.interp(more.fpr + more.tpr, found.fpr + found.tpr, found.tpr)
    np.testing.assert_allclose(more.tpr, along, atol=1e-13)


@given(sample=samples(), norm=norms)
@settings(max_examples=40)
def test_sharp_memberships_give_the_ordinary_curve(sample, norm):
    label, score = sample
    found = fuzzy_roc([float(y) for y in label], score, t_norm=norm)
    curve = rs.roc_curve(rs.tabulate(label, score))
    np.testing.assert_allclose(found.fpr, curve.fpr, atol=1e-15)
    np.testing.assert_allclose(found.tpr, curve.tpr, atol=1e-15)
    assert found.threshold.tolist() == curve.threshold.tolist()
    assert found.auc == pytest.approx(rs.auc(rs.tabulate(label, score)), abs=1e-14)


@given(cases=degrees, norm=norms)
@settings(max_examples=40)
def test_a_sharp_test_enters_each_case_twice(cases, norm):
    degree, score = [d for d, _ in cases], [s for _, s in cases]
    assume(0 < sum(degree) < len(degree))
    table = fuzzy_table(degree, score)
    curve, found = rs.roc_curve(table), fuzzy_roc(degree, score, t_norm=norm)
    np.testing.assert_allclose(found.fpr, curve.fpr, atol=1e-14)
    np.testing.assert_allclose(found.tpr, curve.tpr, atol=1e-14)
    assert found.auc == pytest.approx(rs.auc(table), abs=1e-13)
    weighted = fuzzy_table(degree, score, sample_weight=[3] * len(degree))
    assert rs.auc(weighted) == pytest.approx(rs.auc(table), abs=1e-13)


def test_a_narrow_spread_is_a_sharp_test():
    label, score = F3
    sharp = fuzzy_roc(np.array(label) * 1.0, score)
    narrow = fuzzy_roc(np.array(label) * 1.0, score, spread=1e-3)  # scores are .005 apart
    assert narrow.auc == pytest.approx(sharp.auc, abs=1e-12)
    assert fuzzy_roc(np.array(label) * 1.0, score, spread=0.3).auc < sharp.auc


def test_bad_input():
    with pytest.raises(SingleClassError, match="memberships of 2 cases add up to 2"):
        fuzzy_roc([1, 1], [1, 2])
    with pytest.raises(ValueError, match=r"membership is 1.5"):
        fuzzy_roc([1.5, 0], [1, 2])
    with pytest.raises(ValueError, match="spread is -1"):
        fuzzy_roc([1, 0], [1, 2], spread=-1)
    with pytest.raises(ValueError, match="finite scores"):
        fuzzy_roc([1, 0], [1, np.inf])
    with pytest.raises(ValueError, match=r"t_norm is 'min'.*Did you mean"):
        fuzzy_roc([1, 0], [1, 2], t_norm="min")
    for function in (fuzzy_roc, fuzzy_table):
        with pytest.raises(ValueError, match="y_score has 3"):
            function([1, 0], [1, 2, 3])
    assert fuzzy_roc([0.5, 0.5], [1, 1]).auc == 0.5
