"""What programs share that write a page of results: rows as they come, and the file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"


def told(head: Sequence[str], rows: Iterable[str]) -> str:
    """Return a page, and say each of its rows when it is there."""
    lines = list(head)
    for row in rows:
        print(row, file=sys.stderr, flush=True)
        lines.append(row)
    return "\n".join(lines) + "\n"


def keep(name: str, page: Callable[[int], str], samples: int) -> None:
    """Write a page of so many samples; print one of as many as the command line says."""
    if len(sys.argv) > 1:
        print(page(int(sys.argv[1])), end="")
    else:
        (RESULTS / f"{name}.md").write_text(page(samples), encoding="utf-8")
