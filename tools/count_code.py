"""Count the lines of code in folders: without docstrings, comments and blank lines.

``python tools/count_code.py`` counts ``src``; ``python tools/count_code.py src tests`` both, one
line for each folder in it. Stubs (``.pyi``) are counted apart.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def code_lines(text: str) -> int:
    """Count the lines that hold code."""
    quiet: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                quiet.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - quiet)


def count(folder: Path) -> dict[str, Counter[str]]:
    """Count the lines below a folder, by the room (or module) of its package and by the ending."""
    found: dict[str, Counter[str]] = {}
    for path in sorted(folder.rglob("*.py*")):
        if path.suffix in {".py", ".pyi"}:
            parts = path.relative_to(folder).parts
            room = "/".join(parts[: 2 if folder.name == "src" else 1])
            found.setdefault(room, Counter())[path.suffix] += code_lines(path.read_text("utf-8"))
    return found


def main(folders: list[str]) -> None:
    for name in folders or ["src"]:
        rooms = count(ROOT / name)
        for room, lines in rooms.items():
            print(f"{lines['.py']:8,} {lines['.pyi']:6,}  {name}/{room}")
        total = sum(rooms.values(), Counter[str]())
        print(f"{total['.py']:8,} {total['.pyi']:6,}  {name} (.py, .pyi)")


if __name__ == "__main__":
    main(sys.argv[1:])
