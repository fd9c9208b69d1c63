"""Where the ledger measures each function of the library that tells an interval, band or test.

A test compares the two tables with the library: what has an interval and is in neither fails it.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

import rocspace
from benchmarks.coverage.ledger import Section
from rocspace._base.frozen import Result
from rocspace.models import MODELS

ROOMS: dict[str, ModuleType] = {
    name: importlib.import_module(f"rocspace.{name}")
    for name in sorted(dir(rocspace))
    if inspect.ismodule(getattr(rocspace, name)) and not name.startswith("_")
}

# What a class has that claims something of the population.
MARKS = {"interval", "intervals", "band", "test", "pvalue", "low", "high", "estimate"}
MARKS |= {"for_power", "for_width", "corrected"}  # of plans, and of what was chosen on the cases

# Patterns of the names of the sections in which a function is measured.
CURVE = ("band of the whole curve$",)
OF_WEIGHTS = "band of the whole curve, lognormal"
WIDE_CURVE = "wide: roc_band"
MEASURED: dict[str, tuple[str, ...]] = {
    "averaging.AverageCurve.at_fpr": ("wide: at_fpr of averages",),
    "averaging.AverageCurve.interval": (
        *("vertical average", "wide: horizontal_average", "wide: radial_average"),
        *("wide: rate_average", "wide: limits at thresholds of threshold_average"),
    ),
    "averaging.corrected_estimate": ("area of a way of learning",),
    "averaging.cv_auc_estimate": ("cross-validated area", "wide: cv_auc_estimate"),
    "averaging.horizontal_average": ("wide: horizontal_average",),
    "averaging.radial_average": ("wide: radial_average",),
    "averaging.rate_average": ("wide: rate_average",),
    "averaging.repeated_auc_estimate": ("area of a way of learning",),
    "averaging.threshold_average": ("wide: limits at thresholds of threshold_average",),
    "averaging.vertical_average": ("vertical average",),
    "bands.binormal_band": CURVE,
    "bands.difference_band": ("band of a difference$", "wide: difference_band"),
    "bands.dkw_band": CURVE,
    "bands.envelope_band": CURVE,
    "bands.fit_band": ("wide: fit_band", "band of a fitted curve"),
    "bands.fixed_width_band": CURVE,
    "bands.hsieh_turnbull_band": CURVE,
    "bands.jms_band": (*CURVE, OF_WEIGHTS),
    "bands.kernel_band": CURVE,
    "bands.ks_band": CURVE,
    "bands.likelihood_band": (*CURVE, OF_WEIGHTS, WIDE_CURVE),
    "bands.psn_band": CURVE,
    "bands.roc_band": (*CURVE, OF_WEIGHTS, WIDE_CURVE),
    "bands.threshold_band": CURVE,
    "bands.tilbury_band": CURVE,
    "bands.vertical_band": CURVE,
    "bands.working_hotelling_band": (*CURVE, OF_WEIGHTS, "wide: roc_band$"),
    "calibrate.calibration_estimates": ("wide: calibration", "wide: size of the joint test of cal"),
    "compare.auc_difference": (
        *("difference of areas, same", "difference of areas, ind", "difference of parts"),
        *("size of tests, same", "size of tests, ind", "size of tests of clusters"),
        *("wide: auc_difference", "wide: size of the test of auc_difference"),
    ),
    "compare.bootstrap_difference": (
        *("bootstrap of a difference", "wide: bootstrap of a difference"),
        "size of tests by resampling",
    ),
    "compare.compare_aucs": ("size of tests, four scores",),
    "compare.equivalence_test": ("wide: size of equivalence_test",),
    "compare.fit_difference": ("difference of two fits",),
    "compare.noninferiority_test": ("wide: size of noninferiority_test",),
    "compare.permutation_test": ("size of tests by resampling",),
    "compare.rank_features": ("wide: size of rank_features",),
    "compare.reclassification": ("wide: net reclassification", "wide: integrated discrimination"),
    "compare.venkatraman_test": ("size of tests by resampling",),
    "costs.brier_estimate": ("wide: Brier score",),
    "costs.cllr_estimate": ("wide: Cllr",),
    "costs.log_loss_estimate": ("wide: log loss",),
    "costs.loss_difference": ("wide: difference of log", "wide: difference of Brier"),
    "costs.resample_cost": ("least cost", "wide: resample_cost$"),
    "costs.resample_cost_difference": ("difference of least", "wide: resample_cost_difference"),
    "curves.pr_area_estimate": (
        *("area under the precision-recall", "precision-recall area of", "wide: pr_area_estimate"),
    ),
    "designs.BinormalPosterior.curve": ("credible band",),
    "designs.BinormalPosterior.partial_auc": ("credible interval of a partial area",),
    "designs.aauc_difference": (
        *("difference of adjusted areas", "size of the test of adjusted"),
        *("wide: aauc_difference", "wide: size of the test of aauc_difference"),
    ),
    "designs.aauc_estimate": ("adjusted area", "wide: aauc_estimate"),
    "designs.adjusted_band": ("band of the adjusted curve", "limits of the adjusted curve"),
    "designs.auc_by_covariate": (
        "area for a given covariate",
        "band of the area by a covariate",
        "wide: auc_by_covariate, rare",
    ),
    "designs.auc_by_covariate_difference": (
        *("difference of areas for a given covariate", "size of the test of a difference for a"),
        "band of a difference of areas by a covariate",
        "wide: (size of the test of )?auc_by_covariate_difference, rare",
    ),
    "designs.auc_over_time": ("wide: auc_over_time(?!_difference)",),
    "designs.auc_over_time_difference": (
        "wide: auc_over_time_difference",
        "wide: size of the test of auc_over_time_difference",
    ),
    "designs.binormal_posterior": ("credible interval of the area",),
    "designs.concordance_difference": (
        "wide: concordance_difference",
        "wide: size of the test of concordance_difference",
    ),
    "designs.concordance_estimate": ("wide: concordance_estimate",),
    "designs.covariate_test": ("size of the test that the curve depends on a covariate",),
    "designs.credible_band": ("credible band",),
    "designs.denoised_auc_bounds": ("area, wrong labels",),
    "designs.denoised_auc_estimate": ("area, wrong labels",),
    "designs.incident_auc_over_time": ("wide: incident_auc_over_time",),
    "designs.integrated_auc_estimate": ("wide: integrated_auc_estimate",),
    "designs.net_benefit_over_time": ("wide: net_benefit_over_time",),
    "designs.powered_auc_estimate": ("area, prediction-powered",),
    "designs.rates_at_time": ("wide: rates_at_time",),
    "designs.verified_auc_estimate": ("area, partly verified",),
    "designs.verified_rates": ("rates, partly verified",),
    "inference.auc_binomial_interval": ("wide: binomial interval of an area",),
    "inference.auc_estimate": (
        *("area$", "area, validation", "area of a yes/no test", "area, lognormal weights"),
        "wide: auc_estimate(?! of a (slow )?fit)",
    ),
    "inference.auc_test": ("size of tests$", "wide: size of auc_test"),
    "inference.bedroc_estimate": ("wide: bedroc_estimate",),
    "inference.clustered_auc_estimate": (
        "area, clusters",
        "area, repeated",
        "wide: clustered_auc_estimate",
    ),
    "inference.clustered_test": ("size of tests of clusters", "wide: size of clustered_test"),
    "inference.delong": (
        "area$",
        "area, validation",
        "area of a yes/no test",
        "wide: auc_estimate(?! of a (slow )?fit)",
    ),
    "inference.eer_interval": ("wide: equal error rate",),
    "inference.fpr_at_interval": ("wide: bootstrap of fpr_at",),
    "inference.joint_rectangle": ("both rates",),
    "inference.ks_test": ("size of tests$", "wide: size of ks_test"),
    "inference.likelihood_ratio_interval": ("likelihood ratio$", "odds ratio of a yes/no test"),
    "inference.partial_auc_estimate": (
        *("part of the area", "wide: partial_auc_estimate(?! of a (slow )?fit)"),
    ),
    "inference.point_interval": (
        *("rate$", "likelihood ratio$", "predictive value"),
        "(accuracy|predicted_positive_rate|f_score|informedness) of a yes/no test",
    ),
    "inference.predictive_value_interval": ("predictive value",),
    "inference.rate_interval": ("rate$",),
    "inference.tpr_at_interval": ("wide: bootstrap of tpr_at",),
    "inference.two_way_partial_auc_interval": ("wide: two_way_partial_auc_interval",),
    "inference.youden_interval": ("Youden's index of a yes/no test", "wide: bootstrap of youden"),
    "models.PairedFit.auc_difference": ("difference of a paired fit",),
    "models.PairedFit.difference": ("difference of a paired fit",),
    "models.goodness_of_fit": ("size of goodness of fit",),
    "models.optimal_cut": ("best threshold of a model",),
    "models.point_indices": ("best index of a model",),
    "multiclass.pairwise_areas": ("wide: pairwise_areas",),
    "multiclass.TrinormalSurface.test": ("size of tests of trinormal surfaces",),
    "multiclass.TrinormalSurface.vus_estimate": ("volume of a trinormal surface",),
    "multiclass.TrinormalSurface.vus_test": ("size of tests of trinormal surfaces",),
    "multiclass.trinormal_difference": ("difference of trinormal volumes",),
    "multiclass.trinormal_test": ("size of tests of trinormal surfaces",),
    "operating.threshold_bootstrap": ("wide: threshold_bootstrap",),
    "planning.plan_area": ("wide: power of plan_area", "wide: width of plan_area"),
    "planning.plan_difference": ("wide: power of plan_difference",),
    "planning.plan_from_fit": ("wide: power of plan_from_fit",),
    "planning.plan_from_fits": ("wide: power of plan_from_fit",),
    "planning.plan_from_pilot": ("wide: power of plan_from_pilot",),
    "planning.plan_paired": ("wide: power of plan_paired", "wide: width of plan_paired"),
    "planning.plan_rate": ("wide: power of plan_rate", "wide: width of plan_rate"),
    "resampling.BayesianBootstrap.curve": ("credible band",),
    "resampling.bayesian_bootstrap": ("credible interval",),
    "resampling.bootstrap": (
        "bootstrap of the area",
        *("bootstrap of a part", "bootstrap of tpr", "wide: bootstrap of auc"),
        *("wide: bootstrap of a part", "wide: bootstrap of tpr_at", "wide: bootstrap of fpr_at"),
        *("wide: bootstrap of average_precision", "average precision of a yes/no test"),
        "wide: bootstrap of one's own function",
    ),
    "results.Fit.auc_estimate": (
        *("wide: auc_estimate of a (slow )?fit", "area of a model", "area of a slow model"),
    ),
    "results.Fit.category_ratio_estimate": ("wide: category_ratio_estimate of a fit",),
    "results.Fit.estimate": ("wide: estimate of a fit",),
    "results.Fit.score_estimate": ("wide: score_estimate of a fit",),
    "results.Fit.fpr_estimate": ("wide: fpr_estimate of a fit", "false positive rate of a model"),
    "results.Fit.parameter_estimate": ("wide: parameter_estimate of a (slow )?fit",),
    "results.Fit.partial_auc_estimate": (
        *("wide: partial_auc_estimate of a (slow )?fit", "part of a model"),
    ),
    "results.Fit.slope_estimate": ("wide: slope_estimate of a fit", "likelihood ratio of a model"),
    "results.Fit.threshold_estimate": ("wide: threshold_estimate of a fit", "threshold of a model"),
    "results.Fit.tpr_estimate": (
        *("wide: tpr_estimate of a (slow )?fit", "rate of a model", "rate of a slow model"),
    ),
}
MEASURED |= {
    "bands.tango_interval": ("wide: tango_interval",),
    "bands.average_band": ("wide: average_band",),
    "bands.pr_band": ("wide: pr_band",),
    "bands.optimise_band": ("wide: optimise_band",),
    "designs.denoised_band": ("wide: denoised_band",),
    "designs.verified_band": ("wide: verified_band",),
    "multiclass.ClassDecisions.cost_estimate": ("wide: cost_estimate of decisions",),
    "averaging.nested_cv_auc_estimate": ("wide: nested_cv_auc_estimate",),
    "calibrate.calibration_curve": ("wide: groups of calibration_curve",),
    "designs.denoised_rates": ("wide: denoised_rates",),
    "designs.verified_auc_difference": (
        *("wide: verified_auc_difference", "wide: size of the test of verified_auc_difference"),
    ),
    "designs.powered_auc_difference": (
        *("wide: powered_auc_difference", "wide: size of the test of powered_auc_difference"),
    ),
    "designs.posterior": (
        "credible interval of the area",
        "credible interval of a partial",
        "credible interval of Youden's index",
    ),
    "designs.posterior_difference": (
        "credible interval of a difference",
        "wide: size of decisions by the region of posterior_diff",
    ),
    "models.BivariateRoc.parameter_estimate": ("wide: bivariate model of fit_summary_roc",),
    "models.BivariateRoc.q_star": ("wide: q_star of fit_summary_roc",),
    "models.BivariateRoc.summary_point": ("wide: bivariate model of fit_summary_roc",),
    "models.PooledOddsRatio.heterogeneity_test": ("wide: size of heterogeneity_test",),
    "models.SummaryPoint.fpr_estimate": ("wide: bivariate model of fit_summary_roc",),
    "models.SummaryPoint.prediction_region": ("wide: bivariate model of fit_summary_roc",),
    "models.SummaryPoint.region": ("wide: bivariate model of fit_summary_roc",),
    "models.SummaryPoint.tpr_estimate": ("wide: bivariate model of fit_summary_roc",),
    "models.SummaryRoc.q_star": ("wide: q_star of fit_summary_roc",),
    "models.fit_summary_roc": (
        *("wide: q_star of fit_summary_roc", "wide: bivariate model of fit_summary_roc"),
    ),
    "models.pooled_odds_ratio": ("wide: pooled_odds_ratio", "wide: size of heterogeneity_test"),
    "models.PooledOddsRatio.interval": ("wide: pooled_odds_ratio",),
    "multiclass.compare_classifiers": (
        *("wide: compare_classifiers", "wide: size of the tests of compare_classifiers"),
        "wide: size of the test of compare_classifiers",
    ),
    "multiclass.dominated_volume_estimate": ("wide: dominated_volume_estimate",),
    "multiclass.pareto_volume_estimate": ("wide: pareto_volume_estimate",),
    "multiclass.polytope_volume_estimate": ("wide: polytope_volume_estimate",),
    "costs.expected_performance": ("wide: expected_performance",),
    "operating.cost_interval": ("wide: cost_interval",),
    "estimators.compare_estimators": (
        *("wide: compare_estimators", "wide: size of the test of compare_estimators"),
    ),
    "inference.point_test": ("wide: size of point_test",),
    "inference.significance_contour": ("wide: size of significance_contour",),
    "inference.best_of_test": ("wide: size of best_of_test",),
    "inference.best_permutation_test": ("wide: size of best_permutation_test",),
    "inference.two_cut_test": ("wide: size of two_cut_test",),
    "inference.unlearnability_test": ("wide: size of unlearnability_test",),
    "select.adequacy_test": ("wide: size of adequacy_test",),
    "select.rank_correlation": ("wide: size of rank_correlation",),
    "compare.superiority_test": ("wide: size of superiority_test",),
    "compare.AucComparison.contrast": ("wide: size of AucComparison.contrast",),
    "compare.published_difference": (
        *("wide: published_difference", "wide: size of the test of published_difference"),
    ),
    "compare.hanley_mcneil_difference": (
        *("wide: hanley_mcneil_difference", "wide: size of the test of hanley_mcneil_difference"),
    ),
    "results.Difference.of_intervals": ("wide: Difference.of_intervals",),
    "bands.precision_at_interval": ("wide: precision_at_interval",),
    "select.SelectionExperiment.gain": ("wide: SelectionExperiment.gain",),
}
for _measure in ("hand_till", "mu_auc", "one_vs_rest", "vus", "pdi", "hum"):
    MEASURED[f"multiclass.{_measure}_estimate"] = (f"wide: {_measure}_estimate",)
    MEASURED[f"multiclass.{_measure}_difference"] = (f"wide: size of the test of {_measure}_est",)

# What has nothing of its own to be measured, and why.
BY_CALLER = "the interval or test of the function whose result it is"
NOT_SAMPLED = "limits of another kind: nothing is claimed of a population"
OF_FITS = "makes a fit: `Fit.auc_estimate` and its other readings are measured, of each model"
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(
        (
            "calibrate.CalibrationEstimate.interval",
            "calibrate.CalibrationEstimate.test",
            "compare.AucComparison.estimate",
            "compare.AucComparison.pair",
            "compare.NetReclassification.interval",
            "compare.NetReclassification.test",
            "costs.CostDifferenceSample.band",
            "costs.CostDifferenceSample.better",
            "costs.CostDifferenceSample.interval",
            "costs.CostSample.interval",
            "costs.ExpectedPerformance.interval",
            "costs.LossEstimate.interval",
            "costs.LossEstimate.test",
            "designs.BinormalPosterior.curves",
            "designs.BinormalPosterior.tpr_at",
            "designs.ConditionalAuc.band",
            "designs.ConditionalAuc.interval",
            "designs.CorrectedArea.interval",
            "designs.CorrectedRates.estimates",
            "designs.DenoisedArea.interval",
            "designs.DenoisedBounds.between",
            "designs.DenoisedBounds.interval",
            "designs.DenoisedRate.interval",
            "designs.OverTime.band",
            "designs.Posterior.interval",
            "designs.Posterior.region",
            "estimators.ThresholdClassifier.bootstrap",
            "operating.ThresholdBootstrap.interval",
            "planning.Plan.with_samples",
            "resampling.BayesianBootstrap.interval",
            "resampling.BootstrapSample.interval",
            "resampling.BootstrapSample.intervals",
            "results.Difference.interval",
            "results.Difference.test",
            "results.Estimate.interval",
            "select.SelectionExperiment.correlation",
            "select.SelectionGain.interval",
            "select.selection_experiment",
        ),
        BY_CALLER,
    ),
    **dict.fromkeys(
        (
            "combine.RulePath.mixture",
            "combine.at_budget",
            "combine.combine_rates",
            "combine.mixture_at",
            "costs.CostCurve.operating_range",
            "costs.Superiority.where",
            "costs.cost_difference",
            "calibrate.fit_isotonic",
            "curves.TwoCutRoc.cuts_at",
            "curves.auc_bounds",
            "curves.two_cut_roc",
            "granular.rho_integrals",
            "hull.RocHull.ranges",
            "hull.SlopeRange.cost_ratios",
            "hull.SlopeRange.prevalences",
            "hull.repair_point",
            "hull.repair_points",
            "hull.slope_interval",
            "io.refine_file",
            "models.family_roc",
            "multiclass.class_skew",
            "stream.Refinement.area",
            "stream.refine_auc",
        ),
        NOT_SAMPLED,
    ),
    **{f"models.{model.function.__name__}": OF_FITS for model in MODELS.values()},
    **dict.fromkeys(("models.fit_roc", "models.fit_paired", "models.compare_models"), OF_FITS),
    **dict.fromkeys(
        (
            "resampling.difference",
            "resampling.fpr_at",
            "resampling.partial_area",
            "resampling.rate_at",
            "resampling.tpr_at",
            "resampling.two_way_area",
        ),
        "what `bootstrap` computes of each replicate",
    ),
    "bands.confidence_segment": 'the interval of `tango_interval` by "score", at each threshold',
    "combine.Selection.evaluate": "the intervals of `point_interval`",
    "combine.combine_markers": "the interval of `nested_cv_auc_estimate`",
    "combine.select_rule": "`Selection.evaluate` has the intervals of its rates",
    "designs.conditional_roc": "the interval of `auc_by_covariate`, for one value",
    "designs.verification_sensitivity": "the interval of `verified_auc_estimate`, by odds",
    "multiclass.class_weights_bootstrap": (
        "a cost without an interval: `benchmarks/constants/class_weights_optimism.py` measures it"
    ),
    "models.fit_probit_line": "a line through the points, without errors",
    "multiclass.fit_trinormal": "`TrinormalSurface.vus_estimate` and its tests are measured",
    "planning.simulated_power_estimate": "a rate: the interval of `rate_interval`",
}


# --- what the library has -----------------------------------------------------------------------


def classes() -> dict[str, type]:
    """Return the classes of the results, public or not, by name."""
    found: dict[str, type] = {}
    todo: list[type] = [Result]
    while todo:
        one = todo.pop()
        found[one.__name__] = one
        todo += one.__subclasses__()
    return found


def words(annotation: object) -> set[str]:
    return set(re.findall(r"\w+", str(annotation)))


def claiming() -> set[str]:
    """Return the names of the classes that claim something of a population, or hold such."""
    every = classes()
    found = {name for name, one in every.items() if MARKS & {*dir(one), *fields_of(one)}}
    while True:
        more = {
            name
            for name, one in every.items()
            if name not in found and any(words(f) & found for f in fields_of(one).values())
        }
        if not more:
            return found
        found |= more


def fields_of(one: type) -> dict[str, Any]:
    return getattr(one, "__annotations__", {})


def callables() -> Iterator[tuple[str, Any]]:
    """Yield each public function and method, and its name with the room and the class."""
    for room, module in ROOMS.items():
        for name in module.__all__:
            one = getattr(module, name)
            if inspect.isfunction(one):
                yield f"{room}.{name}", one
            elif inspect.isclass(one):
                for method, of in vars(one).items():
                    plain = getattr(of, "__func__", getattr(of, "fget", of))
                    if not method.startswith("_") and inspect.isfunction(plain):
                        yield f"{room}.{name}.{method}", plain


def claimed() -> list[str]:
    """Return the names of all that returns an interval, a band or a test, or what has one."""
    names = claiming()
    return [
        name for name, of in callables() if words(inspect.signature(of).return_annotation) & names
    ]


# --- what the page says --------------------------------------------------------------------------


def sections_of(starts: Sequence[str], sections: Iterable[Section]) -> list[Section]:
    """Return the sections whose names match one of these patterns from their start."""
    return [each for each in sections if any(re.match(start, each.name) for start in starts)]


def table(sections: Sequence[Section]) -> str:
    """Return the lines of the page: each function, and the tables that measure it."""
    lines = ["| function | measured in |", "|---|---|"]
    for name in sorted(MEASURED):
        titles = "; ".join(
            each.title.removeprefix("Wide: ") for each in sections_of(MEASURED[name], sections)
        )
        lines.append(f"| `{name}` | {titles} |")
    said = {
        name: f"{why}" for name, why in ELSEWHERE.items() if why not in (BY_CALLER, NOT_SAMPLED)
    }
    lines += [f"| `{name}` | {said[name]} |" for name in sorted(said)]
    return "\n".join(lines) + "\n"
