"""Optimism of chosen weights: by hand from replicates, and where it must be zero or not."""

import numpy as np
import pytest

from rocspace.multiclass import (
    class_weights_bootstrap,
    decide_classes,
    multiclass_scores,
)


def drawn(seed, n=40, k=3, **more):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    p = rng.dirichlet(np.ones(k), n) + 0.3 * np.eye(k)[y]
    cost = rng.integers(1, 9, (k, k)) * (1 - np.eye(k))
    return multiclass_scores(y, p, **more), cost


def test_costs_of_replicates_are_those_of_their_weights():
    data, cost = drawn(1)
    found = class_weights_bootstrap(data, costs=cost, n_boot=12, rng=3)
    again = class_weights_bootstrap(data, costs=cost, n_boot=12, rng=3)
    assert found == again
    assert found.in_bag.shape == (12,)
    for weight, on_all in zip(found.class_weight, found.on_all, strict=True):
        own = decide_classes(data, costs=cost, class_weight=weight)
        assert on_all == pytest.approx(own.cost)
        assert own.cost >= found.apparent - 1e-12  # the choice is the best on all
    assert (found.in_bag <= found.on_all).mean() > 0.5
    assert found.corrected == pytest.approx(np.nanmean(found.out_of_bag))
    assert found.corrected_by(".632") == pytest.approx(
        0.368 * found.apparent + 0.632 * found.corrected
    )
    gap = (found.on_all - found.in_bag).mean()
    assert found.corrected_by("harrell") == pytest.approx(found.apparent + gap)
    assert found.optimism == pytest.approx(found.apparent - found.corrected)


def test_the_rule_of_the_least_expected_cost_has_optimism_too():
    data, cost = drawn(4)
    found = class_weights_bootstrap(data, costs=cost, rule="expected cost", n_boot=10, rng=3)
    assert found.decisions.rule == "expected cost"
    for weight, on_all in zip(found.class_weight, found.on_all, strict=True):
        own = decide_classes(data, costs=cost, class_weight=weight, rule="expected cost")
        assert on_all == pytest.approx(own.cost)
    assert found.corrected == pytest.approx(np.nanmean(found.out_of_bag))
    assert found.corrected > found.apparent


def test_in_bag_no_weights_are_better():
    data, cost = drawn(2, n=18)
    found = class_weights_bootstrap(data, costs=cost, n_boot=8, rng=1)
    for source, value in zip(np.random.default_rng(1).spawn(8), found.in_bag, strict=True):
        times = np.zeros(18, dtype=int)
        for i in range(3):
            rows = np.flatnonzero(data.label == i)
            times[rows] = np.bincount(source.integers(6, size=6), minlength=6)
        many = np.repeat(np.arange(18), times)
        bag = multiclass_scores(data.label[many], data.score[many, 0], classes=[0, 1, 2])
        for weight in found.class_weight:
            assert decide_classes(bag, costs=cost, class_weight=weight).cost >= value - 1e-12


def test_perfect_scores_have_no_optimism():
    y = np.arange(30) % 3
    found = class_weights_bootstrap(multiclass_scores(y, 0.1 + np.eye(3)[y]), n_boot=5, rng=1)
    assert found.apparent == found.corrected == 0
    assert found.corrected_by("harrell") == 0


def test_weights_that_know_nothing_look_better_than_they_are():
    rng = np.random.default_rng(4)
    y = np.arange(60) % 3
    found = class_weights_bootstrap(
        multiclass_scores(y, rng.dirichlet([1] * 3, 60)), n_boot=60, rng=1
    )
    assert found.apparent < 2 / 3 < found.corrected + 0.05
    assert found.apparent < found.corrected_by(".632") < found.corrected


def test_clusters_and_weights_stay_together():
    data, cost = drawn(5, n=24, cluster=np.arange(24) // 6, sample_weight=np.arange(24) % 4 + 1)
    found = class_weights_bootstrap(data, costs=cost, n_boot=30, rng=1)
    assert found.n_failed == 0  # each cluster has all classes
    assert found.n_undefined < 30
    alone, _ = drawn(5, n=24, cluster=np.arange(24) % 3)  # a cluster is a class
    failing = class_weights_bootstrap(alone, costs=cost, n_boot=40, rng=1)
    assert failing.n_failed > 0
    assert failing.in_bag.size == 40 - failing.n_failed
    assert np.isnan(failing.out_of_bag).all()
    assert np.isnan(failing.corrected)


def test_more_classes_are_searched():
    data, cost = drawn(6, n=40, k=4)
    found = class_weights_bootstrap(data, costs=cost, n_boot=4, rng=1)
    assert found.decisions.method == "search"
    assert found.class_weight.shape == (4, 4)
    with pytest.raises(ValueError, match="n_boot"):
        class_weights_bootstrap(data, n_boot=0)
