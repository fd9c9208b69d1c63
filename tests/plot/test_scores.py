"""Distributions of scores and reliability diagrams show what was counted."""

import numpy as np
import pytest

import rocspace as rs
from drawn import axes, main, xy
from rocspace.calibrate import calibration_curve, fit_binning, fit_isotonic, fit_platt
from slow.data import F3

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")


from rocspace import plot  # noqa: E402


@pytest.mark.parametrize("fit", [fit_isotonic, fit_platt, lambda t: fit_binning(t, bins=4)])
def test_calibration_is_what_would_be_predicted(fit):
    table = rs.tabulate(F3[0], F3[1])
    calibration = fit(table)
    drawn = xy(plot.plot_calibration(calibration, ax=axes()))
    assert (np.diff(drawn[:, 0]) >= 0).all()
    for score in table.score.tolist():
        near = drawn[np.abs(drawn[:, 0] - score) < 1e-12][:, 1]
        low, high = (near.min(), near.max()) if near.size else (2, -2)
        value = float(calibration.predict([score])[0])
        assert low <= value <= high or np.interp(score, *drawn.T) == pytest.approx(value, abs=1e-3)


def test_groups_have_their_limits():
    score = np.linspace(0.02, 0.98, 60)
    found = calibration_curve(rs.tabulate(np.arange(60) % 3 > 1, score), bins=4)
    ax = plot.plot_calibration(found, ax=axes(), color="red")
    (bars,) = ax.collections
    drawn = np.array([segment.ravel() for segment in bars.get_segments()])
    x = found.predicted
    np.testing.assert_array_equal(drawn, np.column_stack((x, found.low, x, found.high)))
    assert matplotlib.colors.same_color(bars.get_colors()[0][:3], "red")
    assert not plot.plot_calibration(found, limits=False, ax=axes()).collections


def test_scores_are_counted_by_class():
    ax = plot.plot_scores(rs.ScoreTable.from_counts([1, 2, 4], [1, 1, 2], [5, 0, 5]), ax=axes())
    positive, negative = (line.get_xydata() for line in main(ax))
    assert positive[1:-1:2].tolist() == [[0.5, 0.25], [1.5, 0.25], [3, 0.5]]
    assert negative[1:-1:2].tolist() == [[0.5, 0.5], [1.5, 0], [3, 0.5]]
    # Bins: shares of each class add up to 1, weights count, infinite scores are left out.
    rng = np.random.default_rng(2)
    label, weight = rng.random(500) < 0.3, rng.random(500)
    ax = plot.plot_scores(rs.tabulate(label, rng.normal(size=500), sample_weight=weight), ax=axes())
    assert all(sum(line.get_ydata()[1:-1:2]) == pytest.approx(1) for line in main(ax))
    ax = plot.plot_scores(rs.tabulate([0, 1, 1, 0], [0, 1, np.inf, -np.inf]), ax=axes())
    assert max(main(ax)[0].get_ydata()) == 0.5


def bins(ax):
    return main(ax)[0].get_xdata().size // 2 - 1


@pytest.mark.parametrize(("n", "expected"), [(40, 7), (200, 12), (10_000, 40)])
def test_few_cases_have_few_bins(n, expected):
    table = rs.tabulate([0, 1] * (n // 2), np.linspace(0, 1, n))
    assert bins(plot.plot_scores(table, ax=axes())) == expected
    assert bins(plot.plot_scores(table, ax=axes(), bins=15)) == 15


FITS = [fit_isotonic, fit_platt, lambda t: fit_binning(t, bins=2)]


@pytest.mark.parametrize("fit", FITS)
def test_scores_that_are_no_probabilities_are_refused(fit):
    for scores, wrong in (([-2.5, 0.5, 0.6, 1], "-2.5"), ([0, 0.5, 0.6, 3], "3")):
        with pytest.raises(ValueError, match=f"plot_calibration needs .* a score is {wrong}"):
            plot.plot_calibration(fit(rs.tabulate([0, 1, 0, 1], scores)), ax=axes())
    plot.plot_calibration(fit(rs.tabulate([0, 1, 0, 1], [0, 0.5, 0.6, 1])), ax=axes())


@pytest.mark.parametrize("fit", [FITS[0], FITS[2]])
def test_probabilities_of_the_other_class_are_refused(fit):
    low = rs.tabulate([0, 1, 0, 1], [0.9, 0.5, 0.6, 0.1], higher_is_positive=False)
    with pytest.raises(ValueError, match="lower scores are positive"):
        plot.plot_calibration(fit(low), ax=axes())
