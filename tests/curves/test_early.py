"""Early recognition: by hand, over all orders of ties, by quadrature, and what must hold."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import rocspace as rs
from rocspace.curves import bedroc, log_auc, rie
from slow.data import samples

ALPHAS = st.sampled_from([0.5, 5.0, 20.0, 160.9])


def rie_of(order, alpha):
    """Robust initial enhancement of labels, the first one on top, as its authors write it."""
    n, ranks = len(order), np.arange(1, len(order) + 1)
    weight = np.exp(-alpha * ranks / n)
    return weight[np.asarray(order, dtype=bool)].mean() / weight.mean()


def bedroc_of(order, alpha):
    """The closed form of Truchon and Bayly, with hyperbolic functions."""
    share = np.mean(order)
    factor = share * np.sinh(alpha / 2) / (np.cosh(alpha / 2) - np.cosh(alpha / 2 - alpha * share))
    return rie_of(order, alpha) * factor + 1 / (1 - np.exp(alpha * (1 - share)))


def test_by_hand():
    # The positive first of four: e^-5 over the mean of e^-5, e^-10, e^-15 and e^-20.
    top = rs.tabulate([0, 0, 0, 1], [1, 2, 3, 4])
    assert rie(top) == pytest.approx(4 / (1 + np.exp(-5) + np.exp(-10) + np.exp(-15)))
    assert bedroc(top) == 1
    assert bedroc(rs.tabulate([0, 0, 0, 1], [4, 3, 2, 1])) == 0
    # All tied: every order is as likely.
    assert rie(rs.tabulate([0, 0, 0, 1], [1, 1, 1, 1])) == pytest.approx(1)


def orders():
    """Every order of two to six cases of both classes, and longer ones with few of either."""
    short = [y for n in range(2, 7) for y in product([0, 1], repeat=n) if 0 < sum(y) < n]
    rng = np.random.default_rng(0)
    long = [rng.permutation(25) < n_pos for n_pos in (1, 2, 12, 23, 24) for _ in range(4)]
    return [*short, *long]


@pytest.mark.parametrize("alpha", [0.5, 5.0, 20.0, 160.9])
def test_against_the_formulas_of_the_paper(alpha):
    # The formulas know the order of the labels and no more, so no scores are drawn at random.
    for order in orders():
        table = rs.tabulate(order, -np.arange(len(order)))
        assert rie(table, alpha=alpha) == pytest.approx(rie_of(order, alpha), rel=1e-9)
        assert bedroc(table, alpha=alpha) == pytest.approx(bedroc_of(order, alpha), abs=1e-9)


def test_ties_are_the_mean_over_all_orders():
    label, score = [1, 0, 0, 1, 0, 1], [3, 3, 3, 2, 2, 1]
    orders = product(permutations([1, 0, 0]), permutations([1, 0]))
    seen = [rie_of([*top, *middle, 1], 20.0) for top, middle in orders]
    assert rie(rs.tabulate(label, score)) == pytest.approx(np.mean(seen))


@settings(max_examples=40)
@given(sample=samples(), alpha=ALPHAS)
def test_early_recognition_lies_between_its_ends(sample, alpha):
    label, score = sample
    table = rs.tabulate(label, score)
    assert 0 <= bedroc(table, alpha=alpha) <= 1
    best = rs.tabulate(label, [float(y) for y in label])
    assert bedroc(best, alpha=alpha) == pytest.approx(1)
    assert rie(best, alpha=alpha) >= rie(table, alpha=alpha) - 1e-12
    twice = rs.tabulate(label * 2, score * 2)
    assert rie(twice, alpha=alpha) == pytest.approx(rie(table, alpha=alpha))


@settings(max_examples=25, deadline=None)
@given(sample=samples(max_size=10), least=st.sampled_from([0.001, 0.03, 0.5]))
def test_log_auc_against_quadrature(sample, least):
    table = rs.tabulate(*sample)
    curve = rs.roc_curve(table)
    cuts = np.unique(np.concatenate([[least, 1.0], curve.fpr[curve.fpr > least]]))
    whole = sum(
        quad(lambda u: curve.tpr_at(np.exp(u)), np.log(a), np.log(b) - 1e-12)[0]
        for a, b in pairwise(cuts)
    )
    found = log_auc(table, least=least)
    assert found == pytest.approx(whole / -np.log(least), abs=1e-6)
    assert -1e-12 <= found <= 1 + 1e-12
    guess = (1 - least) / -np.log(least)
    assert log_auc(table, least=least, adjusted=True) == pytest.approx(found - guess)


def test_a_random_ranking_has_the_printed_log_auc():
    # Mysinger and Shoichet (2010) give .14462 for an axis from .001.
    assert log_auc(rs.tabulate([0, 1], [1, 1])) == pytest.approx(0.14462, abs=5e-6)
    assert log_auc(rs.tabulate([0, 1], [1, 1]), adjusted=True) == pytest.approx(0, abs=1e-12)
    assert log_auc(rs.tabulate([0, 1], [1, 2])) == 1


def test_bad_input():
    table = rs.tabulate([0, 1], [1, 2])
    for function in (rie, bedroc):
        for alpha in (0, -1, np.inf, np.nan):
            with pytest.raises(ValueError, match=r"alpha is .* must be a positive number"):
                function(table, alpha=alpha)
    for least in (0, 1, -0.1, np.nan):
        with pytest.raises(ValueError, match="strictly between 0 and 1"):
            log_auc(table, least=least)
    with pytest.raises(rs.SingleClassError, match=r"bedroc needs .* 2 positives and 0"):
        bedroc(rs.tabulate([1, 1], [1, 2]))
