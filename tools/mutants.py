"""Change one comparison, operator or constant at a time, and see whether a test of the room fails.

``python tools/mutants.py costs compare --count 100 --seed 1`` draws 100 changes at random from the
modules of two rooms (without names: from every room that computes statistics; ``hull/slopes`` is
one module), and runs, for each, the room's own tests that reach the changed line, the quickest
first. A change that no test notices survives: it is printed, and then either a test is missing or
the program is the same. Survivors of the second kind stand in ``tools/same_program.txt``, each with
its reason, and are not drawn.

Not drawn is what no test of behaviour could or should see: annotations and type aliases, the texts
of errors and of ``repr``, docstrings, options of ``dataclass``, keywords that guard or tune
(``strict``, ``stacklevel``, ``rtol`` and the like), the size of a tolerance (a constant below
1e-6, or a multiple of one), and whether a comparison with a tolerance is strict. Facts in
decorators of measures are drawn.

With ``--record FILE.csv`` a sample of the rooms is drawn once and each outcome written down: a run
that was stopped goes on where it was, of single rooms if they are named then, and ``--again``
tries the survivors again, after tests were written for them. The file's summary stands beside it,
in ``FILE.md``.

A run is quick with ``--seconds 10`` (the quickest tests of a line, as many as that) and
``--examples 10`` (of each property); some changes survive then that all the tests would notice.

It needs ``fork`` (Linux, macOS) and runs nothing in CI.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import csv
import math
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "rocspace"
SAME = ROOT / "tools" / "same_program.txt"
NOT_STATISTICS = "_base _kernels cli datasets io plot report stream web"
KILLED, SURVIVES, SAME_PROGRAM, GONE = "killed", "survives", "same program", "gone"
ABOUT = """Killed at first: by the tests of the room when the sample was drawn, of which a quick
first run (`--seconds`, `--examples`) tries the quickest. Killed since: by tests that were written
afterwards, or that the first run left out. Same program: listed with its reason in
`tools/same_program.txt`. Gone: the code was rewritten.
"""
ROOMS = sorted(each.parent.name for each in SOURCE.glob("*/__init__.py"))
STATISTICS = [each for each in ROOMS if each not in NOT_STATISTICS.split()]

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.USub: ast.UAdd,
}

_TUNING = {"strict", "stacklevel", "xtol", "rtol", "atol", "epsabs", "epsrel", "maxiter", "copy"}


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, the lines of its statement, and what it makes of what."""

    path: str
    line: int
    lines: tuple[int, int]
    before: str
    after: str
    place: int
    choice: int

    @property
    def room(self) -> str:
        return Path(self.path).parent.name

    @property
    def key(self) -> tuple[str, str, str]:
        """What stays when lines move."""
        return self.path, self.before, self.after

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


def _silent(tree: ast.AST) -> set[ast.AST]:
    """Return the nodes that no test could or should see; the module's docstring lists them."""
    quiet: set[ast.AST] = set()
    tolerances = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _tiny(node.value)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        match node:
            case ast.FunctionDef(name="__repr__" | "__str__" | "_repr_html_"):
                parts = [node]
            case ast.FunctionDef():
                parts = [node.returns]
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                parts = [node]
            case ast.arg() | ast.AnnAssign():
                parts = [node.annotation]
            case ast.Call(func=ast.Name(id="dataclass" | "TypeVar" | "cast")):
                parts = [node.func, *node.args[:1], *node.keywords]
            case ast.keyword(arg=str(name)) if name in _TUNING:
                parts = [node]
            case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
                sides = [each for side in (node.left, *node.comparators) for each in ast.walk(side)]
                named = any(isinstance(each, ast.Name) and each.id in tolerances for each in sides)
                quiet.update([node] if named or any(map(_tiny, sides)) else [])
            case ast.BinOp() if _tiny(node.left) or _tiny(node.right):
                parts = [node]
            case ast.Raise() | ast.JoinedStr():
                parts = [node]
            case ast.Constant(value=float()) if _tiny(node):
                parts = [node]
            case ast.Expr(value=ast.Constant()):
                parts = [node.value]
            case ast.Assign(targets=[ast.Name(id="msg" | "__all__" | "EXAMPLES")]):
                parts = [node]
        quiet.update(each for part in parts if part for each in ast.walk(part))
    return quiet


def _tiny(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Constant) and isinstance(node.value, float) and (0 < node.value < 1e-6)
    )


def _changes(node: ast.AST) -> list[Callable[[], None]]:
    """Return what can be changed in a node; each call changes it in place."""

    def operator(one: Any) -> list[Callable[[], None]]:
        other = _SWAPS.get(type(one.op))
        return [lambda: setattr(one, "op", other())] if other else []

    match node:
        case ast.Compare(ops=ops):
            return [partial(ops.__setitem__, at, _SWAPS[type(op)]()) for at, op in enumerate(ops)]
        case ast.BinOp() | ast.AugAssign() | ast.BoolOp() | ast.UnaryOp():
            return operator(node)
        case ast.Constant(value=bool(value)):
            return [lambda: setattr(node, "value", not value)]
        case ast.Constant(value=int(value)):
            return [lambda: setattr(node, "value", value + 1)]
        case ast.Constant(value=float(value)):
            return [lambda: setattr(node, "value", 1.5 * value or 1.0)]
    return []


def _lines(node: ast.AST, parent: dict[ast.AST, ast.AST]) -> tuple[int, int]:
    """Return the first line of the statement that holds a node, and the one after its head."""
    while not isinstance(node, ast.stmt):
        node = parent[node]
    body = getattr(node, "body", None)
    end = body[0].lineno if body else (node.end_lineno or node.lineno) + 1
    return node.lineno, max(end, node.lineno + 1)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every change of a module."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    parent = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    quiet = _silent(tree)
    for place, node in enumerate(ast.walk(tree)):
        if node in quiet:
            continue
        whole = parent[node] if isinstance(node, ast.Constant) else node
        inner = next(at for at, each in enumerate(ast.walk(whole)) if each is node)
        for choice in range(len(_changes(node))):
            changed = copy.deepcopy(whole)
            _changes(list(ast.walk(changed))[inner])[choice]()
            name, lines = path.relative_to(ROOT / "src").as_posix(), _lines(node, parent)
            before, after = ast.unparse(whole), ast.unparse(changed)
            yield Mutant(name, lines[0], lines, before, after, place, choice)


class _Changed(SourceLoader, MetaPathFinder):
    """Import one module with its change, and all others as they are."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.path = str(ROOT / "src" / mutant.path)
        self.name = mutant.path.removesuffix(".py").replace("/", ".")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        known = fullname == self.name
        return spec_from_file_location(fullname, self.path, loader=self) if known else None

    def get_filename(self, fullname: str) -> str:
        return self.path

    def get_data(self, path: str | bytes) -> bytes:
        tree = ast.parse(Path(os.fsdecode(path)).read_text("utf-8"))
        _changes(list(ast.walk(tree))[self.mutant.place])[self.mutant.choice]()
        return ast.unparse(ast.fix_missing_locations(tree)).encode()


def _in_a_fork(work: Callable[[], int], log: Path) -> int:
    """Run in a child with its output in a file, and return the child's number."""
    child = os.fork()
    if child == 0:
        with log.open("wb") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
        status = 99
        try:
            status = work()
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return child


class _Examples:
    """Give each property no more examples than this."""

    def __init__(self, most: int) -> None:
        self.most = most

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        from hypothesis import settings

        name = "_hypothesis_internal_use_settings"
        for function in [each.obj for each in items if hasattr(getattr(each, "obj", None), name)]:
            own = getattr(function, name)
            setattr(function, name, settings(own, max_examples=min(own.max_examples, self.most)))


def _pytest(arguments: Sequence[str], folder: Path, *plugins: object) -> int:
    import pytest

    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # loaded before the fork
    return int(pytest.main([*options, f"--basetemp={folder}", *arguments], plugins=list(plugins)))


class _Reached:
    """While tests run: which lines each one reaches, and how long it takes."""

    def __init__(self, room: str, file: Path) -> None:
        import coverage

        self.file = file
        self.seconds: dict[str, float] = {}
        self.coverage = coverage.Coverage(data_file=None, source=[str(SOURCE / room)])
        self.coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data = self.coverage.get_data()
        lines = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        self.file.write_bytes(pickle.dumps((lines, self.seconds)))


@dataclass(frozen=True)
class Tests:
    """A room's tests: what each line is reached by, and how long each takes."""

    lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]
    most: float  # seconds of tests for one change

    def of(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a change, the quickest first.

        Of one that runs when its module is imported all, those that reach the module first.
        """
        lines = self.lines.get(str(ROOT / "src" / mutant.path), {})
        found = {each for line in range(*mutant.lines) for each in lines.get(line, [])}
        near = {each for tests in lines.values() for each in tests}
        reached = set(self.seconds) if "" in found or not found else found
        order = sorted(reached, key=lambda each: (each not in near, self.seconds.get(each, 0.0)))
        ends = accumulate(self.seconds.get(each, 0.0) for each in order)
        return [each for each, end in zip(order, ends, strict=True) if end <= self.most] or order[
            :1
        ]


def _homes(room: str) -> list[str]:
    homes = [f"tests/{room}", f"tests/slow/{room}.py", f"src/rocspace/{room}"]
    return [each for each in homes if (ROOT / each).exists()]


def tests_of(room: str, folder: Path, most: float, *plugins: object) -> Tests:
    """Run a room's tests once, unchanged."""
    file = folder / f"{room}.pickle"

    def work() -> int:
        return _pytest(_homes(room), folder / "plain", _Reached(room, file), *plugins)

    log = folder / f"{room}.log"
    _, status = os.waitpid(_in_a_fork(work, log), 0)
    if status:
        msg = f"the tests of {room} fail unchanged:\n{log.read_text()[-2000:]}"
        raise SystemExit(msg)
    return Tests(*pickle.loads(file.read_bytes()), most)


def _try(mutant: Mutant, tests: list[str], folder: Path, *plugins: object) -> int:
    def work() -> int:
        sys.meta_path.insert(0, finder := _Changed(mutant))
        # Before pytest starts: it would import the files named on its command line unchanged.
        import_module(finder.name)
        return _pytest(tests, folder, *plugins)

    return _in_a_fork(work, folder.with_suffix(".log"))


def outcomes(
    mutants: Sequence[Mutant], tests: Tests, jobs: int, folder: Path, *plugins: object
) -> Iterator[tuple[Mutant, str]]:
    """Yield what became of each change of a room; one that hangs is killed."""
    running = dict[int, tuple[Mutant, float]]()
    waiting = list(reversed(mutants))
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            reached = tests.of(mutant)
            limit = 30 + 5 * sum(tests.seconds.get(each, 0.0) for each in reached)
            child = _try(mutant, reached, folder / f"m{len(waiting)}", *plugins)
            running[child] = mutant, time.monotonic() + limit
        for child, (_, end) in running.items():
            if time.monotonic() > end:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        child, status = os.waitpid(-1, os.WNOHANG) if running else (0, 0)
        if not child:
            time.sleep(0.05)
            continue
        mutant, _ = running.pop(child)
        yield mutant, SURVIVES if os.waitstatus_to_exitcode(status) == 0 else KILLED


@dataclass
class Row:
    """What became of one change of a sample, at first and now ("" where it was not yet tried)."""

    path: str
    line: int
    before: str
    after: str
    nth: int  # of the changes of this module that read alike
    seed: int
    first: str = ""
    now: str = ""
    asked: str = ""  # the rooms or modules that the sample was drawn from; "" for the rooms in it

    @property
    def room(self) -> str:
        return Path(self.path).parent.name

    def __str__(self) -> str:
        before, after = (" ".join(each.split()) for each in (self.before, self.after))
        return f"{self.path}:{self.line}: {before[:90]}  ->  {after[:90]}"


def _row(cells: dict[str, str]) -> Row:
    numbers: dict[str, int] = {each: int(cells.pop(each)) for each in ("line", "nth", "seed")}
    return Row(**cells, **numbers)


class Sample:
    """The changes that were drawn, each with what became of it, and the file that keeps them."""

    def __init__(self, rooms: Sequence[str], count: int, seed: int, file: Path | None) -> None:
        same = listed()
        self.file = file
        self.known = dict[tuple[str, str, str, int], Mutant]()
        for path in [path for name in sorted(rooms) for path in _modules(name)]:
            seen = Counter[tuple[str, str, str]]()
            for each in mutants_of(path):
                self.known[(*each.key, seen[each.key])] = each
                seen[each.key] += 1
        if file and file.exists():
            with file.open(newline="") as text:
                self.rows = list(map(_row, csv.DictReader(text)))
        else:
            free = [key for key in self.known if not same & {key, key[:3]}]
            drawn = random.Random(seed).sample(free, min(count, len(free)))
            lines = [self.known[key].line for key in drawn]
            asked = "" if rooms == STATISTICS else " ".join(rooms)
            self.rows = [
                Row(a, line, b, c, n, seed, asked=asked)
                for (a, b, c, n), line in zip(drawn, lines, strict=True)
            ]
        for row in self.rows:
            if mutant := self.mutant(row):
                row.line = mutant.line
            key = (row.path, row.before, row.after, row.nth)
            if same & {key, key[:3]}:
                row.now = SAME_PROGRAM
            elif mutant is None and row.now != KILLED:
                row.now = GONE

    def mutant(self, row: Row) -> Mutant | None:
        """Return the change of a row as the module stands today, or None if it is there no more."""
        return self.known.get((row.path, row.before, row.after, row.nth))

    def write(self) -> None:
        if self.file is None:
            return
        with self.file.open("w", newline="") as out:
            table = csv.DictWriter(out, [each.name for each in fields(Row)], lineterminator="\n")
            table.writeheader()
            table.writerows(map(asdict, sorted(self.rows, key=lambda row: (row.path, row.line))))
        self.file.with_suffix(".md").write_text(self.summary() + "\n")

    def _drawn(self) -> str:
        """Return the arguments that ask for this sample: what it is of, unless that is all."""
        rooms = sorted({row.room for row in self.rows})
        named = self.rows[0].asked.split() or ([] if rooms == STATISTICS else rooms)
        return " ".join([*named, f"--count {len(self.rows)} --seed {self.rows[0].seed}"])

    def summary(self) -> str:
        """Return the table of what became of the sample, by room, and the survivors."""
        head = ["drawn", "killed at first", "killed since", "same program", "gone", "survive"]
        lines = ["# Changed programs that the tests notice\n"]
        if self.file:
            lines += [f"`python tools/mutants.py {self._drawn()} --record {self.file}`\n", ABOUT]
        lines += [f"| room | {' | '.join(head)} | killed of those that differ |"]
        lines += ["|---" * (len(head) + 2) + "|"]
        for room in [*sorted({row.room for row in self.rows if row.now}), ""]:
            rows = [row for row in self.rows if row.now and (not room or row.room == room)]
            ends = Counter(row.now for row in rows)
            first = sum(row.first == row.now == KILLED for row in rows)
            since, alive = ends[KILLED] - first, ends[SURVIVES]
            numbers = [len(rows), first, since, ends[SAME_PROGRAM], ends[GONE], alive]
            share = 100 * ends[KILLED] / max(ends[KILLED] + alive, 1)
            lines += [f"| {' | '.join([room or 'all', *map(str, numbers)])} | {share:.1f} % |"]
        alive_now = sorted(str(row) for row in self.rows if row.now == SURVIVES)
        if untried := sum(not row.now for row in self.rows):
            lines.append(f"\nNot tried yet: {untried} of the {len(self.rows)} that were drawn.")
        return "\n".join([*lines, "", "Survivors:", "", *(f"- `{each}`" for each in alive_now)])


def _modules(name: str) -> list[Path]:
    """Return the modules of a room, ``"hull"``, or one of them, ``"hull/slopes"``."""
    room, _, module = name.partition("/")
    return sorted((SOURCE / room).glob(f"{module or '*'}.py"))


def listed() -> set[tuple[str | int, ...]]:
    """Return the changes that make the same program, some with their number, from their list."""
    if not SAME.exists():
        return set()
    lines = SAME.read_text("utf-8").splitlines()
    rows = [[cell.replace(r"\|", "|") for cell in line.split(" | ")] for line in lines]
    found = set[tuple[str | int, ...]]()
    for where, before, after in [row[:3] for row in rows if row[0].startswith("rocspace/")]:
        path, _, nth = where.partition("#")
        found.add((path, before, after, int(nth)) if nth else (path, before, after))
    return found


def main() -> None:
    about = (__doc__ or "").splitlines()
    parser = argparse.ArgumentParser(description=about[0], epilog="\n".join(about[2:]))
    parser.add_argument("rooms", nargs="*", default=STATISTICS)
    parser.add_argument("--count", type=int, default=500, help="how many changes (500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="of tests for one change")
    parser.add_argument("--examples", type=int, help="of each property, at most")
    parser.add_argument("--record", type=Path, help="keep the sample and its outcomes here (.csv)")
    parser.add_argument("--again", action="store_true", help="try its survivors again")
    options = parser.parse_args()

    os.chdir(ROOT)
    os.environ.update(CI="true", MPLBACKEND="agg")
    import hypothesis  # noqa: F401  loaded once, for every child
    import numba  # noqa: F401
    import scipy.optimize
    import scipy.special
    import scipy.stats  # noqa: F401

    kept = options.record and options.record.exists()
    sample = Sample(
        STATISTICS if kept else options.rooms, options.count, options.seed, options.record
    )
    sample.write()
    print(f"{len(sample.known)} changes are possible; seed {options.seed}", flush=True)
    plugins = [_Examples(options.examples)] if options.examples else []
    again = {"", SURVIVES} if options.again else {""}
    folder = Path(tempfile.mkdtemp())
    try:
        for room in dict.fromkeys(each.partition("/")[0] for each in options.rooms):
            todo = {sample.mutant(row): row for row in sample.rows if row.now in again}
            mutants = [each for each in todo if each and each.room == room]
            if not mutants:
                continue
            tests = tests_of(room, folder, options.seconds, *plugins)
            print(f"{room}: {len(mutants)} changes, {len(tests.seconds)} tests", flush=True)
            for mutant, outcome in outcomes(mutants, tests, options.jobs, folder, *plugins):
                row = todo[mutant]
                row.first, row.now = row.first or outcome, outcome
                sample.write()
                if outcome == SURVIVES:
                    print(f"survives  {row}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{sample.summary()}")


if __name__ == "__main__":
    main()
