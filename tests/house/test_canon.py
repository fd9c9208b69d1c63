"""One spelling for each idea, in every public signature (decision 0030)."""

import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import rocspace
from rocspace._base.frozen import Result
from rocspace.cli.verbs import VERBS

ROOMS = [
    module.name
    for module in pkgutil.iter_modules(rocspace.__path__)
    if module.ispkg and module.name[0] != "_"
]

INSTEAD = {
    "alpha": "level or significance",
    "nan": "missing",
    "kappa": "ratio",
    "law": "distribution",
    "promised": "expected or constraints",
    "weights": "sample_weight of cases, else curve_weight, voter_weight, slope_weight",
    "n_permutations": "n_perm",
    "n_repeats": "n_boot, n_perm, n_sim or n_splits",
    "n_samples": "n_boot",
    "replicates": "n_boot",
    "samples": "n_sim or grid",
    "salt": "rng",
    "center": "centre",
    "folds": "n_folds",
    "seed": "rng",
    "lower_is_positive": "higher_is_positive",
}
MEANT = {  # such a word where it is what the literature calls something else
    "measures.index_of_balanced_accuracy(alpha=)",  # the weight of the dominance
    "resampling.BootstrapSample(replicates=)",  # the values themselves, not their number
    "costs.CostCurve.expected(alpha=)",  # of a Beta distribution
    "curves.bedroc(alpha=)",  # how fast the weight falls with the rank
    "inference.bedroc_estimate(alpha=)",
    "curves.rie(alpha=)",
}


def methods(cls: type) -> Iterator[tuple[str, Any]]:
    """Find the public methods that a class defines or inherits from one of ours."""
    for name, method in inspect.getmembers(cls, callable):
        ours = getattr(method, "__module__", None) or ""
        if not name.startswith("_") and ours.startswith("rocspace"):
            yield name, method


def found() -> Iterator[tuple[str, inspect.Signature]]:
    for room in ROOMS:
        module = importlib.import_module(f"rocspace.{room}")
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                yield f"{room}.{name}", inspect.signature(thing)
            elif inspect.isclass(thing) and thing.__module__.startswith("rocspace"):
                if not issubclass(thing, Exception):
                    yield f"{room}.{name}", inspect.signature(thing)
                for method, function in methods(thing):
                    yield f"{room}.{name}.{method}", inspect.signature(function)


SIGNATURES = dict(found())


def having(name: str) -> list[tuple[str, inspect.Parameter]]:
    return [(f, s.parameters[name]) for f, s in SIGNATURES.items() if name in s.parameters]


def test_there_is_much_to_read() -> None:
    assert len(SIGNATURES) > 350
    assert {"counts.tabulate", "results.Estimate.interval", "counts.ScoreTable"} <= set(SIGNATURES)


def test_a_name_is_public_in_one_room() -> None:
    listed = Counter(
        name for room in ROOMS for name in importlib.import_module(f"rocspace.{room}").__all__
    )
    assert {name for name, times in listed.items() if times > 1} == set()


@pytest.mark.parametrize("old", INSTEAD)
def test_no_other_word(old: str) -> None:
    wrong = [f"{function}({old}=)" for function, _ in having(old)]
    assert [each for each in wrong if each not in MEANT] == [], f"say {INSTEAD[old]}"


def test_what_is_meant_exists() -> None:
    words = {f"{function}({old}=)" for old in INSTEAD for function, _ in having(old)}
    assert words >= MEANT


def test_missing_is_a_policy() -> None:
    wrong = [
        f
        for f, p in having("missing")
        if not f.startswith("io.") or p.annotation == "MissingPolicy"
        if (p.annotation, p.default) != ("MissingPolicy", "raise")
    ]
    assert wrong == []


def test_data_come_first() -> None:
    wrong = [
        function
        for function, p in having("data")
        if list(SIGNATURES[function].parameters).index("data") > (function.count(".") > 1)
        and p.default is not None
    ]
    assert wrong == []


def test_two_scores_are_named_first_and_second() -> None:
    """Neither has to be named where there are only two."""
    asked = {f: s.parameters for f, s in SIGNATURES.items() if "data" in s.parameters}
    two = {f: p for f, p in asked.items() if "second" in p}
    assert len(two) > 20
    assert [f for f, p in two.items() if p["first"].default or p["second"].default] == []
    named = [f for f, p in asked.items() if "tuple" in str(p.get("names"))]
    assert named == []


def test_weight_names_a_column() -> None:
    """Weights as values are `sample_weight`; results hold theirs as `weight`."""
    wrong = [f for f, p in having("weight") if f.split(".")[-1][0].islower()]
    assert [f for f in wrong if SIGNATURES[f].parameters["weight"].annotation != "str | None"] == []


def test_rng_is_a_generator_or_a_seed() -> None:
    allowed = ("np.random.Generator | int | None", "Rng", "int")  # int: a seed that is kept
    assert [(f, p.annotation) for f, p in having("rng") if p.annotation not in allowed] == []
    assert {p.default for _, p in having("rng")} <= {None, 0}


def test_level_is_a_confidence_level() -> None:
    functions = [(f, p) for f, p in having("level") if f.split(".")[-1][0].islower()]
    assert len(functions) > 30
    assert [f for f, p in functions if (p.annotation, p.default) != ("float", 0.95)] == []
    planning = [f for f, _ in having("significance")]
    assert {f.split(".")[0] for f in planning} <= {"planning", "inference"}


def test_an_estimate_is_called_one() -> None:
    """`x` is a number, `x_estimate` an `Estimate`; DeLong's name says it already."""
    found = {f for f, s in SIGNATURES.items() if str(s.return_annotation) in ESTIMATES}
    named = {f for f in found if f.endswith(("_estimate", ".estimate"))}
    assert found - named == {"inference.delong"}


ESTIMATES = ("Estimate", "AreaEstimate")
ARRAYS = {"Vector": "NDArray[np.float64]", "Mask": "NDArray[np.bool_]", "Array": "NDArray[Any]"}
APPLIED = {"predict": "float64", "decide": "bool", "transform": ""}


@pytest.mark.parametrize("verb", APPLIED)
def test_what_is_applied_says_what_it_gives(verb: str) -> None:
    """`predict` gives probabilities (of scikit-learn's, labels), `decide` booleans."""
    said = {f: s.return_annotation for f, s in SIGNATURES.items() if f.endswith(f".{verb}")}
    if verb == "predict":
        theirs = {f: said.pop(f) for f in list(said) if f.startswith("estimators.")}
        assert set(theirs.values()) == {"Array"}
    given = {f: ARRAYS.get(r, r) for f, r in said.items()}
    assert given
    assert [f for f, r in given.items() if "NDArray" not in r or APPLIED[verb] not in r] == []


def test_higher_is_positive_is_a_bool_or_a_mapping_of_names() -> None:
    allowed = ("bool", "bool | Mapping[str, bool]", "bool | Mapping[str, bool] | None")
    parameters = having("higher_is_positive")
    assert len(parameters) > 15
    assert [(f, p.annotation) for f, p in parameters if p.annotation not in allowed] == []
    assert {p.default for _, p in parameters} <= {True, None, inspect.Parameter.empty}


def test_ends_are_low_and_high() -> None:
    """Of intervals, bands and brackets; a prefix says of what, as in `auc_low`."""
    results = {
        thing
        for room in ROOMS
        for thing in vars(importlib.import_module(f"rocspace.{room}")).values()
        if inspect.isclass(thing) and issubclass(thing, Result)
    }
    named = [(cls, [*dir(cls), *inspect.signature(cls).parameters]) for cls in results]
    names = [f"{cls.__name__}.{name}" for cls, its in named for name in its]
    assert len(results) > 80
    assert {"Interval.low", "Band.high", "GranularAreas.auc_low"} <= set(names)
    assert [name for name in names if {"lower", "upper"} & set(name.split(".")[1].split("_"))] == []


def test_the_area_of_a_roc_curve_is_its_auc() -> None:
    """Of other curves, and of parts, it is their `area`; nothing has both."""
    rooms = [importlib.import_module(f"rocspace.{room}") for room in ROOMS]
    public = [getattr(room, n) for room in rooms for n in room.__all__]
    classes = {c for c in public if inspect.isclass(c) and issubclass(c, Result)}
    results = {c.__name__: {*dir(c), *inspect.signature(c).parameters} for c in classes}
    roc = {n for n, its in results.items() if {"fpr", "tpr"} & its and "area" in its}
    graphs = {"GainsCurve", "CostCurve", "PrgCurve", "BrierCurve", "RateDrivenCurve"}
    assert roc == {"ConfidenceSegment", "Band", "BandCoverage"} | graphs
    assert [n for n, its in results.items() if {"auc", "area"} <= its] == []
    with_auc = {"RocCurve", "RocHull", "RulePath", "ParameterRoc", "AverageCurve", "SummaryRoc"}
    assert with_auc <= {n for n, its in results.items() if "auc" in its}


def test_no_result_is_a_tuple_of_different_things() -> None:
    """Small objects with names instead; a tuple holds any number of one kind."""
    tuples = {f: str(s.return_annotation) for f, s in SIGNATURES.items()}
    found = {f: r for f, r in tuples.items() if r.startswith(("tuple", "Tuple"))}
    assert "operating.optimal_points" in found
    arrays = ("tuple[NDArray", "tuple[Vector", "tuple[Array", "tuple[Ints")
    assert [f for f, r in found.items() if not r.endswith(", ...]") or r.startswith(arrays)] == []


def test_costs_are_one_argument() -> None:
    assert having("cost_fp") == having("cost_fn") == []
    given = {f: p.annotation for f, p in having("costs")}
    assert len(given) > 10
    others = {f for f, kind in given.items() if "Costs" not in str(kind)}
    # A matrix of the costs of k classes; and the costs as measures read them.
    matrices = {
        "calibrate.metacost",
        "calibrate.relabel",
        "multiclass.ClassDecisions",
        "plot.plot_ternary",
    }
    assert others == matrices | {"measures.Cells"}


def test_repetitions_are_whole_numbers() -> None:
    for name in ("n_boot", "n_perm", "n_sim", "n_splits", "n_partitions"):
        wrong = [f for f, p in having(name) if p.annotation not in ("int", "int | None")]
        assert wrong == [], name


def test_the_command_line_has_the_same_words() -> None:
    """Options are arguments with dashes; of direction and randomness the canon has its own."""
    spelled = INSTEAD.keys() - {"seed", "lower_is_positive"}
    for verb in VERBS:
        function = getattr(importlib.import_module(f"rocspace.cli.verbs.{verb}"), verb)
        signature = inspect.signature(function)
        groups = [p.default for p in signature.parameters.values() if is_dataclass(p.default)]
        words = {*signature.parameters, *(f.name for group in groups for f in fields(group))}
        assert words & spelled == set(), verb
        assert "rng" not in words, verb


SHELL = {  # options without an argument of that name in Python, and what they stand for
    "file": "the data",
    "state": "the data",
    "shell": "nothing: completion is for shells",
    "json": "how a result is printed",
    "brief": "how a result is printed",
    "fail_below": "how the program ends",
    "save_state": "save_states",
    "on_curve_fpr": "fpr of tpr_at_interval",
    "on_curve_tpr": "tpr of fpr_at_interval",
    "output": "where it is written",
    "quiet": "whether there are notes",
    "top": "how many rows are printed",
    "to": "what a report is made as",
    "lower_is_positive": "higher_is_positive of the scores that are named",
    "seed": "rng",
    "cost_fp": "costs",
    "cost_matrix": "costs",
    "cost_fn": "costs",
    "cost_tp": "costs",
    "cost_tn": "costs",
    "max_selected": "selected of at_budget, or a Constraint",
    "no_mixture": "optimal_points instead of a mixture",
    "youden": 'criterion="youden"',
    "drop_collinear": 'collinear="drop"',
    "other_area": "the second area of plan_difference",
    "one_sided": "alternative",
    "formula": "variance",
    "censored": "0 in status",
    "wrong_positives": "pos of label_noise",
    "wrong_negatives": "neg of label_noise",
    "max_mb": "limits",
    "max_values": "limits",
    "max_seconds": "limits",
    "keep_minutes": "limits",
    "curves": "asks for venkatraman_test",
    "local_maxima": "the property of a RocCurve",
    "option": "options of a model, by name",
    "other_curve": "a and b of a population",
    "score_correlations": "r_pos and r_neg of a population",
    "no_browser": "open_browser",
    "concordance": "method of concordance_estimate",
    "ratio_interval": "method of likelihood_ratio_interval",
    "pairwise": 'direction="pairwise"',
}


def test_every_option_is_an_argument_of_the_library() -> None:
    """Under its own name, or in the list of those that a shell writes in another way."""
    arguments = {name for signature in SIGNATURES.values() for name in signature.parameters}
    options = set()
    for verb in VERBS:
        function = getattr(importlib.import_module(f"rocspace.cli.verbs.{verb}"), verb)
        parameters = inspect.signature(function).parameters
        groups = [p.default for p in parameters.values() if is_dataclass(p.default)]
        options |= {n for n, p in parameters.items() if not is_dataclass(p.default)}
        options |= {f.name for group in groups for f in fields(group)}
    assert len(options) > 60
    assert options - arguments == set(SHELL)
