"""Repaired concavities: by hand, printed, exact areas, and maps that undo themselves."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocspace as rs
import slow.curves
import slow.data
import slow.hull
from rocspace.counts import SingleClassError
from rocspace.hull import auch, fit_section_repair, repair_point, repair_points
from slow.curves import auc_by_pairs
from slow.data import F3, F6, INF, assert_close, reference, samples

infinite = st.one_of(st.integers(-4, 4).map(float), st.sampled_from([INF, -INF]))


def rates(matrix):
    return (
        Fraction(matrix.fp) / Fraction(matrix.fp + matrix.tn),
        Fraction(matrix.tp) / Fraction(matrix.tp + matrix.fn),
    )


# --- by hand and printed ----------------------------------------------------------------------


def test_reference_point():
    table = rs.tabulate(*F3)
    repair = repair_point(table, high=0.54, middle=0.52, low=0.38)
    f, t = rates(repair.matrix)
    assert [float(f), float(t)] == reference()["F3_repair_point"]
    assert (0.54, 0.52, 0.38) in [(r.high, r.middle, r.low) for r in repair_points(table)]
    label, score = (np.array(column) for column in F3)
    decided = repair.decide(score)
    assert (decided == ((score >= 0.54) | ((score >= 0.38) & (score < 0.52)))).all()
    assert (decided & label).sum() == repair.matrix.tp == 8
    assert (decided & ~label).sum() == repair.matrix.fp == 3


def test_reference_section():
    expected = reference()
    table = rs.tabulate(*F3)
    repair = fit_section_repair(table, sections=[(0.38, 0.54)])
    assert rs.auc(repair.apply(table)) == expected["F3_repair_section_auc"]
    assert rs.auc(table) == 0.68
    # The scores from .38 to .53 change places; .54, .37 and the rest stay.
    moved = dict(zip(F3[1], repair.transform(F3[1]).tolist(), strict=True))
    assert moved[0.38] == 0.53
    assert moved[0.53] == 0.38
    assert [moved[s] for s in (0.9, 0.54, 0.37, 0.1)] == [0.9, 0.54, 0.37, 0.1]


def test_reference_section_of_unsorted_scores():
    expected = reference()["section_repair_example"]
    table = rs.tabulate(expected["y"], expected["s"])
    assert rs.auc(table) == expected["auc_before"] == 5 / 14
    repair = fit_section_repair(table, sections=[(2, 4)])
    assert rs.auc(repair.apply(table)) == expected["auc_after"] == 5 / 14
    assert repair.transform([2, 3, 4, 2.25, 3.9, 1.9]).tolist() == [3, 2, 4, 2.75, 2, 1.9]


def test_nothing_to_repair():
    table = rs.tabulate(*F6)
    assert repair_points(table) == ()
    repair = fit_section_repair(table)
    assert repair.sections == ()
    assert repr(repair) == "SectionRepair(0 sections of no scores)"
    assert repair.transform([0.5, 7]).tolist() == [0.5, 7]
    # Points on the edge are no dip.
    assert repair_points(rs.tabulate([1, 0, 1, 0], [2, 2, 1, 1])) == ()


def test_infinite_scores_by_hand():
    # Rejecting all is A; the section is everything from 1 up, infinity included.
    table = rs.tabulate([0, 0, 1, 1], [INF, 3, 1, -INF])
    repair = fit_section_repair(table, sections=[(1, INF)])
    assert repair.tops == (None,)
    assert repair.transform([INF, 3, 1, -INF]).tolist() == [1, 3, INF, -INF]
    # Between 1 and 3 the image would run from infinity to 3: a step. So above 3.
    assert repair.transform([2, 1e308, 0.5]).tolist() == [INF, 3, 0.5]
    point = repair_point(table, high=INF, middle=3, low=1)
    assert point.high is None
    assert point.decide([INF, 3, 2, 1, 0]).tolist() == [False, False, True, True, False]
    # An infinite score may be A itself, and then is not touched.
    table = rs.tabulate([1, 0, 0, 1, 1, 0], [INF, 5, 4, 3, 2, -INF])
    (point,) = repair_points(table)
    assert (point.high, point.middle, point.low) == (INF, 4, 2)
    assert point.decide([INF, 5, 4, 3, 2, 1]).tolist() == [True, False, False, True, True, False]
    assert fit_section_repair(table).transform([INF, 5, 1e9]).tolist() == [INF, 2, 2]


def test_lower_scores_more_positive():
    high = rs.tabulate([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
    low = rs.tabulate([1, 0, 0, 1, 1, 0], [-6, -5, -4, -3, -2, -1], higher_is_positive=False)
    up, down = fit_section_repair(high), fit_section_repair(low)
    at = np.linspace(0, 7, 41)
    assert_close(-down.transform(-at), up.transform(at))
    (one,), (other,) = repair_points(high), repair_points(low)
    assert (one.decide(at) == other.decide(-at)).all()
    given_ = repair_point(low, high=-INF, middle=-5, low=-2)
    assert given_.high is None
    assert fit_section_repair(low, sections=[(-2, -INF)]).tops == (None,)


# --- invariants -------------------------------------------------------------------------------


@given(sample=samples(values=infinite, weights=st.integers(1, 3)), weighted=st.booleans())
@settings(max_examples=60)
def test_points_are_mirrored(sample, weighted):
    label, score, weight = sample
    weight = weight if weighted else None
    table = rs.tabulate(label, score, sample_weight=weight)
    corners = slow.curves.points(label, score, weight)
    outline = slow.hull.hull_by_slopes([(f, t) for f, t, _ in corners])
    found = repair_points(table)
    dips = 0
    for a, b in pairwise(outline):
        below = [
            p[:2] for p in corners if a[0] <= p[0] <= b[0] and slow.hull.height([a, b], p[:2]) > 0
        ]
        below = [p for p in below if a[1] <= p[1] <= b[1]]
        if not below:
            continue
        repair = found[dips]
        dips += 1
        d = rates(repair.matrix)
        c = (a[0] + b[0] - d[0], a[1] + b[1] - d[1])
        # C is a point of the curve below the chord, the farthest of all; D is above it.
        assert any(abs(c[0] - p[0]) + abs(c[1] - p[1]) < 1e-12 for p in below)
        depth = [slow.hull.height([a, b], p) for p in below]
        assert float(slow.hull.height([a, b], c)) == pytest.approx(float(max(depth)), abs=1e-12)
        assert d[1] > slow.curves.highest_at([a, b], d[0])
        decided = repair.decide(score)
        w = weight or [1] * len(label)
        tp = sum(v for y, v, yes in zip(label, w, decided, strict=True) if yes and y)
        assert tp == pytest.approx(repair.matrix.tp)
    assert len(found) == dips


@given(sample=samples(values=infinite))
@settings(max_examples=60)
def test_sections_undo_themselves_and_gain_twice_the_dip(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    repair = fit_section_repair(table)
    once = repair.transform(score)
    assert repair.transform(once).tolist() == [float(s) for s in score]
    assert sorted(set(once.tolist())) == sorted(set(score))
    better = rs.tabulate(label, once)
    assert repair.apply(table) == better
    before, after = (auc_by_pairs(label, s) for s in (score, once.tolist()))
    corners = [(f, t) for f, t, _ in slow.curves.points(label, score)]
    assert after - before == 2 * (
        slow.curves.trapezoids(slow.hull.hull_by_slopes(corners)) - before
    )
    if before != after:
        assert auch(better) > auch(table)


@given(sample=samples(values=st.integers(-9, 9).map(float)), grid=st.integers(5, 60))
@settings(max_examples=40)
def test_unseen_scores_go_down_within_a_section(sample, grid):
    table = rs.tabulate(*sample)
    repair = fit_section_repair(table)
    at = np.linspace(-10, 10, grid)
    moved = repair.transform(at)
    tops = [INF if top is None else top for top in repair.tops]
    for section, top in zip(repair.sections, tops, strict=True):
        inside = (at >= section[0]) & (at < top)
        images = moved[inside]
        assert (np.diff(images) <= 0).all()
        assert ((images >= section[0]) & (images <= section[-1])).all()
    outside = np.ones(at.size, dtype=bool)
    for section, top in zip(repair.sections, tops, strict=True):
        outside &= ~((at >= section[0]) & (at < top))
    assert (moved[outside] == at[outside]).all()


@pytest.mark.parametrize("kind", ["f", "d", "i4", "u1"])
def test_types_of_scores(kind):
    score = np.array([60, 50, 40, 30, 20, 10], dtype=kind)
    if kind == "f":
        score = score / np.float32(7)
    repair = fit_section_repair(rs.tabulate([1, 0, 0, 1, 1, 0], score))
    once = repair.transform(score)
    assert once.dtype == ("f" if kind == "f" else np.result_type(score, np.float16))
    assert (repair.transform(once) == score).all()
    assert once[1] == score[4]


def test_thresholds_between_floats():
    score = np.array([0.9, 0.7, 0.5, 0.3], dtype="f")  # the float32 of .7 is below .7
    repair = fit_section_repair(rs.tabulate([1, 0, 0, 1], score), sections=[(0.3, 0.7)])
    assert repair.sections[0].tolist() == score[[3, 2, 1]].tolist()
    assert repair.transform(score).tolist() == score[[0, 3, 2, 1]].tolist()


def test_a_repair_is_tried_on_other_data():
    # In the population, scores from 1 to 2 rank the wrong way round: 3 to 1, then 1 to 3.
    rng = np.random.default_rng(2)
    label = rng.random(4000) < 0.5
    part = rng.random(4000) < 0.75
    score = np.where(label == part, 1.0, 1.5) + rng.random(4000) / 2
    edge = rng.random(4000) < 0.3
    score = np.where(edge, np.where(label, 2.5, 0.5), score)
    train, test = rs.tabulate(label[:2000], score[:2000]), rs.tabulate(label[2000:], score[2000:])
    repair = fit_section_repair(train, sections=[(1.0, 2.5)])
    held_out = repair.apply(test)
    assert rs.auc(held_out) > rs.auc(test) + 0.05
    assert rs.auc(held_out) == rs.auc_score(label[2000:], repair.transform(score[2000:]))


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: repair_point(t, high=0.3, middle=0.5, low=0.9), "most conservative"),
        (lambda t: fit_section_repair(t, sections=[(0.5, 0.3)]), "holds no score"),
        (lambda t: fit_section_repair(t, sections=[(0.3, 0.5), (0.4, 0.6)]), "overlap"),
        (lambda t: fit_section_repair(t).transform([0.1, np.nan]), "missing"),
    ],
)
def test_what_makes_no_sense(call, message):
    with pytest.raises(ValueError, match=message):
        call(rs.tabulate(*F3))


def test_dips_of_light_cases_between_heavy_ones():
    labels, scores = [1, 0, 1, 0], [4, 3, 2, 1]
    light = rs.tabulate(labels, scores, sample_weight=[1e7, 1.5, 1.5, 1e7])
    (dip,) = repair_points(light)
    assert (dip.high, dip.middle, dip.low) == (4, 3, 2)


def test_scores_that_floats_cannot_hold():
    table = rs.tabulate([0, 1], np.array([2**60 + 1, 2**60], dtype="i8"))
    with pytest.raises(ValueError, match="beyond 2"):
        fit_section_repair(table)
    with pytest.raises(ValueError, match="beyond 2"):
        fit_section_repair(rs.tabulate([0, 1], np.array([2**53 + 1, 2**53])))
    assert fit_section_repair(rs.tabulate([0, 1], np.array([2**53, 0]))).sections
    assert repair_points(table)[0].decide(np.array([2**60 + 1, 2**60])).tolist() == [False, True]


@pytest.mark.parametrize("function", [repair_points, fit_section_repair])
def test_one_class_is_not_enough(function):
    with pytest.raises(SingleClassError, match=function.__name__):
        function(rs.tabulate([1, 1], [1, 2]))
