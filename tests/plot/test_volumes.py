"""The ROC surface from its three sides."""

from itertools import pairwise

import numpy as np
import pytest

from rocspace.multiclass import best_cuts, fit_trinormal, ordered_scores, roc_surface, vus_estimate

pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib.figure import Figure

from rocspace.plot import plot_surface, style
from rocspace.plot.volumes import _COARSE, _sides

ORDER = ["low", "mid", "high"]
RNG = np.random.default_rng(5)


def staged(n, order=ORDER):
    score = RNG.normal(np.repeat([0.0, 1.0, 2.0], n), 1).round(1)
    return ordered_scores(np.repeat(order, n), score, order=order)


def slow_rate(data, shown, others):
    """The largest rate of one class where the others have theirs at least, over all cuts."""
    score = data.score[:, 0]
    cuts = [*np.unique(score), np.inf]
    best = 0.0
    for i, one in enumerate(cuts):
        for two in cuts[i:]:
            called = (score >= one).astype(int) + (score >= two)
            rate = [np.mean(called[data.label == c] == c) for c in range(3)]
            if all(rate[c] >= least - 1e-9 for c, least in others.items()):
                best = max(best, rate[shown])
    return best


@pytest.mark.parametrize("n", [3, 8])
def test_each_side_is_the_best_rate_that_can_be_had(n):
    data = staged(n)
    at = np.linspace(0, 1, _COARSE)
    views = ((0, 2, 1), (1, 2, 0), (0, 1, 2))
    for (along, up, shown), height in zip(views, _sides(data, None), strict=True):
        for _ in range(6):
            x, y = RNG.integers(0, _COARSE, 2)
            slow = slow_rate(data, shown, {along: at[x], up: at[y]})
            assert height[y, x] == pytest.approx(slow, abs=0.001 + 1e-9)


def test_a_fitted_surface_has_three_sides_too():
    fit = fit_trinormal(staged(50))
    middle, first, last = _sides(fit, None)
    at = np.linspace(0, 1, _COARSE)
    assert middle[40, 60] == pytest.approx(float(fit.surface_at(at[60], at[40])))
    # What one side gives, another gives back.
    r = first[80, 70]  # with a middle rate of at[70] and a last of at[80]
    assert float(fit.surface_at(r, at[80])) == pytest.approx(at[70], abs=0.005)
    r = last[70, 60]  # with a first of at[60] and a middle of at[70]
    assert float(fit.surface_at(at[60], r)) == pytest.approx(at[70], abs=0.005)


def test_panels_are_named_by_the_class_that_they_show():
    data = staged(20)
    cuts = best_cuts(data)
    panels = plot_surface(data, figure=Figure(), cuts=cuts)
    assert list(panels) == ["mid", "low", "high"]
    for label, ax in panels.items():
        assert ax.get_title() == f"Correct rate of {label}"
        (mark,) = [line for line in ax.lines if line.get_label() == "_cuts"]
        named = [
            each.get_text().removeprefix("Correct rate of ")
            for each in (ax.xaxis.label, ax.yaxis.label)
        ]
        assert {*named, label} == set(ORDER)
        rates = [cuts.rate[ORDER.index(each)] for each in named]
        assert mark.get_xydata().tolist() == [rates]
    found = vus_estimate(data)
    low, high = found.interval(0.95)
    title = panels["mid"].figure.get_suptitle()
    assert f"{found.value:.3f} ({low:.3f} to {high:.3f})" in title


def test_shades_are_the_rates_of_the_surface():
    data = staged(30)
    ax = plot_surface(data, figure=Figure())["mid"]
    at = np.linspace(0, 1, _COARSE)
    rate = roc_surface(data, at[50], at[60])
    shades = ax.collections[0]
    inside = [
        i for i, path in enumerate(shades.get_paths()) if path.contains_point((at[50], at[60]))
    ]
    assert min(int(10 * rate), 9) in inside


@pytest.mark.parametrize("n", [1, 3, 2000])
def test_any_number_of_cases_and_long_names(n):
    names = ["none", "an early stage with a very long name", "late $x^2$ stage, also long"]
    with style("double"):
        figure = Figure(figsize=(7, 3))
        panels = plot_surface(staged(n, names), figure=figure)
        figure.draw_without_rendering()
        boxes = [ax.get_window_extent() for ax in panels.values()]
        assert min(box.width for box in boxes) > 0.18 * figure.bbox.width
        titles = [ax.get_tightbbox() for ax in panels.values()]
        assert all(a.x1 <= b.x0 + 1 for a, b in pairwise(titles))
    assert [ax.get_title("left") for ax in panels.values()] == [
        "Correct rate of\nan early st…ry long name",
        "Correct rate of none",
        "Correct rate of\nlate $x^2$ …e, also long",
    ]


def test_in_a_column_of_a_journal_the_panels_stand_in_a_square():
    names = ["none", "an early stage with a very long name", "a late stage, also long"]
    data = staged(40, names)
    with style("single"):
        figure = Figure(figsize=(3.35, 3.2))
        panels = plot_surface(data, figure=figure, cuts=best_cuts(data))
        figure.draw_without_rendering()
        above, beside, below = panels.values()
        boxes = [ax.get_window_extent() for ax in panels.values()]
        assert min(box.width for box in boxes) > 0.2 * figure.bbox.width
        assert above.get_position().x0 == pytest.approx(below.get_position().x0, abs=0.01)
        assert beside.get_position().y0 == pytest.approx(below.get_position().y0, abs=0.01)
        words = [
            text for ax in panels.values() for text in (ax.title, ax.xaxis.label, ax._left_title)
        ]
        seen = [text.get_window_extent() for text in words if text.get_visible()]
        assert all(not a.overlaps(b) for a, b in pairwise(seen) if min(a.width, b.width) > 1)
        assert all(each.x0 >= 0 and each.x1 <= figure.bbox.x1 for each in seen)
    assert "\n" in figure.get_suptitle()
    # The panel on the right is turned, so that it shares the class of the panel on its left.
    assert beside.get_ylabel() == below.get_ylabel() == "Correct rate of\nan ea…g name"
    at = np.linspace(0, 1, _COARSE)
    first = _sides(data, None)[1]
    inside = [
        i
        for i, path in enumerate(beside.collections[0].get_paths())
        if path.contains_point((at[61], at[101]))
    ]
    assert min(int(10 * first[61, 101]), 9) in inside


def test_mistakes_are_named():
    with pytest.raises(TypeError, match="plot_surface takes OrderedScores, not a list"):
        plot_surface([1, 2])
    two = ordered_scores([0, 1], [1.0, 2.0], order=[0, 1])
    with pytest.raises(ValueError, match="for three classes, and the order has 2"):
        plot_surface(two, figure=Figure())
