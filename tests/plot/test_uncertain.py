"""Averages, bands, forests and granular curves show their result's numbers."""

from dataclasses import replace

import numpy as np
import pytest

import rocspace as rs
from rocspace.averaging import horizontal_average, threshold_average, vertical_average
from rocspace.bands import average_band, roc_band
from rocspace.compare import compare_aucs
from rocspace.granular import granular_areas, groc

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure

from rocspace import plot
from rocspace.plot.axes import main_lines

# Two curves by hand.
STEPS = rs.ScoreTable.from_counts([4, 3, 2, 1], [1, 0, 1, 0], [0, 1, 0, 1])
RAMP = rs.ScoreTable.from_counts([2, 1], [3, 2], [1, 4])


def axes():
    return Figure().subplots()


def main(ax):
    return [line.get_xydata() for line in main_lines(ax)]


def test_averages_are_drawn_from_corner_to_corner():
    mean = vertical_average([STEPS, RAMP], grid=4)
    (drawn,) = main(plot.plot_average(mean, ax=axes()))
    # At fpr 0 the mean is 0.25, on a vertical run from the origin.
    assert drawn.tolist() == [
        [0, 0],
        [0, 0.25],
        [0.25, 0.5625],
        [0.5, 0.875],
        [0.75, 0.9375],
        [1, 1],
    ]
    across = horizontal_average([STEPS, RAMP], grid=4)
    (drawn,) = main(plot.plot_average(across, ax=axes()))
    assert drawn[-2].tolist() == [0.75, 1]
    assert drawn[-1].tolist() == [1, 1]


def segments(ax, horizontal):
    """The bars of one direction: their ends."""
    bars = [np.array(c.get_segments()) for c in ax.collections]
    (found,) = [b for b in bars if (b[:, 0, horizontal] == b[:, 1, horizontal]).all()]
    return found


def test_bars_reach_from_limit_to_limit():
    mean = vertical_average([STEPS, RAMP, RAMP], grid=4)
    bars = mean.interval(0.9)
    ax = plot.plot_average(mean, bars=bars, each=True, ax=axes())
    assert len(ax.collections) == 1  # no bars across, where the rate was given
    up = segments(ax, horizontal=0)
    np.testing.assert_allclose(up[:, 0, 1], bars.tpr_low, atol=1e-15)
    np.testing.assert_allclose(up[:, 1, 1], bars.tpr_high, atol=1e-15)
    each = [line.get_xydata() for line in ax.lines if line.get_label() == "_each"]
    assert len(each) == 3
    np.testing.assert_array_equal(each[0][-len(mean) :, 1], mean.each_tpr[0])
    both = threshold_average([STEPS, RAMP], grid=4, same_scale=True)
    bars = both.interval(0.9)
    ax = plot.plot_average(both, bars=bars, ax=axes(), color="#123456")
    assert len(ax.collections) == 2
    assert main_lines(ax)[0].get_color() == "#123456"
    np.testing.assert_allclose(segments(ax, 1)[:, 1, 0], bars.fpr_high, atol=1e-15)


def test_band_covers_what_it_should():
    table = rs.tabulate([0] * 20 + [1] * 20, range(40))
    band = roc_band(table, method="ks")
    ax = plot.plot_roc(rs.roc_curve(table), ax=axes(), color="#123456")
    (area,) = plot.plot_band(band, ax=ax).collections
    corners = area.get_paths()[0].vertices
    for x, low, high in zip(band.fpr, band.low, band.high, strict=True):
        assert (np.abs(corners - [x, low]).sum(axis=1) < 1e-12).any()
        assert (np.abs(corners - [x, high]).sum(axis=1) < 1e-12).any()
    assert tuple(area.get_facecolor()[0][:3]) == (0x12 / 255, 0x34 / 255, 0x56 / 255)
    assert len(plot.plot_band(band, ax=axes()).collections) == 1


def pairs():
    rng = np.random.default_rng(4)
    label = np.repeat([0, 1], 60)
    gain = {"a": 1.5, "b": 1.0, "c": 0.2}
    return rs.pair_scores(label, {k: rng.normal(size=120) + g * label for k, g in gain.items()})


def test_forest_of_areas_and_of_differences():
    found = compare_aucs(pairs())
    ax = plot.plot_comparison(found, show="areas", level=0.9, ax=axes())
    assert main(ax)[0].tolist() == [[e.value, i] for i, e in enumerate(found.estimates)]
    (bars,) = [line.get_xydata() for line in ax.lines if line.get_label() == "_intervals"]
    for i, estimate in enumerate(found.estimates):
        assert bars[3 * i : 3 * i + 2, 0].tolist() == list(estimate.interval(0.9))
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b", "c"]
    assert ax.get_xlabel() == "Area and 90 % interval"
    ax = plot.plot_comparison(found, ax=axes())
    assert main(ax)[0][:, 0].tolist() == [pair.difference.value for pair in found.pairs]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a − b", "a − c", "b − c"]
    assert ax.texts[1].get_text() == "0.407 (0.276 to 0.524), p <0.0001 (Holm)"
    ax = plot.plot_comparison(compare_aucs(pairs(), adjust="benjamini-yekutieli"), ax=axes())
    assert ax.texts[1].get_text().endswith("p <0.0001 (Benjamini-Yekutieli)")
    with pytest.raises(ValueError, match="show"):
        plot.plot_comparison(found, show="p values", ax=axes())


def test_a_missing_p_value_is_said():
    found = compare_aucs(pairs())
    unknown = tuple(replace(pair, adjusted_pvalue=np.nan) for pair in found.pairs)
    words = plot.plot_comparison(replace(found, pairs=unknown), ax=axes()).texts[0].get_text()
    assert words.endswith("), no p value")


def test_forest_of_any_estimates():
    table = rs.tabulate([0, 0, 1, 1, 1, 0], [1, 2, 3, 4, 2, 3])
    estimate = rs.delong(table)
    ax = plot.plot_forest({"here": estimate, "again": estimate}, ax=axes(), marker="o")
    low, high = estimate.interval(0.95)
    assert high == 1
    assert ax.texts[0].get_text() == f"{estimate.value:.3f} ({low:.3f} to 1)"
    assert main_lines(ax)[0].get_marker() == "o"


def test_granular_curves_keep_the_order_of_thresholds():
    table = rs.tabulate([1, 0, 1, 0, 1, 0], [0.9, 0.85, 0.6, 0.55, 0.3, 0.1])
    curve = groc(table, 0.1)
    upper, lower = main(plot.plot_granular(curve, ax=axes()))
    np.testing.assert_array_equal(upper, np.column_stack([curve.high_fpr, curve.high_tpr]))
    np.testing.assert_array_equal(lower, np.column_stack([curve.low_fpr, curve.low_tpr]))
    areas = granular_areas(table, [0.2, 0.0, 0.1])
    ax = plot.plot_granular_areas(areas, ax=axes())
    upper, lower = main(ax)
    assert upper[:, 0].tolist() == lower[:, 0].tolist() == [0, 0.1, 0.2]
    assert upper[:, 1].tolist() == areas.auc_high[[1, 2, 0]].tolist()
    assert lower[:, 1].tolist() == areas.auc_low[[1, 2, 0]].tolist()


def test_limits_of_an_average_are_drawn_as_its_band():
    average = vertical_average([STEPS, RAMP], grid=4)
    limits = average.interval(0.9)
    drawn = [plot.plot_band(x, ax=axes()).collections[0] for x in (limits, average_band(limits))]
    one, two = (each.get_paths()[0].vertices for each in drawn)
    np.testing.assert_array_equal(one, two)
