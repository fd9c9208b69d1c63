"""Docstrings of the public names are complete: what goes in, what comes out, from where, shown."""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import rocspace.measures
from repository import PACKAGE, Function

SECTION = re.compile(r"^([A-Z]\w+(?: \w+)?)\n-{3,}$", re.MULTILINE)
NAMED = re.compile(r"^\w+_(?= : )", re.MULTILINE)  # of an attribute: numpydoc writes it out
REFERENCE = re.compile(r"(?<![\w.`])\w*[^\W_]_(?![\w`])")  # a link, to who reads the markup
SHOWN = re.compile(r"^\s*(?:>>>|\.\.\.) .*$", re.MULTILINE)
EXCEPTIONS = {
    "cli.main:Examples",  # it ends the process
    "counts.refuse:Returns",  # it returns never
}


class Public(NamedTuple):
    """A public function, class or method, as its module defines it."""

    name: str  # room.name or room.name.method
    node: Function | ast.ClassDef
    docstring: str

    @property
    def sections(self) -> set[str]:
        return set(SECTION.findall(self.docstring))

    @property
    def is_method(self) -> bool:
        return self.name.count(".") > 1


@cache
def module(path: Path) -> dict[str, ast.stmt]:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return {node.name: node for node in body if isinstance(node, Function | ast.ClassDef)}


def words(node: Function | ast.ClassDef) -> str:
    return " ".join(ast.unparse(decorator) for decorator in node.decorator_list)


def is_public_method(node: Function) -> bool:
    return node.name[0] != "_" and not re.search("property|overload", words(node))


def found() -> Iterator[Public]:
    """Read each room's list of its names, and the modules that define them."""
    for listed in sorted(PACKAGE.glob("*/__init__.pyi")):
        room = listed.parent.name
        for each in ast.parse(listed.read_text(encoding="utf-8")).body:
            if not isinstance(each, ast.ImportFrom):
                continue
            name = each.names[0].name
            node = module(PACKAGE.parent / f"{each.module.replace('.', '/')}.py").get(name)
            if node is None:  # a constant, or the name of a type
                continue
            measured = re.match("measure|mixed", words(node))  # the decorator adds sections
            docstring = getattr(rocspace.measures, name).__doc__ if measured else ""
            yield Public(f"{room}.{name}", node, docstring_of(node, docstring))
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, Function) and is_public_method(inner):
                    yield Public(f"{room}.{name}.{inner.name}", inner, docstring_of(inner))


def docstring_of(node: Function | ast.ClassDef, given: str | None = "") -> str:
    return inspect.cleandoc(given) if given else ast.get_docstring(node) or ""


PUBLIC = {public.name: public for public in found()}
EXAMPLES = "\n".join(line for p in PUBLIC.values() for line in SHOWN.findall(p.docstring))


def own(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a function but its inner functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Function | ast.Lambda | ast.ClassDef):
            yield child
            yield from own(child)


def lacks_of_function(public: Public) -> Iterator[str]:
    node, has = public.node, public.sections
    assert isinstance(node, Function)
    a = node.args
    names = [arg.arg for arg in (*a.posonlyargs, *a.args, *filter(None, [a.vararg]), *a.kwonlyargs)]
    if names[public.is_method and "staticmethod" not in words(node) :] and "Parameters" not in has:
        yield "Parameters"
    returned = ast.unparse(node.returns) if node.returns else "None"
    if returned not in ("None", "Self") and not has & {"Returns", "Yields"}:
        yield "Returns"
    if any(isinstance(inner, ast.Raise) for inner in own(node)) and "Raises" not in has:
        yield "Raises"
    if not public.is_method and "References" not in has:
        yield "References"
    shown = public.is_method and re.search(rf"\.{node.name}\(", EXAMPLES)
    if "Examples" not in has and not shown:
        yield "Examples"


def lacks_of_class(public: Public) -> Iterator[str]:
    """What a class is without; one that functions return is shown, and has its sources, there."""
    has = public.sections
    if "Error" in public.name:  # it is raised: the functions' Raises name it
        return
    if not has & {"Attributes", "Parameters"} and "Protocol" not in ast.unparse(public.node):
        yield "Attributes"
    if not has & {"References", "See Also"}:
        yield "References or See Also"
    if "Examples" not in has and not any(makers(public)):
        yield "Examples"


def also(public: Public) -> list[str]:
    """Names under See Also, with their rooms; a name without one is of the same room."""
    text = re.search(r"^See Also\n-+\n(.+?)(?:\n\n|\Z)", public.docstring, re.M | re.DOTALL)
    room = public.name.partition(".")[0]
    names = re.split(r",\s+", text[1]) if text else []
    return [n.removeprefix("rocspace.") if "rocspace." in n else f"{room}.{n}" for n in names]


def makers(public: Public) -> Iterator[bool]:
    """Whether each of those that a class refers to under See Also is shown in an example."""
    for other in filter(None, map(PUBLIC.get, also(public))):
        called = other.is_method and f".{other.node.name}(" in EXAMPLES
        yield "Examples" in other.sections or called


def lacks() -> Iterator[str]:
    for public in PUBLIC.values():
        of = lacks_of_class if isinstance(public.node, ast.ClassDef) else lacks_of_function
        yield from (f"{public.name}:{section}" for section in of(public))


def test_there_is_much_to_read() -> None:
    assert len(PUBLIC) > 550
    assert {"counts.tabulate", "measures.tpr", "results.Estimate.interval"} <= set(PUBLIC)


def test_docstrings_are_complete() -> None:
    assert set(lacks()) - EXCEPTIONS == set()


def wrong_defaults(public: Public) -> list[str]:
    """Return the parameters whose default the docstring gives otherwise than the signature."""
    if isinstance(public.node, ast.ClassDef):
        return []
    given = public.node.args
    pairs = [*zip([*given.posonlyargs, *given.args][::-1], given.defaults[::-1], strict=False)]
    pairs += [(arg, of) for arg, of in zip(given.kwonlyargs, given.kw_defaults, strict=True) if of]
    known = {arg.arg: of.value for arg, of in pairs if isinstance(of, ast.Constant)}
    said = re.findall(r"^(\w+) : .*\bdefault ([^,;\n]+)$", public.docstring, re.MULTILINE)
    return [name for name, text in said if name in known and not _same(text, known[name])]


def _same(text: str, value: object) -> bool:
    if value is None:  # which stands for what the text says
        return True
    try:
        return bool(ast.literal_eval(text.rstrip(".")) == value)
    except (ValueError, SyntaxError):  # words
        return True


@pytest.mark.parametrize("name", PUBLIC)
def test_defaults_are_as_the_docstring_says(name: str) -> None:
    assert wrong_defaults(PUBLIC[name]) == []


def test_a_default_that_the_docstring_does_not_know_is_found() -> None:
    source = 'def f(a, *, b=2, c="x", d=1e-3):\n    """F.\n\n    {}\n    """'
    docstring = "b : int, default 3\n    c : str, default 'x'\n    d : float, default 0.001"
    node = ast.parse(source.format(docstring)).body[0]
    assert wrong_defaults(Public("room.f", node, docstring_of(node))) == ["b"]


def test_every_exception_is_one() -> None:
    assert set(lacks()) >= EXCEPTIONS


def test_what_is_referred_to_exists() -> None:
    referred = {name for public in PUBLIC.values() for name in also(public)}
    assert len(referred) > 100
    assert {name for name in referred - set(PUBLIC) if not name.split(".")[-1].isupper()} == set()


STOPS = """
def stop():
    '''Stop.

    References
    ----------
    No source: our own.

    Examples
    --------
    >>> stop()
    '''
    raise ValueError
"""


@pytest.mark.parametrize(
    ("source", "lacking"),
    [
        ("def f(x) -> int: ...", ["Parameters", "Returns", "References", "Examples"]),
        (STOPS, ["Raises"]),
    ],
)
def test_the_check_sees_what_is_missing(source: str, lacking: list[str]) -> None:
    node = ast.parse(source).body[0]
    assert isinstance(node, Function)
    assert list(lacks_of_function(Public("room.f", node, docstring_of(node)))) == lacking


@pytest.mark.parametrize("name", PUBLIC)
def test_no_word_is_taken_for_a_link(name: str) -> None:
    text = NAMED.sub("", SHOWN.sub("", PUBLIC[name].docstring))
    text = re.sub(r"``.+?``|`.+?`", "", text, flags=re.DOTALL)
    assert not REFERENCE.findall(text)


def test_a_word_with_an_underscore_at_its_end_is_found() -> None:
    assert REFERENCE.findall('a prefix such as "p_" or p_, not p_i or `p_`') == ["p_", "p_"]
