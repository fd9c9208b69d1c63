"""Corrected curves and areas: what is drawn are the numbers of the results."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from rocspace import roc_curve, tabulate
from rocspace.designs import (
    denoised_auc_bounds,
    denoised_band,
    denoised_curve,
    label_noise,
    verification_sensitivity,
    verified_scores,
)
from rocspace.plot import plot_corrected, plot_denoised, plot_sensitivity

RNG = np.random.default_rng(2)
ILL = RNG.random(60) < 0.4
SCORE = (RNG.normal(size=60) + ILL).round(1)
TABLE = tabulate(ILL, SCORE)
DATA = verified_scores(np.where(RNG.random(60) < 0.7, ILL, np.nan), SCORE)


def test_both_curves_the_band_and_the_points_as_estimated():
    curve = denoised_curve(TABLE, label_noise(neg=0.2))
    assert curve.rearranged
    band = denoised_band(TABLE, neg=(0.2, 0.2), n_boot=50, grid=5, level=0.9)
    ax = plot_corrected(
        curve, uncorrected=roc_curve(TABLE), band=band, label="mine", ax=Figure().subplots()
    )
    lines = {each.get_label(): each for each in ax.lines}
    assert np.array_equal(lines["mine"].get_xydata(), np.column_stack([curve.fpr, curve.tpr]))
    assert lines["uncorrected"].get_linestyle() == "--"
    dots = lines["_as estimated"].get_xydata()
    raw = np.column_stack([curve.raw_fpr, curve.raw_tpr])
    assert {tuple(each) for each in dots} < {tuple(each) for each in raw}
    assert ((dots >= 0) & (dots <= 1)).all()
    (shade,) = ax.collections
    assert shade.get_paths()[0].vertices[:, 1].max() == band.high.max()
    assert shade.get_facecolor()[0, :3] == pytest.approx((0, 0x72 / 255, 0xB2 / 255))


def test_a_curve_in_order_has_no_dots():
    ax = plot_corrected(denoised_curve(TABLE, label_noise()), ax=Figure().subplots())
    assert "_as estimated" not in [each.get_label() for each in ax.lines]


def test_areas_against_the_share_of_wrong_labels():
    found = denoised_auc_bounds(TABLE, pos=(0, 0.1), neg=(0.1, 0.2))
    ax = plot_denoised(found, ax=Figure().subplots(), level=0.9, label="test")
    (line,) = (each for each in ax.lines if each.get_label() == "test")
    assert line.get_xdata()[[0, -1]] == pytest.approx([0.1, 0.3])
    assert line.get_ydata()[[0, -1]] == pytest.approx([found.low, found.high])
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    ends = [each.interval(0.9) for each in (found.least, found.most)]
    assert heights.min() == pytest.approx(min(each.low for each in ends))
    assert heights.max() == pytest.approx(max(each.high for each in ends))


def test_areas_against_the_log_odds_of_verification():
    found = verification_sensitivity(DATA, log_odds=(1, -1, 0))
    ax = plot_sensitivity(found, ax=Figure().subplots(), color="red")
    (line,) = (each for each in ax.lines if each.get_color() == "red")
    assert line.get_xdata().tolist() == [-1, 0, 1]
    assert line.get_ydata().tolist() == found.auc[[1, 2, 0]].tolist()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: plot_corrected(roc_curve(TABLE)), TypeError, "verified_curve"),
        (lambda: plot_sensitivity(TABLE), TypeError, "verification_sensitivity"),
        (lambda: plot_denoised(TABLE), TypeError, "not a ScoreTable"),
        (lambda: plot_denoised(denoised_auc_bounds(TABLE)), ValueError, "Give a range"),
    ],
)
def test_first_mistakes(call, error, words):
    with pytest.raises(error, match=words):
        call()
