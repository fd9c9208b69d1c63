"""Wrong arguments: each public call of a docstring, with one of them or two changed.

Every public function has an example in its docstring, so every call of an example is a call that
works. Its arguments are exchanged for junk, damaged, left out or joined by others that the function
takes. What must hold: the call answers, or it is refused with a ``ValueError`` or ``TypeError``
that this package raised itself, a sentence; nothing else comes out of NumPy, SciPy or Python, no
warning that is not ours, and no work without end.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import doctest
import functools
import importlib
import inspect
import io
import linecache
import os
import signal
import tempfile
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rocspace
from rocspace._base.kinds import is_ours

PACKAGE = Path(rocspace.__file__).parent
LEFT_OUT = {"cli", "web", "plot", "report", "datasets", "estimators"}
"""Rooms whose arguments go to other packages, or that write files and start servers."""
TRAINING = {"adequacy_test", "cv_tables", "metacost", "selection_experiment"}
"""Functions that train models of other packages."""
MADE_BY_USERS = {
    *("BooleanRule", "Constant", "ConfusionMatrix", "Constraint", "Costs", "CovariateModel"),
    *("NotRule", "Reading", "ScoreTable", "Tabulator", "Target", "ThresholdRule", "Triangle"),
}
"""Classes that users call; other results are made by functions only."""
REFUSALS = (ValueError, TypeError, ImportError, IndexError, IsADirectoryError)
SECONDS = 20  # of processor time for one call

JUNK: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        3,
        1.5,
        -0.5,
        0.5,
        1.0,
        np.nan,
        np.inf,
        -np.inf,
        1e-320,
        1e308,
    ),
    *(2**53 + 1, 2**63, 10**30, 10**400, "", "a", "False", "nan", "auto", b"a", 1j, Decimal("0.1")),
    *(Fraction(1, 3), date(2020, 1, 1), np.float64(0.5), np.int64(3), np.bool_(True), np.str_("a")),
    *([], [1], [0, 1], [0.5, 0.5], [1, 0], [np.nan, 1], ["a"], ["a", "b"], [None], [[1, 2], [3]]),
    *(
        [[0, 1], [1, 0]],
        (),
        (0, 1),
        (1, 0),
        (0.2, 0.8),
        (1,),
        (0, 1, 2),
        {},
        {"a": 1},
        {"a": [0, 1]},
    ),
    *({"a": None}, {1, 2}, range(3), object(), int, Path("none.csv"), slice(2), pd.NA, pd.NaT),
    *(np.array(0.5), np.array([]), np.array(["a", "b"]), np.array([1, None], dtype=object)),
    *(np.array([1j, 2]), np.zeros((2, 2)), np.zeros((0, 3)), np.ma.masked_array([1, 2], [0, 1])),
    *(
        np.array(["2020-01-01"], "M8[D]"),
        pd.DataFrame(),
        pd.DataFrame({"a": [1, 2]}),
        pd.Series([]),
    ),
    *(
        pd.Series([1, None]),
        pd.Series(["a", None]),
        pd.array([1, None], "Int64"),
        pd.Categorical(["a"]),
    ),
]


FOUND = (
    "counts.at_prevalence(None, 0.01)",
    "counts.rows_called_positive([], [4, 2.5])",
    "counts.take_cases(True, [0])",
    "counts.take_cases(DATA, 9)",
    "counts.take_scores(DATA, 3)",
    "counts.negate('a')",
    "counts.refuse({'a': [0, 1]}, 3, 0)",
    "counts.resample(TABLE, rng=[None])",
    "rs.evaluate(TABLE, [0.4], inclusive=3)",
    "rs.tabulate([0, 1], [1, 2], threads={'a': 1})",
    "rs.tabulate([[1], 0], [1, 2])",
    "rs.tabulate([0, 1], [1, 2], pos_label=[[1, 2], [3]])",
    "rs.tabulate([True, False], [1, 2], pos_label=10**30)",
    "rs.pair_scores([1, 0], {'a': [3, 1]}, names=[1])",
    "multiclass.ordered_scores([1, 2, 3], [1, 2, 3], order=0.5)",
    "multiclass.counted_rates(1e-320)",
    "multiclass.counted_rates({'a': 'False'})",
    "multiclass.cost_matrix({'a': {'b': 'x'}, 'b': {'a': 1}}, ['a', 'b'])",
    "multiclass.dominated_volume([[0.5, 1j]])",
    "multiclass.multiclass_file([1, 0], label='obs')",
    "multiclass.multiclass_file('', label='obs')",
    "designs.CovariateModel(method={})",
    "models.check_curve(3)",
    "models.signal_indices(True)",
    "models.family_roc('exponential', scale1=3, scale0='')",
    "inference.point_test(())",
    "inference.best_of_test([rs.confusion_matrix([0, 1], [0, 1])], measure={'a': 1})",
    "compare.adjusted_pvalues([0.1, [1]])",
    "compare.equivalence_test(compare.auc_difference(DATA, 'a', 'b'), 10**400)",
    "rs.roc_curve(TABLE).tpr_at(1j)",
    "rs.roc_curve(TABLE).tpr_at(10**400)",
    "rs.roc_curve(TABLE).tpr_at()",
    "bands.roc_band(TABLE).at_fpr([[0.1]])",
    "stream.Tabulator(memory='much')",
    "stream.merge_states(np.array([]))",
    "costs.h_measure(TABLE, severity=1e-320)",
    "calibrate.relabel([0, np.inf], [[1, 0], [0, 1]], [[0, 1], [1, 0]])",
    "calibrate.tree_parents(True)",
    "planning.plan_area(10**400)",
    "simulate.clustered_binormal([0.8], sizes=np.array([]))",
    "simulate.clustered_binormal([0.8, 10**400])",
    "simulate.clustered_binormal([0.8]).draw(2**53 + 1)",
    "simulate.binormal(0.8).draw(2, 2**53 + 1)",
    "rs.ConfusionMatrix(10**400, 1, 1, 1)",
    "multiclass.class_rates([0, 1], {'a': [0, 1]}).mixture({'a': 1}, name=1)",
    "rs.Costs(fn=4, tp=b'a')",
    "multiclass.cost_matrix({'a': {'b': [1]}, 'b': {'a': 2}}, ['a', 'b'])",
    "combine.Constant(10**400)",
    "combine.Constant(None)",
    "combine.Constant(True).decide({'a': 1})",
    "resampling.bayesian_bootstrap(TABLE, fpr=[[0.5]])",
    "compare.area_correlation(0.5, 1e-320)",
    "compare.published_difference([Decimal('0.93'), 0.02], (0.86, 0.03), score_correlation=0.5)",
    "calibrate.relabel([0, 1], [[1, 0], [0, 1]], [[0, 1], [-np.inf, 0]])",
    "designs.covariate_scores([0, 1], [1, 2], {'age': [[1], (2, 3)]})",
    "designs.conditional_roc(AGED, {'age': np.array([1j])})",
    "curves.fuzzy_roc([[1], [0.5], [0]], [3, 2, 1])",
    "curves.gains_table(TABLE, parts=2**53 + 1)",
    "curves.bedroc(TABLE, alpha=1e-320)",
    "multiclass.fit_trinormal(ORDERED).surface_at([0, 1], ())",
    "designs.binormal_posterior(TABLE, n_sim=100, rng=1).curves(fpr=[[0.5]])",
    "designs.denoised_auc_bounds(TABLE, pos=(0, 0.1), neg=(0, 0.1)).between(2**53 + 1)",
    "hull.slope_interval(costs={'fn': np.array([10, 5])}, prevalence=0.1)",
    "rs.ConfusionMatrix(np.zeros(2), 1, np.zeros(3), 1)",
    "combine.BooleanRule('or', (RULE('a', 1), RULE('b', 1))).decide({'a': [1, 2], 'b': []})",
    "calibrate.fit_ranks(3)",
    "calibrate.vote_scores([[1, 1, 0], [0, 0, 1]], voter_weight=['a'])",
    "calibrate.fit_tree_scores([], [[0], [1]], [0, 1])",
    "averaging.vertical_average([TABLE], grid=2**53 + 1)",
    "rs.MEASURES['g_mean'].as_shown('a')",
    "rs.MEASURES['g_mean'].as_shown(-0.25)",
    "rs.MEASURES['ppv'].as_shown('a')",
    "rs.MEASURES['ppv'].as_shown()",
    "models.fit_kernel(TABLE, bandwidth={1, 2})",
    "calibrate.vote_scores(pd.Series([[1, 1, 0], [0, 0, 1]]))",
    "simulate.binormal(0.8, sd_ratio=1e308)",
    "select.probability_rms([[0.5], [1]], [0.5, 1])",
    "curves.gains_table(TABLE, parts=[[0.5, 1]])",
    "averaging.corrected_estimate(['a', 'b'], n_train=100, n_test=50)",
    "multiclass.roc_surface(ORDERED, [0.5], pd.Categorical(['a']))",
    "bands.pr_band(TABLE).at_recall([[0.5]])",
    "designs.verified_scores([1, 0, None], [3, 2, 1], names=[0])",
    "designs.verified_scores([1, 0, None], [3, 2, 1], names=['a', 'b'])",
    "designs.verified_auc_estimate(VERIFIED, verification=pd.NA)",
    "designs.conditional_roc(AGED, {'age': np.zeros((0, 3))})",
    "designs.covariate_thresholds(AGED, {'age': [[1, 2]]}, fpr=0.1)",
    "stream.Refinement(tolerance=0, memory=100).update([0, 1], [1, 2])",
    "stream.Refinement(tolerance=0, memory=100).settle()",
    "stream.Refinement(tolerance=0, memory=100).area()",
    "compare.auc_difference(DATA, 'a', 'b').interval(1e-320)",
    "designs.adjusted_band(AGED, level=1e-320)",
    "planning.plan_area(0.8).for_width(1e308)",
    "planning.plan_area(0.8).for_width(1e-320)",
    "planning.plan_paired(simulate.paired_binormal([0.8, 0.7]), null_difference=np.array([1, 2]))",
    "planning.plan_paired(simulate.paired_binormal([0.8, 0.7]), null_difference=[1, 2])",
    "models.fit_kernel(TABLE, bandwidth=1e-320)",
    "models.fit_kernel(TABLE, bandwidth=(1, 1e308))",
    "models.fit_local(TABLE, bandwidth=1e-320)",
    "models.auxiliary_weights([0, 1], np.zeros((2, 0)))",
    "designs.incident_auc_over_time(LIVES, at=3, bandwidth=1e308)",
    "designs.covariate_thresholds(SITES, {'site': np.array([['a'], ['a']])}, fpr=0.1)",
    "designs.covariate_thresholds(SITES, {'site': []}, fpr=0.1)",
    "designs.posterior(TABLE, n_boot=1)",
    "designs.posterior_difference(DATA, 'a', 'b', n_boot=1)",
    "designs.binormal_posterior(TABLE, n_sim=1)",
    "resampling.bayesian_bootstrap(TABLE, n_boot=1)",
    "rs.bootstrap(TABLE, 'auc', n_boot=1)",
    "costs.decision_curve(RISKS, [0.1, 10**400])",
    "hull.best_by_weights(hull.roc_hull(TABLE), [10**400], [1])",
    "hull.best_by_weights(hull.roc_hull(TABLE), [1], [10**400])",
    "hull.contour('accuracy', 0.5, grid=-1)",
    "hull.contour('accuracy', 0.5, grid=2**53)",
    "hull.roc_hull({'a': pd.Series([])})",
    "combine.rule_path({'a': pd.Series([TABLE])})",
    "combine.rule_path({'a': np.array([])})",
    "combine.BooleanRule('and', 1e-320)",
    "combine.BooleanRule('and', True)",
    "combine.BooleanRule('or', [RULE('a', 1), 3])",
    "combine.NotRule(3)",
    "averaging.fold_numbers([([0], [1])], 2**53)",
    "compare.equivalence_test(compare.auc_difference(DATA, 'a', 'b'), [0.1, 0.2, 0.3])",
    "bands.roc_band(TABLE).inside(int)",
    "bands.roc_band(TABLE).inside(lambda fpr: 'a')",
    "bands.roc_band(TABLE).inside(lambda fpr: [0.5, 1])",
    "multiclass.class_rates([0, 1], {'a': np.array([0, [1]], dtype=object)})",
    "simulate.clustered_binormal([0.8], cuts={1, 2})",
    "simulate.paired_binormal([0.8, 0.7], sd_ratio={1, 2})",
    "rs.ConfusionMatrix(Decimal('0.5'), 0.5, 1, 1)",
    "rs.ConfusionMatrix(np.inf, 1, np.zeros(2), 1)",
    "rs.ConfusionMatrix(np.array([1, np.inf]), 1, 1, 1)",
    "stream.load_states('')",
    "stream.Tabulator().save('')",
    "calibrate.vote_scores([[1, 1, 0], [10**400, 0, 1]])",
    "calibrate.relabel([0, 2], [[1, 0], [0, 1]], [[0, 1], [1, 0]])",
    "operating.Constraint('selected', '<=', 10**400)",
    "compare.compare_aucs(DATA).contrast([1e300, -1e300])",
    "compare.compare_aucs(DATA).contrast([1e-300, -1e-300])",
    "curves.log_auc(TABLE, least=1e-320)",
    "granular.rho(TABLE, deltas=2**53 + 1)",
    "calibrate.fit_tree_scores(pd.Series([1]), [[0], [1]], [0, 1])",
    "calibrate.relabel([0, 1], [[0.8, 1e308], [0, 1]], [[1, 0], [0, 10]])",
    "costs.resample_cost(TABLE, [[0, 1], [1, 0]], n_boot=9)",
    "designs.verified_table(VERIFIED, truth=[[1, 2], [3]], verification=[])",
    "granular.rho_auc(TABLE, deltas=[[1, 2], [3]])",
    "averaging.vertical_average([TABLE, TABLE]).at_fpr([[0, 1], [1, 0]], method='t')",
    "calibrate.vote_scores([[1, 1, 0], [0, 0, 1]], in_bag=np.zeros((0, 3)))",
    "costs.decision_curve(RISKS, [[0.1, 0.2], [0.3, 0.4]])",
    "designs.conditional_roc(AGED, {'age': [[1, 2], [3]]})",
    "designs.conditional_roc(SITES, {'site': [['a', 'b'], ['a']]})",
    "multiclass.ordered_file(DATA_FILE, label='label', order=[], score=['mean_texture'])",
    "curves.det_curve(TABLE, scale=pd.array([1, None], dtype='Int64'))",
    "models.pooled_odds_ratio([8] * 3, [2] * 3, [3] * 3, [9] * 3, method=pd.array([1, None]))",
    "multiclass.multiclass_scores(['a', 'b'], [[0.8, 0.2], [0.3, 0.7]]).place(pd.NA)",
    "operating.Constraint('selected', pd.NA, 800)",
    "operating.Constraint('ppv', pd.DataFrame(), 0.3)",
    "operating.Constraint('selected', np.array([1j, 2]), 800)",
    "AGED.take(0)",
    "counts.take_cases(DATA, 0)",
)
"""Calls that ended in an error of NumPy or Python, or were answered though they were wrong."""


def names() -> dict[str, Any]:
    """Return what the calls of `FOUND` name."""
    label, scores = [0, 1, 0, 1], {"a": [1, 3, 2, 4], "b": [2, 1, 4, 3]}
    data = rocspace.pair_scores(label, scores)
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.pyi").exists()}
    found = {room: importlib.import_module(f"rocspace.{room}") for room in rooms}
    designs = found["designs"]
    aged = designs.covariate_scores([0, 1] * 10, range(20), {"age": [1, 2, 3, 4] * 5})
    verified = designs.verified_scores([0, 1, 0, 1, None, None], [1, 2, 3, 4, 2.5, 3.5])
    sites = designs.covariate_scores([0, 0, 1, 1] * 3, range(12), {"site": list("aabb") * 3})
    ended = [1, 1, 0, 1, 0, 1, 0, 0]
    lives = designs.survival_scores(range(1, 9), ended, [7, 4, 6, 8, 1, 5, 2, 3])
    ordered = found["multiclass"].ordered_scores([1, 2, 3] * 3, range(9), order=[1, 2, 3])
    own = {
        "Decimal": Decimal,
        "RULE": found["combine"].ThresholdRule,
        "ORDERED": ordered,
        "DATA": data,
        "TABLE": data.table("a"),
        "AGED": aged,
        "SITES": sites,
        "LIVES": lives,
        "DATA_FILE": PACKAGE / "datasets" / "_data" / "wdbc.csv.gz",
        "RISKS": rocspace.tabulate([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4]),
        "VERIFIED": verified,
    }
    return {**found, "np": np, "pd": pd, "rs": rocspace, **own}


# --- calls that work ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Call:
    """A call of an example: what was called, with what."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]

    @property
    def name(self) -> str:
        name = getattr(self.function, "__qualname__", type(self.function).__name__)
        return f"{self.function.__module__}.{name}"


class _Noted(ast.NodeTransformer):
    """Make each call of an example pass through ``__noted__``."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        note = ast.Name("__noted__", ast.Load())
        return ast.copy_location(ast.Call(note, [node.func, *node.args], node.keywords), node)


def _ours(function: Any, values: Iterable[Any]) -> bool:
    """Tell whether a call is of this package, and no function or model of the user takes part."""
    if isinstance(function, type) and function.__name__ not in MADE_BY_USERS:
        return False
    room = (getattr(function, "__module__", None) or "").split(".")[1:2]
    if LEFT_OUT.intersection(room) or getattr(function, "__name__", "") in TRAINING:
        return False
    if any(callable(each) or hasattr(each, "get_params") for each in values):
        return False
    owner = getattr(function, "__self__", None)
    home = getattr(function, "__module__", None) or ""
    if isinstance(owner, type | types.ModuleType) or owner is None:
        return home.startswith("rocspace.")
    return (type(owner).__module__ or "").startswith("rocspace.")


def _calls(module: types.ModuleType) -> Iterator[Call]:
    """Run the examples of a module and yield the calls of ours that they make."""
    found: list[Call] = []

    def noted(function: Any, /, *args: Any, **options: Any) -> Any:
        if _ours(function, [*args, *options.values(), getattr(function, "__self__", None)]):
            with contextlib.suppress(Exception):  # a generator, an open file
                found.append(Call(function, *copy.deepcopy((args, options))))
        return function(*args, **options)

    before, lines = Path.cwd(), linecache.getlines
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            for test in doctest.DocTestFinder().find(module):
                space = test.globs | {"__noted__": noted, "__name__": "__main__"}
                for example in test.examples:
                    tree = _Noted().visit(ast.parse(example.source, mode="exec"))
                    with contextlib.suppress(Exception):  # an example of a refusal
                        exec(compile(ast.fix_missing_locations(tree), "<example>", "exec"), space)
        finally:
            os.chdir(before)
            linecache.getlines = lines
    yield from found


def modules() -> list[str]:
    """Return the modules whose examples are tried."""
    paths = [each.relative_to(PACKAGE) for each in sorted(PACKAGE.glob("[a-z]*/[a-z]*.py"))]
    names = [f"rocspace.{each.parent.name}.{each.stem}" for each in paths]
    return [each for each in names if each.split(".")[1] not in LEFT_OUT]


@functools.cache
def calls(name: str) -> tuple[Call, ...]:
    """Return the calls of a module's examples, run once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(_calls(importlib.import_module(name)))


# --- damage ---------------------------------------------------------------------------------


def _array(value: Any) -> np.ndarray | None:
    """Return a list or an array that is not empty as an array; None of anything else."""
    with contextlib.suppress(TypeError, ValueError):
        if isinstance(value, list | tuple | np.ndarray | range) and len(value):
            return np.array(value, dtype=None if isinstance(value, np.ndarray) else object)
    return None


def damaged(value: Any, rng: np.random.Generator) -> Any:
    """Damage an array or a list; exchange anything else for junk."""
    if isinstance(value, dict) and value and rng.random() < 0.6:
        key = list(value)[int(rng.integers(len(value)))]
        return {**value, key: damaged(value[key], rng)}
    column = _array(value)
    if column is None or rng.random() < 0.4:
        return copy.deepcopy(JUNK[int(rng.integers(len(JUNK)))])
    how, at = int(rng.integers(14)), int(rng.integers(len(column)))
    if how < 5:
        changed = column.astype(object)
        changed[np.unravel_index(int(rng.integers(changed.size)), changed.shape)] = JUNK[
            int(rng.integers(38))
        ]
        return changed.tolist() if rng.random() < 0.5 else changed
    if how == 5:
        return column[:at]
    if how == 6:
        return column[::-1]
    if how == 7:
        return np.concatenate([column, column])
    if how == 8:
        return np.repeat(column[at : at + 1], len(column), axis=0)
    if how == 9:
        return column.reshape(-1, 1)
    if how == 10:
        return [str(each) for each in column.ravel()]
    if how == 11:
        return pd.Series(list(column))
    if how == 12:
        return [
            Decimal(str(float(x))) if isinstance(x, float) else x for x in column.ravel().tolist()
        ]
    scale = float(rng.choice([0, -1, 1e300, 1e-320, 2.0**60]))
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return column.astype(complex if column.dtype.kind == "c" else float) * scale
    except (TypeError, ValueError, OverflowError):
        return column.tolist()


def changed(call: Call, rng: np.random.Generator) -> Call:
    """Change one argument of a call, or two."""
    args, options = list(call.args), dict(call.options)
    try:
        known = inspect.signature(call.function).parameters
    except (TypeError, ValueError):
        known = {}
    others = [
        name
        for name, one in known.items()
        if one.kind is one.KEYWORD_ONLY and name not in options and name != "progress"
    ]
    for _ in range(int(rng.choice([1, 1, 1, 2]))):
        places: list[int | str] = [*range(len(args)), *options]
        how = rng.random()
        if others and (how < 0.35 or not places):
            name = others[int(rng.integers(len(others)))]
            options[name] = damaged(known[name].default, rng)
        elif places:
            place = places[int(rng.integers(len(places)))]
            if isinstance(place, int):
                if how > 0.97:
                    del args[place:]
                else:
                    args[place] = damaged(args[place], rng)
            elif how > 0.97:
                del options[place]
            else:
                options[place] = damaged(options[place], rng)
    return Call(call.function, tuple(args), options)


# --- what must hold -------------------------------------------------------------------------


class HangsError(Exception):
    """A call went on for too long."""


def _hangs(_number: int, _frame: object) -> None:
    raise HangsError


def complaint(error: BaseException) -> str:
    """Return what is wrong with an error; "" where it is a sentence of ours."""
    if isinstance(error, HangsError):
        return "goes on for too long"
    last = error.__traceback__
    assert last is not None
    while last.tb_next is not None:
        last = last.tb_next
        if last.tb_frame.f_code.co_filename == "<example>":
            return ""  # a function or model of the example does not take this
    place = f"{Path(last.tb_frame.f_code.co_filename).name}:{last.tb_lineno}"
    if isinstance(error, FileNotFoundError) or str(error).startswith("int() "):
        return ""  # `int` of the junk, as a function of the user's
    if isinstance(error, REFUSALS) and is_ours(error):
        return ""
    return f"{type(error).__name__} at {place}: {error}"


def said(call: Call) -> str:
    """Make a call; return what was wrong with its answer, or ""."""

    def make() -> None:
        result = call.function(*call.args, **call.options)
        if (type(result).__module__ or "").startswith("rocspace."):
            repr(result)
            str(result)

    return watched(make)


def watched(work: Callable[[], None]) -> str:
    """Do some work; return what was wrong with it, or ""."""
    before = signal.signal(signal.SIGPROF, _hangs)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", UserWarning)
            work()
    except Exception as error:
        return complaint(error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return ""


def shown(call: Call) -> str:
    values = [repr(each) for each in call.args]
    values += [f"{name}={each!r}" for name, each in call.options.items()]
    return f"{call.name}({', '.join(each[:80] for each in values)})".replace("\n", " ")


def one_round(rng: np.random.Generator) -> int:
    """Change the calls of one module's examples in many ways; return how many were made."""
    names = modules()
    found = calls(names[int(rng.integers(len(names)))])
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for _ in range(20 if found else 0):
            call = changed(found[int(rng.integers(len(found)))], rng)
            wrong = said(call)
            assert not wrong, f"{shown(call)}: {wrong}"
    return 20 if found else 0
