"""Every graph on hard data: what the tests of its page draw, and contact sheets to look at.

    python tests/sheets.py FOLDER

writes a sheet for each data set, and that of twelve scores once more in grey, as people with
deuteranopia see it, and at the size of a journal's columns; and a sheet for each data
set of several classes. Each function of `rocspace.plot` is on them.
"""

import sys
from functools import cache, partial
from pathlib import Path

import numpy as np

import rocspace as rs
from rocspace import plot
from rocspace.averaging import vertical_average
from rocspace.bands import pr_band, roc_band
from rocspace.calibrate import fit_isotonic
from rocspace.compare import compare_aucs, rank_features
from rocspace.costs import (
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
from rocspace.designs import (
    auc_by_covariate,
    auc_over_time,
    covariate_scores,
    denoised_auc_bounds,
    denoised_curve,
    label_noise,
    posterior,
    survival_scores,
    verification_sensitivity,
    verified_scores,
)
from rocspace.granular import granular_areas, groc
from rocspace.hull import isometric, value_grid
from rocspace.models import compare_models, fit_summary_roc
from rocspace.multiclass import (
    best_class_weights,
    best_cuts,
    cost_matrix,
    cost_slice,
    decided_rates,
    multiclass_scores,
    ordered_scores,
)

LONG = "gradient boosting with {} trees, calibrated by isotonic regression in 5 folds"


def _drawn(n_pos, n_neg, gains, *, names=None, levels=0, seed=1):
    """Return labels, and a probability for each name; with `levels`, so many distinct ones."""
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], [n_pos, n_neg])
    names = [f"model {i}" for i in range(1, len(gains) + 1)] if names is None else names
    scores = {}
    for name, gain in zip(names, gains, strict=True):
        score = 1 / (1 + np.exp(0.5 - gain * (rng.normal(size=label.size) + gain * label) / 2))
        scores[name] = np.round(score * levels) / levels if levels else score
    return label, scores


MAKERS = {
    "tiny": lambda: (
        [1, 1, 0, 0, 1],
        {"a": [0.9, 0.4, 0.4, 0.2, 0.7], "b": [0.6, 0.7, 0.3, 0.8, 0.1]},
    ),
    "huge": lambda: _drawn(300_000, 700_000, [1.5, 1.0]),
    "tied": lambda: _drawn(60, 140, [1.5, 0.8], levels=4),
    "yes or no": lambda: _drawn(40, 60, [1.5, 0.8], levels=1),
    "perfect": lambda: (
        [1] * 12 + [0],
        {"perfect": np.linspace(0.95, 0.05, 13), "same": np.linspace(0.9, 0.1, 13)},
    ),
    "worthless": lambda: _drawn(30, 30, [0.01, 0.01]),
    "long names": lambda: _drawn(
        100, 150, [1.6, 1.2, 0.8], names=[LONG.format(n) for n in (50, 100, 200)]
    ),
    "twelve": lambda: _drawn(150, 250, np.linspace(0.4, 2.2, 12)),
    "twelve long": lambda: _drawn(
        150, 250, np.linspace(0.4, 2.2, 12), names=[LONG.format(n) for n in range(12)]
    ),
}


@cache
def rows(name):
    label, scores = MAKERS[name]()
    return np.asarray(label), {n: np.asarray(s) for n, s in scores.items()}


@cache
def cases(name):
    return rs.pair_scores(*rows(name))


@cache
def tables(name):
    found = cases(name)
    return {n: found.table(n) for n in found.names}


def each(draw, make):
    """Draw all scores of a data set on the same axes, each with its name."""

    def picture(ax, data):
        for name, table in tables(data).items():
            draw(make(table), ax=ax, label=name)

    return picture


def beside(draw, make):
    """The same, with names beside the lines."""

    def picture(ax, data):
        each(draw, make)(ax, data)
        plot.label_lines(ax)

    return picture


def first(draw, make=lambda table: table, **options):
    return lambda ax, data: draw(make(next(iter(tables(data).values()))), ax=ax, **options)


def hull(ax, data):
    plot.plot_hull(rs.roc_hull(tables(data)), ax=ax, names=True)


def marked(ax, data):
    table = next(iter(tables(data).values()))
    curve = rs.roc_curve(table)
    plot.plot_roc(curve, ax=ax)
    plot.add_thresholds(curve, table.score[:: max(len(table) // 14, 1)], ax=ax)


def points(ax, data):
    plot.add_points({name: rs.point_at(table, 0.5) for name, table in tables(data).items()}, ax=ax)


def band(ax, data):
    for name, table in tables(data).items():
        plot.plot_roc(rs.roc_curve(table), ax=ax, label=name)
        plot.plot_band(roc_band(table, method="ks"), ax=ax)


def average(ax, data):
    curve = vertical_average(list(tables(data).values()), grid=10)
    plot.plot_average(curve, bars=curve.interval(0.95), each=True, ax=ax, label=f"mean of {data}")


def forest(ax, data):
    plot.plot_forest({n: rs.delong(table) for n, table in tables(data).items()}, ax=ax)


def comparison(show):
    return lambda ax, data: plot.plot_comparison(compare_aucs(cases(data)), ax=ax, show=show)


def difference(ax, data):
    one, two, *_ = tables(data).values()
    plot.plot_cost_difference(cost_difference(cost_curve(one), cost_curve(two)), ax=ax)


def superiority(ax, data):
    found = {name: rs.point_at(table, 0.5) for name, table in tables(data).items()}
    plot.plot_superiority(relative_superiority(found, prevalence=0.3), ax=ax)


def iso(ax, data):
    found = rs.roc_hull(tables(data))
    plot.plot_hull(found, ax=ax)
    for many in (0.25, 1, 4):
        plot.add_iso_performance(found, many, ax=ax, text=f"{many} negatives for each")


def isometrics(ax, data):
    for name, table in tables(data).items():
        plot.plot_roc(rs.roc_curve(table), ax=ax, label=name)
        at = rs.point_at(table, 0.5)
        sizes = {"n_pos": table.n_pos, "n_neg": table.n_neg}
        plot.add_isometric(isometric("accuracy", at.fpr, at.tpr, **sizes), ax=ax)


def contours(ax, data):
    table = next(iter(tables(data).values()))
    rates = np.linspace(0, 1, 101)
    grid = value_grid("f1", rates, rates, n_pos=table.n_pos, n_neg=table.n_neg)
    plot.plot_roc(rs.roc_curve(table), ax=ax)
    plot.add_contours(rates, rates, grid, ax=ax)


def ties(ax, data):
    for name, table in list(tables(data).items())[:2]:
        plot.plot_roc(rs.roc_curve(table), ax=ax, label=name)
        plot.add_ties(rs.roc_curve(table), ax=ax)


def lines_of_cost(ax, data):
    table = next(iter(tables(data).values()))
    plot.plot_cost_curve(cost_curve(table), ax=ax)
    some = table.score[:: max(len(table) // 14, 1)]
    plot.add_cost_lines(cost_lines(table).at_threshold(some), ax=ax)


def band_of_precision(ax, data):
    for name, table in list(tables(data).items())[:2]:
        plot.plot_pr(rs.pr_curve(table), ax=ax, label=name)
        plot.plot_pr_band(pr_band(table, method="ks"), ax=ax)


def performance(ax, data):
    for name, (one, two) in halves(data).items():
        plot.plot_expected_performance(expected_performance(one, two), ax=ax, label=name)


def halves(data):
    """Choose thresholds on one half of the cases, and judge them on the other."""
    label, scores = rows(data)
    odd = np.zeros(label.size, dtype=bool)
    for value in (0, 1):
        odd[np.flatnonzero(label == value)[1::2]] = True
    return {n: [rs.tabulate(label[p], s[p]) for p in (odd, ~odd)] for n, s in scores.items()}


def fits(ax, data):
    table = next(iter(tables(data).values()))
    found = compare_models(table, models=["binormal", "labroc", "beta", "kernel"], n_folds=0)
    plot.plot_fits(table, found, ax=ax)


def by_age(ax, data):
    label, scores = rows(data)
    age = "age at the first visit, in years"
    study = covariate_scores(label, scores, {age: 20 + np.arange(label.size) * 37 % 61})
    at, name = np.arange(25, 80, 5), next(iter(scores))
    plot.plot_auc_by_covariate(auc_by_covariate(study, age, name, at=at, model="roc-glm"), ax=ax)


def over_time(ax, data):
    label, scores = rows(data)
    study = survival_scores(1 + np.arange(label.size) * 29 % 31 + 8.0 * (1 - label), label, scores)
    for name in scores:
        areas = auc_over_time(study, range(4, 28, 3), name)
        plot.plot_over_time(areas, ax=ax, label=name, band=name == next(iter(scores)), rng=1)


def verified(ax, data):
    label, scores = rows(data)
    label = [None if i % 5 == 4 else int(y) for i, y in enumerate(label)]
    found = verification_sensitivity(verified_scores(label, scores), next(iter(scores)))
    plot.plot_sensitivity(found, ax=ax)


def believed(ax, data):
    found = posterior(next(iter(tables(data).values())), n_boot=2000, rng=1)
    plot.plot_posterior(found, region=(0.45, 0.55), ax=ax)


def corrected(ax, data):
    table = next(iter(tables(data).values()))
    clean = denoised_curve(table, label_noise(neg=0.05))
    plot.plot_corrected(clean, uncorrected=rs.roc_curve(table), ax=ax)


def denoised(ax, data):
    found = denoised_auc_bounds(next(iter(tables(data).values())), neg=(0, 0.1))
    plot.plot_denoised(found, ax=ax)


def volcano(ax, data):
    label, scores = rows(data)
    plot.plot_volcano(rank_features(scores, label), ax=ax)


def studies(ax, data):
    """A study of each score and of each of three thresholds."""
    label, scores = rows(data)
    found = {}
    for name, score in scores.items():
        for at in (0.3, 0.5, 0.7):
            called, ill = score > at, label == 1
            kinds = (called & ill, called & ~ill, ~called & ill, ~called & ~ill)
            found[f"{name} above {at}"] = [each.sum() for each in kinds]
    fit = fit_summary_roc(*np.transpose([*found.values()]), method="reml")
    names = [*found] if data == "tied" else None
    plot.plot_summary_roc(fit, names=names, ax=ax, label=next(iter(scores)))


GRAPHS = {
    "roc": each(plot.plot_roc, rs.roc_curve),
    "roc, beside": beside(plot.plot_roc, rs.roc_curve),
    "hull": hull,
    "thresholds": marked,
    "points": points,
    "band": band,
    "average": average,
    "pr": each(plot.plot_pr, rs.pr_curve),
    "prg": each(plot.plot_prg, prg_curve),
    "det": each(plot.plot_det, det_curve),
    "gains": each(plot.plot_gains, gains_curve),
    "lift": each(plot.plot_lift, gains_curve),
    "cost": each(plot.plot_cost_curve, cost_curve),
    "cost, lines": first(plot.plot_cost_curve, cost_curve, lines="best"),
    "cost difference": difference,
    "superiority": superiority,
    "decision": each(plot.plot_decision, decision_curve),
    "calibration": each(plot.plot_calibration, fit_isotonic),
    "scores": first(plot.plot_scores),
    "probit": first(plot.plot_probit),
    "forest": forest,
    "differences": comparison("differences"),
    "areas": comparison("areas"),
    "granular": first(plot.plot_granular, lambda table: groc(table, 0.02)),
    "granular areas": first(
        plot.plot_granular_areas, lambda table: granular_areas(table, np.linspace(0, 0.2, 11))
    ),
    "iso-performance": iso,
    "isometrics": isometrics,
    "contours": contours,
    "ties": ties,
    "lines of cost": lines_of_cost,
    "band of precision": band_of_precision,
    "bayes error": each(
        plot.plot_bayes_error, partial(bayes_error_curve, scores="probability", prior=0.4)
    ),
    "rate driven": each(plot.plot_rate_driven, rate_driven_curve),
    "relative value": each(plot.plot_relative_value, relative_value_curve),
    "expected performance": performance,
    "fits": fits,
    "by a covariate": by_age,
    "over time": over_time,
    "verification": verified,
    "posterior": believed,
    "corrected": corrected,
    "denoised": denoised,
    "volcano": volcano,
    "studies": studies,
}
# Dear of a million cases.
DEAR = {
    *("differences", "granular", "granular areas", "hull", "probit", "iso-performance", "ties"),
    *("fits", "by a covariate", "over time", "verification", "posterior", "volcano"),
}


# Too few cases for what is drawn, which says so.
REFUSED = {
    *(("by a covariate", "tiny"), ("by a covariate", "perfect")),
    ("expected performance", "perfect"),
}
# Graphs that take a whole figure, which is larger than the others.
LARGER = 1.6
FIGURES = {
    "summary": lambda figure, data: plot.plot_summary(
        next(iter(tables(data).values())), figure=figure
    ),
}


def pairs_of_both():
    every = [(g, d) for d in MAKERS for g in [*GRAPHS, *FIGURES]]
    return [(g, d) for g, d in every if (g, d) not in REFUSED and not (d == "huge" and g in DEAR)]


# --- several classes ----------------------------------------------------------------------------


def _of_classes(sizes, gain, *, names=None, votes=0, seed=1):
    """Return labels and probabilities of classes; with `votes`, from so many of them."""
    rng = np.random.default_rng(seed)
    k, label = len(sizes), np.repeat(np.arange(len(sizes)), sizes)
    score = np.exp(rng.normal(size=(label.size, k)) + gain * np.eye(k)[label])
    score /= score.sum(axis=1, keepdims=True)
    names = [f"class {i}" for i in range(1, k + 1)] if names is None else names
    score = rng.multinomial(votes, score) / votes if votes else score
    return multiclass_scores(np.array(names)[label], score, classes=names)


CLASS_MAKERS = {
    "three": lambda: _of_classes([60, 40, 30], 1.5),
    "tiny classes": lambda: _of_classes([3, 2, 2], 1.0),
    "votes": lambda: _of_classes([60, 40, 30], 1.5, votes=5),
    "perfect classes": lambda: _of_classes([20, 20, 20], 40.0),
    "constant": lambda: multiclass_scores(np.repeat(["a", "b", "c"], 20), np.full((60, 3), 1 / 3)),
    "long class names": lambda: _of_classes(
        [50, 40, 30], 1.2, names=[LONG.format(n) for n in (50, 100, 200)]
    ),
    "twelve classes": lambda: _of_classes([40, 30, 25, 20, 20, 15, 15, 10, 10, 8, 5, 5], 1.6),
}


@cache
def classes(name):
    return CLASS_MAKERS[name]()


def ordered(name):
    """Return one score that rises with the class: that for the last less that for the first."""
    data = classes(name)
    labels = np.array(data.classes)[data.label]
    gap = data.score[:, 0, -1] - data.score[:, 0, 0]
    return ordered_scores(labels, np.round(gap, 3), order=data.classes)


def on_axes(draw):
    return lambda figure, data: draw(figure.subplots(), classes(data))


def slice_of(ax, data):
    rates = decided_rates(data)
    k = len(data.classes)
    dear = 1 - np.eye(k)
    dear[0] *= 9  # calling the first class where it is not
    costs = (cost_matrix(each, data.classes) for each in (1 - np.eye(k), dear))
    plot.plot_cost_slice(cost_slice(rates, *costs), ax=ax)


def surface(figure, data):
    score = ordered(data)
    plot.plot_surface(score, cuts=best_cuts(score), figure=figure)


CLASS_GRAPHS = {
    "one versus rest": on_axes(lambda ax, data: plot.plot_one_vs_rest(data, ax=ax)),
    "pairs of classes": on_axes(lambda ax, data: plot.plot_pairwise(data, ax=ax)),
    "curves of pairs": lambda figure, data: plot.plot_pairwise_curves(classes(data), figure=figure),
    "confusion": on_axes(lambda ax, data: plot.plot_confusion(best_class_weights(data), ax=ax)),
    "cost slice": on_axes(slice_of),
    "ternary": on_axes(lambda ax, data: plot.plot_ternary(data, ax=ax)),
    "surface": surface,
}
OF_THREE = {"ternary", "surface"}
WHOLE = FIGURES | CLASS_GRAPHS


def pairs_of_classes():
    return [
        (g, d)
        for d in CLASS_MAKERS
        for g in CLASS_GRAPHS
        if not (d == "twelve classes" and g in OF_THREE)
    ]


# --- contact sheets -----------------------------------------------------------------------------

# Deuteranopia, after Machado, Oliveira and Fernandes (2009), severity 1.
DEUTERANOPIA = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
]
SHADES = [[0.2126, 0.7152, 0.0722]] * 3


def image(graph, data, size, **settings):
    """Draw one graph, and return its pixels."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"font.size": 10, **settings}):
        many = LARGER if graph in FIGURES else 1.0
        figure = Figure(figsize=[many * side for side in size], dpi=70 / many)
        if graph in WHOLE:
            WHOLE[graph](figure, data)
        else:
            GRAPHS[graph](figure.subplots(), data)
        if not figure.axes[0].get_title():
            figure.axes[0].set_title(f"{graph}: {data}", fontsize=7)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[:, :, :3]


def sheet(file, data, size=(6.4, 4.8), *, columns=5, matrix=None, **settings):
    """Write all graphs of one data set, beside and below each other."""
    from matplotlib.image import imsave

    every = [*pairs_of_both(), *pairs_of_classes()]
    drawn = [image(g, d, size, **settings) for g, d in every if d == data]
    drawn += [np.full_like(drawn[0], 255)] * (-len(drawn) % columns)
    rows = [np.hstack(drawn[i : i + columns]) for i in range(0, len(drawn), columns)]
    whole = np.vstack(rows) / 255
    if matrix is not None:
        whole = np.clip(whole @ np.transpose(matrix), 0, 1)
    imsave(file, whole)


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for data in MAKERS:
        sheet(folder / f"{data.replace(' ', '_')}.png", data)
    for data in CLASS_MAKERS:
        sheet(folder / f"classes_{data.replace(' ', '_')}.png", data, columns=4)
    sheet(folder / "grey.png", "twelve", matrix=SHADES)
    sheet(folder / "deuteranopia.png", "twelve", matrix=DEUTERANOPIA)
    for columns, data in (("single", "twelve"), ("single", "tied"), ("double", "long names")):
        with plot.style(columns):
            import matplotlib

            size = matplotlib.rcParams["figure.figsize"]
            sheet(folder / f"{columns}_{data.replace(' ', '_')}.png", data, size)


if __name__ == "__main__":
    main(sys.argv[1])
