"""`rocspace serve`: where it listens, who needs a token, and that it leaves nothing behind."""

from __future__ import annotations

import os
import queue
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from commands import Run
from rocspace import cli
from rocspace._base import optional
from rocspace.web import serve
from rocspace.web.server import _address, _is_local, _listen
from served import CHOICE, ROWS

GUARD = 120  # seconds after which a program hangs


@pytest.fixture
def started(tmp_path: Path) -> Any:
    """Start the program as a user does, on a port that is free."""
    command = [sys.executable, "-m", "rocspace", "serve", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
    assert address is not None
    yield process, address[0]
    process.kill()
    process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_ends_in_order_in_the_middle_of_a_job(
    started: Any, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    process, address = started
    with httpx.Client(base_url=address, timeout=60) as client:
        assert client.get("/").status_code == 200
        file = client.post("/api/files", files={"file": ("a.csv", ROWS)}).json()["id"]
        (private,) = tmp_path.iterdir()
        assert private.stat().st_mode & 0o777 == 0o700
        assert [each.read_text() for each in private.rglob("f_*.csv")] == [ROWS]
        workers = children(process.pid)
        for each in workers:  # whatever they are given, they are in the middle of it
            os.kill(int(each), signal.SIGSTOP)
        # A request whose answer nobody reads.
        job = client.build_request("POST", "/api/reports", json={"file": file, "choice": CHOICE})
        head = "".join(f"{name}: {value}\r\n" for name, value in job.headers.items())
        with socket.create_connection((client.base_url.host, client.base_url.port)) as asking:
            asking.sendall(f"POST /api/reports HTTP/1.1\r\n{head}\r\n".encode() + job.content)
            until(lambda: any(private.rglob("report-*")), "the job has begun")
        process.send_signal(number)
        assert process.wait(timeout=GUARD) == status
    assert list(tmp_path.iterdir()) == []
    assert workers
    assert [each for each in workers if Path(f"/proc/{each}").exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_in_order_while_it_starts(
    started: Any, tmp_path: Path, number: signal.Signals
) -> None:
    process, _ = started  # its address is told, and nothing else is known of it
    process.send_signal(number)
    assert process.wait(timeout=GUARD) == 128 + number
    assert list(tmp_path.iterdir()) == []


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds, or fail after a time that only a hanging program takes."""
    deadline = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < deadline, f"waited for this in vain: {what}"
        time.sleep(0.01)


def children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_only_this_computer_needs_no_token() -> None:
    assert all(map(_is_local, ("127.0.0.1", "localhost", "::1", "127.0.0.9")))
    assert not any(map(_is_local, ("0.0.0.0", "::", "192.168.1.2", "example.org")))
    assert _address("127.0.0.1", 80, None) == "http://127.0.0.1:80/"
    assert _address("::1", 80, "a b") == "http://[::1]:80/?token=a%20b"
    assert socket.gethostname() in _address("0.0.0.0", 80, None)


def test_a_port_in_use_is_passed_over() -> None:
    with _listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with _listen("127.0.0.1", port) as next_one:
            assert port < next_one.getsockname()[1] < port + 20


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (("--port", "70000"), "--port is 70000. It must be a whole number from 0 to 65535."),
        (("--port", "x"), "is not a whole number"),
        (("--token", "short"), "--token has 5 letters. Give at least 12"),
        (("--host", "192.0.2.1"), "Cannot listen on 192.0.2.1, port 8765"),
        (("--max-mb", "0"), "--max-mb is 0, but must be one or more."),
        (("--keep-minutes", "-3"), "--keep-minutes is -3"),
        (("file.csv",), "Unexpected argument"),
    ],
)
def test_mistakes_have_a_sentence(run: Run, options: tuple[str, ...], part: str) -> None:
    assert part in run("serve", "--no-browser", *options, fails=True).err


def test_the_help_names_every_limit(run: Run) -> None:
    text = " ".join(run("serve", "--help").out.split())
    for word in ("--max-mb", "--max-values", "--max-seconds", "--keep-minutes", "--token", "200"):
        assert word in text
    assert "rocspace serve --host 0.0.0.0" in text


@pytest.mark.parametrize("package", ["fastapi", "uvicorn", "python_multipart"])
def test_a_missing_package_is_told_with_the_line_to_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], package: str
) -> None:
    found = optional.import_module

    def lacking(name: str) -> Any:
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(name=package)
        return found(name)

    monkeypatch.setattr(optional, "import_module", lacking)
    assert cli.run(["serve", "--no-browser", "--port", "0"]) == 2
    said = capsys.readouterr().err
    assert (
        said == f"rocspace: error: {package} is not installed. Run: pip install 'rocspace[web]'\n"
    )


def test_serve_tells_where_it_is_and_opens_the_browser(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from rocspace.web import server

    opened: queue.SimpleQueue[str] = queue.SimpleQueue()
    told: list[str] = []
    monkeypatch.setattr(server.webbrowser, "open", opened.put)
    monkeypatch.setattr(server, "temporary", lambda _: None)
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    monkeypatch.setattr(server.threading, "main_thread", lambda: None)
    serve(port=0, tell=told.append)
    assert told[0] == f"rocspace is at {opened.get(timeout=GUARD)}"
    assert "Files up to 200 MB, 5 minutes for each report" in told[1]
    serve(host="0.0.0.0", port=0, open_browser=False, tell=told.append)
    assert "?token=" in told[2]
    assert "not encrypted" in told[4]
    assert opened.empty()
