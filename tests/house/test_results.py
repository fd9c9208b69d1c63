"""All results behave alike: frozen in fact, picklable, a repr of one line, readable, framed."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import rocspace as rs
from repository import ROOMS
from rocspace import (
    averaging,
    bands,
    calibrate,
    combine,
    compare,
    costs,
    counts,
    curves,
    designs,
    estimators,
    granular,
    hull,
    inference,
    io,
    multiclass,
    operating,
    planning,
    report,
    resampling,
    select,
    simulate,
    stream,
)
from rocspace._base.frozen import Result, own, read_only
from rocspace._base.text import pvalue
from rocspace.models import (
    check_curve,
    compare_models,
    fit_paired,
    fit_summary_roc,
    optimal_cut,
    point_indices,
    pooled_odds_ratio,
    signal_indices,
)
from rocspace.models.binormal import two_normals
from rocspace.multiclass import class_skew, multiclass_scores, ordered_scores, pairwise_areas

RNG = np.random.default_rng(3)
Y = np.arange(40) % 2
SCORES = {name: (Y + RNG.normal(size=40)).round(1) for name in ("a", "b")}
DATA = rs.pair_scores(Y, SCORES)
TABLE, OTHER = DATA.table("a"), DATA.table("b")
SHARE = rs.tabulate(Y, 1 / (1 + np.exp(-SCORES["a"])))
COMPARED = compare.compare_aucs(DATA)
SEVERAL = multiclass_scores(np.arange(40) % 3, RNG.normal(size=(40, 3)))
ORDERED = ordered_scores(np.arange(40) % 3, np.arange(40) % 7, order=[0, 1, 2])
CALLED = multiclass.class_rates(
    np.arange(40) % 3, {name: RNG.integers(0, 3, 40) for name in ("a", "b")}
)
HULL = hull.roc_hull({"a": TABLE, "b": OTHER})
PATH = combine.rule_path({"a": TABLE, "b": OTHER})
BAND = bands.roc_band(TABLE)
POINT = operating.optimal_points(TABLE)[0]
BINORMAL = simulate.binormal(0.8)
PROBABILITIES = rs.pair_scores(Y, {n: 1 / (1 + np.exp(-s)) for n, s in SCORES.items()})
PLAN = planning.plan_area(0.8)
FOLLOWED = designs.survival_scores(np.arange(40) % 9, np.arange(40) % 3, RNG.normal(size=40))
COST = costs.cost_curve(TABLE)
BY_AGE = designs.covariate_scores(Y, SCORES["a"], {"age": np.arange(40.0) % 7})
HALVES = [rs.resample(TABLE, rng=seed) for seed in (1, 2)]
AT = np.linspace(0.1, 0.9, 5)
VERIFIED = designs.verified_scores(
    np.where(np.arange(40) % 3, Y, np.nan),
    SCORES,
    covariates={"judge": Y ^ (np.arange(40) % 7 < 1)},
)
STUDIES = {"tp": [20, 45, 18, 30], "fp": [5, 20, 1, 4], "fn": [5, 5, 7, 9], "tn": [45, 30, 49, 70]}


def _file() -> str:
    return str(rs.datasets.path("fawcett20"))


def _site() -> stream.SiteCounts:
    counter = stream.Tabulator()
    counter.update(Y, SCORES["a"])
    return stream.coarsen(counter, min_cases=5)


def _saved() -> stream.SavedStates:
    counter = stream.Tabulator()
    counter.update(Y, SCORES["a"])
    return stream.SavedStates(states={"a": counter}, source={})


def _selected() -> combine.Selection:
    return combine.select_rule(DATA, fpr=0.3)


def _learned() -> estimators.EstimatorComparison:
    features = np.column_stack(list(SCORES.values()))
    models = {name: GaussianNB(var_smoothing=size) for name, size in (("a", 1e-9), ("b", 1.0))}
    return estimators.compare_estimators(models, features, Y, cv=3)


def _leaves() -> calibrate.LeafScores:
    return calibrate.fit_leaves(np.arange(40) % 4, Y)


EXAMPLES: dict[str, Callable[[], Any]] = {
    "AdjustedRoc": lambda: designs.adjusted_roc(BY_AGE),
    "Answer": lambda: rs.datasets.load("fawcett20").answers["auc:score"],
    "AucComparison": lambda: COMPARED,
    "AverageCurve": lambda: averaging.vertical_average(HALVES, grid=10),
    "AverageInterval": lambda: averaging.vertical_average(HALVES, grid=10).interval(),
    "Band": lambda: BAND,
    "BandCoverage": lambda: bands.band_coverage(BINORMAL, sizes=(10, 10), n_sim=5, rng=1),
    "Batch": lambda: next(io.read_batches(_file(), ["label", "score"])),
    "BayesianBootstrap": lambda: resampling.bayesian_bootstrap(TABLE, n_boot=20, rng=1),
    "BinnedCalibration": lambda: calibrate.fit_binning(TABLE),
    "BinormalPosterior": lambda: designs.binormal_posterior(TABLE, n_sim=20, rng=1),
    "BivariateRoc": lambda: fit_summary_roc(**STUDIES),
    "BooleanRule": lambda: combine.BooleanRule(
        "and", (combine.ThresholdRule("a", 0.5), combine.ThresholdRule("b", 0.5))
    ),
    "BooleanSearch": lambda: combine.boolean_search(DATA, max_rounds=1),
    "BootstrapSample": lambda: resampling.bootstrap(TABLE, "auc", n_boot=50, rng=1),
    "Bootstrapped": lambda: select.Bootstrapped(None, n_models=3),
    "BrierCurve": lambda: costs.brier_curve(SHARE),
    "BrierParts": lambda: costs.brier_parts(SHARE),
    "BrierPoints": lambda: costs.brier_curve(SHARE).at_threshold(0.5),
    "CalibrationCurve": lambda: calibrate.calibration_curve(SHARE),
    "CalibrationEstimate": lambda: calibrate.calibration_estimates(SHARE).slope_estimate,
    "CalibrationEstimates": lambda: calibrate.calibration_estimates(SHARE),
    "Chain": lambda: combine.chain_rules(PATH, slope=1.0),
    "ClusteredPopulation": lambda: simulate.clustered_binormal((0.8, 0.7), intraclass=0.2),
    "Codes": lambda: io.Codes(np.array([0, 1, -1], np.int32), ("ill", "well")),
    "Column": lambda: io.scan_columns(_file())[0],
    "CombinedRate": lambda: combine.combine_rates([0.2, 0.3], "and"),
    "ConditionalAuc": lambda: designs.auc_by_covariate(BY_AGE, "age", at=[1, 5]),
    "ConditionalRoc": lambda: designs.conditional_roc(BY_AGE, {"age": 3}),
    "ConfidenceSegment": lambda: bands.confidence_segment(TABLE),
    "ConfusionMatrix": lambda: rs.ConfusionMatrix(tp=5, fp=1, fn=5, tn=9),
    "ConfusionTable": lambda: counts.confusion_table(Y, Y[::-1]),
    "Constant": lambda: combine.Constant(positive=True),
    "Constraint": lambda: operating.Constraint("tpr", ">=", 0.8),
    "Containment": lambda: BAND.inside(rs.roc_curve(TABLE)),
    "CostBand": lambda: costs.resample_cost(TABLE, AT, n_boot=20, rng=1).interval(),
    "CostCurve": lambda: COST,
    "CostDifference": lambda: costs.cost_difference(COST, costs.cost_curve(OTHER)),
    "CostDifferenceSample": lambda: costs.resample_cost_difference(DATA, AT, n_boot=20, rng=1),
    "CostLine": lambda: costs.CostLine(at_zero=0.1, at_one=0.3),
    "CostLines": lambda: costs.cost_lines(TABLE),
    "CorrectedArea": lambda: designs.powered_auc_estimate(VERIFIED, "judge", "a"),
    "CorrectedCurve": lambda: designs.verified_curve(VERIFIED, "a"),
    "CorrectedRate": lambda: designs.verified_rates(VERIFIED, 0.5, "a").tpr,
    "CorrectedRates": lambda: designs.verified_rates(VERIFIED, 0.5, "a"),
    "CostSample": lambda: costs.resample_cost(TABLE, AT, n_boot=20, rng=1),
    "Costs": lambda: operating.Costs(fp=1, fn=10),
    "CovariateBand": lambda: designs.auc_by_covariate(BY_AGE, "age", at=[1, 5]).band(),
    "CovariateModel": designs.CovariateModel,
    "CovariateScores": lambda: BY_AGE,
    "CovariateThresholds": lambda: designs.covariate_thresholds(BY_AGE, {"age": [1, 5]}, fpr=0.2),
    "CredibleCurve": lambda: resampling.bayesian_bootstrap(TABLE, n_boot=20, rng=1).curve(),
    "Cuts": lambda: multiclass.best_cuts(ORDERED),
    "Dataset": lambda: rs.datasets.load("fawcett20"),
    "DecisionCurve": lambda: costs.decision_curve(SHARE),
    "ModelComparison": lambda: compare_models(TABLE, models=["binormal", "labroc"], n_folds=2),
    "CurveCheck": lambda: check_curve(BINORMAL),
    "DecisionPoints": lambda: costs.DecisionPoints(threshold=0.2, net_benefit=0.1),
    "DenoisedArea": lambda: designs.denoised_auc_estimate(TABLE, designs.label_noise(pos=0.1)),
    "DenoisedBounds": lambda: designs.denoised_auc_bounds(TABLE, pos=(0.0, 0.1)),
    "DenoisedRate": lambda: designs.denoised_rates(TABLE, 0.5, designs.label_noise(pos=0.1)).tpr,
    "Design": lambda: PLAN.for_power(0.8),
    "DetCurve": lambda: curves.det_curve(TABLE),
    "DetPoints": lambda: curves.det_curve(TABLE).at_threshold(0.5),
    "Difference": lambda: compare.auc_difference(DATA, "a", "b"),
    "DifferenceBand": lambda: bands.difference_band(DATA, n_boot=40, rng=1),
    "DrawnScores": lambda: BINORMAL.draw_scores(5, 5, rng=1),
    "EquivalenceResult": lambda: compare.equivalence_test(COMPARED.pairs[0].difference, 0.2),
    "Estimate": lambda: rs.delong(TABLE),
    "EstimatorComparison": _learned,
    "Evaluation": lambda: _selected().evaluate(DATA),
    "FileAreas": lambda: io.refine_file(_file(), label="label"),
    "FileTables": lambda: io.tabulate_file(_file(), label="label"),
    "Fit": lambda: two_normals("a test", TABLE),
    "Flow": lambda: report.flow_of({"rows": 9, "dropped": {"y": 1}}, n_pos=3, n_neg=5),
    "FuzzyRoc": lambda: curves.fuzzy_roc([0.1, 0.9, 0.5], [1, 3, 2]),
    "GainsCurve": lambda: curves.gains_curve(TABLE),
    "GainsPoints": lambda: curves.gains_curve(TABLE).at_threshold(0.5),
    "GainsTable": lambda: curves.gains_table(TABLE),
    "GranularAreas": lambda: granular.granular_areas(TABLE, [0.1, 0.5]),
    "GranularRoc": lambda: granular.groc(TABLE, 0.1),
    "HullPoint": lambda: HULL.points[1][0],
    "Interval": lambda: rs.delong(TABLE).interval(),
    "Isometric": lambda: hull.isometric("accuracy", 0.2, 0.6),
    "IsotonicCalibration": lambda: calibrate.fit_isotonic(TABLE),
    "LabelNoise": lambda: designs.audited_noise(pos=(3, 60)),
    "LeafScores": _leaves,
    "MarginCurve": lambda: granular.margin_curve(TABLE, [0.0, 0.5]),
    "MeasureComparison": lambda: select.compare_measures([1, 2, 3], [1, 3, 2]),
    "MetaCost": lambda: calibrate.MetaCost(
        classes=np.arange(2), probability=np.full((3, 2), 0.5), label=np.arange(3), classifier=None
    ),
    "MarkerCombination": lambda: combine.combine_markers(DATA, n_folds=3, n_partitions=1),
    "MulticlassScores": lambda: SEVERAL,
    "Mixture": lambda: combine.mixture_at(PATH, fpr=0.3),
    "MixtureSpread": lambda: combine.MixtureSpread(fpr=0.1, tpr=0.1, selected=1.0),
    "ModelChoice": lambda: select.select_model(DATA),
    "NotRule": lambda: combine.NotRule(combine.ThresholdRule("a", 0.5)),
    "OperatingPoint": lambda: POINT,
    "OptimalCut": lambda: optimal_cut(two_normals("a test", TABLE)),
    "OptimisedBand": lambda: bands.optimise_band(TABLE, BAND, n_boot=40, rng=1),
    "OrderedScores": lambda: ORDERED,
    "Orientation": lambda: curves.best_orientation(TABLE),
    "PairedFit": lambda: fit_paired(DATA),
    "ClassSkew": lambda: class_skew(SEVERAL),
    "ClassDecisions": lambda: multiclass.best_class_weights(
        multiclass_scores(np.arange(40) % 3, np.exp(SEVERAL.score[:, 0]))
    ),
    "ClassWeightsBootstrap": lambda: multiclass.class_weights_bootstrap(
        multiclass_scores(np.arange(40) % 3, np.exp(SEVERAL.score[:, 0])), n_boot=20, rng=1
    ),
    "ClassRates": lambda: CALLED,
    "CostMatrix": lambda: multiclass.cost_matrix(None, [0, 1, 2]),
    "CostSlice": lambda: multiclass.cost_slice(CALLED, second=np.arange(9).reshape(3, 3) % 4),
    "ErrorHull": lambda: multiclass.error_hull(CALLED),
    "OverTime": lambda: designs.auc_over_time(FOLLOWED, [3, 5]),
    "SurvivalScores": lambda: FOLLOWED,
    "TimeBand": lambda: designs.auc_over_time(FOLLOWED, [3, 5]).band(rng=1),
    "TimedRates": lambda: designs.rates_at_time(FOLLOWED, 4, 3.0),
    "HullCorners": lambda: multiclass.error_hull(CALLED).corners,
    "PairwiseAreas": lambda: pairwise_areas(SEVERAL),
    "PairTest": lambda: COMPARED.pairs[0],
    "PaperTable": lambda: report.stard_table(POINT),
    "PairedPopulation": lambda: simulate.paired_binormal((0.8, 0.7)),
    "PairedScores": lambda: DATA,
    "Part": lambda: report.stard_table(POINT).parts[0],
    "ParameterRoc": lambda: select.ParameterRoc(
        settings=({"a": 1.0}, {"a": 2.0}),
        fpr=np.array([0.0, 1.0]),
        tpr=np.array([0.0, 1.0]),
        front=np.arange(2),
        auc=0.5,
        areas=(0.5,),
        complete=True,
    ),
    "Placements": lambda: inference.placements(TABLE),
    "Plan": lambda: PLAN,
    "PlattCalibration": lambda: calibrate.fit_platt(TABLE),
    "PointIndices": lambda: point_indices(POINT),
    "PointRepair": lambda: hull.repair_point(TABLE, high=1.5, middle=0.8, low=0.1),
    "PooledOddsRatio": lambda: pooled_odds_ratio(**STUDIES),
    "Population": lambda: BINORMAL,
    "PrCurve": lambda: curves.pr_curve(TABLE),
    "PrPoints": lambda: curves.pr_curve(TABLE).at_threshold(0.5),
    "PracticalEquivalence": lambda: designs.posterior(TABLE, n_boot=20, rng=1).region(0.6, 0.8),
    "Precision": lambda: PLAN.for_width(0.05),
    "PrgCurve": lambda: curves.prg_curve(TABLE),
    "PrgPoints": lambda: curves.prg_curve(TABLE).at_threshold(0.5),
    "RateDrivenCurve": lambda: costs.rate_driven_curve(TABLE),
    "RateDrivenPoints": lambda: costs.rate_driven_curve(TABLE).at_threshold(0.5),
    "RelativeValueCurve": lambda: costs.relative_value_curve(SHARE),
    "ExpectedPerformance": lambda: costs.expected_performance(*HALVES),
    "PerformanceBand": lambda: costs.expected_performance(*HALVES).interval(),
    "PerformancePoints": lambda: costs.expected_performance(*HALVES).at_share(0.5),
    "LossEstimate": lambda: costs.log_loss_estimate(SHARE),
    "CllrParts": lambda: costs.cllr_parts(TABLE),
    "BayesErrorCurve": lambda: costs.bayes_error_curve(TABLE),
    "Reclassification": lambda: compare.reclassification(PROBABILITIES, cuts=[0.5]),
    "NetReclassification": lambda: compare.reclassification(PROBABILITIES).nri_estimate,
    "Posterior": lambda: designs.posterior(TABLE, n_boot=20, rng=1),
    "PrBand": lambda: bands.pr_band(TABLE),
    "TwoCutRoc": lambda: curves.two_cut_roc(TABLE),
    "TwoCuts": lambda: curves.two_cut_roc(TABLE).cuts,
    "RankCorrelation": lambda: select.rank_correlation([1, 2, 3, 4], [1, 3, 2, 4]),
    "RankScale": lambda: calibrate.fit_ranks(TABLE),
    "RankedFeatures": lambda: compare.rank_features(SCORES, Y),
    "Reading": lambda: io.Reading(kinds={"site": "text"}),
    "Rectangle": lambda: inference.joint_rectangle(POINT),
    "RefinedArea": lambda: io.refine_file(_file(), label="label").areas["score"],
    "RhoIntegrals": lambda: granular.rho_integrals(TABLE, deltas=20),
    "RocCurve": lambda: rs.roc_curve(TABLE),
    "RocPoints": lambda: rs.roc_curve(TABLE).at_threshold(0.5),
    "RocHull": lambda: HULL,
    "RuleScores": lambda: calibrate.fit_rules(np.eye(40, 4) > 0, Y),
    "RulePath": lambda: PATH,
    "ScoreBlocks": lambda: BINORMAL.draw_blocks(3, 3, n_sim=2, rng=1),
    "ScoreTable": lambda: TABLE,
    "SectionRepair": lambda: hull.fit_section_repair(TABLE),
    "Selection": _selected,
    "SelectionExperiment": lambda: select.SelectionExperiment(
        measures=("auc",),
        validation=np.full((2, 1, 2), 0.5),
        test=np.full((2, 2), 0.5),
        chosen=np.zeros((2, 1), dtype=np.int64),
        n_tied=np.ones((2, 1), dtype=np.int64),
        share_tested=0.5,
    ),
    "SavedStates": _saved,
    "SelectionGain": lambda: select.SelectionGain(differences=np.zeros(3), share_tested=0.5),
    "SignalIndices": lambda: signal_indices(BINORMAL),
    "SignificanceContour": lambda: inference.significance_contour(5, 5),
    "SiteCounts": _site,
    "SlopeRange": lambda: HULL.ranges()[0],
    "SoftGradient": lambda: granular.soft_auc_gradient(TABLE),
    "Statistic": lambda: resampling.tpr_at(0.1),
    "SummaryPoint": lambda: fit_summary_roc(**STUDIES).summary_point,
    "SummaryRegion": fit_summary_roc(**STUDIES).summary_point.region,
    "SummaryRoc": lambda: fit_summary_roc(**STUDIES, method="moses-littenberg"),
    "Superiority": lambda: costs.relative_superiority({"a": TABLE, "b": OTHER}, prevalence=0.4),
    "Target": lambda: operating.Target("tpr", 0.8),
    "TestResult": lambda: rs.auc_test(TABLE),
    "ThresholdBootstrap": lambda: operating.threshold_bootstrap(TABLE, n_boot=20, rng=1),
    "ThresholdRule": lambda: combine.ThresholdRule("a", 0.5),
    "TreeScores": lambda: calibrate.TreeScores(model=None, leaves=(_leaves(),)),
    "Triangle": lambda: costs.Triangle(low=0.1, mode=0.3, high=0.9),
    "TrinormalSurface": lambda: multiclass.fit_trinormal(ORDERED),
    "VertexShare": lambda: hull.best_in_range(HULL, 0.5, 2.0)[0],
    "VerificationSensitivity": lambda: designs.verification_sensitivity(VERIFIED, "a"),
    "VerifiedScores": lambda: VERIFIED,
}


@cache
def example(name: str) -> Any:
    """The one result of a class, which no test can change."""
    return EXAMPLES[name]()


def results() -> Iterator[type]:
    for room in map(importlib.import_module, ROOMS):
        for name in room.__all__:
            found = getattr(room, name)
            if inspect.isclass(found) and issubclass(found, Result):
                yield found


CLASSES = sorted({kind.__name__ for kind in results()})


def arrays_of(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays_of(part)
    elif isinstance(value, dict):
        yield from arrays_of(tuple(value.values()))


def cached_of(kind: type) -> list[str]:
    """Return the public attributes that a class computes once and keeps."""
    found = inspect.getmembers_static(kind, lambda each: isinstance(each, cached_property))
    return [name for name, _ in found if not name.startswith("_")]


def test_every_result_has_an_example() -> None:
    assert set(CLASSES) == set(EXAMPLES)


@pytest.mark.parametrize("name", CLASSES)
def test_results_behave(name: str) -> None:
    result = example(name)
    assert type(result)._kind == name
    with pytest.raises(AttributeError, match="cannot assign to field 'anything'"):
        result.anything = 1
    for cached in cached_of(type(result)):
        with suppress(ValueError, TypeError, AttributeError):  # not every result has each of them
            getattr(result, cached)
    copies = [result, copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))]
    for each in copies:
        for array in arrays_of(tuple(vars(each).values())):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.flags.writeable = True
    lasting = name not in {"Population", "PairedPopulation", "ClusteredPopulation"}
    assert not lasting or all(each == result for each in copies)
    assert "\n" not in repr(result)
    assert len(repr(result)) < 120
    shown = str(result)
    assert shown
    assert "array(" not in shown
    assert "<div" in result._repr_html_()


ELSEWHERE = {  # arrays as long as a frame that is read without them
    "AdjustedRoc": {"tnr"},
    "ConditionalAuc": {"at"},  # its column is called as the covariate
    "CovariateBand": {"at"},
    "Dataset": {"y_true", "y_score"},  # its columns are called as in files
    "DifferenceBand": {"differs"},
    "PairedPopulation": {"sd"},
    "MulticlassScores": {"case_weight"},
    "OrderedScores": {"case_weight"},
    "PairedScores": {"case_weight"},
    "SurvivalScores": {"case_weight", "failed"},
    "ParameterRoc": {"front"},  # indices, here the column on_front
    "CostLines": {"fpr", "tpr", "fnr"},  # at_zero is fpr, at_one fnr
    "BrierCurve": {"fnr"},
    "RateDrivenCurve": {"fnr"},
    "GainsCurve": {"fnr"},
    "PrgCurve": {"fnr"},
    "PrCurve": {"tpr", "fnr"},  # recall is tpr
    "DetCurve": {"tpr"},
    "RocCurve": {"tnr", "fnr", "local_maxima"},
    "CorrectedCurve": {"tnr"},
    "FuzzyRoc": {"tnr"},
    "TwoCutRoc": {"tnr"},
    "RocHull": {"tnr"},
    "ScoreTable": {"tp", "fp"},  # running sums of its columns
}


@pytest.mark.parametrize("name", CLASSES)
def test_results_become_frames(name: str) -> None:
    result = example(name)
    columns = result._columns()
    frame = result.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame) == list(columns)
    assert len(frame) > 0
    public = [each for each in {*dir(type(result)), *vars(result)} if each[0] != "_"]
    arrays = {each for each in public if _is_column(getattr(result, each, None), len(frame))}
    assert arrays - set(columns) == ELSEWHERE.get(name, set())


@pytest.mark.parametrize("name", CLASSES)
def test_results_are_read_row_by_row(name: str) -> None:
    """Iterating gives the rows of the frame; what is one thing has no rows."""
    result = example(name)
    frame = result.to_frame()
    if type(result).__iter__ is not Result.__iter__:
        assert name in {"DrawnScores", "Interval", "OperatingPoint"}
        return
    sized = type(result)._several or hasattr(type(result), "__len__")
    if len(frame) == 1 and not sized:
        with pytest.raises(TypeError, match=r"is one object, not a sequence"):
            list(result)
        return
    rows = list(result)
    assert rows[0]._fields == tuple(map(str, frame))
    assert len(rows) == len(frame)
    read = pd.DataFrame(result)
    pd.testing.assert_frame_equal(read, frame.rename(columns=str), check_dtype=False)


def test_rows_have_names_and_travel() -> None:
    """The columns of a curve by name, also after pickling; other programs' names are kept."""
    row = next(iter(rs.roc_curve(rs.tabulate([0, 1], [0.5, 2.5]))))
    assert (row.fpr, row.tpr, row.threshold, row.attainable) == (0.0, 0.0, np.inf, True)
    again = pickle.loads(pickle.dumps(row))
    assert (again, again._fields) == (row, row._fields)
    spaced = next(iter(rs.pair_scores([0, 1], {"new score": [1, 2], "class": [3, 4]})))
    assert spaced._asdict() == {"label": False, "new score": 1, "class": 3}


def test_only_unpacking_takes_a_result_for_a_tuple() -> None:
    """The four ways to write it are refused, and ways to ask for all rows are not."""
    curve = rs.roc_curve(TABLE)

    def two() -> Any:
        a, b = curve
        return a, b

    def many() -> Any:
        a, *rest = curve
        return a, rest

    def looped() -> Any:
        return [fpr for fpr, *_ in [curve]]

    def targets() -> Any:
        places = [0, 0, 0]
        places[0], (places[1], places[2]) = 1, curve
        return places

    for asked in (two, many, looped, targets):
        with pytest.raises(TypeError, match=r"Read its \.fpr, \.tpr and \.threshold"):
            asked()
    rows = [*curve]
    assert rows == list(curve) == [row for row in curve]  # noqa: C416
    assert len(dict(enumerate(curve))) == len(curve)
    for fpr, tpr, *_ in curve:
        assert fpr <= 1
        assert tpr <= 1


def _is_column(value: Any, size: int) -> bool:
    return size > 1 and isinstance(value, np.ndarray) and value.shape == (size,)


@pytest.mark.parametrize("name", CLASSES)
def test_counts_come_with_rates(name: str) -> None:
    columns = set(example(name).to_frame())
    rates = {"fpr", "tpr", "recall", "recall_gain", "at_zero"}
    assert name == "Costs" or not {"tp", "fp"} & columns or rates & columns


WIDE = {
    "RankScale": ["score", "rank"],
    "TreeScores": ["tree", "leaf", "value"],
    "ScoreBlocks": ["sample", "label", "score"],
    "NotRule": ["rule", "scores"],
    "GranularAreas": [
        *("delta", "auc_low", "auc_high"),
        *("approximation_ratio", "lambda_auc", "low_ratio", "high_ratio"),
    ],
    "CostSample": ["probability", "cost", "expected", "low", "high"],
    "CostDifferenceSample": [
        *("probability", "first_cost", "second_cost", "difference"),
        *("pvalue", "expected", "low", "high"),
    ],
    "RocHull": ["fpr", "tpr", "threshold", "classifier", "slope_low", "slope_high"],
    "CostCurve": ["probability", "cost", "fpr", "tpr", "threshold", "classifier"],
    "RulePath": ["fpr", "tpr", "rule"],
    "RuleScores": ["rule", "confidence", "positive"],
    "ConfidenceSegment": ["fpr", "tpr", "threshold", "difference", "low", "high", "inside"],
    "ConfusionMatrix": ["tpr", "fpr", "tp", "fp", "fn", "tn"],
    "PairedPopulation": ["score", "auc", "mean"],
    "SectionRepair": ["low", "high", "n_scores", "top"],
}


@pytest.mark.parametrize("name", WIDE)
def test_frames_have_the_columns_that_are_expected(name: str) -> None:
    assert list(example(name).to_frame()) == WIDE[name]


def test_what_was_chosen_is_read_at_a_glance() -> None:
    chosen = select.select_model(DATA, ("auc", "ks"))
    name = chosen.by("auc")
    assert repr(chosen).startswith(f"ModelChoice(auc: {name}, ks: ")
    assert re.search(rf"auc +{name} +0\.\d\d\d +1\n", str(chosen))
    searched = str(example("BooleanSearch"))
    assert "Combinations tried: " in searched
    assert re.search(r"never +0 +0\n", searched)
    rule = example("Selection")
    assert f"Chosen by: {rule.criterion}" in re.sub(" +", " ", str(rule))
    assert "Better models" in str(example("SelectionExperiment"))


def test_rows_of_frames_by_hand() -> None:
    blocks = BINORMAL.draw_blocks(1, 2, n_sim=2, rng=1)
    frame = blocks.to_frame()
    assert frame["sample"].tolist() == [0, 0, 0, 1, 1, 1]
    assert frame["label"].tolist() == [True, False, False] * 2
    assert frame["score"].tolist() == [
        *blocks.pos[0],
        *blocks.neg[0],
        *blocks.pos[1],
        *blocks.neg[1],
    ]
    several = simulate.paired_binormal((0.8, 0.7)).draw_blocks(1, 1, n_sim=1, rng=1)
    assert several.to_frame()["score_2"].tolist() == [several.pos[0, 0, 1], several.neg[0, 0, 1]]
    path = PATH.to_frame()
    assert path["rule"].tolist() == [str(rule) for rule in PATH.rules]
    hull_frame = HULL.to_frame()
    assert hull_frame["slope_low"].tolist() == [*HULL.slopes, 0]
    assert hull_frame["threshold"][0] == np.inf
    ranks = calibrate.fit_ranks(TABLE).to_frame()
    assert ranks["rank"].iloc[-1] == 0
    assert ranks["rank"].is_monotonic_decreasing


def test_a_curve_is_a_frame_of_rates() -> None:
    curve = rs.roc_curve(TABLE)
    frame = curve.to_frame()
    assert list(frame)[:3] == ["fpr", "tpr", "threshold"]
    assert frame["tpr"].tolist() == curve.tpr.tolist()


def test_frames_have_rates_beside_counts_and_every_score() -> None:
    assert list(curves.pr_curve(TABLE).to_frame())[:2] == ["recall", "precision"]
    assert list(DATA.to_frame()) == ["label", "a", "b"]
    assert list(rs.datasets.load("fawcett20").to_frame()) == ["label", "score"]
    assert list(costs.brier_curve(SHARE).to_frame())[:2] == ["fpr", "tpr"]
    assert list(curves.prg_curve(TABLE).to_frame())[:2] == ["recall_gain", "precision_gain"]
    assert list(select.select_model(DATA).to_frame()) == ["measure", "chosen", "n_tied", "a", "b"]
    assert list(example("ParameterRoc").to_frame()) == ["a", "fpr", "tpr", "on_front"]
    assert example("FileTables").to_frame()["n_pos"].tolist() == [10]
    assert list(counts.confusion_table(Y, Y).to_frame()) == ["label", "called 0", "called 1"]


@pytest.mark.parametrize(
    "statistic",
    [
        "auc",
        "youden",
        resampling.tpr_at(0.1),
        resampling.fpr_at(0.8),
        resampling.rate_at(0.5),
        resampling.partial_area(tpr=(0.8, 1), standardised=True),
        rs.ks,
    ],
    ids=["auc", "youden", "tpr_at", "fpr_at", "rate_at", "partial_area", "ks"],
)
def test_a_worker_gives_the_same_bootstrap(statistic: Any) -> None:
    here = resampling.bootstrap(TABLE, statistic, n_boot=40, rng=1)
    job = joblib.delayed(resampling.bootstrap)(TABLE, statistic, n_boot=40, rng=1)
    (there,) = joblib.Parallel(n_jobs=1, backend="multiprocessing")([job])
    for twin in (there, copy.deepcopy(here), pickle.loads(pickle.dumps(here))):
        assert twin == here
        assert twin.interval() == here.interval()
    assert pickle.loads(pickle.dumps(statistic)) == statistic


def test_a_difference_travels_with_its_parts() -> None:
    here = resampling.bootstrap(DATA, resampling.difference(), n_boot=40, rng=1)
    assert pickle.loads(pickle.dumps(here)).interval() == here.interval()


def test_a_table_owns_and_checks_its_columns() -> None:
    score, pos, neg = np.array([2.0, 1.0]), np.array([1, 2]), np.array([0, 3])
    table = counts.ScoreTable(score, pos, neg)
    pos[0] = 99
    assert table.pos.tolist() == [1, 2]
    assert pos.flags.writeable
    assert counts.ScoreTable(score.astype("f4"), pos, neg).score.dtype == "f4"
    with pytest.raises(ValueError, match="pos holds"):
        counts.ScoreTable(score, np.array([1, -1]), neg)
    with pytest.raises(ValueError, match="fall from row to row"):
        counts.ScoreTable(score[::-1], pos, neg)
    with pytest.raises(ValueError, match="Lengths differ"):
        counts.ScoreTable(score, pos[:1], neg)


def test_locked_arrays_stay_locked() -> None:
    mine = np.arange(3.0)
    locked = read_only(mine)
    mine[0] = 7
    assert locked[0] == 0
    assert np.shares_memory(read_only(locked), locked)
    whole = np.arange(6)
    part = own(whole[::2])
    for array in (part, locked):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_estimates_read_as_numbers_and_name_what_is_meant() -> None:
    estimate = rs.delong(TABLE)
    low, high = estimate.interval()
    assert float(estimate) == estimate.value
    assert f"{estimate:.3f}" == f"{estimate.value:.3f}"
    assert f"{estimate}" == str(estimate)
    assert low < float(estimate) < high
    for wrong, right in {"ci": "interval", "std": "se"}.items():
        with pytest.raises(AttributeError, match=right):
            getattr(estimate, wrong)
    with pytest.raises(AttributeError, match="pvalue"):
        rs.auc_test(TABLE).p  # noqa: B018


def test_a_test_shows_its_whole_name() -> None:
    """What it is called says how it was computed, so the line is not cut there."""
    shown = repr(rs.auc_difference(DATA).test())
    assert "method='delong, discordance'" in shown
    assert "..." not in shown
    assert "alternative='less'" in repr(rs.auc_difference(DATA).test(alternative="less"))


@pytest.mark.parametrize("name", CLASSES)
def test_what_is_printed_fits_a_terminal_and_shows_no_code(name: str) -> None:
    shown = str(example(name))
    assert "<function" not in shown
    lines = [line for line in shown.splitlines() if len(line) > 80]
    path = [line for line in lines if line.startswith("  Path:")]  # not broken
    assert lines == path


def printed(result: Any) -> list[list[str]]:
    """Return the words of each line that is printed."""
    return [line.split() for line in str(result).splitlines()]


def test_a_result_with_rows_prints_them() -> None:
    kinds = designs.covariate_thresholds(BY_AGE, {"age": [1, 5]}, fpr=0.2)
    assert printed(kinds)[-3:] == [
        ["age", "threshold"],
        *[[f"{age}", f"{at:.6g}"] for age, at in zip([1, 5], kinds.threshold, strict=True)],
    ]
    curve = costs.decision_curve(SHARE)
    n = len(curve.threshold)
    lines = printed(curve)
    assert ["Rows:", f"{n},", "of", "which", "8", "are", "shown"] in lines
    assert [line[0] for line in lines[-8:]] == [
        f"{x:.6g}" for x in curve.threshold[np.linspace(0, n - 1, 8).round().astype(int)]
    ]
    deciles = curves.gains_table(TABLE)
    assert len(printed(deciles)[-10:]) == len(deciles.depth)
    assert "More columns: " in str(deciles)


def test_p_values_and_levels_print_as_everywhere() -> None:
    found = compare.equivalence_test(rs.auc_difference(DATA), 0.9)
    assert ["p:", pvalue(found.pvalue)] in printed(found)
    assert ["Level:", "95", "%"] in printed(calibrate.calibration_curve(SHARE))


def test_a_table_of_several_classes_prints_its_counts() -> None:
    true, called = ["a", "a", "b", "a long name"], ["a", "b", "b", "a"]
    assert printed(counts.confusion_table(true, called))[1:] == [
        ["Cases:", "4"],
        ["Classes:", "3"],
        ["Accuracy:", "0.500"],
        ["Cases", "of,", "called", "a", "a", "long...", "b"],
        ["a", "1", "0", "1"],
        ["a", "long...", "1", "0", "0"],
        ["b", "0", "0", "1"],
    ]
    many = printed(counts.confusion_table(np.arange(1000) % 50, np.arange(1000) % 40))
    assert many[-8][-2:] == ["5", "..."]
    assert many[-1] == ["and", "44", "more"]


def test_a_bootstrap_prints_its_error_and_the_interval_that_it_returns() -> None:
    single = example("BootstrapSample")
    low, high = single.interval()
    shown = str(single)
    assert re.search(rf"Standard error: +{single.se:.3f}\n", shown)
    assert re.search(rf"95.% interval: +{low:.3f} to {high:.3f}\n", shown)
    assert re.search(rf"Interval: +{single.interval().method}\n", shown)
    several = resampling.bootstrap(TABLE, resampling.tpr_at([0.2, 0.5]), n_boot=50, rng=1)
    low, high = several.intervals()[0]
    value, error = several.value[0], several.se[0]
    assert printed(several)[-2] == f"{value:.3f} {error:.3f} {low:.3f} to {high:.3f}".split()
