"""What each address of the application answers."""

from __future__ import annotations

import asyncio
import html
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

import rocspace
from rocspace import datasets
from rocspace.web import guard
from rocspace.web.choices import NOT_OURS, Choice, RequestError, choice_of, json_of
from rocspace.web.classes import ByLabel, all_columns, ticked_classifiers
from rocspace.web.guesses import columns_of, problems
from rocspace.web.limits import Limits
from rocspace.web.problems import Problem
from rocspace.web.sessions import (
    FullError,
    Made,
    Session,
    Sessions,
    Upload,
    private_folder,
    safe_name,
)
from rocspace.web.uploads import UploadError, check_size, receive
from rocspace.web.work import EXAMPLES
from rocspace.web.workers import JobError, Workers

_BODY = 1 << 18  # bytes of a request of the page that is not a file
_SWEEP = 20.0  # seconds between looks for expired sessions
_KINDS = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_MADE = {"pdf": "figures-pdf", "svg": "figures-svg", "png": "figures-png", "tables": "tables"}
Answering = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True, eq=False)
class House:
    """What all addresses share."""

    limits: Limits
    hosts: tuple[str, ...]
    token: str | None
    folder: Path
    sessions: Sessions
    workers: Workers
    local: bool = True
    running: dict[tuple[Session, str], asyncio.Task[Any]] = field(default_factory=dict)


class GoneError(Exception):
    """Something of a session that is no longer there."""


def build(
    *, limits: Limits, hosts: tuple[str, ...], token: str | None, folder: Path | None
) -> FastAPI:
    """Put the application together."""
    place = private_folder() if folder is None else folder
    house = House(
        limits=limits,
        hosts=hosts,
        token=token,
        folder=place,
        sessions=Sessions(place, limits),
        workers=Workers(limits, str(place)),
        local=token is None,
    )

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(house.sessions))
        warming = asyncio.create_task(house.workers.warm())
        try:
            yield
        finally:
            for task in (sweeping, warming, *house.running.values()):
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
            await house.workers.close()
            house.sessions.close()
            shutil.rmtree(house.folder, ignore_errors=True)

    app = FastAPI(
        title="rocspace", lifespan=living, docs_url=None, redoc_url=None, openapi_url=None
    )
    app.state.house = house
    app.add_middleware(Guarded, house=house)
    for method, path, answer in _ADDRESSES:
        methods = ["GET", "HEAD"] if method == "GET" else [method]
        app.add_api_route(path, answer, methods=methods, response_model=None)
    for error, answering in _ANSWERS.items():
        app.add_exception_handler(error, answering)
    return app


async def _sweep(sessions: Sessions) -> None:
    while True:
        await asyncio.sleep(_SWEEP)
        sessions.sweep()


# --- before and after each request --------------------------------------------------------------


class Guarded:
    """Checks each request before it is answered, and tells the browser how to treat the answer."""

    def __init__(self, app: Any, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            await send({"type": "websocket.close"})
            return

        async def telling(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in guard.HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        by_address = self._house.token is not None
        try:
            guard.check_host(headers.get("host", ""), self._house.hosts, by_address=by_address)
            guard.check_origin(scope["method"], scope["path"], headers)
        except guard.RefusedError as error:
            await _said(str(error), 403)(scope, receive, telling)
        else:
            await self._app(scope, receive, telling)


def _said(message: str, status: int, **more: Any) -> JSONResponse:
    """Answer with one problem."""
    problem = asdict(Problem(field=str(more.pop("field", "file")), message=message))
    return JSONResponse({"problems": [problem]}, status_code=status)


def _answers(status: int) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(_: Request, error: Exception) -> Response:
        found = getattr(error, "status", status)
        return _said(str(error), found)

    return answer


async def _nothing(_: Request, error: HTTPException) -> Response:
    """Answer a request for an address, or in a way, that there is not."""
    said = "There is nothing here." if error.status_code == 404 else NOT_OURS
    answer = _said(said, error.status_code)
    answer.headers.update(error.headers or {})
    return answer


async def _left(*_: object) -> Response:
    """Answer a visitor who left before the request was whole: nobody reads it."""
    return Response(status_code=400)


_ANSWERS: dict[Any, Any] = {
    ClientDisconnect: _left,
    FullError: _answers(429),
    GoneError: _answers(404),
    HTTPException: _nothing,
    JobError: _answers(422),
    RequestError: _answers(400),
    UploadError: _answers(400),
}


# --- who asks -----------------------------------------------------------------------------------


def _house(request: Request) -> House:
    found: House = request.app.state.house
    return found


def _cookie(request: Request) -> str:
    """Return the name of the cookie: those of all ports of a computer are shared."""
    server = request.scope.get("server") or ("", 0)
    return f"rocspace-{server[1]}"


def _session(request: Request) -> Session:
    """Return the session of a request, which has begun with the page."""
    found = _house(request).sessions.find(request.cookies.get(_cookie(request)))
    if found is None:
        said = "Your files were deleted after a time without use. Reload the page to start again."
        raise GoneError(said)
    return found


def _greet(request: Request, response: Response, *, known: bool) -> Response:
    """Begin a session where there is none."""
    if not known:
        key, _ = _house(request).sessions.begin()
        response.set_cookie(_cookie(request), key, httponly=True, samesite="strict", path="/")
    return response


async def _page(request: Request) -> Response:
    """Answer with the page; where a token is needed, only to those who know it."""
    house = _house(request)
    known = house.sessions.find(request.cookies.get(_cookie(request))) is not None
    if house.token is not None and not known:
        given = request.query_params.get("token")
        if given is None:
            return HTMLResponse(_file("enter.html").replace("{said}", ""), 401)
        return _entered(request, given)
    page = _file("page.html").replace("{about}", html.escape(json.dumps(_about(house))))
    return _greet(request, HTMLResponse(page.replace("{examples}", _examples())), known=known)


async def _enter(request: Request) -> Response:
    """Take the token from the form."""
    fields = parse_qs((await _body(request)).decode("utf-8", errors="replace"))
    return _entered(request, "".join(fields.get("token", [])[:1]))


def _entered(request: Request, given: str) -> Response:
    house = _house(request)
    if house.token is None or not guard.same_token(given, house.token):
        said = "That is not the token. It is in the address that rocspace serve printed."
        return HTMLResponse(_file("enter.html").replace("{said}", said), 401)
    # A page that opens the other one: a redirection would leave the cookie of the session behind.
    return _greet(request, HTMLResponse(_file("entered.html")), known=False)


def _about(house: House) -> dict[str, Any]:
    """Return what the page says of the server."""
    return {
        "version": rocspace.__version__,
        "local": house.local,
        "limits": {**asdict(house.limits), "text": house.limits.described()},
    }


@cache
def _examples() -> str:
    sets = [datasets.load(name) for name in EXAMPLES]
    return "".join(
        f'<li><button type="button" class="link" data-example="{html.escape(each.name)}">'
        f"{html.escape(each.title)}</button></li>"
        for each in sets
    )


def _file(name: str) -> str:
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    kind = _KINDS.get(name.rpartition(".")[2])
    known = {each.name for each in resources.files(__package__).joinpath("page").iterdir()}
    if kind is None or name not in known:
        return _said("There is nothing here.", 404)
    return Response(_file(name), media_type=kind)


async def _body(request: Request) -> bytes:
    """Read a small request."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _BODY:
            raise RequestError(NOT_OURS)
    return bytes(body)


async def _asked(request: Request) -> dict[str, Any]:
    return json_of(await _body(request))


# --- files --------------------------------------------------------------------------------------


async def _list(request: Request) -> Response:
    session = _session(request)
    return JSONResponse({"files": [_described(each) for each in session.uploads.values()]})


def _described(upload: Upload) -> dict[str, Any]:
    return {"id": upload.id, "example": upload.example, **upload.looked}


async def _upload(request: Request) -> Response:
    """Take a file, and look at its columns."""
    session, limits = _session(request), _house(request).limits
    check_size(request.headers.get("content-length"), limits.size)
    begun: list[Upload] = []

    def place(name: str) -> Path:
        begun.append(session.new_file(name))
        return begun[0].path

    try:
        await receive(
            request.stream(), request.headers.get("content-type", ""), place, size=limits.size
        )
        return await _look(request, session, begun[0])
    finally:
        for upload in begun:
            if upload.id not in session.uploads:
                session.drop(upload)


async def _example(request: Request) -> Response:
    """Look at a bundled data set."""
    session, name = _session(request), request.path_params["name"]
    if name not in EXAMPLES:
        said = f"There is no example of that name. There are {', '.join(EXAMPLES)}."
        raise GoneError(said)
    upload = session.new_file(name)
    upload.path.parent.rmdir()
    upload.path, upload.example = Path(datasets.path(name)), name
    try:
        return await _look(request, session, upload)
    finally:
        if upload.id not in session.uploads:
            session.drop(upload)


async def _look(request: Request, session: Session, upload: Upload) -> Response:
    answer = await _worked(request, session, "look", _where(upload))
    if "problems" in answer:
        return JSONResponse(answer, status_code=422)
    upload.looked = answer
    session.keep(upload)
    return JSONResponse(_described(upload))


def _where(upload: Upload) -> dict[str, Any]:
    """Return where a worker finds a file, and what it is called."""
    return {"path": str(upload.path), "name": upload.name, "example": upload.example}


async def _remove(request: Request) -> Response:
    session = _session(request)
    session.drop(_upload_of(session, request.path_params["key"]))
    return JSONResponse({})


async def _forget(request: Request) -> Response:
    """Delete everything of this visitor at once."""
    session, house = _session(request), _house(request)
    for whose, do in list(house.running):
        if whose is session:
            house.running.pop((whose, do)).cancel()
    for upload in list(session.uploads.values()):
        session.drop(upload)
    return JSONResponse({})


def _upload_of(session: Session, key: object) -> Upload:
    found = session.uploads.get(str(key))
    if found is None:
        said = "This file is no longer here. Choose it again."
        raise GoneError(said)
    return found


# --- work ---------------------------------------------------------------------------------------


async def _worked(
    request: Request, session: Session, do: str, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Have a worker do a job; it ends when the visitor leaves, or asks for something else."""
    house = _house(request)
    key = (session, do)
    before = house.running.pop(key, None)
    if before is not None:
        before.cancel()
    task = asyncio.create_task(house.workers.run(do, arguments))
    house.running[key] = task
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=0.5)
            if not task.done() and await request.is_disconnected():
                task.cancel()
        return task.result()
    except asyncio.CancelledError:
        task.cancel()
        said = "Another choice was made, or the file deleted, before this one was worked out."
        raise JobError(said, 409) from None
    finally:
        if house.running.get(key) is task:
            del house.running[key]


def _suitable(upload: Upload, choice: Choice, limits: Limits) -> list[Any]:
    """Return what keeps a choice from being worked out, before anything is."""
    described = upload.looked["columns"]
    found = list(problems(columns_of(described), asdict(choice), _by_label(upload)))
    n = upload.looked["rows"] * len(choice.scores)
    if not found and n > limits.values:
        scores = "1 score" if len(choice.scores) == 1 else f"{len(choice.scores)} scores"
        many = (
            f"{upload.looked['rows']:,} rows of {scores} are more values than "
            f"the {limits.values:,} that this page works with. Choose fewer scores, or use the "
            "command line, which has no limit."
        )
        found = [Problem(field="scores", message=many)]
    return [asdict(each) for each in found]


def _by_label(upload: Upload) -> ByLabel:
    columns = upload.looked["columns"]
    return {each["name"]: each["classes"] for each in columns if each["classes"]}


async def _report(request: Request) -> Response:
    """Make a report of a file."""
    session, asked = _session(request), await _asked(request)
    upload = _upload_of(session, asked.get("file"))
    said = asked.get("choice")
    choice = choice_of(said)
    assert isinstance(said, Mapping)
    if found := _suitable(upload, choice, _house(request).limits):
        return JSONResponse({"problems": found}, status_code=422)
    made = session.new_report(upload, said)
    answer: dict[str, Any] = {"problems": []}
    try:
        answer = await _worked(request, session, "report", _arguments(made))
    finally:
        if "problems" in answer or upload.id not in session.uploads:
            session.forget(made)
    _upload_of(session, upload.id)  # gone, if it was removed meanwhile
    if "problems" in answer:
        return JSONResponse(answer, status_code=422)
    session.keep_report(made)
    return JSONResponse({"id": made.id, **answer})


def _arguments(made: Made) -> dict[str, Any]:
    return {**_where(made.upload), "choice": dict(made.choice), "folder": str(made.folder)}


def _made(request: Request) -> Made:
    found = _session(request).reports.get(str(request.path_params["key"]))
    if found is None:
        said = "This report is no longer here. Change a choice, and it is made again."
        raise GoneError(said)
    return found


async def _shown(request: Request) -> Response:
    """Answer with the page of a report; it can run its own scripts, and reach nothing."""
    try:
        made = _made(request)
    except GoneError as error:
        return HTMLResponse(f"<!doctype html><title>Gone</title><p>{html.escape(str(error))}", 404)
    page = (made.folder / "report.html").read_bytes()
    return HTMLResponse(page, headers={"Content-Security-Policy": guard.REPORT_POLICY})


async def _taken(request: Request) -> Response:
    """Answer with a file to keep: the page, its numbers, figures or tables."""
    session, made = _session(request), _made(request)
    kind = str(request.path_params["kind"])
    stem = made.upload.name.partition(".")[0] or "report"
    if kind == "html":
        return _download(made.folder / "report.html", f"{stem}-roc.html", "text/html")
    if kind == "json":
        return _download(made.folder / "summary.json", f"{stem}-roc.json", "application/json")
    if kind not in _MADE:
        said = "There is nothing here."
        raise GoneError(said)
    target = made.folder / f"{kind}.zip"
    if not target.exists():
        answer = await _worked(request, session, "files", {**_arguments(made), "kind": kind})
        if "problems" in answer:
            return JSONResponse(answer, status_code=422)
        made = _made(request)  # gone, if newer ones were made meanwhile
    return _download(target, f"{stem}-{_MADE[kind]}.zip", "application/zip")


def _download(path: Path, name: str, kind: str) -> Response:
    how = f"attachment; filename=\"{safe_name(name)[2:]}\"; filename*=UTF-8''{quote(name)}"
    return Response(path.read_bytes(), media_type=kind, headers={"Content-Disposition": how})


async def _compare(request: Request) -> Response:
    """Compare one score of two files."""
    session, asked = _session(request), await _asked(request)
    sides: Any = asked.get("sides")
    known = isinstance(sides, list) and all(isinstance(side, Mapping) for side in sides)
    if not known or len(sides) != 2:
        said = "A comparison needs two files."
        raise RequestError(said)
    told: list[dict[str, Any]] = []
    for side in sides:
        upload = _upload_of(session, side.get("file"))
        choice = choice_of(side.get("choice"))
        said_choice = dict(side["choice"]) | {"scores": _one_score(upload, choice)}
        found = _suitable(upload, choice_of(said_choice), _house(request).limits)
        if found:
            found = [{**each, "message": f"{upload.name}: {each['message']}"} for each in found]
            return JSONResponse({"problems": found}, status_code=422)
        told.append({**_where(upload), "choice": said_choice})
    told = [{**each, "title": title} for each, title in zip(told, _titles(told), strict=True)]
    level = choice_of(sides[0]["choice"]).level
    answer = await _worked(request, session, "compare", {"sides": told, "level": level})
    return JSONResponse(answer, status_code=422 if "problems" in answer else 200)


def _titles(sides: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name two sides: by their files; where these are alike also by their scores, or numbers."""
    titles = [str(each["name"]) for each in sides]
    if titles[0] == titles[1]:
        scores = (each["choice"]["scores"][0] for each in sides)
        titles = [f"{title}, {score}" for title, score in zip(titles, scores, strict=True)]
    if titles[0] == titles[1]:
        titles = [f"{title} ({i})" for i, title in enumerate(titles, 1)]
    return titles


def _one_score(upload: Upload, choice: Choice) -> list[str]:
    """Return the first score that was chosen; of several classes, the columns of a classifier."""
    by_class = _by_label(upload).get(choice.label or "", {})
    if by_class and not choice.positive and not choice.order:
        return all_columns(ticked_classifiers(by_class, choice.scores), most=1)
    return list(choice.scores[:1])


_ADDRESSES: tuple[tuple[str, str, Answering], ...] = (
    ("GET", "/", _page),
    ("POST", "/enter", _enter),
    ("GET", "/page/{name}", _static),
    ("GET", "/api/files", _list),
    ("POST", "/api/files", _upload),
    ("DELETE", "/api/files", _forget),
    ("DELETE", "/api/files/{key}", _remove),
    ("POST", "/api/examples/{name}", _example),
    ("POST", "/api/reports", _report),
    ("GET", "/reports/{key}", _shown),
    ("GET", "/reports/{key}/{kind}", _taken),
    ("POST", "/api/comparisons", _compare),
)
