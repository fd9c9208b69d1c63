"""The process that does one job after the other: a line of JSON in, a line of JSON out.

It ends when its input does, so none outlives the server.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from contextlib import suppress

_SET_ASIDE = 2 << 30  # bytes; a report of 60 rows counts 2.0 GB and uses 0.4


def main() -> None:
    """Do the jobs that come on standard input, until there is no more input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is not an answer
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    _hold_to(int(sys.argv[1]))
    from rocspace.web.work import answer

    while True:
        job = json.loads(lines.get())
        try:
            said = json.dumps(answer(job), allow_nan=False)
        except MemoryError:
            os._exit(3)
        answers.write(f"{said}\n")
        answers.flush()


def _listen(lines: queue.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)  # the server is gone, also in the middle of a job


def _hold_to(memory: int) -> None:
    """Limit what the process may write to, where the system can do that.

    Its address space is larger, and the library that draws counts as writing to nearly two GB that
    it only sets aside, so these come on top.
    """
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = memory + _SET_ASIDE
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
