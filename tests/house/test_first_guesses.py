"""What people type before they have read anything: it works, or the line to write is said."""

import importlib
import inspect
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.figure import Figure

import rocspace as rs
from rocspace import compare, plot
from rocspace._base import synonyms
from rocspace.bands.api import BandMethod
from rocspace.cli.statistics import statistic_of
from rocspace.hull import isometric
from rocspace.measures import CRITERIA, MEASURES, SUMMARIES
from rocspace.operating import Constraint, Target
from rocspace.operating.constraints import check_criterion
from rocspace.resampling.statistics import STATISTICS
from rocspace.select import select_model

Y, S = [0, 0, 1, 1, 0, 1], [1, 3, 2, 4, 5, 6]
TABLE = rs.tabulate(Y, S)
CURVE = rs.roc_curve(TABLE)
MATRIX = rs.ConfusionMatrix(tp=5, fp=1, fn=5, tn=9)
DATA = rs.pair_scores(Y, {"a": S, "b": S[::-1]})
FRAME = pd.DataFrame({"y": Y, "s": S, "z": S})
DECISION = rs.costs.decision_curve(rs.tabulate(Y, [each / 10 for each in S]))
SURVIVAL = rs.designs.survival_scores([*range(1, 7)], Y, S)
OVER_TIME = rs.designs.auc_over_time(SURVIVAL, at=4)
AXES = Figure().subplots()
MODEL = SimpleNamespace(get_params=dict)


class SparkColumn:
    """Has every attribute that it is asked for, and no values yet, as a column of Spark."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return SparkColumn()

    def __iter__(self):
        msg = "Column is not iterable"
        raise TypeError(msg)


SparkColumn.__name__ = "Column"


class SparkFrame:
    """A frame that lies elsewhere."""

    columns = ("y",)


DOCS = Path(__file__).parents[2] / "docs"

# As typed, and a piece of the answer.
NAMES = {
    "equal_error_rate": "rs.eer(table)",
    "kolmogorov_smirnov": "rs.ks(table)",
    "plot_lift_curve": "rs.plot.plot_lift(rs.curves.gains_curve(table))",
    "cumulative_gain": "rs.curves.gains_curve(table)",
    "lroc": "rs.plot.plot_roc(rs.roc_curve(table))",
    "write_report": "rs.report.write_html(",
    "roc_auc_score": "rs.auc_score(y_true, y_score)",
    "precision_recall_curve": "rs.pr_curve(",
    "average_precision_score": "average_precision, in rs.curves",
    "det_curve": "det_curve, in rs.curves",
    "brier_score_loss": "brier_score, in rs.costs",
    "f1_score": "f_score, in rs.measures",
    "matthews_corrcoef": "matthews, in rs.measures",
    "matthews": "matthews, in rs.measures",
    "confusion_matrix_at_thresholds": "rs.evaluate(table, table.score)",
    "RocCurveDisplay": "RocDisplay, in rs.estimators",
    "TunedThresholdClassifierCV": "ThresholdClassifier, in rs.estimators",
    "PrecisionRecallDisplay": "PrDisplay, in rs.estimators",
    "DetCurveDisplay": "DetDisplay, in rs.estimators",
    "CalibrationDisplay": "CalibrationDisplay, in rs.estimators",
    "CalibratedClassifierCV": "IsotonicCalibrator, in rs.estimators",
    "cross_validate": "rs.averaging.cv_tables(cv_results, X, y) of scikit-learn's cross_validate",
    "cv_auc": "rs.cv_auc_estimate(tables)",
    "cv_interval": "rs.cv_auc_estimate(tables)",
    "ci_cv_auc": "rs.cv_auc_estimate(tables)",
    "make_scorer": 'rs.estimators.scorer("auc")',
    "scorer": "scorer, in rs.estimators",
    "ci": "rs.delong(table).interval()",
    "auc_ci": "rs.delong(table).interval()",
    "bootstrap_auc": 'rs.bootstrap(table, "auc")',
    "cross_val_auc": "rs.cv_auc_estimate(tables), where tables are rs.fold_tables(",
    "find_threshold": "rs.optimal_points(table)[0].threshold",
    "gain_chart": "rs.curves.gains_curve(table)",
    "hosmer_lemeshow": "rs.calibrate.calibration_estimates(table)",
    "lift_curve": "rs.curves.gains_curve(table)",
    "net_reclassification": "rs.compare.reclassification(data)",
    "power": "rs.planning.plan_area(0.8)",
    "rate_driven": "rs.costs.rate_driven_curve(table)",
    "sensitivity_at_specificity": "rs.roc_curve(table).tpr_at(0.1)",
    "specificity_at_sensitivity": "rs.roc_curve(table).fpr_at(0.9)",
    "version": "rs.__version__",
    "var": "rs.delong(table).se ** 2",
    "threshold": "rs.optimal_points(table)[0].threshold",
    "load_dataset": "rs.datasets.load(",
    "read_parquet": "rs.io.tabulate_file(path",
    "areaUnderROC": "rs.auc(table)",
    "BinaryClassificationEvaluator": "rs.tabulate_frame(df",
    "classification_report": "rs.confusion_matrix(y_true",
    "spark": "rs.tabulate_frame(df",
    "mann_whitney": "rs.auc_test(table)",
    "roc": "rs.roc_curve(rs.tabulate(y_true, y_score))",
    "ci_auc": ".interval()",
    "roc_test": "rs.auc_difference(data",
    "brier": "is rocspace.costs now; it is brier_score, in rs.costs",
    "cutoff": "rs.optimal_points(table)[0].threshold",
    "ece": "brier_parts(table",
    "noninferiority": "noninferiority_test, in rs.compare",
    "subgroup": "rs.compare_aucs(rs.tabulate_frame(",
    "survival": "survival_scores, in rs.designs",
    "threshold_at_sensitivity": "rs.point_at_tpr(table, 0.95).threshold",
    "timeROC": "auc_over_time, in rs.designs",
    "coords": "rs.optimal_points(table)",
    "ci_se": "tpr_at(0.1)",
    "delong_test": 'rs.auc_difference(data, "a", "b").test()',
    "sensitivity": "tpr, in rs.measures",
    "tp_rate": "tpr, in rs.measures",
    "fp_rate": "fpr, in rs.measures",
    "specificity": "tnr, in rs.measures",
    "recall": "tpr, in rs.measures",
    "precision": "ppv, in rs.measures",
    "npv": "npv, in rs.measures",
    "likelihood_ratio": "lr_positive",
    "youden_index": "youden, in rs.curves",
    "sample_size": "rs.planning.plan_area",
    "plot_roc": "plot_roc, in rs.plot",
    "load_adult": 'rs.datasets.load("adult_scores")',
    "are_paired": "rs.pair_scores(y_true, {",
    "mcnemar_test": "rs.bands.tango_interval(b, c, n)",
    "evalmod": "rs.pr_curve(table)",
    "from_spark": "rs.tabulate_frame(df",
    "sklearn": "rs.estimators",
    "metrics": "rs.measures",
    "scikit_learn": "rs.estimators",
    "choose_threshold": "rs.optimal_points(table)[0].threshold",
    "FixedThresholdClassifier": "sklearn.model_selection.FixedThresholdClassifier(model, thresh",
    "iso_performance_slope": "Costs.iso_performance_slope, in rs.operating",
    "point_at_specificity": "rs.point_at_fpr(table, 0.1), for a specificity of 0.9",
    "time_dependent_auc": "rs.designs.auc_over_time(rs.designs.survival_scores(",
    "mrmc": "rs.compare_aucs(rs.pair_scores(y_true, scores)) for each reader",
    "dca": "rs.costs.decision_curve(table), and rs.plot.plot_decision of it",
    "dcurves": "rs.costs.decision_curve(table)",
    "net_intervention_avoided": "rs.costs.net_benefit_untreated(table, 0.2)",
    "val_prob": "rs.calibrate.calibration_estimates(table)",
    "hoslem_test": "do not depend on groups",
    "calibration": "rs.plot.plot_calibration(rs.calibrate.calibration_curve(table))",
    "epi_tests": "rs.report.stard_table(rs.ConfusionMatrix(tp=40, fp=10, fn=5, tn=90))",
    "two_by_two": "rs.report.stard_table(",
    "epi_ssdxsesp": "rs.planning.plan_rate(0.9).for_width(0.05)",
    "mada": "rs.models.fit_summary_roc(tp, fp, fn, tn)",
    "metandi": "rs.models.fit_summary_roc(tp, fp, fn, tn)",
    "AROC_sp": "rs.designs.adjusted_roc(",
    "cROC": "rs.designs.conditional_roc(",
    "risksetROC": "rs.designs.incident_auc_over_time(",
    "SeSpPPVNPV": "rs.designs.rates_at_time(",
    "clusteredROC": "rs.inference.clustered_auc_estimate(rs.pair_scores(",
    "nricens": "rs.compare.reclassification(data, cuts=[0.1, 0.3])",
    "p_adjust": 'rs.compare.adjusted_pvalues(pvalues, method="holm")',
    "geom_roc": 'rs.plot.plot_roc({"a": rs.roc_curve(a), "b": rs.roc_curve(b)})',
    "cutpoints": "rs.operating.threshold_bootstrap(table)",
    "auc_pvalue": "rs.auc_test(table).pvalue",
    "wilcox_test": "rs.auc_test(table).pvalue",
    "pauc_ci": "rs.inference.partial_auc_estimate(table, fpr=(0, 0.1)).interval()",
    "youden_ci": "rs.inference.youden_interval(table)",
    "sensitivity_ci": 'rs.point_interval(rs.point_at(table, 0.5), "tpr")',
    "binom_test": "rs.rate_interval(18, 20)",
    "likelihood_ratios": "rs.inference.likelihood_ratio_interval(",
    "fagan": "rs.inference.predictive_value_interval(",
    "latex_table": "rs.report.to_latex(rs.compare_aucs(data))",
    "plot_ci": "rs.plot.plot_band(rs.roc_band(table))",
    "average_ranks": "scipy.stats.rankdata(-areas, axis=1).mean(0)",
    "cd_diagram": "scipy.stats.friedmanchisquare(*areas.T)",
    "wilcoxon": "scipy.stats.wilcoxon(a, b)",
    "corrected_t_test": "rs.averaging.corrected_estimate(differences, n_train=90, n_test=10)",
    "bayesian_comparison": 'rs.designs.posterior_difference(data, "a", "b")',
    "prg": "rs.curves.prg_curve(table), with .precision_gain",
    "nnd": "1 / rs.measures.informedness(point)",
    "rogan_gladen": "(positive_share + tnr - 1) / (tpr + tnr - 1)",
    "epi_kappa": "rs.measures.kappa(",
    "prevalence_interval": "rs.rate_interval(table.n_pos, table.n_pos + table.n_neg)",
    "MRMCaov": "nothing here takes readers for a sample of readers",
    "jackknife": "rs.delong(table)",
    "binormalLR_auc": "rs.models.fit_binormal(table).auc",
    "trapezoidal_auc": "rs.auc(table)",
    "begg_greenes": "rs.designs.verified_rates(data, threshold=0.5)",
    "hui_walter": "nothing here estimates it from the tests alone",
    "dtcomp": "rs.resampling.rate_at(0.5)",
    "pooledROC_emp": "rs.roc_curve(table)",
    "pooledROC_BB": "rs.designs.posterior(table)",
    "survivalROC_C": "nothing here estimates it by nearest neighbours",
    "epi": "rs.report.stard_table(",
    "optimal": "rs.optimal_points(table)",
    "nomogram": "rs.inference.predictive_value_interval(",
    "aSAH": "rs.datasets.names() lists them",
    "fit": 'rs.models.fit_roc(table, model="binormal")',
    "at_threshold": "rs.point_at(table, 0.5)",
    "operating_point": "rs.point_at(table, 0.5)",
    "from_dataframe": "rs.tabulate(y_true, y_score)",
    "read_file": "rs.io.tabulate_file(path",
    "HMeasure": "rs.costs.h_measure(table)",
    "ks_stat": "rs.ks(table)",
    "precision_at_recall": "rs.pr_curve(table).precision_at(0.8)",
    "test_auc": 'rs.auc_difference(data, "a", "b").test()',
    "ci_cvAUC": "rs.cv_auc_estimate(tables)",
    "rank_genes": 'rs.compare.rank_features(df, "y")',
    "partial_fit": "rs.Tabulator()",
    "create_sim_samples": "rs.simulate.binormal(0.8).draw(100, 100, rng=1)",
    "imperfect": "rs.designs.denoised_auc_estimate(table, rs.designs.flip_noise(table, neg=0.1))",
    "zero_one_loss": "rs.measures.error_rate(point)",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_from_elsewhere_is_answered(name: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(NAMES[name])):
        getattr(rs, name)
    with pytest.raises(ImportError, match=re.escape(NAMES[name])):
        exec(f"from rocspace import {name}")


def test_new_lines_run() -> None:
    table = rs.simulate.binormal(0.8).draw(100, 100, rng=1)
    assert rs.models.fit_roc(table, model="binormal").auc > 0.5
    assert 0 < rs.pr_curve(table).precision_at(0.8) < 1
    flipped = rs.designs.flip_noise(table, neg=0.1)
    assert rs.designs.denoised_auc_estimate(table, flipped).value > rs.auc(table)
    assert len(rs.roc_hull({"a": rs.roc_curve(table), "b": rs.roc_curve(table)}).points) > 2


@pytest.mark.parametrize("room", ["hull", "bands", "costs", "averaging", "select", "measures"])
def test_a_room_that_is_called_shows_a_line(room: str) -> None:
    with pytest.raises(TypeError, match=r"is not a function\. Say rs\."):
        getattr(rs, room)(TABLE)


IN_ROOMS = {
    "plot.roc": "it is plot_roc",
    "plot.roc_curve": "it is plot_roc",
    "plot.pr_curve": "it is plot_pr",
    "plot.calibration_curve": "it is plot_calibration",
    "models.smooth": "pROC's smooth(roc) is rs.models.fit_probit_line",
    "multiclass.auc": "say rs.multiclass.one_vs_rest(data), or hand_till(data)",
    "multiclass.roc_auc_score": "say rs.multiclass.one_vs_rest(data), or hand_till(data)",
    "multiclass.roc_curve": "say rs.roc_curve(data.table(label))",
    "estimators.FixedThresholdClassifier": "say sklearn.model_selection.FixedThresholdClassifier(",
    "plot.plot_dca": "say rs.plot.plot_decision(rs.costs.decision_curve(table))",
    "plot.roc_plot": "say rs.plot.plot_roc(rs.roc_curve(table))",
    "plot.plot_precision_recall": "say rs.plot.plot_pr(rs.pr_curve(table))",
    "planning.plan_noninferiority": "say rs.planning.plan_difference(0.8, 0.8, null_difference=-0",
    "designs.survival_auc": "say rs.designs.auc_over_time(",
    "designs.verification_auc": "say rs.designs.verified_auc_estimate(",
    "designs.covariate_data": "say rs.designs.aauc_estimate(rs.designs.covariate_scores(",
    "designs.c_index": "of times to events rs.designs.concordance_estimate(",
    "designs.compare_auc_over_time": "say rs.designs.auc_over_time_difference(",
    "estimators.auc_scorer": 'say rs.estimators.scorer("auc")',
    "io.read_excel": "say rs.tabulate_frame(pandas.read_excel(path)",
    "multiclass.macro_auc": 'say rs.multiclass.one_vs_rest(data, average="macro")',
    "multiclass.vus_test": "or vus_difference, of data",
    "plot.plot_multiclass": "say rs.plot.plot_one_vs_rest(",
    "plot.plot_reliability": "say rs.plot.plot_calibration(",
    "plot.plot_survival": "say rs.plot.plot_over_time(",
    "planning.plan_sensitivity": "say rs.planning.plan_rate(0.9)",
    "designs.compute_threshold_FPF_cROC": "say rs.designs.covariate_thresholds(data, ",
    "plot.plot_brier_curve": "rs.costs.brier_curve(table).loss_at(x)",
    "plot.plot_critical_difference": "scipy.stats.friedmanchisquare",
    "compare.sensitivity_difference": "rs.compare.bootstrap_difference(data, ",
    "inference.average_precision_estimate": "say rs.curves.pr_area_estimate(table)",
}


@pytest.mark.parametrize("typed", IN_ROOMS)
def test_rooms_answer_too(typed: str) -> None:
    room, _, name = typed.partition(".")
    with pytest.raises(AttributeError, match=re.escape(IN_ROOMS[typed])):
        getattr(importlib.import_module(f"rocspace.{room}"), name)


def test_an_import_from_the_wrong_room_is_answered() -> None:
    with pytest.raises(ImportError, match=r"it is auc, in rs\.curves"):
        exec("from rocspace.counts import auc")


CALLS = {
    "nan": (lambda: rs.tabulate(Y, S, nan="omit"), "say missing=..."),
    "na_rm": (lambda: rs.tabulate(Y, S, na_rm=True), 'say missing="omit"'),
    "point_at(y, s, 0.5)": (
        lambda: rs.point_at(Y, S, 0.5),
        "Say point_at(tabulate(y_true, y_score), 0.5).",
    ),
    "point_at(table, [0.2, 0.5])": (
        lambda: rs.point_at(TABLE, [0.2, 0.5]),
        "not [0.2, 0.5]. Of several thresholds: evaluate(table, thresholds).",
    ),
    "optimal_points(method=)": (
        lambda: rs.optimal_points(TABLE, method="youden"),
        'what is best is criterion="youden" and the like',
    ),
    "subject_to as a text": (
        lambda: rs.optimal_points(TABLE, criterion="tpr", subject_to="tnr >= 0.9"),
        'Say rocspace.operating.Constraint("tnr", ">=", 0.9).',
    ),
    "subject_to as a tuple": (
        lambda: rs.optimal_points(TABLE, criterion="tpr", subject_to=("specificity", ">=", 0.9)),
        'Say rocspace.operating.Constraint("specificity", ">=", 0.9).',
    ),
    ".confint()": (lambda: rs.delong(TABLE).confint(), "Use interval(level)."),
    "test(margin=)": (
        lambda: rs.auc_difference(DATA).test(margin=0.05),
        "say noninferiority_test(difference, 0.05)",
    ),
    "compare_aucs(correction=)": (
        lambda: rs.compare_aucs(DATA, correction="holm"),
        "say adjust=...",
    ),
    "auc_difference(method='bootstrap')": (
        lambda: rs.auc_difference(DATA, method="bootstrap"),
        "and bootstrap_difference(data).",
    ),
    "bootstrap('pauc')": (lambda: rs.bootstrap(TABLE, "pauc"), "partial_area(fpr=(0, 0.1))"),
    "plan_difference(margin=)": (
        lambda: rs.planning.plan_difference(0.8, 0.8, margin=0.05),
        "say null_difference=-0.05",
    ),
    "plan_area(n_pos=)": (
        lambda: rs.planning.plan_area(0.8, n_pos=20),
        "say .for_cases(40).power of the plan",
    ),
    "plot_roc(legend=)": (
        lambda: plot.plot_roc(CURVE, legend=False, ax=Figure().subplots()),
        "say .get_legend().remove()",
    ),
    "plot_roc(filename=)": (
        lambda: plot.plot_roc(CURVE, filename="a.png", ax=Figure().subplots()),
        'say .figure.savefig("roc.svg")',
    ),
    "auc(y, s)": (
        lambda: rs.auc(Y, S),
        "auc_score(y_true, y_score), auc(tabulate(y_true, y_score)), or curve.auc of a curve.",
    ),
    "roc_curve(y, s)": (lambda: rs.roc_curve(Y, S), "roc_curve(tabulate(y_true, y_score))"),
    "delong(y, s)": (lambda: rs.delong(Y, S), "delong(tabulate(y_true, y_score))"),
    "roc_band(y, s)": (lambda: rs.roc_band(Y, S), "roc_band(tabulate(y_true, y_score))"),
    "auc(y)": (lambda: rs.auc(Y), "tabulate(y_true, y_score)"),
    "auc(spark_df)": (lambda: rs.auc(FRAME), "tabulate_frame(df"),
    "tabulate(df)": (lambda: rs.tabulate(FRAME), "tabulate_frame(df"),
    "tabulate(df, label=)": (lambda: rs.tabulate(FRAME, label="y", score="s"), "tabulate_frame(df"),
    "direction": (lambda: rs.tabulate(Y, S, direction="<"), "higher_is_positive=False"),
    "levels": (lambda: rs.tabulate(Y, S, levels=(0, 1)), "pos_label="),
    "auto": (lambda: rs.tabulate(Y, S, higher_is_positive="auto"), "best_orientation"),
    "average": (lambda: rs.auc_score(Y, S, average="macro"), "rocspace.multiclass.one_vs_rest"),
    "multi_class": (lambda: rs.auc_score(Y, S, multi_class="ovo"), "rocspace.multiclass."),
    "cost_fp": (lambda: rs.optimal_points(TABLE, cost_fp=1), "costs=dict(fp=1, fn=20)"),
    "costs=3": (lambda: rs.optimal_points(TABLE, costs=3), "dict(fp=1, fn=20)"),
    "unpacking": (lambda: unpacked(CURVE), ".fpr, .tpr and .threshold"),
    "x in curve": (lambda: 0.5 in CURVE, "Look for a value in one of its columns"),
    "np.asarray(curve)": (lambda: np.asarray(CURVE), ".fpr, .tpr and .threshold"),
    "evaluate(table, curve)": (lambda: rs.evaluate(TABLE, CURVE), ".fpr, .tpr and .threshold"),
    "auc_score(y, table)": (lambda: rs.auc_score(Y, TABLE), ".score, .pos and .neg"),
    "a + b": (lambda: TABLE + TABLE, "merge(a, b)"),
    "tabulators": (lambda: rs.Tabulator() + rs.Tabulator(), "a.merge(b)"),
    "table.plot()": (lambda: TABLE.plot, "rs.plot.plot_roc(rs.roc_curve(table))"),
    "curve.plot()": (lambda: CURVE.plot, "rs.plot.plot_roc(curve)"),
    "estimate.ci": (lambda: rs.delong(TABLE).ci, "Use interval(level)"),
    "estimate.std": (lambda: rs.delong(TABLE).std, "Use se"),
    "test.p": (lambda: rs.auc_test(TABLE).p, "Use pvalue"),
    "plot_roc(table)": (lambda: plot.plot_roc(TABLE), "plot_roc(roc_curve(table))"),
    "plot_roc(y, s)": (lambda: plot.plot_roc(Y, S), "plot_roc(roc_curve(tabulate("),
    "compare(a, b)": (lambda: rs.compare(TABLE, TABLE), 'rs.auc_difference({"a": a, "b": b})'),
    "report(table)": (lambda: rs.report(TABLE), "summarise({"),
    "summarise(table)": (lambda: rs.report.summarise(TABLE), "summarise({'score': table})"),
    "auc(path)": (lambda: rs.auc("a.parquet"), "tabulate_file(path"),
    "tabulate(path)": (lambda: rs.tabulate("a.csv"), "tabulate_file(path"),
    "merge([a, b])": (lambda: rs.merge([TABLE, TABLE]), "merge(*tables)"),
    "sum": (lambda: sum([TABLE, TABLE]), "merge(a, b)"),
    "cases, controls": (lambda: rs.tabulate(cases=[1], controls=[2]), "tabulate(y_true, y_score)"),
    "labelCol": (lambda: rs.tabulate_frame(FRAME, labelCol="y"), "tabulate_frame(df"),
    "partial_auc=": (lambda: rs.auc(TABLE, partial_auc=(1, 0.9)), "partial_auc(table, fpr="),
    "tpr(table)": (lambda: rs.measures.tpr(TABLE), "rs.point_at(table, threshold)"),
    "table.ci()": (lambda: TABLE.ci, "rs.delong(table).interval()"),
    "compare_aucs(y, a, b)": (lambda: rs.compare_aucs(Y, S, S), "pair_scores(y_true, {"),
    "scorer of a part": (lambda: rs.estimators.scorer("partial_auc"), "partial_auc@0.1"),
    "plot(curve)": (lambda: rs.plot(CURVE), "rs.plot.plot_roc("),
    "tabulate(names, df)": (lambda: rs.tabulate("y", "s", FRAME), "tabulate_frame(df"),
    "tabulate_frame(df, names)": (
        lambda: rs.tabulate_frame(FRAME, "y", "s"),
        "tabulate_frame(frame, label='y', score='s')",
    ),
    "response, predictor": (lambda: rs.tabulate(response=Y, predictor=S), "tabulate(y_true, y_sc"),
    "y_pred": (lambda: rs.tabulate(Y, y_pred=S), "y_score="),
    "weights": (lambda: rs.tabulate(Y, S, weights=Y), "say sample_weight=..."),
    "noninferiority_test(data, a, b)": (
        lambda: compare.noninferiority_test(DATA, "a", "b", margin=0.05),
        'noninferiority_test(auc_difference(data, "a", "b"), 0.05)',
    ),
    "delong(cluster=)": (
        lambda: rs.delong(TABLE, cluster=Y),
        "clustered_auc_estimate(pair_scores(y_true",
    ),
    "compare_aucs(cluster=)": (
        lambda: rs.compare_aucs(DATA, cluster=Y),
        'say pair_scores(y_true, {"a": a, "b": b}, cluster=patient)',
    ),
    "clustered_auc_estimate(y, s, patient)": (
        lambda: rs.inference.clustered_auc_estimate(Y, S, Y),
        'clustered_auc_estimate(pair_scores(y_true, {"a": a, "b": b}, cluster=patient))',
    ),
    "auc_over_time(time, status, s)": (
        lambda: rs.designs.auc_over_time(S, Y, S),
        "auc_over_time(survival_scores(time, status, ",
    ),
    "net_benefit_over_time(data, name)": (
        lambda: rs.designs.net_benefit_over_time(rs.designs.survival_scores(S, Y, S), "a"),
        "net_benefit_over_time also needs risk",
    ),
    "survival_scores(status, time)": (
        lambda: rs.designs.survival_scores(Y, [each / 7 for each in S], S),
        "Is it a time?",
    ),
    "reclassification(threshold=)": (
        lambda: compare.reclassification(DATA, threshold=0.5),
        "say cuts=0.5",
    ),
    "plan_paired(areas)": (
        lambda: rs.planning.plan_paired(0.85, 0.8, correlation=0.5),
        "plan_difference(0.85, 0.8, correlation=0.5)",
    ),
    "plot_roc(title=)": (
        lambda: plot.plot_roc(CURVE, title="x", ax=Figure().subplots()),
        '.set_title("...") of the axes',
    ),
    "plot_roc(curve, ax)": (
        lambda: plot.plot_roc(CURVE, Figure().subplots()),
        "plot_roc takes axes by name: say ax=ax.",
    ),
    "plot_roc(linewidht=)": (
        lambda: plot.plot_roc(CURVE, linewidht=2, ax=Figure().subplots()),
        "Did you mean 'linewidth'?",
    ),
    "fit_summary_roc(df)": (
        lambda: rs.models.fit_summary_roc(FRAME),
        'fit_summary_roc(df["tp"], df["fp"], df["fn"], df["tn"])',
    ),
    "pooled_odds_ratio(matrices)": (
        lambda: rs.models.pooled_odds_ratio(MATRIX),
        "pooled_odds_ratio(m.tp, m.fp, m.fn, m.tn)",
    ),
    "verified_auc_estimate(y, s)": (
        lambda: rs.designs.verified_auc_estimate(Y, S),
        "Make it with verified_scores(y_true, ",
    ),
    "pool(list)": (lambda: rs.stream.pool([]), "pool(*sites)"),
    "plot_roc(colour=)": (
        lambda: plot.plot_roc(CURVE, colour="red", ax=Figure().subplots()),
        "say color=",
    ),
    "95 percent": (lambda: rs.point_at_tpr(TABLE, 95), "95 percent is 0.95."),
    "an area of 80": (lambda: rs.planning.plan_area(80), "80 percent is 0.8."),
    "rate=recall": (
        lambda: rs.point_interval(rs.point_at(TABLE, 3), "recall"),
        "Did you mean 'tpr'?",
    ),
    "bootstrap of a rate": (lambda: rs.bootstrap(TABLE, "f1"), "such as tpr_at(0.1)"),
    "coarsen(table)": (
        lambda: rs.stream.coarsen(TABLE, min_cases=2),
        "coarsen takes a Tabulator as counter, not ScoreTable(",
    ),
    "Difference without fields": (
        lambda: rs.results.Difference(value=0.1, se=0.1, method="x"),
        "Difference(n_pairs=...",
    ),
    "for_cases(20, 20)": (
        lambda: rs.planning.plan_area(0.8).for_cases(20, 20),
        "for_cases(n_pos, significance=...)",
    ),
    "goodness_of_fit(fit)": (
        lambda: rs.models.goodness_of_fit(rs.models.fit_roc(TABLE)),
        "goodness_of_fit takes a ScoreTable, not a Fit.",
    ),
    "rank_features(y, df)": (
        lambda: compare.rank_features(FRAME["y"], FRAME[["s", "z"]]),
        "say rank_features(df, y)",
    ),
    "table.n": (lambda: TABLE.n, "Use table.n_pos + table.n_neg."),
    "data.a": (lambda: DATA.a, "Use data.table('a') for its counts."),
    'data["a"]': (lambda: DATA["a"], "Say data.table('a') for its counts, or .to_frame()"),
    "data.shape": (lambda: DATA.shape, "Use data.score.shape"),
    "estimate.p_value": (lambda: rs.delong(TABLE).p_value, "rs.auc_test(table).pvalue"),
    "difference.p_value": (lambda: rs.auc_difference(DATA).p_value, "Use test().pvalue."),
    "comparison.pvalues": (
        lambda: rs.compare_aucs(DATA).pvalues,
        "Use [pair.adjusted_pvalue for pair in comparison.pairs]",
    ),
    "bootstrap().ci": (
        lambda: rs.bootstrap(TABLE, "auc", n_boot=9, rng=1).ci,
        "Use interval(level).",
    ),
    "bootstrap().samples": (
        lambda: rs.bootstrap(TABLE, "auc", n_boot=9, rng=1).samples,
        "Use replicates.",
    ),
    "bootstrap of labels and scores": (
        lambda: rs.bootstrap(Y, S, "youden", n_boot=9),
        "Say bootstrap(tabulate(y_true, y_score), 'youden').",
    ),
    "bootstrap of a function of labels and scores": (
        lambda: rs.bootstrap(TABLE, lambda y_true, y_score: 1.0, n_boot=9),
        "say bootstrap(table, lambda table: ...)",
    ),
    "bootstrap of a number": (
        lambda: rs.bootstrap(DATA, 0.5, n_boot=9),
        "statistic is not a function, but is called with the data",
    ),
    "delong of two scores": (
        lambda: rs.delong(Y, S, S),
        'of two scores auc_difference(pair_scores(y_true, {"a": a, "b": b})).',
    ),
    "point_at(curve)": (
        lambda: rs.point_at(CURVE, 0.5),
        "Make it with tabulate(y_true, y_score).",
    ),
    'point_at("best")': (lambda: rs.point_at(TABLE, "best"), "optimal_points(table)[0]."),
    "point_at(fpr=)": (
        lambda: rs.point_at(TABLE, fpr=0.1),
        "say rocspace.operating.point_at_fpr(table, 0.1).",
    ),
    "fit.ci": (lambda: rs.models.fit_roc(TABLE).ci, "Use auc_estimate().interval(level)"),
    "plan.n": (lambda: rs.planning.plan_area(0.8).n, "Use for_power(0.8).n_pos."),
    "band.at": (lambda: rs.roc_band(TABLE).at, "Use at_fpr(fpr)."),
    "plot_decision(y, p)": (
        lambda: rs.plot.plot_decision(Y, S),
        "Say plot_decision(decision_curve(tabulate(y_true, y_score))).",
    ),
    "plot_calibration(y, p)": (
        lambda: rs.plot.plot_calibration(Y, S),
        "Say plot_calibration(fit_isotonic(tabulate(y_true, y_score))).",
    ),
    "plot_comparison(y, a, b)": (
        lambda: rs.plot.plot_comparison(Y, S, S),
        'Say plot_comparison(compare_aucs(pair_scores(y_true, {"a": a, "b": b}))).',
    ),
    "plot_roc(y, s, color=)": (
        lambda: rs.plot.plot_roc(Y, S, color="red"),
        "Say plot_roc(roc_curve(tabulate(y_true, y_score))).",
    ),
    "write_html(table)": (
        lambda: rs.report.write_html(TABLE, "report.html"),
        'Say render_html(summarise({"score": table})), or write_html of it.',
    ),
    "rank_features(frame with texts)": (
        lambda: rs.compare.rank_features({"s": S, "sex": ["f"] * len(S), "y": Y}, "y"),
        "more positive; leave it out, or convert it to numbers.",
    ),
    "plot_forest of tables": (
        lambda: rs.plot.plot_forest({"a": TABLE}),
        "Say plot_forest({name: delong(table) for name, table in tables.items()}).",
    ),
    "plot_forest of cases": (
        lambda: rs.plot.plot_forest(DATA),
        "Say plot_forest(compare_aucs(data)).",
    ),
    "plot_forest(estimate)": (
        lambda: rs.plot.plot_forest(rs.delong(TABLE)),
        'Say plot_forest({"name": estimate}).',
    ),
    "actual=": (lambda: rs.auc_score(actual=Y, predicted=S), "say y_true=...."),
    "columns with commas": (
        lambda: rs.io.tabulate_file(rs.datasets.path("fawcett20"), label="label,score"),
        "Name the 2 columns one by one, as in ['label', 'score'].",
    ),
    "curve.x": (lambda: CURVE.x, "Use fpr."),
    "curve.youden": (lambda: CURVE.youden, "Use rs.youden(table)"),
    "estimate.ci_low": (lambda: rs.delong(TABLE).ci_low, "Use interval().low."),
    "point.ci": (lambda: rs.point_at(TABLE, 3).ci, "Use rs.point_interval(point, 'tpr')."),
    "estimate.pvalue": (lambda: rs.delong(TABLE).pvalue, "rs.auc_test(table).pvalue"),
    "partial_auc(table, .1)": (
        lambda: rs.partial_auc(TABLE, 0.1),
        "the rest by name, as in partial_auc(table, fpr=...)",
    ),
    "bootstrap(table)": (lambda: rs.bootstrap(TABLE), "bootstrap(data, statistic)"),
    "seed": (lambda: rs.bootstrap(TABLE, "auc", seed=1), "say rng=..."),
    "n_bootstraps": (lambda: rs.bootstrap(TABLE, "auc", n_bootstraps=9), "say n_boot=..."),
    "alpha": (lambda: rs.delong(TABLE).interval(alpha=0.05), "level=0.95, one minus alpha"),
    "confusion_matrix(threshold)": (
        lambda: rs.confusion_matrix(Y, S, threshold=3),
        "evaluate(table, 0.5)",
    ),
    "evaluate(table)": (lambda: rs.evaluate(TABLE), "evaluate(table, thresholds)"),
    "Costs(1, 20)": (lambda: rs.Costs(1, 20), "Costs(fp=1, fn=20)"),
    "Costs(cost_fp)": (lambda: rs.Costs(cost_fp=1), "Costs(fp=1, fn=20)"),
    "ScoreTable(y, s)": (lambda: rs.ScoreTable(Y, S), "tabulate(y_true, y_score)"),
    "RocCurve(y, s)": (lambda: rs.RocCurve(Y, S), "roc_curve(tabulate(y_true, y_score))"),
    "auc.anything": (lambda: rs.auc(TABLE).zebra, "no attribute 'zebra'"),
    "points.threshold": (lambda: rs.optimal_points(TABLE).threshold, "optimal_points(...)[0].thr"),
    "points.anything": (lambda: rs.optimal_points(TABLE).zebra, "no attribute 'zebra'."),
    "point.sensitivity": (lambda: rs.point_at(TABLE, 3).sensitivity, "Use tpr"),
    "point.specificity": (lambda: rs.point_at(TABLE, 3).specificity, "Use 1 - point.fpr"),
    "curve.specificity": (lambda: CURVE.specificity, "Use tnr"),
    "curve.area": (lambda: CURVE.area, "Use auc"),
    "curve.ci()": (lambda: CURVE.ci, "rs.roc_band(table)"),
    "curve.to_pandas()": (lambda: CURVE.to_pandas, 'to_frame(backend="pandas")'),
    "comparison.plot()": (lambda: rs.compare_aucs(DATA).plot(), "a function of rs.plot"),
    "table.youden()": (lambda: TABLE.youden, "Use rs.youden(table)"),
    "estimate.standard_error": (lambda: rs.delong(TABLE).standard_error, "Use se"),
    "compare_aucs({name: scores})": (
        lambda: rs.compare_aucs({"a": S, "b": S}),
        "compare_aucs(pair_scores(y_true, scores))",
    ),
    "table.merge": (lambda: TABLE.merge(TABLE), "rs.merge(table, other)"),
    "estimate.lower": (lambda: rs.delong(TABLE).lower, "interval().low"),
    "interval.lower": (lambda: rs.delong(TABLE).interval().lower, "Use low"),
    "estimate - estimate": (lambda: rs.delong(TABLE) - rs.delong(TABLE), "rs.auc_difference"),
    "estimate > .5": (lambda: rs.delong(TABLE) > 0.5, ".value"),
    "test.reject": (lambda: rs.auc_test(TABLE).reject, "test.pvalue < 0.05"),
    "datasets.adult_scores": (
        lambda: rs.datasets.adult_scores,
        'rs.datasets.load("adult_scores")',
    ),
    "datasets.load_adult()": (lambda: rs.datasets.load_adult, 'datasets.load("adult_scores")'),
    "dataset.target": (lambda: rs.datasets.load("fawcett20").target, "Use y_true"),
    "plot_pr(table)": (lambda: plot.plot_pr(TABLE), "Say plot_pr(pr_curve(table))"),
    "plot_det(table)": (lambda: plot.plot_det(TABLE), "Say plot_det(det_curve(table))"),
    "plot_band(curve)": (lambda: plot.plot_band(CURVE), "Say plot_band(roc_band(table))"),
    "plot_calibration(table)": (lambda: plot.plot_calibration(TABLE), "(fit_isotonic(table))"),
    "plot_roc(data)": (lambda: plot.plot_roc(DATA), "plot_roc(roc_curve(data.table(name)))"),
    "plot_roc(ci=)": (
        lambda: plot.plot_roc(CURVE, ci=True, ax=Figure().subplots()),
        "plot_band(roc_band(table)",
    ),
    "threshold(cost_fp=)": (
        lambda: rs.estimators.ThresholdClassifier(None, cost_fp=1),
        "ThresholdClassifier has no argument 'cost_fp': say costs=dict(fp=1, fn=20)",
    ),
    "threshold(scoring=)": (
        lambda: rs.estimators.ThresholdClassifier(None, scoring="f1"),
        "say criterion=...",
    ),
    "best_threshold_": (
        lambda: rs.estimators.ThresholdClassifier(None).best_threshold_,
        "Use threshold_",
    ),
    "scorer(auc)": (lambda: rs.estimators.scorer(rs.auc), 'scorer("auc")'),
    "two models": (
        lambda: rs.estimators.compare_estimators(1, 2, [[1]], [1]),
        "compare_estimators takes estimators, X, y by position",
    ),
    "a list of models": (
        lambda: rs.estimators.compare_estimators([1, 2], [[1]], [1]),
        'compare_estimators({"a": one, "b": two}, X, y)',
    ),
    "point.precision": (lambda: rs.point_at(TABLE, 3).precision, "Use rs.measures.ppv(...)"),
    "matrix.accuracy": (
        lambda: rs.confusion_matrix([0, 1], [0, 1]).accuracy,
        "Use rs.measures.accuracy(...)",
    ),
    "curve.coords": (lambda: CURVE.coords, "rs.optimal_points(table)"),
    "plot_roc(col=)": (
        lambda: plot.plot_roc(CURVE, col="red", ax=Figure().subplots()),
        "say color=",
    ),
    "compare(scoring=)": (
        lambda: rs.estimators.compare_estimators({}, [[1]], [1], scoring="auc"),
        "say measure=...",
    ),
    "tabulate_frame(group=)": (
        lambda: rs.tabulate_frame(FRAME, label="y", score="s", group="g"),
        "say by=...",
    ),
    "tabulator.add": (lambda: rs.Tabulator().add(Y, S), "Use update(y_true, y_score)"),
    "tabulator.tabulate": (lambda: rs.Tabulator().tabulate(), "Use table()"),
    "tabulator.auc": (lambda: rs.Tabulator().auc, "rs.auc(tabulator.table())"),
    "table.union": (lambda: TABLE.union(TABLE), "rs.merge(table, other)"),
    "table.roc": (lambda: TABLE.roc, "rs.roc_curve(table)"),
    "table.bootstrap": (lambda: TABLE.bootstrap, 'rs.bootstrap(table, "auc")'),
    "table.summary": (lambda: TABLE.summary, "rs.report.summarise("),
    "table.y_true": (lambda: TABLE.y_true, "a table has no single cases"),
    "auc(dict)": (lambda: rs.auc({"a": TABLE}), "{name: auc(table) for name, table in"),
    "auc(dict of lists)": (lambda: rs.auc({"y": Y, "s": S}), "tabulate(y_true, y_score)"),
    "test(method=)": (
        lambda: rs.auc_difference(DATA).test(method="delong"),
        "say distribution=",
    ),
    "RocDisplay(fpr=)": (
        lambda: rs.estimators.RocDisplay(fpr=CURVE.fpr, tpr=CURVE.tpr),
        "RocDisplay.from_predictions(y_true, y_score)",
    ),
    "RocDisplay([])": (lambda: rs.estimators.RocDisplay([]), "RocDisplay([table])"),
    "delong(level=)": (lambda: rs.delong(TABLE, level=0.9), "as in .interval(0.95)"),
    "bootstrap(n=)": (lambda: rs.bootstrap(TABLE, "auc", n=5), "say n_boot=..."),
    "plan_area(power=)": (lambda: rs.planning.plan_area(0.8, power=0.8), ".for_power(0.8)"),
    "curve.best_threshold": (lambda: CURVE.best_threshold, "rs.optimal_points(table)[0].thr"),
    "curve.to_numpy": (lambda: CURVE.to_numpy, "which are arrays"),
    "data.auc": (lambda: DATA.auc, "rs.compare_aucs(data)"),
    "data.tables": (lambda: DATA.tables, "for name in data.names"),
    "comparison.pvalue": (lambda: rs.compare_aucs(DATA).pvalue, "pairs[0].test.pvalue"),
    "comparison.summary": (lambda: rs.compare_aucs(DATA).summary(), "print(comparison)"),
    "np.asarray(table)": (lambda: np.asarray(TABLE), "Read its .score, .pos and .neg"),
    "value, se = estimate": (lambda: [*rs.delong(TABLE)], "Read its .value, .se and .method"),
    "summarise(df)": (lambda: rs.report.summarise(FRAME), 'tabulate(df["y"], df["score"])'),
    "summarise({name: scores})": (
        lambda: rs.report.summarise({"s": S}),
        'summarise({"score": tabulate(y_true, y_score)})',
    ),
    "summarise(data)": (lambda: rs.report.summarise(DATA), "data.table(name)"),
    "confusion_matrix(table, 0.5)": (
        lambda: rs.confusion_matrix(TABLE, 0.5),
        "evaluate(tabulate(y_true, y_score), 0.5)",
    ),
    "confusion_matrix(y, s, 0.5)": (
        lambda: rs.confusion_matrix(Y, S, 0.5),
        "evaluate(table, 0.5)",
    ),
    "evaluate(threshold=)": (lambda: rs.evaluate(TABLE, threshold=3), "say evaluate(table, 0.5)"),
    "criterion='recall>=0.9'": (
        lambda: rs.optimal_points(TABLE, criterion="recall>=0.9"),
        'Constraint("tpr", ">=", 0.9)',
    ),
    "optimal_points(min=)": (
        lambda: rs.optimal_points(TABLE, criterion="recall", min=0.9),
        'Constraint("tpr", ">=", 0.9)',
    ),
    "Constraint('recall>=0.9')": (
        lambda: rs.operating.Constraint("recall>=0.9"),
        'Constraint("tpr", ">=", 0.9)',
    ),
    "scorer('auc', max_fpr=)": (
        lambda: rs.estimators.scorer("auc", max_fpr=0.1),
        'scorer("pauc@0.1")',
    ),
    "scorer('auc', nothing=)": (
        lambda: rs.estimators.scorer("auc", nothing=1),
        "no argument 'nothing'",
    ),
    "roc_curve(y, s, pos_label=)": (
        lambda: rs.roc_curve(Y, S, pos_label=1),
        "Say roc_curve(tabulate(y_true, y_score, pos_label=1))",
    ),
    "roc_curve(y_true=, y_score=)": (
        lambda: rs.roc_curve(y_true=Y, y_score=S),
        "Say roc_curve(tabulate(y_true, y_score))",
    ),
    "plot_roc(labels=)": (
        lambda: rs.plot.plot_roc(rs.roc_curve(TABLE), labels=["one"], ax=Figure().subplots()),
        'label="first"',
    ),
    "multiclass_scores(labels=)": (
        lambda: rs.multiclass.multiclass_scores(Y, [[0.2, 0.8]] * len(Y), labels=[0, 1]),
        "say classes=",
    ),
    "bootstrap(table, 'auc', 2000)": (
        lambda: rs.bootstrap(TABLE, "auc", 2000),
        "say n_boot=2000",
    ),
    "bootstrap(B=)": (lambda: rs.bootstrap(TABLE, "auc", B=2000), "say n_boot="),
    "plan_area(auc=)": (lambda: rs.planning.plan_area(auc=0.8), "say area="),
    "tabulate(positive=)": (lambda: rs.tabulate(Y, S, positive=1), "say pos_label="),
    "optimal_points(max_selected=)": (
        lambda: rs.optimal_points(TABLE, max_selected=3),
        'Constraint("selected", "<=", 500)',
    ),
    "optimal_points(subject_to='...')": (
        lambda: rs.optimal_points(TABLE, subject_to="selected <= 3"),
        'Constraint("selected", "<=", 3)',
    ),
    "rs.precision_at_k": (lambda: rs.precision_at_k, 'Constraint("selected", "<=", k)'),
    "tabulate_frame(exact=)": (
        lambda: rs.tabulate_frame(FRAME, label="y", score="s", exact=True),
        "say tolerance=0",
    ),
    "hull.mixture_at": (lambda: rs.roc_hull(TABLE).mixture_at, "rs.combine.mixture_at("),
    "hull.vertices": (lambda: rs.roc_hull(TABLE).vertices, "Use points"),
    "add_points([...])": (lambda: plot.add_points([(0.1, 0.7)]), 'add_points({"A": (0.1, 0.7)'),
    "add_points({...: 3})": (lambda: plot.add_points({"A": 3}), 'add_points({"A": (0.1, 0.7)'),
    "curve['fpr']": (lambda: CURVE["fpr"], "Say .fpr, or .to_frame()"),
    "delong(table)['AUC']": (lambda: rs.delong(TABLE)["AUC"], "Say .value"),
    "delong(table)[0]": (lambda: rs.delong(TABLE)[0], "Say .to_frame() of it"),
    "auc(fpr, tpr)": (lambda: rs.auc(CURVE.fpr, CURVE.tpr), "or curve.auc of a curve"),
    "auc_score(curve)": (lambda: rs.auc_score(CURVE), "say curve.auc"),
    "auc(df, 'y', 's')": (lambda: rs.auc(FRAME, "y", "s"), 'tabulate_frame(df, label="y"'),
    "tabulate(lazy, ...)": (
        lambda: rs.tabulate(pl.from_pandas(FRAME).lazy(), "y", "s"),
        'tabulate_frame(df, label="y"',
    ),
    "tabulate(pl.col('y'), ...)": (
        lambda: rs.tabulate(pl.col("y"), pl.col("s")),
        'tabulate_frame(df, label="y"',
    ),
    "tabulate_frame(score=[...])": (
        lambda: rs.tabulate_frame(FRAME, label="y", score=["s", "z"]),
        "pair_scores(df['y'], df[['s', 'z']])",
    ),
    "threshold_bootstrap(smooth=)": (
        lambda: rs.operating.threshold_bootstrap(rs.tabulate(Y, S), smooth=5),
        "bootstrap(table, lambda t: optimal_points(t, smooth=5)[0].threshold)",
    ),
    "optimal_points(criterion=[])": (
        lambda: rs.optimal_points(rs.tabulate(Y, S), criterion=[]),
        "criterion is empty. Name at least one",
    ),
    "best_of_test([])": (lambda: rs.inference.best_of_test([]), "points is empty. Pass the counts"),
    "boolean_search(max_cells=-5)": (
        lambda: rs.combine.boolean_search(DATA, max_cells=-5),
        "max_cells is -5, but must be a whole number",
    ),
    "plot_scores(bins=0)": (
        lambda: rs.plot.plot_scores(rs.tabulate(Y, S), bins=0, ax=Figure().subplots()),
        "bins is 0, but must be a whole number, 1 or more",
    ),
    "plot_summary(figure='a')": (
        lambda: rs.plot.plot_summary(rs.tabulate(Y, S), figure="a"),
        "figure is 'a', but must be a figure, as plt.figure() returns",
    ),
    "rng=[numpy numbers]": (
        lambda: rs.bootstrap(rs.tabulate(Y, S), "auc", n_boot=5, rng=list(np.array([0.5, 2.5]))),
        "rng is [0.5, 2.5], but must be",
    ),
    "level=(numpy, numbers)": (
        lambda: rs.delong(rs.tabulate(Y, S)).interval(tuple(np.array([0.5, 2.5]))),
        "level is (0.5, 2.5), but must be",
    ),
    "pair_scores(y, s)": (lambda: rs.pair_scores(Y, S), 'or name each, as in {"a": a}'),
    "multiclass_scores(scores, y)": (
        lambda: rs.multiclass.multiclass_scores(np.column_stack([S, S]), Y),
        "the labels first, then the scores: say multiclass_scores(y_true, scores)",
    ),
    "pair_scores({}, y)": (
        lambda: rs.pair_scores({"a": S}, Y),
        'the labels first, then the scores: say pair_scores(y_true, {"a": a, "b": b})',
    ),
    "pair_scores(matrix, y)": (
        lambda: rs.pair_scores(np.column_stack([S, S]), Y),
        "the labels first, then the scores",
    ),
    "f_beta(matrix, 2)": (
        lambda: rs.measures.f_beta(MATRIX, 2),
        "by name, as in f_beta(c, beta=2).",
    ),
    "kappa(matrix, 2)": (lambda: rs.measures.kappa(MATRIX, 2), "as in kappa(c, costs=...)."),
    "accuracy(matrix, 2)": (
        lambda: rs.measures.accuracy(MATRIX, 2),
        "accuracy takes c by position",
    ),
    "pair_scores(df)": (lambda: rs.pair_scores(FRAME), 'pair_scores(df["y"], df[["a", "b"]])'),
    "compare_aucs(df)": (lambda: rs.compare_aucs(FRAME), 'pair_scores(df["y"], df[["a", "b"]])'),
    "Tabulator().update(df)": (
        lambda: rs.Tabulator().update(FRAME),
        '.update(df["y"], df["s"])',
    ),
    "tabulate_file(path)": (lambda: rs.io.tabulate_file("cases.csv"), "(path, label=...)"),
    "table.roc_curve()": (lambda: TABLE.roc_curve, "rs.roc_curve(table)"),
    "plot_roc(hull=)": (
        lambda: plot.plot_roc(CURVE, hull=True, ax=Figure().subplots()),
        "plot_hull(roc_hull(table)",
    ),
    "reweight(ratio=)": (lambda: rs.reweight(TABLE, ratio=2), "say prevalence=, the share of"),
    "tabulate(pos=, neg=)": (
        lambda: rs.tabulate(score=[1, 2], pos=[1, 2], neg=[2, 1]),
        "ScoreTable.from_counts(score, pos, neg)",
    ),
    "curve.interpolate": (lambda: CURVE.interpolate(0.1), "Use tpr_at(fpr) or fpr_at(tpr)"),
    "pair_scores(y, [a, b])": (
        lambda: rs.pair_scores(Y, [S, S]),
        'one column for each score, as in {"a": a, "b": b}',
    ),
    "from_arrays": (lambda: rs.ScoreTable.from_arrays(Y, S), "Say tabulate(y_true, y_score)"),
    "from_frame": (lambda: rs.ScoreTable.from_frame, "Say tabulate_frame(df, label="),
    "from_csv": (lambda: rs.ScoreTable.from_csv, "Say rocspace.io.tabulate_file(path"),
    "from_sums": (lambda: rs.ScoreTable.from_sums, "Say tabulate("),
    "RocCurve.from_predictions": (
        lambda: rs.RocCurve.from_predictions(Y, S),
        "Say roc_curve(tabulate(y_true, y_score))",
    ),
    "accuracy(y, y)": (
        lambda: rs.measures.accuracy(Y, Y),
        "say accuracy(confusion_matrix(y_true, y_pred))",
    ),
    "accuracy(y_true=)": (
        lambda: rs.measures.accuracy(y_true=Y, y_pred=Y),
        "say accuracy(confusion_matrix(y_true, y_pred))",
    ),
    "tpr(5, 1, 5, 9)": (
        lambda: rs.measures.tpr(5, 1, 5, 9),
        "tpr(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9))",
    ),
    "kappa(tp=)": (lambda: rs.measures.kappa(tp=5, fp=1), "kappa(ConfusionMatrix(tp=5,"),
    "f_score(list)": (lambda: rs.measures.f_score([[5, 1], [5, 9]]), "f_score(ConfusionMatrix("),
    "auc_score(y, model)": (lambda: rs.auc_score(Y, MODEL), "model.predict_proba(X)[:, 1]"),
    "auc_score(y, three columns)": (
        lambda: rs.auc_score(Y, [[1, 2, 3]] * 6),
        "rocspace.multiclass.multiclass_scores(y_true, scores)",
    ),
    "plot_roc(a, b)": (lambda: plot.plot_roc(CURVE, CURVE), 'plot_roc({"a": a, "b": b})'),
    "pair_scores(y, a, b)": (
        lambda: rs.pair_scores(Y, S, S),
        'pair_scores(y_true, {"a": a, "b": b})',
    ),
    "vertical_average(samples=)": (
        lambda: rs.averaging.vertical_average([CURVE], samples=9),
        "say grid=...",
    ),
    "matrix.ravel()": (lambda: rs.confusion_matrix(Y, Y).ravel, "Use .tp, .fp, .fn and .tn"),
    "ConfusionMatrix(2 x 2)": (
        lambda: rs.ConfusionMatrix([[63, 28], [37, 72]]),
        "Say confusion_matrix(y_true, y_pred)",
    ),
    "evaluate(y, s)": (lambda: rs.evaluate(Y, S), "Make one with tabulate(y_true, y_score)"),
    "curve.points": (lambda: CURVE.points, "Use fpr, tpr and threshold"),
    "curve.at": (lambda: CURVE.at, "Use tpr_at(fpr)"),
    "curve.hull": (lambda: CURVE.hull, "Use rs.roc_hull(table)"),
    "tpr(curve)": (lambda: rs.measures.tpr(CURVE), "Use rs.evaluate(table, table.score)"),
    "auc(tabulator)": (lambda: rs.auc(rs.Tabulator()), "Make one with tabulator.table()"),
    "merge(tabulators)": (lambda: rs.merge(rs.Tabulator(), rs.Tabulator()), "say a.merge(b)"),
    "tabulate_frame(path)": (
        lambda: rs.tabulate_frame("a.parquet", label="y", score="s"),
        "tabulate_file(path",
    ),
    "ThresholdClassifier(threshold=)": (
        lambda: rs.estimators.ThresholdClassifier(None, threshold=0.15),
        "sklearn.model_selection.FixedThresholdClassifier(model, threshold=0.15)",
    ),
    "auc_score(max_fpr=)": (
        lambda: rs.auc_score(Y, S, max_fpr=0.1),
        "partial_auc(table, fpr=(0, 0.1), standardised=True)",
    ),
    "interval(method=)": (
        lambda: rs.delong(TABLE).interval(method="wald"),
        'is usually printed with, is scale="identity"',
    ),
    "cv_auc_estimate(cv_results)": (
        lambda: rs.averaging.cv_auc_estimate({"fit_time": S, "score_time": S}),
        "cv_auc_estimate(cv_tables(cv_results, X, y))",
    ),
    "cv_auc_estimate(test_score)": (
        lambda: rs.averaging.cv_auc_estimate([0.9, 0.8, 0.85]),
        "cv_tables(cv_results, X, y) of scikit-learn's cross_validate",
    ),
    "delong(cv_results)": (
        lambda: rs.delong({"fit_time": S, "test_score": S}),
        "say rs.cv_auc_estimate(rs.averaging.cv_tables(results, X, y))",
    ),
    "auc([table, table])": (
        lambda: rs.auc([TABLE, TABLE]),
        "Ask each: [auc(table) for table in tables]; or, of folds, say rs.cv_auc_estimate(tables)",
    ),
    "delong({fold: table})": (
        lambda: rs.delong({0: TABLE, 1: TABLE}),
        "or, of folds, say rs.cv_auc_estimate(tables)",
    ),
    "auc_score(column, column) of Spark": (
        lambda: rs.auc_score(SparkColumn(), SparkColumn()),
        'Say tabulate_frame(df, label="y", score="s"), with the names of columns',
    ),
    "auc_score(frame, frame) of Spark": (
        lambda: rs.auc_score(SparkFrame(), SparkFrame()),
        'y_true is a SparkFrame, not a vector. Say tabulate_frame(df, label="y", score="s")',
    ),
    "auc_score(return_ci=)": (
        lambda: rs.auc_score(Y, S, return_ci=True),
        "say delong(tabulate(y_true, y_score)).interval(0.95)",
    ),
    "auc(table, ci=)": (lambda: rs.auc(TABLE, ci=True), "say delong(table).interval(0.95)"),
    "auc_difference(model, model, X, y)": (
        lambda: rs.auc_difference(MODEL, MODEL, S, Y),
        "Say auc_difference(pair_scores(y_true, ",
    ),
    "ConfusionMatrixDisplay": (
        lambda: rs.estimators.ConfusionMatrixDisplay,
        "rs.confusion_matrix(y_true, y_pred)",
    ),
    "RocDisplay([table]).auc": (
        lambda: rs.estimators.RocDisplay([TABLE]).auc,
        "Use rs.delong(display.tables[0])",
    ),
    "RocDisplay(folds).interval": (
        lambda: rs.estimators.RocDisplay([TABLE, TABLE]).interval,
        "Use rs.cv_auc_estimate(display.tables)",
    ),
    "PrDisplay([table]).average_precision": (
        lambda: rs.estimators.PrDisplay([TABLE]).average_precision,
        "Use rs.average_precision(display.tables[0])",
    ),
    "cv_auc_estimate(cv_results, X, y)": (
        lambda: rs.averaging.cv_auc_estimate({"fit_time": S}, S, Y),
        "cv_auc_estimate(cv_tables(cv_results, X, y))",
    ),
    "cv_auc_estimate(model, X, y, cv=)": (
        lambda: rs.averaging.cv_auc_estimate(MODEL, S, Y, cv=5),
        "cv_auc_estimate(cv_tables(cv_results, X, y))",
    ),
    "fold_tables(cv_results, X, y)": (
        lambda: rs.averaging.fold_tables({"fit_time": S}, S, Y),
        "rocspace.averaging.cv_tables(results, X, y)",
    ),
    "roc_curve(drop_intermediate=)": (
        lambda: rs.roc_curve(TABLE, drop_intermediate=True),
        'say collinear="drop"',
    ),
    "plot_roc(plot_chance_level=)": (
        lambda: plot.plot_roc(CURVE, plot_chance_level=True, ax=Figure().subplots()),
        "the diagonal is drawn anyhow",
    ),
    "RocDisplay(n_bins=)": (
        lambda: rs.estimators.RocDisplay.from_predictions(
            [0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9], n_bins=10, ax=Figure().subplots()
        ),
        "calibration_curve(table, bins=10), which plot_calibration draws",
    ),
    "calibrate(table)": (lambda: rs.calibrate(TABLE), "Say rs.calibrate.fit_isotonic(table)"),
    "bootstrap('tpr@fpr=0.1')": (
        lambda: rs.bootstrap(TABLE, "tpr@fpr=0.1"),
        "In Python say rocspace.resampling.tpr_at(0.1)",
    ),
    "bootstrap('ppv@threshold=.5')": (
        lambda: rs.bootstrap(TABLE, "ppv@threshold=.5"),
        "In Python say rocspace.resampling.rate_at(.5, rate='ppv')",
    ),
    "bootstrap('area@fpr=0,0.1')": (
        lambda: rs.bootstrap(TABLE, "area@fpr=0,0.1"),
        "In Python say rocspace.resampling.partial_area(fpr=(0,0.1))",
    ),
    "bootstrap(stratified=)": (
        lambda: rs.bootstrap(TABLE, "auc", stratified=False),
        'say scheme="unstratified"',
    ),
    "partial_auc(specificity=)": (
        lambda: rs.partial_auc(TABLE, specificity=(0.9, 1)),
        "say fpr=(0, 0.1) for specificities from 0.9 to 1",
    ),
    "partial_auc(correct=)": (
        lambda: rs.partial_auc(TABLE, fpr=(0, 0.1), correct=True),
        "say standardised=True",
    ),
    "tpr_at_interval(specificity=)": (
        lambda: rs.inference.tpr_at_interval(TABLE, specificity=0.9),
        "say fpr=0.1",
    ),
    "multiclass_scores(y, marker)": (
        lambda: rs.multiclass.multiclass_scores(["a", "b", "c", "a"], [1, 2, 3, 1]),
        "ordered_scores(y_true, marker, order=[...])",
    ),
    "pr_curve.auc": (lambda: rs.pr_curve(TABLE).auc, "Use rs.curves.pr_area(table)"),
    "pr_curve(prevalence=)": (
        lambda: rs.pr_curve(TABLE, prevalence=0.01),
        "pr_curve(reweight(table, prevalence=0.01))",
    ),
    "average_precision(prevalence=)": (
        lambda: rs.average_precision(TABLE, prevalence=0.01),
        "average_precision(reweight(table, prevalence=0.01))",
    ),
    "average.se": (
        lambda: rs.averaging.vertical_average([CURVE, CURVE]).se,
        "Use interval(), or tpr_sd, the spread between curves",
    ),
    "roc_hull(y, s)": (
        lambda: rs.roc_hull([0, 1], [1, 2]),
        "a curve, not labels and scores. Say roc_hull(roc_curve(tabulate(y_true, y_score",
    ),
    "hull.owner": (lambda: rs.roc_hull(TABLE).owner, "Use points[i][0].name of vertex i"),
    "hull.best": (lambda: rs.roc_hull(TABLE).best, "points[hull.optimal(slope)[0]][0].name"),
    "add_iso_performance(slopes=)": (
        lambda: plot.add_iso_performance(rs.roc_hull(TABLE), 1, slopes=[1], ax=Figure().subplots()),
        "one by one: slope=1",
    ),
    "add_iso_performance(costs=) alone": (
        lambda: plot.add_iso_performance(rs.roc_hull(TABLE), costs={"fp": 1, "fn": 5}),
        "prevalence=table.prevalence, or a slope",
    ),
    "tabulate(scores, labels, pos_label=)": (
        lambda: rs.tabulate([i / 20 for i in range(20)], ["n", "p"] * 10, pos_label="p"),
        "Are y_true and y_score swapped?",
    ),
    "numbers as text": (
        lambda: rs.tabulate(Y, ["0.1", "1", ".5", "2e-3", "3", "4"]),
        "[float(x) for x in ...]",
    ),
    "yes and no": (lambda: rs.tabulate(["no", "yes"], [1, 2]), "pos_label='yes'"),
    "a column with commas": (
        lambda: rs.tabulate_frame(
            pd.DataFrame({"y": Y, "s": ["1,5", "2", "3", "4", "5", "6"]}), label="y", score="s"
        ),
        "decimal=',' of pandas, decimal_comma=True of polars",
    ),
    "adjust='BH'": (
        lambda: rs.compare_aucs(DATA, adjust="BH"),
        "Did you mean 'benjamini-hochberg'?",
    ),
    "adjust='fdr'": (
        lambda: rs.compare_aucs(DATA, adjust="fdr"),
        "Did you mean 'benjamini-hochberg'?",
    ),
    "adjust='BY'": (
        lambda: rs.compare_aucs(DATA, adjust="BY"),
        "Did you mean 'benjamini-yekutieli'?",
    ),
    "missing='drop'": (lambda: rs.tabulate(Y, S, missing="drop"), "Did you mean 'omit'?"),
    "compare_aucs(pairs=)": (
        lambda: rs.compare_aucs(DATA, pairs=[("a", "b")]),
        "say auc_difference(data, first, second)",
    ),
    "comparison.test": (lambda: rs.compare_aucs(DATA).test, "Use overall, the test that all"),
    "comparison.to_latex()": (
        lambda: rs.compare_aucs(DATA).to_latex(),
        "Use rs.report.to_latex(comparison)",
    ),
    "estimate.to_latex()": (
        lambda: rs.delong(TABLE).to_latex(),
        'Use rs.report.to_latex({"name": estimate})',
    ),
    "plan_area(kappa=)": (lambda: rs.planning.plan_area(0.8, kappa=2), "say ratio=..."),
    "plan_area(sig_level=)": (
        lambda: rs.planning.plan_area(0.8, sig_level=0.05),
        "say .for_power(0.8, significance=0.05)",
    ),
    "for_power(sig_level=)": (
        lambda: rs.planning.plan_area(0.8).for_power(0.8, sig_level=0.05),
        "say significance=...",
    ),
    "plan_rate(width=)": (
        lambda: rs.planning.plan_rate(0.9, width=0.1),
        "say .for_width(0.1) of the plan, of a half-width of 0.1",
    ),
    "plan.for_precision": (
        lambda: rs.planning.plan_rate(0.9).for_precision(0.1),
        "Use for_width(0.05)",
    ),
    "venkatraman_test(n_boot=)": (
        lambda: compare.venkatraman_test(DATA, n_boot=9),
        "say n_perm=, for it permutes",
    ),
    "plot_roc(grey=)": (
        lambda: plot.plot_roc(CURVE, grey=True, ax=Figure().subplots()),
        'say color="black"',
    ),
    "plot_roc(legacy_axes=)": (
        lambda: plot.plot_roc(CURVE, legacy_axes=True, ax=Figure().subplots()),
        "one minus specificity",
    ),
    "plot_roc(add=)": (
        lambda: plot.plot_roc(CURVE, add=True, ax=Figure().subplots()),
        "say ax=, the axes that the first plot returned",
    ),
    "plot_roc(style=)": (
        lambda: plot.plot_roc(CURVE, style="grey", ax=Figure().subplots()),
        'say with rocspace.plot.style("single"):',
    ),
    "plot_decision({...})": (
        lambda: plot.plot_decision({"a": DECISION, "b": DECISION}),
        'ax = plot_decision(a, label="a"), then plot_decision(b, label="b", ax=ax)',
    ),
    "plot_decision([...])": (
        lambda: plot.plot_decision([DECISION]),
        'ax = plot_decision(a, label="a"), then',
    ),
    "plot_decision({})": (lambda: plot.plot_decision({}), "Say plot_decision(decision_curve(tab"),
    "decision.at": (lambda: DECISION.at(0.2), "Use at_threshold(0.2)"),
    "over_time.interval()": (
        lambda: OVER_TIME.interval(0.9),
        "Use to_frame(), estimates[0].interval(level) of one time, or band(level)",
    ),
    "over_time.times": (lambda: OVER_TIME.times, "Use at"),
    "fit.coef": (lambda: rs.models.fit_roc(TABLE).coef, "Use parameters"),
    "roc_band(method='bootstrap')": (
        lambda: rs.roc_band(TABLE, method="bootstrap"),
        "Of that kind are 'envelope', 'fixed-width', 'psn', 'vertical', 'threshold'.",
    ),
    "prg_curve(table).auc": (lambda: rs.curves.prg_curve(TABLE).auc, "Use area."),
    "estimate.std_error": (lambda: rs.delong(TABLE).std_error, "Use se."),
    "point.cutpoint": (lambda: rs.optimal_points(TABLE)[0].cutpoint, "Use threshold."),
    "bootstrap(R=)": (lambda: rs.bootstrap(TABLE, "auc", R=9), "say n_boot=..."),
    "venkatraman(boot_n=)": (
        lambda: rs.compare.venkatraman_test(DATA, boot_n=9),
        "say n_perm=, for it permutes.",
    ),
    "test(method='venkatraman')": (
        lambda: rs.auc_difference(DATA).test(method="venkatraman"),
        "other tests are rocspace.compare.bootstrap_difference and venkatraman_test.",
    ),
    "h_measure(severity_ratio=)": (
        lambda: rs.costs.h_measure(TABLE, severity_ratio=2),
        "say severity=, how many false negatives",
    ),
    "fold_tables(cv=)": (lambda: rs.fold_tables(Y, S, cv=5), "say fold_tables(y_true, y_score, f"),
    "pair_scores(fold=)": (
        lambda: rs.pair_scores(Y, {"a": S}, fold=Y),
        "say fold_tables(y_true, y_score, fold) of each score.",
    ),
    "tabulate(quiet=)": (lambda: rs.tabulate(Y, S, quiet=True), "say progress=False"),
    "tabulate_frame(y=)": (lambda: rs.tabulate_frame(FRAME, y="y", score="s"), "say label=."),
    "fit_binormal(method=)": (
        lambda: rs.models.fit_binormal(TABLE, method="ml"),
        "each way to fit has a name of its own",
    ),
    "fit_kernel(bw=)": (lambda: rs.models.fit_kernel(TABLE, bw="sj"), "say bandwidth=..."),
    "fit_kernel(bandwidth='SJ')": (
        lambda: rs.models.fit_kernel(TABLE, bandwidth="SJ"),
        "Did you mean 'sheather-jones'?",
    ),
    "rate_interval(method='exact')": (
        lambda: rs.rate_interval(18, 20, method="exact"),
        "Did you mean 'clopper-pearson'?",
    ),
    "plot_roc(lwd=)": (lambda: plot.plot_roc(CURVE, lwd=2, ax=AXES), "say linewidth=2."),
    "plot_roc(lty=)": (lambda: plot.plot_roc(CURVE, lty=2, ax=AXES), 'say linestyle="--".'),
    "plot_roc(xlab=)": (lambda: plot.plot_roc(CURVE, xlab="x", ax=AXES), ".set_xlabel("),
    "plot_roc(print_thres=)": (
        lambda: plot.plot_roc(CURVE, print_thres=True, ax=AXES),
        "say rocspace.plot.add_thresholds(curve, [0.2, 0.5], ax=ax)",
    ),
    "plot_roc(auc_polygon=)": (
        lambda: plot.plot_roc(CURVE, auc_polygon=True, ax=AXES),
        "say .fill_between(curve.fpr, curve.tpr, alpha=0.2)",
    ),
    "optimal_points(methods=)": (
        lambda: rs.optimal_points(TABLE, methods="Youden"),
        "say criterion=...",
    ),
    "optimal_points(boot_runs=)": (
        lambda: rs.optimal_points(TABLE, boot_runs=9),
        "say threshold_bootstrap(table)",
    ),
    "optimal_points(use_midpoints=)": (
        lambda: rs.optimal_points(TABLE, use_midpoints=True),
        "between .threshold and .next_score",
    ),
    "optimal_points(min_constrain=)": (
        lambda: rs.optimal_points(TABLE, min_constrain=0.9),
        'subject_to=rocspace.operating.Constraint("tpr", ">=", 0.9)',
    ),
    "criterion='MinValueSp'": (
        lambda: rs.optimal_points(TABLE, criterion="MinValueSp"),
        "Say criterion='tpr', subject_to=rocspace.operating.Constraint('tnr', '>=', 0.9).",
    ),
    "criterion='ValueDLR.Positive'": (
        lambda: rs.optimal_points(TABLE, criterion="ValueDLR.Positive"),
        "Say criterion=rocspace.operating.Target('lr_positive', 2).",
    ),
    "costs with capitals": (
        lambda: rs.optimal_points(TABLE, costs={"FP": 1, "FN": 2}),
        "Say dict(fp=...).",
    ),
    "plan_area(n_cases=)": (
        lambda: rs.planning.plan_area(0.8, n_cases=20),
        "say .for_cases(40).power of the plan",
    ),
    "survival_scores(Stime=)": (
        lambda: rs.designs.survival_scores(Stime=S, status=Y),
        "say time=...",
    ),
    "survival_scores(event=)": (
        lambda: rs.designs.survival_scores(S, event=Y, y_scores=S),
        "say status=...",
    ),
    "auc_over_time(data, 'a', at=)": (
        lambda: rs.designs.auc_over_time(SURVIVAL, "a", at=2),
        "auc_over_time takes at by place 2, where 'a' is, and by its name.",
    ),
    "auc_over_time(weighting=)": (
        lambda: rs.designs.auc_over_time(SURVIVAL, 2, weighting="marginal"),
        "weights are Kaplan and Meier's",
    ),
    "rates_at_time(cutpoint=)": (
        lambda: rs.designs.rates_at_time(SURVIVAL, 2, cutpoint=1),
        "say threshold=...",
    ),
    "concordance_estimate(tau=)": (
        lambda: rs.designs.concordance_estimate(SURVIVAL, tau=3),
        "say until=...",
    ),
    "to_latex of thresholds": (
        lambda: rs.report.to_latex(rs.evaluate(TABLE, [2, 3])),
        "Take one: point_at(table, threshold).",
    ),
}


def test_columns_of_a_frame_are_named() -> None:
    frame = pd.DataFrame({"y": [0, 1, 0, 1], "s": [1.0, 2, 3, 4], "t": [2.0, 1, 3, 4]})
    said = {
        "Of columns themselves say tabulate(y_true, y_score).": (frame, frame.y, frame.s),
        "say pair_scores(df['y'], df[['s', 't']]).": (frame, "y", ["s", "t"]),
        "It is in the index: say df.reset_index().": (frame.set_index("y"), "y", "s"),
        "df.columns = map('_'.join, df.columns).": (
            pd.concat({"m": frame}, axis=1),
            ("m", "y"),
            ("m", "s"),
        ),
    }
    for answer, (given, label, score) in said.items():
        with pytest.raises((TypeError, ValueError), match=re.escape(answer)) as raised:
            rs.tabulate_frame(given, label=label, score=score)
        assert "\n" not in str(raised.value)


def test_the_column_of_the_labels_is_not_a_score() -> None:
    frame = pd.DataFrame({"s": [1.0, 2, 3, 4], "y": [0, 1, 0, 1]})
    answer = r"is the column 'y' of the labels\. Leave it out"
    for call in (
        lambda: rs.pair_scores(frame.y, frame),
        lambda: rs.auc_scores(frame.y, frame),
        lambda: rs.auc_score(frame["y"], frame["y"].astype(float)),
        lambda: rs.pair_scores(pl.DataFrame(frame)["y"], pl.DataFrame(frame)),
    ):
        with pytest.raises(ValueError, match=answer):
            call()
    assert len(rs.pair_scores(frame.y, frame.assign(y=[0, 1, 1, 1])).names) == 2  # another column


def test_every_criterion_of_the_table_of_packages_is_understood() -> None:
    text = importlib.import_module("rocspace.measures.criteria").__doc__
    rows = text.split("=================================\n")[2].splitlines()
    ours, seen = "", 0
    for row in rows:
        ours = row.split("``")[1] if "``" in row else ours
        for name in re.findall(r"[\w.]+", row[31:]):
            seen += 1
            assert check_criterion(name) == ours, name
    assert seen > 40


def unpacked(result: object) -> tuple[object, ...]:
    """Take a result for three arrays, as those who come from scikit-learn do."""
    fpr, tpr, threshold = result
    return fpr, tpr, threshold


@pytest.mark.parametrize("typed", CALLS)
def test_a_call_is_answered_with_the_line_to_write(typed: str) -> None:
    call, answer = CALLS[typed]
    with pytest.raises((TypeError, ValueError, AttributeError), match=re.escape(answer)) as raised:
        call()
    assert "positional argument" not in str(raised.value)


def test_a_function_is_no_scorer() -> None:
    """scikit-learn calls it with a model, features and labels, and passes on what it says."""
    from sklearn.model_selection import cross_val_score
    from sklearn.naive_bayes import GaussianNB

    features = [[s] for s in S]
    line = r'say scoring=(rocspace\.estimators\.)?scorer\("auc"\)'
    for function in (rs.auc_score, rs.auc, rs.average_precision, rs.estimators.scorer):
        with pytest.warns(UserWarning, match=line):
            cross_val_score(GaussianNB(), features, Y, cv=2, scoring=function)
    right = rs.estimators.scorer("auc")
    assert cross_val_score(GaussianNB(), features, Y, cv=2, scoring=right).max() <= 1


def test_a_picture_from_a_model_works() -> None:
    from sklearn.naive_bayes import GaussianNB

    features = [[s] for s in S]
    model = GaussianNB().fit(features, Y)
    ax = Figure().subplots()
    shown = rs.estimators.RocDisplay.from_estimator(model, features, Y, ax=ax)
    assert shown.line_.get_label().startswith("GaussianNB (AUC ")


def test_frames_and_their_columns() -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for frame in (pd.DataFrame({"y": Y, "s": S}), pl.DataFrame({"y": Y, "s": S})):
        assert rs.tabulate(frame["y"], frame["s"]) == TABLE
        assert rs.tabulate_frame(frame, label="y", score="s") == TABLE
        with pytest.raises(TypeError, match="tabulate_frame"):
            rs.auc(frame)
    assert {"fpr", "tpr", "threshold"} <= set(CURVE.to_frame())
    assert {"score", "pos", "neg"} <= set(TABLE.to_frame())
    for one in (CURVE, TABLE, DATA, rs.compare_aucs(DATA), rs.roc_band(TABLE)):
        assert pd.DataFrame(one).equals(one.to_frame())
    with pytest.raises(TypeError, match=r"say \.to_frame\(\) of it for a data frame"):
        pd.DataFrame(rs.delong(TABLE))
    points = pd.DataFrame(rs.optimal_points(TABLE))
    assert {"threshold", "tp", "fp", "fn", "tn"} <= set(points)
    assert {"first", "second", "difference"} <= set(rs.compare_aucs(DATA).to_frame())
    for result in (CURVE, TABLE, rs.compare_aucs(DATA)):
        pytest.importorskip("pyarrow")
        assert pl.DataFrame(result).equals(result.to_frame(backend="polars"))


def test_directions_of_several_scores() -> None:
    for given in (False, {"a": False}):
        data = rs.pair_scores(Y, {"a": S, "b": S}, higher_is_positive=given)
        assert rs.auc(data.table("a")) == pytest.approx(1 - rs.auc(TABLE))
    assert rs.auc(data.table("b")) == rs.auc(TABLE)


def test_results_travel() -> None:
    joblib = pytest.importorskip("joblib")
    work = [joblib.delayed(rs.bootstrap)(TABLE, "auc", n_boot=20, rng=i) for i in (1, 1)]
    one, two = joblib.Parallel(n_jobs=2, prefer="threads")(work)
    assert one == two


def test_estimates_are_numbers_and_text() -> None:
    found = rs.delong(TABLE)
    assert float(found) == found.value
    assert f"{found}" == str(found)
    assert f"{found:.2f}" == "0.67"
    assert "interval" in str(found)


def test_what_answers_guesses_travels_as_what_it_is() -> None:
    for area in (rs.auc(TABLE), rs.auc_score(Y, S), CURVE.auc):
        assert type(pickle.loads(pickle.dumps(area))) is float
        assert repr(area) == json.dumps(area) == repr(float(area))
    points = rs.optimal_points(TABLE)
    assert type(pickle.loads(pickle.dumps(points))) is tuple
    assert points == tuple(points)


def test_errors_inside_a_function_stay_as_they_are() -> None:
    with pytest.raises(TypeError, match="the first 'a' at index 0"):
        rs.tabulate([0, 1], ["a", "b"])


def test_guesses_that_work() -> None:
    low, high = rs.delong(TABLE).interval()
    assert low < high
    assert rs.delong(TABLE).interval()[0] == low
    assert round(rs.delong(TABLE), 3) == 0.667
    data = rs.datasets.load("fawcett20")
    assert data["score"] is data.columns["score"]
    with pytest.raises(KeyError, match="has no column 'zebra'"):
        data["zebra"]
    with pytest.raises(KeyError, match=r"'mean radius'\. Did you mean 'mean_radius'\? It has"):
        rs.datasets.load("wdbc")["mean radius"]
    costs = {"fp": 1, "fn": 20}
    wanted = rs.optimal_points(TABLE, criterion="cost", costs=rs.Costs(fp=1, fn=20))
    assert rs.optimal_points(TABLE, criterion="cost", costs=costs) == wanted


def test_several_curves_have_a_legend() -> None:
    for given, words in (
        ({"a": CURVE, "b": CURVE}, ["a", "b"]),
        ([CURVE, CURVE], ["curve 1", "curve 2"]),
    ):
        ax = plot.plot_roc(given, ax=Figure().subplots())
        said = [text.get_text() for text in ax.get_legend().get_texts()]
        assert [text.partition(" (AUC 0.667, ")[0] for text in said] == words
    assert plot.plot_roc(CURVE, ax=Figure().subplots()).get_legend() is None


def test_groups_may_be_numbers() -> None:
    """Such as of `tabulate_frame(by="site")`; to print their comparison was a TypeError."""
    frame = pd.DataFrame({"y": Y * 2, "s": S * 2, "site": [1] * len(Y) + [2] * len(Y)})
    tables = rs.tabulate_frame(frame, label="y", score="s", by="site")
    found = rs.compare_aucs(tables)
    assert [line.split()[0] for line in str(found).splitlines()[1:3]] == ["1:", "2:"]
    assert "1 minus 2" in str(found)
    labels = plot.plot_comparison(found, ax=Figure().subplots()).get_yticklabels()
    assert [label.get_text() for label in labels] == ["1 − 2"]
    assert "classifier" in rs.roc_hull(tables).to_frame()
    summary = rs.report.summarise({0: TABLE}, data=rs.pair_scores(Y, {0: S}))
    assert summary["scores"][0]["name"] == "0"
    points = {site: rs.point_at(table, 3) for site, table in tables.items()}
    drawn = plot.add_points(points, ax=Figure().subplots())
    assert {text.get_text() for text in drawn.texts} <= {"1", "2"}


def test_a_comparison_is_a_forest() -> None:
    comparison = rs.compare_aucs(DATA)
    ax = plot.plot_forest(comparison, ax=Figure().subplots())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


# --- other names ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("sensitivity", "tpr"),
        ("recall", "tpr"),
        ("f1", "f_score"),
        ("F1_Score", "f_score"),
        ("mcc", "matthews"),
        ("Cohen's kappa", "kappa"),
        ("MaxKappa", "kappa"),
        ("informedness", "youden"),
        ("odds_ratio", "diagnostic_odds_ratio"),
        ("expected_cost", "cost"),
        ("eer", "symmetry"),
    ],
)
def test_other_names_of_criteria_work(theirs: str, ours: str) -> None:
    costs = rs.Costs(fp=1, fn=20) if ours == "cost" else None
    wanted = rs.optimal_points(TABLE, criterion=ours, costs=costs)
    assert rs.optimal_points(TABLE, criterion=theirs, costs=costs) == wanted
    if ours != "cost":
        assert Target(theirs, 0.5).measure == Constraint(theirs, ">=", 0.5).measure == ours


def test_the_least_cost_without_costs_says_what_is_missing() -> None:
    with pytest.warns(UserWarning, match=r"No costs were given.*costs=Costs\(fp=1, fn=10\)"):
        equal = rs.optimal_points(TABLE, criterion="cost")
    assert equal == rs.optimal_points(TABLE, criterion="cost", costs=rs.Costs(fp=1, fn=1))
    assert [point.threshold for point in equal] == [
        point.threshold for point in rs.optimal_points(TABLE, criterion="accuracy")
    ]


def test_every_line_to_write_names_what_is_there() -> None:
    lines = [
        *synonyms.LINES.values(),
        *(each for one in synonyms.IN_ROOM.values() for each in one.values()),
    ]
    named = {path for line in lines for path in re.findall(r"\brs((?:\.\w+)+)", line)}
    assert len(named) > 60
    for path in named - {".__version__"}:
        found: object = rs
        for name in path[1:].split("."):
            found = getattr(found, name)


def test_the_bands_that_resample_are_those_that_are_named() -> None:
    resampled = synonyms.words_meant("bootstrap", get_args(BandMethod))
    text = " ".join(rs.roc_band.__doc__.split())
    listed = ", ".join(f'"{each}"' for each in resampled)
    assert f"that resample cases ({listed})" in text
    options = {each: inspect.signature(band_of(each)).parameters for each in get_args(BandMethod)}
    drawn = {each for each, known in options.items() if "n_boot" in known}
    assert drawn == {*resampled, "jms"}  # which draws from the limit of the curve


def band_of(method: str) -> Callable[..., object]:
    return getattr(rs.bands, f"{method.replace('-', '_')}_band")


def test_other_names_of_measures_work() -> None:
    assert isometric("precision", 0.1, 0.5).slope == isometric("ppv", 0.1, 0.5).slope
    assert select_model(DATA, ("AUROC",)).chosen == select_model(DATA, ("auc",)).chosen
    with pytest.raises(ValueError, match="no measure 'zebra'"):
        isometric("zebra", 0.1, 0.5)


def test_the_scorer_of_scikit_learn_is_understood() -> None:
    assert rs.estimators.scorer("roc_auc").range == (0, 1)


def test_our_names_come_first() -> None:
    for registry in (MEASURES, CRITERIA, SUMMARIES):
        for name, fact in registry.items():
            assert synonyms.understood(name, registry) == name
            for other in fact.synonyms:
                assert synonyms.understood(other, registry) is not None


def test_every_name_of_the_table_exists() -> None:
    for ours in synonyms.TABLE:
        room, *path = ours.split(".")
        if room == "criterion":
            assert path[0] in CRITERIA
            continue
        found = importlib.import_module(f"rocspace.{room}")
        for name in path:
            found = getattr(found, name)


def glossary() -> list[tuple[str, list[str]]]:
    """Each entry that links one of our names: it, and the other names."""
    entries = []
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    for block in re.findall(r"```\{glossary\}\n(.*?)```", text, re.DOTALL):
        for entry in block.strip().split("\n\n"):
            names = [line for line in entry.splitlines() if not line.startswith(" ")]
            role = re.search(r"\n\s+\{\w+\}`~?rocspace\.(\w+)\.(\w+)", entry)
            if role and names[0] == role[2]:
                entries.append((role[2], names[1:]))
    return entries


def test_each_public_name_is_told_its_own_place() -> None:
    rooms = {name: importlib.import_module(f"rocspace.{name}") for name in rs._rooms()}
    places: dict[str, list[str]] = {}
    for room, module in rooms.items():
        for name in getattr(module, "__all__", ()):
            places.setdefault(name, []).append(room)
    assert len(places) > 400
    for name in places.keys() - set(dir(rs)):
        with pytest.raises(AttributeError) as told:
            getattr(rs, name)
        room = str(told.value).rpartition(f": it is {name}, in rs.")[2]
        assert room in places[name], name


def test_the_glossary_and_the_table_have_the_same_names() -> None:
    rooms = [importlib.import_module(f"rocspace.{name}") for name in rs._rooms()]
    public = {name for room in rooms for name in getattr(room, "__all__", ())}
    missing = []
    for ours, names in glossary():
        for other in names:
            word = synonyms.folded(other)
            if ours in MEASURES | SUMMARIES:
                found = synonyms.understood(other, [ours]) == ours
            else:
                found = word in public | {"folds"} or synonyms.place_of(other) is not None
            missing += [] if found else [(ours, other)]
    assert missing == []
    pages = "".join(
        (DOCS / page).read_text(encoding="utf-8") for page in ("glossary.md", "coming_from.md")
    )
    written = synonyms.folded(pages + importlib.import_module("rocspace.measures.criteria").__doc__)
    unwritten = [
        other
        for ours, names in synonyms.TABLE.items()
        if ours.startswith("measures.")
        for other in names.split(", ")
        if synonyms.folded(other) not in written
    ]
    assert unwritten == []


def test_the_statistics_of_the_bootstrap_are_documented():
    """The texts of the one list, and what the command line spells in another way."""
    for function in (rs.bootstrap, compare.bootstrap_difference, compare.permutation_test):
        for name in STATISTICS:
            assert f'"{name}"' in function.__doc__
    told = {
        "tpr@fpr=0.1": "tpr_at(0.1)",
        "fpr@tpr=0.9": "fpr_at(0.9)",
        "area@fpr=0,0.1": "partial_area(fpr=(0, 0.1))",
        "corner@fpr=0.3,tpr=0.8": "two_way_area(max_fpr=0.3, min_tpr=0.8)",
        "ppv@threshold=3": 'rate_at(3, rate="ppv")',
    }
    text = " ".join(rs.bootstrap.__doc__.split())
    for shell, python in told.items():
        assert re.search(rf'"{re.escape(shell)}" (is )?``{re.escape(python)}``', text)
        assert statistic_of(shell).name == eval(f"rs.resampling.{python}").name


def test_help_of_the_package_begins_with_what_to_type():
    first_screen = rs.__doc__.splitlines()[:20]
    said = "\n".join(first_screen)
    for line in ("rs.tabulate(y_true, y_score)", "dir(rs)", "help(rs.delong)", "help(rs.compare)"):
        assert line in said
    rooms = set(re.findall(r"`rocspace\.(\w+)`", rs.__doc__))
    assert rooms <= set(dir(rs))
    assert {"inference", "compare", "operating", "planning", "io", "plot", "estimators"} <= rooms
    with pytest.raises(AttributeError, match=r"tpr, in rs\.measures"):
        rs.sensitivity  # noqa: B018
