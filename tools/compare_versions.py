"""Compare the numbers of version 0.1 with those of this version, on the bundled data.

``python tools/compare_versions.py`` checks 0.1 out into a temporary folder, runs every call of
``version_cases.txt`` in an interpreter of each version, and prints a Markdown table of every number
that is not exactly the same, with the reason where one is known. It ends with status 1 if a
difference has no reason, or if a public function of 0.1 has no case. ``--text`` also lists texts
that differ (names of methods, sentences), ``--only TEXT`` runs the calls that contain TEXT.

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
import os
import pickle
import pkgutil
import re
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
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
}
OPTIONS: dict[str, str] = {
    "--samples": "--grid",
    "--rounds": "--max-rounds",
}

# -- Differences that were asked for ------------------------------------------------------------
EXPLAINED: tuple[tuple[str, str, str], ...] = (
    (
        r"cv_auc_estimate|average|report|summarise|cli\(",
        r".*(interval|low|high|width|se|model_se|rows|method|mean).*",
        "the variance of a cross-validated area allows for dependent folds (issue 13, 5)",
    ),
    (
        r"hull\.iso_performance_slope|cost_curves\.probability_cost|cost_comparison\.cost_share",
        ".*",
        "methods of Costs (issue 12, canon)",
    ),
    ("combine.better_direction", ".*", "deleted: curves.best_orientation says it (LAYOUT)"),
    (
        r"meta\.fit_summary_roc",
        r"q_star\.(model_se|n_pairs|tied|whole)",
        "an Estimate knows nothing of the AUC (LAYOUT, canon)",
    ),
    (r"simulate\.ratings", "area", "a Population is a Curve, which has its area (issue 12, 4)"),
    (
        r'cli\("compare"',
        r"(settings|scores\.\d+|pairs\.\d+)\..*",
        "one JSON shape of a comparison (issue 12, 5); compare.compare_aucs has these numbers",
    ),
    (
        r"delong|auc|part|noninferiority|equivalence|superiority|summarise|table|to_|cli\(",
        r".*(interval|low|high|width|pvalue|rows|note|difference|ends|scale|method|measured).*",
        'the default interval of an area of counts is "unseen" (review, statistics 1)',
    ),
    (
        "clustered",
        r".*(se|df|interval|low|high|pvalue|statistic|method).*",
        "leaving out clusters, degrees of freedom of Bell and McCaffrey (review, statistics 6)",
    ),
    (
        r"auc_difference\(.*data=K",
        r"correlation|se|.*\.se",
        "leaving out clusters (review, statistics 6)",
    ),
    (
        "threshold_bootstrap",
        "low|high|width|method",
        "each choice is spread between its neighbours (review, statistics 9)",
    ),
    (
        r"compare|do\(gap|difference|noninferiority|equivalence|superiority|report|summarise|plan",
        r".*(interval|low|high|width|pvalue|statistic|df|note|method|rows|overall|test).*",
        'test and interval of a difference invert each other: "discordance" (issue 13, 3)',
    ),
    (
        "bootstrap",
        ".*(interval|low|high|width|method).*",
        'a bootstrap of an area or a part, too, is "unseen" by default (issue 13, 2)',
    ),
    (
        "likelihood_ratio|predictive_value",
        ".*(low|high|width|method).*",
        "halves are added only where a cell of the ratio is empty (review, statistics 12)",
    ),
    ("pr_area_estimate", ".*", "its variance knows the negatives (issue 13, 1)"),
    (
        r"likelihood|envelope|difference_band|cli\(.band",
        ".*(low|high|upper|area|fpr|differs|rows|width|tpr).*",
        "the critical value of likelihood regions is read from a simulated table (issue 13, 8)",
    ),
    ("report|summarise", ".*band.*", "the same critical value"),
)
"""Patterns of the call and of the quantity, and why they differ."""


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
    # A list has a schema beside it now (issue 12, 5).
    return (
        answer["datasets"] if words[:2] == ("data", "--json") and "datasets" in answer else answer
    )


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
        elif line and not line.startswith(("#", "[internal]")):
            calls.append(line)
    return calls


def work(target: Path, only: str, *, adapt: bool) -> None:
    """Run all calls in this interpreter, and write what they return."""
    warnings.simplefilter("ignore")
    space: dict[str, Any] = {"np": np, "do": _do, "cli": _command, "batched": _batched}
    space |= {"means": _means, "sklearn": Learners()}
    space["scipy_stats"] = importlib.import_module("scipy.stats")
    space["temporary"] = lambda name: target.with_name(f"{target.stem}_{name}")
    with contextlib.suppress(ImportError):
        space["pandas"] = importlib.import_module("pandas")
    for name in re.findall(r"\b([a-z_]+)\.", "\n".join(expanded())):
        space.setdefault(name, Module(name, adapt=adapt))
    found: dict[str, dict[tuple[str, ...], Any]] = {}
    for call in expanded():
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


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
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


def reason(call: str, quantity: str) -> str:
    """Return why something differs, or nothing."""
    for function, pattern, why in EXPLAINED:
        if re.search(function, call) and re.fullmatch(pattern, quantity):
            return why
    return ""


def without_case(public: list[str]) -> list[str]:
    """Return the public functions of 0.1 that no call names."""
    text = CASES.read_text(encoding="utf-8") + "\n".join(expanded())
    named = set(re.findall(r"\b[a-z_]+\.[a-z_]+\b", text))
    return sorted({name for name in public if name not in named})


def is_text(was: str) -> bool:
    """Whether what differs is a text: the name of a method, a sentence."""
    return was.startswith(("'", '"', "['", '["'))


def compare(only: str, *, text: bool) -> int:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "old")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), OLD], check=True)
        try:
            old = run(tree / "src", Path(folder, "old.pickle"), only, adapt=False)
            new = run(ROOT / "src", Path(folder, "new.pickle"), only, adapt=True)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    found = list(differences(old["found"], new["found"]))
    texts = [row for row in found if is_text(row[2])]
    rows = [(*row, reason(row[0], row[1])) for row in found if text or row not in texts]
    if rows:
        print("| call | quantity | 0.1 | now | why |\n| --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(cell.replace("|", r"\|").replace("\n", " ") for cell in row) + " |")
    wrong = [call for call, parts in old["found"].items() if ("raised",) in parts]
    missing = without_case(old["public"])
    compared = sum(len(parts) for parts in old["found"].values())
    unexplained = sum(not row[-1] and not is_text(row[2]) for row in rows)
    print(f"\n{len(old['found'])} calls, {compared:,} quantities compared with {OLD} (0.1).")
    print(f"{len(found) - len(texts)} numbers differ, {unexplained} of them without a reason;")
    print(f"{len(texts)} texts differ{'' if text else ' (--text lists them)'}.")
    for call in wrong:
        print(f"0.1 refuses: {call}\n    {old['found'][call]['raised',]}")
    if missing:
        print(f"Public functions of 0.1 without a call: {', '.join(missing)}.")
    return int(bool(unexplained or missing))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="run the calls that contain this text")
    parser.add_argument("--text", action="store_true", help="list texts that differ, too")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--adapt", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        work(given.worker, given.only, adapt=given.adapt)
        return 0
    return compare(given.only, text=given.text)


if __name__ == "__main__":
    sys.exit(main())
