"""Precision-recall, gain, DET, gains and lift graphs show the numbers of their curves."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

import rocspace as rs
import slow.counts
import slow.curves
import slow.data
from drawn import axes, on_polygon, reference, xy
from rocspace.curves import det_curve, det_position, gains_curve, prg_curve
from slow.data import F3, samples

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")


from rocspace import plot  # noqa: E402

T3 = rs.tabulate(*F3)


def test_pr_bends_between_points():
    # 1 positive above, then 1 positive and 4 negatives tied: at recall 3/4 the counts are
    # 1.5 true and 2 false positives, so the precision is 3/7; a straight line has 2/3.
    curve = rs.pr_curve(rs.tabulate([1, 1, 0, 0, 0, 0], [2, 1, 1, 1, 1, 1]))
    drawn = xy(plot.plot_pr(curve, ax=axes()))
    assert np.interp(0.75, *drawn.T) == pytest.approx(3 / 7, abs=1e-3)
    assert drawn[0].tolist() == [0, 1]
    assert drawn[-1].tolist() == [1, 1 / 3]


@given(sample=samples())
@settings(max_examples=25)
def test_pr_line_follows_the_definition(sample):
    label, score = sample
    table = rs.tabulate(label, score)
    ax = plot.plot_pr(rs.pr_curve(table), ax=axes())
    drawn, corners = xy(ax), slow.counts.sweep(label, score)
    P = corners[-1][0]
    assert (np.diff(drawn[:, 0]) >= 0).all()
    for recall, precision in drawn.tolist():
        at = [(tp, fp) for tp, fp, _ in corners if tp + fp and recall == float(tp / P)]
        allowed = [tp / (tp + fp) for tp, fp in at]
        if recall in (0, 1) or allowed:  # at a vertical run any of its precisions
            first = next((tp, fp) for tp, fp, _ in corners if tp + fp)
            allowed.append(first[0] / sum(first) if recall == 0 else 0)
            assert any(precision == pytest.approx(float(p), abs=1e-12) for p in allowed)
        else:
            expected = slow.curves.precision_along(corners, Fraction(recall) * P)
            assert precision == pytest.approx(float(expected), abs=1e-9)
    assert reference(ax, "prevalence")[:, 1].tolist() == [table.prevalence] * 2


def test_prg_det_gains_and_lift_show_their_points():
    prg = prg_curve(T3)
    drawn = xy(plot.plot_prg(prg, ax=axes()))
    np.testing.assert_array_equal(drawn, np.column_stack([prg.recall_gain, prg.precision_gain]))
    det = det_curve(T3)
    ax = plot.plot_det(det, ax=axes())
    assert on_polygon(xy(ax), np.column_stack([det.x, det.y])).all()
    assert ax.get_xlim() == ax.get_ylim()
    ticks = dict(zip((t.get_text() for t in ax.get_xticklabels()), ax.get_xticks(), strict=True))
    assert ticks["20"] == det_position(0.2)
    assert ticks["50"] == 0
    gains = gains_curve(T3)
    ax = plot.plot_gains(gains, ax=axes())
    assert on_polygon(xy(ax), np.column_stack([gains.depth, gains.tpr])).all()
    assert reference(ax, "perfect").tolist() == [[0, 0], [0.5, 1], [1, 1]]
    drawn = xy(plot.plot_lift(gains, ax=axes()))
    assert drawn[0].tolist() == [0.05, 2]  # the first of twenty, half of them positive
    np.testing.assert_allclose(drawn[:, 1], gains.lift_at(drawn[:, 0]), rtol=1e-12)


@pytest.mark.parametrize("scale", ["probit", "logit", "log"])
def test_det_bends_where_classes_tie(scale):
    # All tie: the curve is the mixture fnr = 1 - fpr, which is straight as a probit only.
    curve = det_curve(rs.tabulate([0] * 40 + [1] * 40, [1] * 80), scale=scale)
    ax = plot.plot_det(curve, ax=axes())
    for share in (0.2, 0.5, 0.7):
        place = det_position(share, scale=scale)
        at = np.interp(place, *xy(ax).T)
        assert at == pytest.approx(det_position(1 - share, scale=scale), abs=0.03)


def test_det_without_a_place_for_zero():
    ax = plot.plot_det(det_curve(T3, limits="drop"), ax=axes())
    assert np.isnan(xy(ax)).any()
    assert np.isfinite(ax.get_xlim()).all()


@pytest.mark.parametrize("scale", ["probit", "logit", "log"])
def test_det_of_a_single_negative_is_not_drawn_in_the_middle(scale):
    table = rs.tabulate([0, 1, 1, 1, 1], [1, 2, 3, 4, 5])
    drawn = xy(plot.plot_det(det_curve(table, scale=scale), ax=axes()))
    ends = [
        det_position(0.25, scale=scale),
        det_position(1 if scale == "log" else 0.75, scale=scale),
    ]
    assert [drawn[0, 0], drawn[-1, 0]] == ends
