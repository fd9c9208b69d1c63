"""The one table of other names: what fields and packages call a thing, and what it is called here.

It answers `rocspace.sensitivity` with the name and its room, makes "recall" and "mcc" work as
names of measures and criteria, and supplies every "did you mean". Names are compared
without case and without punctuation between words: "F1", "f1" and "Cohen's kappa" are understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

# Ours with its room; the names of others, separated by commas. "criterion" is not a room: these
# are names for ``optimal_points(table, criterion=...)``.
TABLE = {
    "measures.tpr": "sensitivity, recall, tp rate, hit rate, true positive rate, "
    "recall score, probability of detection, pod, sens, se, rec, MaxSe",
    "measures.fpr": "1 - specificity, fp rate, false positive rate, fall-out, fall, "
    "false alarm rate, POFD, false accept rate",
    "measures.tnr": "specificity, selectivity, true negative rate, correct rejection rate, spec, "
    "sp, MaxSp",
    "measures.fnr": "miss rate, false negative rate, false reject rate, FRR, miss",
    "measures.informedness": "Peirce skill score, Hanssen-Kuipers discriminant, "
    "true skill statistic, TSS",
    "measures.balanced_accuracy": "balanced accuracy score",
    "measures.g_mean": "geometric mean",
    "measures.index_of_balanced_accuracy": "IBA",
    "measures.closest": "ROC01, closest topleft, topleft, top left",
    "measures.concordance": "MaxProdSpSe, prod_sens_spec",
    "measures.symmetry": "SpEqualSe, abs_d_sens_spec",
    "measures.maximin": "MaxSpSe",
    "measures.lr_positive": "likelihood ratio, positive likelihood ratio, LR+, plr, "
    "DLR.Positive, class likelihood ratios, risk ratio",
    "measures.lr_negative": "negative likelihood ratio, LR-, nlr, DLR.Negative",
    "measures.diagnostic_odds_ratio": "DOR, odds ratio, odds",
    "criterion.odds_ratio_corrected": "MaxDOR",
    "measures.prevalence": "base rate, event rate, prior probability",
    "measures.predicted_positive_rate": "ppr, rpp, rate of positive predictions, alarm rate",
    "measures.accuracy": "fraction correct, accuracy score, acc, MaxEfficiency, efficiency",
    "measures.error_rate": "misclassification rate, err",
    "measures.minimax": "",
    "measures.prevalence_matching": "PrevalenceMatching",
    "measures.ppv": "precision, positive predictive value, success ratio, precision score, prec",
    "measures.npv": "negative predictive value",
    "measures.false_discovery_rate": "FDR, false alarm ratio, pcfall",
    "measures.false_omission_rate": "pcmiss",
    "measures.smoothed_ppv": "Laplace precision, m-estimate",
    "measures.lift": "",
    "measures.f_score": "F1, F1 score, F-measure, Dice, Dice coefficient, f",
    "measures.f_beta": "fbeta score",
    "measures.jaccard": "jaccard index, critical success index, CSI, threat score",
    "measures.markedness": "",
    "measures.predictive_sum": "MaxSumNPVPPV, sum_ppv_npv",
    "measures.predictive_product": "MaxProdNPVPPV, prod_ppv_npv",
    "measures.predictive_maximin": "MaxNPVPPV",
    "measures.predictive_symmetry": "NPVEqualPPV, abs_d_ppv_npv",
    "measures.predictive_closest": "PROC01",
    "measures.matthews": "MCC, Matthews correlation coefficient, matthews corrcoef, phi, "
    "phi coefficient, mat",
    "measures.kappa": "Cohen's kappa, cohens kappa, cohen kappa, cohen kappa score, MaxKappa",
    "measures.weighted_relative_accuracy": "WRAcc",
    "measures.chi_square": "p_chisquared, chisq",
    "measures.chi_square_corrected": "MinPvalue, Yates' correction",
    "measures.gini_gain": "Gini split",
    "measures.mutual_information": "information gain, mi",
    "measures.expected_cost": "detection cost function, DCF",
    "curves.youden": "Youden index, J, Youden's J",
    "criterion.youden": "sum_sens_spec, informedness, best",
    "criterion.tpr": "tp",
    "criterion.tnr": "tn",
    "criterion.cost": "CB, MCT, misclassification cost, total utility, expected cost",
    "criterion.mean_cutoff": "MeanPrev",
    "criterion.mean_score": "oc_mean",
    "criterion.observed_prevalence": "ObservedPrev",
    "criterion.symmetry": "eer, equal error rate",
    "curves.auc_score": "roc auc score, roc auc",
    "curves.auc": "area under the ROC curve, AUROC, c-statistic, concordance index, c index, A, "
    "roc_auc, rocauc, area under ROC",
    "curves.gini": "Gini coefficient, accuracy ratio, Somers' D, somers d",
    "curves.partial_auc": "partial area, pAUC",
    "curves.curve_length": "length of the curve",
    "curves.two_way_partial_auc": "two-way partial area",
    "curves.ks": "Kolmogorov-Smirnov distance, KS statistic",
    "curves.closest_to_perfect": "closest top-left",
    "curves.eer": "equal error rate",
    "curves.roc_curve": "roc, performance",
    "curves.RocCurve": "receiver operating characteristic, relative operating characteristic",
    "curves.pr_curve": "precision recall curve",
    "curves.PrCurve": "PR curve",
    "curves.average_precision": "AP, average precision score",
    "curves.pr_area": "area under the precision-recall curve, AUPRC, AUCPR, pr auc, prauc",
    "curves.break_even": "precision-recall break-even point, PRBE, R-precision",
    "curves.PrgCurve": "precision-recall-gain curve, PRG curve",
    "curves.auprg": "area under the precision-recall-gain curve",
    "curves.GainsCurve": "cumulative gains curve, cumulative accuracy profile, CAP, lift curve",
    "curves.DetCurve": "detection error trade-off",
    "curves.two_cut_roc": "generalised ROC curve, two-sided ROC curve",
    "curves.bedroc": "early recognition, early enrichment",
    "curves.rie": "robust initial enhancement",
    "curves.log_auc": "logAUC",
    "curves.average_metric_distance": "curve distance",
    "curves.curve_distance": "ABROCA, absolute between-ROC area",
    "hull.auch": "area under the convex hull",
    "hull.eer_hull": "ROCCH-EER",
    "hull.RocHull": "convex hull, ROCCH, upper envelope",
    "hull.isometric": "isoline, iso-performance line",
    "hull.SectionRepair": "repair, repaired concavity, model repair",
    "costs.h_measure": "",
    "costs.brier_score": "Brier, brier score loss, mean squared error of probabilities",
    "costs.log_loss": "logarithmic score, cross-entropy, deviance, logloss",
    "costs.cllr": "log likelihood ratio cost",
    "costs.bayes_error_curve": "normalised Bayes error rate, applied probability of error, "
    "APE plot",
    "costs.CostCurve": "normalised expected cost, NEC",
    "costs.Superiority": "relative superiority graph",
    "costs.rate_driven_curve": "Kendall curve, rate-driven cost curve",
    "costs.relative_value": "economic value, relative economic value, cost-loss model, "
    "relative utility",
    "costs.expected_performance": "expected performance curve, EPC, half total error rate, HTER",
    "costs.lc_index": "loss comparison",
    "costs.BrierParts": "reliability, resolution, miscalibration, CORP decomposition",
    "costs.net_benefit_untreated": "net benefit for the untreated, interventions avoided",
    "costs.DecisionCurve": "decision curve analysis, DCA",
    "granular.groc": "granular ROC",
    "granular.scored_auc": "sAUC",
    "granular.margin_curve": "margin",
    "granular.rho": "ρ",
    "granular.prob_auc": "probabilistic AUC, discrimination slope, Yates slope",
    "granular.buffered_auc": "bAUC",
    "granular.GranularRoc": "lambda, λ",
    "counts.evaluate": "confusion matrix at thresholds",
    "counts.ConfusionMatrix": "contingency table, two-by-two table",
    "counts.merge": "pooling, concat, concatenate",
    "counts.reweight": "class skew, prior shift",
    "counts.resample": "bootstrap sample",
    "counts.tabulate": "prediction",
    "stream.Tabulator": "streaming",
    "results.OperatingPoint": "operating point",
    "results.Interval": "confidence interval",
    "operating.Costs": "misclassification costs, utility",
    "operating.Costs.iso_performance_slope": "iso performance slope",
    "operating.Costs.cost_share": "cost share",
    "operating.Costs.probability_cost": "probability cost, probability cost function, PCF",
    "operating.Constraint": "fixed sensitivity, fixed specificity, capacity",
    "operating.optimal_points": "cutpointr, optimal cutpoints, best threshold, optimal threshold",
    "operating.point_at": "coords",
    "operating.threshold_bootstrap": "optimism, out-of-bag, ci coords",
    "measures.CRITERIA": "cut-point criterion, optimality criterion",
    "combine.Mixture": "interpolated classifier, randomised decision, budget",
    "combine.Chain": "cascade, rule list",
    "combine.boolean_search": "Boolean combination, IBC",
    "inference.placements": "placement values, structural components",
    "inference.delong": "DeLong's variance, ci auc, delong roc variance",
    "inference.mann_whitney_u": "Mann-Whitney statistic, Wilcoxon statistic",
    "inference.auc_test": "Mann-Whitney test, Wilcoxon rank-sum test, mannwhitneyu",
    "inference.ks_test": "Kolmogorov-Smirnov test, ks 2samp",
    "inference.point_interval": "ci thresholds",
    "inference.joint_rectangle": "joint confidence region",
    "inference.clustered_auc_estimate": "clusters, Obuchowski",
    "designs.adjusted_roc": "covariate-adjusted ROC curve, AROC",
    "designs.aauc_estimate": "AAUC, covariate-adjusted area",
    "designs.conditional_roc": "covariate-specific ROC curve, ROC regression, induced ROC",
    "designs.posterior": "credible interval",
    "designs.posterior_difference": "probability that one score is better",
    "designs.Posterior": "region of practical equivalence, ROPE",
    "resampling.tpr_at": "ci se",
    "resampling.fpr_at": "ci sp",
    "bands.Band": "confidence band",
    "bands.pr_band": "precision-recall band",
    "bands.ks_band": "dkw band, simultaneous joint confidence regions, SJR, "
    "Dvoretzky-Kiefer-Wolfowitz, DKW",
    "bands.working_hotelling_band": "Working-Hotelling",
    "bands.fixed_width_band": "FWB",
    "bands.vertical_band": "VA band",
    "bands.confidence_segment": "Tango's interval",
    "compare.auc_difference": "DeLong's test, delong test, delong roc test, roc test, "
    "comparison of correlated curves, compare auc",
    "compare.reclassification": "net reclassification improvement, NRI, "
    "integrated discrimination improvement, IDI, improveProb",
    "compare.rank_features": "screening of features, volcano plot",
    "compare.venkatraman_test": "Venkatraman's test, test of equal curves",
    "compare.bootstrap_difference": "permutation test",
    "compare.noninferiority_test": "non-inferiority, noninferiority, equivalence test, "
    "superiority test, TOST, equivalence margin",
    "compare.adjusted_pvalues": "Holm's method, Bonferroni's method, Hochberg's method, "
    "Hommel's method, Benjamini-Hochberg, Benjamini-Yekutieli, multiple testing",
    "compare.published_difference": "Hanley-McNeil method",
    "averaging.fold_tables": "cross-validation",
    "averaging.vertical_average": "vertical averaging",
    "averaging.horizontal_average": "horizontal averaging",
    "averaging.threshold_average": "threshold averaging",
    "averaging.radial_average": "radial sweep",
    "averaging.pooled_table": "pooled curve",
    "averaging.cv_auc_estimate": "cross-validated area, LeDell, cvAUC, ci cvAUC",
    "averaging.nested_cv_auc_estimate": "nested cross-validation, Bates, nestedcv",
    "averaging.repeated_auc_estimate": "corrected resampled t, Nadeau-Bengio, "
    "repeated cross-validation",
    "combine.combine_markers": "combining markers, Su-Liu, best linear combination, min-max",
    "models.fit_roc": "smooth ROC, smooth, parametric ROC",
    "models.fit_binormal": "binormal model",
    "models.fit_rating": "Dorfman-Alf, ordinal regression, rocfit",
    "models.fit_labroc": "LABROC, LABROC4, ROCKIT",
    "models.fit_density_ratio": "exponential tilt",
    "models.fit_kernel": "kernel ROC, density smoothing",
    "models.fit_likelihood_ratio": "optimal ROC",
    "models.auxiliary_weights": "empirical likelihood weights",
    "models.fit_local": "local smoothing, Harrell-Davis quantile",
    "models.fit_log_concave": "logcondens, log-concave density",
    "models.fit_family": "fitdistr",
    "models.signal_indices": "d_a, d_e, delta_m, A_z, Az",
    "models.point_indices": "d prime, dprime, sensitivity index",
    "models.fit_summary_roc": "summary ROC, SROC, HSROC, Moses-Littenberg, Reitsma, "
    "bivariate model, meta-analysis",
    "models.pooled_odds_ratio": "DerSimonian-Laird, pooled DOR, I2, heterogeneity, Cochran's Q",
    "multiclass.hand_till": "Hand-Till, multiclass roc, multiclass AUC, ovo, one versus one",
    "multiclass.mu_auc": "Kleiman-Page",
    "multiclass.one_vs_rest": "ovr, one versus rest, Provost-Domingos, macro average, "
    "micro average",
    "multiclass.pairwise_areas": "",
    "multiclass.hum": "hypervolume under the manifold, hypervolume, mcca, unordered volume",
    "multiclass.pdi": "polytomous discrimination index",
    "multiclass.best_cuts": "three-class Youden index, optimal pair of cut-offs",
    "multiclass.fit_trinormal": "trinROC, trinormal ROC surface, boxcoxROC",
    "multiclass.trinormal_difference": "trinVUS.test",
    "multiclass.trinormal_test": "trinROC.test",
    "multiclass.roc_surface": "true class fractions, TCF",
    "multiclass.vus": "volume under the surface, ROC surface, three-way ROC, emp.vus, VUROCS",
    "planning.Plan": "power",
    "planning.plan_area": "sample size, power roc test",
    "planning.detectable_area": "minimal detectable difference",
    "simulate.Population": "",
    "select.select_model": "model selection",
    "select.parameter_roc": "parameter tuning",
    "select.compare_measures": "discriminancy, consistency",
    "calibrate.fit_isotonic": "isotonic regression, isotonic, PAV, PAVA, pool adjacent violators",
    "calibrate.calibration_curve": "calibration curve, reliability diagram, calibration plot",
    "calibrate.fit_platt": "Platt, Platt scaling, sigmoid calibration",
    "calibrate.fit_binning": "histogram binning, quantile binning",
    "calibrate.fit_tree_scores": "probability estimation tree, PET, curtailment",
    "calibrate.MetaCost": "relabelling",
    "calibrate.calibration_estimates": "calibration slope, calibration intercept, "
    "calibration-in-the-large, Cox test, Cox recalibration, weak calibration, "
    "logistic recalibration",
    "designs.survival_scores": "survival, survival analysis, follow-up, right censoring, "
    "censored case",
    "designs.auc_over_time": "AUC(t), time-dependent ROC curve, timeROC, survival ROC, "
    "cumulative/dynamic area, competing event, competing risk",
    "designs.incident_auc_over_time": "incident/dynamic area",
    "designs.survival_table": "inverse probability of censoring weights, IPCW",
    "designs.concordance_estimate": "C index, cindex, Uno's C, Harrell's C",
    "designs.verified_auc_estimate": "verification bias, partial verification, work-up bias, "
    "inverse probability weighting, IPW, doubly robust",
    "designs.label_noise": "noisy labels, mislabelling",
    "designs.positive_unlabelled": "PU learning, positive and unlabelled cases",
    "designs.powered_auc_estimate": "prediction-powered inference, PPI",
    "plot.plot_roc": "plot roc curve, ggroc",
    "estimators.RocDisplay": "RocCurveDisplay",
    "estimators.PrDisplay": "PrecisionRecallDisplay",
    "estimators.DetDisplay": "DetCurveDisplay",
    "estimators.ThresholdClassifier": "TunedThresholdClassifierCV",
    "estimators.IsotonicCalibrator": "CalibratedClassifierCV",
}

# A name that asks for more than a name is answered with the line to write.
_AT_K = (
    'rs.optimal_points(table, criterion="tpr", subject_to='
    'rs.operating.Constraint("selected", "<=", k))[0], and of that point rs.measures.ppv(point)'
)
_BRIER = "rs.costs.brier_parts(table): miscalibration, discrimination and uncertainty"
_OF_DATA_SETS = (
    "scipy.stats.rankdata(-areas, axis=1).mean(0), the average rank of each model, and "
    "scipy.stats.friedmanchisquare(*areas.T): areas has a row for each data set and a column for "
    "each model, each rs.auc_score(y_true, y_score). Of the same cases say rs.compare_aucs(data)"
)
_REPEATED = (
    "rs.averaging.corrected_estimate(differences, n_train=90, n_test=10), the corrected resampled "
    "t of one difference for each fold"
)
_TWO_TESTS = (
    'rs.compare.bootstrap_difference(data, "a", "b", rs.resampling.rate_at(0.5)), of the true '
    'positive rates at a threshold; rate="fpr" in rate_at for false positive rates'
)
_READER = (
    'rs.compare_aucs(rs.pair_scores(y_true, {"a": a, "b": b})) for each reader: nothing here takes '
    "readers for a sample of readers"
)
_NNE = (
    'rs.designs.auc_over_time(rs.designs.survival_scores(time, status, {"a": a}), at=365), the '
    "same area by weights; nothing here estimates it by nearest neighbours"
)
_IN_CLUSTERS = (
    'rs.bootstrap(rs.pair_scores(y_true, {"a": a}, cluster=patient), "auc"), which draws clusters'
)
LINES = {
    "delong_test": 'rs.auc_difference(data, "a", "b").test()',
    "roc_test": 'rs.auc_difference(data, "a", "b").test()',
    "compare_auc": 'rs.auc_difference(data, "a", "b")',
    "roc": "rs.roc_curve(rs.tabulate(y_true, y_score))",
    "ci_auc": "rs.delong(rs.tabulate(y_true, y_score)).interval()",
    "ci_se": "rs.bootstrap(table, rs.resampling.tpr_at(0.1)), or rs.rate_interval of one rate",
    "coords": "rs.optimal_points(table), or rs.point_at(table, threshold)",
    "make_scorer": 'rs.estimators.scorer("auc")',
    "get_scorer": 'rs.estimators.scorer("auc")',
    "scoring": 'scoring=rs.estimators.scorer("auc")',
    "roc_auc_score": "rs.auc_score(y_true, y_score)",
    "precision_recall_curve": "rs.pr_curve(rs.tabulate(y_true, y_score))",
    "sample_size": "rs.planning.plan_area(0.8).for_power(0.9)",
    "likelihood_ratio": "rs.measures.lr_positive(point), or lr_negative",
    "class_likelihood_ratios": "rs.measures.lr_positive(point), or lr_negative",
    "areaunderroc": "rs.auc(table)",
    "binaryclassificationevaluator": 'rs.auc(rs.tabulate_frame(df, label="y", score="s"))',
    "spark": 'rs.tabulate_frame(df, label="y", score="s")',
    "read_csv": 'rs.io.tabulate_file(path, label="y").tables["s"]',
    "read_parquet": 'rs.io.tabulate_file(path, label="y").tables["s"]',
    "load_dataset": 'rs.datasets.load("adult_scores"); rs.datasets.names() lists them',
    **dict.fromkeys(
        ("ci", "auc_ci", "roc_auc_ci", "auc_confidence_interval", "confidence_interval"),
        "rs.delong(table).interval()",
    ),
    "bootstrap_auc": 'rs.bootstrap(table, "auc")',
    "bootstrap_roc": 'rs.bootstrap(table, "auc"), or rs.roc_band(table) of the whole curve',
    "power": "rs.planning.plan_area(0.8).for_power(0.9)",
    "version": "rs.__version__",
    **dict.fromkeys(
        ("tpr_at_fpr", "sensitivity_at_specificity", "recall_at_fpr"),
        "rs.roc_curve(table).tpr_at(0.1)",
    ),
    **dict.fromkeys(
        ("fpr_at_tpr", "specificity_at_sensitivity"), "rs.roc_curve(table).fpr_at(0.9)"
    ),
    **dict.fromkeys(
        (
            *("cross_val_auc", "cross_val_score", "cross_validate", "cv_auc", "cv_auc_score"),
            *("cv_interval", "cv_ci", "cv_auc_ci", "ci_cv_auc"),
        ),
        "rs.cv_auc_estimate(tables), where tables are rs.fold_tables(y_true, y_score, fold), or "
        "rs.averaging.cv_tables(cv_results, X, y) of scikit-learn's cross_validate",
    ),
    "lift_curve": "rs.curves.gains_curve(table), whose .lift it is",
    **dict.fromkeys(
        ("gain_chart", "cumulative_gain", "cumulative_gain_curve", "cumulative_gains"),
        "rs.curves.gains_curve(table)",
    ),
    "plot_cumulative_gain": "rs.plot.plot_gains(rs.curves.gains_curve(table))",
    "plot_lift_curve": "rs.plot.plot_lift(rs.curves.gains_curve(table))",
    **dict.fromkeys(("kolmogorov_smirnov", "plot_ks_statistic"), "rs.ks(table)"),
    "equal_error_rate": 'rs.eer(table), and rs.optimal_points(table, criterion="symmetry")[0] for '
    "its threshold",
    "lroc": "rs.auc(table), and rs.plot.plot_roc(rs.roc_curve(table))",
    **dict.fromkeys(
        ("write_report", "make_report", "save_report", "html_report"),
        'rs.report.write_html(rs.report.summarise({"score": table}), path)',
    ),
    "hosmer_lemeshow": "rs.calibrate.calibration_estimates(table), whose tests do not depend on "
    "groups",
    "find_threshold": "rs.optimal_points(table)[0].threshold",
    "net_reclassification": "rs.compare.reclassification(data)",
    "rate_driven": "rs.costs.rate_driven_curve(table)",
    "var": "rs.delong(table).se ** 2",
    "cov": 'rs.compare_aucs(rs.pair_scores(y_true, {"a": a, "b": b})).covariance',
    **dict.fromkeys(
        ("classification_report", "confusionmatrixdisplay", "multilabel_confusion_matrix"),
        "rs.confusion_matrix(y_true, y_pred), whose print has the rates",
    ),
    **dict.fromkeys(
        ("threshold", "cutoff", "cut_off", "cutpoint", "cut_point", "optimal_cutpoint"),
        "rs.optimal_points(table)[0].threshold",
    ),
    **dict.fromkeys(
        ("threshold_at_sensitivity", "threshold_at_tpr", "threshold_at_recall"),
        "rs.point_at_tpr(table, 0.95).threshold",
    ),
    **dict.fromkeys(
        ("threshold_at_specificity", "threshold_at_fpr"),
        "rs.point_at_fpr(table, 0.1).threshold, for a specificity of 0.9",
    ),
    **dict.fromkeys(
        ("subgroup", "subgroups", "by_group", "groupby", "stratified"),
        'rs.compare_aucs(rs.tabulate_frame(df, label="y", score="s", by="sex"))',
    ),
    **dict.fromkeys(
        ("ece", "expected_calibration_error", "calibration_error"),
        'rs.costs.brier_parts(table, method="bins").miscalibration, or '
        "rs.calibrate.calibration_estimates(table)",
    ),
    **dict.fromkeys(
        ("forest", "forest_plot"),
        'rs.plot.plot_forest({"a": rs.delong(a), "b": rs.delong(b)}), of tables a and b',
    ),
    **dict.fromkeys(
        ("save", "to_pickle", "dump"),
        'rs.stream.save_states(path, {"a": tabulator}) of an rs.Tabulator; any result may be '
        "pickled",
    ),
    **dict.fromkeys(
        ("point_at_specificity", "tpr_at_specificity", "at_specificity"),
        "rs.point_at_fpr(table, 0.1), for a specificity of 0.9",
    ),
    **dict.fromkeys(
        ("point_at_sensitivity", "point_at_recall", "at_sensitivity"), "rs.point_at_tpr(table, 0.9)"
    ),
    **dict.fromkeys(
        (
            "survival_auc",
            "time_dependent_auc",
            "auc_at_time",
            "survivalroc",
            "cumulative_dynamic_auc",
        ),
        'rs.designs.auc_over_time(rs.designs.survival_scores(time, status, {"a": a}), at=365)',
    ),
    **dict.fromkeys(
        ("verification_auc", "verified_auc", "partial_verification_auc", "rocbc"),
        'rs.designs.verified_auc_estimate(rs.designs.verified_scores(y_true, {"a": a})), where a '
        "label is missing if the truth is not known",
    ),
    **dict.fromkeys(
        ("covariate_auc", "adjusted_auc", "covariate_adjusted_auc", "covariate_data"),
        'rs.designs.aauc_estimate(rs.designs.covariate_scores(y_true, {"a": a}, {"age": age}))',
    ),
    **dict.fromkeys(
        ("plot_dca", "plot_decision_curve", "plot_net_benefit", "dca_plot"),
        "rs.plot.plot_decision(rs.costs.decision_curve(table))",
    ),
    **dict.fromkeys(
        ("dca", "stdca", "dcurves", "rmda", "decision_curve_analysis"),
        "rs.costs.decision_curve(table), and rs.plot.plot_decision of it",
    ),
    **dict.fromkeys(
        ("net_intervention", "net_intervention_avoided", "avoided_interventions"),
        "rs.costs.net_benefit_untreated(table, 0.2)",
    ),
    **dict.fromkeys(
        ("val_prob", "val_prob_ci_2", "calibration", "hoslem_test", "hl_test", "hosmer"),
        "rs.calibrate.calibration_estimates(table), whose slope and intercept do not depend on "
        "groups, and rs.plot.plot_calibration(rs.calibrate.calibration_curve(table))",
    ),
    **dict.fromkeys(
        ("epi_tests", "diagnostic_test", "diagt", "bdtest", "two_by_two", "sens_spec", "epir"),
        "rs.report.stard_table(rs.ConfusionMatrix(tp=40, fp=10, fn=5, tn=90)), or of "
        "rs.point_at(table, 0.5); it has all rates with intervals",
    ),
    **dict.fromkeys(
        ("epi_ssdxsesp", "power_prop", "sensitivity_sample_size"),
        "rs.planning.plan_rate(0.9).for_width(0.05)",
    ),
    **dict.fromkeys(
        ("mada", "madad", "metandi", "midas", "bivariate"),
        "rs.models.fit_summary_roc(tp, fp, fn, tn), one entry for each study",
    ),
    **dict.fromkeys(
        ("rocnreg", "aroc_sp", "aroc_bnp", "aroc_kernel"),
        'rs.designs.adjusted_roc(rs.designs.covariate_scores(y_true, {"a": a}, {"age": age}))',
    ),
    **dict.fromkeys(
        ("croc", "croc_sp", "croc_bnp", "croc_kernel"),
        'rs.designs.conditional_roc(rs.designs.covariate_scores(y_true, {"a": a}, {"age": age}), '
        '{"age": 50})',
    ),
    **dict.fromkeys(
        ("risksetroc", "risksetauc"),
        "rs.designs.incident_auc_over_time(rs.designs.survival_scores(time, status, "
        '{"a": a}), at=365, bandwidth=60)',
    ),
    "sespppvnpv": "rs.designs.rates_at_time(rs.designs.survival_scores(time, status, "
    '{"a": a}), at=365, threshold=3)',
    **dict.fromkeys(
        ("survauc", "tdroc"),
        'rs.designs.auc_over_time(rs.designs.survival_scores(time, status, {"a": a}), at=365)',
    ),
    **dict.fromkeys(
        ("clusteredroc", "clustered_auc", "clusterroc"),
        'rs.inference.clustered_auc_estimate(rs.pair_scores(y_true, {"a": a}, cluster=patient))',
    ),
    **dict.fromkeys(
        ("nricens", "nri_idi", "predictabel"), "rs.compare.reclassification(data, cuts=[0.1, 0.3])"
    ),
    **dict.fromkeys(
        ("p_adjust", "adjust_pvalues", "multipletests"),
        'rs.compare.adjusted_pvalues(pvalues, method="holm")',
    ),
    **dict.fromkeys(
        ("plot_ci", "ci_band"), "rs.plot.plot_band(rs.roc_band(table)), with all its curve"
    ),
    "roc_ci": "rs.roc_band(table) of the curve, or rs.delong(table).interval() of its area",
    **dict.fromkeys(
        ("add_roc", "lines_roc", "plotroc", "geom_roc", "plot_roc_curves"),
        'rs.plot.plot_roc({"a": rs.roc_curve(a), "b": rs.roc_curve(b)}), of tables a and b',
    ),
    **dict.fromkeys(
        ("cutpoints", "thresholdroc"),
        "rs.optimal_points(table), and rs.operating.threshold_bootstrap(table) for an interval",
    ),
    **dict.fromkeys(("auc_p_value", "auc_pvalue", "wilcox_test"), "rs.auc_test(table).pvalue"),
    **dict.fromkeys(
        ("pauc_ci", "partial_auc_ci"),
        "rs.inference.partial_auc_estimate(table, fpr=(0, 0.1)).interval()",
    ),
    "youden_ci": "rs.inference.youden_interval(table)",
    **dict.fromkeys(
        ("sensitivity_ci", "specificity_ci", "ppv_ci", "npv_ci"),
        'rs.point_interval(rs.point_at(table, 0.5), "tpr"), or "tnr", "ppv", "npv"',
    ),
    **dict.fromkeys(
        ("binom_test", "prop_test", "binconf", "wilson", "clopper_pearson"),
        "rs.rate_interval(18, 20), of 18 cases among 20",
    ),
    **dict.fromkeys(
        ("dlr", "likelihood_ratios", "likelihood_ratio_ci"),
        "rs.inference.likelihood_ratio_interval(rs.point_at(table, 0.5))",
    ),
    **dict.fromkeys(
        ("fagan", "nomogrammer", "post_test_probability", "pretest_probability"),
        "rs.inference.predictive_value_interval(rs.point_at(table, 0.5), prevalence=0.1)",
    ),
    **dict.fromkeys(
        ("latex_table", "markdown_table", "table_one", "paper_table"),
        "rs.report.to_latex(rs.compare_aucs(data)), or to_markdown; of one score, "
        'rs.report.to_latex({"name": table})',
    ),
    **dict.fromkeys(
        ("plot_precision_recall", "plot_pr_curve", "plot_precision_recall_curve"),
        "rs.plot.plot_pr(rs.pr_curve(table))",
    ),
    **dict.fromkeys(("roc_plot", "plot_auc"), "rs.plot.plot_roc(rs.roc_curve(table))"),
    **dict.fromkeys(
        ("plan_noninferiority", "noninferiority_power", "plan_equivalence"),
        "rs.planning.plan_difference(0.8, 0.8, null_difference=-0.05).for_power(0.8, "
        "alternative='greater')",
    ),
    **dict.fromkeys(
        ("mrmc", "multireader", "obuchowski_rockette", "dbm_mrmc", "rjafroc", "imrmc", "readers"),
        "rs.compare_aucs(rs.pair_scores(y_true, scores)) for each reader: nothing here takes "
        "readers for a sample of readers",
    ),
    "mann_whitney": "rs.auc_test(table)",
    **dict.fromkeys(
        ("c_index", "cindex", "concordance_index", "harrell_c", "uno_c"),
        "rs.auc(table); of times to events "
        'rs.designs.concordance_estimate(rs.designs.survival_scores(time, status, {"a": a}))',
    ),
    **dict.fromkeys(
        ("froc", "afroc", "jafroc", "lroc_marks"),
        "rs.roc_curve(table) of one score for each case: nothing here takes marks in images",
    ),
    "read_excel": 'rs.tabulate_frame(pandas.read_excel(path), label="y", score="s")',
    **dict.fromkeys(
        ("load_csv", "from_csv", "tabulate_csv"), 'rs.io.tabulate_file(path, label="y").tables["s"]'
    ),
    **dict.fromkeys(
        ("savefig", "save_figure", "save_plot"),
        "ax.figure.savefig(path) of the axes that each plot returns",
    ),
    **dict.fromkeys(
        (
            *("plot_reliability", "plot_reliability_diagram", "plot_calibration_curve"),
            *("reliability_curve", "reliability_plot"),
        ),
        "rs.plot.plot_calibration(rs.calibrate.calibration_curve(table))",
    ),
    **dict.fromkeys(
        ("plot_multiclass", "plot_multiclass_roc", "plot_ovr", "plot_one_versus_rest"),
        "rs.plot.plot_one_vs_rest(rs.multiclass.multiclass_scores(y_true, scores))",
    ),
    **dict.fromkeys(
        ("plot_survival", "plot_auc_over_time", "plot_time_dependent_auc", "plotauccurve"),
        "rs.plot.plot_over_time(rs.designs.auc_over_time(data, at=[365, 730]))",
    ),
    **dict.fromkeys(
        ("compare_auc_over_time", "survival_difference", "auc_over_time_test"),
        'rs.designs.auc_over_time_difference(data, [365, 730], "a", "b")',
    ),
    **dict.fromkeys(
        ("plot_histogram", "plot_hist", "plot_density", "plot_distribution", "plot_distributions"),
        "rs.plot.plot_scores(table)",
    ),
    **dict.fromkeys(
        ("plot_subgroups", "plot_groups"),
        'rs.plot.plot_forest({"men": rs.delong(men), "women": rs.delong(women)}), of tables men '
        "and women",
    ),
    **dict.fromkeys(
        ("plot_confidence_band", "plot_roc_band", "plot_roc_ci"),
        "rs.plot.plot_band(rs.roc_band(table))",
    ),
    **dict.fromkeys(
        ("plot_difference", "plot_differences", "plot_compare"),
        "rs.plot.plot_comparison(rs.compare_aucs(data))",
    ),
    **dict.fromkeys(
        ("plot_cost", "plot_costs"), "rs.plot.plot_cost_curve(rs.costs.cost_curve(table))"
    ),
    **dict.fromkeys(
        ("plot_threshold", "plot_thresholds", "plot_youden"),
        "rs.plot.add_thresholds(rs.roc_curve(table), [0.2, 0.5]), after plot_roc",
    ),
    **dict.fromkeys(
        ("plot_confusion_matrix", "plot_cm"), "rs.plot.plot_confusion(rs.point_at(table, 0.5))"
    ),
    **dict.fromkeys(
        ("plot_smooth", "plot_roc_smooth", "plot_smooth_roc"),
        "rs.plot.plot_roc(rs.models.fit_binormal(table))",
    ),
    **dict.fromkeys(
        ("plot_folds", "plot_cv", "plot_mean_roc"),
        "rs.plot.plot_average(rs.averaging.vertical_average(tables), each=True), where tables are "
        "rs.fold_tables(y_true, y_score, fold)",
    ),
    **dict.fromkeys(
        ("mean_roc", "mean_curve", "average_roc", "mean_roc_curve"),
        "rs.averaging.vertical_average(tables), where tables are "
        "rs.fold_tables(y_true, y_score, fold)",
    ),
    **dict.fromkeys(
        ("plan_auc", "power_auc", "n_required"), "rs.planning.plan_area(0.8).for_power(0.9)"
    ),
    **dict.fromkeys(
        ("plan_two_aucs", "plan_comparison", "power_comparison"),
        "rs.planning.plan_difference(0.85, 0.8, correlation=0.5).for_power(0.8)",
    ),
    **dict.fromkeys(
        ("plan_sensitivity", "plan_specificity"), "rs.planning.plan_rate(0.9).for_width(0.05)"
    ),
    **dict.fromkeys(("plan_interval", "plan_width"), "rs.planning.plan_area(0.8).for_width(0.1)"),
    **dict.fromkeys(
        ("holm", "bonferroni", "hochberg"), 'rs.compare.adjusted_pvalues(pvalues, method="holm")'
    ),
    **dict.fromkeys(
        ("compare_partial_auc", "partial_auc_test", "partial_auc_difference"),
        "rs.compare_aucs(data, fpr=(0, 0.1))",
    ),
    **dict.fromkeys(("bca", "percentile"), 'rs.bootstrap(table, "auc").interval(method="bca")'),
    **dict.fromkeys(("cluster_bootstrap", "clustered_bootstrap"), _IN_CLUSTERS),
    **dict.fromkeys(
        ("threshold_ci", "cutpoint_ci", "cutoff_ci"),
        "rs.operating.threshold_bootstrap(table), with an interval of the threshold",
    ),
    **dict.fromkeys(
        ("select_features", "feature_selection", "rank_columns"),
        'rs.compare.rank_features(df, "y")',
    ),
    **dict.fromkeys(("best_model", "rank_models"), "rs.select.select_model(data)"),
    **dict.fromkeys(("brier_decomposition", "brier_skill_score", "brier_skill"), _BRIER),
    **dict.fromkeys(
        ("to_word", "to_docx"),
        'rs.report.to_html({"name": table}), a table that word processors take',
    ),
    **dict.fromkeys(
        ("delong_ci", "logit_ci"), 'rs.delong(table).interval(), or scale="logit" in it'
    ),
    "report": 'rs.report.render_html(rs.report.summarise({"score": table}))',
    "calibrate": "rs.calibrate.fit_isotonic(table), fit_platt or fit_binning",
    "compare": 'rs.auc_difference({"a": a, "b": b}) of other cases; of the same cases, '
    "rs.compare_aucs(rs.pair_scores(y_true, scores))",
    "list": "rs.datasets.names()",
    "load_adult": 'rs.datasets.load("adult_scores")',
    "load_asah": "rs.datasets.names(): no data of GPL packages are bundled",
    "are_paired": "rs.pair_scores(y_true, {...}): scores of the same cases are one object, and "
    "tables are independent",
    **dict.fromkeys(
        ("mcnemar", "mcnemar_test", "mcnemar_exact", "mcnemar_midp"),
        "rs.bands.tango_interval(b, c, n), of n cases of one class of which b are right by the "
        "first test only and c by the second: 0 is outside where McNemar's test rejects",
    ),
    **dict.fromkeys(
        (
            *("average_rank", "average_ranks", "mean_rank", "mean_ranks", "friedman", "nemenyi"),
            *("friedman_test", "nemenyi_test", "critical_difference", "cd_diagram", "autorank"),
            *("plot_critical_difference", "critical_difference_diagram", "several_data_sets"),
        ),
        _OF_DATA_SETS,
    ),
    **dict.fromkeys(
        ("wilcoxon", "signed_rank", "wilcoxon_signed_rank"),
        "rs.auc_test(table) of the scores of two classes (the rank-sum test); of the areas of two "
        "models on several data sets scipy.stats.wilcoxon(a, b)",
    ),
    **dict.fromkeys(
        (
            *("corrected_t_test", "corrected_resampled_t_test", "corrected_ttest", "five_by_two"),
            *("combined_5x2cv", "cv_t_test", "paired_ttest_5x2cv", "5x2cv"),
        ),
        _REPEATED,
    ),
    **dict.fromkeys(
        ("bayesian_comparison", "baycomp", "probability_better"),
        'rs.designs.posterior_difference(data, "a", "b")',
    ),
    **dict.fromkeys(
        ("precision_gain", "recall_gain", "pr_gain", "prg", "create_prg_curve"),
        "rs.curves.prg_curve(table), with .precision_gain, .recall_gain and .area",
    ),
    **dict.fromkeys(("calc_auprg",), "rs.curves.auprg(table)"),
    **dict.fromkeys(
        ("plot_brier", "plot_brier_curve"),
        "matplotlib.pyplot.plot(x, rs.costs.brier_curve(table).loss_at(x)), where x are shares of "
        "cost from 0 to 1; rs.plot.plot_cost_curve(rs.costs.cost_curve(table)) is of the best "
        "thresholds",
    ),
    **dict.fromkeys(("nnd", "number_needed_to_diagnose"), "1 / rs.measures.informedness(point)"),
    **dict.fromkeys(
        ("epi_prev", "rogan_gladen", "true_prevalence", "true_prev"),
        "(positive_share + tnr - 1) / (tpr + tnr - 1), Rogan and Gladen's; its error is not given "
        "here. Rates where labels are wrong are rs.designs.denoised_rates",
    ),
    "epi_kappa": "rs.measures.kappa(rs.ConfusionMatrix(tp=40, fp=10, fn=5, tn=90))",
    "prevalence_interval": "rs.rate_interval(table.n_pos, table.n_pos + table.n_neg)",
    **dict.fromkeys(
        ("mrmcaov", "single_reader", "or_dbm_mrmc", "mrmc_ss", "srmc", "stmc"), _READER
    ),
    **dict.fromkeys(
        ("unbiased", "jackknife"), "rs.delong(table), the unbiased variance of an area"
    ),
    **dict.fromkeys(
        ("binormal_auc", "binormallr_auc"), "rs.models.fit_binormal(table).auc, or fit_proper"
    ),
    **dict.fromkeys(
        ("trapezoidal_auc", "empirical_auc", "trapz", "auc_trapezoid"), "rs.auc(table)"
    ),
    **dict.fromkeys(
        ("begg_greenes", "bg_estimator", "begg_and_greenes"),
        "rs.designs.verified_rates(data, threshold=0.5), where data = "
        "rs.designs.verified_scores(y_true, y_score), with a missing label if the truth is not "
        "known",
    ),
    **dict.fromkeys(
        ("latent_class", "hui_walter", "no_gold_standard", "imperfect_reference"),
        "rs.designs.label_noise, rs.designs.flip_noise or rs.designs.audited_noise, for how wrong "
        "the labels are: nothing here estimates it from the tests alone",
    ),
    **dict.fromkeys(
        (
            *("dtcomp", "dtcompair", "sesp_mcnemar", "paired_tests", "compare_sensitivity"),
            *("compare_specificity", "tpr_difference", "fpr_difference", "rate_difference"),
            *("sensitivity_difference", "specificity_difference", "sensitivity_test"),
        ),
        _TWO_TESTS,
    ),
    **dict.fromkeys(
        ("pooledroc", "pooledroc_emp", "pooled_roc"),
        "rs.roc_curve(table), and rs.delong(table) of its area",
    ),
    **dict.fromkeys(
        ("pooledroc_bb", "pooledroc_dpm"),
        "rs.designs.posterior(table), or rs.resampling.bayesian_bootstrap(table)",
    ),
    **dict.fromkeys(
        (
            *("compute_threshold_aroc", "compute_threshold_croc", "compute_threshold_fpf_croc"),
            *("compute_threshold_fpf_aroc", "covariate_threshold", "compute_threshold_yi_aroc"),
            *("compute_threshold_yi_croc",),
        ),
        'rs.designs.covariate_thresholds(data, {"age": [40, 60]}, fpr=0.1): by a false positive '
        "rate, not by Youden's index",
    ),
    **dict.fromkeys(
        ("compute_threshold_pooledroc", "compute_threshold_yi_pooledroc"),
        "rs.optimal_points(table)[0].threshold",
    ),
    **dict.fromkeys(("survivalroc_c", "nne", "nearest_neighbours"), _NNE),
    **dict.fromkeys(
        ("epi", "epi_tests_summary"),
        "rs.report.stard_table(rs.ConfusionMatrix(tp=40, fp=10, fn=5, tn=90)) for epi.tests",
    ),
    "optimal": "rs.optimal_points(table) for optimal.cutpoints",
    "nomogram": "rs.inference.predictive_value_interval(rs.point_at(table, 0.5), prevalence=0.1)",
    **dict.fromkeys(
        ("asah", "data", "dataset", "load_data"),
        'rs.datasets.load("adult_scores"); rs.datasets.names() lists them',
    ),
    **dict.fromkeys(("hamming_loss", "zero_one_loss"), "rs.measures.error_rate(point)"),
    "jaccard_score": "rs.measures.jaccard(point)",
    "part": "rs.partial_auc(table, fpr=(0, 0.1))",
    "html": 'rs.report.write_html(rs.report.summarise({"score": table}), path)',
    "to_csv": ".to_frame().to_csv(path) of a result, such as rs.roc_curve(table)",
    "show": "matplotlib.pyplot.show(), after rs.plot.plot_roc(rs.roc_curve(table))",
    "covariate_roc": "rs.designs.adjusted_roc(data), or conditional_roc(data, at) at one age",
    "imperfect": "rs.designs.denoised_auc_estimate(table, rs.designs.flip_noise(table, neg=0.1))",
    "n_cases": "rs.planning.plan_area(0.8).for_power(0.9)",
    "temperature": "rs.calibrate.fit_platt(table), which has a slope and an intercept",
    "multi_cutpointr": "{name: rs.optimal_points(data.table(name)) for name in data.names}",
    "precrec": "rs.roc_curve(table) and rs.pr_curve(table) of rs.tabulate(y_true, y_score)",
    "evalmod": "rs.roc_curve(table) and rs.pr_curve(table) of rs.tabulate(y_true, y_score)",
    "precision_at_k": _AT_K,
    "recall_at_k": _AT_K,
    "top_k": _AT_K,
    "topk": _AT_K,
    "optimal_point": "rs.optimal_points(table)[0]",
    "maximize_metric": "rs.optimal_points(table)",
    **dict.fromkeys(
        ("maximize_spline_metric", "maximize_loess_metric", "smoothed_cut", "smooth_cut"),
        "rs.optimal_points(table, smooth=5), with so many degrees of freedom",
    ),
    "maximize_gam_metric": "rs.optimal_points(table), for a gam of cumulative shares hardly "
    "smooths; to smooth say smooth=5",
    "sklearn": "rs.estimators, the room for scikit-learn",
    **dict.fromkeys(
        ("scikit_learn", "model_selection"), "rs.estimators, the room for scikit-learn"
    ),
    "fixedthresholdclassifier": "sklearn.model_selection.FixedThresholdClassifier(model, "
    "threshold=0.15) for a threshold that you know; rs.estimators.ThresholdClassifier(model) "
    "chooses one",
    **dict.fromkeys(
        ("choose_threshold", "choose", "best_cutoff", "optimal_cutoff", "tune_threshold"),
        "rs.optimal_points(table)[0].threshold, or with costs "
        "rs.optimal_points(table, costs=dict(fp=1, fn=10))[0]",
    ),
    "average_precision_estimate": "rs.curves.pr_area_estimate(table), or rs.bootstrap(table, "
    '"average_precision")',
    "metrics": "rs.measures, or a function of rs, such as rs.auc_score(y_true, y_score)",
    "pandas": 'rs.tabulate_frame(df, label="y", score="s")',
    "polars": 'rs.tabulate_frame(df, label="y", score="s")',
    "from_spark": 'rs.tabulate_frame(df, label="y", score="s")',
    "from_pandas": 'rs.tabulate_frame(df, label="y", score="s")',
    "plot": "rs.plot.plot_roc(rs.roc_curve(table))",
    "hull": "rs.roc_hull({'a': rs.roc_curve(a), 'b': rs.roc_curve(b)})",
    "bands": "rs.roc_band(table)",
    "costs": "rs.costs.cost_curve(table), or rs.Costs(fp=1, fn=10) of errors",
    "averaging": "rs.vertical_average(tables)",
    "select": "rs.select.select_model(data)",
    "measures": "rs.measures.tpr(rs.point_at(table, 0.5)), or another of rs.MEASURES",
    **dict.fromkeys(
        ("fit", "fit_curve", "kernel", "proproc", "metz", "rockit", "binormal_fit"),
        'rs.models.fit_roc(table, model="binormal"), or "labroc", "proper", "kernel"; '
        "rs.models.compare_models(table) tells which to take",
    ),
    **dict.fromkeys(
        ("at_threshold", "evaluate_threshold", "metrics_at", "rates", "oc_manual"),
        "rs.point_at(table, 0.5), whose .tpr, .fpr and counts it has",
    ),
    "operating_point": "rs.point_at(table, 0.5), or rs.optimal_points(table)[0]",
    "threshold_table": "rs.roc_curve(table).to_frame()",
    **dict.fromkeys(
        ("count", "count_frame", "from_frame", "from_dataframe", "table_from_frame", "tab"),
        'rs.tabulate(y_true, y_score), or of a data frame rs.tabulate_frame(df, label="y", '
        'score="s")',
    ),
    **dict.fromkeys(
        ("read", "read_file", "load_file", "count_file"),
        'rs.io.tabulate_file(path, label="y").tables["s"]',
    ),
    **dict.fromkeys(("h", "hmeasure"), "rs.costs.h_measure(table)"),
    **dict.fromkeys(("ks_stat", "ks_score"), "rs.ks(table)"),
    "enrichment_factor": "rs.curves.gains_curve(table), whose .lift it is; rs.curves.bedroc and "
    "rie weight the first cases",
    **dict.fromkeys(
        ("plot_gain", "gains_chart"), "rs.plot.plot_gains(rs.curves.gains_curve(table))"
    ),
    **dict.fromkeys(
        ("precision_at_recall", "recall_at_precision"), "rs.pr_curve(table).precision_at(0.8)"
    ),
    "summarize": 'rs.report.summarise({"score": table})',
    "simultaneous_band": "rs.roc_band(table)",
    **dict.fromkeys(("roc_comparison", "test_auc"), 'rs.auc_difference(data, "a", "b").test()'),
    **dict.fromkeys(
        ("ci_cvauc", "ci_pooled_cvauc", "cross_validated_auc"), "rs.cv_auc_estimate(tables)"
    ),
    "fold_average": "rs.vertical_average(tables)",
    "verification": "rs.designs.verified_auc_estimate(rs.designs.verified_scores(y_true, y_score))"
    ", with a missing label if the truth is not known",
    **dict.fromkeys(
        ("rank_genes", "screening", "volcano"),
        'rs.compare.rank_features(df, "y"), which rs.plot.plot_volcano draws',
    ),
    **dict.fromkeys(("online", "update", "partial_fit"), "rs.Tabulator(), with .update(y, s)"),
    **dict.fromkeys(
        ("ensemble", "stack"), "rs.combine.combine_markers(data), a linear combination of scores"
    ),
    **dict.fromkeys(
        ("and_rule", "or_rule"), "rs.combine.boolean_search(data), of all scores and thresholds"
    ),
    "boot_ci": 'rs.bootstrap(table, "auc").interval()',
    "boot_test": 'rs.auc_difference({"a": a, "b": b}).test(), of tables of other cases',
    "mxe": "rs.costs.log_loss(table)",
    "rmse": "the root of rs.costs.brier_score(table)",
    "ecost": "rs.costs.cost_curve(table)",
    "rch": "rs.roc_hull(rs.roc_curve(table))",
    **dict.fromkeys(
        ("mmdata", "join_scores", "join_labels"), 'rs.pair_scores(y_true, {"a": a, "b": b})'
    ),
    "format_nfold": "rs.fold_tables(y_true, y_score, fold)",
    "create_sim_samples": "rs.simulate.binormal(0.8).draw(100, 100, rng=1)",
    "fortify": "rs.roc_curve(table).to_frame()",
    "mcclish": "rs.partial_auc(table, fpr=(0, 0.1), standardised=True)",
    "roc_glm": "rs.models.fit_roc_glm(table); with covariates rs.designs.adjusted_roc(data)",
    "confusion_matrix_at_thresholds": "rs.evaluate(table, table.score)",
}

_SMOOTH = "rs.models.fit_binormal(table); pROC's smooth(roc) is rs.models.fit_probit_line(table)"
# The same, in one room only, where the name means something else than at the root.
_DATA = "of data = rs.multiclass.multiclass_scores(y_true, scores)"
IN_ROOM: dict[str, dict[str, str]] = {
    "models": dict.fromkeys(("smooth", "smooth_roc", "binormal_curve"), _SMOOTH),
    "multiclass": dict.fromkeys(
        ("auc", "roc_auc_score", "auc_score", "roc_auc"),
        "rs.multiclass.one_vs_rest(data), or hand_till(data) of all pairs of classes, " + _DATA,
    )
    | {
        "roc_curve": "rs.roc_curve(data.table(label)) of a class against the others, " + _DATA,
        "confusion_matrix": "rs.multiclass.decide_classes(data), " + _DATA,
        **dict.fromkeys(
            ("macro", "macro_auc", "macro_average", "weighted_auc", "micro", "micro_auc"),
            'rs.multiclass.one_vs_rest(data, average="macro"), or "weighted" or "micro", ' + _DATA,
        ),
        **dict.fromkeys(
            ("ovo", "one_vs_one", "m_index", "mauc"), "rs.multiclass.hand_till(data), " + _DATA
        ),
        **dict.fromkeys(
            ("hand_till_test", "vus_test", "hum_test", "auc_test"),
            'rs.multiclass.hand_till_difference(data, "a", "b").test(), or vus_difference, of '
            'data = rs.multiclass.multiclass_scores(y_true, {"a": a, "b": b})',
        ),
    },
    "estimators": dict.fromkeys(
        ("auc_scorer", "roc_scorer", "cost_scorer", "partial_auc_scorer", "scorers"),
        'rs.estimators.scorer("auc"); rs.estimators.scorer_names() lists them',
    ),
}

# Other words for what an argument may be, by the word of ours or, of a kind, by several.
_BOOTSTRAPPED = "envelope, fixed-width, psn, vertical, threshold"
WORDS = {
    **dict.fromkeys(("bh", "fdr", "fdr_bh"), "benjamini-hochberg"),
    **dict.fromkeys(("by", "fdr_by"), "benjamini-yekutieli"),
    "simes_hochberg": "hochberg",
    **dict.fromkeys(("drop", "remove", "exclude", "complete", "na_omit", "na_rm"), "omit"),
    **dict.fromkeys(("fail", "na_fail", "error"), "raise"),
    **dict.fromkeys(("sj", "sj_ste"), "sheather-jones"),
    **dict.fromkeys(("sj_dpi", "dpi"), "direct-plug-in"),
    "nrd0": "silverman",
    "nrd": "scott",
    **dict.fromkeys(("ucv", "bcv", "lscv"), "cross-validated"),
    **dict.fromkeys(("exact", "clopper", "binomial"), "clopper-pearson"),
    **dict.fromkeys(("two_tailed", "both", "unequal"), "two-sided"),
    **dict.fromkeys(("bootstrap", "boot", "resampling"), _BOOTSTRAPPED),
}

# Criteria of other packages that are not one of ours, but one with a constraint, or its value.
_AT_LEAST = "criterion={!r}, subject_to=rocspace.operating.Constraint({!r}, '>=', 0.9)"
_VALUE = "criterion=rocspace.operating.Target({!r}, 0.9)"
CRITERIA = {
    **dict.fromkeys(("minvaluese", "sens_constrain"), _AT_LEAST.format("tnr", "tpr")),
    **dict.fromkeys(
        ("minvaluesp", "spec_constrain", "metric_constrain"),
        _AT_LEAST.format("tpr", "tnr"),
    ),
    "minvaluespse": _AT_LEAST.format("youden", "tpr") + ", or several of them",
    **dict.fromkeys(("minvalueppv", "minvaluenpvppv"), _AT_LEAST.format("tpr", "ppv")),
    "minvaluenpv": _AT_LEAST.format("tnr", "npv"),
    "valuese": _VALUE.format("tpr"),
    "valuesp": _VALUE.format("tnr"),
    "valueppv": _VALUE.format("ppv"),
    "valuenpv": _VALUE.format("npv"),
    "valuedlr_positive": _VALUE.format("lr_positive").replace("0.9", "2"),
    "valuedlr_negative": _VALUE.format("lr_negative").replace("0.9", "0.5"),
}

_SIGNS = re.compile(r"[\s'’._-]+")


def folded(name: str) -> str:
    """Return a name without case and without punctuation between its words."""
    return _SIGNS.sub("_", name.casefold().replace("'s ", " ")).strip("_")


def _split(names: str) -> tuple[str, ...]:
    return tuple(name for name in names.split(", ") if name)


@cache
def _ours() -> dict[str, list[str]]:
    """Return our names, with their rooms, of each folded other name."""
    found: dict[str, list[str]] = {}
    for ours, names in TABLE.items():
        for name in (ours.rpartition(".")[2], *_split(names)):
            found.setdefault(folded(name), []).append(ours)
    return found


def names_of(name: str) -> tuple[str, ...]:
    """Return the other names of one of ours, wherever it stands."""
    return tuple(
        other
        for ours, names in TABLE.items()
        if ours.rpartition(".")[2] == name
        for other in _split(names)
    )


def understood(name: object, known: Iterable[str]) -> str | None:
    """Return which of the known names is meant, by its own or another name; None if none is."""
    known = tuple(known)
    if not isinstance(name, str):
        return None
    if name in known:
        return name
    for ours in _ours().get(folded(name), ()):
        if ours.rpartition(".")[2] in known:
            return ours.rpartition(".")[2]
    return next((one for one in known if folded(one) == folded(name)), None)


def words_meant(word: object, known: Iterable[str]) -> list[str]:
    """Return which of the known words are meant by another word for them, or for their kind."""
    if not isinstance(word, str):
        return []
    if one := understood(word, known):
        return [one]
    return [each for each in _split(WORDS.get(folded(word), "")) if each in known]


def place_of(name: str, room: str = "") -> str | None:
    """Return where the thing with that other name is, or the line to write; None if unknown."""
    if line := IN_ROOM.get(room, {}).get(folded(name)):
        return f"say {line}"
    if folded(name) in LINES:
        return f"say {LINES[folded(name)]}"
    for ours in _ours().get(folded(name), ()):
        home, _, own = ours.partition(".")
        if home == "criterion":
            return f'say rs.optimal_points(table, criterion="{own}")'
        return f"it is {own}, in rs.{home}"
    return None
