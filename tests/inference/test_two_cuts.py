"""The permutation test of two cuts: exact on few cases, and valid."""

from itertools import combinations

import numpy as np
import pytest

import rocspace as rs
from rocspace.curves import two_cut_roc
from rocspace.inference import two_cut_test


def test_against_all_permutations():
    label = np.array([1, 0, 0, 1, 1, 0, 1], bool)
    score = np.array([1, 2, 2, 3, 5, 6, 7.0])
    observed = two_cut_roc(rs.tabulate(label, score)).auc
    areas = []
    for chosen in combinations(range(7), 4):
        permuted = np.isin(np.arange(7), chosen)
        areas.append(two_cut_roc(rs.tabulate(permuted, score)).auc)
    exact = np.mean(np.array(areas) >= observed - 1e-12)
    found = two_cut_test(rs.tabulate(label, score), n_perm=600, rng=1)
    assert found.statistic == pytest.approx(observed)
    assert found.pvalue == pytest.approx(exact, abs=0.04)
    assert found.difference == pytest.approx(observed - np.mean(areas), abs=0.02)


def test_finds_what_one_cut_does_not_and_nothing_where_there_is_nothing():
    rng = np.random.default_rng(3)
    label = np.arange(60) % 2 == 1
    wide = rs.tabulate(label, rng.normal(size=60) * np.where(label, 4, 1))
    assert two_cut_test(wide, n_perm=99, rng=1).pvalue <= 0.02
    inside = rs.tabulate(~label, rng.normal(size=60) * np.where(label, 4, 1))
    assert two_cut_test(inside, side="inside", n_perm=99, rng=1).pvalue <= 0.02
    rejected = [
        two_cut_test(rs.tabulate(label[:30], rng.normal(size=30)), n_perm=19, rng=i).pvalue <= 0.1
        for i in range(40)
    ]
    assert np.mean(rejected) <= 0.25
    assert two_cut_test(wide, n_perm=19, rng=5) == two_cut_test(wide, n_perm=19, rng=5)


def test_bad_input():
    table = rs.tabulate([1, 0], [1, 2])
    with pytest.raises(ValueError, match="this table has weights"):
        two_cut_test(rs.tabulate([1, 0], [1, 2], sample_weight=[1, 2]))
    with pytest.raises(ValueError, match="n_perm"):
        two_cut_test(table, n_perm=0)
    with pytest.raises(rs.SingleClassError, match=r"two_cut_test needs .* 2 positives and 0"):
        two_cut_test(rs.tabulate([1, 1], [1, 2]))
