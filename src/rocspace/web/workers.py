"""Processes that work, so that a long or hostile job ends without the server."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from rocspace.web.limits import Limits, duration

_LONGEST = 1 << 26  # bytes of an answer
_START = "from rocspace.web.worker import main; main()"


class JobError(Exception):
    """A job that was ended; the message is for the page, `status` that of the answer."""

    def __init__(self, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.status = status


class Workers:
    """As many processes as `Limits` allows, started when they are needed, and kept.

    Parameters
    ----------
    limits : Limits
        How many, for how long, with how much memory.
    folder : str
        Where a worker puts its own temporary files.
    """

    def __init__(self, limits: Limits, folder: str) -> None:
        self._limits = limits
        self._folder = folder
        self._room = asyncio.Semaphore(limits.workers)
        self._free: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    async def warm(self) -> None:
        """Start a worker, so that the first visitor does not wait for it."""
        async with self._room:
            self._free.append(await self._start())

    async def run(self, do: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a job; one that is cancelled or lasts too long is ended."""
        seconds = self._limits.seconds
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError:
            msg = "The computer is busy with the files of others. Try again in a minute."
            raise JobError(msg, 429) from None
        worker = None
        try:
            worker = self._free.pop() if self._free else await self._start()
            async with asyncio.timeout(seconds):
                answer = await self._ask(worker, {"do": do, "arguments": dict(arguments)})
        except TimeoutError:
            msg = (
                f"This took longer than {duration(seconds)} and was ended. Choose fewer scores or "
                "a part of the rows, or use the command line, which has no limit."
            )
            raise JobError(msg) from None
        else:
            self._free.append(worker)
            worker = None
            return answer
        finally:
            try:
                if worker is not None:
                    await self._end(worker)
            finally:  # also where this is cancelled while the worker ends
                self._room.release()

    async def close(self) -> None:
        """End all processes, those too that are about to end, and wait until none is left."""
        while self._all:
            await asyncio.gather(*map(self._end, list(self._all)))

    async def _start(self) -> asyncio.subprocess.Process:
        worker = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-P", "-c", _START, str(self._limits.memory)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_LONGEST,
            env=self._environment(),
            start_new_session=True,  # Ctrl-C is for the server, which ends it
        )
        self._all.add(worker)
        return worker

    def _environment(self) -> dict[str, str]:
        import os

        temporary = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), self._folder)
        return {**os.environ, **temporary, "PYTHONUTF8": "1"}

    async def _ask(
        self, worker: asyncio.subprocess.Process, job: Mapping[str, Any]
    ) -> dict[str, Any]:
        assert worker.stdin is not None
        assert worker.stdout is not None
        broken = (
            "The program that reads the file stopped. The file may be damaged, or need more memory "
            "than the page may use. Write it again, or use the command line."
        )
        try:
            worker.stdin.write(json.dumps(job).encode() + b"\n")
            await worker.stdin.drain()
            line = await worker.stdout.readline()
            if not line:  # it ended, and is not to be ended a second time
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await worker.wait()
            return dict(json.loads(line))  # no line is not JSON either
        except (ConnectionError, ValueError):
            raise JobError(broken) from None

    async def _end(self, worker: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            worker.kill()
        await worker.wait()  # as many may wait for one process as like to
        self._all.discard(worker)
