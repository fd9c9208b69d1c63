"""A picture for each function of `rocspace.plot` that draws a result, for the page on plotting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import rocspace as rs
from rocspace import datasets, plot
from rocspace.bands import pr_band
from rocspace.calibrate import fit_isotonic
from rocspace.compare import rank_features
from rocspace.costs import (
    bayes_error_curve,
    cost_curve,
    cost_difference,
    decision_curve,
    expected_performance,
    rate_driven_curve,
    relative_superiority,
    relative_value_curve,
)
from rocspace.curves import det_curve, gains_curve, pr_curve, prg_curve
from rocspace.designs import (
    auc_by_covariate,
    auc_over_time,
    covariate_scores,
    denoised_auc_bounds,
    posterior_difference,
    survival_scores,
    verification_sensitivity,
    verified_band,
    verified_curve,
    verified_scores,
)
from rocspace.granular import granular_areas, groc
from rocspace.models import compare_models, fit_labroc, fit_summary_roc
from rocspace.multiclass import (
    best_class_weights,
    best_cuts,
    cost_slice,
    counted_rates,
    decide_classes,
    multiclass_scores,
    ordered_scores,
    pairwise_areas,
)

SONAR = datasets.load("uci_scores").where("dataset", "sonar")
CASES = rs.pair_scores(SONAR.y_true, {n: SONAR.columns[n] for n in ("logreg", "nb", "rf")})
TABLES = {name: CASES.table(name) for name in CASES.names}
JOBS = datasets.load("hpc_cv")
FOUR = multiclass_scores(JOBS.columns["obs"], {n: JOBS.columns[n] for n in ("VF", "F", "M", "L")})
FOREST, LOGISTIC = TABLES["rf"], TABLES["logreg"]


def average(ax: Any) -> None:
    folds = rs.fold_tables(SONAR.y_true, SONAR.columns["rf"], SONAR.columns["fold"])
    curve = rs.vertical_average(folds, grid=10)
    plot.plot_average(curve, bars=curve.interval(0.95), each=True, ax=ax)


def band(ax: Any) -> None:
    plot.plot_roc(rs.roc_curve(FOREST), ax=ax)
    plot.plot_band(rs.roc_band(FOREST), ax=ax)


def two_rocs(ax: Any) -> None:
    for name in ("rf", "logreg"):
        plot.plot_roc(rs.roc_curve(TABLES[name]), ax=ax, label=name)
    plot.label_lines(ax)


def hull(ax: Any) -> None:
    plot.plot_roc(rs.roc_curve(LOGISTIC), ax=ax)
    plot.plot_hull(rs.roc_hull(LOGISTIC), ax=ax)


def superiority(ax: Any) -> None:
    share = FOREST.n_pos / (FOREST.n_pos + FOREST.n_neg)
    points = {name: rs.point_at(table, 0.5) for name, table in TABLES.items()}
    plot.plot_superiority(relative_superiority(points, prevalence=share), ax=ax)


def bayes_error(ax: Any) -> None:
    plot.plot_bayes_error(bayes_error_curve(FOREST, scores="probability"), ax=ax)


def performance(ax: Any) -> None:
    chosen = SONAR.columns["fold"] < 5
    halves = [rs.tabulate(SONAR.y_true[k], SONAR.columns["rf"][k]) for k in (chosen, ~chosen)]
    plot.plot_expected_performance(expected_performance(*halves), ax=ax)


def precision(ax: Any) -> None:
    plot.plot_pr(pr_curve(FOREST), ax=ax)
    plot.plot_pr_band(pr_band(FOREST), ax=ax)


def fits(ax: Any) -> None:
    names = ("binormal", "labroc", "probit-line", "exponential")
    plot.plot_fits(FOREST, compare_models(FOREST, models=names, n_folds=0), ax=ax)


def probit(ax: Any) -> None:
    plot.label_lines(plot.plot_probit(FOREST, fit_labroc(FOREST), ax=ax))


def studies(ax: Any) -> None:
    """Fourteen studies of AUDIT-C, a short questionnaire on drinking (Kriston et al. 2008)."""
    fit = fit_summary_roc(
        tp=[47, 126, 19, 36, 130, 84, 68, 752, 59, 142, 137, 57, 34, 152],
        fn=[9, 51, 10, 3, 19, 2, 0, 0, 5, 50, 24, 3, 1, 51],
        fp=[101, 272, 12, 78, 211, 68, 112, 3226, 55, 571, 107, 103, 21, 88],
        tn=[738, 1543, 192, 276, 959, 89, 423, 2977, 136, 2788, 358, 437, 56, 264],
    )
    plot.plot_summary_roc(fit, ax=ax)


def summary(ax: Any) -> None:
    plot.plot_summary(FOREST, figure=alone(ax, 10, 5.2))


def alone(ax: Any, *size: float) -> Any:
    """Return the figure without its axes, in another size."""
    figure = ax.figure
    ax.remove()
    figure.set_size_inches(size)
    return figure


def surface(ax: Any) -> None:
    kept = JOBS.columns["obs"] != "L"
    speed = -JOBS.columns["VF"][kept]
    data = ordered_scores(JOBS.columns["obs"][kept], speed, order=["VF", "F", "M"])
    plot.plot_surface(data, cuts=best_cuts(data), figure=alone(ax, 7.5, 3.0))


def ternary(ax: Any) -> None:
    kept = JOBS.columns["obs"] != "L"
    columns = {n: JOBS.columns[n][kept] for n in ("VF", "F", "M")}
    total = sum(columns.values())
    three = {name: column / total for name, column in columns.items()}
    data = multiclass_scores(JOBS.columns["obs"][kept], three)
    plot.plot_ternary(data, costs=[[0, 4, 1], [1, 0, 1], [1, 4, 0]], ax=ax)


def volcano(ax: Any) -> None:
    """Two thousand features of noise, and twenty that know something."""
    rng = np.random.default_rng(0)
    label = np.arange(80) % 2
    features = rng.normal(size=(80, 2000))
    features[:, :20] += np.outer(label, rng.choice([-1, 1], 20) * np.linspace(0.8, 2, 20))
    plot.plot_volcano(rank_features(features, label), ax=ax)


LATE = {  # a slow job called a fast one is what users complain of
    "F": {"L": 6, "M": 2, "VF": 1},
    "L": {"F": 2, "M": 1, "VF": 3},
    "M": {"F": 1, "L": 3, "VF": 2},
    "VF": {"F": 1, "L": 9, "M": 3},
}


def cost_slices(ax: Any) -> None:
    equal, chosen = decide_classes(FOUR), best_class_weights(FOUR, costs=LATE)
    counts = {"equal weights": equal.counts, "chosen weights": chosen.counts}
    both = counted_rates(counts, FOUR.classes)
    plot.plot_cost_slice(cost_slice(both, None, LATE), ax=ax)


def by_age(ax: Any) -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [300, 150])
    age = rng.normal(50, 10, y.size) + 8 * y
    marker = age / 10 + y * (2.5 - age / 35) + rng.normal(size=y.size)
    data = covariate_scores(y, {"marker": marker}, {"age": age})
    plot.plot_auc_by_covariate(auc_by_covariate(data, "age"), ax=ax)


def over_time(ax: Any) -> None:
    rng = np.random.default_rng(7)
    score = rng.normal(size=400)
    noisy = score + rng.normal(size=400)
    event, end = rng.exponential(np.exp(-score)), rng.exponential(2, size=400)
    scores = {"marker": score, "its noisy copy": noisy}
    data = survival_scores(np.minimum(event, end), event <= end, scores)
    for name in data.names:
        plot.plot_over_time(auc_over_time(data, [0.1, 0.25, 0.5, 1, 1.5], name), ax=ax)


def screened() -> Any:
    """Cases that were verified mostly where the test is high."""
    rng = np.random.default_rng(1)
    ill = rng.random(1000) < 0.3
    test = rng.normal(size=1000) + 1.2 * ill
    seen = rng.random(1000) < 1 / (1 + np.exp(0.3 - test))
    return verified_scores(np.where(seen, ill, np.nan), {"test": test})


def corrected(ax: Any) -> None:
    data = screened()
    plot.plot_corrected(
        verified_curve(data),
        uncorrected=rs.roc_curve(data.complete_cases()),
        band=verified_band(data, n_boot=200),
        ax=ax,
    )


def sensitivity(ax: Any) -> None:
    found = verification_sensitivity(screened(), log_odds=np.linspace(-1, 1, 9))
    plot.plot_sensitivity(found, ax=ax)


DRAWINGS: dict[str, Callable[[Any], object]] = {
    "plot_roc": two_rocs,
    "plot_band": band,
    "plot_average": average,
    "plot_hull": hull,
    "plot_comparison": lambda ax: plot.plot_comparison(rs.compare_aucs(CASES), ax=ax),
    "plot_forest": lambda ax: plot.plot_forest({n: rs.delong(TABLES[n]) for n in TABLES}, ax=ax),
    "plot_pr": lambda ax: plot.plot_pr(rs.pr_curve(FOREST), ax=ax),
    "plot_prg": lambda ax: plot.plot_prg(prg_curve(FOREST), ax=ax),
    "plot_gains": lambda ax: plot.plot_gains(gains_curve(FOREST), ax=ax),
    "plot_lift": lambda ax: plot.plot_lift(gains_curve(FOREST), ax=ax),
    "plot_det": lambda ax: plot.plot_det(det_curve(FOREST), ax=ax),
    "plot_calibration": lambda ax: plot.plot_calibration(fit_isotonic(FOREST), ax=ax),
    "plot_scores": lambda ax: plot.plot_scores(FOREST, ax=ax),
    "plot_decision": lambda ax: plot.plot_decision(decision_curve(FOREST), ax=ax),
    "plot_cost_curve": lambda ax: plot.plot_cost_curve(cost_curve(FOREST), ax=ax, lines="best"),
    "plot_cost_difference": lambda ax: plot.plot_cost_difference(
        cost_difference(cost_curve(FOREST), cost_curve(LOGISTIC)), ax=ax
    ),
    "plot_superiority": superiority,
    "plot_rate_driven": lambda ax: plot.plot_rate_driven(rate_driven_curve(FOREST), ax=ax),
    "plot_relative_value": lambda ax: plot.plot_relative_value(relative_value_curve(FOREST), ax=ax),
    "plot_bayes_error": bayes_error,
    "plot_expected_performance": performance,
    "plot_pr_band": precision,
    "plot_granular": lambda ax: plot.plot_granular(groc(FOREST, 0.02), ax=ax),
    "plot_granular_areas": lambda ax: plot.plot_granular_areas(
        granular_areas(FOREST, [i / 100 for i in range(31)]), ax=ax
    ),
    "plot_fits": fits,
    "plot_probit": probit,
    "plot_summary_roc": studies,
    "plot_volcano": volcano,
    "plot_one_vs_rest": lambda ax: plot.plot_one_vs_rest(FOUR, ax=ax),
    "plot_pairwise": lambda ax: plot.plot_pairwise(pairwise_areas(FOUR), ax=ax),
    "plot_pairwise_curves": lambda ax: plot.plot_pairwise_curves(FOUR, figure=alone(ax, 5, 5)),
    "plot_ternary": ternary,
    "plot_confusion": lambda ax: plot.plot_confusion(best_class_weights(FOUR, costs=LATE), ax=ax),
    "plot_cost_slice": cost_slices,
    "plot_auc_by_covariate": by_age,
    "plot_posterior": lambda ax: plot.plot_posterior(
        posterior_difference(CASES, "rf", "logreg", rng=1), region=(-0.02, 0.02), ax=ax
    ),
    "plot_over_time": over_time,
    "plot_corrected": corrected,
    "plot_sensitivity": sensitivity,
    "plot_denoised": lambda ax: plot.plot_denoised(
        denoised_auc_bounds(LOGISTIC, pos=(0, 0.1), neg=(0, 0.15)), ax=ax
    ),
    "plot_surface": surface,
    "plot_summary": summary,
}
