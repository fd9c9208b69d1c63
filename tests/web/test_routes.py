"""What each address answers: the page, files to take, comparisons, and what is refused."""

from __future__ import annotations

import asyncio
import html
import json
import threading
from pathlib import Path
from typing import Any

import pytest

import rocspace
from rocspace.web import guard
from rocspace.web.work import EXAMPLES
from served import CHOICE, ROWS, Serve, Visitor, messages


def test_more_values_than_the_limit_are_refused_before_the_work(serving: Serve) -> None:
    client = serving(values=100).another()
    file = client.give(ROWS).json()["id"]
    refused = client.report(file)
    assert refused.status_code == 422
    assert "60 rows of 2 scores" in messages(refused)
    assert client.report(file, scores=["risk"]).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        *(b"[" * 100_000, b"{", b"[]", b"\xff", b'{"file": 3}', b"x" * 1_000_000, b'{"choice": 3}'),
        b'{"file": "\\ud800", "choice": {"label": "\\ud800"}}',  # half of a letter
        b'{"choice": {"level": NaN}}',
    ],
)
def test_a_request_that_the_page_does_not_make_is_refused(client: Visitor, body: bytes) -> None:
    answer = client.post("/api/reports", content=body)
    assert answer.status_code in (400, 404)
    assert messages(answer)


GUARD = 120  # seconds after which something hangs


# --- the page and its files -----------------------------------------------------------------------


def test_the_page_says_what_the_server_allows(client: Visitor) -> None:
    page = client.get("/")
    assert page.status_code == 200
    about = json.loads(html.unescape(page.text.partition('data-about="')[2].partition('"')[0]))
    limits = client.app.state.house.limits
    assert about["local"] is True
    assert about["version"] == rocspace.__version__
    assert about["limits"]["size"] == limits.size
    assert about["limits"]["text"] == limits.described()
    for name in EXAMPLES:
        assert f'data-example="{name}"' in page.text


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("style.css", 200),
        ("page.html", 404),
        ("nothing.js", 404),
        ("..%2Froutes.py", 404),
        ("js", 404),
    ],
)
def test_only_known_files_of_the_page_are_given(client: Visitor, name: str, status: int) -> None:
    answer = client.get(f"/page/{name}")
    assert answer.status_code == status
    if status == 200:
        assert answer.headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("path", ["/", "/page/style.css", "/api/files"])
def test_heads_are_asked_for_as_pages_are(client: Visitor, path: str) -> None:
    assert client.ask("HEAD", path).status_code == client.get(path).status_code == 200
    assert client.ask("HEAD", "/api/reports").status_code == 405


def test_a_token_is_asked_for_once(serving: Serve) -> None:
    visitor = serving(token="a-token-that-is-long")
    assert visitor.get("/").status_code == 401
    wrong = visitor.post("/enter", content=b"token=no")
    assert (wrong.status_code, "That is not the token" in wrong.text) == (401, True)
    assert visitor.get("/api/files").status_code == 404
    right = visitor.post("/enter", content=b"token=a-token-that-is-long")
    assert right.status_code == 200
    assert visitor.get("/api/files").json() == {"files": []}
    assert visitor.get("/").status_code == 200  # known by now


# --- reports --------------------------------------------------------------------------------------


def test_a_report_is_shown_and_taken(client: Visitor) -> None:
    file = client.give(ROWS, "my cases.v2.csv").json()["id"]
    made = client.report(file).json()["id"]
    shown = client.get(f"/reports/{made}")
    assert shown.text == "<h1>A report</h1>"
    assert shown.headers["content-security-policy"] == guard.REPORT_POLICY
    taken = client.get(f"/reports/{made}/json")
    assert taken.json() == {"settings": CHOICE}
    assert "my%20cases-roc.json" in taken.headers["content-disposition"]
    for path in (f"/reports/{made}/exe", "/reports/none/html"):
        gone = client.get(path)
        assert gone.status_code == 404
        assert messages(gone)
    lost = client.get("/reports/none")
    assert lost.status_code == 404
    assert "no longer here" in lost.text


def test_figures_are_made_once(client: Visitor) -> None:
    file = client.give(ROWS).json()["id"]
    made = client.report(file).json()["id"]
    asked: list[str] = []
    before = client.app.state.house.workers.run

    async def counted(do: str, arguments: Any) -> Any:
        asked.append(do)
        (Path(arguments["folder"]) / f"{arguments['kind']}.zip").write_bytes(b"PK")
        return {"file": "svg.zip", "notes": []}

    client.app.state.house.workers.run = counted
    for _ in range(2):
        answer = client.get(f"/reports/{made}/svg")
        assert answer.content == b"PK"
        assert "cases-figures-svg.zip" in answer.headers["content-disposition"]
    client.app.state.house.workers.run = before
    assert asked == ["files"]


def test_a_choice_that_gives_no_report_leaves_none(client: Visitor) -> None:
    file = client.give(ROWS).json()["id"]
    refused = client.report(file, label="age")
    assert refused.status_code == 422
    assert [each["field"] for each in refused.json()["problems"]]
    (session,) = client.app.state.house.sessions._known.values()
    assert not session.reports
    assert client.report(file, order=["yes", None, ""]).status_code == 422
    assert client.report("no such file").status_code == 404


# --- comparisons ----------------------------------------------------------------------------------


def compared(client: Visitor, *sides: tuple[str, str]) -> Any:
    said = [{"file": file, "choice": {**CHOICE, "scores": [score]}} for file, score in sides]
    return client.post("/api/comparisons", json={"sides": said})


def test_two_files_of_one_name_are_told_apart(client: Visitor) -> None:
    one, two = (client.give(ROWS).json()["id"] for _ in range(2))
    named = compared(client, (one, "risk"), (two, "age")).json()
    assert [each["name"] for each in named["scores"]] == ["cases.csv, risk", "cases.csv, age"]
    same = compared(client, (one, "risk"), (two, "risk")).json()
    assert [each["name"] for each in same["scores"]] == [
        "cases.csv, risk (1)",
        "cases.csv, risk (2)",
    ]
    other = client.give(ROWS, "other.csv").json()["id"]
    plain = compared(client, (one, "risk"), (other, "risk")).json()
    assert [each["name"] for each in plain["scores"]] == ["cases.csv", "other.csv"]


def test_a_comparison_needs_two_files_that_suit(client: Visitor) -> None:
    file = client.give(ROWS).json()["id"]
    assert compared(client, (file, "risk")).status_code == 400
    assert compared(client, (file, "risk"), ("none", "risk")).status_code == 404
    wrong = client.post(
        "/api/comparisons",
        json={"sides": [{"file": file, "choice": {"scores": ["risk"]}}] * 2},
    )
    assert wrong.status_code == 422
    assert messages(wrong).startswith("cases.csv: ")


def test_a_newer_request_takes_the_place_of_an_older_one(client: Visitor) -> None:
    """Of one visitor: the older job is ended, and its request is told so."""
    file = client.give(ROWS).json()["id"]
    began, ended = threading.Event(), []
    plain = client.app.state.house.workers.run

    async def slow(do: str, arguments: Any) -> Any:
        if began.is_set():
            return await plain(do, arguments)
        began.set()
        try:
            await asyncio.sleep(GUARD)
        except asyncio.CancelledError:
            ended.append(do)
            raise

    client.app.state.house.workers.run = slow
    body = {"file": file, "choice": CHOICE}
    first = client.runner.begin(client._client.request("POST", "/api/reports", json=body))
    assert began.wait(GUARD)
    assert client.report(file).status_code == 200
    older = first.result(timeout=GUARD)
    assert older.status_code == 409
    assert "Another choice was made" in messages(older)
    assert ended == ["report"]


@pytest.mark.parametrize("how", ["one", "all"])
def test_no_report_is_left_of_a_file_that_was_deleted_meanwhile(client: Visitor, how: str) -> None:
    file = client.give(ROWS).json()["id"]
    began, goes_on = threading.Event(), threading.Event()
    plain = client.app.state.house.workers.run

    async def slow(do: str, arguments: Any) -> Any:
        began.set()
        await asyncio.to_thread(goes_on.wait, GUARD)
        return await plain(do, arguments)

    client.app.state.house.workers.run = slow
    body = {"file": file, "choice": CHOICE}
    asked = client.runner.begin(client._client.request("POST", "/api/reports", json=body))
    assert began.wait(GUARD)
    assert client.delete("/api/files" if how == "all" else f"/api/files/{file}").status_code == 200
    goes_on.set()
    answer = asked.result(timeout=GUARD)
    assert answer.status_code in (404, 409, 422)
    assert messages(answer)
    left = [each for each in client.app.state.house.folder.rglob("*") if each.is_file()]
    assert left == []


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("PUT", "/api/files", 405), ("BREW", "/", 405)],
)
def test_what_there_is_not_is_said_in_a_sentence(
    client: Visitor, method: str, path: str, status: int
) -> None:
    answer = client.ask(method, path)
    assert answer.status_code == status
    assert messages(answer).endswith(".")
    assert answer.headers["cache-control"] == "no-store"


def test_who_leaves_in_the_middle_of_a_request_leaves_nothing(client: Visitor) -> None:
    """No error in the terminal either: the application takes it as an end like any other."""
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n1,2'
    coming = [
        {"type": "http.request", "body": part, "more_body": True},
        {"type": "http.disconnect"},
    ]
    said: list[Any] = []
    cookie = "; ".join(f"{name}={value}" for name, value in client._client.cookies.items())
    headers = {"host": "localhost", "cookie": cookie}
    headers["content-type"] = "multipart/form-data; boundary=x"
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/files",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "server": ("localhost", 8765),
    }

    async def take() -> Any:
        return coming.pop(0)

    async def say(message: Any) -> None:
        said.append(message)

    client.runner.run(client.app(scope, take, say))
    assert said[0]["status"] == 400
    assert [each for each in client.app.state.house.folder.rglob("*") if each.is_file()] == []
    assert client.give(ROWS).status_code == 200


def test_there_are_no_web_sockets(client: Visitor) -> None:
    said: list[Any] = []

    async def say(message: Any) -> None:
        said.append(message)

    client.runner.run(client.app({"type": "websocket", "path": "/", "headers": []}, None, say))
    assert [each["type"] for each in said] == ["websocket.close"]
