"""The hull of classifiers in error space: by hand, against random costs, and for two classes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.hull import roc_hull
from rocspace.multiclass import ClassRates, class_rates, counted_rates, error_hull
from rocspace.multiclass.hull import _most_corners


def of_two(points):
    """Classifiers of two classes, from false alarm and miss rates."""
    rate = np.array([[[1 - f, f], [miss, 1 - miss]] for f, miss in points])
    names = tuple(f"p{i}" for i in range(len(points)))
    return ClassRates(classes=(0, 1), names=names, rate=rate, shares=np.array([0.5, 0.5]))


def drawn(seed, k=3, m=6, most=6):
    rng = np.random.default_rng(seed)
    counts = {f"c{a}": rng.integers(0, most, (k, k)) + 2 * np.eye(k) for a in range(m)}
    return counted_rates(counts)


def with_one_more(rates, rate):
    return ClassRates(
        classes=rates.classes,
        names=(*rates.names, "worse"),
        rate=np.concatenate([rates.rate, rate[None]]),
        shares=rates.shares,
    )


def spoilt(rate):
    """Rates nearer to those of a guess that is never right."""
    k = len(rate)
    return 0.9 * rate + 0.1 * (1 - np.eye(k)) / (k - 1)


def test_ties_by_hand():
    # (0, .9) and (0, 1), which is "always 0", are optimal in ties only.
    hull = error_hull(of_two([(0, 0.8), (0, 0.9)]))
    assert hull.status == ("strict", "tied", "tied", "strict")
    assert hull.margin[1:3] == pytest.approx([0, 0], abs=1e-12)
    assert dict(hull.mixture("p1")) == {"p0": 1.0}


@pytest.mark.parametrize("before", [0.0, 1e-12, 1e-10, 3e-10, 1e-9])
def test_a_point_before_an_edge_by_rounding_is_a_mixture_of_its_ends(before):
    hull = error_hull(of_two([(0, 0.6), (0.6, 0), (0.3, 0.3 - before)]))
    assert hull.status[2] == "tied"
    shares = dict(hull.mixture("p2"))
    assert shares == pytest.approx({"p0": 0.5, "p1": 0.5}, abs=1e-8)


def test_three_classes_by_hand():
    # "good" errs by .1 everywhere; "bad" by .2, a mixture of half good and the rest would do.
    e = 0.1 * (1 - np.eye(3)) + 0.8 * np.eye(3)
    bad = 0.2 * (1 - np.eye(3)) + 0.6 * np.eye(3)
    lean = np.array([[1, 0, 0], [0.3, 0.7, 0], [0.3, 0, 0.7]])  # never calls another class but a
    hull = error_hull(counted_rates({"good": e, "bad": bad, "lean": lean}, ["a", "b", "c"]))
    assert hull.status == ("strict", "never", "strict", "tied", "strict", "strict")
    assert dict(hull.mixture("bad")) == {"good": pytest.approx(1.0)}
    # All weight on the errors that "lean" makes best: those that are not "called a".
    assert hull.best({"a": {"b": 1, "c": 1}, "b": {"a": 9, "c": 9}, "c": {"a": 9, "b": 9}}) == (
        "lean",
    )
    # "always a" errs as "lean" does but more often calls b and c a.
    assert dict(hull.mixture("always a")) == {"lean": pytest.approx(1.0)}
    with pytest.raises(ValueError, match="'good' is strictly optimal"):
        hull.mixture("good")


@pytest.mark.parametrize("seed", range(8))
def test_random_costs_find_only_what_is_optimal(seed):
    rng = np.random.default_rng(seed)
    k = 3 if seed % 2 else 4
    rates = drawn(seed, k=k, m=8)
    rates = with_one_more(rates, spoilt(rates.rate[:3].mean(axis=0)))
    hull = error_hull(rates)
    won = set()
    for _ in range(400):
        cost = rng.exponential(size=(k, k)) ** 3 * (1 - np.eye(k))
        won.update(hull.best(cost, priors=dict(enumerate(rng.dirichlet(np.ones(k)) + 1e-9))))
    never = {n for n, s in zip(hull.names, hull.status, strict=True) if s == "never"}
    assert never
    assert not won & never
    assert won <= set(hull.optimal) | {
        n for n, s in zip(hull.names, hull.status, strict=True) if s == "tied"
    }
    error = hull.rates.error
    for c, name in enumerate(hull.names):
        if hull.status[c] == "strict":  # its weights make it win, by the margin
            value = error @ hull.weight[c]
            assert np.delete(value, c).min() - value[c] == pytest.approx(hull.margin[c], abs=1e-9)
        else:
            mixed = hull.rates.mixture(hull.mixture(name)).error[0]
            assert (mixed <= error[c] + 1e-9).all()
            if hull.status[c] == "never":
                assert mixed.sum() < error[c].sum() - 1e-6


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=6))
def test_two_classes_have_the_roc_hull(points):
    found = error_hull(of_two([(f / 8, 1 - t / 8) for f, t in points]))
    hull = roc_hull(
        {
            f"p{i}": rs.ConfusionMatrix(tp=t, fn=8 - t, fp=f, tn=8 - f)
            for i, (f, t) in enumerate(points)
        }
    )
    corner = set(zip(hull.fpr.tolist(), hull.tpr.tolist(), strict=True))
    # A corner of the square that a vertical or horizontal edge ends in is optimal in ties only.
    if any(f == 0 and t > 0 for f, t in corner):
        corner.discard((0.0, 0.0))
    if any(t == 1 and f < 1 for f, t in corner):
        corner.discard((1.0, 1.0))
    named = zip(found.rates.error.tolist(), found.status, strict=True)
    assert {(e[0], 1 - e[1]) for e, status in named if status == "strict"} == corner


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 5))
def test_a_dominated_classifier_changes_nothing(seed, a):
    rates = drawn(seed)
    before = error_hull(rates)
    after = error_hull(with_one_more(rates, spoilt(rates.rate[a])))
    status = dict(zip(after.names, after.status, strict=True))
    if (rates.error[a] > 0).all():
        assert status["worse"] == "never"
    if status.pop("worse") != "strict":
        assert list(status.values()) == list(before.status)
        kept = [n for n in range(len(after.names)) if after.names[n] != "worse"]
        assert (after.margin[kept] <= before.margin + 1e-9).all()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.permutations(range(3)))
def test_names_of_classes_do_not_matter(seed, order):
    rates = drawn(seed, m=4)
    turned = ClassRates(
        classes=tuple(rates.classes[i] for i in order),
        names=rates.names,
        rate=rates.rate[:, order][:, :, order],
        shares=rates.shares[list(order)],
    )
    one, two = error_hull(rates), error_hull(turned)
    assert dict(zip(one.names, one.status, strict=True)) == dict(
        zip(two.names, two.status, strict=True)
    )


def test_the_corners_are_where_classifiers_tie():
    for seed in range(4):
        hull = error_hull(drawn(seed, m=7, most=4))
        corners = hull.corners
        value = corners.weight @ hull.rates.error.T
        assert corners.weight.min() >= 0
        assert corners.weight.sum(axis=1) == pytest.approx(1)
        assert value.min(axis=1) == pytest.approx(corners.cost, abs=1e-9)
        zero = (corners.weight < 1e-9).sum(axis=1)
        assert min(z + len(t) for z, t in zip(zero, corners.tied, strict=True)) >= 6
        assert not corners.joggled
        used = {name for tied in corners.tied for name in tied}
        assert set(hull.optimal) <= used
        # The least cost of random weights is concave between corners: never below their hull.
        weight = np.random.default_rng(seed).dirichlet(np.ones(6), 200)
        point = hull.rates.error[[n in hull.optimal for n in hull.names]].mean(axis=0)
        assert (corners.weight @ point >= corners.cost - 1e-9).all()
        assert (weight @ point >= (weight @ hull.rates.error.T).min(axis=1)).all()


def test_corners_of_two_classes_are_those_of_the_cost_curve():
    data = rs.datasets.load("fawcett20")
    calls = {f"t{t}": (data.y_score >= t).astype(int) for t in np.unique(data.y_score)}
    corners = error_hull(class_rates(data.y_true.astype(int), calls)).corners
    curve = rs.costs.cost_curve(rs.tabulate(data.y_true, data.y_score))
    order = np.argsort(corners.weight[:, 1])
    assert corners.weight[order, 1] == pytest.approx(curve.probability)
    assert corners.cost[order] == pytest.approx(curve.cost, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "d", "facets"), [(7, 2, 7), (8, 3, 12), (6, 4, 9), (7, 4, 14), (8, 5, 20), (9, 6, 30)]
)
def test_the_most_corners_are_the_facets_of_cyclic_polytopes(n, d, facets):
    assert _most_corners(n, d) == facets


def test_what_is_too_large_is_told_before():
    many = ClassRates(
        classes=(0, 1, 2),
        names=tuple(map(str, range(3000))),
        rate=np.repeat(np.eye(3)[None], 3000, axis=0),
        shares=np.ones(3) / 3,
    )
    with pytest.raises(ValueError, match=r"3,000 classifiers of 3 classes take too many"):
        error_hull(many)
    with pytest.raises(ValueError, match="three classes and 200,000 corners"):
        _ = error_hull(drawn(1, k=4, m=2)).corners
    with pytest.raises(TypeError, match="error_hull takes ClassRates, not a dict"):
        error_hull({})
    with pytest.raises(ValueError, match="no classifier 'x'"):
        error_hull(drawn(1, m=2)).mixture("x")


def test_corners_have_a_column_for_each_error():
    corners = error_hull(of_two([(0.1, 0.4), (0.4, 0.1)])).corners
    frame = corners.to_frame()
    assert list(frame.columns) == ["0 called 1", "1 called 0", "cost", "classifiers"]
    np.testing.assert_array_equal(frame["1 called 0"], corners.weight[:, 1])
    assert len(frame) == len(corners)
