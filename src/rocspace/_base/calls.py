"""Check the arguments of a call, and answer a wrong call with the line to write."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial, update_wrapper
from os import PathLike
from types import FunctionType
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar, cast, get_args, get_origin

import numpy as np

from rocspace._base.checks import check_choice, check_level
from rocspace._base.errors import Argument, ArgumentError
from rocspace._base.kinds import KindError, is_ours, misfit, no_number
from rocspace._base.words import nearest, shown

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C")

_FRAME = 'say tabulate_frame(df, label="y", score="s")'
_FILE = 'say rocspace.io.tabulate_file(path, label="y").tables["s"]'
COUNTS = (
    "the four counts as one object, not labels or numbers: say {0}(confusion_matrix(y_true, "
    "y_pred)), or {0}(ConfusionMatrix(tp=5, fp=1, fn=5, tn=9))"
)
"""What a measure takes, for messages; to be formatted with its name."""

_AT_MOST = 'say criterion="tpr", subject_to=rocspace.operating.Constraint("selected", "<=", 500)'
_AT_LEAST = 'say criterion="precision", subject_to=rocspace.operating.Constraint("tpr", ">=", 0.9)'
_COSTS = "say costs=dict(fp=1, fn=20)"
_SEVERAL = "say rocspace.multiclass.one_vs_rest(multiclass_scores(y_true, scores))"
_CLUSTER = (
    'clusters belong to the cases: say pair_scores(y_true, {"a": a, "b": b}, cluster=patient)'
)
_CLUSTERED = (
    "say rocspace.inference.clustered_auc_estimate("
    'pair_scores(y_true, {"a": a}, cluster=patient), "a")'
)
# How cases are put together, by the class of the object that has them.
_MADE_BY = {
    "PairedScores": 'pair_scores(y_true, {"a": a, "b": b})',
    "SurvivalScores": 'survival_scores(time, status, {"a": a, "b": b})',
    "CovariateScores": 'covariate_scores(y_true, {"a": a, "b": b}, {"age": age})',
    "VerifiedScores": 'verified_scores(y_true, {"a": a, "b": b})',
    "MulticlassScores": "multiclass_scores(y_true, scores)",
    "OrderedScores": "ordered_scores(y_true, scores, order)",
}
# How each result that is drawn is made of a table, or else of what.
MADE_OF_TABLE = {
    "AucComparison": "compare_aucs(data)",
    "AverageCurve": "vertical_average(tables)",
    "Band": "roc_band(table)",
    "BayesErrorCurve": "bayes_error_curve(table)",
    "ClassDecisions": "point_at(table, 0.5)",
    "CostCurve": "cost_curve(table)",
    "CalibrationCurve": "calibration_curve(table)",
    "Curve": "roc_curve(table)",
    "DecisionCurve": "decision_curve(table)",
    "DetCurve": "det_curve(table)",
    "GainsCurve": "gains_curve(table)",
    "IsotonicCalibration": "fit_isotonic(table)",
    "GranularRoc": "groc(table, delta)",
    "PrBand": "pr_band(table)",
    "PrCurve": "pr_curve(table)",
    "PrgCurve": "prg_curve(table)",
    "RateDrivenCurve": "rate_driven_curve(table)",
    "RelativeValueCurve": "relative_value_curve(table)",
    "RocCurve": "roc_curve(table)",
    "RocHull": "roc_hull(table)",
    "SummaryRoc": "fit_summary_roc(tp, fp, fn, tn)",
    "ScoreTable": "tabulate(y_true, y_score)",
}
# Arguments of other packages; what to say here instead.
_INSTEAD = {
    "label": _FRAME,
    "score": _FRAME,
    "data": _FRAME,
    "cost_fp": _COSTS,
    "cost_fn": _COSTS,
    "false_positive": _COSTS,
    "false_negative": _COSTS,
    "direction": "say higher_is_positive=False where smaller scores are more positive",
    "levels": "say pos_label=, the label that is positive",
    "labels": "say pos_label=, the label that is positive",
    "max_fpr": "say partial_auc(table, fpr=(0, 0.1), standardised=True), which is scikit-learn's; "
    "without standardised it is the area itself",
    "partial_auc": "say partial_auc(table, fpr=(0, 0.1))",
    "labelCol": _FRAME,
    "rawPredictionCol": _FRAME,
    "cases": "say tabulate(y_true, y_score), with one label for each score",
    "controls": "say tabulate(y_true, y_score), with one label for each score",
    "response": "say tabulate(y_true, y_score)",
    "predictor": "say tabulate(y_true, y_score)",
    "y_pred": "say y_score=",
    "percent": "rates are shares in [0, 1]",
    "threshold": "say evaluate(table, 0.5)",
    "paired": "paired scores are one object, pair_scores(y_true, {...}); tables are independent",
    "ci": "bands are drawn beside a curve: plot_band(roc_band(table), ax=ax)",
    "band": "bands are drawn beside a curve: plot_band(roc_band(table), ax=ax)",
    "cluster": _CLUSTER,
    "clusters": _CLUSTER,
    "col": "say color=...",
    "colour": "say color=...",
    "title": 'say .set_title("...") of the axes that it returns',
    "figsize": "say ax=, such as of fig, ax = matplotlib.pyplot.subplots(figsize=(4, 4))",
    "print_auc": 'the legend says the area of a curve with a label: label="model"',
    "average": _SEVERAL,
    "multi_class": _SEVERAL,
    "conf_level": "the level is chosen afterwards, as in .interval(0.95)",
    "level": "the level is chosen afterwards, as in .interval(0.95)",
    "power": "say .for_power(0.8) of the plan",
    "method": "a test has distribution=, an interval scale=",
    "hull": "say plot_hull(roc_hull(table), ax=ax)",
    "min": _AT_LEAST,
    "recall": _AT_LEAST,
    "min_recall": _AT_LEAST,
    "min_tpr": _AT_LEAST,
    "min_sensitivity": _AT_LEAST,
    "max_selected": _AT_MOST,
    "top_k": _AT_MOST,
    "budget": _AT_MOST,
    **dict.fromkeys(
        ("marker", "markers"), "say y_scores=, the scores of the cases, such as {'a': a}"
    ),
    "quiet": "say progress=False where there is one; warnings are those of Python's warnings",
    "pos_class": "say pos_label= in tabulate, the label that is positive",
    "positive": "say pos_label=, the label that is positive",
    "exact": "say tolerance=0, or for all thresholds max_rows=, as many as there may be scores",
    "ratio": "say prevalence=, the share of positives",
    "drop_intermediate": 'say collinear="drop"; by default no point is left out',
    **dict.fromkeys(
        ("na_rm", "na_action", "nan_policy", "dropna", "skipna"),
        'say missing="omit", which leaves out what misses a value',
    ),
    **dict.fromkeys(
        ("sig_level", "significance_level"), "say .for_power(0.8, significance=0.05) of the plan"
    ),
    "plot_chance_level": "the diagonal is drawn anyhow",
    "chance_level_kw": "the diagonal is drawn anyhow, and is ax.lines[0]",
    "n_bins": "say bins= in rocspace.calibrate.calibration_curve(table, bins=10), which "
    "plot_calibration draws",
    "strategy": 'say calibration_curve(table, bins=10, strategy="uniform"), which plot_calibration '
    "draws",
}
_OF_FUNCTION = {  # what to say of an argument in one function only
    ("ThresholdClassifier", "threshold"): "it chooses one by criterion= or costs=. For a threshold "
    "that you know say sklearn.model_selection.FixedThresholdClassifier(model, threshold=0.15)",
    (
        "optimal_cut",
        "smooth",
    ): "a fit is smooth already. Of a criterion smoothed over the thresholds "
    "of a sample say optimal_points(table, smooth=5)",
    **{
        (
            "optimal_points",
            key,
        ): 'what is best is criterion="youden" and the like; it is smoothed over the thresholds, '
        "such as by cutpointr's maximize_spline_metric, with smooth=5 degrees of freedom"
        for key in ("method", "df", "spar", "degrees", "smoothing", "nknots")
    },
    ("cv_auc_estimate", "cv"): "say cv_auc_estimate(cv_tables(cv_results, X, y)), of the result of "
    "cross_validate(..., return_estimator=True, return_indices=True)",
    **{
        (name, key): _CLUSTERED
        for name in ("delong", "auc_estimate")
        for key in ("cluster", "clusters")
    },
    **dict.fromkeys(
        (("difference_band", "names"), ("resample_cost_difference", "names")),
        'say first="a", second="b"',
    ),
    **dict.fromkeys(
        [("venkatraman_test", key) for key in ("n_boot", "boot_n", "B", "R", "n")],
        "say n_perm=, for it permutes",
    ),
    ("test", "method"): "say distribution=, such as 'normal'; other tests are "
    "rocspace.compare.bootstrap_difference and venkatraman_test",
    **dict.fromkeys(
        [
            ("optimal_points", key)
            for key in ("boot_runs", "n_boot", "boot_n", "ci_fit", "conf_level")
        ],
        "say threshold_bootstrap(table), with an interval of the threshold",
    ),
    **dict.fromkeys(
        [("optimal_points", key) for key in ("min_constrain", "constrain_metric", "constraint")],
        _AT_LEAST,
    ),
    ("optimal_points", "use_midpoints"): "any threshold between .threshold and .next_score of a "
    "point makes the same decisions",
    **dict.fromkeys(
        [(name, "cv") for name in ("fold_tables", "tabulate", "pair_scores")],
        "say fold_tables(y_true, y_score, fold), with the fold in which each case was tested",
    ),
    **dict.fromkeys(
        [("pair_scores", key) for key in ("fold", "folds")],
        "say fold_tables(y_true, y_score, fold) of each score",
    ),
    ("tabulate_frame", "y"): "say label=",
    **{
        (f"fit_{name}", "method"): "each way to fit has a name of its own, as fit_binormal, "
        "fit_labroc, fit_proper and fit_kernel have"
        for name in ("binormal", "roc", "kernel", "proper", "labroc", "rating")
    },
    **dict.fromkeys(
        [("h_measure", key) for key in ("severity_ratio", "cost_ratio", "sr")],
        "say severity=, how many false negatives a false positive is as bad as",
    ),
    **dict.fromkeys(
        (("conditional_roc", "age"), ("conditional_roc", "newdata")), "say at={'age': 50}"
    ),
    **dict.fromkeys(
        [("auc_over_time", key) for key in ("iid", "weighting")],
        "errors are always those of the influence functions; weights are Kaplan and Meier's, "
        "within strata= of survival_scores, or uncensored=",
    ),
    **{
        ("plan_rate", key): "say .for_width(0.1) of the plan, of a half-width of 0.1"
        for key in ("width", "precision", "half_width", "margin", "delta")
    },
    ("compare_aucs", "pairs"): "of one pair say auc_difference(data, first, second), of all with "
    "one say reference=",
    ("reclassification", "threshold"): "say cuts=0.5, or cuts=[0.1, 0.3] of three groups",
    **dict.fromkeys(
        (("plan_paired", "correlation"), ("plan_area", "correlation")),
        "of two areas say plan_difference(0.85, 0.8, correlation=0.5)",
    ),
    ("pr_curve", "prevalence"): "say pr_curve(reweight(table, prevalence=0.01))",
    ("average_precision", "prevalence"): "say average_precision(reweight(table, prevalence=0.01))",
    ("add_iso_performance", "slopes"): "draw them one by one: slope=1",
    (
        "plot_roc",
        "labels",
    ): 'name curves by a mapping, plot_roc({"first": curve, "second": other}), '
    'and one alone by label="first"',
    ("multiclass_scores", "labels"): "say classes=, the classes in the order of the columns",
    ("roc_curve", "numBins"): 'say collinear="drop" for fewer points',
    **{
        (name, key): f"say delong({table}).interval(0.95)"
        for name, table in (("auc_score", "tabulate(y_true, y_score)"), ("auc", "table"))
        for key in ("ci", "return_ci", "conf_level", "confidence", "alpha", "level")
    },
    **dict.fromkeys(
        (("tpr_at_interval", "specificity"), ("tpr_at", "specificity")),
        "a specificity of 0.9 is a false positive rate of 0.1: say fpr=0.1",
    ),
    **dict.fromkeys(
        (("partial_auc", "specificity"), ("partial_auc", "focus")),
        "say fpr=(0, 0.1) for specificities from 0.9 to 1, or tpr=(0.9, 1) for sensitivities",
    ),
    **dict.fromkeys(
        (("partial_auc", "correct"), ("partial_auc", "partial_auc_correct")),
        "say standardised=True",
    ),
    ("threshold_bootstrap", "smooth"): "its interval is of a criterion that is maximised. Of a "
    "smoothed one say bootstrap(table, lambda t: optimal_points(t, smooth=5)[0].threshold)",
    **{
        ("point_at", rate): f"say rocspace.operating.point_at_{rate}(table, 0.1)"
        for rate in ("fpr", "tpr")
    },
    ("bootstrap", "stratified"): 'say scheme="unstratified" for the other scheme; classes are '
    "resampled apart by default",
    ("partial_auc_estimate", "standardised"): "its estimate is of the area itself; of the "
    "standardised one say bootstrap(table, lambda t: partial_auc(t, fpr=(0, 0.1), "
    "standardised=True))",
    ("interval", "alpha"): "say level=0.95, one minus alpha",
    ("test", "margin"): "say noninferiority_test(difference, 0.05), or equivalence_test, of "
    "rocspace.compare",
    **dict.fromkeys(
        [(name, "margin") for name in ("plan_difference", "plan_paired", "plan_from_pilot")],
        "say null_difference=-0.05, and .for_power(0.8, alternative='greater') of the plan",
    ),
    **dict.fromkeys(
        [
            (name, key)
            for name in ("plan_area", "plan_difference", "plan_paired", "plan_from_pilot")
            for key in ("n_pos", "n", "n_neg", "cases", "n_cases", "ncases", "ncontrols")
        ],
        "say .for_cases(40).power of the plan, of 40 positives",
    ),
    ("interval", "method"): "say scale=; Wald's interval, which DeLong's is usually printed with, "
    'is scale="identity"',
}
_GREY = 'dashes tell curves apart without colour: say color="black", or linestyle= of one'
_OF_PLOTS = {  # and in those that draw
    **dict.fromkeys(("grey", "gray", "greyscale", "grayscale", "black", "bw"), _GREY),
    "style": 'say with rocspace.plot.style("single"): around it, for a column of a journal',
    "legacy_axes": "the x axis is the false positive rate, which is one minus specificity",
    **dict.fromkeys(("lwd", "size"), "say linewidth=2"),
    "lty": 'say linestyle="--"',
    **dict.fromkeys(("xlab", "ylab"), 'say .set_xlabel("...") of the axes that it returns'),
    **dict.fromkeys(("xlim", "ylim"), "say .set_xlim(0, 0.2) of the axes that it returns"),
    "main": 'say .set_title("...") of the axes that it returns',
    **dict.fromkeys(
        ("print_thres", "print_thresholds", "print_cutoffs_at", "thresholds"),
        "say rocspace.plot.add_thresholds(curve, [0.2, 0.5], ax=ax) afterwards",
    ),
    **dict.fromkeys(
        ("auc_polygon", "max_auc_polygon", "fill"),
        "say .fill_between(curve.fpr, curve.tpr, alpha=0.2) of the axes that it returns",
    ),
    "add": "say ax=, the axes that the first plot returned",
    "legend": "the legend shows a curve with a label; say .get_legend().remove() of the axes that "
    "it returns",
    **dict.fromkeys(
        ("filename", "fname", "path", "save", "savefig", "file", "output"),
        'say .figure.savefig("roc.svg") of the axes that it returns',
    ),
}
_OF_LINES = ("alpha", "color", "label", "linestyle", "linewidth", "marker", "markersize")
_LABELS_AND_COUNTS = {"y_true", "y_pred", "y_score", "tp", "fp", "fn", "tn"}
# Arguments of other packages; ours for the same thing, where a function has it.
_OURS = {
    "alpha": "level",
    **dict.fromkeys(("actual", "truth", "y", "y_test", "gold"), "y_true"),
    **dict.fromkeys(
        ("predicted", "predictions", "y_prob", "y_proba", "y_hat", "probas", "scores"), "y_score"
    ),
    "auc": "area",
    **dict.fromkeys(("B", "R", "boot_runs", "nboot", "n_bootstrap"), "n_boot"),
    **dict.fromkeys(("Stime", "T", "survival_time", "duration", "durations"), "time"),
    **dict.fromkeys(("delta", "event", "events", "censored"), "status"),
    **dict.fromkeys(("cutpoint", "cutoff", "cut_off"), "threshold"),
    **dict.fromkeys(("bw", "h"), "bandwidth"),
    **dict.fromkeys(("y_col", "label_col", "outcome"), "label"),
    **dict.fromkeys(("tau", "t_max", "truncation"), "until"),
    "methods": "criterion",
    **dict.fromkeys(("predict_time", "horizon", "eval_times"), "at"),
    **dict.fromkeys(("correction", "adjustment", "p_adjust", "multiple_testing"), "adjust"),
    "nan": "missing",
    "boot_n": "n_boot",
    "conf_level": "level",
    "confidence": "level",
    "confidence_level": "level",
    "group": "by",
    "sig_level": "significance",
    "kappa": "ratio",
    "metric": "criterion",
    "models": "estimators",
    "method": "distribution",
    "n": "n_boot",
    "n_bootstraps": "n_boot",
    "n_permutations": "n_perm",
    "n_resamples": "n_boot",
    "random_state": "rng",
    "samples": "grid",
    "score_col": "score",
    "scoring": "criterion",
    "seed": "rng",
    "subgroup": "by",
    "times": "at",
    "target": "label",
    "weights": "sample_weight",
}


def explained(
    function: Callable[P, R],
    first: Callable[[str, Any], None] | None = None,
    *,
    checked: bool = True,
) -> Callable[P, R]:
    """Let a function check the arguments that their names and annotations describe.

    A call that does not fit the parameters is answered with the line to write. A word must be one
    of its parameter's ``Literal``, a ``level`` strictly between 0 and 1; `first` checks the first
    argument, given the function's name. Without `checked` only a call that does not fit is
    answered. Where a call fails by an error that is not ours, the first argument that is not of the
    kind of its annotation is named.
    """

    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            if checked and (kwargs or len(args) > 1):
                check(plain, args, kwargs)
            if first is not None and (args or name in kwargs):
                first(plain.__name__, args[0] if args else kwargs[name])
            return plain(*args, **kwargs)
        except Exception as error:
            said = reason(plain, args, kwargs, error)
            if said is None:
                raise
        raise said

    plain, check, reason = cast("FunctionType", function), _check, _reason
    name = (*plain.__code__.co_varnames, "")[0]
    # In the globals of the function, so that doctest takes it for one of its module.
    same = FunctionType(
        called.__code__, plain.__globals__, plain.__name__, None, called.__closure__
    )
    return cast("Callable[P, R]", update_wrapper(same, plain))


def _reason(
    function: FunctionType, args: Sequence[Any], given: Mapping[str, Any], error: Exception
) -> TypeError | None:
    """Return the error that says what is wrong with a call that failed; None to leave it."""
    if isinstance(error, TypeError | ValueError | AttributeError):
        said = (
            _unfit(function, args, given)
            or _passed_on(function.__name__, given, error)
            or _turned(function, args)
        )
        if said:
            return TypeError(said)
    if isinstance(error, KindError) or not is_ours(error) or _is_of(error, args, given):
        said = misfit(function, args, given, error) or no_number(function, args, given, error)
        if said:
            return KindError(said + _made_with(function, said))
    return None


def _made_with(function: FunctionType, said: str) -> str:
    """Return how to make the right first argument, to end a message; "" if unknown."""
    first = next(iter(inspect.signature(function).parameters.values()))
    if function.__name__ == "point_at" and " as threshold, not [" in said:
        return " Of several thresholds: evaluate(table, thresholds)."
    if "takes a ScoreTable as table" in said:
        return " Make it with tabulate(y_true, y_score)."
    lacking = f" as {first.name}, not " in said
    made = _MADE_BY.get(str(first.annotation)) if lacking else None
    return f" Make it with {made}." if made else ""


def _is_of(error: Exception, args: Sequence[Any], given: Mapping[str, Any]) -> bool:
    """Tell whether an argument lacks an attribute, and its error gives no advice."""
    asked = getattr(error, "obj", None)
    among = any(each is asked for each in (*args, *given.values()))
    return isinstance(error, AttributeError) and among and ". " not in str(error)


def explained_methods(cls: type[C]) -> type[C]:
    """Let the public methods of a class check their arguments; see `explained`."""
    for name, method in list(vars(cls).items()):
        plain = method.__func__ if isinstance(method, classmethod) else method
        if not inspect.isfunction(plain) or hasattr(plain, "__wrapped__"):
            continue
        if name[0] != "_" or (name == "__init__" and "_made" not in vars(cls)):
            made: Any = explained(plain, checked=name != "__init__")
            setattr(cls, name, made if plain is method else classmethod(made))
    return cls


@cache
def _words(function: FunctionType) -> dict[str, tuple[object, ...]]:
    """Return the words that each parameter takes whose annotation is a `Literal` of them."""
    found = {}
    for name, annotation in function.__annotations__.items():
        try:
            meant = eval(annotation, function.__globals__)
        except NameError:  # imported for those who check types only
            continue
        if get_origin(meant) is Literal:
            found[name] = get_args(meant)
    return found


@cache
def _flags(function: FunctionType) -> frozenset[str]:
    """Return the parameters that are True or False, but for directions, which say more."""
    found = {name for name, each in function.__annotations__.items() if each == "bool"}
    return frozenset(found - {"higher_is_positive", "return"})


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(Argument(name), f" is {shown(value)}, but must be True or False.")


Verify: TypeAlias = Callable[[str, Any], None]
_Checks: TypeAlias = tuple[list[tuple[int, str, Verify]], dict[str, Verify]]


@cache
def _checks(function: FunctionType) -> _Checks:
    """Return the checks of parameters: of those by position, and of all by name."""
    code, by_name = function.__code__, dict[str, Verify]()
    words, flags = _words(function), _flags(function)
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name in words:
            by_name[name] = partial(_check_word, words[name])
        elif name in flags:
            by_name[name] = _check_flag
        elif name == "level":
            by_name[name] = _check_level
    names = code.co_varnames[: code.co_argcount]
    by_place = [(i, name, by_name[name]) for i, name in enumerate(names) if name in by_name]
    return by_place, by_name


def _check_word(words: tuple[object, ...], name: str, value: object) -> None:
    check_choice(name, value, words)


def _check_level(name: str, value: Any) -> None:
    check_level(value)


def _check(function: FunctionType, args: Sequence[Any], given: Mapping[str, Any]) -> None:
    """Check the words of a call, and its level."""
    by_place, by_name = _checks(function)
    for i, name, verify in by_place:
        if i < len(args):
            verify(name, args[i])
    for name, value in given.items():
        if name in by_name:
            by_name[name](name, value)


def _unfit(function: FunctionType, args: Sequence[Any], given: Mapping[str, Any]) -> str:
    """Say why a call does not fit its function's parameters; "" if it does."""
    try:
        inspect.signature(function).bind(*args, **given)
    except TypeError as error:
        return _said(function, args, given, str(error))
    return ""


def _passed_on(name: str, given: Mapping[str, Any], error: Exception) -> str:
    """Say which argument was passed on, such as a property of a line, and is unknown there."""
    found = re.search(r"unexpected keyword argument '(\w+)'", str(error))
    return _unknown(name, found[1], _OF_LINES) if found and found[1] in given else ""


def _turned(function: FunctionType, args: Sequence[Any]) -> str:
    """Say that the labels come first, where several scores stand in their place; "" elsewhere."""
    name, names = function.__name__, function.__code__.co_varnames
    if len(args) < 2 or names[:2] not in (("y_true", "y_scores"), ("y_true", "scores")):
        return ""
    if not _is_several(args[0]) or _is_several(args[1]):
        return ""
    second = '{"a": a, "b": b}' if names[1] == "y_scores" else "scores"
    line = f"{name}(y_true, {second})"
    return f"{name} takes the labels first, then the scores: say {line}."


def _is_several(value: Any) -> bool:
    shape = getattr(value, "shape", ())
    return isinstance(value, Mapping) or (
        isinstance(shape, tuple) and len(shape) == 2 and shape[1] > 1
    )


def _unknown(name: str, argument: str, known: Iterable[str] = ()) -> str:
    """Say that a function has no such argument, and what to write instead."""
    ours, hint = _OURS.get(argument), _INSTEAD.get(argument)
    if ours == "criterion" and "measure" in known:
        ours = "measure"
    if ours and ours in known:
        hint = f"say {ours}=..."
    if name.startswith("plot_"):
        hint = _OF_PLOTS.get(argument, hint)
    hint = _OF_FUNCTION.get((name.rpartition(".")[2], argument), hint)
    return f"{name} has no argument {argument!r}{f': {hint}.' if hint else '.'}" + (
        "" if hint else nearest(argument, known)
    )


def _said(
    function: Callable[..., Any], args: Sequence[Any], given: Mapping[str, Any], error: str
) -> str:
    known = dict(inspect.signature(function).parameters)
    name, first = function.__name__, next(iter(known), "")
    if first == "self":
        del known[first]
        name, args, first = function.__qualname__.removesuffix(".__init__"), args[1:], ""
        if "y_true" in known and any(map(_is_frame, args)):
            line = f'.{function.__name__}(df["y"], df["s"])'
            return f"{name} takes labels and scores, not a data frame: say {line}."
    if first == "c" and _lacks_counts(args, given):
        return f"{name} takes {COUNTS.format(name)}."
    if first == "table" and (said := _for_table(name, args, given)):
        return said
    if {"score", "pos", "neg"} <= given.keys() - known.keys():
        return f"{name} takes cases one by one. Of counts: ScoreTable.from_counts(score, pos, neg)."
    unknown = [key for key in given if key not in known]
    if unknown and not any(one.kind is one.VAR_KEYWORD for one in known.values()):
        return _unknown(name, unknown[0], known)
    return (
        _for_model(name, first, args)
        or _for_cases(name, known, args)
        or _for_curve(name, known, args)
        or _twice(name, list(known), args, given)
        or _by_name(name, known, args, given)
        or error
    )


def _for_model(name: str, first: str, args: Sequence[Any]) -> str:
    """Say what to give instead of a model; "" if none was given."""
    if not (args and hasattr(args[0], "get_params")):
        return ""
    if first == "measure":
        return f'{name} takes the name of a measure, not a model: say scoring={name}("auc").'
    if first in ("y_true", "table"):
        return (
            f"{name} takes {'labels and scores' if first == 'y_true' else 'a table'}, not a model: "
            'say scoring=rocspace.estimators.scorer("auc").'
        )
    if first == "data":
        return (
            f"{name} takes scores, not models. Say {name}(pair_scores(y_true, "
            '{"a": a.predict_proba(X)[:, 1], "b": b.predict_proba(X)[:, 1]})), or compare learners '
            'by rocspace.estimators.compare_estimators({"a": a, "b": b}, X, y).'
        )
    return ""


def _for_cases(name: str, known: Mapping[str, inspect.Parameter], args: Sequence[Any]) -> str:
    """Say how to give labels and scores, or the object that holds them; "" if that is not wrong."""
    first = next(iter(known), "")
    if name == "cv_auc_estimate" and len(args) > 1:
        return f"{name} takes one table for each fold: {_OF_FUNCTION[name, 'cv']}."
    if name == "confusion_matrix" and len(args) > 2:
        return f"{name} takes true and predicted labels. At a threshold: evaluate(table, 0.5)."
    if first == "y_true" and any(map(_is_frame, args)):
        line = f'say {name}(df["y"], df[["a", "b"]])' if "y_scores" in known else _FRAME
        return f"{name} takes labels and scores, not a data frame: {line}."
    if first == "y_true" and len(args) == 1 and hasattr(args[0], "tpr_at"):
        return f"{name} takes labels and scores, not a curve: say curve.auc."
    if first == "y_true" and len(args) == 1 and isinstance(args[0], str | PathLike):
        return f"{name} takes labels and scores, not the name of a file: {_FILE}."
    if len(args) > 2 and isinstance(args[2], int) and "n_boot" in known:
        return f"{name} takes a number of samples by name: say n_boot={args[2]}."
    if first == "data" and len(args) > 1 and not _is_cases(args[0]):
        made = _made_by(known[first])
        if name == "bootstrap":
            named = len(args) > 2 and isinstance(args[2], str)
            statistic = shown(args[2]) if named else '"auc"'
            made = f"tabulate(y_true, y_score), {statistic}"
            return f"{name} takes a table, not labels and scores. Say {name}({made})."
        if name.startswith("clustered"):
            made = f"{made.removesuffix(')')}, cluster=patient)"
        return f"{name} takes scores of the same cases as one object. Say {name}({made})."
    if first == "tp" and len(args) == 1:
        four = ("tp", "fp", "fn", "tn")
        line = ", ".join(f'df["{n}"]' if _is_frame(args[0]) else f"m.{n}" for n in four)
        return f"{name} takes the four counts of each study one by one: say {name}({line})."
    if first == "difference" and args and _is_cases(args[0]):
        return f'{name} takes a difference: say {name}(auc_difference(data, "a", "b"), 0.05).'
    if known.keys() >= {"y_true", "y_scores"} and len(args) > 2:
        return (
            f'{name} takes several scores as one mapping: say {name}(y_true, {{"a": a, "b": b}}).'
        )
    return ""


def _for_curve(name: str, known: Mapping[str, inspect.Parameter], args: Sequence[Any]) -> str:
    """Say how to give one curve, or several, and the axes; "" if that is not wrong."""
    first = next(iter(known), "")
    if name.startswith(("plot_", "add_")) and any(hasattr(each, "get_figure") for each in args[1:]):
        return f"{name} takes axes by name: say ax=ax."
    if first == "curve" and len(args) > 1 and all(hasattr(each, "tpr_at") for each in args):
        return f'{name} takes several curves as one mapping: say {name}({{"a": a, "b": b}}).'
    kinds = re.findall(r"\w+", str(known[first].annotation)) if first else []
    kind = next((each for each in kinds if each in MADE_OF_TABLE), "")
    kind = "Curve" if first == "classifiers" else kind
    if kind and len(args) > 1 and not hasattr(args[0], "_kind"):
        made = MADE_OF_TABLE[kind].replace("(table", "(tabulate(y_true, y_score)")
        made = made.replace("(data", f"({_MADE_BY['PairedScores']}")
        what = "a curve" if kind.endswith("Curve") else "a result"
        return f"{name} takes {what}, not labels and scores. Say {name}({made})."
    return ""


def _is_cases(value: Any) -> bool:
    """Tell whether a value is one of our objects that hold cases, such as `PairedScores`."""
    return any(kind.__name__ in _MADE_BY for kind in type(value).__mro__)


def _made_by(parameter: inspect.Parameter) -> str:
    """Return the call that puts together what a parameter takes, by its annotation."""
    kinds = re.findall(r"\w+", str(parameter.annotation))
    return next((_MADE_BY[kind] for kind in kinds if kind in _MADE_BY), _MADE_BY["PairedScores"])


def _lacks_counts(args: Sequence[Any], given: Mapping[str, Any]) -> bool:
    if args and all(hasattr(args[0], each) for each in ("tp", "fp", "fn", "tn")):
        return False
    return len(args) > 1 or bool(given.keys() & _LABELS_AND_COUNTS)


def _for_table(name: str, args: Sequence[Any], given: Mapping[str, Any]) -> str:
    """Say how to make the table that a function takes, of what it was given in its place."""
    if args and hasattr(args[0], "get_params"):
        return ""  # a model
    if given.keys() & {"y_true", "y_score", "pos_label", "sample_weight"}:
        more = f", pos_label={given['pos_label']!r}" if "pos_label" in given else ""
        more += ", sample_weight=..." if "sample_weight" in given else ""
        return (
            f"{name} takes a ScoreTable, not labels and scores. "
            f"Say {name}(tabulate(y_true, y_score{more}))."
        )
    if args and _is_frame(args[0]):
        return f"{name} takes a ScoreTable, not a data frame: {_FRAME}."
    if len(args) > 1 and not hasattr(args[0], "n_pos"):
        rest = "".join(f", {shown(each)}" for each in args[2:] if isinstance(each, int | float))
        said = f"{name}(tabulate(y_true, y_score){rest})"
        if name == "auc":  # of the rates, elsewhere
            said = f"auc_score(y_true, y_score), {said}, or curve.auc of a curve"
        if name in ("delong", "auc_estimate") and len(args) > 2 and np.ndim(args[2]):
            said += ', and of two scores auc_difference(pair_scores(y_true, {"a": a, "b": b}))'
        return f"{name} takes a ScoreTable, not labels and scores. Say {said}."
    return ""


def _is_frame(value: Any) -> bool:
    return hasattr(type(value), "columns")  # of its class: a lazy frame would look for its columns


def _twice(name: str, known: Sequence[str], args: Sequence[Any], given: Mapping[str, Any]) -> str:
    """Say which argument was given by its place and by its name, too; "" if none was."""
    for i, key in enumerate(known[: len(args)]):
        if key in given:
            place = f"place {i + 1}, where {shown(args[i])} is"
            return f"{name} takes {key} by {place}, and by its name. Name the others, too."
    return ""


def _by_name(
    name: str,
    known: Mapping[str, inspect.Parameter],
    args: Sequence[Any],
    given: Mapping[str, Any],
) -> str:
    """Say which arguments a call lacks, or that those after the first are given by name."""
    ordered = [key for key, one in known.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    named = [key for key, one in known.items() if one.kind is one.KEYWORD_ONLY]
    shown = ", ".join(ordered)
    if len(args) > len(ordered):
        extra = zip(named, args[len(ordered) :], strict=False)
        others = ", ".join(f"{key}={_written(known[key], value)}" for key, value in extra)
        return f"{name} takes {shown or 'nothing'} by position; the rest by name" + (
            f", as in {name}({shown + ', ' if shown else ''}{others})." if others else "."
        )
    missing = [
        key
        for key, one in known.items()
        if one.default is one.empty
        and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)
        and key not in (*given, *ordered[: len(args)])
    ]
    whole = ", ".join([*ordered, *(f"{key}=..." for key in missing if key in named)])
    return f"{name} also needs {' and '.join(missing)}: {name}({whole})." if missing else ""


def _written(parameter: inspect.Parameter, value: Any) -> str:
    """Return a value as it would be typed, if it is of the kind that the parameter takes."""
    kinds = {"float": int | float, "int": int, "bool": bool, "str": str}
    kind = kinds.get(str(parameter.annotation).removesuffix(" | None"), ())
    fits = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
    if fits and isinstance(parameter.default, float) and 0 < parameter.default < 1:
        fits = 0 < value < 1  # a share stands there
    return shown(value) if fits else "..."
