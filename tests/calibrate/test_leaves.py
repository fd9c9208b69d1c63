"""Scores of trees: shares by hand, ancestors by climbing, and scikit-learn's own trees."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import rocspace as rs
from rocspace.calibrate import fit_leaves, fit_tree_scores, tree_parents

# A root 0 with children 1 and 2; 1 has the leaves 3 and 4, 2 has 5 and 6.
PARENTS = [-1, 0, 0, 1, 1, 2, 2]

falls = st.lists(st.tuples(st.integers(3, 6), st.booleans()), min_size=2, max_size=30).filter(
    lambda cases: any(y for _, y in cases)
)


def test_shares_by_hand():
    ids, label = ["a", "a", "a", "b", "b"], [1, 1, 0, 0, 0]
    raw = fit_leaves(ids, label, smoothing="none")
    assert raw.predict(["a", "b", "new"]).tolist() == [2 / 3, 0, 2 / 5]
    assert repr(raw) == "LeafScores(2 leaves, base rate 0.4)"
    assert fit_leaves(ids, label).value.tolist() == [3 / 5, 1 / 4]
    assert fit_leaves(ids, label, strength=3).value.tolist() == [3 / 6, 1 / 5]
    # b = .4, M = 5: (2 + 2) / (3 + 5) and 2 / 7; by default M = 25, b M = 10.
    assert fit_leaves(ids, label, smoothing="m", strength=5).value.tolist() == [4 / 8, 2 / 7]
    assert fit_leaves(ids, label, smoothing="m").value.tolist() == [12 / 28, 10 / 27]


@given(cases=falls, weight=st.integers(1, 4))
@settings(max_examples=40)
def test_leaves_keep_their_promises(cases, weight):
    ids, label = zip(*cases, strict=True)
    fitted = fit_leaves(ids, label)
    assert ((fitted.value > 0) & (fitted.value < 1)).all()
    many, pos = Counter(ids), Counter(leaf for leaf, y in cases if y)
    for leaf, value in zip(fitted.leaf.tolist(), fitted.value.tolist(), strict=True):
        assert value == float(Fraction(pos[leaf] + 1, many[leaf] + 2))
    # Of leaves of one size, the purer stays the higher.
    raw = fit_leaves(ids, label, smoothing="none")
    for a in range(raw.leaf.size):
        for b in range(raw.leaf.size):
            if many[int(raw.leaf[a])] == many[int(raw.leaf[b])]:
                assert (raw.value[a] < raw.value[b]) == (fitted.value[a] < fitted.value[b])
    assert raw.predict(ids).mean() == pytest.approx(np.mean(label), rel=1e-12)
    # All cases of a leaf tie; weights are sums.
    assert (
        len(rs.tabulate(label, fitted.predict(ids))) <= len(many) if len(set(label)) > 1 else True
    )
    repeated = fit_leaves(np.repeat(ids, weight), np.repeat(label, weight), smoothing="m")
    weighted = fit_leaves(
        ids, label, smoothing="m", sample_weight=np.full(len(cases), float(weight))
    )
    np.testing.assert_allclose(weighted.value, repeated.value, rtol=1e-14)


@given(cases=falls, least=st.integers(0, 12))
@settings(max_examples=60)
def test_small_leaves_climb(cases, least):
    ids, label = zip(*cases, strict=True)
    fitted = fit_leaves(ids, label, smoothing="none", parents=PARENTS, min_cases=least)

    def below(node):
        return [y for leaf, y in cases if node in (leaf, PARENTS[leaf], PARENTS[PARENTS[leaf]])]

    for leaf in (3, 4, 5, 6):
        node = leaf
        while len(below(node)) < least and PARENTS[node] >= 0:
            node = PARENTS[node]
        inside = below(node)
        wanted = Fraction(sum(inside), len(inside)) if inside else np.mean(label)
        assert fitted.predict([leaf]).tolist() == [float(wanted)]


def test_no_curtailment_at_zero():
    ids, label = [3, 3, 4, 5, 6], [1, 0, 1, 0, 1]
    plain = fit_leaves(ids, label, smoothing="m")
    with_tree = fit_leaves(ids, label, smoothing="m", parents=PARENTS, min_cases=0)
    assert with_tree.predict(ids).tolist() == plain.predict(ids).tolist()
    root = fit_leaves(ids, label, smoothing="none", parents=PARENTS)  # 200 are not there
    assert root.predict(ids).tolist() == [3 / 5] * 5


def data():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 3))
    return x, x[:, 0] + rng.normal(size=400) > 0.5


def test_trees_of_scikit_learn():
    x, label = data()
    tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0).fit(x, label)
    scored = fit_tree_scores(tree, x, label, smoothing="none")
    np.testing.assert_allclose(scored.predict(x), tree.predict_proba(x)[:, 1], rtol=1e-14)
    forest = RandomForestClassifier(8, bootstrap=False, max_features=1, random_state=0)
    forest.fit(x, label)
    scored = fit_tree_scores(forest, x, label, smoothing="none")
    np.testing.assert_allclose(scored.predict(x), forest.predict_proba(x)[:, 1], atol=1e-14)
    assert repr(scored) == "TreeScores(8 trees)"
    parents = tree_parents(tree)
    counts = tree.tree_.n_node_samples
    for node in range(counts.size):
        below = np.flatnonzero(parents == node)
        assert below.size in (0, 2)
        assert below.size == 0 or counts[below].sum() == counts[node]
    curtailed = fit_tree_scores(tree, x, label, min_cases=50, smoothing="m")
    assert np.unique(curtailed.predict(x)).size < np.unique(tree.apply(x)).size
    assert fit_tree_scores(forest, x, label, min_cases=50).predict(x).shape == (400,)


def test_smoothed_leaves_rank_new_cases_better():
    x, label = data()
    tree = DecisionTreeClassifier(random_state=0).fit(x[:200], label[:200])
    scored = fit_tree_scores(tree, x[:200], label[:200], smoothing="m", min_cases=20)
    raw = rs.auc_score(label[200:], tree.predict_proba(x[200:])[:, 1])
    assert rs.auc_score(label[200:], scored.predict(x[200:])) > raw


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_leaves([1, 2], [0, 0], smoothing="m"), "no positives"),
        (lambda: fit_leaves([1, 2], [0, 1, 1]), "Lengths differ"),
        (lambda: fit_leaves([1, 2], [0, 1], smoothing="m-estimate"), "smoothing is"),
        (lambda: fit_leaves([1, 9], [0, 1], parents=[-1, 0]), "from 0 to 1"),
        (lambda: fit_leaves([1, 1], [0, 1], parents=[1, 0]), "circle"),
        (lambda: fit_leaves([1, 1], [0, 1], sample_weight=[0, 0]), "zero for every case"),
        (lambda: fit_leaves([1, np.nan], [0, 1]), "missing"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call()
