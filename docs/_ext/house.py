"""The house as a picture and as a table, read from the source when the pages are built.

Layers are those of the contract in pyproject.toml, arrows the imports of the rooms. An arrow that
follows from two others is left out, so that what remains can be read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from docutils import nodes
from modules import PACKAGE, ROOT, Module, all_modules, list_table
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

WIDTH, ROW, BOX, GAP = 860, 76, 44, 14  # of the picture, in its own units


@dataclass(frozen=True)
class Box:
    """Where a room stands in the picture."""

    left: float
    top: int
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


HEAD = """\
<svg class="house" viewBox="0 0 {width} {height}" role="img" aria-labelledby="house-title"
xmlns="http://www.w3.org/2000/svg">
<title id="house-title">The rooms in their layers; imports go downward</title>
<defs><marker id="house-tip" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="5" markerHeight="5"
orient="auto"><path d="M0 0 L6 3 L0 6 z"/></marker></defs>"""

Uses = Mapping[str, set[str]]


def layers() -> list[list[str]]:
    """The rooms that exist, highest layer first, those of one layer together."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rows = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    named = [re.findall(r"\w+", row) for row in rows]
    there = [[name for name in row if (PACKAGE / name / "__init__.py").exists()] for row in named]
    return [row for row in there if row]


def rooms() -> dict[str, Module]:
    """The rooms, private ones too, each as its `__init__` describes it."""
    return {m.name: m for m in all_modules() if (PACKAGE / m.name / "__init__.py").exists()}


def inner(room: str) -> list[str]:
    """The modules of a room."""
    return sorted(m.name for m in all_modules() if m.name.startswith(f"{room}."))


def uses() -> dict[str, set[str]]:
    """Which rooms the modules of a room import, itself left out."""
    found: dict[str, set[str]] = {name: set() for name in rooms()}
    for module in all_modules():
        room = module.name.split(".")[0]
        if room in found:
            found[room] |= {used.split(".")[0] for used in module.uses} & found.keys() - {room}
    return found


def reduced(graph: Uses) -> list[tuple[str, str]]:
    """The arrows of a graph without circles that do not follow from others."""

    def below(name: str) -> set[str]:
        return graph[name].union(*map(below, graph[name]))

    return [
        (name, used)
        for name in graph
        for used in sorted(graph[name])
        if not any(used in below(other) for other in graph[name] - {used})
    ]


def places(rows: Sequence[Sequence[str]]) -> dict[str, Box]:
    """A box for each room; rooms that are alone in their layer stand in turn left and right."""
    found, side = {}, 1
    for i, row in enumerate(rows):
        width = min(150.0, (WIDTH - GAP * (len(row) + 1)) / len(row))
        left = (WIDTH - len(row) * width - (len(row) - 1) * GAP) / 2
        if len(row) == 1 and not row[0].startswith("_"):
            left, side = left + side * 0.75 * width, -side
        for j, name in enumerate(row):
            found[name] = Box(left + j * (width + GAP), GAP + i * ROW, width)
    return found


def ports(
    arrows: Sequence[tuple[str, str]], where: Mapping[str, Box]
) -> dict[tuple[str, str], tuple[float, float, float, float]]:
    """Where each arrow starts and ends: spread along the box, so that arrows seldom cross."""
    ends: dict[tuple[str, str], list[float]] = {arrow: [0, 0] for arrow in arrows}
    for end in (0, 1):
        for name, box in where.items():
            mine = [arrow for arrow in arrows if arrow[end] == name]
            mine.sort(key=lambda arrow: where[arrow[1 - end]].middle)
            for i, arrow in enumerate(mine, 1):
                ends[arrow][end] = box.left + box.width * (0.1 + 0.8 * i / (len(mine) + 1))
    return {(a, b): (s, where[a].top + BOX, e, where[b].top - 1) for (a, b), (s, e) in ends.items()}


def picture(graph: Uses, link: Callable[[str], str]) -> str:
    """The rooms as boxes in their layers, and arrows to what they use, as SVG."""
    rows, about = layers(), rooms()
    where = places(rows)
    shown = [drawn(about[name], box, link(name)) for name, box in where.items()]
    arrows = [bent(*ends) for ends in ports(reduced(graph), where).values()]
    return "\n".join([HEAD.format(width=WIDTH, height=len(rows) * ROW), *arrows, *shown, "</svg>"])


def bent(x0: float, y0: float, x1: float, y1: float) -> str:
    """An arrow that leaves and arrives upright."""
    bend = max(18, (y1 - y0) * 0.45)
    line = f"M{x0:.0f} {y0:.0f} C{x0:.0f} {y0 + bend:.0f}"
    line += f" {x1:.0f} {y1 - bend:.0f} {x1:.0f} {y1:.0f}"
    return f'<path class="use" marker-end="url(#house-tip)" d="{line}"/>'


def drawn(room: Module, box: Box, address: str) -> str:
    """A room's box; that of a public room leads to its page."""
    private = room.name.startswith("_")
    group = (
        f'<g class="{"private" if private else "room"}"><title>{escape(room.summary)}</title>'
        f'<rect x="{box.left:.0f}" y="{box.top}" width="{box.width:.0f}" height="{BOX}" rx="6"/>'
        f'<text class="name" x="{box.middle:.0f}" y="{box.top + 20}">{room.name}</text>'
        f'<text class="size" x="{box.middle:.0f}" y="{box.top + 35}">{size_of(room)}</text></g>'
    )
    return group if private else f'<a href="{escape(address)}">{group}</a>'


def size_of(room: Module) -> str:
    """How much there is in a room, in words."""
    if room.exports:
        return f"{len(room.exports)} name{'s' * (len(room.exports) > 1)}"
    return f"{len(inner(room.name))} modules"


class House(SphinxDirective):
    """The picture."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        builder, here = self.env.app.builder, self.env.docname

        def link(room: str) -> str:
            return builder.get_relative_uri(here, f"api/{room}")

        return [nodes.raw("", picture(uses(), link), format="html")]


class Rooms(SphinxDirective):
    """A table of the rooms, highest first, with the first words of each and its modules."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        about = rooms()
        rows = [("Room", "What one finds there", "Its modules")]
        for name in (name for row in layers() for name in row):
            shown = f"`{name}`" if name.startswith("_") else f"{{doc}}`{name} </api/{name}>`"
            modules = (each.removeprefix(f"{name}.") for each in inner(name))
            rows.append((shown, about[name].summary, ", ".join(f"`{each}`" for each in modules)))
        return self.parse_text_to_nodes(list_table(rows, widths="16 44 40"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("house", House)
    app.add_directive("rooms", Rooms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
