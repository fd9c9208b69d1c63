"""The volumes that several classifiers dominate: by hand, by a grid, and for two classes."""

import numpy as np
import pytest

import rocspace as rs
from rocspace.hull import roc_hull
from rocspace.multiclass import (
    ClassRates,
    class_rates,
    counted_rates,
    dominated,
    dominated_volume,
    dominated_volume_estimate,
    pareto_volume_estimate,
    polytope_volume,
    polytope_volume_estimate,
)


def test_two_boxes_by_hand():
    # Each has 1/4; what they share is (1/2)^3 = 1/8.
    assert dominated_volume([[0.5, 1.0, 0.5], [1.0, 0.5, 0.5]]) == 0.375
    assert dominated_volume([[0.2, 0.4, 0.5, 1.0]]) == pytest.approx(0.04)
    assert dominated_volume(np.eye(3)) == 0
    assert dominated_volume([[1, 1, 1], [0.3, 0.2, 1]]) == 1


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_grid_says_the_same(k):
    rates = np.random.default_rng(k).integers(0, 7, (12, k)) / 6
    middle = np.stack(np.meshgrid(*[(np.arange(6) + 0.5) / 6] * k), axis=-1).reshape(-1, 1, k)
    reached = (middle <= rates).all(axis=2).any(axis=1)
    assert dominated_volume(rates) == pytest.approx(reached.mean(), abs=1e-14)
    again = np.concatenate([rates, rates * 0.7])[::-1]
    assert dominated_volume(again[:, ::-1]) == pytest.approx(reached.mean(), abs=1e-14)


def test_two_classes_have_the_steps_of_the_curve():
    rng = np.random.default_rng(1)
    y, score = rng.integers(0, 2, 40), rng.integers(0, 12, 40)
    curve = rs.roc_curve(rs.tabulate(y, score))
    wins = np.mean(score[y == 1][:, None] > score[y == 0])
    assert dominated_volume(np.column_stack([1 - curve.fpr, curve.tpr])) == pytest.approx(wins)


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ([0.5, 0.5], r"shape \(2,\)"),
        ([[0.5, 1.5]], "rates"),
        (
            np.random.default_rng(1).random((300, 4)),
            "300 points of 4 classes make up to 27,000,000",
        ),
    ],
)
def test_what_cannot_be_answered_is_told(rates, said):
    with pytest.raises(ValueError, match=said):
        dominated_volume(rates)


def test_where_boxes_are_too_many_points_are_drawn():
    rates = np.random.default_rng(3).random((30, 3))
    exact = dominated_volume(rates)
    found = dominated_volume_estimate(rates, n_draws=20_000, rng=1)
    assert found.se == pytest.approx(np.sqrt(exact * (1 - exact) / 20_000), rel=0.05)
    assert abs(found.value - exact) < 4 * found.se
    many = np.random.default_rng(1).random((300, 4))
    assert dominated_volume_estimate(many, n_draws=2000, rng=1).se < 0.02
    assert dominated_volume_estimate(np.ones((1, 5)), n_draws=10, rng=1).interval().low > 0.5


# --- in the space of errors -----------------------------------------------------------------------


def drawn(seed, k=3, m=4):
    rng = np.random.default_rng(seed)
    return counted_rates({f"c{a}": rng.integers(0, 9, (k, k)) + 10 * np.eye(k) for a in range(m)})


def of_thresholds(seed=1, n=40):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    score = np.round(rng.normal(size=n) + y, 1)
    calls = {f"t{t}": (score >= t).astype(int) for t in np.unique(score)}
    return rs.tabulate(y, score), class_rates(y, calls, classes=[0, 1])


def test_two_classes_have_the_area_under_the_hull():
    table, rates = of_thresholds()
    auch = roc_hull(table).auc
    assert polytope_volume(rates) == pytest.approx(2 * auch - 1)
    found = polytope_volume_estimate(rates, n_draws=20_000, rng=2)
    assert abs(found.value - (2 * auch - 1)) < 4 * found.se


def test_two_classes_have_the_steps_below_chance():
    _, rates = of_thresholds()
    grid = (np.arange(400) + 0.5) / 400
    f, miss = np.meshgrid(grid, grid)
    below = (f + miss)[None] < 1
    error = rates.error
    steps = (f[..., None] >= error[:, 0]) & (miss[..., None] >= error[:, 1])
    share = steps.any(axis=2)[below[0]].mean()
    found = pareto_volume_estimate(rates, n_draws=40_000, rng=1)
    assert abs(found.value - share) < 4 * found.se + 0.003


def test_trivial_classifiers_have_nothing_and_a_perfect_one_all():
    trivial = ClassRates(
        classes=(0, 1, 2),
        names=("a", "b"),
        rate=np.array([[[1, 0, 0]] * 3, [[0.5, 0.2, 0.3]] * 3], dtype=float),
        shares=np.ones(3) / 3,
    )
    perfect = counted_rates({"a": np.eye(3)})
    assert polytope_volume(trivial) == pytest.approx(0, abs=1e-12)
    assert polytope_volume(perfect) == pytest.approx(1)
    for estimate in (polytope_volume_estimate, pareto_volume_estimate):
        assert estimate(trivial, n_draws=1000, rng=1).value == 0
        assert estimate(perfect, n_draws=1000, rng=1).value == 1
        assert estimate(perfect, n_draws=1000, rng=1).interval().low > 0.99


def test_as_many_draws_as_the_docs_say():
    rates = counted_rates({"a": [[3, 1, 0], [1, 3, 0], [0, 1, 3]]})
    one, two = (polytope_volume_estimate(rates, n_draws=n, rng=1) for n in (None, 100_000))
    assert one == two


def test_the_trivial_ones_alone_have_one_part_in_180():
    rng = np.random.default_rng(1)
    rate = rng.dirichlet(np.ones(3), (200_000, 3))
    least = np.where(np.eye(3) == 1, 1, rate).min(axis=1).sum(axis=1)
    assert np.mean(least >= 1) == pytest.approx(8 / 180, abs=4 * np.sqrt(0.044 / 200_000))


@pytest.mark.parametrize("seed", range(3))
def test_the_exact_volume_and_both_draws_agree(seed, monkeypatch):
    rates = drawn(seed)
    exact = polytope_volume(rates)
    found = polytope_volume_estimate(rates, n_draws=20_000, rng=seed)
    assert abs(found.value - exact) < 4 * found.se
    # Each draw by a linear program of its own says the same as the corners.
    few = np.concatenate(list(dominated._better_than_chance(3, 300, np.random.default_rng(seed))))
    assert few.shape == (300, 6)
    slow = dominated._Mixtures(rates.with_trivial().error).reach(few)
    corners = rs.multiclass.error_hull(rates).corners
    assert (slow == (few @ corners.weight.T >= corners.cost - 1e-9).all(axis=1)).all()
    assert pareto_volume_estimate(rates, n_draws=5000, rng=1).value <= exact + 0.02


def test_the_share_better_than_chance_by_plain_draws():
    rates, rng = drawn(4), np.random.default_rng(7)
    rate = rng.dirichlet(np.ones(3), (60_000, 3))  # rows of rates, uniform on the simplex
    # A mixture that always calls j with probability q_j errs so often in every row.
    chance = np.where(np.eye(3) == 1, 1, rate).min(axis=1).sum(axis=1) >= 1
    better = rate[~chance]
    off = ~np.eye(3, dtype=bool)
    reached = [(better[:, off] >= own[off]).all(axis=1) for own in rates.rate]
    share = np.any(reached, axis=0).mean()
    found = pareto_volume_estimate(rates, n_draws=40_000, rng=3)
    assert abs(found.value - share) < 4 * np.hypot(found.se, np.sqrt(share / len(better)))
    assert 0 < share < 1


def test_what_is_dominated_adds_nothing():
    rates = drawn(5)
    worse = 0.8 * rates.rate[:1] + 0.2 * (1 - np.eye(3)) / 2
    more = ClassRates(
        classes=rates.classes,
        names=(*rates.names, "worse"),
        rate=np.concatenate([rates.rate, worse]),
        shares=rates.shares,
    )
    assert polytope_volume(more) == pytest.approx(polytope_volume(rates))
    one, two = (pareto_volume_estimate(each, n_draws=3000, rng=1) for each in (rates, more))
    assert one == two
    turned = ClassRates(
        classes=(2, 0, 1),
        names=rates.names,
        rate=rates.rate[:, [2, 0, 1]][:, :, [2, 0, 1]],
        shares=rates.shares[[2, 0, 1]],
    )
    assert polytope_volume(turned) == pytest.approx(polytope_volume(rates))


def test_four_classes_are_drawn():
    rates = drawn(2, k=4)
    found = polytope_volume_estimate(rates, n_draws=150, rng=1)
    pareto = pareto_volume_estimate(rates, n_draws=150, rng=1)
    assert 0 <= pareto.value <= found.value < 1
    with pytest.raises(ValueError, match=r"these have 4 classes\. See polytope_volume_estimate"):
        polytope_volume(rates)
    with pytest.raises(TypeError, match="takes ClassRates, not a list"):
        pareto_volume_estimate([])
