"""Processes that work: kept while they behave, ended when they do not."""

from __future__ import annotations

import asyncio
import os
import time
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
    if job["do"] == "sleep":
        time.sleep(what["seconds"])
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
        with pytest.raises(JobError, match=r"longer than 0\.4 seconds and was ended"):
            await workers.run("sleep", {"seconds": 60})
        return first, await workers.run("look", {})

    first, second = working(play, workers=1, seconds=0.4)
    assert first["pid"] != second["pid"]
    assert not alive(first["pid"])


def test_a_cancelled_job_ends_its_process(working: Run) -> None:
    async def play(workers: Workers) -> Any:
        first = await workers.run("look", {})
        job = asyncio.create_task(workers.run("sleep", {"seconds": 60}))
        await asyncio.sleep(0.1)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        return first, await workers.run("look", {})

    first, second = working(play, workers=1)
    assert first["pid"] != second["pid"]


def test_a_long_job_does_not_stop_another_visitors(working: Run) -> None:
    async def play(workers: Workers) -> Any:
        long = asyncio.create_task(workers.run("sleep", {"seconds": 60}))
        begun = time.monotonic()
        await workers.run("look", {})
        long.cancel()
        return time.monotonic() - begun

    assert working(play, workers=2) < 30


def test_where_all_workers_are_busy_a_visitor_is_told(working: Run) -> None:
    async def play(workers: Workers) -> None:
        workers._limits = Limits(workers=1, seconds=30)
        long = asyncio.create_task(workers.run("sleep", {"seconds": 60}))
        await asyncio.sleep(0.1)
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


def test_limits_are_numbers_above_zero() -> None:
    for wrong in ({"size": 0}, {"seconds": float("inf")}, {"workers": 1.5}, {"minutes": -1}):
        with pytest.raises(ValueError, match="must be a"):
            Limits(**wrong)
    assert Limits(size=1500, seconds=1, minutes=1.5).described() == {
        "size": "1.5 kB",
        "values": "10,000,000",
        "seconds": "1 second",
        "minutes": "1.5 minutes",
    }
