"""The documentation: its examples run, its names exist, its API pages are complete.

`make docs` builds it and looks at links between pages; here are the cheap checks.
"""

import ast
import csv
import doctest
import importlib
import importlib.util
import inspect
import io
import pkgutil
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from benchmarks.speed import models as models_table
from benchmarks.speed import readme as speed_table

import rocspace
from repository import DOCS, PAGES, ROOT, extension

pytest.importorskip("sphinx", reason="the documentation's extra is not installed")

OPTIONAL = ("plotnine", "seaborn")  # which only pages that show how they draw results need
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROLE = re.compile(r"\{(?:func|class|obj|data|meth|attr|exc)\}`([^`]+)`")


modules = extension("modules")
registry = extension("registry")
house = extension("house")


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """Fenced blocks of a language, each with the line it starts on."""
    text = page.read_text(encoding="utf-8")
    found = [m for m in FENCE.finditer(text) if m[1] == language]
    return [(text.count("\n", 0, m.start(2)) + 1, m[2]) for m in found]


def target(role: str) -> str:
    """What a role points to: "~a.b" and "text <a.b>" mean "a.b"."""
    inside = re.fullmatch(r".*<([^<>]+)>", role)
    return (inside[1] if inside else role).removeprefix("~")


def exists(dotted: str) -> bool:
    """Whether a name is a public one: listed in `__all__` of its module, or a part of one."""
    parts = dotted.split(".")
    for i in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:i]))
        except ModuleNotFoundError:
            continue
        if i < len(parts) and parts[i] not in getattr(value, "__all__", ()):
            return False
        for part in parts[i:]:
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False


# Examples


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_examples_run(page: Path) -> None:
    """All blocks of a page are one session, in order; without those of other plot libraries."""
    absent = [name for name in OPTIONAL if find_spec(name) is None]
    shown = [text for _, text in blocks(page, "python")]
    code = "\n".join(
        t
        for t in shown
        if not any(f" {name} import" in t or f"import {name}" in t for name in absent)
    )
    example = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), 0)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
    runner.run(example, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_python_blocks_are_examples(page: Path) -> None:
    """A block without a prompt would be shown but never run."""
    dead = [line for line, text in blocks(page, "python") if not text.startswith(">>>")]
    assert dead == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.stem)
def test_lines_of_examples_fit_a_page(page: Path) -> None:
    """A longer line has to be scrolled sideways where the page is read."""
    lines = [line for _, text in blocks(page, "python") for line in text.splitlines()]
    lines = [line for line in lines if line.startswith((">>>", "..."))]
    shell = [text for kind in ("console", "sh") for _, text in blocks(page, kind)]
    lines += [line for text in shell for line in text.splitlines()]
    assert [line for line in lines if len(line) > 100] == []


def test_there_are_examples() -> None:
    assert sum(len(blocks(page, "python")) for page in PAGES) > 20


# The command line


def commands() -> list[tuple[str, tuple[str, ...]]]:
    """Subcommands in the shell blocks, each with the options it is shown with."""
    lines = [
        line.partition("  #")[0].split()
        for page in [*PAGES, ROOT / "README.md"]
        for _, text in blocks(page, "sh")
        for line in text.replace("\\\n", "").splitlines()
        if line.startswith("rocspace ") and not line.startswith("rocspace --")
    ]
    return [(words[1], tuple(w for w in words if w.startswith("--"))) for words in lines]


@cache
def help_of(command: str) -> str:
    from rocspace.cli import run

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setenv("COLUMNS", "200")
        patch.setenv("NO_COLOR", "1")
        assert run([command, "--help"]) == 0
    return out.getvalue()


@pytest.mark.parametrize(("command", "options"), sorted(set(commands())))
def test_shell_examples_use_real_commands(command: str, options: tuple[str, ...]) -> None:
    pytest.importorskip("cyclopts", reason="the command line's extra is not installed")
    assert [option for option in options if option not in help_of(command)] == []


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "console")])
def test_shell_sessions_show_what_is_printed(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block is a command after "$ ", and all that it prints on standard output."""
    pytest.importorskip("cyclopts", reason="the command line's extra is not installed")
    from rocspace.cli import run

    monkeypatch.setenv("COLUMNS", "100")
    for _, text in blocks(page, "console"):
        line, _, shown = text.partition("\n")
        program, *arguments = line.removeprefix("$ ").split()
        assert program == "rocspace"
        assert run([*arguments, "--quiet"]) == 0
        assert capsys.readouterr().out == shown


# The README


def readme_lines(language: str) -> list[str]:
    text = "\n".join(text for _, text in blocks(ROOT / "README.md", language))
    return [line.partition("  #")[0].strip() for line in text.splitlines()]


def test_the_python_of_the_readme_runs() -> None:
    code = "\n".join(text for _, text in blocks(ROOT / "README.md", "python"))
    names: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), names)
    shown = "rs.delong(table).interval(0.95)  # of the area 0.9272"
    assert shown in code
    assert round(rocspace.auc(names["table"]), 4) == 0.9272


README_COMMANDS = [line for line in readme_lines("sh") if "rocspace " in line]


@pytest.mark.parametrize("line", README_COMMANDS)
def test_each_command_of_the_readme_runs(
    line: str, run: Callable[..., Any], csv_file: Callable[..., Path], monkeypatch: Any
) -> None:
    """`run` stands in an empty folder and wants the exit status 0."""
    before, _, command = line.rpartition("| ")
    if before:
        columns = {"outcome": [0, 0, 1, 1], "score": [0.1, 0.4, 0.3, 0.9]}
        text = csv_file(before.removeprefix("cat ").strip(), columns).read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
    program, *arguments = command.split()
    assert program == "rocspace"
    printed = run(*arguments)
    assert printed.status == 0
    assert printed.out or printed.err


def test_the_numbers_of_the_table_of_models_are_measured() -> None:
    text = models_table.PAGE.read_text(encoding="utf-8")
    assert models_table.page(text) == text
    covered = models_table.coverages(models_table.ledger.read())
    without = set(rocspace.models.MODELS) - set(covered)
    assert without == set(models_table.measured.WITHOUT_ERRORS)
    for name in rocspace.models.MODELS:
        (line,) = (each for each in text.splitlines() if each.startswith(f'| `"{name}"` |'))
        *_, inside, _, took, _ = (each.strip() for each in line.split("|"))
        assert took
        assert inside == covered.get(name, ("", ""))[0]


def test_the_page_of_benchmarks_opens_with_what_was_measured() -> None:
    text = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    table = (ROOT / "README.md").read_text(encoding="utf-8")
    for theirs, words in (
        ("roc_auc_score", "{} to {} times as fast as scikit"),
        ("roc_curve", "{} to {} times as fast as its"),
    ):
        (row,) = re.findall(rf"^\| sklearn {theirs} .*$", table, re.MULTILINE)
        times = [round(float(each)) for each in re.findall(r"\(([\d.]+)\s×\)", row)]
        assert words.format(min(times), max(times)) in " ".join(text.split())


def test_reports_fold_the_machine_and_name_their_columns() -> None:
    measured = extension("measured")
    shown = measured.report(
        "# Times\n\n- date: now\n- numpy: 2\n\n## A\n\n|      | 10 |\n| ---- | -: |\n| a | 1 |\n"
    )
    assert shown.startswith("## Times")
    assert shown.index("<details>") < shown.index("- date: now") < shown.index("</details>")
    nodes = pytest.importorskip("docutils.nodes")
    head = nodes.thead("", nodes.row("", nodes.entry(), nodes.entry("", nodes.paragraph("", "10"))))
    named = nodes.thead("", nodes.row("", nodes.entry("", nodes.paragraph("", "n"))))
    page = nodes.section("", nodes.table("", head), nodes.table("", named))
    measured.name_heads(None, page)
    assert [each.astext().split() for each in (head, named)] == [["call", "10"], ["n"]]


def test_the_page_of_coverage_opens_with_the_answer() -> None:
    text = (DOCS / "coverage.md").read_text(encoding="utf-8")
    first = text.partition("\n\n")[2]
    assert first.startswith("**In short.**")
    with (ROOT / "benchmarks" / "results" / "coverage_misses.csv").open(encoding="utf-8") as file:
        missed = len(list(csv.DictReader(file)))
    assert re.search(rf"\b{missed} of them miss|None misses", " ".join(first.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_heads_of_tables_say_what_is_below(page: Path) -> None:
    """A cell of the line above the dashes is not empty; code is not looked at."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^(\|.*\|)\n\|[ :|-]+\|$", text, re.MULTILINE)
    assert [head for head in heads if re.search(r"\|\s*\|", head)] == []


def test_the_targets_of_the_readme_exist() -> None:
    targets = [line.split()[1] for line in readme_lines("sh") if line.startswith("make ")]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert targets
    assert [name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def measured(table: str, *, by: str, **where: str) -> dict[str, dict[str, str]]:
    """Return the rows of a committed table of times of a version of ours, by who ran."""
    with (ROOT / "benchmarks" / "results" / f"{table}.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if where.items() <= row.items()]
    assert {row["version"] for row in rows if row["entrant"].startswith(OURS)} == {by}
    return {row["entrant"]: row for row in rows}


OURS = ("rocspace", "auc_score")


def drawn_in_the_race() -> tuple[list[dict[str, float]], list[float]]:
    """Return by size the times of all entrants as shares of ours, and our seconds."""
    raced = [
        measured("bootstrap", by="0.2.0", case="interval of the area", n=f"{n}")
        for n in (10**3, 10**4, 10**6)
    ]
    times = [{name: float(row["times_ours"]) for name, row in of.items()} for of in raced]
    return times, [float(of["rocspace"]["seconds"]) for of in raced]


def test_the_numbers_of_the_readme_are_counted_or_measured() -> None:
    assert speed_table.main(["--check"]) == 0
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    plots = [name for name in dir(rocspace.plot) if name.startswith("plot_")]
    huge = measured("huge", by="0.2.0")
    certified, exact = (huge[f"rocspace, {name}"] for name in ("tolerance 1e-6", "exact"))
    width = float(certified["high"]) - float(certified["low"])
    times, seconds = drawn_in_the_race()
    by_rocci, by_proc = (sorted(x[name] for x in times) for name in ("rocci", "pROC"))
    others = [
        x for of in times for name, x in of.items() if not name.startswith(("rocspace", "rocci"))
    ]
    for said in (
        f"{rocspace.datasets.load('adult_scores').y_true.size:,} real cases",
        f"by {len(rocspace.measures.CRITERIA)} criteria",
        f"[{len(plots)} plots]",
        f"[{len(rocspace.models.MODELS)} models]",
        f"certified to {width:.0e} in".replace("e-0", "e-"),
        f"in {float(certified['seconds']):.0f} s and {int(certified['peak']) / 1e9:.2f} GB",
        f"exact in {float(exact['seconds']):.0f} s",
        f"{1e3 * seconds[0]:.1f} ms, {1e3 * seconds[1]:.0f} ms, {seconds[2]:.1f} s",
        f"rocci takes {by_rocci[0]:.0f} to {by_rocci[-1]:.0f} times as long",
        f"pROC {by_proc[0]:.0f} to {by_proc[-1]:.0f} times",
        f"every other package at least {int(min(others))} times",
    ):
        assert said in text, said


# Names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_on_pages_exist(page: Path) -> None:
    names = {target(role) for role in ROLE.findall(page.read_text(encoding="utf-8"))}
    assert sorted(name for name in names if not exists(name)) == []


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("rocspace.curves.auc", True),
        ("rocspace.results.Estimate.interval", True),
        ("rocspace.curves.summaries.acu", False),
        ("rocspace.curves.summaries.polygon_area", False),  # there, but not public
        ("rocspace.no_such_module.auc", False),
    ],
)
def test_the_check_of_names_sees_them(name: str, there: bool) -> None:
    assert exists(name) is there


def calls_of(cell: str) -> list[ast.Call]:
    """Calls in the code of a table's cell: in backticks, or the text of a link."""
    found = []
    for code in re.findall(r"`([^`]+)`", cell):
        try:
            tree = ast.parse(re.sub(r" <[^<>]+>$", "", code), mode="eval")
        except SyntaxError:
            continue  # an option such as criterion="youden", or a word
        found += [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return found


def test_calls_in_the_tables_of_other_tools_can_be_made() -> None:
    """Every function is public, has the options it is shown with, and returns such methods."""
    public = {
        name: getattr(importlib.import_module(module), name)
        for module in public_modules()
        for name in importlib.import_module(module).__all__
    }
    classes = [value for value in public.values() if isinstance(value, type)]
    rows = re.findall(r"^\| .* \| (.*) \|$", (DOCS / "coming_from.md").read_text("utf-8"), re.M)
    calls = [call for cell in rows for call in calls_of(cell)]
    assert len(calls) > 50
    for call in calls:
        shown = ast.unparse(call)
        if isinstance(call.func, ast.Attribute):
            assert any(hasattr(one, call.func.attr) for one in classes), shown
        elif ast.unparse(call.func) != "sqrt":
            function = public[ast.unparse(call.func)]
            options = {str(keyword.arg): None for keyword in call.keywords}
            inspect.signature(function).bind_partial(*call.args, **options)


def public_modules() -> list[str]:
    found = pkgutil.iter_modules(rocspace.__path__, "rocspace.")
    return sorted(m.name for m in found if "._" not in m.name)


def glossary() -> dict[str, tuple[list[str], str]]:
    """First name of each entry: all its names, and its text."""
    entries: dict[str, tuple[list[str], str]] = {}
    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    for text in re.findall(r"^```\{glossary\}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for entry in text.strip().split("\n\n"):
            lines = entry.splitlines()
            names = [line for line in lines if not line.startswith(" ")]
            entries[names[0]] = (names, "\n".join(lines[len(names) :]))
    return entries


def test_glossary_links_each_name_of_the_code_to_itself() -> None:
    public = {n for m in public_modules() for n in importlib.import_module(m).__all__}
    wrong = []
    for name in public & set(glossary()):
        role = ROLE.match(glossary()[name][1].strip())
        if role is None or target(role[1]).rpartition(".")[2] != name:
            wrong.append(name)
    assert wrong == []


def test_glossary_has_every_measure_and_summary() -> None:
    entries = glossary()
    for name, fact in (rocspace.MEASURES | rocspace.SUMMARIES).items():
        assert name in entries, f"{name} is missing from the glossary"
        full = f"{fact.home}.{name}"
        assert full in entries[name][1], f"the entry of {name} does not link {full}"


def test_glossary_gives_each_synonym_once() -> None:
    names = [name.casefold() for names, _ in glossary().values() for name in names]
    assert sorted({name for name in names if names.count(name) > 1}) == []


# API pages


def test_every_public_module_has_a_page() -> None:
    assert sorted(m.full_name for m in modules.public_modules()) == public_modules()


@pytest.mark.parametrize("module", modules.public_modules(), ids=lambda module: module.name)
def test_api_page_shows_exactly_the_public_names(module: ModuleType) -> None:
    page = modules.page(module)
    kind = r"function|class|exception|data"
    shown = re.findall(rf"^\.\. auto(?:{kind}):: (\S+)$", page, re.MULTILINE)
    names = importlib.import_module(module.full_name).__all__
    assert shown == [f"{module.full_name}.{name}" for name in names]


def test_every_module_says_what_it_does() -> None:
    silent = [m.name for m in modules.all_modules() if not m.summary.endswith(".")]
    assert silent == []


def test_every_public_name_has_a_home() -> None:
    homes = {name: modules.home_of(name) for name in rocspace.__all__}
    wrong = [n for n, home in homes.items() if n not in importlib.import_module(home).__all__]
    assert wrong == []


def test_no_public_name_is_that_of_a_module() -> None:
    """Importing the module would put it in the name's place."""
    assert {f"rocspace.{name}" for name in rocspace.__all__} & set(public_modules()) == set()


# Pictures


def test_the_picture_of_the_house_shows_every_room_and_only_arrows_downward() -> None:
    drawn = house.picture(house.uses(), lambda room: f"{room}.html")
    assert set(re.findall(r'class="name"[^>]*>(\w+)<', drawn)) == set(house.rooms())
    assert {f"rocspace.{room}" for room in re.findall(r'href="(\w+)\.html"', drawn)} == set(
        public_modules()
    )
    arrows = re.findall(r'd="M\d+ (\d+) C.* (\d+)"/>', drawn)
    assert len(arrows) == len(house.reduced(house.uses())) > 30
    assert all(int(start) < int(end) for start, end in arrows)


def test_arrows_that_follow_from_others_are_left_out() -> None:
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
    assert house.reduced(graph) == [("a", "b"), ("b", "c")]


def test_every_plot_is_shown() -> None:
    from rocspace import plot

    drawn = set(extension("plots").drawings().DRAWINGS)
    assert drawn == {name for name in plot.__all__ if name.startswith("plot_")}


def test_every_picture_of_a_page_is_drawn_and_every_drawn_one_is_shown() -> None:
    tutorials = extension("tutorials")
    drawn = {f"{s}/{name}" for s in tutorials.SCRIPTS for name in tutorials.drawings(s).DRAWINGS}
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert set(re.findall(r"/generated/((?:tutorials|guide)/\w+)\.png", text)) == drawn
    assert {"tutorials/student", "guide/siblings"} <= drawn


def test_the_home_page_has_a_picture_an_install_line_and_the_live_report() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert "pip install" in text
    assert f'href="{extension("tutorials").LIVE}"' in text
    for picture in re.findall(r'src="([^"]+)"', text):
        assert (DOCS / picture).exists()
    tutorials = [page.stem for page in PAGES if page.stem.startswith("tutorial_")]
    assert len(tutorials) == 5
    assert [name for name in tutorials if f"<{name}>" not in text] == []


# Tables of measures


def test_tables_of_measures_show_every_fact() -> None:
    table = registry.table(rocspace.MEASURES)
    rows = table.split("* - ")[2:]  # after the options and the head
    assert len(rows) == len(rocspace.MEASURES)
    row = next(row for row in rows if "`lift <" in row)
    cells = [cell.strip() for cell in row.removesuffix("```").split("  - ")]
    meaning = rocspace.MEASURES["lift"].meaning
    assert cells[1:] == [meaning, "0 to ∞", "higher", "matters"]


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1"), (-0.25, "−0.25"), (float("inf"), "∞"), (float("-inf"), "−∞")]
)
def test_ends_of_ranges_are_written_as_people_do(value: float, text: str) -> None:
    assert registry.number(value) == text
