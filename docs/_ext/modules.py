"""The modules as they are: one API page each, the map of them all, links between their names.

Pages are written when a build starts, from `__all__`; the map is read from the source with `ast`.
A module that appears in the package appears here, and nothing has to be kept in step by hand.
"""

from __future__ import annotations

import ast
import fnmatch
import importlib
import inspect
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, get_origin

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rocspace"
INDEX = "index.md"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Module:
    """A module as its source shows it, without importing it."""

    name: str  # below the package: "table", "report.page"
    doc: str
    uses: tuple[str, ...]
    exports: tuple[str, ...]  # of a room: what its stub lists

    @property
    def full_name(self) -> str:
        return f"rocspace.{self.name}"

    @property
    def is_room(self) -> bool:
        return "." not in self.name and not self.name.startswith("_")

    @property
    def summary(self) -> str:
        """The first sentence of its docstring, on one line."""
        return " ".join(self.doc.partition("\n\n")[0].split())


@cache
def all_modules() -> list[Module]:
    """Every module but the package itself, those that others build on first."""
    found = [_read(path) for path in PACKAGE.rglob("*.py")]
    return sorted((m for m in found if m.name), key=_place)


@cache
def public_modules() -> list[Module]:
    """The rooms."""
    return [module for module in all_modules() if module.is_room]


def _read(path: Path) -> Module:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    uses = sorted({used for used in _imports(tree) if used != name})
    doc = ast.get_docstring(tree) or ""
    return Module(name=name, doc=doc, uses=tuple(uses), exports=_exports(path))


def _exports(path: Path) -> tuple[str, ...]:
    stub = path.with_suffix(".pyi")
    return tuple(_homes(stub)) if stub.exists() else ()


def _homes(stub: Path) -> dict[str, str]:
    """The module of each name that a stub lists."""
    lines = re.findall(r"^from (\S+) import (\w+) as \2$", stub.read_text(encoding="utf-8"), re.M)
    return {name: module for module, name in lines}


def _imports(tree: ast.AST) -> Iterator[str]:
    """Modules of the package that are imported when the program runs."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "rocspace":
            yield from (alias.name for alias in node.names if _is_module(alias.name))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rocspace."):
            yield node.module.removeprefix("rocspace.")
        elif isinstance(node, ast.Import):
            dotted = (alias.name for alias in node.names)
            yield from (d.removeprefix("rocspace.") for d in dotted if d.startswith("rocspace."))
        elif not isinstance(node, ast.expr):
            yield from _imports(node)


def _is_module(name: str) -> bool:
    return (PACKAGE / f"{name}.py").exists() or (PACKAGE / name / "__init__.py").exists()


@cache
def _layers() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return re.findall(r"\w+", " ".join(reversed(layers)))


def _place(module: Module) -> tuple[int, str]:
    """Sort by layer, lowest first; a module in no layer goes last."""
    layers, top = _layers(), module.name.split(".")[0]
    return layers.index(top) if top in layers else len(layers), module.name


# --- API pages ----------------------------------------------------------------------------------


def page(module: Module) -> str:
    """The API page of a public module: its docstring, its names in short, then in full."""
    try:
        imported = importlib.import_module(module.full_name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("rocspace"):  # half-written: say so, build the rest
            logger.warning("%s cannot be imported: %s", module.full_name, error)
        return (
            f"# {module.name}\n\n{module.summary}\n\n:::{{note}}\nThis room needs "
            f"{error.name}, which was not installed where these pages were built.\n:::\n"
        )
    rows = [("Name", "What it is")]
    entries = []
    for name in imported.__all__:
        kind, flags, summary = _describe(imported, name)
        rows.append((f"{{py:obj}}`{name} <{module.full_name}.{name}>`", summary))
        if kind == "class" and _is_shown_before(module, name):
            flags += "\n   :no-index:"
        entries.append(f".. auto{kind}:: {module.full_name}.{name}{flags}\n")
    table = list_table(rows, widths="35 65")
    # A function that has the name of its module, as `report.summarise`, keeps that name.
    hidden = not inspect.ismodule(_attribute(module.full_name))
    flags = "\n   :no-index:" if hidden else ""
    head = f".. automodule:: {module.full_name}\n   :no-members:{flags}\n"
    body = "\n".join(entries)
    return f"# {module.name}\n\n{_rst(head)}\n{table}\n\n## In full\n\n{_rst(body)}"


def _is_shown_before(module: Module, name: str) -> bool:
    """Whether another public module lists the same class, and comes first."""
    first = next(m for m in public_modules() if name in m.exports)
    return first != module and _attribute(f"{first.full_name}.{name}") is _attribute(
        f"{module.full_name}.{name}"
    )


def _rst(text: str) -> str:
    return f"````{{eval-rst}}\n{text}````\n"


def _attribute(dotted: str) -> Any:
    parent, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(parent), name)


def shown_members(cls: type) -> str:
    """Return the options that show the members of a class; those of scikit-learn's making not."""
    made = [name for name in dir(cls) if re.fullmatch(r"set_\w+_request", name)]
    return "\n   :members:" + (f"\n   :exclude-members: {', '.join(made)}" if made else "")


def _describe(module: Any, name: str) -> tuple[str, str, str]:
    """Which autodoc directive fits a name, with which options, and its first line."""
    value = getattr(module, name)
    if inspect.isclass(value):
        kind = "exception" if issubclass(value, BaseException) else "class"
        return kind, shown_members(value) if kind == "class" else "", first_line(value)
    if inspect.isroutine(value):
        return "function", "", first_line(value)
    comments = ModuleAnalyzer.for_module(module.__name__).find_attr_docs()
    lines = comments.get(("", name), [""])
    # The value of a registry would fill a page; that of an alias is what it means.
    flags = "\n   :no-value:" if isinstance(value, dict | list | tuple | set | frozenset) else ""
    is_alias = get_origin(value) is not None
    return "data", flags, lines[0] or ("Words for an option." if is_alias else "A constant.")


def first_line(value: Any) -> str:
    """The first paragraph of a docstring on one line, single backquotes made double."""
    text = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    return re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", text)


def list_table(rows: list[tuple[str, ...]], *, widths: str) -> str:
    """A table in MyST; the first row is its head."""
    lines = [f"```{{list-table}}\n:header-rows: 1\n:widths: {widths}\n"]
    for row in rows:
        lines += [f"{'* -' if i == 0 else '  -'} {cell}" for i, cell in enumerate(row)]
    return "\n".join([*lines, "```"])


def write_pages(app: Sphinx) -> None:
    """Write the API pages that changed, and remove those whose module is gone."""
    public_modules.cache_clear()
    folder = Path(app.srcdir) / "api"
    pages = {f"{module.name}.md": page(module) for module in public_modules()}
    for file in folder.glob("*.md"):
        if file.name not in pages and file.name != INDEX:
            file.unlink()
    for name, text in pages.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


# --- directives ---------------------------------------------------------------------------------


class ModuleMap(SphinxDirective):
    """A table of all modules in the order of their layers."""

    def run(self) -> list[nodes.Node]:
        rows = [("Module", "What it does", "Uses")]
        for module in all_modules():
            link = f"{{doc}}`{module.name} </api/{module.name}>`"
            name = link if module.is_room else f"`{module.name}`"
            uses = ", ".join(used.replace("_", r"\_") for used in module.uses)
            rows.append((name, module.summary, uses or "–"))
        self.env.note_reread()
        return self.parse_text_to_nodes(list_table(rows, widths="18 52 30"))


class ModulePages(SphinxDirective):
    """The API pages as a table of contents."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        names = "\n".join(module.name for module in public_modules())
        return self.parse_text_to_nodes(f"```{{toctree}}\n:maxdepth: 1\n:hidden:\n\n{names}\n```")


class OptionalPages(SphinxDirective):
    """``{optional-pages} coverage* *_experiment``: those pages, if there are any.

    With a caption they are a part of the sidebar, and not listed on the page.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"caption": str}

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        known = sorted(self.env.found_docs)
        found = [n for p in self.arguments[0].split() for n in fnmatch.filter(known, p)]
        if not found:
            return self.parse_text_to_nodes("*These pages were built without them.*")
        names = "\n".join(f"/{name}" for name in found)
        caption = self.options.get("caption")
        looks = f":caption: {caption}\n:hidden:" if caption else ":maxdepth: 1"
        return self.parse_text_to_nodes(f"```{{toctree}}\n{looks}\n\n{names}\n```")


class PublicNames(SphinxDirective):
    """A table of the names that `import rocspace` brings."""

    def run(self) -> list[nodes.Node]:
        import rocspace

        self.env.note_reread()
        rows = [("Name", "What it is", "Room")]
        for name in rocspace.__all__:
            home = home_of(name)
            short = home.removeprefix("rocspace.")
            _, _, summary = _describe(importlib.import_module(home), name)
            link = f"{{py:obj}}`{name} <{home}.{name}>`"
            rows.append((link, summary, f"{{doc}}`{short} </api/{short}>`"))
        return self.parse_text_to_nodes(list_table(rows, widths="28 56 16"))


# --- links --------------------------------------------------------------------------------------


def home_of(name: str) -> str:
    """The one room that lists a name of the package."""
    (stub,) = (stub for stub in PACKAGE.glob("*/__init__.pyi") if name in _homes(stub))
    return f"rocspace.{stub.parent.name}"


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.Element
) -> nodes.Node | None:
    """Link names wherever they are written: `auc`, `rocspace.auc`, `resample_cases`."""
    import rocspace

    name = node.get("reftarget", "").removeprefix("rocspace.")
    if node.get("refdomain") != "py":
        return None
    if name in rocspace.__all__:
        target = f"{home_of(name)}.{name}"
    elif name.isidentifier() and (name != name.lower() or "_" in name):  # no ordinary word
        homes = [m for m in public_modules() if name in m.exports]
        if len(homes) != 1:
            return None
        target = f"{homes[0].full_name}.{name}"
    else:
        return None
    return env.domains["py"].resolve_xref(
        env, node["refdoc"], app.builder, "obj", target, node, content
    )


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("module-map", ModuleMap)
    app.add_directive("module-pages", ModulePages)
    app.add_directive("optional-pages", OptionalPages)
    app.add_directive("public-names", PublicNames)
    app.connect("builder-inited", write_pages)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
