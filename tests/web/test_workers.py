"""Processes that work: kept while they behave, ended when they do not."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rocspace.web import Limits
from rocspace.web import workers as _workers
from rocspace.web.workers import JobError, Workers
from served import Loop

# What a worker does with a line, without the libraries that it would load.
STAND_IN = """
import json, os, sys, time
for line in sys.stdin:
    job = json.loads(line)
    what = job["arguments"]
    if job["do"] == "hang":
        open(os.path.join(os.environ["TMPDIR"], "hangs"), "w").close()
        while True:
            time.sleep(60)
    if job["do"] == "break":
        os._exit(1)
    if job["do"] == "babble":
        print("not json", flush=True)
    print(json.dumps({"pid": os.getpid(), "tmp": os.environ["TMPDIR"]}), flush=True)
"""
Run = Callable[..., Any]


@pytest.fixture
def working(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Run]:
    monkeypatch.setattr(_workers, "_START", STAND_IN)

    def run(play: Callable[[Workers], Any], **limits: Any) -> Any:
        async def live() -> Any:
            workers = Workers(Limits(**limits), str(tmp_path))
            try:
                return await play(workers)
            finally:
                await workers.close()

        with Loop() as loop:
            return loop.run(live())

    return run


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_is_kept_for_the_next_job(working: Run, tmp_path: Path) -> None:
    async def play(workers: Workers) -> Any:
        await workers.warm()
        return [await workers.run("look", {}) for _ in range(3)]

    found = working(play, workers=1)
    assert len({each["pid"] for each in found}) == 1
    assert found[0]["tmp"] == str(tmp_path)
    assert not alive(found[0]["pid"])


def test_a_long_job_is_ended_and_the_next_one_is_done(working: Run) -> None:
    async def play(workers: Workers) -> Any:
        first = await workers.run("look", {})
        workers._limits = Limits(workers=1, seconds=0.4)
        with pytest.raises(JobError, match=r"longer than 0\.4 seconds and was ended"):
            await workers.run("hang", {})
        workers._limits = Limits(workers=1)
        return first, await workers.run("look", {})

    first, second = working(play, workers=1)
    assert first["pid"] != second["pid"]
    assert not alive(first["pid"])


async def hanging(workers: Workers, tmp_path: Path) -> asyncio.Task[Any]:
    """Begin a job that never ends, and wait until it has begun."""
    job = asyncio.create_task(workers.run("hang", {}))
    async with asyncio.timeout(100):
        while not (tmp_path / "hangs").exists():
            await asyncio.sleep(0.01)
    return job


def test_a_cancelled_job_ends_its_process(working: Run, tmp_path: Path) -> None:
    async def play(workers: Workers) -> Any:
        first = await workers.run("look", {})
        job = await hanging(workers, tmp_path)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        return first, await workers.run("look", {})

    first, second = working(play, workers=1)
    assert first["pid"] != second["pid"]
    assert not alive(first["pid"])


def test_a_job_that_is_cancelled_twice_leaves_its_room(working: Run, tmp_path: Path) -> None:
    async def play(workers: Workers) -> Any:
        job = await hanging(workers, tmp_path)
        for _ in range(4):  # the second time while its process ends
            job.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await job
        return await workers.run("look", {})

    assert working(play, workers=1)["pid"]


def test_a_long_job_does_not_stop_another_visitors(working: Run, tmp_path: Path) -> None:
    async def play(workers: Workers) -> Any:
        long = await hanging(workers, tmp_path)
        assert await workers.run("look", {})
        assert not long.done()
        long.cancel()  # and nobody waits for it: closing the workers does

    working(play, workers=2)


@pytest.mark.parametrize("busy", [0, 1, 2])
def test_no_process_is_left_when_all_are_closed(working: Run, tmp_path: Path, busy: int) -> None:
    pids: set[int] = set()
    jobs: list[asyncio.Task[Any]] = []

    async def play(workers: Workers) -> None:
        for _ in range(busy):
            jobs.append(await hanging(workers, tmp_path))
            (tmp_path / "hangs").unlink()
        await workers.run("look", {})
        pids.update(each.pid for each in workers._all)
        for job in jobs[:1]:
            job.cancel()

    working(play, workers=3)
    assert len(pids) == busy + 1
    assert not any(map(alive, pids))


def test_where_all_workers_are_busy_a_visitor_is_told(working: Run, tmp_path: Path) -> None:
    async def play(workers: Workers) -> None:
        long = await hanging(workers, tmp_path)
        workers._limits = Limits(workers=1, seconds=0.1)
        with pytest.raises(JobError, match="busy with the files of others"):
            await workers.run("look", {})
        long.cancel()

    working(play, workers=1)


@pytest.mark.parametrize("do", ["break", "babble"])
def test_a_worker_that_breaks_is_replaced(working: Run, do: str) -> None:
    async def play(workers: Workers) -> Any:
        with pytest.raises(JobError, match="The program that reads the file stopped"):
            await workers.run(do, {})
        return await workers.run("look", {})

    assert alive(os.getpid())
    assert working(play, workers=1)["pid"]
