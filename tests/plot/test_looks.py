"""How the plots look: pictures that were looked at, and kept.

    python tests/plot/test_looks.py

draws them again into tests/looks. Look at each before it is committed.
"""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import rocspace as rs
from rocspace import datasets
from rocspace.averaging import threshold_average, vertical_average
from rocspace.bands import pr_band, roc_band
from rocspace.calibrate import fit_isotonic, fit_platt
from rocspace.compare import compare_aucs
from rocspace.costs import (
    Triangle,
    bayes_error_curve,
    cost_curve,
    cost_difference,
    cost_lines,
    decision_curve,
    expected_performance,
    rate_driven_curve,
    relative_superiority,
    relative_value_curve,
)
from rocspace.curves import det_curve, gains_curve, prg_curve
from rocspace.granular import granular_areas, groc
from rocspace.hull import isometric, value_grid
from rocspace.models import compare_models, fit_rating, fit_summary_roc
from rocspace.multiclass import best_cuts, multiclass_scores, ordered_scores

matplotlib = pytest.importorskip("matplotlib", reason="the extra plot is not installed")

from matplotlib import style  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.testing.compare import compare_images  # noqa: E402
from matplotlib.text import Text  # noqa: E402

from rocspace import plot  # noqa: E402
from studies import counts  # noqa: E402

COSTS = [[0, 1, 6], [1, 0, 3], [1, 1, 0]]
KEPT = Path(__file__).parents[1] / "looks"
# Root mean square of 255 grey levels. Matplotlib 3.9 and 3.11 differ by 0, except for 2.3 where
# contours make room for their values; a curve that is off by 0.02 differs by 17.
TOLERANCE = 4.0

SONAR = datasets.load("uci_scores").where("dataset", "sonar")
TABLES = {n: rs.tabulate(SONAR.y_true, SONAR.columns[n]) for n in ("rf", "nb", "tree5")}
PARTS = [rs.tabulate(SONAR.y_true[i::4], SONAR.columns["nb"][i::4]) for i in range(4)]
TWENTY = rs.tabulate(datasets.load("fawcett20").y_true, datasets.load("fawcett20").y_score)
RATED = rs.tabulate(datasets.load("hanley_mcneil").y_true, datasets.load("hanley_mcneil").y_score)


def several(draw, make):
    """All three classifiers on the same axes, labelled directly."""

    def picture(ax):
        for name, table in TABLES.items():
            draw(make(table), ax=ax, label=name)
        plot.label_lines(ax)

    return picture


def performance(ax):
    plot.plot_expected_performance(expected_performance(PARTS[0], PARTS[1]), ax=ax)


def precision(ax):
    plot.plot_pr(rs.pr_curve(TABLES["rf"]), ax=ax)
    plot.plot_pr_band(pr_band(TABLES["rf"]), ax=ax)


def roc_with_all(ax):
    curve = rs.roc_curve(TWENTY)
    plot.plot_roc(curve, ax=ax)
    plot.add_thresholds(curve, [0.9, 0.54, 0.38, 0.1], ax=ax)
    plot.add_points({"A": rs.point_at(TWENTY, 0.51)}, ax=ax, marker="s")


def hull(ax):
    found = rs.roc_hull(TABLES)
    plot.plot_hull(found, ax=ax)
    plot.add_iso_performance(found, 2, ax=ax, text="slope 2")


def ties(ax):
    curve = rs.roc_curve(RATED)
    plot.add_ties(curve, ax=ax)
    plot.plot_roc(curve, ax=ax)


def isometrics(ax):
    grid = np.linspace(0, 1, 51)
    plot.add_contours(grid, grid, value_grid("ppv", grid, grid, n_neg=2), ax=ax)
    plot.add_isometric(isometric("matthews", 0.2, 0.5), ax=ax)


def cost(ax):
    plot.plot_cost_curve(cost_curve(TWENTY), ax=ax, lines="best")
    plot.add_cost_lines(cost_lines(TWENTY).at_threshold(0.5), ax=ax, color="black")


def superiority(ax):
    classifiers = {name: rs.point_at(table, 0.5) for name, table in TABLES.items()}
    graph = relative_superiority(classifiers | {"none": rs.point_at(TWENTY, 2)}, prevalence=0.3)
    plot.plot_superiority(graph, ax=ax, belief=Triangle(low=0.2, mode=0.4, high=0.8))


def calibration(ax):
    plot.plot_calibration(fit_isotonic(TABLES["rf"]), ax=ax, label="isotonic")
    plot.plot_calibration(fit_platt(TABLES["rf"]), ax=ax, label="Platt")
    plot.label_lines(ax)


def scores(table):
    return lambda ax: plot.label_lines(plot.plot_scores(table, ax=ax))


def difference(ax):
    first, second = (cost_curve(TABLES[name]) for name in ("rf", "nb"))
    plot.plot_cost_difference(cost_difference(first, second), ax=ax)


def vertical(ax):
    mean = vertical_average(PARTS, grid=10)
    plot.plot_average(mean, bars=mean.interval(0.95), each=True, ax=ax)


def threshold(ax):
    mean = threshold_average(PARTS, grid=8, same_scale=True)
    plot.plot_average(mean, bars=mean.interval(0.95), ax=ax)


def band(ax):
    plot.plot_roc(rs.roc_curve(TABLES["rf"]), ax=ax)
    plot.plot_band(roc_band(TABLES["rf"], method="ks"), ax=ax)


def comparison(show):
    scores = {name: SONAR.columns[name] for name in TABLES}
    found = compare_aucs(rs.pair_scores(SONAR.y_true, scores))
    return lambda ax: plot.plot_comparison(found, ax=ax, show=show)


GROC = rs.tabulate(datasets.load("groc_table3").y_true, datasets.load("groc_table3").columns["a"])


def granular(ax):
    plot.label_lines(plot.plot_granular(groc(GROC, 0.02), ax=ax))


def granularities(ax):
    found = granular_areas(GROC, np.linspace(0, 0.1, 21))
    plot.label_lines(plot.plot_granular_areas(found, ax=ax))


RATING = fit_rating(RATED)


def fits(ax):
    found = compare_models(RATED, models=["rating", "binormal", "exponential"], n_folds=0)
    plot.plot_fits(RATED, found, ax=ax)


def of_studies(**how):
    """Draw without the legend, whose size is that of its letters."""

    def picture(ax):
        plot.plot_summary_roc(fit_summary_roc(**counts(), **how), ax=ax).get_legend().remove()

    return picture


def of_classes(k):
    """Return cases of k classes, of which the first two are hard to tell apart."""
    rng = np.random.default_rng(1)
    names = np.array(["a class with quite a long name", *(f"species {i}" for i in range(1, k))])
    label = rng.integers(0, k, 100 * k)
    strength = rng.normal(0, 1, (label.size, k)) + 1.4 * np.eye(k)[label]
    strength[label == 0, 1] += 0.8
    share = np.exp(strength)
    return multiclass_scores(names[label], share / share.sum(axis=1, keepdims=True), list(names))


def against_the_rest(k):
    """Draw without the legend, whose size is that of its letters."""

    def picture(ax):
        plot.plot_one_vs_rest(of_classes(k), ax=ax).get_legend().remove()

    return picture


def pairwise(k):
    """Draw on all of the axes: letters of another size must not move the matrix."""

    def picture(ax):
        slot = ax.get_position(original=True)
        plot.plot_pairwise(of_classes(k), ax=ax).set_position(slot)

    return picture


PICTURES = {
    "one_vs_rest_3": against_the_rest(3),
    "one_vs_rest_12": against_the_rest(12),
    "pairwise_3": pairwise(3),
    "pairwise_12": pairwise(12),
    "ternary": lambda ax: plot.plot_ternary(of_classes(3), costs=COSTS, ax=ax),
    "roc": several(plot.plot_roc, rs.roc_curve),
    "roc_marked": roc_with_all,
    "hull": hull,
    "ties": ties,
    "isometrics": isometrics,
    "pr": several(plot.plot_pr, rs.pr_curve),
    "prg": several(plot.plot_prg, prg_curve),
    "det": several(plot.plot_det, det_curve),
    "gains": several(plot.plot_gains, gains_curve),
    "lift": several(plot.plot_lift, gains_curve),
    "cost": cost,
    "cost_difference": difference,
    "superiority": superiority,
    "decision": several(plot.plot_decision, decision_curve),
    "rate_driven": several(plot.plot_rate_driven, rate_driven_curve),
    "relative_value": several(plot.plot_relative_value, relative_value_curve),
    "bayes_error": several(plot.plot_bayes_error, partial(bayes_error_curve, scores="probability")),
    "expected_performance": performance,
    "pr_band": precision,
    "calibration": calibration,
    "scores": scores(TABLES["rf"]),
    "scores_few": scores(RATED),
    "average_vertical": vertical,
    "average_threshold": threshold,
    "band": band,
    "comparison": comparison("differences"),
    "areas": comparison("areas"),
    "granular": granular,
    "granular_areas": granularities,
    "fits": fits,
    "summary_roc": of_studies(),
    "summary_roc_line": of_studies(method="moses-littenberg"),
    "probit": lambda ax: plot.label_lines(plot.plot_probit(RATED, RATING, ax=ax)),
}


def without_words(figure):
    """Hide letters, whose shapes differ from one FreeType to another; other tests read them."""
    for text in figure.findobj(Text):
        text.set_visible(False)


def save(draw, file):
    """Draw on one axes and save a small picture, whatever the user's settings are."""
    with style.context("default"):
        figure = Figure(figsize=(3.4, 3.4), dpi=60)
        draw(figure.add_axes((0.05, 0.05, 0.9, 0.9)))
        figure.draw_without_rendering()
        without_words(figure)
        figure.savefig(file)


def staged(n):
    """Return cases of three stages, whose scores rise from one to the next."""
    stages = ["none", "early", "late"]
    label = np.repeat(stages, n)
    score = np.random.default_rng(3).normal(np.repeat([0.0, 1.2, 2.4], n), 1)
    return ordered_scores(label, score, order=stages)


def surface(figure):
    data = staged(60)
    panels = plot.plot_surface(data, cuts=best_cuts(data), figure=figure)
    figure.axes[3].remove()  # the scale of colours, whose place depends on letters
    return panels


PANELS = {
    "summary": ((11, 5.5), lambda figure: plot.plot_summary(TABLES["rf"], figure=figure)),
    "pairwise_curves": (
        (5, 5),
        lambda figure: plot.plot_pairwise_curves(of_classes(4), figure=figure),
    ),
    "surface": ((7.5, 3), surface),
}


def save_panels(name, file):
    size, draw = PANELS[name]
    with style.context("default"):
        figure = Figure(figsize=size, dpi=60)
        panels = draw(figure)
        figure.set_layout_engine("none")  # letters of another size must not move the panels
        for ax in panels.values():
            ax.set_position(ax.get_subplotspec().get_position(figure))
        without_words(figure)
        figure.savefig(file)


def check_same(name, file):
    problem = compare_images(str(KEPT / f"{name}.png"), str(file), tol=TOLERANCE)
    assert problem is None, problem


@pytest.mark.parametrize("name", PICTURES)
def test_the_plot_looks_as_it_did(name, tmp_path):
    file = tmp_path / f"{name}.png"
    save(PICTURES[name], file)
    check_same(name, file)


@pytest.mark.parametrize("name", PANELS)
def test_the_panels_look_as_they_did(name, tmp_path):
    file = tmp_path / f"{name}.png"
    save_panels(name, file)
    check_same(name, file)


def test_a_wrong_curve_is_seen(tmp_path):
    """The pictures are compared closely enough: each difference here is a small one."""

    def other(shift):
        def draw(ax):
            for name, table in TABLES.items():
                plot.plot_roc(rs.roc_curve(table), ax=ax, label=name)
            ax.lines[1].set_ydata(np.clip(ax.lines[1].get_ydata() - shift, 0, 1))
            plot.label_lines(ax)

        return draw

    save(other(0), tmp_path / "same.png")
    check_same("roc", tmp_path / "same.png")
    save(other(0.02), tmp_path / "other.png")
    with pytest.raises(AssertionError, match="RMS"):
        check_same("roc", tmp_path / "other.png")


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        save(picture, KEPT / f"{name}.png")
    for name in PANELS:
        save_panels(name, KEPT / f"{name}.png")
