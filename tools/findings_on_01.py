"""Show that version 0.1 has each fault that the tests of this version were written against.

``python tools/findings_on_01.py`` checks 0.1 out into a temporary folder and runs the examples of
``findings_on_01.txt`` in an interpreter that knows 0.1 only. Each stands below the finding that it
shows, is written in the names of 0.1 (``docs/renamed.md``), and prints what was wrong. The table
that is printed says how many examples of each finding 0.1 answers as it did; the status is 1 if one
is answered otherwise. ``--only I-3`` runs those of one finding, ``--list`` names the findings. The
tests that hold this version to the right answers are listed by finding in
``tests/house/test_findings.py``.
"""

from __future__ import annotations

import argparse
import contextlib
import doctest
import io
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compare_versions import OLD, ROOT, table

EXAMPLES = Path(__file__).with_name("findings_on_01.txt")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 100  # for one finding


def findings() -> dict[str, str]:
    """Return the examples of each finding, by the line above them that names it."""
    text = EXAMPLES.read_text("utf-8")
    parts = re.split(r"^(?=I-\d+ |cosmetics)", text, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def cli(*words: object, stdin: str = "") -> str:
    """Run the command line in this interpreter; return what it printed, and its status if not 0."""
    said, status = io.StringIO(), 0
    before = sys.argv, sys.stdin, Path.cwd()
    sys.argv = ["rocspace", *map(str, words)]
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            runpy.run_module("rocspace", run_name="__main__")
    except SystemExit as stop:
        status = int(stop.code or 0)
    finally:
        sys.argv, sys.stdin = before[:2]
        os.chdir(before[2])
    return said.getvalue() + f"\nstatus {status}" * bool(status)


def written(name: str, text: str) -> str:
    """Write a file into the folder of the examples."""
    Path(name).write_text(text, encoding="utf-8")
    return name


def refused(_number: int, _frame: object) -> None:
    msg = "no answer in time"
    raise TimeoutError(msg)


def work(only: str) -> Iterator[tuple[str, str, str]]:
    """Run the examples in this interpreter: the finding, what was seen, and what was not."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, refused)
    for name, text in findings().items():
        if only and name.split()[0] != only:
            continue
        space: dict[str, Any] = {"cli": cli, "written": written}
        exec("import json\nimport numpy as np\nimport rocspace as rs", space)
        example = doctest.DocTestParser().get_doctest(text, space, name, str(EXAMPLES), 0)
        runner, said = doctest.DocTestRunner(optionflags=OPTIONS), io.StringIO()
        signal.alarm(SECONDS)
        failed, tried = runner.run(example, out=said.write)
        signal.alarm(0)
        yield name, f"{tried - failed} of {tried}", said.getvalue()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="the finding, such as I-3")
    parser.add_argument("--list", action="store_true", help="name the findings and end")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(findings()))
        return 0
    if asked.worker:
        rows = list(work(asked.only))
        print("".join(said for _, _, said in rows))
        table([("finding", "as in 0.1"), *(row[:2] for row in rows)])
        return int(any(said for _, _, said in rows))
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), OLD], check=True)
        try:
            known = os.pathsep.join([str(tree / "src"), str(Path(__file__).parent)])
            command = [sys.executable, __file__, "--worker", "--only", asked.only]
            return subprocess.run(
                command, env=os.environ | {"PYTHONPATH": known}, cwd=folder, check=False
            ).returncode
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


if __name__ == "__main__":
    sys.exit(main())
