"""Compare the numbers of version 0.1 with those of this version, on the bundled data.

``python tools/compare_versions.py`` checks 0.1 out into a temporary folder, runs every call of
``version_cases.txt`` in an interpreter of each version, and prints every number that is not exactly
the same, by reason, and how many there are; rounding below 1e-12 is a reason. It ends with status 1
if a difference has not exactly one reason, if a reason has no difference, if a method of 0.1, asked
for by name, gives other numbers, or if a public function of 0.1 has no call. ``--text`` also lists
texts that differ (names of methods, sentences), ``--brief`` only counts, ``--only TEXT`` runs the
calls that contain TEXT.

The calls are written in the names of 0.1. What has another name now stands in the tables below;
the rest of the script knows of no name. A function that moved is found by itself.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import inspect
import io
import itertools
import json
import math
import os
import pickle
import pkgutil
import re
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
CASES = Path(__file__).with_name("version_cases.txt")
OLD = "65be9c3"

# -- What is called otherwise now: old name, then the names to try -----------------------------
FUNCTIONS: dict[str, str] = {
    "clustered.clustered_auc": "inference.clustered_auc_estimate",
    "design.simulated_power": "planning.simulated_power_estimate",
    "hull.iso_performance_slope": "compare_versions.iso_performance_slope",
    "cost_curves.probability_cost": "compare_versions.probability_cost",
    "cost_comparison.cost_share": "compare_versions.cost_share",
    "rules.rule_counts": "compare_versions.rule_counts",
    "combine.better_direction": "curves.best_orientation",
    "meta.fit_summary_roc": "compare_versions.summary_line",
}
"""``"module.function"`` of 0.1 to the present ``"room.function"``, where the name changed too.

``compare_versions.name`` is a function below: a call that became a method, or turned its
arguments around.
"""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "samples": ("grid", "n_sim"),
    "size": ("grid",),
    "n_samples": ("n_boot",),
    "n_permutations": ("n_perm",),
    "n_repeats": ("n_splits", "n_sim"),
    "nan": ("missing",),
    "alpha": ("significance", "strength"),
    "kappa": ("ratio",),
    "salt": ("rng",),
    "weights": ("curve_weight", "sample_weight", "weight"),
    "law": ("distribution",),
}
METHODS: dict[str, tuple[str, ...]] = {
    "at": ("at_fpr", "at_threshold", "difference_at"),
    "predict": ("transform", "decide"),
    "best_at": ("vertex_at",),
}
QUANTITIES: dict[str, tuple[str, ...]] = {
    "lower": ("low",),
    "upper": ("high",),
    "auc_lower": ("auc_low",),
    "auc_upper": ("auc_high",),
    **{f"lower_{of}": (f"low_{of}",) for of in ("fpr", "tpr", "ratio")},
    **{f"upper_{of}": (f"high_{of}",) for of in ("fpr", "tpr", "ratio")},
    "area": ("auc",),
    "auc": ("area",),
    "kappa": ("ratio",),
    "alpha": ("significance",),
    "samples": ("n_sim", "grid"),
    "salt": ("rng",),
    "law": ("distribution",),
    "lots": ("mixture",),
    "promised": ("expected", "constraints"),
    "n_permutations": ("n_perm",),
    "n_samples": ("n_boot",),
    "negated": ("flipped",),
}
OPTIONS: dict[str, str] = {
    "--samples": "--grid",
    "--rounds": "--max-rounds",
}

# -- Differences that were asked for ------------------------------------------------------------
INTERVAL = r"interval\.(low|high|method)"
ENDS = "low|high|width|method"
SCORES = rf"scores\.\d+\.(auc|partial_auc\.\d+)\.{INTERVAL}"
TEST = r"(statistic|pvalue|df|df_denominator|method)"
PAIR = rf"{INTERVAL}|(test\.)?{TEST}|adjusted_pvalue"
PLAN = "method|power|half_width|n_pos|n_neg"
REPORT = r'report\.summarise|cli\("(auc|report)"'

UNSEEN = 'the interval of an area, or of a part of one, is "unseen" by default'
HEAVY = "importance weights: a heavy case that was not seen"
DISCORDANCE = 'test and interval of two scores of the same cases: "discordance"'
INDEPENDENT = 'the test of independent samples inverts their "unseen" interval'
CLUSTERS = "clusters: leaving one out, degrees of freedom of Bell and McCaffrey"
BAND = "the critical value of likelihood regions is from a simulated table"
NEGATIVES = "the variance of an area under precision knows the negatives"
PLANS = "plans simulate the test that will be made, or sum it exactly"
FOLDS = "the variance of a cross-validated area allows for dependent folds"
SHORTEST = "the shortest threshold with the same counts; 'at random'"
WORDS = "how the report says what was done and measured"

EXPLAINED: tuple[tuple[str, str, str], ...] = (
    (r'do\(inference\.delong\(T\), "interval"\)', ENDS, UNSEEN),
    (r"do\(inference\.partial_auc_estimate\(T", ENDS, UNSEEN),
    (r'do\(B, "interval"\)', ENDS, UNSEEN),
    (r"do\(bootstrapping\.bootstrap\(T, bootstrapping\.partial_area", ENDS, UNSEEN),
    (rf'(?!.*"rf": W)({REPORT})', SCORES, UNSEEN),
    (r'cli\("compare"', rf"scores\.\d+\.{INTERVAL}", UNSEEN),
    (r"tables\.(areas|comparison)_table", r"parts\.0\.rows\.\d+\.3", UNSEEN),
    (r"tables\.to_(html|latex|markdown)", "", UNSEEN),
    (r"do\(inference\.(delong|partial_auc_estimate)\(W", ENDS, HEAVY),
    (r'report\.summarise\(\{"rf": W\}', SCORES, HEAVY),
    (r"do\(compare\.auc_difference\(.*data=DW", f"{ENDS}|{TEST}", HEAVY),
    (
        r'do\(bootstrapping\.bootstrap\(T, ("youden"|"average_precision"|bootstrapping\.tpr_at)',
        ENDS,
        "readings of the curve have limits of their own",
    ),
    (r'do\(gap, "test"\)', TEST, DISCORDANCE),
    (r'do\(gap, "interval"', ENDS, DISCORDANCE),
    (r"compare\.compare_aucs\(D5", rf"pairs\.\d+\.({PAIR})|law", DISCORDANCE),
    (r"equivalence\.", rf"((lower|upper)\.)?{TEST}", DISCORDANCE),
    (REPORT, rf"comparison\.(overall\.{TEST}|pairs\.\d+\.({PAIR}))", DISCORDANCE),
    (r'cli\("compare"', rf"overall\.{TEST}|pairs\.\d+\.({PAIR})", DISCORDANCE),
    (r"tables\.comparison_table", r"parts\.1\.rows\.\d+\.[23]", DISCORDANCE),
    (r'compare\.compare_aucs\(\{"rf": T', rf"pairs\.\d+\.({PAIR})|law", INDEPENDENT),
    (r"do\(compare\.auc_difference\(T, U\)", f"{ENDS}|{TEST}", INDEPENDENT),
    (r"clustered\.clustered_auc\(K", "se|df|method", CLUSTERS),
    (r"do\(clustered\.clustered_auc\(K", ENDS, CLUSTERS),
    (r"do\(compare\.auc_difference\(.*data=K", f"{ENDS}|{TEST}", CLUSTERS),
    (r"clustered\.clustered_test\(K", TEST, CLUSTERS),
    (
        r"compare\.auc_difference\(.*data=K",
        r"correlation|df|((first|second)\.)?(se|method)",
        CLUSTERS,
    ),
    (
        r"(do\()?bands\.(roc|envelope|likelihood|difference)_band",
        "area|lower|upper|low|high|width|differs",
        BAND,
    ),
    (REPORT, r"scores\.\d+\.bands\.\d+\.area|comparison\.difference\.(lower|upper)", BAND),
    (r'cli\("band"', r"scores\.\d+\.(area|lower|upper)", BAND),
    (r"folds\.cv_auc_estimate\(parts", "se|model_se|method", FOLDS),
    (r"do\(folds\.cv_auc_estimate\(parts", ENDS, FOLDS),
    (r'cli\("average"', r"scores\.\d+\.mean_auc\.interval\.method", FOLDS),
    (
        r'do\(optimism\.threshold_bootstrap.*"interval"',
        ENDS,
        "thresholds: unseen cases, spread between neighbours",
    ),
    (r"pr\.pr_area_estimate", "df|method|worse", NEGATIVES),
    (r"do\(pr\.pr_area_estimate", ENDS, NEGATIVES),
    (r"design\.detectable_area", "", PLANS),
    (r'design\.plan_difference\(.*null="first"', r"\(the call\)", PLANS),
    (r"design\.plan_from_pilot", "method", PLANS),
    (r"do\(design\.plan_(area|difference|from_pilot|rate)\(", PLAN, PLANS),
    (r'cli\("power"', PLAN, PLANS),
    (r"simulate\.ratings", "area", "a Population is a Curve, which has its area"),
    (
        r"meta\.fit_summary_roc",
        r"q_star\.(model_se|n_pairs|tied|whole)",
        "an Estimate knows nothing of the AUC",
    ),
    (REPORT, r"methods\..*\.(sentence|coverage|citation)", WORDS),
    (REPORT, r"methods\..*\.python", "functions stand in rooms"),
    (
        r'cli\("(data|columns)"',
        r"(.*\.)?path|file",
        "the bundled files stand in their room",
    ),
    (
        r'datasets\.names|cli\("data"',
        r"[3-9](\.(name|title|rows|positives?|label|scores\..*|source|licence))?",
        "further data sets stand fourth and before the last",
    ),
    (REPORT, "rocspace", "the version"),
    (
        r"tables\.comparison_table",
        r"note|parts\.1\.header\.2|parts\.1\.rows\.\d+\.0",
        "tables for papers: 'minus', and which p values are adjusted",
    ),
    (
        r'cli\("auc", "adult_scores", "--json"',
        r"scores\.\d+\.curve\.\w+(\.\d+)?",
        "drawn curves keep the points of round thresholds, which readers type",
    ),
    (r'cli\("(choose|combine)"', r"rule\.text|rules\.\d+\.text", SHORTEST),
)
"""Patterns of how a call begins and of the whole quantity, and why they differ.

Each difference has exactly one reason, and each line here has a difference.
"""


def flat(value: Any, path: tuple[str, ...] = (), depth: int = 6) -> Iterator[tuple[Any, Any]]:
    """Take a result apart: its parts with their paths, as numbers, arrays and texts."""
    if isinstance(value, Fraction | np.generic):
        value = float(value) if isinstance(value, Fraction) else value.item()
    if value is None or isinstance(value, bool | int | float | str):
        yield path, value
    elif isinstance(value, np.ndarray):
        yield path, value.astype(str) if value.dtype == object else np.array(value)
    elif isinstance(value, Path):
        yield path, value.name
    elif depth == 0 or (callable(value) and not _fields(value)):
        return
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from flat(part, (*path, str(key)), depth - 1)
    elif names := _fields(value):
        for name in names:
            try:
                part = getattr(value, name)
            except Exception as error:  # a property may refuse, and it is the same refusal then
                part = type(error).__name__
            yield from flat(part, (*path, name), depth - 1)
    elif isinstance(value, tuple | list | set | frozenset):
        parts = value if isinstance(value, tuple | list) else sorted(value, key=str)
        if parts and all(isinstance(part, int | float) for part in parts):
            yield path, np.array(parts)
        else:
            for i, part in enumerate(parts):
                named = part.get("id", i) if isinstance(part, Mapping) else i
                yield from flat(part, (*path, str(named)), depth - 1)


def _fields(value: Any) -> list[str]:
    """List the public attributes of an object of the package that hold something."""
    kind = type(value)
    if not kind.__module__.startswith("rocspace"):
        return []
    names = {name for k in kind.__mro__ for name in getattr(k, "__annotations__", {})}
    names |= {
        name
        for k in kind.__mro__
        for name, member in vars(k).items()
        if isinstance(member, property | cached_property | types.MemberDescriptorType)
    }
    names |= set(getattr(value, "__dict__", {}))
    return sorted(name for name in names if not name.startswith("_"))


# -- One interpreter: the calls, in the names of 0.1 ---------------------------------------------
class Called:
    """A function or class of the package that takes the arguments of 0.1."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            known = inspect.signature(self.function).parameters
        except (TypeError, ValueError):
            return self.function(*args, **kwargs)
        if any(p.kind is p.VAR_KEYWORD for p in known.values()):
            return self.function(*args, **kwargs)
        priced = {name: kwargs.pop(f"cost_{name}", None) for name in _costs(known, kwargs)}
        if priced := {name: cost for name, cost in priced.items() if cost is not None}:
            kwargs["costs"] = priced
        if not kwargs.get("data") and next(iter(known), "") == "data" and "first" in known:
            args, kwargs = _tables_by_name(args, kwargs)
        named = {_named(key, known): value for key, value in kwargs.items()}
        return self.function(*args, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def _tables_by_name(args: Any, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Put two tables of independent cases into one mapping."""
    two = [*args, *(given[name] for name in ("first", "second") if name in given)]
    if len(two) != 2 or any(isinstance(one, str) for one in two):
        return args, dict(given)
    others = {name: value for name, value in given.items() if name not in {"first", "second"}}
    return ({"first": two[0], "second": two[1]},), others


def _costs(known: Mapping[str, Any], given: Mapping[str, Any]) -> tuple[str, ...]:
    """Tell which errors' costs have to be put into one argument."""
    together = "costs" in known and "cost_fp" not in known and "costs" not in given
    return ("fp", "fn") if together else ()


def _named(name: str, known: Mapping[str, Any]) -> str:
    """Return the present name of an argument, if the function does not know the old one."""
    if name in known:
        return name
    return next((new for new in ARGUMENTS.get(name, ()) if new in known), name)


class Module:
    """A module of 0.1: its names, wherever they are now."""

    def __init__(self, name: str, *, adapt: bool) -> None:
        self._name, self._adapt = name, adapt

    def __getattr__(self, name: str) -> Any:
        if not self._adapt:
            return getattr(importlib.import_module(f"rocspace.{self._name}"), name)
        if FUNCTIONS.get(f"{self._name}.{name}", "").startswith("compare_versions."):
            return globals()[f"_{name}"]
        room, _, new = FUNCTIONS.get(f"{self._name}.{name}", f"{self._name}.{name}").partition(".")
        moved = importlib.import_module("rocspace._base.moved").MOVED
        for place in (moved.get(room, room), *_rooms()):
            with contextlib.suppress(ImportError, AttributeError):
                found = getattr(importlib.import_module(f"rocspace.{place}"), new)
                return Called(found) if callable(found) else found
        msg = f"no {self._name}.{name} any more"
        raise AttributeError(msg)


def _rooms() -> list[str]:
    import rocspace

    return [m.name for m in pkgutil.iter_modules(rocspace.__path__) if not m.name.startswith("_")]


def _iso_performance_slope(cost_fp: float, cost_fn: float, prevalence: float) -> Any:
    import rocspace

    return rocspace.Costs(fp=cost_fp, fn=cost_fn).iso_performance_slope(prevalence)


def _probability_cost(*, prevalence: Any, cost_fn: float) -> Any:
    import rocspace

    return rocspace.Costs(fn=cost_fn).probability_cost(prevalence)


def _cost_share(*, cost_fn: float) -> Any:
    import rocspace

    return rocspace.Costs(fn=cost_fn).cost_share


def _rule_counts(rule: Any, data: Any) -> Any:
    from rocspace.combine import rule_counts

    return rule_counts(data, rule)


def _summary_line(**studies: Any) -> Any:
    from rocspace.models import fit_summary_roc

    return fit_summary_roc(**studies, method="moses-littenberg")


def _do(value: Any, action: str, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method by its old name."""
    for name in (action, *METHODS.get(action, ())):
        if hasattr(value, name):
            found = getattr(value, name)
            return Called(found)(*args, **kwargs) if callable(found) else found
    msg = f"{type(value).__name__} has no {action}() any more"
    raise AttributeError(msg)


def _command(*words: str) -> Any:
    """Run the command line in this interpreter, and read what it printed."""
    import runpy

    tried = [words, tuple(OPTIONS.get(word, word) for word in words)]
    for attempt in dict.fromkeys(tried):
        out, errors, status = io.StringIO(), io.StringIO(), 0
        before, sys.argv = sys.argv, ["rocspace", *attempt]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                runpy.run_module("rocspace", run_name="__main__")
        except SystemExit as stop:
            status = int(stop.code or 0)
        finally:
            sys.argv = before
        if status == 0:
            break
    else:
        msg = f"exit status {status}: {errors.getvalue()[-200:]}"
        raise RuntimeError(msg)
    try:
        answer = json.loads(out.getvalue())
    except ValueError:
        return out.getvalue()
    return _reshaped(words[0], answer)


def _reshaped(verb: str, answer: Any) -> Any:
    """Write what has another shape in JSON now in that of 0.1."""
    if verb == "data" and "datasets" in answer:
        return answer["datasets"]
    if verb == "compare" and "settings" not in answer:
        answer["settings"] = {name: answer[name] for name in ("level", "adjustment")}
        for score in answer["scores"]:
            area = score.pop("auc")
            score |= {"auc": area["value"], "se": area["se"], "interval": area["interval"]}
        for pair in answer["pairs"]:
            pair |= {"difference": pair["value"], **pair["test"]}
    return answer


def _batched(counter: Any, label: Any, score: Any) -> Any:
    """Feed a counter in three batches."""
    for part in np.array_split(np.arange(len(label)), 3):
        counter.update(label[part], score[part])
    return counter


def _means(features: Any, label: Any) -> Callable[[Any], Any]:
    """Fit the simplest of all models: the direction from one mean to the other."""
    direction = features[label].mean(axis=0) - features[~label].mean(axis=0)
    return lambda new: new @ direction


class Learners(types.SimpleNamespace):
    """What the calls need of scikit-learn, imported when it is asked for."""

    def __getattr__(self, name: str) -> Any:
        for module in ("naive_bayes", "tree", "model_selection"):
            found = getattr(importlib.import_module(f"sklearn.{module}"), name, None)
            if found is not None:
                return found
        raise AttributeError(name)


def expanded() -> list[str]:
    """Return the calls, one for each value of an ``[each]`` line."""
    calls = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("[each] "):
            pattern, _, values = line.removeprefix("[each] ").rpartition(" : ")
            calls += [pattern.replace("{}", value) for value in values.split()]
        elif line and not line.startswith(("#", "[internal]", _WAS)):
            calls.append(line)
    return calls


_WAS = "    was "


def former() -> dict[str, str]:
    """Return the calls, and how this version is asked by name for what 0.1 answered."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    after = itertools.pairwise(lines)
    return {call: line.removeprefix(_WAS) for call, line in after if line.startswith(_WAS)}


def work(target: Path, only: str, *, adapt: bool) -> None:
    """Run all calls in this interpreter, and write what they return."""
    warnings.simplefilter("ignore")
    space: dict[str, Any] = {"np": np, "do": _do, "cli": _command, "batched": _batched}
    space |= {"means": _means, "sklearn": Learners()}
    space["scipy_stats"] = importlib.import_module("scipy.stats")
    space["temporary"] = target.with_name
    with contextlib.suppress(ImportError):
        space["pandas"] = importlib.import_module("pandas")
    for name in re.findall(r"\b([a-z_]+)\.", "\n".join(expanded())):
        space.setdefault(name, Module(name, adapt=adapt))
    found: dict[str, dict[tuple[str, ...], Any]] = {}
    by_name = former() if adapt else {}
    for call in [*expanded(), *by_name.values()]:
        body = ast.parse(call).body[0]
        try:
            if isinstance(body, ast.Assign):
                exec(call, space)
            elif only in call:
                found[call] = dict(flat(eval(call, space)))
        except Exception as error:
            found[call] = {("raised",): f"{type(error).__name__}: {error}"[:160]}
    with target.open("wb") as file:
        pickle.dump({"found": found, "public": [] if adapt else _public()}, file)


def _public() -> list[str]:
    """List the public functions of 0.1: those that a public module has in its `__all__`."""
    names = []
    for module in _rooms():
        if module not in {"cli", "plot"}:
            home = importlib.import_module(f"rocspace.{module}")
            listed = [(name, getattr(home, name)) for name in getattr(home, "__all__", ())]
            names += [f"{module}.{name}" for name, what in listed if inspect.isfunction(what)]
    return names


# -- Both interpreters, side by side --------------------------------------------------------------
def run(source: Path, target: Path, only: str, *, adapt: bool) -> dict[str, Any]:
    """Run the calls in an interpreter that knows this source only."""
    words = [sys.executable, __file__, "--worker", str(target), "--only", only]
    environment = os.environ | {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["COLUMNS"] = "100"
    subprocess.run(words + ["--adapt"] * adapt, check=True, env=environment, cwd=target.parent)
    with target.open("rb") as file:
        found: dict[str, Any] = pickle.load(file)
    return found


def present(path: tuple[str, ...], now: Mapping[tuple[str, ...], Any]) -> tuple[str, ...] | None:
    """Return the path that a quantity has now, or None if there is none."""
    choices = [(part, *QUANTITIES.get(part, ())) for part in path]
    return next((p for p in itertools.product(*choices) if p in now), None)


def same(old: Any, new: Any) -> bool:
    """Compare exactly; what is undefined equals itself."""
    if isinstance(old, str) or isinstance(new, str):
        return bool(isinstance(old, str) and isinstance(new, str) and old == new)
    if old is None or new is None:
        return old is new
    old, new = np.asarray(old), np.asarray(new)
    if old.dtype.kind in "US" or new.dtype.kind in "US":
        return bool(np.array_equal(old, new))
    return bool(np.array_equal(old, new, equal_nan=True))


def alike(old: Any, new: Any) -> bool:
    """Compare to rounding error: the same method may take its steps in another order."""
    numbers = isinstance(old, float) and isinstance(new, float)
    return same(old, new) or (numbers and math.isclose(old, new, rel_tol=1e-10))


def rounded(old: Any, new: Any) -> bool:
    """Compare floats, also in arrays, but for their last digits."""
    if same(old, new):
        return True
    old, new = np.asarray(old), np.asarray(new)
    floats = old.dtype.kind == "f" and new.dtype.kind == "f" and old.shape == new.shape
    return floats and bool(np.allclose(old, new, rtol=1e-12, atol=0, equal_nan=True))


def differences(
    old: Mapping[str, Any], new: Mapping[str, Any], same: Callable[[Any, Any], bool] = same
) -> Iterator[Row]:
    """List the call, the quantity and both values of all that is not the same."""
    for call, before in old.items():
        now = new[call]
        if ("raised",) in now and ("raised",) not in before:
            yield call, "(the call)", "answers", now["raised",]
            continue
        for path, value in before.items():
            found = present(path, now)
            if found is None:
                yield call, ".".join(path), shown(value), "is not there"
            elif not same(value, now[found]):
                was, is_now = shown(value), shown(now[found])
                if was == is_now and not isinstance(value, str):
                    was, is_now = farthest(value, now[found])
                yield call, ".".join(path), was, is_now


def shown(value: Any) -> str:
    """Write a value in a cell of the table."""
    if isinstance(value, np.ndarray):
        first = ", ".join(repr(x) for x in value.ravel()[:3].tolist())
        return f"[{first}{', ...' if value.size > 3 else ''}] {value.shape}"
    text = repr(value)
    return text if len(text) < 70 else f"{text[:67]}..."


def farthest(old: Any, new: Any) -> tuple[str, str]:
    """Write the first entries of two arrays that differ."""
    i = int(np.flatnonzero(~((old == new) | ((old != old) & (new != new))).ravel())[0])
    return f"[{i}] {old.ravel()[i].item()!r}", f"[{i}] {new.ravel()[i].item()!r}"


def reasons(call: str, quantity: str) -> list[int]:
    """Return which lines of `EXPLAINED` say why something differs."""
    return [
        i
        for i, (begins, pattern, _) in enumerate(EXPLAINED)
        if re.match(begins, call) and re.fullmatch(pattern, quantity)
    ]


def without_case(public: list[str]) -> list[str]:
    """Return the public functions of 0.1 that no call names."""
    text = CASES.read_text(encoding="utf-8") + "\n".join(expanded())
    named = set(re.findall(r"\b[a-z_]+\.[a-z_]+\b", text))
    return sorted({name for name in public if name not in named})


def is_text(was: str) -> bool:
    """Whether what differs is a text: the name of a method, a sentence."""
    return was.startswith(("'", '"', "['", '["'))


Row = tuple[str, str, str, str]
"""A call, a quantity, its value in 0.1 and its value now."""
WRONG = ("no reason", "more than one reason")
ROUNDING = "rounding: less than 1e-12 of the number, a sum in another order"


def both(only: str) -> list[dict[str, Any]]:
    """Run the calls in both versions, 0.1 first."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), OLD], check=True)
        found = []
        try:
            for name, root in (("old", tree), ("new", ROOT)):
                target = Path(folder, name, "found.pickle")
                target.parent.mkdir()
                found.append(run(root / "src", target, only, adapt=root is ROOT))
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    return found


def changed_too(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Row]:
    """List the numbers of 0.1 that this version does not give when asked for the old method."""
    asked = {call: now for call, now in former().items() if call in old}
    found = differences({now: old[call] for call, now in asked.items()}, new, alike)
    return [row for row in found if not is_text(row[2])]


def grouped(
    rows: Iterable[Row], more_than_rounding: Iterable[Row]
) -> tuple[dict[str, list[Row]], set[int]]:
    """Sort differences by their reason, and tell which lines of `EXPLAINED` were needed."""
    groups: dict[str, list[Row]] = {}
    used, large = set(), {row[:2] for row in more_than_rounding}
    for row in rows:
        found = reasons(row[0], row[1])
        used.update(found)
        why = EXPLAINED[found[0]][2] if len(found) == 1 else WRONG[bool(found)]
        if not found and row[:2] not in large:
            why = ROUNDING
        groups.setdefault(why, []).append(row)
    return groups, used


def table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print a Markdown table."""
    for i, row in enumerate(rows):
        cells = (cell.replace("|", r"\|").replace("\n", " ") for cell in row)
        print(f"| {' | '.join(cells)} |")
        if i == 0:
            print("|" + " --- |" * len(row))


def compare(only: str, *, text: bool, brief: bool) -> int:
    """Print what differs, by reason, then how much; tell whether something is wrong."""
    old, new = both(only)
    groups, used = grouped(
        differences(old["found"], new["found"]), differences(old["found"], new["found"], rounded)
    )
    totals = [("numbers", "texts", "reason")]
    for why, rows in sorted(groups.items(), key=lambda group: -len(group[1])):
        numbers = [row for row in rows if not is_text(row[2])]
        totals.append((str(len(numbers)), str(len(rows) - len(numbers)), why))
        listed = rows if text or why in WRONG else numbers
        if listed and (why in WRONG or not brief):
            print(f"\n{why}:\n")
            table([("call", "quantity", "0.1", "now"), *listed])
    compared = sum(len(parts) for parts in old["found"].values())
    print(f"\n{len(old['found'])} calls, {compared:,} quantities compared with {OLD} (0.1).\n")
    table(totals)
    faults: dict[str, list[Any]] = {
        "differences above without exactly one reason": [*groups.get(WRONG[0], ())],
        "differences above with more than one reason": [*groups.get(WRONG[1], ())],
        "numbers that the method of 0.1, asked for by name, does not give": changed_too(
            old["found"], new["found"]
        ),
        "public functions of 0.1 without a call": without_case(old["public"]),
        "reasons without a difference": [
            line for i, line in enumerate(EXPLAINED) if not (only or i in used)
        ],
        "calls that 0.1 refuses": [c for c, parts in old["found"].items() if ("raised",) in parts],
    }
    print()
    for what, found in faults.items():
        print(f"{len(found) or 'No'} {what}{':' * bool(found)}")
        for one in found if what[:5] != "diffe" else ():
            print(f"    {one}")
    return int(any(faults.values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="run the calls that contain this text")
    parser.add_argument("--text", action="store_true", help="list texts that differ, too")
    parser.add_argument("--brief", action="store_true", help="print only how many, by reason")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--adapt", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work(given.worker, given.only, adapt=given.adapt)
        return 0
    return compare(given.only, text=given.text, brief=given.brief)


if __name__ == "__main__":
    sys.exit(main())
