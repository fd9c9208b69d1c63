"""Areas against time: what is drawn are the numbers of the result."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from rocspace.designs import auc_over_time, auc_over_time_difference, survival_scores
from rocspace.plot import plot_over_time

RNG = np.random.default_rng(2)
SCORE = RNG.normal(size=80)
TIME, STATUS = np.ceil(9 * RNG.exponential(np.exp(-SCORE))), np.arange(80) % 3 > 0
DATA = survival_scores(TIME, STATUS, {"a": SCORE, "b": SCORE + RNG.normal(size=80)})


def test_line_bars_and_shade_are_the_numbers():
    found = auc_over_time(DATA, [2, 5, 9], "a")
    ax = plot_over_time(found, ax=Figure().subplots(), rng=3)
    line = next(each for each in ax.lines if each.get_label() == "a")
    assert line.get_xdata().tolist() == [2, 5, 9]
    assert line.get_ydata().tolist() == found.value.tolist()
    band, (shade,) = found.band(rng=3), [c for c in ax.collections if len(c.get_paths()) == 1]
    heights = shade.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((band.low.min(), band.high.max()))
    (bars,) = [c for c in ax.collections if len(c.get_paths()) == 3]
    ends = [path.vertices[:, 1].tolist() for path in bars.get_paths()]
    assert np.allclose(ends, [list(each.interval()) for each in found.estimates])


def test_differences_have_a_line_at_zero():
    ax = plot_over_time(auc_over_time_difference(DATA, [2, 5]), ax=Figure().subplots())
    assert ax.get_ylabel() == "Difference of AUC"
    assert any(each.get_ydata()[0] == 0 and each.get_ydata()[-1] == 0 for each in ax.lines)
    assert ax.get_legend().get_texts()[0].get_text() == "a minus b"


def test_bars_of_a_second_score_stand_beside_the_first_and_no_legend_on_them():
    ax = Figure(figsize=(4, 4)).subplots()
    for name in ("a", "b"):
        plot_over_time(auc_over_time(DATA, [2, 9], name), ax=ax)
    ax.get_figure().draw_without_rendering()
    first, second = (
        bars.get_transform().transform(bars.get_segments()[0])[:, 0]
        for _, _, (bars,) in (each.lines for each in ax.containers)
    )
    assert second - first == pytest.approx(6 / 72 * ax.get_figure().dpi)
    low, high = ax.get_xlim()
    assert low < 2 < 9 < high
    box = ax.get_legend().get_window_extent()
    assert not any(box.x0 < x < box.x1 for x in (*first, *second))


def test_another_kind_is_refused():
    with pytest.raises(TypeError, match="takes areas over time, not a list"):
        plot_over_time([1, 2])
