"""The process that does jobs: a line in, a line out, and its end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rocspace.web.worker import _SET_ASIDE
from served import ROWS

resource = pytest.importorskip("resource")

GUARD = 120  # seconds after which a program hangs
# As `Workers` starts it; but a library that prints, and a job that is not done yet at the end.
START = """
import os, sys, time
import rocspace.web.work as work
plain = work.answer
def answer(job):
    print("a library says something")
    if job["do"] == "limit":
        import resource
        return {"limit": resource.getrlimit(resource.RLIMIT_DATA)[0]}
    if job["do"] == "hang":
        open(job["arguments"]["file"], "w").close()
        time.sleep(1000)
    if job["do"] == "large":
        raise MemoryError
    return plain(job)
work.answer = answer
from rocspace.web.worker import main
main()
"""


def begun(memory: int = 1 << 33) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START, str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@pytest.mark.slow
def test_each_line_has_its_answer_and_nothing_else_is_said(tmp_path: Path) -> None:
    (tmp_path / "cases.csv").write_text(ROWS)
    look = {"do": "look", "arguments": {"path": str(tmp_path / "cases.csv"), "name": "cases.csv"}}
    jobs = [look, {"do": "limit", "arguments": {}}, {"do": "nothing", "arguments": {}}]
    with begun(1 << 33) as process:
        said, _ = process.communicate(
            "".join(json.dumps(job) + "\n" for job in jobs), timeout=GUARD
        )
    # The input ends, and so does the process, whatever it has still to do; what it said is whole.
    for line in said.splitlines():
        assert isinstance(json.loads(line), dict)
    assert process.returncode == 0
    with begun(1 << 33) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        found = []
        for job in jobs[:2]:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
            found.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.wait(timeout=GUARD) == 0
    assert (found[0]["rows"], found[1]["limit"]) == (60, (1 << 33) + _SET_ASIDE)


@pytest.mark.slow
def test_it_ends_with_its_input_in_the_middle_of_a_job_and_where_memory_ends(
    tmp_path: Path,
) -> None:
    file = tmp_path / "hangs"
    with begun() as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"do": "hang", "arguments": {"file": str(file)}}) + "\n")
        process.stdin.flush()
        while not file.exists():
            assert process.poll() is None
        process.stdin.close()
        assert process.wait(timeout=GUARD) == 0
    with begun() as process:
        assert process.stdin is not None
        process.stdin.write('{"do": "large", "arguments": {}}\n')
        process.stdin.flush()
        assert process.wait(timeout=GUARD) == 3
        process.stdin.close()
