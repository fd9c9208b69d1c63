"""Operating points and histograms."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import rocspace as rs
from reports import one, tables
from rocspace import measures
from rocspace.report.sections.thresholds import MAX_TIED, bin_edges, histogram_chart


def test_operating_points_are_those_of_the_direct_calls() -> None:
    table = tables("pathology")["scan"]
    points = one(table, fpr=[0.05, 0.4], tpr=[0.5])["operating_points"]
    asked = [(p["kind"], p["target"]) for p in points]
    assert asked == [("youden", None), ("closest", None), ("fpr", 0.05), ("fpr", 0.4), ("tpr", 0.5)]
    direct = [
        *rs.optimal_points(table, criterion="youden"),
        *rs.optimal_points(table, criterion="closest"),
        *(rs.point_at_fpr(table, fpr) for fpr in (0.05, 0.4)),
        rs.point_at_tpr(table, 0.5),
    ]
    for shown, point in zip(points, direct, strict=True):
        assert [shown[c] for c in ("tp", "fp", "fn", "tn")] == [
            point.tp,
            point.fp,
            point.fn,
            point.tn,
        ]
        for name in ("tpr", "fpr", "tnr", "fnr", "ppv", "npv"):
            rate, interval = shown["rates"][name], rs.point_interval(point, name)
            assert rate["value"] in (None, getattr(measures, name)(point))
            assert (rate["low"], rate["high"]) == (interval.low, interval.high)
    assert points[2]["threshold"] == "inf"
    assert points[2]["rates"]["ppv"]["value"] is None  # nobody is called positive


def test_ties_of_the_best_point_are_counted_and_capped() -> None:
    y = [0, 1] * 20  # each negative is followed by a positive: many thresholds tie
    score = one(rs.tabulate(y, np.arange(40)))
    best = [p for p in score["operating_points"] if p["kind"] == "youden"]
    n_best = len(rs.optimal_points(rs.tabulate(y, np.arange(40))))
    assert {p["tied"] for p in best} == {n_best}
    assert len(best) == MAX_TIED < n_best


@given(
    values=st.lists(
        st.tuples(st.booleans(), st.floats(allow_nan=False, width=32)), min_size=1, max_size=60
    )
)
def test_histograms_count_everybody_once(values: list[tuple[bool, float]]) -> None:
    y, x = (np.array(column) for column in zip(*values, strict=True))
    table = rs.tabulate(y, x.astype(np.float64))
    shown = one(table)["histogram"]
    if shown is None:
        assert not np.isfinite(x).any()
        return
    edges = np.array(shown["edges"])
    assert (np.diff(edges) > 0).all()
    assert len(edges) - 1 == len(shown["pos"]) <= 60
    for key, total in (("pos", table.n_pos), ("neg", table.n_neg)):
        assert sum(shown[key]) + sum(each[key] for each in shown["outside"].values()) == total
    inside = x[np.isfinite(x) & (x >= edges[0]) & (x <= edges[-1])].astype(np.float64)
    both = np.add(shown["pos"], shown["neg"])
    assert both.tolist() == np.histogram(inside, edges)[0].tolist()


def test_edges_are_round_numbers() -> None:
    assert bin_edges(0.003, 0.998, 20, whole=False).tolist() == [i / 20 for i in range(21)]
    assert bin_edges(1, 5, 12, whole=True).tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert bin_edges(7, 7, 12, whole=True).tolist() == [6.5, 7.5]


def test_a_few_scores_far_out_do_not_hide_the_rest() -> None:
    rng = np.random.default_rng(1)
    x = np.append(rng.normal(size=2000), 1e9)
    shown = one(rs.tabulate(np.append(rng.random(2000) < 0.4, True), x))["histogram"]
    assert shown["edges"][-1] < 5
    assert shown["outside"]["above"]["pos"] >= 1


def test_a_threshold_is_drawn_where_it_divides_bars() -> None:
    ratings = rs.datasets.load("hanley_mcneil")
    for higher, x in ((True, 3.5), (False, 2.5)):
        score = ratings["rating"] if higher else 6 - ratings["rating"]
        table = rs.tabulate(ratings.y_true, score, higher_is_positive=higher)
        rule = rule_of(one(table))
        assert rule["x"] == x
        edges = np.array(one(table)["histogram"]["edges"])
        assert x in edges
        point = rs.optimal_points(table)[0]
        assert point.threshold == (4 if higher else 2)
        called = score > x if higher else score < x
        assert np.sum(called & ratings.y_true) == point.tp
        assert np.sum(called) == point.tp + point.fp
    within = rs.tabulate([0, 0, 1, 1, 0, 1] * 30, np.arange(180) % 90)  # many scores to a bar
    assert rule_of(one(within))["x"] == rs.optimal_points(within)[0].threshold


def rule_of(score: dict[str, Any]) -> dict[str, Any]:
    """The line of the threshold in the picture of a score."""
    spec = histogram_chart(score, 0)
    (rule,) = spec["datasets"]["rule"]
    return dict(rule)
