"""Execute a notebook, and write what its cells show, or say which shows something else now.

    python tools/run_notebook.py docs/notebooks/first_look.ipynb           # compare
    python tools/run_notebook.py docs/notebooks/first_look.ipynb --write   # renew

Cells are run by Python itself, in one namespace, so that neither Jupyter nor a kernel is needed.
A cell shows what it prints and the value of its last expression, as text and, where a result
has a card, as HTML.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any


def value_of(source: str, names: dict[str, Any]) -> Any:
    """Run the statements of a cell, and return the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
    if last is None or source.rstrip().endswith(";"):
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def outputs_of(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Return what a cell shows, as notebooks store it."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        value = value_of(source, names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        found.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data = {"text/html": value._repr_html_().splitlines(keepends=True), **data}
        shown = {"data": data, "execution_count": count, "metadata": {}}
        found.append({**shown, "output_type": "execute_result"})
    return found


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs of its cells renewed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = outputs_of("".join(cell["source"]), names, count)
            cells.append({**cell, "execution_count": count, "outputs": outputs})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def changed(path: Path) -> list[int]:
    """Return the numbers of the code cells that show something else than is stored."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    pairs = zip(stored["cells"], executed(stored)["cells"], strict=True)
    return [
        new["execution_count"]
        for old, new in pairs
        if new["cell_type"] == "code" and old["outputs"] != new["outputs"]
    ]


def write(path: Path) -> None:
    """Store what the cells show."""
    renewed = executed(json.loads(path.read_text(encoding="utf-8")))
    text = json.dumps(renewed, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--write", action="store_true", help="renew the stored outputs")
    given = parser.parse_args()
    if given.write:
        write(given.notebook)
        return 0
    other = changed(given.notebook)
    if other:
        print(f"Cells that show something else now: {', '.join(map(str, other))}. Use --write.")
    return bool(other)


if __name__ == "__main__":
    sys.exit(main())
