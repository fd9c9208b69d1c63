"""Very many features: each as by itself, ranked by p values."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocspace as rs
from rocspace.compare import adjusted_pvalues, rank_features
from rocspace.counts import SingleClassError
from rocspace.inference import auc_test


def _as_by_itself(label, column, level=0.95):
    table = rs.tabulate(label, column)
    found = rs.delong(table)
    ends = found.interval(level)
    p = auc_test(table).pvalue
    return found.value, found.se, ends.low, ends.high, p, int(table.n_pos), int(table.n_neg)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 40),
    m=st.integers(1, 8),
    distinct=st.sampled_from([1, 2, 5, 1000]),
    kind=st.sampled_from(["float64", "float32", "int64"]),
    level=st.sampled_from([0.9, 0.95]),
)
def test_each_feature_is_as_by_itself(seed, n, m, distinct, kind, level):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.5
    label[:2] = True, False
    features = rng.integers(0, distinct, (n, m)).astype(kind)
    features[:, 0] += 2000 * label.astype(kind)  # perfect
    if kind != "int64":
        features[rng.random((n, m)) < 0.1] = np.inf
        features[rng.random((n, m)) < 0.1] = -0.0
    before = features.copy()
    ranked = rank_features(np.asfortranarray(features), label, level=level)
    assert features.tobytes() == before.tobytes()
    for i, name in enumerate(ranked.names):
        column = np.ascontiguousarray(features[:, int(name.removeprefix("feature_")) - 1])
        fields = ("auc", "se", "low", "high", "pvalue", "n_pos", "n_neg")
        ours = [getattr(ranked, field)[i] for field in fields]
        theirs = _as_by_itself(label, column, level)
        assert ours[0] == theirs[0]
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)
        assert ranked.rises[i] == (ours[0] >= 0.5)
    assert (np.diff(ranked.pvalue) >= 0).all()
    expected = adjusted_pvalues(ranked.pvalue, method="benjamini-hochberg")
    np.testing.assert_array_equal(ranked.adjusted_pvalue, expected)


def test_two_features_by_hand():
    # Positives 3, 5, 6 and negatives 1, 2, 4 win 8 of 9 pairs; placements 2/3, 1, 1 and 1, 1, 2/3
    # have the variance 1/27 each, so the error is (2/81)^(1/2). Without ties the Mann-Whitney
    # statistic has variance 9 x 7 / 12 under chance, and is 3.5 above its mean.
    label = np.array([1, 0, 1, 0, 0, 1])
    tied = np.array([2, 1, 2, 2, 1, 1])
    ranked = rank_features({"a": [3, 1, 5, 2, 4, 6], "tied": tied, "y": label}, "y")
    at, other = ranked.names.index("a"), ranked.names.index("tied")
    assert (ranked.auc[at], ranked.se[at]) == pytest.approx((8 / 9, (2 / 81) ** 0.5))
    assert ranked.pvalue[at] == pytest.approx(2 * stats.norm.sf(3.5 / (9 * 7 / 12) ** 0.5))
    theirs = stats.mannwhitneyu(
        tied[label == 1], tied[label == 0], use_continuity=False, method="asymptotic"
    )
    assert ranked.auc[other] * 9 == theirs.statistic
    assert ranked.pvalue[other] == pytest.approx(theirs.pvalue)


def test_a_feature_whose_values_are_all_equal_has_the_limits_of_ties():
    # Three pairs of cases tie: at most 1 - .025^(1/3) of all pairs do not, and may all be lost.
    label = np.array([1, 0, 1, 0, 0, 1])
    ranked = rank_features({"same": [2] * 6, "rises": [3, 1, 2, 2, 1, 4], "y": label}, "y")
    at = ranked.names.index("same")
    wanted = rs.delong(rs.tabulate(label, [2] * 6)).interval()
    assert (ranked.low[at], ranked.high[at]) == pytest.approx(tuple(wanted), rel=1e-12)
    assert ranked.low[at] == pytest.approx(0.5 - (1 - 0.025 ** (1 / 3)) / 2)
    assert (ranked.auc[at], ranked.pvalue[at]) == (0.5, 1)


def test_features_omit_their_own_missing_cases():
    rng = np.random.default_rng(1)
    label = np.arange(30) % 3 == 0
    features = rng.normal(size=(30, 6))
    features[rng.random((30, 6)) < 0.2] = np.nan
    features[label, 5] = np.nan
    with pytest.raises(ValueError, match=r"feature_1 has \d+ missing values, the first in row \d"):
        rank_features(features, label)
    ranked = rank_features(features, label, missing="omit", adjustment="holm")
    for i, name in enumerate(ranked.names[:-1]):
        column = features[:, int(name.removeprefix("feature_")) - 1]
        kept = ~np.isnan(column)
        theirs = _as_by_itself(label[kept], column[kept])
        assert ranked.auc[i] == theirs[0]
        np.testing.assert_allclose([ranked.low[i], ranked.high[i]], theirs[2:4], rtol=1e-9)
        assert (ranked.n_pos[i], ranked.n_neg[i]) == theirs[5:]
    assert ranked.names[-1] == "feature_6"  # without positives
    last = [getattr(ranked, field)[-1] for field in ("auc", "low", "high", "pvalue")]
    assert np.isnan(last).all()
    assert ranked.n_pos[-1] == 0


def test_frames_mappings_and_matrices():
    rng = np.random.default_rng(2)
    label, values = np.arange(20) % 2, rng.normal(size=(20, 3))
    values[:, 1] += 3 * label
    columns = {"y": label, "a": values[:, 0], "b": values[:, 1], "c": values[:, 2]}
    wanted = rank_features(columns, "y")
    assert wanted.names[0] == "b"
    assert wanted.found() == ("b",)
    frames = (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns))
    for frame in frames:
        assert rank_features(frame, "y") == wanted
    alone = rank_features(values, label)
    assert alone.auc.tolist() == wanted.auc.tolist()
    assert alone.names[0] == "feature_2"
    assert rank_features(columns, "y", score=["a", "c"]).names == tuple(
        name for name in wanted.names if name != "b"
    )
    halves = rank_features(values.astype(np.float16), label)
    assert halves.auc[0] == rs.auc_score(label, values[:, 1].astype(np.float16))
    long = rank_features({"a": values[:, 1].astype(np.longdouble)}, label)
    assert long.auc[0] == wanted.auc[0]
    holed = pd.DataFrame({"y": label, "n": pd.array([None, *range(19)], dtype="Int64")})
    assert rank_features(holed, "y", missing="omit").n_neg.tolist() == [9]
    assert len(wanted.to_frame(backend="pandas")) == 3
    assert "b" in str(wanted)
    assert repr(wanted) == "RankedFeatures(3 features, the first b)"


def test_what_cannot_be_ranked():
    label, values = np.arange(20) % 2, np.zeros((20, 3))
    with pytest.raises(ValueError, match="'z'"):
        rank_features({"y": label, "a": label}, "z")
    with pytest.raises(ValueError, match="'q'"):
        rank_features({"y": label, "a": label}, "y", score=["q"])
    with pytest.raises(SingleClassError, match=r"rank_features needs .* 20 positives and 0"):
        rank_features(values, np.ones(20))
    with pytest.raises(ValueError, match="Lengths differ"):
        rank_features(values, label[1:])
    with pytest.raises(ValueError, match="no features"):
        rank_features({"y": label}, "y")
    with pytest.raises(TypeError, match="text"):
        rank_features({"y": label, "t": list("ab" * 10)}, "y")
    with pytest.raises(ValueError, match="at is"):
        rank_features(values, label).found(2)
    with pytest.raises(ValueError, match="shape"):
        rank_features(values[:, 0], label)
