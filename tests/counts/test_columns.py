"""Wins of many scores at once: the same whole numbers as one by one, on every path."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.counts import SingleClassError, rows, sorts

KINDS = ("float64", "float32", "float16", "int64", "uint16", "longdouble")


def _cases(seed: int, n: int, m: int, kind: str, distinct: int) -> tuple:
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.4
    label[:2] = True, False
    score = rng.integers(0, distinct, (n, m))
    if np.dtype(kind).kind == "f":
        extreme = np.array([np.inf, -np.inf, -0.0, 0.0])
        score = score / 4 - 1
        score[rng.random((n, m)) < 0.1] = rng.choice(extreme)
    return label, score.astype(kind)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 99),
    n=st.sampled_from([2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300]),
    m=st.integers(1, 5),
    kind=st.sampled_from(KINDS),
    distinct=st.sampled_from([1, 3, 100]),
    threads=st.sampled_from([1, 2]),
)
def test_every_path_counts_alike(seed, n, m, kind, distinct, threads):
    """Sizes around each switch, which is moved to where samples are small."""
    label, score = _cases(seed, n, m, kind, distinct)
    pairs = np.subtract.outer(label.astype(int), label.astype(int)) == 1
    wide = score.astype(np.longdouble) if kind in ("longdouble", "float16") else score
    truth = [
        int(
            (2 * (wide[:, j, None] > wide[None, :, j]) + (wide[:, j, None] == wide[None, :, j]))[
                pairs
            ].sum()
        )
        for j in range(m)
    ]
    sizes = (int(label.sum()), int((~label).sum()))
    for switch in (10**9, 8 * 64, 8):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rows, "KERNEL_CASES", switch)
            patch.setattr(sorts, "RADIX_CASES", 16)
            patch.setattr(rows, "_CACHED", 200)
            twice, *found = rows.count_twice_wins_of_columns(label, score, threads)
            assert twice.tolist() == truth
            assert tuple(found) == sizes
            for j in range(m):
                column = np.ascontiguousarray(score[:, j])
                assert rows.count_twice_wins(label, column, threads) == (truth[j], *sizes)
                counted = rows.count_rows(label, column, None, threads)
                above = np.cumsum(counted.neg[::-1])[::-1] - counted.neg
                assert int(counted.pos @ (2 * above + counted.neg)) == truth[j]


def test_areas_of_columns_are_those_of_each():
    label, score = _cases(1, 50, 4, "float64", 9)
    one_by_one = [rs.auc_score(label, score[:, j]) for j in range(4)]
    names = ["a", "b", "c", "d"]
    given_as = (
        score,
        np.asfortranarray(score),
        dict(zip(names, score.T, strict=True)),
        pd.DataFrame(score, columns=names),
        pl.DataFrame(score, schema=names),
        score.tolist(),
    )
    for scores in given_as:
        assert rs.auc_scores(label, scores).tolist() == one_by_one
    falling = [rs.auc_score(label, score[:, j], higher_is_positive=False) for j in range(4)]
    assert rs.auc_scores(label, score, higher_is_positive=False).tolist() == falling
    mixed = {"a": score[:, 0], "b": np.arange(50)}
    assert rs.auc_scores(label, mixed)[1] == rs.auc_score(label, np.arange(50))
    texts = np.where(label, "ill", "well")
    assert rs.auc_scores(texts, score, pos_label="ill").tolist() == one_by_one


def test_columns_are_checked():
    label, score = _cases(1, 20, 3, "float64", 9)
    holed = score.copy()
    holed[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"y_scores\['score_2'\] has 1 missing value"):
        rs.auc_scores(label, holed)
    with pytest.raises(ValueError, match=r"y_scores\['score_2'\] has 1 missing value"):
        rs.auc_scores(label, np.ma.MaskedArray(holed, np.isnan(holed)))
    whole = np.delete(np.arange(20), 3)
    with pytest.warns(UserWarning, match="1"):
        some = rs.auc_scores(label, holed, missing="omit")
    assert some.tolist() == rs.auc_scores(label[whole], score[whole]).tolist()
    with pytest.raises(ValueError, match="Lengths differ"):
        rs.auc_scores(label[1:], score)
    with pytest.raises(SingleClassError, match=r"auc_scores needs .* 20 positives and 0"):
        rs.auc_scores(np.ones(20), score)
    with pytest.raises(ValueError, match=r"Pass \(n, m\)"):
        rs.auc_scores(label, score[:, 0])
    with pytest.raises(ValueError, match="no columns"):
        rs.auc_scores(label, score[:, :0])
