"""The interval of the area in a corner: its definition, its symmetry, and how it covers."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
from rocspace.curves import two_way_partial_auc
from rocspace.inference import delong, partial_auc_estimate, two_way_partial_auc_interval
from rocspace.resampling import bootstrap, two_way_area
from slow.curves import points
from slow.curves import two_way_area as slow_area
from slow.data import samples

RATES = st.sampled_from([0.05, 0.2, 0.25, 0.5, 0.7, 0.95])
LEVELS = st.sampled_from([0.5, 0.95, 0.999])


def ends(table, max_fpr, min_tpr, level=0.95):
    found = two_way_partial_auc_interval(table, max_fpr=max_fpr, min_tpr=min_tpr, level=level)
    return tuple(found)


def part(table, level=0.95, **ends):
    return tuple(partial_auc_estimate(table, **ends).interval(level))


@settings(max_examples=60)
@given(sample=samples(), a=RATES, b=RATES, level=LEVELS)
def test_limits_hold_the_area_inside_the_corner_and_widen_with_the_level(sample, a, b, level):
    table = rs.tabulate(*sample)
    low, high = ends(table, a, b, level)
    assert 0 <= low <= two_way_partial_auc(table, max_fpr=a, min_tpr=b) + 1e-12
    assert two_way_partial_auc(table, max_fpr=a, min_tpr=b) <= high + 1e-12
    assert high <= a * (1 - b)
    wider = ends(table, a, b, (1 + level) / 2)
    assert wider[0] <= low + 1e-12
    assert high <= wider[1] + 1e-12


@settings(max_examples=40)
@given(sample=samples(), a=RATES, level=LEVELS)
def test_a_corner_that_one_rate_does_not_cut_is_a_part(sample, a, level):
    table = rs.tabulate(*sample)
    assert ends(table, a, 0, level) == pytest.approx(part(table, level, fpr=(0, a)), abs=1e-12)
    assert ends(table, 1, a, level) == pytest.approx(part(table, level, tpr=(a, 1)), abs=1e-12)
    assert ends(table, 1, 0, level) == pytest.approx(tuple(delong(table).interval(level)))


def test_exchanged_classes_have_the_corner_seen_from_the_other_axis():
    rng = np.random.default_rng(3)
    for _ in range(20):
        y = rng.random(150) < 0.4
        s = rng.normal(size=y.size) + 1.5 * y
        found = ends(rs.tabulate(y, s), 0.3, 0.6)
        assert found == pytest.approx(ends(rs.tabulate(~y, -s), 0.4, 0.7), abs=1e-12)
        moved = ends(rs.tabulate(y, 3 * s - 7), 0.3, 0.6)
        assert moved == found
        down = ends(rs.tabulate(y, -s, higher_is_positive=False), 0.3, 0.6)
        assert down == pytest.approx(found, abs=1e-12)


def test_by_the_definition():
    """Limits of parts of the curve from every start, with the search along the longer axis."""
    rng = np.random.default_rng(4)
    y = np.repeat([True, False], [30, 80])
    table = rs.tabulate(y, rng.normal(size=y.size) + 1.2 * y)

    def limits(t):
        without = replace(partial_auc_estimate(table, fpr=(t, 0.4)), cuts=None)
        return np.subtract(tuple(without.interval(0.95)), 0.5 * (0.4 - t))

    entered = rs.roc_curve(table).fpr_at(0.5)
    low, high = ends(table, 0.4, 0.5)
    assert low == pytest.approx(max(limits(entered)[0], 0))
    starts = [*(0.025 * np.arange(16)), entered]
    assert high == pytest.approx(max(limits(t)[1] for t in starts))
    fine = max(limits(t)[1] for t in np.linspace(0, 0.399, 400))
    assert high <= fine <= 1.03 * high  # the limits jump at cases: 17 starts come near


def test_curves_below_the_corner():
    y = np.repeat([1, 0], 200)
    below = rs.tabulate(y, np.concatenate([np.arange(200), np.arange(200) + 400]))
    low, high = ends(below, 0.2, 0.9)  # most negatives stand above all positives
    assert low == 0 < high <= 0.2 * 0.1 / 16 + 1e-12
    rng = np.random.default_rng(5)
    weak = rs.tabulate(y, rng.normal(size=400) + 0.4 * y)
    assert ends(weak, 0.2, 0.6) == (0, 0)  # the true positive rate at .2 is .35 +- .05
    few = rs.tabulate(y[::10], rng.normal(size=40) + 0.4 * y[::10])
    assert two_way_partial_auc(few, max_fpr=0.2, min_tpr=0.6) == 0
    assert ends(few, 0.2, 0.6)[0] == 0 < ends(few, 0.2, 0.6)[1] < 0.2 * 0.4


@settings(max_examples=60)
@given(sample=samples(), a=RATES, b=RATES)
def test_replicates_are_areas_in_the_corner(sample, a, b):
    table = rs.tabulate(*sample)
    values = two_way_area(max_fpr=a, min_tpr=b).values(table)
    found = values(table.pos[np.newaxis], table.neg[np.newaxis])
    assert found.item() == pytest.approx(
        slow_area([(f, t) for f, t, _ in points(*sample)], a, b), abs=1e-12
    )


def test_the_bootstrap_has_the_interval():
    data = rs.datasets.load("two_class_example")
    table = rs.tabulate(data.y_true, data.y_score)
    statistic = two_way_area(max_fpr=0.3, min_tpr=0.8)
    sample = bootstrap(table, statistic, n_boot=100, rng=1)
    value = two_way_partial_auc(table, max_fpr=0.3, min_tpr=0.8)
    assert float(sample.value) == pytest.approx(value, abs=1e-15)
    assert tuple(sample.interval(0.9)) == ends(table, 0.3, 0.8, 0.9)
    assert sample.interval(method="bca").method == "bootstrap bca"
    copy = pickle.loads(pickle.dumps(sample))
    assert tuple(copy.interval()) == tuple(sample.interval())
    assert list(sample.interval().to_frame()["low"]) == [sample.interval().low]


def test_it_covers_where_replicates_do_not():
    """Two populations in which BCa covers the area in 87 percent of samples (docs, coverage)."""
    rng = np.random.default_rng(6)
    levels = (0.2, 0.3, 0.5), (0.75, 0.2, 0.05)
    hits = {"levels": 0, "bounded": 0}
    truth = {}
    for name, draw in {
        "levels": lambda y: np.where(
            y, rng.choice(3, y.size, p=levels[0]), rng.choice(3, y.size, p=levels[1])
        ),
        "bounded": lambda y: np.where(y, rng.beta(0.5, 0.5, y.size), rng.beta(2, 5, y.size)),
    }.items():
        many = np.arange(400_000) < 200_000
        truth[name] = two_way_partial_auc(rs.tabulate(many, draw(many)), max_fpr=0.4, min_tpr=0.5)
        y = np.arange(70) < 20
        for _ in range(200):
            low, high = ends(rs.tabulate(y, draw(y)), 0.4, 0.5)
            hits[name] += low <= truth[name] <= high
    assert min(hits.values()) >= 182  # fewer with a chance of .006 if 95 in 100 are covered


@pytest.mark.parametrize(("max_fpr", "min_tpr"), [(0, 0.5), (0.5, 1)])
def test_a_corner_without_an_area(max_fpr, min_tpr):
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    for make in (
        lambda: ends(table, max_fpr, min_tpr),
        lambda: two_way_area(max_fpr=max_fpr, min_tpr=min_tpr),
    ):
        with pytest.raises(ValueError, match=r"no area"):
            make()


def test_bad_arguments():
    table = rs.tabulate([0, 1, 0, 1], [1, 2, 3, 4])
    with pytest.raises(ValueError, match="max_fpr"):
        ends(table, 1.5, 0.5)
    with pytest.raises(ValueError, match="level"):
        ends(table, 0.5, 0.5, 1)
    with pytest.raises(
        rs.SingleClassError,
        match=r"two_way_partial_auc_interval needs .* 2 positives and 0",
    ):
        ends(rs.tabulate([1, 1], [1, 2]), 0.5, 0.5)
